//! The durations of the phases of a call.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

/// How long each phase of a detection, or of the step of a world, has taken:
/// [`Detector::timings`](crate::Detector::timings), [`World::timings`](crate::World::timings).
///
/// Measured only if [`Options::timings`](crate::Options::timings) is set. The phases are
/// consecutive parts of the call, in the order of the fields, so their sum is at most its time. On
/// several threads a phase lasts until its last thread is done. Work that runs interleaved is one
/// phase: the narrowphase decides each block of candidates that the search has found, and filters
/// are looked up before. With many worlds in one call, whole detections interleave, and are one
/// `search`; in callbacks they follow each other, and are added up.
///
/// ```
/// use widephase::{Columns, Detector, Options, Timings};
///
/// let mut detector = Detector::with_options(Options { timings: true, ..Options::default() })?;
/// detector.count(Columns::points(&[0.0; 9], &[0.0; 9])?)?;
/// let timings = detector.timings();
/// assert_eq!(timings.sum(), timings.check + timings.sort + timings.search + timings.finish);
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timings {
    /// In a world: the sort of the bodies that do not move, after one of them has changed, and the
    /// pairs and contacts among them. 0 in most steps.
    pub index: Duration,
    /// The check on entry; rotated shapes placed, vacant rows closed up, shapes inflated by a
    /// margin, copied for a periodic box or cut for swept pairs.
    pub check: Duration,
    /// The grid: the plan of its cells, and the sort of the shapes by cell.
    pub sort: Duration,
    /// The search of the grid, with filters, the narrowphase and the output of pairs or contacts.
    /// With a callback, all of its calls.
    pub search: Duration,
    /// The work that follows the search: the sort of a list by
    /// [`Order::Sorted`](crate::Order::Sorted), the rows of an index, the lists of neighbours, the
    /// decision of swept pairs.
    pub finish: Duration,
    /// In a world: the contacts of its pairs.
    pub contacts: Duration,
    /// In a world: the comparison with the last step, kept values and events.
    pub events: Duration,
}

impl Timings {
    /// The names of the phases, in the order of the fields.
    pub const NAMES: [&'static str; 7] =
        ["index", "check", "sort", "search", "finish", "contacts", "events"];

    /// The durations, in the order of [`NAMES`](Self::NAMES).
    pub fn to_array(&self) -> [Duration; 7] {
        let Self { index, check, sort, search, finish, contacts, events } = *self;
        [index, check, sort, search, finish, contacts, events]
    }

    /// The time of all phases.
    pub fn sum(&self) -> Duration {
        self.to_array().iter().sum()
    }

    /// Sets the clock that phases are measured by in this process, instead of wall time: the CPU
    /// time of a thread, or the clock of a target that has no other, as `wasm32-unknown-unknown`.
    /// Without a clock, its phases are zeros. Call it before the first call that is measured.
    ///
    /// `clock` returns the time since any moment. It is called where a call begins, and where each
    /// phase ends: for a call on several threads, on any of them. A time before the last time
    /// counts as the last time.
    ///
    /// Returns false if a clock was set before. That one stays.
    ///
    /// ```standalone_crate
    /// use std::time::Duration;
    /// use widephase::{Columns, Detector, Options, Timings};
    ///
    /// // A clock that stands still.
    /// assert!(Timings::set_clock(|| Duration::from_secs(7)));
    /// let mut detector = Detector::with_options(Options { timings: true, ..Options::default() })?;
    /// detector.count(Columns::points(&[0.0; 9], &[0.0; 9])?)?;
    /// assert_eq!(detector.timings().sum(), Duration::ZERO);
    /// assert!(!Timings::set_clock(|| Duration::ZERO));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_clock(clock: fn() -> Duration) -> bool {
        CLOCK.set(clock).is_ok()
    }
}

/// The clock, if the program has set one.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Whether there is a clock: on this target, to read the wall time would panic.
fn has_clock() -> bool {
    CLOCK.get().is_some() || !cfg!(all(target_family = "wasm", target_os = "unknown"))
}

/// The time since some moment.
fn now() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    CLOCK.get().map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed(), |clock| clock())
}

/// Measures phases. Reads no clock unless it is turned on.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    timings: Timings,
    /// When the current phase began; `None` if nothing is measured.
    since: Option<Duration>,
}

impl Stopwatch {
    /// Begins a call.
    pub(crate) fn begin(&mut self, on: bool) {
        let on = on && has_clock();
        *self = Self { timings: Timings::default(), since: on.then(now) };
    }

    /// Ends a phase, and adds its time to the time of `phase`.
    pub(crate) fn end(&mut self, phase: impl FnOnce(&mut Timings) -> &mut Duration) {
        if let Some(since) = &mut self.since {
            let now = now();
            *phase(&mut self.timings) += now.saturating_sub(*since);
            *since = now;
        }
    }

    /// Ends the detection of a step, whose phases the detector has measured.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn end_detection(&mut self, detection: &Timings) {
        if let Some(since) = &mut self.since {
            *since = now();
            self.timings.check += detection.check;
            self.timings.sort += detection.sort;
            self.timings.search += detection.search;
            self.timings.finish += detection.finish;
        }
    }

    /// How long the phases of the last call have taken.
    pub(crate) fn timings(&self) -> &Timings {
        &self.timings
    }
}
