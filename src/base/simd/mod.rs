//! The SIMD backend: the instruction sets, and how generic kernels are compiled for each.
//!
//! ```text
//! SimdLevel (../simd_level.rs)  a name: detected, listed, forced by API, CLI or environment
//!   └─ Isa (dispatch.rs)   a proof: can only be made for a SIMD level that this CPU has
//!        └─ dispatch(isa, kernel), or dispatch_moves, …: enters a function compiled for the level
//!             └─ Kernel::run<S: Simd>(token)   the algorithm, written once (outside this folder)
//!                  └─ Simd (vector.rs)   the operations; one small file per instruction set
//! ```
//!
//! All `unsafe` of the crate is in this folder, except `base/pod.rs`, a macro for records, which
//! checks that they are plain bytes:
//!
//! - `avx2.rs`, `avx512.rs` and `avx512_half.rs`: the intrinsics need a CPU feature, which the
//!   token proves; the gathers check all rows at once. `ops.rs` has the macros for one-line
//!   operations.
//! - `cpu.rs`: numbers that follow from the CPU.
//! - `prefetch.rs`: the prefetch instruction of the portable level.
//! - `dispatch.rs`: makes the tokens.
//! - `table.rs`: checks the lookup table of the sweep once instead of each access.
//!
//! **The rule for kernels**: everything between [`dispatch::dispatch`] and an operation is
//! `#[inline(always)]`. A helper without it is compiled as a separate function *without* the
//! features of the SIMD level, and each intrinsic in it becomes a call. That is slower than scalar
//! code, and all tests still pass. `.ci/check-asm` reads the emitted assembly to catch it.

mod cpu;
pub(crate) mod dispatch;
mod map_each;
mod ops;
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

pub(crate) use cpu::*;
pub use dispatch::LEVEL_VARIABLE;
pub(crate) use dispatch::{Isa, dispatch, dispatch_moves, dispatch_narrow, dispatch_vectors};
pub(crate) use map_each::map_each;
pub(crate) use portable::Portable;
pub(crate) use prefetch::baseline as prefetch_at;
pub(crate) use scalar::Scalar;
pub(crate) use table::{Neighbours, Starts, Table};
pub(crate) use vector::{ClassRow, HALF_LANES, Kernel, MAX_LANES, Simd};
