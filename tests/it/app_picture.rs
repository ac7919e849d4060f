//! The whole program as it is drawn, the 3D view included, without a display.

use crate::support::gl::open_or_skip;
use crate::support::glow_renderer::GlowRenderer;
use egui_kittest::Harness;
use inbetween::app::files::{DialogAnswer, DialogRequest, FileDialogs};
use inbetween::app::services::{Clock, JobRunner, Services, Storage};
use inbetween::app::{App, GlPainter};
use inbetween::render::Picture;
use inbetween::style::Palette;
use std::cell::Cell;
use std::rc::Rc;

struct NoDialogs;

impl FileDialogs for NoDialogs {
    fn ask(&mut self, _request: DialogRequest, _wake: Box<dyn Fn() + Send>) {}

    fn answer(&mut self) -> Option<(DialogRequest, DialogAnswer)> {
        None
    }

    fn is_open(&self) -> bool {
        false
    }
}

struct NoStorage;

impl Storage for NoStorage {
    fn load(&self, _name: &str) -> Option<String> {
        None
    }

    fn save(&mut self, _name: &str, _text: &str) -> Result<(), String> {
        Ok(())
    }
}

struct HandClock(Rc<Cell<f64>>);

impl Clock for HandClock {
    fn now(&self) -> f64 {
        self.0.get()
    }
}

/// The program just started, at 1280 x 800 points, with its clock in hand.
fn started(test: &str, pixels_per_point: f32) -> Option<(Harness<'static, App>, GlowRenderer, Rc<Cell<f64>>)> {
    let window = GlowRenderer::new(open_or_skip(test)?);
    let clock = Rc::new(Cell::new(0.0));
    let services = Services {
        dialogs: Box::new(NoDialogs),
        clock: Box::new(HandClock(Rc::clone(&clock))),
        storage: Box::new(NoStorage),
        jobs: JobRunner::AtOnce,
        recovery: None,
        system_fonts: false,
    };
    let builder = Harness::builder().with_size([1280.0, 800.0]).with_pixels_per_point(pixels_per_point);
    let harness =
        builder.renderer(window.clone()).build_eframe(|cc| App::new(services, GlPainter::boxed(cc.gl.clone()), None));
    Some((harness, window, clock))
}

/// How many pixels have about the hue of a part of the body: shaded, so as a share of its brightest channel.
fn pixels_like(picture: &Picture, color: [u8; 4]) -> usize {
    let hue = |[r, g, b, _]: [u8; 4]| {
        let most = f64::from(r.max(g).max(b)).max(1.0);
        [r, g, b].map(|channel| f64::from(channel) / most)
    };
    let wanted = hue(color);
    let is_like = |pixel: &&[u8; 4]| {
        pixel[..3].iter().any(|channel| *channel > 70)
            && hue(**pixel).iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.03)
    };
    picture.pixels.iter().filter(is_like).count()
}

#[test]
fn app_shows_a_body_that_moves_when_it_starts() {
    for scale in [1.0, 2.0] {
        let Some((mut harness, window, clock)) = started("app_shows_a_body_that_moves_when_it_starts", scale) else {
            return;
        };
        harness.step();
        let first = window.picture(&harness);
        let palette = Palette::DARK;
        let area = (scale * scale) as usize;
        for (name, color) in [("left", palette.part_left), ("right", palette.part_right)] {
            let count = pixels_like(&first, color.0);
            assert!(count > 400 * area, "{name}: {count} pixels at {scale}");
        }
        let background = first.pixels.iter().filter(|pixel| **pixel == palette.viewport.0).count();
        assert!(background > 100_000 * area, "{background}");
        // A third of a second later the body stands otherwise.
        clock.set(0.33);
        harness.step();
        harness.step();
        let second = window.picture(&harness);
        let changed = first.pixels.iter().zip(&second.pixels).filter(|(a, b)| a != b).count();
        assert!(changed > 2000 * area, "{changed} pixels changed");
        if let Ok(folder) = std::env::var("INBETWEEN_PICTURES") {
            save(&second, &std::path::Path::new(&folder).join(format!("app_{scale}.png")));
        }
    }
}

#[test]
fn app_shows_a_picture_of_each_kept_pose() {
    use egui_kittest::kittest::Queryable as _;
    let Some((mut harness, window, _)) = started("app_shows_a_picture_of_each_kept_pose", 1.0) else { return };
    harness.step();
    harness.key_press(egui::Key::K);
    harness.key_press(egui::Key::F3);
    harness.run_steps(3);
    harness.event(egui::Event::Text("Add pose".to_owned()));
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    // Asked for, drawn with the window, taken in.
    for _ in 0..4 {
        harness.run_steps(2);
        drop(window.picture(&harness));
    }
    let card = harness.get_by_label("Apply Pose 1").rect();
    let shown = window.picture(&harness);
    let inside = |x: u32, y: u32| card.contains(egui::pos2(x as f32, y as f32));
    let width = shown.width;
    let pixels = shown.pixels.iter().zip(0_u32..).filter(|(_, at)| inside(at % width, at / width));
    let cut = Picture { width: 1, height: 1, pixels: pixels.map(|(pixel, _)| *pixel).collect() };
    for color in [Palette::DARK.part_left, Palette::DARK.part_right] {
        let count = pixels_like(&cut, color.0);
        assert!(count > 60, "{count} pixels of {color:?} in {card:?}");
    }
}

/// Writes a picture for the eye.
fn save(picture: &Picture, path: &std::path::Path) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(&picture.pixels.concat()).unwrap();
}
