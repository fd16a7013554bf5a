//! static_aabb2d_index (a packed Hilbert R-tree), rebuilt at each step, with one query per body.

use anyhow::Result;
use static_aabb2d_index::StaticAABB2DIndexBuilder;
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

/// Faster here than the default of 16.
const NODE_SIZE: usize = 8;

#[derive(Default)]
pub struct StaticIndex {
    stack: Vec<usize>,
}

impl<R: Rows> Executor<R> for StaticIndex {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let mut builder = StaticAABB2DIndexBuilder::new_with_node_size(rows.len(), NODE_SIZE);
        for body in rows.bodies() {
            let Bounds { min, max } = body.bounds();
            builder.add(min[0], min[1], max[0], max[1]);
        }
        let index = builder.build()?;
        // Queries are in the order of the tree, so that successive queries visit the same nodes.
        for (bounds, &row) in index.item_boxes().iter().zip(index.item_indices()) {
            let body = rows.body(row);
            let mut visit = |other: usize| {
                if row < other && body.confirms(rows.body(other)) {
                    pairs.push(pair(row as u32, other as u32));
                }
            };
            index.visit_query_with_stack(
                bounds.min_x,
                bounds.min_y,
                bounds.max_x,
                bounds.max_y,
                &mut visit,
                &mut self.stack,
            );
        }
        Ok(())
    }
}
