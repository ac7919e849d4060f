//! From one motion to another at a time: by crossfade, or by inertialization.

use super::pose::{RotationBlend, lay_over};
use crate::math::{
    Quat, Transform, Vec3,
    decay::{DecayStart, RotationDecay, VectorDecay, rotation_vector_near},
    easing::Ease,
    rotation::rotation_vector,
};

/// How a motion is left for another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transition {
    /// Both play, the new one weighs more and more.
    Crossfade {
        /// How long, seconds.
        secs: f64,
        /// How the weight grows.
        ease: Ease,
        /// Whether the old one stops at the switch instead of playing on.
        frozen: bool,
    },
    /// The new one plays from the switch on, plus what the old one was off by, which dies away.
    Inertial {
        /// How long at most, seconds.
        secs: f64,
        /// How the old one's velocity is taken along.
        start: DecayStart,
    },
}

impl Transition {
    /// How many of the two motions are looked at a time after the switch: the cost of a transition.
    #[must_use]
    pub fn motions_at(&self, since: f64) -> usize {
        match self {
            Self::Crossfade { secs, frozen: false, .. } if since >= 0.0 && since < *secs => 2,
            _ => 1,
        }
    }
}

/// The weight of the new motion of a crossfade a time after the switch: 0 before, 1 after its end. A fade that takes no time
/// is a cut.
#[must_use]
pub fn crossfade_weight(since: f64, secs: f64, ease: &Ease) -> f64 {
    if since >= secs {
        1.0
    } else if since > 0.0 {
        ease.value(since / secs)
    } else {
        0.0
    }
}

/// A motion: the local transforms of all joints at a time, seconds.
pub type PoseAt<'a> = &'a dyn Fn(f64) -> Vec<Transform>;

/// A switch made ready: what has to be known of the old motion is looked at once.
#[derive(Clone, Debug)]
pub struct Switch {
    at: f64,
    transition: Transition,
    frozen: Vec<Transform>,
    offsets: Vec<Offset>,
}

#[derive(Clone, Copy, Debug)]
struct Offset {
    translation: VectorDecay,
    rotation: RotationDecay,
    scale: VectorDecay,
}

/// The step of the differences that give velocities, seconds: fourth order, so that the error is far below 1e-9 of any
/// motion of flesh.
const STEP: f64 = 1e-3;

impl Switch {
    /// From one motion to another at a time.
    #[must_use]
    pub fn new(from: PoseAt<'_>, to: PoseAt<'_>, at: f64, transition: Transition) -> Self {
        let mut switch = Self { at, transition, frozen: Vec::new(), offsets: Vec::new() };
        match transition {
            Transition::Crossfade { frozen, .. } => {
                if frozen {
                    switch.frozen = from(at);
                }
            }
            Transition::Inertial { secs, start } => {
                let around = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|step| (from(at + step * STEP), to(at + step * STEP)));
                let joints = around.iter().map(|(a, b)| a.len().min(b.len())).min().unwrap_or(0);
                switch.offsets = (0..joints)
                    .map(|joint| {
                        Offset::new(std::array::from_fn(|i| (around[i].0[joint], around[i].1[joint])), secs, start)
                    })
                    .collect();
            }
        }
        switch
    }

    /// The pose at a time: before the switch the old motion.
    #[must_use]
    pub fn pose(&self, from: PoseAt<'_>, to: PoseAt<'_>, secs: f64) -> Vec<Transform> {
        let since = secs - self.at;
        if !(since >= 0.0) {
            return from(secs);
        }
        match self.transition {
            Transition::Crossfade { secs: length, ease, frozen } => {
                let weight = crossfade_weight(since, length, &ease);
                if weight >= 1.0 {
                    return to(secs);
                }
                let mut pose = if frozen { self.frozen.clone() } else { from(secs) };
                lay_over(&mut pose, &to(secs), weight, None, RotationBlend::Slerp);
                pose
            }
            Transition::Inertial { .. } => {
                let mut pose = to(secs);
                for (local, offset) in pose.iter_mut().zip(&self.offsets) {
                    offset.add(local, since);
                }
                pose
            }
        }
    }
}

impl Offset {
    /// From both motions' transforms at five times around the switch.
    fn new(around: [(Transform, Transform); 5], secs: f64, start: DecayStart) -> Self {
        let (from, to) = around[2];
        let rate = |of: &dyn Fn(usize) -> Vec3| (8.0 * (of(3) - of(1)) - (of(4) - of(0))) / (12.0 * STEP);
        let shift = |i: usize| around[i].0.translation - around[i].1.translation;
        let stretch = |i: usize| around[i].0.scale - around[i].1.scale;
        let turn = rotation_vector(&(from.rotation * to.rotation.inverse()));
        let turns = |i: usize| rotation_vector_near(&(around[i].0.rotation * around[i].1.rotation.inverse()), &turn);
        Self {
            translation: VectorDecay::new(shift(2), rate(&shift), secs, start),
            rotation: RotationDecay::new(turn, rate(&turns), secs, start),
            scale: VectorDecay::new(stretch(2), rate(&stretch), secs, start),
        }
    }

    fn add(&self, local: &mut Transform, since: f64) {
        local.translation += self.translation.value(since);
        local.scale += self.scale.value(since);
        let turn = self.rotation.rotation(since);
        if turn != Quat::identity() {
            local.rotation = turn * local.rotation;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation::{chord_angle, from_axis_angle};

    fn motion(seed: f64) -> impl Fn(f64) -> Vec<Transform> {
        move |t: f64| {
            let joint = |i: f64| Transform {
                translation: Vec3::new((t + seed).sin(), (2.0 * t + i).cos(), seed * t),
                rotation: from_axis_angle(&Vec3::new((0.3 * t).sin(), 1.0, seed), seed + 1.3 * t.sin() + i),
                scale: Vec3::new(1.0 + 0.1 * (t * seed).sin(), 1.0, 1.0),
            };
            (0..3).map(f64::from).map(joint).collect()
        }
    }

    /// The largest jump of value and of velocity over the switch.
    fn jumps(transition: Transition) -> (f64, f64) {
        let (from, to) = (motion(0.4), motion(1.9));
        let switch = Switch::new(&from, &to, 0.8, transition);
        let at = |t: f64| switch.pose(&from, &to, t);
        // One-sided differences of fourth order; the quintic's fifth derivative is large.
        let h = 2e-4;
        let side = |side: f64, of: &dyn Fn(f64) -> nalgebra::Vector4<f64>| {
            let v = |i: f64| of(0.8 + side * i * h);
            side * (v(0.0) * -25.0 + v(1.0) * 48.0 - v(2.0) * 36.0 + v(3.0) * 16.0 - v(4.0) * 3.0) / (12.0 * h)
        };
        let (mut jump, mut kink) = (0.0f64, 0.0f64);
        for joint in 0..3 {
            let start = from(0.8)[joint];
            let now = at(0.8)[joint];
            jump =
                jump.max((now.translation - start.translation).norm()).max(chord_angle(&now.rotation, &start.rotation));
            let before = |t: f64| {
                let local = from(t)[joint];
                crate::math::rotation::align(&local.rotation, &start.rotation).coords + local.translation.push(0.0)
            };
            let after = |t: f64| {
                let local = at(t)[joint];
                crate::math::rotation::align(&local.rotation, &start.rotation).coords + local.translation.push(0.0)
            };
            kink = kink.max((side(-1.0, &before) - side(1.0, &after)).norm());
        }
        (jump, kink)
    }

    #[test]
    fn inertialization_is_continuous_in_value_and_velocity() {
        let (jump, kink) = jumps(Transition::Inertial { secs: 0.5, start: DecayStart::Smooth });
        assert!(jump < 1e-12 && kink < 1e-9, "{jump} {kink}");
        let (jump, kink) = jumps(Transition::Inertial { secs: 0.5, start: DecayStart::Bollo });
        assert!(jump < 1e-12 && kink > 0.1, "{jump} {kink}");
        let smooth = Transition::Crossfade { secs: 0.5, ease: Ease::SMOOTHERSTEP, frozen: false };
        let (jump, kink) = jumps(smooth);
        assert!(jump < 1e-12 && kink < 1e-8, "{jump} {kink}");
    }

    #[test]
    fn after_its_end_a_transition_is_the_new_motion_to_the_bit() {
        let (from, to) = (motion(0.4), motion(1.9));
        for transition in [
            Transition::Inertial { secs: 0.5, start: DecayStart::Smooth },
            Transition::Crossfade { secs: 0.5, ease: Ease::SMOOTHERSTEP, frozen: true },
            Transition::Crossfade { secs: 0.0, ease: Ease::SMOOTHERSTEP, frozen: false },
        ] {
            let switch = Switch::new(&from, &to, 0.8, transition);
            assert_eq!(switch.pose(&from, &to, 1.31), to(1.31));
            assert_eq!(switch.pose(&from, &to, 0.79), from(0.79));
            assert_eq!(transition.motions_at(2.0), 1);
        }
        let moving = Transition::Crossfade { secs: 0.5, ease: Ease::SMOOTHERSTEP, frozen: false };
        assert_eq!((moving.motions_at(0.1), moving.motions_at(0.6)), (2, 1));
    }
}
