//! The command `widephase` from outside: its output, its output streams and its exit status.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{
    collections::BTreeSet,
    fs,
    process::{Output, Stdio},
};

use crate::prompt::{
    CONTACTS, Folder, absent_level, command, contacts, feed, pairs, run, scratch, sorted, stderr,
    stdout, unwrapped,
};
use crate::scene::{Scene, SceneKind};
use serde_json::Value;
use widephase::{
    Detector, Pair, SimdLevel, Touching,
    reference::{brute_force, whole},
    shape::Circle,
};
use widephase_scenes::{Level, LevelBody, LevelKind, LevelShape};

const AIRPORTS: [&str; 8] =
    ["detect", "tests/data/us-airports.csv", "--radius", "0.2", "--x", "lon", "--y", "lat"];

fn airports() -> Vec<Circle> {
    let mut reader = csv::Reader::from_path("tests/data/us-airports.csv").unwrap();
    assert_eq!(reader.headers().unwrap(), vec!["iata", "name", "city", "state", "lat", "lon"]);
    let number = |row: &csv::StringRecord, column: usize| row[column].parse::<f32>().unwrap();
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| Circle::new([number(&row, 5), number(&row, 4)], 0.2)).collect()
}

#[test]
fn airports_are_those_of_brute_force() {
    let airports = airports();
    assert_eq!(airports.len(), 3376);
    for touching in [Touching::Inclusive, Touching::Exclusive] {
        let expected = brute_force::pairs(&airports, touching);
        assert_eq!(expected.len(), 3446);
        for &level in SimdLevel::available() {
            let mut args = AIRPORTS.to_vec();
            args.extend(["--level", level.name()]);
            if touching == Touching::Exclusive {
                args.push("--exclusive");
            }
            let output = run(&args);
            assert!(output.status.success(), "{}", stderr(&output));
            assert_eq!(sorted(pairs(stdout(&output))), expected, "{level}");
            // Counts and times do not mix with the pairs. The reported level is the level that ran.
            assert!(stderr(&output).contains("3376 shapes, read in"), "{}", stderr(&output));
            assert!(stderr(&output).contains("3446 pairs, found"), "{}", stderr(&output));
            assert!(stderr(&output).contains(&format!("({level})")), "{}", stderr(&output));

            args.push("--sorted");
            assert_eq!(pairs(stdout(&run(&args))), expected, "{level}, sorted");
        }
    }
}

#[test]
fn every_level_writes_the_same_bytes() {
    let outputs: BTreeSet<Vec<u8>> = SimdLevel::available()
        .iter()
        .map(|level| command(&AIRPORTS).env("WIDEPHASE_LEVEL", level.name()).output().unwrap())
        .map(|output| output.stdout)
        .collect();
    assert_eq!(outputs.len(), 1);
}

#[test]
fn all_kinds_are_read() {
    let expected = [(0, 1), (1, 2), (1, 3), (1, 5), (2, 3), (2, 5), (3, 5)];
    let output = run(&["detect", "tests/data/shapes.csv", "--sorted"]);
    assert_eq!(pairs(stdout(&output)), expected.map(|(a, b)| Pair { a, b }), "{}", stderr(&output));
    assert!(stderr(&output).contains("6 shapes"));

    // With `--exclusive`, the point on the corners and the boxes side by side are not pairs.
    let expected = [(0, 1), (1, 3), (2, 3), (3, 5)];
    let output = run(&["detect", "tests/data/shapes.csv", "--sorted", "--exclusive"]);
    assert_eq!(pairs(stdout(&output)), expected.map(|(a, b)| Pair { a, b }));
}

/// Beyond the limit of a sorted list, the error suggests a remedy, and an existing file stays.
#[test]
fn more_than_the_limit_is_an_error() {
    let file = scratch("limit.csv");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "kept").unwrap();
    let shapes = "tests/data/shapes.csv";
    for (way, limit, error) in [
        (&["--sorted"][..], "6", "more than 6 pairs; --limit N admits more"),
        (&["--sorted"], "1", "more than 1 pair; --limit N admits more"),
        (&["--contacts", "--sorted"], "3", "more than 3 contacts; --limit N admits more"),
        (&[], "6", "more than 6 pairs; --limit N admits more"),
        (&["--contacts"], "3", "more than 3 contacts; --limit N admits more"),
    ] {
        let args = ["detect", shapes, "-o", path, "--limit", limit];
        let output = run(&[&args, way].concat());
        assert!(!output.status.success());
        assert!(stderr(&output).contains(error), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
    }
    for way in [&["--sorted"][..], &["--contacts", "--sorted"]] {
        let output = run(&[&["detect", shapes, "-o", path, "--limit", "7"], way].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 8);
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn kinds_that_turn_are_read() {
    let expected = [(0, 1), (0, 2), (0, 3), (2, 5)];
    let output = run(&["detect", "tests/data/turning.csv", "--sorted"]);
    assert_eq!(pairs(stdout(&output)), expected.map(|(a, b)| Pair { a, b }), "{}", stderr(&output));
    assert!(stderr(&output).contains("8 shapes"));
    // The polygon only touches the box.
    let output = run(&["detect", "tests/data/turning.csv", "--sorted", "--exclusive"]);
    assert_eq!(
        pairs(stdout(&output)),
        expected[..3].iter().map(|&(a, b)| Pair { a, b }).collect::<Vec<_>>()
    );
}

#[test]
fn contacts_are_those_of_the_drawing() {
    // If the depth in the floor is a quarter, the points are half way: an eighth below its top.
    let near = [
        "0,1,0,0,0.0,1.0,0.25,2.0,-0.125,0.25,s2,v0,,,,,",
        // Rotated by a quarter turn: its lower side is its left side before the rotation.
        "0,2,0,0,0.0,1.0,0.25,-5.0,-0.125,0.25,s2,v3,-3.0,-0.125,0.25,s2,v0",
        "0,3,0,0,0.0,1.0,0.25,5.0,-0.125,0.25,s2,v0,8.0,-0.125,0.25,s2,v1",
        // The box below is rotated by a quarter turn: its right side points up. The polygon is
        // given clockwise, and its first side is still the lower side.
        "2,5,0,0,0.0,1.0,0.0,-5.0,1.25,0.0,s1,v0,-3.0,1.25,0.0,s1,v1",
    ];
    let args = ["detect", "tests/data/turning.csv", "--sorted"];
    assert_eq!(contacts(&args, b""), near.join("\n"));
    let exclusive = contacts(&[&args[..], &["--exclusive"]].concat(), b"");
    assert_eq!(exclusive, near[..3].join("\n"));

    // Half a unit above the floor, and one above the circle.
    let lean = "0,4,0,0,0.0,1.0,-0.5,-8.0,0.25,-0.5,s2,v0,,,,,";
    let above = "1,6,0,0,0.0,1.0,-1.0,2.0,2.25,-1.0,v0,s0,,,,,";
    let all = [near[0], near[1], near[2], lean, above, near[3]];
    let within = |margin| contacts(&[&args[..], &["--margin", margin]].concat(), b"");
    assert_eq!(within("1"), all.join("\n"));
    assert_eq!(within("0.99"), [&all[..4], &all[5..]].concat().join("\n"));
    assert_eq!(within("0"), near.join("\n"));
}

#[test]
fn rotations_are_read_in_both_ways() {
    // A bar of 6 by 2 touches the point (0, 2.5) only if it is rotated upright.
    let touches = |header: &str, row: &str| {
        let header = format!("kind,x,y,half_width,half_height,{header}");
        let empty = ",".repeat(header.matches(',').count() - 2);
        let table = format!("{header}\npoint,0,2.5{empty}\n{row}\n");
        let output = feed(&["detect", "-"], table.as_bytes());
        assert!(output.status.success(), "{table}{}", stderr(&output));
        pairs(stdout(&output)).len() == 1
    };
    assert!(!touches("angle", "obb,0,0,3,1,0"));
    assert!(touches("angle", "obb,0,0,3,1,1.5707964"));
    assert!(!touches("angle", "obb,0,0,3,1,-3.1415927"));
    assert!(touches("cos,sin", "obb,0,0,3,1,0,-1"));
    assert!(touches("angle,cos,sin", "obb,0,0,3,1,,0,1"));
    assert!(touches("cos,angle,sin", "obb,0,0,3,1,,1.5,"));
    // Polygons are at their vertices' coordinates if there are no other values.
    assert!(!touches("angle,vertices", "polygon,,,,,,-3 -1 3 -1 3 1 -3 1"));
    assert!(touches("angle,vertices", "polygon,,,,,1.57,-3 -1 3 -1 3 1 -3 1"));
    assert!(touches("angle,vertices", "polygon,0,1.5,,,,-3 -1 3 -1 3 1 -3 1"));
    assert!(touches("radius,vertices", "polygon,,,,,1.5,\t-3 -1  3 -1 3 1\t-3 1 "));
}

#[test]
fn bad_shapes_that_turn_are_refused_with_their_place() {
    let cases = [
        (
            "x,y,half_width,half_height",
            "obb,1,2,3,4",
            ": the row is of kind obb, and there is no column \"angle\"",
        ),
        (
            "x,y,half_width,angle",
            "obb,1,2,3,0",
            ": the row is of kind obb, and there is no column \"half_height\"",
        ),
        (
            "x,y,half_width,half_height,angle",
            "obb,1,2,3,4,",
            ", column \"angle\": empty, but the row is of kind obb",
        ),
        (
            "x,y,half_width,half_height,angle",
            "obb,1,2,3,4,NaN",
            ", column \"angle\": \"NaN\" is refused: not a number",
        ),
        (
            "x,y,half_width,half_height,angle",
            "obb,1,2,3,4,-inf",
            ", column \"angle\": \"-inf\" is refused: infinite",
        ),
        (
            "x,y,half_width,half_height,angle",
            "obb,1,2,-3,4,0",
            ", column \"half_width\": \"-3\" is refused: a size cannot be negative",
        ),
        (
            "x,y,half_width,half_height,cos,sin",
            "obb,1,2,3,4,,",
            ", column \"cos\": empty, but the row is of kind obb",
        ),
        (
            "x,y,half_width,half_height,cos,sin",
            "obb,1,2,3,4,1,",
            ", column \"sin\": empty, but the row is of kind obb",
        ),
        (
            "x,y,half_width,half_height,cos,sin",
            "obb,1,2,3,4,3,4",
            ", column \"cos\": \"3\" is refused: the length of the vector is 5 and not 1",
        ),
        (
            "x,y,half_width,half_height,cos,sin,angle",
            "obb,1,2,3,4,1,0,0",
            ", column \"angle\": the row has cos or sin as well; it needs one or the other",
        ),
        (
            "ax,ay,bx,by",
            "capsule,1,2,3,4",
            ": the row is of kind capsule, and there is no column \"radius\"",
        ),
        (
            "ax,ay,bx,by,radius",
            "capsule,1,2,3,4,-1",
            ", column \"radius\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            "ax,ay,bx",
            "segment,1,2,3",
            ": the row is of kind segment, and there is no column \"by\"",
        ),
        ("ax,ay,bx,by", "segment,1,2,3,inf", ", column \"by\": \"inf\" is refused: infinite"),
        ("x,y", "polygon,1,2", ": the row is of kind polygon, and there is no column \"vertices\""),
        ("vertices", "polygon,", ", column \"vertices\": empty, but the row is of kind polygon"),
        (
            "vertices",
            "polygon,1 2 3 4",
            ", column \"vertices\": 2 different vertices are too few, it needs 3",
        ),
        (
            "vertices",
            "polygon,1 2 3 4 5",
            ", column \"vertices\": 5 numbers, but each vertex has two",
        ),
        ("vertices", "polygon,1 2 3 x 4 5", ", column \"vertices\": \"x\" is not a number"),
        (
            "vertices",
            "polygon,1 2 3 nan 4 5",
            ", column \"vertices\": vertex 1: y is NaN: not a number",
        ),
        ("vertices", "polygon,0 0 1 1 2 2", ", column \"vertices\": all vertices lie on one line"),
        (
            "vertices",
            "polygon,0 0 4 0 1 1 0 4",
            ", column \"vertices\": not convex, or more than one round, at vertex 2",
        ),
        (
            "vertices,radius",
            "polygon,0 0 1 0 0 1,-1",
            ", column \"radius\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            "vertices,angle",
            "polygon,0 0 1 0 0 1,nan",
            ", column \"angle\": \"nan\" is refused: not a number",
        ),
        (
            "vertices,x,y",
            "polygon,0 0 1 0 0 1,5,",
            ", column \"y\": empty, but the row is of kind polygon",
        ),
        (
            "vertices,x,y",
            "polygon,0 0 1 0 0 1,0,2e18",
            ", column \"y\": \"2e18\" is refused: beyond the magnitude limit of 2^60",
        ),
    ];
    for (header, row, message) in cases {
        let output = feed(&["detect", "-"], format!("kind,{header}\n{row}\n").as_bytes());
        assert_eq!(output.status.code(), Some(1), "{header}: {row}");
        assert_eq!(stdout(&output), "");
        assert_eq!(stderr(&output), format!("error: standard input: line 2{message}\n"));
    }
}

#[test]
fn tables_of_points_are_read() {
    let table = b"x,lat,y\n0,9,0\n0,9,1\n5,9,5\n0,9,0\n";
    let detect = |args: &[&str]| sorted(pairs(stdout(&feed(args, table))));
    assert_eq!(detect(&["detect", "-", "--radius", "0.5"]).len(), 3);
    assert_eq!(detect(&["detect", "-", "--x", "x"]), [Pair { a: 0, b: 3 }]);
    assert_eq!(detect(&["detect", "-", "--y", "lat"]).len(), 3);
}

#[test]
fn standard_input_is_read_like_the_file() {
    let bytes = fs::read("tests/data/shapes.csv").unwrap();
    let from_file = run(&["detect", "tests/data/shapes.csv"]);
    assert_eq!(feed(&["detect", "-"], &bytes).stdout, from_file.stdout);

    // A byte order mark, CR LF, and a last line without an end are read as well.
    let text = String::from_utf8(bytes).unwrap();
    let windows = format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"));
    let output = feed(&["detect", "-"], windows.as_bytes());
    assert_eq!(output.stdout, from_file.stdout, "{}", stderr(&output));
}

#[test]
fn other_columns_may_hold_anything() {
    let output = feed(&["detect", "-"], b"\xff,kind,x,y\n\xfe,point,1,1\n\"a\nb\", point , 1 ,1\n");
    assert_eq!(pairs(stdout(&output)), [Pair { a: 0, b: 1 }], "{}", stderr(&output));
}

#[test]
fn pairs_go_to_the_file_and_words_to_standard_error() {
    let path = scratch("pairs.csv");
    let output = run(&["detect", "tests/data/shapes.csv", "-o", path.to_str().unwrap()]);
    assert!(output.status.success());
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("\n6 shapes, read in "), "{}", stderr(&output));
    assert!(stderr(&output).contains("\n7 pairs, found and written in "), "{}", stderr(&output));
    assert_eq!(pairs(&fs::read_to_string(&path).unwrap()).len(), 7);

    // An input that cannot be read leaves the previous output unchanged.
    let before = fs::read(&path).unwrap();
    let output = run(&["detect", "no-such-file.csv", "-o", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::remove_file(&path).unwrap();

    let output = run(&["detect", "tests/data/shapes.csv", "-o", "no-such-folder/pairs.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no-such-folder"), "{}", stderr(&output));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let cases: [(&[u8], &str); 20] = [
        (b"", "standard input: empty, there is not even a header"),
        (b"\n\r\n", "standard input: empty, there is not even a header"),
        (
            b"id,x,z\n1,2,3\n",
            "standard input: line 1: no column \"kind\" among: id, x, z (for a table of points, \
             name its columns by --x and --y)",
        ),
        (b"\n\nx\n", "standard input: line 3: no column \"kind\" among: x ("),
        (b"kind,x,y,x\npoint,1,2,3\n", "standard input: line 1: two columns are called \"x\""),
        (
            b"kind,x,y\npoint,1,2\ncircle,1,2\n",
            "standard input: line 3: the row is of kind circle, and there is no column \"radius\"",
        ),
        (b"kind,x,y\npoint,1\n", "standard input: line 2: 2 values, but the header has 3"),
        (b"kind,x,y\npoint,1,2,3\n", "standard input: line 2: 4 values, but the header has 3"),
        (
            b"kind,x,y\ncompound,1,2\n",
            "line 2, column \"kind\": \"compound\" is not a kind; the kinds are: point, circle, \
             aabb, rounded_box, obb, capsule, segment, polygon",
        ),
        (b"kind,x,y\npoint,1,two\n", "line 2, column \"y\": \"two\" is not a number"),
        (b"kind,x,y\npoint,1,\xff\n", "line 2, column \"y\": \"\u{fffd}\" is not a number"),
        (b"kind,x,y\npoint,,2\n", "line 2, column \"x\": empty, but the row is of kind point"),
        (
            b"kind,x,y\npoint,1,2\npoint,NaN,2\n",
            "line 3, column \"x\": \"NaN\" is refused: not a number",
        ),
        (b"kind,x,y\npoint,-inf,2\n", "line 2, column \"x\": \"-inf\" is refused: infinite"),
        (
            b"kind,x,y\npoint,1,2e18\n",
            "line 2, column \"y\": \"2e18\" is refused: beyond the magnitude limit of 2^60",
        ),
        (
            b"radius,kind,x,y\n-1,circle,1,2\n",
            "line 2, column \"radius\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            b"kind,min_x,min_y,max_x,max_y\naabb,0,4,9,3\n",
            "line 2, column \"min_y\": \"4\" is refused: the box is inverted, its other side is 3",
        ),
        // Lines are counted as in editors: with blank lines, CR LF, and line feeds in quotes.
        (b"kind,x,y\r\npoint,1,2\r\n\r\n\r\npoint,a,2\r\n", "line 5, column \"x\": \"a\""),
        (b"kind,x,y\n\n\npoint,1,2\n\npoint,a,2", "line 6, column \"x\": \"a\""),
        (b"kind,x,y,note\npoint,1,2,\"a\nb\"\npoint,a,2,\n", "line 4, column \"x\": \"a\""),
    ];
    for (input, message) in cases {
        let output = feed(&["detect", "-"], input);
        let shown = String::from_utf8_lossy(input);
        assert_eq!(output.status.code(), Some(1), "{shown:?}");
        assert_eq!(stdout(&output), "", "{shown:?}");
        assert!(stderr(&output).starts_with("error: standard input: "), "{}", stderr(&output));
        assert!(stderr(&output).contains(message), "{shown:?}:\n{}", stderr(&output));
    }
}

#[test]
fn bad_tables_of_points_are_refused_by_their_own_names() {
    let args = ["detect", "-", "--x", "lon", "--y", "lat"];
    for (input, message) in [
        ("lon,latitude\n1,2\n", "line 1: no column \"lat\" among: lon, latitude (name the column"),
        ("lon,lat\n1,x\n", "line 2, column \"lat\": \"x\" is not a number"),
        ("lon,lat\n1,2\nnan,2\n", "line 3, column \"lon\": \"nan\" is refused: not a number"),
    ] {
        let output = feed(&args, input.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn errors_name_the_file() {
    let output = run(&["detect", "no-such-file.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: no-such-file.csv: "), "{}", stderr(&output));

    let path = scratch("bad.csv");
    fs::write(&path, "kind,x,y\npoint,1,zwei\n").unwrap();
    let output = run(&["detect", path.to_str().unwrap()]);
    let expected =
        format!("error: {}: line 2, column \"y\": \"zwei\" is not a number\n", path.display());
    assert_eq!(stderr(&output), expected);
    fs::remove_file(path).unwrap();
}

#[test]
fn usage_errors_have_status_2() {
    let cases: [(&[&str], &str); 25] = [
        (&["compare", "--time", "-1"], "'-1' for '--time <SECONDS>': not a number of seconds"),
        (&["compare", "--seed", "x"], "'x' for '--seed <SEED>': not a seed"),
        (&["compare", "--seed", "-1"], "'-1' for '--seed <SEED>': not a seed"),
        (&["compare", "-n", "-5"], "'-5' for '-n <N>': not a number of bodies"),
        (&["detect", "-", "--sorted", "--limit", "-5"], "'-5' for '--limit <N>'"),
        (&["detect", "-", "--limit", "5", "--count"], "--count"),
        (&["detect", "-", "--radius", "1", "--radius-column", "r"], "--radius-column"),
        (&["detect", "-", "--radius", "-1"], "not a radius"),
        (&["detect", "-", "--radius", "nan"], "not a radius"),
        (&["detect", "-", "--contacts", "--margin", "-1"], "not a margin"),
        (&["detect", "-", "--margin", "1"], "--contacts"),
        (&["compare", "-n", "0"], "not a number of bodies"),
        (&["compare", "-n", "1.5"], "not a number of bodies"),
        (&["compare", "-n", "5G"], "not a number of bodies"),
        (&["compare", "--threads", "0"], "not a number of threads"),
        (&["compare", "--scene", "s9"], "\"s9\" is not a scene; the scenes are: s1 (uniform"),
        (&["compare", "--motion", "up"], "\"up\" is not a motion; the motions are: drift, brown"),
        (&["compare", "--level", "sse9"], "\"sse9\" is not a level"),
        (&["compare", "--scene", "caves"], "the levels are: cave, tiles, pit, map; the groups are"),
        (
            &["compare", "--scene", "s1,pit", "--motion", "drift"],
            "--motion cannot be used with the",
        ),
        (&["compare", "--scene", "levels", "--contacts"], "with the level cave: its steps have"),
        (&["compare", "--scene", "map", "--queries"], "with the level map: its rays are a part"),
        (&["compare", "--scene", "pit", "--brute-force", "9"], "--brute-force cannot be used with"),
        (&["bench", "--scene", "pit", "--motion", "settle"], "--motion cannot be used with the"),
        (&["bench", "--scene", "pit", "--what", "step,rays"], "only its step is measured"),
    ];
    for (args, message) in cases {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn help_says_what_the_numbers_mean() {
    let output = run(&["detect", "--help"]);
    assert!(stdout(&output).contains("row numbers, which start at 0"), "{}", stdout(&output));
    assert!(stdout(&output).contains("rounded_box  min_x, min_y"), "{}", stdout(&output));
    assert!(stdout(&output).contains("capsule      ax, ay, bx, by, radius"), "{}", stdout(&output));
    for column in CONTACTS.split(',') {
        assert!(stdout(&output).contains(column), "{column}");
    }
    let help = unwrapped(stdout(&run(&["compare", "--help"])));
    assert!(help.contains("Exit status 1 if any list differs"), "{help}");
    assert!(stdout(&run(&["--help"])).contains("WIDEPHASE_LEVEL"));
}

#[test]
fn an_absent_level_is_an_error() {
    let (name, message) = absent_level();
    let mut detect = AIRPORTS.to_vec();
    detect.extend(["--level", name]);
    for output in [
        run(&detect),
        run(&["compare", "-n", "10", "--time", "0", "--level", name]),
        command(&["info"]).env("WIDEPHASE_LEVEL", name).output().unwrap(),
        command(&["compare", "-n", "10", "--time", "0"])
            .env("WIDEPHASE_LEVEL", name)
            .output()
            .unwrap(),
        command(&AIRPORTS).env("WIDEPHASE_LEVEL", name).output().unwrap(),
    ] {
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).contains(&message), "{}", stderr(&output));
    }
}

#[test]
fn the_flag_wins_over_the_variable() {
    let mut args = AIRPORTS.to_vec();
    args.extend(["--level", "scalar"]);
    let output = command(&args).env("WIDEPHASE_LEVEL", absent_level().0).output().unwrap();
    assert!(output.status.success());
    assert!(stderr(&output).contains("(scalar)"), "{}", stderr(&output));
}

#[test]
fn info_lists_all_levels() {
    let output = run(&["info"]);
    let text = stdout(&output);
    assert!(output.status.success());
    for level in SimdLevel::ALL {
        let line = text.lines().find(|line| line.contains(level.name())).unwrap();
        assert_eq!(line.ends_with("not on this CPU"), !level.is_available(), "{line}");
        assert_eq!(line.contains("in use"), level == SimdLevel::best(), "{line}");
    }
    let output = command(&["info"]).env("WIDEPHASE_LEVEL", "scalar").output().unwrap();
    let line = stdout(&output).lines().find(|line| line.contains("scalar")).unwrap().to_owned();
    assert!(line.ends_with("in use: forced by WIDEPHASE_LEVEL"), "{line}");
    let [row] = &json_rows(&run(&["info", "--format", "json"]))[..] else { panic!("one object") };
    let levels = row["levels"].as_array().unwrap();
    let available = levels.iter().filter(|level| level["available"] == true).count();
    assert_eq!((levels.len(), available), (SimdLevel::ALL.len(), SimdLevel::available().len()));
    assert_eq!(levels.iter().filter(|level| level["in_use"] == true).count(), 1);
}

const QUICK: [&str; 7] = ["compare", "-n", "300,2k", "--time", "0", "--threads", "1,2"];

fn json_rows(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn compare_in_json_has_one_row_an_executor() {
    let mut args = QUICK.to_vec();
    args.extend(["--format", "json", "--seed", "5"]);
    let output = run(&args);
    let rows = json_rows(&output);
    assert_eq!(rows.len(), 4 * 2 * 2 * SimdLevel::available().len());
    let keys = [
        "scene",
        "motion",
        "n",
        "level",
        "threads",
        "median_ns_per_body",
        "noisy",
        "pairs",
        "hash",
        "identical",
    ];
    for row in &rows {
        let found: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found, BTreeSet::from(keys));
        assert_eq!(row["identical"], true);
        assert!(row["median_ns_per_body"].as_f64().unwrap() > 0.0);
        assert!([1, 2].contains(&row["threads"].as_u64().unwrap()));
        assert_eq!(row["hash"].as_str().unwrap().len(), 16);

        let kind: SceneKind = row["scene"].as_str().unwrap().parse().unwrap();
        let scene = Scene::generate(kind, row["n"].as_u64().unwrap() as u32, 5);
        let truth = match scene.wholes() {
            Some(wholes) => whole::pairs(&wholes, Touching::Inclusive).len() as u64,
            None => brute_force::count(&scene.rounded_boxes(), Touching::Inclusive),
        };
        assert_eq!(row["pairs"].as_u64(), Some(truth));
        for other in &rows {
            let same_scene = (&row["scene"], &row["n"]) == (&other["scene"], &other["n"]);
            assert_eq!(row["hash"] == other["hash"], same_scene);
        }
    }
    for level in SimdLevel::ALL {
        let rows = rows.iter().filter(|row| row["level"] == level.name()).count();
        assert_eq!(rows > 0, level.is_available(), "{level}");
        // The SIMD levels that do not run are reported on the other stream.
        let note = format!("{level}: not on this CPU");
        assert_eq!(stderr(&output).contains(&note), !level.is_available());
    }
}

#[test]
fn compare_runs_the_level_that_is_forced() {
    let forced = SimdLevel::best().name();
    let mut args = vec!["compare", "-n", "100", "--time", "0", "--scene", "uniform-boxes"];
    args.extend(["--threads", "1", "--format", "json"]);
    let by_variable = command(&args).env("WIDEPHASE_LEVEL", forced).output().unwrap();
    args.extend(["--level", forced]);
    let by_flag = run(&args);
    for output in [by_variable, by_flag] {
        let rows = json_rows(&output);
        let levels: Vec<&str> = rows.iter().map(|row| row["level"].as_str().unwrap()).collect();
        assert_eq!(levels, ["scalar", forced]);
        assert!(rows.iter().all(|row| row["scene"] == "s2"));
    }
}

/// The rows of the tables below the first row, cell by cell, without headers.
fn table_rows(text: &str) -> Vec<Vec<&str>> {
    let (_, tables) = text.split_once("\nwidephase ").unwrap();
    let rows =
        tables.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| level "));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn compare_prints_a_table_for_each_scene() {
    let mut args = QUICK.to_vec();
    args.extend(["--scene", "s1,border-lattice", "--brute-force", "1k", "--verbose"]);
    let output = run(&args);
    let text = stdout(&output);
    assert!(output.status.success());
    assert!(text.starts_with("| scene "), "{text}");
    let about = concat!("\nwidephase ", env!("CARGO_PKG_VERSION"), " on ");
    assert!(text.contains(about), "{text}");
    for level in SimdLevel::ALL {
        let note = format!("{level}: not on this CPU");
        assert_eq!(text.contains(&note), !level.is_available(), "{text}");
    }
    for title in [
        "\ns1 (uniform-circles), 300 bodies: ",
        " pairs, verified by brute force\n",
        "\ns1 (uniform-circles), 2k bodies: ",
        " pairs, verified by scalar grid\n",
        "\nborder-lattice, 300 bodies: ",
    ] {
        assert!(text.contains(title), "{title}: {text}");
    }
    // Only on one thread, because two threads would do the same.
    assert!(text.contains("\nFewer than 65,536 bodies stay on one thread.\n"), "{text}");
    let rows = table_rows(text);
    assert_eq!(rows.len(), 2 * 2 * SimdLevel::available().len());
    assert!(rows.iter().all(|row| (row[1], row[6]) == ("1", "yes")), "{text}");
    // The SIMD level that a detector chooses is marked.
    let marked: BTreeSet<&str> =
        rows.iter().map(|row| row[0]).filter(|level| level.contains('*')).collect();
    assert_eq!(marked, BTreeSet::from([&*format!("{} *", SimdLevel::best())]));

    let last = text.lines().last().unwrap();
    let verdict = format!("; all {} lists are identical.", rows.len());
    assert!(last.starts_with("On this machine ") && last.ends_with(&verdict), "{last}");
    assert!(!text.contains("hash of the list"), "{text}");
}

#[test]
fn threads_are_compared_where_there_are_bodies_enough() {
    let args =
        ["compare", "--scene", "s1", "-n", "65535,65536", "--time", "0", "--level", "scalar"];
    let more = ["--threads", "1,2", "--brute-force", "1", "--verbose"];
    let output = run(&[&args[..], &more].concat());
    let text = stdout(&output);
    let threads: Vec<&str> = table_rows(text).iter().map(|row| row[1]).collect();
    assert_eq!(threads, ["1", "1", "2"], "{text}");
}

/// Rows with hashes may be longer.
#[test]
fn tables_fit_a_page() {
    for (way, titles) in [
        (&[][..], "| ns/(body+pair) | identical |"),
        (&["--contacts"], "| contact ns/body | identical |"),
    ] {
        let args = ["compare", "--scene", "border-lattice,s8", "-n", "2k", "--time", "0"];
        for verbose in [&[][..], &["--verbose"]] {
            let output = run(&[&args[..], way, verbose].concat());
            let text = stdout(&output);
            assert_eq!(text.contains(titles), !verbose.is_empty(), "{text}");
            for line in text.lines().filter(|line| !line.starts_with("widephase ")) {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
        let output = run(&[&args[..], way, &["--hash"]].concat());
        assert!(stdout(&output).contains("| hash of the list |"), "{}", stdout(&output));
        let hash = table_rows(stdout(&output))[0][6];
        assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    }
}

#[test]
fn compare_finds_contacts_if_asked() {
    let mut args = QUICK.to_vec();
    args.extend(["--scene", "s1,s7,s8", "--contacts", "--format", "json"]);
    let rows = json_rows(&run(&args));
    assert_eq!(rows.len(), 3 * 2 * 2 * SimdLevel::available().len());
    for row in &rows {
        assert_eq!(row["identical"], true);
        assert!(row["median_contact_ns_per_body"].as_f64().unwrap() > 0.0);
        let kind: SceneKind = row["scene"].as_str().unwrap().parse().unwrap();
        let scene = Scene::generate(kind, row["n"].as_u64().unwrap() as u32, 1);
        let mut contacts = Vec::new();
        Detector::new().contacts(scene.columns(), 0.0, &mut contacts).unwrap();
        assert_eq!(row["contacts"].as_u64(), Some(contacts.len() as u64));
        // One contact per pair, but one per pair of parts for compounds.
        assert_eq!(row["contacts"] == row["pairs"], kind != SceneKind::Compounds);
        for other in &rows {
            let same_scene = (&row["scene"], &row["n"]) == (&other["scene"], &other["n"]);
            assert_eq!(row["contact_hash"] == other["contact_hash"], same_scene);
        }
    }
    // The tables have more rows, another column, and a line that explains them.
    let args = ["compare", "-n", "300", "--time", "0", "--scene", "s8", "--contacts", "-v"];
    let output = run(&args);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("\n| s8    | contacts |    300 | "), "{text}");
    assert!(text.contains(" pairs and "), "{text}");
    assert!(text.contains("| contact ns/body | identical |"), "{text}");
    assert!(text.contains("\ncontacts, contact ns/body: "), "{text}");
}

#[test]
fn compare_asks_queries() {
    let names = ["rays", "scans", "nearest", "8-nearest", "overlaps", "casts"];
    let mut args = QUICK.to_vec();
    args.extend(["--scene", "s1,s6,s8", "--queries", "--format", "json"]);
    let rows = json_rows(&run(&args));
    assert_eq!(rows.len(), 3 * 2 * 2 * SimdLevel::available().len() * names.len());
    for row in &rows {
        assert_eq!(row["identical"], true);
        assert!(row["median_ns_per_query"].as_f64().unwrap() > 0.0);
        assert!(row["queries"].as_u64() >= row["n"].as_u64());
        for other in &rows {
            let case = |row: &Value| ["scene", "n", "query"].map(|key| row[key].clone());
            assert_eq!(row["hash"] == other["hash"], case(row) == case(other), "{row} {other}");
        }
    }
    let args = ["compare", "-n", "300", "--time", "0", "--scene", "s7", "--queries", "-v"];
    let output = run(&args);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.starts_with("| scene "), "{text}");
    for name in names {
        assert!(text.contains(&format!("\n| {name} ")), "{text}");
        assert!(text.contains(&format!("\n| s7    | {name} ")), "{text}");
    }
    assert!(text.contains("\nOn this machine ") && text.contains(" level"), "{text}");
    assert!(text.contains("lists of answers are identical."), "{text}");
    for other in ["--contacts", "--hash"] {
        let output = run(&["compare", "--queries", other]);
        assert!(!output.status.success());
        assert!(stderr(&output).contains("cannot be used with"), "{}", stderr(&output));
    }
}

/// The results of `compare` for `scenes`, in JSON: on one thread, and compared with brute force.
fn compared(scenes: &str, n: &str, motion: &str) -> (Vec<Value>, Output) {
    let mut args = vec!["compare", "--scene", scenes, "-n", n, "--motion", motion];
    args.extend(["--threads", "1", "--time", "0", "--format", "json", "--level", "scalar"]);
    let output = run(&args);
    (json_rows(&output), output)
}

#[test]
fn compare_takes_groups_of_scenes() {
    let names = |rows: &[Value]| -> Vec<SceneKind> {
        rows.iter().map(|row| row["scene"].as_str().unwrap().parse().unwrap()).collect()
    };
    let (rows, _) = compared("standard", "200", "drift");
    assert_eq!(names(&rows), SceneKind::STANDARD);
    let (rows, _) = compared("Adversaries", "200", "settle");
    assert_eq!(names(&rows), SceneKind::ADVERSARIES);
    assert!(rows.iter().all(|row| row["identical"] == true && row["motion"] == "settle"));
    // Each scene once, in the order of first mention.
    let (rows, _) = compared("far-body,giant,adversaries,far-body", "20", "brownian");
    assert_eq!(names(&rows)[..2], [SceneKind::FarBody, SceneKind::Giant]);
    assert_eq!(rows.len(), SceneKind::ADVERSARIES.len());
}

/// Whether two bodies of a level touch, in f64; `None` within rounding of it, or with an outline.
fn touch(a: &LevelBody, b: &LevelBody) -> Option<bool> {
    let apart = |axis: usize| f64::from(b.center[axis]) - f64::from(a.center[axis]);
    // The half sides and the radius of a body.
    let size = |body: &LevelBody| match body.shape {
        LevelShape::Circle(radius) => Some([0.0, 0.0, f64::from(radius)]),
        LevelShape::Box([x, y]) => Some([f64::from(x), f64::from(y), 0.0]),
        _ => None,
    };
    let gap = match (&a.shape, size(a), size(b)) {
        (&LevelShape::HalfPlane([x, y]), _, Some(size)) => {
            let [x, y] = [f64::from(x), f64::from(y)];
            let extent = size[0] * x.abs() + size[1] * y.abs() + size[2];
            apart(0) * x + apart(1) * y - extent
        }
        (_, Some(size_a), Some(size_b)) => {
            let gaps = [0, 1].map(|axis| apart(axis).abs() - size_a[axis] - size_b[axis]);
            let radii = size_a[2] + size_b[2];
            match gaps {
                [x, y] if x > 0.0 && y > 0.0 => x.hypot(y) - radii,
                [x, y] => x.max(y) - radii,
            }
        }
        _ => return None,
    };
    (gap.abs() > 1e-4).then_some(gap < 0.0)
}

#[test]
fn compare_steps_levels() {
    let args = ["compare", "--scene", "levels", "-n", "60", "--time", "0", "--threads", "1,2"];
    let rows = json_rows(&run(&[&args[..], &["--format", "json", "--seed", "5"]].concat()));
    assert_eq!(rows.len(), 4 * 2 * SimdLevel::available().len());
    for kind in LevelKind::ALL {
        let mut level = Level::generate(kind, 60, 5);
        level.step();
        let (mut least, mut open) = (0, 0);
        for (number, mover) in level.movers().iter().enumerate() {
            for other in level.resting().iter().chain(&level.movers()[..number]) {
                match touch(other, mover) {
                    Some(touches) => least += usize::from(touches),
                    None => open += 1,
                }
            }
        }
        assert!(least > 0 && (open < 9 || kind == LevelKind::Cave), "{kind:?}: {least}, {open}");
        let of_kind: Vec<&Value> = rows.iter().filter(|row| row["scene"] == kind.name()).collect();
        assert_eq!(of_kind.len(), 2 * SimdLevel::available().len());
        for row in of_kind {
            let found = ["motion", "n", "identical"].map(|key| row[key].clone());
            assert_eq!(found, [Value::Null, 60.into(), true.into()], "{row}");
            let pairs = row["pairs"].as_u64().unwrap() as usize;
            assert!((least..=least + open).contains(&pairs), "{row}, {least}");
            assert!(row["contacts"].as_u64() >= row["pairs"].as_u64(), "{row}");
            assert!(row["median_ns_per_body"].as_f64().unwrap() > 0.0);
            for other in &rows {
                let same = row["scene"] == other["scene"];
                assert_eq!(row["hash"] == other["hash"], same, "{row} {other}");
                assert_eq!(row["contact_hash"] == other["contact_hash"], same, "{row} {other}");
            }
        }
    }
}

#[test]
fn compare_prints_a_table_of_a_level() {
    let args = ["compare", "--scene", "pit,s1", "--time", "0", "--level", "scalar", "--hash"];
    let output = run(&[&args[..], &["--threads", "1"]].concat());
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    // The size of a level that is not named is its own.
    let title = "\npit, 1k movers: ";
    assert!(text.contains(title) && text.contains(", verified by a detection of all bodies\n"));
    let rows = table_rows(text);
    assert_eq!(rows.iter().map(|row| row.len()).collect::<Vec<_>>(), [8, 8, 8, 8], "{text}");
    // A mark says that the time is noisy.
    let time = rows[0][2].trim_end_matches(" ~").parse::<f64>();
    assert_eq!((time.is_ok(), rows[0][7]), (true, "yes"), "{text}");
    assert!(text.contains("| ns/mover | × scalar | × 1 thread | hash of the list"), "{text}");
    assert!(text.contains("\nns/mover: ") && text.contains("\nns/body: "), "{text}");
    assert!(text.ends_with("; all 4 lists are identical.\n"), "{text}");
    for line in text.lines().filter(|line| !line.starts_with(['|', 'O', 'w'])) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn compare_takes_fewer_bodies_where_all_touch() {
    let (rows, output) = compared("s1,coincident", "60,2k", "drift");
    let found: Vec<_> = rows.iter().map(|row| (&row["scene"], &row["n"], &row["pairs"])).collect();
    // 358 bodies have 63 903 pairs, 359 would have more than 32 times 2000.
    assert_eq!((found[2].1.as_u64(), found[2].2.as_u64()), (Some(60), Some(60 * 59 / 2)));
    assert_eq!((found[3].1.as_u64(), found[3].2.as_u64()), (Some(358), Some(63_903)));
    let note = "coincident: 358 bodies, as 2k would have 2.0e6 pairs\n";
    assert_eq!(stderr(&output).matches(note).count(), 1, "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("would have").count(), 1, "{}", stderr(&output));
}

/// If the reader of a pipe closes it, that is no error and no panic.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    // 600 coincident points are 179 700 pairs: more than any pipe holds.
    let path = scratch("crowd.csv");
    fs::write(&path, format!("kind,x,y\n{}", "point,1,1\n".repeat(600))).unwrap();
    for order in [&[][..], &["--sorted"]] {
        let mut command = command(&["detect", path.to_str().unwrap()]);
        let mut child =
            command.args(order).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!stderr(&output).contains("error"), "{}", stderr(&output));
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn completions_and_pages_of_man() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success() && stdout(&output).contains("against"), "{shell}");
    }
    let folder = Folder::new("man");
    let output = run(&["man", folder.path("").trim_end_matches('/')]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = std::fs::read_to_string(folder.path("widephase-detect.1")).unwrap();
    assert!(page.contains("\\-\\-within"), "{page}");
    assert_eq!(run(&["man", &folder.path("new/folder")]).status.code(), Some(0));
    assert_eq!(run(&["man", &folder.path("widephase.1")]).status.code(), Some(1));
    assert_eq!(run(&["completions", "sh"]).status.code(), Some(2));
    let version = format!("widephase {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&run(&["--version"])), version);
}
