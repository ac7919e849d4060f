//! How far a joint turns when it is dragged: what acts, by whom it was said, and where the joint is now.

use super::{folding, labelled, send};
use crate::{
    edit::{Edit, RigEdit},
    eval::{ik::JointLimit, limbs},
    model::{JointId, Limit, LimitSetting, ObjectId, SwingShape, Target},
    text::{fill, t},
    ui::{panel::PanelContext, widgets::DragField},
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let Target::Joint(object, joint) = target else { return };
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let Some(index) = rig.skeleton.index_of(joint).filter(|index| !rig.skeleton.joints()[*index].is_end()) else {
        return;
    };
    let Some(found) = ctx.evaluator.limbs(ctx.document, object) else { return };
    let limit = limbs::limit_of(rig, &found, index);
    folding(ui, "inspector.limits", |ui| {
        source(ui, ctx, object, joint, limit);
        let Some(limit) = limit else {
            ui.weak(t("inspector.limits_none").into_owned());
            return;
        };
        let local = ctx.frame.rig(object).and_then(|frame| frame.local.get(index));
        let rest = rig.skeleton.joints()[index].rest.rotation;
        let acts = JointLimit::of(&limit, &rest);
        let now = local.map(|local| acts.measure(&local.rotation));
        let set = |limit: Limit| -> Edit {
            RigEdit::SetLimit { object, joint, limit: Some(LimitSetting::Own(limit)) }.into()
        };
        let rows = [
            ("inspector.limits_x", limit.x, now.map(|now| now.x)),
            ("inspector.limits_twist", limit.twist, now.map(|now| now.twist)),
            ("inspector.limits_z", limit.z, now.map(|now| now.z)),
        ];
        for (row, (name, range, now)) in rows.into_iter().enumerate() {
            let with = move |range: (f64, f64)| {
                let mut limit = limit;
                *[&mut limit.x, &mut limit.twist, &mut limit.z][row] = range;
                limit
            };
            range_row(ui, ctx, name, range, now, |range| set(with(range)));
        }
        shape(ui, ctx, &limit, &set);
        let title = t("inspector.limits_softness");
        labelled(ui, &title, |ui| {
            let field = DragField::new(&title, limit.softness.to_degrees()).decimals(1).unit("°").width(72.0);
            let (response, edits) = field.range(0.0, Limit::SOFTEST.to_degrees()).speed(0.2).show(ui);
            response.on_hover_text(t("inspector.limits_softness_hint").into_owned());
            send(ctx, "history.limits", edits, |value| {
                Ok(set(Limit { softness: value.to_radians().clamp(0.0, Limit::SOFTEST), ..limit }))
            });
        });
        let outside = [
            ("inspector.limits_outside", local.is_some_and(|local| !acts.contains(&local.rotation))),
            ("inspector.limits_rest", !acts.contains(&rest)),
        ];
        for (key, _) in outside.into_iter().filter(|(_, is)| *is) {
            ui.add(egui::Label::new(egui::RichText::new(t(key)).color(ctx.colours.warn)).wrap());
        }
    });
}

/// Whether the limits are those of the role, own ones or none.
fn source(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, joint: JointId, limit: Option<Limit>) {
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let said = rig.limits.get(&joint).copied();
    let title = |setting: Option<LimitSetting>| match setting {
        None => t("inspector.limits_role"),
        Some(LimitSetting::Own(_)) => t("inspector.limits_own"),
        Some(LimitSetting::Off) => t("inspector.limits_off"),
    };
    let own = limit.unwrap_or_else(Limit::free);
    labelled(ui, &t("inspector.limits_source"), |ui| {
        let combo = ComboBox::from_id_salt("limits").selected_text(title(said)).width(ui.available_width());
        let response = combo.show_ui(ui, |ui| {
            for setting in [None, Some(LimitSetting::Own(own)), Some(LimitSetting::Off)] {
                let kind = |setting: &Option<LimitSetting>| setting.as_ref().map(std::mem::discriminant);
                let chosen = kind(&setting) == kind(&said);
                if ui.selectable_label(chosen, title(setting)).clicked() && !chosen {
                    ctx.commands.apply("history.limits", RigEdit::SetLimit { object, joint, limit: setting }.into());
                }
            }
        });
        response.response.on_hover_text(t("inspector.limits_hint").into_owned());
    });
}

/// Least and greatest of one measure, and what it is now.
fn range_row(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    key: &str,
    range: (f64, f64),
    now: Option<f64>,
    edit: impl Fn((f64, f64)) -> Edit,
) {
    let title = t(key);
    labelled(ui, &title, |ui| {
        let (least, greatest) = (range.0.to_degrees(), range.1.to_degrees());
        let fields = [
            (fill("inspector.limits_least", &[("name", &title)]), least, -180.0, greatest),
            (fill("inspector.limits_greatest", &[("name", &title)]), greatest, least, 180.0),
        ];
        for (end, (name, value, low, high)) in fields.into_iter().enumerate() {
            let field = DragField::new(&name, value).decimals(0).unit("°").width(46.0).range(low, high).speed(0.5);
            let (_, edits) = field.show(ui);
            send(ctx, "history.limits", edits, |value| {
                let value = value.clamp(low, high).to_radians();
                Ok(edit(if end == 0 { (value, range.1) } else { (range.0, value) }))
            });
        }
        if let Some(now) = now {
            let out = now < range.0 - 1e-6 || now > range.1 + 1e-6;
            // Adding 0 to what is rounded leaves no -0.
            let angle = format!("{:.0}", now.to_degrees().round() + 0.0);
            let text = egui::RichText::new(fill("inspector.limits_now", &[("angle", &angle)]));
            ui.label(text.color(if out { ctx.colours.warn } else { ctx.colours.weak }));
        }
    });
}

fn shape(ui: &mut Ui, ctx: &PanelContext<'_>, limit: &Limit, set: &impl Fn(Limit) -> Edit) {
    let title = |shape: SwingShape| match shape {
        SwingShape::Ranges => t("inspector.limits_ranges"),
        SwingShape::Cone => t("inspector.limits_cone"),
    };
    labelled(ui, &t("inspector.limits_shape"), |ui| {
        ComboBox::from_id_salt("limit shape").selected_text(title(limit.shape)).width(ui.available_width()).show_ui(
            ui,
            |ui| {
                for shape in [SwingShape::Ranges, SwingShape::Cone] {
                    if ui.selectable_label(limit.shape == shape, title(shape)).clicked() && limit.shape != shape {
                        // A cone stands around 0.
                        let round = |(least, greatest): (f64, f64)| match shape {
                            SwingShape::Ranges => (least, greatest),
                            SwingShape::Cone => (least.min(0.0), greatest.max(0.0)),
                        };
                        let changed = Limit { shape, x: round(limit.x), z: round(limit.z), ..*limit };
                        ctx.commands.apply("history.limits", set(changed));
                    }
                }
            },
        );
    });
}
