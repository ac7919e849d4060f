//! Elbows and knees: the limb swings about the line from its root to its end, which stays.
//!
//! Under limits the swing is walked from the press in small steps. At each the two parts of the limb turn about themselves by
//! no more than brings both joints within their limits: three corners and all that hangs from the end stay as they are, so
//! that nothing is ever searched for. Where no such turn is found the limb goes no further and the middle stays behind the
//! pointer. On the other side of the line one of the two places where it stayed has to become the other: the side that had
//! less room gives way, over [`FOLD`].

use super::{Drag, bend::signed_angle, limb, pose::Pose};
use crate::eval::ik::bend::{across, unit};
use crate::eval::ik::{JointLimit, SolveReport, SolveStatus, limit::eased};
use crate::eval::limbs::Limb;
use crate::math::rotation::from_axis_angle;
use crate::math::{Quat, Vec3};
use nalgebra::{Matrix2, SMatrix, SVector, Vector2};
use std::f64::consts::PI;

/// A middle joint nearer to the line from root to end than this share of the limb has no swing worth the name.
const STRAIGHT: f64 = 0.03;
/// One step of the walk, radians.
const STEP: f64 = 0.02;
/// Neither part turns about itself by more than this in one, radians.
const MOST_TURN: f64 = 0.15;
/// How often the last step is halved where it is not possible whole.
const HALVINGS: u32 = 24;
/// Most Newton steps to bring both joints within their limits.
const NEWTON: u32 = 12;
/// Their damping, which has a turn that changes nothing stay nothing.
const DAMPING: f64 = 1e-6;
/// They aim at so much within a limit, radians.
const WITHIN: f64 = 5e-10;
/// Width of the difference quotients, radians.
const TINY: f64 = 1e-7;
/// The swing slows over so much before it stops, radians; less where there is less room.
const SOFT: f64 = 0.2;
/// The angle before straight opposite to the press on which a side gives way to the other, radians.
const FOLD: f64 = 1.0;
/// Poses whose turns differ by less are one, radians.
const SAME: f64 = 1e-6;

/// An elbow or a knee: the limb swings until the middle joint is on the target's side, as far as limits let it. The end keeps
/// place and rotation. A straight limb has no such swing: its upper part turns to the target.
pub(super) fn swing_middle(drag: &Drag<'_>, pose: &mut Pose<'_>, limb: usize, target: &Vec3) -> SolveReport {
    let Some(limb) = drag.input.limbs.limbs.get(limb) else { return limb::nothing() };
    if let Some(upper) = straight_part(drag, limb) {
        return limb::drag_chain(drag, pose, &upper, target);
    }
    let grabbed = drag.input.joint;
    let (root, middle, end) = (pose.position(limb.root()), pose.position(grabbed), pose.position(limb.end()));
    let size = (middle - root).norm() + (end - middle).norm();
    let Some(chord) = unit(&(end - root), 0.0) else { return limb::nothing() };
    let side = across(&(middle - root), &chord);
    let wanted = across(&(target - root), &chord);
    let angle = if wanted.norm() > 1e-9 * size { signed_angle(&side, &wanted, &chord) } else { 0.0 };
    let swing = Swing::new(drag, pose, limb, chord);
    let stand = swing.as_ref().map_or(Stand::at(angle), |swing| swing.stand(angle));
    let kept = pose.rotation(limb.end());
    let round = from_axis_angle(&chord, stand.angle);
    if let (Some(swing), Some(middle)) = (&swing, limb.middle) {
        let [upper, lower] = swing.world(&stand);
        pose.set_rotation(limb.root(), &upper);
        pose.set_rotation(middle, &lower);
    } else {
        pose.set_rotation(limb.root(), &(round * pose.rotation(limb.root())));
    }
    pose.set_rotation(limb.end(), &kept);
    let residual = (pose.position(grabbed) - target).norm();
    let status = if residual <= drag.input.options.settings.tolerance * size {
        SolveStatus::Reached
    } else if wanted.norm() > side.norm() {
        SolveStatus::TooFar
    } else {
        SolveStatus::TooNear
    };
    SolveReport::closed_form(status, residual)
}

/// The joints from a limb's root to the grabbed one where the limb is straight at the press.
pub(super) fn straight_part(drag: &Drag<'_>, limb: &Limb) -> Option<Vec<usize>> {
    let at = |joint: usize| drag.pressed.position(joint);
    let grabbed = drag.input.joint;
    let (root, middle, end) = (at(limb.root()), at(grabbed), at(limb.end()));
    let size = (middle - root).norm() + (end - middle).norm();
    let bent =
        unit(&(end - root), 1e-6 * size).is_some_and(|chord| across(&(middle - root), &chord).norm() > STRAIGHT * size);
    (!bent).then(|| limb.joints.iter().copied().take_while(|joint| *joint != grabbed).chain([grabbed]).collect())
}

/// How far a limb has swung, and how far its two parts have turned about themselves, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stand {
    angle: f64,
    turns: Vector2<f64>,
}

impl Stand {
    fn at(angle: f64) -> Self {
        Self { angle, turns: Vector2::zeros() }
    }
}

/// A limb that swings under limits.
struct Swing {
    /// From its root to its end, unit.
    chord: Vec3,
    /// Its two parts, unit.
    bones: [Vec3; 2],
    /// What it hangs from; its root and its middle, world.
    above: Quat,
    turns: [Quat; 2],
    /// From the root's axes to those of what the middle hangs from.
    between: Quat,
    limits: [Option<JointLimit>; 2],
}

impl Swing {
    /// A limb in a pose from which it has not swung; none where nothing limits it.
    fn new(drag: &Drag<'_>, pose: &Pose<'_>, limb: &Limb, chord: Vec3) -> Option<Self> {
        let (root, middle) = (limb.root(), limb.middle?);
        let limits = [root, middle].map(|joint| drag.soft_limit(joint).map(|limit| *limit.limit()));
        if limits == [None; 2] {
            return None;
        }
        let bone = |from: usize, to: usize| unit(&(pose.position(to) - pose.position(from)), 0.0);
        Some(Self {
            chord,
            bones: [bone(root, middle)?, bone(middle, limb.end())?],
            above: pose.rotation_above(root),
            turns: [pose.rotation(root), pose.rotation(middle)],
            between: pose.rotation(root).inverse() * pose.rotation_above(middle),
            limits,
        })
    }

    /// Rotations of root and middle in the world.
    fn world(&self, stand: &Stand) -> [Quat; 2] {
        let round = from_axis_angle(&self.chord, stand.angle);
        [0, 1].map(|part| round * from_axis_angle(&self.bones[part], stand.turns[part]) * self.turns[part])
    }

    /// How far root and middle are turned out of their limits; nothing within them.
    fn beyond(&self, stand: &Stand) -> SVector<f64, 6> {
        let [upper, lower] = self.world(stand);
        let locals = [self.above.inverse() * upper, (upper * self.between).inverse() * lower];
        let mut beyond = SVector::<f64, 6>::zeros();
        for (part, (limit, local)) in self.limits.iter().zip(locals).enumerate() {
            // What is within has rounding left over from its own inverse.
            if let Some(limit) = limit.filter(|limit| !limit.contains(&local)) {
                let out = (limit.clamp(&local).inverse() * local).scaled_axis();
                beyond.fixed_rows_mut::<3>(3 * part).copy_from(&out);
            }
        }
        beyond
    }

    /// Where the limb stands for a wanted angle, of -pi to pi.
    fn stand(&self, wanted: f64) -> Stand {
        let ends = [-PI, PI].map(|far| self.walk(far));
        if ends.iter().all(|end| end.angle.abs() >= PI) && self.is_one(&ends) {
            return self.walk(wanted);
        }
        let rooms = ends.map(|end| end.angle.abs());
        // Where it stands for an angle of one side, that being as far as it goes there.
        let side = |far: f64, room: f64| if room >= PI { far } else { eased(far, room, SOFT.min(0.5 * room)) };
        let roomy = usize::from(rooms[1] >= rooms[0]);
        let own = usize::from(wanted >= 0.0);
        let sign = |side: usize| if side == 1 { 1.0 } else { -1.0 };
        let mut angle = sign(own) * side(wanted.abs(), rooms[own]);
        if own != roomy {
            let into = ((wanted.abs() - (PI - FOLD)) / FOLD).clamp(0.0, 1.0);
            let opposite = sign(roomy) * side(PI, rooms[roomy]);
            angle += (opposite - angle) * into * into * (3.0 - 2.0 * into);
        }
        self.walk(angle)
    }

    /// Whether two stands are one pose.
    fn is_one(&self, [a, b]: &[Stand; 2]) -> bool {
        self.world(a).iter().zip(self.world(b)).all(|(a, b)| a.angle_to(&b) < SAME)
    }

    /// Swings as far as it goes to an angle.
    fn walk(&self, to: f64) -> Stand {
        let mut at = Stand::at(0.0);
        while at.angle != to {
            let mut step = (to - at.angle).clamp(-STEP, STEP);
            let next = if step.abs() < STEP { to } else { at.angle + step };
            if let Some(next) = self.within(&at, next) {
                at = next;
                continue;
            }
            for _ in 0..HALVINGS {
                step *= 0.5;
                at = self.within(&at, at.angle + step).unwrap_or(at);
            }
            break;
        }
        at
    }

    /// The nearest stand within the limits at another angle; none where none is near.
    fn within(&self, from: &Stand, angle: f64) -> Option<Stand> {
        let mut stand = Stand { angle, ..*from };
        for _ in 0..NEWTON {
            let beyond = self.beyond(&stand);
            let far = beyond.norm();
            if far == 0.0 {
                return Some(stand).filter(|stand| (stand.turns - from.turns).amax() <= MOST_TURN);
            }
            let aim = beyond * (1.0 + WITHIN / far);
            let mut effects = SMatrix::<f64, 6, 2>::zeros();
            for part in 0..2 {
                let mut turned = stand;
                turned.turns[part] += TINY;
                effects.set_column(part, &((self.beyond(&turned) - beyond) / TINY));
            }
            let gram = effects.transpose() * effects + Matrix2::from_diagonal_element(DAMPING);
            let step = gram.try_inverse()? * (effects.transpose() * aim);
            stand.turns -= step * (MOST_TURN / step.amax().max(MOST_TURN));
        }
        None
    }
}
