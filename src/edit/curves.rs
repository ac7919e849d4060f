//! Edits of whole curves, and the ways to reach one.

use super::{CurveRef, DriverEdit, Edit, EditError, drivers::driver_mut, held_back::not_locked};
use crate::{
    math::rotation::nearest_turn,
    model::{
        ChannelPath, Clip, Component, Curve, Document, Extrapolation, Interpolation, Key, KeyedCurve, KeyedRotation,
        Modifier, Property, RotationCurve, RotationKey, ScalarCurve, Scheme, Target, modifier::modifiers_are_sound,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of whole curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CurveEdit {
    /// Sets what keyed scalar curves do beyond their keys; what is none stays.
    Extrapolation {
        /// The curves.
        curves: Vec<CurveRef>,
        /// Before the first key.
        pre: Option<Extrapolation>,
        /// After the last key.
        post: Option<Extrapolation>,
    },
    /// Turns captured curves into keyed ones, one linear key a sample: no sample changes, but that an angle is unwrapped
    /// (whole turns are added where it jumped by more than half a turn). Curves that are keyed stay.
    ConvertToKeys {
        /// The curves.
        curves: Vec<CurveRef>,
    },
    /// Sets what runs through the keys of keyed scalar curves; the keys keep their own interpolation beneath.
    SetScheme {
        /// The curves.
        curves: Vec<CurveRef>,
        /// The scheme.
        scheme: Scheme,
    },
    /// Gives a scalar curve, keyed or captured, another stack of modifiers.
    SetModifiers {
        /// The curve.
        curve: CurveRef,
        /// The modifiers, in the order they act.
        modifiers: Vec<Modifier>,
    },
    /// Puts other curves in place of those that are there, or adds them: what baking, simplifying and converting give.
    Replace {
        /// The curves.
        curves: Vec<(CurveRef, Arc<Curve>)>,
    },
    /// Switches curves off, or on again: muted ones stay to be edited, and what they would move is as without them.
    Mute {
        /// The curves.
        curves: Vec<CurveRef>,
        /// Whether they are off.
        muted: bool,
    },
    /// Deletes curves.
    Delete {
        /// The curves.
        curves: Vec<CurveRef>,
    },
}

impl From<CurveEdit> for Edit {
    fn from(edit: CurveEdit) -> Self {
        Self::Curve(edit)
    }
}

impl CurveEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Extrapolation { curves, pre, post } => curves.iter().try_for_each(|at| {
                let Curve::Scalar(ScalarCurve::Keyed(curve)) = existing_curve_mut(document, *at)? else {
                    return Err(EditError::WrongKind(at.path));
                };
                curve.pre = pre.unwrap_or(curve.pre);
                curve.post = post.unwrap_or(curve.post);
                Ok(())
            }),
            Self::ConvertToKeys { curves } => curves.iter().try_for_each(|at| {
                let curve = existing_curve_mut(document, *at)?;
                if let Some(keyed) = to_keys(at.path.property, curve) {
                    *curve = keyed;
                }
                Ok(())
            }),
            Self::SetScheme { curves, scheme } => {
                if !scheme.is_sound() {
                    return Err(EditError::BadNumber { what: "an end slope", value: f64::NAN });
                }
                curves.iter().try_for_each(|at| {
                    let Curve::Scalar(ScalarCurve::Keyed(curve)) = existing_curve_mut(document, *at)? else {
                        return Err(EditError::WrongKind(at.path));
                    };
                    curve.scheme = *scheme;
                    Ok(())
                })
            }
            Self::SetModifiers { curve: at, modifiers } => {
                if !modifiers_are_sound(modifiers) {
                    return Err(EditError::BadModifier(at.path));
                }
                match existing_curve_mut(document, *at)? {
                    Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.modifiers.clone_from(modifiers),
                    Curve::Scalar(ScalarCurve::Sampled(samples)) => samples.modifiers.clone_from(modifiers),
                    Curve::Rotation(_) => return Err(EditError::WrongKind(at.path)),
                }
                Ok(())
            }
            Self::Replace { curves } => curves.iter().try_for_each(|(at, curve)| {
                channel_of(document, *at)?;
                if matches!(**curve, Curve::Rotation(_)) != (at.path.component == Component::Whole) {
                    return Err(EditError::WrongKind(at.path));
                }
                if at.is_of_driver() {
                    if curve.scalar_keys().is_none() {
                        return Err(EditError::WrongKind(at.path));
                    }
                    driver_mut(document, at.path)?.curve = Arc::clone(curve);
                    return Ok(());
                }
                clip_mut(document, *at)?.channels.insert(at.path, Arc::clone(curve));
                Ok(())
            }),
            Self::Mute { curves, muted } => curves.iter().try_for_each(|at| {
                if at.is_of_driver() {
                    driver_mut(document, at.path)?.muted = *muted;
                    return Ok(());
                }
                let clip = clip_mut(document, *at)?;
                if !clip.channels.contains_key(&at.path) {
                    return Err(EditError::NoCurve(at.clip, at.path));
                }
                if *muted {
                    clip.muted.insert(at.path);
                } else {
                    clip.muted.remove(&at.path);
                }
                Ok(())
            }),
            Self::Delete { curves } => curves.iter().try_for_each(|at| {
                if at.is_of_driver() {
                    return DriverEdit::Delete { driven: vec![at.path] }.run(document);
                }
                not_locked(document, at.path)?;
                let removed = clip_mut(document, *at)?.channels.remove(&at.path);
                removed.map(|_| ()).ok_or(EditError::NoCurve(at.clip, at.path))
            }),
        }
    }
}

/// A captured curve as keys, one linear key a sample; none for one that is keyed.
fn to_keys(property: Property, curve: &Curve) -> Option<Curve> {
    let frame = |index: usize| i64::try_from(index).unwrap_or(i64::MAX);
    match curve {
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            let mut before: Option<f64> = None;
            let keys = samples.values.iter().enumerate().map(|(index, value)| {
                let value = match before {
                    Some(before) if property == Property::Rotation => nearest_turn(*value, before),
                    _ => *value,
                };
                before = Some(value);
                let time = samples.start + samples.rate.secs(frame(index));
                Key { interpolation: Interpolation::Linear, ..Key::new(time, value) }
            });
            Some(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve {
                keys: keys.collect(),
                modifiers: samples.modifiers.clone(),
                ..KeyedCurve::default()
            })))
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            let keys = samples.values.iter().enumerate().map(|(index, rotation)| {
                RotationKey::new(
                    samples.start + samples.rate.secs(frame(index)),
                    *rotation,
                    crate::model::RotationInterpolation::Slerp,
                )
            });
            Some(Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: keys.collect() })))
        }
        Curve::Scalar(ScalarCurve::Keyed(_)) | Curve::Rotation(RotationCurve::Keyed(_)) => None,
    }
}

pub(super) fn clip_mut(document: &mut Document, at: CurveRef) -> Result<&mut Clip, EditError> {
    document.clip_mut(at.clip).ok_or(EditError::NoClip(at.clip))
}

/// A curve to change; an error where there is none.
pub(super) fn existing_curve_mut(document: &mut Document, at: CurveRef) -> Result<&mut Curve, EditError> {
    if at.is_of_driver() {
        return Ok(Arc::make_mut(&mut driver_mut(document, at.path)?.curve));
    }
    not_locked(document, at.path)?;
    let curve = clip_mut(document, at)?.channels.get_mut(&at.path).ok_or(EditError::NoCurve(at.clip, at.path))?;
    Ok(Arc::make_mut(curve))
}

/// A curve to change, made without keys where there is none; that of a driver must be there.
pub(super) fn curve_mut(document: &mut Document, at: CurveRef) -> Result<&mut Curve, EditError> {
    if at.is_of_driver() {
        return existing_curve_mut(document, at);
    }
    not_locked(document, at.path)?;
    let curve = clip_mut(document, at)?.channels.entry(at.path).or_insert_with(|| Arc::new(empty_curve(at.path)));
    Ok(Arc::make_mut(curve))
}

/// A curve without keys of the kind that fits a channel.
pub(super) fn empty_curve(path: ChannelPath) -> Curve {
    match path.component {
        Component::Whole => Curve::Rotation(RotationCurve::Keyed(KeyedRotation::default())),
        _ => Curve::Scalar(ScalarCurve::Keyed(KeyedCurve::default())),
    }
}

/// Removes a curve that has no keys left.
pub(super) fn remove_if_empty(document: &mut Document, at: CurveRef) {
    if let Some(clip) = document.clip_mut(at.clip)
        && clip.channels.get(&at.path).is_some_and(|curve| curve.is_empty())
    {
        clip.channels.remove(&at.path);
    }
}

/// That a channel of a clip exists: one of a joint or an object, which holds its rotation in this form, or the influence
/// of one of the clip's pins.
pub(super) fn channel_of(document: &Document, at: CurveRef) -> Result<(), EditError> {
    let path = at.path;
    if at.is_of_driver() {
        return document.driver_of(path).map(|_| ()).ok_or(EditError::NoDriver(path));
    }
    if let Target::Pin(object, pin) = path.target {
        let clip = document.clip(at.clip).ok_or(EditError::NoClip(at.clip))?;
        if clip.pin(pin).is_none_or(|pin| pin.object != object) {
            return Err(EditError::NoPin(at.clip, pin));
        }
    } else {
        target_of(document, path)?;
    }
    if path.is_sound() && document.holds_form(path) { Ok(()) } else { Err(EditError::WrongKind(path)) }
}

/// That a channel's target exists and has such a channel; not for pins, which are a clip's.
pub(super) fn target_of(document: &Document, path: ChannelPath) -> Result<(), EditError> {
    let id = path.target.object();
    let object = document.object(id).ok_or(EditError::NoObject(id))?;
    if !path.is_sound() || matches!(path.target, Target::Pin(..)) {
        return Err(EditError::WrongKind(path));
    }
    if let Target::Point(_, point) = path.target
        && object.point_value(point).is_none()
    {
        return Err(EditError::NoPoint(id, point));
    }
    if let Target::Constraint(_, constraint) = path.target
        && object.constraint(constraint).is_none()
    {
        return Err(EditError::NoConstraint(id, constraint));
    }
    if let (Target::Constraint(_, constraint), Property::Translation) = (path.target, path.property)
        && object.constraint(constraint).is_none_or(|constraint| constraint.as_chain().is_none())
    {
        return Err(EditError::WrongKind(path));
    }
    if let Target::Pole(_, constraint) = path.target
        && object.pole(constraint).is_none()
    {
        return Err(EditError::NoPole(id, constraint));
    }
    if path.property == Property::FieldOfView && object.as_camera().is_none() {
        return Err(EditError::WrongKind(path));
    }
    if let Target::Morph(_, morph) = path.target
        && object.as_mesh().is_none_or(|mesh| mesh.morph(morph).is_none())
    {
        return Err(EditError::NoMorph(id, morph));
    }
    if let Target::Deformer(_, entry) = path.target
        && object.as_mesh().is_none_or(|mesh| mesh.entry(entry).is_none())
    {
        return Err(EditError::NoStackEntry(id, entry));
    }
    if let Target::Layer(_, layer) | Target::Sample(_, layer, _) = path.target
        && object.layer(layer).is_none()
    {
        return Err(EditError::NoLayer(id, layer));
    }
    if path.property == Property::Blend && object.as_mesh().is_none() {
        return Err(EditError::WrongKind(path));
    }
    if Property::DEFORMER.contains(&path.property)
        && object.as_deformer().is_none_or(|deformer| deformer.number(path.property).is_none())
    {
        return Err(EditError::WrongKind(path));
    }
    if Property::LIGHT.contains(&path.property) && object.as_light().is_none() {
        return Err(EditError::WrongKind(path));
    }
    if let Target::Joint(_, joint) = path.target {
        let rig = object.as_rig().ok_or(EditError::NotARig(id))?;
        let found = rig.skeleton.joint(joint).ok_or(EditError::NoJoint(id, joint))?;
        if found.is_end() {
            return Err(EditError::BoneTip(id, joint));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{KeyEdit, Session},
        eval::sample::{Stage, clip_local},
        math::Vec3,
        model::{FrameRange, Joint, JointId, Object, Rig, Skeleton},
    };

    /// A muted curve moves nothing, waits unchanged, is saved, and is no longer muted once it is gone.
    #[test]
    fn muted_curves_show_the_rest_value() {
        let mut document = Document::default();
        let joint = Joint::new(JointId(0), "hips", None, Vec3::new(1.0, 2.0, 3.0));
        let skeleton = Arc::new(Skeleton::new(vec![joint]).unwrap());
        let rig = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
        let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 24)));
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        let path = |component| ChannelPath::joint(rig, JointId(0), Property::Translation, component);
        let at = |component| CurveRef { clip, path: path(component) };
        for component in [Component::X, Component::Y] {
            let keys = vec![Key::new(0.0, 7.0), Key::new(1.0, 9.0)];
            KeyEdit::Insert { curve: at(component), keys }.run(&mut document).unwrap();
        }
        let mut session = Session::new(document);
        let place = |document: &Document| {
            let clip = document.clip(clip).map(|clip| &**clip);
            let target = Target::Joint(rig, JointId(0));
            clip_local(document, clip, target, 0.0, Stage::Shown).unwrap().translation
        };
        let mute = |muted| Edit::from(CurveEdit::Mute { curves: vec![at(Component::X)], muted });
        session.apply("history.mute_curves", &mute(true)).unwrap();
        assert_eq!(place(session.document()), Vec3::new(1.0, 7.0, 3.0));
        assert_eq!(session.document().problems(), []);
        assert_eq!(session.document().without_muted().clip(clip).unwrap().channels.len(), 1);
        session.undo();
        assert_eq!(place(session.document()), Vec3::new(7.0, 7.0, 3.0));
        session.apply("history.mute_curves", &mute(true)).unwrap();
        session.apply("x", &CurveEdit::Delete { curves: vec![at(Component::X)] }.into()).unwrap();
        assert!(session.document().clip(clip).unwrap().muted.is_empty());
        assert!(mute(true).apply(&mut session.document().as_ref().clone()).is_err());
    }
}
