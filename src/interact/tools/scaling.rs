//! Making the selection larger or smaller with the pointer after a key, until it is confirmed.
//!
//! Points of lattices move from or to their middle; objects and joints change their own scale, along their own axes where an axis
//! is held.

use super::{
    points,
    pose_write::{hint_of, write},
    steering::{Begun, Steering},
    subject::Subject,
};
use crate::{
    edit::{Edit, EditError, Gesture},
    interact::{
        input::{Event, ScreenPos, distance},
        modal::Constraint,
        overlay::{Ink, Overlay},
        projection::View,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
        view_state::TransformSpace,
    },
    math::{Mat3, Transform, Vec3},
    model::{Property, Target},
};

/// The text key of the change in the history.
const LABEL: &str = "history.scale";
/// The step factors snap to; a tenth of it in precise work.
const STEP: f64 = 0.1;
/// The pointer counts as this far from the middle at least, points: nearer a factor would jump.
const LEAST_PT: f64 = 6.0;

/// A change of size that is running.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    steering: Steering,
    subjects: Vec<Subject>,
    /// What it grows from, world.
    middle: Vec3,
    /// Axes of the spaces, world: local, parent, world.
    axes: [Mat3; 3],
}

impl Run {
    fn factor(&self, view: &View) -> f64 {
        if let Some(typed) = self.steering.typed().number().value() {
            return typed;
        }
        let Some(middle) = view.project(&self.middle) else { return 1.0 };
        let from = distance(self.steering.press(), middle).max(LEAST_PT);
        let factor = distance(self.steering.now(), middle) / from;
        if !self.steering.snaps() {
            return factor;
        }
        let step = if self.steering.is_precise() { STEP / 10.0 } else { STEP };
        (factor / step).round() * step
    }

    /// The factors along the axes of the space held.
    fn factors(&self, view: &View) -> (Vec3, usize) {
        let factor = self.factor(view);
        let one =
            |axis: usize, on: bool| Vec3::from_fn(|other, _| if (other == axis % 3) == on { factor } else { 1.0 });
        let space = |space: TransformSpace| TransformSpace::ALL.iter().position(|other| *other == space).unwrap_or(0);
        match self.steering.constraint() {
            Constraint::Free => (Vec3::repeat(factor), 0),
            Constraint::Axis(axis, of) => (one(axis, true), space(of)),
            Constraint::Plane(axis, of) => (one(axis, false), space(of)),
        }
    }

    fn edit(&self, ctx: &ToolContext<'_>, live: bool) -> Result<Edit, EditError> {
        let (factors, space) = self.factors(ctx.view);
        let axes = self.axes[space];
        let map = axes * Mat3::from_diagonal(&factors) * axes.transpose();
        let mut changes = points::moved(ctx, &self.subjects, &|at: &Vec3| self.middle + map * (at - self.middle));
        for subject in &self.subjects {
            if matches!(subject.target, Target::Object(_) | Target::Joint(..)) {
                let local = subject.local;
                let scale = local.scale.component_mul(&factors);
                changes.push((subject.target, Transform { scale, ..local }));
            }
        }
        write(ctx, &changes, live)
    }

    fn readout(&self, view: &View) -> String {
        let letters = self.steering.constraint().letters();
        let blank = if letters.is_empty() { "" } else { " " };
        if self.steering.typed().is_empty() {
            return format!("{letters}{blank}{:.3}", self.factor(view));
        }
        format!("{letters}{blank}{}", self.steering.typed().number().text())
    }
}

/// Scales the selection with the pointer after a key.
#[derive(Clone, Debug, PartialEq)]
pub struct GrabScale {
    run: Option<Run>,
}

impl GrabScale {
    /// Begins with the pointer at a place; none where nothing selected has a size.
    #[must_use]
    pub fn begin(at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        let mut subjects = Subject::selected(ctx);
        let sized = |target: Target| {
            matches!(target, Target::Object(_) | Target::Joint(..)) || points::is_lattice_point(ctx, target)
        };
        subjects.retain(|subject| sized(subject.target));
        let first = subjects.first()?;
        let middle = points::middle(ctx, &subjects).unwrap_or(first.world().translation);
        let axes = TransformSpace::ALL.map(|space| first.axes(space));
        let run = Run { steering: Steering::new(Begun::ByKey, at), subjects, middle, axes };
        Some((Self { run: Some(run) }, ToolOutput::gesture(Gesture::Begin { label: LABEL })))
    }
}

impl Tool for GrabScale {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(run) = &mut self.run else { return ToolOutput::IGNORED };
        let steer = run.steering.handle(event);
        let (output, ended) = ToolOutput::of_steer(steer, |live| run.edit(ctx, live));
        if ended {
            self.run = None;
        }
        output
    }

    fn cancel(&mut self) -> ToolOutput {
        if self.run.take().is_some() { ToolOutput::gesture(Gesture::Cancel) } else { ToolOutput::IGNORED }
    }

    fn is_busy(&self) -> bool {
        self.run.is_some()
    }

    fn gesture(&self) -> Option<&'static str> {
        self.run.as_ref().map(|_| LABEL)
    }

    fn is_modal(&self) -> bool {
        true
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let Some(run) = &self.run else { return Look::default() };
        let mut overlay = Overlay::default();
        let readout = run.readout(ctx.view);
        if let Some(middle) = ctx.view.project(&run.middle) {
            overlay.dashed(middle, run.steering.pointer(), Ink::Selected);
        }
        let [x, y] = run.steering.pointer();
        overlay.text([x + 16.0, y + 14.0], readout.clone(), run.steering.constraint().space_key());
        let targets: Vec<Target> = run.subjects.iter().map(|subject| subject.target).collect();
        let hint = hint_of(ctx, &targets, Property::Scale, "hint.scaling");
        Look { overlay, cursor: Cursor::Grabbing, hint, readout, ..Look::default() }
    }
}
