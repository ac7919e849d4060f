//! Blend spaces as their panel changes them: played by a character, their points moved, made by templates, baked.

use inbetween::{
    edit::{
        AutoKey, ClipEdit, Edit, EditError, Selection,
        blend::{
            bake_loop, move_point, move_sample, new_space, play_space, plays_clip, record_point, remove_sample,
            stop_space,
            templates::{Given, Part, Template, backwards_of, from_template, guessed},
            with_space,
        },
        numbers::key_numbers,
    },
    eval::{
        Evaluator,
        blend::{
            additive::Delta,
            slide::space_slide,
            space::{PreparedSpace, SchemeOptions},
        },
    },
    interact::blend_space::{BlendView, Known, played_on},
    io::ron,
    math::{Transform, Vec3, rotation::chord_angle},
    model::{
        AdditiveSpace, Axis, BlendScheme, BlendSpace, BlendSpaceId, ChannelPath, ClipId, Document, FrameRange, Layer,
        LayerId, LoopMode, ObjectId, Plays, SpaceSample, Sync, names, names::find_clip,
    },
    progress::Progress,
    samples::SAMPLES,
};
use std::sync::Arc;

fn moves() -> (Document, ObjectId, BlendSpaceId) {
    // As saved: building them looks for contacts, which takes longer.
    let text = SAMPLES.iter().find(|sample| sample.id == "moves").map(|sample| sample.text).unwrap();
    let document = ron::load(text).unwrap();
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
    // Dragged while the time ran: a key a frame where there are curves.
    let ridden = [(1.0, [0.5, 0.0]), (1.5, [1.0, 0.0]), (2.0, [0.0, 2.0])];
    let played = applied(&keyed, &record_point(&keyed, of, 2, &ridden, AutoKey::On).unwrap());
    assert_ne!(there(&played, 1.5), there(&keyed, 1.5));
    assert_eq!(
        there(&played, 2.0),
        there(&applied(&keyed, &move_point(&keyed, of, &[0.0, 2.0], 2.0, AutoKey::On).unwrap()), 2.0)
    );
    // Without auto-key and without curves the layer's own point is moved.
    let moved = applied(&again, &move_point(&again, of, &[0.5], 1.0, AutoKey::Off).unwrap());
    assert_eq!(moved.object(object).unwrap().layer(of.1).unwrap().point, [0.5, 0.0]);
    let stopped = applied(&keyed, &stop_space(&keyed, object, other).unwrap());
    assert_eq!(stopped.object(object).unwrap().layers.len(), 2);
    assert!(stopped.clip(take).unwrap().channels.is_empty());
    assert_eq!(stop_space(&stopped, object, other), None);
}

/// A keyed weight of its own plays as told, goes with its sample when others go, and is read by name.
#[test]
fn own_weights_of_samples_are_channels() {
    let (document, object, _) = moves();
    let id = *document.blend_spaces.keys().nth(1).unwrap();
    let direct = with_space(&document, id, |space| {
        space.scheme = BlendScheme::Direct;
        (space.samples[0].weight, space.samples[1].weight) = (1.0, 1.0);
    });
    let document = applied(&document, &direct.unwrap());
    let document = applied(&document, &play_space(&document, object, id, "Take").unwrap());
    let layer = document.object(object).unwrap().layers[0].id;
    let path = |place| ChannelPath::sample(object, layer, place);
    let weights = |document: &Document, secs: f64| Evaluator::new().frame(document, secs).layers[0].samples.clone();
    assert_eq!(weights(&document, 1.0), [0.5, 0.5, 0.0, 0.0, 0.0]);
    // From idle and walk to idle and run, in four seconds.
    let mut keyed = document.clone();
    for (secs, [walk, run]) in [(0.0, [1.0, 0.0]), (4.0, [0.0, 1.0])] {
        keyed = applied(&keyed, &key_numbers(&keyed, &[(path(1), walk), (path(2), run)], secs).unwrap());
    }
    assert_eq!(weights(&keyed, 0.0), [0.5, 0.5, 0.0, 0.0, 0.0]);
    assert_eq!(weights(&keyed, 9.0), [0.5, 0.0, 0.5, 0.0, 0.0]);
    let middle = weights(&keyed, 2.0);
    assert!((middle[1] - 0.25).abs() < 1e-9 && (middle[2] - 0.25).abs() < 1e-9, "{middle:?}");
    // What is shown first does not count.
    let evaluator = Evaluator::new();
    let _ahead = evaluator.frame(&keyed, 7.0);
    let pose = |evaluator: &Evaluator| evaluator.frame(&keyed, 3.0).rig(object).unwrap().local.clone();
    assert_eq!(pose(&evaluator), pose(&Evaluator::new()));
    // Names and files.
    let name = names::channel_name(&keyed, path(2)).unwrap();
    assert_eq!((name.as_str(), names::find_channel(&keyed, &name)), ("Biped/layer 0 sample 2/weight", Some(path(2))));
    assert_eq!(path(2).to_string().parse(), Ok(path(2)));
    assert_eq!(ron::load(&ron::save(&keyed).unwrap()).unwrap(), keyed);
    // A sample goes: the run's curve is that of the run still; the clip deleted, the walk's is no more.
    let fewer = applied(&keyed, &remove_sample(&keyed, id, 0).unwrap());
    assert_eq!(weights(&fewer, 9.0), [0.0, 1.0, 0.0, 0.0]);
    let walk = find_clip(&fewer, "Walk").unwrap();
    let without = applied(&fewer, &Edit::from(ClipEdit::Delete { clip: walk }));
    assert_eq!(weights(&without, 9.0), [1.0, 0.0, 0.0]);
    let take = without.clip(without.settings.clip.unwrap()).unwrap();
    assert_eq!(take.channels.keys().copied().collect::<Vec<_>>(), [path(0)]);
    let stopped = applied(&keyed, &stop_space(&keyed, object, id).unwrap());
    assert!(stopped.clip(stopped.settings.clip.unwrap()).unwrap().channels.is_empty());
    // A loop at a time is that of its weights.
    let looped = applied(&keyed, &bake_loop(&keyed, object, 9.0, "loop", None, &Progress::new()).unwrap().unwrap());
    let clip = looped.clip(find_clip(&looped, "loop").unwrap()).unwrap();
    let run = keyed.clip(find_clip(&keyed, "Run").unwrap()).unwrap();
    assert_eq!(clip.range.len(), run.range.len());
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
        (Template::Speed, &["Idle", "Walk", "Run"][..]),
    ] {
        let clips: Vec<(Part, ClipId)> =
            template.parts().iter().filter_map(|part| Some((*part, guessed(&document, *part)?))).collect();
        assert_eq!(clips.iter().map(|(_, clip)| name(*clip)).collect::<Vec<_>>(), wanted);
        assert!(clips.len() >= template.needed());
        let made = |parts: &[(Part, Given)]| {
            let back = |name: &str| format!("{name} back");
            let made = from_template(&document, object, (template, parts), ("Ways", &back), &Progress::new());
            let (id, edit) = made.unwrap().unwrap();
            (id, applied(&document, &edit))
        };
        let mut parts: Vec<(Part, Given)> = clips.iter().map(|(part, clip)| (*part, Given::Clip(*clip))).collect();
        let (id, with) = made(&parts);
        assert_eq!(with.blend_spaces[&id].samples.len(), clips.len());
        if template == Template::Speed {
            // The same places as those of the sample's own line.
            let own = document.blend_spaces.values().find(|space| space.name == "Gait").unwrap();
            for (sample, other) in with.blend_spaces[&id].samples.iter().zip(&own.samples) {
                assert!(
                    sample.plays == other.plays && (sample.at[0] - other.at[0]).abs() < 2e-6,
                    "{sample:?} {other:?}"
                );
            }
        }
        if template != Template::Targeted {
            continue;
        }
        // The same places as those of the sample's own plane.
        let own = document.blend_spaces.values().find(|space| space.name == "Directions").unwrap();
        for sample in &with.blend_spaces[&id].samples {
            let other = own.samples.iter().find(|other| other.plays == sample.plays).unwrap();
            assert!((0..2).all(|axis| (other.at[axis] - sample.at[axis]).abs() < 2e-6), "{sample:?} {other:?}");
        }
        // Backward from forward: a clip more, as far behind as that is ahead, with steps of its own.
        let walk = clips[1].1;
        parts.push((Part::Backward, Given::Backwards(walk)));
        let (id, with) = made(&parts);
        let back = with.blend_spaces[&id].samples.last().unwrap();
        let Plays::Clip(clip) = back.plays else { panic!("{back:?}") };
        assert_eq!(with.clip(clip).unwrap().name, "Walk back");
        assert!((back.at[1] + with.blend_spaces[&id].samples[1].at[1]).abs() < 2e-6, "{back:?}");
        let steps = |clip: ClipId| with.clip(clip).unwrap().markers.iter().filter(|marker| marker.sync).count();
        assert_eq!(steps(clip), steps(walk));
        // The backward half has strafes of its own, behind the side, that go the way of those ahead with other legs.
        for (part, ahead) in [(Part::BackLeft, Part::Left), (Part::BackRight, Part::Right)] {
            let of = |wanted: Part| clips.iter().find(|(part, _)| *part == wanted).unwrap().1;
            parts.push((part, Given::Backwards(of(backwards_of(part).unwrap()))));
            let (id, with) = made(&parts);
            let (samples, strafe) = (&with.blend_spaces[&id].samples, Plays::Clip(of(ahead)));
            let (behind, side) =
                (samples.last().unwrap(), samples.iter().find(|sample| sample.plays == strafe).unwrap());
            assert_eq!(samples.len(), parts.len());
            assert!(behind.at[0] * side.at[0] > 0.0 && behind.at[1] < -0.1 * behind.at[0].abs(), "{behind:?}");
            assert!((behind.at[0].hypot(behind.at[1]) - side.at[0].hypot(side.at[1])).abs() < 1e-5);
            // To the left is to the left of the plane.
            assert_eq!(behind.at[0] < 0.0, part == Part::BackLeft);
        }
        // Twice the same clip: the second is left out. One that is gone is an error.
        let twice = [(Part::Forward, Given::Clip(walk)), (Part::Fast, Given::Clip(walk))];
        let (id, with) = made(&twice);
        assert_eq!(with.blend_spaces[&id].samples.len(), 1);
        let gone = [(Part::Backward, Given::Backwards(ClipId(9999)))];
        let names: (&str, &dyn Fn(&str) -> String) = ("Ways", &str::to_owned);
        let refused = from_template(&document, object, (template, &gone), names, &Progress::new());
        assert!(refused.unwrap().is_err());
    }
}

#[test]
fn feet_slide_less_in_step() {
    let (document, object, space) = moves();
    let measured = |space, point, sync| space_slide(&document, object, (space, point), sync, &Progress::new()).unwrap();
    let slide = |sync| measured(space, [2.0, 0.0], sync).unwrap();
    let [free, normalised, markers] = [Sync::Free, Sync::Normalised, Sync::Markers].map(slide);
    for (name, slide) in [("free", free), ("normalised", normalised), ("markers", markers)] {
        println!("{name}: {:.2} cm a step, {:.3} m/s, {} steps", 100.0 * slide.mean, slide.speed, slide.steps);
    }
    assert!(markers.speed < 0.5 * free.speed && markers.speed <= 1.05 * normalised.speed);
    assert_eq!(measured(BlendSpaceId(999), [0.0; 2], Sync::Free), None);
    let stopped = Progress::new();
    stopped.cancel();
    assert!(space_slide(&document, object, (space, [2.0, 0.0]), Sync::Free, &stopped).is_err());
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
    let (root, rest) =
        (first.local[0].translation, baked.object(object).unwrap().as_rig().unwrap().skeleton.joints()[0].rest);
    assert!((root.x - rest.translation.x).hypot(root.z - rest.translation.z) < 1e-12, "it begins at home");
    assert_eq!(baked.settings.play_range, clip.range);
    // It goes as fast as the point says.
    let gone = (last.local[0].translation - first.local[0].translation).norm() / rate.secs(clip.range.last);
    assert!((gone / 2.3 - 1.0).abs() < 0.05, "{gone}");
}

/// Every order of four things.
fn orders() -> Vec<[usize; 4]> {
    let all = (0..256_usize).map(|code| [code % 4, code / 4 % 4, code / 16 % 4, code / 64]);
    all.filter(|order| (0..4).all(|one| order.contains(&one))).collect()
}

/// Case B22: on the edge shared by two triangles the order of samples changes nothing, on a sample it plays alone, and one
/// that is moved onto another is refused, not asserted.
#[test]
fn b22_the_shared_edge_does_not_hang_on_the_order_of_samples() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    assert_eq!(orders().len(), 24);
    let of = |order: &[usize; 4], at: [f64; 2]| {
        let points: Vec<[f64; 2]> = order.iter().map(|index| corners[*index]).collect();
        let weights = PreparedSpace::new(BlendScheme::Delaunay, &points, &SchemeOptions::default()).weights_at(at);
        let mut by_corner = [0.0; 4];
        for (index, weight) in order.iter().zip(weights) {
            by_corner[*index] = weight;
        }
        by_corner
    };
    let first = of(&[0, 1, 2, 3], [0.5, 0.5]);
    assert!(first == [0.0, 0.5, 0.5, 0.0] || first == [0.5, 0.0, 0.0, 0.5], "{first:?}");
    for order in orders() {
        assert_eq!(of(&order, [0.5, 0.5]), first, "{order:?}");
        assert_eq!(of(&order, [1.0, 0.0]), [0.0, 1.0, 0.0, 0.0]);
        for step in 0..50 {
            let at = [0.5 + 0.6 * f64::from(step).sin(), 0.5 + 0.6 * (1.7 * f64::from(step)).cos()];
            let weights = of(&order, at);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12 && weights == of(&[0, 1, 2, 3], at));
        }
    }
    let (mut document, ..) = moves();
    let axes = || [Axis::new("x", "", [0.0, 1.0]), Axis::new("y", "", [0.0, 1.0])];
    let mut space = BlendSpace { scheme: BlendScheme::Delaunay, ..BlendSpace::new("square", axes()) };
    let clips: Vec<ClipId> = document.clips.keys().copied().take(4).collect();
    space.samples = clips.iter().zip(corners).map(|(clip, at)| SpaceSample::new(Plays::Clip(*clip), at)).collect();
    let id = document.add_space(space);
    let onto = move_sample(&document, id, 3, [1.0, 0.0]).unwrap();
    assert!(matches!(onto.apply(&mut document.clone()), Err(EditError::SameSpot(_))));
    let near = applied(&document, &move_sample(&document, id, 3, [1.0, 1e-15]).unwrap());
    let known = Known::new(&near.blend_spaces[&id]);
    assert!((known.weights([0.7, 0.2]).0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // What is on one spot all the same, as a file may have it, shares the weight.
    let shared = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
    let weights = PreparedSpace::new(BlendScheme::Delaunay, &shared, &SchemeOptions::default()).weights_at([1.0, 0.0]);
    assert_eq!(weights, [0.0, 0.5, 0.0, 0.5]);
}

/// Case B23: an added clip that does not scale leaves scale alone at every weight; scale is a ratio.
#[test]
fn b23_an_added_clip_without_scale_leaves_the_figure_its_size() {
    let placed = |up: f64, scale: f64| Transform {
        translation: Vec3::new(0.0, up, 0.0),
        scale: Vec3::repeat(scale),
        ..Transform::IDENTITY
    };
    let delta = Delta::between(&placed(0.1, 1.0), &Transform::IDENTITY, AdditiveSpace::Bone);
    for (weight, up) in [(0.0, 1.0), (0.5, 1.05), (1.0, 1.1)] {
        for space in AdditiveSpace::ALL {
            let added = delta.added_to(&placed(1.0, 2.0), weight, space);
            assert_eq!(added.scale, Vec3::repeat(2.0));
            if space == AdditiveSpace::Bone {
                assert!((added.translation - Vec3::new(0.0, up, 0.0)).norm() < 1e-12, "{added:?}");
            }
        }
    }
    let wide = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..Transform::IDENTITY };
    let delta = Delta::between(&wide, &Transform::IDENTITY, AdditiveSpace::Bone);
    assert_eq!(delta.added_to(&Transform::IDENTITY, 1.0, AdditiveSpace::Bone).scale, wide.scale);
}
