//! Finds which of thousands to millions of 2D shapes touch, and how.
//!
//! widephase is a broadphase and a narrowphase. It takes points, circles, axis-aligned rectangles,
//! rounded boxes, rotated boxes, capsules, segments, convex polygons, compounds of them, chains and
//! half-planes. It uses a grid and SIMD kernels, on one thread or many threads. **All SIMD levels
//! give the same result**: scalar code, SSE2/NEON, AVX2 and AVX-512 are selected at run time and
//! report the same pairs in the same order, with the same bits.
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
//! # How do I
//!
//! `detector` is a [`Detector`], and `index` an [`Index`]: shapes that are sorted once and searched
//! many times. A row is the number of a shape in its columns. [More answers](guide::faq#how-do-i),
//! a [tour](guide::tour) and the other guides are in [`guide`].
//!
//! | How do I | Answer |
//! |---|---|
//! | mix kinds, move and rotate shapes | [`Shapes`]: [`push`](Shapes::push) returns the row, then [`set_pose`](Shapes::set_pose), [`remove`](Shapes::remove); `detector.pairs(&shapes, &mut pairs)?` |
//! | get normals, depths, points | [`detector.contacts`](Detector::contacts)`(shapes, margin, &mut contacts)?` |
//! | use a static level | [`Index::build`]`(level)?` once; at each step [`detector.pairs_and_against`](Detector::pairs_and_against)`(shapes, &index, &mut pairs, &mut hits)?` |
//! | separate teams and layers, make sensors | [`Columns::with_filters`], [`Shapes::set_filter`], a [`Filter`] for each row |
//! | have handles, events and a world that keeps them | [`World`]: [`insert`](World::insert), [`set_pose`](World::set_pose), [`step`](World::step) → [`started`](Step::started), [`stopped`](Step::stopped), [`contacts`](Step::contacts): [guide](guide::world) |
//! | move a character along walls and ground | [`world.move_and_slide`](World::move_and_slide)`(body, displacement, &options, &mut hits)?` |
//! | find the shape that a ray hits | [`index.cast_ray`](Queries::cast_ray)`(Ray::new(from, direction))?`; a lidar: [`index.scan`](Queries::scan)`(&fan, &poses, &mut scan)?` |
//! | find the shapes at a place or in a box | [`index.overlapping`](Queries::overlapping)`(shape, &mut rows)?` with a [`Point`](shape::Point) or an [`Aabb`](shape::Aabb) |
//! | find the nearest shapes | [`index.nearest`](Queries::nearest)`(Point::new(at), max_distance)?`, [`index.k_nearest`](Queries::k_nearest)`(shape, k, max_distance, &mut near)?` |
//! | list all neighbours within a distance | [`detector.neighbors`](Detector::neighbors)`(shapes, distance, Adjacency::Full, &mut lists)?` |
//! | stop fast bodies from tunnelling | [`detector.swept_pairs`](Detector::swept_pairs)`(shapes, displacements, &mut impacts)?`; one body: [`index.cast_shape`](Queries::cast_shape) |
//! | pair coordinates of `f64` exactly | [`DoubleDetector`](doubles::DoubleDetector) and [`DoubleIndex`](doubles::DoubleIndex) of the module [`doubles`]: `detector.pairs(DoubleColumns::circles_at(&positions, radius)?, &mut pairs)?` |
//! | make a terrain | [`shapes.push_chain`](Shapes::push_chain)`(&Chain::open(&vertices)?)?`, [`HalfPlane`](shape::HalfPlane), `Outline::merge_boxes`: [guide](guide::terrain) |
//! | choose threads, SIMD level, order | [`Detector::with_options`]`(`[`Options`]` { order: Order::Sorted, ..Options::default() })?` |
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
//! | [`Hit`], [`Neighbor`] | The answers of queries |
//! | [`columns`] | Input columns by name; contacts, hits, neighbours and scans as columns |
//! | [`Lists`] | A list for each query or row, as offsets and items |
//! | [`neighbors`], [`adjacency`](adjacency()), [`Islands`] | Lists for each row; groups of rows |
//! | [`PairDiff`] | Pairs that started, persisted and stopped since the last step |
//! | [`swept_pairs`], [`Displacements`], [`Impact`] | Pairs that stop each other during a step: nothing tunnels |
//! | [`World`] | Bodies with handles, events, kept contacts, queries, snapshots and recordings |
//! | [`Periodic`] | A box that repeats: pairs and neighbours across its seam |
//! | [`Contact`], [`ContactPoint`] | How two shapes touch: normal, depth, points and features |
//! | [`options`] | Manual settings of the grid, instead of the automatic choice |
//! | [`GridCell`] | A cell of the grid of a detection, and how many shapes it holds |
//! | [`Timings`] | How long each phase of a detection or of a step has taken |
//! | [`Narrowphase`] | Tests and contacts of the pairs of another broadphase, or row by row |
//! | [`narrowphase`] | Tests, contacts and distances of two shapes |
//! | [`SimdLevel`] | The SIMD instructions to run on: detected, listed, or forced |
//! | [`doubles`] | Coordinates of `f64`: pairs, neighbours and queries as of `f64` brute force |
//! | [`Error`] | The errors, with index, field and value |
//! | [`tiles`] | More shapes than memory holds: the plane in parts |
//! | [`guide`] | The guides of the book |
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
//!   for contacts, rotated shapes and several threads. [Memory](guide::memory) has the
//!   formula, and [`Detector::bytes`] returns the number of bytes.
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
//!   shape costs the shapes that it overlaps, and the cells of small shapes stay small.
//! - **Sparse worlds**: if a table of all cells would be too large, the plane is mapped helically
//!   to somewhat more cells than there are shapes. Clusters may be any distance apart.
//! - **Static shapes**: an [`Index`] is sorted once. A step costs the moving shapes and the shapes
//!   that they touch.
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
//! - `outlines`: [`Compound::from_outline`](shape::Compound) and `from_outlines`, which divide
//!   concave outlines with holes into convex parts. Adds the crate `spade`.
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

#[cfg(test)]
#[path = "../tests/common/every_level.rs"]
mod every_level;
#[cfg(test)]
#[path = "../tests/common/product.rs"]
mod product;

mod answers;
mod base;
mod decide;
pub mod events;
mod grid;
#[cfg(all(any(doc, doctest), feature = "narrowphase", feature = "queries"))]
pub mod guide;
pub mod reference;
mod shapes;
#[cfg(feature = "narrowphase")]
pub mod world;

// The rooms of the floors: a path in the crate begins with a room.
#[cfg(all(feature = "narrowphase", feature = "queries"))]
use answers::motion;
pub use answers::{columns, tiles};
use answers::{detect, detector, index, lists};
#[cfg(feature = "queries")]
pub use answers::{doubles, periodic};
#[cfg(feature = "queries")]
use answers::{neighbors, query};
#[cfg(feature = "narrowphase")]
use base::bytes;
pub use base::error;
use base::simd;
#[cfg(not(feature = "narrowphase"))]
use decide::narrowphase;
#[cfg(feature = "narrowphase")]
pub use decide::narrowphase;
pub use decide::options;
pub use shapes::shape;
use shapes::{filter, geometry, kernel, posed, store};

#[cfg(not(feature = "narrowphase"))]
pub(crate) use narrowphase::{Contact, ContactColumns};

pub use glam;

#[cfg(feature = "narrowphase")]
pub use base::Handle;
pub use base::{Pair, SimdLevel, Timings};
pub use detect::Scope;
pub use detector::{Detector, Flow};
pub use error::reasons::Error;
pub use events::pair_diff::PairDiff;
pub use filter::Filter;
pub use grid::GridCell;
pub use index::Index;
pub use lists::{Adjacency, Islands, Lists, adjacency};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use motion::{Bullets, Displacements, Impact};
#[cfg(feature = "narrowphase")]
pub use narrowphase::contact::{Contact, ContactId, ContactPoint, Feature};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use narrowphase::hit::CastOptions;
#[cfg(feature = "queries")]
pub use narrowphase::hit::Hit;
pub use narrowphase::listed_pairs::Narrowphase;
pub use options::records::{IndexOptions, NarrowphaseOptions, Options, Order, Threads};
#[cfg(feature = "queries")]
pub use periodic::periodic::Periodic;
#[cfg(feature = "queries")]
pub use query::{Fan, IndexView, Neighbor, Queries, Ray};
pub use shape::check::Touching;
pub use store::{Columns, Shapes};
#[cfg(feature = "narrowphase")]
pub use world::{
    body::{Body, Motion},
    found::Step,
    world::World,
};

/// The README's examples are tests.
#[cfg(all(doctest, feature = "narrowphase", feature = "queries"))]
#[doc = include_str!("../README.md")]
struct Readme;
