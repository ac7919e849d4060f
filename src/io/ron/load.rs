//! Text to document.

use super::{LoadError, header};
use crate::{
    io::report::{Place, Report},
    model::{Document, ObjectKind},
};
use std::sync::Arc;

/// Reads a document from the text of a file and checks it whole.
///
/// # Errors
/// Names the line and column of what does not read, the field a newer version wrote, or the parts that cannot be right.
pub fn load(text: &str) -> Result<Document, LoadError> {
    sound(read(text)?)
}

/// [`load`] of a file that may have lost joints (edited by hand, merged, written by another program): what it says about
/// posing joints that are not there is left out, and reported. What such words are about is gone, and nothing that moves
/// depends on them; curves, pins and meshes of joints that are gone are errors as ever.
///
/// # Errors
/// As [`load`].
pub fn load_mending(text: &str, report: &mut Report) -> Result<Document, LoadError> {
    let mut document = read(text)?;
    for object in Arc::make_mut(&mut document.objects).values_mut() {
        let Some(mut rig) = object.as_rig().map(|rig| (**rig).clone()) else { continue };
        let gone = rig.forget_missing();
        if gone.is_empty() {
            continue;
        }
        for what in gone {
            let found = format!("{what} is of a joint that does not exist");
            report.warn("missing-joint", Place::Part(object.name.clone()), found, "left out");
        }
        Arc::make_mut(object).kind = ObjectKind::Rig(Arc::new(rig));
    }
    sound(document)
}

/// Reads a document that may be unsound: what it says is there, whether it can be or not.
///
/// # Errors
/// Names the line and column of what does not read.
pub fn read(text: &str) -> Result<Document, LoadError> {
    let (_, body) = header::split(text)?;
    ron::from_str(body).map_err(LoadError::in_body)
}

fn sound(document: Document) -> Result<Document, LoadError> {
    let problems = document.problems();
    if problems.is_empty() { Ok(document) } else { Err(LoadError::Unsound(problems)) }
}
