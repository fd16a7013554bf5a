//! Contacts as columns.

use widephase::{Detector, Shapes, columns::ContactColumns, shape::Aabb};

/// Records written to columns are read back unchanged. A shorter list leaves nothing of a longer
/// list.
#[test]
fn there_and_back() {
    let mut shapes = Shapes::new();
    for x in 0..20 {
        let x = x as f32 * 0.75;
        shapes.push(Aabb::new([x, 0.0], [x + 1.0, 1.0 + x])).unwrap();
    }
    let (mut contacts, mut columns) = (Vec::new(), ContactColumns::new());
    Detector::new().contacts(&shapes, 0.5, &mut contacts).unwrap();
    assert!(contacts.iter().any(|contact| contact.points().len() == 2));
    for len in [contacts.len(), 3, 0] {
        columns.fill(&contacts[..len]);
        assert_eq!((columns.len(), columns.is_empty()), (len, len == 0));
        for (index, contact) in contacts[..len].iter().enumerate() {
            assert_eq!(columns.get(index), Some(*contact));
        }
        assert_eq!(columns.get(len), None);
    }
}
