//! What is done about a part that makes no sense.

use super::{
    Mending,
    json_place::{Step, steps},
};
use serde_json::{Value, json};

/// A path from its steps.
pub(super) fn path_of(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Name(name) if out.is_empty() => out.push_str(name),
            Step::Name(name) => out.push_str(&format!(".{name}")),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
        }
    }
    out
}

impl Mending<'_> {
    /// Mends the part that a fault names; what was done, none where nothing can be.
    pub(super) fn mend(&mut self, path: &str, what: &str) -> Option<String> {
        let steps = steps(path);
        let (Some(Step::Name(list)), index) = (steps.first().cloned(), number(steps.get(1))) else { return None };
        let rest: Vec<&str> = steps
            .iter()
            .skip(2)
            .filter_map(|step| match step {
                Step::Name(name) => Some(name.as_str()),
                Step::Index(_) => None,
            })
            .collect();
        match (list.as_str(), index) {
            ("asset", _) if self.value["asset"]["version"].as_str().is_none() => {
                self.value["asset"] = json!({ "version": "2.0" });
                Some("taken as glTF 2.0".to_owned())
            }
            ("nodes", Some(node)) => self.node(node, &steps, &rest, what),
            ("scene", _) => self.drop_member(&[Step::Name("scene".to_owned())], "left out"),
            ("scenes", Some(_)) => match number(steps.get(3)) {
                Some(place) => self.drop_entry(&steps[..3], place),
                None => self.drop_member(&steps, "left out"),
            },
            ("meshes", Some(mesh)) => self.mesh(mesh, &steps, &rest),
            ("skins", Some(skin)) => self.drop_skin(skin),
            ("animations", Some(animation)) => self.animation(animation, &steps, &rest),
            ("accessors", Some(accessor)) => self.accessor(accessor, what),
            ("bufferViews", Some(view)) => self.view(view),
            ("materials", Some(_)) => {
                let length = if rest.first() == Some(&"pbrMetallicRoughness") && rest.len() > 1 { 4 } else { 2 };
                match steps.get(..length).filter(|steps| steps.len() == 4) {
                    Some(inner) => self.drop_member(inner, "the texture left out"),
                    None => self.drop_member(
                        &[steps.get(..2).unwrap_or_default(), &[Step::Name("pbrMetallicRoughness".to_owned())]]
                            .concat(),
                        "its surface left out",
                    ),
                }
            }
            ("cameras", Some(camera)) => self.drop_from_nodes("camera", camera, "no node has it"),
            ("extensions", _) if path.contains("KHR_lights_punctual.lights[") => {
                let light = number(steps.iter().rev().find(|step| matches!(step, Step::Index(_))));
                self.drop_light(light?)
            }
            ("extensionsRequired", _) => None,
            // A whole list is never the fault.
            _ if steps.len() > 1 => self.drop_member(&steps, "left out"),
            _ => None,
        }
    }

    fn node(&mut self, node: usize, steps: &[Step], rest: &[&str], what: &str) -> Option<String> {
        match rest.first() {
            Some(&"children") => match number(steps.get(3)) {
                Some(place) => self.drop_entry(&steps[..3], place),
                None => self.drop_member(steps, "left out"),
            },
            // A vertex that follows a joint beyond the skin's.
            Some(&"mesh") if what.starts_with("a vertex follows") => {
                let skin = [&steps[..2], &[Step::Name("skin".to_owned())]].concat();
                self.drop_member(&skin, "shown without its skin")
            }
            Some(_) => self.drop_member(steps.get(..3)?, "left out"),
            // A circle: who has it as a child lets it go.
            None => {
                let count = self.list("nodes");
                let mut gone = None;
                for other in 0..count {
                    let children = self.value["nodes"][other].get_mut("children").and_then(Value::as_array_mut);
                    let Some(children) = children else { continue };
                    let before = children.len();
                    children.retain(|child| child.as_u64() != Some(node as u64));
                    if children.len() < before {
                        gone = Some(other);
                    }
                }
                gone.map(|other| format!("no longer a child of nodes[{other}]"))
            }
        }
    }

    fn mesh(&mut self, mesh: usize, steps: &[Step], rest: &[&str]) -> Option<String> {
        let primitive = number(steps.get(3));
        let (Some(primitive), Some(&"primitives")) = (primitive, rest.first()) else {
            return self.drop_member(steps, "left out");
        };
        match (rest.get(1).copied(), rest.get(2).copied()) {
            (Some("targets"), _) => {
                for primitive in 0..self.value["meshes"][mesh]["primitives"].as_array().map_or(0, Vec::len) {
                    if let Some(own) = self.value["meshes"][mesh]["primitives"][primitive].as_object_mut() {
                        own.remove("targets");
                    }
                }
                Some("the mesh's morph targets left out".to_owned())
            }
            (Some("material"), _) => self.drop_member(steps, "without its material"),
            (Some("attributes"), Some(name)) if name != "POSITION" => {
                let attributes = self.value["meshes"][mesh]["primitives"][primitive]["attributes"].as_object_mut()?;
                let influences = name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_");
                let before = attributes.len();
                attributes.retain(|key, _| {
                    key != name && !(influences && (key.starts_with("JOINTS_") || key.starts_with("WEIGHTS_")))
                });
                let what = if influences { "shown without its skin" } else { "left out" };
                (attributes.len() < before).then(|| what.to_owned())
            }
            _ => self.drop_primitive(mesh, primitive),
        }
    }

    fn drop_primitive(&mut self, mesh: usize, primitive: usize) -> Option<String> {
        let own = self.value.get_mut("meshes")?.get_mut(mesh)?.get_mut("primitives")?.get_mut(primitive)?;
        let gone = own.get("attributes").and_then(|attributes| attributes.get("POSITION")).is_none();
        *own = json!({ "attributes": {} });
        (!gone).then(|| "the primitive left out".to_owned())
    }

    fn drop_skin(&mut self, skin: usize) -> Option<String> {
        let skins = self.value.get_mut("skins")?.as_array_mut().filter(|skins| skin < skins.len())?;
        skins.remove(skin);
        if skin < self.skins.len() {
            self.skins.remove(skin);
        }
        for node in self.value.get_mut("nodes").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(own) = node.get("skin").and_then(Value::as_u64) else { continue };
            let Some(node) = node.as_object_mut() else { continue };
            if own == skin as u64 {
                node.remove("skin");
            } else if own > skin as u64 {
                node.insert("skin".to_owned(), (own - 1).into());
            }
        }
        Some("the skin left out: its meshes keep their shape".to_owned())
    }

    fn animation(&mut self, animation: usize, steps: &[Step], rest: &[&str]) -> Option<String> {
        let index = number(steps.get(3));
        match (rest.first().copied(), rest.get(1).copied(), index) {
            (Some("samplers"), Some("interpolation"), Some(_)) => self.drop_member(steps, "taken as LINEAR"),
            (Some("samplers"), _, Some(sampler)) => self.drop_sampler(animation, sampler),
            (Some("channels"), _, Some(channel)) => self.drop_channel(animation, channel),
            _ => self.drop_member(steps, "left out"),
        }
    }

    /// A channel without a node is passed over by every reader.
    fn drop_channel(&mut self, animation: usize, channel: usize) -> Option<String> {
        let own = self.value.get_mut("animations")?.get_mut(animation)?.get_mut("channels")?.get_mut(channel)?;
        let gone = own["target"].get("node").is_none() && own["sampler"].is_u64() && own["target"]["path"].is_string();
        let path = own["target"]["path"].as_str().unwrap_or("translation").to_owned();
        *own = json!({ "sampler": 0, "target": { "path": path } });
        (!gone).then(|| "the channel left out".to_owned())
    }

    fn drop_sampler(&mut self, animation: usize, sampler: usize) -> Option<String> {
        let count = self.value["animations"][animation]["channels"].as_array().map_or(0, Vec::len);
        let mut dropped = 0;
        for channel in 0..count {
            let own = &self.value["animations"][animation]["channels"][channel];
            if own["sampler"].as_u64() == Some(sampler as u64) && own["target"].get("node").is_some() {
                dropped += usize::from(self.drop_channel(animation, channel).is_some());
            }
        }
        // Its numbers must be numbers still.
        let sound = {
            let own = &self.value["animations"][animation]["samplers"][sampler];
            own["input"].is_u64() && own["output"].is_u64()
        };
        if !sound && let Some(own) = self.value["animations"][animation]["samplers"].get_mut(sampler) {
            *own = json!({ "input": 0, "output": 0 });
            dropped += 1;
        }
        (dropped > 0).then(|| "the channels that use it left out".to_owned())
    }

    /// Numbers that are none become 0; any other fault of an accessor takes what uses it.
    fn accessor(&mut self, accessor: usize, what: &str) -> Option<String> {
        if what.contains("is not a finite number") && !self.is_input(accessor) && self.zero_numbers(accessor) > 0 {
            return Some("0 taken".to_owned());
        }
        let mut done = Vec::new();
        for animation in 0..self.list("animations") {
            for sampler in 0..self.value["animations"][animation]["samplers"].as_array().map_or(0, Vec::len) {
                let own = &self.value["animations"][animation]["samplers"][sampler];
                let uses = [&own["input"], &own["output"]].iter().any(|used| used.as_u64() == Some(accessor as u64));
                if uses {
                    done.extend(self.drop_sampler(animation, sampler));
                }
            }
        }
        for mesh in 0..self.list("meshes") {
            for primitive in 0..self.value["meshes"][mesh]["primitives"].as_array().map_or(0, Vec::len) {
                let own = &self.value["meshes"][mesh]["primitives"][primitive];
                let is = |used: &Value| used.as_u64() == Some(accessor as u64);
                let attribute = own["attributes"].as_object().and_then(|all| all.iter().find(|(_, used)| is(used)));
                let in_targets = own["targets"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .any(|target| target.as_object().is_some_and(|target| target.values().any(is)));
                let part = match (attribute.map(|(name, _)| name.clone()), is(&own["indices"]), in_targets) {
                    (Some(name), ..) => format!("attributes.{name}"),
                    (None, true, _) => "indices".to_owned(),
                    (None, false, true) => "targets".to_owned(),
                    (None, false, false) => continue,
                };
                done.extend(self.mend(&format!("meshes[{mesh}].primitives[{primitive}].{part}"), what));
            }
        }
        for skin in (0..self.list("skins")).rev() {
            if self.value["skins"][skin]["inverseBindMatrices"].as_u64() == Some(accessor as u64) {
                done.extend(self.drop_skin(skin));
            }
        }
        done.dedup();
        (!done.is_empty()).then(|| done.join("; "))
    }

    fn is_input(&self, accessor: usize) -> bool {
        let animations = self.value["animations"].as_array().into_iter().flatten();
        let mut samplers = animations.flat_map(|animation| animation["samplers"].as_array().into_iter().flatten());
        samplers.any(|sampler| sampler["input"].as_u64() == Some(accessor as u64))
    }

    /// Sets the floats of an accessor that are no finite numbers to 0; how many there were.
    fn zero_numbers(&mut self, accessor: usize) -> usize {
        let own = self.value["accessors"][accessor].clone();
        if own["componentType"].as_u64() != Some(5126) {
            return 0;
        }
        let count = own["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        let width = match own["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4" | "MAT2") => 4,
            Some("MAT3") => 9,
            Some("MAT4") => 16,
            _ => return 0,
        };
        let mut zeroed = self.zero_in(&own["bufferView"], &own["byteOffset"], (count, width));
        let sparse = &own["sparse"];
        if sparse.is_object() {
            let count = sparse["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
            let values = &sparse["values"];
            zeroed += self.zero_in(&values["bufferView"], &values["byteOffset"], (count, width));
        }
        zeroed
    }

    fn zero_in(&mut self, view: &Value, offset: &Value, (count, width): (usize, usize)) -> usize {
        let whole = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
        let Some(view) = whole(view).and_then(|view| self.value["bufferViews"].get(view)) else { return 0 };
        let stride = whole(&view["byteStride"]).unwrap_or(4 * width);
        let start = whole(&view["byteOffset"]).unwrap_or(0).saturating_add(whole(offset).unwrap_or(0));
        let Some(bytes) = whole(&view["buffer"]).and_then(|buffer| self.buffers.get_mut(buffer)) else { return 0 };
        let mut zeroed = 0;
        for value in 0..count {
            let Some(at) = value.checked_mul(stride).and_then(|at| at.checked_add(start)) else { break };
            let Some(own) = bytes.get_mut(at..at.saturating_add(4 * width)) else { break };
            for number in own.as_chunks_mut::<4>().0 {
                if !f32::from_le_bytes(*number).is_finite() {
                    *number = [0; 4];
                    zeroed += 1;
                }
            }
        }
        zeroed
    }

    fn view(&mut self, view: usize) -> Option<String> {
        let uses = |accessor: &Value| {
            let sparse = &accessor["sparse"];
            let all = [&accessor["bufferView"], &sparse["indices"]["bufferView"], &sparse["values"]["bufferView"]];
            all.iter().any(|used| used.as_u64() == Some(view as u64))
        };
        let accessors = self.value["accessors"].as_array().into_iter().flatten();
        let users: Vec<usize> =
            accessors.enumerate().filter(|(_, accessor)| uses(accessor)).map(|(index, _)| index).collect();
        let mut done: Vec<String> = users.into_iter().filter_map(|user| self.accessor(user, "its data")).collect();
        done.dedup();
        (!done.is_empty()).then(|| done.join("; "))
    }

    fn drop_from_nodes(&mut self, member: &str, index: usize, what: &str) -> Option<String> {
        let mut gone = 0;
        for node in self.value.get_mut("nodes").and_then(Value::as_array_mut).into_iter().flatten() {
            if node.get(member).and_then(Value::as_u64) == Some(index as u64)
                && let Some(node) = node.as_object_mut()
            {
                node.remove(member);
                gone += 1;
            }
        }
        (gone > 0).then(|| what.to_owned())
    }

    fn drop_light(&mut self, light: usize) -> Option<String> {
        let mut gone = 0;
        for node in self.value.get_mut("nodes").and_then(Value::as_array_mut).into_iter().flatten() {
            let own = node.get("extensions").and_then(|all| all.get("KHR_lights_punctual"));
            if own.and_then(|own| own["light"].as_u64()) == Some(light as u64)
                && let Some(extensions) = node.get_mut("extensions").and_then(Value::as_object_mut)
            {
                extensions.remove("KHR_lights_punctual");
                gone += 1;
            }
        }
        (gone > 0).then(|| "no node has it".to_owned())
    }

    /// Takes an entry out of a list whose numbers nothing counts.
    fn drop_entry(&mut self, list: &[Step], place: usize) -> Option<String> {
        let entries = at_mut(&mut self.value, list)?.as_array_mut().filter(|entries| place < entries.len())?;
        entries.remove(place);
        Some("left out".to_owned())
    }

    /// Takes out the innermost member of an object on the way.
    pub(super) fn drop_member(&mut self, steps: &[Step], what: &str) -> Option<String> {
        let last = steps.iter().rposition(|step| matches!(step, Step::Name(_)))?;
        let Step::Name(name) = &steps[last] else { return None };
        at_mut(&mut self.value, &steps[..last])?.as_object_mut()?.remove(name)?;
        Some(what.to_owned())
    }
}

fn number(step: Option<&Step>) -> Option<usize> {
    match step {
        Some(Step::Index(index)) => Some(*index),
        _ => None,
    }
}

fn at_mut<'a>(value: &'a mut Value, path: &[Step]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    })
}
