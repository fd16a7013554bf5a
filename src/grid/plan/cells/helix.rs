//! The choice of a helix for a helical level: the number of cells, the stride, and the first cell.

use super::{Cells, next_prime};
use crate::{
    base::{NO_ROW, Portion},
    simd::{HALF_LANES, map_each},
};

/// From one helix to the next, the number of cells grows by this share of the first number. The
/// stride, which is about its square root, is shortened by twice this share.
const MORE_CELLS: f64 = 1.0 / 64.0;

/// The items whose points judge a helix.
const JUDGES: Portion = Portion { one_of: 128, least: 1 << 6, most: 1 << 9 };

/// The helices that are tried, of the number of items for each judge: all helices together look at
/// one of this many items. The choice must not cost more than it saves.
pub(super) const HELICES: Portion = Portion { one_of: 16, least: 4, most: 16 };

/// Squares per point, approximately. With this many, two points in one square are mostly aliased.
const SQUARES_PER_POINT: u32 = 4;

/// A helix is good enough if at most one of this many points is aliased.
const POINTS_PER_ALIAS: usize = 32;

/// A level with fewer cells takes the first helix: the time to find a better one would show.
const MIN_CELLS_TO_CHOOSE: u32 = 1 << 10;

/// Ghosts are few if at most one of this many items has a ghost, plus `MORE_GHOSTS`. If items are
/// evenly spread, more than one item of eight have ghosts only in small scenes, which the constant
/// covers.
const ITEMS_PER_GHOST: usize = 8;
const MORE_GHOSTS: usize = 32;

/// Whether these numbers of `ghosts`, level by level, are few for this many `items`.
pub(in crate::grid) fn few_ghosts(ghosts: &[usize], items: usize) -> bool {
    ghosts.iter().sum::<usize>() <= items / ITEMS_PER_GHOST + MORE_GHOSTS
}

impl Cells {
    /// Chooses another helix for a helical level, so that points far from each other rarely share
    /// cells. Helices are judged by the points `sums` (at least one; their order counts), for a
    /// level of this many `items`. `squares` is workspace.
    ///
    /// A helix is linear, so it maps some distances to nearly nothing. Clusters at such a distance
    /// from each other lie in the same cells, and their items are tested against each other. If the
    /// clusters form a lattice, all clusters can lie in the same cells. Another helix has other
    /// such distances.
    ///
    /// In plain words: the cells are divided into squares of cells in the plane. The square of each
    /// point is computed, point after point. A point is **aliased** if the first point in its
    /// square is at least a square width away from it. The first helix with few aliased points is
    /// taken; if there is none, the best helix tried. If every item lies far from all other items,
    /// no helix has few aliased points, and all helices are equally good.
    pub(in crate::grid) fn choose_helix(
        &mut self,
        sums: &[[f32; 2]],
        items: usize,
        squares: &mut Vec<u32>,
    ) {
        if !self.wraps || self.count < MIN_CELLS_TO_CHOOSE {
            return;
        }
        let wanted = f64::from(self.count);
        let places = JUDGES.of(items).min(sums.len());
        let places = places.next_multiple_of(HALF_LANES);
        let helices = HELICES.of(items / places);
        let mut fewest = usize::MAX;
        for helix in 0..helices {
            let mut cells = *self;
            cells.take_helix(wanted, helix);
            let aliased = cells.aliased(sums, places, fewest, squares);
            if aliased < fewest {
                (fewest, *self) = (aliased, cells);
            }
            if aliased <= places / POINTS_PER_ALIAS {
                return;
            }
        }
    }

    /// The number of ghosts of the level, given the number of `items` of each cell. The items of
    /// the first cells of a helical level have ghosts.
    pub(in crate::grid) fn ghosts_of(&self, items: &[u32]) -> usize {
        if self.wraps { sum(&items[..self.ghosts()]) } else { 0 }
    }

    /// Renumbers the cells of a helical level so that the first cells hold few items. Takes the
    /// number of `items` of each cell, and returns the number of ghosts after the renumbering. A
    /// dense level has none and stays as it is.
    ///
    /// In plain words: the cells are cut into runs as long as the run of first cells that have
    /// ghosts. The run with the fewest items becomes the first run. There are at least four runs,
    /// so at most a quarter of the items have ghosts, wherever they are; with many cells, hardly
    /// any have. Which cells are neighbours does not depend on where numbers begin.
    pub(in crate::grid) fn spare_ghosts(&mut self, items: &[u32]) -> usize {
        if !self.wraps {
            return 0;
        }
        let length = self.ghosts();
        let runs = items[..self.count as usize].chunks_exact(length).map(sum);
        let fewest = runs.enumerate().min_by_key(|&(_, items)| items);
        let (run, ghosts) = fewest.unwrap_or_else(|| unreachable!("no level has so few cells"));
        if run > 0 {
            self.origin += f64::from(self.count) - (run * length) as f64;
        }
        ghosts
    }

    /// Arranges the level as a helix of about `wanted` cells. `helix` is the number of the helix
    /// among the helices that can be tried.
    pub(super) fn take_helix(&mut self, wanted: f64, helix: usize) {
        let step = helix as f64;
        // A prime number of cells: items on a lattice then have as many cell numbers as there are
        // cells, whatever the pitch, unless the pitch is a multiple of the prime.
        let wanted = wanted.max(31.0) * (1.0 + MORE_CELLS * step);
        self.set_count(next_prime(wanted as u32));
        let root = f64::from(self.count).sqrt();
        self.stride = (root * (1.0 - 2.0 * MORE_CELLS * step)) as u32 | 1;
    }

    /// The number of aliased points among this many `places`, spread over `sums`. Stops early, with
    /// a number of at least `enough`, once it is reached.
    fn aliased(
        &self,
        sums: &[[f32; 2]],
        places: usize,
        enough: usize,
        squares: &mut Vec<u32>,
    ) -> usize {
        let Self { count, stride, scale, .. } = *self;
        let shift = (count / (SQUARES_PER_POINT * places as u32)).max(1).ilog2().div_ceil(2);
        let across = (stride >> shift) + 1;
        let up = ((count / stride) >> shift) + 1;
        squares.clear();
        squares.resize((across * up) as usize, NO_ROW);
        let side = f64::from(1_u32 << shift);
        let mut aliased = 0;
        for begin in (0..places).step_by(HALF_LANES) {
            let indices: [usize; HALF_LANES] =
                std::array::from_fn(|lane| (begin + lane) * sums.len() / places);
            let [x, y] = map_each([0, 1], |axis| map_each(indices, |index| sums[index][axis]));
            let numbers = self.of([&x, &y, &[0.0; HALF_LANES], &[0.0; HALF_LANES]]);
            for (index, number) in indices.into_iter().zip(numbers) {
                let square = ((number / stride) >> shift) * across + ((number % stride) >> shift);
                let first = &mut squares[square as usize];
                if *first == NO_ROW {
                    *first = index as u32;
                }
                let [here, there] =
                    map_each([index, *first as usize], |index| map_each(sums[index], f64::from));
                let apart = map_each([0, 1], |axis| (here[axis] - there[axis]).abs() * scale[axis]);
                aliased += usize::from(apart[0].max(apart[1]) >= side);
            }
            if aliased >= enough {
                break;
            }
        }
        aliased
    }
}

/// The sum of the numbers of items.
fn sum(items: &[u32]) -> usize {
    items.iter().sum::<u32>() as usize
}
