//! Joints, names, offsets and channel lists of the file.

use super::columns::{self, Sampler};
use crate::io::bvh::decimal::file_value;
use crate::io::bvh::{BvhJoint, Channel, is_writable_name};
use crate::io::report::{Place, Report};
use crate::math::Vec3;
use crate::model::{Joint, LengthUnit, Skeleton, names};

/// The joints of the file, depth first, each with its index in the skeleton. A rig that came from no file gets an End
/// Site under each last joint; one that did gets those it had.
pub(super) fn joints(
    object: &str,
    skeleton: &Skeleton,
    sampler: &Sampler<'_>,
    unit: LengthUnit,
    report: &mut Report,
) -> Vec<(BvhJoint, Option<usize>)> {
    let from_file = skeleton.joints().iter().any(|joint| !joint.file_channels.is_empty());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); skeleton.len()];
    let mut roots = Vec::new();
    for (index, parent) in skeleton.parents().iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => roots.push(index),
        }
    }
    let offset = |v: Vec3| [v.x, v.y, v.z].map(|metres| file_value(metres, unit.metres()));
    // An End Site without a direction of its own points up.
    let end = |v: Vec3| match sampler.options.end_length {
        Some(length) => v.try_normalize(1e-12).unwrap_or_else(Vec3::y) * length,
        None => v,
    };
    let mut out: Vec<(BvhJoint, Option<usize>)> = Vec::with_capacity(skeleton.len());
    let mut open: Vec<(usize, Option<usize>)> = roots.into_iter().rev().map(|root| (root, None)).collect();
    while let Some((index, parent)) = open.pop() {
        let joint = &skeleton.joints()[index];
        let written = out.len();
        let place = || Place::Part(format!("{object}/{}", names::escaped(&joint.name)));
        let channels =
            if joint.is_end() { Vec::new() } else { channels(joint, index, from_file, sampler, &place, report) };
        if sampler.is_scaled(index) {
            report.warn("scale", place(), "the joint is scaled", "the scale is not written: BVH has none");
        }
        out.push((
            BvhJoint {
                name: name(joint, &place, report),
                parent,
                offset: offset(if joint.is_end() { end(joint.rest.translation) } else { joint.rest.translation }),
                channels,
                is_end: joint.is_end(),
            },
            Some(index),
        ));
        if !from_file && children[index].is_empty() && !joint.is_end() {
            // As far beyond the last joint as that is from its parent.
            let tip = joint.rest.rotation.inverse() * joint.rest.translation;
            let site = BvhJoint {
                name: String::new(),
                parent: Some(written),
                offset: offset(end(tip)),
                channels: Vec::new(),
                is_end: true,
            };
            out.push((site, None));
        }
        open.extend(children[index].iter().rev().map(|child| (*child, Some(written))));
    }
    out
}

/// A joint's channels: those of its file, or the usual ones; before them the positions, behind them the turns, that it
/// needs and does not have.
fn channels(
    joint: &Joint,
    index: usize,
    from_file: bool,
    sampler: &Sampler<'_>,
    place: &dyn Fn() -> Place,
    report: &mut Report,
) -> Vec<Channel> {
    let usual = sampler.order(index).axes().map(Channel::Rotation);
    let mut listed: Vec<Channel> = if from_file {
        in_order(columns::listed(joint), usual)
    } else if joint.parent.is_none() {
        Channel::ALL[..3].iter().copied().chain(usual).collect()
    } else {
        usual.to_vec()
    };
    let roots_only = sampler.options.root_translation_only && joint.parent.is_some();
    if roots_only {
        let is_turn = |channel: &Channel| matches!(channel, Channel::Rotation(_));
        if Channel::ALL[..3].iter().any(|channel| sampler.moves(index, *channel)) {
            report.warn("translation", place(), "the joint moves from its place", "left out: only roots move");
        }
        listed.retain(is_turn);
    }
    let needed = |channel: &Channel| !listed.contains(channel) && sampler.moves(index, *channel);
    let possible = if roots_only { &[][..] } else { &Channel::ALL[..3] };
    let mut positions: Vec<Channel> = possible.iter().copied().filter(needed).collect();
    let mut turns: Vec<Channel> = usual.into_iter().filter(needed).collect();
    // All or none of them, so that what reads the file finds a whole place and a whole turn.
    let missing = |channel: &Channel| !listed.contains(channel);
    if !positions.is_empty() {
        positions = Channel::ALL[..3].iter().copied().filter(missing).collect();
    }
    if !turns.is_empty() {
        turns = usual.into_iter().filter(missing).collect();
    }
    if !positions.is_empty() || !turns.is_empty() {
        let added: Vec<&str> = positions.iter().chain(&turns).map(|channel| channel.name()).collect();
        let found = "the joint moves in channels its file did not have";
        report.info("channels", place(), found, format!("{} added", added.join(" ")));
    }
    [positions, listed, turns].concat()
}

/// The name as a file can hold it.
fn name(joint: &Joint, place: &dyn Fn() -> Place, report: &mut Report) -> String {
    // A name that was empty in a file stays so.
    if joint.is_end() || joint.name.is_empty() || is_writable_name(&joint.name) {
        return joint.name.clone();
    }
    let plain = joint.name.replace(['{', '}', '\n', '\r'], "_").trim_ascii().to_owned();
    report.warn("name", place(), "the name cannot stand in a BVH file", format!("written as `{plain}`"));
    plain
}

/// A file's channels with their turns in another order: an order is of all three, so a joint that turns gets all.
fn in_order(listed: Vec<Channel>, turns: [Channel; 3]) -> Vec<Channel> {
    let own: Vec<Channel> = listed.iter().copied().filter(|channel| turns.contains(channel)).collect();
    let in_order = own.iter().map(|channel| turns.iter().position(|turn| turn == channel)).is_sorted();
    if own.is_empty() || in_order {
        return listed;
    }
    let first = listed.iter().position(|channel| turns.contains(channel)).unwrap_or_default();
    let others = |part: &[Channel]| part.iter().copied().filter(|channel| !turns.contains(channel)).collect::<Vec<_>>();
    [others(&listed[..first]), turns.to_vec(), others(&listed[first..])].concat()
}
