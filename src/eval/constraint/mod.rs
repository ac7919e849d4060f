//! Constraints of objects and joints: what each makes of a place, a rotation and a scale.
//!
//! Everything is in the world. A constraint that looks at nothing that is there leaves things as they are; at a weight
//! between 0 and 1 places and scales are mixed and the turn is slerped on the short way. Nothing depends on what was shown
//! before.

mod chain;
mod joints;
mod limited;

pub use chain::{ChainReport, axis_space, bend_place};
pub use joints::{Constrained, constrained_joints, keeps_limits, moves_joints};

use crate::{
    eval::{
        pipeline::{ObjectFrame, joint_model},
        sample::{Stage, number},
    },
    math::{
        Affine, EulerOrder, Mat3, Quat, Vec3,
        path::{frame, upright},
        rotation::{from_euler, slerp, to_euler},
    },
    model::{
        ChannelPath, Constraint, ConstraintKind, CopyHold, Document, ObjectId, PinSpace, PlaceLimit, PointHold,
        Property,
    },
};
use std::collections::BTreeMap;

/// Where something is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Its place, metres.
    pub place: Vec3,
    /// Its rotation.
    pub rotation: Quat,
    /// The lengths of its axes.
    pub scale: Vec3,
}

impl Stand {
    /// That of a transform: the nearest rotation, the lengths of the axes.
    #[must_use]
    pub fn of(world: &Affine) -> Self {
        Self::turned(world, world.rotation())
    }

    /// That of a transform whose rotation is known.
    #[must_use]
    pub fn turned(world: &Affine, rotation: Quat) -> Self {
        let axes = &world.linear;
        let scale = Vec3::new(axes.column(0).norm(), axes.column(1).norm(), axes.column(2).norm());
        Self { place: world.translation, rotation, scale }
    }

    /// The part of the way from this to another.
    #[must_use]
    pub fn toward(&self, to: &Self, weight: f64) -> Self {
        if weight >= 1.0 {
            return *to;
        }
        Self {
            place: self.place.lerp(&to.place, weight),
            rotation: slerp(&self.rotation, &to.rotation, weight),
            scale: self.scale.lerp(&to.scale, weight),
        }
    }
}

/// What a constraint at full weight makes of `own`. `find` gives what it looks at in the world; `source` is the number of the
/// parent that holds. None where it has nothing to look at, and for followers and IK chains.
#[must_use]
pub fn held(
    kind: &ConstraintKind,
    own: &Stand,
    source: f64,
    find: &dyn Fn(PinSpace) -> Option<Affine>,
) -> Option<Stand> {
    let found = match kind {
        ConstraintKind::Follow(_) | ConstraintKind::Chain(_) => return None,
        ConstraintKind::Point(hold) => Stand { place: mean(hold, find)? + hold.offset, ..*own },
        ConstraintKind::Orient(hold) => {
            Stand { rotation: find(hold.source)?.rotation() * hold.offset.rotation, ..*own }
        }
        ConstraintKind::Parent(hold) => {
            let parent = hold.chosen(source)?;
            let world = find(parent.space)?;
            let turn = world.rotation();
            let offset = turn * parent.offset.translation + world.translation;
            let turn = turn * parent.offset.rotation;
            Stand { place: turn * own.place + offset, rotation: turn * own.rotation, ..*own }
        }
        ConstraintKind::Aim(aim) => {
            let along = (find(aim.target)?.translation - own.place).try_normalize(1e-12)?;
            Stand { rotation: frame(&along, &upright(&along, &aim.up)), ..*own }
        }
        ConstraintKind::Copy(copy) => copied(copy, own, &Stand::of(&find(copy.source)?)),
        ConstraintKind::Limit(limit) => Stand { place: within(limit, &own.place, &find(limit.space)?)?, ..*own },
    };
    let finite =
        found.place.iter().chain(found.rotation.coords.iter()).chain(found.scale.iter()).all(|v| v.is_finite());
    finite.then_some(found)
}

/// The weighted mean of the places that are there.
fn mean(hold: &PointHold, find: &dyn Fn(PinSpace) -> Option<Affine>) -> Option<Vec3> {
    let (mut sum, mut weight) = (Vec3::zeros(), 0.0);
    for source in &hold.sources {
        if let Some(world) = find(source.space) {
            sum += world.translation * source.weight;
            weight += source.weight;
        }
    }
    (weight > 0.0).then(|| sum / weight)
}

fn copied(copy: &CopyHold, own: &Stand, other: &Stand) -> Stand {
    let pick = |which: [bool; 3], own: &Vec3, other: &Vec3| {
        Vec3::from_fn(|axis, _| if which[axis] { other[axis] } else { own[axis] })
    };
    let rotation = match copy.rotation {
        [true, true, true] => other.rotation,
        [false, false, false] => own.rotation,
        which => {
            let (own, other) = (to_euler(EulerOrder::Xyz, &own.rotation), to_euler(EulerOrder::Xyz, &other.rotation));
            from_euler(EulerOrder::Xyz, std::array::from_fn(|axis| if which[axis] { other[axis] } else { own[axis] }))
        }
    };
    Stand {
        place: pick(copy.place, &own.place, &other.place),
        rotation,
        scale: pick(copy.scale, &own.scale, &other.scale),
    }
}

/// The place cut to the box; none where the box's space is flat.
fn within(limit: &PlaceLimit, place: &Vec3, space: &Affine) -> Option<Vec3> {
    let mut inside = space.try_inverse()?.point(place);
    let mut cut = false;
    for (axis, range) in limit.ranges.iter().enumerate() {
        if let Some((least, most)) =
            range.filter(|(least, most)| least <= most && !(*least..=*most).contains(&inside[axis]))
        {
            inside[axis] = inside[axis].clamp(least, most);
            cut = true;
        }
    }
    Some(if cut { space.point(&inside) } else { *place })
}

/// How much of a constraint acts at a time, 0..1, and which parent holds.
pub(in crate::eval) fn numbers(document: &Document, id: ObjectId, constraint: &Constraint, secs: f64) -> (f64, f64) {
    let clip = document.clip_of(id).and_then(|clip| document.clip(clip));
    let value = |property| {
        let path = ChannelPath::constraint(id, constraint.id, property);
        number(document, clip.map(|clip| &**clip), path, secs, Stage::Shown)
    };
    let weight = value(Property::Influence).unwrap_or(0.0).clamp(0.0, 1.0);
    let source = if constraint.as_parent().is_some() { value(Property::Source) } else { None };
    (weight, source.unwrap_or(0.0))
}

/// A space in the world, from what is solved already.
pub(in crate::eval) fn solved_space(
    document: &Document,
    solved: &BTreeMap<ObjectId, ObjectFrame>,
    space: PinSpace,
) -> Option<Affine> {
    match space {
        PinSpace::World => Some(Affine::IDENTITY),
        PinSpace::Object(object) => Some(solved.get(&object)?.world),
        PinSpace::Joint(object, joint) => {
            let frame = solved.get(&object)?;
            Some(frame.world * joint_model(document, object, joint, frame)?)
        }
    }
}

/// An object brought to where a constraint wants it.
pub(in crate::eval) fn object_to(world: &Affine, own: &Stand, to: &Stand) -> Affine {
    let turn = to.rotation * own.rotation.inverse();
    let stretch = |axis: usize| if own.scale[axis] > 0.0 { to.scale[axis] / own.scale[axis] } else { 1.0 };
    let stretch = Vec3::new(stretch(0), stretch(1), stretch(2));
    let mut linear = world.linear;
    if turn != Quat::identity() {
        linear = turn.to_rotation_matrix().matrix() * linear;
    }
    if stretch != Vec3::repeat(1.0) {
        linear *= Mat3::from_diagonal(&stretch);
    }
    Affine { linear, translation: to.place }
}
