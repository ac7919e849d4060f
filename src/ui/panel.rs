//! What a panel is, what it may see, and the table of all panels.

use super::{
    icons::Icon,
    notices::Notices,
    panels::{
        arc_lab::ArcLabPanel, blend_space::BlendSpacePanel, clips::ClipsPanel, dope_sheet::DopeSheetPanel,
        face_board::FaceBoardPanel, fk_lab::FkLabPanel, graph::GraphPanel, history::HistoryPanel,
        inspector::InspectorPanel, lattice_lab::LatticeLabPanel, layers::LayersPanel, log::LogPanel,
        outliner::OutlinerPanel, pose_lab::PoseLabPanel, poses::PosesPanel, race::RacePanel, retarget::RetargetPanel,
        rotation_lab::RotationLabPanel, skin_lab::SkinLabPanel, solver_lab::SolverLabPanel, spacing::SpacingPanel,
        timeline::TimelinePanel, transition_lab::TransitionLabPanel, viewport::ViewportPanel, warp_lab::WarpLabPanel,
    },
    theme::Colours,
};
use crate::render::scene::{Picture, RenderScene};
use crate::{
    command::{CommandId, CommandQueue, Keymap, PanelId},
    edit::{Selection, Session},
    eval::{EvaluatedFrame, Evaluator},
    interact::view_state::ViewState,
    model::Document,
    notice::Notice,
    scene::Backdrop,
};
use std::sync::Arc;

/// A part of the window. It holds only what is forgotten with it: open rows, filter text. What two panels need is in the
/// view state.
pub trait Panel {
    /// Shows the panel in the whole of `ui`. Must have no effect but by commands: a frame may run twice.
    fn ui(&mut self, ui: &mut egui::Ui, ctx: &mut PanelContext<'_>);

    /// Carries out a command of the table that names this panel. Runs once, after all panels were shown.
    fn run(&mut self, _command: CommandId, _ctx: &mut PanelContext<'_>) {}

    /// Whether plain keys belong to the panel now, because a tool of it waits for them (an axis, a number, Esc): then
    /// only undo and redo work as shortcuts.
    fn captures_keys(&self) -> bool {
        false
    }
}

/// Everything a panel may see in one frame: one document value, one evaluated frame.
pub struct PanelContext<'a> {
    /// The open document's session: history, gesture. Read only; changes go through `commands`.
    pub session: &'a Session,
    /// The document as shown: with the change of the gesture that runs.
    pub document: &'a Arc<Document>,
    /// The document that the 3D view shows: while the rest pose is edited one in which nothing moves a joint.
    pub standing: &'a Arc<Document>,
    /// What the 3D view shows at the time shown.
    pub frame: &'a Arc<EvaluatedFrame>,
    /// For other times: trails, onion skins, plots.
    pub evaluator: &'a Evaluator,
    /// What is selected.
    pub selection: &'a Selection,
    /// What is shown and how.
    pub view: &'a ViewState,
    /// The colours of the theme.
    pub colours: &'a Colours,
    /// The shortcuts in use.
    pub keymap: &'a Keymap,
    /// Where to ask for changes.
    pub commands: &'a CommandQueue,
    /// Draws the 3D view.
    pub painter: &'a mut dyn ViewportPainter,
    /// What the reference images show now, in the document's order.
    pub backdrops: &'a [Backdrop],
    /// What was reported.
    pub notices: &'a Notices,
    /// How playing goes.
    pub playing: PlayReport,
    /// Whether a text field had the focus before this frame: then its Esc and letters are the field's.
    pub text_had_focus: bool,
}

impl std::fmt::Debug for PanelContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PanelContext")
            .field("selection", self.selection)
            .field("view", self.view)
            .finish_non_exhaustive()
    }
}

/// How playing goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayReport {
    /// Frames of the document shown a second, over the last second or so; none while it stands.
    pub achieved_fps: Option<f64>,
    /// Whether that is less than asked for.
    pub late: bool,
}

/// Puts a 3D scene into a rectangle of the window; implemented where OpenGL is known.
pub trait ViewportPainter {
    /// Adds the scene to what `painter` paints, into `rect` (points). The same `Arc` again costs a copy of the picture.
    fn paint(&mut self, painter: &egui::Painter, rect: egui::Rect, scene: Arc<RenderScene>);

    /// Asks for a picture of a scene in memory, of a size in pixels. It comes with [`Self::picture`] under this key, in one
    /// of the next frames; no two lists use the same key; `place` is a part of the window that is seen now.
    fn request(
        &mut self,
        painter: &egui::Painter,
        place: egui::Rect,
        key: u64,
        scene: Arc<RenderScene>,
        size: [u32; 2],
    );

    /// Whether pictures can be drawn at all.
    fn draws(&self) -> bool;

    /// The picture of a key, once, where it was drawn. Of those nobody takes the last few are kept.
    fn picture(&mut self, key: u64) -> Option<Picture>;

    /// What went wrong since the last call.
    fn faults(&mut self) -> Vec<Notice>;
}

/// With which others a panel shares its place in the first layout of every workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The 3D view, alone.
    View,
    /// Curves and keys over time: wide.
    Wide,
    /// Experiments with what the tools are made of.
    Lab,
    /// What blends clips.
    Blend,
    /// Clips and layers.
    Library,
    /// Lists of what there is and what was done.
    Lists,
    /// Numbers, and what acts on the selection.
    Inspector,
    /// Below every workspace, in a place of its own.
    Below,
}

/// One row of the panel table.
#[derive(Clone, Copy)]
pub struct PanelSpec {
    /// Which panel.
    pub id: PanelId,
    /// The text key of its title; what it is stands under the same key with `_hint`.
    pub title: &'static str,
    /// Its icon.
    pub icon: Icon,
    /// Where it lies at first.
    pub home: Home,
    /// Makes it.
    pub build: fn() -> Box<dyn Panel>,
}

/// All panels.
pub const PANELS: &[PanelSpec] = &[
    PanelSpec {
        id: PanelId::Viewport,
        home: Home::View,
        title: "panel.viewport",
        icon: Icon::Viewport,
        build: || Box::new(ViewportPanel::default()),
    },
    PanelSpec {
        id: PanelId::Graph,
        home: Home::Wide,
        title: "panel.graph",
        icon: Icon::Graph,
        build: || Box::new(GraphPanel::default()),
    },
    PanelSpec {
        id: PanelId::Timeline,
        home: Home::Below,
        title: "panel.timeline",
        icon: Icon::Timeline,
        build: || Box::new(TimelinePanel::default()),
    },
    PanelSpec {
        id: PanelId::Outliner,
        home: Home::Lists,
        title: "panel.outliner",
        icon: Icon::Outliner,
        build: || Box::new(OutlinerPanel::default()),
    },
    PanelSpec {
        id: PanelId::Inspector,
        home: Home::Inspector,
        title: "panel.inspector",
        icon: Icon::Inspector,
        build: || Box::new(InspectorPanel),
    },
    PanelSpec {
        id: PanelId::Poses,
        home: Home::Inspector,
        title: "panel.poses",
        icon: Icon::Mannequin,
        build: || Box::new(PosesPanel::default()),
    },
    PanelSpec {
        id: PanelId::History,
        home: Home::Lists,
        title: "panel.history",
        icon: Icon::History,
        build: || Box::new(HistoryPanel::default()),
    },
    PanelSpec {
        id: PanelId::Log,
        home: Home::Lists,
        title: "panel.log",
        icon: Icon::Log,
        build: || Box::new(LogPanel::default()),
    },
    PanelSpec {
        id: PanelId::ArcLab,
        home: Home::Lab,
        title: "panel.arc_lab",
        icon: Icon::Path,
        build: || Box::new(ArcLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::Spacing,
        home: Home::Wide,
        title: "panel.spacing",
        icon: Icon::Spacing,
        build: || Box::new(SpacingPanel::default()),
    },
    PanelSpec {
        id: PanelId::Race,
        home: Home::Inspector,
        title: "panel.race",
        icon: Icon::Velocity,
        build: || Box::new(RacePanel::default()),
    },
    PanelSpec {
        id: PanelId::DopeSheet,
        home: Home::Wide,
        title: "panel.dope_sheet",
        icon: Icon::KeySet,
        build: || Box::new(DopeSheetPanel::default()),
    },
    PanelSpec {
        id: PanelId::RotationLab,
        home: Home::Lab,
        title: "panel.rotation_lab",
        icon: Icon::Rotate,
        build: || Box::new(RotationLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::Retarget,
        home: Home::Inspector,
        title: "panel.retarget",
        icon: Icon::Mannequin,
        build: || Box::new(RetargetPanel::default()),
    },
    PanelSpec {
        id: PanelId::FkLab,
        home: Home::Lab,
        title: "panel.fk_lab",
        icon: Icon::Joint,
        build: || Box::new(FkLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::SolverLab,
        home: Home::Lab,
        title: "panel.solver_lab",
        icon: Icon::Bones,
        build: || Box::new(SolverLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::LatticeLab,
        home: Home::Lab,
        title: "panel.lattice_lab",
        icon: Icon::Lattice,
        build: || Box::new(LatticeLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::FaceBoard,
        home: Home::Inspector,
        title: "panel.face_board",
        icon: Icon::Mannequin,
        build: || Box::new(FaceBoardPanel::default()),
    },
    PanelSpec {
        id: PanelId::WarpLab,
        home: Home::Lab,
        title: "panel.warp_lab",
        icon: Icon::Pull,
        build: || Box::new(WarpLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::SkinLab,
        home: Home::Lab,
        title: "panel.skin_lab",
        icon: Icon::Weights,
        build: || Box::new(SkinLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::BlendSpace,
        home: Home::Blend,
        title: "panel.blend_space",
        icon: Icon::Grid,
        build: || Box::new(BlendSpacePanel::default()),
    },
    PanelSpec {
        id: PanelId::Clips,
        home: Home::Library,
        title: "panel.clips",
        icon: Icon::Clip,
        build: || Box::new(ClipsPanel::default()),
    },
    PanelSpec {
        id: PanelId::Layers,
        home: Home::Library,
        title: "panel.layers",
        icon: Icon::KeySet,
        build: || Box::new(LayersPanel::default()),
    },
    PanelSpec {
        id: PanelId::TransitionLab,
        home: Home::Blend,
        title: "panel.transition_lab",
        icon: Icon::Acceleration,
        build: || Box::new(TransitionLabPanel::default()),
    },
    PanelSpec {
        id: PanelId::PoseLab,
        home: Home::Blend,
        title: "panel.pose_lab",
        icon: Icon::Mannequin,
        build: || Box::new(PoseLabPanel::default()),
    },
];

/// The row of a panel.
#[must_use]
pub fn spec(id: PanelId) -> &'static PanelSpec {
    // One row for each, in the order of the ids: a test sees to it.
    &PANELS[id as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete_and_in_order() {
        for (index, spec) in PANELS.iter().enumerate() {
            assert_eq!(spec.id as usize, index);
            assert!(crate::text::has(spec.title), "{}", spec.title);
            assert!(crate::text::has(&format!("{}_hint", spec.title)), "{}_hint", spec.title);
        }
        assert_eq!(PANELS.len(), PanelId::ALL.len());
    }
}
