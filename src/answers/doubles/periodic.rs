//! Pairs, neighbours and the nearest of `f64` shapes in a periodic box.
//!
//! In plain words:
//!
//! ```text
//! wrap all shapes into the box, in f64
//! round them to f32 relative to its middle, grown by the most that roundings and periods may lose
//! find neighbours of the rounded shapes in the same box of f32
//! keep the neighbours that are near in f64, by the shift that was found
//! ```

use super::{
    columns::DoubleColumns,
    detector::{DoubleDetector, check_distance},
    frame::DoubleFrame,
    index::check_max_distance,
    origin::Origin,
    wrapped::{DoublePeriodic, DoublePeriodicNeighbor},
};
use crate::{
    base::{F32_SLACK, Pair},
    error::Error,
    lists::{Adjacency, Lists},
    options::uses_pool,
    periodic::{Periodic, PeriodicPair},
    simd::map_each,
};

impl DoubleDetector {
    /// Replaces `pairs` by all pairs of shapes that [touch](super::touches) in a periodic box, as
    /// [`Detector::pairs_periodic`](crate::Detector::pairs_periodic) does. Shapes are wrapped in
    /// `f64`; of two opposite shifts, the shift that is positive along x, or else along y, moves
    /// a shape, in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::pairs_periodic`](crate::Detector::pairs_periodic), values rounded
    /// to `f32`. `pairs` is then empty.
    pub fn pairs_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        periodic: &DoublePeriodic,
        pairs: &mut Vec<PeriodicPair>,
    ) -> Result<(), Error> {
        pairs.clear();
        let mut lists = Lists::new();
        self.neighbors_periodic(shapes, 0.0, Adjacency::Half, periodic, &mut lists)?;
        for (a, list) in (0..).zip(lists.iter()) {
            let pair = |b: u32| Pair { a, b };
            let found = list.iter().map(|b| PeriodicPair { pair: pair(b.row), shift: b.shift });
            pairs.extend(found);
        }
        Ok(())
    }

    /// Replaces `lists` by the neighbours of each row in a periodic box, as
    /// [`Detector::neighbors_periodic`](crate::Detector::neighbors_periodic) does: decided as by
    /// [`pairs_periodic`](DoubleDetector::pairs_periodic), with distances in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::neighbors_periodic`](crate::Detector::neighbors_periodic), values
    /// rounded to `f32`. `lists` is then empty.
    pub fn neighbors_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        distance: f64,
        adjacency: Adjacency,
        periodic: &DoublePeriodic,
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        let (_, single) = self.place(&shapes, periodic, distance)?;
        let Self { detector, touching, relative, wrapped, near } = self;
        let decider = wrapped.decider(&shapes, periodic);
        let relative = relative.of(&decider.shapes)?;
        detector.neighbors_periodic(relative, 0.0, adjacency, &single, near)?;
        let result = decider.list_within(near, (distance, *touching), lists);
        if result.is_err() {
            lists.clear();
        }
        result
    }

    /// Replaces `lists` by the `k` nearest neighbours of each row in a periodic box, as
    /// [`Detector::k_nearest_periodic`](crate::Detector::k_nearest_periodic) does, by their
    /// distances in `f64`.
    ///
    /// # Errors
    /// The errors of [`Detector::k_nearest_periodic`](crate::Detector::k_nearest_periodic), values
    /// rounded to `f32`. `lists` is then empty.
    pub fn k_nearest_periodic(
        &mut self,
        shapes: DoubleColumns<'_>,
        k: usize,
        max_distance: f64,
        periodic: &DoublePeriodic,
        lists: &mut Lists<DoublePeriodicNeighbor>,
    ) -> Result<(), Error> {
        lists.clear();
        check_max_distance(max_distance)?;
        let (frame, single) = self.place(&shapes, periodic, 0.0)?;
        let Self { detector, relative, wrapped, near, .. } = self;
        let decider = wrapped.decider(&shapes, periodic);
        // If the last of a few more neighbours is surely further away, the nearest neighbours are
        // found. The first further neighbour is often too near to tell, the fourth is not.
        let (mut wanted, most) = (k.saturating_add(4), frame.at_most(max_distance));
        loop {
            let relative = relative.of(&decider.shapes)?;
            detector.k_nearest_periodic(relative, wanted, most, &single, near)?;
            let sure = decider.list_nearest(near, (k, wanted), (max_distance, &frame), lists);
            if sure == Ok(true) {
                return Ok(());
            }
            lists.clear();
            sure?;
            wanted = wanted.saturating_mul(2);
        }
    }

    /// Wraps the shapes, and rounds them to a box of `f32`, grown so that shapes within a
    /// distance touch there by the same shift. Returns the frame, and the box in it.
    fn place(
        &mut self,
        shapes: &DoubleColumns<'_>,
        periodic: &DoublePeriodic,
        distance: f64,
    ) -> Result<(DoubleFrame, Periodic), Error> {
        periodic.check()?;
        check_distance(distance)?;
        // Before values beyond the limits are moved into the box.
        shapes.check()?;
        let Self { detector, relative, wrapped, .. } = self;
        let options = detector.options();
        let run = (options.isa()?, uses_pool(options.threads, shapes.len()));
        let longest = wrapped.wrap(shapes, periodic);
        let columns = wrapped.decider(shapes, periodic).shapes;
        let (among, period) = (Origin::among(&columns).position(), periodic.period());
        let DoublePeriodic { min, max, wrap } = *periodic;
        let middle = |axis: usize| 0.5 * min[axis] + 0.5 * max[axis];
        let origin = map_each([0, 1], |axis| if wrap[axis] { middle(axis) } else { among[axis] });
        let shortest = period.into_iter().filter(|period| *period > 0.0).fold(1.0, f64::min);
        let frame = DoubleFrame::at(origin, shortest);
        // The period is rounded, and so are all positions, of images up to this far away too.
        let reach = 4.0 * period[0].max(period[1]) + longest + distance;
        frame.fill(run, &columns, 0.5 * (distance + reach * F32_SLACK), relative)?;
        Ok((frame, Periodic { min: frame.rounded(min), max: frame.rounded(max), wrap }))
    }
}
