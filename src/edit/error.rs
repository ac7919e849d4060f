//! Why an edit cannot be done.

use crate::{
    eval::blend::layers::NotWritten,
    model::{
        BlendSpaceId, ChannelPath, ClipId, ConstraintId, CorrectionId, DeformerId, JointId, JointMaskId, LayerId,
        MarkerId, MaskId, MorphId, ObjectId, PhiError, PinId, PointId, PoseId, RetimeId, SkeletonError, SnapshotId,
    },
};

/// Why an edit cannot be done. The document stays as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// There is no such object.
    #[error("object {0} does not exist")]
    NoObject(ObjectId),
    /// The object has no joints.
    #[error("object {0} is not a rig")]
    NotARig(ObjectId),
    /// There is no such joint.
    #[error("joint {0}/{1} does not exist")]
    NoJoint(ObjectId, JointId),
    /// There is no such clip.
    #[error("{0} does not exist")]
    NoClip(ClipId),
    /// There is no such correction.
    #[error("{0} has no correction {1}")]
    NoCorrection(ClipId, CorrectionId),
    /// There is no such pin.
    #[error("{0} has no pin {1}")]
    NoPin(ClipId, PinId),
    /// There is no such marker.
    #[error("the clip has no marker {0}")]
    NoMarker(MarkerId),
    /// The path has no such point.
    #[error("object {0} has no point {1}")]
    NoPoint(ObjectId, PointId),
    /// The object has no such morph target.
    #[error("object {0} has no morph target {1}")]
    NoMorph(ObjectId, MorphId),
    /// The object has no triangles.
    #[error("object {0} is not a mesh")]
    NotAMesh(ObjectId),
    /// A mesh whose parts do not fit each other.
    #[error("the mesh of object {0} cannot be so: its parts would not fit each other, or are not of finite numbers")]
    BadMesh(ObjectId),
    /// The object is no lattice.
    #[error("object {0} is not a lattice")]
    NotALattice(ObjectId),
    /// The object deforms nothing, or has no such number.
    #[error("object {0} is not a lattice or deformer of this kind")]
    NotADeformer(ObjectId),
    /// The mesh's stack has no such entry.
    #[error("the deformer stack of object {0} has no entry {1}")]
    NoStackEntry(ObjectId, DeformerId),
    /// The shape of one mesh for another of other vertices.
    #[error(
        "object {object} has {has} vertices and the other mesh {other}; take one of the same vertices in the same order"
    )]
    OtherVertices {
        /// The mesh object.
        object: ObjectId,
        /// How many it has.
        has: usize,
        /// How many the other has.
        other: usize,
    },
    /// There is nothing to make a mixture or a corrective of.
    #[error("too few shapes of object {0} act now; give them weights first (two for a corrective)")]
    NothingActs(ObjectId),
    /// No bone leads to a joint.
    #[error("no bone leads to joint {0}/{1}; a flexor swells the bone before the joint")]
    NoBoneBefore(ObjectId, JointId),
    /// No mesh follows a joint.
    #[error("no mesh follows joint {0}/{1}; bind one to the skeleton first")]
    NothingFollows(ObjectId, JointId),
    /// A joint is where it is at rest.
    #[error("joint {0}/{1} is not bent; bend it as far as the muscle is to swell most, then make the flexor")]
    NotBent(ObjectId, JointId),
    /// The mesh has no such painted mask.
    #[error("object {0} has no painted mask {1}")]
    NoMask(ObjectId, MaskId),
    /// The object has no such layer.
    #[error("object {0} has no layer {1}")]
    NoLayer(ObjectId, LayerId),
    /// There is no such blend space.
    #[error("{0} does not exist")]
    NoSpace(BlendSpaceId),
    /// There is no such mask.
    #[error("{0} does not exist")]
    NoJointMask(JointMaskId),
    /// The blend space has no such sample.
    #[error("{0} has no sample {1}")]
    NoSample(BlendSpaceId, usize),
    /// A space would play itself.
    #[error("the space would play itself through its samples: choose another clip or space")]
    SpaceInItself(BlendSpaceId),
    /// Two samples would be on one spot.
    #[error("another sample of the space is on this spot already: choose another")]
    SameSpot(BlendSpaceId),
    /// Numbers that no space, layer or mask can have.
    #[error("{0} cannot be so: {1}")]
    BadBlend(String, &'static str),
    /// A pose that no layer can be written for.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
    /// The object plays layers, in which nothing waits.
    #[error("object {0} plays layers, in which no pose waits to be keyed: turn auto-key on")]
    WaitsInLayers(ObjectId),
    /// The clip has one frame, or none where more are needed.
    #[error("{0} has fewer than two frames: there is no motion to work on")]
    NoLength(ClipId),
    /// More frames than can be held at once.
    #[error("{0} frames are more than can be worked on at once, {1}: take fewer")]
    TooManyFrames(u64, u64),
    /// The clip does not move the rig.
    #[error("{0} does not move object {1}: bring it to the character first (Retarget)")]
    MovesOther(ClipId, ObjectId),
    /// The object plays no layers.
    #[error("object {0} plays no layers")]
    NoLayers(ObjectId),
    /// Nothing that moves there is stopped by anything below.
    #[error("object {0} lands nowhere in the play range: let it fall and be stopped, in keys or by the Bounce ease")]
    LandsNowhere(ObjectId),
    /// Nothing an object plays comes round.
    #[error("nothing that object {0} plays comes round: play a blend space of clips that last longer than a frame")]
    NoCycle(ObjectId),
    /// The object does not shine.
    #[error("object {0} is not a light")]
    NotALight(ObjectId),
    /// The object has no such constraint.
    #[error("object {0} has no constraint {1}")]
    NoConstraint(ObjectId, ConstraintId),
    /// The object has no points.
    #[error("object {0} is not a path")]
    NotAPath(ObjectId),
    /// The object is no camera.
    #[error("object {0} is not a camera")]
    NotACamera(ObjectId),
    /// There is no such retime.
    #[error("{0} has no retime {1}")]
    NoRetime(ClipId, RetimeId),
    /// The object plays no clip whose timing could be changed.
    #[error("object {0} plays no clip: there is no motion to retime")]
    NothingToRetime(ObjectId),
    /// A curve that cannot take a retime into its keys.
    #[error("{0} has modifiers or repeats beyond its keys: bake it first, then apply the retime")]
    NotToBeRetimed(ChannelPath),
    /// Keys that are no change of timing.
    #[error("{0}")]
    Phi(PhiError),
    /// Pins would wait for each other: each is held in what another moves.
    #[error("these would wait for each other: {0}; choose another space")]
    PinCycle(String),
    /// No bones lead from one joint to the other, or they are one.
    #[error("no bones lead from joint {0} to joint {1}; choose two joints of one figure")]
    NoPathOfBones(JointId, JointId),
    /// A constraint says where a joint is.
    #[error("a constraint holds joint {1} of object {0} in its place; switch it off, or move what it looks at")]
    HeldByConstraint(ObjectId, JointId),
    /// The constraint is no IK chain with a pole.
    #[error("constraint {1} of object {0} has no pole")]
    NoPole(ObjectId, ConstraintId),
    /// A constraint with senseless numbers.
    #[error("the constraint cannot be so: {0}")]
    BadConstraint(&'static str),
    /// A follower would wait for itself.
    #[error("these would wait for each other: {0}; choose another")]
    FollowCycle(String),
    /// The channel has no driver.
    #[error("nothing drives {0}")]
    NoDriver(ChannelPath),
    /// Drivers would wait for each other.
    #[error("these would drive each other in a circle: {0}; choose another channel to drive by")]
    DriverCycle(String),
    /// A channel that cannot be driven or drive.
    #[error(
        "{0} cannot be part of a driver: choose one number that is no pin's, nor a follower's speed or acceleration; of a rotation choose one of its angles"
    )]
    NotDriven(ChannelPath),
    /// A channel that another drives was to be changed by hand.
    #[error("{0} is driven by {1}: change that, or set a point of the driver or mute it in the inspector")]
    Driven(String, String),
    /// Someone asked to stop.
    #[error("stopped")]
    Stopped,
    /// A constraint says what a property is.
    #[error("the constraint '{1}' says what {0} is: switch it off, or change what it looks at")]
    Constrained(String, String),
    /// A channel that is locked was to be changed.
    #[error("{0} is locked: unlock it in the inspector")]
    Locked(String),
    /// A channel has another source already.
    #[error("{0} is driven by {1} already: delete that driver first")]
    DrivenAlready(String, String),
    /// There is no such reference image.
    #[error("there is no reference image {0}")]
    NoReference(usize),
    /// A reference image with senseless numbers.
    #[error("the reference image '{0}' cannot be so: {1}")]
    BadReference(String, &'static str),
    /// The library has no such pose.
    #[error("{0} does not exist")]
    NoPose(PoseId),
    /// There is no such snapshot.
    #[error("{0} does not exist")]
    NoSnapshot(SnapshotId),
    /// The rig has no such set.
    #[error("object {0} has no set '{1}'")]
    NoSet(ObjectId, String),
    /// Limits that are no ranges.
    #[error(
        "the limits of joint {0}/{1} must be ranges within half a turn, least before greatest, those of a cone around 0"
    )]
    BadLimit(ObjectId, JointId),
    /// A limb that is no line of joints.
    #[error("the limb at joint {0}/{1} must lead from its first joint down to its last, the middle one between them")]
    BadLimb(ObjectId, JointId),
    /// A joint would hang on one that hangs on it.
    #[error("joint {0}/{1} cannot hang on joint {2}, which is that joint or hangs on it; choose another parent")]
    OwnChild(ObjectId, JointId, JointId),
    /// A root has no bone that leads to it.
    #[error("no bone leads to joint {0}/{1}: it hangs on nothing")]
    NoBone(ObjectId, JointId),
    /// A place cannot be kept under something without size.
    #[error("joint {0}/{1} cannot be kept in its place: what it would hang on has no size at rest")]
    NoRestSpace(ObjectId, JointId),
    /// Joints that are no skeleton.
    #[error("the joints of object {0} would be no skeleton: {1}")]
    Skeleton(ObjectId, SkeletonError),
    /// A name that is empty or taken.
    #[error("'{0}' cannot be the name: it is empty or taken")]
    BadName(String),
    /// The clip has no curve there.
    #[error("{0} has no curve for {1}")]
    NoCurve(ClipId, ChannelPath),
    /// The curve has no key there.
    #[error("{path} has no key at {secs} s")]
    NoKey {
        /// The channel.
        path: ChannelPath,
        /// The time, seconds.
        secs: f64,
    },
    /// The curve holds dense samples: it must be converted to keys first.
    #[error("{0} is captured motion: convert it to keys first")]
    Sampled(ChannelPath),
    /// The curve is switched off: what is set on it would not show.
    #[error("the curve of {0} is muted: unmute it in the graph's channel list first")]
    Muted(ChannelPath),
    /// The kind of value or edit does not fit the channel.
    #[error("{0} does not take this kind of value")]
    WrongKind(ChannelPath),
    /// A number that is not finite or outside its range.
    #[error("{what} cannot be {value}")]
    BadNumber {
        /// What it was meant for.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Modifiers whose numbers are outside their ranges, or too many of them.
    #[error("the modifiers of {0} are too many, or a number of theirs is outside its range")]
    BadModifier(ChannelPath),
    /// Several keys of one curve cannot have one time.
    #[error("{count} keys of {path} cannot all be at one time")]
    OneTime {
        /// The channel.
        path: ChannelPath,
        /// How many keys.
        count: usize,
    },
    /// An id is used already.
    #[error("id {0} is in use")]
    IdInUse(u32),
    /// Something else hangs on what would be deleted.
    #[error("object {0} cannot hang on itself")]
    Cycle(ObjectId),
    /// A change without a gesture to belong to.
    #[error("no change has begun")]
    NoGesture,
    /// The joint is a bone's tip.
    #[error("joint {0}/{1} is a bone's tip and has no channels")]
    BoneTip(ObjectId, JointId),
}

/// A number, if it is finite.
pub(super) fn finite(what: &'static str, value: f64) -> Result<f64, EditError> {
    if value.is_finite() { Ok(value) } else { Err(EditError::BadNumber { what, value }) }
}
