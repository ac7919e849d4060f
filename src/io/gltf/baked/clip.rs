//! A mesh as one clip moves it, and that motion in weights.

use super::{key_times, state_at};
use crate::{
    eval::{
        Evaluator,
        deform::modes::{Modes, Offsets},
        mesh::{MeshState, offsets_at_rest},
    },
    io::{gltf::export::GltfExportError, played::Played},
    model::{ClipId, Document, Mesh, ObjectId},
    progress::Progress,
};
use std::sync::Arc;

/// At most so many times of one clip are looked at to begin with.
const MOST_TIMES: usize = 20_000;

/// Between two times it is looked up to so often halved where the straight line between their weights is not near enough.
const MOST_HALVINGS: u32 = 6;

/// A mesh object in a document that plays one clip, or none.
pub(super) struct Moving {
    /// The clip.
    pub(super) clip: Option<ClipId>,
    document: Document,
    evaluator: Evaluator,
    id: ObjectId,
    linear: bool,
    /// The times that are looked at first: every frame and every key.
    pub(super) times: Vec<f64>,
}

impl Moving {
    /// The mesh as a clip moves it.
    pub(super) fn new(document: &Document, clip: ClipId, id: ObjectId, linear: bool) -> Option<Self> {
        let played = Played::new(document, clip)?;
        let (first, last) = played.span();
        let frame = played.document.settings.rate.frame_secs();
        #[expect(clippy::cast_precision_loss, reason = "some thousand")]
        let step = frame.max((last - first) / MOST_TIMES as f64);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the step")]
        let count = ((last - first) / step).ceil().max(0.0) as u32;
        let mut times: Vec<f64> = (0..=count).map(|n| (first + f64::from(n) * step).min(last)).collect();
        let mut keys = key_times(&played.clip);
        keys.retain(|time| (first..=last).contains(time));
        keys.sort_by(f64::total_cmp);
        keys.dedup_by(|a, b| *a - *b < 1e-6);
        if keys.len() <= MOST_TIMES {
            times.extend(keys);
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| *a - *b < 1e-6);
        let Played { document, evaluator, .. } = played;
        Some(Self { clip: Some(clip), document, evaluator, id, linear, times })
    }

    /// The mesh where no clip plays.
    pub(super) fn still(document: &Document, id: ObjectId, linear: bool) -> Self {
        let mut document = document.clone();
        Arc::make_mut(&mut document.settings).clip = None;
        let own: Vec<ObjectId> =
            document.objects.iter().filter(|(_, object)| object.clip.is_some()).map(|(id, _)| *id).collect();
        for object in own {
            if let Some(object) = document.object_mut(object) {
                object.clip = None;
            }
        }
        Self { clip: None, document, evaluator: Evaluator::new(), id, linear, times: vec![0.0] }
    }

    /// The document that plays it.
    pub(super) const fn document(&self) -> &Document {
        &self.document
    }

    /// What the mesh's shape depends on at a time.
    pub(super) fn state(&self, secs: f64) -> Option<MeshState> {
        state_at(&self.evaluator, &self.document, self.id, secs)
    }

    /// What the mesh's stack does to its vertices at rest at a time.
    #[expect(clippy::cast_possible_truncation, reason = "the format's own precision")]
    pub(super) fn offsets(&self, mesh: &Mesh, secs: f64) -> Offsets {
        let found = self.state(secs).map(|state| offsets_at_rest(mesh, &state, self.linear)).unwrap_or_default();
        let mut offsets: Offsets = found.iter().map(|by| [by.x as f32, by.y as f32, by.z as f32]).collect();
        offsets.resize(mesh.len(), [0.0; 3]);
        offsets
    }

    /// How much longer an offset at rest may become in the world, over some of the times.
    pub(super) fn scale(&self) -> f64 {
        let step = self.times.len().div_ceil(64).max(1);
        let states = self.times.iter().step_by(step).filter_map(|secs| self.state(*secs));
        let longest = |state: MeshState| {
            let columns = state.maps.iter().flat_map(|map| {
                let norm = |axis: usize| map.linear.column(axis).norm();
                [norm(0), norm(1), norm(2)]
            });
            columns.fold(0.0, f64::max)
        };
        states.map(longest).fold(0.0, f64::max)
    }
}

/// A time with the weights of it.
type Row<'a> = (f64, &'a [f64]);

/// The weights of a mesh's directions over a clip.
pub(super) struct Sampled {
    /// In order.
    pub(super) times: Vec<f64>,
    /// Of each time; directions beyond its end have none.
    pub(super) weights: Vec<Vec<f64>>,
}

impl Sampled {
    /// Weights at as many times as it takes for straight lines between them to keep each vertex within `tolerance` at rest.
    pub(super) fn new(
        moving: &Moving,
        modes: &mut Modes,
        tolerance: f64,
        progress: &Progress,
    ) -> Result<Self, GltfExportError> {
        let Some(mesh) = moving.document.object(moving.id).and_then(|object| object.as_mesh()) else {
            return Ok(Self { times: Vec::new(), weights: Vec::new() });
        };
        progress.start("Baking deformers", moving.times.len() as u64);
        let mut out = Self { times: Vec::new(), weights: Vec::new() };
        for secs in &moving.times {
            progress.check()?;
            progress.advance(1);
            let (weights, _) = modes.weigh(&moving.offsets(mesh, *secs), tolerance * 0.5);
            if let (Some(before), Some(last)) = (out.times.last().copied(), out.weights.last().cloned()) {
                out.between((moving, mesh), modes, ((before, &last), (*secs, &weights)), (tolerance, 0), progress)?;
            }
            out.times.push(*secs);
            out.weights.push(weights);
        }
        out.thin(modes, tolerance * 0.1);
        Ok(out)
    }

    /// Adds times between two, in order.
    fn between(
        &mut self,
        own: (&Moving, &Mesh),
        modes: &mut Modes,
        ((from, a), (to, b)): (Row<'_>, Row<'_>),
        (tolerance, halvings): (f64, u32),
        progress: &Progress,
    ) -> Result<(), GltfExportError> {
        let middle = (from + to) / 2.0;
        if halvings >= MOST_HALVINGS || to - from < 1e-4 {
            return Ok(());
        }
        progress.check()?;
        let (moving, mesh) = own;
        let offsets = moving.offsets(mesh, middle);
        if modes.off(&offsets, &mixed(a, b, 0.5)) <= tolerance {
            return Ok(());
        }
        let (weights, _) = modes.weigh(&offsets, tolerance * 0.5);
        let deeper = (tolerance, halvings + 1);
        self.between(own, modes, ((from, a), (middle, &weights)), deeper, progress)?;
        self.times.push(middle);
        self.weights.push(weights.clone());
        self.between(own, modes, ((middle, &weights), (to, b)), deeper, progress)
    }

    /// Leaves out times that lie on the straight line between others, within a tolerance; those of one shape throughout but for the
    /// first.
    fn thin(&mut self, modes: &Modes, tolerance: f64) {
        let mut kept = vec![0];
        let mut at = 0;
        while at + 1 < self.times.len() {
            let mut next = at + 1;
            while next + 1 < self.times.len()
                && next - at < MOST_THINNED
                && self.straight(modes, at, next + 1, tolerance)
            {
                next += 1;
            }
            kept.push(next);
            at = next;
        }
        let same = |index: &usize| modes.apart(&self.weights[*index], &self.weights[0]) <= tolerance * 1e-3;
        if !self.times.is_empty() && kept.iter().all(same) {
            kept.truncate(1);
        }
        kept.retain(|index| *index < self.times.len());
        self.times = kept.iter().map(|index| self.times[*index]).collect();
        self.weights = kept.iter().map(|index| std::mem::take(&mut self.weights[*index])).collect();
    }

    /// Whether all between two times lies near the straight line between them.
    fn straight(&self, modes: &Modes, from: usize, to: usize, tolerance: f64) -> bool {
        let (first, last) = (self.times[from], self.times[to]);
        (from + 1..to).all(|at| {
            let part = (self.times[at] - first) / (last - first);
            modes.apart(&mixed(&self.weights[from], &self.weights[to], part), &self.weights[at]) <= tolerance
        })
    }
}

/// No more times than this are left out in a row.
const MOST_THINNED: usize = 64;

/// Weights between two.
fn mixed(a: &[f64], b: &[f64], part: f64) -> Vec<f64> {
    let at = |list: &[f64], index: usize| list.get(index).copied().unwrap_or(0.0);
    (0..a.len().max(b.len())).map(|index| at(a, index) + (at(b, index) - at(a, index)) * part).collect()
}
