//! Drawing plots, for SVG and PNG alike.

use super::{Panel, Plot, PlotError, Series, Sheet, Style};
use plotters::{
    coord::{Shift, ranged1d::Ranged},
    prelude::*,
    style::{FontStyle, register_font},
};
use std::sync::Once;

/// Drawing units of SVG in a millimetre: positions are whole numbers.
const SVG_UNITS: f64 = 20.0;
/// Height of letters, millimetres.
const LETTERS_MM: f64 = 3.2;
/// Width of lines, millimetres.
const LINE_MM: f64 = 0.35;
/// Radius of key marks, millimetres.
const MARK_MM: f64 = 0.9;
/// The name the letters are registered under.
const FONT: &str = "sans-serif";
/// Marks a line of print has at most, to be told apart by.
const MARKS: usize = 12;
/// Height of a row of the legend, millimetres.
const LEGEND_MM: f64 = 5.5;
/// Height of a panel's name above it, millimetres.
const HEAD_MM: f64 = 4.5;
/// With fewer numbers than this an axis may be left with one, which tells no scale.
const LEAST_TICKS: f64 = 4.0;
/// Length of a line in the legend, millimetres.
const SAMPLE_MM: f64 = 8.0;
/// Mean width of a letter as a part of its height: what the legend is laid out by.
const LETTER_WIDTH: f64 = 0.55;
/// Height of a panel for each number on its axis, millimetres.
const TICK_MM: f64 = 9.0;
/// PNG is drawn this much larger and made smaller again, for smooth edges.
const SMOOTH: u32 = 3;
/// Pixels a PNG may have.
const PIXELS: u64 = 64 << 20;

/// The colours of Okabe and Ito (2008), which the colour-blind tell apart too; the order puts strong ones first.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];

/// The colour of a line.
const fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// What a style looks like.
struct Look {
    ground: RGBColor,
    text: RGBColor,
    grid: RGBColor,
    axis: RGBColor,
    /// Drawing units in a millimetre.
    unit: f64,
    print: bool,
}

impl Look {
    const fn new(style: Style, unit: f64) -> Self {
        match style {
            Style::Print => Self {
                ground: WHITE,
                text: BLACK,
                grid: RGBColor(225, 225, 225),
                axis: RGBColor(90, 90, 90),
                unit,
                print: true,
            },
            Style::Screen => Self {
                ground: RGBColor(30, 31, 34),
                text: RGBColor(222, 222, 222),
                grid: RGBColor(58, 60, 66),
                axis: RGBColor(140, 142, 148),
                unit,
                print: false,
            },
        }
    }

    /// Drawing units of a length.
    fn units(&self, mm: f64) -> f64 {
        mm * self.unit
    }

    fn whole(&self, mm: f64) -> i32 {
        self.units(mm).round().max(1.0) as i32
    }

    fn stroke(&self, index: usize) -> ShapeStyle {
        colour(index).stroke_width(self.whole(LINE_MM).unsigned_abs())
    }

    /// Length of dashes and of gaps: print tells lines apart without colour too. None for a whole line.
    fn dashes(&self, index: usize) -> Option<(i32, i32)> {
        const KINDS: [(f64, f64); 3] = [(3.0, 1.5), (1.0, 1.0), (5.0, 1.0)];
        let kind = (index % (KINDS.len() + 1)).checked_sub(1).filter(|_| self.print)?;
        let (dash, gap) = KINDS[kind];
        Some((self.whole(dash), self.whole(gap)))
    }

    fn letters(&self) -> TextStyle<'static> {
        (FONT, self.units(LETTERS_MM)).into_font().color(&self.text)
    }
}

/// The plot as SVG, its size in millimetres.
///
/// # Errors
/// [`PlotError::Drawing`].
pub fn svg(plot: &Plot, sheet: &Sheet) -> Result<String, PlotError> {
    let size = units(sheet, SVG_UNITS);
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, size).into_drawing_area(), plot, &Look::new(sheet.style, SVG_UNITS))?;
    // The library counts in pixels; a page counts in millimetres.
    let [width, height] = sheet.size_mm;
    let pixels = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    Ok(text.replacen(&pixels, &format!("width=\"{width}mm\" height=\"{height}mm\""), 1))
}

/// The plot as PNG, of the sheet's resolution.
///
/// # Errors
/// [`PlotError::Drawing`].
pub fn png(plot: &Plot, sheet: &Sheet) -> Result<Vec<u8>, PlotError> {
    let ([width, height], pixels) = pixels(plot, sheet)?;
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let (width, height) = (side(width), side(height));
    let failed = |error: png::EncodingError| PlotError::Drawing(error.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let a_metre = (sheet.dpi / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: a_metre, yppu: a_metre, unit: png::Unit::Meter }));
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels)).map_err(failed)?;
    Ok(bytes)
}

/// The plot as pixels of the sheet's resolution: width and height, then red, green and blue of each, row by row.
///
/// # Errors
/// [`PlotError::Drawing`].
pub fn pixels(plot: &Plot, sheet: &Sheet) -> Result<([usize; 2], Vec<u8>), PlotError> {
    let unit = sheet.dpi / 25.4;
    let (width, height) = units(sheet, unit);
    if u64::from(width) * u64::from(height) > PIXELS {
        return Err(PlotError::TooLarge { width, height, most: PIXELS });
    }
    let large = (width * SMOOTH, height * SMOOTH);
    let mut pixels = vec![0; large.0 as usize * large.1 as usize * 3];
    let area = BitMapBackend::with_buffer(&mut pixels, large).into_drawing_area();
    draw(area, plot, &Look::new(sheet.style, unit * f64::from(SMOOTH)))?;
    Ok(([width as usize, height as usize], smaller(&pixels, width as usize)))
}

/// Each square of [`SMOOTH`] pixels a side as their mean. `width`: pixels of a row afterwards.
fn smaller(pixels: &[u8], width: usize) -> Vec<u8> {
    let smooth = SMOOTH as usize;
    let row = width * smooth * 3;
    let mut out = Vec::with_capacity(pixels.len() / (smooth * smooth));
    for rows in pixels.chunks_exact(row * smooth) {
        for column in 0..width {
            for channel in 0..3 {
                let square = (0..smooth * smooth).map(|at| (at / smooth) * row + (column * smooth + at % smooth) * 3);
                let sum: u32 = square.map(|at| u32::from(rows[at + channel])).sum();
                out.push(u8::try_from(sum / (SMOOTH * SMOOTH)).unwrap_or(u8::MAX));
            }
        }
    }
    out
}

fn units(sheet: &Sheet, unit: f64) -> (u32, u32) {
    let side = |mm: f64| {
        let mm = if mm.is_nan() { *Sheet::SIDES.start() } else { mm.clamp(*Sheet::SIDES.start(), *Sheet::SIDES.end()) };
        (mm * unit).round().max(1.0) as u32
    };
    (side(sheet.size_mm[0]), side(sheet.size_mm[1]))
}

fn draw<B: DrawingBackend>(area: DrawingArea<B, Shift>, plot: &Plot, look: &Look) -> Result<(), PlotError> {
    static LETTERS: Once = Once::new();
    LETTERS.call_once(|| {
        if register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_err() {
            log::error!("plots have no letters: the built-in font is refused");
        }
    });
    let failed = |error: DrawingAreaErrorKind<B::ErrorType>| PlotError::Drawing(error.to_string());
    area.fill(&look.ground).map_err(failed)?;
    let area = if plot.title.is_empty() {
        area
    } else {
        // Else its letters are cut at the edge.
        let area = area.margin(look.whole(1.5), 0, 0, 0);
        area.titled(&plot.title, (FONT, look.units(LETTERS_MM * 1.25)).into_font().color(&look.text)).map_err(failed)?
    };
    let names = plot.names();
    let rows = legend_rows(&names, f64::from(area.dim_in_pixel().0) / look.unit);
    let (legend, area) = area.split_vertically(look.whole(LEGEND_MM * rows.len() as f64));
    draw_legend(&legend, &names, &rows, look).map_err(failed)?;
    let areas = area.split_evenly((plot.panels.len().max(1), 1));
    for (index, (area, panel)) in areas.iter().zip(&plot.panels).enumerate() {
        let last = index + 1 == plot.panels.len();
        draw_panel(area, plot, panel, (&names, last), look).map_err(failed)?;
    }
    area.present().map_err(failed)
}

/// The names in rows no wider than the sheet: which, and where each begins, millimetres.
fn legend_rows(names: &[&str], width_mm: f64) -> Vec<Vec<(usize, f64)>> {
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
    let mut at = SAMPLE_MM / 2.0;
    for (index, name) in names.iter().enumerate() {
        let width = SAMPLE_MM + (name.chars().count() as f64 + 4.0) * LETTERS_MM * LETTER_WIDTH;
        if at + width > width_mm && rows.last().is_some_and(|row| !row.is_empty()) {
            rows.push(Vec::new());
            at = SAMPLE_MM / 2.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((index, at));
        }
        at += width;
    }
    rows
}

fn draw_legend<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    names: &[&str],
    rows: &[Vec<(usize, f64)>],
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    for (row, entries) in rows.iter().enumerate() {
        let middle = look.whole(LEGEND_MM * (row as f64 + 0.5));
        for (index, at) in entries {
            let (from, to) = (look.whole(*at), look.whole(at + SAMPLE_MM));
            let stroke = look.stroke(*index);
            match look.dashes(*index) {
                None => area.draw(&PathElement::new(vec![(from, middle), (to, middle)], stroke))?,
                Some((dash, gap)) => {
                    let mut start = from;
                    while start < to {
                        area.draw(&PathElement::new(vec![(start, middle), ((start + dash).min(to), middle)], stroke))?;
                        start += dash + gap;
                    }
                }
            }
            let top = middle - look.whole(LETTERS_MM * 0.55);
            area.draw(&Text::new(names[*index], (look.whole(at + SAMPLE_MM + 1.5), top), look.letters()))?;
        }
    }
    Ok(())
}

fn draw_panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    plot: &Plot,
    panel: &Panel,
    (names, last): (&[&str], bool),
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let (low, high) = value_range(panel);
    let (from, to) = if plot.times.1 > plot.times.0 { plot.times } else { (plot.times.0 - 1.0, plot.times.0 + 1.0) };
    // The name of the values runs along the panel where it has room there, else it stands above it: letters stay as large.
    let along = panel.label.chars().count() as f64 * LETTER_WIDTH * look.units(LETTERS_MM)
        + look.units(if last { 9.0 } else { 5.0 });
    let (area, beside) = if along <= f64::from(area.dim_in_pixel().1) {
        (area.clone(), &*panel.label)
    } else {
        let (head, rest) = area.split_vertically(look.whole(HEAD_MM));
        head.draw(&Text::new(&*panel.label, (look.whole(2.0), look.whole(1.0)), look.letters()))?;
        (rest, "")
    };
    let mut chart = ChartBuilder::on(&area)
        .margin(look.whole(2.0))
        .x_label_area_size(look.whole(if last { 9.0 } else { 5.0 }))
        .y_label_area_size(look.whole(15.0))
        .build_cartesian_2d(from..to, low..high)?;
    chart
        .configure_mesh()
        .bold_line_style(look.grid)
        .light_line_style(TRANSPARENT)
        .axis_style(look.axis)
        .label_style(look.letters())
        .axis_desc_style(look.letters())
        .x_desc(if last { &*plot.time_label } else { "" })
        .y_desc(beside)
        .y_labels((f64::from(area.dim_in_pixel().1) / look.units(TICK_MM)).clamp(LEAST_TICKS, 10.0) as usize)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    for series in &panel.series {
        let index = names.iter().position(|name| *name == series.name).unwrap_or(0);
        draw_series(&mut chart, series, index, look)?;
    }
    Ok(())
}

type Chart<'a, B, X, Y> = ChartContext<'a, B, Cartesian2d<X, Y>>;

fn draw_series<B: DrawingBackend, X: Ranged<ValueType = f64>, Y: Ranged<ValueType = f64>>(
    chart: &mut Chart<'_, B, X, Y>,
    series: &Series,
    index: usize,
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let (colour, stroke) = (colour(index), look.stroke(index));
    let finite = series.points.iter().filter(|[_, value]| value.is_finite());
    let points: Vec<(f64, f64)> = finite.map(|[time, value]| (*time, *value)).collect();
    match look.dashes(index) {
        None => chart.draw_series(LineSeries::new(points.iter().copied(), stroke))?,
        Some((dash, gap)) => chart.draw_series(DashedLineSeries::new(points.iter().copied(), dash, gap, stroke))?,
    };
    let radius = look.whole(MARK_MM);
    let keys = series.keys.iter().map(|[time, value]| (*time, *value));
    chart.draw_series(keys.map(|key| Cross::new(key, radius, stroke)))?;
    if look.print && !points.is_empty() {
        let step = points.len().div_ceil(MARKS);
        let spread = points.iter().copied().skip((index * step) / 3).step_by(step);
        match index % 3 {
            0 => chart.draw_series(spread.map(|at| Circle::new(at, radius, colour.filled())))?,
            1 => chart.draw_series(spread.map(|at| TriangleMarker::new(at, radius, colour.filled())))?,
            _ => chart.draw_series(spread.map(|at| Circle::new(at, radius, stroke)))?,
        };
    }
    Ok(())
}

/// From a little below the least to a little above the greatest value; never empty.
fn value_range(panel: &Panel) -> (f64, f64) {
    let values = panel.series.iter().flat_map(|series| series.points.iter().map(|[_, value]| *value));
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return (-1.0, 1.0);
    }
    let room = (0.06 * (high - low)).max(1e-9 * low.abs().max(high.abs())).max(1e-9);
    if high - low < 1e-9 {
        (low - 1.0_f64.min(room.max(0.5)), high + 1.0_f64.min(room.max(0.5)))
    } else {
        (low - room, high + room)
    }
}

/// A number of an axis: as few digits as tell it.
fn short(value: f64) -> String {
    let text = if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.3e}");
    } else {
        format!("{value:.4}")
    };
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
