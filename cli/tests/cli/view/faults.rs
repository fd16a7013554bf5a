//! Messages and clients that do wrong.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use super::{
    any_message::{self, SAMPLES},
    client::{Received, Server},
};
use crate::{prompt::PATIENCE, rng::Rng};

#[test]
fn malformed_messages_are_errors_and_nothing_else() {
    let server = Server::start(&["-n", "10"]);
    let cases = [
        ("", "EOF"),
        ("{}", "missing field `type`"),
        ("[]", "missing field `type`"),
        (r#"{"type":"fly"}"#, "unknown variant `fly`"),
        (r#"{"type":"step","by":1}"#, "unknown field `by`"),
        (r#"{"type":"drop","at":[0,0]}"#, "unknown field `at`"),
        (r#"{"type":"run"}"#, "missing field `playing`"),
        (r#"{"type":"settings","size":1}"#, "unknown field `size`"),
        (r#"{"type":"settings","n":0}"#, "n: a scene has 1 to 100000 bodies"),
        (r#"{"type":"settings","n":100001}"#, "n: a scene has 1 to 100000 bodies"),
        (r#"{"type":"settings","n":-1}"#, "invalid value"),
        (r#"{"type":"settings","seed":9007199254740992}"#, "seed: a seed is at most"),
        (r#"{"type":"settings","threads":0}"#, "threads: this machine has 1 to "),
        (r#"{"type":"settings","threads":4096}"#, "threads: this machine has 1 to "),
        (r#"{"type":"settings","level":"avx1024","n":20}"#, "level: not a level of `hello`"),
        (r#"{"type":"settings","scene":"soup","n":20}"#, "\"soup\" is not a scene"),
        (r#"{"type":"look","min":[1,0],"max":[0,1]}"#, "look: the upper sides are below"),
        (r#"{"type":"look","min":[0,0],"max":[0]}"#, "invalid length"),
        (r#"{"type":"rays","at":[1e30,0]}"#, "at: a number is from -"),
        (r#"{"type":"rays","at":[1e39,0]}"#, "at: a number is from -"),
        (r#"{"type":"rays","at":[1e400,0]}"#, "number out of range"),
        (r#"{"type":"rays","at":[1000,0]}"#, "at: outside the world"),
        (r#"{"type":"spawn","at":[0,0],"kind":"tree"}"#, "unknown variant `tree`"),
        (r#"{"type":"argon-step","by":[0,101],"heading":0}"#, "by: a number is from -100 to 100"),
        (r#"{"type":"argon-step","by":[0,1],"heading":[1,1]}"#, "heading: cosine and sine"),
        (r#"{"type":"argon-step","by":[0,1],"heading":"up"}"#, "did not match any variant"),
        (r#"{"type":"argon-step","by":[0,1],"heading":0}"#, "this scene is not argon"),
        (r#"{"type":"argon","area":"circle","target":"box","verdict":"x"}"#, "verdict: not a"),
        (
            r#"{"type":"argon","area":"circle","target":"box","verdict":"min_max"}"#,
            "verdict: min_max is not for these areas",
        ),
        (r#"{"type":"exhibit","circle":[0,0,-1],"box":[0,0,1,1]}"#, "circle: a radius is 0 or"),
        (r#"{"type":"exhibit","circle":[0,0,1],"box":[0,0,-1,1]}"#, "box: the upper sides are"),
        (r#"{"type":"ack","frame":4000000000}"#, "ack: not a frame that was sent"),
    ];
    // At most ten errors are sent in a second.
    for cases in cases.chunks(9) {
        let mut client = server.client();
        client.begin(json!({ "seed": 7 }));
        let state = client.steps(0, 1)["state"].clone();
        for (message, expected) in cases {
            client.text(message);
            let error = client.error();
            assert!(error.contains(expected), "{message}: {error}");
        }
        client.binary(vec![0; 8]);
        assert_eq!(client.error(), "a message is a text");
        // Nothing has changed, not even by messages that were half right.
        client.send("run", json!({ "playing": false }));
        let settings = client.answer("settings");
        assert_eq!((&settings["n"], &settings["scene"]), (&10.into(), &"gas".into()));
        assert_eq!(client.answer("stats")["state"], state);
    }
}

/// The work of the fuzz target, with random bytes.
#[test]
fn any_message_is_refused_or_in_range() {
    let mut rng = Rng::new(11);
    for _ in 0..50_000 {
        let mut data: Vec<u8> = (0..rng.below(40)).map(|_| rng.below(256) as u8).collect();
        if let Some(first) = data.first_mut() {
            *first %= SAMPLES.len() as u8 + 1;
        }
        any_message::check(&data);
    }
    for (number, sample) in SAMPLES.iter().enumerate() {
        any_message::check(&[number as u8, 0]);
        assert!(any_message::reads(sample), "{sample}");
    }
}

#[test]
fn thousands_of_malformed_messages() {
    let server = Server::start(&["-n", "10"]);
    let mut client = server.client();
    let mut rng = Rng::new(7);
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"type\"",
        "\"settings\"",
        "\"n\"",
        "\"look\"",
        "\"at\"",
        "1e38",
        "-0",
        "null",
        "true",
        "\"min\"",
        "\u{e9}",
        "\\u0000",
        "\"drag\"",
        " ",
    ];
    let start = Instant::now();
    for _ in 0..5000 {
        let text: String =
            (0..rng.below(12)).map(|_| pieces[rng.below(pieces.len() as u64) as usize]).collect();
        client.text(&text);
    }
    client.send("settings", json!({ "n": 11 }));
    let mut errors = 0;
    loop {
        match client.next() {
            Received::Answer(answer) if answer["type"] == "error" => errors += 1,
            Received::Answer(answer) if answer["type"] == "settings" && answer["n"] == 11 => break,
            Received::Closed(code) => panic!("closed: {code}"),
            _ => {}
        }
    }
    let most = 10 * (start.elapsed().as_secs() + 2);
    assert!((1..=most).contains(&errors), "{errors} errors");
}

#[test]
fn too_large_messages_close_the_connection() {
    let server = Server::start(&["-n", "10"]);
    for len in [4097, 100_000, (1 << 20) + 1, 5 << 20] {
        let mut client = server.client();
        client.text(&" ".repeat(len));
        assert_eq!(client.code(), 1009, "{len}");
    }
    let mut client = server.client();
    client.text(&format!("{}{}", r#"{"type":"step"}"#, " ".repeat(4096 - 15)));
    assert_eq!(client.error(), "step: pause first");
}

#[test]
fn eight_clients_and_no_more() {
    let server = Server::start(&["-n", "10"]);
    let mut clients: Vec<_> = (0..8).map(|_| server.client()).collect();
    for client in &mut clients {
        client.frame();
    }
    assert_eq!(server.client().code(), 1013);
    // When one is gone, there is room, once its socket is closed here.
    clients.pop();
    let start = Instant::now();
    while matches!(server.client().next(), Received::Closed(_)) {
        assert!(start.elapsed() < PATIENCE, "there is no room for another client");
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_client_leaves_no_thread() {
    let server = Server::start(&["-n", "2000", "--threads", "all"]);
    let before = server.threads();
    for number in 0..20 {
        let mut client = server.client();
        client.acks = number % 2 == 0;
        client.frame();
        assert!(server.threads() > before);
        // Every third client does not say goodbye, as when a browser is ended.
    }
    let start = Instant::now();
    while server.threads() > before {
        assert!(start.elapsed() < PATIENCE, "{} threads", server.threads());
        thread::sleep(Duration::from_millis(10));
    }
    server.client().frame();
}

#[test]
fn a_client_that_draws_nothing_gets_two_frames() {
    let server = Server::start(&["-n", "100"]);
    let mut client = server.client();
    client.acks = false;
    assert_eq!([client.frame().number, client.frame().number], [1, 2]);
    // Many steps could have been made by now, and a message is still answered.
    thread::sleep(Duration::from_millis(300));
    client.send("settings", json!({ "level": "scalar" }));
    client.answer_where("settings", |settings| settings["level"] == "scalar");
    client.send("exhibit", json!({ "circle": [0, 0, 1], "box": [0, 0, 1, 1] }));
    loop {
        match client.next() {
            Received::Frame(frame) => panic!("frame {}", frame.number),
            Received::Answer(answer) if answer["type"] == "exhibit" => break,
            _ => {}
        }
    }
    // The steps go on without the frames, and the next one shows the world as it is now.
    client.send("ack", json!({ "frame": 1 }));
    let frame = client.frame();
    assert!(frame.number == 3 && frame.step > 4, "{} {}", frame.number, frame.step);
    client.send("ack", json!({ "frame": 3 }));
    assert_eq!([client.frame().number, client.frame().number], [4, 5]);
}
