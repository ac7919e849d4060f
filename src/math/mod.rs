//! Numbers only: rotations, transforms, polynomials, geometry. Imports nalgebra and nothing of ours.
//!
//! Conventions everywhere: right-handed, +Y up, column vectors, `world = parent * local`, Hamilton quaternions,
//! radians, `f64`.

pub mod contours;
pub mod cubic;
pub mod decay;
pub mod easing;
pub mod fit;
pub mod lanes;
pub mod lattice;
pub mod path;
pub mod piecewise;
pub mod poly;
pub mod polygon;
pub mod ray;
pub mod rbf;
pub mod rotation;
pub mod spline;
pub mod spring;
pub mod transform;
pub mod triangulate;
pub mod trig;

/// A point or a direction in 3D, metres or unitless.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3x3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A 4x4 homogeneous matrix.
pub type Mat4 = nalgebra::Matrix4<f64>;
/// A unit quaternion: a rotation. `q` and `-q` are the same rotation.
pub type Quat = nalgebra::UnitQuaternion<f64>;

pub use ray::Ray;
pub use rotation::EulerOrder;
pub use transform::{Affine, Transform};
