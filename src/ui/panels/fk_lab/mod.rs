//! The forward kinematics lab: a planar arm with its matrices, what the order of turn and shift changes, and sun, earth and
//! moon.

mod plane;

use crate::{
    eval::fk_lab::{Arm, Local, heavens, origin, shift, turn},
    math::Mat3,
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        widgets::{DragField, FieldEdit, lab_section},
    },
};
use egui::{RichText, Ui};
use plane::{Dot, Plane};

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;

/// The lab.
#[derive(Debug, Default)]
pub struct FkLabPanel {
    arm: Arm,
    /// The time of earth and moon.
    years: f64,
    /// Which link is being dragged.
    held: Option<usize>,
}

impl Panel for FkLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if ui.available_width() < TWO_COLUMNS_PT {
                self.turn_first(ui, ctx);
                self.shift_first(ui, ctx);
                self.sky(ui, ctx);
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    self.turn_first(left, ctx);
                    self.sky(left, ctx);
                    self.shift_first(right, ctx);
                }
            });
        });
    }
}

impl FkLabPanel {
    fn turn_first(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        lab_section(ui, "fk_lab.arm", |ui| {
            ui.horizontal_wrapped(|ui| self.fields(ui));
            let (plane, response) = Plane::new(ui, &t("fk_lab.arm_picture"), self.extent());
            let places = self.arm.frames(Local::TurnShift).map(|frame| origin(&frame));
            if response.drag_started()
                && let Some(at) = ui.input(|input| input.pointer.press_origin())
            {
                self.held = plane.nearest(at, &places);
            }
            if let (Some(link), Some(at)) = (self.held, response.interact_pointer_pos()) {
                self.arm = self.arm.pointed(link, plane.place(at));
            }
            if response.drag_stopped() {
                self.held = None;
            }
            plane.axes(ctx.colours);
            plane.line(&[[0.0, 0.0], places[0], places[1]], ctx.colours.accent, 4.0);
            let colour = ctx.colours.accent_text;
            let [elbow, hand] = [t("fk_lab.elbow"), t("fk_lab.hand")];
            let dot = |place, name| Dot { place, radius: 6.0, colour, name };
            plane.dots(&[dot(places[0], &elbow), dot(places[1], &hand)]);
            self.steps(ui, Local::TurnShift);
        });
    }

    /// How far the pictures of the arm reach: to where it does when straight.
    fn extent(&self) -> f32 {
        (self.arm.lengths[0] + self.arm.lengths[1] + 0.2).max(3.7) as f32
    }

    fn shift_first(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        lab_section(ui, "fk_lab.other", |ui| {
            let (plane, _) = Plane::new(ui, &t("fk_lab.other_picture"), self.extent());
            plane.axes(ctx.colours);
            let [first, second] = self.arm.frames(Local::ShiftTurn).map(|frame| origin(&frame));
            plane.line(&[[0.0, 0.0], first, second], ctx.colours.warn, 4.0);
            let names = [t("fk_lab.frame_1"), t("fk_lab.frame_2")];
            let dot = |place, name| Dot { place, radius: 6.0, colour: ctx.colours.text, name };
            plane.dots(&[dot(first, &names[0]), dot(second, &names[1])]);
            self.steps(ui, Local::ShiftTurn);
        });
    }

    fn fields(&mut self, ui: &mut Ui) {
        let field = |ui: &mut Ui, key: &str, value: &mut f64, unit: &str, range: (f64, f64)| {
            let name = t(key);
            let field = DragField::new(&name, *value).unit(unit).decimals(3).range(range.0, range.1).width(76.0);
            // Beside each other on one row, however the rows break.
            let font = egui::TextStyle::Body.resolve(ui.style());
            let label = ui.painter().layout_no_wrap(name.to_string(), font, egui::Color32::PLACEHOLDER).size().x;
            let size = egui::vec2(label + ui.spacing().item_spacing.x + 76.0, ui.spacing().interact_size.y);
            let edits = ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.weak(&*name);
                field.speed(if unit.is_empty() { 0.01 } else { 0.5 }).show(ui).1
            });
            for edit in edits.inner {
                if let FieldEdit::Change(number) = edit {
                    *value = number;
                }
            }
        };
        for (link, keys) in
            [["fk_lab.angle_1", "fk_lab.length_1"], ["fk_lab.angle_2", "fk_lab.length_2"]].iter().enumerate()
        {
            let mut degrees = self.arm.angles[link].to_degrees();
            field(ui, keys[0], &mut degrees, "°", (-180.0, 180.0));
            // What was not changed stays as it is to the bit.
            if degrees != self.arm.angles[link].to_degrees() {
                self.arm.angles[link] = degrees.to_radians();
            }
            field(ui, keys[1], &mut self.arm.lengths[link], "", (0.1, 3.0));
        }
        if ui.button(t("fk_lab.reset").into_owned()).clicked() {
            self.arm = Arm::default();
        }
    }

    /// The matrices, one after the other.
    fn steps(&self, ui: &mut Ui, form: Local) {
        let arm = &self.arm;
        let frames = arm.frames(form);
        for link in 0..2 {
            let (turned, along) = (turn(arm.angles[link]), shift(arm.lengths[link]));
            let number = link + 1;
            let (parts, product) = match form {
                Local::TurnShift => ([turned, along], format!("L{number} = R{number} T{number}")),
                Local::ShiftTurn => ([along, turned], format!("L{number} = T{number} R{number}")),
            };
            equation(ui, &product, &[parts[0], parts[1], arm.local(link, form)]);
        }
        equation(ui, "W2 = L1 L2", &[arm.local(0, form), arm.local(1, form), frames[1]]);
        let [x, y] = origin(&frames[1]).map(|number| format!("{number:.3}"));
        ui.label(fill("fk_lab.ends_at", &[("x", &x), ("y", &y)]));
    }

    fn sky(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        lab_section(ui, "fk_lab.sky", |ui| {
            let name = t("fk_lab.years");
            ui.horizontal(|ui| {
                ui.weak(&*name);
                let field = DragField::new(&name, self.years).decimals(3).range(-100.0, 100.0).speed(0.002).width(76.0);
                for edit in field.show(ui).1 {
                    if let FieldEdit::Change(years) = edit {
                        self.years = years;
                    }
                }
            });
            let (plane, response) = Plane::new(ui, &t("fk_lab.sky_picture"), 4.2);
            if response.dragged() {
                self.years += f64::from(response.drag_delta().x) * 0.002;
            }
            plane.axes(ctx.colours);
            let orbit = |count: u32| (0..=count).map(move |step| f64::from(step) / f64::from(count));
            let earths: Vec<[f64; 2]> = orbit(90).map(|part| origin(&heavens(part)[0])).collect();
            let moons: Vec<[f64; 2]> = orbit(720).map(|part| origin(&heavens(part)[1])).collect();
            plane.line(&moons, ctx.colours.weak, 1.0);
            plane.line(&earths, ctx.colours.accent, 1.0);
            let [earth, moon] = heavens(self.years);
            let names = [t("fk_lab.sun"), t("fk_lab.earth"), t("fk_lab.moon")];
            plane.dots(&[
                Dot { place: [0.0, 0.0], radius: 10.0, colour: ctx.colours.unkeyed, name: &names[0] },
                Dot { place: origin(&earth), radius: 7.0, colour: ctx.colours.accent, name: &names[1] },
                Dot { place: origin(&moon), radius: 4.0, colour: ctx.colours.text, name: &names[2] },
            ]);
            let month = std::f64::consts::TAU * 12.0 * self.years;
            equation(ui, "W = R T", &[turn(std::f64::consts::TAU * self.years), shift(3.0), earth]);
            equation(ui, "W' = W (R' T')", &[earth, turn(month) * shift(0.8), moon]);
        });
    }
}

/// Two factors and their product, row by row.
fn equation(ui: &mut Ui, name: &str, matrices: &[Mat3; 3]) {
    ui.add_space(4.0);
    ui.weak(name);
    let row = |matrix: &Mat3, row: usize| {
        // Adding 0 to what is rounded leaves no -0.
        let number = |column: usize| (matrix[(row, column)] * 1e3).round() / 1e3 + 0.0;
        format!("[{:>6.3} {:>6.3} {:>6.3}]", number(0), number(1), number(2))
    };
    let lines = (0..3).map(|index| {
        let [between, equals] = if index == 1 { ["·", "="] } else { [" ", " "] };
        let [a, b, product] = matrices.each_ref().map(|matrix| row(matrix, index));
        format!("{a}{between}{b}{equals}{product}")
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    egui::ScrollArea::horizontal().id_salt((name, ui.scope_id())).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(text).monospace().size(10.5)).extend());
    });
}
