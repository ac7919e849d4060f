//! When things happen, and where on the way.

use super::person::{Hands, Person, Way, in_all_ways, place};
use inbetween::command::CommandId;
use inbetween::model::{ChannelPath, Document, Interpolation};
use std::collections::BTreeSet;

/// The frames at which a document has keys.
fn frames_of_keys(document: &Document) -> BTreeSet<i64> {
    let rate = document.settings.rate;
    let curves = document.clips.values().flat_map(|clip| clip.channels.values());
    let times = curves.filter_map(|curve| curve.scalar_keys()).flat_map(|curve| curve.keys.times().collect::<Vec<_>>());
    times.map(|secs| rate.nearest_frame(secs)).collect()
}

/// The keys on a frame: their channels, values and interpolations.
fn keys_on(document: &Document, frame: i64) -> Vec<(ChannelPath, f64, Interpolation)> {
    let rate = document.settings.rate;
    let channels = document.clips.values().flat_map(|clip| &clip.channels);
    let keyed = channels.filter_map(|(path, curve)| Some((*path, curve.scalar_keys()?)));
    let keys = keyed.flat_map(|(path, curve)| curve.keys.iter().map(move |key| (path, key)));
    let here = keys.filter(|(_, key)| rate.nearest_frame(key.time) == frame);
    here.map(|(path, key)| (path, key.value, key.interpolation)).collect()
}

in_all_ways!(retime_one_pose_by_four_frames, a_wider_arc_then_a_slower_start);

fn retime_one_pose_by_four_frames(way: Way) {
    let Some(mut person) = Person::start("3_retime", way) else { return };
    let before = person.document();
    let frames = frames_of_keys(&before);
    // A pose with room for four frames more.
    let is_free = |frame: &i64| !frames.contains(&(frame + 4));
    let pose = frames.iter().copied().find(|frame| *frame > 20 && is_free(frame)).expect("a pose with room");
    let from = person.window.get(&format!("Pose, frame {pose}")).centre();
    let by = 4.0 * person.frame_width();
    person.drag(from, [by, 0.0]);
    let after = person.document();

    assert!(!keys_on(&before, pose).is_empty());
    assert_eq!(keys_on(&after, pose + 4), keys_on(&before, pose), "all its keys go together");
    assert_eq!(keys_on(&after, pose), [], "none stays behind");
    person.done(1);
}

fn a_wider_arc_then_a_slower_start(way: Way) {
    let Some(mut person) = Person::start("5_arc", way) else { return };
    person.still();
    person.look_at(60);
    // Where the dots of frames are, as seen; none of this is an action.
    let dots = [59, 60, 61].map(|frame| {
        person.look_at(frame);
        person.joint("hand.r")
    });
    person.look_at(30);
    let before = person.document();
    let rate = before.settings.rate;

    let hand = person.joint("hand.r");
    if person.way.hands == Hands::Mouse {
        person.click_at(hand);
        person.click("Trail");
    } else {
        person.window.move_to(hand);
        person.command(CommandId::ToggleTrail);
    }
    let along = [dots[2][0] - dots[0][0], dots[2][1] - dots[0][1]];
    let length = along[0].hypot(along[1]);
    let along = along.map(|part| part / length);
    person.drag(dots[1], [-along[1] * 30.0, along[0] * 30.0]);
    let wider = person.document();
    let moved = (place(&wider, "hand.r", rate.secs(60)) - place(&before, "hand.r", rate.secs(60))).norm();
    assert!(moved > 0.03, "the arc moved by {moved} m");
    assert!(wider.clips.values().all(|clip| clip.retimes.is_empty()), "its timing stays");
    let first = person.actions;
    assert!(first <= 2 || person.way.hands == Hands::Mouse, "{first} actions for the arc");

    person.look_at(60);
    let dot = person.joint("hand.r");
    person.look_at(30);
    person.drag(dot, along.map(|part| part * 15.0));
    let slower = person.document();
    let retimes: Vec<_> = slower.clips.values().flat_map(|clip| &clip.retimes).collect();
    assert_eq!(retimes.len(), 1, "the spacing changes");
    let phi = &retimes[0].phi;
    for i in 0..200 {
        let secs = 4.0 * f64::from(i) / 199.0;
        let off = (place(&slower, "hand.r", secs) - place(&wider, "hand.r", phi.value(secs))).norm();
        assert!(off < 1e-9, "the arc is off by {off} m at {secs} s");
    }
    person.done(3);
}

#[test]
fn retime_one_pose_by_keyboard_alone() {
    let Some(mut person) = Person::start("3_retime", Way { hands: Hands::Keys, ..Way::COUNTED }) else { return };
    person.still();
    let before = person.document();
    let frames: Vec<i64> = frames_of_keys(&before).into_iter().collect();
    // The first pose after frame 0 with room for four frames more.
    let index = (1..frames.len()).find(|index| !frames.contains(&(frames[*index] + 4))).expect("a pose with room");
    let pose = frames[index];
    person.command(CommandId::FirstFrame);
    person.command(CommandId::PanelDopeSheet);
    for _ in 0..index {
        person.command(CommandId::SelectNextKey);
    }
    for _ in 0..4 {
        person.command(CommandId::NudgeKeysRight);
    }
    let after = person.document();
    assert!(!keys_on(&before, pose).is_empty());
    assert_eq!(keys_on(&after, pose + 4), keys_on(&before, pose), "all its keys go together");
    assert_eq!(keys_on(&after, pose), [], "none stays behind");
    person.done(1);
}
