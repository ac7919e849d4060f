//! The commands of the graph that work with numbers set beside it.

use super::{
    GraphPanel,
    channels::{unit_name, with_unit},
    steps::apply,
};
use crate::{
    command::{Command, CommandId},
    edit::{CurveRef, KeyEdit},
    eval::curve::convert::KeyForm,
    interact::tools::graph_edits::{Editing, GraphEdit},
    model::{ClipId, RotationInterpolation, Target},
    notice::Notice,
    text::{fill, t},
    ui::{
        continuity,
        panel::PanelContext,
        rotation_form::{convert, form_of},
        widgets::drag_field::number_text,
    },
};

impl GraphPanel {
    /// Runs a command of this kind; false where it is another.
    pub(super) fn run_tool(&self, command: CommandId, ctx: &PanelContext<'_>) -> bool {
        let rate = ctx.document.settings.rate;
        match command {
            CommandId::SimplifyCurves => self.simplify(ctx),
            CommandId::BakeCurves => {
                self.measured(ctx, "history.bake", |editing| editing.bake(rate, clip_range(ctx, editing.clip)))
            }
            CommandId::ConvertBezier => {
                self.measured(ctx, "history.convert", |editing| editing.convert(KeyForm::Bezier))
            }
            CommandId::ConvertHermite => {
                self.measured(ctx, "history.convert", |editing| editing.convert(KeyForm::Hermite));
            }
            CommandId::SmoothKeys => self.edit(ctx, "history.smooth_keys", |editing| editing.smooth()),
            CommandId::FlattenKeys => self.edit(ctx, "history.flatten_keys", |editing| editing.flatten()),
            CommandId::Anticipate => {
                self.edit_or(ctx, "history.anticipate", "graph.anticipate_none", |editing| {
                    editing.anticipate(self.numbers.past)
                });
            }
            CommandId::Exaggerate => {
                self.edit(ctx, "history.exaggerate", |editing| editing.exaggerate(self.numbers.exaggerate));
            }
            CommandId::OverlapKeys => {
                let secs = self.numbers.overlap * rate.frame_secs();
                self.edit_or(ctx, "history.overlap", "graph.overlap_none", |editing| {
                    editing.overlap(secs, |target| depth(ctx, target))
                });
            }
            CommandId::RippleInsert => {
                let secs = self.numbers.insert * rate.frame_secs();
                self.edit_or(ctx, "history.ripple_insert", "graph.insert_none", |editing| {
                    editing.ripple(ctx.view.secs, secs)
                });
            }
            CommandId::RippleDelete => {
                self.edit_or(ctx, "history.ripple_delete", "graph.ripple_none", |editing| editing.ripple_delete());
            }
            CommandId::ChebyshevKeys => {
                self.edit_or(ctx, "history.chebyshev_keys", "graph.chebyshev_none", |editing| editing.to_chebyshev());
            }
            CommandId::MakeC0 | CommandId::MakeC1 | CommandId::MakeC2 => self.make_continuous(command, ctx),
            other => match (rotation_of(other), form_of(other)) {
                (Some(interpolation), _) => self.rotate_by(ctx, interpolation),
                (None, Some(mode)) => convert(ctx, &self.turned(ctx), mode),
                (None, None) => return false,
            },
        }
        true
    }

    /// An edit that says by how much the curves differ.
    fn measured(
        &self,
        ctx: &PanelContext<'_>,
        label: &'static str,
        edit: impl FnOnce(&Editing<'_>) -> Option<(GraphEdit, f64)>,
    ) {
        let Some(clip) = self.canvas.clip else { return };
        let editing = Editing { curves: &self.canvas.curves, clip };
        let Some((edit, error)) = edit(&editing) else {
            ctx.commands.send(Command::Tell(Notice::warn(fill("graph.keyed_none", &[("name", &t(label))]))));
            return;
        };
        apply(ctx, label, Some(edit));
        let by = with_unit(&number_text(error * self.shown_scale(), 6), self.shown_unit(ctx));
        ctx.commands.send(Command::Tell(Notice::info(fill("graph.converted_off", &[("by", &by)]))));
    }

    /// Makes the curves pass the selected keys more smoothly.
    fn make_continuous(&self, command: CommandId, ctx: &PanelContext<'_>) {
        let (Some(clip), Some(order)) = (self.canvas.clip, continuity::order_of(command)) else { return };
        let keys = Editing { curves: &self.canvas.curves, clip }.selected(true);
        continuity::make(ctx, &keys, order);
    }

    /// Displayed units in one of the curves' own, of the first with selected keys.
    fn shown_scale(&self) -> f64 {
        let curve = self.canvas.curves.iter().find(|curve| !curve.selected.is_empty());
        curve.map_or(1.0, |curve| curve.unit.scale.abs())
    }

    /// The name of that unit.
    fn shown_unit(&self, ctx: &PanelContext<'_>) -> &'static str {
        let curve = self.canvas.curves.iter().find(|curve| !curve.selected.is_empty());
        curve.map_or("", |curve| unit_name(curve.path, ctx.document.settings.length_unit))
    }

    /// Asks for the curves with selected keys to be simplified, beside the window.
    fn simplify(&self, ctx: &PanelContext<'_>) {
        let Some(clip) = self.canvas.clip else { return };
        let curves = self.canvas.curves.iter().filter(|curve| curve.editable && curve.lane == 0);
        let wanted = curves.filter(|curve| !curve.selected.is_empty()).map(|curve| {
            // Of a rotation track the angle counts, not its numbers.
            let scale = if curve.has_values { curve.unit.scale.abs() } else { 1.0_f64.to_degrees() };
            (CurveRef { clip, path: curve.path }, (self.numbers.error / scale).abs(), scale)
        });
        let wanted: Vec<(CurveRef, f64, f64)> = wanted.collect();
        let command = if wanted.is_empty() {
            Command::Tell(Notice::warn(t("graph.simplify_none")))
        } else {
            Command::Simplify(wanted)
        };
        ctx.commands.send(command);
    }

    /// What turning is meant for: the targets of the curves with selected keys, else of the active curve, else what is
    /// selected.
    pub(super) fn turned(&self, ctx: &PanelContext<'_>) -> Vec<Target> {
        let mut targets: Vec<Target> = self
            .canvas
            .curves
            .iter()
            .filter(|curve| !curve.selected.is_empty())
            .map(|curve| curve.path.target)
            .collect();
        if targets.is_empty() {
            targets.extend(self.channels.active.map(|path| path.target));
        }
        if targets.is_empty() {
            targets.extend(&ctx.selection.targets);
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn rotate_by(&self, ctx: &PanelContext<'_>, interpolation: RotationInterpolation) {
        let Some(clip) = self.canvas.clip else { return };
        let tracks = self.canvas.curves.iter().filter(|curve| curve.editable && !curve.has_values && curve.lane == 0);
        let keys: crate::edit::KeySelection = tracks
            .flat_map(|curve| {
                let at = CurveRef { clip, path: curve.path };
                curve.selected.iter().filter_map(move |index| Some((at, curve.points.get(*index)?[0])))
            })
            .collect();
        if keys.is_empty() {
            ctx.commands.send(Command::Tell(Notice::warn(t("graph.no_rotation_keys"))));
            return;
        }
        let edit = KeyEdit::SetRotation { keys, interpolation };
        apply(ctx, "history.rotation_interpolation", Some(GraphEdit { edit: edit.into(), converted: 0 }));
    }
}

const fn rotation_of(command: CommandId) -> Option<RotationInterpolation> {
    Some(match command {
        CommandId::RotationNlerp => RotationInterpolation::Nlerp,
        CommandId::RotationSlerp => RotationInterpolation::Slerp,
        CommandId::RotationSquad => RotationInterpolation::Squad,
        CommandId::RotationCubic => RotationInterpolation::Cubic,
        _ => return None,
    })
}

/// A clip's range, seconds; that of the document where there is no such clip.
pub(super) fn clip_range(ctx: &PanelContext<'_>, clip: ClipId) -> (f64, f64) {
    let settings = &ctx.document.settings;
    let range = ctx.document.clip(clip).map_or(settings.play_range, |clip| clip.range);
    (settings.rate.secs(range.first), settings.rate.secs(range.last))
}

/// How many joints a target hangs below its root.
fn depth(ctx: &PanelContext<'_>, target: Target) -> usize {
    let Target::Joint(object, joint) = target else { return 0 };
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return 0 };
    let above = |joint: &crate::model::JointId| rig.skeleton.joint(*joint).and_then(|joint| joint.parent);
    std::iter::successors(above(&joint), above).count()
}
