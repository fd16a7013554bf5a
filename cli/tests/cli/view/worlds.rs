//! Worlds that run: the content of answers and frames, and that levels and threads change no
//! result.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use widephase::SimdLevel;

use super::client::{Frame, Received, Server};

/// The bits of flags.
const TOUCHES: u8 = 1;
const STARTED: u8 = 2;
const STATIC: u8 = 4;
const VACANT: u8 = 16;
const HELD: u8 = 32;

/// The names of the fields of an object, sorted.
fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The command of the README, but for the browser and the port.
#[test]
fn the_command_of_the_readme() {
    let readme = include_str!("../../../../README.md");
    let begin = "cargo run --release --features full -- view ";
    let line = readme.lines().find_map(|line| line.strip_prefix(begin));
    let words = line.and_then(|line| line.split('#').next()).unwrap().split_whitespace();
    let server = Server::start(&words.collect::<Vec<_>>());
    let mut client = server.client();
    let settings = client.answer("settings");
    assert_eq!((&settings["scene"], &settings["n"]), (&json!("pit"), &json!(3000)));
    assert!(client.frame().rows >= 3000);
}

#[test]
fn answers_are_as_the_protocol_says() {
    let server = Server::start(&["--scene", "pebbles", "-n", "1k", "--level", "scalar"]);
    let mut client = server.client();
    let hello = client.answer("hello");
    let expected = ["argon", "cores", "cpu", "level", "levels", "scenes", "type", "version"];
    assert_eq!(fields(&hello), expected);
    let levels: Vec<&str> = SimdLevel::available().iter().map(|level| level.name()).collect();
    assert_eq!((&hello["levels"], &hello["level"]), (&json!(levels), &json!("scalar")));
    let scenes = hello["scenes"].as_array().unwrap();
    let ids: BTreeSet<&str> = scenes.iter().map(|scene| scene["id"].as_str().unwrap()).collect();
    assert_eq!((scenes.len(), ids.len()), (20, 20));
    for id in ["gas", "pit", "crowd", "shooter", "pebbles", "giant", "far-body", "pile", "argon"] {
        assert!(ids.contains(id), "{id}");
    }
    assert!(scenes.iter().all(|scene| fields(scene) == ["groups", "id", "most", "title"]));
    let groups = |id: &str| &scenes.iter().find(|scene| scene["id"] == id).unwrap()["groups"];
    assert_eq!(groups("shooter"), &json!(["left team", "right team", "bullet"]));
    assert_eq!((groups("crowd").as_array().unwrap().len(), groups("gas")), (2, &json!([])));
    assert_eq!(fields(&hello["argon"]), ["areas", "script", "targets", "verdicts"]);

    let settings = client.answer("settings");
    let expected =
        ["bounds", "level", "n", "playing", "scene", "seed", "threads", "touching", "type"];
    assert_eq!(fields(&settings), expected);
    assert_eq!((&settings["scene"], &settings["n"]), (&json!("pebbles"), &json!(1000)));
    assert_eq!((&settings["threads"], &settings["playing"]), (&json!(1), &json!(true)));
    assert_eq!(settings["bounds"].as_array().unwrap().len(), 4);

    client.send("show", json!({ "scalar": true }));
    let stats = client.answer_where("stats", |stats| stats["step"].as_u64() > Some(3));
    let expected = [
        "bodies",
        "contacts",
        "frames",
        "level",
        "level_ns",
        "pairs",
        "phases",
        "scalar_ns",
        "started",
        "state",
        "step",
        "step_ns",
        "stopped",
        "threads",
        "touching",
        "type",
    ];
    assert_eq!(fields(&stats), expected);
    // The sides of the box are bodies, too.
    assert_eq!((&stats["bodies"], &stats["level"]), (&json!(1004), &json!("scalar")));
    let phases = stats["phases"].as_array().unwrap();
    let sum: u64 = phases.iter().map(|phase| phase[1].as_u64().unwrap()).sum();
    assert_eq!((phases.len(), phases[2][0].as_str()), (7, Some("sort")));
    assert_eq!(stats["step_ns"].as_u64(), Some(sum));
    let timed = client.answer_where("stats", |stats| !stats["scalar_ns"].is_null());
    assert!(timed["scalar_ns"].as_u64() > Some(0) && timed["level_ns"].as_u64() > Some(0));
    // Within two seconds, a state is sent while playing, too.
    client.answer_where("stats", |stats| stats["state"].is_string());
}

#[test]
fn frames_have_the_stated_bytes() {
    let server = Server::start(&["-n", "101"]);
    let mut client = server.client();
    // The circles, and the four sides of the box.
    let (first, second) = (client.frame(), client.frame());
    assert_eq!((first.number, second.number, first.rows), (1, 2, 105));
    let poses = [("POSE", 8 * 105), ("FLAG", 108)];
    assert_eq!(first.sizes(), [&[("PART", 32 * 105), ("MESH", 0)][..], &poses].concat());
    assert_eq!(second.sizes(), poses);
    let (parts, numbers) = (first.words("PART"), first.numbers("PART"));
    for row in 0..105 {
        assert_eq!(parts[8 * row], row as u32);
        let part = &numbers[8 * row + 1..8 * row + 8];
        match row {
            0..4 => assert!(part[4] >= 1.0 && part[5] >= 1.0 && part[6] == 0.0, "{part:?}"),
            _ => assert_eq!(part, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5]),
        }
        assert_eq!(first.flag(row) & (STATIC | VACANT), if row < 4 { STATIC } else { 0 });
    }

    // Rotated bodies have rotations of length 1, polygons have triangles.
    client.begin(json!({ "scene": "pit", "n": 40 }));
    let frame = client.frame_where(|frame| frame.section("PART").is_some());
    let (rows, parts) = (frame.rows, frame.section("PART").unwrap().len() / 32);
    let mesh = frame.section("MESH").unwrap().len() / 12;
    // Three half-planes and three segments; 30 bodies of one part, and 10 polygons.
    assert_eq!((rows, parts, mesh % 3), (46, 36, 0));
    let corners = frame.words("MESH");
    let meshed: BTreeSet<u32> = corners.chunks(3).map(|corner| corner[0]).collect();
    assert_eq!(meshed.len(), 10);
    let turn: Vec<f32> = frame
        .section("TURN")
        .unwrap()
        .as_chunks::<2>()
        .0
        .iter()
        .map(|short| f32::from(i16::from_le_bytes(*short)) / 32767.0)
        .collect();
    assert_eq!(turn.len(), 2 * rows);
    for row in 0..rows {
        assert!((turn[row].hypot(turn[rows + row]) - 1.0).abs() < 1e-4);
    }

    // Overlays: sizes are as stated, and entries are in the view.
    client.begin(json!({ "scene": "border-lattice", "n": 100 }));
    client.send("show", json!({ "contacts": true, "cells": true, "bounds": true }));
    client.send("rays", json!({ "at": [0.25, 0.25] }));
    let stats = client.steps(0, 1);
    let whole = client.frame_where(|frame| frame.step == 1 && frame.section("RAYS").is_some());
    // Unit squares on a lattice: all sides and corners touch, a side at two points.
    assert_eq!((&stats["pairs"], &stats["touching"]), (&json!(342), &json!(100)));
    assert_eq!(whole.section("BOND").unwrap().len(), 16 * 100);
    let points = whole.numbers("CONT");
    assert_eq!(points.len(), 5 * (2 * 180 + 162));
    for point in points.chunks(5) {
        assert!((point[2].hypot(point[3]) - 1.0).abs() < 1e-6 && point[4] == 0.0, "{point:?}");
    }
    let cells = whole.words("CELL");
    assert_eq!(cells.chunks(6).map(|cell| cell[5]).sum::<u32>(), 100);
    // The squares are of one level, whose cells are all drawn.
    let (grid, width) = (whole.words("GRID"), whole.numbers("GRID")[3]);
    assert_eq!(grid[..3], [0, cells.len() as u32 / 6, 1]);
    assert!(grid.len() == 4 && width >= 1.0, "{grid:?} {width}");
    let (rays, hits) = (whole.numbers("RAYS"), whole.words("RAYS"));
    assert_eq!(rays.len(), 5 * 64);
    for ray in 0..64 {
        // They start in a body, which they hit there.
        assert_eq!(rays[5 * ray..5 * ray + 4], [0.25; 4]);
        assert!(hits[5 * ray + 4] < 100);
    }
    client.send("look", json!({ "min": [-0.75, -0.75], "max": [0.75, 0.75] }));
    let part = client
        .frame_where(|frame| frame.section("BOND").is_some_and(|bounds| bounds.len() < 16 * 100));
    assert!(part.section("BOND").unwrap().len() <= 16 * 16);
    assert!(part.numbers("CONT").chunks(5).all(|point| point[0].abs() <= 0.75));
    assert!(!part.numbers("CONT").is_empty());
}

/// All cells of a level are drawn, or no cells, and the coarse levels come first.
#[test]
fn cells_are_drawn_by_level() {
    let server = Server::start(&["-n", "10"]);
    let mut client = server.client();
    client.begin(json!({ "scene": "pebbles", "n": 100_000 }));
    client.send("show", json!({ "cells": true }));
    let whole = client.frame_where(|frame| frame.section("CELL").is_some());
    let (grid, cells) = (whole.words("GRID"), whole.words("CELL"));
    let levels: Vec<_> = grid.as_chunks::<4>().0.iter().collect();
    assert!(levels.len() >= 2 && levels.is_sorted_by(|a, b| a[0] < b[0]), "{levels:?}");
    assert!(levels[0][1] > 20_000, "{levels:?}");
    assert_eq!(levels.iter().map(|level| level[2]).collect::<BTreeSet<_>>(), [0, 1].into());
    assert!(levels.is_sorted_by_key(|level| level[2]), "{levels:?}");
    let count = |level: u32| cells.chunks(6).filter(|cell| cell[4] == level).count();
    for [level, cells, drawn, _] in levels {
        assert_eq!(count(*level), (cells * drawn) as usize, "{level}");
    }
    // In a part of the world, the cells of the finest level are drawn as well.
    client.send("look", json!({ "min": [-9.0, -9.0], "max": [9.0, 9.0] }));
    let part = client.frame_where(|frame| frame.section("GRID").is_some_and(|grid| grid[8] == 1));
    assert!(part.words("CELL").chunks(6).any(|cell| cell[4] == 0));
}

/// The world has its steps also if few frames are drawn, and stands when no frame is.
#[test]
fn steps_do_not_wait_for_frames() {
    let server = Server::start(&["-n", "100"]);
    let mut client = server.client();
    client.acks = false;
    let (start, mut drawn) = (Instant::now(), 0);
    let mut first = None;
    let last = loop {
        match client.next() {
            // Five frames a second.
            Received::Frame(frame) if frame.number >= 2 => {
                drawn += 1;
                thread::sleep(Duration::from_millis(200));
                client.send("ack", json!({ "frame": frame.number }));
                first.get_or_insert((Instant::now(), frame.step));
                if start.elapsed() > Duration::from_secs(3) {
                    break frame.step;
                }
            }
            Received::Closed(code) => panic!("closed: {code}"),
            _ => {}
        }
    };
    let (since, first) = first.unwrap();
    let seconds = since.elapsed().as_secs_f64();
    let rate = f64::from(last - first) / seconds;
    // A machine that is busy with other things may make fewer; a step a frame were five.
    assert!((20.0..=75.0).contains(&rate), "{rate} steps a second, {drawn} frames");

    // No client draws a frame: after five seconds, the world stops.
    thread::sleep(Duration::from_secs(5));
    let mut step = || {
        thread::sleep(Duration::from_millis(500));
        client.send("run", json!({ "playing": true }));
        client.answer("settings");
        client.answer("stats")["step"].as_u64()
    };
    assert_eq!(step(), step());
}

/// The states of some scenes after some steps, at a level and on some threads.
fn states(server: &Server, level: &str, threads: usize) -> Vec<(String, String)> {
    let mut client = server.client();
    let scenes = ["gas", "pit", "crowd", "shooter", "pebbles", "giant", "two-clusters", "fast"];
    let state = |scene: &str| {
        let settings = client.begin(json!({
            "scene": scene, "n": 600, "seed": 7, "level": level, "threads": threads
        }));
        assert_eq!((&settings["level"], &settings["threads"]), (&level.into(), &threads.into()));
        let stats = client.steps(0, 40);
        assert_eq!((&stats["level"], &stats["threads"]), (&level.into(), &threads.into()));
        assert!(stats["pairs"].as_u64() > Some(0) || scene == "shooter", "{scene}");
        (scene.to_owned(), stats["state"].as_str().unwrap().to_owned())
    };
    scenes.map(state).to_vec()
}

#[test]
fn levels_and_threads_change_no_state() {
    let server = Server::start(&["-n", "10"]);
    let (server, cores) = (&server, thread::available_parallelism().unwrap().get());
    let levels = SimdLevel::available();
    let all: BTreeSet<_> = thread::scope(|scope| {
        let runs: Vec<_> = levels
            .iter()
            .map(|level| (level.name(), 1))
            .chain([(SimdLevel::best().name(), cores)])
            .map(|(level, threads)| scope.spawn(move || states(server, level, threads)))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(all.len(), 1, "{all:#?}");

    // A switch while it runs goes on with the same bodies.
    let mut client = server.client();
    let begin = || json!({ "scene": "pit", "n": 600, "seed": 7, "level": "scalar", "threads": 1 });
    client.begin(begin());
    let straight = client.steps(0, 30)["state"].clone();
    client.begin(begin());
    for (number, level) in levels.iter().enumerate() {
        let threads = if number % 2 == 0 { cores } else { 1 };
        client.send("settings", json!({ "level": level.name(), "threads": threads }));
        let settings = client.answer("settings");
        assert_eq!((&settings["level"], &settings["n"]), (&level.name().into(), &600.into()));
        client.steps(5 * number as u64, 5);
    }
    let made = 5 * levels.len() as u64;
    assert_eq!(client.steps(made, 30 - made)["state"], straight);

    // Other seeds are other states, and the rule of touching goes on with the same bodies, too.
    client.begin(json!({ "seed": 8 }));
    assert_ne!(client.steps(0, 30)["state"], straight);
    client.begin(json!({ "scene": "border-lattice", "n": 100 }));
    assert_eq!(client.steps(0, 1)["pairs"], 342);
    client.send("settings", json!({ "touching": "strict" }));
    assert_eq!(client.answer("settings")["touching"], "exclusive");
    let stats = client.steps(1, 1);
    assert_eq!((&stats["pairs"], &stats["stopped"]), (&json!(0), &json!(342)));
}

#[test]
fn a_body_is_held_moved_inserted_and_removed() {
    let server = Server::start(&["-n", "4"]);
    let mut client = server.client();
    client.begin(json!({ "seed": 3 }));
    let first = client.frame_where(|frame| frame.step == 0 && frame.section("PART").is_some());
    let at = first.position(4);
    let near = |frame: &Frame, row: usize, at: [f32; 2]| {
        let [x, y] = frame.position(row);
        (x - at[0]).abs() < 1e-5 && (y - at[1]).abs() < 1e-5
    };

    client.send("grab", json!({ "at": [at[0] + 0.25, at[1]] }));
    client.frame_where(|frame| frame.flag(4) & HELD != 0);
    // The point where it was taken stays under the mouse; also while playing.
    client.send("drag", json!({ "at": [1.25, 1.5] }));
    client.frame_where(|frame| near(frame, 4, [1.0, 1.5]));
    client.send("run", json!({ "playing": true }));
    client.send("drag", json!({ "at": [0.75, 0.5] }));
    let frame = client.frame_where(|frame| frame.step >= 3 && near(frame, 4, [0.5, 0.5]));
    assert!(frame.flag(4) & HELD != 0);
    client.send("drop", json!({}));
    client.frame_where(|frame| frame.flag(4) & HELD == 0);

    // Nothing is there: nothing happens. The sides of the box stay.
    client.begin(json!({ "n": 1 }));
    client.send("remove", json!({ "at": [1.0, 1.99] }));
    client.send("remove", json!({ "at": [0.0, -1.5] }));
    client.send("grab", json!({ "at": [0.0, -1.5] }));
    assert_eq!(client.steps(0, 1)["bodies"], 5);
    client.frame_where(|frame| frame.step == 1);
    for (number, kind) in ["circle", "box", "capsule", "polygon"].into_iter().enumerate() {
        client.send("spawn", json!({ "at": [0.25, 0.25], "kind": kind }));
        let frame = client.frame_where(|frame| frame.rows == 6 + number);
        let shapes = frame.words("PART").chunks(8).map(|part| part[0]).max().unwrap();
        let meshed = frame.words("MESH").len() / 9;
        assert_eq!((shapes, meshed), if number < 3 { (5 + number as u32, 0) } else { (7, 3) });
        assert!(near(&frame, 5 + number, [0.25, 0.25]));
    }
    let stats = client.steps(1, 1);
    assert_eq!(stats["bodies"], 9);
    assert!(stats["pairs"].as_u64() >= Some(6));
    let frame = client.frame_where(|frame| frame.step == 2);
    assert_eq!(frame.flag(8) & (TOUCHES | STARTED), TOUCHES | STARTED);
    // The body in the last row is on top.
    let at = frame.position(8);
    client.send("remove", json!({ "at": at }));
    let frame = client.frame_where(|frame| frame.flag(8) == VACANT);
    assert_eq!((frame.section("MESH").unwrap().len(), frame.rows), (0, 9));
    assert_eq!(client.steps(2, 1)["bodies"], 8);

    // Everything is inside a half-plane of the pit, or beside: it cannot be taken.
    client.begin(json!({ "scene": "pit", "n": 4 }));
    client.send("remove", json!({ "at": [0.0, -0.5] }));
    assert_eq!(client.steps(0, 1)["bodies"], 10);
    // Bodies at rest on other bodies and on the floor are taken away; the other bodies go on.
    client.steps(1, 200);
    let frame = client.frame_where(|frame| frame.step == 201);
    for row in 6..9 {
        client.send("remove", json!({ "at": frame.position(row) }));
    }
    let stats = client.steps(201, 60);
    assert_eq!((&stats["bodies"], stats["touching"].as_u64() > Some(0)), (&json!(7), true));
    // One body is held in the floor, where nothing gives way, and let go.
    client.send("grab", json!({ "at": frame.position(9) }));
    client.send("drag", json!({ "at": [0.0, -0.25] }));
    client.steps(261, 5);
    client.send("drop", json!({}));
    client.steps(266, 40);
    let last = client.frame_where(|frame| frame.step == 306);
    assert!(last.position(9)[1] > -0.25 && last.position(9)[0].abs() < 5.0);

    // A row of an adversary that is used again is not moved by the scene.
    client.begin(json!({ "scene": "shuffled", "n": 10 }));
    client.steps(0, 1);
    let frame = client.frame_where(|frame| frame.step == 1);
    client.send("remove", json!({ "at": frame.position(9) }));
    let frame = client.frame_where(|frame| (0..10).any(|row| frame.flag(row) == VACANT));
    let row = (0..10).find(|row| frame.flag(*row) == VACANT).unwrap();
    client.send("spawn", json!({ "at": [0.5, 0.75], "kind": "circle" }));
    client.steps(1, 5);
    let frame = client.frame_where(|frame| frame.step == 6);
    assert_eq!((frame.rows, frame.position(row)), (10, [0.5, 0.75]));
}

/// The keys steer the first unit of the left team.
#[test]
fn keys_steer_a_unit_of_the_shooter() {
    let server = Server::start(&["--scene", "shooter"]);
    let mut client = server.client();
    let settings = client.begin(json!({ "scene": "shooter" }));
    assert_eq!((&settings["n"], &settings["threads"]), (&json!(500), &json!(1)));
    let first = client.frame_where(|frame| frame.step == 0 && frame.section("PART").is_some());
    // Behind the walls.
    let row = (0..first.rows).find(|row| first.flag(*row) & STATIC == 0).unwrap();
    client.send("keys", json!({ "up": true }));
    client.steps(0, 4);
    let last = client.frame_where(|frame| frame.step == 4);
    let ([x, y], [to_x, to_y]) = (first.position(row), last.position(row));
    assert!(to_x == x && (to_y - y - 0.8).abs() < 1e-4, "{x} {y} -> {to_x} {to_y}");

    // The groups: 250 units a team, bullets, and walls in no group.
    let group = |frame: &Frame, group: u8| {
        (0..frame.rows)
            .filter(|row| frame.flag(*row) & VACANT == 0 && frame.flag(*row) >> 6 == group)
            .count()
    };
    assert_eq!([1, 2, 3].map(|of| group(&first, of)), [250, 250, 0]);
    assert_eq!([1, 2].map(|of| group(&last, of)), [250, 250]);
    assert!(group(&last, 3) > 100);
    let is_wall = |row: &usize| last.flag(*row) & STATIC != 0;
    assert!((0..last.rows).filter(is_wall).all(|row| last.flag(row) >> 6 == 0));
    assert_eq!(first.flag(row) >> 6, 1);
}
