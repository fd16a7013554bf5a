//! Nearest: the shapes of an index that are nearest to a shape.

use std::iter::FusedIterator;

use super::{
    IndexView,
    batch::{fill_tasks, list, list_tasks},
    grid_order::GridOrder,
    nearest_lists::{SortedLists, together},
    nearest_search::{Browse, Limits, NearestSearch, NearestWorkspace},
    record::Neighbor,
    search::{IndexSearch, QueryShapes, RowProbes},
};
use crate::{
    base::parallel,
    error::{
        Error, Field,
        limit::{ask, try_resize},
    },
    grid::{Frontier, LeftOpen, OPEN},
    index::Index,
    lists::Lists,
    narrowphase::{Probe, SolidWorkspace, View, aligned_sides, check_most, with_probe},
    shape::{Posed, RoundedBox},
    simd::map_each,
    store::{Columns, Shapes},
};

impl Index {
    /// Replaces `lists` by the `k` shapes of this index that are nearest to each of its shapes,
    /// without the shape itself: the list of each row. A vacant row has an empty list. If the
    /// shapes have filters, only shapes that meet the row are listed.
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] if `max_distance` is NaN or below 0. `lists` is then empty.
    ///
    /// ```
    /// use widephase::{Columns, Index, Lists};
    ///
    /// let index = Index::build(Columns::points(&[0.0, 1.0, 5.0], &[0.0; 3])?)?;
    /// let mut nearest = Lists::new();
    /// index.k_nearest_of_rows(1, f32::INFINITY, &mut nearest)?;
    /// let rows = nearest.items().iter().map(|near| near.row);
    /// assert_eq!(rows.collect::<Vec<_>>(), [1, 0, 1]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn k_nearest_of_rows(
        &self,
        k: usize,
        max_distance: f32,
        lists: &mut Lists<Neighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_most(0, Field::MaxDistance, max_distance)?;
        let limits = Limits { k, max_distance };
        self.ask_for_query()?;
        ask_for_lists(self.rows(), k, self.len())?;
        let search = IndexSearch::new(self, 0);
        let limits = limits.of(&search);
        let threads = search.on_pool(self.rows());
        let rows = RowProbes::new(self);
        let nearest_of = |row: usize, found: &mut Vec<Neighbor>, workspace: &mut _| {
            if let (first, Some((space, probe))) = (found.len(), rows.probe(row)) {
                for layer in self.layers() {
                    let search = IndexSearch::of_layer(self, layer, space).by_row(space, row);
                    let (itself, own) = (Some(row as u32), limits.after(found, first));
                    search.nearest(&probe, own, itself, &search.solids(), workspace, found);
                    if layer > 0 {
                        keep_nearest(k, found, first);
                    }
                }
            }
        };
        if search.rotates() || search.has_filters() || search.has_changed() {
            return parallel::enter(threads, || {
                list(self.rows(), threads, usize::MAX, lists, &|row, workspace, found| {
                    let most = found.len() + k.min(self.len()) * self.layers().count();
                    found.try_reserve(most - found.len()).map_err(|_| most)?;
                    nearest_of(row, found, workspace);
                    Ok(())
                })
            });
        }
        let task = together(limits, threads);
        if self.in_spaces() || search.grid().one_cell().is_some() {
            return parallel::enter(threads, || {
                list_tasks(self.rows(), task, threads, lists, &|queries, workspace, lists| {
                    let (order, sorted): &mut (Vec<u32>, SortedLists) = workspace;
                    let (first, len) = (queries.start, queries.len());
                    order.clear();
                    let held = queries.filter(|row| rows.place(*row).is_some());
                    order.extend(held.map(|row| row as u32));
                    let asked = order.iter().map(|&row| {
                        let (space, probe) = rows.probe(row as usize)?;
                        search.asked_of_few(space, probe.bounds(), Some(row), max_distance)
                    });
                    sorted.find_among_few(&search, asked, limits);
                    let place = |row: u32| row as usize - first;
                    sorted.list(order, len, place, lists, |row, found, workspace| {
                        nearest_of(row as usize, found, workspace);
                    })
                })
            });
        }
        parallel::enter(threads, || {
            list_tasks(self.rows(), task, threads, lists, &|queries, workspace, lists| {
                let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
                let (first, len) = (queries.start, queries.len());
                let order = order.of_places(&search, queries.filter_map(|row| rows.place(row)));
                let boxes = search.boxes();
                sorted.find(&search, boxes, order, limits, true);
                let row = |place: u32| (!search.ids()[place as usize]) as usize;
                sorted.list(
                    order,
                    len,
                    |place| row(place) - first,
                    lists,
                    |place, found, workspace| {
                        let (itself, bounds) =
                            (Some(row(place) as u32), search.bounds(place as usize));
                        search.nearest_to_box(bounds, limits, itself, &mut workspace.browse, found);
                    },
                )
            })
        })
    }
}

/// Asks for the workspace of lists of the `k` nearest shapes of each query, and for the rows of an
/// index.
fn ask_for_lists(queries: usize, k: usize, shapes: usize) -> Result<(), Error> {
    let a_query = k.min(shapes).saturating_mul(96);
    ask(queries, a_query.saturating_add(shapes.saturating_mul(8)).saturating_add(1 << 22))
}

pub(super) fn nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    max_distance: f32,
) -> Result<Option<Neighbor>, Error> {
    check_most(0, Field::MaxDistance, max_distance)?;
    view.check(1)?;
    let mut nearest: Option<Neighbor> = None;
    let sides = easy_sides(view, shape)?;
    for view in view.layers() {
        let max_distance = nearest.map_or(max_distance, |near| near.distance);
        let found = match nearest_item(&view, &sides, max_distance) {
            Ok(found) => found,
            Err(left_open) => {
                let mut found = Vec::new();
                let limits = Limits { k: 1, max_distance };
                find_one_by_one(&view, shape, limits, left_open, &mut found)?;
                found.pop()
            }
        };
        if is_further(&nearest, &found) {
            nearest = found;
        }
    }
    Ok(nearest)
}

/// Whether the nearest shape comes behind another shape.
fn is_further(nearest: &Option<Neighbor>, other: &Option<Neighbor>) -> bool {
    other.is_some_and(|other| nearest.is_none_or(|nearest| other.key() < nearest.key()))
}

/// Keeps the `k` nearest of the shapes from the `first` one on, nearest first.
fn keep_nearest(k: usize, found: &mut Vec<Neighbor>, first: usize) {
    found[first..].sort_unstable_by_key(Neighbor::key);
    found.truncate(first.saturating_add(k));
}

/// The box of a shape, if its nearest shape may be easily found.
fn easy_sides(
    view: &IndexView<'_>,
    Posed { shape, pose }: Posed<'_>,
) -> Result<Option<RoundedBox>, Error> {
    if pose.is_some() || !view.sees_spaces() { Ok(None) } else { aligned_sides(0, shape) }
}

/// The nearest shape of the layer, if it is easily found: see [`IndexView::nearest_item`].
fn nearest_item(
    view: &IndexView<'_>,
    sides: &Option<RoundedBox>,
    max_distance: f32,
) -> Result<Option<Neighbor>, Option<LeftOpen>> {
    let sides = sides.as_ref().ok_or(None)?;
    view.nearest_item(sides, max_distance)
}

pub(super) fn nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    max_distance: f32,
    nearest: &mut Vec<Option<Neighbor>>,
) -> Result<(), Error> {
    nearest.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k: 1, max_distance };
    let ask = &mut |view: &IndexView<'_>, nearest: &mut Vec<_>| {
        nearest_of_layer(view, shapes, limits, nearest)
    };
    view.best_of_layers(nearest, ask)
}

/// Replaces `nearest` by the nearest shapes of a layer for each of `shapes`, where the shapes of
/// the layer are nearer.
fn nearest_of_layer(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    limits: Limits,
    nearest: &mut Vec<Option<Neighbor>>,
) -> Result<(), Error> {
    QueryShapes::of(view, shapes, |search, batch| {
        let limits = limits.of(search);
        try_resize(nearest, batch.len(), None)?;
        let task = together(limits, batch.threads);
        fill_tasks(nearest, task, batch.threads, &|first, nearest, workspace| {
            let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
            let queries = first..first + nearest.len();
            let order = order.of_batch(search, batch, queries, |query| {
                nearest[query - first].map_or(limits.max_distance, |near| near.distance)
            });
            sorted.find_rows(search, batch, order, limits);
            let SortedLists { keys, parts, workspace, found, .. } = sorted;
            for (&query, part) in order.iter().zip(&*parts) {
                let query = query as usize;
                let other = if *part == OPEN {
                    search.nearest_of_row(batch, query, limits, workspace, found);
                    found.pop()
                } else {
                    let [begin, end] = map_each(*part, |end| end as usize);
                    (begin < end).then(|| Neighbor::of_key(keys[begin]))
                };
                let nearest = &mut nearest[query - first];
                if view.layer == 0 || is_further(nearest, &other) {
                    *nearest = other;
                }
            }
        });
        Ok(())
    })?
}

pub(super) fn k_nearest(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    k: usize,
    max_distance: f32,
    neighbors: &mut Vec<Neighbor>,
) -> Result<(), Error> {
    neighbors.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    view.check(1)?;
    let sides = if k == 1 { easy_sides(view, shape)? } else { None };
    for view in view.layers() {
        let limits = Limits { k, max_distance }.after(neighbors, 0);
        let easy = match k {
            1 => nearest_item(&view, &sides, limits.max_distance),
            _ => Err(None),
        };
        match easy {
            Ok(found) => neighbors.extend(found),
            Err(open) => find_one_by_one(&view, shape, limits, open, neighbors)?,
        }
        if view.layer > 0 {
            keep_nearest(k, neighbors, 0);
        }
    }
    Ok(())
}

/// Appends the nearest shapes by a search for any of them.
///
/// Not inlined: its values would make the frame of the call for one shape larger, which then takes
/// 1.04 to 1.08 times as long.
#[inline(never)]
fn find_one_by_one(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    limits: Limits,
    left_open: Option<LeftOpen>,
    neighbors: &mut Vec<Neighbor>,
) -> Result<(), Error> {
    let search = view.search();
    let limits = limits.of(&search);
    // A small `k` takes little memory. With a large `k`, up to `16 k` keys may be kept, in a list
    // that doubles.
    if limits.k > 1 << 10 {
        ask_for_lists(1, limits.k.saturating_mul(4), search.len())?;
    }
    with_probe(0, shape, |probe| {
        let (browse, solids) = (Browse::after(left_open), SolidWorkspace::default());
        let workspace = &mut NearestWorkspace { solids, browse };
        search.nearest(probe, limits, None, &search.solids(), workspace, neighbors);
    })
}

pub(super) fn k_nearest_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    k: usize,
    max_distance: f32,
    lists: &mut Lists<Neighbor>,
) -> Result<(), Error> {
    lists.clear();
    check_most(0, Field::MaxDistance, max_distance)?;
    let limits = Limits { k, max_distance };
    let ask = &mut |view: &IndexView<'_>, first: Option<&_>, lists: &mut Lists<Neighbor>| {
        list_nearest(view, shapes, limits, first, lists)
    };
    view.lists_of_layers(lists, usize::MAX, ask, &|found, first| keep_nearest(k, found, first))
}

/// Replaces `lists` by the nearest shapes of a layer for each of `shapes`.
fn list_nearest(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    limits: Limits,
    first: Option<&Lists<Neighbor>>,
    lists: &mut Lists<Neighbor>,
) -> Result<(), Error> {
    QueryShapes::of(view, shapes, |search, batch| {
        let (k, limits) = (limits.k, limits.of(search));
        ask_for_lists(batch.len(), k, search.len())?;
        let task = together(limits, batch.threads);
        list_tasks(batch.len(), task, batch.threads, lists, &|queries, workspace, lists| {
            let (order, sorted): &mut (GridOrder, SortedLists) = workspace;
            let most = |query| {
                let found = first.map_or(&[][..], |lists| lists.get(query));
                limits.after(found, 0).max_distance
            };
            let (first, len) = (queries.start, queries.len());
            let order = order.of_batch(search, batch, queries, most);
            sorted.find_rows(search, batch, order, limits);
            let place = |query: u32| query as usize - first;
            sorted.list(order, len, place, lists, |query, found, workspace| {
                search.nearest_of_row(batch, query as usize, limits, workspace, found);
            })
        })
    })?
}

pub(super) fn nearest_iter<'a>(
    view: IndexView<'a>,
    shape: Posed<'_>,
    max_distance: f32,
) -> Result<NearestIter<'a>, Error> {
    check_most(0, Field::MaxDistance, max_distance)?;
    view.check(1)?;
    let mut asked = Shapes::new();
    asked.set_only(0, shape)?;
    let of_layer = |view| {
        let (found, frontier, workspace) = Default::default();
        LayerIter { view, found, frontier, workspace }
    };
    Ok(NearestIter { layers: view.layers().map(of_layer).collect(), asked, max_distance })
}

/// The shapes of an index by growing distance.
pub(super) struct NearestIter<'a> {
    layers: Vec<LayerIter<'a>>,
    /// The shape that they are near to, in row 0.
    asked: Shapes,
    max_distance: f32,
}

/// The shapes of a layer by growing distance.
struct LayerIter<'a> {
    view: IndexView<'a>,
    /// The next shape, if there are several layers and it is known: `Some(None)` if there is no
    /// next shape.
    found: Option<Option<Neighbor>>,
    frontier: Frontier,
    workspace: SolidWorkspace,
}

impl LayerIter<'_> {
    fn next(&mut self, asked: &Shapes, max_distance: f32) -> Option<Neighbor> {
        let Self { view, frontier, workspace, .. } = self;
        let search = view.search();
        if search.len() == 0 {
            return None;
        }
        let probe = Probe::of(View::of(&asked.read()), 0);
        let limits = Limits { k: usize::MAX, max_distance }.of(&search);
        let (bounds, itself) = (probe.bounds(), None);
        let nearest = NearestSearch { search: &search, bounds, limits, itself };
        search.with_distances(&probe, &search.solids(), workspace, |boxes, distance_of| {
            nearest.browse(boxes, distance_of, None, frontier)
        })
    }
}

impl Iterator for NearestIter<'_> {
    type Item = Neighbor;

    fn next(&mut self) -> Option<Neighbor> {
        let Self { layers, asked, max_distance } = self;
        if let [only] = &mut layers[..] {
            return only.next(asked, *max_distance);
        }
        let mut first: Option<(usize, Neighbor)> = None;
        for (number, layer) in layers.iter_mut().enumerate() {
            if layer.found.is_none() {
                layer.found = Some(layer.next(asked, *max_distance));
            }
            if let Some(Some(near)) = layer.found
                && first.is_none_or(|(_, first)| near.key() < first.key())
            {
                first = Some((number, near));
            }
        }
        let (number, near) = first?;
        layers[number].found = None;
        Some(near)
    }
}

impl FusedIterator for NearestIter<'_> {}
