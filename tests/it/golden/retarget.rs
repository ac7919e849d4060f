//! Retargeting: a chain's pose carried over from one rest pose to another, and the way of its root.

use super::case::{Case, Outcome};
use inbetween::eval::retarget::{Aligned, Figure, How, JointMap, Mapping, ReferencePose, Space, Transfer, Wanted};
use inbetween::math::{Quat, Transform, Vec3};
use inbetween::model::{Joint, JointId, Rig, Skeleton};
use std::sync::Arc;

pub(super) fn run(case: &Case) -> Outcome {
    let parents: Vec<i64> = case.input("parents")?;
    let parents: Vec<Option<usize>> = parents.into_iter().map(|p| usize::try_from(p).ok()).collect();
    let [bind, current, own]: [Vec<Quat>; 3] =
        [case.input("src_bind_local")?, case.input("src_current_local")?, case.input("tgt_bind_local")?];
    let [root, root_bind, own_bind]: [Vec3; 3] =
        [case.input("root_src")?, case.input("root_src_bind")?, case.input("root_tgt_bind")?];
    let (leg, own_leg): (f64, f64) = (case.input("src_leg_length")?, case.input("tgt_leg_length")?);
    let figure = |rotations: &[Quat], root: Vec3| {
        let joint = |(index, rotation): (usize, &Quat)| {
            let id = |index: usize| JointId(u32::try_from(index).unwrap_or_default());
            let parent = parents[index].map(id);
            let rest = Transform {
                translation: if index == 0 { root } else { Vec3::y() },
                rotation: *rotation,
                ..Transform::IDENTITY
            };
            Joint { rest, ..Joint::new(id(index), "", parent, Vec3::zeros()) }
        };
        let skeleton =
            Skeleton::new(rotations.iter().enumerate().map(joint).collect()).map_err(|error| error.to_string())?;
        let rig = Arc::new(Rig { skeleton: Arc::new(skeleton), ..Rig::default() });
        Ok::<Figure, String>(Figure::new(&rig, &[], ReferencePose::Rest))
    };
    let (source, target) = (figure(&bind, root_bind)?, figure(&own, own_bind)?);
    let map = JointMap {
        joints: (0..parents.len()).map(|source| Some(Mapping { source, share: None, how: How::Hand })).collect(),
    };
    let wanted = Wanted { scale: own_leg / leg, stretch: false, floor: 0.0 };
    let transfer = Transfer::new(&source, &target, &map, &Aligned::none(&target), wanted);
    let locals: Vec<Transform> = current.iter().map(|rotation| Transform::from_rotation(*rotation)).collect();
    let mut moved = locals;
    moved[0].translation = root;
    let mut space = Space::default();
    transfer.take(&moved, &mut space);
    let pose = transfer.pose(&moved, &space);
    let mut in_space = Space::default();
    in_space.take(&parents, &pose, &Quat::identity());
    case.judge(|field| match field {
        "tgt_local" => case.rotations(field, &pose.iter().map(|local| local.rotation).collect::<Vec<_>>(), "abs"),
        "tgt_global" => case.rotations(field, &in_space.rotations, "abs"),
        "root_tgt" => case.vector(field, &pose[0].translation),
        _ => case.unknown(field),
    })
}
