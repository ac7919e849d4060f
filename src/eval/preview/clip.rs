//! Captured clips, compiled for pictures.

use super::{
    blend::dot,
    packed::{PackedPose, single},
};
use crate::{
    eval::{
        curve::sampled::position,
        sample::{RigBinding, SampledChannels, SampledRotation},
    },
    math::lanes::{LANES, Lanes},
    model::Property,
};
use pulp::{Arch, Simd, WithSimd};
use std::{collections::BTreeMap, sync::OnceLock};

/// Steps from one sample to the next that a page holds: of what is looked at here and there little is compiled for nothing.
const PAGE: usize = 8;

/// A clip whose channels are all sampled on one grid, bound to a skeleton: its samples in single precision, eight joints side
/// by side, the whole pose of a sample in one piece. A time is found by its number, whatever was asked for before. Samples are
/// compiled by pages, when they are first asked for.
///
/// Rotations are slerped between samples, numbers go straight, the ends hold, as in [`RigBinding::played_pose`]; corrections
/// and waiting edits are no part of it. A joint's turn comes within 2e-6 radians of that in double precision, its place within
/// 1e-7 of its distance from the parent.
#[derive(Debug)]
pub struct PreviewClip {
    channels: SampledChannels,
    rest: PackedPose,
    columns: Vec<Column>,
    /// Packed numbers of one sample.
    row: usize,
    pages: Vec<OnceLock<Box<[Lanes<f32>]>>>,
}

/// Numbers of eight joints that move.
#[derive(Debug)]
struct Column {
    group: usize,
    property: Property,
    moved: Vec<Moved>,
}

/// A number of one of the eight.
#[derive(Clone, Copy, Debug)]
struct Moved {
    lane: usize,
    /// 0 of a rotation.
    axis: usize,
    /// Of what moves it among the channels of its kind.
    channel: usize,
}

impl Column {
    const fn parts(&self) -> usize {
        match self.property {
            Property::Rotation => 4,
            _ => 3,
        }
    }
}

impl PreviewClip {
    /// Compiles a clip bound to its skeleton; none where not every channel is sampled, without modifiers and retimes, on one
    /// grid. What was compiled `before` of the very same samples is used again.
    #[must_use]
    pub fn new(binding: &RigBinding, before: Option<Self>) -> Option<Self> {
        let channels = binding.sampled()?;
        let rest: Vec<_> = binding.skeleton().joints().iter().map(|joint| joint.rest).collect();
        let rest = PackedPose::new(&rest);
        if let Some(before) = before.filter(|before| before.channels.is(&channels) && before.rest == rest) {
            return Some(before);
        }
        let mut columns: BTreeMap<(usize, Property), Vec<Moved>> = BTreeMap::new();
        for (channel, (joint, _)) in channels.rotations.iter().enumerate() {
            let column = columns.entry((joint / LANES, Property::Rotation)).or_default();
            column.push(Moved { lane: joint % LANES, axis: 0, channel });
        }
        for (channel, scalar) in channels.scalars.iter().enumerate() {
            let column = columns.entry((scalar.joint / LANES, scalar.property)).or_default();
            column.push(Moved { lane: scalar.joint % LANES, axis: scalar.axis, channel });
        }
        let columns: Vec<Column> =
            columns.into_iter().map(|((group, property), moved)| Column { group, property, moved }).collect();
        let row = columns.iter().map(Column::parts).sum();
        let pages = (0..channels.grid.2.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Some(Self { channels, rest, columns, row, pages })
    }

    /// A pose of the right size to sample into.
    #[must_use]
    pub fn rest(&self) -> PackedPose {
        self.rest.clone()
    }

    /// The pose at a time, seconds; a time that is not a number gives the rest pose. `pose` is written whole where it is of
    /// this skeleton, [`Self::rest`] or a pose sampled before.
    pub fn sample(&self, secs: f64, pose: &mut PackedPose) {
        pose.clone_from(&self.rest);
        let (start, rate, count) = self.channels.grid;
        let Some(at) = position(start, rate, count, secs) else { return };
        let Some(page) = self.pages.get(at.index / PAGE) else { return };
        let rows = page.get_or_init(|| self.page(at.index / PAGE));
        let row = |index: usize| rows.get(index * self.row..(index + 1) * self.row);
        let Some(from) = row(at.index % PAGE) else { return };
        let to = if at.part > 0.0 { row(at.index % PAGE + 1).unwrap_or(from) } else { from };
        Arch::new().dispatch(Between { columns: &self.columns, from, to, part: single(at.part), pose });
    }

    /// How many pages were compiled so far.
    #[cfg(test)]
    pub(super) fn compiled(&self) -> usize {
        self.pages.iter().filter(|page| page.get().is_some()).count()
    }

    /// The rows of a page, and the first of the next.
    fn page(&self, page: usize) -> Box<[Lanes<f32>]> {
        let first = page * PAGE;
        let last = (first + PAGE).min(self.channels.grid.2 - 1);
        let mut rows: Vec<Lanes<f32>> = Vec::with_capacity((last + 1 - first) * self.row);
        for index in first..=last {
            let before = rows.len().checked_sub(self.row);
            for column in &self.columns {
                let at = rows.len();
                let Some(rest) = self.rest.groups.get(column.group) else { continue };
                match column.property {
                    Property::Rotation => rows.extend(rest.rotation),
                    Property::Scale => rows.extend(rest.scale),
                    _ => rows.extend(rest.translation),
                }
                let within = at - (first..index).len() * self.row;
                for Moved { lane, axis, channel } in &column.moved {
                    if column.property == Property::Rotation {
                        let before = before.map(|before| before + within);
                        self.set_rotation(&mut rows, (at, before), *lane, self.rotation(*channel), index);
                    } else if let Some(value) = self.channels.scalars.get(*channel).and_then(|s| s.at(index)) {
                        rows[at + axis].0[*lane] = single(value);
                    }
                }
            }
        }
        rows.into_boxed_slice()
    }

    fn rotation(&self, channel: usize) -> Option<&SampledRotation> {
        self.channels.rotations.get(channel).map(|(_, rotation)| rotation)
    }

    /// Writes one quaternion, on the side of the one before.
    fn set_rotation(
        &self,
        rows: &mut [Lanes<f32>],
        (at, before): (usize, Option<usize>),
        lane: usize,
        of: Option<&SampledRotation>,
        index: usize,
    ) {
        let Some(value) = of.and_then(|of| of.at(index)) else { return };
        let q = [value.i, value.j, value.k, value.w].map(single);
        let along = before.map_or(0.0, |before| (0..4).map(|part| rows[before + part].0[lane] * q[part]).sum());
        for (part, value) in q.into_iter().enumerate() {
            rows[at + part].0[lane] = if along < 0.0 { -value } else { value };
        }
    }
}

/// A part of the way from one row to the next.
struct Between<'a> {
    columns: &'a [Column],
    from: &'a [Lanes<f32>],
    to: &'a [Lanes<f32>],
    part: f32,
    pose: &'a mut PackedPose,
}

impl WithSimd for Between<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let part = Lanes::splat(self.part);
        let ways = [1.0 - self.part, self.part].map(|part| (part, ratios(part)));
        let (mut from, mut to) = (self.from, self.to);
        for column in self.columns {
            let Some(group) = self.pose.groups.get_mut(column.group) else { continue };
            if column.property == Property::Rotation {
                let (Some((a, rest_a)), Some((b, rest_b))) = (from.split_first_chunk(), to.split_first_chunk()) else {
                    return;
                };
                group.rotation = if self.part > 0.0 { slerped(a, b, &ways) } else { *a };
                (from, to) = (rest_a, rest_b);
                continue;
            }
            let (Some((a, rest_a)), Some((b, rest_b))) = (from.split_first_chunk::<3>(), to.split_first_chunk::<3>())
            else {
                return;
            };
            let own = if column.property == Property::Scale { &mut group.scale } else { &mut group.translation };
            for axis in 0..3 {
                own[axis] = a[axis] + (b[axis] - a[axis]) * part;
            }
            (from, to) = (rest_a, rest_b);
        }
    }
}

/// How many terms of the series are taken: what they leave is below 1e-7 up to half a turn.
const TERMS: usize = 20;

/// The ratios of neighbouring terms of the series for a part of the way, the first before.
fn ratios(part: f32) -> [f32; TERMS] {
    let mut n = 0.0;
    [0.0; TERMS].map(|_: f32| {
        n += 1.0;
        (n * n - part * part) / (n * (2.0 * n + 1.0))
    })
}

/// Eight slerps between quaternions on one side, by the series of [`crate::math::rotation::slerp_unaligned`], which needs no
/// branch; brought to length 1. `ways` are the parts of the way from the other end and from this one, with their [`ratios`].
/// Source: D. Eberly, *A fast and accurate algorithm for computing SLERP*, 2011.
#[inline(always)]
fn slerped(a: &[Lanes<f32>; 4], b: &[Lanes<f32>; 4], ways: &[(f32, [f32; TERMS]); 2]) -> [Lanes<f32>; 4] {
    let mut chord2 = Lanes::splat(0.0f32);
    for (a, b) in a.iter().zip(b) {
        let apart = *b - *a;
        chord2 = chord2 + apart * apart;
    }
    let one = Lanes::splat(1.0f32);
    // 1 - cos of the angle between them.
    let versine = chord2 * Lanes::splat(0.5);
    let weight = |(part, ratios): &(f32, [f32; TERMS])| {
        let sum = ratios.iter().rev().fold(one, |sum, ratio| one + sum * versine * Lanes::splat(*ratio));
        sum * Lanes::splat(*part)
    };
    let (of_a, of_b) = (weight(&ways[0]), weight(&ways[1]));
    let mut out = [one; 4];
    for at in 0..4 {
        out[at] = a[at] * of_a + b[at] * of_b;
    }
    let scale = dot(&out, &out).map(|length2| 1.0 / length2.sqrt());
    out.map(|value| value * scale)
}
