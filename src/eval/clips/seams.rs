//! Whether one clip ends as another begins, in degrees and centimetres, wherever on the ground each of them is.

use crate::{
    eval::{
        clips::Motion,
        fk,
        mirror::{Mirror, is_moved},
    },
    math::{Affine, Transform, rotation::rotation_angle},
    model::{ClipId, Document, ObjectId, Skeleton},
};
use std::{collections::BTreeMap, sync::Arc};

/// How far two poses are from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seam {
    /// The greatest turn of a joint in its parent's space, radians.
    pub turn: f64,
    /// That joint, by index.
    pub turned: usize,
    /// The greatest way of a joint, metres.
    pub way: f64,
    /// That joint, by index.
    pub moved: usize,
}

impl Seam {
    /// Up to which turn and way two poses count as one: what the eye lets pass, radians and metres.
    pub const SAME: (f64, f64) = (0.035, 0.01);

    /// Whether the two poses count as one.
    #[must_use]
    pub fn is_smooth(&self) -> bool {
        self.turn <= Self::SAME.0 && self.way <= Self::SAME.1
    }
}

/// The first and the last pose of each clip that moves a rig.
#[derive(Clone, Debug)]
pub struct Ends {
    skeleton: Arc<Skeleton>,
    mirror: Option<(Mirror, Document, ObjectId)>,
    poses: BTreeMap<ClipId, [Vec<Transform>; 2]>,
}

impl Ends {
    /// Those of a rig's clips. None where there is no such rig.
    #[must_use]
    pub fn of(document: &Document, object: ObjectId) -> Option<Self> {
        let skeleton = document.object(object)?.as_rig()?.skeleton.clone();
        let rate = document.settings.rate;
        let mut poses = BTreeMap::new();
        for (id, clip) in document.clips.iter().filter(|(_, clip)| clip.moves(object)) {
            if let Some(motion) = Motion::new(document, object, *id) {
                let ends = [clip.range.first, clip.range.last].map(|frame| motion.pose(rate.secs(frame)));
                poses.insert(*id, ends);
            }
        }
        let mirror = Mirror::of_object(document, object).map(|mirror| (mirror, document.clone(), object));
        Some(Self { skeleton, mirror, poses })
    }

    /// From the last pose of one clip to the first of another, which is brought to where the figure stands and faces. None
    /// where one of them does not move the rig.
    #[must_use]
    pub fn seam(&self, from: ClipId, to: ClipId) -> Option<Seam> {
        let (last, first) = (&self.poses.get(&from)?[1], &self.poses.get(&to)?[0]);
        Some(between(&self.skeleton, last, &self.brought(first, last)))
    }

    fn brought(&self, pose: &[Transform], to: &[Transform]) -> Vec<Transform> {
        let plain = || pose.to_vec();
        let Some((mirror, document, object)) = &self.mirror else { return plain() };
        let moved = |joint: usize, rest: &Transform| {
            let ends = self.poses.values().flatten();
            ends.filter_map(|pose| pose.get(joint)).any(|local| is_moved(local, rest))
        };
        let Some(standing) = mirror.standing(document, *object, moved) else { return plain() };
        let (Some(own), Some(wanted)) = (pose.get(standing.carrier()), to.get(standing.carrier())) else {
            return plain();
        };
        let way = standing.way(own, wanted);
        let mut named: Vec<(usize, Transform)> = pose.iter().copied().enumerate().collect();
        standing.go(&mut named, self.skeleton.parents(), &way);
        named.into_iter().map(|(_, local)| local).collect()
    }
}

/// How far two poses are from each other, where they are.
#[must_use]
pub fn between(skeleton: &Skeleton, a: &[Transform], b: &[Transform]) -> Seam {
    let model = |locals: &[Transform]| {
        let mut model = Vec::new();
        fk::model_from_locals(skeleton.tree(), locals, &Affine::IDENTITY, &mut model);
        model
    };
    let (there, here) = (model(a), model(b));
    let mut seam = Seam::default();
    for (joint, (a, b)) in a.iter().zip(b).enumerate() {
        let turn = rotation_angle(&(a.rotation.inverse() * b.rotation));
        if turn > seam.turn {
            (seam.turn, seam.turned) = (turn, joint);
        }
        if let (Some(a), Some(b)) = (there.get(joint), here.get(joint)) {
            let way = (a.translation - b.translation).norm();
            if way > seam.way {
                (seam.way, seam.moved) = (way, joint);
            }
        }
    }
    seam
}
