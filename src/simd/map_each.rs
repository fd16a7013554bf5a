//! `map` for the arrays of kernels.

/// `map` of each of `values`, as the method `map` of arrays.
///
/// That method is ten functions to compile for each use on each level: an eighth of the code that
/// the compiler was given. This is one. (Not in the sort of the grid, which was 4 % slower with it.)
#[inline(always)]
pub(crate) fn map_each<T: Copy, U: Copy, const N: usize>(
    values: [T; N],
    map: impl Fn(T) -> U,
) -> [U; N] {
    let mut mapped = [map(values[0]); N];
    let mut index = 1;
    while index < N {
        mapped[index] = map(values[index]);
        index += 1;
    }
    mapped
}
