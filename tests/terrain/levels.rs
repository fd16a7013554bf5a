//! Levels in which bodies move, doors open and coins are picked up: the lists of each step beside a
//! detection of all bodies, rays beside an index that is built anew, and both equal on each SIMD
//! level and any number of threads.

use widephase::{Contact, Hit, Index, Pair, Queries, Ray};
use widephase_scenes::LevelKind;

use crate::level_world::{LevelWorld, sorted};
use common::matrix::matrix;

/// The pairs and the contacts of a step, as they are, and the first hits of its rays.
type StepAnswers = (Vec<Pair>, Vec<Contact>, Vec<Option<Hit>>);

/// The first hits of rays that start at the movers.
fn hits(level: &LevelWorld, index: &Index) -> Vec<Option<Hit>> {
    let movers = level.level.movers().iter().enumerate();
    let rays = movers.map(|(number, body)| {
        let turn = number as f32 * 2.399_963;
        Ray::new(body.center, [turn.cos(), turn.sin()]).up_to(40.0)
    });
    rays.map(|ray| index.without(0).cast_ray(ray).unwrap()).collect()
}

#[test]
fn levels_are_what_a_detection_of_all_bodies_finds() {
    for (kind, movers) in
        [(LevelKind::Cave, 60), (LevelKind::Tiles, 60), (LevelKind::Pit, 200), (LevelKind::Map, 8)]
    {
        let mut first: Option<Vec<StepAnswers>> = None;
        for run in matrix() {
            if run.touching != matrix()[0].touching {
                continue;
            }
            let options = run.options();
            let steps = run.within(|| {
                let mut level = LevelWorld::new(kind, movers, 5, options).unwrap();
                let mut steps = Vec::new();
                for number in 0..40 {
                    level.prepare();
                    level.apply().unwrap();
                    let step = level.world.step().unwrap();
                    let (pairs, contacts) = (step.pairs(), step.contacts());
                    let index = level.world.index().unwrap();
                    let seen = hits(&level, index);
                    if number % 13 == 0 && first.is_none() {
                        let found = sorted(pairs, contacts);
                        let expected = level.detection(options).unwrap();
                        assert!(found == expected, "{kind:?}, step {number}");
                        let fresh = Index::build(level.world.shapes()).unwrap();
                        assert!(seen == hits(&level, &fresh), "{kind:?}, step {number}");
                    }
                    steps.push((pairs.to_vec(), contacts.to_vec(), seen));
                }
                steps
            });
            assert!(first.as_ref().is_none_or(|first| *first == steps), "{kind:?}, {run}");
            first.get_or_insert(steps);
        }
        let steps = first.unwrap();
        let contacts: usize = steps.iter().map(|(_, contacts, _)| contacts.len()).sum();
        let seen = steps.iter().flat_map(|(.., seen)| seen).flatten().count();
        assert!(contacts > 40 && seen > 40, "{kind:?}: {contacts}, {seen}");
    }
}
