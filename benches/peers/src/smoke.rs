//! Every executor finds the same pairs as brute force, in every kind of scene.

use crate::scene::{Scene, SceneKind};
use widephase::{Touching, reference::brute_force};

use crate::{
    bodies::{Boxes, Circles, Form, RoundedBoxes, Rows},
    suite::Suite,
    verify,
};

#[test]
fn every_executor_finds_the_pairs_of_brute_force() {
    check_all(Suite::Pairs);
}

#[test]
fn every_step_keeps_the_pairs_of_brute_force() {
    check_all(Suite::Steps);
}

fn check_all(suite: Suite) {
    for kind in SceneKind::ALL.into_iter().filter(|kind| !kind.turns()) {
        let scene = Scene::generate(kind, 500, 1);
        match Form::of(&scene) {
            Form::Circles => check::<Circles>(suite, scene),
            Form::Boxes => check::<Boxes>(suite, scene),
            Form::Rounded => check::<RoundedBoxes>(suite, scene),
        }
    }
}

/// Runs several steps, for the executors that keep a structure.
fn check<R: Rows>(suite: Suite, mut scene: Scene) {
    let mut rows = R::default();
    rows.copy(&scene);
    let mut executors: Vec<_> = suite
        .entries()
        .iter()
        .map(|entry| {
            let mut executor = entry.build::<R>().unwrap();
            executor.begin(&rows).unwrap();
            (entry, executor)
        })
        .collect();
    for step in 0..8 {
        let mut truth = brute_force::pairs(&scene.rounded_boxes(), Touching::Inclusive);
        for (entry, executor) in &mut executors {
            let mut pairs = Vec::new();
            executor.prepare(&rows).unwrap();
            executor.detect(&rows, &mut pairs).unwrap();
            executor.kept(&mut pairs).unwrap();
            let difference = verify::difference(&mut pairs, &mut truth, entry.agreement(), &rows);
            assert_eq!(difference, None, "{}, {}, step {step}", scene.kind(), entry.name);
        }
        scene.step();
        rows.copy(&scene);
    }
}
