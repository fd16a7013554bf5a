//! Finds which of thousands to millions of 2D shapes touch, and how.
//!
//! widephase is a broadphase and a narrowphase. It takes points, circles, axis-aligned rectangles,
//! rounded boxes, rotated boxes, capsules, segments, convex polygons, compounds of them, chains and
//! half-planes. It uses a grid and SIMD kernels, on one thread or many. **All SIMD levels give the
//! same result**: scalar code, SSE2/NEON, AVX2 and AVX-512 are selected at run time and report the
//! same pairs in the same order, with the same bits.
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
//! These lines in the `Cargo.toml` of your application give it release speed:
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
//! # Parts
//!
//! The parts in the order of the data flow:
//!
//! | part | what it is |
//! |---|---|
//! | [`shape`] | The shapes as plain records, the limits of their values, and the definition of touching |
//! | [`Columns`], [`Shapes`] | The input: borrowed columns, or an owned store that mixes kinds of shapes |
//! | [`Options`], [`IndexOptions`] | SIMD level, touching policy, order, threads, cells, limits |
//! | [`Detector`], [`Scope`] | All touching pairs and contacts: as a list, as a number, or passed to a callback |
//! | [`Index`] | Shapes that are sorted once and searched many times |
//! | [`overlapping`], [`cast_ray`], [`scan`], [`cast_shape`], [`nearest`] | The queries of an index |
//! | [`Ray`], [`Fan`], [`CastOptions`] | The input of queries: a ray, rays with equal angular steps, how far a shape is cast |
//! | [`Hit`], [`Neighbor`], [`ScanColumns`] | The answers of queries |
//! | [`Lists`] | A list for each query or row, as offsets and items |
//! | [`neighbors`], [`adjacency`](adjacency()), [`Islands`] | Lists for each row; groups of rows |
//! | [`PairDiff`] | Pairs that started, persisted and stopped since the last step |
//! | [`swept_pairs`], [`Displacements`], [`Impact`] | Pairs that stop each other during a step: nothing tunnels |
//! | [`World`] | Bodies with handles, events, kept contacts, queries, snapshots and recordings |
//! | [`Periodic`] | A box that repeats: pairs and neighbours across its seam |
//! | [`Contact`], [`ContactColumns`] | How two shapes touch: normal, depth, points and features |
//! | [`options`] | Manual settings of the grid, instead of the automatic choice |
//! | [`GridCell`] | A cell of the grid of a detection, and how many shapes it holds |
//! | [`Timings`] | How long each phase of a detection or of a step has taken |
//! | [`Narrowphase`] | Tests and contacts of the pairs of another broadphase, or row by row |
//! | [`narrowphase`] | Tests, contacts and distances of two shapes |
//! | [`SimdLevel`] | The SIMD instructions to run on: detected, listed, or forced |
//! | [`Error`] | The errors, with index, field and value |
//! | [`tiles`] | More shapes than memory holds: the plane in parts |
//! | [`reference`](mod@reference) | Plain scalar code: the contract, the classic algorithms, brute force |
//!
//! [`overlapping`]: Queries::overlapping
//! [`cast_ray`]: Queries::cast_ray
//! [`scan`]: Queries::scan
//! [`cast_shape`]: Queries::cast_shape
//! [`nearest`]: Queries::nearest
//! [`neighbors`]: Detector::neighbors
//! [`swept_pairs`]: Detector::swept_pairs
//!
//! # Guarantees
//!
//! - **Exact**: two axis-aligned shapes are a pair if and only if [`reference::contract::overlap`]
//!   says so, in `f32`. Other shapes are a pair if and only if their bounding boxes touch and the
//!   [`narrowphase`] finds that the shapes touch, as [`reference::single::touches`] does. For any
//!   valid input, each pair is reported once: with `a < b` within one set, and as (shape, shape of
//!   the index) against an [`Index`].
//! - **Deterministic**: the list and its order are a function of the shapes and the options. The
//!   SIMD level and the threads change only the time.
//! - **Total**: values that are NaN, infinite, beyond 2^60 or invalid in another way return an
//!   [`Error`] with index, field and value. No input data makes the crate panic.
//! - **Bounded memory**: beside the lists, a [`Detector`] takes at most 100 bytes a shape, and more
//!   for contacts, rotated shapes and several threads. docs/memory.md has the formula, and
//!   [`Detector::bytes`] returns the number of bytes.
//! - **Quiet**: nothing is allocated in the steady state. The methods that change a [`Shapes`]
//!   store document when they allocate. [`narrowphase::touches`](narrowphase::touches()) and
//!   [`narrowphase::contact`](narrowphase::contact()) keep up to a megabyte for each thread, and
//!   allocate for shapes that need more. The crate uses no threads except the threads of the
//!   current rayon pool: the pool that the call is in, else the global one. Rayon starts the global
//!   pool when a large scene (65,536 shapes or more) or a large [`Index`] first needs it.
//!   [`Threads`] has the choice, and describes when rayon allocates.
//!
//! # Cost
//!
//! Time and memory are proportional to the number of shapes and pairs. They do not depend on the
//! size of the world or of its largest shape:
//!
//! - **Mixed sizes**: shapes are sorted by size into [`GridLevels`](options::GridLevels). A large
//!   shape costs what it overlaps, and the cells of small shapes stay small.
//! - **Sparse worlds**: if a table of all cells would be too large, the plane is mapped helically
//!   to somewhat more cells than there are shapes. Clusters may be any distance apart.
//! - **Static shapes**: an [`Index`] is sorted once. A step costs the moving shapes and what they
//!   touch.
//! - **Sorted rows**: [`Detector::grid_order`] returns the order of the grid. Shapes that are
//!   stored in this order ([`Shapes::reorder`] sorts them) are nearly sorted at the next step,
//!   which makes large scenes cheaper on one thread.
//!
//! # Features
//!
//! - `parallel` (default): splits large scenes over the current rayon pool.
//! - `narrowphase` (default): contacts, [`World`], and rotated boxes, capsules, segments,
//!   polygons and compounds. Without it, the library has points, circles, rectangles and rounded
//!   boxes.
//! - `queries` (default): the queries of an [`Index`] ([`Queries`]), neighbour lists
//!   ([`neighbors`]) and periodic boxes ([`Periodic`]). Together with `narrowphase` also shape
//!   casts, [`swept_pairs`], and [`distance`](narrowphase::distance()) and the functions beside it.
//!   Without it, the library has pairs, contacts, counts, worlds and events.
//! - `serde`: `Serialize` and `Deserialize` for shapes, options, results and [`World`]. Polygons,
//!   compounds, handles and worlds are checked when they are read, other values when they are used.
//! - `outlines`: [`Compound::from_outline`](shape::Compound), which divides concave outlines with
//!   holes into convex parts. Adds the crate `spade`.
//!
//! With `parallel` alone, a cold build takes a little more than half of the CPU time.
//!
//! The package `widephase-cli` in the same repository has the command `widephase`, which compares
//! SIMD levels on your machine and detects pairs in CSV files.

#![deny(clippy::unwrap_used)]
// Without a feature, its public items and most of its modules are left out. Private code that only
// these items use stays, but is never instantiated.
#![cfg_attr(
    not(all(feature = "narrowphase", feature = "queries")),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        rustdoc::broken_intra_doc_links,
        rustdoc::private_intra_doc_links
    )
)]

#[cfg(test)]
extern crate self as widephase;

#[cfg(test)]
#[path = "../crates/scenes/adapter.rs"]
mod scene;

pub mod error;
#[cfg(feature = "narrowphase")]
pub mod narrowphase;
#[cfg(not(feature = "narrowphase"))]
mod narrowphase;
pub mod reference;
pub mod shape;

mod base;
#[cfg(feature = "narrowphase")]
mod bytes;
mod detect;
mod detector;
pub mod events;
mod filter;
mod geometry;
mod grid;
mod index;
mod kernel;
mod lists;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod motion;
#[cfg(feature = "queries")]
mod neighbors;
pub mod options;
#[cfg(feature = "outlines")]
mod outline;
#[cfg(feature = "queries")]
pub mod periodic;
mod posed;
#[cfg(feature = "queries")]
mod query;
mod simd;
mod store;
pub mod tiles;
#[cfg(feature = "narrowphase")]
pub mod world;

/// Whether the feature `narrowphase` is on. All calls of its kernels are guarded by this constant,
/// so without the feature the kernels are not compiled.
const NARROWPHASE: bool = cfg!(feature = "narrowphase");

#[cfg(not(feature = "narrowphase"))]
pub(crate) use narrowphase::{Contact, ContactColumns};

pub use glam;

#[cfg(feature = "narrowphase")]
pub use base::Handle;
pub use base::{SimdLevel, pair::Pair, timings::Timings};
pub use detector::{Detector, Flow, Scope};
pub use error::Error;
pub use events::PairDiff;
pub use filter::Filter;
pub use grid::GridCell;
pub use index::Index;
pub use lists::{Adjacency, Islands, Lists, adjacency};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use motion::{Bullets, Displacements, Impact};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use narrowphase::CastOptions;
#[cfg(feature = "queries")]
pub use narrowphase::Hit;
pub use narrowphase::Narrowphase;
#[cfg(feature = "narrowphase")]
pub use narrowphase::{Contact, ContactColumns, ContactId, ContactPoint, Feature};
pub use options::{IndexOptions, NarrowphaseOptions, Options, Order, Threads};
#[cfg(feature = "queries")]
pub use periodic::Periodic;
#[cfg(feature = "queries")]
pub use query::{Fan, IndexView, Neighbor, Queries, Ray, ScanColumns};
pub use shape::Touching;
pub use store::{Columns, Shapes};
#[cfg(feature = "narrowphase")]
pub use world::{Body, Motion, Step, World};

/// The README's examples are tests.
#[cfg(all(doctest, feature = "narrowphase", feature = "queries"))]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are the examples of the documents. (An item for each, so that a failure names file and line.)
#[cfg(all(doctest, feature = "narrowphase", feature = "queries"))]
mod docs {
    #[doc = include_str!("../docs/api.md")]
    struct Api;
    #[doc = include_str!("../docs/faq.md")]
    struct Faq;
    #[doc = include_str!("../docs/migration.md")]
    struct Migration;
    #[doc = include_str!("../docs/queries.md")]
    struct Queries;
    #[doc = include_str!("../docs/shapes.md")]
    struct Shapes;
    #[doc = include_str!("../docs/terrain.md")]
    struct Terrain;
    #[doc = include_str!("../docs/tour.md")]
    struct Tour;
    #[doc = include_str!("../docs/world.md")]
    struct World;
}
