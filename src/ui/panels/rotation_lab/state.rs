//! What the lab remembers, and what it shows: orientations taken from the selection, or its own.

use super::gimbal::RingDrag;
use crate::{
    eval::rotation_lab::{Form, LabKey, LabScheme, ReadOut, Trace, Way},
    interact::{
        camera::OrbitCamera,
        rotation_lab::{MOST, order_of, orientation, own, subject, taken},
    },
    math::{EulerOrder, Quat, Vec3},
    model::{Target, clip::SAME_TIME_SECS},
    ui::panel::PanelContext,
};

/// Steps of a line in a segment.
const STEPS: u32 = 40;

/// An orientation that can be typed over, at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Draft {
    pub(super) secs: f64,
    pub(super) read: ReadOut,
}

impl Draft {
    pub(super) fn of(key: &LabKey) -> Self {
        let read = ReadOut::of(key.rotation);
        let read = key.triple.map_or(read, |(order, [a, b, c])| {
            read.with_all(Form::Euler(order), [a, b, c, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        });
        Self { secs: key.secs, read }
    }

    pub(super) fn key(&self) -> LabKey {
        LabKey { secs: self.secs, rotation: *self.read.rotation(), triple: self.read.triple() }
    }
}

/// What is shown in one frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    /// The orientations that ways run through.
    pub(super) drafts: Vec<Draft>,
    /// The selected one's present orientation, where none of its keys is at the playhead.
    now: Option<Draft>,
    /// Which of the drafts is read out, where `now` is not.
    chosen: usize,
    /// Whose rotation it is.
    pub(super) target: Option<Target>,
    /// Whether all of it is as the document has it.
    pub(super) followed: bool,
}

impl Shown {
    /// The one that is read out.
    pub(super) fn active(&self) -> Draft {
        let none = Draft { secs: 0.0, read: ReadOut::of(Quat::identity()) };
        self.now.or_else(|| self.drafts.get(self.chosen).copied()).unwrap_or(none)
    }

    /// Which of the drafts is read out; none while it is the present pose.
    pub(super) fn chosen(&self) -> Option<usize> {
        self.now.is_none().then_some(self.chosen)
    }

    /// The two orientations the playhead is between, and how far: those at the ends outside. None where there are not two.
    pub(super) fn pair(&self, secs: f64) -> Option<(usize, f64)> {
        let last = self.drafts.len().checked_sub(2)?;
        let after = self.drafts.partition_point(|draft| draft.secs <= secs);
        let index = after.saturating_sub(1).min(last);
        let (from, to) = (self.drafts[index].secs, self.drafts[index + 1].secs);
        let part = if to > from { ((secs - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        Some((index, part))
    }
}

/// A scheme that is shown.
#[derive(Clone, Debug)]
pub(super) struct Racer {
    /// Its place among the schemes: its colour and number.
    pub(super) number: usize,
    pub(super) scheme: LabScheme,
    pub(super) way: Way,
    pub(super) trace: Trace,
}

impl Racer {
    pub(super) const fn is_euler(&self) -> bool {
        matches!(self.scheme, LabScheme::Euler(_))
    }
}

/// What ways were last worked out from.
type Of = (Vec<LabKey>, EulerOrder, usize);

/// What the lab remembers.
#[derive(Debug)]
pub(super) struct State {
    /// The lab's own orientations once something was changed, and which of them is read out.
    own: Option<Vec<Draft>>,
    chosen: usize,
    /// Which schemes are shown.
    pub(super) schemes: [bool; Self::SCHEMES],
    /// The order of the angles that run straight, and of the rings.
    pub(super) order: EulerOrder,
    /// Whose order it is, so that another selection brings its own.
    order_of: Option<Target>,
    /// The body axis whose tip is traced.
    pub(super) tip: usize,
    /// Where all balls are seen from.
    pub(super) camera: OrbitCamera,
    /// The ring that is being turned.
    pub(super) ring: Option<RingDrag>,
    /// The form that is typed as one text.
    pub(super) text: Option<(Form, String)>,
    /// Why the last text was not read; a text key.
    pub(super) unread: Option<&'static str>,
    ways: Option<(Of, Vec<Racer>)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            own: None,
            chosen: 1,
            schemes: [true, true, true, true, true],
            order: EulerOrder::default(),
            order_of: None,
            tip: 1,
            camera: super::globe::camera(),
            ring: None,
            text: None,
            unread: None,
            ways: None,
        }
    }
}

impl State {
    /// How many schemes there are.
    pub(super) const SCHEMES: usize = 5;

    /// The scheme with a number.
    pub(super) const fn scheme(&self, number: usize) -> LabScheme {
        match number {
            0 => LabScheme::Nlerp,
            1 => LabScheme::Slerp,
            2 => LabScheme::Squad,
            3 => LabScheme::Cubic,
            _ => LabScheme::Euler(self.order),
        }
    }

    /// What is shown now.
    pub(super) fn shown(&mut self, ctx: &PanelContext<'_>) -> Shown {
        let target = subject(ctx.document, ctx.selection);
        if target != self.order_of {
            self.order_of = target;
            self.order = target.and_then(|target| order_of(ctx.document, target)).unwrap_or(self.order);
        }
        let secs = ctx.view.secs;
        if let Some(own) = &self.own {
            let chosen = self.chosen.min(own.len().saturating_sub(1));
            return Shown { drafts: own.clone(), now: None, chosen, target, followed: false };
        }
        let settings = &ctx.document.settings;
        let keys = match target {
            Some(target) => taken(ctx.document, ctx.selection, target, secs),
            None => own(settings.rate, settings.play_range),
        };
        let drafts: Vec<Draft> = keys.iter().map(Draft::of).collect();
        let here = drafts.iter().position(|draft| (draft.secs - secs).abs() <= SAME_TIME_SECS);
        let now = match (target, here) {
            (Some(target), None) => orientation(ctx.document, target, secs).map(|key| Draft::of(&key)),
            _ => None,
        };
        let chosen = here.filter(|_| target.is_some()).unwrap_or(self.chosen.min(drafts.len().saturating_sub(1)));
        Shown { drafts, now, chosen, target, followed: target.is_some() }
    }

    /// Whether something was changed that would be lost by following the selection again.
    pub(super) const fn is_changed(&self) -> bool {
        self.own.is_some()
    }

    /// Follows the selection again.
    pub(super) fn follow(&mut self) {
        (self.own, self.text, self.unread) = (None, None, None);
    }

    /// What is read out becomes another: from now on the orientations are the lab's own.
    pub(super) fn change(&mut self, shown: &Shown, read: ReadOut) {
        let mut drafts = shown.drafts.clone();
        match shown.now {
            None => {
                if let Some(draft) = drafts.get_mut(shown.chosen) {
                    draft.read = read;
                }
                self.chosen = shown.chosen;
            }
            Some(now) => {
                let at = drafts.partition_point(|draft| draft.secs < now.secs);
                drafts.insert(at, Draft { read, ..now });
                self.chosen = at;
            }
        }
        self.own = Some(drafts);
    }

    /// Reads another orientation out.
    pub(super) fn choose(&mut self, index: usize) {
        (self.chosen, self.text, self.unread) = (index, None, None);
    }

    /// An orientation of the list becomes another.
    pub(super) fn change_at(&mut self, shown: &Shown, index: usize, read: ReadOut) {
        let mut drafts = shown.drafts.clone();
        if let Some(draft) = drafts.get_mut(index) {
            draft.read = read;
            self.own = Some(drafts);
            self.choose(index);
        }
    }

    /// Adds a copy of what is read out, at a time; where one is there, half a second after the last.
    pub(super) fn add(&mut self, shown: &Shown, secs: f64) {
        if shown.drafts.len() >= MOST {
            return;
        }
        let mut drafts = shown.drafts.clone();
        let read = shown.active().read;
        let is_taken = drafts.iter().any(|draft| (draft.secs - secs).abs() <= SAME_TIME_SECS);
        let secs = if is_taken { drafts.last().map_or(secs, |last| last.secs + 0.5) } else { secs };
        let at = drafts.partition_point(|draft| draft.secs <= secs);
        drafts.insert(at, Draft { secs, read });
        self.own = Some(drafts);
        self.choose(at);
    }

    /// Takes the one that is read out away, where others are left.
    pub(super) fn remove(&mut self, shown: &Shown) {
        let Some(chosen) = shown.chosen().filter(|_| shown.drafts.len() > 1) else { return };
        let mut drafts = shown.drafts.clone();
        drafts.remove(chosen);
        self.own = Some(drafts);
        self.choose(chosen.saturating_sub(1));
    }

    /// Puts the one that is read out at another time.
    pub(super) fn set_secs(&mut self, shown: &Shown, secs: f64) {
        let Some(mut draft) = shown.chosen().and_then(|chosen| shown.drafts.get(chosen).copied()) else { return };
        let mut drafts = shown.drafts.clone();
        drafts.remove(shown.chosen);
        draft.secs = secs;
        // One time holds one orientation: the one that is moved.
        drafts.retain(|other| (other.secs - secs).abs() > SAME_TIME_SECS);
        let at = drafts.partition_point(|other| other.secs <= secs);
        drafts.insert(at, draft);
        self.own = Some(drafts);
        self.chosen = at;
    }

    /// The schemes that are on, worked out anew only when the orientations, the order or the axis are others.
    pub(super) fn racers(&mut self, shown: &Shown) -> Vec<Racer> {
        let of: Of = (shown.drafts.iter().map(Draft::key).collect(), self.order, self.tip);
        if self.ways.as_ref().is_none_or(|(known, _)| *known != of) {
            let tip = Vec3::ith(self.tip, 1.0);
            let racer = |number: usize| {
                let scheme = self.scheme(number);
                let way = Way::new(scheme, &of.0)?;
                let trace = way.trace(&tip, STEPS);
                Some(Racer { number, scheme, way, trace })
            };
            let racers = (0..Self::SCHEMES).filter_map(racer).collect();
            self.ways = Some((of, racers));
        }
        let all = self.ways.as_ref().map_or(&[][..], |(_, racers)| racers);
        all.iter().filter(|racer| self.schemes[racer.number]).cloned().collect()
    }
}
