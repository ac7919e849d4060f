//! Random edits of random documents: whatever is done, the document stays sound, undo and redo are exact, cancelling gives
//! back the very same parts, and evaluation does not depend on what was evaluated before.

use crate::support::{
    arbitrary::{self, Seeded},
    deformed,
};
use inbetween::{
    edit::{Gesture, Limits, Outcome, Session},
    eval::{
        EvaluatedFrame, Evaluator,
        mesh::{Poser, mesh_state, posed},
        sample::{RigBinding, rig_pose},
    },
    io::ron as files,
    math::Transform,
    model::{Document, ObjectId},
};
use std::{collections::BTreeMap, sync::Arc};

const SEEDS: u64 = 20;
const STEPS: usize = 40;

/// Rigs alone, or with meshes that are deformed, by turns.
fn document(seed: u64) -> Document {
    if seed.is_multiple_of(2) { deformed::document(seed) } else { arbitrary::document(seed) }
}

/// The vertices of all meshes as they are drawn, by bits: each by its own poser, which remembers, and by one that does not.
fn drawn(document: &Document, frame: &EvaluatedFrame, posers: &mut BTreeMap<ObjectId, Poser>) -> [Vec<u32>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    for (id, object) in document.objects.iter() {
        let (Some(mesh), Some(state)) = (object.as_mesh(), mesh_state(document, frame, *id)) else { continue };
        let (warm, _) = posers.entry(*id).or_default().pose(mesh, &state);
        let cold = posed(mesh, &state);
        assert!(cold.positions.iter().flatten().all(|number| number.is_finite()));
        for (out, positions) in out.iter_mut().zip([&*warm, &cold.positions]) {
            out.extend(positions.iter().flatten().map(|number| number.to_bits()));
        }
    }
    out
}

/// The numbers of a frame, by bits: where two frames agree here they agree.
fn bits(frame: &EvaluatedFrame) -> Vec<u64> {
    let mut bits = Vec::new();
    for object in frame.objects.values() {
        let rig = object.rig.iter().flat_map(|rig| rig.model.iter());
        for affine in std::iter::once(&object.world).chain(rig) {
            bits.extend(affine.linear.iter().chain(affine.translation.iter()).map(|number| number.to_bits()));
        }
        let locals = object.rig.iter().flat_map(|rig| rig.local.iter());
        bits.extend(locals.flat_map(|local| {
            local
                .translation
                .iter()
                .chain(local.rotation.coords.iter())
                .chain(local.scale.iter())
                .map(|n| n.to_bits())
                .collect::<Vec<_>>()
        }));
    }
    bits
}

fn same_parts(a: &Document, b: &Document) -> bool {
    Arc::ptr_eq(&a.settings, &b.settings)
        && Arc::ptr_eq(&a.objects, &b.objects)
        && Arc::ptr_eq(&a.clips, &b.clips)
        && Arc::ptr_eq(&a.poses, &b.poses)
}

fn apart(a: &Transform, b: &Transform) -> f64 {
    let (p, q) = (&a.rotation.coords, &b.rotation.coords);
    (p - q).norm().min((p + q).norm()) + (a.translation - b.translation).norm() + (a.scale - b.scale).norm()
}

/// Random gestures, some cancelled, some of several updates, some single edits, with selections between.
fn work(session: &mut Session, random: &mut Seeded) {
    for _ in 0..STEPS {
        let before = session.base().clone();
        if random.below(3) == 0 {
            let selection = arbitrary::selection(random, session.document());
            session.select(selection);
        }
        session.gesture(Gesture::Begin { label: "history.test" }).unwrap();
        for _ in 0..1 + random.below(3) {
            let edit = arbitrary::edit(random, &before);
            // What fails leaves what was shown.
            let shown = session.document().clone();
            if session.gesture(Gesture::Update(edit)).is_err() {
                assert!(Arc::ptr_eq(&shown, session.document()));
            }
            assert_eq!(session.document().problems(), []);
        }
        if random.below(4) == 0 {
            session.gesture(Gesture::Cancel).unwrap();
            assert!(Arc::ptr_eq(session.document(), &before));
        } else {
            let steps = session.history().len();
            let outcome = session.gesture(Gesture::Commit).unwrap();
            let changed = **session.base() != *before;
            assert_eq!(outcome == Outcome::Committed, changed || session.history().len() > steps, "{outcome:?}");
            assert_eq!(outcome == Outcome::Unchanged, Arc::ptr_eq(session.base(), &before));
        }
        assert!(same_parts(session.document(), session.base()));
    }
}

#[test]
fn random_edits_are_undone_and_redone_exactly() {
    let mut done = 0;
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed);
        let start = document(seed);
        let mut session = Session::with_limits(start.clone(), Limits { entries: 10_000, bytes: usize::MAX });
        work(&mut session, random);
        let (end, steps) = (session.base().clone(), session.history().index());
        done += steps;
        let mut states = vec![end.clone()];
        while session.undo() {
            session.select(arbitrary::selection(random, session.document()));
            states.push(session.base().clone());
        }
        assert_eq!(**session.base(), start, "seed {seed}");
        assert!(!session.is_modified() && states.len() == steps + 1);
        for state in states.iter().rev().skip(1) {
            assert!(session.redo());
            assert!(Arc::ptr_eq(state, session.base()));
        }
        assert!(!session.redo() && Arc::ptr_eq(&end, session.base()));
        for _ in 0..20 {
            let index = random.below(steps + 1);
            session.jump(index);
            assert!(Arc::ptr_eq(session.base(), &states[steps - index]));
        }
    }
    // Most of what is tried can be done, or the test would show little.
    assert!(done as u64 > SEEDS * STEPS as u64 / 2, "{done}");
}

#[test]
fn a_warm_cache_gives_what_a_cold_one_gives() {
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed + 1_000);
        let mut session = Session::new(document(seed));
        let warm = Evaluator::new();
        let mut posers = BTreeMap::new();
        for _ in 0..STEPS {
            let edit = arbitrary::edit(random, session.document());
            match random.below(6) {
                0 => drop(session.undo()),
                1 => drop(session.redo()),
                _ => drop(session.apply("history.test", &edit)),
            }
            let document = session.document();
            let waiting = document.clips.values().flat_map(|clip| clip.unkeyed.iter().map(|frame| frame.time));
            let mut times: Vec<f64> = waiting.take(2).collect();
            times.extend([0, 1].map(|_| arbitrary::time(random, document)));
            for secs in times {
                let (warm, cold) = (warm.frame(document, secs), Evaluator::new().frame(document, secs));
                assert_eq!(bits(&warm), bits(&cold), "seed {seed}");
                let [before, now] = drawn(document, &cold, &mut posers);
                assert_eq!(before, now, "seed {seed}");
                assert!(warm.cycles.is_empty() && warm.objects.len() == document.objects.len());
            }
        }
    }
}

#[test]
fn the_evaluator_and_the_single_questions_agree() {
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed + 2_000);
        let mut document = arbitrary::document(seed);
        for _ in 0..20 {
            drop(arbitrary::edit(random, &document).apply(&mut document));
        }
        for _ in 0..20 {
            let secs = arbitrary::time(random, &document);
            let frame = Evaluator::new().frame(&document, secs);
            for (object, _, _) in document.rigs() {
                // Single questions are asked of the curves, before pins.
                if frame.pins.iter().any(|pin| pin.object == object) {
                    continue;
                }
                let pose = rig_pose(&document, object, secs).unwrap();
                for (a, b) in pose.iter().zip(&frame.rig(object).unwrap().local) {
                    assert!(apart(a, b) < 1e-13, "seed {seed} {object}: {a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn one_bound_joint_is_that_of_the_whole_pose_with_tracks_or_without() {
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed + 4_000);
        let mut document = arbitrary::document(seed);
        for _ in 0..20 {
            drop(arbitrary::edit(random, &document).apply(&mut document));
        }
        for (object, _, rig) in document.rigs() {
            let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
            let whole = RigBinding::new(object, &rig.skeleton, clip, None);
            let trackless = RigBinding::trackless(object, &rig.skeleton, clip);
            assert!(whole.joint(rig.skeleton.len()).is_none());
            for _ in 0..20 {
                let secs = arbitrary::time(random, &document);
                for (index, wanted) in whole.played_pose(secs).iter().enumerate() {
                    assert_eq!(whole.joint(index).unwrap().local(secs), *wanted, "seed {seed} {object}");
                    let found = trackless.joint(index).unwrap().local(secs);
                    assert!(apart(&found, wanted) < 1e-15, "seed {seed} {object}: {found:?} {wanted:?}");
                }
            }
        }
    }
}

#[test]
fn edits_are_data_that_come_back_from_text() {
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed + 3_000);
        let document = document(seed);
        for _ in 0..20 {
            let edit = arbitrary::edit(random, &document);
            let text = ron::to_string(&edit).unwrap();
            assert_eq!(ron::from_str::<inbetween::edit::Edit>(&text).unwrap(), edit, "{text}");
        }
    }
}

#[test]
fn whatever_was_done_is_saved_and_comes_back() {
    for seed in 1..=SEEDS {
        let random = &mut Seeded::new(seed + 5_000);
        let mut document = document(seed);
        for _ in 0..STEPS {
            drop(arbitrary::edit(random, &document).apply(&mut document));
        }
        let text = files::save(&document).unwrap();
        assert_eq!(files::load(&text).unwrap(), document, "seed {seed}");
    }
}
