//! The table of all commands. A new command is one row here, one line in `assets/text/command.en.yml` and its effect
//! (in `app/dispatch.rs`, or in the `run` of the panel that carries it out). One that only brings a panel, makes a deformer or gives
//! keys a kind says which after `=>`, and is complete with that.

use super::{
    Act, CommandSpec,
    Needs::{self, Keys, Nothing, Object, Redo, Rig, Selection, Undo, Unkeyed},
    PanelId::{self, DopeSheet, Graph, Outliner, Race, RotationLab, Timeline, Viewport},
    Section::{self, Add, Blend, Curve, Edit, File, Help, Pose, Shape, Skeleton, Time, View},
    Workspace,
};
use crate::{
    edit::HandleKind,
    model::{DeformerKind, Interpolation},
};

const fn row(
    id: CommandId,
    title: &'static str,
    place: (Section, &'static [PanelId], Needs),
    keys: [&'static str; 2],
    act: Option<Act>,
) -> CommandSpec {
    let (section, panels, needs) = place;
    CommandSpec { id, title, section, panels, needs, blender: keys[0], maya: keys[1], act }
}

macro_rules! act {
    () => {
        None
    };
    (Workspace $of:ident) => {
        Some(Act::Workspace(Workspace::$of))
    };
    (Panel $of:ident) => {
        Some(Act::Panel(PanelId::$of))
    };
    (Deformer $of:ident) => {
        Some(Act::Deformer(DeformerKind::$of))
    };
    (Interpolation $of:ident) => {
        Some(Act::Interpolation(Interpolation::$of))
    };
    (Handles $of:ident) => {
        Some(Act::Handles(HandleKind::$of))
    };
}

macro_rules! commands {
    ($($id:ident $name:literal $section:ident $panels:expr, $needs:ident, $blender:literal $maya:literal $(=> $act:ident $of:ident)?;)*) => {
        /// A command of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "each is explained by its title in the text table")]
        pub enum CommandId { $($id),* }

        impl CommandId {
            /// Its name in settings; stable.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name),* }
            }
        }

        /// All commands, in the order of the menus.
        pub const COMMANDS: &[CommandSpec] = &[$(
            row(CommandId::$id, concat!("command.", $name), ($section, &$panels, $needs), [$blender, $maya], act!($($act $of)?))
        ),*];
    };
}

commands! {
    // id, name, menu, panels (none: the program), needs, Blender-like keys, Maya-like keys, what it gives
    New "new" File [], Nothing, "Ctrl+N" "Ctrl+N";
    NewCharacterBiped "new_character_biped" File [], Nothing, "" "";
    NewCharacterQuadruped "new_character_quadruped" File [], Nothing, "" "";
    NewCharacterTentacle "new_character_tentacle" File [], Nothing, "" "";
    NewCharacterArm "new_character_arm" File [], Nothing, "" "";
    OpenSample "open_sample" File [], Nothing, "" "";
    OpenMoves "open_moves" File [], Nothing, "" "";
    OpenStand "open_sample_stand" File [], Nothing, "" "";
    OpenBounce "open_sample_bounce" File [], Nothing, "" "";
    OpenReach "open_sample_reach" File [], Nothing, "" "";
    OpenRace "open_sample_race" File [], Nothing, "" "";
    OpenArm "open_sample_arm" File [], Nothing, "" "";
    OpenTorso "open_sample_torso" File [], Nothing, "" "";
    OpenGait "open_sample_gait" File [], Nothing, "" "";
    OpenCaptured "open_sample_captured" File [], Nothing, "" "";
    Open "open" File [], Nothing, "Ctrl+O" "Ctrl+O";
    OpenLast "open_last" File [], Nothing, "Ctrl+Alt+O" "Ctrl+Alt+O";
    Import "import" File [], Nothing, "Ctrl+Shift+O" "Ctrl+Shift+O";
    ImportOnto "import_onto" File [], Rig, "" "";
    ImportClips "import_clips" File [], Rig, "" "";
    Save "save" File [], Nothing, "Ctrl+S" "Ctrl+S";
    SaveAs "save_as" File [], Nothing, "Ctrl+Shift+S" "Ctrl+Shift+S";
    ExportBeside "export_beside" File [], Nothing, "Ctrl+E" "Ctrl+E";
    ExportBvh "export_bvh" File [], Rig, "Ctrl+Shift+E" "Ctrl+Shift+E";
    ExportGltf "export_gltf" File [], Nothing, "Ctrl+Alt+E" "Ctrl+Alt+E";
    ExportObj "export_obj" File [], Nothing, "" "";
    Recover "recover" File [], Nothing, "" "";
    AddReference "add_reference" File [], Nothing, "" "";
    CompareWithFile "compare_with_file" File [], Nothing, "" "";
    LookAtReferences "look_at_references" File [], Nothing, "" "";
    Playblast "playblast" File [], Object, "" "";
    Quit "quit" File [], Nothing, "Ctrl+Q" "Ctrl+Q";

    Undo "undo" Edit [], Undo, "Ctrl+Z" "Ctrl+Z Z";
    Redo "redo" Edit [], Redo, "Ctrl+Shift+Z Ctrl+Y" "Ctrl+Shift+Z Shift+Z Ctrl+Y";
    SelectAll "select_all" Edit [Viewport, Graph, Outliner, DopeSheet, Timeline], Nothing, "A Ctrl+A" "Ctrl+Shift+A Ctrl+A";
    SelectNone "select_none" Edit [Viewport, Graph, Outliner, DopeSheet], Nothing, "Alt+A" "Alt+A";
    SelectInvert "select_invert" Edit [Viewport, Graph, Outliner, DopeSheet], Nothing, "Ctrl+I" "Ctrl+Shift+I";
    BoxSelect "box_select" Edit [Viewport], Nothing, "B" "";
    SelectParent "select_parent" Edit [Viewport, Outliner], Selection, "[" "Up";
    SelectChild "select_child" Edit [Viewport, Outliner], Selection, "]" "Down";
    ExtendParent "extend_parent" Edit [Viewport, Outliner], Selection, "Shift+[" "Shift+Up";
    ExtendChild "extend_child" Edit [Viewport, Outliner], Selection, "Shift+]" "Shift+Down";
    Palette "palette" Edit [], Nothing, "F3" "F3";
    Settings "settings" Edit [], Nothing, "Ctrl+," "Ctrl+,";

    SetKey "set_key" Pose [], Object, "I" "S";
    SetKeyWholePose "set_key_whole_pose" Pose [], Object, "Shift+I" "Shift+S";
    DeleteKey "delete_key" Pose [], Object, "Alt+I" "Alt+S";
    KeyWaiting "key_waiting" Pose [], Unkeyed, "" "";
    DiscardWaiting "discard_waiting" Pose [], Unkeyed, "" "";
    CycleAutoKey "cycle_auto_key" Pose [], Nothing, "" "";
    ClearTranslation "clear_translation" Pose [], Selection, "Alt+G" "";
    ClearRotation "clear_rotation" Pose [], Selection, "Alt+R" "";
    ClearScale "clear_scale" Pose [], Selection, "Alt+S" "";
    ClearToRest "clear_to_rest" Pose [], Selection, "" "";
    CopyPose "copy_pose" Pose [Viewport, Outliner], Rig, "Ctrl+C" "Ctrl+C";
    PastePose "paste_pose" Pose [Viewport, Outliner], Rig, "Ctrl+V" "Ctrl+V";
    PastePoseMirrored "paste_pose_mirrored" Pose [Viewport, Outliner], Rig, "Ctrl+Shift+V" "Ctrl+Shift+V";
    PastePosePart "paste_pose_part" Pose [Viewport, Outliner], Rig, "Ctrl+Alt+V" "Ctrl+Alt+V";
    MirrorPose "mirror_pose" Pose [Viewport, Outliner], Rig, "Ctrl+M" "Ctrl+M";
    MirrorClip "mirror_clip" Pose [], Rig, "" "";
    CycleInPlace "cycle_in_place" Pose [], Rig, "" "";
    CycleTravel "cycle_travel" Pose [], Rig, "" "";
    MirrorSelection "mirror_selection" Pose [Viewport, Outliner], Selection, "Ctrl+Shift+M" "Ctrl+Shift+M";
    AddPose "add_pose" Pose [], Rig, "" "";
    AddSelectionSet "add_selection_set" Pose [], Selection, "" "";
    DeleteSelected "delete_selected" Edit [Viewport, Outliner], Selection, "X Delete" "Delete";

    ToggleRest "toggle_rest" Skeleton [Viewport, Outliner], Rig, "Tab" "Tab";
    ToggleRestChildren "toggle_rest_children" Skeleton [], Rig, "" "";
    ToggleRestAnimation "toggle_rest_animation" Skeleton [], Rig, "" "";
    CycleSymmetry "cycle_symmetry" Skeleton [], Rig, "" "";
    GrabExtrude "grab_extrude" Skeleton [Viewport], Selection, "E" "";
    AddRootJoint "add_root_joint" Skeleton [], Rig, "" "";
    ExtrudeJoint "extrude_joint" Skeleton [], Selection, "" "";
    SplitBone "split_bone" Skeleton [], Selection, "" "";
    ReparentJoints "reparent_joints" Skeleton [], Selection, "" "";
    ReparentJointsStay "reparent_joints_stay" Skeleton [], Selection, "" "";
    UnparentJoints "unparent_joints" Skeleton [], Selection, "" "";
    MirrorJoints "mirror_joints" Skeleton [], Selection, "" "";
    RestFromPose "rest_from_pose" Skeleton [], Rig, "" "";
    RestFromPoseStays "rest_from_pose_stays" Skeleton [], Rig, "" "";
    MakeChain "chain_make" Skeleton [], Selection, "" "";
    KeyChain "key_chain" Skeleton [], Selection, "" "";
    MatchIkToFk "match_ik_to_fk" Skeleton [], Selection, "" "";
    MatchIkRange "match_ik_range" Skeleton [], Selection, "" "";
    MatchFkToIk "match_fk_to_ik" Skeleton [], Selection, "" "";
    MatchFkRange "match_fk_range" Skeleton [], Selection, "" "";
    BakeConstraints "bake_constraints" Skeleton [], Selection, "" "";
    SetDrivenKey "set_driven_key" Skeleton [], Selection, "" "";
    DeleteDrivers "delete_drivers" Skeleton [], Selection, "" "";
    ShowDrivers "show_drivers" View [], Nothing, "" "";
    DeleteJoints "delete_joints" Skeleton [], Selection, "" "";
    DeleteJointBranch "delete_joint_branch" Skeleton [], Selection, "" "";

    AddPath "add_path" Add [], Nothing, "" "";
    AddEmpty "add_empty" Add [], Nothing, "" "";
    AddCamera "add_camera" Add [], Nothing, "" "";
    CameraFromView "camera_from_view" Add [], Nothing, "Ctrl+Alt+0" "";
    AddLattice "add_lattice" Add [], Nothing, "" "";
    AddBend "add_bend" Add [], Nothing, "" "" => Deformer Bend;
    AddTwist "add_twist" Add [], Nothing, "" "" => Deformer Twist;
    AddTaper "add_taper" Add [], Nothing, "" "" => Deformer Taper;
    AddSquash "add_squash" Add [], Nothing, "" "" => Deformer Squash;
    AddShear "add_shear" Add [], Nothing, "" "" => Deformer Shear;
    AddWave "add_wave" Add [], Nothing, "" "" => Deformer Wave;
    AddBox "add_box" Add [], Nothing, "" "";
    AddSphere "add_sphere" Add [], Nothing, "" "";
    AddCylinder "add_cylinder" Add [], Nothing, "" "";
    AddCapsule "add_capsule" Add [], Nothing, "" "";
    AddTube "add_tube" Add [], Nothing, "" "";
    AddPlane "add_plane" Add [], Nothing, "" "";
    AddFace "add_face" Add [], Nothing, "" "";
    AddBulge "add_bulge" Add [], Nothing, "" "" => Deformer Bulge;
    AddWarp "add_warp" Add [], Nothing, "" "" => Deformer Warp;
    AddHead "add_head" Add [], Nothing, "" "";
    FollowPath "follow_path" Add [], Selection, "" "";
    PaceConstant "pace_constant" Add [], Selection, "" "";
    PaceEaseIn "pace_ease_in" Add [], Selection, "" "";
    PaceEaseOut "pace_ease_out" Add [], Selection, "" "";
    PaceEaseInOut "pace_ease_in_out" Add [], Selection, "" "";
    ClosePath "close_path" Add [], Selection, "Alt+C" "Alt+C";
    DividePath "divide_path" Add [], Selection, "" "";
    ReversePath "reverse_path" Add [], Selection, "" "";

    FitLattice "fit_lattice" Shape [], Selection, "" "";
    ResetLattice "reset_lattice" Shape [], Selection, "" "";
    FreezeToMesh "freeze_to_mesh" Shape [], Selection, "" "";
    FreezeToMorph "freeze_to_morph" Shape [], Selection, "" "";
    ToggleSoft "toggle_soft" Shape [Viewport], Nothing, "O" "";
    ToggleInfluence "toggle_influence" Shape [], Nothing, "" "";
    CycleMirror "cycle_mirror" Shape [], Nothing, "" "";
    ShowLatticeLab "show_lattice_lab" Shape [], Nothing, "" "" => Panel LatticeLab;
    ShowFaceBoard "show_face_board" Shape [], Nothing, "" "" => Panel FaceBoard;
    ShowWarpLab "show_warp_lab" Shape [], Nothing, "" "" => Panel WarpLab;
    AddFlexor "add_flexor" Shape [], Selection, "" "";
    KeyBounce "key_bounce" Shape [], Selection, "" "";
    SquashLandings "squash_landings" Shape [], Selection, "" "";
    ToolPull "tool_pull" Shape [], Nothing, "Alt+V" "";
    ToolMask "tool_mask" Shape [], Nothing, "" "";
    BindSkin "bind_skin" Shape [], Object, "" "";
    Unbind "unbind_skin" Shape [], Object, "" "";
    NormaliseWeights "normalise_weights" Shape [], Object, "" "";
    LimitWeights "limit_weights" Shape [], Object, "" "";
    MirrorWeights "mirror_weights" Shape [], Object, "" "";
    ToggleWeights "toggle_weights" Shape [], Nothing, "Alt+W" "Alt+W";
    ShowSkinLab "show_skin_lab" Shape [], Nothing, "" "" => Panel SkinLab;

    GrabMove "grab_move" Pose [Viewport, Graph], Selection, "G" "";
    GrabRotate "grab_rotate" Pose [Viewport], Selection, "R" "";
    GrabScale "grab_scale" Pose [Viewport], Selection, "S" "";
    RollHeel "roll_heel" Pose [Viewport], Selection, "Alt+F" "";
    RollBall "roll_ball" Pose [Viewport], Selection, "Ctrl+Alt+F" "";
    RollToe "roll_toe" Pose [Viewport], Selection, "Shift+F" "";
    ToolSelect "tool_select" Pose [], Nothing, "W" "Q";
    ToolDragLimb "tool_drag_limb" Pose [], Nothing, "D" "D";
    ToolMove "tool_move" Pose [], Nothing, "Shift+G" "W";
    ToolRotate "tool_rotate" Pose [], Nothing, "Shift+R" "E";
    ToolDrawPath "tool_draw_path" Pose [], Nothing, "Alt+D" "Alt+D";
    ToolPaintMask "tool_paint_mask" Pose [], Nothing, "" "";
    ToolPaintWeights "tool_paint_weights" Pose [], Nothing, "Alt+B" "Alt+B";
    CycleSpace "cycle_space" Pose [], Nothing, "," "";
    PinHere "pin_here" Pose [], Rig, "P" "P";
    PlantFeet "plant_feet" Pose [], Rig, "Shift+P" "Shift+P";
    PinWhereStill "pin_where_still" Pose [], Rig, "" "";
    SplitPin "split_pin" Pose [], Selection, "" "";
    KeyPin "key_pin" Pose [], Selection, "" "";
    Unpin "unpin" Pose [], Selection, "Alt+P" "Alt+P";
    HoldLimb "hold_limb" Pose [], Selection, "Shift+H" "";
    ReleaseLimbs "release_limbs" Pose [], Nothing, "" "";
    ToggleBodyHelp "toggle_body_help" Pose [], Nothing, "" "";
    ToggleHoldFeet "toggle_hold_feet" Pose [], Nothing, "" "";
    ToggleHoldHands "toggle_hold_hands" Pose [], Nothing, "" "";
    ToggleBalance "toggle_balance" Pose [], Nothing, "" "";
    ToggleGround "toggle_ground" Pose [], Nothing, "" "";
    ToggleSoftReach "toggle_soft_reach" Pose [], Nothing, "" "";
    ToggleLimits "toggle_limits" Pose [], Nothing, "" "";
    ToggleHandsInWorld "toggle_hands_in_world" Pose [], Nothing, "" "";
    ToggleHeadLooks "toggle_head_looks" Pose [], Nothing, "" "";
    ToggleSnapGrid "toggle_snap_grid" Pose [], Nothing, "" "";
    MergeCorrections "merge_corrections" Pose [], Nothing, "" "";
    KeepRotation "keep_rotation" Pose [RotationLab], Selection, "" "";
    StandUp "stand_up" Pose [], Rig, "" "";

    DeleteKeys "delete_keys" Curve [Graph, Timeline, DopeSheet], Keys, "X Delete" "Delete";
    DuplicateKeys "duplicate_keys" Curve [Graph], Keys, "Shift+D" "";
    CopyKeys "copy_keys" Curve [Graph, DopeSheet], Keys, "Ctrl+C" "Ctrl+C";
    PasteKeys "paste_keys" Curve [Graph, DopeSheet], Nothing, "Ctrl+V" "Ctrl+V";
    SnapKeys "snap_keys" Curve [Graph], Keys, "Shift+S" "";
    MirrorKeys "mirror_keys" Curve [Graph], Keys, "Ctrl+M" "";
    LevelKeys "level_keys" Curve [Graph], Keys, "" "";
    EulerFilter "euler_filter" Curve [Graph], Keys, "" "";
    InterpolationStep "interpolation_step" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Step;
    InterpolationLinear "interpolation_linear" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Linear;
    InterpolationBezier "interpolation_bezier" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Bezier;
    InterpolationCatmullRom "interpolation_catmull_rom" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation CatmullRom;
    InterpolationCardinal "interpolation_cardinal" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Cardinal;
    InterpolationTcb "interpolation_tcb" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Tcb;
    InterpolationNearest "interpolation_nearest" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Nearest;
    InterpolationHermite "interpolation_hermite" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Hermite;
    InterpolationSmoothstep "interpolation_smoothstep" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Smoothstep;
    InterpolationSmooth "interpolation_smooth" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Smooth;
    InterpolationSine "interpolation_sine" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Sine;
    InterpolationQuad "interpolation_quad" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Quad;
    InterpolationCubic "interpolation_cubic" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Cubic;
    InterpolationQuart "interpolation_quart" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Quart;
    InterpolationQuint "interpolation_quint" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Quint;
    InterpolationPower "interpolation_power" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Power;
    InterpolationExpo "interpolation_expo" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Expo;
    InterpolationCirc "interpolation_circ" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Circ;
    InterpolationCss "interpolation_css" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Css;
    InterpolationBack "interpolation_back" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Back;
    InterpolationElastic "interpolation_elastic" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Elastic;
    InterpolationBounce "interpolation_bounce" Curve [Graph, DopeSheet], Keys, "" "" => Interpolation Bounce;
    SimplifyCurves "simplify_curves" Curve [Graph], Keys, "" "";
    BakeCurves "bake_curves" Curve [Graph], Keys, "" "";
    SmoothKeys "smooth_keys" Curve [Graph], Keys, "" "";
    FlattenKeys "flatten_keys" Curve [Graph], Keys, "" "";
    ConvertBezier "convert_bezier" Curve [Graph], Keys, "" "";
    ConvertHermite "convert_hermite" Curve [Graph], Keys, "" "";
    ChebyshevKeys "chebyshev_keys" Curve [Graph], Keys, "" "";
    RippleInsert "ripple_insert" Curve [Graph], Nothing, "" "";
    RippleDelete "ripple_delete" Curve [Graph], Keys, "" "";
    Anticipate "anticipate" Curve [Graph], Keys, "" "";
    Exaggerate "exaggerate" Curve [Graph], Keys, "" "";
    OverlapKeys "overlap_keys" Curve [Graph], Keys, "" "";
    CompareTiming "compare_timing" Curve [Race], Nothing, "" "";
    ModifierNoise "modifier_noise" Curve [Graph], Nothing, "" "";
    ModifierCycles "modifier_cycles" Curve [Graph], Nothing, "" "";
    ModifierLimits "modifier_limits" Curve [Graph], Nothing, "" "";
    ModifierStepped "modifier_stepped" Curve [Graph], Nothing, "" "";
    ModifierSmoothing "modifier_smoothing" Curve [Graph], Nothing, "" "";
    ModifiersApply "modifiers_apply" Curve [Graph], Nothing, "" "";
    ModifiersRemove "modifiers_remove" Curve [Graph], Nothing, "" "";
    SchemePerKey "scheme_per_key" Curve [Graph], Nothing, "" "";
    SchemeNatural "scheme_natural" Curve [Graph], Nothing, "" "";
    SchemeClamped "scheme_clamped" Curve [Graph], Nothing, "" "";
    SchemeNotAKnot "scheme_not_a_knot" Curve [Graph], Nothing, "" "";
    SchemePeriodic "scheme_periodic" Curve [Graph], Nothing, "" "";
    SchemeMonotone "scheme_monotone" Curve [Graph], Nothing, "" "";
    SchemeLagrange "scheme_lagrange" Curve [Graph], Nothing, "" "";
    MakeC0 "make_c0" Curve [Graph], Keys, "" "";
    MakeC1 "make_c1" Curve [Graph], Keys, "" "";
    MakeC2 "make_c2" Curve [Graph], Keys, "" "";
    PlotVelocity "plot_velocity" Curve [Graph], Nothing, "" "";
    PlotAcceleration "plot_acceleration" Curve [Graph], Nothing, "" "";
    PlotBadges "plot_badges" Curve [Graph], Nothing, "" "";
    PlotNormalised "plot_normalised" Curve [Graph], Nothing, "" "";
    PlotFollow "plot_follow" Curve [Graph], Nothing, "" "";
    CurveTools "curve_tools" Curve [Graph], Nothing, "" "";
    MuteCurves "mute_curves" Curve [Graph], Nothing, "Shift+M" "Shift+M";
    LockCurves "lock_curves" Curve [Graph], Nothing, "Shift+L" "Shift+L";
    IsolateCurves "isolate_curves" Curve [Graph], Nothing, "Shift+Q" "Shift+Q";
    ShowCurves "show_curves" Curve [Graph], Nothing, "Alt+Q" "Alt+Q";
    RotationNlerp "rotation_nlerp" Curve [Graph], Keys, "" "";
    RotationSlerp "rotation_slerp" Curve [Graph], Keys, "" "";
    RotationSquad "rotation_squad" Curve [Graph], Keys, "" "";
    RotationCubic "rotation_cubic" Curve [Graph], Keys, "" "";
    RotationAsQuaternion "rotation_as_quaternion" Curve [Graph], Nothing, "" "";
    RotationAsXyz "rotation_as_xyz" Curve [Graph], Nothing, "" "";
    RotationAsXzy "rotation_as_xzy" Curve [Graph], Nothing, "" "";
    RotationAsYxz "rotation_as_yxz" Curve [Graph], Nothing, "" "";
    RotationAsYzx "rotation_as_yzx" Curve [Graph], Nothing, "" "";
    RotationAsZxy "rotation_as_zxy" Curve [Graph], Nothing, "" "";
    RotationAsZyx "rotation_as_zyx" Curve [Graph], Nothing, "" "";
    HandlesAuto "handles_auto" Curve [Graph], Keys, "" "" => Handles Auto;
    HandlesAutoClamped "handles_auto_clamped" Curve [Graph], Keys, "" "" => Handles AutoClamped;
    HandlesVector "handles_vector" Curve [Graph], Keys, "" "" => Handles Vector;
    HandlesAligned "handles_aligned" Curve [Graph], Keys, "" "" => Handles Aligned;
    HandlesFree "handles_free" Curve [Graph], Keys, "" "" => Handles Free;
    SelectKeysBefore "select_keys_before" Curve [Graph, DopeSheet], Nothing, "[" "[";
    SelectKeysAfter "select_keys_after" Curve [Graph, DopeSheet], Nothing, "]" "]";
    SelectPreviousKey "select_previous_key" Curve [Graph, DopeSheet], Nothing, "Ctrl+Left" "Ctrl+Left";
    SelectNextKey "select_next_key" Curve [Graph, DopeSheet], Nothing, "Ctrl+Right" "Ctrl+Right";
    ExtendPreviousKey "extend_previous_key" Curve [Graph, DopeSheet], Nothing, "Ctrl+Shift+Left" "Ctrl+Shift+Left";
    ExtendNextKey "extend_next_key" Curve [Graph, DopeSheet], Nothing, "Ctrl+Shift+Right" "Ctrl+Shift+Right";
    SelectPreviousCurve "select_previous_curve" Curve [Graph], Nothing, "Ctrl+Up" "Ctrl+Up";
    SelectNextCurve "select_next_curve" Curve [Graph], Nothing, "Ctrl+Down" "Ctrl+Down";
    NudgeKeysLeft "nudge_keys_left" Curve [Graph, DopeSheet], Keys, "Alt+Left" "Alt+Left";
    NudgeKeysRight "nudge_keys_right" Curve [Graph, DopeSheet], Keys, "Alt+Right" "Alt+Right";
    NudgeKeysUp "nudge_keys_up" Curve [Graph], Keys, "Alt+Up" "Alt+Up";
    NudgeKeysDown "nudge_keys_down" Curve [Graph], Keys, "Alt+Down" "Alt+Down";
    InterpolationMenu "interpolation_menu" Curve [Graph], Keys, "T" "";
    HandlesMenu "handles_menu" Curve [Graph], Keys, "V" "";
    SavePlot "save_plot" Curve [Graph], Nothing, "" "";
    CopyPlot "copy_plot" Curve [Graph], Nothing, "" "";
    KindKey "kind_key" Curve [], Keys, "" "";
    KindBreakdown "kind_breakdown" Curve [], Keys, "" "";
    KindExtreme "kind_extreme" Curve [], Keys, "" "";
    KindHold "kind_hold" Curve [], Keys, "" "";
    ToggleSnapFrames "toggle_snap_frames" Curve [], Nothing, "Shift+Tab" "X";

    ShowBlendSpace "show_blend_space" Blend [], Nothing, "" "" => Panel BlendSpace;
    AddSpaceLine "add_space_line" Blend [], Nothing, "" "";
    AddSpacePlane "add_space_plane" Blend [], Nothing, "" "";

    PlayPause "play_pause" Time [], Nothing, "Space" "Alt+V";
    PlayBackward "play_backward" Time [], Nothing, "J" "J";
    StopPlaying "stop_playing" Time [], Nothing, "K" "K";
    PlayForward "play_forward" Time [], Nothing, "L" "L";
    StepBack "step_back" Time [], Nothing, "Left" "Alt+,";
    StepForward "step_forward" Time [], Nothing, "Right" "Alt+.";
    PreviousKey "previous_key" Time [], Nothing, "Down" ",";
    NextKey "next_key" Time [], Nothing, "Up" ".";
    FirstFrame "first_frame" Time [], Nothing, "Shift+Left" "Alt+Shift+V";
    LastFrame "last_frame" Time [], Nothing, "Shift+Right" "";
    RangeStartHere "range_start_here" Time [], Nothing, "" "";
    RangeEndHere "range_end_here" Time [], Nothing, "" "";
    RangeFromKeys "range_from_keys" Time [], Keys, "" "";
    AddMarker "add_marker" Time [], Nothing, "M" "";
    DeleteMarker "delete_marker" Time [], Nothing, "" "";
    PreviousMarker "previous_marker" Time [], Nothing, "" "";
    NextMarker "next_marker" Time [], Nothing, "" "";
    RangeFromClip "range_from_clip" Time [], Nothing, "Ctrl+Alt+P" "";
    FlipKeys "flip_keys" Time [], Object, "F" "Shift+F";
    InsertTime "insert_time" Time [], Object, "" "";
    RemoveTime "remove_time" Time [], Object, "" "";
    ToggleBars "toggle_bars" Time [], Nothing, "" "";
    ToggleStepped "toggle_stepped" Time [], Nothing, "" "";
    CycleHold "cycle_hold" Time [], Nothing, "" "";
    CycleNewKeys "cycle_new_keys" Time [], Nothing, "" "";
    ToggleLoop "toggle_loop" Time [], Nothing, "" "";
    ToggleDropFrames "toggle_drop_frames" Time [], Nothing, "" "";

    FrameAll "frame_all" View [Viewport, Graph, Timeline, DopeSheet], Nothing, "Home" "A";
    FrameSelected "frame_selected" View [Viewport, Graph, Timeline, DopeSheet], Nothing, "." "F";
    FramePlayhead "frame_playhead" View [Graph, Timeline, DopeSheet], Nothing, "0" "";
    ViewFront "view_front" View [Viewport], Nothing, "1" "";
    ViewBack "view_back" View [Viewport], Nothing, "Ctrl+1" "";
    ViewRight "view_right" View [Viewport], Nothing, "3" "";
    ViewLeft "view_left" View [Viewport], Nothing, "Ctrl+3" "";
    ViewTop "view_top" View [Viewport], Nothing, "7" "";
    ViewBottom "view_bottom" View [Viewport], Nothing, "Ctrl+7" "";
    LookThrough "look_through" View [], Nothing, "Shift+0" "Shift+0";
    TogglePerspective "toggle_perspective" View [Viewport], Nothing, "5" "";
    Hide "hide" View [], Selection, "H" "Ctrl+H";
    ShowAll "show_all" View [], Nothing, "Alt+H" "Shift+H";
    Isolate "isolate" View [], Nothing, "/" "Ctrl+1";
    ToggleGrid "toggle_grid" View [], Nothing, "" "";
    ToggleBones "toggle_bones" View [], Nothing, "" "";
    ToggleMannequin "toggle_mannequin" View [], Nothing, "" "";
    ToggleMesh "toggle_mesh" View [], Nothing, "" "";
    ToggleOnion "toggle_onion" View [], Nothing, "Shift+O" "Shift+O";
    ToggleTrail "toggle_trail" View [Viewport], Nothing, "Shift+T" "Shift+T";
    ClearTrails "clear_trails" View [], Nothing, "Alt+T" "Alt+T";
    ToggleNames "toggle_names" View [], Nothing, "" "";
    ToggleFollow "toggle_follow" View [], Nothing, "" "";
    ToggleTheme "toggle_theme" View [], Nothing, "" "";
    NextPanel "next_panel" View [], Nothing, "F6" "F6";
    PreviousPanel "previous_panel" View [], Nothing, "Shift+F6" "Shift+F6";
    NextTab "next_tab" View [], Nothing, "Ctrl+Tab" "Ctrl+Tab";
    PreviousTab "previous_tab" View [], Nothing, "Ctrl+Shift+Tab" "Ctrl+Shift+Tab";
    WorkspacePose "workspace_pose" View [], Nothing, "" "" => Workspace Pose;
    WorkspaceCurves "workspace_curves" View [], Nothing, "" "" => Workspace Curves;
    WorkspaceShape "workspace_shape" View [], Nothing, "" "" => Workspace Shape;
    WorkspaceBlend "workspace_blend" View [], Nothing, "" "" => Workspace Blend;
    WorkspaceLab "workspace_lab" View [], Nothing, "" "" => Workspace Lab;
    PreviousWorkspace "previous_workspace" View [], Nothing, "Ctrl+PageUp" "Ctrl+PageUp";
    NextWorkspace "next_workspace" View [], Nothing, "Ctrl+PageDown" "Ctrl+PageDown";
    PanelViewport "panel_viewport" View [], Nothing, "" "" => Panel Viewport;
    PanelGraph "panel_graph" View [], Nothing, "" "" => Panel Graph;
    PanelDopeSheet "panel_dope_sheet" View [], Nothing, "" "" => Panel DopeSheet;
    PanelTimeline "panel_timeline" View [], Nothing, "" "" => Panel Timeline;
    PanelSpacing "panel_spacing" View [], Nothing, "" "" => Panel Spacing;
    PanelRace "panel_race" View [], Nothing, "" "" => Panel Race;
    PanelArcLab "panel_arc_lab" View [], Nothing, "" "" => Panel ArcLab;
    PanelOutliner "panel_outliner" View [], Nothing, "" "" => Panel Outliner;
    PanelInspector "panel_inspector" View [], Nothing, "" "" => Panel Inspector;
    PanelPoses "panel_poses" View [], Nothing, "" "" => Panel Poses;
    PanelHistory "panel_history" View [], Nothing, "" "" => Panel History;
    PanelLog "panel_log" View [], Nothing, "" "" => Panel Log;
    ShowFkLab "show_fk_lab" View [], Nothing, "" "" => Panel FkLab;
    ShowSolverLab "show_solver_lab" View [], Nothing, "" "" => Panel SolverLab;
    ShowRotationLab "show_rotation_lab" View [], Nothing, "" "" => Panel RotationLab;
    ShowClips "show_clips" View [], Nothing, "" "" => Panel Clips;
    ShowLayers "show_layers" View [], Nothing, "" "" => Panel Layers;
    ShowTransitionLab "show_transition_lab" View [], Nothing, "" "" => Panel TransitionLab;
    ShowPoseLab "show_pose_lab" View [], Nothing, "" "" => Panel PoseLab;
    ShowRetarget "show_retarget" View [], Nothing, "" "" => Panel Retarget;
    ResetLayout "reset_layout" View [], Nothing, "" "";

    ShowStart "show_start" Help [], Nothing, "" "";
    Tour "tour" Help [], Nothing, "" "";
    ShowShortcuts "show_shortcuts" Help [], Nothing, "F1" "F1";
    About "about" Help [], Nothing, "" "";
}
