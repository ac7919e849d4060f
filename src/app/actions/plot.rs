//! The graph's curves as a picture or a table: how they are to look, then which file.

use super::files::failed;
use crate::{
    app::{questions::Question, window::App},
    command::PlotTo,
    io::{
        file,
        plot::{PlotError, PlotRequest, Sheet, Style, TimeAxis, csv, of_channels, png, svg},
    },
    model::{ChannelPath, ClipId, Document},
    notice::Notice,
    text::{fill, t},
    ui::widgets::{
        modal::{Answer, question},
        set_name,
    },
};
use egui::{TextEdit, Ui};
use std::path::Path;

/// What is to be plotted, and how.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct PlotChoice {
    request: PlotRequest,
    print: bool,
    /// Width and height, millimetres, as typed.
    size: [String; 2],
    /// Only the play range, not the whole clip.
    play_range: bool,
}

impl PlotChoice {
    fn sheet(&self) -> Option<Sheet> {
        let side = |text: &String| text.trim().parse::<f64>().ok().filter(|mm| Sheet::SIDES.contains(mm));
        let style = if self.print { Style::Print } else { Style::Screen };
        Some(Sheet { size_mm: [side(&self.size[0])?, side(&self.size[1])?], ..Sheet::new(style, 1) })
    }
}

impl App {
    /// Plots channels of a clip.
    pub(in crate::app) fn plot(&mut self, to: PlotTo, clip: ClipId, channels: Vec<ChannelPath>, ctx: &egui::Context) {
        let mut kinds: Vec<_> = channels.iter().map(|path| path.property).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let sheet = Sheet::new(Style::Screen, kinds.len());
        let request = PlotRequest { clip, channels, frames: None, derivatives: false, time: TimeAxis::Frames };
        if to == PlotTo::Clipboard {
            let copied = copy(self.state.session.document(), &request, &sheet, ctx);
            return self.state.tell(match copied {
                Ok(()) => Notice::info(t("plot.copied")),
                Err(error) => Notice::warn(fill("edit.refused", &[("error", &error)])),
            });
        }
        let size = sheet.size_mm.map(|mm| mm.to_string());
        self.state.question = Some(Question::Plot(PlotChoice { request, print: true, size, play_range: false }));
    }

    /// Asks how a plot is to look.
    pub(in crate::app) fn plot_question(&mut self, ctx: &egui::Context, mut choice: PlotChoice) -> Option<Question> {
        let (cancel, done) = (t("question.cancel"), t("question.choose_file"));
        let fits = choice.sheet().is_some();
        let body = |ui: &mut Ui| choices(ui, &mut choice, fits);
        let answer = question(ctx, "plot", &t("dialog.save_plot"), body, &[(&*cancel, true), (&*done, fits)]);
        match answer {
            None => return Some(Question::Plot(choice)),
            Some(Answer::Button(1)) => {
                self.state.plot = Some(choice);
                self.ask_plot_file(ctx);
            }
            Some(_) => {}
        }
        None
    }

    /// Writes the plot as it was chosen; the name says the form.
    pub(in crate::app) fn write_plot(&mut self, path: &Path) {
        let Some(choice) = self.state.plot.take() else { return };
        let written = written(self.state.session.document(), &choice, path);
        self.state.tell(match written {
            Ok(()) => Notice::info(fill("file.saved", &[("name", &super::files::name_of(path))])),
            Err(error) => failed("file.not_saved", path, &error),
        });
    }
}

fn written(document: &Document, choice: &PlotChoice, path: &Path) -> Result<(), String> {
    let frames = choice.play_range.then_some(document.settings.play_range);
    let plot = of_channels(document, &PlotRequest { frames, ..choice.request.clone() });
    let plot = plot.map_err(|error| error.to_string())?;
    let sheet = choice.sheet().unwrap_or(Sheet::new(Style::Screen, 1));
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let bytes = match extension.as_deref() {
        Some("csv") => Ok(csv(&plot).into_bytes()),
        Some("png") => png(&plot, &sheet),
        _ => svg(&plot, &sheet).map(String::into_bytes),
    };
    file::write(path, &bytes.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}

fn copy(document: &Document, request: &PlotRequest, sheet: &Sheet, ctx: &egui::Context) -> Result<(), PlotError> {
    let plot = of_channels(document, request)?;
    let (size, pixels) = crate::io::plot::pixels(&plot, sheet)?;
    ctx.copy_image(egui::ColorImage::from_rgb(size, &pixels));
    Ok(())
}

fn choices(ui: &mut Ui, choice: &mut PlotChoice, fits: bool) {
    egui::Grid::new("plot").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(t("plot.style").into_owned());
        ui.horizontal(|ui| {
            ui.selectable_value(&mut choice.print, true, t("plot.print").into_owned());
            ui.selectable_value(&mut choice.print, false, t("plot.screen").into_owned());
        });
        ui.end_row();
        ui.label(t("plot.size").into_owned());
        ui.horizontal(|ui| {
            for (text, name) in choice.size.iter_mut().zip(["plot.width", "plot.height"]) {
                let response = ui.add(TextEdit::singleline(text).desired_width(56.0));
                set_name(ui, &response, &t(name));
            }
            ui.label(t(if fits { "plot.mm" } else { "plot.size_refused" }).into_owned());
        });
        ui.end_row();
        ui.label(t("plot.time").into_owned());
        ui.horizontal(|ui| {
            ui.selectable_value(&mut choice.request.time, TimeAxis::Frames, t("plot.frames").into_owned());
            ui.selectable_value(&mut choice.request.time, TimeAxis::Seconds, t("plot.seconds").into_owned());
        });
        ui.end_row();
        ui.label(t("export.range").into_owned());
        ui.checkbox(&mut choice.play_range, t("export.play_range").into_owned());
        ui.end_row();
        ui.label(t("plot.also").into_owned());
        ui.checkbox(&mut choice.request.derivatives, t("plot.derivatives").into_owned());
        ui.end_row();
    });
    ui.weak(t("plot.hint").into_owned());
}
