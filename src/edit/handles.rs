//! Edits of Bezier handles.

use super::{CurveRef, Edit, EditError, KeySelection, curves::existing_curve_mut, error::finite};
use crate::{
    eval::curve::{KeyHandles, handles_used},
    model::{Curve, Document, Handle, Key, KeyedCurve, ScalarCurve},
};
use serde::{Deserialize, Serialize};

/// Which handle of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HandleSide {
    /// The one before the key.
    In,
    /// The one after the key.
    Out,
}

/// A handle's kind, without a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HandleKind {
    /// Derived: smooth, may overshoot.
    Auto,
    /// Derived: smooth, never overshoots.
    AutoClamped,
    /// Derived: points at the neighbouring key.
    Vector,
    /// Set by hand, in line with the other handle.
    Aligned,
    /// Set by hand.
    Free,
}

impl HandleKind {
    /// All kinds, in the order they are offered.
    pub const ALL: [Self; 5] = [Self::Auto, Self::AutoClamped, Self::Vector, Self::Aligned, Self::Free];

    /// The kind of a handle.
    #[must_use]
    pub const fn of(handle: Handle) -> Self {
        match handle {
            Handle::Auto => Self::Auto,
            Handle::AutoClamped => Self::AutoClamped,
            Handle::Vector => Self::Vector,
            Handle::Aligned(..) => Self::Aligned,
            Handle::Free(..) => Self::Free,
        }
    }

    const fn with_offset(self, (dt, dv): (f64, f64)) -> Handle {
        match self {
            Self::Auto => Handle::Auto,
            Self::AutoClamped => Handle::AutoClamped,
            Self::Vector => Handle::Vector,
            Self::Aligned => Handle::Aligned(dt, dv),
            Self::Free => Handle::Free(dt, dv),
        }
    }
}

/// An edit of Bezier handles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HandleEdit {
    /// Sets the kind of both handles of keys. Kinds set by hand start where the handles act now; aligned ones are brought
    /// into line by turning both to their mean direction.
    SetKind {
        /// The keys, of keyed scalar curves.
        keys: KeySelection,
        /// The kind.
        kind: HandleKind,
    },
    /// Puts one handle at an offset from its key. Derived handles become aligned, one that pointed at its neighbour free;
    /// an aligned partner turns with it and keeps its length.
    Move {
        /// The curve.
        curve: CurveRef,
        /// The key's time, seconds.
        secs: f64,
        /// Which handle.
        side: HandleSide,
        /// The offset `(seconds, value)`; seconds of the wrong sign count as 0.
        offset: (f64, f64),
    },
}

impl From<HandleEdit> for Edit {
    fn from(edit: HandleEdit) -> Self {
        Self::Handle(edit)
    }
}

impl HandleEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::SetKind { keys, kind } => keys.iter().try_for_each(|(at, secs)| {
                change(document, at, secs, |key, used| {
                    let [before, after] = match kind {
                        HandleKind::Aligned => in_line(used),
                        _ => used,
                    };
                    key.handle_in = kind.with_offset(before);
                    key.handle_out = kind.with_offset(after);
                })
            }),
            Self::Move { curve, secs, side, offset } => {
                finite("a handle", offset.0)?;
                finite("a handle", offset.1)?;
                change(document, *curve, *secs, |key, used| drag(key, used, *side, *offset))
            }
        }
    }
}

/// Changes one key, given its handles' offsets as they act: before, after.
fn change(
    document: &mut Document,
    at: CurveRef,
    secs: f64,
    change: impl FnOnce(&mut Key, [(f64, f64); 2]),
) -> Result<(), EditError> {
    match existing_curve_mut(document, at)? {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            let missing = || EditError::NoKey { path: at.path, secs };
            let index = curve.keys.index_at(secs).ok_or_else(missing)?;
            let mut key = curve.keys.get(index).ok_or_else(missing)?;
            let used = offsets(curve, index, &key);
            change(&mut key, used);
            curve.keys.replace_same_time(index, key);
            Ok(())
        }
        Curve::Scalar(ScalarCurve::Sampled(_)) => Err(EditError::Sampled(at.path)),
        Curve::Rotation(_) => Err(EditError::WrongKind(at.path)),
    }
}

/// Where the handles of a key are: as stored, else as derived; at an end key, whose outer handle acts on nothing, the
/// mirror image of the inner one.
fn offsets(curve: &KeyedCurve, index: usize, key: &Key) -> [(f64, f64); 2] {
    let stored = |handle: Handle| match handle {
        Handle::Aligned(dt, dv) | Handle::Free(dt, dv) => Some((dt, dv)),
        Handle::Auto | Handle::AutoClamped | Handle::Vector => None,
    };
    let KeyHandles { before, after } = handles_used(curve, index).unwrap_or_default();
    let (before, after) = (stored(key.handle_in).or(before), stored(key.handle_out).or(after));
    let mirrored = |(dt, dv): (f64, f64)| (-dt, -dv);
    let before_or = before.or(after.map(mirrored)).unwrap_or((0.0, 0.0));
    [before_or, after.unwrap_or_else(|| mirrored(before_or))]
}

/// Two handles turned onto their mean slope, each keeping its length in time. Slopes are meant in the graph's own units;
/// a handle without length in time takes the other's slope.
fn in_line([before, after]: [(f64, f64); 2]) -> [(f64, f64); 2] {
    let slope = |(dt, dv): (f64, f64)| (dt != 0.0).then(|| dv / dt);
    let mean = match (slope(before), slope(after)) {
        (Some(a), Some(b)) => 0.5 * (a + b),
        (Some(slope), None) | (None, Some(slope)) => slope,
        (None, None) => 0.0,
    };
    [(before.0, before.0 * mean), (after.0, after.0 * mean)]
}

fn drag(key: &mut Key, [before, after]: [(f64, f64); 2], side: HandleSide, (dt, dv): (f64, f64)) {
    let sign = match side {
        HandleSide::In => -1.0,
        HandleSide::Out => 1.0,
    };
    // A handle on the wrong side of its key would run time backwards: it stands on the key's own time instead.
    let offset = (sign * (dt * sign).max(0.0), dv);
    let (this, other, other_offset) = match side {
        HandleSide::In => (&mut key.handle_in, &mut key.handle_out, after),
        HandleSide::Out => (&mut key.handle_out, &mut key.handle_in, before),
    };
    let becomes = |handle: Handle| match handle {
        Handle::Vector | Handle::Free(..) => HandleKind::Free,
        Handle::Auto | Handle::AutoClamped | Handle::Aligned(..) => HandleKind::Aligned,
    };
    let kind = becomes(*this);
    *this = kind.with_offset(offset);
    if kind == HandleKind::Aligned && becomes(*other) == HandleKind::Aligned {
        let (dt, dv) = opposite(offset, other_offset);
        *other = Handle::Aligned(dt, dv);
    }
}

/// A handle opposite to `offset`, as long as `other` was. Seconds and values have no common measure: each counts by the
/// larger of the two handles, so that the result stays finite however steep the handle is dragged.
fn opposite(offset: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let measure = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 1.0 } else { a.abs().max(b.abs()) };
    let (secs, value) = (measure(offset.0, other.0), measure(offset.1, other.1));
    let (along, across) = (offset.0 / secs, offset.1 / value);
    let length = along.hypot(across);
    if length == 0.0 {
        return other;
    }
    let ratio = (other.0 / secs).hypot(other.1 / value) / length;
    (-offset.0 * ratio, -offset.1 * ratio)
}
