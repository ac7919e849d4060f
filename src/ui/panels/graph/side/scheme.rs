//! What runs through the keys of whole curves.

use super::{Editing, Field, active};
use crate::{
    command::{Command, CommandId},
    eval::curve::{Fit, FitReport},
    interact::tools::graph_curve::{GraphCurve, Points},
    model::Scheme,
    notice::Notice,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        panels::graph::{
            channels::{ChannelState, unit_name, with_unit},
            steps::apply,
        },
        widgets::{drag_field::number_text, section},
    },
};
use egui::Ui;

/// The text key of a scheme's name.
pub(in crate::ui) const fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::PerKey => "graph.scheme_per_key",
        Scheme::Natural => "graph.scheme_natural",
        Scheme::Clamped(..) => "graph.scheme_clamped",
        Scheme::NotAKnot => "graph.scheme_not_a_knot",
        Scheme::Periodic => "graph.scheme_periodic",
        Scheme::Monotone => "graph.scheme_monotone",
        Scheme::Lagrange => "graph.scheme_lagrange",
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, editing: &Editing<'_>, channels: &ChannelState) {
    let Some(curve) = active(editing, channels) else { return };
    let Points::Keyed(keyed) = &curve.points else { return };
    section(ui, &t("graph.scheme"));
    ui.menu_button(t(name(keyed.scheme)).into_owned(), |ui| {
        for scheme in Scheme::ALL {
            if ui.selectable_label(scheme.is_kind_of(&keyed.scheme), t(name(scheme)).into_owned()).clicked() {
                choose(ctx, editing, curve, scheme);
                ui.close();
            }
        }
    })
    .response
    .on_hover_text(t("graph.scheme_hint").into_owned());
    if let Scheme::Clamped(start, end) = keyed.scheme {
        let scale = curve.unit.scale;
        let field = |name, value: f64| Field {
            name,
            label: "history.scheme",
            value: value * scale,
            unit: "",
            range: (f64::NEG_INFINITY, f64::INFINITY),
            speed: 0.1,
        };
        let set = |scheme| editing.scheme(|other| other.path == curve.path, scheme).map(|(edit, _)| edit);
        field("graph.slope_at_start", start).show(ui, ctx, |slope| set(Scheme::Clamped(slope / scale, end)));
        field("graph.slope_at_end", end).show(ui, ctx, |slope| set(Scheme::Clamped(start, slope / scale)));
    }
    if keyed.scheme == Scheme::PerKey {
        return;
    }
    let warning = match Fit::of(keyed).report() {
        FitReport::TooManyKeys => Some(fill("graph.lagrange_many", &[("most", &Scheme::MOST_LAGRANGE_KEYS)])),
        FitReport::Overflow => Some(t("graph.scheme_overflow").into_owned()),
        FitReport::Exact if keyed.scheme == Scheme::Lagrange && keyed.keys.len() >= Scheme::RUNGE_KEYS => {
            Some(t("graph.runge").into_owned())
        }
        FitReport::Exact => None,
    };
    if let Some(warning) = warning {
        ui.label(egui::RichText::new(warning).small().color(ctx.colours.warn));
    }
    if keyed.scheme == Scheme::Lagrange {
        super::tools::button(ui, ctx, CommandId::ChebyshevKeys, !ctx.selection.keys.is_empty());
    }
}

/// The scheme a command sets.
const fn set_by(command: CommandId) -> Option<Scheme> {
    Some(match command {
        CommandId::SchemePerKey => Scheme::PerKey,
        CommandId::SchemeNatural => Scheme::Natural,
        CommandId::SchemeClamped => Scheme::Clamped(0.0, 0.0),
        CommandId::SchemeNotAKnot => Scheme::NotAKnot,
        CommandId::SchemePeriodic => Scheme::Periodic,
        CommandId::SchemeMonotone => Scheme::Monotone,
        CommandId::SchemeLagrange => Scheme::Lagrange,
        _ => return None,
    })
}

/// Carries out a command that sets a scheme; false where it is another command.
pub(in crate::ui::panels::graph) fn run(
    command: CommandId,
    ctx: &PanelContext<'_>,
    editing: &Editing<'_>,
    channels: &ChannelState,
) -> bool {
    let Some(scheme) = set_by(command) else { return false };
    let keyed = |curve: &&GraphCurve| curve.editable && matches!(curve.points, Points::Keyed(_));
    let with_keys = editing.curves.iter().filter(keyed).find(|curve| !curve.selected.is_empty());
    match with_keys.or_else(|| active(editing, channels).filter(keyed)) {
        Some(curve) => choose(ctx, editing, curve, scheme),
        None => ctx.commands.send(Command::Tell(Notice::warn(t("graph.scheme_no_curve")))),
    }
    true
}

/// Sets the scheme of the curves with selected keys, else of the active one.
fn choose(ctx: &PanelContext<'_>, editing: &Editing<'_>, curve: &GraphCurve, scheme: Scheme) {
    let by_keys = editing.curves.iter().any(|curve| !curve.selected.is_empty());
    let which = |other: &GraphCurve| if by_keys { !other.selected.is_empty() } else { other.path == curve.path };
    if let Some((edit, error)) = editing.scheme(which, scheme) {
        apply(ctx, "history.scheme", Some(edit));
        let by = with_unit(&number_text(error, 3), unit_name(curve.path, ctx.document.settings.length_unit));
        let text = fill("graph.scheme_differs", &[("scheme", &t(name(scheme))), ("by", &by)]);
        ctx.commands.send(Command::Tell(Notice::info(text)));
    }
}
