//! The sample documents, built by code. Each is kept under `assets/samples` as the bytes [`Sample::build`] gives; a test
//! rebuilds and compares them. Every number is rounded to 1e-6, so that the bytes agree on every platform.

mod biped;
mod body;
mod cage;
pub mod face;
mod gait;
mod lessons;
mod moves;
pub mod shapes;
mod spaces;
pub mod templates;
mod track;
mod walk;

use crate::model::Document;

/// A sample document.
pub struct Sample {
    /// Its name: the file under `assets/samples` without the ending.
    pub id: &'static str,
    /// Builds it.
    pub build: fn() -> Document,
    /// The saved text.
    pub text: &'static str,
}

/// All samples; the first opens when the program starts.
pub const SAMPLES: &[Sample] = &[
    Sample { id: "walk", build: walk::document, text: include_str!("../../assets/samples/walk.ron") },
    Sample { id: "moves", build: moves::document, text: include_str!("../../assets/samples/moves.ron") },
    Sample { id: "stand", build: lessons::stand, text: include_str!("../../assets/samples/stand.ron") },
    Sample { id: "bounce", build: lessons::bounce, text: include_str!("../../assets/samples/bounce.ron") },
    Sample { id: "reach", build: lessons::reach, text: include_str!("../../assets/samples/reach.ron") },
    Sample { id: "race", build: lessons::race, text: include_str!("../../assets/samples/race.ron") },
    Sample { id: "arm", build: lessons::arm, text: include_str!("../../assets/samples/arm.ron") },
    Sample { id: "torso", build: lessons::torso, text: include_str!("../../assets/samples/torso.ron") },
    Sample { id: "gait", build: lessons::gait, text: include_str!("../../assets/samples/gait.ron") },
    Sample { id: "captured", build: lessons::captured, text: include_str!("../../assets/samples/captured.ron") },
];

/// The document the program starts with: a biped with a body, walking.
#[must_use]
pub fn start() -> Document {
    walk::document()
}

/// As [`start`], without the body: the figure is its mannequin.
#[must_use]
pub fn walker() -> Document {
    walk::walker()
}

/// Rounds to 1e-6 (and makes -0 plain 0).
fn round6(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}
