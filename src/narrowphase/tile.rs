//! From records here and there to columns: what the kernels work on.
//!
//! A tile is up to [`MAX_LANES`] pairs of one class. Records are eight words, so eight of them become
//! eight columns of eight lanes by one transposition; so do eight blocks of eight vertices.

use super::{
    jobs::{Job, Located, Sources},
    vector::Vectors,
};
use crate::{
    simd::{MAX_LANES, Simd},
    solid::{Block, Words},
};

/// How the shapes of one side of a tile are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Reading {
    /// As sides: the exact columns of axis-aligned shapes.
    Sides,
    /// As records.
    Records,
    /// As boxes, made polygons of 4 vertices.
    BoxCorners,
    /// As polygons of at most 4 vertices.
    Corners4,
    /// As polygons of any number of vertices, in whole blocks.
    Corners,
}

/// One vertex of each polygon: x, y, and the normal of the side that begins there.
pub(super) type CornerRow = [[f32; MAX_LANES]; 4];

/// Pairs in columns.
#[derive(Debug, Default)]
pub(super) struct Tile {
    pub(super) a: Side,
    pub(super) b: Side,
    /// Bit `i`: in lane `i`, `a` is the second shape of the pair as the caller knows it.
    pub(super) exchanged: u32,
}

/// One shape of each pair.
#[derive(Debug)]
pub(super) struct Side {
    words: [[f32; MAX_LANES]; 8],
    corners: Vec<CornerRow>,
    /// How many rows of `corners` there are now.
    rows: usize,
    counts: [f32; MAX_LANES],
}

impl Default for Side {
    fn default() -> Self {
        Self {
            words: [[0.0; MAX_LANES]; 8],
            corners: Vec::new(),
            rows: 0,
            counts: [0.0; MAX_LANES],
        }
    }
}

impl Side {
    /// Word `word` of the records.
    #[inline(always)]
    pub(super) fn word<S: Simd>(&self, simd: S, word: usize, at: usize) -> S::F32 {
        simd.load(&self.words[word], at)
    }

    /// The centre of each shape; the lower left corner of one that is read upright.
    #[inline(always)]
    pub(super) fn center<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        Vectors { x: self.word(simd, 0, at), y: self.word(simd, 1, at) }
    }

    #[inline(always)]
    pub(super) fn radius<S: Simd>(&self, simd: S, at: usize) -> S::F32 {
        self.word(simd, 6, at)
    }

    /// The lower left corner of a shape that is read upright.
    #[inline(always)]
    pub(super) fn min<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        self.center(simd, at)
    }

    /// The upper right corner of a shape that is read upright.
    #[inline(always)]
    pub(super) fn max<S: Simd>(&self, simd: S, at: usize) -> Vectors<S> {
        Vectors { x: self.word(simd, 2, at), y: self.word(simd, 3, at) }
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[CornerRow] {
        &self.corners[..self.rows]
    }

    #[inline(always)]
    pub(super) fn counts(&self) -> &[f32; MAX_LANES] {
        &self.counts
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.corners.capacity() * size_of::<CornerRow>()
    }
}

/// Lanes that one transposition fills.
const EIGHT: usize = 8;

impl Tile {
    /// Loads the pairs of `jobs`, at least one and at most [`MAX_LANES`]. The last one stands in the
    /// lanes beyond.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        jobs: &[Job],
        readings: [Reading; 2],
    ) {
        let lanes = jobs.len().next_multiple_of(EIGHT).max(S::LANES).min(MAX_LANES);
        self.exchanged = 0;
        if readings[0] == Reading::Sides {
            let mut sides = [[[0; 8]; MAX_LANES]; 2];
            for lane in 0..lanes {
                let job = &jobs[lane.min(jobs.len() - 1)];
                let ([a, b], exchanged) = sources.axis_aligned(job);
                sides[0][lane] = sources.sides(a);
                sides[1][lane] = sources.sides(b);
                self.exchanged |= u32::from(exchanged) << lane;
            }
            self.a.transpose(simd, sides[0].each_ref(), lanes);
            self.b.transpose(simd, sides[1].each_ref(), lanes);
            return;
        }
        let mut solids = [[sources.none(); MAX_LANES]; 2];
        for lane in 0..lanes {
            let job = &jobs[lane.min(jobs.len() - 1)];
            let ([a, b], exchanged) = sources.turning(job);
            solids[0][lane] = a;
            solids[1][lane] = b;
            self.exchanged |= u32::from(exchanged) << lane;
        }
        self.a.load(simd, sources, &solids[0], readings[0], lanes);
        self.b.load(simd, sources, &solids[1], readings[1], lanes);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.a.bytes() + self.b.bytes()
    }
}

impl Side {
    /// Makes columns of records.
    #[inline(always)]
    fn transpose<S: Simd>(&mut self, simd: S, records: [&Words; MAX_LANES], lanes: usize) {
        for first in (0..lanes).step_by(EIGHT) {
            let mut columns = [[0; EIGHT]; 8];
            let mut eight = [records[0]; EIGHT];
            eight.copy_from_slice(&records[first..first + EIGHT]);
            simd.transpose(eight, &mut columns);
            for (words, column) in self.words.iter_mut().zip(&columns) {
                words[first..first + EIGHT].copy_from_slice(bytemuck::cast_slice(column));
            }
        }
    }

    #[inline(always)]
    fn load<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        solids: &[Located<'_>; MAX_LANES],
        reading: Reading,
        lanes: usize,
    ) {
        let mut records = [solids[0].record.words(); MAX_LANES];
        for (words, solid) in records.iter_mut().zip(solids) {
            *words = solid.record.words();
        }
        self.transpose(simd, records, lanes);
        match reading {
            Reading::Sides | Reading::Records => {}
            Reading::BoxCorners => {
                self.reserve(4);
                self.counts = [4.0; MAX_LANES];
                for at in (0..lanes).step_by(S::LANES) {
                    self.make_box(simd, at);
                }
            }
            Reading::Corners4 => self.load_corners(simd, sources, solids, 4, lanes),
            Reading::Corners => {
                self.load_corners(simd, sources, solids, Block::VERTICES, lanes);
            }
        }
    }

    /// Sees to it that there are `rows` rows of corners.
    #[inline(always)]
    fn reserve(&mut self, rows: usize) {
        if self.corners.len() < rows {
            self.corners.resize(rows, [[0.0; MAX_LANES]; 4]);
        }
        self.rows = rows;
    }

    /// The corners of boxes from the left end of the lower side on, counter-clockwise.
    #[inline(always)]
    fn make_box<S: Simd>(&mut self, simd: S, at: usize) {
        let right = Vectors::<S> { x: self.word(simd, 2, at), y: self.word(simd, 3, at) };
        let up = right.left(simd);
        let (half_x, half_y) = (self.word(simd, 4, at), self.word(simd, 5, at));
        let (width, height) = (right.times(simd, half_x), up.times(simd, half_y));
        let (high, low) = (height, height.neg(simd));
        let corners = [
            (low.minus(simd, width), up.neg(simd)),
            (low.plus(simd, width), right),
            (high.plus(simd, width), up),
            (high.minus(simd, width), right.neg(simd)),
        ];
        for (row, (vertex, normal)) in self.corners.iter_mut().zip(corners) {
            let [x, y, normal_x, normal_y] = row;
            simd.store(vertex.x, x, at);
            simd.store(vertex.y, y, at);
            simd.store(normal.x, normal_x, at);
            simd.store(normal.y, normal_y, at);
        }
    }

    /// Loads the first `used` vertices of each block.
    #[inline(always)]
    fn load_corners<S: Simd>(
        &mut self,
        simd: S,
        sources: &Sources<'_>,
        solids: &[Located<'_>; MAX_LANES],
        used: usize,
        lanes: usize,
    ) {
        let mut polygons: [&[Block]; MAX_LANES] = [&[]; MAX_LANES];
        let mut most = 1;
        for (lane, solid) in solids.iter().enumerate().take(lanes) {
            polygons[lane] = sources.blocks(*solid);
            most = most.max(polygons[lane].len());
            self.counts[lane] = solid.record.range().1 as f32;
        }
        self.reserve(most * used);
        for block in 0..most {
            for first in (0..lanes).step_by(EIGHT) {
                for word in 0..4 {
                    // Behind its last block, a polygon goes on with its first vertex, as within it.
                    let mut ends = [[0; 8]; EIGHT];
                    for (end, blocks) in ends.iter_mut().zip(&polygons[first..first + EIGHT]) {
                        if blocks.len() <= block {
                            *end = [blocks[0].words()[word][0]; 8];
                        }
                    }
                    let mut rows = ends.each_ref();
                    for (row, blocks) in rows.iter_mut().zip(&polygons[first..first + EIGHT]) {
                        if let Some(block) = blocks.get(block) {
                            *row = &block.words()[word];
                        }
                    }
                    let mut columns = [[0; EIGHT]; 8];
                    simd.transpose(rows, &mut columns);
                    let corners = &mut self.corners[block * used..][..used];
                    for (corner, column) in corners.iter_mut().zip(&columns) {
                        corner[word][first..first + EIGHT]
                            .copy_from_slice(bytemuck::cast_slice(column));
                    }
                }
            }
        }
    }
}
