//! Chains and keys exchanged: matched without a pop, baked.

use super::Figure;
use inbetween::{
    edit::{
        AutoKey,
        chains::{ChainOf, When, bake, fk_to_ik, ik_to_fk},
    },
    eval::Evaluator,
    math::Vec3,
    model::{ChannelPath, Document, Property, SolverKind, Target},
};

fn frames(figure: &Figure) -> Vec<f64> {
    let settings = &figure.document().settings;
    (0..=24).map(|frame| settings.rate.secs(frame)).collect()
}

/// How far any joint jumps where the influence is switched from 0 to 1 at a time.
fn pop(figure: &Figure, of: ChainOf, secs: f64) -> f64 {
    let with = |influence: f64| {
        let mut other = Figure { session: inbetween::edit::Session::new(figure.document().clone()), ..*figure };
        other.influence(of, &[(secs, influence)]);
        other.frame(secs)
    };
    let (fk, ik) = (with(0.0), with(1.0));
    let (fk, ik) = (fk.rig(figure.object).unwrap(), ik.rig(figure.object).unwrap());
    let apart = fk.model.iter().zip(&ik.model).map(|(a, b)| (a.to_mat4() - b.to_mat4()).norm());
    apart.fold(0.0, f64::max)
}

#[test]
fn ik_matches_fk_at_a_frame_and_over_a_range() {
    for (base, end) in [("thigh.l", "foot.l"), ("upper_arm.r", "hand.r"), ("foot.l", "hand.r"), ("hips", "head")] {
        let mut figure = Figure::walking();
        let of = figure.chain(base, end);
        figure.move_target(of, Vec3::new(0.1, 0.1, 0.2), 0.3);
        assert!(pop(&figure, of, 0.3) > 1e-3);
        let matched = ik_to_fk(figure.document(), of, When::At(0.3, AutoKey::On), &|| true).unwrap();
        assert!(matched.jump < 1e-9 && matched.turn < 1e-9, "{base} {matched:?}");
        figure.apply(Ok(matched.edit));
        assert!(pop(&figure, of, 0.3) < 1e-9, "{base} {}", pop(&figure, of, 0.3));
        let times = frames(&figure);
        let matched = ik_to_fk(figure.document(), of, When::Over(&times), &|| true).unwrap();
        assert!(matched.jump < 1e-9, "{base} {}", matched.jump);
        figure.apply(Ok(matched.edit));
        for secs in [times[0], times[7], times[24]] {
            assert!(pop(&figure, of, secs) < 1e-9, "{base} {secs} {}", pop(&figure, of, secs));
        }
    }
}

#[test]
fn fk_matches_ik_at_a_frame_and_over_a_range() {
    for (base, end, solver) in [
        ("thigh.l", "foot.l", None),
        ("upper_arm.r", "hand.r", Some(SolverKind::Fabrik)),
        ("foot.l", "hand.r", None),
        ("hips", "head", Some(SolverKind::Ccd)),
    ] {
        let mut figure = Figure::walking();
        let of = figure.chain(base, end);
        figure.change(of, |chain| {
            (chain.solver, chain.iterations) = (solver, 1000);
            chain.keeps_rotation = end == "foot.l";
        });
        figure.move_target(of, Vec3::new(0.05, 0.1, 0.1), 0.2);
        assert!(pop(&figure, of, 0.2) > 1e-3);
        let matched = fk_to_ik(figure.document(), of, When::At(0.2, AutoKey::On), &|| true).unwrap();
        assert!(matched.jump < 1e-9 && matched.turn < 1e-9, "{base} {} {}", matched.jump, matched.turn);
        figure.apply(Ok(matched.edit));
        let times = frames(&figure);
        let matched = fk_to_ik(figure.document(), of, When::Over(&times), &|| true).unwrap();
        assert!(matched.jump < 1e-9 && matched.turn < 1e-9, "{base} {} {}", matched.jump, matched.turn);
        figure.apply(Ok(matched.edit));
    }
}

#[test]
fn what_is_baked_moves_as_before_and_can_be_switched_back() {
    let mut figure = Figure::walking();
    let leg = figure.chain("thigh.l", "foot.l");
    figure.influence(leg, &[(0.0, 1.0), (0.5, 0.0), (1.0, 1.0)]);
    figure.hold_in(leg, "hips");
    let arm = figure.chain("upper_arm.r", "hand.r");
    figure.hold_in(arm, "chest");
    figure.influence(arm, &[(0.0, 0.3)]);
    let before: Document = figure.document().clone();
    let times = frames(&figure);
    let baked = bake(figure.document(), figure.object, &times, &|| true).unwrap();
    assert!(baked.targets == 4 && baked.error < 0.01, "{} {}", baked.targets, baked.error);
    let steps = figure.session.history().len();
    figure.apply(Ok(baked.edit));
    assert_eq!(figure.session.history().len(), steps + 1);
    let (old, new) = (Evaluator::new(), Evaluator::new());
    for secs in &times {
        let (old, new) = (old.frame(&before, *secs), new.frame(figure.document(), *secs));
        assert!(new.chains.is_empty());
        let models = old.rig(figure.object).unwrap().model.iter().zip(&new.rig(figure.object).unwrap().model);
        for (a, b) in models {
            assert!((a.to_mat4() - b.to_mat4()).norm() < 1e-9);
        }
    }
    // The chain's own keys are still there.
    let path = ChannelPath::constraint(leg.object, leg.constraint, Property::Influence);
    let clip = figure.document().clip_of(figure.object).unwrap();
    assert!(figure.document().clip(clip).unwrap().channels.contains_key(&path));
    figure.session.undo();
    assert_eq!(**figure.session.document(), before);
}

#[test]
fn constraints_of_objects_are_baked_too() {
    use inbetween::edit::hold::{HoldKind, hold};
    use inbetween::model::{JointId, Object, ObjectKind, PinSpace};
    let mut figure = Figure::walking();
    let mut document = figure.document().clone();
    let lamp = document.add_object(Object::new("Lamp", ObjectKind::Empty));
    figure.session = inbetween::edit::Session::new(document);
    let hand: JointId = figure.joint("hand.r");
    let source = PinSpace::Joint(figure.object, hand);
    let edit = hold(figure.document(), &figure.frame(0.0), (lamp, None), HoldKind::Parent, source);
    figure.apply(edit);
    let times = frames(&figure);
    let shown: Vec<_> = times.iter().map(|secs| figure.frame(*secs).objects[&lamp].world).collect();
    let baked = bake(figure.document(), lamp, &times, &|| true).unwrap();
    assert_eq!(baked.targets, 1);
    figure.apply(Ok(baked.edit));
    for (secs, shown) in times.iter().zip(shown) {
        assert!((figure.frame(*secs).objects[&lamp].world.to_mat4() - shown.to_mat4()).norm() < 1e-9);
    }
    let clip = figure.document().clip_of(lamp).unwrap();
    let keyed = figure.document().clip(clip).unwrap().channels.keys().any(|path| path.target == Target::Object(lamp));
    assert!(keyed);
}

#[test]
fn an_export_has_what_chains_and_constraints_do_and_says_how_well() {
    use inbetween::{
        edit::hold::{HoldKind, hold},
        io::{
            bvh::{self, ExportOptions},
            open,
            report::Report,
        },
        model::PinSpace,
        progress::Progress,
    };
    let mut figure = Figure::walking();
    let through = figure.chain("foot.l", "hand.r");
    figure.influence(through, &[(0.0, 0.5)]);
    let of = (figure.object, Some(figure.joint("head")));
    let edit = hold(figure.document(), &figure.frame(0.0), of, HoldKind::Point, PinSpace::World);
    figure.apply(edit);
    let (progress, mut report) = (Progress::default(), Report::new());
    let options = ExportOptions::default();
    let file = bvh::export(figure.document(), figure.object, options, &progress, &mut report).unwrap();
    assert!(report.lines().iter().any(|line| line.contains("2 constraints")), "{:?}", report.lines());
    let unit = Some(figure.document().rigs().next().unwrap().2.unit);
    let parsed = bvh::parse(&bvh::write(&file), &mut Report::new()).unwrap();
    let options = bvh::ImportOptions { unit, ..bvh::ImportOptions::default() };
    let opened = open::new_document(bvh::to_motion(parsed, options, &mut Report::new()), "again");
    let (object, _, rig) = opened.rigs().next().unwrap();
    for frame in [0, 5, 17] {
        let secs = opened.settings.rate.secs(frame);
        let (now, wanted) = (Evaluator::new().frame(&opened, secs), figure.frame(secs));
        for name in ["hips", "foot.l", "hand.r", "head", "foot.r"] {
            let index = rig.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
            let own = figure.document().object(figure.object).unwrap().as_rig().unwrap();
            let own = own.skeleton.index_of(figure.joint(name)).unwrap();
            let at = now.joint_world(object, index).unwrap().translation;
            let off = (at - wanted.joint_world(figure.object, own).unwrap().translation).norm();
            assert!(off < 1e-5, "{name} {frame}: {off}");
        }
    }
}
