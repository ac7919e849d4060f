//! Several corrections made one that holds their sum as samples.

use super::{CorrectionEdit, Edit, EditError};
use crate::{
    eval::corrections::{correct_rotation, correct_scalar},
    math::Quat,
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, CorrectionId, Curve, Document, FrameRate, Property,
        RotationCurve, RotationSamples, Samples, ScalarCurve,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The most frames a merged correction may hold.
const MOST_FRAMES: i64 = 1 << 20;

/// The edit that puts one sampled correction, at the document's rate, in the place of the first of some corrections of a
/// clip: on every frame the result is the same. Those that are muted or scaled to nothing add nothing and stay as they are.
/// What lies between them in the list is counted in as it is now. Nothing where none of them acts.
///
/// # Errors
/// Where the clip or a correction does not exist, or they reach over more than a million frames.
pub fn merge(
    document: &Document,
    clip: ClipId,
    chosen: &BTreeSet<CorrectionId>,
    name: &str,
) -> Result<Edit, EditError> {
    let found = document.clip(clip).ok_or(EditError::NoClip(clip))?;
    if let Some(missing) = chosen.iter().find(|id| found.correction(**id).is_none()) {
        return Err(EditError::NoCorrection(clip, *missing));
    }
    let acts = |correction: &Correction| !correction.muted && correction.scale > 0.0;
    let merged: Vec<&Arc<Correction>> =
        found.corrections.iter().filter(|c| chosen.contains(&c.id) && acts(c)).collect();
    let place = |id: CorrectionId| found.corrections.iter().position(|c| c.id == id);
    let (Some(first), Some(last)) = (merged.first(), merged.last()) else { return Ok(Edit::none()) };
    let (Some(from), Some(to)) = (place(first.id), place(last.id)) else { return Ok(Edit::none()) };
    let span = Span::new(found, from..to + 1, &merged, document.settings.rate)?;
    let paths: BTreeSet<ChannelPath> = merged.iter().flat_map(|correction| correction.deltas.keys().copied()).collect();
    let deltas: BTreeMap<_, _> = paths.into_iter().map(|path| (path, Arc::new(span.curve(path)))).collect();
    let id = found.fresh_correction_id();
    let range = (span.secs(0), span.secs(span.count - 1));
    let correction =
        Correction { id, name: name.to_owned(), muted: false, scale: 1.0, range, deltas, solved: BTreeMap::new() };
    let gone = merged.iter().map(|old| CorrectionEdit::Delete { clip, correction: old.id }.into());
    let new = [
        CorrectionEdit::Add { clip, correction: Arc::new(correction) }.into(),
        CorrectionEdit::Reorder { clip, correction: id, to: from }.into(),
    ];
    Ok(Edit::Batch(gone.chain(new).collect()))
}

/// The frames and the part of the list that are merged.
struct Span {
    rate: FrameRate,
    /// The frame of the first sample.
    start: i64,
    /// The number of samples.
    count: i64,
    /// All corrections from the first that is merged to the last.
    all: Vec<Arc<Correction>>,
    /// Those of them that stay.
    others: Vec<Arc<Correction>>,
}

impl Span {
    fn new(
        clip: &Clip,
        part: std::ops::Range<usize>,
        merged: &[&Arc<Correction>],
        rate: FrameRate,
    ) -> Result<Self, EditError> {
        let start = merged.iter().map(|c| c.range.0).fold(f64::INFINITY, f64::min);
        let end = merged.iter().map(|c| c.range.1).fold(f64::NEG_INFINITY, f64::max);
        // Frames at or beyond the ends, where all of them are neutral.
        let start = (rate.frame_f64(start) + 1e-6).floor() as i64;
        let end = (rate.frame_f64(end) - 1e-6).ceil() as i64;
        let count = end.saturating_sub(start).saturating_add(1);
        if count > MOST_FRAMES {
            return Err(EditError::BadNumber { what: "a number of frames", value: count as f64 });
        }
        let all = clip.corrections.get(part).unwrap_or_default().to_vec();
        let others = all.iter().filter(|c| !merged.iter().any(|m| m.id == c.id)).cloned().collect();
        Ok(Self { rate, start, count: count.max(2), all, others })
    }

    fn secs(&self, sample: i64) -> f64 {
        self.rate.secs(self.start.saturating_add(sample))
    }

    /// What one channel adds: all of the part, less what stays of it and is applied after the merged one.
    fn curve(&self, path: ChannelPath) -> Curve {
        let (start, rate) = (self.secs(0), self.rate);
        if path.property == Property::Rotation && path.component == Component::Whole {
            let turn = |sample: i64| {
                let secs = self.secs(sample);
                let all = correct_rotation(&self.all, path, secs, Quat::identity());
                all * correct_rotation(&self.others, path, secs, Quat::identity()).inverse()
            };
            let values = (0..self.count).map(turn).collect();
            return Curve::Rotation(RotationCurve::Sampled(RotationSamples { start, rate, values }));
        }
        let sum = |sample: i64| {
            let secs = self.secs(sample);
            correct_scalar(&self.all, path, secs, 0.0) - correct_scalar(&self.others, path, secs, 0.0)
        };
        let values = (0..self.count).map(sum).collect();
        Curve::Scalar(ScalarCurve::Sampled(Samples::new(start, rate, values)))
    }
}
