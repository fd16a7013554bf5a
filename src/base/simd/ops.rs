//! `ops!` and `forward!`: operations of a token, each a single expression.

/// Implements operations, each by a single expression, inlined.
///
/// With `unsafe` in front the expressions are made of intrinsics. They must be sound for all values
/// on every CPU that the token proves, so they may not access memory.
macro_rules! ops {
    (unsafe $(fn $name:ident($($value:ident: $type:ty),+) -> $result:ty = $code:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, $($value: $type),+) -> $result {
            // SAFETY: the token proves the CPU features, and no memory is accessed.
            unsafe { $code }
        }
    )+};
    ($(fn $name:ident($($value:ident: $type:ty),+) -> $result:ty = $code:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, $($value: $type),+) -> $result {
            $code
        }
    )+};
}

/// Implements operations by the same operations of another token, inlined. The method `$to` of this
/// token returns the other token.
#[cfg(target_arch = "x86_64")]
macro_rules! forward {
    (to $to:ident: $(fn $name:ident($($value:ident: $type:ty),+) $(-> $result:ty)?;)+) => {$(
        #[inline(always)]
        fn $name(self, $($value: $type),+) $(-> $result)? {
            self.$to().$name($($value),+)
        }
    )+};
}

#[cfg(target_arch = "x86_64")]
pub(super) use forward;
pub(super) use ops;
