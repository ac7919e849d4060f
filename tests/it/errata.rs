//! The degenerate and disputed cases of kinematics, inverse kinematics and retargeting, one test a row of the list of errata
//! (formulas that are often printed wrong): the right form gives the right number, and what divides by zero there gives a
//! finite pose and a reason here.

use inbetween::{
    edit::skeleton::lengthened,
    eval::{
        fk::model_from_locals,
        ik::{
            Chain, Goal, Scratch, Settings, SolveReport, SolveStatus, rotations_from_positions, shortest_arc, solver,
        },
        retarget::{Aligned, Figure, How, JointMap, Mapping, ReferencePose, Space, Transfer, Wanted},
        skin::{DualMap, dual_blend, linear_blend},
    },
    math::{Affine, Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        Document, Geometry, Joint, JointId, Mesh, MeshPart, Object, ObjectId, Parent, Rig, Skeleton, Skin, SkinJoint,
    },
};
use std::{f64::consts::FRAC_PI_2, sync::Arc};

/// A solver on joints along X at these places, to a target: the joints, their rotations and what it says.
fn reach(
    id: &str,
    along: &[f64],
    target: Vec3,
    goal: impl FnOnce(Goal) -> Goal,
) -> (Vec<Vec3>, Vec<Quat>, SolveReport) {
    let mut positions: Vec<Vec3> = along.iter().map(|x| Vec3::x() * *x).collect();
    let mut rotations = vec![Quat::identity(); positions.len()];
    let lengths: Vec<f64> = positions.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let mut chain = Chain::new(&mut positions, &mut rotations).expect("a chain");
    let settings = Settings { max_iterations: 200, ..Settings::default() };
    let goal = goal(Goal::at(target));
    let report = solver(id).expect("a solver").solver.solve(&mut chain, &goal, &settings, &mut Scratch::default());
    assert!(positions.iter().all(|at| at.iter().all(|x| x.is_finite())), "{id}: {positions:?}");
    assert!(rotations.iter().all(|q| (q.norm() - 1.0).abs() < 1e-9), "{id}");
    for (pair, length) in positions.windows(2).zip(lengths) {
        assert!(((pair[1] - pair[0]).norm() - length).abs() < 1e-9, "{id}: a bone is stretched");
    }
    (positions, rotations, report)
}

fn end(found: &(Vec<Vec3>, Vec<Quat>, SolveReport)) -> Vec3 {
    *found.0.last().expect("an end")
}

/// E-FK-1: T * R puts a joint's frame where its bone begins, R * T where it ends; both numbers are kept apart.
#[test]
fn e_fk_1_rotation_after_translation() {
    let turn =
        |degrees: f64| Transform::from_rotation(from_axis_angle(&Vec3::z(), f64::to_radians(degrees))).to_affine();
    let along = |length: f64| Transform::from_translation(Vec3::x() * length).to_affine();
    let near = |a: Vec3, x: f64, y: f64| assert!((a - Vec3::new(x, y, 0.0)).norm() < 1e-3, "{a} {x} {y}");
    let elbow = turn(30.0) * along(2.0);
    near(elbow.translation, 1.732, 1.0);
    near((elbow * turn(45.0) * along(1.5)).translation, 2.120, 2.449);
    let first = along(2.0) * turn(30.0);
    near(first.translation, 2.0, 0.0);
    near((first * along(1.5) * turn(45.0)).translation, 3.299, 0.75);
}

/// E-FK-2: scale that is not uniform shears what is turned below it; the affine map keeps that, and no decomposition is made.
#[test]
fn e_fk_2_scale_is_composed_not_decomposed() {
    let parent = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..Transform::IDENTITY }.to_affine();
    let child = Transform::from_rotation(from_axis_angle(&Vec3::z(), FRAC_PI_2 / 2.0)).to_affine();
    let both = parent * child;
    let (x, y) = (both.linear.column(0).into_owned(), both.linear.column(1).into_owned());
    assert!(x.dot(&y).abs() > 1.0, "the axes are no longer square to each other");
    assert!((both.point(&Vec3::x()) - Vec3::new(2.0_f64.sqrt(), 0.5_f64.sqrt(), 0.0)).norm() < 1e-12);
}

/// A place and the turn about an axis.
fn placed(at: Vec3, axis: Vec3, angle: f64) -> Affine {
    Affine { linear: *from_axis_angle(&axis, angle).to_rotation_matrix().matrix(), translation: at }
}

/// E-FK-3: the place of a bound joint cannot skin: the inverse of its whole matrix must, or a vertex bound to a turned joint
/// leaves it. A joint that branches has as many lengths as children: each belongs to the child.
#[test]
fn e_fk_3_skins_are_bound_by_matrices_and_bones_end_at_children() {
    let bind = placed(Vec3::new(1.0, 2.0, 0.0), Vec3::z(), FRAC_PI_2);
    let of = SkinJoint {
        joint: Parent::Joint(ObjectId(1), JointId(0)),
        joint_from_mesh: SkinJoint::rows(&bind.try_inverse().unwrap()),
    };
    let vertex = Vec3::new(1.0, 2.5, 0.3);
    assert!(((bind * of.inverse_bind()).point(&vertex) - vertex).norm() < 1e-12);
    let by_place = bind * Affine { translation: -bind.translation, ..Affine::IDENTITY };
    assert!((by_place.point(&vertex) - vertex).norm() > 0.5, "the place alone leaves the turn in");
    // Hips with a spine of 0.5 and a thigh of 0.2: one gets longer, the other stays.
    let joint = |id: u32, parent: Option<u32>, offset| Joint::new(JointId(id), "", parent.map(JointId), offset);
    let joints = vec![
        joint(0, None, Vec3::zeros()),
        joint(1, Some(0), Vec3::y() * 0.5),
        joint(2, Some(0), Vec3::x() * 0.2),
        joint(3, Some(1), Vec3::y() * 0.5),
    ];
    let skeleton = Arc::new(Skeleton::new(joints).unwrap());
    let mut document = Document::default();
    let rig = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let edit = lengthened(&document, rig, JointId(2), 0.7, Default::default()).unwrap();
    inbetween::edit::Edit::from(edit).apply(&mut document).unwrap();
    let skeleton = document.object(rig).unwrap().as_rig().unwrap().skeleton.clone();
    let lengths: Vec<f64> = skeleton.joints().iter().map(|joint| joint.rest.translation.norm()).collect();
    assert!(lengths.iter().zip([0.0, 0.5, 0.7, 0.5]).all(|(a, b)| (a - b).abs() < 1e-12), "{lengths:?}");
}

/// E-FK-4: who hangs on whom is said by each joint, not by its place in a list: gaps in the numbers and any order give the
/// same figure, and a joint whose parent is none of them is refused.
#[test]
fn e_fk_4_parents_are_named_whatever_the_numbers() {
    let joint = |id: u32, parent: Option<u32>| {
        Joint::new(JointId(id), &format!("{id}"), parent.map(JointId), Vec3::new(0.0, 0.1 * f64::from(id + 1), 0.0))
    };
    // Five is left out; six and ten hang on the neck, which is four.
    let list = [(0, None), (3, Some(0)), (4, Some(3)), (6, Some(4)), (10, Some(4)), (11, Some(10))];
    let skeleton = Skeleton::new(list.iter().map(|(id, parent)| joint(*id, *parent)).collect()).unwrap();
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    model_from_locals(skeleton.tree(), &rest, &Affine::IDENTITY, &mut model);
    let height = |id: u32| model[skeleton.index_of(JointId(id)).unwrap()].translation.y;
    assert!((height(6) - height(4) - 0.7).abs() < 1e-12 && (height(11) - height(10) - 1.2).abs() < 1e-12);
    assert!(Skeleton::new(vec![joint(0, None), joint(6, Some(5))]).is_err(), "five is nobody");
    assert!(Skeleton::new(vec![joint(0, None), joint(0, None)]).is_err(), "one number, two joints");
}

/// E-SKN-1: without the inverse bind a vertex is moved by the joint's place twice.
#[test]
fn e_skn_1_the_inverse_bind_comes_first() {
    let bone = placed(Vec3::y(), Vec3::z(), 0.0);
    let vertex = Vec3::new(0.0, 1.2, 0.0);
    let alone = || std::iter::once((0, 1.0));
    let at_rest = linear_blend(&vertex, alone(), &[bone * bone.try_inverse().unwrap()]);
    assert!((at_rest - vertex).norm() < 1e-12);
    assert!((linear_blend(&vertex, alone(), &[bone]) - Vec3::new(0.0, 2.2, 0.0)).norm() < 1e-12, "the printed form");
}

/// E-SKN-2: weights count by their parts of the sum; where all are zero the first joint has the vertex.
#[test]
fn e_skn_2_weights_are_divided_by_their_sum() {
    let joint =
        || SkinJoint { joint: Parent::Object(ObjectId(0)), joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY) };
    let skin = Skin {
        joints: vec![joint(), joint()],
        per_vertex: 2,
        influences: vec![0, 1, 0, 1].into(),
        weights: vec![0.3, 0.5, 0.0, 0.0].into(),
        ..Skin::default()
    };
    let moved = Affine { translation: Vec3::x() * 10.0, ..Affine::IDENTITY };
    let point = Vec3::new(1.0, 2.0, 3.0);
    for vertex in 0..2 {
        let sum: f64 = skin.vertex(vertex).map(|(_, share)| share).sum();
        let found = linear_blend(&point, skin.vertex(vertex), &[moved, moved]);
        assert!((sum - 1.0).abs() < 1e-12 && (found - Vec3::new(11.0, 2.0, 3.0)).norm() < 1e-6, "{found}");
    }
    // A mesh with such weights is sound: they are divided where they are read.
    let geometry =
        Geometry { positions: vec![[1.0, 2.0, 3.0]; 2].into(), indices: vec![0, 1, 1].into(), ..Geometry::default() };
    let parts = vec![MeshPart { vertices: 2, indices: 3, material: None }];
    let mesh = Mesh { geometry: Arc::new(geometry), parts, skin: Some(Arc::new(skin)), ..Mesh::default() };
    assert_eq!(mesh.faults(), Vec::<String>::new());
}

/// E-SKN-3: dual quaternions are divided by the length of their real part and turned to one hemisphere first; opposite halves
/// that cancel leave the vertex where it is, finite.
#[test]
fn e_skn_3_dual_quaternions_have_unit_length_and_one_sign() {
    let turn = |degrees: f64| DualMap::new(&placed(Vec3::zeros(), Vec3::z(), f64::to_radians(degrees)));
    let half = || [(0, 0.5), (1, 0.5)].into_iter();
    let point = Vec3::new(1.0, 0.0, 0.0);
    let apart = [turn(0.0), turn(120.0)];
    assert!(((apart[0].real + apart[1].real) * 0.5).norm() < 0.9, "the sum is short");
    assert!((dual_blend(&point, half(), &apart).norm() - 1.0).abs() < 1e-12);
    let angle = |at: Vec3| at.y.atan2(at.x);
    let mut signed = [turn(f64::to_degrees(0.2)), turn(f64::to_degrees(0.6))];
    (signed[1].real, signed[1].dual) = (-signed[1].real, -signed[1].dual);
    assert!((angle(dual_blend(&point, half(), &signed)) - 0.4).abs() < 1e-9);
    let opposite = dual_blend(&point, half(), &[turn(0.0), turn(180.0)]);
    assert!(opposite.iter().all(|number| number.is_finite()) && (opposite.norm() - 1.0).abs() < 1e-9, "{opposite}");
}

/// E-SKN-4: a twist of half a turn takes the radius to nothing linearly, a bend of a right angle to 0.707 of it.
#[test]
fn e_skn_4_twists_wrap_and_bends_collapse() {
    let half = || [(0, 0.5), (1, 0.5)].into_iter();
    let across = Vec3::new(0.0, 0.3, 0.0);
    let with =
        |axis: Vec3, angle: f64| linear_blend(&across, half(), &[Affine::IDENTITY, placed(Vec3::zeros(), axis, angle)]);
    assert!(with(Vec3::x(), std::f64::consts::PI).norm() < 1e-12);
    assert!((with(Vec3::z(), FRAC_PI_2).norm() / 0.3 - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12);
}

/// E-IK-1 (a), (b), (e): opposite directions, an end or a target on a joint, a straight chain with the target in line.
#[test]
fn e_ik_1_ccd_where_the_angle_or_the_axis_is_none() {
    let none = |goal| goal;
    for (along, target) in
        [(vec![0.0, 1.0, 2.0, 3.0], 0.8), (vec![0.0, 1.0, 2.0], 0.5), (vec![0.0, 1.0, 2.0, 3.0], 2.5)]
    {
        let found = reach("ccd", &along, Vec3::x() * target, none);
        assert!((end(&found).x - target).abs() < 0.05 && end(&found).norm() - target < 0.05, "{along:?} {target}");
    }
    for target in [Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0] {
        let found = reach("ccd", &[0.0, 1.0, 2.0], target, none);
        assert!(found.2.residual.is_finite() && (end(&found) - target).norm() - found.2.residual < 1e-9);
    }
}

/// E-IK-1 (f): the axis is one of the world, so that a joint's own rotation is parent^-1 * turn * world, and bones are carried.
#[test]
fn e_ik_1_the_turn_is_one_of_the_world() {
    let mut positions = vec![Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0];
    let before =
        vec![from_axis_angle(&Vec3::y(), 0.7), from_axis_angle(&Vec3::z(), -1.1), from_axis_angle(&Vec3::x(), 0.4)];
    let mut rotations = before.clone();
    let (old, target) = (positions.clone(), Vec3::new(0.3, 1.2, -0.4));
    let mut chain = Chain::new(&mut positions, &mut rotations).expect("a chain");
    solver("ccd").unwrap().solver.solve(&mut chain, &Goal::at(target), &Settings::default(), &mut Scratch::default());
    for bone in 0..2 {
        let carried = rotations[bone] * (before[bone].inverse() * (old[bone + 1] - old[bone]));
        assert!((carried - (positions[bone + 1] - positions[bone])).norm() < 1e-9);
    }
}

/// E-IK-2: opposite vectors turn by half a turn about any perpendicular; zero vectors by nothing.
#[test]
fn e_ik_2_the_shortest_arc_of_opposite_vectors() {
    for from in [Vec3::x(), Vec3::new(0.3, -2.0, 0.1), Vec3::y() * 1e-70] {
        let turn = shortest_arc(&from, &-from, &Vec3::x());
        assert!((turn * from + from).norm() <= 1e-9 * from.norm(), "{from}");
    }
    assert_eq!(shortest_arc(&Vec3::zeros(), &Vec3::x(), &Vec3::y()), Quat::identity());
}

/// E-IK-3: in line FABRIK never bends by itself; too near is told; joints at one place have no direction.
#[test]
fn e_ik_3_fabrik_in_line_too_near_and_in_one_point() {
    let none = |goal| goal;
    for (along, target) in [(vec![0.0, 1.0, 2.0], 0.5), (vec![0.0, 1.0, 2.0], 1.5), (vec![0.0, 1.0, 2.0, 3.0], 0.8)] {
        let found = reach("fabrik", &along, Vec3::x() * target, none);
        assert!((end(&found) - Vec3::x() * target).norm() < 1e-2, "{along:?} {target}: {}", end(&found));
    }
    let near = reach("fabrik", &[0.0, 3.0, 3.54], Vec3::new(0.51, 0.0, 0.0), none);
    assert_eq!(near.2.status, SolveStatus::TooNear);
    assert!((end(&near).norm() - 2.46).abs() < 1e-2 && (near.2.residual - 1.95).abs() < 1e-2);
    let point = reach("fabrik", &[0.0, 0.0, 1.0, 1.0], Vec3::new(0.2, 0.4, 0.0), none);
    assert!(point.2.residual.is_finite());
}

/// E-IK-4: the last joint keeps its rotation in its parent's space; bones follow their own offsets, no fixed axis.
#[test]
fn e_ik_4_rotations_from_positions_keep_the_hand() {
    let old = [Vec3::zeros(), Vec3::new(0.3, 1.0, 0.0), Vec3::new(1.0, 1.2, 0.4)];
    let new = [Vec3::zeros(), Vec3::new(0.0, 0.3, 1.0), Vec3::new(0.2, 1.0, 1.2)];
    let before = [from_axis_angle(&Vec3::y(), 0.5), from_axis_angle(&Vec3::x(), 1.5), from_axis_angle(&Vec3::z(), 2.5)];
    let mut after = before;
    rotations_from_positions(&old, &new, &mut after);
    assert!((after[1].inverse() * after[2]).angle_to(&(before[1].inverse() * before[2])) < 1e-7);
    for bone in 0..2 {
        let carried = after[bone] * (before[bone].inverse() * (old[bone + 1] - old[bone]));
        let wanted = new[bone + 1] - new[bone];
        assert!(carried.cross(&wanted).norm() < 1e-9 && carried.dot(&wanted) > 0.0);
    }
}

/// E-IK-5: about the same normal the middle turns back: the wrist is on the target, not 1.92 away.
#[test]
fn e_ik_5_the_middle_turns_the_other_way() {
    let found = reach("two_bone", &[0.0, 1.0, 2.0], Vec3::x() * 1.2, |goal| Goal { pole: Some(Vec3::y()), ..goal });
    assert!((end(&found) - Vec3::x() * 1.2).norm() < 1e-9 && found.2.status == SolveStatus::Reached);
    assert!((found.0[1] - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-9, "the elbow is on the side of the pole");
}

/// E-IK-6: nearer than the bones fold, at the root, and a pole along the way to the target.
#[test]
fn e_ik_6_two_bones_too_near_at_the_root_and_with_the_pole_in_line() {
    let near = reach("two_bone", &[0.0, 0.5, 2.0], Vec3::x() * 0.6, |goal| Goal { pole: Some(Vec3::y()), ..goal });
    assert_eq!(near.2.status, SolveStatus::TooNear);
    assert!((end(&near) - Vec3::x()).norm() < 1e-9);
    let root = reach("two_bone", &[0.0, 1.0, 2.0], Vec3::zeros(), |goal| Goal { pole: Some(Vec3::y()), ..goal });
    assert!(end(&root).norm() < 1e-9);
    let line =
        reach("two_bone", &[0.0, 1.0, 2.0], Vec3::x() * 1.5, |goal| Goal { pole: Some(Vec3::x() * 3.0), ..goal });
    assert!((end(&line) - Vec3::x() * 1.5).norm() < 1e-9);
}

/// E-IK-7: a pole is a place: its direction is pole - root.
#[test]
fn e_ik_7_a_pole_is_a_place() {
    let root = Vec3::new(0.0, 0.0, 5.0);
    let mut positions = vec![root, root + Vec3::x(), root + Vec3::x() * 2.0];
    let mut rotations = vec![Quat::identity(); 3];
    let goal = Goal { pole: Some(Vec3::new(0.0, 1.0, 5.0)), ..Goal::at(root + Vec3::x() * 1.2) };
    let mut chain = Chain::new(&mut positions, &mut rotations).expect("a chain");
    solver("two_bone").unwrap().solver.solve(&mut chain, &goal, &Settings::default(), &mut Scratch::default());
    assert!((positions[1] - root - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-9, "{}", positions[1]);
}

/// E-IK-8: chains in a plane have no inverse of J Jt, straight ones no gradient inwards: finite, and on the target.
#[test]
fn e_ik_8_jacobians_without_rank_and_without_a_gradient() {
    for id in ["pseudo_inverse", "gauss_newton", "damped_least_squares", "jacobian_transpose", "full_body"] {
        for target in [Vec3::x() * 1.5, Vec3::new(1.0, 0.6, 0.0), Vec3::x() * 9.0] {
            let found = reach(id, &[0.0, 1.0, 2.0], target, |goal| goal);
            let off = (end(&found) - target).norm();
            if target.norm() < 2.0 {
                assert!(off < 0.02, "{id} {target}: {off}");
            } else {
                assert!((off - 7.0).abs() < 0.1 && found.2.status != SolveStatus::Reached, "{id}: {off}");
            }
        }
    }
}

/// E-RET-1: what is carried over is the turn in the model's space, whatever the axes of the bones: a bone bound a quarter turn
/// about Z turns about X as its source does, not about Y.
#[test]
fn e_ret_1_the_turn_of_the_model_is_carried_over() {
    let figure = |bind: Quat| {
        let joint = |id: u32| {
            let rotation = if id == 1 { bind } else { Quat::identity() };
            let rest = Transform { translation: Vec3::y(), rotation, ..Transform::IDENTITY };
            Joint { rest, ..Joint::new(JointId(id), "", id.checked_sub(1).map(JointId), Vec3::zeros()) }
        };
        let skeleton = Arc::new(Skeleton::new((0..2).map(joint).collect()).unwrap());
        Figure::new(&Arc::new(Rig { skeleton, ..Rig::default() }), &[], ReferencePose::Rest)
    };
    let quarter = from_axis_angle(&Vec3::z(), FRAC_PI_2);
    let (source, target) = (figure(Quat::identity()), figure(quarter));
    let map = JointMap { joints: (0..2).map(|source| Some(Mapping { source, share: None, how: How::Hand })).collect() };
    let wanted = Wanted { scale: 1.0, stretch: false, floor: 0.0 };
    let transfer = Transfer::new(&source, &target, &map, &Aligned::none(&target), wanted);
    let turn = from_axis_angle(&Vec3::x(), 40_f64.to_radians());
    let root = Transform::from_translation(Vec3::y());
    let pose = [root, Transform { translation: Vec3::y(), rotation: turn, ..Transform::IDENTITY }];
    let mut space = Space::default();
    transfer.take(&pose, &mut space);
    let found = transfer.pose(&pose, &space);
    assert!(found[1].rotation.angle_to(&(turn * quarter)) < 1e-9);
    assert!(found[1].rotation.angle_to(&(quarter * turn)) > 0.5, "the local formula turns about another axis");
}

/// E-RET-2: an A-pose becomes a T-pose by the figures, not by fixed angles and names: a clip at rest leaves both at rest.
#[test]
fn e_ret_2_rest_poses_are_aligned_by_the_figures() {
    use inbetween::samples::templates::{Build, Stance, Template};
    let figure = |stance| {
        let skeleton = Arc::new(Template::Biped.skeleton(&Build { stance, ..Template::Biped.usual() }));
        Figure::new(&Arc::new(Rig { skeleton, ..Rig::default() }), &[], ReferencePose::Rest)
    };
    let (source, target) = (figure(Stance::A), figure(Stance::T));
    let map = JointMap::find(&source, &target);
    let aligned = inbetween::eval::retarget::align(&source, &target, &map);
    let wanted = Wanted { scale: 1.0, stretch: false, floor: 0.0 };
    let transfer = Transfer::new(&source, &target, &map, &aligned, wanted);
    let pose: Vec<Transform> = source.skeleton().joints().iter().map(|joint| joint.rest).collect();
    let mut space = Space::default();
    transfer.take(&pose, &mut space);
    let found = transfer.pose(&pose, &space);
    // Arms that hang 45 degrees in the source hang so in the target, whose own rest has them straight out.
    let places = |skeleton: &Skeleton, pose: &[Transform]| {
        let mut model = Vec::new();
        inbetween::eval::fk::model_from_locals(skeleton.tree(), pose, &Affine::IDENTITY, &mut model);
        let at = |name: &str| {
            let joint = inbetween::model::names::find_joint(skeleton, name).expect("the joint");
            model[skeleton.index_of(joint).expect("an index")].translation
        };
        at("forearm.l") - at("upper_arm.l")
    };
    let (from, to) = (places(source.skeleton(), &pose), places(target.skeleton(), &found));
    assert!(from.cross(&to).norm() < 1e-6 * from.norm() * to.norm() && from.dot(&to) > 0.0, "{from} {to}");
}
