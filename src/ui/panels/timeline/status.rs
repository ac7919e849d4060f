//! What the timeline says about the present frame and character: a pose that is not keyed, one that lies on its back, its
//! height and the unit of its file.

use crate::{
    command::CommandId,
    edit::rigs::stood_up,
    eval::limbs::{self, SkeletonView},
    math::{Quat, Vec3},
    model::{ClipId, Document, LengthUnit, ObjectId, Rig, Role, Skeleton},
    text::{fill, t},
    ui::{
        icons::Icon,
        panel::PanelContext,
        subject,
        theme::GRID_PT,
        widgets::{
            chip,
            drag_field::{number_text, unit_text},
        },
    },
};
use egui::Ui;
use std::sync::Arc;

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, with_height: bool) {
    waiting(ui, ctx);
    let Some(object) = subject::object(ctx.document, ctx.selection) else { return };
    let Some(found) = ctx.document.object(object) else { return };
    let Some(rig) = found.as_rig() else { return };
    let facts = facts(ui, ctx, object, rig);
    if facts.could_stand(found.transform.rotation) {
        chip(ui, Some(Icon::Info), &t("timeline.lies"), ctx.colours.axes[2]);
        if ui.button(t("timeline.stand_up").into_owned()).clicked() {
            ctx.commands.run(CommandId::StandUp);
        }
        ui.add_space(GRID_PT * 2.0);
    }
    // A skeleton whose joints are all in one place, as of a mesh that bends, has none.
    if with_height && facts.height > LEAST_HEIGHT {
        let text = height_text(ctx.document, rig, facts);
        ui.weak(text).on_hover_text(t("timeline.height_hint").into_owned());
    }
}

/// What is lower than this has no height to speak of, metres.
const LEAST_HEIGHT: f64 = 1e-6;

fn height_text(document: &Document, rig: &Rig, facts: Facts) -> String {
    let key = if facts.is_height { "timeline.height" } else { "timeline.length" };
    fill(key, &[("height", &length_text(facts.height, document)), ("unit", &unit_text(rig.unit))])
}

/// How wide the words about the height are, points; 0 where there are none.
pub(super) fn height_width(ui: &Ui, ctx: &PanelContext<'_>) -> f32 {
    let object = subject::object(ctx.document, ctx.selection);
    let Some((object, rig)) = object.and_then(|id| Some((id, ctx.document.object(id)?.as_rig()?))) else { return 0.0 };
    super::room::width_of(ui, &height_text(ctx.document, rig, facts(ui, ctx, object, rig)), false)
}

/// Whether a character lies along Z and would stand if it were stood up.
pub(in crate::ui::panels) fn could_stand(ui: &Ui, ctx: &PanelContext<'_>, object: ObjectId) -> bool {
    let found = ctx.document.object(object).and_then(|found| Some((found, found.as_rig()?)));
    found.is_some_and(|(found, rig)| facts(ui, ctx, object, rig).could_stand(found.transform.rotation))
}

/// A length as the document shows lengths.
pub(in crate::ui::panels) fn length_text(metres: f64, document: &Document) -> String {
    let unit = document.settings.length_unit;
    let decimals = if unit == LengthUnit::Metre { 2 } else { 1 };
    format!("{} {}", number_text(metres / unit.metres(), decimals), unit.symbol())
}

fn waiting(ui: &mut Ui, ctx: &PanelContext<'_>) {
    if !ctx.document.clips.values().any(|clip| clip.unkeyed_at(ctx.view.secs).is_some()) {
        return;
    }
    let response = chip(ui, Some(Icon::Key), &t("timeline.not_keyed"), ctx.colours.unkeyed);
    response.on_hover_text(t("timeline.not_keyed_hint").into_owned());
    for (key, command) in
        [("timeline.key_it", CommandId::KeyWaiting), ("timeline.discard_it", CommandId::DiscardWaiting)]
    {
        if ui.button(t(key).into_owned()).clicked() {
            ctx.commands.run(command);
        }
    }
    ui.add_space(GRID_PT * 2.0);
}

/// What is known of a character.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// The length of the body at rest, metres.
    height: f64,
    /// Whether that is how tall it is, and not how long.
    is_height: bool,
    /// From hips to chest where its clip starts, in the rig's space: what a rest pose means is up to its file.
    up: Vec3,
    /// From the ends of the legs to their roots, likewise; none where no legs are found.
    legs: Option<Vec3>,
}

impl Facts {
    /// Whether a character that is turned so lies along Z and would stand if it were stood up. The back of an animal on four
    /// legs lies along Z where the animal stands: its legs must lie too.
    fn could_stand(&self, rotation: Quat) -> bool {
        let along_z = |way: &Vec3| {
            let way = rotation * way;
            way.z.abs() > way.y.abs() && way.z.abs() > way.x.abs()
        };
        let upright = |way: &Vec3| (stood_up(rotation).rotation() * way).y > 0.7 * way.norm();
        let rises = |way: &Vec3| along_z(way) && upright(way);
        along_z(&self.up) && self.legs.as_ref().map_or_else(|| rises(&self.up), rises)
    }
}

/// The facts of a rig, worked out once for a skeleton and the clip it plays.
fn facts(ui: &Ui, ctx: &PanelContext<'_>, object: ObjectId, rig: &Rig) -> Facts {
    type Known = Option<(Arc<Skeleton>, Option<ClipId>, Facts)>;
    let (id, clip) = (egui::Id::unique("timeline figure"), ctx.document.clip_of(object));
    let known = ui.data(|data| data.get_temp::<Known>(id)).flatten();
    if let Some((.., facts)) = known.filter(|(skeleton, of, _)| Arc::ptr_eq(skeleton, &rig.skeleton) && *of == clip) {
        return facts;
    }
    let skeleton = &rig.skeleton;
    let settings = &ctx.document.settings;
    let first = clip.and_then(|clip| ctx.document.clip(clip)).map_or(0, |clip| clip.range.first);
    let start = ctx.evaluator.rig_frame(ctx.document, object, settings.rate.secs(first));
    let posed = start.map(|frame| frame.model.iter().map(|joint| joint.translation).collect::<Vec<_>>());
    let (up, legs) = posed.map_or((Vec3::y(), None), |posed| ways(skeleton, &posed));
    let (height, is_height) = crate::eval::size::told_size_of(skeleton);
    let facts = Facts { height, is_height, up, legs };
    ui.data_mut(|data| data.insert_temp::<Known>(id, Some((skeleton.clone(), clip, facts))));
    facts
}

/// From hips to chest, and from the ends of the legs to their roots, in a pose.
fn ways(skeleton: &Skeleton, posed: &[Vec3]) -> (Vec3, Option<Vec3>) {
    let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    let tips: Vec<bool> = skeleton.joints().iter().map(crate::model::Joint::is_end).collect();
    let view = SkeletonView { parents: skeleton.parents(), names: &names, tips: &tips, rest: posed, posed };
    let limbs = limbs::find(&view);
    let legs = limbs.of_role(Role::Leg).filter_map(|leg| Some(posed.get(leg.root())? - posed.get(leg.end())?));
    (limbs.frame.up, legs.reduce(|sum, way| sum + way))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::rigs::UpAxis;

    #[test]
    fn only_what_lies_and_would_stand_is_offered_to_stand_up() {
        let [y, z] = [Vec3::y(), Vec3::z()];
        let facts = |up, legs| Facts { height: 1.7, is_height: true, up, legs };
        let [as_file, turned] = [UpAxis::Y, UpAxis::Z].map(UpAxis::rotation);
        assert!(facts(z, Some(z)).could_stand(as_file), "one that its file has along Z");
        assert!(!facts(z, Some(z)).could_stand(turned), "it stands then");
        assert!(!facts(y, Some(y)).could_stand(as_file), "upright by its file");
        assert!(facts(y, Some(y)).could_stand(turned), "upright by its file, laid down by hand");
        assert!(!facts(-z, Some(-z)).could_stand(as_file), "it would stand on its head");
        assert!(!facts(z, Some(y)).could_stand(as_file), "an animal on four legs");
        assert!(facts(z, None).could_stand(as_file) && !facts(y, None).could_stand(as_file));
    }
}
