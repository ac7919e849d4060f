//! Interpolations side by side.

use super::person::{Person, Way, in_all_ways};
use inbetween::model::{ChannelPath, Document, Interpolation};
use std::collections::BTreeMap;

/// The interpolations of the keys of each channel.
fn kinds(document: &Document) -> BTreeMap<ChannelPath, Vec<Interpolation>> {
    let channels = document.clips.values().flat_map(|clip| &clip.channels);
    let keyed = channels.filter_map(|(path, curve)| Some((*path, curve.scalar_keys()?)));
    keyed.map(|(path, curve)| (path, curve.keys.iter().map(|key| key.interpolation).collect())).collect()
}

in_all_ways!(compare_four_schemes_on_one_channel_and_keep_one);

fn compare_four_schemes_on_one_channel_and_keep_one(way: Way) {
    let Some(mut person) = Person::start("6_race", way) else { return };
    person.still();
    let before = kinds(&person.document());
    let forearm = person.joint("forearm.r");
    person.click_at(forearm);
    let key = person.window.wait_for("a key", |window| {
        window.nodes().into_iter().find(|node| node.label.starts_with("Key of forearm.r Rotation Y, frame 96"))
    });
    person.click_at(key.centre());
    person.click("Compare");
    person.click("Add the usual four");
    person.window.screenshot("task_6_race_compared.png");
    person.click("Keep Catmull-Rom");
    let after = kinds(&person.document());

    let changed: Vec<_> = after.iter().filter(|(path, kinds)| before.get(path) != Some(kinds)).collect();
    assert_eq!(changed.len(), 1, "one channel is written");
    assert!(changed[0].1.iter().all(|kind| *kind == Interpolation::CatmullRom), "{changed:?}");
    person.done(6);
}
