//! A plain list of what a tool draws over a panel: guides, marquees, readouts.

use super::input::ScreenPos;

/// What a mark means; the theme gives it its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// A guide that helps but is not touched.
    Guide,
    /// A guide that must be seen over the figure too.
    Mark,
    /// What the pointer is over.
    Hovered,
    /// What is selected or being dragged.
    Selected,
    /// Along X.
    AxisX,
    /// Along Y.
    AxisY,
    /// Along Z.
    AxisZ,
    /// Something that cannot be: a target out of reach.
    Warning,
}

impl Ink {
    /// The ink of axis 0, 1 or 2; a guide's for any other number.
    #[must_use]
    pub const fn axis(axis: usize) -> Self {
        match axis {
            0 => Self::AxisX,
            1 => Self::AxisY,
            2 => Self::AxisZ,
            _ => Self::Guide,
        }
    }
}

/// One thing drawn. Places are points within the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A connected line.
    Polyline {
        /// Its corners.
        points: Vec<ScreenPos>,
        /// Its colour.
        ink: Ink,
        /// Width, points.
        width: f64,
        /// Whether it is drawn in dashes.
        dashed: bool,
    },
    /// A filled disc.
    Dot {
        /// Its centre.
        at: ScreenPos,
        /// Its radius, points.
        radius: f64,
        /// Its colour.
        ink: Ink,
    },
    /// A circle's line.
    Circle {
        /// Its centre.
        at: ScreenPos,
        /// Its radius, points.
        radius: f64,
        /// Its colour.
        ink: Ink,
    },
    /// A selection rectangle between two opposite corners.
    Marquee {
        /// Where it began.
        from: ScreenPos,
        /// Where the pointer is.
        to: ScreenPos,
    },
    /// A short text on its own ground.
    Text {
        /// Its top left corner.
        at: ScreenPos,
        /// A name, letters or numbers: nothing to translate.
        text: String,
        /// The text key of the words that follow it.
        key: Option<&'static str>,
    },
}

/// What is drawn over a panel, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// The marks.
    pub marks: Vec<Mark>,
}

impl Overlay {
    /// Adds a solid line between two places.
    pub fn line(&mut self, from: ScreenPos, to: ScreenPos, ink: Ink) {
        self.marks.push(Mark::Polyline { points: vec![from, to], ink, width: 1.5, dashed: false });
    }

    /// Adds a dashed line between two places.
    pub fn dashed(&mut self, from: ScreenPos, to: ScreenPos, ink: Ink) {
        self.marks.push(Mark::Polyline { points: vec![from, to], ink, width: 1.0, dashed: true });
    }

    /// Adds a text, with the words of a text key after it.
    pub fn text(&mut self, at: ScreenPos, text: String, key: Option<&'static str>) {
        self.marks.push(Mark::Text { at, text, key });
    }
}
