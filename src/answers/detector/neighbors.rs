//! Neighbour lists.

use super::Detector;
use crate::{
    error::Error,
    lists::{Adjacency, Lists},
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
        let Self { options, engine, neighbors, .. } = self;
        let neighbors = neighbors.get()?;
        neighbors.list(engine, options, shapes.into(), distance, adjacency, lists)
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
        let Self { options, engine, neighbors, .. } = self;
        let neighbors = neighbors.get()?;
        neighbors.list(engine, options, shapes.into(), distance, adjacency, lists)
    }
}
