//! Faults of a document's text that are looked for before it is read as a document: many of one kind are found and mended
//! in one pass.

use super::{
    Checked, Finding,
    patch::Patch,
    ron_tree::{Kind, Tree},
};
use crate::io::{report::Place, text::place_of};
use std::collections::{BTreeMap, BTreeSet};

/// What the looks share.
pub(super) struct Lint<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) text: &'a str,
    /// How many bytes of the file come before the text.
    pub(super) offset: usize,
    /// The whole file, for lines and columns.
    pub(super) file: &'a str,
    /// From which the text came to be, with the file's after the offset: the way back to its places.
    pub(super) before: &'a Patch,
    pub(super) patch: &'a mut Patch,
    pub(super) checked: &'a mut Checked,
}

const NAN_REMEDY: &str = "write a finite number";

impl Lint<'_> {
    /// All looks.
    pub(super) fn run(&mut self) {
        self.doubled_labels();
        for part in self.tree.all() {
            if self.tree.part(part).kind != Kind::Square {
                continue;
            }
            match self.tree.label(part) {
                "keys" => self.keys(part),
                "skeleton" => self.skeleton(part),
                "values" => self.samples(part),
                _ => {}
            }
        }
        self.numbers();
    }

    pub(super) fn place(&self, part: u32) -> Place {
        self.place_at(self.tree.span(part).start)
    }

    /// Where a byte of the text stands in the file.
    pub(super) fn place_at(&self, byte: usize) -> Place {
        place_of(self.file.as_bytes(), self.offset + self.before.before(byte))
    }

    /// A fault that is mended without losing anything.
    fn add(&mut self, part: u32, kind: &'static str, found: String, remedy: &str, mend: &str) {
        let finding = Finding::error(kind, self.place(part), found, remedy).of_part(self.where_is(part));
        self.checked.add(finding.mended(mend));
    }

    /// A fault for which something goes.
    fn add_losing(&mut self, part: u32, kind: &'static str, found: String, remedy: &str, mend: &str) {
        let finding = Finding::error(kind, self.place(part), found, remedy).of_part(self.where_is(part));
        self.checked.add(finding.losing(mend));
    }

    /// The labels on the way to a part.
    pub(super) fn where_is(&self, part: u32) -> String {
        let way = std::iter::successors(Some(part), |at| self.tree.parent(*at));
        let mut labels: Vec<&str> = way.map(|at| self.tree.label(at)).filter(|label| !label.is_empty()).collect();
        labels.reverse();
        let joined: Vec<&str> = labels.iter().map(|label| label.trim_matches('"')).collect();
        joined.join("/")
    }

    /// Fields and entries of maps that are there twice: the last one counts.
    fn doubled_labels(&mut self) {
        for group in self.tree.all() {
            if !matches!(self.tree.part(group).kind, Kind::Round | Kind::Curly) {
                continue;
            }
            let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
            for child in self.tree.children(group) {
                let label = self.tree.label(child);
                if label.is_empty() {
                    continue;
                }
                if let Some(before) = seen.insert(label, child) {
                    self.add_losing(
                        child,
                        "twice",
                        format!("{label} is there twice"),
                        "take one out",
                        "the first left out",
                    );
                    self.patch.replace(self.tree.cut(before), "");
                }
            }
        }
    }

    fn number(&self, part: u32) -> Option<f64> {
        parsed(self.tree.value(part))
    }

    /// Keys that are not in order, or at one time, or of no number.
    fn keys(&mut self, list: u32) {
        let mut kept: Vec<(f64, u32)> = Vec::new();
        let (mut sorted, mut latest) = (true, f64::NEG_INFINITY);
        let keys: Vec<u32> = self.tree.children(list).collect();
        for key in keys {
            let numbers = self.numbers_within(key);
            if let Some(wrong) = numbers.iter().find(|number| !self.number(**number).is_some_and(f64::is_finite)) {
                let found = format!("a key with {}", self.tree.value(*wrong));
                self.add_losing(*wrong, "not-finite", found, NAN_REMEDY, "the key left out");
                self.patch.replace(self.tree.cut(key), "");
                continue;
            }
            if let Some(q) = self.tree.child(key, "q") {
                self.quaternion(q, None);
            }
            let Some(time) = self.tree.child(key, "t").and_then(|time| self.number(time)) else { continue };
            if time < latest {
                let found = format!("a key at {time} s after one at {latest} s");
                self.add(key, "unsorted", found, "put the keys in order of time", "the keys put in order");
                sorted = false;
            } else if time == latest {
                let found = format!("a second key at {time} s");
                self.add_losing(key, "same-time", found, "take one out", "the first left out");
                sorted = false;
            }
            latest = latest.max(time);
            kept.push((time, key));
        }
        if sorted {
            return;
        }
        kept.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut texts: Vec<(f64, String)> = Vec::with_capacity(kept.len());
        for (time, key) in kept {
            let text = self.patch.render(self.text, self.tree.span(key));
            if texts.last().is_some_and(|(before, _)| *before == time) {
                texts.pop();
            }
            texts.push((time, text));
        }
        self.put_list(list, texts.into_iter().map(|(_, text)| text));
    }

    fn put_list(&mut self, list: u32, texts: impl Iterator<Item = String>) {
        let texts: Vec<String> = texts.collect();
        let span = self.tree.span(list);
        let start = span.end - self.tree.value(list).len();
        self.patch.replace(start..span.end, format!("[{}]", texts.join(", ")));
    }

    /// The numbers a part is made of, at any depth.
    fn numbers_within(&self, part: u32) -> Vec<u32> {
        let mut out = Vec::new();
        let mut open = vec![part];
        while let Some(at) = open.pop() {
            if self.tree.part(at).kind == Kind::Word && looks_like_number(self.tree.value(at)) {
                out.push(at);
            }
            open.extend(self.tree.children(at));
        }
        out
    }

    /// Samples that are no numbers take the one before; rotations that are none are made ones.
    fn samples(&mut self, list: u32) {
        if self.tree.parent(list).is_none_or(|of| self.tree.child(of, "rate").is_none()) {
            return;
        }
        let mut last: Option<String> = None;
        let rows: Vec<u32> = self.tree.children(list).collect();
        let values: Vec<u32> = rows.iter().flat_map(|row| self.tree.children(*row)).collect();
        let sound = |lint: &Self, value: u32| match lint.tree.part(value).kind {
            Kind::Word => lint.number(value).is_some_and(f64::is_finite),
            _ => lint.norm(value).is_some_and(|norm| (norm - 1.0).abs() < 1e-6),
        };
        let first = values.iter().find(|value| sound(self, **value)).map(|value| self.tree.value(*value).to_owned());
        for value in values {
            if sound(self, value) {
                last = Some(self.tree.value(value).to_owned());
            } else if self.tree.part(value).kind == Kind::Word {
                let found = format!("the sample {}", self.tree.value(value));
                self.add_losing(value, "not-finite", found, NAN_REMEDY, "the one before taken");
                let by = last.clone().or_else(|| first.clone()).unwrap_or_else(|| "0.0".to_owned());
                self.patch.replace(self.tree.span(value), by);
            } else {
                let fallback = last.clone().or_else(|| first.clone());
                self.quaternion(value, fallback.or_else(|| Some("(0.0, 0.0, 0.0, 1.0)".to_owned())));
            }
        }
    }

    /// The length of a tuple of four finite numbers.
    fn norm(&self, tuple: u32) -> Option<f64> {
        let numbers: Option<Vec<f64>> = self.tree.children(tuple).map(|part| self.number(part)).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == 4)?;
        Some(numbers.iter().map(|number| number * number).sum::<f64>().sqrt()).filter(|norm| norm.is_finite())
    }

    /// A rotation whose length is not 1 is brought to it; one of no length becomes the other one given.
    fn quaternion(&mut self, tuple: u32, instead: Option<String>) {
        let norm = self.norm(tuple);
        if norm.is_some_and(|norm| (norm - 1.0).abs() < 1e-6) {
            return;
        }
        let found = format!("{} is no rotation: its length is not 1", self.tree.value(tuple));
        let span = self.tree.span(tuple);
        let start = span.end - self.tree.value(tuple).len();
        if let Some(norm) = norm.filter(|norm| *norm > 1e-3) {
            let numbers: Vec<String> = self
                .tree
                .children(tuple)
                .filter_map(|part| self.number(part))
                .map(|number| format!("{:?}", number / norm))
                .collect();
            self.add(tuple, "no-rotation", found, "divide it by its length", "divided by its length");
            self.patch.replace(start..span.end, format!("({})", numbers.join(", ")));
        } else if let Some(by) = instead {
            self.add_losing(tuple, "no-rotation", found, "write a quaternion of length 1", "the one before taken");
            self.patch.replace(start..span.end, by);
        }
    }

    /// Joints of one id, or without the parent they name, or before it.
    fn skeleton(&mut self, list: u32) {
        let joints: Vec<u32> = self.tree.children(list).collect();
        let id = |lint: &Self, joint: u32| lint.tree.child(joint, "id").map(|id| lint.tree.value(id).to_owned());
        let mut last = joints.iter().filter_map(|joint| id(self, *joint)?.parse::<u32>().ok()).max().unwrap_or(0);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (place, joint) in joints.iter().enumerate() {
            let Some(own) = id(self, *joint) else { continue };
            if places.contains_key(&own) {
                last = last.saturating_add(1);
                let found = format!("joint id {own} is used twice");
                let at = self.tree.child(*joint, "id").unwrap_or(*joint);
                self.add(at, "joint-id", found, "give one another id", &format!("this one becomes {last}"));
                if let Some(part) = self.tree.child(*joint, "id") {
                    let end = self.tree.span(part).end;
                    self.patch.replace(end - own.len()..end, last.to_string());
                }
                places.insert(last.to_string(), place);
            } else {
                places.insert(own, place);
            }
        }
        self.parents(list, &joints, &places);
    }

    fn parents(&mut self, list: u32, joints: &[u32], places: &BTreeMap<String, usize>) {
        let parent = |lint: &Self, joint: u32| {
            let value = lint.tree.value(lint.tree.child(joint, "parent")?);
            Some(value.trim_start_matches("Some").trim_matches(['(', ')', ' ']).to_owned()).filter(|id| id != "None")
        };
        let mut parents: Vec<Option<usize>> = Vec::with_capacity(joints.len());
        for joint in joints {
            let named = parent(self, *joint);
            let place = named.as_ref().and_then(|id| places.get(id).copied());
            if let (Some(id), None) = (&named, place) {
                let found = format!("its parent {id} does not exist");
                self.orphan(*joint, found);
            }
            let end =
                place.filter(|at| self.tree.child(joints[*at], "kind").is_some_and(|k| self.tree.value(k) == "End"));
            if let Some(end) = end
                && let Some(kind) = self.tree.child(joints[end], "kind")
            {
                let found = "it is the child of a bone's tip".to_owned();
                self.add(*joint, "child-of-end", found, "take out the parent's `kind: End`", "the tip becomes a joint");
                self.patch.replace(self.tree.cut(kind), "");
            }
            parents.push(place);
        }
        // Circles: walking up from a joint comes back to it.
        for at in 0..joints.len() {
            let mut above = parents[at];
            for _ in 0..joints.len() {
                above = match above {
                    Some(up) if up == at => {
                        self.orphan(joints[at], "it is its own ancestor".to_owned());
                        parents[at] = None;
                        break;
                    }
                    Some(up) => parents[up],
                    None => break,
                };
            }
        }
        let mut order = Vec::with_capacity(joints.len());
        let mut placed = BTreeSet::new();
        let mut late = false;
        for (at, joint) in joints.iter().enumerate() {
            let way = std::iter::successors(Some(at), |at| parents[*at]).take_while(|at| !placed.contains(at));
            let mut way: Vec<usize> = way.collect();
            way.reverse();
            if way.first().is_some_and(|first| *first > at) || way.len() > 1 {
                late = true;
                let found = "it comes before its parent".to_owned();
                self.add(*joint, "parent-later", found, "put it after its parent", "put after its parent");
            }
            placed.extend(way.iter().copied());
            order.extend(way);
        }
        if late {
            let texts: Vec<String> =
                order.iter().map(|at| self.patch.render(self.text, self.tree.span(joints[*at]))).collect();
            self.put_list(list, texts.into_iter());
        }
    }

    fn orphan(&mut self, joint: u32, found: String) {
        let at = self.tree.child(joint, "parent").unwrap_or(joint);
        self.add_losing(at, "joint-parent", found, "name a joint that is before it", "it becomes a root");
        if let Some(part) = self.tree.child(joint, "parent") {
            self.patch.replace(self.tree.cut(part), "");
        }
    }

    /// Numbers that are none, wherever else they stand: 0 in a tuple, left out in a field.
    fn numbers(&mut self) {
        for part in self.tree.all() {
            if self.tree.part(part).kind != Kind::Word || self.patch.covers(&self.tree.span(part)) {
                continue;
            }
            let value = self.tree.value(part);
            if !looks_like_number(value) || parsed(value).is_some_and(f64::is_finite) {
                continue;
            }
            let found = format!("the number {value}");
            if self.tree.label(part).is_empty() {
                self.add_losing(part, "not-finite", found, NAN_REMEDY, "0 taken");
                self.patch.replace(self.tree.span(part), "0.0");
            } else {
                self.add_losing(part, "not-finite", found, NAN_REMEDY, "left out");
                self.patch.replace(self.tree.cut(part), "");
            }
        }
    }
}

/// A number as RON writes it.
fn parsed(text: &str) -> Option<f64> {
    text.replace('_', "").parse().ok()
}

/// Whether a word is a number, a finite one or not.
fn looks_like_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    let decimal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-_".contains(&byte));
    decimal || matches!(digits, "NaN" | "inf")
}
