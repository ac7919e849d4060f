//! Simplifying curves beside the window.

use crate::{
    app::{App, jobs::JobKind, state::JobResult},
    edit::{CurveEdit, CurveRef},
    eval::curve::{
        simplify::{Simplified, simplify_all},
        simplify_rotation::{SimplifiedRotation, simplify_rotation},
    },
    math::rotation::unwrap_angles,
    model::{Component, Curve, FrameRate, Property, RotationCurve, Samples, ScalarCurve},
    notice::Notice,
    text::{fill, t},
    ui::widgets::drag_field::number_text,
};
use std::sync::Arc;

/// A curve before and after.
pub(in crate::app) struct SimplifiedCurve {
    at: CurveRef,
    before: Arc<Curve>,
    after: Curve,
    /// The greatest deviation, own units.
    error: f64,
    /// Displayed units in one of its own.
    scale: f64,
}

impl App {
    /// Starts simplifying curves, each within an error in its own units; with the displayed units in one of those.
    pub(in crate::app) fn simplify(&mut self, wanted: Vec<(CurveRef, f64, f64)>, ctx: &egui::Context) {
        let document = self.state.session.base().clone();
        let rate = document.settings.rate;
        let found = wanted.into_iter().filter_map(|(at, bound, scale)| {
            let curve = document.clip(at.clip)?.channels.get(&at.path)?;
            Some((at, Arc::clone(curve), [bound, scale]))
        });
        let curves: Vec<(CurveRef, Arc<Curve>, [f64; 2])> = found.collect();
        self.start(JobKind::Simplify, ctx, move |progress| {
            progress.start(t("job.simplify"), curves.len() as u64);
            JobResult::Simplified(run(curves, rate, progress))
        });
    }

    /// Puts simplified curves in the place of those they were made of, if those are still there.
    pub(in crate::app) fn simplified(&mut self, found: Option<Vec<SimplifiedCurve>>) {
        let Some(found) = found else { return };
        let document = self.state.session.base().clone();
        let there = |curve: &SimplifiedCurve| {
            let now = document.clip(curve.at.clip).and_then(|clip| clip.channels.get(&curve.at.path));
            now.is_some_and(|now| Arc::ptr_eq(now, &curve.before))
        };
        if found.is_empty() || !found.iter().all(there) {
            self.state.tell(Notice::warn(t("graph.simplify_changed")));
            return;
        }
        let before: usize = found.iter().map(|curve| curve.before.len()).sum();
        let after: usize = found.iter().map(|curve| curve.after.len()).sum();
        let off = found.iter().map(|curve| curve.error * curve.scale);
        let error = number_text(off.fold(0.0, f64::max), 6);
        let curves = found.into_iter().map(|curve| (curve.at, Arc::new(curve.after)));
        let edit = CurveEdit::Replace { curves: curves.collect() }.into();
        let done = self.state.session.apply("history.simplify", &edit).map(|_| ());
        let worked = done.is_ok();
        crate::app::dispatch::told(self, done);
        if worked {
            let text = fill("graph.simplified", &[("before", &before), ("after", &after), ("by", &error)]);
            self.state.tell(Notice::info(text));
        }
    }
}

fn run(
    curves: Vec<(CurveRef, Arc<Curve>, [f64; 2])>,
    rate: FrameRate,
    progress: &crate::progress::Progress,
) -> Option<Vec<SimplifiedCurve>> {
    // Captured angles jump by turns: without those they are smooth.
    let smooth: Vec<(ScalarCurve, f64)> = curves
        .iter()
        .filter_map(|(at, curve, [bound, _])| match &**curve {
            Curve::Scalar(ScalarCurve::Sampled(samples)) if at.path.property == Property::Rotation => {
                debug_assert_ne!(at.path.component, Component::Whole);
                let mut values = samples.values.to_vec();
                unwrap_angles(&mut values);
                let unwrapped = Samples { values: values.into(), ..samples.clone() };
                Some((ScalarCurve::Sampled(unwrapped), *bound))
            }
            Curve::Scalar(curve) => Some((curve.clone(), *bound)),
            Curve::Rotation(_) => None,
        })
        .collect();
    let asked: Vec<(&ScalarCurve, f64, f64)> =
        smooth.iter().map(|(curve, bound)| (curve, rate.frame_secs(), *bound)).collect();
    let found = simplify_all(&asked, progress).ok()?;
    let mut found = found.into_iter();
    let mut done = Vec::with_capacity(curves.len());
    for (at, before, [bound, scale]) in curves {
        let (after, error) = match &*before {
            Curve::Scalar(_) => match found.next()? {
                Some(Simplified { curve, error }) => (Curve::Scalar(ScalarCurve::Keyed(curve)), error),
                None => continue,
            },
            Curve::Rotation(track) => {
                progress.check().ok()?;
                match simplify_rotation(track, rate.frame_secs(), bound) {
                    Some(SimplifiedRotation { curve, error }) => (Curve::Rotation(RotationCurve::Keyed(curve)), error),
                    None => continue,
                }
            }
        };
        done.push(SimplifiedCurve { at, before, after, error, scale });
    }
    Some(done)
}
