//! The command `widephase`: the crate on the command line.
//!
//! ```text
//! args/        the command line options
//! values/      the values of options, which commands share
//! info.rs      the CPU, its SIMD levels, its threads     (cpu.rs: the CPU's name)
//! compare/     the same scenes on every executor: verified, timed, tabulated
//! bench/       how long calls take: measured, recorded, drawn; compared with a saved run
//! timing/      what both share: configurations, scenes in motion, turns, statistics
//! bodies.rs    the bodies of a scene as shapes, for worlds
//! detect/      a CSV file or columns of shapes in, a CSV file of pairs or contacts out
//! earth.rs     places on the globe, and which are within a distance in metres
//! figures/     shapes of all kinds, decided in f64
//! mapped.rs    columns in files of NumPy, mapped into memory
//! off.rs       what a build without features leaves out
//! query/       CSV files of shapes and queries in, a CSV file of answers out
//! render/      shapes in, a picture of them as SVG or PNG out
//! view/        a page on the loopback address: live worlds, drawn in the browser
//! scene        seeded scenes: crates/scenes, and its adapter to the library
//! level_world  levels as worlds of the library: crates/scenes
//! replay.rs    a recording of a world in, whether each step has the recorded results out
//! table/       reads and writes these files
//! ```
//!
//! Exit status: 0 for success, 1 if results differ or an input cannot be read, 2 if an option or a
//! SIMD level does not exist or is not available on this CPU.

#![deny(clippy::unwrap_used)]

mod args;
mod asked;
mod bench;
mod bodies;
mod compare;
mod cpu;
mod detect;
mod earth;
mod figures;
mod info;
#[path = "../../crates/scenes/level_world.rs"]
mod level_world;
mod mapped;
mod off;
mod query;
#[cfg(feature = "pictures")]
mod render;
mod replay;
#[path = "../../crates/scenes/adapter.rs"]
mod scene;
#[cfg(any(feature = "pictures", feature = "view"))]
#[cfg_attr(not(feature = "pictures"), expect(dead_code, reason = "`view` needs corners only"))]
#[path = "../../examples/figures/draw/svg.rs"]
mod svg;
mod table;
mod timing;
mod values;
#[cfg(feature = "view")]
mod view;

use std::{
    fs,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::CommandFactory;

use args::{Args, Command};

fn main() -> ExitCode {
    let result = match Args::read().command {
        Command::Info(args) => info::run(&args).map(|()| true),
        Command::Compare(args) => compare::run(&args),
        Command::Bench(args) => bench::run(&args).map(|()| true),
        Command::Detect(args) => detect::run(&args).map(|()| true),
        Command::Query(args) => query::run(&args).map(|()| true),
        Command::Replay(args) => replay::run(&args),
        #[cfg(feature = "pictures")]
        Command::Render(args) => render::run(&args).map(|()| true),
        #[cfg(not(feature = "pictures"))]
        Command::Render(_) => Args::off("render"),
        #[cfg(feature = "view")]
        Command::View(args) => view::run(&args).map(|()| true),
        #[cfg(not(feature = "view"))]
        Command::View(_) => Args::off("view"),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "widephase", &mut text);
            io::stdout().write_all(&text).map(|()| true).map_err(Into::into)
        }
        Command::Man { folder } => fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(Args::command(), &folder))
            .with_context(|| folder.display().to_string())
            .map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // The reader of the output (`| head`) has closed the pipe: no error.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails too, the error cannot be reported.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if is_usage(&error) { 2 } else { 1 })
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether the command line or the environment names an unknown or unavailable SIMD level.
fn is_usage(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<widephase::Error>(),
        Some(widephase::Error::LevelUnavailable { .. } | widephase::Error::UnknownLevel { .. })
    )
}
