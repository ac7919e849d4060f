//! Pelvis, spine, chest, neck and head.

use super::anatomy::Girdle;
use super::loft::{Ring, Section, Solid, across, loft};
use super::mannequin::Maker;
use crate::eval::limbs::Role;
use crate::math::Vec3;

/// The trunk's line from the hips to the shoulders and its widths along it, in the space of one joint at a time.
struct Line {
    /// Half widths: hips, waist, chest.
    wide: [f64; 3],
    /// Half depths likewise.
    deep: [f64; 3],
    /// The joint in whose space the line below is.
    at: usize,
    /// Between the hip joints.
    hips: Vec3,
    /// Between the shoulder joints.
    shoulders: Vec3,
    /// Towards the left.
    left: Vec3,
}

impl Line {
    /// None where the body has no girdle. One without legs or without arms gets the other end by proportion.
    fn new(maker: &Maker<'_>) -> Option<Self> {
        let anatomy = maker.anatomy;
        let low = anatomy.girdles.first().filter(|girdle| girdle.left.role == Role::Leg);
        let high = anatomy.girdles.last().filter(|high| low.is_none_or(|low| low.at != high.at));
        let at = high.or(low)?.at;
        let roots = |girdle: &Girdle| [girdle.left.root(), girdle.right.root()];
        let middle = |girdle: &Girdle| roots(girdle).map(|root| anatomy.place(root, at)).iter().sum::<Vec3>() / 2.0;
        let half = |girdle: &Girdle| anatomy.place(girdle.left.root(), girdle.right.root()).norm() / 2.0;
        let thick = |girdle: &Girdle| maker.radii[girdle.left.root()].max(maker.radii[girdle.right.root()]);
        let hips = low.map(|low| (half(low) + 0.72 * thick(low)).max(1.3 * thick(low)));
        let chest =
            high.map(|high| (half(high) - 0.25 * thick(high)).max(0.7 * half(high)).max(0.7 * hips.unwrap_or(0.0)));
        let (hips, chest) = (hips.or(chest.map(|chest| 0.75 * chest))?, chest.or(hips)?);
        let waist = 0.80 * hips.min(chest);
        let deep =
            if anatomy.upright { [0.66 * hips, 0.68 * waist, 0.58 * chest] } else { [hips, waist, 1.15 * chest] };
        let up = anatomy.to_local(at, &anatomy.frame.up) * (0.28 * anatomy.size);
        let root = std::iter::successors(Some(at), |joint| anatomy.parents[*joint]).last().unwrap_or(at);
        let (low, high) = match (low, high) {
            (Some(low), Some(high)) => (middle(low), middle(high)),
            (Some(low), None) => (middle(low), middle(low) + up),
            (None, Some(high)) if root != at => (anatomy.place(root, at), middle(high)),
            (None, high) => high.map(|high| (middle(high) - up, middle(high)))?,
        };
        let left = anatomy.to_local(at, &anatomy.frame.left);
        Some(Self { wide: [hips, waist, chest], deep, at, hips: low, shoulders: high, left })
    }

    /// Half width and depth at a place of the trunk, 0 at the hips, 1 at the shoulders.
    fn at_height(&self, t: f64) -> [f64; 2] {
        // Hips, waist, chest, shoulders.
        let keys = [-0.2, 0.05, 0.42, 0.8, 1.0];
        let share = |[hips, waist, chest]: [f64; 3], top: f64| [0.8 * hips, hips, waist, chest, top * chest];
        [interpolated(&keys, &share(self.wide, 0.97), t), interpolated(&keys, &share(self.deep, 0.9), t)]
    }
}

/// Linear between keys, constant outside.
fn interpolated(keys: &[f64; 5], values: &[f64; 5], t: f64) -> f64 {
    for i in 1..5 {
        if t < keys[i] {
            let s = ((t - keys[i - 1]) / (keys[i] - keys[i - 1])).max(0.0);
            return values[i - 1] + (values[i] - values[i - 1]) * s * s * (3.0 - 2.0 * s);
        }
    }
    values[4]
}

/// Builds all of it.
pub(super) fn build(maker: &mut Maker<'_>) {
    if let Some(line) = Line::new(maker) {
        pelvis(maker, &line);
        spine(maker, &line);
        if maker.anatomy.girdles.last().is_some_and(|top| top.left.role == Role::Arm || maker.anatomy.girdles.len() > 1)
        {
            chest(maker, &line);
        }
    }
    neck_and_head(maker);
}

/// A block of the trunk in the space of `joint` from `a` to `b`.
fn block(maker: &mut Maker<'_>, line: &Line, joint: usize, a: Vec3, b: Vec3) {
    let anatomy = maker.anatomy;
    let along = line.shoulders - line.hips;
    let height = |p: &Vec3| {
        // To the line's space: through the judged pose.
        let from_joint = anatomy.carried(p, joint, line.at) + anatomy.place(joint, line.at);
        (from_joint - line.hips).dot(&along) / along.norm_squared().max(1e-12)
    };
    let (start, stop) = (height(&a), height(&b));
    let steps = if (b - a).norm() > 0.08 * anatomy.size { 4 } else { 2 };
    let section = |i: u32| {
        let t = f64::from(i) / f64::from(steps);
        let [wide, deep] = line.at_height(start + (stop - start) * t);
        Section { t, wide, deep }
    };
    // Deep into the neighbours: where the trunk bends no edge stands out.
    let round = (0.5 * line.deep[1]).min(0.8 * (b - a).norm());
    let solid = Solid {
        a,
        b,
        u: anatomy.carried(&line.left, line.at, joint),
        sections: (0..=steps).map(section).collect(),
        round: [round; 2],
        power: 2.7,
        sides: 10,
    };
    maker.push(joint, &solid);
}

/// From below the hip joints to the first joint of the spine.
fn pelvis(maker: &mut Maker<'_>, line: &Line) {
    let anatomy = maker.anatomy;
    let Some(girdle) = anatomy.girdles.first().filter(|girdle| girdle.left.role == Role::Leg) else { return };
    let joint = girdle.at;
    let middle = girdle.limbs().map(|limb| anatomy.place(limb.root(), joint)).iter().sum::<Vec3>() / 2.0;
    let up = anatomy.carried(&(line.shoulders - line.hips), line.at, joint);
    let Some(up) = up.try_normalize(1e-12) else { return };
    let thigh = maker.radii[girdle.left.root()];
    let above = |p: &Vec3| (p - middle).dot(&up);
    let spine = anatomy.children[joint].iter().filter(|child| anatomy.trunk[**child]);
    let ends = spine.map(|child| anatomy.place(*child, joint)).chain([Vec3::zeros()]);
    let top = ends.filter(|p| above(p) > 0.4 * line.wide[0]).reduce(|a, b| if above(&b) < above(&a) { b } else { a });
    let top = top.unwrap_or_else(|| middle + up * (0.7 * line.wide[0]));
    block(maker, line, joint, middle - up * (0.45 * thigh), top);
    for child in 0..anatomy.len() {
        let leads_up = anatomy.parents[child] == Some(joint) && anatomy.trunk[child];
        // A long link to the spine's first joint is a part of its own.
        maker.done[child] |= leads_up && above(&anatomy.place(child, joint)) <= above(&top) + 0.01 * anatomy.size;
    }
}

/// A block for each bone of the spine that runs along the trunk.
fn spine(maker: &mut Maker<'_>, line: &Line) {
    let anatomy = maker.anatomy;
    for child in 0..anatomy.len() {
        let Some(joint) = anatomy.parents[child].filter(|_| anatomy.trunk[child] && !maker.done[child]) else {
            continue;
        };
        maker.done[child] = true;
        let bone = anatomy.place(child, joint);
        let up = anatomy.carried(&(line.shoulders - line.hips), line.at, joint);
        if bone.norm() > 0.01 * anatomy.size && bone.dot(&up).abs() > 0.5 * bone.norm() * up.norm() {
            block(maker, line, joint, Vec3::zeros(), bone);
        }
    }
}

/// From the last joint of the spine to the root of the neck, with shoulders.
fn chest(maker: &mut Maker<'_>, line: &Line) {
    let anatomy = maker.anatomy;
    let joint = line.at;
    let up = (line.shoulders - line.hips).try_normalize(1e-12).unwrap_or_else(Vec3::y);
    let size = anatomy.size;
    let neck = anatomy.neck.first().map(|neck| anatomy.place(*neck, joint));
    let above = |p: &Vec3| p.dot(&up);
    let shoulders = above(&line.shoulders);
    let top = neck.filter(|neck| above(neck) > shoulders).unwrap_or(line.shoulders + up * (0.03 * size));
    let axis = (top - Vec3::zeros()).try_normalize(1e-12).unwrap_or(up);
    let length = top.norm();
    let arm = anatomy.girdles.last().map_or(0.02 * size, |girdle| maker.radii[girdle.left.root()]);
    // From the joint up: ribs, shoulders, and a slope to the neck.
    let at = |h: f64| (h / length.max(1e-9)).clamp(0.0, 1.0);
    let (ribs, level) = (line.at_height(0.8), at(shoulders));
    let start = {
        let along = line.shoulders - line.hips;
        line.at_height((-line.hips).dot(&along) / along.norm_squared().max(1e-12))
    };
    let low = at(shoulders - 1.6 * arm);
    let neck_radius = neck_radius(maker);
    let slope = if neck.is_some() { [2.4 * neck_radius, 1.4 * neck_radius] } else { [0.75 * ribs[0], 0.8 * ribs[1]] };
    let mut sections = vec![Section { t: 0.0, wide: start[0], deep: start[1] }];
    if low > 0.15 {
        sections.push(Section { t: low * 0.55, wide: ribs[0] * 0.99, deep: ribs[1] });
        sections.push(Section { t: low, wide: ribs[0], deep: ribs[1] });
    }
    let level = level.max(low + 0.05).min(0.97);
    sections.push(Section { t: level, wide: ribs[0] * 0.97, deep: ribs[1] * 0.86 });
    sections.push(Section { t: 1.0, wide: slope[0], deep: slope[1] });
    let a = Vec3::zeros();
    let round = [0.5 * line.deep[1], 0.25 * neck_radius];
    let solid = Solid { a, b: axis * length, u: line.left, sections, round, power: 2.6, sides: 10 };
    let middle = (line.shoulders - axis * arm) * 0.6;
    maker.push_shaped(joint, solid.mesh(), [Vec3::zeros(), middle], [start[1].max(0.6 * ribs[1]), ribs[1]]);
}

/// Radius of the neck.
fn neck_radius(maker: &Maker<'_>) -> f64 {
    0.031 * maker.anatomy.size
}

/// The neck's bones, and an egg for the head.
fn neck_and_head(maker: &mut Maker<'_>) {
    let anatomy = maker.anatomy;
    let Some((&head, neck)) = anatomy.neck.split_last() else { return };
    let radius = neck_radius(maker);
    for (i, &joint) in neck.iter().enumerate() {
        let next = neck.get(i + 1).copied().unwrap_or(head);
        let b = anatomy.place(next, joint);
        maker.push(joint, &Solid::limb(Vec3::zeros(), b, Vec3::x(), [radius * 1.08, radius], 0.0, 8));
    }
    for &joint in &anatomy.neck {
        maker.done[joint] = true;
    }
    let Some(before) = anatomy.parents[head] else { return };
    let left = anatomy.to_local(head, &anatomy.frame.left);
    // Up: the tip if there is one alone, else on along the neck. A person's tip that lies at the side is a mere length.
    let along_neck = anatomy.carried(&anatomy.place(head, before), before, head);
    let tip = match anatomy.children[head][..] {
        [tip] if anatomy.children[tip].is_empty() => Some(anatomy.place(tip, head)),
        _ => None,
    };
    let trusted = tip.filter(|tip| !anatomy.upright || tip.angle(&along_neck) < 0.9);
    let Some(up) = trusted.unwrap_or(along_neck).try_normalize(1e-9) else { return };
    let size = anatomy.size;
    let height = tip.map_or(0.135 * size, |tip| tip.norm().clamp(0.115 * size, 0.16 * size));
    egg(maker, head, up, left, height);
    // What lies within the head needs no shape: eyes, jaw, lips.
    for joint in head + 1..anatomy.len() {
        if anatomy.is_below(joint, head) {
            let p = anatomy.place(joint, head) - up * (0.5 * height);
            maker.done[joint] |= p.norm() < 1.25 * height;
        }
    }
}

/// The head: a jaw that narrows, a crown, and a nose to show where it looks.
fn egg(maker: &mut Maker<'_>, joint: usize, up: Vec3, left: Vec3, height: f64) {
    let left = across(&left, &up);
    let forward = left.cross(&up);
    let (wide, deep) = (0.345 * height, 0.42 * height);
    // Height, width, depth, and how far forward.
    let rows = [
        (-0.16, 0.30, 0.26, 0.30),
        (-0.06, 0.62, 0.56, 0.22),
        (0.16, 0.82, 0.80, 0.10),
        (0.42, 0.97, 0.97, 0.02),
        (0.66, 1.00, 1.00, 0.00),
        (0.86, 0.80, 0.82, -0.02),
        (0.97, 0.47, 0.50, -0.04),
        (1.00, 0.18, 0.20, -0.05),
    ];
    let ring = |(h, w, d, f): (f64, f64, f64, f64)| Ring {
        centre: up * (h * height) + forward * (f * deep),
        u: left * (w * wide),
        v: -forward * (d * deep),
        power: 2.15,
    };
    let rings: Vec<Ring> = rows.into_iter().map(ring).collect();
    let (low, high) = (up * (0.25 * height), up * (0.62 * height));
    maker.push_shaped(joint, loft(&rings, 10), [low, high], [wide, wide * 1.05]);
    if !maker.anatomy.upright {
        return;
    }
    let bridge = up * (0.50 * height) + forward * (0.92 * deep);
    let point = up * (0.32 * height) + forward * (1.10 * deep);
    let nose = Solid::limb(bridge, point, left, [0.035 * height, 0.06 * height], 0.0, 5);
    maker.push(joint, &nose);
}
