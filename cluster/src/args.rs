//! The command line options.

use std::{path::PathBuf, str::FromStr};

use crate::scene::SceneKind;
use clap::Parser;

/// Detects moving bodies on many processes. Start it with `mpirun -n RANKS`.
#[derive(Debug, Clone, Parser)]
#[command(name = "widephase-cluster", version)]
pub(crate) struct Args {
    /// The scene: s1 to s8, or another name of `widephase compare`.
    #[arg(long, required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) scene: Option<SceneKind>,
    /// The number of bodies of all ranks together, like 500, 10k, 1M.
    #[arg(
        short = 'n',
        long,
        value_parser = bodies,
        required_unless_present = "resume",
        conflicts_with = "resume"
    )]
    pub(crate) bodies: Option<u32>,
    /// The number of the last step.
    #[arg(long, default_value_t = 10)]
    pub(crate) steps: u64,
    /// The seed of the scene.
    #[arg(long, default_value_t = 1, conflicts_with = "resume")]
    pub(crate) seed: u64,
    /// The largest distance of two shapes that have a contact, in units of length.
    #[arg(long, default_value_t = 0.0, value_parser = length, conflicts_with = "resume")]
    pub(crate) margin: f32,
    /// The largest speed along each axis, in units of length a step.
    #[arg(
        long,
        default_value_t = widephase_scenes::MAX_SPEED,
        value_parser = length,
        conflicts_with = "resume"
    )]
    pub(crate) speed: f32,
    /// Compares each step with a single process, which rank 0 computes.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Cuts new tiles when the slowest rank is this share above the mean, like 0.2.
    #[arg(long, value_name = "SHARE", value_parser = length)]
    pub(crate) rebalance: Option<f32>,
    /// Writes the bodies to FILE and files beside it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The steps from one checkpoint to the next. The last step has one in any case.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint_every: u64,
    /// Goes on from a checkpoint, with any number of ranks.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Lets a rank fail in a step, for tests: error:RANK:STEP, panic:RANK:STEP, abort:RANK:STEP.
    #[arg(long, hide = true)]
    pub(crate) drill: Option<Drill>,
}

/// A failure on purpose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drill {
    pub(crate) how: How,
    pub(crate) rank: i32,
    pub(crate) step: u64,
}

/// How a rank fails.
#[derive(Debug, Clone, Copy)]
pub(crate) enum How {
    Error,
    Panic,
    /// As if the process was killed.
    Abort,
}

impl FromStr for Drill {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let wrong = || "write error:RANK:STEP, panic:RANK:STEP or abort:RANK:STEP".to_owned();
        let &[how, rank, step] = &parts[..] else { return Err(wrong()) };
        let how = match how {
            "error" => How::Error,
            "panic" => How::Panic,
            "abort" => How::Abort,
            _ => return Err(wrong()),
        };
        let (rank, step) = (rank.parse().map_err(|_| wrong())?, step.parse().map_err(|_| wrong())?);
        Ok(Self { how, rank, step })
    }
}

/// Reads `250`, `10k`, `2.5M`.
fn bodies(text: &str) -> Result<u32, String> {
    let (digits, unit) = match text.trim() {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1e3),
        text if text.ends_with(['m', 'M']) => (&text[..text.len() - 1], 1e6),
        text => (text, 1.0),
    };
    let number = digits.parse::<f64>().ok().map(|number| number * unit);
    number
        .filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number))
        .map(|number| number as u32)
        .ok_or_else(|| "not a number of bodies: write one like 500, 10k, 1M".to_owned())
}

fn length(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|value: &f32| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "not a number of at least 0".to_owned())
}
