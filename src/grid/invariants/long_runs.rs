//! Long runs of moving scenes, with all invariants checked after every step.

use super::{Laying, ListsInput, Rng, SeenPlaces};
use crate::{
    base::SimdLevel,
    grid::{CellSize, GridLevels},
    scene::{Motion, Scene, SceneKind},
};

/// Steps of a run.
const RUN_STEPS: usize = 300;

/// Items of a scene.
const RUN_BODIES: u32 = 300;

/// Runs one scene with one kind of motion. Returns the cases seen, and how often an item moved into
/// another cell of the grid that was built before the step.
fn run(
    kind: SceneKind,
    motion: Motion,
    rng: &mut Rng,
    ground: &mut ListsInput,
) -> (SeenPlaces, usize) {
    let mut scene = Scene::generate(kind, RUN_BODIES, rng.next()).with_motion(motion);
    let all = SimdLevel::available();
    let mut crossings = 0;
    ground.seen = SeenPlaces::default();
    for step in 0..RUN_STEPS {
        let laying = Laying {
            cell_size: CellSize::Auto,
            levels: GridLevels::Auto,
            searched: rng.below(4) == 0,
            threads: rng.below(2) == 0,
            level: all[rng.below(all.len() as u64) as usize],
        };
        ground.check(scene.columns(), &laying, &format!("{kind}, {motion}, step {step}"));
        let before = ground.cells(scene.columns());
        scene.step();
        let after = ground.cells(scene.columns());
        crossings += before.iter().zip(&after).filter(|(before, after)| before != after).count();
    }
    (std::mem::take(&mut ground.seen), crossings)
}

/// One grid for all runs, rebuilt at every step, by one-step and two-step sorts, for sweeps and for
/// searches.
#[test]
fn scenes_that_move_for_long() {
    let mut rng = Rng::new(7);
    let mut ground = ListsInput::default();
    let mut touching = 0;
    for (kind, levels, wraps) in [
        (SceneKind::UniformCircles, 1, false),
        (SceneKind::MixedCirclesBoxes, 1, false),
        (SceneKind::PowerLawCircles, 3, false),
        (SceneKind::GaussianClusters, 1, true),
        (SceneKind::TwoClusters, 2, true),
    ] {
        for motion in Motion::ALL {
            let (seen, crossings) = run(kind, motion, &mut rng, &mut ground);
            let what = format!("{kind}, {motion}: {crossings} crossings, {seen:?}");
            // On average, each item has been in several cells.
            assert!(crossings > 7 * RUN_BODIES as usize, "{what}");
            let SeenPlaces {
                helical,
                dense,
                several,
                ghosts,
                pairs,
                covers,
                candidate_lists,
                visits,
                ..
            } = seen;
            let expected = if wraps { [levels * RUN_STEPS, 0] } else { [0, levels * RUN_STEPS] };
            assert_eq!([helical, dense], expected, "{what}");
            assert_eq!(several, if levels > 1 { RUN_STEPS } else { 0 }, "{what}");
            assert!(pairs > 50_000 && covers > 20_000, "{what}");
            if wraps {
                assert!(ghosts > 10 * RUN_STEPS, "{what}");
            } else {
                assert!(candidate_lists > 5 && visits > 20_000, "{what}");
            }
            touching += pairs + covers;
        }
    }
    // The number of touching pairs does not depend on the grid.
    assert_eq!(touching, 3_162_571);
}
