//! `widephase detect` on files with a column `body`: rows that are the parts of compounds.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::collections::BTreeSet;

use crate::prompt::{contacts, feed, pairs, run, sorted, stderr, stdout, unwrapped};
use crate::rng::Rng;
use widephase::{
    Contact, Detector, Options, Order, Pair, Shapes,
    shape::{
        Aabb, AnyShape, Capsule, Circle, Compound, ConvexPolygon, Obb, Part, Point, Rotation,
        RoundedBox, Segment, Shape,
    },
};

const DRAWING: [&str; 3] = ["detect", "tests/data/compounds.csv", "--sorted"];

/// The pairs of `table`, sorted. Fails on any other error.
fn detected(table: &str) -> Vec<(u32, u32)> {
    let output = feed(&["detect", "-", "--sorted"], table.as_bytes());
    assert!(output.status.success(), "{table}{}", stderr(&output));
    pairs(stdout(&output)).into_iter().map(|Pair { a, b }| (a, b)).collect()
}

#[test]
fn compounds_are_those_of_the_drawing() {
    // The table stands on two legs, the lamp on two feet: one pair each. Parts of one body that
    // overlap are not a pair.
    let expected = [(0, 1), (0, 5), (0, 11), (1, 4), (5, 7), (7, 9)].map(|(a, b)| Pair { a, b });
    for way in [&[][..], &["--exclusive"]] {
        let output = run(&[&DRAWING[..], way].concat());
        assert_eq!(pairs(stdout(&output)), expected, "{}", stderr(&output));
        assert!(stderr(&output).contains("7 shapes, read in "), "{}", stderr(&output));
        let output = run(&[&DRAWING[..2], way].concat());
        assert_eq!(sorted(pairs(stdout(&output))), expected, "{}", stderr(&output));
    }

    // The points are half a depth below one surface, and half a depth above the other.
    let expected = [
        "0,1,0,0,0.0,1.0,0.25,-5.0,-0.125,0.25,s2,v0,-4.5,-0.125,0.25,s2,v1",
        "0,1,0,1,0.0,1.0,0.25,-1.5,-0.125,0.25,s2,v0,-1.0,-0.125,0.25,s2,v1",
        "0,5,0,0,0.0,1.0,0.125,4.0,-0.0625,0.125,s2,v0,,,,,",
        "0,11,0,0,0.0,1.0,0.25,8.0,-0.125,0.25,s2,v0,,,,,",
        "1,4,2,0,0.0,1.0,0.25,-3.0,2.375,0.25,s2,v0,,,,,",
        "5,7,1,0,0.0,1.0,0.25,4.0,3.875,0.25,v0,v0,,,,,",
        "7,9,1,0,0.0,1.0,0.125,0.0,5.4375,0.125,s2,v0,,,,,",
        "7,9,1,1,0.0,1.0,0.25,2.0,5.375,0.25,s2,v0,,,,,",
    ];
    assert_eq!(contacts(&DRAWING, b""), expected.join("\n"));
}

/// One row of a file.
struct Row {
    /// Empty for a shape that is not part of a compound.
    body: String,
    part: Part,
}

/// A crowd of compounds of one to four parts, and of single shapes, of all kinds. Coordinates are
/// multiples of an eighth, so that the centre and the half sizes of a box are exact.
fn crowd(seed: u64) -> Vec<Row> {
    let mut rng = Rng::new(seed);
    let eighths = |rng: &mut Rng, low, high| rng.int(low, high) as f32 / 8.0;
    let mut rows = Vec::new();
    for body in 0..250 {
        let (x, y) = (eighths(&mut rng, -160, 160), eighths(&mut rng, -160, 160));
        let parts = rng.below(5);
        for _ in 0..parts.max(1) {
            let [x, y] = [x + eighths(&mut rng, -12, 12), y + eighths(&mut rng, -12, 12)];
            let [a, b] = [eighths(&mut rng, 1, 8), eighths(&mut rng, 1, 8)];
            let radius = eighths(&mut rng, 0, 4);
            let rectangle = Aabb::centered([x, y], [a, b]);
            let end = [x + a, y - b];
            let triangle = [[x - a, y], [x + b, y - a], [x + a, y + b]];
            let part = match rng.below(8) {
                0 => Point::new([x, y]).into(),
                1 => Circle::new([x, y], a).into(),
                2 => rectangle.into(),
                3 => RoundedBox::new(rectangle, radius).into(),
                4 => Obb::new([x, y], [a, b], Rotation::from_angle(3.0 * a - b)).into(),
                5 => Capsule::new([x, y], end, radius).into(),
                6 => Segment::new([x, y], end).into(),
                _ => ConvexPolygon::new(&triangle).unwrap().with_radius(radius).unwrap().into(),
            };
            let body = if parts == 0 { String::new() } else { format!("body {body}") };
            rows.push(Row { body, part });
        }
    }
    rows
}

/// The rows as a file, with the column `body` or without.
fn table(rows: &[Row], with_bodies: bool) -> String {
    let mut table =
        "body,kind,x,y,min_x,min_y,max_x,max_y,half_width,half_height,cos,sin,ax,ay,bx,by,\
                     radius,vertices\n"
            .to_owned();
    for Row { body, part } in rows {
        let cells = match part.any() {
            AnyShape::Point(Point { x, y }) => format!("{x},{y},,,,,,,,,,,,,,"),
            AnyShape::Circle(Circle { x, y, radius }) => {
                format!("{x},{y},,,,,,,,,,,,,{radius},")
            }
            AnyShape::Aabb(Aabb { min_x, min_y, max_x, max_y }) => {
                format!(",,{min_x},{min_y},{max_x},{max_y},,,,,,,,,,")
            }
            AnyShape::RoundedBox(RoundedBox { min_x, min_y, max_x, max_y, radius }) => {
                format!(",,{min_x},{min_y},{max_x},{max_y},,,,,,,,,{radius},")
            }
            AnyShape::Obb(Obb { x, y, half_width, half_height, cos, sin }) => {
                format!("{x},{y},,,,,{half_width},{half_height},{cos},{sin},,,,,,")
            }
            AnyShape::Capsule(Capsule { ax, ay, bx, by, radius }) => {
                format!(",,,,,,,,,,{ax},{ay},{bx},{by},{radius},")
            }
            AnyShape::Segment(Segment { ax, ay, bx, by }) => {
                format!(",,,,,,,,,,{ax},{ay},{bx},{by},,")
            }
            AnyShape::Polygon(polygon) => {
                let numbers = polygon.vertices().iter().flat_map(|vertex| vertex.to_array());
                let vertices: Vec<String> = numbers.map(|number| number.to_string()).collect();
                format!(",,,,,,,,,,,,,,{},{}", polygon.radius(), vertices.join(" "))
            }
            other => unreachable!("{other:?}"),
        };
        let body = if with_bodies { body } else { "" };
        table += &format!("{body},{},{cells}\n", part.any().kind());
    }
    table
}

/// For each row, the number of the first row of its body.
fn first_rows(rows: &[Row]) -> Vec<u32> {
    let mut first_rows: Vec<u32> = Vec::new();
    for (row, Row { body, .. }) in rows.iter().enumerate() {
        let before = row.checked_sub(1).filter(|&before| rows[before].body == *body);
        let joined = before.filter(|_| !body.is_empty()).map(|before| first_rows[before]);
        first_rows.push(joined.unwrap_or(row as u32));
    }
    first_rows
}

/// Splits a line of a list of contacts into the numbers of its shapes and parts, and the other
/// columns.
fn split(line: &str) -> ([u32; 4], &str) {
    let mut cells = line.splitn(5, ',');
    let numbers = [(); 4].map(|()| cells.next().unwrap().parse().unwrap());
    (numbers, cells.next().unwrap())
}

/// Whether a row is an axis-aligned box in a compound. There it is a rotated box, for which ties
/// are resolved differently.
fn turns_with_others(row: &Row) -> bool {
    !row.body.is_empty() && matches!(row.part, Part::Aabb(_) | Part::RoundedBox(_))
}

/// The depth in the other columns of a line.
fn depth(how: &str) -> f32 {
    how.split(',').nth(2).unwrap().parse().unwrap()
}

/// This test uses no code of the library for compounds: the same rows without bodies give the rows
/// that touch, and their contacts.
#[test]
fn bodies_touch_as_their_rows_do() {
    let args = ["detect", "-", "--sorted"];
    let (mut compound_pairs, mut repeated, mut equal) = (0, 0, 0);
    for seed in 0..4 {
        let rows = crowd(seed);
        let first_rows = first_rows(&rows);
        let [joined, apart] = [true, false].map(|with_bodies| table(&rows, with_bodies));

        let apart_pairs = detected(&apart);
        let body = |row: u32| first_rows[row as usize];
        let other_bodies = |&(a, b): &(u32, u32)| body(a) != body(b);
        let touching: Vec<_> = apart_pairs.iter().copied().filter(other_bodies).collect();
        assert!(touching.len() < apart_pairs.len(), "no parts of one body overlap");
        let expected: BTreeSet<_> = touching.iter().map(|&(a, b)| (body(a), body(b))).collect();
        let found = detected(&joined);
        assert_eq!(found, expected.iter().copied().collect::<Vec<_>>(), "seed {seed}");
        repeated += touching.len() - found.len();
        let is_compound = |row: u32| first_rows.get(row as usize + 1) == Some(&row);
        compound_pairs += found.iter().filter(|&&(a, b)| is_compound(a) && is_compound(b)).count();

        let apart = contacts(&args, apart.as_bytes());
        let mut expected: Vec<_> = apart
            .lines()
            .map(split)
            .filter(|([a, b, ..], _)| body(*a) != body(*b))
            .map(|([a, b, ..], how)| ([body(a), body(b), a - body(a), b - body(b)], how))
            .collect();
        // Sorted by the pair, then by the parts.
        expected.sort_unstable();
        let joined = contacts(&args, joined.as_bytes());
        let found: Vec<_> = joined.lines().map(split).collect();
        assert_eq!(found.len(), touching.len(), "seed {seed}");
        for (&(indices, how), &(expected, expected_how)) in found.iter().zip(&expected) {
            assert_eq!(indices, expected, "seed {seed}");
            let [a, b, part_a, part_b] = indices;
            if [a + part_a, b + part_b]
                .into_iter()
                .any(|row| turns_with_others(&rows[row as usize]))
            {
                let [depth, expected] = [how, expected_how].map(depth);
                assert!((depth - expected).abs() < 1e-5, "seed {seed}: {indices:?}: {how}");
            } else {
                assert_eq!(how, expected_how, "seed {seed}: {indices:?}");
                equal += 1;
            }
        }
    }
    let counts = [compound_pairs, repeated, equal];
    assert!(counts.into_iter().all(|count| count > 200), "{counts:?}");
}

/// The numbers of a contact other than shapes and parts, in the order of a list.
fn numbers(contact: &Contact) -> Vec<f32> {
    let points = contact.points().iter().flat_map(|point| [point.x, point.y, point.depth]);
    [contact.normal().x, contact.normal().y, contact.depth].into_iter().chain(points).collect()
}

#[test]
fn the_library_says_the_same() {
    for seed in 0..4 {
        let rows = crowd(seed);
        let (mut shapes, mut firsts, mut first) = (Shapes::new(), Vec::new(), 0);
        for group in rows.chunk_by(|a, b| a.body == b.body && !a.body.is_empty()) {
            if group[0].body.is_empty() {
                shapes.push(&group[0].part).unwrap();
            } else {
                let parts = group.iter().map(|row| row.part.clone());
                shapes.push(Compound::new(parts).unwrap()).unwrap();
            }
            firsts.push(first);
            first += group.len() as u32;
        }
        let text = table(&rows, true);
        for (order, way) in [(Order::Sorted, &["--sorted"][..]), (Order::Grid, &[])] {
            let mut detector =
                Detector::with_options(Options { order, ..Options::default() }).unwrap();
            let (mut expected, mut expected_pairs) = (Vec::new(), Vec::new());
            detector.contacts(&shapes, 0.125, &mut expected).unwrap();
            detector.pairs(&shapes, &mut expected_pairs).unwrap();
            let row = |shape: u32| firsts[shape as usize];

            let args = [&["detect", "-"], way].concat();
            let found = pairs(stdout(&feed(&args, text.as_bytes())));
            let expected_pairs =
                expected_pairs.iter().map(|pair| Pair { a: row(pair.a), b: row(pair.b) }).collect();
            // The command finds pairs in f64, whose grid has another order.
            let found = if order == Order::Sorted { found } else { sorted(found) };
            assert_eq!(found, sorted(expected_pairs), "seed {seed}, {order:?}");

            let list = contacts(&[&args[..], &["--margin", "0.125"]].concat(), text.as_bytes());
            assert!(expected.len() > 200, "{}", expected.len());
            assert_eq!(list.lines().count(), expected.len(), "seed {seed}, {order:?}");
            for (line, expected) in list.lines().zip(&expected) {
                let (indices, how) = split(line);
                let Contact { pair, part_a, part_b, .. } = *expected;
                assert_eq!(indices, [row(pair.a), row(pair.b), part_a, part_b], "{line}");
                let how = how.split(',').filter_map(|cell| cell.parse().ok());
                assert_eq!(how.collect::<Vec<f32>>(), numbers(expected), "{line}");
            }
        }
    }
}

const NONE: [(u32, u32); 0] = [];

/// A small table of circles of radius 1, each with its x coordinate and its body.
fn circles(rows: &[(f32, &str)]) -> String {
    let rows = rows.iter().map(|(x, body)| format!("circle,{body},{x},0,1\n"));
    format!("kind,body,x,y,radius\n{}", rows.collect::<String>())
}

#[test]
fn values_are_names() {
    // Blanks around a name are ignored. Otherwise names are compared as they are.
    assert_eq!(detected(&circles(&[(0.0, "a"), (1.0, " a ")])), NONE);
    for other in ["A", "a.", "\"a,\"", "a a"] {
        assert_eq!(detected(&circles(&[(0.0, "a"), (1.0, other)])), [(0, 1)], "{other}");
    }
    assert_eq!(detected(&circles(&[(0.0, "1"), (1.0, "01"), (1.0, "1.0")])).len(), 3);
    assert_eq!(detected(&circles(&[(0.0, "\"a\n,b\""), (1.0, "\"a\n,b\"")])), NONE);
    let bytes = b"kind,body,x,y\npoint,\xfe,0,0\npoint,\xfe,0,0\npoint,\xff,0,0\n";
    let output = feed(&["detect", "-"], bytes);
    assert_eq!(pairs(stdout(&output)), [Pair { a: 0, b: 2 }], "{}", stderr(&output));

    // With an empty or blank name, a row is a single shape, between bodies too.
    assert_eq!(detected(&circles(&[(0.0, ""), (1.0, ""), (2.0, "  ")])).len(), 3);
    let mixed = [(0.0, "a"), (0.5, "a"), (1.0, ""), (1.5, ""), (9.0, "b"), (2.0, "b"), (2.5, "")];
    assert_eq!(
        detected(&circles(&mixed)),
        [(0, 2), (0, 3), (0, 4), (0, 6), (2, 3), (2, 4), (2, 6), (3, 4), (3, 6), (4, 6)]
    );
}

#[test]
fn tables_of_points_have_no_bodies() {
    let table = circles(&[(0.0, "a"), (1.0, "a"), (9.0, "b"), (1.0, "a")]);
    for (way, expected) in [
        (&["--radius", "1"][..], &[(0, 1), (0, 3), (1, 3)][..]),
        (&["--x", "x"], &[(0, 1), (0, 3), (1, 3)]),
        (&["--y", "y", "--radius", "0"], &[(1, 3)]),
    ] {
        let output = feed(&[&["detect", "-", "--sorted"], way].concat(), table.as_bytes());
        let expected: Vec<_> = expected.iter().map(|&(a, b)| Pair { a, b }).collect();
        assert_eq!(pairs(stdout(&output)), expected, "{way:?}: {}", stderr(&output));
    }
}

/// A polygon in a compound must not be moved, but may have values for no movement.
#[test]
fn polygons_may_say_that_they_stay() {
    let header = "kind,body,x,y,angle,cos,sin,radius,vertices\n";
    let square = "-1 -1 1 -1 1 1 -1 1";
    for place in [",,,,", "0,0,,,", "0,-0.0,0,,", ",,0e9,,", ",,,1,0"] {
        let table = format!(
            "{header}polygon,a,{place},,{square}\npolygon,a,{place},0.5,{square}\n\
             circle,,1.5,0,,,,0.25,\n"
        );
        // From the rounded square's side at 1.5 to the circle's at 1.25.
        let list = contacts(&["detect", "-"], table.as_bytes());
        assert_eq!(list, "0,2,1,0,1.0,0.0,0.25,1.375,0.0,0.25,s1,v0,,,,,", "{place}");
    }
}

#[test]
fn bad_bodies_are_refused_with_their_place() {
    let moved = "is refused: a polygon that is a part of a body is where its vertices say";
    let far = ": the row is a part of body \"a\", which reaches further than 2^60 from the origin";
    let polygon =
        |line, column, value| format!(": line {line}, column \"{column}\": \"{value}\" {moved}");
    let after = |line, body, ended| {
        format!(
            ": line {line}, column \"body\": \"{body}\" once more, but the rows of a body have to be \
             next to each other, and the rows of \"{body}\" have ended on line {ended}"
        )
    };
    let cases = [
        // Rows that are not adjacent: another body between, or a single shape.
        ("x,y", "point,a,0,0\npoint,b,0,0\npoint,a,0,0", after(4, "a", 2)),
        ("x,y", "point,a,0,0\n\npoint, a,0,0\n\npoint,,0,0\npoint,a ,0,0", after(7, "a", 4)),
        ("x,y", "point,a,0,0\npoint,b,0,0\npoint,c,0,0\npoint,b,1,1", after(5, "b", 3)),
        // This error comes before other errors of the row.
        ("x,y", "point,a,0,0\npoint,,0,0\npoint,a,x,0", after(4, "a", 2)),
        // Values that a part cannot have.
        (
            "x,y,radius",
            "circle,a,0,0,1\ncircle,a,0,0,-1",
            ": line 3, column \"radius\": \"-1\" is refused: a size cannot be negative".to_owned(),
        ),
        (
            "x,y",
            "point,,0,0\npoint,a,0,0\npoint,a,0,2e18\npoint,a,x,0",
            ": line 4, column \"y\": \"2e18\" is refused: beyond the magnitude limit of 2^60"
                .to_owned(),
        ),
        (
            "min_x,min_y,max_x,max_y",
            "aabb,a,0,4,9,3",
            ": line 2, column \"min_y\": \"4\" is refused: the box is inverted, its other side is 3"
                .to_owned(),
        ),
        (
            "x,y,half_width,half_height,cos,sin",
            "obb,a,1,2,3,4,3,4",
            ": line 2, column \"cos\": \"3\" is refused: the length of the vector is 5 and not 1"
                .to_owned(),
        ),
        (
            "ax,ay,bx,by",
            "segment,a,1,2,3,inf",
            ": line 2, column \"by\": \"inf\" is refused: infinite".to_owned(),
        ),
        (
            "vertices",
            "polygon,a,0 0 1 1 2 2",
            ": line 2, column \"vertices\": all vertices lie on one line".to_owned(),
        ),
        (
            "x,y",
            "point,a,0,zero",
            ": line 2, column \"y\": \"zero\" is not a number".to_owned(),
        ),
        (
            "x,y",
            "compound,a,0,0",
            ": line 2, column \"kind\": \"compound\" is not a kind; the kinds are: point, circle, aabb, \
             rounded_box, obb, capsule, segment, polygon; a compound is several rows, its parts, with \
             one value of \"body\""
                .to_owned(),
        ),
        // Polygons that would have to be moved.
        ("x,y,vertices", "polygon,a,2,0,0 0 1 0 0 1", polygon(2, "x", "2")),
        ("x,y,vertices", "polygon,a,0,-1e-9,0 0 1 0 0 1", polygon(2, "y", "-1e-9")),
        (
            "angle,vertices",
            "polygon,a,,0 0 1 0 0 1\npolygon,a,6.2831855,0 0 1 0 0 1",
            polygon(3, "angle", "6.2831855"),
        ),
        ("cos,sin,vertices", "polygon,a,0,1,0 0 1 0 0 1", polygon(2, "cos", "0")),
        ("cos,sin,vertices", "polygon,a,1,0.001,0 0 1 0 0 1", polygon(2, "sin", "0.001")),
        (
            "angle,vertices",
            "polygon,a,nan,0 0 1 0 0 1",
            ": line 2, column \"angle\": \"nan\" is refused: not a number".to_owned(),
        ),
        // A compound can be rotated, so its parts cannot be in the corners of the world. In a
        // compound, the previous row would not be accepted either.
        ("x,y", "point,a,1e18,0\npoint,a,1e18,1e18", format!(": line 3{far}")),
        (
            "ax,ay,bx,by,radius",
            "capsule,a,0,0,1e18,0,5e17\ncapsule,b,0,0,1,0,1",
            format!(": line 2{far}"),
        ),
        // A single shape may be there, but it has a limit, too. The error names no index.
        (
            "vertices",
            "polygon,a,0 0 1 0 0 1\npolygon,,0 0 1e18 1e18 0 1e18",
            ": line 3: x is 0: the shape reaches too far from the origin".to_owned(),
        ),
        // The header.
        ("x,y,body", "point,a,0,0,a", ": line 1: two columns are called \"body\"".to_owned()),
    ];
    for (header, rows, message) in cases {
        let table = format!("kind,body,{header}\n{rows}\n");
        let output = feed(&["detect", "-"], table.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{table}");
        assert_eq!(stdout(&output), "");
        assert_eq!(stderr(&output), format!("error: standard input{message}\n"), "{table}");
    }
    // The point in the corner is accepted as a single shape.
    assert_eq!(detected("kind,x,y\npoint,1e18,0\npoint,1e18,1e18\n"), NONE);
}

#[test]
fn help_says_what_a_body_is() {
    let help = run(&["detect", "--help"]);
    let help = unwrapped(stdout(&help));
    assert!(help.contains("row a + part_a touches row b + part_b"), "{help}");
}
