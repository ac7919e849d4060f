//! Curl and spread of the fingers of a hand, about axes derived from its rest pose.

use super::{Limb, Limbs, Role, Side};
use crate::{
    eval::{
        drag::pose::Pose,
        ik::bend::{across, unit},
    },
    math::{
        Affine, Quat, Transform, Vec3,
        rotation::{from_axis_angle, perpendicular, swing_twist, twist_angle},
    },
    model::Rig,
};

/// How far the joints of a finger turn in a full curl, degrees, from the knuckle on.
const FULL_DEG: [f64; 3] = [80.0, 100.0, 70.0];
/// The same of a thumb.
const THUMB_DEG: [f64; 3] = [30.0, 50.0, 70.0];
/// How far the outermost finger turns in a full spread, degrees.
const SPREAD_DEG: f64 = 22.0;
/// A digit whose direction is farther than this from that of the others is a thumb (cosine).
const THUMB_COS: f64 = 0.94;

/// A hand: a joint with fingers.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// The joint that the fingers hang from.
    pub joint: usize,
    /// From the thumb's side to the other, in the order of the skeleton.
    pub fingers: Vec<Finger>,
    /// Across the palm in the rest pose's space, unit: what the wrist flexes about, by the right hand towards the palm. None
    /// where the fingers do not lie side by side.
    pub(super) across: Option<Vec3>,
}

/// A finger or thumb.
#[derive(Clone, Debug, PartialEq)]
pub struct Finger {
    /// Whether it is a thumb.
    pub thumb: bool,
    /// Its joints from the knuckle to the last that turns.
    pub joints: Vec<FingerJoint>,
    /// The axis that the knuckle turns about to spread, in its own space, unit.
    spread_axis: Vec3,
    /// How far the knuckle turns in a full spread, radians.
    spread: f64,
}

/// A joint of a finger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FingerJoint {
    /// The joint.
    pub joint: usize,
    /// The axis it curls about, in its own space, unit; by the right hand towards the palm.
    pub axis: Vec3,
    /// How far it turns in a full curl, radians.
    pub full: f64,
}

/// How a joint of a finger curls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curl {
    /// The axis in the joint's space.
    pub(super) axis: Vec3,
    /// Whether it is a thumb's.
    pub(super) thumb: bool,
}

impl Hand {
    /// The hand of a rig that a joint belongs to: the hand itself or a joint of its fingers; none where it has no fingers.
    #[must_use]
    pub fn of(rig: &Rig, limbs: &Limbs, joint: usize) -> Option<Self> {
        let joints = rig.skeleton.joints();
        let fits = limbs.limbs.iter().flat_map(|limb| &limb.joints).all(|j| *j < joints.len());
        let finger = limbs.of_role(Role::Finger).find(|finger| finger.joints.contains(&joint));
        let hand = match finger {
            Some(finger) => rig.skeleton.parents().get(finger.root()).copied().flatten()?,
            None => joint,
        };
        let locals = limbs.stance(&rig.skeleton);
        let rest = fits.then(|| Pose::new(rig.skeleton.tree(), &locals, &Affine::IDENTITY))?;
        let mut found = Self::at(&rest, limbs, hand)?;
        for finger in &mut found.fingers {
            finger.joints.retain(|at| joints.get(at.joint).is_some_and(|joint| !joint.is_end()));
        }
        found.fingers.retain(|finger| !finger.joints.is_empty());
        (!found.fingers.is_empty()).then_some(found)
    }

    /// The hand at a joint, in the rest pose.
    pub(super) fn at(rest: &Pose<'_>, limbs: &Limbs, hand: usize) -> Option<Self> {
        let fingers: Vec<&Limb> =
            limbs.of_role(Role::Finger).filter(|finger| rest.parent(finger.root()) == Some(hand)).collect();
        let palm = Palm::of(rest, limbs, hand, &fingers)?;
        let fingers =
            fingers.iter().zip(&palm.thumbs).map(|(finger, thumb)| palm.finger(rest, finger, *thumb)).collect();
        // By the right hand the fingers go to the palm about this side of it.
        let flexes = palm.forward.cross(&palm.normal);
        let across = unit(&flexes, 1e-6).filter(|_| palm.width > 0.0);
        Some(Self { joint: hand, fingers, across })
    }

    /// How a joint of a finger curls; none where it is none of this hand, or no joint that curls.
    pub(super) fn axis(&self, joint: usize) -> Option<Curl> {
        let of = |finger: &Finger| {
            let found = finger.joints.iter().find(|at| at.joint == joint)?;
            Some(Curl { axis: found.axis, thumb: finger.thumb })
        };
        self.fingers.iter().find_map(of)
    }

    /// How far a finger is curled in a pose: 0 as at rest, 1 into the palm. `rest` and `locals` are local transforms of all
    /// joints. 0 for a finger there is not.
    #[must_use]
    pub fn curl(&self, finger: usize, rest: &[Transform], locals: &[Transform]) -> f64 {
        let Some(finger) = self.fingers.get(finger) else { return 0.0 };
        let full: f64 = finger.joints.iter().map(|at| at.full).sum();
        let turned: f64 = finger.joints.iter().filter_map(|at| Some(at.angle(&turn(at.joint, rest, locals)?))).sum();
        if full > 0.0 { turned / full } else { 0.0 }
    }

    /// How far the fingers are spread in a pose: 0 as at rest.
    #[must_use]
    pub fn spread(&self, rest: &[Transform], locals: &[Transform]) -> f64 {
        let of =
            |finger: &Finger| finger.spread_angle(rest, locals).map(|angle| (angle * finger.spread, finger.spread));
        let (turned, full) = self.fingers.iter().filter_map(of).fold((0.0, 0.0), |(t, f), (a, b)| (t + a, f + b * b));
        if full > 0.0 { turned / full } else { 0.0 }
    }

    /// The local transforms that curl fingers farther by `by` (1 is from rest into the palm), joints that change only: one
    /// finger, or all. What else a joint is turned by stays.
    #[must_use]
    pub fn curled(
        &self,
        finger: Option<usize>,
        by: f64,
        rest: &[Transform],
        locals: &[Transform],
    ) -> Vec<(usize, Transform)> {
        let wanted = self.fingers.iter().enumerate().filter(|(index, _)| finger.is_none_or(|only| only == *index));
        let joints = wanted.flat_map(|(_, finger)| &finger.joints);
        let changed = joints.filter_map(|at| {
            let (base, now) = (rest.get(at.joint)?, locals.get(at.joint)?);
            let (swing, _) = swing_twist(&turn(at.joint, rest, locals)?, &at.axis);
            let angle = at.angle(&turn(at.joint, rest, locals)?) + by * at.full;
            let rotation = base.rotation * swing * from_axis_angle(&at.axis, angle);
            Some((at.joint, Transform { rotation, ..*now }))
        });
        changed.collect()
    }

    /// The local transforms that spread the fingers farther by `by` (1 is a full spread), joints that change only.
    #[must_use]
    pub fn spread_by(&self, by: f64, rest: &[Transform], locals: &[Transform]) -> Vec<(usize, Transform)> {
        let changed = self.fingers.iter().filter(|finger| finger.spread != 0.0).filter_map(|finger| {
            let knuckle = finger.joints.first()?;
            let (base, now) = (rest.get(knuckle.joint)?, locals.get(knuckle.joint)?);
            let (swing, curl) = swing_twist(&turn(knuckle.joint, rest, locals)?, &knuckle.axis);
            let more = from_axis_angle(&finger.spread_axis, by * finger.spread);
            Some((knuckle.joint, Transform { rotation: base.rotation * more * swing * curl, ..*now }))
        });
        changed.collect()
    }
}

impl Finger {
    fn spread_angle(&self, rest: &[Transform], locals: &[Transform]) -> Option<f64> {
        let knuckle = self.joints.first()?;
        let (swing, _) = swing_twist(&turn(knuckle.joint, rest, locals)?, &knuckle.axis);
        Some(twist_angle(&swing, &self.spread_axis))
    }
}

impl FingerJoint {
    /// How far it is curled by a turn from rest, radians.
    fn angle(&self, turn: &Quat) -> f64 {
        twist_angle(turn, &self.axis)
    }
}

/// A joint's turn from rest, in its own rest space.
fn turn(joint: usize, rest: &[Transform], locals: &[Transform]) -> Option<Quat> {
    Some(rest.get(joint)?.rotation.inverse() * locals.get(joint)?.rotation)
}

/// How a hand lies at rest, in the rest pose's space.
struct Palm {
    /// The way the fingers point.
    forward: Vec3,
    /// Out of the palm, to where the fingers curl.
    normal: Vec3,
    /// Across the hand at the knuckles, and the middle of the knuckles.
    side: Vec3,
    middle: Vec3,
    /// Half the hand's width at the knuckles.
    width: f64,
    /// Which digits are thumbs.
    thumbs: Vec<bool>,
}

impl Palm {
    fn of(rest: &Pose<'_>, limbs: &Limbs, hand: usize, fingers: &[&Limb]) -> Option<Self> {
        let at = |joint: usize| rest.position(joint);
        let along: Vec<Vec3> =
            fingers.iter().map(|f| unit(&(at(f.end()) - at(f.root())), 1e-12).unwrap_or_else(Vec3::zeros)).collect();
        let thumbs = thumbs(rest, hand, fingers, &along);
        let long: Vec<usize> = (0..fingers.len()).filter(|i| !thumbs[*i]).collect();
        let forward = unit(&long.iter().map(|i| along[*i]).sum(), 1e-9)
            .or_else(|| unit(&(at(hand) - at(rest.parent(hand)?)), 1e-9))?;
        let knuckle = |i: &usize| at(knuckle_of(fingers[*i], thumbs[*i]));
        #[expect(clippy::cast_precision_loss, reason = "fingers")]
        let middle = long.iter().map(knuckle).sum::<Vec3>() / long.len().max(1) as f64;
        // From one outermost knuckle to the other.
        let offsets = long.iter().map(|i| across(&(knuckle(i) - middle), &forward));
        let far = offsets.max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap_or_default();
        let guess = guess(limbs, hand, &forward);
        let thumb = (0..fingers.len()).find(|i| thumbs[*i]);
        let to_thumb = thumb.map_or_else(Vec3::zeros, |i| across(&(at(fingers[i].end()) - middle), &forward));
        let side = unit(&far, 1e-6).or_else(|| unit(&to_thumb, 1e-6)).unwrap_or_else(|| forward.cross(&guess));
        let normal = unit(&forward.cross(&side), 1e-6).unwrap_or(guess);
        // Fingers at rest are bent into the palm, the thumb stands before it, the palm looks down or to the body.
        let bent: f64 = long.iter().map(|i| bend_towards(rest, fingers[*i], &normal)).sum();
        let thumb_before = to_thumb.dot(&normal) / to_thumb.norm().max(1e-9);
        let cue = bent.clamp(-0.5, 0.5) + 0.5 * thumb_before + 0.4 * guess.dot(&normal);
        let normal = if cue < 0.0 { -normal } else { normal };
        Some(Self { forward, normal, side, middle, width: far.norm(), thumbs })
    }

    fn finger(&self, rest: &Pose<'_>, finger: &Limb, thumb: bool) -> Finger {
        let knuckle = knuckle_of(finger, thumb);
        let chain: Vec<usize> = finger.joints.iter().copied().skip_while(|joint| *joint != knuckle).collect();
        let full = if thumb { THUMB_DEG } else { FULL_DEG };
        let base = rest.position(knuckle) - self.middle;
        // A thumb closes over the palm, towards the other side of the hand.
        let close = if thumb { self.normal - self.side * base.dot(&self.side).signum() } else { self.normal };
        let mut bone = Vec3::zeros();
        let joint = |(place, &joint): (usize, &usize)| {
            let next = chain.get(place + 1).map(|next| rest.position(*next) - rest.position(joint));
            bone = next.and_then(|next| unit(&next, 1e-9)).unwrap_or(bone);
            let axis = unit(&bone.cross(&close), 1e-6).unwrap_or_else(|| perpendicular(&close));
            let full = full.get(place).copied().unwrap_or(full[2]).to_radians();
            FingerJoint { joint, axis: rest.rotation(joint).inverse() * axis, full }
        };
        let joints: Vec<FingerJoint> = chain.iter().enumerate().map(joint).collect();
        let place = if self.width > 0.0 { base.dot(&self.side) / self.width } else { 0.0 };
        let out = rest.position(finger.end()) - rest.position(knuckle);
        // By the right hand about the normal a finger goes to one side: outermost ones turn most, to their own side.
        let sign = self.normal.cross(&out).dot(&self.side).signum();
        let spread = if thumb { 0.0 } else { SPREAD_DEG.to_radians() * place.clamp(-1.0, 1.0) * sign };
        Finger { thumb, joints, spread_axis: rest.rotation(knuckle).inverse() * self.normal, spread }
    }
}

/// The joint that a finger curls from: past the bone within the hand, where it has one.
fn knuckle_of(finger: &Limb, thumb: bool) -> usize {
    let within = !thumb && finger.joints.len() > 4;
    finger.joints.get(usize::from(within)).copied().unwrap_or_else(|| finger.root())
}

/// Which of the digits is a thumb: the one that points away most from the mean of all, if it does so clearly.
fn thumbs(rest: &Pose<'_>, hand: usize, fingers: &[&Limb], along: &[Vec3]) -> Vec<bool> {
    let mut thumbs = vec![false; fingers.len()];
    if fingers.len() < 2 {
        return thumbs;
    }
    let total: Vec3 = along.iter().sum();
    let off = |i: usize| {
        let others = unit(&(total - along[i]), 1e-9).unwrap_or_else(Vec3::zeros);
        // Of two digits either points away from the other: the shorter is the thumb.
        let reach = (rest.position(fingers[i].end()) - rest.position(hand)).norm();
        (along[i].dot(&others), reach)
    };
    let least = (0..fingers.len()).min_by(|a, b| {
        let ((cos_a, reach_a), (cos_b, reach_b)) = (off(*a), off(*b));
        let same = (cos_a - cos_b).abs() < 1e-9;
        if same { reach_a.total_cmp(&reach_b) } else { cos_a.total_cmp(&cos_b) }
    });
    if let Some(least) = least.filter(|least| off(*least).0 < THUMB_COS) {
        thumbs[least] = true;
    }
    thumbs
}

/// Where a palm looks in a rest pose, roughly: down and to the body, across the fingers.
fn guess(limbs: &Limbs, hand: usize, forward: &Vec3) -> Vec3 {
    let side = limbs.limbs.iter().find(|limb| limb.end() == hand).map_or(Side::Middle, |limb| limb.side);
    let outward = match side {
        Side::Left => limbs.frame.left,
        Side::Right => -limbs.frame.left,
        Side::Middle => Vec3::zeros(),
    };
    let down = across(&(-limbs.frame.up - outward * 0.7), forward);
    unit(&down, 1e-3).unwrap_or_else(|| perpendicular(forward))
}

/// How far the bones of a finger turn towards a direction at rest, summed, radians for small ones.
fn bend_towards(rest: &Pose<'_>, finger: &Limb, direction: &Vec3) -> f64 {
    let bones: Vec<Vec3> = finger
        .joints
        .windows(2)
        .filter_map(|pair| unit(&(rest.position(pair[1]) - rest.position(pair[0])), 1e-9))
        .collect();
    bones.windows(2).map(|pair| (pair[1] - pair[0]).dot(direction)).sum()
}
