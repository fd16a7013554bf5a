//! Random shapes and displacements, beside the time of impact of every two shapes.

use proptest::prelude::*;
use widephase::{
    Columns, Filter, Impact, Shapes,
    narrowphase::CastStart,
    reference::whole::Whole,
    shape::{Kind, RoundedBox},
};

use crate::{
    Moves, all_impacts, all_impacts_against, assert_impacts, both_forms, check, check_of_indexes,
};
use common::{
    Rng, SCENES,
    crowd::{self, Crowd, crowds},
    pow2, shapes_of,
    twins::swept,
};

/// Displacements for shapes of about the size `unit`: none, small, large, and in whole numbers.
pub(crate) fn moves(rng: &mut Rng, count: usize, unit: f32) -> Vec<[f32; 2]> {
    let style = rng.below(5);
    (0..count)
        .map(|_| {
            let style = if style == 4 { rng.below(4) } else { style };
            let mut one = || match style {
                0 => 0.0,
                1 => rng.range(-0.25, 0.25) * unit,
                2 => rng.int(-8, 8) as f32 * 0.25 * unit,
                _ => rng.range(-1.0, 1.0) * unit * pow2(rng.below(8) as i32),
            };
            [one(), one()]
        })
        .collect()
}

/// A flag for each row: set in one of four.
fn flags(rng: &mut Rng, count: usize) -> Vec<bool> {
    (0..count).map(|_| rng.below(4) == 0).collect()
}

/// Whether the plain twin is expected to have the same bits: it lists contacts of compounds in
/// another order, and of contacts that are equal to the last bit, either may be the deepest.
fn has_twin(crowd: &Crowd) -> bool {
    !crowd.makes.contains(&crowd::Make::Compound)
}

/// Checks a crowd among itself and against another crowd.
fn check_crowds(crowd: &Crowd, other: &Crowd) {
    let mut rng = Rng::new(crowd.seed ^ 77);
    let (solids, others) = (crowd.solids(), other.solids());
    let moves = moves(&mut rng, solids.len(), pow2(crowd.unit));
    let mut columns = Moves::new(&moves);
    let ((store, shapes), (other_store, other_shapes)) = (both_forms(&solids), both_forms(&others));
    let (wholes, other_wholes) = (crowd::wholes(&solids), crowd::wholes(&others));
    let bullets = flags(&mut rng, solids.len());
    // The twin has the usual start.
    for start in [CastStart::Any, CastStart::Ignored] {
        columns.start = start;
        let what = format!("{crowd:?}, {start:?}");
        let expected = all_impacts(&shapes, &columns, Some(&bullets));
        check((&store).into(), &columns, Some(&bullets), None, &expected, &what);
        let expected = all_impacts_against(&shapes, &columns, None, &other_shapes);
        check((&store).into(), &columns, None, Some((&other_store).into()), &expected, &what);
    }
    columns.start = CastStart::Inward;
    for bullets in [None, Some(&bullets[..])] {
        let what = format!("{crowd:?}, {bullets:?}");
        let expected = all_impacts(&shapes, &columns, bullets);
        check((&store).into(), &columns, bullets, None, &expected, &what);
        if has_twin(crowd) {
            assert_impacts(&swept::pairs(&wholes, &moves, bullets), &expected, &what);
        }
        let expected = all_impacts_against(&shapes, &columns, bullets, &other_shapes);
        let others = Some((&other_store).into());
        check((&store).into(), &columns, bullets, others, &expected, &format!("{what}, {other:?}"));
        if let Some(others) = others {
            check_of_indexes([(&store).into(), others], &columns, bullets, &expected, &what);
        }
        if has_twin(crowd) && has_twin(other) {
            let twin = swept::pairs_against(&wholes, &moves, bullets, &other_wholes);
            assert_impacts(&twin, &expected, &what);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn crowds_of_all_kinds(crowd in crowds(), mut other in crowds()) {
        (other.unit, other.far) = (crowd.unit, crowd.far);
        check_crowds(&crowd, &other);
    }

    #[test]
    fn filters_worlds_and_a_predicate(crowd in crowds(), style in 0..4) {
        let mut rng = Rng::new(crowd.seed ^ 99);
        let (store, shapes) = both_forms(&crowd.solids());
        let count = shapes.len();
        let moves = Moves::new(&moves(&mut rng, count, pow2(crowd.unit)));
        let filters: Vec<Filter> = (0..count)
            .map(|_| Filter::new(1 << rng.below(3), rng.bits()).owned_by(rng.below(4) as u32))
            .collect();
        let worlds: Vec<u32> = (0..count).map(|_| rng.below(3) as u32 * 7).collect();
        let accept = |a: u32, b: u32| !(a ^ b).is_multiple_of(3);
        let ordered = |a: u32, b: u32| a < b && accept(a, b);
        let mut columns = Columns::from(&store);
        if style != 1 {
            columns = columns.with_filters(&filters).unwrap();
        }
        if style != 0 {
            columns = columns.with_spaces(&worlds).unwrap();
        }
        if style == 3 {
            columns = columns.with_predicate(&ordered);
        }
        let meets = |impact: &Impact, against: bool| {
            let (a, b) = (impact.pair.a as usize, impact.pair.b as usize);
            (style == 1 || filters[a].meets(&filters[b]))
                && (style == 0 || worlds[a] == worlds[b])
                && (style != 3 || if against { accept(impact.pair.a, impact.pair.b) } else { ordered(impact.pair.a, impact.pair.b) })
        };
        let mut expected = all_impacts(&shapes, &moves, None);
        expected.retain(|impact| meets(impact, false));
        expected.sort_by_key(|impact| impact.pair);
        check(columns, &moves, None, None, &expected, &format!("{crowd:?}, {style}"));
        // Against the same shapes, in an index with the same filters and worlds.
        let columns = if style == 3 { columns.with_predicate(&accept) } else { columns };
        let mut expected = all_impacts_against(&shapes, &moves, None, &shapes);
        expected.retain(|impact| meets(impact, true));
        expected.sort_by_key(|impact| impact.pair);
        check(columns, &moves, None, Some(columns), &expected, &format!("{crowd:?}, {style}, index"));
        // An index keeps no predicate.
        if style != 3 {
            let what = format!("{crowd:?}, {style}");
            check_of_indexes([columns; 2], &moves, None, &expected, &what);
        }
    }
}

/// The scenes of the detector: far from the origin, tiny, on lattices, of all sizes. Displacements
/// are small, and from one shape to another.
#[test]
fn scenes_of_axis_aligned_shapes() {
    for scene in SCENES {
        let shapes = shapes_of(scene, 60);
        let mut rng = Rng::new(5);
        let limit = pow2(60);
        let moves: Vec<[f32; 2]> = shapes
            .iter()
            .map(|shape| {
                let other = shapes[rng.below(60) as usize];
                let by = [other.min_x - shape.min_x, other.max_y - shape.max_y];
                let share = [0.0, 0.01, 1.0, 1.5][rng.below(4) as usize];
                let ends = [[shape.min_x, shape.max_x], [shape.min_y, shape.max_y]];
                [0, 1].map(|axis: usize| {
                    let by = by[axis] * share;
                    let inside = ends[axis].iter().all(|end| (end + by).abs() <= limit);
                    if inside { by } else { 0.0 }
                })
            })
            .collect();
        check_boxes(&shapes, &moves, scene.0);
    }
}

fn check_boxes(shapes: &[RoundedBox], moves: &[[f32; 2]], what: &str) {
    let solids: Vec<crowd::PosedShape> = shapes.iter().map(|shape| (*shape).into()).collect();
    let (_, posed) = both_forms(&solids);
    let store = Shapes::from_slice(shapes).unwrap();
    let columns = Moves::new(moves);
    let expected = all_impacts(&posed, &columns, None);
    check((&store).into(), &columns, None, None, &expected, what);
    let wholes: Vec<_> = shapes.iter().map(|shape| Whole::new(shape, None)).collect();
    assert_impacts(&swept::pairs(&wholes, moves, None), &expected, what);
    let expected = all_impacts_against(&posed, &columns, None, &posed);
    check((&store).into(), &columns, None, Some((&store).into()), &expected, what);
    assert_eq!(store.kind(0), Some(Kind::RoundedBox));
}

/// Large shapes beside the limit of coordinates, where bounding boxes end at the limit.
#[test]
fn at_the_limits() {
    let mut rng = Rng::new(3);
    for round in 0..60 {
        let unit = pow2(57);
        let mut maker = crowd::Maker::new(round, crowd::Numbers::Smooth, unit);
        let mut solids = Vec::new();
        for make in crowd::Make::ALL {
            for _ in 0..2 {
                let place = [(); 2].map(|()| rng.range(-1.0, 1.0) * pow2(60));
                solids.push(maker.solid(make, place));
            }
        }
        let mut store = Shapes::new();
        solids.retain(|solid| match solid.pose {
            Some(pose) => store.push_at(&solid.shape, pose).is_ok(),
            None => store.push(&solid.shape).is_ok(),
        });
        let (store, shapes) = both_forms(&solids);
        let moves: Vec<[f32; 2]> = (0..store.len() as u32)
            .map(|row| {
                let sides = store.bounds(row).unwrap();
                // Towards the origin, and somewhat beyond.
                let share = rng.range(0.0, 1.5);
                [-sides.min_x * share, -sides.max_y * share]
            })
            .collect();
        let moves = Moves::new(&moves);
        let expected = all_impacts(&shapes, &moves, None);
        let what = format!("round {round}");
        check((&store).into(), &moves, None, None, &expected, &what);
        let expected = all_impacts_against(&shapes, &moves, None, &shapes);
        check((&store).into(), &moves, None, Some((&store).into()), &expected, &what);
    }
}
