//! Measures the queries of an `Index`, and swept pairs, beside parry2d, rstar, packed_spatial_index,
//! kiddo and sprk: the same bodies, the same queries, one run, one thread. The answers are compared
//! before anything is timed.

use std::{hint::black_box, io::Write, num::NonZero, time::Instant};

use anyhow::{Result, ensure};
use clap::Parser;
use comfy_table::Table;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use packed_spatial_index::{
    Box2D, Index2DBuilder, NeighborWorkspace, Point2D, SearchWorkspace, SimdIndex2DF32,
};
use parry2d::{
    bounding_volume::Aabb as ParryAabb,
    math::{Pose, Vector},
    partitioning::{Bvh, BvhBuildStrategy},
    query::{Ray as ParryRay, RayCast, ShapeCastOptions, cast_shapes},
    shape::Ball,
};
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};
use sprk::Sprk;
use widephase::{
    Bullets, Columns, Detector, Displacements, Fan, Index, Lists, Neighbor, Options, Pair, Queries,
    Ray, SimdLevel, Threads, columns::ScanColumns, shape::Point,
};

/// widephase's queries beside parry2d, rstar, packed_spatial_index, kiddo and sprk
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// Bodies
    #[arg(short, default_value_t = 100_000)]
    n: usize,
    /// Queries in a batch
    #[arg(short, default_value_t = 10_000)]
    queries: usize,
    /// SIMD level [default: the preferred one]
    #[arg(long)]
    level: Option<SimdLevel>,
    /// Rounds; each gives every executor a turn
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Only lines whose name contains this
    #[arg(long, default_value = "")]
    only: String,
}

/// Circles of radius 0.4 in a square with this many of them in a unit of area.
struct World {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    side: f32,
}

const RADIUS: f32 = 0.4;
const RANGE: f32 = 30.0;

struct Rng(u64);

impl Rng {
    fn below(&mut self, end: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32 * end
    }
}

impl World {
    fn new(n: usize, density: f32) -> Self {
        let side = (n as f32 / density).sqrt();
        let mut rng = Rng(7);
        let (x, y) = (0..n).map(|_| (rng.below(side), rng.below(side))).unzip();
        Self { x, y, radius: vec![RADIUS; n], side }
    }

    fn columns(&self) -> Result<Columns<'_>> {
        Ok(Columns::circles(&self.x, &self.y, &self.radius)?)
    }

    fn places(&self, queries: usize) -> Vec<[f32; 2]> {
        let mut rng = Rng(99);
        (0..queries).map(|_| [rng.below(self.side), rng.below(self.side)]).collect()
    }

    /// The boxes of the bodies, or of points at their centres if `half` is 0.
    fn packed(&self, half: f32) -> Result<SimdIndex2DF32> {
        let mut builder = Index2DBuilder::new(self.x.len());
        for (&x, &y) in self.x.iter().zip(&self.y) {
            let [x, y, half] = [x, y, half].map(f64::from);
            builder.add(Box2D::new(x - half, y - half, x + half, y + half));
        }
        Ok(builder.finish_simd_f32()?)
    }

    fn bvh(&self) -> Bvh {
        let boxes =
            self.x.iter().zip(&self.y).map(|(&x, &y)| {
                ParryAabb::from_half_extents(Vector::new(x, y), Vector::splat(RADIUS))
            });
        Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate())
    }
}

/// Answers all queries once.
type Executor<'a> = Box<dyn FnMut() + 'a>;

/// The executors of one line, which run in turns.
struct Line<'a> {
    name: String,
    executors: Vec<(&'static str, Executor<'a>)>,
}

/// The median time of each executor in nanoseconds a query.
fn measure(line: &mut Line<'_>, rounds: usize, queries: usize) -> Vec<f64> {
    let mut times = vec![Vec::new(); line.executors.len()];
    for _ in 0..rounds {
        for ((_, run), times) in line.executors.iter_mut().zip(&mut times) {
            run();
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_nanos() as f64 / queries as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

fn options(args: &Args) -> Options {
    Options { simd_level: args.level, threads: Threads::Calling, ..Options::default() }
}

fn index(args: &Args, columns: Columns<'_>) -> Result<Index> {
    let mut index = Index::with_options(options(args).into())?;
    index.rebuild(columns)?;
    Ok(index)
}

fn parry_ray(bvh: &Bvh, world: &World, ray: &Ray) -> Option<(u32, f32)> {
    let parry = ParryRay::new(Vector::new(ray.x, ray.y), Vector::new(ray.dx, ray.dy));
    bvh.cast_ray(&parry, ray.max_fraction, |row, best| {
        let (x, y) = (world.x[row as usize], world.y[row as usize]);
        Ball::new(RADIUS).cast_ray(&Pose::from_translation(Vector::new(x, y)), &parry, best, true)
    })
}

fn report(args: &Args, table: &mut Table, mut line: Line<'_>, queries: usize) -> Result<()> {
    if !line.name.contains(&args.only) {
        return Ok(());
    }
    let times = measure(&mut line, args.rounds, queries);
    for ((executor, _), time) in line.executors.iter().zip(&times) {
        table.add_row([
            line.name.clone(),
            (*executor).to_owned(),
            format!("{time:.1}"),
            format!("{:.1}", time / times[0]),
        ]);
    }
    writeln!(std::io::stderr(), "{}: {times:.1?}", line.name)?;
    Ok(())
}

fn rays(args: &Args, table: &mut Table) -> Result<()> {
    for density in [0.05, 1.0] {
        let world = World::new(args.n, density);
        let (index, bvh) = (index(args, world.columns()?)?, world.bvh());
        let middle = [world.side * 0.5 + 0.123, world.side * 0.5 + 0.456];
        let angle = |k: usize, of: usize| k as f32 / of as f32 * std::f32::consts::TAU;
        let towards =
            |from: [f32; 2], angle: f32| Ray::new(from, [angle.cos(), angle.sin()]).up_to(RANGE);
        let fan: Vec<Ray> = (0..1000).map(|k| towards(middle, angle(k, 1000))).collect();
        let random: Vec<Ray> = world
            .places(args.queries)
            .into_iter()
            .enumerate()
            .map(|(k, place)| towards(place, angle(k * 7919 % 1000, 1000)))
            .collect();
        for (name, rays) in [("fan", &fan), ("random", &random)] {
            let mut hits = Vec::new();
            index.cast_ray_batch(rays, &mut hits)?;
            let mut differing = 0;
            for (ray, hit) in rays.iter().zip(&hits) {
                let theirs = parry_ray(&bvh, &world, ray).map(|(_, distance)| distance);
                let ours = hit.map(|hit| hit.fraction);
                let near = match (ours, theirs) {
                    (Some(ours), Some(theirs)) => (ours - theirs).abs() < 1e-2,
                    (None, None) => true,
                    _ => false,
                };
                differing += usize::from(!near);
            }
            ensure!(differing * 1000 <= rays.len(), "{differing} rays differ");
            let line = Line {
                name: format!("ray, {name}, density {density}"),
                executors: vec![
                    ("widephase", Box::new(|| index.cast_ray_batch(rays, &mut hits).unwrap())),
                    (
                        "parry Bvh",
                        Box::new(|| {
                            for ray in rays {
                                black_box(parry_ray(&bvh, &world, ray));
                            }
                        }),
                    ),
                ],
            };
            report(args, table, line, rays.len())?;
        }
        let (lidar, mut scan) = (Fan::around(1000, RANGE), ScanColumns::new());
        let pose = [widephase::shape::Pose::at(middle)];
        let beams: Vec<Ray> = (0..1000).map(|k| lidar.ray(pose[0], k)).collect();
        let mut hits = Vec::new();
        index.cast_ray_batch(&beams, &mut hits)?;
        index.scan(&lidar, &pose, &mut scan)?;
        for (hit, range) in hits.iter().zip(&scan.range) {
            ensure!(hit.map_or(f32::INFINITY, |hit| hit.fraction) == *range, "{hit:?}, {range}");
        }
        let line = Line {
            name: format!("scan of 1000 rays, a ray, density {density}"),
            executors: vec![
                ("widephase", Box::new(|| index.scan(&lidar, &pose, &mut scan).unwrap())),
                (
                    "parry Bvh",
                    Box::new(|| {
                        for ray in &beams {
                            black_box(parry_ray(&bvh, &world, ray));
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, 1000)?;
    }
    Ok(())
}

fn overlaps(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0);
    let (index, bvh) = (index(args, world.columns()?)?, world.bvh());
    let leaves = (0..args.n).map(|row| {
        let (x, y) = (world.x[row], world.y[row]);
        let [min, max] = [-RADIUS, RADIUS].map(|by| [x + by, y + by]);
        GeomWithData::new(Rectangle::from_corners(min, max), row as u32)
    });
    let tree = RTree::bulk_load(leaves.collect());
    let packed = world.packed(RADIUS)?;
    let places = world.places(args.queries);
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
        let close = |theirs: usize| ours.abs_diff(theirs) * 10_000 <= ours;
        let theirs = [a.len(), b.len(), c.len()];
        ensure!(theirs.into_iter().all(close), "{ours}, {theirs:?} overlaps");
        let name = match half {
            0.0 => "points".to_owned(),
            _ => format!("boxes of {0} by {0}", 2.0 * half),
        };
        let line = Line {
            name: format!("overlap, {name}, density 1"),
            executors: vec![
                ("widephase", Box::new(|| index.overlapping_batch(boxes, &mut lists).unwrap())),
                (
                    "parry Bvh",
                    Box::new(|| {
                        a.clear();
                        for k in 0..places.len() {
                            parry(&mut a, k);
                        }
                    }),
                ),
                (
                    "rstar",
                    Box::new(|| {
                        b.clear();
                        for k in 0..places.len() {
                            rstar(&mut b, k);
                        }
                    }),
                ),
                (
                    "packed_spatial_index",
                    Box::new(|| {
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

/// The points within a distance of others.
fn within(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0);
    let index = index(args, Columns::points(&world.x, &world.y)?)?;
    let points: Vec<[f32; 2]> = world.x.iter().zip(&world.y).map(|(&x, &y)| [x, y]).collect();
    let tree = Sprk::<2>::new(&points);
    let places = world.places(args.queries);
    let (x, y): (Vec<f32>, Vec<f32>) = places.iter().map(|&[x, y]| (x, y)).unzip();
    for radius in [1.0, 3.0] {
        let circles = Columns::circles(&x, &y, radius)?;
        let (mut lists, mut found) = (Lists::new(), Vec::<u32>::new());
        index.overlapping_batch(circles, &mut lists)?;
        for place in &places {
            tree.query_radius(place, radius, &mut found);
        }
        let (ours, theirs) = (lists.items().len(), found.len());
        ensure!(ours.abs_diff(theirs) * 10_000 <= ours, "{ours}, {theirs} points");
        let line = Line {
            name: format!("points within {radius}, density 1"),
            executors: vec![
                ("widephase", Box::new(|| index.overlapping_batch(circles, &mut lists).unwrap())),
                (
                    "sprk",
                    Box::new(|| {
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

fn nearest(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0);
    let index = index(args, Columns::points(&world.x, &world.y)?)?;
    let points: Vec<[f32; 2]> = world.x.iter().zip(&world.y).map(|(&x, &y)| [x, y]).collect();
    let (tree, packed) = (ImmutableKdTree::new_from_slice(&points)?, world.packed(0.0)?);
    let mut workspace = NeighborWorkspace::new();
    let places = world.places(args.queries);
    let (x, y): (Vec<f32>, Vec<f32>) = places.iter().map(|&[x, y]| (x, y)).unzip();
    let queries = Columns::points(&x, &y)?;
    for k in [1, 8] {
        let mut lists: Lists<Neighbor> = Lists::new();
        let mut near = Vec::new();
        index.k_nearest_batch(queries, k, f32::INFINITY, &mut lists)?;
        let most = NonZero::new(k).unwrap_or(NonZero::<usize>::MIN);
        for (place, near) in places.iter().zip(lists.iter()) {
            let point = Point2D::new(f64::from(place[0]), f64::from(place[1]));
            let rows = packed.neighbors_with(point, k, f64::INFINITY, &mut workspace);
            ensure!(
                near.iter().map(|near| near.row as usize).eq(rows.iter().copied()),
                "{place:?}"
            );
            let theirs = tree.query(place).nearest_n::<SquaredEuclidean<f32>>(most).execute();
            for (ours, theirs) in near.iter().zip(theirs) {
                let theirs = theirs.distance.sqrt();
                ensure!((ours.distance - theirs).abs() < 1e-3, "{place:?}: {ours:?}, {theirs}");
            }
        }
        let line = Line {
            name: format!("nearest, k = {k}"),
            executors: vec![
                (
                    "widephase",
                    Box::new(|| {
                        index.k_nearest_batch(queries, k, f32::INFINITY, &mut lists).unwrap();
                    }),
                ),
                (
                    "widephase, one by one",
                    Box::new(|| {
                        for place in &places {
                            let point = Point::new(*place);
                            if k == 1 {
                                black_box(index.nearest(point, f32::INFINITY).unwrap());
                            } else {
                                index.k_nearest(point, k, f32::INFINITY, &mut near).unwrap();
                            }
                        }
                    }),
                ),
                (
                    "kiddo",
                    Box::new(|| {
                        for place in &places {
                            let query = tree.query(place);
                            if k == 1 {
                                black_box(query.nearest_one::<SquaredEuclidean<f32>>().execute());
                            } else {
                                black_box(query.nearest_n::<SquaredEuclidean<f32>>(most).execute());
                            }
                        }
                    }),
                ),
                (
                    "packed_spatial_index",
                    Box::new(|| {
                        for place in &places {
                            let point = Point2D::new(f64::from(place[0]), f64::from(place[1]));
                            black_box(packed.neighbors_with(
                                point,
                                k,
                                f64::INFINITY,
                                &mut workspace,
                            ));
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, places.len())?;
    }
    Ok(())
}

/// Which moving circles meet during a step, a circle: swept pairs, and the circles grown by their
/// moves, whose pairs parry casts.
fn swept(args: &Args, table: &mut Table) -> Result<()> {
    let world = World::new(args.n, 1.0);
    let columns = world.columns()?;
    let mut detector = Detector::with_options(options(args))?;
    let mut grown_detector = Detector::with_options(options(args))?;
    for step in [0.05, 0.1, 0.5] {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..args.n)
            .map(|row| row as f32 * 2.399_963)
            .map(|angle| (step * angle.cos(), step * angle.sin()))
            .unzip();
        let moves = Displacements { x: &x, y: &y, bullets: Bullets::All };
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
            let near = hit.is_some_and(|hit| (hit.time_of_impact - impact.fraction).abs() < 1e-2);
            differing += usize::from(!near);
        }
        ensure!(
            ours.abs_diff(theirs) * 1000 <= ours && differing * 1000 <= ours,
            "{ours}, {theirs} impacts; {differing} differ"
        );
        let line = Line {
            name: format!("swept circles, moves of {step}, density 1"),
            executors: vec![
                (
                    "widephase",
                    Box::new(|| detector.swept_pairs(columns, moves, &mut impacts).unwrap()),
                ),
                (
                    "widephase's pairs, parry's casts",
                    Box::new(|| {
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

fn main() -> Result<()> {
    let args = Args::parse();
    let mut table = Table::new();
    table.set_header(["query", "executor", "ns a query", "times widephase"]);
    rays(&args, &mut table)?;
    overlaps(&args, &mut table)?;
    within(&args, &mut table)?;
    nearest(&args, &mut table)?;
    swept(&args, &mut table)?;
    Ok(writeln!(std::io::stdout(), "{table}")?)
}
