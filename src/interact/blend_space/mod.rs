//! The editor of blend spaces: what it shows, and what its clicks and drags mean.

mod drags;
mod plot;
mod weights;

pub use drags::{PointOf, Ridden, Taken, point_edit, sample_place};
pub use plot::{SpacePlot, Under, whole};
pub use weights::{Apart, Jumps, Known, apart, difference, jumps, weights_key};

use super::plot_view::PlotRange;
use crate::{
    edit::{Selection, blend::Reduce},
    eval::blend::slide::Slide,
    model::{BlendScheme, BlendSpace, BlendSpaceId, Document, LayerId, ObjectId, Plays, Sync},
};
use std::sync::Arc;

/// Whether the gesture of a label moves no handle of the 3D view, so that the view may move meanwhile: one in a blend space.
#[must_use]
pub fn moves_no_handle(label: &str) -> bool {
    label.strip_prefix("history.").is_some_and(|label| label.starts_with("space_"))
}

/// What the heat map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heat {
    /// Nothing.
    Off,
    /// Each sample in its colour, mixed by weight.
    #[default]
    All,
    /// The weight of the chosen sample.
    Chosen,
}

impl Heat {
    /// All, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Off, Self::All, Self::Chosen];
}

/// What the editor of blend spaces shows, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlendView {
    /// The space in question; none for that which plays, or the first.
    pub space: Option<BlendSpaceId>,
    /// The chosen sample, by its place in the list.
    pub sample: Option<usize>,
    /// The part of the plane that is seen; none for all of it.
    pub range: Option<PlotRange>,
    /// What the heat map shows.
    pub heat: Heat,
    /// Whether lines of equal weight are drawn.
    pub lines: bool,
    /// The scheme that the space's own is compared with; none compares with nothing.
    pub against: Option<BlendScheme>,
    /// How feet slide, as it was measured last.
    pub slides: Option<Arc<Slides>>,
}

impl BlendView {
    /// The space in question: the one chosen while it exists, else one that the object in question plays, else the first.
    #[must_use]
    pub fn shown(&self, document: &Document, selection: &Selection) -> Option<BlendSpaceId> {
        let chosen = self.space.filter(|space| document.blend_spaces.contains_key(space));
        let played = || {
            let objects = selection.active.map(|target| target.object()).into_iter();
            let mut objects = objects.chain(document.rigs().map(|(id, ..)| id));
            objects.find_map(|object| {
                let layers = &document.object(object)?.layers;
                layers.iter().rev().find_map(|layer| match layer.plays {
                    Plays::Space(space) => Some(space),
                    Plays::Clip(_) => None,
                })
            })
        };
        chosen.or_else(played).or_else(|| document.blend_spaces.keys().next().copied())
    }

    /// Another space in question, seen whole.
    #[must_use]
    pub fn of_space(&self, space: BlendSpaceId) -> Self {
        Self { space: Some(space), sample: None, range: None, ..self.clone() }
    }
}

/// What the slide of feet is asked of.
#[derive(Clone, Debug, PartialEq)]
pub struct SlideAsk {
    /// The character.
    pub rig: ObjectId,
    /// The space.
    pub id: BlendSpaceId,
    /// The same as it plays, each sample with the weight it has now.
    pub space: BlendSpace,
    /// The point, which stands still.
    pub point: [f64; 2],
}

impl SlideAsk {
    /// Whether the answer to another is that to this: which way of keeping step is in use says nothing about the others.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        let space = BlendSpace { sync: self.space.sync, preview: self.space.preview, ..other.space.clone() };
        *self == Self { space, ..other.clone() }
    }
}

/// How feet slide, each way of keeping step.
#[derive(Clone, Debug, PartialEq)]
pub struct Slides {
    /// What was asked.
    pub of: SlideAsk,
    /// What was found; none without feet.
    pub found: Vec<(Sync, Option<Slide>)>,
}

/// What is to be baked to a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeWish {
    /// The object whose layers play.
    pub object: ObjectId,
    /// Where one cycle is wanted that loops: at which time the mix is that of the cycle, seconds; none for the play range.
    pub loop_at: Option<f64>,
    /// The clip's name.
    pub name: String,
    /// How far keys may be from what plays; none for a sample a frame.
    pub reduce: Option<Reduce>,
}

/// The layer that plays a space: of the selected object, else of any; the topmost that is not muted.
#[must_use]
pub fn played_on(document: &Document, selection: &Selection, space: BlendSpaceId) -> Option<(ObjectId, LayerId)> {
    let on = |object: ObjectId| {
        let mut layers: Vec<_> = document.object(object)?.playing_layers().collect();
        layers.reverse();
        let layer = layers.into_iter().find(|layer| layer.plays == Plays::Space(space))?;
        Some((object, layer.id))
    };
    let active = selection.active.map(|target| target.object());
    active.and_then(on).or_else(|| document.rigs().find_map(|(object, ..)| on(object)))
}
