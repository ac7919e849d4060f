//! What is shown and how: saved in the settings, never undone. Changed by [`ViewChange`]s only.

pub use super::{drag_prefs::DragPrefs, new_keys::NewKeys, tool_id::ToolId};

use super::{
    blend_space::BlendView, brush_prefs::BrushPrefs, camera::OrbitCamera, curve_view::CurveView, drive::DriveDesk,
    onion::OnionSkin, plot_view::PlotRange, point_prefs::PointPrefs, race::RaceView, reference::ReferenceView,
    rest_mode::RestMode, retarget::RetargetDesk, timing::TimingView, trails::TrailOptions, warp::WarpDesk,
};
use crate::{
    edit::{AutoKey, Ground},
    math::Vec3,
    model::{EasePreset, FrameRange, FrameRate, JointId, ObjectId},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// Keys and mouse buttons as another program has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Profile {
    /// As in Blender: the middle button turns the view.
    #[default]
    BlenderLike,
    /// As in Maya: Alt and the left button turn the view.
    MayaLike,
    /// Keys as in Blender; Alt-drag turns and Shift-drag pans the view: for trackpads and tablets.
    NoMiddle,
}

impl Profile {
    /// All profiles, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::BlenderLike, Self::MayaLike, Self::NoMiddle];

    /// The text key of the profile's name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::BlenderLike => "profile.blender_like",
            Self::MayaLike => "profile.maya_like",
            Self::NoMiddle => "profile.no_middle",
        }
    }
}

/// Whether and which way the time runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playback {
    /// It stands.
    #[default]
    Stopped,
    /// It runs on.
    Forward,
    /// It runs back.
    Backward,
}

/// What playback does when a frame takes longer than it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DropPolicy {
    /// Frames are left out, so that the speed is right.
    #[default]
    DropFrames,
    /// Every frame is shown, later if need be.
    EveryFrame,
}

/// How tension, continuity and bias, -1..1, are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TcbScale {
    /// As they are.
    #[default]
    Unit,
    /// From 0 to 50 about 25, as 3ds Max has them.
    Fifty,
}

impl TcbScale {
    /// The number shown.
    #[must_use]
    pub fn shown(self, own: f64) -> f64 {
        match self {
            Self::Unit => own,
            Self::Fifty => 25.0 * own + 25.0,
        }
    }

    /// The number that is shown so, brought into -1..1.
    #[must_use]
    pub fn own(self, shown: f64) -> f64 {
        let own = match self {
            Self::Unit => shown,
            Self::Fifty => (shown - 25.0) / 25.0,
        };
        own.clamp(-1.0, 1.0)
    }
}

/// The axes along which a gizmo moves and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TransformSpace {
    /// The joint's own axes.
    #[default]
    Local,
    /// Those of its parent.
    Parent,
    /// The world's.
    World,
}

impl TransformSpace {
    /// All spaces, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Local, Self::Parent, Self::World];
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThemeChoice {
    /// Light marks on a dark ground.
    #[default]
    Dark,
    /// Dark marks on a light ground.
    Light,
}

/// What the 3D view draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewportOptions {
    /// The ground grid and the axes.
    pub grid: bool,
    /// Bones and joints over the character.
    pub bones: bool,
    /// The solid mannequin, where a rig has no mesh for a body.
    pub mannequin: bool,
    /// Meshes.
    pub mesh: bool,
    /// The name of what the pointer is over.
    pub names: bool,
    /// How much the selected points of a lattice move each part of a mesh.
    pub influence: bool,
    /// How much of each mesh follows the selected joint.
    pub weights: bool,
    /// Whether the view goes over the ground with the character.
    pub follow: bool,
}

impl Default for ViewportOptions {
    fn default() -> Self {
        Self {
            grid: true,
            bones: true,
            mannequin: true,
            mesh: true,
            names: true,
            influence: false,
            weights: false,
            follow: false,
        }
    }
}

/// What moves onto whole frames or round values while it is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SnapOptions {
    /// Keys and the playhead move onto frames.
    pub frames: bool,
    /// Keys' values move onto the graph's grid.
    pub values: bool,
}

impl Default for SnapOptions {
    fn default() -> Self {
        Self { frames: true, values: false }
    }
}

/// What is shown and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewState {
    /// Where the 3D view is seen from.
    pub camera: OrbitCamera,
    /// How far the view has gone with the character, metres: what turns the view by a drag counts from where it is now.
    #[serde(skip)]
    pub carried: Vec3,
    /// The time shown, seconds: the playhead.
    #[serde(skip)]
    pub secs: f64,
    /// Whether and which way the time runs.
    #[serde(skip)]
    pub playback: Playback,
    /// Playing speed, [`ViewState::SPEED`]; 1 is as it is.
    pub speed: f64,
    /// How many frames are put in or taken out at once, [`ViewState::TIME_FRAMES`].
    pub time_frames: u32,
    /// Whether playing starts again at the range's end.
    pub looping: bool,
    /// What playback does when it is late.
    pub drop_policy: DropPolicy,
    /// What posing writes.
    pub auto_key: AutoKey,
    /// How the segments that start at new keys run.
    pub new_keys: NewKeys,
    /// The user's own eases, kept in a file of their own.
    #[serde(skip)]
    pub eases: Arc<Vec<EasePreset>>,
    /// How tension, continuity and bias are shown.
    pub tcb_scale: TcbScale,
    /// Whether every keyed pose is shown held until the next. Shown only: nothing is keyed, baked or exported so.
    #[serde(skip)]
    pub stepped: bool,
    /// How many frames each pose is held while playing, [`ViewState::HOLD`]: 2 is on twos. Shown only.
    #[serde(skip)]
    pub hold: u32,
    /// The tool in hand.
    pub tool: ToolId,
    /// The axes of the gizmos.
    pub space: TransformSpace,
    /// Keys and mouse buttons.
    pub profile: Profile,
    /// Light or dark.
    pub theme: ThemeChoice,
    /// What the 3D view draws.
    pub viewport: ViewportOptions,
    /// What is seen of other times.
    pub onion: OnionSkin,
    /// How trails are shown.
    pub trails: TrailOptions,
    /// The joints whose trails are shown.
    #[serde(skip)]
    pub trailed: BTreeSet<(ObjectId, JointId)>,
    /// What snaps.
    pub snap: SnapOptions,
    /// How dragging a body works.
    pub drag: DragPrefs,
    /// How points of lattices are moved together.
    pub points: PointPrefs,
    /// The weight brush.
    pub brush: BrushPrefs,
    /// Whether the rest pose is shown and edited.
    pub rest: RestMode,
    /// How near a path that is drawn freehand stays to the stroke, points on the screen, [`ViewState::DRAW_WITHIN`].
    pub draw_within: f64,
    /// Where a figure stands that takes a pose of the library.
    pub pose_ground: Ground,
    /// Whether the timeline shows the bars of pins and corrections.
    pub bars: bool,
    /// The part of the graph that is seen; none until it has been framed.
    #[serde(skip)]
    pub graph: Option<PlotRange>,
    /// The frames the timeline shows, not rounded; none to follow the play range.
    #[serde(skip)]
    pub timeline: Option<(f64, f64)>,
    /// A path on which the view shows dots at equal parameters and at equal distances, and how many ways between them.
    #[serde(skip)]
    pub path_dots: Option<(ObjectId, u32)>,
    /// Where in the box of a lattice the vertex under the pointer is, 0..1 along each axis.
    #[serde(skip)]
    pub probed: Option<(ObjectId, [f64; 3])>,
    /// A vertex of a mesh whose weights are shown as numbers.
    #[serde(skip)]
    pub weighed: Option<(ObjectId, usize)>,
    /// The camera object the 3D view looks through; none for its own camera.
    #[serde(skip)]
    pub through: Option<ObjectId>,
    /// Which curves are seen and which cannot be edited.
    #[serde(skip)]
    pub curves: CurveView,
    /// The schemes that race on the curves in question.
    #[serde(skip)]
    pub race: RaceView,
    /// The lengths an action is compared at.
    #[serde(skip)]
    pub timing: TimingView,
    /// What the present is compared with.
    #[serde(skip)]
    pub reference: ReferenceView,
    /// What lies ready to be brought to a character.
    #[serde(skip)]
    pub retarget: RetargetDesk,
    /// The pictures of the warp lab.
    #[serde(skip)]
    pub warp: WarpDesk,
    /// What is laid ready to be driven.
    #[serde(skip)]
    pub drive: DriveDesk,
    /// What the editor of blend spaces shows.
    #[serde(skip)]
    pub blend: BlendView,
    /// The only objects shown; none shows all that are not hidden.
    #[serde(skip)]
    pub isolated: Option<BTreeSet<ObjectId>>,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            carried: Vec3::zeros(),
            secs: 0.0,
            playback: Playback::Stopped,
            speed: 1.0,
            time_frames: 1,
            looping: true,
            drop_policy: DropPolicy::default(),
            pose_ground: Ground::default(),
            auto_key: AutoKey::default(),
            new_keys: NewKeys::default(),
            eases: Arc::default(),
            tcb_scale: TcbScale::default(),
            stepped: false,
            hold: 1,
            tool: ToolId::default(),
            space: TransformSpace::default(),
            profile: Profile::default(),
            theme: ThemeChoice::default(),
            viewport: ViewportOptions::default(),
            onion: OnionSkin::default(),
            trails: TrailOptions::default(),
            trailed: BTreeSet::new(),
            snap: SnapOptions::default(),
            drag: DragPrefs::default(),
            points: PointPrefs::default(),
            brush: BrushPrefs::default(),
            rest: RestMode::default(),
            draw_within: 4.0,
            bars: true,
            graph: None,
            timeline: None,
            path_dots: None,
            probed: None,
            weighed: None,
            through: None,
            curves: CurveView::default(),
            race: RaceView::default(),
            timing: TimingView::default(),
            reference: ReferenceView::default(),
            retarget: RetargetDesk::default(),
            warp: WarpDesk::default(),
            drive: DriveDesk::default(),
            blend: BlendView::default(),
            isolated: None,
        }
    }
}

/// One change of what is shown. Values out of range are clamped, non-finite ones ignored.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewChange {
    /// Sees the 3D view from elsewhere.
    Camera(OrbitCamera),
    /// Shows another time, seconds.
    Time(f64),
    /// Starts or stops the time.
    Playback(Playback),
    /// Sets the playing speed.
    Speed(f64),
    /// Sets whether playing starts again at the range's end.
    Looping(bool),
    /// Sets what playback does when it is late.
    DropPolicy(DropPolicy),
    /// Sets where a figure stands that takes a pose of the library.
    PoseGround(Ground),
    /// Says where in the box of a lattice the vertex under the pointer is.
    Probed(Option<(ObjectId, [f64; 3])>),
    /// Sets how points of lattices are moved together.
    Points(PointPrefs),
    /// Sets the weight brush.
    Brush(BrushPrefs),
    /// Chooses a vertex of a mesh whose weights are shown as numbers; none again.
    WeighedVertex(Option<(ObjectId, usize)>),
    /// Sets what posing writes.
    AutoKey(AutoKey),
    /// Sets how the segments that start at new keys run.
    NewKeys(NewKeys),
    /// Sets how tension, continuity and bias are shown.
    TcbScale(TcbScale),
    /// Sets how many frames are put in or taken out at once.
    TimeFrames(u32),
    /// Sets whether every keyed pose is shown held until the next.
    Stepped(bool),
    /// Sets how many frames each pose is held while playing.
    Hold(u32),
    /// Takes a tool in hand.
    Tool(ToolId),
    /// Sets the axes of the gizmos.
    Space(TransformSpace),
    /// Sets keys and mouse buttons.
    Profile(Profile),
    /// Sets light or dark.
    Theme(ThemeChoice),
    /// Sets what the 3D view draws.
    Viewport(ViewportOptions),
    /// Sets what is seen of other times.
    Onion(OnionSkin),
    /// Sets how trails are shown.
    Trails(TrailOptions),
    /// Shows the trails of these joints and no others.
    Trailed(BTreeSet<(ObjectId, JointId)>),
    /// Sets what snaps.
    Snap(SnapOptions),
    /// Sets how dragging a body works.
    Drag(DragPrefs),
    /// Shows the rest pose or what plays, and sets what goes with a change of it.
    Rest(RestMode),
    /// Sets how near a path that is drawn freehand stays to the stroke, points.
    DrawWithin(f64),
    /// Sets whether the timeline shows the bars of pins and corrections.
    Bars(bool),
    /// Shows another part of the graph.
    Graph(PlotRange),
    /// Shows other frames in the timeline; none follows the play range.
    Timeline(Option<(f64, f64)>),
    /// Shows dots at equal parameters and equal distances on a path, and how many ways between them; none shows none.
    PathDots(Option<(ObjectId, u32)>),
    /// Looks through a camera object; none for the view's own camera.
    Through(Option<ObjectId>),
    /// Hides, shows, locks and frees curves.
    Curves(CurveView),
    /// Races other schemes.
    Race(RaceView),
    /// Compares an action at other lengths.
    Timing(TimingView),
    /// Compares the present with something else.
    Reference(ReferenceView),
    /// Lays something ready to be brought to a character.
    Retarget(RetargetDesk),
    /// Warps other pictures.
    Warp(WarpDesk),
    /// Lays something ready to be driven, or shows drivers in the graph.
    Drive(DriveDesk),
    /// Shows another blend space, or more or less of it.
    Blend(BlendView),
    /// Shows only some objects; none shows all that are not hidden.
    Isolate(Option<BTreeSet<ObjectId>>),
}

impl ViewState {
    /// The slowest and the fastest playing speed.
    pub const SPEED: (f64, f64) = (0.1, 2.0);
    /// The nearest and the furthest a path drawn freehand stays to the stroke, points.
    pub const DRAW_WITHIN: (f64, f64) = (0.5, 40.0);
    /// The fewest and the most frames that are put in or taken out at once.
    pub const TIME_FRAMES: (u32, u32) = (1, 10_000);
    /// The fewest and the most frames a pose is held while playing.
    pub const HOLD: (u32, u32) = (1, 4);
    /// The fewest and the most frames the timeline shows.
    pub const TIMELINE_FRAMES: (f64, f64) = (2.0, 1e7);

    /// The frame shown, rounded.
    #[must_use]
    pub fn frame(&self, rate: FrameRate) -> i64 {
        rate.nearest_frame(self.secs)
    }

    /// The time whose pose is shown: while playing on twos (threes, fours) that of the last frame that starts a hold.
    #[must_use]
    pub fn shown_secs(&self, rate: FrameRate, range: FrameRange) -> f64 {
        let hold = i64::from(self.hold.max(1));
        if hold == 1 || !self.is_playing() {
            return self.secs;
        }
        let into = self.frame(rate).saturating_sub(range.first);
        rate.secs(range.first.saturating_add(into - into.rem_euclid(hold)))
    }

    /// Whether the time runs.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.playback != Playback::Stopped
    }

    /// Whether an object is left out because others are isolated.
    #[must_use]
    pub fn is_isolated_away(&self, object: ObjectId) -> bool {
        self.isolated.as_ref().is_some_and(|shown| !shown.contains(&object))
    }

    /// Makes a change.
    pub fn apply(&mut self, change: ViewChange) {
        match change {
            ViewChange::Camera(camera) => (self.camera, self.through) = (camera, None),
            ViewChange::Time(secs) if secs.is_finite() => self.secs = secs,
            ViewChange::Playback(playback) => self.playback = playback,
            ViewChange::Speed(speed) if speed.is_finite() => self.speed = speed.clamp(Self::SPEED.0, Self::SPEED.1),
            ViewChange::Looping(looping) => self.looping = looping,
            ViewChange::DropPolicy(policy) => self.drop_policy = policy,
            ViewChange::PoseGround(ground) => self.pose_ground = ground,
            ViewChange::Probed(probed) => self.probed = probed,
            ViewChange::Points(points) => self.points = points.sound(),
            ViewChange::Brush(brush) => self.brush = brush.sound(),
            ViewChange::WeighedVertex(vertex) => self.weighed = vertex,
            ViewChange::AutoKey(auto_key) => self.auto_key = auto_key,
            ViewChange::NewKeys(kind) => self.new_keys = kind,
            ViewChange::TcbScale(scale) => self.tcb_scale = scale,
            ViewChange::TimeFrames(frames) => {
                self.time_frames = frames.clamp(Self::TIME_FRAMES.0, Self::TIME_FRAMES.1);
            }
            ViewChange::Stepped(stepped) => self.stepped = stepped,
            ViewChange::Hold(frames) => self.hold = frames.clamp(Self::HOLD.0, Self::HOLD.1),
            ViewChange::Tool(tool) => self.tool = tool,
            ViewChange::Space(space) => self.space = space,
            ViewChange::Profile(profile) => self.profile = profile,
            ViewChange::Theme(theme) => self.theme = theme,
            ViewChange::Viewport(options) => self.viewport = options,
            ViewChange::Trails(trails) => self.trails = trails.sane(),
            ViewChange::Trailed(joints) => self.trailed = joints,
            ViewChange::Onion(onion) => self.onion = onion.sane(),
            ViewChange::Snap(options) => self.snap = options,
            ViewChange::Drag(prefs) => self.drag = prefs,
            ViewChange::Rest(rest) => self.rest = rest,
            ViewChange::DrawWithin(points) if points.is_finite() => {
                self.draw_within = points.clamp(Self::DRAW_WITHIN.0, Self::DRAW_WITHIN.1);
            }
            ViewChange::Bars(shown) => self.bars = shown,
            ViewChange::Graph(range) => self.graph = Some(range),
            ViewChange::Timeline(range) => self.timeline = range.and_then(sound_frames),
            ViewChange::PathDots(dots) => self.path_dots = dots,
            ViewChange::Through(camera) => self.through = camera,
            ViewChange::Reference(reference) => self.reference = reference,
            ViewChange::Retarget(desk) => self.retarget = desk,
            ViewChange::Warp(desk) => self.warp = desk,
            ViewChange::Curves(curves) => self.curves = curves,
            ViewChange::Drive(desk) => self.drive = desk,
            ViewChange::Race(mut race) => {
                race.entrants.truncate(RaceView::MOST);
                self.race = race;
            }
            ViewChange::Timing(timing) => self.timing = timing.sane(),
            ViewChange::Blend(blend) => self.blend = blend,
            ViewChange::Isolate(objects) => self.isolated = objects.filter(|objects| !objects.is_empty()),
            ViewChange::Time(_) | ViewChange::Speed(_) | ViewChange::DrawWithin(_) => {}
        }
    }
}

/// A timeline range of a length that can be drawn; none where it cannot be mended.
fn sound_frames((first, last): (f64, f64)) -> Option<(f64, f64)> {
    let len = last - first;
    if !len.is_finite() || first.abs() > 1e12 {
        return None;
    }
    let len = len.clamp(ViewState::TIMELINE_FRAMES.0, ViewState::TIMELINE_FRAMES.1);
    Some((first, first + len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_twos_every_other_frame_holds_while_playing_only() {
        let (rate, range) = (FrameRate::FPS_24, FrameRange::new(1, 9));
        let mut view = ViewState { hold: 2, ..ViewState::default() };
        let mut shown = |frame: i64, playback| {
            view.secs = rate.secs(frame);
            view.playback = playback;
            rate.nearest_frame(view.shown_secs(rate, range))
        };
        assert_eq!([1, 2, 3, 4, 5].map(|frame| shown(frame, Playback::Forward)), [1, 1, 3, 3, 5]);
        assert_eq!([-1, 0].map(|frame| shown(frame, Playback::Forward)), [-1, -1]);
        assert_eq!([1, 2, 3].map(|frame| shown(frame, Playback::Stopped)), [1, 2, 3]);
    }

    #[test]
    fn senseless_changes_are_ignored() {
        let mut view = ViewState::default();
        view.apply(ViewChange::Time(f64::NAN));
        view.apply(ViewChange::Speed(f64::INFINITY));
        view.apply(ViewChange::Isolate(Some(BTreeSet::new())));
        assert_eq!(view, ViewState::default());
        view.apply(ViewChange::Speed(9.0));
        assert_eq!(view.speed, 2.0);
        view.apply(ViewChange::Hold(9));
        assert_eq!(view.hold, 4);
        view.apply(ViewChange::Timeline(Some((5.0, 5.0))));
        assert_eq!(view.timeline, Some((5.0, 7.0)));
    }
}
