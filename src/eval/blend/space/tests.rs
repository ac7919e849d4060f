use super::*;
use crate::math::triangulate::clouds::{cloud, numbers};

/// Sets of samples of every kind: scattered, with an idle at the origin, on grids, on lines, on a ring, on one spot, few.
fn sets() -> Vec<Vec<Point>> {
    let ring = |count: u32| (0..count).map(move |i| f64::from(i) * 0.7).map(|a| [2.0 * a.cos(), 2.0 * a.sin()]);
    let mut sets: Vec<Vec<Point>> = (0..6).map(|seed| cloud(seed, 2 + 3 * seed as usize)).collect();
    sets.push([[0.0, 0.0]].into_iter().chain(cloud(9, 7)).collect());
    sets.push((0..25).map(|i| [f64::from(i % 5), f64::from(i / 5)]).collect());
    sets.push((0..7).map(|i| [0.1 * f64::from(i), 0.3 * f64::from(i)]).collect());
    sets.push([[0.0, 0.0]].into_iter().chain(ring(8)).collect());
    sets.push(ring(5).collect());
    sets.push(vec![[0.5, 0.5], [0.5, 0.5], [1.0, 0.0], [0.5, 0.5], [0.0, -1.0]]);
    sets.push(vec![[3.0, -1.0]]);
    sets.push(cloud(4, 80));
    sets
}

fn prepared(scheme: BlendScheme, points: &[Point]) -> PreparedSpace {
    let direct = (0..points.len()).map(|i| i as f64).collect();
    PreparedSpace::new(scheme, points, &SchemeOptions { direct, ..SchemeOptions::default() })
}

#[test]
fn every_scheme_has_its_row_at_its_number_and_an_id_of_its_own() {
    assert_eq!(SCHEMES.len(), BlendScheme::ALL.len());
    for scheme in BlendScheme::ALL {
        let spec = scheme_spec(scheme).unwrap();
        assert_eq!(spec.scheme, scheme);
        assert_eq!(scheme_of_id(spec.id), Some(scheme));
    }
}

#[test]
fn weights_are_never_negative_and_have_sum_one() {
    for points in sets().into_iter().filter(|points| points.len() > 1) {
        for scheme in BlendScheme::ALL {
            let space = prepared(scheme, &points);
            let mut next = numbers(77);
            for step in 0..400 {
                let far = if step % 10 == 0 { 1e5 } else { 4.0 };
                let weights = space.weights_at([far * next(), far * next()]);
                assert!(weights.iter().all(|weight| *weight >= 0.0), "{scheme:?} {weights:?}");
                assert!((weights.iter().sum::<f64>() - 1.0).abs() <= 1e-12, "{scheme:?} {weights:?}");
            }
        }
    }
}

#[test]
fn a_sample_hit_plays_alone_to_the_bit() {
    for points in sets() {
        for scheme in BlendScheme::ALL.into_iter().filter(|scheme| scheme.axes() > 0) {
            let space = prepared(scheme, &points);
            for (index, point) in points.iter().enumerate() {
                let weights = space.weights_at(*point);
                let same = |p: &&Point| if scheme.axes() == 1 { p[0] == point[0] } else { *p == point };
                let shared = points.iter().filter(same).count() as f64;
                assert_eq!(weights[index], 1.0 / shared, "{scheme:?} {points:?}");
            }
        }
    }
}

#[test]
fn the_order_of_samples_changes_nothing_to_the_bit() {
    for points in sets() {
        for scheme in BlendScheme::ALL.into_iter().filter(|scheme| scheme.axes() > 0) {
            let turned: Vec<Point> = points.iter().rev().copied().collect();
            let (space, other) = (prepared(scheme, &points), prepared(scheme, &turned));
            let mut next = numbers(5);
            for _ in 0..60 {
                let at = [3.0 * next(), 3.0 * next()];
                let mut weights = other.weights_at(at);
                weights.reverse();
                assert_eq!(space.weights_at(at), weights, "{scheme:?}");
            }
        }
    }
}

/// The largest change of a weight for a step of `size`, along a seeded walk that reaches beyond the samples; of steps that
/// `skips` passes over, none.
fn roughest(space: &PreparedSpace, seed: u64, size: f64, skips: &dyn Fn(Point, Point) -> bool) -> f64 {
    let mut next = numbers(seed);
    let (mut at, mut heading) = ([0.7 * next(), 0.7 * next()], 3.0 * next());
    let mut before = space.weights_at(at);
    let mut most = 0.0f64;
    for _ in 0..4000 {
        heading += 0.3 * next();
        let mut to = [at[0] + size * heading.cos(), at[1] + size * heading.sin()];
        if to.iter().any(|v| v.abs() > 3.0) {
            to = [0.5 * next(), 0.5 * next()];
            at = to;
            before = space.weights_at(at);
            continue;
        }
        let weights = space.weights_at(to);
        if !skips(at, to) {
            most = before.iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(most, f64::max);
        }
        (at, before) = (to, weights);
    }
    most
}

#[test]
fn weights_are_continuous_along_random_walks() {
    let everywhere: &dyn Fn(Point, Point) -> bool = &|_, _| false;
    for seed in 0..4u64 {
        let scattered: Vec<Point> = cloud(20 + seed, 9).into_iter().map(|p| p.map(|v| 2.0 * v)).collect();
        for scheme in [
            BlendScheme::Linear,
            BlendScheme::Delaunay,
            BlendScheme::BandCartesian,
            BlendScheme::InverseDistance,
            BlendScheme::Grid,
            BlendScheme::Rbf,
        ] {
            let space = prepared(scheme, &scattered);
            let coarse = roughest(&space, seed, 1e-3, everywhere);
            let fine = roughest(&space, seed, 1e-6, everywhere);
            // A jump would stay as large however short the step.
            assert!(coarse < 0.3 && fine < 0.02 * coarse.max(0.005), "{scheme:?}: {coarse} {fine}");
        }
        // Beside the origin and, for polar bands, the rays opposite to samples.
        let near_origin = |a: Point, b: Point| a[0].hypot(a[1]).min(b[0].hypot(b[1])) < 0.05;
        let side = |p: Point, s: &Point| p[0] * s[1] - p[1] * s[0];
        let crosses = |a: Point, b: Point| {
            scattered.iter().any(|s| side(a, s) * side(b, s) <= 0.0 && a[0] * s[0] + a[1] * s[1] < 0.0)
        };
        let polar = prepared(BlendScheme::BandPolar, &scattered);
        let skips = |a, b| near_origin(a, b) || crosses(a, b);
        assert!(roughest(&polar, seed, 1e-6, &skips) < 1e-3);
        let directional = prepared(BlendScheme::Directional, &scattered);
        assert!(roughest(&directional, seed, 1e-6, &near_origin) < 1e-3);
        let with_idle: Vec<Point> = [[0.0, 0.0]].into_iter().chain(scattered.iter().copied()).collect();
        let idle = prepared(BlendScheme::Directional, &with_idle);
        assert!(roughest(&idle, seed, 1e-6, &|_, _| false) < 1e-3);
    }
}

#[test]
fn directions_share_by_angle_and_length() {
    let points = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [4.0, 0.0]];
    let space = prepared(BlendScheme::Directional, &points);
    let half: f64 = 0.5;
    let weights = space.weights_at([1.0 * half.sqrt(), 1.0 * half.sqrt()]);
    for (got, wanted) in weights.iter().zip([0.5, 0.25, 0.25, 0.0]) {
        assert!((got - wanted).abs() < 1e-15, "{weights:?}");
    }
    assert_eq!(space.weights_at([3.0, 0.0]), [0.0, 0.5, 0.0, 0.5]);
    // Straight back: half way around from sideways to forward, the long way.
    let back = space.weights_at([-2.0, 0.0]);
    assert!((back[2] - 2.0 / 3.0).abs() < 1e-15 && (back[1] - 1.0 / 3.0).abs() < 1e-15, "{back:?}");
}

#[test]
fn a_full_grid_is_bilinear_and_a_gap_takes_the_triangles() {
    let full = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]];
    let weights = prepared(BlendScheme::Grid, &full).weights_at([0.5, 0.25]);
    for (got, wanted) in weights.iter().zip([0.75 * 0.75, 0.25 * 0.75, 0.75 * 0.25, 0.25 * 0.25]) {
        assert!((got - wanted).abs() < 1e-15);
    }
    // The middle of the full one, its far corner missing: there the nearest point of the border is half of two.
    let gap = prepared(BlendScheme::Grid, &[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]).weights_at([1.0, 1.0]);
    assert_eq!(gap, [0.25, 0.375, 0.375]);
}

#[test]
fn radial_functions_reproduce_a_line_of_two_and_say_what_they_clamp() {
    let two = prepared(BlendScheme::Rbf, &[[0.0, 0.0], [1.0, 0.0]]);
    let weights = two.weights_at([0.25, 0.0]);
    assert!((weights[0] - 0.75).abs() < 1e-12);
    let space = prepared(BlendScheme::Rbf, &cloud(3, 12));
    let mut weights = vec![0.0; 12];
    let clamped = space.weights([0.9, -0.8], &mut weights).clamped;
    assert!(clamped > 0.0 && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
}

#[test]
fn weights_told_are_brought_to_sum_one() {
    let told = |direct: &[f64]| {
        let options = SchemeOptions { direct: direct.to_vec(), ..SchemeOptions::default() };
        let space = PreparedSpace::new(BlendScheme::Direct, &[[0.0; 2]; 3], &options);
        let mut weights = [9.0; 3];
        let landing = space.weights([f64::NAN, 0.0], &mut weights);
        (weights, landing)
    };
    assert_eq!(told(&[1.0, 3.0, 0.0]).0, [0.25, 0.75, 0.0]);
    assert_eq!(told(&[-2.0, 3.0]).0, [0.0, 1.0, 0.0]);
    assert_eq!(told(&[-2.0, 3.0]).1.clamped, 2.0);
    assert_eq!(told(&[1.0, f64::INFINITY, f64::NAN]).0[1], 1.0 / (1.0 + 1.0));
    let nothing = told(&[0.0, -1.0, f64::NAN]);
    assert!(nothing.1.nothing && nothing.0 == [0.0; 3]);
}

#[test]
fn no_samples_bad_samples_and_bad_points_are_defined() {
    for scheme in BlendScheme::ALL {
        let mut none = [7.0; 1];
        assert!(PreparedSpace::new(scheme, &[], &SchemeOptions::default()).weights([0.0; 2], &mut none).nothing);
        assert_eq!(none, [7.0]);
        if scheme.axes() == 0 {
            continue;
        }
        let space = prepared(scheme, &[[f64::NAN, 0.0], [1.0, 2.0], [2.0, f64::INFINITY], [4.0, 1.0], [1.5, -3.0]]);
        for at in [[f64::NAN, 0.0], [f64::INFINITY, f64::NEG_INFINITY], [1e308, -1e308], [1e-320, 0.0]] {
            let weights = space.weights_at(at);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{scheme:?} {at:?} {weights:?}");
            assert_eq!((weights[0], weights[2] * f64::from(u8::from(scheme.axes() == 2))), (0.0, 0.0));
        }
        for size in [1e-300, 1e-150, 1e150, 1e300] {
            let points: Vec<Point> = cloud(8, 6).into_iter().map(|p| p.map(|v| v * size)).collect();
            let weights = prepared(scheme, &points).weights_at([0.3 * size, 0.2 * size]);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{scheme:?} {size:e} {weights:?}");
        }
    }
}

#[test]
fn a_heat_map_is_the_weights_at_its_pixels_to_the_bit() {
    // Every sixth column and row goes through samples of the sets on whole numbers.
    let map =
        HeatMap { width: 37, height: 25, low: [-3.0 - 1.0 / 12.0, -2.0 - 1.0 / 12.0], high: [3.0 + 1.0 / 12.0; 2] };
    let beyond = HeatMap { low: [f64::NAN, f64::NEG_INFINITY], high: [1e300, 2.0], ..map };
    for (points, map) in sets().iter().map(|set| (set, map)).chain([(&cloud(2, 9), beyond), (&Vec::new(), map)]) {
        for scheme in BlendScheme::ALL {
            let space = prepared(scheme, points);
            let picture: Vec<Vec<f64>> = heat_map(&space, &map, |weights| {
                std::array::from_fn(|lane| weights.iter().map(|weight| weight.0[lane]).collect())
            });
            for (row, line) in picture.chunks(map.width).enumerate() {
                for (column, found) in line.iter().enumerate() {
                    let at = map.point(column, row);
                    let wanted = space.weights_at(at);
                    assert!(
                        found.len() == wanted.len()
                            && found.iter().zip(&wanted).all(|(a, b)| a.to_bits() == b.to_bits()),
                        "{scheme:?} {at:?} {found:?} {wanted:?}"
                    );
                }
            }
        }
    }
    assert!(map.point(0, 0)[1] > map.point(0, 16)[1]);
    assert!(heat_map(&prepared(BlendScheme::Rbf, &cloud(2, 9)), &HeatMap { width: 0, ..map }, |_| [0; 8]).is_empty());
}

#[test]
fn schemes_differ_by_what_they_play() {
    let map = HeatMap { width: 33, height: 17, low: [-1.0, -2.0], high: [1.0, 2.0] };
    let differ = scheme_difference(
        [BlendScheme::Delaunay, BlendScheme::InverseDistance],
        &cloud(2, 9),
        &SchemeOptions::default(),
        &map,
    );
    assert!(differ.iter().all(|d| (0.0..=1.0 + 1e-12).contains(d)) && differ.iter().any(|d| *d > 0.1));
}
