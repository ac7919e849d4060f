//! Where the picture is drawn before it is copied into the panel: our own colour and depth, because the window has no
//! depth buffer and its multisampling, if any, is the whole window's.

use super::error::RenderError;
use glow::Framebuffer;
use three_d::core::{
    ClearState, Context, DepthTexture2D, Interpolation, RenderTarget, RenderTargetMultisample, ScissorBox, Texture2D,
    Viewport, Wrapping, f24,
};

/// A rectangle in physical pixels, measured from the window's lower left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelRect {
    /// Left edge.
    pub left: i32,
    /// Lower edge, upwards from the window's lower edge.
    pub bottom: i32,
    /// Width; 0 or less is empty.
    pub width: i32,
    /// Height; 0 or less is empty.
    pub height: i32,
}

impl PixelRect {
    /// Whether there is nothing inside.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.width < 1 || self.height < 1
    }

    /// What both cover; empty where they do not meet.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let left = self.left.max(other.left);
        let bottom = self.bottom.max(other.bottom);
        let right = self.left.saturating_add(self.width).min(other.left.saturating_add(other.width));
        let top = self.bottom.saturating_add(self.height).min(other.bottom.saturating_add(other.height));
        Self { left, bottom, width: right.saturating_sub(left).max(0), height: top.saturating_sub(bottom).max(0) }
    }
}

/// Colour and depth of one size.
pub(super) struct Target {
    context: Context,
    width: u32,
    height: u32,
    color: Texture2D,
    // Kept alive because the framebuffer refers to it.
    depth: DepthTexture2D,
    multisampled: Option<RenderTargetMultisample<[u8; 4], f24>>,
    framebuffer: Option<Framebuffer>,
}

impl Target {
    /// Makes a target.
    pub(super) fn new(context: &Context, width: u32, height: u32) -> Result<Self, RenderError> {
        let color = Texture2D::new_empty::<[u8; 4]>(
            context,
            width,
            height,
            Interpolation::Nearest,
            Interpolation::Nearest,
            None,
            Wrapping::ClampToEdge,
            Wrapping::ClampToEdge,
        );
        let depth = DepthTexture2D::new::<f24>(context, width, height, Wrapping::ClampToEdge, Wrapping::ClampToEdge);
        let mut target =
            Self { context: context.clone(), width, height, color, depth, multisampled: None, framebuffer: None };
        target.framebuffer = {
            let all = RenderTarget::new(target.color.as_color_target(None), target.depth.as_depth_target());
            // Attaches both; from here on the framebuffer is used by its name.
            all.clear(ClearState::color_and_depth(0.0, 0.0, 0.0, 1.0, 1.0));
            context.error_check().map_err(|error| RenderError::Setup(error.to_string()))?;
            all.into_framebuffer()
        };
        Ok(target)
    }

    /// Whether this target is what is wanted.
    pub(super) fn fits(&self, width: u32, height: u32) -> bool {
        self.width == width && self.height == height
    }

    /// All of it, as three-d wants it.
    pub(super) fn viewport(&self) -> Viewport {
        Viewport::new_at_origo(self.width, self.height)
    }

    /// The framebuffer that holds the finished picture.
    pub(super) fn framebuffer(&self) -> Option<Framebuffer> {
        self.framebuffer
    }

    /// Clears to an opaque colour (sRGB, 0 to 1) and draws, first what lies behind, whose depth is forgotten where
    /// `has_depth`, with `samples` a pixel: 0 or 1 is without multisampling,
    /// otherwise a power of two that the driver allows.
    pub(super) fn draw(
        &mut self,
        [red, green, blue]: [f32; 3],
        samples: u32,
        (has_depth, behind): (bool, impl FnOnce()),
        draw: impl FnOnce(),
    ) -> Result<(), RenderError> {
        let clear = ClearState::color_and_depth(red, green, blue, 1.0, 1.0);
        let failed = |error: three_d::CoreError| RenderError::Draw(error.to_string());
        let all = ScissorBox::new_at_origo(self.width, self.height);
        let first = || -> Result<(), three_d::CoreError> {
            behind();
            Ok(())
        };
        let body = || -> Result<(), three_d::CoreError> {
            draw();
            Ok(())
        };
        let far = ClearState::depth(1.0);
        if samples > 1 {
            let (context, width, height) = (&self.context, self.width, self.height);
            let make = || RenderTargetMultisample::new(context, width, height, samples);
            let many = self.multisampled.get_or_insert_with(make);
            many.clear_partially(all, clear).write_partially(all, first).map_err(failed)?;
            if has_depth {
                many.clear_partially(all, far);
            }
            many.write_partially(all, body).map_err(failed)?;
            many.resolve_color_to(&self.color.as_color_target(None));
        } else if let Some(framebuffer) = self.framebuffer {
            let single = RenderTarget::from_framebuffer(&self.context, self.width, self.height, framebuffer);
            let result = single.clear_partially(all, clear).write_partially(all, first).and_then(|single| {
                if has_depth {
                    single.clear_partially(all, far);
                }
                single.write_partially(all, body).map(|_| ())
            });
            // Given back, or three-d would delete it.
            single.into_framebuffer();
            result.map_err(failed)?;
        }
        Ok(())
    }

    /// Frees the memory for several samples a pixel.
    pub(super) fn forget_samples(&mut self) {
        self.multisampled = None;
    }

    /// The picture's pixels, red green blue alpha, from the top row down.
    pub(super) fn read(&self) -> Vec<[u8; 4]> {
        self.color.as_color_target(None).read()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Some(framebuffer) = self.framebuffer.take() {
            drop(RenderTarget::from_framebuffer(&self.context, self.width, self.height, framebuffer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PixelRect;

    #[test]
    fn rectangles_meet_or_are_empty() {
        let a = PixelRect { left: 10, bottom: 20, width: 100, height: 50 };
        let b = PixelRect { left: 60, bottom: 0, width: 500, height: 30 };
        assert_eq!(a.intersection(b), PixelRect { left: 60, bottom: 20, width: 50, height: 10 });
        assert!(a.intersection(PixelRect { left: 200, ..a }).is_empty());
        assert!(PixelRect::default().is_empty());
        let huge = PixelRect { left: i32::MAX - 1, bottom: 0, width: i32::MAX, height: 1 };
        assert_eq!(huge.intersection(huge).left, i32::MAX - 1);
    }
}
