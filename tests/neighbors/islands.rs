//! Adjacency and islands of lists of pairs.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use proptest::prelude::*;
use widephase::{
    Adjacency, Error, Islands, Lists, Pair, adjacency,
    reference::{islands::islands, neighbors},
};

fn pairs(pairs: &[(u32, u32)]) -> Vec<Pair> {
    pairs.iter().map(|&(a, b)| Pair { a, b }).collect()
}

/// The partners in the order of the pairs.
fn partners(row: u32, pairs: &[Pair], adjacency: Adjacency) -> Vec<u32> {
    let mut found = Vec::new();
    for pair in pairs {
        found.extend((pair.a == row).then_some(pair.b));
        found.extend((pair.b == row && adjacency == Adjacency::Full).then_some(pair.a));
    }
    found
}

#[test]
fn adjacency_in_the_order_of_the_pairs() {
    let list = pairs(&[(3, 4), (0, 3), (3, 1), (0, 3), (2, 2)]);
    let mut lists = Lists::new();
    adjacency(6, &list, Adjacency::Full, &mut lists).unwrap();
    let expected: [&[u32]; 6] = [&[3, 3], &[3], &[2, 2], &[4, 0, 1, 0], &[3], &[]];
    assert_eq!(lists.iter().collect::<Vec<_>>(), expected);
    adjacency(6, &list, Adjacency::Half, &mut lists).unwrap();
    let expected: [&[u32]; 6] = [&[3, 3], &[], &[2], &[4, 1], &[], &[]];
    assert_eq!(lists.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn no_rows_and_no_pairs() {
    let (mut lists, mut found) = (Lists::new(), Islands::new());
    for kind in [Adjacency::Full, Adjacency::Half] {
        adjacency(0, &[], kind, &mut lists).unwrap();
        assert_eq!((lists.len(), lists.offsets()), (0, &[0][..]));
        adjacency(3, &[], kind, &mut lists).unwrap();
        assert_eq!((lists.len(), lists.offsets()), (3, &[0; 4][..]));
    }
    found.find(0, &[], |_| true).unwrap();
    assert!(found.is_empty() && found.column().is_empty() && found.get(0).is_empty());
    found.find(1, &[], |_| true).unwrap();
    assert_eq!((found.len(), found.get(0), found.island_of(0)), (1, &[0][..], Some(0)));
    found.find(1, &[], |_| false).unwrap();
    assert_eq!((found.len(), found.island_of(0), found.column()), (0, None, &[u32::MAX][..]));
    assert_eq!(found.island_of(9), None);
}

#[test]
fn rows_out_of_range() {
    let list = pairs(&[(0, 1), (1, 7), (9, 0)]);
    let missing = |len| Err(Error::NoSuchShape { index: 7, len });
    let (mut lists, mut found) = (Lists::new(), Islands::new());
    for len in [2, 7] {
        adjacency(3, &pairs(&[(0, 2)]), Adjacency::Full, &mut lists).unwrap();
        assert_eq!(adjacency(len, &list, Adjacency::Full, &mut lists), missing(len));
        assert_eq!((lists.len(), lists.items()), (0, &[][..]));
        found.find(3, &pairs(&[(0, 2)]), |_| true).unwrap();
        assert_eq!(found.find(len, &list, |_| true), missing(len));
        assert_eq!((found.len(), found.column(), found.island_of(0)), (0, &[][..], None));
    }
    let none = Err(Error::NoSuchShape { index: 0, len: 0 });
    assert_eq!(adjacency(0, &pairs(&[(0, 0)]), Adjacency::Half, &mut lists), none);
    let far = pairs(&[(0, u32::MAX)]);
    let missing = Err(Error::NoSuchShape { index: u32::MAX as usize, len: 9 });
    assert_eq!(found.find(9, &far, |_| true), missing);
    if let Ok(len) = usize::try_from(1_u64 << 32) {
        let many = Err(Error::TooManyShapes { len });
        assert_eq!(adjacency(len, &[], Adjacency::Full, &mut lists), many);
        assert_eq!(found.find(len, &[], |_| true), many);
    }
}

#[test]
fn a_static_row_does_not_link() {
    let list = pairs(&[(0, 5), (1, 5), (1, 2), (5, 5), (3, 0)]);
    let mut found = Islands::new();
    found.find(6, &list, |row| row != 5).unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), [&[0, 3][..], &[1, 2], &[4]]);
    assert_eq!(found.column(), [0, 1, 1, 0, 2, u32::MAX]);
    assert_eq!(found.lists().offsets(), [0, 2, 4, 5]);
}

/// A chain, whose pairs come in an order that makes the paths of a union-find long.
#[test]
fn a_long_chain() {
    let n = 100_000;
    let mut found = Islands::new();
    for order in 0..3 {
        let link = |at: u32| Pair { a: at, b: at + 1 };
        let list: Vec<Pair> = match order {
            0 => (0..n - 1).map(link).collect(),
            1 => (0..n - 1).rev().map(link).collect(),
            _ => (0..n - 1).step_by(2).chain((1..n - 1).step_by(2)).map(link).collect(),
        };
        found.find(n as usize, &list, |_| true).unwrap();
        assert_eq!((found.len(), found.get(0).len()), (1, n as usize));
        assert!(found.get(0).iter().copied().eq(0..n));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn beside_plain_code(
        rows in 1..60_usize,
        list in prop::collection::vec(any::<[u32; 2]>(), 0..80),
        joins in any::<u64>(),
        mixed in any::<bool>(),
    ) {
        let row = |number: u32| number % rows as u32;
        let list: Vec<Pair> = list.iter().map(|&[a, b]| Pair { a: row(a), b: row(b) }).collect();
        let mut lists = Lists::new();
        for kind in [Adjacency::Full, Adjacency::Half] {
            adjacency(rows, &list, kind, &mut lists).unwrap();
            prop_assert_eq!(lists.len(), rows);
            let plain = neighbors::lists(rows, &list, kind);
            for (row, found) in lists.iter().enumerate() {
                prop_assert_eq!(found, partners(row as u32, &list, kind));
                let mut found = found.to_vec();
                found.sort_unstable();
                prop_assert_eq!(&found, &plain[row]);
            }
        }
        let joins = |row: u32| !mixed || joins >> row & 1 == 1;
        let mut found = Islands::new();
        // Kept memory makes no difference.
        found.find(rows + 9, &list, |_| true).unwrap();
        found.find(rows, &list, joins).unwrap();
        let expected = islands(rows, &list, joins);
        let islands: Vec<_> = (0..rows as u32).map(|row| found.island_of(row)).collect();
        prop_assert_eq!(&islands, &expected);
        for (island, members) in found.iter().enumerate() {
            let rows = (0..rows as u32).filter(|row| expected[*row as usize] == Some(island));
            prop_assert!(members.iter().copied().eq(rows));
        }
        prop_assert_eq!(found.len(), expected.iter().flatten().max().map_or(0, |last| last + 1));
    }
}
