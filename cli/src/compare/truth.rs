//! The pairs of a scene without a grid, by the reference alone.

use widephase::{
    Pair, Touching,
    reference::{brute_force, whole},
    scene::Scene,
    shape::RoundedBox,
};

/// All pairs of bodies that touch, sorted.
///
/// Every box is tested against every other. Of bodies that turn, that says which may touch: of each such pair, all
/// parts of the one are then tested against all parts of the other. Nothing here is read from what the engine keeps of
/// these bodies.
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
