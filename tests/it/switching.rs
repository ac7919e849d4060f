//! Switches from one clip to another: where they begin, what they keep, and as clips.

use inbetween::{
    eval::{
        blend::transition::Transition,
        clips::{
            Motion,
            switching::{Stage, SwitchPlan, jump},
        },
    },
    math::{
        Vec3,
        decay::DecayStart,
        easing::{Ease, EaseFamily, EaseMode},
        rotation::{align, chord_angle},
    },
    model::{ClipId, Document, names::find_clip},
    progress::Progress,
    samples::SAMPLES,
};

fn plan(from: &str, to: &str, how: Transition) -> (Document, SwitchPlan) {
    let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
    let object = document.rigs().next().unwrap().0;
    let clip = |name: &str| find_clip(&document, name).unwrap();
    let plan = SwitchPlan { object, from: clip(from), to: clip(to), at: 1.4, entry: 0.25, how };
    (document, plan)
}

const INERTIAL: Transition = Transition::Inertial { secs: 0.4, start: DecayStart::Smooth };

#[test]
fn the_second_clip_begins_where_the_first_is_left_and_both_go_on() {
    let (document, plan) = plan("Walk", "Run", INERTIAL);
    let stage = Stage::new(&document, plan).unwrap();
    let (left, entered) = (stage.from(plan.at)[0].translation, stage.to(plan.at)[0].translation);
    assert!((left - entered).xz().norm() < 1e-9, "{left} {entered}");
    // A walk that travels goes on over its end, at its pace.
    let (a, b) = (stage.from(0.3)[0].translation, stage.from(1.3)[0].translation);
    let walk = document.clip(plan.from).unwrap();
    let rate = document.settings.rate;
    assert_eq!(rate.secs(walk.range.last), 1.0);
    assert!((b - a).z > 1.0, "{a} {b}");
    let far = stage.from(11.3)[0].translation;
    assert!(((far - a) - (b - a) * 11.0).norm() < 1e-6);
}

#[test]
fn inertialization_keeps_place_and_velocity_and_a_linear_fade_kinks() {
    let (document, plan) = plan("Walk", "Run", INERTIAL);
    let stage = Stage::new(&document, plan).unwrap();
    let linear = Ease { family: EaseFamily::Power(1.0), mode: EaseMode::In };
    let fade = Transition::Crossfade { secs: 0.4, ease: linear, frozen: false };
    let of = |how: Transition| {
        let switch = stage.switch(how);
        jump(&|secs| stage.pose(&switch, secs)[0].translation, plan.at)
    };
    let (inertial, faded) = (of(INERTIAL), of(fade));
    assert!(inertial.place < 1e-6 && inertial.velocity < 1e-3, "{inertial:?}");
    assert!(faded.place < 1e-6 && faded.velocity > 0.02, "{faded:?}");
}

#[test]
fn a_clip_entered_at_its_very_begin_keeps_the_velocity_of_every_joint_too() {
    let (document, plan) = plan("Walk", "Run", INERTIAL);
    let stage = Stage::new(&document, SwitchPlan { entry: 0.0, at: 0.6, ..plan }).unwrap();
    let switch = stage.switch(INERTIAL);
    let count = stage.skeleton().joints().len();
    for joint in 0..count {
        let found = jump(&|secs| stage.pose(&switch, secs)[joint].translation, 0.6);
        assert!(found.place < 1e-6 && found.velocity < 1e-3, "{joint}: {found:?}");
        let turned = |secs: f64| {
            let pose = stage.pose(&switch, secs)[joint].rotation;
            align(&pose, &stage.from(0.6)[joint].rotation).imag()
        };
        let found = jump(&turned, 0.6);
        assert!(found.place < 1e-6 && found.velocity < 1e-3, "{joint}: {found:?}");
    }
}

#[test]
fn a_jump_of_known_parabolas_is_found() {
    let place = |t: f64| {
        if t < 1.0 { Vec3::new(t, 0.0, 0.0) } else { Vec3::new(1.5, 2.0 * (t - 1.0) + 3.0 * (t - 1.0).powi(2), 0.0) }
    };
    let found = jump(&place, 1.0);
    assert!((found.place - 0.5).abs() < 1e-8 && (found.velocity - 5.0_f64.sqrt()).abs() < 1e-5, "{found:?}");
    assert!((found.acceleration - 6.0).abs() < 1e-3, "{found:?}");
}

#[test]
fn a_baked_switch_is_what_was_shown() {
    let (document, plan) = plan("Idle", "Wave", INERTIAL);
    let stage = Stage::new(&document, plan).unwrap();
    let clip = stage.baked("switch", &Progress::new()).unwrap();
    let mut with = document.clone();
    let id = with.add_clip(clip);
    assert_eq!(with.problems(), []);
    let motion = Motion::new(&with, plan.object, id).unwrap();
    let switch = stage.switch(plan.how);
    let rate = document.settings.rate;
    for frame in [0, 20, 33, 34, 36, 40, motion.clip().range.last] {
        let (got, wanted) = (motion.pose(rate.secs(frame)), stage.pose(&switch, rate.secs(frame)));
        for (a, b) in got.iter().zip(&wanted) {
            assert!(chord_angle(&a.rotation, &b.rotation) < 1e-9 && (a.translation - b.translation).norm() < 1e-9);
        }
    }
    let gone = SwitchPlan { to: ClipId(9999), ..plan };
    assert!(Stage::new(&document, gone).is_none());
}
