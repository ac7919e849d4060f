//! Painting how much a mask touches each joint: a click or a drag over joints gives them the weight of the brush; with Ctrl
//! it takes them out.

use crate::{
    edit::{
        Edit, Gesture,
        blend::{change_mask, weigh},
    },
    interact::{
        input::{Button, Event, Key, PointerKind, ScreenPos},
        overlay::{Ink, Mark, Overlay},
        picking::HitKind,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    model::{JointId, JointMaskId, ObjectId},
};
use std::collections::BTreeSet;

/// The text key of a stroke in the history.
const PAINT: &str = "history.mask_paint";
/// Radius of the ring around a joint, points; the disc in it shows the weight by its size.
const RING_PT: f64 = 8.0;

/// A stroke of the brush.
#[derive(Clone, Debug)]
struct Stroke {
    mask: JointMaskId,
    object: ObjectId,
    joints: BTreeSet<JointId>,
    takes: bool,
}

/// The tool.
#[derive(Clone, Debug, Default)]
pub struct PaintMaskTool {
    stroke: Option<Stroke>,
}

/// The joint of a rig at a place.
fn joint_at(ctx: &ToolContext<'_>, at: ScreenPos) -> Option<(ObjectId, JointId)> {
    let hits = ctx.scene.hits(ctx.view, at, &ctx.selection.targets);
    let of_joint = |kind| matches!(kind, HitKind::Joint | HitKind::Bone | HitKind::Part);
    hits.into_iter().find(|hit| hit.spot.is_none() && of_joint(hit.kind)).map(|hit| (hit.object, hit.joint))
}

impl Stroke {
    /// The change so far, from the mask as it was at the press; none where it is gone.
    fn edit(&self, ctx: &ToolContext<'_>) -> Edit {
        let rig = ctx.document.object(self.object).and_then(|object| object.as_rig());
        let Some(rig) = rig else { return Edit::none() };
        let weight = if self.takes { 0.0 } else { ctx.brush.joint_weight };
        let joints = self.joints.iter().filter_map(|joint| rig.skeleton.index_of(*joint));
        change_mask(ctx.document, self.mask, |mask| weigh(mask, &rig.skeleton, joints, weight))
            .unwrap_or_else(|_| Edit::none())
    }

    fn add(&mut self, ctx: &ToolContext<'_>, at: ScreenPos) -> bool {
        joint_at(ctx, at).is_some_and(|(object, joint)| object == self.object && self.joints.insert(joint))
    }
}

impl Tool for PaintMaskTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&mut self.stroke, event) {
            (None, Event::Pointer(pointer)) if pointer.kind == PointerKind::Press(Button::Primary) => {
                let mask = ctx.brush.joint_mask.filter(|mask| ctx.document.masks.contains_key(mask));
                let (Some(mask), Some((object, joint))) = (mask, joint_at(ctx, pointer.pos)) else {
                    return ToolOutput::taken();
                };
                let stroke = Stroke { mask, object, joints: BTreeSet::from([joint]), takes: pointer.modifiers.ctrl };
                let gestures = vec![Gesture::Begin { label: PAINT }, Gesture::Update(stroke.edit(ctx))];
                self.stroke = Some(stroke);
                ToolOutput { gestures, ..ToolOutput::taken() }
            }
            (Some(stroke), Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move if stroke.add(ctx, pointer.pos) => {
                    ToolOutput::gesture(Gesture::Update(stroke.edit(ctx)))
                }
                PointerKind::Release(Button::Primary) => {
                    self.stroke = None;
                    ToolOutput::gesture(Gesture::Commit)
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            (Some(_), Event::Key(key)) if key.key == Key::Escape => self.cancel(),
            (Some(_), Event::Key(_)) => ToolOutput::taken(),
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
        self.stroke.as_ref().map(|_| PAINT)
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
