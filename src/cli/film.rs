//! Draws frames of a document to files, without a window: the command `render` and the window's playblast.

use crate::{
    eval::{
        Evaluator,
        trail::{TrailSpec, clean_arc},
    },
    interact::{camera::OrbitCamera, onion::OnionSkin, trails::TrailOptions, view_state::ViewportOptions},
    io::{
        file::{self, FileError},
        footage::{at_frame, full_path, load, siblings},
        picture::{self, Gif, PictureError, Pixels},
    },
    model::{Document, ObjectId},
    progress::{Cancelled, Progress},
    render::{Picture, Plate, RenderError, Renderer, headless::Headless},
    scene::{Backdrop, Figures, Ghosts, SeenFrom, Shot, TrailShown},
    style::{Palette, Rgba},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Where it is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Angle {
    /// From beside the front and above the horizon, radians, as near as all of it is seen.
    Fitted([f64; 2]),
    /// As a camera that orbits sees it.
    Camera(OrbitCamera),
    /// Through a camera of the document.
    Object(ObjectId),
}

/// What is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Film {
    /// The frames, in order.
    pub(crate) frames: Vec<i64>,
    /// Whether there is one file for all of them, or one for the only one.
    pub(crate) numbered: bool,
    /// Frames a second of an animation.
    pub(crate) fps: f64,
    /// Width and height, pixels.
    pub(crate) size: [u32; 2],
    /// Where from.
    pub(crate) angle: Angle,
    /// What of the scene.
    pub(crate) options: ViewportOptions,
    /// What of other times.
    pub(crate) onion: OnionSkin,
    /// The joints whose trails are drawn.
    pub(crate) trails: Vec<TrailSpec>,
    /// How they are drawn.
    pub(crate) trail_options: TrailOptions,
    /// Whether in the light theme's colours.
    pub(crate) light: bool,
    /// Behind everything, instead of the theme's colour.
    pub(crate) background: Option<Rgba>,
    /// The folder of the document, where its reference images lie; none shows none.
    pub(crate) folder: Option<PathBuf>,
    /// The file, or the pattern of the files.
    pub(crate) output: PathBuf,
}

/// Why nothing, or not everything, was drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FilmError {
    #[error("the name does not say what to write; end it in .png, or in .gif for an animation: {}", .0.display())]
    Output(PathBuf),
    #[error("one frame is a picture, not an animation; end the name in .png, or give --frames FIRST..LAST: {}", .0.display())]
    OneFrame(PathBuf),
    #[error("there is nothing to draw in the document: it has no object")]
    Nothing,
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error("{}: {source}", path.display())]
    Picture { path: PathBuf, source: PictureError },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// What kind of file a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Png,
    Gif,
}

impl Film {
    fn kind(&self) -> Result<Kind, FilmError> {
        let extension = self.output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Kind::Png),
            Some("gif") if self.numbered => Ok(Kind::Gif),
            Some("gif") => Err(FilmError::OneFrame(self.output.clone())),
            _ => Err(FilmError::Output(self.output.clone())),
        }
    }

    /// Draws and writes; the files written, each whole or not at all. What was there under the same name is kept as
    /// `NAME.bak`.
    pub(crate) fn shoot(&self, document: &Document, progress: &Progress) -> Result<Vec<PathBuf>, FilmError> {
        let kind = self.kind()?;
        if document.objects.is_empty() {
            return Err(FilmError::Nothing);
        }
        progress.start("Drawing", self.frames.len() as u64);
        let headless = Headless::open()?;
        let mut renderer = Renderer::new(headless.gl())?;
        let evaluator = Evaluator::new();
        let (mut figures, mut ghosts) = (Figures::default(), Ghosts::default());
        let trails = self.trails(document, &evaluator);
        let shot = Shot {
            document,
            evaluator: &evaluator,
            size: self.size,
            options: self.options,
            onion: self.onion,
            palette: if self.light { &Palette::LIGHT } else { &Palette::DARK },
            background: self.background,
            trails: &trails,
        };
        let rate = document.settings.rate;
        let times: Vec<f64> = self.frames.iter().map(|frame| rate.secs(*frame)).collect();
        let camera = match self.angle {
            Angle::Fitted(angles) => SeenFrom::Orbit(shot.fitted(angles, &times, &mut figures)),
            Angle::Camera(camera) => SeenFrom::Orbit(camera),
            Angle::Object(camera) => SeenFrom::Object(camera),
        };
        let mut backdrops = Backdrops { folder: self.folder.as_deref(), known: BTreeMap::new() };
        let mut animation = Gif::new(self.fps);
        let mut written = Vec::new();
        for (frame, secs) in self.frames.iter().zip(times) {
            progress.check()?;
            let plates = backdrops.plates(document, *frame, self.size);
            let scene = shot.scene(secs, &camera, &plates, (&mut figures, &mut ghosts));
            let drawn = renderer.picture(&Arc::new(scene), self.size, 1.0)?;
            let pixels = Pixels { width: drawn.width, height: drawn.height, pixels: drawn.pixels };
            match kind {
                Kind::Gif => animation.push(pixels).map_err(|source| self.failed(&self.output, source))?,
                Kind::Png => {
                    let path = if self.numbered { numbered(&self.output, *frame) } else { self.output.clone() };
                    let bytes = picture::png(&pixels).map_err(|source| self.failed(&path, source))?;
                    file::write(&path, &bytes)?;
                    written.push(path);
                }
            }
            progress.advance(1);
        }
        renderer.destroy();
        if kind == Kind::Gif {
            let bytes = animation.finish().map_err(|source| self.failed(&self.output, source))?;
            file::write(&self.output, &bytes)?;
            written.push(self.output.clone());
        }
        Ok(written)
    }

    fn trails(&self, document: &Document, evaluator: &Evaluator) -> Vec<TrailShown> {
        let trails = self.trails.iter().filter_map(|spec| evaluator.trail(document, *spec));
        let options = self.trail_options;
        let shown = trails.map(|trail| TrailShown {
            motion: options.needs_motion().then(|| evaluator.motion(document, &trail)).flatten(),
            arc: options.arc.then(|| clean_arc(&trail.points).map(Arc::new)).flatten(),
            top_speed: 0.0,
            options,
            trail,
        });
        TrailShown::to_one_scale(shown.collect())
    }

    fn failed(&self, path: &Path, source: PictureError) -> FilmError {
        FilmError::Picture { path: path.to_owned(), source }
    }
}

/// The reference images of a film, each reference's last one kept.
struct Backdrops<'a> {
    folder: Option<&'a Path>,
    known: BTreeMap<usize, (PathBuf, Option<Arc<Picture>>)>,
}

impl Backdrops<'_> {
    /// What is seen at a frame. One that cannot be read is left out, and said in the log.
    fn plates(&mut self, document: &Document, frame: i64, size: [u32; 2]) -> Vec<Plate> {
        let Some(folder) = self.folder else { return Vec::new() };
        let mut plates = Vec::new();
        for (index, reference) in document.settings.references.iter().enumerate() {
            let full = full_path(reference, Some(folder));
            let Some(path) = at_frame(reference, &full, &siblings(&full), frame) else { continue };
            if self.known.get(&index).is_none_or(|(known, _)| *known != path) {
                let picture = match load(&path) {
                    Ok(Pixels { width, height, pixels }) => Some(Arc::new(Picture { width, height, pixels })),
                    Err(fault) => {
                        log::warn!("{fault}");
                        None
                    }
                };
                self.known.insert(index, (path, picture));
            }
            let picture = self.known.get(&index).and_then(|(_, picture)| picture.clone());
            let backdrop = Backdrop { reference: reference.clone(), picture, fault: None };
            plates.extend(backdrop.plate(size.map(f64::from)));
        }
        plates
    }
}

/// The name of one frame's file: the number, of at least as many digits as there are `#`, in their place, or four digits
/// after the name and `_`.
fn numbered(path: &Path, frame: i64) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let run = name.bytes().rev().skip_while(|byte| *byte != b'#').take_while(|byte| *byte == b'#').count();
    let number = |digits: usize| {
        let sign = if frame < 0 { "-" } else { "" };
        format!("{sign}{:0digits$}", frame.unsigned_abs())
    };
    let name = match name.rfind('#') {
        Some(last) => format!("{}{}{}", &name[..last + 1 - run], number(run), &name[last + 1..]),
        None => format!("{name}_{}", number(4)),
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_their_place_in_a_name() {
        let of = |name: &str, frame| numbered(Path::new(name), frame).to_string_lossy().into_owned();
        assert_eq!(of("walk.png", 7), "walk_0007.png");
        assert_eq!(of("out/walk_##.png", 7), "out/walk_07.png");
        assert_eq!(of("a#b###c.png", 12), "a#b012c.png");
        assert_eq!(of("##.png", 12345), "12345.png");
        assert_eq!(of("walk.png", -3), "walk_-0003.png");
    }
}
