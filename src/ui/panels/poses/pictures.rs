//! The pictures of the library's poses: drawn one a frame, kept while pose, body and colours are the same.

use crate::{
    interact::view_state::ThemeChoice,
    model::{ObjectId, Pose, PoseId, Skeleton},
    render::scene::Picture,
    scene::{Figures, Portrait},
    style::Palette,
    ui::{panel::PanelContext, theme::style_theme},
};
use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui};
use std::{collections::BTreeMap, sync::Arc};

/// What a picture was drawn from.
#[derive(Debug)]
struct Key {
    pose: Arc<Pose>,
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    theme: ThemeChoice,
    size: [u32; 2],
}

impl Key {
    fn is_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pose, &other.pose)
            && self.object == other.object
            && Arc::ptr_eq(&self.skeleton, &other.skeleton)
            && self.theme == other.theme
            && self.size == other.size
    }
}

/// The pictures.
#[derive(Default)]
pub(super) struct Pictures {
    figures: Figures,
    kept: BTreeMap<PoseId, (Key, TextureHandle)>,
    /// The one asked for, under its number.
    asked: Option<(u64, PoseId, Key)>,
    number: u64,
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pictures").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

impl Pictures {
    /// Takes in what was drawn, and forgets poses that are gone.
    pub(super) fn sync(&mut self, ui: &Ui, ctx: &mut PanelContext<'_>) {
        for (number, picture) in ctx.painter.pictures() {
            if let Some((_, id, key)) = self.asked.take_if(|(asked, ..)| *asked == number) {
                let texture = ui.ctx().load_texture(format!("pose {id:?}"), image(&picture), TextureOptions::LINEAR);
                self.kept.insert(id, (key, texture));
            }
        }
        self.kept.retain(|id, _| ctx.document.poses.contains_key(id));
    }

    /// The picture of a pose, an old one while a new one is drawn; none where there is none yet. Asks for it, if it is its
    /// turn.
    pub(super) fn get(
        &mut self,
        ui: &Ui,
        ctx: &mut PanelContext<'_>,
        (id, pose, object): (PoseId, &Arc<Pose>, ObjectId),
        place: Rect,
    ) -> Option<TextureHandle> {
        let skeleton = ctx.document.object(object)?.as_rig()?.skeleton.clone();
        let scale = ui.ctx().pixels_per_point();
        let size = [place.width(), place.height()].map(|side| (side * scale).round().clamp(1.0, 1024.0) as u32);
        let key = Key { pose: pose.clone(), object, skeleton, theme: ctx.view.theme, size };
        let known = self.kept.get(&id);
        let fresh = known.is_some_and(|(of, _)| of.is_of(&key));
        let texture = known.map(|(_, texture)| texture.clone());
        if !fresh && self.asked.is_none() && ctx.painter.draws() && ui.is_rect_visible(place) {
            let portrait = Portrait {
                document: ctx.document,
                object,
                pose,
                size: [f64::from(place.width()), f64::from(place.height())],
                palette: Palette::of(style_theme(ctx.view.theme)),
            };
            if let Some(scene) = portrait.scene(&mut self.figures) {
                self.number += 1;
                // Where the card is cut off at the panel's edge its visible part is place enough.
                let seen = place.intersect(ui.clip_rect());
                ctx.painter.request(ui.painter(), seen, self.number, Arc::new(scene), size);
                self.asked = Some((self.number, id, key));
            }
        } else if !fresh && self.asked.is_some() {
            ui.ctx().request_repaint();
        }
        texture
    }

    /// Whether a picture was asked for that has not come.
    pub(super) fn waits(&self) -> bool {
        self.asked.is_some()
    }

    /// Asks again for what never came, because its place was hidden before it was drawn.
    pub(super) fn give_up(&mut self) {
        self.asked = None;
    }
}

fn image(picture: &Picture) -> ColorImage {
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, picture.pixels.as_flattened())
}
