//! Argon over the socket is Argon of the example, and the exhibit at borders worked out by hand.

#[allow(dead_code, unused_imports, reason = "the example prints the rest")]
#[path = "../../../../examples/argon/game/mod.rs"]
mod game;

use serde_json::{Value, json};
use widephase::Options;

use self::game::{AREAS, Event, VERDICTS, play};
use super::client::{Client, Server};

/// The script of `hello`, for each areas and each verdict that is for them, gives the changes of
/// the example.
#[test]
fn the_script_gives_the_states_of_the_example() {
    let server = Server::start(&["--scene", "argon"]);
    let mut client = server.client();
    let hello = client.answer("hello");
    let script = hello["argon"]["script"].as_array().unwrap();
    let mut rounds = 0;
    for verdict in VERDICTS {
        let listed = hello["argon"]["verdicts"].as_array().unwrap();
        let listed = listed.iter().find(|listed| listed["name"] == verdict.name).unwrap();
        let names: Vec<[String; 2]> = serde_json::from_value(listed["for"].clone()).unwrap();
        let areas: Vec<_> = AREAS.into_iter().filter(|areas| verdict.is_for(*areas)).collect();
        assert_eq!(names.len(), areas.len());
        for (names, areas) in names.into_iter().zip(areas) {
            let round = json!({ "area": names[0], "target": names[1], "verdict": verdict.name });
            client.send("argon", round);
            let start = client.answer("argon");
            assert_eq!(
                (&start["step"], &start["state"], &start["label"]),
                (&json!(0), &json!("safe"), &json!("안전 / safe"))
            );
            let (mut changes, mut expected) = (vec![], vec![]);
            // The socket takes some before it is read again.
            for (number, steps) in script.chunks(20).enumerate() {
                for step in steps {
                    client.send("argon-step", step.clone());
                }
                for step in 20 * number + 1..=20 * number + steps.len() {
                    let answer = client.answer("argon");
                    assert_eq!((&answer["step"], &answer["over"]), (&json!(step), &json!(false)));
                    for event in answer["events"].as_array().unwrap() {
                        changes.push((step as u32, event.as_str().unwrap().to_owned()));
                        if let Some(state) = event.as_str().unwrap().split(" / ").nth(1) {
                            assert_eq!(
                                (&answer["state"], &answer["label"]),
                                (&state.into(), event)
                            );
                        }
                    }
                }
            }
            for (step, event) in play(areas, verdict, Options::default()).unwrap() {
                expected.push((
                    step,
                    match event {
                        Event::Ship(state) => state.to_string(),
                        Event::Rocket(target) => format!("a rocket and target {target} are gone"),
                    },
                ));
            }
            assert_eq!(changes, expected, "{names:?}, {}", verdict.name);
            assert!(!changes.is_empty());
            rounds += 1;
        }
    }
    assert_eq!((rounds, script.len()), (44, 124));

    // Its bodies move by its rules only.
    for (kind, fields) in [
        ("grab", json!({ "at": [0, 0] })),
        ("remove", json!({ "at": [0, 0] })),
        ("spawn", json!({ "at": [0, 0], "kind": "box" })),
    ] {
        client.send(kind, fields);
        assert_eq!(client.error(), "argon: its bodies move by its rules");
    }
    // A direction may be an angle: half a turn and a step ahead of it.
    client.send("argon-step", json!({ "by": [-5, 0], "heading": 3.14159274 }));
    assert_eq!(client.answer("argon")["step"], 125);
}

/// A round ends when the last target is gone.
#[test]
fn a_round_is_over_without_targets() {
    let server = Server::start(&["--scene", "argon"]);
    let mut client = server.client();
    client.send("argon", json!({ "area": "box", "target": "box", "verdict": "min_max" }));
    client.answer("argon");
    let mut step = |by: [f32; 2], fire: bool| {
        let fields = json!({ "by": by, "heading": [1, 0], "fire": fire });
        client.send("argon-step", fields);
        client.answer("argon")
    };
    // Beside each target, 60 to the left; the rocket starts at 30 and flies 20 a step.
    let targets = [[107.0, 35.0], [250.0, 27.0], [351.0, 52.0], [203.0, -55.0], [400.0, 3.0]];
    let (mut at, mut gone) = ([0.0_f32; 2], vec![]);
    let mut last = Value::Null;
    for [x, y] in targets {
        let to = [x - 60.0, y];
        while at != to {
            let by = [0, 1].map(|axis| (to[axis] - at[axis]).clamp(-100.0, 100.0));
            at = [at[0] + by[0], at[1] + by[1]];
            last = step(by, at == to);
            gone.extend(last["events"].as_array().unwrap().clone());
        }
        for _ in 0..3 {
            last = step([0.0; 2], false);
            gone.extend(last["events"].as_array().unwrap().clone());
        }
    }
    let rockets = gone.iter().filter(|event| event.as_str().unwrap().starts_with("a rocket"));
    assert_eq!((rockets.count(), &last["over"]), (5, &json!(true)), "{gone:?}");
}

/// The zone, and the names of the verdicts by which both touch.
fn exhibit(client: &mut Client, circle: [f32; 3], sides: [f32; 4]) -> (u64, Vec<String>, Value) {
    client.send("exhibit", json!({ "circle": circle, "box": sides }));
    let answer = client.answer("exhibit");
    let verdicts = answer["verdicts"].as_array().unwrap();
    assert_eq!(verdicts.len(), VERDICTS.len());
    let yes = verdicts.iter().filter(|verdict| verdict["touches"] == true);
    let names = yes.map(|verdict| verdict["name"].as_str().unwrap().to_owned()).collect();
    (answer["zone"].as_u64().unwrap(), names, answer["verdicts"].clone())
}

/// Why a verdict says so.
fn why<'a>(verdicts: &'a Value, name: &str) -> &'a str {
    let verdicts = verdicts.as_array().unwrap();
    let verdict = verdicts.iter().find(|verdict| verdict["name"] == name).unwrap();
    verdict["why"].as_str().unwrap()
}

#[test]
fn the_exhibit_at_borders() {
    let server = Server::start(&["-n", "10"]);
    let mut client = server.client();
    let exact =
        ["engine (inclusive)", "nine_zones", "expanded_sides", "integer_square", "rotated_rect"];
    let of_boxes = ["min_max", "edge_normals"];
    let has = |names: &[String], expected: &[&str]| {
        assert_eq!(
            names.iter().map(String::as_str).collect::<std::collections::BTreeSet<_>>(),
            expected.iter().copied().collect()
        );
    };

    // The corner (3, 4) is 5 away from (0, 0): they touch. The square around the circle overlaps.
    // The circle inside the box has radius 3 around (6, 7), 9.2 away.
    let sides = [3.0, 4.0, 9.0, 10.0];
    let (zone, names, verdicts) = exhibit(&mut client, [0.0, 0.0, 5.0], sides);
    assert_eq!(zone, 0);
    has(&names, &[&exact[..], &of_boxes, &["separating_axes"]].concat());
    assert!(why(&verdicts, "engine (exclusive)").contains("its comparison is strict"));
    assert!(why(&verdicts, "expanded_rect_strict").contains("its comparison is strict"));
    assert!(why(&verdicts, "center_distance").contains("the corners of the box"));
    assert!(why(&verdicts, "nine_zones").starts_with("Zone 0: compares the square"));
    assert!(!why(&verdicts, "nine_zones").contains("differs"));

    // A little less: the square overlaps only. As whole numbers, the square is from -4 to 4 and
    // the circle inside it has radius 4.5 at (0.5, 0.5): 2.5 and 3.5 from the corner, so it hits.
    let (_, names, verdicts) = exhibit(&mut client, [0.0, 0.0, 4.75], sides);
    has(&names, &["integer_square", "min_max", "edge_normals", "separating_axes"]);
    assert!(why(&verdicts, "integer_square").contains("it cuts off the fractions"));
    assert!(why(&verdicts, "min_max").contains("the corners of the square reach the box"));

    // Beside a side, 2 away: they touch, also the circle inside the box, whose leftmost point is
    // (3, 7). Where touching does not count, nothing is found.
    let (zone, names, verdicts) = exhibit(&mut client, [1.0, 7.0, 2.0], sides);
    assert_eq!(zone, 3);
    has(&names, &[&exact[..], &of_boxes, &["center_distance"]].concat());
    assert!(why(&verdicts, "compound_circles").contains("its comparison is strict"));

    // Inside, all say yes.
    let (zone, names, _) = exhibit(&mut client, [6.0, 7.0, 1.0], sides);
    assert_eq!((zone, names.len()), (4, VERDICTS.len()));

    // The zones, row by row from below; a border belongs to the middle.
    for (zone, [x, y]) in
        [[0, 0], [3, 0], [10, 0], [0, 4], [9, 10], [10, 10], [0, 11], [6, 11], [10, 11]]
            .into_iter()
            .enumerate()
    {
        let (found, ..) = exhibit(&mut client, [x as f32, y as f32, 0.5], sides);
        assert_eq!(found, zone as u64, "{x}, {y}");
    }
}
