//! The command line: the options of each command.
//!
//! ```text
//! parse.rs  the text of an option to its value
//! help.rs   the long texts of --help
//! ```

mod help;
mod parse;

#[cfg(not(all(feature = "pictures", feature = "view")))]
use std::ffi::OsString;
use std::{num::NonZeroU32, path::PathBuf};

#[cfg(feature = "pictures")]
use clap::ArgGroup;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};
use clap_complete::Shell;
use widephase::SimdLevel;
use widephase_scenes::Subject;

#[cfg(feature = "view")]
use crate::values::SceneId;
use crate::{
    off,
    scene::Motion,
    values::{Call, Format, ListFormat, unique},
};
#[cfg(feature = "pictures")]
use crate::{
    scene::SceneKind,
    values::{PictureFile, View},
};
use parse::{Scenes, subjects};

/// Which of these thousands to millions of 2D shapes touch?
#[derive(Debug, Parser)]
#[command(
    name = "widephase",
    version,
    after_help = off::told("The environment variable WIDEPHASE_LEVEL forces a SIMD level if \
    --level is not given: scalar, portable, avx2 or avx512.")
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Reads the command line. Ends the process if it is not valid, or if help is requested.
    pub(crate) fn read() -> Self {
        let args = Self::parse();
        let (subjects, unused) = match &args.command {
            Command::Compare(args) => (args.subjects(), args.unused_by_levels()),
            Command::Bench(args) => (args.subjects(), args.unused_by_levels()),
            _ => return args,
        };
        let level = subjects.into_iter().find(|subject| matches!(subject, Subject::Level(_)));
        if let (Some(level), Some(option)) = (level, unused.first()) {
            let why = match *option {
                "--motion" => "its movers have a motion of their own",
                "--contacts" => "its steps have contacts anyway",
                "--queries" => "its rays are a part of its steps",
                "--brute-force" => "its steps are verified by a detection of all bodies",
                _ => "only its step is measured",
            };
            let text = format!("{option} cannot be used with the level {level}: {why}");
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        args
    }

    /// Ends the process: this build does not have the command.
    #[cfg(not(all(feature = "pictures", feature = "view")))]
    pub(crate) fn off(command: &str) -> ! {
        let text = format!("this build has no command '{command}'; {}", off::TURN_ON);
        Self::command().error(ErrorKind::InvalidSubcommand, text).exit()
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the CPU, the SIMD levels that run on it, and the threads
    Info(InfoArgs),
    /// Run the same scenes at every SIMD level and number of threads: verify, time, tabulate
    ///
    /// The scenes are seeded and their bodies move. Every list of pairs must equal the list of the
    /// scalar grid on one thread, pair by pair in the same order, and must have the pairs of brute
    /// force. Exit status 1 if any list differs. With --contacts, contacts are compared byte by
    /// byte; with --queries, the answers of queries. In a level, steps of a world are compared:
    /// pairs, contacts and hits of rays, also with a detection of all bodies.
    Compare(CompareArgs),
    /// Measure calls on seeded scenes: tables and files; compare with a saved run
    #[command(long_about = help::BENCH)]
    Bench(BenchArgs),
    /// Find the pairs of touching shapes in a CSV file, or their contacts
    #[command(long_about = help::DETECT)]
    Detect(DetectArgs),
    /// Find which shapes of a CSV file the points, regions, circles and rays of another file meet
    #[command(long_about = help::QUERY)]
    Query(QueryArgs),
    /// Make the calls of a recorded world again, and compare the state after each step
    #[command(long_about = help::REPLAY)]
    Replay(ReplayArgs),
    /// Draw shapes as SVG or PNG: which touch, contacts, the grid, rays
    #[cfg(feature = "pictures")]
    #[command(long_about = help::RENDER)]
    Render(RenderArgs),
    #[cfg(not(feature = "pictures"))]
    #[command(hide = true, disable_help_flag = true, about = off::ABOUT)]
    Render(OffArgs),
    /// Open a page in the browser that draws a live world, which this command runs
    #[cfg(feature = "view")]
    #[command(long_about = help::VIEW)]
    View(ViewArgs),
    #[cfg(not(feature = "view"))]
    #[command(hide = true, disable_help_flag = true, about = off::ABOUT)]
    View(OffArgs),
    /// Print the completions of this command for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the pages of `man` for this command into a folder
    Man {
        /// The folder; made if it does not exist
        folder: PathBuf,
    },
}

/// The words after a command that this build does not have.
#[cfg(not(all(feature = "pictures", feature = "view")))]
#[derive(Debug, clap::Args)]
pub(crate) struct OffArgs {
    /// Any words
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

/// The options of `info`.
#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    /// Readable lines, or a JSON object
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// The options of `compare`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompareArgs {
    /// Scenes, by name, or in groups: `standard` is s1 to s8, `adversaries` are hard cases for
    /// broadphases, and `levels` are worlds in which most bodies rest
    #[arg(long, value_name = "SCENE", value_delimiter = ',', value_parser = parse::scenes,
        default_value = "s1,s2,s3,s7", long_help = help::SCENES)]
    scene: Vec<Scenes>,
    #[command(flatten)]
    pub(crate) cases: CaseArgs,
    /// Seconds of measurement for each scene and number of bodies; 0 for as few rounds as possible
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds, allow_negative_numbers = true,
        default_value = "0.5")]
    pub(crate) time: f64,
    /// Compute contacts (normal, depth and points) as well, and time them for the same duration
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Compare the queries of an index instead of detections: rays, scans, nearest bodies, overlaps
    /// and moved circles, one query for each body. Each answer must have the bytes that the scalar
    /// level gives
    #[arg(long, conflicts_with_all = ["contacts", "hash", "brute_force"])]
    pub(crate) queries: bool,
    /// Verify by brute force up to this number of bodies, and by the scalar grid above [default:
    /// 20k]
    #[arg(long, value_name = "N", value_parser = parse::bodies, allow_negative_numbers = true)]
    brute_force: Option<NonZeroU32>,
    /// Show every level and number of threads of each scene, below the table of all scenes
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Show the hash of each list, and the output of --verbose; JSON always includes it
    #[arg(long)]
    pub(crate) hash: bool,
    /// A readable table, or one JSON object per line
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

impl CompareArgs {
    /// The scenes and levels in the order of first mention, each once.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        subjects(&self.scene)
    }

    /// The most bodies that are verified by brute force.
    pub(crate) fn brute_force(&self) -> u32 {
        self.brute_force.map_or(20_000, NonZeroU32::get)
    }

    /// The options that are given, and that a level does not use.
    fn unused_by_levels(&self) -> Vec<&'static str> {
        let Self { contacts, queries, brute_force, cases, .. } = self;
        let given = [
            ("--motion", cases.motion.is_some()),
            ("--contacts", *contacts),
            ("--queries", *queries),
            ("--brute-force", brute_force.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }
}

/// The options of `bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// The calls to measure [default: all calls; in a level, step]
    #[arg(long, value_enum, value_delimiter = ',', ignore_case = true)]
    what: Vec<Call>,
    /// Scenes, by name, or in groups: `standard` is s1 to s8, `adversaries` are hard cases for
    /// broadphases, and `levels` are worlds in which most bodies rest
    #[arg(long, value_name = "SCENE", value_delimiter = ',', value_parser = parse::scenes,
        default_value = "s1,s7", long_help = help::SCENES)]
    scene: Vec<Scenes>,
    #[command(flatten)]
    pub(crate) cases: CaseArgs,
    /// Seconds of measurement for each call, scene and number of bodies; 0 for as few rounds as
    /// possible
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds, allow_negative_numbers = true,
        default_value = "0.5")]
    pub(crate) time: f64,
    /// A readable table, or one JSON object per line
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Write the rows as CSV
    #[arg(long, value_name = "FILE", value_parser = parse::file)]
    pub(crate) csv: Option<PathBuf>,
    /// Write a report with charts: one HTML file, which needs no network
    #[arg(long, value_name = "FILE", value_parser = parse::report, hide = !cfg!(feature = "report"))]
    pub(crate) html: Option<PathBuf>,
    /// Save all samples as JSON, as a baseline for later runs
    #[arg(long, value_name = "FILE", value_parser = parse::file)]
    pub(crate) save: Option<PathBuf>,
    /// Compare with a saved run: which times improved or regressed beyond noise
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Draw other libraries, too: `results.csv` of benches/peers
    #[arg(long, value_name = "FILE", value_parser = parse::of_report, requires = "html",
        hide = !cfg!(feature = "report"))]
    pub(crate) peers: Option<PathBuf>,
}

impl BenchArgs {
    /// The scenes and levels in the order of first mention, each once.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        subjects(&self.scene)
    }

    /// The calls to measure, each once.
    pub(crate) fn calls(&self) -> Vec<Call> {
        match &self.what[..] {
            [] => Call::value_variants().to_vec(),
            what => unique(what.iter().copied()),
        }
    }

    /// The options that are given, and that a level does not use.
    fn unused_by_levels(&self) -> Vec<&'static str> {
        let motion = self.cases.motion.map(|_| "--motion");
        let what = self.what.iter().any(|call| *call != Call::Step).then_some("--what");
        motion.into_iter().chain(what).collect()
    }
}

/// The cases of `compare` and `bench`, for each scene.
#[derive(Debug, clap::Args)]
pub(crate) struct CaseArgs {
    /// How the bodies of scenes move between the measurements: drift (in straight lines), brownian
    /// (randomly) or settle (fall onto a heap) [default: drift]
    #[arg(long)]
    motion: Option<Motion>,
    /// Numbers of bodies, in a level of movers; `k` and `M` are thousands and millions [default:
    /// 1k,10k,100k; of a level 1k, of the map 500]
    #[arg(short, value_name = "N", value_delimiter = ',', value_parser = parse::bodies,
        allow_negative_numbers = true)]
    n: Vec<NonZeroU32>,
    /// SIMD levels; scalar always runs too, and the other levels are compared with it [default: the
    /// level of WIDEPHASE_LEVEL, else all levels]
    #[arg(long, value_delimiter = ',')]
    pub(crate) level: Vec<SimdLevel>,
    /// Numbers of threads; `all` is one per core. Fewer than 65,536 bodies are detected on one
    /// thread
    #[arg(long, value_delimiter = ',', value_parser = parse::threads, allow_negative_numbers = true,
        default_value = "1,all")]
    pub(crate) threads: Vec<usize>,
    /// Seed of the first scene of each kind and size; the other seeds follow it
    #[arg(long, value_parser = parse::seed, allow_negative_numbers = true, default_value = "1")]
    pub(crate) seed: u64,
}

impl CaseArgs {
    /// How the bodies of scenes move.
    pub(crate) fn motion(&self) -> Motion {
        self.motion.unwrap_or(Motion::Drift)
    }

    /// The numbers of bodies of a scene, or of movers of a level, each once.
    pub(crate) fn sizes(&self, subject: Subject) -> Vec<u32> {
        match (&self.n[..], subject) {
            ([], Subject::Scene(_)) => vec![1_000, 10_000, 100_000],
            ([], Subject::Level(kind)) => vec![kind.movers()],
            (sizes, _) => unique(sizes.iter().map(|n| n.get())),
        }
    }
}

/// The options of `detect`.
#[derive(Debug, clap::Args)]
pub(crate) struct DetectArgs {
    /// The CSV file; `-` for standard input; or a folder of columns, like `x.npy`
    pub(crate) file: PathBuf,
    /// Write contacts instead of pairs
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Find the contacts of shapes at most this far apart, too
    #[arg(long, value_parser = parse::margin, allow_negative_numbers = true, requires = "contacts",
        default_value = "0")]
    pub(crate) margin: f32,
    /// Output file; `-` for standard output [default: standard output]
    ///
    /// The list is written to a temporary file in the same folder, which replaces the output file
    /// when it is complete. After an error, the old file is unchanged.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Find pairs whose surfaces are at most this far apart. Without it, pairs that touch
    #[arg(long, value_name = "D", value_parser = parse::distance, allow_negative_numbers = true,
        conflicts_with = "contacts")]
    pub(crate) within: Option<f64>,
    /// Read x and y as longitude and latitude in degrees, and measure along the globe in metres
    #[arg(long, requires = "within", conflicts_with_all = ["centers", "tiles", "memory", "exclusive"])]
    pub(crate) metres: bool,
    /// Measure between the middles of shapes, not their surfaces
    #[arg(long, requires = "within")]
    pub(crate) centers: bool,
    /// Write the distance of each pair
    #[arg(long, conflicts_with_all = ["contacts", "count"])]
    pub(crate) distance: bool,
    /// Find the pairs of a shape in FILE and a shape in this file, or folder of columns
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tiles", "memory"])]
    pub(crate) against: Option<PathBuf>,
    /// Write names of this column instead of row numbers. With --against also `A,B`: the column of
    /// FILE and the column of the other file
    #[arg(long, value_name = "COLUMN", conflicts_with = "count")]
    pub(crate) id: Option<String>,
    /// Sort the list by a, then by b; otherwise it is in the order of the grid
    #[arg(long)]
    pub(crate) sorted: bool,
    /// The most pairs or contacts to write; a longer list is an error. `k` and `M` are thousands
    /// and millions [default: as many as take 1 GiB of memory, 134M pairs or 17M contacts]
    #[arg(long, value_name = "N", value_parser = parse::bodies, allow_negative_numbers = true,
        conflicts_with = "count")]
    pub(crate) limit: Option<NonZeroU32>,
    /// Write only the number of pairs or contacts, to standard output
    #[arg(long, conflicts_with_all = ["output", "sorted"])]
    pub(crate) count: bool,
    /// Divide the plane into this many tiles with about as many shapes each, and detect tile by
    /// tile. The results do not change, but come tile by tile
    #[arg(long, value_name = "N", value_parser = parse::tiles, allow_negative_numbers = true)]
    pub(crate) tiles: Option<NonZeroU32>,
    /// As many tiles as needed to detect in this much memory, besides the shapes: `500M`, `2G`
    #[arg(long, value_name = "SIZE", value_parser = parse::memory, allow_negative_numbers = true,
        conflicts_with = "tiles")]
    pub(crate) memory: Option<u64>,
    /// Leave out shapes that touch without overlapping
    #[arg(long)]
    pub(crate) exclusive: bool,
    /// CSV, or an object a line
    #[arg(long, value_enum, default_value_t = ListFormat::Csv)]
    pub(crate) format: ListFormat,
    /// Force a SIMD level: scalar, portable, avx2, avx512
    #[arg(long)]
    pub(crate) level: Option<SimdLevel>,
}

impl DetectArgs {
    /// The columns of the names of FILE and of the file that it is paired with: one column for
    /// both, or one for each.
    pub(crate) fn ids(&self) -> [Option<&str>; 2] {
        let id = self.id.as_deref();
        id.filter(|_| self.against.is_some()).and_then(two).unwrap_or([id; 2])
    }

    /// Whether an option needs shapes in `f64`.
    pub(crate) fn needs_exact(&self) -> bool {
        self.within.is_some() || self.distance
    }
}

/// The columns of names of two files in a text like `a,b`, of which either may be empty.
fn two(ids: &str) -> Option<[Option<&str>; 2]> {
    let (first, second) = ids.split_once(',')?;
    Some([first, second].map(|id| Some(id.trim()).filter(|id| !id.is_empty())))
}

/// The options of `query`.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The CSV file of shapes, as for `detect`; `-` for standard input
    pub(crate) shapes: PathBuf,
    /// The CSV file of queries; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: PathBuf,
    /// List every shape that a ray or a moving circle hits, instead of the first shape
    #[arg(long)]
    pub(crate) all: bool,
    /// Output file; `-` for standard output [default: standard output]
    ///
    /// The list is written to a temporary file in the same folder, which replaces the output file
    /// when it is complete. After an error, the old file is unchanged.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Read x and y of both files as longitude and latitude in degrees. Radii and distances are in
    /// metres, along the globe. For queries of the kinds point, circle and nearest
    #[arg(long, conflicts_with = "exclusive")]
    pub(crate) metres: bool,
    /// Leave out shapes that a query touches without overlapping; a ray hits shapes that it touches
    #[arg(long)]
    pub(crate) exclusive: bool,
    /// Write names of this column of SHAPES instead of row numbers; or `A,B`: also names of
    /// queries, of column B of their file
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id: Option<String>,
    /// CSV, or an object a line
    #[arg(long, value_enum, default_value_t = ListFormat::Csv)]
    pub(crate) format: ListFormat,
    /// Force a SIMD level: scalar, portable, avx2, avx512
    #[arg(long)]
    pub(crate) level: Option<SimdLevel>,
}

impl QueryArgs {
    /// The columns of the names of shapes and of queries.
    pub(crate) fn ids(&self) -> [Option<&str>; 2] {
        let id = self.id.as_deref();
        id.and_then(two).unwrap_or([id, None])
    }
}

/// The options of `replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The recording; `-` for standard input
    pub(crate) file: PathBuf,
    /// Force a SIMD level: scalar, portable, avx2, avx512
    #[arg(long)]
    pub(crate) level: Option<SimdLevel>,
    /// Number of threads, for worlds of any size; `all` is one per core [default: all, for large
    /// worlds]
    #[arg(long, value_parser = parse::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// Readable lines, or a JSON object
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// The options of `render`.
#[cfg(feature = "pictures")]
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("shapes").required(true).args(["scene", "input", "recording"])))]
pub(crate) struct RenderArgs {
    /// Draw a scene of `compare`, by name
    #[arg(long, long_help = help::SCENE, conflicts_with = "TableArgs")]
    pub(crate) scene: Option<SceneKind>,
    /// Number of bodies of the scene; `k` and `M` are thousands and millions
    #[arg(short, value_name = "N", value_parser = parse::bodies, allow_negative_numbers = true,
        conflicts_with_all = ["input", "recording"], default_value = "300")]
    pub(crate) n: NonZeroU32,
    /// Seed of the scene
    #[arg(long, value_parser = parse::seed, allow_negative_numbers = true,
        conflicts_with_all = ["input", "recording"], default_value = "1")]
    pub(crate) seed: u64,
    /// Draw a CSV file of shapes, or a table of points, as for `detect`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// Draw a step of a recording, as for `replay`; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "TableArgs")]
    pub(crate) recording: Option<PathBuf>,
    /// The step of the recording, from 1 [default: the last one]
    #[arg(long, value_name = "K", value_parser = parse::step, allow_negative_numbers = true,
        conflicts_with_all = ["scene", "input"])]
    pub(crate) step: Option<u64>,
    /// Draw the contacts: points and normals
    #[arg(long)]
    pub(crate) contacts: bool,
    /// Draw the cells of the grid that hold shapes, by level, and how full they are
    #[arg(long)]
    pub(crate) grid: bool,
    /// Write the row number of each shape; with --contacts also the features of each point
    #[arg(long)]
    pub(crate) ids: bool,
    /// Draw N rays in all directions from near the middle, and where they hit
    #[arg(long, value_name = "N", value_parser = parse::rays, allow_negative_numbers = true)]
    pub(crate) rays: Option<u32>,
    /// Draw a part only: its left, lower, right and upper side [default: all shapes]
    #[arg(long, value_name = "X,Y,X,Y", value_parser = parse::view, allow_hyphen_values = true)]
    pub(crate) view: Option<View>,
    /// Draw the part that holds the middle 99 % of the shapes along x and along y
    #[arg(long, conflicts_with = "view")]
    pub(crate) fit: bool,
    /// Width of the picture in pixels; the height follows
    #[arg(long, value_name = "PIXELS", value_parser = parse::size, allow_negative_numbers = true,
        default_value = "1000")]
    pub(crate) size: u32,
    /// Output file, whose name ends in .svg or .png
    ///
    /// The picture is written to a temporary file in the same folder, which replaces the output
    /// file when it is complete. After an error, the old file is unchanged.
    #[arg(short, long, value_name = "FILE", value_parser = parse::picture)]
    pub(crate) output: PictureFile,
}

/// The options of `view`.
#[cfg(feature = "view")]
#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// Only print the address of the page
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Port of the loopback address; 0 for any that is free [default: 7878, or the next free one]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// The scene at the start: gas, pit, crowd, shooter, pebbles, argon, or an adversary of
    /// `compare`
    #[arg(long, value_parser = parse::view_scene, default_value = "gas")]
    pub(crate) scene: SceneId,
    /// Number of bodies at the start, 1 to 100000; `k` is thousands
    #[arg(short, value_name = "N", value_parser = parse::view_bodies, allow_negative_numbers = true,
        default_value = "10k")]
    pub(crate) n: u32,
    /// SIMD level at the start: scalar, portable, avx2, avx512 [default: the fastest]
    #[arg(long)]
    pub(crate) level: Option<SimdLevel>,
    /// Number of threads at the start; `all` is one per core
    #[arg(long, value_parser = parse::view_threads, allow_negative_numbers = true, default_value = "1")]
    pub(crate) threads: usize,
}

/// The options that make a table of points of a file of shapes.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// Read every row as a circle of this radius, whatever its kind; a box without a kind as a
    /// rounded box
    #[arg(long, value_parser = parse::radius, allow_negative_numbers = true,
        conflicts_with = "radius_column")]
    pub(crate) radius: Option<f64>,
    /// Read every row as a circle: the column of its radius [default: radius, if there is one]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) radius_column: Option<String>,
    /// Read every row as a circle, or as a point where there is no radius: the column of x
    /// [default: x]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) x: Option<String>,
    /// The column of y [default: y]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// The character between columns: `tab`, or one like ';'
    #[arg(long, value_name = "C", value_parser = parse::delimiter, default_value = ",")]
    pub(crate) delimiter: u8,
    /// Leave out shapes that are refused, such as shapes with a value that is no number, instead of
    /// failing. Standard error names and counts them
    #[arg(long)]
    pub(crate) skip_invalid: bool,
}
