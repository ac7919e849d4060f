//! Onion skins and plates: what is kept, and that they are really drawn where they belong.

use crate::support::gl::open_or_skip;
use inbetween::eval::Evaluator;
use inbetween::interact::camera::OrbitCamera;
use inbetween::interact::onion::{GhostLook, OnionSkin};
use inbetween::interact::view_state::ViewportOptions;
use inbetween::math::{Affine, Vec3};
use inbetween::model::ObjectId;
use inbetween::render::{Camera, Ghost, Instance, Layer, Light, Mesh, Picture, Plate, PlateAt, RenderScene, Renderer};
use inbetween::scene::{Figures, Ghosts, GhostsOf, Stage};
use inbetween::style::{Palette, Rgba};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Looks along -Z from five metres in front of the origin, under a light that shows colours as they are given.
fn empty() -> RenderScene {
    RenderScene {
        background: Rgba::hex(0x00_0000),
        camera: Camera {
            view_from_world: Affine { translation: Vec3::new(0.0, 0.0, -5.0), ..Affine::IDENTITY },
            clip_from_view: *nalgebra::Perspective3::new(1.0, 0.6, 0.1, 100.0).as_matrix(),
        },
        light: Light { toward_in_view: Vec3::z(), key: 1.0, sky: 0.0, floor: 0.0 },
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
fn square(z: f32) -> Arc<Mesh> {
    Arc::new(Mesh {
        positions: vec![[-0.5, -0.5, z], [0.5, -0.5, z], [0.5, 0.5, z], [-0.5, 0.5, z]],
        normals: vec![[0.0, 0.0, 1.0]; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
    })
}

fn at(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    picture.pixels[(y * picture.width + x) as usize]
}

#[test]
fn ghosts_lie_behind_the_present_and_the_first_on_top() {
    let Some(headless) = open_or_skip("ghosts_lie_behind_the_present_and_the_first_on_top") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let mut one = empty();
    let half = |rgb| Rgba::hex(rgb).with_alpha(128);
    // The second ghost is nearer to the eye, and still behind the first.
    one.ghosts.push(Ghost { mesh: square(-1.0), color: half(0xff_0000), flat: true });
    one.ghosts.push(Ghost { mesh: square(1.0), color: half(0x00_00ff), flat: true });
    let picture = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    assert_eq!(at(&picture, 32, 32), [128, 0, 0, 255]);
    assert_eq!(at(&picture, 32, 21), [0, 0, 128, 255], "beside the first, which is smaller on the screen");
    // The present hides both, though it lies behind both.
    let world_from_mesh = Affine { translation: Vec3::new(0.0, 0.0, -3.0), ..Affine::IDENTITY };
    one.instances.push(Instance { mesh: square(0.0), world_from_mesh, color: Rgba::hex(0x00_ff00) });
    let picture = renderer.picture(&Arc::new(one), [64, 64], 1.0).unwrap();
    assert_eq!(at(&picture, 32, 32), [0, 255, 0, 255]);
    renderer.destroy();
}

#[test]
fn plates_are_seen_behind_within_and_in_front() {
    let Some(headless) = open_or_skip("plates_are_seen_behind_within_and_in_front") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let two = Picture { width: 1, height: 2, pixels: vec![[255, 0, 0, 255], [0, 0, 255, 255]] };
    let picture = Arc::new(two);
    let screen = |front| PlateAt::Screen { centre: [0.0, 0.0], half: [1.0, 1.0], front };
    let plate = |at| Plate { picture: picture.clone(), at, opacity: 1.0 };
    let mut one = empty();
    one.instances.push(Instance { mesh: square(0.0), world_from_mesh: Affine::IDENTITY, color: Rgba::hex(0x00_ff00) });
    one.plates.push(plate(screen(false)));
    let behind = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    assert_eq!((at(&behind, 2, 2), at(&behind, 2, 61)), ([255, 0, 0, 255], [0, 0, 255, 255]), "the right way up");
    assert_eq!(at(&behind, 32, 32), [0, 255, 0, 255]);
    one.plates[0] = Plate { opacity: 0.5, ..plate(screen(true)) };
    let front = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    let [r, g, b, _] = at(&front, 32, 26);
    assert!((125..=130).contains(&(r + b)) && (125..=130).contains(&g) && r > b, "{r} {g} {b}");
    let corner = |x, y| Vec3::new(x, y, -0.5);
    let standing = [corner(-2.0, -2.0), corner(2.0, -2.0), corner(2.0, 2.0), corner(-2.0, 2.0)];
    one.plates[0] = plate(PlateAt::World(standing));
    let within = renderer.picture(&Arc::new(one.clone()), [64, 64], 1.0).unwrap();
    assert_eq!((at(&within, 32, 32), at(&within, 32, 4)), ([0, 255, 0, 255], [255, 0, 0, 255]));
    // One that is no picture is left out.
    one.plates[0].picture = Arc::new(Picture { width: 4, height: 4, pixels: Vec::new() });
    let none = renderer.picture(&Arc::new(one), [64, 64], 1.0).unwrap();
    assert_eq!(at(&none, 2, 2), [0, 0, 0, 255]);
    renderer.destroy();
}

#[test]
fn onion_skins_of_the_sample_are_drawn_and_kept() {
    let document = inbetween::samples::walker();
    let evaluator = Evaluator::new();
    let (mut figures, mut ghosts) = (Figures::default(), Ghosts::default());
    let rigs: Vec<ObjectId> = document.rigs().map(|(id, ..)| id).collect();
    let onion = OnionSkin { on: true, look: GhostLook::Silhouette, ..OnionSkin::default() };
    let mut of = |secs: f64, onion| {
        let of = GhostsOf { document: &document, evaluator: &evaluator, secs, onion, palette: &Palette::DARK };
        ghosts.of(&of, rigs.clone(), &mut figures)
    };
    let rate = document.settings.rate;
    let here = of(rate.secs(16), onion);
    assert_eq!(here.len(), 6);
    // Four frames on most of the ghosts are those of before: they are the very same meshes.
    let next = of(rate.secs(20), onion);
    let kept = next.iter().filter(|ghost| here.iter().any(|known| Arc::ptr_eq(&known.mesh, &ghost.mesh))).count();
    assert_eq!(kept, 4, "but the one of what was now, and the new one");
    assert!(of(rate.secs(20), OnionSkin { on: false, ..onion }).is_empty());
    let Some(headless) = open_or_skip("onion_skins_of_the_sample_are_drawn_and_kept") else { return };
    let mut renderer = Renderer::new(headless.gl()).unwrap();
    let (frame, nothing) = (evaluator.frame(&document, rate.secs(16)), BTreeSet::new());
    let camera = OrbitCamera { pivot: Vec3::new(0.0, 0.9, 0.0), distance: 6.0, ..OrbitCamera::default() };
    let stage = Stage {
        document: &document,
        frame: &frame,
        view: &camera.view([320.0, 240.0], 3.0),
        options: ViewportOptions { grid: false, bones: false, ..ViewportOptions::default() },
        isolated: None,
        selected: &nothing,
        hovered: None,
        gizmo: None,
        weighed: None,
        ghosts: &here,
        trails: &[],
        plates: &[],
        palette: &Palette::DARK,
    };
    let scene = Arc::new(stage.scene(&mut Figures::default()));
    let picture = renderer.picture(&scene, [320, 240], 1.0).unwrap();
    for color in here.iter().map(|ghost| ghost.color) {
        let seen = Palette::DARK.viewport.mix(color.with_alpha(255), f64::from(color.0[3]) / 255.0);
        let near = |pixel: &&[u8; 4]| pixel[..3].iter().zip(&seen.0).all(|(a, b)| a.abs_diff(*b) <= 2);
        assert!(picture.pixels.iter().filter(near).count() > 40, "{color:?}");
    }
    renderer.destroy();
}
