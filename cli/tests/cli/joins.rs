//! `widephase detect` and `query` for people who join tables.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};

use crate::prompt::{Folder, feed, run, stderr, stdout, unwrapped};

/// The lines of standard output.
fn lines(args: &[&str], input: &[u8]) -> Vec<String> {
    let output = feed(args, input);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The last line of standard error.
fn refused(args: &[&str], input: &[u8], status: i32) -> String {
    let output = feed(args, input);
    assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
    unwrapped(stderr(&output))
}

const TOWNS: &str = "name,x,y,note\nAum,0,0,\nBeb,3,4,a\nCyx,3,4.5,\n";

#[test]
fn names_and_distances() {
    let within = ["detect", "-", "--within", "5", "--sorted"];
    assert_eq!(lines(&within, TOWNS.as_bytes()), ["a,b", "0,1", "1,2"]);
    let named = [&within[..], &["--id", "name", "--distance"]].concat();
    let expected = ["a,b,distance", "Aum,Beb,5.0", "Beb,Cyx,0.5"];
    assert_eq!(lines(&named, TOWNS.as_bytes()), expected);
    let json = [&named[..], &["--format", "json"]].concat();
    assert_eq!(
        lines(&json, TOWNS.as_bytes()),
        [r#"{"a":"Aum","b":"Beb","distance":5.0}"#, r#"{"a":"Beb","b":"Cyx","distance":0.5}"#,]
    );
    let told = refused(&["detect", "-", "--id", "nam"], TOWNS.as_bytes(), 1);
    assert!(told.contains("no column \"nam\" among: name, x, y, note"), "{told}");
    // A name may be anything.
    let odd = "x,y,id\n0,0,\"a,\"\"b\"\"\"\n0,0,\n0,0,\u{e9}\n".as_bytes();
    let args = ["detect", "-", "--id", "id", "--sorted"];
    assert_eq!(lines(&args, odd)[1], "\"a,\"\"b\"\"\",");
    assert_eq!(lines(&args, odd)[3], ",\u{e9}");
}

#[test]
fn surfaces_or_centers() {
    let discs = b"x,y,radius\n0,0,1\n4,0,1\n";
    let count =
        |more: &[&str]| lines(&[&["detect", "-", "--count"], more].concat(), discs).join("");
    assert_eq!(count(&[]), "0");
    assert_eq!(count(&["--within", "1.9"]), "0");
    assert_eq!(count(&["--within", "2"]), "1");
    assert_eq!(count(&["--within", "2", "--exclusive"]), "0");
    assert_eq!(count(&["--within", "3.9", "--centers"]), "0");
    assert_eq!(count(&["--within", "4", "--centers"]), "1");
    let boxes = b"min_x,min_y,max_x,max_y\n0,0,1,2\n4,4,6,7\n";
    let args = ["detect", "-", "--within", "10", "--distance"];
    // Corners (1, 2) and (4, 4); middles (0.5, 1) and (5, 5.5).
    let apart = |x: f64, y: f64| format!("0,1,{:?}", (x * x + y * y).sqrt());
    assert_eq!(lines(&args, boxes)[1], apart(3.0, 2.0));
    assert_eq!(lines(&[&args[..], &["--centers"]].concat(), boxes)[1], apart(4.5, 4.5));
    let lines_of = b"kind,ax,ay,bx,by\nsegment,0,0,1,1\n";
    let segments = [&lines_of[..], b"segment,0,2,1,3\n"].concat();
    assert_eq!(lines(&args, &segments)[1], apart(1.0, 1.0));
    assert_eq!(lines(&[&args[..], &["--centers"]].concat(), &segments)[1], "0,1,2.0");
    for wrong in [
        &["--centers"][..],
        &["--within", "-1"],
        &["--within", "nan"],
        &["--within", "1", "--contacts"],
    ] {
        refused(&[&["detect", "-"], wrong].concat(), discs, 2);
    }
}

#[test]
fn one_file_against_another() {
    let folder = Folder::new("against");
    let zones = folder.path("zones.csv");
    fs::write(&zones, "id,min_x,min_y,max_x,max_y\nnorth,0,5,10,9\nsouth,0,0,10,4\n").unwrap();
    let stops = b"id,x,y\nA,1,1\nB,1,7\nC,20,7\nD,2,4.5\n";
    let args = ["detect", "-", "--against", &zones, "--sorted"];
    assert_eq!(lines(&args, stops), ["a,b", "0,1", "1,0"]);
    let named = [&args[..], &["--id", "id", "--within", "0.5", "--distance"]].concat();
    let expected = ["a,b,distance", "A,south,0.0", "B,north,0.0", "D,north,0.5", "D,south,0.5"];
    assert_eq!(lines(&named, stops), expected);
    // A file against itself has each shape with itself.
    let output = run(&["detect", &zones, "--against", &zones, "--count"]);
    assert_eq!(stdout(&output), "2\n");
    // Other kinds, and contacts.
    let walls = folder.path("walls.csv");
    fs::write(&walls, "kind,ax,ay,bx,by\nsegment,0,0,10,10\n").unwrap();
    let args = ["detect", "-", "--against", &walls, "--sorted", "--id", "id"];
    let told = refused(&args, stops, 1);
    assert!(told.contains("no column \"id\" among: kind, ax"), "{told}");
    assert_eq!(lines(&args[..5], stops), ["a,b", "0,0"]);
    let contacts = lines(&["detect", "-", "--against", &walls, "--contacts"], stops);
    assert!(contacts[1].starts_with("0,0,0,0,"), "{contacts:?}");
    let told = refused(&["detect", "-", "--against", "-"], stops, 1);
    assert!(told.contains("standard input cannot be both"), "{told}");
    refused(&["detect", "-", "--against", &zones, "--tiles", "2"], stops, 2);
}

#[test]
fn tables_say_what_they_hold() {
    for (table, told) in [
        ("x,y\n0,0\n0,0\n", "2 rows (2 point); x from column \"x\""),
        ("x,y,radius\n0,0,1\n1,1,1\n", "2 rows (2 circle)"),
        ("lat,lon\n0,0\n0,0\n", "x from column \"lon\", y from column \"lat\""),
        ("longitude,latitude\n0,0\n0,0\n", "x from column \"longitude\""),
        ("max_y,min_x,min_y,max_x\n1,0,0,1\n1,1,1,2\n", "2 rows (2 aabb)"),
        ("min_x,min_y,max_x,max_y,radius\n0,0,1,1,1\n2,2,3,3,1\n", "2 rows (2 rounded_box)"),
    ] {
        let output = feed(&["detect", "-", "--count"], table.as_bytes());
        assert_eq!(stdout(&output), "1\n", "{table}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

#[test]
fn other_delimiters() {
    for (mark, option) in [("\t", "tab"), (";", ";"), ("|", "|"), (" ", " ")] {
        let text = TOWNS.replace(',', mark);
        let args = ["detect", "-", "--within", "1", "--id", "name", "--delimiter", option];
        assert_eq!(lines(&args, text.as_bytes()), ["a,b", "Beb,Cyx"], "{option}");
    }
    for wrong in ["", "ab", ".", "1", "\"", "\u{e9}"] {
        let told = refused(&["detect", "-", "--delimiter", wrong], TOWNS.as_bytes(), 2);
        assert!(told.contains("not a delimiter: write tab"), "{told}");
    }
}

/// Unused columns are skipped, however long they are.
#[test]
fn unused_values_take_no_memory() {
    let long = "a \"\"quoted\"\"\ntext, ".repeat(300_000);
    let text = format!("note,x,y\n\"{long}\",0,0\n\"{long}\",0,0\n");
    assert_eq!(lines(&["detect", "-"], text.as_bytes()), ["a,b", "0,1"]);
    let names: Vec<String> = (0..20_000).map(|number| format!("c{number}")).collect();
    let row = "7,".repeat(20_000);
    let text = format!("{},x,y\n{row}0,0\n{row}0,0\n", names.join(","));
    assert_eq!(lines(&["detect", "-"], text.as_bytes()), ["a,b", "0,1"]);
}

#[test]
fn compressed_files() {
    let folder = Folder::new("gzip");
    let path = folder.path("towns.csv.gz");
    let compressed = |text: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    // Two members, as `cat` makes of two files.
    let (first, second) = TOWNS.as_bytes().split_at(25);
    let bytes = [compressed(first), compressed(second)].concat();
    fs::write(&path, &bytes).unwrap();
    let output = run(&["detect", &path, "--within", "1"]);
    assert_eq!(stdout(&output), "a,b\n1,2\n", "{}", stderr(&output));
    assert_eq!(lines(&["detect", "-", "--within", "1"], &bytes), ["a,b", "1,2"]);
    fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
    let output = run(&["detect", &path]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output).lines().last().unwrap();
    assert!(told.contains("towns.csv.gz: "), "{told}");
    // No panic on a header alone.
    assert_eq!(feed(&["detect", "-"], &[0x1f, 0x8b]).status.code(), Some(1));
}

#[test]
fn answers_have_names_and_json() {
    let folder = Folder::new("answers");
    let towns = folder.path("towns.csv");
    fs::write(&towns, TOWNS).unwrap();
    let queries = b"query,x,y,k\nnearest,0,1,1\npoint,3,4,\n";
    let args = ["query", &towns, "--queries", "-", "--id", "name", "--format", "json"];
    let rest = r#""x":null,"y":null,"normal_x":null,"normal_y":null}"#;
    assert_eq!(
        lines(&args, queries),
        [
            format!(r#"{{"query":0,"row":"Aum","fraction":null,"distance":1.0,{rest}"#),
            format!(r#"{{"query":1,"row":"Beb","fraction":null,"distance":null,{rest}"#),
        ]
    );
}

/// Two points, a line, a polygon with a hole, and features that are several or nothing.
const MAP: &str = r#"{"type":"FeatureCollection","features":[
{"type":"Feature","id":7,"properties":{"name":"well","depth":3},"geometry":{"type":"Point","coordinates":[2,2,100]}},
{"type":"Feature","properties":{"name":"road"},"geometry":{"type":"LineString","coordinates":[[-5,1],[20,1]]}},
{"type":"Feature","properties":{"name":"yard"},"geometry":{"type":"Polygon","coordinates":
  [[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]]}},
{"type":"Feature","properties":{"name":null},"geometry":null},
{"type":"Feature","properties":{"name":"isles"},"geometry":{"type":"MultiPolygon","coordinates":
  [[[[30,0],[31,0],[31,1],[30,0]]],[[[9,9],[12,9],[12,12],[9,9]]]]}},
{"type":"Feature","properties":{"name":"both"},"geometry":{"type":"GeometryCollection","geometries":
  [{"type":"MultiPoint","coordinates":[[5,5],[30.9,0.5]]},{"type":"LineString","coordinates":[[15,0],[15,5]]}]}}]}"#;

/// Shapely finds the same pairs, but for the hole's point, which is in no other shape.
#[test]
fn features_of_geojson() {
    let args = ["detect", "-", "--sorted"];
    // The well is in the yard; the road crosses the yard and the border line of both areas; the
    // isles touch the yard and hold a point of both.
    let expected = ["a,b", "0,2", "1,2", "1,5", "2,4", "4,5"];
    assert_eq!(lines(&args, MAP.as_bytes()), expected);
    let named = [&args[..], &["--id", "name"]].concat();
    assert_eq!(lines(&named, MAP.as_bytes())[1..3], ["well,yard", "road,yard"]);
    let output = feed(&args, MAP.as_bytes());
    assert!(stderr(&output).contains("6 features of GeoJSON, 1 without a geometry"));
    let one = br#" {"type":"Point","coordinates":[1,2]}"#;
    assert_eq!(lines(&["detect", "-", "--count"], one), ["0"]);
    for (text, told) in [
        (r#"{"type":"FeatureCollection","features":["#, "not GeoJSON"),
        (r#"{"a":1}"#, "not GeoJSON"),
        (r#"{"type":"Point","coordinates":[1e300,2]}"#, "feature 0: "),
        (r#"{"type":"Point","coordinates":["a",2]}"#, "not GeoJSON"),
        (
            r#"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}"#,
            "feature 0: ring 0 of the outline, vertex 0: the side that begins there crosses",
        ),
        (r#"{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}"#, "feature 0: "),
    ] {
        let told_by = refused(&["detect", "-"], text.as_bytes(), 1);
        assert!(told_by.contains(told), "{told_by}");
    }
    let told = refused(&["detect", "-", "--id", "depth"], MAP.as_bytes(), 1);
    assert!(told.contains("feature 1: no property \"depth\""), "{told}");
    let told = refused(&["detect", "-", "--radius", "1"], MAP.as_bytes(), 1);
    assert!(told.contains("feature 1: a radius is for points"), "{told}");
}

#[test]
fn geometries_in_wkt() {
    let table = "id;wkt\nwell;POINT (2 2)\nroad;LINESTRING (-5 1, 20 1)\n\
                 yard;POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))\nnone;\n\
                 isles;MULTIPOLYGON (((30 0, 31 0, 31 1, 30 0)), ((9 9, 12 9, 12 12, 9 9)))\n\
                 both;GEOMETRYCOLLECTION (MULTIPOINT (5 5, 30.9 0.5), LINESTRING (15 0, 15 5))\n";
    let args = ["detect", "-", "--sorted", "--delimiter", ";", "--id", "id"];
    let expected = ["a,b", "well,yard", "road,yard", "road,both", "yard,isles", "isles,both"];
    assert_eq!(lines(&args, table.as_bytes()), expected);
    let output = feed(&args, table.as_bytes());
    let told = "6 rows (1 point, 1 line, 1 outline, 2 compound, 1 without a geometry), named by \
                column \"id\"; WKT from column \"wkt\"\n";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    for (row, told) in [
        ("POINT (2)", "line 2, column \"geometry\": not a geometry in WKT"),
        ("CURVE (2 2)", "line 2, column \"geometry\": not a geometry in WKT"),
        ("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))", "the side that begins there crosses"),
    ] {
        let text = format!("geometry\n\"{row}\"\n");
        let told_by = refused(&["detect", "-"], text.as_bytes(), 1);
        assert!(told_by.contains(told), "{told_by}");
    }
    // Points in degrees, as circles: exact, as all tables of points.
    let points = b"wkt,id\nPOINT (8.5 47.4),zurich\nPOINT EMPTY,none\nPOINT (8.54 47.37),near\n";
    let args = ["detect", "-", "--radius", "0.025000000000000001", "--id", "id"];
    assert_eq!(lines(&args, points), ["a,b", "zurich,near"]);
}
