//! Commands: everything the program can be told to do, as one table that menus, shortcuts, the palette and the tests
//! read, and the queue by which panels ask for it.

pub mod keymap;
mod places;
pub mod shortcut;
mod table;

pub use keymap::Keymap;
pub use places::{PanelId, Workspace};
pub use shortcut::{Key, Shortcut};
pub use table::{COMMANDS, CommandId};

use crate::{
    edit::{CurveRef, Edit, Gesture, HandleKind, MergeKey, Selection},
    interact::view_state::{Profile, ViewChange},
    model::{ChannelPath, ClipId, DeformerKind, EasePreset, Interpolation},
    notice::Notice,
};
use std::{borrow::Cow, cell::RefCell, path::PathBuf};

/// The menu a command stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Files.
    File,
    /// Undo, selection, settings.
    Edit,
    /// New objects, paths and what follows them.
    Add,
    /// Posing and keys.
    Pose,
    /// Joints and the rest pose.
    Skeleton,
    /// Lattices, deformers and what they do to meshes.
    Shape,
    /// Curves.
    Curve,
    /// Blend spaces, layers and clips that play together.
    Blend,
    /// Time and playing.
    Time,
    /// What is shown.
    View,
    /// Help.
    Help,
}

impl Section {
    /// All sections, in the order of the menu bar.
    pub const ALL: [Self; 11] = [
        Self::File,
        Self::Edit,
        Self::Add,
        Self::Pose,
        Self::Skeleton,
        Self::Shape,
        Self::Curve,
        Self::Blend,
        Self::Time,
        Self::View,
        Self::Help,
    ];

    /// The text key of the menu's title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "menu.file",
            Self::Edit => "menu.edit",
            Self::Add => "menu.add",
            Self::Pose => "menu.pose",
            Self::Skeleton => "menu.skeleton",
            Self::Shape => "menu.shape",
            Self::Curve => "menu.curve",
            Self::Blend => "menu.blend",
            Self::Time => "menu.time",
            Self::View => "menu.view",
            Self::Help => "menu.help",
        }
    }
}

/// What must be so for a command to make sense. Menus grey it out otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A step to undo, or a gesture to cancel.
    Undo,
    /// An undone step.
    Redo,
    /// Something selected.
    Selection,
    /// A rig in the document.
    Rig,
    /// An object in the document, a rig or another.
    Object,
    /// Keys selected.
    Keys,
    /// Edits waiting to be keyed at the time shown.
    Unkeyed,
}

/// What there is at present, for [`Needs`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// A step to undo, or a gesture to cancel.
    pub undo: bool,
    /// An undone step.
    pub redo: bool,
    /// Something selected.
    pub selection: bool,
    /// A rig in the document.
    pub rig: bool,
    /// An object in the document.
    pub object: bool,
    /// Keys selected.
    pub keys: bool,
    /// Edits waiting to be keyed at the time shown.
    pub unkeyed: bool,
}

impl Needs {
    /// Whether it is met.
    #[must_use]
    pub const fn met(self, available: Available) -> bool {
        match self {
            Self::Nothing => true,
            Self::Undo => available.undo,
            Self::Redo => available.redo,
            Self::Selection => available.selection,
            Self::Rig => available.rig,
            Self::Object => available.object,
            Self::Keys => available.keys,
            Self::Unkeyed => available.unkeyed,
        }
    }
}

/// One row of the command table.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// Which command.
    pub id: CommandId,
    /// The text key of its title; its one-line explanation is under the same key with `_hint` where there is one.
    pub title: &'static str,
    /// The menu it stands in.
    pub section: Section,
    /// The panels that carry it out: the hovered one of these, else the first. Empty for the program as a whole.
    pub panels: &'static [PanelId],
    /// What must be so.
    pub needs: Needs,
    /// Shortcuts of the Blender-like profile (and the one without a middle button), apart by blanks.
    pub blender: &'static str,
    /// Shortcuts of the Maya-like profile, apart by blanks.
    pub maya: &'static str,
    /// What it gives, where that is all it does.
    pub act: Option<Act>,
}

/// What a command does where there is one command a thing of some kind: its row says it all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Brings a panel to the front.
    Panel(PanelId),
    /// Lays the panels out for a kind of work.
    Workspace(Workspace),
    /// Makes a deformer.
    Deformer(DeformerKind),
    /// Gives the selected keys an interpolation.
    Interpolation(Interpolation),
    /// Gives the selected keys a kind of handles.
    Handles(HandleKind),
}

impl Act {
    /// The command that does it, where there is one.
    #[must_use]
    pub fn command(self) -> Option<CommandId> {
        COMMANDS.iter().find(|spec| spec.act == Some(self)).map(|spec| spec.id)
    }
}

impl CommandSpec {
    /// The shortcuts a profile starts with.
    pub fn defaults(&self, profile: Profile) -> impl Iterator<Item = Shortcut> {
        let text = match profile {
            Profile::BlenderLike | Profile::NoMiddle => self.blender,
            Profile::MayaLike => self.maya,
        };
        text.split(' ').filter_map(|text| text.parse().ok())
    }
}

impl CommandId {
    /// Its row in the table.
    #[must_use]
    pub fn spec(self) -> &'static CommandSpec {
        // The table is written by the macro that writes the enum: same order, same length.
        &COMMANDS[self as usize]
    }
}

/// A wish of a panel, carried out after all panels ran.
#[derive(Clone, Debug)]
pub enum Command {
    /// A command of the table.
    Run(CommandId),
    /// A step of a gesture.
    Gesture(Gesture),
    /// A whole change at once: its label in the history (a text key) and what changes.
    Apply(&'static str, Edit),
    /// The same, joined to the step before where that has the same key and nothing happened in between.
    ApplyMerging(&'static str, MergeKey, Edit),
    /// Another selection.
    Select(Selection),
    /// A change of what is shown.
    View(ViewChange),
    /// A state of the history, by index.
    Jump(usize),
    /// Opens a file in place of the document (asks first where changes would be lost).
    Open(PathBuf),
    /// Imports a file into the document.
    Import(PathBuf),
    /// These channels of a clip as a plot: to a file, or onto the clipboard.
    Plot(PlotTo, ClipId, Vec<ChannelPath>),
    /// Simplifies curves beside the window, each within an error (own units, with the displayed units in one), and puts
    /// the results in their place.
    Simplify(Vec<(CurveRef, f64, f64)>),
    /// Does something with clips beside the window.
    Clips(Box<crate::interact::clip_work::ClipWork>),
    /// Brings a motion to a character beside the window, as a new clip.
    Retarget(Box<crate::interact::retarget::RetargetWish>),
    /// Brings a clip of another figure to the one in question beside the window, as a snapshot to compare with.
    CompareWithClip(ClipId),
    /// Makes a clip of what an object's layers play, beside the window.
    Bake(Box<crate::interact::blend_space::BakeWish>),
    /// Measures beside the window how feet slide.
    MeasureSlide(Box<crate::interact::blend_space::SlideAsk>),
    /// Does something with the user's own eases.
    Eases(EaseWish),
    /// Asks for a picture of the user's own for the warp lab: the second, or the first.
    WarpImage(bool),
    /// Shows more or less of the help.
    Help(HelpWish),
    /// Tells the user something.
    Tell(Notice),
    /// What a click would do, for the status bar while the pointer stays; the last one of a frame shows.
    Hint(Cow<'static, str>),
}

/// What is to be done with the user's own eases.
#[derive(Clone, Debug, PartialEq)]
pub enum EaseWish {
    /// They are these from now on.
    Keep(Vec<EasePreset>),
    /// Takes more from a file, asked for.
    Import,
    /// Writes them to a file, asked for.
    Export,
    /// Gives one to the selected keys.
    Give(EasePreset),
}

/// What is to be shown of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpWish {
    /// The cards of samples, or no more.
    Start(bool),
    /// Whether they are shown whenever the program starts.
    AtStart(bool),
    /// A step of the tour, by its place from 0; what is no step ends it.
    Tour(usize),
    /// Ends the tour; the step is kept.
    LeaveTour,
    /// What a panel is.
    Panel(PanelId),
}

/// Where a plot goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotTo {
    /// Into a file, asked for.
    File,
    /// Onto the clipboard, as a picture.
    Clipboard,
}

/// The wishes of this frame. Panels send, the program drains once after all of them ran.
#[derive(Debug, Default)]
pub struct CommandQueue(RefCell<Vec<Command>>);

impl CommandQueue {
    /// Adds a wish.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push(command);
    }

    /// Adds a command of the table.
    pub fn run(&self, id: CommandId) {
        self.send(Command::Run(id));
    }

    /// Adds a change of what is shown.
    pub fn view(&self, change: ViewChange) {
        self.send(Command::View(change));
    }

    /// Adds a step of a gesture.
    pub fn gesture(&self, gesture: Gesture) {
        self.send(Command::Gesture(gesture));
    }

    /// Adds a whole change.
    pub fn apply(&self, label: &'static str, edit: Edit) {
        self.send(Command::Apply(label, edit));
    }

    /// Adds another selection.
    pub fn select(&self, selection: Selection) {
        self.send(Command::Select(selection));
    }

    /// Whether nothing was asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Takes all wishes, oldest first; of hints the last one only, as no other would be seen.
    #[must_use]
    pub fn take(&self) -> Vec<Command> {
        let mut commands = std::mem::take(&mut *self.0.borrow_mut());
        let is_hint = |command: &Command| matches!(command, Command::Hint(_));
        let last = commands.iter().rposition(is_hint);
        let mut index = 0;
        commands.retain(|command| {
            let kept = !is_hint(command) || Some(index) == last;
            index += 1;
            kept
        });
        commands
    }
}
