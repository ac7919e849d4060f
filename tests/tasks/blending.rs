//! From clips to a motion between them.

use super::person::{Person, Way, in_all_ways, place};
use inbetween::{
    command::CommandId,
    model::{Plays, names},
};

in_all_ways!(blend_idle_walk_and_run_by_speed_and_bake_a_loop);

fn blend_idle_walk_and_run_by_speed_and_bake_a_loop(way: Way) {
    let Some(mut person) = Person::start("8_blend", way) else { return };
    person.still();
    person.command(CommandId::OpenMoves);
    person.window.wait_for("the clips", |window| window.find("Sample moves, not saved as a file yet"));
    person.still();
    person.workspace("Blend");
    person.click("New");
    person.click("By speed\u{2026}");
    person.window.screenshot("task_8_blend_form.png");
    person.click("Make and play");
    let point = person.window.wait_for("the point", |window| window.find("Blend point"));
    person.drag(point.centre(), [140.0, 0.0]);
    let led = person.document();
    person.click("Steps");
    person.click("Bake a loop");
    person.read("By speed loop");
    let after = person.document();

    let space = led.blend_spaces.values().find(|space| space.name == "By speed").expect("the space");
    let clip = |plays| match plays {
        Plays::Clip(clip) => led.clip(clip).unwrap().name.clone(),
        Plays::Space(_) => String::new(),
    };
    let samples: Vec<(String, f64)> = space.samples.iter().map(|sample| (clip(sample.plays), sample.at[0])).collect();
    assert_eq!(samples.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Idle", "Walk", "Run"]);
    let (_, rig, _) = led.rigs().next().unwrap();
    let speed = rig.layers[0].point[0];
    assert!(speed > samples[1].1 && speed < samples[2].1, "between walking and running: {speed} in {samples:?}");

    let (object, rig, character) = after.rigs().next().unwrap();
    assert!(rig.layers.iter().all(|layer| layer.muted), "the clip plays in place of the space");
    let baked = rig.clip.and_then(|clip| after.clip(clip)).expect("the baked clip");
    assert!(led.clips.len() < after.clips.len() && !baked.channels.is_empty(), "{object}");
    let rate = after.settings.rate;
    let [first, last] = [baked.range.first, baked.range.last].map(|frame| rate.secs(frame));
    let frames = last - first;
    // As far from the hips at the end as at the beginning, and gone as far as the speed says.
    for joint in ["hand.l", "hand.r", "foot.l", "foot.r", "head"] {
        assert!(names::find_joint(&character.skeleton, joint).is_some());
        let off = |secs| place(&after, joint, secs) - place(&after, "hips", secs);
        let jump = (off(first) - off(last)).norm();
        assert!(jump < 5e-3, "{joint} jumps by {jump} m where the loop begins again");
    }
    let gone = place(&after, "hips", last) - place(&after, "hips", first);
    let reached = gone.x.hypot(gone.z) / frames;
    assert!((reached / speed - 1.0).abs() < 0.1, "{reached} m/s are {speed} m/s");
    person.done(10);
}
