//! Borrowed columns of rotated shapes, and their conversion to the rows that the engine reads.

use std::ops::Range;

use super::{Contents, Layout, Rows, layout::values};
use crate::{
    base::{buffer::grow, held},
    error::Error,
    kernel::{BoxColumns, RoundedColumns},
    posed::{BoxLanes, CheckedShape, Lanes, Placed, PlacedShapes, ShapeClass},
    shape::{AnyShape, Capsule, Kind, Obb, Segment},
    simd::{Isa, Kernel, MAX_LANES, Simd, dispatch_moves, map_each},
};

/// Borrowed columns of rotated shapes: one column for each field of the record, in the order of the
/// fields.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RotatedColumns<'a> {
    Obbs([&'a [f32]; 6]),
    Capsules([&'a [f32]; 5]),
    Segments([&'a [f32]; 4]),
}

impl RotatedColumns<'_> {
    /// The columns.
    #[inline(always)]
    fn lists(&self) -> &[&[f32]] {
        match self {
            Self::Obbs(lists) => lists,
            Self::Capsules(lists) => lists,
            Self::Segments(lists) => lists,
        }
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.lists()[0].len()
    }

    /// The kind of all rows.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Obbs(_) => Kind::Obb,
            Self::Capsules(_) => Kind::Capsule,
            Self::Segments(_) => Kind::Segment,
        }
    }

    /// The class of all rows that have a length. Capsules and segments without a length are round.
    fn class(&self) -> ShapeClass {
        if matches!(self, Self::Obbs(_)) { ShapeClass::Rotated } else { ShapeClass::Line }
    }

    /// Checks all rows: sixteen at a time, or one by one if a row might be invalid.
    pub(super) fn check_all(&self) -> Result<(), Error> {
        for row in (0..self.len()).step_by(MAX_LANES) {
            if self.lanes(row).is_none() {
                (row..self.len().min(row + MAX_LANES)).try_for_each(|row| self.check_row(row))?;
            }
        }
        Ok(())
    }

    /// Sixteen rows from `row` on, placed. `None` if one might be invalid or has no length.
    #[inline(always)]
    fn lanes(&self, row: usize) -> Option<BoxLanes> {
        // The radii of segments stay 0.
        let mut values = [[0.0; MAX_LANES]; 6];
        take(self.lists(), row, &mut values);
        match (self, &values) {
            (Self::Obbs(_), values) => BoxLanes::of_obbs(values),
            (_, [lines @ .., _]) => BoxLanes::of_capsules(lines),
        }
    }

    /// Checks a row.
    pub(super) fn check_row(&self, row: usize) -> Result<(), Error> {
        self.entry(row).map(|_| ())
    }

    /// The checked entry of a row.
    #[inline(always)]
    pub(super) fn entry(&self, row: usize) -> Result<CheckedShape<'static>, Error> {
        let entry = CheckedShape::new(match self {
            Self::Obbs(columns) => {
                let [x, y, half_width, half_height, cos, sin] =
                    map_each(*columns, |column| column[row]);
                AnyShape::Obb(Obb { x, y, half_width, half_height, cos, sin }.checked(row)?)
            }
            Self::Capsules(columns) => {
                let [ax, ay, bx, by, radius] = map_each(*columns, |column| column[row]);
                AnyShape::Capsule(Capsule { ax, ay, bx, by, radius }.checked(row)?)
            }
            Self::Segments(columns) => {
                let [ax, ay, bx, by] = map_each(*columns, |column| column[row]);
                AnyShape::Segment(Segment { ax, ay, bx, by }.checked(row)?)
            }
        });
        entry.check(row)?;
        Ok(entry)
    }
}

/// A workspace for rotated shapes of borrowed columns, placed in the same form as in a store.
#[derive(Debug, Default)]
pub(crate) struct RotatedWorkspace {
    /// The bounding boxes, in the order of the columns of a store, padded for whole vectors.
    sides: [Vec<f32>; 5],
    /// The placed shapes, and the class of the rows that were placed last, if they share one.
    placed: PlacedShapes,
    len: usize,
}

held!(RotatedWorkspace { sides, placed, len });

impl RotatedWorkspace {
    /// Checks and places `rows` of the columns. The rows must exist, and only they may be read
    /// afterwards.
    pub(super) fn place(
        &mut self,
        isa: Isa,
        columns: &RotatedColumns<'_>,
        rows: Range<usize>,
    ) -> Result<Rows<'_>, Error> {
        let Self { sides, placed, len } = self;
        *len = columns.len();
        let padded = *len + MAX_LANES;
        for side in &mut *sides {
            grow(side, padded);
        }
        // Never truncated, because calls with columns of different lengths may alternate.
        grow(&mut placed.rows, *len);
        placed.only = None;
        let work = PlaceRows {
            columns,
            rows: rows.clone(),
            sides: sides.each_mut().map(|side| &mut side[..padded]),
            placed: &mut placed.rows[..*len],
        };
        let round = dispatch_moves(isa, work)?;
        for side in sides {
            side[*len..padded].fill(0.0);
        }
        placed.only = match round {
            all if all == rows.len() => Some(ShapeClass::Round),
            0 => Some(columns.class()),
            _ => None,
        };
        Ok(self.rows())
    }

    /// The rows that were placed last. The last call of [`place`](Self::place) must have succeeded.
    pub(super) fn rows(&self) -> Rows<'_> {
        let padded = self.len + MAX_LANES;
        let [min_x, min_y, max_x, max_y, radius] =
            map_each(self.sides.each_ref(), |side| &side[..padded]);
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        // The layout that a store of these shapes has, so that the grid has the same order.
        let layout = Layout::Rounded(RoundedColumns { core, radius });
        let (placed, rotates) = (Some(&self.placed), self.len > 0);
        let contents = Contents { kinds: None, placed, posed_shapes: None, rotates };
        Rows { contents: Some(contents), ..Rows::closed(layout, self.len) }
    }
}

/// The kernel that checks and places rows. Returns the number of points and circles, which have no
/// length.
struct PlaceRows<'a> {
    columns: &'a RotatedColumns<'a>,
    rows: Range<usize>,
    /// The bounding boxes, padded for whole vectors.
    sides: [&'a mut [f32]; 5],
    placed: &'a mut [Placed],
}

impl Kernel for PlaceRows<'_> {
    type Output = Result<usize, Error>;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Self::Output {
        let mut round = 0;
        for row in self.rows.clone().step_by(MAX_LANES) {
            round += self.tile(simd, row, self.columns.lanes(row))?;
        }
        Ok(round)
    }
}

impl PlaceRows<'_> {
    /// Places a tile of rows from `row` on: as vectors, or one by one if `lanes` is `None`. Returns
    /// the number of shapes without a length.
    #[inline(always)]
    fn tile<S: Simd>(
        &mut self,
        simd: S,
        row: usize,
        lanes: Option<BoxLanes>,
    ) -> Result<usize, Error> {
        let end = self.rows.end.min(row + MAX_LANES);
        let Some(lanes) = lanes else {
            return self.one_by_one(row..end);
        };
        for at in (0..MAX_LANES).step_by(S::LANES) {
            for (side, value) in self.sides.iter_mut().zip(lanes.around(simd, at)) {
                simd.store(value, side, row + at);
            }
        }
        let mut placed = [Placed::NONE; MAX_LANES];
        lanes.write(simd, &mut placed);
        self.placed[row..end].copy_from_slice(&placed[..end - row]);
        Ok(0)
    }

    /// Places rows one by one. Used if a row is invalid, has no length, or is near the limits.
    #[inline(never)]
    fn one_by_one(&mut self, rows: Range<usize>) -> Result<usize, Error> {
        let mut round = 0;
        for row in rows {
            let (placed, around) = self.columns.entry(row)?.placed();
            round += usize::from(placed.class() == ShapeClass::Round);
            self.placed[row] = placed;
            for (side, value) in self.sides.iter_mut().zip(values(around)) {
                side[row] = value;
            }
        }
        Ok(round)
    }
}

/// Reads sixteen values of each column from `row` on. Behind the end of a column, its last value is
/// repeated. Values behind the requested rows are also read. If one of these values is invalid, the
/// requested rows are only placed one by one.
#[inline(always)]
fn take(columns: &[&[f32]], row: usize, lanes: &mut [Lanes]) {
    for (lanes, column) in lanes.iter_mut().zip(columns) {
        let rest = &column[row..];
        match rest.first_chunk() {
            Some(whole) => *lanes = *whole,
            None => {
                for (lane, value) in lanes.iter_mut().enumerate() {
                    *value = rest[lane.min(rest.len() - 1)];
                }
            }
        }
    }
}
