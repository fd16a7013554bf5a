//! Chains, half-planes and outlines: by hand, sliding over joints, and beside the reference.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "../../crates/scenes/level_world.rs"]
mod level_world;

mod areas;
mod casts;
mod chains;
mod contacts_of_outlines;
mod half_planes;
mod levels;
mod merged_boxes;
mod mirrored;
mod outline_truth;
mod outlines;
mod random;
mod random_rings;
mod seams;
mod sliding;
mod touching_rings;

use common::crowd::PosedShape;
use common::levels;
use widephase::{
    Contact, Detector, Index, Options, Pair, Shapes,
    narrowphase::contact,
    shape::{OwnedShape, Pose},
};

/// The contacts of a store, sorted by rows and parts. The same on each SIMD level, in one set, with
/// an index, and in a list of pairs.
fn contacts(shapes: &Shapes, margin: f32) -> Vec<Contact> {
    let mut all: Option<Vec<Contact>> = None;
    for level in levels() {
        let options = Options { simd_level: Some(*level), ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let mut found = Vec::new();
        detector.contacts(shapes, margin, &mut found).unwrap();
        sort(&mut found);
        if let Some(all) = &all {
            assert_eq!(all, &found, "{level}");
        }
        let mut against = Vec::new();
        let index = Index::build(shapes).unwrap();
        detector.contacts((shapes, &index), margin, &mut against).unwrap();
        against.retain(|contact| contact.pair.a < contact.pair.b);
        sort(&mut against);
        assert_eq!(found, against, "{level}, with an index");
        all = Some(found);
    }
    all.unwrap()
}

fn sort(contacts: &mut [Contact]) {
    contacts
        .sort_by_key(|contact| (contact.pair.a, contact.pair.b, contact.part_a, contact.part_b));
}

/// The pairs of a store, sorted. The same on each SIMD level.
fn pairs(shapes: &Shapes) -> Vec<Pair> {
    let mut all: Option<Vec<Pair>> = None;
    for level in levels() {
        let options = Options { simd_level: Some(*level), ..Options::default() };
        let mut found = Vec::new();
        Detector::with_options(options).unwrap().pairs(shapes, &mut found).unwrap();
        found.sort_unstable();
        assert!(all.is_none_or(|all| all == found), "{level}");
        all = Some(found);
    }
    all.unwrap()
}

/// The contact of two shapes.
fn contact_of(a: &PosedShape, b: &PosedShape) -> Option<Contact> {
    contact(a, b, 0.0).unwrap()
}

fn posed(shape: impl Into<OwnedShape>) -> PosedShape {
    PosedShape::from(shape.into())
}

fn posed_at(shape: impl Into<OwnedShape>, pose: Pose) -> PosedShape {
    PosedShape::at(shape.into(), pose)
}
