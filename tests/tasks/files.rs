//! Motion from elsewhere, and files to take away.

use super::person::Person;
use crate::{support::window::Held, window::captured_walk};

#[test]
fn retarget_a_bvh_onto_the_sample_with_its_feet_held() {
    let Some(mut person) = Person::start("9_retarget") else { return };
    let motion = captured_walk(person.window.folder.path());
    let before = person.document();
    person.key("Space", Held::NONE);
    person.click("File");
    person.click("Import onto this character\u{2026}");
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
