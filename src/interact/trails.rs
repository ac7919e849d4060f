//! Trails in the 3D view: of which joints, over which frames, and how they are drawn.

use super::view_state::ViewState;
use crate::{
    eval::{
        Evaluator,
        trail::{Trail, TrailSpace, TrailSpec},
    },
    model::{Document, FrameRange, JointId, ObjectId},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, sync::Arc};

/// How trails are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrailOptions {
    /// The space.
    pub space: TrailSpace,
    /// How many frames to each side of the present, [`TrailOptions::AROUND`]; none for the whole clip.
    pub around: Option<u16>,
    /// Whether the line's colour is the speed.
    pub by_speed: bool,
    /// A comb of the curvature.
    pub curvature: bool,
    /// A comb of the speed.
    pub speed: bool,
    /// A comb of the acceleration.
    pub acceleration: bool,
    /// How long the combs' teeth are, percent, [`TrailOptions::SCALE`].
    pub comb_scale: u16,
    /// The clean arc nearest to the trail, and how far it is off.
    pub arc: bool,
}

impl Default for TrailOptions {
    fn default() -> Self {
        Self {
            space: TrailSpace::World,
            around: None,
            by_speed: false,
            curvature: false,
            speed: false,
            acceleration: false,
            comb_scale: 100,
            arc: false,
        }
    }
}

impl TrailOptions {
    /// The fewest and the most frames to a side.
    pub const AROUND: (u16, u16) = (1, 2000);
    /// The least and the greatest scale of combs, percent.
    pub const SCALE: (u16, u16) = (5, 2000);

    /// With every number in range.
    #[must_use]
    pub fn sane(self) -> Self {
        let around = self.around.map(|frames| frames.clamp(Self::AROUND.0, Self::AROUND.1));
        Self { around, comb_scale: self.comb_scale.clamp(Self::SCALE.0, Self::SCALE.1), ..self }
    }

    /// Whether anything is drawn that needs speeds.
    #[must_use]
    pub const fn needs_motion(&self) -> bool {
        self.by_speed || self.curvature || self.speed || self.acceleration
    }
}

/// The trail of a joint as it is asked for; none where there is no such joint.
#[must_use]
pub fn spec(view: &ViewState, document: &Document, (object, joint): (ObjectId, JointId)) -> Option<TrailSpec> {
    document.object(object)?.as_rig()?.skeleton.index_of(joint)?;
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let whole = clip.map_or(document.settings.play_range, |clip| clip.range);
    let range = match view.trails.around {
        None => whole,
        Some(around) => {
            let now = view.frame(document.settings.rate);
            let (first, last) = (now.saturating_sub(i64::from(around)), now.saturating_add(i64::from(around)));
            FrameRange::new(whole.clamp(first), whole.clamp(last))
        }
    };
    Some(TrailSpec { object, joint, space: view.trails.space, first: range.first, last: range.last })
}

/// The trails that are shown, in the order of objects and joints.
#[must_use]
pub fn shown(view: &ViewState, document: &Document, evaluator: &Evaluator) -> Vec<Arc<Trail>> {
    let is_seen =
        |object: ObjectId| document.object(object).is_some_and(|found| !found.hidden) && !view.is_isolated_away(object);
    let trailed = view.trailed.iter().filter(|(object, _)| is_seen(*object));
    trailed.filter_map(|of| evaluator.trail(document, spec(view, document, *of)?)).collect()
}

/// The joints whose trails are shown with those of some more; without them where all of them are shown already.
#[must_use]
pub fn toggled(
    trailed: &BTreeSet<(ObjectId, JointId)>,
    joints: &[(ObjectId, JointId)],
) -> BTreeSet<(ObjectId, JointId)> {
    let mut trailed = trailed.clone();
    if joints.iter().all(|joint| trailed.contains(joint)) {
        trailed.retain(|joint| !joints.contains(joint));
    } else {
        trailed.extend(joints);
    }
    trailed
}
