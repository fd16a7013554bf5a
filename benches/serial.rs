//! One call again and again, on the rayon pool: the program that `benches/tables serial` samples.
//!
//! `cargo bench --bench serial -- CALL BODIES SECONDS`. Circles of scene S1 that move between two
//! calls. A sample belongs to the call if `measured` is on its stack.
#![allow(missing_docs)]

#[path = "../crates/scenes/adapter.rs"]
mod scene;

use std::time::{Duration, Instant};

use scene::{Scene, SceneKind};
use widephase::{
    Adjacency, Body, Columns, Detector, Index, Lists, Options, Order, PairDiff, Threads, World,
    shape::Circle,
    tiles::{TileRows, Tiles},
};
use widephase_scenes::Bodies;

/// Three times the smallest radius of a scene: some neighbours for each body.
const DISTANCE: f32 = 1.5;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let (Some(call), Some(len), Some(seconds)) = (words.next(), words.next(), words.next()) else {
        // `cargo test` runs benches without words.
        return;
    };
    let number = |word: String| word.parse::<u32>().expect("a whole number");
    let mut scene = Scene::generate("s1".parse::<SceneKind>().unwrap(), number(len), 1);
    let mut call = call_of(&call, circles(&scene));
    let end = Instant::now() + Duration::from_secs(u64::from(number(seconds)));
    // In the pool, so that the calling thread is one of its threads.
    rayon::scope(|_| {
        while Instant::now() < end {
            scene.step();
            call(circles(&scene), &|work| measured(work));
        }
    });
}

#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    // So that this is no jump to the work, which would take its place on the stack.
    std::hint::black_box(());
}

/// The columns of circles.
type Circles<'a> = [&'a [f32]; 3];

fn circles(scene: &Scene) -> Circles<'_> {
    match scene.bodies() {
        Bodies::Circles { x, y, radius } => [x, y, radius],
        _ => unreachable!("scene S1 has circles"),
    }
}

fn of([x, y, radius]: Circles<'_>) -> Columns<'_> {
    Columns::circles(x, y, radius).unwrap()
}

/// A call for the bodies, which passes the measured work on.
type Call = Box<dyn FnMut(Circles<'_>, &dyn Fn(&mut dyn FnMut())) + Send>;

fn call_of(name: &str, [x, y, radius]: Circles<'_>) -> Call {
    let mut detector = Detector::new();
    // For work that is not measured, so that its tasks are not counted.
    let alone = Options { threads: Threads::Calling, ..Options::default() };
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    let (mut index, mut rows, mut lists) = (Index::new(), Lists::new(), Lists::new());
    match name {
        "pairs" => Box::new(move |bodies, measure| {
            let columns = of(bodies);
            measure(&mut || detector.pairs(columns, &mut pairs).unwrap());
        }),
        "sorted" => {
            let options = Options { order: Order::Sorted, ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            Box::new(move |bodies, measure| {
                let columns = of(bodies);
                measure(&mut || detector.pairs(columns, &mut pairs).unwrap());
            })
        }
        "contacts" => Box::new(move |bodies, measure| {
            let columns = of(bodies);
            measure(&mut || detector.contacts(columns, 0.0, &mut contacts).unwrap());
        }),
        "neighbors" => Box::new(move |bodies, measure| {
            let columns = of(bodies);
            measure(&mut || {
                detector.neighbors(columns, DISTANCE, Adjacency::Full, &mut rows).unwrap();
            });
        }),
        "distances" => Box::new(move |bodies, measure| {
            let columns = of(bodies);
            measure(&mut || {
                let kind = Adjacency::Full;
                detector.neighbor_distances(columns, DISTANCE, kind, &mut lists).unwrap();
            });
        }),
        "rebuild" => Box::new(move |bodies, measure| {
            let columns = of(bodies);
            measure(&mut || index.rebuild(columns).unwrap());
        }),
        "nearest" => {
            index.rebuild(of([x, y, radius])).unwrap();
            Box::new(move |_, measure| {
                measure(&mut || index.k_nearest_of_rows(3, f32::INFINITY, &mut lists).unwrap());
            })
        }
        "diff" => {
            let (mut diff, mut detector) =
                (PairDiff::new(), Detector::with_options(alone).unwrap());
            Box::new(move |bodies, measure| {
                let columns = of(bodies);
                detector.pairs(columns, &mut pairs).unwrap();
                measure(&mut || diff.update(&pairs).unwrap());
            })
        }
        "tiles" => {
            let mut rows = TileRows::new();
            Box::new(move |bodies, measure| {
                let columns = of(bodies);
                measure(&mut || {
                    let tiles = Tiles::balanced(columns, 16).unwrap();
                    rows.divide(&tiles, columns, 0.0).unwrap();
                });
            })
        }
        "step" => {
            let mut world = World::new();
            for row in 0..x.len() {
                world.insert(Circle::new([x[row], y[row]], radius[row]), Body::default()).unwrap();
            }
            Box::new(move |[x, y, _], measure| {
                world.set_positions_of_all(x, y).unwrap();
                measure(&mut || {
                    world.step().unwrap();
                });
            })
        }
        _ => panic!("no call {name}"),
    }
}
