//! `IndexSearch`: an index and the options of its queries.

use std::{
    marker::PhantomData,
    ops::{ControlFlow, Range},
    sync::OnceLock,
};

use super::{IndexView, record::Neighbor, solids::Solids};
use crate::{
    base::{NARROWPHASE, NO_ROW, parallel},
    error::{Error, limit::ask},
    filter::{Filter, Filtering, Predicate},
    geometry::{Path, SegmentDistances, Vector},
    grid::{
        Around, Asked, CastRays, CellRays, CircleLayout, EachVector, GONE, GridView, GrownRegions,
        LeftOpen, MetKinds, NearestAround, NearestItem, NearestItems, NearestRoom, RayWalk, Region,
        RegionBoxes, RegionCells, RegionHits, Regions, RoundedLayout, WalkedRay, Wanted,
    },
    index::{Index, IndexPart, PlacedRows},
    narrowphase::{PairQuery, Probe, Set, View, with_probe},
    options::{Order, uses_pool},
    posed::ShapeClass,
    shape::{Posed, RoundedBox},
    simd::{Isa, Kernel, MAX_LANES, dispatch_moves, dispatch_vectors},
    store::{ColumnWorkspace, Columns, Layout, Rows},
};

/// An index that is searched.
#[derive(Clone, Copy)]
pub(crate) struct IndexSearch<'a> {
    part: IndexPart<'a>,
    isa: Isa,
    /// A coordinate of each place, if some shapes were removed from the layer: see [`GONE`].
    removed: Option<&'a [f32]>,
    /// Decides which shapes are seen; `None` if all shapes are.
    sight: Option<Sight<'a>>,
    /// Whether no shape was removed and all shapes are seen: a single test for each shape that a
    /// search meets.
    whole: bool,
}

/// The shapes that a query sees.
#[derive(Clone, Copy)]
struct Sight<'a> {
    /// The filters of the index that the filter of the query meets, one bit each.
    met: u32,
    /// The bit of the filter of the shape at each place; `None` if all filters are met, or all
    /// shapes have bit 0.
    bits: Option<&'a [u32]>,
    /// The filter of the query and the filters of the rows, if the bits are not enough.
    exact: Option<(Filter, &'a [Filter])>,
    /// The filter of the query, if it may refuse some shapes.
    filter: Option<Filter>,
    accept: Option<&'a (dyn Fn(u32) -> bool + Sync)>,
    /// Whether each row is seen.
    mask: Option<&'a [bool]>,
    /// A row that is not seen.
    without: Option<u32>,
    /// Whether all other rows are seen.
    others: bool,
    /// A predicate about pairs, and the row of the query.
    accept_pair: Option<(u32, Predicate<'a>)>,
}

impl<'a> Sight<'a> {
    /// The shapes that a view sees of a part of its index. The part is taken by value: as a
    /// reference, it is written to memory field by field and then copied whole, and the copy waits
    /// for the fields.
    fn new(
        part: IndexPart<'a>,
        view: &IndexView<'a>,
        accept_pair: Option<(u32, Predicate<'a>)>,
    ) -> Self {
        let IndexView { filter, accept, mask, .. } = *view;
        let (_, without) = view.numbers(0);
        let filters = part.filters();
        let met = filter.map_or(u32::MAX, |filter| filters.distinct.met_by(&filter, false));
        let open = filters.rows().filter(|_| filters.distinct.open(&filters.distinct));
        let bits = part.target().bits.filter(|_| !filters.distinct.all_in(met));
        let exact = filter.zip(open);
        let others = bits.is_none()
            && met & 1 == 1
            && exact.is_none()
            && accept.is_none()
            && mask.is_none()
            && accept_pair.is_none();
        let filter = filter.filter(|_| bits.is_some() || exact.is_some());
        Self { met, bits, exact, filter, accept, mask, without, others, accept_pair }
    }

    #[inline(always)]
    fn sees(&self, ids: &[u32], place: usize) -> bool {
        if self.others { self.without != Some(!ids[place]) } else { self.decides(ids, place) }
    }

    fn decides(&self, ids: &[u32], place: usize) -> bool {
        self.met & self.bits.map_or(1, |bits| bits[place]) != 0 && self.accepts(!ids[place])
    }

    /// Whether a row is seen that the bits let pass.
    #[inline]
    fn accepts(&self, row: u32) -> bool {
        let Self { exact, accept, mask, without, accept_pair, .. } = self;
        exact.is_none_or(|(filter, rows)| filter.meets(&rows[row as usize]))
            && *without != Some(row)
            && mask.is_none_or(|mask| mask.get(row as usize) == Some(&true))
            && accept.is_none_or(|accept| accept(row))
            && accept_pair.is_none_or(|(query, Predicate { accept, .. })| accept(query, row))
    }

    /// Whether the bits are enough.
    fn is_bits(&self) -> bool {
        let Self { exact, accept, mask, without, accept_pair, .. } = self;
        exact.is_none()
            && accept.is_none()
            && mask.is_none()
            && without.is_none()
            && accept_pair.is_none()
    }
}

impl<'a> IndexSearch<'a> {
    /// A search for all shapes of a space in the first layer.
    pub(crate) fn new(index: &'a Index, space: u32) -> Self {
        Self::of_layer(index, 0, space)
    }

    /// A search for all shapes of a space in a layer.
    #[inline(always)]
    pub(super) fn of_layer(index: &'a Index, layer: usize, space: u32) -> Self {
        Self::of_part(index.part_of(layer, space), None)
    }

    #[inline(always)]
    fn of_part(part: IndexPart<'a>, sight: Option<Sight<'a>>) -> Self {
        let (isa, removed) = (part.index().isa(), part.removed());
        let whole = removed.is_none() && sight.is_none();
        Self { part, isa, removed, sight, whole }
    }

    #[inline]
    fn index(&self) -> &'a Index {
        self.part.index()
    }

    pub(crate) fn inclusive(&self) -> bool {
        self.index().options().inclusive()
    }

    pub(super) fn order(&self) -> Order {
        self.index().options().order
    }

    /// The most hits of a batch.
    pub(super) fn most(&self) -> usize {
        self.index().options().max_pairs.try_into().unwrap_or(usize::MAX)
    }

    /// Whether the layer may have a shape that touches a box. Always in the first layer.
    #[inline]
    pub(super) fn covers(&self, sides: impl FnOnce() -> RoundedBox) -> bool {
        self.index().covers(self.part.layer, sides)
    }

    /// Whether the index has several layers, or holes.
    pub(super) fn has_changed(&self) -> bool {
        self.index().has_changed()
    }

    /// Whether the index has several layers.
    pub(super) fn has_layers(&self) -> bool {
        self.index().has_layers()
    }

    /// The largest distance at which a shape may be found: removed shapes are further away.
    pub(super) fn within(&self, max_distance: f32) -> f32 {
        if self.index().has_changed() { max_distance.min(GONE * 0.5) } else { max_distance }
    }

    /// The search of a row of the index: in its space, and by its own filter, if the rows have
    /// filters.
    pub(super) fn by_row(self, space: u32, row: usize) -> Self {
        let (index, part) = (self.index(), self.part.in_space(space));
        let sight = part.filters().rows().map_or(self.sight, |filters| {
            Some(Sight::new(part, &index.filtered(filters[row]), None))
        });
        Self::of_part(part, sight)
    }

    /// The bits of the filters that are seen; 0 if no shape is.
    #[inline]
    fn met(&self) -> u32 {
        let met = self.sight.map_or(u32::MAX, |sight| sight.met);
        // Without filters, all shapes have bit 0.
        if self.has_filters() { met } else { met & 1 }
    }

    /// The bits of the filters of the shapes by place, and the bits that are seen, if shapes differ
    /// in them.
    fn met_bits(&self) -> Option<(&'a [u32], u32)> {
        self.sight.and_then(|sight| Some((sight.bits?, sight.met)))
    }

    /// Whether no shape is seen, because the filter of the query meets no filter.
    pub(super) fn sees_nothing(&self) -> bool {
        self.met() == 0
    }

    /// Calls `work` with a test of the nodes of the tree below which no shape is seen: `None` if no
    /// filter refuses a shape, or if there is no tree. Made for all queries when it is first
    /// wanted.
    pub(super) fn with_met_kinds<R>(&self, work: impl FnOnce(Option<MetKinds<'_>>) -> R) -> R {
        let filters = &self.part.filters().distinct;
        let Some(filter) = self.sight.and_then(|sight| sight.filter) else { return work(None) };
        let below = self.grid().node_kinds(|id| filters.kind(!id as usize));
        let meets = &|kind| filters.may_meet(&filter, kind);
        work(below.map(|below| MetKinds { below, meets }))
    }

    /// Whether bits are not enough to tell which filters meet.
    fn has_open_filters(&self) -> bool {
        let filters = self.part.filters();
        filters.rows().is_some() && filters.distinct.open(&filters.distinct)
    }

    /// Whether no shape was removed, and all shapes are seen.
    pub(super) fn sees_whole(&self) -> bool {
        self.whole
    }

    /// Whether the shape at a place is seen.
    #[inline(always)]
    pub(super) fn sees(&self, place: usize) -> bool {
        self.whole
            || self.removed.is_none_or(|x| x[place] != GONE)
                && self.sight.is_none_or(|sight| sight.sees(self.ids(), place))
    }

    /// Whether a row is seen that the bits of its filter let pass.
    #[inline]
    pub(super) fn accepts(&self, row: u32) -> bool {
        self.sight.is_none_or(|sight| sight.accepts(row))
    }

    pub(crate) fn grid(&self) -> GridView<'a> {
        self.part.grid()
    }

    /// The complement of the row of the shape at each place of the grid.
    pub(crate) fn ids(&self) -> &'a [u32] {
        self.part.ids()
    }

    /// Whether any shape of the index is rotated or has parts.
    pub(crate) fn rotates(&self) -> bool {
        self.index().rotates()
    }

    /// The number of shapes of the space in the layer, removed shapes included.
    pub(crate) fn len(&self) -> usize {
        self.part.len()
    }

    /// The number of shapes that were not removed.
    pub(super) fn live(&self) -> usize {
        self.part.live
    }

    /// The shapes by row.
    fn set(&self) -> Set<'a> {
        self.index().set(false)
    }

    pub(crate) fn solids(&self) -> Solids<'a> {
        Solids::new(self.grid(), self.rotates().then(|| self.set()))
    }

    /// The shapes by row, if all shapes are segments or capsules.
    pub(super) fn segments(&self) -> Option<Set<'a>> {
        let set = self.index().set(false);
        (set.only == Some(ShapeClass::Line)).then_some(set)
    }

    /// The distances of the core of a box, which is a point, and of the radius around it from
    /// segments; NaN where they may touch.
    pub(super) fn segment_distances(
        &self,
        bounds: &RoundedBox,
        segments: &[[f64; MAX_LANES]; 5],
        distances: &mut [f32; MAX_LANES],
    ) {
        let RoundedBox { min_x, min_y, radius, .. } = *bounds;
        let (point, radius) = (Vector::wide([min_x, min_y]), f64::from(radius));
        dispatch_moves(self.isa, SegmentDistances { point, radius, segments, distances });
    }

    /// The query of the narrowphase for a probe and rows of the index.
    pub(crate) fn pair_query<'b>(&self, probe: &'b Probe<'_>) -> PairQuery<'b>
    where
        'a: 'b,
    {
        probe.query(self.isa, self.set(), self.inclusive())
    }

    /// The query of contacts with a shape, up to a margin apart.
    #[cfg(feature = "narrowphase")]
    pub(super) fn contact_query<'b>(&self, probe: &'b Probe<'_>, margin: f32) -> PairQuery<'b>
    where
        'a: 'b,
    {
        PairQuery::new(self.isa, [probe.set(), self.set()], true, true, margin)
    }

    /// Whether the queries of a batch are divided over threads.
    pub(crate) fn on_pool(&self, queries: usize) -> bool {
        uses_pool(self.index().options().threads, queries.saturating_mul(BODIES_PER_QUERY))
    }

    /// Runs a kernel for one query. On AVX-512 it runs the code of AVX2: with sixteen lanes, single
    /// searches for the nearest took as long, and scans 1.00 to 1.04 times as long.
    pub(super) fn dispatch<K: Kernel>(&self, kernel: K) -> K::Output {
        dispatch_moves(self.isa, kernel)
    }

    /// Passes the places of all bounding boxes that touch `sides` to `each`, until it breaks. Only
    /// of shapes that are seen.
    pub(crate) fn region(
        &self,
        sides: &RoundedBox,
        each: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) {
        let (grid, inclusive) = (self.grid(), self.inclusive());
        let each = &mut |place: usize| {
            if self.sees(place) { each(place) } else { ControlFlow::Continue(()) }
        };
        // A break only ends the search.
        let _ = dispatch_moves(self.isa, Region { grid, sides, inclusive, each });
    }

    /// Appends the shapes whose bounding boxes touch each of `boxes` to `hits`, in the order of
    /// [`region`](IndexSearch::region). Only of shapes that the bits of their filters let pass.
    pub(super) fn regions(
        &self,
        boxes: &RegionBoxes,
        wanted: Wanted,
        grown: Option<GrownRegions<'_>>,
        hits: &mut RegionHits,
    ) {
        let (grid, inclusive, bits) = (self.grid(), self.inclusive(), self.part.target().bits);
        if grown.is_some() {
            let search = Regions::<true> { grid, boxes, bits, inclusive, wanted, grown, hits };
            return dispatch_moves(self.isa, search);
        }
        let search = Regions::<false> { grid, boxes, bits, inclusive, wanted, grown, hits };
        dispatch_moves(self.isa, search);
    }

    /// Appends where each of `boxes` is in the level of the most shapes, as the number of a cell.
    pub(super) fn region_cells(&self, boxes: &RegionBoxes, cells: &mut Vec<u32>) {
        let (grid, level) = (self.grid(), self.main_level());
        dispatch_moves(self.isa, RegionCells { grid, level, boxes, cells });
    }

    /// The number of cells of that level.
    pub(super) fn main_cells(&self) -> u32 {
        self.grid().levels()[self.main_level()].cells()
    }

    /// The level of the most shapes. There must be a shape.
    fn main_level(&self) -> usize {
        let grid = self.grid();
        (0..grid.levels().len()).max_by_key(|level| grid.items(*level).len()).unwrap_or(0)
    }

    /// A box that is searched around in the grid.
    pub(super) fn asked(
        &self,
        sides: RoundedBox,
        without: Option<u32>,
        max_distance: f32,
    ) -> Asked<'a> {
        let (grid, places) = (self.grid(), self.grid().one_cell());
        Asked { grid, places, sides, without, max_distance }
    }

    /// Appends the keys of the nearest shapes of a box that is compared with few shapes.
    pub(super) fn nearest_of_few(
        &self,
        asked: Asked<'_>,
        k: usize,
        room: &mut NearestRoom,
        keys: &mut Vec<u64>,
    ) -> Result<(), LeftOpen> {
        if k == 1 {
            let key = dispatch_moves(self.isa, NearestItem { asked })?;
            keys.extend((key != u64::MAX).then_some(key));
            return Ok(());
        }
        let (factor, sees, by_place) = (1.0, None, false);
        let search = NearestAround { asked, k, factor, sees, by_place, room: &mut *room };
        dispatch_vectors(self.isa, search)?;
        keys.extend_from_slice(room.keys());
        Ok(())
    }

    /// Finds the nearest shapes of many boxes: see [`NearestItems`].
    pub(super) fn nearest_items(&self, search: NearestItems<'_>) {
        dispatch_vectors(self.isa, search);
    }

    /// The grid of the shapes of all spaces with few shapes.
    pub(super) fn cells(&self) -> GridView<'a> {
        self.index().cells(self.part.layer)
    }

    /// A box that is compared with the shapes of a space, if they are few.
    #[inline]
    pub(super) fn asked_of_few(
        &self,
        space: u32,
        sides: RoundedBox,
        without: Option<u32>,
        max_distance: f32,
    ) -> Option<Asked<'a>> {
        let part = self.part.in_space(space);
        let places = Some(part.places_in_cells()?);
        Some(Asked { grid: self.cells(), places, sides, without, max_distance })
    }

    /// Whether the shapes have filters.
    pub(super) fn has_filters(&self) -> bool {
        self.part.filters().rows().is_some()
    }

    /// Whether all shapes are seen.
    pub(super) fn sees_all(&self) -> bool {
        self.sight.is_none()
    }

    /// The bounding boxes of the shapes by place.
    pub(super) fn boxes(&self) -> Layout<'a> {
        let GridView { sorted, form, .. } = self.grid();
        sorted.layout(form)
    }

    /// The bounding box of the shape at a place.
    pub(super) fn bounds(&self, place: usize) -> RoundedBox {
        self.boxes().rounded_box(place)
    }

    /// Passes vectors of bounding boxes to `each`: all boxes that may be within `reach` of a place,
    /// and some further boxes. The shapes need not be seen.
    pub(super) fn vectors<V: EachVector>(&self, place: [f32; 2], reach: f32, each: &mut V) {
        dispatch_moves(self.isa, Around { grid: self.grid(), place, reach, each });
    }

    /// The places of the shapes, if they are few and follow each other.
    #[inline]
    pub(super) fn few(&self) -> Option<Range<usize>> {
        self.part.places_in_cells()
    }

    /// Finds which of the [few](IndexSearch::few) shapes each ray may hit first: see [`CellRays`].
    pub(super) fn cast_among_few(&self, places: Range<usize>, seen: u64, rays: &mut CastRays) {
        let grid = self.grid();
        dispatch_moves(self.isa, CellRays { grid, places, seen, rays });
    }

    /// Which shapes at some places are seen, one bit for each of at most 64 shapes.
    pub(super) fn seen_at(&self, places: Range<usize>) -> u64 {
        let (mut seen, ids) = (0, self.ids());
        for (number, &id) in ids[places.clone()].iter().enumerate() {
            let sees = match &self.sight {
                None => true,
                Some(Sight { others: true, without, .. }) => *without != Some(!id),
                Some(sight) => sight.sees(ids, places.start + number),
            };
            seen |= u64::from(sees) << number;
        }
        if let Some(x) = self.removed {
            for (number, x) in x[places].iter().enumerate() {
                seen &= !(u64::from(*x == GONE) << number);
            }
        }
        seen
    }

    /// Passes the number of each path and the places of all bounding boxes that a box with a radius
    /// may touch to `each`, while its centre moves along the path. `each` returns the fraction of
    /// the path up to which the box goes on. Also passes shapes that are not seen.
    pub(super) fn walk(
        &self,
        paths: &[Path],
        half: [f32; 2],
        radius: f32,
        rays: &mut [WalkedRay],
        each: &mut dyn FnMut(usize, usize) -> f64,
    ) {
        let (grid, met, layout) = (self.grid(), self.met_bits(), PhantomData::<RoundedLayout>);
        dispatch_vectors(self.isa, RayWalk { grid, paths, rays, half, radius, met, each, layout });
    }

    /// Does the same for a circle in a grid of circles. Compiled for each type of `each`.
    pub(super) fn walk_among_circles(
        &self,
        paths: &[Path],
        radius: f32,
        rays: &mut [WalkedRay],
        each: impl FnMut(usize, usize) -> f64,
    ) {
        let (grid, met, half) = (self.grid(), self.met_bits(), [0.0; 2]);
        let layout = PhantomData::<CircleLayout>;
        dispatch_vectors(self.isa, RayWalk { grid, paths, rays, half, radius, met, each, layout });
    }
}

/// The rows of an index as probes.
pub(crate) struct RowProbes<'a> {
    index: &'a Index,
    /// The set, if any shape is rotated or has parts.
    set: Option<Set<'a>>,
    /// The space of each row, its layer, and its place there; [`NO_ROW`] for a vacant row.
    places: Vec<(u32, u8, u32)>,
}

impl<'a> RowProbes<'a> {
    pub(crate) fn new(index: &'a Index) -> Self {
        let mut places = vec![(0, 0, NO_ROW); index.rows()];
        for part in index.parts() {
            for place in part.grid().live_places() {
                let row = !part.ids()[place] as usize;
                places[row] = (part.space(), part.layer as u8, place as u32);
            }
        }
        Self { index, set: index.rotates().then(|| index.set(false)), places }
    }

    /// The place of a row of an index without spaces, unless it is vacant.
    pub(super) fn place(&self, row: usize) -> Option<u32> {
        Some(self.places[row].2).filter(|place| *place != NO_ROW)
    }

    /// The shape of a row and its space, unless it is vacant.
    pub(crate) fn probe(&self, row: usize) -> Option<(u32, Probe<'_>)> {
        let (space, layer, place) = self.places[row];
        if place == NO_ROW {
            return None;
        }
        let probe = match &self.set {
            Some(set) => Probe::of(set.view, row),
            None => {
                let grid = self.index.part_of(layer.into(), space).grid();
                let sides = grid.sorted.layout(grid.form).rounded_box(place as usize);
                Probe::aligned(sides, ShapeClass::Round)
            }
        };
        Some((space, probe))
    }
}

/// A query takes about as long as a detection takes for this many bodies.
const BODIES_PER_QUERY: usize = 16;

/// The box grown by a distance.
pub(super) fn grown(sides: &RoundedBox, distance: f32) -> RoundedBox {
    RoundedBox { radius: sides.radius + distance, ..*sides }
}

impl<'a> IndexView<'a> {
    /// Whether the layer may have a shape that touches a box. Always in the first layer.
    #[inline]
    pub(super) fn covers(&self, sides: impl FnOnce() -> RoundedBox) -> bool {
        self.index.covers(self.layer, sides)
    }

    /// Calls `work` with a shape to search for, for each layer.
    pub(super) fn with_shape(
        &self,
        shape: Posed<'_>,
        mut work: impl FnMut(&Self, &Probe<'_>),
    ) -> Result<(), Error> {
        self.check(1)?;
        with_probe(0, shape, |probe| {
            for view in self.layers() {
                work(&view, probe);
            }
        })
    }

    /// The nearest shape of a box in the layer, if it is easily found: if all shapes are
    /// axis-aligned, and few or not far away. All shapes of the space must be seen, or all but one
    /// shape. Otherwise why it was left open, if it was tried.
    pub(super) fn nearest_item(
        &self,
        sides: &RoundedBox,
        max_distance: f32,
    ) -> Result<Option<Neighbor>, Option<LeftOpen>> {
        if !self.covers(|| grown(sides, max_distance)) {
            return Ok(None);
        }
        let (space, without) = self.numbers(0);
        let part = self.index.part_of(self.layer, space);
        if part.rotates() {
            return Err(None);
        }
        let removed = part.removed().is_some();
        let max_distance = if removed { max_distance.min(GONE * 0.5) } else { max_distance };
        let places = part.places_in_cells();
        if without.is_some() && places.is_none() {
            return Err(None);
        }
        let asked = Asked { grid: part.grid(), places, sides: *sides, without, max_distance };
        let key = dispatch_moves(self.index.isa(), NearestItem { asked })?;
        Ok((key != u64::MAX).then(|| Neighbor::of_key(key)))
    }

    /// The search of the first query.
    #[inline]
    pub(super) fn search(&self) -> IndexSearch<'a> {
        self.search_of(self.layer)
    }

    /// The same search of each layer.
    #[inline]
    pub(super) fn searches(&self) -> impl Iterator<Item = IndexSearch<'a>> {
        self.index.layers().map(|layer| self.search_of(layer))
    }

    #[inline]
    fn search_of(&self, layer: usize) -> IndexSearch<'a> {
        let part = self.index.part_of(layer, self.numbers(0).0);
        let sight = (!self.sees_all()).then(|| Sight::new(part, self, None));
        IndexSearch::of_part(part, sight)
    }
}

/// The shapes of a batch of queries.
pub(crate) struct QueryShapes<'a> {
    /// The shapes that are asked.
    asked: &'a IndexView<'a>,
    filtering: Filtering<'a>,
    spaces: Option<&'a [u32]>,
    rows: Rows<'a>,
    view: View<'a>,
    /// The rows, once they are placed, if they are axis-aligned and meet shapes that are not.
    placed: OnceLock<PlacedRows>,
    pub(crate) threads: bool,
}

impl<'s> QueryShapes<'s> {
    /// The shapes, if they are valid, and the search of the first shape.
    fn checked(
        asked: &'s IndexView<'s>,
        shapes: Columns<'s>,
        rotated: &'s mut ColumnWorkspace,
    ) -> Result<(IndexSearch<'s>, Self), Error> {
        match shapes.spaces {
            Some(_) => asked.in_space(0).check(shapes.len())?,
            None => asked.check(shapes.len())?,
        }
        let search = asked.search();
        let (filtering, spaces) = (shapes.filtering, shapes.spaces);
        let rows = shapes.rows(search.isa, rotated)?;
        rows.check_on(search.isa, false)?;
        let threads = search.on_pool(rows.len());
        let (view, placed) = (View::of(&rows), OnceLock::new());
        Ok((search, Self { asked, filtering, spaces, rows, view, placed, threads }))
    }
}

impl QueryShapes<'_> {
    /// Checks the shapes and calls `work` with them, on the pool if they are many.
    pub(crate) fn of<R: Send>(
        asked: &IndexView<'_>,
        shapes: Columns<'_>,
        work: impl FnOnce(&IndexSearch<'_>, &QueryShapes<'_>) -> R + Send,
    ) -> Result<R, Error> {
        let mut rotated = ColumnWorkspace::default();
        // Copies of the shapes, and the workspaces of tasks. The results ask for their own.
        let a_row = if shapes.rotates() { 64 } else { 16 };
        ask(shapes.len(), shapes.len().saturating_mul(a_row).saturating_add(1 << 20))?;
        let (search, batch) = QueryShapes::checked(asked, shapes, &mut rotated)?;
        Ok(parallel::enter(batch.threads, || work(&search, &batch)))
    }

    /// The number of rows, vacant rows included.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The shape of a row and its search, unless the row is vacant.
    pub(crate) fn query<'a>(
        &'a self,
        search: &IndexSearch<'a>,
        row: usize,
    ) -> Option<(IndexSearch<'a>, Probe<'a>)> {
        let search = self.search(search, row)?;
        Some((search, self.probe(row)))
    }

    /// The shape of a row.
    #[inline]
    pub(super) fn probe(&self, row: usize) -> Probe<'_> {
        Probe::of(self.view, row)
    }

    /// The bounding box of a row and its search, unless the row is vacant.
    pub(super) fn box_query<'a>(
        &'a self,
        search: &IndexSearch<'a>,
        row: usize,
    ) -> Option<(IndexSearch<'a>, RoundedBox)> {
        let search = self.search(search, row)?;
        Some((search, self.view.bounds(row)))
    }

    /// The bounding box of a row.
    #[inline]
    pub(super) fn bounds(&self, row: usize) -> RoundedBox {
        self.view.bounds(row)
    }

    /// The bounding boxes of all rows as columns, if no filters decide what a row sees.
    pub(super) fn bounding_boxes(&self) -> Option<Layout<'_>> {
        self.filtering.is_none().then_some(self.rows.layout)
    }

    /// Whether all queries search the same shapes of the index, but for filters.
    pub(super) fn are_alike(&self) -> bool {
        self.spaces.is_none() && !self.asked.differs()
    }

    /// The box of a row that is compared with the few shapes of its space. `None` if these shapes
    /// are many, if one of them is not seen, or if a shape is not axis-aligned.
    pub(super) fn asked_of_few<'b>(
        &self,
        search: &IndexSearch<'b>,
        row: usize,
        max_distance: f32,
    ) -> Option<Asked<'b>> {
        if !self.are_boxes() || !self.filtering.is_none() || !self.asked.sees_spaces() {
            return None;
        }
        let (space, without) = self.asked.numbers(row);
        let space = self.spaces.map_or(space, |spaces| spaces[row]);
        search.asked_of_few(space, self.view.bounds(row), without, max_distance)
    }

    /// Whether a row holds a shape.
    pub(super) fn holds(&self, row: usize) -> bool {
        self.rows.holds(row)
    }

    /// Whether the layer may have a shape that is at most so far away from a row.
    #[inline]
    pub(super) fn is_near(&self, row: usize, distance: f32) -> bool {
        self.asked.covers(|| grown(&self.view.bounds(row), distance))
    }

    /// The bits of the filters that a row meets; 0 if it is vacant or sees nothing. The queries
    /// must be alike.
    #[inline]
    pub(super) fn met(&self, search: &IndexSearch<'_>, row: usize) -> u32 {
        match self.filtering.filters {
            None if !self.rows.holds(row) => 0,
            None => search.met(),
            Some(_) => self.search(search, row).map_or(0, |search| search.met()),
        }
    }

    /// Whether boxes and bits of filters do not decide which shapes of the index touch a query.
    pub(super) fn sifts(&self, search: &IndexSearch<'_>) -> bool {
        let filtered = self.filtering.predicate.is_some_and(|predicate| !predicate.grown)
            || self.filtering.filters.is_some() && search.has_open_filters();
        !self.are_boxes() || filtered || search.sight.is_some_and(|sight| !sight.is_bits())
    }

    /// The predicate about pairs of grown shapes, for the search that finds them.
    pub(super) fn grown<'b>(&'b self, rows: &'b [u32]) -> Option<GrownRegions<'b>> {
        let predicate = self.filtering.predicate.filter(|predicate| predicate.grown)?;
        Some(GrownRegions { predicate, rows })
    }

    /// The query of the narrowphase for all rows and rows of the index, unless boxes decide.
    pub(super) fn pair_query<'a>(&'a self, search: &IndexSearch<'a>) -> Option<PairQuery<'a>> {
        if !NARROWPHASE || self.are_boxes() {
            return None;
        }
        let own = match self.view.placed() {
            Some(placed) => Set::placed(self.view, placed, self.view.only_class()),
            None => self.placed.get_or_init(|| self.place()).set(self.view),
        };
        Some(PairQuery::new(search.isa, [own, search.set()], true, search.inclusive(), 0.0))
    }

    /// Places all rows. On the calling thread: it may be a thread of the pool, for which other
    /// threads wait.
    fn place(&self) -> PlacedRows {
        let mut placed = PlacedRows::default();
        placed.fill(self.view, self.rows.len(), false);
        placed
    }

    /// Whether all shapes are axis-aligned, and all shapes of the index.
    pub(super) fn are_boxes(&self) -> bool {
        !self.view.rotates() && !self.asked.index.rotates()
    }

    /// The search of a row, unless the row is vacant.
    #[inline]
    pub(super) fn search<'a>(
        &'a self,
        search: &IndexSearch<'a>,
        row: usize,
    ) -> Option<IndexSearch<'a>> {
        if !self.rows.holds(row) {
            return None;
        }
        if self.filtering.is_none() && self.are_alike() {
            return Some(*search);
        }
        let Filtering { filters, predicate } = self.filtering;
        let mut asked = self.asked.of_query(row);
        if let Some(spaces) = self.spaces {
            asked = asked.in_space(spaces[row]);
        }
        asked.filter = filters.map(|filters| filters[row]).or(asked.filter);
        let accept_pair = predicate.map(|predicate| (row as u32, predicate));
        let (space, _) = asked.numbers(0);
        let part = asked.index.part_of(asked.layer, space);
        Some(IndexSearch::of_part(part, Some(Sight::new(part, &asked, accept_pair))))
    }
}
