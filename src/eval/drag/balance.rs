//! The centre of mass, and the hips that keep it over the feet.
//!
//! Masses of a person's segments and where their centres lie: de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia
//! parameters", Journal of Biomechanics 29 (1996), table 4, the means of women and men; those of hands and feet, which are
//! light, lie at wrist and ankle. Other creatures weigh by the length of their bones.

use super::{Drag, DragInput, floor::Sole, hold::Held, plan::Plan, pose::Pose};
use crate::eval::ik::SolveReport;
use crate::eval::limbs::{Limb, Limbs, Role, Side};
use crate::math::Vec3;

/// Shares of the mass: head with neck, upper, middle and lower trunk.
const TRUNK: [f64; 4] = [0.0681, 0.1571, 0.1549, 0.1182];
/// Shares of the mass and places of the centre along the bone: upper arm, forearm, hand.
const ARM: [(f64, f64); 3] = [(0.0263, 0.576), (0.0150, 0.457), (0.0058, 0.0)];
/// The same for thigh, shank and foot.
const LEG: [(f64, f64); 3] = [(0.1447, 0.385), (0.0457, 0.437), (0.0133, 0.0)];
/// A foot stands where its lowest point is no higher above the lowest of all feet than this share of the leg.
const STANDS: f64 = 0.08;
/// Steps of the hips towards balance.
const STEPS: usize = 6;
/// How far the centre comes for a move of the hips, before that is known: legs and held hands stay behind.
const FIRST_GAIN: f64 = 0.85;
/// The least and the most it may turn out to be.
const GAIN: (f64, f64) = (0.3, 1.2);

/// The centre of mass and where it must be for the figure to stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The centre of mass, world.
    pub centre: Vec3,
    /// The corners of the support on the ground, convex, in order; at least one.
    pub support: Vec<Vec3>,
    /// Whether the centre is over the support.
    pub stands: bool,
}

/// Points of mass between joints, which follow them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Masses {
    /// Two joints, the share of the way from the first to the second, and the share of the mass.
    points: Vec<(usize, usize, f64, f64)>,
}

impl Masses {
    /// The masses of a figure: a person's where it has two arms, two legs and a trunk, else by the length of bones.
    #[must_use]
    pub fn of(limbs: &Limbs, parents: &[Option<usize>], rest: &[Vec3]) -> Self {
        Self::person(limbs).unwrap_or_else(|| Self::by_length(parents, rest))
    }

    fn person(limbs: &Limbs) -> Option<Self> {
        let (hips, chest, head) = (limbs.hips?, limbs.chest?, limbs.head?);
        if limbs.four_legged {
            return None;
        }
        let [neck, upper, middle, lower] = TRUNK;
        // Trunk parts in equal thirds between hips and the joint that carries the arms, roughly its upper end.
        let mut points = vec![
            (head, head, 0.0, neck),
            (hips, chest, 0.95, upper),
            (hips, chest, 0.5, middle),
            (hips, chest, 0.08, lower),
        ];
        for (role, parts) in [(Role::Arm, ARM), (Role::Leg, LEG)] {
            for side in [Side::Left, Side::Right] {
                let limb = limbs.limb(role, side)?;
                let ends = [(limb.root(), limb.middle?), (limb.middle?, limb.end()), (limb.end(), limb.end())];
                points.extend(ends.iter().zip(parts).map(|((a, b), (mass, at))| (*a, *b, at, mass)));
            }
        }
        Some(Self { points })
    }

    fn by_length(parents: &[Option<usize>], rest: &[Vec3]) -> Self {
        let bones = parents.iter().enumerate().filter_map(|(joint, parent)| {
            let parent = parent.filter(|parent| *parent < joint)?;
            let length = (rest.get(joint)? - rest.get(parent)?).norm();
            (length > 0.0 && length.is_finite()).then_some((parent, joint, 0.5, length))
        });
        Self { points: bones.collect() }
    }

    /// The centre of mass of a pose, whose joints are at `place`; none where nothing weighs.
    #[must_use]
    pub fn centre(&self, place: impl Fn(usize) -> Vec3) -> Option<Vec3> {
        let mut sum = Vec3::zeros();
        let mut mass = 0.0;
        for &(from, to, at, weight) in &self.points {
            sum += place(from).lerp(&place(to), at) * weight;
            mass += weight;
        }
        (mass > 0.0).then(|| sum / mass)
    }
}

/// What the figure stands on at the press.
#[derive(Clone, Debug)]
pub(super) struct Support {
    masses: Masses,
    /// Height of the ground, world.
    ground: f64,
    /// Points that stay where they are.
    standing: Vec<Vec3>,
    /// The foot that is dragged and stood at the press: its sole, and its points then.
    lifting: Option<(Sole, Vec<Vec3>)>,
    /// The centre at the press, where that is not over the feet: it need not come back.
    pressed: Option<Vec3>,
    size: f64,
}

impl Support {
    pub(super) fn new(
        input: &DragInput<'_>,
        pressed: &Pose<'_>,
        plan: &Plan,
        held: &[Held],
        soles: &[Sole],
    ) -> Option<Self> {
        let rest = Pose::new(input.tree, input.rest, &input.root);
        let places: Vec<Vec3> = (0..input.tree.parents.len()).map(|joint| rest.position(joint)).collect();
        let masses = Masses::of(input.limbs, input.tree.parents, &places);
        let leg = |sole: &Sole| input.limbs.limbs.get(sole.limb);
        let lowest = |sole: &Sole| leg(sole).map_or(f64::INFINITY, |leg| sole.lowest(leg, pressed));
        let ground = soles.iter().map(lowest).fold(f64::INFINITY, f64::min);
        let size = leg(soles.first()?).map(|leg| pressed.length(&leg.joints))?;
        let mut support = Self { masses, ground, standing: Vec::new(), lifting: None, pressed: None, size };
        for sole in soles.iter().filter(|sole| lowest(sole) <= ground + STANDS * size) {
            let Some(leg) = leg(sole) else { continue };
            let points = sole.points(leg, pressed);
            if held.iter().any(|held| held.limb == sole.limb) {
                support.standing.extend(points);
            } else if moves(plan, input, leg) {
                support.lifting = Some((sole.clone(), points));
            } else if !matches!(plan, Plan::Body { .. }) {
                support.standing.extend(points);
            }
        }
        if support.standing.is_empty() {
            return None;
        }
        let centre = support.centre(pressed)?;
        let hull = support.hull(input, pressed);
        support.pressed = (nearest_within(&hull, &centre) != flat(&centre)).then_some(centre);
        Some(support)
    }

    fn centre(&self, pose: &Pose<'_>) -> Option<Vec3> {
        self.masses.centre(|joint| pose.position(joint))
    }

    /// The corners of the support in a pose: a foot that is lifted counts ever less.
    fn hull(&self, input: &DragInput<'_>, pose: &Pose<'_>) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = self.standing.iter().map(flat).collect();
        if let Some((sole, at_press)) = &self.lifting
            && let Some(leg) = input.limbs.limbs.get(sole.limb)
        {
            let count = self.standing.len().max(1) as f64;
            let middle = flat(&(self.standing.iter().sum::<Vec3>() / count));
            let moved = sole.points(leg, pose).iter().zip(at_press).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            let t = (moved / (0.12 * self.size)).min(1.0);
            let gone = t * t * (3.0 - 2.0 * t);
            points.extend(
                at_press.iter().map(flat).map(|p| [0, 1].map(|axis| p[axis] + gone * (middle[axis] - p[axis]))),
            );
        }
        points.extend(self.pressed.as_ref().map(flat));
        convex(points)
    }

    /// The balance of a pose.
    pub(super) fn balance(&self, drag: &Drag<'_>, pose: &Pose<'_>) -> Balance {
        let hull = self.hull(&drag.input, pose);
        let centre = self.centre(pose).unwrap_or_default();
        let nearest = nearest_within(&hull, &centre);
        let [x, z] = flat(&centre);
        let stands = (nearest[0] - x).hypot(nearest[1] - z) <= 1e-3 * self.size;
        let corner = |[x, z]: [f64; 2]| Vec3::new(x, self.ground, z);
        Balance { centre, support: hull.into_iter().map(corner).collect(), stands }
    }

    /// Shifts the hips until the centre is over the support, solving anew each time; `pose` and `report` are those without a
    /// shift.
    pub(super) fn balanced<'a>(
        &self,
        drag: &Drag<'a>,
        pose: &mut Pose<'a>,
        mut report: SolveReport,
        mut solve: impl FnMut(&mut Pose<'a>, &Vec3) -> SolveReport,
    ) -> SolveReport {
        let (mut sway, mut gain) = (Vec3::zeros(), FIRST_GAIN);
        let mut before: Option<(Vec3, Vec3)> = None;
        for _ in 0..STEPS {
            let Some(centre) = self.centre(pose) else { return report };
            let nearest = nearest_within(&self.hull(&drag.input, pose), &centre);
            let off = Vec3::new(centre.x - nearest[0], 0.0, centre.z - nearest[1]);
            if off.norm() <= 1e-6 * self.size {
                return report;
            }
            // How far the centre really came for the last step.
            if let Some((then, by)) = before {
                gain = ((then - off).dot(&by) / by.norm_squared()).clamp(GAIN.0, GAIN.1);
            }
            let by = off / gain;
            before = Some((off, by));
            sway -= by;
            pose.clone_from(&drag.pressed);
            report = solve(pose, &sway);
        }
        report
    }
}

/// Whether a leg is what the drag moves.
fn moves(plan: &Plan, input: &DragInput<'_>, leg: &Limb) -> bool {
    !matches!(plan, Plan::Body { .. }) && leg.joints.contains(&input.joint)
}

fn flat(point: &Vec3) -> [f64; 2] {
    [point.x, point.z]
}

fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
fn convex(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

/// The point of a convex polygon (or a line, or a point) on the ground nearest to under a place.
fn nearest_within(hull: &[[f64; 2]], place: &Vec3) -> [f64; 2] {
    let at = flat(place);
    let edges = || hull.iter().zip(hull.iter().cycle().skip(1));
    if hull.len() >= 3 && edges().all(|(a, b)| turn(*a, *b, at) >= 0.0) {
        return at;
    }
    let mut nearest = (f64::INFINITY, at);
    for (a, b) in edges() {
        let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
        let length = dx * dx + dz * dz;
        let along = if length > 0.0 { ((at[0] - a[0]) * dx + (at[1] - a[1]) * dz) / length } else { 0.0 };
        let along = along.clamp(0.0, 1.0);
        let point = [a[0] + along * dx, a[1] + along * dz];
        let distance = (point[0] - at[0]).hypot(point[1] - at[1]);
        if distance < nearest.0 {
            nearest = (distance, point);
        }
    }
    nearest.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_support_is_convex_and_the_nearest_point_is_in_it() {
        let hull = convex(vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.2], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]);
        assert_eq!(hull.len(), 4);
        assert_eq!(nearest_within(&hull, &Vec3::new(0.3, 5.0, 0.4)), [0.3, 0.4]);
        assert_eq!(nearest_within(&hull, &Vec3::new(2.0, 0.0, 0.5)), [1.0, 0.5]);
        assert_eq!(nearest_within(&hull, &Vec3::new(-1.0, 0.0, -1.0)), [0.0, 0.0]);
        assert_eq!(nearest_within(&[[1.0, 2.0]], &Vec3::zeros()), [1.0, 2.0]);
        assert_eq!(nearest_within(&[[0.0, 0.0], [2.0, 0.0]], &Vec3::new(1.0, 0.0, 3.0)), [1.0, 0.0]);
    }

    #[test]
    fn shares_of_the_mass_are_a_whole_person() {
        let pairs: f64 = ARM.iter().chain(&LEG).map(|(mass, _)| 2.0 * mass).sum();
        assert!((pairs + TRUNK.iter().sum::<f64>() - 1.0).abs() < 5e-3);
    }

    #[test]
    fn bones_weigh_by_their_length_where_there_is_no_person() {
        let parents = [None, Some(0), Some(1)];
        let places = [Vec3::zeros(), Vec3::new(0.0, 3.0, 0.0), Vec3::new(1.0, 3.0, 0.0)];
        let masses = Masses::of(&Limbs::default(), &parents, &places);
        let centre = masses.centre(|joint| places[joint]).unwrap();
        assert!((centre - Vec3::new(0.125, 1.875, 0.0)).norm() < 1e-12);
        assert_eq!(Masses::default().centre(|_| Vec3::zeros()), None);
    }
}
