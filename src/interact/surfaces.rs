//! Surfaces of meshes, and where the pointer meets them.

use super::{
    box_tree::BoxTree,
    input::ScreenPos,
    picking::{Hit, HitKind, SpotPart},
    projection::View,
};
use crate::{
    eval::mesh::{MeshState, PosedMesh, posed},
    math::{Ray, Vec3},
    model::{JointId, Mesh, ObjectId, Target},
};
use std::sync::{Arc, OnceLock};

/// A mesh that is picked by its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceShape {
    /// The mesh object.
    pub object: ObjectId,
    /// Its mesh.
    pub mesh: Arc<Mesh>,
    /// Where it is.
    pub state: MeshState,
    /// For each joint of its skin what a click selects there, and the joint that a drag moves; none for a whole object.
    pub skin: Vec<(Target, Option<JointId>)>,
    /// Its triangles, neighbours near each other.
    order: Arc<[u32]>,
    /// The mesh where it is with the boxes around its triangles, worked out when it is first asked for.
    posed: OnceLock<(PosedMesh, BoxTree)>,
}

/// Where a ray meets a triangle.
struct Meeting {
    /// Along the ray.
    t: f64,
    /// The triangle's corners, by number.
    corners: [usize; 3],
    /// How much of each corner the place is; they sum to 1.
    shares: [f64; 3],
}

impl SurfaceShape {
    /// A mesh in a state; `order` is that of [`super::box_tree::spatial_order`].
    #[must_use]
    pub fn new(
        object: ObjectId,
        mesh: Arc<Mesh>,
        state: MeshState,
        skin: Vec<(Target, Option<JointId>)>,
        order: Arc<[u32]>,
    ) -> Self {
        Self { object, mesh, state, skin, order, posed: OnceLock::new() }
    }

    /// The nearest place of the surface under a place on the screen, seen from either side: of a skinned mesh it stands for
    /// the joint that most of it follows there, of any other for the object.
    #[must_use]
    pub fn hit(&self, view: &View, pos: ScreenPos) -> Option<Hit> {
        let ray = view.ray(pos);
        let meeting = self.nearest(&ray)?;
        let point = ray.at(meeting.t);
        let (target, dragged) = self.grip(&meeting);
        let joint = target.joint();
        Some(Hit {
            kind: HitKind::Part,
            object: target.object(),
            joint: joint.unwrap_or(JointId(0)),
            dragged: dragged.or(joint).unwrap_or(JointId(0)),
            spot: joint.is_none().then_some((target, SpotPart::Body)),
            point,
            distance_pt: 0.0,
            depth: view.depth(&point),
        })
    }

    /// The vertex of the surface nearest to where it is seen under a place on the screen, and how far that is along the ray.
    #[must_use]
    pub fn vertex(&self, view: &View, pos: ScreenPos) -> Option<(usize, f64)> {
        let meeting = self.nearest(&view.ray(pos))?;
        let most = (0..3).max_by(|a, b| meeting.shares[*a].total_cmp(&meeting.shares[*b]))?;
        Some((meeting.corners[most], meeting.t))
    }

    /// Where its vertices are, world, single precision.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.drawn().0.positions
    }

    /// Where the surface is under a place on the screen, world, and how far that is along the ray.
    #[must_use]
    pub fn place(&self, view: &View, pos: ScreenPos) -> Option<(Vec3, f64)> {
        let ray = view.ray(pos);
        let meeting = self.nearest(&ray)?;
        Some((ray.at(meeting.t), meeting.t))
    }

    fn drawn(&self) -> &(PosedMesh, BoxTree) {
        self.posed.get_or_init(|| {
            let posed = posed(&self.mesh, &self.state);
            let boxes = BoxTree::new(&posed.positions, &self.mesh.geometry.indices, &self.order);
            (posed, boxes)
        })
    }

    /// What is meant by a place of the surface.
    fn grip(&self, meeting: &Meeting) -> (Target, Option<JointId>) {
        let whole = (Target::Object(self.object), None);
        let Some(skin) = &self.mesh.skin else { return whole };
        let mut shares = vec![0.0; skin.joints.len()];
        for (corner, part) in meeting.corners.into_iter().zip(meeting.shares) {
            for (joint, share) in skin.vertex(corner) {
                if let Some(sum) = shares.get_mut(joint) {
                    *sum += share * part;
                }
            }
        }
        let most = shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        most.and_then(|(joint, _)| self.skin.get(joint).copied()).unwrap_or(whole)
    }

    fn nearest(&self, ray: &Ray) -> Option<Meeting> {
        let indices = &self.mesh.geometry.indices;
        let (posed, boxes) = self.drawn();
        let at = |corner: usize| posed.positions.get(corner).map(|p| Vec3::from(p.map(f64::from)));
        let met = boxes.nearest(ray, |place| {
            let corners = indices.as_chunks::<3>().0.get(*self.order.get(place)? as usize)?;
            let corners = corners.map(|corner| corner as usize);
            let (t, shares) = ray.meet_triangle(&at(corners[0])?, &at(corners[1])?, &at(corners[2])?)?;
            Some((t, (corners, shares)))
        });
        met.map(|(t, (corners, shares))| Meeting { t, corners, shares })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        interact::{
            camera::OrbitCamera,
            picking::{JointShape, PickScene},
        },
        math::Affine,
        model::{Geometry, MeshPart, Parent, Skin, SkinJoint},
    };
    use std::collections::BTreeSet;

    const MESH: ObjectId = ObjectId(4);
    const RIG: ObjectId = ObjectId(1);

    fn view() -> View {
        let camera =
            OrbitCamera { pivot: Vec3::zeros(), yaw: 0.0, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        camera.view([800.0, 600.0], 2.0)
    }

    /// A square of two triangles at a depth, from -1 to 1.
    fn square(z: f32, skin: Option<Skin>) -> Arc<Mesh> {
        let positions = [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]];
        let geometry = Geometry {
            positions: Arc::from(positions.to_vec()),
            indices: Arc::from(vec![0, 1, 2, 0, 2, 3]),
            ..Geometry::default()
        };
        let parts = vec![MeshPart { vertices: 4, indices: 6, material: None }];
        Arc::new(Mesh { geometry: Arc::new(geometry), parts, skin: skin.map(Arc::new), ..Mesh::default() })
    }

    fn state(skinned: bool, joints: usize) -> MeshState {
        MeshState { maps: vec![Affine::IDENTITY; joints], skinned, ..MeshState::default() }
    }

    #[test]
    fn a_mesh_without_a_skin_stands_for_its_object_where_its_surface_is() {
        let shape = SurfaceShape::new(MESH, square(0.5, None), state(false, 1), Vec::new(), Arc::from([0, 1]));
        let view = view();
        let wanted = Vec3::new(0.3, -0.4, 0.5);
        let hit = shape.hit(&view, view.project(&wanted).unwrap()).unwrap();
        assert_eq!(hit.target(), Target::Object(MESH));
        assert!((hit.point - wanted).norm() < 1e-9);
        assert!(shape.hit(&view, view.project(&Vec3::new(1.2, 0.0, 0.5)).unwrap()).is_none());
    }

    #[test]
    fn a_skinned_mesh_stands_for_the_joint_it_mostly_follows_there() {
        let joint = |id| SkinJoint {
            joint: Parent::Joint(RIG, JointId(id)),
            joint_from_mesh: SkinJoint::rows(&Affine::IDENTITY),
        };
        let skin = Skin {
            name: String::new(),
            joints: vec![joint(1), joint(2)],
            per_vertex: 2,
            influences: Arc::from(vec![0, 1, 0, 1, 0, 1, 0, 1]),
            // The left side follows the first, the right side the second.
            weights: Arc::from(vec![1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]),
        };
        let grips = vec![
            (Target::Joint(RIG, JointId(1)), Some(JointId(7))),
            (Target::Joint(RIG, JointId(2)), Some(JointId(2))),
        ];
        let shape = SurfaceShape::new(MESH, square(0.0, Some(skin)), state(true, 2), grips, Arc::from([1, 0]));
        let view = view();
        let at = |x: f64| shape.hit(&view, view.project(&Vec3::new(x, 0.2, 0.0)).unwrap()).unwrap();
        let (left, right) = (at(-0.5), at(0.5));
        assert_eq!((left.target(), left.dragged), (Target::Joint(RIG, JointId(1)), JointId(7)));
        assert_eq!((right.target(), right.dragged), (Target::Joint(RIG, JointId(2)), JointId(2)));
    }

    #[test]
    fn the_nearer_surface_wins_and_joints_win_over_surfaces() {
        let far = SurfaceShape::new(ObjectId(5), square(-1.0, None), state(false, 1), Vec::new(), Arc::from([0, 1]));
        let near = SurfaceShape::new(MESH, square(1.0, None), state(false, 1), Vec::new(), Arc::from([0, 1]));
        let joint = JointShape { object: RIG, joint: JointId(3), selects: JointId(3), at: Vec3::new(0.0, 0.0, -3.0) };
        let scene = PickScene { surfaces: vec![far, near], joints: vec![joint], ..PickScene::default() };
        let hits = scene.hits(&view(), [400.0, 300.0], &BTreeSet::new());
        let targets: Vec<Target> = hits.iter().map(Hit::target).collect();
        let wanted = [Target::Joint(RIG, JointId(3)), Target::Object(MESH), Target::Object(ObjectId(5))];
        assert_eq!(targets, wanted);
    }
}
