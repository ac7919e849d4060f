//! Hands as flat palms or mittens, feet as wedges with a flat sole.

use super::anatomy::Anatomy;
use super::loft::{Ring, Section, Solid, across, loft};
use super::mannequin::Maker;
use crate::eval::limbs::Role;
use crate::math::Vec3;

/// Builds both.
pub(super) fn build(maker: &mut Maker<'_>) {
    let anatomy = maker.anatomy;
    for limb in anatomy.girdles.iter().flat_map(super::anatomy::Girdle::limbs) {
        match limb.role {
            Role::Arm => build_hand(maker, limb.end()),
            _ => build_foot(maker, limb.end()),
        }
    }
}

/// The end of a limb drawn out to the same offset as the bone before it tells nothing: some writers repeat it.
fn is_repeated(anatomy: &Anatomy, joint: usize) -> bool {
    let (Some(parent), Some(tip)) = (anatomy.parents[joint], anatomy.next(joint)) else { return false };
    let bone = anatomy.carried(&anatomy.place(joint, parent), parent, joint);
    anatomy.children[tip].is_empty() && (bone - anatomy.place(tip, joint)).norm() < 0.02 * bone.norm()
}

fn build_hand(maker: &mut Maker<'_>, hand: usize) {
    let anatomy = maker.anatomy;
    let size = anatomy.size;
    let below: Vec<usize> = (hand + 1..anatomy.len()).filter(|joint| anatomy.is_below(*joint, hand)).collect();
    let sum: Vec3 = below.iter().map(|joint| anatomy.place(*joint, hand)).sum();
    let Some(axis) = sum.try_normalize(1e-9) else { return };
    let reach = below.iter().map(|joint| anatomy.place(*joint, hand).dot(&axis)).fold(0.0, f64::max);
    let forward = anatomy.to_local(hand, &anatomy.frame.forward);
    let fingers = anatomy.children[hand].len() >= 3;
    let wrist = maker.radii[hand].min(0.02 * size);
    if fingers {
        let knuckles: Vec<Vec3> = anatomy.children[hand]
            .iter()
            .map(|child| {
                let mut at = *child;
                while let Some(next) = anatomy.next(at).filter(|_| anatomy.place(at, hand).norm() < 0.33 * reach) {
                    at = next;
                }
                anatomy.place(at, hand)
            })
            .collect();
        let mut lengths: Vec<f64> = knuckles.iter().map(|p| p.dot(&axis)).collect();
        lengths.sort_by(f64::total_cmp);
        let length = lengths[lengths.len() / 2].clamp(0.3 * reach, 0.62 * reach);
        let wide_axis = widest(&knuckles, &axis).unwrap_or_else(|| across(&forward, &axis));
        let spread = knuckles.iter().map(|p| (p - axis * p.dot(&axis)).dot(&wide_axis).abs()).fold(0.0, f64::max);
        let half = (spread * 0.9 + 0.04 * reach).clamp(0.16 * reach, 0.3 * reach);
        let deep = 0.085 * reach;
        let sections = vec![
            Section { t: 0.0, wide: wrist, deep: wrist * 0.75 },
            Section { t: 0.45, wide: half, deep: deep * 1.15 },
            Section { t: 1.0, wide: half, deep },
        ];
        let (a, b) = (Vec3::zeros(), axis * length);
        let solid = Solid { a, b, u: wide_axis, sections, round: [wrist * 0.8, deep], power: 2.8, sides: 8 };
        maker.push(hand, &solid);
        for joint in below {
            maker.done[joint] |= anatomy.place(joint, hand).dot(&axis) < 0.85 * length
                && anatomy.parents[joint].is_some_and(|parent| anatomy.place(parent, hand).norm() < 0.5 * length);
        }
        return;
    }
    let reach = if is_repeated(anatomy, hand) { 0.09 * size } else { reach.clamp(0.07 * size, 0.12 * size) };
    let (half, deep) = (0.26 * reach, 0.13 * reach);
    let sections = vec![
        Section { t: 0.0, wide: wrist, deep: wrist * 0.8 },
        Section { t: 0.4, wide: half, deep: deep * 1.1 },
        Section { t: 0.75, wide: half * 0.85, deep: deep * 0.8 },
        Section { t: 1.0, wide: half * 0.5, deep: deep * 0.55 },
    ];
    let u = across(&forward, &axis);
    let (a, b) = (Vec3::zeros(), axis * reach);
    maker.push(hand, &Solid { a, b, u, sections, round: [wrist * 0.8, deep * 0.6], power: 2.4, sides: 8 });
    // A thumb that stands out keeps its own shape.
    for joint in below {
        let p = anatomy.place(joint, hand);
        maker.done[joint] |= (p - axis * p.dot(&axis)).norm() < half;
    }
}

/// The direction across `axis` in which points spread most.
fn widest(points: &[Vec3], axis: &Vec3) -> Option<Vec3> {
    let flat: Vec<Vec3> = points.iter().map(|p| p - axis * p.dot(axis)).collect();
    let mean = flat.iter().sum::<Vec3>() / (flat.len() as f64);
    // Two steps of the power method on the spread are enough to choose a side of a hand.
    let farthest = flat.iter().map(|p| p - mean).reduce(|a, b| if b.norm() > a.norm() { b } else { a })?;
    let mut direction = farthest.try_normalize(1e-9)?;
    for _ in 0..3 {
        let next: Vec3 = flat.iter().map(|p| (p - mean) * (p - mean).dot(&direction)).sum();
        direction = next.try_normalize(1e-18)?;
    }
    Some(direction)
}

fn build_foot(maker: &mut Maker<'_>, foot: usize) {
    let anatomy = maker.anatomy;
    let size = anatomy.size;
    let down = -anatomy.to_local(foot, &anatomy.frame.up);
    let Some(down) = down.try_normalize(1e-9) else { return };
    let below: Vec<usize> = (foot + 1..anatomy.len()).filter(|joint| anatomy.is_below(*joint, foot)).collect();
    let flat = |v: &Vec3| v - down * v.dot(&down);
    let forward = flat(&anatomy.to_local(foot, &anatomy.frame.forward));
    let sum: Vec3 = below.iter().map(|joint| flat(&anatomy.place(*joint, foot))).sum();
    let told = !is_repeated(anatomy, foot) && sum.norm() > 0.02 * size;
    let toward = if told { sum } else { forward };
    let Some(toward) = toward.try_normalize(1e-9) else { return };
    let places: Vec<Vec3> = below.iter().map(|joint| anatomy.place(*joint, foot)).collect();
    let reach = |v: &Vec3, none: f64| if told { places.iter().map(|p| p.dot(v)).fold(none, f64::max) } else { none };
    let tip = reach(&toward, 0.0).clamp(0.085 * size, 0.16 * size);
    let sole = reach(&down, 0.0).clamp(0.030 * size, 0.065 * size) + 0.008 * size;
    // The ball of the foot: where its own toes bend.
    let ball = anatomy.children[foot]
        .iter()
        .find(|child| told && anatomy.children[foot].len() < 3 && !anatomy.children[**child].is_empty());
    let bend = ball.map_or(tip, |ball| anatomy.place(*ball, foot).dot(&toward).clamp(0.35 * tip, 0.9 * tip));
    let shape = Wedge { toward, down, side: down.cross(&toward), sole, ankle: maker.radii[foot], size };
    let heel = -0.036 * size;
    let (a, b) = (toward * (0.3 * heel) + down * (0.55 * sole), toward * bend + down * (sole - 0.014 * size));
    let radii = [0.5 * sole, 0.014 * size];
    if let Some(&ball) = ball {
        maker.push_shaped(foot, shape.mesh(heel, bend, tip, Vec3::zeros()), [a, b], radii);
        let origin = anatomy.place(ball, foot);
        let mesh = shape.mesh(bend, tip, tip, origin);
        let (start, end) = (
            toward * bend + down * (sole - 0.012 * size) - origin,
            toward * tip + down * (sole - 0.010 * size) - origin,
        );
        let turned = |v: Vec3| anatomy.carried(&v, foot, ball);
        let mut mesh = mesh;
        turn(&mut mesh, &|v| turned(v));
        maker.push_shaped(ball, mesh, [turned(start), turned(end)], [0.013 * size, 0.010 * size]);
    } else {
        let b = toward * tip + down * (sole - 0.012 * size);
        maker.push_shaped(foot, shape.mesh(heel, tip, tip, Vec3::zeros()), [a, b], radii);
    }
    for joint in below {
        maker.done[joint] = true;
    }
}

/// Carries a mesh into another space.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn turn(mesh: &mut crate::render::Mesh, into: &dyn Fn(Vec3) -> Vec3) {
    for v in mesh.positions.iter_mut().chain(&mut mesh.normals) {
        let turned = into(Vec3::from(v.map(f64::from)));
        *v = [turned.x as f32, turned.y as f32, turned.z as f32];
    }
}

/// A foot's shape about the ankle.
struct Wedge {
    toward: Vec3,
    down: Vec3,
    side: Vec3,
    /// The sole's distance below the ankle.
    sole: f64,
    /// Radius of the ankle.
    ankle: f64,
    size: f64,
}

impl Wedge {
    /// The part between two places along the foot; `tip` is the end of the toes. Relative to `origin`.
    fn mesh(&self, from: f64, to: f64, tip: f64, origin: Vec3) -> crate::render::Mesh {
        let steps = 4;
        let mut rings = Vec::new();
        let ring = |x: f64, shrink: f64, out: f64| {
            let (top, wide) = self.outline(x, tip);
            // From the top of the instep down to the sole.
            let (high, low) = (top, self.sole);
            let half = (low - high) / 2.0 * shrink;
            let middle = low - (low - high) / 2.0 * (0.4 + 0.6 * shrink);
            Ring {
                centre: self.toward * (x + out) + self.down * middle - origin,
                u: self.side * (wide * shrink),
                v: self.down * half,
                power: 3.0,
            }
        };
        let round = 0.012 * self.size;
        rings.push(ring(from, 0.62, -round));
        for i in 0..=steps {
            rings.push(ring(from + (to - from) * f64::from(i) / f64::from(steps), 1.0, 0.0));
        }
        rings.push(ring(to, 0.55, round));
        // u x v must point along the foot.
        for ring in &mut rings {
            if ring.u.cross(&ring.v).dot(&self.toward) < 0.0 {
                ring.u = -ring.u;
            }
        }
        loft(&rings, 8)
    }

    /// Depth of the instep below the ankle, and half the width, at a place along the foot.
    fn outline(&self, x: f64, tip: f64) -> (f64, f64) {
        let t = (x / tip).clamp(-0.4, 1.0);
        let toes = self.sole - 0.020 * self.size;
        let instep = -0.25 * self.ankle;
        let top = if t < 0.12 {
            instep + 0.3 * self.ankle * (0.12 - t)
        } else {
            let s = (t - 0.12) / 0.88;
            instep + (toes - instep) * (1.0 - (1.0 - s) * (1.0 - s))
        };
        let wide = if t < 0.0 {
            0.022 + 0.004 * (t + 0.4) / 0.4
        } else {
            0.026 + 0.008 * (1.0 - (2.0 * (t - 0.62)).powi(2)).max(-0.6)
        };
        (top.min(toes), wide.max(0.018) * self.size)
    }
}
