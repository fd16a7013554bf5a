//! Areas in whole numbers: where a point is, how large an area is, and whether a triangle meets it.

use crate::outlines::Ring;

/// One unit is 2^-40. All coordinates of these tests are whole multiples of it, below 2^20.
const UNIT: f64 = (1_u64 << 40) as f64;

/// A whole point.
pub(crate) type Whole = [i128; 2];

/// The coordinate that is nearest to a number. Changes only numbers below 2^-16.
pub(crate) fn snap(value: f64) -> f32 {
    ((f64::from(value as f32) * UNIT).round() / UNIT) as f32
}

pub(crate) fn whole(at: [f32; 2]) -> Whole {
    at.map(|value| {
        let units = f64::from(value) * UNIT;
        assert!(units.fract() == 0.0 && units.abs() < 1.2e18, "{value}");
        units as i128
    })
}

/// Twice the area of a triangle, above 0 if it is counter-clockwise.
pub(crate) fn turn(a: Whole, b: Whole, c: Whole) -> i128 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Inside,
    Border,
    Outside,
}

impl Place {
    /// Whether a point there touches the area, under the inclusive and the exclusive policy.
    pub(crate) fn touches(self) -> [bool; 2] {
        [self != Place::Outside, self == Place::Inside]
    }
}

/// Whether a point is on a side, its ends included.
fn is_on(p: Whole, [a, b]: [Whole; 2]) -> bool {
    let between = |axis: usize| a[axis].min(b[axis]) <= p[axis] && p[axis] <= a[axis].max(b[axis]);
    turn(a, b, p) == 0 && between(0) && between(1)
}

/// Where a point is in rings, by the rule of even and odd.
fn place_in<'a>(p: Whole, sides: impl Iterator<Item = &'a [Whole; 2]>) -> Place {
    let mut inside = false;
    for &[a, b] in sides {
        if is_on(p, [a, b]) {
            return Place::Border;
        }
        if (a[1] > p[1]) != (b[1] > p[1]) {
            inside ^= (b[1] > a[1]) == (turn(a, b, p) > 0);
        }
    }
    if inside { Place::Inside } else { Place::Outside }
}

/// An area: the sides of its rings.
pub(crate) struct Truth {
    sides: Vec<[Whole; 2]>,
    /// Its area, rounded once.
    pub(crate) area: f64,
}

impl Truth {
    /// The area of outlines, each with its holes behind it.
    pub(crate) fn new(outlines: &[Vec<Ring>]) -> Self {
        let (mut sides, mut twice) = (Vec::new(), 0);
        for outline in outlines {
            for (number, ring) in outline.iter().enumerate() {
                let corners: Vec<Whole> = ring.iter().map(|at| whole(*at)).collect();
                let next = corners.iter().cycle().skip(1);
                let own: Vec<[Whole; 2]> =
                    corners.iter().zip(next).map(|(a, b)| [*a, *b]).collect();
                let of_ring = own.iter().map(|[a, b]| turn(corners[0], *a, *b)).sum::<i128>().abs();
                twice += if number == 0 { of_ring } else { -of_ring };
                sides.extend(own);
            }
        }
        Self { sides, area: twice as f64 / 2.0 / UNIT / UNIT }
    }

    pub(crate) fn place(&self, at: [f32; 2]) -> Place {
        place_in(whole(at), self.sides.iter())
    }

    /// The distance of a point from the border, in `f64`.
    pub(crate) fn clearance(&self, at: [f32; 2]) -> f64 {
        let p = whole(at);
        let distances = self.sides.iter().map(|[a, b]| {
            let way = [0, 1].map(|axis| (b[axis] - a[axis]) as f64);
            let to = [0, 1].map(|axis| (p[axis] - a[axis]) as f64);
            let length2 = way[0] * way[0] + way[1] * way[1];
            let share = ((way[0] * to[0] + way[1] * to[1]) / length2).clamp(0.0, 1.0);
            (to[0] - way[0] * share).hypot(to[1] - way[1] * share)
        });
        distances.fold(f64::INFINITY, f64::min) / UNIT
    }

    /// Whether a convex polygon meets the area, under the inclusive policy, and the exclusive one
    /// where corners and crossings tell it.
    pub(crate) fn meets(&self, corners: &[[f32; 2]]) -> (bool, Option<bool>) {
        let corners: Vec<Whole> = corners.iter().map(|at| whole(*at)).collect();
        let next = corners.iter().cycle().skip(1);
        let own: Vec<[Whole; 2]> = corners.iter().zip(next).map(|(a, b)| [*a, *b]).collect();
        let (mut closed, mut open) = (false, false);
        let ends = self.sides.iter().map(|[a, _]| place_in(*a, own.iter()));
        for place in corners.iter().map(|at| place_in(*at, self.sides.iter())).chain(ends) {
            closed |= place != Place::Outside;
            open |= place == Place::Inside;
        }
        for &[a, b] in &self.sides {
            for &[c, d] in &own {
                let signs = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
                let [c, d, a, b] = signs.map(i128::signum);
                let crosses = c * d < 0 && a * b < 0;
                (closed, open) = (closed | crosses, open | crosses);
            }
        }
        (closed, if open || !closed { Some(open) } else { None })
    }
}

#[test]
fn the_truth_of_a_square_with_a_hole() {
    let square = |half: f32| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
    let truth = Truth::new(&[vec![square(2.0), square(1.0)]]);
    assert_eq!(truth.area, 12.0);
    assert_eq!(truth.place([1.5, 0.0]), Place::Inside);
    assert_eq!(truth.place([1.0, 0.5]), Place::Border);
    assert_eq!(truth.place([1.0_f32.next_down(), 0.5]), Place::Outside);
    assert_eq!(truth.place([0.0, 0.0]), Place::Outside);
    assert_eq!(truth.clearance([1.25, 0.0]), 0.25);
    assert_eq!(truth.meets(&[[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]), (false, Some(false)));
    assert_eq!(truth.meets(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]]), (true, None));
    assert_eq!(truth.meets(&[[0.0, 0.0], [9.0, 0.0], [0.0, 0.5]]), (true, Some(true)));
}
