//! `Tiles`: the plane, divided by cuts.

use super::tile::{Reach, Tile, center};
use crate::{
    base::order::{ordered, select_along, value},
    error::{Error, Field},
    shape::{RoundedBox, check::coordinate},
    simd::map_each,
    store::Columns,
};

/// An axis of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// From left to right.
    X,
    /// From below to above.
    Y,
}

/// The plane, divided into tiles by axis-aligned cuts.
///
/// Each cut divides one tile in two, so tiles may have any sizes, and need not be a lattice. The
/// tiles are numbered. A shape is owned by the tile that has the centre of its bounds, and is a
/// *ghost* in all other tiles that its bounds reach into.
///
/// ```
/// use widephase::tiles::{Axis, Tile, Tiles};
///
/// let mut tiles = Tiles::new();
/// let right = tiles.cut(0, Axis::X, 10.0)?;
/// let above = tiles.cut(right, Axis::Y, 0.0)?;
/// assert_eq!((tiles.len(), right, above), (3, 1, 2));
/// assert_eq!(tiles.find([10.0, -1.0]), right); // the cut itself is in the upper part
/// assert_eq!(tiles.get(right), Some(Tile { min_x: 10.0, max_y: 0.0, ..Tile::PLANE }));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tiles {
    tiles: Vec<Tile>,
    /// The cuts as a tree. The first node is its root.
    nodes: Vec<CutNode>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum CutNode {
    Tile(u32),
    /// The axis, the place, and the node below the place. The node after that is above the place.
    Cut(Axis, f32, u32),
}

/// The most centres that [`Tiles::balanced`] considers, for a few tiles.
const SAMPLED_CENTERS: usize = 1 << 17;

/// The most for each of many tiles. Then the fullest of a thousand is a twentieth above the mean.
const SAMPLED_PER_TILE: usize = 1 << 12;

impl Default for Tiles {
    fn default() -> Self {
        Self { tiles: vec![Tile::PLANE], nodes: vec![CutNode::Tile(0)] }
    }
}

impl Tiles {
    /// One tile: the plane.
    pub fn new() -> Self {
        Self::default()
    }

    /// This many tiles, at least one and at most 2^24, with about equal numbers of the shapes.
    /// Shapes of one place cannot be parted, so tiles may be empty.
    ///
    /// Cuts by recursive bisection: the longer side of the space that the centres take is cut where
    /// it parts them in proportion. Up to 131,072 centres are considered, or 4,096 for each tile if
    /// that is more, spread over all rows. So the numbers differ by a few percent. The result
    /// depends on the shapes and their order alone. O(rows considered · log tiles) time.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for an invalid row among the rows considered.
    ///
    /// ```
    /// use widephase::{Columns, tiles::Tiles};
    ///
    /// let x: Vec<f32> = (0..100).map(|i| (i * i) as f32).collect();
    /// let tiles = Tiles::balanced(Columns::points(&x, &[0.0; 100])?, 4)?;
    /// assert_eq!(tiles.find([x[24], 0.0]), 0);
    /// assert_eq!(tiles.get(0).map(|tile| tile.max_x), Some(x[25]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn balanced<'a>(shapes: impl Into<Columns<'a>>, tiles: usize) -> Result<Self, Error> {
        /// The most tiles of [`Tiles::balanced`].
        const MAX_TILES: usize = 1 << 24;
        let columns = shapes.into();
        let tiles = tiles.clamp(1, MAX_TILES);
        let sample = SAMPLED_CENTERS.max(tiles.saturating_mul(SAMPLED_PER_TILE));
        let stride = columns.len().div_ceil(sample).max(1);
        let mut centers = Vec::with_capacity(columns.len() / stride);
        for first in (0..columns.len()).step_by(stride) {
            // Any row of the next `stride`: the rows of a lattice would else be of few columns.
            let offset = (first as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
            let row = first + offset as usize % stride.min(columns.len() - first);
            if columns.holds(row) {
                columns.check_row(row)?;
                centers.push(map_each(center(columns.bounds(row)?), |at| ordered(at as f32)));
            }
        }
        let mut all = Self::new();
        all.part(0, tiles, &mut centers);
        Ok(all)
    }

    /// Divides a tile into `parts`, with about equal numbers of these centres in it, which are
    /// [`ordered`].
    fn part(&mut self, tile: usize, parts: usize, centers: &mut [[i32; 2]]) {
        if parts == 1 {
            return;
        }
        let below = parts / 2;
        let extent = |axis: usize| {
            let all = centers.iter().map(|center| value(center[axis]));
            let (min, max) =
                all.fold((f32::MAX, f32::MIN), |(min, max), at| (min.min(at), max.max(at)));
            max - min
        };
        let axis = if extent(0) >= extent(1) { Axis::X } else { Axis::Y };
        let middle = centers.len() * below / parts;
        let at = match centers.is_empty() {
            true => 0.0,
            false => {
                select_along(centers, middle, axis as usize);
                value(centers[middle][axis as usize])
            }
        };
        let above = self.divide(tile, axis, at);
        let count = partition(centers, |center| value(center[axis as usize]) < at);
        let (lower, upper) = centers.split_at_mut(count);
        self.part(tile, below, lower);
        self.part(above, parts - below, upper);
    }

    /// Divides a tile: it keeps the part below `at` along the axis, and the part above is a new
    /// tile, the number of which is returned. A cut outside of the tile leaves one of the two parts
    /// empty. O(tiles) time.
    ///
    /// # Errors
    /// [`Error::NoSuchTile`]; [`Error::InvalidShape`] with the tile as index if `at` is not finite
    /// or beyond 2^60.
    pub fn cut(&mut self, tile: usize, axis: Axis, at: f32) -> Result<usize, Error> {
        if tile >= self.len() {
            return Err(Error::NoSuchTile { index: tile, len: self.len() });
        }
        let field = match axis {
            Axis::X => Field::X,
            Axis::Y => Field::Y,
        };
        coordinate(tile, field, at)?;
        Ok(self.divide(tile, axis, at))
    }

    /// Divides a tile at a valid place.
    fn divide(&mut self, tile: usize, axis: Axis, at: f32) -> usize {
        let new = self.tiles.len();
        let mut upper = self.tiles[tile];
        let lower = &mut self.tiles[tile];
        match axis {
            Axis::X => (upper.min_x, lower.max_x) = (at.max(upper.min_x), at.min(lower.max_x)),
            Axis::Y => (upper.min_y, lower.max_y) = (at.max(upper.min_y), at.min(lower.max_y)),
        }
        self.tiles.push(upper);
        let leaf = CutNode::Tile(tile as u32);
        let node = self.nodes.iter().position(|node| *node == leaf).unwrap_or_default();
        let next = self.nodes.len() as u32;
        self.nodes[node] = CutNode::Cut(axis, at, next);
        self.nodes.extend([leaf, CutNode::Tile(new as u32)]);
        new
    }

    /// The number of tiles. At least 1.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// A tile by its number.
    pub fn get(&self, tile: usize) -> Option<Tile> {
        self.tiles.get(tile).copied()
    }

    /// All tiles, by their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Tile> {
        self.tiles.iter().copied()
    }

    /// The tile that contains a point. O(depth of the cuts), which is log2 of the tiles if they are
    /// balanced. NaN counts as above all cuts.
    pub fn find(&self, [x, y]: [f32; 2]) -> usize {
        self.owner([x.into(), y.into()])
    }

    /// A tile whose number is from [`owner`](Self::owner).
    #[inline]
    pub(super) fn tile(&self, tile: usize) -> &Tile {
        &self.tiles[tile]
    }

    #[inline]
    pub(super) fn owner(&self, point: [f64; 2]) -> usize {
        let mut node = 0;
        loop {
            match self.nodes[node] {
                CutNode::Tile(tile) => return tile as usize,
                // Without a branch, because the sides of random points are not predictable. Not
                // `>=`, because NaN is above.
                CutNode::Cut(axis, at, below) => {
                    let is_below = point[axis as usize] < f64::from(at);
                    node = below as usize + usize::from(!is_below);
                }
            }
        }
    }

    /// Calls `visit` with each tile that a shape reaches into, given its
    /// [bounds](crate::Shapes::bounds): the tiles for which [`Tile::reached_by`] is true, its owner
    /// among them. `margin` is the margin of the contacts, else 0.
    ///
    /// O(tiles reached · depth of the cuts) time; for unbalanced cuts, up to the number of cuts.
    ///
    /// ```
    /// use widephase::{shape::{AxisAligned, Circle}, tiles::{Axis, Tiles}};
    ///
    /// let mut tiles = Tiles::new();
    /// let right = tiles.cut(0, Axis::X, 10.0)?;
    /// let bounds = Circle::new([8.0, 0.0], 3.0).rounded_box();
    /// let mut reached = vec![];
    /// tiles.visit_reached(bounds, 0.0, |tile| reached.push(tile));
    /// reached.sort();
    /// assert_eq!(reached, [0, right]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn visit_reached(&self, bounds: RoundedBox, margin: f32, mut visit: impl FnMut(usize)) {
        self.visit(&Reach::new(bounds, margin), &mut visit);
    }

    /// Calls `visit` with each tile that `reach` meets.
    pub(super) fn visit(&self, reach: &Reach, visit: &mut impl FnMut(usize)) {
        // As deep as the cuts, each of which leaves one node for later.
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            match self.nodes[node] {
                CutNode::Tile(tile) => visit(tile as usize),
                CutNode::Cut(axis, at, below) => {
                    let (axis, at, below) = (axis as usize, f64::from(at), below as usize);
                    if reach.min[axis] < at {
                        open.push(below);
                    }
                    if reach.max[axis] >= at {
                        open.push(below + 1);
                    }
                }
            }
        }
    }
}

/// Moves the elements that are `lower` to the front, and returns their number.
fn partition<T>(all: &mut [T], lower: impl Fn(&T) -> bool) -> usize {
    let mut count = 0;
    for at in 0..all.len() {
        if lower(&all[at]) {
            all.swap(count, at);
            count += 1;
        }
    }
    count
}
