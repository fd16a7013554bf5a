//! Contacts row by row, with the expected results.

use widephase::{
    Contact, Narrowphase, NarrowphaseOptions, Pair, Shapes, SimdLevel, Touching,
    columns::ContactColumns,
};

use super::crowd::PosedShape;

/// The contacts from the narrowphase for shape `i` of `a` and shape `i` of `b`, in row `i`.
pub fn row_by_row(
    [a, b]: [&[Option<PosedShape>]; 2],
    touching: Touching,
    margin: f32,
) -> Vec<Option<Contact>> {
    let mut shapes = Shapes::new();
    let mut pairs = Vec::new();
    let mut rows = Vec::new();
    for (row, (a, b)) in a.iter().zip(b).enumerate() {
        let (Some(a), Some(b)) = (a, b) else { continue };
        pairs.push(Pair { a: a.push(&mut shapes), b: b.push(&mut shapes) });
        rows.push(row);
    }
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(SimdLevel::Scalar),
        touching,
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut contacts = Vec::new();
    narrowphase.contacts(&shapes, &pairs, margin, &mut contacts).unwrap();
    let mut expected = vec![None; a.len()];
    for contact in contacts {
        let row = rows[contact.pair.a as usize / 2];
        let pair = Pair { a: row as u32, b: row as u32 };
        expected[row] = Some(contact.with_pair(pair));
    }
    expected
}

/// Checks every row to the bit. `first` is the id of the first row. Without a contact, a row holds
/// only its ids.
pub fn assert_rows(found: &ContactColumns, first: usize, expected: &[Option<Contact>], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (row, expected) in expected.iter().enumerate() {
        let name = (first + row) as u32;
        let pair = Pair { a: name, b: name };
        let expected = expected.unwrap_or(Contact::default().with_pair(pair));
        let found = found.get(row).unwrap();
        let bits = |contact: &Contact| bytemuck::cast::<_, [u32; 16]>(*contact);
        assert!(bits(&found) == bits(&expected), "{what}, row {name}: {found:?}, not {expected:?}");
    }
}
