//! Painting how much a mask touches each joint: a click or a drag over joints gives them the weight of the brush; with Ctrl
//! it takes them out.

use super::painting::{Painting, Stroke};
use crate::{
    edit::{
        Edit, Selection,
        blend::{change_mask, weigh},
    },
    interact::{
        input::{Event, ScreenPos},
        overlay::{Ink, Mark, Overlay},
        picking::HitKind,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    model::{JointId, JointMaskId, ObjectId},
};
use std::collections::BTreeSet;

/// Radius of the ring around a joint, points; the disc in it shows the weight by its size.
const RING_PT: f64 = 8.0;

/// A stroke of the brush.
#[derive(Clone, Debug)]
struct JointStroke {
    mask: JointMaskId,
    object: ObjectId,
    joints: BTreeSet<JointId>,
    takes: bool,
}

/// The tool.
#[derive(Clone, Debug, Default)]
pub struct PaintMaskTool {
    painting: Painting<JointStroke>,
}

/// The joint of a rig at a place.
fn joint_at(ctx: &ToolContext<'_>, at: ScreenPos) -> Option<(ObjectId, JointId)> {
    let hits = ctx.scene.hits(ctx.view, at, &ctx.selection.targets);
    let of_joint = |kind| matches!(kind, HitKind::Joint | HitKind::Bone | HitKind::Part);
    hits.into_iter().find(|hit| hit.spot.is_none() && of_joint(hit.kind)).map(|hit| (hit.object, hit.joint))
}

impl JointStroke {
    /// The change so far, from the mask as it was at the press; none where it is gone.
    fn edit(&self, ctx: &ToolContext<'_>) -> Edit {
        let rig = ctx.document.object(self.object).and_then(|object| object.as_rig());
        let Some(rig) = rig else { return Edit::none() };
        let weight = if self.takes { 0.0 } else { ctx.brush.joint_weight };
        let joints = self.joints.iter().filter_map(|joint| rig.skeleton.index_of(*joint));
        change_mask(ctx.document, self.mask, |mask| weigh(mask, &rig.skeleton, joints, weight))
            .unwrap_or_else(|_| Edit::none())
    }
}

impl Stroke for JointStroke {
    const LABEL: &'static str = "history.mask_paint";
    const TAKES_PRESS: bool = true;

    fn begin(ctx: &ToolContext<'_>, at: ScreenPos, takes: bool) -> Option<(Self, Option<Selection>)> {
        let mask = ctx.brush.joint_mask.filter(|mask| ctx.document.masks.contains_key(mask))?;
        let (object, joint) = joint_at(ctx, at)?;
        Some((Self { mask, object, joints: BTreeSet::from([joint]), takes }, None))
    }

    fn first(&mut self, ctx: &ToolContext<'_>, _at: ScreenPos) -> Option<Edit> {
        Some(self.edit(ctx))
    }

    fn go_on(&mut self, ctx: &ToolContext<'_>, to: ScreenPos) -> Option<Edit> {
        let (object, joint) = joint_at(ctx, to)?;
        (object == self.object && self.joints.insert(joint)).then(|| self.edit(ctx))
    }
}

impl Tool for PaintMaskTool {
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
        let mask = ctx.brush.joint_mask.and_then(|mask| ctx.document.masks.get(&mask));
        let Some(mask) = mask else {
            return Look { hint: "hint.paint_mask_none", cursor: Cursor::Default, ..Look::default() };
        };
        let mut overlay = Overlay::default();
        let under = ctx.pointer.and_then(|at| joint_at(ctx, at));
        for (id, _, rig) in ctx.document.rigs() {
            let weights = mask.weights(&rig.skeleton);
            for shape in ctx.scene.joints.iter().filter(|shape| shape.object == id && !shape.is_tip()) {
                let weight = rig.skeleton.index_of(shape.joint).and_then(|at| weights.get(at)).copied().unwrap_or(0.0);
                let Some(at) = ctx.view.project(&shape.at) else { continue };
                let hovered = under == Some((id, shape.joint));
                let ink = if hovered { Ink::Hovered } else { Ink::Mark };
                overlay.marks.push(Mark::Circle { at, radius: RING_PT, ink });
                if weight > 0.0 {
                    overlay.marks.push(Mark::Dot { at, radius: RING_PT * weight.sqrt(), ink: Ink::Selected });
                }
                if hovered {
                    let text = format!("{weight:.2}");
                    overlay.text([at[0] + RING_PT + 4.0, at[1] - 8.0], text, None);
                }
            }
        }
        let cursor = if under.is_some() { Cursor::Pointing } else { Cursor::Cross };
        Look { overlay, cursor, hint: "hint.paint_mask", ..Look::default() }
    }
}
