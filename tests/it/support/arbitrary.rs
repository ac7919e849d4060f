//! Seeded documents and edits: whatever can be built by hand, and whatever can be done to it.

pub(crate) use super::seeded::Seeded;
use inbetween::{
    edit::{
        AutoKey, ClipEdit, CorrectionEdit, CurveEdit, CurveRef, DriverEdit, Edit, Ground, HandleEdit, HandleKind,
        HandleSide, ImportEdit, KeyEdit, KeySelection, ObjectEdit, PinEdit, PoseEdit, PoseTarget, RetimeEdit, RigEdit,
        Selection, SettingsEdit, SkeletonEdit, UnkeyedEdit, UpAxis, orientation_numbers, pose,
        rigs::stand_up,
        set_key,
        skeleton::{Animation, Carry, Children, Counterparts, JointRest},
    },
    eval::sample::rig_pose,
    math::{EulerOrder, Transform},
    model::{
        ChainHint, ChannelPath, Clip, ClipId, Component, Curve, Document, Driver, Extrapolation, FrameRange, FrameRate,
        Handle, Interpolation, Joint, JointId, JointKind, Key, KeyedCurve, KeyedRotation, LengthUnit, LoopMode, Object,
        ObjectId, Parent, Phi, Pin, PinId, PinSpace, Pose, PoseId, Property, Retime, RetimeId, RetimeScope, Rig,
        RotationCurve, RotationInterpolation, RotationKey, RotationMode, Samples, ScalarCurve, Scheme, Skeleton,
        SolverKind, Target,
    },
};
use std::{collections::BTreeSet, sync::Arc};

fn rig(random: &mut Seeded) -> Rig {
    let count = 3 + random.below(7) as u32;
    let joints = (0..count).map(|i| {
        let parent = (i > 0).then(|| JointId(random.below(i as usize) as u32));
        let mut joint = Joint::new(JointId(i), &format!("joint {i}"), parent, random.vector(0.5));
        joint.rotation = match random.below(3) {
            0 => RotationMode::Quaternion,
            _ => RotationMode::Euler(EulerOrder::ALL[random.below(6)]),
        };
        if random.coin() {
            joint.rest.rotation = random.rotation();
        }
        joint
    });
    let mut joints: Vec<Joint> = joints.collect();
    let parent = Some(JointId(random.below(count as usize) as u32));
    let tip = Joint { kind: JointKind::End, ..Joint::new(JointId(count), "tip", parent, random.vector(0.2)) };
    joints.push(tip);
    Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), unit: LengthUnit::Centimetre, ..Rig::default() }
}

fn handle(random: &mut Seeded, side: f64) -> Handle {
    match random.below(5) {
        0 => Handle::Auto,
        1 => Handle::AutoClamped,
        2 => Handle::Vector,
        3 => Handle::Aligned(side * random.part(), random.around(1.0)),
        _ => Handle::Free(side * random.part(), random.around(1.0)),
    }
}

fn key(random: &mut Seeded, time: f64) -> Key {
    Key {
        interpolation: Interpolation::ALL[random.below(Interpolation::ALL.len())],
        handle_in: handle(random, -1.0),
        handle_out: handle(random, 1.0),
        tension: random.around(1.0),
        continuity: random.around(1.0),
        bias: random.around(1.0),
        slope_out: random.around(5.0),
        unweighted: random.coin(),
        ..Key::new(time, random.around(4.0))
    }
}

fn curve(random: &mut Seeded, whole: bool, sampled: bool) -> Curve {
    let rate = FrameRate::new(30, 1).unwrap();
    if whole {
        let kind = RotationInterpolation::ALL;
        let keys = (0..1 + random.below(6)).map(|i| {
            RotationKey::new(i as f64 * 0.4 + 0.3 * random.part(), random.rotation(), kind[random.below(kind.len())])
        });
        return Curve::Rotation(RotationCurve::Keyed(KeyedRotation { keys: keys.collect() }));
    }
    if sampled {
        let (size, speed) = (random.around(3.0), 0.05 + random.part() * 0.2);
        let values = (0..90).map(|i| size * (speed * f64::from(i)).sin()).collect();
        return Curve::Scalar(ScalarCurve::Sampled(Samples::new(0.0, rate, values)));
    }
    let count = 1 + random.below(12);
    let keys = (0..).take(count).map(|i| {
        let time = rate.secs(4 * i) + if random.coin() { 0.0 } else { 0.05 * random.part() };
        key(random, time)
    });
    let keys = keys.collect();
    let [pre, post] = [0, 1].map(|_| Extrapolation::ALL[random.below(5)]);
    let scheme = if random.below(3) == 0 { Scheme::ALL[random.below(7)] } else { Scheme::PerKey };
    Curve::Scalar(ScalarCurve::Keyed(KeyedCurve { keys, scheme, pre, post, ..KeyedCurve::default() }))
}

fn clip(random: &mut Seeded, document: &Document) -> Clip {
    let mut clip = Clip::new("clip", FrameRange::new(0, 89));
    for target in targets(document) {
        let (mode, sampled) = (mode_of(document, target), random.below(3) == 0);
        for property in Property::ALL {
            // A property is moved as a whole more often than not.
            if random.below(3) == 0 {
                continue;
            }
            if property == Property::Rotation && mode == RotationMode::Quaternion {
                let path = ChannelPath { target, property, component: Component::Whole };
                clip.channels.insert(path, Arc::new(curve(random, true, false)));
                continue;
            }
            for component in Component::AXES.into_iter().filter(|_| random.below(5) > 0).collect::<Vec<_>>() {
                let path = ChannelPath { target, property, component };
                clip.channels.insert(path, Arc::new(curve(random, false, sampled)));
            }
        }
    }
    clip
}

fn mode_of(document: &Document, target: Target) -> RotationMode {
    let rig = document.object(target.object()).and_then(|object| object.as_rig());
    let joint = rig.zip(target.joint()).and_then(|(rig, joint)| rig.skeleton.joint(joint));
    joint.map_or(RotationMode::default(), |joint| joint.rotation)
}

/// Objects and joints that have channels.
pub(crate) fn targets(document: &Document) -> Vec<Target> {
    let mut targets: Vec<Target> = document.objects.keys().map(|id| Target::Object(*id)).collect();
    for id in document.objects.keys() {
        targets.extend(set_key::whole_pose(document, *id));
    }
    targets
}

/// A sound document of one to three rigs, some hanging on others, with motion.
pub(crate) fn document(seed: u64) -> Document {
    let random = &mut Seeded::new(seed);
    let mut document = Document::default();
    for index in 0..1 + random.below(3) {
        let mut object = Object::rig(&format!("rig {index}"), rig(random));
        object.transform = random.transform();
        if index > 0 && random.coin() {
            let parent = ObjectId(1 + random.below(index) as u32);
            object.parent =
                Some(if random.coin() { Parent::Joint(parent, JointId(1)) } else { Parent::Object(parent) });
        }
        document.add_object(object);
    }
    for _ in 0..1 + random.below(2) {
        let clip = clip(random, &document);
        let id = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(id);
    }
    assert_eq!(document.problems(), []);
    document
}

/// A time on or beside a frame.
pub(crate) fn time(random: &mut Seeded, document: &Document) -> f64 {
    let frame = document.settings.rate.secs(random.frame(80));
    if random.below(4) == 0 { frame + 0.02 * random.part() } else { frame }
}

pub(super) fn clips(document: &Document) -> Vec<ClipId> {
    document.clips.keys().copied().collect()
}

fn curves(document: &Document, keyed: bool) -> Vec<CurveRef> {
    let all = document.clips.iter().flat_map(|(clip, c)| c.channels.iter().map(|(path, curve)| (*clip, *path, curve)));
    let wanted = all.filter(|(_, _, curve)| curve.is_sampled() != keyed);
    wanted.map(|(clip, path, _)| CurveRef { clip, path }).collect()
}

fn key_times(document: &Document, at: CurveRef) -> Vec<f64> {
    match at.find(document).map(|curve| &**curve) {
        Some(Curve::Scalar(ScalarCurve::Keyed(curve))) => curve.keys.iter().map(|key| key.time).collect(),
        Some(Curve::Rotation(RotationCurve::Keyed(curve))) => curve.keys.iter().map(|key| key.time).collect(),
        _ => Vec::new(),
    }
}

/// Some keys of some curves.
pub(crate) fn keys(random: &mut Seeded, document: &Document) -> KeySelection {
    let curves = curves(document, true);
    let mut keys = KeySelection::new();
    for _ in 0..1 + random.below(4) {
        let Some(at) = random.pick(&curves) else { break };
        let every = 1 + random.below(3);
        for time in key_times(document, at).into_iter().skip(random.below(3)).step_by(every) {
            keys.insert(at, time);
        }
    }
    keys
}

/// Something selected.
pub(crate) fn selection(random: &mut Seeded, document: &Document) -> Selection {
    let mut selection = Selection { keys: keys(random, document), ..Selection::default() };
    for _ in 0..random.below(4) {
        if let Some(target) = random.pick(&targets(document)) {
            selection.toggle(target);
        }
    }
    selection
}

/// An edit of any kind, mostly one that can be done.
pub(crate) fn edit(random: &mut Seeded, document: &Document) -> Edit {
    let deforms = document.objects.values().any(|object| object.as_mesh().is_some());
    if deforms && random.below(2) == 0 {
        return super::deformed::edit(random, document);
    }
    match random.below(18) {
        17 => super::blended::edit(random, document),
        16 => driver_edit(random, document),
        15 => skeleton_edit(random, document),
        14 => retime_edit(random, document),
        13 => library_edit(random, document),
        12 => pin_edit(random, document),
        0..=3 => key_edit(random, document),
        4 => curve_edit(random, document),
        5 | 6 => pose_edit(random, document),
        7 => waiting_edit(random, document),
        8 => correction_edit(random, document),
        9 => object_edit(random, document),
        10 => document_edit(random, document),
        _ => Edit::Batch(vec![key_edit(random, document), object_edit(random, document)]),
    }
}

/// A driver of any number by any other, circles too; its keys edited as those of a clip; deleted.
fn driver_edit(random: &mut Seeded, document: &Document) -> Edit {
    let targets = targets(document);
    let mut channel = || {
        let target = random.pick(&targets).unwrap_or(Target::Object(ObjectId(0)));
        let property = random.pick(target.transform_properties()).unwrap_or(Property::Translation);
        ChannelPath { target, property, component: Component::AXES[random.below(3)] }
    };
    let (driven, source) = (channel(), channel());
    let known: Vec<ChannelPath> =
        document.objects.values().flat_map(|object| &object.drivers).map(|driver| driver.driven).collect();
    let at = random.pick(&known).map(CurveRef::of_driver);
    match (random.below(5), at) {
        (0, Some(at)) => DriverEdit::Delete { driven: vec![at.path] }.into(),
        (1, Some(at)) => {
            let time = random.around(2.0);
            KeyEdit::Insert { curve: at, keys: vec![key(random, time)] }.into()
        }
        (2, Some(at)) => {
            let times = key_times(document, at);
            let keys = random.pick(&times).map_or_else(KeySelection::new, |time| KeySelection::of(at, &[time]));
            KeyEdit::Move { keys, dt: random.around(0.5), dv: random.around(0.5) }.into()
        }
        (3, Some(at)) => CurveEdit::Mute { curves: vec![at], muted: random.coin() }.into(),
        _ => {
            let mut driver = Driver::new(driven, source);
            driver.curve = Arc::new(curve(random, false, false));
            driver.influence = if random.coin() { 1.0 } else { random.part() };
            DriverEdit::Set { driver: Arc::new(driver) }.into()
        }
    }
}

fn key_edit(random: &mut Seeded, document: &Document) -> Edit {
    let keys = keys(random, document);
    let first = keys.iter().next();
    let shape = |random: &mut Seeded| random.coin().then(|| random.around(1.0));
    match random.below(10) {
        0 => KeyEdit::Delete { keys }.into(),
        1 | 2 => {
            KeyEdit::Move { keys, dt: random.around(1.0), dv: if random.coin() { 0.0 } else { random.around(1.0) } }
                .into()
        }
        3 => {
            let factor = if random.below(5) == 0 { 0.0 } else { random.around(2.0) };
            let (time, value) = ((random.part(), factor), (0.0, random.around(2.0)));
            KeyEdit::Scale { keys, time, value, frames: random.coin() }.into()
        }
        4 => KeyEdit::SetTime { keys, secs: time(random, document) }.into(),
        5 => KeyEdit::SetValue { keys, value: random.around(3.0) }.into(),
        6 => KeyEdit::SetInterpolation { keys, interpolation: Interpolation::ALL[random.below(7)] }.into(),
        7 => KeyEdit::SetShape { keys, tension: shape(random), continuity: shape(random), bias: shape(random) }.into(),
        8 => HandleEdit::SetKind { keys, kind: HandleKind::ALL[random.below(5)] }.into(),
        _ => match first {
            Some((curve, secs)) => {
                let side = if random.coin() { HandleSide::In } else { HandleSide::Out };
                HandleEdit::Move { curve, secs, side, offset: (random.around(1.0), random.around(2.0)) }.into()
            }
            None => Edit::none(),
        },
    }
}

fn curve_edit(random: &mut Seeded, document: &Document) -> Edit {
    let keyed = curves(document, true);
    match random.below(4) {
        0 => {
            let curves = random.pick(&curves(document, false)).into_iter().collect();
            CurveEdit::ConvertToKeys { curves }.into()
        }
        1 => CurveEdit::Delete { curves: random.pick(&keyed).into_iter().collect() }.into(),
        2 => {
            let [pre, post] = [0, 1].map(|_| random.coin().then(|| Extrapolation::ALL[random.below(5)]));
            CurveEdit::Extrapolation { curves: random.pick(&keyed).into_iter().collect(), pre, post }.into()
        }
        _ => match random.pick(&keyed).filter(|at| at.path.component != Component::Whole) {
            Some(curve) => {
                let times = [time(random, document), time(random, document)];
                KeyEdit::Insert { curve, keys: times.map(|t| key(random, t)).to_vec() }.into()
            }
            None => Edit::none(),
        },
    }
}

fn pose_edit(random: &mut Seeded, document: &Document) -> Edit {
    let secs = time(random, document);
    let auto_key = AutoKey::ALL[random.below(3)];
    let Some(target) = random.pick(&targets(document)) else { return Edit::none() };
    let object = target.object();
    if random.below(4) == 0 {
        return pose::transform_edit(document, object, secs, &random.transform(), auto_key).unwrap_or(Edit::none());
    }
    let joints: Vec<JointId> = set_key::whole_pose(document, object).into_iter().filter_map(Target::joint).collect();
    let changes = (0..1 + random.below(3)).filter_map(|_| Some((random.pick(&joints)?, random.transform())));
    let mut changes: Vec<(JointId, Transform)> = changes.collect();
    changes.sort_by_key(|(joint, _)| *joint);
    changes.dedup_by_key(|(joint, _)| *joint);
    pose::pose_edit(document, object, secs, &changes, auto_key).unwrap_or(Edit::none())
}

/// A pin of any joint in any space, some of which are refused; or a change of one that is there.
fn pin_edit(random: &mut Seeded, document: &Document) -> Edit {
    let Some(clip) = random.pick(&clips(document)) else { return Edit::none() };
    let found: Vec<PinId> = document.clips[&clip].pins.iter().map(|pin| pin.id).collect();
    let joints: Vec<Target> = targets(document).into_iter().filter(|target| target.joint().is_some()).collect();
    let joint = |random: &mut Seeded| random.pick(&joints).and_then(|target| Some((target.object(), target.joint()?)));
    let Some((object, at)) = joint(random) else { return Edit::none() };
    let space = match random.below(4) {
        0 => PinSpace::Object(object),
        1 => joint(random).map_or(PinSpace::World, |(object, joint)| PinSpace::Joint(object, joint)),
        _ => PinSpace::World,
    };
    let place = random.transform().translation;
    let rotation = random.coin().then(|| random.rotation());
    let start = time(random, document);
    let (range, ease) = ((start, start + random.part()), (0.3 * random.part(), 0.3 * random.part()));
    let Some(pin) = random.pick(&found).filter(|_| random.below(3) > 0) else {
        let id = document.clips[&clip].fresh_pin_id();
        let (influence, muted) = (random.part(), random.below(5) == 0);
        let name = if random.coin() { String::new() } else { "pin".to_owned() };
        let pin =
            Pin { id, name, object, joint: at, space, place, orientation: rotation, range, ease, influence, muted };
        return PinEdit::Add { clip, pin: Arc::new(pin) }.into();
    };
    let orientation = orientation_numbers(rotation);
    match random.below(8) {
        0 => PinEdit::Delete { clip, pin }.into(),
        1 => PinEdit::SetPlace { clip, pin, place, orientation }.into(),
        2 => PinEdit::SetSpace { clip, pin, space, place, orientation }.into(),
        3 => PinEdit::SetRange { clip, pin, range }.into(),
        4 => PinEdit::SetEase { clip, pin, ease }.into(),
        5 => PinEdit::SetInfluence { clip, pin, influence: random.part() }.into(),
        6 => PinEdit::Split { clip, pin, secs: start, gap: 0.0, second: document.clips[&clip].fresh_pin_id() }.into(),
        _ => {
            let object = document.clips[&clip].pin(pin).map_or(object, |pin| pin.object);
            let curve = CurveRef { clip, path: ChannelPath::influence(object, pin) };
            KeyEdit::Insert { curve, keys: vec![key(random, start)] }.into()
        }
    }
}

/// A retime of all of a rig or some of its joints, or a change of one that is there; some are refused.
fn retime_edit(random: &mut Seeded, document: &Document) -> Edit {
    let Some(clip) = random.pick(&clips(document)) else { return Edit::none() };
    let found: Vec<RetimeId> = document.clips[&clip].retimes.iter().map(|retime| retime.id).collect();
    let start = time(random, document);
    let length = 0.2 + random.part();
    let (end, middle) = (start + length, start + length * (0.1 + 0.8 * random.part()));
    let keys = vec![(start, start), (middle, start + length * (0.1 + 0.8 * random.part())), (end, end)];
    let Some(retime) = random.pick(&found).filter(|_| random.below(3) > 0) else {
        let Some(object) = random.pick(&document.objects.keys().copied().collect::<Vec<_>>()) else {
            return Edit::none();
        };
        let joints = set_key::whole_pose(document, object).into_iter().filter_map(Target::joint);
        let scope = match random.below(3) {
            0 => RetimeScope::Whole,
            _ => RetimeScope::Joints(joints.filter(|_| random.coin()).collect()),
        };
        if scope == RetimeScope::Joints(BTreeSet::new()) {
            return Edit::none();
        }
        let Ok(phi) = Phi::new(keys) else { return Edit::none() };
        let id = document.clips[&clip].fresh_retime_id();
        let retime = Retime { id, name: "spacing".to_owned(), muted: random.below(5) == 0, object, scope, phi };
        return RetimeEdit::Add { clip, retime: Arc::new(retime) }.into();
    };
    match random.below(4) {
        0 => RetimeEdit::Delete { clip, retime }.into(),
        1 => RetimeEdit::Mute { clip, retime, muted: random.coin() }.into(),
        2 => RetimeEdit::Rename { clip, retime, name: "late".to_owned() }.into(),
        _ => RetimeEdit::SetPhi { clip, retime, keys }.into(),
    }
}

/// An edit of a rig's joints, some of which are refused.
fn skeleton_edit(random: &mut Seeded, document: &Document) -> Edit {
    let rigs: Vec<ObjectId> = document.rigs().map(|(id, ..)| id).collect();
    let Some(object) = random.pick(&rigs) else { return Edit::none() };
    let joints = document.objects[&object].as_rig().map(|rig| rig.skeleton.joints()).unwrap_or_default();
    let all: Vec<JointId> = joints.iter().map(|joint| joint.id).collect();
    let (name, place) = (format!("joint {}", random.below(5)), random.vector(0.4));
    let Some(joint) = random.pick(&all) else { return SkeletonEdit::AddRoot { object, name, place }.into() };
    let some: BTreeSet<JointId> = [Some(joint), random.pick(&all)].into_iter().flatten().collect();
    let animation = if random.coin() { Animation::Follows } else { Animation::Stays };
    let by = [Counterparts::Found, Counterparts::Named, Counterparts::Placed][random.below(3)].clone();
    let edit = match random.below(9) {
        0 => SkeletonEdit::AddRoot { object, name, place },
        1 | 2 => SkeletonEdit::Extrude { object, parent: joint, name, offset: place },
        3 => SkeletonEdit::Split { object, joint, at: random.part(), name },
        4 => SkeletonEdit::Rename { object, joint, name },
        5 => {
            let parent = if random.coin() { random.pick(&all) } else { None };
            SkeletonEdit::Reparent { object, joints: some, parent, animation }
        }
        6 => {
            let children = if random.below(4) == 0 { Children::Deleted } else { Children::Kept };
            SkeletonEdit::Delete { object, joints: [joint].into(), children }
        }
        7 => SkeletonEdit::Mirror { object, joints: some, make: joints.len() < 12, by, animation },
        _ => {
            let children = if random.coin() { Carry::Along } else { Carry::Behind };
            let rests = vec![JointRest { joint, rest: random.transform() }];
            SkeletonEdit::SetRest { object, rests, children, animation }
        }
    };
    edit.into()
}

fn waiting_edit(random: &mut Seeded, document: &Document) -> Edit {
    let Some(clip) = random.pick(&clips(document)) else { return Edit::none() };
    let waiting: Vec<f64> = document.clips[&clip].unkeyed.iter().map(|frame| frame.time).collect();
    let all: BTreeSet<Target> = targets(document).into_iter().filter(|_| random.coin()).collect();
    let secs = random.pick(&waiting).unwrap_or(0.5);
    match random.below(4) {
        0 => UnkeyedEdit::Discard { clip, secs: random.coin().then_some(secs) }.into(),
        1 => set_key::key_waiting(document, clip, secs, None).unwrap_or(Edit::none()),
        2 => set_key::set_key(document, &inbetween::eval::Evaluator::new(), &all, time(random, document), None)
            .unwrap_or(Edit::none()),
        _ => set_key::delete_key(document, &all, time(random, document)),
    }
}

fn correction_edit(random: &mut Seeded, document: &Document) -> Edit {
    let all = document.clips.iter().flat_map(|(clip, c)| c.corrections.iter().map(|correction| (*clip, correction.id)));
    let Some((clip, correction)) = random.pick(&all.collect::<Vec<_>>()) else { return Edit::none() };
    match random.below(5) {
        0 => CorrectionEdit::Delete { clip, correction }.into(),
        1 => CorrectionEdit::Mute { clip, correction, muted: random.coin() }.into(),
        2 => CorrectionEdit::SetScale { clip, correction, scale: 2.2 * random.part() }.into(),
        3 => CorrectionEdit::Rename { clip, correction, name: "reach".to_owned() }.into(),
        _ => CorrectionEdit::SetRange { clip, correction, range: (random.part(), 1.0 + 2.0 * random.part()) }.into(),
    }
}

fn library_edit(random: &mut Seeded, document: &Document) -> Edit {
    let Some((object, _, rig)) = document.rigs().nth(random.below(document.rigs().count())) else {
        return Edit::none();
    };
    let secs = time(random, document);
    let joints: BTreeSet<JointId> =
        rig.skeleton.joints().iter().filter(|_| random.coin()).map(|joint| joint.id).collect();
    let present = rig_pose(document, object, secs).unwrap();
    let known: Vec<PoseId> = document.poses.keys().copied().collect();
    let pose = random.pick(&known);
    let auto_key = AutoKey::ALL[random.below(3)];
    let ground = if random.coin() { Ground::Stays } else { Ground::Taken };
    let target =
        PoseTarget { document, object, secs, present: &present, only: &joints, auto_key, correction: None, ground };
    let set = format!("set {}", random.below(3));
    match (random.below(8), pose) {
        (0, Some(pose)) => PoseEdit::Rename { pose, name: "reach".to_owned() }.into(),
        (1, Some(pose)) => PoseEdit::Delete { pose }.into(),
        (2, Some(pose)) => target.blend(&document.poses[&pose], 3.0 * random.part() - 1.0).unwrap_or(Edit::none()),
        (3, Some(pose)) => target.mirrored(&document.poses[&pose]).unwrap_or(Edit::none()),
        (4, _) => target.mirror_in_place().unwrap_or(Edit::none()),
        (5, _) => RigEdit::SetJoints { object, name: set, joints }.into(),
        (6, _) => RigEdit::RenameSet { object, name: set, to: format!("set {}", random.below(4)) }.into(),
        _ => {
            let pose = Arc::new(Pose::taken("pose", &rig.skeleton, &present, joints));
            PoseEdit::Add { id: PoseId(document.next_id), pose }.into()
        }
    }
}

fn object_edit(random: &mut Seeded, document: &Document) -> Edit {
    let all: Vec<ObjectId> = document.objects.keys().copied().collect();
    let Some(object) = random.pick(&all) else { return Edit::none() };
    match random.below(8) {
        0 => ObjectEdit::SetTransform { object, transform: random.transform() }.into(),
        1 => ObjectEdit::SetHidden { objects: all, hidden: random.coin() }.into(),
        2 => ObjectEdit::Rename { object, name: format!("rig {}", random.below(9)) }.into(),
        3 => {
            ObjectEdit::SetClip { object, clip: random.pick(&clips(document)).filter(|_| random.below(2) == 0) }.into()
        }
        4 if all.len() > 1 => ObjectEdit::Delete { objects: vec![object] }.into(),
        5 => {
            let pole = random.coin().then(|| random.vector(1.0));
            let solver = random.pick(&SolverKind::ALL);
            let root = random.coin().then_some(JointId(0));
            let hint = random.coin().then_some(ChainHint { root, solver, pole });
            RigEdit::SetHint { object, joint: JointId(2), hint }.into()
        }
        6 => RigEdit::SetUnit { object, unit: LengthUnit::ALL[random.below(6)] }.into(),
        _ => stand_up(document, object, if random.coin() { UpAxis::Z } else { UpAxis::Y }).unwrap_or(Edit::none()),
    }
}

fn document_edit(random: &mut Seeded, document: &Document) -> Edit {
    let clip = random.pick(&clips(document));
    match random.below(8) {
        0 => SettingsEdit::SetRate(FrameRate::new([24, 30, 60, 30_000][random.below(4)], 1).unwrap()).into(),
        1 => SettingsEdit::SetPlayRange(FrameRange::new(0, 10 + random.frame(90))).into(),
        2 => SettingsEdit::SetLengthUnit(LengthUnit::ALL[random.below(6)]).into(),
        3 => SettingsEdit::SetClip(clip.filter(|_| random.below(3) > 0)).into(),
        4 => import(random, document),
        5 => clip.map_or(Edit::none(), |clip| ClipEdit::Rename { clip, name: "walk".to_owned() }.into()),
        6 => clip.map_or(Edit::none(), |clip| {
            let loop_mode = if random.coin() { LoopMode::Once } else { LoopMode::Loop };
            ClipEdit::SetLoopMode { clip, loop_mode }.into()
        }),
        _ if document.clips.len() > 1 => clip.map_or(Edit::none(), |clip| ClipEdit::Delete { clip }.into()),
        _ => clip.map_or(Edit::none(), |clip| ClipEdit::SetRange { clip, range: FrameRange::new(5, 70) }.into()),
    }
}

/// A rig with a clip of its own.
fn import(random: &mut Seeded, document: &Document) -> Edit {
    let (object, clip) = (ObjectId(document.next_id), ClipId(document.next_id + 1));
    let added = Arc::new(Object::rig("imported", rig(random)));
    let motion = {
        let mut alone = Document::default();
        Arc::make_mut(&mut alone.objects).insert(object, added.clone());
        Arc::new(self::clip(random, &alone))
    };
    ImportEdit {
        objects: vec![(object, added)],
        clips: vec![(clip, motion)],
        play: vec![(object, clip)],
        ..ImportEdit::default()
    }
    .into()
}
