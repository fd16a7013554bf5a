//! Many polygons from one list of vertices: all polygons, or no polygon.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use widephase::{
    Contact, Detector, Error, Options, Order, Pair, Shapes,
    error::{Fault, Field, PolygonFault},
    glam::Vec2,
    shape::{Circle, ConvexPolygon, Kind, MAX_COORDINATE, Obb, Point, Pose, Rotation, RoundedBox},
};

const TRIANGLE: [[f32; 2]; 3] = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]];
/// Clockwise, with a vertex in the middle of a side: four corners. Its lower left part is in the
/// triangle.
const SQUARE: [[f32; 2]; 5] = [[1.0, 1.0], [1.0, 3.0], [3.0, 3.0], [3.0, 2.0], [3.0, 1.0]];
/// Turns inwards at its last vertex.
const DENT: [[f32; 2]; 4] = [[9.0, 0.0], [13.0, 0.0], [9.0, 4.0], [10.0, 1.0]];
/// Beside the square, from x = 2.5 on.
const PENTAGON: [[f32; 2]; 5] = [[2.5, 1.5], [4.0, 1.0], [6.0, 2.0], [5.0, 4.0], [3.0, 4.0]];

/// The answers of a store about a row, to the bit.
type Row = (Option<Kind>, Option<[u32; 5]>, Option<[u32; 4]>);

/// All rows, their number, how many are vacant, and the bytes held.
fn content(shapes: &Shapes) -> (Vec<Row>, usize, usize, usize) {
    let sides = |around: RoundedBox| {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = around;
        [min_x, min_y, max_x, max_y, radius].map(f32::to_bits)
    };
    let place = |Pose { x, y, cos, sin, .. }: Pose| [x, y, cos, sin].map(f32::to_bits);
    let row = |row| (shapes.kind(row), shapes.bounds(row).map(sides), shapes.pose(row).map(place));
    let rows = (0..shapes.rows() as u32).map(row).collect();
    (rows, shapes.rows(), shapes.vacant(), shapes.bytes())
}

fn contacts(shapes: &Shapes) -> Vec<Contact> {
    let mut contacts = Vec::new();
    Detector::with_options(Options { order: Order::Sorted, ..Options::default() })
        .unwrap()
        .contacts(shapes, 0.25, &mut contacts)
        .unwrap();
    contacts
}

/// A store with a rotated shape, a vacant row and a polygon.
fn mixed() -> Shapes {
    let mut shapes = Shapes::from_slice(&[Circle::new([2.0, 2.0], 1.0); 2]).unwrap();
    shapes.push(Obb::new([0.0, 0.0], [2.0, 1.0], Rotation { cos: 0.6, sin: 0.8 })).unwrap();
    shapes.push(ConvexPolygon::new(&TRIANGLE).unwrap()).unwrap();
    shapes.remove(1).unwrap();
    shapes
}

#[test]
fn as_pushed_one_by_one() {
    let polygons = [&TRIANGLE[..], &SQUARE, &PENTAGON];
    let (vertices, counts) = (polygons.concat(), polygons.map(<[_]>::len));
    for start in [Shapes::new(), Shapes::from_slice(&[Point::new([1.0, 1.0])]).unwrap(), mixed()] {
        let (mut bulk, mut single) = (start.clone(), start);
        bulk.extend_from_polygons(&vertices, &counts).unwrap();
        for polygon in polygons {
            single.push(ConvexPolygon::new(polygon).unwrap()).unwrap();
        }
        let ((rows, ..), (expected, ..)) = (content(&bulk), content(&single));
        assert_eq!(rows, expected);
        let found = contacts(&bulk);
        assert_eq!(found, contacts(&single));
        // The triangle's long side, 3x + 4y = 12, cuts the square's corner (1, 1) off, and is 0.3
        // from the pentagon.
        let first = (rows.len() - 3) as u32;
        let named = |a, b| Pair { a: first + a, b: first + b };
        let own: Vec<Pair> =
            found.iter().map(|contact| contact.pair).filter(|pair| pair.a >= first).collect();
        assert_eq!(own, [named(0, 1), named(1, 2)]);
        // (1, 1) is (12 - 7) / 5 below that side.
        let cut = found.iter().find(|contact| contact.pair == named(0, 1)).unwrap();
        assert!((cut.depth - 1.0).abs() < 1e-6, "{cut:?}");
        assert!((cut.normal().x - 0.6).abs() < 1e-6 && (cut.normal().y - 0.8).abs() < 1e-6);
    }
    // Other types of vertices.
    let pairs: Vec<(f32, f32)> = vertices.iter().map(|&[x, y]| (x, y)).collect();
    let vectors: Vec<Vec2> = vertices.iter().map(|&vertex| vertex.into()).collect();
    let (mut first, mut second) = (Shapes::new(), Shapes::new());
    first.extend_from_polygons(&pairs, &counts).unwrap();
    second.extend_from_polygons(&vectors, &counts).unwrap();
    assert_eq!(content(&first), content(&second));
}

#[test]
fn none_are_none() {
    for mut shapes in [Shapes::new(), mixed()] {
        let before = content(&shapes);
        shapes.extend_from_polygons::<[f32; 2]>(&[], &[]).unwrap();
        assert_eq!(content(&shapes), before);
        // A polygon without vertices is no polygon.
        let fault = PolygonFault::TooFewVertices { distinct: 0 };
        let refused = Err(Error::InvalidPolygon { index: 0, fault });
        assert_eq!(shapes.extend_from_polygons::<[f32; 2]>(&[], &[0]), refused);
        let refused = Err(Error::InvalidPolygon { index: 1, fault });
        assert_eq!(shapes.extend_from_polygons(&TRIANGLE, &[3, 0]), refused);
        assert_eq!(content(&shapes), before);
    }
}

#[test]
fn the_first_bad_one_is_named() {
    let nan = [[7.0, 7.0], [8.0, f32::NAN], [8.0, 8.0]];
    let far = [-1.0, 1.0].map(|sign| sign * MAX_COORDINATE);
    // Each coordinate is admitted, but its corners are √2 · 2^60 from its own origin.
    let wide = [[far[0], far[0]], [far[1], far[0]], [far[1], far[1]]];
    let dent = PolygonFault::NotConvex { vertex: 3 };
    let value = PolygonFault::Vertex {
        vertex: 1,
        field: Field::Y,
        value: f32::NAN,
        fault: Fault::NotANumber,
    };
    for (bad, fault) in [(&DENT[..], Some(dent)), (&nan, Some(value)), (&wide, None)] {
        for mut shapes in [Shapes::new(), mixed()] {
            let before = content(&shapes);
            // The second of three; the third is bad, too.
            let polygons = [&SQUARE[..], bad, &[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]];
            let (vertices, counts) = (polygons.concat(), polygons.map(<[_]>::len));
            let error = shapes.extend_from_polygons(&vertices, &counts).unwrap_err();
            match fault {
                // NaN is not equal to itself, so as text.
                Some(fault) => {
                    let expected = Error::InvalidPolygon { index: 1, fault };
                    assert_eq!(format!("{error:?}"), format!("{expected:?}"));
                    assert!(error.to_string().starts_with("polygon 1: "), "{error}");
                }
                None => {
                    let (index, field, fault) = (1, Field::X, Fault::OutOfReach);
                    let expected = Error::InvalidShape { index, field, value: 0.0, fault };
                    assert_eq!(error, expected);
                }
            }
            assert_eq!(content(&shapes), before);
            // Without it the other polygons are taken.
            shapes.extend_from_polygons(&vertices[..5], &counts[..1]).unwrap();
            assert_eq!(shapes.rows(), before.1 + 1);
        }
    }
}

#[test]
fn counts_have_to_add_up() {
    let vertices = [&TRIANGLE[..], &SQUARE].concat();
    let all = vertices.len();
    for (counts, sum) in [
        (&[][..], 0),
        (&[3], 3),
        (&[3, 4], 7),
        (&[3, 6], 9),
        (&[3, 5, 3], 11),
        (&[usize::MAX], usize::MAX),
        // Rounded off to the word they would fit.
        (&[usize::MAX, 9], usize::MAX),
        (&[3, usize::MAX, 6], usize::MAX),
        (&[usize::MAX / 2 + 1, usize::MAX / 2 + 1, 8], usize::MAX),
    ] {
        for mut shapes in [Shapes::new(), mixed()] {
            let before = content(&shapes);
            let refused = Error::UnequalColumns { field: Field::X, len: all, expected: sum };
            assert_eq!(shapes.extend_from_polygons(&vertices, counts), Err(refused));
            assert_eq!(content(&shapes), before);
        }
    }
    let mut shapes = Shapes::new();
    shapes.extend_from_polygons(&vertices, &[3, 5]).unwrap();
    assert_eq!(shapes.rows(), 2);
}
