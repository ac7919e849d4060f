//! BVH of 60 joints and 10,000 frames: to an editable document, and the same out again.
//!
//! The limit is what the crate `fast-float2` needs for the same numbers alone, in this process. `cargo bench --bench bvh`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark without its input has nothing to say")]

use inbetween::io::bvh::{self, ExportOptions, ImportOptions};
use inbetween::io::report::Report;
use inbetween::io::{file, open, text};
use inbetween::progress::Progress;
use std::hint::black_box;
use std::time::Duration;

mod figure;
mod measured;
use figure::{FRAMES, JOINTS, made_file};
use measured::{hash, median, ms, peak_memory};

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
    file::write(&path, made_file(FRAMES).as_bytes()).expect("the input");
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
