//! Poses that stay planted, and captured motion that is bent.

use super::person::{Person, Way, in_all_ways, place};
use crate::window::captured_walk;
use inbetween::command::CommandId;

in_all_ways!(plant_both_feet_and_drop_the_hips, a_captured_hand_reaches_a_point_at_one_frame);

fn plant_both_feet_and_drop_the_hips(way: Way) {
    let Some(mut person) = Person::start("1_plant", way) else { return };
    person.stop();
    let frame = person.frame();
    let before = person.document();
    person.command(CommandId::PlantFeet);
    let hips = person.joint("hips");
    person.drag(hips, [0.0, 25.0]);
    let after = person.document();

    let pins: Vec<_> = after.clips.values().flat_map(|clip| &clip.pins).collect();
    assert_eq!(pins.len(), 2, "both feet are planted");
    let secs = before.settings.rate.secs(frame);
    assert!(place(&before, "hips", secs).y - place(&after, "hips", secs).y > 0.03, "the hips go down");
    for side in ["l", "r"] {
        let foot = format!("foot.{side}");
        let slid = (place(&before, &foot, secs) - place(&after, &foot, secs)).norm();
        assert!(slid < 1e-4, "{foot} slides by {slid} m");
        // The angle of the knee: hip, knee, ankle.
        let bend = |document| {
            let [hip, knee, ankle] =
                ["thigh", "shin", "foot"].map(|name| place(document, &format!("{name}.{side}"), secs));
            (hip - knee).angle(&(ankle - knee))
        };
        assert!(bend(&after) < bend(&before) - 0.05, "the knee of {foot} bends: {} {}", bend(&before), bend(&after));
    }
    person.done(3);
}

fn a_captured_hand_reaches_a_point_at_one_frame(way: Way) {
    let Some(mut person) = Person::start("2_reach", way) else { return };
    let motion = captured_walk(person.window.folder.path());
    person.open(&motion);
    let before = person.document();
    let opened = person.actions;
    person.go_to(60);
    let hand = person.joint("hand.r");
    person.drag(hand, [30.0, -40.0]);
    let after = person.document();

    let rate = before.settings.rate;
    let added = |frame: i64| place(&after, "hand.r", rate.secs(frame)) - place(&before, "hand.r", rate.secs(frame));
    let reach = added(60).norm();
    assert!(reach > 0.05, "the hand moved by {reach} m");
    // 0.1 m/s for 0.1 m: what is added to any frame-to-frame change of velocity.
    let most = (1..190).map(|frame| (added(frame + 1) - 2.0 * added(frame) + added(frame - 1)).norm() / rate.secs(1));
    let most = most.fold(0.0, f64::max);
    assert!(most <= reach, "velocity changes by {most} m/s more for {reach} m");
    assert_eq!(added(20).norm() + added(100).norm(), 0.0, "elsewhere nothing moves");
    person.actions -= opened;
    person.done(2);
}
