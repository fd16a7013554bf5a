//! `Images`: shapes of a periodic box, moved by whole periods.

use super::{
    Periodic,
    copies::{Copied, Copies, copy_moved, push},
    wrap::{MAX_MOVE, moved, shape_at},
};
use crate::{
    base::{F32_SLACK, held},
    detect::CopiedFilters,
    error::Error,
    filter::{Filtering, Predicate},
    shape::{Kind, MAX_COORDINATE, RoundedBox},
    simd::map_each,
    store::{Columns, Shapes},
};

/// The most images of a search: this many for each shape, and this many more.
const MAX_IMAGES: [f64; 2] = [16.0, (1_u64 << 24) as f64];

/// The box around some shapes, which images are to be near to.
pub(super) struct Surroundings<'a> {
    periodic: &'a Periodic,
    period: [f64; 2],
    /// The lower and upper ends along x and along y, with slack for roundings.
    sides: [[f64; 2]; 2],
    /// The most images.
    most: f64,
}

impl<'a> Surroundings<'a> {
    /// The box around at least one shape. `all` is the number of shapes that may have images.
    pub(super) fn of(
        periodic: &'a Periodic,
        all: usize,
        shapes: impl Iterator<Item = [[f64; 2]; 2]>,
    ) -> Self {
        let period = map_each(periodic.period(), f64::from);
        let mut sides = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for shape in shapes {
            for (all, [low, high]) in sides.iter_mut().zip(shape) {
                *all = [all[0].min(low), all[1].max(high)];
            }
        }
        for (all, period) in sides.iter_mut().zip(period) {
            let slack = (all[0].abs() + all[1].abs() + period) * F32_SLACK;
            *all = [all[0] - slack, all[1] + slack];
        }
        let [each, more] = MAX_IMAGES;
        Self { periodic, period, sides, most: all as f64 * each + more }
    }

    /// The least and the largest shift along x and along y with which a shape may be at most
    /// `reach` away. Along an axis without such a shift, the least shift is the larger of the two.
    fn shifts(&self, shape: [[f64; 2]; 2], reach: f64) -> [[f64; 2]; 2] {
        let reach = reach * (1.0 + F32_SLACK);
        let mut shifts = [[0.0; 2]; 2];
        for (axis, shifts) in shifts.iter_mut().enumerate() {
            let ([low, high], [from, to]) = (shape[axis], self.sides[axis]);
            let ends = [from - reach - high, to + reach - low];
            *shifts = if self.periodic.wrap[axis] {
                [(ends[0] / self.period[axis]).ceil(), (ends[1] / self.period[axis]).floor()]
            } else if ends[0] <= 0.0 && 0.0 <= ends[1] {
                [0.0; 2]
            } else {
                [f64::INFINITY, f64::NEG_INFINITY]
            };
        }
        shifts
    }

    /// More neighbours than a row can have: all images, by both of opposite shifts.
    pub(super) fn most_neighbors(&self) -> f64 {
        2.0 * self.most
    }

    /// The length of the diagonal of the box.
    pub(super) fn diagonal(&self) -> f64 {
        let [x, y] = map_each(self.sides, |[low, high]| high - low);
        x.hypot(y)
    }

    /// Whether a shape has another image than itself at most `reach` away.
    pub(super) fn has_image(&self, shape: [[f64; 2]; 2], reach: f64) -> bool {
        let shifts = self.shifts(shape, reach);
        let moves = |[low, high]: [f64; 2]| low < 0.0 || high > 0.0;
        shifts.iter().all(|[low, high]| low <= high) && shifts.into_iter().any(moves)
    }

    /// Appends the images of a shape at most `reach` away: of two opposite shifts only the shift
    /// that is positive along x, or else along y, in ascending order.
    ///
    /// `at` is the position of the shape, and `row` its row.
    pub(super) fn list(
        &self,
        images: &mut Vec<Copied>,
        (at, row): (usize, u32),
        shape: [[f64; 2]; 2],
        reach: f64,
    ) -> Result<(), Error> {
        let [[left, right], [low, high]] = self.shifts(shape, reach);
        let left = left.max(0.0);
        if left > right || low > high || (right == 0.0 && high <= 0.0) {
            return Ok(());
        }
        let furthest = [right, high.max(-low)];
        let axis = usize::from(furthest[1] > furthest[0]);
        let far = |axis: usize| {
            let periods: f64 = furthest[axis];
            periods > f64::from(i16::MAX) || periods * self.period[axis] > MAX_MOVE
        };
        let count = (right - left + 1.0) * (high - low + 1.0);
        if far(0) || far(1) || images.len() as f64 + count > self.most {
            let length = (shape[axis][1] - shape[axis][0] + reach) as f32;
            let period = self.period[axis] as f32;
            return Err(Error::TooManyImages { index: row as usize, length, period });
        }
        for x in left as i16..=right as i16 {
            let low = if x == 0 { low.max(1.0) } else { low };
            let images_of =
                (low as i16..=high as i16).map(|y| Copied { of: at as u32, shift: [x, y] });
            images.extend(images_of);
        }
        Ok(())
    }
}

/// Images of wrapped shapes.
#[derive(Debug, Default)]
pub(super) struct Images {
    pub(super) list: Vec<Copied>,
    /// The columns of axis-aligned shapes.
    columns: [Vec<f32>; 5],
    /// The store of rotated shapes.
    store: Shapes,
    sources: Vec<u32>,
    by: [Vec<f32>; 2],
    filters: CopiedFilters,
}

held!(Images { list, columns, store, sources, by, filters });

impl Images {
    /// Makes the images of the list. `columns` are the columns of the caller.
    pub(super) fn place(
        &mut self,
        wrapped: &Copies,
        periodic: &Periodic,
        columns: Columns<'_>,
    ) -> Result<(), Error> {
        let Self { list, columns: to, store, sources, by, filters } = self;
        let rows = list.iter().map(|image| wrapped.rows[image.of as usize]);
        filters.fill(columns, rows);
        if let Some(shapes) = wrapped.store(columns.rotates()) {
            return copy_moved(shapes, &wrapped.rows, list, periodic, store, (sources, by));
        }
        for column in &mut *to {
            column.clear();
        }
        for image in &*list {
            let by = map_each(periodic.offset(image.shift), f64::from);
            push(to, moved(shape_at(&wrapped.columns, image.of as usize), by));
        }
        Ok(())
    }

    /// The images as columns, each with half of `distance` added to its radius. Rotated shapes stay
    /// as they are. `accept` is the predicate, and `wide` gets the radii.
    pub(super) fn columns<'a>(
        &'a self,
        columns: Columns<'_>,
        kind: Kind,
        (distance, wide): (f32, &'a mut Vec<f32>),
        accept: &'a (dyn Fn(u32, u32) -> bool + Sync),
    ) -> Result<Columns<'a>, Error> {
        let images = if columns.rotates() {
            self.store.columns()
        } else {
            inflated(&self.columns, kind, distance, wide)?
        };
        self.filters.give(columns, images, accept)
    }

    /// The shape of an image, if all shapes are axis-aligned.
    pub(super) fn shape(&self, image: u32) -> RoundedBox {
        shape_at(&self.columns, image as usize)
    }
}

/// Axis-aligned shapes as columns, each with half of `distance` added to its radius, up to 2^60.
/// `wide` gets these radii.
pub(super) fn inflated<'a>(
    columns: &'a [Vec<f32>; 5],
    kind: Kind,
    distance: f32,
    wide: &'a mut Vec<f32>,
) -> Result<Columns<'a>, Error> {
    let [a, b, c, d, radius] = columns;
    if distance <= 0.0 {
        return plain(columns, kind);
    }
    wide.clear();
    wide.extend(radius.iter().map(|radius| (radius + distance * 0.5).min(MAX_COORDINATE)));
    let wide = &*wide;
    match kind {
        Kind::Point | Kind::Circle => Columns::circles(a, b, wide),
        _ => Columns::rounded_boxes(a, b, c, d, wide),
    }
}

/// Axis-aligned shapes of a kind as columns.
pub(super) fn plain(columns: &[Vec<f32>; 5], kind: Kind) -> Result<Columns<'_>, Error> {
    let [a, b, c, d, radius] = columns;
    match kind {
        Kind::Point => Columns::points(a, b),
        Kind::Circle => Columns::circles(a, b, radius),
        Kind::Aabb => Columns::aabbs(a, b, c, d),
        _ => Columns::rounded_boxes(a, b, c, d, radius),
    }
}

/// The predicate of the caller for the rows of two lists of shapes.
pub(super) fn accept_rows<'a>(
    filtering: Filtering<'a>,
    first: impl Fn(u32) -> u32 + Sync + 'a,
    second: impl Fn(u32) -> u32 + Sync + 'a,
) -> impl Fn(u32, u32) -> bool + Sync + 'a {
    move |a, b| {
        let (a, b) = (first(a), second(b));
        filtering.predicate.is_none_or(|Predicate { accept, .. }| accept(a.min(b), a.max(b)))
    }
}
