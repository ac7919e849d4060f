//! The cards of samples above the panels: each opens a document with one thing to try at once. They cover nothing.

use super::{
    icons::Icon,
    panel::PanelContext,
    shell::hint_of,
    theme::{BODY_PT, GRID_PT},
    widgets::IconButton,
};
use crate::{
    command::{Command, CommandId, HelpWish},
    text::{fill, t},
};
use egui::{Align, FontId, Layout, Rect, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

/// A card.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// The command that opens its sample.
    pub opens: CommandId,
    /// Its picture.
    pub icon: Icon,
    /// The text key of its name; what there is to do stands under the same key with `_line`.
    pub title: &'static str,
}

const fn card(opens: CommandId, icon: Icon, title: &'static str) -> Card {
    Card { opens, icon, title }
}

/// All cards, in their order.
pub const CARDS: [Card; 7] = [
    card(CommandId::OpenStand, Icon::DragLimb, "start.pose"),
    card(CommandId::OpenBounce, Icon::KeySet, "start.time"),
    card(CommandId::OpenReach, Icon::Trail, "start.trail"),
    card(CommandId::OpenRace, Icon::Graph, "start.race"),
    card(CommandId::OpenArm, Icon::Bones, "start.solver_lab"),
    card(CommandId::OpenTorso, Icon::Lattice, "start.lattice"),
    card(CommandId::OpenGait, Icon::Spacing, "start.blend"),
];

/// Height of the row, points.
pub const HEIGHT_PT: f32 = 60.0;
/// Width of what stands at its right, points.
const SIDE_PT: f32 = 152.0;
/// A card is not narrower than this, points.
const LEAST_PT: f32 = 138.0;
/// A card is not wider than this, points.
const MOST_PT: f32 = 220.0;
/// Side of a card's picture, points.
const PICTURE_PT: f32 = 32.0;

/// Shows the row: cards, and at the right the tour and whether the row comes again.
pub fn show(ui: &mut Ui, ctx: &PanelContext<'_>, at_start: bool) {
    let whole = ui.max_rect();
    let (cards, side) = whole.split_left_right_at_x((whole.right() - SIDE_PT).max(whole.left()));
    let mut row = ui.new_child(egui::UiBuilder::new().max_rect(cards).layout(Layout::left_to_right(Align::Center)));
    egui::ScrollArea::horizontal().id_salt("start cards").show(&mut row, |ui| {
        ui.spacing_mut().item_spacing.x = GRID_PT;
        let count = CARDS.len() as f32;
        let width = (cards.width() / count - GRID_PT).clamp(LEAST_PT, MOST_PT);
        for card in CARDS {
            if show_card(ui, ctx, card, vec2(width, HEIGHT_PT - 2.0 * GRID_PT)) {
                ctx.commands.run(card.opens);
            }
        }
    });
    let mut side = ui.new_child(egui::UiBuilder::new().max_rect(side).layout(Layout::top_down(Align::Max)));
    side.spacing_mut().item_spacing.y = 2.0;
    side.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if IconButton::new(Icon::Close, &t("start.close")).side(22.0).show(ui).clicked() {
                ctx.commands.send(Command::Help(HelpWish::Start(false)));
            }
            let tour = ui.button(t("command.tour").into_owned());
            if tour.on_hover_text(hint_of(CommandId::Tour)).clicked() {
                ctx.commands.run(CommandId::Tour);
            }
        });
    });
    let mut shown = at_start;
    let again = side.checkbox(&mut shown, t("start.at_start").into_owned());
    if again.on_hover_text(t("start.at_start_hint").into_owned()).changed() {
        ctx.commands.send(Command::Help(HelpWish::AtStart(shown)));
    }
}

/// One card; whether it was clicked.
fn show_card(ui: &mut Ui, ctx: &PanelContext<'_>, card: Card, size: Vec2) -> bool {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let (title, line) = (t(card.title), t(&format!("{}_line", card.title)));
    let (enabled, name) = (ui.is_enabled(), fill("start.open", &[("name", &title)]));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, &name));
    let colours = ctx.colours;
    let lit = response.hovered() || response.has_focus();
    let ground = if lit { colours.hovered } else { colours.panel };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 6.0, ground);
    let middle = rect.left_center() + vec2(GRID_PT + PICTURE_PT / 2.0, 0.0);
    let picture = Rect::from_center_size(middle, Vec2::splat(PICTURE_PT));
    painter.rect_filled(picture, 6.0, colours.accent_ground);
    card.icon.paint(&painter, picture, PICTURE_PT - 8.0, colours.accent_text);
    let left = picture.right() + 2.0 * GRID_PT;
    let width = rect.right() - GRID_PT - left;
    let title = painter.layout_no_wrap(title.into_owned(), FontId::proportional(BODY_PT), colours.text);
    let weak = if lit { colours.text } else { colours.weak };
    let line = painter.layout(line.into_owned(), FontId::proportional(BODY_PT - 2.0), weak, width);
    let top = rect.center().y - (title.size().y + line.size().y) / 2.0;
    let below = top + title.size().y;
    painter.galley(egui::pos2(left, top), title, colours.text);
    painter.galley(egui::pos2(left, below), line, weak);
    response.on_hover_text(hint_of(card.opens)).clicked()
}
