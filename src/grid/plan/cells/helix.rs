//! How a helical level is wound up: onto how many cells, with how many in a row, and which of them is the first.

use super::{Cells, next_prime};

/// The most helices that are tried.
pub(super) const MOST_HELICES: usize = 16;

/// From one helix to the next, the number of cells grows by such a share of the first one's, and its root, which is
/// about the stride, is shortened by such a share more.
const MORE_CELLS: f64 = 1.0 / 64.0;
const SHORTER_ROWS: f64 = 1.0 / 32.0;

/// Of how many bodies one is looked at to judge a helix, and how many at most and at least.
const PLACE_OF: usize = 128;
const MOST_PLACES: usize = 1 << 9;
const FEWEST_PLACES: usize = 1 << 6;

/// The same for all helices together, but for so many of them at least: the choice must not cost more than it saves.
const LOOK_OF: usize = 16;
const FEWEST_HELICES: usize = 4;

/// Tiles for each place, about: so many that a tile with two places mostly has strangers in it.
const TILES: u32 = 4;

/// Of how many places one may be a stranger in a helix that is good enough.
const STRANGER_OF: usize = 32;

/// Below so many cells, the first helix is taken: to look for another one would show in the time.
const FEW_CELLS: u32 = 1 << 10;

/// Places that are wound up at once.
const LANES: usize = 8;

/// A tile that nobody is in.
const NOBODY: u32 = u32::MAX;

/// Of how many bodies one may have a ghost, and how many more may in any case: evenly spread, more than one of eight have
/// only where bodies are so few.
const GHOST_OF: usize = 8;
const FEW_GHOSTS: usize = 32;

/// Whether so many `ghosts`, level by level, are few for so many `bodies`.
pub(in crate::grid) fn few_ghosts(ghosts: &[usize], bodies: usize) -> bool {
    ghosts.iter().sum::<usize>() <= bodies / GHOST_OF + FEW_GHOSTS
}

impl Cells {
    /// Winds a helical level up anew, so that places far from each other share few cells. It is judged by the
    /// places of some bodies, `sums` (at least one; their order counts), for so many `bodies` of this level. `tiles` is
    /// memory for it.
    ///
    /// A helix is linear, so there are distances that it maps to next to nothing. Clusters that far from
    /// each other lie in the same cells, and the bodies of one are tested against those of the other; of clusters
    /// on a lattice, all are in the same cells. Another helix has other such distances.
    ///
    /// In plain words: the helix is cut into tiles, squares of cells as they lie in the plane. Place after place is
    /// wound up, and is a stranger if the first one that came into its tile is not from around there. The first
    /// helix with hardly any strangers is taken, or the one with the fewest of some: where each body lies far from
    /// all others, none has few, and one is as good as the other.
    pub(in crate::grid) fn choose_helix(
        &mut self,
        sums: &[[f32; 2]],
        bodies: usize,
        tiles: &mut Vec<u32>,
    ) {
        if !self.wraps || self.count < FEW_CELLS {
            return;
        }
        let wanted = f64::from(self.count);
        let places = (bodies / PLACE_OF).clamp(FEWEST_PLACES, MOST_PLACES).min(sums.len());
        let places = places.next_multiple_of(LANES);
        let helices = (bodies / LOOK_OF / places).clamp(FEWEST_HELICES, MOST_HELICES);
        let mut fewest = usize::MAX;
        for helix in 0..helices {
            let mut cells = *self;
            cells.take_helix(wanted, helix);
            let aliased = cells.aliased(sums, places, fewest, tiles);
            if aliased < fewest {
                (fewest, *self) = (aliased, cells);
            }
            if aliased <= places / STRANGER_OF {
                return;
            }
        }
    }

    /// How many ghosts the level has, whose cells have so many `bodies`: those in the first cells once more, where it is
    /// helical.
    pub(in crate::grid) fn ghosts_of(&self, bodies: &[u32]) -> usize {
        if self.wraps { sum(&bodies[..self.ghosts()]) } else { 0 }
    }

    /// Numbers the cells of a helical level anew, which have so many `bodies`, so that no crowd is in the first ones, and
    /// returns how many ghosts there are then.
    ///
    /// In plain words: the cells are cut into runs as long as the first ones that have ghosts, and the run with the fewest
    /// bodies comes first from now on. There are four runs or more, so no more than a quarter of the bodies has ghosts,
    /// wherever they are, and of many cells hardly any. Which cells are neighbours does not depend on where numbers begin.
    pub(in crate::grid) fn spare_ghosts(&mut self, bodies: &[u32]) -> usize {
        if !self.wraps {
            return 0;
        }
        let length = self.ghosts();
        let runs = bodies[..self.count as usize].chunks_exact(length).map(sum);
        let fewest = runs.enumerate().min_by_key(|&(_, bodies)| bodies);
        let (run, ghosts) = fewest.unwrap_or_else(|| unreachable!("no level has so few cells"));
        if run > 0 {
            self.origin += f64::from(self.count) - (run * length) as f64;
        }
        ghosts
    }

    /// Winds a helical level up onto about `wanted` cells in the `helix`-th of the ways that there are.
    pub(super) fn take_helix(&mut self, wanted: f64, helix: usize) {
        let step = helix as f64;
        // A prime number of cells: bodies on a lattice, whatever its pitch, then have as many
        // numbers as there are cells, unless the pitch is a multiple of it.
        let wanted = wanted.max(31.0) * (1.0 + MORE_CELLS * step);
        self.set_count(next_prime(wanted as u32));
        let root = f64::from(self.count).sqrt();
        self.stride = (root * (1.0 - SHORTER_ROWS * step)) as u32 | 1;
    }

    /// How many of so many places, spread over `sums`, are strangers; if that is not below `enough`, a number that is not,
    /// either.
    fn aliased(
        &self,
        sums: &[[f32; 2]],
        places: usize,
        enough: usize,
        tiles: &mut Vec<u32>,
    ) -> usize {
        let Self { count, stride, scale, .. } = *self;
        let shift = (count / (TILES * places as u32)).max(1).ilog2().div_ceil(2);
        let across = (stride >> shift) + 1;
        let up = ((count / stride) >> shift) + 1;
        tiles.clear();
        tiles.resize((across * up) as usize, NOBODY);
        let side = f64::from(1_u32 << shift);
        let mut aliased = 0;
        for begin in (0..places).step_by(LANES) {
            let indices: [usize; LANES] =
                std::array::from_fn(|lane| (begin + lane) * sums.len() / places);
            let [x, y] = [0, 1].map(|axis| indices.map(|index| sums[index][axis]));
            let numbers = self.of([&x, &y, &[0.0; LANES], &[0.0; LANES]]);
            for (index, number) in indices.into_iter().zip(numbers) {
                let tile = ((number / stride) >> shift) * across + ((number % stride) >> shift);
                let first = &mut tiles[tile as usize];
                if *first == NOBODY {
                    *first = index as u32;
                }
                let [here, there] =
                    [index, *first as usize].map(|index| sums[index].map(f64::from));
                let apart = [0, 1].map(|axis| (here[axis] - there[axis]).abs() * scale[axis]);
                aliased += usize::from(apart[0].max(apart[1]) >= side);
            }
            if aliased >= enough {
                break;
            }
        }
        aliased
    }
}

/// How many bodies there are in some cells.
fn sum(bodies: &[u32]) -> usize {
    bodies.iter().sum::<u32>() as usize
}
