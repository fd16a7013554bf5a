//! Scalar twins of the engine: its contacts and queries in plain scalar code, without SIMD, tiles
//! or a grid.
//!
//! Every result of the engine equals the result of a twin bit for bit, because a twin uses the same
//! operations in the same order. So a twin proves that all paths of the engine give the same bits,
//! and not that they are right: for that there are `widephase::reference`, `common::truth`, and
//! tests in `f64` and whole numbers.
//!
//! ```text
//! kernels/    the contact kernels for two single shapes
//! contact.rs  contacts of single shapes
//! whole.rs    contacts of shapes of any kind, compounds included
//! chain.rs    contacts of segments of chains
//! queries/    rays, casts, distances
//! swept.rs    pairs that stop each other during a step
//! ```
#![allow(dead_code, reason = "each program uses a part of it")]

pub mod chain;
pub mod contact;
mod kernels;
pub mod queries;
pub mod swept;
pub mod whole;

use widephase::{Contact, ContactPoint, Pair};

/// Every pair of shapes, sorted by `a`, then by `b`, with `a < b`.
fn each<T>(shapes: &[T]) -> impl Iterator<Item = (Pair, &T, &T)> {
    let numbered = move || (0..u32::MAX).zip(shapes);
    numbered().flat_map(move |(a, first)| {
        let behind = numbered().skip(a as usize + 1);
        behind.map(move |(b, second)| (Pair { a, b }, first, second))
    })
}

/// The contact of the pair (0, 1) with this normal, depth, and one or two points, by its bytes:
/// pair, parts, normal, depth, number of points, points.
fn made([normal_x, normal_y]: [f32; 2], depth: f32, points: &[ContactPoint]) -> Contact {
    let mut words = [0_u32; 16];
    words[1] = 1;
    words[4..7].copy_from_slice(&[normal_x, normal_y, depth].map(f32::to_bits));
    words[7] = points.len() as u32;
    let points: &[u32] = bytemuck::cast_slice(points);
    words[8..8 + points.len()].copy_from_slice(points);
    bytemuck::cast(words)
}
