//! What is said of joints said of their mirror images: limits, locks and drivers.

use super::tree::skeleton_of;
use crate::{
    edit::{
        EditError,
        anew::{self, Anew},
        rigs::rig_mut,
    },
    eval::mirror::reflected,
    math::{Quat, Vec3, rotation::from_axis_angle},
    model::{
        ChannelPath, Curve, Document, Driver, JointId, Limit, LimitSetting, ObjectId, Property, ScalarCurve, Target,
    },
};
use std::{collections::BTreeMap, f64::consts::PI, sync::Arc};

/// Rest poses that are mirror images but for this are mirror images.
const SAME: f64 = 1e-6;

/// The limits of a mirror image. Its bone swings as the limited one does as a mirror shows it, in axes whose X is turned
/// round: about X the same way, about Z and about the bone the other.
///
/// Joints are mirrored as `F G F` with the reflection `F`, so that a turn away from the rest pose is `F D F` in the axes of
/// the joint itself. With `axes' = F axes X`, `X` the reflection along the limits' X, it is `X d X` in those of the limits.
pub(super) fn limit(limit: &Limit, normal: &Vec3) -> Limit {
    let other_way = |(least, greatest): (f64, f64)| (-greatest, -least);
    // Two reflections are a turn by half a turn about each normal.
    let axes = from_axis_angle(normal, PI) * limit.axes * from_axis_angle(&Vec3::x(), PI);
    Limit {
        centre: reflected(normal, &limit.centre),
        axes: Quat::new_normalize(axes.into_inner()),
        twist: other_way(limit.twist),
        z: other_way(limit.z),
        ..*limit
    }
}

/// Who mirrors whom.
pub(super) struct Sides<'a> {
    /// Unit normal of the plane, in the rig's space.
    pub(super) normal: Vec3,
    /// Joints that were made, by what they were made of.
    pub(super) made: &'a BTreeMap<JointId, JointId>,
    /// Pairs that were there.
    pub(super) partners: &'a BTreeMap<JointId, JointId>,
    /// Whether a joint without a counterpart lies in the plane.
    pub(super) is_middle: &'a dyn Fn(JointId) -> bool,
}

/// Says of joints that were made what is said of those they were made of. Drivers read the other side of what theirs read,
/// and of what lies in the plane the other way; one whose numbers have no mirror image (of axes that lie aslant to the plane, or
/// a curve of [`anew::turned_round`] none) is left out.
pub(super) fn say(document: &mut Document, object: ObjectId, sides: &Sides<'_>) -> Result<(), EditError> {
    let rig = rig_mut(document, object)?;
    for (model, made) in sides.made {
        if let Some(locks) = rig.locks.get(model).copied() {
            rig.locks.insert(*made, locks);
        }
        let setting = rig.limits.get(model).map(|setting| match setting {
            LimitSetting::Off => LimitSetting::Off,
            LimitSetting::Own(own) => LimitSetting::Own(limit(own, &sides.normal)),
        });
        if let Some(setting) = setting {
            rig.limits.insert(*made, setting);
        }
    }
    let drivers = document.object(object).map(|found| found.drivers.clone()).unwrap_or_default();
    let of_made = |path: &ChannelPath| path.target.joint().is_some_and(|joint| sides.made.contains_key(&joint));
    for driver in drivers.iter().filter(|driver| of_made(&driver.driven)) {
        let found = (sides.image(document, object, driver.driven)?, sides.image(document, object, driver.source)?);
        let (Some((driven, turned)), Some((source, source_turned))) = found else { continue };
        let round = driver.keys().filter(|_| source_turned).map(anew::turned_round);
        let mut curve = match round {
            Some(Some(round)) => Curve::Scalar(ScalarCurve::Keyed(round)),
            Some(None) => continue,
            None => Curve::clone(&driver.curve),
        };
        if turned {
            anew::values(&mut curve, Anew::turned());
        }
        let driver = Driver { driven, source, curve: Arc::new(curve), ..Driver::clone(driver) };
        if let Some(found) = document.object_mut(object) {
            found.drivers.push(Arc::new(driver));
        }
    }
    Ok(())
}

impl Sides<'_> {
    /// The channel that mirrors one of the rig, and whether it runs the other way; none where no one channel does. Channels of
    /// other things, and of joints that have no other side, are their own.
    fn image(
        &self,
        document: &Document,
        object: ObjectId,
        path: ChannelPath,
    ) -> Result<Option<(ChannelPath, bool)>, EditError> {
        let same = Ok(Some((path, false)));
        let Target::Joint(of, joint) = path.target else { return same };
        if of != object {
            return same;
        }
        let image = match self.made.get(&joint).or_else(|| self.partners.get(&joint)) {
            Some(image) => *image,
            None if (self.is_middle)(joint) => joint,
            None => return same,
        };
        let skeleton = skeleton_of(document, object)?;
        let (Some(own), Some(other)) = (skeleton.joint(joint), skeleton.joint(image)) else { return same };
        let reflect = |place: &Vec3| place - self.normal * (2.0 * self.normal.dot(place));
        let across = self.normal.iamax();
        let is_square = self.normal[across].abs() > 1.0 - SAME;
        let turned = reflected(&self.normal, &own.rest.rotation).angle_to(&other.rest.rotation) < SAME;
        let moved = image == joint || (reflect(&own.rest.translation) - other.rest.translation).norm() < SAME;
        let path = ChannelPath { target: Target::Joint(object, image), ..path };
        let is_across = path.component.axis() == Some(across);
        Ok(match path.property {
            Property::Rotation if is_square && turned => Some((path, !is_across)),
            Property::Translation if is_square && turned && moved => Some((path, is_across)),
            Property::Rotation | Property::Translation => None,
            _ => Some((path, false)),
        })
    }
}
