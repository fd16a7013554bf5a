//! Which of these thousands to millions of 2D shapes touch?
//!
//! widephase answers that for points, circles, axis-aligned rectangles and rounded boxes, for turned
//! boxes, capsules, segments and convex polygons, and for compounds of them, and says how they touch,
//! with a grid and SIMD kernels, on one thread or many. **One contract, many executors**: scalar
//! code, SSE2/NEON, AVX2 and AVX-512, chosen at run time, give the same pairs in the same order
//! with the same bits.
//!
//! ```
//! use widephase::{Columns, Detector, Pair};
//!
//! // Three circles: the first two touch at (2, 0).
//! let x = [0.0, 4.0, 100.0];
//! let y = [0.0, 0.0, 100.0];
//! let radius = [2.0, 2.0, 5.0];
//!
//! let mut detector = Detector::new(); // keep it: it reuses its memory
//! let mut pairs = Vec::new();
//! detector.pairs(Columns::circles(&x, &y, &radius)?, &mut pairs)?;
//! assert_eq!(pairs, [Pair { a: 0, b: 1 }]);
//! # Ok::<(), widephase::Error>(())
//! ```
//!
//! In a debug build (`cargo run`), the library is a hundred times slower than in a release build.
//! This in the `Cargo.toml` of your application gives it release speed:
//!
//! ```toml
//! [profile.dev.package.widephase]
//! opt-level = 3
//! codegen-units = 16
//! debug = false
//! debug-assertions = false
//! overflow-checks = false
//! ```
//!
//! # The parts, in the order in which data flows
//!
//! | part | what it is |
//! |---|---|
//! | [`shape`] | the shapes as plain records, the limits of their values, and what touching means |
//! | [`Columns`], [`Shapes`] | where shapes live: borrowed columns, or an owned store that mixes kinds |
//! | [`Detector`] | all touching pairs and contacts: listed, counted, or handed to a callback that can stop |
//! | [`Contact`], [`ContactColumns`] | how two shapes touch: normal, depth, points and features |
//! | [`Index`] | shapes that stay where they are, sorted once, for [`Detector::pairs_and_against`] |
//! | [`GridLevels`], [`CellSize`] | the grid, for those who know better than its automatic choice |
//! | [`Batch`] | the exact test alone, over whole columns, for a broadphase of your own |
//! | [`narrowphase`] | tests and contacts alone: of two shapes, or of the pairs of a broadphase of your own |
//! | [`SimdLevel`] | which instructions run: detected, listed, forced |
//! | [`reference`](mod@reference) | plain scalar code to check by eye: the contract, the classic algorithms, brute force |
//! | `scene` | seeded scenes for tests and benchmarks (feature `scene`) |
//!
//! # What is guaranteed
//!
//! - **Exact**: two axis-aligned shapes are reported if and only if
//!   [`reference::contract::overlap`] says so, in `f32`; others if and only if the boxes around them
//!   touch and the [`narrowphase`] says so, as [`reference::contact::touches`] does. For any valid
//!   input, each pair once: among the shapes of one set with `a < b`, with static ones as (shape, static).
//! - **Deterministic**: the list and its order are a function of the shapes and the options.
//!   Level and threads change the time only.
//! - **Total**: values that are NaN, infinite, beyond 2^60 or otherwise senseless are refused with
//!   an [`Error`] that names index, field and value. Nothing that is fed in makes the crate panic.
//! - **Bounded memory**: beside the lists at most 100 bytes of scratch a shape; 27 more where a store has
//!   vacant rows, as many for contacts with a margin, 59 for borrowed columns of shapes that turn, 36 for each row
//!   where shapes that do not turn meet static ones that do, or of which contacts are asked for; and up to 20
//!   kilobytes. Besides, pairs on their way: a
//!   block of them for [`Detector::for_each_pair`], up to 400 kilobytes a thread for contacts and where shapes turn
//!   (and for each vertex of the largest polygon 512 bytes, for each part of the largest compound 28), and on
//!   several threads those that each task finds. [`Detector::scratch_bytes`] says how many bytes.
//! - **Quiet**: no allocation in the steady state ([`narrowphase::touches`](narrowphase::touches()) and
//!   [`narrowphase::contact`](narrowphase::contact()) of two shapes keep up to a megabyte a thread for that, and
//!   allocate for those that take more; what changes shapes says when it allocates), and no threads but those of the current rayon pool: the one that the call is in, else the global one, which rayon starts when a large scene (from 65,536
//!   shapes on) or a large [`Index`] first needs it. [`Threads`] has the choice, and says when rayon
//!   allocates.
//!
//! # What it costs
//!
//! Time and memory go with the shapes and the pairs, not with the world or its largest shape:
//!
//! - **Mixed sizes**: shapes are sorted into [`GridLevels`] of cells by their size. A giant costs what it
//!   overlaps, and the cells of the others stay small.
//! - **Sparse worlds**: where a table of all cells would be too large, the plane is wound up onto
//!   somewhat more cells than there are shapes. Clusters may be as far apart as they like.
//! - **Static shapes**: a [`Index`] is sorted once; a step costs what moves and what that touches.
//! - **Sorted rows**: [`Detector::grid_order`] tells the order of the grid. Shapes that are kept in
//!   it ([`Shapes::reorder`] brings them there) are nearly sorted at the next step, which makes large
//!   scenes cheaper on one thread.
//!
//! # Features
//!
//! - `parallel` (default): splits large scenes over the current rayon pool.
//! - `narrowphase` (default): contacts, and rotated boxes, capsules, segments, polygons and
//!   compounds. Without it, the library has points, circles, rectangles and rounded boxes; a cold
//!   build takes a fifth less CPU time, and programs are half a megabyte smaller.
//! - `scene`: the scene generators.
//!
//! The command `widephase`, which compares levels on your machine and detects pairs in CSV files,
//! is the package `widephase-cli` in the same repository.

#![deny(clippy::unwrap_used)]
// Types stay, and only what reaches their kernels is left out.
#![cfg_attr(not(feature = "narrowphase"), allow(dead_code, unreachable_pub, unused_imports))]

#[cfg(feature = "scene")]
pub mod scene;

pub mod error;
#[cfg(feature = "narrowphase")]
pub mod narrowphase;
#[cfg(not(feature = "narrowphase"))]
mod narrowphase;
pub mod pair;
pub mod reference;
pub mod shape;

mod batch;
mod buffer;
mod detect;
mod grid;
mod kernel;
mod limit;
mod options;
mod parallel;
mod posed;
mod simd;
mod store;

/// Whether the feature `narrowphase` is on. All calls of its kernels are guarded by this constant,
/// so without the feature the kernels are not compiled.
const NARROWPHASE: bool = cfg!(feature = "narrowphase");

#[cfg(not(feature = "narrowphase"))]
pub(crate) use narrowphase::{Contact, ContactColumns, Narrowphase};

pub use glam;

pub use batch::Batch;
pub use detect::{Detector, Flow, Index};
pub use error::Error;
pub use grid::{CellSize, GridLevels};
#[cfg(feature = "narrowphase")]
pub use narrowphase::{
    Contact, ContactColumns, ContactId, ContactPoint, Feature, Narrowphase, PointColumns,
};
pub use options::{DEFAULT_MAX_CONTACTS, DEFAULT_MAX_PAIRS, Options, Order, Threads};
pub use pair::Pair;
pub use shape::Touching;
pub use simd::{LEVEL_VARIABLE, SimdLevel};
pub use store::{Checked, Columns, Shapes};

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
