//! Casts: what a shape that moves along a translation hits.

use super::{
    Seen,
    batch::{fill, list},
    record::{First, keep_first_of_each_row},
    search::{Batch, Search},
    solids::Solids,
};
use crate::{
    Columns, Error, Index,
    error::Field,
    lists::Lists,
    narrowphase::{CastOptions, Hit, Motion, PairQuery, Probe, Room, Set, Sources, each_part},
    shape::Shape,
};

impl Index {
    /// What first stops `shape` when it moves along a translation, or `None`: of several shapes at
    /// the same fraction, the one of the smallest row.
    ///
    /// A shape stops the motion where they first touch, or come as near as
    /// [`gap`](CastOptions::gap). A shape that they touch at the start stops the motion only if it
    /// leads further in ([`CastStart`](crate::CastStart)). A shape that is only grazed stops nothing:
    /// docs/queries.md, "What stops a motion", has the whole rule and its tolerance. The rule does
    /// not depend on [`Options::touching`](crate::Options::touching).
    ///
    /// The hit is at `fraction` of the translation. Its point lies on the surface of the shape that
    /// is hit, and its normal is the normal of that shape. If the shapes touch at the start, the
    /// fraction is 0, and point and normal are as in their contact, of compounds the deepest
    /// contact that stops them; the point is then halfway between the surfaces.
    ///
    /// `translation` is in the unit of length. `options` are [`CastOptions`], or a number as their
    /// `max_fraction`. To pass through some shapes, such as the platform to drop from, cast among
    /// the others: [`Index::seen_where`].
    ///
    /// The moving shape touches another one when its path, as a ray, enters their Minkowski
    /// difference. The fraction is computed in closed form for all kinds, in `f64`. Costs what a ray
    /// costs among shapes that are larger by the size of `shape`. Allocates the corners of the
    /// difference. The first cast after a [`rebuild`](Index::rebuild) copies 36 bytes for each row,
    /// for the contacts at the start.
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
        options: impl Into<CastOptions>,
    ) -> Result<Option<Hit>, Error> {
        self.all().cast_shape(shape, translation, options)
    }

    /// Replaces `hits` by each shape that stops `shape` on its translation, as if it were alone: by
    /// fraction, then by row. A compound has one hit, its first.
    ///
    /// # Errors
    /// The errors of [`cast_shape`](Index::cast_shape); `hits` is then empty.
    pub fn cast_shape_all(
        &self,
        shape: impl Shape,
        translation: impl Into<[f32; 2]>,
        options: impl Into<CastOptions>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        self.all().cast_shape_all(shape, translation, options, hits)
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
        options: impl Into<CastOptions>,
        hits: &mut Vec<Option<Hit>>,
    ) -> Result<(), Error> {
        self.all().cast_shapes(shapes, translations, options, hits)
    }

    /// Replaces `lists` by the results of [`cast_shape_all`](Index::cast_shape_all) for each of
    /// `shapes` and its translation. A vacant row has none.
    ///
    /// # Errors
    /// The errors of [`cast_shapes`](Index::cast_shapes); `lists` is then empty.
    pub fn cast_shapes_all<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        options: impl Into<CastOptions>,
        lists: &mut Lists<Hit>,
    ) -> Result<(), Error> {
        self.all().cast_shapes_all(shapes, translations, options, lists)
    }
}

impl Seen<'_> {
    /// [`Index::cast_shape`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_shape`].
    pub fn cast_shape(
        &self,
        shape: impl Shape,
        translation: impl Into<[f32; 2]>,
        options: impl Into<CastOptions>,
    ) -> Result<Option<Hit>, Error> {
        let (translation, options) = (translation.into(), options.into());
        options.check(0, translation)?;
        self.with_shape(shape.any(), |search, probe| {
            Cast::new(search, probe, translation, &options).first(&mut Room::default())
        })
    }

    /// [`Index::cast_shape_all`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_shape_all`].
    pub fn cast_shape_all(
        &self,
        shape: impl Shape,
        translation: impl Into<[f32; 2]>,
        options: impl Into<CastOptions>,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        hits.clear();
        let (translation, options) = (translation.into(), options.into());
        options.check(0, translation)?;
        self.with_shape(shape.any(), |search, probe| {
            Cast::new(search, probe, translation, &options).all(&mut Room::default(), hits);
        })
    }

    /// [`Index::cast_shapes`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_shapes`].
    pub fn cast_shapes<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        options: impl Into<CastOptions>,
        hits: &mut Vec<Option<Hit>>,
    ) -> Result<(), Error> {
        hits.clear();
        let (shapes, options) = (shapes.into(), options.into());
        check(&shapes, translations, &options)?;
        Batch::of(self, shapes, |search, batch| {
            hits.resize(translations.len(), None);
            fill(hits, batch.threads, &|query, room| {
                let (search, probe) = batch.query(search, query)?;
                Cast::new(&search, &probe, translations[query], &options).first(room)
            });
        })
    }

    /// [`Index::cast_shapes_all`] among these shapes.
    ///
    /// # Errors
    /// The errors of [`Index::cast_shapes_all`].
    pub fn cast_shapes_all<'a>(
        &self,
        shapes: impl Into<Columns<'a>>,
        translations: &[[f32; 2]],
        options: impl Into<CastOptions>,
        lists: &mut Lists<Hit>,
    ) -> Result<(), Error> {
        lists.clear();
        let (shapes, options) = (shapes.into(), options.into());
        check(&shapes, translations, &options)?;
        Batch::of(self, shapes, |search, batch| {
            list(translations.len(), batch.threads, lists, &|query, room, hits| {
                if let Some((search, probe)) = batch.query(search, query) {
                    Cast::new(&search, &probe, translations[query], &options).all(room, hits);
                }
            });
        })
    }
}

/// Checks that there is one translation for each shape, and their values.
fn check(
    shapes: &Columns<'_>,
    translations: &[[f32; 2]],
    options: &CastOptions,
) -> Result<(), Error> {
    let (len, expected) = (translations.len(), shapes.len());
    if len != expected {
        return Err(Error::UnequalColumns { field: Field::Dx, len, expected });
    }
    options.check(0, [0.0; 2])?;
    for (index, translation) in translations.iter().enumerate() {
        options.check(index, *translation)?;
    }
    Ok(())
}

/// A shape that is cast.
struct Cast<'a> {
    search: &'a Search<'a>,
    probe: &'a Probe<'a>,
    query: PairQuery<'a>,
    own: Set<'a>,
    sources: Sources<'a>,
    solids: Solids<'a>,
    motion: Motion,
}

impl<'a> Cast<'a> {
    fn new(
        search: &'a Search<'a>,
        probe: &'a Probe<'a>,
        translation: [f32; 2],
        options: &CastOptions,
    ) -> Self {
        Self {
            search,
            probe,
            query: search.cast_query(probe),
            own: probe.set(),
            sources: probe.sources(),
            solids: search.solids(),
            motion: Motion::new(translation, options),
        }
    }

    /// The first shape that stops it.
    fn first(&self, room: &mut Room) -> Option<Hit> {
        let mut first = First::default();
        self.sweep(&mut |place| {
            let most = first.limit(&self.motion.path);
            first.offer(self.hit(place, most.min(self.motion.path.limit), room));
            first.limit(&self.motion.path)
        });
        first.hit()
    }

    /// Appends a hit for each shape that stops it.
    fn all(&self, room: &mut Room, hits: &mut Vec<Hit>) {
        let first = hits.len();
        self.sweep(&mut |place| {
            hits.extend(self.hit(place, self.motion.path.limit, room));
            self.motion.path.limit
        });
        keep_first_of_each_row(hits, first);
    }

    /// Passes the places of all shapes that the box around the moving shape may touch.
    fn sweep(&self, each: &mut dyn FnMut(usize) -> f64) {
        let bounds = self.probe.bounds();
        let middle = |min: f32, max: f32| ((f64::from(min) + f64::from(max)) * 0.5) as f32;
        let center = [middle(bounds.min_x, bounds.max_x), middle(bounds.min_y, bounds.max_y)];
        let half = [
            (bounds.max_x - center[0]).max(center[0] - bounds.min_x).next_up(),
            (bounds.max_y - center[1]).max(center[1] - bounds.min_y).next_up(),
        ];
        let radius = self.motion.widened(bounds.radius);
        self.search.along(center.map(f64::from), half, radius, &self.motion.path, each);
    }

    /// Where the shape at a place stops it, at most at the fraction `most`.
    fn hit(&self, place: usize, most: f64, room: &mut Room) -> Option<Hit> {
        let Self { query, own, sources, solids, motion, .. } = self;
        let row = !self.search.ids()[place];
        motion.hit(query, row, most, room, &mut |[corners, own_corners], take| {
            each_part(own, 0, sources, own_corners, &mut |part_a, own| {
                solids.each(place, corners, &mut |part_b, other| {
                    take([part_a, part_b], own, other);
                });
            });
        })
    }
}
