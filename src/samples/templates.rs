//! New characters from a few numbers: a biped, a quadruped, a tentacle and an arm. All face +Z with their left at +X, and name
//! their joints so that their limbs are found.

use super::round6;
use crate::{
    math::{Vec3, rotation::from_axis_angle},
    model::{Joint, JointId, JointKind, Skeleton},
};
use std::f64::consts::FRAC_PI_4;

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Two legs, two arms.
    Biped,
    /// Four legs and a tail.
    Quadruped,
    /// One chain that stands up.
    Tentacle,
    /// Shoulder, elbow, wrist and fingers.
    Arm,
}

/// The numbers of a new character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// How tall (a quadruped: to the head; a tentacle or an arm: how long), metres; brought within 0.01..1000.
    pub height: f64,
    /// Joints of the spine, the tail or the tentacle; brought within 1..64.
    pub segments: u32,
    /// Fingers of a hand, a thumb included; at most 5.
    pub fingers: u32,
    /// How arms hang at rest.
    pub stance: Stance,
}

/// How the arms of a biped are held at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Straight out.
    T,
    /// 45 degrees down.
    A,
}

impl Build {
    /// How tall a character can be, metres.
    pub const HEIGHT: std::ops::RangeInclusive<f64> = 0.01..=1000.0;
    /// How many joints its spine, tail or tentacle can have.
    pub const SEGMENTS: std::ops::RangeInclusive<u32> = 1..=64;
    /// How many fingers a hand can have.
    pub const FINGERS: u32 = 5;
}

impl Template {
    /// All templates, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Biped, Self::Quadruped, Self::Tentacle, Self::Arm];

    /// The numbers it is made with where none are asked for.
    #[must_use]
    pub const fn usual(self) -> Build {
        let (height, segments, fingers) = match self {
            Self::Biped => (1.75, 3, 5),
            Self::Quadruped => (0.9, 3, 0),
            Self::Tentacle => (1.5, 12, 0),
            Self::Arm => (0.7, 1, 5),
        };
        Build { height, segments, fingers, stance: Stance::T }
    }

    /// Its joints.
    #[must_use]
    pub fn skeleton(self, build: &Build) -> Skeleton {
        let size = if build.height.is_finite() {
            build.height.clamp(*Build::HEIGHT.start(), *Build::HEIGHT.end())
        } else {
            self.usual().height
        };
        let build = Build {
            height: size,
            segments: build.segments.clamp(*Build::SEGMENTS.start(), *Build::SEGMENTS.end()),
            ..*build
        };
        let mut maker = Maker { joints: Vec::new(), size };
        match self {
            Self::Biped => biped(&mut maker, &build),
            Self::Quadruped => quadruped(&mut maker, &build),
            Self::Tentacle => {
                let root = maker.joint("tentacle_1", None, [0.0, 0.0, 0.0]);
                let last = maker.chain("tentacle", root, 2..=build.segments, Vec3::y() / f64::from(build.segments));
                maker.tip(last, [0.0, 1.0 / f64::from(build.segments), 0.0]);
            }
            Self::Arm => {
                let arm = maker.joint("upper_arm.l", None, [0.0, 1.0, 0.0]);
                let forearm = maker.joint("forearm.l", Some(arm), [0.4, 0.0, 0.0]);
                let hand = maker.joint("hand.l", Some(forearm), [0.36, 0.0, 0.007]);
                fingers(&mut maker, hand, (".l", 1.0), build.fingers, 1.0);
            }
        }
        // Every joint is made after its parent.
        Skeleton::new(maker.joints).unwrap_or_default()
    }
}

/// Makes joints at places counted in the character's size.
struct Maker {
    joints: Vec<Joint>,
    size: f64,
}

impl Maker {
    fn joint(&mut self, name: &str, parent: Option<JointId>, offset: [f64; 3]) -> JointId {
        let id = JointId(u32::try_from(self.joints.len()).unwrap_or(u32::MAX));
        self.joints.push(Joint::new(id, name, parent, (Vec3::from(offset) * self.size).map(round6)));
        id
    }

    fn tip(&mut self, parent: JointId, offset: [f64; 3]) {
        let above = self.joints.iter().find(|joint| joint.id == parent).map(|joint| joint.name.clone());
        let name = format!("{}_end", above.unwrap_or_default());
        let id = self.joint(&name, Some(parent), offset);
        self.joints.iter_mut().filter(|joint| joint.id == id).for_each(|joint| joint.kind = JointKind::End);
    }

    /// Joints of one name with numbers, each the same way from the one before; the last.
    fn chain(&mut self, name: &str, from: JointId, numbers: std::ops::RangeInclusive<u32>, step: Vec3) -> JointId {
        numbers.fold(from, |parent, number| self.joint(&format!("{name}_{number}"), Some(parent), step.into()))
    }
}

const SIDES: [(&str, f64); 2] = [(".l", 1.0), (".r", -1.0)];

/// Fingers side by side along a hand that points to its side, the thumb in front; a tip where there are none. `part` is the
/// hand's size as a part of what it is in an arm on its own.
fn fingers(maker: &mut Maker, hand: JointId, (suffix, side): (&str, f64), count: u32, part: f64) {
    if count == 0 {
        return maker.tip(hand, [0.24 * part * side, 0.0, 0.0]);
    }
    let names = ["thumb", "index", "middle", "ring", "pinky"];
    for (place, name) in names.iter().enumerate().take(usize::try_from(count).unwrap_or(names.len())) {
        let thumb = place == 0;
        let across = 0.045 - 0.022 * place as f64;
        let (start, step) = if thumb {
            ([0.03, -0.01, 0.04], [0.035, -0.005, 0.022])
        } else {
            ([0.13, 0.0, across + 0.01], [0.045, 0.0, 0.0])
        };
        let scaled = |[x, y, z]: [f64; 3]| [x * part * side, y * part, z * part];
        let first = maker.joint(&format!("{name}_1{suffix}"), Some(hand), scaled(start));
        let second = maker.joint(&format!("{name}_2{suffix}"), Some(first), scaled(step));
        let third = maker.joint(&format!("{name}_3{suffix}"), Some(second), scaled(step));
        maker.tip(third, scaled(step));
    }
}

fn biped(maker: &mut Maker, build: &Build) {
    let hips = maker.joint("hips", None, [0.0, 0.563, 0.0]);
    let step = Vec3::new(0.0, 0.145 / f64::from(build.segments), -0.003 / f64::from(build.segments));
    let chest = maker.chain("spine", hips, 1..=build.segments, step);
    let neck = maker.joint("neck", Some(chest), [0.0, 0.145, -0.006]);
    let head = maker.joint("head", Some(neck), [0.0, 0.051, 0.009]);
    maker.tip(head, [0.0, 0.096, 0.006]);
    for (suffix, side) in SIDES {
        let clavicle = maker.joint(&format!("clavicle{suffix}"), Some(chest), [0.014 * side, 0.117, 0.006]);
        let arm = maker.joint(&format!("upper_arm{suffix}"), Some(clavicle), [0.089 * side, 0.0, -0.011]);
        let forearm = maker.joint(&format!("forearm{suffix}"), Some(arm), [0.157 * side, 0.0, 0.0]);
        let hand = maker.joint(&format!("hand{suffix}"), Some(forearm), [0.143 * side, 0.0, 0.003]);
        fingers(maker, hand, (suffix, side), build.fingers, 0.4);
        if build.stance == Stance::A {
            let turn = from_axis_angle(&Vec3::z(), -FRAC_PI_4 * side);
            maker.joints.iter_mut().filter(|joint| joint.id == arm).for_each(|joint| joint.rest.rotation = turn);
        }
        let thigh = maker.joint(&format!("thigh{suffix}"), Some(hips), [0.051 * side, -0.023, 0.0]);
        let shin = maker.joint(&format!("shin{suffix}"), Some(thigh), [0.0, -0.249, 0.003]);
        let foot = maker.joint(&format!("foot{suffix}"), Some(shin), [0.0, -0.245, -0.003]);
        let toe = maker.joint(&format!("toe{suffix}"), Some(foot), [0.0, -0.034, 0.074]);
        maker.tip(toe, [0.0, -0.006, 0.043]);
    }
}

fn quadruped(maker: &mut Maker, build: &Build) {
    let hips = maker.joint("hips", None, [0.0, 0.67, -0.44]);
    let step = Vec3::new(0.0, 0.0, 0.7 / f64::from(build.segments));
    let chest = maker.chain("spine", hips, 1..=build.segments, step);
    let neck = maker.joint("neck", Some(chest), [0.0, 0.11, 0.17]);
    let head = maker.joint("head", Some(neck), [0.0, 0.13, 0.11]);
    maker.tip(head, [0.0, 0.0, 0.17]);
    let tail = maker.joint("tail_1", Some(hips), [0.0, 0.05, -0.11]);
    let last = maker.chain("tail", tail, 2..=4, Vec3::new(0.0, 0.0, -0.11));
    maker.tip(last, [0.0, 0.0, -0.11]);
    for (suffix, side) in SIDES {
        let arm = maker.joint(&format!("upper_arm{suffix}"), Some(chest), [0.11 * side, -0.05, 0.0]);
        let forearm = maker.joint(&format!("forearm{suffix}"), Some(arm), [0.0, -0.28, -0.11]);
        let hand = maker.joint(&format!("hand{suffix}"), Some(forearm), [0.0, -0.28, 0.11]);
        maker.tip(hand, [0.0, -0.05, 0.08]);
        let thigh = maker.joint(&format!("thigh{suffix}"), Some(hips), [0.11 * side, -0.05, 0.0]);
        let shin = maker.joint(&format!("shin{suffix}"), Some(thigh), [0.0, -0.28, 0.11]);
        let foot = maker.joint(&format!("foot{suffix}"), Some(shin), [0.0, -0.27, -0.11]);
        let toe = maker.joint(&format!("toe{suffix}"), Some(foot), [0.0, -0.06, 0.09]);
        maker.tip(toe, [0.0, 0.0, 0.04]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::limbs::{self, Role, Side},
        model::Rig,
    };
    use std::sync::Arc;

    fn found(template: Template, build: &Build) -> limbs::Limbs {
        let skeleton = Arc::new(template.skeleton(build));
        assert!(!skeleton.is_empty());
        let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        limbs::of_rig(&Rig { skeleton, ..Rig::default() }, &rest)
    }

    #[test]
    fn limbs_of_every_template_are_found() {
        for stance in [Stance::T, Stance::A] {
            for fingers in [0, 5] {
                let biped = found(Template::Biped, &Build { stance, fingers, ..Template::Biped.usual() });
                for side in [Side::Left, Side::Right] {
                    for role in [Role::Arm, Role::Leg] {
                        assert_eq!(biped.limb(role, side).map(|limb| limb.joints.len()), Some(3), "{role:?} {side:?}");
                    }
                }
                assert_eq!(biped.of_role(Role::Finger).count(), 2 * fingers as usize);
                assert!(biped.of_role(Role::Spine).next().is_some() && biped.of_role(Role::Neck).next().is_some());
            }
        }
        let quadruped = found(Template::Quadruped, &Template::Quadruped.usual());
        assert_eq!(quadruped.of_role(Role::Leg).count(), 4);
        assert_eq!(quadruped.of_role(Role::Tail).count(), 1);
        assert_eq!(found(Template::Arm, &Template::Arm.usual()).of_role(Role::Arm).count(), 1);
        assert!(found(Template::Tentacle, &Template::Tentacle.usual()).of_role(Role::Chain).next().is_some());
    }

    #[test]
    fn senseless_numbers_give_a_sound_skeleton() {
        for template in Template::ALL {
            for (height, segments, fingers) in [(f64::NAN, 0, 99), (-1.0, u32::MAX, 1), (f64::INFINITY, 1, 0)] {
                let skeleton = template.skeleton(&Build { height, segments, fingers, stance: Stance::A });
                assert!(!skeleton.is_empty() && skeleton.len() < 200);
                assert!(skeleton.joints().iter().all(|joint| joint.rest.translation.iter().all(|x| x.is_finite())));
            }
        }
    }
}
