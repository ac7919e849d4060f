//! Documents as text: every released version of the format still opens, and damaged text never does harm.

use inbetween::{
    io::ron::{self, LoadError},
    samples::SAMPLES,
};
use std::{fs, path::Path};

/// The fixtures: one document a released version, with every kind of part in it. They are never rewritten.
fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ron");
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn every_version_has_a_fixture_that_loads_saves_and_loads_again() {
    let fixtures = fixtures();
    assert_eq!(fixtures.len(), ron::VERSION as usize);
    for (name, text) in fixtures {
        let document = ron::load(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let saved = ron::save(&document).unwrap();
        assert_eq!(ron::load(&saved).unwrap(), document, "{name}");
        if name == format!("v{}.ron", ron::VERSION) {
            assert_eq!(saved, text, "{name}: the present version must come back byte for byte");
        }
    }
}

/// A small generator, so that a failure can be run again (Steele, Lea and Flood 2014, SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % count as u64).unwrap()
    }
}

#[test]
fn damaged_documents_are_refused_with_their_place_or_read_as_something_sound() {
    let spare = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "-",
        "NaN",
        "inf",
        "1e999",
        "9999999999999999999",
        "Some",
        "\u{0}",
        "\u{4f60}",
    ];
    let mut random = Random(7);
    let (mut refused, mut accepted) = (0, 0);
    let start = SAMPLES[0].text.lines().take(400).collect::<Vec<_>>().join("\n");
    for text in fixtures().into_iter().map(|(_, text)| text).chain([start]) {
        for _ in 0..1_500 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                match random.below(4) {
                    0 => damaged.truncate(at.max(1)),
                    1 => drop(damaged.remove(at)),
                    2 => drop(damaged.splice(at..at, spare[random.below(spare.len())].chars())),
                    _ => {
                        let length = random.below(damaged.len() - at).min(200);
                        drop(damaged.splice(at..at + length, spare[random.below(spare.len())].chars()));
                    }
                }
                if damaged.is_empty() {
                    damaged.push(' ');
                }
            }
            let damaged: String = damaged.into_iter().collect();
            match ron::load(&damaged) {
                Ok(document) => {
                    accepted += 1;
                    assert_eq!(document.problems(), []);
                    assert_eq!(ron::load(&ron::save(&document).unwrap()).unwrap(), document);
                }
                Err(error) => {
                    refused += 1;
                    if let LoadError::Syntax { line, column, .. } = error {
                        assert!(line >= 2 && column >= 1 && line <= damaged.lines().count() + 1);
                    }
                }
            }
        }
    }
    assert!(refused > 1_000 && accepted > 10, "{refused} refused, {accepted} accepted");
}

#[test]
fn nesting_without_end_is_refused() {
    let head = "(format:\"inbetween\",version:1)\n(settings: ";
    for open in ["(", "[", "{", "Some("] {
        assert!(ron::load(&format!("{head}{}", open.repeat(200_000))).is_err());
    }
}
