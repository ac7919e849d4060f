//! The list of documents that can be recovered, each with a picture of it.

use super::picture::picture_of;
use crate::{
    interact::view_state::ThemeChoice,
    io::journal::{self, Found, Recovered},
    render::scene::RenderScene,
    text::{fill, t},
    ui::{panel::ViewportPainter, theme::Colours},
};
use egui::{Align, Layout, Sense, Ui, vec2};
use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

/// Width of the window, points.
const WIDTH: f32 = 560.0;
/// Size of the picture, points.
const PICTURE: egui::Vec2 = vec2(WIDTH, 220.0);

/// A document that can be recovered.
#[derive(Debug)]
pub(in crate::app) struct Row {
    pub(super) found: Found,
    pub(super) recovered: Recovered,
    picture: Option<(ThemeChoice, Arc<RenderScene>)>,
}

impl Row {
    pub(super) fn new((found, recovered): (Found, Recovered)) -> Self {
        Self { found, recovered, picture: None }
    }
}

/// What the list was answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Answer {
    /// Open this one.
    Recover(usize),
    /// Drop this one.
    Discard(usize),
    /// Keep them all; do not ask again.
    Later,
}

/// The list.
#[derive(Debug)]
pub(in crate::app) struct RecoveryWindow {
    pub(super) rows: Vec<Row>,
    selected: usize,
}

impl RecoveryWindow {
    pub(super) const fn new(rows: Vec<Row>) -> Self {
        Self { rows, selected: 0 }
    }

    /// Keeps what is left for later: it is not offered at a start again.
    pub(super) fn put_off(&mut self) {
        for row in &mut self.rows {
            if let Err(error) = journal::mark_offered(&mut row.found) {
                log::warn!("{}", fill("recovery.not_kept", &[("error", &error)]));
            }
        }
    }

    pub(super) fn show(
        &mut self,
        ctx: &egui::Context,
        colours: &Colours,
        theme: ThemeChoice,
        painter: &mut dyn ViewportPainter,
    ) -> Option<Answer> {
        let mut answer = None;
        self.selected = self.selected.min(self.rows.len().saturating_sub(1));
        let modal = egui::Modal::new(egui::Id::unique("recovery")).show(ctx, |ui| {
            ui.set_width(WIDTH);
            ui.heading(t("recovery.title").into_owned());
            ui.weak(t("recovery.hint").into_owned());
            ui.add_space(8.0);
            if let Some(row) = self.rows.get_mut(self.selected) {
                picture(ui, row, theme, painter);
            }
            ui.add_space(8.0);
            egui::ScrollArea::vertical().max_height(180.0).min_scrolled_height(180.0).show(ui, |ui| {
                for index in 0..self.rows.len() {
                    self.row(ui, colours, index, &mut answer);
                }
            });
            ui.add_space(8.0);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let later = ui.button(t("recovery.later").into_owned());
                if later.on_hover_text(t("recovery.later_hint").into_owned()).clicked() {
                    answer = Some(Answer::Later);
                }
            });
        });
        if modal.backdrop_response.clicked() {
            // A click beside the list decides nothing.
            return answer;
        }
        answer.or_else(|| modal.should_close().then_some(Answer::Later))
    }

    fn row(&mut self, ui: &mut Ui, colours: &Colours, index: usize, answer: &mut Option<Answer>) {
        let Some(row) = self.rows.get(index) else { return };
        ui.horizontal(|ui| {
            let name = &row.found.about.name;
            if ui.selectable_label(self.selected == index, name).clicked() {
                self.selected = index;
            }
            let told = [("ago", &ago(row.recovered.time) as &dyn std::fmt::Display), ("steps", &row.recovered.steps)];
            ui.colored_label(colours.weak, fill("recovery.row", &told));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button(t("recovery.recover").into_owned()).clicked() {
                    *answer = Some(Answer::Recover(index));
                }
                if ui.button(t("recovery.discard").into_owned()).clicked() {
                    *answer = Some(Answer::Discard(index));
                }
            });
        });
        if let Some(path) = &row.found.about.path {
            ui.weak(path.display().to_string());
        }
    }
}

fn picture(ui: &mut Ui, row: &mut Row, theme: ThemeChoice, painter: &mut dyn ViewportPainter) {
    let (rect, _) = ui.allocate_exact_size(PICTURE, Sense::hover());
    if row.picture.as_ref().is_none_or(|(drawn, _)| *drawn != theme) {
        let size = [f64::from(PICTURE.x), f64::from(PICTURE.y)];
        row.picture = Some((theme, Arc::new(picture_of(&row.recovered.document, theme, size))));
    }
    if let Some((_, scene)) = &row.picture {
        painter.paint(&ui.painter_at(rect), rect, scene.clone());
    }
}

/// How long ago something was, in words.
fn ago(time: SystemTime) -> String {
    let past = time.elapsed().unwrap_or(Duration::ZERO).as_secs();
    let (key, count) = match past {
        0..60 => ("recovery.seconds", past),
        60..3_600 => ("recovery.minutes", past / 60),
        3_600..86_400 => ("recovery.hours", past / 3_600),
        _ => ("recovery.days", past / 86_400),
    };
    fill(key, &[("count", &count)])
}
