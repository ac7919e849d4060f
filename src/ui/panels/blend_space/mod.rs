//! The blend space panel: a space's samples in its plane, the point that plays, and how weights come about.

mod axes;
mod direct;
mod head;
mod heat;
mod operate;
mod paint;
mod plot;
mod samples;
mod steps;
mod template;
mod trail;
mod weights;

use crate::{
    command::CommandId,
    edit::{Edit, EditError, blend::with_space},
    eval::blend::{
        layers::{point_at, weights_at},
        space::scheme_spec,
    },
    interact::blend_space::{Apart, Known, PointOf, apart, played_on, weights_key},
    model::{BlendScheme, BlendSpace, BlendSpaceId, Document, ObjectId},
    text::t,
    ui::{
        panel::{Panel, PanelContext},
        panels::race::rival_colour,
        subject,
    },
};
use egui::{Color32, Ui, Vec2};
use std::sync::Arc;

/// From this width on the plot and what belongs to it stand beside each other, points.
const BESIDE_PT: f32 = 470.0;
/// The least and the greatest width of what stands beside the plot, points.
const SIDE_PT: (f32, f32) = (238.0, 380.0);

/// The panel.
#[derive(Default)]
pub struct BlendSpacePanel {
    known: Option<Known>,
    against: Option<Known>,
    apart: Option<Apart>,
    heat: heat::HeatCache,
    heat_against: heat::HeatCache,
    trail: trail::TrailCache,
    drag: Option<operate::Drag>,
    /// Where in the space the pointer is.
    pointed: Option<[f64; 2]>,
    tab: Tab,
    baking: steps::Baking,
    form: Option<template::Form>,
}

impl std::fmt::Debug for BlendSpacePanel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlendSpacePanel").field("drags", &self.drag.is_some()).finish_non_exhaustive()
    }
}

/// What stands beside the plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Samples,
    Axes,
    Weights,
    Steps,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Samples, Self::Axes, Self::Weights, Self::Steps];

    const fn title(self) -> &'static str {
        match self {
            Self::Samples => "blend_space.samples",
            Self::Axes => "blend_space.axes",
            Self::Weights => "blend_space.weights",
            Self::Steps => "blend_space.steps",
        }
    }
}

/// The space in question.
struct Subject<'a> {
    id: BlendSpaceId,
    space: &'a Arc<BlendSpace>,
    /// What its point belongs to.
    of: PointOf,
    /// The point told now.
    point: [f64; 2],
    /// How much of each sample is told to play now, where each has a weight of its own.
    direct: Option<Vec<f64>>,
    /// The character that plays it or would.
    rig: Option<ObjectId>,
}

impl<'a> Subject<'a> {
    fn new(ctx: &PanelContext<'a>) -> Option<Self> {
        let document: &'a Document = ctx.document;
        let id = ctx.view.blend.shown(document, ctx.selection)?;
        let space = document.blend_spaces.get(&id)?;
        let played = played_on(document, ctx.selection, id);
        let told = played.and_then(|(object, layer)| point_at(document, object, layer, ctx.view.secs));
        let is_rig = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_rig().is_some());
        let any = || subject::object(document, ctx.selection).filter(is_rig);
        Some(Self {
            id,
            space,
            of: played.map_or(PointOf::Space, |(object, layer)| PointOf::Layer(object, layer)),
            point: told.unwrap_or(space.preview),
            direct: played.and_then(|(object, layer)| weights_at(document, object, layer, ctx.view.secs)),
            rig: played.map(|(object, _)| object).or_else(any).or_else(|| document.rigs().next().map(|(id, ..)| id)),
        })
    }

    /// The space, each sample with the weight it is told now.
    fn as_played(&self) -> BlendSpace {
        let mut space = (**self.space).clone();
        for (sample, weight) in space.samples.iter_mut().zip(self.direct.iter().flatten()) {
            sample.weight = weight.max(0.0);
        }
        space
    }
}

impl Panel for BlendSpacePanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        if self.form.is_some() {
            template::show(ui, ctx, &mut self.form);
            return;
        }
        let Some(subject) = Subject::new(ctx) else {
            self.nothing(ui, ctx);
            return;
        };
        self.learn(ctx, &subject);
        head::show(ui, ctx, &subject, &mut self.form);
        let room = ui.available_size();
        if room.x < BESIDE_PT {
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                self.plots(ui, ctx, &subject, Vec2::new(room.x, (0.55 * room.y).max(180.0)));
                self.side(ui, ctx, &subject);
            });
            return;
        }
        let side = (0.42 * room.x).clamp(SIDE_PT.0, SIDE_PT.1);
        ui.horizontal_top(|ui| {
            let gap = ui.spacing().item_spacing.x;
            self.plots(ui, ctx, &subject, Vec2::new(room.x - side - gap, room.y));
            ui.vertical(|ui| {
                ui.set_width(side);
                self.side(ui, ctx, &subject);
            });
        });
    }

    fn captures_keys(&self) -> bool {
        self.drag.as_ref().is_some_and(operate::Drag::changes)
    }
}

impl BlendSpacePanel {
    /// Makes ready what weights are asked of, where what they hang on has changed.
    fn learn(&mut self, ctx: &PanelContext<'_>, subject: &Subject<'_>) {
        let played = subject.as_played();
        let key = weights_key(&played);
        let is_new = self.known.as_ref().is_none_or(|known| known.key != key);
        if is_new {
            self.known = Some(Known::new(&played));
        }
        let other = ctx.view.blend.against.filter(|other| *other != subject.space.scheme);
        let was = self.against.as_ref().map(|known| known.key.scheme);
        if is_new || was != other {
            self.against = other.map(|scheme| Known::new(&BlendSpace { scheme, ..(**subject.space).clone() }));
            self.apart = self.known.as_ref().zip(self.against.as_ref()).map(|(a, b)| apart(a, b));
        }
        self.trail.learn(ctx, subject);
    }

    fn side(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>, subject: &Subject<'_>) {
        ui.horizontal_wrapped(|ui| {
            // All of them in one row of the narrowest side.
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 5.0;
            for tab in Tab::ALL {
                ui.selectable_value(&mut self.tab, tab, t(tab.title()).into_owned());
            }
        });
        ui.separator();
        egui::ScrollArea::vertical().id_salt("blend space side").auto_shrink([false, false]).show(ui, |ui| match self
            .tab
        {
            Tab::Samples => samples::show(ui, ctx, subject),
            Tab::Axes => axes::show(ui, ctx, subject),
            Tab::Weights => {
                if let Some(known) = &self.known {
                    let at = self.pointed.unwrap_or_else(|| self.trail.played_now(ctx).unwrap_or(subject.point));
                    let pointed = self.pointed.is_some();
                    weights::show(ui, ctx, subject, (known, self.against.as_ref(), self.apart), (at, pointed));
                    self.trail.show(ui, ctx, subject);
                }
            }
            Tab::Steps => steps::show(ui, ctx, subject, &mut self.baking),
        });
    }

    /// What to do where there is no space.
    fn nothing(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.add(egui::Label::new(egui::RichText::new(t("blend_space.none")).weak()).wrap());
        ui.add_space(8.0);
        for id in [CommandId::AddSpaceLine, CommandId::AddSpacePlane, CommandId::OpenMoves] {
            if ui.button(t(id.spec().title).into_owned()).on_hover_text(crate::ui::shell::hint_of(id)).clicked() {
                ctx.commands.run(id);
            }
        }
        template::buttons(ui, ctx, &mut self.form);
    }
}

/// The colour of a sample, by its place in the list.
fn sample_colour(index: usize) -> Color32 {
    rival_colour(index)
}

/// The text key of a scheme's name; its explanation stands under the same key with `_hint`, where its weights jump with
/// `_jumps`.
fn scheme_key(scheme: BlendScheme) -> String {
    format!("blend_space.{}", scheme_spec(scheme).map_or("linear", |spec| spec.id))
}

/// The edit that changes the space as it was when the gesture began.
fn changed(ctx: &PanelContext<'_>, id: BlendSpaceId, change: impl FnOnce(&mut BlendSpace)) -> Result<Edit, EditError> {
    with_space(ctx.session.base(), id, change)
}

/// Changes the space at once.
fn change(ctx: &PanelContext<'_>, label: &'static str, id: BlendSpaceId, change: impl FnOnce(&mut BlendSpace)) {
    send(ctx, label, changed(ctx, id, change));
}

/// Applies an edit, or tells why there is none.
fn send(ctx: &PanelContext<'_>, label: &'static str, edit: Result<Edit, EditError>) {
    match edit {
        Ok(edit) => ctx.commands.apply(label, edit),
        Err(error) => tell(ctx, crate::text::fill("edit.refused", &[("error", &error)])),
    }
}

fn tell(ctx: &PanelContext<'_>, text: String) {
    ctx.commands.send(crate::command::Command::Tell(crate::notice::Notice::warn(text)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_is_named_and_explained() {
        for scheme in BlendScheme::ALL {
            let key = scheme_key(scheme);
            assert!(crate::text::has(&key) && crate::text::has(&format!("{key}_hint")), "{key}");
            let jumps = scheme_spec(scheme).is_some_and(|spec| spec.jumps);
            assert_eq!(crate::text::has(&format!("{key}_jumps")), jumps, "{key}");
        }
    }
}
