//! Measures all ways in turn and checks whether they agree.

use std::{
    collections::{BTreeMap, HashSet},
    time::Instant,
};

use anyhow::{Result, ensure};
use widephase::{Narrowphase, NarrowphaseOptions, Pair, SimdLevel};

use crate::{
    Args,
    rivals::{Rival, Task, WideContacts},
    worlds::{Store, World},
};

/// The result for one pair of kinds.
pub struct Outcome {
    /// The number of pairs of all worlds.
    pub pairs: usize,
    pub touching: usize,
    /// For each way, the number of pairs that it decides differently from widephase. Then the
    /// number of these pairs that are not close to touching: these pairs are wrong, because another
    /// way of its own library agrees with widephase.
    pub differing: BTreeMap<String, [usize; 2]>,
    pub times: Vec<Timed>,
}

/// The time of one way.
pub struct Timed {
    pub task: Task,
    pub way: String,
    /// Median over all worlds and rounds.
    pub ns_per_pair: f64,
    pub touching: usize,
}

/// Runs each way on all worlds, round by round.
///
/// # Errors
/// If all ways of parry disagree with widephase about a pair that is not `close` to touching, in
/// the unit of length.
pub fn run<S: Store>(
    worlds: &[World<S>],
    mut rivals: Vec<Box<dyn Rival<S>>>,
    args: &Args,
    close: f32,
) -> Result<Outcome> {
    let asked =
        |name: &str| args.way.is_empty() || args.way.iter().any(|way| name.starts_with(way));
    rivals.retain(|rival| asked(&rival.name()));
    let mut counts = vec![0; rivals.len()];
    let mut touching = 0;
    let mut differing = BTreeMap::<String, [usize; 2]>::new();
    for world in worlds {
        let mut standard = WideContacts::new(SimdLevel::Scalar)?;
        Rival::<S>::run(&mut standard, world)?;
        let expected: HashSet<Pair> = Rival::<S>::touching(&standard, world).into_iter().collect();
        touching += expected.len();
        let close_calls = close_calls(world, close)?;
        let mut found = Vec::new();
        for (rival, count) in rivals.iter_mut().zip(&mut counts) {
            rival.run(world)?;
            let set: HashSet<Pair> = rival.touching(world).into_iter().collect();
            *count += set.len();
            found.push((rival.name(), set));
        }
        for (name, set) in &found {
            for &pair in expected.symmetric_difference(set) {
                let known = expected.contains(&pair);
                let agrees = |(other, set): &(String, HashSet<Pair>)| {
                    other.starts_with("parry") && set.contains(&pair) == known
                };
                let differing = differing.entry(name.clone()).or_default();
                differing[0] += 1;
                if !close_calls.contains(&pair) {
                    let alone = name.starts_with("parry") && found.iter().any(agrees);
                    ensure!(alone, "{name}: {pair:?} touches for one library only");
                    differing[1] += 1;
                }
            }
        }
    }

    let mut times = vec![Vec::new(); rivals.len()];
    for _ in 0..args.rounds {
        for world in worlds {
            for (rival, times) in rivals.iter_mut().zip(&mut times) {
                let start = Instant::now();
                rival.run(world)?;
                let per_pair = start.elapsed().as_nanos() as f64 / world.pairs.len() as f64;
                times.push(per_pair);
            }
        }
    }
    let times = rivals.iter().zip(times).zip(counts).map(|((rival, mut times), touching)| {
        times.sort_unstable_by(f64::total_cmp);
        let ns_per_pair = times[times.len() / 2];
        Timed { task: rival.task(), way: rival.name(), ns_per_pair, touching }
    });
    let pairs = worlds.iter().map(|world| world.pairs.len()).sum();
    Ok(Outcome { pairs, touching, differing, times: times.collect() })
}

/// The pairs that are at most `close` from touching.
fn close_calls<S: Store>(world: &World<S>, close: f32) -> Result<HashSet<Pair>> {
    let mut contacts = Vec::new();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(SimdLevel::Scalar),
        ..NarrowphaseOptions::default()
    })?;
    narrowphase.contacts(&world.shapes, &world.pairs, close, &mut contacts)?;
    let close_calls = contacts.iter().filter(|contact| contact.depth.abs() <= close);
    Ok(close_calls.map(|contact| contact.pair).collect())
}
