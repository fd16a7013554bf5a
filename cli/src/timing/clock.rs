//! `Stopwatch`: how long a call takes, and whether other programs ran in its place meanwhile.

use std::{
    ffi::c_long,
    sync::{
        LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use widephase::Timings;

/// Times a call.
pub(crate) struct Stopwatch {
    wall: Instant,
    /// The CPU time of the thread, for a call on one thread, where the system knows it.
    cpu: Option<f64>,
    switches: Option<c_long>,
    one_thread: bool,
}

/// A time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timed {
    /// CPU time of a call on one thread, else wall time.
    pub(crate) nanoseconds: f64,
    /// Whether the system ran something else instead: the call found other caches.
    pub(crate) disturbed: bool,
}

impl Stopwatch {
    /// Starts, for a call on this number of threads.
    pub(crate) fn start(threads: usize) -> Self {
        let one_thread = threads == 1;
        let switches = system::switches(one_thread);
        let cpu = if one_thread { system::thread_time() } else { None };
        Self { wall: Instant::now(), cpu, switches, one_thread }
    }

    /// The time since the start.
    pub(crate) fn stop(self) -> Timed {
        let Self { wall, cpu, switches, one_thread } = self;
        let wall = wall.elapsed().as_nanos() as f64;
        let cpu = cpu.and_then(|start| Some(system::thread_time()? - start));
        let disturbed = match (switches, system::switches(one_thread)) {
            (Some(before), Some(after)) => after > before,
            _ => false,
        };
        Timed { nanoseconds: cpu.unwrap_or(wall), disturbed }
    }
}

/// Whether phases are measured for calls on one thread.
static ON_ONE_THREAD: AtomicBool = AtomicBool::new(false);

/// From now on, the phases of calls on this number of threads are measured as the calls are: by the
/// CPU time of one thread, where the system knows it, else by wall time.
pub(crate) fn measure_phases(threads: usize) {
    ON_ONE_THREAD.store(threads == 1, Ordering::Relaxed);
    Timings::set_clock(phase_clock);
}

fn phase_clock() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let cpu = if ON_ONE_THREAD.load(Ordering::Relaxed) { system::thread_time() } else { None };
    cpu.map_or_else(|| BEGIN.elapsed(), |nanoseconds| Duration::from_nanos(nanoseconds as u64))
}

impl Timed {
    /// The time for each of `number` things.
    pub(crate) fn by(self, number: usize) -> Self {
        Self { nanoseconds: self.nanoseconds / number as f64, ..self }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::c_long;

    use nix::{
        sys::resource::{UsageWho, getrusage},
        time::{ClockId, clock_gettime},
    };

    /// The CPU time of this thread, in nanoseconds.
    pub(super) fn thread_time() -> Option<f64> {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
        Some(time.tv_sec() as f64 * 1e9 + time.tv_nsec() as f64)
    }

    /// How often something else ran instead of this thread, or of any thread of this process.
    pub(super) fn switches(one_thread: bool) -> Option<c_long> {
        let who = if one_thread { UsageWho::RUSAGE_THREAD } else { UsageWho::RUSAGE_SELF };
        Some(getrusage(who).ok()?.involuntary_context_switches())
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::ffi::c_long;

    /// Not known.
    pub(super) fn thread_time() -> Option<f64> {
        None
    }

    /// Not known.
    pub(super) fn switches(_: bool) -> Option<c_long> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, thread, time::Duration};

    use super::*;

    /// Only work counts on one thread, and waiting counts on several threads.
    #[test]
    #[cfg(target_os = "linux")]
    fn waiting_is_no_cpu_time() {
        let [one, several] = [1, 2].map(|threads| {
            let watch = Stopwatch::start(threads);
            thread::sleep(Duration::from_millis(30));
            watch.stop().by(2).nanoseconds
        });
        assert!(one < 5e6 && several >= 15e6, "{one} {several}");
        let watch = Stopwatch::start(1);
        let mut sum = 0_u64;
        while watch.wall.elapsed() < Duration::from_millis(3) {
            sum = black_box(sum + 1);
        }
        assert!(watch.stop().nanoseconds > 1e4);
    }

    /// Phases are measured as calls are.
    #[test]
    #[cfg(target_os = "linux")]
    fn waiting_is_in_no_phase() {
        let [one, several] = [1, 2].map(|threads| {
            measure_phases(threads);
            let begin = phase_clock();
            thread::sleep(Duration::from_millis(30));
            phase_clock() - begin
        });
        assert!(one < Duration::from_millis(5) && several >= Duration::from_millis(30));
    }
}
