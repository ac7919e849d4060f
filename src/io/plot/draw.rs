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
    let mut pixels = vec![0; width as usize * height as usize * 3];
    let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
    draw(area, plot, &Look::new(sheet.style, unit))?;
    Ok(([width as usize, height as usize], pixels))
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
        area.titled(&plot.title, (FONT, look.units(LETTERS_MM * 1.25)).into_font().color(&look.text)).map_err(failed)?
    };
    let areas = area.split_evenly((plot.panels.len().max(1), 1));
    for (index, (area, panel)) in areas.iter().zip(&plot.panels).enumerate() {
        let last = index + 1 == plot.panels.len();
        draw_panel(area, plot, panel, look, last).map_err(failed)?;
    }
    area.present().map_err(failed)
}

fn draw_panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    plot: &Plot,
    panel: &Panel,
    look: &Look,
    last: bool,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let (low, high) = value_range(panel);
    let (from, to) = if plot.times.1 > plot.times.0 { plot.times } else { (plot.times.0 - 1.0, plot.times.0 + 1.0) };
    let mut chart = ChartBuilder::on(area)
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
        .y_desc(&*panel.label)
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .draw()?;
    for (index, series) in panel.series.iter().enumerate() {
        draw_series(&mut chart, series, index, look)?;
    }
    if panel.series.len() > 1 || look.print {
        chart
            .configure_series_labels()
            .label_font(look.letters())
            .background_style(look.ground.mix(0.8))
            .border_style(look.grid)
            .legend_area_size(look.whole(8.0))
            .margin(look.whole(1.5))
            .draw()?;
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
    let colour = COLOURS[index % COLOURS.len()];
    let stroke = colour.stroke_width(look.whole(LINE_MM) as u32);
    // Print tells lines apart without colour: each has dashes of its own, and one of three marks.
    let dashes = if look.print { index % 4 } else { 0 };
    let sizes = [(0.0, 0.0), (3.0, 1.5), (1.0, 1.0), (5.0, 1.0)][dashes];
    let finite = series.points.iter().filter(|[_, value]| value.is_finite());
    let points: Vec<(f64, f64)> = finite.map(|[time, value]| (*time, *value)).collect();
    let length = look.whole(7.0);
    let legend = move |(x, y): (i32, i32)| PathElement::new(vec![(x, y), (x + length, y)], stroke);
    if dashes == 0 {
        chart.draw_series(LineSeries::new(points.iter().copied(), stroke))?.label(&series.name).legend(legend);
    } else {
        let (dash, gap) = (look.whole(sizes.0), look.whole(sizes.1));
        let line = DashedLineSeries::new(points.iter().copied(), dash, gap, stroke);
        chart.draw_series(line)?.label(&series.name).legend(legend);
    }
    let radius = look.whole(MARK_MM);
    let keys = series.keys.iter().map(|[time, value]| (*time, *value));
    chart.draw_series(keys.map(|key| Cross::new(key, radius, colour.stroke_width(look.whole(LINE_MM) as u32))))?;
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
