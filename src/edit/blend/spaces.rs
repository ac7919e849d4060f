//! Blend spaces made, copied, played by a character, and the point that plays in them.

use super::BlendEdit;
use crate::{
    edit::{ClipEdit, Edit, EditError, ObjectEdit, SettingsEdit, numbers::numbers_edit, pose::AutoKey},
    eval::blend::layers::plays_layers,
    model::{
        Axis, BlendScheme, BlendSpace, BlendSpaceId, ChannelPath, Clip, ClipId, Document, FrameRange, Layer, LayerId,
        LayerMode, ObjectId, Plays, Property, names,
    },
};
use std::sync::Arc;

/// How long the clip is that is made to hold the point of a space, seconds.
const TAKE_SECS: i64 = 10;

/// A name that no blend space has: the one wanted, else with the first free number after it.
#[must_use]
pub fn free_space_name(document: &Document, wanted: &str) -> String {
    names::free(wanted, |name| document.blend_spaces.values().any(|space| space.name == name))
}

/// The edit that adds an empty space of one axis or two, and its id.
#[must_use]
pub fn new_space(document: &Document, name: &str, axes: usize) -> (BlendSpaceId, Edit) {
    let named = free_space_name(document, name);
    let mut space = BlendSpace::new(&named, [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])]);
    space.preview = [0.5, 0.5];
    if axes > 1 {
        space.scheme = BlendScheme::Delaunay;
    }
    added(document, space)
}

/// The edit that adds a space, and its id.
#[must_use]
pub fn added(document: &Document, space: BlendSpace) -> (BlendSpaceId, Edit) {
    let id = BlendSpaceId(document.next_id);
    (id, BlendEdit::AddSpace { id, space: Arc::new(space) }.into())
}

/// The edit that changes a space.
///
/// # Errors
/// Where there is no such space.
pub fn with_space(
    document: &Document,
    id: BlendSpaceId,
    change: impl FnOnce(&mut BlendSpace),
) -> Result<Edit, EditError> {
    let mut space = (**document.blend_spaces.get(&id).ok_or(EditError::NoSpace(id))?).clone();
    change(&mut space);
    Ok(BlendEdit::SetSpace { id, space: Arc::new(space) }.into())
}

/// The edit by which a rig object plays a space, at the space's preview point: the layer that played another space plays this
/// one, else one is put over the layers that go over the whole body, below those that are masked or added.
///
/// Where the document's clip is one of those that are blended, or there is none, an empty one of `take`, ten seconds long,
/// takes its place to hold the curves of the point, and the object keeps what it played as its own clip.
///
/// # Errors
/// Where there is no such object or space.
pub fn play_space(document: &Document, object: ObjectId, space: BlendSpaceId, take: &str) -> Result<Edit, EditError> {
    let found = document.object(object).ok_or(EditError::NoObject(object))?;
    let played = document.blend_spaces.get(&space).ok_or(EditError::NoSpace(space))?;
    let mut edits = Vec::new();
    if document.settings.clip.is_none_or(|clip| plays_clip(document, space, clip)) {
        let id = ClipId(document.next_id);
        let rate = document.settings.rate;
        let last = rate.nearest_frame(TAKE_SECS as f64) - 1;
        let clip = Clip::new(take, FrameRange::new(0, last.max(1)));
        let range = clip.range;
        if let (None, Some(before)) = (found.clip, document.clip_of(object)) {
            edits.push(ObjectEdit::SetClip { object, clip: Some(before) }.into());
        }
        edits.push(ClipEdit::Add { id, clip: Arc::new(clip) }.into());
        edits.push(SettingsEdit::SetClip(Some(id)).into());
        edits.push(SettingsEdit::SetPlayRange(range).into());
    }
    let whole = |layer: &Layer| layer.mode == LayerMode::Override && layer.mask.is_none();
    let mut layers = found.layers.iter();
    let (layer, above) = match layers.find(|layer| whole(layer) && matches!(layer.plays, Plays::Space(_))) {
        Some(before) => (Layer { muted: false, ..(**before).clone() }, None),
        None => {
            let place = found.layers.iter().rposition(|layer| whole(layer)).map_or(0, |at| at + 1);
            (Layer::new(found.fresh_layer_id(), &played.name, Plays::Space(space)), Some(place))
        }
    };
    let id = layer.id;
    let layer = Layer { name: played.name.clone(), plays: Plays::Space(space), point: played.preview, ..layer };
    edits.push(BlendEdit::SetLayer { object, layer: Arc::new(layer) }.into());
    if let Some(to) = above.filter(|to| *to < found.layers.len()) {
        edits.push(BlendEdit::MoveLayer { object, layer: id, to }.into());
    }
    Ok(Edit::Batch(edits))
}

/// Whether a space plays a clip, itself or through spaces in it.
#[must_use]
pub fn plays_clip(document: &Document, space: BlendSpaceId, clip: ClipId) -> bool {
    let of = |id: &BlendSpaceId| {
        let samples = document.blend_spaces.get(id).map(|space| space.samples.as_slice()).unwrap_or_default();
        samples.iter().any(|sample| sample.plays == Plays::Clip(clip))
    };
    of(&space) || document.blend_spaces.keys().any(|inner| of(inner) && document.space_contains(space, *inner))
}

/// The edit that moves the point a layer plays in its space at a time, along so many axes: coordinates that have curves are
/// keyed, or wait where auto-key is off.
///
/// # Errors
/// Where the object has no such layer, or a driver gives the coordinate.
pub fn move_point(
    document: &Document,
    (object, layer): (ObjectId, LayerId),
    to: &[f64],
    secs: f64,
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let point = std::array::from_fn(|axis| to.get(axis).copied().unwrap_or(0.0));
    record_point(document, (object, layer), to.len(), &[(secs, point)], auto_key)
}

/// The same at several times in order, along so many axes: what was dragged while the time ran, a point a frame.
///
/// # Errors
/// As [`move_point`].
pub fn record_point(
    document: &Document,
    (object, layer): (ObjectId, LayerId),
    axes: usize,
    points: &[(f64, [f64; 2])],
    auto_key: AutoKey,
) -> Result<Edit, EditError> {
    let mut base = document.clone();
    let mut edits = Vec::new();
    for (axis, property) in Property::LAYER[1..].iter().enumerate().take(axes.min(2)) {
        let path = ChannelPath::layer(object, layer, *property);
        let values: Vec<(f64, f64)> = points.iter().map(|(secs, point)| (*secs, point[axis])).collect();
        let edit = numbers_edit(&base, path, &values, auto_key)?;
        edit.apply(&mut base)?;
        edits.push(edit);
    }
    Ok(Edit::Batch(edits))
}

/// The edit by which an object no longer plays a space: its layers that do go, with their curves.
#[must_use]
pub fn stop_space(document: &Document, object: ObjectId, space: BlendSpaceId) -> Option<Edit> {
    let found = document.object(object).filter(|_| plays_layers(document, object))?;
    let playing = found.layers.iter().filter(|layer| layer.plays == Plays::Space(space));
    let edits: Vec<Edit> = playing.map(|layer| BlendEdit::DeleteLayer { object, layer: layer.id }.into()).collect();
    (!edits.is_empty()).then_some(Edit::Batch(edits))
}
