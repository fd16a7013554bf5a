//! Sides of areas, pieces of lines and points: how two of them lie to each other.

use robust::{Coord, orient2d};
use widephase::doubles::DoubleBox;

/// A place.
pub(super) type At = [f64; 2];

/// A straight piece between two places. A point has both ends at one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) a: At,
    pub(super) b: At,
    /// The number of its polygon in the layer.
    pub(super) polygon: u32,
    /// Whether a ring, a line or a point begins with it.
    pub(super) first: bool,
}

/// How two edges lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// They have no point in common.
    Apart,
    /// They have a point in common that is an end of one edge.
    Touch,
    /// They cross, each between its ends.
    Cross,
}

/// A squared distance, as a fraction. The division would be rounded once more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Square {
    pub(super) over: f64,
    pub(super) under: f64,
}

/// On which side of the line through `a` and `b` a place is: above 0 to the left of it, 0 on it.
/// The sign is exact.
pub(super) fn side(a: At, b: At, place: At) -> f64 {
    let [a, b, place] = [a, b, place].map(|[x, y]| Coord { x, y });
    orient2d(a, b, place)
}

impl Edge {
    pub(super) fn ends(&self) -> [At; 2] {
        [self.a, self.b]
    }

    /// The box around it.
    pub(super) fn around(&self) -> DoubleBox {
        let Self { a, b, .. } = self;
        DoubleBox {
            min: [a[0].min(b[0]), a[1].min(b[1])],
            max: [a[0].max(b[0]), a[1].max(b[1])],
            radius: 0.0,
        }
    }

    /// Whether a place is on it: exactly.
    pub(super) fn holds(&self, place: At) -> bool {
        within(&self.around(), place) && side(self.a, self.b, place) == 0.0
    }

    /// How two edges lie to each other: exactly.
    pub(super) fn meeting(&self, other: &Self) -> Meeting {
        let (around, about) = (self.around(), other.around());
        if gap(&around, &about) != [0.0; 2] {
            return Meeting::Apart;
        }
        let own = other.ends().map(|end| side(self.a, self.b, end));
        let others = self.ends().map(|end| side(other.a, other.b, end));
        let opposite = |[a, b]: [f64; 2]| (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
        if opposite(own) && opposite(others) {
            return Meeting::Cross;
        }
        let on = |ends: [At; 2], sides: [f64; 2], around: &DoubleBox| {
            (0..2).any(|end| sides[end] == 0.0 && within(around, ends[end]))
        };
        if on(other.ends(), own, &around) || on(self.ends(), others, &about) {
            Meeting::Touch
        } else {
            Meeting::Apart
        }
    }

    /// The ends of two edges at which they touch.
    pub(super) fn touches(&self, other: &Self) -> impl Iterator<Item = At> {
        let own = self.ends().into_iter().filter(|end| other.holds(*end));
        own.chain(other.ends().into_iter().filter(|end| self.holds(*end)))
    }

    /// The squared distance of two edges that are apart.
    pub(super) fn square(&self, other: &Self) -> Square {
        let [a, b] = self.ends().map(|end| other.square_from(end));
        let [c, d] = other.ends().map(|end| self.square_from(end));
        [b, c, d].into_iter().fold(a, |least, one| if one.is_below(least) { one } else { least })
    }

    /// The squared distance from a place.
    fn square_from(&self, place: At) -> Square {
        let Self { a, b, .. } = *self;
        let along = minus(b, a);
        let [from_a, from_b] = [minus(place, a), minus(place, b)];
        if dot(along, from_a) <= 0.0 {
            return Square { over: dot(from_a, from_a), under: 1.0 };
        }
        if dot(along, from_b) >= 0.0 {
            return Square { over: dot(from_b, from_b), under: 1.0 };
        }
        // Along an axis, it is the difference that boxes have, to the last bit.
        for axis in [0, 1] {
            if along[axis] == 0.0 {
                return Square { over: from_a[axis] * from_a[axis], under: 1.0 };
            }
        }
        let across = side(a, b, place);
        Square { over: across * across, under: dot(along, along) }
    }
}

impl Square {
    fn is_below(self, other: Self) -> bool {
        self.over * other.under < other.over * self.under
    }

    /// The squared distance.
    pub(super) fn value(self) -> f64 {
        self.over / self.under
    }
}

fn minus(a: At, b: At) -> At {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: At, b: At) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Whether a box holds a place.
pub(super) fn within(around: &DoubleBox, [x, y]: At) -> bool {
    let DoubleBox { min, max, .. } = around;
    min[0] <= x && x <= max[0] && min[1] <= y && y <= max[1]
}

/// The gaps between two boxes along the axes: 0 where they overlap or touch.
pub(super) fn gap(a: &DoubleBox, b: &DoubleBox) -> At {
    [0, 1].map(|axis| (b.min[axis] - a.max[axis]).max(a.min[axis] - b.max[axis]).max(0.0))
}
