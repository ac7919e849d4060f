//! The arc-length lab: what a table of chords gives beside the exact length, Newton's search step by step, dots at equal
//! parameters beside dots at equal distances, and why a mean of speeds is no mean speed.

mod chords;
mod dots;
mod lesson;
mod search;

use crate::{
    math::{
        Vec3,
        path::{Cubic3, MeasuredPath},
    },
    model::{ObjectId, Target},
    text::{fill, t},
    ui::{
        panel::{Panel, PanelContext},
        widgets::lab_section,
    },
};
use egui::Ui;

/// The lab.
#[derive(Debug)]
pub struct ArcLabPanel {
    /// How many ways the dots divide the path in.
    dots: u32,
    search: search::Search,
    lesson: lesson::Lesson,
}

impl Default for ArcLabPanel {
    fn default() -> Self {
        Self { dots: 12, search: search::Search::default(), lesson: lesson::Lesson::default() }
    }
}

/// The path that is looked at.
struct Subject {
    /// The path object; none for the lab's own.
    object: Option<ObjectId>,
    name: String,
    curve: MeasuredPath,
}

/// The lab's own path, where the document has none: slow at its ends, fast in its middle.
const OWN: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.1, 1.2, 0.0], [1.9, -1.2, 0.0], [2.0, 0.0, 0.0]];

/// The selected path, else the first, else the lab's own.
fn subject(ctx: &PanelContext<'_>) -> Subject {
    let selected = ctx.selection.active.into_iter().chain(ctx.selection.targets.iter().copied()).map(Target::object);
    let all = selected.chain(ctx.document.objects.keys().copied());
    let found = all.into_iter().find_map(|id| {
        let path = ctx.frame.path(id).filter(|path| !path.curve.segments().is_empty())?;
        Some(Subject { object: Some(id), name: ctx.document.object(id)?.name.clone(), curve: path.curve.clone() })
    });
    found.unwrap_or_else(|| {
        let own = Cubic3::from_bezier(OWN.map(Vec3::from));
        let curve = MeasuredPath::within(vec![own], 1e-12);
        Subject { object: None, name: t("arc_lab.own").into_owned(), curve }
    })
}

impl Panel for ArcLabPanel {
    fn ui(&mut self, ui: &mut Ui, ctx: &mut PanelContext<'_>) {
        let subject = subject(ctx);
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let length = format!("{:.6}", subject.curve.length());
            ui.weak(fill("arc_lab.of", &[("name", &subject.name), ("length", &length)]));
            if ui.available_width() < TWO_COLUMNS_PT {
                self.lengths(ui, ctx, &subject);
                self.places(ui, ctx, &subject);
                return;
            }
            ui.columns(2, |columns| {
                if let [left, right] = columns {
                    self.lengths(left, ctx, &subject);
                    self.places(right, ctx, &subject);
                }
            });
        });
    }
}

/// From this width on the lab stands in two columns, points.
const TWO_COLUMNS_PT: f32 = 620.0;

impl ArcLabPanel {
    fn lengths(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject) {
        lab_section(ui, "arc_lab.chords", |ui| chords::show(ui, ctx, &subject.curve));
        lab_section(ui, "arc_lab.lesson", |ui| self.lesson.show(ui, ctx));
    }

    fn places(&mut self, ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject) {
        lab_section(ui, "arc_lab.search", |ui| self.search.show(ui, ctx, &subject.curve));
        lab_section(ui, "arc_lab.dots", |ui| dots::show(ui, ctx, subject, &mut self.dots));
    }
}
