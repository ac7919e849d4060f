//! Draws a scene into a rectangle of the window.

use super::error::RenderError;
use super::gl_guard::{self, GlGuard};
use super::passes::Passes;
use super::scene::{Picture, RenderScene};
use super::target::{PixelRect, Target};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use three_d::core::Context;

/// Where in the window a scene is to appear.
#[derive(Clone, Copy, Debug)]
pub struct PaintTarget {
    /// The panel.
    pub viewport: PixelRect,
    /// What may be drawn on: the panel's visible part.
    pub clip: PixelRect,
    /// Physical pixels a logical point.
    pub pixels_per_point: f32,
}

/// What was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Painted {
    /// All there is to show.
    Done,
    /// A picture with rough edges, because the processor draws and the scene changes: paint again in
    /// [`Renderer::SETTLE`], and if the scene is the same by then its edges are smooth.
    Rough,
}

/// What the target shows.
struct Shown {
    /// By identity: the scene held here cannot be another at the same address.
    scene: Arc<RenderScene>,
    pixels_per_point: f32,
    smooth: bool,
    since: Instant,
}

/// Draws scenes with one OpenGL context.
///
/// Every call needs that context to be current, and so does [`Self::destroy`], which must come before the context
/// goes; a renderer that is merely dropped frees its objects too, if the context is still current.
pub struct Renderer {
    gl: Arc<glow::Context>,
    context: Context,
    passes: Passes,
    target: Option<Target>,
    /// For pictures into memory, so that what the window shows stays.
    beside: Option<Target>,
    shown: Option<Shown>,
    name: String,
    software: bool,
    largest_side: u32,
    most_samples: u32,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("name", &self.name).field("software", &self.software).finish_non_exhaustive()
    }
}

impl Renderer {
    /// How long a scene must stay before the processor takes the time to smooth its edges.
    pub const SETTLE: Duration = Duration::from_millis(150);
    /// Samples a pixel of a smooth picture.
    const SAMPLES: u32 = 4;

    /// Compiles everything now, so that a driver's refusal shows at the start and the first frame is as fast as the
    /// next.
    ///
    /// # Errors
    /// [`RenderError::Setup`] where the driver is too old or refuses a shader.
    pub fn new(gl: Arc<glow::Context>) -> Result<Self, RenderError> {
        let guard_gl = Arc::clone(&gl);
        let _guard = GlGuard::new(&guard_gl, gl_guard::bound_framebuffer(&guard_gl));
        caught(RenderError::Setup, || {
            let setup = |error: three_d::CoreError| RenderError::Setup(error.to_string());
            let context = Context::from_gl_context(Arc::clone(&gl)).map_err(setup)?;
            let name = gl_guard::renderer_name(&gl);
            let (largest_side, most_samples) = gl_guard::limits(&gl);
            let passes = Passes::new(&context).map_err(setup)?;
            let software = is_software(&name);
            Ok(Self {
                gl,
                context,
                passes,
                target: None,
                beside: None,
                shown: None,
                name,
                software,
                largest_side,
                most_samples,
            })
        })
    }

    /// The driver's name for what draws, for the log and bug reports.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the processor does the drawing.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.software
    }

    /// Shows a scene in the window: on the framebuffer that is bound now, which is bound again afterwards. The same
    /// `Arc` at the same size is not drawn again, only copied, but for its edges (see [`Painted::Rough`]). An empty
    /// rectangle draws nothing. The OpenGL state that egui does not restore is put back, whatever happens.
    ///
    /// # Errors
    /// [`RenderError::Draw`] where the driver failed; the window is then as it was.
    pub fn paint(&mut self, scene: &Arc<RenderScene>, place: &PaintTarget) -> Result<Painted, RenderError> {
        if place.viewport.intersection(place.clip).is_empty() {
            return Ok(Painted::Done);
        }
        let gl = Arc::clone(&self.gl);
        let window = gl_guard::bound_framebuffer(&gl);
        let _guard = GlGuard::new(&gl, window);
        caught(RenderError::Draw, || {
            let (width, height) = self.checked_size(place.viewport.width, place.viewport.height)?;
            let settled = self
                .still(scene, width, height, place.pixels_per_point)
                .is_some_and(|shown| shown.smooth || shown.since.elapsed() >= Self::SETTLE);
            let smooth = !self.software || settled;
            self.draw(scene, width, height, place.pixels_per_point, smooth)?;
            if let Some(picture) = self.target.as_ref().and_then(Target::framebuffer) {
                gl_guard::copy_to(&gl, picture, window, place.viewport, place.clip);
            }
            Ok(if smooth { Painted::Done } else { Painted::Rough })
        })
    }

    /// Draws a scene into memory, with smooth edges where the driver can. What [`Self::paint`] shows is not touched.
    ///
    /// # Errors
    /// [`RenderError::Size`] for a size of 0 or beyond the driver's limit, [`RenderError::Draw`] where it failed.
    pub fn picture(
        &mut self,
        scene: &Arc<RenderScene>,
        [width, height]: [u32; 2],
        pixels_per_point: f32,
    ) -> Result<Picture, RenderError> {
        let gl = Arc::clone(&self.gl);
        let _guard = GlGuard::new(&gl, gl_guard::bound_framebuffer(&gl));
        caught(RenderError::Draw, || {
            self.check_size(width, height)?;
            if !self.beside.as_ref().is_some_and(|target| target.fits(width, height)) {
                self.beside = None;
                self.beside = Some(Target::new(&self.context, width, height)?);
            }
            let Some(target) = &mut self.beside else { return Ok(Picture::default()) };
            let samples = if self.most_samples >= Self::SAMPLES { Self::SAMPLES } else { 0 };
            self.passes.prepare(scene, width, height, f64::from(pixels_per_point));
            let (passes, viewport) = (&self.passes, target.viewport());
            let behind = (passes.has_ghosts(), || passes.draw_behind(scene, viewport));
            target.draw(rgb(scene.background.0), samples, behind, || passes.draw(scene, viewport))?;
            Ok(Picture { width, height, pixels: target.read() })
        })
    }

    /// Frees every OpenGL object; the context must be current.
    pub fn destroy(self) {
        drop(self);
    }

    fn check_size(&self, width: u32, height: u32) -> Result<(), RenderError> {
        let limit = self.largest_side;
        let fits = (1..=limit).contains(&width) && (1..=limit).contains(&height);
        if fits { Ok(()) } else { Err(RenderError::Size { width, height, limit }) }
    }

    fn checked_size(&self, width: i32, height: i32) -> Result<(u32, u32), RenderError> {
        let (width, height) = (u32::try_from(width).unwrap_or(0), u32::try_from(height).unwrap_or(0));
        self.check_size(width, height).map(|()| (width, height))
    }

    /// What is shown, if it is this scene at this size.
    fn still(&self, scene: &Arc<RenderScene>, width: u32, height: u32, pixels_per_point: f32) -> Option<&Shown> {
        let fits = self.target.as_ref().is_some_and(|target| target.fits(width, height));
        let same = |shown: &&Shown| {
            Arc::ptr_eq(&shown.scene, scene) && shown.pixels_per_point.to_bits() == pixels_per_point.to_bits()
        };
        self.shown.as_ref().filter(|_| fits).filter(same)
    }

    /// Brings the target up to date.
    fn draw(
        &mut self,
        scene: &Arc<RenderScene>,
        width: u32,
        height: u32,
        pixels_per_point: f32,
        smooth: bool,
    ) -> Result<(), RenderError> {
        if self.still(scene, width, height, pixels_per_point).is_some_and(|shown| shown.smooth || !smooth) {
            return Ok(());
        }
        self.shown = None;
        if !self.target.as_ref().is_some_and(|target| target.fits(width, height)) {
            self.target = None;
            self.target = Some(Target::new(&self.context, width, height)?);
        }
        if let Some(target) = &mut self.target {
            let samples = if smooth && self.most_samples >= Self::SAMPLES { Self::SAMPLES } else { 0 };
            self.passes.prepare(scene, width, height, f64::from(pixels_per_point));
            let viewport = target.viewport();
            let passes = &self.passes;
            let behind = (passes.has_ghosts(), || passes.draw_behind(scene, viewport));
            target.draw(rgb(scene.background.0), samples, behind, || passes.draw(scene, viewport))?;
            if self.software {
                target.forget_samples();
            }
        }
        self.shown = Some(Shown { scene: Arc::clone(scene), pixels_per_point, smooth, since: Instant::now() });
        Ok(())
    }
}

/// An opaque colour as OpenGL takes it.
pub(super) fn rgb([r, g, b, _]: [u8; 4]) -> [f32; 3] {
    [r, g, b].map(|channel| f32::from(channel) / 255.0)
}

/// Whether a driver's name says that the processor does the drawing.
fn is_software(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["llvmpipe", "softpipe", "swiftshader", "software", "microsoft basic render", "gdi generic"]
        .iter()
        .any(|known| name.contains(known))
}

/// Runs `draw`; a panic in it (three-d panics on a driver's refusal) becomes an error.
fn caught<T>(
    error: fn(String) -> RenderError,
    draw: impl FnOnce() -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "the graphics driver refused".to_owned());
        Err(error(text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_drivers_are_known_by_name() {
        assert!(is_software("llvmpipe (LLVM 15.0.6, 256 bits)"));
        assert!(is_software("Google SwiftShader"));
        assert!(!is_software("NVIDIA GeForce RTX 3060/PCIe/SSE2"));
        assert!(!is_software("Mesa Intel(R) UHD Graphics (TGL GT1)"));
    }

    #[test]
    fn a_panic_while_drawing_is_an_error() {
        let result = caught(RenderError::Draw, || -> Result<(), RenderError> { panic!("no such attribute") });
        assert!(matches!(result, Err(RenderError::Draw(text)) if text == "no such attribute"));
    }

    #[test]
    fn a_renderer_may_go_into_a_paint_callback() {
        fn is_send_and_sync<T: Send + Sync>() {}
        is_send_and_sync::<Renderer>();
    }
}
