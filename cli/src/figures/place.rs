//! The surroundings of a place: the rule of an area is that a way out of it crosses its sides an
//! odd number of times.

use std::cmp::Ordering;

use super::{
    edge::{At, Edge, side, within},
    tree::Tree,
};

/// The parts of an area around a place.
pub(super) struct Around {
    place: At,
    /// The polygons that hold the points next to the place, above the way to the right of it.
    start: Odd,
    /// The other ends of the edges through the place, and their polygons.
    rays: Vec<(At, u32)>,
}

/// The polygons whose sides have been crossed an odd number of times.
#[derive(Default)]
struct Odd(Vec<u32>);

impl Odd {
    fn cross(&mut self, polygon: u32) {
        match self.0.iter().position(|other| *other == polygon) {
            Some(found) => {
                self.0.swap_remove(found);
            }
            None => self.0.push(polygon),
        }
    }

    fn any(&self) -> bool {
        !self.0.is_empty()
    }
}

impl Around {
    /// The parts of an area around a place: exactly.
    pub(super) fn new(area: &Tree<'_>, place: At) -> Self {
        let [x, y] = place;
        let mut around = Self { place, start: Odd::default(), rays: Vec::new() };
        let test = |sides: &widephase::doubles::DoubleBox| {
            sides.max[0] >= x && sides.min[1] <= y && y <= sides.max[1]
        };
        area.any(test, |edge| {
            around.add(edge);
            false
        });
        around
    }

    fn add(&mut self, edge: &Edge) {
        let Edge { a, b, polygon, .. } = *edge;
        let at = self.place;
        let across = side(a, b, at);
        if across == 0.0 && within(&edge.around(), at) {
            self.rays.extend([a, b].into_iter().filter(|end| *end != at).map(|end| (end, polygon)));
            return;
        }
        // The way goes to the right, a little above the place.
        let (is_up, is_down) = (a[1] <= at[1] && at[1] < b[1], b[1] <= at[1] && at[1] < a[1]);
        if (is_up && across > 0.0) || (is_down && across < 0.0) {
            self.start.cross(polygon);
        }
    }

    /// The polygons that hold the points next to the place, except one polygon.
    pub(super) fn others(mut self, polygon: u32) -> Vec<u32> {
        self.start.0.retain(|other| *other != polygon);
        self.start.0
    }

    /// Whether the place is on no side of the area.
    pub(super) fn is_clear(&self) -> bool {
        self.rays.is_empty()
    }

    /// Whether the place is in the area or on a side of it.
    pub(super) fn holds(&self) -> bool {
        !self.is_clear() || self.start.any()
    }

    /// Whether the place is inside: all points next to it are in the area. A place on a side
    /// between two polygons is.
    pub(super) fn surrounds(self) -> bool {
        !self.sectors(&[], |before, _, after| !before || !after)
    }

    /// Whether some of the ways that lead from here to other places begin inside.
    pub(super) fn enters(self, ways: &[At]) -> bool {
        self.sectors(ways, |before, is_way, after| is_way && before && after)
    }

    /// Whether some points next to the place are inside of both areas.
    pub(super) fn overlaps(mut self, other: Self) -> bool {
        let mut both = other.start;
        let mut own = std::mem::take(&mut self.start);
        let mut rays: Vec<(At, u32, bool)> =
            self.rays.iter().map(|(end, polygon)| (*end, *polygon, true)).collect();
        rays.extend(other.rays.iter().map(|(end, polygon)| (*end, *polygon, false)));
        rays.sort_unstable_by(|a, b| turn(self.place, a.0, b.0));
        let equal = |a: &(At, u32, bool), b: &(At, u32, bool)| {
            turn(self.place, a.0, b.0) == Ordering::Equal
        };
        if own.any() && both.any() {
            return true;
        }
        for group in rays.chunk_by(equal) {
            for (_, polygon, is_own) in group {
                if *is_own { own.cross(*polygon) } else { both.cross(*polygon) }
            }
            if own.any() && both.any() {
                return true;
            }
        }
        false
    }

    /// Goes once around the place. `test` gets for each direction of a ray or a way whether the
    /// area is there before it, whether it is a way, and whether the area is there after it.
    /// Returns whether it was true for a direction. Without any direction, it gets whether the area
    /// is there.
    fn sectors(self, ways: &[At], test: impl Fn(bool, bool, bool) -> bool) -> bool {
        let Self { place, mut start, rays } = self;
        let mut all: Vec<(At, Option<u32>)> =
            rays.into_iter().map(|(end, polygon)| (end, Some(polygon))).collect();
        all.extend(ways.iter().map(|way| (*way, None)));
        if all.is_empty() {
            return test(start.any(), false, start.any());
        }
        all.sort_unstable_by(|a, b| turn(place, a.0, b.0));
        let equal =
            |a: &(At, Option<u32>), b: &(At, Option<u32>)| turn(place, a.0, b.0) == Ordering::Equal;
        for group in all.chunk_by(equal) {
            let (before, is_way) = (start.any(), group.iter().any(|(_, ray)| ray.is_none()));
            for polygon in group.iter().filter_map(|(_, ray)| *ray) {
                start.cross(polygon);
            }
            if test(before, is_way, start.any()) {
                return true;
            }
        }
        false
    }
}

/// The order of two directions from a place, counter-clockwise from above the way to the right:
/// that way itself is the last direction. Exactly.
fn turn(place: At, a: At, b: At) -> Ordering {
    let half = |end: At| {
        let is_first = end[1] > place[1] || (end[1] == place[1] && end[0] < place[0]);
        let is_last = end[1] == place[1] && end[0] > place[0];
        if is_last { 2 } else { u8::from(!is_first) }
    };
    half(a).cmp(&half(b)).then_with(|| {
        let side = side(place, a, b);
        // To the left of `a` is after it.
        0.0_f64.partial_cmp(&side).unwrap_or(Ordering::Equal)
    })
}
