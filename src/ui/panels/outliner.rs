//! The outliner: objects and their joints as a tree, with a search, an eye for visibility, and renaming.

use crate::{
    command::{Command, CommandId},
    edit::{Edit, ObjectEdit, Selection, SkeletonEdit, skeleton::Animation},
    interact::selecting::{self, Step},
    model::{Document, JointId, Object, ObjectId, ObjectKind, Skeleton, Target, names},
    style::Rgba,
    text::{fill, t},
    ui::{
        icons::Icon,
        naming,
        panel::{Panel, PanelContext},
        theme::{ROW_PT, colour},
        widgets::{IconButton, search_field, tree::Row},
    },
};
use egui::{Id, Key, TextEdit, Ui, UiBuilder};
use std::collections::BTreeSet;

/// The outliner.
#[derive(Debug, Default)]
pub struct OutlinerPanel {
    filter: String,
    /// Rows whose children are folded away; all others show.
    folded: BTreeSet<Target>,
    /// The object or joint whose name is being typed.
    renaming: Option<(Target, String)>,
    /// The row a range of rows is taken from, by Shift.
    anchor: Option<Target>,
    /// What was active when the panel last showed: scrolled to when another panel picks something else.
    active: Option<Target>,
}

/// One row to show.
#[derive(Debug)]
struct Line {
    target: Target,
    name: String,
    depth: usize,
    icon: Icon,
    open: Option<bool>,
    hidden: bool,
}

impl Panel for OutlinerPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        search_field(ui, &t("outliner.search"), &mut self.filter);
        ui.add_space(2.0);
        let lines = self.lines(ctx.document);
        if lines.is_empty() {
            let key = if self.filter.is_empty() { "outliner.empty" } else { "outliner.not_found" };
            ui.weak(fill(key, &[("filter", &self.filter)]));
            return;
        }
        let moved = std::mem::replace(&mut self.active, ctx.selection.active) != ctx.selection.active;
        ui.spacing_mut().item_spacing.y = 0.0;
        let scroll = egui::ScrollArea::vertical().auto_shrink([false, false]);
        scroll.show(ui, |ui| {
            for (index, line) in lines.iter().enumerate() {
                let scroll_to = moved && Some(line.target) == ctx.selection.active;
                ui.push_id(line.target, |ui| self.line(ui, ctx, &lines, index, scroll_to));
            }
        });
    }

    fn run(&mut self, command: CommandId, ctx: &mut PanelContext<'_>) {
        if let Some(selection) = Self::selected(command, ctx) {
            ctx.commands.select(selection);
        }
    }
}

impl OutlinerPanel {
    /// What a command of the table selects.
    fn selected(command: CommandId, ctx: &PanelContext<'_>) -> Option<Selection> {
        let (document, selection) = (ctx.document, ctx.selection);
        let shown = |id| !ctx.view.is_isolated_away(id) && document.object(id).is_some_and(|object| !object.hidden);
        Some(match command {
            CommandId::SelectAll => selecting::all(document, selection, shown),
            CommandId::SelectNone => selecting::none(selection),
            CommandId::SelectInvert => selecting::inverted(document, selection, shown),
            CommandId::SelectParent => selecting::stepped(document, selection, Step::Parent, false),
            CommandId::SelectChild => selecting::stepped(document, selection, Step::Child, false),
            CommandId::ExtendParent => selecting::stepped(document, selection, Step::Parent, true),
            CommandId::ExtendChild => selecting::stepped(document, selection, Step::Child, true),
            _ => return None,
        })
    }

    fn lines(&self, document: &Document) -> Vec<Line> {
        let wanted = self.filter.trim().to_lowercase();
        let mut lines = Vec::new();
        for (id, object) in document.objects.iter() {
            let target = Target::Object(*id);
            let at = lines.len();
            let folded = wanted.is_empty() && self.folded.contains(&target);
            if let Some(rig) = object.as_rig().filter(|_| !folded) {
                self.joints(*id, &rig.skeleton, &wanted, &mut lines);
            }
            let found = wanted.is_empty() || lines.len() > at || object.name.to_lowercase().contains(&wanted);
            if found {
                let has_children = object.as_rig().is_some_and(|rig| !rig.skeleton.is_empty());
                let open = has_children.then_some(!folded);
                let (name, hidden) = (object.name.clone(), object.hidden);
                lines.insert(at, Line { target, name, depth: 0, icon: icon_of(object), open, hidden });
            }
        }
        lines
    }

    /// A rig's joints, children below their parents; with a search only those that match, flat.
    fn joints(&self, object: ObjectId, skeleton: &Skeleton, wanted: &str, lines: &mut Vec<Line>) {
        let (joints, parents) = (skeleton.joints(), skeleton.parents());
        let mut has_children = vec![false; joints.len()];
        for parent in parents.iter().flatten() {
            has_children[*parent] = true;
        }
        let mut depth = vec![1; joints.len()];
        let mut shown = vec![true; joints.len()];
        for index in walk(skeleton) {
            let joint = &joints[index];
            let target = Target::Joint(object, joint.id);
            if let Some(parent) = parents[index] {
                depth[index] = depth[parent] + 1;
                let folded = self.folded.contains(&Target::Joint(object, joints[parent].id));
                shown[index] = shown[parent] && !(folded && wanted.is_empty());
            }
            let name = if joint.is_end() && joint.name.is_empty() {
                t("outliner.tip").into_owned()
            } else {
                joint.name.clone()
            };
            let matches = wanted.is_empty() || (!joint.is_end() && name.to_lowercase().contains(wanted));
            if !shown[index] || !matches {
                continue;
            }
            let icon = if joint.is_end() { Icon::JointEnd } else { Icon::Joint };
            let open = (has_children[index] && wanted.is_empty()).then(|| !self.folded.contains(&target));
            let depth = if wanted.is_empty() { depth[index] } else { 1 };
            lines.push(Line { target, name, depth, icon, open, hidden: false });
        }
    }

    fn line(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, lines: &[Line], index: usize, scroll_to: bool) {
        let Some(line) = lines.get(index) else { return };
        let object = if let Target::Object(object) = line.target { Some(object) } else { None };
        if self.renaming.as_ref().is_some_and(|(target, _)| *target == line.target) {
            self.rename(ui, ctx);
            return;
        }
        let row = Row {
            name: &line.name,
            icon: line.icon,
            depth: line.depth,
            open: line.open,
            selected: ctx.selection.contains(line.target),
            weak: line.hidden || line.icon == Icon::JointEnd,
            right: if object.is_some() { ROW_PT } else { 0.0 },
            colour: group_colour(ctx.document, line.target),
            dragged: object.is_none(),
        };
        let response = row.show(ui);
        carry(ui, ctx, &response.row, line.target);
        if response.toggled && !self.folded.remove(&line.target) {
            self.folded.insert(line.target);
        }
        if response.row.double_clicked() || naming::asked(&response.row) {
            self.renaming = Some((line.target, line.name.clone()));
        } else if response.row.clicked() && line.icon != Icon::JointEnd {
            let modifiers = ui.input(|input| input.modifiers);
            ctx.commands.select(self.picked(ctx.selection, lines, line.target, modifiers));
        }
        if scroll_to {
            response.row.scroll_to_me(None);
        }
        if let Some(object) = object {
            self.menu(&response.row, ctx, object, &line.name);
            eye(ui, ctx, object, line, response.right);
        } else {
            self.joint_menu(&response.row, ctx, line);
        }
    }

    /// What can be done with a joint: the commands act on what is selected, so that a row outside the selection is selected.
    fn joint_menu(&mut self, row: &egui::Response, ctx: &PanelContext<'_>, line: &Line) {
        if row.secondary_clicked() && !ctx.selection.contains(line.target) {
            ctx.commands.select(Selection::single(line.target));
        }
        row.context_menu(|ui| {
            if ui.button(t("outliner.rename").into_owned()).clicked() {
                self.renaming = Some((line.target, line.name.clone()));
                ui.close();
            }
            ui.separator();
            for id in JOINT_COMMANDS {
                let button = ui.button(t(id.spec().title).into_owned());
                if button.on_hover_text(t(&format!("{}_hint", id.spec().title))).clicked() {
                    ctx.commands.run(id);
                    ui.close();
                }
            }
        });
    }

    fn menu(&mut self, row: &egui::Response, ctx: &PanelContext<'_>, object: ObjectId, name: &str) {
        row.context_menu(|ui| {
            if ui.button(t("outliner.rename").into_owned()).clicked() {
                self.renaming = Some((Target::Object(object), name.to_owned()));
                ui.close();
            }
            if ui.button(t("outliner.delete").into_owned()).clicked() {
                ctx.commands.apply("history.delete_object", ObjectEdit::Delete { objects: vec![object] }.into());
                ui.close();
            }
        });
    }

    fn rename(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        let Some((target, name)) = self.renaming.as_mut() else { return };
        let id = Id::unique(("rename", *target));
        let response = ui.add(TextEdit::singleline(name).id(id).desired_width(f32::INFINITY));
        crate::ui::widgets::set_name(ui, &response, &t("outliner.rename"));
        let asked = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
        if !asked {
            response.request_focus();
            ui.data_mut(|data| data.insert_temp(id, true));
            return;
        }
        if response.has_focus() {
            return;
        }
        ui.data_mut(|data| data.remove::<bool>(id));
        let given_up = ui.input(|input| input.key_pressed(Key::Escape));
        if !given_up {
            rename(ctx, *target, name);
        }
        self.renaming = None;
    }

    /// What a click selects: this alone, with Ctrl this too (or no more), with Shift all from the last click to here.
    fn picked(
        &mut self,
        selection: &Selection,
        lines: &[Line],
        target: Target,
        modifiers: egui::Modifiers,
    ) -> Selection {
        let mut picked = selection.clone();
        let place = |target: Target| lines.iter().position(|line| line.target == target);
        if let (true, Some(from), Some(to)) = (modifiers.shift, self.anchor.and_then(place), place(target)) {
            for line in &lines[from.min(to)..=from.max(to)] {
                if line.icon != Icon::JointEnd {
                    picked.insert(line.target);
                }
            }
            picked.insert(target);
            return picked;
        }
        self.anchor = Some(target);
        if modifiers.command {
            picked.toggle(target);
        } else {
            picked.clear_targets();
            picked.insert(target);
        }
        picked
    }
}

/// Gives an object or a joint another name.
fn rename(ctx: &PanelContext<'_>, target: Target, wanted: &str) {
    let document = ctx.document;
    let Some(object) = document.object(target.object()) else { return };
    let rig = object.as_rig();
    if let (Target::Joint(id, joint), Some(rig)) = (target, rig) {
        let joints = rig.skeleton.joints();
        let own = rig.skeleton.joint(joint).map_or("", |joint| joint.name.as_str());
        let is_taken = |name: &str| joints.iter().any(|other| other.name == name);
        if let Some(name) = naming::given(ctx, own, wanted, is_taken) {
            ctx.commands.apply("history.rename_joint", SkeletonEdit::Rename { object: id, joint, name }.into());
        }
        return;
    }
    let is_taken = |name: &str| document.objects.values().any(|other| other.name == name);
    if let Some(name) = naming::given(ctx, &object.name, wanted, is_taken) {
        ctx.commands.apply("history.rename", ObjectEdit::Rename { object: target.object(), name }.into());
    }
}

/// What the menu of a joint offers.
const JOINT_COMMANDS: [CommandId; 10] = [
    CommandId::ExtrudeJoint,
    CommandId::SplitBone,
    CommandId::ReparentJoints,
    CommandId::ReparentJointsStay,
    CommandId::UnparentJoints,
    CommandId::MirrorJoints,
    CommandId::RestFromPose,
    CommandId::RestFromPoseStays,
    CommandId::DeleteJoints,
    CommandId::DeleteJointBranch,
];

/// The icon of an object's kind.
pub(in crate::ui) fn icon_of(object: &Object) -> Icon {
    match &object.kind {
        ObjectKind::Path(_) => Icon::Path,
        ObjectKind::Camera(_) => Icon::Camera,
        ObjectKind::Empty => Icon::Empty,
        ObjectKind::Mesh(_) => Icon::Mesh,
        ObjectKind::Light(_) => Icon::Light,
        ObjectKind::Lattice(_) => Icon::Lattice,
        ObjectKind::Deformer(_) => Icon::Deformer,
        _ => Icon::Rig,
    }
}

/// The colour of the group that a joint is in.
fn group_colour(document: &Document, target: Target) -> Option<egui::Color32> {
    let rig = document.object(target.object())?.as_rig()?;
    rig.color_of(target.joint()?).map(|[r, g, b]| colour(Rgba([r, g, b, 255])))
}

/// Joints dragged onto another of their rig hang on it from then on, onto the rig itself on nothing: with all that are
/// selected, where the one dragged is.
fn carry(ui: &Ui, ctx: &PanelContext<'_>, row: &egui::Response, target: Target) {
    if let Target::Joint(..) = target {
        row.dnd_set_drag_payload(target);
    }
    let Some(dragged) = row.dnd_hover_payload::<Target>() else { return };
    let Target::Joint(object, joint) = *dragged else { return };
    if object != target.object() || *dragged == target {
        return;
    }
    ui.painter().rect_stroke(row.rect, 3.0, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
    let above = target.joint();
    let name = above.and_then(|above| names::joint_name(&ctx.document.object(object)?.as_rig()?.skeleton, above));
    let hint = name.map_or_else(|| t("outliner.drop_root").into_owned(), |n| fill("outliner.drop", &[("joint", &n)]));
    ctx.commands.send(Command::Hint(hint.into()));
    if row.dnd_release_payload::<Target>().is_none() {
        return;
    }
    let selected: BTreeSet<JointId> = ctx.selection.joints(object).collect();
    let mut joints = if selected.contains(&joint) { selected } else { BTreeSet::from([joint]) };
    joints.extend([joint]);
    joints.retain(|joint| Some(*joint) != above);
    let animation = if ctx.view.rest.on { ctx.view.rest.animation } else { Animation::Follows };
    let edit = SkeletonEdit::Reparent { object, joints, parent: above, animation };
    ctx.commands.apply("history.reparent", edit.into());
}

fn eye(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, line: &Line, place: egui::Rect) {
    let icon = if line.hidden { Icon::EyeOff } else { Icon::Eye };
    let name = fill(if line.hidden { "outliner.show" } else { "outliner.hide" }, &[("name", &line.name)]);
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        if IconButton::new(icon, &name).side(ROW_PT - 2.0).colour(ctx.colours.weak).show(ui).clicked() {
            let edit = ObjectEdit::SetHidden { objects: vec![object], hidden: !line.hidden };
            ctx.commands.apply("history.visibility", Edit::from(edit));
        }
    });
}

/// The joints in the order of a tree: each followed by all below it.
fn walk(skeleton: &Skeleton) -> Vec<usize> {
    let parents = skeleton.parents();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(index),
            None => open.push(index),
        }
    }
    open.reverse();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(index) = open.pop() {
        order.push(index);
        open.extend(children[index].iter().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        math::Vec3,
        model::{Joint, JointId, Rig},
    };
    use std::sync::Arc;

    fn document() -> Document {
        let joint =
            |id: u32, name: &str, parent: Option<u32>| Joint::new(JointId(id), name, parent.map(JointId), Vec3::y());
        let joints = vec![
            joint(0, "Hips", None),
            joint(1, "Leg", Some(0)),
            joint(2, "Spine", Some(0)),
            joint(3, "Foot", Some(1)),
        ];
        let skeleton = Arc::new(Skeleton::new(joints).unwrap());
        let mut document = Document::default();
        document.add_object(Object::rig("Biped", Rig { skeleton, ..Rig::default() }));
        document
    }

    fn names(panel: &OutlinerPanel) -> Vec<String> {
        panel.lines(&document()).into_iter().map(|line| format!("{}{}", "-".repeat(line.depth), line.name)).collect()
    }

    #[test]
    fn children_follow_their_parents() {
        assert_eq!(names(&OutlinerPanel::default()), ["Biped", "-Hips", "--Leg", "---Foot", "--Spine"]);
    }

    #[test]
    fn a_search_shows_what_matches_and_its_object() {
        let panel = OutlinerPanel { filter: "FOO".to_owned(), ..OutlinerPanel::default() };
        assert_eq!(names(&panel), ["Biped", "-Foot"]);
        let panel = OutlinerPanel { filter: "nothing".to_owned(), ..OutlinerPanel::default() };
        assert!(names(&panel).is_empty());
    }

    #[test]
    fn folded_rows_hide_what_is_below() {
        let leg = Target::Joint(ObjectId(1), JointId(1));
        let panel = OutlinerPanel { folded: [leg].into(), ..OutlinerPanel::default() };
        assert_eq!(names(&panel), ["Biped", "-Hips", "--Leg", "--Spine"]);
    }
}
