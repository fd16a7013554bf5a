//! `--metres`: places on the globe, whose distances are along it.
#![allow(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

use std::{fmt::Write, fs};

use crate::{
    prompt::{Folder, feed, run, stderr, stdout, unwrapped},
    rng::Rng,
    tiles::doubles,
};

/// The lines of standard output.
fn lines(args: &[&str], input: impl AsRef<[u8]>) -> Vec<String> {
    let output = feed(args, input.as_ref());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The last line of standard error.
fn refused(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = feed(args, input.as_ref());
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""), "{}", stderr(&output));
    stderr(&output).lines().last().unwrap().to_owned()
}

/// The radius of the Earth in metres.
const RADIUS: f64 = 6_371_008.771_4;

/// The radius in `docs/cli.md`.
fn radius_of_the_page() -> f64 {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cli.md")).unwrap();
    let page = unwrapped(&page);
    let (_, rest) = page.split_once("the mean radius of the Earth, ").unwrap();
    rest.split(" m").next().unwrap().replace(',', "").parse().unwrap()
}

/// The distance along the sphere, by the angle between two directions.
fn along_globe(a: [f64; 2], b: [f64; 2]) -> f64 {
    let direction = |[lon, lat]: [f64; 2]| {
        let [lon, lat] = [lon, lat].map(f64::to_radians);
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let (a, b) = (direction(a), direction(b));
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sine = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
    sine.atan2(dot) * RADIUS
}

/// Places around both poles and on them, on both sides of longitude 180, and anywhere.
fn places(rows: usize, seed: u64) -> Vec<[f64; 2]> {
    let mut rng = Rng::new(seed);
    let mut range = move |low: f32, high: f32| f64::from(rng.range(low, high));
    let mut places = vec![[0.0, 90.0], [120.0, -90.0], [180.0, 0.0], [-180.0, 1e-3]];
    while places.len() < rows {
        places.push(match places.len() % 6 {
            0 => [range(-360.0, 360.0), 90.0 - range(0.0, 3.0)],
            1 => [range(-180.0, 180.0), range(0.0, 0.1) - 90.0],
            2 => [180.0 + range(-0.5, 0.5), range(-3.0, 3.0)],
            3 => [-180.0 + range(-0.5, 0.5), 89.0 + range(-3.0, 0.9)],
            4 => [range(-180.0, 180.0), range(-90.0, 90.0)],
            _ => [range(-0.1, 0.1), range(50.0, 50.1)],
        });
    }
    places
}

fn table(places: &[[f64; 2]]) -> String {
    let mut text = "Latitude,Longitude\n".to_owned();
    for [lon, lat] in places {
        writeln!(text, "{lat},{lon}").unwrap();
    }
    text
}

/// Checks a list of pairs with distances beside all pairs. A tie may be in it or not.
fn assert_pairs(
    found: &[String],
    expected: impl Iterator<Item = (usize, usize, f64)>,
    metres: f64,
) {
    let mut listed = found.iter().peekable();
    let mut count = 0;
    for (a, b, apart) in expected {
        let start = format!("{a},{b},");
        let is_listed = listed.peek().is_some_and(|line| line.starts_with(&start));
        // The error of `along_globe` in metres.
        let slack = 1e-6 + apart * 1e-12;
        assert!(is_listed || apart > metres - slack, "{a} {b} {apart} of {metres} is missing");
        assert!(!is_listed || apart <= metres + slack, "{a} {b} {apart} of {metres} is too far");
        if is_listed {
            let written: f64 = listed.next().unwrap()[start.len()..].parse().unwrap();
            assert!((written - apart).abs() <= slack, "{written} {apart}");
            assert!(written <= metres);
            count += 1;
        }
    }
    assert_eq!(listed.next(), None);
    assert_eq!(count, found.len());
}

const DISTANCES: [f64; 11] =
    [0.0, 1_000.0, 11_000.0, 150_000.0, 400_000.0, 2e6, 9e6, 10_007_543.0, 1.4e7, 1.99e7, 2.1e7];

#[test]
fn pairs_near_poles_and_up_to_half_the_globe() {
    let places = places(240, 11);
    let text = table(&places);
    for metres in DISTANCES {
        let within = metres.to_string();
        let args = ["detect", "-", "--metres", "--within", &within, "--distance", "--sorted"];
        let found = lines(&args, &text);
        let all = (0..places.len()).flat_map(|a| (a + 1..places.len()).map(move |b| (a, b)));
        let all = all.map(|(a, b)| (a, b, along_globe(places[a], places[b])));
        assert_pairs(&found[1..], all, metres);
        let count = [&args[..5], &["--count"]].concat();
        assert_eq!(lines(&count, &text), [(found.len() - 1).to_string()]);
    }
    let all = (places.len() * (places.len() - 1) / 2).to_string();
    assert_eq!(
        lines(&["detect", "-", "--metres", "--within", "20015115", "--count"], &text),
        [all]
    );
}

#[test]
fn against_another_file() {
    let folder = Folder::new("globe");
    let path = folder.path("others.csv");
    let (own, others) = (places(150, 3), places(90, 4));
    fs::write(&path, table(&others)).unwrap();
    for metres in DISTANCES {
        let within = metres.to_string();
        let args = [
            "detect",
            "-",
            "--against",
            &path,
            "--metres",
            "--within",
            &within,
            "--distance",
            "--sorted",
        ];
        let found = lines(&args, table(&own));
        let all = (0..own.len()).flat_map(|a| (0..others.len()).map(move |b| (a, b)));
        let all = all.map(|(a, b)| (a, b, along_globe(own[a], others[b])));
        assert_pairs(&found[1..], all, metres);
    }
}

/// A pole has all longitudes, and longitude 180 is -180.
#[test]
fn places_with_two_names() {
    let same = "lon,lat\n0,90\n77,90\n-120,-90\n33,-90\n180,12.5\n-180,12.5\n190,1\n-170,1\n350,-2\n-10,-2\n";
    let found =
        lines(&["detect", "-", "--metres", "--within", "0", "--sorted", "--distance"], same);
    assert_eq!(found[1..], ["0,1,0.0", "2,3,0.0", "4,5,0.0", "6,7,0.0", "8,9,0.0"]);
}

/// The distances of a quarter of the globe and of half of it follow from the radius in the page.
#[test]
fn the_radius_is_that_of_the_page() {
    let text = "lon,lat\n7,0\n-31,90\n7,-90\n";
    let found =
        lines(&["detect", "-", "--metres", "--within", "3e7", "--sorted", "--distance"], text);
    let distance = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
    assert_eq!(radius_of_the_page(), RADIUS);
    let half = RADIUS * std::f64::consts::PI;
    for (line, expected) in found[1..].iter().zip([half / 2.0, half / 2.0, half]) {
        assert!((distance(line) - expected).abs() < 1e-8, "{line} {expected}");
    }
    let help = unwrapped(stdout(&run(&["detect", "--help"])));
    assert!(help.contains("6,371,008.7714 m"), "{help}");
}

#[test]
fn nearest_stations_of_towns() {
    let folder = Folder::new("stations");
    let path = folder.path("stations.csv");
    let (stations, towns) = (places(160, 5), places(130, 6));
    fs::write(&path, table(&stations)).unwrap();
    let mut queries = "query,k,max_distance,radius,lat,lon\n".to_owned();
    for (town, [lon, lat]) in towns.iter().enumerate() {
        let what = match town % 5 {
            0 => "nearest,,,",
            1 => "nearest,3,,",
            2 => "nearest,7,300000,",
            3 => "nearest,500,,",
            _ => "circle,,,500000",
        };
        writeln!(queries, "{what},{lat},{lon}").unwrap();
    }
    let found = lines(&["query", &path, "--queries", "-", "--metres"], queries);
    let mut found = found[1..].iter();
    for (town, at) in towns.iter().enumerate() {
        let mut near: Vec<(f64, usize)> = stations
            .iter()
            .enumerate()
            .map(|(row, station)| (along_globe(*at, *station), row))
            .collect();
        let is_circle = town % 5 == 4;
        let (k, most) = [(1, 1e9), (3, 1e9), (7, 3e5), (500, 1e9), (500, 5e5)][town % 5];
        near.retain(|(apart, _)| *apart <= most);
        near.sort_by(|a, b| a.partial_cmp(b).unwrap());
        near.truncate(k);
        if is_circle {
            near.sort_by_key(|(_, row)| *row);
        }
        let mut last = -1.0;
        for (apart, row) in near {
            let cells: Vec<&str> = found.next().unwrap().split(',').collect();
            assert_eq!(cells[0], town.to_string());
            if is_circle {
                assert_eq!((cells[1], cells[3]), (&*row.to_string(), ""));
                continue;
            }
            let written: f64 = cells[3].parse().unwrap();
            assert!((written - apart).abs() < 1e-6 + apart * 1e-12, "{town}: {written} {apart}");
            assert!(written >= last);
            last = written;
            let row: usize = cells[1].parse().unwrap();
            assert!((along_globe(*at, stations[row]) - written).abs() < 1e-6 + apart * 1e-12);
        }
    }
    assert_eq!(found.next(), None);
}

/// The example of the page: names of both files.
#[test]
fn nearest_airport_of_each_town() {
    let folder = Folder::new("airport");
    let path = folder.path("towns.csv");
    fs::write(&path, "town,query,lon,lat\nBoston,nearest,-71.06,42.36\nAttu,nearest,173.2,52.9\n")
        .unwrap();
    let args = [
        "query",
        "tests/data/us-airports.csv",
        "--queries",
        &path,
        "--metres",
        "--id",
        "iata,town",
    ];
    let output = run(&args);
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/us-airports.csv"))
            .unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let airports: Vec<(String, [f64; 2])> = reader
        .records()
        .map(|row| row.unwrap())
        .map(|row| (row[0].to_owned(), [row[5].parse().unwrap(), row[4].parse().unwrap()]))
        .collect();
    let rows: Vec<&str> = stdout(&output).lines().skip(1).collect();
    for (row, (town, at)) in rows.iter().zip([("Boston", [-71.06, 42.36]), ("Attu", [173.2, 52.9])])
    {
        let nearest = airports
            .iter()
            .min_by(|a, b| along_globe(a.1, at).total_cmp(&along_globe(b.1, at)))
            .unwrap();
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!((cells[0], cells[1]), (town, &*nearest.0), "{}", stderr(&output));
        let written: f64 = cells[3].parse().unwrap();
        assert!((written - along_globe(nearest.1, at)).abs() < 1e-5);
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn errors_name_file_line_and_column() {
    let folder = Folder::new("degrees");
    let path = folder.path("ports.csv");
    fs::write(&path, "name,lon,lat\nA,0,0\nB,5,95\n").unwrap();
    let within = ["--metres", "--within", "5"];
    let output = run(&[&["detect", &path], &within[..]].concat());
    let told = stderr(&output).lines().last().unwrap();
    let expected = "ports.csv: line 3, column \"lat\": 95 is no latitude from -90 to 90 degrees";
    assert!(told.starts_with("error: ") && told.ends_with(expected), "{told}");
    let output =
        run(&[&["detect", "tests/data/us-airports.csv", "--against", &path], &within[..]].concat());
    let told = stderr(&output).lines().last().unwrap();
    assert!(told.starts_with("error: ") && told.ends_with(expected), "{told}");
    for (text, told) in [
        ("x,y\n361,0\n", "line 2, column \"x\": 361 is no longitude from -360 to 360 degrees"),
        ("x,y\n0,0\nnan,0\n", "line 3, column \"x\": NaN is no longitude from -360 to 360 degrees"),
        (
            "kind,x,y\npoint,0,-91\n",
            "line 2, column \"y\": -91 is no latitude from -90 to 90 degrees",
        ),
        ("x,y,radius\n0,0,0\n0,0,1\n", "line 3: --metres is for points, but this has a size"),
        ("xmin,ymin,xmax,ymax\n0,0,1,1\n", "line 2: --metres is for points, but this has a size"),
        (
            "kind,ax,ay,bx,by\nsegment,0,0,1,1\n",
            "line 2: --metres is for points, but this is of kind segment",
        ),
        (
            "kind,body,x,y\npoint,a,0,0\n",
            "line 2, column \"body\": --metres is for points, but this is a part of a body",
        ),
        (
            "wkt\nPOINT (0 0)\n\"LINESTRING (0 0, 1 1)\"\n",
            "line 3, column \"wkt\": --metres is for points, but this is of kind line",
        ),
        (
            "wkt\n\"MULTIPOINT (0 0, 1 1)\"\n",
            "line 2, column \"wkt\": --metres is for points, but this has 2 shapes",
        ),
        ("wkt\nPOINT (0 99)\n", "line 2, column \"wkt\": 99 is no latitude from -90 to 90 degrees"),
        (
            "{\"type\":\"Point\",\"coordinates\":[0,0]}\n{\"type\":\"Point\",\"coordinates\":[400,0]}",
            "line 2, feature 1: 400 is no longitude from -360 to 360 degrees",
        ),
    ] {
        let told_by = refused(&[&["detect", "-"], &within[..]].concat(), text);
        assert_eq!(told_by, format!("error: standard input: {told}"));
    }
    // It is left out like all refused rows.
    let args = ["detect", &path, "--metres", "--within", "5", "--skip-invalid", "--id", "name"];
    let output = run(&args);
    assert!(output.status.success());
    assert!(stderr(&output).starts_with("left out: \"B\": "), "{}", stderr(&output));
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    // In columns, the row is named.
    for (name, values) in [("x", [0.0, 400.0]), ("y", [1.0, 2.0])] {
        fs::write(folder.path(&format!("{name}.npy")), doubles(&values)).unwrap();
    }
    let columns = path.strip_suffix("/ports.csv").unwrap();
    let told = refused(&[&["detect", columns], &within[..]].concat(), "");
    assert!(
        told.ends_with("degrees: x.npy, row 1: 400 is no longitude from -360 to 360 degrees"),
        "{told}"
    );
    // Queries.
    for (text, told) in [
        (
            "query,x,y\nnearest,0,91\n",
            "line 2, column \"y\": 91 is no latitude from -90 to 90 degrees",
        ),
        (
            "query,lon,lat\nnearest,0,0\nnearest,-361,0\n",
            "line 3, column \"lon\": -361 is no longitude from -360 to 360 degrees",
        ),
        (
            "query,x,y,dx,dy\nray,0,0,1,0\n",
            "line 2, column \"query\": --metres is for queries of the kinds point, circle and nearest",
        ),
        (
            "query,min_x,min_y,max_x,max_y\nregion,0,0,1,1\n",
            "line 2, column \"query\": --metres is for queries of the kinds point, circle and nearest",
        ),
    ] {
        let args = ["query", "tests/data/us-airports.csv", "--queries", "-", "--metres"];
        assert_eq!(refused(&args, text), format!("error: standard input: {told}"));
    }
    let told = refused(&["query", &path, "--queries", "-", "--metres"], "query,x,y\nnearest,0,0\n");
    assert!(told.ends_with(expected), "{told}");
}
