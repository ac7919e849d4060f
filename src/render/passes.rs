//! The order in which a scene is drawn, and the buffers that carry it to the driver.

use super::grid;
use super::marks::{Marks, Projector};
use super::plates::{Depth, Plates};
use super::renderer::rgb;
use super::scene::{Camera, Light, RenderScene};
use super::shaders;
use super::shadows::Shadows;
use super::solids::Solids;
use super::surfaces::Surfaces;
use crate::math::{Mat4, Vec3};
use three_d::core::{
    Blend, BlendEquationType, BlendMultiplierType, Context, CoreError, Cull, DepthTest, ElementBuffer, Program,
    RenderStates, VertexBuffer, Viewport, WriteMask,
};

/// Premultiplied colours, as egui blends them: in sRGB.
pub(super) const OVER: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    destination_alpha_multiplier: BlendMultiplierType::OneMinusSrcAlpha,
    rgb_equation: BlendEquationType::Add,
    alpha_equation: BlendEquationType::Add,
};

/// The darker of the two.
const DARKEST: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::One,
    destination_alpha_multiplier: BlendMultiplierType::One,
    rgb_equation: BlendEquationType::Min,
    alpha_equation: BlendEquationType::Max,
};

/// Neither reads nor writes depth.
const FLAT: RenderStates =
    RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, blend: OVER, cull: Cull::None };

/// Opaque things.
const SOLID: RenderStates = RenderStates {
    write_mask: WriteMask::COLOR_AND_DEPTH,
    depth_test: DepthTest::Less,
    blend: Blend::Disabled,
    cull: Cull::Back,
};

/// Programs, and one set of buffers for each thing drawn.
pub(super) struct Passes {
    solid_program: Program,
    mark_program: Program,
    shadow_program: Program,
    plates: Plates,
    surfaces: Surfaces,
    solids: SolidPass,
    translucent: SolidPass,
    ghosts: SolidPass,
    ground: MarkPass,
    marks: MarkPass,
    overlay: MarkPass,
    shadows: ShadowPass,
}

impl Passes {
    /// Compiles the programs.
    pub(super) fn new(context: &Context) -> Result<Self, CoreError> {
        Ok(Self {
            solid_program: Program::from_source(context, shaders::SOLID_VERTEX, shaders::SOLID_FRAGMENT)?,
            mark_program: Program::from_source(context, shaders::MARK_VERTEX, shaders::MARK_FRAGMENT)?,
            shadow_program: Program::from_source(context, shaders::SHADOW_VERTEX, shaders::SHADOW_FRAGMENT)?,
            plates: Plates::new(context)?,
            surfaces: Surfaces::new(context)?,
            solids: SolidPass::new(context),
            translucent: SolidPass::new(context),
            ghosts: SolidPass::new(context),
            ground: MarkPass::new(context),
            marks: MarkPass::new(context),
            overlay: MarkPass::new(context),
            shadows: ShadowPass::new(context),
        })
    }

    /// Turns a scene into buffers for a picture of this size.
    pub(super) fn prepare(&mut self, scene: &RenderScene, width: u32, height: u32, pixels_per_point: f64) {
        let view = Projector::new(&scene.camera, width, height, pixels_per_point);
        self.solids.data.clear();
        self.translucent.data.clear();
        for instance in &scene.instances {
            match instance.color.0[3] {
                255 => self.solids.data.push(instance),
                0 => {}
                _ => self.translucent.data.push(instance),
            }
        }
        self.ghosts.data.clear();
        for (slice, ghost) in (0_u16..).zip(&scene.ghosts) {
            self.ghosts.data.push_ghost(ghost, f32::from(slice));
        }
        self.plates.prepare(&scene.plates);
        self.surfaces.prepare(&scene.surfaces);
        self.ground.data.clear();
        self.shadows.data.clear();
        if let Some(ground) = &scene.ground {
            grid::push(ground, &view, &mut self.ground.data);
            self.shadows.data.push_all(ground);
        }
        self.marks.data.clear();
        self.marks.data.push_layer(&view, &scene.marks);
        self.overlay.data.clear();
        self.overlay.data.push_layer(&view, &scene.overlay);
        self.solids.upload();
        self.translucent.upload();
        self.ghosts.upload();
        self.ground.upload();
        self.marks.upload();
        self.overlay.upload();
        self.shadows.upload();
    }

    /// Whether something is to be drawn by [`Self::draw_behind`] that leaves depth behind.
    pub(super) fn has_ghosts(&self) -> bool {
        !self.ghosts.data.indices.is_empty()
    }

    /// Draws what lies behind everything: shadows, pictures, the grid, and last the ghosts, whose depth is to be cleared
    /// before [`Self::draw`].
    pub(super) fn draw_behind(&self, scene: &RenderScene, viewport: Viewport) {
        let clip_from_world = matrix(&scene.camera.clip_from_world());
        if let Some(ground) = &scene.ground
            && !self.shadows.data.indices.is_empty()
        {
            let program = &self.shadow_program;
            program.use_uniform("clip_from_world", clip_from_world);
            program.use_uniform("ground", three_d::Vec3::from(rgb(scene.background.0)));
            program.use_uniform("darkest", three_d::Vec3::from(rgb(ground.shadow_color.0)));
            program.use_vertex_attribute("position", &self.shadows.positions);
            program.use_vertex_attribute("shape", &self.shadows.shapes);
            program.use_vertex_attribute("strength", &self.shadows.strengths);
            program.draw_elements(RenderStates { blend: DARKEST, ..FLAT }, viewport, &self.shadows.indices);
        }
        self.plates.draw(scene, Depth::Behind, FLAT, viewport);
        self.ground.draw(&self.mark_program, FLAT, viewport);
        if self.has_ghosts() {
            set_light(&self.solid_program, &clip_from_world, &scene.camera, &scene.light);
            self.solid_program.use_uniform("slices", scene.ghosts.len().max(1) as f32);
            self.ghosts.draw_translucent(&self.solid_program, viewport);
        }
    }

    /// Draws the scene proper, back to front where it matters: what lies behind everything costs no depth.
    pub(super) fn draw(&self, scene: &RenderScene, viewport: Viewport) {
        let clip_from_world = matrix(&scene.camera.clip_from_world());
        set_light(&self.solid_program, &clip_from_world, &scene.camera, &scene.light);
        self.solid_program.use_uniform("slices", 1.0_f32);
        self.solids.draw(&self.solid_program, SOLID, viewport);
        self.surfaces.draw(scene, false, viewport);
        self.surfaces.draw(scene, true, viewport);
        self.translucent.draw_translucent(&self.solid_program, viewport);
        self.plates.draw(scene, Depth::Within, RenderStates { depth_test: DepthTest::LessOrEqual, ..FLAT }, viewport);
        let behind = RenderStates { depth_test: DepthTest::LessOrEqual, ..FLAT };
        self.marks.draw(&self.mark_program, behind, viewport);
        self.plates.draw(scene, Depth::Front, FLAT, viewport);
        self.overlay.draw(&self.mark_program, FLAT, viewport);
    }
}

pub(super) fn set_light(program: &Program, clip_from_world: &three_d::Mat4, camera: &Camera, light: &Light) {
    let world_from_view = camera.view_from_world.rotation().inverse();
    let toward_light = light.toward_in_view.try_normalize(1e-9).unwrap_or_else(Vec3::z);
    program.use_uniform("clip_from_world", clip_from_world);
    program.use_uniform("toward_light", vector(&(world_from_view * toward_light)));
    program.use_uniform("toward_eye", vector(&(world_from_view * Vec3::z())));
    program.use_uniform("amount", vector(&Vec3::new(light.key, light.sky, light.floor)));
}

/// Solid triangles and their buffers.
struct SolidPass {
    data: Solids,
    positions: VertexBuffer<[f32; 4]>,
    normals: VertexBuffer<[f32; 3]>,
    colors: VertexBuffer<[u8; 4]>,
    indices: ElementBuffer<u32>,
}

impl SolidPass {
    fn new(context: &Context) -> Self {
        Self {
            data: Solids::default(),
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            indices: ElementBuffer::new(context),
        }
    }

    fn upload(&mut self) {
        if !self.data.indices.is_empty() {
            self.positions.fill(&self.data.positions);
            self.normals.fill(&self.data.normals);
            self.colors.fill(&self.data.colors);
            self.indices.fill(&self.data.indices);
        }
    }

    fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        if !self.data.indices.is_empty() {
            program.use_vertex_attribute("position", &self.positions);
            program.use_vertex_attribute("normal", &self.normals);
            program.use_vertex_attribute("color", &self.colors);
            program.draw_elements(states, viewport, &self.indices);
        }
    }
}

impl SolidPass {
    /// Depth first, so that a translucent thing's far side and inner parts do not shine through.
    fn draw_translucent(&self, program: &Program, viewport: Viewport) {
        self.draw(program, RenderStates { write_mask: WriteMask::DEPTH, ..SOLID }, viewport);
        let colour =
            RenderStates { blend: OVER, depth_test: DepthTest::LessOrEqual, write_mask: WriteMask::COLOR, ..SOLID };
        self.draw(program, colour, viewport);
    }
}

/// Marks and their buffers.
struct MarkPass {
    data: Marks,
    positions: VertexBuffer<[f32; 3]>,
    shapes: VertexBuffer<[f32; 4]>,
    colors: VertexBuffer<[u8; 4]>,
    indices: ElementBuffer<u32>,
}

impl MarkPass {
    fn new(context: &Context) -> Self {
        Self {
            data: Marks::default(),
            positions: VertexBuffer::new(context),
            shapes: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            indices: ElementBuffer::new(context),
        }
    }

    fn upload(&mut self) {
        if !self.data.indices.is_empty() {
            self.positions.fill(&self.data.positions);
            self.shapes.fill(&self.data.shapes);
            self.colors.fill(&self.data.colors);
            self.indices.fill(&self.data.indices);
        }
    }

    fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        if !self.data.indices.is_empty() {
            program.use_vertex_attribute("position", &self.positions);
            program.use_vertex_attribute("shape", &self.shapes);
            program.use_vertex_attribute("color", &self.colors);
            program.draw_elements(states, viewport, &self.indices);
        }
    }
}

/// Shadows and their buffers.
struct ShadowPass {
    data: Shadows,
    positions: VertexBuffer<[f32; 3]>,
    shapes: VertexBuffer<[f32; 4]>,
    strengths: VertexBuffer<[f32; 2]>,
    indices: ElementBuffer<u32>,
}

impl ShadowPass {
    fn new(context: &Context) -> Self {
        Self {
            data: Shadows::default(),
            positions: VertexBuffer::new(context),
            shapes: VertexBuffer::new(context),
            strengths: VertexBuffer::new(context),
            indices: ElementBuffer::new(context),
        }
    }

    fn upload(&mut self) {
        if !self.data.indices.is_empty() {
            self.positions.fill(&self.data.positions);
            self.shapes.fill(&self.data.shapes);
            self.strengths.fill(&self.data.strengths);
            self.indices.fill(&self.data.indices);
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn vector(v: &Vec3) -> three_d::Vec3 {
    three_d::vec3(v.x as f32, v.y as f32, v.z as f32)
}

#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
pub(super) fn matrix(m: &Mat4) -> three_d::Mat4 {
    let column = |c: usize| three_d::vec4(m[(0, c)] as f32, m[(1, c)] as f32, m[(2, c)] as f32, m[(3, c)] as f32);
    three_d::Mat4::from_cols(column(0), column(1), column(2), column(3))
}
