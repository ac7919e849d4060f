//! Figures to drag: the sample and every human file of the corpus, with and without names, with the limits of their roles.

use inbetween::{
    eval::{
        drag::{Drag, DragInput, DragOptions},
        fk,
        ik::JointLimit,
        limbs::{self, Limb, Limbs, Role, Side},
        sample::rig_pose,
    },
    io::{bvh::ImportOptions, open::open},
    math::{Affine, Quat, Transform, Vec3, rotation::from_axis_angle},
    model::{Document, Rig},
};
use std::{path::PathBuf, sync::Arc};

/// What closes a held foot to the last hair may pass a limit by so much, degrees.
const NEARLY: f64 = 0.5;

/// A skeleton in one pose, with its limbs and their limits.
#[derive(Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) rig: Arc<Rig>,
    pub(crate) rest: Vec<Transform>,
    pub(crate) pressed: Vec<Transform>,
    pub(crate) limbs: Limbs,
    pub(crate) limits: Vec<Option<JointLimit>>,
}

impl Figure {
    pub(crate) fn of(name: &str, document: &Document, at_rest: bool, renamed: bool) -> Self {
        let (object, rig) = document.objects.iter().find_map(|(id, o)| Some((*id, o.as_rig()?))).unwrap();
        let mut rig = rig.clone();
        if renamed {
            let plain = |joint: &inbetween::model::Joint| {
                let mut joint = joint.clone();
                joint.name = format!("j{}", joint.id);
                joint
            };
            let skeleton = Arc::new(rig.skeleton.map_joints(plain).unwrap());
            Arc::make_mut(&mut rig).skeleton = skeleton;
        }
        let limbs = limbs::of_object(document, object, &rig.skeleton);
        let rest = limbs.stance(&rig.skeleton);
        let pressed = if at_rest { rest.clone() } else { rig_pose(document, object, 0.0).unwrap() };
        let limits = limbs::limits(&rig, &limbs);
        let name = format!("{name}{}", if renamed { " (renamed)" } else { "" });
        Self { name, rig, rest, pressed, limbs, limits }
    }

    pub(crate) fn parents(&self) -> &[Option<usize>] {
        self.rig.skeleton.parents()
    }

    pub(crate) fn world(&self, changed: &[(usize, Transform)]) -> Vec<Affine> {
        let mut locals = self.pressed.clone();
        changed.iter().for_each(|(joint, local)| locals[*joint] = *local);
        let mut model = Vec::new();
        fk::model_from_locals(self.rig.skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
        model
    }

    pub(crate) fn drag(&self, joint: usize, options: DragOptions) -> Drag<'_> {
        let (tree, rest, pressed) = (self.rig.skeleton.tree(), &self.rest[..], &self.pressed[..]);
        let root = Affine::IDENTITY;
        let input = DragInput { tree, limbs: &self.limbs, rest, pressed, root, joint, options };
        Drag::new(input).unwrap().with_limits(&self.limits)
    }

    pub(crate) fn arms_and_legs(&self) -> impl Iterator<Item = &Limb> {
        self.limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg) && limb.middle.is_some())
    }

    /// Whether the middle of a limb is off the line from root to end by more than a share of the limb.
    pub(crate) fn bends(&self, limb: &Limb, share: f64) -> bool {
        let world = self.world(&[]);
        let [root, end] = [limb.root(), limb.end()].map(|joint| world[joint].translation);
        let line = (end - root).normalize();
        let off = limb.middle.map(|middle| world[middle].translation - root);
        off.is_some_and(|off| (off - line * off.dot(&line)).norm() > share * self.length(limb))
    }

    pub(crate) fn length(&self, limb: &Limb) -> f64 {
        let world = self.world(&[]);
        limb.joints.windows(2).map(|p| (world[p[1]].translation - world[p[0]].translation).norm()).sum()
    }

    /// Up, forward and left of the body as it stands at the press, from its joints alone.
    pub(crate) fn frame(&self) -> [Vec3; 3] {
        let world = self.world(&[]);
        let at = |role, side| world[self.limbs.limb(role, side).unwrap().root()].translation;
        let low = (at(Role::Leg, Side::Left) + at(Role::Leg, Side::Right)) * 0.5;
        let up = (world[self.limbs.chest.or(self.limbs.head).unwrap()].translation - low).normalize();
        let across = at(Role::Leg, Side::Left) - at(Role::Leg, Side::Right);
        let left = (across - up * across.dot(&up)).normalize();
        [up, left.cross(&up), left]
    }

    /// That a limited joint is within its limits, or no farther out than at the press; what is held keeps its rotation.
    pub(crate) fn check(&self, changed: &[(usize, Transform)], what: &str, held: &[usize]) {
        for (joint, local) in changed.iter().filter(|(joint, _)| !held.contains(joint)) {
            if let Some(limit) = &self.limits[*joint] {
                let wide = limit.including(&self.pressed[*joint].rotation);
                let name = &self.rig.skeleton.joints()[*joint].name;
                let seen = wide.measure(&local.rotation);
                assert!(wide.contains(&local.rotation), "{}, {what}: {name} beyond its limits: {seen:?}", self.name);
            }
        }
    }

    /// [`Figure::check`] where legs are held, except one that holds `grabbed` itself: how many of them pass their limits. Each
    /// that does must have no pose within.
    pub(crate) fn check_held(&self, changed: &[(usize, Transform)], what: &str, grabbed: usize) -> usize {
        let passes = |joint: &usize| {
            let local = changed.iter().find(|(other, _)| other == joint).map(|(_, local)| local.rotation);
            let limit = self.limits[*joint].map(|limit| limit.including(&self.pressed[*joint].rotation));
            limit.zip(local).is_some_and(|(limit, local)| !limit.contains(&local))
        };
        let held = self.limbs.of_role(Role::Leg).filter(|leg| !leg.joints.contains(&grabbed) && leg.middle.is_some());
        let legs: Vec<&Limb> = held.collect();
        // What holds a foot keeps its rotation, whatever the ankle's limits.
        let ends = legs.iter().map(|leg| leg.end());
        let yields: Vec<&&Limb> =
            legs.iter().filter(|leg| leg.joints[..leg.joints.len() - 1].iter().any(passes)).collect();
        for leg in &yields {
            let by = self.passes_by(changed, leg);
            let found = if by < NEARLY { None } else { self.pose_within(changed, leg) };
            let says = format!("{}, {what}: the {:?} leg passes its limits by {by} degrees", self.name, leg.side);
            assert!(found.is_none(), "{says}, and could be within them: {found:?}");
        }
        let let_be: Vec<usize> = yields.iter().flat_map(|leg| leg.joints.clone()).chain(ends).collect();
        self.check(changed, what, &let_be);
        yields.len()
    }

    /// By how many degrees a limb's joints but its end pass their limits at most.
    pub(crate) fn passes_by(&self, changed: &[(usize, Transform)], limb: &Limb) -> f64 {
        let by = |joint: &usize| {
            let local = changed.iter().find(|(other, _)| other == joint).map(|(_, local)| local.rotation);
            let limit = self.limits[*joint].map(|limit| limit.including(&self.pressed[*joint].rotation));
            limit.zip(local).map_or(0.0, |(limit, local)| limit.clamp(&local).angle_to(&local).to_degrees())
        };
        limb.joints[..limb.joints.len() - 1].iter().map(by).fold(0.0, f64::max)
    }

    /// A pose within the limits of a limb's root and middle that keeps its end where it is: the angle of the middle about the
    /// line from root to end and the twists of the two parts, degrees. By trying them all, six degrees apart.
    pub(crate) fn pose_within(&self, changed: &[(usize, Transform)], limb: &Limb) -> Option<[i32; 3]> {
        let world = self.world(changed);
        let [root, middle, end] = [limb.root(), limb.middle?, limb.end()];
        let at = |joint: usize| world[joint].translation;
        let turn = |joint: usize| world[joint].rotation();
        let above = self.parents()[root].map_or_else(Quat::identity, turn);
        let helpers = turn(root).inverse() * turn(self.parents()[middle]?);
        let limit = |joint: usize| self.limits[joint].map(|limit| limit.including(&self.pressed[joint].rotation));
        let within = |joint: usize, local: &Quat| limit(joint).is_none_or(|limit| limit.contains(local));
        let line = (at(end) - at(root)).normalize();
        let (upper, lower) = (at(middle) - at(root), at(end) - at(middle));
        let tries = || (-180..180).step_by(6);
        let about = |axis: &Vec3, degrees: i32| from_axis_angle(axis, f64::from(degrees).to_radians());
        for swivel in tries() {
            // Turned about the line as one, both parts keep the end; then each turns about itself.
            let round = about(&line, swivel);
            for twist in tries() {
                let thigh = about(&(round * upper).normalize(), twist) * round * turn(root);
                if !within(root, &(above.inverse() * thigh)) {
                    continue;
                }
                for shank_twist in tries() {
                    let shank = about(&(round * lower).normalize(), shank_twist) * round * turn(middle);
                    if within(middle, &((thigh * helpers).inverse() * shank)) {
                        return Some([swivel, twist, shank_twist]);
                    }
                }
            }
        }
        None
    }
}

/// The sample and the human files, as they stand in the first frame or at rest.
pub(crate) fn figures(at_rest: bool) -> Vec<Figure> {
    let sample = inbetween::samples::start();
    let mut figures: Vec<Figure> =
        [false, true].map(|renamed| Figure::of("sample", &sample, at_rest, renamed)).into_iter().collect();
    let folder = std::env::var_os("INBETWEEN_FILES")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/files"), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("limbs.json")) else {
        eprintln!("corpus: no limbs.json in {}: limits are tried on the sample only", folder.display());
        return figures;
    };
    let truth: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    for file in truth.keys() {
        let path = folder.join("bvh").join(file);
        let Ok(opened) = open(&path, ImportOptions::default()) else { continue };
        let folded = ["makehuman_tpose.bvh", "makehuman_benchmark_pose.bvh"].contains(&file.as_str());
        for renamed in [false, true] {
            figures.push(Figure::of(file, &opened.document, folded || at_rest, renamed));
        }
    }
    figures
}
