//! More than may be listed: too many pairs or contacts are counted to the last, and cost no memory.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{Soa, circle, coincident};
use widephase::{
    Columns, Contact, Detector, Error, Index, Narrowphase, NarrowphaseOptions, Options, Order,
    Pair, Shapes, Threads,
    shape::{Circle, Compound, Obb, Rotation},
};

const DIRTY: [Pair; 2] = [Pair { a: 7, b: 8 }, Pair { a: 8, b: 9 }];

fn over(limit: usize, count: usize, soa: &Soa, threads: Threads) {
    let all = (count * (count - 1) / 2) as u64;
    for (form, columns) in soa.forms() {
        for order in [Order::Grid, Order::Sorted] {
            let mut pairs = DIRTY.to_vec();
            let mut detector = Detector::with_options(Options {
                max_pairs: limit as u64,
                threads,
                order,
                ..Options::default()
            })
            .unwrap();
            let result = detector.pairs(columns, &mut pairs);
            if all > limit as u64 {
                let limit = limit as u64;
                assert_eq!(result, Err(Error::TooManyPairs { limit, found: all }), "{form}");
                assert!(pairs.is_empty(), "{form}: {} pairs are left", pairs.len());
                // One block of a task, or an eighth more than the limit, for every task at most.
                let bytes = detector.bytes() + pairs.capacity() * size_of::<Pair>();
                let most = 100 * count + 3 * 8 * limit as usize + 200_000;
                assert!(bytes <= most, "{form}: {bytes} bytes for a limit of {limit}");
            } else {
                assert_eq!((result, pairs.len() as u64), (Ok(()), all), "{form}");
            }
            // The detector is as good as new.
            assert_eq!(detector.count(columns), Ok(all));
            detector
                .pairs(Columns::points(&[0.0, 0.0], &[1.0, 1.0]).unwrap(), &mut pairs)
                .map_or_else(|_| assert_eq!(limit, 0), |()| assert_eq!(pairs.len(), 1));
        }
    }
}

#[test]
fn too_many_pairs_are_counted_to_the_last() {
    let soa = Soa::new(&coincident(3000, circle(1.0, 2.0, 0.5)));
    // 4 498 500 pairs.
    for limit in [0, 1, 100, 4096, 100_000, 4_498_499, 4_498_500, usize::MAX] {
        over(limit, 3000, &soa, Threads::Calling);
    }
    for n in [2, 3, 65, 100] {
        let soa = Soa::new(&coincident(n, circle(1.0, 2.0, 0.5)));
        let all = n * (n - 1) / 2;
        for limit in [0, 1, all - 1, all, all + 1] {
            over(limit, n, &soa, Threads::Calling);
        }
    }
}

/// Several tasks on several threads share one limit.
#[cfg(feature = "parallel")]
#[test]
fn too_many_pairs_are_counted_to_the_last_on_threads() {
    let n = 9000;
    let soa = Soa::new(&coincident(n, common::rect(1.0, 2.0, 0.5, 0.5)));
    let all = (n * (n - 1) / 2) as u64; // 40 495 500, in 37 tasks and more
    for pool in common::pools() {
        pool.install(|| {
            for limit in [0, 1000, 1_000_000, all - 1] {
                let mut pairs = DIRTY.to_vec();
                let mut detector = Detector::with_options(Options {
                    threads: Threads::Pool,
                    max_pairs: limit,
                    ..Options::default()
                })
                .unwrap();
                let result = detector.pairs(soa.aabbs().unwrap(), &mut pairs);
                assert_eq!(result, Err(Error::TooManyPairs { limit, found: all }));
                assert!(pairs.is_empty());
                if limit <= 1_000_000 {
                    let bytes = detector.bytes() + pairs.capacity() * size_of::<Pair>();
                    // A thread holds the buffers of four tasks, each with capacity for at least
                    // 4,096 pairs.
                    let buffers = 4 * 8 * 2 * 4096 * pool.current_num_threads();
                    let most = 100 * n + 3 * 8 * limit as usize + buffers + 200_000;
                    assert!(bytes <= most, "{bytes} bytes, and not {most}");
                }
            }
        });
    }
    let pool = &common::pools()[1];
    let mut pairs = Vec::new();
    let mut detector = Detector::with_options(Options {
        threads: Threads::Pool,
        max_pairs: all,
        ..Options::default()
    })
    .unwrap();
    pool.install(|| detector.pairs(soa.aabbs().unwrap(), &mut pairs)).unwrap();
    assert_eq!(pairs.len() as u64, all);
}

#[test]
fn counting_and_callbacks_have_no_limit() {
    let n = 3000;
    let soa = Soa::new(&coincident(n, circle(1.0, 2.0, 0.5)));
    let all = (n * (n - 1) / 2) as u64;
    let mut detector =
        Detector::with_options(Options { max_pairs: 5, ..Options::default() }).unwrap();
    assert_eq!(detector.count(soa.circles().unwrap()), Ok(all));
    let mut called = 0;
    assert_eq!(detector.for_each_pair(soa.circles().unwrap(), |_| called += 1), Ok(all));
    assert_eq!(called, all);
    assert!(detector.bytes() < 100 * n + 200_000, "the pairs themselves are 36 MB");
}

/// `n` discs in one place, with rotated boxes among them or not.
fn heap(n: usize, turned: bool) -> Shapes {
    let mut shapes = Shapes::from_slice(&vec![Circle::new([1.0, 2.0], 0.5); n]).unwrap();
    if turned {
        let obb = Obb::new([1.0, 2.0], [1.0, 0.5], Rotation { cos: 0.6, sin: 0.8 });
        for row in (0..n as u32).step_by(3) {
            shapes.set(row, obb).unwrap();
        }
    }
    shapes
}

#[test]
fn too_many_contacts_are_counted_to_the_last() {
    const N: usize = 700;
    let all = N * (N - 1) / 2;
    let every: Vec<Pair> = (0..N as u32).flat_map(|b| (0..b).map(move |a| Pair { a, b })).collect();
    for turned in [false, true] {
        let shapes = heap(N, turned);
        let set = Index::build(&heap(2, turned)).unwrap();
        for limit in [0, 1, 999, all - 1, all, all + 1] {
            let error = Error::TooManyContacts { limit: limit as u64, found: all as u64 };
            let expected = if all > limit { Err(error) } else { Ok(()) };
            let listed = if all > limit { 0 } else { all };
            // The limit of pairs is another limit.
            let mut detector = Detector::with_options(Options {
                max_contacts: limit as u64,
                max_pairs: 0,
                ..Options::default()
            })
            .unwrap();
            let mut found = vec![Contact::default(); 3];
            assert_eq!(detector.contacts(&shapes, 0.0, &mut found), expected, "limit {limit}");
            assert_eq!(found.len(), listed);
            let room = found.capacity() * size_of::<Contact>() + detector.bytes();
            let most = 800_000 + 100 * N + 64 * limit.min(all) * 9 / 8;
            assert!(room <= most, "{room} bytes for a limit of {limit}");

            let mut hits = Vec::new();
            let result = detector.contacts_and_against(&shapes, &set, 0.0, &mut found, &mut hits);
            assert_eq!((result, found.len()), (expected.clone(), listed));
            assert_eq!(hits.len(), if all > limit { 0 } else { 2 * N });

            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                max_contacts: limit as u64,
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            let result = narrowphase.contacts(&shapes, &every, 0.0, &mut found);
            assert_eq!((result, found.len()), (expected, listed));
            // As good as new.
            let few = narrowphase.contacts(&shapes, &every[..1], 0.0, &mut found);
            assert_eq!(few.is_ok(), limit > 0);
        }
        // The static list may be too long.
        let few = heap(20, turned); // 190 contacts, and 40 with the static shapes
        let many = Index::build(&heap(30, turned)).unwrap();
        let (mut found, mut hits) = (Vec::new(), Vec::new());
        let mut detector =
            Detector::with_options(Options { max_contacts: 300, ..Options::default() }).unwrap();
        let result = detector.contacts_and_against(&few, &many, 0.0, &mut found, &mut hits);
        assert_eq!(result, Err(Error::TooManyContacts { limit: 300, found: 600 }));
        assert!(found.is_empty() && hits.is_empty());
    }
}

/// One pair of compounds has as many contacts as pairs of parts.
#[test]
fn one_pair_with_too_many_contacts() {
    let discs = Compound::new(vec![Circle::new([0.0, 0.0], 1.0); 1200]).unwrap();
    let shapes = Shapes::from_slice(&[&discs, &discs]).unwrap();
    let (limit, found) = (10_000, 1200 * 1200);
    let error = Err(Error::TooManyContacts { limit, found });
    let mut contacts = Vec::new();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        max_contacts: limit,
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let pair = [Pair { a: 0, b: 1 }];
    assert_eq!(narrowphase.contacts(&shapes, &pair, 0.0, &mut contacts), error);
    assert!(contacts.is_empty() && contacts.capacity() < 2 * limit as usize);
    assert_eq!(
        Detector::with_options(Options { max_contacts: limit, ..Options::default() })
            .unwrap()
            .contacts(&shapes, 0.0, &mut contacts),
        error
    );
    let mut narrowphase = Narrowphase::new();
    narrowphase.contacts(&shapes, &pair, 0.0, &mut contacts).unwrap();
    assert_eq!(contacts.len() as u64, found);
}
