//! The SIMD backend: which instructions run, and how generic kernels reach them.
//!
//! ```text
//! SimdLevel (level.rs)      a name: detected, listed, forced by API, CLI or environment
//!   └─ Isa (dispatch.rs)   a proof: can only be made for a level that this CPU has
//!        └─ dispatch(isa, kernel)   enters a function compiled for the level, once per batch
//!             └─ Kernel::run<S: Simd>(token)   the algorithm, written once (outside this folder)
//!                  └─ Simd (vector.rs)   the operations; one small file per instruction set
//! ```
//!
//! All `unsafe` of the crate is in this folder: in `avx2.rs`, `avx512.rs` and `avx512_half.rs`, whose
//! intrinsics need a CPU feature that the token proves, and whose gathers check all rows at once; in
//! `prefetch.rs`, which asks for memory; in `dispatch.rs`, which makes the tokens; and in `table.rs`, which
//! checks the sweep's lookups once instead of each.
//!
//! **The rule for kernels**: everything between [`dispatch::dispatch`] and an operation is
//! `#[inline(always)]`. One helper that is not becomes a function of its own, compiled *without*
//! the level's features, and each intrinsic in it a call: slower than scalar code, with all tests
//! green. `.ci/check-asm` reads the emitted assembly to catch that.

pub(crate) mod dispatch;
mod level;
mod map_each;
mod portable;
#[allow(unsafe_code)]
mod prefetch;
mod scalar;
mod table;
mod vector;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512_half;

pub(crate) use dispatch::{Isa, Kernel, dispatch, dispatch_moves};
pub use level::{LEVEL_VARIABLE, SimdLevel};
pub(crate) use map_each::map_each;
pub(crate) use scalar::Scalar;
pub(crate) use table::{Neighbours, Starts, Table};
pub(crate) use vector::{MAX_LANES, Simd};
