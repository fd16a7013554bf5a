//! The sizes of the bodies of each scene.

use crate::{SceneKind, random::Random};

/// The size of one body: half the sides of its core, and the radius around the core. The size of a
/// compound is the size of a circle around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub(crate) half_width: f32,
    pub(crate) half_height: f32,
    pub(crate) radius: f32,
}

impl Size {
    /// Draws the size of body `index` of `len`, before the bodies are [arranged](crate::arrange).
    pub(crate) fn draw(
        kind: SceneKind,
        [index, len]: [u32; 2],
        speed: [f32; 2],
        random: &mut Random,
    ) -> Self {
        match kind {
            SceneKind::UniformBoxes => {
                Self::core(random.between(0.25, 0.75), random.between(0.25, 0.75))
            }
            SceneKind::MixedCirclesBoxes if index.is_multiple_of(2) => {
                Self::circle(random.between(0.25, 1.0))
            }
            SceneKind::MixedCirclesBoxes => {
                Self::core(random.between(0.25, 1.0), random.between(0.25, 1.0))
            }
            // For boxes, half the sides; for polygons, the half axes of the ellipse around them.
            SceneKind::MixedRotating if index % 4 < 3 => {
                Self::core(random.between(0.25, 1.0), random.between(0.25, 1.0))
            }
            SceneKind::MixedRotating => Self {
                radius: random.between(0.125, 0.5),
                ..Self::core(random.between(0.25, 1.0), 0.0)
            },
            SceneKind::Compounds => Self::circle(random.between(0.25, 1.0)),
            SceneKind::BorderLattice => Self::core(0.5, 0.5),
            // The box that a circle of radius 0.5 sweeps in a step.
            SceneKind::Fast if is_fast(index) => {
                let [half_width, half_height] = speed.map(|speed| 0.5 + speed.abs() / 2.0);
                Self::core(half_width, half_height)
            }
            kind => Self::circle(radius(kind, index, len)),
        }
    }

    pub(crate) fn circle(radius: f32) -> Self {
        Self { half_width: 0.0, half_height: 0.0, radius }
    }

    fn core(half_width: f32, half_height: f32) -> Self {
        Self { half_width, half_height, radius: 0.0 }
    }
}

/// The radius of circle `index` of `len`, for scenes whose radii are not random.
///
/// Distributions with heavy tails are sampled at `len` even quantiles, not drawn: a few of the
/// largest circles have most of the pairs, so with random radii the density would depend on the
/// seed.
pub(crate) fn radius(kind: SceneKind, index: u32, len: u32) -> f32 {
    let quantile = (f64::from(index) + 0.5) / f64::from(len);
    match kind {
        SceneKind::BimodalCircles if index % 100 == 50 => 8.0,
        SceneKind::BimodalCircles => 0.25,
        SceneKind::PowerLawCircles => {
            // The share of circles larger than r is (0.1 / r)², truncated at radius 50.
            let beyond = (0.1_f64 / 50.0) * (0.1 / 50.0);
            let larger = 1.0 - quantile * (1.0 - beyond);
            (0.1 / larger.sqrt()) as f32
        }
        SceneKind::SixDecades => (0.001 * power(1e6, quantile)) as f32,
        SceneKind::TwoClusters if is_far(index) => 32.0,
        _ => 0.5,
    }
}

/// `base` to the power `exponent`, which is from 0 to 1: the product of the repeated square roots
/// of the base for which the exponent has a bit set. Roots and products are equal on all platforms;
/// `powf` is not.
fn power(base: f64, exponent: f64) -> f64 {
    let bits = (exponent * f64::from(1 << 24)) as u32;
    let (mut root, mut product) = (base, 1.0);
    for bit in (0..24).rev() {
        root = root.sqrt();
        if bits >> bit & 1 == 1 {
            product *= root;
        }
    }
    product
}

/// Whether a body of [`SceneKind::Fast`] is fast.
pub(crate) fn is_fast(index: u32) -> bool {
    index % 10 == 5
}

/// Whether a body of [`SceneKind::TwoClusters`] is in the far cluster.
pub(crate) fn is_far(index: u32) -> bool {
    index % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_the_power() {
        for exponent in [0.0, 1e-6, 0.125, 0.5, 0.7, 0.999_999] {
            let expected = 1e6_f64.powf(exponent);
            assert!((power(1e6, exponent) / expected - 1.0).abs() < 2e-6, "{exponent}");
        }
    }

    #[test]
    fn tails_are_those_of_the_distributions() {
        let sorted = |kind, len| -> Vec<f32> { (0..len).map(|i| radius(kind, i, len)).collect() };
        let pareto = sorted(SceneKind::PowerLawCircles, 1_000_000);
        // A quarter of the radii are above twice the smallest radius, one in 10 000 above a hundred
        // times the smallest.
        assert!((0.1..0.101).contains(&pareto[0]) && (0.199..0.201).contains(&pareto[750_000]));
        assert!((9.7..10.2).contains(&pareto[999_900]) && (45.0..50.0).contains(&pareto[999_999]));

        let decades = sorted(SceneKind::SixDecades, 6000);
        for (decade, start) in decades.chunks(1000).zip([1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0]) {
            assert!((1.0..1.01).contains(&(decade[0] / start)));
            assert!((9.9..10.0).contains(&(decade[999] / start)));
        }
    }
}
