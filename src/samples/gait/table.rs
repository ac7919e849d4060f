//! The gaits of the samples. Proportions of the walk follow Perry, *Gait Analysis* (1992): stance 62 %, pelvis turning 5
//! degrees each way, the centre of mass rising 2 to 3 cm over each stance leg. Of the run Novacheck, "The biomechanics of
//! running", *Gait & Posture* 7 (1998): stance below 40 %, both feet in the air between, the hips lowest in mid-stance.

use super::{Arms, Carriage, Gait, Ground, Stance, Swing, Trunk, standing::Standing};

const WALK_STANCE: Stance =
    Stance { flat: 0.13, mid: 0.275, heel_off: 0.34, toe_off: 0.61, strike: 0.3, push: 0.82, push_length: 0.4 };

/// A walk along a line, from which other walks differ.
const FORWARD: Gait = Gait {
    frames: 24,
    ground: Ground { forward: 1.2, left: 0.0, round: None },
    right: 0.5,
    track: 0.075,
    toe_out: 0.09,
    stances: [WALK_STANCE; 2],
    swing: Swing { lift: 0.042, pitch: 0.1 },
    carriage: Carriage {
        lower: 0.045,
        rise: 0.016,
        hitch: 0.0,
        sway: 0.02,
        surge: 0.006,
        yaw: 0.085,
        roll: 0.055,
        tilt: 0.045,
        lean: 0.0,
        look: 0.0,
    },
    trunk: Trunk { twist: 0.085, bend: 0.045, nod: 0.014, stoop: [0.01, 0.02, 0.05, -0.09] },
    arms: Arms { hang: 1.32, swing: [0.1, 0.36], elbow: [0.42, 0.2] },
};

/// Cycles of [`ROUND`] once round its circle.
pub(in crate::samples) const ROUND_CYCLES: u32 = 8;

/// A walk round a circle: the motion closes without a jump in place, heading or speed.
pub(in crate::samples) static ROUND: Gait =
    Gait { ground: Ground { forward: 1.12, left: 0.0, round: Some(ROUND_CYCLES) }, ..FORWARD };

/// A walk along a line.
pub(in crate::samples) static WALK: Gait = FORWARD;

/// A run along a line.
pub(in crate::samples) static RUN: Gait = Gait {
    frames: 17,
    right: 0.5,
    ground: Ground { forward: 2.05, left: 0.0, round: None },
    track: 0.05,
    toe_out: 0.05,
    stances: [Stance {
        flat: 0.06,
        mid: 0.09,
        heel_off: 0.15,
        toe_off: 0.33,
        strike: 0.12,
        push: 0.95,
        push_length: 0.24,
    }; 2],
    swing: Swing { lift: 0.2, pitch: -0.75 },
    carriage: Carriage {
        lower: 0.085,
        rise: -0.03,
        sway: 0.008,
        surge: 0.003,
        yaw: 0.1,
        tilt: 0.14,
        ..FORWARD.carriage
    },
    trunk: Trunk { twist: 0.15, bend: 0.03, nod: 0.02, stoop: [0.05, 0.05, 0.0, -0.16] },
    arms: Arms { hang: 1.25, swing: [0.0, 0.62], elbow: [1.35, 0.25] },
};

/// Steps to the left: the left foot reaches out, the right closes up.
pub(in crate::samples) static STRAFE_LEFT: Gait = strafe(1.0);

/// Steps to the right.
pub(in crate::samples) static STRAFE_RIGHT: Gait = strafe(-1.0);

const fn strafe(left: f64) -> Gait {
    Gait {
        frames: 20,
        ground: Ground { forward: 0.0, left: 0.5 * left, round: None },
        track: 0.17,
        toe_out: 0.06,
        stances: [Stance { flat: 0.1, strike: 0.06, push: 0.35, ..WALK_STANCE }; 2],
        swing: Swing { lift: 0.05, pitch: 0.0 },
        carriage: Carriage { lower: 0.075, sway: 0.015, surge: 0.004, yaw: 0.0, roll: 0.03, ..FORWARD.carriage },
        trunk: Trunk { twist: 0.03, bend: 0.05, ..FORWARD.trunk },
        arms: Arms { hang: 1.2, swing: [0.15, 0.08], elbow: [0.6, 0.1] },
        ..FORWARD
    }
}

/// A walk that leans to the left and looks there: what a turning body does about its feet.
pub(in crate::samples) static LEAN_LEFT: Gait = leaning(1.0);

/// A walk that leans to the right.
pub(in crate::samples) static LEAN_RIGHT: Gait = leaning(-1.0);

const fn leaning(left: f64) -> Gait {
    Gait { carriage: Carriage { lean: 0.2 * left, look: 0.3 * left, lower: 0.062, ..FORWARD.carriage }, ..FORWARD }
}

/// A slow walk, stooped, the feet hardly raised.
pub(in crate::samples) static TIRED: Gait = Gait {
    frames: 32,
    ground: Ground { forward: 0.9, left: 0.0, round: None },
    stances: [Stance { strike: 0.12, push: 0.55, ..WALK_STANCE }; 2],
    swing: Swing { lift: 0.02, pitch: 0.02 },
    carriage: Carriage { lower: 0.06, rise: 0.01, sway: 0.035, yaw: 0.05, tilt: 0.1, ..FORWARD.carriage },
    trunk: Trunk { twist: 0.05, bend: 0.06, nod: 0.03, stoop: [0.13, 0.18, 0.18, 0.12] },
    arms: Arms { hang: 1.38, swing: [0.12, 0.14], elbow: [0.2, 0.06] },
    ..FORWARD
};

/// A walk that spares the right leg: it comes down late, stiff and flat, and is left early.
pub(in crate::samples) static LIMP: Gait = Gait {
    frames: 28,
    ground: Ground { forward: 0.8, left: 0.0, round: None },
    right: 0.43,
    stances: [
        Stance { toe_off: 0.7, mid: 0.33, heel_off: 0.45, push: 0.6, ..WALK_STANCE },
        Stance { flat: 0.08, mid: 0.22, heel_off: 0.32, toe_off: 0.5, strike: 0.08, push: 0.35, push_length: 0.3 },
    ],
    swing: Swing { lift: 0.03, pitch: 0.05 },
    carriage: Carriage {
        lower: 0.05,
        rise: 0.008,
        hitch: -0.018,
        sway: 0.035,
        roll: 0.07,
        tilt: 0.08,
        ..FORWARD.carriage
    },
    trunk: Trunk { twist: 0.06, bend: 0.09, nod: 0.02, stoop: [0.04, 0.05, 0.05, -0.05] },
    arms: Arms { hang: 1.26, swing: [0.1, 0.2], elbow: [0.5, 0.12] },
    ..FORWARD
};

/// Standing at ease.
pub(in crate::samples) static IDLE: Standing =
    Standing { frames: 96, shift: 0.022, breaths: 1.0, breath: 0.02, waves: 0.0 };

/// Breathing deeply, the weight on both feet.
pub(in crate::samples) static BREATHE: Standing =
    Standing { frames: 72, shift: 0.0, breaths: 1.0, breath: 0.06, waves: 0.0 };

/// The right hand waves.
pub(in crate::samples) static WAVE: Standing =
    Standing { frames: 48, shift: 0.012, breaths: 1.0, breath: 0.02, waves: 3.0 };
