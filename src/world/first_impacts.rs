//! `FirstImpacts`: the impacts of a sweep → the first impact of each row.

use crate::{
    base::{Handle, NO_ROW, held},
    motion::Impact,
};

/// The displacements of the rows of a world, and their impacts.
#[derive(Debug, Default)]
pub(super) struct FirstImpacts {
    pub(super) by: [Vec<f32>; 2],
    /// Whether each row moves.
    pub(super) moves: Vec<bool>,
    pub(super) impacts: Vec<Impact>,
    /// The first impact of each row, or [`NO_ROW`].
    pub(super) first: Vec<u32>,
}

held!(FirstImpacts { by, moves, impacts, first });

impl FirstImpacts {
    /// Notes the displacements of all rows.
    pub(super) fn begin(&mut self, rows: usize, bodies: &[Handle], displacements: &[[f32; 2]]) {
        let Self { by, moves, first, .. } = self;
        for column in &mut *by {
            column.clear();
            column.resize(rows, 0.0);
        }
        moves.clear();
        moves.resize(rows, false);
        first.clear();
        first.resize(rows, NO_ROW);
        for (body, [dx, dy]) in bodies.iter().zip(displacements) {
            let row = body.row() as usize;
            (by[0][row], by[1][row], moves[row]) = (*dx, *dy, true);
        }
    }

    /// Finds the first impact of each row that moves. Impacts are sorted by rows, so of several
    /// impacts at one time, the first is the impact with the smallest row.
    pub(super) fn find_first(&mut self) {
        let Self { moves, impacts, first, .. } = self;
        for (number, impact) in (0..).zip(&*impacts) {
            for row in [impact.pair.a, impact.pair.b] {
                let first = &mut first[row as usize];
                let earlier = |other: &Impact| impact.fraction < other.fraction;
                if moves[row as usize] && impacts.get(*first as usize).is_none_or(earlier) {
                    *first = number;
                }
            }
        }
    }
}
