//! The scene of the last picture: described anew only when something in it is another.

use super::timed::Timed;
use crate::render::scene::{Ghost, Plate, RenderScene};
use crate::{
    eval::{
        EvaluatedFrame, Evaluator, race,
        trail::{Trail, clean_arc},
    },
    interact::{
        camera::OrbitCamera,
        gizmo::{Gizmo, Handle},
        onion::OnionSkin,
        race::RaceView,
        reference::Against,
        timing::{Action, TimingView},
        tool::{Hovered, Look},
        trails::TrailOptions,
        view_state::{ThemeChoice, ViewportOptions},
        viewport_desk::Shown,
    },
    math::Vec3,
    model::{ChannelPath, ClipId, Document, ObjectId, Parent, Target},
    scene::{Backdrop, Figures, Ghosts, GhostsOf, Stage, TrailShown},
    style::{Palette, RIVALS},
    ui::theme::style_theme,
};
use std::{collections::BTreeSet, sync::Arc};

/// Everything a picture depends on.
#[derive(Debug)]
struct Key {
    document: Arc<Document>,
    frame: Arc<EvaluatedFrame>,
    camera: OrbitCamera,
    through: Option<ObjectId>,
    size: [f64; 2],
    options: ViewportOptions,
    onion: OnionSkin,
    race: RaceView,
    raced: Option<(ClipId, Vec<ChannelPath>)>,
    compared: Option<(ClipId, Against)>,
    timed: Option<(Action, TimingView)>,
    /// Where the numbers of what races stand.
    active: Option<Target>,
    backdrops: Vec<Backdrop>,
    trail_options: TrailOptions,
    trails: Vec<Arc<Trail>>,
    isolated: Option<BTreeSet<ObjectId>>,
    selected: BTreeSet<Target>,
    hovered: Option<Target>,
    gizmo: Option<(Gizmo, Option<Handle>)>,
    theme: ThemeChoice,
}

impl Key {
    fn is_of(
        &self,
        shown: &Shown<'_>,
        hovered: Option<Target>,
        gizmo: Option<(Gizmo, Option<Handle>)>,
        around: &Around<'_>,
    ) -> bool {
        let backdrops = around.backdrops;
        let race = around.raced.is_none() || (self.race == shown.view.race && self.active == shown.selection.active);
        Arc::ptr_eq(&self.document, shown.document)
            && Arc::ptr_eq(&self.frame, shown.frame)
            && self.camera == shown.view.camera
            && self.through == shown.view.through
            && self.size == shown.size
            && self.options == shown.view.viewport
            && self.onion == shown.view.onion
            && self.raced == around.raced
            && self.compared == around.compared
            && self.timed == around.timed
            && race
            && self.backdrops.len() == backdrops.len()
            && self.backdrops.iter().zip(backdrops).all(|(own, other)| own.is_same(other))
            && self.trail_options == shown.view.trails
            && self.trails.len() == shown.trails.len()
            && self.trails.iter().zip(shown.trails).all(|(a, b)| Arc::ptr_eq(a, b))
            && self.isolated == shown.view.isolated
            && self.selected == shown.selection.targets
            && self.hovered == hovered
            && self.gizmo == gizmo
            && self.theme == shown.view.theme
    }
}

/// What a picture is made with besides what is shown.
pub(super) struct Around<'a> {
    pub(super) evaluator: &'a Evaluator,
    pub(super) backdrops: &'a [Backdrop],
    /// The channels that are raced, where the character is to be seen once for each entrant.
    pub(super) raced: Option<(ClipId, Vec<ChannelPath>)>,
    /// The clip in question and what it is compared with, where the character is to be seen as it would be.
    pub(super) compared: Option<(ClipId, Against)>,
    /// The action that is seen at other lengths, and which.
    pub(super) timed: Option<(Action, TimingView)>,
}

/// An entrant's document, with what remembers its poses.
#[derive(Debug)]
struct Rival {
    /// The entrant's place in the race.
    index: usize,
    document: Document,
    evaluator: Evaluator,
}

/// The clip and its channels that race.
type Raced = (ClipId, Vec<ChannelPath>);

/// What races, as documents to pose by: made anew when the document, the channels or the entrants change.
#[derive(Debug, Default)]
struct Rivals {
    of: Option<(Arc<Document>, Raced, Vec<race::Entrant>)>,
    all: Vec<Rival>,
}

impl Rivals {
    fn renew(&mut self, document: &Arc<Document>, raced: &Raced, race: &RaceView) {
        let same = self.of.as_ref().is_some_and(|(known, channels, entrants)| {
            Arc::ptr_eq(known, document) && channels == raced && *entrants == race.entrants
        });
        if same {
            return;
        }
        let of = |(index, entrant): (usize, &race::Entrant)| {
            let document = race::document(document, raced.0, &raced.1, *entrant)?;
            Some(Rival { index, document, evaluator: Evaluator::beside() })
        };
        self.all = race.entrants.iter().enumerate().filter_map(of).collect();
        self.of = Some((Arc::clone(document), raced.clone(), race.entrants.clone()));
    }
}

/// The document compared with: made anew when it or the document changes.
#[derive(Debug, Default)]
struct Compared {
    of: Option<(Arc<Document>, (ClipId, Against))>,
    document: Option<Document>,
    evaluator: Evaluator,
}

impl Compared {
    fn renew(&mut self, document: &Arc<Document>, compared: (ClipId, Against)) {
        let same = self.of.as_ref().is_some_and(|(known, of)| Arc::ptr_eq(known, document) && *of == compared);
        if !same {
            self.document = compared.1.document(document, compared.0);
            self.of = Some((Arc::clone(document), compared));
        }
    }
}

/// How plain the ghosts of what races are, 0..=1.
const RIVAL_STRENGTH: f64 = 0.55;

/// The last picture's scene. The same `Arc` again says to the painter that nothing is to be drawn anew.
#[derive(Debug, Default)]
pub(super) struct Picture {
    last: Option<(Key, Arc<RenderScene>)>,
    ghosts: Ghosts,
    rivals: Rivals,
    compared: Compared,
    timed: Timed,
    /// The numbers of what races and where they stand in the world.
    numbers: Vec<(usize, Vec3)>,
}

impl Picture {
    /// The scene of what is shown, with what the tools highlight.
    pub(super) fn scene(
        &mut self,
        shown: &Shown<'_>,
        around: &Around<'_>,
        look: &Look,
        figures: &mut Figures,
    ) -> Arc<RenderScene> {
        let (hovered, handle) = match look.hovered {
            Some(Hovered::Target(target)) => (Some(target), None),
            Some(Hovered::Handle(handle)) => (None, Some(handle)),
            None => (None, None),
        };
        let gizmo = look.gizmo.map(|gizmo| (gizmo, handle));
        if let Some((key, scene)) = &self.last
            && key.is_of(shown, hovered, gizmo, around)
        {
            return scene.clone();
        }
        let palette = Palette::of(style_theme(shown.view.theme));
        let mut ghosts = self.ghosts(shown, around.evaluator, palette, figures);
        ghosts.extend(self.compared(shown, around, palette, figures));
        ghosts.extend(self.racing(shown, around, figures));
        ghosts.extend(self.timed.ghosts(shown, around, (&mut self.ghosts, figures)));
        let plates: Vec<Plate> = around.backdrops.iter().filter_map(|backdrop| backdrop.plate(shown.size)).collect();
        let trails = trails(shown, around.evaluator);
        let stage = Stage {
            document: shown.document,
            frame: shown.frame,
            view: &shown.camera(),
            options: shown.view.viewport,
            isolated: shown.view.isolated.as_ref(),
            selected: &shown.selection.targets,
            hovered,
            gizmo,
            weighed: shown.selection.active.and_then(|target| match target {
                Target::Joint(object, joint) => Some(Parent::Joint(object, joint)),
                _ => None,
            }),
            ghosts: &ghosts,
            trails: &trails,
            plates: &plates,
            palette,
        };
        let scene = Arc::new(stage.scene(figures));
        let key = Key {
            document: shown.document.clone(),
            frame: shown.frame.clone(),
            camera: shown.view.camera,
            through: shown.view.through,
            size: shown.size,
            options: shown.view.viewport,
            onion: shown.view.onion,
            race: shown.view.race.clone(),
            raced: around.raced.clone(),
            compared: around.compared,
            timed: around.timed.clone(),
            active: shown.selection.active,
            backdrops: around.backdrops.to_vec(),
            trail_options: shown.view.trails,
            trails: shown.trails.to_vec(),
            isolated: shown.view.isolated.clone(),
            selected: shown.selection.targets.clone(),
            hovered,
            gizmo,
            theme: shown.view.theme,
        };
        self.last = Some((key, scene.clone()));
        scene
    }

    /// The numbers of what races and where in the world they stand.
    pub(super) fn numbers(&self) -> &[(usize, Vec3)] {
        &self.numbers
    }

    /// The lengths of an action that are seen, and where in the world their names stand.
    pub(super) fn lengths(&self) -> &[(usize, u32, Vec3)] {
        self.timed.places()
    }

    /// The rigs that play the clip in question as what it is compared with poses them.
    fn compared(
        &mut self,
        shown: &Shown<'_>,
        around: &Around<'_>,
        palette: &Palette,
        figures: &mut Figures,
    ) -> Vec<Ghost> {
        let Some(compared) = around.compared else {
            self.compared = Compared::default();
            return Vec::new();
        };
        self.compared.renew(shown.document, compared);
        let Some(document) = &self.compared.document else { return Vec::new() };
        let rigs = shown.document.rigs().map(|(id, ..)| id);
        let rigs = rigs.filter(|id| shown.is_shown(*id) && shown.document.clip_of(*id) == Some(compared.0));
        let color = palette.axis_w.faded(RIVAL_STRENGTH);
        let of = (document, &self.compared.evaluator);
        let ghosts = &mut self.ghosts;
        rigs.filter_map(|object| {
            let present = shown.frame.rig(object).map(|frame| &**frame);
            ghosts.one(of, (object, shown.frame.secs), present, color, figures)
        })
        .collect()
    }

    /// The rigs that play the clip in question, once for each entrant whose pose is another than the present one.
    fn racing(&mut self, shown: &Shown<'_>, around: &Around<'_>, figures: &mut Figures) -> Vec<Ghost> {
        self.numbers.clear();
        let Some(raced) = around.raced.as_ref().filter(|(_, channels)| !channels.is_empty()) else {
            self.rivals = Rivals::default();
            return Vec::new();
        };
        self.rivals.renew(shown.document, raced, &shown.view.race);
        let rigs = shown.document.rigs().map(|(id, ..)| id);
        let rigs: Vec<ObjectId> =
            rigs.filter(|id| shown.is_shown(*id) && shown.document.clip_of(*id) == Some(raced.0)).collect();
        let mut ghosts = Vec::new();
        for rival in &self.rivals.all {
            for &object in &rigs {
                let of = (&rival.document, &rival.evaluator);
                let color = RIVALS[rival.index % RIVALS.len()].faded(RIVAL_STRENGTH);
                let present = shown.frame.rig(object).map(|frame| &**frame);
                let ghost = self.ghosts.one(of, (object, shown.frame.secs), present, color, figures);
                let Some(ghost) = ghost else { continue };
                ghosts.push(ghost);
                self.numbers.extend(joint_place(shown, rival, object).map(|place| (rival.index, place)));
            }
        }
        ghosts
    }

    /// The ghosts of the rigs that are shown: of all, or of those with something selected.
    fn ghosts(
        &mut self,
        shown: &Shown<'_>,
        evaluator: &Evaluator,
        palette: &Palette,
        figures: &mut Figures,
    ) -> Vec<Ghost> {
        let onion = if shown.view.rest.on { OnionSkin { on: false, ..shown.view.onion } } else { shown.view.onion };
        let selected: BTreeSet<ObjectId> = shown.selection.targets.iter().map(|target| target.object()).collect();
        // Where nothing is selected nothing else can be meant than all.
        let is_meant = |id: &ObjectId| onion.every_rig || selected.is_empty() || selected.contains(id);
        let rigs = shown.document.rigs().map(|(id, ..)| id);
        let rigs: Vec<ObjectId> = rigs.filter(|id| shown.is_shown(*id) && is_meant(id)).collect();
        let of = GhostsOf { document: shown.document, evaluator, secs: shown.frame.secs, onion, palette };
        self.ghosts.of(&of, rigs, figures)
    }
}

/// The trails with what their options ask for.
pub(super) fn trails(shown: &Shown<'_>, evaluator: &Evaluator) -> Vec<TrailShown> {
    let options = shown.view.trails;
    let with = |trail: &Arc<Trail>| TrailShown {
        trail: trail.clone(),
        motion: options.needs_motion().then(|| evaluator.motion(shown.document, trail)).flatten(),
        arc: options.arc.then(|| clean_arc(&trail.points).map(Arc::new)).flatten(),
        top_speed: 0.0,
        options,
    };
    TrailShown::to_one_scale(shown.trails.iter().map(with).collect())
}

/// Where the active joint (else the first) of a rig is in an entrant's pose.
fn joint_place(shown: &Shown<'_>, rival: &Rival, object: ObjectId) -> Option<Vec3> {
    let rig = rival.document.object(object)?.as_rig()?;
    let active = match shown.selection.active {
        Some(Target::Joint(of, joint)) if of == object => rig.skeleton.index_of(joint),
        _ => None,
    };
    let frame = rival.evaluator.rig_frame(&rival.document, object, shown.frame.secs)?;
    let world = rival.evaluator.object_world(&rival.document, object, shown.frame.secs)?;
    Some((world * *frame.model.get(active.unwrap_or(0))?).translation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::{AutoKey, Selection},
        interact::view_state::ViewState,
        model::{Joint, JointId, Object, Rig, Skeleton},
    };

    #[test]
    fn the_same_is_not_described_twice() {
        let skeleton = Skeleton::new(vec![Joint::new(JointId(0), "hips", None, crate::math::Vec3::y())]).unwrap();
        let mut document = Document::default();
        let rig = document.add_object(Object::rig("rig", Rig { skeleton: Arc::new(skeleton), ..Rig::default() }));
        let document = Arc::new(document);
        let evaluator = Evaluator::new();
        let frame = evaluator.frame(&document, 0.0);
        let (mut view, mut selection) = (ViewState::default(), Selection::default());
        let (mut picture, mut figures) = (Picture::default(), Figures::default());
        let mut scene = |view: &ViewState, selection: &Selection, look: &Look| {
            let auto_key = AutoKey::On;
            let shown = Shown {
                document: &document,
                frame: &frame,
                selection,
                view,
                auto_key,
                trails: &[],
                size: [800.0, 600.0],
            };
            let around = Around { evaluator: &evaluator, backdrops: &[], raced: None, compared: None, timed: None };
            picture.scene(&shown, &around, look, &mut figures)
        };
        let mut look = Look::default();
        let first = scene(&view, &selection, &look);
        assert!(Arc::ptr_eq(&first, &scene(&view, &selection, &look)));
        look.hint = "hint.drag";
        view.secs = 3.0;
        assert!(Arc::ptr_eq(&first, &scene(&view, &selection, &look)), "words and times draw nothing");
        look.hovered = Some(Hovered::Target(Target::Joint(rig, JointId(0))));
        let hovered = scene(&view, &selection, &look);
        assert!(!Arc::ptr_eq(&first, &hovered));
        selection.insert(Target::Joint(rig, JointId(0)));
        let selected = scene(&view, &selection, &look);
        assert!(!Arc::ptr_eq(&hovered, &selected));
        view.camera = view.camera.orbited([5.0, 0.0]);
        assert!(!Arc::ptr_eq(&selected, &scene(&view, &selection, &look)));
    }
}
