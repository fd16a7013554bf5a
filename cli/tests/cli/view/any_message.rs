//! Arbitrary bytes become a message to `widephase view`: one of its types with some bytes replaced,
//! inserted or left out, or any text. The fuzz target `view_protocol` calls [`check`], and so does
//! a test, with random bytes.

#[allow(dead_code, reason = "the command reads the fields")]
#[path = "../../../src/view/protocol.rs"]
mod protocol;

use protocol::{Heading, MOST_BODIES, MOST_BYTES, Message};
use widephase::shape::MAX_COORDINATE;

/// A message of each type.
pub(crate) const SAMPLES: [&str; 18] = [
    r#"{"type":"settings","scene":"gas","n":1000,"level":"avx2","threads":1,"seed":7}"#,
    r#"{"type":"settings","touching":"strict"}"#,
    r#"{"type":"run","playing":true}"#,
    r#"{"type":"step"}"#,
    r#"{"type":"show","contacts":true,"cells":false,"bounds":true,"scalar":false}"#,
    r#"{"type":"look","min":[-1.5,-2e3],"max":[3,4e-5]}"#,
    r#"{"type":"rays","at":[0.5,-0.5]}"#,
    r#"{"type":"rays","at":null}"#,
    r#"{"type":"grab","at":[1,2]}"#,
    r#"{"type":"drag","at":[1e9,2]}"#,
    r#"{"type":"drop"}"#,
    r#"{"type":"spawn","at":[1,2],"kind":"polygon"}"#,
    r#"{"type":"keys","left":true,"fire":false}"#,
    r#"{"type":"argon","area":"two-circles","target":"box","verdict":"nine_zones"}"#,
    r#"{"type":"argon-step","by":[3,4],"heading":[0.6,0.8],"fire":true}"#,
    r#"{"type":"argon-step","by":[-5,0],"heading":3.14}"#,
    r#"{"type":"exhibit","circle":[0,0,5],"box":[3,4,9,10]}"#,
    r#"{"type":"ack","frame":17}"#,
];

/// Reads the message. It is refused with a short text, or its numbers are in their ranges.
pub(crate) fn check(data: &[u8]) {
    let Some((&[sample, edits], rest)) = data.split_first_chunk() else { return };
    // The first bytes are edits, three bytes for each edit. The other bytes are appended.
    let (edits, rest) = rest.split_at((3 * usize::from(edits % 8)).min(rest.len()));
    let sample = SAMPLES.get(usize::from(sample)).copied().unwrap_or_default();
    let mut text = sample.as_bytes().to_vec();
    for [at, way, value] in edits.as_chunks::<3>().0 {
        let at = usize::from(*at);
        match way % 4 {
            _ if at >= text.len() => text.push(*value),
            0 => drop(text.remove(at)),
            1 => text.insert(at, *value),
            2 => text.truncate(at),
            _ => text[at] = *value,
        }
    }
    text.extend_from_slice(rest);
    let text = String::from_utf8_lossy(&text);
    match Message::read(&text) {
        Ok(message) => {
            assert!(text.len() <= MOST_BYTES);
            check_numbers(&message);
        }
        Err(error) => assert!((1..=500).contains(&error.len()), "{error}"),
    }
}

/// Whether a text is a message.
#[allow(dead_code, reason = "the test asks")]
pub(crate) fn reads(text: &str) -> bool {
    Message::read(text).is_ok()
}

fn check_numbers(message: &Message) {
    let numbers = match message {
        Message::Settings(settings) => {
            assert!(settings.n.is_none_or(|n| (1..=MOST_BODIES).contains(&n)));
            assert!(settings.seed.is_none_or(|seed| seed < 1 << 53));
            vec![]
        }
        Message::Look { min, max } => {
            assert!(min[0] <= max[0] && min[1] <= max[1]);
            [*min, *max].concat()
        }
        Message::Rays { at: Some(at) }
        | Message::Grab { at }
        | Message::Drag { at }
        | Message::Spawn { at, .. }
        | Message::Remove { at } => at.to_vec(),
        Message::ArgonStep { by, heading, .. } => {
            assert!(by.iter().all(|by| by.abs() <= 100.0));
            match heading {
                Heading::Angle(angle) => vec![*angle],
                Heading::Unit([cos, sin]) => {
                    assert!((0.99..1.01).contains(&cos.hypot(*sin)));
                    vec![]
                }
            }
        }
        Message::Exhibit { circle, r#box: [left, lower, right, upper] } => {
            assert!(circle[2] >= 0.0 && left <= right && lower <= upper);
            [&circle[..], &[*left, *lower, *right, *upper]].concat()
        }
        _ => vec![],
    };
    assert!(numbers.iter().all(|number| number.abs() <= MAX_COORDINATE), "{message:?}");
}
