//! Typed identifiers. Within a document an object, clip, pose or snapshot id is never used twice; within a rig a joint id is never used
//! twice; within a clip a correction, pin or retime id is never used twice, nor within a path a point id, within an object a constraint id or within a mesh a deformer id.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// An object of a document.
    ObjectId,
    ""
);
id!(
    /// A clip of a document.
    ClipId,
    "clip"
);
id!(
    /// A pose of the library.
    PoseId,
    "pose"
);
id!(
    /// A snapshot of curves.
    SnapshotId,
    "snapshot"
);
id!(
    /// A joint of one rig.
    JointId,
    "j"
);
id!(
    /// A correction of one clip.
    CorrectionId,
    "c"
);
id!(
    /// A pin of one clip.
    PinId,
    "p"
);
id!(
    /// A morph target of one mesh.
    MorphId,
    "m"
);
id!(
    /// An image of a document.
    ImageId,
    "image"
);
id!(
    /// A point of one path.
    PointId,
    "v"
);
id!(
    /// A constraint of one object.
    ConstraintId,
    "k"
);
id!(
    /// An entry of one mesh's deformer stack.
    DeformerId,
    "d"
);
id!(
    /// A painted mask of one mesh.
    MaskId,
    "mask"
);
id!(
    /// A retime of one clip.
    RetimeId,
    "rt"
);
id!(
    /// A blend space of a document.
    BlendSpaceId,
    "space"
);
id!(
    /// A mask of a document.
    JointMaskId,
    "jointmask"
);
id!(
    /// A layer of one object.
    LayerId,
    "l"
);
id!(
    /// A marker of one clip.
    MarkerId,
    "mark"
);
