//! OBJ: what the reader stops at, and what it leaves out. Nothing is mended: what is left out is in no copy either.

use super::{Checked, Finding};
use crate::io::{
    obj,
    open::FileKind,
    report::{Place, Report},
};

/// Looks at the text of an OBJ file.
pub(super) fn check(text: &str) -> Checked {
    let mut checked = Checked::new(FileKind::Obj);
    let mut report = Report::new();
    if let Err(error) = obj::parse(text, &mut report) {
        let (found, remedy) = error.what.split_once("; ").unwrap_or((&error.what, "export it again"));
        checked.add(Finding::error("form", Place::Text { line: error.line, column: 1 }, found, remedy));
    }
    for entry in report.entries() {
        let (found, remedy) = (entry.found.clone(), entry.done.clone());
        let finding = Finding::of_entry(entry);
        checked.add(Finding { found, remedy, mend: None, lost: false, ..finding });
    }
    checked.unlisted += report.total() - report.entries().len();
    checked.findings.sort_by_key(|finding| finding.place.clone());
    checked
}
