//! Documents as text: every released version of the format still opens, and damaged text never does harm.

use inbetween::{
    edit::{Edit, RigEdit},
    io::{
        report::Report,
        ron::{self, LoadError},
    },
    model::{ChainHint, Joint, LimbSetting, LimbSpec, Limit, LimitSetting, ObjectKind, Role, Side, Skeleton},
    samples::SAMPLES,
};
use std::{fs, path::Path, sync::Arc};

/// The fixtures: one document a released version, with every kind of part in it. They are never rewritten.
fn fixtures() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ron");
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn every_version_has_a_fixture_that_loads_saves_and_loads_again() {
    let fixtures = fixtures();
    assert_eq!(fixtures.len(), ron::VERSION as usize);
    for (name, text) in fixtures {
        let document = ron::load(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let saved = ron::save(&document).unwrap();
        assert_eq!(ron::load(&saved).unwrap(), document, "{name}");
        if name == format!("v{}.ron", ron::VERSION) {
            assert_eq!(saved, text, "{name}: the present version must come back byte for byte");
        }
    }
}

/// A small generator, so that a failure can be run again (Steele, Lea and Flood 2014, SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % count as u64).unwrap()
    }
}

#[test]
fn damaged_documents_are_refused_with_their_place_or_read_as_something_sound() {
    let spare = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "-",
        "NaN",
        "inf",
        "1e999",
        "9999999999999999999",
        "Some",
        "\u{0}",
        "\u{4f60}",
    ];
    let mut random = Random(7);
    let (mut refused, mut accepted) = (0, 0);
    let start = SAMPLES[0].text.lines().take(400).collect::<Vec<_>>().join("\n");
    for text in fixtures().into_iter().map(|(_, text)| text).chain([start]) {
        for _ in 0..1_500 {
            let mut damaged: Vec<char> = text.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                match random.below(4) {
                    0 => damaged.truncate(at.max(1)),
                    1 => drop(damaged.remove(at)),
                    2 => drop(damaged.splice(at..at, spare[random.below(spare.len())].chars())),
                    _ => {
                        let length = random.below(damaged.len() - at).min(200);
                        drop(damaged.splice(at..at + length, spare[random.below(spare.len())].chars()));
                    }
                }
                if damaged.is_empty() {
                    damaged.push(' ');
                }
            }
            let damaged: String = damaged.into_iter().collect();
            match ron::load(&damaged) {
                Ok(document) => {
                    accepted += 1;
                    assert_eq!(document.problems(), []);
                    assert_eq!(ron::load(&ron::save(&document).unwrap()).unwrap(), document);
                }
                Err(error) => {
                    refused += 1;
                    if let LoadError::Syntax { line, column, .. } = error {
                        assert!(line >= 2 && column >= 1 && line <= damaged.lines().count() + 1);
                    }
                }
            }
        }
    }
    assert!(refused > 1_000 && accepted > 10, "{refused} refused, {accepted} accepted");
}

#[test]
fn nesting_without_end_is_refused() {
    let head = "(format:\"inbetween\",version:1)\n(settings: ";
    for open in ["(", "[", "{", "Some("] {
        assert!(ron::load(&format!("{head}{}", open.repeat(200_000))).is_err());
    }
}

/// What is said about posing joints that are gone must not keep a file from opening: the rest of it is as good as ever.
#[test]
fn what_is_said_about_joints_that_are_gone_is_left_out_with_a_warning() {
    let mut document = inbetween::samples::walker();
    let (object, rig) = document.objects.iter().find_map(|(id, object)| Some((*id, object.as_rig()?.clone()))).unwrap();
    let id = |name: &str| rig.skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id;
    let named = ["hand.l", "forearm.l", "upper_arm.l", "foot.r"].map(id);
    let [hand, forearm, arm, foot] = named;
    let spec = LimbSpec { role: Role::Chain, side: Side::Left, root: arm, middle: None, end: forearm, bend: None };
    let edits = [
        RigEdit::SetLimit { object, joint: hand, limit: Some(LimitSetting::Off) },
        RigEdit::SetLimit { object, joint: foot, limit: Some(LimitSetting::Own(Limit::free())) },
        RigEdit::SetLimb { object, found: hand, limb: Some(LimbSetting::Limb(spec)) },
        RigEdit::SetLimb { object, found: foot, limb: Some(LimbSetting::Removed) },
        RigEdit::SetJoints { object, name: "arm".to_owned(), joints: [hand, forearm, foot].into() },
        RigEdit::SetJoints { object, name: "hand".to_owned(), joints: [hand].into() },
        RigEdit::SetHint { object, joint: hand, hint: Some(ChainHint { root: Some(arm), ..ChainHint::default() }) },
    ];
    edits.into_iter().for_each(|edit| Edit::from(edit).apply(&mut document).unwrap());
    // The hand is taken out of the skeleton by hand: what the rig says of it hangs in the air.
    let mut broken = document.clone();
    let ObjectKind::Rig(gone) = &mut broken.object_mut(object).unwrap().kind else { panic!() };
    let gone = Arc::make_mut(gone);
    let joints: Vec<Joint> = rig.skeleton.joints().to_vec();
    let under =
        |joint: &Joint| std::iter::successors(Some(joint), |at| rig.skeleton.joint(at.parent?)).any(|at| at.id == hand);
    gone.skeleton = Arc::new(Skeleton::new(joints.into_iter().filter(|joint| !under(joint)).collect()).unwrap());
    let clips = Arc::make_mut(&mut broken.clips);
    clips.values_mut().for_each(|clip| Arc::make_mut(clip).channels.clear());
    let said = broken.problems();
    assert!(
        said.iter().any(|problem| problem.what.contains(&format!("limits or limbs name joint {hand}"))),
        "{said:?}"
    );
    assert!(ron::save(&broken).is_err());
    // Written past the check, as another program would.
    let whole = ron::save(&inbetween::samples::walker()).unwrap();
    let text = format!("{}\n{}", whole.lines().next().unwrap(), ::ron::to_string(&broken).unwrap());
    assert!(matches!(ron::load(&text), Err(LoadError::Unsound(_))));
    let mut report = Report::new();
    let opened = ron::load_mending(&text, &mut report).unwrap();
    let mended = opened.object(object).unwrap().as_rig().unwrap();
    assert_eq!(mended.limits.keys().copied().collect::<Vec<_>>(), [foot]);
    assert_eq!(mended.limbs.keys().copied().collect::<Vec<_>>(), [foot]);
    assert_eq!(mended.sets, [("arm".to_owned(), [forearm, foot].into())].into());
    assert!(mended.hints.is_empty());
    assert_eq!(report.count("missing-joint"), 5, "{report:?}");
    assert_eq!(opened.problems(), []);
    // From the disk too, and a sound file says nothing.
    let folder = tempfile::tempdir().unwrap();
    for (text, count) in [(&text, 5), (&whole, 0)] {
        let path = folder.path().join("posed.ron");
        inbetween::io::file::write(&path, text.as_bytes()).unwrap();
        let opened = inbetween::io::open::open(&path, inbetween::io::bvh::ImportOptions::default()).unwrap();
        assert_eq!(opened.report.count("missing-joint"), count);
    }
}
