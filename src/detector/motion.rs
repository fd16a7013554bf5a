//! Swept pairs.

use super::Detector;
use crate::{Columns, Error, Impact, Index, motion::SweptStep};

impl Detector {
    /// Replaces the content of `impacts` by all pairs of shapes that stop each other during a step,
    /// while shape `i` moves by (`dx[i]`, `dy[i]`): with the fraction of the step at which they do,
    /// the point and the normal. Nothing tunnels, however fast it is.
    ///
    /// Each impact is the one of [`time_of_impact`](crate::narrowphase::time_of_impact) for the two
    /// shapes and their displacements, with the same bits, whatever
    /// [`Options::touching`](crate::Options::touching) is. A pair that touches at the start is
    /// listed only if the two move further into each other; it has the fraction 0 and the point and
    /// the normal of their contact (docs/queries.md, "What stops a motion").
    /// [`pairs`](Detector::pairs) lists all
    /// pairs that touch at the start. Shapes are moved, not rotated. The
    /// shapes that you pass stay as they are: move them to their ends, or to where they hit,
    /// afterwards.
    ///
    /// `dx` and `dy` are in the unit of length, for the whole step: velocity times its duration.
    /// With `bullets`, a pair is tested along the step only if at least one of the two is a bullet;
    /// the other one moves along its own displacement. Two rows that are no bullets are listed only
    /// if they stop each other at the start, with the fraction 0. `None` means that all rows are bullets.
    ///
    /// Pairs are sorted by `a`, then by `b`, with `a < b`, whatever
    /// [`Options::order`](crate::Options::order) is; with many worlds, in each world. Filters,
    /// worlds and a predicate decide as in [`pairs`](Detector::pairs). The predicate is asked about
    /// pairs whose boxes around pieces of their paths touch. Afterwards,
    /// [`grid_order`](Detector::grid_order) lists the pieces and not rows.
    ///
    /// Costs what [`pairs`](Detector::pairs) costs for the boxes around the paths, and a decision
    /// for each two that meet: 0.7 microseconds for circles, most of it for pairs that touch at the
    /// start (measured, AVX2). The path of a fast shape is cut into boxes of about its size, so it
    /// costs what is near its path and does not slow the others. There are at most four boxes a
    /// shape and 4,096 more; beyond that they are longer.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] if there is not one displacement, or flag, for each row;
    /// [`Error::InvalidShape`] for the first invalid shape, else for [`Field::Dx`] or [`Field::Dy`]
    /// of the first displacement that is not finite or moves the centre of a bounding box beyond
    /// 2^60. Displacements of vacant rows are ignored. [`Error::TooManyPairs`] beyond
    /// [`Options::max_pairs`](crate::Options::max_pairs) impacts, or if more pairs of boxes touch
    /// than that and 2^24; [`Error::OutOfMemory`]; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector};
    ///
    /// // A bullet that flies to the right, and a target behind it that moves up.
    /// let (x, y, radius) = ([0.0, 50.0], [0.0, -1.0], [0.5, 1.5]);
    /// let (dx, dy) = ([96.0, 0.0], [0.0, 2.0]);
    /// let circles = Columns::circles(&x, &y, &radius)?;
    /// let mut impacts = Vec::new();
    /// Detector::new().swept_pairs(circles, &dx, &dy, Some(&[true, false]), &mut impacts)?;
    /// let hit = impacts[0];
    /// assert_eq!((hit.pair.a, hit.pair.b, hit.fraction), (0, 1, 0.5));
    /// assert_eq!((hit.x, hit.y, hit.normal_x), (48.5, 0.0, -1.0));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Field::Dx`]: crate::error::Field::Dx
    /// [`Field::Dy`]: crate::error::Field::Dy
    pub fn swept_pairs<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        dx: &[f32],
        dy: &[f32],
        bullets: Option<&[bool]>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let step = SweptStep { dx, dy, bullets, others_stay: false };
        self.sweep(shapes.into(), step, None, impacts)
    }

    /// Replaces the content of `impacts` by all pairs of a shape and a shape of `index` that stops it
    /// during a step, while shape `i` moves by (`dx[i]`, `dy[i]`) and the shapes of the index stand
    /// still: `a` is a row of the shapes, `b` a row of the index.
    ///
    /// All else is as in [`swept_pairs`](Detector::swept_pairs). With `bullets`, a row that is no
    /// bullet has only the shapes that stop it at the start. The first call after a rebuild of the
    /// index reads its shapes once, and keeps 36 bytes a row there.
    ///
    /// # Errors
    /// The errors of [`swept_pairs`](Detector::swept_pairs); [`Error::TooManyShapes`] if both sets
    /// together have more than [`u32::MAX`] rows. `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Index};
    ///
    /// // A thin wall, and two bullets that would pass it in one step.
    /// let wall = Index::build(Columns::aabbs(&[10.0], &[-5.0], &[10.25], &[5.0])?)?;
    /// let (x, y) = ([0.0, 0.0], [0.0, 9.0]);
    /// let (dx, dy) = ([40.0, 40.0], [0.0, 0.0]);
    /// let points = Columns::points(&x, &y)?;
    /// let mut impacts = Vec::new();
    /// Detector::new().swept_pairs_against(points, &dx, &dy, None, &wall, &mut impacts)?;
    /// assert_eq!((impacts.len(), impacts[0].pair.a, impacts[0].fraction), (1, 0, 0.25));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn swept_pairs_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        dx: &[f32],
        dy: &[f32],
        bullets: Option<&[bool]>,
        index: &Index,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let step = SweptStep { dx, dy, bullets, others_stay: true };
        self.sweep(shapes.into(), step, Some(index), impacts)
    }

    fn sweep(
        &mut self,
        columns: Columns<'_>,
        step: SweptStep<'_>,
        index: Option<&Index>,
        impacts: &mut Vec<Impact>,
    ) -> Result<(), Error> {
        let Self { options, engine, motion, .. } = self;
        motion.sweep(engine, options, columns, step, index, impacts)
    }
}
