//! Compares a run with a saved one.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};
use statrs::stats_tests::{
    Alternative,
    mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu},
};

use super::run::{FORMAT, Row, Run};

/// The probability below which two lists of samples are taken to differ, if one row is compared:
/// that of criterion. Of many rows, it is divided by their number (Bonferroni), because of 48
/// rows that are alike, two or three would differ.
const SIGNIFICANCE: f64 = 0.05;

/// The change of a time, as a fraction, up to which nothing has changed. The times of two runs of
/// one build differ by a few percent: memory lies elsewhere, and the machine is warmer.
const THRESHOLD: f64 = 0.05;

/// Whether a time has changed beyond noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum Verdict {
    Improved,
    Regressed,
    NoChange,
}

impl Verdict {
    /// The word for it.
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Verdict::Improved => "improved",
            Verdict::Regressed => "regressed",
            Verdict::NoChange => "no change",
        }
    }
}

/// A row beside that of the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::bench) struct Change {
    /// The median, by that of the baseline.
    pub(in crate::bench) ratio: f64,
    pub(in crate::bench) verdict: Verdict,
}

impl Change {
    /// The change in percent, with its sign.
    pub(in crate::bench) fn percent(&self) -> String {
        format!("{:+.1} %", (self.ratio - 1.0) * 100.0)
    }
}

/// Reads a saved run.
pub(in crate::bench) fn read(path: &Path) -> Result<Run> {
    let told = || {
        let path = path.display();
        format!("--baseline {path}: not a saved run; write one by `widephase bench --save FILE`")
    };
    let text = fs::read_to_string(path).with_context(told)?;
    let run: Run = serde_json::from_str(&text).with_context(told)?;
    check(&run).with_context(told)?;
    Ok(run)
}

fn check(run: &Run) -> Result<()> {
    let format = run.widephase_bench;
    ensure!(format == FORMAT, "it has format {format}, and this version reads format {FORMAT}");
    for (number, row) in run.rows.iter().enumerate() {
        let good = row.samples.iter().all(|sample| sample.is_finite() && *sample > 0.0);
        ensure!(good && !row.samples.is_empty(), "row {number} has no samples above 0");
    }
    Ok(())
}

/// How a row, of so many, compares with the one of the baseline that measures the same. `None` if
/// there is none.
pub(in crate::bench) fn change(row: &Row, rows: usize, baseline: &Run) -> Option<Change> {
    let old = baseline.rows.iter().find(|old| old.is_same(row))?;
    Some(compare(old, row, SIGNIFICANCE / rows as f64))
}

/// A time has changed if all of these hold:
///
/// - The Mann-Whitney test finds that the samples differ.
/// - The median has changed by more than 5 %.
/// - So has the least sample, in the same direction: other work on the machine makes samples
///   slower, and rarely all of them.
/// - Each median is outside the quartiles of the other run.
/// - The medians of all passes of one run are beyond all medians of the other one: a machine is
///   slower for as long as a pass takes, and samples of one pass are alike.
fn compare(old: &Row, new: &Row, significance: f64) -> Change {
    let (was, is) = (old.spread(), new.spread());
    let ratio = is.median / was.median;
    let least = |row: &Row| row.samples.iter().copied().fold(f64::INFINITY, f64::min);
    let least_ratio = least(new) / least(old);
    let tested = mannwhitneyu(
        &old.samples,
        &new.samples,
        MannWhitneyUMethod::AsymptoticInclContinuityCorrection,
        Alternative::TwoSided,
    );
    let differ = tested.is_ok_and(|(_, probability)| probability < significance);
    let [old_passes, new_passes] = [old, new].map(Row::pass_medians);
    let beyond = |lower: &[f64], upper: &[f64]| {
        let highest = lower.iter().copied().fold(0.0, f64::max);
        upper.iter().all(|median| *median > highest)
    };
    let slower = is.first_quartile > was.median
        && is.median > was.third_quartile
        && beyond(&old_passes, &new_passes);
    let faster = is.third_quartile < was.median
        && is.median < was.first_quartile
        && beyond(&new_passes, &old_passes);
    let verdict = if differ && slower && ratio.min(least_ratio) > 1.0 + THRESHOLD {
        Verdict::Regressed
    } else if differ && faster && ratio.max(least_ratio) < 1.0 - THRESHOLD {
        Verdict::Improved
    } else {
        Verdict::NoChange
    };
    Change { ratio, verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bench::measure::PhaseTimes, values::Call};

    /// Two runs of one build.
    const RECORDED: [&str; 2] = [
        include_str!("../../../tests/data/bench-first.json"),
        include_str!("../../../tests/data/bench-second.json"),
    ];

    fn recorded() -> [Run; 2] {
        RECORDED.map(|text| serde_json::from_str(text).expect("a saved run"))
    }

    /// The words for the rows of `new`, in order, each once.
    fn words(old: &Run, new: &Run) -> Vec<&'static str> {
        let changes =
            new.rows.iter().map(|row| change(row, new.rows.len(), old).expect("the same rows"));
        let mut words: Vec<&str> = changes.map(|change| change.verdict.name()).collect();
        words.dedup();
        words
    }

    fn scaled(run: &Run, factor: f64) -> Run {
        let mut run = run.clone();
        for row in &mut run.rows {
            for sample in &mut row.samples {
                *sample *= factor;
            }
        }
        run
    }

    fn row(samples: &[f64]) -> Row {
        let (scene, level, samples) = ("s1".to_owned(), "scalar".to_owned(), samples.to_vec());
        let phases = PhaseTimes::default();
        let (what, passes) = (Call::Pairs, Vec::new());
        Row {
            what,
            scene,
            n: 100,
            level,
            threads: 1,
            samples,
            passes,
            disturbed: 0,
            found: 0.0,
            phases,
        }
    }

    #[test]
    fn the_same_build_has_not_changed() {
        let [first, second] = recorded();
        assert!(first.rows.len() > 5 && check(&first).is_ok() && check(&second).is_ok());
        assert_eq!(words(&first, &second), ["no change"]);
        assert_eq!(words(&second, &first), ["no change"]);
        assert_eq!(words(&first, &first), ["no change"]);
    }

    #[test]
    fn a_fifth_more_or_less_is_a_change() {
        let [first, second] = recorded();
        let is_steady = |row: &Row| {
            let medians = row.pass_medians();
            let most = medians.iter().copied().fold(0.0, f64::max);
            medians.iter().all(|median| most < median * 1.1)
        };
        // Where the machine was slower for a pass of a run, no change is certain.
        let certain = |old: &Run, new: &Run, expected: Verdict| {
            let mut told = 0;
            for row in &new.rows {
                let verdict = change(row, new.rows.len(), old).expect("the same rows").verdict;
                let base = old.rows.iter().find(|base| base.is_same(row)).expect("the same rows");
                let steady = is_steady(row) && is_steady(base);
                assert!(verdict == expected || verdict == Verdict::NoChange && !steady, "{row:?}");
                told += usize::from(verdict == expected);
            }
            assert!(told * 4 > new.rows.len(), "{told}");
        };
        certain(&first, &scaled(&second, 1.2), Verdict::Regressed);
        certain(&scaled(&first, 1.2), &second, Verdict::Improved);
    }

    #[test]
    fn little_or_noisy_changes_are_none() {
        let steady = row(&[10.0, 10.1, 9.9, 10.05, 9.95, 10.02, 9.98, 10.0]);
        let times = |factor: f64| {
            row(&steady.samples.iter().map(|sample| sample * factor).collect::<Vec<f64>>())
        };
        let verdict = |old: &Row, new: &Row| compare(old, new, SIGNIFICANCE).verdict;
        assert_eq!(verdict(&steady, &times(1.04)), Verdict::NoChange);
        assert_eq!(verdict(&steady, &times(0.96)), Verdict::NoChange);
        assert_eq!(verdict(&steady, &times(1.06)), Verdict::Regressed);
        assert_eq!(verdict(&steady, &times(0.94)), Verdict::Improved);
        // The median is 15 % above, and half of the samples are as before.
        let noisy = row(&[10.0, 9.9, 10.1, 10.0, 13.0, 13.1, 12.9, 13.0]);
        assert_eq!(verdict(&steady, &noisy), Verdict::NoChange);
        // All but one are 70 % above: the machine was busy.
        let busy = row(&[10.0, 17.0, 17.1, 16.9, 17.0, 17.1, 16.9, 17.0]);
        assert_eq!(verdict(&steady, &busy), Verdict::NoChange);
        assert_eq!(verdict(&busy, &steady), Verdict::NoChange);
        // Too few samples to tell, whatever they are.
        assert_eq!(verdict(&row(&[1.0; 2]), &row(&[9.0; 2])), Verdict::NoChange);
        assert_eq!(verdict(&steady, &steady), Verdict::NoChange);
        assert_eq!(compare(&steady, &times(1.06), SIGNIFICANCE).percent(), "+6.0 %");
    }

    #[test]
    fn a_pass_as_slow_as_the_other_run_is_no_change() {
        let passes = |samples: [&[f64]; 3]| Row {
            passes: samples.iter().map(|pass| pass.len()).collect(),
            ..row(&samples.concat())
        };
        let slow = passes([[11.0; 4]; 3].each_ref().map(|pass| &pass[..]));
        let fast = passes([[10.0; 5]; 3].each_ref().map(|pass| &pass[..]));
        let verdict = |old: &Row, new: &Row| compare(old, new, SIGNIFICANCE).verdict;
        assert_eq!(verdict(&fast, &slow), Verdict::Regressed);
        assert_eq!(verdict(&slow, &fast), Verdict::Improved);
        // Two samples of 12 are slower, and they are a pass.
        let disturbed = passes([&[10.0; 5], &[10.0; 5], &[11.5; 2]]);
        assert_eq!(verdict(&disturbed, &slow), Verdict::NoChange);
        assert_eq!(verdict(&slow, &disturbed), Verdict::NoChange);
    }

    #[test]
    fn rows_that_are_far_apart_or_mostly_disturbed_are_noisy() {
        let steady = row(&[10.0; 5]);
        assert!(!steady.is_noisy() && !Row { disturbed: 2, ..steady.clone() }.is_noisy());
        assert!(Row { disturbed: 3, ..steady }.is_noisy());
        assert!(row(&[10.0, 10.0, 13.0, 13.0]).is_noisy());
    }

    #[test]
    fn bad_samples_are_refused() {
        let [mut run, _] = recorded();
        for bad in [vec![], vec![0.0], vec![1.0, -1.0]] {
            run.rows[0].samples = bad;
            assert!(check(&run).is_err());
        }
    }
}
