//! Soft reach: how a dragged target is eased in near full stretch.

use crate::math::Vec3;

/// Maps the distance of a *dragged* target so that a limb never snaps straight.
///
/// Near full stretch the angle of the middle joint changes without bound (its derivative by distance is infinite at the
/// end of reach), which shows as a knee pop. Up to `reach * (1 - zone)` nothing changes; beyond, the distance approaches
/// `reach` exponentially with slope 1 at the start. The map is C1, strictly increasing and always below `reach`. For
/// dragged targets only: typed targets and pins are solved exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftReach {
    /// Part of the reach that is softened, 0 (off) to 1.
    pub zone: f64,
}

impl Default for SoftReach {
    fn default() -> Self {
        Self { zone: 0.03 }
    }
}

impl SoftReach {
    /// No softening: targets are taken as they are.
    pub const OFF: Self = Self { zone: 0.0 };

    /// The softened distance for a target at `distance` of a limb of length `reach`, same unit.
    #[must_use]
    pub fn distance(&self, distance: f64, reach: f64) -> f64 {
        let soft = self.zone.clamp(0.0, 1.0) * reach;
        let start = reach - soft;
        if soft <= 0.0 || distance <= start {
            distance
        } else {
            start + soft * (1.0 - (-(distance - start) / soft).exp())
        }
    }

    /// The softened target of a limb that hangs from `root`.
    #[must_use]
    pub fn target(&self, root: &Vec3, target: &Vec3, reach: f64) -> Vec3 {
        let offset = target - root;
        let distance = offset.norm();
        let mapped = self.distance(distance, reach);
        if mapped < distance { root + offset * (mapped / distance) } else { *target }
    }
}
