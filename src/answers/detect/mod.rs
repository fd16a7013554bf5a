//! Detection: columns of shapes in, lists of pairs or contacts out.
//!
//! ```text
//! scope.rs           which shapes are paired                                     (Scope)
//! engine.rs          detections of columns, with or without spaces               (Engine)
//! spaces.rs          many spaces in one call: a detection for each               (SpacesWorkspace)
//! detection.rs       one detection: check → compact → inflate → grid → passes    (DetectionWorkspace)
//! search.rs          what is to be found, and the passes over a grid             (Request)
//! sink.rs            where the results go                                        (ResultSink)
//! sorter.rs          results → sorted by their rows and parts                   (ResultSorter)
//! collect.rs         runs the tasks of a pass, lists or counts the results       (Pass)
//! asked.rs           candidate pairs → pairs that the caller accepts             (AskedPairs)
//! narrow.rs          candidate pairs → pairs that touch, or contacts             (DetectionResult)
//! near_pair.rs       pairs with their distances                                  (NearPair)
//! ordered_output.rs  several threads write one list in the order of the tasks    (Workers)
//! schedule.rs        the searches of a pass, cut into tasks                      (Schedule)
//! widen.rs           shapes inflated by a margin                                 (Widen)
//! search_ids.rs      ids other than rows: sorted positions, complements          (SearchIds)
//! options.rs         the options of one detection                                (RunOptions)
//! copied_filters.rs  filters and spaces of copies of shapes                      (CopiedFilters)
//! ```
//!
//! A call with neighbours, a periodic box or displacements is a detection of boxes or copies of the
//! shapes: see [`neighbors`](crate::neighbors), [`periodic`](crate::periodic) and
//! [`motion`](crate::motion).

mod asked;
mod collect;
#[cfg(feature = "queries")]
mod copied_filters;
mod detection;
mod engine;
mod narrow;
mod near_pair;
mod options;
mod ordered_output;
mod schedule;
mod scope;
mod search;
mod search_ids;
mod sink;
mod sorter;
mod spaces;
mod widen;

pub(crate) use engine::Engine;
pub(crate) use narrow::Take;
pub(crate) use options::RunOptions;
pub use scope::Scope;
pub(crate) use scope::ScopeSides;
pub(crate) use sink::ResultSink;
#[cfg(feature = "queries")]
pub(crate) use {
    copied_filters::CopiedFilters,
    engine::{More, list_near},
    near_pair::NearPair,
    search::MANY_TIMES_MORE,
    sink::SearchedGrid,
};
