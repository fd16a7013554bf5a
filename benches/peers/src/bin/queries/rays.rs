//! Rays, scans of laser scanners, and moves of circles.

use std::hint::black_box;

use anyhow::{Result, ensure};
use comfy_table::Table;
use parry2d::{
    math::{Pose as ParryPose, Vector},
    partitioning::Bvh,
    query::{Ray as ParryRay, RayCast, ShapeCastOptions, cast_shapes},
    shape::Ball,
};
use widephase::{
    Columns, Fan, Hit, Index, Queries, Ray, Shapes,
    columns::ScanColumns,
    shape::{Circle, ConvexPolygon, Obb, OwnedShape, Pose, Rotation, Segment},
};

use crate::{Args, Line, RADIUS, SETS, World, agree, index, report};

/// How far rays reach.
const RANGE: f32 = 30.0;

/// The rays of a scan, and the poses of a call, which are scanned in turn.
const BEAMS: usize = 1000;
const POSES: usize = 20;

/// The radius of circles that move, and the length of their moves.
const MOVER: f32 = 0.3;
const MOVE: f32 = 10.0;

/// A world with the structures that answer queries in it.
struct Scene {
    world: World,
    index: Index,
    bvh: Bvh,
}

impl Scene {
    /// The boxes of parry are grown by the radius of the moving circle.
    fn all(args: &Args, density: f32, grown: f32) -> Result<Vec<Self>> {
        let scene = |world: World| {
            let index = index(args, world.columns()?)?;
            Ok(Self { index, bvh: world.bvh(grown), world })
        };
        World::all(args, density).map(scene).collect()
    }

    /// The first circle of parry on a ray.
    fn parry_ray(&self, ray: &Ray) -> Option<f32> {
        let Self { world: World { x, y, .. }, bvh, .. } = self;
        let along = Vector::new(ray.dx, ray.dy);
        let parry = ParryRay::new(Vector::new(ray.x, ray.y), along);
        let hit = bvh.cast_ray(&parry, ray.max_fraction, |row, best| {
            let center = Vector::new(x[row as usize], y[row as usize]);
            let local = ParryRay::new(parry.origin - center, along);
            Ball::new(RADIUS).cast_local_ray(&local, best, true)
        });
        hit.map(|(_, fraction)| fraction)
    }

    fn parry_rays(&self, rays: &[Ray]) {
        for ray in rays {
            black_box(self.parry_ray(ray));
        }
    }

    /// How far a circle goes until parry's first circle stops it.
    fn parry_cast(&self, [x, y]: [f32; 2], [dx, dy]: [f32; 2]) -> Option<f32> {
        let (from, along) = (Vector::new(x, y), Vector::new(dx, dy));
        let hit = self.bvh.cast_ray(&ParryRay::new(from, along), 1.0, |row, best| {
            let at = ParryPose::translation(self.world.x[row as usize], self.world.y[row as usize]);
            // As in widephase, a shape that only touches at the start stops no move that leads
            // away.
            let options = ShapeCastOptions {
                stop_at_penetration: false,
                ..ShapeCastOptions::with_max_time_of_impact(best)
            };
            let from = ParryPose::translation(x, y);
            let (mover, ball) = (Ball::new(MOVER), Ball::new(RADIUS));
            let hit = cast_shapes(&from, along, &mover, &at, Vector::ZERO, &ball, options);
            hit.ok().flatten().map(|hit| hit.time_of_impact)
        });
        hit.map(|(_, fraction)| fraction)
    }
}

fn fraction(hit: &Option<Hit>) -> Option<f32> {
    hit.map(|hit| hit.fraction)
}

/// A direction of some length, another direction for each number.
fn direction(number: usize, length: f32) -> [f32; 2] {
    let angle = number as f32 * 2.399_963;
    [length * angle.cos(), length * angle.sin()]
}

/// The rays of the scans from some poses.
fn beams(fan: &Fan, poses: &[Pose]) -> Vec<Ray> {
    poses.iter().flat_map(|pose| (0..fan.rays()).map(|number| fan.ray(*pose, number))).collect()
}

fn poses(world: &World, set: usize, count: usize) -> Vec<Pose> {
    world.places(set, count).into_iter().map(Pose::at).collect()
}

/// The results of a function for each set of queries.
fn each_set<T>(make: impl FnMut(usize) -> T) -> Vec<T> {
    (0..SETS).map(make).collect()
}

/// Single rays and batches: fans from twenty places, and rays from everywhere.
pub fn rays(args: &Args, table: &mut Table) -> Result<()> {
    for density in [0.05, 1.0] {
        let scenes = Scene::all(args, density, 0.0)?;
        let fan = Fan::around(args.queries / POSES, RANGE);
        let of = |set: usize| &scenes[set / 2];
        let fans = each_set(|set| beams(&fan, &poses(&of(set).world, set, POSES)));
        let random: Vec<Vec<Ray>> = each_set(|set| {
            let places = of(set).world.places(set, args.queries).into_iter().enumerate();
            places.map(|(k, at)| Ray::new(at, direction(k, 1.0)).up_to(RANGE)).collect()
        });
        for (name, sets) in [("fan", &fans), ("random", &random)] {
            let mut hits = Vec::new();
            for (set, rays) in sets.iter().enumerate() {
                of(set).index.cast_ray_batch(rays, &mut hits)?;
                agree(
                    1000,
                    hits.iter().map(fraction),
                    rays.iter().map(|ray| of(set).parry_ray(ray)),
                )?;
            }
            let line = Line {
                name: format!("ray, {name}, density {density}"),
                executors: vec![
                    (
                        "widephase",
                        Box::new(|set| {
                            of(set).index.cast_ray_batch(&sets[set], &mut hits).unwrap();
                        }),
                    ),
                    (
                        "widephase, one by one",
                        Box::new(|set| {
                            for ray in &sets[set] {
                                black_box(of(set).index.cast_ray(*ray).unwrap());
                            }
                        }),
                    ),
                    ("parry Bvh", Box::new(|set| of(set).parry_rays(&sets[set]))),
                ],
            };
            report(args, table, line, sets[0].len())?;
        }
        scans(args, table, &scenes, density)?;
    }
    Ok(())
}

/// Scans of a thousand rays from twenty poses, beside parry; scans of fewer rays, beside a batch of
/// the same rays.
fn scans(args: &Args, table: &mut Table, scenes: &[Scene], density: f32) -> Result<()> {
    let of = |set: usize| &scenes[set / 2];
    for (rays, count) in [(BEAMS, POSES), (64, args.queries / 64), (16, args.queries / 16)] {
        let fan = Fan::around(rays, RANGE);
        let sets = each_set(|set| poses(&of(set).world, set, count));
        let lists = each_set(|set| beams(&fan, &sets[set]));
        let (mut scan, mut hits) = (ScanColumns::new(), Vec::new());
        for (set, rays) in lists.iter().enumerate() {
            of(set).index.scan(&fan, &sets[set], &mut scan)?;
            same_as_rays(&of(set).index, rays, &scan)?;
            let ours = scan.range.iter().map(|range| range.is_finite().then_some(*range));
            agree(1000, ours, rays.iter().map(|ray| of(set).parry_ray(ray)))?;
        }
        let mut line = Line {
            name: format!("scan of {rays} rays, a ray, density {density}"),
            executors: vec![(
                "widephase",
                Box::new(|set| of(set).index.scan(&fan, &sets[set], &mut scan).unwrap()),
            )],
        };
        line.executors.push(if rays == BEAMS {
            ("parry Bvh", Box::new(|set| of(set).parry_rays(&lists[set])))
        } else {
            (
                "widephase, a batch of rays",
                Box::new(|set| {
                    of(set).index.cast_ray_batch(&lists[set], &mut hits).unwrap();
                }),
            )
        });
        report(args, table, line, rays * count)?;
    }
    Ok(())
}

/// Checks that a scan equals the results of its rays.
fn same_as_rays(index: &Index, rays: &[Ray], scan: &ScanColumns) -> Result<()> {
    let mut hits = Vec::new();
    index.cast_ray_batch(rays, &mut hits)?;
    for (hit, range) in hits.iter().zip(&scan.range) {
        ensure!(fraction(hit).unwrap_or(f32::INFINITY) == *range, "{hit:?}, {range}");
    }
    Ok(())
}

/// Scans among other shapes than circles, of the same size and at the same places.
pub fn scans_of_kinds(args: &Args, table: &mut Table) -> Result<()> {
    let hexagon: Vec<[f32; 2]> = (0..6)
        .map(|corner| std::f32::consts::TAU * corner as f32 / 6.0)
        .map(|angle| [RADIUS * angle.cos(), RADIUS * angle.sin()])
        .collect();
    let kinds: [(&str, OwnedShape); 4] = [
        ("widephase, circles", Circle::new([0.0; 2], RADIUS).into()),
        ("widephase, segments", Segment::new([-RADIUS, 0.0], [RADIUS, 0.0]).into()),
        (
            "widephase, boxes",
            Obb::new([0.0; 2], [RADIUS, 0.75 * RADIUS], Rotation::IDENTITY).into(),
        ),
        ("widephase, polygons", ConvexPolygon::new(&hexagon)?.into()),
    ];
    let fan = Fan::around(360, RANGE);
    let count = args.queries.div_ceil(fan.rays());
    for density in [0.05, 1.0] {
        let worlds: Vec<World> = World::all(args, density).collect();
        let sets = each_set(|set| poses(&worlds[set / 2], set, count));
        let mut line = Line {
            name: format!("scan of 360 rays, a ray, density {density}"),
            executors: Vec::new(),
        };
        for (name, shape) in &kinds {
            let of_world = |world: &World| {
                let mut shapes = Shapes::new();
                for (row, at) in world.points().into_iter().enumerate() {
                    let pose = Pose::new(at, Rotation::from_angle(row as f32));
                    shapes.push_at(shape, pose)?;
                }
                index(args, shapes.columns())
            };
            let indexes: Vec<Index> = worlds.iter().map(of_world).collect::<Result<_>>()?;
            let mut scan = ScanColumns::new();
            for (set, poses) in sets.iter().enumerate() {
                indexes[set / 2].scan(&fan, poses, &mut scan)?;
                same_as_rays(&indexes[set / 2], &beams(&fan, poses), &scan)?;
            }
            let (fan, sets) = (&fan, &sets);
            line.executors.push((
                name,
                Box::new(move |set| indexes[set / 2].scan(fan, &sets[set], &mut scan).unwrap()),
            ));
        }
        report(args, table, line, fan.rays() * count)?;
    }
    Ok(())
}

/// Circles that move until something stops them.
pub fn casts(args: &Args, table: &mut Table) -> Result<()> {
    for density in [0.05, 1.0] {
        let scenes = Scene::all(args, density, MOVER)?;
        let of = |set: usize| &scenes[set / 2];
        let from = each_set(|set| of(set).world.places(set, args.queries));
        let along: Vec<[f32; 2]> = (0..args.queries).map(|k| direction(k, MOVE)).collect();
        let parry = |set: usize| {
            let moves = from[set].iter().zip(&along);
            moves.map(move |(from, along)| of(set).parry_cast(*from, *along))
        };
        let mut hits = Vec::new();
        for (set, from) in from.iter().enumerate() {
            let circles = Columns::circles_at(from, MOVER)?;
            of(set).index.cast_shape_batch(circles, &along, 1.0, &mut hits)?;
            let lengths = |fraction: Option<f32>| fraction.map(|fraction| fraction * MOVE);
            // A move that leads in by no more than widephase's tolerance is not stopped.
            agree(100, hits.iter().map(fraction).map(lengths), parry(set).map(lengths))?;
        }
        let line = Line {
            name: format!("cast of circles by {MOVE}, density {density}"),
            executors: vec![
                (
                    "widephase",
                    Box::new(|set| {
                        let circles = Columns::circles_at(&from[set], MOVER).unwrap();
                        of(set).index.cast_shape_batch(circles, &along, 1.0, &mut hits).unwrap();
                    }),
                ),
                (
                    "widephase, one by one",
                    Box::new(|set| {
                        for (from, along) in from[set].iter().zip(&along) {
                            let circle = Circle::new(*from, MOVER);
                            black_box(of(set).index.cast_shape(circle, *along, 1.0).unwrap());
                        }
                    }),
                ),
                (
                    "parry Bvh",
                    Box::new(|set| {
                        for fraction in parry(set) {
                            black_box(fraction);
                        }
                    }),
                ),
            ],
        };
        report(args, table, line, args.queries)?;
    }
    Ok(())
}
