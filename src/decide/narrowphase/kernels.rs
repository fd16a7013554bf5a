//! The kernel of each kernel kind, applied to batches of jobs.

use super::{
    Contact, PairKernel,
    aligned_box::AlignedBox,
    box_box::BoxBox,
    circles::{BoxCircle, CircleCircle, PolygonCircle},
    jobs::{ContactKey, Job, KernelKind},
    lane_batch::LaneBatch,
    output::ContactLanes,
    pair_query::PairQuery,
    polygon_polygon::PolygonPolygon,
    verdict,
    view::Sources,
};
use crate::simd::{Kernel, MAX_LANES, Simd, map_each};

/// Evaluates `$call` with `$kernel` bound to the kernel of the kernel kind `$kind`.
macro_rules! with_kernel {
    ($kind:expr, $kernel:ident => $call:expr) => {
        match $kind {
            KernelKind::CircleCircle => {
                let $kernel = CircleCircle;
                $call
            }
            KernelKind::AlignedBox => {
                let $kernel = AlignedBox;
                $call
            }
            KernelKind::BoxCircle => {
                let $kernel = BoxCircle;
                $call
            }
            KernelKind::BoxBox => {
                let $kernel = BoxBox;
                $call
            }
            KernelKind::Polygon4Circle | KernelKind::PolygonCircle | KernelKind::ManyCircle => {
                let $kernel = PolygonCircle;
                $call
            }
            _ => {
                let $kernel = PolygonPolygon;
                $call
            }
        }
    };
}

/// Splits the jobs of one batch off the front of `jobs`.
#[inline(always)]
fn next_tile<'a>(jobs: &mut &'a [Job]) -> &'a [Job] {
    let (batch, rest) = jobs.split_at(jobs.len().min(MAX_LANES));
    *jobs = rest;
    batch
}

/// The bits of the first `count` lanes. `count` must be at least 1.
#[inline(always)]
pub(super) fn first_lanes(count: usize) -> u32 {
    u32::MAX >> (32 - count.min(MAX_LANES))
}

/// Returns the bits of `doubt` whose job has touching shapes, by exact arithmetic.
///
/// Not inlined, because it is rare.
#[inline(never)]
fn settle(sources: &Sources<'_>, jobs: &[Job], doubt: u32, inclusive: bool) -> u32 {
    each_set(doubt, |lane| {
        let [a, b] = map_each(jobs[lane].members(), |member| sources.exact(member));
        verdict::touch(&a, &b, inclusive)
    })
}

/// Returns the bits of `doubt` for which `touch` is true.
pub(super) fn each_set(mut doubt: u32, touch: impl Fn(usize) -> bool) -> u32 {
    let mut touching = 0;
    while doubt != 0 {
        let lane = doubt.trailing_zeros();
        touching |= u32::from(touch(lane as usize)) << lane;
        doubt &= doubt - 1;
    }
    touching
}

/// Converts bits into flags: 1 or 0 for each lane.
pub(super) fn flags(bits: u32) -> [f32; MAX_LANES] {
    std::array::from_fn(|lane| f32::from(u8::from(bits >> lane & 1 == 1)))
}

/// Tests pairs of one kernel kind.
pub(super) struct Tests<'a> {
    pub(super) query: &'a PairQuery<'a>,
    pub(super) kind: KernelKind,
    pub(super) jobs: &'a [Job],
    pub(super) batch: &'a mut LaneBatch,
    pub(super) hits: &'a mut [bool],
}

impl Kernel for Tests<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { query, kind, jobs, batch, hits } = self;
        let sources = Sources::of(&query.sets);
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            LaneBatch::prefetch(simd, &sources, rest, kind, query.seen);
            batch.load_jobs(simd, &sources, jobs, kind);
            let (lanes, inclusive, batch) = (jobs.len(), query.inclusive, &*batch);
            let (mut bits, mut doubt) = with_kernel!(kind, kernel => simd.call(TestBatch { kernel, batch, lanes, inclusive }));
            doubt &= first_lanes(jobs.len());
            if doubt != 0 {
                bits |= settle(&sources, jobs, doubt, query.inclusive);
            }
            for (lane, job) in jobs.iter().enumerate() {
                hits[job.index as usize] |= bits >> lane & 1 == 1;
            }
        }
    }
}

/// Makes the contacts of pairs of one kernel kind.
pub(super) struct Contacts<'a> {
    pub(super) query: &'a PairQuery<'a>,
    pub(super) kind: KernelKind,
    pub(super) jobs: &'a [Job],
    pub(super) batch: &'a mut LaneBatch,
    /// The keys of contacts: see [`Job::key`].
    pub(super) keys: &'a [ContactKey],
    pub(super) contacts: &'a mut [Contact],
    /// Whether contacts are written one after another, instead of each at the index of its job; and
    /// the number of contacts so far.
    pub(super) in_order: bool,
    pub(super) kept: &'a mut usize,
}

impl Kernel for Contacts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { query, kind, jobs, batch, keys, contacts, in_order, kept } = self;
        let sources = Sources::of(&query.sets);
        let PairQuery { margin, inclusive, .. } = *query;
        let mut columns = ContactLanes::default();
        let mut rest = jobs;
        while !rest.is_empty() {
            let jobs = next_tile(&mut rest);
            LaneBatch::prefetch(simd, &sources, rest, kind, query.seen);
            batch.load_jobs(simd, &sources, jobs, kind);
            let touch =
                &mut |at: usize, doubt: u32| settle(&sources, &jobs[at..], doubt, inclusive);
            let (lanes, wanted, columns) = (jobs.len(), u32::MAX, &mut columns);
            simd.call(Manifolds { kind, batch, lanes, wanted, margin, inclusive, touch, columns });
            *kept = columns.write(simd, jobs, keys, contacts, in_order, *kept);
        }
    }
}

/// Makes the contacts of a batch of `lanes` pairs of one kernel kind. Returns the bits of the lanes
/// that have a contact. A separate function, which all ways to contacts share, so that each kernel
/// is compiled once per SIMD level.
pub(super) struct Manifolds<'a> {
    pub(super) kind: KernelKind,
    pub(super) batch: &'a LaneBatch,
    pub(super) lanes: usize,
    /// The lanes whose contacts are wanted. Vectors without such a lane are left out, and their
    /// columns stay as they were.
    pub(super) wanted: u32,
    pub(super) margin: f32,
    pub(super) inclusive: bool,
    /// Takes a first lane and the bits of the pairs in doubt from that lane on. Returns the bits of
    /// the pairs that touch, by exact arithmetic.
    pub(super) touch: &'a mut dyn FnMut(usize, u32) -> u32,
    pub(super) columns: &'a mut ContactLanes,
}

impl Kernel for Manifolds<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        with_kernel!(self.kind, kernel => simd.call(ManifoldsOf { kernel, manifolds: self }))
    }
}

/// Makes the contacts of a batch by `kernel`, which is the kernel of its kind. A function for each
/// kernel: as one function, they took the compiler three times as long.
struct ManifoldsOf<'a, K> {
    kernel: K,
    manifolds: Manifolds<'a>,
}

impl<K: PairKernel> Kernel for ManifoldsOf<'_, K> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        let Manifolds { batch, lanes, wanted, margin, inclusive, touch, columns, .. } =
            self.manifolds;
        let margin = simd.splat(margin);
        let mut there = 0;
        for at in (0..lanes).step_by(S::LANES) {
            if wanted >> at & first_lanes(S::LANES) == 0 {
                continue;
            }
            let mut manifold = self.kernel.contact(simd, batch, at, margin, inclusive);
            let doubt = simd.bits(manifold.doubt) & first_lanes(lanes - at);
            if doubt != 0 {
                manifold = manifold.settled(simd, &flags(touch(at, doubt)));
            }
            there |= columns.store(simd, batch, at, &manifold.bounded(simd, margin)) << at;
        }
        there
    }
}

/// Tests a batch of `lanes` pairs by `kernel`. Returns the bits of the pairs that touch, and of the
/// pairs in doubt.
struct TestBatch<'a, K> {
    kernel: K,
    batch: &'a LaneBatch,
    lanes: usize,
    inclusive: bool,
}

impl<K: PairKernel> Kernel for TestBatch<'_, K> {
    type Output = (u32, u32);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u32, u32) {
        let Self { kernel, batch, lanes, inclusive } = self;
        let (mut bits, mut doubt) = (0, 0);
        for at in (0..lanes).step_by(S::LANES) {
            let verdict = kernel.test(simd, batch, at, inclusive);
            bits |= simd.bits(verdict.touching) << at;
            doubt |= simd.bits(verdict.doubt) << at;
        }
        (bits, doubt)
    }
}
