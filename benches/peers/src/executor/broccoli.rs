//! broccoli's tree (a k-d tree with sweep and prune in its nodes), built anew at each step.

use anyhow::Result;
use broccoli::{
    Tree,
    aabb::{BBox, ManySwappable},
};
use widephase::Pair;

use super::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

/// The bodies lie in the tree's own elements, so that a candidate is tested without a look-up.
pub struct Broccoli<B> {
    elements: Vec<ManySwappable<BBox<f32, (u32, B)>>>,
}

impl<B> Default for Broccoli<B> {
    fn default() -> Self {
        Self { elements: Vec::new() }
    }
}

impl<R: Rows> Executor<R> for Broccoli<R::Body> {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        self.elements.clear();
        self.elements.extend((0..).zip(rows.bodies()).map(|(row, body)| {
            let Bounds { min, max } = body.bounds();
            let rect = broccoli::rect(min[0], max[0], min[1], max[1]);
            ManySwappable(BBox::new(rect, (row, body)))
        }));
        let mut tree = Tree::new(&mut self.elements);
        tree.find_colliding_pairs(|a, b| {
            let (&mut (row_a, body_a), &mut (row_b, body_b)) = (a.unpack_inner(), b.unpack_inner());
            if body_a.confirms(body_b) {
                pairs.push(pair(row_a, row_b));
            }
        });
        Ok(())
    }
}
