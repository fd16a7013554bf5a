//! How large the bodies of each scene are, and how much room they need.

use std::f64::consts::PI;

use super::{SceneKind, random::Random};

/// The size of one body: half the sides of its core, and the radius around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub(super) half_width: f32,
    pub(super) half_height: f32,
    pub(super) radius: f32,
}

impl Size {
    /// The size of body `index`.
    pub(super) fn draw(kind: SceneKind, index: u32, random: &mut Random) -> Self {
        match kind {
            SceneKind::UniformCircles => Self::circle(0.5),
            SceneKind::UniformBoxes => {
                Self::core(random.between(0.25, 0.75), random.between(0.25, 0.75))
            }
            SceneKind::MixedCirclesBoxes if index.is_multiple_of(2) => {
                Self::circle(random.between(0.25, 1.0))
            }
            SceneKind::MixedCirclesBoxes => {
                Self::core(random.between(0.25, 1.0), random.between(0.25, 1.0))
            }
        }
    }

    fn circle(radius: f32) -> Self {
        Self { half_width: 0.0, half_height: 0.0, radius }
    }

    fn core(half_width: f32, half_height: f32) -> Self {
        Self { half_width, half_height, radius: 0.0 }
    }
}

/// Half the side of the square in which `len` bodies have about one pair each: its area is half the
/// [mean Minkowski area](mean_minkowski_area) a body (the module's documentation says why).
pub(super) fn half_world(kind: SceneKind, len: u32) -> f32 {
    let area = f64::from(len) * mean_minkowski_area(kind) / 2.0;
    (area.sqrt() / 2.0) as f32
}

/// The mean area, over pairs of bodies, of the Minkowski sum of one and the other's mirror image.
fn mean_minkowski_area(kind: SceneKind) -> f64 {
    match kind {
        // A circle of radius 0.5 + 0.5.
        SceneKind::UniformCircles => PI,
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
            // Of the pairs a quarter is of two circles, a quarter of two boxes.
            circles / 4.0 + boxes / 4.0 + both / 2.0
        }
    }
}
