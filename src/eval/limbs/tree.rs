//! Children, lengths and paths of a skeleton.

use super::SkeletonView;
use crate::math::Vec3;

/// The skeleton as a tree with measures that do not depend on the pose.
pub(super) struct Tree<'a> {
    pub(super) view: SkeletonView<'a>,
    pub(super) children: Vec<Vec<usize>>,
    /// Length of the bone from the parent; 0 for roots.
    pub(super) length: Vec<f64>,
    /// The longest path from the joint down to a leaf.
    pub(super) height: Vec<f64>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(view: &SkeletonView<'a>) -> Self {
        let count = view.parents.len().min(view.rest.len()).min(view.names.len()).min(view.tips.len());
        let mut children = vec![Vec::new(); count];
        let mut length = vec![0.0; count];
        for (joint, parent) in view.parents.iter().enumerate().take(count) {
            if let Some(parent) = parent.filter(|p| *p < joint) {
                children[parent].push(joint);
                length[joint] = finite((view.rest[joint] - view.rest[parent]).norm());
            }
        }
        let mut height = vec![0.0; count];
        for joint in (0..count).rev() {
            if let Some(parent) = view.parents[joint].filter(|p| *p < joint) {
                height[parent] = f64::max(height[parent], height[joint] + length[joint]);
            }
        }
        Self { view: *view, children, length, height }
    }

    pub(super) fn count(&self) -> usize {
        self.children.len()
    }

    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.view.parents[joint].filter(|p| *p < joint)
    }

    /// The path length of the branch that starts with `joint`, its own bone included.
    pub(super) fn branch(&self, joint: usize) -> f64 {
        self.length[joint] + self.height[joint]
    }

    /// Children that are joints, not tips.
    pub(super) fn joints_under(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.children[joint].iter().copied().filter(|c| !self.view.tips[*c])
    }

    /// From `joint` down, always into the longest branch, to a leaf; `joint` included.
    pub(super) fn longest_path(&self, joint: usize) -> Vec<usize> {
        let mut path = vec![joint];
        let mut at = joint;
        while let Some(next) = self.longest_child(at) {
            path.push(next);
            at = next;
        }
        path
    }

    fn longest_child(&self, joint: usize) -> Option<usize> {
        // The first of equals, so that the order of the file decides and not that of the comparison.
        let mut best: Option<usize> = None;
        for child in &self.children[joint] {
            if best.is_none_or(|b| self.branch(*child) > self.branch(b) * (1.0 + 1e-9)) {
                best = Some(*child);
            }
        }
        best
    }

    /// From a root down to `joint`, both included.
    pub(super) fn path_to(&self, joint: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(joint), |j| self.parent(*j)).collect();
        path.reverse();
        path
    }

    /// The path from `top` down to `joint`, both included; none where `top` is not above it.
    pub(super) fn path_between(&self, top: usize, joint: usize) -> Option<Vec<usize>> {
        let path = self.path_to(joint);
        let start = path.iter().position(|j| *j == top)?;
        Some(path[start..].to_vec())
    }

    /// The deepest joint above or at all of these; none where they hang from different roots.
    pub(super) fn common_ancestor(&self, joints: &[usize]) -> Option<usize> {
        let paths: Vec<Vec<usize>> = joints.iter().map(|j| self.path_to(*j)).collect();
        let first = paths.first()?;
        let shared = |depth: &usize| paths.iter().all(|p| p.get(*depth) == first.get(*depth));
        let depth = (0..first.len()).take_while(shared).last()?;
        first.get(depth).copied()
    }

    pub(super) fn is_under(&self, joint: usize, top: usize) -> bool {
        std::iter::successors(Some(joint), |j| self.parent(*j)).any(|j| j == top)
    }

    /// Joints in the branch that starts with `joint`, tips included.
    pub(super) fn size(&self, joint: usize) -> usize {
        1 + self.children[joint].iter().map(|c| self.size(*c)).sum::<usize>()
    }

    /// The summed bone lengths along a path, the bone above its first joint left out.
    pub(super) fn path_length(&self, path: &[usize]) -> f64 {
        path.iter().skip(1).map(|j| self.length[*j]).sum()
    }

    /// Whether bones have their rest lengths in the given positions (2 %, over nine tenths of the whole).
    pub(super) fn keeps_lengths(&self, positions: &[Vec3]) -> bool {
        if positions.len() < self.count() {
            return false;
        }
        let total: f64 = self.length.iter().sum();
        let kept: f64 = (0..self.count())
            .filter_map(|joint| {
                let now = (positions[joint] - positions[self.parent(joint)?]).norm();
                ((now - self.length[joint]).abs() <= 0.02 * self.length[joint]).then_some(self.length[joint])
            })
            .sum();
        total > 0.0 && kept >= 0.9 * total
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
