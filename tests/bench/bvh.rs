//! BVH of 60 joints and 10,000 frames: to an editable document, and the same out again.
//!
//! The limit is what the crate `fast-float2` needs for the same numbers alone, in this process. `cargo bench --bench bvh`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use inbetween::io::bvh::{self, ExportOptions, ImportOptions};
use inbetween::io::report::Report;
use inbetween::io::{file, open, text};
use inbetween::progress::Progress;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

const JOINTS: usize = 60;
const FRAMES: usize = 10_000;
const ROUNDS: usize = 15;

/// A figure of [`JOINTS`] joints with smooth seeded motion, six decimals a value.
fn made_file() -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut open = 0;
    for joint in 0..JOINTS {
        let (keyword, channels) = if joint == 0 {
            ("ROOT", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
        } else {
            ("JOINT", "3 Zrotation Xrotation Yrotation")
        };
        writeln!(text, "{keyword} joint{joint}\n{{\nOFFSET 0.5 {}.25 -1.0\nCHANNELS {channels}", 3 + joint % 9)
            .unwrap();
        open += 1;
        // Limbs of ten joints, each on the root.
        if joint % 10 == 9 || joint == JOINTS - 1 {
            text.push_str("End Site\n{\nOFFSET 0.0 2.0 0.0\n}\n");
            let stay = usize::from(joint != JOINTS - 1);
            text.push_str(&"}\n".repeat(open - stay));
            open = stay;
        }
    }
    writeln!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333").unwrap();
    let mut state = 20_260_101_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let channels: Vec<(f64, f64, f64)> = (0..JOINTS * 3 + 3)
        .map(|_| (60.0 + 110.0 * random(), 0.01 + 0.05 * random(), std::f64::consts::TAU * random()))
        .collect();
    for frame in 0..FRAMES {
        for (index, (size, speed, phase)) in channels.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(text, "{gap}{:.6}", size * (frame as f64 * speed + phase).sin()).unwrap();
        }
        text.push('\n');
    }
    text
}

/// FNV-1a, to tell two inputs apart.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The median of several runs.
fn median<T>(mut run: impl FnMut() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .collect();
    times.sort();
    times[ROUNDS / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Peak resident memory of this process so far, bytes; only Linux tells.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

/// With this argument the program opens a file, as `inbetween info` does, and prints its own peak memory.
const OPEN_ONLY: &str = "--open-only";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, only, path] = arguments.as_slice()
        && only == OPEN_ONLY
    {
        black_box(open::open(path.as_ref(), ImportOptions::default()).expect("a good file"));
        println!("{}", peak_memory().unwrap_or_default());
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the input");
    let path = folder.path().join("made.bvh");
    file::write(&path, made_file().as_bytes()).expect("the input");
    let made = text::decode(file::read(&path).expect("the input"), &mut Report::new());
    println!("input: {} bytes, {JOINTS} joints x {FRAMES} frames, hash {:016x}", made.len(), hash(made.as_bytes()));

    let rows = made.split_once("Frame Time: 0.0333333\n").expect("rows").1;
    let words: Vec<&str> = rows.split_ascii_whitespace().collect();
    let limit = median(|| words.iter().map(|word| fast_float2::parse::<f64, _>(word).unwrap_or_default()).sum::<f64>());
    println!("limit, fast-float2 for the same {} numbers: {:.1} ms", words.len(), ms(limit));
    drop(words);
    let ratio = |time: Duration| time.as_secs_f64() / limit.as_secs_f64();

    let imported = median(|| open::open(&path, ImportOptions::default()));
    println!("file to document: {:.1} ms, {:.2} of the limit (to reach: 2)", ms(imported), ratio(imported));
    let document = open::open(&path, ImportOptions::default()).expect("a good file").document;
    let rig = document.rigs().next().expect("a rig").0;
    let export = || {
        let mut report = Report::new();
        let exported = bvh::export(&document, rig, ExportOptions::default(), &Progress::new(), &mut report);
        bvh::write(&exported.expect("a rig to write"))
    };
    let exported = median(export);
    println!("document to BVH: {:.1} ms, {:.2} of the limit (to reach: 80 ms)", ms(exported), ratio(exported));
    let rows_out = export().len().checked_sub(rows.len()).map(|head| export().split_off(head));
    println!("the same rows again: {}", rows_out.is_some_and(|out| out == rows.as_bytes()));

    let program = std::env::current_exe().expect("this program");
    let run = std::process::Command::new(program).arg(OPEN_ONLY).arg(&path).output().expect("this program again");
    let peak: usize = String::from_utf8_lossy(&run.stdout).trim().parse().unwrap_or_default();
    println!("peak memory to open it: {peak} bytes, {:.2} of the file (to reach: 3)", peak as f64 / made.len() as f64);
}
