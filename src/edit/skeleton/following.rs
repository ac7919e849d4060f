//! What follows a change of the rest pose: curves and waiting edits, and the binding of skins.

use crate::{
    edit::anew::{self, Anew},
    eval::{
        drive::angle_order,
        rotation_form::in_form,
        sample::{Stage, axis_slot, clip_local, read_angles},
    },
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{nearest_euler, to_euler},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, Joint, JointId, ObjectId, ObjectKind, Parent, Property,
        RotationCurve, RotationInterpolation, RotationKey, RotationMode, RotationTangents, SkinJoint, Target, Value,
    },
};
use nalgebra::Quaternion;
use std::{collections::BTreeMap, sync::Arc};

/// A turn smaller than this is rounding, radians: curves stay as they are to the bit.
const NO_TURN: f64 = 1e-12;

/// Brings the curves and waiting edits of a joint, which the document still has as it was, to another rest pose, and what
/// drives it or is driven by it.
///
/// What is turned keeps its offset from the rest pose in its own axes; a turn about the joint's own bone (`bone`, in the joint's
/// space) only rolls those axes, and the bone moves as before.
///
/// A driver's curve is moved by the difference of the rest pose's number: of angles that is exact where the joint turns about
/// one axis, at rest too.
///
/// Euler angles go by way of quaternions and back: between keys they may run a little otherwise, as they do where a joint's
/// rotation form is changed.
pub(super) fn follow(document: &mut Document, object: ObjectId, before: &Joint, rest: &Transform, bone: Option<&Vec3>) {
    let target = Target::Joint(object, before.id);
    let shift = rest.translation - before.rest.translation;
    let turn = Turn::new(&before.rest.rotation, &rest.rotation, bone);
    let clips: Vec<ClipId> =
        document.clips.iter().filter(|(_, clip)| names(clip, target)).map(|(clip, _)| *clip).collect();
    for id in clips {
        let turned =
            turn.zip(document.clip(id).cloned()).map(|(turn, clip)| Turned::new(document, &clip, before, target, turn));
        let Some(clip) = document.clip_mut(id) else { continue };
        for (axis, by) in Component::AXES.into_iter().zip(shift.iter().copied()).filter(|(_, by)| *by != 0.0) {
            let path = ChannelPath { target, property: Property::Translation, component: axis };
            if let Some(curve) = clip.channels.get_mut(&path) {
                anew::values(Arc::make_mut(curve), Anew::shifted(by));
            }
            for value in clip.unkeyed.iter_mut().filter_map(|frame| frame.values.get_mut(&path)) {
                if let Value::Scalar(number) = value {
                    *number += by;
                }
            }
        }
        if let Some(turned) = turned {
            turned.put(clip, target);
        }
    }
    let order = angle_order(document, target);
    let angles = to_euler(order, &before.rest.rotation);
    let turned = nearest_euler(order, &rest.rotation, angles);
    anew::drivers(document, |_, path| {
        let axis = path.component.axis().filter(|_| path.target == target)?;
        match path.property {
            Property::Translation => Some(Anew::shifted(shift[axis])),
            Property::Rotation if turn.is_some() => {
                let slot = axis_slot(order, axis);
                Some(Anew::shifted(turned[slot] - angles[slot]))
            }
            _ => None,
        }
    });
}

fn names(clip: &Clip, target: Target) -> bool {
    clip.channels.keys().any(|path| path.target == target)
        || clip.unkeyed.iter().any(|frame| frame.values.keys().any(|path| path.target == target))
}

const fn rotation(target: Target, component: Component) -> ChannelPath {
    ChannelPath { target, property: Property::Rotation, component }
}

/// What becomes of a joint's rotations, in its parent's space, as its rest pose is turned: `left * rotation * right`.
#[derive(Clone, Copy, Debug)]
struct Turn {
    left: Quat,
    right: Quat,
}

impl Turn {
    fn new(before: &Quat, after: &Quat, bone: Option<&Vec3>) -> Option<Self> {
        let (left, own) = (after * before.inverse(), before.inverse() * after);
        let rolls = bone.is_some_and(|bone| (own * bone - bone).norm() < 1e-9 * bone.norm());
        let identity = Quat::identity();
        let turn = if rolls { Self { left: identity, right: own } } else { Self { left, right: identity } };
        (own.angle() > NO_TURN).then_some(turn)
    }

    fn of(self, rotation: Quat) -> Quat {
        self.left * rotation * self.right
    }
}

/// A clip's rotations of one joint after a turn of its rest pose.
struct Turned {
    curves: Vec<(ChannelPath, Arc<Curve>)>,
    /// Waiting values by the place of their frame in the list.
    waiting: Vec<(usize, Vec<(ChannelPath, Value)>)>,
}

impl Turned {
    fn new(document: &Document, clip: &Clip, joint: &Joint, target: Target, turn: Turn) -> Self {
        let is_own = |path: &ChannelPath| path.target == target && path.property == Property::Rotation;
        let whole = rotation(target, Component::Whole);
        let mut curves = Vec::new();
        match joint.rotation {
            RotationMode::Quaternion => {
                curves.extend(clip.channels.get(&whole).map(|curve| (whole, turned(curve, turn))));
            }
            RotationMode::Euler(_) if clip.channels.keys().any(is_own) => {
                let formed = in_form(document, clip, target, RotationMode::Quaternion).unwrap_or_default().0;
                let mut scratch = document.clone();
                hold_as_quaternion(&mut scratch, target);
                let channels = formed.iter().map(|(path, curve)| (*path, turned(curve, turn))).collect();
                let between = Clip { channels, ..Clip::new(&clip.name, clip.range) };
                curves = in_form(&scratch, &between, target, joint.rotation).unwrap_or_default().0;
            }
            RotationMode::Euler(_) => {}
        }
        let waiting = clip.unkeyed.iter().enumerate().filter(|(_, frame)| frame.values.keys().any(is_own));
        let waiting = waiting.filter_map(|(index, frame)| {
            let found = turn.of(clip_local(document, Some(clip), target, frame.time, Stage::Shown)?.rotation);
            let values = match joint.rotation {
                RotationMode::Quaternion => vec![(whole, Value::Rotation(found))],
                RotationMode::Euler(order) => {
                    let angles = read_angles(order, nearest_euler(order, &found, [0.0; 3]));
                    let axes = Component::AXES.into_iter().zip(angles);
                    axes.map(|(axis, angle)| (rotation(target, axis), Value::Scalar(angle))).collect()
                }
            };
            Some((index, values))
        });
        Self { curves, waiting: waiting.collect() }
    }

    fn put(self, clip: &mut Clip, target: Target) {
        let is_own = |path: &ChannelPath| path.target == target && path.property == Property::Rotation;
        if !self.curves.is_empty() {
            let mut own = clip.channels.keys().filter(|path| is_own(path)).peekable();
            let muted = own.peek().is_some() && own.all(|path| clip.muted.contains(path));
            clip.muted.retain(|path| !is_own(path));
            clip.channels.retain(|path, _| !is_own(path));
            if muted {
                clip.muted.extend(self.curves.iter().map(|(path, _)| *path));
            }
            clip.channels.extend(self.curves);
        }
        for (index, values) in self.waiting {
            if let Some(frame) = clip.unkeyed.get_mut(index) {
                frame.values.extend(values);
            }
        }
    }
}

fn hold_as_quaternion(document: &mut Document, target: Target) {
    let Target::Joint(object, id) = target else { return };
    if let Some(ObjectKind::Rig(rig)) = document.object_mut(object).map(|object| &mut object.kind) {
        let held = rig.skeleton.map_joints(|joint| {
            let mut joint = joint.clone();
            if joint.id == id {
                joint.rotation = RotationMode::Quaternion;
            }
            joint
        });
        if let Ok(held) = held {
            Arc::make_mut(rig).skeleton = Arc::new(held);
        }
    }
}

/// A rotation curve with every rotation turned.
fn turned(curve: &Arc<Curve>, turn: Turn) -> Arc<Curve> {
    let slope = |[x, y, z, w]: [f32; 4]| {
        let slope = Quaternion::new(f64::from(w), f64::from(x), f64::from(y), f64::from(z));
        let slope = turn.left.quaternion() * slope * turn.right.quaternion();
        [slope.i as f32, slope.j as f32, slope.k as f32, slope.w as f32]
    };
    let mut curve = Curve::clone(curve);
    match &mut curve {
        Curve::Rotation(RotationCurve::Keyed(keyed)) => keyed.keys.update_in_place(|_, key| {
            let interpolation = match key.interpolation {
                RotationInterpolation::Hermite(tangents) => RotationInterpolation::Hermite(RotationTangents {
                    out: slope(tangents.out),
                    into: slope(tangents.into),
                }),
                plain => plain,
            };
            Some(RotationKey { rotation: turn.of(key.rotation), interpolation, ..*key })
        }),
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            samples.values = samples.values.iter().map(|rotation| turn.of(*rotation)).collect();
        }
        Curve::Scalar(_) => {}
    }
    Arc::new(curve)
}

/// Binds skins anew to joints whose rest pose moved, so that meshes stay as they are at rest. A joint without size at rest
/// keeps its binding.
pub(super) fn rebind(
    document: &mut Document,
    object: ObjectId,
    before: &BTreeMap<JointId, Affine>,
    after: &BTreeMap<JointId, Affine>,
) {
    let moved = |joint: JointId| {
        let (before, after) = (before.get(&joint)?, after.get(&joint)?);
        (before != after).then_some(())?;
        Some(after.try_inverse()? * *before)
    };
    let change = |of: &SkinJoint| match of.joint {
        Parent::Joint(rig, joint) if rig == object => {
            let rows = SkinJoint::rows(&(moved(joint)? * of.inverse_bind()));
            Some(SkinJoint { joint_from_mesh: rows, ..*of })
        }
        _ => None,
    };
    change_skins(document, change);
}

/// Changes joints of skins where a function says how; meshes it changes nothing of stay shared.
pub(in crate::edit) fn change_skins(document: &mut Document, change: impl Fn(&SkinJoint) -> Option<SkinJoint>) {
    let touched = |object: &crate::model::Object| {
        let skin = object.as_mesh().and_then(|mesh| mesh.skin.as_ref());
        skin.is_some_and(|skin| skin.joints.iter().any(|joint| change(joint).is_some()))
    };
    let skinned: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| touched(object)).map(|(id, _)| *id).collect();
    for id in skinned {
        if let Some(ObjectKind::Mesh(mesh)) = document.object_mut(id).map(|object| &mut object.kind)
            && let Some(skin) = Arc::make_mut(mesh).skin.as_mut()
        {
            for joint in &mut Arc::make_mut(skin).joints {
                *joint = change(joint).unwrap_or(*joint);
            }
        }
    }
}
