//! Casts: what a shape that moves along a translation hits.

use super::{
    Seen,
    batch::{Room, fill},
    border::Border,
    enter::{Entry, Path},
    record::{First, Hit, check_most, check_translation},
    search::{Batch, Search},
    separation::{difference, normal_at_origin},
    solid::{Solid, Solids, each_part},
    vector::Vector,
};
use crate::{
    Columns, Error, Index,
    error::Field,
    narrowphase::{PairQuery, Probe},
    shape::Shape,
};

impl Index {
    /// What `shape` first touches when it moves along a translation, or `None`: of several shapes
    /// at the same fraction, the one of the smallest row.
    ///
    /// The hit is at `fraction` of the translation, at most `max_fraction`. Its point lies on both
    /// shapes, and its normal is that of the shape that is hit. If the shapes touch at the start,
    /// the fraction is 0, and point and normal are those of their contact, the deepest one of the
    /// parts of compounds; the point is then halfway between the surfaces. Hits follow
    /// [`Options::touching`](crate::Options::touching).
    ///
    /// The moving shape touches another one when its path, as a ray, enters their Minkowski
    /// difference. The fraction is computed in closed form for all kinds, in `f64`.
    ///
    /// `translation` is in the unit of length. `max_fraction` is at least 0; infinity for no limit.
    /// Costs what a ray costs among shapes that are larger by the size of `shape`. Allocates the
    /// corners of the difference. The first cast after a [`rebuild`](Index::rebuild) copies 36
    /// bytes for each row, for the contacts at the start.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] or [`Error::InvalidQuery`] with index 0.
    ///
    /// ```
    /// use widephase::{Columns, Index, shape::Circle};
    ///
    /// let walls = Index::build(Columns::aabbs(&[10.0], &[-5.0], &[11.0], &[5.0])?)?;
    /// let bullet = Circle::new([0.0, 0.0], 0.5);
    /// let hit = walls.cast_shape(bullet, [19.0, 0.0], 1.0)?.unwrap();
    /// assert_eq!((hit.fraction, hit.x, hit.normal_x), (0.5, 10.0, -1.0));
    /// assert_eq!(walls.cast_shape(bullet, [19.0, 0.0], 0.25)?, None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn cast_shape(
        &self,
        shape: impl Shape,
        translation: impl Into<[f32; 2]>,
        max_fraction: f32,
    ) -> Result<Option<Hit>, Error> {
        self.all().cast_shape(shape, translation, max_fraction)
    }

    /// Replaces `hits` by the result of [`cast_shape`](Index::cast_shape) for each of `shapes` and
    /// its translation. A vacant row has no hit.
    ///
    /// Large batches are divided over [`Options::threads`](crate::Options::threads).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if there is not one translation for each row of `shapes`;
    /// [`Error::InvalidShape`] or [`Error::InvalidQuery`] for the first invalid value. `hits` is
    /// then empty.
    pub fn cast_shapes<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        max_fraction: f32,
        hits: &mut Vec<Option<Hit>>,
    ) -> Result<(), Error> {
        self.all().cast_shapes(shapes, translations, max_fraction, hits)
    }
}

impl Seen<'_> {
    /// [`Index::cast_shape`] among these shapes.
    ///
    /// # Errors
    /// Those of [`Index::cast_shape`].
    pub fn cast_shape(
        &self,
        shape: impl Shape,
        translation: impl Into<[f32; 2]>,
        max_fraction: f32,
    ) -> Result<Option<Hit>, Error> {
        let translation = translation.into();
        check_translation(0, translation, max_fraction)?;
        self.with_shape(shape.any(), |search, probe| {
            let path = path(translation, max_fraction);
            search.first_cast(probe, &path, &search.solids(), &mut Room::default())
        })
    }

    /// [`Index::cast_shapes`] among these shapes.
    ///
    /// # Errors
    /// Those of [`Index::cast_shapes`].
    pub fn cast_shapes<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        max_fraction: f32,
        hits: &mut Vec<Option<Hit>>,
    ) -> Result<(), Error> {
        hits.clear();
        let shapes = shapes.into();
        let (len, expected) = (translations.len(), shapes.len());
        if len != expected {
            return Err(Error::UnequalColumns { field: Field::Dx, len, expected });
        }
        check_most(0, Field::MaxFraction, max_fraction)?;
        for (index, translation) in translations.iter().enumerate() {
            check_translation(index, *translation, max_fraction)?;
        }
        Batch::of(self, shapes, |search, batch| {
            hits.resize(len, None);
            fill(hits, batch.threads, &|query, room| {
                let path = path(translations[query], max_fraction);
                let (search, probe) = batch.query(search, query)?;
                search.first_cast(&probe, &path, &search.solids(), room)
            });
        })
    }
}

/// The path of a translation from the origin.
pub(super) fn path(translation: [f32; 2], max_fraction: f32) -> Path {
    Path::new(Vector::ZERO, Vector::wide(translation), f64::from(max_fraction.min(f32::MAX)))
}

impl Search<'_> {
    fn first_cast(
        &self,
        probe: &Probe<'_>,
        path: &Path,
        solids: &Solids<'_>,
        room: &mut Room,
    ) -> Option<Hit> {
        let mut first = First::default();
        let (ids, query) = (self.ids(), self.pair_query(probe));
        self.sweep(probe, path, &mut |place| {
            first.offer(cast(probe, &query, path, solids, place, !ids[place], room));
            first.limit(path)
        });
        first.hit()
    }

    /// Passes the places of all shapes that the box around a moving shape may touch.
    fn sweep(&self, probe: &Probe<'_>, path: &Path, each: &mut dyn FnMut(usize) -> f64) {
        let bounds = probe.bounds();
        let middle = |min: f32, max: f32| ((f64::from(min) + f64::from(max)) * 0.5) as f32;
        let center = [middle(bounds.min_x, bounds.max_x), middle(bounds.min_y, bounds.max_y)];
        let half = [
            (bounds.max_x - center[0]).max(center[0] - bounds.min_x).next_up(),
            (bounds.max_y - center[1]).max(center[1] - bounds.min_y).next_up(),
        ];
        self.along(center.map(f64::from), half, bounds.radius, path, each);
    }
}

/// Where a moving shape first touches the shape at a place.
fn cast(
    probe: &Probe<'_>,
    query: &PairQuery<'_>,
    path: &Path,
    solids: &Solids<'_>,
    place: usize,
    row: u32,
    room: &mut Room,
) -> Option<Hit> {
    if query.never_touch(row) {
        return None;
    }
    if query.boxes_near([0, row as usize]) && query.touches(row) {
        return Hit::of_contact(row, &query.deepest(row)?);
    }
    let mut best: Option<(f64, Hit)> = None;
    let [corners, own] = &mut room.corners;
    let difference = &mut room.difference;
    each_part(&probe.set(), 0, &probe.sources(), own, &mut |_, own| {
        solids.each(place, corners, &mut |part, solid| {
            if let Some(entry) = enter(path, own, solid, difference)
                && best.is_none_or(|(fraction, _)| entry.fraction < fraction)
            {
                let point = touching_point(own, solid, path.at(entry.fraction), entry.normal);
                best = Some((entry.fraction, Hit::of(row, part, &entry, point)));
            }
        })
    });
    best.map(|(_, hit)| hit)
}

/// Where a moving solid first touches another one: the entry of its path into their Minkowski
/// difference.
pub(super) fn enter(
    path: &Path,
    own: &Solid<'_>,
    other: &Solid<'_>,
    room: &mut Vec<Vector>,
) -> Option<Entry> {
    if other.lets_pass(path.direction) || own.lets_pass(-path.direction) {
        return None;
    }
    room.clear();
    let border = match [own.half_plane(), other.half_plane()] {
        [None, None] => {
            difference(own.corners, other.corners, room);
            None
        }
        [None, Some(Border { normal, offset })] => {
            let lowest = Border { normal, offset: 0.0 }.lowest(own.corners).0;
            Some(Border { normal, offset: offset - lowest })
        }
        [Some(border), None] => {
            // The height of the other shape above the border that moves.
            let (height, _) = border.lowest(other.corners);
            Some(Border { normal: -border.normal, offset: -height })
        }
        [Some(_), Some(_)] => return None,
    };
    let difference =
        Solid { corners: room, radius: own.radius + other.radius, aligned: None, border };
    let entry = path.enter(&difference)?;
    if entry.fraction > 0.0 {
        return Some(entry);
    }
    // They meet at the start, under the exclusive policy or by a rounding.
    let normal = match border {
        Some(border) => border.normal,
        None => normal_at_origin(&difference, path.direction).unwrap_or(entry.normal),
    };
    Some(Entry { normal, ..entry })
}

/// The point where a solid that was moved by `moved` touches another one, whose normal is `normal`:
/// the point in which both are furthest along the normal, or the middle of the points.
pub(super) fn touching_point(
    own: &Solid<'_>,
    other: &Solid<'_>,
    moved: Vector,
    normal: Vector,
) -> Vector {
    let along = normal.perp();
    let (height, ends) = furthest(other.corners.iter().copied(), normal, along);
    let height = other.half_plane().map_or(height, |border| border.offset);
    let (_, own_ends) = furthest(own.corners.iter().map(|corner| *corner + moved), -normal, along);
    // A half-plane has no ends.
    let ends = if other.corners.is_empty() { own_ends } else { ends };
    let own_ends = if own.corners.is_empty() { ends } else { own_ends };
    let common = [ends[0].max(own_ends[0]), ends[1].min(own_ends[1])];
    let middle = (common[0] + common[1]) * 0.5;
    normal * (height + other.radius) + along * middle
}

/// Corners whose heights differ by less than this share of the coordinates are equally far.
const LEVEL: f64 = 1.0 / (1_u64 << 40) as f64;

/// How far corners are along `normal`, and the range along `along` of those that are furthest.
fn furthest(
    corners: impl Iterator<Item = Vector> + Clone,
    normal: Vector,
    along: Vector,
) -> (f64, [f64; 2]) {
    let heights = corners.clone().map(|corner| corner.dot(normal));
    let height = heights.fold(f64::NEG_INFINITY, f64::max);
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        let slack = (corner.x.abs() + corner.y.abs()) * LEVEL;
        if corner.dot(normal) >= height - slack {
            let at = corner.dot(along);
            ends = [ends[0].min(at), ends[1].max(at)];
        }
    }
    (height, ends)
}
