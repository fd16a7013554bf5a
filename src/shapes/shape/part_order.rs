//! The order of the parts of a compound in which parts that follow each other are near each other.

use crate::simd::{MAX_LANES, map_each};

/// The parts of a run: a compound of at most this many parts has no tree.
pub(crate) const RUN: usize = MAX_LANES;

/// The numbers of the parts in the order of their tree; empty for a compound of at most [`RUN`]
/// parts.
///
/// In plain words: the parts are cut in two by their centres, across the axis for which fewer
/// queries meet the boxes around the halves, and each half again, down to runs of sixteen. (Across
/// the longer axis, long parts of an outline side by side had boxes that overlap, and a query went
/// down three times as many nodes.) A cut is at a whole multiple of the size of a node, so that all
/// nodes but the last node of a layer are full. The numbers in a run grow. O(n log n) time. `spans`
/// has two places of each part, whose middle is its centre.
pub(crate) fn part_order(spans: impl ExactSizeIterator<Item = [[f32; 2]; 2]>) -> Vec<u32> {
    if spans.len() <= RUN {
        return Vec::new();
    }
    let mut parts: Vec<PartSpan> =
        spans.zip(0..).map(|(ends, number)| PartSpan { ends, number }).collect();
    split(&mut parts);
    parts.iter().map(|part| part.number).collect()
}

/// Two places of a part.
#[derive(Debug, Clone, Copy)]
struct PartSpan {
    ends: [[f32; 2]; 2],
    number: u32,
}

impl PartSpan {
    /// The centre, times two.
    fn center(&self, axis: usize) -> f32 {
        self.ends[0][axis] + self.ends[1][axis]
    }
}

fn split(mut parts: &mut [PartSpan]) {
    while parts.len() > RUN {
        let mut node = RUN;
        while node * RUN < parts.len() {
            node *= RUN;
        }
        let nodes = parts.len().div_ceil(node);
        let at = nodes / 2 * node;
        let [width, height] = extent(parts);
        // The sides of a query: twice the distance of neighbours, if parts are evenly spread.
        let side = 2.0 * (width * height / parts.len() as f64).sqrt();
        let met = map_each([0, 1], |axis: usize| {
            cut(parts, at, axis);
            let (first, rest) = parts.split_at(at);
            queries(first, side) + queries(rest, side)
        });
        if met[0] <= met[1] {
            cut(parts, at, 0);
        }
        let (first, rest) = parts.split_at_mut(at);
        split(first);
        parts = rest;
    }
    parts.sort_unstable_by_key(|part| part.number);
}

/// Puts the `at` parts with the lowest centres first.
fn cut(parts: &mut [PartSpan], at: usize, axis: usize) {
    parts.select_nth_unstable_by(at, |one, other| {
        one.center(axis).total_cmp(&other.center(axis)).then(one.number.cmp(&other.number))
    });
}

/// The share of squares with this side, anywhere, that meet the box around parts: the area in which
/// their centres are.
fn queries(parts: &[PartSpan], side: f64) -> f64 {
    let [width, height] = extent(parts);
    (width + side) * (height + side)
}

/// The width and the height of the box around parts.
fn extent(parts: &[PartSpan]) -> [f64; 2] {
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for at in parts.iter().flat_map(|part| part.ends) {
        least = map_each([0, 1], |axis: usize| least[axis].min(at[axis]));
        most = map_each([0, 1], |axis: usize| most[axis].max(at[axis]));
    }
    map_each([0, 1], |axis: usize| f64::from(most[axis]) - f64::from(least[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_in_the_order_once() {
        for count in [1, 16, 17, 32, 33, 255, 256, 257, 4000, 4097] {
            let at = |part: usize| [(part * 37 % 101) as f32, (part * 61 % 89) as f32];
            let mut order = part_order((0..count).map(|part| [at(part); 2]));
            assert_eq!(order.is_empty(), count <= RUN);
            assert!(order.chunks(RUN).all(<[u32]>::is_sorted));
            order.sort_unstable();
            assert!(order.is_empty() || order.into_iter().eq(0..count as u32));
        }
    }

    #[test]
    fn runs_of_a_lattice_are_squares() {
        let at = |part: usize| [(part % 64) as f32, (part / 64) as f32];
        for run in part_order((0..4096).map(|part| [at(part); 2])).chunks(RUN) {
            for axis in 0..2 {
                let along = run.iter().map(|part| at(*part as usize)[axis] as i32);
                let (least, most) = (along.clone().min(), along.max());
                assert_eq!(most.unwrap() - least.unwrap(), 3, "{run:?}");
            }
        }
    }
}
