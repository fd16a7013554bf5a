//! Columns by the names of their fields.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use widephase::{
    Columns, Error, Shapes,
    columns::{
        AabbColumns, CapsuleColumns, CenteredColumns, ObbColumns, RoundedBoxColumns, SegmentColumns,
    },
    error::Field,
    shape::OwnedShape,
};

/// The shapes that columns make, in a store.
fn stored(columns: Result<Columns<'_>, Error>) -> Vec<OwnedShape> {
    let shapes = Shapes::from_columns(columns.unwrap()).unwrap();
    (0..shapes.rows() as u32).map(|row| shapes.get(row).unwrap()).collect()
}

#[test]
fn columns_by_name_are_the_columns_in_order() {
    // Each column has other values, so that no two can be swapped unseen.
    let (one, two, three) = ([1.0, 1.5], [2.0, 2.25], [3.0, 3.75]);
    let (four, radius) = ([4.5, 4.0], [0.5, 0.125]);
    let (cos, sin) = ([0.6, 0.8], [0.8, 0.6]);
    let [min_x, min_y, max_x, max_y] = [&one, &two, &three, &four].map(|column| &column[..]);
    let radius = &radius[..];
    let aabbs = AabbColumns { max_y, max_x, min_y, min_x };
    assert_eq!(stored(aabbs.try_into()), stored(Columns::aabbs(min_x, min_y, max_x, max_y)));
    let (x, y, half_width, half_height) = (min_x, min_y, max_x, max_y);
    let centered = CenteredColumns { half_height, half_width, y, x };
    let expected = Columns::centered(x, y, half_width, half_height);
    assert_eq!(stored(centered.try_into()), stored(expected));
    let rounded = RoundedBoxColumns { radius, max_y, max_x, min_y, min_x };
    let expected = Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius);
    assert_eq!(stored(rounded.try_into()), stored(expected));
    let obbs = ObbColumns { sin: &sin, cos: &cos, half_height, half_width, y, x };
    let expected = Columns::obbs(x, y, half_width, half_height, &cos, &sin);
    assert_eq!(stored(obbs.try_into()), stored(expected));
    let (ax, ay, bx, by) = (min_x, min_y, max_x, max_y);
    let capsules = CapsuleColumns { radius, by, bx, ay, ax };
    let expected = Columns::capsules(ax, ay, bx, by, radius);
    assert_eq!(stored(capsules.try_into()), stored(expected));
    let segments = SegmentColumns { by, bx, ay, ax };
    assert_eq!(stored(segments.try_into()), stored(Columns::segments(ax, ay, bx, by)));

    let short = ObbColumns { sin: &sin[..1], ..obbs };
    let error = Error::UnequalColumns { field: Field::Sin, len: 1, expected: 2 };
    assert_eq!(Columns::try_from(short).unwrap_err(), error);
}
