//! The same observations by plain loops over the shapes of an environment.

use super::environments::{AGENTS, NEAREST, RADIUS, RAYS, SIGHT, walls};

/// The nearest agents of an agent, as numbers and distances of centres: the nearest one first.
pub(crate) type Near = [(u32, f32); NEAREST];

/// Writes the nearest agents of each agent.
pub(crate) fn nearest(x: &[f32], y: &[f32], out: &mut [Near]) {
    let environments = x.chunks(AGENTS).zip(y.chunks(AGENTS)).zip(out.chunks_mut(AGENTS));
    for (environment, ((x, y), out)) in environments.enumerate() {
        for (agent, out) in out.iter_mut().enumerate() {
            let mut near = [(u32::MAX, f32::INFINITY); NEAREST];
            for other in 0..AGENTS {
                let (dx, dy) = (x[other] - x[agent], y[other] - y[agent]);
                let square = dx * dx + dy * dy;
                if other != agent && square < near[NEAREST - 1].1 {
                    let mut place = NEAREST - 1;
                    while place > 0 && square < near[place - 1].1 {
                        near[place] = near[place - 1];
                        place -= 1;
                    }
                    near[place] = ((environment * AGENTS + other) as u32, square);
                }
            }
            *out = near.map(|(row, square)| (row, square.sqrt()));
        }
    }
}

/// Writes the ranges of each agent, ray by ray: infinity where it sees nothing.
pub(crate) fn ranges(x: &[f32], y: &[f32], directions: &[[f32; 2]; RAYS], out: &mut [f32]) {
    let environments = x.chunks(AGENTS).zip(y.chunks(AGENTS)).zip(out.chunks_mut(AGENTS * RAYS));
    for (environment, ((x, y), out)) in environments.enumerate() {
        let walls = walls(environment);
        for (agent, out) in out.chunks_mut(RAYS).enumerate() {
            for ([dx, dy], out) in directions.iter().zip(out) {
                let mut range = SIGHT;
                for other in 0..AGENTS {
                    let (to_x, to_y) = (x[other] - x[agent], y[other] - y[agent]);
                    let along = to_x * dx + to_y * dy;
                    let from2 = to_x * to_x + to_y * to_y;
                    if other == agent {
                        continue;
                    }
                    if from2 <= RADIUS * RADIUS {
                        range = 0.0;
                    } else if along > 0.0 {
                        let inner = RADIUS * RADIUS - (from2 - along * along);
                        if inner >= 0.0 {
                            range = range.min(along - inner.sqrt());
                        }
                    }
                }
                for [left, low, right, high] in walls {
                    let (one, other) = ((left - x[agent]) / dx, (right - x[agent]) / dx);
                    let (below, above) = ((low - y[agent]) / dy, (high - y[agent]) / dy);
                    let enters = one.min(other).max(below.min(above)).max(0.0);
                    let leaves = one.max(other).min(below.max(above));
                    if enters <= leaves {
                        range = range.min(enters);
                    }
                }
                *out = if range < SIGHT { range } else { f32::INFINITY };
            }
        }
    }
}
