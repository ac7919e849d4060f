//! The layers of a character, one over the other, the masks they act through, and what makes a clip of what they play.

mod bake;
mod masks;
mod row;
mod words;

use crate::{
    edit::blend::{add_empty_layer, add_layer},
    eval::blend::layers::{plays_layers, written_layer},
    model::{Document, LayerId, ObjectId, Plays},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        panels::clips::refuse,
        subject,
        widgets::Chooser,
    },
};
use egui::{Label, RichText, ScrollArea, Ui};

/// From this width on masks stand beside the layers, points.
const BESIDE_PT: f32 = 620.0;

/// The panel.
#[derive(Debug, Default)]
pub struct LayersPanel {
    /// The layer whose details are shown.
    open: Option<(ObjectId, LayerId)>,
    masks: masks::Masks,
    bake: bake::Bake,
}

impl Panel for LayersPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let object = subject::object(ctx.document, ctx.selection)
            .filter(|id| ctx.document.object(*id).is_some_and(|object| object.as_rig().is_some()));
        let Some(object) = object else {
            ui.add(Label::new(RichText::new(t("clips.no_character")).weak()).wrap());
            return;
        };
        if ui.available_width() < BESIDE_PT {
            ScrollArea::vertical().id_salt("layers").auto_shrink(false).show(ui, |ui| {
                ui.set_max_width(ui.available_width());
                self.layers(ui, ctx, object);
                self.masks.show(ui, ctx, object);
            });
            return;
        }
        let whole = ui.available_rect_before_wrap();
        let (left, right) = whole.split_left_right_at_fraction(0.55);
        for (salt, rect) in [("layers", left.with_max_x(left.right() - 8.0)), ("masks", right)] {
            let builder = egui::UiBuilder::new().id_salt(salt).max_rect(rect);
            ui.scope_builder(builder, |ui| {
                ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
                    ui.set_max_width(ui.available_width());
                    if salt == "layers" {
                        self.layers(ui, ctx, object);
                    } else {
                        self.masks.show(ui, ctx, object);
                    }
                });
            });
        }
    }
}

impl LayersPanel {
    fn layers(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        self.head(ui, ctx, object);
        let Some(found) = ctx.document.object(object).cloned() else { return };
        if found.layers.is_empty() {
            ui.add(Label::new(RichText::new(t("layers.empty")).weak()).wrap());
        }
        let solo = found.layers.iter().any(|layer| layer.solo);
        // The one on top is listed first, as it lies.
        for (at, layer) in found.layers.iter().enumerate().rev() {
            ui.push_id(layer.id, |ui| self.row(ui, ctx, object, (at, layer, found.layers.len()), solo));
        }
        if !found.layers.is_empty() {
            self.bake.show(ui, ctx, object);
        }
    }

    fn head(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        ui.horizontal_wrapped(|ui| {
            let name = t("layers.add");
            let chooser = Chooser::new("add layer", &name, name.to_string()).width(140.0);
            let rows = || {
                let empty = std::iter::once((None, t("layers.new_clip").into_owned()));
                empty.chain(playable(ctx.document).into_iter().map(|(plays, name)| (Some(plays), name))).collect()
            };
            if let (_, Some(chosen)) = chooser.show(ui, None, rows) {
                let added = match chosen {
                    Some(plays) => add_layer(ctx.document, object, (&ctx.document.played_name(plays), plays)),
                    None => add_empty_layer(ctx.document, object, &t("layers.new_name")),
                };
                match added {
                    Ok((id, edit)) => {
                        ctx.commands.apply("history.layer_add", edit);
                        self.open = Some((object, id));
                    }
                    Err(error) => refuse(ctx, &error),
                }
            }
            let name = crate::model::names::object_name(ctx.document, object).unwrap_or_default();
            ui.weak(fill("layers.of", &[("name", &name)]));
        });
        if plays_layers(ctx.document, object) {
            let written = written_layer(ctx.document, object);
            let text = written.map(|layer| fill("layers.written", &[("name", &layer.name)]));
            let text = text.unwrap_or_else(|| t("layers.written_none").into_owned());
            ui.add(Label::new(RichText::new(text).weak()).wrap());
        }
    }
}

/// All that a layer can play, with names.
pub(super) fn playable(document: &Document) -> Vec<(Plays, String)> {
    let clips = document.listed_clips().into_iter().map(Plays::Clip);
    let spaces = document.blend_spaces.keys().copied().map(Plays::Space);
    clips.chain(spaces).map(|plays| (plays, row_name(document, plays))).collect()
}

fn row_name(document: &Document, plays: Plays) -> String {
    let name = document.played_name(plays);
    match plays {
        Plays::Clip(_) => name,
        Plays::Space(_) => fill("layers.space_row", &[("name", &name)]),
    }
}
