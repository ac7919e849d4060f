//! How the tracks look: marks, bars of held keys, bands of captured channels, the playhead.

use super::{DopeSheetPanel, LINE_PT, Sheet, marks::Mark, operate, rows::Row};
use crate::{
    edit::{CurveRef, columns::COLUMN_SECS},
    interact::view_state::ThemeChoice,
    model::{Curve, FrameRate, KeyKind, RotationCurve, ScalarCurve},
    text::fill,
    ui::{
        panel::PanelContext,
        panels::timeline::ruler::Scale,
        widgets::{
            drag_field::number_text,
            plot_canvas_marks::{MarkShape, add_mark, add_ringed},
        },
    },
};
use egui::{
    Color32, Mesh, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

/// With more marks than this they are not named one by one.
const MOST_NODES: usize = 250;

/// The colour of keys of a kind; the shape of their marks says it too.
pub(super) fn kind_colour(ctx: &PanelContext<'_>, kind: KeyKind) -> Color32 {
    let dark = ctx.view.theme == ThemeChoice::Dark;
    match (kind, dark) {
        (KeyKind::Key, _) => ctx.colours.text,
        (KeyKind::Breakdown, true) => Color32::from_rgb(0x74, 0xb4, 0xf0),
        (KeyKind::Breakdown, false) => Color32::from_rgb(0x1f, 0x66, 0xb4),
        (KeyKind::Extreme, true) => Color32::from_rgb(0xe8, 0x8c, 0xd8),
        (KeyKind::Extreme, false) => Color32::from_rgb(0x9c, 0x2a, 0x8a),
        (KeyKind::Hold, true) => Color32::from_rgb(0x86, 0xd2, 0x98),
        (KeyKind::Hold, false) => Color32::from_rgb(0x1d, 0x78, 0x3c),
    }
}

/// When the selected keys of a row's channels are shown, in order.
fn selected_times(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, row: &Row) -> Vec<f64> {
    if ctx.selection.keys.is_empty() {
        return Vec::new();
    }
    let mut times: Vec<f64> = Vec::new();
    for path in sheet.channels(row) {
        let own = ctx.selection.keys.times(CurveRef { clip: sheet.id, path: *path });
        if !own.is_empty() {
            let clock = sheet.clip.clock(path.target);
            times.extend(own.iter().map(|time| clock.shown(*time)));
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

impl DopeSheetPanel {
    pub(super) fn paint_tracks(
        &mut self,
        ui: &Ui,
        ctx: &PanelContext<'_>,
        sheet: &Sheet<'_>,
        shown: &[(Row, Rect)],
        rect: Rect,
    ) {
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        painter.rect_filled(rect, 0.0, ctx.colours.field);
        let rate = ctx.document.settings.rate;
        let (mut under, mut mesh) = (Vec::new(), Mesh::default());
        let feather = 1.0 / ui.ctx().pixels_per_point();
        let mut count = 0;
        for (row, place) in shown {
            let y = place.center().y;
            let line = Rect::from_x_y_ranges(rect.x_range(), place.top()..=place.bottom() - 1.0);
            if row.open.is_some() || row.depth == 0 {
                under.push(Shape::rect_filled(line, 0.0, ctx.colours.panel.gamma_multiply(0.55)));
            }
            under.extend(bands(ctx, sheet, row, y));
            let chosen = selected_times(ctx, sheet, row);
            let marks = self.cache.row(row.id, sheet.channels(row));
            count += marks.len();
            for mark in marks {
                under.extend(held(ctx, sheet.scale, rate, mark, y));
                add(&mut mesh, ctx, mark, (sheet.scale, rate, y), is_chosen(&chosen, mark), feather);
            }
            if count <= MOST_NODES {
                nodes(ui, ctx, sheet, (row, y), marks, &chosen);
            }
        }
        painter.extend(under);
        painter.add(Shape::mesh(mesh));
        playhead(&painter, ctx, sheet.scale, rect);
    }
}

/// Whether any selected time lies in a mark.
fn is_chosen(times: &[f64], mark: &Mark) -> bool {
    let at = times.partition_point(|time| *time < mark.first - COLUMN_SECS);
    times.get(at).is_some_and(|time| *time <= mark.last + COLUMN_SECS)
}

/// A bar from a key to the next, where both are equal.
fn held(ctx: &PanelContext<'_>, scale: Scale, rate: FrameRate, mark: &Mark, y: f32) -> Option<Shape> {
    let (a, b) = (scale.x(rate.frame_f64(mark.last)), scale.x(rate.frame_f64(mark.held_to?)));
    let bar = Rect::from_x_y_ranges(a..=b, y - 3.0..=y + 3.0);
    (bar.width() > 6.0).then(|| Shape::rect_filled(bar, 2.0, ctx.colours.weak.gamma_multiply(0.35)))
}

/// Bands over the time of captured channels.
fn bands(ctx: &PanelContext<'_>, sheet: &Sheet<'_>, row: &Row, y: f32) -> Option<Shape> {
    let rate = ctx.document.settings.rate;
    let span = |start: f64, of: FrameRate, len: usize| {
        let last = i64::try_from(len).unwrap_or(i64::MAX).saturating_sub(1);
        (len > 0).then(|| (start, start + of.secs(last)))
    };
    let spans = sheet.channels(row).iter().filter_map(|path| match &**sheet.clip.channels.get(path)? {
        Curve::Scalar(ScalarCurve::Sampled(samples)) => span(samples.start, samples.rate, samples.values.len()),
        Curve::Rotation(RotationCurve::Sampled(samples)) => span(samples.start, samples.rate, samples.values.len()),
        _ => None,
    });
    let (from, to) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let (a, b) = (sheet.scale.x(rate.frame_f64(from)), sheet.scale.x(rate.frame_f64(to)));
    let half = LINE_PT / 2.0 - 5.0;
    let band = Rect::from_x_y_ranges(a..=b.max(a + 2.0), y - half..=y + half);
    Some(Shape::rect_filled(band, 2.0, ctx.colours.accent.gamma_multiply(0.18)))
}

/// One key by its kind and shape, several as a block.
fn add(
    mesh: &mut Mesh,
    ctx: &PanelContext<'_>,
    mark: &Mark,
    (scale, rate, y): (Scale, FrameRate, f32),
    chosen: bool,
    feather: f32,
) {
    let x = |secs: f64| scale.x(rate.frame_f64(secs));
    let ring = ctx.colours.accent;
    if !mark.is_one() {
        let colour = if chosen { ring } else { ctx.colours.weak };
        let (a, b) = (x(mark.first) - 0.5, x(mark.last).max(x(mark.first) + 1.0) + 0.5);
        mesh.add_colored_rect(Rect::from_x_y_ranges(a..=b, y - 5.0..=y + 5.0), colour);
        return;
    }
    let (at, colour) = (pos2(x(mark.first), y), kind_colour(ctx, mark.kind));
    let ground = ctx.colours.field;
    let radius = match mark.kind {
        KeyKind::Key | KeyKind::Hold => 5.0,
        KeyKind::Breakdown => 3.6,
        KeyKind::Extreme => 6.2,
    };
    if chosen {
        add_mark(mesh, at, mark.shape, radius + 2.6, ring, feather);
    }
    match mark.kind {
        // Hollow: nothing moves there.
        KeyKind::Hold => add_ringed(mesh, at, mark.shape, radius, colour, ground, feather),
        KeyKind::Extreme => {
            add_mark(mesh, at, mark.shape, radius, colour, feather);
            add_mark(mesh, at, MarkShape::Round, 1.8, ground, feather);
        }
        KeyKind::Key | KeyKind::Breakdown => add_mark(mesh, at, mark.shape, radius, colour, feather),
    }
}

/// Names the marks for screen readers and tests.
fn nodes(ui: &Ui, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, (row, y): (&Row, f32), marks: &[Mark], chosen: &[f64]) {
    let rate = ctx.document.settings.rate;
    let name = super::rows::name(ctx, row.id);
    for mark in marks {
        let frame = rate.frame_f64(mark.first);
        let at = Pos2::new(sheet.scale.x(frame), y);
        if !sheet.scale.rect().x_range().contains(at.x) {
            continue;
        }
        let id = ui.scope_id().with(("dope mark", row.id, mark.first.to_bits()));
        let node = ui.interact(Rect::from_center_size(at, Vec2::splat(10.0)), id, Sense::hover());
        let kind = crate::text::t(kind_name(mark.kind));
        let label = fill("dope.mark", &[("row", &name), ("frame", &number_text(frame, 2)), ("kind", &kind)]);
        node.widget_info(|| WidgetInfo::selected(Role::GraphicsSymbol, true, is_chosen(chosen, mark), &label));
    }
}

const fn kind_name(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Key => "dope.key",
        KeyKind::Breakdown => "dope.breakdown",
        KeyKind::Extreme => "dope.extreme",
        KeyKind::Hold => "dope.hold",
    }
}

pub(super) fn playhead(painter: &Painter, ctx: &PanelContext<'_>, scale: Scale, rect: Rect) {
    let x = scale.x(ctx.document.settings.rate.frame_f64(ctx.view.secs));
    if rect.x_range().contains(x) {
        painter.line_segment([pos2(x, rect.top()), pos2(x, rect.bottom())], Stroke::new(1.5, ctx.colours.accent));
    }
}

/// The ends of the selection, to be dragged.
pub(super) fn ends(ui: &Ui, ctx: &PanelContext<'_>, sheet: &Sheet<'_>, rect: Rect) {
    let Some((first, last)) = operate::selected_ends(ctx, sheet) else { return };
    let rate = ctx.document.settings.rate;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let x = |secs: f64| sheet.scale.x(rate.frame_f64(secs));
    let (a, b) = (x(first) - operate::HANDLE_PT, x(last) + operate::HANDLE_PT);
    let band = Rect::from_x_y_ranges(a..=b, rect.top() + 2.0..=rect.bottom() - 2.0);
    painter.rect_filled(band, 3.0, ctx.colours.accent.gamma_multiply(0.14));
    for x in [a, b] {
        let handle = Rect::from_center_size(pos2(x, rect.center().y), vec2(4.0, rect.height() - 6.0));
        painter.rect_filled(handle, 2.0, ctx.colours.accent);
    }
}

pub(super) fn marquee(ui: &Ui, ctx: &PanelContext<'_>, rect: Rect, place: Rect) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(place, 2.0, ctx.colours.accent.gamma_multiply(0.2));
    painter.rect_stroke(place, 2.0, Stroke::new(1.0, ctx.colours.accent), StrokeKind::Inside);
}
