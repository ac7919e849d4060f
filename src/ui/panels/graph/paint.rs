//! Painting the graph: ground, curves, handles, keys.

use super::{
    channels::{letter, ruler_unit},
    race::RaceLine,
    tree::lane_colour,
};
use crate::{
    eval::curve::local_support,
    interact::{
        input::ScreenPos,
        plot_view::{Bounds, PlotRange, PlotRect, PlotView, ValueMap},
        tools::{
            graph_curve::{GraphCurve, Points, Side},
            graph_hit::{GraphHit, points_show},
            graph_scale::{BAR_PT, BarEnd, selected_span},
            graph_select::in_box,
            graph_tool::Marquee,
            keys::AxisLock,
        },
    },
    model::{ChannelPath, ClipId},
    ui::{
        panel::PanelContext,
        panels::race::{badge, rival_colour},
        widgets::{
            curve_layer::{CurveLayer, CurveLine},
            plot_canvas::{Ground, PlotCanvas},
            plot_canvas_line::{LineStyle, add_curve},
            plot_canvas_marks::{MarkShape, add_mark, add_ringed},
        },
    },
};
use std::{collections::BTreeSet, sync::Arc};

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

/// Radius of a key, of a selected and of a hovered one, points.
const KEY_PT: f32 = 4.0;
const SELECTED_PT: f32 = 4.8;
const HOVERED_PT: f32 = 6.0;
/// Radius of a sample, points.
const SAMPLE_PT: f32 = 2.0;
/// Radius of a handle's end, points.
const HANDLE_PT: f32 = 3.2;
/// Width of a curve, and of the active one, points.
const LINE_PT: f32 = 1.4;
const ACTIVE_PT: f32 = 2.4;
/// Width of a curve compared with, points.
const COMPARED_PT: f32 = 4.5;
/// With more curves than this no letters stand at their ends.
const MOST_LETTERS: usize = 12;
/// With more curves than this only those that stand out show their keys: the others would be a thicket.
const MOST_WITH_MARKS: usize = 24;
/// More marks than this are not drawn, but the selected ones: the curves alone fill the plot.
const MOST_MARKS: usize = 20_000;
/// More selected keys than this are drawn small, as many as can be told apart.
const MOST_SELECTED_MARKS: usize = 1_500;
/// Selected keys nearer to the last drawn one than this are left out where keys are crowded, points.
const CROWD_PT: f32 = 1.5;

/// What is painted.
pub(super) struct Scene<'a> {
    pub(super) canvas: &'a PlotCanvas,
    /// In points of the window.
    pub(super) view: PlotView,
    pub(super) curves: &'a [GraphCurve],
    /// What races on them.
    pub(super) rivals: &'a [RaceLine],
    /// What they are compared with.
    pub(super) compared: &'a [GraphCurve],
    pub(super) active: Option<ChannelPath>,
    pub(super) hover: GraphHit,
    pub(super) marquee: Option<Marquee>,
    /// Within the canvas.
    pub(super) pointer: ScreenPos,
    pub(super) over: bool,
    pub(super) normalised: bool,
    /// Whether keys bear badges of their continuity.
    pub(super) badges: bool,
    /// Which shape number is dragged, so that its family shows.
    pub(super) family: Option<usize>,
    /// The channels whose curves are switched off.
    pub(super) muted: &'a BTreeSet<ChannelPath>,
    /// The grabbed key's time and displayed value, how far it has moved, and the way it is held to.
    pub(super) moving: Option<([f64; 2], [f64; 2], AxisLock)>,
    /// The unit of what moves.
    pub(super) unit: &'static str,
    /// A pixel's width, points.
    pub(super) feather: f32,
}

/// Paints the whole canvas.
pub(super) fn paint(ui: &Ui, ctx: &PanelContext<'_>, scene: &Scene<'_>, lines: &mut LineCache) {
    let settings = &ctx.document.settings;
    let (counting, unit) = ruler_unit(scene.curves, settings.length_unit);
    let font = egui::TextStyle::Small.resolve(ui.style());
    let ground = Ground {
        canvas: scene.canvas,
        view: &scene.view,
        rate: settings.rate,
        play_range: settings.play_range,
        counting: if scene.normalised { crate::interact::ticks::Counting::Decimal } else { counting },
        unit: if scene.normalised { "±1" } else { &unit },
        colours: ctx.colours,
        font: &font,
    };
    let painter = ui.painter().with_clip_rect(scene.canvas.rect.intersect(ui.clip_rect()));
    ground.paint(&painter);
    let plot = painter.with_clip_rect(scene.canvas.plot.intersect(painter.clip_rect()));
    let feather = scene.feather;
    let mut mesh = Mesh::default();
    if scene.moving.is_some() {
        support(&plot, ctx, scene);
    }
    compared(&plot, ctx, scene, &mut lines.compared);
    if let Some(place) = scene.family {
        super::family::paint(&plot, ctx, scene, place);
    }
    lines.paint(&plot, ctx, scene);
    rivals(&plot, scene);
    handles(&mut mesh, ctx, scene, feather);
    keys(&mut mesh, ctx, scene, feather);
    plot.add(Shape::mesh(mesh));
    super::retimes::paint(&plot, ctx, scene, &font);
    letters(&plot, ctx, scene, &font);
    if scene.badges {
        super::badges::badges(&plot, ctx, scene);
    }
    bar(&plot, ctx, scene);
    if let Some(marquee) = scene.marquee {
        let origin = scene.canvas.rect.min;
        let at = |pos: ScreenPos| origin + vec2(pos[0] as f32, pos[1] as f32);
        let rect = Rect::from_two_pos(at(marquee.from), at(marquee.to));
        plot.rect_filled(rect, 0.0, ctx.colours.accent.gamma_multiply(0.12));
        plot.rect_stroke(rect, 0.0, Stroke::new(1.0, ctx.colours.accent), egui::StrokeKind::Inside);
    }
    ground.paint_rulers(&painter, ctx.view.secs);
    strips(&painter, ctx, scene, (&ground, &unit), &mut lines.strips);
    let on_ruler = scene.over && scene.canvas.local_rect(scene.canvas.ruler).contains(scene.pointer);
    ground.paint_playhead(&painter, ctx.view.secs, on_ruler);
    if let Some((grabbed, shift, lock)) = scene.moving {
        guides(&plot, ctx, scene, grabbed, shift, lock);
    }
    super::readout::readout(&plot, ui, ctx, scene);
}

/// Shades the time in which the curves change with the keys that are dragged: a few keys around under local schemes, all of
/// it under global ones.
fn support(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
    let mut shaded: Option<(f64, f64)> = None;
    for curve in scene.curves.iter().filter(|curve| curve.editable && curve.has_values) {
        let (Points::Keyed(keyed), Some(first), Some(last)) =
            (&curve.points, curve.selected.first(), curve.selected.last())
        else {
            continue;
        };
        for (from, to) in [first, last].into_iter().filter_map(|index| local_support(keyed, *index)) {
            let (from, to) = (curve.clock.shown(from), curve.clock.shown(to));
            let (low, high) = shaded.unwrap_or((from, to));
            shaded = Some((low.min(from), high.max(to)));
        }
    }
    let Some((from, to)) = shaded else { return };
    let x = |secs: f64| scene.view.x(secs).clamp(-1e5, 1e5) as f32;
    let plot = scene.canvas.plot;
    let band = Rect::from_min_max(pos2(x(from), plot.top()), pos2(x(to), plot.bottom()));
    painter.rect_filled(band, 0.0, ctx.colours.accent.gamma_multiply(0.08));
}

/// Where the grabbed key was, and the line it is held to.
fn guides(
    painter: &Painter,
    ctx: &PanelContext<'_>,
    scene: &Scene<'_>,
    grabbed: [f64; 2],
    shift: [f64; 2],
    lock: AxisLock,
) {
    let from = to_pos([scene.view.x(grabbed[0]), scene.view.y(grabbed[1])]);
    let to = to_pos([scene.view.x(grabbed[0] + shift[0]), scene.view.y(grabbed[1] + shift[1])]);
    let stroke = Stroke::new(1.0, ctx.colours.weak);
    painter.extend(Shape::dashed_line(&[from, to], stroke, 3.0, 3.0));
    painter.circle_stroke(from, KEY_PT, stroke);
    let plot = scene.canvas.plot;
    let level = match lock {
        AxisLock::Free => return,
        AxisLock::Time => true,
        AxisLock::Value => false,
        AxisLock::Dominant => shift[1] == 0.0,
    };
    let line = if level {
        [pos2(plot.left(), from.y), pos2(plot.right(), from.y)]
    } else {
        [pos2(from.x, plot.top()), pos2(from.x, plot.bottom())]
    };
    painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, ctx.colours.accent.gamma_multiply(0.6)), 4.0, 4.0));
}

/// The curves compared with, broad and pale behind the others.
fn compared(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>, layer: &mut CurveLayer) {
    let lines = scene.compared.iter().map(|curve| {
        let style = compared_style(ctx, scene, curve);
        CurveLine { line: &curve.line, map: curve.map, style, stands_out: false }
    });
    layer.draw(painter.ctx(), &scene.view, &lines.collect::<Vec<_>>());
    layer.paint(painter);
}

fn compared_style(ctx: &PanelContext<'_>, scene: &Scene<'_>, curve: &GraphCurve) -> LineStyle {
    let colour = lane_colour(ctx, curve.path.component, curve.lane).lerp_to_gamma(ctx.colours.text, 0.35);
    let colour = colour.gamma_multiply(0.4);
    let keys = curve.span().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    LineStyle { colour, beyond: colour.gamma_multiply(0.5), keys, width: COMPARED_PT, feather: scene.feather }
}

fn rival_style(rival: &RaceLine, feather: f32) -> LineStyle {
    let colour = rival_colour(rival.index);
    LineStyle { colour, beyond: colour.gamma_multiply(0.4), keys: rival.keys, width: LINE_PT + 0.3, feather }
}

/// What races, each line with its number: of several curves on the first.
fn rivals(painter: &Painter, scene: &Scene<'_>) {
    let mut mesh = Mesh::default();
    for rival in scene.rivals {
        add_curve(&mut mesh, &rival.line, rival.map, &scene.view, &rival_style(rival, scene.feather));
    }
    painter.add(Shape::mesh(mesh));
    let Some(first) = scene.rivals.first() else { return };
    let count = scene.rivals.iter().filter(|rival| rival.path == first.path).count();
    let range = scene.view.range.secs;
    let (from, to) = (first.keys.0.max(range.low()), first.keys.1.min(range.high()));
    for rival in scene.rivals.iter().filter(|rival| rival.path == first.path) {
        // Each at another place along the way, so that those of one course do not cover each other.
        let secs = (to - from).mul_add((rival.index as f64 + 0.5) / count.max(1) as f64, from);
        let after = rival.line.partition_point(|point| point[0] < secs);
        let Some([at, own]) = rival.line.get(after).copied().filter(|_| to > from) else { continue };
        let place = [scene.view.x(at), scene.view.y(rival.map.shown(own))];
        if near_plot(scene, place) {
            badge(painter, to_pos(place), rival.index);
        }
    }
}

/// Velocity and acceleration below the plot, each fitted to what is seen of it.
fn strips(
    painter: &Painter,
    ctx: &PanelContext<'_>,
    scene: &Scene<'_>,
    (ground, unit): (&Ground<'_>, &str),
    layers: &mut [CurveLayer; 2],
) {
    let titles = ["graph.velocity_of", "graph.acceleration_of"];
    for (which, (rect, title)) in scene.canvas.strips.iter().zip(titles).enumerate() {
        let Some(rect) = *rect else { continue };
        let lines = scene.curves.iter().filter_map(|curve| Some((curve, curve.motion.as_ref()?.get(which)?)));
        let lines: Vec<(&GraphCurve, &Vec<[f64; 2]>)> = lines.collect();
        let mut bounds = Bounds::EMPTY;
        let secs = scene.view.range.secs;
        for (curve, line) in &lines {
            for [at, value] in line.iter().filter(|point| secs.contains(point[0])) {
                bounds.add(*at, value * curve.unit.scale);
            }
        }
        let behind = scene.compared.iter().filter_map(|curve| Some((curve, curve.motion.as_ref()?.get(which)?)));
        for (curve, line) in behind.clone() {
            for [at, value] in line.iter().filter(|point| secs.contains(point[0]) && point[1].is_finite()) {
                bounds.add(*at, value * curve.unit.scale);
            }
        }
        let racing = scene.rivals.iter().filter_map(|rival| Some((rival, rival.motion.as_ref()?.get(which)?)));
        for (rival, line) in racing.clone() {
            for [at, value] in line.iter().filter(|point| secs.contains(point[0]) && point[1].is_finite()) {
                bounds.add(*at, value * rival.unit.scale);
            }
        }
        let fitted = PlotRange::fit(&bounds, (secs.low(), secs.high()), 0.12);
        let place = PlotRect::new(rect.left().into(), rect.top().into(), rect.width().into(), rect.height().into());
        let view = PlotView::new(PlotRange { secs, values: fitted.values }, place);
        ground.paint_strip(painter, rect, &view);
        let behind = behind.map(|(curve, line)| (line, curve.unit, compared_style(ctx, scene, curve), false));
        let own = lines.into_iter().map(|(curve, line)| {
            let (colour, active) = (curve_colour(ctx, scene, curve), Some(curve.path) == scene.active);
            let width = if active { ACTIVE_PT } else { LINE_PT };
            let keys = (f64::NEG_INFINITY, f64::INFINITY);
            (line, curve.unit, LineStyle { colour, beyond: colour, keys, width, feather: scene.feather }, active)
        });
        let racing = racing.map(|(rival, line)| (line, rival.unit, rival_style(rival, scene.feather), true));
        let drawn = behind.chain(own).chain(racing).map(|(line, unit, style, stands_out)| CurveLine {
            line,
            map: ValueMap::scale(unit.scale),
            style,
            stands_out,
        });
        let clipped = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
        layers[which].draw(painter.ctx(), &view, &drawn.collect::<Vec<_>>());
        layers[which].paint(&clipped);
        ground.strip_title(&clipped, rect, crate::text::fill(title, &[("unit", &unit)]));
    }
}

/// The active and the hovered curve last, so that they lie on top.
fn order(scene: &Scene<'_>) -> Vec<usize> {
    let rank = |index: &usize| {
        let curve = &scene.curves[*index];
        (scene.hover.curve() == Some(*index), Some(curve.path) == scene.active, !curve.selected.is_empty())
    };
    let mut order: Vec<usize> = (0..scene.curves.len()).collect();
    order.sort_by_key(|index| {
        let (hovered, active, selected) = rank(index);
        (active, hovered, selected)
    });
    order
}

fn curve_colour(ctx: &PanelContext<'_>, scene: &Scene<'_>, curve: &GraphCurve) -> Color32 {
    let colour = lane_colour(ctx, curve.path.component, curve.lane);
    let colour = if scene.muted.contains(&curve.path) { colour.lerp_to_gamma(ctx.colours.weak, 0.75) } else { colour };
    if curve.editable { colour } else { colour.gamma_multiply(0.5) }
}

/// What a curve's line is drawn from: the same again gives the same mesh.
#[derive(Debug)]
struct LineKey {
    line: Arc<Vec<[f64; 2]>>,
    corrected: Option<Arc<Vec<[f64; 2]>>>,
    map: ValueMap,
    style: LineStyle,
    thin: Color32,
    stands_out: bool,
}

impl LineKey {
    /// The line, over the thin one of what corrections make of it.
    fn lines(&self) -> impl Iterator<Item = CurveLine<'_>> {
        let thin = LineStyle { colour: self.thin, beyond: self.thin, width: 1.0, ..self.style };
        let corrected = self.corrected.as_ref().map(|line| (line, thin));
        corrected.into_iter().chain([(&self.line, self.style)]).map(|(line, style)| CurveLine {
            line,
            map: self.map,
            style,
            stands_out: self.stands_out,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        let corrected = match (&self.corrected, &other.corrected) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        let same = Arc::ptr_eq(&self.line, &other.line) && corrected;
        same && (self.map, self.style, self.thin, self.stands_out)
            == (other.map, other.style, other.thin, other.stands_out)
    }
}

/// The curves' lines as they were drawn last: while nothing moves but the playhead they are drawn again as they are.
#[derive(Debug, Default)]
pub(super) struct LineCache {
    view: Option<PlotView>,
    keys: Vec<LineKey>,
    layer: CurveLayer,
    compared: CurveLayer,
    strips: [CurveLayer; 2],
}

impl LineCache {
    fn paint(&mut self, painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
        let keys: Vec<LineKey> = order(scene).into_iter().map(|index| line_key(ctx, scene, index)).collect();
        let same = self.keys.len() == keys.len() && self.keys.iter().zip(&keys).all(|(a, b)| a.is_same(b));
        if !same || self.view != Some(scene.view) {
            let lines: Vec<CurveLine<'_>> = keys.iter().flat_map(LineKey::lines).collect();
            self.layer.draw(painter.ctx(), &scene.view, &lines);
            self.view = Some(scene.view);
            self.keys = keys;
        }
        self.layer.paint(painter);
    }
}

fn line_key(ctx: &PanelContext<'_>, scene: &Scene<'_>, index: usize) -> LineKey {
    let curve = &scene.curves[index];
    let colour = curve_colour(ctx, scene, curve);
    let stands_out = Some(curve.path) == scene.active || scene.hover.curve() == Some(index);
    let style = LineStyle {
        colour,
        beyond: colour.gamma_multiply(0.4),
        keys: curve.span().unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
        width: if stands_out { ACTIVE_PT } else { LINE_PT },
        feather: scene.feather,
    };
    let (line, corrected) = (Arc::clone(&curve.line), curve.corrected.clone());
    // Lighter (in the light theme darker) than the curve, but still its colour.
    let thin = colour.lerp_to_gamma(ctx.colours.text, 0.5);
    LineKey { line, corrected, map: curve.map, style, thin, stands_out }
}

fn handles(mesh: &mut Mesh, ctx: &PanelContext<'_>, scene: &Scene<'_>, feather: f32) {
    for (index, curve) in scene.curves.iter().enumerate().filter(|(_, curve)| curve.editable) {
        for handle in curve.handles.iter() {
            let (Some(key), Some(end)) =
                (curve.place(&scene.view, handle.key), curve.handle_place(&scene.view, handle))
            else {
                continue;
            };
            if !near_plot(scene, key) && !near_plot(scene, end) {
                continue;
            }
            let hit = GraphHit::Handle { curve: index, key: handle.key, side: handle.side };
            let hovered = scene.hover == hit;
            let colour = if hovered { ctx.colours.accent } else { ctx.colours.weak };
            let (key, end) = (to_pos(key), to_pos(end));
            segment(mesh, key, end, colour, feather);
            let radius = if hovered { HOVERED_PT - 1.0 } else { HANDLE_PT };
            // Handles that are derived are hollow: nothing is stored there yet.
            let stored = curve.points.key(handle.key).map(|key| match handle.side {
                Side::In => key.handle_in,
                Side::Out => key.handle_out,
            });
            let derived = !matches!(stored, Some(crate::model::Handle::Aligned(..) | crate::model::Handle::Free(..)));
            let fill = if derived { ctx.colours.field } else { colour };
            add_ringed(mesh, end, MarkShape::Round, radius, colour, fill, feather);
        }
    }
}

/// A thin straight line.
fn segment(mesh: &mut Mesh, a: Pos2, b: Pos2, colour: Color32, feather: f32) {
    let along = b - a;
    let side = along.rot90() * (0.9 * feather / along.length().max(1e-6));
    let first = u32::try_from(mesh.vertices.len()).unwrap_or(0);
    for (at, colour) in [
        (a + side, Color32::TRANSPARENT),
        (a, colour),
        (a - side, Color32::TRANSPARENT),
        (b + side, Color32::TRANSPARENT),
        (b, colour),
        (b - side, Color32::TRANSPARENT),
    ] {
        mesh.colored_vertex(at, colour);
    }
    mesh.indices.extend([0, 1, 3, 1, 3, 4, 1, 2, 4, 2, 4, 5].map(|index| first + index));
}

fn keys(mesh: &mut Mesh, ctx: &PanelContext<'_>, scene: &Scene<'_>, feather: f32) {
    let range = scene.view.range.secs;
    let in_view = |curve: &GraphCurve| curve.between(range.low(), range.high());
    let shows = |curve: &GraphCurve| points_show(curve, &scene.view);
    let total: usize = scene.curves.iter().filter(|curve| shows(curve)).map(|curve| in_view(curve).len()).sum();
    let boxed = scene.marquee.map(|marquee| {
        let view = scene.canvas.local(scene.view.range);
        in_box(scene.curves, ClipId(0), &view, marquee.from, marquee.to)
    });
    for index in order(scene) {
        let curve = &scene.curves[index];
        let stands_out = Some(curve.path) == scene.active || scene.hover.curve() == Some(index);
        let wanted =
            scene.curves.len() <= MOST_WITH_MARKS || stands_out || !curve.selected.is_empty() || boxed.is_some();
        if wanted && total <= MOST_MARKS && shows(curve) {
            for key in in_view(curve).filter(|key| !curve.is_selected(*key)) {
                let chosen = boxed.as_ref().is_some_and(|boxed| {
                    let at = crate::edit::CurveRef { clip: ClipId(0), path: curve.path };
                    curve.points.get(key).is_some_and(|[secs, _]| boxed.contains(at, secs))
                });
                mark(mesh, ctx, scene, (index, key), chosen, feather);
            }
        }
        selected_marks(mesh, ctx, scene, index, feather);
    }
}

/// The selected keys of a curve; where they are crowded, as many as can be told apart.
fn selected_marks(mesh: &mut Mesh, ctx: &PanelContext<'_>, scene: &Scene<'_>, index: usize, feather: f32) {
    let curve = &scene.curves[index];
    let range = scene.view.range.secs;
    let window = curve.between(range.low(), range.high());
    let from = curve.selected.partition_point(|key| *key < window.start);
    let to = curve.selected.partition_point(|key| *key < window.end);
    let selected = curve.selected.get(from..to).unwrap_or_default();
    let all: usize = scene.curves.iter().map(|curve| curve.selected.len()).sum();
    let crowded = selected.len() as f64 * 4.0 > scene.view.rect.width || all > MOST_SELECTED_MARKS;
    if !crowded {
        for key in selected {
            mark(mesh, ctx, scene, (index, *key), false, feather);
        }
        return;
    }
    let mut last = Pos2::new(f32::NEG_INFINITY, 0.0);
    for key in selected {
        let Some(place) = curve.place(&scene.view, *key) else { continue };
        let at = to_pos(place);
        if (at - last).length() < CROWD_PT || !near_plot(scene, place) {
            continue;
        }
        last = at;
        add_mark(mesh, at, MarkShape::Square, 1.6, ctx.colours.accent, feather);
    }
}

fn mark(
    mesh: &mut Mesh,
    ctx: &PanelContext<'_>,
    scene: &Scene<'_>,
    (index, key): (usize, usize),
    chosen: bool,
    feather: f32,
) {
    let curve = &scene.curves[index];
    let Some(place) = curve.place(&scene.view, key).filter(|place| near_plot(scene, *place)) else { return };
    let at = to_pos(place);
    let selected = curve.is_selected(key);
    let hovered = chosen || scene.hover == GraphHit::Key { curve: index, key };
    let colour = curve_colour(ctx, scene, curve);
    let sample = matches!(curve.points, Points::Sampled(_));
    let shape = match curve.points.key(key) {
        Some(key) => MarkShape::of(&key),
        None if sample => MarkShape::Square,
        None => MarkShape::Round,
    };
    let colours = ctx.colours;
    match (selected, hovered) {
        (true, false) => add_ringed(mesh, at, shape, SELECTED_PT + 1.2, colours.field, colours.accent, feather),
        (true, true) => add_ringed(mesh, at, shape, HOVERED_PT + 1.2, colours.text, colours.accent, feather),
        (false, true) => add_ringed(mesh, at, shape, HOVERED_PT, colours.accent, colour, feather),
        (false, false) if sample => add_mark(mesh, at, shape, SAMPLE_PT, colour, feather),
        (false, false) => add_ringed(mesh, at, shape, KEY_PT, colour, colours.field, feather),
    }
}

fn near_plot(scene: &Scene<'_>, [x, y]: ScreenPos) -> bool {
    let rect = scene.view.rect;
    let reach = 12.0;
    (rect.left - reach..=rect.right() + reach).contains(&x) && (rect.top - reach..=rect.bottom() + reach).contains(&y)
}

pub(super) fn to_pos([x, y]: ScreenPos) -> Pos2 {
    pos2(x.clamp(-1e6, 1e6) as f32, y.clamp(-1e6, 1e6) as f32)
}

/// Letters where few curves leave the plot, so that colour is not all that tells them apart.
fn letters(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>, font: &egui::FontId) {
    if scene.curves.len() > MOST_LETTERS {
        return;
    }
    let plot = scene.canvas.plot;
    let mut taken: Vec<Pos2> = Vec::new();
    for curve in scene.curves {
        let place = |column: u8| {
            let x = plot.right() - 10.0 - 16.0 * f32::from(column);
            let secs = scene.view.secs_at(f64::from(x));
            let after = curve.line.partition_point(|point| point[0] < secs).min(curve.line.len().saturating_sub(1));
            let [_, own] = curve.line.get(after)?;
            let y = to_pos([0.0, scene.view.y(curve.map.shown(*own))]).y;
            Some(pos2(x, y.clamp(plot.top() + 8.0, plot.bottom() - 8.0)))
        };
        // Where letters would cover each other, the next column to the left.
        let free = |at: &Pos2| taken.iter().all(|other| (*other - *at).abs().max_elem() >= 14.0);
        let Some(at) = (0..8).filter_map(place).find(free) else { continue };
        taken.push(at);
        painter.circle_filled(at, 7.0, ctx.colours.field);
        let letter = letter(curve.path.component, curve.lane);
        painter.text(at, Align2::CENTER_CENTER, letter, font.clone(), curve_colour(ctx, scene, curve));
    }
}

/// The bar over the selected keys, whose ends scale them in time.
fn bar(painter: &Painter, ctx: &PanelContext<'_>, scene: &Scene<'_>) {
    let Some((first, last)) = selected_span(scene.curves) else { return };
    let x = |secs: f64| scene.view.x(secs).clamp(-1e5, 1e5) as f32;
    let (left, right, top) = (x(first), x(last), scene.canvas.plot.top());
    let bar = Rect::from_min_max(pos2(left, top + 2.0), pos2(right, top + 5.0));
    painter.rect_filled(bar, 1.5, ctx.colours.accent.gamma_multiply(0.5));
    for (end, x) in [(BarEnd::First, left), (BarEnd::Last, right)] {
        let hovered = scene.hover == GraphHit::Bar(end);
        let colour = if hovered { ctx.colours.text } else { ctx.colours.accent };
        let grip = Rect::from_center_size(pos2(x, top + BAR_PT as f32 / 2.0), vec2(4.0, BAR_PT as f32));
        painter.rect_filled(grip, 2.0, colour);
    }
}
