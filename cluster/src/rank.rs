//! `Rank`: a step of a rank.

use anyhow::{Context, Result};
use mpi::{topology::SimpleCommunicator, traits::*};
use widephase::{Tile, Tiles, shape::RoundedBox};

use crate::{
    balance::{self, Load},
    bodies::{Bodies, Role},
    clock::{Clock, Phase},
    exchange::Exchange,
    faults::{Failure, agree},
    finder::Finder,
    record::Parcel,
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

    /// Sends each body to the owner of its position, which may be any rank.
    fn hand_over(&mut self, stats: &mut Stats) -> Result<(), Failure> {
        let here = self.world.rank() as usize;
        let tile = self.tiles.get(here).unwrap_or(Tile::PLANE);
        self.exchange.clear();
        for row in 0..self.bodies.records.len() as u32 {
            if self.bodies.roles[row as usize].is_own() {
                let (record, floats) = self.bodies.get(row);
                let position = [record.x, record.y];
                if !tile.contains(position) {
                    self.exchange.outgoing[self.tiles.find(position)].push(record, floats);
                    self.bodies.release(row);
                }
            }
        }
        stats.handed = self.exchange.bodies();
        self.send(stats);
        let arrived = self.bodies.put_all(&self.exchange.incoming, Role::Inner);
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
        let tile = self.tiles.get(here).unwrap_or(Tile::PLANE);
        self.exchange.clear();
        for row in 0..self.bodies.records.len() as u32 {
            if !self.bodies.roles[row as usize].is_own() {
                continue;
            }
            let bounds = self.bodies.shapes.bounds(row).context("an own body has no shape")?;
            let is_inner = encloses(tile, bounds, self.margin);
            self.bodies.roles[row as usize] = if is_inner { Role::Inner } else { Role::Border };
            if is_inner {
                continue;
            }
            let (record, floats) = self.bodies.get(row);
            for (rank, tile) in self.tiles.iter().enumerate() {
                if rank != here && tile.reached_by(bounds, self.margin) {
                    self.exchange.outgoing[rank].push(record, floats);
                }
            }
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

/// Whether a shape surely reaches into no other tile: with ten times the slack of
/// [`Tile::reached_by`] and more, and computed in `f64` as there.
fn encloses(tile: Tile, bounds: RoundedBox, margin: f32) -> bool {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = bounds;
    let out = (f64::from(radius) + f64::from(margin)) * 1.001;
    let within = |[lower, min, max, upper]: [f32; 4]| {
        f64::from(lower) <= f64::from(min) - out && f64::from(max) + out < f64::from(upper)
    };
    within([tile.min_x, min_x, max_x, tile.max_x]) && within([tile.min_y, min_y, max_y, tile.max_y])
}
