//! Argon: the changes of every round, worked out by hand from the rules of the classic tests.
//!
//! The ship is at (5 s, 0) after step s ≤ 60. Then it flies towards C and back, and is at (300, 0)
//! after step 70 and at (300, -5) after step 71. It is at (300 - 5 (s - 71), -5) until step 96, at
//! (180, 3) from step 97 to step 112, and at (180 + 10 (s - 112), 3) until step 124. The targets:
//!
//! |   | centre      | box                      |
//! |---|-------------|--------------------------|
//! | A | (107, 35)   | [87, 127] × [15, 55]     |
//! | B | (250, 27)   | [230, 270] × [7, 47]     |
//! | C | (351, 52)   | [331, 371] × [32, 72]    |
//! | D | (203, -55)  | [183, 223] × [-75, -35]  |
//! | E | (400, 3)    | [380, 420] × [-17, 23]   |
//!
//! The first rocket starts at (210, 3) in step 98, the second in step 102, and both fly 20 a step.
//! Their upper side or uppermost point is at y = 7, so they touch B and no more.
//!
//! - If touching counts, the first one takes B: a box from x = 230 on, in step 99; a circle at
//!   x = 250, in step 100. The second one takes E. It is at x = 390 in step 111; at x = 370 it ends
//!   at x = 378 at most.
//! - If it does not, the first one takes E, in step 107. B is still there when the ship flies below
//!   it again. The second rocket leaves the field.

use super::everywhere;
use game::{
    AREAS,
    Area::{self, Box, Circle, RotatedBox, TwoCircles},
    Changes,
    Event::{self, Rocket, Ship},
    State, TargetArea, VERDICTS, play,
};

#[path = "../../examples/argon/game/mod.rs"]
mod game;

const HIT: Event = Ship(State::Hit);
const SAFE: Event = Ship(State::Safe);
const B: Event = Rocket(2);
const E: Event = Rocket(5);

/// The verdicts that judge a round by one rule, and the changes that they see.
type Rule = (&'static [&'static str], &'static [(u32, Event)]);

/// The areas of a round, with the events where touching counts, and where it does not.
const ROUNDS: [((Area, TargetArea), [Rule; 2]); 8] = [
    // The circle is at (x + 7, y). It meets a target circle 35 apart.
    (
        (Circle, TargetArea::Circle),
        [
            // A, 35 above: touches at x + 7 = 107. B, 27 above: 22 aside (22² + 27² = 1213 < 35² =
            // 1225), not 23; so x from 225 to 265. B, 32 above: 14 aside (1220), not 15; so x from
            // 255 down to 230.
            (
                &["engine (inclusive)", "center_distance"],
                &[
                    (20, HIT),
                    (21, SAFE),
                    (45, HIT),
                    (54, SAFE),
                    (80, HIT),
                    (86, SAFE),
                    (100, B),
                    (111, E),
                ],
            ),
            // B, 24 above: 25 aside (1201), not 26; so x from 220 to 260.
            (
                &["engine (exclusive)", "compound_circles", "expanded_rect_strict"],
                &[(45, HIT), (54, SAFE), (80, HIT), (86, SAFE), (107, E), (116, HIT), (121, SAFE)],
            ),
        ],
    ),
    (
        (Circle, TargetArea::Box),
        [
            // A, 15 above: touches from x + 7 = 87 to 127; so x from 80 to 120. B, 7 above: 13
            // beside its sides (13² + 7² = 218 < 15² = 225), not 14; so x from 210 to 275. The
            // corner of C, (331, 32): the circle is at (322, 20) in step 65, 9 and 12 away, so it
            // touches. B, 12 above: touches 9 beside; so x from 270 (7 beside) down to 215 (8
            // beside).
            (
                &[
                    "engine (inclusive)",
                    "nine_zones",
                    "expanded_sides",
                    "integer_square",
                    "rotated_rect",
                ],
                &[
                    (16, HIT),
                    (25, SAFE),
                    (42, HIT),
                    (56, SAFE),
                    (65, HIT),
                    (66, SAFE),
                    (77, HIT),
                    (89, SAFE),
                    (99, B),
                    (111, E),
                ],
            ),
            // B, 4 above: 14 beside (212), not 15; so x from 210 to 270.
            (
                &["engine (exclusive)", "expanded_rect_strict"],
                &[(42, HIT), (56, SAFE), (77, HIT), (89, SAFE), (107, E), (115, HIT), (122, SAFE)],
            ),
        ],
    ),
    // The hull is at (x + 5, y), the nose at (x + 22, y). The nose meets a target circle 28 apart.
    (
        (TwoCircles, TargetArea::Circle),
        [
            // A: no x + 5 is 107, and the nose passes. B, 27 above: the hull 22 aside, so x from
            // 225 to 265; the nose 7 aside, so x from 225 to 235. B, 32 above: the hull 14 aside,
            // so x from 255 down to 235.
            (
                &["engine (inclusive)", "center_distance"],
                &[(45, HIT), (54, SAFE), (80, HIT), (85, SAFE), (100, B), (111, E)],
            ),
            // B, 24 above: the hull 25 aside, so x from 220 to 270; the nose 14 aside (772 < 28² =
            // 784), so x from 220 to 240.
            (
                &["engine (exclusive)", "compound_circles", "expanded_rect_strict"],
                &[(45, HIT), (54, SAFE), (80, HIT), (85, SAFE), (107, E), (116, HIT), (122, SAFE)],
            ),
        ],
    ),
    (
        (TwoCircles, TargetArea::Box),
        [
            // A: the hull touches from x + 5 = 87 to 127; so x from 85 to 120. B, 7 above: the nose
            // 3 beside (58 < 8² = 64), so x from 205 to 250; the hull 13 beside, so x from 215 to
            // 275. C: in step 65, the hull is at (320, 20), 11 and 12 from the corner, and the nose
            // is 12 below. B, 12 above: the hull 9 beside, so x from 270 (5) down to 220 (5).
            (
                &[
                    "engine (inclusive)",
                    "nine_zones",
                    "expanded_sides",
                    "integer_square",
                    "rotated_rect",
                ],
                &[
                    (17, HIT),
                    (25, SAFE),
                    (41, HIT),
                    (56, SAFE),
                    (77, HIT),
                    (88, SAFE),
                    (99, B),
                    (111, E),
                ],
            ),
            // B, 4 above: the nose 6 beside, so x from 210 to 250; the hull 14 beside, so x from
            // 220 to 270.
            (
                &["engine (exclusive)", "expanded_rect_strict"],
                &[(41, HIT), (56, SAFE), (77, HIT), (88, SAFE), (107, E), (115, HIT), (122, SAFE)],
            ),
        ],
    ),
    // The box is [x - 10, x + 30] × [y - 7, y + 7].
    (
        (Box, TargetArea::Circle),
        [
            // B: touches its lowest point, (250, 7); so x from 220 to 260.
            (
                &[
                    "engine (inclusive)",
                    "nine_zones",
                    "expanded_sides",
                    "integer_square",
                    "rotated_rect",
                ],
                &[(44, HIT), (53, SAFE), (100, B), (111, E)],
            ),
            // B, 17 above the upper side: 10 beside (389 < 20² = 400), not 11; so x from 210 (the
            // right side at 240) to 270 (the left side at 260).
            (&["engine (exclusive)", "expanded_rect_strict"], &[(107, E), (115, HIT), (122, SAFE)]),
        ],
    ),
    (
        (Box, TargetArea::Box),
        [
            // B: the upper side touches its lower side, from x + 30 = 230 (two corners) to
            // x - 10 = 270 (two corners).
            (
                &["engine (inclusive)", "min_max", "edge_normals"],
                &[(40, HIT), (57, SAFE), (99, B), (111, E)],
            ),
            // B: x + 30 > 230 and x - 10 < 270.
            (
                &["engine (exclusive)", "expanded_rect_strict", "separating_axes"],
                &[(107, E), (115, HIT), (122, SAFE)],
            ),
        ],
    ),
    // Heading east, the same box. Heading along (3, 4), from -10 to 30 along that direction, and 7
    // to both sides. Heading south, [x - 7, x + 7] × [y - 30, y + 10].
    (
        (RotatedBox, TargetArea::Circle),
        [
            // B as the box. C: its centre is 72.2 - 5 k ahead and 9.6 aside after k steps, so the
            // front is 22.2 and 17.2 before it, and its corner 2.6 aside: within 20 for k = 5 only.
            // D: the nose touches its uppermost point, (203, -35); so x from 210 (a corner) to 200.
            (
                &["engine (inclusive)", "rotated_rect"],
                &[
                    (44, HIT),
                    (53, SAFE),
                    (65, HIT),
                    (66, SAFE),
                    (89, HIT),
                    (92, SAFE),
                    (100, B),
                    (111, E),
                ],
            ),
            (&["engine (exclusive)"], &[(65, HIT), (66, SAFE), (107, E), (115, HIT), (122, SAFE)]),
        ],
    ),
    (
        (RotatedBox, TargetArea::Box),
        [
            // B as the box. C: its corner is 44.2 - 5 k ahead and 5.6 aside: within 30 and 7 from k
            // = 3 on, and back until then. D: the nose touches its upper side, from x - 7 = 223 (a
            // corner) down to 180 (x + 7 = 187).
            (
                &["engine (inclusive)", "edge_normals"],
                &[
                    (40, HIT),
                    (57, SAFE),
                    (63, HIT),
                    (68, SAFE),
                    (85, HIT),
                    (96, SAFE),
                    (99, B),
                    (111, E),
                ],
            ),
            (
                &["engine (exclusive)", "separating_axes"],
                &[(63, HIT), (68, SAFE), (107, E), (115, HIT), (122, SAFE)],
            ),
        ],
    ),
];

/// The lists stand for a golden hash: they are equal on every level and any number of threads.
#[test]
fn every_round_is_as_worked_out_by_hand() {
    assert_eq!(ROUNDS.map(|(areas, _)| areas), AREAS);
    everywhere(|options| {
        for (areas, rules) in ROUNDS {
            let mut names: Vec<&str> = vec![];
            for verdict in VERDICTS.into_iter().filter(|verdict| verdict.is_for(areas)) {
                let rule = rules.iter().find(|(names, _)| names.contains(&verdict.name));
                let (_, changes) = rule.unwrap_or_else(|| panic!("{areas:?}: {}", verdict.name));
                let round: Changes = play(areas, verdict, options).unwrap();
                assert_eq!(round, *changes, "{areas:?}, {}, {options:?}", verdict.name);
                names.push(verdict.name);
            }
            let listed = rules.iter().map(|(names, _)| names.len()).sum::<usize>();
            assert_eq!(names.len(), listed, "{areas:?}: judged by {names:?}");
        }
    });
}
