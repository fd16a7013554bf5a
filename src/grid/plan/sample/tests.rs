//! Samples of scenes with a known area per item.

use super::*;
use crate::kernel::CircleColumns;

/// A sample of circles of one size at these places, in a square of this side from the origin on.
fn sample(places: &[[f32; 2]], size: f32, side: f64) -> Sample {
    sample_of_sizes(places, &vec![size; places.len()], side)
}

/// A sample of circles of these sizes.
fn sample_of_sizes(places: &[[f32; 2]], sizes: &[f32], side: f64) -> Sample {
    let [x, y] = [0, 1].map(|axis| places.iter().map(|place| place[axis]).collect::<Vec<f32>>());
    let radius: Vec<f32> = sizes.iter().map(|size| size / 2.0).collect();
    let mut sample = Sample::default();
    let set = CircleColumns { x: &x, y: &y, radius: &radius };
    sample.take(set, places.len(), [0.0; 2], [side; 2]);
    sample
}

/// This many points in a square of side 1 that look random: multiples of two irrational numbers.
fn scattered(count: usize) -> Vec<[f32; 2]> {
    let place = |row| [0.754_877_666, 0.569_840_29].map(|step: f64| (step * row as f64).fract());
    (0..count).map(|row| place(row).map(|at| at as f32)).collect()
}

fn is_even(places: &[[f32; 2]], side: f64) -> bool {
    sample(places, 0.0, side).even()
}

#[test]
fn rows_are_different_ones() {
    // Counts so large that multiples of the golden ratio fall on different rows.
    for count in [300, 1000, 8192, 12_345, 100_000, 131_072, 1_000_003, 50_000_000, 4_000_000_000] {
        let wanted = EVEN_SAMPLE.of(count);
        let mut rows: Vec<usize> = (0..wanted as u64).map(|i| golden_row(i, count)).collect();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), wanted, "of {count}");
        assert!(rows[0] == 0 && rows[wanted - 1] < count && rows[wanted - 1] > count * 98 / 100);
    }
}

#[test]
fn small_scenes_are_looked_at_whole() {
    for count in 1..=130 {
        let sample = sample(&scattered(count), 3.0, 1.0);
        let most = if sample.even() { EVEN_SAMPLE } else { UNEVEN_SAMPLE }.least;
        assert_eq!(sample.sums.len(), count.min(most));
        assert_eq!(sample.weight, count as f64 / sample.sums.len() as f64);
        assert_eq!((sample.quantile(0.0), sample.quantile(1.0)), (3.0, 3.0));
        assert_eq!([sample.sized(-1.0, 3.0), sample.sized(3.0, 9.0)], [count as f64, 0.0]);
    }
}

#[test]
fn sizes_are_counted_from_above_a_limit_up_to_another() {
    let zero = [0.0; 8];
    let radius = [4.0, 0.0, 0.5, 1.0, 1.0, 2.0, 0.0, 8.0];
    let mut sample = Sample::default();
    sample.take(CircleColumns { x: &zero, y: &zero, radius: &radius }, 8, [0.0; 2], [1.0; 2]);
    let count = |above, upto| sample.sized(above, upto);
    assert_eq!(
        [count(-1.0, 0.0), count(0.0, 1.0), count(1.0, 4.0), count(4.0, 16.0)],
        [2.0, 1.0, 3.0, 2.0]
    );
    assert_eq!(
        [sample.quantile(0.3), sample.quantile(0.5), sample.quantile(1.0)],
        [1.0, 2.0, 16.0]
    );
    let largest = [0.0, 0.5, 1.0, 3.9, 4.0, 15.0, 16.0, 99.0].map(|upto| sample.largest_upto(upto));
    assert_eq!(largest, [0.0, 0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 16.0]);
    sample.take(CircleColumns { x: &[0.0], y: &[0.0], radius: &[4.0] }, 1, [0.0; 2], [1.0; 2]);
    assert_eq!([7.9, 8.0].map(|upto| sample.largest_upto(upto)), [0.0, 8.0]);
}

#[test]
fn even_is_what_fills_its_box() {
    assert!(is_even(&scattered(50), 1.0));
    for count in [300, 5000, 200_000] {
        assert!(is_even(&scattered(count), 1.0), "{count}");
        // Evenly spread in a quarter of the box, and in two corners of it.
        let quarter: Vec<[f32; 2]> =
            scattered(count).iter().map(|p| p.map(|at| at / 2.0)).collect();
        assert!(!is_even(&quarter, 1.0), "{count}");
        let corners = scattered(count).into_iter().enumerate();
        let corners: Vec<[f32; 2]> =
            corners.map(|(row, p)| p.map(|at| at / 10.0 + (row % 2) as f32 * 0.9)).collect();
        assert!(!is_even(&corners, 1.0), "{count}");
    }
    assert!(is_even(&[[0.5; 2]], 1.0));
    assert!(!is_even(&[[0.5; 2]; 2], 1.0));
    assert!(!is_even(&[[0.5; 2]; 1000], 1.0));
}

/// Items in a cell.
const BODIES: f64 = 1.6;

/// The area per item is measured to within a factor of 1.5, whatever else the scene contains.
#[test]
fn room_is_what_the_items_have() {
    let about = |places: &[[f32; 2]], side: f64, expected: f64| {
        let ratio = sample(places, 0.0, side).area(BODIES) / expected;
        assert!((0.66..1.5).contains(&ratio), "{} items: {ratio}", places.len());
    };
    for count in [300, 2000, 20_000, 300_000] {
        about(&scattered(count), 1.0, 1.0 / count as f64);
    }
    // 16 squares far apart, and one item very far away. (With fewer items, the sample is so small
    // that most of its parts have items of two squares.)
    for count in [20_000, 300_000] {
        let mut clusters = scattered(count);
        for (row, place) in clusters.iter_mut().enumerate() {
            *place = place.map(|at| at + (row % 16) as f32 * 1024.0);
        }
        about(&clusters, 16_384.0, 16.0 / count as f64);
        clusters[count / 2] = [1e18, -1e18];
        about(&clusters, 16_384.0, 16.0 / count as f64);
    }
}

/// Every second item is small and lies in a square of side 1. The other items are large and lie in
/// a square of side 1000 elsewhere.
#[test]
fn area_of_sizes_is_what_they_have_among_themselves() {
    for count in [6000, 20_000, 300_000] {
        let large = |row: usize| row % 2 == 1;
        let places = scattered(count).into_iter().enumerate();
        let places: Vec<[f32; 2]> = places
            .map(|(row, p)| if large(row) { p.map(|at| at * 1000.0 + 5000.0) } else { p })
            .collect();
        let sizes: Vec<f32> = (0..count).map(|row| if large(row) { 9.0 } else { 1.0 }).collect();
        let mut sample = sample_of_sizes(&places, &sizes, 6000.0);
        let each = 2.0 / count as f64;
        for (above, upto, expected) in [(-1.0, 1.0, each), (1.0, 9.0, each * 1e6)] {
            let ratio = sample.area_of_sizes(above, upto, BODIES).unwrap() / expected;
            assert!((0.66..1.5).contains(&ratio), "{count} items, up to {upto}: {ratio}");
        }
        // Half of the items are small. By the area per item of all items, each small item would
        // seem to have four times the area that it has.
        let ratio = 2.0 * sample.area(BODIES) / each;
        assert!((2.6..6.0).contains(&ratio), "{count} items: {ratio}");
        for (above, upto) in [(-1.0, 0.9), (1.0, 8.9), (9.0, 99.0), (-1.0, 9.0)] {
            assert_eq!(sample.area_of_sizes(above, upto, BODIES), None, "{count} items");
        }
    }
}

/// Of 10,240 items in two corners, 320 are used. 64 items of one size are enough to tell, and 240
/// items are three quarters.
#[test]
fn area_of_sizes_takes_some_but_not_nearly_all() {
    let places = scattered(10_240).into_iter().enumerate();
    let places: Vec<[f32; 2]> =
        places.map(|(row, p)| p.map(|at| at / 10.0 + (row % 2) as f32 * 0.9)).collect();
    for (small, some) in [(0, false), (63, false), (64, true), (239, true), (240, false)] {
        let mut sizes = vec![9.0; places.len()];
        for index in 0..small {
            sizes[golden_row(index, places.len())] = 1.0;
        }
        let mut sample = sample_of_sizes(&places, &sizes, 1.0);
        assert!(!sample.even());
        assert_eq!(sample.area_of_sizes(0.0, 1.0, BODIES).is_some(), some, "{small} small ones");
    }
}

#[test]
fn room_is_some_wherever_the_items_are() {
    for count in [1, 2, 3, 7, 8, 9, 17, 64, 129, 1000] {
        for place in [[0.0; 2], [1e18, -1e18]] {
            let area = sample(&vec![place; count], 1.0, 1.0).area(BODIES);
            assert!(area > 0.0 && area < 1e-90, "{count} at {place:?}: {area}");
        }
        let line: Vec<[f32; 2]> = (0..count).map(|row| [row as f32, 0.0]).collect();
        let area = sample(&line, 1.0, 1.0).area(BODIES);
        assert!(area > 0.0 && area < 1e-90, "{count} on a line: {area}");
    }
}

#[test]
fn integers_in_the_order_of_values() {
    let values = [f32::MIN, -1e18, -2.0, -1.0, -1e-45, -0.0, 0.0, 1e-45, 1.0, 2.0, 1e18, f32::MAX];
    assert!(values.map(ordered).is_sorted_by(|a, b| a < b));
    for of in values {
        assert_eq!(value(ordered(of)).to_bits(), of.to_bits());
    }
}

/// The order of a stable sort, for any number of values, many of which are equal.
#[test]
fn few_are_sorted() {
    for count in 0..=MAX_VALUES_BY_RANK {
        for axis in [0, 1] {
            let sums: Vec<[i32; 2]> = (0..count as i32)
                .map(|row| [row * 7 % 11 - 5, if row % 5 == 0 { i32::MAX } else { -row % 3 }])
                .collect();
            let (mut sorted, mut expected) = (sums.clone(), sums);
            sort_few(&mut sorted, axis);
            expected.sort_by_key(|sum| sum[axis]);
            assert_eq!(sorted, expected);
        }
    }
}

/// Along a curve, a square with 1.6 items is 1.6 times as wide as the distance of items along
/// each axis.
#[test]
fn room_along_a_curve_is_that_of_a_cell() {
    for count in [500_u32, 5000, 200_000] {
        let scattered = scattered(count as usize);
        let diagonal: Vec<_> = scattered.iter().map(|[at, _]| [at * count as f32; 2]).collect();
        let ratio = sample(&diagonal, 0.0, count as f64).area(BODIES) / BODIES;
        assert!((0.5..2.0).contains(&ratio), "{count}: {ratio}");
    }
}
