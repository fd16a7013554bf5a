//! Shapes too small to be seen one by one: their number in each place.

use std::collections::BTreeMap;

/// Shapes that are smaller than this, in pixels, are drawn as a density.
pub(super) const SMALLEST: f64 = 1.5;

/// The side of a square of the density, in pixels.
pub(super) const SQUARE: f64 = 3.0;

/// The shapes in a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Few {
    pub(super) shapes: u32,
    pub(super) touching: u32,
}

/// How many small shapes there are in each square.
#[derive(Default)]
pub(super) struct Density {
    squares: BTreeMap<[i32; 2], Few>,
    pub(super) shapes: u64,
}

impl Density {
    /// Counts a shape whose middle is at a pixel.
    pub(super) fn add(&mut self, pixel: [f64; 2], touching: bool) {
        let square = pixel.map(|at| (at / SQUARE).floor() as i32);
        let few = self.squares.entry(square).or_default();
        few.shapes += 1;
        few.touching += u32::from(touching);
        self.shapes += 1;
    }

    /// The most shapes in a square.
    pub(super) fn most(&self) -> u32 {
        self.squares.values().map(|few| few.shapes).max().unwrap_or(0)
    }

    /// The left and the upper side of each square, its shapes, and how dark it is: from 0.35 to 1,
    /// by the logarithm of their number.
    pub(super) fn squares(&self) -> impl Iterator<Item = ([f64; 2], Few, f64)> {
        let most = f64::from(self.most()).ln_1p();
        self.squares.iter().map(move |(square, few)| {
            let dark = 0.35 + 0.65 * f64::from(few.shapes).ln_1p() / most;
            (square.map(|at| f64::from(at) * SQUARE), *few, dark)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_count_their_shapes() {
        let mut density = Density::default();
        for pixel in [[0.5, 0.5], [2.9, 0.1], [3.0, 0.0], [-0.1, 0.0]] {
            density.add(pixel, pixel[0] < 1.0);
        }
        let found: Vec<_> = density.squares().map(|(at, few, _)| (at, few)).collect();
        let few = |shapes, touching| Few { shapes, touching };
        let expected = [([-3.0, 0.0], few(1, 1)), ([0.0, 0.0], few(2, 1)), ([3.0, 0.0], few(1, 0))];
        assert_eq!((&found[..], density.shapes, density.most()), (&expected[..], 4, 2));
        let darkest = density.squares().map(|(.., dark)| dark).fold(0.0, f64::max);
        assert_eq!(darkest, 1.0);
    }
}
