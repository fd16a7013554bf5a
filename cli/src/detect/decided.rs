//! Pairs of boxes around figures, decided block by block on all threads.

use anyhow::Result;
use rayon::prelude::*;
use widephase::{Pair, Touching};

use crate::figures::Figures;

/// The pairs of a block.
const BLOCK: usize = 1 << 12;

/// How pairs of figures are decided.
#[derive(Clone, Copy)]
pub(super) struct Rule<'a> {
    pub(super) figures: [&'a Figures; 2],
    /// The margin that is added to the radii.
    pub(super) margin: f64,
    pub(super) touching: Touching,
}

/// Passes on the pairs that touch, in their order.
pub(super) struct Decided<'a, F> {
    rule: Rule<'a>,
    each: F,
    block: Vec<Pair>,
    found: u64,
}

impl<'a, F: FnMut(Pair) -> Result<()>> Decided<'a, F> {
    /// Calls `each` with each pair that touches.
    pub(super) fn new(rule: Rule<'a>, each: F) -> Self {
        Self { rule, each, block: Vec::with_capacity(BLOCK), found: 0 }
    }

    /// Takes a pair whose boxes touch.
    pub(super) fn take(&mut self, pair: Pair) -> Result<()> {
        self.block.push(pair);
        if self.block.len() < BLOCK { Ok(()) } else { self.decide() }
    }

    /// Decides the last pairs. Returns the number of pairs that touch.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.decide()?;
        Ok(self.found)
    }

    fn decide(&mut self) -> Result<()> {
        let Rule { figures: [figures, others], margin, touching } = self.rule;
        let touch =
            |pair: &&Pair| figures.get(pair.a).touches(&others.get(pair.b), margin, touching);
        let pairs: Vec<Pair> = self.block.par_iter().filter(touch).copied().collect();
        self.block.clear();
        self.found += pairs.len() as u64;
        pairs.into_iter().try_for_each(&mut self.each)
    }
}
