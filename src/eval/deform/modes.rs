//! Few shapes that many are sums of: what a moving deformer stack does, as morph targets.
//!
//! The first shapes are the principal directions of a part of the samples (the eigenvectors of their Gram matrix: Sirovich 1987,
//! "the method of snapshots"; Alexa, Mueller 2000, for animated meshes), as many as bring every vertex of those within the
//! tolerance. Every sample that is still off then adds what is missing of it (a greedy reduced basis). So each sample is within the
//! tolerance by construction, whatever the part held.

use nalgebra::DMatrix;

/// Offsets of all vertices of a mesh at one time.
pub type Offsets = Vec<[f32; 3]>;

/// Orthonormal directions in the space of all vertices' offsets, and where each sample lies along them.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    directions: Vec<Vec<f32>>,
    /// By how much each moves the vertex that it moves most.
    reaches: Vec<f64>,
    most: usize,
}

impl Modes {
    /// No directions yet; there will be `most` at most.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { directions: Vec::new(), reaches: Vec::new(), most }
    }

    /// How many directions there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.directions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.directions.is_empty()
    }

    /// Takes the principal directions of some samples, as many as bring each vertex of each of them within `tolerance`, metres.
    pub fn learn(&mut self, samples: &[Offsets], tolerance: f64) {
        let count = samples.len();
        let flat: Vec<&[f32]> = samples.iter().map(|sample| sample.as_flattened()).collect();
        let mut gram = DMatrix::<f64>::zeros(count, count);
        for row in 0..count {
            for column in 0..=row {
                let product = dot(flat[row], flat[column]);
                (gram[(row, column)], gram[(column, row)]) = (product, product);
            }
        }
        if count == 0 || !(gram.trace() > 0.0) {
            return;
        }
        let eigen = gram.symmetric_eigen();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]).then(a.cmp(b)));
        let mut left: Vec<Vec<f32>> = flat.iter().map(|sample| sample.to_vec()).collect();
        for mode in order {
            if self.directions.len() >= self.most || left.iter().all(|sample| farthest(sample) <= tolerance) {
                return;
            }
            let mut direction = vec![0.0_f64; flat[0].len()];
            for (sample, share) in flat.iter().zip(eigen.eigenvectors.column(mode).iter()) {
                direction.iter_mut().zip(*sample).for_each(|(to, from)| *to += share * f64::from(*from));
            }
            let Some(direction) = self.fresh(direction) else { return };
            for sample in &mut left {
                let along = dot(sample, &direction);
                take(sample, &direction, along);
            }
            self.push(direction);
        }
    }

    fn push(&mut self, direction: Vec<f32>) {
        self.reaches.push(farthest(&direction));
        self.directions.push(direction);
    }

    /// Where a sample lies along each direction; one more is taken where a vertex would be off by more than `tolerance`, metres, as
    /// long as there is room. With it how far the worst vertex is off.
    pub fn weigh(&mut self, sample: &Offsets, tolerance: f64) -> (Vec<f64>, f64) {
        let (mut weights, left) = self.without(sample);
        let off = farthest(&left);
        if off <= tolerance || self.directions.len() >= self.most {
            return (weights, off);
        }
        match self.fresh(left.iter().map(|value| f64::from(*value)).collect()) {
            Some(direction) => {
                weights.push(dot(&left, &direction));
                self.push(direction);
                let (_, left) = self.without(sample);
                (weights, farthest(&left))
            }
            None => (weights, off),
        }
    }

    /// Where a sample lies along each direction, and what is left of it.
    fn without(&self, sample: &Offsets) -> (Vec<f64>, Vec<f32>) {
        let mut left = sample.as_flattened().to_vec();
        let weights = self.directions.iter().map(|direction| {
            let along = dot(&left, direction);
            take(&mut left, direction, along);
            along
        });
        (weights.collect(), left)
    }

    /// A direction at right angles to those there are, of length 1; none where nothing of it is left.
    #[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
    fn fresh(&self, mut direction: Vec<f64>) -> Option<Vec<f32>> {
        let before = direction.iter().map(|value| value * value).sum::<f64>().sqrt();
        // Twice, or rounding leaves a part of the others in it.
        for _ in 0..2 {
            for other in &self.directions {
                let along: f64 = direction.iter().zip(other).map(|(a, b)| a * f64::from(*b)).sum();
                direction.iter_mut().zip(other).for_each(|(to, from)| *to -= along * f64::from(*from));
            }
        }
        let length = direction.iter().map(|value| value * value).sum::<f64>().sqrt();
        let sound = length.is_finite() && length > 1e-7 * before && length > 1e-12;
        sound.then(|| direction.iter().map(|value| (value / length) as f32).collect())
    }

    /// A direction as offsets, longer by a factor.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
    pub fn shape(&self, index: usize, factor: f64) -> Offsets {
        let flat = self.directions.get(index).map(Vec::as_slice).unwrap_or_default();
        let scaled = |value: &f32| (f64::from(*value) * factor) as f32;
        flat.as_chunks::<3>().0.iter().map(|point| [scaled(&point[0]), scaled(&point[1]), scaled(&point[2])]).collect()
    }

    /// How far two samples that lie at these places along the directions are apart, a vertex of them at worst and at most: from the
    /// sum of what each direction moves a vertex by.
    #[must_use]
    pub fn apart(&self, a: &[f64], b: &[f64]) -> f64 {
        let at = |weights: &[f64], index: usize| weights.get(index).copied().unwrap_or(0.0);
        let one = |(index, reach): (usize, &f64)| (at(a, index) - at(b, index)).abs() * reach;
        self.reaches.iter().enumerate().map(one).sum()
    }

    /// How far the worst vertex of a sample is from the sum of the directions at some places along them, metres.
    #[must_use]
    pub fn off(&self, sample: &Offsets, weights: &[f64]) -> f64 {
        let mut left = sample.as_flattened().to_vec();
        for (direction, along) in self.directions.iter().zip(weights) {
            take(&mut left, direction, *along);
        }
        farthest(&left)
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    // In single precision within a run, as the numbers are; the runs in double.
    a.chunks(64).zip(b.chunks(64)).map(|(a, b)| f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>())).sum()
}

#[expect(clippy::cast_possible_truncation, reason = "meshes are held in single precision")]
fn take(from: &mut [f32], direction: &[f32], along: f64) {
    let along = along as f32;
    from.iter_mut().zip(direction).for_each(|(to, from)| *to -= along * from);
}

/// The longest of the vertices' offsets, metres.
fn farthest(flat: &[f32]) -> f64 {
    let squares = flat.as_chunks::<3>().0.iter().map(|v| v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    f64::from(squares.fold(0.0_f32, f32::max)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of points that a wave goes through: two directions, sine and cosine.
    fn wave(at: f64) -> Offsets {
        #[expect(clippy::cast_possible_truncation, reason = "a test")]
        let one = |n: u32| [0.0, (f64::from(n) * 0.2 - at).sin() as f32 * 0.1, 0.0];
        (0..100).map(one).collect()
    }

    #[test]
    fn a_wave_is_two_shapes_however_many_samples() {
        let samples: Vec<Offsets> = (0..40).map(|n| wave(f64::from(n) * 0.37)).collect();
        let mut modes = Modes::new(64);
        modes.learn(&samples, 1e-5);
        assert_eq!(modes.len(), 2);
        for n in 0..200 {
            let (weights, off) = modes.weigh(&wave(f64::from(n) * 0.11), 1e-5);
            assert!(off < 1e-5 && weights.len() == 2, "{off}");
        }
    }

    #[test]
    fn what_was_not_among_the_samples_is_added_and_room_has_an_end() {
        let mut modes = Modes::new(2);
        modes.learn(&[vec![[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]], 1e-4);
        let (weights, off) = modes.weigh(&vec![[0.5, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0; 3]], 1e-4);
        assert!((weights[0].abs() - 0.5).abs() < 1e-6 && (weights[1].abs() - 2.0).abs() < 1e-6 && off < 1e-6);
        let (weights, off) = modes.weigh(&vec![[0.0; 3], [0.0; 3], [0.0, 0.0, 3.0]], 1e-4);
        assert!(weights.len() == 2 && (off - 3.0).abs() < 1e-6);
        let shape = modes.shape(1, 2.0);
        assert!((shape[1][1].abs() - 2.0).abs() < 1e-6);
        assert!(modes.apart(&[0.0, 1.0], &[0.0, 0.0]) >= 1.0 - 1e-6);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let mut modes = Modes::new(8);
        modes.learn(&[], 1e-4);
        modes.learn(&[vec![[0.0; 3]; 4], vec![[0.0; 3]; 4]], 1e-4);
        assert!(modes.is_empty());
        assert_eq!(modes.weigh(&vec![[0.0; 3]; 4], 1e-4), (Vec::new(), 0.0));
        assert_eq!(modes.weigh(&Vec::new(), 0.0), (Vec::new(), 0.0));
    }
}
