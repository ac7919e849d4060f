//! What acts on a rotation's curves besides their keys: modifiers, and what goes on before and after the keys.

use super::FormReport;
use crate::model::{Curve, Extrapolation, KeyedCurve, Modifier, ModifierKind, RotationMode, ScalarCurve};
use std::sync::Arc;

/// What becomes of it in another form.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// The modifiers that act on the new curves as they did on the old ones.
    pub kept: Vec<Modifier>,
    /// What the new curves do before and after their keys.
    pub beyond: [Extrapolation; 2],
    /// How many modifiers stay, are taken into the keys, or go.
    pub report: FormReport,
}

/// Whether a modifier only reads the curve at other times, so that it does the same to every form of a rotation: what is
/// added, bounded or averaged is another thing for other angles.
fn reads_other_times(modifier: &Modifier) -> bool {
    let times_only = matches!(modifier.kind, ModifierKind::Cycles { offset: false, .. } | ModifierKind::Stepped { .. });
    times_only && modifier.influence == 1.0 && modifier.blend == (0.0, 0.0)
}

/// What a curve does before and after its keys.
fn ends(curve: &Curve) -> [Extrapolation; 2] {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => [keyed.pre, keyed.post],
        _ => [Extrapolation::default(); 2],
    }
}

impl Around {
    /// Of the curves of a rotation that is to be held otherwise.
    pub(super) fn of(own: &[Arc<Curve>], mode: RotationMode) -> Self {
        // A quaternion track has neither.
        let angles =
            matches!(mode, RotationMode::Euler(_)) && own.iter().all(|curve| matches!(**curve, Curve::Scalar(_)));
        let Some(first) = own.first().filter(|_| angles) else {
            return Self { report: counted(own), ..Self::default() };
        };
        let stack = first.modifiers();
        let one_stack = own.iter().all(|curve| curve.modifiers() == stack) && stack.iter().all(reads_other_times);
        let one_span = own.iter().all(|curve| curve.span() == first.span());
        let beyond = [0, 1].map(|side| {
            let kind = ends(first)[side];
            let held = matches!(kind, Extrapolation::Constant | Extrapolation::Linear);
            let one = own.iter().all(|curve| ends(curve)[side] == kind) && (held || one_span);
            if one { kind } else { Extrapolation::default() }
        });
        let (kept, report) = if one_stack {
            (stack.to_vec(), FormReport { kept: stack.len(), ..FormReport::default() })
        } else {
            (Vec::new(), counted(own))
        };
        Self { kept, beyond, report }
    }

    /// A curve without the modifiers that are put on the new ones.
    pub(super) fn bare(&self, curve: &Arc<Curve>) -> Arc<Curve> {
        if self.kept.is_empty() {
            return Arc::clone(curve);
        }
        let mut bare = (**curve).clone();
        if let Some(stack) = stack(&mut bare) {
            stack.clear();
        }
        Arc::new(bare)
    }

    /// Puts on a new curve what stays.
    pub(super) fn put_on(&self, curve: &mut Curve) {
        if let Some(stack) = stack(curve) {
            stack.clone_from(&self.kept);
        }
        if let Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { pre, post, .. })) = curve {
            [*pre, *post] = self.beyond;
        }
    }
}

fn stack(curve: &mut Curve) -> Option<&mut Vec<Modifier>> {
    match curve {
        Curve::Scalar(ScalarCurve::Keyed(keyed)) => Some(&mut keyed.modifiers),
        Curve::Scalar(ScalarCurve::Sampled(samples)) => Some(&mut samples.modifiers),
        Curve::Rotation(_) => None,
    }
}

/// All modifiers as taken into the keys, those that are switched off as gone.
fn counted(own: &[Arc<Curve>]) -> FormReport {
    let count = |muted: bool| {
        let all = own.iter().flat_map(|curve| curve.modifiers());
        all.filter(|modifier| modifier.muted == muted).count()
    };
    FormReport { baked: count(false), gone: count(true), ..FormReport::default() }
}
