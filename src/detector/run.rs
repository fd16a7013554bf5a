//! What all calls of a detector have in common.

use std::ops::ControlFlow;

use super::{Detector, Flow};
use crate::{
    Columns, Error, Index,
    detect::{Detect, RunOptions, Sets, Sink},
    narrowphase::check_margin,
    store::index_fits,
};

impl Detector {
    /// Checks the input and detects within the shapes of `columns`, or with an index.
    pub(super) fn run<T: Detect>(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        sets: Sets<'_, T>,
    ) -> Result<u64, Error> {
        self.engine.begin(self.options.timings);
        check_margin(margin)?;
        let options = RunOptions::of(&self.options)?;
        T::detect(&mut self.engine, columns, options, margin, sets)
    }

    /// Detects between two indexes.
    pub(super) fn run_between<T: Detect>(
        &mut self,
        indexes: [&Index; 2],
        sink: Sink<'_, T>,
    ) -> Result<u64, Error> {
        self.engine.begin(self.options.timings);
        index_fits(indexes[0].rows() + indexes[1].rows())?;
        let options = RunOptions::of(&self.options)?;
        T::detect_between(&mut self.engine, indexes, options, sink)
    }

    /// Calls `each` for all pairs or contacts: within the shapes, or of the shapes with an index.
    pub(super) fn call<T: Detect, F: Flow>(
        &mut self,
        columns: Columns<'_>,
        index: Option<&Index>,
        margin: f32,
        mut each: impl FnMut(T) -> F,
    ) -> Result<F::Outcome, Error> {
        let (mut calls, mut stopped) = (0, None);
        let mut take = |found: &[T]| {
            for &item in found {
                if let ControlFlow::Break(stop) = each(item).flow() {
                    stopped = Some(stop);
                    return ControlFlow::Break(());
                }
            }
            calls += found.len() as u64;
            ControlFlow::Continue(())
        };
        self.engine.begin(self.options.timings);
        check_margin(margin)?;
        let options = RunOptions::of(&self.options)?;
        T::for_each(&mut self.engine, columns, index, options, margin, &mut take)?;
        Ok(F::outcome(stopped.map_or(ControlFlow::Continue(calls), ControlFlow::Break)))
    }
}
