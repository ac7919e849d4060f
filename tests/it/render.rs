//! Pixels: what the renderer draws, on a real driver without a display.

use crate::support::gl::open_or_skip;
use inbetween::math::{Affine, Vec3};
use inbetween::render::{
    Camera, Dot, Face, Ground, Instance, Layer, Light, Mesh, Picture, RenderScene, Renderer, Shadow, Stroke,
};
use inbetween::style::{Palette, Rgba};
use std::sync::Arc;

/// Looks along -Z from five metres in front of the origin.
fn scene() -> RenderScene {
    RenderScene {
        background: Palette::DARK.viewport,
        camera: Camera {
            view_from_world: Affine { translation: Vec3::new(0.0, 0.0, -5.0), ..Affine::IDENTITY },
            clip_from_view: *nalgebra::Perspective3::new(1.0, 0.6, 0.1, 100.0).as_matrix(),
        },
        light: Light::default(),
        ground: None,
        plates: Vec::new(),
        ghosts: Vec::new(),
        instances: Vec::new(),
        surfaces: Vec::new(),
        marks: Layer::default(),
        overlay: Layer::default(),
    }
}

/// A square one metre wide that faces +Z.
fn square() -> Arc<Mesh> {
    Arc::new(Mesh {
        positions: vec![[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
    })
}

fn at(picture: &Picture, x: u32, y: u32) -> Rgba {
    Rgba(picture.pixels[(y * picture.width + x) as usize])
}

/// A light that shows colours as they are given.
const FULL: Light = Light { toward_in_view: Vec3::new(0.0, 0.0, 1.0), key: 1.0, sky: 0.0, floor: 0.0 };

#[test]
fn render_shows_colours_as_given_and_culls_backs() {
    let Some(headless) = open_or_skip("render_shows_colours_as_given_and_culls_backs") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let color = Rgba::hex(0x8f_b4dc);
    let mut one = scene();
    one.light = FULL;
    one.instances.push(Instance { mesh: square(), world_from_mesh: Affine::IDENTITY, color });
    let picture = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    assert_eq!(at(&picture, 32, 32), color);
    assert_eq!(at(&picture, 1, 1), Palette::DARK.viewport);
    // Turned round, its back is not drawn.
    let turned = Affine::IDENTITY;
    one.instances[0].world_from_mesh =
        Affine { linear: nalgebra::Matrix3::from_diagonal(&Vec3::new(-1.0, 1.0, -1.0)), ..turned };
    let picture = renderer.picture(&Arc::new(one), [64, 64], 1.0).unwrap();
    assert_eq!(at(&picture, 32, 32), Palette::DARK.viewport);
    renderer.destroy();
}

#[test]
fn render_puts_the_nearer_in_front_and_marks_on_top() {
    let Some(headless) = open_or_skip("render_puts_the_nearer_in_front_and_marks_on_top") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let (near, far) = (Rgba::hex(0xff_0000), Rgba::hex(0x00_ff00));
    let mut one = scene();
    one.light = FULL;
    let back = Affine { translation: Vec3::new(0.0, 0.0, -1.0), ..Affine::IDENTITY };
    one.instances.push(Instance { mesh: square(), world_from_mesh: Affine::IDENTITY, color: near });
    one.instances.push(Instance { mesh: square(), world_from_mesh: back, color: far });
    // A trail behind the square is hidden; a handle behind it shows.
    let (from, to) = (Vec3::new(-2.0, 0.3, -0.5), Vec3::new(2.0, 0.3, -0.5));
    one.marks.strokes.push(Stroke::plain(from, to, 4.0, Rgba::hex(0x00_00ff)));
    let handle = Rgba::hex(0xff_ff00);
    one.overlay.dots.push(Dot {
        at: Vec3::new(0.0, -0.3, -0.5),
        radius_pt: 4.0,
        color: handle,
        edge_pt: 1.0,
        edge: Rgba::hex(0),
    });
    one.overlay.faces.push(Face {
        corners: [Vec3::new(0.1, 0.1, -0.5), Vec3::new(0.4, 0.1, -0.5), Vec3::new(0.1, 0.4, -0.5)],
        color: Rgba::hex(0xff_ffff).with_alpha(128),
    });
    let picture = renderer.picture(&Arc::new(one), [100, 100], 1.0).unwrap();
    assert_eq!(at(&picture, 50, 50), near);
    let pixels_per_metre = 50.0 / (0.3_f64.tan() * 5.5);
    let row = |y: f64| (50.0 - y * pixels_per_metre) as u32;
    assert_eq!(at(&picture, 50, row(0.3)), near);
    assert_eq!(at(&picture, 5, row(0.3)), Rgba::hex(0x00_00ff));
    assert_eq!(at(&picture, 50, row(-0.3)), handle);
    let veiled = at(&picture, 50 + (0.2 * pixels_per_metre) as u32, row(0.2));
    assert_eq!(veiled, Rgba([255, 128, 128, 255]));
}

#[test]
fn render_darkens_the_ground_below_and_lets_ghosts_show_once() {
    let Some(headless) = open_or_skip("render_darkens_the_ground_below_and_lets_ghosts_show_once") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let mut one = scene();
    // From straight above: Y down the view.
    one.camera.view_from_world = Affine {
        linear: nalgebra::Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0),
        translation: Vec3::new(0.0, 0.0, -5.0),
    };
    let shadow = Shadow { from: Vec3::new(-0.3, 0.05, 0.0), to: Vec3::new(0.3, 0.05, 0.0), radius: 0.1 };
    one.ground = Some(Ground {
        height: 0.0,
        grid: Rgba::hex(0x80_8080).with_alpha(0),
        axes: [Rgba::hex(0xff_0000).with_alpha(0); 3],
        shadow_color: Rgba::hex(0),
        shadow_reach: 1.0,
        shadows: vec![shadow, shadow],
        focus: Vec3::zeros(),
    });
    let picture = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    let (middle, corner) = (at(&picture, 32, 32), at(&picture, 2, 2));
    assert_eq!(corner, Palette::DARK.viewport);
    assert!(middle.0[0] < 12, "{middle:?}");
    // Two shadows of one thing are no darker than one.
    if let Some(ground) = &mut one.ground {
        ground.shadows.pop();
    }
    let single = renderer.picture(&Arc::new(one), [64, 64], 1.0).unwrap();
    assert_eq!(single, picture);

    let mut ghost = scene();
    ghost.light = FULL;
    let color = Rgba::hex(0xff_ffff).with_alpha(128);
    let back = Affine { translation: Vec3::new(0.0, 0.0, -0.5), ..Affine::IDENTITY };
    ghost.instances.push(Instance { mesh: square(), world_from_mesh: Affine::IDENTITY, color });
    ghost.instances.push(Instance { mesh: square(), world_from_mesh: back, color });
    let picture = renderer.picture(&Arc::new(ghost), [64, 64], 1.0).unwrap();
    let expected = Palette::DARK.viewport.mix(Rgba::hex(0xff_ffff), 128.0 / 255.0);
    let found = at(&picture, 32, 32);
    assert!((0..3).all(|c| found.0[c].abs_diff(expected.0[c]) <= 1), "{found:?} {expected:?}");
}

#[test]
fn render_refuses_impossible_sizes() {
    let Some(headless) = open_or_skip("render_refuses_impossible_sizes") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let one = Arc::new(scene());
    for size in [[0, 10], [10, 0], [10_000_000, 10]] {
        let error = renderer.picture(&one, size, 1.0).unwrap_err();
        assert!(error.to_string().contains("not possible"), "{error}");
    }
    assert_eq!(renderer.picture(&one, [3, 2], 1.0).unwrap().pixels.len(), 6);
}
