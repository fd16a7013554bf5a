//! Rows in the order of the grid: twenty thousand drifting circles, sorted again every fifty steps.
//!
//! `cargo run --release --example sorted_by_grid`
//!
//! It shows `grid_order`, the order in which the last detection sorted the shapes. Rows in this
//! order are still nearly sorted at the next step, which makes the detection of large scenes
//! faster. All other data by row must be reordered as well: here names and velocities. The output
//! is equal on every machine.

use widephase::{Detector, Error, Shapes, shape::Circle};

const COUNT: usize = 20_000;

/// The largest movement of a circle in a step, along each axis.
const SPEED: f32 = 0.05;

/// The distance that consecutive rows of a sorted world rarely exceed.
const NEAR: f32 = 5.0;

fn main() -> Result<(), Error> {
    let mut random = Random(1);
    let side = (COUNT as f32 * 2.0).sqrt();
    let place = |_| Circle::new([random.within(side / 2.0), random.within(side / 2.0)], 0.5);
    let circles: Vec<Circle> = (0..COUNT).map(place).collect();
    let mut shapes = Shapes::from_slice(&circles)?;
    let mut dx: Vec<f32> = (0..COUNT).map(|_| random.within(SPEED)).collect();
    let mut dy: Vec<f32> = (0..COUNT).map(|_| random.within(SPEED)).collect();
    // The name of each row, which does not change when rows are reordered.
    let mut names: Vec<u32> = (0..COUNT as u32).collect();

    let mut detector = Detector::new();
    let (mut pairs, mut order) = (Vec::new(), Vec::new());
    for step in 0..=100 {
        detector.pairs(&shapes, &mut pairs)?;
        let far = far_rows(&shapes);
        if step % 25 == 0 {
            println!("step {step:3}: {far:5} rows far from the next; {} pairs", pairs.len());
        }
        if step % 50 == 0 {
            detector.grid_order(&mut order);
            shapes.reorder(&order)?;
            names = picked(&names, &order);
            (dx, dy) = (picked(&dx, &order), picked(&dy, &order));
            println!("  sorted: {:5}; row 0 is circle {} now", far_rows(&shapes), names[0]);
        }
        shapes.translate(&dx, &dy)?;
    }
    Ok(())
}

/// The values in a new order.
fn picked<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|&row| values[row as usize]).collect()
}

/// The number of rows that are farther than [`NEAR`] from the next row.
fn far_rows(shapes: &Shapes) -> usize {
    let places: Vec<[f32; 2]> = (0..shapes.rows() as u32)
        .filter_map(|row| shapes.bounds(row))
        .map(|shape| [shape.min_x, shape.min_y])
        .collect();
    let far = |from: [f32; 2], to: [f32; 2]| {
        (from[0] - to[0]).abs() > NEAR || (from[1] - to[1]).abs() > NEAR
    };
    places.windows(2).filter(|rows| far(rows[0], rows[1])).count()
}

/// A linear congruential generator (Knuth, The Art of Computer Programming, volume 2, 1997, section
/// 3.3.4): enough for an example, and the same everywhere.
struct Random(u64);

impl Random {
    /// A number from `-limit` to `limit`.
    fn within(&mut self, limit: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let fraction = (self.0 >> 40) as f32 / (1 << 24) as f32;
        (2.0 * fraction - 1.0) * limit
    }
}
