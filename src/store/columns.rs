//! Borrowed columns: the caller's data, read where it lies.

use std::ops::Range;

use super::{Checked, check};
use crate::{
    Error, Pair,
    error::Field,
    kernel::{
        bodies::{Bodies, RoundedBodies},
        columns::{BoxColumns, CenteredColumns, CircleColumns, ColumnSet, RoundedColumns},
    },
    shape::{Aabb, AxisAligned, Circle, Kind, RoundedBox},
    simd::{Isa, Simd},
    solid::Solids,
};

/// Shapes as borrowed columns, one slice per field; nothing is copied.
///
/// A constructor checks only that the slices have one length, in constant time. The values are
/// checked where they are used: by [`Detector`](crate::Detector) at every call, by
/// [`check`](Columns::check) for the batch kernels. Shape `i` is the `i`-th value of each column.
///
/// ```
/// use widephase::{Columns, Detector, Pair};
///
/// let (x, y, radius) = ([0.0, 3.0, 9.0], [0.0, 4.0, 9.0], [2.0, 3.0, 1.0]);
/// let mut pairs = Vec::new();
/// Detector::new().detect(Columns::circles(&x, &y, &radius)?, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    pub(crate) layout: Layout<'a>,
    pub(super) len: usize,
    /// Bit `i % 64` of word `i / 64` says that row `i` holds a shape; `None`: all do.
    pub(crate) live: Option<&'a [u64]>,
    /// The kind of all rows, as far as the form of the columns tells.
    pub(crate) kind: Kind,
    /// What a store knows beyond the boxes: the kind of each row, and records of shapes that turn.
    pub(crate) contents: Option<Contents<'a>>,
}

/// What a store knows of its rows beyond their boxes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contents<'a> {
    pub(crate) kinds: &'a [Option<Kind>],
    /// None before the first shape that turns and the first pose.
    pub(crate) solids: Option<&'a Solids>,
    /// Whether any shape turns or has parts.
    pub(crate) rotates: bool,
}

/// The forms that columns come in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout<'a> {
    Circles(CircleColumns<'a>),
    Boxes(BoxColumns<'a>),
    Centered(CenteredColumns<'a>),
    Rounded(RoundedColumns<'a>),
}

impl<'a> Layout<'a> {
    /// The kind of rows in this form; points, which have no form of their own, are boxes here.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Layout::Circles(_) => Kind::Circle,
            Layout::Boxes(_) | Layout::Centered(_) => Kind::Aabb,
            Layout::Rounded(_) => Kind::RoundedBox,
        }
    }

    /// Some of the rows.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        let part = |column: &'a [f32]| &column[rows.clone()];
        let boxes = |set: BoxColumns<'a>| BoxColumns {
            min_x: part(set.min_x),
            min_y: part(set.min_y),
            max_x: part(set.max_x),
            max_y: part(set.max_y),
        };
        match *self {
            Layout::Circles(CircleColumns { x, y, radius }) => {
                Layout::Circles(CircleColumns { x: part(x), y: part(y), radius: part(radius) })
            }
            Layout::Boxes(set) => Layout::Boxes(boxes(set)),
            Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
                let (half_width, half_height) = (part(half_width), part(half_height));
                Layout::Centered(CenteredColumns {
                    x: part(x),
                    y: part(y),
                    half_width,
                    half_height,
                })
            }
            Layout::Rounded(RoundedColumns { core, radius }) => {
                Layout::Rounded(RoundedColumns { core: boxes(core), radius: part(radius) })
            }
        }
    }

    /// The shape of `row`, as a rounded box.
    #[inline]
    pub(crate) fn rounded_box(&self, row: usize) -> RoundedBox {
        match *self {
            Layout::Circles(set) => {
                Circle { x: set.x[row], y: set.y[row], radius: set.radius[row] }.rounded_box()
            }
            Layout::Boxes(set) => box_at(set, row).rounded_box(),
            Layout::Centered(set) => {
                let center = [set.x[row], set.y[row]];
                let half = [set.half_width[row], set.half_height[row]];
                Aabb::centered(center, half).rounded_box()
            }
            Layout::Rounded(set) => set.rounded_box(row),
        }
    }
}

/// Evaluates `$call` with `$set` being the columns of `$layout`, whatever form they come in.
macro_rules! with_columns {
    ($layout:expr, $set:ident => $call:expr) => {
        match $layout {
            $crate::store::Layout::Circles($set) => $call,
            $crate::store::Layout::Boxes($set) => $call,
            $crate::store::Layout::Centered($set) => $call,
            $crate::store::Layout::Rounded($set) => $call,
        }
    };
}
pub(crate) use with_columns;

/// Columns of any form, as rounded boxes.
impl ColumnSet for Layout<'_> {
    type Bodies<S: Simd> = RoundedBodies<S>;

    #[inline(always)]
    fn load<S: Simd>(self, simd: S, at: usize) -> RoundedBodies<S> {
        with_columns!(self, set => set.load(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn load_tail<S: Simd>(self, simd: S, at: usize) -> RoundedBodies<S> {
        with_columns!(self, set => set.load_tail(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S, at: usize) -> RoundedBodies<S> {
        with_columns!(self, set => set.splat(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn gather<S: Simd>(self, simd: S, rows: &[u32], at: usize) -> RoundedBodies<S> {
        with_columns!(self, set => set.gather(simd, rows, at).rounded(simd))
    }

    // The form is asked for once, and not for the length, too.
    #[inline(always)]
    fn load_any<S: Simd>(self, simd: S, at: usize) -> RoundedBodies<S> {
        with_columns!(self, set => set.load_any(simd, at).rounded(simd))
    }

    #[inline(always)]
    fn len(self) -> usize {
        with_columns!(self, set => set.len())
    }
}

impl RoundedColumns<'_> {
    /// The shape of `row`.
    #[inline(always)]
    pub(crate) fn rounded_box(&self, row: usize) -> RoundedBox {
        RoundedBox::new(box_at(self.core, row), self.radius[row])
    }
}

/// The box in `row`.
#[inline(always)]
fn box_at(set: BoxColumns<'_>, row: usize) -> Aabb {
    Aabb::new([set.min_x[row], set.min_y[row]], [set.max_x[row], set.max_y[row]])
}

impl<'a> Columns<'a> {
    /// Points: `x[i], y[i]`.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`], or [`Error::TooManyShapes`] beyond [`u32::MAX`] rows; so for
    /// every constructor.
    pub fn points(x: &'a [f32], y: &'a [f32]) -> Result<Self, Error> {
        let boxes = BoxColumns { min_x: x, min_y: y, max_x: x, max_y: y };
        let boxes = Self::new(Layout::Boxes(boxes), &[(Field::X, x), (Field::Y, y)])?;
        Ok(Self { kind: Kind::Point, ..boxes })
    }

    /// Circles: centre `x[i], y[i]` and radius.
    ///
    /// # Errors
    /// As [`points`](Columns::points).
    pub fn circles(x: &'a [f32], y: &'a [f32], radius: &'a [f32]) -> Result<Self, Error> {
        let circles = CircleColumns { x, y, radius };
        let named = [(Field::X, x), (Field::Y, y), (Field::Radius, radius)];
        Self::new(Layout::Circles(circles), &named)
    }

    /// Axis-aligned rectangles by their sides.
    ///
    /// # Errors
    /// As [`points`](Columns::points).
    pub fn aabbs(
        min_x: &'a [f32],
        min_y: &'a [f32],
        max_x: &'a [f32],
        max_y: &'a [f32],
    ) -> Result<Self, Error> {
        let boxes = BoxColumns { min_x, min_y, max_x, max_y };
        Self::new(Layout::Boxes(boxes), &box_fields(boxes))
    }

    /// Axis-aligned rectangles by centre and half extents; each side is one rounded `f32` sum.
    ///
    /// # Errors
    /// As [`points`](Columns::points).
    pub fn centered(
        x: &'a [f32],
        y: &'a [f32],
        half_width: &'a [f32],
        half_height: &'a [f32],
    ) -> Result<Self, Error> {
        let centered = CenteredColumns { x, y, half_width, half_height };
        let named = [
            (Field::X, x),
            (Field::Y, y),
            (Field::HalfWidth, half_width),
            (Field::HalfHeight, half_height),
        ];
        Self::new(Layout::Centered(centered), &named)
    }

    /// Rounded boxes: the sides of the core, and the radius around it.
    ///
    /// # Errors
    /// As [`points`](Columns::points).
    pub fn rounded_boxes(
        min_x: &'a [f32],
        min_y: &'a [f32],
        max_x: &'a [f32],
        max_y: &'a [f32],
        radius: &'a [f32],
    ) -> Result<Self, Error> {
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let [a, b, c, d] = box_fields(core);
        let rounded = RoundedColumns { core, radius };
        Self::new(Layout::Rounded(rounded), &[a, b, c, d, (Field::Radius, radius)])
    }

    fn new(layout: Layout<'a>, named: &[(Field, &[f32])]) -> Result<Self, Error> {
        let expected = named[0].1.len();
        for &(field, column) in named {
            if column.len() != expected {
                return Err(Error::UnequalColumns { field, len: column.len(), expected });
            }
        }
        check::index_fits(expected)?;
        Ok(Self::closed(layout, expected))
    }

    /// Columns of one length, all of whose rows hold a shape.
    pub(crate) fn closed(layout: Layout<'a>, len: usize) -> Self {
        Self { layout, len, live: None, kind: layout.kind(), contents: None }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is a shape in this row.
    pub(crate) fn holds(&self, row: usize) -> bool {
        let live = |words: &[u64]| words[row / 64] >> (row % 64) & 1 == 1;
        row < self.len && self.live.is_none_or(live)
    }

    /// The first row of `pairs` in which there is no shape.
    pub(crate) fn first_missing(&self, pairs: &[Pair]) -> Option<usize> {
        let rows: &[u32] = bytemuck::cast_slice(pairs);
        // Where no row is vacant, a look at the highest is enough, and takes no branch for each.
        let highest = rows.iter().copied().fold(0, u32::max);
        if self.live.is_none() && (highest as usize) < self.len {
            return None;
        }
        rows.iter().map(|row| *row as usize).find(|row| !self.holds(*row))
    }

    /// The first row in which there is no shape of pairs of a row of `a` and a row of `b`, and the number of rows
    /// where it should be.
    pub(crate) fn first_missing_between(
        [a, b]: &[Self; 2],
        pairs: &[Pair],
    ) -> Option<(usize, usize)> {
        let highest = pairs.iter().fold([0; 2], |[a, b], pair| [pair.a.max(a), pair.b.max(b)]);
        let all = |columns: &Self, row: u32| columns.live.is_none() && (row as usize) < columns.len;
        if all(a, highest[0]) && all(b, highest[1]) {
            return None;
        }
        let mut rows = pairs.iter().flat_map(|pair| [(a, pair.a as usize), (b, pair.b as usize)]);
        rows.find_map(|(columns, row)| (!columns.holds(row)).then_some((row, columns.len)))
    }

    /// Checks every value, for the [batch kernels](crate::Batch). Costs one pass over the columns.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for the first row with a value that the numeric contract does not
    /// admit: NaN, infinite, beyond 2^60, a negative radius or half extent, an inverted box.
    /// [`Error::NotAxisAligned`] for the first row of a store whose shape turns or has parts: columns hold
    /// no more than the box around that, and batch kernels would answer for the box.
    pub fn check(self) -> Result<Checked<'a>, Error> {
        if let Some(contents) = self.contents.filter(|contents| contents.rotates) {
            let turning = |kind: &Option<Kind>| kind.filter(|kind| !kind.is_axis_aligned());
            let mut rows = contents.kinds.iter().map(turning).enumerate();
            if let Some((index, kind)) = rows.find_map(|(row, kind)| Some((row, kind?))) {
                return Err(Error::NotAxisAligned { index, kind });
            }
        }
        self.check_on(Isa::any(), false)
    }
}

/// The columns of a box with their names.
fn box_fields(boxes: BoxColumns<'_>) -> [(Field, &[f32]); 4] {
    let BoxColumns { min_x, min_y, max_x, max_y } = boxes;
    [(Field::MinX, min_x), (Field::MinY, min_y), (Field::MaxX, max_x), (Field::MaxY, max_y)]
}
