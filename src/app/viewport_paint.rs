//! Puts 3D scenes into the window: the renderer inside an egui paint callback.

use crate::{
    notice::Notice,
    render::{PaintTarget, Painted, Picture, PixelRect, RenderError, Renderer, scene::RenderScene},
    ui::panel::ViewportPainter,
};
use std::sync::{Arc, Mutex, PoisonError};

/// Draws with OpenGL.
pub struct GlPainter {
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    renderer: Option<Renderer>,
    /// Faults since they were last asked for.
    faults: Vec<RenderError>,
    /// Pictures drawn into memory and not taken yet.
    pictures: Vec<(u64, Picture)>,
}

impl std::fmt::Debug for GlPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GlPainter").finish_non_exhaustive()
    }
}

impl GlPainter {
    /// A painter for the window's context, which must be current. Without a context, or where the driver refuses, it draws
    /// nothing and says why in [`ViewportPainter::faults`].
    #[must_use]
    pub fn boxed(gl: Option<Arc<eframe::glow::Context>>) -> Box<dyn ViewportPainter> {
        let Some(gl) = gl else { return Box::new(NoPainter) };
        let (renderer, faults) = match Renderer::new(gl) {
            Ok(renderer) => {
                log::debug!("3D view drawn by {}", renderer.name());
                (Some(renderer), Vec::new())
            }
            Err(error) => (None, vec![error]),
        };
        Box::new(Self { shared: Arc::new(Mutex::new(Shared { renderer, faults, pictures: Vec::new() })) })
    }
}

impl Drop for GlPainter {
    /// The renderer goes now, while the context is there, though callbacks of the last frame may still be about.
    fn drop(&mut self) {
        if let Some(renderer) = self.shared.lock().unwrap_or_else(PoisonError::into_inner).renderer.take() {
            renderer.destroy();
        }
    }
}

impl ViewportPainter for GlPainter {
    fn paint(&mut self, painter: &egui::Painter, rect: egui::Rect, scene: Arc<RenderScene>) {
        let (shared, context) = (Arc::clone(&self.shared), painter.ctx().clone());
        let callback = eframe::egui_glow::CallbackFn::new(move |info, _| {
            let (viewport, clip) = (info.viewport_in_pixels(), info.clip_rect_in_pixels());
            let pixels = |at: egui::epaint::ViewportInPixels| PixelRect {
                left: at.left_px,
                bottom: at.from_bottom_px,
                width: at.width_px,
                height: at.height_px,
            };
            let place =
                PaintTarget { viewport: pixels(viewport), clip: pixels(clip), pixels_per_point: info.pixels_per_point };
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = shared.renderer.as_mut().map(|renderer| renderer.paint(&scene, &place));
            match drawn {
                Some(Err(error)) => shared.faults.push(error),
                // Once more when all has come to rest: then with smooth edges.
                Some(Ok(Painted::Rough)) => context.request_repaint_after(Renderer::SETTLE),
                Some(Ok(Painted::Done)) | None => {}
            }
        });
        painter.add(egui::PaintCallback { rect, callback: Arc::new(callback) });
    }

    fn request(
        &mut self,
        painter: &egui::Painter,
        place: egui::Rect,
        key: u64,
        scene: Arc<RenderScene>,
        size: [u32; 2],
    ) {
        let (shared, context) = (Arc::clone(&self.shared), painter.ctx().clone());
        // While the window is painted the context is there.
        let callback = eframe::egui_glow::CallbackFn::new(move |info, _| {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = shared.renderer.as_mut().map(|renderer| renderer.picture(&scene, size, info.pixels_per_point));
            match drawn {
                Some(Ok(picture)) => shared.pictures.push((key, picture)),
                Some(Err(error)) => shared.faults.push(error),
                None => {}
            }
            context.request_repaint();
        });
        painter.add(egui::PaintCallback { rect: place, callback: Arc::new(callback) });
    }

    fn draws(&self) -> bool {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).renderer.is_some()
    }

    fn picture(&mut self, key: u64) -> Option<Picture> {
        let pictures = &mut self.shared.lock().unwrap_or_else(PoisonError::into_inner).pictures;
        let taken = pictures.iter().position(|(of, _)| *of == key).map(|at| pictures.remove(at).1);
        // What a list asked for and nobody looks at any more is dropped.
        let spare = pictures.len().saturating_sub(UNTAKEN);
        pictures.drain(..spare);
        taken
    }

    fn faults(&mut self) -> Vec<Notice> {
        let faults = std::mem::take(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner).faults);
        faults.iter().map(|fault| Notice::error(fault.to_string())).collect()
    }
}

/// How many pictures nobody has taken are kept.
const UNTAKEN: usize = 8;

/// Draws nothing: for tests, and where there is no OpenGL.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPainter;

impl ViewportPainter for NoPainter {
    fn paint(&mut self, _painter: &egui::Painter, _rect: egui::Rect, _scene: Arc<RenderScene>) {}

    fn request(&mut self, _: &egui::Painter, _: egui::Rect, _: u64, _: Arc<RenderScene>, _: [u32; 2]) {}

    fn draws(&self) -> bool {
        false
    }

    fn picture(&mut self, _: u64) -> Option<Picture> {
        None
    }

    fn faults(&mut self) -> Vec<Notice> {
        Vec::new()
    }
}
