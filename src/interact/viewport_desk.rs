//! The 3D view without a window: what is shown and what the tools make of events. The panel and the tests drive it alike.

use super::{
    camera::OrbitCamera,
    input::{Event, PointerKind, ScreenPos},
    pick_scene::Grips,
    picking::{PartShape, PickScene},
    projection::{Lens, View},
    tool::{Look, ToolContext, ToolOutput},
    view_state::{ToolId, ViewState},
    viewport_tools::{Grab, Handled, ViewportTools},
};
use crate::{
    edit::{AutoKey, Selection},
    eval::{
        EvaluatedFrame, Evaluator,
        deform::lattice_places,
        mesh::{mesh_state, vertex_position},
        sample::{Stage, number},
        size::skeleton_size,
        trail::Trail,
    },
    math::Vec3,
    model::{Camera, ChannelPath, Component, Document, Mesh, ObjectId, Property, Target},
};
use std::{collections::BTreeSet, sync::Arc};

/// What is shown, as one consistent whole.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The document, with the change of the gesture that runs.
    pub document: &'a Arc<Document>,
    /// The document at the time shown.
    pub frame: &'a Arc<EvaluatedFrame>,
    /// What is selected.
    pub selection: &'a Selection,
    /// What is shown and how.
    pub view: &'a ViewState,
    /// What posing writes.
    pub auto_key: AutoKey,
    /// The trails that are drawn.
    pub trails: &'a [Arc<Trail>],
    /// Size of the panel, points.
    pub size: [f64; 2],
}

impl Shown<'_> {
    /// The camera on the panel.
    #[must_use]
    pub fn camera(&self) -> View {
        let through = self.view.through.filter(|id| self.document.object(*id).is_some_and(|o| o.as_camera().is_some()));
        match through.and_then(|id| Some((id, self.frame.objects.get(&id)?))) {
            Some((id, placed)) => {
                let lens = Lens { fov_y: self.fov_of(id), distance: self.view.camera.distance };
                View::through(&placed.world, lens, self.size, self.radius())
            }
            None => self.view.camera.view(self.size, self.radius()),
        }
    }

    /// The field of view of a camera object at the time shown, radians; that of a new camera for anything else.
    #[must_use]
    pub fn fov_of(&self, camera: ObjectId) -> f64 {
        let clip = self.document.clip_of(camera).and_then(|clip| self.document.clip(clip));
        let path = ChannelPath::object(camera, Property::FieldOfView, Component::Only);
        let fov = number(self.document, clip.map(|clip| &**clip), path, self.frame.secs, Stage::Shown);
        fov.unwrap_or_else(|| Camera::default().fov_y).clamp(Camera::FIELD.0, Camera::FIELD.1)
    }

    /// Whether an object is drawn.
    #[must_use]
    pub fn is_shown(&self, object: ObjectId) -> bool {
        self.document.object(object).is_some_and(|found| !found.hidden) && !self.view.is_isolated_away(object)
    }

    /// The greatest distance of a joint from the camera's pivot, metres.
    fn radius(&self) -> f64 {
        let pivot = self.view.camera.pivot;
        let mut most = 0.0_f64;
        for placed in self.frame.objects.values() {
            let joints = placed.rig.iter().flat_map(|rig| &rig.model);
            let places = joints.map(|model| placed.world.point(&model.translation)).chain([placed.world.translation]);
            most = places.map(|at| (at - pivot).norm()).filter(|d| d.is_finite()).fold(most, f64::max);
        }
        most
    }
}

/// What can be picked in one frame, and of what it was gathered.
#[derive(Clone, Debug)]
struct Gathered {
    frame: Arc<EvaluatedFrame>,
    document: Arc<Document>,
    isolated: Option<BTreeSet<ObjectId>>,
    mannequin: bool,
    mesh: bool,
    scene: Arc<PickScene>,
}

/// A gesture works from the document, frame and pick scene it began with.
#[derive(Clone, Debug)]
struct Began {
    document: Arc<Document>,
    frame: Arc<EvaluatedFrame>,
    scene: Arc<PickScene>,
}

/// The tools of a 3D view and what they work from.
#[derive(Debug, Default)]
pub struct ViewportDesk {
    tools: ViewportTools,
    grips: Grips,
    gathered: Option<Gathered>,
    began: Option<Began>,
    pointer: Option<ScreenPos>,
}

/// Gives the mannequin's parts where they are in a frame of a document.
pub type Parts<'p> = dyn FnMut(&Document, &EvaluatedFrame) -> Vec<PartShape> + 'p;

impl ViewportDesk {
    /// Takes the tool in hand that is wanted, and lets go where the session's gesture was ended from elsewhere: `running` is
    /// the label of the one that runs now.
    pub fn sync(&mut self, tool: ToolId, running: Option<&'static str>) -> ToolOutput {
        if self.in_gesture() && self.tools.gesture() != running {
            // What the cancelled tool would ask for has happened already.
            let _done_already = self.tools.cancel();
            self.began = None;
        }
        self.tools.take_in_hand(tool)
    }

    /// Handles an event.
    pub fn handle(&mut self, event: &Event, shown: &Shown<'_>, parts: &mut Parts<'_>) -> Handled {
        if let Event::Pointer(pointer) = event {
            self.pointer = (pointer.kind != PointerKind::Leave).then_some(pointer.pos);
        }
        self.with_context(shown, parts, |tools, ctx| tools.handle(event, ctx, shown.view.profile, shown.view.carried))
    }

    /// Begins a movement of the selection that a key asks for.
    pub fn begin(&mut self, grab: Grab, shown: &Shown<'_>, parts: &mut Parts<'_>) -> ToolOutput {
        self.with_context(shown, parts, |tools, ctx| tools.begin(grab, ctx))
    }

    /// Drops what is running.
    pub fn cancel(&mut self) -> ToolOutput {
        self.began = None;
        self.tools.cancel()
    }

    /// Whether plain keys belong to the view now.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.tools.is_busy()
    }

    /// Whether a gesture of the session is the view's.
    #[must_use]
    pub fn in_gesture(&self) -> bool {
        self.tools.gesture().is_some()
    }

    /// Whether something follows the pointer wherever it goes, until a click or a key ends it.
    #[must_use]
    pub fn is_modal(&self) -> bool {
        self.tools.is_modal()
    }

    /// How the tools look on what is shown.
    pub fn look(&mut self, shown: &Shown<'_>, parts: &mut Parts<'_>) -> Look {
        let view = shown.camera();
        let scene = self.scene(shown, parts);
        let ctx = ToolContext {
            document: shown.document,
            frame: shown.frame,
            selection: shown.selection,
            view: &view,
            pointer: self.pointer,
            scene: &scene,
            auto_key: shown.auto_key,
            space: shown.view.space,
            drag: &shown.view.drag,
            points: &shown.view.points,
            brush: &shown.view.brush,
            rest: Some(&shown.view.rest).filter(|rest| rest.on),
            draw_within: shown.view.draw_within,
            trails: shown.trails,
        };
        self.tools.look(&ctx)
    }

    /// What could be picked when the tools were last asked how they look.
    #[must_use]
    pub fn pickable(&self) -> Arc<PickScene> {
        self.gathered.as_ref().map(|gathered| gathered.scene.clone()).unwrap_or_default()
    }

    /// What can be picked of what is shown.
    fn scene(&mut self, shown: &Shown<'_>, parts: &mut Parts<'_>) -> Arc<PickScene> {
        let (mannequin, mesh) = (shown.view.viewport.mannequin, shown.view.viewport.mesh);
        if let Some(known) = &self.gathered
            && Arc::ptr_eq(&known.frame, shown.frame)
            && Arc::ptr_eq(&known.document, shown.document)
            && known.isolated == shown.view.isolated
            && (known.mannequin, known.mesh) == (mannequin, mesh)
        {
            return known.scene.clone();
        }
        let mut solids = if mannequin { parts(shown.document, shown.frame) } else { Vec::new() };
        // Where a mesh is the body, its surface is what is touched.
        solids.retain(|part| !(mesh && shown.document.has_body(part.object)));
        let is_shown = |object| shown.is_shown(object);
        let mut scene = PickScene::gather(shown.document, shown.frame, is_shown, solids, &mut self.grips);
        if mesh {
            scene.add_surfaces(shown.document, shown.frame, is_shown, &mut self.grips);
        }
        let scene = Arc::new(scene);
        self.gathered = Some(Gathered {
            frame: shown.frame.clone(),
            document: shown.document.clone(),
            isolated: shown.view.isolated.clone(),
            mannequin,
            mesh,
            scene: scene.clone(),
        });
        scene
    }

    /// Lends tools and context: what is shown, or while a gesture runs what it began with.
    fn with_context<T>(
        &mut self,
        shown: &Shown<'_>,
        parts: &mut Parts<'_>,
        act: impl FnOnce(&mut ViewportTools, &ToolContext<'_>) -> T,
    ) -> T {
        let view = shown.camera();
        let began = match self.began.take().filter(|_| self.in_gesture()) {
            Some(began) => began,
            None => {
                Began { document: shown.document.clone(), frame: shown.frame.clone(), scene: self.scene(shown, parts) }
            }
        };
        let ctx = ToolContext {
            document: &began.document,
            frame: &began.frame,
            selection: shown.selection,
            view: &view,
            pointer: self.pointer,
            scene: &began.scene,
            auto_key: shown.auto_key,
            space: shown.view.space,
            drag: &shown.view.drag,
            points: &shown.view.points,
            brush: &shown.view.brush,
            rest: Some(&shown.view.rest).filter(|rest| rest.on),
            draw_within: shown.view.draw_within,
            trails: shown.trails,
        };
        let done = act(&mut self.tools, &ctx);
        if self.in_gesture() {
            self.began = Some(began);
        }
        done
    }
}

/// How many times of the play range are looked at to see how far a motion goes.
const MOTION_SAMPLES: u32 = 24;

/// The strip at the top of the view that its bar covers, points: nothing is framed behind it.
pub const BAR_STRIP_PT: f64 = 40.0;

/// How many times as far off as for what is there now the camera goes for the sake of the motion.
const MOTION_WORTH: f64 = 2.0;

/// The camera that shows everything where it is now and wherever it goes in the play range; of what goes so far that it
/// would be too small to be posed, where it is now.
#[must_use]
pub fn framing_all(shown: &Shown<'_>, evaluator: &Evaluator, parts: &mut Parts<'_>) -> OrbitCamera {
    let mut points = all_points(shown, parts);
    let now = shown.view.camera.framing_below(points.iter().copied(), shown.size, BAR_STRIP_PT);
    let settings = &shown.document.settings;
    let (first, last) = (settings.rate.secs(settings.play_range.first), settings.rate.secs(settings.play_range.last));
    for sample in 0..=MOTION_SAMPLES {
        let secs = first + (last - first) * f64::from(sample) / f64::from(MOTION_SAMPLES);
        let frame = evaluator.frame(shown.document, secs);
        points.extend(all_points(&Shown { frame: &frame, ..*shown }, parts));
    }
    let whole = shown.view.camera.framing_below(points, shown.size, BAR_STRIP_PT);
    if whole.distance > MOTION_WORTH * now.distance { now } else { whole }
}

/// The camera that shows what is selected where it is now, or everything there where nothing is.
#[must_use]
pub fn framing_selected(shown: &Shown<'_>, parts: &mut Parts<'_>) -> OrbitCamera {
    let wanted = selected_points(shown);
    let points = if wanted.is_empty() { all_points(shown, parts) } else { wanted };
    shown.view.camera.framing_below(points, shown.size, BAR_STRIP_PT)
}

/// Where everything shown is, the mannequin's flesh with it: a head reaches beyond its joint.
fn all_points(shown: &Shown<'_>, parts: &mut Parts<'_>) -> Vec<Vec3> {
    let seen = shown.document.objects.keys().filter(|id| shown.is_shown(**id));
    let mut points: Vec<Vec3> = seen.flat_map(|id| points_of(shown, *id)).collect();
    if shown.view.viewport.mannequin {
        for part in parts(shown.document, shown.frame) {
            let around = |at: Vec3| {
                [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| axis * part.radius).map(|r| [at + r, at - r]).concat()
            };
            points.extend(around(part.from).into_iter().chain(around(part.to)));
        }
    }
    points
}

fn points_of(shown: &Shown<'_>, object: ObjectId) -> Vec<Vec3> {
    let Some(placed) = shown.frame.objects.get(&object) else { return Vec::new() };
    match &placed.rig {
        Some(rig) => rig.model.iter().map(|model| placed.world.point(&model.translation)).collect(),
        None => match &placed.path {
            Some(path) => {
                // Between the points the way may reach beyond them.
                let parts = path.curve.segments().iter();
                let along = parts.flat_map(|segment| [0.0, 0.25, 0.5, 0.75, 1.0].map(|u| segment.point(u)));
                along.chain(path.places.iter().map(|place| placed.world.point(place))).collect()
            }
            None if shown.document.object(object).is_some_and(|object| !object.carrying_points().is_empty()) => {
                lattice_places(shown.document, shown.frame, object).unwrap_or_default()
            }
            None => match shown.document.object(object).and_then(|object| object.as_mesh()) {
                Some(mesh) => mesh_points(shown, object, mesh),
                None => vec![placed.world.translation],
            },
        },
    }
}

/// Some hundred of a mesh's vertices, where they are.
fn mesh_points(shown: &Shown<'_>, object: ObjectId, mesh: &Mesh) -> Vec<Vec3> {
    let Some(state) = mesh_state(shown.document, shown.frame, object) else { return Vec::new() };
    let step = (mesh.len() / 256).max(1);
    (0..mesh.len()).step_by(step).filter_map(|vertex| vertex_position(mesh, &state, vertex)).collect()
}

/// Room around the joints of a selection in the picture, in sizes of the figure.
const SELECTED_ROOM: f64 = 0.08;

/// A joint is framed with the bones that end at it and begin at it, its surroundings say where it is, and with what hangs
/// on it and is small: the fingers of a hand, the toes of a foot.
fn selected_points(shown: &Shown<'_>) -> Vec<Vec3> {
    let mut points = Vec::new();
    for target in &shown.selection.targets {
        if let Target::Point(object, point) = *target {
            if let Some(places) = lattice_places(shown.document, shown.frame, object) {
                let own = shown.document.object(object).map(|object| object.carrying_points()).unwrap_or_default();
                points.extend(own.iter().zip(places).filter(|((id, _), _)| *id == point).map(|(_, at)| at));
                continue;
            }
            let index = shown.document.object(object).and_then(|object| object.as_path()?.index_of(point));
            let place =
                |placed: &crate::eval::ObjectFrame| Some(placed.world.point(placed.path.as_ref()?.places.get(index?)?));
            points.extend(shown.frame.objects.get(&object).and_then(place));
            continue;
        }
        if let Target::Constraint(object, id) | Target::Pole(object, id) = *target {
            let own = shown.frame.chains.iter().filter(|report| (report.object, report.constraint) == (object, id));
            points.extend(own.flat_map(|report| [Some(report.target), report.pole.map(|(_, at)| at)]).flatten());
            continue;
        }
        let Target::Joint(object, joint) = *target else {
            points.extend(points_of(shown, target.object()));
            continue;
        };
        let rig = shown.document.object(object).and_then(|object| object.as_rig());
        let Some((skeleton, index)) = rig.and_then(|rig| Some((&rig.skeleton, rig.skeleton.index_of(joint)?))) else {
            continue;
        };
        let place = |at: usize| Some(shown.frame.joint_world(object, at)?.translation);
        let parent = skeleton.parents()[index];
        let bone = parent.and_then(|parent| Some((place(parent)? - place(index)?).norm())).unwrap_or(0.0);
        let small = skeleton
            .below(index)
            .into_iter()
            .filter(|at| place(*at).zip(place(index)).is_some_and(|(end, joint)| (end - joint).norm() <= bone));
        let near = [Some(index), parent].into_iter().flatten().chain(skeleton.children(index)).chain(small);
        // Bones have flesh: without some room the picture would be inside the body.
        let room = SELECTED_ROOM * skeleton_size(skeleton);
        for place in near.filter_map(place) {
            points.extend([place.add_scalar(-room), place.add_scalar(room)]);
        }
    }
    points
}
