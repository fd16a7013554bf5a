//! `widephase detect` and `query` with numbers that `f32` does not hold.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{fmt::Write, fs};

use crate::{
    prompt::{Folder, feed, pairs, run, scratch, sorted, stderr, stdout, unwrapped},
    rng::Rng,
    seeded::{UTM, points, units},
    tiles::{doubles, npy},
};
use widephase::{
    Pair, Touching,
    doubles::{DoubleBox, touches},
};

/// The lines of standard output.
fn lines(args: &[&str], input: &str) -> Vec<String> {
    let output = feed(args, input.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// Standard output of a call with files only.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn boxes_a_tenth_apart_do_not_touch() {
    let houses = "kind,min_x,min_y,max_x,max_y\naabb,4500000.0,0,4500000.3,1\n\
                  aabb,4500000.4,0,4500000.7,1\naabb,4500000.7,1,4500001,2\n";
    assert_eq!(lines(&["detect", "-"], houses), ["a,b", "1,2"]);
    assert_eq!(lines(&["detect", "-", "--exclusive"], houses), ["a,b"]);
    assert_eq!(lines(&["detect", "-", "--count", "--within", "0.11"], houses), ["2"]);
}

/// The counts of scipy and shapely: `tests/doubles/counts.py`.
#[test]
fn counts_of_scipy_and_shapely() {
    let folder = Folder::new("counts");
    let path = folder.path("points.csv");
    let mut text = "x,y\n".to_owned();
    for [x, y] in points(1_000_000, UTM, 16_000.0) {
        writeln!(text, "{x},{y}").unwrap();
    }
    fs::write(&path, &text).unwrap();
    assert_eq!(printed(&["detect", &path, "--within", "2", "--count"]), "24463\n");
    assert_eq!(printed(&["detect", &path, "--radius", "1", "--count", "--tiles", "9"]), "24463\n");

    let path = folder.path("boxes.csv");
    let mut text = "min_x,min_y,max_x,max_y\n".to_owned();
    let high = units(3, 1_000_000).zip(units(4, 1_000_000));
    for ([x, y], (width, height)) in points(1_000_000, UTM, 8_000.0).into_iter().zip(high) {
        writeln!(text, "{x},{y},{},{}", x + width * 12.0, y + height * 12.0).unwrap();
    }
    fs::write(&path, &text).unwrap();
    assert_eq!(printed(&["detect", &path, "--count"]), "1124861\n");
}

/// Points, circles, boxes and rounded boxes in one file, around a far place.
#[test]
fn mixed_kinds_are_exact() {
    let mut rng = Rng::new(8);
    let mut shapes = Vec::new();
    let mut text = "kind,x,y,radius,min_x,min_y,max_x,max_y\n".to_owned();
    let [far_x, far_y] = [4_500_000.0, -12_345_678.0];
    for row in 0..400 {
        // Multiples of a tenth, which touch exactly or miss by less than steps of f32.
        let mut tenths = |most: u64| rng.below(most) as f64 / 10.0;
        let (x, y, radius) = (far_x + tenths(200), far_y + tenths(200), tenths(6));
        let (right, upper) = (x + tenths(9), y + tenths(9));
        let line = match row % 4 {
            0 => format!("point,{x},{y},,,,,"),
            1 => format!("circle,{x},{y},{radius},,,,"),
            2 => format!("aabb,,,,{x},{y},{right},{upper}"),
            _ => format!("rounded_box,,,{radius},{x},{y},{right},{upper}"),
        };
        text += &format!("{line}\n");
        shapes.push(DoubleBox {
            min: [x, y],
            max: if row % 4 < 2 { [x, y] } else { [right, upper] },
            radius: if row % 2 == 0 { 0.0 } else { radius },
        });
    }
    for (args, touching) in [
        (&["detect", "-"][..], Touching::Inclusive),
        (&["detect", "-", "--exclusive"], Touching::Exclusive),
    ] {
        let mut expected = Vec::new();
        for a in 0..shapes.len() {
            for b in a + 1..shapes.len() {
                if touches(&shapes[a], &shapes[b], touching) {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        assert!(expected.len() > 100);
        let list = |more: &[&str]| lines(&[args, more].concat(), &text).join("\n");
        assert_eq!(sorted(pairs(&list(&[]))), expected);
        assert_eq!(pairs(&list(&["--sorted"])), expected);
        assert_eq!(sorted(pairs(&list(&["--tiles", "7"]))), expected);
    }
}

#[test]
fn columns_of_doubles_are_exact() {
    let folder = Folder::new("doubles");
    let points = points(20_000, UTM, 2_000.0);
    let [x, y] = [0, 1].map(|axis: usize| points.iter().map(|at| at[axis]).collect::<Vec<_>>());
    for (name, values) in [("x", &x), ("y", &y)] {
        fs::write(folder.path(&format!("{name}.npy")), doubles(values)).unwrap();
    }
    let path = scratch("doubles").to_str().unwrap().to_owned();
    let mut near = Vec::new();
    for b in 0..points.len() {
        for a in 0..b {
            let [dx, dy] = [0, 1].map(|axis: usize| points[a][axis] - points[b][axis]);
            if dx * dx + dy * dy <= 2.25 {
                near.push(Pair { a: a as u32, b: b as u32 });
            }
        }
    }
    near.sort_unstable();
    let list = |more: &[&str]| printed(&[&["detect", &path, "--within", "1.5"], more].concat());
    assert_eq!(sorted(pairs(&list(&[]))), near);
    assert_eq!(sorted(pairs(&list(&["--tiles", "5"]))), near);
    let output = run(&["detect", &path, "--within", "1.5", "--count", "--memory", "2M"]);
    assert_eq!(stdout(&output), format!("{}\n", near.len()), "{}", stderr(&output));
    let told = unwrapped(stderr(&output));
    assert!(
        told.contains("20000 points from x, y (float64)") && told.contains("tiles, "),
        "{told}"
    );
}

/// Contacts are computed relative to a place among the shapes, and given in their coordinates.
#[test]
fn contacts_are_relative_to_a_place_among_the_shapes() {
    let far = "kind,x,y,radius,half_width,half_height,angle\n\
               circle,4500000.1,500000.2,0.25,,,\ncircle,4500000.1,500000.67,0.25,,,\n\
               obb,4500003,500000.25,,0.5,0.125,0.5\nobb,4500003,500000.5,,0.5,0.125,0.5\n";
    let output = feed(&["detect", "-", "--contacts", "--sorted"], far.as_bytes());
    let list: Vec<Vec<f64>> = stdout(&output)
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    assert_eq!(list.len(), 2, "{}", stderr(&output));
    let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value}");
    near(list[0][6], 0.03);
    near(list[0][7], 4_500_000.1);
    near(list[0][8], 500_000.435);
    // Parallel boxes: a quarter apart along y is that much less deep along their normal.
    near(list[1][6], 0.25 - 0.25 * 0.5_f64.cos());
    let told = stderr(&output);
    assert!(told.contains("computed in f32, relative to (4500003, 500000.5)"), "{told}");
    assert!(!told.contains("note:"), "{told}");
    // Near 0, nothing is moved, and nothing is said.
    let output = feed(&["detect", "-", "--contacts"], b"x,y,radius\n1,2,3\n2,3,1\n");
    assert!(!stderr(&output).contains("f32"), "{}", stderr(&output));
}

#[test]
fn coarse_steps_are_said() {
    let wide = "kind,ax,ay,bx,by\nsegment,0,0,0.5,0\nsegment,0.25,-1,0.25,1\n\
                segment,100000000,0,100000000.25,0\nsegment,1,0,1.5,0\n";
    let output = feed(&["detect", "-"], wide.as_bytes());
    assert_eq!((stdout(&output), stderr(&output).contains("f32")), ("a,b\n0,1\n", false));
    let output = feed(&["detect", "-", "--contacts"], wide.as_bytes());
    let told = stderr(&output);
    assert!(
        told.contains("note: computed in f32, relative to (0, 0): shapes up to 1.0e8"),
        "{told}"
    );
    assert!(told.contains("steps of up to 1.2e1, which is not small beside shapes of size 5.0e-1"));
}

/// A polygon keeps its vertices wherever it is.
#[test]
fn polygons_at_far_coordinates() {
    let text = "kind,vertices,x,y\n\
         polygon,5000000 500000 5000009 499999.9 5000018 500000 5000018 500012 5000000 500012,,\n\
         point,,5000009,499999.95\npoint,,5000009,499999.85\n";
    assert_eq!(lines(&["detect", "-", "--sorted"], text), ["a,b", "0,1"]);
}

#[test]
fn queries_are_exact() {
    let folder = Folder::new("exact-queries");
    let shapes = folder.path("shapes.csv");
    fs::write(&shapes, "x,y,radius\n4500000.25,10,0.125\n4500001.5,10,0.125\n").unwrap();
    let queries = "query,x,y,radius,k,dx,dy,min_x,min_y,max_x,max_y,vertices\n\
        point,4500000.3,10,,,,,,,,,\npoint,4500000.4,10,,,,,,,,,\n\
        circle,4500000.9,10,0.5249,,,,,,,,\ncircle,4500000.9,10,0.526,,,,,,,,\n\
        nearest,4500000.9,10,,2,,,,,,,\nray,4500000,10,,,1,0,,,,,\n\
        region,,,,,,,4500001.3,9,4500001.374,11,\nregion,,,,,,,4500001.3,9,4500001.376,11,\n\
        polygon,,,,,,,,,,,4500001.3 9 4500001.5 9 4500001.4 9.95 4500001.3 9.5\n";
    let args = ["query", &shapes, "--queries", "-"];
    let found = lines(&args, queries);
    assert_eq!(
        found[1..],
        [
            "0,0,,,,,,",
            "2,1,,,,,,",
            "3,0,,,,,,",
            "3,1,,,,,,",
            "4,1,,0.47499999962747097,,,,",
            "4,0,,0.525000000372529,,,,",
            "5,0,0.125,,4500000.125,10.0,-1.0,0.0",
            "7,1,,,,,,",
            "8,1,,,,,,",
        ]
    );
}

/// Columns of `f32` are not moved, so nothing is that is paired with them.
#[test]
fn far_shapes_beside_columns_of_f32() {
    let folder = Folder::new("far-columns");
    for (name, value) in [("x", 4_500_000.0), ("y", 500_000.0)] {
        fs::write(folder.path(&format!("{name}.npy")), npy(&[value, value + 8.0])).unwrap();
    }
    let lines_of = folder.path("lines.csv");
    let text = "kind,ax,ay,bx,by\nsegment,4500008,500007,4500008,500009\n";
    fs::write(&lines_of, text).unwrap();
    let path = scratch("far-columns").to_str().unwrap().to_owned();
    assert_eq!(printed(&["detect", &path, "--against", &lines_of]), "a,b\n1,0\n");
    assert_eq!(printed(&["detect", &lines_of, "--against", &path]), "a,b\n0,1\n");
}
