//! `widephase query`: its answers, their order, and its messages.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use crate::prompt::{feed, run, scratch, stderr, stdout, unwrapped};
use widephase::{
    Columns, Index, Lists, Queries, Ray, SimdLevel,
    doubles::{DoubleColumns, DoubleIndex},
    shape::Circle,
};

const SHAPES: &str = "tests/data/shapes.csv";
const QUERIES: &str = "tests/data/queries.csv";

/// The header of the list.
const HEADER: &str = "query,row,fraction,distance,x,y,normal_x,normal_y\n";

/// A file that is removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let path = scratch(name);
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // The test has already passed or failed.
        let _ = fs::remove_file(&self.0);
    }
}

/// The answers to `queries` among `shapes`, without the header; equal at every SIMD level.
fn answers(name: &str, shapes: &str, queries: &str, args: &[&str]) -> String {
    let shapes = File::new(&format!("{name}-shapes.csv"), shapes);
    let lists: BTreeSet<String> = SimdLevel::available()
        .iter()
        .map(|level| {
            let args = [args, &["--level", level.name()]].concat();
            let args = [&["query", shapes.path(), "--queries", "-"], &args[..]].concat();
            let output = feed(&args, queries.as_bytes());
            assert!(output.status.success(), "{}", stderr(&output));
            stdout(&output).strip_prefix(HEADER).unwrap().to_owned()
        })
        .collect();
    assert_eq!(lists.len(), 1);
    lists.into_iter().next().unwrap()
}

/// The message for queries that are refused.
fn refused(queries: &[u8]) -> String {
    let output = feed(&["query", SHAPES, "--queries", "-"], queries);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{}", stderr(&output));
    let told = stderr(&output).strip_prefix("error: standard input: ").unwrap();
    told.strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn all_kinds_are_answered() {
    let [overlap, near_and_cast] = [
        "0,1,,,,,,\n0,2,,,,,,\n0,3,,,,,,\n0,5,,,,,,\n1,5,,,,,,\n2,0,,,,,,\n",
        "4,4,2.0,,50.0,-52.0,0.0,-1.0\n\
         6,1,,1.118033988749895,,,,\n6,3,,1.75,,,,\n\
         7,1,,1.118033988749895,,,,\n7,3,,1.75,,,,\n7,0,,2.0,,,,\n\
         8,0,,0.0,,,,\n\
         9,0,0.5,,-1.0,0.0,-1.0,0.0\n",
    ];
    let last = "10,3,0.75,,2.5,4.5,0.0,1.0\n";
    let behind = "9,1,0.90849364,,0.5,0.5,-0.8660254,-0.5\n";
    let first = "3,1,0.4375,,0.5,1.5,-1.0,0.0\n";
    let second = "3,5,0.625,,2.0,1.5,-1.0,0.0\n";
    let run = |args: &[&str]| {
        let output = run(&[&["query", SHAPES, "--queries", QUERIES], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains("6 shapes and 11 queries, read in "));
        stdout(&output).strip_prefix(HEADER).unwrap().to_owned()
    };
    for &level in SimdLevel::available() {
        let level = ["--level", level.name()];
        assert_eq!(run(&level), format!("{overlap}{first}{near_and_cast}{last}"));
        let all = [&["--all"], &level[..]].concat();
        let expected = format!("{overlap}{first}{second}{near_and_cast}{behind}{last}");
        assert_eq!(run(&all), expected);
        let exclusive = [&["--exclusive"], &level[..]].concat();
        let overlap = "0,3,,,,,,\n1,5,,,,,,\n";
        assert_eq!(run(&exclusive), format!("{overlap}{first}{near_and_cast}{last}"));
    }
}

#[test]
fn answers_are_ordered() {
    // The same circles in two orders of rows: at the same distance, the smaller row comes first.
    let shapes = "kind,x,y,radius\ncircle,6,0,1\ncircle,3,0,1\ncircle,6,0,1\ncircle,-3,0,1\n";
    let queries = "query,x,y,dx,dy,k,min_x,min_y,max_x,max_y\n\
                   ray,0,0,10,0,,,,,\n\
                   nearest,0,0,,,4,,,,\n\
                   region,,,,,,-9,-9,9,9\n\
                   ray,0,0,-8,0,,,,,\n\
                   point,6,0,,,,,,,\n\
                   nearest,6,0,,,1,,,,\n";
    let [ray, rays] = [
        "0,1,0.2,,2.0,0.0,-1.0,0.0\n",
        "0,1,0.2,,2.0,0.0,-1.0,0.0\n0,0,0.5,,5.0,0.0,-1.0,0.0\n0,2,0.5,,5.0,0.0,-1.0,0.0\n",
    ];
    let rest = "1,1,,2.0,,,,\n1,3,,2.0,,,,\n1,0,,5.0,,,,\n1,2,,5.0,,,,\n\
                2,0,,,,,,\n2,1,,,,,,\n2,2,,,,,,\n2,3,,,,,,\n\
                3,3,0.25,,-2.0,0.0,1.0,0.0\n\
                4,0,,,,,,\n4,2,,,,,,\n\
                5,0,,0.0,,,,\n";
    assert_eq!(answers("order", shapes, queries, &[]), format!("{ray}{rest}"));
    assert_eq!(answers("order-all", shapes, queries, &["--all"]), format!("{rays}{rest}"));
}

#[test]
fn values_that_are_missing_have_defaults() {
    let shapes = "kind,x,y,radius\ncircle,4,0,1\ncircle,8,0,1\n";
    // The largest fraction is 1, the number of neighbors 1, and no distance is too far.
    let queries = "query,x,y,dx,dy,radius\nray,0,0,3,0,\nray,0,0,2.9,0,\ncast,0,0,2,0,1\n\
                   cast,0,0,1.9,0,1\nnearest,-1000,0,,,\n";
    let found = "0,0,1.0,,3.0,0.0,-1.0,0.0\n2,0,1.0,,3.0,0.0,-1.0,0.0\n4,0,,1003.0,,,,\n";
    assert_eq!(answers("defaults", shapes, queries, &[]), found);
    // Empty cells have the same defaults, and other queries other values.
    let queries = "k,query,x,y,dx,dy,radius,max,max_distance\n\
                   ,ray,0,0,1,0,,3,\n\
                   , ray ,0,0,1,0,,,\n\
                   ,ray,0,0,1,0,,inf,\n\
                   ,cast,0,0,1,0,1,2,\n\
                   ,cast,0,0,1,0,1,1.9,\n\
                   2,nearest,0,0,,,,,\n\
                   2,nearest,0,0,,,,,6.5\n\
                   ,nearest,0,0,,,,,\n\
                   ,nearest,0,0,,,,,2.5\n";
    let hit = "0,3.0,,3.0,0.0,-1.0,0.0";
    let found = format!(
        "0,{hit}\n2,{hit}\n3,0,2.0,,3.0,0.0,-1.0,0.0\n5,0,,3.0,,,,\n5,1,,7.0,,,,\n6,0,,3.0,,,,\n\
         7,0,,3.0,,,,\n"
    );
    assert_eq!(answers("values", shapes, queries, &[]), found);
}

#[test]
fn compounds_have_the_number_of_their_first_row() {
    let shapes = "kind,body,x,y,radius\ncircle,,0,0,1\ncircle,a,5,0,1\ncircle,a,9,0,1\n\
                  circle,,13,0,1\n";
    let queries = "query,x,y,dx,dy,radius,k\npoint,9,0,,,,\nray,7,0,9,0,,\ncast,7,0,9,0,0.5,\n\
                   nearest,11,0,,,,3\n";
    let found = "0,1,,,,,,\n1,1,0.11111111,,8.0,0.0,-1.0,0.0\n1,3,0.5555556,,12.0,0.0,-1.0,0.0\n\
                 2,1,0.055555556,,8.0,0.0,-1.0,0.0\n2,3,0.5,,12.0,0.0,-1.0,0.0\n3,1,,1.0,,,,\n3,3,,1.0,,,,\n3,0,,10.0,,,,\n";
    assert_eq!(answers("compounds", shapes, queries, &["--all"]), found);
}

#[test]
fn queries_that_start_inside_hit_at_once() {
    let shapes = "kind,x,y,radius\ncircle,0,0,2\n";
    let queries =
        "query,x,y,dx,dy,radius\nray,1,0,0,5,\nray,1,0,0,0,\nray,3,0,0,0,\ncast,3,0,-1,0,2\n";
    // A circle that overlaps at the start and moves on inwards hits halfway between the surfaces.
    let found = "0,0,0.0,,1.0,0.0,0.0,-1.0\n1,0,0.0,,1.0,0.0,1.0,0.0\n3,0,0.0,,1.5,0.0,1.0,0.0\n";
    assert_eq!(answers("inside", shapes, queries, &[]), found);
}

#[test]
fn rays_see_closed_shapes_under_either_policy() {
    let shapes = "kind,min_x,min_y,max_x,max_y\naabb,0,0,1,1\naabb,0,1,1,2\n";
    // Between the boxes, past a corner, to a side, and from it. A point on the side is not inside.
    let queries = "query,x,y,dx,dy,max\nray,-1,1,4,0,\nray,-1,3,2,-2,\nray,-1,0.5,1,0,\n\
                   ray,0,0.5,-1,0,\npoint,0,0.5,,,\n";
    let hits = "0,0,0.25,,0.0,1.0,-1.0,0.0\n1,1,0.5,,0.0,2.0,0.0,1.0\n\
                2,0,1.0,,0.0,0.5,-1.0,0.0\n3,0,0.0,,0.0,0.5,1.0,0.0\n";
    assert_eq!(answers("closed", shapes, queries, &["--exclusive"]), hits);
    let on_border = format!("{hits}4,0,,,,,,\n");
    assert_eq!(answers("closed-inclusive", shapes, queries, &[]), on_border);
}

/// The numbers of the list are the numbers of the library, to the last bit, also where the queries
/// are many and divided over several batches.
#[test]
fn casts_stop_by_their_options() {
    let shapes = "kind,min_x,min_y,max_x,max_y\naabb,-9,-1,9,0\naabb,6,0,7,9\n";
    // A ball on the floor rolls along and away, and is stopped by a wall; with a gap, sooner.
    let queries = "query,x,y,radius,dx,dy,gap,start\n\
                   cast,0,1,1,2,0,,\n\
                   cast,0,1,1,0,4,,inward\n\
                   cast,0,1,1,8,0,,\n\
                   cast,0,2,1,8,0,1,\n\
                   cast,0,1,1,8,0,,any\n\
                   cast,0,1,1,0,-4,0,\n\
                   cast,0,1,1,0,-4,0,ignored\n";
    let [wall, gap, any, into] = [
        "2,1,0.625,,6.0,1.0,-1.0,0.0\n",
        "3,1,0.5,,6.0,2.0,-1.0,0.0\n",
        "4,0,0.0,,0.0,0.0,0.0,1.0\n",
        "5,0,0.0,,0.0,0.0,0.0,1.0\n",
    ];
    assert_eq!(answers("stops", shapes, queries, &[]), format!("{wall}{gap}{any}{into}"));
    assert_eq!(
        answers("stops-exclusive", shapes, queries, &["--exclusive"]),
        format!("{wall}{gap}{any}{into}")
    );
    let behind = "4,1,0.625,,6.0,1.0,-1.0,0.0\n";
    assert_eq!(
        answers("stops-all", shapes, queries, &["--all"]),
        format!("{wall}{gap}{any}{behind}{into}")
    );
    let told = refused(b"query,x,y,radius,dx,dy,gap,start\ncast,0,1,1,8,0,-1,\n");
    assert!(told.contains("gap") && told.contains("a size cannot be negative"), "{told}");
    let told = refused(b"query,x,y,radius,dx,dy,gap,start\ncast,0,1,1,8,0,,later\n");
    assert!(told.contains("\"later\" is not a start; write one of inward, any, ignored"), "{told}");
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let (count, side) = (200, 40_u32);
    let x: Vec<f32> = (0..count).map(|row| row as f32 * 0.7 + 0.013).collect();
    let y: Vec<f32> = (0..count).map(|row| (row * 37 % 101) as f32 * 1.3).collect();
    let radius: Vec<f32> = (0..count).map(|row| (row % 7) as f32 * 0.21).collect();
    let index = Index::build(Columns::circles(&x, &y, &radius).unwrap()).unwrap();
    let [x64, y64, radius64] =
        [&x, &y, &radius].map(|values| values.iter().copied().map(f64::from).collect::<Vec<_>>());
    let circles = DoubleColumns::circles(&x64, &y64, &radius64).unwrap();
    let exact = DoubleIndex::build(circles).unwrap();
    let mut shapes = "kind,x,y,radius\n".to_owned();
    for row in 0..count {
        shapes += &format!("circle,{},{},{}\n", x64[row], y64[row], radius64[row]);
    }
    let mut queries = "query,x,y,dx,dy,radius,max,k,max_distance\n".to_owned();
    let mut expected = Vec::new();
    for number in 0..20_000_u32 {
        let at = [(number % side) as f32 * 3.31, (number / side % side) as f32 * 3.17];
        let [px, py] = at.map(f64::from);
        // Many different limits, which are as many batches.
        let limit = (number % 500) as f32 * 0.37;
        let bits = |hit: widephase::Hit| {
            let widephase::Hit { row, fraction, x, y, normal_x, normal_y, .. } = hit;
            let cells = [Some(fraction), None, Some(x), Some(y), Some(normal_x), Some(normal_y)];
            (number, row, cells.map(|cell: Option<f32>| cell.map(f32::to_bits)))
        };
        match number % 4 {
            0 => {
                queries += &format!("ray,{px},{py},0.9,-1.1,,{limit},,\n");
                let ray = Ray::new(at, [0.9, -1.1]).up_to(limit);
                expected.extend(index.cast_ray(ray).unwrap().map(bits));
            }
            1 => {
                queries += &format!("cast,{px},{py},-0.7,0.3,0.6,{limit},,\n");
                let hit = index.cast_shape(Circle::new(at, 0.6), [-0.7, 0.3], limit);
                expected.extend(hit.unwrap().map(bits));
            }
            2 => {
                queries += &format!("nearest,{px},{py},,,,,2,{}\n", f64::from(limit));
                // The distances of f64, rounded.
                let mut near = Lists::new();
                let at = [at.map(f64::from)];
                let at = DoubleColumns::points_at(&at).unwrap();
                exact.k_nearest_batch(at, 2, f64::from(limit), &mut near).unwrap();
                expected.extend(near.get(0).iter().map(|near| {
                    let distance = Some((near.distance as f32).to_bits());
                    (number, near.row, [None, distance, None, None, None, None])
                }));
            }
            _ => {
                queries += &format!("circle,{px},{py},,,1.7,,,\n");
                let mut rows = Vec::new();
                index.overlapping(Circle::new(at, 1.7), &mut rows).unwrap();
                rows.sort_unstable();
                expected.extend(rows.into_iter().map(|row| (number, row, [None; 6])));
            }
        }
    }
    let found = answers("bits", &shapes, &queries, &[]);
    let found: Vec<_> = found
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |cell: &str| cell.parse::<u32>().unwrap();
            let bits = |cell: &str| cell.parse::<f32>().ok().map(f32::to_bits);
            let values: [&str; 6] = cells[2..].try_into().unwrap();
            (number(cells[0]), number(cells[1]), values.map(bits))
        })
        .collect();
    assert!(expected.len() > 10_000);
    assert_eq!(found, expected);
}

#[test]
fn tables_of_points_are_queried() {
    let queries = "query,x,y,k\nnearest,-89.2,31.95,2\n";
    let table = fs::read_to_string("tests/data/us-airports.csv").unwrap();
    let found = answers("airports", &table, queries, &["--x", "lon", "--y", "lat"]);
    let lines: Vec<&str> = found.lines().collect();
    assert!(lines.len() == 2 && lines[0].starts_with("0,0,,0.034"), "{found}");
    let found = answers("discs", &table, queries, &["--x", "lon", "--y", "lat", "--radius", "1"]);
    assert!(found.starts_with("0,0,,0.0,"), "{found}");
}

#[test]
fn queries_and_columns_that_were_read_are_reported() {
    let output = run(&["query", SHAPES, "--queries", QUERIES]);
    let told = "tests/data/queries.csv: 11 rows (1 point, 1 region, 1 circle, 3 ray, 3 nearest, 2 \
                cast); columns used: query, x, y, min_x, min_y, max_x, max_y, radius, dx, dy, max, \
                max_distance, k; columns not used: note\n\
                tests/data/shapes.csv: 6 rows (1 point, 2 circle, 2 aabb, 1 rounded_box); columns \
                used: kind, ";
    assert!(stderr(&output).starts_with(told), "{}", stderr(&output));
    assert!(stderr(&output).contains("\n16 answers, found and written in "));
}

#[test]
fn bad_queries_are_refused_with_their_place() {
    let cases: [(&[u8], &str); 30] = [
        (b"", "empty, there is not even a header"),
        (
            b"kind,x,y\npoint,1,2\n",
            "line 1: no column \"query\" among: kind, x, y (the kind of each: point, region, \
             circle, polygon, geometry, ray, nearest, cast)",
        ),
        (
            b"query;x;y\npoint;1;2\n",
            "line 1: columns are separated by semicolons: write --delimiter ';': \"query;x;y\"",
        ),
        (b"query,x,y,x\npoint,1,2,3\n", "line 1: two columns are called \"x\""),
        (b"query,x,y\npoint,1,2\npoint,1\n", "line 3: 2 values, but the header has 3"),
        (
            b"query,x,y\nline,1,2\n",
            "line 2, column \"query\": \"line\" is not a query; queries are: point, region, \
             circle, polygon, geometry, ray, nearest, cast",
        ),
        (
            b"query,x,y\n,1,2\n",
            "line 2, column \"query\": \"\" is not a query; queries are: point, region, circle, \
             polygon, geometry, ray, nearest, cast",
        ),
        (
            b"query,x\n\npoint,1\n",
            "line 3: the query is of kind point, and there is no column \"y\"",
        ),
        (
            b"query,x,y\nray,1,2\n",
            "line 2: the query is of kind ray, and there is no column \"dx\"",
        ),
        (
            b"query,x,y,dx,dy\ncast,1,2,3,4\n",
            "line 2: the query is of kind cast, and there is no column \"radius\"",
        ),
        (
            b"query,min_x,min_y,max_x\nregion,1,2,3\n",
            "line 2: the query is of kind region, and there is no column \"max_y\"",
        ),
        (b"query,x,y\npoint,,2\n", "line 2, column \"x\": empty, but the query is of kind point"),
        (b"query,x,y\npoint,1,two\n", "line 2, column \"y\": \"two\" is not a number"),
        (
            b"query,x,y\npoint,1,\"2,5\"\n",
            "line 2, column \"y\": \"2,5\" is not a number; if it has a decimal comma: it needs a \
             point",
        ),
        (b"query,x,y\nnearest,nan,2\n", "line 2, column \"x\": \"nan\" is refused: not a number"),
        (b"query,x,y\npoint,1,inf\n", "line 2, column \"y\": \"inf\" is refused: infinite"),
        (
            b"query,x,y,radius\ncircle,1,2e18,1\n",
            "line 2, column \"y\": \"2e18\" is refused: beyond the magnitude limit of 2^60",
        ),
        (
            b"query,x,y,radius\ncircle,1,2,-1\n",
            "line 2, column \"radius\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            b"query,x,y,radius,dx,dy\ncast,1,2,-1,0,0\n",
            "line 2, column \"radius\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            b"query,min_x,min_y,max_x,max_y\nregion,0,4,9,3\n",
            "line 2, column \"min_y\": \"4\" is refused: the box is inverted, its other side is 3",
        ),
        (
            b"query,x,y,dx,dy\nray,1,2,inf,0\n",
            "line 2, column \"dx\": \"inf\" is refused: infinite",
        ),
        (
            b"query,x,y,radius,dx,dy\ncast,1,2,1,0,nan\n",
            "line 2, column \"dy\": \"nan\" is refused: not a number",
        ),
        (
            b"query,x,y,dx,dy,max\nray,1,2,3,0,-1\n",
            "line 2, column \"max\": \"-1\" is refused: a size cannot be negative",
        ),
        (
            b"query,x,y,dx,dy,max\nray,1,2,3,0,far\n",
            "line 2, column \"max\": \"far\" is not a number",
        ),
        (
            b"query,x,y,max_distance\nnearest,1,2,nan\n",
            "line 2, column \"max_distance\": \"nan\" is refused: not a number",
        ),
        (
            b"query,vertices\npolygon,0 0 4 4 4 0 0 4\n",
            "line 2, column \"vertices\": ring 0 of the outline, vertex 0: the side that begins \
             there crosses the side at vertex 2 of ring 0",
        ),
        (b"query,wkt\ngeometry,LINESTRING EMPTY\n", "line 2, column \"wkt\": an empty geometry"),
        (
            b"query,x\ngeometry,1\n",
            "line 2: the query is of kind geometry, and there is no column \"wkt\"",
        ),
        (
            b"query,x,y,k\nnearest,1,2,0\n",
            "line 2, column \"k\": \"0\" is not a number of shapes: write 1 or more",
        ),
        (
            b"query,x,y,k\nnearest,1,2,1.5\n",
            "line 2, column \"k\": \"1.5\" is not a number of shapes: write 1 or more",
        ),
    ];
    for (queries, message) in cases {
        assert_eq!(refused(queries), message, "{:?}", String::from_utf8_lossy(queries));
    }
}

/// Values that a query does not need may be anything.
#[test]
fn other_columns_may_hold_anything() {
    let shapes = "kind,x,y\npoint,1,2\n";
    let queries = "query,x,y,dx,max,k,radius,note\npoint,1,2,east,,-1,wide,\n";
    assert_eq!(answers("anything", shapes, queries, &[]), "0,0,,,,,,\n");
}

#[test]
fn errors_leave_the_output_and_name_the_file() {
    let kept = File::new("query-kept.csv", "kept");
    let shapes = File::new("query-bad-shapes.csv", "kind,x,y\npoint,1,zwei\n");
    let queries = File::new("query-bad-queries.csv", "query,x,y\npoint,1,2\npoint,1,zwei\n");
    let [shapes, queries] = [shapes.path(), queries.path()];
    let missing = ["no-such-file.csv"; 2];
    for (args, file, what) in [
        ([shapes, QUERIES], shapes, "line 2, column \"y\": \"zwei\" is not a number\n"),
        ([SHAPES, queries], queries, "line 3, column \"y\": \"zwei\" is not a number\n"),
        ([missing[0], QUERIES], missing[0], ""),
        ([SHAPES, missing[1]], missing[1], ""),
    ] {
        let output = run(&["query", args[0], "--queries", args[1], "-o", kept.path()]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{args:?}");
        let error = stderr(&output).lines().last().unwrap();
        assert!(error.starts_with(&format!("error: {file}: {}", what.trim())), "{error}");
        assert_eq!(fs::read_to_string(&kept.0).unwrap(), "kept");
    }
    // Neither input is the output, and standard input is one of them only.
    for args in [[kept.path(), QUERIES], [SHAPES, kept.path()]] {
        let output = run(&["query", args[0], "--queries", args[1], "-o", kept.path()]);
        let told =
            format!("error: {}: the output is the input; write to another file\n", kept.path());
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), &*told));
    }
    let output = feed(&["query", "-", "--queries", "-"], b"query,x,y\n");
    let told = "error: standard input cannot be both shapes and queries\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), told));
}

#[test]
fn answers_go_to_a_file_that_is_complete() {
    let list = File::new("query-list.csv", "old");
    let output = run(&["query", SHAPES, "--queries", QUERIES, "-o", list.path()]);
    assert!(output.status.success() && stdout(&output).is_empty(), "{}", stderr(&output));
    let printed = run(&["query", SHAPES, "--queries", QUERIES, "-o", "-"]);
    assert_eq!(fs::read_to_string(&list.0).unwrap(), stdout(&printed));
}

#[test]
fn usage_errors_have_status_2() {
    for (args, message) in [
        (&["query", SHAPES][..], "--queries <FILE>"),
        (&["query", "--queries", QUERIES], "<SHAPES>"),
        (&["query", SHAPES, "--queries", QUERIES, "--level", "sse9"], "\"sse9\" is not a level"),
        (&["query", SHAPES, "--queries", QUERIES, "--radius", "-1"], "not a radius"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn help_names_every_column() {
    let output = run(&["query", "--help"]);
    let help = unwrapped(stdout(&output));
    for column in HEADER.trim().split(',').chain(["min_x", "radius", "dx", "max_distance", "k"]) {
        assert!(help.contains(column), "{column}");
    }
    assert!(help.contains("ray x, y, dx, dy; optionally max"), "{help}");
}
