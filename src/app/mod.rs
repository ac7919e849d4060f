//! Wiring: the window, its state, and what commands do.

mod actions;
mod dispatch;
pub mod files;
mod fonts;
mod footage;
mod jobs;
mod notify;
mod open_file;
mod playback;
mod questions;
mod recovery;
pub mod services;
mod settings;
mod state;
mod viewport_paint;
mod window;

pub use viewport_paint::{GlPainter, NoPainter};
pub use window::App;

use services::Services;
use std::path::PathBuf;

/// Size of the window at the first start, points.
const WINDOW: [f32; 2] = [1440.0, 900.0];
/// Least size of the window, points.
const LEAST_WINDOW: [f32; 2] = [800.0, 500.0];

/// Opens the window, on a file or on the sample, and runs until it is closed.
///
/// # Errors
/// Where no window or no OpenGL context is to be had.
pub fn run(file: Option<PathBuf>) -> Result<(), eframe::Error> {
    notify::install();
    let services = Services::real();
    let (settings, _) = settings::Settings::load(&*services.storage);
    let viewport = egui::ViewportBuilder::default()
        .with_title("Inbetween")
        .with_app_id("inbetween")
        .with_inner_size(settings.window.unwrap_or(WINDOW))
        .with_min_inner_size(LEAST_WINDOW)
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, renderer: eframe::Renderer::Glow, ..Default::default() };
    eframe::run_native(
        "inbetween",
        options,
        Box::new(move |cc| {
            let painter = GlPainter::boxed(cc.gl.clone());
            Ok(Box::new(App::new(services, painter, file)))
        }),
    )
}
