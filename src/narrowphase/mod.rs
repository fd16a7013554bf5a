//! From pairs whose boxes touch to pairs that touch, and to contacts.
//!
//! ```text
//! view.rs      View: shapes by their rows; Set: shapes by their places
//! rule.rs      PairQuery: what is asked
//! jobs.rs      Jobs: pairs put together by the kernel that they take
//! assign.rs    ... from pairs of places
//! lanes.rs     WordLanes: up to sixteen shapes, gathered into columns
//! tile.rs      Tile: so many pairs
//!   circle_circle.rs  upright.rs  box_circle.rs  box_box.rs  polygon_circle.rs
//!   polygon_polygon.rs      the kernels, each a test and a contact
//!     face.rs      sides of convex cores, and the way between two
//!     manifold.rs  from the nearest sides to contact points
//!     preference.rs  which of two sides that are about as good is the reference side
//!     vector.rs    vectors of the plane, one a lane
//!   verdict.rs     Verdict: yes, no, or in doubt
//!   exact.rs       pairs in doubt, by exact arithmetic
//! boxes.rs     the boxes around shapes, and the test of the sweep
//! parts.rs     PartPairs: the parts of compounds whose boxes touch
//! output.rs    Columns: from lanes to contacts
//! kernels.rs   the kernel of each task, over tiles of its jobs
//! direct.rs    contacts of axis-aligned shapes, without jobs
//! rows.rs      ... and of any shapes but compounds, row by row        (pairwise_contacts, pairwise_test)
//! run.rs       Candidates: all of these in order
//! contact.rs   Contact: what comes out
//! columns.rs   ContactColumns: the same as columns
//! small_batch.rs       SmallBatch: a pair, or its parts, without memory for many
//! single.rs    two shapes at a time                                    (PosedShape, test, contact)
//! batch.rs     many pairs, from a broadphase of the caller's           (Narrowphase)
//! aabb_filter.rs      ... those of them whose boxes touch
//! place_on_demand.rs     ... those of columns among shapes that turn
//! ```
//!
//! The grid decides axis-aligned shapes by itself. Of all others it knows boxes, so what it finds are
//! candidates. A block of them is sorted by kernel, decided in tiles, and what touches is kept in the order
//! in which it came. Contacts among axis-aligned shapes need no sorting.
//!
//! Every shape is a convex core and a radius around it. A lane of a kernel is a pair; all levels, scalar
//! code included, run the same operations in the same order for it.

mod aabb_filter;
mod assign;
mod batch;
mod box_box;
mod box_circle;
mod boxes;
mod circle_circle;
mod columns;
mod contact;
mod direct;
mod exact;
mod face;
mod jobs;
mod kernels;
mod lanes;
mod manifold;
mod output;
mod parts;
mod place_on_demand;
mod polygon_circle;
mod polygon_polygon;
mod preference;
mod rows;
mod rule;
mod run;
mod single;
mod small_batch;
mod tile;
mod upright;
mod vector;
mod verdict;
mod view;

pub use batch::Narrowphase;
pub use columns::{ContactColumns, PointColumns};
pub use contact::{Contact, ContactId, ContactPoint, Feature};
pub(crate) use rule::PairQuery;
pub(crate) use run::Candidates;
pub(crate) use single::check_margin;
pub use single::{PosedShape, contact, touches};
pub(crate) use view::{Set, View};

use crate::simd::Simd;
use manifold::Manifold;
use tile::Tile;
use verdict::Verdict;

/// A way to decide pairs of shapes.
trait PairKernel: Copy {
    /// Which of the pairs in the lanes from `at` on touch.
    fn test<S: Simd>(self, simd: S, tile: &Tile, at: usize, inclusive: bool) -> Verdict<S>;

    /// The contacts of the pairs in these lanes. Those that do not touch have one too, if they are
    /// no more than `margin` apart; so it is to be [bounded](Manifold::bounded).
    fn contact<S: Simd>(
        self,
        simd: S,
        tile: &Tile,
        at: usize,
        margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S>;
}
