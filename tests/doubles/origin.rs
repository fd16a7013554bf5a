//! `Origin`: `f64` positions to `f32` and back, and shapes at far coordinates.

use widephase::{
    Error, Touching,
    doubles::{DoubleColumns, Origin},
    error::{Fault, PolygonFault},
    narrowphase::touches,
    shape::Point,
};

use crate::ORIGINS;
use common::{Rng, product};

#[test]
fn positions_return_within_the_stated_error() {
    let mut rng = Rng::new(3);
    for (place, extent, _) in product((ORIGINS, [1e-6, 1.0, 1e4, 1e8], 0..200)) {
        let origin = Origin::at([place, -place * 0.5]);
        let by = [(); 2].map(|()| (rng.unit() - 0.5) * extent);
        let at = [origin.position()[0] + by[0], origin.position()[1] + by[1]];
        let back = origin.absolute(origin.relative(at));
        for axis in [0, 1] {
            let apart = (at[axis] - origin.position()[axis]).abs();
            // And the rounding of the sum.
            let most = apart * 2f64.powi(-24) + at[axis].abs() * 2f64.powi(-53);
            assert!((back[axis] - at[axis]).abs() <= most, "{at:?} {back:?}");
        }
    }
}

#[test]
fn an_origin_is_among_the_shapes() {
    let at: Vec<[f64; 2]> = (0..1001).map(|row| [f64::from(row), -3.0]).collect();
    let [x, y] = Origin::among(&DoubleColumns::points_at(&at).unwrap()).position();
    assert!((450.0..550.0).contains(&x) && y == -3.0, "{x}");
    assert_eq!(Origin::among(&DoubleColumns::points_at(&[]).unwrap()), Origin::default());
}

/// The 24 corners of a regular polygon around a place.
fn ring(place: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let corner = |number: u32| {
        let angle = std::f64::consts::TAU / 24.0 * f64::from(number);
        [place[0] + radius * angle.cos(), place[1] + radius * angle.sin()]
    };
    (0..24).map(corner).collect()
}

#[test]
fn a_polygon_has_its_vertices_relative_to_the_origin() {
    for place in [[0.0, 0.0], [5e5, 4.5e6], [-5e6, 3e5], [1e9, 1e9]] {
        for radius in [0.5, 3.0, 40.0] {
            let vertices = ring(place, radius);
            let origin = Origin::at([place[0] + 100.0, place[1] - 50.0]);
            let shape = origin.polygon(&vertices).unwrap();
            assert_eq!(shape.vertices().len(), 24, "{place:?}, {radius}");
            for (vertex, given) in shape.vertices().iter().zip(&vertices) {
                assert_eq!(vertex.to_array(), origin.relative(*given));
            }
            // A point beside a vertex, and one within the shape, by a hundredth.
            for (by, touch) in [(1.01, false), (0.99, true)] {
                let at = [place[0] + radius * by, place[1]];
                let point = Point::new(origin.relative(at));
                assert_eq!(touches(&shape, point, Touching::Inclusive).unwrap(), touch);
            }
        }
    }
}

#[test]
fn equal_vertices_of_two_polygons_stay_equal() {
    let corner = [-25.06167, 47.401];
    let one = [[-25.32356, 46.5423], corner, [-24.03531, 46.48891]];
    let other = [[-23.28149, 46.15349], corner, [-23.05979, 47.97356]];
    for place in [[0.0, 0.0], [5e5, 4.5e6], [-3.7, 1e5]] {
        for origin in [[0.0, 0.0], [-25.0, 47.0], [100.0, -300.0]] {
            let origin = Origin::at([0, 1].map(|axis: usize| origin[axis] + place[axis]));
            let [one, other] = [one, other].map(|ring| {
                let ring = ring.map(|at| [0, 1].map(|axis: usize| at[axis] + place[axis]));
                origin.polygon(&ring).unwrap()
            });
            assert!(touches(&one, &other, Touching::Inclusive).unwrap(), "{place:?} {origin:?}");
            assert!(!touches(&one, &other, Touching::Exclusive).unwrap(), "{place:?} {origin:?}");
        }
    }
}

#[test]
fn outlines_keep_their_vertices_wherever_they_are() {
    let place = [5e5, 4.5e6];
    let frame = Origin::at(place).outlines(&[&[ring(place, 3.0), ring(place, 1.5)]]).unwrap();
    let near = [ring([0.0; 2], 3.0), ring([0.0; 2], 1.5)];
    let near = Origin::default().outlines(&[&near]).unwrap();
    assert_eq!(frame.parts().len(), near.parts().len());
    for (x, touch) in [(1.0, false), (2.0, true), (3.01, false)] {
        for shape in [&frame, &near] {
            let point = Point::new([x, 0.0]);
            assert_eq!(touches(shape, point, Touching::Inclusive).unwrap(), touch, "{x}");
        }
    }
    // Two squares that share a side are one area: its middle is inside.
    let square =
        |x: f64| vec![vec![[x, 4e6], [x + 1.0, 4e6], [x + 1.0, 4e6 + 1.0], [x, 4e6 + 1.0]]];
    let both = Origin::at([1.0, 4e6]).outlines(&[&square(0.0), &square(1.0)]).unwrap();
    assert!(touches(&both, Point::new([0.0, 0.5]), Touching::Exclusive).unwrap());
}

#[test]
fn wrong_vertices_are_refused() {
    let vertices = [[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]];
    let refused = Origin::at([4e6, 0.0]).polygon(&vertices).unwrap_err();
    let Error::InvalidPolygon { fault: PolygonFault::Vertex { vertex, fault, .. }, .. } = refused
    else {
        panic!("{refused}")
    };
    assert_eq!((vertex, fault), (2, Fault::NotANumber));
    assert!(Origin::default().polygon(&[[0.0, 0.0], [1e300, 0.0], [0.0, 1e300]]).is_err());
    assert!(Origin::default().polygon(&[]).is_err());
}
