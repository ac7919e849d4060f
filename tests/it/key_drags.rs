//! Drags in the graph through the machine, the gestures and the session: a hundred small moves are one big one to the bit,
//! whatever the curves, what is dragged, what snaps and how the panel is zoomed; keys that a retime shows elsewhere go where
//! they are dragged to.

use crate::support::arbitrary::Seeded;
use inbetween::{
    edit::{CurveRef, KeySelection, Selection, Session},
    interact::{
        input::{Button, Event, Modifiers, PointerKind, ScreenPos},
        plot_view::{PlotRange, PlotRect, PlotView, ValueMap},
        tools::{
            graph_cache::{GraphCache, Shown},
            graph_curve::{GraphCurve, Side},
            graph_tool::{GraphContext, GraphStep, GraphTool},
        },
        view_state::{Profile, SnapOptions},
    },
    io::ron,
    math::{Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, FrameRate, Handle, Interpolation, Key,
        KeyedCurve, KeyedRotation, Object, ObjectId, Phi, Property, Retime, RetimeId, RetimeScope, Rig, RotationCurve,
        RotationInterpolation, RotationKey, RotationMode, Samples, ScalarCurve, Scheme,
    },
};
use std::sync::Arc;

const RECT: PlotRect = PlotRect { left: 0.0, top: 0.0, width: 1_000.0, height: 400.0 };

/// Pixel columns: lines matter only for what is hit beside the keys.
const COLUMNS: u32 = 50;

/// The graph of one clip, without a window.
struct Graph {
    session: Session,
    clip: ClipId,
    cache: GraphCache,
    tool: GraphTool,
    view: PlotView,
    snap: SnapOptions,
    curves: Vec<GraphCurve>,
}

impl Graph {
    fn new(document: Document, range: PlotRange, snap: SnapOptions, keys: &KeySelection) -> Self {
        let clip = *document.clips.keys().next().unwrap();
        let mut session = Session::new(document);
        session.select(Selection { keys: keys.clone(), ..Selection::default() });
        let view = PlotView::new(range, RECT);
        let (cache, tool) = (GraphCache::default(), GraphTool::default());
        let mut graph = Self { session, clip, cache, tool, view, snap, curves: Vec::new() };
        graph.collect();
        graph
    }

    /// The curves as the panel sees them.
    fn collect(&mut self) {
        let document = Arc::clone(self.session.document());
        let clip = document.clip(self.clip).unwrap();
        let keys = &self.session.selection().keys;
        let shown = clip.channels.iter().map(|(path, curve)| Shown {
            path: *path,
            curve,
            clock: clip.clock(path.target),
            selected: keys.times(CurveRef { clip: self.clip, path: *path }),
            editable: true,
            map: if path.property == Property::Rotation { ValueMap::scale(57.3) } else { ValueMap::scale(100.0) },
        });
        self.curves = self.cache.curves(shown, &self.view.range, COLUMNS, false);
    }

    fn send(&mut self, kind: PointerKind, pos: ScreenPos, modifiers: Modifiers) {
        self.collect();
        let ctx = GraphContext {
            clip: self.clip,
            view: self.view,
            ruler: PlotRect::new(0.0, -24.0, 1_000.0, 24.0),
            values: PlotRect::new(-50.0, 0.0, 50.0, 400.0),
            curves: &self.curves,
            selection: self.session.selection(),
            active: None,
            rate: self.session.document().settings.rate,
            snap: self.snap,
            value_step: 5.0,
            profile: Profile::BlenderLike,
        };
        let steps = self.tool.handle(&Event::pointer(kind, pos, modifiers), &ctx);
        for step in steps {
            match step {
                GraphStep::Gesture(gesture) => {
                    self.session.gesture(gesture).unwrap();
                }
                GraphStep::Keys(keys) => {
                    let selection = Selection { keys, ..self.session.selection().clone() };
                    self.session.select(selection);
                }
                GraphStep::View(_) | GraphStep::Active(_) | GraphStep::Converted(_) => {}
            }
        }
    }

    /// A press, moves through places, a release at the last.
    fn drag(&mut self, from: ScreenPos, through: &[ScreenPos], modifiers: Modifiers) {
        self.send(PointerKind::Move, from, modifiers);
        self.send(PointerKind::Press(Button::Primary), from, modifiers);
        for pos in through {
            self.send(PointerKind::Move, *pos, modifiers);
        }
        self.send(PointerKind::Release(Button::Primary), *through.last().unwrap(), modifiers);
    }

    fn places(&mut self) -> Vec<ScreenPos> {
        self.collect();
        let inside = |pos: &ScreenPos| RECT.contains(*pos) && pos[1] > 12.0;
        let keys = self.curves.iter().flat_map(|curve| curve.selected.iter().map(move |key| (curve, *key)));
        keys.filter_map(|(curve, key)| curve.place(&self.view, key)).filter(inside).collect()
    }

    fn keys(&self, path: ChannelPath) -> Vec<(f64, f64)> {
        let document = self.session.document();
        let curve = document.clip(self.clip).unwrap().channels[&path].scalar_keys().unwrap().clone();
        curve.keys.iter().map(|key| (key.time, key.value)).collect()
    }
}

fn retime() -> Arc<Retime> {
    let phi = Phi::new(vec![(0.5, 0.5), (1.5, 2.0), (3.0, 3.2), (4.5, 4.5)]).unwrap();
    let (name, scope) = ("slow".to_owned(), RetimeScope::Whole);
    Arc::new(Retime { id: RetimeId(0), name, muted: false, object: ObjectId(0), scope, phi })
}

fn key(random: &mut Seeded, time: f64) -> Key {
    let handle = |random: &mut Seeded, side: f64| match random.below(5) {
        0 => Handle::Auto,
        1 => Handle::AutoClamped,
        2 => Handle::Vector,
        3 => Handle::Aligned(side * random.part(), random.around(1.0)),
        _ => Handle::Free(side * random.part(), random.around(1.0)),
    };
    Key {
        interpolation: random.pick(&Interpolation::ALL).filter(|_| random.coin()).unwrap_or_default(),
        handle_in: handle(random, -1.0),
        handle_out: handle(random, 1.0),
        unweighted: random.coin(),
        tension: random.around(1.0),
        continuity: random.around(1.0),
        bias: random.around(1.0),
        slope_in: random.around(3.0),
        slope_out: random.around(3.0),
        ..Key::new(time, random.around(1.5))
    }
}

/// Three channels of a rig: scalar keys of any kind, a rotation track or captured values among them; some of the keys are
/// selected.
fn scene(random: &mut Seeded) -> (Document, KeySelection) {
    let mut document = Document::default();
    let rig = Object { rotation: RotationMode::Quaternion, ..Object::rig("rig", Rig::default()) };
    let object = document.add_object(rig);
    let mut clip = Clip::new("clip", FrameRange::new(0, 120));
    let mut keys = KeySelection::new();
    let id = ClipId(document.next_id);
    let mut select = |random: &mut Seeded, path, times: &[f64]| {
        let chosen = times.iter().copied().filter(|_| random.part() < 0.6).collect();
        keys.set_times(CurveRef { clip: id, path }, chosen);
    };
    for component in [Component::X, Component::Y] {
        let path = ChannelPath::object(object, Property::Translation, component);
        let mut times: Vec<f64> = (0..2 + random.below(12)).map(|_| random.part() * 5.0).collect();
        if random.coin() {
            times.iter_mut().for_each(|time| *time = FrameRate::FPS_24.snap(*time));
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-3);
        let scheme = random.pick(&Scheme::ALL).filter(|_| random.coin()).unwrap_or_default();
        let list = times.iter().map(|time| key(random, *time)).collect();
        let curve = KeyedCurve { keys: list, scheme, ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        select(random, path, &times);
    }
    if random.coin() {
        let path = ChannelPath::object(object, Property::Rotation, Component::Whole);
        let times = [0.25, 1.0, 2.5, 4.0];
        let turn = |time: &f64| {
            RotationKey::new(*time, from_axis_angle(&Vec3::y(), random.around(1.5)), RotationInterpolation::Squad)
        };
        let track = KeyedRotation { keys: times.iter().map(turn).collect() };
        clip.channels.insert(path, Arc::new(Curve::Rotation(RotationCurve::Keyed(track))));
        select(random, path, &times);
    } else {
        let path = ChannelPath::object(object, Property::Translation, Component::Z);
        let values: Vec<f64> = (0..60).map(|_| random.around(1.0)).collect();
        let samples = Samples::new(0.0, FrameRate::new(12, 1).unwrap(), values.into());
        let times: Vec<f64> = (0..60).map(|i| samples.rate.secs(i)).collect();
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        if random.below(4) == 0 {
            select(random, path, &times);
        }
    }
    if random.coin() {
        clip.retimes.push(Arc::new(Retime { object, ..Retime::clone(&retime()) }));
    }
    assert_eq!(document.add_clip(clip), id);
    Arc::make_mut(&mut document.settings).clip = Some(id);
    assert_eq!(document.problems(), []);
    (document, keys)
}

fn text(graph: &Graph) -> String {
    ron::save(graph.session.document()).unwrap()
}

#[test]
fn a_hundred_small_drags_are_one_big_one_to_the_bit() {
    let mut moved = [0; 3];
    for seed in 0..90 {
        let mut random = Seeded::new(seed);
        let (document, keys) = scene(&mut random);
        let range = PlotRange::new((-0.5, 5.5), (-200.0, 200.0));
        let snap = SnapOptions { frames: random.coin(), values: random.coin() };
        let modifiers = random.pick(&[Modifiers::NONE, Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL]).unwrap();
        let new = || Graph::new(document.clone(), range, snap, &keys);
        // A selected key, the end of a handle or an end of the bar over the selection.
        let mut graph = new();
        let handles: Vec<ScreenPos> = graph
            .curves
            .iter()
            .flat_map(|curve| curve.handles.iter().map(|handle| curve.handle_place(&graph.view, handle).unwrap()))
            .filter(|pos| RECT.contains(*pos))
            .collect();
        let what = random.below(3);
        let from = match what {
            0 => random.pick(&graph.places()),
            1 => random.pick(&handles),
            _ => inbetween::interact::tools::graph_scale::selected_span(&graph.curves)
                .map(|(first, last)| [graph.view.x(if random.coin() { first } else { last }), 4.0]),
        };
        let Some(from) = from else { continue };
        let to = [from[0] + random.around(300.0), from[1] + random.around(150.0)];
        // It leaves by one way and comes by another.
        let mut way: Vec<ScreenPos> =
            (0..99).map(|_| [from[0] + random.around(500.0), random.part() * 400.0]).collect();
        way.insert(0, [from[0] + 9.0, from[1] - 9.0]);
        way.push(to);
        let mut many = new();
        many.drag(from, &way, modifiers);
        graph.drag(from, &[to], modifiers);
        assert_eq!(text(&many), text(&graph), "seed {seed}");
        assert_eq!(many.session.document(), graph.session.document(), "seed {seed}");
        assert_eq!(many.session.selection(), graph.session.selection(), "seed {seed}");
        assert!(graph.session.document().problems().is_empty());
        if *graph.session.document() != Arc::new(document.clone()) {
            moved[what] += 1;
            assert!(graph.session.undo() && **graph.session.document() == document);
        }
    }
    assert!(moved.iter().all(|count| *count > 9), "{moved:?}");
}

#[test]
fn ten_thousand_keys_are_dragged_as_one_is() {
    let mut document = Document::default();
    let object = document.add_object(Object::rig("rig", Rig::default()));
    let mut clip = Clip::new("clip", FrameRange::new(0, 4_000));
    let id = ClipId(document.next_id);
    let mut selected = KeySelection::new();
    for component in Component::AXES {
        let path = ChannelPath::object(object, Property::Translation, component);
        let times: Vec<f64> = (0..4_000).map(|i| FrameRate::FPS_24.secs(i)).collect();
        let keys = times.iter().map(|time| Key::new(*time, (time * 0.7).sin())).collect();
        let curve = KeyedCurve { keys, ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        selected.set_times(CurveRef { clip: id, path }, times[200..3_600].to_vec());
    }
    assert!(selected.len() > 10_000 && document.add_clip(clip) == id);
    let range = PlotRange::new((0.0, 160.0), (-200.0, 200.0));
    let snap = SnapOptions { frames: true, values: false };
    let mut graph = Graph::new(document.clone(), range, snap, &selected);
    let from = graph.places()[1_234];
    let to = [from[0] + 130.0, from[1] + 31.0];
    let way: Vec<ScreenPos> =
        (1..=100).map(|i| [from[0] + 1.3 * f64::from(i), from[1] + 31.0 * (f64::from(i) * 0.9).cos()]).collect();
    let mut many = Graph::new(document, range, snap, &selected);
    many.drag(from, &[&way[..], &[to]].concat(), Modifiers::NONE);
    graph.drag(from, &[to], Modifiers::NONE);
    assert_eq!(many.session.document(), graph.session.document());
    assert_eq!(many.session.selection().keys.len(), selected.len());
    let path = ChannelPath::object(object, Property::Translation, Component::X);
    // On frames to the bit, in order, over those that stood there.
    let keys = graph.keys(path);
    assert!(keys.iter().all(|(time, _)| FrameRate::FPS_24.snap(*time) == *time));
    assert!(keys.windows(2).all(|pair| pair[0].0 < pair[1].0));
}

#[test]
fn a_retimed_key_stands_where_it_is_played_and_goes_where_it_is_dragged() {
    let mut document = Document::default();
    let object = document.add_object(Object::rig("rig", Rig::default()));
    let path = ChannelPath::object(object, Property::Translation, Component::X);
    let keys = [(1.0, 0.0), (2.0, 1.0), (4.0, 0.5)];
    let keys = keys.map(|(time, value)| Key { interpolation: Interpolation::Bezier, ..Key::new(time, value) });
    let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
    let mut clip = Clip::new("clip", FrameRange::new(0, 120));
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    clip.retimes.push(Arc::new(Retime { object, ..Retime::clone(&retime()) }));
    let clip = document.add_clip(clip);
    let at = CurveRef { clip, path };
    let range = PlotRange::new((0.0, 5.0), (-200.0, 200.0));
    let snap = SnapOptions { frames: true, values: false };
    let mut graph = Graph::new(document, range, snap, &KeySelection::of(at, &[2.0]));
    let clock = graph.session.document().clip(clip).unwrap().clock(path.target);
    // What is read at 2 s is shown at 1.5 s: there the key is, and its curve runs through it.
    assert_eq!(clock.shown(2.0), 1.5);
    let place = graph.places()[0];
    assert_eq!(place, [graph.view.x(1.5), graph.view.y(100.0)]);
    let near = graph.curves[0].line.iter().min_by(|a, b| (a[0] - 1.5).abs().total_cmp(&(b[0] - 1.5).abs())).unwrap();
    assert!((near[0] - 1.5).abs() < 0.11 && (near[1] - 1.0).abs() < 0.02, "{near:?}");
    // Twelve frames on, to the bit: what is shown there is read where the key is now.
    let frames = |count: i64| FrameRate::FPS_24.secs(count);
    graph.drag(place, &[[graph.view.x(2.01), place[1] - 40.0]], Modifiers::NONE);
    let (time, value) = graph.keys(path)[1];
    assert_eq!(time, clock.source(frames(48)));
    assert!((value - 1.4).abs() < 1e-9);
    assert!(graph.session.selection().keys.contains(at, time), "it stays selected");
    graph.session.undo();
    // A pull of nothing in time leaves it to the bit.
    let place = graph.places()[0];
    graph.drag(place, &[[place[0], place[1] - 40.0]], Modifiers::NONE);
    assert_eq!(graph.keys(path)[1].0, 2.0);
    graph.session.undo();
    // A handle's end stays under the pointer.
    graph.collect();
    let curve = &graph.curves[0];
    let handle = *curve.handles.iter().find(|handle| handle.side == Side::Out).unwrap();
    let from = curve.handle_place(&graph.view, &handle).unwrap();
    let to = [from[0] + 60.0, from[1] - 30.0];
    graph.drag(from, &[to], Modifiers::NONE);
    graph.collect();
    let curve = &graph.curves[0];
    let handle = *curve.handles.iter().find(|handle| handle.side == Side::Out).unwrap();
    let end = curve.handle_place(&graph.view, &handle).unwrap();
    assert!((end[0] - to[0]).abs() < 1e-6 && (end[1] - to[1]).abs() < 1e-6, "{end:?} {to:?}");
}
