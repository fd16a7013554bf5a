//! The command `widephase-cluster`: a detection that is spread over processes by MPI.
//!
//! Each rank owns a tile of the plane and the bodies in it. A step moves the bodies, hands those
//! that left a tile to its new owner, exchanges ghosts, and detects. The contacts of all ranks are
//! those of one process, bit for bit (docs/scale.md).
//!
//! ```text
//! args.rs        the command line options
//! record.rs      a body as it is sent and saved            (Record, Parcel)
//! geometry.rs    a shape as floats, and back
//! scene          seeded scenes: ../crates/scenes, and its adapter to the library
//! source.rs      the bodies of a seeded scene              (Source)
//! motion.rs      how a body moves
//! bodies.rs      the rows of a rank: own bodies, ghosts    (Bodies)
//! rank.rs        a step of a rank                          (Rank)
//! exchange.rs    parcels from all ranks to all ranks       (Exchange)
//! finder.rs      rows → the contacts that the tile reports (Finder)
//! digest.rs      a hash of contacts, in any order          (Digest)
//! balance.rs     tiles with about as much work each        (Watch)
//! checkpoint/    bodies in files, from which a run goes on
//! faults.rs      an error on one rank is an error on all
//! clock.rs       the CPU time of the phases                (Clock)
//! report.rs      what a step prints                        (Stats)
//! run.rs         all steps
//! ```
//!
//! Exit status of each rank: 0 for success, 1 for an error, 2 for a wrong option.

mod args;
mod balance;
mod bodies;
mod checkpoint;
mod clock;
mod digest;
mod exchange;
mod faults;
mod finder;
mod geometry;
mod motion;
mod rank;
mod record;
mod report;
mod run;
#[path = "../../crates/scenes/adapter.rs"]
mod scene;
mod source;

use std::process::ExitCode;

use clap::Parser;
use mpi::traits::Communicator;

fn main() -> ExitCode {
    // Before MPI, so that `--help` needs no launcher.
    let args = args::Args::parse();
    let Some(universe) = mpi::initialize() else {
        eprintln!("error: MPI cannot be initialized");
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    faults::abort_on_panic(world.rank());
    let watched = faults::agree(&world, faults::report_termination(world.rank()));
    match watched.and_then(|()| run::run(&world, &args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if world.rank() == 0 {
                eprintln!("error: {failure}");
            }
            ExitCode::FAILURE
        }
    }
}
