//! A switch both ways, worked out once for what it is of.

use crate::{
    eval::{
        blend::transition::{Switch, Transition},
        clips::switching::{Jump, Stage, SwitchPlan, jump},
    },
    math::{Transform, Vec3},
    model::{Clip, ClipId, Document, JointId, Object},
    ui::{panel::PanelContext, widgets::stick::places},
};
use std::{collections::BTreeMap, sync::Arc};

/// Places a second that are worked out for the plots.
const RATE: f64 = 60.0;
/// How much is shown before the switch and after its end, seconds.
const AROUND: f64 = 0.4;

/// What a switch was worked out of.
#[derive(Clone)]
pub(super) struct Of {
    clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
    objects: Option<Arc<Object>>,
    plan: SwitchPlan,
    inertial: Transition,
    joint: Option<JointId>,
}

impl Of {
    pub(super) fn new(ctx: &PanelContext<'_>, plan: SwitchPlan, inertial: Transition, joint: Option<JointId>) -> Self {
        let objects = ctx.document.objects.get(&plan.object).cloned();
        Self { clips: ctx.document.clips.clone(), objects, plan, inertial, joint }
    }

    fn is(&self, other: &Self) -> bool {
        let same = match (&self.objects, &other.objects) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let settings = (self.plan, self.inertial, self.joint) == (other.plan, other.inertial, other.joint);
        Arc::ptr_eq(&self.clips, &other.clips) && same && settings
    }
}

/// A switch both ways.
pub(super) struct Measured {
    of: Of,
    pub(super) stage: Stage,
    pub(super) switches: [(Transition, Switch); 2],
    pub(super) times: Vec<f64>,
    /// Where the joint is at these times: by crossfade, by inertialization, in the clip left, in the clip gone over to.
    pub(super) lines: [Vec<Vec3>; 4],
    pub(super) jumps: [Jump; 2],
    /// When the switch is, and when it ends.
    pub(super) at: f64,
    pub(super) end: f64,
}

impl std::fmt::Debug for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measured").field("plan", &self.of.plan).finish_non_exhaustive()
    }
}

const fn length(how: &Transition) -> f64 {
    match how {
        Transition::Crossfade { secs, .. } | Transition::Inertial { secs, .. } => *secs,
    }
}

impl Measured {
    pub(super) fn new(document: &Document, of: Of) -> Option<Self> {
        let stage = Stage::new(document, of.plan)?;
        let joint = of.joint.and_then(|joint| stage.skeleton().index_of(joint)).unwrap_or_default();
        let switches = [of.plan.how, of.inertial].map(|how| (how, stage.switch(how)));
        let (at, end) = (of.plan.at, of.plan.at + length(&of.plan.how));
        let first = (at - AROUND).max(0.0);
        let count = ((end + AROUND - first) * RATE).ceil().clamp(2.0, 2000.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let times: Vec<f64> = (0..=count as u32).map(|step| first + f64::from(step) / RATE).collect();
        let place = |pose: &[Transform]| places(stage.skeleton(), pose).get(joint).copied().unwrap_or_default();
        let mut lines: [Vec<Vec3>; 4] = std::array::from_fn(|_| Vec::with_capacity(times.len()));
        for secs in &times {
            // Each clip is asked once a time.
            let (from, to) = (stage.from(*secs), stage.to(*secs));
            lines[2].push(place(&from));
            lines[3].push(place(&to));
            for (line, (_, switch)) in lines.iter_mut().zip(&switches) {
                line.push(place(&switch.pose(&|_| from.clone(), &|_| to.clone(), *secs)));
            }
        }
        let jumps = [0, 1].map(|index| {
            let (_, switch) = &switches[index];
            jump(&|secs| place(&stage.pose(switch, secs)), at)
        });
        Some(Self { of, stage, switches, times, lines, jumps, at, end })
    }

    pub(super) fn is_of(&self, of: &Of) -> bool {
        self.of.is(of)
    }

    /// The times that are shown.
    pub(super) fn span(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or_default(), self.times.last().copied().unwrap_or(1.0))
    }

    /// The time of the lab at the time shown: it runs with the document's, around its end.
    pub(super) fn time_of(&self, ctx: &PanelContext<'_>) -> f64 {
        let settings = &ctx.document.settings;
        within(ctx.view.secs - settings.rate.secs(settings.play_range.first), self.span())
    }
}

/// A time brought within a span, around its end.
fn within(secs: f64, (first, last): (f64, f64)) -> f64 {
    let length = last - first;
    if length > 0.0 && secs.is_finite() { first + secs.rem_euclid(length) } else { first }
}

/// How values change between times: by the differences to both neighbours, at the ends to one.
pub(super) fn slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let count = times.len().min(values.len());
    let at = |index: usize| {
        let (a, b) = (index.saturating_sub(1), (index + 1).min(count.saturating_sub(1)));
        let way = times[b] - times[a];
        if way > 0.0 { (values[b] - values[a]) / way } else { 0.0 }
    };
    (0..count).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_a_line_are_its_own_and_short_lists_have_none() {
        let times: Vec<f64> = (0..5).map(|i| f64::from(i) * 0.5).collect();
        let line: Vec<f64> = times.iter().map(|t| 3.0 * t - 1.0).collect();
        assert!(slopes(&times, &line).iter().all(|slope| (slope - 3.0).abs() < 1e-12));
        assert_eq!(slopes(&times[..1], &line[..1]), [0.0]);
        assert!(slopes(&[], &[]).is_empty());
    }

    #[test]
    fn the_labs_time_goes_around() {
        assert_eq!(within(0.5, (1.0, 3.0)), 1.5);
        assert_eq!(within(4.5, (1.0, 3.0)), 1.5);
        assert_eq!(within(f64::NAN, (1.0, 3.0)), 1.0);
        assert_eq!(within(2.0, (1.0, 1.0)), 1.0);
    }
}
