//! What stays where it is while the rest moves: feet that stand, hands, whatever the user or a pin holds.
//!
//! A hold is met in closed form after everything else has moved, so exactly. That needs the limb to be long enough: the
//! hips therefore never go where a held limb would have to be stretched. The nearest place that all limbs allow is found by
//! Dykstra's alternating projections (Boyle & Dykstra 1986), eased near full stretch by proximal maps in their place
//! (Bauschke & Combettes 2008), so that no knee snaps straight. Both are non-expansive: the hips never move farther than the
//! pointer does.

use super::{Drag, DragInput, Feet, Hands, limb, plan::Plan, pose::Pose};
use crate::eval::ik::{SoftReach, SolveReport, SolveStatus};
use crate::eval::limbs::{Limb, Role};
use crate::math::{Quat, Vec3};

/// A joint that stays where it is while another is dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The joint, by index; one within a limb stands for the limb's end where no place is given.
    pub joint: usize,
    /// Where it is held, world; none where it is at the press.
    pub place: Option<Vec3>,
}

/// The end of a limb that is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) limb: usize,
    pub(super) place: Vec3,
    /// How it is turned; none where the drag turns it.
    pub(super) rotation: Option<Quat>,
}

/// Everything that is held while something else is dragged.
pub(super) fn held(input: &DragInput<'_>, pressed: &Pose<'_>, plan: &Plan, holds: &[Hold]) -> Vec<Held> {
    // Where the root of something that is no body is moved, all of it is meant.
    if matches!(plan, Plan::Body { joint } if input.limbs.hips != Some(*joint)) {
        return Vec::new();
    }
    let options = &input.options;
    let by_role = |role: Role| match role {
        Role::Leg => options.feet == Feet::Stay,
        Role::Arm => options.hands == Hands::Stay,
        _ => false,
    };
    // A place is one of the joint itself, not of the end it stands for.
    let is_of = |limb: &Limb, hold: &Hold| match hold.place {
        Some(_) => limb.end() == hold.joint,
        None => limb.joints.contains(&hold.joint),
    };
    let asked = |limb: &Limb| holds.iter().find(|hold| is_of(limb, hold));
    let moves = |limb: &Limb| !matches!(plan, Plan::Body { .. }) && limb.joints.contains(&input.joint);
    // What hangs from a foot is dragged by turning the foot, which stands where it is.
    let turned = |end: usize| plan.path(input.limbs).is_some_and(|path| path.contains(&end));
    let mut found = Vec::new();
    for (index, limb) in input.limbs.limbs.iter().enumerate() {
        let hold = asked(limb);
        if moves(limb) || limb.joints.len() < 2 || !(hold.is_some() || by_role(limb.role)) {
            continue;
        }
        let end = limb.end();
        let place = hold.and_then(|hold| hold.place).filter(|place| place.iter().all(|number| number.is_finite()));
        found.push(Held {
            limb: index,
            place: place.unwrap_or_else(|| pressed.position(end)),
            rotation: (!turned(end)).then(|| pressed.rotation(end)),
        });
    }
    found
}

/// Puts what is held back to its place; the worst of the reports.
pub(super) fn close(drag: &Drag<'_>, pose: &mut Pose<'_>, mut report: SolveReport) -> SolveReport {
    for held in &drag.held {
        let Some(end) = drag.input.limbs.limbs.get(held.limb).map(Limb::end) else { continue };
        // What has not moved is not solved: a straight leg would turn rounding into a visible bend.
        let size = 1.0 + held.place.norm();
        let stays = (pose.position(end) - held.place).norm() <= 1e-13 * size
            && held.rotation.is_none_or(|held| (pose.rotation(end).coords - held.coords).norm() <= 1e-13);
        if !stays {
            let rotation = Some(held.rotation.unwrap_or_else(|| pose.rotation(end)));
            report = report.and(limb::solve_limb(drag, pose, held.limb, &held.place, SoftReach::OFF, rotation));
        }
    }
    report
}

/// Moves the hips with all that hangs from them, as far as what is held allows.
pub(super) fn shift_hips(drag: &Drag<'_>, pose: &mut Pose<'_>, by: &Vec3) {
    let Some(hips) = drag.input.limbs.hips else { return };
    if *by != Vec3::zeros() {
        let zone = 0.5 * drag.input.options.soft.zone;
        pose.shift(hips, &allowed(&bounds(drag, pose, zone), by));
    }
}

/// Brings the hips back to where everything that is held can be reached.
pub(super) fn within_reach(drag: &Drag<'_>, pose: &mut Pose<'_>) {
    let Some(hips) = drag.input.limbs.hips else { return };
    let by = allowed(&unpressed(bounds(drag, pose, 0.0)), &Vec3::zeros());
    if by != Vec3::zeros() {
        pose.shift(hips, &by);
    }
}

/// How often what held limbs forbid is taken back from the end of the trunk that carries them.
const BACK: usize = 2;

/// Held limbs whose roots a trunk carries: they say how far it goes.
pub(super) struct Carried {
    /// By their place among what is held, with how much farther than the trunk's end their root moves: at least 1.
    limbs: Vec<(Held, f64)>,
}

impl Carried {
    /// What is held and hangs from a path beyond its first joint.
    pub(super) fn by(drag: &Drag<'_>, path: &[usize]) -> Self {
        let Some((first, rest)) = path.split_first() else { return Self { limbs: Vec::new() } };
        let limbs = &drag.input.limbs.limbs;
        let lever = |held: &Held| {
            let root = limbs.get(held.limb)?.root();
            rest.iter().find(|joint| drag.pressed.path_between(**joint, root).is_some())?;
            let far = |joint: usize| (drag.pressed.position(joint) - drag.pressed.position(*first)).norm();
            Some((far(root) / far(drag.input.joint).max(1e-300)).clamp(1.0, 1e3))
        };
        Self { limbs: drag.held.iter().filter_map(|held| Some((*held, lever(held)?))).collect() }
    }

    /// Solves for the place nearest to a target where all that is carried reaches what holds it: as if the roots went the
    /// end's way by their levers; then what they have done besides is taken back from the end, and what is left of that the
    /// hips take. Always as many steps: the pose stays a continuous function of the target.
    pub(super) fn solve(
        &self,
        drag: &Drag<'_>,
        pose: &mut Pose<'_>,
        target: &Vec3,
        mut solve: impl FnMut(&mut Pose<'_>, &Vec3) -> SolveReport,
    ) -> SolveReport {
        if self.limbs.is_empty() {
            return solve(pose, target);
        }
        let zone = 0.5 * drag.input.options.soft.zone;
        let before = pose.clone();
        let mut place = drag.start() + allowed(&self.bounds(drag, &drag.pressed, zone), &(target - drag.start()));
        let mut report = solve(pose, &place);
        let mut within = false;
        for _ in 0..BACK {
            let by = allowed(&unpressed(self.bounds(drag, pose, 0.0)), &Vec3::zeros());
            within = by == Vec3::zeros();
            if within {
                break;
            }
            place += by;
            pose.clone_from(&before);
            report = solve(pose, &place);
        }
        if !within {
            within_reach(drag, pose);
        }
        if place == *target {
            return report;
        }
        // The solver speaks of the place short of it.
        let gap = (pose.position(drag.input.joint) - target).norm();
        let near = drag.input.options.settings.tolerance * (target - drag.start()).norm();
        let status = if gap <= near { SolveStatus::Reached } else { SolveStatus::TooFar };
        SolveReport { status, residual: gap, ..report }
    }

    /// How far the trunk's end goes, for each limb.
    fn bounds(&self, drag: &Drag<'_>, pose: &Pose<'_>, zone: f64) -> Vec<Bound> {
        let of = |(held, lever): &(Held, f64)| Some(bound(drag, pose, held, zone)?.by_lever(*lever));
        self.limbs.iter().filter_map(of).collect()
    }
}

/// How far a limb lets its root go from a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The shift that puts the root onto the held end.
    centre: Vec3,
    /// The length of the limb.
    reach: f64,
    /// How far the end was at the press: there nothing is eased.
    pressed: f64,
    /// The width in which it eases in to full stretch, world units.
    zone: f64,
}

fn bounds(drag: &Drag<'_>, pose: &Pose<'_>, zone: f64) -> Vec<Bound> {
    drag.held.iter().filter_map(|held| bound(drag, pose, held, zone)).collect()
}

fn bound(drag: &Drag<'_>, pose: &Pose<'_>, held: &Held, zone: f64) -> Option<Bound> {
    let limb = drag.input.limbs.limbs.get(held.limb)?;
    let reach = drag.limb_length(held.limb);
    let centre = held.place - pose.position(limb.root());
    // A pin may hold a joint at a place that was out of reach already.
    let pressed = (held.place - drag.pressed.position(limb.root())).norm();
    Some(Bound { centre, reach: reach.max(pressed), pressed, zone: zone * reach })
}

/// The same bounds for what asks only to be within reach.
fn unpressed(bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.into_iter().map(|bound| Bound { pressed: 0.0, ..bound }).collect()
}

impl Bound {
    /// The bound of what moves the root so many times as far as itself.
    fn by_lever(self, lever: f64) -> Self {
        let [reach, pressed, zone] = [self.reach, self.pressed, self.zone].map(|length| length / lever);
        Self { centre: self.centre / lever, reach, pressed, zone }
    }

    /// The nearest shift that the limb allows.
    fn nearest(&self, shift: &Vec3) -> Vec3 {
        let offset = shift - self.centre;
        let distance = offset.norm();
        let eased = eased(distance, self.reach, self.pressed, self.zone);
        if eased == distance || distance <= 0.0 { *shift } else { self.centre + offset * (eased / distance) }
    }

    /// How much of a shift keeps within the limb's reach; all of it where the limb does not reach without it either.
    fn share(&self, shift: &Vec3) -> f64 {
        let (reach, size) = (self.reach * self.reach, shift.norm_squared());
        let room = reach - self.centre.norm_squared();
        if room < 0.0 || size <= 0.0 || (shift - self.centre).norm_squared() <= reach {
            return 1.0;
        }
        let along = shift.dot(&self.centre);
        ((along + (along * along + size * room).sqrt()) / size).clamp(0.0, 1.0)
    }

    fn hard(&self, shift: &Vec3) -> Vec3 {
        let offset = shift - self.centre;
        let distance = offset.norm();
        if distance > self.reach { self.centre + offset * (self.reach / distance) } else { *shift }
    }
}

/// A limb that has less than this share of its length left to full stretch when it is grabbed bends as slowly as it is
/// straight.
const STRAIGHT: f64 = 0.02;

/// A distance as far as a limb of some length follows it: all of it up to the zone before full stretch (or up to where it
/// was at the press, if that was within the zone), from there on ever less, never beyond the length. It is C1, and grows
/// with the distance by no more than that.
///
/// The middle of a straight limb moves like the square root of what its end comes nearer. A limb that was as good as
/// straight at the press therefore stays behind by up to a hundredth of its length: what it comes nearer grows like a square
/// at first. Without a zone nothing is eased.
pub(in crate::eval) fn eased(distance: f64, reach: f64, pressed: f64, zone: f64) -> f64 {
    let from = pressed.min(reach).max(reach - zone);
    let (width, bending) = (reach - from, STRAIGHT * reach);
    let slope = if zone > 0.0 && from <= pressed { (width / bending).min(1.0) } else { 1.0 };
    if distance <= from {
        let (nearer, lags) = (from - distance, 1.0 - slope);
        let whole = if nearer < bending { 0.5 * nearer * nearer / bending } else { nearer - 0.5 * bending };
        from - (slope * nearer + lags * whole)
    } else if width <= 1e-12 * reach {
        reach
    } else {
        reach - width * (-slope * (distance - from) / width).exp()
    }
}

/// Sweeps of the alternating projections.
const SWEEPS: usize = 400;

/// The shift nearest to the wanted one that all bounds allow; where there is none, a compromise.
fn allowed(bounds: &[Bound], wanted: &Vec3) -> Vec3 {
    if let [only] = bounds {
        return only.nearest(wanted);
    }
    let mut corrections = vec![Vec3::zeros(); bounds.len()];
    let mut shift = *wanted;
    for sweep in 0..SWEEPS {
        let before = shift;
        for (bound, correction) in bounds.iter().zip(&mut corrections) {
            let from = shift + *correction;
            shift = bound.nearest(&from);
            *correction = from - shift;
        }
        if shift == before {
            // Nothing is in the way at all, or it comes no nearer.
            if sweep == 0 {
                return shift;
            }
            break;
        }
    }
    // What is held weighs more than the nearest place: the last hair is closed without easing.
    for _ in 0..24 {
        for bound in bounds {
            shift = bound.hard(&shift);
        }
    }
    // What is left of it by a little less of the whole: not to move at all is always allowed.
    shift * bounds.iter().map(|bound| bound.share(&shift)).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_follows_then_slows_and_never_overstretches() {
        for pressed in [0.2, 0.9, 0.97, 1.0] {
            let mut last = eased(0.0, 1.0, pressed, 0.08);
            // A limb that was straight stays behind by a hundredth of its length.
            assert!((0.0..=0.5 * STRAIGHT + 1e-12).contains(&last));
            for i in 0..4000 {
                let distance = f64::from(i) * 1e-3;
                let eased = eased(distance, 1.0, pressed, 0.08);
                assert!(eased >= last && eased - last < 1.001e-3 && eased <= 1.0, "{pressed} {distance} {eased}");
                last = eased;
            }
            assert!((super::eased(pressed, 1.0, pressed, 0.08) - pressed).abs() < 1e-15);
        }
        assert_eq!(eased(1.5, 1.0, 0.5, 0.0), 1.0);
    }

    #[test]
    fn the_nearest_allowed_shift_is_found_and_moves_no_more_than_what_is_wanted() {
        let bound = |x: f64, zone: f64| Bound { centre: Vec3::new(x, -0.8, 0.0), reach: 0.9, pressed: 0.8, zone };
        let hard = [bound(0.1, 0.0), bound(-0.1, 0.0)];
        // Straight up: both limbs straight.
        let up = allowed(&hard, &Vec3::new(0.0, 0.5, 0.0));
        assert!((up - Vec3::new(0.0, (0.81_f64 - 0.01).sqrt() - 0.8, 0.0)).norm() < 1e-6, "{up}");
        // To the side: only the far limb is in the way.
        let aside = Vec3::new(0.6, 0.0, 0.0);
        let nearest = allowed(&hard, &aside);
        assert!((nearest - hard[1].hard(&aside)).norm() < 1e-6);
        for bounds in [hard, [bound(0.1, 0.05), bound(-0.1, 0.05)]] {
            let mut last = allowed(&bounds, &Vec3::new(-1.0, 0.2, 0.1));
            for i in 1..400 {
                let wanted = Vec3::new(-1.0 + f64::from(i) * 5e-3, 0.2, 0.1);
                let now = allowed(&bounds, &wanted);
                assert!((now - last).norm() < 6e-3, "at {wanted}: {}", (now - last).norm());
                assert!(bounds.iter().all(|b| (now - b.centre).norm() <= b.reach * (1.0 + 1e-12)));
                last = now;
            }
        }
    }
}
