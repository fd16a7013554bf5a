//! `NearestInCells`: for each of many rounded boxes, the nearest items of one cell.

use std::ops::Range;

use super::by_distance::AskedSides;
use crate::{
    grid::{GridView, box_tree::WIDTH, build::FEW},
    kernel::columns::{BoxColumns, RoundedColumns},
    shape::RoundedBox,
    simd::{Kernel, Simd, map_each},
};

/// A rounded box, and the items that it is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellQuery {
    pub(crate) sides: RoundedBox,
    /// The places of the items: `begin..end`.
    pub(crate) begin: u32,
    pub(crate) end: u32,
    /// The id of an item that is left out; 0, which no item has, if none is.
    pub(crate) without: u32,
}

impl CellQuery {
    /// A box that is not compared with anything, because its items are in no cell.
    pub(crate) const OPEN: Self = Self {
        sides: RoundedBox { min_x: 0.0, min_y: 0.0, max_x: 0.0, max_y: 0.0, radius: 0.0 },
        begin: 1,
        end: 0,
        without: 0,
    };

    /// The query of a box for the items at some places, but the item of a row.
    #[inline]
    pub(crate) fn new(sides: RoundedBox, places: Range<usize>, without: Option<u32>) -> Self {
        let [begin, end] = [places.start as u32, places.end as u32];
        Self { sides, begin, end, without: without.map_or(0, |row| !row) }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.begin > self.end
    }
}

/// Finds the nearest items of boxes, each among the items of one cell
/// ([`OneCell`](crate::grid::OneCell)).
///
/// In plain words:
///
/// ```text
/// for each box:
///     for each item of its cell:             its key is its distance, then its row
///     k times:                               the least key above the last one is the next answer
/// ```
///
/// The distances of sixteen items are computed at once, as everywhere else. If many items are
/// wanted, the keys are sorted.
pub(crate) struct NearestInCells<'a> {
    /// The grid of the items.
    pub(crate) grid: GridView<'a>,
    pub(crate) queries: &'a [CellQuery],
    /// The number of items that are wanted, and their largest distance.
    pub(crate) k: usize,
    pub(crate) max_distance: f32,
    /// The keys of all boxes are appended, and for each box the part that has its keys. A key is
    /// the bits of a distance, then a row.
    pub(crate) found: &'a mut Vec<u64>,
    pub(crate) spans: &'a mut Vec<[u32; 2]>,
}

/// The most items that a box is compared with.
pub(crate) const MOST_OF_CELL: usize = FEW;

/// If more are wanted, keys are sorted.
const FEW_WANTED: usize = 6;

/// The key of nothing.
const NONE: u64 = u64::MAX;

type Keys = [[u64; WIDTH]; MOST_OF_CELL / WIDTH];

impl Kernel for NearestInCells<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { grid, queries, k, max_distance, found, spans } = self;
        let (items, ids) = (grid.rounded(), grid.sorted.ids());
        let furthest = furthest_key(max_distance);
        let mut keys = [[NONE; WIDTH]; MOST_OF_CELL / WIDTH];
        for query in queries {
            let begin = found.len() as u32;
            let vectors = keys_of(query, &items, ids, &mut keys);
            let keys = &mut keys[..vectors];
            if k <= FEW_WANTED {
                let mut last = None;
                for _ in 0..k {
                    let least = least_above(keys, last);
                    if least > furthest {
                        break;
                    }
                    found.push(least);
                    last = Some(least);
                }
            } else {
                let keys = keys.as_flattened_mut();
                keys.sort_unstable();
                let within = keys.iter().take(k).take_while(|key| **key <= furthest).count();
                found.extend_from_slice(&keys[..within]);
            }
            spans.push([begin, found.len() as u32]);
        }
    }
}

/// Finds the nearest item of one box.
pub(crate) struct NearestInCell<'a> {
    /// The grid of the items.
    pub(crate) grid: GridView<'a>,
    pub(crate) query: CellQuery,
    /// The largest distance of the item.
    pub(crate) max_distance: f32,
}

impl Kernel for NearestInCell<'_> {
    /// The key of the item, or [`u64::MAX`] if none is near enough.
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> u64 {
        let Self { grid, query, max_distance } = self;
        let mut keys = [[NONE; WIDTH]; MOST_OF_CELL / WIDTH];
        let vectors = keys_of(&query, &grid.rounded(), grid.sorted.ids(), &mut keys);
        let least = least_above(&keys[..vectors], None);
        if least > furthest_key(max_distance) { NONE } else { least }
    }
}

/// The largest key of an item that is at most this far away.
fn furthest_key(max_distance: f32) -> u64 {
    u64::from(max_distance.to_bits()) << 32 | u64::from(u32::MAX)
}

/// Writes the keys of the items of a query, and returns the number of vectors.
///
/// Plain loops over arrays: compiled for a SIMD level, they become vector code.
#[inline(always)]
fn keys_of(query: &CellQuery, items: &RoundedColumns<'_>, ids: &[u32], keys: &mut Keys) -> usize {
    let RoundedColumns { core: BoxColumns { min_x, min_y, max_x, max_y }, radius } = *items;
    let from = AskedSides::new(&query.sides, 1.0);
    let (begin, end) = (query.begin as usize, query.end as usize);
    let mut vectors = 0;
    for (keys, at) in keys.iter_mut().zip((begin..end).step_by(WIDTH)) {
        // The columns are longer than the places by a vector.
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |column| {
            column[at..].first_chunk().unwrap_or(&[0.0; WIDTH])
        });
        let own_ids = ids[at..].first_chunk().unwrap_or(&[0; WIDTH]);
        let distances = from.distances(columns);
        let count = end - at;
        for lane in 0..WIDTH {
            let key = u64::from(distances[lane]) << 32 | u64::from(!own_ids[lane]);
            let seen = (lane < count) & (own_ids[lane] != query.without);
            keys[lane] = if seen { key } else { NONE };
        }
        vectors += 1;
    }
    vectors
}

/// The least key above the last one.
#[inline(always)]
fn least_above(keys: &[[u64; WIDTH]], last: Option<u64>) -> u64 {
    let above = last.map_or(0, |last| last + 1);
    let mut least = [NONE; WIDTH];
    for keys in keys {
        for lane in 0..WIDTH {
            let key = if keys[lane] >= above { keys[lane] } else { NONE };
            least[lane] = if key < least[lane] { key } else { least[lane] };
        }
    }
    least.iter().fold(NONE, |least, key| if *key < least { *key } else { least })
}
