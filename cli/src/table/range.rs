//! How far from 0 shapes are, and how large: whether computing in `f32` needs an origin near them.

use widephase::doubles::{DoubleBox, DoubleColumns, Origin};

/// The most shapes that are looked at.
const SAMPLE: usize = 255;

/// The steps of `f32`, as a share of a coordinate.
const STEP: f64 = 1.0 / (1 << 23) as f64;

/// Steps that are a larger share of the size of most shapes make another origin better than 0.
const FINE: f64 = 1.0 / (1 << 12) as f64;

/// Steps that are a larger share of the size of most shapes are worth a note.
const COARSE: f64 = 1.0 / (1 << 8) as f64;

/// Where shapes are, and how large.
pub(crate) struct ShapeRange {
    /// The place among the shapes.
    origin: Origin,
    /// How far most shapes are from the origin, at most.
    most: f64,
    /// The size of a typical shape: its longer side. For points, how far most points are from the
    /// origin.
    size: f64,
    /// The ends of all shapes along x and along y.
    ends: [[f64; 2]; 2],
}

impl ShapeRange {
    /// The range of `len` shapes. `around` gives the box around each shape.
    pub(crate) fn of(len: usize, around: impl Fn(usize) -> DoubleBox) -> Self {
        let step = len.div_ceil(SAMPLE).max(1);
        let sample: Vec<DoubleBox> = (0..len).step_by(step).map(&around).collect();
        let columns = DoubleColumns::shapes(&sample);
        let origin = columns.map_or_else(|_| Origin::default(), |shapes| Origin::among(&shapes));
        let [x, y] = origin.position();
        let away =
            sample.iter().map(|shape| (shape.min[0] - x).abs().max((shape.min[1] - y).abs()));
        let sizes = sample.iter().map(|shape| {
            let side = |axis: usize| shape.max[axis] - shape.min[axis];
            side(0).max(side(1)) + 2.0 * shape.radius
        });
        let most = ranked(away, 0.75);
        let size = ranked(sizes.filter(|size| *size > 0.0), 0.5);
        let size = if size > 0.0 { size } else { most };
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for shape in (0..len).map(around) {
            for (axis, [low, high]) in ends.iter_mut().enumerate() {
                *low = low.min(shape.min[axis]);
                *high = high.max(shape.max[axis]);
            }
        }
        Self { origin, most, size, ends }
    }

    /// The origin for computing in `f32`: 0, unless the shapes are so far from 0 that the steps of
    /// `f32` there are not small beside the shapes.
    pub(crate) fn origin(&self) -> Origin {
        let [x, y] = self.origin.position();
        let far = x.abs().max(y.abs());
        let is_better = far > self.most && far * STEP > self.size * FINE;
        if is_better { self.origin } else { Origin::default() }
    }

    /// A note about an origin: where it is, if it is not 0, and whether the steps of coordinates
    /// are large beside the shapes.
    pub(crate) fn note(&self, origin: Origin) -> Option<String> {
        let [x, y] = origin.position();
        let far = |axis: usize, at: f64| {
            let [low, high] = self.ends[axis];
            (low - at).abs().max((high - at).abs())
        };
        let far = far(0, x).max(far(1, y));
        let step = far * STEP;
        let is_coarse = self.size > 0.0 && step > self.size * COARSE;
        let place = format!("computed in f32, relative to ({x}, {y})");
        match (is_coarse, origin == Origin::default()) {
            (false, true) => None,
            (false, false) => Some(place),
            (true, _) => Some(format!(
                "note: {place}: shapes up to {far:.1e} from there are rounded to steps of up to \
                 {step:.1e}, which is not small beside shapes of size {:.1e}",
                self.size
            )),
        }
    }
}

/// The value at a rank from 0 to 1 among some values; 0 without values.
fn ranked(values: impl Iterator<Item = f64>, rank: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1) as f64;
    values.get((last * rank) as usize).copied().unwrap_or(0.0)
}
