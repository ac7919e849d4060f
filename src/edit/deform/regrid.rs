//! Another number of points or another basis, with the shape kept as well as it can be.

use super::DeformEdit;
use crate::{
    edit::{CurveEdit, CurveRef, Edit, EditError, KeyEdit},
    eval::{deform::LatticeShape, sample::scalar_value},
    math::{
        Vec3,
        lattice::{Basis, elevated, refitted},
    },
    model::{
        ChannelPath, Clip, ClipId, Component, Curve, Document, Lattice, ObjectId, PointId, ScalarCurve, Target, Value,
    },
};

/// What a change of a lattice's points comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Regrid {
    /// The edit.
    pub edit: Edit,
    /// The farthest that anything within the box is from where it was, metres, over the shape where no clip moves it, the kept
    /// shapes and every key.
    pub error: f64,
}

/// At how many places along an axis the old and the new shape are compared.
const SAMPLES: usize = 9;

/// The most key times that are rewritten.
const TIMES_MOST: usize = 10_000;

/// The edit that gives a lattice other points: more Bernstein points by raising the degree, which changes nothing; anything else
/// by the nearest shape (least squares). Where clips move points, their curves are keyed anew at every time that one of them had
/// a key.
///
/// # Errors
/// Where the object is no lattice, a number of points is not 1 to 16, or too many keys would be rewritten.
pub fn regrid(document: &Document, object: ObjectId, counts: [u8; 3], bases: [Basis; 3]) -> Result<Regrid, EditError> {
    let found = document.object(object).and_then(|found| found.as_lattice()).ok_or(EditError::NotALattice(object))?;
    let new = Lattice { counts, bases, offsets: Default::default(), poses: Vec::new(), ..(**found).clone() };
    if let Some(bad) = counts.iter().find(|count| !(1..=16).contains(*count)) {
        return Err(EditError::BadNumber { what: "a number of points", value: f64::from(*bad) });
    }
    let mut error = 0.0_f64;
    let mut convert = |old: Vec<Vec3>| {
        let values = converted(found, &new, old.clone());
        error = error.max(apart(found, old, &new, values.clone()));
        values
    };
    let dense = |offsets: &std::collections::BTreeMap<PointId, Vec3>| -> Vec<Vec3> {
        found.points().map(|(point, _)| offsets.get(&point).copied().unwrap_or_default()).collect()
    };
    let named = |values: Vec<Vec3>| -> Vec<(PointId, Vec3)> {
        new.points().map(|(point, _)| point).zip(values).filter(|(_, offset)| *offset != Vec3::zeros()).collect()
    };
    let fixed = named(convert(dense(&found.offsets)));
    let poses = found.poses.iter().map(|pose| named(convert(dense(&pose.offsets)))).collect();
    let mut edits = vec![DeformEdit::SetGrid { object, counts, bases, offsets: fixed, poses }.into()];
    for (id, clip) in document.clips.iter() {
        let times = key_times(clip, object);
        if times.len() > TIMES_MOST {
            return Err(EditError::BadNumber { what: "a number of keys to be rewritten", value: times.len() as f64 });
        }
        if !times.is_empty() {
            edits.extend(rekeyed(document, (*id, clip), object, &new, &times, &mut convert));
        }
    }
    Ok(Regrid { edit: Edit::Batch(edits), error })
}

/// The times at which the curves of a lattice's points have keys or samples, in order.
fn key_times(clip: &Clip, object: ObjectId) -> Vec<f64> {
    let mut times = Vec::new();
    let own = clip.channels.iter().filter(|(path, _)| matches!(path.target, Target::Point(of, _) if of == object));
    for (_, curve) in own {
        match &**curve {
            Curve::Scalar(ScalarCurve::Keyed(curve)) => times.extend(curve.keys.iter().map(|key| key.time)),
            Curve::Scalar(ScalarCurve::Sampled(samples)) => {
                let step = samples.rate.frame_secs();
                times.extend((0..samples.values.len()).map(|index| samples.start + index as f64 * step));
            }
            Curve::Rotation(_) => {}
        }
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn rekeyed(
    document: &Document,
    (id, clip): (ClipId, &Clip),
    object: ObjectId,
    new: &Lattice,
    times: &[f64],
    convert: &mut impl FnMut(Vec<Vec3>) -> Vec<Vec3>,
) -> Vec<Edit> {
    let Some(old) = document.object(object).and_then(|found| found.as_lattice()) else { return Vec::new() };
    let at = |secs: f64| -> Vec<Vec3> {
        let value = |(point, _): (PointId, [usize; 3])| {
            let mut offset = old.offset(point).unwrap_or_default();
            for (axis, component) in Component::AXES.into_iter().enumerate() {
                if let Some(Curve::Scalar(curve)) =
                    clip.channels.get(&ChannelPath::point(object, point, component)).map(|curve| &**curve)
                {
                    offset[axis] = scalar_value(curve, secs).unwrap_or(offset[axis]);
                }
            }
            offset
        };
        old.points().map(value).collect()
    };
    let rows: Vec<(f64, Vec<Vec3>)> = times.iter().map(|secs| (*secs, convert(at(*secs)))).collect();
    let gone: Vec<CurveRef> = clip
        .channels
        .keys()
        .filter(|path| matches!(path.target, Target::Point(of, point) if of == object && new.place_of(point).is_some()))
        .map(|path| CurveRef { clip: id, path: *path })
        .collect();
    let mut edits = Vec::new();
    if !gone.is_empty() {
        edits.push(CurveEdit::Delete { curves: gone }.into());
    }
    for (index, (point, _)) in new.points().enumerate() {
        for (axis, component) in Component::AXES.into_iter().enumerate() {
            let value =
                |(secs, row): &(f64, Vec<Vec3>)| (*secs, Value::Scalar(row.get(index).map_or(0.0, |v| v[axis])));
            let values: Vec<(f64, Value)> = rows.iter().map(value).collect();
            if values.iter().any(|(_, value)| *value != Value::Scalar(0.0)) {
                let curve = CurveRef { clip: id, path: ChannelPath::point(object, point, component) };
                edits.push(KeyEdit::Set { curve, values }.into());
            }
        }
    }
    edits
}

/// The offsets of the new points, axis by axis.
fn converted(old: &Lattice, new: &Lattice, values: Vec<Vec3>) -> Vec<Vec3> {
    let mut counts = [0, 1, 2].map(|axis| old.count(axis));
    let mut values = values;
    for axis in 0..3 {
        let (from, to) = ((old.bases[axis], counts[axis]), (new.bases[axis], new.count(axis)));
        let mut after = counts;
        after[axis] = to.1;
        let mut out = vec![Vec3::zeros(); after.iter().product()];
        let stride = |counts: &[usize; 3]| [1, counts[0], counts[0] * counts[1]];
        let (before_stride, after_stride) = (stride(&counts), stride(&after));
        let others: Vec<usize> = (0..3).filter(|other| *other != axis).collect();
        for a in 0..counts[others[0]] {
            for b in 0..counts[others[1]] {
                let base = |s: &[usize; 3]| a * s[others[0]] + b * s[others[1]];
                let line = (0..from.1).map(|i| values[base(&before_stride) + i * before_stride[axis]]);
                for (i, value) in along(from, to, line.collect()).into_iter().enumerate() {
                    out[base(&after_stride) + i * after_stride[axis]] = value;
                }
            }
        }
        (values, counts) = (out, after);
    }
    values
}

/// The values of the new points along one line.
fn along(from: (Basis, usize), to: (Basis, usize), line: Vec<Vec3>) -> Vec<Vec3> {
    let kind = |(basis, count): (Basis, usize)| (basis.of(count), count);
    if kind(from) == kind(to) {
        return line;
    }
    if from.0.of(from.1) == Basis::Bernstein && to.0.of(to.1) == Basis::Bernstein && to.1 > from.1 {
        let mut line = line;
        while line.len() < to.1 {
            line = elevated(&line);
        }
        return line;
    }
    refitted(from, to).apply(&line, Vec3::zeros())
}

/// The farthest two shapes are apart within the box, metres.
fn apart(old: &Lattice, old_offsets: Vec<Vec3>, new: &Lattice, new_offsets: Vec<Vec3>) -> f64 {
    let (old, new) = (LatticeShape::new(old, old_offsets), LatticeShape::new(new, new_offsets));
    let part = |i: usize| i as f64 / (SAMPLES - 1) as f64;
    let mut most = 0.0_f64;
    for i in 0..SAMPLES {
        for j in 0..SAMPLES {
            for k in 0..SAMPLES {
                let at = Vec3::new(part(i), part(j), part(k));
                most = most.max((old.offset_at(&at) - new.offset_at(&at)).norm());
            }
        }
    }
    most
}
