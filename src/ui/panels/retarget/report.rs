//! What came of it: contacts with how far the foot slides, and what is wrong, each gone to by a click.

use crate::{
    eval::retarget::{FaultKind, Retargeted},
    interact::view_state::{Playback, ViewChange},
    model::Skeleton,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{drag_field::number_text, section},
    },
};
use egui::{RichText, Ui};

/// More rows of a kind than this are not listed; the worst come first.
const MOST_ROWS: usize = 40;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, skeleton: &Skeleton, result: &Retargeted) {
    let name = |joint: usize| skeleton.joints().get(joint).map_or("", |joint| joint.name.as_str());
    let frame = |secs: f64| ctx.document.settings.rate.nearest_frame(secs);
    let go = |secs: f64| {
        ctx.commands.view(ViewChange::Playback(Playback::Stopped));
        ctx.commands.view(ViewChange::Time(ctx.document.settings.rate.snap(secs)));
    };
    section(ui, &fill("retarget.faults", &[("count", &result.faults.len())]));
    if result.faults.is_empty() {
        ui.weak(t("retarget.no_faults"));
    }
    for kind in [FaultKind::OutOfReach, FaultKind::Backward, FaultKind::Through] {
        let key = match kind {
            FaultKind::OutOfReach => "retarget.fault_reach",
            FaultKind::Backward => "retarget.fault_backward",
            FaultKind::Through => "retarget.fault_through",
        };
        for fault in result.faults.iter().filter(|fault| fault.kind == kind).take(MOST_ROWS) {
            let text = fill(
                key,
                &[
                    ("joint", &name(fault.joint)),
                    ("other", &fault.other.map_or("", name)),
                    ("first", &frame(fault.secs.0)),
                    ("last", &frame(fault.secs.1)),
                    ("amount", &number_text(fault.amount * 100.0, 1)),
                ],
            );
            if ui.link(RichText::new(text).color(ctx.colours.warn)).clicked() {
                go(fault.worst_secs);
            }
        }
    }
    section(ui, &fill("retarget.contacts", &[("count", &result.contacts.len())]));
    let mut contacts: Vec<_> = result.contacts.iter().collect();
    contacts.sort_by(|a, b| b.slide_before.total_cmp(&a.slide_before));
    for contact in contacts.into_iter().take(MOST_ROWS) {
        let secs = |at: usize| result.start + result.rate.frame_secs() * at as f64;
        let text = fill(
            "retarget.contact",
            &[
                ("joint", &name(contact.foot.target)),
                ("first", &frame(secs(contact.frames.0))),
                ("last", &frame(secs(contact.frames.1))),
                ("before", &number_text(contact.slide_before * 100.0, 1)),
                ("after", &number_text(contact.slide_after * 100.0, 1)),
            ],
        );
        if ui.link(text).clicked() {
            go(secs(contact.frames.0));
        }
    }
}
