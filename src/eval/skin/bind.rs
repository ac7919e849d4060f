//! Weights found by themselves: each vertex follows the joints whose bones are near.
//!
//! Spread over the surface as heat is (Baran, Popovic, Automatic rigging and animation of 3D characters, 2007, section 4): for each
//! joint `(L + A/d^2) w = A/d^2 p`, with L the cotangent Laplacian, A the area of a vertex, d the distance to its nearest bone, and p 1
//! where that bone is the joint's. So weights go over from joint to joint within about the flesh's thickness, however fine the mesh:
//! they are found first on a coarse one, whose pieces are a small part of that, and then made smooth on the mesh itself.
//! Joints do not wait for each other: they are shared out to the cores, and the result is the same with any number of them.

use super::surface::{Surface, dot, minus};
use crate::progress::{Cancelled, Progress, on_cores};

/// A bone: a straight piece from a joint to the next, or a point. It belongs to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// Which joint of the list that weights are for.
    pub joint: u16,
    /// Where it begins, in the mesh's space.
    pub from: [f64; 3],
    /// Where it ends; the same for a bone without length.
    pub to: [f64; 3],
}

/// How weights are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Each vertex follows the joint of the nearest bone alone.
    Closest,
    /// Each vertex follows the joints of all bones in reach, less the farther they are. A bone reaches so many times as far as the
    /// flesh around it is thick, above 0.
    Envelope(f64),
    /// Spread over the surface like heat. The number is how far: 1 is about as far as the flesh is thick; above 0.
    Heat(f64),
}

/// What weights are found for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binding {
    /// How.
    pub method: Method,
    /// How many joints a vertex follows at most, at least 1.
    pub most: usize,
}

impl Default for Binding {
    /// Like heat, of four joints.
    fn default() -> Self {
        Self { method: Method::Heat(1.0), most: 4 }
    }
}

/// Weights of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Influences of each vertex.
    pub per_vertex: usize,
    /// Joints, `per_vertex` a vertex, the heaviest first.
    pub joints: Vec<u16>,
    /// Their weights, not negative; of each vertex they sum to 1.
    pub weights: Vec<f32>,
}

/// A bone on whose inner side the surface does not lie counts as so many times as far away.
const BEHIND: f64 = 3.0;
/// The pieces of the coarse mesh reach this part of the way that weights go over.
const PIECE: f64 = 0.15;
/// Bones as near as this, relatively, are equally near: they meet at a joint.
const EQUAL: f64 = 1e-6;
/// Weights below this are left out.
const LEAST: f64 = 2e-3;
/// Solving stops when what is left is this much smaller than it was.
const RESIDUAL: f64 = 1e-5;
/// Or after so many rounds on the coarse mesh: what is left then is little, and smooth.
const ROUNDS: usize = 600;
/// And on the mesh itself: they make smooth what has steps a piece apart.
const SMOOTHING: usize = 14;

/// Finds weights for every vertex.
///
/// Without bones there are none: all follow joint 0. Vertices without triangles, triangles without area, islands and bones without
/// length are all right: such a vertex follows the joints of the bones nearest to it. Numbers that are not finite count as 0.
///
/// The progress is advanced by one for each joint.
///
/// # Errors
/// When it is cancelled.
pub fn bind(surface: &Surface, bones: &[Bone], binding: &Binding, progress: &Progress) -> Result<Weights, Cancelled> {
    let most = binding.most.max(1);
    let joints = bones.iter().map(|bone| usize::from(bone.joint) + 1).max().unwrap_or(0);
    let near = nearest(surface, bones, progress)?;
    let found: Vec<Vec<(u32, f32)>> = match binding.method {
        Method::Closest => per_joint(joints, progress, |joint| Ok(owned(&near, joint)))?,
        Method::Envelope(reach) => {
            let thick = thickness(&near, joints);
            let own = |joint: usize| -> Vec<Bone> {
                bones.iter().filter(|bone| usize::from(bone.joint) == joint).copied().collect()
            };
            let reach = if reach.is_finite() { reach.clamp(0.01, 100.0) } else { 1.0 };
            let work = |joint: usize| Ok(envelope(surface, &own(joint), (&near, thick[joint] * reach), joint));
            per_joint(joints, progress, work)?
        }
        Method::Heat(spread) => {
            let spread = if spread.is_finite() { spread.clamp(0.01, 100.0) } else { 1.0 };
            let heat = Heat::new(surface, &near, spread);
            per_joint(joints, progress, |joint| heat.of(&near, joint, progress))?
        }
    };
    Ok(gathered(surface, &near, &found, most))
}

/// Of each place the distance to its nearest bone, and the joints of those that are as near.
struct Near {
    distance: Vec<f64>,
    owners: Vec<[u16; 2]>,
}

fn nearest(surface: &Surface, bones: &[Bone], progress: &Progress) -> Result<Near, Cancelled> {
    let mut near = Near { distance: Vec::with_capacity(surface.len()), owners: Vec::with_capacity(surface.len()) };
    for (place, (at, normal)) in surface.places.iter().zip(&surface.normals).enumerate() {
        if place % 4096 == 0 {
            progress.check()?;
        }
        let (mut least, mut owners, mut way) = (f64::INFINITY, [0, 0], f64::INFINITY);
        for bone in bones {
            let (distance, counts) = felt(bone, at, normal);
            if counts < least * (1.0 - EQUAL) {
                (least, owners, way) = (counts, [bone.joint; 2], distance);
            } else if counts <= least * (1.0 + EQUAL) && owners[0] == owners[1] {
                owners[1] = bone.joint;
            }
        }
        near.distance.push(if way.is_finite() { way } else { 0.0 });
        near.owners.push(owners);
    }
    Ok(near)
}

/// How far a bone is from a place of the surface, and how far it counts as: farther where the surface does not face away from it.
fn felt(bone: &Bone, at: &[f64; 3], normal: &[f64; 3]) -> (f64, f64) {
    let along = minus(&bone.to, &bone.from);
    let length = dot(&along, &along);
    let own = minus(at, &bone.from);
    let part = if length > 0.0 { (dot(&own, &along) / length).clamp(0.0, 1.0) } else { 0.0 };
    let away = minus(&own, &along.map(|x| x * part));
    let distance = dot(&away, &away).sqrt();
    let facing = dot(&away, normal);
    let behind = facing < -0.25 * distance;
    (distance, if behind { distance * BEHIND } else { distance })
}

/// How much of a place's nearest bones are a joint's: all, half or nothing.
fn share(near: &Near, place: usize, joint: usize) -> f64 {
    let own = near.owners[place].iter().filter(|owner| usize::from(**owner) == joint);
    own.count() as f64 / 2.0
}

fn narrow(weight: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "weights are held in single precision")]
    let weight = weight as f32;
    weight
}

fn label(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn owned(near: &Near, joint: usize) -> Vec<(u32, f32)> {
    let own = |place: &usize| usize::from(near.owners[*place][0]) == joint;
    (0..near.owners.len()).filter(own).map(|place| (label(place), 1.0)).collect()
}

/// Of each joint how far the surface that is nearest to it is, in the middle.
fn thickness(near: &Near, joints: usize) -> Vec<f64> {
    let mut own: Vec<Vec<f64>> = vec![Vec::new(); joints];
    for (distance, owners) in near.distance.iter().zip(&near.owners) {
        if let Some(list) = own.get_mut(usize::from(owners[0])) {
            list.push(*distance);
        }
    }
    let middle = |mut list: Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list.get(list.len() / 2).copied().unwrap_or(0.0)
    };
    own.into_iter().map(middle).collect()
}

fn envelope(surface: &Surface, bones: &[Bone], (near, reach): (&Near, f64), joint: usize) -> Vec<(u32, f32)> {
    let weight = |place: usize| {
        let own = bones.iter().map(|bone| felt(bone, &surface.places[place], &surface.normals[place]).1);
        let distance = own.fold(f64::INFINITY, f64::min);
        let part = if reach > 0.0 { 1.0 - (distance / reach).powi(2) } else { 0.0 };
        // What no bone reaches follows the nearest.
        let least = if near.distance[place] >= reach { 1e-3 * share(near, place, joint) } else { 0.0 };
        (part.max(0.0).powi(2)).max(least)
    };
    let all = (0..surface.len()).map(|place| (label(place), narrow(weight(place))));
    all.filter(|(_, weight)| *weight > 0.0).collect()
}

/// The equations on the mesh and on a coarse one.
struct Heat {
    fine: System,
    coarse: System,
    /// The piece of each place.
    piece_of: Vec<u32>,
}

impl Heat {
    fn new(surface: &Surface, near: &Near, spread: f64) -> Self {
        // A place on a bone would be held endlessly.
        let middle = near.distance.iter().sum::<f64>() / near.distance.len().max(1) as f64;
        let least = (1e-3 * middle).max(f64::MIN_POSITIVE.sqrt());
        let reach: Vec<f64> = near.distance.iter().map(|distance| distance.max(least) * spread).collect();
        let held: Vec<f64> = surface.areas.iter().zip(&reach).map(|(area, reach)| area / (reach * reach)).collect();
        let mut fine = System::new(held);
        for place in 0..surface.len() {
            fine.row(place, surface.around(place));
        }
        let pieces = pieces(surface, &reach);
        let coarse = coarse(surface, &fine, &pieces);
        Self { fine, coarse, piece_of: pieces }
    }

    /// The weights of one joint.
    fn of(&self, near: &Near, joint: usize, progress: &Progress) -> Result<Vec<(u32, f32)>, Cancelled> {
        let own: Vec<f64> =
            self.fine.held.iter().enumerate().map(|(place, held)| held * share(near, place, joint)).collect();
        if own.iter().all(|own| *own <= 0.0) {
            return Ok(Vec::new());
        }
        let mut summed = vec![0.0; self.coarse.held.len()];
        self.piece_of.iter().zip(&own).for_each(|(piece, own)| summed[*piece as usize] += own);
        let start = summed.iter().zip(&self.coarse.held).map(|(own, held)| own / held).collect();
        let rough = self.coarse.solved(&summed, start, ROUNDS, progress)?;
        let start = self.piece_of.iter().map(|piece| rough[*piece as usize]).collect();
        let weights = self.fine.solved(&own, start, SMOOTHING, progress)?;
        let all = weights.into_iter().enumerate().filter(|(_, weight)| *weight >= LEAST);
        Ok(all.map(|(place, weight)| (label(place), narrow(weight))).collect())
    }
}

/// Neighbours put together, those around a place within a part of its reach: the piece of each place.
fn pieces(surface: &Surface, reach: &[f64]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut piece_of = vec![NONE; surface.len()];
    let (mut count, mut open) = (0, Vec::new());
    for seed in 0..surface.len() {
        if piece_of[seed] != NONE {
            continue;
        }
        piece_of[seed] = count;
        open.push(seed);
        let far = (PIECE * reach[seed]).powi(2);
        while let Some(place) = open.pop() {
            for (other, _) in surface.around(place) {
                let way = minus(&surface.places[other], &surface.places[seed]);
                if piece_of[other] == NONE && dot(&way, &way) <= far {
                    piece_of[other] = count;
                    open.push(other);
                }
            }
        }
        count += 1;
    }
    piece_of
}

/// The equations of the pieces. What pulls across an edge between two pieces acts over the way between their middles.
fn coarse(surface: &Surface, fine: &System, piece_of: &[u32]) -> System {
    let count = piece_of.iter().max().map_or(0, |last| *last as usize + 1);
    let (mut held, mut middles, mut members) = (vec![0.0; count], vec![[0.0; 3]; count], vec![0.0; count]);
    for (place, piece) in piece_of.iter().enumerate() {
        let piece = *piece as usize;
        held[piece] += fine.held[place];
        members[piece] += 1.0;
        middles[piece].iter_mut().zip(surface.places[place]).for_each(|(sum, x)| *sum += x);
    }
    middles.iter_mut().zip(&members).for_each(|(middle, count)| *middle = middle.map(|x| x / count));
    let length = |a: &[f64; 3], b: &[f64; 3]| {
        let way = minus(a, b);
        dot(&way, &way).sqrt()
    };
    let mut edges: Vec<(u32, u32, f64)> = Vec::new();
    for (place, piece) in piece_of.iter().enumerate() {
        for (other, pull) in surface.around(place) {
            let beyond = piece_of[other];
            if beyond != *piece {
                let own = length(&surface.places[place], &surface.places[other]);
                let whole = length(&middles[*piece as usize], &middles[beyond as usize]);
                let part = if whole > 0.0 { (own / whole).min(1.0) } else { 1.0 };
                edges.push((*piece, beyond, pull * part));
            }
        }
    }
    edges.sort_by_key(|(a, b, _)| (*a, *b));
    let mut system = System::new(held);
    let mut rest = edges.as_slice();
    for piece in 0..count {
        let own = rest.partition_point(|(from, ..)| *from as usize <= piece);
        let (row, after) = rest.split_at(own);
        rest = after;
        let joined = row.chunk_by(|a, b| a.1 == b.1);
        system.row(piece, joined.map(|group| (group[0].1 as usize, group.iter().map(|(.., pull)| pull).sum())));
    }
    system
}

/// Equations: sparse rows, and what holds each place.
struct System {
    /// A/d^2 of each place.
    held: Vec<f64>,
    diagonal: Vec<f64>,
    starts: Vec<u32>,
    columns: Vec<u32>,
    pulls: Vec<f64>,
}

impl System {
    fn new(held: Vec<f64>) -> Self {
        Self { held, diagonal: Vec::new(), starts: vec![0], columns: Vec::new(), pulls: Vec::new() }
    }

    /// The next row: what pulls at a place.
    fn row(&mut self, place: usize, around: impl Iterator<Item = (usize, f64)>) {
        let mut diagonal = self.held[place];
        for (other, pull) in around {
            diagonal += pull;
            self.columns.push(label(other));
            self.pulls.push(pull);
        }
        self.diagonal.push(diagonal);
        self.starts.push(label(self.columns.len()));
    }

    fn times(&self, x: &[f64], out: &mut [f64]) {
        for (row, out) in out.iter_mut().enumerate() {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            let around = self.columns[range.clone()].iter().zip(&self.pulls[range]);
            let pulled: f64 = around.map(|(column, pull)| pull * x[*column as usize]).sum();
            *out = self.diagonal[row] * x[row] - pulled;
        }
    }

    /// The solution from a start on, by conjugate gradients (Hestenes, Stiefel 1952) divided by the diagonal.
    fn solved(
        &self,
        right: &[f64],
        start: Vec<f64>,
        rounds: usize,
        progress: &Progress,
    ) -> Result<Vec<f64>, Cancelled> {
        let count = right.len();
        let mut x = start;
        let mut product = vec![0.0; count];
        self.times(&x, &mut product);
        let mut rest: Vec<f64> = right.iter().zip(&product).map(|(a, b)| a - b).collect();
        let scaled = |rest: &[f64]| -> Vec<f64> { rest.iter().zip(&self.diagonal).map(|(a, b)| a / b).collect() };
        let sum = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let mut way = scaled(&rest);
        let mut size = sum(&rest, &way);
        let whole: f64 = right.iter().zip(&self.diagonal).map(|(right, diagonal)| right * right / diagonal).sum();
        let enough = whole * RESIDUAL * RESIDUAL;
        for round in 0..rounds {
            if round % 16 == 0 {
                progress.check()?;
            }
            if !(size > enough) {
                break;
            }
            self.times(&way, &mut product);
            let step = size / sum(&way, &product);
            if !step.is_finite() {
                break;
            }
            for at in 0..count {
                x[at] += step * way[at];
                rest[at] -= step * product[at];
            }
            let next = scaled(&rest);
            let after = sum(&rest, &next);
            let turn = after / size;
            way.iter_mut().zip(&next).for_each(|(way, next)| *way = next + turn * *way);
            size = after;
        }
        Ok(x)
    }
}

/// Works out joints beside each other.
fn per_joint<T: Send>(
    joints: usize,
    progress: &Progress,
    work: impl Fn(usize) -> Result<T, Cancelled> + Sync,
) -> Result<Vec<T>, Cancelled> {
    let one = |joint: usize| {
        progress.check()?;
        let one = work(joint);
        progress.advance(1);
        one
    };
    on_cores((0..joints).collect(), joints, one).into_iter().collect()
}

/// Of each vertex the heaviest joints.
fn gathered(surface: &Surface, near: &Near, found: &[Vec<(u32, f32)>], most: usize) -> Weights {
    let mut all: Vec<Vec<(u16, f32)>> = vec![Vec::new(); surface.len()];
    for (joint, own) in found.iter().enumerate() {
        let joint = u16::try_from(joint).unwrap_or(u16::MAX);
        own.iter().for_each(|(place, weight)| all[*place as usize].push((joint, *weight)));
    }
    for (place, own) in all.iter_mut().enumerate() {
        own.retain(|(_, weight)| f64::from(*weight) >= LEAST);
        own.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        own.truncate(most);
        if own.is_empty() {
            own.push((near.owners[place][0], 1.0));
        }
    }
    let per_vertex = all.iter().map(Vec::len).max().unwrap_or(1);
    let mut out = Weights { per_vertex, joints: Vec::new(), weights: Vec::new() };
    for place in &surface.place_of {
        let own = &all[*place as usize];
        let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
        let filled = own.iter().map(|(joint, weight)| (*joint, weight / sum)).chain(std::iter::repeat((0, 0.0)));
        for (joint, weight) in filled.take(per_vertex) {
            out.joints.push(joint);
            out.weights.push(weight);
        }
    }
    out
}
