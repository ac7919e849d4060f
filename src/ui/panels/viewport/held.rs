//! The marks of joints that the user holds: a lock on each.

use super::marks::single;
use crate::{
    interact::{input::ScreenPos, viewport_desk::Shown},
    ui::{icons::Icon, theme::Colours},
};
use egui::{Painter, Rect, Vec2, pos2};

/// Size of the lock, points.
const SIZE_PT: f32 = 16.0;
/// How far beside the joint it is, points: a pin stands on it.
const BESIDE: Vec2 = Vec2::new(12.0, -10.0);

pub(super) fn paint(painter: &Painter, panel: Rect, shown: &Shown<'_>, colours: &Colours) {
    let view = shown.camera();
    let within = |[x, y]: ScreenPos| pos2(panel.left() + single(x), panel.top() + single(y));
    for &(object, joint) in shown.view.drag.held.iter().filter(|(object, _)| shown.is_shown(*object)) {
        let rig = shown.document.object(object).and_then(|object| object.as_rig());
        let world = rig.and_then(|rig| shown.frame.joint_world(object, rig.skeleton.index_of(joint)?));
        let Some(at) = world.and_then(|world| view.project(&world.translation)).map(within) else { continue };
        let place = Rect::from_center_size(at + BESIDE, Vec2::splat(SIZE_PT));
        for (offset, colour) in [(1.0, colours.panel), (0.0, colours.accent)] {
            Icon::Lock.paint(painter, place.translate(Vec2::splat(offset)), SIZE_PT, colour);
        }
    }
}
