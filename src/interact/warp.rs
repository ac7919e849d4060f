//! The pictures that are warped into each other: a state of the view, never of the document.

use crate::eval::image_morph::Raster;
use std::sync::Arc;

/// The user's own pictures; where there is none the drawn face is shown. Two are the same where their pictures are the very same.
#[derive(Clone, Debug, Default)]
pub struct WarpDesk {
    /// The first and the second, each with the name of its file.
    pub pictures: [Option<(String, Arc<Raster>)>; 2],
}

impl PartialEq for WarpDesk {
    fn eq(&self, other: &Self) -> bool {
        self.pictures.iter().zip(&other.pictures).all(|pair| match pair {
            (Some((_, own)), Some((_, other))) => Arc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        })
    }
}
