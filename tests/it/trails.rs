//! Trails dragged in the view: across for the arc, along for the spacing, one step of the history each.

use crate::support::driver::Driver;
use inbetween::{
    edit::Selection,
    eval::{
        Evaluator,
        limbs::of_object,
        trail::{TrailSpace, TrailSpec, limb_parent},
    },
    interact::{
        input::{Key, Modifiers, ScreenPos},
        trails::{self, TrailOptions},
        view_state::{ViewChange, ViewState},
    },
    math::Vec3,
    model::{Document, JointId, ObjectId, RetimeScope, Target},
};

const HAND: &str = "hand.l";

fn joint(document: &Document, name: &str) -> (ObjectId, JointId, usize) {
    let (object, _, rig) = document.rigs().next().unwrap();
    let index = rig.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
    (object, rig.skeleton.joints()[index].id, index)
}

/// The walk at its first frame with the hand's trail shown.
fn driver(space: TrailSpace) -> Driver {
    let document = inbetween::samples::start();
    let (object, joint, _) = joint(&document, HAND);
    let mut driver = Driver::new(document);
    driver.session.select(Selection::single(Target::Joint(object, joint)));
    driver.view.apply(ViewChange::Trails(TrailOptions { space, ..TrailOptions::default() }));
    driver.view.apply(ViewChange::Trailed([(object, joint)].into()));
    driver
}

fn place(document: &Document, name: &str, secs: f64) -> Vec3 {
    let (object, _, index) = joint(document, name);
    Evaluator::new().frame(document, secs).joint_world(object, index).unwrap().translation
}

/// Where a frame's dot is on the screen, and the unit direction of the trail there.
fn dot(driver: &mut Driver, frame: i64) -> (ScreenPos, [f64; 2]) {
    let (view, frame_now) = (driver.camera(), driver.frame());
    let document = driver.session.document();
    let trail = trails::shown(&driver.view, document, &Evaluator::new()).remove(0);
    let world = trail.world(&frame_now).unwrap();
    let index = trail.index_of(frame).unwrap();
    let at = |index: usize| view.project(&world.point(&trail.points[index])).unwrap();
    let (here, ahead) = (at(index), at(index + 1));
    let (dx, dy) = (ahead[0] - here[0], ahead[1] - here[1]);
    let length = dx.hypot(dy);
    (here, [dx / length, dy / length])
}

fn moved(from: ScreenPos, direction: [f64; 2], by: f64) -> ScreenPos {
    [from[0] + direction[0] * by, from[1] + direction[1] * by]
}

#[test]
fn across_the_joint_is_keyed_there_and_no_key_changes_its_time() {
    let mut driver = driver(TrailSpace::World);
    let before = driver.session.document().clone();
    let rate = before.settings.rate;
    // Between two key poses of the arm.
    let frame = 15;
    let (at, along) = dot(&mut driver, frame);
    let across = [along[1], -along[0]];
    let steps = driver.session.history().len();
    driver.drag(at, moved(at, across, 40.0), 6);
    let after = driver.session.document().clone();
    assert_eq!(driver.session.history().len(), steps + 1);
    assert_eq!(after.problems(), []);
    let secs = rate.secs(frame);
    let (old, new) = (place(&before, HAND, secs), place(&after, HAND, secs));
    assert!((new - old).norm() > 0.02, "it went along");
    // In the plane square to the trail there, and under the pointer as far as that lets it.
    let tangent = (place(&before, HAND, secs + 0.005) - place(&before, HAND, secs - 0.005)).normalize();
    assert!((new - old).dot(&tangent).abs() < 2e-3 * (new - old).norm() + 1e-4, "{}", (new - old).dot(&tangent));
    for (id, clip) in before.clips.iter() {
        let now = &after.clips[id];
        assert!(now.retimes.is_empty());
        for (path, curve) in &clip.channels {
            let times = |curve: &inbetween::model::Curve| -> Vec<f64> {
                curve.scalar_keys().unwrap().keys.iter().map(|key| key.time).collect()
            };
            let (old, mut new) = (times(curve), times(&now.channels[path]));
            new.retain(|time| old.contains(time) || (time - secs).abs() > 1e-9);
            assert_eq!(old, new, "{path}");
        }
    }
    driver.session.undo();
    assert_eq!(**driver.session.document(), *before);
}

#[test]
fn along_the_spacing_changes_and_the_arc_does_not() {
    for space in [TrailSpace::World, TrailSpace::Limb] {
        let mut driver = driver(space);
        let before = driver.session.document().clone();
        let rate = before.settings.rate;
        let frame = 15;
        let (at, along) = dot(&mut driver, frame);
        driver.held = Modifiers::SHIFT;
        let steps = driver.session.history().len();
        driver.drag(at, moved(at, along, 25.0), 6);
        driver.held = Modifiers::NONE;
        let after = driver.session.document().clone();
        assert_eq!(driver.session.history().len(), steps + 1);
        let (_, clip) = after.clips.iter().next().unwrap();
        assert_eq!(clip.retimes.len(), 1);
        let retime = clip.retimes[0].clone();
        match (space, &retime.scope) {
            (TrailSpace::World, RetimeScope::Whole) => {}
            (TrailSpace::Limb, RetimeScope::Joints(joints)) => assert!(joints.len() >= 3, "{joints:?}"),
            other => panic!("{other:?}"),
        }
        let (start, end) = retime.phi.range();
        assert!(start < rate.secs(frame) && rate.secs(frame) < end);
        assert!(retime.phi.value(rate.secs(frame)) > rate.secs(frame) + 0.005);
        // The curves are untouched, and the new motion is the old one at other times.
        assert_eq!(clip.channels, before.clips.values().next().unwrap().channels);
        let (old, new) = (Evaluator::new(), Evaluator::new());
        let (object, _, hand) = joint(&before, HAND);
        let (.., parent) = joint(&before, "clavicle.l");
        for i in 0..1000 {
            let secs = 2.0 * f64::from(i) / 999.0;
            let at = |evaluator: &Evaluator, document: &Document, secs: f64| {
                let frame = evaluator.frame(document, secs);
                let hand = frame.joint_world(object, hand).unwrap().translation;
                match space {
                    TrailSpace::World => hand,
                    TrailSpace::Limb => frame.joint_world(object, parent).unwrap().try_inverse().unwrap().point(&hand),
                }
            };
            let off = at(&new, &after, secs) - at(&old, &before, retime.phi.value(secs));
            assert!(off.norm() <= 1e-9, "{space:?} at {secs}: {}", off.norm());
        }
        driver.session.undo();
        assert_eq!(**driver.session.document(), *before);
    }
}

#[test]
fn the_first_movement_decides_and_a_modifier_decides_for_it() {
    let retimes = |driver: &Driver| driver.session.document().clips.values().next().unwrap().retimes.len();
    let mut driver = driver(TrailSpace::World);
    let (at, along) = dot(&mut driver, 15);
    let across = [along[1], -along[0]];
    // At 30 degrees to the trail it goes along, however the rest of the way goes.
    let slanted = [along[0] * 0.866 + across[0] * 0.5, along[1] * 0.866 + across[1] * 0.5];
    driver.press(at);
    driver.hover(moved(at, slanted, 5.0));
    driver.hover(moved(at, across, 30.0));
    driver.release(moved(at, along, 20.0));
    assert_eq!(retimes(&driver), 1);
    driver.session.undo();
    let slanted = [along[0] * 0.5 + across[0] * 0.866, along[1] * 0.5 + across[1] * 0.866];
    driver.drag(at, moved(at, slanted, 20.0), 6);
    assert_eq!(retimes(&driver), 0);
    assert_eq!(driver.session.history().len(), 2);
    driver.session.undo();
    driver.held = Modifiers::CTRL;
    driver.drag(at, moved(at, along, 20.0), 6);
    driver.held = Modifiers::NONE;
    assert_eq!(retimes(&driver), 0);
    assert_eq!(driver.refused, []);
}

#[test]
fn escape_restores_and_a_click_goes_to_the_frame() {
    let mut driver = driver(TrailSpace::World);
    let before = driver.session.document().clone();
    let (at, along) = dot(&mut driver, 15);
    for direction in [along, [along[1], -along[0]]] {
        driver.press(at);
        driver.hover(moved(at, direction, 8.0));
        driver.hover(moved(at, direction, 25.0));
        assert!(**driver.session.document() != *before);
        driver.key(Key::Escape);
        assert!(std::sync::Arc::ptr_eq(driver.session.document(), &before));
        driver.release(at);
    }
    assert_eq!(driver.session.history().len(), 1);
    driver.press(at);
    driver.release(at);
    assert_eq!(driver.view.frame(before.settings.rate), 15);
    assert!(std::sync::Arc::ptr_eq(driver.session.document(), &before));
}

#[test]
fn a_hundred_small_moves_are_one_big_one() {
    for shift in [true, false] {
        let mut documents = Vec::new();
        for steps in [1, 100] {
            let mut driver = driver(TrailSpace::World);
            let (at, along) = dot(&mut driver, 15);
            let direction = if shift { along } else { [along[1], -along[0]] };
            driver.press(at);
            driver.hover(moved(at, direction, 5.0));
            for step in 1..=steps {
                driver.hover(moved(at, direction, 5.0 + 15.0 * f64::from(step) / f64::from(steps)));
            }
            driver.release(moved(at, direction, 20.0));
            documents.push(driver.session.document().clone());
        }
        assert_eq!(documents[0], documents[1]);
    }
}

#[test]
fn a_trail_is_where_the_whole_document_puts_the_joint() {
    let document = inbetween::samples::start();
    let evaluator = Evaluator::new();
    for name in ["hand.l", "foot.r", "hips", "head"] {
        let (object, id, index) = joint(&document, name);
        for space in [TrailSpace::World, TrailSpace::Limb] {
            let spec = TrailSpec { object, joint: id, space, first: 3, last: 40 };
            let trail = evaluator.trail(&document, spec).unwrap();
            assert!(std::sync::Arc::ptr_eq(&trail, &evaluator.trail(&document, spec).unwrap()));
            assert_eq!(trail.frames().count(), 38);
            assert_eq!((trail.frame(0), trail.frames().last().unwrap().1), (Some(3), 40));
            for (at, point) in trail.points.iter().enumerate() {
                let frame = evaluator.frame(&document, trail.secs(at));
                let world = trail.world(&frame).unwrap();
                let there = frame.joint_world(object, index).unwrap().translation;
                assert!((world.point(point) - there).norm() < 1e-12, "{name} {space:?} {at}");
                assert!((trail.place(trail.secs(at)).unwrap() - point).norm() < 1e-12);
            }
        }
    }
    let (object, ..) = joint(&document, "hips");
    let none = TrailSpec { object, joint: JointId(9999), space: TrailSpace::World, first: 0, last: 9 };
    assert_eq!(evaluator.trail(&document, none), None);
}

#[test]
fn a_limb_hangs_on_the_trunk() {
    let document = inbetween::samples::start();
    let (object, _, rig) = document.rigs().next().unwrap();
    let limbs = of_object(&document, object, &rig.skeleton);
    let parent = |name| {
        let (_, _, index) = joint(&document, name);
        let parent = limb_parent(&rig.skeleton, &limbs, index);
        parent.map(|parent| rig.skeleton.joints()[parent].name.clone())
    };
    assert_eq!(parent("hand.l").as_deref(), Some("clavicle.l"));
    assert_eq!(parent("forearm.l").as_deref(), Some("clavicle.l"));
    assert_eq!(parent("foot.r").as_deref(), Some("hips"));
    assert_eq!(parent("hips"), None);
}

#[test]
fn a_trail_is_of_the_whole_clip_or_of_frames_around_the_present() {
    let document = inbetween::samples::start();
    let (object, _, rig) = document.rigs().next().unwrap();
    let joint = rig.skeleton.joints()[4].id;
    let mut view = ViewState::default();
    let frames = |view: &ViewState| trails::spec(view, &document, (object, joint)).map(|spec| (spec.first, spec.last));
    let clip = document.clip(document.clip_of(object).unwrap()).unwrap();
    assert_eq!(frames(&view), Some((clip.range.first, clip.range.last)));
    view.apply(ViewChange::Time(1.0));
    view.apply(ViewChange::Trails(TrailOptions { around: Some(5), comb_scale: 0, ..TrailOptions::default() }));
    assert_eq!(frames(&view), Some((19, 29)));
    assert_eq!(view.trails.comb_scale, TrailOptions::SCALE.0);
    assert_eq!(trails::spec(&view, &document, (object, JointId(9999))), None);
    view.apply(ViewChange::Trailed([(object, joint), (object, JointId(9999))].into()));
    assert_eq!(trails::shown(&view, &document, &Evaluator::new()).len(), 1);
}
