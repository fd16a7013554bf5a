//! Properties of contacts that must hold independently of the engine and the reference: points lie
//! on both shapes, two points have different ids, touching shapes have a contact with a depth of at
//! least 0, and the contact of exchanged shapes is the mirror image.

use std::collections::BTreeSet;

use widephase::{
    Contact, Pair, narrowphase,
    reference::{placed_shape::PlacedShape, whole::Whole},
    shape::Posed,
};

/// Checks the contacts of the shapes of a world; `pairs` are the pairs that touch.
pub(crate) fn check(contacts: &[Contact], pairs: &[Pair], wholes: &[Whole]) {
    let mut touching = BTreeSet::new();
    for contact in contacts {
        let Pair { a, b } = contact.pair;
        let body = |row: u32, part: u32| &wholes[row as usize].parts[part as usize];
        let shapes = [body(a, contact.part_a), body(b, contact.part_b)];
        let tolerance = tolerance(shapes);
        let points = contact.points();
        for point in points {
            let at = [point.x, point.y].map(f64::from);
            for shape in shapes {
                let off = distance(&shape.corners, at) - f64::from(shape.radius);
                let most = f64::from(point.depth).abs() * 0.5 + tolerance;
                assert!(off <= most, "{off} off, not {most}: {contact:?} of {shapes:?}");
            }
        }
        if let [one, other] = points {
            assert_ne!(one.id(), other.id(), "{contact:?}");
            assert!(one.depth >= other.depth, "{contact:?}");
        }
        if contact.depth >= 0.0 {
            touching.insert(contact.pair);
        }
    }
    let pairs: BTreeSet<Pair> = pairs.iter().copied().collect();
    assert_eq!(touching, pairs, "what touches, and what has a contact that says so");
}

/// Checks the contacts of two shapes, given in either order.
pub(crate) fn check_mirror(a: &Posed<'_>, b: &Posed<'_>, wholes: [&Whole; 2], margin: f32) {
    let find = |a, b| narrowphase::contact(a, b, margin).expect("a margin that was taken before");
    // Circles around one point have the same normal in either order, and equal shapes have no
    // order.
    let centers = wholes.map(|whole| whole.parts.iter().map(|part| part.center));
    let [a_centers, b_centers] = centers.map(|centers| centers.collect::<Vec<_>>());
    if a_centers.iter().any(|center| b_centers.contains(center)) {
        return;
    }
    let mirrored = find(b, a).map(Contact::mirrored);
    assert_eq!(find(a, b), mirrored, "the mirror image of {wholes:?}");
}

/// A few roundings of the values that a contact is computed from.
fn tolerance(shapes: [&PlacedShape; 2]) -> f64 {
    let corners = || shapes.into_iter().flat_map(|shape| &shape.corners).flatten();
    let place = corners().fold(0.0, |most: f64, value| most.max(value.abs()));
    let radius: f64 = shapes.into_iter().map(|shape| f64::from(shape.radius)).sum();
    (place + radius) * 64.0 * 2.0_f64.powi(-24) + 2.0_f64.powi(-48)
}

/// The distance of a point from the convex hull of corners in counter-clockwise order.
fn distance(corners: &[[f64; 2]], [x, y]: [f64; 2]) -> f64 {
    let mut within = corners.len() > 2;
    let mut nearest = f64::INFINITY;
    for (index, &[ax, ay]) in corners.iter().enumerate() {
        let [bx, by] = corners[(index + 1) % corners.len()];
        let ([dx, dy], [px, py]) = ([bx - ax, by - ay], [x - ax, y - ay]);
        within &= dx * py - dy * px >= 0.0;
        let length2 = dx * dx + dy * dy;
        let share =
            if length2 > 0.0 { ((dx * px + dy * py) / length2).clamp(0.0, 1.0) } else { 0.0 };
        nearest = nearest.min((px - share * dx).hypot(py - share * dy));
    }
    if within { 0.0 } else { nearest }
}
