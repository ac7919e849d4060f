//! Two drawn faces with what belongs together on them.

use crate::eval::image_morph::Raster;
use std::sync::Arc;

/// A face by numbers, in parts of the picture.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    /// Half the width and half the height of the head.
    head: [f64; 2],
    /// From the middle to an eye: to the side and up.
    eye: [f64; 2],
    /// How large an eye is.
    size: f64,
    /// Below the middle: the mouth, half as wide, and how far its corners are up.
    mouth: [f64; 3],
    /// Where the hair begins, above the middle.
    hair: f64,
    skin: [f32; 3],
    dark: [f32; 3],
    behind: [f32; 3],
}

const ROUND: Drawn = Drawn {
    head: [0.38, 0.37],
    eye: [0.15, 0.06],
    size: 0.055,
    mouth: [0.16, 0.16, 0.06],
    hair: 0.2,
    skin: [0.95, 0.76, 0.6],
    dark: [0.35, 0.18, 0.08],
    behind: [0.42, 0.56, 0.66],
};

const LONG: Drawn = Drawn {
    head: [0.25, 0.45],
    eye: [0.1, 0.13],
    size: 0.035,
    mouth: [0.24, 0.1, -0.03],
    hair: 0.33,
    skin: [0.78, 0.58, 0.44],
    dark: [0.1, 0.1, 0.12],
    behind: [0.62, 0.5, 0.38],
};

/// Pixels a side.
const SIDE: usize = 160;

impl Drawn {
    fn color(&self, [x, y]: [f64; 2]) -> [f32; 3] {
        let (x, y) = (x - 0.5, y - 0.5);
        let oval = (x / self.head[0]).hypot(y / self.head[1]);
        if oval > 1.0 {
            return self.behind;
        }
        let eye = (x.abs() - self.eye[0]).hypot(y + self.eye[1]);
        if eye < self.size * 0.5 {
            return [0.05; 3];
        }
        if eye < self.size {
            return [0.98; 3];
        }
        let brow = y + self.eye[1] + 1.7 * self.size;
        if brow.abs() < 0.012 && (x.abs() - self.eye[0]).abs() < 1.5 * self.size {
            return self.dark;
        }
        let part = x / self.mouth[1];
        if part.abs() < 1.0 && (y - self.mouth[0] + self.mouth[2] * part * part).abs() < 0.018 {
            return [0.7, 0.15, 0.15];
        }
        if x.abs() < 0.012 && y > -0.02 && y < 0.08 {
            return self.skin.map(|part| part * 0.75);
        }
        if y < -self.hair + 0.15 * x * x { self.dark } else { self.skin }
    }

    /// Eyes, nose, mouth, chin, sides and top of the head.
    fn features(&self) -> [[f64; 2]; 9] {
        let [ex, ey] = self.eye;
        let [down, wide, up] = self.mouth;
        [
            [-ex, -ey],
            [ex, -ey],
            [0.0, 0.08],
            [-wide, down - up],
            [wide, down - up],
            [0.0, self.head[1]],
            [-self.head[0], 0.0],
            [self.head[0], 0.0],
            [0.0, -self.head[1]],
        ]
        .map(|[x, y]| [0.5 + x, 0.5 + y])
    }
}

/// The two pictures.
pub(super) fn pictures() -> [Arc<Raster>; 2] {
    [ROUND, LONG].map(|face| Arc::new(Raster::of(SIDE, SIDE, move |at| face.color(at))))
}

/// What belongs together on them: the features, and the corners of the pictures.
pub(super) fn pairs() -> Vec<([f64; 2], [f64; 2])> {
    ROUND.features().into_iter().zip(LONG.features()).chain(corners()).collect()
}

/// What belongs together on any two pictures: their corners.
pub(super) fn corners() -> Vec<([f64; 2], [f64; 2])> {
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|at| (at, at)).to_vec()
}
