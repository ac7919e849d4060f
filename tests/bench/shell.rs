//! What a frame of the whole window costs before any raster: layout of every panel, tessellation apart. And how many frames
//! are drawn when nothing moves.
//!
//! `cargo bench --bench shell`. The standard workspace at 1,280 x 800 points on the sample; medians and 99th percentiles.

use egui::{Event, Pos2, RawInput, Rect, pos2, vec2};
use inbetween::app::{App, NoPainter};
use std::time::{Duration, Instant};

#[path = "../it/support/fakes.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod fakes;
use fakes::Outside;

const FRAMES: usize = 500;
const LIMIT_MS: f64 = 1.0;

struct Window {
    ctx: egui::Context,
    app: App,
    outside: Outside,
    time: f64,
}

impl Window {
    fn new() -> Self {
        let outside = Outside::default();
        let app = App::new(outside.services(), Box::new(NoPainter), None);
        let mut window = Self { ctx: egui::Context::default(), app, outside, time: 0.0 };
        for _ in 0..8 {
            window.frame(Vec::new());
        }
        window
    }

    /// Layout and tessellation, and whether another frame is wanted at once.
    fn frame(&mut self, events: Vec<Event>) -> (Duration, Duration, bool) {
        self.time += 1.0 / 60.0;
        self.outside.now.set(self.time);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1_280.0, 800.0))),
            time: Some(self.time),
            events,
            ..RawInput::default()
        };
        let start = Instant::now();
        let mut output = self.ctx.run_ui(input, |ui| {
            self.app.logic(ui.ctx());
            self.app.show(ui);
        });
        let laid_out = start.elapsed();
        output.textures_delta.clear();
        let again = output.viewport_output.values().any(|viewport| viewport.repaint_delay.is_zero());
        std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        (laid_out, start.elapsed() - laid_out, again)
    }

    fn key(&mut self, key: egui::Key) {
        for pressed in [true, false] {
            let modifiers = egui::Modifiers::NONE;
            self.frame(vec![Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }]);
        }
    }

    fn measure(&mut self, what: &str, mut events: impl FnMut(usize) -> Vec<Event>) {
        let costs: Vec<_> = (0..FRAMES).map(|index| self.frame(events(index))).collect();
        let sorted = |of: fn(&(Duration, Duration, bool)) -> Duration| {
            let mut ms: Vec<f64> = costs.iter().map(|cost| of(cost).as_secs_f64() * 1e3).collect();
            ms.sort_by(f64::total_cmp);
            (ms[FRAMES / 2], ms[FRAMES * 99 / 100])
        };
        let (layout, tessellation) = (sorted(|cost| cost.0), sorted(|cost| cost.1));
        println!(
            "{what:<28} layout {:6.3} ms (p99 {:6.3}), tessellation {:6.3} ms; limit {LIMIT_MS} ms, ratio {:.2}",
            layout.0,
            layout.1,
            tessellation.0,
            layout.0 / LIMIT_MS
        );
    }
}

fn main() {
    let mut window = Window::new();
    window.measure("playing", |_| Vec::new());
    window.key(egui::Key::K);
    window.measure("standing", |_| Vec::new());
    window.measure("pointer over the 3D view", |index| {
        vec![Event::PointerMoved(pos2(300.0 + (index % 300) as f32, 250.0))]
    });
    window.measure("pointer over the outliner", |index| {
        vec![Event::PointerMoved(pos2(1_150.0, 100.0 + (index % 150) as f32))]
    });
    let drawn = (0..200).filter(|_| window.frame(Vec::new()).2).count();
    println!("frames wanted when nothing moves: {drawn} of 200 (the pointer having stood for a while)");
}
