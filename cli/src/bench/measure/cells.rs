//! How full the cells of a grid are.

use std::collections::BTreeMap;

use crate::scene::SceneKind;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use widephase::Detector;

use crate::{args::BenchArgs, timing::Rotation};

/// The cells of the grid of one scene that hold bodies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::bench) struct Cells {
    /// The short name.
    pub(in crate::bench) scene: String,
    pub(in crate::bench) n: u32,
    /// The number of grid levels that hold bodies.
    pub(in crate::bench) levels: usize,
    /// For each number of bodies, the number of cells that hold as many.
    pub(in crate::bench) holding: BTreeMap<u32, u32>,
}

impl Cells {
    /// Counts the cells of the first scene of a run, after one step.
    pub(in crate::bench) fn count(kind: SceneKind, n: u32, args: &BenchArgs) -> Result<Self> {
        let mut scenes = Rotation::new(kind, n, args.cases.seed, args.cases.motion());
        let (mut detector, mut cells) = (Detector::new(), Vec::new());
        detector.count(scenes.next(0).columns())?;
        detector.grid_cells(&mut cells);
        let mut holding = BTreeMap::new();
        for cell in &cells {
            *holding.entry(cell.shapes).or_default() += 1;
        }
        let levels = cells.chunk_by(|a, b| a.level == b.level).count();
        Ok(Self { scene: kind.short_name().to_owned(), n, levels, holding })
    }

    /// The share of cells that hold numbers of bodies in a range, in percent.
    #[cfg(any(feature = "report", test))]
    pub(in crate::bench) fn share(&self, bodies: std::ops::RangeInclusive<u32>) -> f64 {
        let cells = |counts: &mut dyn Iterator<Item = &u32>| {
            counts.map(|count| f64::from(*count)).sum::<f64>()
        };
        let all = cells(&mut self.holding.values());
        100.0 * cells(&mut self.holding.range(bodies).map(|(_, count)| count)) / all.max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_cells() {
        let holding = BTreeMap::from([(1, 5), (2, 3), (9, 2)]);
        let cells = Cells { scene: "s1".to_owned(), n: 29, levels: 1, holding };
        let shares = [1..=1, 2..=8, 9..=u32::MAX, 10..=u32::MAX].map(|range| cells.share(range));
        assert_eq!(shares, [50.0, 30.0, 20.0, 0.0]);
        assert_eq!(Cells { holding: BTreeMap::new(), ..cells }.share(1..=1), 0.0);
    }
}
