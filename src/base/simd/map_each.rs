//! `map` for arrays in kernels.

/// Applies `map` to each of `values`, like the method `map` of arrays.
///
/// Each use of that method compiles to ten functions per SIMD level, an eighth of all code that the
/// compiler was given. This is one function. (The sort of the grid does not use it: it was 4 %
/// slower with it.)
#[inline(always)]
pub(crate) fn map_each<T: Copy, U: Copy, const N: usize>(
    values: [T; N],
    mut map: impl FnMut(T) -> U,
) -> [U; N] {
    let mut mapped = [map(values[0]); N];
    let mut index = 1;
    while index < N {
        mapped[index] = map(values[index]);
        index += 1;
    }
    mapped
}
