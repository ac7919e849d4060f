//! What bad input gets: a finite pose, a reason, nothing lost.

use super::Figure;
use crate::support::arbitrary::Seeded;
use inbetween::{
    edit::{ConstraintEdit, Edit, RigEdit, chains},
    eval::{
        EvaluatedFrame, Evaluator,
        ik::{JointLimit, Measure, SolveStatus},
    },
    math::{
        Quat, Vec3,
        rotation::{from_axis_angle, shortest_arc},
    },
    model::{
        ChainStart, Constraint, ConstraintId, ConstraintKind, Document, IkChain, Joint, JointId, Limit, LimitSetting,
        Object, ObjectId, PinSpace, PlaceLimit, Pole, Rig, Skeleton, SolverKind, SwingShape,
    },
};
use std::sync::Arc;

const RIG: ObjectId = ObjectId(1);
const END: JointId = JointId(2);

/// A chain of bones of these lengths along X from the origin.
fn arm(lengths: &[f64]) -> Document {
    let mut joints = vec![Joint::new(JointId(0), "root", None, Vec3::zeros())];
    for (index, length) in lengths.iter().enumerate() {
        let (id, parent) = (JointId(index as u32 + 1), Some(JointId(index as u32)));
        joints.push(Joint::new(id, "j", parent, Vec3::x() * *length));
    }
    let mut document = Document::default();
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    assert_eq!(document.add_object(Object::rig("Arm", rig)), RIG);
    document
}

fn with(document: &Document, end: JointId, chain: IkChain) -> Document {
    let mut document = document.clone();
    let kind = ConstraintKind::Chain(chain);
    let (id, joint) = (ConstraintId(0), Some(end));
    let constraint = Constraint { id, name: String::new(), joint, muted: false, influence: 1.0, kind };
    let edit: Edit = ConstraintEdit::Add { object: RIG, constraint: Arc::new(constraint) }.into();
    edit.apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    document
}

fn is_finite(frame: &EvaluatedFrame) -> bool {
    let finite = |m: &inbetween::math::Affine| m.to_mat4().iter().all(|v| v.is_finite());
    frame.objects.values().all(|object| finite(&object.world) && object.rig.iter().all(|r| r.model.iter().all(finite)))
}

/// Case B20: the pole swept through the line from base to target.
#[test]
fn a_pole_on_the_line_to_the_target_keeps_the_bend() {
    let mut document = arm(&[1.0, 1.0]);
    // Bent to the side of X at rest.
    let mut joints = document.object(RIG).unwrap().as_rig().unwrap().skeleton.joints().to_vec();
    joints[0].rest.rotation = from_axis_angle(&Vec3::z(), -1.2);
    joints[1].rest.rotation = from_axis_angle(&Vec3::z(), -0.5);
    let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
    document.object_mut(RIG).unwrap().kind = inbetween::model::ObjectKind::Rig(Arc::new(rig));
    let target = Vec3::new(0.0, -1.5, 0.0);
    for angle in [0.2_f64, 0.02, 0.002, 0.0, -0.002, -0.02, -0.2] {
        let pole = Vec3::new(angle.sin(), -angle.cos(), 0.0);
        let chain =
            IkChain { pole: Some(Pole { place: pole, space: PinSpace::World }), ..IkChain::new(JointId(0), target) };
        let document = with(&document, END, chain);
        let frame = Evaluator::new().frame(&document, 0.0);
        let at = |joint: usize| frame.joint_world(RIG, joint).unwrap().translation;
        let (middle, end) = (at(1), at(2));
        assert!(is_finite(&frame) && (end - target).norm() < 1e-4);
        let off = Vec3::new(middle.x, 0.0, middle.z).norm();
        assert!((off - 0.661_438).abs() < 1e-6);
        let side = if angle == 0.0 { 1.0 } else { angle };
        assert!(middle.x * side > 0.0, "{pole} {middle}");
    }
}

#[test]
fn whatever_is_asked_the_pose_is_finite_and_the_report_says_why() {
    let lengths: [&[f64]; 5] = [&[1.0, 1.0], &[0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], &[0.5, 1.5]];
    let targets = [
        (Vec3::zeros(), "at the base"),
        (Vec3::new(9.0, 1.0, 0.0), "far"),
        (Vec3::new(1e-12, 0.0, 0.0), "as good as at the base"),
        (Vec3::new(2.0, 0.0, 0.0), "straight"),
        (Vec3::new(-0.3, 0.0, 0.0), "folded"),
        (Vec3::new(1e300, 0.0, 0.0), "absurd"),
    ];
    for bones in lengths {
        for (target, name) in targets {
            for solver in std::iter::once(None).chain(SolverKind::ALL.map(Some)) {
                for start in [ChainStart::Pose, ChainStart::Rest] {
                    let pole = Some(Pole { place: target, space: PinSpace::World });
                    let chain = IkChain { solver, start, pole, ..IkChain::new(JointId(0), target) };
                    let document = with(&arm(bones), END, chain);
                    let frame = Evaluator::new().frame(&document, 0.0);
                    assert!(is_finite(&frame), "{bones:?} {name} {solver:?}");
                    let report = frame.chains[0];
                    assert!(report.gap.is_finite());
                    if report.gap > 1e-2 {
                        assert_ne!(report.status, Some(SolveStatus::Reached), "{bones:?} {name} {solver:?}");
                    }
                    for (joint, length) in bones.iter().enumerate() {
                        let at = |joint: usize| frame.joint_world(RIG, joint).unwrap().translation;
                        assert!(((at(joint + 1) - at(joint)).norm() - length).abs() < 1e-9);
                    }
                }
            }
        }
    }
}

#[test]
fn a_limit_that_excludes_the_rest_pose_holds_all_the_same() {
    let mut document = arm(&[1.0, 1.0]);
    let limit = PlaceLimit { space: PinSpace::World, ranges: [Some((0.2, 0.3)), Some((5.0, 6.0)), None] };
    let constraint = Constraint {
        id: ConstraintId(0),
        name: String::new(),
        joint: Some(JointId(1)),
        muted: false,
        influence: 1.0,
        kind: ConstraintKind::Limit(limit),
    };
    Edit::from(ConstraintEdit::Add { object: RIG, constraint: Arc::new(constraint) }).apply(&mut document).unwrap();
    let frame = Evaluator::new().frame(&document, 0.0);
    let at = frame.joint_world(RIG, 1).unwrap().translation;
    assert!(is_finite(&frame) && (at - Vec3::new(0.3, 5.0, 0.0)).norm() < 1e-12);
}

#[test]
fn senseless_chains_are_refused_or_reported() {
    let mut figure = Figure::new();
    let (foot, thigh) = (figure.joint("foot.l"), figure.joint("thigh.l"));
    let frame = figure.frame(0.0);
    let make = |base, end| chains::make(figure.document(), &frame, figure.object, (base, end));
    assert!(make(foot, foot).is_err() && make(thigh, JointId(9999)).is_err());
    let of = figure.chain("thigh.l", "foot.l");
    let change = |change: &dyn Fn(&mut IkChain)| chains::change(figure.document(), of, change);
    assert!(change(&|chain| chain.tolerance = 0.0).is_err());
    assert!(change(&|chain| chain.tolerance = f64::NAN).is_err());
    assert!(change(&|chain| chain.iterations = 0).is_err());
    assert!(change(&|chain| chain.iterations = 100_000).is_err());
    assert!(change(&|chain| chain.target = Vec3::repeat(f64::INFINITY)).is_err());
    assert!(change(&|chain| chain.base = JointId(9999)).is_err());
    assert!(change(&|chain| chain.spaces[2] = PinSpace::Object(ObjectId(77))).is_err());
    // Loaded from a file all the same: reported, and nothing moves.
    let mut document = figure.document().clone();
    let object = document.object_mut(figure.object).unwrap();
    let mut broken = (*object.constraints[0]).clone();
    broken.kind = ConstraintKind::Chain(IkChain::new(JointId(9999), Vec3::zeros()));
    object.constraints[0] = Arc::new(broken);
    assert_eq!(document.problems().len(), 1);
    let after = Evaluator::new().frame(&document, 0.0);
    assert!(after.chains.is_empty() && after.rig(figure.object) == frame.rig(figure.object));
}

#[test]
fn chains_go_with_their_joints() {
    use inbetween::edit::skeleton::{Children, SkeletonEdit};
    let mut figure = Figure::new();
    let of = figure.chain("thigh.l", "foot.l");
    figure.influence(of, &[(0.0, 1.0)]);
    let edit = chains::key_goal(figure.document(), chains::ChainPart::Pole.of(of), 0.0);
    figure.apply(edit);
    let before = figure.document().clone();
    for joint in ["thigh.l", "foot.l", "shin.l"] {
        let mut figure = Figure { session: inbetween::edit::Session::new(before.clone()), ..figure };
        let joints = [figure.joint(joint)].into();
        figure.apply(Ok(SkeletonEdit::Delete { object: of.object, joints, children: Children::Kept }.into()));
        let left = figure.document().object(of.object).unwrap().constraints.len();
        // A joint between is not missed: the chain goes on without it.
        assert_eq!(left, usize::from(joint == "shin.l"), "{joint}");
        assert!(is_finite(&figure.frame(0.0)));
    }
}

/// No solver turns a joint of a chain beyond its limits where the chain keeps to them; what can be reached within them is
/// reached, what cannot is told and leaves the pose finite.
#[test]
fn limits_are_never_exceeded_by_chains_that_keep_to_them() {
    let mut document = arm(&[0.7, 0.6, 0.5, 0.2]);
    let hinge = |least: f64, most: f64| Limit {
        centre: Quat::identity(),
        axes: shortest_arc(&Vec3::y(), &Vec3::x()),
        x: (least, most),
        twist: (-0.3, 0.3),
        z: (-0.6, 0.6),
        shape: SwingShape::Ranges,
        softness: 0.1,
    };
    let cone = Limit { x: (-0.9, 0.9), z: (-0.9, 0.9), shape: SwingShape::Cone, ..hinge(0.0, 0.0) };
    // The last excludes the rest pose.
    let own = [hinge(-0.5, 1.2), cone, hinge(-0.2, 1.5), hinge(0.2, 0.9)];
    for (joint, limit) in own.iter().enumerate() {
        let limit = Some(LimitSetting::Own(*limit));
        let edit = RigEdit::SetLimit { object: RIG, joint: JointId(joint as u32), limit };
        Edit::from(edit).apply(&mut document).unwrap();
    }
    let random = &mut Seeded::new(31);
    let limits: Vec<JointLimit> = own.iter().map(|limit| JointLimit::of(limit, &Quat::identity())).collect();
    let (mut near, mut asked) = (0, 0);
    for solver in std::iter::once(None).chain(SolverKind::ALL.map(Some)) {
        for start in [ChainStart::Pose, ChainStart::Rest] {
            for step in 0..12 {
                // Some within reach of the limits, found by turning the joints within them; others anywhere.
                let inside = step % 2 == 0;
                let target = if inside {
                    end_within(random, &document, &own)
                } else {
                    2.5 * Vec3::from_fn(|_, _| random.around(1.0))
                };
                let chain = IkChain { solver, start, limits: true, ..IkChain::new(JointId(0), target) };
                let document = with(&document, JointId(4), chain);
                let frame = Evaluator::new().frame(&document, 0.0);
                assert!(is_finite(&frame));
                for (joint, limit) in limits.iter().enumerate() {
                    let local = frame.rig(RIG).unwrap().local[joint].rotation;
                    assert!(limit.contains(&local), "{solver:?} joint {joint}: {:?} {limit:?}", limit.measure(&local));
                }
                let report = frame.chains[0];
                if report.gap > 1e-3 {
                    assert_ne!(report.status, Some(SolveStatus::Reached), "{solver:?}");
                }
                asked += usize::from(inside);
                near += usize::from(inside && report.gap < 0.02);
            }
        }
    }
    assert!(near * 10 >= asked * 8, "{near} of {asked}");
}

/// Where the end is with the joints somewhere within their limits.
fn end_within(random: &mut Seeded, document: &Document, limits: &[Limit]) -> Vec3 {
    let rig = document.object(RIG).unwrap().as_rig().unwrap();
    let mut at = inbetween::math::Affine::IDENTITY;
    for (joint, limit) in rig.skeleton.joints().iter().zip(limits.iter().map(Some).chain([None])) {
        let mut local = joint.rest;
        if let Some(limit) = limit {
            let within =
                |random: &mut Seeded, (low, high): (f64, f64)| low + (high - low) * (0.2 + 0.6 * random.part());
            let (x, z) = (within(random, limit.x), within(random, limit.z));
            let seen = Measure { x: 0.6 * x, twist: 0.0, z: 0.6 * z };
            let limit = JointLimit::of(limit, &Quat::identity());
            local.rotation = limit.clamp(&limit.rotation(&seen));
        }
        at = at * local.to_affine();
    }
    at.translation
}
