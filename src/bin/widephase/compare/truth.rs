//! The pairs of a scene without a grid.

use widephase::{
    Detector, Error, Level, Pair, Shapes, Threads, Touching, reference::brute_force, scene::Scene,
};

/// All pairs of bodies that touch, sorted.
///
/// Every box is tested against every other. Of bodies that turn, that says which may touch; each such
/// pair is then put into a store of its own, and a scalar detector asked about those two rows, where
/// there are no cells to go wrong.
pub(super) fn pairs(scene: &Scene) -> Result<Vec<Pair>, Error> {
    let candidates = brute_force::pairs(&scene.rounded_boxes(), Touching::Inclusive);
    let Some(shapes) = scene.shapes() else { return Ok(candidates) };
    let mut detector = Detector::new().level(Level::Scalar)?.threads(Threads::Calling);
    let mut two = Shapes::new();
    let mut pairs = Vec::new();
    for pair in candidates {
        two.clear();
        two.extend_from_rows(shapes.columns(), &[pair.a, pair.b])?;
        if detector.count(&two)? > 0 {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}
