//! The 3D view on software OpenGL: the start document playing at 1586 x 926, a new pose in every frame.
//!
//! `cargo bench --bench render`. Prints what each part of a frame costs: evaluating, describing the picture, drawing and
//! copying it to where the window would be; medians, and the processor time of all threads, which a busy machine does
//! not stretch. To reach: 33 ms a frame (30 a second); Blender reaches 3 to 5 a second.

#![allow(clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use inbetween::edit::skins::bound;
use inbetween::eval::{Evaluator, skin::bind::Binding};
use inbetween::interact::camera::OrbitCamera;
use inbetween::interact::onion::{GhostLook, OnionSkin};
use inbetween::interact::view_state::ViewportOptions;
use inbetween::math::{Transform, Vec3};
use inbetween::model::{
    ChannelPath, Clip, Component, Curve, Document, FrameRange, Key, KeyedCurve, Object, ObjectKind, Property, Rig,
    ScalarCurve,
};
use inbetween::progress::Progress;
use inbetween::render::{PaintTarget, PixelRect, Renderer, headless::Headless};
use inbetween::samples::{
    shapes::Shape,
    templates::{Build, Template},
};
use inbetween::scene::{Figures, Ghosts, GhostsOf, Stage};
use inbetween::style::Palette;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIZE: [i32; 2] = [1586, 926];
const FRAMES: u32 = 240;

fn main() {
    let headless = match Headless::open() {
        Ok(headless) => headless,
        Err(error) => return eprintln!("SKIPPED: {error}"),
    };
    let mut renderer = match Renderer::new(headless.gl()) {
        Ok(renderer) => renderer,
        Err(error) => return eprintln!("SKIPPED: {error}"),
    };
    println!("{} ({})", renderer.name(), if renderer.is_software() { "software" } else { "graphics card" });
    let window = Window::open(&headless.gl());
    let titles = ["evaluate", "describe", "draw", "frame"].map(|title| format!("{title:>9}")).join(" ");
    println!("{:20} {titles} {:>9} {:>12}", "shown", "a second", "all threads");
    let walker = inbetween::samples::walker();
    for (name, options, distance) in cases() {
        measure(name, &walker, (options, OnionSkin::default()), distance, &mut renderer, &window);
    }
    let plain = (ViewportOptions::default(), OnionSkin::default());
    measure("the sample's body", &inbetween::samples::start(), plain, 4.2, &mut renderer, &window);
    measure("100,000 vertices", &heavy(), plain, 4.2, &mut renderer, &window);
    for (name, look) in [("with 6 ghosts", GhostLook::Mannequin), ("with 6 silhouettes", GhostLook::Silhouette)] {
        let onion = OnionSkin { on: true, look, ..OnionSkin::default() };
        measure(name, &walker, (ViewportOptions::default(), onion), 4.2, &mut renderer, &window);
    }
    renderer.destroy();
}

/// A capsule of 100,000 vertices on a chain of 60 joints that sways: every vertex moves in every frame.
fn heavy() -> Document {
    let build = Build { height: 1.0, segments: 60, ..Template::Tentacle.usual() };
    let skeleton = Arc::new(Template::Tentacle.skeleton(&build));
    let mut document = Document::default();
    let rig = document.add_object(Object::rig("Chain", Rig { skeleton: skeleton.clone(), ..Rig::default() }));
    let place = Transform::from_translation(Vec3::new(0.0, 0.5, 0.0));
    let capsule = ObjectKind::Mesh(Arc::new(Shape::Capsule.mesh(129)));
    let mesh = document.add_object(Object { transform: place, ..Object::new("Capsule", capsule) });
    let mut clip = Clip::new("Sway", FrameRange::new(0, 192));
    for joint in skeleton.joints().iter().filter(|joint| !joint.is_end()) {
        let key = |at: u32| Key::new(f64::from(at), if at.is_multiple_of(2) { 0.02 } else { -0.02 });
        let curve = KeyedCurve { keys: (0..=8).map(key).collect(), ..KeyedCurve::default() };
        let path = ChannelPath::joint(rig, joint.id, Property::Rotation, Component::X);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let base = Arc::new(document);
    let bound = bound(&base, (mesh, rig), &Binding::default(), 0.0, &Progress::new()).expect("a mesh and a rig");
    let mut document = (*base).clone();
    bound.apply(&mut document).expect("it fits");
    document
}

/// What is shown, and from how far.
fn cases() -> [(&'static str, ViewportOptions, f64); 5] {
    let all = ViewportOptions::default();
    let off = ViewportOptions { grid: false, bones: false, mannequin: false, ..all };
    [
        ("everything", all, 4.2),
        ("everything, close", all, 1.6),
        ("body alone", ViewportOptions { mannequin: true, ..off }, 4.2),
        ("ground alone", ViewportOptions { grid: true, ..off }, 4.2),
        ("nothing", off, 4.2),
    ]
}

fn measure(
    name: &str,
    document: &Document,
    (options, onion): (ViewportOptions, OnionSkin),
    distance: f64,
    renderer: &mut Renderer,
    window: &Window,
) {
    let evaluator = Evaluator::new();
    let (mut figures, mut ghosts) = (Figures::default(), Ghosts::default());
    let (rate, rigs): (_, Vec<_>) = (document.settings.rate, document.rigs().map(|(id, ..)| id).collect());
    let nothing = BTreeSet::new();
    let all = PixelRect { left: 0, bottom: 0, width: SIZE[0], height: SIZE[1] };
    let place = PaintTarget { viewport: all, clip: all, pixels_per_point: 1.0 };
    let mut times: [Vec<Duration>; 4] = Default::default();
    let mut busy = None;
    for index in 0..FRAMES + 20 {
        if index == 20 {
            busy = processor_secs();
        }
        let start = Instant::now();
        // As in playing, frame by frame; the second time round between the frames, so that each pose is new.
        let secs = rate.secs(i64::from(index % 192)) + f64::from(index / 192) * 0.3 * rate.frame_secs();
        let frame = evaluator.frame(document, secs);
        let evaluated = Instant::now();
        let hips = document.rigs().next().and_then(|(id, ..)| frame.joint_world(id, 0));
        let pivot = hips.map_or_else(Vec3::zeros, |hips| Vec3::new(hips.translation.x, 0.9, hips.translation.z));
        let camera = OrbitCamera { pivot, distance, ..OrbitCamera::default() };
        let of = GhostsOf { document, evaluator: &evaluator, secs: frame.secs, onion, palette: &Palette::DARK };
        let ghosts = ghosts.of(&of, rigs.iter().copied(), &mut figures);
        let stage = Stage {
            document,
            frame: &frame,
            view: &camera.view(SIZE.map(f64::from), 2.0),
            options,
            isolated: None,
            selected: &nothing,
            hovered: None,
            gizmo: None,
            weighed: None,
            ghosts: &ghosts,
            trails: &[],
            plates: &[],
            palette: &Palette::DARK,
        };
        let scene = Arc::new(stage.scene(&mut figures));
        let described = Instant::now();
        if let Err(error) = renderer.paint(&scene, &place) {
            return eprintln!("{name}: {error}");
        }
        window.finish();
        let done = Instant::now();
        if index >= 20 {
            let parts = [evaluated - start, described - evaluated, done - described, done - start];
            for (list, part) in times.iter_mut().zip(parts) {
                list.push(part);
            }
        }
    }
    let median = times.map(|mut list| {
        list.sort_unstable();
        list[list.len() / 2].as_secs_f64() * 1e3
    });
    let [evaluate, describe, draw, frame] = median;
    let busy = busy.and_then(|start| Some((processor_secs()? - start) * 1e3 / f64::from(FRAMES)));
    let busy = busy.map_or_else(|| "unknown".to_owned(), |ms| format!("{ms:.1} ms"));
    let parts = format!("{evaluate:6.3} ms {describe:6.3} ms {draw:6.2} ms {frame:6.2} ms");
    println!("{name:20} {parts} {:9.1} {busy:>12}", 1e3 / frame);
}

/// The processor time this program has used in all its threads, seconds; known on Linux only.
fn processor_secs() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the program's name in brackets: 11 other fields, then user and system time in hundredths of a second.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// A framebuffer that stands for the window: colour only.
struct Window {
    gl: Arc<glow::Context>,
}

impl Window {
    #[expect(unsafe_code, reason = "plain object creation on a current context")]
    fn open(gl: &Arc<glow::Context>) -> Self {
        use glow::HasContext as _;
        // SAFETY: the context is current, and lives as long as the program.
        let made = unsafe {
            gl.create_renderbuffer().and_then(|color| {
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(color));
                gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, SIZE[0], SIZE[1]);
                let framebuffer = gl.create_framebuffer()?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
                let place = (glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::RENDERBUFFER);
                gl.framebuffer_renderbuffer(place.0, place.1, place.2, Some(color));
                Ok(())
            })
        };
        if let Err(error) = made {
            eprintln!("no framebuffer: {error}");
        }
        Self { gl: Arc::clone(gl) }
    }

    /// Waits until all is drawn.
    #[expect(unsafe_code, reason = "a call without arguments on a current context")]
    fn finish(&self) {
        use glow::HasContext as _;
        // SAFETY: the context is current.
        unsafe { self.gl.finish() };
    }
}
