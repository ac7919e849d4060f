//! Hands, feet and corrected limbs: on the sample character and the human files of the corpus.

use inbetween::{
    edit::{Edit, EditError, RigEdit},
    eval::{
        fk,
        limbs::{
            self, Limbs, Role, Side,
            foot::{Foot, FootBody, FootPivot},
            hand::Hand,
        },
        mirror::Mirror,
        sample::rig_pose,
    },
    io::{bvh::ImportOptions, open::open},
    math::{Affine, Transform, Vec3},
    model::{BendToward, Document, LimbSetting, LimbSpec, ObjectId, Rig},
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
        fk::model_from_locals(self.rig.skeleton.parents(), &locals, &Affine::IDENTITY, &mut world);
        world
    }

    fn name_of(&self, joint: usize) -> &str {
        &self.rig.skeleton.joints()[joint].name
    }
}

#[test]
fn a_foot_rolls_about_a_point_that_stays() {
    for figure in figures() {
        for side in [Side::Left, Side::Right] {
            let ankle = figure.limbs.limb(Role::Leg, side).unwrap().end();
            let foot = Foot::of(&figure.rig, &figure.limbs, ankle).unwrap();
            let body =
                FootBody { rig: &figure.rig, limbs: &figure.limbs, locals: &figure.pose, root: Affine::IDENTITY };
            let before = figure.world(&figure.pose, &[]);
            for pivot in FootPivot::ALL {
                let place = |world: &[Affine]| foot.place(pivot, |joint| world.get(joint).copied()).unwrap();
                let size = (before[ankle].translation - place(&before)).norm();
                assert!(size > 0.0, "{}: {pivot:?} is the ankle", figure.name);
                for degrees in [5.0_f64, 15.0, 30.0] {
                    let (changed, gap) = foot.roll(&body, pivot, degrees.to_radians());
                    let after = figure.world(&figure.pose, &changed);
                    let moved = (place(&after) - place(&before)).norm();
                    assert!((moved - gap).abs() < 1e-9, "{}: {pivot:?}", figure.name);
                    let most = if pivot == FootPivot::Heel { 0.3 } else { 0.05 };
                    // Only a leg that is stretched already is too short for it.
                    let name = figure.name_of(ankle);
                    assert!(gap < most * size, "{}, {name}: {pivot:?} slides {gap} of {size}", figure.name);
                    if figure.name == "sample" && pivot != FootPivot::Heel {
                        assert!(gap < 1e-9, "{pivot:?} slides {gap}");
                    }
                    let turned = after[ankle].rotation().angle_to(&before[ankle].rotation()).to_degrees();
                    assert!((turned - degrees).abs() < 1e-6, "{}: {pivot:?} {degrees} {turned}", figure.name);
                    if let Some(toe) = foot.toe.filter(|_| pivot == FootPivot::Ball) {
                        assert!(after[toe].rotation().angle_to(&before[toe].rotation()) < 1e-6, "{}", figure.name);
                    }
                }
            }
            assert_eq!(foot.roll(&body, FootPivot::Ball, 0.0), (Vec::new(), 0.0));
        }
    }
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
