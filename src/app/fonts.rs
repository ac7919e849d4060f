//! Fonts for names in scripts that egui's own fonts lack: looked for among the system's, once such a name turns up, beside
//! the window.

use egui::{
    FontData, FontFamily,
    epaint::text::{FontInsert, FontPriority, InsertFontFamily},
};
use std::sync::Arc;

/// Families that hold Chinese and Japanese, the best first: a part of the family's name, lower case.
const FAMILIES: &[&str] = &[
    "noto sans cjk",
    "noto sans sc",
    "noto sans jp",
    "source han sans",
    "pingfang",
    "hiragino sans",
    "microsoft yahei",
    "yu gothic",
    "meiryo",
    "malgun gothic",
    "wenquanyi",
    "droid sans fallback",
    "noto serif cjk",
    "simsun",
    "ms gothic",
    "ipagothic",
    "ipaexgothic",
    "takao",
    "unifont",
];

/// How many fonts are added: one rarely holds all scripts.
const ADDED: usize = 3;

/// Whether a text has characters that egui's own fonts lack.
pub(super) fn needs_system_fonts(text: &str) -> bool {
    // Hebrew and on, but for punctuation, symbols and emoji, which are there.
    text.chars().any(|c| matches!(c, '\u{0590}'..='\u{1DFF}' | '\u{2E80}'..='\u{FDFF}' | '\u{20000}'..='\u{3FFFF}'))
}

/// Looks for fonts on the system; what is found is to be added to a context.
pub(super) fn find() -> Vec<FontInsert> {
    let mut database = fontdb::Database::new();
    database.load_system_fonts();
    let rank = |face: &fontdb::FaceInfo| {
        let names = face.families.iter().map(|(name, _)| name.to_lowercase());
        names.filter_map(|name| FAMILIES.iter().position(|family| name.contains(family))).min()
    };
    let plain = |face: &fontdb::FaceInfo| face.weight.0.abs_diff(400);
    let mut faces: Vec<_> = database
        .faces()
        .filter(|face| face.style == fontdb::Style::Normal)
        .filter_map(|face| Some((rank(face)?, plain(face), face.post_script_name.clone(), face.id)))
        .collect();
    faces.sort();
    faces.dedup_by_key(|(rank, ..)| *rank);
    faces.into_iter().take(ADDED).filter_map(|(_, _, name, id)| insert(&database, name, id)).collect()
}

fn insert(database: &fontdb::Database, name: String, id: fontdb::ID) -> Option<FontInsert> {
    let (bytes, index) = database.with_face_data(id, |bytes, index| (bytes.to_vec(), index))?;
    let families = [FontFamily::Proportional, FontFamily::Monospace]
        .map(|family| InsertFontFamily { family, priority: FontPriority::Lowest });
    Some(FontInsert {
        name,
        data: Arc::unwrap_or_clone(Arc::new(FontData { index, ..FontData::from_owned(bytes) })),
        families: families.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_foreign_scripts_need_fonts() {
        assert!(!needs_system_fonts("Hips_L.001 é ß Привет Ω → ✔"));
        assert!(needs_system_fonts("左手") && needs_system_fonts("センター") && needs_system_fonts("손"));
    }
}
