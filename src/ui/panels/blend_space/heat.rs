//! The heat map of weights as a picture, and lines of equal weight, kept while nothing that they hang on changes.

use super::sample_colour;
use crate::{
    eval::blend::space::{HeatMap, heat_map},
    interact::{
        blend_space::{Heat, Known},
        plot_view::PlotRange,
    },
    math::{
        contours::{Field, Piece},
        lanes::{LANES, Lanes},
    },
    model::BlendSpace,
    style,
    ui::theme::colour,
};
use egui::{Color32, ColorImage, Painter, Rect, TextureHandle, TextureOptions, Ui, pos2};

/// Pixels to a side: fine enough under lines, and quick where nothing is optimised.
const SIDE: usize = 160;
/// Pixels to a side while the samples are being dragged.
const SIDE_DRAGGED: usize = 72;
/// The weights at which lines are drawn.
pub(super) const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Cells of the lines to a side.
const CELLS: usize = 64;

/// What a picture was made of.
#[derive(Clone, Debug, PartialEq)]
struct Of {
    space: BlendSpace,
    range: PlotRange,
    heat: Heat,
    sample: Option<usize>,
    lines: bool,
    side: usize,
    ground: Color32,
}

/// A picture, and what it was made of.
#[derive(Default)]
pub(super) struct HeatCache {
    of: Option<Of>,
    texture: Option<TextureHandle>,
    /// The lines of each sample that has some, by its place in the list.
    lines: Vec<(usize, Vec<Vec<Piece>>)>,
}

impl HeatCache {
    /// Works out what is seen anew where it has changed.
    pub(super) fn learn(
        &mut self,
        ui: &Ui,
        known: &Known,
        (range, heat, sample, lines): (PlotRange, Heat, Option<usize>, bool),
        (dragged, ground): (bool, Color32),
    ) {
        let side = if dragged { SIDE_DRAGGED } else { SIDE };
        let sample = sample.filter(|_| heat == Heat::Chosen);
        let of = Of { space: known.key.clone(), range, heat, sample, lines, side, ground };
        if self.of.as_ref() == Some(&of) {
            return;
        }
        let nothing = known.key.samples.is_empty() || known.key.scheme.axes() < 2;
        if nothing || heat == Heat::Off {
            self.texture = None;
        } else {
            let image = picture(known, &of);
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => self.texture = Some(ui.ctx().load_texture("blend heat", image, TextureOptions::LINEAR)),
            }
        }
        self.lines = if lines && !nothing { lines_of(known, range, sample) } else { Vec::new() };
        self.of = Some(of);
    }

    pub(super) fn paint(&self, painter: &Painter, rect: Rect) {
        if let Some(texture) = &self.texture {
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), rect, uv, Color32::WHITE);
        }
    }

    /// The lines of equal weight, each with its sample.
    pub(super) fn lines(&self) -> &[(usize, Vec<Vec<Piece>>)] {
        &self.lines
    }
}

/// The colours of weights at eight points: those of the samples, mixed over the ground.
fn mixed(weights: &[Lanes<f64>], colours: &[Color32], ground: Color32) -> [[u8; 4]; LANES] {
    let nothing = Lanes::splat(0.0_f64);
    let (mut sum, mut whole) = ([nothing; 3], nothing);
    for (weight, colour) in weights.iter().zip(colours) {
        whole = whole + *weight;
        for (sum, part) in sum.iter_mut().zip([colour.r(), colour.g(), colour.b()]) {
            *sum = *sum + *weight * Lanes::splat(f64::from(part));
        }
    }
    // Muted, so that samples and lines stand out from it.
    let strength = whole.map(|whole| 0.62 * whole.clamp(0.0, 1.0));
    let part = |lane: usize, sum: &Lanes<f64>, ground: u8| {
        let (whole, strength) = (whole.0[lane], strength.0[lane]);
        let colour = if whole > 0.0 { sum.0[lane] / whole } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0..=255")]
        let byte = (colour * strength + f64::from(ground) * (1.0 - strength)).round().clamp(0.0, 255.0) as u8;
        byte
    };
    let [r, g, b] = &sum;
    std::array::from_fn(|lane| {
        [part(lane, r, ground.r()), part(lane, g, ground.g()), part(lane, b, ground.b()), u8::MAX]
    })
}

fn picture(known: &Known, of: &Of) -> ColorImage {
    let space = &known.key;
    // Straight along both axes: the map may be asked in the scale of distances.
    let corner = |x: f64, y: f64| space.measured([x, y]);
    let (low, high) =
        (corner(of.range.secs.low(), of.range.values.low()), corner(of.range.secs.high(), of.range.values.high()));
    let map = HeatMap { width: of.side, height: of.side, low, high };
    let colours: Vec<Color32> = (0..space.samples.len()).map(sample_colour).collect();
    let (heat, sample, ground) = (of.heat, of.sample, of.ground);
    let of_chosen = |weights: &[Lanes<f64>], sample: usize| {
        let weight = weights.get(sample).copied().unwrap_or(Lanes::splat(0.0));
        weight.0.map(|weight| colour(style::heat(weight)).to_array())
    };
    let pixels: Vec<[u8; 4]> = heat_map(known.prepared(), &map, |weights| match (heat, sample) {
        (Heat::Chosen, Some(sample)) => of_chosen(weights, sample),
        _ => mixed(weights, &colours, ground),
    });
    ColorImage::from_rgba_premultiplied([of.side, of.side], pixels.as_flattened())
}

fn lines_of(known: &Known, range: PlotRange, sample: Option<usize>) -> Vec<(usize, Vec<Vec<Piece>>)> {
    let side = CELLS + 1;
    let low = [range.secs.low(), range.values.low()];
    let high = [range.secs.high(), range.values.high()];
    let grid = Field { columns: side, rows: side, low, high, values: &[] };
    let all: Vec<Vec<f64>> =
        (0..side * side).map(|index| known.weights(grid.place(index % side, index / side)).0).collect();
    let samples: Vec<usize> = sample.map_or_else(|| (0..known.key.samples.len()).collect(), |sample| vec![sample]);
    // Of all samples few lines each: many would hide each other.
    let levels: &[f64] = if sample.is_some() { &LEVELS } else { &[0.25, 0.5, 0.75] };
    let lines = |sample: usize| {
        let values: Vec<f64> = all.iter().map(|weights| weights.get(sample).copied().unwrap_or(0.0)).collect();
        Field { values: &values, ..grid }.contours(levels, |at| known.weight(sample, at))
    };
    samples.into_iter().map(|sample| (sample, lines(sample))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_mixed_by_weight_over_the_ground() {
        let ground = Color32::from_rgb(20, 20, 20);
        let colours = [Color32::from_rgb(255, 0, 0), Color32::from_rgb(0, 255, 0)];
        let at = |points: [[f64; 2]; 3]| {
            let weights = [0, 1].map(|sample| Lanes(std::array::from_fn(|lane| points[lane.min(2)][sample])));
            mixed(&weights, &colours, ground)
        };
        let [nothing, red, both, ..] = at([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5]]);
        assert_eq!(nothing, ground.to_array());
        assert!(red[0] > 150 && red[1] < 20);
        assert!(both[0] == both[1] && both[0] > both[2]);
        assert_eq!(mixed(&[], &[], ground), [ground.to_array(); LANES]);
    }
}
