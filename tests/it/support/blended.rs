//! Seeded edits of what is blended: spaces, layers, masks, clips that are added.

use super::arbitrary::{Seeded, clips};
use inbetween::{
    edit::{BlendEdit, ClipEdit, Edit},
    model::{
        Additive, AdditiveReference, AdditiveSpace, Axis, BlendScheme, BlendSpace, BlendSpaceId, ClipId, Document,
        JointMask, JointMaskId, Layer, LayerId, LayerMode, ObjectId, Plays, SpaceSample, Sync,
    },
};
use std::sync::Arc;

/// What plays: a clip or a space, now and then one that is not there.
fn plays(random: &mut Seeded, document: &Document) -> Plays {
    let spaces: Vec<BlendSpaceId> = document.blend_spaces.keys().copied().collect();
    match (random.below(6), random.pick(&spaces), random.pick(&clips(document))) {
        (0, ..) => Plays::Clip(ClipId(9999)),
        (1 | 2, Some(space), _) => Plays::Space(space),
        (_, _, Some(clip)) => Plays::Clip(clip),
        _ => Plays::Clip(ClipId(0)),
    }
}

fn space(random: &mut Seeded, document: &Document) -> Arc<BlendSpace> {
    let axis = |random: &mut Seeded, unit: &str| Axis::new("axis", unit, [-1.0 - random.part(), 1.0 + random.part()]);
    let axes = [axis(random, "m/s"), axis(random, "deg")];
    let mut space = BlendSpace::new("space", axes);
    space.scheme = BlendScheme::ALL[random.below(9)];
    space.sync = Sync::ALL[random.below(3)];
    for _ in 0..random.below(5) {
        let at = [random.around(1.0), random.around(1.0)];
        let sample = SpaceSample { weight: random.part(), ..SpaceSample::new(plays(random, document), at) };
        space.samples.push(sample);
    }
    Arc::new(space)
}

/// An edit of a blend space, a layer, a mask or a clip that is added, mostly one that can be done.
pub(crate) fn edit(random: &mut Seeded, document: &Document) -> Edit {
    let spaces: Vec<BlendSpaceId> = document.blend_spaces.keys().copied().collect();
    let masks: Vec<JointMaskId> = document.masks.keys().copied().collect();
    let objects: Vec<ObjectId> = document.objects.keys().copied().collect();
    let (space_id, mask_id) = (random.pick(&spaces), random.pick(&masks));
    let Some(object) = random.pick(&objects) else { return Edit::none() };
    let layer = LayerId(random.below(3) as u32);
    match random.below(10) {
        0 => BlendEdit::AddSpace { id: BlendSpaceId(document.next_id), space: space(random, document) }.into(),
        1 => match space_id {
            Some(id) => BlendEdit::SetSpace { id, space: space(random, document) }.into(),
            None => Edit::none(),
        },
        2 => space_id.map_or_else(Edit::none, |id| BlendEdit::DeleteSpace { id }.into()),
        3 => {
            let joints = [("joint 1".to_owned(), random.part()), ("gone".to_owned(), 1.0)].into();
            let mask = JointMask { name: "mask".to_owned(), joints, others: random.part() };
            BlendEdit::AddMask { id: JointMaskId(document.next_id), mask: Arc::new(mask) }.into()
        }
        4 => mask_id.map_or_else(Edit::none, |id| BlendEdit::DeleteMask { id }.into()),
        5 => BlendEdit::MoveLayer { object, layer, to: random.below(4) }.into(),
        6 => BlendEdit::DeleteLayer { object, layer }.into(),
        7 => {
            let Some(clip) = random.pick(&clips(document)) else { return Edit::none() };
            let reference = match random.below(3) {
                0 => AdditiveReference::Rest,
                1 => AdditiveReference::Frame(random.frame(80)),
                _ => AdditiveReference::Clip(clip),
            };
            let additive = Some(Additive { reference, space: AdditiveSpace::ALL[random.below(3)] });
            ClipEdit::SetAdditive { clip, additive }.into()
        }
        _ => {
            let mode = if random.coin() { LayerMode::Override } else { LayerMode::Additive };
            let layer = Layer {
                mode,
                weight: random.part(),
                point: [random.around(2.0), random.around(2.0)],
                mask: mask_id,
                start: random.around(0.5),
                muted: random.below(3) == 0,
                solo: random.below(5) == 0,
                ..Layer::new(layer, "layer", plays(random, document))
            };
            BlendEdit::SetLayer { object, layer: Arc::new(layer) }.into()
        }
    }
}
