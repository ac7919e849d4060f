//! Damaged files by the thousand: every reader returns, with an error or with something sound, in bounded time.

use crate::corpus::{bvh_files, text_of};
use crate::gltf::{expected_files, exported as gltf_of, opened};
use crate::support::motion::{document_of, exported};
use inbetween::io::bvh::{ExportOptions, ImportOptions, parse};
use inbetween::io::check::check_bytes;
use inbetween::io::open::FileKind;
use inbetween::io::report::Report;
use inbetween::io::text::decode;
use std::path::Path;
use std::time::{Duration, Instant};

/// A small seeded generator: the same damage on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }
}

/// Words that hurt where they stand.
const SHARP: [&str; 22] = [
    "{",
    "}",
    "ROOT",
    "JOINT",
    "End Site",
    "MOTION",
    "CHANNELS",
    "OFFSET",
    "Frames: 4294967295",
    "Frame Time: 0",
    "nan",
    "-inf",
    "1e308",
    "-1e-320",
    "99999999999999999999",
    "\u{0}",
    "\n",
    "é",
    "CHANNELS 4000000000",
    "1,5",
    "-",
    "\u{FEFF}",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let length = random.below(40).min(bytes.len() - at);
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => drop(bytes.splice(at..at, SHARP[random.below(SHARP.len())].bytes())),
            3 => {
                let word = SHARP[random.below(SHARP.len())].bytes();
                drop(bytes.splice(at..at + length.min(6), word));
            }
            4 => {
                let copied = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                drop(bytes.splice(to..to, copied));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = u8::try_from(random.below(256)).unwrap_or_default();
                }
            }
        }
    }
}

/// How many damaged files of each kind are read: some thousand, or as many as INBETWEEN_DAMAGED says.
fn rounds() -> usize {
    let named = std::env::var("INBETWEEN_DAMAGED").ok().and_then(|text| text.parse().ok());
    named.unwrap_or(2000)
}

/// Documents and glTF files, as text and binary.
fn other_sources() -> Vec<(FileKind, Vec<u8>)> {
    let mut sources = vec![
        (FileKind::Ron, include_bytes!("../data/ron/v1.ron").to_vec()),
        (FileKind::Ron, include_bytes!("../../assets/samples/walk.ron").to_vec()),
    ];
    for (path, _) in expected_files() {
        let document = opened(&path).document;
        let (text, binary) = (gltf_of(&document, false).0, gltf_of(&document, true).0);
        if binary.len() < 200_000 {
            sources.extend([(FileKind::Gltf, text), (FileKind::Glb, binary)]);
        }
    }
    sources
}

/// Every reader returns in bounded time with an error that says where, or with something sound; and what a check calls
/// mended opens.
#[test]
fn damaged_documents_and_gltf_files_are_named_or_read_and_what_is_mended_opens() {
    let mut random = Random(11);
    let sources = other_sources();
    let of_kind = |kind: FileKind| sources.iter().filter(|(other, _)| *other == kind).count().max(1);
    let (mut failed, mut fine, mut mended) = (0, 0, 0);
    for (kind, source) in &sources {
        for _ in 0..rounds().div_ceil(of_kind(*kind)) / 8 {
            let mut bytes = source.clone();
            damage(&mut bytes, &mut random);
            let start = Instant::now();
            let checked = check_bytes(bytes, Some(*kind), None);
            assert!(start.elapsed() < Duration::from_secs(60), "this took far too long");
            for finding in &checked.findings {
                assert!(!finding.found.is_empty() && !finding.remedy.is_empty(), "{finding:?}");
            }
            if checked.opens() {
                fine += 1;
            } else {
                failed += 1;
            }
            if let Some(bytes) = checked.mended {
                mended += usize::from(!checked.findings.is_empty());
                let again = check_bytes(bytes, Some(*kind), None);
                assert!(again.opens(), "{kind:?}: {:#?}\nmended to {:#?}", checked.findings, again.findings);
            }
        }
    }
    // All three were met, whatever the files and however many.
    assert!(failed > 0 && fine > 0 && mended > 0, "{failed} damaged, {fine} fine, {mended} mended");
}

/// The long files are cut: damage is the same in a hundred rows as in six thousand.
fn sources() -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bvh");
    let own = std::fs::read_dir(data).expect("the test data").filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> = own.collect();
    files.sort();
    files.extend(bvh_files());
    files
        .iter()
        .map(|path| {
            let text = text_of(path).into_bytes();
            let end = text.len().min(12_000);
            let rows = text[end..].iter().position(|b| *b == b'\n').map_or(text.len(), |at| end + at);
            if text.len() > 60_000 && !path.ends_with("makehuman_face_poseunits.bvh") {
                text[..rows].to_vec()
            } else {
                text
            }
        })
        .collect()
}

#[test]
fn damaged_bvh_files_are_refused_with_their_place_or_read_as_something_sound() {
    let mut random = Random(5);
    let mut outcomes = [0; 2];
    let sources = sources();
    let rounds = rounds().div_ceil(sources.len());
    for source in &sources {
        for round in 0..rounds {
            let mut bytes = source.clone();
            damage(&mut bytes, &mut random);
            let start = Instant::now();
            let text = decode(bytes, &mut Report::new());
            match document_of(&text, ImportOptions::default()) {
                Err(error) => {
                    outcomes[0] += 1;
                    assert!(error.line >= 1 && error.column >= 1 && !error.remedy.is_empty(), "{error}");
                    assert!(error.line <= 1 + text.matches('\n').count(), "{error}");
                }
                Ok((document, _)) => {
                    outcomes[1] += 1;
                    assert_eq!(document.problems(), []);
                    if round % 8 == 0 {
                        let (file, _) = exported(&document, ExportOptions::default());
                        let again = inbetween::io::bvh::write(&file);
                        parse(&again, &mut Report::new()).unwrap_or_else(|e| panic!("what was written: {e}"));
                    }
                }
            }
            assert!(start.elapsed() < Duration::from_secs(20), "this took far too long");
        }
    }
    assert!(outcomes.iter().all(|count| *count > 100), "both kinds must occur: {outcomes:?}");
}

/// Every prefix of a small file, and every single byte of it replaced.
#[test]
fn every_cut_and_every_wrong_byte_returns() {
    let source = include_bytes!("../data/bvh/B03_root_offset_and_position.bvh");
    for end in 0..source.len() {
        parse(&source[..end], &mut Report::new()).ok();
        for wrong in *b"\0\n {}-9eX\xFF" {
            let mut bytes = source.to_vec();
            bytes[end] = wrong;
            parse(&bytes, &mut Report::new()).ok();
        }
    }
}
