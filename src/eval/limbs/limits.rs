//! How far the joints of a body turn, by the role of the limb they belong to.
//!
//! The ranges are wider than a physiotherapist's (Kapandji 1974 for people): they keep a drag from what no body does and
//! leave every pose a person takes. Hips and shoulders are seen from where a leg hangs and an arm reaches out, elbows and
//! knees from the straight limb, all others from the
//! body's [stance](Limbs::stance).

use super::{BodyFrame, Limb, Limbs, Role, Side};
use crate::{
    eval::{
        drag::{anatomy, pose::Pose},
        ik::{
            JointLimit,
            bend::{across, unit},
        },
    },
    math::{
        Affine, Quat, Vec3,
        rotation::{perpendicular, shortest_arc},
    },
    model::{Limit, LimitSetting, Rig, SwingShape},
};
use nalgebra::{Matrix3, Rotation3};

/// How long before a limit a drag feels it, degrees.
const SOFTNESS_DEG: f64 = 12.0;

/// The limits of all joints of a rig: what its document says, else those of the role.
#[must_use]
pub fn limits(rig: &Rig, limbs: &Limbs) -> Vec<Option<JointLimit>> {
    let mut of_role = role_limits(rig, limbs);
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        match rig.limits.get(&joint.id) {
            Some(LimitSetting::Off) => of_role[index] = None,
            Some(LimitSetting::Own(limit)) => of_role[index] = Some(*limit),
            None => {}
        }
    }
    let joints = rig.skeleton.joints();
    of_role
        .iter()
        .zip(joints)
        .map(|(limit, joint)| Some(JointLimit::of(limit.as_ref()?, &joint.rest.rotation)))
        .collect()
}

/// The limits that hold for one joint of a rig, by index; none where it has none.
#[must_use]
pub fn limit_of(rig: &Rig, limbs: &Limbs, joint: usize) -> Option<Limit> {
    match rig.limits.get(&rig.skeleton.joints().get(joint)?.id) {
        Some(LimitSetting::Off) => None,
        Some(LimitSetting::Own(limit)) => Some(*limit),
        None => role_limits(rig, limbs)[joint],
    }
}

/// The limits that the joints of a rig have by their role, whatever its document says. They are found in the body's
/// [stance](Limbs::stance).
#[must_use]
pub fn role_limits(rig: &Rig, limbs: &Limbs) -> Vec<Option<Limit>> {
    let joints = rig.skeleton.joints();
    let locals = limbs.stance(&rig.skeleton);
    let rest_locals: Vec<Quat> = joints.iter().map(|joint| joint.rest.rotation).collect();
    let fits = limbs.limbs.iter().flat_map(|limb| limb.joints.iter().chain(&limb.lead)).all(|j| *j < joints.len());
    let mut roles = Roles {
        stance: Pose::new(rig.skeleton.tree(), &locals, &Affine::IDENTITY),
        rest_locals: &rest_locals,
        parents: rig.skeleton.parents(),
        limbs,
        out: vec![None; joints.len()],
    };
    if fits {
        limbs.limbs.iter().for_each(|limb| roles.add(limb));
    }
    roles.out
}

/// Least and greatest, degrees, of the swing about X, the twist and the swing about Z.
type Ranges = [(f64, f64); 3];

struct Roles<'a> {
    /// The body as it stands.
    stance: Pose<'a>,
    /// Each joint's rotation in its parent's space in the rest pose, from which limits are measured.
    rest_locals: &'a [Quat],
    parents: &'a [Option<usize>],
    limbs: &'a Limbs,
    out: Vec<Option<Limit>>,
}

impl Roles<'_> {
    fn add(&mut self, limb: &Limb) {
        match limb.role {
            Role::Arm | Role::Leg => {
                self.add_root(limb);
                self.add_middle(limb);
                self.add_end(limb);
                if limb.role == Role::Arm {
                    for &joint in &limb.lead {
                        self.set_round(joint, 40.0, 40.0);
                    }
                }
            }
            Role::Spine | Role::Neck => {
                #[expect(clippy::cast_precision_loss, reason = "vertebrae")]
                let count = limb.joints.len() as f64;
                let (swing, twist) = if limb.role == Role::Spine { (110.0, 90.0) } else { (110.0, 120.0) };
                for &joint in &limb.joints {
                    self.set_round(joint, (swing / count).max(25.0), (twist / count).max(25.0));
                }
            }
            Role::Finger => self.add_finger(limb),
            Role::Toe => {
                for &joint in &limb.joints {
                    let left = self.limbs.frame.left;
                    self.set(
                        joint,
                        &self.bone(joint),
                        &left,
                        None,
                        SwingShape::Ranges,
                        [(-75.0, 55.0), (-20.0, 20.0), (-20.0, 20.0)],
                    );
                }
            }
            Role::Tail | Role::Chain => {}
        }
    }

    /// Hips from the leg that hangs, shoulders from the arm that reaches out and a little forward.
    fn add_root(&mut self, limb: &Limb) {
        let BodyFrame { up, forward, left } = self.limbs.frame;
        let bone = self.bone(limb.root());
        if self.limbs.four_legged || limb.side == Side::Middle {
            self.set_round(limb.root(), 85.0, 50.0);
        } else if limb.role == Role::Leg {
            // X is the body's left: a leg swings back about it, and to the right about Z.
            let (out, across) = (70.0, 45.0);
            let z = if limb.side == Side::Left { (-out, across) } else { (-across, out) };
            self.set(limb.root(), &bone, &left, Some(-up), SwingShape::Cone, [(-130.0, 50.0), (-60.0, 60.0), z]);
        } else {
            let outward = if limb.side == Side::Left { left } else { -left };
            let reach = (outward + forward * 0.45 - up * 0.2).normalize();
            // About X an arm rises; about Z the left one goes back, the right one forward.
            let (across, back) = (110.0, 90.0);
            let z = if limb.side == Side::Left { (-across, back) } else { (-back, across) };
            let about = reach.cross(&up);
            self.set(limb.root(), &bone, &about, Some(reach), SwingShape::Cone, [(-105.0, 120.0), (-110.0, 110.0), z]);
        }
    }

    /// Elbows and knees: hinges that open from the straight limb one way only.
    fn add_middle(&mut self, limb: &Limb) {
        let Some(middle) = limb.middle else { return };
        let [root, knee, end] = [limb.root(), middle, limb.end()].map(|j| self.stance.position(j));
        let (Some(upper), Some(lower)) = (unit(&(knee - root), 0.0), unit(&(end - knee), 0.0)) else { return };
        let chord = unit(&(end - root), 0.0).unwrap_or(upper);
        let said = anatomy::bulge_at_rest(&self.stance, &self.stance, self.limbs, limb, middle);
        let bulge = said.or_else(|| {
            let comfort = anatomy::comfort(&self.stance, self.limbs, limb, &chord);
            Some(comfort.carry(&chord) * comfort.bulge?)
        });
        let Some(hinge) = bulge.and_then(|bulge| unit(&bulge.cross(&chord), 1e-6)) else { return };
        // The lower part swings about the hinge from the line of the upper one.
        let straight = unit(&across(&upper, &hinge), 1e-6).unwrap_or(upper);
        let ranges = match limb.role {
            Role::Arm => [(-2.0, 155.0), (-100.0, 100.0), (-12.0, 12.0)],
            _ => [(-2.0, 160.0), (-35.0, 35.0), (-12.0, 12.0)],
        };
        self.set(middle, &lower, &hinge, Some(straight), SwingShape::Ranges, ranges);
    }

    /// Ankles and wrists.
    fn add_end(&mut self, limb: &Limb) {
        let BodyFrame { forward, left, .. } = self.limbs.frame;
        if limb.role == Role::Arm {
            // A wrist flexes farther than it tilts to the thumb or the little finger; without fingers no side is known. Its
            // twist is that of the forearm, which has no joint of its own.
            let hand = super::hand::Hand::at(&self.stance, self.limbs, limb.end());
            match hand.and_then(|hand| hand.across) {
                Some(about) => {
                    let ranges = [(-85.0, 90.0), (-100.0, 100.0), (-45.0, 45.0)];
                    self.set(limb.end(), &self.bone(limb.end()), &about, None, SwingShape::Cone, ranges);
                }
                None => self.set_round(limb.end(), 90.0, 100.0),
            }
        } else if self.limbs.four_legged {
            self.set_round(limb.end(), 70.0, 40.0);
        } else {
            // Toes go down about X.
            let foot = unit(&across(&self.bone(limb.end()), &left), 1e-6).unwrap_or(forward);
            let ranges = [(-50.0, 70.0), (-40.0, 40.0), (-40.0, 40.0)];
            self.set(limb.end(), &foot, &left, None, SwingShape::Ranges, ranges);
        }
    }

    fn add_finger(&mut self, finger: &Limb) {
        let hand = finger.joints.first().and_then(|first| self.parents.get(*first).copied().flatten());
        let curls = hand.and_then(|hand| super::hand::Hand::at(&self.stance, self.limbs, hand));
        for (place, &joint) in finger.joints.iter().enumerate() {
            let axis = curls.as_ref().and_then(|hand| hand.axis(joint));
            match axis {
                Some(curl) if !curl.thumb => {
                    let ranges = if place == 0 {
                        [(-40.0, 100.0), (-25.0, 25.0), (-30.0, 30.0)]
                    } else {
                        [(-20.0, 115.0), (-20.0, 20.0), (-12.0, 12.0)]
                    };
                    let about = self.stance.rotation(joint) * curl.axis;
                    self.set(joint, &self.bone(joint), &about, None, SwingShape::Ranges, ranges);
                }
                _ => self.set_round(joint, 75.0, 40.0),
            }
        }
    }

    /// The direction of a joint's bone as the body stands: to its longest child, else on from its parent.
    fn bone(&self, joint: usize) -> Vec3 {
        let at = self.stance.position(joint);
        let children = (joint + 1..self.parents.len()).filter(|child| self.parents[*child] == Some(joint));
        let mut longest = Vec3::zeros();
        for child in children {
            let bone = self.stance.position(child) - at;
            if bone.norm() > longest.norm() * (1.0 + 1e-9) {
                longest = bone;
            }
        }
        let from_parent = || self.stance.parent(joint).map(|parent| at - self.stance.position(parent));
        unit(&longest, 1e-9).or_else(|| unit(&from_parent()?, 1e-9)).unwrap_or_else(Vec3::y)
    }

    /// A round cone about the bone as the body stands.
    fn set_round(&mut self, joint: usize, swing: f64, twist: f64) {
        let (bone, left) = (self.bone(joint), self.limbs.frame.left);
        let ranges = [(-swing, swing), (-twist, twist), (-swing, swing)];
        self.set(joint, &bone, &left, None, SwingShape::Cone, ranges);
    }

    /// Limits of a joint whose bone points along `bone` as the body stands and along `middle` (none for the same) in the middle of
    /// them; there X is along `about` as nearly as the bone allows. Directions are in the rig object's space.
    fn set(
        &mut self,
        joint: usize,
        bone: &Vec3,
        about: &Vec3,
        middle: Option<Vec3>,
        shape: SwingShape,
        ranges: Ranges,
    ) {
        let middle = middle.unwrap_or(*bone);
        let arc = shortest_arc(bone, &middle);
        let y = middle;
        let x = unit(&across(about, &y), 1e-6).unwrap_or_else(|| perpendicular(&y));
        let frame = Matrix3::from_columns(&[x, y, x.cross(&y)]);
        let world = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(frame));
        let (stands, local, rest) =
            (self.stance.rotation(joint), self.stance.local_rotation(joint), self.rest_locals[joint]);
        let centre = rest.inverse() * local * stands.inverse() * arc * stands;
        let axes = (arc * stands).inverse() * world;
        let [x, twist, z] = ranges.map(|(least, greatest)| (least.to_radians(), greatest.to_radians()));
        let softness = SOFTNESS_DEG.to_radians();
        let limit = Limit { centre, axes, x, twist, z, shape, softness };
        // As it stands is never out of reach.
        let wide = JointLimit::of(&limit, &rest).including(&local);
        let pair = |[least, greatest]: [f64; 2]| (least, greatest);
        if let Some(slot) = self.out.get_mut(joint) {
            *slot = Some(Limit { x: pair(wide.x), twist: pair(wide.twist), z: pair(wide.z), ..limit });
        }
    }
}
