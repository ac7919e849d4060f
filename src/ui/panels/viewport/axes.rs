//! The axes of the world in a corner: which way one looks, and a click to look along one.

use crate::{
    command::CommandId,
    interact::camera::ViewDirection,
    math::Vec3,
    text::t,
    ui::{panel::PanelContext, widgets::tooltip},
};
use egui::{Align2, Color32, FontId, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

/// Length of an axis, points.
const LENGTH: f32 = 30.0;
/// Radius of the disc at its end.
const DISC: f32 = 8.5;

struct Arm {
    direction: ViewDirection,
    /// Which axis, and whether its positive end.
    axis: usize,
    positive: bool,
    command: CommandId,
}

const ARMS: [Arm; 6] = [
    Arm { direction: ViewDirection::Right, axis: 0, positive: true, command: CommandId::ViewRight },
    Arm { direction: ViewDirection::Left, axis: 0, positive: false, command: CommandId::ViewLeft },
    Arm { direction: ViewDirection::Top, axis: 1, positive: true, command: CommandId::ViewTop },
    Arm { direction: ViewDirection::Bottom, axis: 1, positive: false, command: CommandId::ViewBottom },
    Arm { direction: ViewDirection::Front, axis: 2, positive: true, command: CommandId::ViewFront },
    Arm { direction: ViewDirection::Back, axis: 2, positive: false, command: CommandId::ViewBack },
];

/// How far from their middle the axes reach, with some room, points.
const REACH: f32 = LENGTH + DISC + 6.0;

/// Where the middle of the axes stands in a view with such a bar: in the top right corner, under the bar where that comes so
/// far; none where there is no room.
fn middle(panel: Rect, bar: Rect) -> Option<Pos2> {
    let top = if bar.right() > panel.right() - 2.0 * REACH { bar.bottom() } else { panel.top() };
    let roomy = panel.width() >= 6.0 * REACH && panel.bottom() - top >= 3.0 * REACH;
    roomy.then(|| pos2(panel.right() - REACH, top + REACH))
}

/// Shows the axes and gives the places that take clicks; `bar` is the place of the view's bar.
pub(super) fn show(ui: &mut Ui, (panel, bar): (Rect, Rect), ctx: &PanelContext<'_>) -> Vec<Rect> {
    let Some(middle) = middle(panel, bar) else { return Vec::new() };
    let view_from_world = ctx.view.camera.world_from_view().inverse();
    // Far ends first, so that near ones are drawn over them and clicked before them.
    let mut arms: Vec<(&Arm, Vec3)> = ARMS
        .iter()
        .map(|arm| {
            let sign = if arm.positive { 1.0 } else { -1.0 };
            (arm, view_from_world * Vec3::ith(arm.axis, sign))
        })
        .collect();
    arms.sort_by(|a, b| a.1.z.total_cmp(&b.1.z));
    let mut covered = Vec::new();
    for (arm, toward) in arms {
        let at = middle + Vec2::new(super::marks::single(toward.x), -super::marks::single(toward.y)) * LENGTH;
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * DISC));
        let response = ui.interact(rect, ui.scope_id().with(("axis", arm.axis, arm.positive)), Sense::click());
        let name = t(arm.command.spec().title);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &*name));
        // What points away is dimmer.
        let nearness = 0.55 + 0.45 * super::marks::single(toward.z * 0.5 + 0.5);
        let colour = ctx.colours.axes[arm.axis].gamma_multiply(nearness);
        paint(ui, middle, rect, arm, colour, response.hovered(), ctx);
        if response.clicked() {
            // A second click on the axis one looks along already goes to the other side.
            let here = ctx.view.camera.along(arm.direction).forward().dot(&ctx.view.camera.forward()) > 1.0 - 1e-9;
            ctx.commands.run(if here { opposite(arm) } else { arm.command });
        }
        response.on_hover_ui(|ui| tooltip(ui, &name, &ctx.keymap.text(arm.command), ""));
        covered.push(rect);
    }
    covered
}

fn opposite(arm: &Arm) -> CommandId {
    let other = ARMS.iter().find(|other| other.direction == arm.direction.opposite());
    other.map_or(arm.command, |other| other.command)
}

fn paint(ui: &Ui, middle: Pos2, rect: Rect, arm: &Arm, colour: Color32, hovered: bool, ctx: &PanelContext<'_>) {
    let painter = ui.painter();
    let at = rect.center();
    let rim = if hovered { ctx.colours.text } else { colour };
    if arm.positive {
        painter.line_segment([middle, at], Stroke::new(2.0, colour));
        painter.circle(at, DISC, colour, Stroke::new(if hovered { 1.5 } else { 0.0 }, rim));
        let letter = crate::interact::modal::axis_letter(arm.axis);
        painter.text(at, Align2::CENTER_CENTER, letter, FontId::proportional(11.0), ctx.colours.ground);
    } else {
        painter.circle(at, DISC - 2.0, ctx.colours.panel.gamma_multiply(0.7), Stroke::new(1.5, rim));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_stand_clear_of_the_bar() {
        let view = |width: f32, height: f32| Rect::from_min_max(pos2(40.0, 28.0), pos2(40.0 + width, 28.0 + height));
        let bar = |right: f32| Rect::from_min_max(pos2(48.0, 36.0), pos2(right, 62.0));
        assert_eq!(middle(view(900.0, 400.0), bar(565.0)), Some(pos2(940.0 - REACH, 28.0 + REACH)));
        assert_eq!(middle(view(560.0, 400.0), bar(565.0)), Some(pos2(600.0 - REACH, 62.0 + REACH)));
        assert_eq!(middle(view(560.0, 150.0), bar(565.0)), None, "no room under the bar");
        assert_eq!(middle(view(200.0, 400.0), bar(232.0)), None, "no room beside");
    }
}
