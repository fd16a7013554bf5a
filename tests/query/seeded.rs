//! The function of the fuzz target on random bytes.

use crate::any_bits::check;
use common::Rng;

#[test]
fn queries_of_any_bits() {
    for seed in 0..2_500 {
        let mut rng = Rng::new(seed);
        let count = 50 + rng.below(1_000) as usize;
        let bytes: Vec<u8> = (0..count).map(|_| rng.bits() as u8).collect();
        let result = std::panic::catch_unwind(|| check(&bytes));
        assert!(result.is_ok(), "seed {seed}");
    }
}
