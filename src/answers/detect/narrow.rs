//! The narrowphase of a detection: candidate pairs → pairs that touch, or contacts; pairs that
//! the caller accepts (`AskedPairs`); pairs with their distances (`NearPair`).

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use crate::{
    base::{BLOCK_ROWS, Held, NARROWPHASE, Pair, held, held::each},
    error::limit::Listed,
    filter::{MeetingFilter, Predicate},
    grid::{GridView, Slabs},
    narrowphase::{Candidates, PairQuery, contact::Contact},
    simd::{DECISIONS_AHEAD, MAX_LANES},
};

/// The narrowphase of a pass, and its workspaces.
#[derive(Clone, Copy)]
pub(crate) struct Narrow<'a> {
    /// Whether the search already decides all pairs: pairs of axis-aligned shapes are requested.
    pub(super) decided: bool,
    /// Whether shapes were inflated by more than half of the margin, so the boxes of a candidate
    /// pair may be further apart than the margin.
    pub(super) wider: bool,
    /// See [`RunOptions`](super::RunOptions::distances).
    pub(super) distances: bool,
    /// The ids that the search reports, for each of the two grids: ids of the results, or sorted
    /// positions if contacts are made from the columns of the grid.
    pub(super) names: [&'a [u32]; 2],
    pub(super) query: PairQuery<'a>,
    pub(super) workspaces: &'a WorkspacePool,
    /// Decides which items meet; `None` if all items do.
    pub(super) meeting: Option<MeetingFilter<'a>>,
    /// Decides which candidates count; `None` if all candidates do.
    pub(super) asked: Option<AskedPairs<'a>>,
}

impl Narrow<'_> {
    /// Sets the slabs of the largest items of both grids, which may be the same. They are few, so
    /// that most other items do without a test of their own.
    pub(super) fn set_slabs(&self, slabs: &mut [Slabs; 2], grids: [GridView<'_>; 2]) {
        // Runs of few have no levels.
        if self.decided || grids[1].levels().is_empty() {
            return;
        }
        let PairQuery { sets, between, complement, .. } = self.query;
        if !between && grids[0].levels().len() < 2 {
            return;
        }
        for side in [0, 1] {
            let (grid, other) = (grids[side], grids[1 - side]);
            if sets[side].placed.is_empty() {
                continue;
            }
            let most = MAX_LANES.max(other.places().count() / OTHERS_PER_SLAB);
            let mut places = 0..0;
            for level in (0..grid.levels().len()).rev() {
                let items = grid.items(level);
                if places.len() + items.len() > most {
                    break;
                }
                places = items.start..places.end.max(items.end);
            }
            let (second, names) = (between && side == 1, self.names[side]);
            let complement = if second { complement } else { 0 };
            // An item hardly larger than the items of the other grid wastes no tests, and needs no
            // slab.
            let least = 4.0 * other.size(0);
            let row = |place: usize| names[place] ^ complement;
            // The row of an item that was removed may be vacant.
            slabs[side].set(places, |place| {
                let live = grid.is_live(place);
                live.then(|| self.query.slab(row(place), second, least)).flatten()
            });
        }
    }

    /// Moves the candidates that count to the front, and returns their number.
    #[inline]
    pub(super) fn asked(&self, candidates: &mut [Pair]) -> usize {
        self.asked.as_ref().map_or(candidates.len(), |asked| asked.keep(candidates))
    }
}

/// A grid gets one slab for this many items of the other grid, and at least a vector of slabs.
const OTHERS_PER_SLAB: usize = 32;

/// A result of a detection: a pair or a contact.
pub(crate) trait DetectionResult: Listed + Default + Send + Sync + 'static {
    /// Whether this is made from a contact. Contacts also need the narrowphase for axis-aligned
    /// shapes. Sensors have no contacts.
    const CONTACTS: bool;

    /// Tests candidate pairs, whose AABBs touch, and passes the results to `take`: the pairs that
    /// touch, or the contacts. Results are in the order of the candidates.
    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    );

    /// The list, if it is a list of pairs, to which the search can write directly.
    fn listed(list: &mut Vec<Self>) -> Option<&mut Vec<Pair>>;
}

/// A callback that receives pairs or contacts in blocks. After it breaks, it receives no more.
pub(crate) type Take<'a, T> = dyn FnMut(&[T]) -> ControlFlow<()> + 'a;

impl DetectionResult for Pair {
    const CONTACTS: bool = false;

    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    ) {
        let Narrow { decided, distances, query, .. } = narrow;
        if *distances {
            return decide_distances(narrowphase, narrow, candidates, take);
        }
        let all = candidates.len();
        let kept =
            if !NARROWPHASE || *decided { all } else { narrowphase.refine(query, candidates) };
        take(&candidates[..kept]);
    }

    fn listed(list: &mut Vec<Self>) -> Option<&mut Vec<Pair>> {
        Some(list)
    }
}

impl DetectionResult for Contact {
    const CONTACTS: bool = true;

    // The constant `NARROWPHASE` is not enough here: the compiler would still compile the contact
    // kernels.
    #[cfg(not(feature = "narrowphase"))]
    fn decide(_: &mut Candidates, _: &Narrow<'_>, _: &mut [Pair], _: &mut dyn FnMut(&[Self])) {}

    #[cfg(feature = "narrowphase")]
    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    ) {
        let Narrow { query, wider, .. } = narrow;
        if !wider {
            return narrowphase.contacts(query, candidates, take);
        }
        let far = |contact: &Contact| {
            let Pair { a, b } = contact.pair;
            !query.boxes_near([a as usize, b as usize])
        };
        narrowphase.contacts(query, candidates, &mut |found: &[Contact]| {
            for near in found.split(far) {
                take(near);
            }
        });
    }

    fn listed(_: &mut Vec<Self>) -> Option<&mut Vec<Pair>> {
        None
    }
}

/// Passes each pair that has a contact once, as the [words](NearPair::words) of the pair and the
/// distance of its nearest parts. Distances are the distances of plain segments, also at the joints
/// of chains, and of the parts of outlines.
fn decide_distances(
    narrowphase: &mut Candidates,
    narrow: &Narrow<'_>,
    candidates: &mut [Pair],
    take: &mut dyn FnMut(&[Pair]),
) {
    let (mut block, mut len) = ([[Pair::default(); 2]; BLOCK_ROWS], 0);
    let plain = Narrow { query: narrow.query.plain(), ..*narrow };
    Contact::decide(narrowphase, &plain, candidates, &mut |found: &[Contact]| {
        for Contact { pair, depth, .. } in found {
            // A difference from 0 is never -0.
            let words = NearPair { pair: *pair, distance: (0.0 - depth).max(0.0) }.words();
            // The contacts of a pair follow each other, also from block to block.
            match block[..len].last_mut() {
                Some([last, nearest]) if last == pair => {
                    // Distances are at least 0, so their bits are in the same order.
                    nearest.a = nearest.a.min(words[1].a);
                    continue;
                }
                _ if len == BLOCK_ROWS => {
                    take(block.as_flattened());
                    len = 0;
                }
                _ => {}
            }
            block[len] = words;
            len += 1;
        }
    });
    take(block[..len].as_flattened());
}

/// The memory that a narrowphase task needs while it runs.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) candidates: Vec<Pair>,
    pub(super) narrowphase: Candidates,
}

held!(Workspace { candidates, narrowphase });

/// The free workspaces. There are at most as many as threads, however many tasks there are.
#[derive(Debug, Default)]
pub(crate) struct WorkspacePool {
    free: Mutex<Vec<Workspace>>,
}

impl Held for WorkspacePool {
    fn bytes(&self) -> usize {
        each(&self.free())
    }
}

impl WorkspacePool {
    /// Calls `work` with a free workspace, or with a new workspace if none is free.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Workspace) -> R) -> R {
        // A task overwrites the content of its workspace, so the pool stays usable after a panic.
        let mut workspace = self.take();
        let result = work(&mut workspace);
        self.put_back(workspace);
        result
    }

    // Not inlined: `with` is compiled for each kind of work.
    #[inline(never)]
    fn take(&self) -> Workspace {
        self.free().pop().unwrap_or_default()
    }

    #[inline(never)]
    fn put_back(&self, workspace: Workspace) {
        self.free().push(workspace);
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Workspace>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The predicate of the caller for pairs that a search has written.
///
/// The search writes all pairs that meet by their filters, and the predicate is asked about a block
/// of them. So the loops of the search know nothing of it, and the loop over the pairs has no
/// branch that depends on them. Predicates about [grown](Predicate::grown) shapes are asked by the
/// search itself, about few pairs.
#[derive(Clone, Copy)]
pub(super) struct AskedPairs<'a> {
    pub(super) predicate: Predicate<'a>,
    /// The row of each number in the pairs, if the numbers are places of one set.
    pub(super) rows: Option<&'a [u32]>,
    /// Whether the second numbers are complements of rows of an index.
    pub(super) against: bool,
}

impl AskedPairs<'_> {
    /// Moves the accepted pairs to the front, in their order, and returns their number.
    pub(super) fn keep(&self, pairs: &mut [Pair]) -> usize {
        let Predicate { accept, prefetch, .. } = self.predicate;
        let mut kept = 0;
        for at in 0..pairs.len() {
            if let Some(prefetch) = prefetch
                && let Some(pair) = pairs.get(at + DECISIONS_AHEAD)
            {
                let [a, b] = self.rows(pair);
                prefetch(a, b);
            }
            let pair = pairs[at];
            let [a, b] = self.rows(&pair);
            pairs[kept] = pair;
            kept += usize::from(accept(a, b));
        }
        kept
    }

    /// The rows of a pair.
    #[inline]
    fn rows(&self, pair: &Pair) -> [u32; 2] {
        match self.rows {
            Some(rows) => {
                let [a, b] = [rows[pair.a as usize], rows[pair.b as usize]];
                [a.min(b), a.max(b)]
            }
            None if self.against => [pair.a, !pair.b],
            None => [pair.a, pair.b],
        }
    }
}

/// Two shapes near each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct NearPair {
    pub(crate) pair: Pair,
    pub(crate) distance: f32,
}

impl NearPair {
    /// The pair, then a second `Pair` of the bits of the distance and 0. A detection lists the two
    /// behind each other, and needs not be compiled for one more kind of results.
    pub(super) fn words(self) -> [Pair; 2] {
        [self.pair, Pair { a: self.distance.to_bits(), b: 0 }]
    }

    /// The inverse of [`words`](Self::words).
    #[cfg(feature = "queries")]
    pub(crate) fn of(&[pair, Pair { a, .. }]: &[Pair; 2]) -> Self {
        Self { pair, distance: f32::from_bits(a) }
    }
}

/// Pairs, with distances if they are wanted. Pairs of one shape that follow each other name it once.
#[cfg(feature = "queries")]
#[derive(Debug, Default)]
pub(crate) struct NearPairs {
    /// The shape that some pairs share, and where these pairs end.
    runs: Vec<(u32, usize)>,
    /// The other shape of each pair.
    others: Vec<u32>,
    /// The distance of each pair; empty if they are not wanted.
    distances: Vec<f32>,
}

#[cfg(feature = "queries")]
held!(NearPairs { runs, others, distances });

#[cfg(feature = "queries")]
impl NearPairs {
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.others.clear();
        self.distances.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.others.len()
    }

    /// Makes room for more pairs. Returns false if there is no memory.
    pub(crate) fn make_room(&mut self, pairs: usize) -> bool {
        let Self { runs, others, distances } = self;
        let rows = runs.try_reserve(pairs).and(others.try_reserve(pairs));
        rows.and(distances.try_reserve(pairs)).is_ok()
    }

    /// Appends a pair, whose first row is the smaller one, with its distance if `measured`.
    #[inline]
    pub(crate) fn push(&mut self, NearPair { pair, distance }: NearPair, measured: bool) {
        let (Self { runs, others, distances }, Pair { a, b }) = (self, pair);
        if measured {
            distances.push(distance);
        }
        let before = runs.len().checked_sub(2).map_or(0, |run| runs[run].1);
        if let (Some((shape, end)), Some(other)) = (runs.last_mut(), others.last_mut()) {
            let is_of_pair = |row: u32| row == a || row == b;
            // One pair does not tell which of its shapes the next pairs share.
            if !is_of_pair(*shape) && is_of_pair(*other) && *end == before + 1 {
                std::mem::swap(shape, other);
            }
            if is_of_pair(*shape) {
                *end += 1;
                others.push(a ^ b ^ *shape);
                return;
            }
        }
        others.push(b);
        runs.push((a, others.len()));
    }

    /// All pairs, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = NearPair> + Clone {
        let Self { runs, others, distances, .. } = self;
        let mut begin = 0;
        runs.iter().flat_map(move |&(shape, end)| {
            let places = std::mem::replace(&mut begin, end)..end;
            places.map(move |at| NearPair {
                pair: Pair { a: shape.min(others[at]), b: shape.max(others[at]) },
                distance: distances.get(at).copied().unwrap_or(0.0),
            })
        })
    }
}
