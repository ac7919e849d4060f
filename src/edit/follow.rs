//! Followers by one click: put on a path, given a pace, brought to a point at a time, kept from going back.

use super::{
    ConstraintEdit, CurveEdit, CurveRef, Edit, EditError, KeyEdit, ObjectEdit, numbers::key_number, pose::clip_for,
};
use crate::{
    eval::follow::{Travel, driven_by},
    math::{Quat, Transform},
    model::{
        ChannelPath, Constraint, ConstraintId, ConstraintKind, Curve, Document, Drive, Follow, Forward, Handle,
        Interpolation, Key, ObjectId, Property, ScalarCurve,
    },
};
use std::sync::Arc;

/// How a follower passes its whole path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At one speed.
    Constant,
    /// Starting slowly.
    EaseIn,
    /// Ending slowly.
    EaseOut,
    /// Both.
    EaseInOut,
}

impl Pace {
    /// All paces, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Constant, Self::EaseIn, Self::EaseOut, Self::EaseInOut];
}

/// A follower: the object, its constraint, and how long its path is, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnPath {
    /// The object.
    pub object: ObjectId,
    /// Its constraint.
    pub constraint: ConstraintId,
    /// The length of its path, metres.
    pub length: f64,
}

/// The edit that puts objects on a path, cameras looking along it. Objects that are paths themselves are passed over.
///
/// # Errors
/// Where the path is none, or it would wait for one of the objects.
pub fn follow_path(document: &Document, objects: &[ObjectId], path: ObjectId) -> Result<Edit, EditError> {
    let mut edits = Vec::new();
    for &object in objects.iter().filter(|object| **object != path) {
        let found = document.object(object).ok_or(EditError::NoObject(object))?;
        let forward = if found.as_camera().is_some() { Forward::Back } else { Forward::Front };
        if found.as_camera().is_some() && found.transform.rotation != Quat::identity() {
            // Its own rotation would come on top: it is to look along the path.
            let transform = Transform { rotation: Quat::identity(), ..found.transform };
            edits.push(ObjectEdit::SetTransform { object, transform }.into());
        }
        let kind = ConstraintKind::Follow(Follow { tied: true, forward, ..Follow::new(path) });
        let id = found.fresh_constraint_id();
        let constraint = Constraint { id, name: String::new(), muted: false, influence: 1.0, joint: None, kind };
        edits.push(ConstraintEdit::Add { object, constraint: Arc::new(constraint) }.into());
    }
    Edit::Batch(edits.clone()).apply(&mut document.clone())?;
    Ok(Edit::Batch(edits))
}

fn follow_of(document: &Document, on: OnPath) -> Result<(Constraint, Follow), EditError> {
    let missing = || EditError::NoConstraint(on.object, on.constraint);
    let object = document.object(on.object).ok_or(EditError::NoObject(on.object))?;
    let constraint = object.constraint(on.constraint).ok_or_else(missing)?;
    Ok(((**constraint).clone(), *constraint.as_follow().ok_or_else(missing)?))
}

/// The edit that changes a follower.
///
/// # Errors
/// Where there is no such follower.
pub fn set_follow(document: &Document, on: OnPath, change: impl FnOnce(&mut Follow)) -> Result<Edit, EditError> {
    let (mut constraint, mut follow) = follow_of(document, on)?;
    change(&mut follow);
    constraint.kind = ConstraintKind::Follow(follow);
    Ok(ConstraintEdit::Set { object: on.object, constraint: Arc::new(constraint) }.into())
}

/// The edits that give a channel these keys and no others.
fn replaced(document: &Document, on: OnPath, property: Property, keys: Vec<Key>) -> Vec<Edit> {
    let (clip_id, clip, mut edits) = clip_for(document, on.object);
    let curve = CurveRef { clip: clip_id, path: ChannelPath::constraint(on.object, on.constraint, property) };
    if clip.channels.contains_key(&curve.path) {
        edits.push(CurveEdit::Delete { curves: vec![curve] }.into());
    }
    edits.push(KeyEdit::Insert { curve, keys }.into());
    edits
}

/// The edit that lets a follower pass its whole path between two times, seconds, tied to its length. What drove it before
/// goes: keys of the speed where speed drives it, else of the distance. One driven by acceleration is driven by distance from
/// then on: with acceleration it would not stop at the end.
///
/// # Errors
/// Where there is no such follower or the times are not in order.
pub fn pace(document: &Document, on: OnPath, pace: Pace, (from, to): (f64, f64)) -> Result<Edit, EditError> {
    if !(from < to && from.is_finite() && to.is_finite()) {
        return Err(EditError::BadNumber { what: "the end of a way", value: to });
    }
    let (flat, steep) = (0.0, 1.0 / 3.0);
    // As eases are drawn: a slope that is not flat is half as steep again as the straight line.
    let (leave, arrive) = match pace {
        Pace::Constant => (steep, steep),
        Pace::EaseIn => (flat, 1.5 * steep),
        Pace::EaseOut => (1.5 * steep, flat),
        Pace::EaseInOut => (flat, flat),
    };
    let (_, follow) = follow_of(document, on)?;
    // The cubic's four numbers: of the distance as a part of the way, or of the speed.
    let (drive, [start, first, second, end]) = if follow.drive == Drive::Speed {
        // Its derivative, three numbers, raised to a cubic again.
        let by = 3.0 * if on.length > 0.0 { on.length } else { 1.0 } / (to - from);
        let [start, middle, end] = [leave * by, (1.0 - arrive - leave) * by, arrive * by];
        (Drive::Speed, [start, 2.0_f64.mul_add(middle, start) / 3.0, 2.0_f64.mul_add(middle, end) / 3.0, end])
    } else {
        (Drive::Distance, [0.0, leave, 1.0 - arrive, 1.0])
    };
    let third = (to - from) / 3.0;
    let set_out = Key { handle_out: Handle::Free(third, first - start), ..Key::new(from, start) };
    let come = Key { handle_in: Handle::Free(-third, second - end), ..Key::new(to, end) };
    let set = set_follow(document, on, |follow| {
        (follow.drive, follow.tied) = (drive, true);
        if drive == Drive::Speed {
            // From the path's start.
            follow.distance = 0.0;
        }
    })?;
    let mut edits = vec![set];
    edits.extend(replaced(document, on, driven_by(drive), vec![set_out, come]));
    Ok(Edit::Batch(edits))
}

/// The edit that lets a follower be at a distance, metres from its path's start, at a time. One that is driven otherwise is
/// driven by distance from then on; one without keys sets out at `start`, seconds, from where it stands.
///
/// # Errors
/// Where there is no such follower or a number is not finite.
pub fn arrive(document: &Document, on: OnPath, metres: f64, secs: f64, start: f64) -> Result<Edit, EditError> {
    let mut changed = document.clone();
    let converted = by_distance(document, on)?;
    converted.apply(&mut changed)?;
    let (_, follow) = follow_of(&changed, on)?;
    let unit = if follow.tied && on.length > 0.0 { on.length } else { 1.0 };
    let path = ChannelPath::constraint(on.object, on.constraint, Property::Distance);
    let clip = changed.clip_of(on.object).and_then(|clip| changed.clip(clip));
    let has_curve = clip.is_some_and(|clip| clip.channels.contains_key(&path));
    let mut values = vec![(secs, metres / unit)];
    if !has_curve && start < secs {
        values.insert(0, (start, follow.distance));
    }
    Ok(Edit::Batch(vec![converted, key_number(&changed, path, &values)?]))
}

/// How far apart the places are that slopes are taken from, as a part of the time between the keys.
const NEAR: f64 = 1e-3;

/// The slope of a function at a time from it and three places after it (before it, for a step below 0): exact for cubics.
/// The side matters: there may be a corner at the time itself.
fn slope(value: impl Fn(f64) -> f64, secs: f64, step: f64) -> f64 {
    let [a, b, c, d] = [0.0, 1.0, 2.0, 3.0].map(|steps| value(step.mul_add(steps, secs)));
    (2.0_f64.mul_add(d, 18.0_f64.mul_add(b, -11.0 * a)) - 9.0 * c) / (6.0 * step)
}

/// How far from an end of its path a way may start or end and still be one over the whole path, as a part of the length.
const WHOLE: f64 = 1e-9;

/// The edit that makes a follower one driven by distance: a key for each that drove it, with its distance and slopes, which is the
/// same way where speed was straight between keys, or acceleration. Nothing where it is driven by distance already.
///
/// # Errors
/// Where there is no such follower.
pub fn by_distance(document: &Document, on: OnPath) -> Result<Edit, EditError> {
    let (_, follow) = follow_of(document, on)?;
    let travel = Travel::new(document, on.object, on.constraint, on.length);
    let Some(travel) = travel.filter(|_| follow.drive != Drive::Distance) else { return Ok(Edit::none()) };
    let mut times = travel.key_times();
    times.dedup();
    let unit = if travel.unit() > 0.0 { travel.unit() } else { 1.0 };
    let at = |secs: f64| travel.distance(secs) / unit;
    let keys = times.iter().enumerate().map(|(index, &time)| {
        let mut key = Key::new(time, at(time));
        if let Some(before) = index.checked_sub(1).and_then(|before| times.get(before)) {
            let (gap, h) = ((time - before) / 3.0, (time - before) * NEAR);
            key.handle_in = Handle::Free(-gap, -gap * slope(at, time, -h));
        }
        if let Some(after) = times.get(index + 1) {
            let (gap, h) = ((after - time) / 3.0, (after - time) * NEAR);
            key.handle_out = Handle::Free(gap, gap * slope(at, time, h));
        }
        key
    });
    let keys: Vec<Key> = keys.collect();
    let mut edits = vec![set_follow(document, on, |follow| follow.drive = Drive::Distance)?];
    if !keys.is_empty() {
        edits.extend(replaced(document, on, Property::Distance, keys));
    }
    Ok(Edit::Batch(edits))
}

/// The edit that makes a follower one driven by speed: a key for each that drove it, with its speed and handles that make it
/// arrive at every key where and when it did. Between them it is the same way where distances were cubics of the time that
/// pass their keys smoothly. A way that is not the whole path is no longer tied to its length. Nothing where speed drives it
/// already; one that nothing moves stands still as it did.
///
/// # Errors
/// Where there is no such follower.
pub fn by_speed(document: &Document, on: OnPath) -> Result<Edit, EditError> {
    let (_, follow) = follow_of(document, on)?;
    let travel = Travel::new(document, on.object, on.constraint, on.length);
    let Some(travel) = travel.filter(|_| follow.drive != Drive::Speed) else { return Ok(Edit::none()) };
    let mut times = travel.key_times();
    times.dedup();
    let places: Vec<f64> = times.iter().map(|secs| travel.distance(*secs)).collect();
    let (Some(from), Some(to)) = (places.first(), places.last()) else {
        return set_follow(document, on, |follow| follow.drive = Drive::Speed);
    };
    // The speeds at both ends of each stretch, from within.
    let stretches: Vec<[f64; 2]> = times
        .windows(2)
        .map(|pair| {
            let near = (pair[1] - pair[0]) * NEAR;
            let along = |secs: f64| travel.distance(secs);
            [slope(along, pair[0], near), slope(along, pair[1], -near)]
        })
        .collect();
    let of_key = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| stretches.get(before)).map(|speeds| speeds[1]);
        let after = stretches.get(index).map(|speeds| speeds[0]);
        match (before, after) {
            (Some(before), Some(after)) => f64::midpoint(before, after),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0.0,
        }
    };
    let mut keys: Vec<Key> = times.iter().enumerate().map(|(index, time)| Key::new(*time, of_key(index))).collect();
    for (index, pair) in times.windows(2).enumerate() {
        let (gap, start, end) = ((pair[1] - pair[0]) / 3.0, of_key(index), of_key(index + 1));
        // The parabola through both speeds that covers the stretch: its middle number, and the cubic that is it.
        let middle = (places[index + 1] - places[index]) / gap - start - end;
        keys[index].handle_out = Handle::Free(gap, (middle - start) * 2.0 / 3.0);
        keys[index + 1].handle_in = Handle::Free(-gap, (middle - end) * 2.0 / 3.0);
    }
    let whole = from.abs() <= WHOLE * on.length && (to - on.length).abs() <= WHOLE * on.length;
    let tied = follow.tied && whole;
    let start = if tied { 0.0 } else { *from };
    let set = set_follow(document, on, |follow| {
        (follow.drive, follow.tied, follow.distance) = (Drive::Speed, tied, start);
    })?;
    let mut edits = vec![set];
    edits.extend(replaced(document, on, Property::Speed, keys));
    Ok(Edit::Batch(edits))
}

/// The edit that keeps a follower from going back: keys that fall are raised to the highest before them (speeds below zero to
/// zero), and ways between keys that may swing are made flat at extremes. Driven by acceleration, it sets out faster. Nothing
/// where it never goes back.
///
/// # Errors
/// Where there is no such follower, or captured motion drives it.
pub fn mend(document: &Document, on: OnPath) -> Result<Edit, EditError> {
    let (_, follow) = follow_of(document, on)?;
    let path = ChannelPath::constraint(on.object, on.constraint, driven_by(follow.drive));
    let travel = Travel::new(document, on.object, on.constraint, on.length);
    let Some(travel) = travel.filter(|travel| travel.goes_back().is_some()) else { return Ok(Edit::none()) };
    if follow.drive == Drive::Acceleration {
        let least = travel.least_speed();
        return set_follow(document, on, |follow| follow.speed -= least.min(0.0));
    }
    let clip_id = document.clip_of(on.object).ok_or(EditError::NoConstraint(on.object, on.constraint))?;
    let clip = document.clip(clip_id).ok_or(EditError::NoClip(clip_id))?;
    let curve = match clip.channels.get(&path).map(|curve| &**curve) {
        Some(Curve::Scalar(ScalarCurve::Keyed(curve))) => curve,
        Some(_) => return Err(EditError::Sampled(path)),
        None => return Err(EditError::NoCurve(clip_id, path)),
    };
    let mut highest = if follow.drive == Drive::Speed { 0.0 } else { f64::NEG_INFINITY };
    let keys = curve.keys.iter().map(|key| {
        let value = key.value.max(highest);
        if follow.drive == Drive::Distance {
            highest = value;
        }
        let keeps = matches!(key.interpolation, Interpolation::Step | Interpolation::Linear);
        let interpolation = if keeps { key.interpolation } else { Interpolation::Bezier };
        Key { interpolation, ..Key::new(key.time, value) }
    });
    Ok(KeyEdit::Insert { curve: CurveRef { clip: clip_id, path }, keys: keys.collect() }.into())
}
