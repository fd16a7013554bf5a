//! `Step`: the results of a step of a world, as arrays that read its memory.

use numpy::PyArray1;
use pyo3::prelude::*;
use widephase::world::PairEvent;

use crate::{arrays::lent, pools::Large};

/// The lists of a step. They never change; arrays of them keep the step.
#[pyclass(frozen, module = "widephase._widephase")]
pub struct Step {
    step: Large<widephase::Step>,
    persisted: Large<Vec<PairEvent>>,
}

impl Step {
    pub fn new(step: widephase::Step, persisted: Vec<PairEvent>) -> Self {
        Self { step: Large::new(step), persisted: Large::new(persisted) }
    }
}

#[pymethods]
impl Step {
    /// Pairs that started: rows of 6 words of 64 bits.
    fn started<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // SAFETY: a step is frozen, and its lists stay where they are.
        unsafe { lent(this.get().step.started(), this.clone().into_any()) }
    }

    /// Pairs that persist: rows of 6 words.
    fn persisted<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // SAFETY: as above.
        unsafe { lent(&this.get().persisted, this.clone().into_any()) }
    }

    /// Pairs that stopped: rows of 5 words.
    fn stopped<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.stopped(), this.clone().into_any()) }
    }

    /// The pairs of rows: a word of 32 bits for each row.
    fn pairs<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.pairs(), this.clone().into_any()) }
    }

    /// The contacts: rows of 16 words of 32 bits.
    fn contacts<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        // SAFETY: as above.
        unsafe { lent(this.get().step.contacts(), this.clone().into_any()) }
    }
}
