//! What stops a motion: known cases, the options, and bodies that jump, land and slide by casts.

use widephase::{
    CastOptions, Columns, Detector, Displacements, Hit, Index, IndexOptions, Lists, Options,
    Queries, Shapes, Touching,
    narrowphase::{CastStart, distance, time_of_impact},
    shape::{
        Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, HalfPlane, Obb, OwnedShape, Point,
        Pose, Rotation, Segment, Shape, Sides,
    },
};

use common::{POLICIES, Rng, crowd::PosedShape, product};

fn index(shapes: &Shapes, touching: Touching) -> Index {
    let mut index =
        Index::with_options(IndexOptions { touching, ..IndexOptions::default() }).unwrap();
    index.rebuild(shapes).unwrap();
    index
}

fn one(shape: impl Shape) -> Shapes {
    Shapes::from_slice(&[shape]).unwrap()
}

/// A chain of these vertices with contacts on its left side.
fn floor(vertices: &[[f32; 2]]) -> Shapes {
    let mut shapes = Shapes::new();
    shapes.push_chain(&Chain::open(vertices).unwrap().with_sides(Sides::Left)).unwrap();
    shapes
}

/// The hit of the first row of `own`, by all calls and both policies: they agree.
#[track_caller]
fn cast(own: &Shapes, by: [f32; 2], shapes: &Shapes) -> Option<Hit> {
    let mut found: Option<Option<Hit>> = None;
    let mut agrees = |hit: Option<Hit>, what: &str| {
        let expected = *found.get_or_insert(hit);
        assert_eq!(hit, expected, "{what}");
    };
    for touching in POLICIES {
        let index = index(shapes, touching);
        let (mut hits, mut lists) = (Vec::new(), Lists::new());
        index.cast_shape_batch(own, &[by], 1.0, &mut hits).unwrap();
        agrees(hits[0], "a batch");
        index.cast_shape_all_batch(own, &[by], 1.0, &mut lists).unwrap();
        agrees(lists.items().first().copied(), "all hits");
        let options = Options { touching, ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let mut impacts = Vec::new();
        let (dx, dy) = ([by[0]], [by[1]]);
        detector
            .swept_pairs(
                (own, &index),
                Displacements { x: &dx, y: &dy, ..Displacements::default() },
                &mut impacts,
            )
            .unwrap();
        let first = impacts.iter().min_by(|a, b| a.fraction.total_cmp(&b.fraction));
        let swept = first.map(|impact| (impact.pair.b, impact.fraction, impact.normal_x));
        let expected = hits[0].map(|hit| (hit.row, hit.fraction, hit.normal_x));
        assert_eq!(swept, expected, "swept pairs");
    }
    found.flatten()
}

#[test]
fn a_circle_is_met_at_the_very_end_of_the_path() {
    let (mover, obstacle) = (one(Circle::new([0.0; 2], 0.5)), one(Circle::new([3.0, 0.0], 0.5)));
    let hit = cast(&mover, [2.0, 0.0], &obstacle).unwrap();
    assert_eq!((hit.row, hit.fraction, hit.x, hit.normal_x), (0, 1.0, 2.5, -1.0));
    assert_eq!(cast(&mover, [2.0_f32.next_down(), 0.0], &obstacle), None);
}

#[test]
fn a_platform_with_one_side() {
    let platform = floor(&[[0.0, 0.0], [4.0, 0.0]]);
    let rising = one(Aabb::new([1.0, -1.0], [3.0, 1.0]));
    assert_eq!(cast(&rising, [0.0, 4.0], &platform), None);
    // It is across the platform, however deep: it moves as it likes.
    for depth in [1e-4, 0.01, 0.5, 1.0, 1.5, 1.99] {
        let sunk = Aabb::new([1.0, -depth], [3.0, 2.0 - depth]);
        for by in [[0.0, -4.0], [1.0, -4.0], [-3.0, -0.5], [0.0, 1.0], [-4.0, -0.01]] {
            assert_eq!(cast(&one(sunk), by, &platform), None, "{depth} deep, by {by:?}");
        }
        let any = CastOptions { start: CastStart::Any, ..CastOptions::default() };
        let index = index(&platform, Touching::Inclusive);
        assert_eq!(index.cast_shape(sunk, [0.0, -4.0], any).unwrap(), None, "{depth} deep");
    }
    // It lies on it, within roundings.
    for height in [0.0, -1e-7, 1e-7] {
        let on = one(Aabb::new([1.0, height], [3.0, 2.0]));
        let hit = cast(&on, [0.5, -4.0], &platform).unwrap();
        assert!(hit.fraction < 1e-6 && hit.normal_y == 1.0, "{hit:?}");
    }
    // With its middle behind, it falls back.
    let behind = one(Aabb::new([1.0, -1.5], [3.0, 1.0]));
    for by in [[0.0, -4.0], [1.0, -4.0], [-3.0, -0.5]] {
        assert_eq!(cast(&behind, by, &platform), None, "{by:?}");
    }
    let ball = one(Circle::new([2.0, 1.0], 1.0));
    for by in [[0.5, 0.0], [-0.5, 0.0], [0.5, 0.5], [0.0, 9.0]] {
        assert_eq!(cast(&ball, by, &platform), None, "{by:?}");
    }
    let hit = cast(&ball, [0.5, -0.5], &platform).unwrap();
    assert_eq!((hit.fraction, hit.x, hit.y, hit.normal_y), (0.0, 2.0, 0.0, 1.0));
    let two = [Circle::new([2.0, 1.0], 1.0), Circle::new([2.0, 3.0], 1.0)];
    let [a, b] = two.map(PosedShape::from);
    assert_eq!(time_of_impact(&a, [3.0, 3.0], &b, [3.0, 3.0], 1.0).unwrap(), None);
    assert_eq!(time_of_impact(&a, [0.0, 0.0], &b, [0.0, 3.0], 1.0).unwrap(), None);
    assert_eq!(time_of_impact(&a, [1.0, 0.0], &b, [0.0, 0.0], 1.0).unwrap(), None);
    let hit = time_of_impact(&a, [0.0, 1.0], &b, [0.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((hit.fraction, hit.y, hit.normal_y), (0.0, 2.0, -1.0));
}

/// A body that falls back through a platform of several segments is not stopped by their joints.
#[test]
fn joints_behind_a_platform() {
    let platform = floor(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [6.0, 0.0]]);
    for x in 0..24 {
        let x = x as f32 * 0.25 - 1.0;
        let behind = one(Aabb::new([x, -1.5], [x + 1.0, 0.75]));
        for by in [[0.0, -4.0], [3.0, -1.0], [-3.0, -1.0], [2.0, 0.0], [1.0, 5.0]] {
            assert_eq!(cast(&behind, by, &platform), None, "{x} {by:?}");
        }
    }
}

#[test]
fn a_cast_that_starts_in_contact_stops_unless_it_moves_away() {
    let wall = one(Aabb::new([0.0, 0.0], [4.0, 4.0]));
    // By depth: touching a side, a corner, deep, and near the far side.
    for (own, free, stopped) in [
        (
            Aabb::new([-1.0, 1.0], [0.0, 2.0]),
            [[-1.0, 0.0], [0.0, 9.0], [-1.0, 5.0]],
            [[1.0, 0.0], [1.0, 9.0]],
        ),
        (
            Aabb::new([-1.0, 4.0], [0.0, 5.0]),
            [[-1.0, -9.0], [9.0, 0.0], [0.0, -9.0]],
            [[1.0, -1.0], [9.0, -1.0]],
        ),
        (
            Aabb::new([-1.0, 1.0], [0.5, 2.0]),
            [[-1.0, 0.0], [0.0, 9.0], [-1.0, 5.0]],
            [[1.0, 0.0], [1.0, 9.0]],
        ),
        (
            Aabb::new([3.0, 1.0], [5.0, 2.0]),
            [[1.0, 0.0], [0.0, 9.0], [9.0, 5.0]],
            [[-1.0, 0.0], [-9.0, 2.0]],
        ),
    ] {
        for by in free {
            assert_eq!(cast(&one(own), by, &wall), None, "{own:?} {by:?}");
        }
        for by in stopped {
            let hit = cast(&one(own), by, &wall).unwrap_or_else(|| panic!("{own:?} {by:?}"));
            assert_eq!(hit.fraction, 0.0);
            assert!(hit.normal_x * by[0] + hit.normal_y * by[1] < 0.0, "{hit:?}");
        }
    }
    // A half-plane.
    let ground = one(HalfPlane::new([0.0, 1.0], 0.0));
    for y in [1.0, 0.5] {
        let ball = one(Circle::new([7.0, y], 1.0));
        for by in [[1.0, 0.0], [-9.0, 0.0], [3.0, 1.0], [0.0, 0.0]] {
            assert_eq!(cast(&ball, by, &ground), None);
        }
        assert_eq!(cast(&ball, [9.0, -1.0], &ground).map(|hit| hit.fraction), Some(0.0));
    }
    // A thin wall in which a body is stuck lets it out on either side.
    let thin = one(Segment::new([0.0, 0.0], [4.0, 0.0]));
    let stuck = one(Aabb::new([1.0, -1.0], [3.0, 1.0]));
    for by in [[0.0, 4.0], [0.0, -4.0], [9.0, 0.0]] {
        assert_eq!(cast(&stuck, by, &thin), None, "{by:?}");
    }
    let high = one(Aabb::new([1.0, -0.5], [3.0, 1.0]));
    assert_eq!(cast(&high, [0.0, 4.0], &thin), None);
    assert_eq!(cast(&high, [0.0, -4.0], &thin).map(|hit| hit.fraction), Some(0.0));
    // A point stops at a wall without width, head on, too, and has left it once it is on it.
    let point = one(Point::new([-1.0, 0.0]));
    assert_eq!(cast(&point, [4.0, 0.0], &thin).map(|hit| hit.fraction), Some(0.25));
    let above = one(Point::new([1.0, 1e-9]));
    assert_eq!(cast(&above, [0.0, -1e-3], &thin).map(|hit| hit.row), Some(0));
}

/// A shape without width across its way does not pass between two shapes side by side.
#[test]
fn seams_stop_what_is_narrow() {
    for far in [0.0, 10_000.0] {
        let boxes = [0.0, 1.0].map(|x| Aabb::new([far + x, 0.0], [far + x + 1.0, 1.0]));
        let tiles = Shapes::from_slice(&boxes).unwrap();
        for own in [
            one(Point::new([far + 1.0, 5.0])),
            one(Circle::new([far + 1.0, 5.0], 1e-7)),
            one(Segment::new([far + 1.0, 5.0], [far + 1.0, 6.0])),
        ] {
            let hit = cast(&own, [0.0, -10.0], &tiles).expect("a seam of tiles");
            assert_eq!((hit.y, hit.normal_y), (1.0, 1.0));
        }
        let line = [[far, 1.0], [far + 1.0, 1.0], [far + 2.0, 1.0]];
        let point = one(Point::new([far + 1.0, 5.0]));
        assert!(cast(&point, [0.0, -10.0], &floor(&line)).is_some(), "a joint of a chain");
    }
}

#[test]
fn a_gap_is_kept() {
    let wall = Index::build(Columns::aabbs(&[4.0], &[-9.0], &[5.0], &[9.0]).unwrap()).unwrap();
    let options = |gap: f32, start: CastStart| CastOptions { gap, start, ..CastOptions::default() };
    let ball = |x: f32| Circle::new([x, 0.0], 1.0);
    let cast = |x: f32, by: [f32; 2], gap: f32, start: CastStart| {
        let hit = wall.cast_shape(ball(x), by, options(gap, start)).unwrap();
        hit.map(|hit| (hit.fraction, hit.x, hit.normal_x))
    };
    let inward = CastStart::Inward;
    assert_eq!(cast(0.0, [8.0, 0.0], 0.0, inward), Some((0.375, 4.0, -1.0)));
    assert_eq!(cast(0.0, [8.0, 0.0], 1.0, inward), Some((0.25, 4.0, -1.0)));
    // At the gap and nearer, it moves along and away, and not further in.
    for x in [2.0, 2.5] {
        assert_eq!(cast(x, [0.0, 5.0], 1.0, inward), None);
        assert_eq!(cast(x, [-3.0, 5.0], 1.0, inward), None);
        let hit = cast(x, [0.5, 0.0], 1.0, inward).unwrap();
        assert_eq!((hit.0, hit.2), (0.0, -1.0));
        assert_eq!(cast(x, [-1.0, 0.0], 1.0, CastStart::Any).map(|hit| hit.0), Some(0.0));
        assert_eq!(cast(x, [9.0, 0.0], 1.0, CastStart::Ignored), None);
    }
    assert_eq!(cast(1.5, [9.0, 0.0], 1.0, CastStart::Ignored).map(|hit| hit.0 > 0.0), Some(true));
    // A motion that passes the wall in less than the gap.
    let beside = Circle::new([4.5, 10.5], 1.0);
    assert_eq!(wall.cast_shape(beside, [3.0, 0.0], 1.0).unwrap(), None);
    assert!(wall.cast_shape(beside, [-3.0, -0.25], options(1.0, inward)).unwrap().is_some());
    // Moved by the fraction, it can be moved along, for each gap.
    let mut rng = Rng::new(5);
    for _ in 0..1000 {
        let gap = 10.0_f32.powf(rng.range(-4.0, 0.5));
        let start = [rng.range(-9.0, 2.0) - gap, rng.range(-5.0, 5.0)];
        let by = [rng.range(3.0, 20.0), rng.range(-2.0, 2.0)];
        let circle = Circle::new(start, rng.range(0.1, 1.0));
        let hit = wall.cast_shape(circle, by, options(gap, inward)).unwrap();
        let Some(hit) = hit else { continue };
        let at = [start[0] + by[0] * hit.fraction, start[1] + by[1] * hit.fraction];
        let moved = Circle::new(at, circle.radius);
        let left = 4.0 - (at[0] + circle.radius);
        assert!((left - gap).abs() < 4e-6, "{left} {gap}");
        for along in [[0.0, 3.0], [0.0, -3.0], [-1.0, 1.0]] {
            assert_eq!(wall.cast_shape(moved, along, options(gap, inward)).unwrap(), None);
        }
    }
}

#[test]
fn all_hits_and_rows_to_pass() {
    let (x, y, radius) = ([3.0, 6.0, 9.0, 6.0], [0.0, 0.0, 0.0, 9.0], [1.0; 4]);
    let index = Index::build(Columns::circles(&x, &y, &radius).unwrap()).unwrap();
    let (ball, by) = (Circle::new([0.0, 0.0], 1.0), [16.0, 0.0]);
    let mut hits = Vec::new();
    index.cast_shape_all(ball, by, 1.0, &mut hits).unwrap();
    let found: Vec<_> = hits.iter().map(|hit| (hit.row, hit.fraction)).collect();
    assert_eq!(found, [(0, 0.0625), (1, 0.25), (2, 0.4375)]);
    let not_the_first = |row| row != 0;
    let others = index.filtered_by(&not_the_first);
    assert_eq!(others.cast_shape(ball, by, 1.0).unwrap(), Some(hits[1]));
    let mut rest = Vec::new();
    others.cast_shape_all(ball, by, 0.3, &mut rest).unwrap();
    assert_eq!(rest, hits[1..2]);
    let mut lists = Lists::new();
    let two = Shapes::from_slice(&[ball, Circle::new([6.0, 5.0], 1.0)]).unwrap();
    index.cast_shape_all_batch(&two, &[by, [0.0, 4.0]], 1.0, &mut lists).unwrap();
    assert_eq!(lists.get(0), hits);
    assert_eq!(lists.get(1).iter().map(|hit| hit.row).collect::<Vec<_>>(), [3]);
    assert!(index.cast_shape_all(ball, [f32::NAN, 0.0], 1.0, &mut hits).is_err());
    assert!(hits.is_empty());
}

/// The kinds of bodies that move: each about a unit wide, the origin inside.
fn bodies(rng: &mut Rng) -> [OwnedShape; 5] {
    let mut size = || rng.range(0.2, 1.0);
    let turn = Rotation::from_angle(size() * 6.0);
    let hexagon: Vec<[f32; 2]> = (0..6)
        .map(|corner| {
            let (sin, cos) = (corner as f32 + size() * 0.5).sin_cos();
            [cos * 0.75, sin * 0.75]
        })
        .collect();
    let [w, h] = [size(), size()];
    [
        Circle::new([0.0, 0.0], size()).into(),
        Aabb::new([-size(), -size()], [size(), size()]).into(),
        Obb::new([0.0, 0.0], [w, h], turn).into(),
        Capsule::new([-size(), size() - 0.6], [size(), 0.3], size() * 0.5).into(),
        ConvexPolygon::hull(&hexagon).unwrap().into(),
    ]
}

/// A body that is moved by casts.
struct PlacedShape {
    store: Shapes,
    at: [f32; 2],
}

impl PlacedShape {
    fn new(shape: &OwnedShape, at: [f32; 2]) -> Self {
        let mut store = Shapes::new();
        store.push_at(shape, Pose::at(at)).unwrap();
        Self { store, at }
    }

    fn cast(&self, by: [f32; 2], options: impl Into<CastOptions>, index: &Index) -> Option<Hit> {
        let mut hits = Vec::new();
        index.cast_shape_batch(&self.store, &[by], options, &mut hits).unwrap();
        hits[0]
    }

    /// Moves it by a share of a translation.
    fn advance(&mut self, by: [f32; 2], share: f32) {
        self.at = [self.at[0] + by[0] * share, self.at[1] + by[1] * share];
        self.store.set_pose(0, Pose::at(self.at)).unwrap();
    }

    /// Its lowest point.
    fn low(&self) -> f32 {
        let bounds = self.store.bounds(0).unwrap();
        bounds.min_y - bounds.radius
    }
}

/// Bodies land on floors of many tiles at any height, and then move along and away.
#[test]
fn landed_bodies_move_along_and_away() {
    let mut rng = Rng::new(77);
    let (mut landed, mut slopes) = (0, 0);
    for round in 0..240 {
        let at = [rng.range(-900.0, 900.0), rng.range(-900.0, 900.0)];
        // A rise of 0 is flat. Vertices are rounded, so the tiles of a slope are not quite in line.
        let rise = if rng.below(3) == 0 { 0.0 } else { rng.range(-1.0, 1.0) };
        let far = [1.0, 0.03, if rise == 0.0 { 1e3 } else { 1e-3 }][round % 3];
        let at = at.map(|at| at * far);
        let tile = rng.range(0.5, 3.0);
        let vertex = |number: i32| {
            let x = at[0] + number as f32 * tile;
            [x, at[1] + (x - at[0]) * rise]
        };
        let mut shapes = Shapes::new();
        for number in -20..20 {
            let (left, right) = (vertex(number), vertex(number + 1));
            match round % 4 {
                0 if rise == 0.0 => {
                    shapes.push(Aabb::new([left[0], left[1] - 1.0], right)).unwrap();
                }
                0 | 1 => {
                    let low = [right[0], left[1].min(right[1]) - 2.0];
                    let tile = [left, [left[0], low[1]], low, right];
                    shapes.push(ConvexPolygon::hull(&tile).unwrap()).unwrap();
                }
                2 => drop(shapes.push(Segment::new(left, right)).unwrap()),
                _ => {
                    if number == -20 {
                        let line: Vec<_> = (-20..=20).map(vertex).collect();
                        let chain = Chain::open(&line).unwrap().with_sides(Sides::Left);
                        shapes.push_chain(&chain).unwrap();
                    }
                }
            }
        }
        let index = index(&shapes, POLICIES[round / 4 % 2]);
        for shape in bodies(&mut rng) {
            let x = rng.range(-4.0, 4.0);
            let start = [at[0] + x, at[1] + x * rise + rng.range(3.0, 6.0)];
            let mut body = PlacedShape::new(&shape, start);
            let fall = [rng.range(-3.0, 3.0), -12.0];
            let what = |body: &PlacedShape| format!("round {round}, {shape:?} at {:?}", body.at);
            let hit = body.cast(fall, 1.0, &index).unwrap_or_else(|| panic!("{}", what(&body)));
            body.advance(fall, hit.fraction);
            let (nx, ny) = (hit.normal_x, hit.normal_y);
            assert!(ny > 0.5, "{hit:?} {}", what(&body));
            let lengths = [0.01, 0.3, 2.0, 8.0];
            for (length, sign) in product((lengths, [1.0, -1.0])) {
                let along = [ny * length * sign, -nx * length * sign];
                let stop = body.cast(along, 1.0, &index);
                assert_eq!(stop, None, "along {along:?}, {}", what(&body));
            }
            for length in lengths {
                let turn = Rotation::from_angle(rng.range(-1.5, 1.5));
                let away = turn.apply([nx * length, ny * length]);
                assert_eq!(body.cast(away, 1.0, &index), None, "away {away:?}, {}", what(&body));
            }
            let into = body.cast([-nx, -ny], 1.0, &index);
            let into = into.unwrap_or_else(|| panic!("it sinks: {}", what(&body)));
            assert!(into.fraction <= 1e-3 * far.max(1.0), "{into:?} {}", what(&body));
            landed += 1;
            slopes += usize::from(rise != 0.0);
        }
    }
    assert!(landed == 1200 && slopes > 600, "{landed} {slopes}");
}

/// A floor with one side, straight or bent, stops bodies only in front: a little further along the
/// normal, the body touches no piece of it. So does a compound, and a shape that is across the
/// floor or beside its end at the start.
#[test]
fn floors_with_one_side_stop_only_what_is_in_front() {
    let mut rng = Rng::new(31);
    let (mut stopped, mut free, mut passed) = (0, 0, 0);
    for round in 0..400 {
        let turn = Rotation::from_angle(rng.range(-3.0, 3.0));
        let bend = [0.0, rng.range(-0.3, 0.3)][round % 2];
        let at = |x: f32, up: f32| turn.apply([x, x.abs() * bend + up]);
        let mut line: Vec<[f32; 2]> = (-2..=2).map(|x| at(x as f32 * 2.5, 0.0)).collect();
        let mut sides = Sides::Left;
        if round % 4 > 1 {
            line.reverse();
            sides = Sides::Right;
        }
        let mut floor = Shapes::new();
        floor.push_chain(&Chain::open(&line).unwrap().with_sides(sides)).unwrap();
        let pieces: Vec<_> = line.windows(2).map(|ends| Segment::new(ends[0], ends[1])).collect();
        let [legs, head] = [
            Obb::new(turn.apply([0.0, -0.5]), [0.1, 0.5], turn),
            Obb::new(turn.apply([0.0, 0.25]), [0.7, 0.25], turn),
        ];
        let person: OwnedShape = Compound::new([legs, head]).unwrap().into();
        for shape in bodies(&mut rng).into_iter().chain([person]) {
            let x = if rng.below(4) == 0 { 5.3 } else { rng.range(-1.0, 1.0) };
            let place = at(x, rng.range(-0.9, 2.6));
            let mut store = Shapes::new();
            store.push_at(&shape, Pose::at([0.0; 2])).unwrap();
            let own = store.pose(0).unwrap();
            let placed = |[x, y]: [f32; 2]| Pose { x: place[0] + x, y: place[1] + y, ..own };
            let touches = |by: [f32; 2]| {
                let apart = |piece| distance((&shape, placed(by)), piece).unwrap() > 0.0;
                !pieces.iter().all(apart)
            };
            store.set_pose(0, placed([0.0; 2])).unwrap();
            let up = turn.apply([0.0, 0.02]);
            let is_across = touches(up) && touches([-up[0], -up[1]]);
            let by = turn.apply([rng.range(-2.0, 2.0), rng.range(-3.0, 1.0)]);
            let what = format!("round {round}, {shape:?} at {place:?} by {by:?}");
            let Some(hit) = cast(&store, by, &floor) else {
                passed += usize::from(is_across);
                free += 1;
                continue;
            };
            let on = |way: f32, normal: f32| way * hit.fraction + 1e-3 * normal;
            let moved = [on(by[0], hit.normal_x), on(by[1], hit.normal_y)];
            assert!(!touches(moved), "{what}: {hit:?}");
            let up = turn.apply([0.0, 1.0]);
            let rises = up[0] * hit.normal_x + up[1] * hit.normal_y;
            assert!(rises > 0.45, "{what}: {hit:?}");
            assert!(!is_across || bend > 0.0, "{what}: {hit:?}");
            stopped += 1;
        }
    }
    eprintln!("{stopped} stopped, {free} free, {passed} of these across");
    assert!(stopped > 500 && passed > 500, "{stopped} {free} {passed}");
}

/// Bodies jump through platforms with one side from below, land on them, and are never stuck.
#[test]
fn jumps_through_platforms() {
    let mut rng = Rng::new(42);
    let (mut landings, mut passes, mut falls) = (0, 0, 0);
    for round in 0..40 {
        let mut shapes = floor(&[[-80.0, 0.0], [80.0, 0.0]]);
        let heights: Vec<f32> =
            (0..8).map(|level| 2.5 * (level + 1) as f32 + rng.range(-0.3, 0.3)).collect();
        for height in &heights {
            let line: Vec<_> = (-20..=20).map(|x| [x as f32 * 4.0, *height]).collect();
            shapes.push_chain(&Chain::open(&line).unwrap().with_sides(Sides::Left)).unwrap();
        }
        let index = index(&shapes, POLICIES[round % 2]);
        for shape in bodies(&mut rng) {
            let mut body = PlacedShape::new(&shape, [rng.range(-9.0, 9.0), 1.5]);
            let mut velocity = [0.0, 0.0];
            let mut grounded = 0;
            for step in 0..400 {
                let time = 1.0 / 60.0;
                velocity[1] -= 20.0 * time;
                let by = [velocity[0] * time, velocity[1] * time];
                let what = || format!("round {round}, step {step}, {shape:?} at {:?}", body.at);
                let hit = body.cast(by, 1.0, &index);
                if let Some(hit) = hit {
                    assert!(by[1] < 0.0, "stopped while it rises: {hit:?} {}", what());
                    assert!(hit.normal_y > 0.999, "{hit:?} {}", what());
                    grounded += 1;
                } else {
                    grounded = 0;
                }
                let before = body.low();
                body.advance(by, hit.map_or(1.0, |hit| hit.fraction));
                passes += heights.iter().filter(|y| before < **y && body.low() > **y).count();
                // A fall back begins behind a platform, and passes it.
                let behind = |y: &&f32| before < **y - 0.01 && before + 0.2 > **y;
                falls += usize::from(by[1] < 0.0 && heights.iter().any(|y| behind(&y)));
                assert!(body.low() > -1e-3, "below the ground: {:?}", body.at);
                if hit.is_some() {
                    let on = |height: &f32| (body.low() - height).abs() < 1e-3;
                    let stands = std::iter::once(&0.0).chain(&heights).any(on);
                    landings += usize::from(stands);
                    velocity[1] = 0.0;
                    // It walks on, then jumps again.
                    let walk = [velocity[0] * time, 0.0];
                    assert_eq!(body.cast(walk, 1.0, &index), None, "it catches: {:?}", body.at);
                    if grounded > 10 {
                        velocity = [rng.range(-6.0, 6.0), rng.range(8.0, 14.0)];
                    }
                }
            }
        }
    }
    eprintln!("{landings} landings, {passes} passes, {falls} falls");
    assert!(landings > 5_000 && passes > 500 && falls > 20, "{landings} {passes} {falls}");
}

/// A shape that slides along the floor of an outline into a slope is stopped by it, though it
/// enters the part below the slope through a side that the parts share.
#[test]
fn slopes_of_outlines() {
    let ring = [[-4.0, -2.0], [4.0, -2.0], [4.0, 2.0], [0.0, 0.0], [-4.0, 0.0]];
    let mut shapes = Shapes::new();
    shapes.push(Compound::from_outline(&ring, &[]).unwrap()).unwrap();
    for y in [0.0, -1e-7, 1e-7] {
        for x in [-1.0, -2.0, -3.0] {
            let own = one(Aabb::new([x - 0.25, y], [x + 0.25, y + 0.5]));
            let hit = cast(&own, [4.0, 0.0], &shapes).unwrap_or_else(|| panic!("{x} {y}"));
            assert!((hit.fraction - (-0.25 - x) / 4.0).abs() < 1e-6, "{hit:?}");
            assert!(hit.normal_x < -0.4, "{hit:?}");
            assert_eq!(cast(&own, [-0.5, 0.0], &shapes), None);
            assert_eq!(cast(&own, [-0.25 - x - 1e-3, 0.0], &shapes), None);
        }
    }
}

/// A disc on a corner of a chain is stopped by the segment that its motion is against, though the
/// contact of the corner is the contact of the other segment.
#[test]
fn discs_on_corners_of_chains() {
    let ring = [[12.0, -5.0], [1.0, -2.0], [5.0, -13.0]];
    for (turned, sides) in [(false, Sides::Right), (true, Sides::Left), (false, Sides::Both)] {
        let mut vertices = ring;
        if turned {
            vertices.reverse();
        }
        let mut shapes = Shapes::new();
        shapes.push_chain(&Chain::closed(&vertices).unwrap().with_sides(sides)).unwrap();
        for y in [-0.150_197, -0.1504, -0.2] {
            let disc = one(Circle::new([0.916, y], 1.85171));
            for by in [[2.0, -12.0], [1.0, -2.0], [4.0, -1.5], [1.2, -5.0]] {
                let hit = cast(&disc, by, &shapes);
                // A shape that has sunk into a chain with one side is across it.
                if sides != Sides::Both && y < -0.1503 {
                    assert_eq!(hit, None, "{sides:?} {y} {by:?}");
                    continue;
                }
                let hit = hit.unwrap_or_else(|| panic!("{sides:?} {y} {by:?}"));
                assert_eq!((hit.fraction, hit.normal_y > 0.99), (0.0, true), "{hit:?}");
            }
            for by in [[0.0, 4.0], [-3.0, 1.0], [3.0, 1.0]] {
                assert_eq!(cast(&disc, by, &shapes), None, "{sides:?} {y} {by:?}");
            }
        }
    }
}

/// A rod stands on a chain with one side as a wider body does. At a corner, it leaves along the
/// next side, though that is against the contact of the last side.
#[test]
fn rods_on_chains() {
    let chain = floor(&[[-4.0, 2.0], [0.0, 2.0], [4.0, 2.0], [6.0, 0.0]]);
    for [left, right] in
        [[[1.0, 2.0], [2.0, 2.01]], [[-1.0, 2.5], [1.0, 2.0]], [[0.0, 2.0], [2.0, 4.0]]]
    {
        let own = one(Segment::new(left, right));
        for by in [[0.0, -1.0], [1.0, -0.5], [-0.5, -0.25]] {
            let hit = cast(&own, by, &chain).unwrap_or_else(|| panic!("{left:?} {right:?} {by:?}"));
            assert_eq!((hit.fraction, hit.normal_y > 0.9), (0.0, true), "{hit:?}");
        }
        for by in [[0.0, 1.0], [0.5, 0.0], [-1.0, 0.0], [1.0, 1.0]] {
            assert_eq!(cast(&own, by, &chain), None, "{left:?} {right:?} {by:?}");
        }
    }
    for right in [[5.0, 3.0], [4.0, 3.0]] {
        let own = one(Segment::new([4.0, 2.0], right));
        for by in [[2.0, -2.0], [1.0, -0.5]] {
            assert_eq!(cast(&own, by, &chain), None, "{right:?} {by:?}");
        }
        assert!(cast(&own, [1.0, -3.0], &chain).is_some());
    }
}
