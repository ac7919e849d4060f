//! Asking for files: the system's dialogs on a thread of their own, behind a trait so that tests never open one.

use std::{
    path::PathBuf,
    sync::mpsc::{Receiver, TryRecvError, channel},
    time::{Duration, Instant},
};

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DialogKind {
    /// To open.
    Open,
    /// To import.
    Import,
    /// To save the document as.
    SaveAs,
    /// To export BVH to.
    ExportBvh,
    /// A picture to animate by.
    Reference,
    /// To draw what plays to.
    Playblast,
    /// To save a plot to.
    SavePlot,
    /// To export glTF to.
    ExportGltf,
    /// To take eases from.
    ImportEases,
    /// To write eases to.
    ExportEases,
    /// To write the present shape to.
    ExportObj,
    /// To export glTF to, with files beside it.
    ExportGltfSplit,
    /// Motion to compare the present with.
    Compare,
    /// Motion to bring to a character.
    Retarget,
    /// Motion for the clip library of a character, many files at once.
    Clips,
    /// The first picture of the warp lab.
    WarpFirst,
    /// The second picture of the warp lab.
    WarpSecond,
}

impl DialogKind {
    /// The text key of the dialog's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Open => "dialog.open",
            Self::Import => "dialog.import",
            Self::SaveAs => "dialog.save_as",
            Self::ExportBvh => "dialog.export_bvh",
            Self::Reference => "dialog.reference",
            Self::Playblast => "dialog.playblast",
            Self::SavePlot => "dialog.save_plot",
            Self::ExportGltf | Self::ExportGltfSplit => "dialog.export_gltf",
            Self::ExportObj => "dialog.export_obj",
            Self::ImportEases => "dialog.import_eases",
            Self::ExportEases => "dialog.export_eases",
            Self::Compare => "dialog.compare",
            Self::Retarget => "dialog.retarget",
            Self::Clips => "dialog.clips",
            Self::WarpFirst => "dialog.warp_first",
            Self::WarpSecond => "dialog.warp_second",
        }
    }

    /// The extensions of the files.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Open => &["ron", "bvh", "gltf", "glb", "obj"],
            Self::Compare | Self::Retarget | Self::Clips => &["ron", "bvh", "gltf", "glb"],
            Self::Import => &["bvh", "gltf", "glb", "obj"],
            Self::ExportBvh => &["bvh"],
            Self::ExportGltf => &["glb", "gltf"],
            Self::ExportGltfSplit => &["gltf"],
            Self::ExportObj => &["obj"],
            Self::SaveAs | Self::ImportEases | Self::ExportEases => &["ron"],
            Self::Reference | Self::WarpFirst | Self::WarpSecond => super::actions::references::PICTURES,
            Self::Playblast => &["gif", "png"],
            Self::SavePlot => &["svg", "png", "csv"],
        }
    }

    /// Whether a file is to be written.
    #[must_use]
    pub const fn writes(self) -> bool {
        match self {
            Self::SaveAs
            | Self::ExportBvh
            | Self::ExportGltf
            | Self::ExportGltfSplit
            | Self::ExportObj
            | Self::Playblast
            | Self::SavePlot
            | Self::ExportEases => true,
            Self::Open
            | Self::Import
            | Self::Reference
            | Self::ImportEases
            | Self::Compare
            | Self::Retarget
            | Self::Clips
            | Self::WarpFirst
            | Self::WarpSecond => false,
        }
    }

    /// Whether several files may be chosen at once.
    #[must_use]
    pub const fn several(self) -> bool {
        matches!(self, Self::Clips)
    }
}

/// One question for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogRequest {
    /// What for.
    pub kind: DialogKind,
    /// The folder to begin in.
    pub folder: Option<PathBuf>,
    /// The name proposed, for files to be written.
    pub name: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// A file.
    Picked(PathBuf),
    /// One or more files, where several may be chosen.
    PickedSeveral(Vec<PathBuf>),
    /// The user thought better of it.
    Dismissed,
    /// There is no dialog here: ask for a typed path.
    Unavailable,
}

/// Asks for files. One question at a time.
pub trait FileDialogs {
    /// Asks. `wake` is called when there is an answer. Does nothing while another question is open.
    fn ask(&mut self, request: DialogRequest, wake: Box<dyn Fn() + Send>);

    /// The answer, once.
    fn answer(&mut self) -> Option<(DialogRequest, DialogAnswer)>;

    /// Whether a question is open.
    fn is_open(&self) -> bool;
}

/// A dialog that ends sooner than this without a file was never shown: no portal answers on the bus. Nobody reads a dialog
/// and gives it up as fast; a busy machine takes this long to learn that there is none.
const NEVER_SHOWN: Duration = Duration::from_millis(600);

/// The system's dialogs.
#[derive(Debug, Default)]
pub struct NativeDialogs {
    open: Option<(DialogRequest, Receiver<DialogAnswer>)>,
}

impl FileDialogs for NativeDialogs {
    fn ask(&mut self, request: DialogRequest, wake: Box<dyn Fn() + Send>) {
        if self.open.is_some() {
            return;
        }
        let (sender, receiver) = channel();
        let asked = request.clone();
        let run = move || {
            let answer = ask_system(&asked);
            if sender.send(answer).is_ok() {
                wake();
            }
        };
        // A thread that cannot start drops the sender: the answer is then that there is no dialog.
        if let Err(error) = std::thread::Builder::new().name("file dialog".to_owned()).spawn(run) {
            log::debug!("no thread for the file dialog: {error}");
        }
        self.open = Some((request, receiver));
    }

    fn answer(&mut self) -> Option<(DialogRequest, DialogAnswer)> {
        let (_, receiver) = self.open.as_ref()?;
        let answer = match receiver.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => DialogAnswer::Unavailable,
        };
        self.open.take().map(|(request, _)| (request, answer))
    }

    fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// Whether nothing on this system could show a dialog: neither a session bus, over which a portal is asked, nor the helper
/// program that is run in its place.
#[cfg(all(unix, not(target_os = "macos")))]
fn nothing_shows_dialogs() -> bool {
    let var = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let bus = var("DBUS_SESSION_BUS_ADDRESS").is_some()
        || var("XDG_RUNTIME_DIR").is_some_and(|folder| PathBuf::from(folder).join("bus").exists());
    let helper = || var("PATH").is_some_and(|all| std::env::split_paths(&all).any(|dir| dir.join("zenity").exists()));
    !bus && !helper()
}

/// Elsewhere dialogs are part of the system.
#[cfg(not(all(unix, not(target_os = "macos"))))]
const fn nothing_shows_dialogs() -> bool {
    false
}

fn ask_system(request: &DialogRequest) -> DialogAnswer {
    if nothing_shows_dialogs() {
        return DialogAnswer::Unavailable;
    }
    let extensions = request.kind.extensions();
    let mut dialog = rfd::FileDialog::new()
        .set_title(crate::text::t(request.kind.title()))
        .add_filter(extensions.join(", "), extensions);
    if let Some(folder) = &request.folder {
        dialog = dialog.set_directory(folder);
    }
    if let Some(name) = &request.name {
        dialog = dialog.set_file_name(name);
    }
    let started = Instant::now();
    if request.kind.several() {
        return match dialog.pick_files() {
            Some(paths) => DialogAnswer::PickedSeveral(paths),
            None if started.elapsed() < NEVER_SHOWN => DialogAnswer::Unavailable,
            None => DialogAnswer::Dismissed,
        };
    }
    let picked = if request.kind.writes() { dialog.save_file() } else { dialog.pick_file() };
    match picked {
        Some(path) => DialogAnswer::Picked(path),
        None if started.elapsed() < NEVER_SHOWN => DialogAnswer::Unavailable,
        None => DialogAnswer::Dismissed,
    }
}
