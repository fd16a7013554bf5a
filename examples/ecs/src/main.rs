//! `cargo run --manifest-path examples/ecs/Cargo.toml`: drops of rain that merge, without pictures.

use bevy_ecs::error::Result;
use widephase::Options;
use widephase_ecs::{Radius, Tally, pane};

fn main() -> Result {
    let (mut world, mut step) = pane(Options::default())?;
    for number in 1..=200 {
        step.run(&mut world);
        if number % 20 == 0 {
            let radii: Vec<f32> = world.query::<&Radius>().iter(&world).map(|it| it.0).collect();
            let largest = radii.iter().copied().fold(0.0, f32::max);
            let drops = radii.len();
            let Tally { rained, merged, .. } = *world.resource();
            print!("step {number}: {drops} drops; {rained} have rained, {merged} have merged; ");
            println!("the largest has radius {largest:.2}");
        }
    }
    Ok(())
}
