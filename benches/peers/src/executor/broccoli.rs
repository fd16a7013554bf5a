//! broccoli's tree (a k-d tree with sweep and prune in its nodes), rebuilt at each step.

use anyhow::Result;
use broccoli::{Tree, aabb::BBox};
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

/// The elements are small, because building the tree swaps them: they hold the row, not the body.
#[derive(Default)]
pub struct Broccoli {
    elements: Vec<BBox<f32, u32>>,
}

impl<R: Rows> Executor<R> for Broccoli {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        self.elements.clear();
        self.elements.extend((0..).zip(rows.bodies()).map(|(row, body)| {
            let Bounds { min, max } = body.bounds();
            BBox::new(broccoli::rect(min[0], max[0], min[1], max[1]), row)
        }));
        Tree::new(&mut self.elements).find_colliding_pairs(|a, b| {
            let (&mut a, &mut b) = (a.unpack_inner(), b.unpack_inner());
            if rows.body(a as usize).confirms(rows.body(b as usize)) {
                pairs.push(pair(a, b));
            }
        });
        Ok(())
    }
}
