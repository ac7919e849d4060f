//! The steps of the tour: what each is about, and how the program sees that it was done.

use crate::{
    command::{CommandId, PanelId},
    interact::{
        camera::OrbitCamera,
        view_state::{Playback, Profile},
    },
    model::{ChannelPath, Clip, Curve, Document, Target},
    ui::panel::PanelContext,
};
use std::sync::Arc;

/// A step.
#[derive(Clone, Copy)]
pub struct Step {
    /// The text key of its title; what there is to do stands under the same key with `_line`.
    pub title: &'static str,
    /// The panel it speaks of: it is outlined, and brought to the front of its place when the step begins.
    pub panel: PanelId,
    /// The command whose shortcut its line names, if it names one.
    pub key: Option<CommandId>,
    /// The command that opens a document in which the step can be done.
    pub sample: CommandId,
    /// Whether it was done since the first of two moments.
    pub done: fn(&Moment, &Moment) -> bool,
}

/// What the program sees of a moment.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The document, with no gesture that runs.
    pub document: Arc<Document>,
    /// Where the 3D view is seen from.
    pub camera: OrbitCamera,
    /// The frame shown.
    pub frame: i64,
    /// Whether the time runs.
    pub playing: bool,
    /// How often something was written to a file.
    pub written: u32,
}

impl Moment {
    /// This moment.
    #[must_use]
    pub fn of(ctx: &PanelContext<'_>, written: u32) -> Self {
        Self {
            document: ctx.session.base().clone(),
            camera: ctx.view.camera,
            frame: ctx.view.frame(ctx.document.settings.rate),
            playing: ctx.view.playback != Playback::Stopped,
            written,
        }
    }

    fn count(&self, of: impl Fn(&Clip) -> usize) -> usize {
        self.document.clips.values().map(|clip| of(clip)).sum()
    }

    fn keys(&self) -> usize {
        let keys = |curve: &Arc<Curve>| if curve.is_sampled() { 0 } else { curve.len() };
        self.count(|clip| clip.channels.values().map(keys).sum())
    }

    /// The curves of things of a kind, the clips' parts that hold none left out.
    fn curves(&self, of: impl Fn(Target) -> bool) -> Vec<(ChannelPath, Arc<Curve>)> {
        let channels = self.document.clips.values().flat_map(|clip| &clip.channels);
        channels.filter(|(path, _)| of(path.target)).map(|(path, curve)| (*path, curve.clone())).collect()
    }
}

/// Whether part of the clips differs.
fn differs<T: PartialEq>(a: &Moment, b: &Moment, part: impl Fn(&Clip) -> T) -> bool {
    if Arc::ptr_eq(&a.document.clips, &b.document.clips) {
        return false;
    }
    let parts = |moment: &Moment| moment.document.clips.values().map(|clip| part(clip)).collect::<Vec<_>>();
    parts(a) != parts(b)
}

/// Whether a joint's motion was changed: by keys, a waiting pose or a correction.
fn posed(a: &Moment, b: &Moment) -> bool {
    let joints = |moment: &Moment| moment.curves(|target| target.joint().is_some());
    differs(a, b, |clip| (clip.unkeyed.clone(), clip.corrections.clone()))
        || (!Arc::ptr_eq(&a.document.clips, &b.document.clips) && joints(a) != joints(b))
}

/// Whether what a blend space's layer plays was moved: its point, or the curve of it.
fn blended(a: &Moment, b: &Moment) -> bool {
    let layers = |moment: &Moment| -> Vec<_> {
        moment.document.objects.values().flat_map(|object| object.layers.clone()).collect()
    };
    let curves = |moment: &Moment| moment.curves(|target| matches!(target, Target::Layer(..)));
    layers(a) != layers(b)
        || curves(a) != curves(b)
        || (a.document.blend_spaces != b.document.blend_spaces && !b.document.blend_spaces.is_empty())
}

/// All steps, in their order.
pub const STEPS: &[Step] = &[
    Step {
        title: "tour.look",
        panel: PanelId::Viewport,
        key: None,
        sample: CommandId::OpenSample,
        done: |a, b| (a.camera.yaw, a.camera.pitch) != (b.camera.yaw, b.camera.pitch),
    },
    Step { title: "tour.pose", panel: PanelId::Viewport, key: None, sample: CommandId::OpenStand, done: posed },
    Step {
        title: "tour.pin",
        panel: PanelId::Viewport,
        key: Some(CommandId::PlantFeet),
        sample: CommandId::OpenStand,
        done: |a, b| a.count(|clip| clip.pins.len()) < b.count(|clip| clip.pins.len()),
    },
    Step {
        title: "tour.scrub",
        panel: PanelId::Timeline,
        key: None,
        sample: CommandId::OpenSample,
        done: |a, b| !b.playing && a.frame != b.frame,
    },
    Step {
        title: "tour.key",
        panel: PanelId::Timeline,
        key: Some(CommandId::SetKeyWholePose),
        sample: CommandId::OpenStand,
        done: |a, b| a.keys() < b.keys(),
    },
    Step {
        title: "tour.graph",
        panel: PanelId::Graph,
        key: None,
        sample: CommandId::OpenSample,
        done: |a, b| differs(a, b, |clip| clip.channels.clone()),
    },
    Step {
        title: "tour.trail",
        panel: PanelId::Viewport,
        key: Some(CommandId::ToggleTrail),
        sample: CommandId::OpenReach,
        done: |a, b| posed(a, b) || differs(a, b, |clip| clip.retimes.clone()),
    },
    Step {
        title: "tour.correct",
        panel: PanelId::Viewport,
        key: None,
        sample: CommandId::OpenCaptured,
        done: |a, b| differs(a, b, |clip| clip.corrections.clone()),
    },
    Step { title: "tour.blend", panel: PanelId::BlendSpace, key: None, sample: CommandId::OpenGait, done: blended },
    Step {
        title: "tour.export",
        panel: PanelId::Viewport,
        key: Some(CommandId::Save),
        sample: CommandId::OpenSample,
        done: |a, b| a.written < b.written,
    },
];

/// The text key of how the view is turned in a profile.
#[must_use]
pub const fn orbit_key(profile: Profile) -> &'static str {
    match profile {
        Profile::BlenderLike => "gesture.orbit_blender_like",
        Profile::MayaLike => "gesture.orbit_maya_like",
        Profile::NoMiddle => "gesture.orbit_no_middle",
    }
}
