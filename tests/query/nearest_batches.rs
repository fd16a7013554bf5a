//! Nearest shapes of many queries at once, beside a scalar twin in `f64`: on every SIMD level, on
//! one thread and on several threads.

use widephase::{
    Columns, Index, IndexOptions, Lists, Neighbor, Queries, Shapes, SimdLevel, Threads,
    shape::{Circle, ConvexPolygon, Point, Segment},
};

use common::{Rng, levels, product};

/// Rounded boxes by their columns: left, lower, right and upper sides of the cores, and radii.
#[derive(Debug, Clone, Default)]
struct Boxes([Vec<f32>; 5]);

impl Boxes {
    fn push(&mut self, [min, max]: [[f32; 2]; 2], radius: f32) {
        let values = [min[0], min[1], max[0], max[1], radius];
        for (column, value) in self.0.iter_mut().zip(values) {
            column.push(value);
        }
    }

    fn of(len: usize, mut place: impl FnMut(usize) -> ([f32; 2], [f32; 2], f32)) -> Self {
        let mut boxes = Self::default();
        for number in 0..len {
            let (min, size, radius) = place(number);
            boxes.push([min, [min[0] + size[0], min[1] + size[1]]], radius);
        }
        boxes
    }

    fn points(places: impl IntoIterator<Item = [f32; 2]>) -> Self {
        let mut boxes = Self::default();
        for place in places {
            boxes.push([place; 2], 0.0);
        }
        boxes
    }

    fn len(&self) -> usize {
        self.0[0].len()
    }

    /// The columns of the most special kind of all shapes.
    fn columns(&self) -> Columns<'_> {
        let [min_x, min_y, max_x, max_y, radius] = &self.0;
        let sized = min_x != max_x || min_y != max_y;
        match (sized, radius.iter().any(|radius| *radius > 0.0)) {
            (false, false) => Columns::points(min_x, min_y).unwrap(),
            (false, true) => Columns::circles(min_x, min_y, radius).unwrap(),
            (true, false) => Columns::aabbs(min_x, min_y, max_x, max_y).unwrap(),
            (true, true) => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius).unwrap(),
        }
    }

    /// The distance of two boxes in `f64`, rounded once.
    fn distance(&self, own: usize, others: &Self, other: usize) -> f32 {
        let own = self.0.each_ref().map(|column| f64::from(column[own]));
        let other = others.0.each_ref().map(|column| f64::from(column[other]));
        let gap = |axis: usize| {
            let (ahead, behind) = (other[axis] - own[axis + 2], own[axis] - other[axis + 2]);
            ahead.max(behind).max(0.0)
        };
        let length = (gap(0) * gap(0) + gap(1) * gap(1)).sqrt();
        (length - (own[4] + other[4])).max(0.0) as f32
    }

    /// All shapes of `others` but `itself`, by distance from a box, then by row.
    fn sorted(&self, own: usize, others: &Self, itself: Option<u32>) -> Vec<Neighbor> {
        let rows = (0..others.len() as u32).filter(|row| Some(*row) != itself);
        let near = |row: u32| Neighbor { row, distance: self.distance(own, others, row as usize) };
        let mut all: Vec<_> = rows.map(near).collect();
        all.sort_by_key(|near| (near.distance.to_bits(), near.row));
        all
    }
}

/// The first `k` neighbors within a distance.
fn first(sorted: &[Neighbor], k: usize, max_distance: f32) -> &[Neighbor] {
    let within = sorted.partition_point(|near| near.distance <= max_distance);
    &sorted[..within.min(k)]
}

/// An index of each level, on one thread and on all.
fn each_index(shapes: &Boxes, mut check: impl FnMut(SimdLevel, Index)) {
    for (&level, threads) in product((levels(), [Threads::Calling, Threads::Auto])) {
        let options = IndexOptions { simd_level: Some(level), threads, ..Default::default() };
        let mut index = Index::with_options(options).unwrap();
        index.rebuild(shapes.columns()).unwrap();
        check(level, index);
    }
}

/// Numbers of neighbours, and limits of distances: none, the distance of the third shape, the
/// number below it, and zero. Beyond the kernel, single searches answer: for one limit.
fn numbers_and_limits(len: usize, sorted: &[Neighbor]) -> Vec<(usize, f32)> {
    let third = sorted.get(2).map_or(1.0, |near| near.distance);
    let limits = [f32::INFINITY, third, third.next_down().max(0.0), 0.0];
    let counts = [0, 1, 2, 8, 30, 32, 33, len.saturating_sub(1), len, len + 3];
    let both = product((counts, limits.into_iter().enumerate()));
    let few = both.filter(|(k, (number, _))| *k <= 33 || *number == 1);
    few.map(|(k, (_, limit))| (k, limit)).collect()
}

/// Compares the lists of all rows with the twin.
fn check_rows(name: &str, shapes: &Boxes) {
    let twin = |row: usize| shapes.sorted(row, shapes, Some(row as u32));
    let expected: Vec<Vec<Neighbor>> = (0..shapes.len()).map(twin).collect();
    each_index(shapes, |level, index| {
        let mut lists = Lists::new();
        for (k, max_distance) in numbers_and_limits(shapes.len(), &expected[0]) {
            index.k_nearest_of_rows(k, max_distance, &mut lists).unwrap();
            for (row, sorted) in expected.iter().enumerate() {
                let what = || format!("{name}, {level:?}, k = {k}, at most {max_distance}");
                assert_eq!(lists.get(row), first(sorted, k, max_distance), "{}, {row}", what());
            }
        }
    });
}

/// Compares batches and single queries with the twin.
fn check_queries(name: &str, shapes: &Boxes, queries: &Boxes) {
    let twin = |query: usize| queries.sorted(query, shapes, None);
    let expected: Vec<Vec<Neighbor>> = (0..queries.len()).map(twin).collect();
    each_index(shapes, |level, index| {
        let (mut lists, mut nearest, mut near) = (Lists::new(), Vec::new(), Vec::new());
        for (k, max_distance) in numbers_and_limits(shapes.len(), &expected[0]) {
            let what = || format!("{name}, {level:?}, k = {k}, at most {max_distance}");
            index.k_nearest_batch(queries.columns(), k, max_distance, &mut lists).unwrap();
            assert_eq!(lists.len(), queries.len(), "{}", what());
            for (query, sorted) in expected.iter().enumerate() {
                let expected = first(sorted, k, max_distance);
                assert_eq!(lists.get(query), expected, "{}, query {query}", what());
            }
            if k != 1 {
                continue;
            }
            index.nearest_batch(queries.columns(), max_distance, &mut nearest).unwrap();
            for (query, sorted) in expected.iter().enumerate() {
                let expected = first(sorted, 1, max_distance);
                assert_eq!(nearest[query].as_slice(), expected, "{}, nearest {query}", what());
            }
        }
        let third = expected[0].get(2).map_or(1.0, |near| near.distance);
        for (query, sorted) in expected.iter().enumerate().take(40) {
            let [min, max] = [0, 2].map(|side| [side, side + 1].map(|side| queries.0[side][query]));
            if min == max {
                let probe = Circle::new(min, queries.0[4][query]);
                index.k_nearest(probe, 8, third, &mut near).unwrap();
                assert_eq!(near, first(sorted, 8, third), "{name}, {level:?}, single {query}");
            }
        }
    });
}

/// Compares batches, single queries and the lists of all rows with the twin.
fn check(name: &str, shapes: &Boxes, queries: &Boxes) {
    check_rows(name, shapes);
    check_queries(name, shapes, queries);
}

fn place(rng: &mut Rng, side: f32) -> [f32; 2] {
    [rng.range(0.0, side), rng.range(0.0, side)]
}

#[test]
fn uniform_points_circles_and_boxes() {
    let rng = &mut Rng::new(21);
    let points = Boxes::of(450, |_| (place(rng, 21.0), [0.0; 2], 0.0));
    let circles = Boxes::of(450, |_| (place(rng, 21.0), [0.0; 2], rng.range(0.1, 0.5)));
    let boxes = Boxes::of(450, |_| (place(rng, 21.0), place(rng, 0.7), 0.0));
    let rounded = Boxes::of(450, |_| (place(rng, 21.0), place(rng, 0.7), rng.range(0.0, 0.3)));
    let sizes = Boxes::of(450, |_| (place(rng, 60.0), [0.0; 2], rng.range(-6.0, 3.0).exp2()));
    let asked = Boxes::of(150, |_| (place(rng, 23.0), [0.0; 2], 0.0));
    let large = Boxes::of(60, |_| (place(rng, 21.0), place(rng, 5.0), rng.range(0.0, 2.0)));
    for (name, shapes) in [
        ("points", points),
        ("circles", circles),
        ("boxes", boxes),
        ("rounded boxes", rounded),
        ("sizes", sizes),
    ] {
        check(name, &shapes, &asked);
        check_queries(name, &shapes, &large);
    }
}

#[test]
fn lattices_where_most_distances_tie() {
    let lattice = Boxes::points((0..625).map(|at| [(at % 25) as f32, (at / 25) as f32]));
    let twice = Boxes::points((0..600).map(|at| [(at / 2 % 20) as f32, (at / 40) as f32]));
    // On shapes, in the middle between two and between four, and off the lattice.
    let asked = (0..300).map(|at| [(at % 30) as f32 * 0.5, (at / 30) as f32 * 0.5]);
    let asked = Boxes::points(asked.chain([[-3.0, 7.0], [40.0, 40.0], [12.25, 3.0]]));
    check("lattice", &lattice, &asked);
    check("each place twice", &twice, &asked);
}

#[test]
fn crowds_gaps_and_few_shapes() {
    let rng = &mut Rng::new(22);
    let mut normal = |center: [f32; 2], size: f32| {
        let around = |rng: &mut Rng| (0..6).map(|_| rng.range(-1.0, 1.0)).sum::<f32>() * size;
        [center[0] + around(rng), center[1] + around(rng)]
    };
    let centers = [[0.0, 0.0], [300.0, 20.0], [-40.0, 900.0], [3.0, 1.0]];
    let clusters = Boxes::points((0..450).map(|at| normal(centers[at % 4], 0.5)));
    let asked = Boxes::points((0..200).map(|at| normal(centers[at % 4], 2.0)));
    check("clusters", &clusters, &asked);
    let apart = Boxes::points((0..600).map(|at| normal([(at % 2) as f32 * 1e6, 0.0], 4.0)));
    check("two clusters far apart", &apart, &asked);
    let line = Boxes::points((0..500).map(|at| [5.0, at as f32]));
    check("line", &line, &asked);
    let one = Boxes::points((0..400).map(|_| [3.0, 3.0]));
    check("one place", &one, &asked);
    // Without neighbours within any reach that is tried.
    let sparse = Boxes::points((0..300).map(|at| [((at * at) as f32).exp2().min(1e12), 0.0]));
    check("growing gaps", &sparse, &asked);
    for few in [1, 2, 7, 65, 129] {
        let few = Boxes::points((0..few).map(|at| [at as f32 * 0.25, (at * at % 7) as f32]));
        check("few", &few, &asked);
    }
}

#[test]
fn coordinates_from_the_smallest_to_the_largest() {
    let rng = &mut Rng::new(23);
    for scale in [1e-30, 2.0_f32.powi(-60), 1e-9, 3e7, 1e15, 2.0_f32.powi(59)] {
        let shapes = Boxes::of(400, |at| {
            let radius = if at % 3 == 0 { 0.2 * scale } else { 0.0 };
            (place(rng, 20.0).map(|at| at * scale / 20.0), [0.0; 2], radius / 20.0)
        });
        let asked =
            Boxes::of(100, |_| (place(rng, 24.0).map(|at| at * scale / 24.0), [0.0; 2], 0.0));
        check(&format!("scale {scale:e}"), &shapes, &asked);
    }
    // Far from the origin, where few coordinates are left.
    let far = Boxes::of(500, |_| (place(rng, 30.0).map(|at| at + 4e6), [0.0; 2], 0.0));
    let asked = Boxes::of(100, |_| (place(rng, 30.0).map(|at| at + 4e6), [0.0; 2], 0.0));
    check("far from the origin", &far, &asked);
}

/// Queries on the edges and corners of the cells of the index.
#[test]
fn queries_on_the_edges_of_cells() {
    let rng = &mut Rng::new(24);
    let shapes = Boxes::of(900, |_| (place(rng, 30.0), [0.0; 2], 0.0));
    // Shapes on places of queries, which are on many edges of any grid.
    let edges: Vec<[f32; 2]> = (0..240)
        .map(|at| [shapes.0[0][at], shapes.0[1][(at * 7) % 900]])
        .flat_map(|[x, y]| [[x, y], [x.next_down(), y.next_up()]])
        .collect();
    check("edges", &shapes, &Boxes::points(edges));
    let lowest = shapes.0[0].iter().copied().fold(f32::INFINITY, f32::min);
    let highest = shapes.0[1].iter().copied().fold(0.0, f32::max);
    check("corners", &shapes, &Boxes::points([[lowest, highest], [lowest, 0.0], [0.0, highest]]));
}

/// Batches of which most queries go down the tree: from afar, where distances tie, on lines, on one
/// place, between clusters.
#[test]
fn queries_whose_surroundings_are_empty_or_crowded() {
    let rng = &mut Rng::new(26);
    let square: Vec<[f32; 2]> = (0..600).map(|_| place(rng, 24.0)).collect();
    let asked: Vec<[f32; 2]> = (0..90).map(|_| place(rng, 24.0)).collect();
    let moved = |by: [f32; 2]| Boxes::points(asked.iter().map(|at| [at[0] + by[0], at[1] + by[1]]));
    let shapes = [
        ("points", Boxes::points(square.clone())),
        ("circles", Boxes::of(500, |row| (square[row], [0.0; 2], [0.3, 0.0, 4.0][row % 3]))),
        ("boxes", Boxes::of(500, |row| (square[row], [0.5, [0.1, 9.0][row % 2]], 0.0))),
        ("rounded boxes", Boxes::of(300, |row| (square[row], [0.5, 0.1], 0.01 * row as f32))),
    ];
    for (name, shapes) in &shapes {
        check_rows(name, shapes);
        for by in [
            [30.0, 0.0],
            [1e3, -2e3],
            [0.0, 1e6],
            // Where a few places round to one place.
            [6e7, 0.0],
            [-4e7, 6e7],
            [-1e9, 1e9],
            [1e17, 0.0],
        ] {
            check_queries(&format!("{name}, from {by:?}"), shapes, &moved(by));
        }
        let sized = Boxes::of(60, |row| {
            let [x, y] = asked[row];
            ([x + 2e4, y], [0.5 * row as f32, 1.0], [0.0, 1.5][row % 2])
        });
        check_queries(&format!("{name}, from boxes"), shapes, &sized);
        let mut apart = shapes.clone();
        for side in [0, 2] {
            for x in apart.0[side].iter_mut().step_by(2) {
                *x += 1e6;
            }
        }
        check(&format!("{name}, between clusters"), &apart, &moved([4e5, 0.0]));
    }
    let line = Boxes::points((0..700).map(|row| [5.0, (row * 331 % 700) as f32]));
    check("a line", &line, &line);
    check_queries("beside a line", &line, &moved([700.0, 0.0]));
    let halved = Boxes::points((0..400).map(|row| [(-0.1 * (row * 7 % 400) as f32).exp2(), 0.0]));
    check("distances from 1 to 2^-40", &halved, &Boxes::points([[0.0; 2]; 40]));
    let stacked = Boxes::of(400, |row| ([3.0; 2], [0.0; 2], if row < 200 { 2.0 } else { 40.0 }));
    check("circles at one place", &stacked, &moved([0.0; 2]));
    let crowd = Boxes::points((0..300).map(|_| [3.0; 2]));
    check("points at one place", &crowd, &moved([0.0; 2]));
}

/// Shapes that are no boxes: batches find the results of single queries.
#[test]
fn rotated_shapes_as_single_queries() {
    let rng = &mut Rng::new(27);
    let floor = Shapes::from_slice(
        &(0..500).map(|x| Segment::new([x as f32, 0.0], [x as f32 + 1.0, 0.0])).collect::<Vec<_>>(),
    );
    let segments = (0..500).map(|_| {
        let [x, y] = place(rng, 24.0);
        let [along, up] = place(rng, 3.0);
        Segment::new([x, y], [x + along - 1.5, y + up - 1.5])
    });
    let segments = Shapes::from_slice(&segments.collect::<Vec<_>>());
    let triangles = (0..400).map(|row| {
        let [x, y] = place(rng, 24.0);
        let size = [0.2, 0.5, 9.0][row % 3];
        ConvexPolygon::new(&[[x, y], [x + size, y + 0.3 * size], [x - 0.2 * size, y + size]])
            .unwrap()
    });
    let triangles = Shapes::from_slice(&triangles.collect::<Vec<_>>());
    let sets = [floor, segments, triangles].map(Result::unwrap);
    for (&level, shapes) in
        levels().iter().flat_map(|level| sets.iter().map(move |set| (level, set)))
    {
        let options = IndexOptions { simd_level: Some(level), ..Default::default() };
        let mut index = Index::with_options(options).unwrap();
        index.rebuild(shapes.columns()).unwrap();
        for by in [[0.0; 2], [3.0, 1.0], [40.0, 0.0], [1e6, -1e6]] {
            let asked: Vec<Point> = (0..60)
                .map(|_| Point::new([0, 1].map(|axis| place(rng, 24.0)[axis] + by[axis])))
                .collect();
            let points = Shapes::from_slice(&asked).unwrap();
            compare(&index, &points, |query, k, most, near| {
                index.k_nearest(asked[query], k, most, near).unwrap();
            });
            let moved: Vec<Segment> = asked
                .iter()
                .map(|at| Segment::new([at.x, at.y], [at.x + 0.7, at.y - 2.0]))
                .collect();
            let moved_shapes = Shapes::from_slice(&moved).unwrap();
            compare(&index, &moved_shapes, |query, k, most, near| {
                index.k_nearest(moved[query], k, most, near).unwrap();
            });
        }
    }
}

/// Compares batches with single queries.
fn compare(
    index: &Index,
    queries: &Shapes,
    single: impl Fn(usize, usize, f32, &mut Vec<Neighbor>),
) {
    let (mut lists, mut nearest, mut near) = (Lists::new(), Vec::new(), Vec::new());
    single(0, 3, f32::INFINITY, &mut near);
    // A distance that some shape has exactly, and one just below it.
    let third = near[2].distance;
    for max_distance in [f32::INFINITY, third, third.next_down().max(0.0)] {
        index.nearest_batch(queries.columns(), max_distance, &mut nearest).unwrap();
        for k in [0, 1, 2, 8, 28, 29, index.len() - 3, index.len()] {
            index.k_nearest_batch(queries.columns(), k, max_distance, &mut lists).unwrap();
            for (query, nearest) in nearest.iter().enumerate() {
                single(query, k, max_distance, &mut near);
                assert_eq!(lists.get(query), near, "k = {k}, at most {max_distance}, {query}");
                if k == 1 {
                    assert_eq!(nearest.as_slice(), near, "at most {max_distance}, {query}");
                }
            }
        }
    }
}
