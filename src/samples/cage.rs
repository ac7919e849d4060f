//! Quad cages and their Catmull-Clark subdivision (Catmull, Clark, Recursively generated B-spline surfaces on arbitrary topological
//! meshes, 1978). Every number of a vertex, place and weights alike, is carried by the same masks, which sum to 1.

use std::collections::BTreeMap;

/// A closed mesh of quads; of each vertex a row of numbers, all rows as long.
#[derive(Clone, Debug, Default)]
pub(super) struct Cage {
    /// The vertices' numbers.
    pub(super) rows: Vec<Vec<f64>>,
    /// Corners, counter-clockwise seen from outside.
    pub(super) quads: Vec<[usize; 4]>,
}

/// An edge by its ends, the lower first.
fn edge(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

fn mean(rows: &[&[f64]]) -> Vec<f64> {
    let width = rows.first().map_or(0, |row| row.len());
    (0..width).map(|at| rows.iter().map(|row| row[at]).sum::<f64>() / rows.len() as f64).collect()
}

impl Cage {
    /// Joins two rings of as many vertices by quads; the first ring runs so that `to` lies outwards along it.
    pub(super) fn bridge(&mut self, from: &[usize], to: &[usize]) {
        for at in 0..from.len().min(to.len()) {
            let next = (at + 1) % from.len();
            self.quads.push([from[at], from[next], to[next], to[at]]);
        }
    }

    /// Divides every quad into four.
    pub(super) fn subdivided(&self) -> Self {
        let faces: Vec<Vec<f64>> =
            self.quads.iter().map(|quad| mean(&quad.map(|corner| self.rows[corner].as_slice()))).collect();
        let mut beside: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        for (face, quad) in self.quads.iter().enumerate() {
            for (at, corner) in quad.iter().enumerate() {
                beside.entry(edge(*corner, quad[(at + 1) % 4])).or_default().push(face);
                around[*corner].push(face);
            }
        }
        let mut ends: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        for (a, b) in beside.keys() {
            ends[*a].push(*b);
            ends[*b].push(*a);
        }
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.rows.len() + beside.len() + faces.len());
        for (at, own) in self.rows.iter().enumerate() {
            let count = ends[at].len().max(1) as f64;
            let face = mean(&around[at].iter().map(|face| faces[*face].as_slice()).collect::<Vec<_>>());
            let neighbour = mean(&ends[at].iter().map(|end| self.rows[*end].as_slice()).collect::<Vec<_>>());
            // (F + 2 R + (n - 3) P) / n, R the mean of the edges' middles: (P + neighbours) / 2.
            let row = own.iter().zip(face.iter().zip(&neighbour));
            rows.push(row.map(|(own, (face, ring))| (face + ring + (count - 2.0) * own) / count).collect());
        }
        let mut middles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (ends, own) in &beside {
            let mut parts = vec![self.rows[ends.0].as_slice(), self.rows[ends.1].as_slice()];
            parts.extend(own.iter().map(|face| faces[*face].as_slice()));
            middles.insert(*ends, rows.len());
            rows.push(mean(&parts));
        }
        let first = rows.len();
        rows.extend(faces);
        let mut quads = Vec::with_capacity(4 * self.quads.len());
        for (face, quad) in self.quads.iter().enumerate() {
            for at in 0..4 {
                let (before, here, after) = (quad[(at + 3) % 4], quad[at], quad[(at + 1) % 4]);
                quads.push([here, middles[&edge(here, after)], first + face, middles[&edge(before, here)]]);
            }
        }
        Self { rows, quads }
    }
}
