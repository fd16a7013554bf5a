//! The command line.

use std::{num::NonZeroU32, path::PathBuf};

use clap::{Parser, ValueEnum};
use widephase::scene::{SceneKind, UnknownScene};

use crate::executor::{self, Entry};

/// widephase beside its peers: the same scenes, the same exact pairs, one run
#[derive(Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Scenes by name, or in groups: standard, adversaries
    #[arg(long, value_name = "SCENE", value_delimiter = ',', value_parser = scenes,
        default_value = "standard")]
    scene: Vec<Scenes>,
    /// Numbers of bodies; `k` and `m` are thousands and millions
    #[arg(short, value_name = "N", value_delimiter = ',', value_parser = bodies,
        default_value = "10k,100k,1m")]
    pub n: Vec<NonZeroU32>,
    /// Executors by name [default: all]
    #[arg(long, value_delimiter = ',', value_parser = entry)]
    pub executor: Vec<Entry>,
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
    /// Write table.md, results.csv and results.json into this folder, too
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl Args {
    /// The scenes in the order of mention.
    pub fn scenes(&self) -> impl Iterator<Item = SceneKind> {
        self.scene.iter().flat_map(|Scenes(kinds)| kinds).copied()
    }
}

/// The meaning of one word: a scene, or a group of scenes.
#[derive(Debug, Clone)]
struct Scenes(Vec<SceneKind>);

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
    Ok(Scenes(match name.trim() {
        // Scenes with rotated shapes are for another program: these executors support boxes and
        // circles.
        "standard" => SceneKind::STANDARD.into_iter().filter(|kind| !kind.turns()).collect(),
        "adversaries" => SceneKind::ADVERSARIES.to_vec(),
        name => match name.parse().map_err(|error: UnknownScene| error.to_string())? {
            kind if SceneKind::turns(kind) => {
                return Err("the executors know no turned shapes".into());
            }
            kind => vec![kind],
        },
    }))
}

fn entry(name: &str) -> Result<Entry, String> {
    let found = executor::ALL.iter().find(|entry| entry.name == name.trim());
    found.cloned().ok_or_else(|| {
        let names: Vec<&str> = executor::ALL.iter().map(|entry| &*entry.name).collect();
        format!("not an executor; the executors are: {}", names.join(", "))
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0 to 3600".to_owned()),
    }
}
