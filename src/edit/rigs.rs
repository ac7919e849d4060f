//! Edits of rigs.

use super::{Edit, EditError, ObjectEdit, PinEdit, error::finite, objects::object_mut, orientation_numbers};
use crate::{
    math::{Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{
        ChainHint, Document, JointId, LengthUnit, LimbSetting, LimitSetting, Locks, ObjectId, ObjectKind, PinSpace, Rig,
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

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
    /// Makes or changes a set of joints, or drops it where there are none.
    SetJoints {
        /// The rig object.
        object: ObjectId,
        /// The set.
        name: String,
        /// The joints; empty drops the set.
        joints: BTreeSet<JointId>,
    },
    /// Renames a set of joints.
    RenameSet {
        /// The rig object.
        object: ObjectId,
        /// The set.
        name: String,
        /// Its new name, not in use.
        to: String,
    },
    /// Gives a set of joints a colour.
    SetColor {
        /// The rig object.
        object: ObjectId,
        /// The set.
        name: String,
        /// Red, green and blue; none for no colour of its own.
        color: Option<[u8; 3]>,
    },
    /// Sets what of joints nothing done by hand changes.
    SetLocks {
        /// The rig object.
        object: ObjectId,
        /// The joints and the locks of each.
        locks: Vec<(JointId, Locks)>,
    },
    /// Sets the limits of a joint.
    SetLimit {
        /// The rig object.
        object: ObjectId,
        /// The joint.
        joint: JointId,
        /// What is said; none for the limits of its role.
        limit: Option<LimitSetting>,
    },
    /// Corrects a limb that was found, or adds one.
    SetLimb {
        /// The rig object.
        object: ObjectId,
        /// The joint at the end of the limb that was found; of one that is added its own end.
        found: JointId,
        /// What it is; none for what is found.
        limb: Option<LimbSetting>,
    },
    /// Takes all corrections of limbs back.
    ResetLimbs {
        /// The rig object.
        object: ObjectId,
    },
    /// Says in which unit the rig's file counts: everything of it that is a length is scaled, in rest pose, curves,
    /// corrections, pins and waiting edits.
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
            Self::SetJoints { object, name, joints } => {
                let rig = rig_mut(document, *object)?;
                if let Some(missing) = joints.iter().find(|id| rig.skeleton.index_of(**id).is_none()) {
                    return Err(EditError::NoJoint(*object, *missing));
                }
                if name.is_empty() {
                    return Err(EditError::BadName(name.clone()));
                }
                if joints.is_empty() {
                    rig.set_colors.remove(name);
                    rig.sets.remove(name).ok_or_else(|| EditError::NoSet(*object, name.clone()))?;
                } else {
                    rig.sets.insert(name.clone(), joints.clone());
                }
                Ok(())
            }
            Self::RenameSet { object, name, to } => {
                let rig = rig_mut(document, *object)?;
                if to.is_empty() || rig.sets.contains_key(to) {
                    return Err(EditError::BadName(to.clone()));
                }
                let joints = rig.sets.remove(name).ok_or_else(|| EditError::NoSet(*object, name.clone()))?;
                rig.sets.insert(to.clone(), joints);
                if let Some(color) = rig.set_colors.remove(name) {
                    rig.set_colors.insert(to.clone(), color);
                }
                Ok(())
            }
            Self::SetColor { object, name, color } => {
                let rig = rig_mut(document, *object)?;
                if !rig.sets.contains_key(name) {
                    return Err(EditError::NoSet(*object, name.clone()));
                }
                match color {
                    Some(color) => rig.set_colors.insert(name.clone(), *color),
                    None => rig.set_colors.remove(name),
                };
                Ok(())
            }
            Self::SetLocks { object, locks } => {
                let rig = rig_mut(document, *object)?;
                for (joint, locks) in locks {
                    let found = rig.skeleton.joint(*joint).ok_or(EditError::NoJoint(*object, *joint))?;
                    if found.is_end() {
                        return Err(EditError::BoneTip(*object, *joint));
                    }
                    match *locks == Locks::default() {
                        true => rig.locks.remove(joint),
                        false => rig.locks.insert(*joint, *locks),
                    };
                }
                Ok(())
            }
            Self::SetLimit { object, joint, limit } => {
                let rig = rig_mut(document, *object)?;
                rig.skeleton.index_of(*joint).ok_or(EditError::NoJoint(*object, *joint))?;
                if matches!(limit, Some(LimitSetting::Own(limit)) if !limit.is_sound()) {
                    return Err(EditError::BadLimit(*object, *joint));
                }
                match limit {
                    Some(limit) => rig.limits.insert(*joint, *limit),
                    None => rig.limits.remove(joint),
                };
                Ok(())
            }
            Self::SetLimb { object, found, limb } => {
                let rig = rig_mut(document, *object)?;
                rig.skeleton.index_of(*found).ok_or(EditError::NoJoint(*object, *found))?;
                if matches!(limb, Some(LimbSetting::Limb(limb)) if !rig.fits(limb)) {
                    return Err(EditError::BadLimb(*object, *found));
                }
                match limb {
                    Some(limb) => rig.limbs.insert(*found, *limb),
                    None => rig.limbs.remove(found),
                };
                Ok(())
            }
            Self::ResetLimbs { object } => {
                rig_mut(document, *object)?.limbs.clear();
                Ok(())
            }
            Self::SetUnit { object, unit } => super::rig_unit::set_unit(document, *object, *unit),
        }
    }
}

pub(super) fn rig_mut(document: &mut Document, object: ObjectId) -> Result<&mut Rig, EditError> {
    match &mut object_mut(document, object)?.kind {
        ObjectKind::Rig(rig) => Ok(Arc::make_mut(rig)),
        _ => Err(EditError::NotARig(object)),
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

/// Whether such a static rotation stands up what lies along Z: Z leans to the world's Y by more than to the ground.
#[must_use]
pub fn stands_up(rotation: Quat) -> bool {
    (rotation * Vec3::z()).y > 0.5
}

/// The axis to which an object that is turned so is stood up: one that is turned already goes back to how its file has it.
#[must_use]
pub fn stood_up(rotation: Quat) -> UpAxis {
    if stands_up(rotation) { UpAxis::Y } else { UpAxis::Z }
}

/// Stands an object up: its static rotation becomes that of the axis. Joint channels stay as they are; the pins that hold
/// its joints in the world go with it, for what they hold is turned with the whole figure.
///
/// # Errors
/// Where there is no such object.
pub fn stand_up(document: &Document, object: ObjectId, up: UpAxis) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let (before, after) = (found.transform, Transform { rotation: up.rotation(), ..found.transform });
    let mut edits = vec![ObjectEdit::SetTransform { object, transform: after }.into()];
    // Under a parent, which may move, there is no one turn of the world.
    if found.parent.is_none() {
        let turn = after.rotation * before.rotation.inverse();
        for (id, clip) in document.clips.iter() {
            let own = clip.pins.iter().filter(|pin| pin.object == object && pin.space == PinSpace::World);
            edits.extend(own.map(|pin| {
                let place = before.translation + turn * (pin.place - before.translation);
                let orientation = orientation_numbers(pin.orientation.map(|rotation| turn * rotation));
                Edit::from(PinEdit::SetPlace { clip: *id, pin: pin.id, place, orientation })
            }));
        }
    }
    Ok(Edit::Batch(edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::pose::{AutoKey, pose_edit},
        eval::Evaluator,
        math::Affine,
        model::{
            ChannelPath, Clip, Curve, FrameRange, FrameRate, Joint, Key, KeyedCurve, Mesh, Modifier, ModifierKind,
            Object, Parent, Property, Samples, ScalarCurve, Scheme, Skeleton, Skin, SkinJoint,
        },
    };

    const OBJECT: ObjectId = ObjectId(1);

    /// A rig of two joints with a captured translation, a correction and an edit that waits.
    fn document() -> Document {
        let joints = vec![
            Joint::new(JointId(0), "hips", None, Vec3::new(0.0, 1.0, 0.0)),
            Joint::new(JointId(1), "spine", Some(JointId(0)), Vec3::new(0.0, 0.5, 0.1)),
        ];
        let mut document = Document::default();
        let rig = Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() };
        document.add_object(Object::rig("rig", rig));
        let mut clip = Clip::new("clip", FrameRange::new(0, 47));
        let values = (0..48).map(|i| (f64::from(i) * 0.1).sin()).collect();
        let samples = ScalarCurve::Sampled(Samples::new(0.0, FrameRate::FPS_24, values));
        let path = ChannelPath::joint(OBJECT, JointId(0), Property::Translation, crate::model::Component::X);
        clip.channels.insert(path, Arc::new(Curve::Scalar(samples)));
        // Everything of a keyed curve that is a length.
        let keyed = KeyedCurve {
            keys: [(0.0, 0.2), (0.7, -0.1), (2.0, 0.4)]
                .map(|(time, value)| Key::new(time, value))
                .into_iter()
                .collect(),
            scheme: Scheme::Clamped(0.3, -0.8),
            modifiers: vec![
                Modifier::new(ModifierKind::Noise { size: 0.2, frequency: 3.0, octaves: 2, seed: 4 }),
                Modifier::new(ModifierKind::Limits { low: Some(-0.05), high: Some(0.25) }),
            ],
            ..KeyedCurve::default()
        };
        let path = ChannelPath::joint(OBJECT, JointId(0), Property::Translation, crate::model::Component::Z);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(keyed))));
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        for (joint, secs, auto_key) in [(0, 1.0, AutoKey::On), (1, 0.5, AutoKey::On), (0, 1.5, AutoKey::Off)] {
            let local = Transform { translation: Vec3::new(0.3, -0.2, 0.1), ..Transform::IDENTITY };
            let edit = pose_edit(&document, OBJECT, secs, &[(JointId(joint), local)], auto_key).unwrap();
            edit.apply(&mut document).unwrap();
        }
        Edit::from(RigEdit::SetHint {
            object: OBJECT,
            joint: JointId(1),
            hint: Some(ChainHint { pole: Some(Vec3::z()), ..ChainHint::default() }),
        })
        .apply(&mut document)
        .unwrap();
        document
    }

    #[test]
    fn another_unit_scales_every_length_of_the_rig_at_every_time() {
        let before = document();
        let mut after = before.clone();
        Edit::from(RigEdit::SetUnit { object: OBJECT, unit: LengthUnit::Inch }).apply(&mut after).unwrap();
        assert_eq!(after.problems(), []);
        for secs in [0.0, 0.5, 0.77, 1.0, 1.1, 1.5] {
            let [a, b] = [&before, &after].map(|document| Evaluator::new().frame(document, secs));
            for (a, b) in a.rig(OBJECT).unwrap().model.iter().zip(&b.rig(OBJECT).unwrap().model) {
                assert!((a.translation * 0.0254 - b.translation).norm() < 1e-12 && a.linear == b.linear);
            }
        }
        let rig = after.objects[&OBJECT].as_rig().unwrap();
        assert_eq!((rig.unit, rig.hints[&JointId(1)].pole), (LengthUnit::Inch, Some(Vec3::z() * 0.0254)));
    }

    #[test]
    fn what_hangs_from_the_joints_and_what_is_skinned_to_them_grow_with_another_unit() {
        let mut before = document();
        let bind = Affine { linear: crate::math::Mat3::identity(), translation: Vec3::new(0.1, -1.5, 0.2) };
        let joint = Parent::Joint(OBJECT, JointId(1));
        let skin =
            Skin { joints: vec![SkinJoint { joint, joint_from_mesh: SkinJoint::rows(&bind) }], ..Skin::default() };
        let mesh = Mesh { skin: Some(Arc::new(skin)), ..Mesh::default() };
        let mesh = before.add_object(Object::new("skin", ObjectKind::Mesh(Arc::new(mesh))));
        let mut hat = Object::new("hat", ObjectKind::Empty);
        hat.parent = Some(joint);
        hat.transform.translation = Vec3::new(0.0, 0.2, 0.1);
        let hat = before.add_object(hat);
        let mut after = before.clone();
        Edit::from(RigEdit::SetUnit { object: OBJECT, unit: LengthUnit::Inch }).apply(&mut after).unwrap();
        let [a, b] = [&before, &after].map(|document| {
            let frame = Evaluator::new().frame(document, 0.5);
            let skin = document.objects[&mesh].as_mesh().unwrap().skin.clone().unwrap();
            let vertex = Vec3::new(0.3, 1.7, -0.2);
            let on_skin = frame.rig(OBJECT).unwrap().model[1].point(&skin.joints[0].inverse_bind().point(&vertex));
            [on_skin, frame.objects[&hat].world.point(&vertex)]
        });
        for (a, b) in a.iter().zip(b) {
            assert!((a * 0.0254 - b).norm() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn standing_up_turns_the_object_and_nothing_else() {
        let before = document();
        let mut after = before.clone();
        stand_up(&before, OBJECT, UpAxis::Z).unwrap().apply(&mut after).unwrap();
        assert!(Arc::ptr_eq(&before.clips, &after.clips));
        let frame = Evaluator::new().frame(&after, 0.0);
        let world: Affine = frame.objects[&OBJECT].world;
        assert!((world.vector(&Vec3::z()) - Vec3::y()).norm() < 1e-15);
        stand_up(&after, OBJECT, UpAxis::Y).unwrap().apply(&mut after).unwrap();
        assert_eq!(after, before);
    }

    #[test]
    fn what_is_pinned_in_the_world_is_stood_up_with_the_figure() {
        let mut before = document();
        let found = Arc::make_mut(Arc::make_mut(&mut before.objects).get_mut(&OBJECT).unwrap());
        found.transform.translation = Vec3::new(2.0, 0.5, -1.0);
        let evaluator = Evaluator::new();
        let start = Arc::new(before.clone());
        let edit = crate::edit::pin_here::pin_here(&start, &evaluator, &[(OBJECT, JointId(1))], 0.25).unwrap();
        edit.apply(&mut before).unwrap();
        let clip = *before.clips.keys().next().unwrap();
        let pin = before.clips[&clip].pins[0].clone();
        let orientation = Some([0.6, 0.0, 0.8, 0.0]);
        let place = pin.place + Vec3::new(0.02, 0.01, 0.0);
        Edit::from(PinEdit::SetPlace { clip, pin: pin.id, place, orientation }).apply(&mut before).unwrap();
        let mut after = before.clone();
        stand_up(&before, OBJECT, UpAxis::Z).unwrap().apply(&mut after).unwrap();
        // In its own space the figure stands as it did.
        let own = |document: &Document| {
            let frame = evaluator.frame(&Arc::new(document.clone()), 0.25);
            (frame.rig(OBJECT).unwrap().model.clone(), frame.pins[0].gap)
        };
        let ((was, gap), (is, same_gap)) = (own(&before), own(&after));
        assert!((gap - same_gap).abs() < 1e-12);
        for (a, b) in was.iter().zip(&is) {
            assert!((a.translation - b.translation).norm() < 1e-12 && (a.linear - b.linear).norm() < 1e-12);
        }
        assert_ne!(before.clips[&clip].pins[0].place, after.clips[&clip].pins[0].place);
    }

    #[test]
    fn a_hint_that_says_nothing_is_none() {
        let mut document = document();
        let hint = |joint, hint| Edit::from(RigEdit::SetHint { object: OBJECT, joint: JointId(joint), hint });
        assert_eq!(hint(9, None).apply(&mut document), Err(EditError::NoJoint(OBJECT, JointId(9))));
        hint(1, Some(ChainHint::default())).apply(&mut document).unwrap();
        assert!(document.objects[&OBJECT].as_rig().unwrap().hints.is_empty());
    }
}
