//! What is wrong with a pose that was carried over: joints bent backwards, and parts of the body within each other.

use super::{Figure, transfer::Space};
use crate::{
    eval::{
        drag::{anatomy, pose::Pose},
        ik::bend::{across, unit},
        limbs::{Limb, Role},
    },
    math::Vec3,
};

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A foot does not reach where it is held; the amount is the distance left, metres.
    OutOfReach,
    /// An elbow or a knee is bent the wrong way; the amount is how far it stands out, metres.
    Backward,
    /// Two parts of the body are within each other; the amount is how deep, metres.
    Through,
}

/// Something wrong over some frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// The joint, by index: the foot, the elbow or knee, where the one part begins.
    pub joint: usize,
    /// Where the other part begins.
    pub other: Option<usize>,
    /// From when to when, seconds.
    pub secs: (f64, f64),
    /// When it is worst, seconds.
    pub worst_secs: f64,
    /// How bad it then is.
    pub amount: f64,
}

/// One at one frame: kind, joint, other joint, amount.
pub(super) type Seen = (FaultKind, usize, Option<usize>, f64);

/// The distance that a foot may miss its place by, metres.
pub(super) const MISSED: f64 = 5e-3;
/// The share of a limb's length by which its middle must stand out to be bent at all.
const BENT: f64 = 0.05;
/// Cosine of the angle between the way a joint is bent and the way it bends beyond which it is bent backwards.
const AGAINST: f64 = -0.5;
/// Depth that is no fault yet, as a share of the size: flesh gives way.
const GIVES: f64 = 6e-3;
/// Radii of the parts as shares of the size: slimmer than most bodies, so that what is reported is seen.
const RADII: [(Part, f64); 8] = [
    (Part::Trunk, 0.06),
    (Part::Head, 0.05),
    (Part::UpperArm, 0.024),
    (Part::Forearm, 0.02),
    (Part::Hand, 0.018),
    (Part::Thigh, 0.036),
    (Part::Shin, 0.026),
    (Part::Foot, 0.018),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Trunk,
    Head,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shin,
    Foot,
}

#[derive(Clone, Copy, Debug)]
struct Capsule {
    ends: [usize; 2],
    radius: f64,
    part: Part,
    /// Which limb it belongs to; none for the trunk.
    limb: Option<usize>,
}

/// A bend that can be judged: the joints, and the side to which the middle goes in the space of the first.
#[derive(Clone, Copy, Debug)]
struct Hinge {
    joints: [usize; 3],
    side: Vec3,
}

/// What is looked at in each pose of a figure.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    hinges: Vec<Hinge>,
    capsules: Vec<Capsule>,
    pairs: Vec<(usize, usize)>,
    gives: f64,
}

impl Watch {
    pub(super) fn new(figure: &Figure) -> Self {
        let capsules = capsules(figure);
        let mut space = Space::default();
        space.take(figure.skeleton().parents(), &figure.reference, &figure.upright);
        let mut watch = Self { hinges: hinges(figure), capsules, pairs: Vec::new(), gives: GIVES * figure.size };
        for a in 0..watch.capsules.len() {
            for b in a + 1..watch.capsules.len() {
                // What touches as the figure stands is drawn so.
                if are_apart(&watch.capsules[a], &watch.capsules[b]) && watch.depth(a, b, &space.positions) <= 0.0 {
                    watch.pairs.push((a, b));
                }
            }
        }
        watch
    }

    /// What is wrong in a pose in the upright space.
    pub(super) fn look(&self, space: &Space, seen: &mut Vec<Seen>) {
        for hinge in &self.hinges {
            let [root, middle, end] = hinge.joints.map(|joint| space.positions[joint]);
            let Some(chord) = unit(&(end - root), 1e-9) else { continue };
            let side = across(&(middle - root), &chord);
            let length = (middle - root).norm() + (end - middle).norm();
            let own = space.rotations[hinge.joints[0]] * hinge.side;
            let Some(own) = unit(&across(&own, &chord), 0.2) else { continue };
            let out = side.norm();
            if out > BENT * length && side.dot(&own) < AGAINST * out {
                seen.push((FaultKind::Backward, hinge.joints[1], None, out));
            }
        }
        for (a, b) in &self.pairs {
            let depth = self.depth(*a, *b, &space.positions);
            if depth > self.gives {
                let [a, b] = [a, b].map(|at| self.capsules[*at].ends[0]);
                seen.push((FaultKind::Through, a, Some(b), depth));
            }
        }
    }

    fn depth(&self, a: usize, b: usize, positions: &[Vec3]) -> f64 {
        let (a, b) = (&self.capsules[a], &self.capsules[b]);
        let ends = |capsule: &Capsule| capsule.ends.map(|joint| positions[joint]);
        let reach = a.radius + b.radius;
        let ([a0, a1], [b0, b1]) = (ends(a), ends(b));
        // Far apart is the common case.
        let far = ((a0 + a1) - (b0 + b1)).norm() * 0.5 - 0.5 * ((a1 - a0).norm() + (b1 - b0).norm());
        if far > reach { reach - far } else { reach - segments_apart(&a0, &a1, &b0, &b1) }
    }
}

/// Joins what is seen at each frame into faults over runs of frames, worst first within a kind.
pub(super) fn joined(seen: &[Vec<Seen>], secs: impl Fn(usize) -> f64) -> Vec<Fault> {
    /// Frames without it that do not end a run.
    const BRIDGED: usize = 2;
    let mut faults: Vec<(Fault, usize)> = Vec::new();
    let mut open: std::collections::BTreeMap<(FaultKind, usize, Option<usize>), usize> =
        std::collections::BTreeMap::new();
    for (frame, seen) in seen.iter().enumerate() {
        let at = secs(frame);
        for (kind, joint, other, amount) in seen.iter().copied() {
            let running =
                open.get(&(kind, joint, other)).copied().filter(|index| frame - faults[*index].1 <= BRIDGED + 1);
            let index = running.unwrap_or_else(|| {
                faults.push((Fault { kind, joint, other, secs: (at, at), worst_secs: at, amount }, frame));
                faults.len() - 1
            });
            open.insert((kind, joint, other), index);
            let (fault, last) = &mut faults[index];
            (fault.secs.1, *last) = (at, frame);
            if amount > fault.amount {
                (fault.amount, fault.worst_secs) = (amount, at);
            }
        }
    }
    let mut faults: Vec<Fault> = faults.into_iter().map(|(fault, _)| fault).collect();
    faults.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.amount.total_cmp(&a.amount)));
    faults
}

/// Elbows and knees with the side they bend to, from the pose the figure stands in.
fn hinges(figure: &Figure) -> Vec<Hinge> {
    let upright = figure.upright_affine();
    let tree = figure.skeleton().tree();
    let rest = Pose::new(tree, &figure.rest, &upright);
    let pose = Pose::new(tree, &figure.limbs.stance(figure.skeleton()), &upright);
    let bends = figure.limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg));
    let hinge = |limb: &Limb| {
        let middle = limb.middle?;
        let chord = unit(&(pose.position(limb.end()) - pose.position(limb.root())), 1e-9)?;
        let side = anatomy::bulge_at_rest(&rest, &pose, &figure.limbs, limb, middle).or_else(|| {
            let comfort = anatomy::comfort(&pose, &figure.limbs, limb, &chord);
            Some(comfort.carry(&chord) * comfort.bulge?)
        })?;
        let side = pose.rotation(limb.root()).inverse() * unit(&side, 1e-6)?;
        Some(Hinge { joints: [limb.root(), middle, limb.end()], side })
    };
    bends.filter_map(hinge).collect()
}

fn capsules(figure: &Figure) -> Vec<Capsule> {
    let radius = |part: Part| RADII.iter().find(|(own, _)| *own == part).map_or(0.02, |(_, share)| share * figure.size);
    let mut found = Vec::new();
    let mut put = |part: Part, a: usize, b: usize, limb: Option<usize>| {
        found.push(Capsule { ends: [a, b], radius: radius(part), part, limb });
    };
    let skeleton = figure.skeleton();
    let tip = |joint: usize| skeleton.children(joint).next().unwrap_or(joint);
    if let (Some(hips), Some(chest)) = (figure.limbs.hips, figure.limbs.chest) {
        put(Part::Trunk, hips, chest, None);
    }
    if let Some(head) = figure.limbs.head {
        put(Part::Head, head, tip(head), None);
    }
    for (index, limb) in figure.limbs.limbs.iter().enumerate() {
        let parts = match limb.role {
            Role::Arm => [Part::UpperArm, Part::Forearm, Part::Hand],
            Role::Leg => [Part::Thigh, Part::Shin, Part::Foot],
            _ => continue,
        };
        let Some(middle) = limb.middle else { continue };
        put(parts[0], limb.root(), middle, Some(index));
        put(parts[1], middle, limb.end(), Some(index));
        put(parts[2], limb.end(), tip(limb.end()), Some(index));
    }
    found
}

/// Whether two parts are no neighbours: of two limbs, or of a limb's lower end and the trunk or the head.
fn are_apart(a: &Capsule, b: &Capsule) -> bool {
    if a.ends.iter().any(|end| b.ends.contains(end)) {
        return false;
    }
    let begins = |part: Part| matches!(part, Part::UpperArm | Part::Thigh);
    match (a.limb, b.limb) {
        (Some(one), Some(other)) => one != other && !(begins(a.part) && begins(b.part)),
        (Some(_), None) => !begins(a.part),
        (None, Some(_)) => !begins(b.part),
        (None, None) => false,
    }
}

/// The distance of two segments (Ericson, Real-Time Collision Detection, 5.1.9); points are segments of no length.
fn segments_apart(p1: &Vec3, q1: &Vec3, p2: &Vec3, q2: &Vec3) -> f64 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.norm_squared(), d2.norm_squared(), d2.dot(&r));
    const NONE: f64 = 1e-18;
    let (s, t) = if a <= NONE && e <= NONE {
        (0.0, 0.0)
    } else if a <= NONE {
        (0.0, (f / e).clamp(0.0, 1.0))
    } else {
        let c = d1.dot(&r);
        if e <= NONE {
            ((-c / a).clamp(0.0, 1.0), 0.0)
        } else {
            let b = d1.dot(&d2);
            let denominator = a * e - b * b;
            let s = if denominator > NONE { ((b * f - c * e) / denominator).clamp(0.0, 1.0) } else { 0.0 };
            let t = (b * s + f) / e;
            if t < 0.0 {
                ((-c / a).clamp(0.0, 1.0), 0.0)
            } else if t > 1.0 {
                (((b - c) / a).clamp(0.0, 1.0), 1.0)
            } else {
                (s, t)
            }
        }
    };
    (p1 + d1 * s - p2 - d2 * t).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_as_far_apart_as_sampling_says() {
        let point = |i: usize, k: usize| {
            let f = (i * 4 + k) as f64;
            Vec3::new((1.3 * f).sin(), (0.7 * f).cos(), (2.1 * f + 0.4).sin())
        };
        for i in 0..200 {
            let mut points: Vec<Vec3> = (0..4).map(|k| point(i, k)).collect();
            if i % 10 == 0 {
                points[1] = points[0];
            }
            if i % 15 == 0 {
                points[3] = points[2];
            }
            let own = segments_apart(&points[0], &points[1], &points[2], &points[3]);
            let mut least = f64::INFINITY;
            for s in 0..=60 {
                for t in 0..=60 {
                    let a = points[0].lerp(&points[1], f64::from(s) / 60.0);
                    let b = points[2].lerp(&points[3], f64::from(t) / 60.0);
                    least = least.min((a - b).norm());
                }
            }
            assert!(own <= least + 1e-12 && own > least - 0.05, "{i}: {own} {least}");
        }
    }
}
