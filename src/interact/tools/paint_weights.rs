//! Painting weights: a stroke over a mesh gives the selected joint more, less or smoother weights; one step of undo.

use super::painting::{Painting, Stroke};
use crate::{
    edit::{
        Edit, MeshEdit, Selection,
        skins::{
            other_side,
            paint::{Brush, Paint, Painting as Weighing, Twins, twins},
        },
    },
    interact::{
        input::{Event, ScreenPos},
        overlay::{Ink, Mark, Overlay},
        surfaces::SurfaceShape,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::Vec3,
    model::{ObjectId, Parent, Skin, Target},
};
use std::sync::Arc;

/// Dabs of a stroke lie this part of the radius apart.
const SPACING: f64 = 0.3;
/// At most so many dabs between two places of the pointer.
const MOST_DABS: f64 = 24.0;

/// A stroke that runs.
struct WeightStroke {
    object: ObjectId,
    painting: Weighing,
    last: ScreenPos,
}

/// The tool.
#[derive(Default)]
pub struct PaintWeightsTool {
    painting: Painting<WeightStroke>,
}

/// The joint that is painted: the active one, or any that is selected.
#[must_use]
pub fn painted_joint(ctx: &ToolContext<'_>) -> Option<Parent> {
    let all = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied());
    all.filter_map(|target| match target {
        Target::Joint(object, joint) => Some(Parent::Joint(object, joint)),
        _ => None,
    })
    .next()
}

/// The joint's place in a skin's list.
#[must_use]
pub fn slot_of(skin: &Skin, joint: Parent) -> Option<u16> {
    skin.joints.iter().position(|own| own.joint == joint).and_then(|at| u16::try_from(at).ok())
}

/// What is under the pointer of the meshes that follow the joint.
fn met<'s>(ctx: &'s ToolContext<'_>, joint: Parent, pos: ScreenPos) -> Option<(&'s SurfaceShape, u16, Vec3)> {
    let own = ctx.scene.surfaces.iter().filter_map(|surface| {
        let slot = slot_of(surface.mesh.skin.as_ref()?, joint)?;
        let (at, depth) = surface.place(ctx.view, pos)?;
        Some((depth, (surface, slot, at)))
    });
    own.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, found)| found)
}

impl WeightStroke {
    /// A dab where the pointer meets the mesh; the whole change so far.
    fn dab(&mut self, pos: ScreenPos, ctx: &ToolContext<'_>) -> Option<Edit> {
        let surface = ctx.scene.surfaces.iter().find(|surface| surface.object == self.object)?;
        let skin = surface.mesh.skin.as_ref()?;
        let (at, _) = surface.place(ctx.view, pos)?;
        let scale = ctx.view.points_per_metre(&at).filter(|scale| *scale > 0.0)?;
        let brush = Brush {
            paint: ctx.brush.paint,
            radius: ctx.brush.radius / scale,
            strength: ctx.brush.strength,
            falloff: ctx.brush.falloff,
        };
        self.painting.dab(&brush, &at, surface.positions());
        let skin = Some(Arc::new(self.painting.table().on(skin)));
        Some(MeshEdit::SetSkin { object: self.object, skin }.into())
    }
}

impl Stroke for WeightStroke {
    const LABEL: &'static str = "history.paint_weights";
    const TAKES_PRESS: bool = false;

    fn begin(ctx: &ToolContext<'_>, at: ScreenPos, _takes: bool) -> Option<(Self, Option<Selection>)> {
        let joint = painted_joint(ctx)?;
        let (surface, slot, _) = met(ctx, joint, at)?;
        let skin = surface.mesh.skin.as_ref()?;
        let both = ctx.brush.mirror.then(|| {
            let vertices = twins(&surface.mesh.geometry.positions);
            Arc::new(Twins { vertices, joints: other_side(ctx.document, skin) })
        });
        let painting = Weighing::new(&surface.mesh, skin, slot, both);
        Some((Self { object: surface.object, painting, last: at }, None))
    }

    fn first(&mut self, ctx: &ToolContext<'_>, at: ScreenPos) -> Option<Edit> {
        self.dab(at, ctx)
    }

    /// Dabs on the way.
    fn go_on(&mut self, ctx: &ToolContext<'_>, to: ScreenPos) -> Option<Edit> {
        let (from, apart) = (self.last, (ctx.brush.radius * SPACING).max(1.0));
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].hypot(way[1]);
        if length < apart {
            return None;
        }
        let dabs = (length / apart).floor().min(MOST_DABS);
        let (mut edit, mut at) = (None, 1.0);
        while at <= dabs {
            let part = at / dabs;
            edit = self.dab([from[0] + way[0] * part, from[1] + way[1] * part], ctx).or(edit);
            at += 1.0;
        }
        self.last = to;
        edit
    }
}

impl Tool for PaintWeightsTool {
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
        let joint = painted_joint(ctx);
        let over = ctx.pointer.and_then(|pos| Some((pos, met(ctx, joint?, pos)?)));
        if let Some((at, _)) = over {
            let ink = if self.painting.is_busy() { Ink::Selected } else { Ink::Hovered };
            overlay.marks.push(Mark::Circle { at, radius: ctx.brush.radius, ink });
        }
        let hint = match (joint, over.is_some(), ctx.brush.paint) {
            (None, ..) => "hint.weights_no_joint",
            (Some(_), false, _) => "hint.weights_over_nothing",
            (Some(_), true, Paint::Smooth) => "hint.weights_smooth",
            (Some(_), true, Paint::Remove) => "hint.weights_remove",
            (Some(_), true, Paint::Add) => "hint.weights_add",
        };
        let cursor = if over.is_some() { Cursor::Cross } else { Cursor::Default };
        Look { overlay, hint, cursor, ..Look::default() }
    }
}
