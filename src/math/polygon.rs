//! Polygons in space cut into triangles.

use super::Vec3;

/// Polygons of more corners than this are cut as a fan: looking for ears takes time that grows with their square.
pub const MOST_EARS: usize = 512;

/// The normal of a polygon by Newell's method, its length twice the area; zero for one without area.
#[must_use]
pub fn newell(corners: &[Vec3]) -> Vec3 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).fold(Vec3::zeros(), |sum, (a, b)| {
        sum + Vec3::new((a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x), (a.x - b.x) * (a.y + b.y))
    })
}

/// A polygon as triangles between its corners, turning as it does, two fewer than it has corners: by cutting off ears (Meisters
/// 1975), so that a simple polygon that is not convex is covered once. What is not simple, has no area, or more than
/// [`MOST_EARS`] corners, is a fan about its first corner. Fewer than three corners have none.
#[must_use]
pub fn triangles(corners: &[Vec3]) -> Vec<[usize; 3]> {
    let fan = |left: &[usize]| -> Vec<[usize; 3]> {
        let rest = left.get(1..).unwrap_or_default();
        rest.windows(2).map(|pair| [left[0], pair[0], pair[1]]).collect()
    };
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let normal = newell(corners);
    if corners.len() <= 3 || corners.len() > MOST_EARS || !(normal.norm() > 0.0) {
        return fan(&left);
    }
    let mut out = Vec::with_capacity(corners.len() - 2);
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|at| {
            let [a, b, c] = [(at + count - 1) % count, *at, (at + 1) % count].map(|place| left[place]);
            let inside = |other: &usize| {
                ![a, b, c].contains(other) && within(&corners[*other], [&corners[a], &corners[b], &corners[c]], &normal)
            };
            turn(&corners[a], &corners[b], &corners[c], &normal) > 0.0 && !left.iter().any(inside)
        });
        let Some(at) = ear else { break };
        out.push([left[(at + count - 1) % count], left[at], left[(at + 1) % count]]);
        left.remove(at);
    }
    out.extend(fan(&left));
    out
}

/// Positive where the way from `a` over `b` to `c` turns left about a normal.
fn turn(a: &Vec3, b: &Vec3, c: &Vec3, normal: &Vec3) -> f64 {
    (b - a).cross(&(c - b)).dot(normal)
}

fn within(at: &Vec3, [a, b, c]: [&Vec3; 3], normal: &Vec3) -> bool {
    turn(a, b, at, normal) >= 0.0 && turn(b, c, at, normal) >= 0.0 && turn(c, a, at, normal) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(corners: &[Vec3], found: &[[usize; 3]]) -> f64 {
        let one = |[a, b, c]: &[usize; 3]| (corners[*b] - corners[*a]).cross(&(corners[*c] - corners[*a])).norm() / 2.0;
        found.iter().map(one).sum()
    }

    #[test]
    fn an_arrow_is_covered_once_whichever_corner_is_first() {
        let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.3 * x));
        for first in 0..4 {
            let mut turned = arrow;
            turned.rotate_left(first);
            let found = triangles(&turned);
            assert_eq!(found.len(), 2);
            assert!((area(&turned, &found) - newell(&turned).norm() / 2.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_no_polygon_still_ends() {
        assert_eq!(triangles(&[]), Vec::<[usize; 3]>::new());
        assert_eq!(triangles(&[Vec3::zeros(), Vec3::x()]), Vec::<[usize; 3]>::new());
        assert_eq!(triangles(&[Vec3::zeros(); 5]).len(), 3);
        let bow = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        assert_eq!(triangles(&bow).len(), 2);
        let many: Vec<Vec3> = (0..5000).map(|n| Vec3::new(f64::from(n).cos(), f64::from(n).sin(), 0.0)).collect();
        assert_eq!(triangles(&many).len(), 4998);
        assert_eq!(triangles(&[Vec3::repeat(f64::NAN); 4]).len(), 2);
    }
}
