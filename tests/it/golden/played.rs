//! Curves as a document holds and plays them: on a channel of an object, saved and loaded, read by the evaluator.

use inbetween::{
    eval::Evaluator,
    io::ron,
    math::{Quat, Vec3},
    model::{
        ChannelPath, Clip, Component, Constraint, ConstraintId, ConstraintKind, Curve, Document, Follow, FrameRange,
        KeyedCurve, KeyedRotation, Object, ObjectId, ObjectKind, Path, PathScheme, Property, RotationCurve,
        RotationMode, ScalarCurve,
    },
};
use std::sync::Arc;

/// A document, as its file gives it back, of one object whose curve plays.
pub(super) struct Played {
    pub(super) document: Document,
    pub(super) object: ObjectId,
    evaluator: Evaluator,
}

impl Played {
    /// A scalar curve, on the object's way along X.
    pub(super) fn scalar(curve: &KeyedCurve) -> Result<Self, String> {
        let curve = Curve::Scalar(ScalarCurve::Keyed(curve.clone()));
        Self::new(RotationMode::default(), Property::Translation, Component::X, curve)
    }

    /// A rotation curve, as the object's rotation.
    pub(super) fn rotation(keys: KeyedRotation) -> Result<Self, String> {
        let curve = Curve::Rotation(RotationCurve::Keyed(keys));
        Self::new(RotationMode::Quaternion, Property::Rotation, Component::Whole, curve)
    }

    fn new(mode: RotationMode, property: Property, component: Component, curve: Curve) -> Result<Self, String> {
        let mut document = Document::default();
        let object = Object { rotation: mode, ..Object::new("it", ObjectKind::Empty) };
        let object = document.add_object(object);
        let mut clip = Clip::new("clip", FrameRange::new(0, 240));
        clip.channels.insert(ChannelPath::object(object, property, component), Arc::new(curve));
        Self::of(document, clip, object)
    }

    fn of(mut document: Document, clip: Clip, object: ObjectId) -> Result<Self, String> {
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        let text = ron::save(&document).map_err(|error| format!("not saved: {error}"))?;
        let document = ron::load(&text).map_err(|error| format!("not loaded: {error}"))?;
        Ok(Self { document, object, evaluator: Evaluator::new() })
    }

    /// An object that follows a path, driven by a curve of the follower's property.
    pub(super) fn follower(
        path: Path,
        follow: impl FnOnce(ObjectId) -> Follow,
        drive: Option<(Property, KeyedCurve)>,
    ) -> Result<Self, String> {
        let mut document = Document::default();
        let road = document.add_object(Object::path("road", path));
        let mut object = Object::new("it", ObjectKind::Empty);
        let id = ConstraintId(0);
        let kind = ConstraintKind::Follow(follow(road));
        object
            .constraints
            .push(Constraint { id, name: String::new(), muted: false, influence: 1.0, joint: None, kind }.into());
        let object = document.add_object(object);
        let mut clip = Clip::new("clip", FrameRange::new(0, 240));
        if let Some((property, curve)) = drive {
            let path = ChannelPath::constraint(object, id, property);
            clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        }
        Self::of(document, clip, object)
    }

    /// The scalar curve as the file gave it back.
    pub(super) fn curve(&self) -> Result<&KeyedCurve, String> {
        let clip = self.document.clips.values().next().ok_or("no clip")?;
        clip.channels.values().next().and_then(|curve| curve.scalar_keys()).ok_or_else(|| "no curve".to_owned())
    }

    /// Where the object is.
    pub(super) fn place(&self, secs: f64) -> Vec3 {
        let frame = self.evaluator.frame(&self.document, secs);
        frame.objects.get(&self.object).map_or_else(|| Vec3::repeat(f64::NAN), |object| object.world.translation)
    }

    /// Its place along X: the value of a scalar curve.
    pub(super) fn values(&self, times: &[f64]) -> Vec<f64> {
        times.iter().map(|secs| self.place(*secs).x).collect()
    }

    /// How it is turned.
    pub(super) fn turned(&self, secs: f64) -> Quat {
        let frame = self.evaluator.frame(&self.document, secs);
        frame.objects.get(&self.object).map_or_else(Quat::identity, |object| object.world.rotation())
    }

    /// How far along its path the object is to be, metres: more than the path where its channels say so.
    pub(super) fn distance(&self, secs: f64) -> f64 {
        self.evaluator.frame(&self.document, secs).follows.first().map_or(f64::NAN, |report| report.wanted)
    }

    /// The curve of the document's path.
    pub(super) fn road(&self) -> Result<inbetween::math::path::MeasuredPath, String> {
        let frame = self.evaluator.frame(&self.document, 0.0);
        let road = frame.objects.values().find_map(|object| object.path.as_ref());
        road.map(|path| path.curve.clone()).ok_or_else(|| "no path".to_owned())
    }
}

/// The places of a document's path at parameters that count its segments.
pub(super) fn on_road(path: Path, parameters: &[f64]) -> Result<Vec<Vec3>, String> {
    let road = Played::follower(path, Follow::new, None)?.road()?;
    parameters.iter().map(|u| road.point(*u)).collect::<Option<_>>().ok_or_else(|| "no segments".to_owned())
}

/// A path of two points that is one Bezier segment.
pub(super) fn bezier_path(points: &[Vec3; 4]) -> Path {
    let [start, out, into, end] = points;
    let mut path = Path { scheme: PathScheme::Bezier, ..Path::through(&[*start, *end]) };
    path.points[0].handle_out = Some(out - start);
    path.points[1].handle_in = Some(into - end);
    path
}
