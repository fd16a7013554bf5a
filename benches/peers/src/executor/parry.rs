//! parry2d's `Bvh`, rebuilt at each step or refitted and improved a little at each step.

use anyhow::Result;
use parry2d::{
    bounding_volume::Aabb,
    math::Vector,
    partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace},
};
use widephase::Pair;

use super::{Executor, pair};
use crate::bodies::{Body, Bounds, Rows};

/// A new tree at each step.
#[derive(Default)]
pub struct ParryRebuild {
    workspace: BvhWorkspace,
}

/// One tree: its leaves are moved, a part of it is optimized, the rest is refitted. This is what
/// rapier's broadphase does when all bodies move. The leaves have no margin, because every body
/// moves at every step and all pairs are asked for.
#[derive(Default)]
pub struct ParryRefit {
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl<R: Rows> Executor<R> for ParryRebuild {
    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves(rows).enumerate());
        collect(&tree, &mut self.workspace, rows, pairs);
        Ok(())
    }
}

impl<R: Rows> Executor<R> for ParryRefit {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves(rows).enumerate());
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        for (leaf, aabb) in leaves(rows).enumerate() {
            self.tree.insert_or_update_partially(aabb, leaf as u32, 0.0);
        }
        self.tree.optimize_incremental(&mut self.workspace);
        self.tree.refit(&mut self.workspace);
        collect(&self.tree, &mut self.workspace, rows, pairs);
        Ok(())
    }
}

/// Walks the tree against itself, and confirms what it finds.
fn collect<R: Rows>(tree: &Bvh, workspace: &mut BvhWorkspace, rows: &R, pairs: &mut Vec<Pair>) {
    tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
        if rows.body(a as usize).confirms(rows.body(b as usize)) {
            pairs.push(pair(a, b));
        }
    });
}

fn leaves<R: Rows>(rows: &R) -> impl ExactSizeIterator<Item = Aabb> {
    rows.bodies().map(|body| {
        let Bounds { min, max } = body.bounds();
        Aabb { mins: Vector::from_array(min), maxs: Vector::from_array(max) }
    })
}
