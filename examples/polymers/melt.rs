//! Chains of beads in a box that repeats, as simulations of polymers have them. Beads push each
//! other apart, except neighbours in a chain: a bond holds them at the distance 1.

use widephase::{
    Columns, Detector, Error, Lists, Options, Periodic,
    periodic::{PeriodicNeighbor, PeriodicPair},
};

/// Beads of a chain.
const LENGTH: usize = 8;
const BEADS: usize = 128 * LENGTH;
/// The width and the height of the box.
pub(crate) const SIDE: f32 = 40.0;
static RADIUS: [f32; BEADS] = [0.5; BEADS];

/// Whether two beads push each other apart. The smaller row comes first.
fn are_free(a: u32, b: u32) -> bool {
    b - a > 1 || (b as usize).is_multiple_of(LENGTH)
}

/// Whether two beads are of different chains.
pub(crate) fn are_of_two_chains(a: u32, b: u32) -> bool {
    a as usize / LENGTH != b as usize / LENGTH
}

pub(crate) struct Melt {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    repeats: Periodic,
    detector: Detector,
    pairs: Vec<PeriodicPair>,
    nearest: Lists<PeriodicNeighbor>,
}

impl Melt {
    /// Straight chains, which lie on each other.
    pub(crate) fn new(options: Options) -> Result<Self, Error> {
        let chain = |bead: usize| (bead / LENGTH) as f32;
        let start = |bead: usize| (chain(bead) * 0.618_034).fract() * SIDE;
        let height = |bead: usize| chain(bead) * (LENGTH as f32 * SIDE / BEADS as f32);
        Ok(Self {
            x: (0..BEADS).map(|bead| start(bead) + (bead % LENGTH) as f32).collect(),
            y: (0..BEADS).map(height).collect(),
            repeats: Periodic::new([0.0; 2], [SIDE; 2]),
            detector: Detector::with_options(options)?,
            pairs: Vec::new(),
            nearest: Lists::new(),
        })
    }

    /// Moves all beads once.
    pub(crate) fn step(&mut self) -> Result<(), Error> {
        let beads = Columns::circles(&self.x, &self.y, &RADIUS)?.with_predicate(&are_free);
        self.detector.pairs_periodic(beads, &self.repeats, &mut self.pairs)?;
        for at in 0..self.pairs.len() {
            let PeriodicPair { pair, shift } = self.pairs[at];
            let (a, b) = (pair.a as usize, pair.b as usize);
            let [dx, dy] = self.repeats.offset(shift);
            let way = [self.x[b] + dx - self.x[a], self.y[b] + dy - self.y[a]];
            // An earlier push may have parted them.
            if way[0] * way[0] + way[1] * way[1] < 1.0 {
                self.part([a, b], way);
            }
        }
        for b in (1..BEADS).filter(|b| !b.is_multiple_of(LENGTH)) {
            let way = [self.x[b] - self.x[b - 1], self.y[b] - self.y[b - 1]];
            // The other bead, or its nearest image.
            self.part([b - 1, b], way.map(|part| part - SIDE * (part / SIDE).round()));
        }
        for (x, y) in self.x.iter_mut().zip(&mut self.y) {
            [*x, *y] = self.repeats.wrap([*x, *y]);
        }
        Ok(())
    }

    /// Moves two beads, `way` from each other, to the distance 1: each bead by half of the way.
    fn part(&mut self, [a, b]: [usize; 2], way: [f32; 2]) {
        let distance = (way[0] * way[0] + way[1] * way[1]).sqrt().max(1e-3);
        let [x, y] = way.map(|part| part * (0.5 * (1.0 - distance) / distance));
        (self.x[a], self.y[a]) = (self.x[a] - x, self.y[a] - y);
        (self.x[b], self.y[b]) = (self.x[b] + x, self.y[b] + y);
    }

    /// For each bead the nearest bead of another chain: the gap between them, and by how many
    /// periods it is shifted.
    pub(crate) fn nearest(&mut self) -> Result<&Lists<PeriodicNeighbor>, Error> {
        let beads = Columns::circles(&self.x, &self.y, &RADIUS)?.with_predicate(&are_of_two_chains);
        let Self { detector, repeats, nearest, .. } = self;
        detector.k_nearest_periodic(beads, 1, f32::INFINITY, repeats, nearest)?;
        Ok(nearest)
    }
}
