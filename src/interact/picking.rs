//! What the pointer is over in the 3D view, worked out on the processor.
//!
//! Gizmo handles win over spots (points of paths and their handles), spots over joints, joints over the places of objects
//! without a body (but where one is selected), these over bones, bones over the mannequin's parts; within one kind the selected win,
//! then the nearest on the screen, then the nearest to the eye. Joints and bones are drawn through the character, so
//! they are picked through it; of parts and of the surfaces of meshes only those on the ray count. (Gizmo handles: see [`super::gizmo`].)

use super::{
    input::{ScreenPos, distance},
    projection::View,
    surfaces::SurfaceShape,
};
use crate::eval::limbs::Limbs;
use crate::{
    math::Vec3,
    model::{JointId, ObjectId, Target},
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Radius around a joint in which it is hit, points; larger than it is drawn.
pub const JOINT_HIT_PT: f64 = 10.0;
/// Radius around the tip of a bone, points: less, so that tips do not cover joints.
pub const TIP_HIT_PT: f64 = 7.0;
/// Distance from a bone's line, points.
pub const BONE_HIT_PT: f64 = 5.0;
/// How much wider than drawn a part of the mannequin is hit, points.
pub const PART_MARGIN_PT: f64 = 2.0;

/// A joint, or the tip of a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointShape {
    /// The rig object.
    pub object: ObjectId,
    /// The joint itself.
    pub joint: JointId,
    /// What a click selects: the joint; for a tip the joint whose bone ends there.
    pub selects: JointId,
    /// Where it is, world.
    pub at: Vec3,
}

impl JointShape {
    /// Whether it is only the tip of a bone.
    #[must_use]
    pub fn is_tip(&self) -> bool {
        self.joint != self.selects
    }
}

/// A bone: the line from a joint to one of its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    /// The rig object.
    pub object: ObjectId,
    /// The joint it starts at, whose rotation turns it.
    pub joint: JointId,
    /// The joint whose drag moves it with the pointer.
    pub dragged: JointId,
    /// Where it starts, world.
    pub from: Vec3,
    /// Where it ends, world.
    pub to: Vec3,
}

/// A rigid part of the mannequin: a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartShape {
    /// The rig object.
    pub object: ObjectId,
    /// The joint whose rotation turns it.
    pub joint: JointId,
    /// The joint whose drag moves it with the pointer.
    pub dragged: JointId,
    /// One end, world.
    pub from: Vec3,
    /// The other end, world.
    pub to: Vec3,
    /// Radius, metres.
    pub radius: f64,
}

/// A joint of a small part of the body, such as a finger: seen from afar it stands for what the part hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detail {
    /// The joint the part hangs on.
    pub into: JointId,
    /// How long the part is, metres.
    pub reach: f64,
    /// On the screen it must be longer than this to be picked by itself, points.
    pub least_pt: f64,
}

/// Radius around a spot in which it is hit, points.
pub const SPOT_HIT_PT: f64 = 9.0;

/// A part of a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpotPart {
    /// The spot itself.
    Body,
    /// The tangent handle before a point.
    HandleIn,
    /// The tangent handle after a point.
    HandleOut,
    /// Where a deformer begins along its axis.
    Low,
    /// Where a deformer ends along its axis.
    High,
    /// How much a deformer does.
    Amount,
}

/// Something small at a place: a point of a path, one of its handles, an object without a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpotShape {
    /// What a click selects.
    pub target: Target,
    /// Which part of it: handles are picked only where their point is selected.
    pub part: SpotPart,
    /// Where it is, world.
    pub at: Vec3,
}

/// Everything that can be picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PickScene {
    /// Points of paths, their handles, and objects without a body.
    pub spots: Vec<SpotShape>,
    /// The joints and tips of small parts.
    pub details: BTreeMap<(ObjectId, JointId), Detail>,
    /// Joints and tips.
    pub joints: Vec<JointShape>,
    /// Bones.
    pub bones: Vec<BoneShape>,
    /// Parts of the mannequin.
    pub parts: Vec<PartShape>,
    /// Meshes.
    pub surfaces: Vec<SurfaceShape>,
    /// The lattices whose points are among the spots: these are picked only while their lattice is in hand, and then nothing
    /// else is.
    pub lattices: BTreeSet<ObjectId>,
    /// The limbs of the rigs that are shown.
    pub limbs: BTreeMap<ObjectId, Arc<Limbs>>,
}

/// The kinds of things picked, the one that wins first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitKind {
    /// A point of a path.
    Spot,
    /// A joint or a tip.
    Joint,
    /// The place of an object without a body.
    Place,
    /// A bone.
    Bone,
    /// A part of the mannequin, or the surface of a mesh.
    Part,
}

/// Something under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// What kind of thing.
    pub kind: HitKind,
    /// The object.
    pub object: ObjectId,
    /// What a click selects, where it is no spot.
    pub joint: JointId,
    /// What a drag moves, where it is no spot.
    pub dragged: JointId,
    /// The spot and its part, where it is one.
    pub spot: Option<(Target, SpotPart)>,
    /// The point grabbed, world.
    pub point: Vec3,
    /// From the pointer, points; 0 on a part.
    pub distance_pt: f64,
    /// From the eye's plane, metres.
    pub depth: f64,
}

impl Hit {
    /// What a click on it selects.
    #[must_use]
    pub const fn target(&self) -> Target {
        match self.spot {
            Some((target, _)) => target,
            None => Target::Joint(self.object, self.joint),
        }
    }
}

impl PickScene {
    /// Everything under a place on the screen, the one that wins first; each target once for a kind.
    #[must_use]
    pub fn hits(&self, view: &View, pos: ScreenPos, selected: &BTreeSet<Target>) -> Vec<Hit> {
        let held = self.in_hand(selected);
        if !held.is_empty() {
            let own = self.spots.iter().filter(|spot| held.contains(&spot.target.object()));
            let mut hits: Vec<Hit> = own.filter_map(|spot| hit_spot(spot, view, pos)).collect();
            hits.sort_by(|a, b| {
                let unselected = |hit: &Hit| !selected.contains(&hit.target());
                (a.kind, unselected(a))
                    .cmp(&(b.kind, unselected(b)))
                    .then(a.distance_pt.total_cmp(&b.distance_pt))
                    .then(a.depth.total_cmp(&b.depth))
                    .then(a.spot.cmp(&b.spot))
            });
            return hits;
        }
        let joints = self.joints.iter().filter_map(|joint| Some((joint.joint, hit_joint(joint, view, pos)?)));
        let bones = self.bones.iter().filter_map(|bone| Some((bone.joint, hit_bone(bone, view, pos)?)));
        let parts = self.parts.iter().filter_map(|part| Some((part.joint, hit_part(part, view, pos)?)));
        let surfaces = self.surfaces.iter().filter_map(|surface| surface.hit(view, pos)).map(|hit| (hit.joint, hit));
        let all = joints.chain(bones).chain(parts).chain(surfaces);
        let mut hits: Vec<Hit> = all.map(|(of, hit)| self.as_seen(of, hit, view)).collect();
        let shown = |spot: &&SpotShape| {
            !self.is_lattice_point(spot.target) && (spot.part == SpotPart::Body || selected.contains(&spot.target))
        };
        hits.extend(self.spots.iter().filter(shown).filter_map(|spot| hit_spot(spot, view, pos)));
        hits.sort_by(|a, b| {
            let unselected = |hit: &Hit| !selected.contains(&hit.target());
            // A joint wins over an object in the same place, until that is chosen by another click.
            let kind = |hit: &Hit| match hit.kind {
                HitKind::Place if !unselected(hit) => HitKind::Joint,
                kind => kind,
            };
            kind(a)
                .cmp(&kind(b))
                .then(unselected(a).cmp(&unselected(b)))
                .then(a.distance_pt.total_cmp(&b.distance_pt))
                .then(a.depth.total_cmp(&b.depth))
                .then((a.object, a.joint, a.dragged, a.spot).cmp(&(b.object, b.joint, b.dragged, b.spot)))
        });
        hits
    }

    fn is_lattice_point(&self, target: Target) -> bool {
        matches!(target, Target::Point(object, _) if self.lattices.contains(&object))
    }

    /// The lattices that are selected, or of which a point is.
    #[must_use]
    pub fn in_hand(&self, selected: &BTreeSet<Target>) -> BTreeSet<ObjectId> {
        let own = |target: &Target| matches!(target, Target::Object(_) | Target::Point(..));
        let objects = selected.iter().filter(|target| own(target)).map(|target| target.object());
        objects.filter(|object| self.lattices.contains(object)).collect()
    }

    /// The mesh object seen nearest under a place on the screen, and its vertex there.
    #[must_use]
    pub fn vertex(&self, view: &View, pos: ScreenPos) -> Option<(ObjectId, usize)> {
        let met = self.surfaces.iter().filter_map(|surface| Some((surface.object, surface.vertex(view, pos)?)));
        met.min_by(|a, b| a.1.1.total_cmp(&b.1.1)).map(|(object, (vertex, _))| (object, vertex))
    }

    /// A hit on a joint's shape, or on what the joint hangs on where it is too small to be meant.
    fn as_seen(&self, of: JointId, hit: Hit, view: &View) -> Hit {
        let Some(detail) = self.details.get(&(hit.object, of)) else { return hit };
        let length_pt = detail.reach * view.points_per_metre(&hit.point).unwrap_or(f64::INFINITY);
        if length_pt >= detail.least_pt {
            return hit;
        }
        Hit { joint: detail.into, dragged: detail.into, ..hit }
    }

    /// The targets of the joints (not the tips) and spots within a rectangle between two opposite corners, by their middle; of a
    /// lattice in hand its points, and nothing else.
    #[must_use]
    pub fn in_rectangle(&self, view: &View, [a, b]: [ScreenPos; 2], selected: &BTreeSet<Target>) -> Vec<Target> {
        let held = self.in_hand(selected);
        let within =
            |at: ScreenPos| (0..2).all(|axis| a[axis].min(b[axis]) <= at[axis] && at[axis] <= a[axis].max(b[axis]));
        let inside = |joint: &&JointShape| !joint.is_tip() && view.project(&joint.at).is_some_and(within);
        let joints = self.joints.iter().filter(|_| held.is_empty()).filter(inside);
        let joints = joints.map(|joint| Target::Joint(joint.object, joint.joint));
        let taken = |target: Target| match self.is_lattice_point(target) {
            true => held.contains(&target.object()),
            false => held.is_empty(),
        };
        let spots = self.spots.iter().filter(|spot| spot.part == SpotPart::Body && taken(spot.target));
        let spots = spots.filter(|spot| view.project(&spot.at).is_some_and(within)).map(|spot| spot.target);
        joints.chain(spots).collect()
    }
}

/// The targets of some hits, each once, in the hits' order: what repeated clicks at one place go through.
#[must_use]
pub fn targets_of(hits: &[Hit]) -> Vec<Target> {
    let mut out: Vec<Target> = Vec::new();
    for hit in hits {
        if !out.contains(&hit.target()) {
            out.push(hit.target());
        }
    }
    out
}

fn hit_spot(spot: &SpotShape, view: &View, pos: ScreenPos) -> Option<Hit> {
    let distance_pt = distance(view.project(&spot.at)?, pos);
    (distance_pt <= SPOT_HIT_PT).then(|| Hit {
        kind: match spot.target {
            Target::Object(_) if spot.part == SpotPart::Body => HitKind::Place,
            _ => HitKind::Spot,
        },
        object: spot.target.object(),
        joint: JointId(0),
        dragged: JointId(0),
        spot: Some((spot.target, spot.part)),
        point: spot.at,
        distance_pt,
        depth: view.depth(&spot.at),
    })
}

fn hit_joint(joint: &JointShape, view: &View, pos: ScreenPos) -> Option<Hit> {
    let distance_pt = distance(view.project(&joint.at)?, pos);
    let reach = if joint.is_tip() { TIP_HIT_PT } else { JOINT_HIT_PT };
    (distance_pt <= reach).then(|| Hit {
        kind: HitKind::Joint,
        object: joint.object,
        joint: joint.selects,
        dragged: joint.joint,
        spot: None,
        point: joint.at,
        distance_pt,
        depth: view.depth(&joint.at),
    })
}

fn hit_bone(bone: &BoneShape, view: &View, pos: ScreenPos) -> Option<Hit> {
    let [from, to] = view.project_segment(&bone.from, &bone.to)?;
    let distance_pt = distance_to_segment(pos, from, to);
    if distance_pt > BONE_HIT_PT {
        return None;
    }
    let point = point_on_line_under(view, pos, &bone.from, &bone.to);
    Some(Hit {
        kind: HitKind::Bone,
        object: bone.object,
        joint: bone.joint,
        dragged: bone.dragged,
        spot: None,
        point,
        distance_pt,
        depth: view.depth(&point),
    })
}

fn hit_part(part: &PartShape, view: &View, pos: ScreenPos) -> Option<Hit> {
    let middle = (part.from + part.to) / 2.0;
    let margin = PART_MARGIN_PT / view.points_per_metre(&middle)?;
    let ray = view.ray(pos);
    let point = ray.at(ray.meet_capsule(&part.from, &part.to, part.radius + margin)?);
    Some(Hit {
        kind: HitKind::Part,
        object: part.object,
        joint: part.joint,
        dragged: part.dragged,
        spot: None,
        point,
        distance_pt: 0.0,
        depth: view.depth(&point),
    })
}

/// The point of a segment of the world nearest to the ray under a place on the screen.
fn point_on_line_under(view: &View, pos: ScreenPos, from: &Vec3, to: &Vec3) -> Vec3 {
    let along = view.ray(pos).nearest_to_line(from, &(to - from)).map_or(0.0, |near| near.along_line);
    from + (to - from) * along.clamp(0.0, 1.0)
}

/// Between a place and a segment, points.
#[must_use]
pub fn distance_to_segment(pos: ScreenPos, from: ScreenPos, to: ScreenPos) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let t = if length_squared > 0.0 {
        (((pos[0] - from[0]) * along[0] + (pos[1] - from[1]) * along[1]) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    distance(pos, [from[0] + along[0] * t, from[1] + along[1] * t])
}

/// Repeated clicks at one place go through what lies under it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClickCycle {
    last: Option<(ScreenPos, Target)>,
}

impl ClickCycle {
    /// How far apart two clicks at one place may be, points.
    const SAME_PLACE_PT: f64 = 4.0;

    /// The target of a click: `first` (what was highlighted), or after a click at the same place the one after that click's
    /// in `targets`, whose order must not depend on what is selected. None where nothing is hit.
    pub fn click(&mut self, pos: ScreenPos, targets: &[Target], first: Option<Target>) -> Option<Target> {
        let again = self.last.filter(|(place, _)| distance(*place, pos) <= Self::SAME_PLACE_PT);
        let before = again.and_then(|(_, target)| targets.iter().position(|other| *other == target));
        let next = before.and_then(|at| targets.get(at + 1).or_else(|| targets.first()).copied());
        let target = next.or(first).or_else(|| targets.first().copied());
        self.last = target.map(|target| (again.map_or(pos, |(place, _)| place), target));
        target
    }

    /// The next click begins anew.
    pub fn reset(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interact::camera::OrbitCamera;

    const SIZE: [f64; 2] = [800.0, 600.0];
    const RIG: ObjectId = ObjectId(1);

    fn front() -> View {
        let camera =
            OrbitCamera { pivot: Vec3::zeros(), yaw: 0.0, pitch: 0.0, distance: 4.0, ..OrbitCamera::default() };
        camera.view(SIZE, 2.0)
    }

    fn joint(id: u32, at: [f64; 3]) -> JointShape {
        JointShape { object: RIG, joint: JointId(id), selects: JointId(id), at: at.into() }
    }

    fn scene() -> PickScene {
        let part = |joint: u32, z: f64| PartShape {
            object: RIG,
            joint: JointId(joint),
            dragged: JointId(joint + 1),
            from: Vec3::new(0.0, 0.0, z),
            to: Vec3::new(1.0, 0.0, z),
            radius: 0.2,
        };
        PickScene {
            joints: vec![joint(0, [0.0, 0.0, 0.0]), joint(1, [0.02, 0.0, -0.5]), joint(2, [1.0, 0.0, 0.0])],
            bones: vec![BoneShape {
                object: RIG,
                joint: JointId(0),
                dragged: JointId(2),
                from: Vec3::zeros(),
                to: Vec3::new(1.0, 0.0, 0.0),
            }],
            parts: vec![part(7, -1.0), part(5, 0.0)],
            ..PickScene::default()
        }
    }

    fn ids(hits: &[Hit]) -> Vec<(HitKind, u32)> {
        hits.iter().map(|hit| (hit.kind, hit.joint.0)).collect()
    }

    #[test]
    fn joints_win_over_bones_and_bones_over_parts() {
        let at = front().project(&Vec3::zeros()).unwrap();
        let hits = scene().hits(&front(), at, &BTreeSet::new());
        assert_eq!(
            ids(&hits),
            [(HitKind::Joint, 0), (HitKind::Joint, 1), (HitKind::Bone, 0), (HitKind::Part, 5), (HitKind::Part, 7)]
        );
        let middle = front().project(&Vec3::new(0.5, 0.0, 0.0)).unwrap();
        let hits = scene().hits(&front(), middle, &BTreeSet::new());
        assert_eq!(ids(&hits), [(HitKind::Bone, 0), (HitKind::Part, 5), (HitKind::Part, 7)]);
        assert!((hits[0].point - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-9);
        assert!((hits[1].point.z - 0.2).abs() < 0.02, "on the near side: {}", hits[1].point.z);
    }

    #[test]
    fn the_selected_win_within_their_kind() {
        let at = front().project(&Vec3::zeros()).unwrap();
        let selected = BTreeSet::from([Target::Joint(RIG, JointId(1)), Target::Joint(RIG, JointId(7))]);
        let hits = scene().hits(&front(), at, &selected);
        assert_eq!(ids(&hits)[..2], [(HitKind::Joint, 1), (HitKind::Joint, 0)]);
        assert_eq!(ids(&hits)[3], (HitKind::Part, 7));
    }

    #[test]
    fn the_hit_area_is_in_points_at_any_distance() {
        for distance in [0.05, 1.0, 60.0, 4e3] {
            let camera = OrbitCamera { pivot: Vec3::zeros(), distance, ..OrbitCamera::default() };
            let view = camera.view(SIZE, 2.0);
            let one = PickScene { joints: vec![joint(0, [0.0; 3])], ..PickScene::default() };
            let [x, y] = view.project(&Vec3::zeros()).unwrap();
            assert_eq!(one.hits(&view, [x + 9.9, y], &BTreeSet::new()).len(), 1, "{distance}");
            assert!(one.hits(&view, [x + 10.1, y], &BTreeSet::new()).is_empty(), "{distance}");
        }
    }

    #[test]
    fn a_finger_seen_from_afar_is_the_hand() {
        let finger = Detail { into: JointId(9), reach: 0.08, least_pt: 40.0 };
        let scene = PickScene {
            joints: vec![joint(3, [0.0; 3])],
            details: BTreeMap::from([((RIG, JointId(3)), finger)]),
            ..PickScene::default()
        };
        for (distance, joint) in [(4.0, 9), (0.5, 3)] {
            let camera = OrbitCamera { pivot: Vec3::zeros(), distance, ..OrbitCamera::default() };
            let view = camera.view(SIZE, 2.0);
            let at = view.project(&Vec3::zeros()).unwrap();
            let hit = scene.hits(&view, at, &BTreeSet::new())[0];
            assert_eq!((hit.joint.0, hit.dragged.0), (joint, joint), "from {distance} m");
        }
    }

    #[test]
    fn repeated_clicks_go_through_what_lies_there() {
        let at = front().project(&Vec3::zeros()).unwrap();
        let targets = targets_of(&scene().hits(&front(), at, &BTreeSet::new()));
        let id = |target: Option<Target>| target.and_then(Target::joint).unwrap().0;
        let mut cycle = ClickCycle::default();
        let seen: Vec<u32> = (0..5).map(|_| id(cycle.click(at, &targets, None))).collect();
        assert_eq!(seen, [0, 1, 5, 7, 0]);
        assert_eq!(id(cycle.click([at[0] + 30.0, at[1]], &targets, None)), 0);
        assert_eq!(cycle.click(at, &[], None), None);
        let chosen = Some(Target::Joint(RIG, JointId(5)));
        assert_eq!(id(cycle.click(at, &targets, chosen)), 5);
        assert_eq!(id(cycle.click(at, &targets, chosen)), 7);
    }

    #[test]
    fn a_joint_in_an_objects_place_is_chosen_first_and_the_object_by_the_next_click() {
        let empty = Target::Object(ObjectId(7));
        let spots = vec![SpotShape { target: empty, part: SpotPart::Body, at: Vec3::zeros() }];
        let scene = PickScene { joints: vec![joint(3, [0.0; 3])], spots, ..PickScene::default() };
        let at = front().project(&Vec3::zeros()).unwrap();
        let first = |selected: &[Target]| scene.hits(&front(), at, &selected.iter().copied().collect())[0].target();
        let bone = Target::Joint(RIG, JointId(3));
        assert_eq!((first(&[]), first(&[bone]), first(&[empty])), (bone, bone, empty));
        let targets = targets_of(&scene.hits(&front(), at, &BTreeSet::new()));
        let mut cycle = ClickCycle::default();
        assert_eq!(cycle.click(at, &targets, Some(bone)), Some(bone));
        assert_eq!(cycle.click(at, &targets, Some(bone)), Some(empty));
        assert_eq!(cycle.click(at, &targets, Some(empty)), Some(bone));
    }

    #[test]
    fn a_rectangle_takes_the_joints_in_it_but_no_tips() {
        let mut scene = scene();
        scene.joints[1].selects = JointId(0);
        let [x, y] = front().project(&Vec3::zeros()).unwrap();
        let inside = scene.in_rectangle(&front(), [[x + 20.0, y + 20.0], [x - 20.0, y - 20.0]], &BTreeSet::new());
        assert_eq!(inside, [Target::Joint(RIG, JointId(0))]);
        assert_eq!(scene.in_rectangle(&front(), [[0.0, 0.0], SIZE], &BTreeSet::new()).len(), 2);
    }
}
