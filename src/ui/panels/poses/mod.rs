//! The pose library: a picture of the character in each pose, brought on by a click or by as much as one drags.

mod card;

use crate::{
    command::CommandId,
    edit::{Ground, PoseEdit},
    interact::view_state::ViewChange,
    model::{ObjectId, Pose, PoseId},
    text::{fill, t},
    ui::{
        icons::Icon,
        naming::{self, name_field},
        panel::{Panel, PanelContext},
        portraits::Portraits,
        subject,
        widgets::search_field,
    },
};
use egui::Ui;
use std::sync::Arc;

/// Gap between two cards, points.
const GAP_PT: f32 = 8.0;

/// The pose library.
#[derive(Debug, Default)]
pub struct PosesPanel {
    filter: String,
    mirrored: bool,
    pictures: Portraits<PoseId>,
    /// The pose that is being brought on by dragging, and how much of it.
    dragged: Option<(PoseId, f64)>,
    /// The pose that is being renamed, and whether its field has had the focus.
    renaming: Option<(PoseId, bool)>,
}

impl Panel for PosesPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let known = ctx.document.poses.clone();
        self.pictures.sync(ui, ctx, |id| known.contains_key(id));
        self.head(ui, ctx);
        let object = subject::object(ctx.document, ctx.selection)
            .filter(|id| ctx.document.object(*id).is_some_and(|object| object.as_rig().is_some()));
        let Some(object) = object else {
            ui.weak(t("poses.no_character").into_owned());
            return;
        };
        if ctx.document.poses.is_empty() {
            ui.add_space(GAP_PT);
            ui.weak(t("poses.empty").into_owned());
            return;
        }
        let filter = self.filter.trim().to_lowercase();
        let poses = ctx.document.poses.clone();
        let found = poses.iter().filter(|(_, pose)| pose.name.to_lowercase().contains(&filter));
        let found: Vec<(PoseId, &Arc<Pose>)> = found.map(|(id, pose)| (*id, pose)).collect();
        if found.is_empty() {
            ui.weak(fill("poses.none_found", &[("text", &self.filter)]));
            return;
        }
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let columns = ((ui.available_width() + GAP_PT) / (card::WIDTH_PT + GAP_PT)).floor().max(1.0) as usize;
            for row in found.chunks(columns) {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = GAP_PT;
                    for (id, pose) in row {
                        ui.push_id(id, |ui| ui.vertical(|ui| self.card(ui, ctx, object, *id, pose)));
                    }
                });
                ui.add_space(GAP_PT / 2.0);
            }
        });
        self.pictures.end();
    }

    fn captures_keys(&self) -> bool {
        self.dragged.is_some()
    }
}

impl PosesPanel {
    fn head(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>) {
        ui.horizontal_wrapped(|ui| {
            let button = egui::Button::new(t("command.add_pose").into_owned());
            let rig = ctx.document.rigs().next().is_some();
            let button = ui.add_enabled(rig, button);
            if button.on_hover_text(t("command.add_pose_hint").into_owned()).clicked() {
                ctx.commands.run(CommandId::AddPose);
            }
            let mirrored = ui.selectable_label(self.mirrored, t("poses.mirrored").into_owned());
            if mirrored.on_hover_text(t("poses.mirrored_hint").into_owned()).clicked() {
                self.mirrored = !self.mirrored;
            }
            let taken = ctx.view.pose_ground == Ground::Taken;
            let place = ui.selectable_label(taken, t("poses.with_place").into_owned());
            if place.on_hover_text(t("poses.with_place_hint").into_owned()).clicked() {
                ctx.commands.view(ViewChange::PoseGround(if taken { Ground::Stays } else { Ground::Taken }));
            }
        });
        if !ctx.document.poses.is_empty() {
            search_field(ui, &t("poses.search"), &mut self.filter);
        }
        ui.add_space(4.0);
    }

    fn card(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>, object: ObjectId, id: PoseId, pose: &Arc<Pose>) {
        let response = self.picture(ui, ctx, object, id, pose);
        response.context_menu(|ui| self.menu(ui, ctx, object, id, pose));
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let more = fill("poses.more", &[("name", &pose.name)]);
            match self.renaming {
                Some((renamed, had_focus)) if renamed == id => self.rename(ui, ctx, id, pose, had_focus),
                _ => {
                    let width = card::WIDTH_PT - 22.0;
                    let label = egui::Label::new(&pose.name).truncate().sense(egui::Sense::click());
                    let name = ui.allocate_ui_with_layout(
                        egui::vec2(width, 20.0),
                        egui::Layout::left_to_right(egui::Align::Center),
                        |ui| {
                            ui.set_min_width(width);
                            ui.add(label)
                        },
                    );
                    if name.inner.double_clicked() || naming::asked(&response) || naming::asked(&name.inner) {
                        self.renaming = Some((id, false));
                    }
                    let button = crate::ui::widgets::IconButton::new(Icon::ChevronDown, &more).side(20.0);
                    let button = button.colour(ctx.colours.weak).show(ui);
                    egui::Popup::menu(&button).show(|ui| self.menu(ui, ctx, object, id, pose));
                }
            }
        });
    }

    fn rename(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, id: PoseId, pose: &Pose, had_focus: bool) {
        let (response, renamed) = {
            let is_taken = |name: &str| ctx.document.poses.values().any(|other| other.name == name);
            name_field(ui, ctx, (&t("poses.name"), &pose.name, card::WIDTH_PT), is_taken)
        };
        if response.has_focus() {
            self.renaming = Some((id, true));
        } else if had_focus {
            self.renaming = None;
        } else {
            response.request_focus();
        }
        if let Some(name) = renamed {
            let edit = PoseEdit::Rename { pose: id, name };
            ctx.commands.apply("history.rename_pose", edit.into());
        }
    }

    fn menu(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, id: PoseId, pose: &Arc<Pose>) {
        for (key, mirrored) in [("poses.menu_apply", false), ("poses.menu_apply_mirrored", true)] {
            if ui.button(t(key).into_owned()).clicked() {
                card::apply_whole(ctx, object, pose, mirrored);
                ui.close();
            }
        }
        ui.separator();
        if ui.button(t("poses.menu_replace").into_owned()).clicked() {
            if let Some(edit) = card::replaced(ctx, object, id, pose) {
                ctx.commands.apply("history.replace_pose", edit);
            }
            ui.close();
        }
        if ui.button(t("poses.menu_rename").into_owned()).clicked() {
            self.renaming = Some((id, false));
            ui.close();
        }
        if ui.button(t("poses.menu_delete").into_owned()).clicked() {
            ctx.commands.apply("history.delete_pose", PoseEdit::Delete { pose: id }.into());
            ui.close();
        }
    }
}
