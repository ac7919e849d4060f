//! The bars above the ruler: pins, corrections and retimes, a few rows of them at a time; more scroll, and all can be put away.

use super::{corrections::Corrections, pins::Pins, retimes::Retimes};
use crate::ui::{panel::PanelContext, subject};
use egui::{ScrollArea, Ui};

/// Height of a row of bars, points.
pub(super) const ROW_PT: f32 = 16.0;
/// Most rows seen at once.
const ROWS: usize = 5;

/// The bars.
#[derive(Debug, Default)]
pub(super) struct Bars {
    pins: Pins,
    corrections: Corrections,
    retimes: Retimes,
}

/// The rows of pins, of corrections and of retimes.
/// How many rows there are; while something is dragged, how many there were: what is under the pointer must not move.
fn rows(ctx: &PanelContext<'_>) -> usize {
    let Some((_, clip)) = subject::clip(ctx.session.base(), ctx.selection) else { return 0 };
    let corrections = super::corrections::rows(&clip.corrections).1;
    super::pins::rows(&clip.pins).len() + corrections + super::retimes::rows(&clip.retimes).1
}

/// How much room the bars take, points.
pub(super) fn height(ctx: &PanelContext<'_>) -> f32 {
    if ctx.view.bars { rows(ctx).min(ROWS) as f32 * ROW_PT } else { 0.0 }
}

/// Whether there are any bars, seen or put away.
pub(super) fn any(ctx: &PanelContext<'_>) -> bool {
    rows(ctx) > 0
}

impl Bars {
    pub(super) fn show(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let height = height(ctx);
        if height == 0.0 {
            return;
        }
        // One row more could follow unseen: the bar beside them says so.
        let area = ScrollArea::vertical().id_salt("timeline bars").max_height(height).auto_shrink([false, true]);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            self.pins.show(ui, ctx);
            self.corrections.show(ui, ctx);
            self.retimes.show(ui, ctx);
        });
    }
}
