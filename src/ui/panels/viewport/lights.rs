//! Lights over the view: a small sun where one stands, with the way it shines and the cone it fills.

use super::pen::Pen;
use crate::{
    math::{Affine, Vec3},
    model::LightShape,
};
use egui::{Color32, Stroke, Vec2};
use std::f64::consts::TAU;

/// The sun's radius, points.
const SUN_PT: f32 = 5.0;
/// How long a ray of it is, points.
const RAY_PT: f32 = 4.0;
/// How long the way or the cone is on the screen, points.
const REACH_PT: f64 = 56.0;
/// A cone wider than this half angle, radians, is drawn so wide.
const WIDEST: f64 = 1.2;
/// Pieces of the cone's rim.
const PIECES: u32 = 24;

/// A light where it stands; it shines along its own negative Z.
pub(super) fn light(pen: &Pen<'_>, world: &Affine, shape: LightShape, colour: Color32) {
    let eye = world.translation;
    let Some((at, scale)) = pen.at(&eye).zip(pen.view.points_per_metre(&eye)) else { return };
    let stroke = Stroke::new(1.5, colour);
    pen.painter.circle_stroke(at, SUN_PT, stroke);
    for ray in 0..8_u8 {
        let way = Vec2::angled(f32::from(ray) * std::f32::consts::FRAC_PI_4);
        pen.painter.line_segment([at + way * (SUN_PT + 2.0), at + way * (SUN_PT + 2.0 + RAY_PT)], stroke);
    }
    let (turned, reach) = (world.rotation(), REACH_PT / scale);
    match shape {
        LightShape::Point => {}
        LightShape::Directional => pen.line(&eye, &(eye + turned * Vec3::new(0.0, 0.0, -reach)), stroke),
        LightShape::Spot { outer, .. } => {
            let (wide, deep) = outer.clamp(0.0, WIDEST).sin_cos();
            let rim = |part: f64| {
                let (sin, cos) = (part * TAU).sin_cos();
                eye + turned * (Vec3::new(wide * cos, wide * sin, -deep) * reach)
            };
            let part = |piece: u32| rim(f64::from(piece) / f64::from(PIECES));
            for piece in 0..PIECES {
                pen.line(&part(piece), &part(piece + 1), stroke);
            }
            for quarter in [0.0, 0.25, 0.5, 0.75] {
                pen.line(&eye, &rim(quarter), stroke);
            }
        }
    }
}
