//! Compares a run with a saved run.

use std::{fs, path::Path};

use anyhow::{Context, Result, ensure};

use super::{
    ranks::{least_probability, probability},
    run::{FORMAT, Row, Run},
};

/// The probability, at most, that a row of two runs of one build is taken to differ: the value of
/// criterion.
const SIGNIFICANCE: f64 = 0.05;

/// The change of a time, as a fraction, up to which nothing has changed. The times of two runs of
/// one build differ by a few percent: memory lies elsewhere, and the machine is warmer.
const THRESHOLD: f64 = 0.05;

/// In each row that is said to have no change, a change of this size would be found.
const FOUND: f64 = 1.1;

/// The passes of two runs are apart by at least the range of the passes of one run, times this,
/// divided by the square of the number of passes of both: half of the range with six passes each.
/// The fewer there are, the more often all of one run are slower by chance.
///
/// In simulations of 96 rows of one build, of a machine that was up to a tenth slower from pass to
/// pass, 19 of 40 runs had a verdict without this factor, and at most one run with it. A planted
/// tenth was found in 99.9 % of the rows of a quiet machine with either.
const PASS_RANGES: f64 = 72.0;

/// At most this many times the samples are advised.
const MOST_TIMES: usize = 100;

/// Whether a time has changed beyond noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::bench) enum Verdict {
    Improved,
    Regressed,
    NoChange,
    /// No samples, however different, would be enough to tell. This many times as many samples
    /// would.
    TooFew {
        times: f64,
    },
    /// A change of a tenth would not be found, because samples differ too much.
    TooNoisy,
}

impl Verdict {
    /// The word for it.
    pub(in crate::bench) fn name(self) -> &'static str {
        match self {
            Verdict::Improved => "improved",
            Verdict::Regressed => "regressed",
            Verdict::NoChange => "no change",
            Verdict::TooFew { .. } => "too few samples",
            Verdict::TooNoisy => "too noisy",
        }
    }

    /// Whether the time has changed.
    pub(in crate::bench) fn has_moved(self) -> bool {
        matches!(self, Verdict::Improved | Verdict::Regressed)
    }
}

/// A row beside the row of the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::bench) struct Change {
    /// The median, by the median of the baseline.
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

/// How each row compares with the row of the baseline that measures the same case; `None` for rows
/// that the baseline lacks.
///
/// The probabilities of all rows are judged together (Holm 1979): the smallest probability must be
/// below [`SIGNIFICANCE`] divided by the number of rows, the next below [`SIGNIFICANCE`] divided by
/// one less, and so on. So it is improbable that any row of two runs of one build differs, and a
/// change of many rows is found in all these rows.
pub(in crate::bench) fn changes(rows: &[Row], baseline: &Run) -> Vec<Option<Change>> {
    let old = |row: &Row| baseline.rows.iter().find(|old| old.is_same(row));
    let beside: Vec<Option<Beside<'_>>> =
        rows.iter().map(|row| Some(Beside::new(old(row)?, row))).collect();
    let probabilities: Vec<f64> =
        beside.iter().flatten().map(|beside| beside.probability).collect();
    let level = level(&probabilities);
    beside.iter().map(|beside| Some(beside.as_ref()?.change(level))).collect()
}

/// The probability below which a row differs: [`SIGNIFICANCE`] divided by the number of rows that
/// do not.
fn level(probabilities: &[f64]) -> f64 {
    let mut sorted = probabilities.to_vec();
    sorted.sort_by(f64::total_cmp);
    let of = |left: usize| SIGNIFICANCE / left.max(1) as f64;
    let found = sorted.iter().enumerate();
    let differ = found.take_while(|(number, value)| **value < of(sorted.len() - number)).count();
    of(sorted.len() - differ)
}

/// Two rows that measure the same case.
struct Beside<'a> {
    old: &'a Row,
    new: &'a Row,
    /// The probability that their samples differ by chance.
    probability: f64,
}

impl<'a> Beside<'a> {
    fn new(old: &'a Row, new: &'a Row) -> Self {
        Self { old, new, probability: probability(&old.samples, &new.samples) }
    }

    /// The change, if rows differ whose probability is below a level.
    fn change(&self, level: f64) -> Change {
        let Self { old, new, .. } = *self;
        let ratio = new.spread().median / old.spread().median;
        let verdict = self.moved(level).unwrap_or_else(|| {
            let lens = [old, new].map(|row| row.samples.len());
            if least_probability(lens[0], lens[1]) >= level {
                let least = lens[0].min(lens[1]).max(1);
                let most = least * MOST_TIMES;
                let enough = (least..most).find(|len| least_probability(*len, *len) < level);
                return Verdict::TooFew { times: enough.unwrap_or(most) as f64 / least as f64 };
            }
            let finds = |factor: f64, verdict: Verdict| {
                let samples = new.samples.iter().map(|sample| sample / ratio * factor).collect();
                Beside::new(old, &Row { samples, ..new.clone() }).moved(level) == Some(verdict)
            };
            let finds_both =
                finds(FOUND, Verdict::Regressed) && finds(1.0 / FOUND, Verdict::Improved);
            if finds_both { Verdict::NoChange } else { Verdict::TooNoisy }
        });
        Change { ratio, verdict }
    }

    /// Whether a time has changed, and how. It has changed if all these conditions hold:
    ///
    /// - The Mann-Whitney test finds that the samples differ.
    /// - The median has changed by more than 5 %.
    /// - The least sample has changed as much, in the same direction: other work on the machine
    ///   makes samples slower, but rarely all samples.
    /// - Each median is outside the quartiles of the other run.
    /// - The medians of all passes of one run are beyond all medians of the other run, by more than
    ///   half of the range of the medians of one run ([`PASS_RANGES`]): a machine is slower for as
    ///   long as a pass takes, and samples of one pass are alike.
    fn moved(&self, level: f64) -> Option<Verdict> {
        let Self { old, new, probability } = *self;
        if probability >= level {
            return None;
        }
        let (was, is) = (old.spread(), new.spread());
        let ratio = is.median / was.median;
        let least = |row: &Row| row.samples.iter().copied().fold(f64::INFINITY, f64::min);
        let least_ratio = least(new) / least(old);
        let passes = [old, new].map(Row::pass_medians);
        let ends = passes.each_ref().map(|medians| {
            let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
            [least, medians.iter().copied().fold(0.0, f64::max)]
        });
        let count = passes.iter().map(Vec::len).sum::<usize>() as f64;
        let range = ends.iter().map(|[least, most]| most - least).fold(0.0, f64::max);
        let beyond = |lower: [f64; 2], upper: [f64; 2]| {
            upper[0] - lower[1] > range * PASS_RANGES / (count * count)
        };
        let slower = is.first_quartile > was.median
            && is.median > was.third_quartile
            && beyond(ends[0], ends[1]);
        let faster = is.third_quartile < was.median
            && is.median < was.first_quartile
            && beyond(ends[1], ends[0]);
        if slower && ratio.min(least_ratio) > 1.0 + THRESHOLD {
            Some(Verdict::Regressed)
        } else if faster && ratio.max(least_ratio) < 1.0 - THRESHOLD {
            Some(Verdict::Improved)
        } else {
            None
        }
    }
}

/// What to do about rows with too few samples: `None` if no row has too few samples. `cases` has
/// the number of rows of each case, in the order of `changes`, and the seconds that it has taken.
pub(in crate::bench) fn advice(
    changes: &[Option<Change>],
    cases: impl Iterator<Item = (usize, f64)>,
) -> Option<String> {
    let (mut first, mut few, mut all) = (0, 0, Vec::new());
    let mut needed = 0.0_f64;
    for (rows, seconds) in cases {
        for change in changes[first..first + rows].iter().flatten() {
            if let Verdict::TooFew { times } = change.verdict {
                few += 1;
                needed = needed.max(seconds * times);
            }
        }
        first += rows;
        all.push(seconds);
    }
    // Rounded up to tenths.
    let needed = (needed * 10.0).ceil() / 10.0;
    let total: f64 = all.iter().map(|seconds| seconds.max(needed)).sum();
    (few > 0).then(|| {
        let rows = if few == 1 { "1 row has".to_owned() } else { format!("{few} rows have") };
        format!(
            "{rows} too few samples for a verdict: save and compare runs with --time {needed}, \
             which takes about {total:.0} s each"
        )
    })
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

    fn verdicts(old: &Run, new: &Run) -> Vec<Verdict> {
        let changes = changes(&new.rows, old).into_iter();
        changes.map(|change| change.expect("the same rows").verdict).collect()
    }

    /// The verdict on a row alone.
    fn verdict(old: &Row, new: &Row) -> Verdict {
        Beside::new(old, new).change(SIGNIFICANCE).verdict
    }

    fn has_moved(verdict: &Verdict) -> bool {
        verdict.has_moved()
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
        for (old, new) in [(&first, &second), (&second, &first), (&first, &first)] {
            assert!(!verdicts(old, new).iter().any(has_moved));
        }
    }

    #[test]
    fn a_fifth_more_or_less_is_a_change() {
        let [first, second] = recorded();
        let is_steady = |row: &Row| {
            let medians = row.pass_medians();
            let most = medians.iter().copied().fold(0.0, f64::max);
            medians.iter().all(|median| most < median * 1.05)
        };
        // Where the machine was slower for a pass of a run, no change is certain.
        let certain = |old: &Run, new: &Run, expected: Verdict| {
            let mut told = 0;
            for (row, verdict) in new.rows.iter().zip(verdicts(old, new)) {
                let base = old.rows.iter().find(|base| base.is_same(row)).expect("the same rows");
                let steady = is_steady(row) && is_steady(base);
                assert!(verdict == expected || !has_moved(&verdict) && !steady, "{row:?}");
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
        assert_eq!(verdict(&steady, &times(1.04)), Verdict::NoChange);
        assert_eq!(verdict(&steady, &times(0.96)), Verdict::NoChange);
        assert_eq!(verdict(&steady, &times(1.06)), Verdict::Regressed);
        assert_eq!(verdict(&steady, &times(0.94)), Verdict::Improved);
        // The median is 15 % above, and half of the samples are as before.
        let noisy = row(&[10.0, 9.9, 10.1, 10.0, 13.0, 13.1, 12.9, 13.0]);
        assert_eq!(verdict(&steady, &noisy), Verdict::TooNoisy);
        // All samples but one are 70 % above: the machine was busy.
        let busy = row(&[10.0, 17.0, 17.1, 16.9, 17.0, 17.1, 16.9, 17.0]);
        assert!(!has_moved(&verdict(&steady, &busy)) && !has_moved(&verdict(&busy, &steady)));
        // Too few samples to tell, whatever they are. With four samples in each list, the least
        // probability is 2 / 70.
        let few = verdict(&row(&[1.0; 2]), &row(&[9.0; 2]));
        assert_eq!((few.name(), few), ("too few samples", Verdict::TooFew { times: 2.0 }));
        assert_eq!(verdict(&steady, &steady), Verdict::NoChange);
        let change = Beside::new(&steady, &times(1.06)).change(SIGNIFICANCE);
        assert_eq!(change.percent(), "+6.0 %");
    }

    #[test]
    fn a_pass_as_slow_as_the_other_run_is_no_change() {
        let passes = |samples: [&[f64]; 3]| Row {
            passes: samples.iter().map(|pass| pass.len()).collect(),
            ..row(&samples.concat())
        };
        let slow = passes([[11.0; 4]; 3].each_ref().map(|pass| &pass[..]));
        let fast = passes([[10.0; 5]; 3].each_ref().map(|pass| &pass[..]));
        assert_eq!(verdict(&fast, &slow), Verdict::Regressed);
        assert_eq!(verdict(&slow, &fast), Verdict::Improved);
        // Two samples of 12 are slower, and they are a pass.
        let disturbed = passes([&[10.0; 5], &[10.0; 5], &[11.5; 2]]);
        assert!(!has_moved(&verdict(&disturbed, &slow)) && !has_moved(&verdict(&slow, &disturbed)));
    }

    #[test]
    fn rows_are_judged_together() {
        assert_eq!(level(&[0.5, 0.2]), 0.025);
        // 0.02 < 0.05 / 2, and then 0.04 < 0.05.
        assert_eq!(level(&[0.04, 0.02]), 0.05);
        // 0.04 is not below 0.05 / 2, whatever the other probability is.
        assert_eq!(level(&[0.04, 0.5]), 0.025);
        assert_eq!(level(&[]), 0.05);
    }

    /// Random numbers from a seed: equal on every machine.
    struct Noise(u64);

    impl Noise {
        /// From 0 to 1.
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// About normal, of mean 0 and deviation 1.
        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
        }
    }

    /// How a machine is: the deviation of samples within a pass, and of passes.
    type Machine = [f64; 2];

    const QUIET: Machine = [0.015, 0.005];

    /// A run of six passes. One sample in twenty is up to a tenth slower. All times are multiplied
    /// by `factor`.
    fn run_of(rows: usize, a_pass: usize, on: Machine, factor: f64, random: &mut Noise) -> Run {
        let ([within, between], [mut run, _]) = (on, recorded());
        run.rows = (0..rows)
            .map(|number| {
                let passes = (0..6).map(|_| {
                    let slower = 1.0 + between * random.normal();
                    let sample = |_| {
                        let late = random.uniform() < 0.05;
                        let late = 1.0 + if late { random.uniform() / 10.0 } else { 0.0 };
                        10.0 * factor * slower * late * (1.0 + within * random.normal()).max(0.5)
                    };
                    (0..a_pass).map(sample).collect::<Vec<f64>>()
                });
                let samples = passes.collect::<Vec<_>>().concat();
                Row { n: number as u32, passes: vec![a_pass; 6], ..row(&samples) }
            })
            .collect();
        run
    }

    /// A minute for 96 rows of 24 cases gives each row four samples a pass or more.
    #[test]
    fn a_tenth_is_found_on_a_quiet_machine_and_nothing_where_nothing_is() {
        let mut random = Noise(7);
        let (mut alarms, mut found, mut sure) = (0, 0, 0);
        for _ in 0..60 {
            let mut run = |factor| run_of(96, 4, QUIET, factor, &mut random);
            let [old, same, slower] = [run(1.0), run(1.0), run(1.1)];
            let same = verdicts(&old, &same);
            alarms += usize::from(same.iter().any(has_moved));
            sure += same.iter().filter(|verdict| **verdict == Verdict::NoChange).count();
            let planted = verdicts(&old, &slower);
            found += planted.iter().filter(|verdict| **verdict == Verdict::Regressed).count();
        }
        assert!(found > 60 * 96 * 97 / 100 && sure > 60 * 96 * 95 / 100, "{found}, {sure}");
        assert!(alarms <= 3, "{alarms} of 60 runs");
        // A few planted rows among many are found as well.
        let mut run = |factor| run_of(96, 4, QUIET, factor, &mut random);
        let (old, mut new, slower) = (run(1.0), run(1.0), run(1.1));
        new.rows[..4].clone_from_slice(&slower.rows[..4]);
        let told = verdicts(&old, &new);
        assert_eq!(told[..4], [Verdict::Regressed; 4]);
        assert!(!told[4..].iter().any(has_moved));
    }

    /// Where samples differ by a fifth, or the machine is slower by a tenth for as long as a pass
    /// takes, a change of a tenth is hidden, and the verdict says so; it is hardly ever a change.
    #[test]
    fn a_busy_machine_is_too_noisy() {
        let mut random = Noise(1);
        for machine in [[0.2, 0.07], [0.05, 0.05], [0.02, 0.1]] {
            let (mut alarms, mut sure) = (0, 0);
            for _ in 0..40 {
                let mut run = |factor| run_of(96, 4, machine, factor, &mut random);
                let told = verdicts(&run(1.0), &run(1.0));
                alarms += usize::from(told.iter().any(has_moved));
                sure += told.iter().filter(|verdict| **verdict == Verdict::NoChange).count();
            }
            assert!(alarms <= 2, "{machine:?}: {alarms} of 40 runs");
            assert!(sure < 40 * 96 / 5, "{machine:?}: {sure}");
        }
    }

    /// Six samples in each of 96 rows: the least probability is 2 / 924, and 0.05 / 96 is needed.
    /// Eight have 2 / 12870.
    #[test]
    fn too_few_samples_are_said_to_be_too_few() {
        let mut random = Noise(3);
        let mut run = |factor| run_of(96, 1, QUIET, factor, &mut random);
        let (old, new) = (run(1.0), run(1.5));
        let changes = changes(&new.rows, &old);
        let few = Verdict::TooFew { times: 8.0 / 6.0 };
        assert!(changes.iter().all(|change| change.is_some_and(|change| change.verdict == few)));
        let told = advice(&changes, [(48, 0.3), (48, 0.59)].into_iter());
        let expected = "96 rows have too few samples for a verdict: save and compare runs with \
                        --time 0.8, which takes about 2 s each";
        assert_eq!(told.as_deref(), Some(expected));
        assert_eq!(advice(&[None], [(1, 0.5)].into_iter()), None);
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
