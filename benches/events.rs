//! Events: a `PairDiff` beside `std::collections::HashSet`, on lists of bodies that move, with
//! about three pairs a body, in grid order and sorted.
//!
//! `moves` is how often bodies have moved from one list to the next; the share of new pairs is
//! printed. Bodies that change their ids are measured with few changes of pairs only.
//!
//! `cargo bench --bench events`. The throughput counts pairs. Bodies move between the timed calls.
//! The numbers of events are checked against each other at the start.
#![allow(missing_docs)]

#[path = "../crates/scenes/adapter.rs"]
mod scene;

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use scene::{Scene, SceneKind};
use widephase::{Columns, Detector, Options, Order, Pair, PairDiff};

/// Steps of each scene that are kept, and played to and fro.
const STEPS: usize = 6;

/// How often bodies move from one step to the next: about 2, 8 and 57 % of the pairs are new.
const MOVES: [usize; 3] = [1, 4, 32];

fn pair_diff(c: &mut Criterion) {
    let mut group = c.benchmark_group("pair-diff");
    for (len, moves) in [10_000, 100_000].map(|len| MOVES.map(|moves| (len, moves))).concat() {
        for order in [Order::Grid, Order::Sorted] {
            let mut film = None;
            for way in Way::ALL {
                if matches!(way, Way::NewIds | Way::MixedIds) && moves > 1 {
                    continue;
                }
                let id = BenchmarkId::new(format!("{} {order:?} {moves} moves", way.name()), len);
                group.bench_function(id, |b| {
                    let film = film.get_or_insert_with(|| Film::new(len, moves, order));
                    let mut player = Player::new(film, way);
                    b.iter_custom(|rounds| (0..rounds).map(|_| player.turn()).sum());
                });
            }
            if let Some(film) = film {
                let pairs = film.steps.iter().map(Vec::len).sum::<usize>() / STEPS;
                println!("{pairs} pairs, {:.1} % new at each step", 100.0 * film.share_started());
                group.throughput(Throughput::Elements(pairs as u64));
            }
        }
    }
    group.finish();
}

/// How lists are compared.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// By rows.
    Rows,
    /// By ids.
    Ids,
    /// By ids, one body in a thousand being replaced at each step.
    NewIds,
    /// These steps, with ids that are not counted up but anywhere between the other ids.
    MixedIds,
    /// By rows, in two hash sets.
    HashSet,
    /// By ids, in two hash sets.
    HashSetOfIds,
}

impl Way {
    const ALL: [Way; 6] =
        [Way::Rows, Way::Ids, Way::NewIds, Way::MixedIds, Way::HashSet, Way::HashSetOfIds];

    fn name(self) -> &'static str {
        match self {
            Way::Rows => "rows",
            Way::Ids => "ids",
            Way::NewIds => "ids that change",
            Way::MixedIds => "mixed ids that change",
            Way::HashSet => "HashSet of rows",
            Way::HashSetOfIds => "HashSet of ids",
        }
    }
}

/// The pairs of bodies at some steps.
struct Film {
    len: u32,
    steps: Vec<Vec<Pair>>,
}

impl Film {
    fn new(len: u32, moves: usize, order: Order) -> Self {
        let mut scene = Scene::generate(SceneKind::UniformCircles, len, 1);
        let options = Options { order, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let steps = (0..STEPS).map(|_| {
            for _ in 0..moves {
                scene.step();
            }
            let bodies = scene.rounded_boxes();
            let [x, y] = [0, 1].map(|axis: usize| {
                bodies.iter().map(|body| [body.min_x, body.min_y][axis]).collect::<Vec<_>>()
            });
            // Three times the area gives three times the pairs.
            let radius: Vec<_> = bodies.iter().map(|body| body.radius * 3_f32.sqrt()).collect();
            let mut pairs = Vec::new();
            detector.pairs(Columns::circles(&x, &y, &radius).unwrap(), &mut pairs).unwrap();
            pairs
        });
        Self { len, steps: steps.collect() }
    }

    fn share_started(&self) -> f64 {
        let mut diff = PairDiff::new();
        diff.update(&self.steps[0]).unwrap();
        diff.update(&self.steps[1]).unwrap();
        diff.started().len() as f64 / self.steps[1].len() as f64
    }
}

/// Passes the steps of a film to and fro.
struct Player<'a> {
    film: &'a Film,
    way: Way,
    turn: usize,
    ids: Vec<u64>,
    diff: PairDiff,
    /// The pairs of this step and of the last step.
    sets: [HashSet<[u64; 2]>; 2],
    rows: [HashSet<Pair>; 2],
    started: Vec<[u64; 2]>,
    persisted: Vec<[u64; 2]>,
    stopped: Vec<[u64; 2]>,
}

impl<'a> Player<'a> {
    fn new(film: &'a Film, way: Way) -> Self {
        let mut player = Self {
            film,
            way,
            turn: 0,
            ids: (0..u64::from(film.len)).map(|row| (1 << 40) + row * 3).collect(),
            diff: PairDiff::new(),
            sets: Default::default(),
            rows: Default::default(),
            started: Vec::new(),
            persisted: Vec::new(),
            stopped: Vec::new(),
        };
        for _ in 0..2 * STEPS {
            player.turn();
        }
        player
    }

    /// The time of one step.
    fn turn(&mut self) -> Duration {
        self.turn += 1;
        let at = self.turn % (2 * STEPS - 2);
        let pairs = &self.film.steps[at.min(2 * STEPS - 2 - at)];
        if matches!(self.way, Way::NewIds | Way::MixedIds) {
            let turn = self.turn as u64;
            for row in (self.turn % 1000..self.ids.len()).step_by(1000) {
                self.ids[row] = match self.way {
                    Way::NewIds => ((turn + 1) << 41) + row as u64,
                    _ => (1 << 40) + row as u64 * 3 + 1 + turn % 2,
                };
            }
        }
        let start = Instant::now();
        let Self { diff, ids, sets, rows, .. } = self;
        match self.way {
            Way::Rows => diff.update(pairs).unwrap(),
            Way::Ids | Way::NewIds | Way::MixedIds => diff.update_with_ids(pairs, ids).unwrap(),
            Way::HashSet => {
                let [last, now] = rows;
                now.clear();
                now.extend(pairs.iter().copied());
                let ids = |pair: &Pair| [u64::from(pair.a), u64::from(pair.b)];
                self.started.clear();
                self.persisted.clear();
                for pair in now.iter() {
                    let events =
                        if last.contains(pair) { &mut self.persisted } else { &mut self.started };
                    events.push(ids(pair));
                }
                self.stopped.clear();
                self.stopped.extend(last.iter().filter(|pair| !now.contains(pair)).map(ids));
                rows.swap(0, 1);
            }
            Way::HashSetOfIds => {
                let [last, now] = sets;
                now.clear();
                now.extend(pairs.iter().map(|pair| {
                    let [a, b] = [ids[pair.a as usize], ids[pair.b as usize]];
                    [a.min(b), a.max(b)]
                }));
                self.started.clear();
                self.persisted.clear();
                for pair in now.iter() {
                    let events =
                        if last.contains(pair) { &mut self.persisted } else { &mut self.started };
                    events.push(*pair);
                }
                self.stopped.clear();
                self.stopped.extend(last.iter().filter(|pair| !now.contains(*pair)));
                sets.swap(0, 1);
            }
        }
        start.elapsed()
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(200));
    targets = pair_diff
}
criterion_main!(benches);
