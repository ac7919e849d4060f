//! The tree of nodes, and which of them are the joints of which rig.

use super::{GltfError, json};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes as a forest.
#[derive(Debug)]
pub(super) struct Tree {
    /// The parent of each node.
    pub(super) parents: Vec<Option<usize>>,
    /// Every node after its parent, depth first.
    pub(super) order: Vec<usize>,
    /// Whether a node is part of the scene that is shown.
    pub(super) shown: Vec<bool>,
}

impl Tree {
    /// The tree of a file.
    ///
    /// # Errors
    /// Where a child does not exist, has two parents, or is its own ancestor.
    pub(super) fn new(root: &json::Root) -> Result<Self, GltfError> {
        let count = root.nodes.len();
        let mut parents: Vec<Option<usize>> = vec![None; count];
        for (index, node) in root.nodes.iter().enumerate() {
            for (place, &child) in node.children.iter().enumerate() {
                let path = || format!("nodes[{index}].children[{place}]");
                let Some(parent) = parents.get_mut(child) else {
                    return Err(GltfError::missing(path(), "nodes", child, count));
                };
                if let Some(other) = parent {
                    let what = format!("nodes[{child}] is a child of nodes[{other}] already; a node has one parent");
                    return Err(GltfError::part(path(), what));
                }
                *parent = Some(index);
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut waiting: Vec<usize> = (0..count).rev().filter(|node| parents[*node].is_none()).collect();
        while let Some(node) = waiting.pop() {
            order.push(node);
            waiting.extend(root.nodes[node].children.iter().rev());
        }
        if order.len() < count {
            let reached: BTreeSet<usize> = order.iter().copied().collect();
            let lost = (0..count).find(|node| !reached.contains(node)).unwrap_or_default();
            return Err(GltfError::part(format!("nodes[{lost}]"), "it is its own ancestor: the nodes run in a circle"));
        }
        let shown = shown(root, &parents, &order)?;
        Ok(Self { parents, order, shown })
    }

    /// A node and its ancestors, upwards.
    pub(super) fn upwards(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |node| self.parents.get(*node).copied().flatten())
    }
}

fn shown(root: &json::Root, parents: &[Option<usize>], order: &[usize]) -> Result<Vec<bool>, GltfError> {
    let count = root.nodes.len();
    let Some(index) = root.scene.or_else(|| (!root.scenes.is_empty()).then_some(0)) else {
        return Ok(vec![true; count]);
    };
    let scene =
        root.scenes.get(index).ok_or_else(|| GltfError::missing("scene", "scenes", index, root.scenes.len()))?;
    let mut shown = vec![false; count];
    for (place, &node) in scene.nodes.iter().enumerate() {
        let path = format!("scenes[{index}].nodes[{place}]");
        *shown.get_mut(node).ok_or_else(|| GltfError::missing(path, "nodes", node, count))? = true;
    }
    for &node in order {
        if let Some(parent) = parents[node] {
            shown[node] |= shown[parent];
        }
    }
    Ok(shown)
}

/// The nodes that become one rig.
#[derive(Clone, Debug, Default)]
pub(super) struct RigPlan {
    /// The node that stands for the rig object; none where the joints have none to themselves.
    pub(super) holder: Option<usize>,
    /// The joints.
    pub(super) joints: BTreeSet<usize>,
    /// The first skin that made it.
    pub(super) skin: usize,
}

/// Which nodes are joints. The joints of skins whose trees touch are one rig, with what lies between them and what hangs
/// below without being anything else.
pub(super) fn rigs(root: &json::Root, tree: &Tree) -> Result<Vec<RigPlan>, GltfError> {
    let mut plans: Vec<RigPlan> = Vec::new();
    for (index, skin) in root.skins.iter().enumerate() {
        if skin.joints.is_empty() {
            return Err(GltfError::part(format!("skins[{index}].joints"), "a skin has at least one joint"));
        }
        for (place, &joint) in skin.joints.iter().enumerate() {
            if joint >= root.nodes.len() {
                let path = format!("skins[{index}].joints[{place}]");
                return Err(GltfError::missing(path, "nodes", joint, root.nodes.len()));
            }
        }
        let mut plan = plan(root, tree, skin, index);
        // Whatever touches it is one with it.
        while let Some(at) = plans.iter().position(|other| touch(other, &plan)) {
            plan = merged(tree, &plans.remove(at), plan);
        }
        plans.push(plan);
    }
    plans.sort_by_key(|plan| plan.skin);
    let plain = plain_subtrees(root, tree);
    let mut rig_of: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (index, plan) in plans.iter().enumerate() {
        plan.joints.iter().for_each(|joint| rig_of[*joint] = Some(index));
    }
    let holders: BTreeSet<usize> = plans.iter().filter_map(|plan| plan.holder).collect();
    for &node in &tree.order {
        if let Some(rig) = tree.parents[node].and_then(|parent| rig_of[parent])
            && rig_of[node].is_none()
            && plain[node]
            && !holders.contains(&node)
        {
            rig_of[node] = Some(rig);
            plans[rig].joints.insert(node);
        }
    }
    Ok(plans)
}

fn touch(a: &RigPlan, b: &RigPlan) -> bool {
    let holds = |a: &RigPlan, b: &RigPlan| a.holder.is_some_and(|holder| b.joints.contains(&holder));
    !a.joints.is_disjoint(&b.joints) || holds(a, b) || holds(b, a) || (a.holder.is_some() && a.holder == b.holder)
}

/// Two rigs as one: the holder is the higher of the two that is no joint of the other.
fn merged(tree: &Tree, a: &RigPlan, b: RigPlan) -> RigPlan {
    let joints: BTreeSet<usize> = a.joints.union(&b.joints).copied().collect();
    let above = |holder: usize| {
        let mut below = BTreeSet::from([holder]);
        joints.iter().all(|joint| {
            let way: Vec<usize> = tree.upwards(*joint).take_while(|node| !below.contains(node)).collect();
            let found = way.last().is_none_or(|last| tree.parents[*last].is_some());
            below.extend(way);
            found
        })
    };
    let free = |holder: &usize| !joints.contains(holder) && above(*holder);
    let holder = a.holder.filter(free).or_else(|| b.holder.filter(free));
    RigPlan { holder, joints, skin: a.skin.min(b.skin) }
}

fn plan(root: &json::Root, tree: &Tree, skin: &json::Skin, index: usize) -> RigPlan {
    let joints: BTreeSet<usize> = skin.joints.iter().copied().collect();
    let top = common_above(tree, &joints);
    let between = |end: Option<usize>| {
        let mut between = BTreeSet::new();
        for joint in &joints {
            // Above what is in already everything is.
            for node in tree.upwards(*joint).take_while(|node| Some(*node) != end) {
                if !between.insert(node) {
                    break;
                }
            }
        }
        between
    };
    let plain = |node: usize| {
        let node = &root.nodes[node];
        node.mesh.is_none() && node.camera.is_none() && node.extensions.light.is_none()
    };
    match top {
        // Several joints under a node that is none: it stands for the rig.
        Some(top) if !joints.contains(&top) => {
            if plain(top) {
                RigPlan { holder: Some(top), joints: between(Some(top)), skin: index }
            } else {
                RigPlan { holder: None, joints: between(Some(top)), skin: index }
            }
        }
        // One root joint: the node above stands for the rig if it holds nothing else but what hangs on the rig.
        Some(top) => {
            let above = tree.parents[top];
            let only = |node: &usize| {
                *node == top
                    || root.nodes[*node].children.is_empty() && (root.nodes[*node].mesh.is_some() || !plain(*node))
            };
            let holder = above.filter(|above| plain(*above) && root.nodes[*above].children.iter().all(only));
            RigPlan { holder, joints: between(above), skin: index }
        }
        None => RigPlan { holder: None, joints: between(None), skin: index },
    }
}

/// The lowest node that is all of some nodes or above them; none where they have none in common. Each node is walked once.
fn common_above(tree: &Tree, joints: &BTreeSet<usize>) -> Option<usize> {
    let way: Vec<usize> = tree.upwards(*joints.first()?).collect();
    let places: BTreeMap<usize, usize> = way.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let mut met: BTreeSet<usize> = way.iter().copied().collect();
    let mut top = 0;
    for joint in joints {
        let known = tree.upwards(*joint).find(|node| !met.insert(*node))?;
        // What was met off the first way has been followed up to it.
        top = places.get(&known).map_or(top, |place| top.max(*place));
    }
    way.get(top).copied()
}

/// Whether a node and all below it are nothing but places.
fn plain_subtrees(root: &json::Root, tree: &Tree) -> Vec<bool> {
    let mut plain = vec![true; root.nodes.len()];
    for &node in tree.order.iter().rev() {
        let own = &root.nodes[node];
        plain[node] &= own.mesh.is_none() && own.camera.is_none() && own.extensions.light.is_none();
        if let Some(parent) = tree.parents[node] {
            plain[parent] &= plain[node];
        }
    }
    plain
}
