//! Constraints: what moves an object, or a part of it, besides its own channels.

use super::{
    chain::IkChain,
    curve::{finite, is_default},
    held::{Aim, Copy as Copied, OrientHold, ParentHold, PlaceLimit, PointHold},
    id::{ConstraintId, JointId, ObjectId},
    pin::PinSpace,
};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// Something that moves an object after its own channels. Constraints of an object act in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Its identity in the object.
    pub id: ConstraintId,
    /// Its name; empty for the kind's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The joint of the object's rig that it moves; none for the object itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointId>,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub muted: bool,
    /// How much of it acts, 0..1, where its influence has no curve.
    #[serde(default = "one", skip_serializing_if = "is_one", deserialize_with = "finite::number")]
    pub influence: f64,
    /// What it does.
    pub kind: ConstraintKind,
}

/// What a constraint does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConstraintKind {
    /// Puts the object on a path; not for joints.
    Follow(Follow),
    /// Brings to a place.
    Point(PointHold),
    /// Turns as another is turned.
    Orient(OrientHold),
    /// Moves as if it hung on another.
    Parent(ParentHold),
    /// Looks at another.
    Aim(Aim),
    /// Takes over parts of another's transform.
    Copy(Copied),
    /// Keeps a place within a box.
    Limit(PlaceLimit),
    /// Lets a joint reach for a target; for joints only.
    Chain(IkChain),
}

/// Puts an object on a path, at a distance along it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Follow {
    /// The path object.
    pub path: ObjectId,
    /// Which of the follower's channels says how far it is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drive: Drive,
    /// Whether distances are tied to the path's length. Driven by distance they are then parts of the length, 0..1; driven by
    /// speed or acceleration the way from the first key to the last is stretched to the whole path.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tied: bool,
    /// The distance from the path's start where its channel has no curve, metres or (tied) parts; where speed or acceleration
    /// drive, the distance at the first key.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub distance: f64,
    /// The speed where its channel has no curve, metres a second; where acceleration drives, the speed at the first key.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub speed: f64,
    /// The acceleration where its channel has no curve, metres a second squared.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub acceleration: f64,
    /// Whether the follower may go back: if not, a distance that falls is reported.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reversing: bool,
    /// How the follower is turned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: FollowOrientation,
    /// Which of its own axes points along the path.
    #[serde(default, skip_serializing_if = "is_default")]
    pub forward: Forward,
    /// Which way is up in the world for [`FollowOrientation::Tangent`], and at the path's start otherwise; not zero.
    #[serde(default = "world_up", skip_serializing_if = "is_world_up", deserialize_with = "finite::vector")]
    pub up: Vec3,
    /// A turn about the way along the path, radians, spread evenly from its start to its end; on a closed path it comes on top
    /// of what closes the frame.
    #[serde(default, skip_serializing_if = "is_default", deserialize_with = "finite::number")]
    pub twist: f64,
}

impl Follow {
    /// A follower at the start of a path, turned along it.
    #[must_use]
    pub fn new(path: ObjectId) -> Self {
        Self {
            path,
            drive: Drive::Distance,
            tied: false,
            distance: 0.0,
            speed: 0.0,
            acceleration: 0.0,
            reversing: false,
            orientation: FollowOrientation::default(),
            forward: Forward::default(),
            up: world_up(),
            twist: 0.0,
        }
    }
}

/// Which channel of a follower says how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Drive {
    /// The distance itself.
    #[default]
    Distance,
    /// The speed, integrated from its first key.
    Speed,
    /// The acceleration, integrated twice from its first key.
    Acceleration,
}

/// How a follower is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FollowOrientation {
    /// As its own channels say.
    Fixed,
    /// Along the path, upright.
    #[default]
    Tangent,
    /// Along the path, never turning about it (Wang, Juettler, Zheng and Liu, Computation of rotation minimizing frames, 2008);
    /// on a closed path what is missing at the seam is spread evenly over the length.
    Minimal,
}

impl FollowOrientation {
    /// All of them, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Fixed, Self::Tangent, Self::Minimal];
}

/// An axis of an object that points along a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Forward {
    /// +Z, as figures face.
    #[default]
    Front,
    /// -Z, as cameras look.
    Back,
}

impl Constraint {
    /// Its name, or what it does in a word: what messages call it.
    #[must_use]
    pub fn called(&self) -> &str {
        if !self.name.is_empty() {
            return &self.name;
        }
        match &self.kind {
            ConstraintKind::Follow(_) => "path",
            ConstraintKind::Point(_) => "place",
            ConstraintKind::Orient(_) => "rotation",
            ConstraintKind::Parent(_) => "parent",
            ConstraintKind::Aim(_) => "look at",
            ConstraintKind::Copy(_) => "copy",
            ConstraintKind::Limit(_) => "limit",
            ConstraintKind::Chain(_) => "IK chain",
        }
    }

    /// What it does, where it puts the object on a path.
    #[must_use]
    pub const fn as_follow(&self) -> Option<&Follow> {
        match &self.kind {
            ConstraintKind::Follow(follow) => Some(follow),
            _ => None,
        }
    }

    /// The parents between which it switches, where it does.
    #[must_use]
    pub const fn as_parent(&self) -> Option<&ParentHold> {
        match &self.kind {
            ConstraintKind::Parent(hold) => Some(hold),
            _ => None,
        }
    }

    /// The chain, where it is one.
    #[must_use]
    pub const fn as_chain(&self) -> Option<&IkChain> {
        match &self.kind {
            ConstraintKind::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Whether it says where what it moves is, whole or in part; a limit only keeps it in, a chain reaches.
    #[must_use]
    pub fn sets_place(&self) -> bool {
        match &self.kind {
            ConstraintKind::Follow(_) | ConstraintKind::Point(_) | ConstraintKind::Parent(_) => true,
            ConstraintKind::Copy(copy) => copy.place.contains(&true),
            ConstraintKind::Orient(_)
            | ConstraintKind::Aim(_)
            | ConstraintKind::Limit(_)
            | ConstraintKind::Chain(_) => false,
        }
    }

    /// What it looks at: the path as an object.
    #[must_use]
    pub fn spaces(&self) -> Vec<PinSpace> {
        match &self.kind {
            ConstraintKind::Follow(follow) => vec![PinSpace::Object(follow.path)],
            ConstraintKind::Point(hold) => hold.sources.iter().map(|source| source.space).collect(),
            ConstraintKind::Orient(hold) => vec![hold.source],
            ConstraintKind::Parent(hold) => hold.parents.iter().map(|parent| parent.space).collect(),
            ConstraintKind::Aim(aim) => vec![aim.target],
            ConstraintKind::Copy(copy) => vec![copy.source],
            ConstraintKind::Limit(limit) => vec![limit.space],
            ConstraintKind::Chain(chain) => chain.looks_at(),
        }
    }

    /// The objects it looks at, or whose joints; its own among them where it looks at a joint of it.
    pub fn needs(&self) -> impl Iterator<Item = ObjectId> {
        self.spaces().into_iter().filter_map(PinSpace::object)
    }

    /// Whether it moves one of some joints of a rig object, or looks at one. `own` says whether it is that object's.
    #[must_use]
    pub fn names_joint(&self, own: bool, object: ObjectId, is_it: &dyn Fn(JointId) -> bool) -> bool {
        let looks = |space: PinSpace| matches!(space, PinSpace::Joint(of, joint) if of == object && is_it(joint));
        let base = self.as_chain().map(|chain| chain.base);
        (own && self.joint.into_iter().chain(base).any(is_it)) || self.spaces().into_iter().any(looks)
    }

    /// What is wrong with its numbers, whatever document it is in.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let fault = |bad: bool, what| bad.then_some(what);
        match &self.kind {
            ConstraintKind::Follow(follow) => {
                let numbers = [follow.distance, follow.speed, follow.acceleration, follow.twist];
                let finite = numbers.iter().chain(follow.up.iter()).all(|number| number.is_finite());
                fault(!finite || follow.up.norm() == 0.0, "it is not of finite numbers with a direction that is up")
                    .or_else(|| fault(self.joint.is_some(), "a joint cannot follow a path"))
            }
            ConstraintKind::Point(hold) => {
                let sound = hold.sources.iter().all(|source| source.weight.is_finite() && source.weight >= 0.0);
                fault(
                    !sound || hold.offset.iter().any(|v| !v.is_finite()),
                    "its weights or its offset are no numbers for it",
                )
            }
            ConstraintKind::Parent(hold) => fault(
                hold.parents.is_empty() || !hold.source.is_finite(),
                "it has no parents, or which of them is no number",
            ),
            ConstraintKind::Aim(aim) => {
                fault(!(aim.up.norm() > 0.0 && aim.up.norm().is_finite()), "its way up is no direction")
            }
            ConstraintKind::Limit(limit) => fault(!limit.is_sound(), "its ranges are not least before greatest"),
            ConstraintKind::Chain(chain) => {
                chain.fault().or_else(|| fault(self.joint.is_none(), "a chain needs a joint that reaches"))
            }
            ConstraintKind::Orient(_) | ConstraintKind::Copy(_) => None,
        }
    }
}

const fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn world_up() -> Vec3 {
    Vec3::y()
}

fn is_world_up(up: &Vec3) -> bool {
    *up == Vec3::y()
}
