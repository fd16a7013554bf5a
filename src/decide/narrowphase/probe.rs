//! `Probe`: the shape of a query, against the rows of a set; and a few pairs at a time, in a
//! workspace that each thread keeps.

use std::cell::Cell;

use super::{
    Contact, Set, View, chain,
    jobs::{ContactKey, Job, KernelKind},
    kernels::{Contacts, Tests},
    lane_batch::LaneBatch,
    one_by_one,
    outline::{Outlines, meet_on_inner_side},
    pair_query::{PairQuery, plan},
    parts::PartPairs,
    view::Sources,
};
use crate::{
    base::{Held, Pair, held},
    error::Error,
    kernel::{BoxColumns, RoundedColumns},
    posed::{Link, Placed, ShapeClass},
    shape::{AnyShape, AxisAligned, Kind, RoundedBox, check::check_one},
    simd::{Isa, MAX_LANES, dispatch_narrow, map_each},
    store::Layout,
};

/// One shape, as a set of one row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe<'a> {
    /// The view of the set that the shape comes from: its vertices and parts.
    view: View<'a>,
    /// The bounding box, as columns of one row.
    columns: [[f32; 1]; 5],
    placed: [Placed; 1],
    /// The row of the shape in the view.
    row: usize,
    /// The link of a segment of a chain.
    links: &'a [Link],
}

impl<'a> Probe<'a> {
    /// A row of a view.
    pub(crate) fn of(view: View<'a>, row: usize) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = view.bounds(row);
        let mut placed = [Placed::NONE];
        view.place(std::iter::once(row as u32), &mut placed);
        Self {
            view,
            columns: map_each([min_x, min_y, max_x, max_y, radius], |side| [side]),
            placed,
            row,
            links: view.links().get(row..row + 1).unwrap_or_default(),
        }
    }

    /// A row of a set that has placed shapes.
    pub(crate) fn of_set(set: &Set<'a>, row: usize) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = set.box_of(row);
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |side| [side]);
        let links = set.links.get(row..row + 1).unwrap_or_default();
        Self { view: set.view, columns, placed: [set.placed[row]], row: set.first + row, links }
    }

    /// An axis-aligned shape of this class.
    pub(crate) fn aligned(sides: RoundedBox, class: ShapeClass) -> Self {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = sides;
        let columns = map_each([min_x, min_y, max_x, max_y, radius], |side| [side]);
        let placed = [Placed::aligned(class, sides)];
        Self { view: View::EMPTY, columns, placed, row: 0, links: &[] }
    }

    /// An axis-aligned shape, if it is one and its values are valid; `index` is for the error.
    pub(crate) fn of_aligned(index: usize, shape: AnyShape<'_>) -> Result<Option<Self>, Error> {
        let class = match shape.kind() {
            Kind::Aabb | Kind::RoundedBox => ShapeClass::AlignedBox,
            _ => ShapeClass::Round,
        };
        Ok(aligned_sides(index, shape)?.map(|sides| Self::aligned(sides, class)))
    }

    /// Whether the shape is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        !self.placed[0].class().is_axis_aligned()
    }

    /// The bounding box: the shape itself if it is axis-aligned.
    pub(crate) fn bounds(&self) -> RoundedBox {
        let [min_x, min_y, max_x, max_y, radius] = map_each(self.columns, |[side]| side);
        RoundedBox { min_x, min_y, max_x, max_y, radius }
    }

    /// The shape as a set of one row.
    #[inline]
    pub(crate) fn set(&self) -> Set<'_> {
        let [min_x, min_y, max_x, max_y, radius] = &self.columns;
        let core = BoxColumns { min_x, min_y, max_x, max_y };
        let layout = Layout::Rounded(RoundedColumns { core, radius });
        let (links, first) = (self.links, self.row);
        Set { links, first, ..Set::placed(self.view.with_layout(layout), &self.placed, None) }
    }

    /// The data of the shape, for [`Solid`](crate::query)s.
    #[inline]
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources::of(&[self.set(), self.set()])
    }

    /// The query of the shape and a set.
    #[inline]
    pub(crate) fn query<'b>(&'b self, isa: Isa, set: Set<'b>, inclusive: bool) -> PairQuery<'b> {
        PairQuery::new(isa, [self.set(), set], true, inclusive, 0.0)
    }
}

/// The bounding box of an axis-aligned shape, if it is one and its values are valid; `index` is for
/// the error.
pub(crate) fn aligned_sides(
    index: usize,
    shape: AnyShape<'_>,
) -> Result<Option<RoundedBox>, Error> {
    fn checked<T: AxisAligned>(index: usize, shape: T) -> Result<Option<RoundedBox>, Error> {
        check_one(index, shape).map(Some)
    }
    match shape {
        AnyShape::Point(point) => checked(index, point),
        AnyShape::Circle(circle) => checked(index, circle),
        AnyShape::Aabb(aabb) => checked(index, aabb),
        AnyShape::RoundedBox(rounded) => checked(index, rounded),
        _ => Ok(None),
    }
}

impl PairQuery<'_> {
    /// Whether the shape of a probe and a row are both segments of chains.
    pub(crate) fn never_touch(&self, row: u32) -> bool {
        let [probe, other] = &self.sets;
        probe.placed[0].is(ShapeClass::ChainSegment)
            && other
                .placed
                .get(row as usize)
                .is_some_and(|other| other.is(ShapeClass::ChainSegment))
    }

    /// Whether the shape of a probe and a row touch. Their boxes must touch.
    pub(crate) fn touches(&self, row: u32) -> bool {
        let (mut touching, pair) = (false, Pair { a: 0, b: !row });
        SmallBatch::each(self, pair, |pairs| {
            touching = pairs.touch();
            touching
        });
        touching || self.meet_on_inner_side(pair)
    }

    /// Whether the shapes of a pair that are apart otherwise touch on an inner side of an outline.
    pub(super) fn meet_on_inner_side(&self, pair: Pair) -> bool {
        self.has_outlines()
            && meet_on_inner_side(self, &Sources::of(&self.sets), self.members(pair))
    }

    /// The deepest contact, of the shape of a probe and a row, that `accept` accepts. The boxes of
    /// the shapes must be at most the margin apart.
    pub(crate) fn deepest(&self, row: u32, accept: &dyn Fn(&Contact) -> bool) -> Option<Contact> {
        SmallBatch::deepest(self, Pair { a: 0, b: !row }, accept)
    }
}

/// The workspace for a few pairs, besides the stack.
#[derive(Debug, Default)]
struct BatchWorkspace {
    batch: LaneBatch,
    parts: PartPairs,
    outlines: Outlines,
    /// The contacts of a pair with an outline, as the kernels make them and corrected.
    contacts: [Vec<Contact>; 2],
}

held!(BatchWorkspace { batch, parts, outlines, contacts });

thread_local! {
    /// The workspace of the previous call on this thread, so that calls without a caller's
    /// workspace do not allocate. It is taken out while it is in use, so that two calls never share
    /// it.
    static WORKSPACE: Cell<Option<Box<BatchWorkspace>>> = const { Cell::new(None) };
}

/// The most bytes that a thread keeps, because a caller cannot free them.
pub(super) const MAX_KEPT_BYTES: usize = 1 << 20;

impl BatchWorkspace {
    /// Calls `work` with the workspace of this thread.
    fn with(work: impl FnOnce(&mut Self)) {
        // A thread that is exiting may have lost its workspace.
        let mut workspace = WORKSPACE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        work(&mut workspace);
        if workspace.bytes() <= MAX_KEPT_BYTES {
            // Otherwise it is dropped, as on a thread that is exiting.
            let _ = WORKSPACE.try_with(|kept| kept.set(Some(workspace)));
        }
    }
}

/// At least one pair and at most a batch of pairs, all of one kernel kind. No shape is a compound,
/// and the boxes of each pair are at most the margin apart.
pub(super) struct SmallBatch<'a> {
    query: &'a PairQuery<'a>,
    kind: KernelKind,
    jobs: &'a [Job],
    keys: &'a [ContactKey],
    batch: &'a mut LaneBatch,
}

impl SmallBatch<'_> {
    /// Passes `pair` to `take`. If it has a compound, passes the pairs of its parts in their order
    /// instead, as batches of successive pairs of one kernel kind, until `take` returns true. The
    /// boxes of `pair` must be at most the margin apart.
    ///
    /// Pairs of parts that are already decided by their boxes are passed in order like all other
    /// pairs.
    pub(super) fn each(
        query: &PairQuery<'_>,
        pair: Pair,
        take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        BatchWorkspace::with(|workspace| Self::each_in(workspace, query, pair, take));
    }

    /// The deepest contact of `pair` that `accept` accepts. The boxes of `pair` must be at most the
    /// margin apart.
    pub(super) fn deepest(
        query: &PairQuery<'_>,
        pair: Pair,
        accept: &dyn Fn(&Contact) -> bool,
    ) -> Option<Contact> {
        let mut deepest: Option<Contact> = None;
        let mut offer = |contact| {
            if accept(&contact) {
                deepest = deepest.into_iter().chain([contact]).reduce(deeper);
            }
        };
        if !query.has_outlines() {
            Self::each(query, pair, |pairs| {
                pairs.contacts(&mut offer);
                false
            });
            return deepest;
        }
        BatchWorkspace::with(|workspace| {
            let [mut made, mut corrected] = std::mem::take(&mut workspace.contacts);
            made.clear();
            corrected.clear();
            Self::each_in(workspace, query, pair, |pairs| {
                pairs.contacts(|contact| made.push(contact));
                false
            });
            let sources = Sources::of(&query.sets);
            if made.is_empty() {
                let [a, b, ..] = query.key(pair, [0; 2]);
                workspace.outlines.missing(query, &sources, Pair { a, b }, &mut corrected);
            }
            workspace.outlines.correct(query, &sources, &made, &mut corrected);
            for contact in &corrected {
                offer(*contact);
            }
            workspace.contacts = [made, corrected];
        });
        deepest
    }

    /// Does the work of [`each`](Self::each) in this workspace.
    fn each_in(
        workspace: &mut BatchWorkspace,
        query: &PairQuery<'_>,
        pair: Pair,
        mut take: impl FnMut(SmallBatch<'_>) -> bool,
    ) {
        let BatchWorkspace { batch, parts, .. } = workspace;
        let sources = Sources::of(&query.sets);
        let members = query.members(pair);
        let plan = plan(&sources, members);
        if plan.kind != KernelKind::Parts {
            let (jobs, keys) = (&[plan.job(members, 0)], &[query.key(pair, [0, 0])]);
            take(SmallBatch { query, kind: plan.kind, jobs, keys, batch });
            return;
        }
        let (mut jobs, mut keys) =
            ([Job::default(); MAX_LANES], [ContactKey::default(); MAX_LANES]);
        // The kind and the number of the collected jobs. There are none yet.
        let (mut kind, mut count) = (KernelKind::Parts, 0);
        parts.begin(query, &sources, members);
        while parts.find(query, &sources, members, [members; 2]) {
            for &numbers in &parts.found {
                let members = parts.members(numbers);
                let plan = self::plan(&sources, members);
                if count == MAX_LANES || (count > 0 && plan.kind != kind) {
                    let (jobs, keys) = (&jobs[..count], &keys[..count]);
                    if take(SmallBatch { query, kind, jobs, keys, batch }) {
                        return;
                    }
                    count = 0;
                }
                kind = plan.kind;
                jobs[count] = plan.job(members, count as u32);
                keys[count] = query.key(pair, numbers);
                count += 1;
            }
        }
        if count > 0 {
            take(SmallBatch { query, kind, jobs: &jobs[..count], keys: &keys[..count], batch });
        }
    }

    /// Whether any of the pairs touch.
    pub(super) fn touch(self) -> bool {
        let Self { query, kind, jobs, batch, .. } = self;
        let mut hits = [kind.is_axis_aligned(); MAX_LANES];
        if kind == KernelKind::OneByOne {
            one_by_one::test(query, jobs, &mut hits);
        } else if !kind.is_axis_aligned() {
            let hits = &mut hits;
            dispatch_narrow(
                query.isa.of_pairs(jobs.len()),
                Tests { query, kind, jobs, batch, hits },
            );
        }
        hits.contains(&true)
    }

    /// Passes the contacts to `take`, in the order of the pairs.
    pub(super) fn contacts(self, take: impl FnMut(Contact)) {
        // For one pair, a kilobyte of contacts need not be cleared.
        match self.jobs.len() {
            1 => self.contacts_in(&mut [Contact::default()], take),
            _ => self.contacts_in(&mut [Contact::default(); MAX_LANES], take),
        }
    }

    /// Does the work of [`contacts`](Self::contacts). `contacts` is a buffer for the contacts of
    /// all pairs.
    fn contacts_in(self, contacts: &mut [Contact], mut take: impl FnMut(Contact)) {
        let Self { query, kind, jobs, keys, batch } = self;
        let (in_order, mut kept) = (true, 0);
        if kind == KernelKind::OneByOne {
            one_by_one::contacts(query, jobs, keys, contacts);
            kept = jobs.len();
        } else {
            let (into, count) = (&mut *contacts, &mut kept);
            let work =
                Contacts { query, kind, jobs, batch, keys, contacts: into, in_order, kept: count };
            dispatch_narrow(query.isa.of_pairs(jobs.len()), work);
        }
        let found = contacts[..kept].iter().filter(|contact| contact.count > 0);
        let chains = query.has_chains().then(|| Sources::of(&query.sets));
        for contact in found {
            match &chains {
                None => take(*contact),
                Some(sources) => {
                    if let Some(smooth) = chain::smooth(query, sources, contact) {
                        take(smooth);
                    }
                }
            }
        }
    }
}

/// The deeper of two contacts. If both are equally deep, the contact whose first point is further
/// left, or lower. This does not depend on which shape comes first. If the points also coincide,
/// the first contact.
fn deeper(first: Contact, second: Contact) -> Contact {
    let [one, other] = map_each([&first, &second], |contact| {
        [-contact.depth, contact.point[0].x, contact.point[0].y]
    });
    if other < one { second } else { first }
}
