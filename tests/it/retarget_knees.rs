//! Knees of motion brought to the sample: they bend about the character's own axis, however straight the source's are.

use crate::{
    corpus::{bvh_files, text_of},
    support::motion::document_of,
};
use inbetween::{
    eval::Evaluator,
    eval::limbs::{Limb, Role, of_object},
    eval::retarget::{Options, Source, run},
    io::bvh::ImportOptions,
    math::{Affine, Vec3},
    model::{Document, FrameRange, ObjectId},
    progress::Progress,
};

/// A knee: its joints, and the axis of the rest pose in the thigh's space.
struct Knee {
    joints: [usize; 3],
    axis: Vec3,
}

fn model(evaluator: &Evaluator, document: &Document, object: ObjectId, secs: f64) -> Vec<Affine> {
    evaluator.rig_frame(document, object, secs).expect("a pose").model.clone()
}

/// The knees of a figure, with their axes as its motion bends them most.
fn knees(document: &Document, object: ObjectId, secs: &[f64]) -> Vec<Knee> {
    let rig = document.object(object).unwrap().as_rig().unwrap();
    let limbs = of_object(document, object, &rig.skeleton);
    let evaluator = Evaluator::new();
    let models: Vec<Vec<Affine>> = secs.iter().map(|secs| model(&evaluator, document, object, *secs)).collect();
    let knee = |leg: &Limb| {
        let joints = [leg.root(), leg.middle?, leg.end()];
        let axis = |model: &Vec<Affine>| {
            let [hip, knee, ankle] = joints.map(|joint| model[joint].translation);
            model[joints[0]].rotation().inverse() * (knee - hip).normalize().cross(&(ankle - knee).normalize())
        };
        let axis = models.iter().map(axis).max_by(|a, b| a.norm().total_cmp(&b.norm()))?;
        Some(Knee { joints, axis: axis.try_normalize(1e-3)? })
    };
    limbs.of_role(Role::Leg).filter_map(knee).collect()
}

impl Knee {
    /// How far the shin is bent out of the plane of the knee, radians.
    fn sideways(&self, model: &[Affine]) -> f64 {
        let [_, knee, ankle] = self.joints.map(|joint| model[joint].translation);
        let axis = model[self.joints[0]].rotation() * self.axis;
        (ankle - knee).normalize().dot(&axis).clamp(-1.0, 1.0).asin().abs()
    }
}

/// How far the knees of the target bend sideways at most over its clip, radians.
fn most_sideways(knees: &[Knee], document: &Document, object: ObjectId, times: &[f64]) -> f64 {
    let evaluator = Evaluator::new();
    let models = times.iter().map(|secs| model(&evaluator, document, object, *secs));
    models.flat_map(|model| knees.iter().map(move |knee| knee.sideways(&model)).collect::<Vec<_>>()).fold(0.0, f64::max)
}

/// Feet that are held bend knees about their own axis, also where the source's are straight or pressed through (by up to
/// 8 degrees in the files): what is bent the wrong way comes straight through, and not round sideways.
#[test]
fn held_feet_bend_no_knee_sideways() {
    let target = inbetween::samples::start();
    let object = target.rigs().next().expect("the sample's figure").0;
    let times = |document: &Document, count: i64| -> Vec<f64> {
        (0..count).map(|frame| document.settings.rate.secs(frame)).collect()
    };
    let knees = knees(&target, object, &times(&target, 60));
    assert_eq!(knees.len(), 2);
    for path in bvh_files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some((first, last)) =
            [("fair1_zombie", (640, 700)), ("fair1_dab", (60, 110)), ("makehuman_walk1", (0, 30))]
                .into_iter()
                .find_map(|(of, frames)| (of == name).then_some(frames))
        else {
            continue;
        };
        let (mut document, _) = document_of(&text_of(&path), ImportOptions::default()).unwrap();
        let (from, ..) = document.rigs().next().unwrap();
        let clip = document.clip_of(from).unwrap();
        let range = document.clip(clip).unwrap().range;
        document.clip_mut(clip).unwrap().range = FrameRange::new(first, last.min(range.last));
        let source = Source::new(&document, from, clip).unwrap();
        let most = [false, true].map(|lock_feet| {
            let options = Options { lock_feet, ..Options::default() };
            let found = run(&source, (&target, object), None, &options, &Progress::new()).unwrap();
            let (step, start, frames) = (found.rate.frame_secs(), found.start, found.frames);
            let mut played = target.clone();
            let id = played.add_clip(found.clip);
            played.object_mut(object).unwrap().clip = Some(id);
            let times: Vec<f64> = (0..frames).map(|frame| start + step * frame as f64).collect();
            most_sideways(&knees, &played, object, &times)
        });
        let [free, held] = most.map(f64::to_degrees);
        assert!(held < free + 3.0, "{name}: {free:.1} degrees sideways, with feet held {held:.1}");
    }
}
