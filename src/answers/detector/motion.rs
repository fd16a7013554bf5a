//! Swept pairs.

use super::Detector;
use crate::{
    detect::{Scope, ScopeSides},
    error::Error,
    motion::{Displacements, Impact},
};

impl Detector {
    /// Replaces the content of `impacts` by all pairs of shapes in a [scope](Scope) that stop each
    /// other during a step, while the shapes move by their [displacements](Displacements): with the
    /// fraction of the step at which they do, the point and the normal. Nothing tunnels, however
    /// fast it is. An index stands still; of two indexes, the shapes of the first one move.
    ///
    /// Each impact is the impact of [`time_of_impact`](crate::narrowphase::time_of_impact) for the
    /// two shapes and their displacements, with the same bits, whatever
    /// [`Options::touching`](crate::Options::touching) is. [`Displacements::start`] says which
    /// pairs that touch at the start are listed: by default, pairs that move further into each
    /// other. Such a pair has the fraction 0 and the point and the normal of its contact ([what stops a
    /// motion](crate::guide::queries#what-stops-a-motion)). [`pairs`](Detector::pairs) lists all
    /// pairs that touch at the start. Shapes are moved, not rotated. The shapes that you pass stay
    /// as they are: move them to their ends, or to where they hit, afterwards.
    ///
    /// With [`Bullets::Rows`], a pair is tested along the step only if at least one of the two is a
    /// bullet; the other shape moves along its own displacement. Two rows that are no bullets, or
    /// such a row and a shape of an index, are listed only if they stop each other at the start,
    /// with the fraction 0. With [`Bullets::All`], all rows are bullets.
    ///
    /// Pairs are sorted by `a`, then by `b`, whatever [`Options::order`](crate::Options::order) is.
    /// Filters, spaces and a predicate decide as in [`pairs`](Detector::pairs). The predicate
    /// decides pairs whose boxes around pieces of their paths touch. Afterwards,
    /// [`grid_order`](Detector::grid_order) lists the pieces and not rows.
    ///
    /// Costs as much as [`pairs`](Detector::pairs) for the circles or boxes around the paths, about
    /// as much again for reading the shapes and sorting the pairs, and a decision for each two
    /// shapes whose relative motion brings them together: 0.07 microseconds for circles, 0.2 for
    /// boxes, about one for other shapes (measured, AVX-512). The path of a fast shape is cut into
    /// boxes of about its own size or the size of most shapes, so its cost follows the number of
    /// shapes near its path, and it does not slow other shapes. There are at most four boxes a
    /// shape and 4,096 more; to stay within that, boxes are longer. The first call after a rebuild
    /// of an index reads its shapes once, and keeps 36 bytes a row there.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if there is not one displacement, or flag, for each row;
    /// [`Error::InvalidShape`] for the first invalid shape, else for [`Field::Dx`] or [`Field::Dy`]
    /// of the first displacement that is not finite or moves the centre of a bounding box beyond
    /// 2^60. Displacements of vacant rows are ignored. [`Error::TooManyShapes`] if two sets
    /// together have more than [`u32::MAX`] rows; [`Error::TooManyPairs`] beyond
    /// [`Options::max_pairs`](crate::Options::max_pairs) impacts, or if more pairs of boxes touch
    /// than that and 2^24; [`Error::OutOfMemory`]; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Bullets, Columns, Detector, Displacements, Index};
    ///
    /// // A bullet that flies to the right, and a target behind it that moves up.
    /// let (x, y, radius) = ([0.0, 50.0], [0.0, -1.0], [0.5, 1.5]);
    /// let (dx, dy, flags) = ([96.0, 0.0], [0.0, 2.0], [true, false]);
    /// let circles = Columns::circles(&x, &y, &radius)?;
    /// let bullets = Bullets::Rows(&flags);
    /// let moves = Displacements { x: &dx, y: &dy, bullets, ..Displacements::default() };
    /// let (mut detector, mut impacts) = (Detector::new(), Vec::new());
    /// detector.swept_pairs(circles, moves, &mut impacts)?;
    /// let hit = impacts[0];
    /// assert_eq!((hit.pair.a, hit.pair.b, hit.fraction), (0, 1, 0.5));
    /// assert_eq!((hit.x, hit.y, hit.normal_x), (48.5, 0.0, -1.0));
    ///
    /// // A thin wall that the bullet would pass in one step.
    /// let wall = Index::build(Columns::aabbs(&[24.5], &[-5.0], &[24.75], &[5.0])?)?;
    /// detector.swept_pairs((circles, &wall), moves, &mut impacts)?;
    /// assert_eq!((impacts.len(), impacts[0].pair.a, impacts[0].fraction), (1, 0, 0.25));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Bullets::All`]: crate::Bullets::All
    /// [`Bullets::Rows`]: crate::Bullets::Rows
    /// [`Field::Dx`]: crate::error::Field::Dx
    /// [`Field::Dy`]: crate::error::Field::Dy
    pub fn swept_pairs<'a>(
        &mut self,
        scope: impl Into<Scope<'a>>,
        displacements: Displacements<'_>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        self.sweep(scope.into(), displacements, impacts)
    }

    fn sweep(
        &mut self,
        scope: Scope<'_>,
        moves: Displacements<'_>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        impacts.clear();
        let Self { options, engine, motion, index_rows, .. } = self;
        let (columns, index) = match scope.sides {
            ScopeSides::One(columns) => (columns, None),
            ScopeSides::WithIndex(columns, part) => (columns, Some(part.index())),
            ScopeSides::Indexes([index, other]) => (index_rows.read(index)?, Some(other)),
        };
        if let Some(index) = index {
            index.ready()?;
        }
        let motion = motion.get()?;
        motion.sweep(engine, options, columns, moves, index, impacts)
    }
}
