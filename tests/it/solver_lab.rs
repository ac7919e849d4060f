//! The solver lab on a character: what it takes from the selection, and what it keeps.

use inbetween::{
    edit::{Selection, Session},
    eval::{
        Evaluator,
        ik::{Goal, Settings},
        solver_lab::{Problem, Racer, limb::Start},
    },
    interact::solver_lab::LimbChain,
    math::Vec3,
    model::{Document, ObjectId, Target},
    samples,
};

fn sample() -> (Document, ObjectId) {
    let document = samples::start();
    let object = *document.objects.iter().find(|(_, object)| object.as_rig().is_some()).unwrap().0;
    (document, object)
}

fn chain_of(document: &Document, object: ObjectId, joint: &str, secs: f64) -> LimbChain {
    let rig = document.object(object).unwrap().as_rig().unwrap();
    let id = rig.skeleton.joints().iter().find(|other| other.name == joint).unwrap().id;
    let frame = Evaluator::new().frame(document, secs);
    LimbChain::of(document, &frame, &Selection::single(Target::Joint(object, id))).unwrap()
}

#[test]
fn solver_lab_a_kept_result_puts_the_end_where_the_solver_did() {
    let (document, object) = sample();
    let secs = 0.5;
    for start in Start::ALL {
        let chain = chain_of(&document, object, "hand.l", secs);
        let (positions, rotations) = chain.chain(start);
        let target = positions[0] + (positions[positions.len() - 1] - positions[0]) * 0.8 + Vec3::y() * 0.05;
        let goal = Goal { middle: chain.middle, ..Goal::at(target) };
        let problem = Problem { positions, rotations, goal, settings: Settings::default() };
        for racer in Racer::all().filter(|racer| !racer.is_wrong()) {
            let trace = racer.trace(&problem);
            let edit = chain.keep(&document, &Selection::default(), secs, &trace.end().rotations).unwrap();
            let mut session = Session::new(document.clone());
            session.apply("history.solver_lab", &edit).unwrap();
            let after = chain_of(session.document(), object, "hand.l", secs).chain(Start::Current).0;
            for (kept, shown) in after.iter().zip(&trace.end().positions) {
                assert!((kept - shown).norm() < 1e-6, "{} {start:?}", racer.id());
            }
            session.undo();
            assert_eq!(**session.document(), document);
        }
    }
}

#[test]
fn solver_lab_the_rest_start_is_the_rest_pose_on_what_is_above() {
    let (document, object) = sample();
    let chain = chain_of(&document, object, "hand.l", 0.5);
    let [now, rest, straight] = [Start::Current, Start::Rest, Start::Straight].map(|start| chain.chain(start).0);
    let lengths =
        |positions: &[Vec3]| -> Vec<f64> { positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect() };
    for other in [&rest, &straight] {
        assert_eq!(other[0], now[0]);
        for (a, b) in lengths(other).iter().zip(lengths(&now)) {
            assert!((a - b).abs() < 1e-9);
        }
    }
    let whole: f64 = lengths(&now).iter().sum();
    assert!(((straight[straight.len() - 1] - straight[0]).norm() - whole).abs() < 1e-9);
    assert!((rest[rest.len() - 1] - now[now.len() - 1]).norm() > 1e-3);
}

#[test]
fn solver_lab_a_joint_without_a_chain_and_nothing_selected_have_none() {
    let (document, object) = sample();
    let frame = Evaluator::new().frame(&document, 0.0);
    let root = document.object(object).unwrap().as_rig().unwrap().skeleton.joints()[0].id;
    assert_eq!(LimbChain::of(&document, &frame, &Selection::default()), None);
    assert_eq!(LimbChain::of(&document, &frame, &Selection::single(Target::Joint(object, root))), None);
    assert_eq!(LimbChain::of(&document, &frame, &Selection::single(Target::Object(object))), None);
}
