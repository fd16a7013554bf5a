//! Box2D's dynamic tree, the structure of its broadphase, without its world and solver.

use std::ffi::{c_int, c_void};

use anyhow::Result;
use boxdd_sys::ffi;
use widephase::Pair;

use super::{
    contract::{Executor, pair},
    spatial,
};
use crate::bodies::{Body, Bounds, Rows};

/// One tree. At each step its leaves are set to the new bounds, its grown parts are rebuilt, and
/// each body queries its neighbours. Box2D does the same for bodies that left their margin. Here
/// all pairs are needed at every step, so it applies to all bodies.
#[derive(Default)]
pub struct Box2dTree {
    tree: Option<Tree>,
}

/// Owns the native tree.
struct Tree {
    native: ffi::b2DynamicTree,
    /// The proxy of each row, in the order in which they were created.
    proxies: Vec<(u32, c_int)>,
}

/// The context of the callback of a query.
struct Query<'a, R: Rows> {
    rows: &'a R,
    row: u32,
    body: R::Body,
    pairs: &'a mut Vec<Pair>,
}

impl<R: Rows> Executor<R> for Box2dTree {
    fn begin(&mut self, rows: &R) -> Result<()> {
        self.tree = Some(Tree::new(rows));
        Ok(())
    }

    fn detect(&mut self, rows: &R, pairs: &mut Vec<Pair>) -> Result<()> {
        let tree = self.tree.get_or_insert_with(|| Tree::new(rows));
        tree.update(rows);
        tree.collect(rows, pairs);
        Ok(())
    }
}

impl Tree {
    fn new<R: Rows>(rows: &R) -> Self {
        // SAFETY: the only precondition is a capacity that is not negative.
        let mut native = unsafe { ffi::b2DynamicTree_Create(rows.len() as c_int) };
        let create = |row: u32| {
            let aabb = aabb(rows.body(row as usize));
            // SAFETY: the tree is alive, the bounds are finite and not inverted.
            let proxy =
                unsafe { ffi::b2DynamicTree_CreateProxy(&mut native, aabb, 1, u64::from(row)) };
            (row, proxy)
        };
        let proxies = spatial::order(rows).into_iter().map(create).collect();
        Tree { native, proxies }
    }

    fn update<R: Rows>(&mut self, rows: &R) {
        for &(row, proxy) in &self.proxies {
            let aabb = aabb(rows.body(row as usize));
            // SAFETY: the tree is alive, the proxy belongs to it, the bounds are as above.
            unsafe { ffi::b2DynamicTree_EnlargeProxy(&mut self.native, proxy, aabb) };
        }
        // SAFETY: the tree is alive.
        unsafe { ffi::b2DynamicTree_Rebuild(&mut self.native, false) };
    }

    fn collect<R: Rows>(&self, rows: &R, pairs: &mut Vec<Pair>) {
        for &(row, _) in &self.proxies {
            let body = rows.body(row as usize);
            let mut query = Query { rows, row, body, pairs: &mut *pairs };
            // SAFETY: the tree is alive; the callback gets the context that it expects.
            unsafe {
                ffi::b2DynamicTree_QueryAll(
                    &self.native,
                    aabb(body),
                    Some(visit::<R>),
                    (&raw mut query).cast::<c_void>(),
                );
            }
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is alive, and is not used after this.
        unsafe { ffi::b2DynamicTree_Destroy(&mut self.native) };
    }
}

/// Handles one candidate. Returns `true` to continue.
extern "C" fn visit<R: Rows>(_proxy: c_int, other: u64, context: *mut c_void) -> bool {
    // SAFETY: the context is the query that the caller holds, of the same rows.
    let query = unsafe { &mut *context.cast::<Query<'_, R>>() };
    let other = other as u32;
    if query.row < other && query.body.confirms(query.rows.body(other as usize)) {
        query.pairs.push(pair(query.row, other));
    }
    true
}

fn aabb<B: Body>(body: B) -> ffi::b2AABB {
    let Bounds { min, max } = body.bounds();
    let corner = |[x, y]: [f32; 2]| ffi::b2Vec2 { x, y };
    ffi::b2AABB { lowerBound: corner(min), upperBound: corner(max) }
}
