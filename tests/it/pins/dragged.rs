//! Pins while a body is dragged.

use super::*;

#[test]
fn the_hips_are_dragged_and_pinned_feet_and_hands_stay() {
    let mut figure = figure();
    let limbs = limbs::of_skeleton(&figure.document.rigs().next().unwrap().2.skeleton, &[]);
    let hand = limbs.of_role(limbs::Role::Arm).next().unwrap().end();
    let held: Vec<usize> = figure.feet.iter().copied().chain([hand]).collect();
    for joint in &held {
        figure.pin(*joint, 0.0);
    }
    let mut driver = Driver::new(figure.document.clone());
    driver.view.secs = 0.5;
    let places = |driver: &Driver| held.iter().map(|joint| driver.world(&figure.name(*joint))).collect::<Vec<_>>();
    let before = places(&driver);
    let hips = driver.at("hips");
    driver.drag(hips, [hips[0] + 3.0, hips[1] + 45.0], 8);
    assert_eq!(driver.steps(), 1);
    let down = figure.world(figure.hips, 0.5).translation.y - driver.world("hips").y;
    assert!(down > 0.05, "the hips go down by {down} m");
    for (before, after) in before.iter().zip(places(&driver)) {
        assert!((before - after).norm() < 1e-6, "{before} {after}");
    }
    // The frame that was posed stays as posed without the pins.
    let mut free = (**driver.session.document()).clone();
    let clip = figure.clip_id();
    for pin in figure.clip().pins.clone() {
        PinEdit::Delete { clip, pin: pin.id }.run_on(&mut free);
    }
    let [a, b] = [&**driver.session.document(), &free].map(|document| Evaluator::new().frame(document, 0.5));
    for (a, b) in a.rig(figure.object).unwrap().model.iter().zip(&b.rig(figure.object).unwrap().model) {
        assert!((a.translation - b.translation).norm() < 1e-6);
    }
}

#[test]
fn a_dragged_pinned_joint_takes_its_pin_along_and_alt_parts_it() {
    for parts in [false, true] {
        let mut figure = figure();
        figure.key(0.0, figure.hips, |local| local.translation.y -= 0.15);
        let foot = figure.feet[0];
        figure.pin(foot, 0.0);
        let name = figure.name(foot);
        let old = figure.clip().pins[0].place;
        let mut driver = Driver::new(figure.document.clone());
        driver.view.secs = 1.0;
        let at = driver.at(&name);
        driver.press(at);
        driver.held = if parts { Modifiers::ALT } else { Modifiers::NONE };
        driver.hover([at[0] + 10.0, at[1] - 6.0]);
        driver.hover([at[0] + 20.0, at[1] - 12.0]);
        driver.release([at[0] + 20.0, at[1] - 12.0]);
        let document = driver.session.document().clone();
        let clip = document.clip(figure.clip_id()).unwrap();
        assert_eq!((clip.pins.len(), clip.channels.len()), (1 + usize::from(parts), figure.clip().channels.len()));
        let new = driver.world(&name);
        assert!((new - old).norm() > 0.02, "the foot has moved");
        driver.view.secs = 0.2;
        let early = driver.world(&name);
        let wanted = if parts { old } else { new };
        assert!((early - wanted).norm() < 1e-6, "{parts}: {early} {wanted}");
    }
}

/// Captured legs are straight but for a degree or so, to any side. Held, and lower than they were, they bend; the knee comes
/// from any side, but the thigh does not roll about itself with it.
#[test]
fn a_pinned_leg_that_is_nearly_straight_does_not_roll_with_the_noise_of_its_knee() {
    let mut figure = figure();
    let (hips, foot) = (figure.hips, figure.feet[0]);
    let skeleton = figure.document.object(figure.object).unwrap().as_rig().unwrap().skeleton.clone();
    let knee = skeleton.parents()[foot].unwrap();
    let thigh = skeleton.parents()[knee].unwrap();
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let chord = rest[foot].translation.normalize();
    for frame in 0..24 {
        let secs = f64::from(frame) / 24.0;
        // Wherever the knee stands: straight, and a degree to a side that changes from frame to frame.
        let side = f64::from(frame) * 2.4;
        let noise = from_axis_angle(&Vec3::new(side.cos(), 0.0, side.sin()), 0.018);
        let straight = inbetween::math::rotation::shortest_arc(&chord, &rest[knee].translation.normalize());
        figure.key(secs, knee, |local| local.rotation = noise * straight);
        figure.key(secs, hips, |local| local.translation.y += 1e-9);
    }
    let place = figure.world(foot, 0.0).translation + Vec3::new(0.0, 0.012, 0.0);
    let pin = Pin {
        id: PinId(0),
        name: String::new(),
        object: figure.object,
        joint: figure.joint(foot),
        space: PinSpace::World,
        place,
        orientation: None,
        range: (0.0, 1.0),
        ease: (0.0, 0.0),
        influence: 1.0,
        muted: false,
    };
    let clip = figure.clip_id();
    figure.apply(PinEdit::Add { clip, pin: Arc::new(pin) });
    let (mut most, mut moved) = (0.0_f64, 0.0_f64);
    for frame in 0..23 {
        let [a, b] = [frame, frame + 1].map(|frame| figure.rig_frame(f64::from(frame) / 24.0));
        most = most.max(turned(&a.local[thigh].rotation, &b.local[thigh].rotation).to_degrees());
        moved = moved.max((a.model[knee].translation - b.model[knee].translation).norm());
        assert!((figure.world(foot, f64::from(frame) / 24.0).translation - place).norm() < 1e-9);
    }
    assert!(
        most < 25.0,
        "the thigh turns by {most:.1} degrees from one frame to the next, the knee moves {moved:.3} m"
    );
}
