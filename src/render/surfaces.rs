//! Meshes with textures: what does not change from frame to frame stays with the driver.

use super::passes::{OVER, matrix, set_light};
use super::scene::{Picture, RenderScene, Surface, SurfaceAlpha, SurfacePart};
use super::shaders;
use std::sync::Arc;
use three_d::core::{
    Blend, Context, CoreError, Cull, DepthTest, ElementBuffer, Interpolation, Mipmap, Program, RenderStates, Texture2D,
    VertexBuffer, Viewport, Wrapping, WriteMask,
};

/// The longest side of a texture: what every driver of OpenGL 3.3 can do.
const LONGEST_SIDE: u32 = 8192;

/// The program, the textures, and one set of buffers a surface.
pub(super) struct Surfaces {
    context: Context,
    program: Program,
    white: Texture2D,
    textures: Vec<(Arc<Picture>, Texture2D)>,
    buffers: Vec<Buffers>,
}

/// What a surface has with the driver, and what it was made from.
struct Buffers {
    positions: VertexBuffer<[f32; 3]>,
    normals: VertexBuffer<[f32; 3]>,
    uvs: VertexBuffer<[f32; 2]>,
    colors: VertexBuffer<[f32; 4]>,
    parts: Vec<ElementBuffer<u32>>,
    made_from: Option<Surface>,
}

impl Surfaces {
    pub(super) fn new(context: &Context) -> Result<Self, CoreError> {
        let white = Picture { width: 1, height: 1, pixels: vec![[255; 4]] };
        Ok(Self {
            context: context.clone(),
            program: Program::from_source(context, shaders::SURFACE_VERTEX, shaders::SURFACE_FRAGMENT)?,
            white: texture(context, &white),
            textures: Vec::new(),
            buffers: Vec::new(),
        })
    }

    /// Brings the surfaces of a scene to the driver, as far as they are not there.
    pub(super) fn prepare(&mut self, surfaces: &[Surface]) {
        self.buffers.truncate(surfaces.len());
        self.buffers.resize_with(surfaces.len(), || Buffers::new(&self.context));
        for (buffers, surface) in self.buffers.iter_mut().zip(surfaces) {
            buffers.bring(&self.context, surface);
        }
        let used = |picture: &Arc<Picture>| {
            let parts = surfaces.iter().flat_map(|surface| &surface.parts);
            parts.into_iter().any(|part| part.texture.as_ref().is_some_and(|texture| Arc::ptr_eq(texture, picture)))
        };
        self.textures.retain(|(picture, _)| used(picture));
        for picture in surfaces.iter().flat_map(|surface| &surface.parts).filter_map(|part| part.texture.as_ref()) {
            let known = self.textures.iter().any(|(known, _)| Arc::ptr_eq(known, picture));
            if !known && is_sound(picture) {
                self.textures.push((picture.clone(), texture(&self.context, picture)));
            }
        }
    }

    /// Draws the parts that hide what is behind them, or those that let it through.
    pub(super) fn draw(&self, scene: &RenderScene, translucent: bool, viewport: Viewport) {
        if scene.surfaces.is_empty() {
            return;
        }
        set_light(&self.program, &matrix(&scene.camera.clip_from_world()), &scene.camera, &scene.light);
        for (surface, buffers) in scene.surfaces.iter().zip(&self.buffers) {
            for (part, indices) in surface.parts.iter().zip(&buffers.parts) {
                if (part.alpha == SurfaceAlpha::Blend) == translucent && !part.indices.is_empty() {
                    self.part(surface, part, buffers, indices, viewport);
                }
            }
        }
    }

    fn part(
        &self,
        surface: &Surface,
        part: &SurfacePart,
        buffers: &Buffers,
        indices: &ElementBuffer<u32>,
        viewport: Viewport,
    ) {
        let picture = part.texture.as_ref();
        let known = self.textures.iter().find(|(known, _)| picture.is_some_and(|picture| Arc::ptr_eq(known, picture)));
        let program = &self.program;
        program.use_texture("picture", known.map_or(&self.white, |(_, texture)| texture));
        let [r, g, b, a] = part.color;
        program.use_uniform("tint", three_d::vec4(r, g, b, a));
        let [r, g, b, a] = part.glow;
        program.use_uniform("glow", three_d::vec4(r, g, b, a));
        let cutoff = match part.alpha {
            SurfaceAlpha::Mask(cutoff) => cutoff,
            SurfaceAlpha::Opaque | SurfaceAlpha::Blend => -1.0,
        };
        program.use_uniform("cutoff", cutoff);
        program.use_uniform("opaque", if part.alpha == SurfaceAlpha::Blend { 0.0_f32 } else { 1.0 });
        program.use_vertex_attribute("position", &buffers.positions);
        program.use_vertex_attribute("normal", &buffers.normals);
        program.use_vertex_attribute("coordinates", &buffers.uvs);
        program.use_vertex_attribute("color", &buffers.colors);
        let cull = match (part.double_sided, surface.mirrored) {
            (true, _) => Cull::None,
            (false, true) => Cull::Front,
            (false, false) => Cull::Back,
        };
        let blend = if part.alpha == SurfaceAlpha::Blend { OVER } else { Blend::Disabled };
        let states = RenderStates { write_mask: WriteMask::COLOR_AND_DEPTH, depth_test: DepthTest::Less, blend, cull };
        program.draw_elements(states, viewport, indices);
    }
}

impl Buffers {
    fn new(context: &Context) -> Self {
        Self {
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            uvs: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            parts: Vec::new(),
            made_from: None,
        }
    }

    fn bring(&mut self, context: &Context, surface: &Surface) {
        let before = self.made_from.take();
        let before = before.as_ref();
        let count = surface.positions.len();
        if !before.is_some_and(|before| Arc::ptr_eq(&before.positions, &surface.positions)) {
            self.positions.fill(&surface.positions);
        }
        if !before.is_some_and(|before| Arc::ptr_eq(&before.normals, &surface.normals)) {
            self.normals.fill(&surface.normals);
        }
        let same = |before: &Surface| before.positions.len() == count;
        if !before.is_some_and(|before| same(before) && Arc::ptr_eq(&before.uvs, &surface.uvs)) {
            if surface.uvs.len() == count { self.uvs.fill(&surface.uvs) } else { self.uvs.fill(&vec![[0.0; 2]; count]) }
        }
        if !before.is_some_and(|before| same(before) && Arc::ptr_eq(&before.colors, &surface.colors)) {
            let own = surface.colors.len() == count;
            if own { self.colors.fill(&surface.colors) } else { self.colors.fill(&vec![[1.0; 4]; count]) }
        }
        let ranges = |surface: &Surface| surface.parts.iter().map(|part| part.indices.clone()).collect::<Vec<_>>();
        let same =
            |before: &Surface| Arc::ptr_eq(&before.indices, &surface.indices) && ranges(before) == ranges(surface);
        if !before.is_some_and(same) {
            let own = |part: &SurfacePart| {
                let indices = surface.indices.get(part.indices.clone()).unwrap_or_default();
                let inside = indices.iter().all(|vertex| (*vertex as usize) < count);
                ElementBuffer::new_with_data(context, if inside { indices } else { &[] })
            };
            self.parts = surface.parts.iter().map(own).collect();
        }
        self.made_from = Some(surface.clone());
    }
}

fn texture(context: &Context, picture: &Picture) -> Texture2D {
    let (linear, repeat) = (Interpolation::Linear, Wrapping::Repeat);
    let (width, height) = (picture.width, picture.height);
    let mips = Some(Mipmap::default());
    let texture = Texture2D::new_empty::<[u8; 4]>(context, width, height, linear, linear, mips, repeat, repeat);
    texture.fill(&picture.pixels);
    texture
}

/// Whether a picture can become a texture.
fn is_sound(picture: &Picture) -> bool {
    let sides = 1..=LONGEST_SIDE;
    sides.contains(&picture.width)
        && sides.contains(&picture.height)
        && picture.pixels.len() as u64 == u64::from(picture.width) * u64::from(picture.height)
}
