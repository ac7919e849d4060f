//! What a frame of the graph costs: the panel's layout, its shapes, and their tessellation.
//!
//! `cargo bench --bench graph`. 1,586 x 953 points; medians and 99th percentiles over the frames of a gesture.
#![allow(clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use inbetween::{
    command::CommandId,
    edit::Selection,
    math::Vec3,
    model::{
        ChannelPath, Clip, Component, Curve, Document, FrameRange, FrameRate, Interpolation, Joint, JointId, Key,
        KeyedCurve, Object, ObjectId, Property, Rig, ScalarCurve, Skeleton, Target,
    },
    ui::panels::graph::GraphPanel,
};
use std::{sync::Arc, time::Instant};

#[path = "../it/support/desk.rs"]
mod desk;
use desk::{Desk, button, moved};

const SIZE: egui::Vec2 = vec2(1_586.0, 953.0);

fn wave(curve: u32, key: u32) -> f64 {
    let (c, x) = (f64::from(curve), f64::from(key));
    (x * 0.05 + c).sin() + 0.3 * (x * 0.31 + 2.0 * c).sin() + 0.1 * c
}

/// A rig of `joints` joints, each with three rotation curves of `keys` keys a frame apart.
fn document(joints: u32, keys: u32, interpolation: Interpolation) -> (Document, ObjectId) {
    let mut document = Document::default();
    let rig = (0..joints).map(|id| Joint::new(JointId(id), &format!("joint{id}"), None, Vec3::zeros()));
    let skeleton = Arc::new(Skeleton::new(rig.collect()).expect("a skeleton"));
    let object = document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let mut clip = Clip::new("clip", FrameRange::new(0, i64::from(keys)));
    for joint in 0..joints {
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let number = joint * 3 + axis as u32;
            let key = |i: u32| Key { interpolation, ..Key::new(FrameRate::FPS_24.secs(i64::from(i)), wave(number, i)) };
            let curve = KeyedCurve { keys: (0..keys).map(key).collect(), ..KeyedCurve::default() };
            let path = ChannelPath::joint(object, JointId(joint), Property::Rotation, component);
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        }
    }
    let clip = document.add_clip(clip);
    let settings = Arc::make_mut(&mut document.settings);
    settings.clip = Some(clip);
    settings.play_range = FrameRange::new(0, i64::from(keys));
    (document, object)
}

struct Bench {
    ctx: egui::Context,
    desk: Desk<GraphPanel>,
    time: f64,
}

struct Cost {
    /// Time this thread ran, milliseconds: what others on the machine take is not counted.
    cpu: f64,
    layout: f64,
    tessellation: f64,
    vertices: usize,
}

impl Bench {
    fn new(document: Document, select: Option<Target>) -> Self {
        let mut desk = Desk::new(document, GraphPanel::default());
        if let Some(target) = select {
            desk.session.select(Selection::single(target));
        }
        let ctx = egui::Context::default();
        inbetween::ui::theme::install(&ctx, desk.view.theme);
        let mut bench = Self { ctx, desk, time: 0.0 };
        for _ in 0..4 {
            bench.frame(vec![moved(pos2(900.0, 500.0))]);
        }
        bench
    }

    fn frame(&mut self, events: Vec<Event>) -> Cost {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let (start, before) = (Instant::now(), cpu_ms());
        let output = self.ctx.run_ui(input, |ui| self.desk.ui(ui));
        let laid_out = start.elapsed();
        let primitives = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let all = start.elapsed();
        let vertices = primitives.iter().map(|primitive| match &primitive.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            egui::epaint::Primitive::Callback(_) => 0,
        });
        let ms = |duration: std::time::Duration| duration.as_secs_f64() * 1e3;
        Cost {
            cpu: cpu_ms() - before,
            layout: ms(laid_out),
            tessellation: ms(all - laid_out),
            vertices: vertices.sum(),
        }
    }

    fn run(&mut self, command: CommandId) {
        self.desk.wanted.push(command);
        self.frame(Vec::new());
        self.frame(Vec::new());
    }

    /// A drag with a button held, its frames' costs.
    fn drag(&mut self, from: Pos2, with: PointerButton, frames: usize) -> Vec<Cost> {
        self.frame(vec![moved(from)]);
        self.frame(vec![button(from, with, true, Modifiers::NONE)]);
        self.frame(vec![moved(from + vec2(6.0, 0.0))]);
        let costs = (0..frames).map(|i| {
            let angle = i as f32 * 0.1;
            self.frame(vec![moved(from + vec2(40.0 * angle.cos(), 30.0 * angle.sin()))])
        });
        let costs = costs.collect();
        self.frame(vec![button(from, with, false, Modifiers::NONE)]);
        costs
    }
}

/// The time this thread has run, milliseconds; 0 where the system does not say.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse::<f64>().ok()).map_or(0.0, |nanos| nanos * 1e-6)
}

fn report(what: &str, costs: &[Cost], limit: f64) {
    let sorted = |pick: &dyn Fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(pick).collect();
        values.sort_by(f64::total_cmp);
        (values[values.len() / 2], values[values.len() * 99 / 100])
    };
    let (layout, tessellation) = (sorted(&|cost| cost.layout), sorted(&|cost| cost.tessellation));
    let (all, worst) = sorted(&|cost| cost.layout + cost.tessellation);
    let vertices = costs.iter().map(|cost| cost.vertices).max().unwrap_or(0);
    let cpu = costs.iter().map(|cost| cost.cpu).sum::<f64>() / costs.len() as f64;
    println!(
        "{what:<58} {cpu:6.2} ms of processor a frame, {all:6.2} ms by the clock (p99 {worst:.2}; layout {:.2}, \
         tessellation {:.2}; {vertices} vertices); limit {limit} ms, ratio {:.2}",
        layout.0,
        tessellation.0,
        cpu / limit
    );
}

fn main() {
    let middle = pos2(900.0, 500.0);
    for keys in [10_000, 100_000, 1_000_000] {
        for interpolation in [Interpolation::Linear, Interpolation::Bezier] {
            let (document, object) = document(1, keys, interpolation);
            let mut bench = Bench::new(document, Some(Target::Joint(object, JointId(0))));
            let still: Vec<Cost> = (0..100).map(|_| bench.frame(vec![])).collect();
            report(&format!("3 curves of {keys} {interpolation:?} keys in view, still"), &still, 16.7);
            let panned = bench.drag(middle, PointerButton::Middle, 100);
            report(&format!("3 curves of {keys} {interpolation:?} keys in view, panned"), &panned, 16.7);
        }
    }
    for interpolation in [Interpolation::Linear, Interpolation::Bezier] {
        let (document, _) = document(60, 1_007, interpolation);
        let mut bench = Bench::new(document, None);
        let still: Vec<Cost> = (0..100).map(|_| bench.frame(vec![])).collect();
        report(&format!("180 curves x 1,007 {interpolation:?} keys, framed, still"), &still, 16.7);
        let panned = bench.drag(middle, PointerButton::Middle, 100);
        report(&format!("180 curves x 1,007 {interpolation:?} keys, panned"), &panned, 16.7);
        bench.run(CommandId::FrameAll);
    }
    for (joints, keys) in [(1, 3_334), (10, 334)] {
        let (document, object) = document(joints, keys, Interpolation::Bezier);
        let mut bench = Bench::new(document, (joints == 1).then_some(Target::Joint(object, JointId(0))));
        bench.run(CommandId::SelectAll);
        let count = bench.desk.session.selection().keys.len();
        bench.run(CommandId::GrabMove);
        let costs: Vec<Cost> = (0..100)
            .map(|i| {
                let angle = i as f32 * 0.1;
                bench.frame(vec![moved(middle + vec2(40.0 * angle.cos(), 30.0 * angle.sin()))])
            })
            .collect();
        assert!(bench.desk.session.in_gesture(), "keys must be moving");
        assert!(bench.desk.errors.is_empty(), "{:?}", bench.desk.errors.first());
        report(&format!("{count} selected keys of {} curves moved", joints * 3), &costs, 8.0);
    }
}
