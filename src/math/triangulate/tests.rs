use super::{
    clouds::{cloud, numbers},
    *,
};

fn area(points: &[Point], t: &[usize; 3]) -> f64 {
    let [a, b, c] = t.map(|i| points[i]);
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
}

/// Every triangle is anticlockwise, no point lies in a circumcircle, the triangles cover the hull.
fn assert_delaunay(points: &[Point]) {
    let made = Triangulation::new(points);
    let mut whole = 0.0;
    for triangle in made.triangles() {
        assert!(area(points, triangle) > 0.0);
        whole += area(points, triangle);
        let coord = |i: usize| robust::Coord { x: points[i][0], y: points[i][1] };
        let [a, b, c] = triangle.map(coord);
        assert!((0..points.len()).all(|i| robust::incircle(a, b, c, coord(i)) <= 0.0));
    }
    let hull: f64 = made.boundary().iter().map(|[a, b]| area(&[[0.0; 2], points[*a], points[*b]], &[0, 1, 2])).sum();
    assert!((whole - hull).abs() < 1e-12, "{whole} of {hull}");
    // Euler: 2 n - 2 - h triangles.
    assert_eq!(made.triangles().len(), 2 * points.len() - 2 - made.boundary().len());
}

#[test]
fn triangles_are_delaunay_and_cover_the_hull() {
    for seed in 0..40 {
        assert_delaunay(&cloud(seed, 3 + seed as usize));
    }
    let grid: Vec<Point> = (0..36).map(|i| [f64::from(i % 6), f64::from(i / 6)]).collect();
    assert_delaunay(&grid);
}

#[test]
fn the_order_of_the_points_changes_nothing() {
    let mut sets: Vec<Vec<Point>> = (0..10).map(|seed| cloud(seed, 12)).collect();
    sets.push((0..25).map(|i| [f64::from(i % 5), f64::from(i / 5)]).collect());
    sets.push((0..12).map(|i| f64::from(i) * std::f64::consts::TAU / 12.0).map(|a| [a.cos(), a.sin()]).collect());
    for points in sets {
        let made = Triangulation::new(&points);
        let corners = |points: &[Point], made: &Triangulation| {
            let mut all: Vec<_> = made.triangles().iter().map(|t| t.map(|i| points[i].map(|v| v.to_bits()))).collect();
            all.iter_mut().for_each(|t| t.sort_unstable());
            all.sort_unstable();
            all
        };
        let mut turned = points.clone();
        turned.reverse();
        turned.rotate_left(points.len() / 3);
        assert_eq!(corners(&turned, &Triangulation::new(&turned)), corners(&points, &made));
    }
}

#[test]
fn a_place_is_rebuilt_from_its_corners() {
    for seed in 0..20 {
        let points = cloud(seed, 3 + seed as usize);
        let made = Triangulation::new(&points);
        let mut next = numbers(seed + 100);
        for _ in 0..500 {
            let p = [2.0 * next(), 2.0 * next()];
            let placed = made.place(p);
            let corners = || (0..placed.count).map(|i| (points[placed.corners[i]], placed.weights[i]));
            for axis in 0..2 {
                let rebuilt: f64 = corners().map(|(corner, weight)| corner[axis] * weight).sum();
                assert!((rebuilt - placed.at[axis]).abs() < 1e-12);
            }
            assert!(corners().all(|(_, weight)| weight >= 0.0));
            if placed.inside {
                assert_eq!(placed.at, p);
                continue;
            }
            // The nearest point of the hull: what lies beyond it lies beyond all points.
            let out = [p[0] - placed.at[0], p[1] - placed.at[1]];
            let ahead = |q: &Point| (q[0] - placed.at[0]) * out[0] + (q[1] - placed.at[1]) * out[1];
            assert!(points.iter().all(|q| ahead(q) < 1e-9));
        }
    }
}

#[test]
fn points_on_a_line_are_a_chain() {
    // The last is off the line by a rounding error.
    let points = [[0.3, 0.1], [0.0, 0.0], [0.9, 0.3], [0.6, 0.2 + 1e-16]];
    let made = Triangulation::new(&points);
    assert_eq!((made.triangles().len(), made.chain()), (0, &[1, 0, 3, 2][..]));
    let placed = made.place([0.45, 0.15]);
    assert_eq!((placed.corners[0], placed.corners[1], placed.count), (0, 3, 2));
    assert!((placed.weights[0] - 0.5).abs() < 1e-12);
    assert_eq!((made.place([-3.0, 4.0]).corners[0], made.place([-9.0, 0.0]).count), (1, 1));
}

#[test]
fn a_point_on_the_border_but_for_rounding_is_on_it() {
    let inward = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.3, 0.3 + 1e-14]];
    let made = Triangulation::new(&inward);
    let placed = made.place([0.3 + 1e-6, 0.3 - 1e-6]);
    let weight: f64 = (0..placed.count).filter(|i| placed.corners[*i] == 3).map(|i| placed.weights[i]).sum();
    assert!(weight > 0.99999, "{placed:?}");
}

#[test]
fn few_equal_and_bad_points_are_defined() {
    assert_eq!(Triangulation::new(&[]).place([0.0, 0.0]).count, 0);
    let one = Triangulation::new(&[[2.0, 3.0]]);
    assert_eq!((one.place([9.0, 9.0]).corners[0], one.place([9.0, 9.0]).count), (0, 1));
    assert!(one.place([2.0, 3.0]).inside);
    let odd = Triangulation::new(&[[f64::NAN, 0.0], [1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]);
    assert_eq!(odd.triangles().len(), 1);
    assert_eq!(odd.place([f64::NAN, 0.0]).count, 1);
    for scale in [1e-300, 1e300, 1.0] {
        let points: Vec<Point> = cloud(3, 9).into_iter().map(|p| p.map(|v| v * scale)).collect();
        assert_eq!(Triangulation::new(&points).triangles(), Triangulation::new(&cloud(3, 9)).triangles());
    }
}

#[test]
fn a_diagonal_can_be_turned_and_back() {
    let square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let made = Triangulation::new(&square);
    // Of four on a circle, the one from the first in the order.
    assert_eq!(made.other_diagonal([0, 3]), Some([1, 2]));
    let turned = Triangulation::with_diagonals(&square, &[[2, 1]]);
    assert_eq!(turned.other_diagonal([1, 2]), Some([0, 3]));
    assert_eq!(Triangulation::with_diagonals(&square, &[[2, 1], [0, 3]]), made);
    assert_eq!(Triangulation::with_diagonals(&square, &[[0, 1], [7, 9]]), made);
    let half = turned.place([0.5, 0.5]);
    let on = |corner: usize| (0..3).filter(|i| half.corners[*i] == corner).map(|i| half.weights[i]).sum::<f64>();
    assert_eq!((on(1), on(2)), (0.5, 0.5));
    assert_eq!(made.other_diagonal([0, 1]), None);
}
