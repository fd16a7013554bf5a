//! The order of the parts of a compound in which parts that follow each other are near each other.

use crate::simd::{MAX_LANES, map_each};

/// The parts of a run: a compound of at most so many has no tree.
pub(crate) const RUN: usize = MAX_LANES;

/// The numbers of the parts in the order of their tree; none for a compound of at most [`RUN`].
///
/// In plain words: the parts are cut in two across the longer axis, by their centres, and each half
/// again, down to runs of sixteen. A cut is at a whole multiple of the size of a node, so that all
/// nodes but the last one of a layer are full. The numbers in a run grow. O(n log n) time.
/// `spans` has two places of each part, whose middle is its centre.
pub(crate) fn part_order(spans: impl ExactSizeIterator<Item = [[f32; 2]; 2]>) -> Vec<u32> {
    if spans.len() <= RUN {
        return Vec::new();
    }
    let center = |([from, to], number): ([[f32; 2]; 2], u32)| PartCenter {
        at: map_each([0, 1], |axis: usize| from[axis] + to[axis]),
        number,
    };
    let mut centers: Vec<PartCenter> = spans.zip(0..).map(center).collect();
    split(&mut centers);
    centers.iter().map(|center| center.number).collect()
}

/// The centre of a part, times two.
#[derive(Debug, Clone, Copy)]
struct PartCenter {
    at: [f32; 2],
    number: u32,
}

fn split(mut centers: &mut [PartCenter]) {
    while centers.len() > RUN {
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for center in &*centers {
            least = map_each([0, 1], |axis: usize| least[axis].min(center.at[axis]));
            most = map_each([0, 1], |axis: usize| most[axis].max(center.at[axis]));
        }
        let axis = usize::from(most[1] - least[1] > most[0] - least[0]);
        let mut node = RUN;
        while node * RUN < centers.len() {
            node *= RUN;
        }
        let nodes = centers.len().div_ceil(node);
        let cut = nodes / 2 * node;
        centers.select_nth_unstable_by(cut, |one, other| {
            one.at[axis].total_cmp(&other.at[axis]).then(one.number.cmp(&other.number))
        });
        let (first, rest) = centers.split_at_mut(cut);
        split(first);
        centers = rest;
    }
    centers.sort_unstable_by_key(|center| center.number);
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
