//! Which SIMD level is the fastest, and where a level is slower than scalar code.

use std::collections::BTreeMap;

use widephase::SimdLevel;
use widephase_scenes::Subject;

use crate::values::unique;

/// The time of a level for some work.
#[derive(Debug, Clone)]
pub(super) struct LevelTime {
    pub(super) subject: Subject,
    pub(super) n: u32,
    /// The work: pairs, contacts, steps, or the name of a query.
    pub(super) what: &'static str,
    pub(super) threads: usize,
    pub(super) level: &'static str,
    /// By the number of bodies, movers or queries.
    pub(super) nanoseconds: f64,
    pub(super) noisy: bool,
    /// Whether its results equal the results of scalar code.
    pub(super) identical: bool,
}

impl LevelTime {
    /// The timed case, without the level.
    pub(super) fn case(&self) -> (Subject, u32, &'static str, usize) {
        (self.subject, self.n, self.what, self.threads)
    }

    /// The work, and the scene.
    fn work(&self) -> String {
        format!("{} in {}", self.what, self.subject)
    }
}

/// A level that takes this many times as long as scalar code is slower.
const SLOWER: f64 = 1.05;

/// The mark of a noisy time.
pub(super) fn mark(noisy: bool) -> &'static str {
    if noisy { " ~" } else { "" }
}

/// How many times as fast as scalar code a level is, for each time that is not noisy, beside a time
/// of scalar code that is not noisy.
fn speed_ups<'a>(
    times: &'a [LevelTime],
    level: &str,
) -> impl Iterator<Item = (&'a LevelTime, f64)> + use<'a> {
    let calm = || times.iter().filter(|time| !time.noisy);
    let scalar = SimdLevel::Scalar.name();
    let of_level: Vec<&LevelTime> = calm().filter(|time| time.level == level).collect();
    of_level.into_iter().filter_map(move |time| {
        let base = calm().find(|base| base.level == scalar && base.case() == time.case())?;
        Some((time, base.nanoseconds / time.nanoseconds))
    })
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Names the fastest SIMD level, by the geometric mean of all times that are not noisy.
pub(super) fn fastest(times: &[LevelTime]) -> String {
    let ratios = |level: SimdLevel| -> Vec<f64> {
        speed_ups(times, level.name()).map(|(_, ratio)| ratio).collect()
    };
    let mean = |level| geometric_mean(&ratios(level));
    let levels = SimdLevel::ALL.into_iter().filter(|&level| !ratios(level).is_empty());
    let Some(best) = levels.max_by(|&a, &b| mean(a).total_cmp(&mean(b))) else {
        return "all times are noisy, so no level is the fastest".to_owned();
    };
    let ratios = ratios(best);
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    match (best, format!("{least:.1}"), format!("{most:.1}")) {
        (SimdLevel::Scalar, ..) => "scalar is the fastest level of those that ran".to_owned(),
        (best, least, most) if least == most => {
            format!("{best} is the fastest level, {least} times scalar")
        }
        (best, least, most) => {
            format!("{best} is the fastest level, {least} to {most} times scalar")
        }
    }
}

/// Says for which work levels are slower than scalar code, by the geometric mean over numbers of
/// bodies and of threads. `None` if there is no such level.
pub(super) fn slower(times: &[LevelTime]) -> Option<String> {
    let levels = unique(times.iter().map(|time| time.level));
    let told: Vec<String> = levels
        .into_iter()
        .flat_map(|level| {
            let mut by_work: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for (time, ratio) in speed_ups(times, level) {
                by_work.entry(time.work()).or_default().push(ratio);
            }
            let means = by_work.into_iter().map(|(work, ratios)| (work, geometric_mean(&ratios)));
            let slow = means.filter(|(_, mean)| *mean * SLOWER < 1.0);
            slow.map(move |(work, mean)| format!("{level} for {work} ({mean:.2} times scalar)"))
        })
        .collect();
    (!told.is_empty()).then(|| format!("Slower than scalar: {}", told.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneKind;

    fn time(
        what: &'static str,
        threads: usize,
        level: &'static str,
        nanoseconds: f64,
    ) -> LevelTime {
        let subject = Subject::Scene(SceneKind::FarBody);
        let (n, noisy, identical) = (10, false, true);
        LevelTime { subject, n, what, threads, level, nanoseconds, noisy, identical }
    }

    #[test]
    fn the_fastest_level_is_named_and_where_levels_are_slower() {
        let mut times = vec![
            time("rays", 1, "scalar", 40.0),
            time("rays", 1, "avx2", 10.0),
            time("rays", 2, "scalar", 20.0),
            time("rays", 2, "avx2", 10.0),
            time("overlaps", 1, "scalar", 20.0),
            time("overlaps", 1, "avx2", 25.0),
        ];
        assert_eq!(fastest(&times), "avx2 is the fastest level, 0.8 to 4.0 times scalar");
        let expected = "Slower than scalar: avx2 for overlaps in far-body (0.80 times scalar)";
        assert_eq!(slower(&times).as_deref(), Some(expected));
        // A noisy time says nothing, nor does a time beside a noisy time.
        for noisy in [4, 5] {
            let mut times = times.clone();
            times[noisy].noisy = true;
            assert_eq!(fastest(&times), "avx2 is the fastest level, 2.0 to 4.0 times scalar");
            assert_eq!(slower(&times), None);
        }
        times[5].nanoseconds = 20.5;
        assert_eq!(slower(&times), None, "within noise");
        times.truncate(1);
        assert_eq!(fastest(&times), "scalar is the fastest level of those that ran");
        times[0].noisy = true;
        assert_eq!(fastest(&times), "all times are noisy, so no level is the fastest");
    }
}
