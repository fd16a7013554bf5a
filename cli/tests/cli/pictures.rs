//! `widephase render` from outside.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use resvg::{
    tiny_skia::Pixmap,
    usvg::{Options, Tree},
};
use widephase::{
    Body, Motion, Pair, World,
    shape::{Circle, HalfPlane, Pose},
};

use crate::prompt::{feed, pairs, run, scratch, stderr, stdout, unwrapped};

const SHAPES: &str = "tests/data/shapes.csv";
const HEAP: &str = "tests/data/heap.recording";

/// A file that is removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        Self(scratch(name))
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

/// The text of the SVG that `render` writes.
fn svg(name: &str, args: &[&str]) -> String {
    let file = File::new(&format!("{name}.svg"));
    let output = run(&[&["render", "-o", file.path()], args].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let svg = fs::read_to_string(&file.0).unwrap();
    // It is well-formed and has a size.
    let tree = Tree::from_str(&svg, &Options::default()).unwrap();
    assert!(tree.size().width() == 1000.0 && tree.size().height() > 200.0);
    svg
}

/// The number of shapes in a picture, and the number of shapes that are marked as touching. Shapes
/// that are too small are drawn as squares, each of which has its numbers.
fn shapes(svg: &str) -> (usize, usize) {
    let (_, shapes) = svg.split_once("<g id=\"shapes\">").unwrap();
    let (shapes, _) = shapes.split_once("</g>").unwrap();
    let paths = || shapes.lines().filter(|line| line.starts_with("<path class=\"shape "));
    let (mut all, mut touching) =
        (paths().count(), paths().filter(|path| path.contains(" touching\"")).count());
    for square in shapes.lines().filter(|line| line.starts_with("<rect class=\"dense\"")) {
        let (_, title) = square.split_once("<title>").unwrap();
        let mut numbers = title.split(' ').filter_map(|word| word.parse::<usize>().ok());
        all += numbers.next().unwrap();
        touching += numbers.next().unwrap();
    }
    (all, touching)
}

/// The number of rows in a list of pairs.
fn rows(pairs: &[Pair]) -> usize {
    pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect::<BTreeSet<u32>>().len()
}

#[test]
fn touching_shapes_are_those_of_detect() {
    for file in [SHAPES, "tests/data/turning.csv", "tests/data/compounds.csv"] {
        let listed = run(&["detect", file]);
        let shapes_read = unwrapped(stderr(&listed)).replace(" shapes, read", "\0");
        let before = shapes_read.split('\0').next().unwrap();
        let number: usize = before.rsplit(' ').next().unwrap().parse().unwrap();
        let touching = rows(&pairs(stdout(&listed)));
        let svg = svg("detect", &["--input", file, "--contacts", "--grid", "--ids", "--rays", "9"]);
        assert_eq!(shapes(&svg), (number, touching), "{file}");
    }
    let table = ["tests/data/us-airports.csv", "--x", "lon", "--y", "lat", "--radius", "0.2"];
    let touching = rows(&pairs(stdout(&run(&[&["detect"][..], &table].concat()))));
    let svg = svg("airports", &[&["--input"][..], &table].concat());
    assert_eq!(shapes(&svg), (3376, touching));
    assert!(svg.contains(&format!(">touching another shape {touching}, ")));
}

#[test]
fn contacts_and_ids_are_those_of_detect() {
    let listed = run(&["detect", "tests/data/turning.csv", "--contacts", "--sorted"]);
    let mut reader = csv::Reader::from_reader(stdout(&listed).as_bytes());
    let points: usize =
        reader.records().map(|row| 1 + usize::from(!row.unwrap()[12].is_empty())).sum();
    let svg = svg("contacts", &["--input", "tests/data/turning.csv", "--contacts", "--ids"]);
    assert!(points > 0);
    assert_eq!(svg.matches("<path class=\"contact\" d=").count(), points + 1, "one in the legend");
    // Labels give way to each other.
    let labels = svg.matches("<text class=\"feature\"").count();
    let ids = (0..shapes(&svg).0).filter(|row| svg.contains(&format!(">{row}</text>"))).count();
    let left_out = svg
        .split_once(" labels without room<")
        .map_or(0, |(before, _)| before.rsplit('>').next().unwrap().parse::<usize>().unwrap());
    assert!(labels > points / 2 && ids > shapes(&svg).0 / 2);
    assert_eq!(labels + ids + left_out, points + shapes(&svg).0);
}

#[test]
fn scenes_by_level_and_rays() {
    let svg = svg("scene", &["--scene", "s4", "-n", "400", "--grid", "--rays", "36"]);
    assert_eq!(shapes(&svg).0, 400);
    let (_, cells) = svg.split_once("<g id=\"cells\">").unwrap();
    let (cells, rest) = cells.split_once("</g>").unwrap();
    let of = |level: u32| {
        let sums = cells.lines().filter_map(|line| {
            let (_, shapes) = line.split_once(&format!("<title>level {level}, "))?;
            shapes.split(' ').next()?.parse::<u32>().ok()
        });
        sums.sum::<u32>()
    };
    assert_eq!([0, 1].map(of), [396, 4]);
    assert_eq!(rest.matches("<path class=\"ray\" d=").count(), 36 + 1, "one in the legend");
    assert!(rest.contains(">level 1: 4 shapes in "));
    // Each kind and each adversary has a picture.
    for scene in ["s1", "s2", "s3", "s5", "s6", "s7", "s8", "far-body", "coincident", "six-decades"]
    {
        let svg = self::svg(scene, &["--scene", scene, "-n", "90", "--contacts", "--grid"]);
        assert_eq!(shapes(&svg).0, 90, "{scene}");
    }
}

/// If most shapes are far from other shapes, the legend says so, and `--fit` draws them.
#[test]
fn most_shapes_fit() {
    let all = svg("far", &["--scene", "far-body", "-n", "500"]);
    assert_eq!(shapes(&all).0, 500);
    assert!(all.contains("500 shapes below 1.5 pixels, up to 499 in a dark square<"), "{all}");
    assert!(all.contains(" times smaller: --fit<"));
    let fit = svg("fit", &["--scene", "far-body", "-n", "500", "--fit"]);
    assert!(fit.contains(">499 of 500 shapes in this part<") && !fit.contains("--fit<"), "{fit}");
}

/// Shapes far from 0 are drawn as exactly as near it, and the frame has their coordinates.
#[test]
fn far_coordinates_are_on_the_frame() {
    let file = File::new("utm.csv");
    let boxes = "min_x,min_y,max_x,max_y\n4500000.0,0,4500000.3,1\n4500000.4,0,4500000.7,1\n";
    fs::write(&file.0, boxes).unwrap();
    let svg = svg("utm", &["--input", file.path(), "--view", "4499999.9,0,4500000.9,1"]);
    assert_eq!(shapes(&svg), (2, 0));
    for mark in [">4500000.2<", ">4500000.8<", ">0.4<"] {
        assert!(svg.contains(mark), "{mark}");
    }
}

#[test]
fn a_part_has_the_shapes_in_it() {
    // The disc of radius 1 at the origin, and the boxes and the key right of it.
    let svg = svg("part", &["--input", SHAPES, "--view", "-1,-1,1,1"]);
    assert!(shapes(&svg).0 < 7 && svg.contains(" in this part<"), "{svg}");
    assert!(svg.contains("<title>0: circle touching</title>"));
}

/// A ball that meets a floor in the second of three steps.
fn recording(name: &str) -> File {
    let mut world = World::new();
    world.start_recording();
    let floor = HalfPlane::new([0.0, 1.0], 0.0);
    world.insert(floor, Body { motion: Motion::Static, ..Body::default() }).unwrap();
    let ball = world.insert(Circle::new([0.0, 3.0], 1.0), Body::default()).unwrap();
    for y in [3.0, 0.75, 0.5] {
        world.set_pose(ball, Pose::at([0.0, y])).unwrap();
        world.step().unwrap();
    }
    let file = File::new(name);
    fs::write(&file.0, world.stop_recording().unwrap()).unwrap();
    file
}

#[test]
fn steps_of_a_recording() {
    let file = recording("ball.recording");
    let args = ["--recording", file.path(), "--contacts", "--ids", "--grid", "--rays", "8"];
    let last = svg("last", &args);
    assert_eq!(shapes(&last), (2, 2));
    assert!(last.contains("<title>depth 0.5, "), "{last}");
    assert_eq!(last, svg("third", &[&args[..], &["--step", "3"]].concat()));
    // The floor is not in the view of the ball alone.
    assert_eq!(shapes(&svg("first", &[&args[..], &["--step", "1"]].concat())), (1, 0));
    let second = svg("second", &[&args[..], &["--step", "2"]].concat());
    assert!(second.contains("<title>depth 0.25, "), "{second}");
    assert_eq!(shapes(&svg("heap", &["--recording", HEAP, "--step", "5"])).0, 16);
}

#[test]
fn a_png_has_the_size_and_is_not_blank() {
    for size in ["200", "640"] {
        let file = File::new(&format!("{size}.PNG"));
        let args = ["--scene", "s3", "--size", size, "--contacts", "--grid", "--ids"];
        let output = run(&[&["render", "-o", file.path()][..], &args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let pixels = Pixmap::load_png(&file.0).unwrap();
        assert_eq!(pixels.width().to_string(), size);
        // The colours of circles and boxes, and black, of outlines and text.
        let colors: BTreeSet<[u8; 3]> =
            pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        assert!(colors.len() > 100, "{}", colors.len());
        // The text in the lowest line: the legend is not empty without a font of the system.
        let rows = pixels.pixels().chunks(pixels.width() as usize);
        let legend = rows.skip(pixels.height() as usize - 24);
        assert!(legend.flatten().any(|pixel| pixel.red() < 100));
    }
}

#[test]
fn errors_say_what_to_do_and_write_nothing() {
    let file = File::new("none.svg");
    let refusal = |args: &[&str], status: i32, what: &str| {
        let output = run(&[&["render"][..], args].concat());
        assert_eq!(output.status.code(), Some(status), "{args:?}: {}", stderr(&output));
        assert!(unwrapped(stderr(&output)).contains(what), "{args:?}: {}", stderr(&output));
        assert!(!file.0.exists());
    };
    let path = file.path();
    let s3 = ["--scene", "s3", "-o", path];
    refusal(&["--scene", "s9", "-o", path], 2, "\"s9\" is not a scene; the scenes are: s1 (");
    refusal(&["-o", path], 2, "--scene <SCENE>|--input <FILE>|--recording <FILE>");
    refusal(&["--scene", "s3"], 2, "--output <FILE>");
    for name in ["picture", "picture.jpg", "-", ".png"] {
        let what = "not a picture: write a name that ends in .svg or .png";
        refusal(&["--scene", "s3", "-o", name], 2, what);
    }
    for (option, value, what) in [
        ("-n", "0", "not a number of bodies"),
        ("--size", "100", "from 200 to 8000"),
        ("--rays", "-1", "write 1 to 10000"),
        ("--view", "1,1,0,2", "write its left, lower, right and upper side"),
        ("--step", "0", "write a whole number from 1 on"),
    ] {
        refusal(&[&s3[..], &[option, value]].concat(), 2, what);
    }
    refusal(&[&s3[..], &["--input", SHAPES]].concat(), 2, "cannot be used with");
    refusal(&[&s3[..], &["--step", "3"]].concat(), 2, "cannot be used with");
    refusal(&[&s3[..], &["--radius", "3"]].concat(), 2, "cannot be used with");
    refusal(&["--input", SHAPES, "-n", "3", "-o", path], 2, "cannot be used with");
    refusal(&["--recording", HEAP, "--x", "3", "-o", path], 2, "cannot be used with");
    refusal(&[&s3[..], &["-n", "1M"]].concat(), 1, "a picture has at most 100000");
    let pile = ["--scene", "coincident", "-n", "1k", "--contacts", "-o", path];
    refusal(&pile, 1, "499500 contacts; a picture has at most 100000: leave out --contacts");
    let three = recording("three.recording");
    let step = ["--recording", three.path(), "--step", "4", "-o", path];
    refusal(&step, 1, "it has 3 steps: write --step 1 to 3");
    refusal(&["--scene", "s3", "-o", "no-such-folder/a.png"], 1, "error: no-such-folder/a.png: ");
    refusal(&["--input", "no-such-file.csv", "-o", path], 1, "error: no-such-file.csv: ");
    let damaged = feed(&["render", "--recording", "-", "-o", path], &fs::read(HEAP).unwrap()[..99]);
    assert_eq!(damaged.status.code(), Some(1));
    assert!(stderr(&damaged).contains("the file ends too early") && !file.0.exists());
}

/// A file that is there stays as it is after an error.
#[test]
fn an_old_picture_stays_after_an_error() {
    let file = File::new("old.svg");
    fs::write(&file.0, "old").unwrap();
    let output = run(&["render", "--input", "tests/data/README.md", "-o", file.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output).trim_end().lines().count(), 1, "{}", stderr(&output));
    assert_eq!(fs::read(&file.0).unwrap(), b"old");
}
