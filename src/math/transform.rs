//! Translation-rotation-scale and the affine maps they compose to.

use super::{Mat3, Mat4, Quat, Vec3};

/// A local transform: `p -> translation + rotation * (scale .* p)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation in the parent's space, metres.
    pub translation: Vec3,
    /// Rotation in the parent's space.
    pub rotation: Quat,
    /// Scale along the local axes; 1 is none.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// No translation, no rotation, scale 1.
    pub const IDENTITY: Self = Self {
        translation: Vec3::new(0.0, 0.0, 0.0),
        rotation: Quat::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        scale: Vec3::new(1.0, 1.0, 1.0),
    };

    /// A pure translation.
    #[must_use]
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A pure rotation.
    #[must_use]
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The affine map `T * R * S`.
    #[must_use]
    pub fn to_affine(&self) -> Affine {
        let mut linear = *self.rotation.to_rotation_matrix().matrix();
        if self.scale != Self::IDENTITY.scale {
            for axis in 0..3 {
                linear.column_mut(axis).scale_mut(self.scale[axis]);
            }
        }
        Affine { linear, translation: self.translation }
    }
}

/// An affine map `p -> linear * p + translation`.
///
/// World transforms are affine maps and are never decomposed: a chain with non-uniform scale shears, and a sheared
/// matrix has no translation-rotation-scale form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// Rotation, scale and shear.
    pub linear: Mat3,
    /// Translation, metres.
    pub translation: Vec3,
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    /// The identity map.
    pub const IDENTITY: Self =
        Self { linear: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), translation: Vec3::new(0.0, 0.0, 0.0) };

    /// The image of a point.
    #[must_use]
    pub fn point(&self, p: &Vec3) -> Vec3 {
        self.linear * p + self.translation
    }

    /// The image of a direction: translation does not act.
    #[must_use]
    pub fn vector(&self, v: &Vec3) -> Vec3 {
        self.linear * v
    }

    /// The inverse, or none where the map is singular (a zero scale somewhere).
    #[must_use]
    pub fn try_inverse(&self) -> Option<Self> {
        let linear = self.linear.try_inverse()?;
        Some(Self { linear, translation: -(linear * self.translation) })
    }

    /// The rotation nearest the linear part (polar decomposition by way of the singular values); exact for a pure
    /// rotation. A singular or mirrored map gives the nearest proper rotation, never NaN.
    #[must_use]
    pub fn rotation(&self) -> Quat {
        super::rotation::nearest_rotation(&self.linear)
    }

    /// How much the map shears: the largest cosine between two of its axes, 0..1; 0 where they are at right angles, so
    /// that the map is a translation, a rotation and a scale. A zero axis counts as at right angles.
    #[must_use]
    pub fn shear(&self) -> f64 {
        let cosine = |a: usize, b: usize| {
            let (a, b) = (self.linear.column(a), self.linear.column(b));
            let lengths = a.norm() * b.norm();
            if lengths > 0.0 { (a.dot(&b) / lengths).abs() } else { 0.0 }
        };
        cosine(0, 1).max(cosine(0, 2)).max(cosine(1, 2))
    }

    /// The homogeneous matrix.
    #[must_use]
    pub fn to_mat4(&self) -> Mat4 {
        let mut out = Mat4::identity();
        out.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.linear);
        out.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.translation);
        out
    }
}

impl std::ops::Mul for Affine {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        Self { linear: self.linear * rhs.linear, translation: self.linear * rhs.translation + self.translation }
    }
}
