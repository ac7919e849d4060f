//! The window onto a plot: which times and values are seen, and where on the panel they lie.
//!
//! Times are seconds, values are what the eye reads (degrees, the document's length unit): a [`ValueMap`] leads there from
//! a channel's own numbers. Everything is `f64` and relative to the window's corner before it becomes a place on the
//! panel, so that a curve at 1e9 s is drawn as steadily as one at 0 s.

/// The shortest window over time, seconds; also never shorter than the precision of its times allows.
const MIN_TIME_SPAN: f64 = 1e-10;
/// The least height of the window in displayed units.
const MIN_VALUE_SPAN: f64 = 1e-9;
/// The longest and the highest window.
const MAX_SPAN: f64 = 1e15;
/// A span is at least this part of the largest coordinate in it: some 4,000 steps of an `f64`.
const RELATIVE_SPAN: f64 = 1e-12;
/// Coordinates beyond this are pulled back to it.
const MAX_COORDINATE: f64 = 1e18;

/// An interval of one axis, `low < high`, both finite: never empty however it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// The interval between two numbers in any order, widened about its middle to at least `least` and narrowed to at most
    /// `1e15`. A NaN counts as 0.
    #[must_use]
    fn new(a: f64, b: f64, least: f64) -> Self {
        let bounded = |v: f64| if v.is_nan() { 0.0 } else { v.clamp(-MAX_COORDINATE, MAX_COORDINATE) };
        let (a, b) = (bounded(a), bounded(b));
        let (low, high) = (a.min(b), a.max(b));
        let least = least.max(RELATIVE_SPAN * low.abs().max(high.abs()));
        let length = high - low;
        if length >= least && length <= MAX_SPAN.max(least) {
            return Self { low, high };
        }
        let middle = low + length / 2.0;
        let half = length.clamp(least, MAX_SPAN.max(least)) / 2.0;
        Self { low: middle - half, high: middle + half }
    }

    /// An interval of seconds.
    #[must_use]
    pub fn of_secs(a: f64, b: f64) -> Self {
        Self::new(a, b, MIN_TIME_SPAN)
    }

    /// An interval of displayed values.
    #[must_use]
    pub fn of_values(a: f64, b: f64) -> Self {
        Self::new(a, b, MIN_VALUE_SPAN)
    }

    /// The lower end.
    #[must_use]
    pub const fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    #[must_use]
    pub const fn high(self) -> f64 {
        self.high
    }

    /// The length, above 0.
    #[must_use]
    pub fn length(self) -> f64 {
        self.high - self.low
    }

    /// The middle.
    #[must_use]
    pub fn middle(self) -> f64 {
        self.low + self.length() / 2.0
    }

    /// Whether a number lies inside, ends included.
    #[must_use]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The ends after a zoom that leaves `fixed` where it is; `factor` above 1 comes nearer, as near as `least` allows and
    /// as far as any span may be: mended afterwards, a span too short or too long would leave `fixed`.
    fn zoomed(self, fixed: f64, factor: f64, least: f64) -> (f64, f64) {
        let factor = if factor.is_finite() { factor.clamp(1e-6, 1e6) } else { 1.0 };
        // A little more than must be, so that rounding does not make it too short.
        let least = least.max(1.01 * RELATIVE_SPAN * self.low.abs().max(self.high.abs()));
        let factor = self.length() / (self.length() / factor).max(least).min(MAX_SPAN);
        (fixed + (self.low - fixed) / factor, fixed + (self.high - fixed) / factor)
    }
}

/// The smallest rectangle around what should be seen: seconds and displayed values. Starts empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Earliest and latest time, seconds.
    pub secs: (f64, f64),
    /// Least and greatest displayed value.
    pub values: (f64, f64),
}

impl Bounds {
    /// Around nothing.
    pub const EMPTY: Self =
        Self { secs: (f64::INFINITY, f64::NEG_INFINITY), values: (f64::INFINITY, f64::NEG_INFINITY) };

    /// Grows to hold a point; points that are not finite are passed over.
    pub fn add(&mut self, secs: f64, value: f64) {
        if secs.is_finite() && value.is_finite() {
            self.secs = (self.secs.0.min(secs), self.secs.1.max(secs));
            self.values = (self.values.0.min(value), self.values.1.max(value));
        }
    }

    /// Whether nothing has been added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.secs.0 > self.secs.1
    }
}

/// What part of the plot is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotRange {
    /// The seconds seen, left to right.
    pub secs: Span,
    /// The displayed values seen, bottom to top.
    pub values: Span,
}

impl Default for PlotRange {
    /// The first two seconds, values around 0.
    fn default() -> Self {
        Self::new((0.0, 2.0), (-1.0, 1.0))
    }
}

impl PlotRange {
    /// A window; ends in any order, empty or endless ones are mended.
    #[must_use]
    pub fn new(secs: (f64, f64), values: (f64, f64)) -> Self {
        Self { secs: Span::of_secs(secs.0, secs.1), values: Span::of_values(values.0, values.1) }
    }

    /// The window that shows all of the bounds with a margin, as a part of the length, on every side. Where the bounds are
    /// flat they lie in the middle of a window of one unit (and of one second); where they are empty, the window shows
    /// `otherwise` (seconds) about the value 0.
    #[must_use]
    pub fn fit(bounds: &Bounds, otherwise: (f64, f64), margin: f64) -> Self {
        let widened = |(low, high): (f64, f64)| {
            let length = high - low;
            let pad = if length > RELATIVE_SPAN * low.abs().max(high.abs()) {
                length * margin
            } else {
                0.5_f64.max(1e-6 * low.abs())
            };
            (low - pad, high + pad)
        };
        if bounds.is_empty() {
            return Self::new(widened(otherwise), (-1.0, 1.0));
        }
        Self::new(widened(bounds.secs), widened(bounds.values))
    }
}

/// How a channel's own numbers are shown: `shown = own * scale + offset`, scale not 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueMap {
    /// Displayed units in one unit of the channel.
    pub scale: f64,
    /// The displayed value of the channel's 0.
    pub offset: f64,
}

impl ValueMap {
    /// The channel's own numbers.
    pub const IDENTITY: Self = Self { scale: 1.0, offset: 0.0 };

    /// A pure change of unit.
    #[must_use]
    pub const fn scale(scale: f64) -> Self {
        Self { scale, offset: 0.0 }
    }

    /// The displayed value of the channel's own.
    #[must_use]
    pub fn shown(self, own: f64) -> f64 {
        own.mul_add(self.scale, self.offset)
    }

    /// The channel's own value of a displayed one.
    #[must_use]
    pub fn own(self, shown: f64) -> f64 {
        (shown - self.offset) / self.scale
    }
}

/// A rectangle of the panel, points, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotRect {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Width, above 0.
    pub width: f64,
    /// Height, above 0.
    pub height: f64,
}

impl PlotRect {
    /// A rectangle; sizes below one point count as one.
    #[must_use]
    pub fn new(left: f64, top: f64, width: f64, height: f64) -> Self {
        Self { left, top, width: width.max(1.0), height: height.max(1.0) }
    }

    /// The right edge.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// The lower edge.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Whether a point lies inside, edges included.
    #[must_use]
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        (self.left..=self.right()).contains(&x) && (self.top..=self.bottom()).contains(&y)
    }
}

/// Which axes a zoom changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Time and values.
    Both,
    /// Time only.
    Time,
    /// Values only.
    Value,
}

/// A window laid on a rectangle of the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotView {
    /// What is seen.
    pub range: PlotRange,
    /// Where.
    pub rect: PlotRect,
}

impl PlotView {
    /// A window on a rectangle.
    #[must_use]
    pub const fn new(range: PlotRange, rect: PlotRect) -> Self {
        Self { range, rect }
    }

    /// Where a time lies, points.
    #[must_use]
    pub fn x(&self, secs: f64) -> f64 {
        (secs - self.range.secs.low) / self.secs_per_point() + self.rect.left
    }

    /// Where a displayed value lies, points, y down.
    #[must_use]
    pub fn y(&self, shown: f64) -> f64 {
        (self.range.values.high - shown) / self.value_per_point() + self.rect.top
    }

    /// The time at a place, seconds.
    #[must_use]
    pub fn secs_at(&self, x: f64) -> f64 {
        (x - self.rect.left).mul_add(self.secs_per_point(), self.range.secs.low)
    }

    /// The displayed value at a place.
    #[must_use]
    pub fn value_at(&self, y: f64) -> f64 {
        (self.rect.top - y).mul_add(self.value_per_point(), self.range.values.high)
    }

    /// Seconds in one point.
    #[must_use]
    pub fn secs_per_point(&self) -> f64 {
        self.range.secs.length() / self.rect.width
    }

    /// Displayed units in one point.
    #[must_use]
    pub fn value_per_point(&self) -> f64 {
        self.range.values.length() / self.rect.height
    }

    /// The window after the paper under it was pulled by so many points.
    #[must_use]
    pub fn panned(&self, [dx, dy]: [f64; 2]) -> PlotRange {
        let (secs, value) = (-dx * self.secs_per_point(), dy * self.value_per_point());
        let (s, v) = (self.range.secs, self.range.values);
        PlotRange::new((s.low + secs, s.high + secs), (v.low + value, v.high + value))
    }

    /// The window after a zoom that leaves what is under a place there; a factor above 1 comes nearer.
    #[must_use]
    pub fn zoomed(&self, [x, y]: [f64; 2], factor: f64, axes: Axes) -> PlotRange {
        let both = self.zoomed_each([x, y], [factor, factor]);
        match axes {
            Axes::Both => both,
            Axes::Time => PlotRange { values: self.range.values, ..both },
            Axes::Value => PlotRange { secs: self.range.secs, ..both },
        }
    }

    /// The window after a zoom about a place with a factor for each axis.
    #[must_use]
    pub fn zoomed_each(&self, [x, y]: [f64; 2], [fx, fy]: [f64; 2]) -> PlotRange {
        PlotRange::new(
            self.range.secs.zoomed(self.secs_at(x), fx, MIN_TIME_SPAN),
            self.range.values.zoomed(self.value_at(y), fy, MIN_VALUE_SPAN),
        )
    }

    /// The window moved so that a time is seen, in the middle if it was outside.
    #[must_use]
    pub fn centred_on_secs(&self, secs: f64) -> PlotRange {
        let half = self.range.secs.length() / 2.0;
        PlotRange { secs: Span::of_secs(secs - half, secs + half), ..self.range }
    }

    /// As much of the values as now, about one of them.
    #[must_use]
    pub fn centred_on_value(&self, value: f64) -> PlotRange {
        let half = self.range.values.length() / 2.0;
        PlotRange { values: Span::of_values(value - half, value + half), ..self.range }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: PlotRect = PlotRect { left: 40.0, top: 20.0, width: 800.0, height: 300.0 };

    fn view(secs: (f64, f64), values: (f64, f64)) -> PlotView {
        PlotView::new(PlotRange::new(secs, values), RECT)
    }

    #[test]
    fn places_and_plot_coordinates_are_inverse() {
        let view = view((-3.0, 7.0), (-90.0, 270.0));
        for (secs, value) in [(-3.0, -90.0), (0.0, 0.0), (6.5, 123.0), (7.0, 270.0)] {
            assert!((view.secs_at(view.x(secs)) - secs).abs() < 1e-12);
            assert!((view.value_at(view.y(value)) - value).abs() < 1e-10);
        }
        assert!((view.x(-3.0) - 40.0).abs() < 1e-12 && (view.y(270.0) - 20.0).abs() < 1e-12);
        assert!((view.x(7.0) - 840.0).abs() < 1e-9 && (view.y(-90.0) - 320.0).abs() < 1e-9);
    }

    #[test]
    fn zoom_keeps_what_is_under_the_cursor() {
        let before = view((0.0, 4.0), (-1.0, 1.0));
        let at = [333.0, 71.0];
        for axes in [Axes::Both, Axes::Time, Axes::Value] {
            let after = PlotView::new(before.zoomed(at, 1.7, axes), RECT);
            assert!((after.secs_at(at[0]) - before.secs_at(at[0])).abs() < 1e-12);
            assert!((after.value_at(at[1]) - before.value_at(at[1])).abs() < 1e-12);
            assert_eq!(axes == Axes::Value, after.range.secs == before.range.secs);
            assert_eq!(axes == Axes::Time, after.range.values == before.range.values);
        }
    }

    /// Turned on and on at its limits the wheel leaves the window about the pointer, and back again.
    #[test]
    fn the_limits_of_zoom_do_not_let_it_drift() {
        let at = [333.0, 71.0];
        let start = view((0.0, 4.0), (-1.0, 1.0));
        let mut turned = start;
        for factor in [1.5, 1.0 / 1.5] {
            for _ in 0..500 {
                turned.range = turned.zoomed(at, factor, Axes::Both);
            }
            let off = (turned.secs_at(at[0]) - start.secs_at(at[0])).abs() / turned.range.secs.length();
            assert!(off < 1e-3, "{turned:?}");
            let off = (turned.value_at(at[1]) - start.value_at(at[1])).abs() / turned.range.values.length();
            assert!(off < 1e-3, "{turned:?}");
            assert!(turned.range.secs.length() <= 1.01 * MAX_SPAN && turned.range.values.length() <= 1.01 * MAX_SPAN);
        }
    }

    #[test]
    fn zooming_to_the_extremes_stays_finite() {
        for start in [view((0.0, 2.0), (-1.0, 1.0)), view((1e9, 1e9 + 1.0), (-1e7, -1e7 + 1.0))] {
            for factor in [1.3, 1.0 / 1.3, 1e300, 0.0, f64::NAN, f64::INFINITY] {
                let mut view = start;
                for _ in 0..1_000 {
                    view.range = view.zoomed([400.0, 100.0], factor, Axes::Both);
                    for span in [view.range.secs, view.range.values] {
                        assert!(span.low.is_finite() && span.high.is_finite() && span.low < span.high, "{view:?}");
                    }
                    assert!(view.x(1.0).is_finite() && view.y(1.0).is_finite());
                }
                view.range = view.panned([f64::NAN, 1e300]);
                assert!(view.range.secs.length() > 0.0 && view.range.values.length() > 0.0);
            }
        }
    }

    #[test]
    fn panning_moves_the_paper_with_the_pointer() {
        let before = view((0.0, 4.0), (-1.0, 1.0));
        let after = PlotView::new(before.panned([100.0, -30.0]), RECT);
        assert!((after.x(1.0) - before.x(1.0) - 100.0).abs() < 1e-9);
        assert!((after.y(0.5) - before.y(0.5) + 30.0).abs() < 1e-9);
    }

    /// Case B18: a flat curve, one key and no key all give a window of finite, non-zero size around what is there.
    #[test]
    fn b18_a_flat_curve_one_key_or_none_can_be_framed() {
        let mut flat = Bounds::EMPTY;
        flat.add(0.0, 2.0);
        flat.add(10.0, 2.0);
        let range = PlotRange::fit(&flat, (0.0, 2.0), 0.1);
        assert!((range.values.middle() - 2.0).abs() < 1e-12);
        assert!((range.values.length() - 1.0).abs() < 1e-12);
        assert!(range.secs.low() < 0.0 && range.secs.high() > 10.0);

        let mut one = Bounds::EMPTY;
        one.add(3.0, -1e12);
        let range = PlotRange::fit(&one, (0.0, 2.0), 0.1);
        assert!((range.secs.middle() - 3.0).abs() < 1e-12 && (range.secs.length() - 1.0).abs() < 1e-12);
        assert!(range.values.contains(-1e12) && range.values.length() >= 1.0);

        let range = PlotRange::fit(&Bounds::EMPTY, (1.0, 5.0), 0.1);
        assert!(range.secs.contains(1.0) && range.secs.contains(5.0) && range.values.contains(0.0));
    }

    #[test]
    fn bounds_pass_over_what_is_not_finite() {
        let mut bounds = Bounds::EMPTY;
        bounds.add(f64::NAN, 1.0);
        bounds.add(1.0, f64::INFINITY);
        assert!(bounds.is_empty());
        bounds.add(1.0, 1.0);
        assert!(!bounds.is_empty());
    }
}
