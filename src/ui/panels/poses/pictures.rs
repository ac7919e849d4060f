//! The pictures of the library's poses: drawn one a frame, kept while pose, body and colours are the same.

use crate::render::scene::{Picture, RenderScene};
use crate::{
    interact::view_state::ThemeChoice,
    model::{ObjectId, Pose, PoseId, Skeleton},
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

/// A picture that was asked for.
struct Asked {
    number: u64,
    id: PoseId,
    key: Key,
    scene: Arc<RenderScene>,
    /// Whether its card was seen in this frame.
    seen: bool,
}

/// The pictures.
#[derive(Default)]
pub(super) struct Pictures {
    figures: Figures,
    kept: BTreeMap<PoseId, (Key, TextureHandle)>,
    /// The one that is being drawn.
    asked: Option<Asked>,
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
            if let Some(Asked { id, key, .. }) = self.asked.take_if(|asked| asked.number == number) {
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
        if fresh || !ctx.painter.draws() || !ui.is_rect_visible(place) {
            return texture;
        }
        if self.asked.is_none() {
            let portrait = Portrait {
                document: ctx.document,
                object,
                pose,
                size: [f64::from(place.width()), f64::from(place.height())],
                palette: Palette::of(style_theme(ctx.view.theme)),
            };
            let scene = portrait.scene(&mut self.figures)?;
            self.number += 1;
            self.asked = Some(Asked { number: self.number, id, key, scene: Arc::new(scene), seen: true });
        }
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.id == id) {
            asked.seen = true;
            // Again and again until it comes: a frame may be laid out and never painted. Where the card is cut off at the
            // panel's edge its visible part is place enough.
            let seen = place.intersect(ui.clip_rect());
            ctx.painter.request(ui.painter(), seen, asked.number, asked.scene.clone(), asked.key.size);
        }
        // One after the other.
        ui.ctx().request_repaint();
        texture
    }

    /// Drops what was asked for in a place that is no longer seen.
    pub(super) fn end(&mut self) {
        self.asked.take_if(|asked| !std::mem::take(&mut asked.seen));
    }
}

fn image(picture: &Picture) -> ColorImage {
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, picture.pixels.as_flattened())
}
