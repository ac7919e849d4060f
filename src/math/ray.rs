//! Rays, and where they meet planes, lines, triangles, spheres and capsules.

use super::Vec3;

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes; unit length.
    pub direction: Vec3,
}

/// Where a ray and a line come nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Along the ray from its origin, metres, not negative.
    pub along_ray: f64,
    /// Along the line from its start, in lengths of the line's direction.
    pub along_line: f64,
    /// Between the two points, metres.
    pub distance: f64,
}

impl Ray {
    /// The point `t` metres from the origin.
    #[must_use]
    pub fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }

    /// How far along the ray it meets the plane through `point` with a `normal` of any length. None where it runs
    /// within 1e-9 of parallel, points away from the plane, or anything is not finite.
    #[must_use]
    pub fn meet_plane(&self, point: &Vec3, normal: &Vec3) -> Option<f64> {
        let slope = self.direction.dot(normal);
        let t = (point - self.origin).dot(normal) / slope;
        (slope.abs() > 1e-9 * normal.norm() && t >= 0.0 && t.is_finite()).then_some(t)
    }

    /// Where the ray comes nearest to the endless line `start + s * direction`. None where the line has no direction;
    /// for parallel lines the ray's origin is taken.
    #[must_use]
    pub fn nearest_to_line(&self, start: &Vec3, direction: &Vec3) -> Option<Nearest> {
        let length_squared = direction.norm_squared();
        if !(length_squared > 0.0 && length_squared.is_finite()) {
            return None;
        }
        let between = self.origin - start;
        let b = self.direction.dot(direction);
        let (d, e) = (self.direction.dot(&between), direction.dot(&between));
        // The Gram determinant of the two directions; 0 for parallel ones.
        let determinant = length_squared - b * b;
        let free = if determinant > 1e-12 * length_squared { (b * e - length_squared * d) / determinant } else { 0.0 };
        let along_ray = free.max(0.0);
        let along_line = (e + b * along_ray) / length_squared;
        let distance = (self.at(along_ray) - (start + direction * along_line)).norm();
        Some(Nearest { along_ray, along_line, distance })
    }

    /// How far along the ray it enters a sphere; 0 where it starts inside. None where it misses.
    #[must_use]
    pub fn meet_sphere(&self, centre: &Vec3, radius: f64) -> Option<f64> {
        let to_centre = centre - self.origin;
        let along = to_centre.dot(&self.direction);
        // From the miss distance, not from the difference of squares of large lengths: far spheres stay exact.
        let miss_squared = (to_centre - self.direction * along).norm_squared();
        let half_chord = (radius * radius - miss_squared).max(0.0).sqrt();
        let hit = miss_squared <= radius * radius && along + half_chord >= 0.0;
        hit.then_some((along - half_chord).max(0.0))
    }

    /// How far along the ray it enters a capsule: all points within `radius` of the segment `a`..`b`; 0 where it starts
    /// inside. None where it misses. A segment without length is a sphere.
    #[must_use]
    pub fn meet_capsule(&self, a: &Vec3, b: &Vec3, radius: f64) -> Option<f64> {
        let caps = [self.meet_sphere(a, radius), self.meet_sphere(b, radius)];
        caps.into_iter().flatten().chain(self.meet_tube(a, b, radius)).min_by(f64::total_cmp)
    }

    /// How far along the ray it meets a triangle, from either side, and how much of each corner that place is: the three
    /// shares sum to 1. None where it misses or runs along the triangle's plane. Möller and Trumbore, "Fast, Minimum Storage
    /// Ray/Triangle Intersection", 1997.
    #[must_use]
    pub fn meet_triangle(&self, a: &Vec3, b: &Vec3, c: &Vec3) -> Option<(f64, [f64; 3])> {
        let (ab, ac) = (b - a, c - a);
        let across = self.direction.cross(&ac);
        let determinant = ab.dot(&across);
        if determinant.abs() <= 1e-12 * ab.norm() * ac.norm() {
            return None;
        }
        let from = self.origin - a;
        let of_b = from.dot(&across) / determinant;
        let turned = from.cross(&ab);
        let of_c = self.direction.dot(&turned) / determinant;
        let t = ac.dot(&turned) / determinant;
        let inside = of_b >= 0.0 && of_c >= 0.0 && of_b + of_c <= 1.0;
        (inside && t >= 0.0 && t.is_finite()).then_some((t, [1.0 - of_b - of_c, of_b, of_c]))
    }

    /// Where the ray enters the side of the capsule's tube, between the planes through its ends.
    fn meet_tube(&self, a: &Vec3, b: &Vec3, radius: f64) -> Option<f64> {
        let axis = (b - a).try_normalize(1e-12)?;
        let length = (b - a).norm();
        let across = |v: Vec3| v - axis * axis.dot(&v);
        let (from, going) = (across(self.origin - a), across(self.direction));
        let speed_squared = going.norm_squared();
        if speed_squared < 1e-18 {
            return None; // Along the axis: only the caps can be entered.
        }
        let nearest = -from.dot(&going) / speed_squared;
        let miss_squared = (from + going * nearest).norm_squared();
        if miss_squared > radius * radius {
            return None;
        }
        let t = (nearest - ((radius * radius - miss_squared) / speed_squared).sqrt()).max(0.0);
        let inside = (from + going * t).norm_squared() <= radius * radius * (1.0 + 1e-9);
        let along = axis.dot(&(self.at(t) - a));
        (inside && (0.0..=length).contains(&along)).then_some(t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray { origin: origin.into(), direction: Vec3::from(direction).normalize() }
    }

    #[test]
    fn planes_are_met_in_front_only() {
        let down = ray([1.0, 5.0, 2.0], [0.0, -1.0, 0.0]);
        assert_eq!(down.meet_plane(&Vec3::zeros(), &Vec3::y()), Some(5.0));
        assert_eq!(down.meet_plane(&Vec3::new(0.0, 6.0, 0.0), &Vec3::y()), None);
        assert_eq!(down.meet_plane(&Vec3::zeros(), &Vec3::x()), None);
        assert_eq!(down.meet_plane(&Vec3::zeros(), &Vec3::zeros()), None);
    }

    #[test]
    fn lines_are_neared_where_the_joining_line_is_square_to_both() {
        let r = ray([0.3, -2.0, 1.0], [0.2, 0.9, -0.4]);
        let (start, direction) = (Vec3::new(4.0, 1.0, -2.0), Vec3::new(-1.0, 3.0, 0.5));
        let near = r.nearest_to_line(&start, &direction).unwrap();
        let joining = r.at(near.along_ray) - (start + direction * near.along_line);
        assert!(joining.dot(&r.direction).abs() < 1e-12 && joining.dot(&direction).abs() < 1e-12);
        assert!((joining.norm() - near.distance).abs() < 1e-12);
        assert!(r.nearest_to_line(&start, &Vec3::zeros()).is_none());
        assert_eq!(r.nearest_to_line(&start, &r.direction).unwrap().along_ray, 0.0);
    }

    #[test]
    fn triangles_are_met_from_both_sides_where_the_corners_shares_say() {
        let (a, b, c) = (Vec3::new(0.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 3.0));
        let wanted = [0.5, 0.2, 0.3];
        let place = a * wanted[0] + b * wanted[1] + c * wanted[2];
        for origin in [[0.3, -2.0, 8.0], [1.0, 5.0, -4.0]] {
            let way = place - Vec3::from(origin);
            let (t, shares) = ray(origin, way.normalize().into()).meet_triangle(&a, &b, &c).unwrap();
            assert!((t - way.norm()).abs() < 1e-12);
            assert!(shares.iter().zip(wanted).all(|(share, wanted)| (share - wanted).abs() < 1e-12));
            assert!(ray(origin, (-way.normalize()).into()).meet_triangle(&a, &b, &c).is_none(), "behind");
        }
        assert!(ray([1.9, 0.9, 0.0], [0.0, 0.0, 1.0]).meet_triangle(&a, &b, &c).is_none(), "beside");
        assert!(ray([-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]).meet_triangle(&a, &b, &c).is_none(), "along");
        assert!(ray([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]).meet_triangle(&a, &a, &a).is_none(), "without area");
    }

    #[test]
    fn capsules_are_entered_at_side_and_caps() {
        let (a, b) = (Vec3::zeros(), Vec3::new(0.0, 2.0, 0.0));
        assert!((ray([5.0, 1.0, 0.0], [-1.0, 0.0, 0.0]).meet_capsule(&a, &b, 0.5).unwrap() - 4.5).abs() < 1e-12);
        assert!((ray([0.0, 9.0, 0.0], [0.0, -1.0, 0.0]).meet_capsule(&a, &b, 0.5).unwrap() - 6.5).abs() < 1e-12);
        assert_eq!(ray([5.0, 2.6, 0.0], [-1.0, 0.0, 0.0]).meet_capsule(&a, &b, 0.5), None);
        assert_eq!(ray([5.0, 1.0, 0.0], [1.0, 0.0, 0.0]).meet_capsule(&a, &b, 0.5), None);
        assert_eq!(ray([0.1, 1.0, 0.0], [1.0, 0.0, 0.0]).meet_capsule(&a, &b, 0.5), Some(0.0));
        assert!(ray([5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).meet_capsule(&a, &a, 0.5).is_some());
    }

    #[test]
    fn the_entry_point_lies_on_the_capsule() {
        let (a, b) = (Vec3::new(-0.3, 0.2, 1.0), Vec3::new(1.1, 0.9, -0.4));
        for step in 0..200 {
            let angle = f64::from(step) * 0.1;
            let r = ray([5.0 * angle.cos(), angle * 0.1 - 1.0, 5.0 * angle.sin()], [-angle.cos(), 0.1, -angle.sin()]);
            let Some(t) = r.meet_capsule(&a, &b, 0.3) else { continue };
            let p = r.at(t);
            let s = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
            assert!(((p - (a + (b - a) * s)).norm() - 0.3).abs() < 1e-9, "step {step}");
        }
    }
}
