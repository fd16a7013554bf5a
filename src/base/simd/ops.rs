//! `proof!`: a token of a SIMD level. `ops!`, `forward!` and `word_tests!`: the operations of a
//! token that are one expression each.

/// Defines a token that proves CPU features, and the tokens that prove some of these features.
#[cfg(target_arch = "x86_64")]
macro_rules! proof {
    ($(#[$doc:meta])* $token:ident, also $($weaker:ident)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $token(());

        impl $token {
            /// # Safety
            /// The CPU must have the features that the token proves.
            #[inline(always)]
            pub(super) unsafe fn assume() -> Self {
                Self(())
            }
        }

        $(impl From<$token> for $weaker {
            #[inline(always)]
            fn from(_: $token) -> Self {
                // SAFETY: the token proves the features of the other token, too.
                unsafe { Self::assume() }
            }
        })*
    };
}

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

/// Implements operations by the same operations of another token, inlined, which is made from this
/// token.
#[cfg(target_arch = "x86_64")]
macro_rules! forward {
    (to $to:ty: $(fn $name:ident$(<$of:ident>)?($($value:ident: $type:ty),+) $(-> $result:ty)?;)+) =>
    {$(
        #[inline(always)]
        fn $name$(<$of>)?(self, $($value: $type),+) $(-> $result)? {
            <$to>::from(self).$name($($value),+)
        }
    )+};
}

/// Implements tests of words beside one word, as one expression each, from the intrinsics that load
/// a vector and that fill one. The result has a bit for each lane.
#[cfg(target_arch = "x86_64")]
macro_rules! word_tests {
    ($load:ident, $fill:ident: $(fn $name:ident($words:ident, $word:ident) = $code:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, words: &[u32], at: usize, word: u32) -> u32 {
            let words = &words[at..at + Self::LANES];
            // SAFETY: the token proves the CPU features; `words` has a readable word for each lane.
            unsafe {
                let ($words, $word) = ($load(words.as_ptr().cast()), $fill(word as i32));
                $code
            }
        }
    )+};
}

pub(super) use ops;
#[cfg(target_arch = "x86_64")]
pub(super) use {forward, proof, word_tests};
