//! Pictures and films of a document without a window: what is drawn, and from where.

use super::{Figures, Ghosts, GhostsOf, Stage};
use crate::{
    eval::Evaluator,
    interact::{camera::OrbitCamera, onion::OnionSkin, projection::View, view_state::ViewportOptions},
    math::Vec3,
    model::{Document, ObjectId},
    render::{Plate, RenderScene},
    style::{Palette, Rgba},
};
use std::collections::BTreeSet;

/// How many times of a film its camera is fitted to, at most.
const FITTED: usize = 48;

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
            points.extend(frame.objects.values().filter(|placed| placed.rig.is_none()).map(|at| at.world.translation));
        }
        OrbitCamera { yaw, pitch, ..OrbitCamera::default() }.sane().framing(points, self.size.map(f64::from))
    }

    /// The picture at a time, seconds.
    #[must_use]
    pub fn scene(
        &self,
        secs: f64,
        camera: &OrbitCamera,
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
            view: &self.view(camera, &frame),
            options: self.options,
            isolated: None,
            selected: &nothing,
            hovered: None,
            gizmo: None,
            ghosts: &ghosts,
            trails: &[],
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
    fn view(&self, camera: &OrbitCamera, frame: &crate::eval::EvaluatedFrame) -> View {
        let mut most = 0.0_f64;
        for placed in frame.objects.values() {
            let joints = placed.rig.iter().flat_map(|rig| &rig.model);
            let places = joints.map(|model| placed.world.point(&model.translation)).chain([placed.world.translation]);
            most = places.map(|at| (at - camera.pivot).norm()).filter(|d| d.is_finite()).fold(most, f64::max);
        }
        camera.view(self.size.map(f64::from), most)
    }
}
