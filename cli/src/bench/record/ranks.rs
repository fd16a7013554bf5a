//! How probable it is that the samples of two runs differ by chance.
//!
//! The Mann-Whitney test: samples are replaced by their ranks among the samples of both runs, and
//! the sum of the ranks of one run is compared with the sums of all choices of as many ranks. Up to
//! [`EXACT`] samples these choices are counted; of more, their sums are a normal distribution.

use libm::erfc;

/// The most samples of both runs together whose choices are counted.
const EXACT: usize = 32;

/// The probability that the ranks of one of two lists of samples differ as much as these ranks from
/// the ranks of the other list, in either direction, if both lists come from the same distribution.
pub(super) fn probability(old: &[f64], new: &[f64]) -> f64 {
    let (ranks, ties) = double_ranks(old, new);
    let sum: usize = ranks[old.len()..].iter().sum();
    if ranks.len() <= EXACT {
        counted(&ranks, new.len(), sum)
    } else {
        normal(&ranks, new.len(), sum, ties)
    }
}

/// The least probability that lists of this many samples may have: the probability of two lists
/// where all samples of one are below all samples of the other.
pub(super) fn least_probability(old: usize, new: usize) -> f64 {
    let list = |numbers: std::ops::Range<usize>| numbers.map(|number| number as f64);
    let [old, new] = [list(0..old), list(old..old + new)].map(Iterator::collect::<Vec<f64>>);
    probability(&old, &new)
}

/// Twice the rank of each sample, counted from one, the mean rank of equal samples; and the sum of
/// t^3 - t of all numbers t of equal samples.
fn double_ranks(old: &[f64], new: &[f64]) -> (Vec<usize>, f64) {
    let samples: Vec<f64> = old.iter().chain(new).copied().collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by(|a, b| samples[*a].total_cmp(&samples[*b]));
    let (mut ranks, mut first, mut ties) = (vec![0; samples.len()], 0, 0.0);
    for equal in order.chunk_by(|a, b| samples[*a] == samples[*b]) {
        let count = equal.len();
        for &place in equal {
            ranks[place] = 2 * first + count + 1;
        }
        first += count;
        ties += (count * count * count - count) as f64;
    }
    (ranks, ties)
}

/// The share of all choices of `chosen` of the ranks whose sum is as far from the mean as `sum`.
fn counted(ranks: &[usize], chosen: usize, sum: usize) -> f64 {
    let total: usize = ranks.iter().sum();
    // The number of choices of each number of ranks that have each sum.
    let mut choices = vec![vec![0.0; total + 1]; chosen + 1];
    choices[0][0] = 1.0;
    for (seen, &rank) in ranks.iter().enumerate() {
        for count in (1..=chosen.min(seen + 1)).rev() {
            let [fewer, more] = &mut choices[count - 1..=count] else { continue };
            for (from, to) in fewer.iter().zip(&mut more[rank..]) {
                *to += *from;
            }
        }
    }
    // The mean sum is chosen * total / ranks.len(): no division.
    let far = |sum: usize| (sum * ranks.len()).abs_diff(chosen * total);
    let (own, counts) = (far(sum), &choices[chosen]);
    let as_far = counts.iter().enumerate().filter(|(sum, _)| far(*sum) >= own);
    as_far.map(|(_, count)| count).sum::<f64>() / counts.iter().sum::<f64>()
}

/// The probability for many ranks, with a correction for continuity.
fn normal(ranks: &[usize], chosen: usize, sum: usize, ties: f64) -> f64 {
    let (all, chosen) = (ranks.len() as f64, chosen as f64);
    let mean = chosen * (all + 1.0) / 2.0;
    let variance = chosen * (all - chosen) / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let far = (sum as f64 / 2.0 - mean).abs() - 0.5;
    if far <= 0.0 || variance <= 0.0 { 1.0 } else { erfc(far / (2.0 * variance).sqrt()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of scipy's `mannwhitneyu`, and choices that are counted by hand.
    #[test]
    fn known_probabilities() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        let male = [19.0, 22.0, 16.0, 29.0, 24.0];
        near(probability(&male, &[20.0, 11.0, 17.0, 12.0]), 1.0 / 9.0);
        // Two of the 6 choices of 2 of 4 ranks are as far apart as these.
        near(probability(&[1.0, 2.0], &[3.0, 4.0]), 2.0 / 6.0);
        // Ranks 1, 2.5, 2.5, 4: the sums 3.5, 3.5, 5, 5, 6.5, 6.5.
        near(probability(&[1.0, 2.0], &[2.0, 3.0]), 4.0 / 6.0);
        assert_eq!(probability(&[5.0; 3], &[5.0; 4]), 1.0);
        assert_eq!(probability(&[5.0; 30], &[5.0; 40]), 1.0);
        near(least_probability(6, 6), 2.0 / 924.0);
        near(least_probability(9, 9), 2.0 / 48620.0);
    }

    /// Where both ways can be taken, they agree.
    #[test]
    fn the_normal_distribution_is_close() {
        let [old, new] = [0, 1].map(|run| {
            let sample = |number: usize| ((number * 37 + run * 11) % 101) as f64 + run as f64 * 9.0;
            (0..24).map(sample).collect::<Vec<f64>>()
        });
        let (ranks, ties) = double_ranks(&old, &new);
        let sum = ranks[24..].iter().sum();
        let [exact, close] = [counted(&ranks, 24, sum), normal(&ranks, 24, sum, ties)];
        assert!((exact - close).abs() < 0.01 && exact < 0.9, "{exact} {close}");
        assert!(least_probability(25, 25) < 1e-8);
    }
}
