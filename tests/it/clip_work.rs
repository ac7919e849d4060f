//! What is made of clips: backwards, longer, round, one after another, copied and listed; and layers put over them.

use inbetween::{
    edit::{
        ClipEdit, Edit, EditError,
        blend::{add_layer, bake_layers, change_layer, forget_unknown, free_mask_name, weigh},
        clips::{Worked, copied, listed_at, looped, played_by, reversed, spliced, time_scaled, trimmed},
    },
    eval::{
        clips::{Motion, seams::Ends},
        cycle::Travel,
    },
    math::{
        Transform, Vec3,
        rotation::{chord_angle, from_axis_angle},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, JointId, JointMask, Key, KeyedCurve, Keys,
        LayerId, LoopMode, Object, ObjectId, Plays, Property, Rig, ScalarCurve, names::find_clip,
    },
    progress::Progress,
    samples::SAMPLES,
};
use std::sync::Arc;

fn moves() -> (Document, ObjectId) {
    let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    (document, object)
}

fn done(document: &Document, edit: Worked) -> Document {
    applied(document, edit.unwrap().unwrap())
}

fn applied(document: &Document, edit: Edit) -> Document {
    let mut after = document.clone();
    edit.apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    after
}

fn off(a: &[Transform], b: &[Transform]) -> f64 {
    let one = |(a, b): (&Transform, &Transform)| {
        chord_angle(&a.rotation, &b.rotation).max((a.translation - b.translation).norm())
    };
    a.iter().zip(b).map(one).fold(0.0, f64::max)
}

#[test]
fn a_clip_backwards_plays_backwards_and_twice_it_is_as_it_was() {
    let (document, object) = moves();
    let rate = document.settings.rate;
    for name in ["Walk", "Wave", "Idle"] {
        let clip = find_clip(&document, name).unwrap();
        let back = done(&document, reversed(&document, clip, &Progress::new()));
        let (forwards, backwards) =
            (Motion::new(&document, object, clip).unwrap(), Motion::new(&back, object, clip).unwrap());
        let range = forwards.clip().range;
        for frame in range.first..=range.last {
            let mirrored = range.first + range.last - frame;
            let gap = off(&forwards.pose(rate.secs(frame)), &backwards.pose(rate.secs(mirrored)));
            assert!(gap < 1e-8, "{name} {frame} {gap}");
        }
        let twice = done(&back, reversed(&back, clip, &Progress::new()));
        let (is, was) = (twice.clip(clip).unwrap(), document.clip(clip).unwrap());
        assert!(is.channels == was.channels && is.range == was.range, "{name}");
        assert!(is.markers.iter().zip(&was.markers).all(|(a, b)| a.id == b.id && (a.time - b.time).abs() < 1e-12));
    }
}

#[test]
fn at_another_length_the_same_poses_come_at_other_times() {
    let (document, object) = moves();
    let rate = document.settings.rate;
    let clip = find_clip(&document, "Walk").unwrap();
    let old = document.clip(clip).unwrap().range;
    let frames = old.last - old.first;
    let slow = done(&document, time_scaled(&document, clip, 2 * frames, &Progress::new()));
    let (was, is) = (Motion::new(&document, object, clip).unwrap(), Motion::new(&slow, object, clip).unwrap());
    for frame in 0..=frames {
        let gap = off(&was.pose(rate.secs(old.first + frame)), &is.pose(rate.secs(old.first + 2 * frame)));
        assert!(gap < 1e-9, "{frame} {gap}");
    }
    // The first clip of the sample is the one that plays over all its frames: the range goes along.
    let idle = find_clip(&document, "Idle").unwrap();
    assert_eq!(document.clip(idle).unwrap().range, document.settings.play_range);
    let fast = done(&document, time_scaled(&document, idle, 12, &Progress::new()));
    assert_eq!(fast.settings.play_range, fast.clip(idle).unwrap().range);
    for refused in [0, -3] {
        let none = time_scaled(&document, idle, refused, &Progress::new()).unwrap();
        assert_eq!(none, Err(EditError::NoLength(idle)));
    }
}

#[test]
fn more_frames_than_can_be_held_are_refused_before_they_are_made() {
    let (document, object) = moves();
    let walk = find_clip(&document, "Walk").unwrap();
    let too_many = |made: Result<(), EditError>| {
        assert!(matches!(made, Err(EditError::TooManyFrames(..))), "{made:?}");
    };
    let progress = Progress::new();
    too_many(time_scaled(&document, walk, 1_000_000_000, &progress).unwrap().map(|_| ()));
    let long = applied(&document, trimmed(&document, walk, FrameRange::new(-1_000_000, 1_000_000)).unwrap());
    too_many(reversed(&long, walk, &progress).unwrap().map(|_| ()));
    too_many(looped(&long, object, walk, Travel::Kept, &progress).unwrap().map(|_| ()));
    too_many(spliced(&long, object, (walk, walk), &progress).unwrap().map(|_| ()));
    let (_, edit) = add_layer(&document, object, ("walk", Plays::Clip(walk))).unwrap();
    let layered = applied(&document, edit);
    let frames = FrameRange::new(0, 1_000_000_000);
    too_many(bake_layers(&layered, object, frames, "baked", None, &progress).unwrap().map(|_| ()));
}

#[test]
fn a_clip_that_goes_round_ends_as_it_begins() {
    let (document, object) = moves();
    let rate = document.settings.rate;
    let clip = find_clip(&document, "Walk").unwrap();
    // Not a whole number of steps: nothing of it goes round by itself.
    let cut = applied(&document, trimmed(&document, clip, FrameRange::new(0, 17)).unwrap());
    for travel in [Travel::Kept, Travel::InPlace] {
        let round = done(&cut, looped(&cut, object, clip, travel, &Progress::new()));
        let motion = Motion::new(&round, object, clip).unwrap();
        let range = motion.clip().range;
        let (first, mut last) = (motion.pose(rate.secs(range.first)), motion.pose(rate.secs(range.last)));
        let gone = last[0].translation - first[0].translation;
        let way = gone.x.hypot(gone.z);
        assert_eq!((way > 0.1, motion.clip().travels), (travel == Travel::Kept, travel == Travel::Kept));
        assert!(gone.y.abs() < 1e-12 && (travel == Travel::Kept || way < 1e-12), "{gone:?}");
        last[0].translation = first[0].translation;
        assert!(off(&first, &last) < 1e-12);
        assert_eq!(motion.clip().loop_mode, LoopMode::Loop);
    }
}

/// A clip in which the hips go in a straight line over a second, turned about the vertical.
fn sliding(object: ObjectId, name: &str, from: Vec3, to: Vec3, yaw: f64) -> Clip {
    let mut clip = Clip::new(name, FrameRange::new(0, 24));
    let mut put = |property, component, values: [f64; 2]| {
        let keys = [0.0, 1.0].iter().zip(values);
        let keys = keys.map(|(time, value)| Key {
            interpolation: inbetween::model::Interpolation::Linear,
            ..Key::new(*time, value)
        });
        let curve = KeyedCurve { keys: Keys::from_unsorted(keys.collect()).0, ..KeyedCurve::default() };
        let path = ChannelPath::joint(object, JointId(0), property, component);
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    };
    for (axis, component) in Component::AXES.into_iter().enumerate() {
        put(Property::Translation, component, [from[axis], to[axis]]);
    }
    put(Property::Rotation, Component::Y, [yaw, yaw]);
    clip
}

#[test]
fn a_clip_set_after_another_goes_on_where_that_left_and_as_it_faced() {
    let (mut document, object) = moves();
    let rate = document.settings.rate;
    let (yaw_a, yaw_b) = (0.4, -0.7);
    let first = document.add_clip(sliding(object, "a", Vec3::new(0.0, 0.9, 0.0), Vec3::new(1.0, 0.9, 2.0), yaw_a));
    let second = document.add_clip(sliding(object, "b", Vec3::new(5.0, 0.8, 5.0), Vec3::new(5.0, 0.8, 8.0), yaw_b));
    let (edit, turned, jump) = spliced(&document, object, (first, second), &Progress::new()).unwrap().unwrap();
    assert!((turned - (yaw_a - yaw_b)).abs() < 1e-12 && jump < 1e-9, "{turned} {jump}");
    let after = applied(&document, edit);
    let made = ClipId(document.next_id);
    let motion = Motion::new(&after, object, made).unwrap();
    assert_eq!((motion.clip().name.as_str(), motion.clip().range), ("a + b", FrameRange::new(0, 48)));
    let turn = from_axis_angle(&Vec3::y(), yaw_a - yaw_b);
    for frame in 0..=48 {
        let at = motion.pose(rate.secs(frame))[0];
        let part = (frame as f64) / 24.0;
        let wanted = if frame < 24 {
            Vec3::new(part, 0.9, 2.0 * part)
        } else {
            Vec3::new(1.0, 0.8, 2.0) + turn * Vec3::new(0.0, 0.0, 3.0 * (part - 1.0))
        };
        assert!((at.translation - wanted).norm() < 1e-12, "{frame}: {} {wanted}", at.translation);
        assert!(chord_angle(&at.rotation, &from_axis_angle(&Vec3::y(), yaw_a)) < 1e-12);
    }
    let still = document.add_clip(Clip::new("still", FrameRange::new(0, 24)));
    let none = spliced(&document, object, (first, still), &Progress::new()).unwrap();
    assert_eq!(none.unwrap_err(), EditError::MovesOther(still, object));
}

#[test]
fn a_loop_goes_on_from_itself_and_a_run_not_from_idling() {
    let (document, object) = moves();
    let ends = Ends::of(&document, object).unwrap();
    let named = |name: &str| find_clip(&document, name).unwrap();
    let walk = ends.seam(named("Walk"), named("Walk")).unwrap();
    assert!(walk.is_smooth() && walk.turn < 1e-6 && walk.way < 1e-6, "{walk:?}");
    let run = ends.seam(named("Idle"), named("Run")).unwrap();
    assert!(!run.is_smooth() && run.turn > 0.2 && run.way > 0.05, "{run:?}");
    assert_eq!(ends.seam(named("Walk"), ClipId(9999)), None);
}

#[test]
fn clips_are_copied_listed_and_deleted() {
    let (document, _) = moves();
    let (walk, idle) = (find_clip(&document, "Walk").unwrap(), find_clip(&document, "Idle").unwrap());
    let after = applied(&document, copied(&document, walk).unwrap());
    let listed = after.listed_clips();
    let copy = ClipId(document.next_id);
    assert_eq!(listed[..3], [idle, walk, copy]);
    assert_eq!(after.clip(copy).unwrap().name, "Walk 2");
    let moved = applied(&after, listed_at(&after, copy, 0).unwrap());
    assert_eq!(moved.listed_clips()[..3], [copy, idle, walk]);
    let gone = applied(&moved, ClipEdit::Delete { clip: copy }.into());
    assert_eq!(gone.listed_clips(), document.listed_clips());
    assert_eq!(listed_at(&gone, copy, 0), Err(EditError::NoClip(copy)));
}

#[test]
fn the_play_range_goes_with_the_clip_where_it_was_the_whole_of_the_former() {
    let mut document = Document::default();
    let object = document.add_object(Object::rig("rig", Rig::default()));
    let walk = document.add_clip(Clip::new("walk", FrameRange::new(0, 191)));
    let run = document.add_clip(Clip::new("run", FrameRange::new(0, 85)));
    let settings = Arc::make_mut(&mut document.settings);
    (settings.clip, settings.play_range) = (Some(walk), FrameRange::new(0, 191));
    let range_after = |document: &Document| {
        let mut after = document.clone();
        played_by(document, object, run).apply(&mut after).unwrap();
        assert_eq!(after.clip_of(object), Some(run));
        after.settings.play_range
    };
    assert_eq!(range_after(&document), FrameRange::new(0, 85));
    Arc::make_mut(&mut document.settings).play_range = FrameRange::new(20, 40);
    assert_eq!(range_after(&document), FrameRange::new(20, 40));
}

#[test]
fn the_clip_that_played_goes_on_below_the_first_layer() {
    let (mut document, object) = moves();
    let clip = |document: &Document, name: &str| find_clip(document, name).unwrap();
    let (idle, wave) = (clip(&document, "Idle"), clip(&document, "Wave"));
    assert_eq!(document.clip_of(object), Some(idle));
    let (id, edit) = add_layer(&document, object, ("wave", Plays::Clip(wave))).unwrap();
    edit.apply(&mut document).unwrap();
    let layers = |document: &Document| {
        document.object(object).unwrap().layers.iter().map(|l| (l.name.clone(), l.plays)).collect::<Vec<_>>()
    };
    let both = [("Idle".to_owned(), Plays::Clip(idle)), ("wave".to_owned(), Plays::Clip(wave))];
    assert_eq!((layers(&document), id), (both.to_vec(), LayerId(1)));
    let (_, again) = add_layer(&document, object, ("Idle", Plays::Clip(idle))).unwrap();
    again.apply(&mut document).unwrap();
    assert_eq!(layers(&document).len(), 3);
    change_layer(&document, object, id, |layer| layer.weight = 0.25).unwrap().apply(&mut document).unwrap();
    assert_eq!(document.object(object).unwrap().layer(id).unwrap().weight, 0.25);
    let nan = change_layer(&document, object, id, |layer| layer.weight = f64::NAN).unwrap();
    assert!(nan.apply(&mut document).is_err());
    let none = add_layer(&document, object, ("x", Plays::Clip(ClipId(9999)))).unwrap().1;
    assert!(none.apply(&mut document).is_err());
    assert_eq!(document.problems(), []);
}

#[test]
fn weights_of_masks_are_kept_within_bounds_and_by_name() {
    let (document, object) = moves();
    let skeleton = &document.object(object).unwrap().as_rig().unwrap().skeleton;
    let mut mask = JointMask { name: "m".to_owned(), ..JointMask::default() };
    weigh(&mut mask, skeleton, [1, 2], 7.0);
    weigh(&mut mask, skeleton, [3], 0.5);
    weigh(&mut mask, skeleton, [3], f64::NAN);
    weigh(&mut mask, skeleton, [9999], 0.5);
    assert_eq!(mask.weights(skeleton)[..5], [0.0, 1.0, 1.0, 0.5, 0.0]);
    weigh(&mut mask, skeleton, [2], -3.0);
    assert_eq!(mask.joints.len(), 2);
    mask.joints.insert("gone".to_owned(), 0.3);
    forget_unknown(&mut mask, skeleton);
    assert_eq!((mask.joints.len(), mask.unknown(skeleton).len()), (2, 0));
    assert_eq!(free_mask_name(&document, "Right arm"), "Right arm 2");
}
