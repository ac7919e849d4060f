//! The editor without a window: pointer and keys go to the tools, what they ask for goes to the session.

use inbetween::{
    edit::{AutoKey, EditError, Selection, Session},
    eval::{EvaluatedFrame, Evaluator, at_rest::AtRest},
    interact::{
        gizmo::{Gizmo, Handle},
        input::{Button, Event, Key, KeyEvent, Modifiers, PointerKind, ScreenPos},
        projection::View,
        tool::{Look, ToolOutput},
        view_state::{ToolId, ViewChange, ViewState},
        viewport_desk::{Shown, ViewportDesk},
        viewport_tools::Grab,
    },
    math::{Affine, Vec3},
    model::{Document, JointId, ObjectId, Target},
    scene::Figures,
};
use std::sync::Arc;

/// One open document in one 3D view.
pub(crate) struct Driver {
    pub(crate) session: Session,
    pub(crate) view: ViewState,
    pub(crate) auto_key: AutoKey,
    pub(crate) held: Modifiers,
    pub(crate) refused: Vec<EditError>,
    size: [f64; 2],
    evaluator: Evaluator,
    desk: ViewportDesk,
    figures: Figures,
}

impl Driver {
    pub(crate) fn new(document: Document) -> Self {
        let mut driver = Self {
            session: Session::new(document),
            view: ViewState::default(),
            auto_key: AutoKey::On,
            held: Modifiers::NONE,
            refused: Vec::new(),
            size: [1280.0, 800.0],
            evaluator: Evaluator::new(),
            desk: ViewportDesk::default(),
            figures: Figures::default(),
        };
        driver.frame_all();
        driver
    }

    pub(crate) fn frame_all(&mut self) {
        let camera = self.with(|shown, _, figures| {
            let mut parts = |document: &_, frame: &_| figures.part_shapes(document, frame, |id| shown.is_shown(id));
            inbetween::interact::viewport_desk::framing_selected(shown, &mut parts)
        });
        self.view.apply(ViewChange::Camera(camera));
    }

    /// Lends what is shown.
    fn with<T>(&mut self, act: impl FnOnce(&Shown<'_>, &mut ViewportDesk, &mut Figures) -> T) -> T {
        let document = self.session.document();
        let document = if self.view.rest.on { AtRest::default().of(document) } else { document.clone() };
        let frame = self.evaluator.frame(&document, self.view.secs);
        let trails = inbetween::interact::trails::shown(&self.view, &document, &self.evaluator);
        let shown = Shown {
            document: &document,
            frame: &frame,
            selection: self.session.selection(),
            view: &self.view,
            auto_key: self.auto_key,
            trails: &trails,
            size: self.size,
        };
        act(&shown, &mut self.desk, &mut self.figures)
    }

    fn carry_out(&mut self, output: ToolOutput) {
        self.refused.extend(output.refused);
        if let Some(secs) = output.time {
            self.view.apply(ViewChange::Time(secs));
        }
        for gesture in output.gestures {
            self.session.gesture(gesture).unwrap();
        }
        if let Some(selection) = output.selection {
            self.session.select(selection);
        }
    }

    pub(crate) fn send(&mut self, event: Event) {
        let (tool, runs) = (self.view.tool, self.session.gesture_label());
        let output = self.desk.sync(tool, runs);
        self.carry_out(output);
        let handled = self.with(|shown, desk, figures| {
            desk.handle(&event, shown, &mut |document, frame| figures.part_shapes(document, frame, |_| true))
        });
        if let Some(camera) = handled.camera {
            self.view.apply(ViewChange::Camera(camera));
        }
        self.carry_out(handled.output);
    }

    fn pointer(&mut self, kind: PointerKind, pos: ScreenPos) {
        self.send(Event::pointer(kind, pos, self.held));
    }

    pub(crate) fn hover(&mut self, pos: ScreenPos) {
        self.pointer(PointerKind::Move, pos);
    }

    pub(crate) fn press(&mut self, pos: ScreenPos) {
        self.hover(pos);
        self.pointer(PointerKind::Press(Button::Primary), pos);
    }

    pub(crate) fn release(&mut self, pos: ScreenPos) {
        self.pointer(PointerKind::Release(Button::Primary), pos);
    }

    pub(crate) fn right_click(&mut self, pos: ScreenPos) {
        self.pointer(PointerKind::Press(Button::Secondary), pos);
        self.pointer(PointerKind::Release(Button::Secondary), pos);
    }

    pub(crate) fn click(&mut self, pos: ScreenPos) {
        self.press(pos);
        self.release(pos);
    }

    /// Presses at `from` and moves to `to` in so many steps; does not release.
    pub(crate) fn pull(&mut self, from: ScreenPos, to: ScreenPos, steps: u32) {
        self.press(from);
        for step in 1..=steps {
            let t = f64::from(step) / f64::from(steps);
            let pos = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
            self.hover(if step == steps { to } else { pos });
        }
    }

    pub(crate) fn drag(&mut self, from: ScreenPos, to: ScreenPos, steps: u32) {
        self.pull(from, to, steps);
        self.release(to);
    }

    /// Presses at the first place, passes the others, does something, and releases at the last.
    pub(crate) fn stroke(&mut self, way: &[ScreenPos], before: impl FnOnce(&mut Self)) {
        if let [first, rest @ ..] = way {
            self.press(*first);
            rest.iter().for_each(|at| self.hover(*at));
            before(self);
            self.release(way[way.len() - 1]);
        }
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.send(Event::Key(KeyEvent { key, modifiers: self.held }));
    }

    /// Types a number.
    pub(crate) fn type_number(&mut self, text: &str) {
        for character in text.chars() {
            self.key(match character {
                '-' => Key::Minus,
                '.' => Key::Point,
                digit => Key::Digit(u8::try_from(digit.to_digit(10).unwrap()).unwrap()),
            });
        }
    }

    pub(crate) fn grab(&mut self, grab: Grab) {
        let output = self.with(|shown, desk, figures| {
            desk.begin(grab, shown, &mut |document, frame| figures.part_shapes(document, frame, |_| true))
        });
        self.carry_out(output);
    }

    pub(crate) fn take(&mut self, tool: ToolId) {
        self.view.apply(ViewChange::Tool(tool));
        let output = self.desk.sync(tool, self.session.gesture_label());
        self.carry_out(output);
    }

    pub(crate) fn cancel(&mut self) {
        let output = self.desk.cancel();
        self.carry_out(output);
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.desk.is_busy()
    }

    pub(crate) fn look(&mut self) -> Look {
        self.with(|shown, desk, figures| {
            desk.look(shown, &mut |document, frame| figures.part_shapes(document, frame, |_| true))
        })
    }

    pub(crate) fn gizmo(&mut self) -> Gizmo {
        self.look().gizmo.unwrap()
    }

    /// Where a gizmo's handle can be grabbed: the middle of its outline.
    pub(crate) fn handle_pos(&mut self, handle: Handle) -> ScreenPos {
        let (gizmo, view) = (self.gizmo(), self.camera());
        let outline = gizmo.outline(handle, &view);
        let at = match handle {
            Handle::Arrow(_) => outline[1],
            _ => outline[outline.len() / 3],
        };
        view.project(&at).unwrap()
    }

    pub(crate) fn camera(&mut self) -> View {
        self.with(|shown, _, _| shown.camera())
    }

    pub(crate) fn frame(&self) -> Arc<EvaluatedFrame> {
        self.evaluator.frame(self.session.document(), self.view.secs)
    }

    /// The first rig.
    pub(crate) fn rig(&self) -> ObjectId {
        self.session.document().rigs().next().unwrap().0
    }

    pub(crate) fn joint(&self, name: &str) -> JointId {
        let document = self.session.document();
        let (_, _, rig) = document.rigs().next().unwrap();
        let joint = rig.skeleton.joints().iter().find(|joint| joint.name == name);
        joint.unwrap_or_else(|| panic!("no joint '{name}'")).id
    }

    pub(crate) fn target(&self, name: &str) -> Target {
        Target::Joint(self.rig(), self.joint(name))
    }

    pub(crate) fn select(&mut self, names: &[&str]) {
        let mut selection = Selection::default();
        for name in names {
            selection.insert(self.target(name));
        }
        self.session.select(selection);
    }

    pub(crate) fn selected(&self) -> Vec<String> {
        let document = self.session.document();
        let (object, _, rig) = document.rigs().next().unwrap();
        let joints = self.session.selection().joints(object);
        joints.map(|joint| rig.skeleton.joint(joint).unwrap().name.clone()).collect()
    }

    pub(crate) fn world_affine(&self, name: &str) -> Affine {
        let document = self.session.document();
        let (object, _, rig) = document.rigs().next().unwrap();
        self.frame().joint_world(object, rig.skeleton.index_of(self.joint(name)).unwrap()).unwrap()
    }

    /// Where a joint is, world.
    pub(crate) fn world(&self, name: &str) -> Vec3 {
        self.world_affine(name).translation
    }

    /// Where a joint appears.
    pub(crate) fn at(&mut self, name: &str) -> ScreenPos {
        let world = self.world(name);
        self.camera().project(&world).unwrap()
    }

    /// How many steps can be undone.
    pub(crate) fn steps(&self) -> usize {
        self.session.history().index()
    }
}
