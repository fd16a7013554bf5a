//! The pane without pictures: equal on every SIMD level and any number of threads.

use bevy_ecs::prelude::*;
use widephase::{Options, SimdLevel, Threads};
use widephase_ecs::{Position, Radius, Tally, pane};

/// Runs some steps, and returns the events and a hash (FNV-1a) of all drops.
fn run(options: Options) -> (Tally, u64) {
    let (mut world, mut step) = pane(options).unwrap();
    for _ in 0..30 {
        step.run(&mut world);
    }
    let mut drops = world.query::<(Entity, &Position, &Radius)>();
    let words = drops.iter(&world).flat_map(|(entity, position, radius)| {
        let values = [position.0.x, position.0.y, radius.0].map(|v| u64::from(v.to_bits()));
        std::iter::once(entity.to_bits()).chain(values)
    });
    let hash = words.flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (*world.resource(), hash)
}

#[test]
fn the_same_on_all_levels_and_threads() {
    let expected = Tally { rained: 2385, merged: 393, stopped: 385 };
    for &level in SimdLevel::available() {
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options =
                Options { simd_level: Some(level), threads: Threads::Pool, ..Options::default() };
            let (tally, hash) = pool.install(|| run(options));
            assert_eq!(
                (tally, hash),
                (expected, 13_387_391_984_694_340_978),
                "{level}, {threads} threads"
            );
        }
    }
}

#[test]
fn no_drop_is_lost() {
    let (mut world, mut step) = pane(Options::default()).unwrap();
    let mut drops = world.query::<&Radius>();
    for _ in 0..30 {
        step.run(&mut world);
        let tally: Tally = *world.resource();
        assert_eq!(drops.iter(&world).len() as u32, tally.rained - tally.merged);
    }
}
