//! Merging of vertices that bend an outline by roundings only.
//!
//! A corner of the hull may be skipped if it is within the tolerance of the chord between the kept
//! corners before and after it. The proofs rely on one fact about chords of a convex outline:
//!
//! *Nested chords.* Let a, a', z, b', b lie on the outline in this order. Then z is at least as
//! near to the chord a' b' as to the chord a b: the line from z to the nearest point of a b stays
//! in the polygon, and crosses a' b'.

use crate::simd::map_each;
use glam::Vec2;

use super::walk::{area, compare, distance, near};

/// The limit of the number of corners that `settle` looks at, relative to the corners of the hull.
/// It only matters in the worst case.
const LOOKS_PER_CORNER: usize = 64;

/// Selects the corners of a convex hull that are kept, counter-clockwise: at least 3 if `corners`
/// has at least 3. The other corners are within `tolerance` of the outline of the kept corners.
///
/// `corners` begin with the leftmost corner, so the result depends on the hull alone, not on the
/// order of the points. O(n log n) time.
pub(super) fn merge(points: &[Vec2], mut corners: Vec<usize>, tolerance: f64) -> Vec<usize> {
    if corners.len() <= 3 {
        return corners;
    }
    // The corner furthest from another corner rarely lies in the middle of a side. If it does,
    // `settle` finds it.
    let leftmost = points[corners[0]];
    let start = furthest(&corners, &[], |corner| distance(points[corner], leftmost));
    corners.rotate_left(start);

    let ring = Ring { points, corners: &corners, tolerance };
    let mut kept = ring.skip();
    ring.span(&mut kept);
    ring.settle(&mut kept);
    kept.into_iter().map(|place| corners[place]).collect()
}

/// The place in `corners` of the corner with the highest `measure`, the first such corner if there
/// are several. The places `without` are left out.
fn furthest(corners: &[usize], without: &[usize], measure: impl Fn(usize) -> f64) -> usize {
    (0..corners.len())
        .rev()
        .filter(|place| !without.contains(place))
        .max_by(|&a, &b| compare(measure(corners[a]), measure(corners[b])))
        .unwrap_or(0)
}

/// The corners of a convex hull. Places wrap around.
struct Ring<'a> {
    points: &'a [Vec2],
    corners: &'a [usize],
    tolerance: f64,
}

impl Ring<'_> {
    /// The places of the kept corners. The first is the first corner. Each next corner is the
    /// furthest that can be reached.
    ///
    /// H. Imai and M. Iri, "Computational-geometric methods for polygonal approximations of a
    /// curve", Computer Vision, Graphics, and Image Processing 36 (1986), step by step.
    fn skip(&self) -> Vec<usize> {
        let mut kept = vec![0];
        let mut place = self.reach(0);
        while place < self.corners.len() {
            kept.push(place);
            place = self.reach(place);
        }
        kept
    }

    /// The last place after `from` such that all corners between may be skipped. It is at most the
    /// number of corners, which is the first corner again.
    ///
    /// Chords from `from` are nested, so if a place is out of reach, all places after it are. The
    /// step doubles until a place is out of reach, then the search bisects. Each try looks at the
    /// corners between.
    fn reach(&self, from: usize) -> usize {
        let (mut last, mut beyond) = (from + 1, self.corners.len() + 1);
        while last + 1 < beyond {
            let doubled = from + 2 * (last - from);
            let place = if doubled < beyond { doubled } else { last.midpoint(beyond) };
            if self.between(from, place).all(|skipped| self.near(skipped, from, place)) {
                last = place;
            } else {
                beyond = place;
            }
        }
        last
    }

    /// Adds the places that are missing to have 3 corners, for a hull no thicker than the
    /// tolerance.
    ///
    /// All corners are within the tolerance of the chord between the first two. The chord is a side
    /// of the triangle, and the corners next to the other sides are nearer to these.
    ///
    /// Places that are kept already are left out: where coordinates differ by many magnitudes, all
    /// areas may be computed as 0. Any three corners of a hull are a triangle.
    fn span(&self, kept: &mut Vec<usize>) {
        let point = |corner: usize| self.points[corner];
        let first = point(self.corners[0]);
        if kept.len() == 1 {
            kept.push(furthest(self.corners, kept, |corner| distance(point(corner), first)));
        }
        if let [_, second] = kept[..] {
            let corner = point(self.corners[second]);
            let third = furthest(self.corners, kept, |other| area(first, corner, point(other)));
            kept.insert(1 + usize::from(third > second), third);
        }
    }

    /// Replaces kept corners until each is further than the tolerance from the chord between its
    /// neighbours. Then merging the remaining corners again changes nothing.
    ///
    /// `skip` may leave a corner k that is near to the chord from the kept corner a before it to
    /// the kept corner b after it. If all corners between a and b are near to this chord, k is
    /// removed. Otherwise, k is replaced by z, the last corner before k that is not near to the
    /// chord, and y, the first such corner after k. If only z or only y exists, it alone replaces
    /// k. Then all skipped corners are near to the new chords:
    /// - The chord a z is nested in a k, the chord y b in k b.
    /// - The corners after z and before y are near to the chord a b. The new chord along them (z y,
    ///   z b or a y) is nested in a b.
    ///
    /// Termination: if k is removed, the number of corners falls. If one corner replaces it, that
    /// corner is further from the chord a b, so the area grows. Two corners replace one only where
    /// an outline turns by more than 90 degrees within the tolerance. There the area proves
    /// nothing, and a limit on the effort ensures that the loop ends. Then the remaining corners
    /// may be merged further when they are given again, but all skipped corners are still within
    /// the tolerance. No outline is known that reaches the limit.
    fn settle(&self, kept: &mut Vec<usize>) {
        let mut effort = LOOKS_PER_CORNER * self.corners.len();
        // The `settled` kept corners before `at` need no replacement.
        let (mut at, mut settled) = (0, 0);
        while kept.len() > 3 && settled < kept.len() {
            let len = kept.len();
            let [before, after] = [kept[(at + len - 1) % len], kept[(at + 1) % len]];
            if !self.near(kept[at], before, after) {
                (at, settled) = ((at + 1) % len, settled + 1);
                continue;
            }
            let Some(left) = effort.checked_sub(self.between(before, after).len()) else { return };
            effort = left;
            let far = |&place: &usize| !self.near(place, before, after);
            let new = [
                self.between(before, kept[at]).rev().find(far),
                self.between(kept[at], after).find(far),
            ];
            kept.splice(at..=at, new.into_iter().flatten());
            // Both neighbours must be checked again. If all other corners were settled, the corner
            // after is the first of them.
            settled = settled.min(len - 2).saturating_sub(1);
            at = (at + kept.len() - 1) % kept.len();
        }
    }

    /// The places after `from` and before `to`. If the two are equal, all other places.
    fn between(
        &self,
        from: usize,
        to: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        let len = self.corners.len();
        let count = (to + len - from - 1) % len;
        (0..count).map(move |skipped| (from + 1 + skipped) % len)
    }

    /// Whether the corner at `place` is within the tolerance of the chord between two other
    /// corners.
    fn near(&self, place: usize, from: usize, to: usize) -> bool {
        let [point, a, b] = map_each([place, from, to], |place| {
            self.points[self.corners[place % self.corners.len()]]
        });
        near(point, a, b, self.tolerance)
    }
}
