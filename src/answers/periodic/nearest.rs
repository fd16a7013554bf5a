//! `NearestImages`: the nearest neighbours of each row in a periodic box.
//!
//! In plain words:
//!
//! ```text
//! list the k nearest wrapped shapes of each wrapped shape: the k-th is a bound
//! rows whose bound reaches no image of the shapes are done
//! while rows are left:
//!     list the images within a reach of these rows, and of these rows within reach of the shapes
//!     ask for the nearest images of these rows, and the nearest shapes of their images
//!     rows whose k-th neighbour is within the reach are done; double the reach
//! ```
//!
//! Of two opposite shifts only one shift has images, as in [`far`](super::far): so a pair has one
//! distance from both sides, and in lists of all neighbours. A row finds neighbours by this shift
//! as images, and by the opposite one because an image of the row finds them.

use super::{
    PeriodicNeighbor,
    copies::Copied,
    images::{Images, Surroundings, WrappedSet, accept_rows, plain},
    periodic::{shift_rank, shift_word},
};
use crate::{
    base::{held, word_sort::WordSorter},
    error::{Error, Field},
    geometry::ends,
    index::Index,
    lists::Lists,
    narrowphase::check_most,
    options::{CandidateLists, IndexOptions, Options},
    query::{Neighbor, Queries},
    store::Columns,
};

/// How many neighbours a row has at most, and how far away they may be.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    pub(crate) k: usize,
    pub(crate) max_distance: f32,
}

impl Nearest {
    pub(super) fn check(self) -> Result<(), Error> {
        check_most(0, Field::MaxDistance, self.max_distance)
    }
}

/// The workspace of searches for the nearest.
#[derive(Debug, Default)]
pub(super) struct NearestImages {
    /// The wrapped shapes.
    shapes: Index,
    /// The nearest wrapped shapes of each wrapped shape, itself included.
    within: Lists<Neighbor>,
    /// The positions of shapes whose neighbours may be images.
    seam: Vec<u32>,
    /// The neighbours of the shapes in `seam`, and where their lists are.
    found: Vec<PeriodicNeighbor>,
    spans: Vec<[usize; 2]>,
    /// The places in `seam` that are still to be searched.
    open: Vec<u32>,
    /// Workspace of the sort of a list.
    sorter: WordSorter<3, 3>,
    images: OpenImages,
}

held!(NearestImages { shapes, within, seam, found, spans, open, sorter, images });

/// The images near the rows that are still to be searched.
#[derive(Debug, Default)]
struct OpenImages {
    /// The rows themselves.
    asking: Images,
    /// The images near these rows, and the nearest of them for each row.
    near: Images,
    index: Index,
    nearest_images: Lists<Neighbor>,
    /// The images of the rows, and the nearest shapes of each image.
    moved: Images,
    nearest_shapes: Lists<Neighbor>,
}

held!(OpenImages { asking, near, index, nearest_images, moved, nearest_shapes });

impl NearestImages {
    /// Replaces `lists` by the nearest neighbours of each row of the caller.
    pub(super) fn find(
        &mut self,
        options: &Options,
        set: &WrappedSet<'_>,
        limits: Nearest,
        lists: &mut Lists<PeriodicNeighbor>,
    ) -> Result<(), Error> {
        let candidate_lists = CandidateLists::Never;
        let index_options = IndexOptions { candidate_lists, ..options.into() };
        for index in [&mut self.shapes, &mut self.images.index] {
            index.set_options(index_options)?;
        }
        self.seam.clear();
        self.found.clear();
        self.within.clear();
        let rows = &set.wrapped.rows;
        if limits.k > 0 && !rows.is_empty() {
            let Self { shapes, within, .. } = self;
            let row = |at: u32| rows[at as usize];
            let accept = accept_rows(set.columns.filtering, row, row);
            let wrapped = set.all(&accept)?;
            shapes.rebuild(wrapped)?;
            shapes.k_nearest_batch(
                wrapped,
                limits.k.saturating_add(1),
                limits.max_distance,
                within,
            )?;
            self.search_images(set, limits)?;
        }
        self.write(set, limits.k, lists);
        Ok(())
    }

    /// Searches the images for all rows that may have some among their nearest.
    fn search_images(&mut self, set: &WrappedSet<'_>, limits: Nearest) -> Result<(), Error> {
        let Self { shapes, within, seam, found, spans, open, sorter, images } = self;
        let rows = &set.wrapped.rows;
        let around =
            Surroundings::of(set.periodic, rows.len(), (0..rows.len()).map(|at| set.sides(at)));
        // The distance of the k-th neighbour so far.
        let bound = |at: u32| {
            let near = others(within.get(at as usize), at).nth(limits.k - 1);
            near.map_or(limits.max_distance, |near| near.distance)
        };
        let near_seam = |at: &u32| around.has_image(set.sides(*at as usize), bound(*at).into());
        seam.extend((0..rows.len() as u32).filter(near_seam));
        spans.clear();
        spans.resize(seam.len(), [0, 0]);
        open.clear();
        open.extend(0..seam.len() as u32);

        let [x, y] = set.periodic.period();
        let shortest = if x == 0.0 || (0.0 < y && y < x) { y } else { x };
        let mut furthest =
            open.iter().map(|place| bound(seam[*place as usize])).fold(0.0, f32::max);
        // If there are fewer images than neighbours are wanted, all images are listed at once.
        let all = limits.k as f64 > around.most_neighbors();
        let mut reach = if all { furthest } else { furthest.min(0.5 * shortest) };
        let everywhere = f64::from(limits.max_distance) >= around.diagonal();
        while !open.is_empty() {
            let rows = open.iter().map(|place| seam[*place as usize]);
            images.search(set, shapes, &around, rows, (limits.k, reach), &bound)?;
            furthest = 0.0;
            let (mut number, mut image) = (0, 0);
            open.retain(|&place| {
                let at = seam[place as usize];
                let begin = found.len();
                found.extend(
                    others(within.get(at as usize), at)
                        .map(|near| set.neighbor(near.row, near.distance, [0, 0])),
                );
                images.neighbors(set, (number, at), &mut image, found);
                number += 1;
                sort_neighbors(&mut found[begin..], true, sorter);
                found.truncate(begin.saturating_add(limits.k).min(found.len()));
                let full = found.len() - begin == limits.k;
                let last =
                    found.last().filter(|_| full).map_or(limits.max_distance, |near| near.distance);
                // A row that has no neighbour, and not even itself by a period, meets nothing.
                let meets_nothing = found.len() == begin && everywhere && reach >= 4.0 * shortest;
                let done = last <= reach || meets_nothing;
                if done {
                    spans[place as usize] = [begin, found.len()];
                } else {
                    found.truncate(begin);
                    furthest = last.max(furthest);
                }
                !done
            });
            reach = furthest.min(2.0 * reach.max(0.5 * shortest));
        }
        Ok(())
    }

    /// Writes the lists of all rows.
    fn write(&self, set: &WrappedSet<'_>, k: usize, lists: &mut Lists<PeriodicNeighbor>) {
        let Self { within, seam, found, spans, .. } = self;
        let mut next = 0;
        let mut positions = (0..).zip(&set.wrapped.rows).peekable();
        for row in 0..set.columns.len() as u32 {
            if let Some((at, _)) = positions.next_if(|(_, held)| **held == row) {
                let list = lists.open();
                if seam.get(next) == Some(&at) {
                    let [begin, end] = spans[next];
                    list.extend_from_slice(&found[begin..end]);
                    next += 1;
                } else {
                    let near = others(within.get(at as usize), at).take(k);
                    list.extend(near.map(|near| set.neighbor(near.row, near.distance, [0, 0])));
                }
            }
            lists.end_list();
        }
    }
}

/// The neighbours without the shape itself.
fn others(near: &[Neighbor], itself: u32) -> impl Iterator<Item = &Neighbor> {
    near.iter().filter(move |near| near.row != itself)
}

impl OpenImages {
    /// Searches the images of `shapes` for the nearest of some rows, up to a reach. `around` are
    /// the shapes, and `bound` is the distance beyond which each row needs no images.
    fn search(
        &mut self,
        set: &WrappedSet<'_>,
        shapes: &Index,
        around: &Surroundings<'_>,
        open: impl Iterator<Item = u32> + Clone,
        (k, reach): (usize, f32),
        bound: &impl Fn(u32) -> f32,
    ) -> Result<(), Error> {
        let Self { asking, near, index, nearest_images, moved, nearest_shapes } = self;
        let WrappedSet { columns, kind, periodic, wrapped, .. } = *set;
        let (rows, row) = (&wrapped.rows, |at: u32| wrapped.rows[at as usize]);
        for images in [&mut *asking, &mut *near, &mut *moved] {
            images.list.clear();
        }
        asking.list.extend(open.clone().map(|of| Copied { of, shift: [0, 0] }));
        let around_open =
            Surroundings::of(periodic, rows.len(), open.clone().map(|at| set.sides(at as usize)));
        for (at, &row) in rows.iter().enumerate() {
            around_open.list(&mut near.list, (at, row), set.sides(at), reach.into())?;
        }
        for at in open {
            let (at, row, reach) = (at as usize, row(at), reach.min(bound(at)));
            around.list(&mut moved.list, (at, row), set.sides(at), reach.into())?;
        }
        let wide = &mut Vec::new();
        nearest_images.clear();
        if !near.list.is_empty() {
            near.place(wrapped, periodic, columns)?;
            index.rebuild(near.columns(columns, kind, (0.0, wide), &|_, _| true)?)?;
            asking.place(wrapped, periodic, columns)?;
            let of = |images: &Images, at: u32| row(images.list[at as usize].of);
            let accept = accept_rows(columns.filtering, |at| of(asking, at), |at| of(near, at));
            let asking = asking.columns(columns, kind, (0.0, wide), &accept)?;
            index.k_nearest_batch(asking, k, reach, nearest_images)?;
        }
        nearest_shapes.clear();
        if !moved.list.is_empty() {
            moved.place(wrapped, periodic, columns)?;
            let list = &moved.list;
            let accept = accept_rows(columns.filtering, |at| row(list[at as usize].of), row);
            let moved = moved.columns(columns, kind, (0.0, wide), &accept)?;
            shapes.k_nearest_batch(moved, k, reach, nearest_shapes)?;
        }
        Ok(())
    }

    /// Appends the images that the last search found near a row, which asked with this number.
    /// `image` is the first image of the row, and then of the next row.
    fn neighbors(
        &self,
        set: &WrappedSet<'_>,
        (number, at): (usize, u32),
        image: &mut usize,
        found: &mut Vec<PeriodicNeighbor>,
    ) {
        let Self { near, nearest_images, moved, nearest_shapes, .. } = self;
        found.extend(nearest_images.get(number).iter().map(|item| {
            let Copied { of, shift } = near.list[item.row as usize];
            set.neighbor(of, item.distance, shift)
        }));
        while let Some(&Copied { of, shift: [x, y] }) = moved.list.get(*image)
            && of == at
        {
            let items = nearest_shapes.get(*image).iter();
            found.extend(items.map(|item| set.neighbor(item.row, item.distance, [-x, -y])));
            *image += 1;
        }
    }
}

impl<'a> WrappedSet<'a> {
    /// All wrapped shapes. `accept` is the predicate.
    fn all(&self, accept: &'a (dyn Fn(u32, u32) -> bool + Sync)) -> Result<Columns<'a>, Error> {
        let Self { columns, kind, wrapped, filters, .. } = *self;
        let shapes = match wrapped.store(columns.rotates()) {
            Some(shapes) => shapes.columns(),
            None => plain(&wrapped.columns, kind)?,
        };
        filters.give(columns, shapes, accept)
    }

    /// The ends of a wrapped shape.
    fn sides(&self, at: usize) -> [[f64; 2]; 2] {
        ends(self.wrapped.shape(self.columns.rotates(), at))
    }

    /// The neighbour at a position.
    fn neighbor(&self, at: u32, distance: f32, shift: [i16; 2]) -> PeriodicNeighbor {
        PeriodicNeighbor { row: self.wrapped.rows[at as usize], distance, shift }
    }
}

/// Sorts neighbours by row and shift, or by distance before that.
pub(super) fn sort_neighbors(
    list: &mut [PeriodicNeighbor],
    by_distance: bool,
    sorter: &mut WordSorter<3, 3>,
) {
    let words: &mut [[u32; 3]] = bytemuck::cast_slice_mut(list);
    for words in &mut *words {
        // Distances are at least 0, so their bits are in the same order.
        let [row, distance, shift] = *words;
        let shift = shift_rank(shift);
        *words = if by_distance { [distance, row, shift] } else { [row, shift, distance] };
    }
    sorter.sort(words, false);
    for words in words {
        let [a, b, c] = *words;
        let [row, distance, shift] = if by_distance { [b, a, c] } else { [a, c, b] };
        *words = [row, distance, shift_word(shift)];
    }
}
