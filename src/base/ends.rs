//! The lower and the higher of two numbers.

/// The lower of two numbers; the second one if they are equal, or if one is NaN. One instruction,
/// where [`f64::min`] is three.
#[inline(always)]
pub(crate) fn lower<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// The higher of two numbers, in the same way.
#[inline(always)]
pub(crate) fn higher<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}
