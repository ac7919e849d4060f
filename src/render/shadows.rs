//! Soft shadows straight below: each capsule darkens a rounded strip of the ground, sharper and darker the nearer it is.

use super::scene::{Ground, Shadow};
use crate::math::Vec3;

/// Quads ready for upload.
#[derive(Debug, Default)]
pub(super) struct Shadows {
    /// Corners on the ground, world.
    pub(super) positions: Vec<[f32; 3]>,
    /// Along and across the strip, half its length, its radius; metres.
    pub(super) shapes: Vec<[f32; 4]>,
    /// How dark, 0 to 1, and how sharp, 1 / metres.
    pub(super) strengths: Vec<[f32; 2]>,
    /// Three indices a triangle.
    pub(super) indices: Vec<u32>,
}

/// How much wider a shadow grows with height.
const SPREAD: f64 = 0.14;
/// A shadow's darkness on contact.
const DEEPEST: f64 = 0.95;
/// Fainter shadows are not drawn.
const FAINTEST: f64 = 0.015;

impl Shadows {
    /// Forgets all but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.shapes.clear();
        self.strengths.clear();
        self.indices.clear();
    }

    /// Adds the shadow of each of a ground's capsules.
    pub(super) fn push_all(&mut self, ground: &Ground) {
        for shadow in &ground.shadows {
            self.push(ground, shadow);
        }
    }

    fn push(&mut self, ground: &Ground, shadow: &Shadow) {
        let end = |p: &Vec3| {
            let height = p.y - ground.height - shadow.radius;
            let fall = 1.0 - (height.max(0.0) / ground.shadow_reach.max(1e-9)).min(1.0);
            // Well below the ground nothing rests on it.
            let under = (1.0 + height.min(0.0) / (4.0 * shadow.radius.max(1e-9))).clamp(0.0, 1.0);
            (height.max(0.0), DEEPEST * fall * fall * under)
        };
        let ((low_a, dark_a), (low_b, dark_b)) = (end(&shadow.from), end(&shadow.to));
        let finite = shadow.from.iter().chain(shadow.to.iter()).all(|x| x.is_finite());
        if !(finite && dark_a.max(dark_b) > FAINTEST && shadow.radius > 0.0) {
            return;
        }
        let a = Vec3::new(shadow.from.x, ground.height, shadow.from.z);
        let b = Vec3::new(shadow.to.x, ground.height, shadow.to.z);
        let length = (b - a).norm();
        let along = (b - a).try_normalize(1e-9).unwrap_or_else(Vec3::x);
        let across = along.cross(&Vec3::y());
        let half = length / 2.0;
        let soft = |height: f64| (shadow.radius * 1.3 + height * SPREAD * 2.0, shadow.radius * 1.7 + height * SPREAD);
        let ((feather_a, radius_a), (feather_b, radius_b)) = (soft(low_a), soft(low_b));
        let reach = radius_a.max(radius_b);
        let Ok(base) = u32::try_from(self.positions.len()) else { return };
        for (sign_x, sign_y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let (end, radius, feather, dark) =
                if sign_x < 0.0 { (a, radius_a, feather_a, dark_a) } else { (b, radius_b, feather_b, dark_b) };
            let corner = end + along * (sign_x * reach) + across * (sign_y * reach);
            self.push_corner(&corner, [sign_x * (half + reach), sign_y * reach, half, radius], [dark, 1.0 / feather]);
        }
        self.indices.extend([base, base + 1, base + 2, base, base + 2, base + 3]);
    }

    #[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
    fn push_corner(&mut self, corner: &Vec3, shape: [f64; 4], strength: [f64; 2]) {
        self.positions.push([corner.x as f32, corner.y as f32, corner.z as f32]);
        self.shapes.push(shape.map(|x| x as f32));
        self.strengths.push(strength.map(|x| x as f32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Rgba;

    fn dark(height: f64) -> Option<f32> {
        let shadow = Shadow { from: Vec3::new(0.0, height, 0.0), to: Vec3::new(0.3, height, 0.0), radius: 0.05 };
        let ground = Ground {
            height: 0.0,
            grid: Rgba::hex(0),
            axes: [Rgba::hex(0); 3],
            shadow_color: Rgba::hex(0),
            shadow_reach: 1.0,
            shadows: vec![shadow],
            focus: Vec3::zeros(),
        };
        let mut shadows = Shadows::default();
        shadows.push_all(&ground);
        shadows.strengths.first().map(|strength| strength[0])
    }

    #[test]
    fn a_shadow_fades_with_height_and_is_gone_out_of_reach() {
        let (contact, above) = (dark(0.05), dark(0.4));
        assert!(contact > above && above > Some(0.0));
        assert_eq!(dark(2.0), None);
        assert_eq!(dark(-3.0), None);
        assert_eq!(dark(f64::NAN), None);
    }
}
