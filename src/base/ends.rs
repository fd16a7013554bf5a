//! The lower and the higher of two numbers, and the distance of rounded boxes.

/// Numbers that are compared by value. [`PartialOrd`] takes references: with it, the walk of rays
/// took up to a tenth longer.
pub(crate) trait Ends: Copy {
    fn is_below(self, other: Self) -> bool;
}

impl Ends for f32 {
    #[inline(always)]
    fn is_below(self, other: Self) -> bool {
        self < other
    }
}

impl Ends for f64 {
    #[inline(always)]
    fn is_below(self, other: Self) -> bool {
        self < other
    }
}

/// The lower of two numbers; the second number if they are equal, or if one is NaN. One
/// instruction, where [`f64::min`] is three.
#[inline(always)]
pub(crate) fn lower<T: Ends>(a: T, b: T) -> T {
    if a.is_below(b) { a } else { b }
}

/// The higher of two numbers, in the same way.
#[inline(always)]
pub(crate) fn higher<T: Ends>(a: T, b: T) -> T {
    if b.is_below(a) { a } else { b }
}

/// The gap between two ranges of numbers; 0 where they overlap.
#[inline(always)]
pub(crate) fn gap([min, max]: [f64; 2], [other_min, other_max]: [f64; 2]) -> f64 {
    higher(higher(other_min - max, min - other_max), 0.0)
}

/// The distance of the surfaces of two rounded boxes, or of a shape that is one: 0 if they touch.
/// By the gaps between their cores along each axis, or the differences of two points, and by the
/// sum of their radii. Each operation is rounded to `f64`, in scalar code and in lanes.
#[inline(always)]
pub(crate) fn rounded_distance([x, y]: [f64; 2], radii: f64) -> f64 {
    higher((x * x + y * y).sqrt() - radii, 0.0)
}
