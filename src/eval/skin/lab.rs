//! How linear blend and dual quaternions keep a limb's shape, measured side by side: on a tube of two joints, or on a mesh.
//!
//! Two faults of linear blend are told apart (SPEC E-SKN-4): a *twist* about the bone pulls the surface to the bone, to
//! `|cos(angle / 2)|` of its radius where both joints count alike, nothing at half a turn (the candy wrapper); a *bend* across it
//! flattens the elbow, to `cos(angle / 2)` in the plane of the bend. Dual quaternions keep the radius in both.

use super::{DualMap, dual_blend, linear_blend};
use crate::math::{Affine, Vec3, rotation::from_axis_angle};
use std::f64::consts::TAU;

/// A part of a skinned mesh by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limb {
    /// Places at rest.
    pub rest: Vec<Vec3>,
    /// Where each lies along the limb, 0..1.
    pub along: Vec<f64>,
    /// Joints of each and their shares, which sum to 1.
    pub influences: Vec<Vec<(usize, f64)>>,
    /// The triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Whether they enclose a volume.
    pub closed: bool,
}

/// A tube along X of two joints, the second at its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tube {
    /// How long it is, metres.
    pub length: f64,
    /// Its radius, metres.
    pub radius: f64,
    /// The part of it over which weights go over from joint to joint, 0..1.
    pub spread: f64,
}

/// Rings along a tube, but for one.
const RINGS: u32 = 40;
/// Vertices of a ring.
const AROUND: u32 = 24;

impl Tube {
    /// The tube, closed at both ends.
    #[must_use]
    pub fn limb(&self) -> Limb {
        let mut limb = Limb { closed: true, ..Limb::default() };
        let push = |limb: &mut Limb, part: f64, y: f64, z: f64| {
            let second = self.share(part);
            limb.rest.push(Vec3::new((part - 0.5) * self.length, y, z));
            limb.along.push(part);
            limb.influences.push(vec![(0, 1.0 - second), (1, second)]);
        };
        for ring in 0..=RINGS {
            let part = f64::from(ring) / f64::from(RINGS);
            for corner in 0..AROUND {
                let (sin, cos) = (TAU * f64::from(corner) / f64::from(AROUND)).sin_cos();
                push(&mut limb, part, self.radius * cos, self.radius * sin);
            }
        }
        push(&mut limb, 0.0, 0.0, 0.0);
        push(&mut limb, 1.0, 0.0, 0.0);
        let (first, last) = ((RINGS + 1) * AROUND, (RINGS + 1) * AROUND + 1);
        for corner in 0..AROUND {
            let next = (corner + 1) % AROUND;
            for ring in 0..RINGS {
                let at = |ring: u32, corner: u32| ring * AROUND + corner;
                let (a, b, c, d) = (at(ring, corner), at(ring, next), at(ring + 1, next), at(ring + 1, corner));
                limb.triangles.extend([[a, b, c], [a, c, d]]);
            }
            limb.triangles.push([first, next, corner]);
            limb.triangles.push([last, RINGS * AROUND + corner, RINGS * AROUND + next]);
        }
        limb
    }

    /// How much of a place along it follows the second joint: a smooth step, evenly 0 or 1 beyond the spread.
    fn share(&self, part: f64) -> f64 {
        let spread = self.spread.clamp(1e-6, 1.0);
        let t = ((part - 0.5) / spread + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// The maps of its joints, the second bent about Z and twisted about X, radians.
    #[must_use]
    pub fn maps(bend: f64, twist: f64) -> [Affine; 2] {
        let turn = from_axis_angle(&Vec3::z(), bend) * from_axis_angle(&Vec3::x(), twist);
        [Affine::IDENTITY, Affine { linear: *turn.to_rotation_matrix().matrix(), translation: Vec3::zeros() }]
    }
}

/// Where a limb goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posed {
    /// By linear blend.
    pub linear: Vec<Vec3>,
    /// By dual quaternions.
    pub dual: Vec<Vec3>,
}

/// A limb carried by joints both ways.
#[must_use]
pub fn posed(limb: &Limb, maps: &[Affine]) -> Posed {
    let duals: Vec<DualMap> = maps.iter().map(DualMap::new).collect();
    let all = || limb.rest.iter().zip(&limb.influences);
    Posed {
        linear: all().map(|(at, own)| linear_blend(at, own.iter().copied(), maps)).collect(),
        dual: all().map(|(at, own)| dual_blend(at, own.iter().copied(), &duals)).collect(),
    }
}

/// The radius along a limb, of that at rest, in pieces of equal length: the mean distance of the vertices of a piece from their
/// middle. Pieces with fewer than three vertices, or without a radius at rest, are left out. With where each piece is, 0..1.
#[must_use]
pub fn radii(limb: &Limb, places: &[Vec3], pieces: usize) -> Vec<(f64, f64)> {
    let pieces = pieces.max(1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); pieces];
    for (vertex, along) in limb.along.iter().enumerate().take(places.len()) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the list")]
        let piece = (along.clamp(0.0, 1.0) * pieces as f64) as usize;
        members[piece.min(pieces - 1)].push(vertex);
    }
    let mean = |own: &[usize], of: &[Vec3]| {
        let middle = own.iter().map(|vertex| of[*vertex]).sum::<Vec3>() / own.len() as f64;
        own.iter().map(|vertex| (of[*vertex] - middle).norm()).sum::<f64>() / own.len() as f64
    };
    let ratio = |(piece, own): (usize, &Vec<usize>)| {
        let rest = (own.len() >= 3).then(|| mean(own, &limb.rest)).filter(|rest| *rest > 1e-9)?;
        Some(((piece as f64 + 0.5) / pieces as f64, mean(own, places) / rest))
    };
    members.iter().enumerate().filter_map(ratio).collect()
}

/// The volume triangles enclose, by the divergence theorem; of no meaning where they are not closed.
#[must_use]
pub fn volume(places: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let at = |corner: u32| places.get(corner as usize).copied().unwrap_or_default();
    triangles.iter().map(|[a, b, c]| at(*a).dot(&at(*b).cross(&at(*c))) / 6.0).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TUBE: Tube = Tube { length: 1.0, radius: 0.1, spread: 0.4 };

    /// The least radius along the tube by linear blend and by dual quaternions.
    fn least(bend: f64, twist: f64) -> [f64; 2] {
        let limb = TUBE.limb();
        let posed = posed(&limb, &Tube::maps(bend, twist));
        // A ring a piece: 41 rings, the pieces' middles on them.
        [posed.linear, posed.dual]
            .map(|places| radii(&limb, &places, 41).into_iter().map(|(_, ratio)| ratio).fold(f64::INFINITY, f64::min))
    }

    #[test]
    fn a_twist_is_a_candy_wrapper_and_a_bend_is_not() {
        for twist in [0.4, 1.2, 2.4, 3.0] {
            let [linear, dual] = least(0.0, twist);
            assert!((linear - (twist / 2.0).cos()).abs() < 1e-9, "{twist}: {linear}");
            assert!((dual - 1.0).abs() < 1e-9, "{twist}: {dual}");
        }
        // E-SKN-4: half a turn leaves nothing.
        assert!(least(0.0, std::f64::consts::PI)[0] < 1e-9);
        // A bend leaves the radius across its plane: flattened, never nothing.
        let [linear, dual] = least(std::f64::consts::FRAC_PI_2, 0.0);
        assert!(
            linear > std::f64::consts::FRAC_1_SQRT_2 && linear < 0.95 && (dual - 1.0).abs() < 1e-9,
            "{linear} {dual}"
        );
        let limb = TUBE.limb();
        let middle = limb.along.iter().position(|along| *along == 0.5).unwrap();
        let bent = posed(&limb, &Tube::maps(std::f64::consts::FRAC_PI_2, 0.0));
        // The vertex on the bend's outer side.
        assert!((limb.rest[middle] - Vec3::new(0.0, 0.1, 0.0)).norm() < 1e-12);
        assert!((bent.linear[middle].norm() / 0.1 - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12);
        assert!((bent.dual[middle].norm() / 0.1 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn volume_is_lost_by_linear_blend() {
        let limb = TUBE.limb();
        let rest = volume(&limb.rest, &limb.triangles);
        let polygon = 0.5 * 24.0 * 0.01 * (TAU / 24.0).sin();
        assert!((rest - polygon).abs() < 1e-9, "{rest} {polygon}");
        let twisted = posed(&limb, &Tube::maps(0.0, 3.0));
        let (linear, dual) =
            (volume(&twisted.linear, &limb.triangles) / rest, volume(&twisted.dual, &limb.triangles) / rest);
        assert!(linear < 0.85 && dual > 0.97 && dual < 1.01, "{linear} {dual}");
    }

    #[test]
    fn nothing_and_too_little_are_defined() {
        assert!(radii(&Limb::default(), &[], 0).is_empty());
        assert_eq!(volume(&[], &[[0, 1, 2]]), 0.0);
        let limb = Limb { rest: vec![Vec3::zeros(); 3], along: vec![f64::NAN, 0.2, 3.0], ..Limb::default() };
        assert!(radii(&limb, &[Vec3::zeros(); 3], 4).is_empty());
    }
}
