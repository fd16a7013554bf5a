//! Tiles: all tiles together find the results of one call, each pair once.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod balanced;
mod borders;
mod pieces;
mod union;

use widephase::{
    Columns, Contact, Detector, Options, Order, Pair, Shapes,
    tiles::{TileDetector, TileRows, Tiles},
};

/// The contacts of all tiles, or of one call, by pair, as bytes.
fn sorted(mut contacts: Vec<Contact>) -> Vec<Contact> {
    contacts.sort_by_key(|contact| (contact.pair, contact.part_a, contact.part_b));
    contacts
}

/// Pairs and contacts of all tiles, sorted. Each list is sorted by pair, and no pair is in two.
fn tiled(
    tiles: &Tiles,
    columns: Columns<'_>,
    margin: f32,
    options: &Options,
) -> (Vec<Pair>, Vec<Contact>) {
    let mut rows = TileRows::new();
    rows.divide(tiles, columns, margin).unwrap();
    let mut detector = TileDetector::with_options(*options).unwrap();
    let (mut pairs, mut contacts) = (vec![], vec![]);
    let (mut all, mut all_contacts) = (vec![], vec![]);
    for tile in 0..rows.len() {
        detector.pairs(&rows, tile, columns, &mut pairs).unwrap();
        detector.contacts(&rows, tile, columns, margin, &mut contacts).unwrap();
        all.append(&mut pairs);
        all_contacts.append(&mut contacts);
    }
    all.sort();
    (all, sorted(all_contacts))
}

/// The results of one call.
fn whole(columns: Columns<'_>, margin: f32, options: &Options) -> (Vec<Pair>, Vec<Contact>) {
    let options = Options { order: Order::Sorted, ..*options };
    let mut detector = Detector::with_options(options).unwrap();
    let (mut pairs, mut contacts) = (vec![], vec![]);
    detector.pairs(columns, &mut pairs).unwrap();
    detector.contacts(columns, margin, &mut contacts).unwrap();
    (pairs, sorted(contacts))
}

/// Asserts that both results are equal, the contacts bit for bit. Returns the number of pairs.
fn assert_same(tiles: &Tiles, shapes: &Shapes, margin: f32, options: &Options) -> usize {
    let columns = Columns::from(shapes);
    let (pairs, contacts) = tiled(tiles, columns, margin, options);
    let (expected, expected_contacts) = whole(columns, margin, options);
    assert_eq!(pairs, expected);
    assert_eq!(
        bytemuck::cast_slice::<Contact, u8>(&contacts),
        bytemuck::cast_slice::<Contact, u8>(&expected_contacts)
    );
    pairs.len()
}
