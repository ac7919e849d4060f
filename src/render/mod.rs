//! Drawing with OpenGL: the only place that knows three-d and glow.
//!
//! A [`RenderScene`] is plain data. A [`Renderer`] draws it into its own colour and depth, keeps the result, and copies
//! it into the panel of the window, inside an egui paint callback; `headless` gives it a context without a window.

mod error;
mod gl_guard;
mod grid;
pub mod headless;
mod marks;
mod passes;
mod plates;
mod renderer;
pub mod scene;
mod shaders;
mod shadows;
mod solids;
mod surfaces;
mod target;

pub use error::RenderError;
pub use renderer::{PaintTarget, Painted, Renderer};
pub use scene::{
    Camera, Dot, Face, Ghost, Ground, Instance, Layer, Light, Mesh, Picture, Plate, PlateAt, RenderScene, Shadow,
    Stroke, Surface, SurfaceAlpha, SurfacePart,
};
pub use target::PixelRect;
