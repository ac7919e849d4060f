//! Painting which vertices a deformer acts on: a brush on the surface, with a soft edge. With Ctrl it takes away.

use super::{
    painting::{Painting, Stroke},
    pull::{met, reach},
};
use crate::{
    edit::{DeformEdit, Edit, Selection},
    eval::deform::landmarks::fade,
    interact::{
        input::{Event, ScreenPos, distance},
        overlay::{Ink, Mark, Overlay},
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::Vec3,
    model::{Mask, MaskId, ObjectId, StackEntry, Target, VertexMask},
};
use std::sync::Arc;

/// How much one dab brings, 0..1.
const STRENGTH: f64 = 0.5;
/// Between dabs the pointer goes so far at most, points.
const STEP_PT: f64 = 6.0;
/// At most so many dabs for one movement of the pointer.
const MOST_DABS: u32 = 64;

/// A stroke of the brush.
#[derive(Clone, Debug)]
struct MaskStroke {
    object: ObjectId,
    entry: StackEntry,
    mask: MaskId,
    name: String,
    weights: Vec<f32>,
    takes: bool,
    last: ScreenPos,
}

/// The tool.
#[derive(Clone, Debug, Default)]
pub struct MaskTool {
    painting: Painting<MaskStroke>,
}

/// The entry of a mesh's stack whose mask is painted: the selected one, that of the selected deformer, else the last.
fn entry_of(ctx: &ToolContext<'_>, object: ObjectId) -> Option<StackEntry> {
    let stack = &ctx.document.object(object)?.as_mesh()?.stack;
    let all = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    let own = |target: Target| match target {
        Target::Deformer(of, entry) => stack.iter().find(|own| of == object && own.id == entry),
        other => stack.iter().find(|own| own.by == other.object()),
    };
    all.filter_map(own).next().or(stack.last()).copied()
}

impl MaskStroke {
    fn new(ctx: &ToolContext<'_>, at: ScreenPos, takes: bool) -> Option<Self> {
        let object = met(ctx, at)?.object;
        let entry = entry_of(ctx, object)?;
        let mesh = ctx.document.object(object)?.as_mesh()?;
        let known = match entry.mask {
            Some(Mask::Painted(id)) => mesh.mask(id),
            _ => None,
        };
        let (mask, name, weights) = match known {
            Some(known) => (known.id, known.name.clone(), known.weights.to_vec()),
            None => {
                // What is taken away is taken from all there is.
                let all = if takes { 1.0 } else { 0.0 };
                let by = ctx.document.object(entry.by).map(|by| by.name.clone()).unwrap_or_default();
                (mesh.fresh_mask_id(), by, vec![all; mesh.len()])
            }
        };
        Some(Self { object, entry, mask, name, weights, takes, last: at })
    }

    /// Paints from the last place to another.
    fn paint(&mut self, ctx: &ToolContext<'_>, to: ScreenPos) {
        let from = self.last;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded")]
        let count = ((distance(from, to) / STEP_PT).ceil().max(1.0) as u32).min(MOST_DABS);
        for step in 1..=count {
            let part = f64::from(step) / f64::from(count);
            let at = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
            self.dab(ctx, at);
        }
        self.last = to;
    }

    fn dab(&mut self, ctx: &ToolContext<'_>, pos: ScreenPos) {
        let Some(met) = met(ctx, pos).filter(|met| met.object == self.object) else { return };
        let Some(surface) = ctx.scene.surfaces.iter().find(|surface| surface.object == self.object) else { return };
        let radius = reach(ctx, self.object);
        for (weight, at) in self.weights.iter_mut().zip(surface.positions()) {
            let share = fade((Vec3::from(at.map(f64::from)) - met.at).norm(), radius) * STRENGTH;
            if share > 0.0 {
                let to = if self.takes { 0.0 } else { 1.0 };
                #[expect(clippy::cast_possible_truncation, reason = "weights are held in single precision")]
                let share = share as f32;
                *weight = (*weight + (to - *weight) * share).clamp(0.0, 1.0);
            }
        }
    }

    fn edit(&self) -> Edit {
        let mask = VertexMask { id: self.mask, name: self.name.clone(), weights: self.weights.clone().into() };
        let entry = StackEntry { mask: Some(Mask::Painted(self.mask)), ..self.entry };
        let mask = DeformEdit::SetMask { object: self.object, mask: Arc::new(mask) };
        Edit::Batch(vec![mask.into(), DeformEdit::SetEntry { object: self.object, entry }.into()])
    }
}

impl Stroke for MaskStroke {
    const LABEL: &'static str = "history.paint_mask";
    const TAKES_PRESS: bool = true;

    fn begin(ctx: &ToolContext<'_>, at: ScreenPos, takes: bool) -> Option<(Self, Option<Selection>)> {
        let stroke = Self::new(ctx, at, takes)?;
        let target = Target::Deformer(stroke.object, stroke.entry.id);
        let selection = (!ctx.selection.contains(target)).then(|| Selection::single(target));
        Some((stroke, selection))
    }

    fn first(&mut self, ctx: &ToolContext<'_>, at: ScreenPos) -> Option<Edit> {
        self.dab(ctx, at);
        Some(self.edit())
    }

    fn go_on(&mut self, ctx: &ToolContext<'_>, to: ScreenPos) -> Option<Edit> {
        if to == self.last {
            return None;
        }
        self.paint(ctx, to);
        Some(self.edit())
    }
}

impl Tool for MaskTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        self.painting.handle(event, ctx)
    }

    fn cancel(&mut self) -> ToolOutput {
        self.painting.cancel()
    }

    fn is_busy(&self) -> bool {
        self.painting.is_busy()
    }

    fn gesture(&self) -> Option<&'static str> {
        self.painting.gesture()
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        let mut hint = "hint.mask";
        if let Some(met) = ctx.pointer.and_then(|pos| met(ctx, pos)) {
            if entry_of(ctx, met.object).is_none() {
                hint = "hint.mask_none";
            }
            let scale = ctx.view.points_per_metre_at(ctx.view.depth(&met.at));
            if let (Some(at), Some(scale)) = (ctx.view.project(&met.at), scale) {
                overlay.marks.push(Mark::Circle { at, radius: reach(ctx, met.object) * scale, ink: Ink::Hovered });
            }
        }
        Look { overlay, cursor: Cursor::Cross, hint, ..Look::default() }
    }
}
