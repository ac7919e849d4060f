//! Selections by command: all, none, the rest, parents, children.

use crate::{
    edit::Selection,
    model::{Document, ObjectId, Skeleton, Target},
};
use std::collections::BTreeSet;

/// Another selection of targets; keys of channels that may no longer be shown are dropped.
fn with_targets(before: &Selection, targets: BTreeSet<Target>, active: Option<Target>) -> Selection {
    let mut after = before.clone();
    if targets != before.targets {
        after.keys.clear();
    }
    let kept = active.filter(|active| targets.contains(active));
    after.active = kept.or_else(|| targets.first().copied());
    after.targets = targets;
    after
}

/// Everything that can be selected: the joints (not the tips) of the rigs shown, the points of lattices in hand; other objects
/// themselves.
fn selectable(document: &Document, held: &BTreeSet<ObjectId>, is_shown: impl Fn(ObjectId) -> bool) -> BTreeSet<Target> {
    let mut out = BTreeSet::new();
    for (&id, object) in document.objects.iter().filter(|(id, object)| !object.hidden && is_shown(**id)) {
        match object.as_rig() {
            Some(rig) => out.extend(
                rig.skeleton.joints().iter().filter(|joint| !joint.is_end()).map(|joint| Target::Joint(id, joint.id)),
            ),
            None => {
                let points = if held.contains(&id) { object.carrying_points() } else { Vec::new() };
                if points.is_empty() {
                    out.insert(Target::Object(id));
                }
                out.extend(points.into_iter().map(|(point, _)| Target::Point(id, point)));
            }
        }
    }
    out
}

/// All joints: of the rigs that have something selected, else of all that are shown.
#[must_use]
pub fn all(document: &Document, before: &Selection, is_shown: impl Fn(ObjectId) -> bool) -> Selection {
    let objects = before.objects();
    let targets = selectable(document, &objects, |id| is_shown(id) && (objects.is_empty() || objects.contains(&id)));
    with_targets(before, targets, before.active)
}

/// Nothing.
#[must_use]
pub fn none(before: &Selection) -> Selection {
    with_targets(before, BTreeSet::new(), None)
}

/// What is not selected, of the rigs that have something selected, else of all that are shown.
#[must_use]
pub fn inverted(document: &Document, before: &Selection, is_shown: impl Fn(ObjectId) -> bool) -> Selection {
    let every = all(document, before, is_shown).targets;
    with_targets(before, every.difference(&before.targets).copied().collect(), None)
}

/// Up or down a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the parent; from a root to the rig object.
    Parent,
    /// To the first child; from a rig object to its first root.
    Child,
}

/// The parents or the children of what is selected, in its place or with it. What has none stays.
#[must_use]
pub fn stepped(document: &Document, before: &Selection, step: Step, extend: bool) -> Selection {
    let next = |target: Target| neighbour(document, target, step).unwrap_or(target);
    let mut targets: BTreeSet<Target> = before.targets.iter().map(|target| next(*target)).collect();
    if extend {
        targets.extend(&before.targets);
    }
    with_targets(before, targets, before.active.map(next))
}

fn neighbour(document: &Document, target: Target, step: Step) -> Option<Target> {
    let object = target.object();
    let skeleton = &document.object(object)?.as_rig()?.skeleton;
    let joint = |index: usize| Target::Joint(object, skeleton.joints()[index].id);
    match (target, step) {
        (Target::Point(..), Step::Parent) => Some(Target::Object(object)),
        (Target::Object(_), Step::Parent)
        | (
            Target::Pin(..)
            | Target::Constraint(..)
            | Target::Point(..)
            | Target::Morph(..)
            | Target::Pole(..)
            | Target::Deformer(..)
            | Target::Layer(..)
            | Target::Sample(..),
            _,
        ) => None,
        (Target::Object(_), Step::Child) => Some(joint(skeleton.parents().iter().position(Option::is_none)?)),
        (Target::Joint(_, id), Step::Parent) => {
            let index = skeleton.index_of(id)?;
            Some(skeleton.parents()[index].map_or(Target::Object(object), joint))
        }
        (Target::Joint(_, id), Step::Child) => first_child(skeleton, skeleton.index_of(id)?).map(joint),
    }
}

fn first_child(skeleton: &Skeleton, index: usize) -> Option<usize> {
    skeleton.children(index).find(|child| !skeleton.joints()[*child].is_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Vec3,
        model::{Joint, JointId, JointKind, Object, Rig},
    };
    use std::sync::Arc;

    fn document() -> (Document, ObjectId) {
        let joint = |id: u32, parent: Option<u32>| Joint::new(JointId(id), "j", parent.map(JointId), Vec3::y());
        let tip = Joint { kind: JointKind::End, ..joint(3, Some(2)) };
        let skeleton = Skeleton::new(vec![joint(0, None), joint(1, Some(0)), joint(2, Some(1)), tip]).unwrap();
        let mut document = Document::default();
        let rig = Rig { skeleton: Arc::new(skeleton), ..Rig::default() };
        let id = document.add_object(Object::rig("rig", rig));
        (document, id)
    }

    fn joints(selection: &Selection, rig: ObjectId) -> Vec<u32> {
        selection.joints(rig).map(|joint| joint.0).collect()
    }

    #[test]
    fn all_none_and_the_rest() {
        let (document, rig) = document();
        let every = all(&document, &Selection::default(), |_| true);
        assert_eq!(joints(&every, rig), [0, 1, 2]);
        assert_eq!(none(&every), Selection::default());
        let one = Selection::single(Target::Joint(rig, JointId(1)));
        assert_eq!(joints(&inverted(&document, &one, |_| true), rig), [0, 2]);
        assert_eq!(all(&document, &Selection::default(), |_| false), Selection::default());
    }

    #[test]
    fn steps_go_along_the_bones_and_stop_at_the_ends() {
        let (document, rig) = document();
        let at = |joint: u32| Selection::single(Target::Joint(rig, JointId(joint)));
        assert_eq!(stepped(&document, &at(1), Step::Parent, false), at(0));
        assert_eq!(stepped(&document, &at(0), Step::Parent, false), Selection::single(Target::Object(rig)));
        assert_eq!(stepped(&document, &Selection::single(Target::Object(rig)), Step::Child, false), at(0));
        assert_eq!(stepped(&document, &at(2), Step::Child, false), at(2));
        let both = stepped(&document, &at(1), Step::Child, true);
        assert_eq!((joints(&both, rig), both.active), (vec![1, 2], Some(Target::Joint(rig, JointId(2)))));
    }
}
