//! Reference images in the picture: where a plate lies on a view of some size.

use crate::{
    math::Vec3,
    model::{Reference, ReferencePlace},
    render::{Picture, Plate, PlateAt},
};
use std::sync::Arc;

/// A reference with what it shows now.
#[derive(Clone, Debug)]
pub struct Backdrop {
    /// The reference.
    pub reference: Reference,
    /// Its picture; none before a sequence begins, while it is read, and where it cannot be.
    pub picture: Option<Arc<Picture>>,
    /// Why it cannot be shown.
    pub fault: Option<String>,
}

impl Backdrop {
    /// Whether two show the same.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let same_picture = match (&self.picture, &other.picture) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        };
        same_picture && self.reference == other.reference
    }

    /// The plate on a view of this width and height; none where nothing is to be seen.
    #[must_use]
    pub fn plate(&self, [width, height]: [f64; 2]) -> Option<Plate> {
        let Reference { place, offset: [x, y], depth, scale, opacity, hidden, .. } = self.reference;
        let picture = self.picture.as_ref().filter(|picture| picture.width > 0 && picture.height > 0)?;
        if hidden || opacity <= 0.0 || width <= 0.0 || height <= 0.0 {
            return None;
        }
        let aspect = f64::from(picture.width) / f64::from(picture.height);
        let at = match place {
            ReferencePlace::Behind | ReferencePlace::Front => PlateAt::Screen {
                centre: [2.0 * x * height / width, 2.0 * y],
                half: [scale * aspect * height / width, scale],
                front: place == ReferencePlace::Front,
            },
            ReferencePlace::Scene => {
                let tall = Reference::SCENE_HEIGHT * scale;
                let half = tall * aspect / 2.0;
                let corner = |side: f64, up: f64| Vec3::new(x + side * half, y + up * tall, depth);
                PlateAt::World([corner(-1.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
            }
        };
        Some(Plate { picture: picture.clone(), at, opacity })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plate_keeps_its_shape_on_any_view() {
        let picture = Some(Arc::new(Picture { width: 200, height: 100, pixels: Vec::new() }));
        let reference = Reference { offset: [0.5, 0.0], ..Reference::new("a.png".to_owned(), false, 0) };
        let backdrop = Backdrop { reference, picture, fault: None };
        let Some(Plate { at: PlateAt::Screen { centre, half, front: false }, .. }) = backdrop.plate([400.0, 100.0])
        else {
            panic!("a plate on the screen")
        };
        // Half the width of a view of four to one, half a height to the right of its middle.
        assert_eq!((centre, half), ([0.25, 0.0], [0.5, 1.0]));
        assert!(backdrop.plate([0.0, 100.0]).is_none());
        let hidden = Backdrop { reference: Reference { hidden: true, ..backdrop.reference.clone() }, ..backdrop };
        assert!(hidden.plate([400.0, 100.0]).is_none());
    }
}
