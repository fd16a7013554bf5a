//! The return types of callbacks, which continue or stop a call.

use std::{convert::Infallible, ops::ControlFlow};

use crate::{detect::Take, error::Error};

/// The return type of a callback, for example of
/// [`Detector::for_each_pair`](crate::Detector::for_each_pair): it continues or stops the call.
///
/// | the callback returns | the call ends | and returns |
/// |---|---|---|
/// | nothing | after the last callback | `u64`, the number of callbacks |
/// | [`ControlFlow<B>`] | at the first `Break(b)` | `Break(b)`, or `Continue` with the number |
/// | [`Result<(), E>`] | at the first `Err(e)` | `Err(e)`, or `Ok` with the number |
///
/// The trait is sealed: no other type implements it.
#[diagnostic::on_unimplemented(
    message = "a callback returns nothing, a `ControlFlow` or a `Result<(), _>`, not `{Self}`",
    label = "the callback returns `{Self}`"
)]
pub trait Flow: Sealed {
    /// The return type of the call.
    type Outcome;

    /// Converts the value that the callback returns: continue, or stop with a value.
    #[doc(hidden)]
    fn flow(self) -> ControlFlow<Self::Stop>;

    /// Converts the end of a call into its return value: from the value that stopped it, or from
    /// the number of callbacks.
    #[doc(hidden)]
    fn outcome(end: ControlFlow<Self::Stop, u64>) -> Self::Outcome;
}

/// The supertrait that seals [`Flow`]: only this module can implement it.
pub trait Sealed {
    /// The type of the value that stops a call.
    type Stop;
}

impl Sealed for () {
    type Stop = Infallible;
}

impl Flow for () {
    type Outcome = u64;

    #[inline]
    fn flow(self) -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn outcome(end: ControlFlow<Infallible, u64>) -> u64 {
        let ControlFlow::Continue(calls) = end;
        calls
    }
}

impl<B> Sealed for ControlFlow<B> {
    type Stop = B;
}

impl<B> Flow for ControlFlow<B> {
    type Outcome = ControlFlow<B, u64>;

    #[inline]
    fn flow(self) -> ControlFlow<B> {
        self
    }

    #[inline]
    fn outcome(end: ControlFlow<B, u64>) -> ControlFlow<B, u64> {
        end
    }
}

impl<E> Sealed for Result<(), E> {
    type Stop = E;
}

impl<E> Flow for Result<(), E> {
    type Outcome = Result<u64, E>;

    #[inline]
    fn flow(self) -> ControlFlow<E> {
        match self {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    }

    #[inline]
    fn outcome(end: ControlFlow<E, u64>) -> Result<u64, E> {
        match end {
            ControlFlow::Continue(calls) => Ok(calls),
            ControlFlow::Break(error) => Err(error),
        }
    }
}

/// Calls `each` for all results that `pass` passes, until `each` ends the call.
pub(super) fn call<T: Copy, F: Flow>(
    mut each: impl FnMut(T) -> F,
    pass: impl FnOnce(&mut Take<'_, T>) -> Result<(), Error>,
) -> Result<F::Outcome, Error> {
    let (mut calls, mut stopped) = (0, None);
    pass(&mut |found: &[T]| {
        for &item in found {
            if let ControlFlow::Break(stop) = each(item).flow() {
                stopped = Some(stop);
                return ControlFlow::Break(());
            }
        }
        calls += found.len() as u64;
        ControlFlow::Continue(())
    })?;
    Ok(F::outcome(stopped.map_or(ControlFlow::Continue(calls), ControlFlow::Break)))
}
