//! The worked programs of `examples/`, run headless: the same bits on every SIMD level and any
//! number of threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod argon;
mod platformer;
mod polymers;
mod shooter;
#[allow(clippy::duplicate_mod, reason = "two examples share a file")]
mod stack;
mod swarm;
mod world_stack;

use widephase::{Options, SimdLevel, Threads};

/// Calls `run` with every SIMD level, and on 1, 2 and 4 threads.
fn everywhere(run: impl Fn(Options) + Sync) {
    for &level in SimdLevel::available() {
        let simd_level = Some(level);
        run(Options { simd_level, threads: Threads::Calling, ..Options::default() });
        #[cfg(feature = "parallel")]
        for threads in [2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = Options { simd_level, threads: Threads::Pool, ..Options::default() };
            pool.install(|| run(options));
        }
    }
}

/// FNV-1a over numbers, little end first.
fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().flat_map(u64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
