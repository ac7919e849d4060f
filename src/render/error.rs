//! What may go wrong while drawing.

/// Why a picture could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The graphics driver refused something the renderer cannot do without.
    #[error("the 3D view could not be set up: {0}; update the graphics driver, or use software OpenGL")]
    Setup(String),
    /// Drawing one frame failed; the next may succeed.
    #[error("drawing the 3D view failed: {0}")]
    Draw(String),
    /// A picture of this size cannot be made.
    #[error(
        "a picture of {width} x {height} pixels is not possible here; the limit is {limit} each way, and at least 1"
    )]
    Size {
        /// Width asked for, pixels.
        width: u32,
        /// Height asked for, pixels.
        height: u32,
        /// Greatest side the driver allows, pixels.
        limit: u32,
    },
    /// There is no way to draw without a window.
    #[error("drawing without a window is not possible here: {0}")]
    Headless(String),
}
