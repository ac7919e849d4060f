//! The few raw OpenGL calls: keeping the state that egui does not restore, and copying the picture into the window.
//!
//! After a paint callback egui sets its own scissor, cull, depth test, colour mask, blend, viewport, program, vertex
//! array and sRGB state, but not the framebuffer binding, the depth mask, the pixel storage or the clear values.

#![expect(unsafe_code, reason = "raw OpenGL calls on a context that the caller made current")]

use super::target::PixelRect;
use glow::HasContext as _;

/// Remembers the OpenGL state that egui relies on and does not set again; puts it back when dropped.
pub(super) struct GlGuard<'a> {
    gl: &'a glow::Context,
    draw_framebuffer: Option<glow::Framebuffer>,
    depth_mask: bool,
    clear_color: [f32; 4],
    scissor: [i32; 4],
    pack_alignment: i32,
    unpack_alignment: i32,
}

impl<'a> GlGuard<'a> {
    /// Takes note of the state. `draw_framebuffer` is what must be bound afterwards; none is the window itself.
    pub(super) fn new(gl: &'a glow::Context, draw_framebuffer: Option<glow::Framebuffer>) -> Self {
        let (mut clear_color, mut scissor) = ([0.0; 4], [0; 4]);
        if cfg!(debug_assertions) {
            // three-d takes every error it finds for its own and panics; those from before are not.
            for _ in 0..16 {
                // SAFETY: a call without arguments.
                if unsafe { gl.get_error() } == glow::NO_ERROR {
                    break;
                }
            }
        }
        // SAFETY: reads of fixed state; the slices have the length that OpenGL writes for each name.
        unsafe {
            gl.get_parameter_f32_slice(glow::COLOR_CLEAR_VALUE, &mut clear_color);
            gl.get_parameter_i32_slice(glow::SCISSOR_BOX, &mut scissor);
            Self {
                gl,
                draw_framebuffer,
                depth_mask: gl.get_parameter_bool(glow::DEPTH_WRITEMASK),
                clear_color,
                scissor,
                pack_alignment: gl.get_parameter_i32(glow::PACK_ALIGNMENT),
                unpack_alignment: gl.get_parameter_i32(glow::UNPACK_ALIGNMENT),
            }
        }
    }
}

impl Drop for GlGuard<'_> {
    fn drop(&mut self) {
        let [r, g, b, a] = self.clear_color;
        let [x, y, width, height] = self.scissor;
        // SAFETY: puts values back that OpenGL itself returned.
        unsafe {
            self.gl.bind_framebuffer(glow::FRAMEBUFFER, self.draw_framebuffer);
            self.gl.depth_mask(self.depth_mask);
            self.gl.clear_color(r, g, b, a);
            self.gl.scissor(x, y, width, height);
            self.gl.pixel_store_i32(glow::PACK_ALIGNMENT, self.pack_alignment);
            self.gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, self.unpack_alignment);
            self.gl.disable(glow::CULL_FACE);
            self.gl.disable(glow::DEPTH_TEST);
            self.gl.bind_texture(glow::TEXTURE_2D, None);
        }
    }
}

/// Copies the part of `picture` that lies in `clip` to its place in `framebuffer` (none: the window). The picture's
/// lower left corner goes to the lower left of `viewport`; nothing is scaled.
pub(super) fn copy_to(
    gl: &glow::Context,
    picture: glow::Framebuffer,
    framebuffer: Option<glow::Framebuffer>,
    viewport: PixelRect,
    clip: PixelRect,
) {
    let part = viewport.intersection(clip);
    if part.is_empty() {
        return;
    }
    let (x, y) = (part.left - viewport.left, part.bottom - viewport.bottom);
    // SAFETY: both framebuffers are alive; the scissor is off, and the rectangle lies inside the picture.
    unsafe {
        gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(picture));
        gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, framebuffer);
        gl.disable(glow::SCISSOR_TEST);
        gl.color_mask(true, true, true, true);
        gl.blit_framebuffer(
            x,
            y,
            x + part.width,
            y + part.height,
            part.left,
            part.bottom,
            part.left + part.width,
            part.bottom + part.height,
            glow::COLOR_BUFFER_BIT,
            glow::NEAREST,
        );
        gl.enable(glow::SCISSOR_TEST);
    }
}

/// The driver's name for what draws, such as `llvmpipe (LLVM 15.0, 256 bits)`.
pub(super) fn renderer_name(gl: &glow::Context) -> String {
    // SAFETY: a read of a string that every context has.
    unsafe { gl.get_parameter_string(glow::RENDERER) }
}

/// The greatest side of a picture and the most samples a pixel that the driver allows.
pub(super) fn limits(gl: &glow::Context) -> (u32, u32) {
    // SAFETY: reads of fixed state.
    let (side, samples) =
        unsafe { (gl.get_parameter_i32(glow::MAX_TEXTURE_SIZE), gl.get_parameter_i32(glow::MAX_SAMPLES)) };
    (u32::try_from(side).unwrap_or(1), u32::try_from(samples).unwrap_or(0))
}

/// What is drawn on now; none is the window itself.
pub(super) fn bound_framebuffer(gl: &glow::Context) -> Option<glow::Framebuffer> {
    // SAFETY: a read of fixed state.
    unsafe { gl.get_parameter_framebuffer(glow::DRAW_FRAMEBUFFER_BINDING) }
}
