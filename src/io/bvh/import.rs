//! From a neutral file to the document's terms: metres, radians, joints with rotation orders, sampled curves.

use super::{BvhFile, BvhJoint, Channel, rate_of};
use crate::eval::size::{guess_unit, is_human_size, size_from_offsets};
use crate::io::report::{Place, Report};
use crate::math::{EulerOrder, Quat, Transform, Vec3};
use crate::model::{
    Component, Curve, FileChannel, FrameRate, Joint, JointId, JointKind, LengthUnit, Property, Rig, RotationMode,
    Samples, ScalarCurve, Skeleton,
};
use std::sync::Arc;

/// Which axis of the file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// +Y, as here.
    #[default]
    Y,
    /// +Z: the rig object stands it up.
    Z,
}

impl Up {
    /// The transform of a rig object that stands a figure of this kind up. X stays X.
    #[must_use]
    pub fn to_y_up(self) -> Transform {
        match self {
            Self::Y => Transform::IDENTITY,
            Self::Z => Transform::from_rotation(Quat::from_axis_angle(&Vec3::x_axis(), -std::f64::consts::FRAC_PI_2)),
        }
    }
}

/// What the file itself does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// The unit of its lengths; none to guess it from the figure's size.
    pub unit: Option<LengthUnit>,
    /// Its upward axis.
    pub up: Up,
}

/// A BVH file in the document's terms, not yet part of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct BvhMotion {
    /// The skeleton at rest, metres, and the unit of the file.
    pub rig: Rig,
    /// What stands the figure up.
    pub transform: Transform,
    /// Frames a second.
    pub rate: FrameRate,
    /// The frame time as the file writes it; none where it was none or no possible one.
    pub frame_time_text: Option<String>,
    /// Number of frames; may be 0, and then there are no curves.
    pub frames: usize,
    /// The sampled curves: which joint, what of it.
    pub curves: Vec<(JointId, FileChannel, Arc<Curve>)>,
}

/// Converts a parsed file. Its arrays are scaled where they lie and become the curves, without a copy.
#[must_use]
pub fn to_motion(file: BvhFile, options: ImportOptions, report: &mut Report) -> BvhMotion {
    let unit = options.unit.unwrap_or_else(|| {
        let size = file_size(&file.joints);
        let unit = guess_unit(size);
        let mut done = format!("taken as {}: it makes the figure most like 1.75 m", unit.name());
        let height = size * unit.metres();
        if height > 0.0 && !is_human_size(height) {
            // Some libraries count in a measure of their own (38 mm in AnimatedDrawings' "fair1" files): none fits.
            done.push_str(&format!(
                ", yet no known unit fits: it is {height:.2} m; type how tall it is in the inspector"
            ));
        }
        report.info("unit", Place::Whole, "the file does not say its unit of length", done);
        unit
    });
    let text = &file.frame_time.text;
    let rate = rate_of(text);
    if rate.is_none() {
        report.warn("frame-time", Place::Whole, format!("a frame time of {text} s"), "out of range; 1/30 s taken");
    }
    let rate = rate.or_else(|| FrameRate::new(30, 1)).unwrap_or_default();
    let owners: Vec<(usize, Channel)> = file.channels().collect();
    let joints = file.joints.iter().enumerate().map(|(index, joint)| model_joint(&file.joints, index, joint, unit));
    // A parsed file has parents first, ids by index and nothing under an End Site, which is all a skeleton asks.
    let skeleton = Skeleton::new(joints.collect()).unwrap_or_default();
    let mut curves = Vec::new();
    if file.frames > 0 && !skeleton.is_empty() {
        for ((joint, channel), column) in owners.into_iter().zip(file.columns) {
            let values = scaled(column.values, stored_unit(channel, unit) / column.unit);
            let samples = Samples::new(0.0, rate, values);
            let curve = Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples)));
            curves.push((joint_id(joint), file_channel(channel), curve));
        }
    }
    BvhMotion {
        rig: Rig { skeleton: Arc::new(skeleton), unit, ..Rig::default() },
        transform: options.up.to_y_up(),
        rate,
        frame_time_text: rate_of(text).map(|_| text.clone()),
        frames: file.frames,
        curves,
    }
}

/// The pose-free size of the figure in file units.
#[must_use]
pub(super) fn file_size(joints: &[BvhJoint]) -> f64 {
    let parents: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
    let offsets: Vec<Vec3> = joints.iter().map(|joint| Vec3::from(joint.offset)).collect();
    size_from_offsets(&parents, &offsets)
}

/// What one unit of the file is inside: metres for a position, radians for a degree.
pub(super) fn stored_unit(channel: Channel, unit: LengthUnit) -> f64 {
    match channel {
        Channel::Position(_) => unit.metres(),
        Channel::Rotation(_) => std::f64::consts::PI / 180.0,
    }
}

/// The channel in the document's words.
pub(super) fn file_channel(channel: Channel) -> FileChannel {
    let (property, axis) = match channel {
        Channel::Position(axis) => (Property::Translation, axis),
        Channel::Rotation(axis) => (Property::Rotation, axis),
    };
    let component = match axis {
        0 => Component::X,
        1 => Component::Y,
        _ => Component::Z,
    };
    FileChannel(property, component)
}

/// The order in which a joint's turns multiply: the listed ones in their order, then those it does not have, which are
/// always zero.
pub(super) fn rotation_order(channels: &[Channel]) -> EulerOrder {
    let mut axes: Vec<usize> = channels
        .iter()
        .filter_map(|channel| match channel {
            Channel::Rotation(axis) => Some(*axis),
            Channel::Position(_) => None,
        })
        .collect();
    axes.extend(EulerOrder::default().axes().into_iter().filter(|axis| !axes.contains(axis)).collect::<Vec<_>>());
    EulerOrder::ALL.into_iter().find(|order| order.axes() == axes.as_slice()).unwrap_or_default()
}

fn joint_id(index: usize) -> JointId {
    JointId(u32::try_from(index).unwrap_or(u32::MAX))
}

fn model_joint(joints: &[BvhJoint], index: usize, joint: &BvhJoint, unit: LengthUnit) -> Joint {
    let name = match joint.parent.and_then(|parent| joints.get(parent)) {
        Some(parent) if joint.is_end => format!("{}_end", parent.name),
        _ => joint.name.clone(),
    };
    Joint {
        id: joint_id(index),
        name,
        parent: joint.parent.map(joint_id),
        kind: if joint.is_end { JointKind::End } else { JointKind::Joint },
        rest: Transform::from_translation(Vec3::from(joint.offset) * unit.metres()),
        rotation: RotationMode::Euler(rotation_order(&joint.channels)),
        own_scale: false,
        file_channels: joint.channels.iter().copied().map(file_channel).collect(),
    }
}

fn scaled(mut values: Arc<[f64]>, factor: f64) -> Arc<[f64]> {
    match Arc::get_mut(&mut values) {
        Some(own) => own.iter_mut().for_each(|value| *value *= factor),
        None => return values.iter().map(|value| value * factor).collect(),
    }
    values
}
