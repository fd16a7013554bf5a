//! `widephase detect` and `query` on files as people have them: exports of GDAL, QGIS, PostGIS,
//! geopandas and spreadsheets.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{fmt::Write, fs};

use crate::prompt::{Folder, feed, run, stderr, stdout};

/// The lines of standard output.
fn lines(args: &[&str], input: impl AsRef<[u8]>) -> Vec<String> {
    let output = feed(args, input.as_ref());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The text of standard error after `error: standard input: `.
fn refused(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = feed(args, input.as_ref());
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{}", stderr(&output));
    let told = stderr(&output).lines().last().unwrap();
    told.strip_prefix("error: standard input: ").unwrap_or(told).to_owned()
}

/// The pairs of a table with a column of WKT, and points at (0, 0), (1, 1), ...
fn pairs_of_wkt(wkt: &str, points: usize) -> Vec<String> {
    let mut table = format!("geometry\n\"{wkt}\"\n");
    for at in 0..points {
        writeln!(table, "POINT ({at} {at})").unwrap();
    }
    let found = lines(&["detect", "-", "--sorted"], table);
    found[1..].iter().filter(|pair| pair.starts_with("0,")).cloned().collect()
}

#[test]
fn what_follows_a_geometry_is_an_error() {
    for (row, told) in [
        ("POINT (0 0) POINT (20 20)", "character 13: \"POINT\" follows the geometry"),
        ("POINT (0 0))", "character 12: \")\" follows the geometry"),
        (
            "POLYGON ((0 0, 1 0, 1 1, 0 0)) ((5 5, 6 5, 6 6, 5 5))",
            "character 32: \"(\" follows the geometry",
        ),
        ("LINESTRING (0 0, 1 1))", "character 22: \")\" follows the geometry"),
        ("LINESTRING EMPTY EMPTY", "character 18: \"EMPTY\" follows the geometry"),
        ("POINT (0 0);", "character 12: \";\" follows the geometry"),
        ("SRID=4326;POINT (0 0),", "character 22: \",\" follows the geometry"),
        ("POLYGON ((0 0, 1 0, 1 1, 0 0)", "character 30: the end instead of , or )"),
        ("POINT (0 0", "character 11: the end instead of )"),
        ("POINT 0 0", "character 7: \"0\" instead of ( or EMPTY"),
        ("POINT (0)", "character 9: a position of 1 instead of 2 to 4 numbers"),
        ("POINT (0 0 0 0 0)", "character 17: a position of 5 instead of 2 to 4 numbers"),
        ("POINT Z (0 0)", "character 13: a position of 2 instead of 3 numbers"),
        ("POINTZM (0 0 1)", "character 15: a position of 3 instead of 4 numbers"),
        // A comma is missing.
        ("LINESTRING (0 0, 1 1 2 2)", "character 25: a position of 4 instead of 2 numbers"),
        ("LINESTRING (0 0, 1 1,)", "character 22: \")\" instead of a number"),
        ("POINT (0 1,5)", "character 11: \",\" instead of )"),
        ("POINT (0 zw\u{f6}lf)", "character 10: \"zw\u{f6}lf\" is not a number"),
        ("MULTIPOINT ((0 0)(1 1))", "character 18: \"(\" instead of , or )"),
        ("GEOMETRYCOLLECTION (POINT (0 0), 7)", "character 34: \"7\" is no geometry that is read"),
        ("\u{e9}t\u{e9} (0 0)", "character 1: \"\u{e9}t\u{e9}\" is no geometry that is read"),
        ("CIRCULARSTRING (0 0, 1 1, 2 0)", "character 1: \"CIRCULARSTRING\" is no geometry"),
        ("SRID=x;POINT (0 0)", "character 1: \"x\" is no SRID"),
        ("SRID=4326 POINT (0 0)", "character 1: no semicolon ends the number of SRID"),
    ] {
        let table = format!("id,wkt\n1,POINT (1 1)\n2,\"{row}\"\n");
        let told_by = refused(&["detect", "-"], table);
        let expected = format!("line 3, column \"wkt\": not a geometry in WKT: {told}");
        assert!(told_by.starts_with(&expected), "{row}: {told_by}");
    }
    // Not a stack that overflows.
    let deep = "GEOMETRYCOLLECTION (".repeat(100_000);
    let told = refused(&["detect", "-"], format!("wkt\n{deep}\n"));
    assert!(told.contains("more than 64 collections inside of each other"), "{told}");
}

#[test]
fn empty_members_z_and_srid_are_read() {
    for (wkt, pairs) in [
        ("POINT (1 1 7)", &["0,2"][..]),
        ("POINT (1 1 7 8)", &["0,2"]),
        ("POINT Z (1 1 7)", &["0,2"]),
        ("POINTM(1 1 7)", &["0,2"]),
        ("point zm(1 1 7 8)", &["0,2"]),
        ("SRID=4326;POINT(1 1)", &["0,2"]),
        ("srid=4326; Point(1 1 5)", &["0,2"]),
        ("POINT(+1.0e0 1.)", &["0,2"]),
        ("POINT EMPTY", &[]),
        ("POINT Z EMPTY", &[]),
        ("MULTIPOINT (EMPTY, 1 1)", &["0,2"]),
        ("MULTIPOINT ((1 1), EMPTY, (3 3))", &["0,2", "0,4"]),
        ("MULTIPOINT Z (1 1 5, 3 3 5)", &["0,2", "0,4"]),
        ("MULTILINESTRING (EMPTY, (1 0, 1 2))", &["0,2"]),
        ("MULTIPOLYGON (EMPTY, ((1 1, 3 1, 3 3, 1 1)))", &["0,2", "0,3", "0,4"]),
        ("POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), EMPTY)", &["0,1", "0,2", "0,3", "0,4"]),
        ("POLYGON (EMPTY)", &[]),
        ("POLYGON Z ((1 0 1, 3 0 2, 3 2 2, 1 2 2, 1 0 1))", &["0,2", "0,3"]),
        ("LINEARRING (1 0, 1 2, 2 2, 1 0)", &["0,2", "0,3"]),
        (
            "GEOMETRYCOLLECTION (POINT EMPTY, GEOMETRYCOLLECTION EMPTY, POINT Z (1 1 1), \
             LINESTRING (2 2, 3 3))",
            &["0,2", "0,3", "0,4"],
        ),
        ("GEOMETRYCOLLECTION EMPTY", &[]),
        ("MultiPolygon EMPTY", &[]),
    ] {
        assert_eq!(pairs_of_wkt(wkt, 4), pairs, "{wkt}");
    }
    let told = refused(&["detect", "-"], "wkt\n\"POLYGON (EMPTY, (0 0, 1 0, 1 1, 0 0))\"\n");
    assert!(
        told.contains("line 2, column \"wkt\": a polygon has holes, but its outer ring"),
        "{told}"
    );
}

/// Two of three features touch: the pond and the pier.
const FEATURES: [&str; 3] = [
    r#"{"type":"Feature","id":1,"properties":{"name":"pond"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,3],[0,0]]]}}"#,
    r#"{"type":"Feature","id":2,"properties":{"name":"pier"},"geometry":{"type":"LineString","coordinates":[[2,5,9],[2,1,9]]}}"#,
    r#"{"type":"Feature","id":3,"properties":{"name":"tree"},"geometry":{"type":"Point","coordinates":[9,9]}}"#,
];

#[test]
fn geojson_with_a_mark_in_lines_and_with_separators() {
    let [pond, pier, tree] = FEATURES;
    let collection = format!(
        "{{\"features\":[{pond},{pier},\n{tree}],\"type\":\"FeatureCollection\",\"bbox\":[0]}}"
    );
    let args = ["detect", "-", "--id", "name"];
    for text in [
        collection.clone(),
        format!("\u{feff}{collection}"),
        format!("\u{feff}\r\n {collection}\n"),
        format!("{pond}\n{pier}\n{tree}\n"),
        format!("{pond}\r\n{pier}\r\n\r\n{tree}"),
        format!("\u{1e}{pond}\n\u{1e}{pier}\n\u{1e}{tree}\n"),
        format!("{{\"type\":\"FeatureCollection\",\"features\":[{pond}]}}\n{pier}{tree}"),
    ] {
        let output = feed(&args, text.as_bytes());
        assert_eq!(stdout(&output), "a,b\npond,pier\n", "{text}: {}", stderr(&output));
        assert!(stderr(&output).contains("3 features of GeoJSON"), "{}", stderr(&output));
    }
    // Errors name the line, and the feature.
    let bad = r#"{"type":"Feature","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":["a",9]}}"#;
    for (text, told) in [
        (format!("{pond}\n\n{bad}\n"), "line 3, feature 1: not GeoJSON: invalid type: string"),
        (
            format!("{pond}\n{pier}\n{{\"type\":\n"),
            "line 4: not GeoJSON: EOF while parsing a value",
        ),
        (format!("{pond}\n{{\"a\":1}}\n"), "line 2: not GeoJSON: missing field `type`"),
        (
            "{\"type\":\"Topology\",\"objects\":{}}".to_owned(),
            "line 1, feature 0: not GeoJSON: \"Topology\" is not a type of geometry",
        ),
        (
            "{\"type\":\"Point\",\"coordinates\":[1]}".to_owned(),
            "line 1, feature 0: not GeoJSON: a position has fewer than two numbers",
        ),
        (
            "{\"type\":\"LineString\",\"coordinates\":[[1,2],[]]}".to_owned(),
            "line 1, feature 0: a position of a line has no numbers",
        ),
    ] {
        let told_by = refused(&["detect", "-"], &text);
        assert!(told_by.starts_with(told), "{text}: {told_by}");
    }
    let latin =
        [&b"{\"type\":\"Feature\",\n\"properties\":{\"name\":\"Z"[..], b"\xfcrich\"}}"].concat();
    assert_eq!(refused(&["detect", "-"], latin), "line 2: not UTF-8, as GeoJSON is");
    let deep = r#"{"type":"GeometryCollection","geometries":["#.repeat(50_000);
    let text = format!("{deep}{}", "]}".repeat(50_000));
    let told = refused(&["detect", "-"], text);
    assert!(told.contains("more than 64 collections inside of each other"), "{told}");
}

#[test]
fn empty_points_and_parts_of_geojson() {
    for (geometry, pairs) in [
        (r#"{"type":"Point","coordinates":[]}"#, &[][..]),
        (r#"{"type":"MultiPoint","coordinates":[[],[1,1]]}"#, &["0,1"]),
        (r#"{"type":"LineString","coordinates":[]}"#, &[]),
        (r#"{"type":"MultiLineString","coordinates":[[],[[0,0],[2,2]]]}"#, &["0,1"]),
        (r#"{"type":"Polygon","coordinates":[]}"#, &[]),
        (r#"{"type":"Polygon","coordinates":[[]]}"#, &[]),
        (r#"{"type":"MultiPolygon","coordinates":[[],[[[0,0],[2,0],[2,2],[0,0]],[]]]}"#, &["0,1"]),
        (r#"{"type":"GeometryCollection","geometries":[]}"#, &[]),
        (
            r#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[]},{"type":"Point","coordinates":[1,1]}]}"#,
            &["0,1"],
        ),
    ] {
        let text = format!(
            "{{\"type\":\"Feature\",\"properties\":null,\"geometry\":{geometry}}}\n\
             {{\"type\":\"Feature\",\"properties\":{{}},\"geometry\":{{\"type\":\"Point\",\"coordinates\":[1,1]}}}}\n"
        );
        assert_eq!(lines(&["detect", "-"], text)[1..], *pairs, "{geometry}");
    }
}

/// The numbers of GeoJSON are the numbers of its text, as in CSV.
#[test]
fn numbers_of_geojson_are_exact() {
    let folder = Folder::new("exact-json");
    let points = folder.path("points.csv");
    let mut rng = crate::rng::Rng::new(9);
    let (mut table, mut features) = ("x,y\n".to_owned(), String::new());
    for _ in 0..500 {
        let mut number = || (rng.below(1 << 53) as f64 + 1.0) / 1e11 * 0.123;
        let (x, y) = (number(), number());
        writeln!(table, "{x},{y}").unwrap();
        writeln!(features, "{{\"type\":\"Point\",\"coordinates\":[{x},{y}]}}").unwrap();
    }
    fs::write(&points, table).unwrap();
    let found = lines(&["detect", "-", "--against", &points, "--count"], features);
    assert_eq!(found, ["500"]);
}

#[test]
fn empty_inputs_are_empty_sets() {
    for table in [
        "x,y\n",
        "x,y",
        "lon,lat,radius\n\n\n",
        "kind,x,y\n",
        "min_x,min_y,max_x,max_y\r\n",
        "WKT,name\n",
        "{\"type\":\"FeatureCollection\",\"features\":[]}",
        "{\"type\":\"Feature\",\"properties\":null,\"geometry\":null}",
    ] {
        for more in [&[][..], &["--sorted"], &["--contacts"], &["--exclusive"]] {
            let found = lines(&[&["detect", "-"], more].concat(), table);
            assert_eq!(found.len(), 1, "{table} {more:?} {found:?}");
        }
        assert_eq!(lines(&["detect", "-", "--count"], table), ["0"], "{table}");
        assert_eq!(lines(&["detect", "-", "--within", "5", "--distance"], table), ["a,b,distance"]);
    }
    let folder = Folder::new("empty");
    let [none, one] = ["none.csv", "one.csv"].map(|name| folder.path(name));
    fs::write(&none, "x,y\n").unwrap();
    fs::write(&one, "x,y\n1,1\n").unwrap();
    for [a, b] in [[&none, &one], [&one, &none], [&none, &none]] {
        for more in [&[][..], &["--metres", "--within", "5"], &["--contacts"]] {
            let output = run(&[&["detect", a, "--against", b], more].concat());
            let told = stderr(&output);
            assert_eq!(
                (output.status.code(), stdout(&output).lines().count()),
                (Some(0), 1),
                "{told}"
            );
        }
    }
    for tiles in [["--tiles", "3"], ["--memory", "1M"]] {
        assert_eq!(lines(&["detect", &none, tiles[0], tiles[1]], ""), ["a,b"]);
    }
    let header = "query,row,fraction,distance,x,y,normal_x,normal_y";
    assert_eq!(lines(&["query", &one, "--queries", "-"], "query,x,y\n"), [header]);
    let asked = "query,x,y,dx,dy\npoint,1,1,,\nnearest,1,1,,\nray,0,1,2,0\n";
    assert_eq!(lines(&["query", &none, "--queries", "-"], asked), [header]);
    let metres = ["query", &none, "--queries", "-", "--metres"];
    assert_eq!(lines(&metres, "query,x,y\nnearest,1,1\n"), [header]);
    let picture = folder.path("none.svg");
    let output = run(&["render", "--input", &none, "-o", &picture]);
    assert!(output.status.success(), "{}", stderr(&output));
    // Without even a header, it is no table.
    assert_eq!(refused(&["detect", "-"], ""), "empty, there is not even a header");
}

#[test]
fn what_is_left_out_is_named_and_counted() {
    let table = "name,x,y,radius\nAum,0,0,1\nBeb,zero,0,1\nCyx,1,0,1\nDor,2,0\nElm,3,0,-1\n\
                 Fir,1e300,0,1\n,inf,0,1\nHut,1.5,0,1\n";
    let told = refused(&["detect", "-"], table);
    assert_eq!(told, "line 3, column \"x\": \"zero\" is not a number");
    let args = ["detect", "-", "--skip-invalid", "--sorted"];
    // Row numbers are the row numbers of the file.
    assert_eq!(lines(&args, table), ["a,b", "0,2", "0,7", "2,7"]);
    let named = [&args[..], &["--id", "name"]].concat();
    let output = feed(&named, table.as_bytes());
    assert_eq!(stdout(&output), "a,b\nAum,Cyx\nAum,Hut\nCyx,Hut\n");
    let told: Vec<&str> = stderr(&output).lines().collect();
    let left_out = [
        "left out: \"Beb\": standard input: line 3, column \"x\": \"zero\" is not a number",
        "left out: \"Dor\": standard input: line 5: 3 values, but the header has 4",
        "left out: \"Elm\": standard input: line 6, column \"radius\": \"-1\" is refused: a size cannot be negative",
        "left out: \"Fir\": standard input: line 7, column \"x\": \"1e300\" is refused: ",
        "left out: \"\": standard input: line 8, column \"x\": \"inf\" is refused: ",
    ];
    for (line, expected) in told.iter().zip(left_out) {
        assert!(line.starts_with(expected), "{line}");
    }
    let summary = "standard input: 3 rows (3 circle), 5 left out, named by column \"name\"; ";
    assert!(told[5].starts_with(summary), "{}", told[5]);
    // Without names, a line names a row.
    let output = feed(&args, table.as_bytes());
    assert!(
        stderr(&output).starts_with("left out: standard input: line 3, "),
        "{}",
        stderr(&output)
    );
    // A structure that is broken is still an error.
    for text in ["x,y\n1,\"2\n", "x\n1\n"] {
        refused(&args, text);
    }
}

#[test]
fn invalid_geometries_are_left_out() {
    let [pond, pier, _] = FEATURES;
    let bad = [
        r#"{"type":"Feature","properties":{"name":"bow"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}}"#,
        r#"{"type":"Feature","properties":{"name":"odd"},"geometry":{"type":"Point","coordinates":["a",2]}}"#,
        r#"{"type":"Feature","properties":{"title":"-"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
    ];
    let text = format!("{pond}\n{}\n{}\n{}\n{pier}\n", bad[0], bad[1], bad[2]);
    let args = ["detect", "-", "--skip-invalid", "--id", "name"];
    let output = feed(&args, text.as_bytes());
    assert_eq!(stdout(&output), "a,b\npond,pier\n", "{}", stderr(&output));
    let told: Vec<&str> = stderr(&output).lines().collect();
    assert!(
        told[0].starts_with("left out: \"bow\": standard input: line 2, feature 1: "),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("left out: \"odd\": standard input: line 3, feature 2: "),
        "{told:?}"
    );
    let unnamed = "left out: standard input: line 4, feature 3: no property \"name\"";
    assert_eq!(told[2], unnamed);
    assert_eq!(told[3], "standard input: 5 features of GeoJSON, 3 left out");
    let numbered = lines(
        &["detect", "-", "--skip-invalid"],
        format!("{}\n{}\n{pond}\n{pier}", bad[0], bad[1]),
    );
    assert_eq!(numbered, ["a,b", "2,3"]);
    let wkt =
        "id;wkt\na;POINT (0 0)\nb;POINT (0 0) POINT (1 1)\nc;POINT (0 0)\nd;POLYGON ((0 0, 1 1))\n";
    let args = ["detect", "-", "--delimiter", ";", "--skip-invalid", "--id", "id"];
    let output = feed(&args, wkt.as_bytes());
    assert_eq!(stdout(&output), "a,b\na,c\n");
    assert!(stderr(&output).contains("2 left out"), "{}", stderr(&output));
}

/// A body of which a row is refused is left out as a whole, and once.
#[test]
fn bodies_are_left_out_as_a_whole() {
    let table = "kind,body,x,y,radius,name\ncircle,a,0,0,1,A\ncircle,a,2,0,-1,A\ncircle,a,4,0,x,A\n\
                 circle,a,6,0,1,A\ncircle,,6,0,1,S\ncircle,b,6.5,0,1,B\ncircle,b,7,0,1,B\n\
                 circle,c,y,0,1,C\ncircle,c,7,0,1,C\ncircle,,7,0,1,T\n";
    let args = ["detect", "-", "--skip-invalid", "--sorted"];
    assert_eq!(lines(&args, table), ["a,b", "4,5", "4,9", "5,9"]);
    let output = feed(&[&args[..], &["--id", "name"]].concat(), table.as_bytes());
    assert_eq!(stdout(&output), "a,b\nS,B\nS,T\nB,T\n");
    let told = stderr(&output);
    let body = "left out: \"A\": standard input: line 3, column \"radius\": \"-1\" is refused: a size cannot be negative; \
                with it, body \"a\"\n";
    assert!(told.starts_with(body), "{told}");
    assert!(told.contains(", 2 left out, named by"), "{told}");
    // Rows of a body that is ended cannot be left out.
    let apart = "kind,body,x,y,radius\ncircle,a,0,0,1\ncircle,,0,0,1\ncircle,a,2,0,1\n";
    let told = refused(&args, apart);
    assert!(told.starts_with("line 4, column \"body\": \"a\" once more"), "{told}");
}

#[test]
fn headers_in_any_case_and_of_other_programs() {
    for header in [
        "X,Y",
        "Lon,Lat",
        "Longitude,Latitude",
        "LONGITUDE,LATITUDE",
        "lng,lat",
        "long,lat",
        "easting,northing",
        "Easting,Northing",
        "xcoord,ycoord",
        "POINT_X,POINT_Y",
        "longitude_deg,latitude_deg",
        "decimalLongitude,decimalLatitude",
        "stop_lon,stop_lat",
        "X_COORD,Y_COORD",
    ] {
        let table = format!("name,{header},note\nA,1,2,\nB,1.5,2,\nC,2,1,\n");
        // B is at (1.5, 2) and not at (2, 1.5).
        assert_eq!(lines(&["detect", "-", "--within", "0.5"], &table), ["a,b", "0,1"], "{header}");
        // A radius beside columns that were recognised.
        let found = lines(&["detect", "-", "--radius", "0.25"], &table);
        assert_eq!(found, ["a,b", "0,1"], "{header}");
        let swapped =
            table.replace("A,1,2", "A,2,1").replace("B,1.5,2", "B,2,1.5").replace("C,2,1", "C,1,2");
        let [x, y] = *header.split(',').collect::<Vec<_>>() else { unreachable!() };
        let swapped = swapped.replace(header, &format!("{y},{x}"));
        assert_eq!(
            lines(&["detect", "-", "--within", "0.5"], &swapped),
            ["a,b", "0,1"],
            "{header}"
        );
    }
    for header in [
        "MIN_X,MIN_Y,MAX_X,MAX_Y",
        "minx,miny,maxx,maxy",
        "xmin,ymin,xmax,ymax",
        "XMin,YMin,XMax,YMax",
        "x_min,y_min,x_max,y_max",
        "west,south,east,north",
        "left,bottom,right,top",
        "minlon,minlat,maxlon,maxlat",
    ] {
        // `gdf.bounds.to_csv()` begins with a column without a name.
        let table = format!(",{header}\n0,0,0,2,1\n1,2,1,3,9\n2,0,2,1.5,3\n");
        let output = feed(&["detect", "-", "--sorted"], table.as_bytes());
        assert_eq!(stdout(&output), "a,b\n0,1\n", "{header}: {}", stderr(&output));
        assert!(stderr(&output).contains("3 rows (3 aabb)"), "{}", stderr(&output));
        // The first box and the third are 1 apart.
        let output = feed(&["detect", "-", "--sorted", "--radius", "0.5"], table.as_bytes());
        assert_eq!(stdout(&output), "a,b\n0,1\n0,2\n1,2\n", "{header}: {}", stderr(&output));
    }
    for header in ["WKT", "Geometry", "GEOM", "the_geom", "wkt_geom", "st_astext", "st_asewkt"] {
        let table = format!("{header},Name\nPOINT (1 2),A\nSRID=4326;POINT(1 2 3),B\n");
        assert_eq!(lines(&["detect", "-", "--id", "name"], table), ["a,b", "A,B"], "{header}");
    }
    let kinds = "KIND,X,Y,Radius\ncircle,0,0,1\ncircle,1,0,1\n";
    assert_eq!(lines(&["detect", "-"], kinds), ["a,b", "0,1"]);
}

#[test]
fn names_of_columns_are_found_as_they_are_written_first() {
    let table = "x,X,y,ID,id\n0,9,0,a,b\n0,5,0,c,d\n";
    assert_eq!(lines(&["detect", "-", "--id", "id"], table), ["a,b", "b,d"]);
    assert_eq!(lines(&["detect", "-", "--id", "ID"], table), ["a,b", "a,c"]);
    let told = refused(&["detect", "-", "--id", "Id"], table);
    assert_eq!(told, "line 1: two columns are called \"Id\"");
    let told = refused(&["detect", "-"], "X,X,y\n1,1,1\n");
    assert_eq!(told, "line 1: two columns are called \"x\"");
    // A column of kinds of something else, beside coordinates of other names.
    let roads = "WKT,kind\n\"LINESTRING (0 0, 2 2)\",path\n\"LINESTRING (0 2, 2 0)\",track\n";
    assert_eq!(lines(&["detect", "-"], roads), ["a,b", "0,1"]);
    let towns = "lon,lat,Kind\n0,0,city\n0,0,village\n";
    assert_eq!(lines(&["detect", "-"], towns), ["a,b", "0,1"]);
    let told = refused(&["detect", "-"], "x,y,kind\n0,0,city\n");
    assert!(told.ends_with("for a table of points, name its columns by --x and --y"), "{told}");
    assert_eq!(lines(&["detect", "-", "--x", "x", "--y", "y"], "x,y,kind\n0,0,city\n"), ["a,b"]);
    // A radius of points of WKT, from a column.
    let discs = "wkt,r\nPOINT (0 0),1\nPOINT (3 0),2\nPOINT (3 5),2\nPOINT EMPTY,\n";
    assert_eq!(lines(&["detect", "-", "--radius-column", "r"], discs), ["a,b", "0,1"]);
    let told = refused(&["detect", "-", "--radius-column", "r"], "wkt,r\nPOINT (0 0),x\n");
    assert_eq!(told, "line 2, column \"r\": \"x\" is not a number");
}

#[test]
fn names_of_two_files() {
    let folder = Folder::new("two-names");
    let [zones, stops] = ["zones.csv", "stops.csv"].map(|name| folder.path(name));
    fs::write(&zones, "zone,xmin,ymin,xmax,ymax\nnorth,0,5,10,9\nsouth,0,0,10,4\n").unwrap();
    fs::write(&stops, "stop,X,Y\nA,1,1\nB,1,7\n").unwrap();
    let args = ["detect", &stops, "--against", &zones, "--sorted", "--id"];
    for (ids, pairs) in [
        ("stop,zone", ["A,south", "B,north"]),
        ("stop, zone", ["A,south", "B,north"]),
        ("stop,", ["A,1", "B,0"]),
        (",zone", ["0,south", "1,north"]),
    ] {
        let output = run(&[&args[..], &[ids]].concat());
        let list: Vec<&str> = stdout(&output).lines().skip(1).collect();
        assert_eq!(list, pairs, "{ids}: {}", stderr(&output));
    }
    let output = run(&[&args[..], &["stop,name"]].concat());
    let told = stderr(&output).lines().last().unwrap();
    assert!(told.contains("zones.csv: line 1: no column \"name\" among: zone, xmin"), "{told}");
    // Without a second file, a comma is a part of the name.
    assert_eq!(
        lines(&["detect", "-", "--id", "a,b"], "x,y,\"a,b\"\n0,0,A\n0,0,B\n"),
        ["a,b", "A,B"]
    );
    let queries = "town,query,x,y\nBern,nearest,1,2\nThun,point,5,6\n";
    let found = lines(&["query", &zones, "--queries", "-", "--id", "zone,town"], queries);
    assert_eq!(found[1..], ["Bern,south,,0.0,,,,", "Thun,north,,,,,,"]);
    let found = lines(&["query", &zones, "--queries", "-", "--id", "zone"], queries);
    assert_eq!(found[1..], ["0,south,,0.0,,,,", "1,north,,,,,,"]);
}

#[test]
fn other_kinds_of_files_are_named() {
    let zip = |name: &str| {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([20, 0, 6, 0, 8, 0, 0, 0, 33, 0, 1, 2, 3, 4, 0, 1, 0, 0, 0, 1, 0, 0]);
        bytes.extend([name.len() as u8, 0, 0, 0]);
        bytes.extend(name.as_bytes());
        bytes
    };
    let xls = [&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..], &[0; 60]].concat();
    let wkb: Vec<u8> =
        [&[1, 1, 0, 0, 0][..], &1.5f64.to_le_bytes(), &2.5f64.to_le_bytes()].concat();
    let ewkb: Vec<u8> = [&[1, 1, 0, 0, 0x20, 0xe6, 0x10, 0, 0][..], &wkb[5..]].concat();
    let big: Vec<u8> = [&[0, 0, 0, 0, 3][..], &[0; 20]].concat();
    let hex = "0101000020E61000000000000000002140CDCCCCCCCCAC4740\n".as_bytes().to_vec();
    let lower = b"0101000000000000000000f03f000000000000f03f\n".to_vec();
    for (bytes, told) in [
        (zip("[Content_Types].xml"), "an Excel workbook (xlsx); save it as CSV"),
        (zip("xl/workbook.xml"), "an Excel workbook (xlsx); save it as CSV"),
        (zip("mimetype"), "an OpenDocument file"),
        (zip("towns.csv"), "a zip archive; unpack it"),
        (xls, "an Excel workbook (xls); save it as CSV"),
        (wkb, "WKB (binary); write WKT, as ST_AsText of PostGIS does"),
        (ewkb, "WKB (binary); write WKT, as ST_AsText of PostGIS does"),
        (big, "WKB (binary); write WKT, as ST_AsText of PostGIS does"),
        (hex, "WKB in hexadecimal digits; write WKT, as ST_AsText of PostGIS does"),
        (lower, "WKB in hexadecimal digits; write WKT, as ST_AsText of PostGIS does"),
        (b"SQLite format 3\0...".to_vec(), "a database of SQLite, as a GeoPackage is"),
        (b"\0\0\x27\x0a\0\0".to_vec(), "a shapefile"),
        (b"\xef\xbb\xbf<?xml version=\"1.0\"?><kml>".to_vec(), "XML, as KML and GPX are"),
        (b"<!DOCTYPE html><html>".to_vec(), "a page of the web (HTML), not a table"),
        (b"\x93NUMPY\x01\0".to_vec(), "a column of NumPy; name the folder with all columns"),
    ] {
        for args in [&["detect", "-"][..], &["query", "tests/data/shapes.csv", "--queries", "-"]] {
            let told_by = refused(args, &bytes);
            assert!(told_by.starts_with(told), "{told_by}");
        }
    }
    // PostGIS writes columns of geometries like this.
    let table = "id,geom\n1,0101000020E61000000000000000002140CDCCCCCCCCAC4740\n";
    assert_eq!(
        refused(&["detect", "-"], table),
        "line 2, column \"geom\": WKB in hexadecimal digits; write WKT, as ST_AsText of PostGIS does"
    );
}

/// Names in Latin-1 are written as they were read, byte for byte, or not at all.
#[test]
fn names_keep_their_bytes() {
    let table = b"name,x,y\nZ\xfcrich,0,0\nGen\xe8ve,0,0\nBern,9,9\n";
    let output = feed(&["detect", "-", "--id", "name"], table);
    assert_eq!(output.stdout, b"a,b\nZ\xfcrich,Gen\xe8ve\n");
    let output = feed(&["detect", "-", "--id", "name", "--format", "json"], table);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stderr(&output).lines().last().unwrap(),
        "error: standard input: line 2, column \"name\": \"Z\u{fffd}rich\" is not UTF-8, as JSON is: save \
         the file as UTF-8, or write CSV"
    );
    let utf8 = "name,x,y\nZ\u{fc}rich,0,0\n\"a,b\",0,0\n";
    let args = ["detect", "-", "--id", "name", "--format", "json"];
    assert_eq!(lines(&args, utf8), ["{\"a\":\"Z\u{fc}rich\",\"b\":\"a,b\"}"]);
    // Unused columns may hold anything.
    assert_eq!(lines(&["detect", "-"], table), ["a,b", "0,1"]);
    let args = ["detect", "-", "--format", "json"];
    assert_eq!(lines(&args, table), ["{\"a\":0,\"b\":1}"]);
}

/// A coastline with many vertices, in one row.
#[test]
fn long_rows_are_read() {
    let mut wkt = "LINESTRING (".to_owned();
    for at in 0..40_000 {
        let at = f64::from(at);
        write!(wkt, "{}{:?} {:?}", if at > 0.0 { ", " } else { "" }, at * 0.1, (at * 0.7).sin())
            .unwrap();
    }
    wkt += ")";
    assert!(wkt.len() > 10 * (64 << 10));
    let table = format!(
        "id\tgeom\nshore\t{wkt}\nbuoy\tPOINT (2000 0.5)\nlamp\tPOINT (0 0)\nend\tPOINT (-1 0)\n"
    );
    let found = lines(&["detect", "-", "--sorted", "--id", "id", "--delimiter", "tab"], &table);
    assert_eq!(found, ["a,b", "shore,lamp"]);
    // Rows after it are short again, and a list of vertices may be as long.
    let ring: Vec<String> = (0..6_000)
        .map(|at| (f64::from(at) * std::f64::consts::TAU / 6_000.0).sin_cos())
        .map(|(sin, cos)| format!("{} {}", cos * 1000.0, sin * 1000.0))
        .collect();
    let wkt = format!("POLYGON (({}, {}))", ring.join(", "), ring[0]);
    assert!(wkt.len() > 2 * (64 << 10));
    let table = format!("geometry\n\"{wkt}\"\nPOINT (0 0)\nPOINT (2000 0)\n");
    assert_eq!(lines(&["detect", "-"], table), ["a,b", "0,1"]);
}
