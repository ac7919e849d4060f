//! Small documents, each with one thing to try at once: what the cards of the start open.

use super::{
    biped, body,
    gait::{
        Motion,
        table::{IDLE, RUN, WALK},
    },
    round6,
    shapes::Shape,
    spaces,
    templates::Template,
    track,
};
use crate::{
    eval::curve,
    math::{Transform, Vec3},
    model::{
        ChannelPath, Clip, Component, Curve, DeformerId, Document, FrameRange, FrameRate, Handle, Interpolation, Key,
        KeyedCurve, Keys, Lattice, Layer, LayerId, Object, ObjectId, ObjectKind, Plays, Property, Rig, Samples,
        ScalarCurve, StackEntry,
    },
};
use std::sync::Arc;

/// Quads along a side of the balls.
const PIECES: u32 = 6;
/// The balls' diameter, metres.
const BALL: f64 = 0.3;

/// Makes a clip the one that plays, with its range.
fn playing(document: &mut Document, clip: Clip) {
    let range = clip.range;
    let clip = document.add_clip(clip);
    let settings = Arc::make_mut(&mut document.settings);
    (settings.clip, settings.play_range) = (Some(clip), range);
}

/// The biped, its weight on both feet: one pose is keyed.
pub(super) fn stand() -> Document {
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    let mut clip = track::clip("Pose", &IDLE, 1, rig, &skeleton);
    clip.range = FrameRange::new(0, 47);
    for curve in clip.channels.values_mut() {
        if let Curve::Scalar(ScalarCurve::Keyed(keyed)) = Arc::make_mut(curve) {
            keyed.keys = keyed.keys.iter().take(1).map(|key| Key::new(key.time, key.value)).collect();
        }
    }
    playing(&mut document, clip);
    document
}

/// The biped, whose right arm goes up and down again: the arc of its hand is a trail to drag.
pub(super) fn reach() -> Document {
    /// Frames, and the angles of the upper arm about X, Y and Z then, radians: it hangs, points forward, is up, and hangs.
    const ARM: [(i64, [f64; 3]); 4] =
        [(0, [0.0, 0.1, 1.3]), (16, [0.0, 0.9, 0.35]), (28, [0.0, 0.3, -0.85]), (48, [0.0, 0.1, 1.3])];
    let mut document = stand();
    let Some((rig, arm)) = document.rigs().find_map(|(id, _, rig)| {
        let joint = rig.skeleton.joints().iter().find(|joint| joint.name == "upper_arm.r")?;
        Some((id, joint.id))
    }) else {
        return document;
    };
    let rate = FrameRate::default();
    let range = FrameRange::new(0, 48);
    Arc::make_mut(&mut document.settings).play_range = range;
    for clip in Arc::make_mut(&mut document.clips).values_mut().map(Arc::make_mut) {
        (clip.name, clip.range) = ("Reach".to_owned(), range);
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let keys = ARM.map(|(frame, angles)| Key::new(rate.secs(frame), angles[axis])).into_iter().collect();
            let curve = KeyedCurve { keys, ..KeyedCurve::default() };
            let path = ChannelPath::joint(rig, arm, Property::Rotation, component);
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        }
    }
    document
}

/// The biped's walk with a value at every frame, as a recording of motion is: there are no keys.
pub(super) fn captured() -> Document {
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    let mut clip = track::clip("Captured walk", &WALK, 4, rig, &skeleton);
    let rate = FrameRate::default();
    for held in clip.channels.values_mut() {
        let Some(keyed) = held.scalar_keys() else { continue };
        let value = |frame| round6(curve::value(keyed, rate.secs(frame)).unwrap_or(0.0));
        let values: Arc<[f64]> = (0..=clip.range.last).map(value).collect();
        *held = Arc::new(Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values))));
    }
    playing(&mut document, clip);
    document
}

/// A ball of the sample size.
fn ball(document: &mut Document) -> ObjectId {
    let mesh = ObjectKind::Mesh(Arc::new(Shape::Sphere.mesh(PIECES)));
    let transform = Transform { scale: Vec3::repeat(BALL), ..Transform::from_translation(Vec3::y() * (BALL / 2.0)) };
    document.add_object(Object { transform, ..Object::new("Ball", mesh) })
}

/// A channel of a place with keys.
fn placed(clip: &mut Clip, object: ObjectId, component: Component, keys: Keys<Key>) {
    let curve = KeyedCurve { keys, ..KeyedCurve::default() };
    let path = ChannelPath::object(object, Property::Translation, component);
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
}

/// A ball that bounces, each time lower: between two keys its height is a parabola, so that it is slow at the top.
pub(super) fn bounce() -> Document {
    /// Frames and heights of the ball's lowest point, metres: tops and touches in turn.
    const HEIGHTS: [(i64, f64); 9] =
        [(0, 1.2), (12, 0.0), (21, 0.7), (30, 0.0), (37, 0.4), (44, 0.0), (49, 0.2), (54, 0.0), (60, 0.0)];
    let mut document = Document::default();
    let ball = ball(&mut document);
    let rate = FrameRate::default();
    let mut clip = Clip::new("Bounce", FrameRange::new(0, 60));
    let keys = HEIGHTS.iter().enumerate().map(|(at, (frame, height))| {
        let mut key = Key::new(rate.secs(*frame), round6(height + BALL / 2.0));
        // A parabola's slope at its end is twice that of its chord.
        let toward = |other: Option<&(i64, f64)>| {
            let (frames, rise) = other.map_or((0, 0.0), |(next, next_height)| (next - frame, next_height - height));
            let rise = if *height == 0.0 { 2.0 * rise / 3.0 } else { 0.0 };
            Handle::Free(round6(rate.secs(frames) / 3.0), round6(rise))
        };
        key.handle_in = toward(at.checked_sub(1).and_then(|before| HEIGHTS.get(before)));
        key.handle_out = toward(HEIGHTS.get(at + 1));
        key
    });
    placed(&mut clip, ball, Component::Y, keys.collect());
    let along = [(0, -1.2), (60, 1.2)]
        .map(|(frame, x)| Key { interpolation: Interpolation::Linear, ..Key::new(rate.secs(frame), x) });
    placed(&mut clip, ball, Component::X, along.into_iter().collect());
    playing(&mut document, clip);
    document
}

/// A ball that goes up and down through keys at uneven times: schemes differ most there.
pub(super) fn race() -> Document {
    let mut document = Document::default();
    let ball = ball(&mut document);
    let rate = FrameRate::default();
    let mut clip = Clip::new("Race", FrameRange::new(0, 48));
    let heights = [(0, 0.3), (8, 1.3), (14, 0.5), (30, 0.8), (36, 1.5), (48, 0.3)];
    placed(
        &mut clip,
        ball,
        Component::Y,
        heights.map(|(frame, y)| Key::new(rate.secs(frame), y)).into_iter().collect(),
    );
    playing(&mut document, clip);
    document
}

/// An arm with a hand: a chain for the solvers.
pub(super) fn arm() -> Document {
    let mut document = Document::default();
    let skeleton = Arc::new(Template::Arm.skeleton(&Template::Arm.usual()));
    document.add_object(Object::rig("Arm", Rig { skeleton, ..Rig::default() }));
    document
}

/// The biped with its body, and a lattice around its torso.
pub(super) fn torso() -> Document {
    /// The box: from the hips to the shoulders, beside the arms, metres.
    const MIDDLE: [f64; 3] = [0.0, 1.2, 0.0];
    const SIZE: [f64; 3] = [0.46, 0.56, 0.34];
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    let lattice = Lattice { counts: [3, 4, 3], size: SIZE.into(), falloff: 0.1, ..Lattice::default() };
    let transform = Transform::from_translation(MIDDLE.into());
    let by = Object { transform, ..Object::new("Torso lattice", ObjectKind::Lattice(Arc::new(lattice))) };
    let by = document.add_object(by);
    let mut mesh = body::mesh(rig, &skeleton);
    mesh.stack.push(StackEntry::new(DeformerId(0), by));
    let parent = Some(crate::model::Parent::Object(rig));
    document.add_object(Object { parent, ..Object::new("Body", ObjectKind::Mesh(Arc::new(mesh))) });
    playing(&mut document, Clip::new("Bend", FrameRange::new(0, 47)));
    document
}

/// The biped between walking and running: a blend space of three clips plays.
pub(super) fn gait() -> Document {
    let mut document = Document::default();
    let (rig, skeleton) = biped::add_to(&mut document);
    let motions: [(&str, &dyn Motion); 3] = [("Idle", &IDLE), ("Walk", &WALK), ("Run", &RUN)];
    for (name, motion) in motions {
        document.add_clip(track::clip(name, motion, 1, rig, &skeleton));
    }
    let space = spaces::add_gait(&mut document, rig);
    let layer = Layer { point: [1.6, 0.0], ..Layer::new(LayerId(0), "Gait", Plays::Space(space)) };
    if let Some(object) = Arc::make_mut(&mut document.objects).get_mut(&rig) {
        Arc::make_mut(object).layers.push(Arc::new(layer));
    }
    document
}
