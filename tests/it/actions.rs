//! How many actions of the user common jobs take, counted as they are done in the window: a click, a drag or a key is one.

use crate::support::{
    fakes::Outside,
    motion::{exported, only_rig},
};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};
use inbetween::{
    app::App,
    edit::{columns, pin_here},
    eval::Evaluator,
    io::bvh::{ExportOptions, write},
    math::Vec3,
    model::{Document, JointId, ObjectId},
};
use std::path::PathBuf;

/// The program and what was done in it.
pub(crate) struct Hands {
    pub(crate) window: Harness<'static, App>,
    actions: usize,
}

impl Hands {
    pub(crate) fn on(file: Option<PathBuf>) -> Self {
        Self { window: Outside::default().start(file, [1280.0, 800.0]), actions: 0 }
    }

    pub(crate) fn send(&mut self, event: Event) {
        self.window.event(event);
        self.window.step();
    }

    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2) {
        self.actions += 1;
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.send(Event::PointerMoved(from));
        self.send(button(from, true));
        (1..=8_u8).for_each(|step| self.send(Event::PointerMoved(from + (to - from) * (f32::from(step) / 8.0))));
        self.send(button(to, false));
        self.window.run();
    }

    pub(crate) fn key(&mut self, key: Key, modifiers: Modifiers) {
        self.actions += 1;
        self.window.key_press_modifiers(modifiers, key);
        self.window.run();
    }

    pub(crate) fn document(&self) -> &Document {
        self.window.state().session().document()
    }

    /// Where a joint is on the screen.
    pub(crate) fn at(&self, name: &str) -> Pos2 {
        self.window.get_by_role_and_label(Role::GraphicsObject, name).rect().center()
    }

    pub(crate) fn joint(&self, name: &str) -> (ObjectId, JointId, usize) {
        let (object, rig) = only_rig(self.document());
        let index = rig.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
        (object, rig.skeleton.joints()[index].id, index)
    }

    pub(crate) fn place(&self, name: &str, secs: f64) -> Vec3 {
        let (object, _, index) = self.joint(name);
        let frame = Evaluator::new().frame(&std::sync::Arc::new(self.document().clone()), secs);
        frame.joint_world(object, index).unwrap().translation
    }

    pub(crate) fn steps(&self) -> usize {
        self.window.state().session().history().index()
    }
}

#[test]
fn both_feet_are_planted_and_the_hips_dropped_in_two() {
    // P with nothing selected, else Shift and P; then the hips.
    for (selected, modifiers) in
        [(None, Modifiers::NONE), (Some("hips"), Modifiers::NONE), (Some("head"), Modifiers::SHIFT)]
    {
        let mut hands = Hands::on(None);
        if let Some(joint) = selected {
            let at = hands.at(joint);
            hands.drag(at, at);
            hands.actions = 0;
        }
        let feet = ["foot.l", "foot.r"];
        let (before, hips) = (feet.map(|foot| hands.place(foot, 0.0)), hands.place("hips", 0.0));
        hands.key(Key::P, modifiers);
        let at = hands.at("hips");
        hands.drag(at, at + vec2(0.0, 40.0));
        assert_eq!((hands.actions, hands.steps()), (2, 2), "{selected:?}");
        assert!(hands.place("hips", 0.0).y < hips.y - 0.05, "the hips are dropped");
        let clip = hands.document().clips.values().next().unwrap().clone();
        assert_eq!(clip.pins.len(), 2);
        for (foot, before) in feet.into_iter().zip(before) {
            let (_, joint, _) = hands.joint(foot);
            let pin = clip.pins.iter().find(|pin| pin.joint == joint).unwrap();
            for step in 0..=20 {
                let secs = pin.range.0 + (pin.range.1 - pin.range.0) * f64::from(step) / 20.0;
                let off = (hands.place(foot, secs) - before).norm();
                assert!(off < 1e-4, "{foot} is {off} m off at {secs} s");
            }
        }
    }
}

#[test]
fn the_feet_that_stand_are_planted_and_in_the_air_both() {
    let mut hands = Hands::on(None);
    let (object, ..) = hands.joint("hips");
    let standing = |document: &Document| {
        pin_here::standing(&std::sync::Arc::new(document.clone()), &Evaluator::new(), &[object], 0.0)
    };
    let both = standing(hands.document());
    assert_eq!((both.feet.len(), both.in_air), (2, false));
    // A raised foot is none to plant.
    let at = hands.at("foot.l");
    hands.drag(at, at - vec2(0.0, 40.0));
    let (_, right, _) = hands.joint("foot.r");
    assert_eq!(standing(hands.document()).feet, [(object, right)]);
    let mut jump = hands.document().clone();
    jump.object_mut(object).unwrap().transform.translation.y += 1.0;
    let air = standing(&jump);
    assert_eq!((air.feet.len(), air.in_air), (2, true));
}

#[test]
fn the_right_hand_reaches_on_captured_motion_in_two() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("captured.bvh");
    let motion = write(&exported(&inbetween::samples::start(), ExportOptions::default()).0);
    inbetween::io::file::write(&file, &motion).unwrap();
    let mut hands = Hands::on(Some(file));
    // To the next frame, and the hand to the point.
    hands.key(Key::ArrowRight, Modifiers::NONE);
    let secs = hands.window.state().view().secs;
    let at = hands.at("hand.r");
    let point = at + vec2(10.0, -22.0);
    let before = hands.place("hand.r", secs);
    let head = hands.at("head");
    hands.drag(at, point);
    assert_eq!((hands.actions, hands.steps()), (2, 1));
    // What is selected may widen the panels beside the view: the picture is then a little smaller.
    let now = hands.at("hand.r") - (hands.at("head") - head);
    assert!((now - point).length() < 3.0, "the hand is at {now:?}, the point at {point:?}");
    assert!((hands.place("hand.r", secs) - before).norm() > 0.03);
    let clip = hands.document().clips.values().next().unwrap();
    assert_eq!(clip.corrections.len(), 1, "captured motion is corrected");
}

#[test]
fn a_pose_is_retimed_by_four_frames_in_one() {
    let mut hands = Hands::on(None);
    let poses = |document: &Document| -> Vec<(i64, usize)> {
        let (id, rate) = (document.settings.clip.unwrap(), document.settings.rate);
        let on = |frame| (frame, columns::keys_at(document, id, None, &[rate.secs(frame)]).len());
        (-100..=400).map(on).filter(|(_, keys)| *keys > 0).collect()
    };
    let before = poses(hands.document());
    let most = before.iter().map(|(_, keys)| *keys).max().unwrap();
    let whole: Vec<i64> = before.iter().filter(|(_, keys)| *keys == most).map(|(frame, _)| *frame).collect();
    let pose = |hands: &Hands, frame: i64| hands.window.get_by_label(&format!("Pose, frame {frame}")).rect().center();
    let [first, second] = [pose(&hands, whole[0]), pose(&hands, whole[1])];
    let frame_pt = (second.x - first.x) / (whole[1] - whole[0]) as f32;
    hands.drag(second, second + vec2(4.2 * frame_pt, 0.0));
    assert_eq!((hands.actions, hands.steps()), (1, 1));
    let after = poses(hands.document());
    let at = |poses: &[(i64, usize)], frame: i64| poses.iter().find(|(f, _)| *f == frame).map_or(0, |(_, keys)| *keys);
    assert_eq!(at(&after, whole[1] + 4), most, "{after:?}");
    assert_eq!(at(&after, whole[1]), 0);
}
