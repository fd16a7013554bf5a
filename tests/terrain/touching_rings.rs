//! Outlines whose rings touch themselves and each other. The truth is whole-number geometry: areas,
//! points on either side by even-odd, and the corners of the area by the sides around each point.

use std::collections::BTreeMap;

use widephase::{
    Error,
    error::{OutlineFault, Rejected},
    shape::Compound,
};

use crate::outlines::{Ring, common_area, corners, polygons, twice_area, wide};
use common::Rng;

pub(crate) type Whole = [i64; 2];

fn whole(at: &[f64; 2]) -> Whole {
    at.map(|value| {
        assert!(value.fract() == 0.0);
        value as i64
    })
}

pub(crate) fn cross(a: Whole, b: Whole, c: Whole) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

pub(crate) fn is_on(p: Whole, [a, b]: [Whole; 2]) -> bool {
    let between = |axis: usize| a[axis].min(b[axis]) <= p[axis] && p[axis] <= a[axis].max(b[axis]);
    cross(a, b, p) == 0 && between(0) && between(1)
}

pub(crate) fn sides(ring: &[Whole]) -> impl Iterator<Item = [Whole; 2]> {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| [*a, *b]).filter(|[a, b]| a != b)
}

/// Whether a point is within rings by even-odd; `None` if it is on a side.
fn is_inside(p: Whole, rings: &[Vec<Whole>]) -> Option<bool> {
    let mut inside = false;
    for [a, b] in rings.iter().flat_map(|ring| sides(ring)) {
        if is_on(p, [a, b]) {
            return None;
        }
        let [low, high] = if a[1] < b[1] { [a, b] } else { [b, a] };
        inside ^= low[1] <= p[1] && p[1] < high[1] && cross(low, high, p) > 0;
    }
    Some(inside)
}

/// The sides of a ring cut at all points that lie on them, each with the number of times that the
/// ring runs along it from the first point to the second, less its runs from the second to the
/// first.
pub(crate) fn net_sides(ring: &[Whole], points: &[Whole]) -> BTreeMap<[Whole; 2], i32> {
    let mut net = BTreeMap::new();
    for [a, b] in sides(ring) {
        let mut on: Vec<Whole> = points.iter().copied().filter(|p| is_on(*p, [a, b])).collect();
        on.sort_unstable_by_key(|p| (p[0] - a[0]).abs() + (p[1] - a[1]).abs());
        for pair in on.windows(2) {
            let (ends, way) =
                if pair[0] < pair[1] { ([pair[0], pair[1]], 1) } else { ([pair[1], pair[0]], -1) };
            *net.entry(ends).or_insert(0) += way;
        }
    }
    net.retain(|_, count| *count != 0);
    net
}

/// The number of corners at which the area within the rings is wider than half a turn, by the sides
/// around each point: sides with the area to the left, and to the right.
fn reflex(rings: &[Vec<Whole>]) -> usize {
    let mut points: Vec<Whole> = rings.concat();
    points.sort_unstable();
    points.dedup();
    // For each point the other ends of its sides, and whether the area is counter-clockwise of it.
    let mut around: BTreeMap<Whole, Vec<(Whole, bool)>> = BTreeMap::new();
    for (number, ring) in rings.iter().enumerate() {
        let twice: i64 = sides(ring).map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum();
        let leftwards = (twice > 0) == (number == 0);
        for ([a, b], count) in net_sides(ring, &points) {
            let area_left = (count > 0) == leftwards;
            around.entry(a).or_default().push((b, area_left));
            around.entry(b).or_default().push((a, !area_left));
        }
    }
    let mut count = 0;
    for (at, mut ends) in around {
        let lower = |p: Whole| p[1] < at[1] || p[1] == at[1] && p[0] < at[0];
        ends.sort_unstable_by(|(a, _), (b, _)| {
            lower(*a).cmp(&lower(*b)).then(cross(at, *b, *a).cmp(&0))
        });
        for (place, (from, area)) in ends.iter().enumerate() {
            let (to, _) = ends[(place + 1) % ends.len()];
            count += usize::from(*area && cross(at, *from, to) < 0);
        }
    }
    count
}

/// The number of pieces of parts that share more than a point.
fn pieces(parts: &[Vec<Whole>]) -> usize {
    let shares = |a: &[Whole], b: &[Whole]| {
        sides(a).any(|[p, q]| {
            sides(b).any(|[r, s]| {
                let on = [p, q].into_iter().filter(|end| is_on(*end, [r, s]));
                let mut common: Vec<Whole> =
                    on.chain([r, s].into_iter().filter(|end| is_on(*end, [p, q]))).collect();
                common.sort_unstable();
                common.dedup();
                common.len() > 1
            })
        })
    };
    let mut piece: Vec<usize> = (0..parts.len()).collect();
    for a in 0..parts.len() {
        for b in 0..a {
            if piece[a] != piece[b] && shares(&parts[a], &parts[b]) {
                let (old, new) = (piece[a], piece[b]);
                for own in piece.iter_mut().filter(|own| **own == old) {
                    *own = new;
                }
            }
        }
    }
    piece.sort_unstable();
    piece.dedup();
    piece.len()
}

pub(crate) fn lent(holes: &[Ring]) -> Vec<&[[f32; 2]]> {
    holes.iter().map(Vec::as_slice).collect()
}

/// Checks the parts of an outline of whole numbers of at most 2^10. Returns twice their area and
/// the number of parts.
pub(crate) fn check(outline: &Ring, holes: &[Ring], what: &str) -> (f64, usize) {
    let compound = Compound::from_outline(outline, &lent(holes))
        .unwrap_or_else(|error| panic!("{what}: {error}: {outline:?}, {holes:?}"));
    let parts: Vec<Vec<[f64; 2]>> = polygons(&compound).into_iter().map(corners).collect();
    let area = |ring: &Ring| twice_area(&wide(ring)).abs();
    let expected = area(outline) - holes.iter().map(area).sum::<f64>();
    let sum: f64 = parts.iter().map(|part| twice_area(part)).sum();
    assert_eq!(sum, expected, "{what}: {outline:?}, {holes:?}");
    for (a, first) in parts.iter().enumerate() {
        for second in &parts[..a] {
            let common = common_area(first, second);
            assert!(common.abs() < 1e-6, "{what}: {common}: {first:?} and {second:?}");
        }
    }
    let rings: Vec<Vec<Whole>> = std::iter::once(outline)
        .chain(holes)
        .map(|ring| wide(ring).iter().map(whole).collect())
        .collect();
    let parts: Vec<Vec<Whole>> =
        parts.iter().map(|part| part.iter().map(whole).collect()).collect();
    let bound = 2 * reflex(&rings) + pieces(&parts);
    assert!(parts.len() <= bound, "{what}: {} parts, at most {bound}: {rings:?}", parts.len());
    // Points of an eighth, and the same geometry eight times as large.
    let large = |rings: &[Vec<Whole>]| -> Vec<Vec<Whole>> {
        rings.iter().map(|ring| ring.iter().map(|at| at.map(|value| value * 8)).collect()).collect()
    };
    let (rings, parts) = (large(&rings), large(&parts));
    let all: Vec<Whole> = rings.concat();
    let span = |axis: usize| {
        let values = all.iter().map(|at| at[axis]);
        (values.clone().min().unwrap() - 3, values.max().unwrap() + 3)
    };
    let (xs, ys) = (span(0), span(1));
    let mut rng = Rng::new(all.len() as u64);
    for _ in 0..40 {
        let p = [rng.int(xs.0, xs.1), rng.int(ys.0, ys.1)];
        let Some(inside) = is_inside(p, &rings) else { continue };
        let in_part = |part: &Vec<Whole>| sides(part).all(|[a, b]| cross(a, b, p) >= 0);
        assert_eq!(parts.iter().any(in_part), inside, "{what}: {p:?} of {rings:?}");
    }
    (sum, parts.len())
}

/// A hand-made case: its name, the rings, and the area.
pub(crate) struct Case {
    name: &'static str,
    pub(crate) outline: Ring,
    pub(crate) holes: Vec<Ring>,
    area: f64,
}

fn case<const N: usize>(
    name: &'static str,
    outline: [[i16; 2]; N],
    holes: &[&[[i16; 2]]],
    area: f64,
) -> Case {
    let ring = |ring: &[[i16; 2]]| ring.iter().map(|at| at.map(f32::from)).collect();
    Case {
        name,
        outline: ring(&outline),
        holes: holes.iter().map(|hole| ring(hole)).collect(),
        area,
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let square = [[0, 0], [8, 0], [8, 8], [0, 8]];
    let low = [[2, 2], [4, 2], [4, 4], [2, 4]];
    let high = [[4, 4], [6, 4], [6, 6], [4, 6]];
    vec![
        case("pinched", [[0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1]], &[], 2.0),
        case("bow of two lobes", [[0, 0], [4, 0], [2, 2], [4, 4], [0, 4], [2, 2]], &[], 8.0),
        case(
            "three lobes at a point",
            [[0, 0], [4, -1], [4, 1], [0, 0], [-1, 4], [-3, 3], [0, 0], [-3, -3], [-1, -4]],
            &[],
            13.0,
        ),
        case(
            "a hole drawn by the outline itself",
            [[0, 0], [8, 0], [8, 8], [0, 8], [0, 0], [2, 4], [4, 2]],
            &[],
            58.0,
        ),
        case(
            "closed rings, last vertex = first",
            [[0, 0], [8, 0], [8, 8], [0, 8], [0, 0]],
            &[&[[2, 2], [4, 2], [4, 4], [2, 2]]],
            62.0,
        ),
        case("holes that share a corner", square, &[&low, &high], 56.0),
        case(
            "the same, drawn the other way",
            square,
            &[&low, &[[4, 6], [6, 6], [6, 4], [4, 4]]],
            56.0,
        ),
        case("a hole at a corner", square, &[&[[0, 0], [4, 2], [2, 4]]], 58.0),
        case("a hole on a side", square, &[&[[4, 0], [6, 3], [2, 3]]], 58.0),
        case("a hole from side to side", square, &[&[[4, 0], [5, 4], [4, 8], [3, 4]]], 56.0),
        case("a hole on four sides", square, &[&[[4, 0], [8, 4], [4, 8], [0, 4]]], 32.0),
        case(
            "a corner of a hole on a side of another",
            square,
            &[&[[2, 1], [6, 1], [6, 3], [2, 3]], &[[4, 3], [5, 6], [3, 6]]],
            53.0,
        ),
        case(
            "three holes in a ring of touches",
            square,
            &[
                &[[2, 2], [6, 2], [4, 3]],
                &[[6, 2], [7, 6], [5, 5]],
                &[[7, 6], [1, 7], [2, 2], [2, 5]],
            ],
            64.0 - 2.0 - 3.5 - 7.0,
        ),
        case(
            "a hole that touches itself",
            square,
            &[&[[2, 2], [4, 2], [4, 4], [6, 4], [6, 6], [4, 6], [4, 4], [2, 4]]],
            56.0,
        ),
        case(
            "an island on a corner of its lake",
            square,
            &[&[[2, 2], [6, 2], [6, 6], [2, 6], [2, 2], [3, 5], [5, 3]]],
            52.0,
        ),
        case(
            "a vertex on a side of its own ring",
            [[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]],
            &[],
            32.0,
        ),
        case(
            "a key hole",
            [[0, 0], [8, 0], [8, 8], [0, 8], [0, 0], [2, 2], [2, 4], [4, 4], [4, 2], [2, 2]],
            &[],
            60.0,
        ),
        case(
            "a key hole from within a side",
            [[0, 0], [3, 0], [3, 2], [2, 4], [4, 4], [3, 2], [3, 0], [8, 0], [8, 8], [0, 8]],
            &[],
            62.0,
        ),
        case(
            "a key hole with a longer side back",
            [
                [0, 0],
                [1, 1],
                [2, 2],
                [2, 4],
                [4, 4],
                [4, 2],
                [2, 2],
                [0, 0],
                [8, 0],
                [8, 8],
                [0, 8],
            ],
            &[],
            60.0,
        ),
        case(
            "key holes in a row",
            [
                [0, 0],
                [2, 2],
                [2, 4],
                [4, 4],
                [5, 5],
                [5, 7],
                [7, 7],
                [7, 5],
                [5, 5],
                [4, 4],
                [4, 2],
                [2, 2],
                [0, 0],
                [8, 0],
                [8, 8],
                [0, 8],
            ],
            &[],
            56.0,
        ),
        case(
            "a key hole on a corner of a hole",
            [[0, 0], [2, 2], [1, 5], [3, 5], [2, 2], [0, 0], [8, 0], [8, 8], [0, 8]],
            &[&[[2, 2], [6, 2], [6, 4]]],
            57.0,
        ),
        case(
            "vertices on a side, and repeated",
            [[0, 0], [4, 0], [4, 0], [8, 0], [8, 8], [4, 8], [0, 8]],
            &[&[[4, 0], [4, 0], [6, 3], [5, 3], [2, 3]]],
            58.0,
        ),
    ]
}

#[test]
fn rings_that_touch_in_points_are_areas() {
    for Case { name, outline, holes, area } in cases() {
        let (twice, _) = check(&outline, &holes, name);
        assert_eq!(twice / 2.0, area, "{name}");
        // From any vertex, in either direction, at any scale, and slanted.
        for first in 0..outline.len() {
            let mut turned = outline.clone();
            turned.rotate_left(first);
            check(&turned, &holes, name);
            turned.reverse();
            let slanted =
                |ring: &Ring| ring.iter().map(|[x, y]| [2.0 * x - y, x + 3.0 * y]).collect();
            let other: Vec<Ring> = holes.iter().map(slanted).collect();
            let (slanted, _) = check(&slanted(&turned), &other, name);
            assert_eq!(slanted, 7.0 * twice, "{name}");
        }
        let parts = |scale: f32, shift: f32| {
            let place = |ring: &Ring| -> Ring {
                ring.iter().map(|at| at.map(|value| value * scale + shift)).collect()
            };
            let holes: Vec<Ring> = holes.iter().map(place).collect();
            Compound::from_outline(&place(&outline), &lent(&holes)).unwrap().parts().len()
        };
        let own = parts(1.0, 0.0);
        for power in [-140, -60, 20, 56] {
            assert_eq!(parts(common::pow2(power), 0.0), own, "{name}, 2^{power}");
        }
        assert_eq!(parts(16.0, 1024.0), own, "{name}");
    }
}

/// Both zeros are one place, between sides that meet there and of one side after the other.
#[test]
fn zeros_are_one_place() {
    let lobes = [
        [0.0, -0.0],
        [4.0, -1.0],
        [4.0, 1.0],
        [-0.0, 0.0],
        [0.0, -0.0],
        [-1.0, 4.0],
        [-3.0, 3.0],
        [-0.0, -0.0],
    ];
    assert_eq!(check(&lobes.to_vec(), &[], "zeros"), (17.0, 2));
}

fn refusal(outline: &[[f32; 2]], holes: &[&[[f32; 2]]]) -> (usize, usize, OutlineFault) {
    match Compound::from_outline(outline, holes) {
        Err(Error::InvalidOutline { ring, vertex, fault }) => (ring, vertex, fault),
        other => panic!("{other:?}"),
    }
}

#[test]
fn faults_have_their_name_and_place() {
    let crosses = |ring, vertex| OutlineFault::Crosses { ring, vertex };
    let overlaps = |ring, vertex| OutlineFault::Overlaps { ring, vertex };
    let square = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    // A side ends on a side that runs back along its neighbour: only the latter is at fault.
    let spike = [[0.0, 0.0], [5.0, 0.0], [10.0, 10.0], [20.0, 20.0], [5.0, 5.0], [0.0, 10.0]];
    assert_eq!(refusal(&spike, &[]), (0, 2, overlaps(0, 3)));
    // A ring that crosses itself at a vertex, and in the middle of a side.
    let bow = [[0.0, 0.0], [2.0, 2.0], [4.0, 4.0], [4.0, 0.0], [2.0, 2.0], [0.0, 4.0]];
    assert_eq!(refusal(&bow, &[]), (0, 1, crosses(0, 4)));
    let through = [[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [4.0, 0.0], [4.0, -4.0], [0.0, 4.0]];
    assert!(matches!(refusal(&through, &[]).2, OutlineFault::Crosses { ring: 0, .. }));
    // A second round within the first.
    let twice =
        [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0], [0.0, 0.0], [4.0, 2.0], [2.0, 4.0]];
    assert_eq!(refusal(&twice, &[]), (0, 0, crosses(0, 4)));
    // A key hole that is drawn in the direction of the outline.
    let wrong = [
        [0.0, 0.0],
        [8.0, 0.0],
        [8.0, 8.0],
        [0.0, 8.0],
        [0.0, 0.0],
        [2.0, 2.0],
        [4.0, 2.0],
        [4.0, 4.0],
        [2.0, 4.0],
        [2.0, 2.0],
    ];
    assert_eq!(refusal(&wrong, &[]), (0, 4, overlaps(0, 9)));
    // Holes along a side of the outline, and of each other.
    let beside = [[8.0, 2.0], [8.0, 4.0], [6.0, 4.0], [6.0, 2.0]];
    assert_eq!(refusal(&square, &[&beside]), (0, 1, overlaps(1, 0)));
    let other = [[6.0, 3.0], [6.0, 5.0], [4.0, 5.0], [4.0, 3.0]];
    let inner = [[7.0, 2.0], [7.0, 4.0], [6.0, 4.0], [6.0, 2.0]];
    assert_eq!(refusal(&square, &[&inner, &other]), (1, 2, overlaps(2, 0)));
    // Two holes with one side between them, as of tiles that are traced one by one.
    let next = [[4.0, 2.0], [6.0, 2.0], [6.0, 4.0], [4.0, 4.0]];
    assert_eq!(refusal(&square, &[&inner, &next]), (1, 2, overlaps(2, 1)));
    // Holes that leave through a vertex, lie within another, or cross it at vertices.
    let out = [[8.0, 0.0], [9.0, 4.0], [8.0, 8.0], [4.0, 4.0]];
    assert_eq!(refusal(&square, &[&out]), (1, 0, OutlineFault::NotWithin));
    let around = [[1.0, 1.0], [7.0, 1.0], [7.0, 7.0], [1.0, 7.0]];
    let within = [[1.0, 1.0], [4.0, 2.0], [2.0, 4.0]];
    for (holes, ring) in [([&around[..], &within], 2), ([&within[..], &around], 1)] {
        assert_eq!(refusal(&square, &holes), (ring, 0, OutlineFault::NotWithin));
    }
    // A void that the outline encloses itself is outside.
    let c = [
        [0.0, 0.0],
        [8.0, 0.0],
        [8.0, 8.0],
        [0.0, 8.0],
        [0.0, 0.0],
        [1.0, 7.0],
        [7.0, 7.0],
        [7.0, 1.0],
    ];
    let in_c = [[3.0, 4.0], [4.0, 4.0], [4.0, 5.0]];
    assert_eq!(refusal(&c, &[&in_c]), (1, 0, OutlineFault::NotWithin));
    // Rings without area.
    let line = [[0.0, 0.0], [3.0, 3.0], [1.0, 1.0], [2.0, 2.0]];
    assert_eq!(refusal(&line, &[]), (0, 0, OutlineFault::NoArea));
    let tree = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [2.0, 0.0], [4.0, 1.0], [2.0, 0.0]];
    assert_eq!(refusal(&tree, &[]), (0, 0, OutlineFault::NoArea));
    let two = [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]];
    assert_eq!(refusal(&two, &[]), (0, 0, OutlineFault::TooFewVertices { distinct: 2 }));
}

#[test]
fn holes_without_area_are_dropped_and_listed() {
    let square = [[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
    let holes: [&[[f32; 2]]; 8] = [
        &[],
        &[[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]],
        &[[3.0, 3.0]],
        &[[3.0, 3.0], [3.0, 3.0], [4.0, 3.0], [3.0, 3.0]],
        &[[1.0, 1.0], [5.0, 5.0], [3.0, 3.0], [4.0, 4.0]],
        // There and back along two lines.
        &[[4.0, 6.0], [5.0, 6.0], [5.0, 7.0], [5.0, 6.0]],
        // Along a side of the outline, across it, and outside.
        &[[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
        &[[7.0, 7.0], [9.0, 9.0], [20.0, 20.0]],
    ];
    let (compound, dropped) = Compound::from_outline_and_dropped(&square, &holes).unwrap();
    assert_eq!(compound, Compound::from_outline(&square, &holes[1..2]).unwrap());
    assert_eq!(compound, Compound::from_outline(&square, &holes).unwrap());
    let few = |distinct| OutlineFault::TooFewVertices { distinct };
    let expected = [
        (0, few(0)),
        (2, few(1)),
        (3, few(2)),
        (4, OutlineFault::NoArea),
        (5, OutlineFault::NoArea),
        (6, OutlineFault::NoArea),
        (7, OutlineFault::NoArea),
    ]
    .map(|(index, fault)| Rejected {
        index,
        error: Error::InvalidOutline { ring: index + 1, vertex: 0, fault },
    });
    assert_eq!(dropped, expected);
    // The ring of a fault is the number in the caller's list.
    let crossing = [[-1.0, 4.0], [4.0, 5.0], [4.0, 4.0]];
    assert_eq!(
        refusal(&square, &[&[], holes[2], &crossing]).2,
        OutlineFault::Crosses { ring: 3, vertex: 0 }
    );
}

/// Polygons as in files of maps: closed rings of decimal degrees, lakes that touch the border or
/// each other in a point, a border that touches itself, and a lake without area.
const MAP: &str = r#"{"type": "MultiPolygon", "coordinates": [
    [[[6.02, 50.75], [6.9, 49.6], [8.2, 48.97], [7.6, 47.6], [9.6, 47.53], [13.0, 47.5],
      [13.83, 48.77], [12.1, 50.3], [15.02, 51.1], [14.3, 53.9], [11.0, 54.0], [8.6, 55.0],
      [8.9, 53.9], [7.1, 53.7], [6.02, 50.75]],
     [[9.6, 47.53], [9.3, 47.9], [9.0, 47.8], [9.6, 47.53]],
     [[9.3, 47.9], [9.1, 48.4], [8.9, 48.1], [9.3, 47.9]],
     [[11.5, 52.5], [11.6, 52.5], [11.5, 52.5]]],
    [[[27.0, -29.6], [28.0, -28.9], [29.4, -29.4], [28.0, -28.9], [28.2, -30.2], [27.0, -29.6]]],
    [[[27.0, -29.6], [28.0, -28.9], [28.6, -28.6], [29.4, -29.4], [28.0, -28.9], [28.2, -30.2],
      [27.0, -29.6]]]
]}"#;

#[test]
fn polygons_of_a_map_in_degrees() {
    let map: serde_json::Value = serde_json::from_str(MAP).unwrap();
    let polygons: Vec<Vec<Ring>> = serde_json::from_value(map["coordinates"].clone()).unwrap();
    let area = |rings: &[Ring]| {
        let areas = rings.iter().map(|ring| twice_area(&wide(ring)).abs() / 2.0);
        areas.enumerate().map(|(number, area)| if number == 0 { area } else { -area }).sum::<f64>()
    };
    let [state, back, hooked] = &polygons[..] else { panic!("{polygons:?}") };
    for rings in [state, hooked] {
        let (compound, dropped) =
            Compound::from_outline_and_dropped(&rings[0], &lent(&rings[1..])).unwrap();
        let parts = crate::outlines::polygons(&compound);
        let sum: f64 = parts.iter().map(|part| twice_area(&corners(part)) / 2.0).sum();
        assert!((sum - area(rings)).abs() < 1e-4, "{sum} {}", area(rings));
        assert_eq!(dropped.len(), usize::from(rings.len() == 4));
        assert!(dropped.iter().all(|hole| hole.index == 2));
    }
    assert_eq!(refusal(&back[0], &[]), (0, 1, OutlineFault::Overlaps { ring: 0, vertex: 2 }));
}
