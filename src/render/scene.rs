//! What is to be drawn: plain data without any graphics type, cheap to build anew for every frame.
//!
//! World space is right-handed, Y up, metres. Widths and radii that must not change with zoom are in logical points.

use crate::math::{Affine, Mat4, Vec3};
use crate::style::Rgba;
use std::sync::Arc;

/// A triangle mesh with smooth normals. Front faces are counter-clockwise; back faces are not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertex positions in the mesh's space, metres.
    pub positions: Vec<[f32; 3]>,
    /// One unit normal a vertex.
    pub normals: Vec<[f32; 3]>,
    /// Three vertex indices a triangle; a triangle with an index out of range is not drawn.
    pub indices: Vec<u32>,
}

impl Mesh {
    /// Several placed meshes as one, in the world. What is not finite, or whose parts disagree, is left out.
    #[must_use]
    pub fn merged<'a>(parts: impl IntoIterator<Item = (&'a Arc<Self>, Affine)>) -> Self {
        let mut solids = super::solids::Solids::default();
        for (mesh, world_from_mesh) in parts {
            solids.push_placed(mesh, &world_from_mesh, Rgba::hex(0));
        }
        let positions = solids.positions.iter().map(|[x, y, z, _]| [*x, *y, *z]).collect();
        Self { positions, normals: solids.normals, indices: solids.indices }
    }
}

/// One placed copy of a shared mesh.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The mesh; copies share it by identity.
    pub mesh: Arc<Mesh>,
    /// Where it is.
    pub world_from_mesh: Affine,
    /// Its colour under full light. Alpha below 255 makes it translucent, showing its nearest surface only.
    pub color: Rgba,
}

/// A figure at another time: one mesh in the world, in one colour.
///
/// Ghosts lie behind all solid things, whatever their depth, and the first behind none of the others: the present pose is
/// always seen whole, and of several ghosts the one nearest in time.
#[derive(Clone, Debug)]
pub struct Ghost {
    /// Positions in the world; shared by identity.
    pub mesh: Arc<Mesh>,
    /// Its colour; alpha is how much it covers.
    pub color: Rgba,
    /// Without light and shade: a silhouette.
    pub flat: bool,
}

/// A picture in memory: what is shown on a plate, or what was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Red green blue alpha (straight), rows from the top down.
    pub pixels: Vec<[u8; 4]>,
}

/// Where a plate is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlateAt {
    /// On the screen, behind everything in the scene, or in front of it. Centre and half size in parts of half the picture's
    /// width and height: the centre (0, 0) and half size (1, 1) fill it; Y up.
    Screen {
        /// Its middle.
        centre: [f64; 2],
        /// Half its width and height.
        half: [f64; 2],
        /// Over everything instead of behind it.
        front: bool,
    },
    /// Standing in the world: lower left, lower right, upper right, upper left corner; hidden by what is before it.
    World([Vec3; 4]),
}

/// A flat picture in the scene, such as a reference to animate by.
#[derive(Clone, Debug)]
pub struct Plate {
    /// What it shows; shared by identity. One whose number of pixels is not width by height is not drawn.
    pub picture: Arc<Picture>,
    /// Where.
    pub at: PlateAt,
    /// 0 (invisible) to 1.
    pub opacity: f64,
}

/// A mesh in the world. Its arrays are shared: the same `Arc` again is not brought to the driver again.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertex positions, world.
    pub positions: Arc<Vec<[f32; 3]>>,
    /// One normal a vertex, world, of about unit length.
    pub normals: Arc<Vec<[f32; 3]>>,
    /// One texture coordinate a vertex, or none at all.
    pub uvs: Arc<[[f32; 2]]>,
    /// One linear colour a vertex, or none at all.
    pub colors: Arc<[[f32; 4]]>,
    /// Three vertex indices a triangle, counter-clockwise from the front.
    pub indices: Arc<[u32]>,
    /// Which triangles look like what.
    pub parts: Vec<SurfacePart>,
    /// Whether its placement turns front faces into back faces.
    pub mirrored: bool,
}

/// A run of triangles that look alike.
#[derive(Clone, Debug)]
pub struct SurfacePart {
    /// Which of the surface's indices.
    pub indices: std::ops::Range<usize>,
    /// Linear colour with straight alpha; multiplies vertex colours and texture.
    pub color: [f32; 4],
    /// What is painted on it.
    pub texture: Option<Arc<Picture>>,
    /// Whether its back is drawn too.
    pub double_sided: bool,
    /// What alpha does.
    pub alpha: SurfaceAlpha,
    /// A colour laid over it, as on the screen, and how much of it, 0 to 1: what is selected shows by it.
    pub glow: [f32; 4],
}

/// What the alpha of a surface does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceAlpha {
    /// Nothing.
    Opaque,
    /// Below this it is not there.
    Mask(f32),
    /// It lets through what is behind.
    Blend,
}

/// A straight line of constant width on the screen, with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Start, world.
    pub from: Vec3,
    /// End, world.
    pub to: Vec3,
    /// Width at the start, points.
    pub width_from_pt: f32,
    /// Width at the end, points.
    pub width_to_pt: f32,
    /// Colour at the start.
    pub color_from: Rgba,
    /// Colour at the end.
    pub color_to: Rgba,
}

impl Stroke {
    /// A line of one width and colour.
    #[must_use]
    pub fn plain(from: Vec3, to: Vec3, width_pt: f32, color: Rgba) -> Self {
        Self { from, to, width_from_pt: width_pt, width_to_pt: width_pt, color_from: color, color_to: color }
    }
}

/// A disc of constant size on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Centre, world.
    pub at: Vec3,
    /// Radius of the disc without its edge, points.
    pub radius_pt: f32,
    /// Colour of the disc.
    pub color: Rgba,
    /// Width of the edge around it, points; 0 for none.
    pub edge_pt: f32,
    /// Colour of the edge.
    pub edge: Rgba,
}

/// A flat unlit triangle, seen from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Corners, world.
    pub corners: [Vec3; 3],
    /// Colour.
    pub color: Rgba,
}

/// Marks drawn together: faces first, then strokes, then dots, each in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Triangles.
    pub faces: Vec<Face>,
    /// Lines.
    pub strokes: Vec<Stroke>,
    /// Discs.
    pub dots: Vec<Dot>,
}

/// A capsule that darkens the ground below it: the cue by which one sees how high a foot is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    /// One end, world.
    pub from: Vec3,
    /// The other end, world.
    pub to: Vec3,
    /// Radius, metres.
    pub radius: f64,
}

/// The ground: a grid with axes at one height, and the shadows on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// Height of the plane, metres.
    pub height: f64,
    /// Colour of the grid's lines.
    pub grid: Rgba,
    /// Colours of the X, Y and Z axes.
    pub axes: [Rgba; 3],
    /// Darkest colour of a shadow.
    pub shadow_color: Rgba,
    /// A shadow is gone when its capsule is this far above the ground, metres.
    pub shadow_reach: f64,
    /// What casts a shadow.
    pub shadows: Vec<Shadow>,
    /// A point of interest near which the grid is finest, world; usually the camera's pivot.
    pub focus: Vec3,
}

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// View space: the eye at the origin, looking along -Z, Y up.
    pub view_from_world: Affine,
    /// OpenGL clip space, depth -1 to 1; perspective or orthographic.
    pub clip_from_view: Mat4,
}

impl Camera {
    /// Clip space straight from the world.
    #[must_use]
    pub fn clip_from_world(&self) -> Mat4 {
        self.clip_from_view * self.view_from_world.to_mat4()
    }
}

/// One key light from the eye's side and a sky that is brighter than the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit direction towards the light, in view space, so that the shaded side never faces the viewer.
    pub toward_in_view: Vec3,
    /// Linear light from the key, 0 to 1.
    pub key: f64,
    /// Linear light from straight above, 0 to 1.
    pub sky: f64,
    /// Linear light from straight below, 0 to 1.
    pub floor: f64,
}

impl Default for Light {
    fn default() -> Self {
        // Key, sky and floor sum to just over 1 where a surface faces the light: there the colour is as given.
        Self { toward_in_view: Vec3::new(-0.42, 0.62, 0.66), key: 0.62, sky: 0.46, floor: 0.16 }
    }
}

/// A whole picture.
#[derive(Clone, Debug)]
pub struct RenderScene {
    /// Behind everything.
    pub background: Rgba,
    /// Where it is seen from.
    pub camera: Camera,
    /// How it is lit.
    pub light: Light,
    /// The ground, if shown.
    pub ground: Option<Ground>,
    /// Pictures.
    pub plates: Vec<Plate>,
    /// Figures at other times, the one on top first.
    pub ghosts: Vec<Ghost>,
    /// Solid things.
    pub instances: Vec<Instance>,
    /// Meshes with what they look like.
    pub surfaces: Vec<Surface>,
    /// Marks hidden by what is in front of them, such as motion trails.
    pub marks: Layer,
    /// Marks on top of everything: joints, bones, handles.
    pub overlay: Layer,
}
