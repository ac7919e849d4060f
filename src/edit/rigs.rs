//! Edits of rigs.

use super::{Edit, EditError, ObjectEdit, error::finite, objects::object_mut};
use crate::{
    math::{Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChainHint, ChannelPath, Clip, Curve, Document, Handle, JointId, Key, LengthUnit, Object, ObjectId, ObjectKind,
        Property, Rig, ScalarCurve, Target, Value,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of a rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RigEdit {
    /// Sets how a joint is dragged.
    SetHint {
        /// The rig object.
        object: ObjectId,
        /// The joint that is dragged.
        joint: JointId,
        /// What is said about it; none for what is found.
        hint: Option<ChainHint>,
    },
    /// Says in which unit the rig's file counts: everything of it that is a length is scaled, in rest pose, curves,
    /// corrections and waiting edits.
    SetUnit {
        /// The rig object.
        object: ObjectId,
        /// The unit.
        unit: LengthUnit,
    },
}

impl From<RigEdit> for Edit {
    fn from(edit: RigEdit) -> Self {
        Self::Rig(edit)
    }
}

impl RigEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetHint { object, joint, hint } => {
                let rig = rig_mut(document, *object)?;
                let named = [Some(*joint), hint.as_ref().and_then(|hint| hint.root)];
                if let Some(missing) = named.into_iter().flatten().find(|id| rig.skeleton.index_of(*id).is_none()) {
                    return Err(EditError::NoJoint(*object, missing));
                }
                if let Some(pole) = hint.as_ref().and_then(|hint| hint.pole) {
                    pole.iter().try_for_each(|number| finite("a pole", *number).map(|_| ()))?;
                }
                match hint.clone().filter(|hint| *hint != ChainHint::default()) {
                    Some(hint) => rig.hints.insert(*joint, hint),
                    None => rig.hints.remove(joint),
                };
                Ok(())
            }
            Self::SetUnit { object, unit } => set_unit(document, *object, *unit),
        }
    }
}

fn rig_mut(document: &mut Document, object: ObjectId) -> Result<&mut Rig, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Rig(rig) => Ok(Arc::make_mut(rig)),
    }
}

fn set_unit(document: &mut Document, object: ObjectId, unit: LengthUnit) -> Result<(), EditError> {
    let rig = rig_mut(document, object)?;
    let factor = unit.metres() / rig.unit.metres();
    rig.unit = unit;
    if factor == SAME_LENGTH {
        return Ok(());
    }
    let scaled = rig.skeleton.map_joints(|joint| {
        let mut joint = joint.clone();
        joint.rest.translation *= factor;
        joint
    });
    // Ids and parents stay, so that the joints are a skeleton as before.
    rig.skeleton = Arc::new(scaled.map_err(|_same_ids_and_parents| EditError::NotARig(object))?);
    for pole in rig.hints.values_mut().filter_map(|hint| hint.pole.as_mut()) {
        *pole *= factor;
    }
    let is_length = |path: &ChannelPath| {
        path.property == Property::Translation && matches!(path.target, Target::Joint(of, _) if of == object)
    };
    for clip in Arc::make_mut(&mut document.clips).values_mut() {
        let mut all = clip.channels.keys().chain(clip.corrections.iter().flat_map(|c| c.deltas.keys()));
        if all.any(is_length) || clip.unkeyed.iter().any(|frame| frame.values.keys().any(is_length)) {
            scale_clip(Arc::make_mut(clip), is_length, factor);
        }
    }
    Ok(())
}

/// The factor between a unit and itself.
const SAME_LENGTH: f64 = 1.0;

fn scale_clip(clip: &mut Clip, is_length: impl Fn(&ChannelPath) -> bool, factor: f64) {
    for (_, curve) in clip.channels.iter_mut().filter(|(path, _)| is_length(path)) {
        scale_curve(Arc::make_mut(curve), factor);
    }
    for correction in clip.corrections.iter_mut().filter(|correction| correction.deltas.keys().any(&is_length)) {
        let deltas = &mut Arc::make_mut(correction).deltas;
        for (_, curve) in deltas.iter_mut().filter(|(path, _)| is_length(path)) {
            scale_curve(Arc::make_mut(curve), factor);
        }
    }
    for (_, value) in clip.unkeyed.iter_mut().flat_map(|frame| &mut frame.values).filter(|(path, _)| is_length(path)) {
        if let Value::Scalar(length) = value {
            *length *= factor;
        }
    }
}

fn scale_curve(curve: &mut Curve, factor: f64) {
    let handle = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) => Handle::Aligned(dt, dv * factor),
        Handle::Free(dt, dv) => Handle::Free(dt, dv * factor),
        derived => derived,
    };
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.update_in_place(|_, key| {
            let (handle_in, handle_out) = (handle(key.handle_in), handle(key.handle_out));
            Some(Key { value: key.value * factor, handle_in, handle_out, ..*key })
        }),
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            samples.values = samples.values.iter().map(|value| value * factor).collect();
        }
        Curve::Rotation(_) => {}
    }
}

/// The axis that points up in a rig's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UpAxis {
    /// +Y, as here.
    #[default]
    Y,
    /// +Z: the object is turned by -90 degrees about X.
    Z,
}

impl UpAxis {
    /// The object rotation that stands a rig up.
    #[must_use]
    pub fn rotation(self) -> Quat {
        match self {
            Self::Y => Quat::identity(),
            Self::Z => from_axis_angle(&Vec3::x(), -std::f64::consts::FRAC_PI_2),
        }
    }
}

/// Stands an object up: its static rotation becomes that of the axis. Joint channels stay as they are.
///
/// # Errors
/// Where there is no such object.
pub fn stand_up(document: &Document, object: ObjectId, up: UpAxis) -> Result<Edit, EditError> {
    let Object { transform, .. } = &**document.object(object).ok_or(EditError::NoObject(object))?;
    let transform = Transform { rotation: up.rotation(), ..*transform };
    Ok(ObjectEdit::SetTransform { object, transform }.into())
}
