//! Each step has the contacts of one process.

use crate::launch::{assert_same, steps};

/// Runs 1, 2, 4 and 7 ranks, each of which compares each step with one process.
fn on_all_numbers_of_ranks(options: &str) {
    let options = format!("{options} --verify");
    let one = steps(1, &options);
    assert_eq!(one.len(), 10, "{options}");
    assert!(one.iter().all(|step| step.handed == 0 && step.ghosts == 0), "{one:?}");
    for ranks in [2, 4, 7] {
        assert_same(&steps(ranks, &options), &one, &format!("{ranks} ranks, {options}"));
    }
}

#[test]
fn circles_and_boxes() {
    for scene in ["s1", "s2", "s3"] {
        on_all_numbers_of_ranks(&format!("--scene {scene} -n 1000"));
    }
}

#[test]
fn sizes_that_differ() {
    for scene in ["s4", "s5", "s6"] {
        on_all_numbers_of_ranks(&format!("--scene {scene} -n 1000 --margin 0.25"));
    }
}

#[test]
fn rotated_shapes_and_compounds() {
    for scene in ["s7", "s8"] {
        on_all_numbers_of_ranks(&format!("--scene {scene} -n 1000 --margin 0.125"));
    }
    // Two compounds may touch at several places.
    let [step] = &steps(2, "--scene s8 -n 1000 --steps 1")[..] else { panic!("one step") };
    assert!(step.contacts > step.pairs, "{step:?}");
}

#[test]
fn all_bodies_in_one_place_and_a_giant() {
    on_all_numbers_of_ranks("--scene coincident -n 60 --speed 0");
    on_all_numbers_of_ranks("--scene giant -n 500");
    on_all_numbers_of_ranks("--scene far-body -n 500");
}

#[test]
fn fewer_bodies_than_ranks() {
    for bodies in [0, 1, 3] {
        on_all_numbers_of_ranks(&format!("--scene s1 -n {bodies} --margin 1"));
    }
}

/// Bodies that cross several tiles in a step. Rows change so much that they are sorted anew.
#[test]
fn bodies_as_fast_as_tiles_are_wide() {
    for scene in ["s1", "s3", "s7", "s8"] {
        let options = format!("--scene {scene} -n 500 --speed 20 --verify");
        let one = steps(1, &options);
        let seven = steps(7, &options);
        assert_same(&seven, &one, &options);
        assert!(seven.iter().map(|step| step.handed).sum::<u64>() > 500, "{seven:?}");
    }
}

/// New tiles after each step, however even the work is.
#[test]
fn tiles_that_change() {
    for scene in ["s5", "s7"] {
        let options = format!("--scene {scene} -n 1000 --rebalance 0 --verify");
        assert_same(&steps(4, &options), &steps(1, &options), &options);
    }
}

/// The same seed gives the same run, another seed another one.
#[test]
fn a_run_is_repeatable() {
    let options = "--scene s1 -n 300 --seed 5";
    assert_eq!(steps(2, options), steps(2, options));
    assert_ne!(steps(2, options)[0].hash, steps(2, "--scene s1 -n 300 --seed 6")[0].hash);
}
