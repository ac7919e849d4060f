//! The curves of one plot, drawn together: as meshes, or as a picture where they are too many for that.

use super::{
    plot_canvas_line::{LineStyle, add_curve},
    plot_canvas_picture::PlotPicture,
};
use crate::interact::plot_view::{PlotView, ValueMap};
use egui::{Color32, Context, Mesh, Painter, Rect, Shape, TextureHandle, TextureOptions, pos2};
use std::sync::Arc;

/// With more corners than this in all lines, those that do not stand out are drawn as a picture.
const MOST_CORNERS: usize = 50_000;

/// A curve to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct CurveLine<'a> {
    /// Its corners, seconds and own values.
    pub line: &'a [[f64; 2]],
    /// From its own values to those of the plot.
    pub map: ValueMap,
    /// How it is drawn.
    pub style: LineStyle,
    /// Whether it lies over the others, as the active one does.
    pub stands_out: bool,
}

/// Curves as they were drawn: painted again as they are until something changes.
#[derive(Clone, Default)]
pub struct CurveLayer {
    mesh: Arc<Mesh>,
    /// Where the picture lies, points of the window; none while all lines are meshes.
    picture: Option<Rect>,
    /// Kept for the next picture.
    texture: Option<TextureHandle>,
}

impl std::fmt::Debug for CurveLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let vertices = self.mesh.vertices.len();
        f.debug_struct("CurveLayer")
            .field("vertices", &vertices)
            .field("picture", &self.picture)
            .finish_non_exhaustive()
    }
}

impl CurveLayer {
    /// Draws curves anew, the later ones over the earlier.
    pub fn draw(&mut self, ctx: &Context, view: &PlotView, curves: &[CurveLine<'_>]) {
        let corners: usize = curves.iter().map(|curve| curve.line.len()).sum();
        let pixel = 1.0 / ctx.pixels_per_point();
        let most_side = ctx.input(|input| input.max_texture_side);
        let mut picture = (corners > MOST_CORNERS).then(|| PlotPicture::new(view, pixel, most_side)).flatten();
        let mut mesh = Mesh::default();
        for curve in curves {
            match &mut picture {
                Some(picture) if !curve.stands_out => picture.add_curve(curve.line, curve.map, view, &curve.style),
                _ => add_curve(&mut mesh, curve.line, curve.map, view, &curve.style),
            }
        }
        self.mesh = Arc::new(mesh);
        self.picture = picture.as_ref().map(PlotPicture::rect);
        match (picture.map(|picture| picture.image()), &mut self.texture) {
            (Some(image), Some(texture)) => texture.set(image, TextureOptions::NEAREST),
            (Some(image), none) => *none = Some(ctx.load_texture("curves", image, TextureOptions::NEAREST)),
            (None, kept) => *kept = None,
        }
    }

    /// Paints them.
    pub fn paint(&self, painter: &Painter) {
        if let (Some(rect), Some(texture)) = (self.picture, &self.texture) {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
        painter.add(Shape::Mesh(Arc::clone(&self.mesh)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::plot_view::{PlotRange, PlotRect};

    fn drawn(curves: usize, stands_out: impl Fn(usize) -> bool) -> CurveLayer {
        let view = PlotView::new(PlotRange::new((0.0, 10.0), (-2.0, 2.0)), PlotRect::new(0.0, 0.0, 300.0, 100.0));
        let line: Vec<[f64; 2]> = (0..1_000).map(|i| f64::from(i) * 0.01).map(|x| [x, (50.0 * x).sin()]).collect();
        let colour = Color32::WHITE;
        let style = LineStyle { colour, beyond: colour, keys: (0.0, 10.0), width: 1.5, feather: 1.0 };
        let line = |index| CurveLine { line: &line, map: ValueMap::IDENTITY, style, stands_out: stands_out(index) };
        let curves: Vec<CurveLine<'_>> = (0..curves).map(line).collect();
        let mut layer = CurveLayer::default();
        layer.draw(&Context::default(), &view, &curves);
        layer
    }

    #[test]
    fn few_curves_are_meshes_and_very_many_a_picture_under_those_that_stand_out() {
        let few = drawn(40, |_| false);
        assert!(few.picture.is_none() && few.texture.is_none() && !few.mesh.is_empty());
        let many = drawn(60, |_| false);
        assert!(many.picture.is_some() && many.texture.is_some() && many.mesh.is_empty());
        let (one, all) = (drawn(60, |index| index == 7), drawn(40, |_| true));
        assert!(one.picture.is_some() && one.mesh.vertices.len() * 40 == all.mesh.vertices.len());
    }
}
