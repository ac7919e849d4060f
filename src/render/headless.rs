//! OpenGL without a window or a display, for the tests and for drawing from the command line.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "making a graphics context is unsafe by nature; it lives as long as `Headless`")
)]

use super::error::RenderError;
use std::sync::Arc;

/// An OpenGL context of its own, current on the thread that opened it.
pub struct Headless {
    gl: Arc<glow::Context>,
    // Dropped after the last use of the functions that were loaded from it.
    #[cfg(target_os = "linux")]
    _context: glutin::context::PossiblyCurrentContext,
}

impl std::fmt::Debug for Headless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Headless").finish_non_exhaustive()
    }
}

impl Headless {
    /// The context's functions, as [`super::Renderer::new`] takes them.
    #[must_use]
    pub fn gl(&self) -> Arc<glow::Context> {
        Arc::clone(&self.gl)
    }

    /// Opens a context on the first graphics device that gives one; software rendering will do.
    ///
    /// # Errors
    /// [`RenderError::Headless`] where EGL or a driver is missing, saying what each device answered.
    #[cfg(target_os = "linux")]
    pub fn open() -> Result<Self, RenderError> {
        use glutin::api::egl::device::Device;
        let missing = |error: glutin::error::Error| {
            RenderError::Headless(format!("{error}; on Debian install libegl1 and libgl1-mesa-dri"))
        };
        let mut answers = Vec::new();
        for device in Device::query_devices().map_err(missing)? {
            match open_on(&device) {
                Ok(opened) => return Ok(opened),
                Err(error) => answers.push(format!("{}: {error}", device.name().unwrap_or("a device"))),
            }
        }
        let answers = if answers.is_empty() { "there is no graphics device".to_owned() } else { answers.join("; ") };
        Err(RenderError::Headless(format!("{answers}; on Debian install libegl1 and libgl1-mesa-dri")))
    }

    /// Not on this system yet.
    ///
    /// # Errors
    /// Always [`RenderError::Headless`].
    #[cfg(not(target_os = "linux"))]
    pub fn open() -> Result<Self, RenderError> {
        Err(RenderError::Headless("only Linux, through EGL, for now; open the file in the window instead".to_owned()))
    }
}

/// Opens a context on one device.
#[cfg(target_os = "linux")]
fn open_on(device: &glutin::api::egl::device::Device) -> Result<Headless, Box<dyn std::error::Error>> {
    use glutin::api::egl::display::Display as EglDisplay;
    use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
    use glutin::context::{ContextApi, ContextAttributesBuilder, PossiblyCurrentContext, Version};
    use glutin::display::{Display, GlDisplay as _};

    // SAFETY: the device came from EGL just now; no native display is passed.
    let display = unsafe { EglDisplay::with_device(device, None)? };
    let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
    let attributes = ContextAttributesBuilder::new().with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))));
    // SAFETY: the template and the configuration belong to this display.
    let context = unsafe {
        let config = display.find_configs(template)?.next().ok_or("no configuration without a surface")?;
        display.create_context(&config, &attributes.build(None))?
    };
    let context = PossiblyCurrentContext::Egl(context.make_current_surfaceless()?);
    let display = Display::Egl(display);
    // SAFETY: the context is current, and the functions are used only while it lives.
    let gl = unsafe { glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name)) };
    Ok(Headless { gl: Arc::new(gl), _context: context })
}
