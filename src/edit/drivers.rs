//! Edits of drivers. The keys of their curves are edited as those of a clip, [`ClipId::DRIVERS`].

use super::{CurveRef, Edit, EditError, KeyEdit, curves::target_of, objects::object_mut};
use crate::{
    eval::{
        drive::driven_value,
        sample::{Stage, own_value},
    },
    model::{
        ChannelPath, ClipId, Document, Driver, ObjectId, Target, Value,
        driver::{can_be_driven, can_drive},
        names::channel_name,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An edit of what drives channels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DriverEdit {
    /// Adds a driver, or puts it in the place of the one its channel has.
    Set {
        /// The driver.
        driver: Arc<Driver>,
    },
    /// Deletes the drivers of channels.
    Delete {
        /// The channels that are driven.
        driven: Vec<ChannelPath>,
    },
}

impl From<DriverEdit> for Edit {
    fn from(edit: DriverEdit) -> Self {
        Self::Driver(edit)
    }
}

impl DriverEdit {
    pub(super) fn run(&self, document: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Set { driver } => {
                check(document, driver)?;
                let drivers = &mut object_mut(document, driver.driven.target.object())?.drivers;
                match drivers.iter_mut().find(|other| other.driven == driver.driven) {
                    Some(place) => *place = driver.clone(),
                    None => drivers.push(driver.clone()),
                }
                match document.driver_cycles().first() {
                    None => Ok(()),
                    Some(members) => Err(EditError::DriverCycle(members.join(", "))),
                }
            }
            Self::Delete { driven } => driven.iter().try_for_each(|path| {
                document.driver_of(*path).ok_or(EditError::NoDriver(*path))?;
                object_mut(document, path.target.object())?.drivers.retain(|driver| driver.driven != *path);
                Ok(())
            }),
        }
    }
}

fn check(document: &Document, driver: &Driver) -> Result<(), EditError> {
    target_of(document, driver.driven)?;
    target_of(document, driver.source)?;
    if !can_be_driven(driver.driven) {
        return Err(EditError::NotDriven(driver.driven));
    }
    if !can_drive(driver.source) {
        return Err(EditError::NotDriven(driver.source));
    }
    if driver.driven == driver.source {
        return Err(EditError::DriverCycle(driver.driven.to_string()));
    }
    if !(0.0..=1.0).contains(&driver.influence) {
        return Err(EditError::BadNumber { what: "an influence", value: driver.influence });
    }
    let keys = driver.keys().ok_or(EditError::WrongKind(driver.driven))?;
    let mut all = keys.keys.iter();
    match all.find(|key| !(key.time.is_finite() && key.value.is_finite())) {
        Some(key) => Err(EditError::BadNumber { what: "a driver's key", value: key.time + key.value }),
        None => Ok(()),
    }
}

/// The driver whose curve is named; an error where there is none.
pub(super) fn driver_mut(document: &mut Document, path: ChannelPath) -> Result<&mut Driver, EditError> {
    let missing = EditError::NoDriver(path);
    let Some(object) = document.object_mut(path.target.object()) else { return Err(missing) };
    let found = object.drivers.iter_mut().find(|driver| driver.driven == path);
    found.map(Arc::make_mut).ok_or(missing)
}

/// Drops the drivers of channels that are no more, and those that read them.
pub(super) fn forget_drivers(document: &mut Document, is_gone: impl Fn(Target) -> bool) {
    let lost = |driver: &Driver| is_gone(driver.driven.target) || is_gone(driver.source.target);
    let named = document.objects.iter().filter(|(_, object)| object.drivers.iter().any(|driver| lost(driver)));
    let objects: Vec<ObjectId> = named.map(|(id, _)| *id).collect();
    for id in objects {
        if let Some(object) = document.object_mut(id) {
            object.drivers.retain(|driver| !lost(driver));
        }
    }
}

/// The edit of a set-driven key: at what the source is now each driven channel gets a key with what it is now. A channel that
/// has no driver gets one; the first key alone holds it where it is.
///
/// # Errors
/// Where a channel cannot drive or be driven, has another source already, or would drive itself through others.
pub fn set_driven_key(
    document: &Document,
    source: ChannelPath,
    driven: &[ChannelPath],
    secs: f64,
) -> Result<Edit, EditError> {
    let at = shown_value(document, source, secs).ok_or(EditError::NotDriven(source))?;
    let mut edits = Vec::new();
    for path in driven {
        let value = shown_value(document, *path, secs).ok_or(EditError::NotDriven(*path))?;
        match document.driver_of(*path) {
            Some(known) if known.source != source => {
                let name = |path| channel_name(document, path).unwrap_or_else(|| path.to_string());
                return Err(EditError::DrivenAlready(name(*path), name(known.source)));
            }
            Some(_) => {}
            None => edits.push(DriverEdit::Set { driver: Arc::new(Driver::new(*path, source)) }.into()),
        }
        edits.push(driver_point(*path, at, value));
    }
    let edit = Edit::Batch(edits);
    edit.apply(&mut document.clone())?;
    Ok(edit)
}

/// The edit that gives the curve of a driver a key, at a value of its source; a key that is there gets the value.
#[must_use]
pub fn driver_point(driven: ChannelPath, at: f64, value: f64) -> Edit {
    KeyEdit::Set { curve: CurveRef::of_driver(driven), values: vec![(at, Value::Scalar(value))] }.into()
}

/// What a channel of one number is as shown, with what drives it; none where there is no such channel, and for pins.
#[must_use]
pub fn shown_value(document: &Document, path: ChannelPath, secs: f64) -> Option<f64> {
    driven_value(document, path, secs, Stage::Shown).or_else(|| own_value(document, path, secs, Stage::Shown))
}

impl CurveRef {
    /// The curve under which a channel is driven.
    #[must_use]
    pub const fn of_driver(driven: ChannelPath) -> Self {
        Self { clip: ClipId::DRIVERS, path: driven }
    }

    /// Whether it names a driver's curve.
    #[must_use]
    pub fn is_of_driver(self) -> bool {
        self.clip == ClipId::DRIVERS
    }

    /// The curve, in a clip or of a driver; none where there is none.
    #[must_use]
    pub fn find(self, document: &Document) -> Option<&Arc<crate::model::Curve>> {
        if self.is_of_driver() {
            return document.driver_of(self.path).map(|driver| &driver.curve);
        }
        document.clip(self.clip)?.channels.get(&self.path)
    }
}
