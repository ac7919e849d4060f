//! Corrections that make captured motion pass through a pose.

use super::plan::{Plan, unit_rotation};
use crate::{
    edit::{
        CorrectionEdit, Edit, EditError,
        corrections::make,
        limbs::{Frames, with_limbs_on},
    },
    eval::{
        corrections::{acts_at, correct_rotation, correct_scalar},
        sample::Stage,
    },
    math::{
        Quat, Transform,
        rotation::{pow_short, rotation_angle},
    },
    model::{
        ChannelPath, Component, Correction, CorrectionId, Curve, Document, FrameRate, Property, RotationCurve,
        ScalarCurve, Target, Value, clip::SAME_TIME_SECS,
    },
};
use std::{f64::consts::PI, sync::Arc};

/// How far a new correction reaches to each side at least, seconds.
const REACH_SECS: f64 = 1.0 / 3.0;

/// How far a new correction reaches to each side, whole frames' seconds: 1/3 s, or as much more as a slow rate needs.
///
/// A change of `d` that fades over `h` seconds by `6u^5 - 15u^4 + 10u^3` accelerates by up to `10 / sqrt(3) d / h^2`, that
/// is, it changes a velocity by `10 / sqrt(3) d / (h^2 fps)` from one frame to the next. For 0.1 m to change none by more
/// than 0.1 m/s, `h` is at least `sqrt(10 / sqrt(3) / fps)`, and a tenth more under the root for joints that are no limb's
/// and swing on an arc: more than 1/3 s below 58 frames a second.
pub(super) fn reach(rate: FrameRate) -> f64 {
    const ARC: f64 = 1.1;
    let least = (ARC * 10.0 / 3.0_f64.sqrt() / rate.fps()).sqrt();
    let frames = (rate.frame_f64(least.max(REACH_SECS)) - 1e-6).ceil().max(1.0);
    frames * rate.frame_secs()
}

/// The edit that makes properties of captured motion what is wanted. `secs` is when the curves of all of them are read for
/// the plan's time; `base` is the document with all other edits of the plan; `id` is for a new correction, and is then the
/// next one. Limbs that it changes are solved over the whole of its range, or near `secs` while the plan is `live`.
pub(super) fn correct(
    plan: &Plan<'_>,
    base: &Document,
    secs: f64,
    wanted: &[(Target, Property, Transform)],
    id: &mut CorrectionId,
) -> Result<Edit, EditError> {
    let clip = plan.clip_id;
    let frames = if plan.live { Frames::Near(secs) } else { Frames::All };
    if let Some(at) = choose(plan, secs, wanted) {
        let correction = &plan.clip.corrections[at];
        // A turn too large for this correction's scale needs one of its own.
        if let Some(deltas) = deltas(plan, secs, wanted, (at, correction.scale))? {
            let edit = CorrectionEdit::SetKeys { clip, correction: correction.id, secs, deltas };
            return Ok(with_limbs_on(base, edit, frames));
        }
    }
    let deltas = deltas(plan, secs, wanted, (plan.clip.corrections.len(), 1.0))?.unwrap_or_default();
    let frame = plan.document.settings.rate.nearest_frame(plan.secs);
    let correction = make(*id, format!("Frame {frame}"), new_range(plan, secs), secs, &deltas)?;
    id.0 = id.0.saturating_add(1);
    Ok(with_limbs_on(base, CorrectionEdit::Add { clip, correction: Arc::new(correction) }, frames))
}

/// Which correction takes the keys; none for a new one.
fn choose(plan: &Plan<'_>, secs: f64, wanted: &[(Target, Property, Transform)]) -> Option<usize> {
    let corrections = &plan.clip.corrections;
    let usable =
        |correction: &Correction| acts_at(correction, secs) && correction.deltas.values().all(|c| !c.is_sampled());
    let selected = corrections.iter().position(|correction| Some(correction.id) == plan.correction);
    // One that does not reach here, or is sampled, is no wish for this frame.
    if let Some(at) = selected.filter(|at| usable(&corrections[*at])) {
        return Some(at);
    }
    let has_key_here = |correction: &Correction| correction.deltas.values().any(|curve| has_key(curve, secs));
    let room = 0.5 * reach(plan.document.settings.rate);
    let has_room = |correction: &Correction| {
        let (start, end) = correction.range;
        secs - start >= room && end - secs >= room
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

/// As far to each side as a correction reaches, beyond the ends of the clip too: cut short there it would come or go with a
/// jerk, and the clip's first and last frames must be able to take a pose.
fn new_range(plan: &Plan<'_>, secs: f64) -> (f64, f64) {
    let rate = plan.document.settings.rate;
    let reach = reach(rate);
    let on_frame = |secs: f64| if (rate.snap(secs) - secs).abs() <= SAME_TIME_SECS { rate.snap(secs) } else { secs };
    (on_frame(secs - reach), on_frame(secs + reach))
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
