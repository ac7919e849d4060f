//! Rolling a foot about its heel, its ball or the tip of its toes, which stays where it is; the leg follows.

use super::{Limb, Limbs, Role};
use crate::{
    eval::{
        drag::{Drag, DragInput, DragOptions, Orientation, pose::Pose},
        ik::{
            SoftReach,
            bend::{across, unit},
        },
    },
    math::{Affine, Transform, Vec3, rotation::from_axis_angle},
    model::Rig,
};

/// What a foot rolls about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FootPivot {
    /// The back of the heel: the toes rise.
    Heel,
    /// The ball: the heel rises, the toes stay flat.
    Ball,
    /// The tip of the toes: all of the foot rises.
    Toe,
}

impl FootPivot {
    /// All pivots, from back to front.
    pub const ALL: [Self; 3] = [Self::Heel, Self::Ball, Self::Toe];
}

/// A foot: where it touches the ground, found from the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// The joint at the end of the leg.
    pub ankle: usize,
    /// The joint that the toes turn about; none where the foot is of one piece.
    pub toe: Option<usize>,
    heel: Vec3,
    ball: Vec3,
    /// In the toe joint's space, or the ankle's where there is none.
    tip: Vec3,
    /// The axis in the ankle's space about which, by the right hand, the toes go down.
    axis: Vec3,
}

/// A foot without joints in front is this long, as a share of the lower leg.
const LENGTH: f64 = 0.45;
/// The ball of a foot without a toe joint, as a share of the way from the ankle to the tip.
const BALL: f64 = 0.65;
/// The heel is behind the ankle by this share of the way to the ball.
const HEEL: f64 = 0.35;

impl Foot {
    /// The foot of a rig that a joint belongs to: the end of a leg or a joint of its toes; none where it is none.
    #[must_use]
    pub fn of(rig: &Rig, limbs: &Limbs, joint: usize) -> Option<Self> {
        let skeleton = &rig.skeleton;
        let parents = skeleton.parents();
        let above: Vec<usize> = std::iter::successors(Some(joint), |at| parents.get(*at).copied().flatten()).collect();
        let leg = limbs.of_role(Role::Leg).find(|leg| above.contains(&leg.end()))?;
        let locals = limbs.stance(skeleton);
        let fits = limbs.limbs.iter().flat_map(|limb| &limb.joints).all(|j| *j < locals.len());
        let rest = fits.then(|| Pose::new(skeleton.tree(), &locals, &Affine::IDENTITY))?;
        Self::at_rest(rig, limbs, leg, &rest)
    }

    fn at_rest(rig: &Rig, limbs: &Limbs, leg: &Limb, rest: &Pose<'_>) -> Option<Self> {
        let parents = rig.skeleton.parents();
        let (up, ankle) = (limbs.frame.up, leg.end());
        let at = rest.position(ankle);
        let under = |joint: usize, top: usize| {
            std::iter::successors(Some(joint), |at| parents[*at]).skip(1).any(|above| above == top)
        };
        let ahead = |joint: usize| (rest.position(joint) - at).dot(&limbs.frame.forward);
        let all: Vec<usize> = (ankle + 1..parents.len()).filter(|joint| under(*joint, ankle)).collect();
        let farthest = all.iter().copied().max_by(|a, b| ahead(*a).total_cmp(&ahead(*b)));
        let shin = leg.joints.iter().rev().nth(1).map_or(1.0, |above| (at - rest.position(*above)).norm());
        let tip = farthest.filter(|tip| ahead(*tip) > 0.1 * shin).map(|tip| rest.position(tip));
        let drop = |place: Vec3, height: f64| place - up * (place.dot(&up) - height);
        let tip = tip.unwrap_or_else(|| at + limbs.frame.forward * (LENGTH * shin) - up * (0.2 * shin));
        // The joint on the way to the tip that has something in front of it.
        let toe = farthest.and_then(|tip| {
            let way: Vec<usize> =
                std::iter::successors(Some(tip), |at| parents[*at]).take_while(|j| *j != ankle).collect();
            way.last().copied().filter(|first| way.len() > 1 && !rig.skeleton.joints()[*first].is_end())
        });
        let ball = toe.map_or_else(|| at + (tip - at) * BALL, |toe| rest.position(toe));
        let sole = tip.dot(&up).min(ball.dot(&up)).min(at.dot(&up));
        let ball = if toe.is_some() { ball } else { drop(ball, sole) };
        let along = unit(&across(&(tip - at), &up), 1e-6 * shin).unwrap_or(limbs.frame.forward);
        let heel = drop(at, sole) - along * (HEEL * (ball - at).dot(&along).abs());
        let into = |joint: usize, place: &Vec3| Some(rest.world(joint).try_inverse()?.point(place));
        Some(Self {
            ankle,
            toe,
            heel: into(ankle, &heel)?,
            ball: into(ankle, &ball)?,
            tip: into(toe.unwrap_or(ankle), &drop(tip, sole.min(tip.dot(&up))))?,
            axis: rest.rotation(ankle).inverse() * up.cross(&along),
        })
    }

    /// Where a pivot is in a pose; `world` gives a joint's place by its index.
    #[must_use]
    pub fn place(&self, pivot: FootPivot, world: impl Fn(usize) -> Option<Affine>) -> Option<Vec3> {
        Some(match pivot {
            FootPivot::Heel => world(self.ankle)?.point(&self.heel),
            FootPivot::Ball => world(self.ankle)?.point(&self.ball),
            FootPivot::Toe => world(self.toe.unwrap_or(self.ankle))?.point(&self.tip),
        })
    }

    /// The axis in the world about which a foot in this pose rolls by the right hand: toes up about the heel, the heel up
    /// about ball and toe. `ankle` is the ankle's place.
    #[must_use]
    pub fn axis(&self, pivot: FootPivot, ankle: &Affine) -> Vec3 {
        let down = ankle.rotation() * self.axis;
        if pivot == FootPivot::Heel { -down } else { down }
    }

    /// The pose in which the foot has rolled by an angle, radians. Where the leg is too short for the pivot to stay, it is
    /// straight and points to where its end should be, so that the pivot slides as little as it can for this angle.
    #[must_use]
    pub fn roll(&self, body: &FootBody<'_>, pivot: FootPivot, angle: f64) -> FootRoll {
        let tree = body.rig.skeleton.tree();
        let mut pose = Pose::new(tree, body.locals, &body.root);
        let rest = body.limbs.stance(&body.rig.skeleton);
        let world = |pose: &Pose<'_>| self.place(pivot, |joint| Some(pose.world(joint))).unwrap_or_default();
        let place = world(&pose);
        let turn = from_axis_angle(&self.axis(pivot, &pose.world(self.ankle)), angle);
        let (ankle, rotation) = (pose.position(self.ankle), pose.rotation(self.ankle));
        let toes = self.toe.map(|toe| (toe, pose.rotation(toe)));
        let options = DragOptions { orientation: Orientation::World, soft: SoftReach::OFF, ..DragOptions::default() };
        let input = DragInput {
            tree,
            limbs: body.limbs,
            rest: &rest,
            pressed: body.locals,
            root: body.root,
            joint: self.ankle,
            options,
        };
        if angle == 0.0 || !angle.is_finite() {
            return FootRoll::default();
        }
        if let Some(drag) = Drag::new(input) {
            for (joint, local) in drag.to(&(place + turn * (ankle - place))).changed {
                pose.set_local_rotations(&[joint], &[local.rotation]);
            }
        }
        pose.set_rotation(self.ankle, &(turn * rotation));
        if let Some((toe, kept)) = toes.filter(|_| pivot == FootPivot::Ball) {
            pose.set_rotation(toe, &kept);
        }
        let slide = (world(&pose) - place).norm();
        FootRoll { changed: pose.changes_from(body.locals), slide }
    }
}

/// What a roll has made of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootRoll {
    /// The new local transforms of the joints that change, by joint index, ascending.
    pub changed: Vec<(usize, Transform)>,
    /// How far the pivot is off its place, metres: next to nothing unless the leg is too short.
    pub slide: f64,
}

impl FootRoll {
    /// A slide from here on is one that is seen, metres.
    pub const SEEN: f64 = 1e-4;
}

/// The body that a foot belongs to, in the pose it rolls from.
#[derive(Clone, Copy, Debug)]
pub struct FootBody<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// Its limbs.
    pub limbs: &'a Limbs,
    /// Local transforms of all joints.
    pub locals: &'a [Transform],
    /// From the skeleton's space to the world.
    pub root: Affine,
}
