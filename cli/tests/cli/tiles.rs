//! `widephase detect` of columns in files, and tile by tile.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::fs;

use crate::{
    prompt::{Folder, pairs, run, sorted, stderr, stdout, unwrapped},
    rng::Rng,
};

/// A file as NumPy writes it.
pub(crate) fn npy(values: &[f32]) -> Vec<u8> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy_of("f4", values.len(), bytes)
}

/// These shapes of `f64`.
pub(crate) fn doubles(values: &[f64]) -> Vec<u8> {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy_of("f8", values.len(), bytes)
}

/// The numbers begin at a multiple of 64 bytes.
fn npy_of(kind: &str, rows: usize, numbers: Vec<u8>) -> Vec<u8> {
    let text = format!("{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({rows},), }}");
    let padded = (text.len() + 11).next_multiple_of(64) - 11;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((padded as u16 + 1).to_le_bytes());
    bytes.extend(format!("{text:padded$}\n").into_bytes());
    bytes.extend(numbers);
    bytes
}

type Named<'a> = (&'a str, &'a [f32]);

fn folder(name: &str, columns: &[Named<'_>]) -> Folder {
    let folder = Folder::new(name);
    for (field, values) in columns {
        fs::write(folder.path(&format!("{field}.npy")), npy(values)).unwrap();
    }
    folder
}

/// 2,000 capsules as columns, and the same capsules as CSV.
fn capsules() -> (Folder, String) {
    let mut rng = Rng::new(40);
    let mut column = |low, high| (0..2000).map(|_| rng.range(low, high)).collect::<Vec<f32>>();
    let [ax, ay] = [column(-50.0, 50.0), column(-50.0, 50.0)];
    let [bx, by] = [&ax, &ay].map(|a| {
        let step = column(-1.0, 1.0);
        a.iter().zip(step).map(|(a, step)| a + step).collect::<Vec<f32>>()
    });
    let radius = column(0.1, 1.0);
    let mut csv = "kind,ax,ay,bx,by,radius\n".to_owned();
    for row in 0..ax.len() {
        let [ax, ay, bx, by, radius] = [&ax, &ay, &bx, &by, &radius].map(|column| column[row]);
        csv += &format!("capsule,{ax},{ay},{bx},{by},{radius}\n");
    }
    let named: [Named<'_>; 5] =
        [("ax", &ax), ("ay", &ay), ("bx", &bx), ("by", &by), ("radius", &radius)];
    let folder = folder("capsules", &named);
    fs::write(folder.path("capsules.csv"), csv).unwrap();
    (folder, folder_path("capsules"))
}

fn folder_path(name: &str) -> String {
    crate::prompt::scratch(name).to_str().unwrap().to_owned()
}

/// Columns have the results of a CSV file of the same shapes, whole or in tiles, and so does the
/// file.
#[test]
fn columns_and_tiles_change_nothing() {
    let (folder, columns) = capsules();
    let csv = folder.path("capsules.csv");
    let list = |args: &[&str]| {
        let output = run(&[&["detect"], args].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    let expected = sorted(pairs(&list(&[&csv])));
    assert!(expected.len() > 500);
    assert_eq!(sorted(pairs(&list(&[&columns]))), expected);
    for tiles in ["1", "7", "64"] {
        assert_eq!(sorted(pairs(&list(&[&columns, "--tiles", tiles]))), expected, "{tiles}");
    }
    let contacts = list(&[&csv, "--contacts", "--margin", "0.5", "--sorted"]);
    for input in [&csv, &columns] {
        let tiled = ["--contacts", "--margin", "0.5", "--sorted", "--tiles", "9"];
        assert_eq!(list(&[&[&**input], &tiled[..]].concat()), contacts);
    }
    let count = format!("{}\n", expected.len());
    assert_eq!(list(&[&columns, "--count"]), count);
    let output = run(&["detect", &columns, "--count", "--memory", "100k"]);
    assert_eq!(stdout(&output), count);
    let told = unwrapped(stderr(&output));
    assert!(told.contains("capsules from ax, ay, bx, by, radius"), "{told}");
    assert!(told.contains("(5 tiles, "), "{told}");
}

#[test]
fn each_kind_of_columns() {
    let (zero, one) = (&[0.0_f32, 1.5][..], &[1.0_f32, 1.0][..]);
    let two = &[2.0_f32, 2.0][..];
    let kinds: [(&str, &[Named<'_>], &str); 8] = [
        ("points", &[("x", zero), ("y", one)], "0"),
        ("circles", &[("x", zero), ("y", one), ("radius", one)], "1"),
        ("boxes", &[("min_x", zero), ("min_y", one), ("max_x", two), ("max_y", two)], "1"),
        (
            "rounded",
            &[("min_x", zero), ("min_y", one), ("max_x", two), ("max_y", two), ("radius", one)],
            "1",
        ),
        ("centered", &[("x", zero), ("y", one), ("half_width", one), ("half_height", one)], "1"),
        (
            "obbs",
            &[
                ("x", zero),
                ("y", one),
                ("half_width", one),
                ("half_height", one),
                ("cos", one),
                ("sin", &[0.0, 0.0]),
            ],
            "1",
        ),
        ("segments", &[("ax", zero), ("ay", one), ("bx", two), ("by", two)], "1"),
        ("lines", &[("ax", zero), ("ay", one), ("bx", two), ("by", two), ("radius", one)], "1"),
    ];
    for (name, columns, count) in kinds {
        let _folder = folder(name, columns);
        let output = run(&["detect", &folder_path(name), "--count"]);
        assert_eq!(stdout(&output).trim(), count, "{name}: {}", stderr(&output));
    }
}

#[test]
fn faults_of_columns_are_reported_in_one_line() {
    let told = |name: &str, args: &[&str]| {
        let output = run(&[&["detect", &*folder_path(name)], args].concat());
        assert_eq!(output.status.code(), Some(1));
        let told = stderr(&output).lines().last().unwrap().to_owned();
        assert!(told.starts_with("error: "), "{told}");
        told
    };
    let has = |told: String, what: &str| assert!(told.contains(what), "{told}");
    let ends = [0.0_f32; 1000];
    let good = folder("wrong", &[("x", &ends), ("y", &ends), ("radius", &ends)]);
    let path = |name: &str| good.path(&format!("{name}.npy"));
    has(
        told("wrong", &["--memory", "5k"]),
        "--memory is too little: 1000 shapes need 1 MB at least",
    );

    fs::write(path("y"), npy(&ends[1..])).unwrap();
    has(told("wrong", &[]), "y");
    fs::write(path("y"), npy(&[f32::NAN; 1000])).unwrap();
    has(told("wrong", &["--tiles", "2"]), "shape 0: y is NaN");
    let whole = npy(&ends);
    fs::write(path("y"), &whole[..whole.len() - 1]).unwrap();
    has(told("wrong", &[]), "y.npy: it is shorter or longer than its header says");
    fs::write(path("y"), &whole[..40]).unwrap();
    has(told("wrong", &[]), "y.npy: its header is cut off");
    fs::write(path("y"), "x,y\n1,2\n3,4\n").unwrap();
    has(told("wrong", &[]), "y.npy: not a .npy file of version 1");
    let kind = whole.windows(3).position(|bytes| bytes == b"<f4").unwrap();
    let whole_numbers = [&whole[..kind], b"<i4", &whole[kind + 3..]].concat();
    fs::write(path("y"), whole_numbers).unwrap();
    let what = "y.npy: it is not a list of numpy.float32 or numpy.float64 in one axis, but";
    has(told("wrong", &[]), what);
    fs::write(path("y"), doubles(&[0.0; 1000])).unwrap();
    has(told("wrong", &[]), "x.npy is float32 and y.npy float64: they need one type");
    fs::write(path("y"), npy(&ends[1..])).unwrap();
    has(told("wrong", &[]), "x.npy has 1000 numbers and y.npy 999");
    fs::write(path("z"), npy(&ends)).unwrap();
    has(
        told("wrong", &[]),
        "its columns are radius, x, y, z; the kinds and their columns: point (x, y)",
    );
    let _none = Folder::new("none-at-all");
    has(told("none-at-all", &[]), "its columns are no .npy file");
}
