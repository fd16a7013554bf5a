//! Calls that take turns, for the goals that need no other library.

use cpu_time::ThreadTime;
use widephase::Filter;

use crate::{
    doubles::{Wide, WideCall},
    scene::SceneKind,
    sets::{Filtered, RoomCall, Rooms},
    turn::Turn,
};

/// The calls of a row, with their names.
type Calls = Vec<(&'static str, Box<dyn Turn>)>;

/// Prints the median CPU times of all calls, as JSON.
pub(crate) fn goals(rounds: usize) {
    for (name, call) in [("pairs", RoomCall::Pairs), ("rebuild", RoomCall::Index)] {
        // The bodies of the benchmark of spaces.
        let rooms = |size: usize| Box::new(Rooms::new(1 << 18, (1 << 18) / size, false, call));
        let calls: Calls = vec![
            ("one space", rooms(1 << 18)),
            ("spaces of 16", rooms(16)),
            ("spaces of 64", rooms(64)),
        ];
        row(&format!("spaces, {name}"), calls, rounds);
    }
    let none = Some((|_| Filter::new(1, 2)) as fn(usize) -> Filter);
    let calls: Calls = vec![
        ("count", Box::new(Filtered::new(false, None))),
        ("count, none meets", Box::new(Filtered::new(false, none))),
        ("list, none meets", Box::new(Filtered::new(true, none))),
    ];
    row("filters", calls, rounds);
    for kind in [SceneKind::UniformCircles, SceneKind::UniformBoxes] {
        for (len, count) in [(10_000, false), (100_000, false), (10_000, true), (100_000, true)] {
            for pairs in [0.5, 1.0, 2.0] {
                let wide = |wide| Box::new(Wide::new(WideCall { kind, len, pairs, count, wide }));
                let name = if count { "counts" } else { "pairs" };
                let name = format!("{name}, {kind}, {len}, {pairs} pairs a body");
                row(&name, vec![("f32", wide(false)), ("f64", wide(true))], rounds);
            }
        }
    }
}

/// Measures calls in turns. The first call of a turn is not timed: the other calls have evicted its
/// memory from the cache.
fn row(name: &str, mut calls: Calls, rounds: usize) {
    let mut times = vec![Vec::new(); calls.len()];
    for round in 0..rounds {
        for ((name, call), times) in calls.iter_mut().zip(&mut times) {
            call.step();
            let found = call.detect();
            if round == 0 {
                assert_eq!(found, call.expected(), "{name}");
            }
            call.step();
            let start = ThreadTime::now();
            call.detect();
            times.push(start.elapsed().as_nanos());
        }
    }
    for ((call, _), mut times) in calls.into_iter().zip(times) {
        times.sort_unstable();
        let median = times[times.len() / 2];
        println!(r#"{{"row": "{name}", "call": "{call}", "ns": {median}}}"#);
    }
}
