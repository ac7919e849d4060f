//! Press to picture: the hips of a mannequin are dragged with both feet held, on captured motion. `cargo bench --bench drag`.
//!
//! The whole program at 1280 x 800 without OpenGL. From a pointer move to the finished list of triangles of the frame
//! that shows it: the frame that takes the event, the commands it gives, the next frame with the new document, its
//! evaluation, the description of the 3D picture, and egui's tessellation. Drawing is measured apart (bench `render`).
//! To reach: 16 ms in 99 of 100 moves.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use inbetween::app::{
    App, NoPainter,
    files::{DialogAnswer, DialogRequest, FileDialogs},
    services::{Clock, JobRunner, Services, Storage},
};
use std::fmt::Write as _;
use std::time::Instant;

const FRAMES: u32 = 1_000;
const MOVES: u32 = 500;
const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

fn main() {
    let (text, joints) = captured();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mannequin.bvh");
    inbetween::io::file::write(&path, text.as_bytes()).expect("a file");
    println!("{joints} joints, {FRAMES} captured frames, {} bytes, hash {:016x}", text.len(), hash(text.as_bytes()));
    let mut desk = Desk::open(path);
    let hips = desk.find("Hips");
    println!("window {} x {}, hips at {hips:?}", SIZE.x, SIZE.y);
    desk.frame(vec![Event::PointerMoved(hips)]);
    desk.frame(vec![button(hips, true)]);
    let mut times: Vec<[f64; 4]> = Vec::new();
    let mut busy = None;
    for step in 0..=MOVES {
        let angle = f64::from(step) * 0.05;
        let at = hips + vec2((60.0 * angle.sin()) as f32, (25.0 - 25.0 * angle.cos()) as f32);
        let spent = desk.shown_move(at);
        // The first makes the gesture and fills what is kept.
        if step > 0 {
            times.push(spent);
        } else {
            busy = processor_secs();
        }
    }
    let busy = busy.and_then(|start| Some((processor_secs()? - start) * 1e3 / f64::from(MOVES)));
    desk.frame(vec![button(hips + vec2(40.0, 30.0), false)]);
    assert_eq!(desk.app.session().history().index(), 1, "one step of undo");
    println!("{:28} {:>9} {:>9} {:>9}", "ms", "median", "99 %", "most");
    for (row, name) in ["takes the event", "shows it", "triangles", "pointer move to picture"].iter().enumerate() {
        let mut column: Vec<f64> = times.iter().map(|time| time[row]).collect();
        column.sort_by(f64::total_cmp);
        let at = |part: f64| column[((column.len() - 1) as f64 * part).round() as usize];
        println!("{name:28} {:9.2} {:9.2} {:9.2}", at(0.5), at(0.99), at(1.0));
    }
    if let Some(busy) = busy {
        println!("processor time a move, which a busy machine does not stretch: {busy:.2} ms");
    }
    println!("to reach: 16 ms in 99 of 100 moves");
}

/// The processor time this program has used in all its threads, seconds; known on Linux only.
fn processor_secs() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses: 13 fields on, time in user and in kernel mode, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(ticks as f64 / 100.0)
}

/// The program without a window.
struct Desk {
    app: App,
    ctx: Context,
    secs: f64,
}

impl Desk {
    fn open(path: std::path::PathBuf) -> Self {
        let services = Services {
            dialogs: Box::new(NoDialogs),
            clock: Box::new(RealClock(Instant::now())),
            storage: Box::new(NoStorage),
            jobs: JobRunner::AtOnce,
            recovery: None,
            system_fonts: false,
        };
        let mut desk =
            Self { app: App::new(services, Box::new(NoPainter), Some(path)), ctx: Context::default(), secs: 0.0 };
        for _ in 0..6 {
            desk.frame(Vec::new());
        }
        desk
    }

    fn frame(&mut self, events: Vec<Event>) -> egui::FullOutput {
        self.secs += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.secs),
            focused: true,
            events,
            ..RawInput::default()
        };
        self.app.logic(&self.ctx);
        let mut output = self.ctx.run_ui(input, |ui| self.app.show(ui));
        // Nobody draws: textures have nowhere to go.
        output.textures_delta.clear();
        output
    }

    /// Milliseconds: the frame that takes a move, the one that shows it, its triangles, all.
    fn shown_move(&mut self, at: Pos2) -> [f64; 4] {
        let start = Instant::now();
        self.frame(vec![Event::PointerMoved(at)]);
        let taken = start.elapsed();
        let output = self.frame(Vec::new());
        let shown = start.elapsed();
        let triangles = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        let all = start.elapsed();
        assert!(triangles.len() > 1);
        [taken, shown - taken, all - shown, all].map(|time| time.as_secs_f64() * 1e3)
    }

    /// The middle of a joint of the 3D view.
    fn find(&mut self, name: &str) -> Pos2 {
        self.ctx.enable_accesskit();
        self.frame(Vec::new());
        let update = self.frame(Vec::new()).platform_output.accesskit_update.expect("a tree");
        self.ctx.disable_accesskit();
        let is_it = |node: &egui::accesskit::Node| {
            node.role() == egui::accesskit::Role::GraphicsObject && node.label() == Some(name)
        };
        let bounds = update.nodes.iter().find(|(_, node)| is_it(node)).and_then(|(_, node)| node.bounds());
        let bounds = bounds.unwrap_or_else(|| panic!("{name} is not in view"));
        pos2(((bounds.x0 + bounds.x1) / 2.0) as f32, ((bounds.y0 + bounds.y1) / 2.0) as f32)
    }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

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

struct RealClock(Instant);

impl Clock for RealClock {
    fn now(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
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

/// A standing figure of 60 joints that sways, as a BVH file in centimetres.
fn captured() -> (String, usize) {
    let mut text = String::from("HIERARCHY\n");
    let mut joints = 0;
    body(&mut text, &mut joints);
    writeln!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333").unwrap();
    for frame in 0..FRAMES {
        let t = f64::from(frame) / 30.0;
        write!(text, "{:.5} {:.5} {:.5}", 3.0 * t.sin(), 94.0 + (1.3 * t).cos(), 2.0 * (0.7 * t).sin()).unwrap();
        for channel in 0..joints * 3 {
            let phase = channel as f64 * 0.37;
            // Knees bent a little: the feet are held with room to spare.
            write!(text, " {:.5}", 3.0 * (t * 1.1 + phase).sin()).unwrap();
        }
        text.push('\n');
    }
    (text, joints)
}

/// Writes the joints: name, parent, offset; parents first, each part of the body after what it hangs on.
fn body(text: &mut String, joints: &mut usize) {
    let mut bones: Vec<(String, Option<usize>, [f64; 3])> = vec![("Hips".to_owned(), None, [0.0, 94.0, 0.0])];
    let mut add = |name: &str, parent: usize, offset: [f64; 3]| {
        bones.push((name.to_owned(), Some(parent), offset));
        bones.len() - 1
    };
    let mut spine = 0;
    for name in ["Spine", "Spine1", "Spine2", "Spine3", "Chest"] {
        spine = add(name, spine, [0.0, 9.0, 0.0]);
    }
    let neck = add("Neck", spine, [0.0, 14.0, 0.0]);
    let neck = add("Neck1", neck, [0.0, 5.0, 0.5]);
    let head = add("Head", neck, [0.0, 6.0, 1.0]);
    for (name, offset) in [("Jaw", [0.0, 2.0, 6.0]), ("LeftEye", [3.0, 7.0, 8.0]), ("RightEye", [-3.0, 7.0, 8.0])] {
        add(name, head, offset);
    }
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let name = |part: &str| format!("{side}{part}");
        let shoulder = add(&name("Shoulder"), spine, [4.0 * sign, 10.0, 0.0]);
        let arm = add(&name("Arm"), shoulder, [13.0 * sign, 0.0, 0.0]);
        let fore = add(&name("ForeArm"), arm, [27.0 * sign, 0.0, 0.0]);
        let hand = add(&name("Hand"), fore, [25.0 * sign, 0.0, 0.0]);
        for (finger, z) in [("Thumb", 4.0), ("Index", 3.0), ("Middle", 1.0), ("Ring", -1.0), ("Pinky", -3.0)] {
            let mut at = hand;
            for place in 1..=3 {
                let reach = if place == 1 { 8.0 } else { 3.0 };
                at = add(
                    &name(&format!("Hand{finger}{place}")),
                    at,
                    [reach * sign, 0.0, if place == 1 { z } else { 0.0 }],
                );
            }
        }
        let thigh = add(&name("UpLeg"), 0, [9.0 * sign, -2.0, 0.0]);
        let shin = add(&name("Leg"), thigh, [0.0, -43.0, 2.5]);
        let foot = add(&name("Foot"), shin, [0.0, -41.0, -2.5]);
        let ball = add(&name("ToeBase"), foot, [0.0, -6.0, 12.0]);
        add(&name("Toe"), ball, [0.0, 0.0, 4.0]);
    }
    *joints = bones.len();
    write_bone(text, &bones, 0);
}

fn write_bone(text: &mut String, bones: &[(String, Option<usize>, [f64; 3])], at: usize) {
    let (name, parent, [x, y, z]) = &bones[at];
    let (keyword, positions) =
        if parent.is_none() { ("ROOT", "6 Xposition Yposition Zposition ") } else { ("JOINT", "3 ") };
    writeln!(text, "{keyword} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {positions}Zrotation Xrotation Yrotation")
        .unwrap();
    let children: Vec<usize> = (0..bones.len()).filter(|child| bones[*child].1 == Some(at)).collect();
    for child in &children {
        write_bone(text, bones, *child);
    }
    if children.is_empty() {
        text.push_str("End Site\n{\nOFFSET 0.0 2.0 3.0\n}\n");
    }
    text.push_str("}\n");
}

/// FNV-1a, to tell two inputs apart.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
