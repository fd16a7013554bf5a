//! From pairs whose bounding boxes touch to pairs that touch, and to contacts.
//!
//! ```text
//! view.rs      View: shapes by row; Set: one set of a query; Member: one shape of a pair
//! pair_query.rs  PairQuery: the shapes, the policy and the margin of a query
//!                Assign: makes jobs of pairs of rows
//! jobs.rs      Jobs: pairs grouped by kernel
//! lanes.rs     WordLanes: up to sixteen placed shapes as columns
//!              2D vectors, one per lane
//! lane_batch.rs  LaneBatch: up to sixteen pairs of one kernel, as columns
//!   circles.rs  aligned_box.rs  box_box.rs
//!   polygon_polygon.rs  the kernels, each with a test and a contact
//!     large_polygons.rs  searches of two polygons of many vertices, one pair at a time
//!     face.rs           sides of convex cores, and the shortest vectors between them
//!     manifold.rs       from the nearest sides to contact points
//!                       the choice of the reference side between two about equally good sides
//!   verdict.rs   Verdict: touching, not touching, or in doubt, which exact arithmetic decides
//! boxes.rs     bounding boxes, and the sweep's test for them
//!              AabbFilter: keeps the pairs whose boxes touch
//! parts.rs     PartPairs: the pairs of parts of compounds whose boxes touch
//! part_bounds.rs  PartBounds: lower bounds of distances from boxes of parts, and along paths
//! output.rs    ContactLanes: from lanes to contacts
//! one_by_one.rs  pairs with a half-plane, and pairs that never touch
//!                the slabs of half-planes and of long shapes
//! chain.rs     contacts of segments of chains, without catching on joints
//! outline.rs   contacts and decisions of outlines, as one area
//! smooth_border.rs  SmoothBorder: the normals along which chains and outlines stop motions
//! kernels.rs   applies the kernel of each kernel kind to batches of jobs
//! direct.rs    contacts of axis-aligned shapes, without jobs
//! rows.rs      row by row, for row_mask and row_contacts
//! run.rs       Candidates: runs all stages
//! contact.rs   Contact: the output as records
//!              ContactColumns: the output as columns
//! probe.rs     Probe: the shape of a query, against the rows of a set
//!              SmallBatch: at most a batch of pairs, in a workspace of the thread
//! single.rs    one pair of shapes: touches, contact
//! solids.rs    shapes of sets as convex shapes in `f64`
//!   two_shapes.rs    two shapes → distance, closest points, time of impact
//!   aligned_impact.rs  two axis-aligned shapes → time of impact
//!     aligned_contact.rs  their contact, by the kernels
//!   circle_hits.rs     CircleHits: circles that move, eight pairs at a time
//!   overlap_area.rs  two shapes → the area that they share, where their outlines cross
//!   contains.rs      shape and point → whether it holds the point
//!   stop.rs          RelativeMotion: what stops a motion
//!     stop/one_way.rs  segments with one side: they stop only what is in front
//!     obstacle_path.rs  ObstaclePath: the part of a path beside an obstacle, and how deep it leads
//!     hit.rs           Hit: where a ray or a moving shape first touches a shape
//!                      CastOptions: how far a shape is cast, and what stops it
//! listed_pairs.rs  Narrowphase: pairs that the caller supplies
//!   place_on_demand.rs  PlaceOnDemand: places shapes of columns that meet rotated shapes
//! ```
//!
//! The grid decides axis-aligned shapes by itself. Of all other shapes it has bounding boxes only,
//! so their pairs are candidates. A block of candidates is sorted by kernel and decided in batches.
//! The pairs that touch keep their order. Contacts among axis-aligned shapes need no sorting.
//!
//! Every shape is a convex core with a radius. Each lane of a kernel is one pair. All SIMD levels,
//! including scalar code, run the same operations in the same order for a pair.

mod aligned_box;
mod box_box;
mod boxes;
mod chain;
mod circles;
pub(crate) mod contact;
mod direct;
mod face;
mod jobs;
mod kernels;
mod lane_batch;
mod lanes;
mod large_polygons;
pub(crate) mod listed_pairs;
mod manifold;
mod one_by_one;
mod outline;
mod output;
mod pair_query;
mod part_bounds;
mod parts;
mod place_on_demand;
mod polygon_polygon;
mod probe;
mod rows;
mod run;
mod single;
#[cfg(feature = "queries")]
mod smooth_border;
mod verdict;
mod view;

#[cfg(feature = "queries")]
pub(crate) mod hit;
#[cfg(feature = "queries")]
mod solids;

#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod aligned_contact;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod aligned_impact;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod circle_hits;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod contains;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod obstacle_path;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod overlap_area;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod stop;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
mod two_shapes;

pub(crate) use contact::{Contact, ContactColumns, ContactPoint, Feature};
pub(crate) use outline::PlacedOutline;
pub(crate) use pair_query::PairQuery;
pub(crate) use probe::Probe;
pub(crate) use run::Candidates;
pub(crate) use single::{OneShape, check_margin, with_probe, with_probes};
pub use single::{contact, touches};
#[cfg(feature = "queries")]
pub(crate) use smooth_border::SmoothBorder;

pub(crate) use view::{Set, Sources, View};

#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use aligned_contact::AlignedShape;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use aligned_impact::{impact_of_aligned, stop_of_aligned};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use circle_hits::{CircleHits, CircleLanes, circle_hits};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use hit::CastOptions;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use hit::CastStart;
#[cfg(feature = "queries")]
pub(crate) use hit::{Hit, check_most, check_translation, refuse};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use overlap_area::{crossings, overlap_area};
#[cfg(feature = "queries")]
pub(crate) use part_bounds::{NO_FURTHER, NearBox, PartBounds, SMALLEST_F32};
#[cfg(feature = "queries")]
pub(crate) use probe::aligned_sides;
#[cfg(feature = "queries")]
pub(crate) use solids::{
    PartWorkspace, SolidWorkspace, each_part, each_part_first, is_on_inner_side,
};
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use stop::RelativeMotion;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub(crate) use two_shapes::impact;
#[cfg(all(feature = "narrowphase", feature = "queries"))]
pub use two_shapes::{
    ClosestPoints, TwoShapes, closest_points, contains, distance, time_of_impact,
};

use crate::simd::Simd;
use lane_batch::LaneBatch;
use manifold::Manifold;
use verdict::Verdict;

/// A kernel: decides pairs of shapes, and makes their contacts. A lane is a pair.
///
/// Why kernels are not of another kind:
///
/// - *GJK and EPA* loop until they converge, with a branch for each simplex: lanes would wait for
///   the slowest lane and take all branches. Every kind here has few sides or a closed form.
/// - *A vector across the vertices of one pair* is hardly filled by four to eight vertices, and
///   every minimum ends in a reduction across lanes.
/// - *A kernel for each pair of kinds*: a capsule is a box of zero height, and a box meets polygons
///   as a polygon, with as many operations.
/// - *A start from the contacts or the sides of the last step* needs state, which is invalid as
///   soon as rows change.
trait PairKernel: Copy {
    /// Returns the verdicts of the pairs in the lanes from `at` on.
    fn test<S: Simd>(self, simd: S, batch: &LaneBatch, at: usize, inclusive: bool) -> Verdict<S>;

    /// Makes the contacts of the pairs in the lanes from `at` on. Shapes that do not touch have one
    /// too, if they are at most `margin` apart. So the caller must apply
    /// [`bounded`](Manifold::bounded).
    fn contact<S: Simd>(
        self,
        simd: S,
        batch: &LaneBatch,
        at: usize,
        margin: S::F32,
        inclusive: bool,
    ) -> Manifold<S>;
}
