//! New spaces by templates: a form in which each part of directional movement is given its clip.

use crate::{
    edit::blend::templates::{Part, Template, from_template, guessed},
    interact::view_state::ViewChange,
    model::{ClipId, Document, ObjectId},
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::Chooser},
};
use egui::Ui;

/// The form that is being filled in.
#[derive(Clone, Debug)]
pub(super) struct Form {
    template: Template,
    clips: Vec<(Part, Option<ClipId>)>,
}

impl Form {
    /// With the clips that their names say are its parts.
    fn new(document: &Document, template: Template) -> Self {
        let clips = template.parts().iter().map(|part| (*part, guessed(document, *part))).collect();
        Self { template, clips }
    }

    /// The parts that have a clip which is there.
    fn given(&self, document: &Document) -> Vec<(Part, ClipId)> {
        let there = |clip: &ClipId| document.clip(*clip).is_some();
        self.clips.iter().filter_map(|(part, clip)| Some((*part, clip.filter(there)?))).collect()
    }

    /// Whether all parts have a clip without which it is no template.
    fn is_whole(&self, document: &Document) -> bool {
        let given = self.given(document);
        let needed = self.template.parts().iter().take(self.template.needed());
        needed.clone().all(|part| given.iter().any(|(other, _)| other == part))
    }
}

const fn key(template: Template) -> &'static str {
    match template {
        Template::Targeted => "blend_space.targeted",
        Template::Pivotal => "blend_space.pivotal",
    }
}

const fn part_key(part: Part) -> &'static str {
    match part {
        Part::Idle => "blend_space.part_idle",
        Part::Forward => "blend_space.part_forward",
        Part::Fast => "blend_space.part_fast",
        Part::Backward => "blend_space.part_backward",
        Part::Left => "blend_space.part_left",
        Part::Right => "blend_space.part_right",
        Part::LeanLeft => "blend_space.part_lean_left",
        Part::LeanRight => "blend_space.part_lean_right",
    }
}

/// The buttons that open the forms.
pub(super) fn buttons(ui: &mut Ui, ctx: &PanelContext<'_>, form: &mut Option<Form>) {
    for template in [Template::Targeted, Template::Pivotal] {
        let button = ui.add_enabled(rig(ctx).is_some(), egui::Button::new(t(key(template)).into_owned()));
        if button.on_hover_text(t(&format!("{}_hint", key(template)))).clicked() {
            *form = Some(Form::new(ctx.document, template));
            ui.close();
        }
    }
}

/// The character that the template is for.
fn rig(ctx: &PanelContext<'_>) -> Option<ObjectId> {
    let is_rig = |id: &ObjectId| ctx.document.object(*id).is_some_and(|object| object.as_rig().is_some());
    subject::object(ctx.document, ctx.selection)
        .filter(is_rig)
        .or_else(|| ctx.document.rigs().next().map(|(id, ..)| id))
}

/// Shows the form in place of the panel, until it is done or given up.
pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, form: &mut Option<Form>) {
    let (Some(filled), Some(rig)) = (form.as_mut(), rig(ctx)) else {
        *form = None;
        return;
    };
    let title = key(filled.template);
    ui.strong(t(title).into_owned());
    ui.add(egui::Label::new(egui::RichText::new(t(&format!("{title}_hint"))).weak()).wrap());
    ui.add_space(4.0);
    let needed = filled.template.needed();
    egui::Grid::new("template").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        for (index, (part, clip)) in filled.clips.iter_mut().enumerate() {
            ui.label(t(part_key(*part)).into_owned());
            let name = |clip: &ClipId| ctx.document.clip(*clip).map(|clip| clip.name.clone());
            let none =
                || t(if index < needed { "blend_space.part_none" } else { "blend_space.part_without" }).into_owned();
            let text = clip.as_ref().and_then(name).unwrap_or_else(none);
            let label = t(part_key(*part));
            let rows = || {
                let all = ctx.document.clips.iter().map(|(id, clip)| (Some(*id), clip.name.clone()));
                [(None, none())].into_iter().chain(all).collect::<Vec<_>>()
            };
            let chooser = Chooser::new(part_key(*part), &label, text).width(150.0);
            if let (_, Some(chosen)) = chooser.show(ui, Some(&*clip), rows) {
                *clip = chosen;
            }
            ui.end_row();
        }
    });
    ui.add_space(6.0);
    let mut done = false;
    ui.horizontal(|ui| {
        let whole = filled.is_whole(ctx.document);
        let make = ui.add_enabled(whole, egui::Button::new(t("blend_space.make").into_owned()));
        if make.on_disabled_hover_text(t("blend_space.part_missing")).clicked() {
            let name = t(&format!("{title}_name"));
            let given = filled.given(ctx.document);
            let (space, edit) = from_template(ctx.document, rig, filled.template, &given, &name);
            ctx.commands.apply("history.space_add", edit);
            ctx.commands.view(ViewChange::Blend(ctx.view.blend.of_space(space)));
            done = true;
        }
        done |= ui.button(t("blend_space.cancel").into_owned()).clicked();
        if !whole {
            ui.weak(fill("blend_space.part_missing", &[]));
        }
    });
    if done {
        *form = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Clip, FrameRange};

    #[test]
    fn a_form_is_whole_with_its_needed_parts() {
        let mut document = Document::default();
        for name in ["Lean left", "walk", "Walk slowly", "turn right"] {
            document.add_clip(Clip::new(name, FrameRange::new(0, 9)));
        }
        let form = Form::new(&document, Template::Pivotal);
        assert!(form.is_whole(&document));
        let names: Vec<&str> =
            form.given(&document).iter().map(|(_, clip)| document.clip(*clip).unwrap().name.as_str()).collect();
        assert_eq!(names, ["Lean left", "walk", "turn right"]);
        assert!(!Form::new(&document, Template::Targeted).is_whole(&document));
        assert!(!form.is_whole(&Document::default()));
    }
}
