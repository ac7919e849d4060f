//! What the joints of skins need to be a skin of glTF: each of them a node of its own, and a node above them all.
//!
//! Joints of two figures that both stand at the root have no node in common (glTF 2.0, 3.7.3.1: "must have a common root"), and a
//! joint that took over what hung on a deleted one may be named twice, with two inverse bind matrices, where the format wants each
//! once. Nodes without a transform are added, so that nothing moves.

use super::export::Writer;
use crate::io::report::{Place, Report};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What the node above all joints is called.
const ABOVE: &str = "Joints";

impl Writer<'_> {
    /// Adds what the skins written so far need; the nodes that are there keep their numbers.
    pub(super) fn join_skins(&mut self, report: &mut Report) {
        let mut parents = self.nodes.parents.clone();
        self.name_joints_once(&mut parents);
        self.put_under_one(&parents, report);
    }

    /// A node below a joint for each time that a skin names it again.
    fn name_joints_once(&mut self, parents: &mut Vec<Option<usize>>) {
        for at in 0..self.json.skins.len() {
            let mut seen = BTreeSet::new();
            let joints = joints_of(&self.json.skins[at]).into_iter().map(|joint| {
                if seen.insert(joint) {
                    return joint;
                }
                let own = self.json.nodes.len();
                let name = self.json.nodes.get(joint).map_or(Value::Null, |node| node["name"].clone());
                self.json.nodes.push(json!({ "name": name }));
                parents.push(Some(joint));
                if let Some(node) = self.json.nodes.get_mut(joint) {
                    add_child(node, own);
                }
                own
            });
            let joints: Vec<usize> = joints.collect();
            self.json.skins[at]["joints"] = json!(joints);
        }
    }

    /// A node above the roots that joints of one skin hang on, where they are several.
    fn put_under_one(&mut self, parents: &[Option<usize>], report: &mut Report) {
        let root = |mut node: usize| {
            while let Some(above) = parents.get(node).copied().flatten() {
                node = above;
            }
            node
        };
        let mut apart = BTreeSet::new();
        for skin in &self.json.skins {
            let roots: BTreeSet<usize> = joints_of(skin).into_iter().map(root).collect();
            if roots.len() > 1 {
                apart.extend(roots);
                let place = Place::Part(skin["name"].as_str().unwrap_or_default().to_owned());
                let why = "the joints of a skin have no node in common, which glTF wants";
                report.info("skin", place, why, "a node was added above them");
            }
        }
        if apart.is_empty() {
            return;
        }
        self.json.scene.retain(|node| !apart.contains(node));
        self.json.scene.push(self.json.nodes.len());
        self.json.nodes.push(json!({ "name": ABOVE, "children": apart }));
    }
}

fn joints_of(skin: &Value) -> Vec<usize> {
    let number = |joint: &Value| usize::try_from(joint.as_u64()?).ok();
    skin["joints"].as_array().into_iter().flatten().filter_map(number).collect()
}

fn add_child(node: &mut Value, child: usize) {
    match node.get_mut("children").and_then(Value::as_array_mut) {
        Some(children) => children.push(json!(child)),
        None => node["children"] = json!([child]),
    }
}
