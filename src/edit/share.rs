//! Two documents side by side: giving equal parts back to be shared, and counting what is not shared.

use crate::model::{
    BlendSpace, ChannelPath, Clip, Constraint, Curve, Document, Driver, Geometry, Image, JointMask, JointPose, Key,
    Keys, Lattice, Mesh, MorphTarget, Object, ObjectKind, Path, PathPoint, Pin, Pose, Retime, Rig, RotationCurve,
    RotationKey, ScalarCurve, Skeleton, Skin, Snapshot, key_store::Chunk,
};
use std::{collections::BTreeMap, mem::size_of, sync::Arc};

/// Gives every part of `document` that equals the one of `base` the very `Arc` of `base`. Whether all parts, and the whole
/// document with them, are then those of `base`.
pub(super) fn share_equal(base: &Document, document: &mut Document) -> bool {
    let settings = share_leaf(&base.settings, &mut document.settings);
    let objects = share_map(&base.objects, &mut document.objects, |a, b| share_within(a, b, share_object));
    let clips = share_map(&base.clips, &mut document.clips, |a, b| share_within(a, b, share_clip));
    let spaces = share_map(&base.blend_spaces, &mut document.blend_spaces, share_leaf);
    let masks = share_map(&base.masks, &mut document.masks, share_leaf);
    let poses = share_map(&base.poses, &mut document.poses, share_leaf);
    let snapshots = share_map(&base.snapshots, &mut document.snapshots, share_leaf);
    let images = share_map(&base.images, &mut document.images, share_leaf);
    let order = share_leaf(&base.node_order, &mut document.node_order);
    settings
        && objects
        && clips
        && spaces
        && masks
        && poses
        && snapshots
        && images
        && order
        && base.next_id == document.next_id
}

/// Shares a part without shared parts of its own. Whether it now is the very same.
fn share_leaf<T: PartialEq>(base: &Arc<T>, part: &mut Arc<T>) -> bool {
    if Arc::ptr_eq(base, part) {
        return true;
    }
    let equal = **base == **part;
    if equal {
        *part = base.clone();
    }
    equal
}

/// Shares what is inside a part first, then the whole where it is equal. A part that a cache holds too is copied for it:
/// its own parts are only counted, not copied.
fn share_within<T: PartialEq + Clone>(base: &Arc<T>, part: &mut Arc<T>, inside: impl FnOnce(&T, &mut T)) -> bool {
    if Arc::ptr_eq(base, part) {
        return true;
    }
    inside(base, Arc::make_mut(part));
    share_leaf(base, part)
}

/// Shares the parts of a map; the whole where it then holds the very same ones.
fn share_map<K: Ord + Clone, T>(
    base: &Arc<BTreeMap<K, Arc<T>>>,
    map: &mut Arc<BTreeMap<K, Arc<T>>>,
    share: impl Fn(&Arc<T>, &mut Arc<T>) -> bool,
) -> bool {
    if Arc::ptr_eq(base, map) {
        return true;
    }
    let same = share_parts(base, Arc::make_mut(map), share) && base.len() == map.len();
    if same {
        *map = base.clone();
    }
    same
}

/// Shares the parts of a map; whether each is the one of `base`, which may hold more.
fn share_parts<K: Ord, T>(
    base: &BTreeMap<K, Arc<T>>,
    map: &mut BTreeMap<K, Arc<T>>,
    share: impl Fn(&Arc<T>, &mut Arc<T>) -> bool,
) -> bool {
    let mut same = true;
    for (key, part) in map.iter_mut() {
        same &= base.get(key).is_some_and(|base| share(base, part));
    }
    same
}

fn share_object(base: &Object, object: &mut Object) {
    match (&base.kind, &mut object.kind) {
        (ObjectKind::Rig(base), ObjectKind::Rig(rig)) => {
            share_within(base, rig, |base: &Rig, rig: &mut Rig| {
                share_leaf(&base.skeleton, &mut rig.skeleton);
            });
        }
        (ObjectKind::Mesh(base), ObjectKind::Mesh(mesh)) => {
            share_within(base, mesh, |base: &Mesh, mesh: &mut Mesh| {
                share_leaf(&base.geometry, &mut mesh.geometry);
                for (base, morph) in base.morphs.iter().zip(&mut mesh.morphs) {
                    share_leaf(base, morph);
                }
                for (base, mask) in base.masks.iter().zip(&mut mesh.masks) {
                    share_leaf(base, mask);
                }
                if let (Some(base), Some(skin)) = (&base.skin, &mut mesh.skin) {
                    share_leaf(base, skin);
                }
            });
        }
        (ObjectKind::Path(base), ObjectKind::Path(path)) => {
            share_leaf(base, path);
        }
        (ObjectKind::Lattice(base), ObjectKind::Lattice(lattice)) => {
            share_leaf(base, lattice);
        }
        _ => {}
    }
    for driver in &mut object.drivers {
        if let Some(base) = base.drivers.iter().find(|base| base.driven == driver.driven) {
            share_within(base, driver, |base, driver| {
                share_leaf(&base.curve, &mut driver.curve);
            });
        }
    }
    for constraint in &mut object.constraints {
        if let Some(base) = base.constraint(constraint.id) {
            share_leaf(base, constraint);
        }
    }
}

fn share_clip(base: &Clip, clip: &mut Clip) {
    share_parts(&base.channels, &mut clip.channels, share_leaf);
    for correction in &mut clip.corrections {
        if let Some(base) = base.correction(correction.id) {
            share_within(base, correction, |base, correction| {
                share_parts(&base.deltas, &mut correction.deltas, share_leaf);
                share_parts(&base.solved, &mut correction.solved, share_leaf);
            });
        }
    }
    for retime in &mut clip.retimes {
        if let Some(base) = base.retime(retime.id) {
            share_leaf(base, retime);
        }
    }
    for pin in &mut clip.pins {
        if let Some(base) = base.pin(pin.id) {
            share_leaf(base, pin);
        }
    }
}

/// The bytes that a document holds and `before` does not, about: parts are counted where they are not the very same.
pub(super) fn bytes_beyond(before: &Document, document: &Document) -> usize {
    let mut bytes = size_of::<Document>();
    if !Arc::ptr_eq(&before.settings, &document.settings) {
        bytes += size_of_val(&*document.settings);
    }
    if !Arc::ptr_eq(&before.objects, &document.objects) {
        bytes += map_bytes(&before.objects, &document.objects, object_bytes);
    }
    if !Arc::ptr_eq(&before.clips, &document.clips) {
        bytes += map_bytes(&before.clips, &document.clips, clip_bytes);
    }
    if !Arc::ptr_eq(&before.blend_spaces, &document.blend_spaces) {
        bytes += map_bytes(&before.blend_spaces, &document.blend_spaces, |_, space: &BlendSpace| {
            size_of::<BlendSpace>() + size_of_val(space.samples.as_slice()) + size_of_val(space.diagonals.as_slice())
        });
    }
    if !Arc::ptr_eq(&before.masks, &document.masks) {
        bytes += map_bytes(&before.masks, &document.masks, |_, mask: &JointMask| {
            let joints = mask.joints.keys().map(|name| name.len() + size_of::<(String, f64)>());
            size_of::<JointMask>() + joints.sum::<usize>()
        });
    }
    if !Arc::ptr_eq(&before.images, &document.images) {
        let image = |_: Option<&Image>, image: &Image| size_of::<Image>() + image.bytes.len();
        bytes += map_bytes(&before.images, &document.images, image);
    }
    if !Arc::ptr_eq(&before.snapshots, &document.snapshots) {
        // Their curves are shared with the clips' as they were.
        bytes += map_bytes(&before.snapshots, &document.snapshots, |_, snapshot: &Snapshot| {
            size_of::<Snapshot>() + snapshot.channels.len() * (size_of::<ChannelPath>() + size_of::<Arc<Curve>>())
        });
    }
    if !Arc::ptr_eq(&before.poses, &document.poses) {
        bytes += map_bytes(&before.poses, &document.poses, |_, pose: &Pose| {
            let joints = pose.joints.keys().map(|name| name.len() + size_of::<JointPose>() + size_of::<String>());
            size_of::<Pose>() + joints.sum::<usize>()
        });
    }
    bytes
}

fn map_bytes<K: Ord, T>(
    before: &BTreeMap<K, Arc<T>>,
    map: &BTreeMap<K, Arc<T>>,
    bytes: impl Fn(Option<&T>, &T) -> usize,
) -> usize {
    let parts = map.iter().map(|(key, part)| match before.get(key) {
        Some(before) if Arc::ptr_eq(before, part) => 0,
        before => bytes(before.map(|before| &**before), part),
    });
    map.len() * (size_of::<K>() + size_of::<Arc<T>>()) + parts.sum::<usize>()
}

fn object_bytes(before: Option<&Object>, object: &Object) -> usize {
    let rig =
        object.as_rig().filter(|rig| !before.and_then(Object::as_rig).is_some_and(|before| Arc::ptr_eq(before, rig)));
    let rig_bytes = rig.map_or(0, |rig| {
        let before = before.and_then(Object::as_rig);
        let shared = before.is_some_and(|before| Arc::ptr_eq(&before.skeleton, &rig.skeleton));
        let skeleton = if shared { 0 } else { skeleton_bytes(&rig.skeleton) };
        size_of::<Rig>()
            + rig.hints.len() * 96
            + set_bytes(rig)
            + rig.limits.len() * 160
            + rig.limbs.len() * 48
            + skeleton
    });
    let path = object
        .as_path()
        .filter(|path| !before.and_then(Object::as_path).is_some_and(|before| Arc::ptr_eq(before, path)));
    let path_bytes = path.map_or(0, |path| size_of::<Path>() + path.points.len() * size_of::<PathPoint>());
    let constraint_bytes = object.constraints.len() * (size_of::<Constraint>() + size_of::<Arc<Constraint>>());
    let driver_bytes = |driver: &Arc<Driver>| {
        let known = before.and_then(|before| before.drivers.iter().find(|other| other.driven == driver.driven));
        let curve = known.map(|known| &known.curve);
        let shared = curve.is_some_and(|curve| Arc::ptr_eq(curve, &driver.curve));
        size_of::<Driver>() + if shared { 0 } else { curve_bytes(curve.map(|curve| &**curve), &driver.curve) }
    };
    let constraint_bytes = constraint_bytes + object.drivers.iter().map(driver_bytes).sum::<usize>();
    let mesh = object.as_mesh().map_or(0, |mesh| mesh_bytes(before.and_then(Object::as_mesh), mesh));
    let lattice = object
        .as_lattice()
        .filter(|lattice| !before.and_then(Object::as_lattice).is_some_and(|before| Arc::ptr_eq(before, lattice)));
    let own = |lattice: &Arc<Lattice>| {
        let poses = lattice.poses.iter().map(|pose| pose.name.len() + 64 + pose.offsets.len() * 32);
        size_of::<Lattice>() + lattice.offsets.len() * 32 + poses.sum::<usize>()
    };
    let lattice_bytes = lattice.map_or(0, own);
    size_of::<Object>() + object.name.len() + mesh + lattice_bytes + rig_bytes + path_bytes + constraint_bytes
}

/// The bytes of a mesh beyond those parts that it shares with another.
fn mesh_bytes(before: Option<&Arc<Mesh>>, mesh: &Arc<Mesh>) -> usize {
    if before.is_some_and(|before| Arc::ptr_eq(before, mesh)) {
        return 0;
    }
    let geometry = |geometry: &Geometry| {
        let each = geometry.normals.len() * 12 + geometry.uvs.len() * 8 + geometry.colors.len() * 16;
        geometry.positions.len() * 12 + each + geometry.indices.len() * 4
    };
    let morph = |morph: &MorphTarget| 64 + (morph.positions.len() + morph.normals.len()) * 12;
    let skin = |skin: &Skin| skin.joints.len() * 112 + skin.weights.len() * 6;
    let mut bytes = size_of::<Mesh>() + mesh.parts.len() * 16 + mesh.materials.len() * 128;
    bytes += mesh.stack.len() * 48;
    if !before.is_some_and(|before| Arc::ptr_eq(&before.geometry, &mesh.geometry)) {
        bytes += geometry(&mesh.geometry);
    }
    for own in &mesh.morphs {
        let shared = before.and_then(|before| before.morph(own.id));
        if !shared.is_some_and(|shared| Arc::ptr_eq(&shared.positions, &own.positions)) {
            bytes += morph(own);
        }
    }
    if let Some(own) = &mesh.skin
        && !before.and_then(|before| before.skin.as_ref()).is_some_and(|shared| Arc::ptr_eq(shared, own))
    {
        bytes += skin(own);
    }
    bytes
}

fn set_bytes(rig: &Rig) -> usize {
    rig.sets.iter().map(|(name, joints)| 64 + name.len() + joints.len() * 8).sum()
}

fn skeleton_bytes(skeleton: &Skeleton) -> usize {
    let joint = |joint: &crate::model::Joint| size_of_val(joint) + joint.name.len() + joint.file_channels.len() * 2;
    skeleton.joints().iter().map(joint).sum::<usize>() + skeleton.len() * 32
}

fn clip_bytes(before: Option<&Clip>, clip: &Clip) -> usize {
    let empty = BTreeMap::new();
    let unkeyed: usize = clip.unkeyed.iter().map(|frame| 24 + frame.values.len() * 64).sum();
    let corrections: usize = clip
        .corrections
        .iter()
        .map(|correction| {
            let before = before.and_then(|clip| clip.correction(correction.id));
            match before {
                Some(before) if Arc::ptr_eq(before, correction) => size_of_val(correction),
                _ => {
                    let deltas = before.map_or(&empty, |before| &before.deltas);
                    let solved = before.map_or(&empty, |before| &before.solved);
                    size_of_val(&**correction)
                        + map_bytes(deltas, &correction.deltas, curve_bytes)
                        + map_bytes(solved, &correction.solved, curve_bytes)
                }
            }
        })
        .sum();
    let channels = map_bytes(before.map_or(&empty, |clip| &clip.channels), &clip.channels, curve_bytes);
    let is_shared = |pin: &&Arc<Pin>| before.and_then(|clip| clip.pin(pin.id)).is_some_and(|b| Arc::ptr_eq(b, pin));
    let pins = clip.pins.iter().map(|pin| if is_shared(&pin) { 8 } else { size_of::<Pin>() + pin.name.len() });
    let is_known = |retime: &&Arc<Retime>| {
        before.and_then(|clip| clip.retime(retime.id)).is_some_and(|before| Arc::ptr_eq(before, retime))
    };
    // Each key is held with its cubic.
    let own = |retime: &Arc<Retime>| size_of::<Retime>() + retime.name.len() + retime.phi.keys().len() * 56;
    let retimes = clip.retimes.iter().map(|retime| if is_known(&retime) { 8 } else { own(retime) });
    let listed = pins.sum::<usize>() + retimes.sum::<usize>();
    size_of::<Clip>() + clip.name.len() + unkeyed + corrections + channels + listed
}

fn curve_bytes(before: Option<&Curve>, curve: &Curve) -> usize {
    let inside = match curve {
        Curve::Scalar(ScalarCurve::Keyed(curve)) => {
            keys_bytes::<Key>(before.and_then(Curve::scalar_keys).map(|c| &c.keys), &curve.keys)
        }
        Curve::Rotation(RotationCurve::Keyed(curve)) => {
            let before = match before {
                Some(Curve::Rotation(RotationCurve::Keyed(before))) => Some(&before.keys),
                _ => None,
            };
            keys_bytes::<RotationKey>(before, &curve.keys)
        }
        Curve::Scalar(ScalarCurve::Sampled(samples)) => {
            let shared = match before {
                Some(Curve::Scalar(ScalarCurve::Sampled(before))) => Arc::ptr_eq(&before.values, &samples.values),
                _ => false,
            };
            if shared { 0 } else { size_of_val(&*samples.values) }
        }
        Curve::Rotation(RotationCurve::Sampled(samples)) => {
            let shared = match before {
                Some(Curve::Rotation(RotationCurve::Sampled(before))) => Arc::ptr_eq(&before.values, &samples.values),
                _ => false,
            };
            if shared { 0 } else { size_of_val(&*samples.values) }
        }
    };
    size_of::<Curve>() + inside
}

/// Chunks are shared from both ends: an edit changes a run of them in the middle.
fn keys_bytes<K: crate::model::keys::Timed>(before: Option<&Keys<K>>, keys: &Keys<K>) -> usize {
    let chunks = keys.chunks();
    let own = match before.map(Keys::chunks) {
        Some(old) => {
            let same = |(a, b): &(&Arc<Chunk<K>>, &Arc<Chunk<K>>)| Arc::ptr_eq(a, b);
            let front = chunks.iter().zip(old).take_while(same).count();
            let left = chunks.len().min(old.len()) - front;
            let back = chunks.iter().rev().zip(old.iter().rev()).take(left).take_while(same).count();
            front..chunks.len() - back
        }
        None => 0..chunks.len(),
    };
    let owned = chunks.iter().skip(own.start).take(own.len());
    owned.map(|chunk| chunk.bytes()).sum::<usize>() + chunks.len() * 2 * size_of::<usize>()
}
