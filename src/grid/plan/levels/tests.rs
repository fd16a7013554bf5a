//! Levels for sizes chosen by hand.

use super::*;
use crate::kernel::CircleColumns;

/// The levels of circles, given as sizes with the number of circles of each. `side` is the side of
/// a square with as many items as a cell should have.
fn uppers(levels: &GridLevels, sizes: &[(f32, usize)], side: f64) -> Vec<f32> {
    let radius: Vec<f32> =
        sizes.iter().flat_map(|&(size, count)| vec![size / 2.0; count]).collect();
    let zero = vec![0.0; radius.len()];
    let mut sample = Sample::default();
    let set = CircleColumns { x: &zero, y: &zero, radius: &radius };
    sample.take(set, radius.len(), [0.0; 2], [1.0; 2]);
    let largest = sizes.iter().map(|&(size, _)| size).fold(0.0, f32::max);
    levels.uppers(&sample, largest, side).as_slice().to_vec()
}

#[test]
fn sizes_that_are_about_the_same_share_a_level() {
    for side in [1e-9, 1.0, 1.5, 1e9] {
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 100)], side), [1.0]);
        assert_eq!(uppers(&GridLevels::Auto, &[(0.0, 100)], side), [0.0]);
    }
    // The finest level goes up to twice the smallest size. Sizes up to twice that get no level of
    // their own.
    assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (4.0, 50)], 1.0), [4.0]);
    assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (2.0, 1), (4.5, 50)], 1.0), [2.0, 4.5]);
}

#[test]
fn levels_are_a_factor_of_four_apart() {
    // A few items have the size of a limit between levels.
    let sizes = [(1.0, 25), (2.0, 1), (4.0, 25), (8.0, 1), (16.0, 25), (64.0, 25)];
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 1.0), [2.0, 8.0, 64.0]);
    let sizes = [(1.0, 25), (3.0, 1), (4.0, 25), (12.0, 1), (16.0, 25), (20.0, 1), (64.0, 25)];
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 3.0), [3.0, 12.0, 64.0]);
    // No level is made for cells with fewer items than a cell should have.
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 20.0), [20.0, 64.0]);
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 32.0), [64.0]);
}

/// A level ends at the largest size in the sample if that is more than a fifth below the limit of
/// the level. Sizes in between go to the next level.
#[test]
fn a_level_goes_up_to_the_largest_that_was_seen() {
    let sizes = [(1.0, 25), (4.0, 25), (16.0, 25), (64.0, 25)];
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 1.0), [1.0, 4.0, 64.0]);
    assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (4.5, 50)], 1.0), [1.0, 4.5]);
    for (size, upto) in [(1.5, 1.5), (1.59, 1.59), (1.6, 2.0), (1.7, 2.0), (2.0, 2.0), (2.1, 1.0)] {
        assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 50), (size, 1), (9.0, 50)], 1.0)[0], upto);
    }
}

#[test]
fn sizes_that_do_not_occur_have_no_level() {
    assert_eq!(uppers(&GridLevels::Auto, &[(1.0, 99), (1024.0, 1)], 1.0), [1.0, 1024.0]);
    assert_eq!(
        uppers(&GridLevels::Auto, &[(1.0, 90), (100.0, 9), (9e3, 1)], 1.0),
        [1.0, 100.0, 9e3]
    );
    assert_eq!(uppers(&GridLevels::Auto, &[(0.0, 99), (1.0, 1)], 0.125), [0.0, 1.0]);
    // The finest level goes at least up to 2^-60.
    let finest = 1.0 / MAX_COORDINATE;
    let sizes = [(0.0, 99), (finest, 1), (2.0 * finest, 1), (1.0, 1)];
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 1e-99)[0], finest);
}

/// One item of each power of two from 2^-60 to 2^60. A twentieth of them are at most 2^-54, so the
/// finest level goes up to 2^-53. Factors of 4, 16 and 64 make more than 16 levels of the other
/// circles.
#[test]
fn no_more_levels_than_there_may_be() {
    let sizes: Vec<(f32, usize)> = (-60..=60).map(|k| (2.0_f32.powi(k), 1)).collect();
    let mut expected: Vec<f32> = (0..14).map(|level| 2.0_f32.powi(8 * level - 53)).collect();
    expected.push(MAX_COORDINATE);
    assert_eq!(uppers(&GridLevels::Auto, &sizes, 1e-99), expected);
}

#[test]
fn levels_of_the_callers_choice_end_with_the_largest_item() {
    let upto = GridLevels::upto(&[1.0, 2.0, 4.0]).unwrap();
    for (largest, expected) in [
        (0.0, &[0.0][..]),
        (0.5, &[0.5]),
        (1.0, &[1.0]),
        (2.0, &[1.0, 2.0]),
        (2.5, &[1.0, 2.0, 2.5]),
        (9.0, &[1.0, 2.0, 4.0, 9.0]),
    ] {
        assert_eq!(uppers(&upto, &[(largest, 9)], 1.0), expected);
        assert_eq!(uppers(&GridLevels::One, &[(largest, 9)], 1.0), [largest]);
    }
}

#[test]
fn invalid_levels_are_refused() {
    let check = |sizes: &[f32]| GridLevels::upto(sizes).map(|_| ());
    let ascending: Vec<f32> = (1..=16).map(|size| size as f32).collect();
    assert_eq!(check(&[]), Ok(()));
    assert_eq!(check(&ascending[..15]), Ok(()));
    assert_eq!(check(&ascending), Err(Error::TooManyLevels { len: 17 }));
    assert_eq!(check(&[f32::MIN_POSITIVE, MAX_COORDINATE]), Ok(()));
    for (index, bad) in [(0, [0.0, 1.0]), (0, [-1.0, 1.0]), (1, [1.0, 1.0]), (1, [2.0, 1.0])] {
        let value = bad[index];
        assert_eq!(check(&bad), Err(Error::InvalidLevel { index, value }));
    }
    let beyond = MAX_COORDINATE * 1.5;
    assert_eq!(check(&[1.0, beyond]), Err(Error::InvalidLevel { index: 1, value: beyond }));
    assert!(matches!(check(&[f32::NAN]), Err(Error::InvalidLevel { index: 0, .. })));
    assert!(matches!(check(&[f32::INFINITY]), Err(Error::InvalidLevel { index: 0, .. })));
}
