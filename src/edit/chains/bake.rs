//! What constraints and chains make of an object and its joints, written as keys.

use super::{
    matching::{GoOn, apart, checked, without_pins},
    written::{Course, write},
};
use crate::{
    edit::{ConstraintEdit, Edit, EditError},
    eval::{EvaluatedFrame, Evaluator, constraint::moves_joints},
    math::{Affine, Transform, Vec3},
    model::{Constraint, Document, ObjectId, Parent, Property, Target},
};
use std::sync::Arc;

/// An edit that bakes, and what it does.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The edit: keys, and the constraints switched off.
    pub edit: Edit,
    /// How many joints, and the object itself, got keys.
    pub targets: usize,
    /// How far a joint is at most from where it was, at the times and halfway between them, metres.
    pub error: f64,
    /// The same of its rotation, radians.
    pub turn: f64,
}

/// What differs by more than rounding is written.
const SAME: f64 = 1e-12;

/// The edit that writes what the constraints and IK chains of an object do as keys at times (seconds, rising), and switches
/// them off with their keys kept. Pins act on as they did.
///
/// # Errors
/// Where there is no such object, or something cannot be keyed, or `go_on` says no.
pub fn bake(document: &Document, object: ObjectId, times: &[f64], go_on: GoOn<'_>) -> Result<Baked, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let shown = without_pins(document);
    let off: Vec<Edit> = found
        .constraints
        .iter()
        .filter(|constraint| !constraint.muted)
        .map(|constraint| {
            let constraint = Arc::new(Constraint { muted: true, ..(**constraint).clone() });
            ConstraintEdit::Set { object, constraint }.into()
        })
        .collect();
    let mut free = shown.clone();
    Edit::Batch(off.clone()).apply(&mut free)?;
    let courses = courses((&shown, &free), object, times, go_on)?;
    let mut edits = write(document, object, &courses)?;
    edits.extend(off);
    let edit = Edit::Batch(edits);
    let mut baked = document.clone();
    edit.apply(&mut baked)?;
    let between = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let looked: Vec<f64> = times.iter().copied().chain(between).collect();
    let (error, turn) = apart((&shown, &without_pins(&baked)), object, &looked, go_on)?;
    Ok(Baked { edit, targets: courses.len(), error, turn })
}

/// What differs with and without the constraints.
fn courses(
    (shown, free): (&Document, &Document),
    object: ObjectId,
    times: &[f64],
    go_on: GoOn<'_>,
) -> Result<Vec<Course>, EditError> {
    let found = shown.object(object).ok_or(EditError::NoObject(object))?;
    let mut targets: Vec<(Target, Option<usize>)> = Vec::new();
    if found.constraints.iter().any(|constraint| constraint.joint.is_none() && !constraint.muted) {
        targets.push((Target::Object(object), None));
    }
    if moves_joints(found) {
        let joints = found.as_rig().into_iter().flat_map(|rig| rig.skeleton.joints()).enumerate();
        let moving = joints.filter(|(_, joint)| !joint.is_end());
        targets.extend(moving.map(|(index, joint)| (Target::Joint(object, joint.id), Some(index))));
    }
    let (first, second) = (Evaluator::new(), Evaluator::new());
    let mut courses: Vec<Course> = targets
        .iter()
        .map(|(target, _)| Course { target: *target, properties: Vec::new(), poses: Vec::new() })
        .collect();
    for secs in times {
        checked(go_on)?;
        let (with, without) = (first.frame(shown, *secs), second.frame(free, *secs));
        for (course, (_, joint)) in courses.iter_mut().zip(&targets) {
            let (Some(with), Some(without)) =
                (local(shown, &with, object, *joint), local(free, &without, object, *joint))
            else {
                continue;
            };
            for property in Property::ALL {
                if !course.properties.contains(&property) && differs(&with, &without, property) {
                    course.properties.push(property);
                }
            }
            course.poses.push((*secs, with));
        }
    }
    courses.retain(|course| !course.properties.is_empty());
    Ok(courses)
}

fn differs(a: &Transform, b: &Transform, property: Property) -> bool {
    match property {
        Property::Translation => (a.translation - b.translation).norm() > SAME * (1.0 + b.translation.norm()),
        Property::Scale => (a.scale - b.scale).norm() > SAME * (1.0 + b.scale.norm()),
        _ => {
            let (a, b) = (a.rotation.coords, b.rotation.coords);
            (a - b).norm().min((a + b).norm()) > SAME
        }
    }
}

/// The transform of the object or of a joint of it in the parent's space.
fn local(document: &Document, frame: &EvaluatedFrame, object: ObjectId, joint: Option<usize>) -> Option<Transform> {
    let placed = frame.objects.get(&object)?;
    if let Some(joint) = joint {
        return placed.rig.as_ref()?.local.get(joint).copied();
    }
    let above = match document.object(object)?.parent {
        None => Affine::IDENTITY,
        Some(Parent::Object(parent)) => frame.objects.get(&parent)?.world,
        Some(Parent::Joint(rig, joint)) => {
            frame.joint_world(rig, document.object(rig)?.as_rig()?.skeleton.index_of(joint)?)?
        }
    };
    let own = above.try_inverse()? * placed.world;
    let scale = Vec3::from_fn(|axis, _| own.linear.column(axis).norm());
    Some(Transform { translation: own.translation, rotation: own.rotation(), scale })
}
