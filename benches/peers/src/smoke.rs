//! Every executor finds the same pairs as brute force, in every kind of scene.

use widephase::{
    Touching,
    reference::brute_force,
    scene::{Scene, SceneKind},
};

use crate::{
    bodies::{Boxes, Circles, Form, RoundedBoxes, Rows},
    executor, verify,
};

#[test]
fn every_executor_finds_the_pairs_of_brute_force() {
    for kind in SceneKind::ALL.into_iter().filter(|kind| !kind.turns()) {
        let scene = Scene::generate(kind, 500, 1);
        match Form::of(&scene) {
            Form::Circles => check::<Circles>(scene),
            Form::Boxes => check::<Boxes>(scene),
            Form::Rounded => check::<RoundedBoxes>(scene),
        }
    }
}

/// Runs several steps, for the executors that keep a structure.
fn check<R: Rows>(mut scene: Scene) {
    let mut rows = R::default();
    rows.copy(&scene);
    let mut executors: Vec<_> = executor::ALL
        .iter()
        .map(|entry| {
            let mut executor = entry.build::<R>().unwrap();
            executor.begin(&rows).unwrap();
            (entry, executor)
        })
        .collect();
    for step in 0..4 {
        let mut truth = brute_force::pairs(&scene.rounded_boxes(), Touching::Inclusive);
        for (entry, executor) in &mut executors {
            let mut pairs = Vec::new();
            executor.detect(&rows, &mut pairs).unwrap();
            let difference = verify::difference(&mut pairs, &mut truth, entry.agreement(), &rows);
            assert_eq!(difference, None, "{}, {}, step {step}", scene.kind(), entry.name);
        }
        scene.step();
        rows.copy(&scene);
    }
}
