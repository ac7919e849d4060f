//! The warp lab: two pictures with landmarks on what belongs together, blended by colour alone beside warped and blended.

mod faces;

use crate::{
    command::Command,
    eval::image_morph::{Raster, Ways, cross_dissolve},
    interact::{view_state::ViewChange, warp::WarpDesk},
    math::rbf::{Kernel, MOST_PAIRS},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        widgets::{DragField, FieldEdit, set_name},
    },
};
use egui::{
    Color32, ColorImage, ComboBox, Pos2, Rect, Sense, Slider, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2,
};
use std::sync::Arc;

/// Two places that belong together, one on each picture.
type Pair = ([f64; 2], [f64; 2]);

/// How near to a landmark the pointer takes it, points.
const TAKE_PT: f32 = 10.0;

/// What stands above and below the pictures, points.
const BELOW_PT: f32 = 84.0;

/// What the pictures shown were made from.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    pairs: Vec<Pair>,
    kernel: Kernel,
    parameter: f64,
    part: f64,
}

/// The panel.
pub struct WarpLabPanel {
    /// The drawn faces.
    drawn: [Arc<Raster>; 2],
    /// What is shown: they, or the user's own.
    pictures: [Arc<Raster>; 2],
    pairs: Vec<Pair>,
    kernel: Kernel,
    parameter: f64,
    part: f64,
    /// The landmark that is dragged, and on which picture.
    held: Option<(usize, bool)>,
    shown: Option<(Made, Option<Ways>)>,
    textures: [Option<TextureHandle>; 4],
}

impl std::fmt::Debug for WarpLabPanel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WarpLabPanel").field("pairs", &self.pairs.len()).finish_non_exhaustive()
    }
}

impl Default for WarpLabPanel {
    fn default() -> Self {
        let drawn = faces::pictures();
        Self {
            pictures: drawn.clone(),
            drawn,
            pairs: faces::pairs(),
            kernel: Kernel::ThinPlate,
            parameter: 0.3,
            part: 0.5,
            held: None,
            shown: None,
            textures: [None, None, None, None],
        }
    }
}

impl Panel for WarpLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let room = ui.available_height() - BELOW_PT;
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            self.take_pictures(ctx);
            self.controls(ui, ctx);
            let columns: f32 = if ui.available_width() > 560.0 { 4.0 } else { 2.0 };
            let gap = ui.spacing().item_spacing.x;
            let side = ((ui.available_width() - gap * (columns - 1.0)) / columns).clamp(60.0, 320.0);
            // All four are seen at once where they lie in one row.
            let side = if columns > 2.0 { side.min(room.max(90.0)) } else { side };
            self.make(ui.ctx());
            ui.horizontal_wrapped(|ui| {
                for place in 0..4 {
                    self.picture(ui, ctx, place, side);
                }
            });
            ui.weak(t("warp_lab.hint"));
        });
    }
}

/// The names of the four pictures.
const TITLES: [&str; 4] = ["warp_lab.first", "warp_lab.second", "warp_lab.dissolved", "warp_lab.warped"];

impl WarpLabPanel {
    fn controls(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.horizontal_wrapped(|ui| {
            ui.label(t("warp_lab.between"));
            let slider = ui.add(Slider::new(&mut self.part, 0.0..=1.0).show_value(false));
            set_name(ui, &slider, &t("warp_lab.between"));
            ui.monospace(format!("{:.2}", self.part));
            let title = |kernel| match kernel {
                Kernel::ThinPlate => "deform.thin_plate",
                Kernel::Gaussian => "deform.gaussian",
                Kernel::Multiquadric => "deform.multiquadric",
                Kernel::InverseMultiquadric => "deform.inverse_multiquadric",
            };
            let combo = ComboBox::from_id_salt("warp kernel").width(140.0).selected_text(t(title(self.kernel)));
            let response = combo.show_ui(ui, |ui| {
                for kernel in Kernel::ALL {
                    ui.selectable_value(&mut self.kernel, kernel, t(title(kernel)));
                }
            });
            set_name(ui, &response.response, &t("deform.kernel"));
            if self.kernel != Kernel::ThinPlate {
                let name = t("deform.radius");
                let field = DragField::new(&name, self.parameter).range(0.01, 10.0).speed(0.005).decimals(2);
                for edit in field.show(ui).1 {
                    if let FieldEdit::Change(value) = edit {
                        self.parameter = value;
                    }
                }
            }
            if ui.button(t("warp_lab.reset")).clicked() {
                self.pairs = self.usual_pairs();
            }
            for (second, title) in [(false, "warp_lab.open_first"), (true, "warp_lab.open_second")] {
                if ui.button(t(title)).on_hover_text(t("warp_lab.open_hint")).clicked() {
                    ctx.commands.send(Command::WarpImage(second));
                }
            }
            let any = ctx.view.warp != WarpDesk::default();
            if any && ui.button(t("warp_lab.drawn")).on_hover_text(t("warp_lab.drawn_hint")).clicked() {
                ctx.commands.view(ViewChange::Warp(WarpDesk::default()));
            }
            let report = self.shown.as_ref().and_then(|(_, ways)| ways.as_ref().map(Ways::report));
            let warn = ctx.colours.warn;
            match report {
                None => drop(ui.colored_label(warn, t("warp_lab.no_pairs"))),
                Some(report) => {
                    if report.rank < 2 {
                        ui.colored_label(warn, t("warp_lab.line"));
                    }
                    if report.doubles > 0 {
                        ui.colored_label(warn, fill("deform.doubles", &[("count", &report.doubles)]));
                    }
                    if report.folds > 0 {
                        ui.colored_label(warn, fill("deform.folds", &[("count", &report.folds)]));
                    }
                }
            }
        });
    }

    /// Shows the pictures that lie on the desk; landmarks that nobody moved are those usual for them.
    fn take_pictures(&mut self, ctx: &PanelContext<'_>) {
        let own = |at: usize| ctx.view.warp.pictures[at].as_ref().map(|(_, picture)| picture.clone());
        let wanted = [0, 1].map(|at| own(at).unwrap_or_else(|| self.drawn[at].clone()));
        if wanted.iter().zip(&self.pictures).all(|(a, b)| Arc::ptr_eq(a, b)) {
            return;
        }
        let untouched = self.pairs == self.usual_pairs();
        self.pictures = wanted;
        if untouched {
            self.pairs = self.usual_pairs();
        }
        (self.shown, self.held) = (None, None);
        self.textures = [None, None, None, None];
    }

    fn usual_pairs(&self) -> Vec<Pair> {
        let drawn = self.pictures.iter().zip(&self.drawn).all(|(a, b)| Arc::ptr_eq(a, b));
        if drawn { faces::pairs() } else { faces::corners() }
    }

    /// Makes what is shown anew where something changed.
    fn make(&mut self, ctx: &egui::Context) {
        let (pairs, kernel, parameter, part) = (self.pairs.clone(), self.kernel, self.parameter, self.part);
        let made = Made { pairs, kernel, parameter, part };
        if self.shown.as_ref().is_some_and(|(known, _)| *known == made) {
            return;
        }
        let ways = Ways::new(self.kernel, self.parameter, &self.pairs, self.part);
        let [first, second] = [&*self.pictures[0], &*self.pictures[1]];
        let plain = cross_dissolve(first, second, self.part);
        let warped = ways.as_ref().map_or_else(|| plain.clone(), |w| w.dissolved(first, second, self.part));
        let all = [first, second, &plain, &warped];
        for ((place, texture), picture) in self.textures.iter_mut().enumerate().zip(all) {
            if place < 2 && texture.is_some() {
                continue;
            }
            *texture = Some(ctx.load_texture(TITLES[place], image(picture), TextureOptions::LINEAR));
        }
        self.shown = Some((made, ways));
    }

    fn picture(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, place: usize, side: f32) {
        let title = t(TITLES[place]);
        let named = ctx.view.warp.pictures.get(place).and_then(Option::as_ref).map(|(name, _)| name.clone());
        ui.vertical(|ui| {
            ui.set_width(side);
            ui.add(
                egui::Label::new(egui::RichText::new(named.unwrap_or_else(|| title.to_string())).strong()).truncate(),
            );
            let (cell, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
            // In its own proportions; what is made of both has those of the first.
            let rect = Rect::from_center_size(cell.center(), fitted(&self.pictures[usize::from(place == 1)], side));
            let response = ui.interact(rect, ui.scope_id().with(("warp", place)), Sense::click_and_drag());
            set_name(ui, &response, &title);
            if let Some(texture) = &self.textures[place] {
                let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
            }
            if place < 2 {
                self.landmarks(ui, ctx, (rect, &response), place == 1);
            }
        });
    }

    /// The landmarks of a picture: dragged, put by a double click, taken away by one with the other button.
    fn landmarks(&mut self, ui: &Ui, ctx: &PanelContext<'_>, (rect, response): (Rect, &egui::Response), second: bool) {
        #[expect(clippy::cast_possible_truncation, reason = "places on the screen")]
        let shown = |at: [f64; 2]| rect.min + vec2(at[0] as f32 * rect.width(), at[1] as f32 * rect.height());
        let own = |pair: &Pair| if second { pair.1 } else { pair.0 };
        let part = |pos: Pos2| {
            let at = (pos - rect.min) / rect.size();
            [f64::from(at.x.clamp(0.0, 1.0)), f64::from(at.y.clamp(0.0, 1.0))]
        };
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let near = pointer.and_then(|pos| {
            let apart = |at: usize| self.pairs.get(at).map_or(f32::INFINITY, |pair| shown(own(pair)).distance(pos));
            let nearest = (0..self.pairs.len()).min_by(|a, b| apart(*a).total_cmp(&apart(*b)))?;
            (apart(nearest) <= TAKE_PT).then_some(nearest)
        });
        if response.drag_started() {
            let from = ui.input(|input| input.pointer.press_origin());
            let apart =
                |at: usize, pos: Pos2| self.pairs.get(at).map_or(f32::INFINITY, |p| shown(own(p)).distance(pos));
            let nearest = from.and_then(|pos| {
                (0..self.pairs.len())
                    .filter(|at| apart(*at, pos) <= TAKE_PT)
                    .min_by(|a, b| apart(*a, pos).total_cmp(&apart(*b, pos)))
            });
            self.held = nearest.map(|at| (at, second));
        }
        if let (Some((at, on)), Some(pos)) = (self.held, response.interact_pointer_pos())
            && on == second
            && response.dragged()
            && let Some(pair) = self.pairs.get_mut(at)
        {
            *(if second { &mut pair.1 } else { &mut pair.0 }) = part(pos);
        }
        if response.drag_stopped() {
            self.held = None;
        }
        if let Some(pos) = pointer {
            if response.double_clicked() && near.is_none() && self.pairs.len() < MOST_PAIRS {
                self.pairs.push((part(pos), part(pos)));
            } else if response.secondary_clicked()
                && let Some(near) = near
            {
                self.pairs.remove(near);
            }
        }
        for (at, pair) in self.pairs.iter().enumerate() {
            let hot = near == Some(at) || self.held == Some((at, second));
            let fill = if hot { ctx.colours.accent } else { ctx.colours.text };
            ui.painter().circle(shown(own(pair)), if hot { 5.0 } else { 3.5 }, fill, (1.5, ctx.colours.panel));
        }
    }
}

/// The size of a picture within a square.
fn fitted(picture: &Raster, side: f32) -> Vec2 {
    #[expect(clippy::cast_precision_loss, reason = "pixels of a small picture")]
    let size = vec2(picture.width as f32, picture.height as f32);
    size * (side / size.max_elem().max(1.0))
}

fn image(picture: &Raster) -> ColorImage {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "brought within 0..255")]
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(|pixel| pixel.map(byte)).collect();
    ColorImage::from_rgb([picture.width, picture.height], &bytes)
}
