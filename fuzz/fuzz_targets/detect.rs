//! Arbitrary bytes become shapes. Bad shapes must be reported. Good shapes must give the same pairs
//! at every SIMD level, in the same order, and the pairs of brute force.
#![no_main]

use libfuzzer_sys::fuzz_target;
use widephase::{
    Detector, Options, Pair, Shapes, SimdLevel, Touching, reference, shape::RoundedBox,
};

fuzz_target!(|data: &[u8]| {
    let records: &[[u8; 20]] = data.as_chunks().0;
    let boxes: Vec<RoundedBox> =
        records.iter().take(300).map(|bytes| bytemuck::pod_read_unaligned(bytes)).collect();
    let mut shapes = Shapes::new();
    let rejected = shapes.extend_from_slice_lenient(&boxes).expect("few enough shapes");
    let bad = |index: u32| rejected.iter().any(|row| row.index == index as usize);

    for touching in [Touching::Inclusive, Touching::Exclusive] {
        // The good rows with their indices, as input for brute force.
        let rows: Vec<u32> = (0..boxes.len() as u32).filter(|&row| !bad(row)).collect();
        let good: Vec<RoundedBox> = rows.iter().map(|&row| boxes[row as usize]).collect();
        let expected: Vec<Pair> = reference::brute_force::pairs(&good, touching)
            .into_iter()
            .map(|pair| Pair { a: rows[pair.a as usize], b: rows[pair.b as usize] })
            .collect();
        let mut first: Option<Vec<Pair>> = None;
        for &level in SimdLevel::available() {
            let options = Options { simd_level: Some(level), touching, ..Options::default() };
            let mut detector = Detector::with_options(options).expect("available");
            let mut pairs = Vec::new();
            detector.pairs(&shapes, &mut pairs).expect("checked shapes");
            let ordered = first.get_or_insert_with(|| pairs.clone());
            assert_eq!(*ordered, pairs, "{level} differs");
            pairs.sort();
            assert_eq!(pairs, expected, "{level} differs from brute force");
        }
    }
});
