//! The mannequins of a document's rigs, made once a skeleton.

use super::{Body, Mannequin, surfaces::Surfaces};
use crate::eval::{EvaluatedFrame, Evaluator, fk, limbs};
use crate::interact::picking::PartShape;
use crate::math::{Affine, Vec3};
use crate::model::{Document, JointId, LimbSetting, ObjectId, Skeleton};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a mannequin was made from: the skeleton, by identity, and what is said about its limbs.
type Made = (Arc<Skeleton>, BTreeMap<JointId, LimbSetting>);

/// Mannequins by rig, kept while what they were made from stays the same.
#[derive(Debug, Default)]
pub struct Figures {
    rigs: BTreeMap<ObjectId, (Made, Arc<Mannequin>)>,
    /// The meshes, where they were last.
    pub(super) surfaces: Surfaces,
}

impl Figures {
    /// The mannequin of a rig; an empty one where the object is no rig.
    pub fn get(&mut self, document: &Document, object: ObjectId) -> Arc<Mannequin> {
        let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Arc::default() };
        if let Some(((skeleton, limbs), mannequin)) = self.rigs.get(&object)
            && Arc::ptr_eq(skeleton, &rig.skeleton)
            && *limbs == rig.limbs
        {
            return Arc::clone(mannequin);
        }
        self.rigs.retain(|id, _| document.object(*id).is_some());
        let mannequin = Arc::new(mannequin_of(document, object, &rig.skeleton));
        self.rigs.insert(object, ((Arc::clone(&rig.skeleton), rig.limbs.clone()), Arc::clone(&mannequin)));
        mannequin
    }

    /// The mannequins' parts where they are now, for picking. `dragged` of each is its own joint.
    pub fn part_shapes(
        &mut self,
        document: &Document,
        frame: &EvaluatedFrame,
        is_shown: impl Fn(ObjectId) -> bool,
    ) -> Vec<PartShape> {
        let mut shapes = Vec::new();
        for (object, _, rig) in document.rigs().filter(|(id, object, _)| !object.hidden && is_shown(*id)) {
            let Some((world, pose)) = frame.objects.get(&object).and_then(|at| Some((at.world, at.rig.as_ref()?)))
            else {
                continue;
            };
            for part in &self.get(document, object).parts {
                let (Some(model), Some(joint)) = (pose.model.get(part.joint), rig.skeleton.joints().get(part.joint))
                else {
                    continue;
                };
                let place = |p: &Vec3| world.point(&model.point(p));
                shapes.push(PartShape {
                    object,
                    joint: joint.id,
                    dragged: joint.id,
                    from: place(&part.a),
                    to: place(&part.b),
                    radius: (part.radius_a + part.radius_b) / 2.0,
                });
            }
        }
        shapes
    }
}

/// Builds a rig's mannequin. A skeleton whose rest pose is no natural one is judged by its clip's first frame.
fn mannequin_of(document: &Document, object: ObjectId, skeleton: &Skeleton) -> Mannequin {
    let joints = skeleton.joints();
    let locals: Vec<_> = joints.iter().map(|joint| joint.rest).collect();
    let mut rest = Vec::new();
    fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut rest);
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let first = document.clip_of(object).and_then(|clip| document.clip(clip)).map_or(0, |clip| clip.range.first);
    let posed = Evaluator::new().rig_frame(document, object, document.settings.rate.secs(first));
    let posed = posed.as_ref().map(|frame| &frame.model[..]);
    let tips: Vec<bool> = joints.iter().map(crate::model::Joint::is_end).collect();
    let limbs = Some(&limbs::of_object(document, object, skeleton));
    Mannequin::new(&Body { parents: skeleton.parents(), tips: &tips, names: &names, rest: &rest, posed, limbs })
}
