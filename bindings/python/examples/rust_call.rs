//! The same calls from Rust, for `bench.py`: reads positions and a radius, prints nanoseconds a
//! row.
//!
//! `rust_call single|double FILE RADIUS ROUNDS`: the file has `x, y` of each row.

use std::{env, error::Error, fs, hint::black_box, time::Instant};

use widephase::{
    Columns, Detector, Options, Pair, Threads,
    doubles::{DoubleColumns, DoubleDetector},
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, kind, file, radius, rounds] = &arguments[..] else {
        return Err("usage: rust_call single|double FILE RADIUS ROUNDS".into());
    };
    let (bytes, radius, rounds) = (fs::read(file)?, radius.parse::<f64>()?, rounds.parse()?);
    let options = Options { threads: Threads::Calling, ..Options::default() };
    let mut pairs: Vec<Pair> = Vec::new();
    let mut times = Vec::new();
    let rows = if kind == "single" {
        let (values, mut detector) = (singles(&bytes), Detector::with_options(options)?);
        for _ in 0..rounds {
            let start = Instant::now();
            detector.pairs(Columns::circles_at(&values, radius as f32)?, &mut pairs)?;
            times.push(start.elapsed());
        }
        values.len()
    } else {
        let (values, mut detector) = (doubles(&bytes), DoubleDetector::with_options(options)?);
        for _ in 0..rounds {
            let start = Instant::now();
            detector.pairs(DoubleColumns::circles_at(&values, radius)?, &mut pairs)?;
            times.push(start.elapsed());
        }
        values.len()
    };
    times.sort();
    let median: f64 = times[times.len() / 2].as_secs_f64();
    println!("{} {}", black_box(&pairs).len(), 1e9 * median / rows as f64);
    Ok(())
}

fn singles(bytes: &[u8]) -> Vec<[f32; 2]> {
    let (rows, _) = bytes.as_chunks::<8>();
    let number = |part: &[u8]| f32::from_le_bytes([part[0], part[1], part[2], part[3]]);
    rows.iter().map(|row| [number(&row[..4]), number(&row[4..])]).collect()
}

fn doubles(bytes: &[u8]) -> Vec<[f64; 2]> {
    let (rows, _) = bytes.as_chunks::<16>();
    let number = |part: &[u8]| f64::from_le_bytes(std::array::from_fn(|place| part[place]));
    rows.iter().map(|row| [number(&row[..8]), number(&row[8..])]).collect()
}
