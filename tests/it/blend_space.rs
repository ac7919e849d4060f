//! Blend spaces as their panel changes them: played by a character, their points moved, made by templates, baked.

use inbetween::{
    edit::{
        AutoKey, Edit, Selection,
        blend::{
            bake_loop, move_point, new_space, play_space, plays_clip, stop_space,
            templates::{Part, Template, from_template, guessed},
            with_space,
        },
    },
    eval::{Evaluator, blend::slide::space_slide},
    interact::blend_space::{BlendView, played_on},
    math::rotation::chord_angle,
    model::{
        BlendSpaceId, ClipId, Document, FrameRange, Layer, LayerId, LoopMode, ObjectId, Plays, Sync, names::find_clip,
    },
    progress::Progress,
    samples::SAMPLES,
};
use std::sync::Arc;

fn moves() -> (Document, ObjectId, BlendSpaceId) {
    let document = SAMPLES.iter().find(|sample| sample.id == "moves").map(|sample| (sample.build)()).unwrap();
    let object = document.rigs().next().unwrap().0;
    let space = *document.blend_spaces.keys().next().unwrap();
    (document, object, space)
}

fn applied(document: &Document, edit: &Edit) -> Document {
    let mut changed = document.clone();
    edit.apply(&mut changed).unwrap();
    assert_eq!(changed.problems(), []);
    changed
}

#[test]
fn the_space_in_question_is_chosen_played_or_the_first() {
    let (mut document, ..) = moves();
    let nothing = Selection::default();
    let spaces: Vec<BlendSpaceId> = document.blend_spaces.keys().copied().collect();
    let view = BlendView::default();
    assert_eq!(view.shown(&document, &nothing), Some(spaces[0]));
    assert_eq!(played_on(&document, &nothing, spaces[1]), None);
    let object = document.rigs().next().unwrap().0;
    let layer = Layer::new(LayerId(3), "ways", Plays::Space(spaces[1]));
    document.object_mut(object).unwrap().layers.push(Arc::new(layer));
    assert_eq!(view.shown(&document, &nothing), Some(spaces[1]));
    assert_eq!(played_on(&document, &nothing, spaces[1]), Some((object, LayerId(3))));
    assert_eq!(view.of_space(spaces[0]).shown(&document, &nothing), Some(spaces[0]));
    assert_eq!(view.of_space(BlendSpaceId(9999)).shown(&document, &nothing), Some(spaces[1]));
    assert_eq!(view.shown(&Document::default(), &nothing), None);
}

#[test]
fn a_space_is_played_below_what_is_masked_and_the_point_is_keyed() {
    let (mut document, object, space) = moves();
    let clip = |name: &str| Plays::Clip(find_clip(&document, name).unwrap());
    let (walk, wave) = (clip("Walk"), clip("Wave"));
    let mask = document.masks.keys().next().copied();
    let layers = [Layer::new(LayerId(0), "walk", walk), Layer { mask, ..Layer::new(LayerId(1), "wave", wave) }];
    document.object_mut(object).unwrap().layers = layers.map(Arc::new).into();
    let played = applied(&document, &play_space(&document, object, space, "Take").unwrap());
    let order: Vec<u32> = played.object(object).unwrap().layers.iter().map(|layer| layer.id.0).collect();
    assert_eq!(order, [0, 2, 1]);
    let take = played.settings.clip.unwrap();
    assert_eq!(played.clip(take).unwrap().name, "Take");
    assert_eq!(played.settings.play_range, FrameRange::new(0, 239));
    // Another space in its place is the same layer, and the clip stays.
    let other = *played.blend_spaces.keys().nth(1).unwrap();
    let again = applied(&played, &play_space(&played, object, other, "Take").unwrap());
    assert_eq!(again.object(object).unwrap().layers.len(), 3);
    assert_eq!((again.settings.clip, again.clips.len()), (Some(take), played.clips.len()));
    // Whole pose keys the point; then a move without auto-key waits.
    let of = (object, LayerId(2));
    let keyed = applied(&again, &move_point(&again, of, &[0.5, -1.0], 1.0, AutoKey::WholePose).unwrap());
    let there = |document: &Document, secs: f64| {
        let layer = Evaluator::new().frame(document, secs).layers.iter().find(|l| l.layer == of.1).cloned();
        layer.unwrap().samples
    };
    assert_eq!(there(&keyed, 1.0), there(&keyed, 3.0));
    let waits = applied(&keyed, &move_point(&keyed, of, &[0.0, 3.0], 2.0, AutoKey::Off).unwrap());
    assert!(waits.clip(take).unwrap().unkeyed_at(2.0).is_some());
    assert_ne!(there(&waits, 2.0), there(&keyed, 2.0));
    assert_eq!(there(&waits, 1.0), there(&keyed, 1.0));
    // Without auto-key and without curves the layer's own point is moved.
    let moved = applied(&again, &move_point(&again, of, &[0.5], 1.0, AutoKey::Off).unwrap());
    assert_eq!(moved.object(object).unwrap().layer(of.1).unwrap().point, [0.5, 0.0]);
    let stopped = applied(&keyed, &stop_space(&keyed, object, other).unwrap());
    assert_eq!(stopped.object(object).unwrap().layers.len(), 2);
    assert!(stopped.clip(take).unwrap().channels.is_empty());
    assert_eq!(stop_space(&stopped, object, other), None);
}

#[test]
fn what_is_not_there_is_refused() {
    let (document, object, space) = moves();
    assert!(play_space(&document, ObjectId(999), space, "t").is_err());
    assert!(play_space(&document, object, BlendSpaceId(999), "t").is_err());
    assert!(move_point(&document, (object, LayerId(9)), &[0.0, 0.0], 0.0, AutoKey::Off).is_err());
    assert!(!plays_clip(&document, space, ClipId(999)));
    let (id, edit) = new_space(&document, "Gait", 2);
    let added = applied(&document, &edit);
    assert_eq!(added.blend_spaces[&id].name, "Gait 2");
    let bad = with_space(&added, id, |space| space.preview = [f64::NAN, 0.0]).unwrap();
    assert!(bad.apply(&mut added.clone()).is_err());
}

#[test]
fn templates_of_the_moves_are_whole() {
    let (document, object, _) = moves();
    let name = |clip: ClipId| document.clip(clip).unwrap().name.as_str();
    for (template, wanted) in [
        (Template::Targeted, &["Idle", "Walk", "Strafe left", "Strafe right", "Run"][..]),
        (Template::Pivotal, &["Lean left", "Walk", "Lean right"][..]),
    ] {
        let clips: Vec<(Part, ClipId)> =
            template.parts().iter().filter_map(|part| Some((*part, guessed(&document, *part)?))).collect();
        assert_eq!(clips.iter().map(|(_, clip)| name(*clip)).collect::<Vec<_>>(), wanted);
        assert!(clips.len() >= template.needed());
        let (id, edit) = from_template(&document, object, template, &clips, "Ways");
        let mut with = document.clone();
        edit.apply(&mut with).unwrap();
        assert_eq!(with.problems(), []);
        let space = &with.blend_spaces[&id];
        assert_eq!(space.samples.len(), clips.len());
        if template == Template::Targeted {
            // The same places as those of the sample's own plane.
            let own = document.blend_spaces.values().find(|space| space.name == "Directions").unwrap();
            for sample in &space.samples {
                let other = own.samples.iter().find(|other| other.plays == sample.plays).unwrap();
                assert!((0..2).all(|axis| (other.at[axis] - sample.at[axis]).abs() < 2e-6), "{sample:?} {other:?}");
            }
            // Twice the same clip: the second is left out.
            let twice = [clips[1], (Part::Fast, clips[1].1)];
            let (id, edit) = from_template(&document, object, template, &twice, "Ways");
            let mut with = document.clone();
            edit.apply(&mut with).unwrap();
            assert_eq!(with.blend_spaces[&id].samples.len(), 1);
        }
    }
}

#[test]
fn feet_slide_less_in_step() {
    let (document, object, space) = moves();
    let slide = |sync| space_slide(&document, object, space, [2.0, 0.0], sync).unwrap();
    let [free, normalised, markers] = [Sync::Free, Sync::Normalised, Sync::Markers].map(slide);
    for (name, slide) in [("free", free), ("normalised", normalised), ("markers", markers)] {
        println!("{name}: {:.2} cm a step, {:.3} m/s, {} steps", 100.0 * slide.mean, slide.speed, slide.steps);
    }
    assert!(markers.speed < 0.5 * free.speed && markers.speed <= 1.05 * normalised.speed);
    assert_eq!(space_slide(&document, object, BlendSpaceId(999), [0.0; 2], Sync::Free), None);
}

#[test]
fn a_loop_is_one_cycle_that_closes() {
    let (document, object, space) = moves();
    let mut played = applied(&document, &play_space(&document, object, space, "Take").unwrap());
    assert!(bake_loop(&document, object, 0.0, "loop", None, &Progress::new()).unwrap().is_err());
    let layer = played.object(object).unwrap().layers[0].id;
    played = applied(&played, &move_point(&played, (object, layer), &[2.3], 0.0, AutoKey::WholePose).unwrap());
    played = applied(&played, &move_point(&played, (object, layer), &[0.4], 5.0, AutoKey::WholePose).unwrap());
    let baked = applied(&played, &bake_loop(&played, object, 0.0, "loop", None, &Progress::new()).unwrap().unwrap());
    let clip = baked.clip(baked.object(object).unwrap().clip.unwrap()).unwrap();
    assert!(clip.travels && clip.loop_mode == LoopMode::Loop && (15..24).contains(&clip.range.last), "{clip:?}");
    let rate = baked.settings.rate;
    let (first, last) = (
        Evaluator::new().rig_frame(&baked, object, 0.0).unwrap(),
        Evaluator::new().rig_frame(&baked, object, rate.secs(clip.range.last)).unwrap(),
    );
    for (index, (a, b)) in first.local.iter().zip(&last.local).enumerate() {
        assert!(chord_angle(&a.rotation, &b.rotation) < 1e-6, "{index}");
        assert!(index == 0 || (a.translation - b.translation).norm() < 1e-6, "{index}");
    }
    // It goes as fast as the point says.
    let gone = (last.local[0].translation - first.local[0].translation).norm() / rate.secs(clip.range.last);
    assert!((gone / 2.3 - 1.0).abs() < 0.05, "{gone}");
}
