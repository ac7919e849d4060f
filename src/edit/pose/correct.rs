//! Corrections that make captured motion pass through a pose.

use super::plan::{Plan, unit_rotation};
use crate::{
    edit::{CorrectionEdit, Edit, EditError, corrections::make},
    eval::{
        corrections::{acts_at, correct_rotation, correct_scalar},
        sample::Stage,
    },
    math::{
        Quat, Transform,
        rotation::{pow_short, rotation_angle},
    },
    model::{
        ChannelPath, Component, Correction, CorrectionId, Curve, Property, RotationCurve, ScalarCurve, Target, Value,
        clip::SAME_TIME_SECS,
    },
};
use std::{f64::consts::PI, sync::Arc};

/// How far a new correction reaches to each side, seconds.
pub(super) const REACH_SECS: f64 = 1.0 / 3.0;

/// The edit that makes properties of captured motion what is wanted. `secs` is when the curves of all of them are read for
/// the plan's time; `id` is for a new correction, and is then the next one.
pub(super) fn correct(
    plan: &Plan<'_>,
    secs: f64,
    wanted: &[(Target, Property, Transform)],
    id: &mut CorrectionId,
) -> Result<Edit, EditError> {
    let clip = plan.clip_id;
    if let Some(at) = choose(plan, secs, wanted) {
        let correction = &plan.clip.corrections[at];
        // A turn too large for this correction's scale needs one of its own.
        if let Some(deltas) = deltas(plan, secs, wanted, (at, correction.scale))? {
            return Ok(CorrectionEdit::SetKeys { clip, correction: correction.id, secs, deltas }.into());
        }
    }
    let deltas = deltas(plan, secs, wanted, (plan.clip.corrections.len(), 1.0))?.unwrap_or_default();
    let frame = plan.document.settings.rate.nearest_frame(plan.secs);
    let correction = make(*id, format!("Frame {frame}"), new_range(plan, secs), secs, &deltas)?;
    id.0 = id.0.saturating_add(1);
    Ok(CorrectionEdit::Add { clip, correction: Arc::new(correction) }.into())
}

/// Which correction takes the keys; none for a new one.
fn choose(plan: &Plan<'_>, secs: f64, wanted: &[(Target, Property, Transform)]) -> Option<usize> {
    let corrections = &plan.clip.corrections;
    let usable =
        |correction: &Correction| acts_at(correction, secs) && correction.deltas.values().all(|c| !c.is_sampled());
    if let Some(selected) = plan.correction {
        let at = corrections.iter().position(|correction| correction.id == selected)?;
        return usable(&corrections[at]).then_some(at);
    }
    let has_key_here = |correction: &Correction| correction.deltas.values().any(|curve| has_key(curve, secs));
    let has_room = |correction: &Correction| {
        let (start, end) = correction.range;
        secs - start >= 0.5 * REACH_SECS && end - secs >= 0.5 * REACH_SECS
    };
    let shares_joint = |correction: &Correction| {
        correction.deltas.keys().any(|path| wanted.iter().any(|(target, ..)| path.target == *target))
    };
    let last = |fits: &dyn Fn(&Correction) -> bool| corrections.iter().rposition(|c| usable(c) && fits(c));
    last(&has_key_here).or_else(|| last(&|correction| has_room(correction) && shares_joint(correction)))
}

fn has_key(curve: &Curve, secs: f64) -> bool {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => curve.keys.index_near(secs, SAME_TIME_SECS).is_some(),
        Curve::Rotation(RotationCurve::Keyed(curve)) => curve.keys.index_near(secs, SAME_TIME_SECS).is_some(),
        _ => false,
    }
}

/// 1/3 s to each side, within the clip. A pose at the clip's first or last frame reaches beyond it: the frame itself must
/// take the pose.
fn new_range(plan: &Plan<'_>, secs: f64) -> (f64, f64) {
    let rate = plan.document.settings.rate;
    let (first, last) = (rate.secs(plan.clip.range.first), rate.secs(plan.clip.range.last));
    let (start, end) = (secs - REACH_SECS, secs + REACH_SECS);
    let start = if first < secs - SAME_TIME_SECS { start.max(first) } else { start };
    let end = if last > secs + SAME_TIME_SECS { end.min(last) } else { end };
    (start, end)
}

/// What the correction at a place in the list (or behind it) must add for the result to be as wanted. None where it cannot:
/// at its scale it would have to turn by more than half a turn.
fn deltas(
    plan: &Plan<'_>,
    secs: f64,
    wanted: &[(Target, Property, Transform)],
    (at, scale): (usize, f64),
) -> Result<Option<Vec<(ChannelPath, Value)>>, EditError> {
    let corrections = &plan.clip.corrections;
    let (before, after) = (&corrections[..at], corrections.get(at + 1..).unwrap_or_default());
    let mut deltas = Vec::new();
    for (target, property, wanted) in wanted {
        let raw = plan.local(*target, Stage::Curves);
        let path = |component| ChannelPath { target: *target, property: *property, component };
        if *property == Property::Rotation {
            let path = path(Component::Whole);
            let under = correct_rotation(before, path, secs, raw.rotation);
            let over = correct_rotation(after, path, secs, Quat::identity());
            let scaled = under.inverse() * unit_rotation(&wanted.rotation)? * over.inverse();
            if rotation_angle(&scaled) > PI * scale {
                return Ok(None);
            }
            let delta = if scale == 1.0 { scaled } else { pow_short(&scaled, 1.0 / scale) };
            deltas.push((path, Value::Rotation(unit_rotation(&delta)?)));
            continue;
        }
        let (raw, wanted) = match property {
            Property::Translation => (raw.translation, wanted.translation),
            _ => (raw.scale, wanted.scale),
        };
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let path = path(component);
            let others = correct_scalar(after, path, secs, correct_scalar(before, path, secs, raw[axis]));
            deltas.push((path, Value::Scalar((wanted[axis] - others) / scale)));
        }
    }
    Ok(Some(deltas))
}
