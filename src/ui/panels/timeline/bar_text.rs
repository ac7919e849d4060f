//! What is written on a bar of the timeline, or beside it: whole where there is room anywhere, never cut within a number.

use egui::{Color32, Painter, Rangef, TextStyle, Ui, pos2};

/// Points between a text and what it stands in or beside.
pub(super) const BESIDE: f32 = 6.0;
/// Not even a letter and the dots of what is left out have room in less.
const LEAST: f32 = 20.0;

/// The first of some texts, the fullest first, that has room whole in one of some places, and where it begins; `widths` are
/// theirs.
fn fitting(widths: &[f32], places: &[Rangef]) -> Option<(usize, f32)> {
    let fits = |width: f32| places.iter().find(|place| place.span() >= width).map(|place| place.min);
    widths.iter().enumerate().find_map(|(at, width)| Some((at, fits(*width)?)))
}

/// Writes the fullest of some texts that has room in one of some places, which are tried in order; where none has, as much
/// of the last, which is a name, as the widest place takes.
pub(super) fn write(
    (ui, painter): (&Ui, &Painter),
    (texts, colour): (Vec<String>, Color32),
    places: &[Rangef],
    middle: f32,
) {
    let font = TextStyle::Small.resolve(ui.style());
    let galleys: Vec<_> = texts.iter().map(|text| painter.layout_no_wrap(text.clone(), font.clone(), colour)).collect();
    let widths: Vec<f32> = galleys.iter().map(|galley| galley.size().x).collect();
    if let Some((at, x)) = fitting(&widths, places)
        && let Some(galley) = galleys.get(at)
    {
        painter.galley(pos2(x, middle - galley.size().y / 2.0), galley.clone(), colour);
        return;
    }
    let widest = places.iter().copied().reduce(|a, b| if b.span() > a.span() { b } else { a });
    let (Some(place), Some(name)) = (widest.filter(|place| place.span() > LEAST), texts.last()) else { return };
    let mut job = egui::text::LayoutJob::simple_singleline(name.clone(), font, colour);
    job.wrap = egui::text::TextWrapping::truncate_at_width(place.span());
    let galley = painter.layout_job(job);
    painter.galley(pos2(place.min, middle - galley.size().y / 2.0), galley, colour);
}

/// Where between the other bars of a row a bar's own text may stand: it has two ends, as each of `others`.
pub(super) fn free_beside([start, end]: [f32; 2], row: Rangef, others: impl Iterator<Item = [f32; 2]>) -> Rangef {
    others.fold(row, |free, [from, to]| {
        if from >= end - 0.5 {
            Rangef::new(free.min, free.max.min(from - 4.0))
        } else if to <= start + 0.5 {
            Rangef::new(free.min.max(to + 4.0), free.max)
        } else {
            free
        }
    })
}

/// The places of a bar's text: behind the last of its marks, before the first, else behind the bar as far as is free. What
/// is out of the row is not seen.
pub(super) fn places([start, end]: [f32; 2], free: Rangef, marks: &[f32]) -> Vec<Rangef> {
    let within = Rangef::new(start.max(free.min) + BESIDE, end.min(free.max) - BESIDE);
    let behind = Rangef::new(end.max(free.min) + BESIDE, free.max);
    match (marks.first(), marks.last()) {
        (Some(first), Some(last)) => {
            let after = Rangef::new(within.min.max(last + BESIDE), within.max);
            let before = Rangef::new(within.min, within.max.min(first - BESIDE));
            vec![after, before, behind]
        }
        _ => vec![within, behind],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Rangef = Rangef { min: 8.0, max: 1272.0 };

    #[test]
    fn texts_stand_between_the_other_bars_of_their_row() {
        let [one, two] = [[100.0, 160.0], [160.0, 220.0]];
        let free = free_beside(one, ROW, [one, two].into_iter());
        assert_eq!(free, Rangef::new(8.0, 156.0));
        assert_eq!(free_beside(two, ROW, [one, two].into_iter()), Rangef::new(164.0, 1272.0));
        let place = |width: f32, places: &[Rangef]| fitting(&[width], places).map(|(_, x)| x);
        // Behind the mark, else before it; between two bars nowhere else.
        assert_eq!(place(14.0, &places(one, free, &[130.0])), Some(136.0));
        assert_eq!(place(20.0, &places(one, free, &[130.0])), None);
        assert_eq!(place(28.0, &places(one, free, &[140.0])), Some(106.0));
        // Alone it stands behind its bar.
        assert_eq!(place(80.0, &places(one, ROW, &[130.0])), Some(166.0));
        assert_eq!(place(40.0, &places(one, ROW, &[])), Some(106.0));
        // What lies before the row is not seen, nor what lies behind it.
        assert_eq!(place(30.0, &places([-20.0, 100.0], ROW, &[40.0])), Some(46.0));
        assert_eq!(place(30.0, &places([-90.0, -20.0], ROW, &[-40.0])), Some(14.0));
        assert_eq!(place(20.0, &places([1240.0, 1300.0], ROW, &[1290.0])), Some(1246.0));
        assert_eq!(place(300.0, &places([1240.0, 1300.0], ROW, &[1290.0])), None);
    }

    #[test]
    fn less_is_said_before_a_number_is_cut() {
        let places = [Rangef::new(0.0, 50.0), Rangef::new(60.0, 160.0)];
        assert_eq!(fitting(&[120.0, 90.0, 30.0], &places), Some((1, 60.0)));
        assert_eq!(fitting(&[120.0, 30.0], &places), Some((1, 0.0)));
        assert_eq!(fitting(&[120.0], &places), None);
        assert_eq!(fitting(&[], &places), None);
        assert_eq!(fitting(&[1.0], &[Rangef::new(5.0, 3.0)]), None);
    }
}
