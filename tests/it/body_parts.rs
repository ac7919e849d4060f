//! Hands, feet and corrected limbs: on the sample character and the human files of the corpus.

use inbetween::{
    edit::{Edit, EditError, RigEdit},
    eval::{
        fk,
        ik::JointLimit,
        limbs::{
            self, Limb, Limbs, Role, Side,
            foot::{Foot, FootBody, FootPivot, FootRoll},
            hand::Hand,
        },
        mirror::Mirror,
        sample::rig_pose,
    },
    io::{bvh::ImportOptions, open::open},
    math::{Affine, Transform, Vec3, rotation::from_axis_angle},
    model::{BendToward, Document, Joint, JointId, LimbSetting, LimbSpec, ObjectId, Rig, Skeleton},
};
use std::{path::PathBuf, sync::Arc};

struct Figure {
    name: String,
    rig: Arc<Rig>,
    limbs: Limbs,
    rest: Vec<Transform>,
    pose: Vec<Transform>,
}

fn rig_of(document: &Document) -> (ObjectId, Arc<Rig>) {
    document.objects.iter().find_map(|(id, object)| Some((*id, object.as_rig()?.clone()))).unwrap()
}

fn figure(name: &str, document: &Document) -> Figure {
    let (object, rig) = rig_of(document);
    let limbs = limbs::of_object(document, object, &rig.skeleton);
    // The position channels of these fold the limbs.
    let folded = ["makehuman_tpose.bvh", "makehuman_benchmark_pose.bvh"].contains(&name);
    let rest: Vec<Transform> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let pose = if folded { rest.clone() } else { rig_pose(document, object, 0.0).unwrap() };
    Figure { name: name.to_owned(), limbs, rest, pose, rig }
}

fn figures() -> Vec<Figure> {
    let mut figures = vec![figure("sample", &inbetween::samples::start())];
    let folder = std::env::var_os("INBETWEEN_FILES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/files"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("limbs.json")) else {
        eprintln!("corpus: no limbs.json in {}: hands and feet are tried on the sample only", folder.display());
        return figures;
    };
    let truth: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    for file in truth.keys().filter(|file| !file.starts_with("odd")) {
        if let Ok(opened) = open(&folder.join("bvh").join(file), ImportOptions::default()) {
            figures.push(figure(file, &opened.document));
        }
    }
    figures
}

impl Figure {
    fn world(&self, locals: &[Transform], changed: &[(usize, Transform)]) -> Vec<Affine> {
        let mut locals = locals.to_vec();
        changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
        let mut world = Vec::new();
        fk::model_from_locals(self.rig.skeleton.tree(), &locals, &Affine::IDENTITY, &mut world);
        world
    }

    /// How far a leg's end is from its root at full stretch: thigh and shin are rigid, whatever joints lie within.
    fn reach(&self, leg: &Limb, world: &[Affine]) -> f64 {
        let corners = [leg.root(), leg.middle.unwrap(), leg.end()].map(|joint| world[joint].translation);
        (corners[1] - corners[0]).norm() + (corners[2] - corners[1]).norm()
    }

    fn name_of(&self, joint: usize) -> &str {
        &self.rig.skeleton.joints()[joint].name
    }
}

#[test]
fn a_foot_rolls_about_a_point_that_stays_wherever_the_leg_reaches() {
    let (mut rolls, mut too_short) = (0, 0);
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let leg = figure.limbs.limb(Role::Leg, side).unwrap();
            let ankle = leg.end();
            let foot = Foot::of(&figure.rig, &figure.limbs, ankle).unwrap();
            let body =
                FootBody { rig: &figure.rig, limbs: &figure.limbs, locals: &figure.pose, root: Affine::IDENTITY };
            let before = figure.world(&figure.pose, &[]);
            for pivot in FootPivot::ALL {
                let place = |world: &[Affine]| foot.place(pivot, |joint| world.get(joint).copied()).unwrap();
                let size = (before[ankle].translation - place(&before)).norm();
                assert!(size > 0.0, "{}: {pivot:?} is the ankle", figure.name);
                for degrees in [5.0_f64, 15.0, 30.0] {
                    let rolled = foot.roll(&body, pivot, degrees.to_radians());
                    let after = figure.world(&figure.pose, &rolled.changed);
                    let what = format!("{}, {}, {pivot:?} by {degrees}", figure.name, figure.name_of(ankle));
                    let moved = (place(&after) - place(&before)).norm();
                    assert!((moved - rolled.slide).abs() < 1e-9, "{what}");
                    // Where the ankle would be if the foot turned about a pivot that stays.
                    let arm = before[ankle].translation - place(&before);
                    let turn = from_axis_angle(&foot.axis(pivot, &before[ankle]), degrees.to_radians());
                    let wanted = (place(&before) + turn * arm - before[leg.root()].translation).norm();
                    let reach = figure.reach(leg, &before);
                    if wanted <= reach {
                        assert!(moved < 1e-4, "{what}: it slides {moved} m");
                    } else {
                        // Nothing of the leg is left: it is straight, and the pivot as near as that allows.
                        let length = (after[ankle].translation - after[leg.root()].translation).norm();
                        assert!((length - reach).abs() < 1e-6 * reach, "{what}: {length} of {reach}");
                        assert!((moved - (wanted - reach)).abs() < 1e-4, "{what}: {moved}, {}", wanted - reach);
                        too_short += 1;
                    }
                    rolls += 1;
                    let turned = after[ankle].rotation().angle_to(&before[ankle].rotation()).to_degrees();
                    assert!((turned - degrees).abs() < 1e-6, "{}: {pivot:?} {degrees} {turned}", figure.name);
                    if let Some(toe) = foot.toe.filter(|_| pivot == FootPivot::Ball) {
                        assert!(after[toe].rotation().angle_to(&before[toe].rotation()) < 1e-6, "{}", figure.name);
                    }
                }
            }
            assert_eq!(foot.roll(&body, FootPivot::Ball, 0.0), FootRoll::default());
        }
    }
    println!("{rolls} rolls, in {too_short} of them the leg is too short");
    assert!(too_short * 4 < rolls, "{too_short} of {rolls}");
}

#[test]
fn heel_ball_and_toes_lie_below_the_ankle_one_before_the_other() {
    for figure in figures().iter().filter(|figure| !figure.limbs.by_posed) {
        let world = figure.world(&figure.rest, &[]);
        let ankle = figure.limbs.limb(Role::Leg, Side::Left).unwrap().end();
        let foot = Foot::of(&figure.rig, &figure.limbs, ankle).unwrap();
        let along = |pivot, axis: Vec3| {
            (foot.place(pivot, |joint| world.get(joint).copied()).unwrap() - world[ankle].translation).dot(&axis)
        };
        let [heel, ball, toe] = FootPivot::ALL.map(|pivot| along(pivot, figure.limbs.frame.forward));
        assert!(heel < 0.0 && ball > 0.0 && toe > ball, "{}: {heel} {ball} {toe}", figure.name);
        assert!(FootPivot::ALL.iter().all(|pivot| along(*pivot, figure.limbs.frame.up) <= 1e-9), "{}", figure.name);
    }
}

#[test]
fn fingers_curl_into_the_palm_spread_and_come_back() {
    let mut hands = 0;
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let wrist = figure.limbs.limb(Role::Arm, side).unwrap().end();
            let Some(hand) = Hand::of(&figure.rig, &figure.limbs, wrist) else { continue };
            hands += 1;
            let what = format!("{}, {}", figure.name, figure.name_of(wrist));
            let before = figure.world(&figure.rest, &[]);
            let fist = hand.curled(None, 1.0, &figure.rest, &figure.rest);
            let mut locals = figure.rest.clone();
            fist.iter().for_each(|(joint, local)| locals[*joint] = *local);
            let after = figure.world(&locals, &[]);
            for (index, finger) in hand.fingers.iter().enumerate() {
                assert!((hand.curl(index, &figure.rest, &locals) - 1.0).abs() < 1e-9, "{what}");
                let last = finger.joints.last().unwrap().joint;
                let reach = |world: &[Affine]| (world[last].translation - world[wrist].translation).norm();
                if finger.joints.len() > 2 && !finger.thumb {
                    assert!(reach(&after) < 0.8 * reach(&before), "{what}: {} does not close", figure.name_of(last));
                }
            }
            assert!(hand.spread(&figure.rest, &locals).abs() < 1e-9, "{what}");
            let open = hand.curled(None, -1.0, &figure.rest, &locals);
            for (joint, local) in open {
                assert!(local.rotation.angle_to(&figure.rest[joint].rotation) < 1e-7, "{what}");
            }
            let spread = hand.spread_by(1.0, &figure.rest, &figure.rest);
            if hand.fingers.iter().filter(|finger| !finger.thumb).count() > 2 {
                let wide = figure.world(&figure.rest, &spread);
                let long: Vec<usize> =
                    hand.fingers.iter().filter(|f| !f.thumb).map(|f| f.joints.last().unwrap().joint).collect();
                let width = |world: &[Affine]| {
                    let mut most: f64 = 0.0;
                    for a in &long {
                        for b in &long {
                            most = most.max((world[*a].translation - world[*b].translation).norm());
                        }
                    }
                    most
                };
                assert!(width(&wide) > 1.1 * width(&before), "{what}: {} {}", width(&wide), width(&before));
            }
        }
    }
    println!("{hands} hands");
}

#[test]
fn palms_look_down_in_a_t_pose() {
    for figure in figures().iter().filter(|figure| !figure.limbs.by_posed) {
        for side in [Side::Left, Side::Right] {
            let wrist = figure.limbs.limb(Role::Arm, side).unwrap().end();
            let Some(hand) = Hand::of(&figure.rig, &figure.limbs, wrist) else { continue };
            let before = figure.world(&figure.rest, &[]);
            let half = figure.world(&figure.rest, &hand.curled(None, 0.5, &figure.rest, &figure.rest));
            let outward = if side == Side::Left { figure.limbs.frame.left } else { -figure.limbs.frame.left };
            let palm = -figure.limbs.frame.up - outward * 0.7;
            for finger in hand.fingers.iter().filter(|finger| !finger.thumb && finger.joints.len() > 2) {
                let last = finger.joints.last().unwrap().joint;
                let moved = half[last].translation - before[last].translation;
                assert!(moved.dot(&palm) > 0.0, "{}: {} curls backwards", figure.name, figure.name_of(last));
            }
        }
    }
}

#[test]
fn a_corrected_limb_is_kept_used_and_taken_back() {
    let before = inbetween::samples::start();
    let (object, rig) = rig_of(&before);
    let id = |name: &str| rig.skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id;
    let index = |name: &str| rig.skeleton.index_of(id(name)).unwrap();
    let set = |found, limb| Edit::from(RigEdit::SetLimb { object, found, limb });
    let spec = LimbSpec {
        role: Role::Chain,
        side: Side::Left,
        root: id("upper_arm.l"),
        middle: None,
        end: id("forearm.l"),
        bend: None,
    };
    let mut document = before.clone();
    set(id("hand.l"), Some(LimbSetting::Limb(spec))).apply(&mut document).unwrap();
    set(id("hand.r"), Some(LimbSetting::Removed)).apply(&mut document).unwrap();
    let back = LimbSpec {
        role: Role::Leg,
        side: Side::Left,
        root: id("thigh.l"),
        middle: Some(id("shin.l")),
        end: id("foot.l"),
        bend: Some(BendToward::Back),
    };
    set(id("foot.l"), Some(LimbSetting::Limb(back))).apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    let limbs = limbs::of_object(&document, object, &rig.skeleton);
    assert_eq!(limbs.of_role(Role::Arm).count(), 0);
    let chain = limbs.limb(Role::Chain, Side::Left).unwrap();
    assert_eq!((chain.root(), chain.end()), (index("upper_arm.l"), index("forearm.l")));
    assert!((limbs.bends[&index("foot.l")] + limbs.frame.forward).norm() < 1e-12);
    assert_eq!((limbs.hips, limbs.head), (Some(index("hips")), Some(index("head"))));
    assert!(Mirror::of_object(&document, object).is_some());
    // Kept in the file.
    let text = inbetween::io::ron::save(&document).unwrap();
    assert_eq!(inbetween::io::ron::load(&text).unwrap(), document);
    // A limb must be a line of joints.
    let wrong = LimbSpec { end: id("foot.r"), ..back };
    assert_eq!(
        set(id("foot.l"), Some(LimbSetting::Limb(wrong))).apply(&mut document),
        Err(EditError::BadLimb(object, id("foot.l")))
    );
    Edit::from(RigEdit::ResetLimbs { object }).apply(&mut document).unwrap();
    assert_eq!(document, before);
}

/// A body whose hands have three fingers and whose feet have two toes, of two joints each.
fn with_digits() -> Rig {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<JointId>, offset: [f64; 3]| {
        let id = JointId(u32::try_from(joints.len()).unwrap());
        joints.push(Joint::new(id, &name, parent, Vec3::from(offset)));
        id
    };
    let hips = add("Hips".to_owned(), None, [0.0, 1.0, 0.0]);
    let spine = add("Spine".to_owned(), Some(hips), [0.0, 0.2, 0.0]);
    let chest = add("Chest".to_owned(), Some(spine), [0.0, 0.2, 0.0]);
    let neck = add("Neck".to_owned(), Some(chest), [0.0, 0.2, 0.0]);
    add("Head".to_owned(), Some(neck), [0.0, 0.1, 0.0]);
    for (side, s) in [("Left", 1.0), ("Right", -1.0)] {
        let mut line = |parent, names: &[&str], offsets: &[[f64; 3]]| {
            names
                .iter()
                .zip(offsets)
                .fold(parent, |at, (name, [x, y, z])| add(format!("{side}{name}"), Some(at), [x * s, *y, *z]))
        };
        let arm = [[0.15, 0.15, 0.0], [0.28, 0.0, -0.01], [0.26, 0.0, 0.01]];
        let hand = line(chest, &["Arm", "ForeArm", "Hand"], &arm);
        for (finger, z) in [("Index", 0.03), ("Middle", 0.0), ("Pinky", -0.03)] {
            let names = [format!("Hand{finger}1"), format!("Hand{finger}2")];
            line(hand, &[&names[0], &names[1]], &[[0.09, 0.0, z], [0.04, 0.0, 0.0]]);
        }
        let leg = [[0.1, -0.05, 0.0], [0.0, -0.43, 0.01], [0.0, -0.43, -0.01]];
        let foot = line(hips, &["UpLeg", "Leg", "Foot"], &leg);
        for (toe, x) in [("Inner", -0.02), ("Outer", 0.03)] {
            let names = [format!("Toe{toe}1"), format!("Toe{toe}2")];
            line(foot, &[&names[0], &names[1]], &[[x, -0.07, 0.12], [0.0, 0.0, 0.04]]);
        }
    }
    Rig { skeleton: Arc::new(Skeleton::new(joints).unwrap()), ..Rig::default() }
}

#[test]
fn fingers_and_toes_are_those_of_corrected_arms_and_legs() {
    let rig = with_digits();
    let joint = |name: &str| rig.skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id;
    let names = |limbs: &Limbs, role: Role, side: Side| -> Vec<String> {
        let of = limbs.of_role(role).filter(|limb| limb.side == side);
        of.map(|limb| rig.skeleton.joints()[limb.root()].name.clone()).collect()
    };
    let with = |found: &str, setting: LimbSetting| {
        let limbs = [(joint(found), setting)].into_iter().collect();
        limbs::of_rig(&Rig { limbs, ..rig.clone() }, &[])
    };
    let found = limbs::of_rig(&rig, &[]);
    let fingers = ["LeftHandIndex1", "LeftHandMiddle1", "LeftHandPinky1"];
    assert_eq!(names(&found, Role::Finger, Side::Left), fingers);
    assert_eq!(names(&found, Role::Toe, Side::Left), ["LeftToeInner1", "LeftToeOuter1"]);
    let [root, middle, end] = ["LeftArm", "LeftForeArm", "LeftHand"].map(joint);
    let arm = LimbSpec { role: Role::Arm, side: Side::Left, root, middle: Some(middle), end, bend: None };
    // Another role or side: what hangs from it goes along.
    let as_leg = with("LeftHand", LimbSetting::Limb(LimbSpec { role: Role::Leg, ..arm }));
    assert_eq!(names(&as_leg, Role::Finger, Side::Left), [""; 0]);
    assert_eq!(as_leg.of_role(Role::Toe).filter(|toe| toe.side == Side::Left).count(), 5);
    let right = with("LeftHand", LimbSetting::Limb(LimbSpec { side: Side::Right, ..arm }));
    assert_eq!(names(&right, Role::Finger, Side::Right).len(), 6);
    // Another end: its own are found, those of the hand are mere chains where the new ones do not run.
    let end = joint("LeftForeArm");
    let short = with("LeftHand", LimbSetting::Limb(LimbSpec { middle: None, end, ..arm }));
    assert_eq!(names(&short, Role::Finger, Side::Left), ["LeftHand"]);
    assert_eq!(short.of_role(Role::Chain).count(), 2);
    // No chain is made of what was said to be none; the hand stays a hand.
    let removed = with("LeftHand", LimbSetting::Removed);
    assert_eq!((removed.of_role(Role::Arm).count(), removed.of_role(Role::Chain).count()), (1, 0));
    assert_eq!(names(&removed, Role::Finger, Side::Left), fingers);
    // A mere chain is no arm, and nothing of it a finger.
    let chain = with("LeftHand", LimbSetting::Limb(LimbSpec { role: Role::Chain, ..arm }));
    assert_eq!((names(&chain, Role::Finger, Side::Left).len(), chain.of_role(Role::Chain).count()), (0, 4));
    // What is said about a finger itself stays.
    let end = joint("LeftHandIndex2");
    let mut said = rig.clone();
    said.limbs.insert(end, LimbSetting::Removed);
    said.limbs.insert(joint("LeftHand"), LimbSetting::Limb(LimbSpec { role: Role::Leg, ..arm }));
    let said = limbs::of_rig(&said, &[]);
    assert_eq!(said.of_role(Role::Toe).filter(|toe| toe.side == Side::Left).count(), 4);
    // Each joint is in one limb.
    for limbs in [&found, &as_leg, &right, &short, &removed, &chain, &said] {
        let mut seen = std::collections::BTreeSet::new();
        assert!(limbs.limbs.iter().flat_map(|limb| &limb.joints).all(|joint| seen.insert(*joint)), "{limbs:?}");
    }
}

#[test]
fn a_wrist_flexes_farther_than_it_tilts() {
    let rig = with_digits();
    let limbs = limbs::of_rig(&rig, &[]);
    for (side, out) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let wrist = limbs.limb(Role::Arm, side).unwrap().end();
        let limit = limbs::limit_of(&rig, &limbs, wrist).unwrap();
        let rest = rig.skeleton.joints()[wrist].rest.rotation;
        let limit = JointLimit::of(&limit, &rest);
        let turned = |axis: Vec3, degrees: f64| limit.contains(&(rest * from_axis_angle(&axis, degrees.to_radians())));
        // The palm looks down: about the body's axis forward the hand goes down on the left, up on the right.
        let down = Vec3::z() * -out;
        assert!(turned(down, 85.0) && turned(down, -80.0) && !turned(down, 95.0), "{side:?}");
        assert!(turned(Vec3::y(), 40.0) && turned(Vec3::y(), -40.0), "{side:?}");
        assert!(!turned(Vec3::y(), 55.0) && !turned(Vec3::y(), -55.0), "{side:?}");
        assert!(turned(Vec3::x(), 95.0) && !turned(Vec3::x(), 110.0), "{side:?}");
    }
}
