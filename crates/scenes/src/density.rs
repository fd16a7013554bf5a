//! The number of pairs of each scene, and the area that gives this number.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::{SceneKind, sizes};

impl SceneKind {
    /// The approximate number of pairs that touch among `len` bodies.
    ///
    /// Exact for `coincident`, `border-lattice` and `power-of-two`. For the other scenes, the mean
    /// over all seeds is within 3 % from 20 000 bodies on. With fewer bodies, uniform scenes have
    /// fewer pairs than this because of the border (7 % fewer at 1000 bodies of `s1`).
    ///
    /// ```
    /// use widephase_scenes::SceneKind;
    ///
    /// assert_eq!(SceneKind::UniformCircles.expected_pairs(1000), 1000.0);
    /// assert_eq!(SceneKind::Coincident.expected_pairs(1000), 499_500.0);
    /// ```
    pub fn expected_pairs(self, len: u32) -> f64 {
        let n = f64::from(len);
        match self {
            SceneKind::Giant => n + (n - 1.0).max(0.0),
            SceneKind::Coincident => n * (n - 1.0) / 2.0,
            SceneKind::BorderLattice => lattice_neighbours(len),
            // Three pairs at each lattice point with three bodies, one if two bodies are left.
            SceneKind::PowerOfTwo => f64::from(len / 3 * 3 + len % 3 / 2),
            _ => n * self.pairs_a_body(),
        }
    }

    /// The largest number of bodies, at most `len`, with at most `pairs`
    /// [expected](Self::expected_pairs) pairs: for callers with limited time or memory for pairs.
    ///
    /// With `pairs` of 32 times `len`, this is `len` itself for all scenes except `coincident`,
    /// whose pairs grow with the square of the number of bodies. A single body counts with the
    /// average pairs per body. If `pairs` is less than that, negative or NaN, the result is 0. Any
    /// `len` is valid. Never panics. Takes O(log n) calls of `expected_pairs`.
    ///
    /// ```
    /// use widephase_scenes::SceneKind;
    ///
    /// assert_eq!(SceneKind::UniformCircles.most_bodies(10_000, 320_000.0), 10_000);
    /// // Of 800 bodies 799 * 800 / 2 = 319,600 pairs touch, of 801 it would be 320,400.
    /// assert_eq!(SceneKind::Coincident.most_bodies(10_000, 320_000.0), 800);
    /// ```
    pub fn most_bodies(self, len: u32, pairs: f64) -> u32 {
        // More bodies never have fewer pairs.
        let fits = |len: u32| self.expected_pairs(len) <= pairs;
        if fits(len) {
            return len;
        }
        let (mut enough, mut beyond) = (0, len);
        while enough + 1 < beyond {
            let middle = enough.midpoint(beyond);
            if fits(middle) {
                enough = middle;
            } else {
                beyond = middle;
            }
        }
        enough
    }

    /// Pairs per body, for scenes in which it does not depend on the number of bodies.
    fn pairs_a_body(self) -> f64 {
        match self {
            SceneKind::BimodalCircles => 2.0,
            SceneKind::PowerLawCircles | SceneKind::SixDecades => 3.0,
            SceneKind::GaussianClusters => 4.0,
            SceneKind::Pile => 15.0,
            // The square is the square of `s1`, in which a mean area of π gives one pair per body.
            SceneKind::Fast => mean_minkowski_area(self) / PI,
            _ => 1.0,
        }
    }
}

/// Half the side of the square, half the length of the line, or half the side of the near cluster,
/// over which the bodies of `kind` are spread; for Gaussian clusters, one standard deviation.
pub(crate) fn half_spread(kind: SceneKind, len: u32) -> f32 {
    let n = f64::from(len);
    let whole = match kind {
        SceneKind::UniformCircles
        | SceneKind::UniformBoxes
        | SceneKind::MixedCirclesBoxes
        | SceneKind::MixedRotating
        | SceneKind::Compounds => (n * mean_minkowski_area(kind) / 2.0).sqrt(),
        SceneKind::BimodalCircles
        | SceneKind::PowerLawCircles
        | SceneKind::SixDecades
        | SceneKind::Pile => side_for_circles(kind, len),
        // The density of `s1`, for half the bodies, which are in the near cluster.
        SceneKind::TwoClusters => (n / 2.0 * PI / 2.0).sqrt(),
        // Two circles on a line of length L touch if they are within 1, with probability 2 / L.
        SceneKind::Line => n,
        // On the diagonal, two circles touch if their x are within √½.
        SceneKind::Diagonal => n * FRAC_1_SQRT_2,
        // The mean density around each of the m bodies of a cluster is m / 4 π σ², in an area of π.
        // With m = n / 16, this makes n / 128 σ² pairs per body.
        SceneKind::GaussianClusters => 2.0 * (n / (128.0 * kind.pairs_a_body())).sqrt(),
        _ => (n * PI / 2.0).sqrt(),
    };
    (whole / 2.0) as f32
}

/// The side of the square in which the circles have the intended number of pairs.
///
/// Circles of radius r₁ and r₂ touch with probability (π ρ² - 8 ρ³ / 3 L) / L², where ρ = r₁ + r₂
/// and L is the side. The second term is the loss at the border, which `s1` to `s3` ignore. It is
/// more than a few per cent if large circles have most of the pairs.
fn side_for_circles(kind: SceneKind, len: u32) -> f64 {
    let n = f64::from(len.max(1));
    let mut moments = [0.0; 3];
    for index in 0..len {
        let radius = f64::from(sizes::radius(kind, index, len));
        moments[0] += radius / n;
        moments[1] += radius * radius / n;
        moments[2] += radius * radius * radius / n;
    }
    let [mean, square, cube] = moments;
    let area = PI * 2.0 * (square + mean * mean);
    let border = 8.0 / 3.0 * (2.0 * cube + 6.0 * square * mean);
    let side = |area: f64| (n * area / (2.0 * kind.pairs_a_body())).sqrt();
    // Each iteration gains a digit or more. Small worlds, where the formula is no longer valid,
    // keep half the area.
    (0..16).fold(side(area), |length, _| side((area - border / length).max(area / 2.0)))
}

/// The mean area, over pairs of bodies, of the Minkowski sum of one body and the mirror image of
/// the other.
fn mean_minkowski_area(kind: SceneKind) -> f64 {
    match kind {
        // A box of sides w₁ + w₂ and h₁ + h₂, all independent and 1 on average.
        SceneKind::UniformBoxes => 2.0 * 2.0,
        SceneKind::MixedCirclesBoxes => {
            // A size s uniform from 0.25 to 1 has E s = 0.625, and E s² = 0.625² + 0.75² / 12.
            let (mean, mean_square) = (0.625, 0.4375);
            // π E (r₁ + r₂)²
            let circles = PI * (2.0 * mean_square + 2.0 * mean * mean);
            // (E 2 s₁ + E 2 s₂)²
            let boxes = (4.0 * mean) * (4.0 * mean);
            // A box with a circle around it: w h + 2 r (w + h) + π r², with w = 2 s₁, h = 2 s₂.
            let (side, radius) = (2.0 * mean, mean);
            let both = side * side + 2.0 * radius * (side + side) + PI * mean_square;
            // A quarter of the pairs are of two circles, a quarter of two boxes.
            circles / 4.0 + boxes / 4.0 + both / 2.0
        }
        SceneKind::MixedRotating => {
            // For convex bodies in all directions, the mean area is the sum of both areas and of
            // the product of both perimeters over 2 π (Minkowski and Steiner). The numbers are for
            // boxes, polygons and capsules; the areas of polygons are the means of twelve million.
            let (side, radius, square) = (2.0 * 0.625, 0.3125, 0.109_375);
            let areas = [side * side, 0.876_47, 2.0 * side * radius + PI * square];
            let perimeters = [4.0 * side, 3.673_31, 2.0 * side + 2.0 * PI * radius];
            let mean = |of: [f64; 3]| of[0] / 2.0 + of[1] / 4.0 + of[2] / 4.0;
            2.0 * mean(areas) + mean(perimeters) * mean(perimeters) / (2.0 * PI)
        }
        // The sum of three overlapping discs with three: the mean of eight million pairs.
        SceneKind::Compounds => 3.6448,
        SceneKind::Fast => {
            // A tenth of the bodies are boxes: 1 + 19 / 2 long and 1 + 0.05 / 2 wide on average,
            // half of them along each axis.
            let (long, wide) = (10.5, 1.025);
            let boxes = (4.0 * long * wide + (long + wide) * (long + wide)) / 2.0;
            let both = long * wide + (long + wide) + PI / 4.0;
            0.81 * PI + 0.18 * both + 0.01 * boxes
        }
        // A circle of radius 0.5 + 0.5.
        _ => PI,
    }
}

/// The pairs of neighbours, along rows, columns and diagonals, of a lattice filled row by row.
fn lattice_neighbours(len: u32) -> f64 {
    let side = lattice_side(len);
    let (mut pairs, mut below) = (0.0, 0);
    for row in 0..len.div_ceil(side.max(1)) {
        let width = side.min(len - row * side);
        pairs += f64::from(width - 1);
        // Each body of the row below touches the body above it and one to each side of that, as far
        // as this row goes.
        if below > 0 {
            pairs += f64::from(width + (width - 1) + width.min(below - 1));
        }
        below = width;
    }
    pairs
}

/// The side of the smallest square lattice with at least `points` points.
pub(crate) fn lattice_side(points: u32) -> u32 {
    f64::from(points).sqrt().ceil() as u32
}
