//! Detection: columns of shapes in, lists of pairs or contacts out.
//!
//! ```text
//! scope.rs           which shapes are paired                                     (Scope)
//!                    the options of one detection                                (RunOptions)
//! engine.rs          detections of columns, with or without spaces               (Engine)
//! spaces.rs          many spaces in one call: a detection for each               (SpacesWorkspace)
//! detection.rs       one detection: check → compact → inflate → grid → passes    (DetectionWorkspace)
//!                    shapes inflated by a margin                                 (Widen)
//! search.rs          what is to be found, and the passes over a grid             (Request)
//! sink.rs            where the results go                                        (ResultSink)
//! sorter.rs          results → sorted by their rows and parts                   (ResultSorter)
//! collect.rs         runs the tasks of a pass, lists or counts the results       (Pass)
//! narrow.rs          candidate pairs → pairs that touch, or contacts             (DetectionResult)
//!                    candidate pairs → pairs that the caller accepts             (AskedPairs)
//!                    pairs with their distances                                  (NearPair)
//! ordered_output.rs  several threads write one list in the order of the tasks    (Workers)
//! schedule.rs        the searches of a pass, cut into tasks                      (Schedule)
//! search_ids.rs      ids other than rows: sorted positions, complements          (SearchIds)
//! copied_filters.rs  filters and spaces of copies of shapes                      (CopiedFilters)
//! ```
//!
//! A call with neighbours, a periodic box or displacements is a detection of boxes or copies of the
//! shapes: see [`neighbors`](crate::neighbors), [`periodic`](crate::periodic) and
//! [`motion`](crate::motion).

mod collect;
#[cfg(feature = "queries")]
mod copied_filters;
mod detection;
mod engine;
mod narrow;
mod ordered_output;
mod schedule;
mod scope;
mod search;
mod search_ids;
mod sink;
mod sorter;
mod spaces;

#[cfg(feature = "queries")]
pub(crate) use copied_filters::CopiedFilters;
pub(crate) use engine::Engine;
#[cfg(feature = "queries")]
pub(crate) use engine::{More, list_near};
pub(crate) use narrow::Take;
#[cfg(feature = "queries")]
pub(crate) use narrow::{NearPair, NearPairs};
pub use scope::Scope;
pub(crate) use scope::{RunOptions, ScopeSides};
#[cfg(feature = "queries")]
pub(crate) use search::MANY_TIMES_MORE;
pub(crate) use sink::ResultSink;
#[cfg(feature = "queries")]
pub(crate) use sink::SearchedGrid;
