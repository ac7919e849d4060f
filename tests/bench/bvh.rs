//! BVH of 60 joints and 10,000 frames: to an editable document, and the same out again.
//!
//! The limit is what the crate `fast-float2` needs for the same numbers alone, in this process. `cargo bench --bench bvh`.

use inbetween::io::bvh::{self, ImportOptions};
use inbetween::io::report::Report;
use inbetween::io::{file, open, text};
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

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the input");
    let path = folder.path().join("made.bvh");
    let size = {
        let made = made_file();
        file::write(&path, made.as_bytes()).expect("the input");
        println!("input: {} bytes, {JOINTS} joints x {FRAMES} frames, hash {:016x}", made.len(), hash(made.as_bytes()));
        made.len()
    };
    let read = || text::decode(file::read(&path).expect("the input"), &mut Report::new());
    let made = read();
    let rows = made.split_once("Frame Time: 0.0333333\n").expect("rows").1;

    let limit = median(|| {
        rows.split_ascii_whitespace().map(|word| fast_float2::parse::<f64, _>(word).unwrap_or_default()).sum::<f64>()
    });
    // The number reader alone, the words known beforehand.
    let words: Vec<&str> = rows.split_ascii_whitespace().collect();
    let alone = median(|| words.iter().map(|w| fast_float2::parse::<f64, _>(w).unwrap_or_default()).sum::<f64>());
    drop(words);
    println!(
        "fast-float2, {} numbers: {:.1} ms, words already split: {:.1} ms",
        rows.split_ascii_whitespace().count(),
        ms(limit),
        ms(alone)
    );

    let parsed = median(|| bvh::parse(made.as_bytes(), &mut Report::new()));
    println!("parse: {:.1} ms, ratio to fast-float2 {:.2}", ms(parsed), ms(parsed) / ms(alone));
    let document = || {
        let mut report = Report::new();
        let parsed = bvh::parse(made.as_bytes(), &mut report).expect("a good file");
        open::new_document(bvh::to_motion(parsed, ImportOptions::default(), &mut report), "made")
    };
    let imported = median(document);
    println!("text to document: {:.1} ms, ratio {:.2} (to reach: 2)", ms(imported), ms(imported) / ms(alone));
    let opened = median(|| open::open(&path, ImportOptions::default()));
    println!("file to document: {:.1} ms, ratio {:.2}", ms(opened), ms(opened) / ms(alone));
    let _ = size;
    let _ = peak_memory();
    let file = bvh::parse(made.as_bytes(), &mut Report::new()).expect("a good file");
    let written = median(|| bvh::write(&file));
    println!("write: {:.1} ms", ms(written));
}
