//! `widephase view`: a page on the loopback address that draws live worlds.
//!
//! ```text
//! serve.rs     the server: the page, its files, the WebSocket
//! page.rs      the files of the page, in page/
//! guard.rs     who may connect: token, Origin, Host
//! session.rs   a client: its socket, and the thread of its engine
//! line.rs      the messages between the two
//! engine.rs    the engine of a client: messages in, steps, answers and frames out
//! clock.rs     how many steps are due
//! turns.rs     steps at two levels in turns, which the speed-up compares
//! protocol.rs  the messages from the page, checked
//! answer.rs    the texts to the page
//! frame.rs     the binary frames to the page
//! scenes/      the scenes: bodies, and how they move
//! argon.rs     the game of examples/argon, step by step
//! exhibit.rs   all verdicts about one circle and one box, and why they differ
//! ```
//!
//! The server runs on the main thread, and each client has a world on a thread of its own. The
//! lists between the two are short, and a client that does not draw its frames gets no more frames.

mod answer;
mod argon;
mod clock;
mod engine;
mod exhibit;
mod frame;
mod guard;
mod line;
mod page;
mod protocol;
mod scenes;
mod serve;
mod session;
mod turns;

use std::io::{self, Write};

use anyhow::{Context, Result};
use widephase::SimdLevel;

use self::{engine::Start, guard::Guard};
use crate::{args::ViewArgs, values::MOST_BODIES};

const _: () = assert!(protocol::MOST_BODIES == MOST_BODIES);

/// Serves the page until the process is ended.
pub(crate) fn run(args: &ViewArgs) -> Result<()> {
    let level = match args.level {
        Some(level) => level.required()?,
        None => SimdLevel::preferred()?,
    };
    let &ViewArgs { scene, n, threads, .. } = args;
    let listener = serve::listen(args.port)?;
    let guard = Guard::new(listener.local_addr()?)?;
    let url = guard.url();
    writeln!(io::stdout(), "{url}")?;
    if !args.no_open
        && let Err(error) = open::that_detached(&url)
    {
        writeln!(io::stderr(), "no browser opens ({error}): open the address by hand")?;
    }
    writeln!(io::stderr(), "Ctrl-C ends the server.")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server cannot start")?;
    runtime.block_on(serve::serve(listener, guard, Start { scene, n, level, threads }))
}
