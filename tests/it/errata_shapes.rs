//! The degenerate and disputed cases of deformation, one test a row of the list of errata: the right form gives the right number,
//! the printed one does not, and what divides by zero there is finite here.

use inbetween::{
    eval::{
        deform::{
            Function, LatticeShape,
            functions::{along_x, tapered, turned},
        },
        mesh::blended,
    },
    math::{
        Quat, Vec3,
        lattice::Basis,
        rbf::{Kernel, Rbf},
    },
    model::{Deformer, DeformerKind, Lattice, Property},
};
use std::f64::consts::{FRAC_PI_2, PI};

/// How much larger a small box at a place is after a map, by central differences.
fn stretch(map: impl Fn(&Vec3) -> Vec3, at: Vec3) -> f64 {
    let h = 1e-6;
    let edge = |axis: usize| (map(&(at + Vec3::ith(axis, h))) - map(&(at - Vec3::ith(axis, h)))) / (2.0 * h);
    edge(0).cross(&edge(1)).dot(&edge(2))
}

/// E-DEF-1: a bend keeps thickness: x' = (r - z) sin a, z' = r - (r - z) cos a with r = L / angle. As printed both sides of a sheet
/// come to one place, and its volume is none.
#[test]
fn e_def_1_a_bend_keeps_the_thickness() {
    let (length, angle) = (2.0, FRAC_PI_2);
    let bent = |at: &Vec3| along_x(length, angle, at);
    for (z, x, deep) in [(0.3, 0.688, 0.585), (-0.3, 1.112, 0.161), (0.0, 0.900, 0.373)] {
        let found = bent(&Vec3::new(1.0, 7.0, z));
        assert!((found - Vec3::new(x, 7.0, deep)).norm() < 1e-3, "{z}: {found}");
    }
    // A sheet of thickness 0.6 stays one, and space is nowhere without volume: a fibre's length goes as its radius.
    let radius = length / angle;
    for (x, z) in [(0.2, 0.3), (1.0, -0.3), (1.9, 0.0)] {
        assert!((stretch(bent, Vec3::new(x, 0.0, z)) - (1.0 - z / radius)).abs() < 1e-6);
        let across = bent(&Vec3::new(x, 0.0, 0.3)) - bent(&Vec3::new(x, 0.0, -0.3));
        assert!((across.norm() - 0.6).abs() < 1e-12);
    }
    // Rigid beyond both ends: distances stay.
    for beyond in [-1.0, 3.0] {
        let (a, b) = (Vec3::new(beyond, 0.0, 0.3), Vec3::new(1.5 * beyond, 1.0, -0.2));
        assert!(((bent(&a) - bent(&b)).norm() - (a - b).norm()).abs() < 1e-12, "{beyond}");
    }
    // As the angle goes to nothing (the radius without end) so does the bend, evenly; without length there is none.
    let at = Vec3::new(1.0, 0.2, 0.3);
    for small in [1e-3, 1e-6, 1e-12, 1e-300, 0.0, -1e-9] {
        let moved = along_x(length, small, &at);
        assert!((moved - at).norm() <= 0.5 * small.abs() + 1e-15, "{small}: {moved}");
    }
    for none in [0.0, -1.0, f64::NAN] {
        assert_eq!(along_x(none, angle, &at), at);
    }
    // Beyond a whole turn, too, everything is finite.
    assert!(along_x(length, 100.0 * PI, &at).iter().all(|number| number.is_finite()));
}

fn function(kind: DeformerKind, set: &[(Property, f64)]) -> Function {
    let mut deformer = Deformer::new(kind);
    deformer.numbers.extend(set.iter().copied());
    let numbers = kind.parameters().iter().map(|p| deformer.number(p.property).unwrap()).collect();
    Function { kind, numbers }
}

/// E-DEF-2: what the books write turns by -a about +Y in a right-handed frame; ours turns by the right hand, by an angle and not by
/// one a length. Beyond the ends and for factors below 0 a taper is defined.
#[test]
fn e_def_2_signs_units_and_ends() {
    let at = Vec3::new(1.0, 0.25, 0.0);
    assert!((turned(FRAC_PI_2, &Vec3::x()) - Vec3::z()).norm() < 1e-12, "as written");
    let by_hand = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    assert!((turned(-FRAC_PI_2, &at) - by_hand * at).norm() < 1e-12);
    // The deformer's angle is that between its ends, however long it is.
    for (low, high) in [(-0.5, 0.5), (-2.0, 2.0)] {
        let twist = function(
            DeformerKind::Twist,
            &[(Property::Angle, FRAC_PI_2), (Property::Low, low), (Property::High, high)],
        );
        for beyond in [0.0, 1.0] {
            let top = Vec3::new(1.0, high + beyond, 0.0);
            assert!((twist.moved(&top) - by_hand * top).norm() < 1e-12);
            let bottom = Vec3::new(1.0, low - beyond, 0.0);
            assert_eq!(twist.moved(&bottom), bottom);
        }
    }
    let taper = |y: f64, to: f64| tapered((1.0, to), 2.0, &Vec3::new(1.0, y, 0.5));
    assert_eq!(taper(5.0, 0.5), taper(2.0, 0.5) + Vec3::new(0.0, 3.0, 0.0), "constant beyond");
    assert_eq!(taper(-5.0, 0.5), Vec3::new(1.0, -5.0, 0.5));
    assert_eq!(taper(2.0, -0.5), Vec3::new(-0.5, 2.0, -0.25), "below 0 it goes through the axis");
    assert_eq!(
        tapered((1.0, 3.0), 0.0, &Vec3::new(1.0, 0.0, 0.0)),
        Vec3::x(),
        "without length it is that at its low end"
    );
    assert_eq!(
        DeformerKind::Taper.parameter(Property::Factor).unwrap().range.0,
        0.0,
        "what is offered stops at the axis"
    );
}

/// E-DEF-3: the sum is over points by (i, j, k) with each axis its own basis; what is outside the box stays, so that at the face
/// there is a step; a fade makes it level there.
#[test]
fn e_def_3_lattices_end_at_their_box() {
    // Two, three and four points along the axes: a mixed-up order of axes gives another place.
    let lattice = Lattice {
        counts: [2, 3, 4],
        bases: [Basis::Bernstein; 3],
        size: Vec3::new(1.0, 2.0, 3.0),
        ..Lattice::default()
    };
    let place = |place: [usize; 3]| Vec3::new(place[0] as f64, 10.0 * place[1] as f64, 100.0 * place[2] as f64);
    let offsets: Vec<Vec3> = lattice.points().map(|(_, at)| place(at)).collect();
    let shape = LatticeShape::new(&lattice, offsets);
    // Bernstein of a linear list is linear: (count - 1) times the parameter.
    let at = Vec3::new(-0.2, 0.6, 0.3);
    let (s, t, u) = (0.3, 0.8, 0.6);
    assert!((shape.moved(&at) - at - Vec3::new(s, 10.0 * 2.0 * t, 100.0 * 3.0 * u)).norm() < 1e-9);
    let outside = Vec3::new(0.5001, 0.0, 0.0);
    assert_eq!(shape.moved(&outside), outside);
    let within = Vec3::new(0.4999, 0.0, 0.0);
    assert!((shape.moved(&within) - within).norm() > 1.0, "there is a step at the face");
    let soft = LatticeShape::new(&Lattice { falloff: 0.2, ..lattice }, shape.offsets.clone());
    assert!((soft.moved(&within) - within).norm() < 1e-3, "there is none with a fade");
}

/// E-DEF-4: the block system with Q of N rows and a row for the translation; phi(0) of the thin plate is 0; the Gaussian has
/// 2 sigma^2; the thin plate of space is r; sources on a line leave the affine part open and are told.
#[test]
fn e_def_4_radial_functions_and_their_system() {
    assert_eq!(Kernel::ThinPlate.at(0.0, 2, 1.0), 0.0, "and not 0 log 0");
    assert!((Kernel::Gaussian.at(0.5, 2, 0.25) - (-2.0_f64).exp()).abs() < 1e-15);
    assert_eq!(Kernel::ThinPlate.at(0.7, 3, 1.0), 0.7);
    let sources = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.4, 0.7]];
    // An affine map of all is that map everywhere: without the row for the translation it could not be.
    let affine = |[x, y]: [f64; 2]| [1.2 * x - 0.3 * y + 5.0, 0.4 * x + 0.9 * y - 7.0];
    for kernel in Kernel::ALL {
        let warp = Rbf::new(kernel, 0.5, &sources, &sources.map(affine)).unwrap();
        for at in [[0.3, 0.3], [9.0, -4.0]] {
            let (found, wanted) = (warp.warped(&at), affine(at));
            assert!((found[0] - wanted[0]).hypot(found[1] - wanted[1]) < 1e-8, "{kernel:?} {at:?}: {found:?}");
        }
        // The side conditions: weights sum to nothing, and so do their moments.
        let mut targets = sources.map(affine);
        targets[4] = [3.0, -1.0];
        let warp = Rbf::new(kernel, 0.5, &sources, &targets).unwrap();
        for axis in 0..2 {
            let sum = |of: &dyn Fn(&[f64; 2]) -> f64| -> f64 {
                sources.iter().zip(warp.weights()).map(|(source, weight)| of(source) * weight[axis]).sum()
            };
            assert!(sum(&|_| 1.0).abs() < 1e-9 && sum(&|s| s[0]).abs() < 1e-9 && sum(&|s| s[1]).abs() < 1e-9);
        }
        let line = [[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]];
        let told = Rbf::new(kernel, 0.5, &line, &[[0.0, 0.1], [0.5, 0.5], [1.2, 1.0]]).unwrap();
        assert_eq!(told.report().rank, 1, "{kernel:?}");
        assert!(told.warped(&[0.9, -3.0]).iter().all(|number| number.is_finite()));
    }
}

/// E-DEF-5: shapes may count more than once, or less than not at all.
#[test]
fn e_def_5_weights_go_beyond_one() {
    let (base, by) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.0, -1.0));
    for weight in [-0.5, 0.0, 1.0, 1.7] {
        assert_eq!(blended(&base, std::iter::once((by, weight))), base + by * weight);
    }
}
