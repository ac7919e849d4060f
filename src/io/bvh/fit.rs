//! Whether a file's skeleton is one that a document already has, and its motion in that rig's terms.

use super::import::file_size;
use super::{BvhFile, BvhMotion};
use crate::math::rotation::{from_euler, make_continuous, nearest_euler};
use crate::math::{EulerOrder, Quat, Vec3};
use crate::model::{
    Component, Curve, FileChannel, JointId, Property, Rig, RotationCurve, RotationMode, RotationSamples, Samples,
    ScalarCurve, Skeleton,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far rest offsets may differ, in sizes of the figure.
const SAME_OFFSET: f64 = 1e-4;

/// The rig's joint for each joint of the file (by index; none for End Sites), where both have the same joint names, parents
/// and rest offsets, the file read in the rig's unit. End Sites are not compared, nor where a root stands.
#[must_use]
pub fn fit(file: &BvhFile, rig: &Rig) -> Option<Vec<Option<JointId>>> {
    let skeleton = &rig.skeleton;
    let count = file.joints.iter().filter(|joint| !joint.is_end).count();
    if count != skeleton.joints().iter().filter(|joint| !joint.is_end()).count() {
        return None;
    }
    let within = SAME_OFFSET * file_size(&file.joints) * rig.unit.metres();
    // The rig's joints by parent and name, first ones first: siblings may share a name.
    let mut open: BTreeMap<(Option<JointId>, &str), Vec<usize>> = BTreeMap::new();
    for (index, joint) in skeleton.joints().iter().enumerate().rev().filter(|(_, joint)| !joint.is_end()) {
        open.entry((joint.parent, joint.name.as_str())).or_default().push(index);
    }
    let mut mapped: Vec<Option<JointId>> = Vec::with_capacity(file.joints.len());
    for joint in &file.joints {
        if joint.is_end {
            mapped.push(None);
            continue;
        }
        let parent = match joint.parent {
            Some(parent) => Some((*mapped.get(parent)?)?),
            None => None,
        };
        let index = open.get_mut(&(parent, joint.name.as_str()))?.pop()?;
        let twin = skeleton.joints().get(index)?;
        let offset = Vec3::from(joint.offset) * rig.unit.metres();
        if parent.is_some() && (twin.rest.translation - offset).norm() > within {
            return None;
        }
        mapped.push(Some(twin.id));
    }
    Some(mapped)
}

/// The motion's curves for a rig it fits: by the rig's joint ids, angles in its orders, quaternions where it has those.
#[must_use]
pub fn curves_for(
    motion: &BvhMotion,
    joints: &[Option<JointId>],
    skeleton: &Skeleton,
) -> Vec<(JointId, FileChannel, Arc<Curve>)> {
    let mut curves = Vec::with_capacity(motion.curves.len());
    let mut rotations: BTreeMap<JointId, Vec<(Component, Arc<Curve>)>> = BTreeMap::new();
    for (joint, channel, curve) in &motion.curves {
        let twin = motion.rig.skeleton.index_of(*joint).and_then(|index| *joints.get(index)?);
        let Some(twin) = twin else { continue };
        let own = motion.rig.skeleton.joint(*joint).map(|joint| joint.rotation);
        if channel.0 == Property::Rotation && own != skeleton.joint(twin).map(|joint| joint.rotation) {
            rotations.entry(*joint).or_default().push((channel.1, Arc::clone(curve)));
        } else {
            curves.push((twin, *channel, Arc::clone(curve)));
        }
    }
    for (joint, angles) in rotations {
        let twin = motion.rig.skeleton.index_of(joint).and_then(|index| *joints.get(index)?);
        let (Some(joint), Some(twin)) = (motion.rig.skeleton.joint(joint), twin.and_then(|id| skeleton.joint(id)))
        else {
            continue;
        };
        let RotationMode::Euler(order) = joint.rotation else { continue };
        let turned = rotation_samples(order, &angles, motion.frames);
        let rate = motion.rate;
        match twin.rotation {
            RotationMode::Euler(order) => {
                for (component, values) in Component::AXES.into_iter().zip(angles_by_axis(order, &turned)) {
                    let samples = Samples::new(0.0, rate, values.into());
                    let curve = Curve::Scalar(ScalarCurve::Sampled(samples));
                    curves.push((twin.id, FileChannel(Property::Rotation, component), Arc::new(curve)));
                }
            }
            RotationMode::Quaternion => {
                let samples = RotationSamples { start: 0.0, rate, values: turned.into() };
                let curve = Curve::Rotation(RotationCurve::Sampled(samples));
                curves.push((twin.id, FileChannel(Property::Rotation, Component::Whole), Arc::new(curve)));
            }
        }
    }
    curves
}

/// One rotation a frame from the sampled angles of a joint, sign-continuous.
fn rotation_samples(order: EulerOrder, angles: &[(Component, Arc<Curve>)], frames: usize) -> Vec<Quat> {
    let mut by_axis = vec![[0.0; 3]; frames];
    for (component, curve) in angles {
        let (Some(axis), Curve::Scalar(ScalarCurve::Sampled(samples))) = (component.axis(), curve.as_ref()) else {
            continue;
        };
        for (frame, value) in by_axis.iter_mut().zip(samples.values.iter()) {
            frame[axis] = *value;
        }
    }
    let mut turned: Vec<Quat> =
        by_axis.into_iter().map(|frame| from_euler(order, order.axes().map(|axis| frame[axis]))).collect();
    make_continuous(&mut turned);
    turned
}

/// Angles about X, Y and Z in an order, each frame's triple the nearest to the one before.
fn angles_by_axis(order: EulerOrder, turned: &[Quat]) -> [Vec<f64>; 3] {
    let mut angles = [const { Vec::new() }; 3];
    let mut last = [0.0; 3];
    for rotation in turned {
        last = nearest_euler(order, rotation, last);
        for (axis, angle) in order.axes().into_iter().zip(last) {
            angles[axis].push(angle);
        }
    }
    angles
}
