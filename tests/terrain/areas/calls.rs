//! One outline and other shapes, in every call.

use widephase::{
    Body, Detector, Index, Options, Order, Pair, Queries, Ray, Shapes, SimdLevel, Touching, World,
    narrowphase::{closest_points, contact, contains, crossings, distance, overlap_area, touches},
    shape::{Compound, OwnedShape, Part, Point, Pose},
};

use common::{POLICIES, crowd::PosedShape, levels};

/// A shape, and whether it touches under the inclusive and the exclusive policy, where that is
/// known.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) shape: OwnedShape,
    pub(crate) touches: [Option<bool>; 2],
    /// The area that it shares with the outline, and how exactly.
    pub(crate) shared: Option<(f64, f64)>,
}

impl Case {
    pub(crate) fn new(shape: impl Into<OwnedShape>, touches: [bool; 2]) -> Self {
        Self { shape: shape.into(), touches: touches.map(Some), shared: None }
    }
}

fn point_of(shape: &OwnedShape) -> Option<[f32; 2]> {
    match shape {
        OwnedShape::Single(Part::Point(Point { x, y })) => Some([*x, *y]),
        _ => None,
    }
}

/// Checks the calls about two shapes, with the outline first and second.
pub(crate) fn check_two(area: &PosedShape, cases: &[Case], name: &str) {
    for case in cases {
        let what = || format!("{name}: {case:?} at {:?}", area.pose);
        let (shape, own) = (PosedShape::from(case.shape.clone()), &case.touches);
        for (touching, expected) in POLICIES.into_iter().zip(own) {
            let Some(expected) = *expected else { continue };
            assert_eq!(
                touches(area, &shape, touching).unwrap(),
                expected,
                "{touching:?} {}",
                what()
            );
            assert_eq!(
                touches(&shape, area, touching).unwrap(),
                expected,
                "{touching:?} {}",
                what()
            );
            if let Some([x, y]) = point_of(&case.shape) {
                let held = contains(area, [x, y], touching).unwrap();
                assert_eq!(held, expected, "{touching:?} {}", what());
            }
        }
        if let Some(inclusive) = own[0] {
            let found = [contact(area, &shape, 0.0).unwrap(), contact(&shape, area, 0.0).unwrap()];
            assert_eq!(found.map(|contact| contact.is_some()), [inclusive; 2], "{}", what());
            assert_eq!(distance(area, &shape).unwrap() == 0.0, inclusive, "{}", what());
            assert_eq!(closest_points(&shape, area).unwrap().is_none(), inclusive, "{}", what());
            if let (Some([x, y]), OwnedShape::Compound(compound), None) =
                (point_of(&case.shape), &area.shape, area.pose)
            {
                assert_eq!(compound.contains([x, y]), inclusive, "{}", what());
            }
        }
        let shared = f64::from(overlap_area(area, &shape).unwrap());
        if let Some((expected, error)) = case.shared {
            assert!((shared - expected).abs() <= error, "{shared} {}", what());
        } else if own[1] == Some(false) && area.pose.is_none() {
            assert_eq!(shared, 0.0, "{}", what());
        }
    }
}

/// Checks the calls about one outline and all shapes.
pub(crate) fn check_sets(area: &PosedShape, cases: &[Case], all_levels: bool, name: &str) {
    let outline = store(std::iter::once(area));
    let shapes: Vec<PosedShape> = cases.iter().map(|case| case.shape.clone().into()).collect();
    let probes = store(shapes.iter());
    let levels: &[SimdLevel] = if all_levels { levels() } else { &levels()[..1] };
    for (number, touching) in POLICIES.into_iter().enumerate() {
        let right = |row: usize, found: bool, call: &str| {
            let right = cases[row].touches[number].is_none_or(|expected| expected == found);
            assert!(right, "{name}: {call} {touching:?} {:?} at {:?}", cases[row], area.pose);
        };
        for &level in levels {
            let simd_level = Some(level);
            let options =
                Options { touching, simd_level, order: Order::Sorted, ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(&outline).unwrap();
            let (mut pairs, mut back, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
            detector.pairs((&probes, &index), &mut pairs).unwrap();
            for row in 0..cases.len() {
                right(row, pairs.contains(&Pair { a: row as u32, b: 0 }), "pairs");
            }
            assert_eq!(detector.count((&probes, &index)).unwrap(), pairs.len() as u64);
            detector.contacts((&probes, &index), 0.0, &mut contacts).unwrap();
            for (row, case) in cases.iter().enumerate() {
                // Contacts are of shapes that touch, whatever the policy.
                let found = contacts.iter().any(|contact| contact.pair.a == row as u32);
                let listed = pairs.contains(&Pair { a: row as u32, b: 0 });
                assert!(!listed || found, "{name}: no contact {case:?}");
                assert!(case.touches[0] != Some(false) || !found, "{name}: {case:?}");
            }
            let mut turned = Index::with_options(options.into()).unwrap();
            turned.rebuild(&probes).unwrap();
            detector.pairs((&outline, &turned), &mut back).unwrap();
            assert_eq!(back.len(), pairs.len(), "{name}");
            for (row, shape) in shapes.iter().enumerate() {
                let listed = pairs.contains(&Pair { a: row as u32, b: 0 });
                let mut rows = Vec::new();
                index.overlapping(shape, &mut rows).unwrap();
                assert_eq!(rows.len(), usize::from(listed), "{name}: {shape:?}");
                assert_eq!(index.count_overlapping(shape).unwrap(), u64::from(listed));
                assert_eq!(index.any_overlapping(shape).unwrap().is_some(), listed);
            }
        }
        check_index(area, cases, touching, name);
    }
}

/// Checks queries of an index of one outline.
fn check_index(area: &PosedShape, cases: &[Case], touching: Touching, name: &str) {
    let options = Options { touching, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(&store(std::iter::once(area))).unwrap();
    for (number, case) in cases.iter().enumerate() {
        let shape = PosedShape::from(case.shape.clone());
        let what = || format!("{name}: {touching:?} {case:?} at {:?}", area.pose);
        let near = index.nearest(&shape, f32::MAX.min(1e18)).unwrap();
        if let Some(inclusive) = case.touches[0] {
            let distance = near.map(|near| near.distance);
            assert_eq!(distance == Some(0.0), inclusive, "{distance:?} {}", what());
        }
        let Some([x, y]) = point_of(&case.shape) else { continue };
        // Rays see closed shapes.
        let other = cases[..number].iter().rev().find_map(|case| point_of(&case.shape));
        let to_other = other.map(|[to_x, to_y]| [to_x - x, to_y - y]).unwrap_or_default();
        for direction in [[1.0, 0.0], [-0.6, 0.8], to_other] {
            let hit = index.cast_ray(Ray::new([x, y], direction)).unwrap();
            if let Some(inclusive) = case.touches[0] {
                let starts = hit.is_some_and(|hit| hit.fraction == 0.0);
                assert_eq!(starts, inclusive, "{direction:?} {hit:?} {}", what());
            }
        }
        if case.touches[1] == Some(true) {
            // From below, at the same x.
            let (away, by) = ([x, y - 400_000.0], [0.0, 400_000.0]);
            let hit = index.cast_ray(Ray::new(away, by)).unwrap();
            assert!(hit.is_some(), "a ray {}", what());
            let hit = index.cast_shape(Point::new(away), by, 2.0).unwrap();
            assert!(hit.is_some(), "a cast {}", what());
        }
    }
}

/// Checks the pairs of a world, also of one from a snapshot.
pub(crate) fn check_world(area: &PosedShape, cases: &[Case], name: &str) {
    for (number, touching) in POLICIES.into_iter().enumerate() {
        let options = Options { touching, ..Options::default() };
        let mut world = World::with_options(options).unwrap();
        let body = |pose: Option<Pose>| Body { pose, ..Body::default() };
        let outline = world.insert(&area.shape, body(area.pose)).unwrap();
        let handles: Vec<_> =
            cases.iter().map(|case| world.insert(&case.shape, body(None)).unwrap()).collect();
        let mut again = World::restore(&world.snapshot()).unwrap();
        assert_eq!(again.shape(outline).unwrap(), area.shape, "{name}");
        for world in [&mut world, &mut again] {
            let step = world.step().unwrap();
            for (case, handle) in cases.iter().zip(&handles) {
                let found = step.started().iter().any(|event| {
                    [(event.a, event.b), (event.b, event.a)].contains(&(outline, *handle))
                });
                let right = case.touches[number].is_none_or(|expected| expected == found);
                assert!(right, "{name}: {touching:?} {case:?}");
            }
        }
        assert_eq!(again.snapshot(), world.snapshot());
    }
}

/// An outline has a crossing with a segment from inside to outside.
pub(crate) fn check_crossing(area: &PosedShape, inside: [f32; 2], outside: [f32; 2]) {
    let mut points = Vec::new();
    let segment = widephase::shape::Segment::new(inside, outside);
    crossings(area, segment, &mut points).unwrap();
    assert!(!points.is_empty(), "{area:?} {segment:?}");
}

fn store<'a>(shapes: impl Iterator<Item = &'a PosedShape>) -> Shapes {
    let mut store = Shapes::new();
    for PosedShape { shape, pose } in shapes {
        match pose {
            Some(pose) => store.push_at(shape, *pose).unwrap(),
            None => store.push(shape).unwrap(),
        };
    }
    store
}

/// The outline itself, in a store and from it.
pub(crate) fn check_copies(compound: &Compound) {
    let mut shapes = Shapes::new();
    shapes.push(compound).unwrap();
    assert_eq!(shapes.get(0), Some(compound.clone().into()));
    let plain = Compound::new(compound.parts().to_vec()).unwrap();
    assert_eq!(plain.parts(), compound.parts());
}
