//! Files in the time that people wait for: glTF out and in, `convert` and `render` as whole commands, and a save.
//!
//! `cargo bench --bench gltf`. The commands run in processes of their own: from their start to their end. To reach: a clip
//! of 60 joints and 10,000 frames to .glb in 100 ms and back to curves in 12 ms (Blender 26.8 s and 3.4 s, assimp 0.9 s, the
//! crate gltf 11.6 ms to read); its BVH to .glb in 150 ms with 4 times the file of memory (assimp 1.29 s); the save of a
//! document of 10 MB in 150 ms, 1 ms of them in the window; a picture of the sample in 400 ms.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use clap::Parser as _;
use inbetween::app::{App, NoPainter, services::JobRunner};
use inbetween::cli::{self, args::Args};
use inbetween::io::bvh::ImportOptions;
use inbetween::io::gltf::{self, GltfExport};
use inbetween::io::report::Report;
use inbetween::io::{file, open, ron};
use inbetween::model::Document;
use inbetween::progress::Progress;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

#[path = "../it/support/fakes.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod fakes;
mod figure;
mod measured;
use fakes::Outside;
use figure::{FRAMES, JOINTS, made_file};
use measured::{hash, median, ms, peak_memory};

/// With this argument the program is `inbetween`, and prints its own peak memory at the end.
const AS_COMMAND: &str = "--as-command";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|first| first == AS_COMMAND) {
        let args = Args::parse_from(std::iter::once("inbetween").chain(arguments.iter().skip(2).map(String::as_str)));
        let code = cli::run(&args.command.expect("a command"));
        println!("{}", peak_memory().unwrap_or_default());
        return code;
    }
    let folder = tempfile::tempdir().expect("a folder for the input");
    let folder = folder.path();
    let bvh = folder.join("made.bvh");
    let made = made_file(FRAMES);
    file::write(&bvh, made.as_bytes()).expect("the input");
    println!(
        "input: {} bytes of BVH, {JOINTS} joints x {FRAMES} frames, hash {:016x}",
        made.len(),
        hash(made.as_bytes())
    );
    let document = open::open(&bvh, ImportOptions::default()).expect("a good file").document;
    both_ways(&document, folder);
    commands(&bvh, made.len(), folder);
    save(folder);
    ExitCode::SUCCESS
}

fn report(what: &str, time: Duration, limit: f64) {
    println!("{what:<52} {:8.2} ms, {:.2} of {limit} ms", ms(time), ms(time) / limit);
}

fn both_ways(document: &Document, folder: &Path) {
    let out = || {
        let written = gltf::export(document, GltfExport::default(), &Progress::new(), &mut Report::new());
        written.expect("a clip to write")
    };
    let written = out();
    println!("written: {} bytes of .glb", written.bytes.len());
    report("document to .glb, its error measured", median(out), 100.0);
    let glb = folder.join("made.glb");
    file::write(&glb, &written.bytes).expect("the input");
    report(".glb to a document", median(|| open::open(&glb, ImportOptions::default()).expect("a good file")), 12.0);
}

/// Runs this program as `inbetween`; its peak memory.
fn run(arguments: &[&str]) -> usize {
    let program = std::env::current_exe().expect("this program");
    let run = Command::new(program).arg(AS_COMMAND).args(arguments).output().expect("this program again");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8_lossy(&run.stdout);
    said.lines().last().and_then(|line| line.trim().parse().ok()).unwrap_or_default()
}

fn commands(bvh: &Path, bytes: usize, folder: &Path) {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let out = text(&folder.join("converted.glb"));
    let arguments = ["convert", &text(bvh), &out];
    report("convert .bvh to .glb, whole command", median(|| run(&arguments)), 150.0);
    let peak = run(&arguments);
    println!("its peak memory: {peak} bytes, {:.2} of the file (to reach: 4)", peak as f64 / bytes as f64);
    let sample = folder.join("sample.ron");
    file::write(&sample, ron::save(&inbetween::samples::start()).expect("sound").as_bytes()).expect("the sample");
    let arguments = ["render", &text(&sample), "--size", "1280x720", "-o", &text(&folder.join("sample.png"))];
    report("picture of the sample, 1280 x 720, whole command", median(|| run(&arguments)), 400.0);
}

/// The window without a renderer, work on threads of its own as in the real one.
struct Window {
    ctx: egui::Context,
    app: App,
    outside: Outside,
    time: f64,
}

impl Window {
    fn frame(&mut self, events: Vec<egui::Event>) -> Duration {
        self.time += 1.0 / 60.0;
        self.outside.now.set(self.time);
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1_280.0, 800.0))),
            time: Some(self.time),
            events,
            ..egui::RawInput::default()
        };
        let start = Instant::now();
        let mut output = self.ctx.run_ui(input, |ui| {
            self.app.logic(ui.ctx());
            self.app.show(ui);
        });
        let spent = start.elapsed();
        output.textures_delta.clear();
        spent
    }
}

fn save(folder: &Path) {
    let path = folder.join("large.bvh");
    file::write(&path, made_file(2_650).as_bytes()).expect("the input");
    let document = open::open(&path, ImportOptions::default()).expect("a good file").document;
    let text = ron::save(&document).expect("sound");
    let path = folder.join("large.ron");
    file::write(&path, text.as_bytes()).expect("the input");
    println!("document to save: {} bytes", text.len());
    let written = median(|| file::write(&path, ron::save(&document).expect("sound").as_bytes()));
    report("save, in all", written, 150.0);

    let outside = Outside::default();
    *outside.recovery.borrow_mut() = Some(folder.join("recovery"));
    let services = inbetween::app::services::Services { jobs: JobRunner::Threads, ..outside.services() };
    let app = App::new(services, Box::new(NoPainter), Some(path.clone()));
    let mut window = Window { ctx: egui::Context::default(), app, outside, time: 0.0 };
    while window.app.session().document().objects.len() != document.objects.len()
        || window.app.session().document().clips.len() != document.clips.len()
        || window.time < 10.0
    {
        window.frame(Vec::new());
    }
    let standing = median(|| window.frame(Vec::new()));
    let control = egui::Modifiers { ctrl: true, command: true, ..egui::Modifiers::NONE };
    let key = |pressed| egui::Event::Key {
        key: egui::Key::S,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: control,
    };
    let stamp = || std::fs::metadata(&path).and_then(|file| file.modified()).ok();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for _ in 0..15 {
        let before = stamp();
        first.push(window.frame(vec![egui::Event::ModifiersChanged(control), key(true)]).saturating_sub(standing));
        window.frame(vec![key(false), egui::Event::ModifiersChanged(egui::Modifiers::NONE)]);
        let began = Instant::now();
        while stamp() == before {
            assert!(began.elapsed() < Duration::from_secs(10), "nothing was saved");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(20));
        last.push(window.frame(Vec::new()).saturating_sub(standing));
        for _ in 0..8 {
            window.frame(Vec::new());
        }
    }
    first.sort();
    last.sort();
    println!("a frame of the window standing still: {:.3} ms", ms(standing));
    report("more in the frame that begins the save (median)", first[first.len() / 2], 1.0);
    report("more in the frame that ends it (median)", last[last.len() / 2], 1.0);
}
