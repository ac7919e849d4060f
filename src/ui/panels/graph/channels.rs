//! Which channels the graph lists and shows: those of the selection that match the search.

use crate::{
    eval::follow::has_say,
    interact::{
        plot_view::ValueMap,
        ticks::Counting,
        tools::{graph_cache::Shown, graph_curve::GraphCurve},
    },
    model::{ChannelPath, Clip, ClipId, Component, Curve, Document, LengthUnit, Property, Target},
    text::{fill, t},
    ui::{panel::PanelContext, subject},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What the user has set about channels: forgotten with the panel.
#[derive(Debug)]
pub(super) struct ChannelState {
    /// The search text.
    pub(super) filter: String,
    /// What was selected when it was typed: the channels of another selection are not searched by it.
    pub(super) searched: BTreeSet<Target>,
    /// Rows the user has folded (false) or unfolded (true) by hand; the others go by the rule.
    pub(super) opened: BTreeMap<Target, bool>,
    /// The channel drawn above the others; new keys go to it.
    pub(super) active: Option<ChannelPath>,
    /// Whether every curve fills the height, whatever its values.
    pub(super) normalised: bool,
    /// Whether velocity and acceleration are plotted below.
    pub(super) strips: [bool; 2],
    /// Whether keys bear badges of their continuity.
    pub(super) badges: bool,
    /// Which shape number (tension, continuity, bias) is dragged now, so that its family shows.
    pub(super) family: Option<usize>,
    /// While drivers are shown the name and the unit of what runs along the plot.
    pub(super) driven: Option<(String, &'static str)>,
}

impl Default for ChannelState {
    fn default() -> Self {
        Self {
            filter: String::new(),
            searched: BTreeSet::new(),
            opened: BTreeMap::new(),
            active: None,
            normalised: false,
            strips: [false; 2],
            badges: true,
            family: None,
            driven: None,
        }
    }
}

/// The channels listed.
#[derive(Debug)]
pub(super) struct Listing {
    /// The clip they are of.
    pub(super) clip: ClipId,
    /// The channels and their curves, in order of target and property.
    pub(super) channels: Vec<(ChannelPath, Arc<Curve>)>,
}

impl ChannelState {
    /// Drops a search typed for another selection: what was just selected would seem to have no channels.
    pub(super) fn forget_search(&mut self, ctx: &PanelContext<'_>) {
        if self.searched != ctx.selection.targets {
            self.searched.clone_from(&ctx.selection.targets);
            self.filter.clear();
        }
    }
}

impl Listing {
    /// The channels of the selection (of all where nothing is selected) that match the search; none without a clip.
    pub(super) fn new(ctx: &PanelContext<'_>, state: &ChannelState) -> Option<Self> {
        if ctx.view.drive.graph {
            let mut listing = super::driven::listing(ctx, state)?;
            let matches = by_words(ctx, &state.filter);
            listing.channels.retain(|(path, _)| matches(*path));
            return Some(listing);
        }
        let (id, clip) = subject::clip(ctx.document, ctx.selection)?;
        Some(Self { clip: id, channels: matching(ctx, clip, &state.filter) })
    }

    /// Those with an open eye, as the cache takes them.
    pub(super) fn shown<'a>(&'a self, ctx: &'a PanelContext<'_>) -> impl Iterator<Item = Shown<'a>> {
        let unit = ctx.document.settings.length_unit;
        let seen = &ctx.view.curves;
        let visible = self.channels.iter().filter(|(path, _)| !seen.hidden.contains(path));
        visible.map(move |(path, curve)| Shown {
            path: *path,
            curve,
            clock: ctx.document.clip(self.clip).map(|clip| clip.clock(path.target)).unwrap_or_default(),
            selected: ctx.selection.keys.times(crate::edit::CurveRef { clip: self.clip, path: *path }),
            editable: !(seen.locked.contains(path) || self.clip != ClipId::DRIVERS && ctx.document.is_locked(*path)),
            map: unit_map(*path, unit),
        })
    }
}

/// Whether a channel's name holds all words of a search.
fn by_words<'a>(ctx: &'a PanelContext<'_>, filter: &str) -> impl Fn(ChannelPath) -> bool + 'a {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    move |path: ChannelPath| {
        words.is_empty() || {
            let name = full_name(ctx.document, path).to_lowercase();
            words.iter().all(|word| name.contains(word.as_str()))
        }
    }
}

fn matching(ctx: &PanelContext<'_>, clip: &Clip, filter: &str) -> Vec<(ChannelPath, Arc<Curve>)> {
    let matches = by_words(ctx, filter);
    let of_selection = clip.channels.iter().filter(|(path, _)| subject::concerns(ctx.selection, clip, **path));
    let shown = of_selection.filter(|(path, _)| has_say(ctx.document, **path) && matches(**path));
    shown.map(|(path, curve)| (*path, Arc::clone(curve))).collect()
}

/// The name of an object or joint.
pub(in crate::ui) fn target_name(document: &Document, target: Target) -> String {
    let Some(object) = document.object(target.object()) else { return target.object().to_string() };
    let joint = target.joint().and_then(|joint| object.as_rig()?.skeleton.joint(joint));
    match (joint, target) {
        (Some(joint), _) => joint.name.clone(),
        (None, Target::Point(_, id)) => subject::point_name(object, id),
        (None, Target::Deformer(_, entry)) => subject::entry_name(document, object, entry),
        (None, Target::Layer(_, id)) => object.layer(id).map_or_else(|| id.to_string(), |layer| layer.name.clone()),
        (None, Target::Sample(of, layer, place)) => subject::sample_name(document, of, layer, place),
        (None, Target::Morph(_, morph)) => {
            object.as_mesh().and_then(|mesh| mesh.morph(morph)).map_or_else(|| morph.to_string(), subject::morph_name)
        }
        (None, Target::Constraint(..) | Target::Pole(..)) if subject::chain_part_name(document, target).is_some() => {
            subject::chain_part_name(document, target).unwrap_or_default()
        }
        (None, Target::Constraint(of, id)) => {
            let constraint = object.constraint(id).filter(|constraint| constraint.as_follow().is_none());
            let name = constraint.map(|constraint| super::super::inspector::constraint_name(document, of, constraint));
            name.unwrap_or_else(|| fill("follow.of", &[("object", &object.name)]))
        }
        (None, _) => pin_name(document, target).unwrap_or_else(|| object.name.clone()),
    }
}

/// The name of a pin of the clip that its object plays.
fn pin_name(document: &Document, target: Target) -> Option<String> {
    let Target::Pin(object, pin) = target else { return None };
    let pin = document.clip(document.clip_of(object)?)?.pin(pin)?;
    Some(fill("pins.pin_of", &[("joint", &subject::pin_name(document, pin))]))
}

/// The name of a property.
pub(in crate::ui::panels) fn property_name(property: Property) -> String {
    t(match property {
        Property::Translation => "graph.translation",
        Property::Rotation => "graph.rotation",
        Property::Scale => "graph.scale",
        Property::Influence => "pins.influence",
        Property::Distance => "follow.distance",
        Property::Speed => "follow.speed",
        Property::Acceleration => "follow.acceleration",
        Property::Source => "constraint.source",
        Property::FieldOfView => "camera.field_of_view",
        Property::Weight => "mesh.weight",
        Property::Intensity => "light.intensity",
        Property::Red => "light.red",
        Property::Green => "light.green",
        Property::Blue => "light.blue",
        Property::Angle => "deform.angle",
        Property::Factor => "deform.factor",
        Property::Low => "deform.low",
        Property::High => "deform.high",
        Property::Amplitude => "deform.amplitude",
        Property::Wavelength => "deform.wavelength",
        Property::Radius => "deform.radius",
        Property::Phase => "deform.phase",
        Property::Blend => "mesh.dual",
        Property::Horizontal => "blend.horizontal",
        Property::Vertical => "blend.vertical",
    })
    .into_owned()
}

/// The letter of a component; that of a lane for a rotation track.
pub(in crate::ui::panels) const fn letter(component: Component, lane: usize) -> &'static str {
    match (component, lane) {
        (Component::X, _) | (Component::Whole, 0) => "X",
        (Component::Y, _) | (Component::Whole, 1) => "Y",
        (Component::Z, _) | (Component::Whole, 2) => "Z",
        (Component::Whole, _) => "W",
        (Component::Only, _) => "",
    }
}

/// The name of a channel: joint, property, letter.
pub(in crate::ui) fn full_name(document: &Document, path: ChannelPath) -> String {
    let name = format!("{} {}", target_name(document, path.target), property_name(path.property));
    match path.component {
        Component::Whole | Component::Only => name,
        component => format!("{name} {}", letter(component, 0)),
    }
}

/// The displayed units in one of the channel's own.
pub(in crate::ui) fn unit_map(path: ChannelPath, unit: LengthUnit) -> ValueMap {
    match (path.property, path.component) {
        (Property::Rotation, Component::Whole) | (Property::Scale | Property::Influence, _) => ValueMap::IDENTITY,
        (Property::Rotation | Property::FieldOfView | Property::Angle | Property::Phase, _) => {
            ValueMap::scale(1_f64.to_degrees())
        }
        (
            Property::Translation
            | Property::Low
            | Property::High
            | Property::Amplitude
            | Property::Wavelength
            | Property::Radius,
            _,
        ) => ValueMap::scale(1.0 / unit.metres()),
        _ => ValueMap::IDENTITY,
    }
}

/// The unit of a channel's displayed values; empty where there is none.
pub(in crate::ui) const fn unit_name(path: ChannelPath, unit: LengthUnit) -> &'static str {
    match (path.property, path.component) {
        (Property::Rotation, Component::Whole) | (Property::Scale | Property::Influence, _) => "",
        (Property::Rotation | Property::FieldOfView | Property::Angle | Property::Phase, _) => "°",
        // Metres, or parts of the path where it is tied to the length.
        (Property::Distance, _) => "",
        (Property::Speed, _) => "m/s",
        (Property::Acceleration, _) => "m/s²",
        (
            Property::Translation
            | Property::Low
            | Property::High
            | Property::Amplitude
            | Property::Wavelength
            | Property::Radius,
            _,
        ) => unit.symbol(),
        (Property::Intensity, _) => "cd",
        _ => "",
    }
}

/// A number with its unit: degrees stand close to it, all others after a gap.
pub(in crate::ui) fn with_unit(number: &str, unit: &str) -> String {
    let gap = if unit.is_empty() || unit.starts_with('°') { "" } else { "\u{a0}" };
    format!("{number}{gap}{unit}")
}

/// How the ruler of values counts and what it calls its unit: all units that are shown.
pub(super) fn ruler_unit(curves: &[GraphCurve], unit: LengthUnit) -> (Counting, String) {
    let mut names: Vec<&str> = Vec::new();
    for name in curves.iter().map(|curve| unit_name(curve.path, unit)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let counting = if names == ["°"] { Counting::Degrees } else { Counting::Decimal };
    names.retain(|name| !name.is_empty());
    (counting, names.join(" "))
}

/// Maps every curve onto -1..1 by its own least and greatest value.
pub(super) fn normalise(curves: &mut [GraphCurve]) {
    for curve in curves {
        let (low, high) = (curve.extent.low, curve.extent.high);
        let half = (high - low) / 2.0;
        if half.is_finite() {
            let scale = if half > 1e-12 { 1.0 / half } else { 1.0 };
            curve.map = ValueMap { scale, offset: -(low + half) * scale };
        }
    }
}
