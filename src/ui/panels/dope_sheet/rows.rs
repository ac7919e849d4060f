//! The rows of the dope sheet: the document, objects, joints, channels; which are open, which match the search.

use crate::{
    edit::Selection,
    eval::follow::has_say,
    model::{ChannelPath, Clip, ObjectId, Target},
    ui::{
        panel::PanelContext,
        panels::graph::channels::{full_name, letter, property_name, target_name},
        subject,
    },
};
use std::{collections::BTreeSet, ops::Range};

/// With more targets than this all are folded at first.
const OPEN_TARGETS: usize = 4;

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum RowId {
    /// All that is listed.
    All,
    /// An object with its joints.
    Object(ObjectId),
    /// A joint, or another part that channels are of.
    Target(Target),
    /// One channel.
    Channel(ChannelPath),
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) id: RowId,
    pub(super) depth: usize,
    /// Whether what is in it shows; none where nothing is.
    pub(super) open: Option<bool>,
    /// Its channels among those listed.
    pub(super) channels: Range<usize>,
}

/// The channels listed, by object and joint: those that match the search and, on wish, the selection; none
/// without a say.
pub(super) fn listed(ctx: &PanelContext<'_>, clip: &Clip, filter: &str, only_selected: bool) -> Vec<ChannelPath> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let matches = |path: ChannelPath| {
        words.is_empty() || {
            let name = full_name(ctx.document, path).to_lowercase();
            words.iter().all(|word| name.contains(word.as_str()))
        }
    };
    let everything = Selection::default();
    let of = if only_selected { ctx.selection } else { &everything };
    let concerns = |path: ChannelPath| subject::concerns(of, clip, path) && has_say(ctx.document, path);
    let paths = clip.channels.keys().copied().filter(|path| concerns(*path) && matches(*path));
    let mut paths: Vec<ChannelPath> = paths.collect();
    paths.sort_by_key(|path| (path.target.object(), *path));
    paths
}

/// The rows below that of all, in order. A row in `toggled` is open where the rule has it folded, and the reverse.
pub(super) fn rows(listed: &[ChannelPath], toggled: &BTreeSet<RowId>, all_open: bool) -> Vec<Row> {
    let mut targets: Vec<Target> = listed.iter().map(|path| path.target).collect();
    targets.dedup();
    let open_at_first = targets.len() <= OPEN_TARGETS;
    let mut rows = Vec::new();
    let mut start = 0;
    for object in listed.chunk_by(|a, b| a.target.object() == b.target.object()) {
        let Some(first) = object.first() else { continue };
        let id = RowId::Object(first.target.object());
        let open = all_open || !toggled.contains(&id);
        rows.push(Row { id, depth: 0, open: Some(open), channels: start..start + object.len() });
        for target in object.chunk_by(|a, b| a.target == b.target) {
            let channels = start..start + target.len();
            start = channels.end;
            let Some(first) = target.first().filter(|_| open) else { continue };
            let id = RowId::Target(first.target);
            // An object's own channels are its own: a row of the object within that of the object says nothing.
            let own = matches!(first.target, Target::Object(_));
            let open = own || all_open || open_at_first != toggled.contains(&id);
            if !own {
                rows.push(Row { id, depth: 1, open: Some(open), channels: channels.clone() });
            }
            if open {
                rows.extend(target.iter().zip(channels).map(|(path, at)| Row {
                    id: RowId::Channel(*path),
                    depth: if own { 1 } else { 2 },
                    open: None,
                    channels: at..at + 1,
                }));
            }
        }
    }
    rows
}

/// The name of a row.
pub(super) fn name(ctx: &PanelContext<'_>, id: RowId) -> String {
    match id {
        RowId::All => crate::text::t("dope.all").into_owned(),
        RowId::Object(object) => target_name(ctx.document, Target::Object(object)),
        RowId::Target(target) => target_name(ctx.document, target),
        RowId::Channel(path) => {
            let name = format!("{} {}", property_name(path.property), letter(path.component, 0));
            match path.component {
                crate::model::Component::Whole => property_name(path.property),
                _ => name.trim().to_owned(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, JointId, Property};

    #[test]
    fn objects_hold_joints_hold_channels_and_fold() {
        let path = |object: u32, joint: u32, component| ChannelPath {
            target: Target::Joint(ObjectId(object), JointId(joint)),
            property: Property::Rotation,
            component,
        };
        let listed = [
            path(1, 0, Component::X),
            path(1, 0, Component::Y),
            path(1, 3, Component::X),
            path(2, 0, Component::Whole),
        ];
        let depths = |toggled: &BTreeSet<RowId>| -> Vec<(usize, Range<usize>)> {
            rows(&listed, toggled, false).into_iter().map(|row| (row.depth, row.channels)).collect()
        };
        let open = [(0, 0..3), (1, 0..2), (2, 0..1), (2, 1..2), (1, 2..3), (2, 2..3), (0, 3..4), (1, 3..4), (2, 3..4)];
        assert_eq!(depths(&BTreeSet::new()), open);
        let folded = [RowId::Target(listed[0].target), RowId::Object(ObjectId(2))].into_iter().collect();
        assert_eq!(depths(&folded), [(0, 0..3), (1, 0..2), (1, 2..3), (2, 2..3), (0, 3..4)]);
        assert_eq!(rows(&listed, &folded, true).len(), open.len());
        let mut with_own = vec![ChannelPath::object(ObjectId(1), Property::Translation, Component::X)];
        with_own.extend(listed);
        let depths: Vec<usize> = rows(&with_own, &BTreeSet::new(), false).iter().map(|row| row.depth).collect();
        assert_eq!(depths[..5], [0, 1, 1, 2, 2], "an object's own channels, then its joints");
    }
}
