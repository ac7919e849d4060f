//! The clip library: the motions of a character as pictures, and what can be done with the one that is chosen.

mod card;
mod details;
mod phase;
mod seams;
mod steps;

pub(in crate::ui::panels) use card::{delete, refuse};

use crate::{
    command::{Command, CommandId},
    eval::{
        clips::{Motion, seams::Ends},
        preview,
    },
    interact::clip_work::ClipWork,
    model::{Clip, ClipId, Document, ObjectId, Pose, Skeleton},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        portraits::Portraits,
        subject,
        widgets::search_field,
    },
};
use egui::{RichText, ScrollArea, Ui};
use std::{collections::BTreeMap, sync::Arc};

/// From this width on the clip that is chosen stands beside the list, points.
const BESIDE_PT: f32 = 620.0;
/// Width of the list then, as a part of the panel.
const LIST: f32 = 0.48;
/// Gap between two cards, points.
const GAP_PT: f32 = 8.0;

/// A pose taken from a clip for its picture, and what it was taken from.
#[derive(Debug)]
struct Taken {
    clip: Arc<Clip>,
    skeleton: Arc<Skeleton>,
    pose: Arc<Pose>,
}

/// How the clips of a character begin and end, and of what that was found.
#[derive(Debug)]
struct FoundEnds {
    clips: Arc<BTreeMap<ClipId, Arc<Clip>>>,
    object: ObjectId,
    skeleton: Arc<Skeleton>,
    ends: Option<Ends>,
}

/// The clip library.
#[derive(Debug, Default)]
pub struct ClipsPanel {
    filter: String,
    /// The clip that is looked at; none for the one that plays.
    chosen: Option<ClipId>,
    /// The clip whose name is to be typed next.
    renames: Option<ClipId>,
    /// The length that is asked for, in frames, of which clip.
    length: Option<(ClipId, i64)>,
    portraits: Portraits<ClipId>,
    poses: BTreeMap<ClipId, Taken>,
    ends: Option<FoundEnds>,
}

impl Panel for ClipsPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let known = ctx.document.clips.clone();
        self.portraits.sync(ui, ctx, |id| known.contains_key(id));
        self.poses.retain(|id, _| known.contains_key(id));
        let object = subject::object(ctx.document, ctx.selection)
            .filter(|id| ctx.document.object(*id).is_some_and(|object| object.as_rig().is_some()));
        let Some(object) = object else {
            ui.add(egui::Label::new(RichText::new(t("clips.no_character")).weak()).wrap());
            return;
        };
        self.chosen = self.chosen.filter(|clip| ctx.document.clip(*clip).is_some());
        let chosen = self.chosen.or_else(|| ctx.document.clip_of(object));
        if ui.available_width() < BESIDE_PT {
            ScrollArea::vertical().id_salt("clips").auto_shrink(false).show(ui, |ui| {
                ui.set_max_width(ui.available_width());
                self.list(ui, ctx, object, chosen);
                if let Some(chosen) = chosen {
                    ui.separator();
                    self.details(ui, ctx, object, chosen);
                }
            });
        } else {
            let whole = ui.available_rect_before_wrap();
            let (left, right) = whole.split_left_right_at_fraction(LIST);
            for (salt, rect) in [("list", left.shrink2(egui::vec2(4.0, 0.0))), ("details", right)] {
                let builder = egui::UiBuilder::new().id_salt(salt).max_rect(rect);
                ui.scope_builder(builder, |ui| {
                    ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
                        ui.set_max_width(ui.available_width());
                        match (salt, chosen) {
                            ("list", _) => self.list(ui, ctx, object, chosen),
                            (_, Some(chosen)) => self.details(ui, ctx, object, chosen),
                            _ => {}
                        }
                    });
                });
            }
        }
        self.portraits.end();
    }
}

impl ClipsPanel {
    fn list(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>, object: ObjectId, chosen: Option<ClipId>) {
        ui.horizontal_wrapped(|ui| {
            let import = ui.button(t("clips.import").into_owned());
            if import.on_hover_text(t("command.import_clips_hint").into_owned()).clicked() {
                ctx.commands.run(CommandId::ImportClips);
            }
            if ctx.document.clips.len() > 5 {
                search_field(ui, &t("clips.search"), &mut self.filter);
            }
        });
        ui.add_space(4.0);
        if ctx.document.clips.is_empty() {
            ui.add(egui::Label::new(RichText::new(t("clips.empty")).weak()).wrap());
            return;
        }
        let (own, others) = listed(ctx.document, object, &self.filter);
        if own.is_empty() && others.is_empty() {
            ui.weak(fill("clips.none_found", &[("text", &self.filter)]));
        }
        self.cards(ui, ctx, object, &own, chosen);
        if !others.is_empty() {
            ui.horizontal_wrapped(|ui| {
                crate::ui::widgets::section(ui, &t("clips.others"));
                if ui.button(t("clips.retarget")).on_hover_text(t("clips.others_hint")).clicked() {
                    ctx.commands.run(CommandId::ShowRetarget);
                }
            });
            self.cards(ui, ctx, object, &others, chosen);
        }
    }

    fn cards(
        &mut self,
        ui: &mut Ui,
        ctx: &mut PanelContext<'_>,
        object: ObjectId,
        clips: &[ClipId],
        chosen: Option<ClipId>,
    ) {
        let columns = ((ui.available_width() + GAP_PT) / (card::WIDTH_PT + GAP_PT)).floor().max(1.0) as usize;
        for row in clips.chunks(columns) {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = GAP_PT;
                for id in row {
                    ui.push_id(id, |ui| ui.vertical(|ui| self.card(ui, ctx, object, *id, chosen == Some(*id))));
                }
            });
            ui.add_space(GAP_PT / 2.0);
        }
    }

    /// The pose of a clip's picture: a third of the way in.
    fn pose(&mut self, ctx: &PanelContext<'_>, object: ObjectId, id: ClipId) -> Option<Arc<Pose>> {
        let clip = ctx.document.clip(id)?;
        let skeleton = &ctx.document.object(object)?.as_rig()?.skeleton;
        if let Some(taken) = self.poses.get(&id)
            && Arc::ptr_eq(&taken.clip, clip)
            && Arc::ptr_eq(&taken.skeleton, skeleton)
        {
            return Some(taken.pose.clone());
        }
        let rate = ctx.document.settings.rate;
        let (first, last) = (rate.secs(clip.range.first), rate.secs(clip.range.last));
        let secs = first + (last - first) / 3.0;
        let exact = || Some(Motion::new(ctx.document, object, id)?.pose(secs));
        let locals = preview::clip_pose(ctx.document, object, id, secs).or_else(exact)?;
        let joints = skeleton.joints().iter().map(|joint| joint.id);
        let pose = Arc::new(Pose::taken(&clip.name, skeleton, &locals, joints));
        let taken = Taken { clip: clip.clone(), skeleton: skeleton.clone(), pose: pose.clone() };
        self.poses.insert(id, taken);
        Some(pose)
    }

    /// How the clips begin and end, found anew when one has changed. Not while something is dragged: that is for the end.
    fn ends(&mut self, ctx: &PanelContext<'_>, object: ObjectId) -> Option<&Ends> {
        let skeleton = ctx.document.object(object)?.as_rig()?.skeleton.clone();
        let clips = &ctx.session.base().clips;
        let known = self.ends.as_ref().is_some_and(|known| {
            Arc::ptr_eq(&known.clips, clips) && known.object == object && Arc::ptr_eq(&known.skeleton, &skeleton)
        });
        if !known {
            let ends = Ends::of(ctx.session.base(), object);
            self.ends = Some(FoundEnds { clips: clips.clone(), object, skeleton, ends });
        }
        self.ends.as_ref()?.ends.as_ref()
    }
}

/// Asks for work with clips.
fn work(ctx: &PanelContext<'_>, work: ClipWork) {
    ctx.commands.send(Command::Clips(Box::new(work)));
}

/// The clips whose names hold a text, in order: those that move a character or nothing yet, and those of others.
fn listed(document: &Document, object: ObjectId, filter: &str) -> (Vec<ClipId>, Vec<ClipId>) {
    let words = filter.trim().to_lowercase();
    let named = |clip: &Arc<Clip>| clip.name.to_lowercase().contains(&words);
    let found = document.listed_clips().into_iter().filter(|id| document.clip(*id).is_some_and(named));
    found.partition(|id| {
        document
            .clip(*id)
            .is_some_and(|clip| clip.moves(object) || !document.objects.keys().any(|other| clip.moves(*other)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChannelPath, Component, Curve, FrameRange, Object, Property, Rig, ScalarCurve};

    #[test]
    fn clips_of_other_characters_stand_apart() {
        let mut document = Document::default();
        let (own, other) = (ObjectId(1), ObjectId(2));
        assert_eq!(document.add_object(Object::rig("own", Rig::default())), own);
        assert_eq!(document.add_object(Object::rig("other", Rig::default())), other);
        let mut clip = |name: &str, of: Option<ObjectId>| {
            let mut clip = Clip::new(name, FrameRange::new(0, 9));
            if let Some(object) = of {
                let path = ChannelPath::object(object, Property::Translation, Component::X);
                let curve = Curve::Scalar(ScalarCurve::Keyed(crate::model::KeyedCurve::default()));
                clip.channels.insert(path, Arc::new(curve));
            }
            document.add_clip(clip)
        };
        let (walk, jump, fresh) = (clip("Walk", Some(own)), clip("Jump", Some(other)), clip("new walk", None));
        assert_eq!(listed(&document, own, ""), (vec![walk, fresh], vec![jump]));
        assert_eq!(listed(&document, own, " WALK"), (vec![walk, fresh], vec![]));
        assert_eq!(listed(&document, other, "walk"), (vec![fresh], vec![walk]));
    }
}
