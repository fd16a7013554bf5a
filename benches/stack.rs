//! Calls at four addresses of the stack, 16 bytes apart: as many as there are in a cache line.
//!
//! `cargo bench --bench stack -- BODIES`. A row for each of the scenes S1 to S8: the time of
//! `pairs` and of `contacts`, in ns a body, and the slowest address to the fastest. An array of
//! lanes that is not aligned shows up here, and in no other bench: its address comes from the
//! caller.
#![allow(missing_docs)]

#[path = "../crates/scenes/adapter.rs"]
mod scene;

use std::{hint::black_box, time::Instant};

use scene::{Scene, SceneKind};
use widephase::{Columns, Contact, Detector, Options, Pair, Threads};

/// Turns, of which each calls at every address.
const TURNS: usize = 41;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let Some(bodies) = words.next() else {
        // `cargo test` runs benches without words.
        return;
    };
    let bodies = bodies.parse().expect("a whole number");
    println!("| scene | pairs | slowest address | contacts | slowest address |");
    println!("|---|---|---|---|---|");
    for kind in SceneKind::ALL.into_iter().take(8) {
        let mut scene = Scene::generate(kind, bodies, 1);
        let mut calls = Calls::new();
        let mut times = [const { [const { Vec::new() }; 4] }; 2];
        for turn in 0..TURNS {
            scene.step();
            let columns = scene.columns();
            for (contacts, times) in [false, true].into_iter().zip(&mut times) {
                let mut call = |_: &[u8]| calls.time(columns, contacts);
                // The first call after the bodies have moved finds the caches cold.
                call(&[]);
                for place in (turn..turn + 4).map(|place| place % 4) {
                    times[place].push(match place {
                        0 => lower::<64>(&mut call),
                        1 => lower::<16>(&mut call),
                        2 => lower::<32>(&mut call),
                        _ => lower::<48>(&mut call),
                    });
                }
            }
        }
        let [pairs, contacts] = times.map(|times| {
            let medians = times.map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[TURNS / 2] / f64::from(bodies)
            });
            let least = medians.into_iter().fold(f64::INFINITY, f64::min);
            format!("{least:.1} | {:.2}", medians.into_iter().fold(0.0, f64::max) / least)
        });
        println!("| {} | {pairs} | {contacts} |", kind.short_name());
    }
}

/// Calls from a place that is `bytes` further down the stack.
#[inline(never)]
fn lower<const BYTES: usize>(call: &mut dyn FnMut(&[u8]) -> f64) -> f64 {
    let held = black_box([0_u8; BYTES]);
    call(&held)
}

struct Calls {
    detector: Detector,
    pairs: Vec<Pair>,
    contacts: Vec<Contact>,
}

impl Calls {
    fn new() -> Self {
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let detector = Detector::with_options(options).unwrap();
        Self { detector, pairs: Vec::new(), contacts: Vec::new() }
    }

    /// The nanoseconds of a call.
    fn time(&mut self, columns: Columns<'_>, contacts: bool) -> f64 {
        let begin = Instant::now();
        match contacts {
            false => self.detector.pairs(columns, &mut self.pairs).unwrap(),
            true => self.detector.contacts(columns, 0.0, &mut self.contacts).unwrap(),
        }
        begin.elapsed().as_nanos() as f64
    }
}
