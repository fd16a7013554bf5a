//! The differences of lists of pairs: hand-made cases, and random lists beside plain code.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use widephase::{
    Error, Pair, PairDiff,
    error::Field,
    events::{HasPair, PersistedPair, StartedPair, StoppedPair},
    periodic::PeriodicPair,
    reference::pair_diff::pair_diff,
};

use common::rng::Rng;

fn pairs(pairs: &[(u32, u32)]) -> Vec<Pair> {
    pairs.iter().map(|&(a, b)| Pair { a, b }).collect()
}

/// The pairs that persisted, sorted by `a`, then by `b`.
fn persisted(diff: &PairDiff) -> Vec<PersistedPair> {
    let mut pairs: Vec<_> = diff.persisted().collect();
    assert!(pairs.is_sorted_by_key(|pair| pair.index), "in the order of the list");
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    pairs
}

/// The started, persisted and stopped pairs, without indices.
fn events(diff: &PairDiff) -> [Vec<(u64, u64)>; 3] {
    [
        diff.started().iter().map(|pair| (pair.a, pair.b)).collect(),
        persisted(diff).iter().map(|pair| (pair.a, pair.b)).collect(),
        diff.stopped().iter().map(|pair| (pair.a, pair.b)).collect(),
    ]
}

type Events = (Vec<StartedPair>, Vec<PersistedPair>, Vec<StoppedPair>);

/// All events, with indices.
fn all(diff: &PairDiff) -> Events {
    (diff.started().to_vec(), persisted(diff), diff.stopped().to_vec())
}

#[test]
fn rows_that_come_and_go() {
    let mut diff = PairDiff::new();
    assert_eq!((events(&diff), diff.bytes()), (Default::default(), 0));
    diff.update(&pairs(&[(3, 4), (0, 9), (0, 3)])).unwrap();
    assert_eq!(events(&diff), [vec![(0, 3), (0, 9), (3, 4)], vec![], vec![]]);
    assert_eq!(diff.started()[0], StartedPair { a: 0, b: 3, index: 2 });
    diff.update(&pairs(&[(0, 3), (2, 4), (3, 4)])).unwrap();
    assert_eq!(events(&diff), [vec![(2, 4)], vec![(0, 3), (3, 4)], vec![(0, 9)]]);
    let same = PersistedPair { a: 3, b: 4, index: 2, last_index: 0 };
    assert_eq!(persisted(&diff)[1], same);
    assert_eq!(diff.stopped()[0], StoppedPair { a: 0, b: 9, last_index: 1 });
    diff.update::<Pair>(&[]).unwrap();
    assert_eq!(events(&diff), [vec![], vec![], vec![(0, 3), (2, 4), (3, 4)]]);
    diff.update::<Pair>(&[]).unwrap();
    assert_eq!(events(&diff), <[Vec<_>; 3]>::default());
}

/// By rows, `a` and `b` may number different sets.
#[test]
fn the_other_way_round_is_another_pair_of_rows() {
    let mut diff = PairDiff::new();
    diff.update(&pairs(&[(1, 2), (5, 5)])).unwrap();
    diff.update(&pairs(&[(2, 1), (5, 5)])).unwrap();
    assert_eq!(events(&diff), [vec![(2, 1)], vec![(5, 5)], vec![(1, 2)]]);
}

#[test]
fn any_row_numbers() {
    let most = u32::MAX;
    let list = pairs(&[(most, 0), (0, most), (most, most), (most - 1, most)]);
    let mut diff = PairDiff::new();
    for _ in 0..2 {
        diff.update(&list).unwrap();
        // Memory follows the number of pairs, not their rows.
        assert!(diff.bytes() < 100_000, "{} bytes", diff.bytes());
    }
    let most = u64::from(most);
    let sorted = vec![(0, most), (most - 1, most), (most, 0), (most, most)];
    assert_eq!(events(&diff), [vec![], sorted, vec![]]);
}

#[test]
fn repeated_pairs_count_once() {
    let mut diff = PairDiff::new();
    diff.update(&pairs(&[(1, 2), (0, 1), (1, 2), (1, 2)])).unwrap();
    assert_eq!(diff.started().len(), 2);
    assert_eq!(diff.started()[1], StartedPair { a: 1, b: 2, index: 0 });
    diff.update(&pairs(&[(0, 7), (1, 2), (0, 7), (1, 2)])).unwrap();
    assert_eq!(events(&diff), [vec![(0, 7)], vec![(1, 2)], vec![(0, 1)]]);
    assert_eq!(persisted(&diff)[0], PersistedPair { a: 1, b: 2, index: 1, last_index: 0 });
}

/// Several contacts of a pair are one pair, and so are several images in a periodic box.
#[test]
fn contacts_and_images() {
    use widephase::{
        Detector, Shapes,
        shape::{Circle, Compound, Pose},
    };
    let mut shapes = Shapes::new();
    let two = [Circle::new([0.0, 0.0], 1.0), Circle::new([0.0, 4.0], 1.0)];
    let row = shapes.push(Compound::new(two).unwrap()).unwrap();
    shapes.push(Compound::new(two).unwrap()).unwrap();
    shapes.set_pose(row, Pose::at([1.0, 0.0])).unwrap();
    let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    detector.contacts(&shapes, 0.0, &mut contacts).unwrap();
    assert!(contacts.len() >= 2, "{contacts:?}");
    let mut diff = PairDiff::new();
    diff.update(&contacts).unwrap();
    assert_eq!(events(&diff), [vec![(0, 1)], vec![], vec![]]);
    assert_eq!(contacts[0].pair(), Pair { a: 0, b: 1 });
    let images = [-1, 0, 1].map(|x| PeriodicPair { pair: Pair { a: 0, b: 1 }, shift: [x, 0] });
    diff.update(&images).unwrap();
    assert_eq!(events(&diff), [vec![], vec![(0, 1)], vec![]]);
}

#[test]
fn a_reused_row_is_a_new_body() {
    let mut diff = PairDiff::new();
    diff.update_with_ids(&pairs(&[(0, 1), (1, 2)]), &[50, 60, 70]).unwrap();
    assert_eq!(events(&diff), [vec![(50, 60), (60, 70)], vec![], vec![]]);
    // Row 0 holds another body, in front of all other bodies.
    diff.update_with_ids(&pairs(&[(0, 1), (1, 2)]), &[40, 60, 70]).unwrap();
    assert_eq!(events(&diff), [vec![(40, 60)], vec![(60, 70)], vec![(50, 60)]]);
    // The body returns in another row, and the rows change places.
    diff.update_with_ids(&pairs(&[(0, 2), (1, 2), (1, 3)]), &[70, 40, 60, 50]).unwrap();
    assert_eq!(events(&diff), [vec![(40, 50)], vec![(40, 60), (60, 70)], vec![]]);
    assert_eq!(persisted(&diff)[1], PersistedPair { a: 60, b: 70, index: 0, last_index: 1 });
    diff.update_with_ids::<Pair>(&[], &[]).unwrap();
    assert_eq!(events(&diff), [vec![], vec![], vec![(40, 50), (40, 60), (60, 70)]]);
}

#[test]
fn rows_with_one_id_are_one_body() {
    let mut diff = PairDiff::new();
    // Rows 0 and 1 are a body, and rows 2 and 3 are another body.
    let ids = [9, 9, 4, 4];
    diff.update_with_ids(&pairs(&[(0, 2), (1, 3), (0, 1)]), &ids).unwrap();
    assert_eq!(events(&diff), [vec![(4, 9), (9, 9)], vec![], vec![]]);
    assert_eq!(diff.started()[0].index, 0);
    diff.update_with_ids(&pairs(&[(1, 2)]), &ids).unwrap();
    assert_eq!(events(&diff), [vec![], vec![(4, 9)], vec![(9, 9)]]);
    // The body loses one of its rows.
    diff.update_with_ids(&pairs(&[(1, 2)]), &[8, 9, 4, 7]).unwrap();
    assert_eq!(events(&diff), [vec![], vec![(4, 9)], vec![]]);
}

#[test]
fn two_sets_of_ids() {
    let mut diff = PairDiff::new();
    diff.update_between_with_ids(&pairs(&[(0, 1), (1, 0)]), &[5, 6], &[5, 6]).unwrap();
    assert_eq!(events(&diff), [vec![(5, 6), (6, 5)], vec![], vec![]]);
    // The second set is stored in another order; 6 of the first set is replaced.
    diff.update_between_with_ids(&pairs(&[(0, 0), (1, 1)]), &[5, 7], &[6, 5, 3]).unwrap();
    assert_eq!(events(&diff), [vec![(7, 5)], vec![(5, 6)], vec![(6, 5)]]);
    assert_eq!(persisted(&diff)[0], PersistedPair { a: 5, b: 6, index: 0, last_index: 0 });
}

#[test]
fn ids_of_any_value_order_events_and_take_little_memory() {
    let mut diff = PairDiff::new();
    let ids = [u64::MAX, 0, 1 << 63, 1, u64::MAX - 1];
    let list = pairs(&[(0, 1), (2, 3), (1, 4), (0, 4)]);
    for step in 0..3 {
        diff.update_with_ids(&list, &ids).unwrap();
        let found = events(&diff)[usize::from(step > 0)].clone();
        let sorted = [(0, u64::MAX - 1), (0, u64::MAX), (1, 1 << 63), (u64::MAX - 1, u64::MAX)];
        assert_eq!(found, sorted);
        // Memory follows the number of ids, not their values.
        assert!(diff.bytes() < 100_000, "{} bytes", diff.bytes());
    }
}

#[test]
fn another_way_to_identify_pairs_starts_anew() {
    let list = pairs(&[(0, 1), (1, 2)]);
    let mut diff = PairDiff::new();
    diff.update(&list).unwrap();
    diff.update_with_ids(&list, &[0, 1, 2]).unwrap();
    let both = vec![(0, 1), (1, 2)];
    assert_eq!(events(&diff), [both.clone(), vec![], both]);
    diff.update_between_with_ids(&list, &[30, 40], &[7, 6, 5]).unwrap();
    let two = vec![(30, 6), (40, 5)];
    assert_eq!(events(&diff), [two.clone(), vec![], vec![(0, 1), (1, 2)]]);
    diff.update(&list[1..]).unwrap();
    assert_eq!(events(&diff), [vec![(1, 2)], vec![], two]);
}

#[test]
fn errors_leave_all_as_it_was() {
    let mut diff = PairDiff::new();
    let (first, second) = (pairs(&[(0, 1), (0, 2)]), pairs(&[(0, 2), (1, 2)]));
    diff.update_with_ids(&first, &[5, 6, 7]).unwrap();
    diff.update_with_ids(&second, &[5, 6, 7]).unwrap();
    let before = all(&diff);
    let bad = pairs(&[(0, 1), (1, 3), (9, 0)]);
    let error = diff.update_with_ids(&bad, &[1, 2, 3]).unwrap_err();
    assert_eq!(error, Error::NoId { index: 1, field: Field::B, row: 3, len: 3 });
    assert_eq!(error.to_string(), "pair 1: b is row 3, but there are 3 ids");
    let error = diff.update_between_with_ids(&bad, &[1, 2], &[1, 2, 3, 4]).unwrap_err();
    assert_eq!(error, Error::NoId { index: 2, field: Field::A, row: 9, len: 2 });
    let error = diff.update_with_ids(&pairs(&[(0, u32::MAX)]), &[]).unwrap_err();
    assert_eq!(error, Error::NoId { index: 0, field: Field::A, row: 0, len: 0 });
    assert_eq!(all(&diff), before);
    diff.update_with_ids(&second, &[5, 6, 7]).unwrap();
    assert_eq!(events(&diff), [vec![], vec![(5, 7), (6, 7)], vec![]]);
}

#[test]
fn a_cleared_diff_is_a_new_one() {
    let mut diff = PairDiff::new();
    let list = pairs(&[(0, 1), (1, 2)]);
    diff.update_with_ids(&list, &[3, 2, 1]).unwrap();
    let bytes = diff.bytes();
    diff.clear();
    assert_eq!((events(&diff), diff.bytes()), (Default::default(), bytes));
    diff.update_with_ids(&list[..1], &[8, 9]).unwrap();
    assert_eq!(events(&diff), [vec![(8, 9)], vec![], vec![]]);
}

/// One body that touches all other bodies, and all of them as `a`: long runs, and many digits.
#[test]
fn a_body_with_many_pairs() {
    let mut rng = Rng::new(3);
    for n in [20, 30, 1500, 40_000_u32] {
        let mut list: Vec<Pair> = (1..n).map(|b| Pair { a: 0, b }).collect();
        list.extend((0..n).map(|a| Pair { a: a * 90_000 % u32::MAX, b: n }));
        let mut diff = PairDiff::new();
        let mut last: Vec<[u64; 2]> = Vec::new();
        for _ in 0..3 {
            rng.shuffle(&mut list);
            let part = &list[rng.below(9) as usize..];
            diff.update(part).unwrap();
            let now: Vec<_> = part.iter().map(|pair| [pair.a.into(), pair.b.into()]).collect();
            assert_eq!(all(&diff), pair_diff(&last, &now), "{n} bodies");
            last = now;
        }
    }
}

/// Bodies that are created, destroyed and stored in other rows: every pair that starts stops once.
#[test]
fn balanced_over_many_steps() {
    let mut rng = Rng::new(7);
    let mut diff = PairDiff::new();
    let (mut ids, mut next): (Vec<u64>, u64) = (Vec::new(), 0);
    let mut alive = BTreeSet::new();
    for step in 0..400 {
        for _ in 0..rng.below(7) {
            // Ids below all other ids, between them, and above.
            ids.push(match step / 100 {
                0 => next,
                1 => u64::MAX - next,
                _ => rng.bits() << 20 | next,
            });
            next += 1;
        }
        for _ in 0..rng.below(6).min(ids.len() as u64) {
            let row = rng.below(ids.len() as u64) as usize;
            ids.swap_remove(row);
        }
        if step % 50 == 49 {
            rng.shuffle(&mut ids);
        }
        let mut list = Vec::new();
        for (a, one) in (0..).zip(&ids) {
            // Most pairs are decided by the ids, so that they persist.
            let partners = (0..).zip(&ids).skip(a as usize + 1);
            let near = partners.filter(|(_, other)| {
                (*one ^ *other).wrapping_mul(0x9E37_79B9_7F4A_7C15) % 4 == 0 && rng.below(20) > 0
            });
            list.extend(near.map(|(b, _)| Pair { a, b }));
        }
        rng.shuffle(&mut list);
        diff.update_with_ids(&list, &ids).unwrap();
        for pair in diff.persisted() {
            assert!(alive.contains(&(pair.a, pair.b)));
        }
        for pair in diff.stopped() {
            assert!(alive.remove(&(pair.a, pair.b)), "{pair:?} did not start");
        }
        for pair in diff.started() {
            assert!(alive.insert((pair.a, pair.b)), "{pair:?} started twice");
        }
        assert_eq!(alive.len(), list.len());
    }
    assert!(!alive.is_empty());
    diff.update_with_ids::<Pair>(&[], &[]).unwrap();
    for pair in diff.stopped() {
        assert!(alive.remove(&(pair.a, pair.b)));
    }
    assert!(alive.is_empty());
}

/// Ids that are replaced for ever do not take more and more memory.
#[test]
fn memory_of_ids_that_are_gone() {
    let mut diff = PairDiff::new();
    let mut most = 0;
    for step in 0..1000_u64 {
        let ids: Vec<u64> = (0..100).map(|row| step * 100 + row).collect();
        diff.update_with_ids(&pairs(&[(0, 1), (98, 99)]), &ids).unwrap();
        assert_eq!(diff.started().len(), 2);
        if step == 10 {
            most = diff.bytes();
        }
    }
    assert_eq!(diff.bytes(), most);
}

/// How a list of a random test is identified.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Rows,
    OneSet,
    TwoSets,
}

/// The kinds of ids of a random test.
fn random_ids(rng: &mut Rng, rows: u64, last: &[u64]) -> Vec<u64> {
    let kind = rng.below(5);
    let mut ids: Vec<u64> = last.to_vec();
    ids.resize(rows as usize, 0);
    for (row, id) in (0..).zip(&mut ids) {
        let keep = row < last.len() as u64 && rng.below(8) > 0;
        *id = match kind {
            // Unique ids of rows that change now and then.
            0 | 1 if keep => *id,
            0 => rng.bits(),
            1 => rng.below(1 << 40) << 8 | row,
            // Few ids for many rows.
            2 => rng.below(8),
            3 => row * 3,
            _ => u64::MAX - row,
        };
    }
    if rng.below(3) == 0 {
        rng.shuffle(&mut ids);
    }
    ids
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn beside_plain_code(seed in any::<u64>(), way in 0..4_u32, large in 0..20_u32) {
        let mut rng = Rng::new(seed);
        let (mut diff, mut shuffled) = (PairDiff::new(), PairDiff::new());
        let (mut last, mut last_way) = (Vec::new(), Way::Rows);
        let mut ids = [Vec::new(), Vec::new()];
        let mut list: Vec<Pair> = Vec::new();
        for _ in 0..8 {
            let way = match way {
                0 => Way::Rows,
                1 => Way::OneSet,
                2 => Way::TwoSets,
                _ => [Way::Rows, Way::OneSet, Way::TwoSets][rng.below(3) as usize],
            };
            let [rows_a, rows_b] = [0; 2].map(|_| 1 + rng.below(60));
            let rows_b = if way == Way::TwoSets { rows_b } else { rows_a };
            let most = if large == 0 { 3000 } else { 80 };
            // Some pairs stay, some pairs are repeated, and some are new.
            list.retain(|_| rng.below(4) > 0);
            list.retain(|pair| u64::from(pair.a) < rows_a && u64::from(pair.b) < rows_b);
            for _ in 0..rng.below(most) {
                let [a, b] = [rng.below(rows_a) as u32, rng.below(rows_b) as u32];
                list.push(Pair { a, b });
            }
            rng.shuffle(&mut list);
            ids[0] = random_ids(&mut rng, rows_a, &ids[0]);
            ids[1] = random_ids(&mut rng, rows_b, &ids[1]);
            let named = |pair: &Pair| {
                let [a, b] = [pair.a as usize, pair.b as usize];
                match way {
                    Way::Rows => [a as u64, b as u64],
                    Way::OneSet => {
                        let [a, b] = [ids[0][a], ids[0][b]];
                        [a.min(b), a.max(b)]
                    }
                    Way::TwoSets => [ids[0][a], ids[1][b]],
                }
            };
            let mut other = list.clone();
            rng.shuffle(&mut other);
            for (diff, list) in [(&mut diff, &list), (&mut shuffled, &other)] {
                match way {
                    Way::Rows => diff.update(list),
                    Way::OneSet => diff.update_with_ids(list, &ids[0]),
                    Way::TwoSets => diff.update_between_with_ids(list, &ids[0], &ids[1]),
                }
                .unwrap();
            }
            let now: Vec<[u64; 2]> = list.iter().map(named).collect();
            if way == last_way {
                prop_assert_eq!(all(&diff), pair_diff(&last, &now));
            } else {
                let expected = (pair_diff(&[], &now).0, Vec::new(), pair_diff(&last, &[]).2);
                prop_assert_eq!(all(&diff), expected);
            }
            prop_assert_eq!(events(&diff), events(&shuffled));
            (last, last_way) = (now, way);
        }
    }
}

/// Lists that change little from step to step: pairs come, go, change places, move far, in blocks
/// and alone, and are repeated, beside each other and far away.
#[test]
fn lists_in_nearly_the_same_order() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (mut diff, mut last): (PairDiff, Vec<[u64; 2]>) = Default::default();
        let rows = [30, 400, 20_000][seed as usize % 3];
        let mut list: Vec<Pair> = Vec::new();
        for _ in 0..12 {
            let at = |rng: &mut Rng, list: &[Pair]| rng.below(list.len() as u64 + 1) as usize;
            for _ in 0..rng.below(40) {
                let [a, b] = [0; 2].map(|_| rng.below(rows) as u32);
                list.insert(at(&mut rng, &list), Pair { a, b });
            }
            match rng.below(6) {
                // A block of new pairs, longer than a search looks around.
                0 => {
                    let block = (0..rng.below(900)).map(|_| {
                        let [a, b] = [0; 2].map(|_| rng.below(rows) as u32);
                        Pair { a, b }
                    });
                    let block: Vec<_> = block.collect();
                    let place = at(&mut rng, &list);
                    list.splice(place..place, block);
                }
                // A block that is gone, or at another place.
                1 | 2 => {
                    let (from, to) = (at(&mut rng, &list), at(&mut rng, &list));
                    let block: Vec<_> = list.drain(from.min(to)..from.max(to)).collect();
                    if rng.below(2) == 0 {
                        let place = at(&mut rng, &list);
                        list.splice(place..place, block);
                    }
                }
                3 => list.reverse(),
                _ => {}
            }
            for _ in 0..rng.below(60).min(list.len() as u64) {
                let from = rng.below(list.len() as u64) as usize;
                let to = (from + rng.below(9) as usize).min(list.len() - 1);
                match rng.below(4) {
                    0 => list.swap(from, to),
                    1 => {
                        list.remove(from);
                        if list.is_empty() {
                            break;
                        }
                    }
                    2 => list.insert(to, list[from]),
                    _ => list.insert(at(&mut rng, &list), list[from]),
                }
            }
            diff.update(&list).unwrap();
            let now: Vec<_> = list.iter().map(|pair| [pair.a.into(), pair.b.into()]).collect();
            assert_eq!(all(&diff), pair_diff(&last, &now), "seed {seed}");
            last = now;
        }
    }
}

/// Lists of which many pairs change from step to step: sorted, in any order, and with repeated
/// pairs; of near numbers, of numbers far from each other, and of a body that is in most pairs.
#[test]
fn lists_of_which_much_changes() {
    for seed in 0..180 {
        let mut rng = Rng::new(seed);
        let (mut diff, mut last): (PairDiff, Vec<[u64; 2]>) = Default::default();
        let (numbers, order, share) = (seed % 3, seed / 3 % 4, [1, 10, 50][seed as usize / 12 % 3]);
        let len = 20 + rng.below(1500);
        let mut list: Vec<Pair> = Vec::new();
        for step in 0..6 {
            let pair = |rng: &mut Rng| match numbers {
                0 => Pair { a: rng.below(len / 2) as u32, b: rng.below(len / 2) as u32 },
                1 => Pair { a: rng.bits() as u32, b: rng.bits() as u32 },
                _ => Pair { a: 7 + rng.below(20) as u32 / 19, b: rng.below(2 * len) as u32 },
            };
            if step == 4 {
                // No pair is in both lists.
                list.clear();
            }
            list.retain(|_| rng.below(100) >= share);
            while (list.len() as u64) < len {
                list.push(pair(&mut rng));
            }
            match order {
                0 | 1 => {
                    list.sort_unstable();
                    list.dedup();
                    // Nearly sorted: not by a merge.
                    if order == 1 && step % 2 == 0 {
                        list.reverse();
                    }
                }
                2 => rng.shuffle(&mut list),
                _ => {
                    rng.shuffle(&mut list);
                    let from = rng.below(list.len() as u64 / 2) as usize;
                    list.extend_from_within(from..);
                }
            }
            diff.update(&list).unwrap();
            let now: Vec<_> = list.iter().map(|pair| [pair.a.into(), pair.b.into()]).collect();
            assert_eq!(all(&diff), pair_diff(&last, &now), "seed {seed}, step {step}");
            last = now;
        }
        diff.update(&[] as &[Pair]).unwrap();
        assert_eq!(all(&diff), pair_diff(&last, &[]), "seed {seed}");
    }
}

/// The limits of docs/memory.md.
#[test]
fn memory_of_pairs_and_rows() {
    let mut rng = Rng::new(1);
    let n = 20_000_usize;
    let mut list: Vec<Pair> = (0..n as u32).map(|a| Pair { a, b: a + 1 }).collect();
    let ids: Vec<u64> = (0..=n as u64).map(|row| row * row).collect();
    for (with_ids, a_row) in [(false, 0), (true, 48)] {
        let mut diff = PairDiff::new();
        for _ in 0..4 {
            rng.shuffle(&mut list);
            let result =
                if with_ids { diff.update_with_ids(&list, &ids) } else { diff.update(&list) };
            result.unwrap();
        }
        // Pairs that started and that stopped have been as many as the pairs, and so have the pairs
        // that were sorted.
        let most = (92 + 2 * 24 + a_row) * (n + n / 8) + 30_000;
        assert!(diff.bytes() <= most, "{} of {most} bytes", diff.bytes());
    }
}

/// Lists of which most pairs are new or elsewhere at each update. Bodies come and go, so that their
/// ranks move. Copies are made into differences of other lists.
#[test]
fn lists_that_change_much() {
    let mut persisted = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let (mut diff, mut by_ids, mut copy) = <(PairDiff, PairDiff, PairDiff)>::default();
        let (mut last, mut last_named) = (Vec::new(), Vec::new());
        // Rows far above the number of pairs are sorted in another way.
        let stride = [1, 1 << 20][seed as usize % 2];
        let mut ids: Vec<u64> = (0..300).map(|row| row << 32).collect();
        let mut list: Vec<Pair> = Vec::new();
        for step in 0..8 {
            let kept = rng.below(list.len() as u64 + 1) as usize;
            list.truncate(kept);
            for _ in 0..rng.below(900) {
                let [a, b] = [0; 2].map(|_| rng.below(300) as u32);
                list.push(Pair { a, b });
                if rng.below(20) == 0 {
                    list.push(list[rng.below(list.len() as u64) as usize]);
                }
            }
            rng.shuffle(&mut list);
            if step == 5 {
                list.sort_unstable();
            }
            let far: Vec<_> =
                list.iter().map(|pair| Pair { a: pair.a * stride, b: pair.b * stride }).collect();
            let now: Vec<_> = far.iter().map(|pair| [pair.a.into(), pair.b.into()]).collect();
            if rng.below(3) == 0 {
                // The pairs that `copy` has kept are of an older list.
                copy.clone_from(&diff);
                copy.update(&far).unwrap();
                diff.update(&far).unwrap();
                assert_eq!(all(&copy), all(&diff), "seed {seed}");
            } else {
                diff.update(&far).unwrap();
            }
            assert_eq!(all(&diff), pair_diff(&last, &now), "seed {seed}");
            for _ in 0..rng.below(4) {
                let row = rng.below(300) as usize;
                ids[row] = rng.below(300 << 32);
            }
            let named = |pair: &Pair| {
                let [a, b] = [ids[pair.a as usize], ids[pair.b as usize]];
                [a.min(b), a.max(b)]
            };
            let now_named: Vec<_> = list.iter().map(named).collect();
            by_ids.update_with_ids(&list, &ids).unwrap();
            assert_eq!(all(&by_ids), pair_diff(&last_named, &now_named), "seed {seed}");
            persisted += by_ids.persisted().count();
            (last, last_named) = (now, now_named);
        }
    }
    assert!(persisted > 10_000, "{persisted} pairs persisted");
}
