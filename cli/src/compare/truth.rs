//! The pairs of a scene without a grid, from the reference alone.

use crate::scene::Scene;
use widephase::{
    Pair, Touching,
    reference::{brute_force, whole},
    shape::RoundedBox,
};

/// All pairs of bodies that touch, sorted.
///
/// Every box is tested against every other. For bodies that can be rotated, these pairs are
/// candidates: all parts of one body are then tested against all parts of the other. No data of the
/// engine about these bodies is used.
pub(super) fn pairs(scene: &Scene) -> Vec<Pair> {
    let Some(wholes) = scene.wholes() else {
        return brute_force::pairs(&scene.rounded_boxes(), Touching::Inclusive);
    };
    let boxes: Vec<RoundedBox> = wholes.iter().map(|whole| whole.bounds).collect();
    let mut pairs = brute_force::pairs(&boxes, Touching::Inclusive);
    pairs.retain(|&Pair { a, b }| {
        whole::touches(&wholes[a as usize], &wholes[b as usize], Touching::Inclusive)
    });
    pairs
}
