//! How many bodies a scene has, where all that are asked for have too many pairs.

use widephase::scene::SceneKind;

/// The most pairs for each body that is asked for, as in `widephase compare`: twice what the densest scene
/// has that can be any size. Of more, the list would be all that is measured.
const PAIRS_A_BODY: f64 = 32.0;

/// The largest number of bodies up to `n` that have no more pairs than `n` bodies may: `n` itself for
/// nearly all scenes, but of 10,000 coincident bodies, which have fifty million pairs, 800.
pub fn affordable(kind: SceneKind, n: u32) -> u32 {
    let most = PAIRS_A_BODY * f64::from(n);
    let fits = |n: u32| kind.expected_pairs(n) <= most;
    if fits(n) {
        return n;
    }
    let (mut enough, mut beyond) = (1, n);
    while enough + 1 < beyond {
        let middle = enough.midpoint(beyond);
        if fits(middle) {
            enough = middle;
        } else {
            beyond = middle;
        }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_coincident_bodies_get_fewer() {
        for n in [1, 2, 10, 1000, 1_000_000, u32::MAX] {
            for kind in SceneKind::ALL.into_iter().filter(|&kind| kind != SceneKind::Coincident) {
                assert_eq!(affordable(kind, n), n, "{kind}");
            }
        }
        // n (n - 1) / 2 pairs: 799 * 800 / 2 is 319,600 and 800 * 801 / 2 is 320,400, where 320,000 fit.
        assert_eq!(affordable(SceneKind::Coincident, 10_000), 800);
        // n (n - 1) / 2 is at most 32 n up to n = 65; 66 may have 2,112, and 66 * 65 / 2 is 2,145.
        assert_eq!([64, 65, 66].map(|n| affordable(SceneKind::Coincident, n)), [64, 65, 65]);
    }
}
