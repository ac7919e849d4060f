//! What lies ready when a sample opens: the workspace, the panels in front, what is selected, so that the first drag does
//! something.

use crate::{
    app::window::App,
    command::{CommandId, PanelId, Workspace},
    edit::Selection,
    interact::{
        camera::OrbitCamera,
        race::RaceView,
        view_state::{Playback, ToolId, ViewChange},
    },
    math::Vec3,
    model::{Target, names},
};

/// How a sample opens.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct Stage {
    /// The command that opens it.
    command: CommandId,
    /// The sample, by its name.
    pub(in crate::app) sample: &'static str,
    /// The workspace, and the panels brought to the front there; none leaves all as it is.
    place: Option<(Workspace, &'static [PanelId])>,
    /// What is selected: a joint, or an object, by its name; empty for nothing.
    selected: &'static str,
    /// What more is shown.
    shown: Shown,
    playing: bool,
}

/// What more is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    /// The trail of the selected joint.
    Trail,
    /// Room for a ball to bounce in.
    Room,
    /// The same, and the usual schemes on the curves of what is selected.
    Race,
}

/// From where a bouncing ball is seen: the point looked at, above the ground, and from how far, metres.
const ROOM: (f64, f64) = (0.7, 4.6);
/// The same in the small view beside large curves, whose tools lie over its upper part.
const SMALL_ROOM: (f64, f64) = (1.0, 6.2);

/// How each sample opens.
const STAGES: &[Stage] = &[
    Stage {
        command: CommandId::OpenSample,
        sample: "walk",
        place: None,
        selected: "",
        shown: Shown::Nothing,
        playing: true,
    },
    Stage {
        command: CommandId::OpenMoves,
        sample: "moves",
        place: None,
        selected: "",
        shown: Shown::Nothing,
        playing: true,
    },
    Stage {
        command: CommandId::OpenStand,
        sample: "stand",
        place: Some((Workspace::Pose, &[PanelId::Viewport, PanelId::Graph, PanelId::Inspector])),
        selected: "hand.r",
        shown: Shown::Nothing,
        playing: false,
    },
    Stage {
        command: CommandId::OpenBounce,
        sample: "bounce",
        place: Some((Workspace::Pose, &[PanelId::Viewport, PanelId::DopeSheet, PanelId::Inspector])),
        selected: "Ball",
        shown: Shown::Room,
        playing: true,
    },
    Stage {
        command: CommandId::OpenReach,
        sample: "reach",
        place: Some((Workspace::Pose, &[PanelId::Viewport, PanelId::Spacing, PanelId::Inspector])),
        selected: "hand.r",
        shown: Shown::Trail,
        playing: false,
    },
    Stage {
        command: CommandId::OpenRace,
        sample: "race",
        place: Some((Workspace::Curves, &[PanelId::Graph, PanelId::Viewport, PanelId::Race])),
        selected: "Ball",
        shown: Shown::Race,
        playing: true,
    },
    Stage {
        command: CommandId::OpenArm,
        sample: "arm",
        place: Some((Workspace::Lab, &[PanelId::SolverLab, PanelId::Viewport, PanelId::Inspector])),
        selected: "hand.l",
        shown: Shown::Nothing,
        playing: false,
    },
    Stage {
        command: CommandId::OpenTorso,
        sample: "torso",
        place: Some((Workspace::Shape, &[PanelId::Viewport, PanelId::Graph, PanelId::Inspector])),
        selected: "Torso lattice",
        shown: Shown::Nothing,
        playing: false,
    },
    Stage {
        command: CommandId::OpenGait,
        sample: "gait",
        place: Some((Workspace::Blend, &[PanelId::Viewport, PanelId::BlendSpace])),
        selected: "Biped",
        shown: Shown::Nothing,
        playing: true,
    },
    Stage {
        command: CommandId::OpenCaptured,
        sample: "captured",
        place: Some((Workspace::Pose, &[PanelId::Viewport, PanelId::Graph, PanelId::Inspector])),
        selected: "hand.r",
        shown: Shown::Nothing,
        playing: false,
    },
];

/// The stage of the sample that a command opens.
pub(in crate::app) fn of_command(command: CommandId) -> Option<&'static Stage> {
    STAGES.iter().find(|stage| stage.command == command)
}

impl App {
    /// Lays ready what a sample is for.
    pub(in crate::app) fn set_stage(&mut self, sample: &str) {
        let Some(stage) = STAGES.iter().find(|stage| stage.sample == sample) else { return };
        if stage.playing {
            self.state.view.apply(ViewChange::Playback(Playback::Forward));
        }
        let Some((workspace, panels)) = stage.place else { return };
        self.state.settings.workspace = workspace;
        panels.iter().for_each(|panel| self.dock.reveal(workspace, *panel));
        self.state.view.apply(ViewChange::Tool(ToolId::DragLimb));
        let document = self.state.session.document().clone();
        let joint = document.rigs().find_map(|(object, _, rig)| {
            Some(Target::Joint(object, names::find_joint(&rig.skeleton, stage.selected)?))
        });
        let object = || document.objects.iter().find(|(_, object)| object.name == stage.selected);
        let Some(target) = joint.or_else(|| object().map(|(id, _)| Target::Object(*id))) else { return };
        self.state.session.select(Selection::single(target));
        let entrants = if stage.shown == Shown::Race { RaceView::USUAL.to_vec() } else { Vec::new() };
        self.state.view.apply(ViewChange::Race(RaceView { entrants, ..RaceView::default() }));
        match (stage.shown, target) {
            (Shown::Trail, Target::Joint(object, joint)) => {
                self.state.view.apply(ViewChange::Trailed([(object, joint)].into()));
                // In the midst of the arc: at its ends there is no timing to change.
                let (rate, range) = (document.settings.rate, document.settings.play_range);
                self.state.view.apply(ViewChange::Time(rate.secs(range.first.midpoint(range.last))));
            }
            (Shown::Room | Shown::Race, _) => {
                let (height, distance) = if stage.shown == Shown::Race { SMALL_ROOM } else { ROOM };
                let camera = OrbitCamera { pivot: Vec3::y() * height, distance, yaw: 0.0, ..OrbitCamera::default() };
                self.state.view.apply(ViewChange::Camera(camera));
                self.state.frame_all = false;
            }
            _ => self.state.view.apply(ViewChange::Camera(OrbitCamera::default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{samples::SAMPLES, text::has, ui::start::CARDS};

    #[test]
    fn every_sample_has_a_command_a_name_and_a_stage_and_every_card_a_sample() {
        for sample in SAMPLES {
            let stage = STAGES.iter().find(|stage| stage.sample == sample.id).unwrap();
            assert!(has(&format!("file.sample_{}", sample.id)), "{}", sample.id);
            let document = (sample.build)();
            let joints = document.rigs().flat_map(|(_, _, rig)| rig.skeleton.joints()).map(|joint| &joint.name);
            let mut names = joints.chain(document.objects.values().map(|object| &object.name));
            assert!(stage.selected.is_empty() || names.any(|name| name == stage.selected), "{}", stage.selected);
        }
        assert_eq!(STAGES.len(), SAMPLES.len());
        for card in CARDS {
            assert!(of_command(card.opens).is_some_and(|stage| stage.place.is_some()), "{}", card.title);
            assert!(has(card.title) && has(&format!("{}_line", card.title)), "{}", card.title);
        }
    }
}
