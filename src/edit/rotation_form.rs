//! Rotations held in another form: Euler angles of another order, or quaternions.

use super::{CurveRef, Edit, EditError, clips::clip_mut, curves::channel_of, objects::object_mut, rigs::rig_mut};
use crate::{
    eval::{
        rotation_form::{FormReport, in_form},
        sample::{Stage, clip_local, read_angles},
    },
    math::rotation::nearest_euler,
    model::{ChannelPath, Clip, ClipId, Component, Curve, Document, Property, RotationMode, Target, Value},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Gives a joint's or an object's rotation another form, in all clips at once: how it is held is the target's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationFormEdit {
    /// The rotation of a joint or an object; which part of it is named does not matter.
    pub rotation: ChannelPath,
    /// How its rotation is held from now on.
    pub mode: RotationMode,
    /// What turns it, clip by clip.
    pub clips: Vec<ClipForm>,
}

/// A clip's channels of one rotation, instead of those that are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipForm {
    /// The clip.
    pub clip: ClipId,
    /// Its curves.
    pub curves: Vec<(ChannelPath, Arc<Curve>)>,
    /// What waits to be keyed: the time, seconds, and the values.
    pub waiting: Vec<(f64, Vec<(ChannelPath, Value)>)>,
}

impl From<RotationFormEdit> for Edit {
    fn from(edit: RotationFormEdit) -> Self {
        Self::RotationForm(edit)
    }
}

impl RotationFormEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        let target = self.rotation.target;
        let id = target.object();
        match target {
            Target::Object(_) => object_mut(document, id)?.rotation = self.mode,
            Target::Joint(_, joint) => {
                let rig = rig_mut(document, id)?;
                if rig.skeleton.joint(joint).is_none() {
                    return Err(EditError::NoJoint(id, joint));
                }
                let changed = rig.skeleton.map_joints(|other| {
                    let mut other = other.clone();
                    if other.id == joint {
                        other.rotation = self.mode;
                    }
                    other
                });
                // Ids and parents stay, so that the joints are a skeleton as before.
                rig.skeleton = Arc::new(changed.map_err(|_same_ids_and_parents| EditError::NotARig(id))?);
            }
            Target::Pin(..)
            | Target::Point(..)
            | Target::Constraint(..)
            | Target::Morph(..)
            | Target::Pole(..)
            | Target::Deformer(..)
            | Target::Layer(..)
            | Target::Sample(..) => {
                return Err(EditError::WrongKind(self.rotation));
            }
        }
        let is_own = |path: &ChannelPath| path.target == target && path.property == Property::Rotation;
        for form in &self.clips {
            let clip = clip_mut(document, form.clip)?;
            // One form's curves answer to no single curve of the other: all are muted where all were. Where some were, axes
            // of another order keep the mute of their letter; a whole rotation has no such part.
            let mut own = clip.channels.keys().filter(|path| is_own(path)).peekable();
            let all_muted = own.peek().is_some() && own.all(|path| clip.muted.contains(path));
            let muted: Vec<ChannelPath> = clip.muted.iter().copied().filter(|path| is_own(path)).collect();
            clip.muted.retain(|path| !is_own(path));
            clip.channels.retain(|path, _| !is_own(path));
            for frame in &mut clip.unkeyed {
                frame.values.retain(|path, _| !is_own(path));
            }
            let values = form.waiting.iter().flat_map(|(secs, values)| values.iter().map(move |value| (*secs, *value)));
            for (secs, (path, value)) in values {
                if let Some(frame) = clip.unkeyed.iter_mut().find(|frame| frame.time == secs) {
                    frame.values.insert(path, value);
                }
            }
            clip.unkeyed.retain(|frame| !frame.values.is_empty());
            for (path, curve) in &form.curves {
                channel_of(document, CurveRef { clip: form.clip, path: *path })?;
                let clip = clip_mut(document, form.clip)?;
                clip.channels.insert(*path, Arc::clone(curve));
                if all_muted || muted.contains(path) {
                    clip.muted.insert(*path);
                }
            }
        }
        Ok(())
    }
}

const fn path(target: Target, component: Component) -> ChannelPath {
    ChannelPath { target, property: Property::Rotation, component }
}

/// The edit that gives targets' rotations another form, in all clips, and what that costs. Targets that have the form, or no
/// rotation, stay as they are; none where no target changes.
#[must_use]
pub fn rotation_form(document: &Document, targets: &[Target], mode: RotationMode) -> Option<(Edit, FormReport)> {
    let mut report = FormReport::default();
    let changing = targets.iter().filter(|target| document.rotation_mode(**target).is_some_and(|own| own != mode));
    let edits: Vec<Edit> = changing
        .map(|target| {
            let clips = document.clips.iter().filter_map(|(id, clip)| {
                let (curves, found) = in_form(document, clip, *target, mode)?;
                report = report.with(found);
                let waiting = waiting(document, clip, *target, mode);
                let is_own = |path: &&ChannelPath| path.target == *target && path.property == Property::Rotation;
                let touched = clip.channels.keys().find(is_own).is_some() || !waiting.is_empty();
                touched.then_some(ClipForm { clip: *id, curves, waiting })
            });
            RotationFormEdit { rotation: path(*target, Component::Whole), mode, clips: clips.collect() }.into()
        })
        .collect();
    (!edits.is_empty()).then_some((Edit::Batch(edits), report))
}

/// What waits of a rotation, in another form.
fn waiting(
    document: &Document,
    clip: &Clip,
    target: Target,
    mode: RotationMode,
) -> Vec<(f64, Vec<(ChannelPath, Value)>)> {
    let is_own = |path: &ChannelPath| path.target == target && path.property == Property::Rotation;
    let frames = clip.unkeyed.iter().filter(|frame| frame.values.keys().any(is_own));
    let found = frames.filter_map(|frame| {
        let rotation = clip_local(document, Some(clip), target, frame.time, Stage::Shown)?.rotation;
        let values = match mode {
            RotationMode::Quaternion => vec![(path(target, Component::Whole), Value::Rotation(rotation))],
            RotationMode::Euler(order) => {
                let angles = read_angles(order, nearest_euler(order, &rotation, [0.0; 3]));
                let axes = Component::AXES.into_iter().zip(angles);
                axes.map(|(axis, angle)| (path(target, axis), Value::Scalar(angle))).collect()
            }
        };
        Some((frame.time, values))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{CurveEdit, KeyEdit},
        math::{EulerOrder, Vec3},
        model::{FrameRange, Joint, JointId, Key, Object, Rig, Skeleton},
    };

    /// A rotation that is muted as a whole stays so in any form; one that is muted in part answers to no curve of the other.
    #[test]
    fn muted_rotations_stay_muted() {
        let mut document = Document::default();
        let joint = Joint::new(JointId(0), "hips", None, Vec3::zeros());
        let skeleton = Arc::new(Skeleton::new(vec![joint]).unwrap());
        let rig = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
        let clip = document.add_clip(Clip::new("clip", FrameRange::new(0, 24)));
        let target = Target::Joint(rig, JointId(0));
        let first = RotationMode::Euler(EulerOrder::Xyz);
        if let Some((edit, _)) = rotation_form(&document, &[target], first) {
            edit.apply(&mut document).unwrap();
        }
        let at = |axis| CurveRef { clip, path: path(target, axis) };
        for axis in Component::AXES {
            let keys = vec![Key::new(0.0, 0.1), Key::new(1.0, 0.4)];
            KeyEdit::Insert { curve: at(axis), keys }.run(&mut document).unwrap();
        }
        let partly = document.clone();
        let mute = |curves| Edit::from(CurveEdit::Mute { curves, muted: true });
        mute(Component::AXES.map(at).to_vec()).apply(&mut document).unwrap();
        for mode in [RotationMode::Quaternion, RotationMode::Euler(EulerOrder::Zyx)] {
            let (edit, _) = rotation_form(&document, &[target], mode).unwrap();
            edit.apply(&mut document).unwrap();
            let clip = document.clip(clip).unwrap();
            assert!(clip.channels.keys().all(|path| clip.muted.contains(path)), "{mode:?}");
            assert_eq!(clip.muted.len(), clip.channels.len(), "{mode:?}");
            assert_eq!(document.problems(), []);
        }
        let mut document = partly;
        mute(vec![at(Component::X)]).apply(&mut document).unwrap();
        let (edit, _) = rotation_form(&document, &[target], RotationMode::Quaternion).unwrap();
        edit.apply(&mut document).unwrap();
        assert!(document.clip(clip).unwrap().muted.is_empty());
        assert_eq!(document.problems(), []);
    }
}
