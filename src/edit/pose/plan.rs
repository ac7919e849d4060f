//! What is to be written where, found channel by channel.

use super::correct;
use crate::{
    edit::{
        CurveRef, Edit, EditError, KeyEdit, UnkeyedEdit,
        curves::target_of,
        error::finite,
        held_back::{held_back, is_held, with_held},
    },
    eval::{
        corrections::{uncorrect_rotation, uncorrect_scalar},
        sample::{Stage, axis_slot, clip_local, read_angles, rest_of},
    },
    math::{
        EulerOrder, Quat, Transform,
        rotation::{nearest_euler, to_euler, try_unit},
    },
    model::{ChannelPath, Clip, ClipId, Component, CorrectionId, Document, Property, RotationMode, Target, Value},
};
use std::collections::BTreeMap;

/// A property that is to have a value at the plan's time.
pub(in crate::edit) struct Wish {
    pub(in crate::edit) target: Target,
    pub(in crate::edit) property: Property,
    /// The transform whose property is wanted.
    pub(in crate::edit) wanted: Transform,
}

/// The wishes for one time of one clip, and what they come to.
pub(in crate::edit) struct Plan<'a> {
    pub(super) document: &'a Document,
    pub(super) clip_id: ClipId,
    pub(super) clip: &'a Clip,
    pub(super) secs: f64,
    /// The correction that is selected.
    pub(super) correction: Option<CorrectionId>,
    /// Whether more changes follow at once: then long corrections are solved near this time only.
    pub(super) live: bool,
    wishes: BTreeMap<(Target, Property), Transform>,
}

/// How far two numbers may lie apart and be one pose, relative where they are large: rounding of a solve, far below
/// anything that shows.
const SAME: f64 = 1e-12;

impl<'a> Plan<'a> {
    pub(in crate::edit) fn new(
        document: &'a Document,
        clip_id: ClipId,
        clip: &'a Clip,
        secs: f64,
        correction: Option<CorrectionId>,
    ) -> Result<Self, EditError> {
        let secs = finite("a time", secs)?;
        Ok(Self { document, clip_id, clip, secs, correction, live: false, wishes: BTreeMap::new() })
    }

    /// That a target exists and has channels.
    pub(in crate::edit) fn check(&self, target: Target) -> Result<(), EditError> {
        let path = ChannelPath { target, property: Property::Translation, component: Component::X };
        target_of(self.document, path)
    }

    pub(in crate::edit) fn is_empty(&self) -> bool {
        self.wishes.is_empty()
    }

    /// Wishes for a property, but for what of it is locked or driven.
    pub(in crate::edit) fn wish(&mut self, wish: Wish) {
        let Wish { target, property, wanted } = wish;
        let driven = self.document.object(target.object()).is_some_and(|object| !object.drivers.is_empty());
        let wanted = match driven || self.document.locks(target).is_some() {
            true => with_held(self.document, target, property, (&self.local(target, Stage::Shown), &wanted)),
            false => wanted,
        };
        self.wishes.insert((target, property), wanted);
    }

    /// Wishes for everything of a target that a whole pose holds: its rotation, and translation and scale where they have
    /// a curve or wait, the translation of a root in any case. Without `wanted` it is the pose shown.
    pub(in crate::edit) fn wish_all(&mut self, target: Target, wanted: Option<&Transform>) {
        let shown = self.local(target, Stage::Shown);
        let wanted = wanted.copied().unwrap_or(shown);
        let is_root = match target {
            Target::Object(_) | Target::Point(..) | Target::Constraint(..) | Target::Pole(..) => true,
            Target::Pin(..) | Target::Morph(..) | Target::Deformer(..) | Target::Layer(..) | Target::Sample(..) => {
                false
            }
            Target::Joint(object, joint) => {
                let rig = self.document.object(object).and_then(|object| object.as_rig());
                rig.and_then(|rig| rig.skeleton.joint(joint)).is_some_and(|joint| joint.parent.is_none())
            }
        };
        for property in target.transform_properties().iter().copied() {
            let held = match property {
                Property::Rotation => true,
                Property::Translation => is_root,
                _ => false,
            };
            if held
                || self.has_curve(target, property)
                || self.waits(target, property)
                || self.differs(target, property, &wanted)
            {
                self.wish(Wish { target, property, wanted });
            }
        }
    }

    /// Wishes for a property as it is shown.
    pub(in crate::edit) fn wish_shown(&mut self, target: Target, property: Property) {
        let wanted = self.local(target, Stage::Shown);
        self.wish(Wish { target, property, wanted });
    }

    pub(super) fn local(&self, target: Target, stage: Stage) -> Transform {
        clip_local(self.document, Some(self.clip), target, self.secs, stage).unwrap_or_default()
    }

    fn mode(&self, target: Target) -> RotationMode {
        rest_of(self.document, target).map(|(_, mode)| mode).unwrap_or_default()
    }

    /// When the target's curves and corrections are read for the plan's time: where its keys go.
    pub(super) fn source(&self, target: Target) -> f64 {
        self.clip.source_secs(target, self.secs)
    }

    pub(in crate::edit) fn paths(target: Target, property: Property) -> impl Iterator<Item = ChannelPath> {
        let components = Component::AXES.into_iter().chain([Component::Whole]);
        components.map(move |component| ChannelPath { target, property, component })
    }

    pub(in crate::edit) fn has_curve(&self, target: Target, property: Property) -> bool {
        Self::paths(target, property).any(|path| self.clip.channels.contains_key(&path))
    }

    fn waits(&self, target: Target, property: Property) -> bool {
        let frame = self.clip.unkeyed_at(self.secs);
        frame.is_some_and(|frame| Self::paths(target, property).any(|path| frame.values.contains_key(&path)))
    }

    fn is_sampled(&self, target: Target, property: Property) -> bool {
        let mut curves = Self::paths(target, property).filter_map(|path| self.clip.channels.get(&path));
        curves.any(|curve| curve.is_sampled())
    }

    /// Why a property cannot be made as wanted, where all of it that would change is driven by other channels or locked, or a
    /// constraint says what it is.
    pub(in crate::edit) fn held(&self, target: Target, property: Property, wanted: &Transform) -> Option<EditError> {
        held_back(self.document, target, property, self.secs, (&self.local(target, Stage::Shown), wanted))
    }

    /// Whether some of a property stays behind what is wanted, being locked or driven.
    pub(in crate::edit) fn falls_short(&self, target: Target, property: Property, wanted: &Transform) -> bool {
        let held = with_held(self.document, target, property, (&self.local(target, Stage::Shown), wanted));
        is_other(&held, wanted, property)
    }

    /// Whether a property shown now is another than wanted.
    pub(in crate::edit) fn differs(&self, target: Target, property: Property, wanted: &Transform) -> bool {
        is_other(&self.local(target, Stage::Shown), wanted, property)
    }

    /// Lets all wishes wait at the time.
    pub(in crate::edit) fn wait(&self) -> Result<Vec<Edit>, EditError> {
        let mut values = Vec::new();
        for (&(target, property), wanted) in &self.wishes {
            check_finite(wanted, property)?;
            values.extend(self.values(target, property, wanted, false)?);
            values.retain(|(path, _)| !is_held(self.document, *path));
        }
        Ok(vec![UnkeyedEdit::Set { clip: self.clip_id, secs: self.secs, values }.into()])
    }

    /// Writes all wishes: keys, and corrections where motion is captured. What waited for the same channels is dropped.
    pub(in crate::edit) fn write(&self) -> Result<Vec<Edit>, EditError> {
        let mut edits = Vec::new();
        // By the time read: joints that are retimed otherwise are corrected elsewhere.
        let mut corrected: Vec<(f64, Vec<_>)> = Vec::new();
        let mut done = Vec::new();
        for (&(target, property), wanted) in &self.wishes {
            check_finite(wanted, property)?;
            if let Some(muted) = Self::paths(target, property).find(|path| self.clip.muted.contains(path)) {
                // A key of it would not show; as it is it needs none.
                if self.differs(target, property, wanted) {
                    return Err(EditError::Muted(muted));
                }
                continue;
            }
            done.extend(Self::paths(target, property));
            if !self.is_sampled(target, property) {
                let values = self.values(target, property, wanted, true)?;
                for (path, value) in values.into_iter().filter(|(path, _)| !is_held(self.document, *path)) {
                    let curve = CurveRef { clip: self.clip_id, path };
                    edits.push(KeyEdit::Set { curve, values: vec![(self.source(target), value)] }.into());
                }
            } else if is_other(&self.local(target, Stage::Corrected), wanted, property) {
                let source = self.source(target);
                match corrected.iter_mut().find(|(secs, _)| *secs == source) {
                    Some((_, together)) => together.push((target, property, *wanted)),
                    None => corrected.push((source, vec![(target, property, *wanted)])),
                }
            }
        }
        let mut id = self.clip.fresh_correction_id();
        if !corrected.is_empty() {
            let mut base = self.document.clone();
            edits.iter().try_for_each(|edit: &Edit| edit.apply(&mut base))?;
            for (secs, wanted) in &corrected {
                let edit = correct::correct(self, &base, *secs, wanted, &mut id)?;
                edit.apply(&mut base)?;
                edits.push(edit);
            }
        }
        if let Some(frame) = self.clip.unkeyed_at(self.secs) {
            done.retain(|path| frame.values.contains_key(path));
            if !done.is_empty() {
                edits.push(UnkeyedEdit::Remove { clip: self.clip_id, secs: self.secs, paths: done }.into());
            }
        }
        Ok(edits)
    }

    /// The channels' values for a property: under the corrections, as a key must be, or as shown.
    fn values(
        &self,
        target: Target,
        property: Property,
        wanted: &Transform,
        under_corrections: bool,
    ) -> Result<Vec<(ChannelPath, Value)>, EditError> {
        let path = |component| ChannelPath { target, property, component };
        let corrections = if under_corrections { &self.clip.corrections[..] } else { &[] };
        // What needs no change keeps its numbers to the bit.
        let same = under_corrections && !is_other(&self.local(target, Stage::Corrected), wanted, property);
        let raw = self.local(target, Stage::Curves);
        if property != Property::Rotation {
            let (of_wanted, of_raw) = match property {
                Property::Translation => (wanted.translation, raw.translation),
                _ => (wanted.scale, raw.scale),
            };
            let value = |(axis, component)| {
                let path = path(component);
                let under = || uncorrect_scalar(corrections, path, self.source(target), of_wanted[axis]);
                (path, Value::Scalar(if same { of_raw[axis] } else { under() }))
            };
            return Ok(Component::AXES.into_iter().enumerate().map(value).collect());
        }
        let whole = path(Component::Whole);
        let rotation = uncorrect_rotation(corrections, whole, self.source(target), unit_rotation(&wanted.rotation)?);
        Ok(match self.mode(target) {
            RotationMode::Quaternion => vec![(whole, Value::Rotation(if same { raw.rotation } else { rotation }))],
            RotationMode::Euler(order) => {
                let before = self.present_triple(target, order);
                let triple = if same && !self.waits(target, property) {
                    before
                } else {
                    nearest_euler(order, &rotation, before)
                };
                let angle = |(axis, component)| (path(component), Value::Scalar(triple[axis_slot(order, axis)]));
                Component::AXES.into_iter().enumerate().map(angle).collect()
            }
        })
    }

    /// The triple an Euler joint has now: what waits, else its curves' values, else its rest angles.
    fn present_triple(&self, target: Target, order: EulerOrder) -> [f64; 3] {
        let rest = rest_of(self.document, target).map_or_else(Quat::identity, |(rest, _)| rest.rotation);
        let rest = read_angles(order, to_euler(order, &rest));
        let (frame, source) = (self.clip.unkeyed_at(self.secs), self.source(target));
        order.axes().map(|axis| {
            let path = ChannelPath { target, property: Property::Rotation, component: Component::AXES[axis] };
            let waiting = frame.and_then(|frame| match frame.values.get(&path) {
                Some(Value::Scalar(angle)) => Some(*angle),
                _ => None,
            });
            let curve = || match self.clip.channels.get(&path).map(|curve| &**curve) {
                Some(crate::model::Curve::Scalar(curve)) => crate::eval::sample::scalar_value(curve, source),
                _ => None,
            };
            waiting.or_else(curve).unwrap_or(rest[axis])
        })
    }
}

/// A rotation made of unit length, which a solver's result is but for rounding.
pub(super) fn unit_rotation(rotation: &Quat) -> Result<Quat, EditError> {
    let bad = || EditError::BadNumber { what: "a rotation", value: f64::NAN };
    if (rotation.norm_squared() - UNIT).abs() <= UNIT_ROUNDING {
        return Ok(*rotation);
    }
    try_unit(rotation.i, rotation.j, rotation.k, rotation.w).ok_or_else(bad)
}

/// The square of a unit quaternion's length, and what rounding may do to it.
const UNIT: f64 = 1.0;
const UNIT_ROUNDING: f64 = 1e-14;

fn check_finite(wanted: &Transform, property: Property) -> Result<(), EditError> {
    let numbers = match property {
        Property::Translation => wanted.translation.as_slice(),
        Property::Rotation => wanted.rotation.coords.as_slice(),
        Property::Scale => wanted.scale.as_slice(),
        _ => &[],
    };
    numbers.iter().try_for_each(|number| finite("a pose", *number).map(|_| ()))
}

fn is_other(a: &Transform, b: &Transform, property: Property) -> bool {
    // Not finite counts as other, so that it is found and refused.
    let apart = |a: f64, b: f64| (a - b).is_nan() || (a - b).abs() > SAME * (1.0 + a.abs());
    match property {
        Property::Translation => (0..3).any(|axis| apart(a.translation[axis], b.translation[axis])),
        Property::Scale => (0..3).any(|axis| apart(a.scale[axis], b.scale[axis])),
        Property::Rotation => {
            let (a, b) = (&a.rotation.coords, &b.rotation.coords);
            let apart = (a - b).norm().min((a + b).norm());
            apart.is_nan() || apart > SAME
        }
        // No part of a transform.
        _ => false,
    }
}
