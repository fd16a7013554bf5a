//! Measures the queries of an `Index`, and swept pairs, beside parry2d, rstar,
//! packed_spatial_index, kiddo and sprk: the same bodies, the same queries, one run, one thread.
//! The answers are compared before anything is timed.

mod near;
mod rays;

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Parser;
use comfy_table::Table;
use cpu_time::ThreadTime;
use packed_spatial_index::{Box2D, Index2DBuilder, SimdIndex2DF32};
use parry2d::{
    bounding_volume::Aabb as ParryAabb,
    math::Vector,
    partitioning::{Bvh, BvhBuildStrategy},
};
use widephase::{Columns, Index, Options, SimdLevel, Threads};

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

/// Worlds, and sets of queries: two sets for each world. A turn asks the two sets of a world, and
/// is timed for one set; the rounds go through the worlds. So no predictor learns a set.
const WORLDS: usize = 3;
const SETS: usize = 2 * WORLDS;

struct Rng(u64);

impl Rng {
    fn below(&mut self, end: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32 * end
    }
}

impl World {
    fn new(n: usize, density: f32, seed: usize) -> Self {
        let side = (n as f32 / density).sqrt();
        let mut rng = Rng(7 + seed as u64);
        let (x, y) = (0..n).map(|_| (rng.below(side), rng.below(side))).unzip();
        Self { x, y, radius: vec![RADIUS; n], side }
    }

    fn all(args: &Args, density: f32) -> impl Iterator<Item = Self> {
        (0..WORLDS).map(move |seed| Self::new(args.n, density, seed))
    }

    fn points(&self) -> Vec<[f32; 2]> {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y]).collect()
    }

    fn columns(&self) -> Result<Columns<'_>> {
        Ok(Columns::circles(&self.x, &self.y, &self.radius)?)
    }

    /// Random places, other places for each set of queries.
    fn places(&self, set: usize, count: usize) -> Vec<[f32; 2]> {
        let mut rng = Rng(99 + set as u64);
        (0..count).map(|_| [rng.below(self.side), rng.below(self.side)]).collect()
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

    /// parry's tree of the boxes of the bodies, grown by a margin.
    fn bvh(&self, margin: f32) -> Bvh {
        let half = Vector::splat(RADIUS + margin);
        let centers = self.x.iter().zip(&self.y).map(|(&x, &y)| Vector::new(x, y));
        let boxes = centers.map(|center| ParryAabb::from_half_extents(center, half));
        Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate())
    }
}

/// Answers a set of queries.
type Executor<'a> = Box<dyn FnMut(usize) + 'a>;

/// The executors of one line, which run in turns.
struct Line<'a> {
    name: String,
    executors: Vec<(&'static str, Executor<'a>)>,
}

/// The median CPU time of each executor in nanoseconds a query.
fn measure(line: &mut Line<'_>, rounds: usize, queries: usize) -> Vec<f64> {
    let mut times = vec![Vec::new(); line.executors.len()];
    for round in 0..rounds {
        let timed = round % SETS;
        for ((_, run), times) in line.executors.iter_mut().zip(&mut times) {
            run(timed ^ 1);
            let start = ThreadTime::now();
            run(timed);
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

/// Compares the lengths of ways with those of a peer: as many hits, at equal distances. One way in
/// `one_in` may differ: a way that only grazes a shape, or starts at an edge.
fn agree(
    one_in: usize,
    ours: impl Iterator<Item = Option<f32>>,
    theirs: impl Iterator<Item = Option<f32>>,
) -> Result<()> {
    let (mut all, mut differing, mut hits) = (0_usize, 0, [0_usize; 2]);
    for (ours, theirs) in ours.zip(theirs) {
        let near = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() < 1e-3,
            (None, None) => true,
            _ => false,
        };
        all += 1;
        differing += usize::from(!near);
        hits = [hits[0] + usize::from(ours.is_some()), hits[1] + usize::from(theirs.is_some())];
    }
    let most = all / one_in + 1;
    let text = format!("of {all}, {differing} differ; {hits:?} hits");
    ensure!(differing <= most && hits[0].abs_diff(hits[1]) <= most && hits[0] > 0, text);
    Ok(())
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

fn main() -> Result<()> {
    let args = Args::parse();
    let mut table = Table::new();
    table.set_header(["query", "executor", "ns a query", "times widephase"]);
    rays::rays(&args, &mut table)?;
    rays::scans_of_kinds(&args, &mut table)?;
    rays::casts(&args, &mut table)?;
    near::overlaps(&args, &mut table)?;
    near::within(&args, &mut table)?;
    near::nearest(&args, &mut table)?;
    near::swept(&args, &mut table)?;
    Ok(writeln!(std::io::stdout(), "{table}")?)
}
