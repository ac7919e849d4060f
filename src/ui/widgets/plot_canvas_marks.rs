//! Marks on a plot: small convex shapes with soft edges, many in one mesh.

use crate::model::{Handle, Interpolation, Key};
use egui::{
    Color32, Mesh, Pos2, Vec2,
    epaint::{Vertex, WHITE_UV},
    vec2,
};

/// The shape of a mark. Keys say by it how the curve runs after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkShape {
    /// Smooth, shaped by hand or by the neighbours' chords.
    Round,
    /// Smooth by derived handles.
    Diamond,
    /// Straight.
    Square,
    /// Held: a flag that points on.
    Flag,
    /// An ease: a wedge that points up.
    Wedge,
}

impl MarkShape {
    /// The shape of a key.
    #[must_use]
    pub fn of(key: &Key) -> Self {
        match (key.interpolation, key.handle_out) {
            (kind, _) if kind.is_ease() => Self::Wedge,
            (Interpolation::Step | Interpolation::Nearest, _) => Self::Flag,
            (Interpolation::Linear, _) => Self::Square,
            (Interpolation::Bezier, Handle::Auto | Handle::AutoClamped) => Self::Diamond,
            _ => Self::Round,
        }
    }

    /// The corners on the unit circle or within it, in order.
    fn corners(self) -> &'static [Vec2] {
        const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
        const ROUND: [Vec2; 8] = [
            vec2(1.0, 0.0),
            vec2(D, D),
            vec2(0.0, 1.0),
            vec2(-D, D),
            vec2(-1.0, 0.0),
            vec2(-D, -D),
            vec2(0.0, -1.0),
            vec2(D, -D),
        ];
        const DIAMOND: [Vec2; 4] = [vec2(1.15, 0.0), vec2(0.0, 1.15), vec2(-1.15, 0.0), vec2(0.0, -1.15)];
        const SQUARE: [Vec2; 4] = [vec2(0.85, 0.85), vec2(-0.85, 0.85), vec2(-0.85, -0.85), vec2(0.85, -0.85)];
        const FLAG: [Vec2; 3] = [vec2(1.4, 0.0), vec2(-0.8, 1.1), vec2(-0.8, -1.1)];
        const WEDGE: [Vec2; 3] = [vec2(1.15, 0.85), vec2(-1.15, 0.85), vec2(0.0, -1.3)];
        match self {
            Self::Round => &ROUND,
            Self::Diamond => &DIAMOND,
            Self::Square => &SQUARE,
            Self::Flag => &FLAG,
            Self::Wedge => &WEDGE,
        }
    }
}

/// Adds a filled shape to a mesh. `feather` is a pixel's width in points.
pub fn add_mark(mesh: &mut Mesh, at: Pos2, shape: MarkShape, radius: f32, colour: Color32, feather: f32) {
    let corners = shape.corners();
    let first = u32::try_from(mesh.vertices.len()).unwrap_or(0);
    let count = u32::try_from(corners.len()).unwrap_or(0);
    let (inner, outer) = ((radius - feather * 0.5).max(0.0), radius + feather * 0.5);
    let vertex = |pos: Pos2, color: Color32| Vertex { pos, uv: WHITE_UV, color };
    for corner in corners {
        mesh.vertices.push(vertex(at + *corner * inner, colour));
        mesh.vertices.push(vertex(at + *corner * outer, Color32::TRANSPARENT));
    }
    for corner in 1..count.saturating_sub(1) {
        mesh.indices.extend([first, first + 2 * corner, first + 2 * corner + 2]);
    }
    for corner in 0..count {
        let (a, b) = (first + 2 * corner, first + 2 * ((corner + 1) % count));
        mesh.indices.extend([a, a + 1, b, a + 1, b, b + 1]);
    }
}

/// Adds a shape with another colour inside: hollow where that is the ground's.
pub fn add_ringed(
    mesh: &mut Mesh,
    at: Pos2,
    shape: MarkShape,
    radius: f32,
    ring: Color32,
    fill: Color32,
    feather: f32,
) {
    add_mark(mesh, at, shape, radius, ring, feather);
    add_mark(mesh, at, shape, radius - 1.4, fill, feather);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_tell_the_interpolation() {
        let shape = |interpolation, handle_out| MarkShape::of(&Key { interpolation, handle_out, ..Key::new(0.0, 0.0) });
        assert_eq!(shape(Interpolation::Step, Handle::Auto), MarkShape::Flag);
        assert_eq!(shape(Interpolation::Linear, Handle::Auto), MarkShape::Square);
        assert_eq!(shape(Interpolation::Bezier, Handle::AutoClamped), MarkShape::Diamond);
        assert_eq!(shape(Interpolation::Bezier, Handle::Free(1.0, 0.0)), MarkShape::Round);
        assert_eq!(shape(Interpolation::Tcb, Handle::Auto), MarkShape::Round);
    }

    #[test]
    fn marks_are_valid_meshes() {
        let mut mesh = Mesh::default();
        for shape in [MarkShape::Round, MarkShape::Diamond, MarkShape::Square, MarkShape::Flag] {
            add_ringed(&mut mesh, Pos2::ZERO, shape, 4.0, Color32::WHITE, Color32::BLACK, 1.0);
        }
        assert!(mesh.is_valid());
        assert_eq!(mesh.vertices.len(), 2 * 2 * (8 + 4 + 4 + 3));
    }
}
