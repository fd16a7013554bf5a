//! Ten minutes of 50,000 bodies. On a machine that is busy with other things, frames are late.

use std::{
    collections::VecDeque,
    env, fs,
    time::{Duration, Instant},
};

use super::client::{Received, Server};
use crate::prompt::PATIENCE;

/// The kilobytes of memory of a process.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Memory is flat, and frames do not pile up. The age of the oldest is printed: a frame is made
/// after the last but one was drawn here, so it is at most as old as that is ago.
///
/// `SOAK_SECONDS=60 cargo test --release -p widephase-cli --test cli -- --ignored soak --nocapture`
#[test]
#[ignore = "runs for ten minutes, or for SOAK_SECONDS"]
fn memory_is_flat_and_frames_are_new() {
    let seconds = env::var("SOAK_SECONDS").map_or(600, |text| text.parse().unwrap());
    let server = Server::start(&["-n", "50000"]);
    let mut client = server.client();
    let start = Instant::now();
    let (mut drawn, mut frames, mut oldest) = (VecDeque::new(), 0_u32, Duration::ZERO);
    let (mut early, mut minute) = (0, 0);
    while start.elapsed() < Duration::from_secs(seconds) {
        match client.next() {
            Received::Frame(_) => {
                frames += 1;
                if drawn.len() == 2 {
                    let before: Option<Instant> = drawn.pop_front();
                    oldest = before.map_or(oldest, |before| oldest.max(before.elapsed()));
                }
                drawn.push_back(Instant::now());
            }
            Received::Answer(_) => {}
            Received::Closed(code) => panic!("closed: {code}"),
        }
        let tenth = start.elapsed().as_secs() * 10 / seconds;
        if tenth > minute {
            minute = tenth;
            let memory = memory(&server);
            println!("{tenth}/10: {memory} kB, {frames} frames, the oldest {oldest:.0?}");
            early = if tenth == 1 { memory } else { early };
            assert!(memory <= early + early / 10, "{early} kB have become {memory}");
        }
    }
    assert!(oldest < PATIENCE, "{oldest:?}");
}
