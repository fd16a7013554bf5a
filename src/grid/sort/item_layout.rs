//! The three layouts of sorted items, and the columns of each layout.

use super::record::{EightWords, FourWords, MAX_COLUMNS, Packed, Record};
use crate::{
    base::UNDERFLOW,
    kernel::{BoxColumns, CircleColumns, ColumnSet, RoundedColumns},
    shape::RoundedBox,
    store::Layout,
};

/// A layout: the columns that are sorted and swept for a scene.
///
/// [`RoundedLayout`] alone would be enough: it gives the same bits for all scenes. But circles need
/// only three of its five columns and boxes four, and both need a shorter test.
pub(crate) trait ItemLayout: Copy + Send + Sync {
    /// Borrowed columns of the layout.
    type Columns<'a>: ColumnSet;
    /// The values of one item, one per column, as bits, because a record consists of plain words.
    type Values: Copy + Default + Send + Sync + AsRef<[u32]>;
    /// The record of an item in a one-step sort.
    type Record: Record;
    /// The record of an item in a two-step sort; it has one mark.
    type Packed: Record;
    /// Whether sums of radii are known to be at least 2^-62; see
    /// [`overlap`](crate::kernel::overlap()).
    const NORMAL: bool;
    /// The number of columns.
    const COUNT: usize = size_of::<Self::Values>() / size_of::<f32>();
    /// The layout as a value.
    const FORM: LayoutKind;
    /// The first `COUNT` of these are the values of an item that touches nothing.
    const NOWHERE: [f32; MAX_COLUMNS] =
        [f32::INFINITY, f32::INFINITY, -f32::INFINITY, -f32::INFINITY, 0.0];

    /// The columns as a [`Layout`].
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a>;

    /// The columns of the layout, taken from the first `COUNT` slices.
    fn columns<'a>(columns: [&'a [f32]; MAX_COLUMNS]) -> Self::Columns<'a>;
}

/// The layouts, as values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LayoutKind {
    Circle,
    Box,
    #[default]
    Rounded,
}

impl LayoutKind {
    /// The number of columns.
    pub(in crate::grid) fn columns(self) -> usize {
        with_layout_kind!(self, I => I::COUNT)
    }

    /// Whether a shape may be in these columns.
    pub(crate) fn holds(self, sides: &RoundedBox) -> bool {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
        match self {
            Self::Circle => min_x == max_x && min_y == max_y && radius >= UNDERFLOW,
            Self::Box => radius == 0.0,
            Self::Rounded => true,
        }
    }
}

/// Evaluates an expression with the type `$item_layout` for a [`LayoutKind`].
macro_rules! with_layout_kind {
    ($form:expr, $item_layout:ident => $call:expr) => {
        match $form {
            $crate::grid::LayoutKind::Circle => {
                type $item_layout = $crate::grid::CircleLayout;
                $call
            }
            $crate::grid::LayoutKind::Box => {
                type $item_layout = $crate::grid::BoxLayout;
                $call
            }
            $crate::grid::LayoutKind::Rounded => {
                type $item_layout = $crate::grid::RoundedLayout;
                $call
            }
        }
    };
}
pub(crate) use with_layout_kind;

/// Evaluates an expression with `$set`, the columns of checked shapes, and `$item_layout`, the
/// layout with the fewest columns that can hold them.
macro_rules! with_item_layout {
    ($shapes:expr, $item_layout:ident, $set:ident => $call:expr) => {
        match $shapes.layout {
            $crate::store::Layout::Circles($set)
                if $shapes.extent.smallest_radius >= $crate::base::UNDERFLOW =>
            {
                type $item_layout = $crate::grid::CircleLayout;
                $call
            }
            $crate::store::Layout::Circles(circles) => {
                type $item_layout = $crate::grid::RoundedLayout;
                let $set = circles.rounded();
                $call
            }
            $crate::store::Layout::Boxes($set) => {
                type $item_layout = $crate::grid::BoxLayout;
                $call
            }
            $crate::store::Layout::Centered($set) => {
                type $item_layout = $crate::grid::BoxLayout;
                $call
            }
            $crate::store::Layout::Rounded($set) => {
                type $item_layout = $crate::grid::RoundedLayout;
                $call
            }
        }
    };
}
pub(crate) use with_item_layout;

/// Circles only, all of at least the radius [`UNDERFLOW`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct CircleLayout;

/// Boxes and points only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxLayout;

/// Any mix of shapes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedLayout;

impl ItemLayout for CircleLayout {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Circles(columns)
    }

    type Columns<'a> = CircleColumns<'a>;
    type Values = [u32; 3];
    type Record = FourWords;
    type Packed = FourWords;
    const NORMAL: bool = true;
    const FORM: LayoutKind = LayoutKind::Circle;
    const NOWHERE: [f32; MAX_COLUMNS] = [f32::INFINITY, f32::INFINITY, 0.0, 0.0, 0.0];

    #[inline(always)]
    fn columns<'a>([x, y, radius, ..]: [&'a [f32]; MAX_COLUMNS]) -> CircleColumns<'a> {
        CircleColumns { x, y, radius }
    }
}

impl ItemLayout for BoxLayout {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Boxes(columns)
    }

    type Columns<'a> = BoxColumns<'a>;
    type Values = [u32; 4];
    type Record = EightWords;
    type Packed = Packed<5>;
    const NORMAL: bool = false;
    const FORM: LayoutKind = LayoutKind::Box;

    #[inline(always)]
    fn columns<'a>([min_x, min_y, max_x, max_y, _]: [&'a [f32]; MAX_COLUMNS]) -> BoxColumns<'a> {
        BoxColumns { min_x, min_y, max_x, max_y }
    }
}

impl ItemLayout for RoundedLayout {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Rounded(columns)
    }

    type Columns<'a> = RoundedColumns<'a>;
    type Values = [u32; 5];
    type Record = EightWords;
    type Packed = Packed<6>;
    const NORMAL: bool = false;
    const FORM: LayoutKind = LayoutKind::Rounded;

    #[inline(always)]
    fn columns<'a>(
        [min_x, min_y, max_x, max_y, radius]: [&'a [f32]; MAX_COLUMNS],
    ) -> RoundedColumns<'a> {
        RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius }
    }
}
