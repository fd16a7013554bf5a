//! The order in which the executors that keep a structure insert the bodies.

use crate::bodies::{Body, Rows};

/// The rows of bodies in the order of [`along_curve`].
pub fn order<R: Rows>(rows: &R) -> Vec<u32> {
    along_curve(&rows.bodies().map(Body::center).collect::<Vec<_>>())
}

/// Sorts bodies by their centres along a Z-order curve, so that neighbours are also near in memory.
///
/// This corresponds to loading a level in a game: it happens once per scene and is not timed. The
/// columns stay unsorted for all executors.
pub fn along_curve(centers: &[[f32; 2]]) -> Vec<u32> {
    let mut min = [f32::INFINITY; 2];
    let mut max = [f32::NEG_INFINITY; 2];
    for center in centers {
        for (axis, &at) in center.iter().enumerate() {
            min[axis] = min[axis].min(at);
            max[axis] = max[axis].max(at);
        }
    }
    let mut order: Vec<u32> = (0..centers.len() as u32).collect();
    order.sort_by_cached_key(|&row| {
        let center = centers[row as usize];
        let [x, y] = [0, 1].map(|axis| {
            let share = (center[axis] - min[axis]) / (max[axis] - min[axis]);
            spread((share * f32::from(u16::MAX)) as u16)
        });
        x | y << 1
    });
    order
}

/// The bits, each followed by a 0.
fn spread(bits: u16) -> u32 {
    let mut spread = u32::from(bits);
    for (shift, mask) in [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)] {
        spread = (spread | spread << shift) & mask;
    }
    spread
}
