//! Shapes in several places, such as files or machines, with ids of 64 bits.

use widephase::{Contact, Detector, Shapes, shape::Capsule, tiles::Tiles};

use common::Rng;

/// Shapes of one place, which have ids from `first` on.
struct Piece {
    first: u64,
    shapes: Shapes,
}

/// The contacts within a margin of one set, with ids instead of rows, sorted.
fn with_ids(contacts: &[Contact], ids: &[u64]) -> Vec<([u64; 2], [u8; 56])> {
    let named = contacts.iter().map(|contact| {
        let pair = [contact.pair.a, contact.pair.b].map(|row| ids[row as usize]);
        (pair, bytemuck::bytes_of(contact)[8..].try_into().unwrap())
    });
    let mut named: Vec<_> = named.collect();
    named.sort();
    named
}

/// For each tile, each place gives the rows that reach in. The tile detects them in the order of
/// their ids, and reports its pairs.
#[test]
fn no_call_has_all_shapes() {
    let (mut rng, margin) = (Rng::new(64), 0.25);
    let (mut all, mut ids) = (Shapes::new(), vec![]);
    let pieces = [0, 1 << 33, u64::MAX - 999].map(|first| {
        let mut shapes = Shapes::new();
        for id in first..first + 300 {
            let start = [rng.range(0.0, 30.0), rng.range(0.0, 30.0)];
            let end = start.map(|at| at + rng.range(-1.5, 1.5));
            let capsule = Capsule::new(start, end, rng.range(0.0, 0.5));
            shapes.push(capsule).unwrap();
            all.push(capsule).unwrap();
            ids.push(id);
        }
        Piece { first, shapes }
    });
    let mut detector = Detector::new();
    let mut contacts = vec![];
    detector.contacts(&all, margin, &mut contacts).unwrap();
    let expected = with_ids(&contacts, &ids);
    assert!(expected.len() > 500, "{}", expected.len());

    let tiles = Tiles::balanced(&all, 9).unwrap();
    let mut found = vec![];
    for (number, tile) in tiles.iter().enumerate() {
        let (mut local, mut local_ids) = (Shapes::new(), vec![]);
        for Piece { first, shapes } in &pieces {
            let mut reach = vec![];
            for row in 0..shapes.rows() as u32 {
                let visit = |reached| reach.extend((reached == number).then_some(row));
                tiles.visit_reached(shapes.bounds(row).unwrap(), margin, visit);
            }
            local.extend_from_rows(shapes.columns(), &reach).unwrap();
            local_ids.extend(reach.iter().map(|row| first + u64::from(*row)));
        }
        detector.contacts(&local, margin, &mut contacts).unwrap();
        tile.retain(&local, margin, &mut contacts).unwrap();
        found.extend(with_ids(&contacts, &local_ids));
    }
    found.sort();
    assert!(found == expected, "{} contacts, and not {}", found.len(), expected.len());
}
