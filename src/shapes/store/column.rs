//! `Column`: a growable column with zeros behind its end.

use std::ops::{Deref, DerefMut};

use crate::{base::copied, simd::MAX_LANES};

/// A `Vec<f32>` that keeps [`MAX_LANES`] zeros behind its last value, so that a whole vector of any
/// SIMD level can be loaded from every position, including the last.
#[derive(Debug)]
pub(crate) struct Column {
    /// The values, then `MAX_LANES` zeros.
    padded: Vec<f32>,
}

copied!(Column { padded });

impl Default for Column {
    fn default() -> Self {
        Self { padded: vec![0.0; MAX_LANES] }
    }
}

impl Column {
    /// The values and the zeros behind them.
    pub(crate) fn padded(&self) -> &[f32] {
        &self.padded
    }

    /// The number of values, without the zeros behind them.
    pub(crate) fn len(&self) -> usize {
        self.padded.len() - MAX_LANES
    }

    /// Reserves capacity for `additional` more values.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.padded.reserve(additional);
    }

    /// Appends a value.
    pub(crate) fn push(&mut self, value: f32) {
        let end = self.len();
        self.padded.push(0.0);
        self.padded[end] = value;
    }

    /// Appends values.
    pub(crate) fn extend(&mut self, values: impl Iterator<Item = f32>) {
        self.padded.truncate(self.len());
        self.padded.extend(values);
        self.padded.extend([0.0; MAX_LANES]);
    }

    /// Removes all values and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.padded.truncate(MAX_LANES);
        self.padded.fill(0.0);
    }
}

impl Deref for Column {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.padded[..self.len()]
    }
}

impl DerefMut for Column {
    fn deref_mut(&mut self) -> &mut [f32] {
        let end = self.len();
        &mut self.padded[..end]
    }
}
