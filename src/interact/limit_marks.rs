//! The limits of a joint as they are drawn: a sector for a hinge, a cone or a window for two swings, an arc for the twist,
//! each with where the joint is now.

use super::{
    overlay::{Ink, Mark, Overlay},
    projection::View,
};
use crate::{
    eval::{
        EvaluatedFrame,
        ik::{JointLimit, limit::Measure},
        limbs::{self, Limbs},
    },
    math::{
        Quat, Vec3,
        rotation::{from_axis_angle, nearest_rotation},
    },
    model::{JointId, ObjectId, Rig, SwingShape},
};
use std::f64::consts::TAU;

/// A swing that goes no farther than this to either side makes the joint a hinge, radians.
const HINGE: f64 = 0.4;
/// The drawing's size as a share of the bone's length.
const SIZE: f64 = 0.5;
/// How many parts the outline of a cone has.
const PARTS: u32 = 48;

/// Where limits are drawn.
struct Drawn<'a> {
    view: &'a View,
    limit: JointLimit,
    now: Measure,
    origin: Vec3,
    /// From the limits' axes to the world.
    frame: Quat,
    radius: f64,
}

/// Draws the limits of a joint of a rig; nothing where it has none.
pub fn draw(
    overlay: &mut Overlay,
    view: &View,
    (object, rig): (ObjectId, &Rig),
    limbs: &Limbs,
    joint: JointId,
    frame: &EvaluatedFrame,
) {
    let drawn = || {
        let index = rig.skeleton.index_of(joint)?;
        let limit = JointLimit::of(&limbs::limit_of(rig, limbs, index)?, &rig.skeleton.joints()[index].rest.rotation);
        let local = frame.rig(object)?.local.get(index)?.rotation;
        let world = frame.joint_world(object, index)?;
        let children = rig.skeleton.children(index);
        let far = |child| Some((frame.joint_world(object, child)?.translation - world.translation).norm());
        let bone = children.filter_map(far).fold(0.0, f64::max);
        let above = nearest_rotation(&frame.joint_above(object, &rig.skeleton, index)?);
        let radius = SIZE * if bone > 1e-6 { bone } else { 0.1 * crate::eval::size::skeleton_size(&rig.skeleton) };
        let (now, origin) = (limit.measure(&local), world.translation);
        Some(Drawn { view, limit, now, origin, frame: above * limit.middle * limit.axes, radius })
    };
    if let Some(drawn) = drawn() {
        drawn.swing(overlay);
        drawn.twist(overlay);
        drawn.text(overlay, &small(view, object, rig, frame));
    }
}

/// A figure lower than this on the screen has its numbers beside it, not on it, points.
const SMALL_PT: f64 = 240.0;
/// What of it is as high on the screen as the numbers, up or down, points.
const AS_HIGH_PT: f64 = 30.0;
/// The numbers stand so far above the end of the bone, points.
const ABOVE_PT: f64 = 30.0;

/// The joints of a figure on the screen where it is small there; else none.
fn small(view: &View, object: ObjectId, rig: &Rig, frame: &EvaluatedFrame) -> Vec<[f64; 2]> {
    let place = |joint| view.project(&frame.joint_world(object, joint)?.translation);
    let places: Vec<[f64; 2]> = (0..rig.skeleton.len()).filter_map(place).collect();
    let (top, bottom) =
        places.iter().fold((f64::MAX, f64::MIN), |(top, bottom), at| (top.min(at[1]), bottom.max(at[1])));
    if bottom - top < SMALL_PT { places } else { Vec::new() }
}

impl Drawn<'_> {
    /// Where the bone points at a swing, on the drawing's sphere.
    fn place(&self, x: f64, z: f64) -> Vec3 {
        self.origin + self.frame * (Quat::from_scaled_axis(Vec3::new(x, 0.0, z)) * Vec3::y()) * self.radius
    }

    fn line(&self, overlay: &mut Overlay, places: impl Iterator<Item = Vec3>, ink: Ink, width: f64) {
        let points: Vec<_> = places.filter_map(|place| self.view.project(&place)).collect();
        if points.len() > 1 {
            overlay.marks.push(Mark::Polyline { points, ink, width, dashed: false });
        }
    }

    fn swing(&self, overlay: &mut Overlay) {
        let JointLimit { x, z, .. } = self.limit;
        let part = |i: u32| f64::from(i) / f64::from(PARTS);
        let between = move |[low, high]: [f64; 2], i: u32| low + (high - low) * part(i);
        let narrow = |[low, high]: [f64; 2]| high - low <= 2.0 * HINGE;
        let centre = std::iter::once(self.origin);
        match self.limit.shape {
            SwingShape::Ranges if narrow(z) || narrow(x) => {
                let arc = (0..=PARTS).map(|i| match narrow(z) {
                    true => self.place(between(x, i), 0.0),
                    false => self.place(0.0, between(z, i)),
                });
                self.line(overlay, centre.clone().chain(arc).chain(centre), self.ink(), 1.5);
            }
            SwingShape::Ranges => {
                let sides = (0..=PARTS).map(|i| (between(x, i), z[0]));
                let sides = sides.chain((0..=PARTS).map(|i| (x[1], between(z, i))));
                let sides = sides.chain((0..=PARTS).rev().map(|i| (between(x, i), z[1])));
                let sides = sides.chain((0..=PARTS).rev().map(|i| (x[0], between(z, i))));
                self.line(overlay, sides.map(|(x, z)| self.place(x, z)), self.ink(), 1.5);
            }
            SwingShape::Cone => {
                let half = |[low, high]: [f64; 2], part: f64| part * if part < 0.0 { -low } else { high };
                let outline = |i: u32| {
                    let (sin, cos) = (TAU * part(i)).sin_cos();
                    self.place(half(x, cos), half(z, sin))
                };
                self.line(overlay, (0..=PARTS).map(outline), self.ink(), 1.5);
                for i in (0..PARTS).step_by(12) {
                    self.line(overlay, centre.clone().chain([outline(i)]), Ink::Guide, 1.0);
                }
            }
        }
        let now = self.place(self.now.x, self.now.z);
        self.line(overlay, std::iter::once(self.origin).chain([now]), Ink::Selected, 2.0);
        overlay.marks.extend(self.view.project(&now).map(|at| Mark::Dot { at, radius: 3.0, ink: Ink::Selected }));
    }

    /// An arc about the bone as it points now, with a mark at the present twist.
    fn twist(&self, overlay: &mut Overlay) {
        let swing = self.frame * Quat::from_scaled_axis(Vec3::new(self.now.x, 0.0, self.now.z));
        let middle = self.origin + swing * Vec3::y() * (0.55 * self.radius);
        let at = |angle: f64| middle + swing * (from_axis_angle(&Vec3::y(), angle) * Vec3::z()) * (0.3 * self.radius);
        let [low, high] = self.limit.twist;
        let arc = (0..=PARTS).map(|i| at(low + (high - low) * f64::from(i) / f64::from(PARTS)));
        self.line(overlay, arc, Ink::AxisY, 1.5);
        self.line(overlay, [middle, at(self.now.twist)].into_iter(), Ink::AxisY, 2.0);
    }

    /// The three angles, beside the joint; right of the joints at `places` that they would cover.
    fn text(&self, overlay: &mut Overlay, places: &[[f64; 2]]) {
        let Some([x, y]) = self.view.project(&self.place(self.now.x, self.now.z)) else { return };
        let as_high = places.iter().filter(|at| (at[1] - (y - ABOVE_PT)).abs() < AS_HIGH_PT);
        let x = as_high.fold(x, |right, at| right.max(at[0]));
        // Adding 0 to what is rounded leaves no -0.
        let degrees = |angle: f64| format!("{:.0}°", angle.to_degrees().round() + 0.0);
        let Measure { x: about_x, twist, z } = self.now;
        // Neither the rotation that fields show nor a way: the angles that the limits are of.
        let text = format!("{}  {}  {}", degrees(about_x), degrees(z), degrees(twist));
        // Above it: names and readouts stand below.
        overlay.text([x + 14.0, y - ABOVE_PT], text, Some("viewport.swing_and_twist"));
    }

    /// A limit that is passed is drawn as what cannot be.
    fn ink(&self) -> Ink {
        if self.limit.contains(&self.limit.rotation(&self.now)) { Ink::AxisX } else { Ink::Warning }
    }
}
