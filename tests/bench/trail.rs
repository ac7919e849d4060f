//! A trail of 500 frames while a joint of a 60-joint rig is dragged. `cargo bench --bench trail`.
//!
//! A move of the drag: the edit applied to the document as it was at the press, the frame shown evaluated, the trail of the
//! dragged joint (the tenth of its limb) worked out anew, then its length, speed and acceleration. Keyed and captured; with a
//! pin of another limb and of the same one that acts at every frame of the trail; in the world and in the limb's parent's space. Wall times on all cores.
//! To reach: 16.7 ms.
#![allow(clippy::unwrap_used, reason = "a benchmark whose input is not as made has nothing to measure")]

mod limbs;
mod seeded;

use inbetween::{
    edit::{CurveRef, Gesture, KeyEdit, PinEdit, Session},
    eval::{
        Evaluator,
        trail::{TrailSpace, TrailSpec},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, FrameRange, FrameRate, JointId, Key, KeyedCurve, Object,
        ObjectId, Pin, PinId, PinSpace, Property, Rig, Samples, ScalarCurve, Value,
    },
};
use limbs::skeleton;
use seeded::Seeded;
use std::{hint::black_box, sync::Arc, time::Instant};

const JOINTS: u32 = 60;
const FRAMES: i64 = 500;
const MOVES: u32 = 60;
const OBJECT: ObjectId = ObjectId(1);
/// The last but one of the first limb: a pin of the end moves it.
const DRAGGED: JointId = JointId(8);

/// The dragged joint's own rotation is keyed in both.
fn document(keyed: bool) -> (Document, ClipId) {
    let mut document = Document::default();
    let rate = FrameRate::new(30, 1).unwrap();
    Arc::make_mut(&mut document.settings).rate = rate;
    document.add_object(Object::rig("rig", Rig { skeleton: Arc::new(skeleton(JOINTS)), ..Rig::default() }));
    let mut random = Seeded(0x9E37_79B9_7F4A_7C15);
    let mut clip = Clip::new("motion", FrameRange::new(0, FRAMES - 1));
    for joint in 0..JOINTS {
        for component in Component::AXES {
            let (size, speed, phase) = (random.next() * 0.8, 0.5 + 3.0 * random.next(), 6.0 * random.next());
            let at = |secs: f64| size * (speed * secs + phase).sin();
            let curve = if keyed || joint == DRAGGED.0 - 1 {
                let keys = (0..42).map(|i| f64::from(i) * 0.4).map(|secs| Key::new(secs, at(secs)));
                ScalarCurve::Keyed(KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() })
            } else {
                ScalarCurve::Sampled(Samples::new(0.0, rate, (0..FRAMES).map(|i| at(rate.secs(i))).collect()))
            };
            let path = ChannelPath::joint(OBJECT, JointId(joint), Property::Rotation, component);
            clip.channels.insert(path, Arc::new(Curve::Scalar(curve)));
        }
    }
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    (document, clip)
}

fn pinned(document: &mut Document, clip: ClipId, joint: usize) {
    let frame = Evaluator::new().frame(document, 0.0);
    let pin = Pin {
        id: PinId(0),
        name: String::new(),
        object: OBJECT,
        joint: JointId(u32::try_from(joint).unwrap()),
        space: PinSpace::World,
        place: frame.joint_world(OBJECT, joint).unwrap().translation,
        orientation: None,
        range: (0.0, 20.0),
        ease: (0.0, 0.0),
        influence: 1.0,
        muted: false,
    };
    inbetween::edit::Edit::from(PinEdit::Add { clip, pin: Arc::new(pin) }).apply(document).unwrap();
}

fn row(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
    println!("{name:44} {:9.2} {:9.2}", at(0.5), at(0.99));
}

fn measure(name: &str, keyed: bool, space: TrailSpace, pin: Option<usize>) {
    let (mut document, clip) = document(keyed);
    if let Some(joint) = pin {
        pinned(&mut document, clip, joint);
    }
    let mut session = Session::new(document);
    let evaluator = Evaluator::new();
    let spec = TrailSpec { object: OBJECT, joint: DRAGGED, space, first: 0, last: FRAMES - 1 };
    let path = ChannelPath::joint(OBJECT, JointId(DRAGGED.0 - 1), Property::Rotation, Component::Z);
    session.gesture(Gesture::Begin { label: "history.trail_across" }).unwrap();
    let (mut trails, mut motions) = (Vec::new(), Vec::new());
    for step in 0..MOVES {
        let value = Value::Scalar(0.3 + 0.01 * f64::from(step));
        let start = Instant::now();
        let edit = KeyEdit::Set { curve: CurveRef { clip, path }, values: vec![(8.0, value)] };
        session.gesture(Gesture::Update(edit.into())).unwrap();
        black_box(evaluator.frame(session.document(), 8.0));
        let trail = evaluator.trail(session.document(), spec).unwrap();
        let shown = start.elapsed();
        black_box(evaluator.motion(session.document(), &trail).unwrap());
        if step > 1 {
            trails.push(shown.as_secs_f64() * 1e3);
            motions.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    row(&format!("{name}: edit, frame, trail"), trails);
    row(&format!("{name}: with speeds"), motions);
}

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{JOINTS} joints, a trail of {FRAMES} frames, {MOVES} moves, {cores} cores");
    println!("{:44} {:>9} {:>9}", "ms a move", "median", "99 %");
    measure("keyed, world", true, TrailSpace::World, None);
    measure("keyed, limb", true, TrailSpace::Limb, None);
    measure("captured, world", false, TrailSpace::World, None);
    measure("keyed, world, another limb pinned", true, TrailSpace::World, Some(19));
    measure("keyed, world, the limb pinned", true, TrailSpace::World, Some(9));
    measure("captured, world, the limb pinned", false, TrailSpace::World, Some(9));
    println!("to reach: 16.7 ms");
}
