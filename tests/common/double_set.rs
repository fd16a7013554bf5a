//! Shapes of `f64`, and which of them touch.

use widephase::{
    Touching,
    doubles::{DoubleBox, DoubleColumns},
};

use crate::Rng;

/// Which shapes a set has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Points,
    Circles,
    OneRadius,
    At,
    Boxes,
    Any,
}

pub const FORMS: [Form; 6] =
    [Form::Points, Form::Circles, Form::OneRadius, Form::At, Form::Boxes, Form::Any];

/// Shapes of `f64`.
#[derive(Debug, Clone)]
pub struct Set {
    pub form: Form,
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub radii: Vec<f64>,
    pub high: [Vec<f64>; 2],
    pub at: Vec<[f64; 2]>,
    pub any: Vec<DoubleBox>,
}

impl Set {
    /// Random shapes: on a lattice, so that many touch exactly, or anywhere.
    pub fn new(
        rng: &mut Rng,
        form: Form,
        len: usize,
        origin: f64,
        extent: f64,
        lattice: bool,
    ) -> Self {
        let cells = (2.0 * (len as f64).sqrt()).ceil();
        // A power of two, so that sums on the lattice are exact where the origin allows it.
        let step = if extent > 0.0 { (extent / cells).log2().floor().exp2() } else { 0.0 };
        let place = |rng: &mut Rng| match lattice {
            true => origin + (rng.unit() * cells).floor() * step,
            false => origin + rng.unit() * extent,
        };
        let size = |rng: &mut Rng| match (lattice, rng.below(20)) {
            (true, _) => rng.below(3) as f64 * step * 0.5,
            (false, 0) => rng.unit() * extent * 0.3,
            (false, _) => rng.unit() * step,
        };
        let high = [vec![], vec![]];
        let mut set =
            Self { form, x: vec![], y: vec![], radii: vec![], high, at: vec![], any: vec![] };
        let same = size(rng);
        for _ in 0..len {
            let (x, y) = (place(rng), place(rng));
            set.x.push(x);
            set.y.push(y);
            set.at.push([x, y]);
            set.radii.push(if form == Form::OneRadius { same } else { size(rng) });
            for (high, low) in set.high.iter_mut().zip([x, y]) {
                high.push(low + size(rng));
            }
            // Points, circles, boxes, and rounded boxes.
            let [round, flat] = [rng.below(2) == 0, rng.below(2) == 0];
            let ends = set.high.each_ref().map(|high| high[high.len() - 1]);
            let max = if round { [x, y] } else { ends };
            set.any.push(DoubleBox {
                min: [x, y],
                max,
                radius: if flat { 0.0 } else { size(rng) },
            });
        }
        set
    }

    pub fn columns(&self) -> DoubleColumns<'_> {
        let Self { x, y, radii, high: [right, upper], at, any, .. } = self;
        let same = radii.first().copied().unwrap_or(0.0);
        match self.form {
            Form::Points => DoubleColumns::points(x, y),
            Form::Circles => DoubleColumns::circles(x, y, radii),
            Form::OneRadius => DoubleColumns::circles(x, y, same),
            Form::At => DoubleColumns::circles_at(at, radii),
            Form::Boxes => DoubleColumns::aabbs(x, y, right, upper),
            Form::Any => DoubleColumns::shapes(any),
        }
        .unwrap()
    }

    /// Whether two shapes touch with a margin, by the textbook tests of their kinds.
    pub fn touch(&self, a: usize, other: &Self, b: usize, margin: f64, touching: Touching) -> bool {
        let inclusive = touching == Touching::Inclusive;
        let [own, other] = [(self, a), (other, b)].map(|(set, row)| set.shape(row));
        let boxes = own.radius + other.radius + margin == 0.0;
        let apart = |axis: usize| match inclusive {
            true => own.min[axis] > other.max[axis] || other.min[axis] > own.max[axis],
            false => own.min[axis] >= other.max[axis] || other.min[axis] >= own.max[axis],
        };
        if boxes {
            return !apart(0) && !apart(1);
        }
        let gap = |axis: usize| {
            (own.min[axis] - other.max[axis]).max(other.min[axis] - own.max[axis]).max(0.0)
        };
        let (x, y, r) = (gap(0), gap(1), own.radius + other.radius + margin);
        let square = x * x + y * y;
        let cores = !inclusive && [0, 1].iter().all(|axis| !apart(*axis));
        cores || if inclusive { square <= r * r } else { square < r * r }
    }

    pub fn shape(&self, row: usize) -> DoubleBox {
        self.columns().get(row).unwrap()
    }

    pub fn rows(&self) -> usize {
        self.x.len()
    }
}
