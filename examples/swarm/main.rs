//! A swarm: 4,096 environments of sixteen agents, as for reinforcement learning.
//!
//! `cargo run --release --example swarm`
//!
//! It shows spaces: the agents of all environments are in one set of columns, and one call answers
//! for all environments. At each step, each agent observes its three nearest neighbours and the
//! ranges of sixteen rays. The same observations are made by plain loops, to compare the times and
//! the answers.

use std::time::{Duration, Instant};

use environments::{AGENTS, NEAREST, RADIUS, RAYS, Swarm};
use widephase::{Error, IndexOptions, Threads};

mod by_hand;
mod environments;

const ENVIRONMENTS: usize = 4096;
const STEPS: usize = 20;

fn main() -> Result<(), Error> {
    // One thread, as the loops.
    let options = IndexOptions { threads: Threads::Calling, ..IndexOptions::default() };
    let mut swarm = Swarm::new(ENVIRONMENTS, options)?;
    let agents = swarm.x.len();
    let mut near = vec![[(0, 0.0); NEAREST]; agents];
    let mut ranges = vec![0.0; agents * RAYS];
    let (mut library, mut loops) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..STEPS {
        swarm.step()?;
        let start = Instant::now();
        swarm.observe()?;
        library += start.elapsed();
        let start = Instant::now();
        by_hand::nearest(&swarm.x, &swarm.y, &mut near);
        by_hand::ranges(&swarm.x, &swarm.y, swarm.directions(), &mut ranges);
        loops += start.elapsed();
    }
    let of_step = |time: Duration| time.as_secs_f64() * 1e9 / (STEPS * agents) as f64;
    let (library, loops) = (of_step(library), of_step(loops));
    println!(
        "{ENVIRONMENTS} environments of {AGENTS} agents, {NEAREST} neighbours and {RAYS} rays"
    );
    println!("library {library:.0} ns an agent, loops {loops:.0}: {:.1} times", loops / library);

    let off = |near: f32, other: f32| near != other && (near - other).abs() > 1e-3;
    let pairs = ranges.iter().zip(&swarm.scan.range);
    let ranges_off = pairs.filter(|(range, other)| off(**range, **other)).count();
    let distances = near.iter().enumerate().filter(|(agent, near)| {
        let listed = swarm.near.get(*agent).iter();
        listed.zip(*near).any(|(a, b)| off(a.distance, (b.1 - 2.0 * RADIUS).max(0.0)))
    });
    println!("{} neighbours and {ranges_off} ranges are off by 0.001", distances.count());
    let checksum = swarm.x.iter().fold(0, |sum: u32, x| sum.rotate_left(5) ^ x.to_bits());
    println!("checksum {checksum:08x}");
    Ok(())
}
