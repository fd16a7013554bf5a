//! Two outlines: all contacts of (b, a) are the mirror images of the contacts of (a, b), also where
//! two contacts are equally deep, or two parts have one middle.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{Rng, rng::cases};
use widephase::{
    Contact, Narrowphase, Pair, Shapes,
    shape::{Compound, Pose},
};

type Ring = Vec<[f32; 2]>;

/// The contacts of two shapes at these places, by their parts.
fn contacts(two: [(&Compound, [f32; 2]); 2], margin: f32) -> Vec<Contact> {
    let mut shapes = Shapes::new();
    for (shape, at) in two {
        shapes.push_at(shape, Pose::at(at)).unwrap();
    }
    let mut found = Vec::new();
    let pairs = [Pair { a: 0, b: 1 }];
    Narrowphase::new().contacts(&shapes, &pairs, margin, &mut found).unwrap();
    found
}

/// Returns the number of contacts. `None` if a ring crosses itself.
fn assert_mirrored(rings: [&Ring; 2], at: [f32; 2], margin: f32) -> Option<usize> {
    let [a, b] = rings.map(|ring| Compound::from_outline(ring, &[]).ok());
    let (a, b) = (a?, b?);
    let one = contacts([(&a, [0.0; 2]), (&b, at)], margin);
    let mut two: Vec<Contact> = contacts([(&b, at), (&a, [0.0; 2])], margin)
        .into_iter()
        .map(|contact| contact.mirrored().with_pair(Pair { a: 0, b: 1 }))
        .collect();
    two.sort_by_key(|contact| (contact.part_a, contact.part_b));
    let same = a == b && at == [0.0; 2];
    assert!(one == two || same, "{rings:?} {at:?} {margin}: {one:#?} and {two:#?}");
    Some(one.len())
}

#[test]
fn equally_deep_contacts() {
    let first = [
        vec![
            [-2.0, -1.0],
            [-1.5, -1.5],
            [0.5, -0.5],
            [1.0, 1.0],
            [-0.5, 1.5],
            [-1.0, 1.0],
            [-1.0, 0.5],
        ],
        vec![
            [-1.5, -1.5],
            [1.0, -2.0],
            [2.0, 0.0],
            [1.5, 1.0],
            [2.0, 1.5],
            [1.5, 2.0],
            [-2.0, 2.0],
            [-1.5, 1.0],
        ],
    ];
    let second = [
        vec![[-0.5, -0.5], [1.0, -2.0], [1.5, 1.5], [-1.0, 2.0], [-0.5, 1.0]],
        vec![[-1.0, -1.5], [1.0, -1.0], [1.0, 0.0], [2.0, 2.0], [-2.0, 2.0], [-1.5, 0.0]],
    ];
    assert_eq!(assert_mirrored(first.each_ref(), [-0.5, -1.0], 0.0), Some(1));
    assert_eq!(assert_mirrored(second.each_ref(), [0.5, 0.5], 0.25), Some(1));
}

#[test]
fn any_two_outlines() {
    let mut rng = Rng::new(1);
    let mut seen = 0;
    for number in 0..cases(17_000) {
        let rings = [(); 2].map(|()| -> Ring {
            let count = 5 + rng.below(4);
            let mut ring: Ring =
                (0..count).map(|_| [(); 2].map(|()| rng.int(-4, 4) as f32 * 0.5)).collect();
            ring.sort_by(|a, b| a[1].atan2(a[0]).total_cmp(&b[1].atan2(b[0])));
            ring
        });
        let at = [(); 2].map(|()| rng.int(-4, 4) as f32 * 0.5);
        let margin = [0.0, 0.25][number % 2];
        seen += assert_mirrored(rings.each_ref(), at, margin).unwrap_or_default();
    }
    assert!(seen > cases(6_800), "{seen}");
}
