//! What is done with clips beside the window: made of others, of what plays, and of many files.

use crate::{
    app::{actions::files::name_of, files::DialogKind, jobs::JobKind, state::JobResult, window::App},
    command::PanelId,
    edit::{
        Edit, EditError,
        blend::{bake_layers, mark_steps},
        clips::{looped, reversed, spliced, switched, time_scaled},
    },
    interact::clip_work::ClipWork,
    io::clips::{Brought, FileLine, clips_for, meant},
    model::Document,
    notice::{Level, Notice},
    progress::{Cancelled, Progress},
    text::{fill, t},
    ui::widgets::drag_field::number_text,
};
use std::{path::PathBuf, sync::Arc};

/// What came of work with clips: the document it was done on, the label of the step, the change and what is to be said.
pub(in crate::app) struct Worked {
    base: Arc<Document>,
    label: &'static str,
    done: Result<Result<(Edit, Option<Notice>), EditError>, Cancelled>,
}

impl App {
    /// Starts work with clips.
    pub(in crate::app) fn clip_work(&mut self, work: ClipWork, ctx: &egui::Context) {
        let base = self.state.session.base().clone();
        self.start(JobKind::Clips, ctx, move |progress| {
            let done = run(&base, &work, progress);
            JobResult::ClipsWorked(Worked { base, label: work.label(), done })
        });
    }

    /// Takes what the work came to.
    pub(in crate::app) fn clips_worked(&mut self, worked: Worked) {
        let Ok(done) = worked.done else { return };
        if !Arc::ptr_eq(&worked.base, self.state.session.base()) {
            return self.state.tell(Notice::warn(t("clips.changed_meanwhile")));
        }
        match done {
            Err(error) => self.state.tell(Notice::warn(fill("edit.refused", &[("error", &error)]))),
            Ok((edit, notice)) => {
                let applied = self.state.session.apply(worked.label, &edit).map(|_| ());
                let worked = applied.is_ok();
                crate::app::dispatch::told(self, applied);
                if let Some(notice) = notice.filter(|_| worked) {
                    self.state.tell(notice);
                }
            }
        }
    }

    /// Asks for motion files for the clip library of the character in question.
    pub(in crate::app) fn ask_clips(&mut self, ctx: &egui::Context) {
        if self.rig_in_question().is_none() {
            return self.state.tell(Notice::warn(t("clips.no_character")));
        }
        self.ask_for(DialogKind::Clips, None, ctx);
    }

    /// Reads motion files for the character in question.
    pub(in crate::app) fn read_clips(&mut self, paths: Vec<PathBuf>, ctx: &egui::Context) {
        let Some(object) = self.rig_in_question() else {
            return self.state.tell(Notice::warn(t("clips.no_character")));
        };
        self.dock.reveal(self.state.settings.workspace, PanelId::Clips);
        let base = self.state.session.base().clone();
        self.start(JobKind::Clips, ctx, move |progress| {
            let files = meant(&paths);
            let read = clips_for(&base, object, &files, progress);
            let done = read.map(|(edit, lines)| Ok((edit, Some(report(&lines)))));
            JobResult::ClipsWorked(Worked { base, label: "history.clips_import", done })
        });
    }
}

/// Does the work.
fn run(
    document: &Document,
    work: &ClipWork,
    progress: &Progress,
) -> Result<Result<(Edit, Option<Notice>), EditError>, Cancelled> {
    let silent = |edit: Result<Edit, EditError>| edit.map(|edit| (edit, None));
    Ok(match work {
        ClipWork::Reverse(clip) => {
            let steps = document.clip(*clip).is_some_and(|clip| clip.markers.iter().any(|marker| marker.sync));
            let notice = steps.then(|| Notice::info(t("clips.reversed_steps")));
            reversed(document, *clip, progress)?.map(|edit| (edit, notice))
        }
        ClipWork::Length(clip, frames) => silent(time_scaled(document, *clip, *frames, progress)?),
        ClipWork::Loop(object, clip, travel) => silent(looped(document, *object, *clip, *travel, progress)?),
        ClipWork::MarkSteps(object, clip) => {
            let found = mark_steps(document, *object, *clip);
            found.map(|edit| {
                let none = matches!(&edit, Edit::Batch(edits) if edits.is_empty());
                (edit, none.then(|| Notice::info(t("clips.no_steps"))))
            })
        }
        ClipWork::Splice(object, first, second) => {
            let made = spliced(document, *object, (*first, *second), progress)?;
            made.map(|(edit, turned, jump)| {
                let degrees = |angle: f64| number_text(angle.to_degrees(), 1);
                let text = fill("clips.spliced", &[("turn", &degrees(turned)), ("jump", &degrees(jump))]);
                (edit, Some(Notice::info(text)))
            })
        }
        ClipWork::Switch(plan, name) => {
            let made = switched(document, *plan, name, progress)?;
            made.map(|edit| (edit, Some(Notice::info(fill("transition_lab.baked", &[("name", name)])))))
        }
        ClipWork::BakeLayers { object, frames, name, reduce } => {
            let made = bake_layers(document, *object, *frames, name, *reduce, progress)?;
            made.map(|edit| (edit, Some(Notice::info(fill("layers.baked", &[("name", name)])))))
        }
    })
}

/// What became of the files, a line a file.
fn report(lines: &[FileLine]) -> Notice {
    let clips: usize = lines.iter().flat_map(|line| &line.outcome).map(|brought| brought.clips.len()).sum();
    let refused = lines.iter().filter(|line| line.outcome.is_err()).count();
    let key = match (lines.is_empty(), refused == 0) {
        (true, _) => "clips.none_meant",
        (false, true) => "clips.imported",
        (false, false) => "clips.imported_some",
    };
    let text = fill(key, &[("clips", &clips), ("files", &lines.len()), ("refused", &refused)]);
    let level = match () {
        () if clips == 0 => Level::Error,
        () if refused > 0 => Level::Warn,
        () => Level::Info,
    };
    Notice::new(level, text).with_details(lines.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(line: &FileLine) -> String {
    let name = name_of(&line.path);
    match &line.outcome {
        Err(error) => fill("clips.line_refused", &[("file", &name), ("error", error)]),
        Ok(Brought { clips, retargeted, mapped, faults, remarks }) => {
            let key = if *retargeted == 0 { "clips.line_same" } else { "clips.line_retargeted" };
            let numbers: [(&str, &dyn std::fmt::Display); 5] = [
                ("file", &name),
                ("clips", &clips.join(", ")),
                ("mapped", mapped),
                ("faults", faults),
                ("remarks", remarks),
            ];
            fill(key, &numbers)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_every_file_and_what_is_wrong_with_it() {
        let good = Brought { clips: vec!["run".to_owned()], ..Brought::default() };
        let over =
            Brought { clips: vec!["a".to_owned(), "b".to_owned()], retargeted: 2, mapped: 17, ..Brought::default() };
        let of = |path: &str, outcome| FileLine { path: PathBuf::from(path), outcome };
        let all = [of("x/run.bvh", Ok(good)), of("two.glb", Ok(over)), of("bad.bvh", Err("no HIERARCHY".to_owned()))];
        let notice = report(&all);
        assert_eq!(notice.level, Level::Warn);
        let lines: Vec<&str> = notice.details.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].contains("run.bvh") && lines[1].contains("17") && lines[2].contains("no HIERARCHY"));
        assert_eq!(report(&all[2..]).level, Level::Error);
        assert_eq!(report(&all[..1]).level, Level::Info);
        assert_eq!(report(&[]).level, Level::Error);
    }
}
