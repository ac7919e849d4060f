//! Many motion files at once for one character, and its clips, layers and masks in files.

use crate::support::driver::Driver;
use inbetween::{
    edit::{
        blend::{add_layer, weigh},
        clips::{copied, listed_at},
    },
    interact::{
        brush_prefs::BrushPrefs,
        view_state::{ToolId, ViewChange},
    },
    io::{
        bvh::{self, ExportOptions},
        clips::{clips_for, meant},
        file,
        report::Report,
        ron,
    },
    model::{Document, JointMask, ObjectId, Plays, names::find_clip},
    progress::Progress,
    samples::SAMPLES,
};
use std::path::{Path, PathBuf};

fn moves() -> (Document, ObjectId) {
    let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    (document, object)
}

fn exported(document: &Document, object: ObjectId, clip: &str, to: &Path) {
    let mut plays = document.clone();
    plays.object_mut(object).unwrap().clip = find_clip(document, clip);
    let range = plays.clip(find_clip(document, clip).unwrap()).unwrap().range;
    let options = ExportOptions { range: Some(range), ..ExportOptions::default() };
    let written = bvh::export_measured(&plays, object, options, None, &Progress::new(), &mut Report::new()).unwrap();
    file::write(to, &written.bytes).unwrap();
}

#[test]
fn many_files_come_at_once_and_bad_ones_are_named() {
    let (document, object) = moves();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    exported(&document, object, "Walk", &path("stroll.bvh"));
    exported(&document, object, "Run", &path("dash.bvh"));
    file::write(&path("bad.bvh"), b"HIERARCHY\nROOT").unwrap();
    file::write(&path("notes.txt"), b"no motion").unwrap();
    let other = PathBuf::from("tests/data/bvh/odd_crlf_tabs_noeol.bvh");
    let mut files = meant(&[folder.path().to_owned()]);
    assert_eq!(files, [path("bad.bvh"), path("dash.bvh"), path("stroll.bvh")]);
    files.extend([other, path("missing.bvh")]);
    let (edit, lines) = clips_for(&document, object, &files, &Progress::new()).unwrap();
    assert_eq!(lines.len(), 5);
    assert!(lines[0].outcome.is_err() && lines[4].outcome.is_err());
    let clips = |at: usize| lines[at].outcome.as_ref().unwrap().clips.clone();
    assert_eq!((clips(1), clips(2)), (vec!["dash".to_owned()], vec!["stroll".to_owned()]));
    let mut after = document.clone();
    edit.apply(&mut after).unwrap();
    assert_eq!(after.problems(), []);
    // The figure and what it plays are as they were; each new clip moves it, over the frames of the old.
    assert_eq!(after.objects, document.objects);
    for (new, old) in [("dash", "Run"), ("stroll", "Walk")] {
        let (new, old) = (find_clip(&after, new).unwrap(), find_clip(&after, old).unwrap());
        let (new, old) = (after.clip(new).unwrap(), after.clip(old).unwrap());
        assert!(new.moves(object));
        assert_eq!(new.range.len(), old.range.len());
    }
    let text = ron::save(&after).unwrap();
    assert!(ron::load(&text).unwrap() == after);
}

#[test]
fn the_order_of_clips_layers_and_masks_are_saved_and_loaded() {
    let (mut document, object) = moves();
    let walk = find_clip(&document, "Walk").unwrap();
    copied(&document, walk).unwrap().apply(&mut document).unwrap();
    listed_at(&document, walk, 5).unwrap().apply(&mut document).unwrap();
    add_layer(&document, object, ("wave", Plays::Clip(walk))).unwrap().1.apply(&mut document).unwrap();
    let skeleton = document.object(object).unwrap().as_rig().unwrap().skeleton.clone();
    let mut mask = JointMask { name: "legs".to_owned(), ..JointMask::default() };
    weigh(&mut mask, &skeleton, [1, 2, 3], 0.5);
    document.add_mask(mask);
    let loaded = ron::load(&ron::save(&document).unwrap()).unwrap();
    assert!(loaded == document && loaded.listed_clips() == document.listed_clips());
    assert_ne!(loaded.listed_clips(), loaded.clips.keys().copied().collect::<Vec<_>>());
}

#[test]
fn joints_of_a_mask_are_painted_in_one_stroke_taken_out_and_given_up() {
    let (mut document, _) = moves();
    let mask = document.add_mask(JointMask { name: "m".to_owned(), ..JointMask::default() });
    let mut d = Driver::new(document);
    d.view.apply(ViewChange::Brush(BrushPrefs { joint_mask: Some(mask), joint_weight: 0.5, ..BrushPrefs::default() }));
    d.take(ToolId::PaintMask);
    let weights = |d: &Driver| d.session.document().masks[&mask].joints.clone();
    let (elbow, hand) = (d.at("forearm.l"), d.at("hand.l"));
    let before = d.steps();
    d.drag(elbow, hand, 12);
    let painted = weights(&d);
    assert_eq!((painted.get("forearm.l"), painted.get("hand.l"), d.steps()), (Some(&0.5), Some(&0.5), before + 1));
    let other = d.at("hand.r");
    d.pull(other, [4.0, 4.0], 2);
    assert!(weights(&d).contains_key("hand.r") && d.is_busy());
    d.cancel();
    assert_eq!((weights(&d), d.steps()), (painted, before + 1));
    // Without a mask nothing is painted.
    d.view.apply(ViewChange::Brush(BrushPrefs::default()));
    d.drag(hand, elbow, 3);
    assert_eq!(d.steps(), before + 1);
}
