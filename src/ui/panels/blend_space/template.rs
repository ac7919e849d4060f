//! New spaces by templates: a form in which each part of directional movement is given its clip.

use crate::{
    edit::{
        Edit, EditError,
        blend::{
            play_space,
            templates::{Given, Part, Template, backwards_of, from_template, guessed},
        },
    },
    interact::view_state::ViewChange,
    model::{BlendSpaceId, Document, ObjectId},
    progress::Progress,
    text::{fill, t},
    ui::{panel::PanelContext, subject, widgets::Chooser},
};
use egui::Ui;

/// The form that is being filled in.
#[derive(Clone, Debug)]
pub(super) struct Form {
    template: Template,
    parts: Vec<(Part, Option<Given>)>,
}

impl Form {
    /// With the clips that their names say are its parts; what goes backward, where no clip is, from what goes forward.
    fn new(document: &Document, template: Template) -> Self {
        let given = |part: Part| {
            let found = guessed(document, part).map(Given::Clip);
            found.or_else(|| guessed(document, backwards_of(part)?).map(Given::Backwards))
        };
        Self { template, parts: template.parts().iter().map(|part| (*part, given(*part))).collect() }
    }

    /// The parts that are given a clip which is there.
    fn given(&self, document: &Document) -> Vec<(Part, Given)> {
        let there = |given: &Given| {
            let (Given::Clip(clip) | Given::Backwards(clip)) = given;
            document.clip(*clip).is_some()
        };
        self.parts.iter().filter_map(|(part, given)| Some((*part, given.filter(there)?))).collect()
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
        Template::Speed => "blend_space.by_speed",
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
        Part::BackLeft => "blend_space.part_back_left",
        Part::BackRight => "blend_space.part_back_right",
        Part::LeanLeft => "blend_space.part_lean_left",
        Part::LeanRight => "blend_space.part_lean_right",
    }
}

/// The buttons that open the forms.
pub(super) fn buttons(ui: &mut Ui, ctx: &PanelContext<'_>, form: &mut Option<Form>) {
    for template in [Template::Speed, Template::Targeted, Template::Pivotal] {
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
    ui.strong(t(&format!("{title}_name")).into_owned());
    ui.add(egui::Label::new(egui::RichText::new(t(&format!("{title}_hint"))).weak()).wrap());
    ui.add_space(4.0);
    let needed = filled.template.needed();
    egui::Grid::new("template").num_columns(2).spacing([12.0, 4.0]).show(ui, |ui| {
        let before = filled.parts.clone();
        for (index, (part, given)) in filled.parts.iter_mut().enumerate() {
            ui.label(t(part_key(*part)).into_owned());
            let name = |given: &Given| {
                let (Given::Clip(clip) | Given::Backwards(clip)) = given;
                let name = ctx.document.clip(*clip)?.name.clone();
                Some(if matches!(given, Given::Clip(_)) {
                    name
                } else {
                    fill("blend_space.backwards", &[("name", &name)])
                })
            };
            let none =
                || t(if index < needed { "blend_space.part_none" } else { "blend_space.part_without" }).into_owned();
            let text = given.as_ref().and_then(name).unwrap_or_else(none);
            let label = t(part_key(*part));
            let ahead = backwards_of(*part).and_then(|of| before.iter().find(|(part, _)| *part == of)?.1);
            let back = ahead.and_then(|given| match given {
                Given::Clip(clip) => Some(Given::Backwards(clip)),
                Given::Backwards(_) => None,
            });
            let rows = || {
                let back = back.and_then(|given| Some((Some(given), name(&given)?)));
                let all = ctx.document.clips.iter().map(|(id, clip)| (Some(Given::Clip(*id)), clip.name.clone()));
                [(None, none())].into_iter().chain(back).chain(all).collect::<Vec<_>>()
            };
            let chooser = Chooser::new(part_key(*part), &label, text).width(170.0);
            if let (_, Some(chosen)) = chooser.show(ui, Some(&*given), rows) {
                *given = chosen;
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
            make_space(ctx, rig, filled, &t(&format!("{title}_name")), false);
            done = true;
        }
        let play = ui.add_enabled(whole, egui::Button::new(t("blend_space.make_and_play").into_owned()));
        if play.on_disabled_hover_text(t("blend_space.part_missing")).clicked() {
            make_space(ctx, rig, filled, &t(&format!("{title}_name")), true);
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

/// Makes the space that is filled in, and shows it; where it is to be played, the character plays it at once.
fn make_space(ctx: &PanelContext<'_>, rig: ObjectId, filled: &Form, name: &str, play: bool) {
    let parts = filled.given(ctx.document);
    let back = |name: &str| fill("blend_space.backwards_name", &[("name", &name)]);
    let made = from_template(ctx.document, rig, (filled.template, &parts), (name, &back), &Progress::new());
    match made {
        Ok(Ok((space, edit))) => {
            match play.then(|| played(ctx.document, rig, space, &edit)) {
                None => ctx.commands.apply("history.space_add", edit),
                Some(Ok(play)) => ctx.commands.apply("history.space_play", Edit::Batch(vec![edit, play])),
                Some(Err(error)) => return super::tell(ctx, fill("edit.refused", &[("error", &error)])),
            }
            ctx.commands.view(ViewChange::Blend(ctx.view.blend.of_space(space)));
        }
        Ok(Err(error)) => super::tell(ctx, fill("edit.refused", &[("error", &error)])),
        Err(_) => {}
    }
}

/// The edit by which a character plays a space that another edit is yet to make.
fn played(document: &Document, rig: ObjectId, space: BlendSpaceId, made: &Edit) -> Result<Edit, EditError> {
    let mut with = document.clone();
    made.apply(&mut with)?;
    let name = with.blend_spaces.get(&space).map(|space| space.name.clone()).unwrap_or_default();
    play_space(&with, rig, space, &fill("blend_space.take", &[("name", &name)]))
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
        let names = |form: &Form| -> Vec<String> {
            let name = |(_, given): &(Part, Given)| {
                let (Given::Clip(clip) | Given::Backwards(clip)) = given;
                document.clip(*clip).unwrap().name.clone()
            };
            form.given(&document).iter().map(name).collect()
        };
        assert_eq!(names(&form), ["Lean left", "walk", "turn right"]);
        let targeted = Form::new(&document, Template::Targeted);
        assert!(!targeted.is_whole(&document));
        assert_eq!(names(&targeted), ["walk", "walk"]);
        assert!(!form.is_whole(&Document::default()));
    }
}
