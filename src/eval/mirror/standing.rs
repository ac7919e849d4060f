//! Where on the ground a figure stands and which way it faces, so that a pose can be brought on without moving it away.
//!
//! One joint carries the figure through space: of the joints from the skeleton's top to the hips the first that is moved at
//! all, so that of a file with a root above the hips the one counts that the file travels with. Its place across the ground
//! and its turn about the vertical (the twist of its rotation) are where the figure stands; its height and the rest of its
//! rotation, the lean, belong to the pose.

use super::Mirror;
use crate::{
    math::{
        Quat, Transform, Vec3,
        rotation::{rotation_angle, swing_twist},
    },
    model::{Clip, Curve, Document, ObjectId, Property, RotationCurve, ScalarCurve, Target, channel::ChannelPath},
};

/// How far from its rest pose a joint counts as moved, metres or radians.
const MOVED: f64 = 1e-6;

/// The joint that a figure stands by.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    mirror: &'a Mirror,
    /// The joint that carries the figure, by index.
    carrier: usize,
    /// Unit, up, in the skeleton's space.
    up: Vec3,
    /// The turn away from its rest pose with which it faces as at rest, upright; it has no side.
    neutral: Quat,
}

/// A motion across the ground: a turn about the vertical, then a shift, in the skeleton's axes.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    turn: Quat,
    offset: Vec3,
}

impl Shift {
    /// How far it turns about the vertical, radians.
    #[must_use]
    pub fn turn(&self) -> f64 {
        rotation_angle(&self.turn)
    }
}

impl Mirror {
    /// What a figure stands by. `is_moved` says whether a joint of the given index is elsewhere than at rest in any of the
    /// poses in question; a joint that the object's clip moves counts as moved too. None of a skeleton without joints, or
    /// where what carries it lies on one side.
    #[must_use]
    pub fn standing(
        &self,
        document: &Document,
        object: ObjectId,
        is_moved: impl Fn(usize, &Transform) -> bool,
    ) -> Option<Standing<'_>> {
        let skeleton = &document.object(object)?.as_rig()?.skeleton;
        let parents = skeleton.parents();
        let top = || skeleton.joints().iter().position(|joint| joint.parent.is_none() && !joint.is_end());
        let last = self.hips.or_else(top)?;
        let up = |joint: &usize| parents.get(*joint).copied().flatten().filter(|parent| parent < joint);
        let mut chain: Vec<usize> = std::iter::successors(Some(last), up).collect();
        chain.reverse();
        let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
        let moved = |joint: &usize| {
            let id = skeleton.joints().get(*joint).map(|joint| joint.id);
            let by_clip = clip.zip(id).is_some_and(|(clip, id)| varies(clip, Target::Joint(object, id)));
            by_clip || self.rest.get(*joint).is_some_and(|rest| is_moved(*joint, rest))
        };
        let carrier = chain.iter().copied().find(moved).unwrap_or(last);
        self.standing_by(carrier)
    }

    pub(in crate::eval) fn standing_by(&self, carrier: usize) -> Option<Standing<'_>> {
        if self.partner(carrier) != carrier {
            return None;
        }
        let (own, above) = self.rotations.get(carrier)?;
        // Upright, and across the plane of symmetry: a turn about it must be undone by the mirror.
        let axis = self.up.iamax();
        let up = Vec3::ith(axis, self.up[axis].signum());
        let up = (up - self.normal * self.normal.dot(&up)).try_normalize(1e-6)?;
        let stance = self.stance.get(carrier).map_or(*own, |stance| above * stance.rotation);
        let neutral = swing_twist(&(stance * own.inverse()), &self.normal).1;
        Some(Standing { mirror: self, carrier, up, neutral })
    }
}

/// Whether the joint is elsewhere than at rest.
#[must_use]
pub fn is_moved(local: &Transform, rest: &Transform) -> bool {
    let (a, b) = (&local.rotation.coords, &rest.rotation.coords);
    let turned = (a - b).norm().min((a + b).norm()) > MOVED;
    turned || (local.translation - rest.translation).amax() > MOVED
}

impl Standing<'_> {
    /// The joint that carries the figure, by index.
    #[must_use]
    pub const fn carrier(&self) -> usize {
        self.carrier
    }

    /// The turn about the vertical away from the way it faces at rest, for the carrier's local transform; none where it is
    /// head down, where no way is forward.
    #[must_use]
    pub fn heading(&self, local: &Transform) -> Quat {
        let Some((own, above)) = self.mirror.rotations.get(self.carrier) else { return Quat::identity() };
        let turned = above * local.rotation * own.inverse() * self.neutral.inverse();
        swing_twist(&turned, &self.up).1
    }

    /// Where it stands: the place across the ground, for the carrier's local transform; in the axes of the skeleton.
    #[must_use]
    pub fn place(&self, local: &Transform) -> Vec3 {
        let above = self.mirror.rotations.get(self.carrier).map_or_else(Quat::identity, |(_, above)| *above);
        let at = above * local.translation;
        at - self.up * self.up.dot(&at)
    }

    /// Brings a pose, given by joint index and local transform, to where the figure stands and faces with the carrier at
    /// `to`: height and lean stay those of the pose. What is moved beside the carrier goes along. A pose that does not say
    /// where the carrier is stays as it is.
    pub fn bring(&self, pose: &mut [(usize, Transform)], skeleton_parents: &[Option<usize>], to: &Transform) {
        let Some(from) = pose.iter().find(|(joint, _)| *joint == self.carrier).map(|(_, local)| *local) else { return };
        self.go(pose, skeleton_parents, &self.way(&from, to));
    }

    /// The motion across the ground that brings where the figure stands and faces from one transform of the carrier to
    /// another.
    #[must_use]
    pub fn way(&self, from: &Transform, to: &Transform) -> Shift {
        let turn = self.heading(to) * self.heading(from).inverse();
        Shift { turn, offset: self.place(to) - turn * self.place(from) }
    }

    /// Moves a pose, given by joint index and local transform, across the ground: the carrier and what is moved beside it.
    pub fn go(&self, pose: &mut [(usize, Transform)], skeleton_parents: &[Option<usize>], shift: &Shift) {
        let parent = |joint: usize| skeleton_parents.get(joint).copied().flatten();
        for (joint, local) in pose {
            let rest = self.mirror.rest.get(*joint);
            let beside = parent(*joint) == parent(self.carrier) && rest.is_some_and(|rest| is_moved(local, rest));
            if *joint == self.carrier || beside {
                *local = self.shifted(local, shift);
            }
        }
    }

    fn shifted(&self, local: &Transform, shift: &Shift) -> Transform {
        let above = self.mirror.rotations.get(self.carrier).map_or_else(Quat::identity, |(_, above)| *above);
        Transform {
            translation: above.inverse() * (shift.turn * (above * local.translation) + shift.offset),
            rotation: above.inverse() * shift.turn * above * local.rotation,
            scale: local.scale,
        }
    }
}

/// Whether a clip moves a target from where it is: curves that only hold it do not.
fn varies(clip: &Clip, target: Target) -> bool {
    let corrected = clip.corrections.iter().any(|c| c.deltas.keys().any(|path| path.target == target));
    let parts = [Property::Translation, Property::Rotation];
    let curves = clip.channels.iter().filter(|(path, _)| is_of(path, target, parts));
    corrected || curves.into_iter().any(|(_, curve)| is_uneven(curve))
}

fn is_of(path: &ChannelPath, target: Target, parts: [Property; 2]) -> bool {
    path.target == target && parts.contains(&path.property)
}

fn is_uneven(curve: &Curve) -> bool {
    match curve {
        Curve::Scalar(ScalarCurve::Sampled(samples)) => differ(samples.values.iter().copied(), |a, b| (a - b).abs()),
        Curve::Scalar(ScalarCurve::Keyed(curve)) => differ(curve.keys.iter(), |a, b| (a.value - b.value).abs()),
        Curve::Rotation(RotationCurve::Keyed(curve)) => {
            differ(curve.keys.iter(), |a, b| a.rotation.angle_to(&b.rotation))
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => differ(samples.values.iter(), |a, b| a.angle_to(b)),
    }
}

/// Whether any value is apart from the first.
fn differ<T>(mut values: impl Iterator<Item = T>, apart: impl Fn(&T, &T) -> f64) -> bool {
    values.next().is_some_and(|first| values.any(|value| apart(&value, &first) > MOVED))
}
