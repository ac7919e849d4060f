//! A picture of a document that is not open.

use crate::{
    eval::Evaluator,
    interact::{camera::OrbitCamera, view_state::ThemeChoice},
    math::Vec3,
    model::Document,
    render::scene::RenderScene,
    scene::{Figures, Stage},
    style::Palette,
    ui::theme::style_theme,
};
use std::sync::Arc;

/// All of a document at the beginning of its play range, seen from where a view begins. `size`: points.
pub(super) fn picture_of(document: &Arc<Document>, theme: ThemeChoice, size: [f64; 2]) -> RenderScene {
    let secs = document.settings.rate.secs(document.settings.play_range.first);
    let frame = Evaluator::new().frame(document, secs);
    let places: Vec<Vec3> = frame
        .objects
        .values()
        .flat_map(|object| {
            let joints = object.rig.iter().flat_map(|rig| &rig.model);
            joints.map(|model| (object.world * *model).translation).chain([object.world.translation])
        })
        .collect();
    let reach = places.iter().map(|place| place.norm()).fold(1.0, f64::max);
    let view = OrbitCamera::default().framing(places, size).view(size, reach);
    Stage::plain(document, &frame, &view, Palette::of(style_theme(theme))).scene(&mut Figures::default())
}
