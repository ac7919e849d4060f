//! Pictures of a character in poses, for lists of poses and clips: drawn one a frame, kept while pose, body and colours are
//! the same.

use crate::render::scene::{Picture, RenderScene};
use crate::{
    interact::view_state::ThemeChoice,
    model::{ObjectId, Pose, Skeleton},
    scene::{Figures, Portrait},
    style::Palette,
    ui::{panel::PanelContext, theme::style_theme},
};
use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui};
use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// The number of the picture that was asked for last, by any list.
static NUMBER: AtomicU64 = AtomicU64::new(0);

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
struct Asked<K> {
    number: u64,
    id: K,
    key: Key,
    scene: Arc<RenderScene>,
    /// Whether its card was seen in this frame.
    seen: bool,
}

/// The pictures of a list whose rows are told apart by `K`.
pub struct Portraits<K> {
    figures: Figures,
    kept: BTreeMap<K, (Key, TextureHandle)>,
    /// The one that is being drawn.
    asked: Option<Asked<K>>,
}

impl<K> Default for Portraits<K> {
    fn default() -> Self {
        Self { figures: Figures::default(), kept: BTreeMap::new(), asked: None }
    }
}

impl<K> std::fmt::Debug for Portraits<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Portraits").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

impl<K: Ord + Copy + Debug> Portraits<K> {
    /// Takes in what was drawn, and forgets rows that are gone.
    pub fn sync(&mut self, ui: &Ui, ctx: &mut PanelContext<'_>, is_there: impl Fn(&K) -> bool) {
        if let Some(number) = self.asked.as_ref().map(|asked| asked.number)
            && let Some(picture) = ctx.painter.picture(number)
            && let Some(Asked { id, key, .. }) = self.asked.take()
        {
            let texture = ui.ctx().load_texture(format!("portrait {id:?}"), image(&picture), TextureOptions::LINEAR);
            self.kept.insert(id, (key, texture));
        }
        self.kept.retain(|id, _| is_there(id));
    }

    /// The picture of a row's pose, an old one while a new one is drawn; none where there is none yet. Asks for it, if it is
    /// its turn.
    pub fn get(
        &mut self,
        ui: &Ui,
        ctx: &mut PanelContext<'_>,
        (id, pose, object): (K, &Arc<Pose>, ObjectId),
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
            let number = NUMBER.fetch_add(1, Ordering::Relaxed) + 1;
            self.asked = Some(Asked { number, id, key, scene: Arc::new(scene), seen: true });
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
    pub fn end(&mut self) {
        self.asked.take_if(|asked| !std::mem::take(&mut asked.seen));
    }
}

fn image(picture: &Picture) -> ColorImage {
    let size = [picture.width as usize, picture.height as usize];
    ColorImage::from_rgba_unmultiplied(size, picture.pixels.as_flattened())
}
