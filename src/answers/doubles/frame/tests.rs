use std::ops::Range;

use super::{DoubleFrame, RelativeColumns};
use crate::{
    Touching,
    doubles::{DoubleBox, DoubleColumns, touches},
    kernel::{
        BoxColumns, CircleColumns, ColumnSet, RoundedColumns, Rule,
        grown::{room, surely_touch, touch},
        overlap,
    },
    simd::{Isa, Scalar},
};

/// Numbers from a seed: xorshift.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: u64) -> u64 {
        (self.next() >> 16) % most
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1_u64 << 40) as f64
    }

    /// A share that is 0, some units in the last place, or 2^-60 to 1, with either sign.
    fn share(&mut self) -> f64 {
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        sign * match self.below(4) {
            0 => 0.0,
            1 => self.below(4) as f64 * f64::EPSILON,
            _ => 0.5_f64.powi(self.below(60) as i32) * self.unit(),
        }
    }
}

/// Whether two rows touch when they are grown, and whether they surely touch.
fn verdict(relative: &RelativeColumns, form: Form, [a, b]: [usize; 2]) -> [bool; 2] {
    fn of(set: impl ColumnSet, a: usize, b: usize) -> [bool; 2] {
        let rule = Rule { inclusive: true, normal: false };
        let [a, b] = [a, b].map(|row| set.load(Scalar, row));
        let (hit, sure) = (overlap(Scalar, a, b, rule), surely_touch(Scalar, a, b));
        let mut open = false;
        let bits = touch(Scalar, (a, Some(room(Scalar, a))), b, rule, &mut open);
        // Pairs that the lanes of a search decide are sure.
        assert!(bits == u32::from(hit) && (open || sure || !hit), "{bits}, {hit}, {sure}, {open}");
        [hit, sure]
    }
    let [x, y, max_x, max_y, radius] = relative.columns.each_ref().map(Vec::as_slice);
    let core = BoxColumns { min_x: x, min_y: y, max_x, max_y };
    match form {
        Form::Circles => of(CircleColumns { x, y, radius: max_x }, a, b),
        Form::Boxes => of(core, a, b),
        Form::Rounded => of(RoundedColumns { core, radius }, a, b),
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Circles,
    Boxes,
    Rounded,
}

/// Shapes in pairs: the second shape lies at the limit of the first, or a share beside it.
fn shapes(numbers: &mut Numbers, form: Form, origin: f64, extent: f64) -> Vec<DoubleBox> {
    let mut shapes = Vec::new();
    for _ in 0..40 {
        let place = [(); 2].map(|()| origin + numbers.unit() * extent);
        let far = [1.0, 1e-3, 1e-9, 1e-200, 1e3][numbers.below(5) as usize] * extent * 0.1;
        let radii = match form {
            Form::Boxes => [0.0; 2],
            _ => [(); 2].map(|()| numbers.unit() * far),
        };
        let sides = |numbers: &mut Numbers| match form {
            Form::Circles => [0.0; 2],
            _ => [(); 2].map(|()| numbers.unit() * far),
        };
        let [own, other] = [(); 2].map(|()| sides(numbers));
        let gap = (radii[0] + radii[1]) * (1.0 + numbers.share());
        // Pythagorean, along an axis, or anywhere.
        let way = match numbers.below(3) {
            0 => [0.6, 0.8],
            1 => [1.0, 0.0],
            _ => {
                let angle = numbers.unit() * 6.3;
                [angle.cos(), angle.sin()]
            }
        };
        let max = [0, 1].map(|axis: usize| place[axis] + own[axis]);
        let spare = far * numbers.share();
        let second = [0, 1].map(|axis: usize| match way[axis] < 0.0 {
            true => place[axis] + way[axis] * gap - other[axis] + spare,
            false => max[axis] + way[axis] * gap + spare,
        });
        let upper = [0, 1].map(|axis: usize| second[axis] + other[axis]);
        shapes.push(DoubleBox { min: place, max, radius: radii[0] });
        shapes.push(DoubleBox { min: second, max: upper, radius: radii[1] });
    }
    shapes
}

/// Pairs that surely touch in `f32` touch in `f64` under both policies, and pairs that touch in
/// `f64` touch when they are grown.
#[test]
fn sure_pairs_touch() {
    let (mut numbers, mut counts) = (Numbers(7), [0; 4]);
    let origins = [0.0, 1e5, -4.5e6, 1e12, 1e17, (1_u64 << 59) as f64];
    let extents = [1.0, 1e3, 1e-3, 1e7, 1e12, 1e-30, 1e-160, 1e-290, 1e17];
    for round in 0..6 * 9 * 3 * 40 {
        let form = [Form::Circles, Form::Boxes, Form::Rounded][round % 3];
        let (origin, extent) = (origins[round / 3 % 6], extents[round / 18 % 9]);
        let mut all = shapes(&mut numbers, form, origin, extent);
        if round % 7 == 0 {
            // Shapes beyond the limit at which coordinates are cut off.
            for shape in &mut all[..20] {
                let far = (1_u64 << 58) as f64 * (1.0 + numbers.unit());
                for axis in 0..2 {
                    shape.min[axis] += far;
                    shape.max[axis] += far;
                }
            }
        }
        let Ok(columns) = DoubleColumns::shapes(&all) else { continue };
        let values = |of: fn(&DoubleBox) -> f64| all.iter().map(of).collect::<Vec<f64>>();
        let [x, y, right, upper, radii] = [
            values(|it| it.min[0]),
            values(|it| it.min[1]),
            values(|it| it.max[0]),
            values(|it| it.max[1]),
            values(|it| it.radius),
        ];
        let columns = match form {
            Form::Circles => DoubleColumns::circles(&x, &y, &radii),
            Form::Boxes => DoubleColumns::aabbs(&x, &y, &right, &upper),
            Form::Rounded => Ok(columns),
        };
        let (columns, mut relative) = (columns.expect("one length"), RelativeColumns::default());
        let frame = DoubleFrame::of(&columns);
        if frame.fill((Isa::any(), false), &columns, 0.0, &mut relative).is_err() {
            continue;
        }
        let pairs: Range<usize> = 0..all.len() / 2;
        let near = pairs.map(|pair| [2 * pair, 2 * pair + 1]);
        let any = (0..all.len()).map(|row| [row, (row * 7 + 3) % all.len()]);
        for pair in near.chain(any) {
            let [grown, sure] = verdict(&relative, form, pair);
            let [a, b] = pair.map(|row| columns.get(row).expect("a row"));
            let [inclusive, exclusive] = [Touching::Inclusive, Touching::Exclusive]
                .map(|touching| touches(&a, &b, touching));
            let what = format!("{round}, {form:?}: {a:?}, {b:?}");
            assert!(grown || !inclusive, "not found: {what}");
            assert!(!sure || inclusive && exclusive, "not sure: {what}");
            counts[0] += usize::from(inclusive);
            counts[1] += usize::from(sure);
            counts[2] += usize::from(grown && !inclusive);
            counts[3] += usize::from(inclusive != exclusive);
        }
    }
    let [touching, sure, invented, exact] = counts;
    assert!(sure > touching / 8 && sure < touching, "{counts:?}");
    assert!(invented > 10_000 && exact > 1_000, "{counts:?}");
}
