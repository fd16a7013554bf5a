//! How many bodies of a scene are compared, where all that are asked for have too many pairs.

use std::num::NonZeroU32;

use widephase::scene::SceneKind;

/// The most pairs for each body that is asked for: twice what the densest scene has that can be any
/// size. The lists of all executors then fit where those of the other scenes do.
const PAIRS_A_BODY: f64 = 32.0;

/// The largest number of bodies up to `n` that have no more pairs than `n` bodies may: `n` itself for
/// nearly all scenes, but of 100,000 coincident bodies, which have five thousand million pairs, 2530.
pub(super) fn affordable(kind: SceneKind, n: NonZeroU32) -> NonZeroU32 {
    let most = PAIRS_A_BODY * f64::from(n.get());
    let fits = |n: u32| kind.expected_pairs(n) <= most;
    let (mut enough, mut beyond) = (1, n.get());
    if fits(beyond) {
        return n;
    }
    while enough + 1 < beyond {
        let middle = enough.midpoint(beyond);
        if fits(middle) {
            enough = middle;
        } else {
            beyond = middle;
        }
    }
    NonZeroU32::new(enough).unwrap_or(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_too_many_pairs_gets_smaller() {
        for n in [1, 2, 10, 1000, 1_000_000, u32::MAX] {
            let n = NonZeroU32::new(n).unwrap();
            for kind in SceneKind::ALL {
                let affordable = affordable(kind, n);
                if kind == SceneKind::Coincident {
                    let most = 32.0 * f64::from(n.get());
                    assert!(kind.expected_pairs(affordable.get()) <= most);
                    assert!(affordable == n || kind.expected_pairs(affordable.get() + 1) > most);
                } else {
                    assert_eq!(affordable, n, "{kind}");
                }
            }
        }
        let hundred_thousand = NonZeroU32::new(100_000).unwrap();
        assert_eq!(affordable(SceneKind::Coincident, hundred_thousand).get(), 2530);
    }
}
