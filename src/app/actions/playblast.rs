//! Playblast: what plays, as the 3D view shows it, drawn to an animation or numbered pictures beside the window.

use super::files::failed;
use crate::{
    app::{jobs::JobKind, state::JobResult, window::App},
    cli::film::{Angle, Film, FilmError},
    interact::{trails, view_state::ThemeChoice},
    model::ObjectId,
    notice::Notice,
    text::fill,
};
use std::path::{Path, PathBuf};

/// Width and height of the pictures, pixels.
const SIZE: [u32; 2] = [1280, 720];

impl App {
    /// Draws the frames that play, from where the 3D view is seen, with what it shows.
    pub(in crate::app) fn playblast(&mut self, path: PathBuf, ctx: &egui::Context) {
        let (document, view) = (self.state.session.base().clone(), &self.state.view);
        let (rate, range) = (document.settings.rate, document.settings.play_range);
        let is_camera = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_camera().is_some());
        let through = view.through.filter(is_camera);
        let trails = view.trailed.iter().filter_map(|of| trails::spec(view, &document, *of)).collect();
        let film = Film {
            frames: (range.first..=range.last).collect(),
            numbered: true,
            fps: rate.fps(),
            size: SIZE,
            angle: through.map_or(Angle::Camera(view.camera), Angle::Object),
            trails,
            trail_options: view.trails,
            options: view.viewport,
            onion: view.onion,
            light: view.theme == ThemeChoice::Light,
            background: None,
            folder: Some(
                self.state.file.path.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default(),
            ),
            output: path.clone(),
        };
        self.start(JobKind::Playblast, ctx, move |progress| {
            JobResult::Filmed(path, film.shoot(&document, progress).map(|written| written.len()))
        });
    }

    /// Says how it went.
    pub(in crate::app) fn filmed(&mut self, path: &Path, result: Result<usize, FilmError>) {
        match result {
            Ok(files) => {
                let name = super::files::name_of(path);
                let text = fill("playblast.done", &[("name", &name), ("files", &files)]);
                self.state.tell(Notice::info(text).with_details(path.display().to_string()));
            }
            Err(FilmError::Cancelled(_)) => self.state.tell(Notice::info(crate::text::t("playblast.stopped"))),
            Err(error) => self.state.tell(failed("playblast.failed", path, &error.to_string())),
        }
    }
}
