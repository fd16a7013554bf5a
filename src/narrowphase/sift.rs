//! Which pairs of a broadphase of the caller's have boxes that touch: the test of the sweep, for pairs of
//! rows anywhere.

use super::{
    boxes::{BoxLanes, touching},
    view::View,
};
use crate::{
    Pair,
    kernel::{
        bodies::{Bodies, BoxBodies, RoundedBodies},
        columns::ColumnSet,
    },
    simd::{Kernel, MAX_LANES, Scalar, Simd},
    solid::Placed,
    store::Layout,
};

/// Brings those of `pairs` whose boxes are at most the margin apart to the front of `near`, in their order,
/// and returns how many there are.
pub(super) struct Sift<'a> {
    pub(super) view: View<'a>,
    /// What is read next of the shapes of pairs that are kept, by their rows; or nothing.
    pub(super) placed: &'a [Placed],
    pub(super) pairs: &'a [Pair],
    /// As many as `pairs`.
    pub(super) near: &'a mut [Pair],
    pub(super) inclusive: bool,
    pub(super) margin: f32,
}

impl Kernel for Sift<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        // What boxes are read from is asked once and not for each.
        match self.view.layout() {
            Layout::Circles(set) => self.by(simd, set),
            Layout::Boxes(set) => self.by(simd, set),
            Layout::Centered(set) => self.by(simd, set),
            Layout::Rounded(set) => self.by(simd, set),
        }
    }
}

impl Sift<'_> {
    #[inline(always)]
    fn by<S: Simd, C: ColumnSet>(self, simd: S, set: C) -> usize {
        let Self { placed, pairs, near, inclusive, margin, .. } = self;
        let mut lanes = [BoxLanes::default(); 2];
        let mut kept = 0;
        for pairs in pairs.chunks(MAX_LANES) {
            for (lane, &Pair { a, b }) in pairs.iter().enumerate() {
                fetch(set, a as usize, &mut lanes[0], lane);
                fetch(set, b as usize, &mut lanes[1], lane);
                // Nothing waits for these here, and all who read them next would.
                if let (Some(a), Some(b)) = (placed.get(a as usize), placed.get(b as usize)) {
                    simd.prefetch(a);
                    simd.prefetch(b);
                }
            }
            let mut bits = 0;
            for at in (0..pairs.len()).step_by(S::LANES) {
                let a = load::<S, C>(simd, &lanes[0], at, margin);
                let b = load::<S, C>(simd, &lanes[1], at, margin);
                bits |= simd.bits(touching(simd, a, b, inclusive)) << at;
            }
            for (lane, &pair) in pairs.iter().enumerate() {
                // Written in any case: whether it is kept could not be guessed.
                near[kept] = pair;
                kept += (bits >> lane & 1) as usize;
            }
        }
        kept
    }
}

/// Puts the box of `row` into a lane: what there is of it.
#[inline(always)]
fn fetch<C: ColumnSet>(set: C, row: usize, lanes: &mut BoxLanes, lane: usize) {
    let body = set.splat(Scalar, row);
    lanes.min_x[lane] = body.min_x();
    lanes.min_y[lane] = body.min_y();
    if C::Bodies::<Scalar>::SIZED {
        lanes.max_x[lane] = body.max_x();
        lanes.max_y[lane] = body.max_y();
    }
    if C::Bodies::<Scalar>::ROUND {
        lanes.radius[lane] = body.radius(Scalar);
    }
}

/// The boxes from lane `at` on, with half of the margin around them.
#[inline(always)]
fn load<S: Simd, C: ColumnSet>(
    simd: S,
    lanes: &BoxLanes,
    at: usize,
    margin: f32,
) -> RoundedBodies<S> {
    let mut bodies = lanes.widened(simd, at, margin);
    if !C::Bodies::<Scalar>::SIZED {
        let BoxBodies { min_x, min_y, max_x, max_y } = &mut bodies.core;
        (*max_x, *max_y) = (*min_x, *min_y);
    }
    bodies
}
