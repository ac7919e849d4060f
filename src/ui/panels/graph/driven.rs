//! Drivers in the graph: the same tools on curves that run over another channel's value instead of time.
//!
//! The graph is shown a document in which a "second" is one of the source's own units and a "frame" one of those shown (a
//! degree, a length unit, one): so its rulers, its snapping and its number fields serve as they are. The curves are named as
//! of the clip [`ClipId::DRIVERS`].

use super::channels::{ChannelState, Listing, full_name, unit_map, unit_name};
use crate::{
    edit::drivers::shown_value,
    interact::view_state::{SnapOptions, ViewState},
    model::{ChannelPath, Clip, ClipId, Document, Driver, FrameRange, FrameRate, LengthUnit, Property, Settings},
    ui::{panel::PanelContext, subject},
};
use std::sync::Arc;

/// What the graph is shown in place of the document and the view.
pub(super) struct Lens {
    pub(super) document: Arc<Document>,
    pub(super) view: ViewState,
}

/// The drivers of the selection (of all where nothing is selected), in the order of their channels.
fn drivers(ctx: &PanelContext<'_>) -> Vec<Arc<Driver>> {
    let nothing = Clip::new("", FrameRange::new(0, 0));
    let all = ctx.document.objects.values().flat_map(|object| &object.drivers);
    let mut found: Vec<Arc<Driver>> =
        all.filter(|driver| subject::concerns(ctx.selection, &nothing, driver.driven)).cloned().collect();
    found.sort_by_key(|driver| driver.driven);
    found
}

/// The driver whose source measures the plot: that of the active channel, else the first.
fn measuring(ctx: &PanelContext<'_>, state: &ChannelState) -> Option<Arc<Driver>> {
    let found = drivers(ctx);
    let active = found.iter().find(|driver| Some(driver.driven) == state.active);
    active.or_else(|| found.first()).cloned()
}

/// How many of the units shown there are in one of a channel's own, as a rate; within 1e-11.
fn rate_of(path: ChannelPath, unit: LengthUnit) -> FrameRate {
    let scale = unit_map(path, unit).shown(1.0);
    /// Decimals kept of what is no whole number.
    const PARTS: u64 = 1_000_000_000_000;
    let whole = (scale - scale.round()).abs() < 1e-12;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most some hundreds")]
    let rate = if whole {
        FrameRate::new(scale.round() as u64, 1)
    } else {
        FrameRate::new((scale * PARTS as f64).round() as u64, PARTS)
    };
    rate.unwrap_or_default()
}

impl Lens {
    pub(super) fn new(ctx: &PanelContext<'_>, state: &ChannelState) -> Self {
        let measuring = measuring(ctx, state);
        let unit = ctx.document.settings.length_unit;
        let mut view = ctx.view.clone();
        let mut settings: Settings = (*ctx.document.settings).clone();
        if let Some(driver) = measuring {
            settings.rate = rate_of(driver.source, unit);
            view.secs = shown_value(ctx.document, driver.source, ctx.view.secs).unwrap_or(0.0);
            let span = driver.curve.span().unwrap_or((0.0, 0.0));
            let rate = settings.rate;
            settings.play_range = FrameRange::new(rate.nearest_frame(span.0), rate.nearest_frame(span.1));
            let coarse = !matches!(driver.source.property, Property::Rotation | Property::FieldOfView);
            view.snap = SnapOptions { frames: view.snap.frames && !coarse, ..view.snap };
        }
        settings.clip = None;
        let document = Document { settings: Arc::new(settings), clips: Arc::default(), ..(**ctx.document).clone() };
        Self { document: Arc::new(document), view }
    }
}

/// The drivers' curves as channels; none of another unit than that of the plot.
pub(super) fn listing(ctx: &PanelContext<'_>, state: &ChannelState) -> Option<Listing> {
    let unit = ctx.document.settings.length_unit;
    let word = |path| unit_name(path, unit);
    let of = word(measuring(ctx, state)?.source);
    let same = drivers(ctx).into_iter().filter(|driver| word(driver.source) == of);
    Some(Listing {
        clip: ClipId::DRIVERS,
        channels: same.map(|driver| (driver.driven, driver.curve.clone())).collect(),
    })
}

/// What runs along the plot: the source's name and its unit.
pub(super) fn axis(ctx: &PanelContext<'_>, state: &ChannelState) -> Option<(String, &'static str)> {
    let driver = measuring(ctx, state)?;
    Some((full_name(ctx.document, driver.source), unit_name(driver.source, ctx.document.settings.length_unit)))
}
