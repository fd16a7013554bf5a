//! The command line.

use std::{num::NonZeroU32, path::PathBuf, thread};

use clap::{Parser, Subcommand, ValueEnum};
use widephase::{
    Level,
    scene::{Motion, SceneKind},
};

/// Which of these thousands to millions of 2D shapes touch?
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "The environment variable WIDEPHASE_LEVEL forces a level where no \
    --level is given: scalar, portable, avx2 or avx512."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the CPU, the levels that run on it, and the threads
    Info,
    /// Run the same scenes on every level and number of threads: verify, time, tabulate
    ///
    /// The scenes are seeded and their bodies move. Every list of pairs must be that of the scalar
    /// grid on one thread, pair by pair in the same order, and the same set as brute force finds.
    /// Exit status 1 if any differs. With --contacts, contacts are compared byte by byte.
    Compare(CompareArgs),
    /// Find the pairs of touching shapes in a CSV file, or their contacts
    ///
    /// Writes the pairs as CSV, `a,b` with a < b: row numbers, which start at 0 for the first row
    /// below the header (blank lines are no rows). With --contacts, how they touch, too:
    ///
    ///   part_a, part_b                                  which parts touch, from 0; 0 for a shape of
    ///                                                   one row (see `body`)
    ///   normal_x, normal_y                              the direction from a to b, of length 1
    ///   depth                                           how far to move b along it to part them;
    ///                                                   below 0, how far they are apart
    ///   x1, y1, depth1, feature_a1, feature_b1          a point between both, how deep they are
    ///                                                   there, and what meets: v3 is vertex 3,
    ///                                                   s2 the side from vertex 2 to the next
    ///   x2, y2, depth2, feature_a2, feature_b2          the same; empty if there is one point only
    ///
    /// Vertices are counted from 0, counter-clockwise; those of a box from the lower left one.
    ///
    /// The header names the columns, in any order; others are ignored. A file of shapes has a
    /// column `kind`, and the columns that its kinds need:
    ///
    ///   point        x, y
    ///   circle       x, y, radius
    ///   aabb         min_x, min_y, max_x, max_y
    ///   rounded_box  min_x, min_y, max_x, max_y, radius
    ///   obb          x, y, half_width, half_height, angle (or cos, sin)
    ///   capsule      ax, ay, bx, by, radius
    ///   segment      ax, ay, bx, by
    ///   polygon      vertices (or these and where they are: x, y, angle, or cos, sin), radius if any
    ///
    /// An angle is in radians, counter-clockwise where y points up. Vertices are numbers with blanks
    /// between, x y x y x y, of a convex polygon in either direction.
    ///
    /// Rows with the same value in a column `body` are the parts of one compound: a shape that touches
    /// whatever any of them touches. They have to be next to each other. The value is any text; where
    /// it is empty, or there is no such column, a row is a shape of its own. In the lists, a compound is
    /// the number of its first row, so that row a + part_a touches row b + part_b. Parts are not paired
    /// with each other, and two compounds are one pair however many of their parts touch. Parts are
    /// where their rows say; a polygon is where its vertices say, and x, y and angle are empty or 0. An
    /// aabb or a rounded_box becomes an obb there: its centre and half of its size are rounded.
    ///
    /// Any other table can be read as points, or as circles of one radius, each row on its own, such as
    /// the airports within 0.4 degrees of each other:
    ///
    ///   widephase detect us-airports.csv --x lon --y lat --radius 0.2
    #[command(verbatim_doc_comment)]
    Detect(DetectArgs),
}

/// What `compare` can be told.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// Scenes, by name, or in groups: `standard` is s1 to s8, and `adversaries` is what breaks
    /// broadphases
    ///
    /// The standard ones, in short and in long:
    ///   s1  uniform-circles      one pair a body
    ///   s2  uniform-boxes        one
    ///   s3  mixed-circles-boxes  one
    ///   s4  bimodal-circles      two; 1 % of the circles are 32 times as large as the others
    ///   s5  power-law-circles    three; radii from 0.1 to 50
    ///   s6  gaussian-clusters    four; 16 clusters far apart
    ///   s7  mixed-rotating       one; boxes, polygons and capsules that turn
    ///   s8  compounds            one; three circles a body, which turn as one
    ///
    /// The adversaries: giant, far-body, coincident, line, diagonal, two-clusters, six-decades,
    /// fast, sorted, reversed, shuffled, border-lattice, power-of-two, pile.
    ///
    /// A scene with more than 32 pairs for each body asked for gets fewer bodies.
    #[arg(long, value_name = "SCENE", value_delimiter = ',', value_parser = scenes,
        default_value = "s1,s2,s3,s7", verbatim_doc_comment)]
    scene: Vec<Scenes>,
    /// How the bodies move between the measurements: drift (straight on), brownian (to and fro) or
    /// settle (fall onto a heap)
    #[arg(long, default_value_t = Motion::Drift)]
    pub(crate) motion: Motion,
    /// Numbers of bodies; `k` and `M` stand for thousands and millions
    #[arg(short, value_name = "N", value_delimiter = ',', value_parser = bodies,
        default_value = "1k,10k,100k")]
    pub(crate) n: Vec<NonZeroU32>,
    /// Levels; scalar always runs along, the others are compared with it [default: that of
    /// WIDEPHASE_LEVEL, else all]
    #[arg(long, value_delimiter = ',')]
    pub(crate) level: Vec<Level>,
    /// Numbers of threads; `all` stands for one a core
    #[arg(long, value_delimiter = ',', value_parser = threads, default_value = "1,all")]
    pub(crate) threads: Vec<usize>,
    /// Seed of the first scene of each kind and size; the others follow it
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Seconds of measurement for each scene and number of bodies; 0 for as few rounds as possible
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    pub(crate) time: f64,
    /// Find contacts as well: where, how deep and in which direction bodies touch, timed for as long
    /// again
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Verify by brute force up to this number of bodies, beyond by the scalar grid
    #[arg(long, value_name = "N", value_parser = bodies, default_value = "20k")]
    pub(crate) brute_force: NonZeroU32,
    /// A table for people, or one JSON object a line
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

impl CompareArgs {
    /// The scenes in the order of first mention, each once.
    pub(crate) fn scenes(&self) -> Vec<SceneKind> {
        unique(self.scene.iter().flat_map(|Scenes(kinds)| kinds).copied())
    }
}

/// What one word stands for: a scene, or a group of them.
#[derive(Debug, Clone)]
struct Scenes(Vec<SceneKind>);

/// Each item once, in the order of first mention.
pub(crate) fn unique<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}

/// What `detect` can be told.
#[derive(Debug, clap::Args)]
pub(crate) struct DetectArgs {
    /// The CSV file; `-` for standard input
    pub(crate) file: PathBuf,
    /// Write contacts instead of pairs
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Find the contacts of shapes at most this far apart, too
    #[arg(long, value_parser = margin, allow_negative_numbers = true, requires = "contacts",
        default_value = "0")]
    pub(crate) margin: f32,
    /// Where to write the pairs [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Read every row as a circle of this radius, whatever its kind
    #[arg(long, value_parser = radius, allow_negative_numbers = true)]
    pub(crate) radius: Option<f32>,
    /// Read every row as a point, or as a circle with --radius: the column of x [default: x]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,
    /// The column of y [default: y]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// Sort the pairs by a, then by b; without, they come in the order of the grid
    #[arg(long)]
    pub(crate) sorted: bool,
    /// The most contacts, or sorted pairs, that are held in memory; `k` and `M` stand for thousands and
    /// millions [default: as many as take 1 GiB]
    #[arg(long, value_name = "N", value_parser = bodies)]
    pub(crate) limit: Option<NonZeroU32>,
    /// Leave out shapes that touch without overlapping
    #[arg(long)]
    pub(crate) exclusive: bool,
    /// Force a level: scalar, portable, avx2, avx512
    #[arg(long)]
    pub(crate) level: Option<Level>,
}

/// The threads that `all` stands for.
pub(crate) fn all_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Reads the name of a scene or of a group.
fn scenes(text: &str) -> Result<Scenes, String> {
    let kinds = match text.trim().to_ascii_lowercase().as_str() {
        "standard" => SceneKind::STANDARD.to_vec(),
        "adversaries" => SceneKind::ADVERSARIES.to_vec(),
        _ => match text.parse() {
            Ok(kind) => vec![kind],
            Err(error) => return Err(format!("{error}; the groups are: standard, adversaries")),
        },
    };
    Ok(Scenes(kinds))
}

/// Reads `250`, `10k`, `2.5M`.
fn bodies(text: &str) -> Result<NonZeroU32, String> {
    let (digits, unit) = match text.trim() {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1e3),
        text if text.ends_with(['m', 'M']) => (&text[..text.len() - 1], 1e6),
        text => (text, 1.0),
    };
    let number = digits.parse::<f64>().ok().map(|number| number * unit);
    number
        .filter(|number| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(number))
        .and_then(|number| NonZeroU32::new(number as u32))
        .ok_or_else(|| "not a number of bodies: write 1 or more, like 500, 10k, 1M".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.trim() {
        "all" => Ok(all_threads()),
        text => match text.parse() {
            Ok(threads @ 1..=1024) => Ok(threads),
            _ => Err("not a number of threads: write 1 to 1024, or all".to_owned()),
        },
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0 to 3600".to_owned()),
    }
}

fn radius(text: &str) -> Result<f32, String> {
    length(text).ok_or_else(|| "not a radius: write a number from 0 to 2^60".to_owned())
}

fn margin(text: &str) -> Result<f32, String> {
    length(text).ok_or_else(|| "not a margin: write a number from 0 to 2^60".to_owned())
}

fn length(text: &str) -> Option<f32> {
    let length = text.parse().ok()?;
    (0.0..=widephase::shape::MAX_COORDINATE).contains(&length).then_some(length)
}
