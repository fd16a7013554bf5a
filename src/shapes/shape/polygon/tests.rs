use super::*;
use crate::{error::Fault, grid::invariants::rng};
use proptest::prelude::*;

const SQUARE: [[f32; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

fn corners_of(vertices: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let polygon = ConvexPolygon::new(vertices).unwrap();
    polygon.vertices().iter().map(|v| v.to_array()).collect()
}

fn fault(vertices: &[[f32; 2]]) -> PolygonFault {
    match ConvexPolygon::new(vertices) {
        Err(Error::InvalidPolygon { index: 0, fault }) => fault,
        other => panic!("{other:?}"),
    }
}

/// The points of a regular polygon with `n` corners, visited in steps of `step`, so `step` rounds.
fn regular(n: usize, step: usize, radius: f64) -> Vec<[f32; 2]> {
    let angle = |i: usize| (i * step % n) as f64 * std::f64::consts::TAU / n as f64;
    (0..n).map(|i| [angle(i).cos(), angle(i).sin()].map(|v| (radius * v) as f32)).collect()
}

#[test]
fn any_winding_any_start() {
    for start in 0..4 {
        let mut given = SQUARE;
        given.rotate_left(start);
        assert_eq!(corners_of(&given), given);
        let mut clockwise = given;
        clockwise[1..].reverse();
        assert_eq!(corners_of(&clockwise), given);
    }
}

#[test]
fn repeated_and_straight_vertices_go() {
    let [a, b, c, d] = SQUARE;
    assert_eq!(corners_of(&[a, a, b, b, b, c, d, a, a]), SQUARE);
    let chain = [a, [0.5, 0.0], [1.0, 0.0], [1.5, 0.0], b, [2.0, 1.0], c, d, [0.0, 0.25]];
    for start in 0..chain.len() {
        let mut given = chain;
        given.rotate_left(start);
        let first = *given.iter().find(|v| SQUARE.contains(v)).unwrap();
        let corners = corners_of(&given);
        assert_eq!((corners.len(), corners[0]), (4, first));
        given.reverse();
        let first = *given.iter().find(|v| SQUARE.contains(v)).unwrap();
        assert_eq!(corners_of(&given)[0], first);
    }
    // -0 and 0 are the same coordinate.
    assert_eq!(corners_of(&[[0.0, 0.0], [-0.0, 0.0], b, c, d]), SQUARE);
}

#[test]
fn polygons_without_area_are_refused() {
    let [a, b, c, _] = SQUARE;
    for (given, distinct) in [(&[][..], 0), (&[a], 1), (&[a, a, a, a], 1), (&[a, b, a, b], 2)] {
        assert_eq!(fault(given), PolygonFault::TooFewVertices { distinct });
    }
    assert_eq!(fault(&[a, [1.0, 1.0], c]), PolygonFault::NoArea);
    assert_eq!(fault(&[a, c, [1.0, 1.0], [0.5, 0.5]]), PolygonFault::NoArea);
    let far = 1.0e18;
    assert_eq!(fault(&[[-far, -far], [1.0, 1.0], [far, far]]), PolygonFault::NoArea);
    // Thin, but not without area: the two products round to the same `f64`. The third vertex is
    // left of the line from the first to the second in one polygon, right of it in the other.
    let unit = 2.0_f32.powi(-26);
    let left =
        [[38.0 * unit, 24.0 * unit], [8_159_009.0, 5_131_084.0], [16_318_018.0, 10_262_168.0]];
    assert_eq!(corners_of(&left), left);
    let right =
        [[15.0 * unit, 6.0 * unit], [7_281_736.0, 2_931_905.0], [14_563_472.0, 5_863_810.0]];
    assert_eq!(corners_of(&right), [right[0], right[2], right[1]]);
}

#[test]
fn polygons_that_are_not_convex_are_refused() {
    let refused = |vertices: &[[f32; 2]]| match fault(vertices) {
        PolygonFault::NotConvex { vertex } => vertex,
        other => panic!("{other:?}"),
    };
    let [a, b, c, d] = SQUARE;
    assert_eq!(refused(&[a, b, [1.0, 0.5], c, d]), 2, "a dent");
    assert_eq!(refused(&[a, b, c, [1.0, 0.5], d]), 3, "a dent");
    refused(&[a, c, b, d]);
    assert_eq!(refused(&[a, b, [3.0, 0.0], b, c, d]), 2, "a spike out of a corner");
    refused(&[[-1.0, 0.0], a, b, c, d, a]);
    refused(&[a, b, [1.0, 0.0], b, c, d]);
    refused(&[a, b, c, d, a, b, c, d]);
    for (n, step) in [(5, 2), (5, 3), (7, 2), (7, 3), (8, 3), (64, 5), (64, 31)] {
        refused(&regular(n, step, 10.0));
    }
    for n in [3, 5, 64, 1000] {
        assert_eq!(corners_of(&regular(n, 1, 10.0)).len(), n);
        assert_eq!(corners_of(&regular(n, n - 1, 10.0)).len(), n);
    }
}

#[test]
fn invalid_values_are_refused_by_vertex_and_field() {
    let bad = |value, fault_of_value| {
        let mut given = SQUARE;
        given[2][1] = value;
        let (vertex, field) = (2, Field::Y);
        match fault(&given) {
            PolygonFault::Vertex { vertex: v, field: f, value: got, fault } => {
                assert_eq!((v, f, fault), (vertex, field, fault_of_value));
                assert_eq!(got.to_bits(), value.to_bits());
            }
            other => panic!("{other:?}"),
        }
        assert!(ConvexPolygon::hull(&given).is_err());
    };
    bad(f32::NAN, Fault::NotANumber);
    bad(f32::INFINITY, Fault::Infinite);
    bad(crate::shape::MAX_COORDINATE.next_up(), Fault::TooLarge);
    let most = crate::shape::MAX_COORDINATE;
    let corners = [[-most, -most], [most, -most], [most, most], [-most, most]];
    assert_eq!(corners_of(&corners), corners);

    let square = ConvexPolygon::new(&SQUARE).unwrap();
    for (value, fault) in [(-1.0, Fault::Negative), (f32::INFINITY, Fault::Infinite)] {
        let error = square.clone().with_radius(value).unwrap_err();
        assert_eq!(error, refuse(PolygonFault::Radius { value, fault }));
    }
}

#[test]
fn number_of_vertices() {
    let corner = |number: usize| Vec2::new(number as f32, (number * number) as f32);
    let most: Vec<Vec2> = (0..MAX_VERTICES).map(corner).collect();
    assert_eq!(ConvexPolygon::of(most.clone()).unwrap().vertices(), most);
    let len = MAX_VERTICES + 1;
    let more = (0..len).map(corner).collect();
    assert_eq!(ConvexPolygon::of(more), Err(PolygonFault::TooManyVertices { len }));
    // Repeated vertices do not count.
    let repeated: Vec<_> = SQUARE.iter().flat_map(|&v| vec![v; MAX_VERTICES]).collect();
    assert_eq!(corners_of(&repeated), SQUARE);
}

/// Checks that `hull` is exact for whole numbers.
fn is_hull(points: &[[f32; 2]]) -> Result<(), TestCaseError> {
    let Ok(hull) = ConvexPolygon::hull(points) else {
        // All points are on one line.
        prop_assert!(read(points).is_err());
        return Ok(());
    };
    let corners = hull.vertices();
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        prop_assert!(points.contains(&a.to_array()));
        for &p in points {
            prop_assert!(turn(a, b, p.into()).is_ge(), "{p:?} is outside of {a} to {b}");
        }
    }
    // `new` accepts both windings without a change, and keeps the first vertex.
    prop_assert_eq!(&ConvexPolygon::new(corners).unwrap(), &hull);
    let reversed: Vec<Vec2> = corners.iter().rev().copied().collect();
    let turned = ConvexPolygon::new(&reversed).unwrap();
    prop_assert_eq!(turned.vertices()[0], reversed[0]);
    prop_assert_eq!(turned.vertices().len(), corners.len());
    Ok(())
}

proptest! {
    #[test]
    fn hulls_of_floats(points in prop::collection::vec(prop::array::uniform2(-1e3_f32..1e3), 3..60)) {
        if let Ok(hull) = ConvexPolygon::hull(&points) {
            is_sound(&points, &hull)?;
        }
    }

    /// Many points are on one line, and many points are equal.
    #[test]
    fn hulls_of_small_integers(points in prop::collection::vec(prop::array::uniform2(-3_i8..=3), 0..40)) {
        let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(f32::from)).collect();
        is_hull(&points)?;
    }

    /// `new` accepts exactly the lists that walk once round their own hull.
    #[test]
    fn convex_if_once_round_the_hull(points in prop::collection::vec(prop::array::uniform2(0_i8..=3), 3..7)) {
        let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(f32::from)).collect();
        let accepted = ConvexPolygon::new(&points);
        let Ok(hull) = ConvexPolygon::hull(&points) else {
            prop_assert!(accepted.is_err());
            return Ok(());
        };
        // The position of a point on the outline of the hull: the corner, and the share of the side
        // after it.
        let corners = hull.vertices();
        let n = corners.len();
        let place = |p: [f32; 2]| (0..n).find_map(|i| {
            let (a, b, p) = (corners[i], corners[(i + 1) % n], Vec2::from(p));
            let along = (p - a).dot(b - a) / (b - a).length_squared();
            (turn(a, b, p).is_eq() && (0.0..1.0).contains(&along)).then_some(i as f32 + along)
        });
        let places: Option<Vec<f32>> = points.iter().map(|&p| place(p)).collect();
        let once = |places: &[f32]| {
            let next = |i: usize| places[(i + 1) % places.len()];
            (0..places.len()).filter(|&i| next(i) < places[i]).count() == 1
        };
        let walks = places.is_some_and(|mut places| {
            once(&places) || { places.reverse(); once(&places) }
        });
        prop_assert_eq!(accepted.is_ok(), walks, "{:?}: {:?}", points, accepted);
        if let Ok(polygon) = accepted {
            prop_assert_eq!(polygon.vertices().len(), n);
        }
    }
}

/// Points whose coordinates differ by many magnitudes: vertices are distinct, at least three, and
/// turn left, by whole numbers.
#[test]
fn polygons_of_mixed_magnitudes_turn_left_everywhere() {
    let turns_left = |[a, b, c]: [Vec2; 3]| {
        let whole = |value: f32| value as i128;
        let way = |from: Vec2, to: Vec2| [whole(to.x) - whole(from.x), whole(to.y) - whole(from.y)];
        let ([ux, uy], [vx, vy]) = (way(a, b), way(a, c));
        ux * vy - uy * vx > 0
    };
    let check = |polygon: &ConvexPolygon| {
        let corners = polygon.vertices();
        assert!(corners.len() >= 3, "{corners:?}");
        for (number, corner) in corners.iter().enumerate() {
            assert!(!corners[..number].contains(corner), "{corners:?} holds {corner} twice");
            let [next, after] = [1, 2].map(|step| corners[(number + step) % corners.len()]);
            assert!(turns_left([*corner, next, after]), "{corners:?} at {next}");
        }
    };
    // The side from the first point to the third is 5 long, and the second point is 10^16 away.
    let thin = [[-0.75, -1.0], [1.705_137e16, -2.538_426_6e16], [-3.0, 4.0]];
    assert_eq!(ConvexPolygon::hull(&thin).unwrap().vertices().len(), 3);
    // The same points, and a point near that side.
    for near in [[-2.0, 1.0], [-1.0, 0.0], [-3.0, 3.0]] {
        let corners = ConvexPolygon::hull(&[thin[0], thin[1], thin[2], near]).unwrap();
        let corners = corners.vertices();
        assert_eq!(corners.len(), 3);
        assert!(corners.iter().enumerate().all(|(n, corner)| !corners[..n].contains(corner)));
    }

    let mut rng = rng::Rng::new(8);
    let (mut kept, mut merged, mut convex, mut refused) = (0, 0, 0, 0);
    for _ in 0..200_000 {
        let count = rng.int(3, 9);
        let large = rng.int(1, 60);
        let number = |rng: &mut rng::Rng| {
            let size = if rng.below(2) == 0 { rng.int(0, 4) } else { rng.int(0, large) };
            (rng.range(-1.0, 1.0) * 2.0_f32.powi(size as i32)).trunc()
        };
        let points: Vec<[f32; 2]> =
            (0..count).map(|_| [number(&mut rng), number(&mut rng)]).collect();
        match ConvexPolygon::hull(&points) {
            Ok(polygon) => {
                check(&polygon);
                *(if polygon.vertices().len() == 3 { &mut merged } else { &mut kept }) += 1;
                // Its own vertices are a polygon, with any start and winding.
                let mut own = polygon.vertices().to_vec();
                let start = rng.below(own.len() as u64) as usize;
                own.rotate_left(start);
                own.reverse();
                check(&ConvexPolygon::new(&own).unwrap());
            }
            Err(error) => {
                let Error::InvalidPolygon { fault, .. } = error else { panic!("{error:?}") };
                let flat =
                    matches!(fault, PolygonFault::NoArea | PolygonFault::TooFewVertices { .. });
                assert!(flat, "{points:?}: {fault:?}");
                let points: Vec<Vec2> = points.iter().map(|&point| point.into()).collect();
                for &b in &points {
                    for &c in &points {
                        assert!(!turns_left([points[0], b, c]));
                    }
                }
                refused += 1;
            }
        }
        if let Ok(polygon) = ConvexPolygon::new(&points) {
            check(&polygon);
            convex += 1;
        }
    }
    assert!(kept > 20_000 && merged > 20_000 && convex > 5_000 && refused > 1_000);
}

/// How the points of a plank are computed.
#[derive(Debug, Clone, Copy)]
struct Plank {
    half: [f32; 2],
    angle: f32,
    moved: [f32; 2],
    /// Cuts of each side: long, short, long, short.
    cuts: [usize; 4],
    /// Cut first, then rotate and move each point.
    cut_first: bool,
    /// `(1 - t) * a + t * b` instead of `a + t * (b - a)`.
    lerp: bool,
    wide: bool,
}

macro_rules! plank_points {
    ($float:ty, $plank:expr, $at:expr) => {{
        let plank: Plank = $plank;
        let [hx, hy] = plank.half.map(|v| v as $float);
        let (sin, cos) = (plank.angle as $float).sin_cos();
        let [mx, my] = plank.moved.map(|v| v as $float);
        let place = |[x, y]: [$float; 2]| [cos * x - sin * y + mx, sin * x + cos * y + my];
        let corners = [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]];
        let corners = if plank.cut_first { corners } else { corners.map(place) };
        let mut points = Vec::new();
        for side in 0..4 {
            let (a, b) = (corners[side], corners[(side + 1) % 4]);
            points.push(a);
            for cut in 1..=plank.cuts[side] {
                let t = $at(cut, plank.cuts[side]) as $float;
                points.push([0, 1].map(|i| {
                    if plank.lerp { (1.0 - t) * a[i] + t * b[i] } else { a[i] + t * (b[i] - a[i]) }
                }));
            }
        }
        if plank.cut_first {
            points = points.into_iter().map(place).collect();
        }
        points.into_iter().map(|p| p.map(|v| v as f32)).collect::<Vec<[f32; 2]>>()
    }};
}

impl Plank {
    fn points(self) -> Vec<[f32; 2]> {
        let even = |cut: usize, cuts: usize| cut as f64 / (cuts + 1) as f64;
        if self.wide { plank_points!(f64, self, even) } else { plank_points!(f32, self, even) }
    }
}

const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// 5 roundings of the largest coordinate, as documented.
fn tolerance_of(points: &[[f32; 2]]) -> f64 {
    5.0 * ROUNDING * f64::from(points.iter().flatten().fold(0.0_f32, |most, v| most.max(v.abs())))
}

/// The distance of a point from a side, in `f64`.
fn apart(p: [f32; 2], a: Vec2, b: Vec2) -> f64 {
    let [p, a, b] = [p, a.to_array(), b.to_array()].map(|v| v.map(f64::from));
    let way = [b[0] - a[0], b[1] - a[1]];
    let ahead = (p[0] - a[0]) * way[0] + (p[1] - a[1]) * way[1];
    let part = (ahead / (way[0] * way[0] + way[1] * way[1])).clamp(0.0, 1.0);
    (p[0] - a[0] - part * way[0]).hypot(p[1] - a[1] - part * way[1])
}

/// Checks the guarantees of a polygon for the points that it was made of.
fn is_sound(points: &[[f32; 2]], polygon: &ConvexPolygon) -> Result<(), TestCaseError> {
    let tolerance = tolerance_of(points);
    let corners = polygon.vertices();
    let n = corners.len();
    for (i, &b) in corners.iter().enumerate() {
        let (a, c) = (corners[(i + n - 1) % n], corners[(i + 1) % n]);
        prop_assert!(turn(a, b, c).is_gt(), "{a}, {b}, {c} is no left turn");
        prop_assert!(points.contains(&b.to_array()));
        let bend = apart(b.to_array(), a, c);
        prop_assert!(n == 3 || bend > tolerance * (1.0 - 1e-6), "{b} could be merged");
    }
    for &point in points {
        let inside = (0..n).all(|i| turn(corners[i], corners[(i + 1) % n], point.into()).is_ge());
        let apart = || (0..n).map(|i| apart(point, corners[i], corners[(i + 1) % n]));
        let nearest = if inside { 0.0 } else { apart().fold(f64::INFINITY, f64::min) };
        prop_assert!(nearest <= tolerance * (1.0 + 1e-6), "{point:?} is {nearest} outside");
    }
    // The remaining vertices give the same polygon, in either winding.
    prop_assert_eq!(&ConvexPolygon::new(corners).unwrap(), polygon);
    let mut reversed = corners.to_vec();
    reversed[1..].reverse();
    prop_assert_eq!(&ConvexPolygon::new(&reversed).unwrap(), polygon);
    Ok(())
}

/// Checks that `new` accepts an outline from any start, in both windings, with the vertices of its
/// hull.
fn is_taken(points: &[[f32; 2]], start: usize) -> Result<ConvexPolygon, TestCaseError> {
    let sorted = |polygon: &ConvexPolygon| {
        let mut vertices = polygon.vertices().to_vec();
        vertices.sort_by(|&a, &b| order(a, b));
        vertices
    };
    let hull = ConvexPolygon::hull(points).unwrap();
    let mut given = points.to_vec();
    given.rotate_left(start % points.len());
    for _ in 0..2 {
        let polygon = ConvexPolygon::new(&given);
        prop_assert!(polygon.is_ok(), "{:?}: {:?}", polygon, given);
        let polygon = polygon.unwrap();
        prop_assert_eq!(sorted(&polygon), sorted(&hull));
        let left = |v: &&[f32; 2]| polygon.vertices().contains(&Vec2::from(**v));
        let first = given.iter().find(left).copied();
        prop_assert_eq!(first, Some(polygon.vertices()[0].to_array()));
        is_sound(&given, &polygon)?;
        given.reverse();
    }
    Ok(hull)
}

#[test]
fn a_plank_from_the_field_keeps_four_corners() {
    let plank = [
        [-4.9522324, -0.85170156],
        [-4.6855145, -1.8154762],
        [0.1333589, -0.48188734],
        [4.9522324, 0.85170156],
        [4.6855145, 1.8154762],
        [-0.1333589, 0.48188734],
    ];
    for start in 0..plank.len() {
        assert_eq!(is_taken(&plank, start).unwrap().vertices().len(), 4);
    }
}

#[test]
fn up_to_the_tolerance() {
    let [a, b, c, d] = SQUARE;
    let off = tolerance_of(&SQUARE) as f32;
    let (less, more) = (0.8 * off, 1.2 * off);
    // Dents and bumps in a side, steps back along it, steps back from a corner.
    for list in [
        vec![a, [1.0, less], b, c, d],
        vec![a, b, [2.0 - less, 1.0], c, d],
        vec![a, [0.5, -less], [1.0, less], [1.0, 0.0], [1.5, -less], b, c, d],
        vec![a, [0.5, 0.0], [0.5 - less, 0.0], [0.5 - less, 0.0], b, c, d],
        vec![a, b, [2.0 - less, 0.0], c, d],
        vec![a, b, [2.0, less], b, c, d],
    ] {
        for start in 0..list.len() {
            assert_eq!(is_taken(&list, start).unwrap().vertices().len(), 4, "{list:?}");
        }
    }
    let refused = |list: &[[f32; 2]]| match fault(list) {
        PolygonFault::NotConvex { vertex } => vertex,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[a, [1.0, more], b, c, d]), 1);
    assert_eq!(refused(&[a, [0.5, 0.0], [0.5 - more, 0.0], b, c, d]), 1);
    assert_eq!(refused(&[a, b, [2.0 - more, 0.0], c, d]), 1);
    assert_eq!(refused(&[a, b, [2.0, more], b, c, d]), 2);
    // Many small steps back count like one step of the same length.
    let back = (0..8).map(|step| [1.0 - less * step as f32 / 4.0, 0.0]);
    let list: Vec<_> = [a].into_iter().chain(back).chain([b, c, d]).collect();
    refused(&list);
    // A bump beyond the tolerance is a corner.
    assert_eq!(corners_of(&[a, [1.0, -more], b, c, d]).len(), 5);
}

#[test]
fn large_lists_lose_no_more_than_the_tolerance() {
    // If the corners were merged corner by corner, the circle would shrink with each of them.
    let circle = regular(1 << 16, 1, 1.0);
    let corners = ConvexPolygon::new(&circle).unwrap();
    assert!((3_000..9_200).contains(&corners.vertices().len()));
    let tolerance = tolerance_of(&circle);
    for (number, vertex) in corners.vertices().iter().enumerate() {
        let next = corners.vertices()[(number + 1) % corners.vertices().len()];
        assert!(apart([0.0, 0.0], *vertex, next) > 1.0 - tolerance - 2.0 * ROUNDING);
    }
    for cut_first in [false, true] {
        let cuts = [65_000, 0, 65_000, 7];
        let plank = Plank { cuts, cut_first, ..PLANK }.points();
        assert_eq!(ConvexPolygon::new(&plank).unwrap().vertices().len(), 4);
        assert_eq!(ConvexPolygon::hull(&plank).unwrap().vertices().len(), 4);
    }
}

const PLANK: Plank = Plank {
    half: [5.0, 0.5],
    angle: 0.3,
    moved: [0.0, 0.0],
    cuts: [0; 4],
    cut_first: false,
    lerp: false,
    wide: false,
};

fn plank() -> impl Strategy<Value = Plank> {
    let half = (0.5_f32..50.0, 0.5_f32..1.0);
    let moved = prop_oneof![Just(0.0_f32), Just(10.0), Just(1e3)].prop_flat_map(|far| {
        prop::array::uniform2(-1.0_f32..=1.0).prop_map(move |m| m.map(|v| v * far))
    });
    let cuts = prop::array::uniform4(0_usize..200);
    let ways = (any::<bool>(), any::<bool>(), any::<bool>());
    (half, 0.0_f32..6.3, moved, cuts, ways).prop_map(
        |((x, y), angle, moved, cuts, (cut_first, lerp, wide))| Plank {
            half: [x, y],
            angle,
            moved,
            cuts,
            cut_first,
            lerp,
            wide,
        },
    )
}

/// A whole number up to 2^10 in magnitude, often next to a limit.
fn whole() -> impl Strategy<Value = i32> {
    prop_oneof![-1024..=1024, -1024..=-1021, 1021..=1024, -3..=3]
}

/// The corners of the hull, in whole numbers, sorted.
fn whole_hull(points: &[[i32; 2]]) -> Vec<[i32; 2]> {
    let cross = |a: [i32; 2], b: [i32; 2], c: [i32; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut corners = Vec::new();
    for &p in points {
        // A corner lies in no triangle of other points: some line through it has all other points
        // on one side, or on the line and on the same side of the corner.
        let others = || points.iter().copied().filter(move |&q| q != p);
        let ahead = |q: [i32; 2], r: [i32; 2]| {
            (q[0] - p[0]) * (r[0] - p[0]) + (q[1] - p[1]) * (r[1] - p[1]) > 0
        };
        let corner = others()
            .any(|q| others().all(|r| cross(p, q, r) > 0 || (cross(p, q, r) == 0 && ahead(q, r))));
        if corner {
            corners.push(p);
        }
    }
    corners.sort_unstable();
    corners.dedup();
    corners
}

/// The whole (x, y), up to a multiple of (dx, dy), for which dx · y - dy · x is the greatest common
/// divisor of dx and dy.
fn beside(dx: i32, dy: i32) -> [i32; 2] {
    let (mut a, mut b) = ((dx, 1, 0), (dy, 0, 1));
    while b.0 != 0 {
        let q = a.0 / b.0;
        (a, b) = (b, (a.0 - q * b.0, a.1 - q * b.1, a.2 - q * b.2));
    }
    [-a.2 * a.0.signum(), a.1 * a.0.signum()]
}

proptest! {
    #[test]
    fn planks_keep_four_corners(plank in plank(), start in 0_usize..1000) {
        let points = plank.points();
        prop_assert_eq!(is_taken(&points, start)?.vertices().len(), 4);
    }

    #[test]
    fn whole_numbers_are_exact(
        points in prop::collection::vec([whole(), whole()], 3..24),
        power in -40_i32..40,
    ) {
        let unit = 2.0_f32.powi(power);
        let floats: Vec<[f32; 2]> = points.iter().map(|p| p.map(|v| v as f32 * unit)).collect();
        let Ok(hull) = ConvexPolygon::hull(&floats) else { return Ok(()) };
        let whole = |v: &Vec2| v.to_array().map(|v| (v / unit) as i32);
        let mut left: Vec<[i32; 2]> = hull.vertices().iter().map(whole).collect();
        left.sort_unstable();
        prop_assert_eq!(left, whole_hull(&points));
    }

    /// The vertex next to a long chord is a corner if it is outside the chord, and a dent if
    /// inside.
    #[test]
    fn whole_numbers_next_to_a_chord(
        a in prop::array::uniform2(-1024_i32..=-1000),
        b in prop::array::uniform2(1000_i32..=1024),
        times in 0_i32..2048,
        start in 0_usize..5,
    ) {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let [x, y] = beside(dx, dy);
        // Move it between the ends.
        let reach = if dx == 0 { 0 } else { (-x).div_euclid(dx) + times % 2 };
        let left = [x + reach * dx, y + reach * dy];
        for sign in [1, -1] {
            let v = [a[0] + sign * left[0], a[1] + sign * left[1]];
            let inside = (dx * (v[1] - a[1]) - dy * (v[0] - a[0])) > 0;
            let between = |i: usize| (a[i].min(b[i])..=a[i].max(b[i])).contains(&v[i]);
            if !(between(0) && between(1)) || v == a || v == b {
                continue;
            }
            let mut list = [a, v, b, [-1024, 1024]].map(|p| p.map(|v| v as f32));
            list.rotate_left(start % 4);
            if inside {
                let refused = matches!(fault(&list), PolygonFault::NotConvex { .. });
                prop_assert!(refused, "{:?}", list);
            } else {
                prop_assert_eq!(corners_of(&list).len(), 4, "{:?}", list);
            }
        }
    }

    /// Small clusters, slivers and thin rings, a few roundings wide.
    #[test]
    fn some_roundings_wide(
        points in prop::collection::vec(prop::array::uniform2(0_u8..=32), 3..60),
        scale in prop::array::uniform2(0_i32..23),
    ) {
        // The tolerance is 5 or 10 of the units of scale 0.
        let place = |p: [u8; 2]| [0, 1].map(|i| {
            1.0 + f32::from(p[i]) * 2.0_f32.powi(scale[i].min(18) - 23)
        });
        let points: Vec<[f32; 2]> = points.into_iter().map(place).collect();
        if let Ok(hull) = ConvexPolygon::hull(&points) {
            is_sound(&points, &hull)?;
        }
    }

    /// Ellipses of many points, from flat to round, computed with a little noise.
    #[test]
    fn ellipses_with_noise_are_taken(
        n in 3_usize..1500,
        width in 0.0_f64..1.0,
        noise in 0.0_f64..8.0,
        angle in 0.0_f64..6.3,
        seed in any::<u64>(),
    ) {
        let mut seed = seed | 1;
        let (sin, cos) = angle.sin_cos();
        let width = width.powi(12);
        let points: Vec<[f32; 2]> = regular(n, 1, 1.0).into_iter().map(|[x, y]| {
            let [u, v] = [f64::from(x), f64::from(y) * width];
            [cos * u - sin * v, sin * u + cos * v].map(|v| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let random = (seed >> 40) as f64 / (1 << 24) as f64 - 0.5;
                (v + random * noise * ROUNDING) as f32
            })
        }).collect();
        if let Ok(hull) = ConvexPolygon::hull(&points) {
            is_sound(&points, &hull)?;
        }
    }

    #[test]
    fn triangles_stay(
        a in prop::array::uniform2(-1.0_f32..1.0),
        way in prop::array::uniform2(-1.0_f32..1.0),
        part in 0.0_f32..1.0,
        aside in prop::array::uniform2(-8_i8..=8),
        start in 0_usize..3,
    ) {
        let c = [0, 1].map(|i| a[i] + part * way[i] + f32::from(aside[i]) * 2.0_f32.powi(-24));
        let mut list = [a, [0, 1].map(|i| a[i] + way[i]), c];
        list.rotate_left(start);
        match ConvexPolygon::new(&list) {
            Ok(polygon) => {
                prop_assert_eq!(polygon.vertices().len(), 3);
                prop_assert_eq!(polygon.vertices()[0].to_array(), list[0]);
                is_sound(&list, &polygon)?;
            }
            Err(_) => prop_assert!(read(&list).is_err()),
        }
    }
}
