//! rstar's R*-tree, bulk loaded at each step and joined with itself.

use anyhow::Result;
use rstar::{AABB, RTree, RTreeObject};
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

pub struct Rstar;

/// Stores the envelope, because the tree needs it often; otherwise a step takes three times as
/// long.
struct Object<B> {
    envelope: AABB<[f32; 2]>,
    body: B,
    row: u32,
}

impl<B: Body> RTreeObject for Object<B> {
    type Envelope = AABB<[f32; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.envelope
    }
}

impl<R: Rows> Executor<R> for Rstar {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let objects = (0..).zip(rows.bodies()).map(|(row, body)| {
            let Bounds { min, max } = body.bounds();
            Object { envelope: AABB::from_corners(min, max), body, row }
        });
        let tree = RTree::bulk_load(objects.collect());
        for (a, b) in tree.intersection_candidates_with_other_tree(&tree) {
            if a.row < b.row && a.body.confirms(b.body) {
                pairs.push(pair(a.row, b.row));
            }
        }
        Ok(())
    }
}
