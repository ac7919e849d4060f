//! Motion from elsewhere, and files to take away.

use super::person::{Person, Way, in_all_ways, place};
use crate::window::captured_walk;
use inbetween::{
    command::CommandId,
    io::{bvh::ImportOptions, open::open, ron},
    math::Vec3,
    model::Document,
    text::t,
};

in_all_ways!(retarget_a_bvh_onto_the_sample_with_its_feet_held, save_export_both_kinds_and_open_it_again);

fn retarget_a_bvh_onto_the_sample_with_its_feet_held(way: Way) {
    let Some(mut person) = Person::start("9_retarget", way) else { return };
    let motion = captured_walk(person.window.folder.path());
    let before = person.document();
    person.stop();
    person.command(CommandId::ImportOnto);
    person.answer_path(&motion);
    let hold = person.window.wait_for("the choice", |window| window.find("Hold feet"));
    assert_eq!(hold.role, "checkBox");
    let run = person.window.wait_for("the button", |window| {
        // The tab has the same name; the button lies under it.
        window.nodes().into_iter().find(|node| node.label == "Retarget" && node.bounds[1] > hold.bounds[1])
    });
    person.click_at(run.centre());
    person.window.settle();
    let after = person.document();

    assert_eq!(after.clips.len(), before.clips.len() + 1, "a new clip");
    let (_, clip) = after.clips.iter().find(|(id, _)| !before.clips.contains_key(id)).expect("the new clip");
    assert!(!clip.pins.is_empty(), "feet are held where they stand");
    person.done(6);
}

/// Where some joints are at some frames.
fn places(document: &Document) -> Vec<Vec3> {
    let secs = [0, 17, 60, 131].map(|frame| document.settings.rate.secs(frame));
    secs.iter()
        .flat_map(|secs| ["hips", "hand.r", "toe.l", "head"].map(|joint| place(document, joint, *secs)))
        .collect()
}

fn save_export_both_kinds_and_open_it_again(way: Way) {
    let Some(mut person) = Person::start("10_files", way) else { return };
    let folder = person.window.folder.path().to_owned();
    person.still();
    person.command(CommandId::Save);
    person.accept(&t("dialog.save_as"));
    let saved = folder.join("Sample walk.ron");
    let document = person.window.wait_for("the document to be saved", |_| {
        std::fs::read_to_string(&saved).ok().and_then(|text| ron::load(&text).ok())
    });
    person.command(CommandId::ExportBeside);
    person.window.wait_for("the question", |window| window.find(&t("export.place")));
    person.window.screenshot("task_10_files_asked.png");
    person.accept(&t("export.write"));
    for name in ["Sample walk.glb", "Sample walk.bvh"] {
        person.window.wait_for(name, |_| folder.join(name).exists().then_some(()));
        let back = open(&folder.join(name), ImportOptions::default()).expect("what was written can be read").document;
        for (was, is) in places(&document).iter().zip(places(&back)) {
            assert!((was - is).norm() < 1e-3, "{name}: {was} became {is}");
        }
    }
    // How exact they are stands in the log.
    let log = person.window.get("Log").centre();
    person.window.tap_at(log);
    for told in ["Sample walk.glb exported: ", "Sample walk.bvh exported: "] {
        person.read(told);
    }
    person.command(CommandId::OpenLast);
    person.read("Sample walk.ron opened");
    let reopened = person.document();
    assert_eq!(reopened, document, "the same");
    person.done(5);
}
