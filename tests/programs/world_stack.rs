//! The heap of `examples/world_stack`.

use widephase::Options;

use super::{everywhere, hash};
use heap::Heap;

#[path = "../../examples/world_stack/heap.rs"]
mod heap;

const COUNT: usize = 10_000;

#[test]
fn nothing_tunnels_and_the_heap_comes_to_rest() {
    let mut heap = Heap::new(COUNT, Options::default()).unwrap();
    let start = heap.report();
    let mut last = start;
    for step in 1..=240 {
        last = heap.step().unwrap();
        assert!(last.is_sound(&start), "step {step}: {last:?}, from {start:?}");
    }
    // It falls by half a unit, and is slow by now: the example runs until it rests.
    assert!(last.energy < 0.9 * start.energy, "{last:?}, from {start:?}");
    assert!(last.kinetic < 0.1 * COUNT as f64, "{last:?}");
}

#[test]
fn the_same_on_all_levels_and_threads() {
    everywhere(|options| {
        let mut heap = Heap::new(COUNT, options).unwrap();
        for _ in 0..12 {
            heap.step().unwrap();
        }
        let step = heap.world.last_step();
        assert!(step.contacts().len() > 1000 && heap.world.persisted().next().is_some());
        let poses = heap.world.handles().filter_map(|handle| heap.world.pose(handle).ok());
        let poses = poses.flat_map(|pose| [pose.x, pose.y, pose.cos, pose.sin]);
        let values = heap.world.contact_values().iter().flatten().flatten().copied();
        let words = poses.chain(values).map(|value| u64::from(value.to_bits()));
        assert_eq!(hash(words), 10_987_173_473_279_065_273, "{options:?}");
    });
}
