//! Whole curves: cases B15 and B19, derived handles, extrapolation, degenerate curves, cursors.

use super::*;
use crate::model::{Extrapolation, Handle, Interpolation, Key, Keys, Scheme};

fn curve(points: &[(f64, f64)], interpolation: Interpolation) -> KeyedCurve {
    let keys = points.iter().map(|(t, v)| Key { interpolation, ..Key::new(*t, *v) });
    KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
}

fn with_handles(points: &[(f64, f64)], handle: Handle) -> KeyedCurve {
    let keys = points.iter().map(|(t, v)| Key { handle_in: handle, handle_out: handle, ..Key::new(*t, *v) });
    KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() }
}

fn extrapolated(mut curve: KeyedCurve, kind: Extrapolation) -> KeyedCurve {
    (curve.pre, curve.post) = (kind, kind);
    curve
}

fn at(curve: &KeyedCurve, time: f64) -> f64 {
    value(curve, time).unwrap()
}

fn slope(curve: &KeyedCurve, time: f64) -> f64 {
    value_and_slope(curve, time).unwrap().1
}

const HILLS: &[(f64, f64)] = &[(0.0, 0.0), (1.0, 3.0), (1.5, 2.0), (4.0, 2.0), (5.0, -1.0), (5.2, -4.0)];

/// A known fault (B15): handles longer than the gap must not make the curve run back in time.
#[test]
fn b15_long_handles_are_shortened_to_the_gap() {
    let mut keys = [Key::new(0.0, 0.0), Key::new(1.0, 1.0)];
    keys[0].handle_out = Handle::Free(1.5, 0.0);
    keys[1].handle_in = Handle::Free(-1.5, 0.0);
    let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
    for (time, wanted) in [(0.0, 0.0), (0.25, 0.029725), (0.5, 0.5), (0.75, 0.970275), (1.0, 1.0)] {
        assert!((at(&curve, time) - wanted).abs() < 1e-6, "{time}");
    }
    assert_eq!(handles_used(&curve, 0).unwrap().after, Some((1.0, 0.0)));
    assert_eq!(handles_used(&curve, 1).unwrap().before, Some((-1.0, 0.0)));
    assert_eq!(curve.keys.get(0).unwrap().handle_out, Handle::Free(1.5, 0.0));
}

#[test]
fn long_handles_keep_their_direction() {
    let mut keys = [Key::new(0.0, 0.0), Key::new(2.0, 1.0)];
    keys[0].handle_out = Handle::Aligned(4.0, 6.0);
    let curve = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
    assert_eq!(handles_used(&curve, 0).unwrap().after, Some((2.0, 3.0)));
}

/// A known fault (B19): without the correction for uneven times a neutral TCB key has a kink.
#[test]
fn b19_neutral_tcb_is_smooth_on_uneven_times() {
    let curve = curve(&[(0.0, 0.0), (1.0, 1.0), (4.0, 2.0)], Interpolation::Tcb);
    let before = segment(&curve, 0).unwrap().slope(1.0);
    let after = segment(&curve, 1).unwrap().slope(1.0);
    assert!((before - 0.5).abs() < 1e-14 && (after - 0.5).abs() < 1e-14, "{before} {after}");
}

#[test]
fn every_scheme_passes_through_its_keys_and_has_its_slope() {
    for interpolation in Interpolation::ALL {
        let curve = curve(HILLS, interpolation);
        for (time, wanted) in HILLS {
            assert_eq!(at(&curve, *time), *wanted, "{interpolation:?}");
        }
        for i in 1..520 {
            let time = f64::from(i) * 0.01 + 0.003;
            let h = 1e-6;
            let measured = (at(&curve, time + h) - at(&curve, time - h)) / (2.0 * h);
            assert!((slope(&curve, time) - measured).abs() < 1e-5, "{interpolation:?} at {time}");
        }
    }
}

/// Whatever is switched to, and back, and the other way round: keys keep every bit, and the curve runs through them.
#[test]
fn switching_schemes_leaves_the_keys_where_they_are() {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut part = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..20 {
        let mut time = -3.0;
        let keys = (0..9).map(|_| {
            time += 0.01 + 2.0 * part();
            let numbers = [part(), part(), part()].map(|n| 2.0 * n - 1.0);
            Key {
                tension: numbers[0],
                continuity: numbers[1],
                bias: numbers[2],
                slope_in: 9.0 * part(),
                slope_out: -9.0 * part(),
                handle_in: Handle::Free(-part(), part()),
                handle_out: Handle::Aligned(part(), -part()),
                ..Key::new(time, 1e3 * (part() - 0.5))
            }
        });
        let before = KeyedCurve { keys: keys.collect(), ..KeyedCurve::default() };
        for scheme in Scheme::ALL {
            for interpolation in Interpolation::ALL {
                let switched = before.keys.iter().map(|key| Key { interpolation, ..key });
                let curve = KeyedCurve { keys: switched.collect(), scheme, ..before.clone() };
                for (index, key) in before.keys.iter().enumerate() {
                    let off = (at(&curve, key.time) - key.value).abs() / (1.0 + key.value.abs());
                    assert!(off <= 1e-12, "{scheme:?} {interpolation:?} {index}: {off}");
                    // From the left too, but for what holds, and for what ends a part of 2^10 short (Penner).
                    let jumps = [Interpolation::Step, Interpolation::Expo, Interpolation::Elastic];
                    let holds = scheme == Scheme::PerKey && jumps.contains(&interpolation);
                    if let Some(before) = index.checked_sub(1).and_then(|i| segment(&curve, i)).filter(|_| !holds) {
                        let off = (before.value(key.time) - key.value).abs() / (1.0 + key.value.abs());
                        assert!(off <= 1e-9, "{scheme:?} {interpolation:?} into {index}: {off}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_straight_line_on_uneven_keys_stays_straight() {
    let line: Vec<(f64, f64)> = [0.0, 1.0, 4.0, 5.0, 5.001].iter().map(|t| (*t, 2.0 * t - 1.0)).collect();
    // What holds, and eases, which go from key to key each in its own way, draw no straight line.
    let rests = |i: &Interpolation| matches!(i, Interpolation::Step | Interpolation::Nearest) || i.is_ease();
    let curves = Interpolation::ALL.into_iter().filter(|i| !rests(i)).map(|i| match i {
        Interpolation::Bezier => with_handles(&line, Handle::Auto),
        Interpolation::Hermite => {
            let key = |(t, v): &(f64, f64)| Key { interpolation: i, slope_in: 2.0, slope_out: 2.0, ..Key::new(*t, *v) };
            KeyedCurve { keys: line.iter().map(key).collect(), ..KeyedCurve::default() }
        }
        other => curve(&line, other),
    });
    for curve in curves.chain([with_handles(&line, Handle::Vector)]) {
        for i in 0..=500 {
            let time = f64::from(i) * 0.01;
            assert!((at(&curve, time) - (2.0 * time - 1.0)).abs() < 1e-13);
            assert!((slope(&curve, time) - 2.0).abs() < 1e-11);
        }
    }
}

#[test]
fn auto_clamped_never_overshoots_and_auto_is_smooth() {
    let clamped = with_handles(HILLS, Handle::AutoClamped);
    for pair in HILLS.windows(2) {
        let (low, high) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
        for i in 0..=100 {
            let v = at(&clamped, pair[0].0 + (pair[1].0 - pair[0].0) * f64::from(i) / 100.0);
            assert!(v >= low - 1e-12 && v <= high + 1e-12);
        }
    }
    for curve in [clamped, with_handles(HILLS, Handle::Auto)] {
        for (index, (time, _)) in HILLS[1..HILLS.len() - 1].iter().enumerate() {
            let (into, out) = (segment(&curve, index).unwrap(), segment(&curve, index + 1).unwrap());
            assert!((into.slope(*time) - out.slope(*time)).abs() < 1e-12);
        }
    }
    // The top of the first hill is flat when clamped.
    assert_eq!(slope(&with_handles(HILLS, Handle::AutoClamped), 1.0), 0.0);
}

#[test]
fn vector_handles_point_at_the_neighbours() {
    let used = handles_used(&with_handles(HILLS, Handle::Vector), 2).unwrap();
    let (before, after) = (used.before.unwrap(), used.after.unwrap());
    assert!((before.0 + 0.5 / 3.0).abs() < 1e-15 && (before.1 - 1.0 / 3.0).abs() < 1e-15);
    assert!((after.0 - 2.5 / 3.0).abs() < 1e-15 && after.1.abs() < 1e-15);
    assert_eq!(handles_used(&with_handles(HILLS, Handle::Vector), 0).unwrap().before, None);
    assert_eq!(handles_used(&with_handles(HILLS, Handle::Vector), 9), None);
}

#[test]
fn extrapolation_goes_on_as_its_kind_says() {
    let hills = || curve(HILLS, Interpolation::Linear);
    let (length, rise) = (5.2, -4.0);
    let holds = extrapolated(hills(), Extrapolation::Constant);
    assert_eq!((at(&holds, -3.0), at(&holds, 9.0), slope(&holds, 9.0)), (0.0, -4.0, 0.0));
    let linear = extrapolated(hills(), Extrapolation::Linear);
    assert!((at(&linear, -2.0) + 6.0).abs() < 1e-12 && (slope(&linear, -2.0) - 3.0).abs() < 1e-12);
    assert!((at(&linear, 6.2) + 19.0).abs() < 1e-12);
    let cycle = extrapolated(hills(), Extrapolation::Cycle);
    let offset = extrapolated(hills(), Extrapolation::CycleOffset);
    let mirror = extrapolated(hills(), Extrapolation::Mirror);
    for i in 1..100 {
        let time = f64::from(i) * 0.0517;
        let inside = at(&cycle, time);
        for turn in [-3.0, -1.0, 1.0, 2.0, 40.0] {
            assert!((at(&cycle, time + turn * length) - inside).abs() < 1e-11);
            assert!((at(&offset, time + turn * length) - inside - turn * rise).abs() < 1e-11);
            assert!((slope(&offset, time + turn * length) - slope(&offset, time)).abs() < 1e-11);
        }
        assert!((at(&mirror, -time) - inside).abs() < 1e-11);
        assert!((at(&mirror, 2.0 * length - time) - inside).abs() < 1e-11);
        assert!((at(&mirror, 2.0 * length + time) - inside).abs() < 1e-11);
        assert!((slope(&mirror, -time) + slope(&mirror, time)).abs() < 1e-11);
    }
    assert_eq!(at(&cycle, length), -4.0);
}

#[test]
fn a_closed_loop_has_no_kink_at_its_seam() {
    let points = &[(0.0, 1.0), (0.7, 2.0), (1.1, -1.0), (2.0, 1.0)];
    let smooth = [
        curve(points, Interpolation::CatmullRom),
        curve(points, Interpolation::Tcb),
        with_handles(points, Handle::Auto),
        with_handles(points, Handle::AutoClamped),
    ];
    for curve in smooth {
        let open = slope(&curve, 0.0) - segment(&curve, 2).unwrap().slope(2.0);
        let closed = extrapolated(curve, Extrapolation::Cycle);
        let gap = slope(&closed, 0.0) - segment(&closed, 2).unwrap().slope(2.0);
        assert!(gap.abs() < 1e-12, "{gap}, {open} when open");
    }
    // Ends at different heights: only a cycle with offset closes.
    let ramp = &[(0.0, 0.0), (1.0, 3.0), (2.0, 4.0)];
    let end_gap = |kind| {
        let curve = extrapolated(curve(ramp, Interpolation::CatmullRom), kind);
        slope(&curve, 0.0) - segment(&curve, 1).unwrap().slope(2.0)
    };
    assert!(end_gap(Extrapolation::CycleOffset).abs() < 1e-12);
    assert!(end_gap(Extrapolation::Cycle).abs() > 1.0);
}

#[test]
fn curves_of_no_and_one_key_and_bad_times_are_defined() {
    let empty = KeyedCurve::default();
    assert_eq!((value(&empty, 0.0), value_and_slope(&empty, 0.0)), (None, None));
    for kind in Extrapolation::ALL {
        let one = extrapolated(curve(&[(2.0, 7.0)], Interpolation::Tcb), kind);
        for time in [-1e9, 2.0, 1e9] {
            assert_eq!(value_and_slope(&one, time), Some((7.0, 0.0)));
        }
        let two = extrapolated(with_handles(&[(0.0, 1.0), (1.0, 2.0)], Handle::Auto), kind);
        assert_eq!(value(&two, f64::NAN), None);
        for time in [-1e300, -1e18, 1e18, 1e300] {
            assert!(at(&two, time).is_finite(), "{kind:?}");
        }
        assert!(segment(&two, 1).is_none());
    }
}

#[test]
fn keys_far_out_or_hard_together_are_finite() {
    for (from, gap) in [(1e9, 1.0), (0.0, 1e-9), (1e9, 1e-6), (0.0, f64::MIN_POSITIVE), (0.0, 5e-324), (-1e300, 1e299)]
    {
        for interpolation in Interpolation::ALL {
            let points = [(from, 1.0), (from + gap, 2.0), (from + 2.0 * gap, 0.0)];
            let curve = curve(&points, interpolation);
            for time in [from, from + 0.5 * gap, from + gap, from + 1.7 * gap, from + 2.0 * gap] {
                let v = at(&curve, time);
                assert!(v.is_finite() && v.abs() < 10.0, "{interpolation:?} {from} {gap}: {v}");
            }
        }
    }
}

#[test]
fn vertical_handles_have_an_infinite_slope_and_no_line_beyond() {
    let mut keys = [Key::new(0.0, 0.0), Key::new(1.0, 1.0)];
    keys[0].handle_out = Handle::Free(0.0, 2.0);
    keys[1].handle_in = Handle::Free(0.0, 0.0);
    let curve =
        extrapolated(KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() }, Extrapolation::Linear);
    assert_eq!(slope(&curve, 0.0), f64::INFINITY);
    assert_eq!(at(&curve, -1.0), 0.0);
    // No length at all: the direction of the curve's next control point.
    let end = segment(&curve, 0).unwrap().slope(1.0);
    let measured = (1.0 - at(&curve, 1.0 - 1e-9)) / 1e-9;
    assert!((end - measured).abs() < 1e-3, "{end} {measured}");
    // Both at rest in the middle: time and value together.
    let mut keys = [Key::new(0.0, 0.0), Key::new(1.0, 1.0)];
    keys[0].handle_out = Handle::Free(1.0, 1.0);
    keys[1].handle_in = Handle::Free(-1.0, -1.0);
    let straight = KeyedCurve { keys: keys.into_iter().collect(), ..KeyedCurve::default() };
    assert!((slope(&straight, 0.5) - 1.0).abs() < 1e-9);
}

#[test]
fn cursors_change_nothing_in_any_order() {
    let points: Vec<(f64, f64)> = (0..1_500).map(|i| (f64::from(i) * 0.1, (f64::from(i) * 0.9).sin())).collect();
    let mut curve = with_handles(&points, Handle::Auto);
    curve.keys.update_in_place(|index, key| {
        (index % 3 == 0).then(|| Key { handle_out: Handle::Free(0.02 + 0.1 * key.value.abs(), 0.3), ..*key })
    });
    let curve = extrapolated(curve, Extrapolation::Mirror);
    let mut cursor = Cursor::default();
    let times = (-900..5_000).map(|i| f64::from(i) * 0.037);
    for time in times.clone().chain(times.clone().rev()).chain(times.map(|t| (t * 977.0) % 200.0)) {
        assert_eq!(value_with(&curve, time, &mut cursor), value(&curve, time));
        assert_eq!(value_and_slope_with(&curve, time, &mut cursor), value_and_slope(&curve, time));
    }
}

/// What a person can do to keys by accident: few, together, very near, very far; every interpolation and scheme stays finite,
/// and holds its keys' values.
#[test]
fn hostile_keys_give_finite_curves_under_every_interpolation_and_scheme() {
    let sets: [&[(f64, f64)]; 7] = [
        &[(1.0, 2.0)],
        &[(1.0, 2.0), (1.0, 5.0)],
        &[(0.0, 1.0), (1e-9, 2.0), (1.0, -3.0)],
        &[(0.0, 1.0), (1e9, 2.0), (1e9 + 1.0, 3.0)],
        &[(-1e9, 0.0), (0.0, 1e9), (1e-9, -1e9), (1e9, 0.0)],
        &[(0.0, 3.0), (1.0, 3.0), (2.0, 3.0)],
        &[(0.0, 1e300), (1.0, -1e300), (2.0, 1e300)],
    ];
    for set in sets {
        for interpolation in Interpolation::ALL {
            for scheme in Scheme::ALL {
                let key = |(time, value): &(f64, f64)| Key {
                    interpolation,
                    // Longer than any gap here but one, and steep.
                    handle_out: Handle::Free(5.0, 1e3),
                    handle_in: Handle::Free(-5.0, 1e3),
                    slope_in: 1e6,
                    slope_out: -1e6,
                    ..Key::new(*time, *value)
                };
                let (keys, _) = Keys::from_unsorted(set.iter().map(key).collect());
                let curve = KeyedCurve { keys, scheme, post: Extrapolation::Mirror, ..KeyedCurve::default() };
                let (first, last) = (curve.keys.first().unwrap(), curve.keys.last().unwrap());
                for key in curve.keys.iter() {
                    let found = value(&curve, key.time).unwrap();
                    assert!(
                        (found - key.value).abs() <= 1e-9 * key.value.abs().max(1.0),
                        "{interpolation:?} {scheme:?} {set:?}: {found}"
                    );
                }
                // Values as large as numbers go may overflow between the keys where a curve overshoots.
                if set.iter().any(|(_, value)| value.abs() > 1e100) {
                    continue;
                }
                for i in -20..=120 {
                    let time = (last.time - first.time).mul_add(f64::from(i) / 100.0, first.time);
                    let found = value(&curve, time);
                    assert!(
                        found.is_some_and(f64::is_finite),
                        "{interpolation:?} {scheme:?} {set:?} at {time}: {found:?}"
                    );
                }
            }
        }
    }
}

/// How smooth keys are: straight lines bend at their keys (C0), Catmull-Rom keeps the slope (C1), the natural spline the
/// acceleration too (C2), whatever the spacing.
#[test]
fn straight_lines_are_c0_catmull_rom_is_c1_and_the_natural_spline_is_c2() {
    let jumps = |interpolation, scheme| {
        let keys = [(0.0, 0.0), (1.0, 3.0), (1.5, -1.0), (4.0, 2.0)]
            .map(|(time, value)| Key { interpolation, ..Key::new(time, value) });
        let curve = KeyedCurve { keys: keys.into_iter().collect(), scheme, ..KeyedCurve::default() };
        let mut worst = [0.0_f64; 3];
        for index in 0..2 {
            let (before, after) = (segment(&curve, index).unwrap(), segment(&curve, index + 1).unwrap());
            let time = after.start();
            let bend = |of: &Segment, side: f64| {
                // From its own side.
                (of.slope(time + side * 1e-6) - of.slope(time)) / (side * 1e-6)
            };
            worst[0] = worst[0].max((before.value(time) - after.value(time)).abs());
            worst[1] = worst[1].max((before.slope(time) - after.slope(time)).abs());
            worst[2] = worst[2].max((bend(&before, -1.0) - bend(&after, 1.0)).abs());
        }
        worst
    };
    let [c0, c1, _] = jumps(Interpolation::Linear, Scheme::PerKey);
    assert!(c0 < 1e-12 && c1 > 1.0);
    let [c0, c1, c2] = jumps(Interpolation::CatmullRom, Scheme::PerKey);
    assert!(c0 < 1e-12 && c1 < 1e-12 && c2 > 1.0);
    let [c0, c1, c2] = jumps(Interpolation::Linear, Scheme::Natural);
    assert!(c0 < 1e-12 && c1 < 1e-9 && c2 < 1e-3, "{c0} {c1} {c2}");
}
