//! A picture of a document that is not open.

use crate::{
    eval::Evaluator,
    interact::{
        camera::OrbitCamera,
        onion::OnionSkin,
        view_state::{ThemeChoice, ViewportOptions},
    },
    model::Document,
    render::scene::RenderScene,
    scene::{Figures, Shot, Stage},
    style::Palette,
    ui::theme::style_theme,
};
use std::sync::Arc;

/// All of a document at the beginning of its play range, its meshes' ears and feet too, seen from where a view begins.
/// `size`: points.
pub(super) fn picture_of(document: &Arc<Document>, theme: ThemeChoice, size: [f64; 2]) -> RenderScene {
    let secs = document.settings.rate.secs(document.settings.play_range.first);
    let (evaluator, mut figures) = (Evaluator::new(), Figures::default());
    let frame = evaluator.frame(document, secs);
    let palette = Palette::of(style_theme(theme));
    let shot = Shot {
        document,
        evaluator: &evaluator,
        // Of the size only its shape matters to where the camera stands.
        size: size.map(|side| side.round().clamp(1.0, 1e4) as u32),
        options: ViewportOptions::default(),
        onion: OnionSkin::default(),
        palette,
        background: None,
        trails: &[],
    };
    let from = OrbitCamera::default();
    let camera = shot.fitted([from.yaw, from.pitch], &[secs], &mut figures);
    let joints = frame.objects.values().flat_map(|placed| {
        let joints = placed.rig.iter().flat_map(|rig| &rig.model);
        joints.map(|model| (placed.world * *model).translation).chain([placed.world.translation])
    });
    let reach = joints.map(|place| (place - camera.pivot).norm()).fold(1.0, f64::max);
    Stage::plain(document, &frame, &camera.view(size, reach), palette).scene(&mut figures)
}
