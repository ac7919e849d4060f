//! The user's own eases: kept in the settings folder, taken from files and written to them.

use super::files::{failed, name_of};
use crate::{
    app::{dispatch::told, files::DialogKind, services::Storage, window::App},
    command::EaseWish,
    edit::{CurveEdit, CurveRef, Edit, KeyEdit, KeySelection},
    io::{
        file,
        ron::eases::{EaseFileError, load_eases, save_eases},
    },
    model::{Curve, EasePreset},
    notice::Notice,
    text::{fill, t},
};
use std::{path::Path, sync::Arc};

/// The name they are kept under.
const FILE: &str = "eases.ron";

/// The eases that are kept; none where they cannot be read, with the reason.
pub(in crate::app) fn kept(storage: &dyn Storage) -> (Vec<EasePreset>, Option<EaseFileError>) {
    match storage.load(FILE).map(|text| load_eases(&text)) {
        None => (Vec::new(), None),
        Some(Ok(presets)) => (presets, None),
        Some(Err(error)) => (Vec::new(), Some(error)),
    }
}

impl App {
    /// Does something with the user's eases.
    pub(in crate::app) fn eases(&mut self, wish: EaseWish, ctx: &egui::Context) {
        match wish {
            EaseWish::Keep(presets) => self.keep_eases(presets),
            EaseWish::Import => self.ask_for(DialogKind::ImportEases, None, ctx),
            EaseWish::Give(preset) => self.give_ease(&preset),
            EaseWish::Export => self.ask_for(DialogKind::ExportEases, Some("eases.ron".to_owned()), ctx),
        }
    }

    /// Gives the selected keys an ease; captured curves among theirs become keys first.
    fn give_ease(&mut self, preset: &EasePreset) {
        let session = &self.state.session;
        let document = session.document();
        let selected = &session.selection().keys;
        let scalar = |at: &CurveRef| at.find(document).is_some_and(|curve| matches!(**curve, Curve::Scalar(_)));
        let keys: KeySelection = selected.iter().filter(|(at, _)| scalar(at)).collect();
        if keys.is_empty() {
            return self.state.tell(Notice::info(t("presets.no_keys")));
        }
        let captured = |at: &CurveRef| at.find(document).is_some_and(|curve| curve.is_sampled());
        let curves: Vec<CurveRef> = keys.curves().map(|(at, _)| at).filter(captured).collect();
        let converted = curves.len();
        let mut edits: Vec<Edit> = Vec::new();
        if converted > 0 {
            edits.push(CurveEdit::ConvertToKeys { curves }.into());
        }
        let interpolation = Some(preset.interpolation);
        edits.push(KeyEdit::SetEase { keys, interpolation, ease: preset.ease }.into());
        let done = self.state.session.apply("history.ease", &Edit::Batch(edits)).map(|_| ());
        if done.is_ok() && converted > 0 {
            let text = fill("graph.converted", &[("count", &converted)]);
            self.state.tell(Notice::info(text).with_details(t("graph.converted_details")));
        }
        told(self, done);
    }

    fn keep_eases(&mut self, presets: Vec<EasePreset>) {
        let kept = save_eases(&presets)
            .map_err(|error| error.to_string())
            .and_then(|text| self.state.services.storage.save(FILE, &text));
        match kept {
            Ok(()) => self.state.view.eases = Arc::new(presets),
            Err(error) => self.state.tell(Notice::warn(t("presets.not_kept")).with_details(error)),
        }
    }

    /// Adds the eases of a file to the user's: those that are there already stay as they are, of two with one name the new
    /// one gets another.
    pub(in crate::app) fn read_eases(&mut self, path: &Path) {
        let read = file::read(path).map_err(|error| error.to_string()).and_then(|bytes| {
            let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
            load_eases(&text).map_err(|error| error.to_string())
        });
        let found = match read {
            Ok(found) => found,
            Err(error) => return self.state.tell(failed("presets.not_imported", path, &error)),
        };
        let (presets, added) = joined(&self.state.view.eases, found);
        self.keep_eases(presets);
        let text = fill("presets.imported", &[("count", &added), ("name", &name_of(path))]);
        self.state.tell(Notice::info(text));
    }

    /// Writes the user's eases to a file.
    pub(in crate::app) fn write_eases(&mut self, path: &Path) {
        let written = save_eases(&self.state.view.eases)
            .map_err(|error| error.to_string())
            .and_then(|text| file::write(path, text.as_bytes()).map_err(|error| error.to_string()));
        self.state.tell(match written {
            Ok(()) => Notice::info(fill("file.saved", &[("name", &name_of(path))])),
            Err(error) => failed("file.not_saved", path, &error),
        });
    }
}

/// Presets with others added, and how many were new.
fn joined(known: &[EasePreset], found: Vec<EasePreset>) -> (Vec<EasePreset>, usize) {
    let mut presets = known.to_vec();
    for preset in found {
        if presets.contains(&preset) || presets.len() >= EasePreset::MOST {
            continue;
        }
        let name = EasePreset::free_name(&preset.name, &presets);
        presets.push(EasePreset { name, ..preset });
    }
    let added = presets.len() - known.len();
    (presets, added)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EaseShape, Interpolation};

    #[test]
    fn presets_are_joined_and_none_is_lost() {
        let preset =
            |name: &str, interpolation| EasePreset { name: name.to_owned(), interpolation, ease: EaseShape::default() };
        let known = [preset("a", Interpolation::Sine), preset("b", Interpolation::Quad)];
        let found =
            vec![preset("a", Interpolation::Sine), preset("b", Interpolation::Expo), preset("c", Interpolation::Circ)];
        let (all, added) = joined(&known, found);
        assert_eq!(added, 2);
        assert_eq!(all.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["a", "b", "b 2", "c"]);
        assert_eq!(all[..2], known);
        assert_eq!(all[2].interpolation, Interpolation::Expo);
    }
}
