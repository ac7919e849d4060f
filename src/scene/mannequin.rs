//! A solid figure on any skeleton: rigid parts, one or a few a joint, sized from the bones, so that a pose reads.

use super::anatomy::{Anatomy, Body};
use super::loft::Solid;
use super::{hands_and_feet, limbs, trunk};
use crate::eval::limbs::Side;
use crate::math::Vec3;
use crate::render::Mesh;
use std::sync::Arc;

/// A rigid part that moves with one joint.
#[derive(Clone, Debug)]
pub struct Part {
    /// The joint's index.
    pub joint: usize,
    /// The part as a capsule in the joint's space, for picking and shadows: one end.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
    /// Radius at `a`, metres.
    pub radius_a: f64,
    /// Radius at `b`, metres.
    pub radius_b: f64,
    /// The half of the body it is on.
    pub side: Side,
    /// Its shape in the joint's space.
    pub mesh: Arc<Mesh>,
}

/// The parts of one skeleton. Made once a skeleton; posing only places them.
#[derive(Clone, Debug, Default)]
pub struct Mannequin {
    /// The parts, in no particular order of joints.
    pub parts: Vec<Part>,
    /// The body's size: a person's height, metres.
    pub size: f64,
    /// The half of the body each joint is on.
    pub sides: Vec<Side>,
    /// Where the figure looks: a joint of the trunk, and the unit direction in that joint's space.
    pub front: Option<(usize, Vec3)>,
}

impl Mannequin {
    /// Builds the parts. Any skeleton gives something: one without pairs of limbs becomes tapered strands. A skeleton
    /// with places that are not finite gets parts only where they are.
    #[must_use]
    pub fn new(body: &Body<'_>) -> Self {
        let anatomy = Anatomy::new(body);
        let radii = limbs::radii(&anatomy);
        let done = vec![false; anatomy.len()];
        let mut maker = Maker { anatomy: &anatomy, radii: &radii, parts: Vec::new(), done };
        trunk::build(&mut maker);
        hands_and_feet::build(&mut maker);
        limbs::build(&mut maker);
        let parts = maker.parts;
        let front = anatomy.front();
        Self { parts, size: anatomy.size, sides: anatomy.sides, front }
    }
}

/// Collects parts.
pub(super) struct Maker<'a> {
    /// What the skeleton is made of.
    pub(super) anatomy: &'a Anatomy,
    /// Radius of a limb at each joint, metres.
    pub(super) radii: &'a [f64],
    /// The parts so far.
    pub(super) parts: Vec<Part>,
    /// Whether the bone from its parent to a joint has its shape already.
    pub(super) done: Vec<bool>,
}

impl Maker<'_> {
    /// Adds a part of a joint with its own capsule.
    pub(super) fn push(&mut self, joint: usize, solid: &Solid) {
        let radius = |end: usize| {
            let section = if end == 0 { solid.sections.first() } else { solid.sections.last() };
            section.map_or(0.0, |s| (s.wide * s.deep).max(0.0).sqrt())
        };
        self.push_shaped(joint, solid.mesh(), [solid.a, solid.b], [radius(0), radius(1)]);
    }

    /// Adds a part with a given capsule.
    pub(super) fn push_shaped(&mut self, joint: usize, mesh: Mesh, [a, b]: [Vec3; 2], [radius_a, radius_b]: [f64; 2]) {
        let finite = mesh.positions.iter().flatten().all(|x| x.is_finite()) && !mesh.indices.is_empty();
        if finite {
            let side = self.anatomy.sides[joint];
            self.parts.push(Part { joint, a, b, radius_a, radius_b, side, mesh: Arc::new(mesh) });
        }
    }
}
