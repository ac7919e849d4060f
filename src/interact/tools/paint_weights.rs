//! Painting weights: a stroke over a mesh gives the selected joint more, less or smoother weights; one step of undo.

use crate::{
    edit::{
        Gesture, MeshEdit,
        skins::{
            other_side,
            paint::{Brush, Paint, Painting, Twins, twins},
        },
    },
    interact::{
        input::{Button, Event, Key, PointerKind, ScreenPos},
        overlay::{Ink, Mark, Overlay},
        surfaces::SurfaceShape,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::Vec3,
    model::{ObjectId, Parent, Skin, Target},
};
use std::sync::Arc;

/// The text key of a stroke in the history.
const LABEL: &str = "history.paint_weights";
/// Dabs of a stroke lie this part of the radius apart.
const SPACING: f64 = 0.3;
/// At most so many dabs between two places of the pointer.
const MOST_DABS: f64 = 24.0;

/// A stroke that runs.
struct Stroke {
    object: ObjectId,
    painting: Painting,
    last: ScreenPos,
}

/// The tool.
#[derive(Default)]
pub struct PaintWeightsTool {
    stroke: Option<Box<Stroke>>,
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

impl PaintWeightsTool {
    fn press(&mut self, pos: ScreenPos, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(joint) = painted_joint(ctx) else { return ToolOutput::IGNORED };
        let Some((surface, slot, _)) = met(ctx, joint, pos) else { return ToolOutput::IGNORED };
        let Some(skin) = &surface.mesh.skin else { return ToolOutput::IGNORED };
        let both = ctx.brush.mirror.then(|| {
            let vertices = twins(&surface.mesh.geometry.positions);
            Arc::new(Twins { vertices, joints: other_side(ctx.document, skin) })
        });
        let painting = Painting::new(&surface.mesh, skin, slot, both);
        self.stroke = Some(Box::new(Stroke { object: surface.object, painting, last: pos }));
        let mut output = ToolOutput::gesture(Gesture::Begin { label: LABEL });
        output.append(self.dab(pos, ctx));
        output
    }

    /// The stroke goes on to a place: dabs on the way.
    fn go_on(&mut self, pos: ScreenPos, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(stroke) = &self.stroke else { return ToolOutput::IGNORED };
        let (from, apart) = (stroke.last, (ctx.brush.radius * SPACING).max(1.0));
        let way = [pos[0] - from[0], pos[1] - from[1]];
        let length = way[0].hypot(way[1]);
        if length < apart {
            return ToolOutput::taken();
        }
        let dabs = (length / apart).floor().min(MOST_DABS);
        let mut output = ToolOutput::taken();
        let mut at = 1.0;
        while at <= dabs {
            let part = at / dabs;
            output = self.dab([from[0] + way[0] * part, from[1] + way[1] * part], ctx);
            at += 1.0;
        }
        if let Some(stroke) = &mut self.stroke {
            stroke.last = pos;
        }
        output
    }

    /// A dab where the pointer meets the mesh; the output is the whole change so far.
    fn dab(&mut self, pos: ScreenPos, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(stroke) = &mut self.stroke else { return ToolOutput::IGNORED };
        let surface = ctx.scene.surfaces.iter().find(|surface| surface.object == stroke.object);
        let Some((surface, skin)) = surface.and_then(|surface| Some((surface, surface.mesh.skin.as_ref()?))) else {
            return ToolOutput::taken();
        };
        let Some((at, _)) = surface.place(ctx.view, pos) else { return ToolOutput::taken() };
        let Some(scale) = ctx.view.points_per_metre(&at).filter(|scale| *scale > 0.0) else {
            return ToolOutput::taken();
        };
        let brush = Brush {
            paint: ctx.brush.paint,
            radius: ctx.brush.radius / scale,
            strength: ctx.brush.strength,
            falloff: ctx.brush.falloff,
        };
        stroke.painting.dab(&brush, &at, surface.positions());
        let skin = Some(Arc::new(stroke.painting.table().on(skin)));
        ToolOutput::gesture(Gesture::Update(MeshEdit::SetSkin { object: stroke.object, skin }.into()))
    }
}

impl Tool for PaintWeightsTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match event {
            Event::Pointer(pointer) => match pointer.kind {
                PointerKind::Press(Button::Primary) if self.stroke.is_none() => self.press(pointer.pos, ctx),
                PointerKind::Move if self.stroke.is_some() => self.go_on(pointer.pos, ctx),
                PointerKind::Release(Button::Primary) if self.stroke.is_some() => {
                    let mut output = self.go_on(pointer.pos, ctx);
                    self.stroke = None;
                    output.append(ToolOutput::gesture(Gesture::Commit));
                    output
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ if self.stroke.is_some() => ToolOutput::taken(),
                _ => ToolOutput::IGNORED,
            },
            Event::Key(key) if key.key == Key::Escape => self.cancel(),
            _ => ToolOutput::IGNORED,
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        match self.stroke.take() {
            Some(_) => ToolOutput::gesture(Gesture::Cancel),
            None => ToolOutput::IGNORED,
        }
    }

    fn is_busy(&self) -> bool {
        self.stroke.is_some()
    }

    fn gesture(&self) -> Option<&'static str> {
        self.stroke.as_ref().map(|_| LABEL)
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let mut overlay = Overlay::default();
        let joint = painted_joint(ctx);
        let over = ctx.pointer.and_then(|pos| Some((pos, met(ctx, joint?, pos)?)));
        if let Some((at, _)) = over {
            let ink = if self.stroke.is_some() { Ink::Selected } else { Ink::Hovered };
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
