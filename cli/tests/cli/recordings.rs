//! `widephase replay` from outside.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::fs;

use crate::prompt::{feed, run, stderr, stdout, unwrapped};
use serde_json::Value;
use widephase::{Body, SimdLevel, World, shape::Circle};
use xxhash_rust::xxh64::xxh64;

const HEAP: &str = "tests/data/heap.recording";

/// The hash of the state at its end, which must never change.
const HASH: &str = "67ee8fbdc424d911";

#[test]
fn every_level_and_number_of_threads_agrees() {
    for level in SimdLevel::available() {
        for threads in ["1", "2", "4"] {
            let output = run(&["replay", HEAP, "--level", level.name(), "--threads", threads]);
            assert!(output.status.success(), "{}", stderr(&output));
            let expected = format!(
                "steps   40\nbodies  16\npairs   28\nhash    {HASH}\nlevel   {level}\n\
                 Every step agrees with the recording.\n"
            );
            assert_eq!(stdout(&output), expected);
        }
    }
}

#[test]
fn json_from_standard_input() {
    let output = feed(&["replay", "-", "--format", "json"], &fs::read(HEAP).unwrap());
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["steps"], &report["hash"]), (&40.into(), &HASH.into()));
    assert_eq!((&report["identical"], report.get("recorded_hash")), (&true.into(), None));
}

#[test]
fn damaged_files_are_errors() {
    let heap = fs::read(HEAP).unwrap();
    let refusal = |bytes: &[u8], what: &str| {
        let output = feed(&["replay", "-"], bytes);
        assert_eq!(output.status.code(), Some(1));
        let expected = format!("error: standard input: byte {what}");
        assert_eq!(unwrapped(stderr(&output)), expected);
        assert_eq!(stdout(&output), "");
    };
    refusal(b"kind,x,y\n", "0: not a file of this kind");
    refusal(&heap[..1000], "32: the file ends too early");
    let mut damaged = heap.clone();
    damaged[1000] ^= 1;
    refusal(&damaged, "32: the file is damaged: its hash differs");
    refusal(&World::new().snapshot(), "0: not a file of this kind");
    let output = run(&["replay", "tests/data/no-such-file"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no-such-file"), "{}", stderr(&output));
    let output = run(&["replay", HEAP, "--threads", "0"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A recording in which the hash of the second step is another hash.
#[test]
fn other_states_are_reported() {
    let mut world = World::new();
    world.start_recording();
    world.insert(Circle::new([0.0, 0.0], 1.0), Body::default()).unwrap();
    let hashes = [(); 3].map(|()| {
        world.step().unwrap();
        format!("{:016x}", world.state_hash())
    });
    let mut recording = world.stop_recording().unwrap();
    // Two steps and the end follow, of nine bytes each.
    let place = recording.len() - 26;
    recording[place] ^= 1;
    let hash = xxh64(&recording[32..], 0);
    recording[24..32].copy_from_slice(&hash.to_le_bytes());

    let output = feed(&["replay", "-"], &recording);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""));
    assert!(stdout(&output).starts_with("steps   2\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("The state differs after step 2: "), "{}", stdout(&output));
    let output = feed(&["replay", "-", "--format", "json"], &recording);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&report["identical"], &report["differs_after_step"]), (&false.into(), &2.into()));
    assert_eq!(report["hash"], hashes[1]);
    assert_ne!(report["recorded_hash"], hashes[1]);
}
