//! The filters of a store.

use widephase::{
    Columns, Detector, Error, Filter, Shapes,
    error::Field,
    shape::{Circle, Obb, Rotation},
};

const APART: Filter = Filter::ALL.in_group(-1);

fn circle(x: f32) -> Circle {
    Circle::new([x, 0.0], 1.0)
}

#[test]
fn a_filter_stays_with_its_row() {
    let mut shapes = Shapes::from_slice(&[circle(0.0), circle(1.0), circle(2.0)]).unwrap();
    assert_eq!(shapes.filter(0), Some(Filter::ALL));
    assert_eq!(shapes.filter(3), None);
    let bytes = shapes.bytes();
    shapes.set_filter(2, APART).unwrap();
    assert!(shapes.bytes() >= bytes + 3 * size_of::<Filter>());
    assert_eq!(shapes.set_filter(3, APART).unwrap_err(), Error::NoSuchShape { index: 3, len: 3 });

    // Replaced and moved: kept. Rows that are added: the default.
    shapes.set(2, Obb::new([2.0, 0.0], [1.0, 1.0], Rotation::from_angle(1.0))).unwrap();
    shapes.push(circle(3.0)).unwrap();
    assert_eq!([2, 3].map(|row| shapes.filter(row)), [Some(APART), Some(Filter::ALL)]);
    // Removed: the default again.
    shapes.remove(2).unwrap();
    assert_eq!(shapes.filter(2), None);
    assert!(shapes.set_filter(2, APART).is_err());
    shapes.set(2, circle(2.0)).unwrap();
    assert_eq!(shapes.filter(2), Some(Filter::ALL));
    shapes.clear();
    shapes.push(circle(0.0)).unwrap();
    assert_eq!(shapes.filter(0), Some(Filter::ALL));
}

#[test]
fn filters_of_all_rows() {
    let mut shapes = Shapes::from_slice(&[circle(0.0); 4]).unwrap();
    let error = Error::UnequalColumns { field: Field::Filter, len: 3, expected: 4 };
    assert_eq!(shapes.set_filters(&[APART; 3]).unwrap_err(), error);
    assert_eq!(Detector::new().count(&shapes).unwrap(), 6);
    shapes.set_filters(&[APART, APART, APART, Filter::ALL]).unwrap();
    assert_eq!(Detector::new().count(&shapes).unwrap(), 3);
    shapes.reorder(&[3, 0, 1, 2]).unwrap();
    assert_eq!(shapes.filter(0), Some(Filter::ALL));
    assert_eq!(Detector::new().count(&shapes).unwrap(), 3);
}

#[test]
fn copies_have_the_filters_of_their_rows() {
    let mut shapes = Shapes::from_slice(&[circle(0.0), circle(0.5), circle(1.0)]).unwrap();
    for row in [0, 2] {
        shapes.set_filter(row, APART).unwrap();
    }
    let all = |shapes: &Shapes| -> Vec<_> {
        (0..shapes.rows() as u32).map(|row| shapes.filter(row).unwrap()).collect()
    };
    let mut copy = Shapes::from_columns(shapes.columns()).unwrap();
    assert_eq!(all(&copy), [APART, Filter::ALL, APART]);
    copy.extend_from_rows(shapes.columns(), &[1, 0]).unwrap();
    assert_eq!(all(&copy)[3..], [Filter::ALL, APART]);
    let (x, y, radius) = ([0.0, f32::NAN], [0.0; 2], [1.0; 2]);
    let columns = Columns::circles(&x, &y, &radius).unwrap();
    copy.extend_from_columns(columns).unwrap_err();
    assert_eq!(copy.rows(), 5);
    let columns = columns.with_filters(&[APART, APART]).unwrap();
    assert_eq!(copy.extend_from_columns_lenient(columns).unwrap().len(), 1);
    assert_eq!(copy.filter(5), Some(APART));
    assert_eq!(copy.filter(6), None);
    // Columns without filters behind rows with filters.
    let plain = Columns::circles(&x[..1], &y[..1], &radius[..1]).unwrap();
    copy.extend_from_columns(plain).unwrap();
    assert_eq!(copy.filter(7), Some(Filter::ALL));
}
