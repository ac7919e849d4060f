use super::*;
use crate::model::{
    Additive, AdditiveSpace, Axis, BlendScheme, ChannelPath, Clip, Curve, FrameRange, Joint, JointId, KeyedCurve,
    Object, Rig, ScalarCurve, Skeleton, SpaceSample,
};

const OBJECT: ObjectId = ObjectId(1);

/// A rig, two clips, a space of both and a layer that plays it, its weight keyed.
fn document() -> (Document, [crate::model::ClipId; 2], BlendSpaceId) {
    let mut document = Document::default();
    let joints = vec![Joint::new(JointId(0), "hips", None, crate::math::Vec3::zeros())];
    document
        .add_object(Object::rig("rig", Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() }));
    let clips = ["walk", "run"].map(|name| document.add_clip(Clip::new(name, FrameRange::new(0, 24))));
    let axes = [Axis::new("speed", "m/s", [0.0, 4.0]), Axis::new("turn", "m/s", [-1.0, 1.0])];
    let mut space = BlendSpace { scheme: BlendScheme::Delaunay, ..BlendSpace::new("gait", axes) };
    space.samples =
        vec![SpaceSample::new(Plays::Clip(clips[0]), [1.0, 0.0]), SpaceSample::new(Plays::Clip(clips[1]), [3.0, 0.0])];
    let id = BlendSpaceId(document.next_id);
    BlendEdit::AddSpace { id, space: Arc::new(space) }.run(&mut document).unwrap();
    let layer = Arc::new(Layer::new(LayerId(0), "gait", Plays::Space(id)));
    BlendEdit::SetLayer { object: OBJECT, layer }.run(&mut document).unwrap();
    let path = ChannelPath::layer(OBJECT, LayerId(0), Property::Weight);
    let curve = Arc::new(Curve::Scalar(ScalarCurve::Keyed(KeyedCurve::default())));
    document.clip_mut(clips[1]).unwrap().channels.insert(path, curve);
    assert_eq!(document.problems(), []);
    (document, clips, id)
}

#[test]
fn what_played_a_deleted_clip_or_space_goes_with_it() {
    let (mut document, clips, id) = document();
    let reference = Additive { reference: AdditiveReference::Clip(clips[0]), space: AdditiveSpace::Bone };
    super::super::ClipEdit::SetAdditive { clip: clips[1], additive: Some(reference) }.run(&mut document).unwrap();
    let layers = vec![("gait".to_owned(), "rig".to_owned())];
    assert_eq!(players(&document, Plays::Space(id)), (layers, vec![]));
    assert_eq!(players(&document, Plays::Clip(clips[0])), (vec![], vec!["gait".to_owned()]));
    let mut without_clip = document.clone();
    super::super::ClipEdit::Delete { clip: clips[0] }.run(&mut without_clip).unwrap();
    assert_eq!(without_clip.problems(), []);
    assert_eq!(without_clip.blend_spaces[&id].samples.len(), 1);
    BlendEdit::DeleteSpace { id }.run(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    assert!(document.object(OBJECT).unwrap().layers.is_empty());
    assert!(document.clip(clips[1]).unwrap().channels.is_empty());
}

#[test]
fn a_space_is_not_put_into_itself_nor_two_samples_on_one_spot() {
    let (mut document, clips, id) = document();
    let inner = SpaceSample::new(Plays::Space(id), [2.0, 0.5]);
    let edit = set_sample(&document, id, None, inner).unwrap();
    assert_eq!(edit.apply(&mut document), Err(EditError::SpaceInItself(id)));
    let onto = move_sample(&document, id, 1, [1.0, 0.0]).unwrap();
    assert_eq!(onto.apply(&mut document), Err(EditError::SameSpot(id)));
    let beyond = move_sample(&document, id, 1, [99.0, f64::NAN]).unwrap();
    beyond.apply(&mut document).unwrap();
    assert_eq!(document.blend_spaces[&id].samples[1].at, [4.0, 0.0]);
    assert_eq!(move_sample(&document, id, 7, [0.0; 2]), Err(EditError::NoSample(id, 7)));
    let gone = crate::model::ClipId(99);
    let nowhere = set_sample(&document, id, None, SpaceSample::new(Plays::Clip(gone), [0.0, 0.0])).unwrap();
    assert_eq!(nowhere.apply(&mut document), Err(EditError::NoClip(gone)));
    let mut bad = (*document.blend_spaces[&id]).clone();
    bad.samples.push(SpaceSample { speed: 0.0, ..SpaceSample::new(Plays::Clip(clips[0]), [0.0, 1.0]) });
    assert!(BlendEdit::SetSpace { id, space: Arc::new(bad) }.run(&mut document).is_err());
}

#[test]
fn diagonals_turn_and_keep_their_ends_when_samples_go() {
    let (mut document, clips, id) = document();
    for at in [[0.0, -1.0], [0.0, 1.0], [4.0, -1.0], [4.0, 1.0]] {
        let sample = SpaceSample::new(Plays::Clip(clips[0]), at);
        set_sample(&document, id, None, sample).unwrap().apply(&mut document).unwrap();
    }
    for _ in 0..2 {
        remove_sample(&document, id, 0).unwrap().apply(&mut document).unwrap();
    }
    // A rectangle: the diagonal from its first corner, until it is turned.
    let turned = turn_diagonal(&document, id, [0, 3]).unwrap().unwrap();
    turned.apply(&mut document).unwrap();
    assert_eq!(document.blend_spaces[&id].diagonals, [[1, 2]]);
    let back = turn_diagonal(&document, id, [2, 1]).unwrap().unwrap();
    back.apply(&mut document).unwrap();
    assert_eq!(document.blend_spaces[&id].diagonals, Vec::<[usize; 2]>::new());
    assert_eq!(turn_diagonal(&document, id, [0, 1]).unwrap(), None);
}

#[test]
fn layers_move_and_masks_leave_them() {
    let (mut document, clips, _) = document();
    let mask = JointMaskId(document.next_id);
    let arm = Arc::new(JointMask { name: "arm".to_owned(), others: 0.5, ..JointMask::default() });
    BlendEdit::AddMask { id: mask, mask: arm }.run(&mut document).unwrap();
    let wave = Layer { mask: Some(mask), ..Layer::new(LayerId(1), "wave", Plays::Clip(clips[0])) };
    BlendEdit::SetLayer { object: OBJECT, layer: Arc::new(wave) }.run(&mut document).unwrap();
    BlendEdit::MoveLayer { object: OBJECT, layer: LayerId(1), to: 0 }.run(&mut document).unwrap();
    let ids = |document: &Document| document.object(OBJECT).unwrap().layers.iter().map(|l| l.id.0).collect::<Vec<_>>();
    assert_eq!(ids(&document), [1, 0]);
    let dropped = |layer: u32, onto: usize, above: bool| {
        let mut moved = document.clone();
        move_layer(&moved, OBJECT, LayerId(layer), onto, above)?.apply(&mut moved).unwrap();
        Some(ids(&moved))
    };
    // Onto the gaps it lies between nothing moves; beyond the top counts as the top.
    assert_eq!([dropped(1, 0, false), dropped(1, 0, true), dropped(1, 1, false)], [None, None, None]);
    assert_eq!([dropped(1, 1, true), dropped(1, 9, true)], [Some(vec![0, 1]), Some(vec![0, 1])]);
    assert_eq!([dropped(0, 0, false), dropped(7, 0, false)], [Some(vec![0, 1]), None]);
    BlendEdit::DeleteMask { id: mask }.run(&mut document).unwrap();
    assert_eq!((document.object(OBJECT).unwrap().layers[0].mask, document.problems()), (None, vec![]));
    BlendEdit::DeleteLayer { object: OBJECT, layer: LayerId(0) }.run(&mut document).unwrap();
    assert!(document.clip(clips[1]).unwrap().channels.is_empty());
    let missing = BlendEdit::DeleteLayer { object: OBJECT, layer: LayerId(0) }.run(&mut document);
    assert_eq!(missing, Err(EditError::NoLayer(OBJECT, LayerId(0))));
}
