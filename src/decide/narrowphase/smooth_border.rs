//! `SmoothBorder`: the normals that motions may be stopped along.
//!
//! A segment of a chain and a part of an outline know how the border goes on beside them. Their
//! contacts have only normals of that border, and so have casts: a shape that slides over a joint
//! or a seam is not stopped by it.

use super::{PairQuery, PlacedOutline, Set, chain, view::ChainPiece};
use crate::geometry::Vector;

/// The border of a shape that is a segment of a chain or an outline.
#[derive(Clone, Copy)]
pub(crate) enum SmoothBorder<'a> {
    Chain(ChainPiece),
    Outline(PlacedOutline<'a>),
}

impl<'a> SmoothBorder<'a> {
    fn of(set: &Set<'a>, row: usize) -> Option<Self> {
        let placed = set.placed.get(row)?;
        match set.chain_piece(row) {
            Some(piece) => Some(Self::Chain(piece)),
            None => PlacedOutline::of(set, placed).map(Self::Outline),
        }
    }

    pub(crate) fn is_chain(&self) -> bool {
        matches!(self, Self::Chain(_))
    }

    /// For a segment with one side: its ends, and the ends of the segments beside it that go on in
    /// about its direction. The front is to the left of each of these segments.
    pub(crate) fn one_way(&self) -> Option<[Option<[Vector; 2]>; 3]> {
        match self {
            Self::Chain(piece) => chain::one_way(piece),
            Self::Outline(_) => None,
        }
    }

    /// Whether the shape stops another shape, with its middle at `middle`, along a normal at a
    /// point of a part.
    pub(crate) fn stops(&self, part: u32, normal: Vector, point: Vector, middle: Vector) -> bool {
        match self {
            Self::Chain(piece) => chain::stops(piece, normal, middle),
            Self::Outline(outline) => outline.admits(part as usize, normal, point),
        }
    }
}

impl PairQuery<'_> {
    /// The borders of the shape of a probe and of a row, if they are smooth.
    pub(crate) fn smooth_borders(&self, row: u32) -> [Option<SmoothBorder<'_>>; 2] {
        if !self.has_chains() && !self.has_outlines() {
            return [None; 2];
        }
        let [probe, other] = &self.sets;
        [SmoothBorder::of(probe, 0), SmoothBorder::of(other, row as usize)]
    }
}
