//! Making a clip of what the layers play.

use crate::{
    command::Command,
    edit::{blend::Reduce, clips::free_clip_name},
    interact::clip_work::ClipWork,
    model::ObjectId,
    text::{fill, t},
    ui::{
        panel::PanelContext,
        widgets::{DragField, FieldEdit, section},
    },
};
use egui::Ui;

/// How closely keys are to follow, as asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bake {
    /// Whether the samples are reduced to keys.
    reduce: bool,
    millimetres: f64,
    degrees: f64,
}

impl Default for Bake {
    fn default() -> Self {
        Self { reduce: true, millimetres: 1.0, degrees: 0.25 }
    }
}

impl Bake {
    /// The error that is asked for; none for a value a frame.
    fn wanted(self) -> Option<Reduce> {
        self.reduce.then(|| Reduce {
            translation: self.millimetres * 1e-3,
            rotation: self.degrees.to_radians(),
            scale: 1e-3,
        })
    }

    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
        section(ui, &t("layers.bake"));
        ui.horizontal_wrapped(|ui| {
            let range = ctx.document.settings.play_range;
            let plays = crate::eval::blend::layers::plays_layers(ctx.document, object);
            let run = ui.add_enabled(plays, egui::Button::new(t("layers.bake_run")));
            let frames = fill("layers.bake_hint", &[("first", &range.first), ("last", &range.last)]);
            if run.on_hover_text(&frames).on_disabled_hover_text(t("layers.bake_none")).clicked() {
                let own = ctx.document.object(object).map_or_else(String::new, |object| object.name.clone());
                let name = free_clip_name(ctx.document, &fill("layers.bake_name", &[("name", &own)]));
                let work = ClipWork::BakeLayers { object, frames: range, name, reduce: self.wanted() };
                ctx.commands.send(Command::Clips(Box::new(work)));
            }
            ui.checkbox(&mut self.reduce, t("layers.bake_reduce")).on_hover_text(t("layers.bake_reduce_hint"));
            if self.reduce {
                let rows = [
                    ("layers.bake_mm", &mut self.millimetres, "mm", (1e-3, 1e3)),
                    ("layers.bake_degrees", &mut self.degrees, "°", (1e-3, 90.0)),
                ];
                for (key, value, unit, (low, high)) in rows {
                    let name = t(key);
                    let field = DragField::new(&name, *value).unit(unit).decimals(3).speed(0.01).range(low, high);
                    let (response, edits) = field.width(68.0).show(ui);
                    response.on_hover_text(&*name);
                    for edit in edits {
                        if let FieldEdit::Change(wanted) = edit
                            && wanted.is_finite()
                        {
                            *value = wanted;
                        }
                    }
                }
            }
        });
    }
}
