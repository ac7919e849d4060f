//! Joints that leave their parent's scale out, which glTF has no word for: what is written in place of
//! `T * S_parent^-1 * R * S`.
//!
//! A parent's scale that is the same along all axes goes into the child's own, exactly. Any other shears the child: the
//! nearest translation, rotation and scale are written, and how far they are from it is measured with the channels.

use crate::{
    io::{
        played::{NodeMotion, OwnMotion, Played, target_of},
        report::{Place, Report},
    },
    math::{Mat3, Transform, Vec3, rotation::nearest_rotation},
    model::{Document, Parent, Property, Target},
};

/// Scales along three axes that differ by less than this part are the same.
const SAME: f64 = 1e-12;

/// What leaving a parent's scale out takes, over a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LeftOut {
    /// Nothing: the node takes its parent's scale, or that is 1 throughout.
    Nothing,
    /// The node's scale divided by a number that stays.
    Number(f64),
    /// The node's scale divided by a number that moves.
    Moving,
    /// A rotation and a scale of its own, as near as they come.
    Sheared {
        /// Whether the parent's scale moves.
        moves: bool,
    },
}

/// The joint whose scale a node leaves out.
fn parent_left_out(document: &Document, node: Parent) -> Option<Parent> {
    let Parent::Joint(object, joint) = node else { return None };
    let joint = document.object(object)?.as_rig()?.skeleton.joint(joint)?;
    joint.parent.filter(|_| joint.own_scale).map(|parent| Parent::Joint(object, parent))
}

/// What moves the scale that a node leaves out; none where it leaves none out.
pub(super) fn target_left_out(document: &Document, node: Parent) -> Option<Target> {
    parent_left_out(document, node).map(target_of)
}

fn is_number(scale: &Vec3) -> bool {
    (scale.max() - scale.min()).abs() <= SAME * scale.amax()
}

impl LeftOut {
    /// For a node over a clip, looked at at these times.
    pub(super) fn of(source: &Played, node: Parent, times: impl FnOnce(Target) -> Vec<f64>) -> Self {
        let Some(parent) = parent_left_out(&source.document, node) else { return Self::Nothing };
        let target = target_of(parent);
        let is_scale = |path: &crate::model::ChannelPath| path.target == target && path.property == Property::Scale;
        let moves = source.scale_needs_frame(parent)
            || source.clip.curves_of(target, Property::Scale).next().is_some()
            || source.clip.corrections.iter().any(|c| !c.muted && c.deltas.keys().any(is_scale));
        let scale_at = |secs: f64| source.local(parent, secs).scale;
        if !moves {
            let scale = scale_at(0.0);
            return match is_number(&scale) {
                true if (scale.x - 1.0).abs() <= SAME || scale.x == 0.0 => Self::Nothing,
                true => Self::Number(scale.x),
                false => Self::Sheared { moves },
            };
        }
        if times(target).into_iter().all(|secs| is_number(&scale_at(secs))) {
            Self::Moving
        } else {
            Self::Sheared { moves }
        }
    }
}

/// The translation, rotation and scale that stand for a local transform without its parent's scale.
fn standing_for(local: &Transform, parent_scale: &Vec3) -> Transform {
    let inverse = parent_scale.map(|factor| if factor == 0.0 { 1.0 } else { 1.0 / factor });
    if is_number(&inverse) {
        return Transform { scale: local.scale * inverse.x, ..*local };
    }
    let wanted = Mat3::from_diagonal(&inverse) * local.to_affine().linear;
    // The nearest rotation of a mirrored map is none of its own: the mirroring stays in the scale.
    let signs = Mat3::from_diagonal(&local.scale.map(|factor| if factor < 0.0 { -1.0 } else { 1.0 }));
    let rotation = nearest_rotation(&(wanted * signs));
    let along = rotation.to_rotation_matrix().matrix().transpose() * wanted;
    Transform { translation: local.translation, rotation, scale: along.diagonal() }
}

/// The motion of a node, and that of the parent whose scale it leaves out: found once, asked at many times.
#[derive(Clone, Copy)]
pub(super) struct Wanted<M> {
    own: M,
    parent: Option<M>,
}

/// [`Wanted`] of nodes in a clip, whatever moves them.
pub(super) type WantedMotion<'a> = Wanted<NodeMotion<'a>>;

impl<'a> WantedMotion<'a> {
    /// Of a node in a clip.
    pub(super) fn new(source: &'a Played, node: Parent) -> Self {
        let parent = parent_left_out(&source.document, node);
        Self { own: source.motion(node), parent: parent.map(|parent| source.motion(parent)) }
    }

    /// The same where no whole frame is needed to tell it: it may be asked on any thread.
    pub(super) fn alone(&self) -> Option<Wanted<OwnMotion<'a>>> {
        let own = |motion: NodeMotion<'a>| match motion {
            NodeMotion::Own(own) => Some(own),
            NodeMotion::Framed { .. } => None,
        };
        let parent = match self.parent {
            Some(parent) => Some(own(parent)?),
            None => None,
        };
        Some(Wanted { own: own(self.own)?, parent })
    }
}

/// A motion that tells a local transform.
pub(super) trait Local {
    fn at(&self, secs: f64) -> Transform;
}

impl Local for NodeMotion<'_> {
    fn at(&self, secs: f64) -> Transform {
        self.local(secs)
    }
}

impl Local for OwnMotion<'_> {
    fn at(&self, secs: f64) -> Transform {
        self.local(secs)
    }
}

impl<M: Local> Wanted<M> {
    /// The transform as glTF composes it.
    pub(super) fn written(&self, secs: f64) -> Transform {
        self.moment(secs).written()
    }

    /// All that is wanted at a time.
    pub(super) fn moment(&self, secs: f64) -> Moment {
        Moment { local: self.own.at(secs), parent_scale: self.parent.as_ref().map(|parent| parent.at(secs).scale) }
    }
}

/// What is wanted of a node at a time.
pub(super) struct Moment {
    local: Transform,
    parent_scale: Option<Vec3>,
}

impl Moment {
    /// The transform as glTF composes it.
    pub(super) fn written(&self) -> Transform {
        match &self.parent_scale {
            Some(scale) => standing_for(&self.local, scale),
            None => self.local,
        }
    }

    /// How far a scale as read from a written file is from the one wanted, the shear that could not be written included.
    pub(super) fn scale_error(&self, read: &Transform) -> f64 {
        match &self.parent_scale {
            Some(scale) => error_of(&self.local, read, scale),
            None => (self.local.scale - read.scale).norm(),
        }
    }
}

/// A joint's rest transform as glTF composes it.
pub(super) fn rest(document: &Document, node: Parent, report: &mut Report) -> Option<Transform> {
    let rest_of = |node: Parent| {
        let Parent::Joint(object, joint) = node else { return None };
        Some(document.object(object)?.as_rig()?.skeleton.joint(joint)?.rest)
    };
    let (own, Some(parent)) = (rest_of(node)?, parent_left_out(document, node).and_then(rest_of)) else {
        return rest_of(node);
    };
    let stands = standing_for(&own, &parent.scale);
    let off = error_of(&own, &stands, &parent.scale);
    let name = || Place::Part(crate::io::channel_error::node_name(document, node));
    if off > 1e-6 {
        let done = format!("written as near as rotation and scale come: within {off:.6} of a scale");
        report.warn("sheared", name(), "without its parent's uneven scale the joint is sheared at rest", done);
    } else {
        let found = "the joint leaves its parent's scale out, which glTF cannot say";
        report.info("own-scale", name(), found, "written with that scale divided out of its own");
    }
    Some(stands)
}

/// How far what stands for a local transform is from it, in its parent's turned axes: as a scale.
fn error_of(local: &Transform, stands: &Transform, parent_scale: &Vec3) -> f64 {
    (Mat3::from_diagonal(parent_scale) * stands.to_affine().linear - local.to_affine().linear).norm()
}
