//! Templates of directional movement: which motions lie where.
//!
//! Targeted movement goes one way and looks another: strafes lie on circles about standing still, forward on one half and
//! backward on a half of its own, so that legs never cross between a strafe ahead and one behind. Pivotal movement goes
//! where it looks and leans into its turns. After J. Gregory, *Game Engine Architecture*, 3rd ed., 12.6.3.

use super::spaces::{added, free_space_name};
use crate::{
    edit::Edit,
    eval::blend::travel::velocity,
    model::{Axis, BlendScheme, BlendSpace, BlendSpaceId, ClipId, Document, ObjectId, Plays, SpaceSample, Sync},
};

/// What a place of a template is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Standing still.
    Idle,
    /// Going forward.
    Forward,
    /// Going forward fast.
    Fast,
    /// Going backward.
    Backward,
    /// Strafing to the left.
    Left,
    /// Strafing to the right.
    Right,
    /// Going forward and leaning to the left.
    LeanLeft,
    /// Going forward and leaning to the right.
    LeanRight,
}

/// A template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// Going one way and looking another: a plane of velocities.
    Targeted,
    /// Going where one looks and leaning into turns: a line of turning.
    Pivotal,
}

impl Template {
    /// Its parts, those without which it is none first.
    #[must_use]
    pub const fn parts(self) -> &'static [Part] {
        match self {
            Self::Targeted => &[Part::Idle, Part::Forward, Part::Left, Part::Right, Part::Fast, Part::Backward],
            Self::Pivotal => &[Part::LeanLeft, Part::Forward, Part::LeanRight],
        }
    }

    /// How many of its parts must be given.
    #[must_use]
    pub const fn needed(self) -> usize {
        match self {
            Self::Targeted => 4,
            Self::Pivotal => 3,
        }
    }
}

/// The words that tell by a clip's name which part it may be, each group in turn: all of one group must be in the name.
const fn words(part: Part) -> &'static [&'static [&'static str]] {
    match part {
        Part::Idle => &[&["idle"], &["stand"]],
        Part::Forward => &[&["walk", "forward"], &["walk"], &["forward"], &["jog"]],
        Part::Fast => &[&["run"], &["sprint"]],
        Part::Backward => &[&["back"]],
        Part::Left => &[&["strafe", "left"], &["strafe", "l"]],
        Part::Right => &[&["strafe", "right"], &["strafe", "r"]],
        Part::LeanLeft => &[&["lean", "left"], &["turn", "left"]],
        Part::LeanRight => &[&["lean", "right"], &["turn", "right"]],
    }
}

/// The clip that its name says is a part: of those that have the words the one with the shortest name.
#[must_use]
pub fn guessed(document: &Document, part: Part) -> Option<ClipId> {
    let has = |name: &str, group: &[&str]| group.iter().all(|word| name.contains(word));
    words(part).iter().find_map(|group| {
        let named = document.clips.iter().map(|(id, clip)| (clip.name.to_lowercase(), *id));
        let mut found: Vec<(String, ClipId)> = named.filter(|(name, _)| has(name, group)).collect();
        found.sort_by(|(a, x), (b, y)| a.len().cmp(&b.len()).then(a.cmp(b)).then(x.cmp(y)));
        found.first().map(|(_, id)| *id)
    })
}

/// The edit that adds the space of a template, and its id, each part with its clip; parts without one are left out. A place
/// of targeted movement is the clip's own velocity over the ground; a clip that does not travel takes one metre a second. What
/// comes to lie on one spot with what came before is left out too.
#[must_use]
pub fn from_template(
    document: &Document,
    object: ObjectId,
    template: Template,
    clips: &[(Part, ClipId)],
    name: &str,
) -> (BlendSpaceId, Edit) {
    let named = free_space_name(document, name);
    let mut space = match template {
        Template::Targeted => {
            let places: Vec<[f64; 2]> =
                clips.iter().map(|(part, clip)| targeted_place(document, object, *part, *clip)).collect();
            let reach = places.iter().flatten().fold(1.0_f64, |most, v| most.max(v.abs())).ceil();
            let axes = [Axis::new("left", "m/s", [-reach, reach]), Axis::new("forward", "m/s", [-reach, reach])];
            let mut space = BlendSpace { scheme: BlendScheme::Directional, ..BlendSpace::new(&named, axes) };
            let samples = clips.iter().zip(places).map(|((_, clip), at)| SpaceSample::new(Plays::Clip(*clip), at));
            space.samples = samples.collect();
            space
        }
        Template::Pivotal => {
            let axes = [Axis::new("turn", "", [-1.0, 1.0]), Axis::new("", "", [0.0, 1.0])];
            let mut space = BlendSpace::new(&named, axes);
            let at = |part: Part| match part {
                Part::LeanLeft => -1.0,
                Part::LeanRight => 1.0,
                _ => 0.0,
            };
            let samples = clips.iter().map(|(part, clip)| SpaceSample::new(Plays::Clip(*clip), [at(*part), 0.0]));
            space.samples = samples.collect();
            space
        }
    };
    space.sync = Sync::Markers;
    let mut shared: Vec<usize> = space.on_one_spot().into_iter().map(|(index, _)| index).collect();
    shared.reverse();
    for index in shared {
        space.samples.remove(index);
    }
    added(document, space)
}

/// Where a clip lies among velocities, metres a second to the left and forward.
fn targeted_place(document: &Document, object: ObjectId, part: Part, clip: ClipId) -> [f64; 2] {
    if part == Part::Idle {
        return [0.0; 2];
    }
    let way = velocity(document, object, clip).unwrap_or_default();
    let measured = [way.x, way.z].map(|value| (value * 1e6).round() / 1e6 + 0.0);
    if measured[0].hypot(measured[1]) > 1e-3 && document.clip(clip).is_some_and(|clip| clip.travels) {
        return measured;
    }
    match part {
        Part::Left => [1.0, 0.0],
        Part::Right => [-1.0, 0.0],
        Part::Backward => [0.0, -1.0],
        Part::Fast => [0.0, 2.0],
        _ => [0.0, 1.0],
    }
}
