//! Rolling a foot about its heel, ball or toes: by handles on a selected foot, or after a key by the pointer alone.

use super::{pose_write::write_joints, steering::Begun, turning::Turning};
use crate::{
    edit::{Edit, EditError, Gesture},
    eval::{
        EvaluatedFrame,
        limbs::{
            Limbs,
            foot::{Foot, FootBody, FootPivot, FootRoll},
        },
    },
    interact::{
        input::{Event, ScreenPos},
        overlay::{Ink, Mark, Overlay},
        picking::PickScene,
        projection::View,
        tool::{Cursor, Look, Tool, ToolContext, ToolOutput},
    },
    math::{Affine, Transform, Vec3},
    model::{Document, ObjectId, Rig, Target},
};
use std::sync::Arc;

/// The text key of a roll in the history.
const LABEL: &str = "history.roll_foot";
/// A handle is hit within this distance, points.
const HIT_PT: f64 = 9.0;
/// A foot shorter than this on the screen has no handles, points: they would be in the way of the foot itself.
const LEAST_PT: f64 = 44.0;
/// A handle's radius, points.
const RADIUS_PT: f64 = 4.5;

/// The text key of a pivot's name.
#[must_use]
pub const fn pivot_name(pivot: FootPivot) -> &'static str {
    match pivot {
        FootPivot::Heel => "foot.heel",
        FootPivot::Ball => "foot.ball",
        FootPivot::Toe => "foot.toe",
    }
}

/// The foot that is active: the end of a leg or a joint of its toes.
struct ActiveFoot<'a> {
    object: ObjectId,
    rig: &'a Arc<Rig>,
    limbs: &'a Arc<Limbs>,
    foot: Foot,
}

impl<'a> ActiveFoot<'a> {
    fn of(document: &'a Document, scene: &'a PickScene, active: Option<Target>) -> Option<Self> {
        let Target::Joint(object, joint) = active? else { return None };
        let rig = document.object(object)?.as_rig()?;
        let limbs = scene.limbs.get(&object)?;
        let foot = Foot::of(rig, limbs, rig.skeleton.index_of(joint)?)?;
        Some(Self { object, rig, limbs, foot })
    }

    fn place(&self, frame: &EvaluatedFrame, pivot: FootPivot) -> Option<Vec3> {
        self.foot.place(pivot, |joint| frame.joint_world(self.object, joint))
    }
}

/// The handles of the foot that is active, on the screen.
#[must_use]
pub fn handles(
    document: &Document,
    frame: &EvaluatedFrame,
    scene: &PickScene,
    active: Option<Target>,
    view: &View,
) -> Vec<(FootPivot, ScreenPos)> {
    let Some(active) = ActiveFoot::of(document, scene, active) else { return Vec::new() };
    let at = |pivot: FootPivot| Some((pivot, view.project(&active.place(frame, pivot)?)?));
    let found: Vec<(FootPivot, ScreenPos)> = FootPivot::ALL.into_iter().filter_map(at).collect();
    let apart = |(a, b): (&(FootPivot, ScreenPos), &(FootPivot, ScreenPos))| (a.1[0] - b.1[0]).hypot(a.1[1] - b.1[1]);
    let is_long = found.first().zip(found.last()).is_some_and(|ends| apart(ends) >= LEAST_PT);
    if is_long { found } else { Vec::new() }
}

/// The handle under a place.
fn hit(ctx: &ToolContext<'_>, at: ScreenPos) -> Option<FootPivot> {
    let near = |place: ScreenPos| (place[0] - at[0]).hypot(place[1] - at[1]);
    handles(ctx.document, ctx.frame, ctx.scene, ctx.selection.active, ctx.view)
        .into_iter()
        .filter(|(_, place)| near(*place) <= HIT_PT)
        .min_by(|a, b| near(a.1).total_cmp(&near(b.1)))
        .map(|(pivot, _)| pivot)
}

/// Draws the handles of the active foot; gives the one under the pointer.
pub(in crate::interact) fn draw(ctx: &ToolContext<'_>, overlay: &mut Overlay) -> Option<FootPivot> {
    let over = ctx.pointer.and_then(|at| hit(ctx, at));
    for (pivot, at) in handles(ctx.document, ctx.frame, ctx.scene, ctx.selection.active, ctx.view) {
        let ink = if over == Some(pivot) { Ink::Hovered } else { Ink::Selected };
        overlay.marks.push(Mark::Circle { at, radius: RADIUS_PT + 2.0, ink });
        overlay.marks.push(Mark::Dot { at, radius: RADIUS_PT - 1.5, ink });
        if over == Some(pivot) {
            overlay.text([at[0] + 12.0, at[1] + 8.0], String::new(), Some(pivot_name(pivot)));
        }
    }
    over
}

/// A roll that is running.
#[derive(Clone, Debug)]
struct Run {
    turning: Turning,
    object: ObjectId,
    rig: Arc<Rig>,
    limbs: Arc<Limbs>,
    locals: Vec<Transform>,
    root: Affine,
    foot: Foot,
    pivot: FootPivot,
    modal: bool,
}

impl Run {
    fn new(begun: Begun, pivot: FootPivot, at: ScreenPos, ctx: &ToolContext<'_>) -> Option<Self> {
        let active = ActiveFoot::of(ctx.document, ctx.scene, ctx.selection.active)?;
        let placed = ctx.frame.objects.get(&active.object)?;
        let locals = placed.rig.as_ref()?.local.clone();
        let ankle = ctx.frame.joint_world(active.object, active.foot.ankle)?;
        let axis = active.foot.axis(pivot, &ankle);
        let turning = Turning::about(begun, at, active.place(ctx.frame, pivot)?, axis);
        Some(Self {
            turning,
            object: active.object,
            rig: active.rig.clone(),
            limbs: active.limbs.clone(),
            locals,
            root: placed.world,
            foot: active.foot,
            pivot,
            modal: begun == Begun::ByKey,
        })
    }

    fn rolled(&self, ctx: &ToolContext<'_>) -> FootRoll {
        let body = FootBody { rig: &self.rig, limbs: &self.limbs, locals: &self.locals, root: self.root };
        self.foot.roll(&body, self.pivot, self.turning.angle(ctx.view))
    }

    fn edit(&self, ctx: &ToolContext<'_>, live: bool) -> Result<Edit, EditError> {
        let rolled = self.rolled(ctx);
        let joints = self.rig.skeleton.joints();
        let changed = rolled.changed.into_iter().filter_map(|(index, local)| Some((joints.get(index)?, local)));
        let changes: Vec<_> =
            changed.filter(|(joint, _)| !joint.is_end()).map(|(joint, local)| (joint.id, local)).collect();
        write_joints(ctx, self.object, &changes, live)
    }
}

/// Rolls the active foot until it is let go or confirmed.
#[derive(Clone, Debug)]
pub struct RollFoot {
    run: Option<Run>,
}

impl RollFoot {
    /// Begins where a handle is pressed.
    #[must_use]
    pub fn press(at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        Self::start(Begun::ByPress, hit(ctx, at)?, at, ctx)
    }

    /// Begins after a key with the pointer at a place; none where no foot is active.
    #[must_use]
    pub fn begin(pivot: FootPivot, at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        Self::start(Begun::ByKey, pivot, at, ctx)
    }

    fn start(begun: Begun, pivot: FootPivot, at: ScreenPos, ctx: &ToolContext<'_>) -> Option<(Self, ToolOutput)> {
        let run = Run::new(begun, pivot, at, ctx)?;
        Some((Self { run: Some(run) }, ToolOutput::gesture(Gesture::Begin { label: LABEL })))
    }
}

impl Tool for RollFoot {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        let Some(run) = &mut self.run else { return ToolOutput::IGNORED };
        let steer = run.turning.steer(event);
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
        self.run.as_ref().is_some_and(|run| run.modal)
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let Some(run) = &self.run else { return Look::default() };
        let mut overlay = Overlay::default();
        run.turning.draw(&mut overlay, ctx.view);
        let place = run.foot.place(run.pivot, |joint| ctx.frame.joint_world(run.object, joint));
        if let Some(at) = place.and_then(|place| ctx.view.project(&place)) {
            let slide = run.rolled(ctx).slide;
            let slides = slide >= FootRoll::SEEN;
            let ink = if slides { Ink::Warning } else { Ink::Selected };
            overlay.marks.push(Mark::Dot { at, radius: RADIUS_PT, ink });
            if slides {
                let millimetres = format!("{:.1} mm", slide * 1e3);
                overlay.text([at[0] + 12.0, at[1] + 22.0], millimetres, Some("foot.slides"));
            }
        }
        Look { overlay, cursor: Cursor::Grabbing, hint: "hint.rolling", ..Look::default() }
    }
}
