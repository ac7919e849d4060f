//! A retime written into the curves: keys and samples that move as the retimed ones did, and no retime.

mod rotation;
mod scalar;

use super::{CorrectionEdit, CurveEdit, CurveRef, Edit, EditError, RetimeEdit};
use crate::{
    eval::sample::{Stage, clip_local, place_angles, read_angles},
    math::rotation::nearest_euler,
    model::{
        ChannelPath, Clip, ClipId, Component, Correction, Curve, Document, KeyedCurve, KeyedRotation, Property, Retime,
        RetimeId, RotationCurve, RotationMode, Samples, ScalarCurve, Target, clip::SAME_TIME_SECS,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How far a curve may be off where no key form holds it exactly: metres, radians, a factor.
pub const APPLY_BOUND: f64 = 1e-4;
/// How often a frame is compared.
const LOOKS_A_FRAME: f64 = 4.0;
/// At how many times at most each joint is compared.
const MOST_LOOKS: f64 = 4000.0;

/// What applying a retime comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The edit: other curves and corrections, no retime.
    pub edit: Edit,
    /// How many retimes are written into the curves: those that this one was read through go with it.
    pub retimes: usize,
    /// The farthest any joint is moved in its parent's space, metres.
    pub metres: f64,
    /// The farthest any joint is turned in its parent's space, radians.
    pub radians: f64,
}

/// Writes a retime into the curves that are read through it, with the earlier ones of the same joints, which it asks. Keyed
/// curves that hold or run straight are kept exactly, others within [`APPLY_BOUND`] by as many keys as that needs; samples
/// are taken anew on their grid, so that what lay between two of them may be cut: the result says by how much.
///
/// # Errors
/// Where there is no such retime, it is muted, or a curve has modifiers or repeats beyond its keys.
pub fn apply_retime(document: &Document, id: ClipId, retime: RetimeId) -> Result<Applied, EditError> {
    let clip = document.clip(id).ok_or(EditError::NoClip(id))?;
    let chosen = with_those_it_asks(clip, retime).ok_or(EditError::NoRetime(id, retime))?;
    let mut now: Clip = (**clip).clone();
    write(document, &mut now, &chosen)?;
    let gone: BTreeSet<RetimeId> = chosen.iter().map(|retime| retime.id).collect();
    now.retimes.retain(|retime| !gone.contains(&retime.id));
    let [metres, radians] = difference(document, clip, &now, &chosen);
    Ok(Applied { edit: edit(id, clip, &now, &gone), retimes: chosen.len(), metres, radians })
}

/// A retime after those listed before it that act on what it acts on; none where it is not there or muted.
fn with_those_it_asks(clip: &Clip, retime: RetimeId) -> Option<Vec<Arc<Retime>>> {
    let at = clip.retimes.iter().position(|found| found.id == retime && !found.muted)?;
    let mut chosen = vec![clip.retimes.get(at)?.clone()];
    for earlier in clip.retimes.get(..at)?.iter().rev().filter(|earlier| !earlier.muted) {
        if chosen.iter().any(|later| later.meets(earlier)) {
            chosen.push(earlier.clone());
        }
    }
    chosen.reverse();
    Some(chosen)
}

/// The changes of timing that a target is read through, the first listed first: it is asked last.
#[derive(Clone, Debug)]
struct Clock(Vec<Arc<Retime>>);

impl Clock {
    fn of(retimes: &[Arc<Retime>], target: Target) -> Option<Self> {
        let own: Vec<_> = retimes.iter().filter(|retime| retime.covers(target)).cloned().collect();
        (!own.is_empty()).then_some(Self(own))
    }

    /// From when to when it changes anything, seconds.
    fn range(&self) -> (f64, f64) {
        self.0
            .iter()
            .map(|retime| retime.phi.range())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |all, own| (all.0.min(own.0), all.1.max(own.1)))
    }

    fn source(&self, shown: f64) -> f64 {
        self.0.iter().rev().fold(shown, |secs, retime| retime.phi.value(secs))
    }

    fn shown(&self, source: f64) -> f64 {
        self.0.iter().fold(source, |secs, retime| retime.phi.inverse(secs))
    }
}

/// Writes retimes into a clip.
fn write(document: &Document, clip: &mut Clip, retimes: &[Arc<Retime>]) -> Result<(), EditError> {
    let angles = sampled_angles(document, clip, retimes);
    let mut channels: BTreeMap<ChannelPath, Arc<Curve>> = BTreeMap::new();
    for (path, curve) in &clip.channels {
        let Some(clock) = Clock::of(retimes, path.target) else { continue };
        let changed = match angles.get(path) {
            Some(curve) => curve.clone(),
            None => Arc::new(read(*path, curve, &clock)?),
        };
        channels.insert(*path, changed);
    }
    clip.channels.extend(channels);
    for correction in &mut clip.corrections {
        if correction.deltas.keys().any(|path| Clock::of(retimes, path.target).is_some()) {
            *correction = Arc::new(corrected(correction, retimes)?);
        }
    }
    Ok(())
}

/// A curve read at other times.
fn read(path: ChannelPath, curve: &Curve, clock: &Clock) -> Result<Curve, EditError> {
    let (start, end) = clock.range();
    let outside =
        curve.span().is_none_or(|(first, last)| last <= start || first >= end) && curve.modifiers().is_empty();
    let found = match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => {
            let one = |curve: KeyedCurve, retime: &Arc<Retime>| scalar::keyed(&curve, &retime.phi, APPLY_BOUND);
            clock.0.iter().try_fold(keyed.clone(), one).map(|curve| Curve::Scalar(ScalarCurve::Keyed(curve)))
        }
        _ if outside => Some(curve.clone()),
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            scalar::sampled(samples, clock).map(|samples| Curve::Scalar(ScalarCurve::Sampled(samples)))
        }
        Curve::Rotation(RotationCurve::Keyed(track)) => {
            let one = |track: KeyedRotation, retime: &Arc<Retime>| rotation::keyed(&track, &retime.phi, APPLY_BOUND);
            Some(Curve::Rotation(RotationCurve::Keyed(clock.0.iter().fold(track.clone(), one))))
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            rotation::resampled(samples, clock).map(|samples| Curve::Rotation(RotationCurve::Sampled(samples)))
        }
    };
    found.ok_or(EditError::NotToBeRetimed(path))
}

/// The captured angles of joints whose three axes stand on one grid: between samples such a rotation runs along the short
/// arc, not by its angles.
fn sampled_angles(document: &Document, clip: &Clip, retimes: &[Arc<Retime>]) -> BTreeMap<ChannelPath, Arc<Curve>> {
    let mut found = BTreeMap::new();
    // Read through these alone.
    let alone = Clip { retimes: retimes.to_vec(), ..clip.clone() };
    let targets: BTreeSet<Target> = clip.channels.keys().map(|path| path.target).collect();
    for target in targets {
        let Some(clock) = Clock::of(retimes, target) else { continue };
        let Some(rows) = angles_of(document, &alone, target, &clock) else { continue };
        for (component, samples) in Component::AXES.into_iter().zip(rows) {
            let path = ChannelPath { target, property: Property::Rotation, component };
            found.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        }
    }
    found
}

/// The angles of one target, by axis; none where they are not captured on one grid.
fn angles_of(document: &Document, clip: &Clip, target: Target, clock: &Clock) -> Option<[Samples; 3]> {
    let RotationMode::Euler(order) = document.rotation_mode(target)? else { return None };
    let axis = |component| {
        let path = ChannelPath { target, property: Property::Rotation, component };
        match clip.channels.get(&path).map(|curve| &**curve) {
            Some(Curve::Scalar(ScalarCurve::Sampled(samples))) if samples.modifiers.is_empty() => Some(samples),
            _ => None,
        }
    };
    let [x, y, z] = [axis(Component::X)?, axis(Component::Y)?, axis(Component::Z)?];
    let grid = |samples: &Samples| (samples.start, samples.rate, samples.values.len());
    if grid(x) != grid(y) || grid(x) != grid(z) || x.values.is_empty() {
        return None;
    }
    let step = x.rate.frame_secs();
    let (before, after) = scalar::more_samples(x.start, step, x.values.len(), clock);
    let start = x.start - step * before as f64;
    let mut rows: [Vec<f64>; 3] = Default::default();
    let mut last = [x, y, z].map(|axis| axis.values.first().copied().unwrap_or(0.0));
    for index in 0..x.values.len() + before + after {
        let secs = start + x.rate.secs(i64::try_from(index).unwrap_or(i64::MAX));
        let old = index.checked_sub(before).filter(|old| *old < x.values.len() && clock.source(secs) == secs);
        last = match old {
            // As it was, its turns too.
            Some(old) => [x, y, z].map(|axis| axis.values.get(old).copied().unwrap_or(0.0)),
            None => {
                let local = clip_local(document, Some(clip), target, secs, Stage::Curves)?;
                read_angles(order, nearest_euler(order, &local.rotation, place_angles(order, last)))
            }
        };
        for (row, angle) in rows.iter_mut().zip(last) {
            row.push(angle);
        }
    }
    Some(rows.map(|row| Samples::new(start, x.rate, row.into())))
}

/// A correction whose covered curves are read at other times. Where only some are, its range is what all need.
fn corrected(correction: &Correction, retimes: &[Arc<Retime>]) -> Result<Correction, EditError> {
    let mut changed = correction.clone();
    let (start, end) = correction.range;
    let mut range: Option<(f64, f64)> = None;
    for (path, curve) in &mut changed.deltas {
        let own = match Clock::of(retimes, path.target) {
            Some(clock) => {
                *curve = Arc::new(read(*path, curve, &clock)?);
                (clock.shown(start), clock.shown(end))
            }
            None => (start, end),
        };
        range = Some(range.map_or(own, |all| (all.0.min(own.0), all.1.max(own.1))));
    }
    changed.range = range.unwrap_or(correction.range);
    Ok(changed)
}

/// The edit from one clip to the other.
fn edit(id: ClipId, before: &Clip, now: &Clip, gone: &BTreeSet<RetimeId>) -> Edit {
    let changed = |path: &ChannelPath, curve: &Arc<Curve>| {
        before.channels.get(path).is_none_or(|old| !Arc::ptr_eq(old, curve) && **old != **curve)
    };
    let curves = now.channels.iter().filter(|(path, curve)| changed(path, curve));
    let curves = curves.map(|(path, curve)| (CurveRef { clip: id, path: *path }, curve.clone())).collect();
    let mut edits: Vec<Edit> = vec![CurveEdit::Replace { curves }.into()];
    for (at, (old, new)) in before.corrections.iter().zip(&now.corrections).enumerate() {
        if !Arc::ptr_eq(old, new) {
            edits.push(CorrectionEdit::Delete { clip: id, correction: old.id }.into());
            edits.push(CorrectionEdit::Add { clip: id, correction: new.clone() }.into());
            edits.push(CorrectionEdit::Reorder { clip: id, correction: new.id, to: at }.into());
        }
    }
    edits.extend(gone.iter().map(|retime| RetimeEdit::Delete { clip: id, retime: *retime }.into()));
    Edit::Batch(edits)
}

/// How far what the retimes cover is moved and turned from one clip to the other, metres and radians, at a few times a frame
/// over their ranges.
fn difference(document: &Document, before: &Clip, now: &Clip, retimes: &[Arc<Retime>]) -> [f64; 2] {
    let start = retimes.iter().map(|retime| retime.phi.range().0).fold(f64::INFINITY, f64::min);
    let end = retimes.iter().map(|retime| retime.phi.range().1).fold(f64::NEG_INFINITY, f64::max);
    let frames = document.settings.rate.frame_f64(end - start);
    let looks = (frames * LOOKS_A_FRAME).ceil().clamp(1.0, MOST_LOOKS);
    let targets: BTreeSet<Target> = now.channels.keys().map(|path| path.target).collect();
    let mut off = [0.0_f64; 2];
    for target in targets.into_iter().filter(|target| retimes.iter().any(|retime| retime.covers(*target))) {
        for look in 0..=looks as u32 {
            let secs = (end - start).mul_add(f64::from(look) / looks, start);
            // Exactly at a key that jumps either side may be meant.
            let secs = secs + 2.0 * SAME_TIME_SECS;
            let at = |clip: &Clip| clip_local(document, Some(clip), target, secs, Stage::Corrected).unwrap_or_default();
            let (old, new) = (at(before), at(now));
            off[0] = off[0].max((old.translation - new.translation).norm());
            off[1] = off[1].max(old.rotation.angle_to(&new.rotation));
        }
    }
    off
}

#[cfg(test)]
mod tests;
