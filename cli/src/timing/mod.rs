//! The code that `compare` and `bench` share: seeded scenes on every level and number of threads,
//! in turns.
//!
//! ```text
//! configuration.rs  a SIMD level and a number of threads
//! rotation.rs       several scenes of one kind, in motion
//! clock.rs          the time of a call, and whether it was disturbed
//! rounds.rs         turns of several executors, and statistics of their times
//! ```

mod clock;
mod configuration;
mod rotation;
mod rounds;

use std::{env, time::Duration};

use widephase::{SimdLevel, options::LEVEL_VARIABLE};
use widephase_scenes::Subject;

pub(crate) use clock::{Stopwatch, Timed, measure_phases};
pub(crate) use configuration::Configuration;
pub(crate) use rotation::Rotation;
pub(crate) use rounds::{Limits, Spread, Turn, median, rounds, turn};

use crate::values::unique;

/// The maximum number of pairs per requested body: twice the density of the densest scene that can
/// have any size. The lists of all executors then fit where the lists of the other scenes fit.
const PAIRS_A_BODY: f64 = 32.0;

/// The number of bodies from which on a detection is split over threads: see
/// [`Threads::Auto`](widephase::Threads::Auto).
pub(crate) const ON_THREADS: u32 = 65_536;

/// The SIMD levels to run, Scalar first: the requested levels, or the level that the environment
/// forces, or all levels of this CPU.
pub(crate) fn levels(asked: &[SimdLevel]) -> Result<Vec<SimdLevel>, widephase::Error> {
    let mut levels = vec![SimdLevel::Scalar];
    if !asked.is_empty() {
        for &level in asked {
            levels.push(level.required()?);
        }
    } else if env::var_os(LEVEL_VARIABLE).is_some_and(|name| !name.is_empty()) {
        levels.push(SimdLevel::preferred()?);
    } else {
        levels.extend(SimdLevel::available());
    }
    Ok(unique(levels))
}

/// The size of a scene or level of which `asked` is requested, and a note if it is less.
pub(crate) fn size(subject: Subject, asked: u32) -> (u32, Option<String>) {
    let Subject::Scene(kind) = subject else { return (asked, None) };
    let n = kind.most_bodies(asked, PAIRS_A_BODY * f64::from(asked));
    let note = (n < asked).then(|| {
        let (n, pairs) = (bodies(n), kind.expected_pairs(asked));
        format!("{kind}: {n} bodies, as {} would have {pairs:.1e} pairs", bodies(asked))
    });
    (n, note)
}

/// The names of a scene: the short name, and the long name in parentheses if there is one; or the
/// name of a level.
pub(crate) fn title(subject: Subject) -> String {
    match subject {
        Subject::Scene(kind) if kind.long_name() != kind.short_name() => {
            format!("{kind} ({})", kind.long_name())
        }
        _ => subject.to_string(),
    }
}

/// A size in words.
pub(crate) fn sized(subject: Subject, n: u32) -> String {
    format!("{} {}", bodies(n), subject.unit())
}

/// A number of bodies in short form.
pub(crate) fn bodies(n: u32) -> String {
    match n {
        _ if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        _ if n.is_multiple_of(1000) => format!("{}k", n / 1000),
        _ => n.to_string(),
    }
}

/// A duration in a suitable unit.
pub(crate) fn show(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        _ => format!("{:.2} ms", seconds * 1e3),
    }
}

/// A number rounded for JSON and CSV.
pub(crate) fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
