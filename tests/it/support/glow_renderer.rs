//! Draws what a harness shows with the painter the program itself uses, paint callbacks included, without a display.

#![expect(unsafe_code, reason = "a framebuffer that stands for the window, on a context that this owns")]

use egui::TexturesDelta;
use egui_glow::Painter;
use egui_kittest::{Harness, TestRenderer};
use glow::HasContext as _;
use inbetween::render::Picture;
use inbetween::render::headless::Headless;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A renderer for [`egui_kittest::HarnessBuilder::renderer`]; a clone draws the harness's pictures.
#[derive(Clone)]
pub(crate) struct GlowRenderer {
    gl: Arc<glow::Context>,
    parts: Rc<RefCell<Parts>>,
}

struct Parts {
    painter: Painter,
    // Last: the context must outlive the painter.
    _headless: Headless,
}

impl GlowRenderer {
    /// Takes a context, which must be current on this thread.
    pub(crate) fn new(headless: Headless) -> Self {
        let gl = headless.gl();
        let painter = Painter::new(Arc::clone(&gl), "", None, false).expect("egui's painter");
        Self { gl, parts: Rc::new(RefCell::new(Parts { painter, _headless: headless })) }
    }

    /// The context, as the program gets it at its start.
    pub(crate) fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }

    /// What a harness that has this as its renderer shows now, paint callbacks included.
    pub(crate) fn picture<State>(&self, harness: &Harness<'_, State>) -> Picture {
        let (context, painter) = (&harness.ctx, &mut self.parts.borrow_mut().painter);
        let scale = context.pixels_per_point();
        let size = context.content_rect().size() * scale;
        let [width, height] = [size.x, size.y].map(|side| side.round().max(1.0) as u32);
        let primitives = context.tessellate(harness.output().shapes.clone(), scale);
        let window = Window::new(&self.gl, width, height).expect("a framebuffer");
        painter.clear([width, height], [0.0, 0.0, 0.0, 1.0]);
        painter.paint_primitives([width, height], scale, &primitives);
        let pixels = window.read(&self.gl);
        window.delete(&self.gl);
        Picture { width, height, pixels }
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        self.painter.destroy();
    }
}

impl TestRenderer for GlowRenderer {
    fn setup_eframe(&self, cc: &mut eframe::CreationContext<'_>, _frame: &mut eframe::Frame) {
        cc.gl = Some(self.gl());
    }

    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.parts.borrow_mut().painter.paint_and_update_textures([1, 1], 1.0, &[], delta);
    }
}

/// What stands for the window: colour only, as the program's window has it.
struct Window {
    framebuffer: glow::Framebuffer,
    color: glow::Renderbuffer,
    size: [i32; 2],
}

impl Window {
    fn new(gl: &glow::Context, width: u32, height: u32) -> Result<Self, String> {
        let size = [width, height].map(|side| i32::try_from(side).unwrap_or(i32::MAX));
        // SAFETY: plain object creation on a current context.
        unsafe {
            let color = gl.create_renderbuffer()?;
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(color));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, size[0], size[1]);
            let framebuffer = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::RENDERBUFFER, Some(color));
            Ok(Self { framebuffer, color, size })
        }
    }

    /// Rows from the top down.
    fn read(&self, gl: &glow::Context) -> Vec<[u8; 4]> {
        let [width, height] = self.size;
        let mut pixels = vec![0; width as usize * height as usize * 4];
        // SAFETY: the slice has room for what is read.
        unsafe {
            // If a callback left another framebuffer bound, what egui drew after it is missing here, as in the window.
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.framebuffer));
            let into = glow::PixelPackData::Slice(Some(&mut pixels));
            gl.read_pixels(0, 0, width, height, glow::RGBA, glow::UNSIGNED_BYTE, into);
        }
        let pixels: Vec<[u8; 4]> = pixels.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect();
        pixels.chunks_exact(width as usize).rev().flatten().copied().collect()
    }

    fn delete(self, gl: &glow::Context) {
        // SAFETY: both were created by `new`.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            gl.delete_framebuffer(self.framebuffer);
            gl.delete_renderbuffer(self.color);
        }
    }
}
