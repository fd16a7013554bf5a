//! A melt: 128 chains of beads in a box that repeats.
//!
//! `cargo run --release --example polymers`
//!
//! It shows pairs and nearest neighbours across the seam, and pairs that a function of your own
//! leaves out: joined beads do not push each other apart, and the nearest bead is a bead of another
//! chain. The output is equal on every machine.

mod melt;

use melt::Melt;
use widephase::{Error, Options};

const STEPS: usize = 200;

fn main() -> Result<(), Error> {
    let mut melt = Melt::new(Options::default())?;
    for _ in 0..STEPS {
        melt.step()?;
    }
    let nearest = melt.nearest()?;
    let beads = nearest.len();
    let gaps = || nearest.items().iter().map(|near| near.distance);
    let mean = gaps().map(f64::from).sum::<f64>() / beads as f64;
    let across = nearest.items().iter().filter(|near| near.shift != [0, 0]).count();
    println!("{beads} beads after {STEPS} steps");
    println!("to the nearest bead of another chain: a gap of {mean:.3} on average");
    println!("for {across} beads, it is across the seam");
    let checksum = melt.x.iter().fold(0, |sum: u32, v| sum.rotate_left(5) ^ v.to_bits());
    println!("checksum {checksum:08x}");
    Ok(())
}
