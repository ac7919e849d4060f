//! Standing: the feet stay, the weight shifts, the chest breathes, a hand may wave.

use super::{Arm, Arms, Hips, Leg, Motion, Side, Spine, about, foot::Foot, turn};
use crate::{
    math::Vec3,
    samples::biped::{ANKLE_HEIGHT, HIPS_HEIGHT},
};
use std::f64::consts::TAU;

/// How a body stands. Amplitudes are metres and radians; all of it repeats after [`Standing::frames`].
pub(in crate::samples) struct Standing {
    /// Frames until it repeats.
    pub(in crate::samples) frames: i64,
    /// How far the weight shifts to each side.
    pub(in crate::samples) shift: f64,
    /// Breaths in that time.
    pub(in crate::samples) breaths: f64,
    /// How deep they are.
    pub(in crate::samples) breath: f64,
    /// How often the right hand, raised, waves in that time; 0 leaves it hanging.
    pub(in crate::samples) waves: f64,
}

/// Half the distance between the feet.
const APART: f64 = 0.1;
/// How far a foot points outwards.
const TOE_OUT: f64 = 0.12;
/// Arms that hang.
const HANGING: Arms = Arms { hang: 1.36, swing: [0.04, 0.0], elbow: [0.22, 0.0] };

impl Standing {
    fn cycle(&self, secs: f64) -> f64 {
        TAU * secs / self.secs()
    }

    /// How full the chest is, -1 to 1.
    fn breath(&self, secs: f64) -> f64 {
        self.breath * (self.breaths * self.cycle(secs)).sin()
    }
}

impl Motion for Standing {
    fn frames(&self) -> i64 {
        self.frames
    }

    fn hips(&self, secs: f64) -> Hips {
        let side = self.cycle(secs).sin();
        let position = Vec3::new(self.shift * side, HIPS_HEIGHT - 0.018 + 0.1 * self.breath(secs), 0.0);
        Hips { position, angles: [0.4 * self.shift * side, 0.8 * self.shift * side, 0.02] }
    }

    fn spine(&self, secs: f64) -> Spine {
        let side = self.shift * self.cycle(secs).sin();
        let breath = self.breath(secs);
        Spine {
            spine: turn(0.0, -0.6 * side, 0.02 - 0.4 * breath),
            chest: turn(0.3 * side, -0.4 * side, 0.02 - breath),
            neck: turn(0.0, 0.0, 0.05 + 0.5 * breath),
            head: turn(-0.6 * side, 0.2 * side, -0.08 + 0.6 * breath),
        }
    }

    fn arm(&self, side: Side, secs: f64) -> Arm {
        let breath = self.breath(secs);
        if side == Side::Left || self.waves == 0.0 {
            let mut arm = HANGING.held(side, 0.0, 0.0, 0.0);
            arm.clavicle = about(Vec3::z(), side.sign() * (-0.05 + 0.6 * breath)) * arm.clavicle;
            return arm;
        }
        let beat = self.waves * self.cycle(secs);
        let [shoulder, elbow, hand] = [0.0, 0.4, 0.9].map(|lag| (beat - lag).sin());
        // Rolled so that the elbow bends upwards; the palm faces forward.
        Arm {
            clavicle: about(Vec3::z(), -0.16),
            upper: about(Vec3::y(), 0.35) * about(Vec3::z(), -0.1 + 0.05 * shoulder) * about(Vec3::x(), -1.45),
            forearm: about(Vec3::y(), 1.35 + 0.32 * elbow) * about(Vec3::x(), 0.1),
            hand: about(Vec3::y(), 0.22 * hand),
        }
    }

    fn leg(&self, side: Side, secs: f64) -> Leg {
        let ankle = Vec3::new(side.sign() * APART, ANKLE_HEIGHT, 0.0);
        let foot = Foot { ankle, yaw: side.sign() * TOE_OUT, pitch: 0.0, toe_bend: 0.0 };
        self.hips(secs).leg(side, &foot)
    }
}
