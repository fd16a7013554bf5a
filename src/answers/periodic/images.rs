//! `Images`: shapes of a periodic box, moved by whole periods; and pairs that are further than
//! a period apart.
//!
//! In plain words:
//!
//! ```text
//! for each wrapped shape: list its images that may be near the others; of opposite shifts, one
//! find the pairs of an image and a wrapped shape
//! ```
//!
//! Unlike the copies near the seam, the images may be many more than the shapes. So they are
//! searched for in an index of the shapes, and not together with them, which would also find all
//! pairs of two images.

use super::{
    Periodic,
    copies::{Copied, Copies, copy_moved, push},
    wrap::{MAX_MOVE, moved, shape_at},
};
use crate::{
    base::{F32_SLACK, Pair, held},
    detect::{CopiedFilters, Engine, NearPair, NearPairs, ResultSink, RunOptions, list_near},
    error::Error,
    filter::{Filtering, Predicate},
    geometry::{box_distance, ends},
    index::Index,
    options::{CandidateLists, IndexOptions, Options, uses_pool},
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

/// The workspace of searches beyond one period.
#[derive(Debug, Default)]
pub(super) struct FarWorkspace {
    index: Index,
    images: Images,
    /// The inflated radii of the wrapped shapes and of the images.
    wide: [Vec<f32>; 2],
    /// Pairs of an image and a wrapped shape.
    pairs: Vec<Pair>,
    /// Such pairs of rotated shapes, with distances.
    near: Vec<NearPair>,
}

held!(FarWorkspace { index, images, wide, pairs, near });

/// The shapes of a call, wrapped.
pub(super) struct WrappedSet<'a> {
    /// The columns of the caller, and the kind of axis-aligned shapes.
    pub(super) columns: Columns<'a>,
    pub(super) kind: Kind,
    pub(super) periodic: &'a Periodic,
    pub(super) wrapped: &'a Copies,
    /// The filters of the wrapped shapes.
    pub(super) filters: &'a CopiedFilters,
}

impl FarWorkspace {
    /// Appends all pairs by other shifts than 0, with their distances. A pair has the position of a
    /// wrapped shape and the number of an image, counted behind the wrapped shapes. Returns the
    /// images.
    pub(super) fn find(
        &mut self,
        engine: &mut Engine,
        options: &Options,
        set: &WrappedSet<'_>,
        distance: f32,
        found: &mut NearPairs,
    ) -> Result<&[Copied], Error> {
        let Self { index, images, wide: [wide, wide_images], pairs, near } = self;
        let WrappedSet { columns, kind, periodic, wrapped, filters } = *set;
        let (rows, rotates) = (&*wrapped.rows, columns.rotates());
        let sides = |at: usize| ends(wrapped.shape(rotates, at));
        images.list.clear();
        pairs.clear();
        near.clear();
        if rows.is_empty() {
            return Ok(&[]);
        }
        let around = Surroundings::of(periodic, rows.len(), (0..rows.len()).map(sides));
        for (at, &row) in rows.iter().enumerate() {
            around.list(&mut images.list, (at, row), sides(at), distance.into())?;
        }
        images.place(wrapped, periodic, columns)?;
        let shapes = match wrapped.store(rotates) {
            Some(shapes) => shapes.columns(),
            None => inflated(&wrapped.columns, kind, distance, wide)?,
        };
        let candidate_lists = CandidateLists::Never;
        index.set_options(IndexOptions { candidate_lists, ..options.into() })?;
        index.rebuild(filters.give(columns, shapes, &|_, _| true)?)?;

        let before = found.len();
        let run = RunOptions::of(options)?;
        let max_pairs = run.max_pairs.saturating_sub(before);
        // Inflated shapes at exactly the distance touch, and are near under either policy.
        let inclusive = run.inclusive || (!rotates && distance > 0.0);
        let run = RunOptions { max_pairs, inclusive, ..run };
        let (list, row) = (&images.list, |at: u32| rows[at as usize]);
        let accept = accept_rows(columns.filtering, |image| row(list[image as usize].of), row);
        let moved = images.columns(columns, kind, (distance, wide_images), &accept)?;
        let scope = (moved, &*index).into();
        let result = if rotates {
            let run = (run, uses_pool(run.threads, images.list.len()));
            list_near(engine, run, scope, distance, pairs, &mut |words| {
                let room = near.try_reserve(words.len());
                room.map(|()| near.extend(words.iter().map(NearPair::of))).is_ok()
            })
        } else {
            engine.detect(run, scope, 0.0, ResultSink::List(pairs), None).map(drop)
        };
        result.map_err(|error| match error {
            Error::TooManyPairs { found, .. } => {
                let (limit, found) = (options.max_pairs, found + before as u64);
                Error::TooManyPairs { limit, found }
            }
            other => other,
        })?;
        let pair = |image: u32, shape: u32| Pair { a: shape, b: image + rows.len() as u32 };
        if rotates {
            for &NearPair { pair: Pair { a, b }, distance } in &*near {
                found.push(NearPair { pair: pair(a, b), distance }, true);
            }
        } else {
            // The search reports the rows of an index as complements, unless it makes contacts.
            for &Pair { a, b } in &*pairs {
                let distance = box_distance(wrapped.shape(false, !b as usize), images.shape(a));
                found.push(NearPair { pair: pair(a, !b), distance }, true);
            }
        }
        Ok(list)
    }
}
