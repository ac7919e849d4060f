//! The rest pose edited with the tools of the view, and skeletons and clips that are large.

use crate::support::driver::Driver;
use inbetween::{
    edit::{
        Edit, Session, SkeletonEdit,
        skeleton::{Animation, Carry, Children, Counterparts, JointRest},
    },
    eval::{Evaluator, at_rest::AtRest},
    interact::{
        gizmo::Handle,
        input::Key,
        rest_mode::{RestMode, Sides},
        view_state::{ToolId, ViewChange},
        viewport_tools::Grab,
    },
    io::ron,
    math::{Transform, Vec3},
    model::{
        ChannelPath, Clip, Component, Curve, Document, FrameRange, Joint, JointId, Object, ObjectId, Property, Rig,
        Samples, ScalarCurve, Skeleton, Target,
    },
    samples,
};
use std::{collections::BTreeMap, sync::Arc};

#[test]
fn figures_stand_at_rest_and_what_did_not_change_is_the_same_part() {
    let document = Arc::new(samples::start());
    let mut at_rest = AtRest::default();
    let still = at_rest.of(&document);
    assert!(Arc::ptr_eq(&still, &at_rest.of(&document)));
    assert_eq!(still.problems(), []);
    let evaluator = Evaluator::new();
    for secs in [0.0, 0.4, 1.0] {
        let frame = evaluator.frame(&still, secs);
        for (id, _, rig) in still.rigs() {
            let rests: Vec<_> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
            assert_eq!(frame.rig(id).unwrap().local[..], rests[..]);
        }
    }
    let other = Arc::new(Document { next_id: document.next_id + 1, ..(*document).clone() });
    assert!(Arc::ptr_eq(&still.clips, &at_rest.of(&other).clips));
}

fn at_rest() -> Driver {
    let mut driver = Driver::new(samples::start());
    driver.view.apply(ViewChange::Rest(RestMode { on: true, ..RestMode::default() }));
    driver
}

/// Where the joints are at rest, in the rig's space.
fn rests(driver: &Driver) -> BTreeMap<String, Vec3> {
    let document = driver.session.document();
    let (_, _, rig) = document.rigs().next().unwrap();
    let mut places: Vec<inbetween::math::Affine> = Vec::new();
    for (joint, parent) in rig.skeleton.joints().iter().zip(rig.skeleton.parents()) {
        let local = joint.rest.to_affine();
        places.push(parent.map_or(local, |parent| places[parent] * local));
    }
    rig.skeleton.joints().iter().map(|joint| joint.name.clone()).zip(places.iter().map(|at| at.translation)).collect()
}

/// The names of the joints whose rest place is another, with how far.
fn moved(before: &BTreeMap<String, Vec3>, after: &BTreeMap<String, Vec3>) -> BTreeMap<String, Vec3> {
    let by = before.iter().filter_map(|(name, at)| Some((name.clone(), after.get(name)? - at)));
    by.filter(|(_, by)| by.norm() > 1e-9).collect()
}

fn arm_joint(driver: &Driver, side: &str) -> String {
    let found = rests(driver).into_keys().find(|name| name.to_lowercase().contains("elbow") && name.ends_with(side));
    found.or_else(|| rests(driver).into_keys().find(|name| name.contains("forearm") && name.ends_with(side))).unwrap()
}

#[test]
fn a_typed_movement_moves_the_joint_alone_at_rest_and_is_one_step() {
    let mut driver = at_rest();
    let name = arm_joint(&driver, ".l");
    driver.select(&[&name]);
    let (before, steps) = (rests(&driver), driver.session.history().index());
    driver.grab(Grab::Move);
    driver.key(Key::Y);
    driver.type_number("0.05");
    driver.key(Key::Enter);
    let by = moved(&before, &rests(&driver));
    assert_eq!(by.keys().collect::<Vec<_>>(), [&name]);
    assert!((by[&name] - Vec3::new(0.0, 0.05, 0.0)).norm() < 1e-9, "{by:?}");
    assert_eq!(driver.session.history().index(), steps + 1);
    assert!(driver.session.undo());
    assert!(moved(&before, &rests(&driver)).is_empty());
    // Dropped, it is as before, and there is no step.
    driver.grab(Grab::Move);
    driver.type_number("0.05");
    driver.key(Key::Escape);
    assert!(moved(&before, &rests(&driver)).is_empty() && driver.session.history().index() == steps);
}

#[test]
fn children_go_along_where_they_are_to() {
    let mut driver = at_rest();
    let rest = driver.view.rest;
    driver.view.apply(ViewChange::Rest(RestMode { children: Carry::Along, ..rest }));
    let name = arm_joint(&driver, ".l");
    driver.select(&[&name]);
    let before = rests(&driver);
    driver.grab(Grab::Move);
    driver.key(Key::Y);
    driver.type_number("0.05");
    driver.key(Key::Enter);
    let by = moved(&before, &rests(&driver));
    assert!(by.len() > 1 && by.values().all(|by| (by - Vec3::new(0.0, 0.05, 0.0)).norm() < 1e-9), "{by:?}");
}

#[test]
fn both_sides_change_alike_by_name_and_by_place() {
    for sides in Sides::ALL {
        let mut driver = at_rest();
        let rest = driver.view.rest;
        driver.view.apply(ViewChange::Rest(RestMode { symmetry: Some(sides), ..rest }));
        let (left, right) = (arm_joint(&driver, ".l"), arm_joint(&driver, ".r"));
        driver.select(&[&left]);
        let before = rests(&driver);
        driver.take(ToolId::Move);
        let at = driver.handle_pos(Handle::Arrow(1));
        driver.drag(at, [at[0] + 30.0, at[1] + 40.0], 4);
        let by = moved(&before, &rests(&driver));
        assert_eq!(by.len(), 2, "{sides:?} {by:?}");
        let (a, b) = (by[&left], by[&right]);
        assert!((Vec3::new(-a.x, a.y, a.z) - b).norm() < 1e-9 && a.norm() > 1e-3, "{sides:?} {a} {b}");
    }
}

#[test]
fn a_joint_grows_by_key_on_both_sides() {
    let mut driver = at_rest();
    let rest = driver.view.rest;
    driver.view.apply(ViewChange::Rest(RestMode { symmetry: Some(Sides::Found), ..rest }));
    let left = arm_joint(&driver, ".l");
    driver.select(&[&left]);
    let (before, steps) = (rests(&driver), driver.session.history().index());
    driver.grab(Grab::Extrude);
    driver.key(Key::Z);
    driver.type_number("0.1");
    driver.key(Key::Enter);
    let after = rests(&driver);
    let new: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    assert_eq!(new.len(), 2, "{new:?}");
    assert!(new[0].ends_with(".l") && new[1].ends_with(".r"), "{new:?}");
    assert_eq!(driver.selected(), [new[0].clone()]);
    assert!((after[new[0]] - before[&left] - Vec3::new(0.0, 0.0, 0.1)).norm() < 1e-9);
    assert_eq!(driver.session.history().index(), steps + 1);
    assert_eq!(driver.session.document().problems(), []);
    driver.session.undo();
    assert_eq!(rests(&driver), before);
    // Out of the mode nothing grows.
    driver.view.apply(ViewChange::Rest(RestMode::default()));
    driver.select(&[&left]);
    driver.grab(Grab::Extrude);
    assert!(!driver.is_busy());
}

#[test]
fn turning_at_rest_sets_no_keys() {
    let mut driver = at_rest();
    let name = arm_joint(&driver, ".l");
    driver.select(&[&name]);
    let before = driver.session.document().clone();
    driver.grab(Grab::Rotate);
    driver.key(Key::X);
    driver.type_number("30");
    driver.key(Key::Enter);
    let after = driver.session.document();
    let rest = |document: &Document| {
        let (_, _, rig) = document.rigs().next().unwrap();
        rig.skeleton.joint(driver.joint(&name)).unwrap().rest
    };
    let turned = rest(&before).rotation.angle_to(&rest(after).rotation);
    assert!((turned - 30f64.to_radians()).abs() < 1e-9);
    let count = |document: &Document| -> Vec<usize> {
        document.clips.values().map(|clip| clip.channels.len() + clip.unkeyed.len()).collect()
    };
    assert_eq!(count(&before), count(after));
}

/// A chain of so many joints, each with three captured rotations of so many frames.
fn large(joints: u32, frames: u32) -> Document {
    let chain = (0..joints).map(|id| {
        let (side, place) = (if id % 2 == 0 { "l" } else { "r" }, Vec3::new(0.01, 0.02, 0.0));
        Joint::new(JointId(id), &format!("j{}.{side}", id / 2), id.checked_sub(1).map(JointId), place)
    });
    let rig = Rig { skeleton: Arc::new(Skeleton::new(chain.collect()).unwrap()), ..Rig::default() };
    let mut document = Document::default();
    let object = document.add_object(Object::rig("chain", rig));
    let mut clip = Clip::new("long", FrameRange::new(0, i64::from(frames) - 1));
    let rate = document.settings.rate;
    for id in 0..joints {
        for axis in Component::AXES {
            let target = Target::Joint(object, JointId(id));
            let path = ChannelPath { target, property: Property::Rotation, component: axis };
            let values = (0..frames).map(|frame| (f64::from(frame * (id + 1)) * 0.001).sin() * 0.3).collect();
            let curve = Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values)));
            clip.channels.insert(path, Arc::new(curve));
        }
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    assert_eq!(document.problems(), []);
    document
}

/// Each kind of edit once, on what is large; it stays sound, is undone exactly and loads as it was saved.
fn every_edit(document: Document) {
    let object = ObjectId(1);
    let (animation, some) = (Animation::Follows, JointId(7));
    let turned = Transform {
        rotation: inbetween::math::rotation::from_axis_angle(&Vec3::z(), 0.3),
        ..Transform::from_translation(Vec3::new(0.02, 0.02, 0.01))
    };
    let rests = vec![JointRest { joint: some, rest: turned }];
    let edits: Vec<SkeletonEdit> = vec![
        SkeletonEdit::SetRest { object, rests, children: Carry::Behind, animation },
        SkeletonEdit::Extrude { object, parent: some, name: "new".into(), offset: Vec3::x() },
        SkeletonEdit::Split { object, joint: some, at: 0.4, name: "between".into() },
        SkeletonEdit::Rename { object, joint: some, name: "other".into() },
        SkeletonEdit::Mirror { object, joints: [JointId(4)].into(), make: true, by: Counterparts::Named, animation },
        SkeletonEdit::Reparent { object, joints: [some].into(), parent: Some(JointId(2)), animation },
        SkeletonEdit::Delete { object, joints: [JointId(3)].into(), children: Children::Kept },
        SkeletonEdit::Delete { object, joints: [JointId(9)].into(), children: Children::Deleted },
    ];
    let mut session = Session::new(document.clone());
    let count = edits.len();
    for edit in edits {
        session.apply("history.test", &Edit::from(edit)).unwrap();
        assert_eq!(session.document().problems(), []);
    }
    let text = ron::save(session.document()).unwrap();
    assert!(ron::load(&text).unwrap() == **session.document());
    for _ in 0..count {
        assert!(session.undo());
    }
    assert!(**session.document() == document);
}

#[test]
fn five_hundred_joints_are_edited() {
    every_edit(large(500, 20));
}

#[test]
fn ten_thousand_frames_are_edited() {
    every_edit(large(12, 10_000));
}
