//! Curves as a picture or a table to take away: SVG and PNG by one drawing, CSV with the same numbers.
//!
//! Pictures come in two styles: as on the screen, and for print (white ground, lines told apart by dashes and markers as
//! well as by colour), with their size in millimetres.

mod channels;
mod draw;
mod table;

pub use channels::{PlotError, PlotRequest, TimeAxis, of_channels};
pub use draw::{pixels, png, svg};
pub use table::csv;

/// A plot: panels one above the other over one axis of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What stands above it; empty for nothing.
    pub title: String,
    /// The name of the time axis with its unit: `frame`, `time (s)`.
    pub time_label: String,
    /// First and last time, in the axis' unit.
    pub times: (f64, f64),
    /// The panels, top to bottom.
    pub panels: Vec<Panel>,
}

impl Plot {
    /// The names of all lines, each once, in the order of the panels: a name has one colour in all of them.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&&*series.name) {
                names.push(&series.name);
            }
        }
        names
    }
}

/// One panel of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What its axis shows, with the unit: `rotation (°)`.
    pub label: String,
    /// Its lines.
    pub series: Vec<Series>,
}

/// One line of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend and at the head of its column.
    pub name: String,
    /// Time and value, in order of time.
    pub points: Vec<[f64; 2]>,
    /// Keys to be marked on it: time and value.
    pub keys: Vec<[f64; 2]>,
}

/// How a picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Dark, as on the screen.
    Screen,
    /// White, with dashes and markers.
    Print,
}

/// The paper of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width and height, millimetres, each within [`Self::SIDES`].
    pub size_mm: [f64; 2],
    /// Pixels an inch of PNG, within [`Self::RESOLUTIONS`].
    pub dpi: f64,
    /// How it looks.
    pub style: Style,
}

impl Sheet {
    /// The sides a sheet may have, millimetres.
    pub const SIDES: std::ops::RangeInclusive<f64> = 20.0..=2_000.0;
    /// The resolutions a PNG may have, pixels an inch.
    pub const RESOLUTIONS: std::ops::RangeInclusive<f64> = 24.0..=1_200.0;

    /// A sheet as wide as a page's text, high enough for so many panels.
    #[must_use]
    pub const fn new(style: Style, panels: usize) -> Self {
        let more = panels.saturating_sub(1);
        Self { size_mm: [160.0, 100.0 + 55.0 * more as f64], dpi: 192.0, style }
    }
}

#[cfg(test)]
mod tests;
