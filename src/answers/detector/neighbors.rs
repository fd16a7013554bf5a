//! Neighbour lists; pairs and neighbours in a periodic box.

use super::Detector;
use crate::{
    error::Error,
    lists::{Adjacency, Lists},
    periodic::{Nearest, PeriodicNeighbor, PeriodicPair, periodic::Periodic},
    query::Neighbor,
    store::Columns,
};

impl Detector {
    /// Replaces the content of `lists` by the neighbours of each row: one list for each row of
    /// `shapes`, with the rows of all shapes at most `distance` away. A vacant row has no
    /// neighbours, and a shape is not its own.
    ///
    /// The distance is that between the surfaces, in the unit of length, from 0 to 2^60. For points
    /// it is that between the points. With [`Adjacency::Full`], a pair is in the lists of both
    /// rows; with [`Adjacency::Half`], the larger row is in the list of the smaller row.
    ///
    /// With [`Order::Sorted`], each list is ascending. Else each list is in the order in which the
    /// grid lists the pairs of shapes that are inflated by half of the distance. Like any other
    /// order, it is a function of the shapes and the options.
    ///
    /// - Axis-aligned shapes are neighbours if they touch once `distance / 2` is added to each
    ///   radius, in `f32`. A radius with its half of the distance is limited to 2^60.
    /// - If any shape is rotated or has parts, neighbours are the shapes with a contact in
    ///   [`contacts`](Detector::contacts) with a margin of `distance`.
    ///
    /// With a distance of 0 the neighbours are the pairs of [`pairs`](Detector::pairs) under
    /// [`Options::touching`](crate::Options::touching). Above 0, shapes at exactly that distance
    /// are neighbours under either policy.
    ///
    /// Costs as much as [`pairs`](Detector::pairs) for the inflated shapes, and about 2 ns more for
    /// each item of a list. Lists of circles and points are found and written on the threads of
    /// [`Options::threads`](crate::Options::threads). Other shapes are searched for pairs on these
    /// threads, and the calling thread makes lists of the pairs.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs), of which [`Error::TooManyPairs`] counts each pair
    /// once; [`Error::InvalidMargin`] for a distance that is NaN, negative or above 2^60. `lists`
    /// is then empty.
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, shape::Circle};
    ///
    /// // Who is within 5 of whom?
    /// let (x, y) = ([0.0, 3.0, 9.0, 3.0], [0.0, 4.0, 0.0, 9.0]);
    /// let (mut detector, mut near) = (Detector::new(), Lists::new());
    /// detector.neighbors(Columns::points(&x, &y)?, 5.0, Adjacency::Full, &mut near)?;
    /// assert_eq!(near.offsets(), [0, 1, 3, 3, 4]);
    /// assert_eq!((near.get(0), near.get(3)), (&[1][..], &[1][..]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Order::Sorted`]: crate::Order::Sorted
    pub fn neighbors<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        self.list_rows(shapes.into(), distance, adjacency, lists)
    }

    /// Replaces the content of `lists` by the neighbours of each row with their distances: the rows
    /// of [`neighbors`](Detector::neighbors), in the same order.
    ///
    /// The distance is that between the surfaces, and 0 if the shapes touch. If all shapes of all
    /// spaces are axis-aligned, it is computed in `f64` from the given values and rounded to `f32`.
    /// Else it is the negated depth of the contact, of the nearest parts, which may differ by a few
    /// roundings. Whether shapes are neighbours is decided in `f32`, so a distance may be above the
    /// requested distance by a rounding.
    ///
    /// Costs about 5 ns an item more than [`neighbors`](Detector::neighbors). An item takes 8
    /// bytes.
    ///
    /// # Errors
    /// The errors of [`neighbors`](Detector::neighbors).
    ///
    /// ```
    /// use widephase::{Adjacency, Columns, Detector, Lists, Neighbor};
    ///
    /// let circles = Columns::circles(&[0.0, 4.0, 8.0], &[0.0; 3], &[1.0, 1.0, 3.5])?;
    /// let (mut detector, mut near) = (Detector::new(), Lists::new());
    /// detector.neighbor_distances(circles, 2.0, Adjacency::Half, &mut near)?;
    /// assert_eq!(near.get(0), [Neighbor { row: 1, distance: 2.0 }]);
    /// assert_eq!(near.get(1), [Neighbor { row: 2, distance: 0.0 }]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn neighbor_distances<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        self.list_distances(shapes.into(), distance, adjacency, lists)
    }

    /// [`neighbors`](Self::neighbors), compiled with the library: not with the options of the crate
    /// that calls it.
    #[inline(never)]
    fn list_rows(
        &mut self,
        shapes: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<u32>,
    ) -> Result<(), Error> {
        let Self { options, engine, neighbors, .. } = self;
        neighbors.get()?.list(engine, options, shapes, distance, adjacency, lists)
    }

    /// [`neighbor_distances`](Self::neighbor_distances), compiled with the library.
    #[inline(never)]
    fn list_distances(
        &mut self,
        shapes: Columns<'_>,
        distance: f32,
        adjacency: Adjacency,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        let Self { options, engine, neighbors, .. } = self;
        neighbors.get()?.list(engine, options, shapes, distance, adjacency, lists)
    }
}

impl Detector {
    /// Replaces the content of `pairs` by all pairs of shapes that touch in a periodic box: within
    /// the box, and across its seam. Each pair has the shift of shape `b`, in periods.
    ///
    /// Shapes outside of the box are wrapped first: see [`Periodic`]. The shift is the one of the
    /// shapes as they were given. Shapes touch across the seam
    /// if one touches a copy of the other that is moved by a period: in positive direction along x,
    /// or else along y. Copies are moved in `f32`. So far from the origin, shapes that only just
    /// touch across the seam may be apart by a rounding.
    ///
    /// With [`Order::Sorted`], the order is by `a`, `b` and the shift. Else it is the order of the
    /// grid.
    ///
    /// A shape may be longer than the period. It then touches itself, and may touch another shape
    /// by several shifts: each shift is a pair.
    ///
    /// Costs as much as [`pairs`](Detector::pairs) for the shapes and the copies near the seam, and
    /// a copy of all shapes: for rotated shapes and compounds, a copy of the store.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::TooManyImages`] for shapes that are far longer than the
    /// period: see [`neighbors_periodic`](Detector::neighbors_periodic);
    /// [`Error::TooManyPeriods`] for two shapes that are more than 32,767 periods apart as they
    /// were given. `pairs` is then empty.
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
        let workspace = workspace.get()?;
        workspace.pairs(engine, options, shapes.into(), periodic, pairs)
    }

    /// Replaces the content of `lists` by the neighbours of each row in a periodic box, with their
    /// distances and shifts: the lists of [`neighbor_distances`](Detector::neighbor_distances),
    /// also across the seam.
    ///
    /// A neighbour of a row, moved by its shift, is at most `distance` away from it. A shape is its
    /// own neighbour if its image is that near. With [`Adjacency::Full`], it is then in its list
    /// with both shifts; with [`Adjacency::Half`], once, with the shift that is positive along x,
    /// or else along y. Other pairs are then in the list of the smaller row, once for each shift.
    ///
    /// The distance may be longer than the period. Each image within it is a neighbour of its own,
    /// by as many periods as it takes.
    ///
    /// With [`Order::Sorted`], lists are sorted by row and shift. Wrapping, copies and costs are as
    /// for [`pairs_periodic`](Detector::pairs_periodic).
    ///
    /// Shapes up to a period long are copied if they are near the seam. If a shape and `distance`
    /// together are longer, the images that may be near are listed, about 28 bytes each, and
    /// searched for in an index of the shapes. Then pairs in the box come before pairs by other
    /// shifts, unless they are sorted.
    ///
    /// # Errors
    /// The errors of [`neighbors`](Detector::neighbors); the limit also counts pairs of two copies.
    /// [`Error::InvalidPeriod`]; [`Error::TooManyImages`] if `distance` or a shape reaches over
    /// more than 32,767 periods or 2^59, or if there are more images that may be near than 2^24 and
    /// 16 for each shape; [`Error::TooManyPeriods`]. `lists` is then empty.
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
        let workspace = workspace.get()?;
        workspace.neighbors(engine, options, shapes.into(), (distance, adjacency), periodic, lists)
    }

    /// Replaces the content of `lists` by the `k` nearest neighbours of each row in a periodic box,
    /// at most `max_distance` away: by distance, then by row and shift. A vacant row has an empty
    /// list.
    ///
    /// Neighbours are as for [`neighbors_periodic`](Detector::neighbors_periodic) with
    /// [`Adjacency::Full`]: each image counts, also of the row itself by other shifts than 0, so
    /// `k` may be more than there are rows. Shapes that a row does not meet, by filters or spaces,
    /// are not listed. Distances of axis-aligned shapes have the same bits as there. If any shape
    /// is rotated or has parts, they are the distances of [`k_nearest`](crate::Queries::k_nearest),
    /// computed in `f64`.
    ///
    /// Costs as much as [`Index::k_nearest_of_rows`](crate::Index::k_nearest_of_rows), the sort of
    /// an index, and the search of the images near the seam. Rows that have fewer than `k`
    /// neighbours within half a period are searched again, each time twice as far.
    ///
    /// To ask for positions that are not particles, append them as rows, with a filter that meets
    /// only the filter of particles.
    ///
    /// # Errors
    /// [`Error::InvalidShape`]; [`Error::InvalidQuery`] if `max_distance` is NaN or below 0;
    /// [`Error::InvalidPeriod`]; [`Error::TooManyImages`] if `k` neighbours of a row are only to be
    /// found over too many periods; [`Error::TooManyPeriods`]. `lists` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Detector, Lists, Periodic, periodic::PeriodicNeighbor};
    ///
    /// let points = Columns::points(&[1.0, 4.0, 9.0], &[5.0; 3])?;
    /// let torus = Periodic::new([0.0, 0.0], [10.0, 10.0]);
    /// let mut nearest = Lists::new();
    /// Detector::new().k_nearest_periodic(points, 2, f32::INFINITY, &torus, &mut nearest)?;
    /// assert_eq!(nearest.get(0), [
    ///     PeriodicNeighbor { row: 2, distance: 2.0, shift: [-1, 0] },
    ///     PeriodicNeighbor { row: 1, distance: 3.0, shift: [0, 0] },
    /// ]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn k_nearest_periodic<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        k: usize,
        max_distance: f32,
        periodic: &Periodic,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let Self { options, engine, periodic: workspace, .. } = self;
        let workspace = workspace.get()?;
        let limits = Nearest { k, max_distance };
        workspace.nearest(engine, options, shapes.into(), limits, periodic, lists)
    }
}
