//! IK chains as part of a rig: they reach, blend, are held in spaces, match the joints' own keys, are baked, and stay finite
//! whatever they are asked.

mod degenerate;
mod exchanged;

use inbetween::{
    edit::{
        AutoKey, ConstraintEdit, EditError, PinEdit, Session,
        chains::{self, ChainOf, ChainPart},
        numbers::key_number,
    },
    eval::{EvaluatedFrame, Evaluator, constraint::ChainReport},
    io::ron,
    math::Vec3,
    model::{
        ChainStart, ChannelPath, Clip, Component, ConstraintId, ConstraintKind, Document, IkChain, JointId, Object,
        ObjectId, Pin, PinId, PinSpace, Property, SolverKind, Target, names,
    },
    samples,
};
use std::sync::Arc;

/// The sample's figure in an empty clip, with what is asked of it.
struct Figure {
    session: Session,
    object: ObjectId,
}

impl Figure {
    fn new() -> Self {
        let sample = samples::start();
        let (_, of, rig) = sample.rigs().next().unwrap();
        let mut document = Document::default();
        let object = document.add_object(Object { transform: of.transform, ..Object::rig("Figure", (**rig).clone()) });
        let clip = document.add_clip(Clip::new("Clip", document.settings.play_range));
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        Self { session: Session::new(document), object }
    }

    /// The sample as it is, walking.
    fn walking() -> Self {
        let document = samples::start();
        let object = document.rigs().next().unwrap().0;
        Self { session: Session::new(document), object }
    }

    fn document(&self) -> &Document {
        self.session.document()
    }

    fn joint(&self, name: &str) -> JointId {
        names::find_joint(&self.document().object(self.object).unwrap().as_rig().unwrap().skeleton, name).unwrap()
    }

    fn frame(&self, secs: f64) -> Arc<EvaluatedFrame> {
        Evaluator::new().frame(self.document(), secs)
    }

    fn at(&self, name: &str, secs: f64) -> Vec3 {
        let skeleton = &self.document().object(self.object).unwrap().as_rig().unwrap().skeleton;
        let index = skeleton.index_of(self.joint(name)).unwrap();
        self.frame(secs).joint_world(self.object, index).unwrap().translation
    }

    fn apply(&mut self, edit: Result<inbetween::edit::Edit, EditError>) {
        self.session.apply("x", &edit.unwrap()).unwrap();
        assert_eq!(self.document().problems(), []);
    }

    fn chain(&mut self, base: &str, end: &str) -> ChainOf {
        let constraint = self.document().object(self.object).unwrap().fresh_constraint_id();
        let ends = (self.joint(base), self.joint(end));
        let edit = chains::make(self.document(), &self.frame(0.0), self.object, ends);
        self.apply(edit);
        ChainOf { object: self.object, constraint }
    }

    fn change(&mut self, of: ChainOf, change: impl FnOnce(&mut IkChain)) {
        let edit = chains::change(self.document(), of, change);
        self.apply(edit);
    }

    fn move_target(&mut self, of: ChainOf, by: Vec3, secs: f64) {
        let report = self.report(of, secs);
        let place = report.space.try_inverse().unwrap().point(&(report.target + by));
        let edit = chains::goal_edit(self.document(), ChainPart::Target.of(of), secs, &place, AutoKey::On);
        self.apply(edit);
    }

    /// Holds target and pole in the space of a joint, in their places at the first frame.
    fn hold_in(&mut self, of: ChainOf, joint: &str) {
        let space = PinSpace::Joint(self.object, self.joint(joint));
        for part in [ChainPart::Target, ChainPart::Pole] {
            let edit = chains::hold_in(self.document(), &Evaluator::new(), of, (part, [true; 3]), (space, 0.0));
            self.apply(edit);
        }
    }

    fn report(&self, of: ChainOf, secs: f64) -> ChainReport {
        *self.frame(secs).chains.iter().find(|report| report.constraint == of.constraint).unwrap()
    }

    fn influence(&mut self, of: ChainOf, keys: &[(f64, f64)]) {
        let path = ChannelPath::constraint(of.object, of.constraint, Property::Influence);
        let edit = key_number(self.document(), path, keys);
        self.apply(edit);
    }
}

#[test]
fn a_new_chain_moves_nothing_and_then_reaches_with_every_solver() {
    let solvers = std::iter::once(None).chain(SolverKind::ALL.map(Some));
    for (solver, start) in solvers.flat_map(|solver| [(solver, ChainStart::Pose), (solver, ChainStart::Rest)]) {
        let mut figure = Figure::new();
        let before = figure.frame(0.0);
        let leg = figure.chain("thigh.l", "foot.l");
        let rest = before.rig(figure.object).unwrap();
        let now = figure.frame(0.0);
        for (a, b) in rest.model.iter().zip(&now.rig(figure.object).unwrap().model) {
            assert!((a.to_mat4() - b.to_mat4()).norm() < 1e-9, "{solver:?}");
        }
        figure.change(leg, |chain| {
            (chain.solver, chain.start, chain.iterations) = (solver, start, 500);
            chain.tolerance = 1e-5;
        });
        figure.move_target(leg, Vec3::new(0.1, 0.25, 0.15), 0.0);
        let report = figure.report(leg, 0.0);
        assert!(report.gap < 1e-3, "{solver:?} {start:?} {report:?}");
        assert!((figure.at("foot.l", 0.0) - report.target).norm() < 1e-3);
        // The knee bends forwards, as the pole says.
        let knee = figure.at("shin.l", 0.0);
        let middle = (figure.at("thigh.l", 0.0) + figure.at("foot.l", 0.0)) * 0.5;
        assert!((knee - middle).dot(&(report.pole.unwrap().1 - middle)) > 0.0, "{solver:?} {start:?}");
    }
}

#[test]
fn influence_blends_without_a_jump_and_muting_keeps_keys() {
    let mut figure = Figure::new();
    let leg = figure.chain("thigh.l", "foot.l");
    let rest = figure.at("foot.l", 0.0);
    figure.move_target(leg, Vec3::new(0.0, 0.3, 0.1), 0.0);
    figure.influence(leg, &[(0.0, 0.0), (1.0, 1.0)]);
    let reached = figure.report(leg, 0.0).target;
    assert!((figure.at("foot.l", 0.0) - rest).norm() < 1e-12);
    assert!((figure.at("foot.l", 1.0) - reached).norm() < 1e-9);
    let mut before = rest;
    for step in 1..=200 {
        let at = figure.at("foot.l", f64::from(step) / 200.0);
        assert!((at - before).norm() < 0.01, "{step}");
        before = at;
    }
    let (constraint, ..) = leg.find(figure.document()).unwrap();
    let muted = Arc::new(inbetween::model::Constraint { muted: true, ..constraint.clone() });
    figure.apply(Ok(ConstraintEdit::Set { object: leg.object, constraint: muted }.into()));
    assert!((figure.at("foot.l", 1.0) - rest).norm() < 1e-12);
    let path = ChannelPath::constraint(leg.object, leg.constraint, Property::Influence);
    let clip = figure.document().settings.clip.unwrap();
    assert!(figure.document().clip(clip).unwrap().channels.contains_key(&path));
    // Deleted: its keys go too.
    figure.apply(Ok(ConstraintEdit::Delete { object: leg.object, constraint: leg.constraint }.into()));
    assert!(figure.document().clip(clip).unwrap().channels.is_empty());
    figure.session.undo();
    assert!(figure.document().clip(clip).unwrap().channels.contains_key(&path));
}

#[test]
fn a_chain_through_the_root_keeps_its_base() {
    let mut figure = Figure::new();
    let right = figure.at("foot.r", 0.0);
    let held = figure.chain("foot.l", "hand.l");
    let foot = figure.at("foot.l", 0.0);
    figure.move_target(held, Vec3::new(0.1, -0.2, 0.15), 0.0);
    let report = figure.report(held, 0.0);
    assert!(report.gap < 1e-6, "{report:?}");
    assert!((figure.at("hand.l", 0.0) - report.target).norm() < 1e-6);
    assert!((figure.at("foot.l", 0.0) - foot).norm() < 1e-12);
    assert!((figure.at("foot.r", 0.0) - right).norm() > 1e-3);
    // Another chain holds the right foot, although the first carries it along; its target stands in the world.
    let second = figure.chain("thigh.r", "foot.r");
    figure.change(second, |chain| chain.target = right);
    let report = figure.report(second, 0.0);
    assert!(report.target == right && report.gap < 0.05);
    assert!(((figure.at("foot.r", 0.0) - right).norm() - report.gap).abs() < 1e-9);
    assert!((figure.at("hand.l", 0.0) - figure.report(held, 0.0).target).norm() < 1e-6);
    // At half its weight the base stays too.
    figure.influence(held, &[(0.0, 0.5)]);
    assert!((figure.at("foot.l", 0.0) - foot).norm() < 1e-12);
}

#[test]
fn a_target_is_held_in_spaces_by_axis() {
    let mut figure = Figure::new();
    let (hips, object) = (figure.joint("hips"), figure.object);
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        let path = ChannelPath::joint(object, hips, Property::Translation, component);
        let curve = inbetween::edit::CurveRef { clip: figure.document().settings.clip.unwrap(), path };
        let rest = figure.document().object(object).unwrap().as_rig().unwrap().skeleton.joint(hips).unwrap().rest;
        let keys = vec![(0.0, rest.translation[axis]), (1.0, rest.translation[axis] + 0.1)];
        let values = keys.into_iter().map(|(secs, v)| (secs, inbetween::model::Value::Scalar(v))).collect();
        figure.apply(Ok(inbetween::edit::KeyEdit::Set { curve, values }.into()));
    }
    let arm = figure.chain("upper_arm.r", "hand.r");
    let evaluator = Evaluator::new();
    let before = figure.report(arm, 0.0).target;
    let space = PinSpace::Joint(object, hips);
    let part = (ChainPart::Target, [false, true, false]);
    let edit = chains::hold_in(figure.document(), &evaluator, arm, part, (space, 0.0));
    figure.apply(edit);
    assert!((figure.report(arm, 0.0).target - before).norm() < 1e-12);
    let moved = figure.report(arm, 1.0).target - before;
    assert!((moved - Vec3::new(0.0, 0.1, 0.0)).norm() < 1e-9, "{moved}");
    // Keyed, then held in the world again: it goes where it went.
    for secs in [0.0, 0.4, 1.0] {
        let edit = chains::key_goal(figure.document(), ChainPart::Target.of(arm), secs);
        figure.apply(edit);
    }
    let times = [0.0, 0.4, 1.0];
    let places: Vec<Vec3> = times.iter().map(|secs| figure.report(arm, *secs).target).collect();
    let part = (ChainPart::Target, [true; 3]);
    let edit = chains::hold_in(figure.document(), &evaluator, arm, part, (PinSpace::World, 0.4));
    figure.apply(edit);
    for (secs, place) in times.iter().zip(places) {
        assert!((figure.report(arm, *secs).target - place).norm() < 1e-12);
    }
    // In the space of a joint that it moves itself: refused by name.
    let hand = PinSpace::Joint(object, figure.joint("hand.r"));
    let part = (ChainPart::Pole, [true; 3]);
    let refused = chains::hold_in(figure.document(), &evaluator, arm, part, (hand, 0.0)).unwrap_err();
    assert!(matches!(&refused, EditError::FollowCycle(names) if names.contains("'hand.r'")), "{refused}");
}

#[test]
fn the_order_is_constraints_chains_what_hangs_on_them_pins() {
    use inbetween::edit::hold::{HoldKind, hold};
    let mut figure = Figure::new();
    let object = figure.object;
    // Listed in the wrong order: an orientation of the foot first, then the chain.
    let orient = hold(
        figure.document(),
        &figure.frame(0.0),
        (object, Some(figure.joint("foot.l"))),
        HoldKind::Orient,
        PinSpace::World,
    );
    figure.apply(orient);
    let leg = figure.chain("thigh.l", "foot.l");
    let foot = |figure: &Figure| {
        let rig = figure.document().object(object).unwrap().as_rig().unwrap();
        let index = rig.skeleton.index_of(figure.joint("foot.l")).unwrap();
        figure.frame(0.0).joint_world(object, index).unwrap()
    };
    let before = foot(&figure).rotation();
    figure.move_target(leg, Vec3::new(0.1, 0.3, 0.2), 0.0);
    assert!(foot(&figure).rotation().angle_to(&before) < 1e-7);
    assert!((foot(&figure).translation - figure.report(leg, 0.0).target).norm() < 1e-9);
    // A pin acts last.
    let place = Vec3::new(0.2, 0.4, 0.1);
    let pin = Pin {
        id: PinId(0),
        name: String::new(),
        object,
        joint: figure.joint("foot.l"),
        space: PinSpace::World,
        place,
        orientation: None,
        range: (0.0, 1.0),
        ease: (0.0, 0.0),
        influence: 1.0,
        muted: false,
    };
    let clip = figure.document().settings.clip.unwrap();
    figure.apply(Ok(PinEdit::Add { clip, pin: Arc::new(pin) }.into()));
    assert!((foot(&figure).translation - place).norm() < 1e-9);
}

#[test]
fn warm_is_cold_and_files_keep_chains() {
    let mut figure = Figure::walking();
    let leg = figure.chain("thigh.l", "foot.l");
    figure.influence(leg, &[(0.0, 1.0), (0.5, 0.2), (1.0, 1.0)]);
    let hand = figure.chain("foot.l", "hand.r");
    figure.influence(hand, &[(0.0, 0.3)]);
    figure.change(leg, |chain| {
        chain.spaces[1] = PinSpace::Object(ObjectId(1));
        chain.solver = Some(SolverKind::Fabrik);
        (chain.start, chain.iterations, chain.tolerance) = (ChainStart::Rest, 7, 1e-3);
        chain.keeps_rotation = true;
    });
    let warm = Evaluator::new();
    for frame in [0, 9, 3, 20, 9, 0] {
        let secs = f64::from(frame) / 24.0;
        let (a, b) = (warm.frame(figure.document(), secs), Evaluator::new().frame(figure.document(), secs));
        assert_eq!((&a.objects, &a.chains), (&b.objects, &b.chains));
        assert_eq!(warm.rig_frame(figure.document(), figure.object, secs).as_ref(), b.rig(figure.object));
    }
    let saved = ron::save(figure.document()).unwrap();
    let loaded = ron::load(&saved).unwrap();
    assert_eq!(&loaded, figure.document());
    assert_eq!(ron::save(&loaded).unwrap(), saved);
    // By name in plots and on the command line.
    for target in [Target::Constraint(figure.object, leg.constraint), Target::Pole(figure.object, leg.constraint)] {
        let path = ChannelPath { target, property: Property::Translation, component: Component::Y };
        let name = names::channel_name(figure.document(), path).unwrap();
        assert_eq!(names::find_channel(figure.document(), &name), Some(path), "{name}");
    }
    let kinds = figure.document().object(figure.object).unwrap().constraints.iter();
    assert_eq!(kinds.filter(|c| matches!(c.kind, ConstraintKind::Chain(_))).count(), 2);
    assert_eq!(leg.constraint, ConstraintId(0));
}
