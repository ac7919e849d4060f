//! A stroke of the weight brush: dabs add up on a table of weights; the edit is the whole change.

use crate::{
    eval::skin::{surface::Surface, weights::Table},
    math::Vec3,
    model::{Mesh, Skin},
};
use std::{collections::BTreeMap, sync::Arc};

/// What a brush does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Paint {
    /// The joint gets more.
    #[default]
    Add,
    /// The joint gets less.
    Remove,
    /// Weights of all joints become more like those around.
    Smooth,
}

/// How a brush fades towards its rim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Falloff {
    /// Slowly first and last.
    #[default]
    Smooth,
    /// Evenly.
    Linear,
    /// Not at all.
    Constant,
}

impl Falloff {
    /// How much acts at a part of the radius, 1..0.
    #[must_use]
    pub fn at(self, part: f64) -> f64 {
        let t = (1.0 - part).clamp(0.0, 1.0);
        match self {
            Self::Smooth => t * t * (3.0 - 2.0 * t),
            Self::Linear => t,
            Self::Constant => f64::from(u8::from(t > 0.0)),
        }
    }
}

/// A brush at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// What it does.
    pub paint: Paint,
    /// How far it reaches, metres.
    pub radius: f64,
    /// How much a dab does in its middle, 0..1.
    pub strength: f64,
    /// How it fades.
    pub falloff: Falloff,
}

/// The vertices on the other side, and the joints there.
#[derive(Clone, Debug, PartialEq)]
pub struct Twins {
    /// For each vertex the one at its mirror image across X, if there is one.
    pub vertices: Vec<Option<u32>>,
    /// For each joint of the skin the one on the other side, itself where it has none.
    pub joints: Vec<u16>,
}

/// The vertices of the mirror image across X: those nearest to it, within a thousandth of the mesh's size.
#[must_use]
pub fn twins(positions: &[[f32; 3]]) -> Vec<Option<u32>> {
    let size = positions.as_flattened().iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    let cell = f64::from(size) * 1e-3;
    if !(cell > 0.0) || !cell.is_finite() {
        return vec![None; positions.len()];
    }
    #[expect(clippy::cast_possible_truncation, reason = "within a thousand cells of the origin, as said by its size")]
    let key = |at: &[f64; 3]| at.map(|x| (x / cell).floor() as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    for (vertex, at) in positions.iter().enumerate() {
        cells.entry(key(&at.map(f64::from))).or_default().push(u32::try_from(vertex).unwrap_or(u32::MAX));
    }
    let near = |at: &[f32; 3]| {
        let wanted = [-f64::from(at[0]), f64::from(at[1]), f64::from(at[2])];
        let [x, y, z] = key(&wanted);
        let mut best: Option<(f64, u32)> = None;
        for n in 0..27 {
            let beside = [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1];
            for vertex in cells.get(&beside).into_iter().flatten() {
                let own = positions[*vertex as usize].map(f64::from);
                let distance = (Vec3::from(own) - Vec3::from(wanted)).norm();
                if distance <= cell && best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, *vertex));
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    };
    positions.iter().map(near).collect()
}

/// A stroke that goes on.
#[derive(Clone, Debug)]
pub struct Painting {
    table: Table,
    joint: u16,
    surface: Arc<Surface>,
    twins: Option<Arc<Twins>>,
}

impl Painting {
    /// Begins a stroke for a joint of a skin, on one side or on both.
    #[must_use]
    pub fn new(mesh: &Mesh, skin: &Skin, joint: u16, twins: Option<Arc<Twins>>) -> Self {
        let surface = Surface::new(&mesh.geometry.positions, &mesh.geometry.indices);
        Self { table: Table::new(skin, 4), joint, surface: Arc::new(surface), twins }
    }

    /// The weights so far.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// A dab at a place; `places` are the vertices as they are seen there. Vertices at the same place stay together.
    pub fn dab(&mut self, brush: &Brush, at: &Vec3, places: &[[f32; 3]]) {
        let before = self.table.clone();
        for (vertex, place) in places.iter().enumerate().take(before.len()) {
            let distance = (Vec3::from(place.map(f64::from)) - at).norm();
            let amount = brush.strength.clamp(0.0, 1.0) * brush.falloff.at(distance / brush.radius.max(1e-9));
            if !(amount > 0.0) {
                continue;
            }
            self.touch(&before, brush.paint, (vertex, self.joint), narrow(amount));
            let twin = self.twins.as_ref().and_then(|twins| {
                let other = (*twins.vertices.get(vertex)?)? as usize;
                Some((other, *twins.joints.get(usize::from(self.joint))?))
            });
            if let Some(twin) = twin.filter(|(other, _)| *other != vertex) {
                self.touch(&before, brush.paint, twin, narrow(amount));
            }
        }
    }

    fn touch(&mut self, before: &Table, paint: Paint, (vertex, joint): (usize, u16), amount: f32) {
        let own = before.share(vertex, joint);
        match paint {
            Paint::Add => self.table.set(vertex, joint, own + amount * (1.0 - own)),
            Paint::Remove => self.table.set(vertex, joint, own * (1.0 - amount)),
            Paint::Smooth => {
                let around = self.around(before, vertex);
                let mut mixed: BTreeMap<u16, f32> = BTreeMap::new();
                before
                    .shares(vertex)
                    .into_iter()
                    .for_each(|(at, share)| *mixed.entry(at).or_default() += (1.0 - amount) * share);
                let sum: f32 = around.values().sum();
                if !(sum > 0.0) {
                    return;
                }
                around.into_iter().for_each(|(at, share)| *mixed.entry(at).or_default() += amount * share / sum);
                self.table.replace(vertex, &mixed.into_iter().collect::<Vec<_>>());
            }
        }
    }

    /// The weights around a vertex, added up.
    fn around(&self, before: &Table, vertex: usize) -> BTreeMap<u16, f32> {
        let mut sum: BTreeMap<u16, f32> = BTreeMap::new();
        let Some(place) = self.surface.place_of.get(vertex) else { return sum };
        for (other, _) in self.surface.around(*place as usize) {
            let Some(first) = self.surface.first_of.get(other) else { continue };
            before.shares(*first as usize).into_iter().for_each(|(at, share)| *sum.entry(at).or_default() += share);
        }
        sum
    }
}

fn narrow(amount: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "weights are held in single precision")]
    let amount = amount as f32;
    amount
}
