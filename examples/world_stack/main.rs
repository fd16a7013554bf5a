//! A heap: 10,000 circles and boxes fall into a pit and come to rest.
//!
//! `cargo run --release --example world_stack`
//!
//! It shows how to hang a solver on a `World`: contacts, values that stay with their points for
//! warm starting, and poses in bulk. Nothing may tunnel, overlaps and energy have bounds. The
//! output is equal on every machine, except for the time.

use std::{error::Error, time::Instant};

use heap::Heap;
use widephase::Options;

mod heap;

const COUNT: usize = 10_000;
const STEPS: u32 = 600;
/// The kinetic energy of a body of mass 1 at rest: less than a hundredth of a fall by its width.
const REST: f64 = 0.01;

fn main() -> Result<(), Box<dyn Error>> {
    let mut heap = Heap::new(COUNT, Options::default())?;
    let (began, start) = (Instant::now(), heap.report());
    println!("{COUNT} bodies; energies are means of a body");
    for step in 1..=STEPS {
        let report = heap.step()?;
        let [kinetic, energy] = [report.kinetic, report.energy].map(|sum| sum / COUNT as f64);
        if step % 50 == 0 {
            let contacts = heap.world.last_step().contacts().len();
            println!(
                "step {step}: {contacts} contacts, deepest {:.3}, energy {energy:.3}, kinetic \
                 {kinetic:.4}",
                report.depth
            );
        }
        if !report.is_sound(&start) || (step == STEPS && kinetic > REST) {
            return Err(format!("step {step} is beyond the bounds: {report:?}").into());
        }
    }
    println!("at rest; {:.1} ms a step", began.elapsed().as_secs_f64() * 1e3 / f64::from(STEPS));
    Ok(())
}
