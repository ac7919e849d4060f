//! A head with a face: twelve action units of the Facial Action Coding System (Ekman, Friesen 1978) as morph targets, by number and
//! name; expressions and visemes as mixtures of them; how the face is built as shapes apart from those; correctives.
//!
//! The skin is a cube blown up, so that no vertex is a pole; its front has slits for the eyes and the mouth, whose two sides are
//! vertices of their own. Every shape is a field over the directions from the middle of the head, in degrees to the side and up.

use crate::{
    math::Vec3,
    model::{Geometry, Material, Mesh, MeshPart, MorphGroup, MorphId, MorphRule, MorphTarget, Object, ObjectKind},
};
use std::{collections::HashMap, f64::consts::FRAC_PI_4, sync::Arc};

/// Quads along a side of each of the six patches.
const PIECES: usize = 32;
/// The rows of the front patch that the eyes and the mouth are slits in, and the columns that their corners are at.
const EYE_ROW: usize = 19;
const MOUTH_ROW: usize = 8;
const EYE: (usize, usize) = (20, 27);
const MOUTH: (usize, usize) = (10, 22);
/// A millimetre.
const MM: f64 = 1e-3;

/// Where on the head something is: degrees to the left of the face (its own left, +X) and up, and on which side of the slits.
#[derive(Clone, Copy, Debug)]
struct Spot {
    a: f64,
    e: f64,
    /// Above the mouth's slit, or the eyes'.
    above_mouth: bool,
    above_eye: bool,
}

/// Degrees of a row or a column of the front patch at its middle.
fn degrees(line: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
    let part = 2.0 * line as f64 / PIECES as f64 - 1.0;
    45.0 * part
}

fn bell(x: f64, width: f64) -> f64 {
    (-(x / width) * (x / width)).exp()
}

impl Spot {
    /// A bump about a place.
    fn near(self, a: f64, e: f64, wide: f64, high: f64) -> f64 {
        bell(self.a - a, wide) * bell(self.e - e, high)
    }

    /// How much between the corners of the mouth, 1 in the middle and 0 from the corners on.
    fn within_mouth(self) -> f64 {
        let half = (degrees(MOUTH.1) - degrees(MOUTH.0)) / 2.0;
        (1.0 - (self.a / half) * (self.a / half)).max(0.0)
    }

    /// The same of the eye of a side (1 left, -1 right).
    fn within_eye(self, side: f64) -> f64 {
        let (inner, outer) = (degrees(EYE.0), degrees(EYE.1));
        let at = (self.a * side - (inner + outer) / 2.0) / ((outer - inner) / 2.0);
        (1.0 - at * at).max(0.0)
    }

    /// How much of a lid, upper or lower, is here.
    fn lid(self, side: f64, upper: bool) -> f64 {
        let own = f64::from(u8::from(self.above_eye == upper));
        own * self.within_eye(side) * bell(self.e - degrees(EYE_ROW), 6.0)
    }

    /// How much of a lip, upper or lower, is here.
    fn lip(self, upper: bool) -> f64 {
        let own = f64::from(u8::from(self.above_mouth == upper));
        own * self.within_mouth() * bell(self.e - degrees(MOUTH_ROW), 6.5)
    }

    /// How much the jaw carries this along, 0..1.
    fn jaw(self) -> f64 {
        let line = degrees(MOUTH_ROW);
        let t = ((line + 9.0 - self.e) / 18.0).clamp(0.0, 1.0);
        let smooth = t * t * (3.0 - 2.0 * t) * bell(self.a, 75.0);
        let within = self.within_mouth();
        if self.above_mouth { smooth * (1.0 - within) } else { smooth.max(within * bell(self.e - line, 30.0)) }
    }
}

/// A movement in millimetres: to the face's left, up, and forwards.
type Field = fn(Spot, f64) -> [f64; 3];

/// An action unit: its number, name, whether it has two sides, and what it does on a side (1 left, -1 right, 0 both).
type Action = (u8, &'static str, bool, Field);

const ACTIONS: [Action; 12] = [
    (1, "Inner brow raiser", true, |p, s| {
        let g = p.near(7.0 * s, 21.0, 9.0, 8.0);
        [0.0, 7.0 * g, 1.0 * g]
    }),
    (2, "Outer brow raiser", true, |p, s| {
        let g = p.near(30.0 * s, 20.0, 11.0, 8.0);
        [0.0, 7.0 * g, 0.5 * g]
    }),
    (4, "Brow lowerer", true, |p, s| {
        let g = p.near(14.0 * s, 20.0, 12.0, 7.0);
        [-3.0 * s * g, -5.0 * g, 1.5 * g]
    }),
    (5, "Upper lid raiser", true, |p, s| [0.0, 2.6 * p.lid(s, true), 0.0]),
    (6, "Cheek raiser", true, |p, s| {
        let g = p.near(27.0 * s, -4.0, 13.0, 9.0);
        let lid = p.lid(s, false);
        [0.0, 5.0 * g + 1.5 * lid, 3.5 * g]
    }),
    (9, "Nose wrinkler", false, |p, _| {
        let (g, sides) = (p.near(0.0, 2.0, 6.0, 9.0), p.near(8.0, -6.0, 5.0, 7.0) + p.near(-8.0, -6.0, 5.0, 7.0));
        [0.0, 2.5 * g + 5.0 * sides + 2.5 * p.lip(true), 1.0 * sides]
    }),
    (12, "Lip corner puller", true, |p, s| {
        let g = p.near(17.0 * s, -22.0, 10.0, 8.0);
        [7.0 * s * g, 9.0 * g, -3.0 * g]
    }),
    (15, "Lip corner depressor", true, |p, s| {
        let g = p.near(17.0 * s, -23.0, 9.0, 7.0);
        [1.5 * s * g, -8.0 * g, -0.5 * g]
    }),
    (20, "Lip stretcher", true, |p, s| {
        let g = p.near(18.0 * s, -22.0, 11.0, 7.0);
        [9.0 * s * g, -0.5 * g, -4.0 * g]
    }),
    (25, "Lips part", false, |p, _| {
        let (upper, lower) = (p.lip(true), p.lip(false));
        [0.0, 3.0 * upper - 4.0 * lower, 0.5 * (upper + lower)]
    }),
    (26, "Jaw drop", false, |p, _| {
        let g = p.jaw();
        [0.0, -22.0 * g, -7.0 * g]
    }),
    (43, "Eyes closed", true, |p, s| {
        let (upper, lower) = (p.lid(s, true), p.lid(s, false));
        [0.0, -(UPPER_LID + 0.75 * LOWER_LID) * upper + 0.25 * LOWER_LID * lower, 1.2 * upper]
    }),
];

/// How far open the lids are at rest, millimetres from the slit.
const UPPER_LID: f64 = 5.0;
const LOWER_LID: f64 = 3.0;

/// How the face is built.
const CONFORMATIONS: [(&str, Field); 4] = [
    ("Face length", |p, _| [0.0, 14.0 * ((p.e + 10.0) / 60.0).clamp(-1.0, 1.0), 0.0]),
    ("Eye distance", |p, _| {
        let g = p.near(21.0, 9.0, 12.0, 12.0) - p.near(-21.0, 9.0, 12.0, 12.0);
        [6.0 * g, 0.0, -1.5 * g.abs()]
    }),
    ("Nose length", |p, _| {
        let g = p.near(0.0, -7.0, 8.0, 8.0);
        [0.0, -4.0 * g, 8.0 * g]
    }),
    ("Jaw width", |p, _| {
        // Of the sine of the angle, which both sides share at the back of the head.
        let g = bell(p.e + 35.0, 22.0) * (1.4 * p.a.to_radians().sin()).clamp(-1.0, 1.0);
        [10.0 * g, 0.0, 0.0]
    }),
];

/// Whole faces: which action units, on both sides, by how much.
const EXPRESSIONS: [(&str, &[(u8, f64)]); 5] = [
    ("Happy", &[(6, 0.8), (12, 1.0), (25, 0.4)]),
    ("Sad", &[(1, 1.0), (4, 0.4), (15, 0.9), (43, 0.25)]),
    ("Angry", &[(4, 1.0), (5, 0.6), (9, 0.4), (15, 0.3)]),
    ("Surprised", &[(1, 0.9), (2, 1.0), (5, 1.0), (25, 0.3), (26, 0.8)]),
    ("Disgusted", &[(4, 0.4), (6, 0.3), (9, 1.0), (15, 0.5)]),
];

/// The mouths of sounds.
const VISEMES: [(&str, &[(u8, f64)]); 6] = [
    ("AA", &[(25, 0.8), (26, 0.7)]),
    ("EE", &[(20, 0.8), (25, 0.7), (26, 0.1)]),
    ("IH", &[(20, 0.3), (25, 0.6), (26, 0.25)]),
    ("OH", &[(20, -0.6), (25, 0.9), (26, 0.5)]),
    ("OO", &[(20, -0.9), (25, 0.6), (26, 0.15)]),
    ("MBP", &[(12, 0.05), (20, 0.1), (25, -0.25)]),
];

/// The surface of the head in a direction at rest: an egg with a jaw, a nose, sockets, lips and a chin.
fn skin(dir: &Vec3, spot: Spot) -> Vec3 {
    let mut at = Vec3::new(dir.x * 0.078, dir.y * 0.118, dir.z * 0.096);
    // Narrower to the chin, the back rounder.
    let down = (-dir.y).max(0.0);
    at.x *= 1.0 - 0.16 * down * down;
    at.z += 0.012 * down * dir.z.max(0.0);
    // A jaw has a bottom.
    at.y += 0.012 * down.powi(4);
    let both = |a: f64, e: f64, wide: f64, high: f64| spot.near(a, e, wide, high) + spot.near(-a, e, wide, high);
    let out = [
        (20.0, spot.near(0.0, -7.0, 5.5, 7.0)),
        (9.0, spot.near(0.0, 3.0, 4.5, 9.0)),
        (5.0, both(6.0, -9.0, 4.0, 4.0)),
        (-7.0, both(21.0, 8.4, 10.0, 7.0)),
        (4.0, both(15.0, 20.0, 12.0, 5.0)),
        (4.0, both(28.0, -6.0, 12.0, 9.0)),
        (5.0, spot.near(0.0, -19.0, 11.0, 3.5)),
        (5.0, spot.near(0.0, -26.5, 10.0, 3.5)),
        (7.0, spot.near(0.0, -40.0, 12.0, 8.0)),
        (-2.0, spot.near(0.0, -22.5, 16.0, 2.0)),
    ];
    at += dir * (MM * out.iter().map(|(size, share)| size * share).sum::<f64>());
    let lids = |upper: bool| spot.lid(1.0, upper) + spot.lid(-1.0, upper);
    at.y += MM * (UPPER_LID * lids(true) - LOWER_LID * lids(false));
    at
}

/// The vertices of the mesh with where each is on the head; none of those that no shape moves.
#[derive(Default)]
struct Builder {
    positions: Vec<[f32; 3]>,
    spots: Vec<Option<Spot>>,
    colors: Vec<[f32; 4]>,
    indices: Vec<u32>,
    parts: Vec<MeshPart>,
    begun: (usize, usize),
}

#[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
fn narrow(at: &Vec3) -> [f32; 3] {
    [at.x as f32, at.y as f32, at.z as f32]
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Builder {
    fn vertex(&mut self, at: &Vec3, spot: Option<Spot>, color: [f32; 4]) -> u32 {
        self.positions.push(narrow(at));
        self.spots.push(spot);
        self.colors.push(color);
        number(self.positions.len() - 1)
    }

    fn part(&mut self, material: u32) {
        let (vertices, indices) = (self.positions.len() - self.begun.0, self.indices.len() - self.begun.1);
        self.begun = (self.positions.len(), self.indices.len());
        let part = MeshPart { vertices: number(vertices), indices: number(indices), material: Some(material) };
        self.parts.push(part);
    }

    /// One of the six sides; `front` has the slits.
    fn patch(&mut self, turn: fn(f64, f64) -> Vec3, front: bool) {
        let line = |n: usize| (FRAC_PI_4 * degrees(n) / 45.0).tan();
        let mut upper: HashMap<(usize, usize), u32> = HashMap::new();
        let first = self.positions.len();
        for row in 0..=PIECES {
            for column in 0..=PIECES {
                let dir = turn(line(column), line(row)).normalize();
                let (a, e) = (dir.x.atan2(dir.z).to_degrees(), dir.y.asin().to_degrees());
                let height = |slit: usize| if front { row > slit } else { e > degrees(slit) };
                let spot = Spot { a, e, above_mouth: height(MOUTH_ROW), above_eye: height(EYE_ROW) };
                self.vertex(&skin(&dir, spot), Some(spot), [1.0; 4]);
            }
        }
        if front {
            let mirrored = (PIECES - EYE.1, PIECES - EYE.0);
            for (row, (from, to)) in [(EYE_ROW, EYE), (EYE_ROW, mirrored), (MOUTH_ROW, MOUTH)] {
                for column in from + 1..to {
                    let dir = turn(line(column), line(row)).normalize();
                    let (a, e) = (dir.x.atan2(dir.z).to_degrees(), dir.y.asin().to_degrees());
                    let spot = Spot { a, e, above_mouth: row >= MOUTH_ROW, above_eye: row >= EYE_ROW };
                    upper.insert((row, column), self.vertex(&skin(&dir, spot), Some(spot), [1.0; 4]));
                }
            }
        }
        let at = |row: usize, column: usize| number(first + row * (PIECES + 1) + column);
        for row in 0..PIECES {
            for column in 0..PIECES {
                // The quads above a slit have its upper side.
                let low = |column: usize| upper.get(&(row, column)).copied().unwrap_or_else(|| at(row, column));
                let (a, b) = (low(column), low(column + 1));
                let (c, d) = (at(row + 1, column + 1), at(row + 1, column));
                self.indices.extend([a, b, c, a, c, d]);
            }
        }
    }

    /// A ball; `color` by how far a direction is from the front, degrees.
    fn ball(&mut self, middle: &Vec3, radius: f64, spot: Option<Spot>, color: fn(f64) -> [f32; 4]) {
        const ROUND: usize = 20;
        let first = self.positions.len();
        for ring in 0..=ROUND {
            #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
            let polar = std::f64::consts::PI * ring as f64 / ROUND as f64;
            for step in 0..=ROUND {
                #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
                let turn = std::f64::consts::TAU * step as f64 / ROUND as f64;
                let dir = Vec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos());
                self.vertex(&(middle + dir * radius), spot, color(polar.to_degrees()));
            }
        }
        let at = |ring: usize, step: usize| number(first + ring * (ROUND + 1) + step);
        for ring in 0..ROUND {
            for step in 0..ROUND {
                let [a, b] = [at(ring, step), at(ring, step + 1)];
                let [c, d] = [at(ring + 1, step + 1), at(ring + 1, step)];
                self.indices.extend([a, d, c, a, c, b]);
            }
        }
    }
}

/// Normals by vertices that lie at one place, so that no seam shows.
fn normals(positions: &[[f32; 3]], indices: &[u32], same: &[usize]) -> Vec<[f32; 3]> {
    let at = |vertex: u32| Vec3::from(positions[vertex as usize].map(f64::from));
    let mut sums = vec![Vec3::zeros(); positions.len()];
    for [a, b, c] in indices.as_chunks::<3>().0 {
        let normal = (at(*b) - at(*a)).cross(&(at(*c) - at(*a)));
        for corner in [a, b, c] {
            sums[same[*corner as usize]] += normal;
        }
    }
    let unit = |vertex: usize| sums[same[vertex]].try_normalize(1e-30).unwrap_or_else(Vec3::z);
    (0..positions.len()).map(|vertex| narrow(&unit(vertex))).collect()
}

/// For each vertex the first that lies where it does.
fn places(positions: &[[f32; 3]]) -> Vec<usize> {
    let mut first: HashMap<[i64; 3], usize> = HashMap::new();
    #[expect(clippy::cast_possible_truncation, reason = "a head is small")]
    let key = |at: &[f32; 3]| at.map(|x| (f64::from(x) * 1e6).round() as i64);
    positions.iter().enumerate().map(|(vertex, at)| *first.entry(key(at)).or_insert(vertex)).collect()
}

/// The head, its middle at the origin, its face towards +Z.
#[must_use]
pub fn head() -> Mesh {
    let mut builder = Builder::default();
    builder.patch(|u, v| Vec3::new(u, v, 1.0), true);
    builder.patch(|u, v| Vec3::new(1.0, v, -u), false);
    builder.patch(|u, v| Vec3::new(-1.0, v, u), false);
    builder.patch(|u, v| Vec3::new(-u, v, -1.0), false);
    builder.patch(|u, v| Vec3::new(u, 1.0, -v), false);
    builder.patch(|u, v| Vec3::new(u, -1.0, v), false);
    builder.part(0);
    for side in [1.0_f64, -1.0] {
        let (a, e) = (side * (degrees(EYE.0) + degrees(EYE.1)) / 2.0, degrees(EYE_ROW));
        let spot = Spot { a, e, above_mouth: true, above_eye: true };
        let (turn, up) = (a.to_radians(), e.to_radians());
        let dir = Vec3::new(turn.sin() * up.cos(), up.sin(), turn.cos() * up.cos());
        let lid = Spot { above_eye: false, ..spot };
        let surface = (skin(&dir, spot) + skin(&dir, lid)) / 2.0;
        let middle = surface - Vec3::new(0.0, -0.001, 0.0138);
        builder.ball(&middle, 0.0135, Some(spot), |off| match off {
            _ if off < 14.0 => [0.01, 0.01, 0.01, 1.0],
            _ if off < 30.0 => [0.10, 0.25, 0.30, 1.0],
            _ => [0.85, 0.85, 0.82, 1.0],
        });
    }
    builder.part(1);
    builder.ball(&Vec3::new(0.0, -0.052, 0.052), 0.028, None, |_| [0.09, 0.015, 0.015, 1.0]);
    builder.part(1);
    let same = places(&builder.positions);
    let rest = normals(&builder.positions, &builder.indices, &same);
    let morphs = shapes(&builder, &same, &rest);
    let geometry = Geometry {
        positions: builder.positions.into(),
        normals: rest.into(),
        colors: builder.colors.into(),
        indices: builder.indices.into(),
        ..Geometry::default()
    };
    let skin = Material { name: "Skin".to_owned(), color: [0.62, 0.40, 0.30, 1.0], ..Material::default() };
    let eyes = Material { name: "Eyes".to_owned(), roughness: 0.3, ..Material::default() };
    Mesh {
        geometry: Arc::new(geometry),
        parts: builder.parts,
        materials: vec![Arc::new(skin), Arc::new(eyes)],
        morphs: morphs.into_iter().map(Arc::new).collect(),
        ..Mesh::default()
    }
}

/// The head as an object, standing at the height of a grown person's.
#[must_use]
pub fn object() -> Object {
    let mut object = Object::new("Face", ObjectKind::Mesh(Arc::new(head())));
    object.transform.translation = Vec3::new(0.0, 1.6, 0.0);
    object
}

fn shapes(builder: &Builder, same: &[usize], rest: &[[f32; 3]]) -> Vec<MorphTarget> {
    let mut out: Vec<MorphTarget> = Vec::new();
    let mut numbers: Vec<(u8, MorphId)> = Vec::new();
    let shape = |out: &mut Vec<MorphTarget>, name: String, group: MorphGroup, field: &dyn Fn(Spot) -> [f64; 3]| {
        let by = |spot: &Option<Spot>| spot.map_or([0.0; 3], |spot| narrow(&(Vec3::from(field(spot)) * MM)));
        let by: Vec<[f32; 3]> = builder.spots.iter().map(by).collect();
        let moved: Vec<[f32; 3]> =
            builder.positions.iter().zip(&by).map(|(a, b)| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]).collect();
        let turned = normals(&moved, &builder.indices, same);
        let normals: Vec<[f32; 3]> =
            turned.iter().zip(rest).map(|(a, b)| [a[0] - b[0], a[1] - b[1], a[2] - b[2]]).collect();
        let id = MorphId(number(out.len()));
        out.push(MorphTarget { normals: normals.into(), group, ..MorphTarget::new(id, &name, by.into()) });
        id
    };
    for (au, name, sides, field) in ACTIONS {
        let all: &[(f64, &str)] = if sides { &[(1.0, "L"), (-1.0, "R")] } else { &[(0.0, "")] };
        for (side, letter) in all {
            // The eyeballs go with nothing that moves the skin.
            let own = |spot: Spot| field(spot, *side);
            let id = shape(&mut out, format!("AU{au}{letter} {name}"), MorphGroup::Action(au), &own);
            numbers.push((au, id));
        }
    }
    still_eyes(builder, &mut out);
    for (name, field) in CONFORMATIONS {
        shape(&mut out, name.to_owned(), MorphGroup::Conformation, &|spot| field(spot, 0.0));
    }
    // A smile with the jaw down: the corners are not drawn down with it.
    for (side, letter) in [(1.0, "L"), (-1.0, "R")] {
        let own = |spot: Spot| {
            let g = spot.near(17.0 * side, -22.0, 9.0, 7.0);
            [1.5 * side * g, 4.0 * g, 0.0]
        };
        let id = shape(&mut out, format!("AU12{letter} with AU26"), MorphGroup::Other, &own);
        let smile = numbers.iter().filter(|(au, _)| *au == 12).nth(usize::from(letter == "R"));
        let jaw = numbers.iter().find(|(au, _)| *au == 26);
        if let (Some((_, smile)), Some((_, jaw)), Some(own)) = (smile, jaw, out.iter_mut().find(|own| own.id == id)) {
            own.rule = MorphRule::Product(vec![*smile, *jaw]);
            own.weight = 1.0;
        }
    }
    let mixes = EXPRESSIONS.map(|mix| (mix, MorphGroup::Expression)).into_iter();
    for ((name, parts), group) in mixes.chain(VISEMES.map(|mix| (mix, MorphGroup::Viseme))) {
        let of = |(au, share): &(u8, f64)| {
            let own = numbers.iter().filter(|(other, _)| other == au).map(|(_, id)| (*id, *share));
            own.collect::<Vec<_>>()
        };
        let rule = MorphRule::Mix(parts.iter().flat_map(of).collect());
        let id = MorphId(number(out.len()));
        out.push(MorphTarget { group, rule, ..MorphTarget::new(id, name, Vec::new().into()) });
    }
    out
}

/// Eyeballs stay where they are whatever the skin about them does.
fn still_eyes(builder: &Builder, shapes: &mut [MorphTarget]) {
    let skin = builder.parts.first().map_or(0, |part| part.vertices as usize);
    for shape in shapes {
        let still = |list: &Arc<[[f32; 3]]>| -> Arc<[[f32; 3]]> {
            list.iter().enumerate().map(|(at, by)| if at < skin { *by } else { [0.0; 3] }).collect()
        };
        (shape.positions, shape.normals) = (still(&shape.positions), still(&shape.normals));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_is_sound_and_has_twelve_action_units() {
        let head = head();
        assert_eq!(head.faults(), Vec::<String>::new());
        let mut units: Vec<u8> = head
            .morphs
            .iter()
            .filter_map(|morph| match morph.group {
                MorphGroup::Action(number) => Some(number),
                _ => None,
            })
            .collect();
        units.dedup();
        assert_eq!(units, [1, 2, 4, 5, 6, 9, 12, 15, 20, 25, 26, 43]);
        for morph in head.morphs.iter().filter(|morph| !morph.is_mix()) {
            let most = morph.positions.iter().flatten().fold(0.0_f32, |most, by| most.max(by.abs()));
            assert!((1e-3..0.03).contains(&most), "{}: {most}", morph.name);
        }
    }

    #[test]
    fn both_sides_are_mirror_images_and_seams_stay_closed() {
        let head = head();
        let same = places(&head.geometry.positions);
        for morph in head.morphs.iter().filter(|morph| !morph.is_mix()) {
            let split = |vertex: usize| {
                // The two sides of the mouth's slit lie at one place and part.
                let at = head.geometry.positions[vertex];
                (f64::from(at[1]) + 0.045).abs() < 0.02 && at[2] > 0.05
            };
            for (vertex, first) in same.iter().enumerate().filter(|(vertex, _)| !split(*vertex)) {
                let apart = (0..3).map(|axis| (morph.positions[vertex][axis] - morph.positions[*first][axis]).abs());
                assert!(apart.fold(0.0, f32::max) < 1e-6, "{} tears at {vertex}", morph.name);
            }
        }
        let of = |name: &str| head.morphs.iter().find(|morph| morph.name.starts_with(name)).unwrap().clone();
        for unit in ["AU1", "AU12", "AU43"] {
            let (left, right) = (of(&format!("{unit}L")), of(&format!("{unit}R")));
            let sum = |morph: &MorphTarget| {
                morph.positions.iter().fold([0.0_f64; 3], |sum, by| std::array::from_fn(|k| sum[k] + f64::from(by[k])))
            };
            let (a, b) = (sum(&left), sum(&right));
            assert!((a[0] + b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 1e-3, "{unit} {a:?} {b:?}");
        }
    }
}
