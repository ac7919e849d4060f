//! One curve of 1,000,000 keys: editing one key, pushing the change onto the undo history, undoing it.
//!
//! `cargo bench --bench edit`. Medians; every round edits another key, seeded.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

use inbetween::{
    edit::{CurveRef, Gesture, KeyEdit, KeySelection, Outcome, Session},
    model::{
        ChannelPath, Clip, Component, Curve, Document, FrameRange, Joint, JointId, Key, KeyedCurve, Object, ObjectId,
        Property, Rig, ScalarCurve, Skeleton,
    },
};
use std::{hint::black_box, sync::Arc, time::Instant};

const KEYS: u32 = 1_000_000;
const ROUNDS: usize = 150;

fn document() -> (Document, CurveRef) {
    let mut document = Document::default();
    let joint = Joint::new(JointId(0), "joint", None, Default::default());
    let skeleton = Arc::new(Skeleton::new(vec![joint]).unwrap());
    document.add_object(Object::rig("rig", Rig { skeleton, ..Rig::default() }));
    let mut clip = Clip::new("long", FrameRange::new(0, i64::from(KEYS)));
    let keys = (0..KEYS).map(|i| Key::new(f64::from(i) / 24.0, (f64::from(i) * 0.1).sin()));
    let curve = KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() };
    let path = ChannelPath::joint(ObjectId(1), JointId(0), Property::Rotation, Component::X);
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (document, CurveRef { clip, path })
}

fn median_us(mut taken: Vec<f64>) -> f64 {
    taken.sort_by(f64::total_cmp);
    taken[taken.len() / 2]
}

fn timed<T>(into: &mut Vec<f64>, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = black_box(run());
    into.push(start.elapsed().as_secs_f64() * 1e6);
    result
}

fn main() {
    let (document, curve) = document();
    let mut session = Session::new(document);
    let (mut value, mut time, mut insert, mut push, mut undo, mut redo) = Default::default();
    for round in 0..ROUNDS {
        let at = f64::from((round as u32 * 7_919_333) % KEYS) / 24.0;
        let keys = KeySelection::of(curve, &[at]);
        let change = |dt, dv| Gesture::Update(KeyEdit::Move { keys: keys.clone(), dt, dv }.into());
        session.gesture(Gesture::Begin { label: "history.move_keys" }).unwrap();
        timed(&mut value, || session.gesture(change(0.0, 0.5))).unwrap();
        timed(&mut time, || session.gesture(change(0.01, 0.5))).unwrap();
        let set = KeyEdit::Set { curve, values: vec![(at + 0.02, inbetween::model::Value::Scalar(1.0))] };
        timed(&mut insert, || session.gesture(Gesture::Update(set.into()))).unwrap();
        session.gesture(change(0.01, 0.5)).unwrap();
        let outcome = timed(&mut push, || session.gesture(Gesture::Commit)).unwrap();
        assert_eq!(outcome, Outcome::Committed);
        timed(&mut undo, || session.undo());
        timed(&mut redo, || session.redo());
    }
    println!("one curve of {KEYS} keys, {ROUNDS} rounds");
    println!("edit one key's value   {:8.2} us   wanted 20 us", median_us(value));
    println!("move one key in time   {:8.2} us   wanted 20 us", median_us(time));
    println!("insert one key         {:8.2} us   wanted 20 us", median_us(insert));
    println!("push onto the history  {:8.2} us   wanted 50 us", median_us(push));
    println!("undo                   {:8.2} us   wanted 1000 us", median_us(undo));
    println!("redo                   {:8.2} us   wanted 1000 us", median_us(redo));
    println!("the history holds      {:8.2} MB", session.history().bytes() as f64 / 1e6);
}
