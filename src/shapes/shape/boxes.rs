//! Boxes and cells of a map, merged to outlines.
//!
//! In plain words:
//!
//! ```text
//! from left to right, over the sides of all boxes:                            (coverage.rs)
//!     where a box begins and none was: the area is to the right of its side, which leads down
//!     where a box ends and none is left: the area is to the left, and the side leads up
//! at each height, the ends of these sides in pairs: the sides between them    (loops.rs)
//! follow the sides: a loop that begins downwards is an outline
//!     one that begins upwards is a hole, of the outline to its left
//! ```

use glam::Vec2;

use super::{Aabb, Chain, Sides, check::check_one};
use crate::error::Error;

mod coverage;

/// An area without curves: a ring around it and rings around its holes, with the area to the left
/// of the way along each ring.
///
/// Boxes of a map, or the cells of a grid, are merged by [`merge_boxes`](Outline::merge_boxes) and
/// [`trace_cells`](Outline::trace_cells). Nothing catches on a floor of tiles then, because the
/// sides between them are gone. [`chains`](Outline::chains) makes a terrain of an outline,
/// `compound` (feature `outlines`) a solid body.
///
/// ```
/// use widephase::{Shapes, shape::{Chain, Outline, Sides}};
///
/// // '#' is solid. The first row of the text is the upper one.
/// let map = ["#    #", "#  # #", "######"];
/// let solid = |column: usize, row: usize| map[2 - row].as_bytes()[column] == b'#';
/// let outlines = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [6, 3], solid)?;
/// assert_eq!((outlines.len(), outlines[0].outer.len(), outlines[0].holes.len()), (1, 12, 0));
/// let mut ground = Shapes::new();
/// for chain in outlines[0].chains()? {
///     ground.push_chain(&chain)?;
/// }
/// assert_eq!(ground.len(), 12);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outline {
    /// The vertices of the ring around the area, counter-clockwise where y points up.
    pub outer: Vec<Vec2>,
    /// The vertices of the rings around its holes, clockwise where y points up.
    pub holes: Vec<Vec<Vec2>>,
}

impl Outline {
    /// The outlines of the union of boxes, which may share sides or parts of them, overlap and
    /// repeat each other.
    ///
    /// All coordinates are coordinates of the boxes, and decisions are exact: two boxes share a
    /// side only if their coordinates there are equal. Boxes without area are left out. Vertices
    /// are corners: no three in a row lie on one line.
    ///
    /// Boxes that touch only at a corner are of one outline. Where four boxes or gaps meet so that
    /// only two opposite places are solid, each ring turns right. So each ring borders one gap, and
    /// a body that moves in this gap meets one chain. A ring may visit such a point twice, and
    /// rings of one outline may touch there; [`Compound::from_outline`](crate::shape::Compound)
    /// takes both.
    ///
    /// Each ring begins with its leftmost vertex, the lowest of them if there are several. The
    /// outlines are in the order of their first vertices, and so are the holes of each.
    ///
    /// O((n + k) log n) time for n boxes and k vertices, on the calling thread; allocates O(n + k)
    /// memory. Boxes that cross each other as bars of a grid may have as many gaps as there are
    /// crossings, which is the square of n.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the position of the first bad box.
    ///
    /// ```
    /// use widephase::shape::{Aabb, Outline};
    ///
    /// // Two floor tiles, and a post on the joint.
    /// let left = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// let right = Aabb::new([1.0, 0.0], [2.0, 1.0]);
    /// let post = Aabb::new([0.75, 1.0], [1.25, 3.0]);
    /// let outlines = Outline::merge_boxes(&[left, right, post])?;
    /// let corners = [
    ///     [0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.25, 1.0],
    ///     [1.25, 3.0], [0.75, 3.0], [0.75, 1.0], [0.0, 1.0],
    /// ];
    /// assert_eq!(outlines.len(), 1);
    /// assert_eq!(outlines[0].outer, corners.map(Into::into));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn merge_boxes(boxes: &[Aabb]) -> Result<Vec<Self>, Error> {
        for (index, &one) in boxes.iter().enumerate() {
            check_one(index, one)?;
        }
        Ok(merged(boxes))
    }

    /// The outlines of the solid cells of a grid, such as a tile map: as
    /// [`merge_boxes`](Outline::merge_boxes) of a box for each solid cell.
    ///
    /// `origin` is the corner with the least coordinates, and `cell` the width and height of a
    /// cell. `is_solid(column, row)` is called once for each of the `columns` and `rows`, row by
    /// row in the direction of y. Line k between cells is at `origin + k * cell`, computed in `f64`
    /// and rounded to `f32`.
    ///
    /// O(cells) calls and time, and the time of merging a box for each run of solid cells in a row.
    ///
    /// # Errors
    /// [`Error::InvalidCellSize`] for a width or height that is not above 0 and at most 2^60, or
    /// that is lost: both sides of a run of solid cells in a row are rounded to one line.
    /// [`Error::InvalidShape`] with index 0 for the box around the grid.
    pub fn trace_cells(
        origin: impl Into<Vec2>,
        cell: impl Into<Vec2>,
        [columns, rows]: [usize; 2],
        mut is_solid: impl FnMut(usize, usize) -> bool,
    ) -> Result<Vec<Self>, Error> {
        let (origin, cell) = (origin.into(), cell.into());
        for value in cell.to_array() {
            if !(value > 0.0 && value <= super::MAX_COORDINATE) {
                return Err(Error::InvalidCellSize { value });
            }
        }
        let line = |number: usize, axis: usize| {
            (f64::from(origin[axis]) + number as f64 * f64::from(cell[axis])) as f32
        };
        let corner = |column: usize, row: usize| Vec2::new(line(column, 0), line(row, 1));
        check_one(0, Aabb::new(origin, corner(columns, rows)))?;
        let mut runs = Vec::new();
        for row in 0..rows {
            let mut first = None;
            for column in 0..=columns {
                if column < columns && is_solid(column, row) {
                    first = first.or(Some(column));
                } else if let Some(first) = first.take() {
                    let run = Aabb::new(corner(first, row), corner(column, row + 1));
                    let lost = [run.min_x >= run.max_x, run.min_y >= run.max_y];
                    if let Some(axis) = lost.iter().position(|lost| *lost) {
                        return Err(Error::InvalidCellSize { value: cell[axis] });
                    }
                    runs.push(run);
                }
            }
        }
        Ok(merged(&runs))
    }

    /// All rings: the outer one first.
    pub fn rings(&self) -> impl Iterator<Item = &[Vec2]> {
        std::iter::once(&self.outer).chain(&self.holes).map(Vec::as_slice)
    }

    /// A closed chain for each ring, the outer one first, with contacts on the side that is not in
    /// the area: [`Sides::Right`].
    ///
    /// # Errors
    /// The errors of [`Chain::closed`]. Empty for outlines of boxes and cells.
    pub fn chains(&self) -> Result<Vec<Chain>, Error> {
        let chain = |ring| Ok(Chain::closed(ring)?.with_sides(Sides::Right));
        self.rings().map(chain).collect()
    }

    /// The area as a solid body. `Compound::from_outlines(outlines.iter().map(Outline::rings))`
    /// makes one body of several outlines.
    ///
    /// # Errors
    /// The errors of [`Compound::from_outline`](super::Compound::from_outline).
    ///
    /// ```
    /// use widephase::shape::{Aabb, Outline};
    ///
    /// let bars = [Aabb::new([0.0, 0.0], [3.0, 1.0]), Aabb::new([1.0, 1.0], [2.0, 2.0])];
    /// let body = Outline::merge_boxes(&bars)?[0].compound()?;
    /// assert!(body.parts().len() <= 3);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    #[cfg(feature = "outlines")]
    pub fn compound(&self) -> Result<super::Compound, Error> {
        let holes: Vec<&[Vec2]> = self.holes.iter().map(Vec::as_slice).collect();
        super::Compound::from_outline(&self.outer, &holes)
    }
}

/// The outlines of the union of boxes that have been checked.
fn merged(boxes: &[Aabb]) -> Vec<Outline> {
    let (edges, heights) = coverage::edges(boxes);
    coverage::outlines(&edges, &heights)
}
