//! `max_distance` is inclusive, whatever the touching policy: on whole numbers, for shapes of all
//! kinds, single, in batches and of the rows.

use widephase::{
    Columns, Index, Lists, Neighbor, Options, Order, Queries, Shapes, Touching,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, OwnedShape, Point, RoundedBox, Segment,
    },
};

use common::{POLICIES, Rng};

fn index(shapes: &Shapes, touching: Touching) -> Index {
    let options = Options { touching, order: Order::Sorted, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(shapes).unwrap();
    index
}

/// Shapes whose leftmost point is (0, 0), and that are as wide as 4 at y = 0.
fn kinds() -> Vec<OwnedShape> {
    let diamond = [[0.0, 0.0], [2.0, -2.0], [4.0, 0.0], [2.0, 2.0]];
    let round = [[1.0, 0.0], [2.0, -1.0], [3.0, 0.0], [2.0, 1.0]];
    vec![
        Circle::new([2.0, 0.0], 2.0).into(),
        Aabb::new([0.0, -1.0], [4.0, 1.0]).into(),
        RoundedBox::new(Aabb::new([1.0, 0.0], [3.0, 0.0]), 1.0).into(),
        Segment::new([0.0, 0.0], [4.0, 0.0]).into(),
        Capsule::new([1.0, 0.0], [3.0, 0.0], 1.0).into(),
        ConvexPolygon::new(&diamond).unwrap().into(),
        ConvexPolygon::new(&round).unwrap().with_radius(1.0).unwrap().into(),
        Compound::new([Circle::new([1.0, 0.0], 1.0), Circle::new([3.0, 0.0], 1.0)]).unwrap().into(),
    ]
}

#[test]
fn a_shape_at_the_largest_distance_is_found() {
    for touching in POLICIES {
        for (own, other) in
            kinds().iter().flat_map(|own| kinds().into_iter().map(move |b| (own, b)))
        {
            let mut shapes = Shapes::new();
            shapes.push(own).unwrap();
            let at = shapes.push(&other).unwrap();
            // To where its leftmost point is at (16, 0): 12 from the first.
            let left = shapes.bounds(at).map(|sides| sides.min_x - sides.radius).unwrap();
            shapes.translate(&[0.0, 16.0 - left], &[0.0, 0.0]).unwrap();
            let index = index(&shapes, touching);
            let (mut lists, mut near) = (Lists::new(), Vec::new());
            let (found, none) = (12.0_f32, 12.0_f32.next_down());
            for (most, count) in [(found, 1), (none, 0), (f32::INFINITY, 1)] {
                index.k_nearest_of_rows(1, most, &mut lists).unwrap();
                assert_eq!(lists.items().len(), 2 * count, "{own:?} {other:?} {most} {touching:?}");
                let distances = lists.items().iter().all(|near| near.distance == 12.0);
                assert!(distances, "{own:?} {other:?}");
                // For a shape that is in no index: the first row comes twice, once at distance 0.
                index.k_nearest(own, 2, most, &mut near).unwrap();
                assert_eq!(near.len(), 1 + count, "{own:?} {other:?} {touching:?}");
                let mut own_shape = Shapes::new();
                own_shape.push(own).unwrap();
                index.k_nearest_batch(&own_shape, 2, most, &mut lists).unwrap();
                assert_eq!(lists.get(0), near);
            }
            assert_eq!(index.nearest(own, 0.0).unwrap().unwrap().distance, 0.0);
        }
    }
}

/// Points among points, with every distance that occurs as the largest one.
#[test]
fn each_distance_that_occurs_is_a_limit() {
    let mut rng = Rng::new(5);
    let mut at_the_limit = 0;
    for _ in 0..300 {
        let most = [3, 8, 100][rng.below(3) as usize];
        let mut points = [vec![], vec![]];
        for _ in 0..rng.int(2, 200) {
            for column in &mut points {
                column.push(rng.int(-most, most) as f32);
            }
        }
        let [x, y] = &points;
        for touching in POLICIES {
            let options = Options { touching, ..Options::default() };
            let mut index = Index::with_options(options.into()).unwrap();
            index.rebuild(Columns::points(x, y).unwrap()).unwrap();
            let query = [rng.int(-most, most) as f32, rng.int(-most, most) as f32];
            let distance = |row: usize| {
                let (dx, dy) = (f64::from(x[row] - query[0]), f64::from(y[row] - query[1]));
                (dx * dx + dy * dy).sqrt() as f32
            };
            let limit = distance(rng.below(x.len() as u64) as usize);
            let mut expected: Vec<_> = (0..x.len())
                .map(|row| Neighbor { row: row as u32, distance: distance(row) })
                .filter(|near| near.distance <= limit)
                .collect();
            expected.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
            let mut found = Vec::new();
            index.k_nearest(Point::new(query), x.len(), limit, &mut found).unwrap();
            assert_eq!(found, expected);
            at_the_limit += found.iter().filter(|near| near.distance == limit).count();
            let nearest = index.nearest(Point::new(query), expected[0].distance).unwrap();
            assert_eq!(nearest, Some(expected[0]));
        }
    }
    assert!(at_the_limit > 1_000, "{at_the_limit}");
}
