//! The three kinds of scene, and what each has to carry.

use super::record::{EightWords, FourWords, Packed, Record};
use crate::{
    kernel::columns::{BoxColumns, CircleColumns, ColumnSet, RoundedColumns},
    store::Layout,
};

/// The most columns that an instance has.
pub(crate) const MAX_COLUMNS: usize = 5;

/// A kind of scene: which columns are sorted and swept.
///
/// One instance could do for all: the general one gives the same bits. But circles need three of
/// its five columns and boxes four, and both a shorter test.
pub(crate) trait Instance: Copy + Send + Sync {
    /// The columns of the instance over memory.
    type Columns<'a>: ColumnSet;
    /// The values of one body, a column each, as bits: a record is plain words.
    type Values: Copy + Default + Send + Sync + AsRef<[u32]>;
    /// What a body is on its way to its sorted place, in one step.
    type Record: Record;
    /// The same in two steps; with one mark.
    type Packed: Record;
    /// Whether sums of radii are known to be at least 2^-62; see
    /// [`overlap`](crate::kernel::overlap::overlap).
    const NORMAL: bool;
    /// How many columns there are.
    const COUNT: usize;
    /// The instance as a value.
    const FORM: Form;
    /// The first `COUNT` of these are the values of a body that touches nothing.
    const NOWHERE: [f32; MAX_COLUMNS];

    /// The columns of the instance as a layout.
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a>;

    /// The first `COUNT` columns as the instance's.
    fn columns<'a>(columns: [&'a [f32]; MAX_COLUMNS]) -> Self::Columns<'a>;
}

/// The instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    Circle,
    Box,
    #[default]
    Rounded,
}

/// Evaluates an expression with `$instance` for the instance of a [`Form`].
macro_rules! with_form {
    ($form:expr, $instance:ident => $call:expr) => {
        match $form {
            $crate::grid::Form::Circle => {
                type $instance = $crate::grid::CircleInstance;
                $call
            }
            $crate::grid::Form::Box => {
                type $instance = $crate::grid::BoxInstance;
                $call
            }
            $crate::grid::Form::Rounded => {
                type $instance = $crate::grid::RoundedInstance;
                $call
            }
        }
    };
}
pub(crate) use with_form;

/// Evaluates an expression with `$set` for the columns of checked shapes, and `$instance` for the one that does
/// for them with the fewest columns.
macro_rules! with_instance {
    ($shapes:expr, $instance:ident, $set:ident => $call:expr) => {
        match $shapes.layout {
            $crate::store::Layout::Circles($set)
                if $shapes.extent.smallest_radius >= $crate::grid::NORMAL_RADIUS =>
            {
                type $instance = $crate::grid::CircleInstance;
                $call
            }
            $crate::store::Layout::Circles($set) => {
                type $instance = $crate::grid::RoundedInstance;
                $call
            }
            $crate::store::Layout::Boxes($set) => {
                type $instance = $crate::grid::BoxInstance;
                $call
            }
            $crate::store::Layout::Centered($set) => {
                type $instance = $crate::grid::BoxInstance;
                $call
            }
            $crate::store::Layout::Rounded($set) => {
                type $instance = $crate::grid::RoundedInstance;
                $call
            }
        }
    };
}
pub(crate) use with_instance;

/// The smallest radius for which a scene may be a [`CircleInstance`].
pub(crate) const NORMAL_RADIUS: f32 = 1.0 / (1_u64 << 60) as f32;

/// Where nothing is.
const FAR: f32 = f32::INFINITY;

/// Circles only, of radius [`NORMAL_RADIUS`] and more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CircleInstance;

/// Boxes and points only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxInstance;

/// Any mix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedInstance;

impl Instance for CircleInstance {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Circles(columns)
    }

    type Columns<'a> = CircleColumns<'a>;
    type Values = [u32; 3];
    type Record = FourWords;
    type Packed = FourWords;
    const NORMAL: bool = true;
    const COUNT: usize = 3;
    const FORM: Form = Form::Circle;
    const NOWHERE: [f32; MAX_COLUMNS] = [FAR, FAR, 0.0, 0.0, 0.0];

    #[inline(always)]
    fn columns<'a>([x, y, radius, ..]: [&'a [f32]; MAX_COLUMNS]) -> CircleColumns<'a> {
        CircleColumns { x, y, radius }
    }
}

impl Instance for BoxInstance {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Boxes(columns)
    }

    type Columns<'a> = BoxColumns<'a>;
    type Values = [u32; 4];
    type Record = EightWords;
    type Packed = Packed<5>;
    const NORMAL: bool = false;
    const COUNT: usize = 4;
    const FORM: Form = Form::Box;
    const NOWHERE: [f32; MAX_COLUMNS] = [FAR, FAR, -FAR, -FAR, 0.0];

    #[inline(always)]
    fn columns<'a>([min_x, min_y, max_x, max_y, _]: [&'a [f32]; MAX_COLUMNS]) -> BoxColumns<'a> {
        BoxColumns { min_x, min_y, max_x, max_y }
    }
}

impl Instance for RoundedInstance {
    #[inline(always)]
    fn layout<'a>(columns: Self::Columns<'a>) -> Layout<'a> {
        Layout::Rounded(columns)
    }

    type Columns<'a> = RoundedColumns<'a>;
    type Values = [u32; 5];
    type Record = EightWords;
    type Packed = Packed<6>;
    const NORMAL: bool = false;
    const COUNT: usize = 5;
    const FORM: Form = Form::Rounded;
    const NOWHERE: [f32; MAX_COLUMNS] = [FAR, FAR, -FAR, -FAR, 0.0];

    #[inline(always)]
    fn columns<'a>(
        [min_x, min_y, max_x, max_y, radius]: [&'a [f32]; MAX_COLUMNS],
    ) -> RoundedColumns<'a> {
        RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius }
    }
}
