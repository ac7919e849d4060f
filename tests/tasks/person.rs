//! Somebody at the window, whose actions are counted.

use crate::support::window::{Held, Node, Window};
use inbetween::{
    command::{CommandId, Keymap, Shortcut, keymap::Overrides},
    eval::Evaluator,
    interact::view_state::{Profile, ViewState},
    io::ron,
    math::Vec3,
    model::{Document, names},
    text::t,
    ui::{input_map, shell::submenu_of},
};
use std::path::Path;

/// The window's size in points.
const SIZE: [u32; 2] = [1280, 800];
/// Below it are no titles of menus.
const MENU_BAR: f64 = 22.0;

/// What somebody works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hands {
    /// Whatever is quicker.
    Both,
    /// The mouse alone, but for the names of files.
    Mouse,
    /// The keyboard alone.
    Keys,
}

/// How somebody works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) profile: Profile,
    pub(super) hands: Hands,
}

impl Way {
    /// How the actions are counted against the most there may be.
    pub(super) const COUNTED: Self = Self { profile: Profile::BlenderLike, hands: Hands::Both };
}

/// Each task as tests, a way each; only the counted one is run where nothing is asked for.
macro_rules! in_all_ways {
    ($($task:ident),*) => {$(
        mod $task {
            use crate::tasks::person::{Hands, Way};
            use inbetween::interact::view_state::Profile;

            #[test]
            fn as_in_blender() {
                super::$task(Way::COUNTED);
            }

            #[test]
            #[ignore = "a window more for each task: run by hand"]
            fn as_in_maya_by_mouse_alone() {
                super::$task(Way { profile: Profile::MayaLike, hands: Hands::Mouse });
            }

            #[test]
            #[ignore = "a window more for each task: run by hand"]
            fn as_in_maya() {
                super::$task(Way { profile: Profile::MayaLike, hands: Hands::Both });
            }

            #[test]
            #[ignore = "a window more for each task: run by hand"]
            fn as_in_blender_by_mouse_alone() {
                super::$task(Way { profile: Profile::BlenderLike, hands: Hands::Mouse });
            }
        }
    )*};
}
pub(super) use in_all_ways;

/// A person at the start screen.
pub(super) struct Person {
    pub(super) window: Window,
    task: &'static str,
    pub(super) way: Way,
    keymap: Keymap,
    pub(super) actions: usize,
    /// The pixel of frame 0 on the ruler, and those of one frame.
    ruler: (f64, f64),
}

impl Person {
    /// The start screen; none, with a message, where there is no Xvfb.
    pub(super) fn start(task: &'static str, way: Way) -> Option<Self> {
        let view = ViewState { profile: way.profile, ..ViewState::default() };
        let settings = serde_json::json!({ "view": view }).to_string();
        let mut window = Window::start_with(SIZE, &[], Some(&settings))?;
        // By two poses of the row under it, which captured motion of the same length has not.
        let pose =
            |node: &Node| Some((node.label.strip_prefix("Pose, frame ")?.parse::<f64>().ok()?, node.centre()[0]));
        let mut poses: Vec<(f64, f64)> = window.nodes().iter().filter_map(pose).collect();
        poses.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (first, last) = (poses[0], poses[poses.len() - 1]);
        let per_frame = (last.1 - first.1) / (last.0 - first.0);
        let ruler = (first.1 - first.0 * per_frame, per_frame);
        let keymap = Keymap::new(way.profile, &Overrides::default());
        Some(Self { window, task, way, keymap, actions: 0, ruler })
    }

    /// Has the program do something: by its shortcut, in the menus, or by its name in the palette.
    pub(super) fn command(&mut self, id: CommandId) {
        let shortcut = self.keymap.of(id).first().copied();
        match (self.way.hands, shortcut) {
            (Hands::Both | Hands::Keys, Some(shortcut)) => self.press(shortcut),
            (Hands::Keys, None) => self.by_name(id),
            _ => self.in_menus(id),
        }
    }

    fn press(&mut self, shortcut: Shortcut) {
        let is_meant = |key: &&egui::Key| input_map::key(**key) == Some(shortcut.key);
        let key = egui::Key::ALL.iter().find(is_meant).expect("a key there is");
        let held = Held { ctrl: shortcut.ctrl, shift: shortcut.shift, alt: shortcut.alt };
        self.key(&format!("{key:?}"), held);
    }

    /// The palette, and a name typed into it.
    fn by_name(&mut self, id: CommandId) {
        self.command(CommandId::Palette);
        self.window.wait_for("the palette", |window| window.find(&t("palette.search")));
        self.type_value(&t(id.spec().title));
    }

    fn in_menus(&mut self, id: CommandId) {
        let spec = id.spec();
        let way = [Some(spec.section.title()), submenu_of(spec), Some(spec.title)];
        for title in way.into_iter().flatten() {
            let title = t(title);
            // In the bar the menus stand before the workspaces; an open menu hangs from it.
            let in_bar = title == t(spec.section.title());
            let with_keys = format!("{title} {}", self.keymap.text(id));
            let row = |node: &Node| {
                let named = node.label == *title || node.label == with_keys;
                node.role == "button" && named && (node.bounds[1] < MENU_BAR) == in_bar
            };
            let button = self.window.wait_for(&title, |window| {
                let found = window.nodes().into_iter().filter(row);
                let axis = usize::from(!in_bar);
                found.min_by(|a, b| a.bounds[axis].total_cmp(&b.bounds[axis]))
            });
            self.tap_at(button.centre());
        }
    }

    /// A click on a workspace, at the right of the menu bar.
    pub(super) fn workspace(&mut self, label: &str) {
        let is_meant = |node: &Node| node.label == label && node.role == "button" && node.bounds[1] < MENU_BAR;
        let button = self.window.wait_for(label, |window| {
            let found = window.nodes().into_iter().filter(is_meant);
            found.max_by(|a, b| a.bounds[0].total_cmp(&b.bounds[0]))
        });
        self.tap_at(button.centre());
    }

    /// The same where a button that is always in sight does it too.
    pub(super) fn command_or(&mut self, id: CommandId, button: &str) {
        match self.way.hands {
            Hands::Both if self.keymap.of(id).is_empty() => self.click(button),
            Hands::Mouse => self.click(button),
            _ => self.command(id),
        }
    }

    /// Lets what plays stand still.
    pub(super) fn stop(&mut self) {
        self.command_or(CommandId::PlayPause, "Play or stop");
    }

    /// The same, to see what is there: no action of the task.
    pub(super) fn still(&mut self) {
        self.stop();
        self.actions -= 1;
    }

    /// Answers a question with what it proposes.
    pub(super) fn accept(&mut self, label: &str) {
        let is_meant = |node: &Node| node.label == label && node.role == "button" && node.bounds[1] > MENU_BAR;
        let button = self.window.wait_for(label, |window| window.nodes().into_iter().find(is_meant));
        match self.way.hands {
            Hands::Mouse => self.tap_at(button.centre()),
            _ => self.key("Enter", Held::NONE),
        }
    }

    /// Waits for a text that begins so.
    pub(super) fn read(&mut self, start: &str) {
        let begins = |node: &Node| node.label.starts_with(start) || node.value.starts_with(start);
        self.window.wait_for(start, |window| window.nodes().into_iter().find(begins));
    }

    /// A joint's place in the 3D view.
    pub(super) fn joint(&mut self, name: &str) -> [f64; 2] {
        let view = self.window.get("3D view").bounds;
        let within = |node: &Node| node.bounds[0] >= view[0] && node.bounds[2] <= view[2] && node.bounds[3] <= view[3];
        self.window
            .wait_for(name, |window| window.nodes().into_iter().find(|node| node.label == name && within(node)))
            .centre()
    }

    /// A click on a button, tab or row of a menu.
    pub(super) fn click(&mut self, label: &str) {
        let is_meant = |node: &Node| node.label == label && (node.role == "button" || node.role == "radioButton");
        let button = self.window.wait_for(label, |window| window.nodes().into_iter().find(is_meant));
        self.tap_at(button.centre());
    }

    /// A click on a button.
    fn tap_at(&mut self, at: [f64; 2]) {
        self.actions += 1;
        self.window.tap_at(at);
    }

    pub(super) fn click_at(&mut self, at: [f64; 2]) {
        self.actions += 1;
        self.window.click_at(at);
    }

    pub(super) fn drag(&mut self, from: [f64; 2], by: [f64; 2]) {
        self.actions += 1;
        self.window.drag(from, [from[0] + by[0], from[1] + by[1]], 12);
    }

    pub(super) fn key(&mut self, key: &str, held: Held) {
        self.actions += 1;
        self.window.key(key, held);
    }

    /// A value typed into a field that is focused, with Enter.
    pub(super) fn type_value(&mut self, text: &str) {
        self.actions += 1;
        self.window.key("A", Held::CTRL);
        self.window.type_text(text);
        self.window.key("Enter", Held::NONE);
    }

    /// Clicks on the ruler of the timeline.
    pub(super) fn go_to(&mut self, frame: i64) {
        self.look_at(frame);
        self.actions += 1;
    }

    /// The same, to see what is there: no action of the task.
    pub(super) fn look_at(&mut self, frame: i64) {
        let at = self.on_ruler(frame);
        self.window.click_at(at);
        self.window.wait_for("the playhead", |window| (frame_of(window) == Some(frame)).then_some(()));
    }

    /// Where a frame of the sample's range is on the ruler.
    fn on_ruler(&mut self, frame: i64) -> [f64; 2] {
        [self.ruler.0 + frame as f64 * self.ruler.1, self.window.get("Ruler").centre()[1]]
    }

    /// Points a frame takes on the ruler.
    pub(super) fn frame_width(&self) -> f64 {
        self.ruler.1
    }

    /// The frame of the playhead.
    pub(super) fn frame(&mut self) -> i64 {
        self.window.wait_for("the playhead", frame_of)
    }

    /// Opens a file: two actions, the command and its path.
    pub(super) fn open(&mut self, path: &Path) {
        self.command(CommandId::Open);
        self.answer_path(path);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        self.window.wait_for("the file to be open", |window| {
            window.nodes().iter().any(|node| node.label.contains(&name)).then_some(())
        });
        self.window.settle();
    }

    /// Answers a question for a file.
    pub(super) fn answer_path(&mut self, path: &Path) {
        self.window.wait_for("the path field", |window| window.find("Path"));
        self.window.click("Path");
        self.type_value(&path.display().to_string());
    }

    /// The document as it is, saved where the program does not know of: no action of the task.
    pub(super) fn document(&mut self) -> Document {
        let actions = self.actions;
        let saved = self.window.folder.path().join(format!("state_{actions}.ron"));
        self.window.key("S", Held::CTRL_SHIFT);
        self.answer_path(&saved);
        self.actions = actions;
        self.window.wait_for("the document to be saved", |_| {
            std::fs::read_to_string(&saved).ok().and_then(|text| ron::load(&text).ok())
        })
    }

    /// The task is done: leaves a picture, and holds the actions against the most there may be.
    pub(super) fn done(mut self, most: usize) {
        let Way { profile, hands } = self.way;
        self.window.screenshot(&format!("task_{}_{profile:?}_{hands:?}.png", self.task));
        eprintln!("task {} ({profile:?}, {hands:?}): {} actions, {most} at most", self.task, self.actions);
        let counted = self.way.hands == Hands::Both;
        assert!(!counted || self.actions <= most, "task {} took {} actions, {most} at most", self.task, self.actions);
    }
}

/// The playhead's field; the graph has one of that name for keys.
fn frame_of(window: &mut Window) -> Option<i64> {
    let is_meant = |node: &Node| node.label == "Frame" && node.role == "spinButton";
    window.nodes().into_iter().find(is_meant)?.value.parse().ok()
}

/// Where a joint of the first character is.
pub(super) fn place(document: &Document, joint: &str, secs: f64) -> Vec3 {
    let (object, _, rig) = document.rigs().next().unwrap();
    let index = rig.skeleton.index_of(names::find_joint(&rig.skeleton, joint).unwrap()).unwrap();
    Evaluator::new().frame(document, secs).joint_world(object, index).unwrap().translation
}
