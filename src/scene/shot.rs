//! Pictures and films of a document without a window: what is drawn, and from where.

use super::{Figures, Ghosts, GhostsOf, Stage, TrailShown};
use crate::{
    eval::{
        EvaluatedFrame, Evaluator,
        mesh::{mesh_state, posed},
        sample::{self, number},
    },
    interact::{
        camera::OrbitCamera,
        onion::OnionSkin,
        projection::{Lens, View},
        view_state::ViewportOptions,
    },
    math::{Affine, Vec3},
    model::{Camera, ChannelPath, Component, Document, ObjectId, Property},
    render::{Plate, RenderScene},
    style::{Palette, Rgba},
};
use std::collections::BTreeSet;

/// How many times of a film its camera is fitted to, at most.
const FITTED: usize = 48;

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeenFrom {
    /// From a camera that orbits.
    Orbit(OrbitCamera),
    /// Through a camera of the document, wherever it is and whatever its field of view is then.
    Object(ObjectId),
}

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Shot<'a> {
    /// The document.
    pub document: &'a Document,
    /// For poses.
    pub evaluator: &'a Evaluator,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// What is drawn.
    pub options: ViewportOptions,
    /// What is seen of other times.
    pub onion: OnionSkin,
    /// The colours.
    pub palette: &'a Palette,
    /// Behind everything, instead of the palette's.
    pub background: Option<Rgba>,
    /// Where joints go.
    pub trails: &'a [TrailShown],
}

impl Shot<'_> {
    /// A camera turned to the side and above the horizon, radians, that shows everything at all of some times, seconds.
    #[must_use]
    pub fn fitted(&self, [yaw, pitch]: [f64; 2], times: &[f64], figures: &mut Figures) -> OrbitCamera {
        let mut points = Vec::new();
        let every = times.len().div_ceil(FITTED).max(1);
        for secs in times.iter().step_by(every).chain(times.last()) {
            let frame = self.evaluator.frame(self.document, *secs);
            for part in figures.part_shapes(self.document, &frame, |_| true) {
                for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                    let around = axis * part.radius;
                    points.extend([part.from - around, part.from + around, part.to - around, part.to + around]);
                }
            }
            points.extend(self.surfaces(&frame));
            points.extend(frame.objects.values().filter(|placed| placed.rig.is_none()).map(|at| at.world.translation));
        }
        OrbitCamera { yaw, pitch, ..OrbitCamera::default() }.sane().framing(points, self.size.map(f64::from))
    }

    /// The corners of the boxes around the meshes that are seen.
    fn surfaces(&self, frame: &EvaluatedFrame) -> Vec<Vec3> {
        let mut corners = Vec::new();
        if !self.options.mesh {
            return corners;
        }
        for (id, object) in self.document.objects.iter().filter(|(_, object)| !object.hidden) {
            let Some(mesh) = object.as_mesh() else { continue };
            let Some(state) = mesh_state(self.document, frame, *id) else { continue };
            let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for point in &posed(mesh, &state).positions {
                for axis in 0..3 {
                    least[axis] = least[axis].min(f64::from(point[axis]));
                    most[axis] = most[axis].max(f64::from(point[axis]));
                }
            }
            let corner = |n: usize| {
                Vec3::from(std::array::from_fn::<f64, 3, _>(
                    |axis| if n >> axis & 1 == 0 { least[axis] } else { most[axis] },
                ))
            };
            corners.extend((0..8).map(corner).filter(|corner| corner.iter().all(|part| part.is_finite())));
        }
        corners
    }

    /// The picture at a time, seconds.
    #[must_use]
    pub fn scene(
        &self,
        secs: f64,
        from: &SeenFrom,
        plates: &[Plate],
        (figures, ghosts): (&mut Figures, &mut Ghosts),
    ) -> RenderScene {
        let frame = self.evaluator.frame(self.document, secs);
        let rigs: Vec<ObjectId> =
            self.document.rigs().filter(|(_, object, _)| !object.hidden).map(|(id, ..)| id).collect();
        let of = GhostsOf {
            document: self.document,
            evaluator: self.evaluator,
            secs,
            onion: self.onion,
            palette: self.palette,
        };
        let ghosts = ghosts.of(&of, rigs, figures);
        let nothing = BTreeSet::new();
        let stage = Stage {
            document: self.document,
            frame: &frame,
            view: &self.view(from, &frame),
            options: self.options,
            isolated: None,
            selected: &nothing,
            hovered: None,
            gizmo: None,
            weighed: None,
            ghosts: &ghosts,
            trails: self.trails,
            plates,
            palette: self.palette,
        };
        let mut scene = stage.scene(figures);
        if let Some(background) = self.background {
            scene.background = background;
        }
        scene
    }

    /// The camera's view of all joints of a frame.
    fn view(&self, from: &SeenFrom, frame: &EvaluatedFrame) -> View {
        let size = self.size.map(f64::from);
        let reach = |about: &Vec3| {
            let mut most = 0.0_f64;
            for placed in frame.objects.values() {
                let joints = placed.rig.iter().flat_map(|rig| &rig.model);
                let places = joints.map(|model| placed.world.point(&model.translation));
                let places = places.chain([placed.world.translation]);
                most = places.map(|at| (at - about).norm()).filter(|d| d.is_finite()).fold(most, f64::max);
            }
            most
        };
        match *from {
            SeenFrom::Orbit(camera) => camera.view(size, reach(&camera.pivot)),
            SeenFrom::Object(id) => {
                let world = frame.objects.get(&id).map_or(Affine::IDENTITY, |placed| placed.world);
                // What it looks at is as far as everything there is.
                let distance = reach(&world.translation).max(0.1);
                View::through(&world, Lens { fov_y: self.fov_of(id, frame.secs), distance }, size, distance)
            }
        }
    }

    /// The field of view of a camera object, radians.
    fn fov_of(&self, camera: ObjectId, secs: f64) -> f64 {
        let clip = self.document.clip_of(camera).and_then(|clip| self.document.clip(clip));
        let path = ChannelPath::object(camera, Property::FieldOfView, Component::Only);
        let fov = number(self.document, clip.map(|clip| &**clip), path, secs, sample::Stage::Shown);
        fov.unwrap_or_else(|| Camera::default().fov_y).clamp(Camera::FIELD.0, Camera::FIELD.1)
    }
}
