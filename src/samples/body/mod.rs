//! The sample biped's body: one closed surface of quads on its joints.
//!
//! A cage of blocks on a grid (columns across, levels up, layers to the front), each block's corners placed by the tables below, its
//! weights by where it lies, then divided once by Catmull-Clark. Limbs are rings of ten around their bones, so that loops lie across
//! every bend; a hand has four fingers and a thumb that follow its one joint.

use super::{cage::Cage, round6};
use crate::{
    eval::fk,
    math::{Affine, Vec3},
    model::{Geometry, JointId, Material, Mesh, MeshPart, ObjectId, Parent, Skeleton, Skin, SkinJoint},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The joints it follows, those of the sides left before right.
const JOINTS: [&str; 21] = [
    "hips",
    "spine",
    "chest",
    "neck",
    "head",
    "clavicle.l",
    "clavicle.r",
    "upper_arm.l",
    "upper_arm.r",
    "forearm.l",
    "forearm.r",
    "hand.l",
    "hand.r",
    "thigh.l",
    "thigh.r",
    "shin.l",
    "shin.r",
    "foot.l",
    "foot.r",
    "toe.l",
    "toe.r",
];

const HIPS: usize = 0;
const SPINE: usize = 1;
const CHEST: usize = 2;
const NECK: usize = 3;
const HEAD: usize = 4;
const CLAVICLE: usize = 5;
const UPPER: usize = 7;
const FORE: usize = 9;
const HAND: usize = 11;
const THIGH: usize = 13;
const SHIN: usize = 15;
const FOOT: usize = 17;
const TOE: usize = 19;

/// Weights: joints, those of a side named by the left one, and how much.
type Shares = &'static [(usize, f64)];

/// A level of a limb: where along it, half its width and depth, how far its middle lies to the front or up; what it follows.
struct Ring {
    at: f64,
    wide: f64,
    deep: f64,
    off: f64,
    shares: Shares,
}

const fn ring(at: f64, wide: f64, deep: f64, off: f64, shares: Shares) -> Ring {
    Ring { at, wide, deep, off, shares }
}

/// A leg from the ankle up, about x = 0.09.
const LEG: [Ring; 11] = [
    ring(0.082, 0.042, 0.052, -0.004, &[(FOOT, 0.75), (SHIN, 0.25)]),
    ring(0.135, 0.040, 0.046, -0.006, &[(FOOT, 0.1), (SHIN, 0.9)]),
    ring(0.23, 0.050, 0.056, -0.012, &[(SHIN, 1.0)]),
    ring(0.345, 0.062, 0.068, -0.016, &[(SHIN, 1.0)]),
    ring(0.44, 0.057, 0.061, -0.006, &[(SHIN, 0.94), (THIGH, 0.06)]),
    ring(0.475, 0.055, 0.060, 0.002, &[(SHIN, 0.78), (THIGH, 0.22)]),
    ring(0.51, 0.056, 0.062, 0.004, &[(SHIN, 0.5), (THIGH, 0.5)]),
    ring(0.545, 0.058, 0.063, 0.004, &[(SHIN, 0.22), (THIGH, 0.78)]),
    ring(0.60, 0.064, 0.069, 0.004, &[(SHIN, 0.05), (THIGH, 0.95)]),
    ring(0.70, 0.076, 0.083, 0.004, &[(THIGH, 1.0)]),
    ring(0.80, 0.083, 0.094, 0.0, &[(THIGH, 0.93), (HIPS, 0.07)]),
];

/// The trunk from above the legs to the armpits, about x = 0.
const TRUNK: [Ring; 6] = [
    ring(0.955, 0.183, 0.118, -0.008, &[(HIPS, 1.0)]),
    ring(1.03, 0.162, 0.108, -0.004, &[(HIPS, 0.72), (SPINE, 0.28)]),
    ring(1.105, 0.142, 0.097, 0.0, &[(HIPS, 0.25), (SPINE, 0.7), (CHEST, 0.05)]),
    ring(1.18, 0.143, 0.100, 0.0, &[(SPINE, 0.65), (CHEST, 0.35)]),
    ring(1.26, 0.160, 0.112, 0.0, &[(SPINE, 0.2), (CHEST, 0.8)]),
    ring(1.335, 0.174, 0.119, -0.002, &[(CHEST, 1.0)]),
];

/// Neck and head; the first ring is where the neck leaves the trunk.
const TOP: [Ring; 7] = [
    ring(1.525, 0.056, 0.060, -0.014, &[(CHEST, 0.12), (NECK, 0.83), (HEAD, 0.05)]),
    ring(1.56, 0.058, 0.066, -0.006, &[(NECK, 0.55), (HEAD, 0.45)]),
    ring(1.592, 0.069, 0.091, 0.004, &[(NECK, 0.06), (HEAD, 0.94)]),
    ring(1.635, 0.079, 0.103, 0.006, &[(HEAD, 1.0)]),
    ring(1.68, 0.083, 0.108, 0.004, &[(HEAD, 1.0)]),
    ring(1.73, 0.079, 0.102, 0.0, &[(HEAD, 1.0)]),
    ring(1.775, 0.055, 0.072, -0.004, &[(HEAD, 1.0)]),
];

/// An arm from the shoulder out, about y = 1.44: how high, how deep; its middle's offset to the front.
const ARM: [Ring; 11] = [
    ring(0.205, 0.061, 0.063, -0.012, &[(CLAVICLE, 0.22), (UPPER, 0.78)]),
    ring(0.25, 0.055, 0.057, -0.014, &[(CLAVICLE, 0.04), (UPPER, 0.96)]),
    ring(0.32, 0.049, 0.052, -0.015, &[(UPPER, 1.0)]),
    ring(0.395, 0.044, 0.046, -0.015, &[(UPPER, 0.92), (FORE, 0.08)]),
    ring(0.428, 0.042, 0.044, -0.015, &[(UPPER, 0.77), (FORE, 0.23)]),
    ring(0.455, 0.042, 0.044, -0.015, &[(UPPER, 0.5), (FORE, 0.5)]),
    ring(0.482, 0.042, 0.044, -0.015, &[(UPPER, 0.23), (FORE, 0.77)]),
    ring(0.53, 0.043, 0.046, -0.014, &[(UPPER, 0.05), (FORE, 0.95)]),
    ring(0.60, 0.037, 0.041, -0.013, &[(FORE, 0.95), (HAND, 0.05)]),
    ring(0.665, 0.028, 0.035, -0.011, &[(FORE, 0.78), (HAND, 0.22)]),
    ring(0.70, 0.025, 0.034, -0.010, &[(FORE, 0.5), (HAND, 0.5)]),
];

/// Layers of a foot before the leg's: where, half its width, how high it is; what it follows.
const FOOT_LAYERS: [Ring; 4] = [
    ring(0.092, 0.043, 0.066, 0.0, &[(FOOT, 0.9), (TOE, 0.1)]),
    ring(0.13, 0.048, 0.052, 0.0, &[(FOOT, 0.5), (TOE, 0.5)]),
    ring(0.172, 0.047, 0.043, 0.0, &[(FOOT, 0.08), (TOE, 0.92)]),
    ring(0.212, 0.034, 0.034, 0.0, &[(TOE, 1.0)]),
];

/// How high an arm is.
const ARM_HEIGHT: f64 = 1.44;
/// Middle of a leg.
const LEG_MIDDLE: f64 = 0.09;

/// Columns of the trunk: 5; corners 0..=5 across. A leg has the two outer ones of its side, the neck the three inner ones.
const ACROSS: i32 = 5;
/// Layers of everything: 3; corners 0..=3 from the back.
const LAYERS: i32 = 3;
/// The level at which the legs part.
const CROTCH: i32 = 12;
/// The level of the armpits: an arm has two levels above it.
const ARMPIT: i32 = CROTCH + 6;
/// The level of the shoulders' tops.
const SHOULDER: i32 = ARMPIT + 2;
/// The level of the top of the head.
const CROWN: i32 = SHOULDER + 7;
/// The column at which an arm ends.
const WRIST: i32 = ACROSS + 11;
/// The layer at which a foot ends.
const TIPTOE: i32 = LAYERS + 4;

/// A row of the tables for each level.
const _: () = assert!(
    LEG.len() + 1 == CROTCH as usize
        && TRUNK.len() == (ARMPIT - CROTCH) as usize
        && TOP.len() == (CROWN - SHOULDER) as usize
        && ARM.len() == (WRIST - ACROSS) as usize
        && FOOT_LAYERS.len() == (TIPTOE - LAYERS) as usize
);

type Corner = [i32; 3];

/// A place on a rounded square from one on the square, both -1..1, so that its corners lie on an ellipse.
fn rounded(u: f64, v: f64) -> (f64, f64) {
    (u * (1.0 - 0.5 * v * v).sqrt(), v * (1.0 - 0.5 * u * u).sqrt())
}

/// The blocks of the body.
fn blocks() -> BTreeSet<Corner> {
    let mut blocks = BTreeSet::new();
    let mut fill = |x: std::ops::Range<i32>, y: std::ops::Range<i32>, z: std::ops::Range<i32>| {
        for i in x {
            for j in y.clone() {
                blocks.extend(z.clone().map(|k| [i, j, k]));
            }
        }
    };
    for leg in [0..2, 3..5] {
        fill(leg.clone(), 0..CROTCH, 0..LAYERS);
        fill(leg, 0..1, LAYERS..TIPTOE);
    }
    fill(0..ACROSS, CROTCH..SHOULDER, 0..LAYERS);
    fill(1..4, SHOULDER..CROWN, 0..LAYERS);
    fill(ACROSS..WRIST, ARMPIT..SHOULDER, 0..LAYERS);
    fill(ACROSS - WRIST..0, ARMPIT..SHOULDER, 0..LAYERS);
    blocks
}

/// Where a corner of the left half lies, and what it follows.
fn placed([i, j, k]: Corner) -> (Vec3, Vec<(usize, f64)>) {
    let layer = f64::from(2 * k - LAYERS) / f64::from(LAYERS);
    if i > ACROSS {
        let ring = &ARM[(i - ACROSS - 1) as usize];
        let (y, z) = rounded(f64::from(j - ARMPIT - 1), layer);
        return (Vec3::new(ring.at, ARM_HEIGHT + ring.wide * y, ring.off + ring.deep * z), ring.shares.to_vec());
    }
    if k > LAYERS {
        let ring = &FOOT_LAYERS[(k - LAYERS - 1) as usize];
        let height = if j == 0 { 0.0 } else { ring.deep * if i == 4 { 1.0 } else { 0.8 } };
        return (Vec3::new(LEG_MIDDLE + ring.wide * f64::from(i - 4), height, ring.at), ring.shares.to_vec());
    }
    if j <= CROTCH {
        return leg(i, j, layer);
    }
    if j > SHOULDER {
        return top(i, j, layer);
    }
    let own = f64::from(2 * i - ACROSS) / f64::from(ACROSS);
    let (x, z) = rounded(own, layer);
    if j <= ARMPIT {
        let ring = &TRUNK[(j - CROTCH - 1) as usize];
        let mut shares = ring.shares.to_vec();
        let mut at = Vec3::new(ring.wide * x, ring.at, ring.off + ring.deep * z);
        if j == CROTCH + 1 {
            // Where the thigh lifts, the front of the hips goes with it a little, the middle less.
            let thigh = [0.0, 0.0, 0.0, 0.05, 0.16, 0.2][i as usize];
            shares = vec![(HIPS, 1.0 - thigh), (THIGH, thigh)];
        }
        if j == ARMPIT && i == ACROSS {
            at.y += 0.02;
            shares = vec![(CHEST, 0.62), (CLAVICLE, 0.13), (UPPER, 0.25)];
        } else if j == ARMPIT && i == ACROSS - 1 {
            shares = vec![(CHEST, 0.94), (UPPER, 0.06)];
        }
        return (at, shares);
    }
    shoulder(i, j, layer)
}

fn leg(i: i32, j: i32, layer: f64) -> (Vec3, Vec<(usize, f64)>) {
    let (x, z) = rounded(f64::from(i - 4), layer);
    if j == 0 {
        let at = Vec3::new(LEG_MIDDLE + 0.038 * x, 0.0, -0.006 + 0.056 * z);
        return (at, vec![(FOOT, 1.0)]);
    }
    if j == CROTCH {
        // Lower between the legs than at their outer sides.
        let height = [0.868, 0.885, 0.905][(i - 3) as usize];
        let at = Vec3::new(0.097 + 0.083 * x, height, -0.006 + 0.108 * z);
        let thigh = [0.42, 0.62, 0.66][(i - 3) as usize];
        return (at, vec![(HIPS, 1.0 - thigh), (THIGH, thigh)]);
    }
    let ring = &LEG[(j - 1) as usize];
    let mut at = Vec3::new(LEG_MIDDLE + ring.wide * x, ring.at, ring.off + ring.deep * z);
    if j == CROTCH - 1 {
        // Thighs do not touch.
        at.x = at.x.max(0.016);
    }
    (at, ring.shares.to_vec())
}

fn top(i: i32, j: i32, layer: f64) -> (Vec3, Vec<(usize, f64)>) {
    let at = (j - SHOULDER - 1) as usize;
    let ring = &TOP[at];
    let own = f64::from(2 * i - ACROSS) / 3.0;
    let (x, z) = rounded(own, layer);
    let mut place = Vec3::new(ring.wide * x, ring.at, ring.off + ring.deep * z);
    let mut shares = ring.shares.to_vec();
    let front = layer >= 1.0;
    let middle = own.abs() < 0.5;
    match at {
        // The jaw: lower and further out at the front than the nape is at the back.
        1 if front => {
            (place.z, place.y) = (if middle { 0.082 } else { 0.040 }, 1.556);
            shares = vec![(NECK, 0.1), (HEAD, 0.9)];
        }
        1 if layer > 0.0 => shares = vec![(NECK, 0.45), (HEAD, 0.55)],
        2 if front && middle => place.z += 0.012,
        3 if front && middle => (place.z, place.x) = (place.z + 0.024, place.x * 0.7),
        4 if front && middle => place.z -= 0.003,
        6 if own.abs() < 0.5 && layer.abs() < 0.5 => place.y += 0.022,
        _ => {}
    }
    (place, shares)
}

/// The two levels above the armpits, from the breastbone to where the arm begins.
fn shoulder(i: i32, j: i32, layer: f64) -> (Vec3, Vec<(usize, f64)>) {
    let upper = j == SHOULDER;
    let side = (i - 3) as usize;
    let x = if upper { [0.024, 0.068, 0.168] } else { [0.036, 0.108, 0.178] }[side];
    let height = match (upper, layer) {
        (true, layer) => {
            // From the collar bones in front over the slope of the shoulders to the nape.
            let inner = 1.492 + if layer < 0.0 { 0.012 } else { -0.010 } * layer.abs();
            [inner, inner, 1.502 - 0.012 * layer.abs()][side]
        }
        _ => [1.415, 1.42, 1.437][side],
    };
    let deep = if upper { [0.070, 0.064, 0.052] } else { [0.113, 0.104, 0.070] }[side];
    let middle = if upper { -0.012 } else { -0.006 };
    let (_, bent) = rounded(if i == ACROSS { if upper { 0.9 } else { 0.3 } } else { 0.0 }, layer);
    let place = Vec3::new(x, height, middle + deep * bent);
    let shares: Shares = match (upper, side) {
        (false, 0) => &[(CHEST, 0.97), (CLAVICLE, 0.03)],
        (false, 1) => &[(CHEST, 0.72), (CLAVICLE, 0.23), (UPPER, 0.05)],
        (false, _) => &[(CHEST, 0.2), (CLAVICLE, 0.35), (UPPER, 0.45)],
        (true, 0) => &[(CHEST, 0.62), (NECK, 0.3), (CLAVICLE, 0.08)],
        (true, 1) => &[(CHEST, 0.52), (NECK, 0.23), (CLAVICLE, 0.25)],
        (true, _) => &[(CHEST, 0.08), (CLAVICLE, 0.57), (UPPER, 0.35)],
    };
    (place, shares.to_vec())
}

/// A corner's mirror image.
fn mirrored([i, j, k]: Corner) -> Corner {
    [ACROSS - i, j, k]
}

/// The row of a vertex: its place, then its weights.
fn row(at: Vec3, shares: &[(usize, f64)], right: bool) -> Vec<f64> {
    let mut row = vec![0.0; 3 + JOINTS.len()];
    row[0] = if right { -at.x } else { at.x };
    (row[1], row[2]) = (at.y, at.z);
    for (joint, share) in shares {
        let joint = joint + usize::from(right && *joint >= CLAVICLE);
        row[3 + joint] += share;
    }
    row
}

/// What a cage is made from: blocks' corners by number, and which faces are left open for hands.
struct Maker {
    cage: Cage,
    corners: BTreeMap<Corner, usize>,
}

impl Maker {
    fn corner(&mut self, at: Corner) -> usize {
        if let Some(known) = self.corners.get(&at) {
            return *known;
        }
        let right = 2 * at[0] < ACROSS;
        let (place, shares) = placed(if right { mirrored(at) } else { at });
        let index = self.add(place, &shares, right);
        self.corners.insert(at, index);
        index
    }

    fn add(&mut self, place: Vec3, shares: &[(usize, f64)], right: bool) -> usize {
        self.cage.rows.push(row(place, shares, right));
        self.cage.rows.len() - 1
    }

    /// The outer faces of the blocks, but for the ends of the arms.
    fn skin(&mut self, blocks: &BTreeSet<Corner>) {
        for block in blocks {
            for axis in 0..3 {
                for side in [0, 1] {
                    let mut beside = *block;
                    beside[axis] += 2 * side - 1;
                    let wrist = axis == 0 && [WRIST, ACROSS - WRIST - 1].contains(&beside[0]);
                    if wrist || blocks.contains(&beside) {
                        continue;
                    }
                    let (u, v) =
                        if side == 1 { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
                    let quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                        let mut corner = *block;
                        corner[axis] += side;
                        corner[u] += a;
                        corner[v] += b;
                        self.corner(corner)
                    });
                    self.cage.quads.push(quad);
                }
            }
        }
    }

    /// Quads between two rings of a side; the right one's are turned over.
    fn sleeve(&mut self, from: &[usize], to: &[usize], right: bool) {
        let first = self.cage.quads.len();
        self.cage.bridge(from, to);
        self.turn_over(first, right);
    }

    fn turn_over(&mut self, first: usize, right: bool) {
        if right {
            self.cage.quads[first..].iter_mut().for_each(|quad| quad.reverse());
        }
    }

    /// A hand on the end of an arm: a palm, four fingers from its end, a thumb from its side.
    fn hand(&mut self, right: bool) {
        let end = if right { ACROSS - WRIST } else { WRIST };
        let wrist: Vec<Corner> = (0..=LAYERS)
            .map(|k| [end, SHOULDER, k])
            .chain([[end, ARMPIT + 1, LAYERS]])
            .chain((0..=LAYERS).rev().map(|k| [end, ARMPIT, k]))
            .chain([[end, ARMPIT + 1, 0]])
            .collect();
        let mut before: Vec<usize> = wrist.into_iter().map(|corner| self.corner(corner)).collect();
        // Where along the arm, half the width and the thickness, the middle to the front.
        let palms = [(0.722, 0.036, 0.019, -0.009), (0.752, 0.043, 0.017, -0.007), (0.785, 0.045, 0.0145, -0.006)];
        for (level, (x, wide, thick, middle)) in palms.into_iter().enumerate() {
            // Along the back of the hand from its little finger, then back along the palm.
            let own = |n: i32, up: f64| {
                let across = f64::from(n - 2) / 2.0;
                // Knuckles lie on a bow.
                let bow = if level == 2 { -0.010 * (across - 0.2).abs() } else { 0.0 };
                let rounding = 1.0 - 0.25 * across.abs();
                Vec3::new(x + bow, ARM_HEIGHT + up * thick * rounding, middle + wide * across)
            };
            let shares: Shares = if level == 0 { &[(FORE, 0.2), (HAND, 0.8)] } else { &[(HAND, 1.0)] };
            let places: Vec<Vec3> = (0..5).map(|n| own(n, 1.0)).chain((0..5).rev().map(|n| own(n, -1.0))).collect();
            let ring: Vec<usize> = places.into_iter().map(|at| self.add(at, shares, right)).collect();
            let first = self.cage.quads.len();
            self.cage.bridge(&before, &ring);
            if level == 1 {
                // The quad at the front is where the thumb stands.
                self.cage.quads.remove(first + 4);
            }
            self.turn_over(first, right);
            if level == 1 {
                self.thumb([before[4], before[5], ring[5], ring[4]], right);
            }
            before = ring;
        }
        for finger in 0..4 {
            let ring = [before[finger], before[finger + 1], before[8 - finger], before[9 - finger]];
            self.finger(finger, ring, right);
        }
    }

    /// A finger on four corners of the palm's end.
    fn finger(&mut self, finger: usize, base: [usize; 4], right: bool) {
        let length = [0.056, 0.076, 0.083, 0.074][finger];
        let across = finger as f64 - 1.5;
        let (z, spread) = (-0.006 + 0.0225 * across, 0.010 * across);
        let mut before = base.to_vec();
        for (part, half) in [(0.12, 0.0098), (0.5, 0.0094), (0.86, 0.0086), (1.0, 0.0055)] {
            let x = 0.786 - 0.008 * (across / 1.5 - 0.1).abs() + length * part;
            let middle = Vec3::new(x, ARM_HEIGHT - 0.004 * part, z + spread * part);
            let corner = |y: f64, z: f64| middle + Vec3::new(0.0, y, z) * half;
            let places = [corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)];
            let ring: Vec<usize> = places.into_iter().map(|at| self.add(at, &[(HAND, 1.0)], right)).collect();
            self.sleeve(&before, &ring, right);
            before = ring;
        }
        let first = self.cage.quads.len();
        self.cage.quads.push([before[0], before[1], before[2], before[3]]);
        self.turn_over(first, right);
    }

    /// A thumb on a quad of the palm's side.
    fn thumb(&mut self, base: [usize; 4], right: bool) {
        let mut before = base.to_vec();
        let (from, to) = (Vec3::new(0.737, ARM_HEIGHT - 0.004, 0.036), Vec3::new(0.788, ARM_HEIGHT - 0.012, 0.082));
        let along = (to - from).normalize();
        let flat = along.cross(&Vec3::y()).normalize();
        for (part, half) in [(0.12, 0.0125), (0.5, 0.011), (0.88, 0.0098), (1.05, 0.006)] {
            let middle = from + (to - from) * part;
            // The quad's own order: back of the hand towards the arm, palm towards the arm, palm, back of the hand.
            let corner = |y: f64, x: f64| middle + (Vec3::y() * y + flat * x) * half;
            let places = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
            let ring: Vec<usize> = places.into_iter().map(|at| self.add(at, &[(HAND, 1.0)], right)).collect();
            self.sleeve(&before, &ring, right);
            before = ring;
        }
        let first = self.cage.quads.len();
        self.cage.quads.push([before[0], before[1], before[2], before[3]]);
        self.turn_over(first, right);
    }
}

/// The quads of the body.
fn cage() -> Cage {
    let mut maker = Maker { cage: Cage::default(), corners: BTreeMap::new() };
    maker.skin(&blocks());
    maker.hand(false);
    maker.hand(true);
    maker.cage.subdivided()
}

/// The weights of a row: its four largest, in parts of 1024 that sum to 1.
fn influences(weights: &[f64]) -> ([u16; 4], [f32; 4]) {
    const PARTS: f64 = 1024.0;
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    let kept = [order[0], order[1], order[2], order[3]];
    let sum: f64 = kept.iter().map(|joint| weights[*joint]).sum();
    let mut parts = kept.map(|joint| (weights[joint] / sum * PARTS).round());
    parts[0] += PARTS - parts.iter().sum::<f64>();
    #[expect(clippy::cast_possible_truncation, reason = "a list of some joints, and whole parts of 1024")]
    let (joints, shares) = (kept.map(|joint| joint as u16), parts.map(|part| (part / PARTS) as f32));
    (std::array::from_fn(|at| if shares[at] > 0.0 { joints[at] } else { 0 }), shares)
}

/// The middle, the left and the right side: told apart as the mannequin's are, in light.
const COLOURS: [[f32; 3]; 3] = [[0.591, 0.615, 0.659], [0.314, 0.498, 0.744], [0.751, 0.466, 0.293]];

/// The colour of a vertex: that of a side as far as it follows the joints of an arm or a leg.
fn colour(joints: &[u16; 4], shares: &[f32; 4]) -> [f32; 4] {
    let (mut out, mut rest) = ([0.0, 0.0, 0.0, 1.0], 1.0);
    for (joint, share) in joints.iter().zip(shares).filter(|(joint, _)| usize::from(**joint) >= UPPER) {
        let side = &COLOURS[2 - usize::from(joint % 2)];
        out.iter_mut().zip(side).for_each(|(out, own)| *out += share * own);
        rest -= share;
    }
    out.iter_mut().zip(&COLOURS[0]).for_each(|(out, own)| *out += rest * own);
    out
}

/// The body of the biped of a document: bound to its joints at rest.
pub(super) fn mesh(rig: ObjectId, skeleton: &Skeleton) -> Mesh {
    let cage = cage();
    let own = |row: &Vec<f64>| {
        #[expect(clippy::cast_possible_truncation, reason = "vertices are held in single precision")]
        let narrow = |at: usize| round6(row[at]) as f32;
        [narrow(0), narrow(1), narrow(2)]
    };
    let (joints, weights): (Vec<_>, Vec<_>) = cage.rows.iter().map(|row| influences(&row[3..])).unzip();
    #[expect(clippy::cast_possible_truncation, reason = "some thousands of vertices")]
    let indices: Vec<u32> =
        cage.quads.iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d].map(|corner| *corner as u32)).collect();
    let colors = joints.iter().zip(&weights).map(|(joints, shares)| colour(joints, shares)).collect();
    let positions = cage.rows.iter().map(own).collect();
    let geometry = Geometry { positions, colors, indices: indices.into(), ..Geometry::default() };
    let locals: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut rest = Vec::new();
    fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut rest);
    let bound = |name: &&str| {
        let at = skeleton.joints().iter().position(|joint| joint.name == **name);
        let (id, place) = at
            .and_then(|at| Some((skeleton.joints()[at].id, *rest.get(at)?)))
            .unwrap_or((JointId(0), Affine::IDENTITY));
        let inverse = place.try_inverse().unwrap_or_default();
        let rows = SkinJoint::rows(&inverse).map(|row| row.map(round6));
        SkinJoint { joint: Parent::Joint(rig, id), joint_from_mesh: rows }
    };
    let skin = Skin {
        name: String::new(),
        joints: JOINTS.iter().map(bound).collect(),
        per_vertex: 4,
        influences: joints.as_flattened().into(),
        weights: weights.as_flattened().into(),
    };
    let part = MeshPart {
        vertices: u32::try_from(cage.rows.len()).unwrap_or(0),
        indices: u32::try_from(6 * cage.quads.len()).unwrap_or(0),
        material: Some(0),
    };
    let material = Material { name: "Body".to_owned(), color: [1.0; 4], roughness: 0.8, ..Material::default() };
    Mesh {
        geometry: Arc::new(geometry),
        parts: vec![part],
        materials: vec![Arc::new(material)],
        skin: Some(Arc::new(skin)),
        ..Mesh::default()
    }
}

#[cfg(test)]
mod tests;
