use super::{
    super::biped::{ANKLE_HEIGHT, BALL_OFFSET, HEEL, SHIN, THIGH},
    *,
};

const GAITS: [(&str, &Gait); 8] = [
    ("round", &table::ROUND),
    ("walk", &table::WALK),
    ("run", &table::RUN),
    ("strafe left", &table::STRAFE_LEFT),
    ("strafe right", &table::STRAFE_RIGHT),
    ("lean left", &table::LEAN_LEFT),
    ("tired", &table::TIRED),
    ("limp", &table::LIMP),
];

#[test]
fn legs_are_never_stretched_and_feet_stay_above_the_ground() {
    let mut wrong = Vec::new();
    for (name, gait) in GAITS {
        let (mut longest, mut lowest) = (0.0_f64, f64::INFINITY);
        for i in 0..400 {
            let secs = f64::from(i) * gait.secs() / 400.0;
            for side in [Side::Left, Side::Right] {
                let foot = gait.foot(side, secs);
                longest = longest.max((foot.ankle - gait.hips(secs).socket(side)).norm() / (THIGH + SHIN));
                let world = foot.rotation();
                let ball = foot.ankle + world * Vec3::from(BALL_OFFSET);
                let tip = ball + world * about(Vec3::x(), -foot.toe_bend) * Vec3::new(0.0, -0.005, 0.075);
                let heel = foot.ankle + world * Vec3::new(0.0, -ANKLE_HEIGHT, -HEEL);
                lowest = lowest.min(ball.y - 0.02).min(tip.y - 0.015).min(heel.y);
            }
        }
        println!("{name}: legs to {longest:.4}, soles at {lowest:.5}");
        if longest > 0.993 || lowest < -1e-4 {
            wrong.push((name, longest, lowest));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn feet_move_without_a_jump_of_speed() {
    let h = 1e-4;
    for (name, gait) in GAITS {
        for side in [Side::Left, Side::Right] {
            let at = |secs: f64| gait.foot(side, secs).ankle;
            for i in 0..1_500 {
                let secs = f64::from(i) * gait.secs() / 1_500.0 + 3.0 * gait.secs();
                let change = (at(secs + h) - 2.0 * at(secs) + at(secs - h)) / h;
                assert!(change.norm() < 0.08, "{name} {secs}: {}", change.norm());
            }
        }
    }
}

#[test]
fn every_motion_closes() {
    let standing: [&dyn Motion; 3] = [&table::IDLE, &table::BREATHE, &table::WAVE];
    let going = GAITS[1..].iter().map(|(_, gait)| *gait as &dyn Motion);
    for motion in standing.into_iter().chain(going) {
        let end = motion.secs();
        let moved = motion.hips(end).position - motion.hips(0.0).position;
        assert!(moved.y.abs() < 1e-9);
        for side in [Side::Left, Side::Right] {
            let pairs = [
                (motion.leg(side, 0.0).thigh, motion.leg(side, end).thigh),
                (motion.leg(side, 0.0).foot, motion.leg(side, end).foot),
                (motion.arm(side, 0.0).forearm, motion.arm(side, end).forearm),
            ];
            for (a, b) in pairs {
                assert!(a.angle_to(&b) < 1e-7);
            }
        }
    }
}
