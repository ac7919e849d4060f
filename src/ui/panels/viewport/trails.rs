//! Trails in the view: a switch in its bar with how they are drawn, and a legend.

use super::popover::{NAMES_PT, number, row};
use crate::{
    command::CommandId,
    eval::trail::TrailSpace,
    interact::{trails::TrailOptions, view_state::ViewChange},
    model::{Document, Target},
    scene::TrailShown,
    style::{Palette, speed_colour},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        shell::hint_of,
        theme::{Colours, colour, style_theme},
        widgets::{IconButton, drag_field::number_text},
    },
};
use egui::{Align2, Color32, CornerRadius, FontId, Painter, Popup, PopupCloseBehavior, Rect, Ui, Vec2, pos2, vec2};

/// Width of the legend's bar, points.
const BAR_PT: f32 = 120.0;
/// Height of a line of the legend, points.
const LINE_PT: f32 = 17.0;

/// The switch and its settings.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>) {
    let id = CommandId::ToggleTrail;
    let (name, shortcut, hint) = (t(id.spec().title), ctx.keymap.text(id), hint_of(id));
    let on = ctx.selection.targets.iter().any(|target| match *target {
        Target::Joint(object, joint) => ctx.view.trailed.contains(&(object, joint)),
        _ => false,
    });
    if IconButton::new(Icon::Trail, &name).shortcut(&shortcut).hint(&hint).selected(on).show(ui).clicked() {
        ctx.commands.run(id);
    }
    let more = IconButton::new(Icon::ChevronDown, &t("trails.settings")).show(ui);
    let popup = Popup::menu(&more).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.show(|ui| {
        ui.set_width(NAMES_PT + 150.0);
        let changed = settings(ui, ctx.view.trails);
        if changed != ctx.view.trails {
            ctx.commands.view(ViewChange::Trails(changed));
        }
        ui.separator();
        let clear = egui::Button::new(t(CommandId::ClearTrails.spec().title).into_owned());
        if ui.add_enabled(!ctx.view.trailed.is_empty(), clear).clicked() {
            ctx.commands.run(CommandId::ClearTrails);
            ui.close();
        }
    });
}

fn settings(ui: &mut Ui, mut options: TrailOptions) -> TrailOptions {
    row(ui, "trails.space", |ui| {
        for (space, key) in [(TrailSpace::World, "trails.world"), (TrailSpace::Limb, "trails.limb")] {
            ui.selectable_value(&mut options.space, space, t(key).into_owned()).on_hover_text(t("trails.space_hint"));
        }
    });
    row(ui, "trails.frames", |ui| {
        let around = options.around.is_some();
        if ui.selectable_label(!around, t("trails.whole").into_owned()).clicked() {
            options.around = None;
        }
        if ui.selectable_label(around, t("trails.around").into_owned()).clicked() && !around {
            options.around = Some(12);
        }
    });
    if let Some(frames) = &mut options.around {
        row(ui, "trails.each_side", |ui| number(ui, ("trails.each_side", ""), TrailOptions::AROUND, 0.3, frames));
    }
    ui.checkbox(&mut options.by_speed, t("trails.by_speed").into_owned());
    ui.separator();
    ui.label(t("trails.combs").into_owned());
    ui.checkbox(&mut options.curvature, t("trails.curvature").into_owned());
    ui.checkbox(&mut options.speed, t("trails.speed").into_owned());
    ui.checkbox(&mut options.acceleration, t("trails.acceleration").into_owned());
    row(ui, "trails.scale", |ui| number(ui, ("trails.scale", "%"), TrailOptions::SCALE, 0.3, &mut options.comb_scale));
    ui.separator();
    ui.checkbox(&mut options.arc, t("trails.arc").into_owned()).on_hover_text(t("trails.arc_hint"));
    options
}

/// A line of the legend.
enum Line {
    /// A chip of colour and a text.
    Text(Option<Color32>, String),
    /// The colours from standing still to a top speed.
    Ramp(String),
}

/// The legend in the bottom left corner.
pub(super) fn legend(painter: &Painter, panel: Rect, trails: &[TrailShown], ctx: &PanelContext<'_>) {
    let colours = ctx.colours;
    let lines = lines(trails, ctx.document, Palette::of(style_theme(ctx.view.theme)));
    if lines.is_empty() || panel.height() < 160.0 {
        return;
    }
    let font = FontId::proportional(12.0);
    let galleys: Vec<_> = lines
        .iter()
        .map(|line| match line {
            Line::Text(_, text) | Line::Ramp(text) => painter.layout_no_wrap(text.clone(), font.clone(), colours.text),
        })
        .collect();
    let chip = |line: &Line| match line {
        Line::Text(Some(_), _) => 14.0,
        Line::Text(None, _) => 0.0,
        Line::Ramp(_) => BAR_PT + 22.0,
    };
    let wide = lines.iter().zip(&galleys).map(|(line, galley)| chip(line) + galley.size().x).fold(0.0, f32::max);
    let size = vec2(wide + 14.0, lines.len() as f32 * LINE_PT + 8.0);
    let rect = Rect::from_min_size(pos2(panel.left() + 8.0, panel.bottom() - 8.0 - size.y), size);
    painter.rect_filled(rect, CornerRadius::same(4), colours.panel.gamma_multiply(0.85));
    for (index, (line, galley)) in lines.iter().zip(galleys).enumerate() {
        let top = rect.top() + 4.0 + index as f32 * LINE_PT;
        let left = rect.left() + 7.0;
        let middle = top + LINE_PT / 2.0;
        match line {
            Line::Text(Some(colour), _) => {
                painter.circle_filled(pos2(left + 5.0, middle), 4.0, *colour);
            }
            Line::Text(None, _) => {}
            Line::Ramp(_) => {
                ramp(painter, Rect::from_min_size(pos2(left + 12.0, middle - 5.0), vec2(BAR_PT, 10.0)), colours)
            }
        }
        let at = pos2(left + chip(line), middle - galley.size().y / 2.0);
        painter.galley(at, galley, colours.text);
    }
}

fn ramp(painter: &Painter, rect: Rect, colours: &Colours) {
    const STEPS: u16 = 40;
    for step in 0..STEPS {
        let part = f32::from(step) / f32::from(STEPS);
        let place = Rect::from_min_size(
            rect.min + Vec2::new(rect.width() * part, 0.0),
            vec2(rect.width() / f32::from(STEPS) + 0.5, rect.height()),
        );
        painter.rect_filled(place, 0.0, colour(speed_colour(f64::from(part))));
    }
    let font = FontId::proportional(12.0);
    painter.text(rect.left_center() - vec2(3.0, 0.0), Align2::RIGHT_CENTER, "0", font, colours.text);
}

fn lines(trails: &[TrailShown], document: &Document, palette: &Palette) -> Vec<Line> {
    let mut lines = Vec::new();
    let unit = document.settings.length_unit;
    let length = |metres: f64, decimals| format!("{} {}", number_text(metres / unit.metres(), decimals), unit.symbol());
    for of in trails {
        let spec = of.trail.spec;
        let rig = document.object(spec.object).and_then(|object| object.as_rig());
        let name = rig.and_then(|rig| crate::model::names::joint_name(&rig.skeleton, spec.joint)).unwrap_or_default();
        let space = t(if of.trail.parent.is_some() { "trails.limb" } else { "trails.world" });
        let text = format!("{name}  {}\u{2013}{}  {space}", spec.first, spec.last);
        lines.push(Line::Text(None, text));
        if let Some(motion) = &of.motion {
            let most = |value: &dyn Fn(usize) -> f64| {
                (0..of.trail.points.len()).map(value).filter(|x| x.is_finite()).fold(0.0, f64::max)
            };
            let curvature = most(&|index| motion.curvature(index).map_or(0.0, |k| k.norm())) * unit.metres();
            let acceleration = most(&|index| motion.acceleration.get(index).map_or(0.0, |a| a.norm()));
            let palette = [palette.axis_w, palette.unkeyed, palette.axis_x].map(colour);
            let mut comb = |on: bool, chip: Color32, key: &str, value: String| {
                if on {
                    lines.push(Line::Text(Some(chip), fill(key, &[("value", &value)])));
                }
            };
            let bend = format!("{} /{}", number_text(curvature, 3), unit.symbol());
            comb(of.options.curvature, palette[0], "trails.most_curvature", bend);
            comb(of.options.speed, palette[1], "trails.most_speed", length(most(&|at| motion.speed(at)), 2) + "/s");
            comb(of.options.acceleration, palette[2], "trails.most_acceleration", length(acceleration, 1) + "/s\u{b2}");
        }
        if let Some(arc) = &of.arc {
            let radius = arc.radius.map_or_else(|| t("trails.straight").into_owned(), |radius| length(radius, 2));
            let worst = of.trail.rate.frame_f64(of.trail.secs(arc.worst));
            let (greatest, rms, frame) = (length(arc.greatest, 3), length(arc.rms, 3), number_text(worst, 1));
            let parts: [(&str, &dyn std::fmt::Display); 4] =
                [("radius", &radius), ("greatest", &greatest), ("rms", &rms), ("frame", &frame)];
            lines.push(Line::Text(None, fill("trails.residual", &parts)));
        }
    }
    if let Some(of) = trails.first().filter(|of| of.options.by_speed) {
        let top = format!("{}/s", length(of.top_speed, 2));
        lines.push(Line::Ramp(top));
    }
    if !trails.is_empty() {
        lines.push(Line::Text(None, t("trails.reading").into_owned()));
    }
    lines
}
