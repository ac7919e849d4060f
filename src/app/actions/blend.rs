//! Blend spaces made by commands, their panel brought to the front, and what plays baked to clips beside the window.

use super::rigging::{Done, Rigged};
use crate::{
    app::{dispatch::told, jobs::JobKind, state::JobResult, window::App},
    command::{CommandId as Id, PanelId},
    edit::{
        ClipEdit, Edit, EditError,
        blend::{bake_layers, bake_loop, new_space},
        clips::free_clip_name,
    },
    eval::blend::slide::{PLACES, space_slide},
    interact::{
        blend_space::{BakeWish, SlideAsk, Slides},
        view_state::ViewChange,
    },
    model::{Clip, Document, Sync},
    progress::{Cancelled, Progress},
    text::{fill, t},
};
use std::sync::Arc;

impl App {
    /// Carries out a command about blend spaces.
    pub(in crate::app) fn add_blend_space(&mut self, id: Id) {
        let (axes, name) =
            if id == Id::AddSpaceLine { (1, "blend_space.new_line") } else { (2, "blend_space.new_plane") };
        let (space, edit) = new_space(self.state.session.document(), &t(name), axes);
        let done = self.state.session.apply("history.space_add", &edit).map(|_| ());
        told(self, done);
        let view = self.state.view.blend.of_space(space);
        self.state.view.apply(ViewChange::Blend(view));
        self.dock.reveal(self.state.settings.workspace, PanelId::BlendSpace);
    }

    /// Makes a clip of what an object's layers play, beside the window.
    pub(in crate::app) fn bake(&mut self, wish: BakeWish, ctx: &egui::Context) {
        let base = self.state.session.base().clone();
        self.start(JobKind::Rigging, ctx, move |progress| {
            let done = baked(&base, &wish, progress);
            JobResult::Rigged(Rigged { base, done })
        });
    }

    /// Measures beside the window how feet slide.
    pub(in crate::app) fn measure_slide(&mut self, of: SlideAsk, ctx: &egui::Context) {
        let base = self.state.session.base().clone();
        let work = move |progress: &Progress| JobResult::Slid(slides(&base, of, progress).ok().map(Box::new));
        self.start(JobKind::Slide, ctx, work);
    }

    /// Shows how feet slide; nothing where it was stopped.
    pub(in crate::app) fn slid(&mut self, found: Option<Box<Slides>>) {
        if let Some(found) = found {
            self.state.view.blend.slides = Some(Arc::from(found));
        }
    }
}

fn slides(document: &Document, of: SlideAsk, progress: &Progress) -> Result<Slides, Cancelled> {
    let mut document = document.clone();
    Arc::make_mut(&mut document.blend_spaces).insert(of.id, Arc::new(of.space.clone()));
    progress.start("", u64::from(PLACES) * Sync::ALL.len() as u64);
    let ways = [Sync::Free, Sync::Normalised, Sync::Markers].into_iter();
    let found = ways.map(|sync| Ok((sync, space_slide(&document, of.rig, (of.id, of.point), sync, progress)?)));
    Ok(Slides { found: found.collect::<Result<_, Cancelled>>()?, of })
}

fn baked(document: &Document, wish: &BakeWish, progress: &Progress) -> Result<Done, EditError> {
    let name = free_clip_name(document, &wish.name);
    let (label, edit) = match wish.loop_at {
        None => {
            let frames = document.settings.play_range;
            ("history.bake_layers", bake_layers(document, wish.object, frames, &name, wish.reduce, progress))
        }
        Some(secs) => ("history.bake_loop", bake_loop(document, wish.object, secs, &name, wish.reduce, progress)),
    };
    let edit = edit.map_err(|Cancelled| EditError::Stopped)??;
    Ok(Done { label, told: told_of(&edit), edit })
}

/// What came of it, in words.
fn told_of(edit: &Edit) -> String {
    let made = match edit {
        Edit::Batch(edits) => edits.iter().find_map(|edit| match edit {
            Edit::Clip(ClipEdit::Add { clip, .. }) => Some(clip),
            _ => None,
        }),
        _ => None,
    };
    let Some(clip) = made else { return String::new() };
    let (keys, samples) = counted(clip);
    let channels = clip.channels.len();
    if keys == 0 {
        return fill("blend_space.baked_samples", &[("channels", &channels), ("samples", &samples)]);
    }
    fill("blend_space.baked", &[("channels", &channels), ("keys", &keys), ("samples", &samples)])
}

/// How many keys a baked clip has, and how many samples it would have or has.
fn counted(clip: &Clip) -> (usize, u64) {
    let keys = clip.channels.values().filter(|curve| !curve.is_sampled()).map(|curve| curve.len()).sum();
    (keys, clip.range.len() * clip.channels.len() as u64)
}
