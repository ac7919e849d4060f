//! Joints and handles as named nodes for screen readers and tests: they have a place on the screen and take no input.

use super::marks::single;
use crate::{
    interact::{
        gizmo::Handle,
        input::ScreenPos,
        picking::{PickScene, SpotPart},
        tool::Look,
        tools::roll_foot::{handles, pivot_name},
        viewport_desk::Shown,
    },
    model::Target,
    text::{fill, t},
    ui::subject::{chain_part_name, point_name},
};
use egui::{Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

/// Side of a node, points.
const SIDE_PT: f32 = 18.0;

/// Adds the nodes of the joints and handles that are in view. Nothing where nobody listens.
pub(super) fn add(ui: &Ui, panel: &Response, scene: &PickScene, look: &Look, shown: &Shown<'_>) {
    if ui.ctx().accesskit_node_builder(panel.id, |_| ()).is_none() {
        return;
    }
    let view = shown.camera();
    let node = |id: egui::Id, [x, y]: ScreenPos, name: &str| {
        let at = pos2(panel.rect.left() + single(x), panel.rect.top() + single(y));
        if panel.rect.contains(at) {
            let rect = Rect::from_center_size(at, Vec2::splat(SIDE_PT));
            // Senses nothing: the pointer is the tools'.
            let response = ui.interact(rect, id, Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::GraphicsObject, true, name));
        }
    };
    for joint in scene.joints.iter().filter(|joint| !joint.is_tip()) {
        let rig = shown.document.object(joint.object).and_then(|object| object.as_rig());
        let found = rig.and_then(|rig| rig.skeleton.joint(joint.joint));
        if let (Some(found), Some(at)) = (found, view.project(&joint.at)) {
            node(panel.id.with((joint.object, joint.joint)), at, &found.name);
        }
    }
    for spot in &scene.spots {
        let Some(object) = shown.document.object(spot.target.object()) else { continue };
        let name = match (spot.target, spot.part) {
            (Target::Object(_), part) if part != SpotPart::Body => {
                let key = match part {
                    SpotPart::Low => "deform.handle_low",
                    SpotPart::High => "deform.handle_high",
                    _ => "deform.handle_amount",
                };
                fill(key, &[("name", &object.name)])
            }
            (Target::Point(_, id), SpotPart::Body) => point_name(object, id),
            (Target::Point(_, id), part) => {
                let number = object.as_path().and_then(|path| path.index_of(id)).map_or(0, |index| index + 1);
                let key = if part == SpotPart::HandleIn { "path.handle_in_of" } else { "path.handle_out_of" };
                fill(key, &[("path", &object.name), ("number", &number)])
            }
            _ => chain_part_name(shown.document, spot.target).unwrap_or_else(|| object.name.clone()),
        };
        let of_lattice = matches!(spot.target, Target::Point(..)) && object.deforms();
        let in_hand = !of_lattice || shown.selection.targets.iter().any(|t| t.object() == spot.target.object());
        let picked = in_hand && (spot.part == SpotPart::Body || shown.selection.contains(spot.target));
        if let Some(at) = view.project(&spot.at).filter(|_| picked) {
            node(panel.id.with((spot.target, spot.part)), at, &name);
        }
    }
    for (pivot, at) in handles(shown.document, shown.frame, scene, shown.selection.active, &view) {
        node(panel.id.with(("foot", pivot)), at, &t(pivot_name(pivot)));
    }
    let Some(gizmo) = look.gizmo else { return };
    for (index, &handle) in Handle::all(gizmo.kind).iter().enumerate().filter(|(_, h)| gizmo.is_shown(**h, &view)) {
        let outline = gizmo.outline(handle, &view);
        let grip = match handle {
            Handle::Arrow(_) => outline.last(),
            _ => outline.get(outline.len() / 3),
        };
        if let Some(at) = grip.and_then(|at| view.project(at)) {
            node(panel.id.with(("handle", index)), at, &t(handle.name()));
        }
    }
}
