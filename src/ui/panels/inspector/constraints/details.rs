//! The numbers of a constraint, by kind.

use super::{
    apply, labelled, send,
    spaces::{choose, space_name},
};
use crate::{
    edit::{ConstraintEdit, Edit, hold::switch_parent},
    eval::pins::space_in_world,
    math::Vec3,
    model::{Constraint, ConstraintKind, CopyHold, ObjectId, PinSpace, PlaceLimit, Source},
    text::{fill, t},
    ui::{panel::PanelContext, widgets::DragField},
};
use egui::Ui;
use std::sync::Arc;

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// What a constraint becomes.
struct Change<'a> {
    object: ObjectId,
    constraint: &'a Constraint,
}

impl Change<'_> {
    fn to(&self, kind: ConstraintKind) -> Edit {
        let constraint = Constraint { kind, ..self.constraint.clone() };
        ConstraintEdit::Set { object: self.object, constraint: Arc::new(constraint) }.into()
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, constraint: &Constraint) {
    let change = Change { object, constraint };
    let by = |ui: &mut Ui, text: &str, now: PinSpace, to: &dyn Fn(PinSpace) -> ConstraintKind| {
        labelled(ui, &t(text), |ui| {
            let width = ui.available_width().min(200.0);
            if let Some(space) = choose(ui, ctx, &t(text), Some(now), width) {
                ctx.commands.apply("history.constraint_change", change.to(to(space)));
            }
        });
    };
    match &constraint.kind {
        ConstraintKind::Follow(_) | ConstraintKind::Chain(_) => {}
        ConstraintKind::Point(hold) => {
            for (index, source) in hold.sources.iter().enumerate() {
                weight(ui, ctx, &change, (index, source));
            }
            if let Some(space) = add_source(ui, ctx) {
                let mut hold = hold.clone();
                hold.sources.push(Source::new(space));
                ctx.commands.apply("history.constraint_change", change.to(ConstraintKind::Point(hold)));
            }
            vector(ui, ctx, &t("constraint.offset"), (hold.offset, true), &|offset| {
                change.to(ConstraintKind::Point(crate::model::PointHold { offset, ..hold.clone() }))
            });
        }
        ConstraintKind::Orient(hold) => {
            by(ui, "constraint.turned_as", hold.source, &|source| {
                ConstraintKind::Orient(crate::model::OrientHold { source, ..*hold })
            });
        }
        ConstraintKind::Parent(_) => parents(ui, ctx, object, constraint),
        ConstraintKind::Aim(aim) => {
            by(ui, "constraint.looked_at", aim.target, &|target| {
                ConstraintKind::Aim(crate::model::Aim { target, ..*aim })
            });
            vector(ui, ctx, &t("constraint.up_vector"), (aim.up, false), &|up| {
                change.to(ConstraintKind::Aim(crate::model::Aim { up, ..*aim }))
            });
        }
        ConstraintKind::Copy(copy) => {
            by(ui, "constraint.copied", copy.source, &|source| ConstraintKind::Copy(CopyHold { source, ..*copy }));
            masks(ui, ctx, &change, copy);
        }
        ConstraintKind::Limit(limit) => {
            by(ui, "constraint.measured", limit.space, &|space| ConstraintKind::Limit(PlaceLimit { space, ..*limit }));
            (0..3).for_each(|axis| range(ui, ctx, &change, (limit, axis)));
        }
    }
}

/// One of the places of a point constraint, and how much it counts.
fn weight(ui: &mut Ui, ctx: &PanelContext<'_>, change: &Change<'_>, (index, source): (usize, &Source)) {
    let name = fill("constraint.weight", &[("source", &space_name(ctx.document, source.space))]);
    labelled(ui, &space_name(ctx.document, source.space), |ui| {
        let field = DragField::new(&name, source.weight).range(0.0, 1000.0).speed(0.01).decimals(3).rests_at(1.0);
        let (response, edits) = field.show(ui);
        response.on_hover_text(&name);
        let with = |edit: &dyn Fn(&mut Vec<Source>)| {
            let ConstraintKind::Point(mut hold) = change.constraint.kind.clone() else { return Edit::none() };
            edit(&mut hold.sources);
            change.to(ConstraintKind::Point(hold))
        };
        send(ctx, "history.constraint_change", edits, |value| {
            Ok(with(&|sources| sources.iter_mut().skip(index).take(1).for_each(|source| source.weight = value)))
        });
        let remove = fill("constraint.remove_source", &[("source", &space_name(ctx.document, source.space))]);
        let button = crate::ui::widgets::IconButton::new(crate::ui::icons::Icon::Close, &remove);
        if button.colour(ctx.colours.weak).show(ui).clicked() {
            let edit = with(&|sources| {
                if index < sources.len() {
                    sources.remove(index);
                }
            });
            ctx.commands.apply("history.constraint_change", edit);
        }
    });
}

fn add_source(ui: &mut Ui, ctx: &PanelContext<'_>) -> Option<PinSpace> {
    let other = super::other(ctx);
    let name = space_name(ctx.document, other);
    ui.small_button(fill("constraint.add_source", &[("source", &name)])).clicked().then_some(other)
}

/// Three numbers in a row: a length in the unit shown, or a direction.
fn vector(ui: &mut Ui, ctx: &PanelContext<'_>, title: &str, (now, is_length): (Vec3, bool), to: &dyn Fn(Vec3) -> Edit) {
    let unit = ctx.document.settings.length_unit;
    let (metres, symbol) = if is_length { (unit.metres(), unit.symbol()) } else { (1.0, "") };
    labelled(ui, title, |ui| {
        ui.spacing_mut().item_spacing.x = crate::ui::theme::GRID_PT;
        let width = ((ui.available_width() - 2.0 * crate::ui::theme::GRID_PT) / 3.0).clamp(44.0, 96.0);
        for (axis, letter) in AXES.into_iter().enumerate() {
            let name = format!("{title} {letter}");
            let field = DragField::new(&name, now[axis] / metres).decimals(3).unit(symbol).width(width);
            let (response, edits) = field.speed(0.005 / metres).show(ui);
            response.on_hover_text(&name);
            send(ctx, "history.constraint_change", edits, |value| {
                let mut vector = now;
                vector[axis] = value * metres;
                Ok(to(vector))
            });
        }
    });
}

/// Which parts a copy takes over.
fn masks(ui: &mut Ui, ctx: &PanelContext<'_>, change: &Change<'_>, copy: &CopyHold) {
    let rows = [
        ("inspector.translation", copy.place, 0),
        ("inspector.rotation", copy.rotation, 1),
        ("inspector.scale", copy.scale, 2),
    ];
    for (key, mask, part) in rows {
        labelled(ui, &t(key), |ui| {
            for (axis, letter) in AXES.into_iter().enumerate() {
                let mut on = mask[axis];
                let response = ui.checkbox(&mut on, letter);
                let name = fill("inspector.component", &[("property", &t(key)), ("axis", &letter)]);
                crate::ui::widgets::set_name(ui, &response, &name);
                if response.on_hover_text(name).changed() {
                    let mut copy = *copy;
                    let mask = [&mut copy.place, &mut copy.rotation, &mut copy.scale];
                    for (index, mask) in mask.into_iter().enumerate() {
                        if index == part {
                            mask[axis] = on;
                        }
                    }
                    ctx.commands.apply("history.constraint_change", change.to(ConstraintKind::Copy(copy)));
                }
            }
        });
    }
}

/// Least and greatest along one axis.
fn range(ui: &mut Ui, ctx: &PanelContext<'_>, change: &Change<'_>, (limit, axis): (&PlaceLimit, usize)) {
    let unit = ctx.document.settings.length_unit;
    let set = |range: Option<(f64, f64)>| {
        let mut ranges = limit.ranges;
        ranges[axis] = range;
        change.to(ConstraintKind::Limit(PlaceLimit { ranges, ..*limit }))
    };
    labelled(ui, AXES[axis], |ui| {
        let mut on = limit.ranges[axis].is_some();
        let name = fill("constraint.limited", &[("axis", &AXES[axis])]);
        let response = ui.checkbox(&mut on, "");
        crate::ui::widgets::set_name(ui, &response, &name);
        if response.on_hover_text(name).changed() {
            let edit = set(on.then(|| here(ctx, change, limit.space, axis)));
            ctx.commands.apply("history.constraint_change", edit);
        }
        let Some((least, most)) = limit.ranges[axis] else { return };
        let field = |ui: &mut Ui, key: &str, value: f64, range: (f64, f64)| {
            let name = fill(key, &[("axis", &AXES[axis])]);
            let field = DragField::new(&name, value / unit.metres()).decimals(3).unit(unit.symbol()).width(72.0);
            let range = (range.0 / unit.metres(), range.1 / unit.metres());
            let (response, edits) = field.range(range.0, range.1).speed(0.005 / unit.metres()).show(ui);
            response.on_hover_text(&name);
            edits
        };
        let edits = field(ui, "constraint.least", least, (f64::NEG_INFINITY, most));
        send(ctx, "history.constraint_change", edits, |value| Ok(set(Some((value * unit.metres(), most)))));
        let edits = field(ui, "constraint.most", most, (least, f64::INFINITY));
        send(ctx, "history.constraint_change", edits, |value| Ok(set(Some((least, value * unit.metres())))));
    });
}

/// Where what is limited is now along an axis of the space, as a first range.
fn here(ctx: &PanelContext<'_>, change: &Change<'_>, space: PinSpace, axis: usize) -> (f64, f64) {
    let own =
        change.constraint.joint.map_or(PinSpace::Object(change.object), |joint| PinSpace::Joint(change.object, joint));
    let at = (|| {
        let own = space_in_world(ctx.document, ctx.frame, own)?.translation;
        Some(space_in_world(ctx.document, ctx.frame, space)?.try_inverse()?.point(&own)[axis])
    })();
    let at = at.filter(|at| at.is_finite()).unwrap_or(0.0);
    (at, at)
}

/// The parents of a parent constraint: which one holds now, and a switch to another that moves nothing.
fn parents(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, constraint: &Constraint) {
    let Some(hold) = constraint.as_parent() else { return };
    let clip = ctx.document.clip_of(object).and_then(|clip| ctx.document.clip(clip));
    let path = crate::model::ChannelPath::constraint(object, constraint.id, crate::model::Property::Source);
    let shown = crate::eval::sample::Stage::Shown;
    let source = crate::eval::sample::number(ctx.document, clip.map(|clip| &**clip), path, ctx.view.secs, shown);
    let Some(now) = hold.chosen(source.unwrap_or(hold.source)) else { return };
    labelled(ui, &t("constraint.parent_now"), |ui| {
        let width = ui.available_width().min(200.0);
        if let Some(space) = choose(ui, ctx, &t("constraint.switch"), Some(now.space), width) {
            let settings = &ctx.document.settings;
            let start = settings.rate.secs(settings.play_range.first);
            let edit = switch_parent(ctx.document, ctx.frame, (object, constraint.id), space, start);
            apply(ctx, "history.constraint_switch", edit);
        }
    });
}
