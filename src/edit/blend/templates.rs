//! Templates of directional movement: which motions lie where.
//!
//! Targeted movement goes one way and looks another: strafes lie on circles about standing still, forward on one half and
//! backward on a half of its own with strafes of its own, so that legs never cross between a strafe and the walk behind it. Pivotal movement goes
//! where it looks and leans into its turns. After J. Gregory, *Game Engine Architecture*, 3rd ed., 12.6.3.

use super::{
    spaces::{added, free_space_name},
    steps::mark_steps,
};
use crate::{
    edit::{ClipEdit, Edit, EditError, clips::free_clip_name},
    eval::{
        blend::travel::velocity,
        clips::remap::{TimeMap, remapped},
    },
    model::{Axis, BlendScheme, BlendSpace, BlendSpaceId, Clip, ClipId, Document, ObjectId, Plays, SpaceSample, Sync},
    progress::{Cancelled, Progress},
};
use std::sync::Arc;

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
    /// Strafing to the left with the legs of going backward.
    BackLeft,
    /// Strafing to the right with the legs of going backward.
    BackRight,
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
    /// From standing to going fast: a line of speeds.
    Speed,
}

impl Template {
    /// Its parts, those without which it is none first.
    #[must_use]
    pub const fn parts(self) -> &'static [Part] {
        match self {
            Self::Targeted => &[
                Part::Idle,
                Part::Forward,
                Part::Left,
                Part::Right,
                Part::Fast,
                Part::Backward,
                Part::BackLeft,
                Part::BackRight,
            ],
            Self::Pivotal => &[Part::LeanLeft, Part::Forward, Part::LeanRight],
            Self::Speed => &[Part::Idle, Part::Forward, Part::Fast],
        }
    }

    /// How many of its parts must be given.
    #[must_use]
    pub const fn needed(self) -> usize {
        match self {
            Self::Targeted => 4,
            Self::Pivotal => 3,
            Self::Speed => 2,
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
        Part::BackLeft => &[&["strafe", "back", "left"]],
        Part::BackRight => &[&["strafe", "back", "right"]],
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

/// The part that, run backwards, stands for another where no clip does: to strafe to the left with the legs of going backward
/// is to strafe to the right, run backwards.
#[must_use]
pub const fn backwards_of(part: Part) -> Option<Part> {
    match part {
        Part::Backward => Some(Part::Forward),
        Part::BackLeft => Some(Part::Right),
        Part::BackRight => Some(Part::Left),
        _ => None,
    }
}

/// What a part is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A clip.
    Clip(ClipId),
    /// A clip that runs backwards: a copy of it is made, with marks of step of its own.
    Backwards(ClipId),
}

/// The edit that adds the space of a template, and its id, each part with what it is given; parts without anything are left
/// out. A place of targeted movement is the clip's own velocity over the ground; a clip that does not travel takes one metre a
/// second. The strafes of the backward half lie a little behind the side, where that half begins. What comes to lie on one spot
/// with what came before is left out too.
///
/// `name` is that of the space, `back` gives that of a clip run backwards from its own.
///
/// # Errors
/// Where there is no such clip. The inner error is that someone asked to stop.
pub fn from_template(
    document: &Document,
    object: ObjectId,
    (template, parts): (Template, &[(Part, Given)]),
    (name, back): (&str, &dyn Fn(&str) -> String),
    progress: &Progress,
) -> Result<Result<(BlendSpaceId, Edit), EditError>, Cancelled> {
    let mut base = document.clone();
    let mut edits = Vec::new();
    let mut clips = Vec::new();
    for (part, given) in parts {
        let clip = match given {
            Given::Clip(clip) => *clip,
            Given::Backwards(clip) => match backwards(&base, object, *clip, back, progress)? {
                Ok((id, made)) => {
                    for edit in made {
                        if let Err(error) = edit.apply(&mut base) {
                            return Ok(Err(error));
                        }
                        edits.push(edit);
                    }
                    id
                }
                Err(error) => return Ok(Err(error)),
            },
        };
        clips.push((*part, clip));
    }
    let (id, edit) = added(&base, laid_out(&base, object, template, &clips, name));
    edits.push(edit);
    Ok(Ok((id, Edit::Batch(edits))))
}

/// The edits that add a copy of a clip that runs backwards, and its id. Where feet come down it is marked anew: backwards they
/// come down where they left.
fn backwards(
    document: &Document,
    object: ObjectId,
    clip: ClipId,
    name: &dyn Fn(&str) -> String,
    progress: &Progress,
) -> Result<Result<(ClipId, Vec<Edit>), EditError>, Cancelled> {
    let Some(found) = document.clip(clip) else { return Ok(Err(EditError::NoClip(clip))) };
    let map = TimeMap::reversed(found.range, document.settings.rate);
    let Some(made) = remapped(document, clip, map, found.range, progress)? else {
        return Ok(Err(EditError::NoClip(clip)));
    };
    let id = ClipId(document.next_id);
    let made = Clip { name: free_clip_name(document, &name(&found.name)), ..made };
    let add = Edit::from(ClipEdit::Add { id, clip: Arc::new(made) });
    let mut with = document.clone();
    let marks = add.apply(&mut with).and_then(|()| mark_steps(&with, object, id));
    Ok(marks.map(|marks| (id, vec![add, marks])))
}

/// The space of a template, its samples where they belong.
fn laid_out(
    document: &Document,
    object: ObjectId,
    template: Template,
    clips: &[(Part, ClipId)],
    name: &str,
) -> BlendSpace {
    let named = free_space_name(document, name);
    let mut space = match template {
        Template::Targeted => {
            let places: Vec<[f64; 2]> =
                clips.iter().map(|(part, clip)| targeted_place(document, object, *part, *clip)).collect();
            let reach = places.iter().flatten().fold(1.0_f64, |most, v| most.max(v.abs())).ceil();
            let axes = [Axis::new("right", "m/s", [-reach, reach]), Axis::new("forward", "m/s", [-reach, reach])];
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
        Template::Speed => {
            let speed = |(part, clip): &(Part, ClipId)| {
                let [across, along] = targeted_place(document, object, *part, *clip);
                (across.hypot(along) * 1e6).round() / 1e6
            };
            let speeds: Vec<f64> = clips.iter().map(speed).collect();
            let most = speeds.iter().copied().fold(1.0, f64::max).ceil();
            let axes = [Axis::new("speed", "m/s", [0.0, most]), Axis::new("", "", [0.0, 1.0])];
            let mut space = BlendSpace::new(&named, axes);
            let samples = clips.iter().zip(speeds);
            space.samples = samples.map(|((_, clip), at)| SpaceSample::new(Plays::Clip(*clip), [at, 0.0])).collect();
            space
        }
    };
    space.sync = Sync::Markers;
    let mut shared: Vec<usize> = space.on_one_spot().into_iter().map(|(index, _)| index).collect();
    shared.reverse();
    for index in shared {
        space.samples.remove(index);
    }
    space
}

/// How far behind the side the backward half begins, radians: between both halves their strafes go over into each other.
const BEHIND: f64 = 20.0 * std::f64::consts::PI / 180.0;

/// Where a clip lies among velocities, metres a second to the right and forward: as one sees it from above.
fn targeted_place(document: &Document, object: ObjectId, part: Part, clip: ClipId) -> [f64; 2] {
    if part == Part::Idle {
        return [0.0; 2];
    }
    let way = velocity(document, object, clip).unwrap_or_default();
    let goes = way.x.hypot(way.z) > 1e-3 && document.clip(clip).is_some_and(|clip| clip.travels);
    // Of one that looks along Z the right is against X.
    let place = match part {
        _ if goes => [-way.x, way.z],
        Part::Left | Part::BackLeft => [-1.0, 0.0],
        Part::Right | Part::BackRight => [1.0, 0.0],
        Part::Backward => [0.0, -1.0],
        Part::Fast => [0.0, 2.0],
        _ => [0.0, 1.0],
    };
    let place = match part {
        Part::BackLeft | Part::BackRight => {
            let (speed, along) = (place[0].hypot(place[1]), place[0].signum());
            let behind = (-place[1]).atan2(place[0].abs()).max(BEHIND);
            [along * speed * behind.cos(), -speed * behind.sin()]
        }
        _ => place,
    };
    place.map(|value| (value * 1e6).round() / 1e6 + 0.0)
}
