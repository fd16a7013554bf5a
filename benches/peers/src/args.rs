//! The command line.

use std::{num::NonZeroU32, path::PathBuf};

use crate::scene::SceneKind;
use clap::{
    CommandFactory, FromArgMatches, Parser, ValueEnum, builder::PossibleValuesParser,
    error::ErrorKind,
};
use widephase::SimdLevel;
use widephase_scenes::{LevelKind, Subject, UnknownSubject};

use crate::{executor::Entry, row::bodies as short, suite::Suite};

/// widephase beside its peers: the same scenes, the same exact pairs, one run
#[derive(Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Scenes by name, or in groups: standard, adversaries, levels
    #[arg(long, value_name = "SCENE", value_delimiter = ',', value_parser = scenes)]
    scene: Vec<Scenes>,
    /// Numbers of bodies, in levels of movers; `k` and `m` are thousands and millions
    #[arg(short, value_name = "N", value_delimiter = ',', value_parser = bodies)]
    n: Vec<NonZeroU32>,
    /// Executors by name [default: all]
    #[arg(long, value_delimiter = ',')]
    executor: Vec<String>,
    /// Measure widephase at each SIMD level of this CPU, too
    #[arg(long)]
    pub levels: bool,
    /// Seed of the first scene of each kind and size; the others follow it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Seconds of timed calls for each scene, number of bodies and executor; at least 5 calls
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "1")]
    pub time: f64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the results in every format into this folder, too
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl Args {
    /// Reads the command line. Ends the process if it is not valid, or if help is requested.
    pub fn parse(suite: Suite) -> Self {
        let names = suite.entries().iter().map(|entry| &*entry.name);
        let command = Self::command()
            .mut_arg("scene", |arg| arg.default_value(suite.scenes()))
            .mut_arg("n", |arg| {
                let sizes: Vec<String> = suite.sizes().iter().copied().map(short).collect();
                let levels = if suite.has_levels() { "; of levels 1k, of map 500" } else { "" };
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{help} [default: {}{levels}]", sizes.join(",")))
            })
            .mut_arg("executor", |arg| arg.value_parser(PossibleValuesParser::new(names)));
        let args =
            Self::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
        let is_level = |subject| matches!(subject, Subject::Level(_));
        if !suite.has_levels() && args.subjects().any(is_level) {
            let text = "levels are for the program `world`: cargo run --release --bin world";
            Self::command().error(ErrorKind::InvalidValue, text).exit();
        }
        args
    }

    /// The sizes to measure, ascending.
    pub fn sizes(&self, suite: Suite, subject: Subject) -> Vec<u32> {
        let mut sizes: Vec<u32> = self.n.iter().map(|n| n.get()).collect();
        if sizes.is_empty() {
            return match subject {
                Subject::Scene(_) => suite.sizes().to_vec(),
                Subject::Level(kind) => vec![kind.movers()],
            };
        }
        sizes.sort_unstable();
        sizes
    }

    /// The requested executors.
    pub fn entries(&self, suite: Suite) -> Vec<Entry> {
        let all = suite.entries();
        let mut entries = match &self.executor[..] {
            [] => all.to_vec(),
            names => names
                .iter()
                .filter_map(|name| all.iter().find(|entry| entry.name == *name).cloned())
                .collect(),
        };
        if self.levels {
            entries.extend(SimdLevel::available().iter().filter_map(|level| all[0].at(*level)));
        }
        entries
    }

    /// The scenes and levels in the order of mention.
    pub fn subjects(&self) -> impl Iterator<Item = Subject> {
        self.scene.iter().flat_map(|Scenes(subjects)| subjects).copied()
    }
}

/// The meaning of one word: a scene, or a group of scenes.
#[derive(Debug, Clone)]
struct Scenes(Vec<Subject>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
}

/// Reads `250`, `10k`, `1m`.
fn bodies(text: &str) -> Result<NonZeroU32, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (digits, unit) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(digits), _) => (digits, 1_000),
        (_, Some(digits)) => (digits, 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let number = digits.parse::<u32>().ok().and_then(|number| number.checked_mul(unit));
    number
        .and_then(NonZeroU32::new)
        .ok_or_else(|| "not a number of bodies: write 1 or more, like 500, 10k, 1m".to_owned())
}

fn scenes(name: &str) -> Result<Scenes, String> {
    let all = |kinds: &[SceneKind]| kinds.iter().copied().map(Subject::Scene).collect();
    Ok(Scenes(match name.trim() {
        // Scenes with rotated shapes are for another program: these executors support boxes and
        // circles.
        "standard" => {
            all(&SceneKind::STANDARD.into_iter().filter(|kind| !kind.turns()).collect::<Vec<_>>())
        }
        "adversaries" => all(&SceneKind::ADVERSARIES),
        "levels" => LevelKind::ALL.map(Subject::Level).to_vec(),
        name => match name.parse().map_err(|error: UnknownSubject| error.to_string())? {
            Subject::Scene(kind) if kind.turns() => {
                return Err("the executors know no turned shapes".into());
            }
            subject => vec![subject],
        },
    }))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0 to 3600".to_owned()),
    }
}
