//! Flat pictures in the scene, and their textures: the last few used are kept, by identity, within a bound of memory.

use super::scene::{Picture, Plate, PlateAt, RenderScene};
use super::shaders;
use crate::math::Mat4;
use std::sync::Arc;
use three_d::core::{
    Context, CoreError, ElementBuffer, Interpolation, Program, RenderStates, Texture2D, VertexBuffer, Viewport,
    Wrapping,
};

/// The most memory of textures that are kept though nothing shows them now, bytes.
const KEPT_BYTES: usize = 96 << 20;
/// The longest side of a texture; every driver of OpenGL 3.3 can do this much, and no screen shows more.
const LONGEST_SIDE: u32 = 8192;

/// Where in the order a plate is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Before everything.
    Behind,
    /// Among the solid things.
    Within,
    /// After everything but the handles.
    Front,
}

impl Depth {
    fn of(at: &PlateAt) -> Self {
        match at {
            PlateAt::Screen { front: false, .. } => Self::Behind,
            PlateAt::Screen { front: true, .. } => Self::Front,
            PlateAt::World(_) => Self::Within,
        }
    }
}

/// The program, the buffers and the textures.
pub(super) struct Plates {
    context: Context,
    program: Program,
    coordinates: VertexBuffer<[f32; 2]>,
    indices: ElementBuffer<u32>,
    /// The most recently used last.
    textures: Vec<(Arc<Picture>, Texture2D)>,
}

impl Plates {
    pub(super) fn new(context: &Context) -> Result<Self, CoreError> {
        Ok(Self {
            context: context.clone(),
            program: Program::from_source(context, shaders::PLATE_VERTEX, shaders::PLATE_FRAGMENT)?,
            coordinates: VertexBuffer::new_with_data(context, &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
            indices: ElementBuffer::new_with_data(context, &[0, 1, 2, 0, 2, 3]),
            textures: Vec::new(),
        })
    }

    /// Brings the pictures of a scene to the driver, and forgets the longest unused ones beyond the bound.
    pub(super) fn prepare(&mut self, plates: &[Plate]) {
        for plate in plates.iter().filter(|plate| is_sound(&plate.picture)) {
            let known = self.textures.iter().position(|(picture, _)| Arc::ptr_eq(picture, &plate.picture));
            let entry = match known {
                Some(index) => self.textures.remove(index),
                None => (plate.picture.clone(), self.texture(&plate.picture)),
            };
            self.textures.push(entry);
        }
        let bytes = |textures: &[(Arc<Picture>, Texture2D)]| -> usize {
            textures.iter().map(|(picture, _)| picture.pixels.len() * 4).sum()
        };
        while self.textures.len() > plates.len() && bytes(&self.textures) > KEPT_BYTES {
            self.textures.remove(0);
        }
    }

    fn texture(&self, picture: &Picture) -> Texture2D {
        let edge = Wrapping::ClampToEdge;
        let (width, height) = (picture.width, picture.height);
        let smooth = Interpolation::Linear;
        let texture = Texture2D::new_empty::<[u8; 4]>(&self.context, width, height, smooth, smooth, None, edge, edge);
        texture.fill(&picture.pixels);
        texture
    }

    /// Draws the plates of one depth, in the order given.
    pub(super) fn draw(&self, scene: &RenderScene, depth: Depth, states: RenderStates, viewport: Viewport) {
        for plate in scene.plates.iter().filter(|plate| Depth::of(&plate.at) == depth) {
            let known = self.textures.iter().find(|(picture, _)| Arc::ptr_eq(picture, &plate.picture));
            let Some((_, texture)) = known else { continue };
            let corners = corners(&plate.at, &scene.camera.clip_from_world());
            if corners.iter().flatten().any(|x| !x.is_finite()) {
                continue;
            }
            let positions = VertexBuffer::new_with_data(&self.context, &corners);
            self.program.use_texture("picture", texture);
            self.program.use_uniform("opacity", plate.opacity.clamp(0.0, 1.0) as f32);
            self.program.use_vertex_attribute("position", &positions);
            self.program.use_vertex_attribute("coordinates", &self.coordinates);
            self.program.draw_elements(states, viewport, &self.indices);
        }
    }
}

/// Whether a picture can become a texture.
fn is_sound(picture: &Picture) -> bool {
    let sides = 1..=LONGEST_SIDE;
    sides.contains(&picture.width)
        && sides.contains(&picture.height)
        && picture.pixels.len() as u64 == u64::from(picture.width) * u64::from(picture.height)
}

/// The corners in clip space: lower left, lower right, upper right, upper left.
#[expect(clippy::cast_possible_truncation, reason = "single precision is what the graphics card takes")]
fn corners(at: &PlateAt, clip_from_world: &Mat4) -> [[f32; 4]; 4] {
    match at {
        PlateAt::Screen { centre, half, .. } => {
            let corner =
                |x: f64, y: f64| [(centre[0] + x * half[0]) as f32, (centre[1] + y * half[1]) as f32, 0.0, 1.0];
            [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
        }
        PlateAt::World(corners) => corners.map(|corner| {
            let clip = clip_from_world * corner.push(1.0);
            [clip.x as f32, clip.y as f32, clip.z as f32, clip.w as f32]
        }),
    }
}
