//! A picture of a character in one pose: for the pose library.

use super::{Figures, Mannequin};
use crate::{
    eval::{fk, limbs::Side},
    interact::camera::OrbitCamera,
    math::{Affine, Vec3},
    model::{Document, ObjectId, Pose, Rig},
    render::{Camera, Instance, Layer, Light, RenderScene},
    style::{Palette, Rgba},
};
use std::sync::Arc;

/// From how far beside the front it is seen, radians.
const BESIDE: f64 = 0.55;
/// From how far above, radians.
const ABOVE: f64 = 0.12;
/// How much of the background the parts take that the pose says nothing of.
const UNSAID: f64 = 0.6;

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Portrait<'a> {
    /// The document.
    pub document: &'a Document,
    /// The rig.
    pub object: ObjectId,
    /// The pose; other joints are at rest.
    pub pose: &'a Pose,
    /// Width and height, in any unit.
    pub size: [f64; 2],
    /// The colours.
    pub palette: &'a Palette,
}

impl Portrait<'_> {
    /// The picture: from the front and a little beside, the figure filling it. Parts the pose does not speak of are paler.
    /// None where the object is no rig.
    #[must_use]
    pub fn scene(&self, figures: &mut Figures) -> Option<RenderScene> {
        let object = self.document.object(self.object)?;
        let rig = object.as_rig()?;
        // Standing as its object stands, but at the origin.
        let world = Affine { translation: Vec3::zeros(), ..object.transform.to_affine() };
        let (joints, said) = posed(rig, self.pose, &world);
        let mannequin = figures.get(self.document, self.object);
        let camera = self.camera(&mannequin, &joints);
        let radius = mannequin.size.max(1e-3);
        let view = camera.view(self.size, radius);
        let instances = mannequin.parts.iter().filter_map(|part| {
            let (place, said) = (*joints.get(part.joint)?, *said.get(part.joint)?);
            let own = self.color(part.side);
            let color = if said { own } else { own.mix(self.palette.viewport, UNSAID) };
            Some(Instance { mesh: Arc::clone(&part.mesh), world_from_mesh: place, color })
        });
        Some(RenderScene {
            background: self.palette.viewport,
            camera: Camera { view_from_world: *view.view_from_world(), clip_from_view: view.clip_from_view() },
            light: Light::default(),
            ground: None,
            plates: Vec::new(),
            ghosts: Vec::new(),
            instances: instances.collect(),
            surfaces: Vec::new(),
            marks: Layer::default(),
            overlay: Layer::default(),
        })
    }

    fn color(&self, side: Side) -> Rgba {
        match side {
            Side::Left => self.palette.part_left,
            Side::Right => self.palette.part_right,
            Side::Middle => self.palette.part_centre,
        }
    }

    fn camera(&self, mannequin: &Mannequin, joints: &[Affine]) -> OrbitCamera {
        let front = mannequin.front.and_then(|(joint, front)| Some(joints.get(joint)?.rotation() * front));
        let front = front.unwrap_or_else(Vec3::z);
        // One who lies on the back looks nowhere: then from the world's front.
        let yaw = if front.x.hypot(front.z) > 0.2 { front.x.atan2(front.z) } else { 0.0 };
        let camera = OrbitCamera { yaw: yaw + BESIDE, pitch: ABOVE, ..OrbitCamera::default() };
        let ends = mannequin.parts.iter().filter_map(|part| {
            let place = joints.get(part.joint)?;
            let around = |at: &Vec3, radius: f64| {
                [Vec3::x(), Vec3::y(), Vec3::z()]
                    .map(|axis| place.point(at) + axis * radius)
                    .into_iter()
                    .chain([Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| place.point(at) - axis * radius))
            };
            Some(around(&part.a, part.radius_a).chain(around(&part.b, part.radius_b)))
        });
        camera.framing(ends.flatten().collect::<Vec<_>>(), self.size)
    }
}

/// The joints in the world, and whether the pose speaks of each.
fn posed(rig: &Rig, pose: &Pose, world: &Affine) -> (Vec<Affine>, Vec<bool>) {
    let mut locals: Vec<_> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut said = vec![false; locals.len()];
    for (index, local) in pose.on(&rig.skeleton) {
        locals[index] = local;
        said[index] = true;
    }
    // A bone's tip is its joint's.
    for (index, parent) in rig.skeleton.parents().iter().enumerate() {
        if rig.skeleton.joints()[index].is_end() {
            said[index] = parent.is_some_and(|parent| said[parent]);
        }
    }
    let mut joints = Vec::new();
    fk::model_from_locals(rig.skeleton.tree(), &locals, world, &mut joints);
    (joints, said)
}
