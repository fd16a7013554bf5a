//! An outline is the area of its rings, exactly: random maps and rings beside whole numbers.

mod calls;
mod exact;
mod maps;
mod rings;

use widephase::shape::{Compound, OwnedShape, Point, Pose};

use crate::outlines::Ring;
use calls::{Case, check_copies, check_sets, check_two, check_world};
use common::crowd::PosedShape;
use exact::{Place, Truth};

/// The compound of outlines, each with its holes behind it.
fn compound(outlines: &[Vec<Ring>]) -> Compound {
    Compound::from_outlines(outlines).unwrap()
}

/// The cases of points in an area.
fn points(truth: &Truth, points: &[[f32; 2]]) -> Vec<Case> {
    points.iter().map(|at| Case::new(Point::new(*at), truth.place(*at).touches())).collect()
}

/// Checks points in all calls.
fn check_points(outlines: &[Vec<Ring>], given: &[[f32; 2]], inside: &[[f32; 2]], name: &str) {
    let (compound, truth) = (compound(outlines), Truth::new(outlines));
    for at in inside {
        assert_eq!(truth.place(*at), Place::Inside, "{name}");
    }
    let all: Vec<[f32; 2]> = given.iter().chain(inside).copied().collect();
    let cases = points(&truth, &all);
    check_copies(&compound);
    let area = PosedShape::from(OwnedShape::from(compound));
    check_two(&area, &cases, name);
    check_sets(&area, &cases, true, name);
    check_world(&area, &cases, name);
    let pose = Some(Pose::default());
    check_sets(&PosedShape { pose, ..area }, &cases, true, name);
}

/// The two rings of the report: a part had lost a vertex that hardly bends it.
#[test]
fn points_of_slivers_are_inside() {
    let stairs = vec![[0.4, 0.2], [0.5, 0.2], [0.5, 0.1], [0.6, 0.1], [0.6, 0.3], [0.4, 0.3]];
    check_points(
        &[vec![stairs]],
        &[[0.45, 0.15], [0.5, 0.2], [0.6, 0.2]],
        &[[0.55, 0.15]],
        "stairs",
    );
    let real = [
        [-12582912.0, -8388608.0],
        [-4194304.0, -8388608.0],
        [0.0, -2.0],
        [4194304.0, -8388608.0],
        [12582912.0, -8388608.0],
        [8388608.0, 0.0],
        [8388608.0, 8388608.0],
        [-8388608.0, 8388608.0],
        [-8388608.0, 0.0],
    ];
    // In the units of these tests: 2^24 units are too many.
    let small = |at: [f32; 2]| at.map(|value| value / 64.0);
    let ring = real.map(small).to_vec();
    let inside = [small([2_000_000.0, -1.0]), small([0.0, -1.0])];
    check_points(&[vec![ring]], &[small([0.0, -3.0])], &inside, "real");
    let compound = Compound::from_outline(&real, &[]).unwrap();
    assert!(compound.contains([2_000_000.0, -1.0]));
    let held = widephase::narrowphase::contains(
        &compound,
        [2_000_000.0, -1.0],
        widephase::Touching::Exclusive,
    );
    assert!(held.unwrap());
}
