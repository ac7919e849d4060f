//! From commands to effects: one match; the bodies are in `actions`.

use super::{actions::stage, state::Pending, window::App};
use crate::{
    command::{Act, Command, CommandId as Id, HelpWish, PanelId, Workspace},
    edit::{
        AutoKey, EditError, Gesture,
        skeleton::{Animation, Carry},
    },
    interact::rest_mode::{RestMode, Sides},
    interact::view_state::{
        DragPrefs, NewKeys, Playback, ThemeChoice, ToolId, TransformSpace, ViewChange, ViewState, ViewportOptions,
    },
    notice::Notice,
    ui::{dock::next_of, shortcut_sheet::ShortcutSheet, theme::Colours},
};

/// Carries out a command.
pub(super) fn dispatch(app: &mut App, command: Command, ctx: &egui::Context) {
    app.state.session.set_new_keys(app.state.view.new_keys.interpolation());
    match command {
        Command::Run(id) => {
            if id.spec().needs.met(app.state.available()) {
                run(app, id, ctx);
            }
        }
        // What is shown already is no reason to draw again: a hand that rests in mid-drag asks for it at every frame.
        Command::Gesture(Gesture::Update(edit)) if app.state.session.previews(&edit) => return,
        Command::Gesture(gesture) => {
            let done = app.state.session.gesture(gesture).map(|_| ());
            told(app, done);
        }
        Command::Apply(label, edit) => {
            let done = app.state.session.apply(label, &edit).map(|_| ());
            told(app, done);
        }
        Command::ApplyMerging(label, key, edit) => {
            let done = app.state.session.apply_merging(label, key, &edit).map(|_| ());
            told(app, done);
        }
        Command::Select(selection) => app.state.session.select(selection),
        Command::View(change) => view(app, change),
        Command::Jump(index) => {
            app.state.session.jump(index);
        }
        Command::Open(path) => app.guarded(Pending::Open(Some(path)), ctx),
        Command::Import(path) => app.import(path, ctx),
        Command::Plot(to, clip, channels) => app.plot(to, clip, channels, ctx),
        Command::Simplify(curves) => app.simplify(curves, ctx),
        Command::Clips(work) => app.clip_work(*work, ctx),
        Command::Retarget(wish) => app.retarget(*wish, ctx),
        Command::CompareWithClip(clip) => app.compare_with_clip(clip, ctx),
        Command::Bake(wish) => app.bake(*wish, ctx),
        Command::MeasureSlide(ask) => app.measure_slide(*ask, ctx),
        Command::Eases(wish) => app.eases(wish, ctx),
        Command::WarpImage(second) => app.ask_warp_image(second, ctx),
        Command::Help(wish) => app.help(wish),
        Command::Tell(notice) => app.state.tell(notice),
        // The same hint again is no reason to draw again.
        Command::Hint(hint) => return app.hint(hint, ctx),
    }
    ctx.request_repaint();
}

/// An edit that could not be done is told; one that came after its gesture was cancelled is nobody's fault.
pub(super) fn told(app: &mut App, done: Result<(), EditError>) {
    match done {
        Ok(()) | Err(EditError::NoGesture) => {}
        Err(error) => app.state.tell(Notice::warn(crate::text::fill("edit.refused", &[("error", &error)]))),
    }
}

fn view(app: &mut App, change: ViewChange) {
    let (theme, profile) = (app.state.view.theme, app.state.view.profile);
    if let ViewChange::Rest(rest) = &change
        && rest.on != app.state.view.rest.on
        && app.state.session.in_gesture()
    {
        // What runs was begun on another pose.
        let dropped = app.state.session.gesture(Gesture::Cancel).map(|_| ());
        told(app, dropped);
    }
    if matches!(change, ViewChange::Rest(rest) if rest.on) {
        app.state.view.apply(ViewChange::Playback(Playback::Stopped));
    }
    app.state.view.apply(change);
    if app.state.view.theme != theme {
        app.state.colours = Colours::of(app.state.view.theme);
        app.state.save_settings();
    }
    if app.state.view.profile != profile {
        app.rebuild_keymap();
    }
}

fn run(app: &mut App, id: Id, ctx: &egui::Context) {
    let id = match at_rest(app, id) {
        AtRest::Run(id) => id,
        AtRest::Refuse => return app.state.tell(Notice::info(crate::text::t("rest.refused").into_owned())),
    };
    match id {
        Id::New
        | Id::Open
        | Id::OpenLast
        | Id::Import
        | Id::Save
        | Id::SaveAs
        | Id::ExportBeside
        | Id::ExportBvh
        | Id::ExportGltf
        | Id::ExportObj
        | Id::Recover
        | Id::Playblast
        | Id::AddReference
        | Id::CompareWithFile
        | Id::ImportOnto
        | Id::Quit
        | Id::OpenSample
        | Id::OpenMoves
        | Id::OpenStand
        | Id::OpenBounce
        | Id::OpenReach
        | Id::OpenRace
        | Id::OpenArm
        | Id::OpenTorso
        | Id::OpenGait
        | Id::OpenCaptured => {
            files(app, id, ctx);
        }
        Id::Undo | Id::Redo => {
            // A text that is being typed must not be written over what undo brings back.
            ctx.memory_mut(egui::Memory::stop_text_input);
            let before = app.rigs_in_view();
            let session = &mut app.state.session;
            if id == Id::Undo {
                session.undo()
            } else {
                session.redo()
            };
            // What was looked at may stand elsewhere now, as where other motion began.
            app.follow_rigs(&before);
        }
        Id::LookAtReferences => app.state.footage.look_again(),
        Id::Palette => app.state.palette = Some(crate::ui::palette::Palette::default()),
        Id::Settings => app.state.settings_window = Some(crate::ui::settings_window::SettingsWindow::default()),
        Id::ShowStart => app.help(HelpWish::Start(true)),
        Id::Tour => app.help(HelpWish::Tour(app.state.settings.tour_step)),
        Id::ShowShortcuts => app.state.sheet = Some(ShortcutSheet::default()),
        Id::About => app.about(),
        Id::SetKey | Id::SetKeyWholePose | Id::DeleteKey | Id::KeyWaiting | Id::DiscardWaiting => app.keys(id),
        Id::ClearTranslation | Id::ClearRotation | Id::ClearScale | Id::ClearToRest | Id::StandUp => app.pose(id),
        Id::PinHere | Id::PlantFeet | Id::PinWhereStill | Id::Unpin | Id::SplitPin | Id::KeyPin => app.pins(id),
        Id::CopyPose
        | Id::PastePose
        | Id::PastePoseMirrored
        | Id::PastePosePart
        | Id::MirrorPose
        | Id::MirrorSelection
        | Id::AddPose
        | Id::AddSelectionSet => app.pose_clipboard(id, ctx),
        Id::NewCharacterBiped | Id::NewCharacterQuadruped | Id::NewCharacterTentacle | Id::NewCharacterArm => {
            app.new_character(id);
        }
        Id::AddRootJoint
        | Id::ExtrudeJoint
        | Id::SplitBone
        | Id::ReparentJoints
        | Id::ReparentJointsStay
        | Id::UnparentJoints
        | Id::MirrorJoints
        | Id::RestFromPose
        | Id::RestFromPoseStays
        | Id::DeleteJoints
        | Id::DeleteJointBranch => app.skeleton(id),
        Id::MakeChain
        | Id::KeyChain
        | Id::MatchIkToFk
        | Id::MatchIkRange
        | Id::MatchFkToIk
        | Id::MatchFkRange
        | Id::BakeConstraints
        | Id::SetDrivenKey
        | Id::DeleteDrivers => app.rigging(id, ctx),
        Id::ShowDrivers => app.show_drivers(),
        Id::AddLattice
        | Id::AddBox
        | Id::AddSphere
        | Id::AddCylinder
        | Id::AddCapsule
        | Id::AddTube
        | Id::AddPlane
        | Id::AddFace
        | Id::AddFlexor
        | Id::KeyBounce
        | Id::AddHead
        | Id::FitLattice
        | Id::ResetLattice
        | Id::FreezeToMesh
        | Id::FreezeToMorph
        | Id::ToggleSoft
        | Id::CycleMirror => app.shapes(id),
        Id::SquashLandings => app.squash_landings(ctx),
        Id::AddPath
        | Id::AddEmpty
        | Id::AddCamera
        | Id::CameraFromView
        | Id::FollowPath
        | Id::PaceConstant
        | Id::PaceEaseIn
        | Id::PaceEaseOut
        | Id::PaceEaseInOut
        | Id::ClosePath
        | Id::DividePath
        | Id::ReversePath
        | Id::DeleteSelected => app.paths(id),
        Id::LookThrough => app.look_through(),
        Id::Hide | Id::ShowAll | Id::Isolate => app.visibility(id),
        Id::PlayPause | Id::PlayBackward | Id::StopPlaying | Id::PlayForward => play(app, id),
        Id::StepBack | Id::StepForward | Id::PreviousKey | Id::NextKey | Id::FirstFrame | Id::LastFrame => app.go(id),
        Id::ImportClips => app.ask_clips(ctx),
        Id::MirrorClip | Id::CycleInPlace | Id::CycleTravel => app.remake_clip(id, ctx),
        Id::MergeCorrections => app.merge_corrections(),
        Id::FlipKeys => app.flip(),
        Id::InsertTime | Id::RemoveTime => app.ripple(id),
        Id::RangeStartHere | Id::RangeEndHere | Id::RangeFromClip => app.play_range(id),
        Id::RangeFromKeys => app.range_from_keys(),
        Id::AddMarker | Id::DeleteMarker | Id::PreviousMarker | Id::NextMarker => app.markers(id),
        Id::KindKey | Id::KindBreakdown | Id::KindExtreme | Id::KindHold => app.key_kind(id),
        Id::ResetLayout => app.dock.reset(app.state.settings.workspace),
        Id::CompareTiming => {
            app.dock.reveal(app.state.settings.workspace, PanelId::Race);
            app.run_on_panel(id);
        }
        Id::BindSkin | Id::Unbind | Id::NormaliseWeights | Id::LimitWeights | Id::MirrorWeights => app.skins(id),
        Id::NextPanel | Id::PreviousPanel | Id::NextTab | Id::PreviousTab => app.step_panel(id, ctx),
        Id::PreviousWorkspace | Id::NextWorkspace => {
            let now = &mut app.state.settings.workspace;
            let next = next_of(&Workspace::ALL, Some(*now), id == Id::NextWorkspace);
            *now = next.unwrap_or(*now);
        }
        Id::AddSpaceLine | Id::AddSpacePlane => app.add_blend_space(id),
        other => match (other.spec().act, switched(app, other)) {
            (Some(Act::Panel(panel)), _) => app.dock.bring(app.state.settings.workspace, panel),
            (Some(Act::Workspace(workspace)), _) => app.state.settings.workspace = workspace,
            (Some(Act::Deformer(kind)), _) => app.add_deformer(kind),
            (_, Some(change)) => switch(app, other, change),
            (_, None) => app.run_on_panel(other),
        },
    }
}

fn files(app: &mut App, id: Id, ctx: &egui::Context) {
    match id {
        Id::New => app.guarded(Pending::New, ctx),
        Id::Open => app.guarded(Pending::Open(None), ctx),
        Id::OpenLast => app.guarded(Pending::OpenLast, ctx),
        Id::Quit => app.guarded(Pending::Quit, ctx),
        Id::Import => app.ask_import(ctx),
        Id::Recover => app.look_for_lost_work(true, ctx),
        Id::Playblast => app.ask_playblast(ctx),
        Id::AddReference => app.ask_reference(ctx),
        Id::CompareWithFile => app.ask_compare(ctx),
        Id::ImportOnto => app.ask_retarget(ctx),
        Id::Save => app.save(ctx),
        Id::SaveAs => app.save_as(ctx),
        Id::ExportBeside => app.ask_beside(),
        Id::ExportGltf => app.ask_gltf(),
        Id::ExportObj => app.ask_obj_file(ctx),
        Id::ExportBvh => app.ask_export(ctx),
        sample => {
            if let Some(stage) = stage::of_command(sample) {
                app.guarded(Pending::Sample(stage.sample), ctx);
            }
        }
    }
}

fn play(app: &mut App, id: Id) {
    let now = app.state.view.playback;
    let wanted = match id {
        Id::PlayPause if now == Playback::Stopped => Playback::Forward,
        Id::PlayForward => Playback::Forward,
        Id::PlayBackward if now != Playback::Backward => Playback::Backward,
        _ => Playback::Stopped,
    };
    app.start_playing(wanted);
}

/// What becomes of a command while the rest pose is edited.
enum AtRest {
    Run(Id),
    Refuse,
}

/// At rest what poses and keys has nothing to act on: mirroring and deleting are for the joints, the rest is refused.
fn at_rest(app: &App, id: Id) -> AtRest {
    if !app.state.view.rest.on {
        return AtRest::Run(id);
    }
    let has_joint = app.state.session.selection().targets.iter().any(|target| target.joint().is_some());
    match id {
        Id::MirrorPose if has_joint => AtRest::Run(Id::MirrorJoints),
        Id::DeleteSelected if has_joint => AtRest::Run(Id::DeleteJoints),
        Id::SetKey
        | Id::SetKeyWholePose
        | Id::DeleteKey
        | Id::ClearTranslation
        | Id::ClearRotation
        | Id::ClearScale
        | Id::ClearToRest
        | Id::PinHere
        | Id::PlantFeet
        | Id::PinWhereStill
        | Id::SplitPin
        | Id::KeyPin
        | Id::PastePose
        | Id::PastePoseMirrored
        | Id::PastePosePart
        | Id::MirrorPose => AtRest::Refuse,
        other => AtRest::Run(other),
    }
}

/// Another way of editing the rest pose, where a command is one.
fn rest_switched(now: RestMode, id: Id) -> Option<RestMode> {
    Some(match id {
        Id::ToggleRest => RestMode { on: !now.on, ..now },
        Id::ToggleRestChildren => RestMode { children: next(&[Carry::Behind, Carry::Along], now.children), ..now },
        Id::ToggleRestAnimation => {
            RestMode { animation: next(&[Animation::Follows, Animation::Stays], now.animation), ..now }
        }
        Id::CycleSymmetry => {
            let all = [None, Some(Sides::Found), Some(Sides::Named), Some(Sides::Placed)];
            RestMode { symmetry: next(&all, now.symmetry), ..now }
        }
        _ => return None,
    })
}

/// Makes the change of what is shown that a command is.
fn switch(app: &mut App, id: Id, change: ViewChange) {
    view(app, change);
    // Nobody paints blind; who does not want to see the weights switches them off again.
    if id == Id::ToolPaintWeights {
        let shown = app.state.view.viewport;
        view(app, ViewChange::Viewport(ViewportOptions { weights: true, ..shown }));
    }
}

/// The change of what is shown that a command is, where it is one.
fn switched(app: &App, id: Id) -> Option<ViewChange> {
    let view = &app.state.view;
    let mut shown = view.viewport;
    Some(match id {
        Id::ToolSelect => ViewChange::Tool(ToolId::Select),
        Id::ToolDragLimb => ViewChange::Tool(ToolId::DragLimb),
        Id::ToolMove => ViewChange::Tool(ToolId::Move),
        Id::ToolRotate => ViewChange::Tool(ToolId::Rotate),
        Id::ToolDrawPath => ViewChange::Tool(ToolId::DrawPath),
        Id::ToolPull => ViewChange::Tool(ToolId::Pull),
        Id::ToolMask => ViewChange::Tool(ToolId::Mask),
        Id::ToolPaintMask => ViewChange::Tool(ToolId::PaintMask),
        Id::ToolPaintWeights => ViewChange::Tool(ToolId::PaintWeights),
        Id::CycleSpace => ViewChange::Space(next(&TransformSpace::ALL, view.space)),
        Id::CycleAutoKey => ViewChange::AutoKey(next(&AutoKey::ALL, view.auto_key)),
        Id::ToggleBars => ViewChange::Bars(!view.bars),
        Id::ToggleStepped => ViewChange::Stepped(!view.stepped),
        Id::CycleHold => ViewChange::Hold(if view.hold >= ViewState::HOLD.1 { 1 } else { view.hold + 1 }),
        Id::CycleNewKeys => ViewChange::NewKeys(next(&NewKeys::ALL, view.new_keys)),
        Id::ToggleLoop => ViewChange::Looping(!view.looping),
        Id::ToggleDropFrames => ViewChange::DropPolicy(match view.drop_policy {
            crate::interact::view_state::DropPolicy::DropFrames => crate::interact::view_state::DropPolicy::EveryFrame,
            crate::interact::view_state::DropPolicy::EveryFrame => crate::interact::view_state::DropPolicy::DropFrames,
        }),
        Id::ToggleSnapFrames => {
            let mut snap = view.snap;
            snap.frames = !snap.frames;
            ViewChange::Snap(snap)
        }
        Id::ToggleTheme => ViewChange::Theme(match view.theme {
            ThemeChoice::Dark => ThemeChoice::Light,
            ThemeChoice::Light => ThemeChoice::Dark,
        }),
        Id::ClearTrails => ViewChange::Trailed(std::collections::BTreeSet::new()),
        Id::ToggleOnion => ViewChange::Onion(crate::interact::onion::OnionSkin { on: !view.onion.on, ..view.onion }),
        Id::ToggleGrid
        | Id::ToggleBones
        | Id::ToggleMannequin
        | Id::ToggleMesh
        | Id::ToggleInfluence
        | Id::ToggleWeights
        | Id::ToggleFollow
        | Id::ToggleNames => {
            let flag = match id {
                Id::ToggleGrid => &mut shown.grid,
                Id::ToggleBones => &mut shown.bones,
                Id::ToggleMannequin => &mut shown.mannequin,
                Id::ToggleMesh => &mut shown.mesh,
                Id::ToggleInfluence => &mut shown.influence,
                Id::ToggleWeights => &mut shown.weights,
                Id::ToggleFollow => &mut shown.follow,
                _ => &mut shown.names,
            };
            *flag = !*flag;
            ViewChange::Viewport(shown)
        }
        Id::HoldLimb => ViewChange::Drag(held_toggled(app)),
        Id::ToggleRest | Id::ToggleRestChildren | Id::ToggleRestAnimation | Id::CycleSymmetry => {
            ViewChange::Rest(rest_switched(view.rest, id)?)
        }
        other => ViewChange::Drag(drag_switched(&view.drag, other)?),
    })
}

/// Another way of dragging, where a command is one.
fn drag_switched(now: &DragPrefs, id: Id) -> Option<DragPrefs> {
    let mut drag = now.clone();
    let flag = match id {
        Id::ToggleBodyHelp => &mut drag.help,
        Id::ToggleHoldFeet => &mut drag.hold_feet,
        Id::ToggleHoldHands => &mut drag.hold_hands,
        Id::ToggleBalance => &mut drag.balance,
        Id::ToggleGround => &mut drag.ground,
        Id::ToggleSoftReach => &mut drag.soft,
        Id::ToggleLimits => &mut drag.limits,
        Id::ToggleHandsInWorld => &mut drag.hands_in_world,
        Id::ToggleHeadLooks => &mut drag.head_looks,
        Id::ToggleSnapGrid => &mut drag.to_grid,
        Id::ReleaseLimbs => {
            drag.held.clear();
            return Some(drag);
        }
        _ => return None,
    };
    *flag = !*flag;
    Some(drag)
}

/// The selected joints held while others are dragged, or, where all of them are, let go.
fn held_toggled(app: &App) -> DragPrefs {
    let mut drag = app.state.view.drag.clone();
    let selected: Vec<_> = app.state.session.selection().targets.iter().filter_map(held_of).collect();
    if selected.iter().all(|joint| drag.held.contains(joint)) {
        drag.held.retain(|joint| !selected.contains(joint));
    } else {
        drag.held.extend(selected);
    }
    drag
}

const fn held_of(target: &crate::model::Target) -> Option<(crate::model::ObjectId, crate::model::JointId)> {
    match *target {
        crate::model::Target::Joint(object, joint) => Some((object, joint)),
        _ => None,
    }
}

/// The value after another in a list, round and round.
fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let index = all.iter().position(|value| *value == now).map_or(0, |index| index + 1);
    all.get(index % all.len().max(1)).copied().unwrap_or(now)
}
