use super::*;
use crate::samples::biped;

fn body() -> Mesh {
    mesh(ObjectId(1), &biped::skeleton())
}

/// The quads of a mesh that has them as pairs of triangles.
fn quads(mesh: &Mesh) -> Vec<[u32; 4]> {
    let pair = |six: &[u32; 6]| {
        assert!(six[0] == six[3] && six[2] == six[4], "{six:?} is no quad");
        [six[0], six[1], six[2], six[5]]
    };
    let (pairs, rest) = mesh.geometry.indices.as_chunks::<6>();
    assert!(rest.is_empty());
    pairs.iter().map(pair).collect()
}

#[test]
fn it_is_one_closed_surface_of_quads_without_a_great_pole() {
    let mesh = body();
    assert_eq!(mesh.faults(), Vec::<String>::new());
    let quads = quads(&mesh);
    let mut ways: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut next: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
    for quad in &quads {
        for at in 0..4 {
            let (before, here, after) = (quad[(at + 3) % 4], quad[at], quad[(at + 1) % 4]);
            *ways.entry((here, after)).or_default() += 1;
            assert!(next.entry(here).or_default().insert(after, before).is_none());
        }
    }
    // Each edge is run along once each way: closed, and all faces on one side.
    assert!(ways.iter().all(|((a, b), count)| *count == 1 && ways.contains_key(&(*b, *a))));
    // Around each vertex the faces make one fan; a pole has at most six.
    assert_eq!(next.len(), mesh.len());
    for (vertex, fan) in &next {
        let start = *fan.keys().next().unwrap();
        let round = std::iter::successors(Some(start), |at| fan.get(at).copied().filter(|at| *at != start)).count();
        assert_eq!(round, fan.len(), "two fans at {vertex}");
        assert!((3..=6).contains(&round), "a pole of {round} at {vertex}");
    }
    // One sphere.
    assert_eq!(mesh.len() + quads.len() - ways.len() / 2, 2);
}

#[test]
fn it_has_a_persons_size_the_same_on_both_sides() {
    let mesh = body();
    let at = |vertex: u32| Vec3::from(mesh.geometry.positions[vertex as usize].map(f64::from));
    let volume: f64 =
        mesh.geometry.indices.as_chunks::<3>().0.iter().map(|[a, b, c]| at(*a).dot(&at(*b).cross(&at(*c))) / 6.0).sum();
    assert!((0.05..0.09).contains(&volume), "{volume} cubic metres");
    let places: BTreeSet<[i64; 3]> =
        mesh.geometry.positions.iter().map(|at| at.map(|x| (f64::from(x) * 1e5).round() as i64)).collect();
    assert_eq!(places.len(), mesh.len());
    assert!(places.iter().all(|[x, y, z]| places.contains(&[-x, *y, *z])));
    let heights = || mesh.geometry.positions.iter().map(|at| at[1]);
    assert!(heights().fold(f32::INFINITY, f32::min) >= -0.002);
    assert!((1.72..1.80).contains(&heights().fold(0.0, f32::max)));
    let skin = mesh.skin.as_ref().unwrap();
    assert!(skin.weights.as_chunks::<4>().0.iter().all(|own| own.iter().sum::<f32>() == 1.0));
}
