//! A carefully optimized scalar grid: flat arrays, one counting sort, no SIMD.
//!
//! Each body is sorted into the cell of its centre, in the grid level of its size. The cells of a
//! level are at least as large as its largest body, and four times as large as the cells of the
//! next level. Scenes of similar bodies have one level. All levels share one table of cells and one
//! counting sort. The sort moves the bodies themselves, so a row of neighbouring cells is
//! contiguous in memory.
//!
//! Within a level each body is tested against the bodies behind it in its cell, the cell to the
//! right and the three cells above, which are two runs. For two levels, the bodies of one are
//! tested against the runs of the other that their bounds reach. The cheaper direction is chosen.
//!
//! A level whose world has many more cells than bodies wraps around like a torus. Bodies that only
//! meet by wrapping fail the exact test.

use std::ops::Range;

use anyhow::Result;
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows, larger};

/// log2 of the ratio of the cell sizes of a level and the next.
const LEVEL_BITS: u32 = 2;

/// The maximum number of levels. The last one holds all smaller bodies.
const MAX_LEVELS: usize = 16;

/// The number of cells per body above which a level wraps around.
const MAX_CELLS_A_BODY: u64 = 4;

/// The side of a cell, relative to the side of the square that a body has on average, unless the
/// largest body needs larger cells: 1.2 bodies a cell.
const ROOM: f32 = 1.1;

/// The limit of this growth of the cells, relative to the largest body.
const MAX_GROWTH: f32 = 2.0;

/// The cost of looking up a run of cells, in tests.
const RUN: f32 = 4.0;

/// The number of pairs that are written without a branch before they are appended.
const BLOCK: usize = 256;

pub struct ScalarGrid<B> {
    levels: Vec<Level>,
    /// The cell of each body.
    keys: Vec<u32>,
    /// The start of the bodies of each cell, of all levels.
    starts: Vec<u32>,
    records: Vec<Record<B>>,
}

/// A body and its row.
#[derive(Debug, Clone, Copy, Default)]
struct Record<B> {
    body: B,
    row: u32,
}

/// The result of the first pass over the bodies.
struct Survey {
    min: [f32; 2],
    max: [f32; 2],
    smallest: f32,
    largest: f32,
}

/// The cells of bodies of similar size.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    bodies: u32,
    /// The size of the largest body.
    size: f32,
    origin: [f32; 2],
    cells_a_unit: f32,
    /// Cells along each axis in the world.
    world: [u32; 2],
    /// Cells along each axis in the table: one empty cell more than in the world, for the
    /// neighbours of the last cell. If the level wraps around: fewer, a power of two.
    table: [u32; 2],
    /// The bits of a cell's position that are kept: all bits, or its position on the torus.
    mask: [u32; 2],
    /// The first cell in the table of all levels.
    base: u32,
}

impl<B> Default for ScalarGrid<B> {
    fn default() -> Self {
        Self { levels: Vec::new(), keys: Vec::new(), starts: Vec::new(), records: Vec::new() }
    }
}

impl<R: Rows> Executor<R> for ScalarGrid<R::Body> {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        if rows.len() < 2 {
            return Ok(());
        }
        let survey = Survey::new(rows);
        self.plan(rows, &survey);
        self.sort(rows, &survey);
        let mut out = Out { block: [Pair::default(); BLOCK], len: 0, pairs };
        for (number, level) in self.levels.iter().enumerate() {
            if level.bodies > 0 {
                self.within(level, &mut out);
                for finer in self.levels[number + 1..].iter().filter(|finer| finer.bodies > 0) {
                    if level.cost_of_asking(finer) < finer.cost_of_asking(level) {
                        self.across(level, finer, &mut out);
                    } else {
                        self.across(finer, level, &mut out);
                    }
                }
            }
        }
        out.flush();
        Ok(())
    }
}

impl<B: Body> ScalarGrid<B> {
    /// Sizes the cells of each level.
    fn plan<R: Rows<Body = B>>(&mut self, rows: &R, survey: &Survey) {
        self.levels.clear();
        if survey.one_level() {
            self.levels.push(Level {
                bodies: rows.len() as u32,
                size: survey.largest,
                ..Level::default()
            });
        } else {
            self.levels.resize(MAX_LEVELS, Level::default());
            for body in rows.bodies() {
                let level = &mut self.levels[survey.level(body.size())];
                level.bodies += 1;
                level.size = larger(level.size, body.size());
            }
        }
        let mut base = 0;
        for level in self.levels.iter_mut().filter(|level| level.bodies > 0) {
            level.lay_out(survey, base);
            base += level.table[0] * level.table[1];
        }
        // One entry more for the end of the last cell, and one entry for the offset of the counts.
        self.starts.clear();
        self.starts.resize(base as usize + 2, 0);
    }

    /// Sorts the records by cell.
    fn sort<R: Rows<Body = B>>(&mut self, rows: &R, survey: &Survey) {
        let Self { levels, keys, starts, records } = self;
        keys.clear();
        if let [level] = levels[..] {
            keys.extend(rows.bodies().map(|body| level.key(body.center())));
        } else {
            keys.extend(
                rows.bodies().map(|body| levels[survey.level(body.size())].key(body.center())),
            );
        }
        // The counts are stored two places further on, so the prefix sums are the starts of the
        // cells, one place further on. Moving the bodies turns each start into the end of its cell,
        // which is the start of the next.
        for &key in &*keys {
            starts[key as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        records.resize(rows.len(), Record::default());
        for (row, (body, &key)) in rows.bodies().zip(&*keys).enumerate() {
            let place = &mut starts[key as usize + 1];
            records[*place as usize] = Record { body, row: row as u32 };
            *place += 1;
        }
    }

    /// The pairs of bodies of one level.
    fn within(&self, level: &Level, out: &mut Out<'_>) {
        const NONE: Range<usize> = 0..0;
        let [width, height] = level.table;
        for y in 0..height {
            let row = level.base + y * width;
            let row_above = level.base + if y + 1 < height { y + 1 } else { 0 } * width;
            for x in 0..width {
                let own = self.run(row, x, x);
                if own.is_empty() {
                    continue;
                }
                let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
                let right_end = self.run(row, right, right).end;
                let above = &self.records[self.run(row_above, left, right)];
                // The cells that wrap around on the left or right side of the torus.
                let beyond = if x == 0 {
                    [self.run(row_above, width - 1, width - 1), NONE]
                } else if x + 1 == width {
                    [self.run(row, 0, 0), self.run(row_above, 0, 0)]
                } else {
                    [NONE, NONE]
                };
                let row = &self.records[own.start..right_end];
                for index in 0..own.len() {
                    out.test(&row[index], &row[index + 1..]);
                    out.test(&row[index], above);
                }
                for run in beyond {
                    for record in &row[..own.len()] {
                        out.test(record, &self.records[run.clone()]);
                    }
                }
            }
        }
    }

    /// The pairs of bodies of two levels: each body of `asking` looks up the cells of `asked`.
    fn across(&self, asking: &Level, asked: &Level, out: &mut Out<'_>) {
        let [width, height] = asked.table;
        let all = self.run(asking.base, 0, asking.table[0] * asking.table[1] - 1);
        for record in &self.records[all] {
            let Bounds { min, max } = record.body.bounds();
            let reach = asked.size * 0.5;
            let first = asked.cell(min.map(|side| side - reach));
            let last = asked.cell(max.map(|side| side + reach));
            // No row or column is met twice, even if the body extends around the whole torus.
            let rows = (last[1] - first[1] + 1).min(height);
            let columns = (last[0] - first[0] + 1).min(width);
            let left = first[0] & asked.mask[0];
            let until_side = columns.min(width - left);
            for y in first[1]..first[1] + rows {
                let row = asked.base + (y & asked.mask[1]) * width;
                out.test(record, &self.records[self.run(row, left, left + until_side - 1)]);
                if until_side < columns {
                    out.test(record, &self.records[self.run(row, 0, columns - until_side - 1)]);
                }
            }
        }
    }

    /// The records of the cells from `first` to `last` of a row that begins at cell `row`.
    fn run(&self, row: u32, first: u32, last: u32) -> Range<usize> {
        let begin = self.starts[(row + first) as usize];
        begin as usize..self.starts[(row + last) as usize + 1] as usize
    }
}

impl Survey {
    fn new<R: Rows>(rows: &R) -> Self {
        let mut survey = Survey {
            min: [f32::INFINITY; 2],
            max: [f32::NEG_INFINITY; 2],
            smallest: f32::INFINITY,
            largest: 0.0,
        };
        for body in rows.bodies() {
            let (center, size) = (body.center(), body.size());
            for (axis, at) in center.into_iter().enumerate() {
                survey.min[axis] = -larger(-survey.min[axis], -at);
                survey.max[axis] = larger(survey.max[axis], at);
            }
            survey.smallest = -larger(-survey.smallest, -size);
            survey.largest = larger(survey.largest, size);
        }
        survey
    }

    /// Whether all bodies are similar enough for cells of one size.
    fn one_level(&self) -> bool {
        self.smallest * (1 << LEVEL_BITS) as f32 >= self.largest
    }

    /// The level of a body: from the power of two by which the largest body is larger.
    fn level(&self, size: f32) -> usize {
        let exponent = ((self.largest / size).to_bits() >> 23) - 127;
        ((exponent / LEVEL_BITS) as usize).min(MAX_LEVELS - 1)
    }
}

impl Level {
    /// Chooses the cells for the number and size of the level's bodies.
    fn lay_out(&mut self, survey: &Survey, base: u32) {
        let extent = [0, 1].map(|axis| survey.max[axis] - survey.min[axis]);
        // Rounding must not put touching bodies more than one cell apart.
        let margin = 4.0 * f32::EPSILON * (self.size + larger(extent[0], extent[1]));
        let smallest = self.size + margin + f32::MIN_POSITIVE;
        let room_a_body = (extent[0] * extent[1] / self.bodies as f32).sqrt();
        let cell = (room_a_body * ROOM).clamp(smallest, MAX_GROWTH * smallest);

        self.origin = survey.min;
        self.base = base;
        self.set_cell(extent, cell);
        if !self.fits() {
            // In a sparse world, the average says nothing about the local density of the bodies.
            self.set_cell(extent, smallest);
        }
        if !self.fits() {
            let bits = (2 * self.bodies).ilog2() + 1;
            let needed = self.world.map(|cells| cells.ilog2() + 1);
            let high = (bits / 2).min(needed[1]).max(bits.saturating_sub(needed[0]));
            // On a torus of fewer than three cells, a neighbour would be met twice.
            self.table = [bits.saturating_sub(high), high].map(|bits| 1 << bits.max(2));
            self.mask = self.table.map(|cells| cells - 1);
        }
    }

    fn set_cell(&mut self, extent: [f32; 2], cell: f32) {
        self.cells_a_unit = 1.0 / cell;
        self.world = extent.map(|extent| (extent * self.cells_a_unit) as u32 + 1);
        self.table = self.world.map(|cells| cells + 1);
        self.mask = [u32::MAX; 2];
    }

    /// Whether the cells are few enough for the bodies.
    fn fits(&self) -> bool {
        let cells = u64::from(self.table[0]) * u64::from(self.table[1]);
        cells <= MAX_CELLS_A_BODY * u64::from(self.bodies) + 64
    }

    /// The approximate number of tests if the bodies of this level look up the cells of another.
    fn cost_of_asking(&self, other: &Level) -> f32 {
        let [width, height] = other.table.map(|cells| cells as f32);
        let cells = (self.size + other.size) * other.cells_a_unit + 1.0;
        let (columns, rows) = (cells.min(width), cells.min(height));
        let density = other.bodies as f32 / (width * height);
        self.bodies as f32 * (rows * RUN + columns * rows * density)
    }

    /// The cell in the world, or the nearest cell if the position is outside.
    fn cell(&self, at: [f32; 2]) -> [u32; 2] {
        let place = |axis: usize| (at[axis] - self.origin[axis]) * self.cells_a_unit;
        [0, 1].map(|axis| (place(axis) as u32).min(self.world[axis] - 1))
    }

    /// The cell in the table for a position in the world.
    fn key(&self, at: [f32; 2]) -> u32 {
        let [x, y] = [0, 1].map(|axis| {
            ((at[axis] - self.origin[axis]) * self.cells_a_unit) as u32 & self.mask[axis]
        });
        self.base + y * self.table[0] + x
    }
}

/// The list of pairs, behind a block that is written without branches, because a branch on whether
/// a candidate is a pair would be mispredicted.
struct Out<'a> {
    block: [Pair; BLOCK],
    len: usize,
    pairs: &'a mut Vec<Pair>,
}

impl Out<'_> {
    fn test<B: Body>(&mut self, record: &Record<B>, others: &[Record<B>]) {
        for others in others.chunks(BLOCK) {
            if self.len + others.len() > BLOCK {
                self.flush();
            }
            let mut len = self.len;
            for other in others {
                // The modulus only tells the compiler that the index is in bounds.
                self.block[len % BLOCK] = pair(record.row, other.row);
                len += usize::from(record.body.touches(other.body));
            }
            self.len = len;
        }
    }

    fn flush(&mut self) {
        self.pairs.extend_from_slice(&self.block[..self.len]);
        self.len = 0;
    }
}
