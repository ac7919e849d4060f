//! The user's own pictures for the warp lab, read beside the window.

use crate::{
    app::{actions::files::failed, files::DialogKind, jobs::JobKind, state::JobResult, window::App},
    eval::image_morph::Raster,
    interact::view_state::ViewChange,
    io::footage::load,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The longer side of a picture as it is warped, pixels: a screen shows two beside two, and each is made anew while one drags.
const LONGER_SIDE: usize = 384;

impl App {
    /// Asks for the first or the second picture.
    pub(in crate::app) fn ask_warp_image(&mut self, second: bool, ctx: &egui::Context) {
        self.ask_for(if second { DialogKind::WarpSecond } else { DialogKind::WarpFirst }, None, ctx);
    }

    /// Reads it.
    pub(in crate::app) fn read_warp_image(&mut self, second: bool, path: PathBuf, ctx: &egui::Context) {
        self.start(JobKind::Open, ctx, move |_| {
            let read = load(&path).map(|found| {
                let size = [found.width, found.height].map(|side| usize::try_from(side).unwrap_or_default());
                Raster::reduced(size, &found.pixels, LONGER_SIDE)
            });
            JobResult::WarpImage(second, path, read)
        });
    }

    /// Lays it on the desk.
    pub(in crate::app) fn warp_image_read(&mut self, second: bool, path: &Path, read: Result<Raster, String>) {
        match read {
            Ok(picture) => {
                let mut desk = self.state.view.warp.clone();
                let name = super::files::name_of(path);
                desk.pictures[usize::from(second)] = Some((name, Arc::new(picture)));
                self.state.view.apply(ViewChange::Warp(desk));
            }
            Err(error) => self.state.tell(failed("warp_lab.not_read", path, &error)),
        }
    }
}
