//! What all calls of a detector have in common.

use std::ops::ControlFlow;

use super::{Flow, Scope, scope::ScopeSets};
use crate::{
    Columns, Error, Options,
    detect::{Engine, ResultSink, RunOptions, SinkResult, Take, Targets},
    narrowphase::check_margin,
    store::index_fits,
};

/// Checks the input and detects within the shapes of `columns`, or with an index.
pub(super) fn run<T: SinkResult>(
    engine: &mut Engine,
    options: &Options,
    columns: Columns<'_>,
    margin: f32,
    sets: Targets<'_, T>,
) -> Result<u64, Error> {
    engine.begin(options.timings);
    check_margin(margin)?;
    let options = RunOptions::of(options)?;
    engine.detect(columns, options, margin, sets)
}

/// Checks the input and detects in a scope. Two indexes have no margin.
pub(super) fn find<'a, T: SinkResult>(
    engine: &mut Engine,
    options: &Options,
    scope: Scope<'a>,
    margin: f32,
    sink: ResultSink<'a, T>,
) -> Result<u64, Error> {
    match scope.sides {
        ScopeSets::One(columns) => run(engine, options, columns, margin, Targets::among(sink)),
        ScopeSets::WithIndex(columns, index) => {
            run(engine, options, columns, margin, Targets::against(index.part(0), sink))
        }
        ScopeSets::Indexes(indexes) => {
            engine.begin(options.timings);
            check_margin(margin)?;
            index_fits(indexes[0].rows() + indexes[1].rows())?;
            engine.detect_between(indexes, RunOptions::of(options)?, sink)
        }
    }
}

/// Passes all pairs or contacts in a scope to `take`, block by block, until it breaks. Two indexes
/// have no margin.
pub(super) fn pass<T: SinkResult>(
    engine: &mut Engine,
    options: &Options,
    scope: Scope<'_>,
    margin: f32,
    take: &mut Take<'_, T>,
) -> Result<(), Error> {
    engine.begin(options.timings);
    check_margin(margin)?;
    let options = RunOptions::of(options)?;
    match scope.sides {
        ScopeSets::One(columns) => engine.for_each(columns, None, options, margin, take),
        ScopeSets::WithIndex(columns, index) => {
            engine.for_each(columns, Some(index), options, margin, take)
        }
        ScopeSets::Indexes(indexes) => {
            index_fits(indexes[0].rows() + indexes[1].rows())?;
            engine.for_each_between(indexes, options, take)
        }
    }
}

/// Calls `each` for all results that `pass` passes, until `each` ends the call.
pub(super) fn call<T: Copy, F: Flow>(
    mut each: impl FnMut(T) -> F,
    pass: impl FnOnce(&mut Take<'_, T>) -> Result<(), Error>,
) -> Result<F::Outcome, Error> {
    let (mut calls, mut stopped) = (0, None);
    pass(&mut |found: &[T]| {
        for &item in found {
            if let ControlFlow::Break(stop) = each(item).flow() {
                stopped = Some(stop);
                return ControlFlow::Break(());
            }
        }
        calls += found.len() as u64;
        ControlFlow::Continue(())
    })?;
    Ok(F::outcome(stopped.map_or(ControlFlow::Continue(calls), ControlFlow::Break)))
}
