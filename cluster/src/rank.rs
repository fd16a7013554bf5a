//! `Rank`: a step of a rank.

use anyhow::{Context, Result};
use mpi::{topology::SimpleCommunicator, traits::*};
use widephase::tiles::{Tile, Tiles};

use crate::{
    balance::{self, Load},
    bodies::{Bodies, Role},
    clock::{Clock, Phase},
    exchange::Exchange,
    faults::{Failure, agree},
    finder::Finder,
    record::{Parcel, Record},
    report::Stats,
};

/// What a rank keeps from step to step.
pub(crate) struct Rank<'w> {
    world: &'w SimpleCommunicator,
    pub(crate) bodies: Bodies,
    tiles: Tiles,
    exchange: Exchange,
    finder: Finder,
    pub(crate) clock: Clock,
    margin: f32,
    half_world: f32,
}

impl<'w> Rank<'w> {
    /// Shares out the bodies that each rank has read, by tiles with about as many each.
    pub(crate) fn new(
        world: &'w SimpleCommunicator,
        read: &Parcel,
        stride: usize,
        margin: f32,
        half_world: f32,
    ) -> Result<Self, Failure> {
        let finder = agree(world, Finder::new())?;
        let mut bodies = Bodies::new(stride);
        agree(world, bodies.put_all(read, Role::Inner))?;
        let mut rank = Self {
            world,
            bodies,
            tiles: Tiles::new(),
            exchange: Exchange::new(world.size() as usize),
            finder,
            clock: Clock::new(),
            margin,
            half_world,
        };
        let len = rank.bodies.len() as u64;
        let mut lens = vec![0; world.size() as usize];
        world.all_gather_into(&len, &mut lens[..]);
        let loads: Vec<Load> = lens.into_iter().map(|len| (len, len)).collect();
        rank.rebalance(&loads)?;
        rank.hand_over(&mut Stats::default())?;
        let sorted = rank.bodies.sort();
        agree(world, sorted)?;
        Ok(rank)
    }

    /// Cuts new tiles. The bodies go to their new owners in the next hand-over.
    pub(crate) fn rebalance(&mut self, loads: &[Load]) -> Result<(), Failure> {
        self.tiles = agree(self.world, balance::tiles(self.world, &self.bodies, loads))?;
        Ok(())
    }

    /// One step: moves the bodies, and detects.
    pub(crate) fn step(&mut self) -> Result<Stats, Failure> {
        let mut stats = Stats::default();
        self.clock.take();
        self.clock.enter(Phase::Move);
        let moved = self.advance();
        self.agree(moved)?;
        self.clock.enter(Phase::HandOver);
        self.hand_over(&mut stats)?;
        self.clock.enter(Phase::Ghosts);
        self.exchange_ghosts(&mut stats)?;
        self.clock.enter(Phase::Detect);
        let found = self.detect();
        stats.digest = self.agree(found)?;
        self.clock.enter(Phase::Other);
        stats.bodies = self.bodies.len() as u64;
        stats.spent = self.clock.take();
        Ok(stats)
    }

    fn advance(&mut self) -> Result<()> {
        self.bodies.release_ghosts();
        if self.bodies.is_disordered() {
            self.bodies.sort()?;
        }
        self.bodies.advance(self.half_world)
    }

    /// Sends each body to the owner of its position, which may be any rank. Finds the inner bodies.
    fn hand_over(&mut self, stats: &mut Stats) -> Result<(), Failure> {
        let here = self.world.rank() as usize;
        let tile = self.tiles.get(here).unwrap_or(Tile::PLANE);
        self.exchange.clear();
        for row in 0..self.bodies.records.len() {
            if !self.bodies.roles[row].is_own() {
                continue;
            }
            let Record { x, y, .. } = self.bodies.records[row];
            if is_deep(tile, [x, y], self.bodies.around[row], self.margin) {
                self.bodies.roles[row] = Role::Inner;
                continue;
            }
            self.bodies.roles[row] = Role::Border;
            if !tile.contains([x, y]) {
                let (record, floats) = self.bodies.get(row as u32);
                self.exchange.outgoing[self.tiles.find([x, y])].push(record, floats);
                self.bodies.release(row as u32);
            }
        }
        stats.handed = self.exchange.bodies();
        self.send(stats);
        let arrived = self.bodies.put_all(&self.exchange.incoming, Role::Border);
        self.agree(arrived)
    }

    /// Sends copies of the bodies that reach into other tiles.
    fn exchange_ghosts(&mut self, stats: &mut Stats) -> Result<(), Failure> {
        let listed = self.list_ghosts();
        self.agree(listed)?;
        self.send(stats);
        stats.ghosts = self.exchange.incoming.records.len() as u64;
        let arrived = self.bodies.put_all(&self.exchange.incoming, Role::Ghost);
        let vacated = arrived.and_then(|()| self.bodies.vacate());
        self.agree(vacated)
    }

    fn list_ghosts(&mut self) -> Result<()> {
        let here = self.world.rank() as usize;
        self.exchange.clear();
        for row in 0..self.bodies.records.len() as u32 {
            if self.bodies.roles[row as usize] != Role::Border {
                continue;
            }
            let bounds = self.bodies.shapes.bounds(row).context("an own body has no shape")?;
            let (record, floats) = self.bodies.get(row);
            self.tiles.visit_reached(bounds, self.margin, |rank| {
                if rank != here {
                    self.exchange.outgoing[rank].push(record, floats);
                }
            });
        }
        Ok(())
    }

    fn detect(&mut self) -> Result<crate::digest::Digest> {
        let tile = self.tiles.get(self.world.rank() as usize).unwrap_or(Tile::PLANE);
        self.finder.run(&self.bodies, tile, self.margin)
    }

    fn send(&mut self, stats: &mut Stats) {
        let phase = self.clock.enter(Phase::Mpi);
        stats.bytes += self.exchange.run(self.world);
        self.clock.enter(phase);
    }

    fn agree<T>(&mut self, result: Result<T>) -> Result<T, Failure> {
        let phase = self.clock.enter(Phase::Mpi);
        let agreed = agree(self.world, result);
        self.clock.enter(phase);
        agreed
    }
}

/// Whether a body at a position, with a radius around it, surely reaches into no other tile.
///
/// A thousandth of radius and margin is more than the slack of [`Tile::reached_by`], and 2^-18 of
/// the coordinates is 64 times the rounding error of a side. What is not sure takes the exact test.
fn is_deep(tile: Tile, [x, y]: [f32; 2], around: f32, margin: f32) -> bool {
    let out = (around + margin) * 1.001 + (x.abs() + y.abs()) / (1 << 18) as f32;
    let within = |min: f32, at: f32, max: f32| min <= at - out && at + out < max;
    within(tile.min_x, x, tile.max_x) && within(tile.min_y, y, tile.max_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::mix;
    use widephase::{
        shape::{Aabb, RoundedBox},
        tiles::Axis,
    };

    /// Circles near the sides of tiles of all sizes, near and far from the origin.
    #[test]
    fn deep_bodies_reach_into_no_other_tile() {
        let mut state = 1;
        let mut draw = || {
            state = mix(state + 1);
            (state >> 40) as f32 / (1 << 24) as f32
        };
        let mut deep = 0;
        for round in 0..20_000 {
            let far = 10.0_f32.powi(round % 9);
            let [low, x, y] = [0; 3].map(|_| (draw() - 0.5) * far);
            let (size, margin) = (draw() * far, if round % 2 == 0 { 0.0 } else { draw() });
            let mut tiles = Tiles::new();
            let right = tiles.cut(0, Axis::X, low).unwrap();
            let above = tiles.cut(right, Axis::Y, low).unwrap();
            tiles.cut(above, Axis::X, low + size).unwrap();
            tiles.cut(above, Axis::Y, low + size).unwrap();
            // As large as the distance to a side, give or take a little.
            let room = (x - low).min(y - low).min(low + size - x).min(low + size - y).max(0.0);
            let radius = (room - margin).max(0.0) * (0.95 + 0.06 * draw());
            let tile = tiles.get(above).unwrap();
            if is_deep(tile, [x, y], radius, margin) {
                deep += 1;
                let bounds = RoundedBox::new(Aabb::new([x, y], [x, y]), radius);
                let reached = tiles.iter().filter(|tile| tile.reached_by(bounds, margin));
                assert_eq!(reached.count(), 1, "{tile:?} {x} {y} {radius} {margin}");
            }
        }
        assert!((500..10_000).contains(&deep), "{deep}");
    }
}
