//! `Reaches`: how far shapes reach towards the upper sides of a periodic box, place by place.

use std::ops::RangeInclusive;

use crate::{base::held, simd::map_each};

/// The bins along a side.
const BINS_PER_SIDE: usize = 64;

/// For each place along a side of the box, how far the shapes there reach across that side.
///
/// A copy across the seam is near a shape only if it begins before the end of some shape at its
/// place. The largest shapes reach far, but only at few places.
#[derive(Debug, Default)]
pub(super) struct Reaches {
    /// For each axis, the highest end of the shapes in each bin of the other axis, with the slack.
    highest: [Vec<f64>; 2],
    /// Where the bins of each axis begin, and how many there are in a unit of length.
    from: [f64; 2],
    scale: [f64; 2],
    slack: [f64; 2],
}

held!(Reaches { highest, from, scale, slack });

impl Reaches {
    /// Removes all shapes. `all` are the lowest and the highest end of all shapes, between which
    /// the bins are. Shapes more than `slack` apart are not near each other. `usual` is how far
    /// shapes may reach at any place: only shapes that reach further are to be added.
    pub(super) fn begin(&mut self, all: [[f64; 2]; 2], slack: [f64; 2], usual: [f64; 2]) {
        for (axis, highest) in self.highest.iter_mut().enumerate() {
            highest.clear();
            highest.resize(BINS_PER_SIDE, usual[axis] + slack[axis]);
        }
        self.from = map_each(all, |[low, _]| low);
        self.scale = map_each(all, |[low, high]| BINS_PER_SIDE as f64 / (high - low));
        self.slack = slack;
    }

    /// The bins of a range. A larger coordinate never has a lower bin; coordinates beyond the ends
    /// have the first and the last bin.
    #[inline]
    fn bins(&self, axis: usize, low: f64, high: f64) -> RangeInclusive<usize> {
        let (from, scale) = (self.from[axis], self.scale[axis]);
        // Not a number, if all shapes end where they begin, is 0.
        let bin = |at: f64| (((at - from) * scale) as usize).min(BINS_PER_SIDE - 1);
        bin(low)..=bin(high)
    }

    /// Adds the reach along an axis of a shape with these ends.
    #[inline]
    pub(super) fn add(&mut self, axis: usize, ends: [[f64; 2]; 2]) {
        let [low, high] = ends[1 - axis];
        let (bins, reach) = (self.bins(1 - axis, low, high), ends[axis][1] + self.slack[axis]);
        for highest in &mut self.highest[axis][bins] {
            *highest = highest.max(reach);
        }
    }

    /// Whether a copy may begin along an axis before the end of some shape: its lower end there,
    /// and its ends along the other axis.
    #[inline]
    pub(super) fn reach(&self, axis: usize, low: f64, [from, to]: [f64; 2]) -> bool {
        let slack = self.slack[1 - axis];
        let bins = self.bins(1 - axis, from - slack, to + slack);
        self.highest[axis][bins].iter().any(|highest| low <= *highest)
    }
}
