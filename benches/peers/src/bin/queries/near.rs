//! Queries for shapes that overlap, that are near, and that moving circles meet.

use std::{hint::black_box, num::NonZero};

use anyhow::{Result, ensure};
use comfy_table::Table;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use packed_spatial_index::{Box2D, NeighborWorkspace, Point2D, SearchWorkspace, SimdIndex2DF32};
use parry2d::{
    bounding_volume::Aabb as ParryAabb,
    math::{Pose, Vector},
    query::{ShapeCastOptions, cast_shapes},
    shape::Ball,
};
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};
use sprk::Sprk;
use widephase::{
    Columns, Detector, Displacements, Index, Lists, Neighbor, Pair, Queries, shape::Point,
};

use crate::{Args, Line, RADIUS, SETS, World, index, options, report};

pub fn overlaps(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0, 0);
    let (index, bvh) = (index(args, world.columns()?)?, world.bvh(0.0));
    let leaves = (0..args.n).map(|row| {
        let (x, y) = (world.x[row], world.y[row]);
        let [min, max] = [-RADIUS, RADIUS].map(|by| [x + by, y + by]);
        GeomWithData::new(Rectangle::from_corners(min, max), row as u32)
    });
    let tree = RTree::bulk_load(leaves.collect());
    let packed = world.packed(RADIUS)?;
    let places = world.places(0, args.queries);
    for half in [0.0, 1.0, 5.0] {
        let sides = |axis: usize, by: f32| -> Vec<f32> {
            places.iter().map(|place| place[axis] + by).collect()
        };
        let [min_x, min_y] = [sides(0, -half), sides(1, -half)];
        let [max_x, max_y] = [sides(0, half), sides(1, half)];
        let boxes = Columns::aabbs(&min_x, &min_y, &max_x, &max_y)?;
        let mut lists = Lists::new();
        index.overlapping_batch(boxes, &mut lists)?;
        // A circle touches a box when the point of the box that is nearest to its centre is within
        // its radius.
        let touches = |row: u32, k: usize| {
            let (x, y) = (world.x[row as usize], world.y[row as usize]);
            let (dx, dy) = (x - x.clamp(min_x[k], max_x[k]), y - y.clamp(min_y[k], max_y[k]));
            dx * dx + dy * dy <= RADIUS * RADIUS
        };
        let parry = |out: &mut Vec<u32>, k: usize| {
            let sides =
                ParryAabb::new(Vector::new(min_x[k], min_y[k]), Vector::new(max_x[k], max_y[k]));
            out.extend(bvh.intersect_aabb(&sides).filter(|row| touches(*row, k)));
        };
        let rstar = |out: &mut Vec<u32>, k: usize| {
            let sides = AABB::from_corners([min_x[k], min_y[k]], [max_x[k], max_y[k]]);
            let found = tree.locate_in_envelope_intersecting(sides).map(|leaf| leaf.data);
            out.extend(found.filter(|row| touches(*row, k)));
        };
        let packed = |out: &mut Vec<u32>, workspace: &mut SearchWorkspace, k: usize| {
            let [left, low, right, up] = [min_x[k], min_y[k], max_x[k], max_y[k]].map(f64::from);
            let found = packed.search_with(Box2D::new(left, low, right, up), workspace);
            let rows = found.iter().map(|row| *row as u32);
            out.extend(rows.filter(|row| touches(*row, k)));
        };
        let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
        let mut workspace = SearchWorkspace::new();
        for k in 0..args.queries {
            parry(&mut a, k);
            rstar(&mut b, k);
            packed(&mut c, &mut workspace, k);
        }
        let ours = lists.items().len();
        let close = |theirs: usize| ours.abs_diff(theirs) <= ours / 10_000 + 1;
        let theirs = [a.len(), b.len(), c.len()];
        ensure!(theirs.into_iter().all(close), "{ours}, {theirs:?} overlaps");
        let name = match half {
            0.0 => "points".to_owned(),
            _ => format!("boxes of {0} by {0}", 2.0 * half),
        };
        let line = Line {
            name: format!("overlap, {name}, density 1"),
            executors: vec![
                ("widephase", Box::new(|_| index.overlapping_batch(boxes, &mut lists).unwrap())),
                (
                    "parry Bvh",
                    Box::new(|_| {
                        a.clear();
                        for k in 0..places.len() {
                            parry(&mut a, k);
                        }
                    }),
                ),
                (
                    "rstar",
                    Box::new(|_| {
                        b.clear();
                        for k in 0..places.len() {
                            rstar(&mut b, k);
                        }
                    }),
                ),
                (
                    "packed_spatial_index",
                    Box::new(|_| {
                        c.clear();
                        for k in 0..places.len() {
                            packed(&mut c, &mut workspace, k);
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, places.len())?;
    }
    Ok(())
}

/// The points within a distance of other points.
pub fn within(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0, 0);
    let index = index(args, Columns::points(&world.x, &world.y)?)?;
    let tree = Sprk::<2>::new(&world.points());
    let places = world.places(0, args.queries);
    let (x, y): (Vec<f32>, Vec<f32>) = places.iter().map(|&[x, y]| (x, y)).unzip();
    for radius in [1.0, 3.0] {
        let circles = Columns::circles(&x, &y, radius)?;
        let (mut lists, mut found) = (Lists::new(), Vec::<u32>::new());
        index.overlapping_batch(circles, &mut lists)?;
        for place in &places {
            tree.query_radius(place, radius, &mut found);
        }
        let (ours, theirs) = (lists.items().len(), found.len());
        ensure!(ours.abs_diff(theirs) <= ours / 10_000 + 1, "{ours}, {theirs} points");
        let line = Line {
            name: format!("points within {radius}, density 1"),
            executors: vec![
                ("widephase", Box::new(|_| index.overlapping_batch(circles, &mut lists).unwrap())),
                (
                    "sprk",
                    Box::new(|_| {
                        found.clear();
                        for place in &places {
                            tree.query_radius(place, radius, &mut found);
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, places.len())?;
    }
    Ok(())
}

/// Points among which the nearest are searched, and the structures of the other libraries.
struct Points {
    world: World,
    index: Index,
    tree: ImmutableKdTree<f32, 2>,
    packed: SimdIndex2DF32,
}

impl Points {
    fn new(args: &Args, world: World) -> Result<Self> {
        let index = index(args, Columns::points(&world.x, &world.y)?)?;
        let tree = ImmutableKdTree::new_from_slice(&world.points())?;
        Ok(Self { index, tree, packed: world.packed(0.0)?, world })
    }
}

pub fn nearest(args: &Args, table: &mut Table) -> Result<()> {
    let worlds = World::all(args, 1.0).map(|world| Points::new(args, world));
    let worlds = worlds.collect::<Result<Vec<_>>>()?;
    let of = |set: usize| &worlds[set / 2];
    let sets: Vec<Vec<[f32; 2]>> =
        (0..SETS).map(|set| of(set).world.places(set, args.queries)).collect();
    for k in [1, 8] {
        nearest_of(args, table, k, &of, &sets)?;
    }
    Ok(())
}

/// The nearest points of places: in a batch, one by one, and by the other libraries.
fn nearest_of<'a>(
    args: &Args,
    table: &mut Table,
    k: usize,
    of: &dyn Fn(usize) -> &'a Points,
    sets: &[Vec<[f32; 2]>],
) -> Result<()> {
    let most = NonZero::new(k).unwrap_or(NonZero::<usize>::MIN);
    let mut workspace = NeighborWorkspace::new();
    let (mut one, mut lists, mut near) = (Vec::new(), Lists::<Neighbor>::new(), Vec::new());
    for (set, places) in sets.iter().enumerate() {
        let Points { index, tree, packed, .. } = of(set);
        index.k_nearest_batch(Columns::points_at(places)?, k, f32::INFINITY, &mut lists)?;
        ensure!(lists.len() == places.len());
        for (place, near) in places.iter().zip(lists.iter()) {
            let rows = packed.neighbors_with(point(place), k, f64::INFINITY, &mut workspace);
            ensure!(near.iter().map(|near| near.row as usize).eq(rows.iter().copied()));
            let theirs = tree.query(place).nearest_n::<SquaredEuclidean<f32>>(most).execute();
            for (ours, theirs) in near.iter().zip(theirs) {
                let theirs = theirs.distance.sqrt();
                ensure!((ours.distance - theirs).abs() < 1e-3, "{place:?}: {ours:?}, {theirs}");
            }
        }
    }
    let batch = |set: usize| {
        let (index, points) = (&of(set).index, Columns::points_at(&sets[set]).unwrap());
        match k {
            1 => index.nearest_batch(points, f32::INFINITY, &mut one).unwrap(),
            _ => index.k_nearest_batch(points, k, f32::INFINITY, &mut lists).unwrap(),
        }
    };
    let one_by_one = |set: usize| {
        for place in &sets[set] {
            let (index, point) = (&of(set).index, Point::new(*place));
            match k {
                1 => drop(black_box(index.nearest(point, f32::INFINITY).unwrap())),
                _ => index.k_nearest(point, k, f32::INFINITY, &mut near).unwrap(),
            }
        }
    };
    let kiddo = |set: usize| {
        for place in &sets[set] {
            let query = of(set).tree.query(place);
            match k {
                1 => drop(black_box(query.nearest_one::<SquaredEuclidean<f32>>().execute())),
                _ => drop(black_box(query.nearest_n::<SquaredEuclidean<f32>>(most).execute())),
            }
        }
    };
    let packed = |set: usize| {
        for place in &sets[set] {
            let packed = &of(set).packed;
            black_box(packed.neighbors_with(point(place), k, f64::INFINITY, &mut workspace));
        }
    };
    let line = Line {
        name: format!("nearest, k = {k}"),
        executors: vec![
            ("widephase", Box::new(batch)),
            ("widephase, one by one", Box::new(one_by_one)),
            ("kiddo", Box::new(kiddo)),
            ("packed_spatial_index", Box::new(packed)),
        ],
    };
    report(args, table, line, args.queries)
}

fn point([x, y]: &[f32; 2]) -> Point2D {
    Point2D::new(f64::from(*x), f64::from(*y))
}

/// Which moving circles meet during a step, a circle: swept pairs, and the circles grown by their
/// moves, whose pairs parry casts.
pub fn swept(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0, 0);
    let columns = world.columns()?;
    let mut detector = Detector::with_options(options(args))?;
    let mut grown_detector = Detector::with_options(options(args))?;
    for step in [0.05, 0.1, 0.5] {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..args.n)
            .map(|row| row as f32 * 2.399_963)
            .map(|angle| (step * angle.cos(), step * angle.sin()))
            .unzip();
        let moves = Displacements { x: &x, y: &y, ..Displacements::default() };
        let grown: Vec<f32> = world.radius.iter().map(|radius| radius + step).collect();
        let grown = Columns::circles(&world.x, &world.y, &grown)?;
        let cast = |Pair { a, b }: Pair| {
            let [(at_a, move_a), (at_b, move_b)] = [a, b].map(|row| {
                let row = row as usize;
                (Pose::translation(world.x[row], world.y[row]), Vector::new(x[row], y[row]))
            });
            let ball = Ball::new(RADIUS);
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            cast_shapes(&at_a, move_a, &ball, &at_b, move_b, &ball, options)
        };
        let (mut impacts, mut pairs) = (Vec::new(), Vec::new());
        detector.swept_pairs(columns, moves, &mut impacts)?;
        grown_detector.pairs(grown, &mut pairs)?;
        // parry also reports pairs that touch at the start and move apart.
        let ours = impacts.iter().filter(|impact| impact.fraction > 0.0).count();
        let (mut theirs, mut differing) = (0, 0);
        for pair in &pairs {
            theirs += usize::from(cast(*pair)?.is_some_and(|hit| hit.time_of_impact > 0.0));
        }
        for impact in &impacts {
            let hit = cast(impact.pair)?;
            let near = hit.is_some_and(|hit| {
                (hit.time_of_impact - impact.fraction).abs() * 2.0 * step < 1e-3
            });
            differing += usize::from(!near);
        }
        ensure!(
            ours.abs_diff(theirs).max(differing) <= ours / 1000 + 1,
            "{ours}, {theirs} impacts; {differing} differ"
        );
        let line = Line {
            name: format!("swept circles, moves of {step}, density 1"),
            executors: vec![
                (
                    "widephase",
                    Box::new(|_| detector.swept_pairs(columns, moves, &mut impacts).unwrap()),
                ),
                (
                    "widephase's pairs, parry's casts",
                    Box::new(|_| {
                        grown_detector.pairs(grown, &mut pairs).unwrap();
                        for pair in &pairs {
                            let _ = black_box(cast(*pair));
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, args.n)?;
    }
    Ok(())
}
