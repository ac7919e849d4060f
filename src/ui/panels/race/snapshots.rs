//! Snapshots beside the race: taking, naming, deleting, changing over with the present; and what the present is compared
//! with, a snapshot or any clip, channel by channel.

use crate::{
    command::{Command, CommandId},
    edit::SnapshotEdit,
    eval::deviation::{Deviation, deviations},
    interact::{
        reference::{Against, ReferenceView, taken},
        view_state::ViewChange,
    },
    model::{ChannelPath, Clip, ClipId, Curve, Snapshot, SnapshotId},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::name_field,
        panel::PanelContext,
        panels::graph::{full_name, unit_map, unit_name, with_unit},
        subject,
        widgets::{IconButton, drag_field::number_text, section},
    },
};
use egui::{Grid, Ui};
use std::{collections::BTreeMap, sync::Arc};

/// Width of a snapshot's name, points: what is left beside the buttons, between these.
const NAME_PT: (f32, f32) = (60.0, 220.0);
/// Room for the buttons beside it, points.
const BUTTONS_PT: f32 = 112.0;
/// Room for the numbers beside a channel's name, points, and the least for the name.
const NUMBERS_PT: (f32, f32) = (176.0, 64.0);
/// More channels than this are not listed; the worst come first.
const MOST_ROWS: usize = 60;

/// What the table was worked out from: the clip and the curves compared with.
type Source = (Arc<Clip>, Vec<Arc<Curve>>);

/// The table worked out last.
#[derive(Debug, Default)]
pub(super) struct DeviationCache {
    of: Option<Source>,
    rows: Vec<(ChannelPath, Deviation)>,
}

impl DeviationCache {
    /// The channels that differ, the worst in displayed units first.
    fn rows(
        &mut self,
        ctx: &PanelContext<'_>,
        clip: &Arc<Clip>,
        other: &BTreeMap<ChannelPath, Arc<Curve>>,
    ) -> &[(ChannelPath, Deviation)] {
        let same = self.of.as_ref().is_some_and(|(known, curves)| {
            Arc::ptr_eq(known, clip)
                && curves.len() == other.len()
                && curves.iter().zip(other.values()).all(|(a, b)| Arc::ptr_eq(a, b))
        });
        if !same {
            let settings = &ctx.document.settings;
            let shown = |path: ChannelPath, off: f64| off * unit_map(path, settings.length_unit).scale.abs();
            self.rows = deviations(&clip.channels, other, clip.range, settings.rate);
            // Keys may differ where values do not.
            self.rows.retain(|(_, off)| off.max > 0.0);
            self.rows.sort_by(|(a, off_a), (b, off_b)| shown(*b, off_b.max).total_cmp(&shown(*a, off_a.max)));
            self.of = Some((clip.clone(), other.values().cloned().collect()));
        }
        &self.rows
    }
}

/// Shows all of it.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, cache: &mut DeviationCache) {
    let Some((id, clip)) = subject::clip(ctx.document, ctx.selection) else {
        ui.weak(t("snapshots.no_clip").into_owned());
        return;
    };
    ui.horizontal_wrapped(|ui| {
        if ui.button(t("snapshots.take").into_owned()).on_hover_text(t("snapshots.take_hint").into_owned()).clicked() {
            keep(ctx, id, taken(clip, ctx.selection));
        }
        if ui.button(t("snapshots.import").into_owned()).on_hover_text(t("snapshots.import_hint")).clicked() {
            ctx.commands.run(CommandId::CompareWithFile);
        }
    });
    let own = ctx.document.snapshots.iter().filter(|(_, snapshot)| snapshot.clip == id);
    let mut any = false;
    for (snapshot_id, snapshot) in own {
        any = true;
        ui.push_id(snapshot_id, |ui| row(ui, ctx, *snapshot_id, snapshot));
    }
    if !any {
        ui.add(egui::Label::new(egui::RichText::new(t("snapshots.none")).weak()).wrap());
    }
    section(ui, &t("snapshots.compare"));
    choice(ui, ctx, id);
    let view = ctx.view.reference;
    let Some(curves) = view.against.and_then(|against| against.curves(ctx.document, id)) else { return };
    table(ui, ctx, cache.rows(ctx, clip, curves));
}

/// Keeps curves beside the clip they are of, under the next number.
fn keep(ctx: &PanelContext<'_>, clip: ClipId, channels: BTreeMap<ChannelPath, Arc<Curve>>) {
    let taken = &ctx.document.snapshots;
    let names = (taken.len() + 1..).map(|number| fill("snapshots.new", &[("number", &number)]));
    let is_free = |name: &String| taken.values().all(|snapshot| snapshot.name != *name);
    let Some(name) = names.into_iter().find(is_free) else { return };
    let snapshot = Snapshot { name, clip, channels };
    let id = SnapshotId(ctx.document.next_id);
    ctx.commands.apply("history.take_snapshot", SnapshotEdit::Take { id, snapshot: Arc::new(snapshot) }.into());
    let against = Some(Against::Snapshot(id));
    ctx.commands.view(ViewChange::Reference(ReferenceView { against, ..ctx.view.reference }));
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, id: SnapshotId, snapshot: &Snapshot) {
    ui.horizontal(|ui| {
        let named = |key: &str| fill(key, &[("name", &snapshot.name)]);
        let against = Against::Snapshot(id);
        let shown = ctx.view.reference.against == Some(against);
        let eye = if shown { Icon::Eye } else { Icon::EyeOff };
        if IconButton::new(eye, &named("snapshots.show")).selected(shown).show(ui).clicked() {
            let against = (!shown).then_some(against);
            ctx.commands.view(ViewChange::Reference(ReferenceView { against, ..ctx.view.reference }));
        }
        let width = (ui.available_width() - BUTTONS_PT).clamp(NAME_PT.0, NAME_PT.1);
        let (field, renamed) = {
            let is_taken = |name: &str| ctx.document.snapshots.values().any(|other| other.name == name);
            name_field(ui, ctx, (&named("snapshots.name"), &snapshot.name, width), is_taken)
        };
        field.on_hover_text(fill("snapshots.channels", &[("count", &snapshot.channels.len())]));
        if let Some(name) = renamed {
            ctx.commands.apply("history.rename_snapshot", SnapshotEdit::Rename { snapshot: id, name }.into());
        }
        let swap = ui.button(t("snapshots.swap").into_owned());
        crate::ui::widgets::set_name(ui, &swap, &named("snapshots.swap_name"));
        if swap.on_hover_text(t("snapshots.swap_hint").into_owned()).clicked() {
            ctx.commands.apply("history.swap_snapshot", SnapshotEdit::Swap { snapshot: id }.into());
        }
        if IconButton::new(Icon::Delete, &named("snapshots.delete")).show(ui).clicked() {
            ctx.commands.apply("history.delete_snapshot", SnapshotEdit::Delete { snapshot: id }.into());
        }
    });
}

/// What is compared with.
fn choice(ui: &mut Ui, ctx: &PanelContext<'_>, present: ClipId) {
    let view = ctx.view.reference;
    let name = match view.against.filter(|against| against.curves(ctx.document, present).is_some()) {
        Some(Against::Snapshot(id)) => ctx.document.snapshots.get(&id).map(|snapshot| snapshot.name.clone()),
        Some(Against::Clip(id)) => ctx.document.clip(id).map(|clip| clip.name.clone()),
        None => None,
    };
    let set = |against| ctx.commands.view(ViewChange::Reference(ReferenceView { against, ..view }));
    ui.horizontal_wrapped(|ui| {
        ui.menu_button(name.unwrap_or_else(|| t("snapshots.with_nothing").into_owned()), |ui| {
            let mut offer = |name: &str, against: Option<Against>| {
                if ui.selectable_label(view.against == against, name).clicked() {
                    set(against);
                    ui.close();
                }
            };
            offer(&t("snapshots.with_nothing"), None);
            for (id, snapshot) in ctx.document.snapshots.iter().filter(|(_, snapshot)| snapshot.clip == present) {
                offer(&fill("snapshots.snapshot", &[("name", &snapshot.name)]), Some(Against::Snapshot(*id)));
            }
            let own = ctx.document.clip(present).map(|clip| &clip.channels);
            let shares = |clip: &Clip| own.is_some_and(|own| clip.channels.keys().any(|path| own.contains_key(path)));
            let others = || ctx.document.clips.iter().filter(|(id, _)| **id != present);
            for (id, clip) in others().filter(|(_, clip)| shares(clip)) {
                offer(&fill("snapshots.clip", &[("name", &clip.name)]), Some(Against::Clip(*id)));
            }
            for (id, clip) in others().filter(|(_, clip)| !shares(clip)) {
                let other = ui.button(fill("snapshots.of_other", &[("name", &clip.name)]));
                if other.on_hover_text(t("snapshots.of_other_hint").into_owned()).clicked() {
                    ctx.commands.send(Command::CompareWithClip(*id));
                    ui.close();
                }
            }
        });
        let mut ghost = view.ghost;
        let shown = ui.checkbox(&mut ghost, t("snapshots.ghost").as_ref());
        if shown.on_hover_text(t("snapshots.ghost_hint").into_owned()).clicked() {
            ctx.commands.view(ViewChange::Reference(ReferenceView { ghost, ..view }));
        }
    });
}

/// The channels that differ, each with a jump to its worst frame.
fn table(ui: &mut Ui, ctx: &PanelContext<'_>, rows: &[(ChannelPath, Deviation)]) {
    if rows.is_empty() {
        ui.weak(t("snapshots.same").into_owned());
        return;
    }
    let unit = ctx.document.settings.length_unit;
    let width = (ui.available_width() - NUMBERS_PT.0).max(NUMBERS_PT.1);
    Grid::new("deviations").num_columns(4).spacing([8.0, 2.0]).striped(true).show(ui, |ui| {
        for key in ["snapshots.channel", "snapshots.rms", "snapshots.max", "snapshots.worst"] {
            ui.strong(t(key).into_owned());
        }
        ui.end_row();
        for (path, off) in rows.iter().take(MOST_ROWS) {
            let name = full_name(ctx.document, *path);
            let scale = unit_map(*path, unit).scale.abs();
            let text = |value: f64| with_unit(&number_text(value * scale, 2), unit_name(*path, unit));
            ui.scope(|ui| {
                ui.set_max_width(width);
                ui.add(egui::Label::new(&name).truncate());
            });
            ui.label(text(off.rms));
            ui.label(text(off.max));
            let jump = ui.small_button(off.worst_frame.to_string());
            crate::ui::widgets::set_name(ui, &jump, &fill("snapshots.jump", &[("name", &name)]));
            if jump.clicked() {
                ctx.commands.view(ViewChange::Time(ctx.document.settings.rate.secs(off.worst_frame)));
            }
            ui.end_row();
        }
    });
    if rows.len() > MOST_ROWS {
        ui.weak(fill("snapshots.more", &[("count", &(rows.len() - MOST_ROWS))]));
    }
}
