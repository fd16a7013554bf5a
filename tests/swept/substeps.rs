//! Nothing tunnels: shapes that touch at one of many sub-steps, and not at the start, are listed,
//! at that time or before.

use proptest::prelude::*;
use widephase::{Detector, Displacements};

use crate::{Moves, both_forms, random::moves};
use common::{Rng, crowd::crowds, pow2};

const SUBSTEPS: u32 = 64;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn touches_of_substeps_are_listed(mut crowd in crowds()) {
        // Sub-steps are rounded to `f32`, so not far from the origin.
        crowd.far = 0;
        let mut rng = Rng::new(crowd.seed ^ 55);
        let (store, shapes) = both_forms(&crowd.solids());
        let moves = Moves::new(&moves(&mut rng, shapes.len(), pow2(crowd.unit)));
        let (mut detector, mut impacts) = (Detector::new(), Vec::new());
        detector.swept_pairs(&store, Displacements { x: &moves.dx, y: &moves.dy, ..Displacements::default() }, &mut impacts).unwrap();
        let (mut pairs, mut at_start) = (Vec::new(), Vec::new());
        detector.pairs(&store, &mut at_start).unwrap();
        for substep in 0..=SUBSTEPS {
            let fraction = substep as f32 / SUBSTEPS as f32;
            let part = |column: &[f32]| column.iter().map(|by| by * fraction).collect::<Vec<_>>();
            let mut moved = store.clone();
            moved.translate(&part(&moves.dx), &part(&moves.dy)).unwrap();
            detector.contacts(&moved, 0.0, &mut pairs).unwrap();
            for contact in &pairs {
                let pair = contact.pair;
                if at_start.contains(&pair) {
                    continue;
                }
                let deep = contact.depth > 1e-3 * pow2(crowd.unit);
                let found = impacts.iter().find(|impact| impact.pair == pair);
                prop_assert!(found.is_some() || !deep, "{pair:?} touch at {fraction}: {contact:?}");
                if let Some(impact) = found.filter(|_| deep) {
                    prop_assert!(impact.fraction <= fraction + 1e-3, "{impact:?} at {fraction}");
                }
            }
        }
    }
}
