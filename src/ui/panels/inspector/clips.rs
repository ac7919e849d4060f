//! The clips: which one plays, their names, deleting them.

use super::folding;
use crate::{
    edit::{ClipEdit, Edit, ObjectEdit, SettingsEdit},
    model::{ClipId, Document, ObjectId},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        theme::ROW_PT,
        widgets::{IconButton, set_name, text_field},
    },
};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    if ctx.document.clips.is_empty() {
        return;
    }
    let playing = ctx.document.clip_of(object);
    folding(ui, "inspector.clips", |ui| {
        for (id, clip) in ctx.document.clips.iter() {
            ui.push_id(id, |ui| row(ui, ctx, object, *id, &clip.name, playing == Some(*id)));
        }
    });
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, clip: ClipId, name: &str, playing: bool) {
    ui.horizontal(|ui| {
        let play = fill("inspector.play_clip", &[("name", &name)]);
        let radio = ui.radio(playing, "").on_hover_text(&play);
        set_name(ui, &radio, &play);
        if radio.clicked() && !playing {
            ctx.commands.apply("history.set_clip", playing_edit(ctx.document, object, clip));
        }
        let width = (ui.available_width() - ROW_PT * 2.0 - 60.0).max(60.0);
        let (_, renamed) = text_field(ui, &t("inspector.clip_name"), name, width);
        if let Some(name) = renamed.filter(|name| !name.trim().is_empty()) {
            ctx.commands.apply("history.rename", ClipEdit::Rename { clip, name: name.trim().to_owned() }.into());
        }
        if let Some(clip) = ctx.document.clip(clip) {
            ui.weak(fill("inspector.frames", &[("first", &clip.range.first), ("last", &clip.range.last)]));
        }
        let delete = fill("inspector.delete", &[("name", &name)]);
        if IconButton::new(Icon::Delete, &delete).colour(ctx.colours.weak).show(ui).clicked() {
            ctx.commands.apply("history.delete_clip", ClipEdit::Delete { clip }.into());
        }
    });
}

/// The object plays the clip. Where the whole of the former one played, the whole of this one plays then; a range of one's
/// own stays.
fn playing_edit(document: &Document, object: ObjectId, clip: ClipId) -> Edit {
    let set = Edit::from(ObjectEdit::SetClip { object, clip: Some(clip) });
    let range = |id: ClipId| document.clip(id).map(|clip| clip.range);
    let whole = document.clip_of(object).and_then(range) == Some(document.settings.play_range);
    match range(clip).filter(|_| whole) {
        Some(range) => Edit::Batch(vec![set, SettingsEdit::SetPlayRange(range).into()]),
        None => set,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, FrameRange, Object, Rig};
    use std::sync::Arc;

    #[test]
    fn the_play_range_goes_with_the_clip_where_it_was_the_whole_of_the_former() {
        let mut document = Document::default();
        let object = document.add_object(Object::rig("rig", Rig::default()));
        let walk = document.add_clip(Clip::new("walk", FrameRange::new(0, 191)));
        let run = document.add_clip(Clip::new("run", FrameRange::new(0, 85)));
        let settings = Arc::make_mut(&mut document.settings);
        (settings.clip, settings.play_range) = (Some(walk), FrameRange::new(0, 191));
        let range_after = |document: &Document| {
            let mut after = document.clone();
            playing_edit(document, object, run).apply(&mut after).unwrap();
            assert_eq!(after.clip_of(object), Some(run));
            after.settings.play_range
        };
        assert_eq!(range_after(&document), FrameRange::new(0, 85));
        Arc::make_mut(&mut document.settings).play_range = FrameRange::new(20, 40);
        assert_eq!(range_after(&document), FrameRange::new(20, 40));
    }
}
