//! Lattices and deformers as marks: cages and points of one size on the screen, bright where they are seen, dim where a surface hides
//! them.

use super::skeleton_marks::{Emphasis, single};
use crate::eval::deform::{function, lattice_places};
use crate::interact::pick_scene::handles_of_deformer;
use crate::interact::picking::SpotPart;
use crate::interact::projection::View;
use crate::math::{Affine, Vec3};
use crate::model::{Document, Lattice, ObjectId, Target};
use crate::render::{Dot, Layer, Stroke};
use crate::style::{Palette, Rgba};
use crate::{eval::EvaluatedFrame, model::Deformer};
use std::collections::BTreeSet;

/// Radius of a point, points.
const POINT_PT: f64 = 3.4;
/// Radius of a selected one, points.
const SELECTED_PT: f64 = 4.6;
/// Width of a cage's lines, points.
const LINE_PT: f32 = 1.2;
/// How much of a mark is seen through what hides it.
const THROUGH: f64 = 0.3;
/// How much is seen of the cage of a lattice that is not in hand.
const RESTING: f64 = 0.55;

/// What marks are drawn with.
pub(super) struct DeformMarks<'a> {
    pub(super) document: &'a Document,
    pub(super) frame: &'a EvaluatedFrame,
    pub(super) view: &'a View,
    pub(super) palette: &'a Palette,
    pub(super) selected: &'a BTreeSet<Target>,
    pub(super) hovered: Option<Target>,
}

impl DeformMarks<'_> {
    /// Adds the marks of an object, where it is a lattice or a deformer: those that surfaces hide to `seen`, dim ones over everything
    /// to `through`.
    pub(super) fn draw(&self, id: ObjectId, seen: &mut Layer, through: &mut Layer) {
        let Some(object) = self.document.object(id) else { return };
        let mut marks = Layer::default();
        if let Some(lattice) = object.as_lattice() {
            self.lattice(id, lattice, &mut marks);
        } else if let (Some(deformer), Some(placed)) = (object.as_deformer(), self.frame.objects.get(&id)) {
            self.deformer(id, deformer, &placed.world, &mut marks);
        }
        let dim = |color: Rgba| color.faded(THROUGH);
        through.strokes.extend(marks.strokes.iter().map(|stroke| Stroke {
            color_from: dim(stroke.color_from),
            color_to: dim(stroke.color_to),
            ..*stroke
        }));
        through.dots.extend(marks.dots.iter().map(|dot| Dot { color: dim(dot.color), edge: dim(dot.edge), ..*dot }));
        seen.strokes.append(&mut marks.strokes);
        seen.dots.append(&mut marks.dots);
    }

    fn emphasis(&self, target: Target) -> Emphasis {
        if self.selected.contains(&target) {
            Emphasis::Selected
        } else if self.hovered == Some(target) {
            Emphasis::Hovered
        } else {
            Emphasis::Plain
        }
    }

    fn color(&self, emphasis: Emphasis) -> Rgba {
        match emphasis {
            Emphasis::Selected => self.palette.selected,
            Emphasis::Hovered => self.palette.hovered,
            Emphasis::Plain => self.palette.bone,
        }
    }

    fn lattice(&self, id: ObjectId, lattice: &Lattice, marks: &mut Layer) {
        let Some(places) = lattice_places(self.document, self.frame, id) else { return };
        let whole = self.emphasis(Target::Object(id));
        let in_hand = self.selected.iter().any(|target| target.object() == id);
        let line = self.color(whole).faded(if in_hand || whole != Emphasis::Plain { 1.0 } else { RESTING });
        for (_, place) in lattice.points() {
            let at = lattice.index_of(place);
            for axis in 0..3 {
                let mut next = place;
                next[axis] += 1;
                if next[axis] < lattice.count(axis)
                    && let (Some(from), Some(to)) = (places.get(at), places.get(lattice.index_of(next)))
                {
                    marks.strokes.push(Stroke::plain(*from, *to, LINE_PT, line));
                }
            }
        }
        if !in_hand {
            return;
        }
        let mut dots: Vec<(Emphasis, Dot)> = Vec::with_capacity(places.len());
        for ((point, _), at) in lattice.points().zip(&places) {
            if self.view.project(at).is_none() {
                continue;
            }
            let emphasis = self.emphasis(Target::Point(id, point));
            let radius = if emphasis == Emphasis::Plain { POINT_PT } else { SELECTED_PT };
            let dot = Dot {
                at: *at,
                radius_pt: single(radius),
                color: self.color(emphasis),
                edge_pt: 1.0,
                edge: self.palette.bone_edge.faded(0.75),
            };
            dots.push((emphasis, dot));
        }
        dots.sort_by_key(|(emphasis, _)| *emphasis);
        marks.dots.extend(dots.into_iter().map(|(_, dot)| dot));
    }

    /// A line from where each landmark is at rest to where it is, and a point there; its origin while it has none.
    fn landmarks(&self, id: ObjectId, deformer: &Deformer, world: &Affine, marks: &mut Layer) {
        let whole = self.emphasis(Target::Object(id));
        let in_hand = self.selected.iter().any(|target| target.object() == id);
        let edge = self.palette.bone_edge.faded(0.75);
        let dot = |at: Vec3, radius: f64, color: Rgba| Dot { at, radius_pt: single(radius), color, edge_pt: 1.0, edge };
        if deformer.landmarks.is_empty() {
            marks.dots.push(dot(world.translation, SELECTED_PT, self.color(whole)));
            return;
        }
        let Some(places) = lattice_places(self.document, self.frame, id) else { return };
        let mut dots: Vec<(Emphasis, Dot)> = Vec::with_capacity(places.len());
        for ((point, landmark), at) in deformer.landmarks.iter().zip(&places) {
            let emphasis = self.emphasis(Target::Point(id, *point)).max(whole);
            let color = self.color(emphasis).faded(if in_hand { 1.0 } else { RESTING });
            let rest = world.point(&landmark.at);
            marks.strokes.push(Stroke::plain(rest, *at, LINE_PT, color));
            // Points that are not picked are not shown as if they were.
            if !in_hand {
                continue;
            }
            let radius = if emphasis == Emphasis::Plain { POINT_PT } else { SELECTED_PT };
            dots.push((emphasis, dot(rest, POINT_PT / 2.0, color)));
            dots.push((emphasis, dot(*at, radius, color)));
        }
        dots.sort_by_key(|(emphasis, _)| *emphasis);
        marks.dots.extend(dots.into_iter().map(|(_, dot)| dot));
    }

    /// The axis from end to end with squares across it, moved as the space around it is.
    fn deformer(&self, id: ObjectId, deformer: &Deformer, world: &Affine, marks: &mut Layer) {
        if deformer.kind.has_landmarks() {
            return self.landmarks(id, deformer, world, marks);
        }
        let own = function(self.document, id, deformer, self.frame.secs);
        let (low, high) = own.ends();
        let side = (high - low) * SIDE;
        let color = self.color(self.emphasis(Target::Object(id)));
        let at = |x: f64, part: f64, z: f64| {
            world.point(&own.moved(&Vec3::new(x * side, low + (high - low) * part, z * side)))
        };
        let mut line = |from: Vec3, to: Vec3, width: f32| marks.strokes.push(Stroke::plain(from, to, width, color));
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        for step in 0..PIECES {
            let (a, b) = (f64::from(step) / f64::from(PIECES), f64::from(step + 1) / f64::from(PIECES));
            line(at(0.0, a, 0.0), at(0.0, b, 0.0), 2.0 * LINE_PT);
            for (x, z) in corners {
                line(at(x, a, z), at(x, b, z), LINE_PT);
            }
        }
        if self.selected.contains(&Target::Object(id)) {
            let edge = self.palette.bone_edge.faded(0.75);
            marks.dots.extend(handles_of_deformer(&own).into_iter().map(|(part, at)| {
                let amount = part == SpotPart::Amount;
                let radius = if amount { SELECTED_PT } else { POINT_PT };
                let color = if amount { self.palette.selected } else { self.palette.bone };
                Dot { at: world.point(&at), radius_pt: single(radius), color, edge_pt: 1.0, edge }
            }));
        }
        let mut line = |from: Vec3, to: Vec3, width: f32| marks.strokes.push(Stroke::plain(from, to, width, color));
        for ring in 0..=RINGS {
            let part = f64::from(ring) / f64::from(RINGS);
            for (index, (x, z)) in corners.iter().enumerate() {
                let (x2, z2) = corners[(index + 1) % corners.len()];
                line(at(*x, part, *z), at(x2, part, z2), LINE_PT);
            }
        }
    }
}

/// Half the side of the squares, in parts of the length.
const SIDE: f64 = 0.25;
/// Pieces a line along the axis is drawn in.
const PIECES: u32 = 24;
/// Squares across the axis, but for one.
const RINGS: u32 = 4;
