//! `Step`: what a step of a world has found, as arrays that read its memory.

use numpy::PyArray1;
use pyo3::prelude::*;
use widephase::world::PairEvent;

use crate::arrays::lent;

/// The lists of a step. They never change; arrays of them keep the step.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Step {
    step: widephase::Step,
    persisted: Vec<PairEvent>,
}

impl Step {
    pub fn new(step: widephase::Step, persisted: Vec<PairEvent>) -> Self {
        Self { step, persisted }
    }
}

#[pymethods]
impl Step {
    /// Pairs that started: 6 words of 64 bits each.
    fn started<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u64>> {
        // SAFETY: a step is frozen, and its lists stay where they are.
        unsafe { lent(this.get().step.started(), this.clone().into_any()) }
    }

    /// Pairs that persist: 6 words each.
    fn persisted<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u64>> {
        // SAFETY: as above.
        unsafe { lent(&this.get().persisted, this.clone().into_any()) }
    }

    /// Pairs that stopped: 5 words each.
    fn stopped<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u64>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.stopped(), this.clone().into_any()) }
    }

    /// The pairs of rows: a word of 32 bits for each row.
    fn pairs<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.pairs(), this.clone().into_any()) }
    }

    /// The contacts: 16 words of 32 bits each.
    fn contacts<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.contacts(), this.clone().into_any()) }
    }
}
