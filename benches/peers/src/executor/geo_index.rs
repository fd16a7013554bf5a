//! geo-index (a packed Hilbert R-tree), rebuilt at each step and joined with itself.

use anyhow::Result;
use geo_index::rtree::{RTreeBuilder, RTreeIndex, sort::HilbertSort};
use widephase::Pair;

use super::contract::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

/// Faster here than the default of 16.
const NODE_SIZE: u16 = 8;

pub struct GeoIndex;

impl<R: Rows> Executor<R> for GeoIndex {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let mut builder = RTreeBuilder::<f32>::new_with_node_size(rows.len() as u32, NODE_SIZE);
        for body in rows.bodies() {
            let Bounds { min, max } = body.bounds();
            builder.add(min[0], min[1], max[0], max[1]);
        }
        let index = builder.finish::<HilbertSort>();
        for (a, b) in index.intersection_candidates_with_other_tree(&index) {
            if a < b && rows.body(a as usize).confirms(rows.body(b as usize)) {
                pairs.push(pair(a, b));
            }
        }
        Ok(())
    }
}
