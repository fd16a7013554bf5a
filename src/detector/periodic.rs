//! Pairs and neighbours in a periodic box.

use super::Detector;
use crate::{
    Adjacency, Columns, Error, Lists, Periodic,
    periodic::{PeriodicNeighbor, PeriodicPair},
};

impl Detector {
    /// Replaces the content of `pairs` by all pairs of shapes that touch in a periodic box: within
    /// the box, and across its seam. Each has the shift of shape `b`, in periods.
    ///
    /// Shapes outside of the box are wrapped first: see [`Periodic`]. Shapes touch across the seam
    /// if one touches a copy of the other that is moved by a period: in positive direction along x,
    /// or else along y. Copies are moved in `f32`. So far from the origin, shapes that only just
    /// touch across the seam may be apart by a rounding.
    ///
    /// With [`Order::Sorted`], the order is by `a`, `b` and the shift. Else it is the order of the
    /// grid.
    ///
    /// Costs what [`pairs`](Detector::pairs) costs for the shapes and the copies near the seam, and
    /// a copy of all shapes: for rotated shapes and compounds, a copy of the store.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::LongerThanPeriod`] for the first shape whose bounding box
    /// is longer than the period along an axis that wraps. `pairs` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Pair, Periodic, periodic::PeriodicPair};
    ///
    /// // The circles touch across the left and right sides.
    /// let circles = Columns::circles(&[0.5, 9.5], &[3.0; 2], &[0.5; 2])?;
    /// let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
    /// let mut pairs = Vec::new();
    /// Detector::new().pairs_periodic(circles, &torus, &mut pairs)?;
    /// // Moved left by 10, circle 1 touches circle 0.
    /// assert_eq!(pairs, [PeriodicPair { pair: Pair { a: 0, b: 1 }, shift: [-1, 0] }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Order::Sorted`]: crate::Order::Sorted
    pub fn pairs_periodic<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        periodic: &Periodic,
        pairs: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        let Self { options, engine, periodic: workspace, .. } = self;
        workspace.pairs(engine, options, shapes.into(), periodic, pairs)
    }

    /// Replaces the content of `lists` by the neighbours of each row in a periodic box, with their
    /// distances and shifts: what [`neighbor_distances`](Detector::neighbor_distances) lists, also
    /// across the seam.
    ///
    /// A neighbour of a row, moved by its shift, is at most `distance` away from it. A shape is its
    /// own neighbour if its image is that near. With [`Adjacency::Full`], it is then in its list
    /// with both shifts; with [`Adjacency::Half`], once.
    ///
    /// With [`Order::Sorted`], lists are sorted by row and shift. Wrapping, copies and costs are
    /// those of [`pairs_periodic`](Detector::pairs_periodic).
    ///
    /// # Errors
    /// The errors of [`neighbors`](Detector::neighbors); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::LongerThanPeriod`] for the first shape whose bounding box
    /// and `distance` together are longer than the period along an axis that wraps. `lists` is then
    /// empty.
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, Periodic, periodic::PeriodicNeighbor};
    ///
    /// // Two particles, in opposite corners.
    /// let points = Columns::points(&[0.0, 7.0], &[0.0, 6.0])?;
    /// let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
    /// let mut near = Lists::new();
    /// Detector::new().neighbors_periodic(points, 5.0, Adjacency::Full, &torus, &mut near)?;
    /// assert_eq!(near.get(0), [PeriodicNeighbor { row: 1, distance: 5.0, shift: [-1, -1] }]);
    /// assert_eq!(near.get(1), [PeriodicNeighbor { row: 0, distance: 5.0, shift: [1, 1] }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Order::Sorted`]: crate::Order::Sorted
    pub fn neighbors_periodic<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let Self { options, engine, periodic: workspace, .. } = self;
        workspace.neighbors(engine, options, shapes.into(), (distance, adjacency), periodic, lists)
    }
}
