//! Captured motion is bent without popping: corrections on the recordings of the corpus.

use crate::{
    corpus::{bvh_files, text_of},
    support::{
        driver::Driver,
        motion::{document_of, exported, only_rig},
    },
};
use inbetween::{
    edit::{
        AutoKey, CorrectionEdit, Edit, Gesture, Session, SettingsEdit,
        limbs::{Frames, with_limbs, with_limbs_from},
        merge, pose,
    },
    eval::{
        Evaluator,
        drag::{Drag, DragInput, DragOptions},
        limbs::{self, Limb, Limbs, Role},
    },
    io::bvh::{ExportOptions, ImportOptions, write},
    math::{Transform, Vec3},
    model::{CorrectionId, Curve, Document, FrameRate, ObjectId, RotationCurve},
};
use std::sync::Arc;

/// The recordings of the corpus, those of people that move; none where the corpus is not there.
fn recordings() -> Vec<(String, Document)> {
    const NAMES: [&str; 3] = ["rokoko_jesse_dance.bvh", "fair1_dab.bvh", "fair1_zombie.bvh"];
    let name = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let files = bvh_files().into_iter().filter_map(|path| Some((name(&path)?, path)));
    let files = files.filter(|(name, _)| NAMES.contains(&name.as_str()));
    files.map(|(name, path)| (name, document_of(&text_of(&path), ImportOptions::default()).unwrap().0)).collect()
}

fn limbs_of(document: &Document, object: ObjectId) -> Limbs {
    let skeleton = &only_rig(document).1.skeleton;
    limbs::of_skeleton(skeleton, &limbs::first_pose(document, object))
}

/// What is asked of a recording again and again.
struct Stage {
    document: Document,
    object: ObjectId,
    limbs: Limbs,
    /// One for all: what it knows of the captured curves holds for every document that shares them.
    evaluator: Evaluator,
}

impl Stage {
    fn new(document: Document) -> Self {
        let object = only_rig(&document).0;
        let limbs = limbs_of(&document, object);
        Self { document, object, limbs, evaluator: Evaluator::new() }
    }

    fn hands(&self) -> Vec<usize> {
        self.limbs.of_role(Role::Arm).map(Limb::end).collect()
    }

    /// What the tool makes of a drag of a joint by so much at a time: joints with their local transforms.
    fn drag(&self, joint: usize, secs: f64, by: Vec3) -> Vec<(usize, Transform)> {
        let rig = only_rig(&self.document).1;
        let frame = self.evaluator.frame(&self.document, secs);
        let rest: Vec<Transform> = rig.skeleton.joints().iter().map(|joint| joint.rest).collect();
        let input = DragInput {
            tree: rig.skeleton.tree(),
            limbs: &self.limbs,
            rest: &rest,
            pressed: &frame.rig(self.object).unwrap().local,
            root: frame.objects[&self.object].world,
            joint,
            options: DragOptions::default(),
        };
        let drag = Drag::new(input).unwrap();
        drag.to(&(drag.start() + by)).changed
    }

    /// The document with joints posed at a time.
    fn posed(&self, secs: f64, joints: &[(usize, Transform)]) -> Document {
        let rig = only_rig(&self.document).1;
        let id = |index: usize| rig.skeleton.joints()[index].id;
        let changes: Vec<_> = joints.iter().map(|(index, local)| (id(*index), *local)).collect();
        let edit = pose::pose_edit(&self.document, self.object, secs, &changes, AutoKey::On).unwrap();
        let mut after = self.document.clone();
        edit.apply(&mut after).unwrap();
        after
    }

    /// The document with a joint dragged by so much at a time, as the tool does it.
    fn dragged(&self, joint: usize, secs: f64, by: Vec3) -> Document {
        self.posed(secs, &self.drag(joint, secs, by))
    }

    /// How far the end of a limb is from its root on frames, as a share of the limb's length.
    fn stretch(&self, document: &Document, limb: &Limb, frames: &std::ops::RangeInclusive<i64>) -> Vec<f64> {
        let [root, middle, end] =
            [limb.root(), limb.middle.unwrap(), limb.end()].map(|joint| self.places(document, joint, frames.clone()));
        let parts = root.iter().zip(&middle).zip(&end);
        parts
            .map(|((root, middle), end)| (end - root).norm() / ((middle - root).norm() + (end - middle).norm()))
            .collect()
    }

    /// Where a joint is on frames, in the world.
    fn places(&self, document: &Document, joint: usize, frames: std::ops::RangeInclusive<i64>) -> Vec<Vec3> {
        let rate = document.settings.rate;
        let world = self.evaluator.frame(document, 0.0).objects[&self.object].world;
        let at = |frame| self.evaluator.rig_frame(document, self.object, rate.secs(frame)).unwrap();
        frames.map(|frame| (world * at(frame).model[joint]).translation).collect()
    }
}

/// The changes of velocity from frame to frame, metres a second.
fn kicks(places: &[Vec3], fps: f64) -> Vec<Vec3> {
    places.windows(3).map(|p| (p[2] - p[1] * 2.0 + p[0]) * fps).collect()
}

/// How much of a correction of one pose acts so many frames from it, by the formula of the fade.
fn bump(frames: f64, reach: f64) -> f64 {
    let u = (1.0 - frames.abs() / reach).max(0.0);
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

/// The same pseudo-random numbers each time, 0..1.
fn chance(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Frames of a recording: the one at which a joint is fastest, the one at which it is slowest, and some by chance.
fn frames_of(stage: &Stage, joint: usize, chances: &mut u64) -> Vec<i64> {
    let range = stage.document.clips[&stage.document.settings.clip.unwrap()].range;
    let places = stage.places(&stage.document, joint, range.first..=range.last);
    let speed = |frame: &i64| {
        let at = usize::try_from(frame - range.first).unwrap();
        (places[at + 1] - places[at - 1]).norm()
    };
    let inner = range.first + 1..=range.last - 1;
    let fastest = inner.clone().max_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap();
    let slowest = inner.min_by(|a, b| speed(a).total_cmp(&speed(b))).unwrap();
    let by_chance = || range.first + ((range.last - range.first) as f64 * chance(chances)) as i64;
    let some: Vec<i64> = std::iter::repeat_with(by_chance).take(4).collect();
    [fastest, slowest].into_iter().chain(some).collect()
}

/// The nearest to full stretch that a hand's goal is followed without easing.
const WITHIN: f64 = 0.99;

/// A hand dragged by 10 cm on one frame adds at most 0.1 m/s to any change of its velocity from one frame to the next, at
/// any rate, in fast motion as in calm: on every frame it is at its own place plus the offset, faded.
#[test]
fn ten_centimetres_change_no_velocity_by_more_than_a_tenth_of_a_metre_a_second() {
    let (mut chances, mut tried, mut fast) = (7, 0, 0);
    for (name, document) in recordings() {
        let mut stage = Stage::new(document);
        let arms: Vec<Limb> = stage.limbs.of_role(Role::Arm).cloned().collect();
        assert_eq!(arms.len(), 2, "{name}");
        for fps in [24, 30, 60, 120] {
            let rate = FrameRate::new(fps, 1).unwrap();
            Edit::from(SettingsEdit::SetRate(rate)).apply(&mut stage.document).unwrap();
            for arm in &arms {
                let hand = arm.end();
                for frame in frames_of(&stage, hand, &mut chances) {
                    let mut direction = Vec3::from_fn(|_, _| chance(&mut chances) - 0.5).normalize();
                    // To the shoulder's side: most arms hang nearly straight.
                    let [hand_at, shoulder] =
                        [hand, arm.root()].map(|joint| stage.places(&stage.document, joint, frame..=frame)[0]);
                    if direction.dot(&(shoulder - hand_at)) < 0.0 {
                        direction = -direction;
                    }
                    let secs = rate.secs(frame);
                    let joints = stage.drag(hand, secs, direction * 0.1);
                    let after = stage.posed(secs, &joints);
                    let shown = stage.evaluator.rig_frame(&after, stage.object, secs).unwrap();
                    for (joint, local) in &joints {
                        let apart = (shown.local[*joint].rotation.coords - local.rotation.coords).norm();
                        let turned = (shown.local[*joint].rotation.coords + local.rotation.coords).norm();
                        assert!(apart.min(turned) < 1e-9, "{name} at {fps} fps, frame {frame}: {apart}");
                    }
                    let correction = after.clips[&after.settings.clip.unwrap()].corrections[0].clone();
                    let reach = rate.frame_f64(secs - correction.range.0).round();
                    let around = reach as i64 + 4;
                    let frames = frame - around..=frame + around;
                    let [own, moved] = [&stage.document, &after].map(|d| stage.places(d, hand, frames.clone()));
                    let middle = own.len() / 2;
                    let offset = moved[middle] - own[middle];
                    // An arm near its full stretch does not come so far, here or while it fades.
                    let stretched = stage.stretch(&after, arm, &frames).into_iter().fold(0.0, f64::max);
                    if (offset - direction * 0.1).norm() > 1e-9 || stretched > WITHIN {
                        continue;
                    }
                    tried += 1;
                    for (at, (own, moved)) in own.iter().zip(&moved).enumerate() {
                        let goal = own + offset * bump(at as f64 - middle as f64, reach);
                        let off = (moved - goal).norm();
                        assert!(off < 1e-9, "{name} at {fps} fps, frame {frame} and {at}: {off} m off its path");
                    }
                    let [before, after] = [own, moved].map(|places| kicks(&places, rate.fps()));
                    fast += usize::from(before.iter().map(Vec3::norm).fold(0.0, f64::max) > 0.5);
                    let added = before.iter().zip(&after).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max);
                    assert!(added <= 0.1, "{name} at {fps} fps, frame {frame}: {added} m/s");
                }
            }
        }
    }
    assert!((tried >= 40 && fast >= 20) || bvh_files().is_empty(), "tried {tried}, in fast motion {fast}");
}

/// An arm dragged out to full stretch on one frame of fast motion fades back without its elbow going round to the other side:
/// the plane it bends in turns from frame to frame by little more than without the correction.
#[test]
fn a_stretched_arm_comes_back_on_its_own_side() {
    /// Height of the elbow over the line from shoulder to hand, as a share of the arm, from which on there is a plane to see.
    const BENT: f64 = 0.1;
    let mut tried = 0;
    for (name, document) in recordings() {
        let stage = Stage::new(document);
        let rate = stage.document.settings.rate;
        let range = stage.document.clips[&stage.document.settings.clip.unwrap()].range;
        let arms: Vec<Limb> = stage.limbs.of_role(Role::Arm).cloned().collect();
        for arm in &arms {
            for frame in (range.first + 30..range.last - 30).step_by(60) {
                for by in [[0.0, 0.3, 0.35], [0.3, 0.35, 0.0], [-0.3, 0.35, 0.0], [0.0, 0.1, -0.45]] {
                    let after = stage.dragged(arm.end(), rate.secs(frame), Vec3::from(by));
                    let frames = frame - 12..=frame + 12;
                    let [before, after] = [&stage.document, &after].map(|document| {
                        let joints = [arm.root(), arm.middle.unwrap(), arm.end()];
                        let [root, middle, end] = joints.map(|joint| stage.places(document, joint, frames.clone()));
                        let corners = root.into_iter().zip(middle).zip(end);
                        corners.map(|((root, middle), end)| plane(root, middle, end)).collect::<Vec<_>>()
                    });
                    for (before, after) in before.windows(2).zip(after.windows(2)) {
                        if [before, after].iter().any(|pair| pair.iter().any(|(_, height)| *height < BENT)) {
                            continue;
                        }
                        tried += 1;
                        let [before, after] = [before, after].map(|pair| pair[0].0.angle(&pair[1].0).to_degrees());
                        assert!(
                            after - before < 30.0,
                            "{name}, frame {frame} by {by:?}: {after} degrees a frame, {before} without"
                        );
                    }
                }
            }
        }
    }
    assert!(tried > 1000 || bvh_files().is_empty(), "tried {tried}");
}

/// The normal of the plane a limb bends in, and how high its middle is over the line from root to end as a share of its length.
fn plane(root: Vec3, middle: Vec3, end: Vec3) -> (Vec3, f64) {
    let (upper, lower) = (middle - root, end - middle);
    let normal = upper.cross(&lower);
    let height = normal.norm() / (end - root).norm().max(1e-9) / (upper.norm() + lower.norm());
    (normal.normalize(), height)
}

/// A bracket that is dragged or moved with its limbs solved anew: the posed frame stays as posed, the hand fades over the
/// new range, and where the correction is moved to, by the offset it has there.
#[test]
fn a_limb_is_solved_anew_where_its_bracket_is_dragged() {
    let Some((name, document)) = recordings().into_iter().next() else { return };
    let stage = Stage::new(document);
    let clip = stage.document.settings.clip.unwrap();
    let rate = stage.document.settings.rate;
    let arm = stage.limbs.of_role(Role::Arm).next().unwrap();
    let frame = 230;
    let after = stage.dragged(arm.end(), rate.secs(frame), Vec3::y() * 0.1);
    let correction = after.clips[&clip].corrections[0].clone();
    assert!(!correction.solved.is_empty() && after.problems().is_empty());
    let id = correction.id;
    let range = (rate.secs(frame - 70), rate.secs(frame + 25));
    let dt = rate.secs(6);
    let wide = CorrectionEdit::SetRange { clip, correction: id, range };
    let moved = CorrectionEdit::Shift { clip, correction: id, dt };
    for (edit, frame) in [(wide, frame), (moved, frame + 6)] {
        let mut changed = after.clone();
        with_limbs(&after, edit).apply(&mut changed).unwrap();
        let [before, then] = {
            let range = changed.clips[&clip].corrections[0].range;
            [rate.secs(frame) - range.0, range.1 - rate.secs(frame)].map(|secs| rate.frame_f64(secs))
        };
        let frames = frame - 80..=frame + 80;
        let [own, places] = [&stage.document, &changed].map(|d| stage.places(d, arm.end(), frames.clone()));
        let offset = places[80] - own[80];
        assert!(offset.norm() > 0.05, "{name}: {offset}");
        let stretched = stage.stretch(&changed, arm, &frames);
        for (at, (own, place)) in own.iter().zip(&places).enumerate() {
            let from = at as f64 - 80.0;
            let goal = own + offset * bump(from, if from < 0.0 { before } else { then });
            let off = (place - goal).norm();
            assert!(off < 1e-9 || stretched[at] > WITHIN, "{name}, frame {at}: {off} m");
        }
    }
}

/// Hips dropped on one frame: the feet stay on their own path on every frame, in place and rotation.
#[test]
fn feet_keep_their_own_path_under_hips_that_are_dropped_on_one_frame() {
    let (mut chances, mut tried) = (11, 0);
    for (name, document) in recordings() {
        let stage = Stage::new(document);
        let legs: Vec<Limb> = stage.limbs.of_role(Role::Leg).cloned().collect();
        let rate = stage.document.settings.rate;
        for frame in frames_of(&stage, legs[0].end(), &mut chances) {
            let after = stage.dragged(stage.limbs.hips.unwrap(), rate.secs(frame), Vec3::y() * -0.1);
            let frames = frame - 60..=frame + 60;
            for leg in &legs {
                if stage.stretch(&after, leg, &frames).into_iter().fold(0.0, f64::max) > WITHIN {
                    continue;
                }
                tried += 1;
                let [own, moved] = [&stage.document, &after].map(|d| stage.places(d, leg.end(), frames.clone()));
                let off = own.iter().zip(&moved).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
                assert!(off < 1e-9, "{name}, frame {frame}: {off} m");
            }
        }
    }
    assert!(tried >= 4 || bvh_files().is_empty(), "{tried}");
}

/// The same document with the channels of the clip as they are and everything else of it gone.
fn curves_of(document: &Document) -> Document {
    let mut bare = document.clone();
    let clip = bare.settings.clip.unwrap();
    bare.clip_mut(clip).unwrap().corrections.clear();
    bare
}

#[test]
fn outside_its_brackets_a_correction_leaves_every_bit() {
    for (name, document) in recordings() {
        let stage = Stage::new(document);
        let clip = stage.document.settings.clip.unwrap();
        let rate = stage.document.settings.rate;
        let hand = stage.hands()[0];
        let frame = stage.document.clips[&clip].range.last / 2;
        let mut after = stage.dragged(hand, rate.secs(frame), Vec3::new(0.05, 0.1, 0.0));
        let id = after.clips[&clip].corrections[0].id;
        let check = |after: &Document| {
            assert_eq!(after.clips[&clip].channels, stage.document.clips[&clip].channels, "{name}: samples are kept");
            let (start, end) = after.clips[&clip].corrections[0].range;
            let range = after.clips[&clip].range;
            let mut inside = 0;
            for half in range.first * 2..=range.last * 2 {
                let secs = rate.secs(half) / 2.0;
                let [a, b] = [&stage.document, after]
                    .map(|document| stage.evaluator.rig_frame(document, stage.object, secs).unwrap().local.clone());
                if secs <= start || secs >= end {
                    let bits = |t: &Transform| (t.translation, t.rotation.coords, t.scale);
                    assert!(a.iter().map(bits).eq(b.iter().map(bits)), "{name} at {secs} s");
                } else {
                    inside += usize::from(a != b);
                }
            }
            assert!(inside > 0, "{name}: something is changed inside");
        };
        check(&after);
        // Its brackets dragged, and the whole of it.
        let (start, end) = after.clips[&clip].corrections[0].range;
        let range = (start + 3.0 * rate.frame_secs(), end + 20.0 * rate.frame_secs());
        Edit::from(CorrectionEdit::SetRange { clip, correction: id, range }).apply(&mut after).unwrap();
        check(&after);
        let dt = -11.0 * rate.frame_secs();
        Edit::from(CorrectionEdit::Shift { clip, correction: id, dt }).apply(&mut after).unwrap();
        check(&after);
        assert_eq!(curves_of(&after), stage.document, "{name}");
    }
}

#[test]
fn merged_corrections_are_one_and_the_same_on_every_frame() {
    let Some((name, document)) = recordings().into_iter().last() else { return };
    let stage = Stage::new(document);
    let clip = stage.document.settings.clip.unwrap();
    let rate = stage.document.settings.rate;
    let hands = stage.hands();
    let head = stage.limbs.head.unwrap_or(hands[0]);
    let mut several = stage.document.clone();
    for (joint, frame, by) in
        [(hands[0], 60, Vec3::y()), (hands[1], 66, Vec3::x()), (hands[0], 72, Vec3::z()), (head, 75, Vec3::x())]
    {
        let one = stage.dragged(joint, rate.secs(frame), by * 0.08);
        let mut correction = (*one.clips[&clip].corrections[0]).clone();
        let list = &mut several.clip_mut(clip).unwrap().corrections;
        correction.id = CorrectionId(u32::try_from(list.len()).unwrap());
        list.push(Arc::new(correction));
    }
    for edit in [
        CorrectionEdit::SetScale { clip, correction: CorrectionId(2), scale: 1.4 },
        CorrectionEdit::SetScale { clip, correction: CorrectionId(0), scale: 0.6 },
    ] {
        Edit::from(edit).apply(&mut several).unwrap();
    }
    // The second stays, and is applied after the merged one then.
    let chosen = [0, 2, 3].map(CorrectionId).into_iter().collect();
    let mut session = Session::new(several.clone());
    let edit = merge::merge(&several, clip, &chosen, "Merged").unwrap();
    session.apply("history.correction_merge", &edit).unwrap();
    let merged = session.document().clone();
    let list = &merged.clips[&clip].corrections;
    assert_eq!(list.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["Merged", "Frame 66"]);
    assert!(list[0].deltas.values().all(|curve| curve.is_sampled()));
    for frame in 0..160 {
        let secs = rate.secs(frame);
        let [a, b] = [&several, &*merged].map(|d| stage.evaluator.rig_frame(d, stage.object, secs).unwrap());
        for (a, b) in a.local.iter().zip(&b.local) {
            assert!((a.translation - b.translation).norm() < 1e-9, "{name} frame {frame}");
            let apart = (a.rotation.coords - b.rotation.coords).norm();
            assert!(apart.min((a.rotation.coords + b.rotation.coords).norm()) < 1e-9, "{name} frame {frame}");
        }
    }
    assert_eq!(merged.problems(), []);
    assert!(session.undo() && **session.document() == several);
    // A merged one is stretched by its brackets and stays neutral at both ends.
    let id = list[0].id;
    let (start, end) = list[0].range;
    let mut wide = (*merged).clone();
    let range = (start - 0.5, end + 0.25);
    Edit::from(CorrectionEdit::SetRange { clip, correction: id, range }).apply(&mut wide).unwrap();
    assert_eq!((wide.clips[&clip].corrections[0].range, wide.problems()), (range, Vec::new()));
}

#[test]
fn a_selected_correction_takes_further_poses_and_passes_through_them() {
    let Some((name, document)) = recordings().into_iter().last() else { return };
    let stage = Stage::new(document);
    let clip = stage.document.settings.clip.unwrap();
    let rate = stage.document.settings.rate;
    let hand = stage.hands()[0];
    let mut document = stage.dragged(hand, rate.secs(100), Vec3::y() * 0.05);
    let id = document.clips[&clip].corrections[0].id;
    let range = (rate.secs(80), rate.secs(140));
    Edit::from(CorrectionEdit::SetRange { clip, correction: id, range }).apply(&mut document).unwrap();
    let posed = stage.dragged(hand, rate.secs(115), Vec3::y() * 0.12);
    let wanted = stage.evaluator.rig_frame(&posed, stage.object, rate.secs(115)).unwrap();
    let rig = only_rig(&document).1;
    let joints = rig.skeleton.joints().iter().zip(&wanted.local).filter(|(joint, _)| !joint.is_end());
    let changes: Vec<_> = joints.map(|(joint, local)| (joint.id, *local)).collect();
    let edit = pose::pose_edit_into(&document, stage.object, rate.secs(115), &changes, AutoKey::On, Some(id)).unwrap();
    edit.apply(&mut document).unwrap();
    assert_eq!(document.clips[&clip].corrections.len(), 1, "{name}: the same correction");
    let places = stage.places(&document, hand, 78..=142);
    let own = stage.places(&stage.document, hand, 78..=142);
    let raised: Vec<f64> = places.iter().zip(&own).map(|(a, b)| (a - b).norm()).collect();
    assert!((raised[22] - 0.05).abs() < 0.01 && (raised[37] - 0.12).abs() < 0.01);
    // Between its keys it does not come to rest: at the first it rises on.
    assert!(raised[23] - raised[21] > 0.002, "{}", raised[23] - raised[21]);
}

/// What each channel of the only correction turns by besides, with the times.
fn turns(document: &Document) -> Vec<(f64, inbetween::math::Quat)> {
    let clip = document.clips.values().next().unwrap();
    let curves = clip.corrections[0].solved.values();
    let samples = curves.filter_map(|curve| match &**curve {
        Curve::Rotation(RotationCurve::Sampled(samples)) => Some(samples),
        _ => None,
    });
    samples.flat_map(|s| (0_i64..).zip(s.values.iter()).map(|(at, turn)| (s.start + s.rate.secs(at), *turn))).collect()
}

/// A hand dragged inside a correction of the whole clip: while it is dragged the frames around are solved, the others are as
/// they were; let go, all are, as by one big change, to the bit.
#[test]
fn a_drag_inside_a_long_correction_is_live_and_ends_as_one_big_change() {
    let walk = write(&exported(&inbetween::samples::start(), ExportOptions::default()).0);
    let document = document_of(std::str::from_utf8(&walk).unwrap(), ImportOptions::default()).unwrap().0;
    let mut driver = Driver::new(document);
    let by = |from: [f64; 2], x: f64, y: f64| [from[0] + x, from[1] + y];
    let hand = driver.at("hand.r");
    driver.drag(hand, by(hand, 15.0, -20.0), 3);
    let document = driver.session.document().clone();
    let (clip, found) = document.clips.iter().next().unwrap();
    let correction = found.corrections[0].id;
    let edit = CorrectionEdit::SetRange { clip: *clip, correction, range: (-1.0, 9.0) };
    let mut long = (*document).clone();
    with_limbs(&document, edit).apply(&mut long).unwrap();
    let dragged = |moves: u32| {
        let mut driver = Driver::new(long.clone());
        let hand = driver.at("hand.r");
        let to = by(hand, -20.0, -25.0);
        driver.pull(hand, to, moves);
        let during = driver.session.document().clone();
        driver.release(to);
        assert_eq!(driver.steps(), 1);
        (during, driver.session.document().clone())
    };
    let ((during, ended), (_, at_once)) = (dragged(30), dragged(1));
    assert_eq!(ended, at_once);
    let (before, during, ended) = (turns(&long), turns(&during), turns(&ended));
    assert!(before.len() > 400 && before.len() == during.len() && during.len() == ended.len());
    let near = |secs: f64| document.settings.rate.frame_f64(secs.abs()) < 24.6;
    for ((old, now), end) in before.iter().zip(&during).zip(&ended) {
        let wanted = if near(now.0) { end.1 } else { old.1 };
        assert!(now.1.angle_to(&wanted) < 1e-12, "at {} s", now.0);
    }
    assert!(during != ended && during != before, "the rest is solved at the end");
}

/// A bracket dragged about: on the way only the frames around the playhead are solved, and they as at the end; let go, all
/// are as by one change, to the bit.
#[test]
fn a_bracket_is_dragged_live_and_ends_as_one_change() {
    let Some((name, document)) = recordings().into_iter().last() else { return };
    let stage = Stage::new(document);
    let clip = stage.document.settings.clip.unwrap();
    let rate = stage.document.settings.rate;
    let document = stage.dragged(stage.hands()[0], rate.secs(100), Vec3::y() * 0.1);
    let begun = document.clips[&clip].corrections[0].clone();
    let range = |frames: i64| (begun.range.0, begun.range.1 + rate.secs(frames));
    let edit = |frames: i64| CorrectionEdit::SetRange { clip, correction: begun.id, range: range(frames) };
    let mut at_once = document.clone();
    with_limbs(&document, edit(120)).apply(&mut at_once).unwrap();

    let playhead = rate.secs(104);
    let mut session = Session::new(document);
    session.gesture(Gesture::Begin { label: "history.correction_range" }).unwrap();
    for frames in [10, 60, 119, 120] {
        let live = with_limbs_from(session.document(), (clip, &begun), edit(frames), Frames::Near(playhead));
        session.gesture(Gesture::Update(live)).unwrap();
    }
    let shown = |document: &Document, secs: f64| stage.evaluator.rig_frame(document, stage.object, secs).unwrap();
    for frame in 90..120 {
        let secs = rate.secs(frame);
        let (live, end) = (shown(session.document(), secs), shown(&at_once, secs));
        assert_eq!(live.local, end.local, "{name} frame {frame}");
    }
    let (live, end) = (turns(session.document()), turns(&at_once));
    assert!(live.len() == end.len() && live != end, "far from the playhead nothing is solved on the way");
    let last = with_limbs_from(session.document(), (clip, &begun), edit(120), Frames::All);
    session.gesture(Gesture::Update(last)).unwrap();
    session.gesture(Gesture::Commit).unwrap();
    assert_eq!(**session.document(), at_once);
}
