//! The surface of a mesh as weights are spread over it: vertices that lie at the same place are one, whatever faces they belong to.

/// The cotangent of a corner is kept within these, so that needles and flat triangles pull neither endlessly nor the wrong way.
const COTANGENT: (f64, f64) = (0.02, 20.0);

/// Places with their neighbours over edges.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The place of each vertex.
    pub place_of: Vec<u32>,
    /// The first vertex of each place.
    pub first_of: Vec<u32>,
    /// Where each place is.
    pub places: Vec<[f64; 3]>,
    /// The unit normal at each place; zero where its triangles have no area.
    pub normals: Vec<[f64; 3]>,
    /// A third of the area of the triangles around each place, square metres; above 0.
    pub areas: Vec<f64>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    pulls: Vec<f64>,
}

impl Surface {
    /// The surface of triangles. Triangles that name a vertex twice, or one there is not, join nothing.
    #[must_use]
    pub fn new(positions: &[[f32; 3]], indices: &[u32]) -> Self {
        let (place_of, first_of, places) = welded(positions);
        let count = places.len();
        let (mut normals, mut areas) = (vec![[0.0; 3]; count], vec![0.0; count]);
        let mut edges: Vec<(u32, u32, f64)> = Vec::with_capacity(indices.len() * 2);
        for triangle in indices.as_chunks::<3>().0 {
            let Some(corners) = corners(triangle, &place_of) else { continue };
            let at = corners.map(|corner| places[corner as usize]);
            let normal = cross(&minus(&at[1], &at[0]), &minus(&at[2], &at[0]));
            let doubled = dot(&normal, &normal).sqrt();
            for (index, corner) in corners.into_iter().enumerate() {
                let own = &mut normals[corner as usize];
                *own = [own[0] + normal[0], own[1] + normal[1], own[2] + normal[2]];
                areas[corner as usize] += doubled / 6.0;
                let (a, b) = (corners[(index + 1) % 3], corners[(index + 2) % 3]);
                let (u, v) = (minus(&places[a as usize], &at[index]), minus(&places[b as usize], &at[index]));
                // Half the cotangent of the angle opposite to an edge (Pinkall, Polthier 1993).
                let cotangent = if doubled > 0.0 { dot(&u, &v) / doubled } else { 0.0 };
                let pull = 0.5 * cotangent.clamp(COTANGENT.0, COTANGENT.1);
                edges.extend([(a, b, pull), (b, a, pull)]);
            }
        }
        for normal in &mut normals {
            let length = dot(normal, normal).sqrt();
            *normal = if length > 0.0 { normal.map(|x| x / length) } else { [0.0; 3] };
        }
        let whole: f64 = areas.iter().sum();
        let least = if whole > 0.0 { whole / count.max(1) as f64 * 1e-6 } else { 1.0 };
        areas.iter_mut().for_each(|area| *area = area.max(least));
        let (starts, neighbours, pulls) = joined(edges, count);
        Self { place_of, first_of, places, normals, areas, starts, neighbours, pulls }
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no place.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The neighbours of a place, in order, with how much each pulls at it.
    pub fn around(&self, place: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[place] as usize..self.starts[place + 1] as usize;
        self.neighbours[range.clone()].iter().map(|at| *at as usize).zip(self.pulls[range].iter().copied())
    }
}

/// The places of a triangle's corners; none where it joins nothing.
fn corners(triangle: &[u32; 3], place_of: &[u32]) -> Option<[u32; 3]> {
    let place = |corner: u32| place_of.get(corner as usize).copied();
    let corners = [place(triangle[0])?, place(triangle[1])?, place(triangle[2])?];
    let distinct = corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
    distinct.then_some(corners)
}

/// Vertices of the very same place made one: the place of each vertex, the first vertex and the coordinates of each place.
fn welded(positions: &[[f32; 3]]) -> (Vec<u32>, Vec<u32>, Vec<[f64; 3]>) {
    // Plus zero makes -0 and 0 the same; what is not finite counts as 0.
    let sound = |x: f32| if x.is_finite() { x + 0.0 } else { 0.0 };
    let key = |vertex: u32| positions[vertex as usize].map(|x| sound(x).to_bits());
    let mut order: Vec<u32> = (0..u32::try_from(positions.len()).unwrap_or(u32::MAX)).collect();
    order.sort_unstable_by_key(|vertex| (key(*vertex), *vertex));
    let mut least: Vec<u32> = vec![0; positions.len()];
    for group in order.chunk_by(|a, b| key(*a) == key(*b)) {
        group.iter().for_each(|vertex| least[*vertex as usize] = group[0]);
    }
    let mut place_of: Vec<u32> = Vec::with_capacity(positions.len());
    let (mut first_of, mut places) = (Vec::new(), Vec::new());
    for (vertex, first) in least.iter().enumerate() {
        if *first as usize == vertex {
            place_of.push(u32::try_from(places.len()).unwrap_or(u32::MAX));
            first_of.push(*first);
            places.push(positions[vertex].map(|x| f64::from(sound(x))));
        } else {
            // The first of a group comes before the others.
            place_of.push(place_of[*first as usize]);
        }
    }
    (place_of, first_of, places)
}

/// Edges by place, those between the same two added up.
fn joined(mut edges: Vec<(u32, u32, f64)>, count: usize) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    // A stable sort: sums are taken in the order of the triangles.
    edges.sort_by_key(|(a, b, _)| (*a, *b));
    let (mut starts, mut neighbours, mut pulls) = (vec![0_u32; count + 1], Vec::new(), Vec::new());
    for group in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        starts[group[0].0 as usize + 1] += 1;
        neighbours.push(group[0].1);
        pulls.push(group.iter().map(|(_, _, pull)| pull).sum());
    }
    for place in 0..count {
        starts[place + 1] += starts[place];
    }
    (starts, neighbours, pulls)
}

pub(super) fn minus(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
