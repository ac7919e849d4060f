//! Very many curves as one picture: a corner costs a mesh several triangles, and hundreds of captured channels have more
//! corners than the plot has pixels.

use super::plot_canvas_line::LineStyle;
use crate::interact::plot_view::{PlotView, ValueMap};
use egui::{Color32, ColorImage, Rect, pos2, vec2};

/// What part of a pixel may lie beyond a line's end without being drawn.
const LEAST_COVER: f32 = 1.0 / 255.0;

/// Pixels of a plot, column by column: a line covers a run of each column it passes.
#[derive(Clone, Debug)]
pub struct PlotPicture {
    /// Where it lies, points: whole pixels that cover the plot.
    rect: Rect,
    /// A pixel's width, points.
    pixel: f32,
    size: [usize; 2],
    /// The colours, premultiplied; one column after the other.
    pixels: Vec<Color32>,
    /// What the line that is added covers of each column, pixels from the top.
    spans: Vec<Option<[f32; 2]>>,
}

impl PlotPicture {
    /// An empty picture of a plot whose pixels are so wide (points); none where it would have no pixels, or more to a side
    /// than `most_side`.
    #[must_use]
    pub fn new(view: &PlotView, pixel: f32, most_side: usize) -> Option<Self> {
        let area = view.rect;
        let whole = |at: f64| (at / f64::from(pixel)).round() as f32;
        let (left, top) = (whole(area.left), whole(area.top));
        let (width, height) = (whole(area.right()) - left, whole(area.bottom()) - top);
        let size = [width as usize, height as usize];
        let fits = size.iter().all(|side| (1..=most_side).contains(side));
        let rect = Rect::from_min_size(pos2(left, top) * pixel, vec2(width, height) * pixel);
        let fresh = |size: [usize; 2]| Self {
            rect,
            pixel,
            size,
            pixels: vec![Color32::TRANSPARENT; size[0] * size[1]],
            spans: vec![None; size[0]],
        };
        fits.then(|| fresh(size))
    }

    /// Where it lies, points of the window.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Adds a curve's line (seconds and own values), over those added before.
    pub fn add_curve(&mut self, line: &[[f64; 2]], map: ValueMap, view: &PlotView, style: &LineStyle) {
        // As `view.x` and `view.y`, in pixels of the picture and with the divisions done once.
        let pixel = f64::from(self.pixel);
        let (start, high) = (view.range.secs.low(), view.range.values.high());
        let (per_sec, per_unit) = (1.0 / (view.secs_per_point() * pixel), 1.0 / (view.value_per_point() * pixel));
        let left = (view.rect.left - f64::from(self.rect.left())) / pixel;
        let top = (view.rect.top - f64::from(self.rect.top())) / pixel;
        let x = |secs: f64| (secs - start).mul_add(per_sec, left);
        self.spans.fill(None);
        let mut last: Option<[f64; 2]> = None;
        for [secs, own] in line {
            let at = [x(*secs), (high - map.shown(*own)).mul_add(per_unit, top)];
            let finite = at[0].is_finite() && at[1].is_finite();
            if let (Some(from), true) = (last, finite) {
                self.pass(from, at);
            }
            last = finite.then_some(at);
        }
        let half = style.width * 0.5 / self.pixel;
        let (first, last) = (x(style.keys.0), x(style.keys.1));
        for column in 0..self.size[0] {
            let Some([low, high]) = self.spans[column] else { continue };
            let middle = column as f64 + 0.5;
            let colour = if middle < first || middle > last { style.beyond } else { style.colour };
            self.bar(column, [low - half, high + half], colour);
        }
    }

    /// Widens the spans of the columns that a segment passes by what it covers of each.
    fn pass(&mut self, a: [f64; 2], b: [f64; 2]) {
        let (a, b) = if a[0] <= b[0] { (a, b) } else { (b, a) };
        let (width, height) = (self.size[0] as f64, self.size[1] as f64);
        if b[0] < 0.0 || a[0] >= width {
            return;
        }
        // Far beyond the plot it does not matter where; single precision must hold it.
        let kept = |y: f64| y.clamp(-height, 2.0 * height) as f32;
        let mut widen = |column: usize, from: f64, to: f64| {
            let (from, to) = (kept(from), kept(to));
            let span = self.spans[column].get_or_insert([from, from]);
            *span = [span[0].min(from).min(to), span[1].max(from).max(to)];
        };
        let (first, last) = (a[0].max(0.0) as usize, b[0].min(width - 1.0) as usize);
        if first == last && a[0] >= 0.0 && b[0] <= width {
            // Most segments, where there are more corners than pixels.
            return widen(first, a[1], b[1]);
        }
        let slope = (b[1] - a[1]) / (b[0] - a[0]);
        let at = |x: f64| if x >= b[0] { b[1] } else { (x - a[0]).mul_add(slope, a[1]) };
        let mut y = if a[0] < 0.0 { at(0.0) } else { a[1] };
        for column in first..=last {
            let next = at(column as f64 + 1.0);
            widen(column, y, next);
            y = next;
        }
    }

    /// Paints a run of a column, its ends as strong as they cover their pixels.
    fn bar(&mut self, column: usize, [low, high]: [f32; 2], colour: Color32) {
        let height = self.size[1];
        let (low, high) = (low.max(0.0), high.min(height as f32));
        if low >= high {
            return;
        }
        let pixels = &mut self.pixels[column * height..][..height];
        let (first, end) = (low.ceil() as usize, high.floor() as usize);
        let mut soft = |row: usize, cover: f32| {
            if cover > LEAST_COVER
                && let Some(pixel) = pixels.get_mut(row)
            {
                *pixel = over(*pixel, colour, cover);
            }
        };
        if first > end {
            // Within one pixel.
            soft(end, high - low);
            return;
        }
        soft(first.wrapping_sub(1), first as f32 - low);
        soft(end, high - end as f32);
        let whole = &mut pixels[first..end];
        if colour.is_opaque() {
            whole.fill(colour);
        } else {
            whole.iter_mut().for_each(|pixel| *pixel = over(*pixel, colour, 1.0));
        }
    }

    /// The picture, row by row.
    #[must_use]
    pub fn image(&self) -> ColorImage {
        let [width, height] = self.size;
        let mut rows = Vec::with_capacity(width * height);
        for row in 0..height {
            rows.extend(self.pixels.iter().skip(row).step_by(height));
        }
        ColorImage::new(self.size, rows)
    }
}

/// A colour over another, both premultiplied, where it covers so much of a pixel (0 to 1).
fn over(under: Color32, colour: Color32, cover: f32) -> Color32 {
    const ALL: u32 = 256 * 255;
    let cover = (cover * 256.0) as u32;
    let keep = ALL - u32::from(colour.a()) * cover;
    let mix = |over: u8, under: u8| ((u32::from(over) * cover * 255 + u32::from(under) * keep + ALL / 2) / ALL) as u8;
    let ([r, g, b, a], [ur, ug, ub, ua]) = (colour.to_array(), under.to_array());
    Color32::from_rgba_premultiplied(mix(r, ur), mix(g, ug), mix(b, ub), mix(a, ua))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::plot_view::{PlotRange, PlotRect};

    fn view() -> PlotView {
        PlotView::new(PlotRange::new((0.0, 10.0), (0.0, 10.0)), PlotRect::new(20.0, 30.0, 100.0, 50.0))
    }

    fn style() -> LineStyle {
        let colour = Color32::WHITE;
        LineStyle { colour, beyond: Color32::from_gray(90), keys: (2.0, 8.0), width: 2.0, feather: 1.0 }
    }

    fn picture(line: &[[f64; 2]]) -> ColorImage {
        let mut picture = PlotPicture::new(&view(), 1.0, 1_000).unwrap();
        picture.add_curve(line, ValueMap::IDENTITY, &view(), &style());
        assert_eq!(picture.rect(), Rect::from_min_size(pos2(20.0, 30.0), vec2(100.0, 50.0)));
        picture.image()
    }

    #[test]
    fn a_level_line_is_as_wide_as_it_says_and_paler_beyond_its_keys() {
        let image = picture(&[[0.0, 5.0], [10.0, 5.0]]);
        let strength = |x: usize| -> f32 { (0..50).map(|y| f32::from(image[(x, y)].r()) / 255.0).sum() };
        assert!((strength(50) - 2.0).abs() < 0.02, "{}", strength(50));
        assert!((strength(5) - 2.0 * 90.0 / 255.0).abs() < 0.02 && (strength(95) - strength(5)).abs() < 1e-6);
        // The value 5 is in the middle of 50 rows.
        assert_eq!((image[(50, 24)], image[(50, 25)]), (Color32::WHITE, Color32::WHITE));
    }

    #[test]
    fn lines_between_pixels_are_shared_by_both() {
        let image = picture(&[[0.0, 5.1], [10.0, 5.1]]);
        let column: Vec<u8> = (22..28).map(|y| image[(50, y)].r()).collect();
        assert_eq!((column[0], column[2], column[4]), (0, 255, 0));
        assert!((i32::from(column[1]) - 128).abs() < 3 && (i32::from(column[3]) - 128).abs() < 3, "{column:?}");
    }

    #[test]
    fn all_of_a_spike_is_seen_and_nothing_outside_harms() {
        let spike = picture(&[[5.0, 5.0], [5.01, 1e300], [5.02, -1e300], [5.03, 5.0]]);
        assert!((0..50).all(|y| spike[(50, y)] == Color32::WHITE));
        let none = Color32::TRANSPARENT;
        assert!(picture(&[[-9.0, 5.0], [-1.0, 5.0]]).pixels.iter().all(|pixel| *pixel == none));
        assert!(picture(&[[0.0, 50.0], [10.0, 60.0]]).pixels.iter().all(|pixel| *pixel == none));
        assert!(
            picture(&[[0.0, f64::NAN], [10.0, 5.0], [4.0, f64::INFINITY]]).pixels.iter().all(|pixel| *pixel == none)
        );
        assert!(PlotPicture::new(&view(), 1.0, 64).is_none());
    }

    #[test]
    fn steep_lines_have_no_gaps() {
        let image = picture(&[[4.0, 0.0], [6.0, 10.0]]);
        for y in 1..49 {
            assert!((40..60).any(|x| image[(x, y)].r() > 120), "row {y}");
        }
    }

    #[test]
    fn later_lines_lie_over_earlier_ones() {
        let mut picture = PlotPicture::new(&view(), 1.0, 1_000).unwrap();
        for colour in [Color32::RED, Color32::GREEN] {
            let style = LineStyle { colour, ..style() };
            picture.add_curve(&[[0.0, 5.0], [10.0, 5.0]], ValueMap::IDENTITY, &view(), &style);
        }
        assert_eq!(picture.image()[(50, 25)], Color32::GREEN);
    }
}
