//! The renderer inside egui's own painting, as the window does it: what it may touch and what it must leave alone.

use crate::support::gl::open_or_skip;
use crate::support::glow_renderer::GlowRenderer;
use egui::{Color32, Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use inbetween::math::Affine;
use inbetween::render::{Camera, Layer, Light, PaintTarget, Painted, Picture, PixelRect, RenderScene, Renderer};
use inbetween::style::Rgba;
use std::sync::{Arc, Mutex};

const SCENE: Rgba = Rgba::hex(0x20_80c0);
const BEFORE: Color32 = Color32::from_rgb(200, 30, 30);
const AFTER: Color32 = Color32::from_rgb(240, 240, 20);

/// A scene that is all background.
fn scene() -> Arc<RenderScene> {
    Arc::new(RenderScene {
        background: SCENE,
        camera: Camera { view_from_world: Affine::IDENTITY, clip_from_view: inbetween::math::Mat4::identity() },
        light: Light::default(),
        ground: None,
        plates: Vec::new(),
        ghosts: Vec::new(),
        instances: Vec::new(),
        surfaces: Vec::new(),
        marks: Layer::default(),
        overlay: Layer::default(),
    })
}

/// A window that is all `BEFORE`, with the scene in `panel` cut to `clip`, and over it a rectangle `AFTER`.
struct Page {
    panel: Rect,
    clip: Rect,
    over: Rect,
}

fn harness(test: &str, page: Page, pixels_per_point: f32) -> Option<(Harness<'static, Page>, GlowRenderer)> {
    let window = GlowRenderer::new(open_or_skip(test)?);
    let shared = Arc::new(Mutex::new(Renderer::new(window.gl()).expect("a renderer")));
    let scene = scene();
    let draw = move |ui: &mut egui::Ui, page: &mut Page| {
        let painter = ui.painter().with_clip_rect(Rect::EVERYTHING);
        painter.rect_filled(Rect::from_min_size(Pos2::ZERO, vec2(4000.0, 4000.0)), 0.0, BEFORE);
        let (shared, scene) = (Arc::clone(&shared), Arc::clone(&scene));
        let callback = egui_glow::CallbackFn::new(move |info, _| {
            let rect = |r: egui::epaint::ViewportInPixels| PixelRect {
                left: r.left_px,
                bottom: r.from_bottom_px,
                width: r.width_px,
                height: r.height_px,
            };
            let place = PaintTarget {
                viewport: rect(info.viewport_in_pixels()),
                clip: rect(info.clip_rect_in_pixels()),
                pixels_per_point: info.pixels_per_point,
            };
            shared.lock().expect("no panic before").paint(&scene, &place).expect("a picture");
        });
        let callback = egui::PaintCallback { rect: page.panel, callback: Arc::new(callback) };
        painter.with_clip_rect(page.clip).add(callback);
        painter.rect_filled(page.over, 0.0, AFTER);
    };
    let builder = Harness::builder().with_size(vec2(300.0, 200.0)).with_pixels_per_point(pixels_per_point);
    Some((builder.renderer(window.clone()).build_ui_state(draw, page), window))
}

fn color_at(picture: &Picture, at: Pos2, scale: f32) -> [u8; 4] {
    let [x, y] = [at.x, at.y].map(|side| (side * scale) as usize);
    picture.pixels[y * picture.width as usize + x]
}

#[test]
fn render_stays_in_its_clip_and_egui_goes_on_after_it() {
    for scale in [1.0, 1.25, 2.0] {
        let page = Page {
            panel: Rect::from_min_size(pos2(40.0, 20.0), vec2(200.0, 150.0)),
            clip: Rect::from_min_max(pos2(60.0, 0.0), pos2(180.0, 100.0)),
            over: Rect::from_min_size(pos2(100.0, 50.0), vec2(20.0, 20.0)),
        };
        let test = "render_stays_in_its_clip_and_egui_goes_on_after_it";
        let Some((harness, window)) = harness(test, page, scale) else { return };
        let picture = window.picture(&harness);
        let at = |x: f32, y: f32| color_at(&picture, pos2(x, y), scale);
        let before = BEFORE.to_array();
        for (x, y) in [(61.5, 21.5), (178.5, 21.5), (61.5, 98.5), (178.5, 98.5), (90.0, 60.0)] {
            assert_eq!(at(x, y), SCENE.0, "inside {x} {y} at {scale}");
        }
        // In the panel but outside the clip, and outside the panel.
        for (x, y) in [(50.0, 60.0), (200.0, 60.0), (100.0, 120.0), (100.0, 10.0), (280.0, 190.0), (58.5, 60.0)] {
            assert_eq!(at(x, y), before, "outside {x} {y} at {scale}");
        }
        assert_eq!(at(110.0, 60.0), AFTER.to_array(), "egui after the callback at {scale}");
    }
}

#[test]
fn render_follows_the_panels_size_and_bears_an_empty_one() {
    let page = Page {
        panel: Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 100.0)),
        clip: Rect::EVERYTHING,
        over: Rect::from_min_size(pos2(290.0, 190.0), vec2(10.0, 10.0)),
    };
    let test = "render_follows_the_panels_size_and_bears_an_empty_one";
    let Some((mut harness, window)) = harness(test, page, 1.0) else { return };
    for (width, height) in [(100.0, 100.0), (250.0, 40.0), (0.0, 50.0), (0.3, 0.3), (500.0, 500.0)] {
        harness.state_mut().panel = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
        harness.step();
        let picture = window.picture(&harness);
        let inside = |x: f32, y: f32| x + 1.0 < width && y + 1.0 < height;
        for (x, y) in [(50.0, 20.0), (50.0, 80.0), (200.0, 20.0), (200.0, 150.0)] {
            let expected = if inside(x, y) { SCENE.0 } else { BEFORE.to_array() };
            assert_eq!(color_at(&picture, pos2(x, y), 1.0), expected, "{x} {y} in {width} x {height}");
        }
        assert_eq!(color_at(&picture, pos2(295.0, 195.0), 1.0), AFTER.to_array());
    }
}

#[test]
fn render_smooths_edges_on_the_processor_once_all_rests() {
    let test = "render_smooths_edges_on_the_processor_once_all_rests";
    let Some(headless) = open_or_skip(test) else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let all = PixelRect { left: 0, bottom: 0, width: 8, height: 8 };
    let place = PaintTarget { viewport: all, clip: all, pixels_per_point: 1.0 };
    let (one, other) = (scene(), scene());
    let soon = if renderer.is_software() { Painted::Rough } else { Painted::Done };
    assert_eq!(renderer.paint(&one, &place).unwrap(), soon);
    assert_eq!(renderer.paint(&other, &place).unwrap(), soon);
    std::thread::sleep(Renderer::SETTLE);
    assert_eq!(renderer.paint(&other, &place).unwrap(), Painted::Done);
    assert_eq!(renderer.paint(&other, &place).unwrap(), Painted::Done);
    assert_eq!(renderer.paint(&one, &place).unwrap(), soon);
}

/// The window's context is the one the renderer takes: eframe, three-d and glow agree on its type.
#[test]
fn render_takes_the_windows_context() {
    let make: fn(&eframe::CreationContext<'_>) -> Option<Renderer> =
        |cc| cc.gl.clone().and_then(|gl| Renderer::new(gl).ok());
    let cc = eframe::CreationContext::_new_kittest(egui::Context::default());
    assert!(make(&cc).is_none());
}
