//! A skeleton's limbs with what the mannequin needs besides: lengths, the pose to judge by, the trunk and the neck.

use crate::eval::limbs::{BodyFrame, Limb, Limbs, Role, Side, SkeletonView, find};
use crate::math::{Affine, Vec3};

/// A skeleton as plain slices, one entry a joint, each after its parent.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Index of the parent; an index that is not before the joint counts as none.
    pub parents: &'a [Option<usize>],
    /// Whether each joint is only the tip of a bone.
    pub tips: &'a [bool],
    /// Names, or an empty slice.
    pub names: &'a [&'a str],
    /// The rest pose in one common space, metres. Joints without an entry in every slice are ignored.
    pub rest: &'a [Affine],
    /// Any natural pose, such as a motion's first frame. Used instead of the rest pose where that is no natural one
    /// (some files have all bones along one axis there).
    pub posed: Option<&'a [Affine]>,
    /// Its limbs; none where they are to be found.
    pub limbs: Option<&'a Limbs>,
}

/// Two limbs that hang on one joint of the trunk.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Girdle {
    /// The joint they hang on.
    pub(super) at: usize,
    /// The left limb.
    pub(super) left: Limb,
    /// The right limb.
    pub(super) right: Limb,
}

impl Girdle {
    /// Both limbs.
    pub(super) fn limbs(&self) -> [&Limb; 2] {
        [&self.left, &self.right]
    }
}

/// What a skeleton is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Anatomy {
    /// Parents, those out of order dropped.
    pub(super) parents: Vec<Option<usize>>,
    /// Children in order.
    pub(super) children: Vec<Vec<usize>>,
    /// Longest path from the joint down to a tip, metres.
    pub(super) reach: Vec<f64>,
    /// The pose it was judged by.
    pose: Vec<Affine>,
    /// The body's size: the longest path between two tips through the skeleton, over 1.5; a person's height.
    pub(super) size: f64,
    /// The half each joint lies in.
    pub(super) sides: Vec<Side>,
    /// Whether each joint is in the trunk.
    pub(super) trunk: Vec<bool>,
    /// Pairs of arms and legs, hips first.
    pub(super) girdles: Vec<Girdle>,
    /// From the trunk's last joint to the head, the head last; empty without.
    pub(super) neck: Vec<usize>,
    /// Joints of limbs that are neither trunk nor neck nor tail.
    pub(super) in_limb: Vec<bool>,
    /// Up, forward and left in the judged pose.
    pub(super) frame: BodyFrame,
    /// Whether the trunk stands upright above the legs, as a person's does and a dog's does not.
    pub(super) upright: bool,
}

impl Anatomy {
    /// Where the figure looks, as a direction in the space of the joint the legs hang on, or of the first joint.
    pub(super) fn front(&self) -> Option<(usize, Vec3)> {
        let joint = self.girdles.first().map_or(0, |girdle| girdle.at);
        let turned = self.pose.get(joint)?.rotation().inverse() * self.frame.forward;
        Some((joint, turned))
    }

    /// Judges a skeleton.
    pub(super) fn new(body: &Body<'_>) -> Self {
        let count = body.parents.len().min(body.rest.len()).min(body.tips.len());
        let parents: Vec<Option<usize>> = (0..count).map(|i| body.parents[i].filter(|parent| *parent < i)).collect();
        let places = |pose: &[Affine]| pose.iter().take(count).map(|place| place.translation).collect::<Vec<_>>();
        let names: Vec<&str> = (0..count).map(|i| body.names.get(i).copied().unwrap_or_default()).collect();
        let posed = body.posed.filter(|posed| posed.len() >= count);
        let limbs = body.limbs.cloned().unwrap_or_else(|| {
            find(&SkeletonView {
                parents: &parents,
                names: &names,
                tips: &body.tips[..count],
                rest: &places(body.rest),
                posed: &posed.map(places).unwrap_or_default(),
            })
        });
        let pose = posed.filter(|_| limbs.by_posed).unwrap_or(body.rest);
        let mut found = Self::measured(parents, &pose[..count]);
        found.frame = limbs.frame;
        found.take_limbs(&limbs);
        found
    }

    /// Lengths.
    fn measured(parents: Vec<Option<usize>>, pose: &[Affine]) -> Self {
        let count = pose.len();
        let mut found = Self {
            children: vec![Vec::new(); count],
            reach: vec![0.0; count],
            pose: pose.to_vec(),
            sides: vec![Side::Middle; count],
            trunk: vec![false; count],
            in_limb: vec![false; count],
            parents,
            ..Self::default()
        };
        let mut longest = 0.0_f64;
        for joint in (0..count).rev() {
            if let Some(parent) = found.parents[joint] {
                found.children[parent].insert(0, joint);
                let bone = (pose[joint].translation - pose[parent].translation).norm();
                let way = found.reach[joint] + if bone.is_finite() { bone } else { 0.0 };
                // The two longest ways down from a joint meet here, one after the other.
                longest = longest.max(found.reach[parent] + way);
                found.reach[parent] = found.reach[parent].max(way);
            }
        }
        found.size = if longest > 1e-9 { longest / 1.5 } else { 1.0 };
        found
    }

    /// Girdles, trunk, neck and sides from the limbs.
    fn take_limbs(&mut self, limbs: &Limbs) {
        let members = || limbs.limbs.iter().filter(|limb| matches!(limb.role, Role::Arm | Role::Leg));
        let attach = |limb: &Limb| self.parents[limb.lead.first().copied().unwrap_or_else(|| limb.root())];
        for left in members().filter(|limb| limb.side == Side::Left) {
            let is_mate =
                |limb: &&Limb| limb.side == Side::Right && limb.role == left.role && attach(limb) == attach(left);
            if let (Some(right), Some(at)) = (members().find(is_mate), attach(left)) {
                self.girdles.push(Girdle { at, left: left.clone(), right: right.clone() });
            }
        }
        let depth = |joint: usize| std::iter::successors(Some(joint), |joint| self.parents[*joint]).count();
        let mut girdles = std::mem::take(&mut self.girdles);
        girdles.sort_by_key(|girdle| (girdle.left.role == Role::Arm, depth(girdle.at)));
        for girdle in &girdles {
            let up = std::iter::successors(Some(girdle.at), |joint| self.parents[*joint]);
            up.for_each(|joint| self.trunk[joint] = true);
        }
        self.upright = !limbs.four_legged;
        self.girdles = girdles;
        if let (Some(head), Some(_)) = (limbs.head, self.girdles.first()) {
            let up = std::iter::successors(Some(head), |joint| self.parents[*joint]);
            self.neck = up.take_while(|joint| !self.trunk[*joint]).collect();
            self.neck.reverse();
        }
        for limb in members() {
            for &joint in limb.lead.iter().chain(&limb.joints) {
                (self.sides[joint], self.in_limb[joint]) = (limb.side, true);
            }
        }
        for limb in limbs.limbs.iter().filter(|limb| !matches!(limb.role, Role::Arm | Role::Leg)) {
            limb.joints.iter().filter(|joint| !self.in_limb[**joint]).for_each(|joint| self.sides[*joint] = limb.side);
        }
        // What hangs on a limb is on its side.
        for joint in 0..self.len() {
            if let Some(parent) = self.parents[joint].filter(|parent| self.in_limb[*parent]) {
                (self.sides[joint], self.in_limb[joint]) = (self.sides[parent], true);
            }
        }
    }

    /// How many joints there are.
    pub(super) fn len(&self) -> usize {
        self.pose.len()
    }

    /// Joint `joint` in the space of joint `of`.
    pub(super) fn place(&self, joint: usize, of: usize) -> Vec3 {
        let delta = self.pose[joint].translation - self.pose[of].translation;
        self.to_local(of, &delta)
    }

    /// A direction in the space of joint `from`, seen in that of `to`, in the judged pose.
    pub(super) fn carried(&self, direction: &Vec3, from: usize, to: usize) -> Vec3 {
        self.to_local(to, &self.pose[from].vector(direction))
    }

    /// A direction of the judged pose in the space of a joint.
    pub(super) fn to_local(&self, joint: usize, direction: &Vec3) -> Vec3 {
        self.pose[joint].linear.try_inverse().map_or(*direction, |inverse| inverse * direction)
    }

    /// The child with the longest way to go; the first of equals.
    pub(super) fn next(&self, joint: usize) -> Option<usize> {
        let way = |child: usize| self.reach[child] + self.place(child, joint).norm();
        self.children[joint].iter().copied().reduce(|a, b| if way(b) > way(a) { b } else { a })
    }

    /// The tip that is farthest from a joint along the bones.
    pub(super) fn tip(&self, joint: usize) -> usize {
        std::iter::successors(Some(joint), |joint| self.next(*joint)).last().unwrap_or(joint)
    }

    /// Whether `joint` is `top` or below it.
    pub(super) fn is_below(&self, joint: usize, top: usize) -> bool {
        let mut up = std::iter::successors(Some(joint), |joint| self.parents[*joint]);
        up.any(|here| here == top)
    }
}
