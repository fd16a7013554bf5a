//! That work which one thread does, while another one waits, comes to its end.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use rayon::ThreadPoolBuilder;

use super::*;

#[test]
fn alone_ends_on_any_number_of_threads() {
    for threads in [1, 2, 3, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for step in 0..200 {
            // Long enough, now and then, for another thread to wake and to be in its loop.
            let work = || {
                if step % 20 == 0 {
                    thread::sleep(std::time::Duration::from_millis(1));
                }
                step
            };
            assert_eq!(pool.install(|| alone(true, work)), step);
        }
    }
    assert_eq!(alone(false, || 7), 7);
}

#[test]
fn several_at_once_do_not_wait_for_each_other() {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    /// Some work alone, and two halves beside each other behind it.
    fn tree(depth: u32) -> u32 {
        let own = alone(true, || 1);
        if depth == 0 {
            return own;
        }
        let (first, second) = rayon::join(|| tree(depth - 1), || tree(depth - 1));
        own + first + second
    }
    assert_eq!(pool.install(|| tree(9)), (1 << 10) - 1);
}

#[test]
fn a_panic_ends_the_wait_too() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let broken = AssertUnwindSafe(|| pool.install(|| alone(true, || panic!("as it should"))));
    assert!(catch_unwind(broken).is_err());
    assert_eq!(pool.install(|| alone(true, || 3)), 3);
}
