use super::super::graph_curve::{
    HandlePoint,
    tests::{CLIP, curve, path, selection, view},
};
use super::*;
use crate::{
    edit::Edit,
    interact::plot_view::ValueMap,
    model::{KeyedCurve, Samples, Value},
};
use std::sync::Arc;

/// A bench: curves, what is selected, and the machine.
struct Bench {
    curves: Vec<GraphCurve>,
    selection: Selection,
    tool: GraphTool,
    snap: SnapOptions,
    profile: Profile,
    active: Option<ChannelPath>,
}

impl Bench {
    /// Keys at (100, 180), (300, 100), (400, 160) and, of another curve, (100, 300), (200, 200).
    fn new() -> Self {
        let curves =
            vec![curve(1, &[(1.0, 1.0), (3.0, 5.0), (4.0, 2.0)], &[]), curve(2, &[(1.0, -5.0), (2.0, 0.0)], &[])];
        Self::of(curves)
    }

    fn of(curves: Vec<GraphCurve>) -> Self {
        let snap = SnapOptions { frames: false, values: false };
        let (selection, tool) = (selection(&curves), GraphTool::default());
        Self { curves, selection, tool, snap, profile: Profile::BlenderLike, active: None }
    }

    fn with_ctx<R>(&mut self, run: impl FnOnce(&mut GraphTool, &GraphContext<'_>) -> R) -> R {
        let ctx = GraphContext {
            clip: CLIP,
            view: view(),
            ruler: PlotRect::new(0.0, -24.0, 1_000.0, 24.0),
            values: PlotRect::new(-50.0, 0.0, 50.0, 400.0),
            curves: &self.curves,
            selection: &self.selection,
            active: self.active,
            rate: FrameRate::FPS_24,
            snap: self.snap,
            value_step: 0.5,
            profile: self.profile,
        };
        run(&mut self.tool, &ctx)
    }

    fn send(&mut self, event: &Event) -> Vec<GraphStep> {
        let steps = self.with_ctx(|tool, ctx| tool.handle(event, ctx));
        for step in &steps {
            match step {
                GraphStep::Keys(keys) => self.selection.keys = keys.clone(),
                GraphStep::Active(path) => self.active = Some(*path),
                _ => {}
            }
        }
        for curve in &mut self.curves {
            curve.selected =
                curve.points.indices_at(self.selection.keys.times(CurveRef { clip: CLIP, path: curve.path }));
        }
        steps
    }

    fn pointer(&mut self, kind: PointerKind, pos: ScreenPos, modifiers: Modifiers) -> Vec<GraphStep> {
        self.send(&Event::pointer(kind, pos, modifiers))
    }

    fn press(&mut self, pos: ScreenPos, modifiers: Modifiers) -> Vec<GraphStep> {
        self.pointer(PointerKind::Press(Button::Primary), pos, modifiers)
    }

    fn release(&mut self, pos: ScreenPos) -> Vec<GraphStep> {
        self.pointer(PointerKind::Release(Button::Primary), pos, Modifiers::NONE)
    }

    fn click(&mut self, pos: ScreenPos, modifiers: Modifiers) -> Vec<GraphStep> {
        let mut steps = self.press(pos, modifiers);
        steps.extend(self.release(pos));
        steps
    }

    /// A drag in some moves, without the release.
    fn pull(&mut self, from: ScreenPos, to: ScreenPos, modifiers: Modifiers) -> Vec<GraphStep> {
        let mut steps = self.press(from, modifiers);
        for part in [0.01, 0.3, 0.7, 1.0] {
            let at = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
            steps.extend(self.pointer(PointerKind::Move, at, modifiers));
        }
        steps
    }

    fn keys(&self) -> Vec<(u32, f64)> {
        self.selection.keys.iter().map(|(curve, time)| (curve.path.target.joint().unwrap().0, time)).collect()
    }
}

fn gestures(steps: &[GraphStep]) -> Vec<&Gesture> {
    steps.iter().filter_map(|step| if let GraphStep::Gesture(gesture) = step { Some(gesture) } else { None }).collect()
}

/// Where keys go by the last update.
fn placed(steps: &[GraphStep]) -> Vec<(f64, f64, f64)> {
    let Some(Gesture::Update(Edit::Batch(edits))) =
        gestures(steps).into_iter().rfind(|gesture| matches!(gesture, Gesture::Update(_)))
    else {
        return Vec::new();
    };
    let keys = edits.iter().filter_map(|edit| match edit {
        Edit::Key(KeyEdit::Place { keys, .. }) => Some(keys.clone()),
        _ => None,
    });
    keys.flatten().collect()
}

const A: ScreenPos = [100.0, 180.0];
const B: ScreenPos = [300.0, 100.0];

#[test]
fn clicks_select_and_change_no_key() {
    let mut bench = Bench::new();
    let mut steps = bench.click(A, Modifiers::NONE);
    assert_eq!(bench.keys(), [(1, 1.0)]);
    assert_eq!(bench.active, Some(path(1)));
    steps.extend(bench.click(B, Modifiers::SHIFT));
    assert_eq!(bench.keys(), [(1, 1.0), (1, 3.0)]);
    steps.extend(bench.click(A, Modifiers::SHIFT));
    assert_eq!(bench.keys(), [(1, 3.0)]);
    steps.extend(bench.click(B, Modifiers::CTRL));
    assert_eq!(bench.keys(), []);
    bench.selection.keys = super::super::graph_select::wholesale(
        &bench.curves,
        CLIP,
        &KeySelection::new(),
        super::super::graph_select::Wholesale::All,
    );
    steps.extend(bench.click([302.0, 101.0], Modifiers::NONE));
    assert_eq!(bench.keys(), [(1, 3.0)]);
    steps.extend(bench.click([700.0, 350.0], Modifiers::SHIFT));
    assert_eq!(bench.keys(), [(1, 3.0)]);
    steps.extend(bench.click([700.0, 350.0], Modifiers::NONE));
    assert_eq!(bench.keys(), []);
    assert!(gestures(&steps).is_empty());
}

/// Case B17: a click without movement snaps nothing, even a key off the grid.
#[test]
fn b17_a_click_on_a_key_between_frames_moves_nothing() {
    let mut bench = Bench::of(vec![curve(1, &[(0.1, 0.0), (0.14, 0.0), (0.23, 0.0)], &[0, 1, 2])]);
    bench.snap.frames = true;
    let steps = bench.click([15.0, 201.0], Modifiers::NONE);
    assert!(gestures(&steps).is_empty());
    let mut bench = Bench::of(vec![curve(1, &[(0.1, 0.0), (0.14, 0.0), (0.23, 0.0)], &[0, 1, 2])]);
    bench.snap.frames = true;
    let moved = placed(&bench.pull([10.0, 200.0], [14.2, 200.0], Modifiers::SHIFT));
    assert_eq!(moved.len(), 3);
    assert_eq!(moved[0].1, FrameRate::FPS_24.secs(3));
    assert!((moved[1].1 - moved[0].1 - 0.04).abs() < 1e-9 && (moved[2].1 - moved[1].1 - 0.09).abs() < 1e-9);
}

#[test]
fn a_drag_is_one_gesture_with_the_total_pull() {
    let mut bench = Bench::new();
    let steps = bench.pull(B, [350.0, 60.0], Modifiers::NONE);
    assert!(matches!(gestures(&steps)[0], Gesture::Begin { label: "history.move_keys" }));
    let moved = placed(&steps);
    assert!((moved[0].1 - 3.5).abs() < 1e-12 && (moved[0].2 - 7.0).abs() < 1e-12);
    assert!(bench.tool.is_busy() && bench.tool.is_editing());
    let end = bench.release([350.0, 60.0]);
    assert_eq!(gestures(&end), [&Gesture::Commit]);
    assert!(!bench.tool.is_busy());
    assert_eq!(bench.keys(), [(1, 3.0)], "an unselected key is selected by grabbing it");
}

#[test]
fn escape_and_the_right_button_call_a_drag_off() {
    let mut bench = Bench::new();
    bench.pull(B, [350.0, 60.0], Modifiers::NONE);
    assert_eq!(bench.send(&Event::key(Key::Escape)), [GraphStep::Gesture(Gesture::Cancel)]);
    assert!(bench.release([350.0, 60.0]).is_empty());
    bench.pull(B, [350.0, 60.0], Modifiers::NONE);
    let steps = bench.pointer(PointerKind::Press(Button::Secondary), [350.0, 60.0], Modifiers::NONE);
    assert_eq!(steps, [GraphStep::Gesture(Gesture::Cancel)]);
}

#[test]
fn shift_locks_an_axis_and_modifiers_act_at_once() {
    let mut bench = Bench::new();
    bench.click(B, Modifiers::NONE);
    bench.pull(B, [360.0, 90.0], Modifiers::NONE);
    let moved = placed(&bench.send(&Event::Modifiers(Modifiers::SHIFT)));
    assert!((moved[0].1 - 3.6).abs() < 1e-12 && moved[0].2 == 5.0);
    let (grabbed, shift, lock) = bench.tool.moving().unwrap();
    assert!(grabbed == [3.0, 5.0] && (shift[0] - 0.6).abs() < 1e-12 && lock == AxisLock::Dominant);
    let moved = placed(&bench.send(&Event::Modifiers(Modifiers::CTRL)));
    assert_eq!(moved[0].1, FrameRate::FPS_24.secs(86), "Ctrl turns snapping on where it is off");
    let moved = placed(&bench.send(&Event::key(Key::Y)));
    assert_eq!(moved[0].1, 3.0);
}

#[test]
fn keys_grabbed_follow_the_pointer_until_a_click() {
    let mut bench = Bench::new();
    bench.click(B, Modifiers::NONE);
    let steps = bench.with_ctx(|tool, ctx| tool.grab([500.0, 300.0], false, ctx));
    assert_eq!(gestures(&steps), [&Gesture::Begin { label: "history.move_keys" }]);
    assert!(bench.tool.is_modal());
    let moved = placed(&bench.pointer(PointerKind::Move, [600.0, 280.0], Modifiers::NONE));
    assert!((moved[0].1 - 4.0).abs() < 1e-12 && (moved[0].2 - 6.0).abs() < 1e-12);
    let end = bench.press([600.0, 280.0], Modifiers::NONE);
    assert_eq!(gestures(&end), [&Gesture::Commit]);
    assert!(bench.release([600.0, 280.0]).is_empty());
    bench.selection.keys.clear();
    bench.send(&Event::Modifiers(Modifiers::NONE));
    assert!(bench.with_ctx(|tool, ctx| tool.grab([500.0, 300.0], false, ctx)).is_empty() && !bench.tool.is_modal());
}

#[test]
fn copies_follow_the_pointer_and_are_selected_in_the_end() {
    let mut bench = Bench::new();
    bench.click(B, Modifiers::NONE);
    bench.with_ctx(|tool, ctx| tool.grab(B, true, ctx));
    let steps = bench.pointer(PointerKind::Move, [400.0, 100.0], Modifiers::NONE);
    let Some(Gesture::Update(Edit::Batch(edits))) = gestures(&steps).last().copied() else { panic!("{steps:?}") };
    assert!(matches!(&edits[..], [Edit::Key(KeyEdit::Insert { keys, .. })] if keys[0].time == 4.0));
    let end = bench.press([400.0, 100.0], Modifiers::NONE);
    assert_eq!(gestures(&end), [&Gesture::Commit]);
    assert_eq!(bench.keys(), [(1, 4.0)]);
}

#[test]
fn the_bars_end_scales_times_about_the_other() {
    let mut bench = Bench::new();
    bench.curves[0].selected = Arc::new([0, 1]);
    bench.selection = selection(&bench.curves);
    let steps = bench.pull([300.0, 4.0], [400.0, 50.0], Modifiers::NONE);
    assert!(matches!(gestures(&steps)[0], Gesture::Begin { label: "history.scale_keys" }));
    let Some(Gesture::Update(Edit::Key(KeyEdit::Scale { time, frames, .. }))) = gestures(&steps).last().copied() else {
        panic!("{steps:?}")
    };
    assert!(time.0 == 1.0 && (time.1 - 1.5).abs() < 1e-12 && !frames);
    assert_eq!(gestures(&bench.release([400.0, 50.0])), [&Gesture::Commit]);
    bench.snap.frames = true;
    let steps = bench.pull([300.0, 4.0], [400.0, 50.0], Modifiers::NONE);
    let last = gestures(&steps).last().copied();
    assert!(matches!(last, Some(Gesture::Update(Edit::Key(KeyEdit::Scale { frames: true, .. })))), "{steps:?}");
}

#[test]
fn a_box_selects_and_the_paper_is_not_dragged() {
    let mut bench = Bench::new();
    bench.pull([50.0, 150.0], [320.0, 320.0], Modifiers::NONE);
    assert!(bench.tool.marquee().is_some());
    bench.release([320.0, 320.0]);
    assert_eq!(bench.keys(), [(1, 1.0), (2, 1.0), (2, 2.0)]);
    bench.pull([50.0, 150.0], [150.0, 200.0], Modifiers::CTRL);
    bench.release([150.0, 200.0]);
    assert_eq!(bench.keys(), [(2, 1.0), (2, 2.0)]);
    bench.pull([290.0, 90.0], [310.0, 110.0], Modifiers::SHIFT);
    bench.release([310.0, 110.0]);
    assert_eq!(bench.keys(), [(1, 3.0), (2, 1.0), (2, 2.0)]);
}

#[test]
fn a_handle_is_dragged_as_one_gesture() {
    let mut shaped = curve(1, &[(1.0, 1.0), (3.0, 5.0), (5.0, 5.0)], &[1]);
    shaped.handles = Arc::new([HandlePoint { key: 1, side: Side::Out, offset: (2.0 / 3.0, 0.0) }]);
    let mut bench = Bench::of(vec![shaped]);
    let end = [300.0 + 200.0 / 3.0, 100.0];
    let steps = bench.pull(end, [end[0] - 10.0, 80.0], Modifiers::NONE);
    assert!(matches!(gestures(&steps)[0], Gesture::Begin { label: "history.move_handle" }));
    let Some(Gesture::Update(Edit::Key(KeyEdit::Insert { keys, .. }))) = gestures(&steps).last().copied() else {
        panic!("{steps:?}")
    };
    assert!(matches!(
        (keys[0].handle_in, keys[0].handle_out),
        (model::Handle::Aligned(..), model::Handle::Aligned(..))
    ));
    assert_eq!(gestures(&bench.release([end[0] - 10.0, 80.0])), [&Gesture::Commit]);
}

#[test]
fn captured_curves_become_keys_by_their_first_edit_and_this_is_said() {
    let samples = Samples::new(0.0, FrameRate::FPS_24, (0..200).map(|i| f64::from(i) * 0.01).collect());
    let line = (0..200).map(|i| [f64::from(i) / 24.0, f64::from(i) * 0.01]).collect();
    let captured = GraphCurve { points: Points::Sampled(samples), line: Arc::new(line), ..curve(1, &[], &[]) };
    let mut bench = Bench::of(vec![captured]);
    let at = [100.0, 200.0 - 20.0 * 0.24];
    let steps = bench.pull(at, [140.0, 150.0], Modifiers::NONE);
    let Some(Gesture::Update(Edit::Batch(edits))) = gestures(&steps).last().copied() else { panic!("{steps:?}") };
    assert!(matches!(&edits[..], [Edit::Curve(crate::edit::CurveEdit::ConvertToKeys { .. }), Edit::Key(_)]));
    assert!(bench.release([140.0, 150.0]).contains(&GraphStep::Converted(1)));
}

#[test]
fn double_clicks_add_keys_on_curves_and_on_the_paper() {
    let mut bench = Bench::new();
    bench.curves[0].points = Points::Keyed(KeyedCurve {
        keys: [(1.0, 1.0), (3.0, 5.0)]
            .map(|(time, value)| model::Key {
                interpolation: model::Interpolation::Linear,
                ..model::Key::new(time, value)
            })
            .into_iter()
            .collect(),
        ..KeyedCurve::default()
    });
    bench.curves[0].line = Arc::new(vec![[1.0, 1.0], [3.0, 5.0]]);
    bench.snap.frames = true;
    let double = PointerKind::DoubleClick(Button::Primary);
    let steps = bench.pointer(double, [201.0, 145.0], Modifiers::NONE);
    let Gesture::Update(Edit::Key(KeyEdit::Set { curve, values })) = gestures(&steps)[1] else { panic!("{steps:?}") };
    assert_eq!(curve.path, path(1));
    assert_eq!(values[0].0, 2.0);
    let Value::Scalar(value) = values[0].1 else { panic!() };
    assert!((value - 3.0).abs() < 1e-12, "on the curve: {value}");
    bench.active = None;
    assert!(bench.pointer(double, [700.0, 350.0], Modifiers::NONE).is_empty(), "nothing says which channel");
    bench.active = Some(path(2));
    bench.curves[1].map = ValueMap::scale(10.0);
    let steps = bench.pointer(double, [700.0, 350.0], Modifiers::NONE);
    let Gesture::Update(Edit::Key(KeyEdit::Set { values, .. })) = gestures(&steps)[1] else { panic!("{steps:?}") };
    let Value::Scalar(value) = values[0].1 else { panic!() };
    assert!((value + 0.75).abs() < 1e-12, "in the channel's own unit: {value}");
    assert!(bench.pointer(double, A, Modifiers::NONE).is_empty(), "a key is there");
}

#[test]
fn the_window_follows_middle_button_wheel_and_fingers() {
    let mut bench = Bench::new();
    let view_after = |steps: Vec<GraphStep>| match steps.last() {
        Some(GraphStep::View(ViewChange::Graph(range))) => *range,
        other => panic!("{other:?}"),
    };
    bench.pointer(PointerKind::Press(Button::Middle), A, Modifiers::NONE);
    let range = view_after(bench.pointer(PointerKind::Move, [200.0, 160.0], Modifiers::NONE));
    assert!((range.secs.low() + 1.0).abs() < 1e-12 && (range.values.low() + 11.0).abs() < 1e-12);
    assert_eq!(view_after(bench.send(&Event::key(Key::Escape))), view().range);
    bench.pointer(PointerKind::Press(Button::Middle), A, Modifiers::CTRL);
    let range = view_after(bench.pointer(PointerKind::Move, [250.0, 180.0], Modifiers::CTRL));
    assert!(range.secs.length() < 4.0 && (range.values.length() - 20.0).abs() < 1e-9, "each axis by its own pull");
    bench.pointer(PointerKind::Release(Button::Middle), A, Modifiers::NONE);
    let wheel = PointerKind::Scroll { delta: [0.0, 40.0], smooth: false };
    let range = view_after(bench.pointer(wheel, A, Modifiers::NONE));
    assert!((range.secs.length() - 10.0 / 1.25).abs() < 1e-9 && (range.values.length() - 20.0 / 1.25).abs() < 1e-9);
    let range = view_after(bench.pointer(wheel, [100.0, -5.0], Modifiers::NONE));
    assert_eq!(range.values, view().range.values, "over the ruler: time alone");
    let range = view_after(bench.pointer(wheel, [-5.0, 200.0], Modifiers::NONE));
    assert_eq!(range.secs, view().range.secs, "over the values: values alone");
    let fingers = PointerKind::Scroll { delta: [100.0, 0.0], smooth: true };
    let range = view_after(bench.pointer(fingers, A, Modifiers::NONE));
    assert!((range.secs.low() + 1.0).abs() < 1e-12);
    bench.profile = Profile::NoMiddle;
    bench.press(B, Modifiers::ALT);
    assert!(bench.tool.is_moving_view());
}

#[test]
fn the_ruler_scrubs_by_frames() {
    let mut bench = Bench::new();
    bench.snap.frames = true;
    let time = |steps: &[GraphStep]| match steps.last() {
        Some(GraphStep::View(ViewChange::Time(secs))) => *secs,
        other => panic!("{other:?}"),
    };
    assert_eq!(time(&bench.press([101.0, -10.0], Modifiers::NONE)), 1.0);
    let steps = bench.pointer(PointerKind::Move, [152.0, 300.0], Modifiers::NONE);
    assert_eq!(time(&steps), FrameRate::FPS_24.secs(36));
    let steps = bench.pointer(PointerKind::Move, [151.0, 300.0], Modifiers::CTRL);
    assert!((time(&steps) - 1.51).abs() < 1e-12);
    bench.release([0.0, 0.0]);
    assert!(!bench.tool.is_busy());
}

#[test]
fn locked_curves_are_seen_but_not_touched() {
    let locked = GraphCurve { editable: false, ..curve(1, &[(1.0, 1.0), (3.0, 5.0)], &[]) };
    let mut bench = Bench::of(vec![locked]);
    let steps = bench.pull(A, [150.0, 150.0], Modifiers::NONE);
    assert!(gestures(&steps).is_empty());
    assert!(bench.keys().is_empty());
}
