//! The user's eases as a file: a one-line header, then the list, a preset a line.

use crate::model::EasePreset;
use ron::ser::PrettyConfig;
use serde::{Deserialize, Serialize};

/// The version this program writes; rises when the meaning of something changes.
const VERSION: u32 = 1;
/// The name that marks such a file.
const FORMAT: &str = "inbetween eases";

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// Why a text is no list of eases. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EaseFileError {
    /// The first line is no header of such a file.
    #[error("line 1: this is no file of eases ({0}); choose one that Inbetween exported")]
    NotEases(String),
    /// A later version.
    #[error("line 1: written by a newer Inbetween (version {0}, this program reads up to {VERSION}); update Inbetween")]
    Newer(u32),
    /// A text that does not read.
    #[error("line {line}, column {column}: {what}; mend the line or take the preset out")]
    Syntax {
        /// Line of the text.
        line: usize,
        /// Column of the text.
        column: usize,
        /// What was found or wanted.
        what: String,
    },
    /// A preset that cannot be right.
    #[error("preset {number} '{name}': {fault}")]
    Unsound {
        /// Which, from 1.
        number: usize,
        /// Its name.
        name: String,
        /// What is wrong and what to do.
        fault: &'static str,
    },
    /// Too many presets.
    #[error("it holds {0} presets, more than {most}: split it", most = EasePreset::MOST)]
    TooMany(usize),
}

/// The text of a list of eases. The same list gives the same bytes on every platform.
///
/// # Errors
/// Where a preset is not sound, two have one name, or there are too many.
pub fn save_eases(presets: &[EasePreset]) -> Result<String, EaseFileError> {
    check(presets)?;
    let failed = |error: ron::Error| EaseFileError::NotEases(error.to_string());
    let mut out = ron::to_string(&Header { format: FORMAT.to_owned(), version: VERSION }).map_err(failed)?;
    out.push('\n');
    let layout = PrettyConfig::new().depth_limit(1).new_line("\n").indentor(" ");
    ron::Options::default().to_writer_pretty(&mut out, presets, layout).map_err(failed)?;
    out.push('\n');
    Ok(out)
}

/// Reads a list of eases and checks it whole.
///
/// # Errors
/// [`EaseFileError`], which names the place.
pub fn load_eases(text: &str) -> Result<Vec<EasePreset>, EaseFileError> {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    let header: Header =
        ron::from_str(line.trim_end_matches('\r').trim_start_matches('\u{feff}')).map_err(|_form| {
            EaseFileError::NotEases(
                if text.trim().is_empty() { "it is empty" } else { "it begins otherwise" }.to_owned(),
            )
        })?;
    if header.format != FORMAT {
        return Err(EaseFileError::NotEases(format!("it says it is '{}'", header.format)));
    }
    match header.version {
        1..=VERSION => {}
        0 => return Err(EaseFileError::NotEases("version 0 does not exist".to_owned())),
        newer => return Err(EaseFileError::Newer(newer)),
    }
    let presets: Vec<EasePreset> = ron::from_str(body).map_err(|error: ron::error::SpannedError| {
        let (line, column) = (error.span.start.line + 1, error.span.start.col);
        EaseFileError::Syntax { line, column, what: super::error::in_words(&error.code) }
    })?;
    check(&presets)?;
    Ok(presets)
}

fn check(presets: &[EasePreset]) -> Result<(), EaseFileError> {
    if presets.len() > EasePreset::MOST {
        return Err(EaseFileError::TooMany(presets.len()));
    }
    for (index, preset) in presets.iter().enumerate() {
        let twice = presets[..index].iter().any(|other| other.name == preset.name);
        let fault = preset.fault().or(twice.then_some("another has its name: rename one"));
        if let Some(fault) = fault {
            return Err(EaseFileError::Unsound { number: index + 1, name: preset.name.clone(), fault });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::easing::EaseMode,
        model::{EaseShape, Interpolation},
    };

    fn preset(name: &str, interpolation: Interpolation, ease: EaseShape) -> EasePreset {
        EasePreset { name: name.to_owned(), interpolation, ease }
    }

    fn list() -> Vec<EasePreset> {
        vec![
            preset(
                "soft \"landing\"",
                Interpolation::Css,
                EaseShape { css: [0.1, -0.3, 1.0 / 3.0, 1.7], ..EaseShape::PLAIN },
            ),
            preset(
                "\u{5f39}",
                Interpolation::Back,
                EaseShape { overshoot: 3.0, mode: EaseMode::Out, ..EaseShape::PLAIN },
            ),
            preset("hold", Interpolation::Step, EaseShape::PLAIN),
        ]
    }

    #[test]
    fn what_is_written_is_read_and_a_preset_is_a_line() {
        let text = save_eases(&list()).unwrap();
        assert_eq!(load_eases(&text).unwrap(), list());
        assert_eq!(text.lines().count(), 6, "{text}");
        assert_eq!(load_eases(&save_eases(&[]).unwrap()).unwrap(), []);
        assert_eq!(load_eases(&text.replace('\n', "\r\n")).unwrap(), list());
    }

    #[test]
    fn faults_name_their_place() {
        let text = save_eases(&list()).unwrap();
        for (from, to, wanted) in [
            ("inbetween eases", "inbetween", "line 1"),
            ("version:1", "version:9", "newer"),
            ("overshoot: 3.0", "overshoot: NaN", "line 4"),
            ("overshoot: 3.0", "spring: 3.0", "line 4"),
            ("overshoot: 3.0", "overshoot: 300.0", "preset 2"),
            ("\"hold\"", "\"\u{5f39}\"", "preset 3"),
            ("\"hold\"", "\"\"", "preset 3"),
            ("Step", "Tcb", "preset 3"),
        ] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from}\n{text}");
            let error = load_eases(&broken).unwrap_err().to_string();
            assert!(error.contains(wanted), "{from} -> {to}: {error}");
        }
        for garbage in ["", "\u{0}", "(format", "(format:\"inbetween eases\",version:1)", "HIERARCHY\nROOT a"] {
            assert!(load_eases(garbage).is_err(), "{garbage:?}");
        }
    }
}
