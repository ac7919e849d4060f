//! Rows of the popovers in the view's bar: a name and what is set beside it.

use crate::{
    text::t,
    ui::widgets::{DragField, FieldEdit},
};
use egui::Ui;

/// Width of the names, points.
pub(super) const NAMES_PT: f32 = 92.0;

/// A row: the name of a text key, then its widgets.
pub(super) fn row(ui: &mut Ui, key: &str, contents: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let start = ui.cursor().left();
        ui.label(t(key).into_owned());
        ui.add_space((start + NAMES_PT - ui.cursor().left()).max(4.0));
        contents(ui);
    });
}

/// A whole number within a range, named by a text key; `speed` is how much a point of dragging changes.
pub(super) fn number(ui: &mut Ui, (name, unit): (&str, &str), (low, high): (u16, u16), speed: f64, value: &mut u16) {
    let name = t(name);
    let field = DragField::new(&name, f64::from(*value)).decimals(0).speed(speed).unit(unit);
    let (_, edits) = field.range(f64::from(low), f64::from(high)).width(84.0).show(ui);
    for edit in edits {
        if let FieldEdit::Change(wanted) = edit {
            // Within the range of the field.
            *value = wanted.round().clamp(f64::from(low), f64::from(high)) as u16;
        }
    }
}
