//! parry2d's `Bvh`: rebuilt at each step, or refitted and partly optimized at each step.

use anyhow::Result;
use parry2d::{
    bounding_volume::Aabb,
    math::Vector,
    partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace},
};
use widephase::Pair;

use super::{
    contract::{Executor, pair},
    spatial,
};
use crate::bodies::{Body, Bounds, Rows};

/// A new tree at each step.
#[derive(Default)]
pub struct ParryRebuild {
    workspace: BvhWorkspace,
}

/// One tree. At each step its leaves are moved, a part of it is optimized, and the other nodes are
/// refitted. rapier's broadphase does the same when all bodies move. The leaves have no margin,
/// because every body moves at every step and all pairs are needed.
pub struct ParryRefit<B> {
    tree: Bvh,
    /// The row of each leaf.
    order: Vec<u32>,
    /// The body of each leaf.
    bodies: Vec<B>,
    workspace: BvhWorkspace,
}

impl<B> Default for ParryRefit<B> {
    fn default() -> Self {
        let (tree, workspace) = Default::default();
        Self { tree, order: Vec::new(), bodies: Vec::new(), workspace }
    }
}

impl<R: Rows> Executor<R> for ParryRebuild {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let leaves = rows.bodies().map(leaf);
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
        tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            if rows.body(a as usize).confirms(rows.body(b as usize)) {
                pairs.push(pair(a, b));
            }
        });
        Ok(())
    }
}

impl<R: Rows> Executor<R> for ParryRefit<R::Body> {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.order = spatial::order(rows);
        let leaves = self.order.iter().map(|&row| leaf(rows.body(row as usize)));
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let Self { tree, order, bodies, workspace } = self;
        bodies.clear();
        bodies.extend(order.iter().map(|&row| rows.body(row as usize)));
        for (index, &body) in (0..).zip(&*bodies) {
            tree.insert_or_update_partially(leaf(body), index, 0.0);
        }
        tree.optimize_incremental(workspace);
        tree.refit(workspace);
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let [a, b] = [a as usize, b as usize];
            if bodies[a].confirms(bodies[b]) {
                pairs.push(pair(order[a], order[b]));
            }
        });
        Ok(())
    }
}

fn leaf<B: Body>(body: B) -> Aabb {
    let Bounds { min, max } = body.bounds();
    Aabb { mins: Vector::from_array(min), maxs: Vector::from_array(max) }
}
