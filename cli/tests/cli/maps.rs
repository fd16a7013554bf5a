//! `widephase detect` and `query` with polygons and lines, decided in the numbers of the file.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::fs;

use crate::{
    prompt::{Folder, feed, pairs, stderr, stdout},
    rng::Rng,
};
use widephase::Pair;

/// A place.
type At = [f64; 2];

/// The lines of standard output.
fn lines(args: &[&str], input: &str) -> Vec<String> {
    let output = feed(args, input.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The pairs of some geometries, each of which is a line of WKT.
fn pairs_of(geometries: &[String], args: &[&str]) -> Vec<(u32, u32)> {
    let text: String = geometries.iter().map(|one| format!("\"{one}\"\n")).collect();
    let args = [&["detect", "-", "--sorted"], args].concat();
    let list = lines(&args, &format!("wkt\n{text}"));
    pairs(&list.join("\n")).into_iter().map(|Pair { a, b }| (a, b)).collect()
}

/// The list for texts.
fn texts(geometries: &[&str], args: &[&str]) -> Vec<(u32, u32)> {
    let geometries: Vec<String> = geometries.iter().map(|&one| one.to_owned()).collect();
    pairs_of(&geometries, args)
}

fn ring(vertices: &[At]) -> String {
    let closed = vertices.iter().chain(vertices.first());
    let text: Vec<String> = closed.map(|[x, y]| format!("{x} {y}")).collect();
    format!("({})", text.join(", "))
}

fn polygon(vertices: &[At]) -> String {
    format!("POLYGON ({})", ring(vertices))
}

/// A number of units of 2^-40.
fn whole(value: f64) -> i128 {
    let scaled = value * (1_u64 << 40) as f64;
    assert_eq!(scaled, scaled.trunc());
    scaled as i128
}

/// Above 0 if `c` is to the left of the line from `a` to `b`, exactly.
fn side(a: At, b: At, c: At) -> i128 {
    let [a, b, c] = [a, b, c].map(|at| at.map(whole));
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a convex polygon, counter-clockwise, holds a point: on its sides, and inside.
fn holds(polygon: &[At], at: At) -> (bool, bool) {
    let mut sides = (0..polygon.len())
        .map(|side_of| side(polygon[side_of], polygon[(side_of + 1) % polygon.len()], at));
    let least = sides.clone().min().unwrap();
    (least >= 0, sides.all(|side| side > 0))
}

#[test]
fn a_shared_vertex_is_shared() {
    let [first, second] = [
        [[-25.32356, 46.5423], [-25.06167, 47.401], [-24.03531, 46.48891]],
        [[-23.28149, 46.15349], [-25.06167, 47.401], [-23.05979, 47.97356]],
    ];
    assert_eq!(pairs_of(&[polygon(&first), polygon(&second)], &[]), [(0, 1)]);
    assert_eq!(pairs_of(&[polygon(&first), polygon(&second)], &["--exclusive"]), []);
    let feature = |vertices: [At; 3]| {
        let [a, b, c] = vertices;
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{}},\"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[[{a:?},{b:?},{c:?},{a:?}]]}}}}"
        )
    };
    let features = [feature(first), feature(second)].join(",");
    let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{features}]}}");
    assert_eq!(lines(&["detect", "-"], &text), ["a,b", "0,1"]);
}

/// Numbers of GeoJSON are the nearest `f64`, as numbers of a table are.
#[test]
fn numbers_of_geojson_are_those_of_the_text() {
    let mut rng = Rng::new(17);
    let mut degrees = || rng.unit() * 64.0;
    let places: Vec<At> = (0..1_000).map(|_| [degrees() * 5.5, degrees() * 2.7]).collect();
    let folder = Folder::new("maps-numbers");
    let table = folder.path("table.csv");
    let rows: Vec<String> = places.iter().map(|[x, y]| format!("{x:?},{y:?}\n")).collect();
    fs::write(&table, format!("x,y\n{}", rows.concat())).unwrap();
    let features: Vec<String> = places
        .iter()
        .map(|at| {
            format!(
                "{{\"type\":\"Feature\",\"properties\":{{}},\"geometry\":{{\"type\":\"Point\",\
                 \"coordinates\":{at:?}}}}}"
            )
        })
        .collect();
    let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(","));
    assert_eq!(lines(&["detect", "-", "--against", &table, "--count"], &text), ["1000"]);
}

/// Points half a metre outside of squares at longitude 170, and half a metre inside.
#[test]
fn half_a_metre_beside_a_square() {
    let square = polygon(&[[170.0, 10.0], [170.125, 10.0], [170.125, 10.125], [170.0, 10.125]]);
    let half = 0.5 / 111_320.0;
    let points = [170.125 + half, 170.125 - half, 170.125].map(|x| format!("POINT ({x} 10.0625)"));
    let shapes = [vec![square], points.to_vec()].concat();
    assert_eq!(pairs_of(&shapes, &[]), [(0, 2), (0, 3)]);
    assert_eq!(pairs_of(&shapes, &["--exclusive"]), [(0, 2)]);
}

/// Parcels in UTM metres with common corners, and points at their borders and beside, in whole
/// numbers of 2^-20 m.
#[test]
fn points_near_the_borders_of_parcels() {
    let mut rng = Rng::new(69);
    let unit = 1.0 / (1 << 20) as f64;
    let mut jitter = |most: u64| rng.below(most) as f64 * unit;
    let columns = 12_usize;
    let corners: Vec<At> = (0..columns * columns)
        .map(|number| {
            let [x, y] = [number % columns, number / columns].map(|at| at as f64 * 32.0);
            [448_123.0 + x + jitter(8 << 20), 5_411_777.0 + y + jitter(8 << 20)]
        })
        .collect();
    let mut parcels = Vec::new();
    for number in 0..columns * columns {
        if number % columns + 1 < columns && number + columns < corners.len() {
            let at = [number, number + 1, number + columns + 1, number + columns];
            parcels.push(at.map(|at| corners[at]));
        }
    }
    let mut points = Vec::new();
    for parcel in &parcels {
        for end in 0..4 {
            let [a, b] = [parcel[end], parcel[(end + 1) % 4]];
            let share = jitter(1 << 20);
            let near: At = [0, 1].map(|axis: usize| {
                let at = a[axis] + (b[axis] - a[axis]) * share + jitter(3) - unit;
                (at / unit).round() * unit
            });
            points.extend([near, a]);
        }
    }
    let mut touching = Vec::new();
    let mut inside = Vec::new();
    for (row, parcel) in parcels.iter().enumerate() {
        for (number, point) in points.iter().enumerate() {
            let pair = (row as u32, (parcels.len() + number) as u32);
            let (is_on, is_in) = holds(parcel, *point);
            touching.extend(is_on.then_some(pair));
            inside.extend(is_in.then_some(pair));
        }
    }
    assert!(points.len() > 900 && touching.len() > points.len() && inside.len() > 100);
    let mut shapes: Vec<String> = parcels.iter().map(|parcel| polygon(parcel)).collect();
    shapes.extend(points.iter().map(|[x, y]| format!("POINT ({x} {y})")));
    let last = parcels.len() as u32;
    let with_points = |args: &[&str]| -> Vec<(u32, u32)> {
        let list = pairs_of(&shapes, args);
        list.into_iter().filter(|(a, b)| *a < last && *b >= last).collect()
    };
    assert_eq!(with_points(&[]), touching);
    assert_eq!(with_points(&["--exclusive"]), inside);
    assert_eq!(with_points(&["--tiles", "5"]), touching);
    // Each parcel has up to eight neighbours, of which none overlaps it.
    let neighbours = pairs_of(&shapes[..parcels.len()], &[]);
    assert_eq!(neighbours.len(), 2 * 11 * 10 + 2 * 10 * 10);
    assert_eq!(pairs_of(&shapes[..parcels.len()], &["--exclusive"]), []);
}

#[test]
fn what_exclusive_means() {
    let square = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))";
    for (other, touches, meets) in [
        ("POLYGON ((4 0, 8 0, 8 4, 4 4, 4 0))", true, false),
        ("POLYGON ((4 4, 8 4, 8 8, 4 4))", true, false),
        ("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", true, true),
        // Sides are on sides, and the insides overlap.
        ("POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))", true, true),
        ("POLYGON ((2 0, 4 4, 0 4, 2 0))", true, true),
        ("POLYGON ((1 1, 2 1, 2 2, 1 1))", true, true),
        ("POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (0 0, 0 4, 4 4, 4 0, 0 0))", true, false),
        ("POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (1 1, 1 3, 3 3, 3 1, 1 1))", true, true),
        (
            "POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (-0.5 -0.5, -0.5 5, 5 5, -0.5 -0.5))",
            true,
            true,
        ),
        ("LINESTRING (0 0, 4 0)", true, false),
        ("LINESTRING (-1 0, 2 0, 2 -1)", true, false),
        ("LINESTRING (0 0, 4 4)", true, true),
        ("LINESTRING (-1 5, 5 -1)", true, true),
        ("LINESTRING (-1 1, 1 -1)", true, false),
        ("LINESTRING (4 2, 2 2)", true, true),
        ("LINESTRING (1 1, 2 2)", true, true),
        ("POINT (4 2)", true, false),
        ("POINT (2 2)", true, true),
        ("POINT (5 2)", false, false),
        ("GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (4 0, 4 4))", true, false),
        ("GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (4 0, 4 4))", true, true),
    ] {
        for list in [[square, other], [other, square]] {
            assert_eq!(texts(&list, &[]).len() == 1, touches, "{other}");
            assert_eq!(texts(&list, &["--exclusive"]).len() == 1, meets, "{other}");
        }
    }
    for (line, other, meets) in [
        ("LINESTRING (0 0, 4 4)", "LINESTRING (0 4, 4 0)", true),
        ("LINESTRING (0 0, 2 2, 4 4)", "LINESTRING (0 4, 2 2, 4 0)", true),
        ("LINESTRING (0 0, 2 2)", "LINESTRING (0 4, 2 2, 4 0)", false),
        ("LINESTRING (0 0, 2 2)", "LINESTRING (2 2, 4 0)", false),
        ("LINESTRING (0 0, 2 2)", "LINESTRING (1 1, 4 4)", true),
        // Where two lines of one geometry end is no end of it.
        ("MULTILINESTRING ((0 0, 2 2), (2 2, 4 4))", "LINESTRING (0 4, 2 2, 4 0)", true),
        ("LINESTRING (0 0, 4 0, 4 4, 0 0)", "LINESTRING (-1 1, 0 0, 1 -1)", true),
        ("LINESTRING (0 0, 4 4)", "POINT (2 2)", false),
        ("POINT (2 2)", "POINT (2 2)", false),
    ] {
        assert_eq!(texts(&[line, other], &[]), [(0, 1)], "{line}, {other}");
        let expected = if meets { vec![(0, 1)] } else { vec![] };
        assert_eq!(texts(&[line, other], &["--exclusive"]), expected, "{line}, {other}");
        assert_eq!(texts(&[other, line], &["--exclusive"]), expected, "{line}, {other}");
    }
}

/// Seams between polygons of one geometry are inside.
#[test]
fn a_multipolygon_is_one_area() {
    let halves = "MULTIPOLYGON (((0 0, 2 0, 2 4, 0 4, 0 0)), ((2 0, 4 0, 4 4, 2 4, 2 0)))";
    let quarters = "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((2 0, 4 0, 4 2, 2 2, 2 0)), \
                    ((0 2, 2 2, 2 4, 0 4, 0 2)), ((4 4, 2 4, 2 2, 4 2, 4 4)))";
    for area in [halves, quarters] {
        for (other, meets) in [
            ("POINT (2 2)", true),
            ("POINT (2 1)", true),
            ("POINT (2 0)", false),
            ("LINESTRING (2 1, 2 3)", true),
            ("LINESTRING (2 0, 2 4)", true),
            ("LINESTRING (2 0, 2 -4)", false),
            ("LINESTRING (0 0, 4 0)", false),
            ("POLYGON ((1 4, 3 4, 2 6, 1 4))", false),
        ] {
            assert_eq!(texts(&[area, other], &[]), [(0, 1)], "{other}");
            let expected = if meets { vec![(0, 1)] } else { vec![] };
            assert_eq!(texts(&[area, other], &["--exclusive"]), expected, "{area}, {other}");
        }
    }
    // One row and one pair, however many parts touch.
    let points = "MULTIPOINT ((1 1), (3 3), (9 9))";
    assert_eq!(texts(&[halves, points, "POINT (9 9)"], &[]), [(0, 1), (1, 2)]);
    // Polygons of a collection may overlap: where they do is inside.
    let both = "GEOMETRYCOLLECTION (POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0)), \
                POLYGON ((1 1, 4 1, 4 4, 1 4, 1 1)))";
    assert_eq!(texts(&[both, "POINT (2 2)", "POINT (3 2)"], &["--exclusive"]), [(0, 1), (0, 2)]);
    // A ring that runs to its hole and back.
    let key = "POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0, 2 2, 2 6, 6 6, 6 2, 2 2, 0 0))";
    let points = ["POINT (1 1)", "POINT (4 4)", "POINT (2 4)", "POINT (1 7)"];
    let shapes = [&[key][..], &points].concat();
    assert_eq!(texts(&shapes, &["--exclusive"]), [(0, 1), (0, 4)]);
    assert_eq!(texts(&shapes, &[]), [(0, 1), (0, 3), (0, 4)]);
}

#[test]
fn distances_of_areas_and_lines() {
    let folder = Folder::new("maps-within");
    let map = folder.path("map.csv");
    let text = "wkt\n\"POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0), (1 1, 1 7, 7 7, 7 1, 1 1))\"\n\
                \"LINESTRING (11 4, 11 20)\"\nPOINT (4 4.5)\n\"POLYGON ((12 0, 16 3, 16 0, 12 0))\"\n";
    fs::write(&map, text).unwrap();
    let within = |reach: &str| {
        let args = ["detect", &map, "--within", reach, "--distance", "--sorted"];
        lines(&args, "")[1..].to_vec()
    };
    assert_eq!(within("2.5"), ["0,2,2.5"]);
    let near = ["0,1,3.0", "0,2,2.5"];
    assert_eq!(within("3"), near);
    // From (11, 4) to the slanted side, and from (8, 0) to its corner.
    let all = within("4");
    assert_eq!(all[..2], near);
    assert_eq!((&all[2][..4], all[3].as_str(), all.len()), ("0,3,", "1,3,3.8", 4));
    assert_eq!(all[2], "0,3,4.0");
    // Discs of a table against the map, to the limit: 0.5 from (4, 4.5) to the hole less 2.
    let discs = "kind,x,y,radius,ax,ay,bx,by\ncircle,4,4,2.5,,,,\ncircle,4,4,2.9999,,,,\n\
                 circle,4,4,3,,,,\ncapsule,,,1,10,12,10,20\nsegment,,,,10,12,10,20\n";
    let args = ["detect", "-", "--against", &map, "--sorted"];
    let found = lines(&args, discs);
    assert_eq!(found[1..], ["0,2", "1,2", "2,0", "2,2", "3,1"]);
    let found = lines(&[&args[..], &["--exclusive"]].concat(), discs);
    assert_eq!(found[1..], ["0,2", "1,2", "2,2"]);
    let found = lines(&[&args[..], &["--within", "1", "--distance"]].concat(), discs);
    assert_eq!(found[1..3], ["0,0,0.5", "0,2,0.0"]);
    assert_eq!(found[3..5], [format!("1,0,{:?}", 3.0 - 2.9999), "1,2,0.0".to_owned()]);
}

/// A polygon at 5,000,000 with a circle that touches its slanted side: 3, 4, 5.
#[test]
fn radii_at_the_limit() {
    let text = |radius: f64| {
        format!(
            "kind,vertices,x,y,radius\npolygon,5000000 500000 5000004 500003 5000000 500006,,,\n\
             circle,,5000005,499999,{radius}\n"
        )
    };
    // (5, -1) is (4 * -1 - 3 * 5) / 5 = -3.8 from the line through (0, 0) and (4, 3).
    for (radius, touches) in [(3.75, false), (3.8125, true)] {
        assert_eq!(
            lines(&["detect", "-", "--count"], &text(radius)),
            [u8::from(touches).to_string()]
        );
    }
    let exact = "kind,vertices,x,y,radius\npolygon,5000000 500000 5000004 500003 5000000 500006,,,\n\
                 circle,,5000005,499997.5,5\n";
    assert_eq!(lines(&["detect", "-", "--count"], exact), ["1"]);
    assert_eq!(lines(&["detect", "-", "--count", "--exclusive"], exact), ["0"]);
}

#[test]
fn queries_of_maps() {
    let folder = Folder::new("maps-queries");
    let map = folder.path("map.csv");
    let text = "name;wkt\nring;POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0), (1 1, 1 7, 7 7, 7 1, 1 1))\n\
                road;LINESTRING (11 4, 11 20)\nwell;POINT (4 4.5)\n";
    fs::write(&map, text).unwrap();
    let queries = folder.path("queries.csv");
    let text = "query;x;y;radius;k;vertices;wkt;min_x;min_y;max_x;max_y\n\
                point;4;4;;;;;;;;\npoint;1;4;;;;;;;;\nregion;;;;;;;2;2;4;5\n\
                circle;4;4;3;;;;;;;\npolygon;;;;;9 3 12 3 12 5 10 4 9 5;;;;;\n\
                geometry;;;;;;MULTIPOINT ((4 4.5), (11 20));;;;\nnearest;6;4;;2;;;;;;\n";
    fs::write(&queries, text).unwrap();
    let args = ["query", &map, "--queries", &queries, "--delimiter", ";"];
    let found = |more: &[&str]| lines(&[&args[..], more].concat(), "")[1..].to_vec();
    let list = [
        "1,ring,,,,,,",
        "2,well,,,,,,",
        "3,ring,,,,,,",
        "3,well,,,,,,",
        "4,road,,,,,,",
        "5,road,,,,,,",
        "5,well,,,,,,",
        "6,ring,,1.0,,,,",
    ];
    let all = found(&["--id", "name"]);
    assert_eq!(all[..8], list);
    assert_eq!(all[8], format!("6,well,,{:?},,,,", (4.25_f64).sqrt()));
    let inside = found(&["--exclusive"]);
    assert_eq!(inside[..2], ["3,2,,,,,,", "4,1,,,,,,"]);
    assert_eq!(inside.len(), 4);
}

/// Rings that cross themselves are refused as before.
#[test]
fn rings_that_cross_themselves_are_refused() {
    for (args, bow) in [
        (&["detect", "-"][..], "wkt\n\"POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))\"\n"),
        (&["detect", "-", "--within", "1"], "wkt\n\"POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))\"\n"),
    ] {
        let output = feed(args, bow.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output);
        assert!(told.contains("line 2, column \"wkt\": ") && told.contains("crosses"), "{told}");
    }
}

/// Rings that cross only when they are rounded to f32 are valid, and contacts name the fault.
#[test]
fn rings_with_details_finer_than_f32() {
    // A border that goes up and down 256 times: in f32, 32 vertices are above each other.
    let high = 1.0 / f64::from(1 << 18);
    let tooth = |number: u32, up: i32| {
        let (x, y) = (f64::from(number) / f64::from(1 << 24), f64::from(number * 37 % 64));
        [10.0 + x, 100.0 + (y + f64::from(up)) * high]
    };
    let mut area: Vec<At> = (0..256).map(|number| tooth(number, 0)).collect();
    area.extend([[64.0, 101.0], [64.0, 164.0], [0.0, 164.0], [0.0, 101.0]]);
    let mut shapes = vec![polygon(&area)];
    for number in 1..200 {
        shapes.extend([-1, 0, 1].map(|up| {
            let [x, y] = tooth(number, up);
            format!("POINT ({x} {y})")
        }));
    }
    let with_area = |args: &[&str]| -> Vec<u32> {
        pairs_of(&shapes, args).into_iter().map(|(a, b)| if a == 0 { b } else { 0 }).collect()
    };
    let on_or_above = |least: u32| (1..598).filter(|row| (row - 1) % 3 >= least).collect();
    let (touching, inside): (Vec<u32>, Vec<u32>) = (on_or_above(1), on_or_above(2));
    assert_eq!(with_area(&[]), touching);
    assert_eq!(with_area(&["--exclusive"]), inside);
    let text = format!("wkt\n\"{}\"\n", shapes[0]);
    let output = feed(&["detect", "-", "--contacts"], text.as_bytes());
    let told = stderr(&output);
    assert!(!output.status.success() && told.contains("row 0, relative to ("), "{told}");
    assert!(told.contains("of the outline, vertex "), "{told}");
}

/// Two multipolygons of 100,000 vertices each, side by side along a jagged border, and 2,000 small
/// neighbours: a test of each side with each would take minutes.
#[test]
fn large_multipolygons() {
    let teeth = 33_000;
    let jagged = |x: f64| -> Vec<At> {
        (0..teeth).map(|tooth| [x + f64::from(tooth % 2), f64::from(tooth)]).collect()
    };
    let border = jagged(0.0);
    let [left, right] = [-50.0, 50.0].map(|x| {
        let far = jagged(x);
        let ring: Vec<At> = border.iter().copied().chain(far.into_iter().rev()).collect();
        let islands = (0..8_500).map(|island| {
            let [x, y] = [x * 4.0, f64::from(island) * 3.0];
            format!("({})", ring_of(x, y))
        });
        let islands: Vec<String> = islands.collect();
        format!("MULTIPOLYGON (({}), {})", self::ring(&ring), islands.join(", "))
    });
    let small = |number: u32| {
        let y = f64::from(number) * 16.0;
        polygon(&[[-0.5, y], [1.5, y], [1.5, y + 0.5]])
    };
    let mut shapes = vec![left, right];
    shapes.extend((0..2_000).map(small));
    let features: Vec<String> = shapes.iter().map(|shape| geojson_of(shape)).collect();
    let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(","));
    assert_eq!(lines(&["detect", "-", "--count"], &text), ["4001"]);
    assert_eq!(lines(&["detect", "-", "--count", "--exclusive"], &text), ["4000"]);
    assert_eq!(lines(&["detect", "-", "--count", "--within", "1"], &text), ["4001"]);
}

fn ring_of(x: f64, y: f64) -> String {
    ring(&[[x, y], [x + 2.0, y], [x + 2.0, y + 2.0], [x, y + 2.0]])
}

/// A feature of GeoJSON of a polygon or a multipolygon in WKT: a row of a table is too short.
fn geojson_of(wkt: &str) -> String {
    let (kind, rest) = wkt.split_once(' ').unwrap();
    let kind = if kind == "POLYGON" { "Polygon" } else { "MultiPolygon" };
    let mut text = String::new();
    // "(x y, x y)" to "[[x,y],[x,y]]": a position begins behind a parenthesis or a comma.
    let mut open = false;
    for char in rest.chars() {
        match char {
            '(' => text.push('['),
            ')' => {
                text += if open { "]]" } else { "]" };
                open = false;
            }
            ',' => {
                text += if open { "]," } else { "," };
                open = false;
            }
            ' ' if open => text.push(','),
            ' ' => {}
            _ => {
                if !open {
                    text.push('[');
                    open = true;
                }
                text.push(char);
            }
        }
    }
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{}},\"geometry\":{{\"type\":\"{kind}\",\
         \"coordinates\":{text}}}}}"
    )
}
