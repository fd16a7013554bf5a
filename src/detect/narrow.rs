//! The narrowphase of a detection: what of the sweep's findings is listed, and its memory.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use super::{collect::Narrow, detection::Again};
use crate::{Contact, NARROWPHASE, Pair, limit::Listed, narrowphase::Candidates};

/// What a detection lists.
pub(super) trait Found: Listed + Default + Send + Sync + 'static {
    /// Whether it is a contact, which takes the narrowphase for axis-aligned shapes, too.
    const CONTACTS: bool;

    /// Decides candidates, whose boxes touch, and passes the pairs that touch, or their contacts,
    /// to `take`, in the order of the candidates.
    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    );

    /// The list as one that the sweep can write to, if that is what it lists.
    fn listed(list: &mut Vec<Self>) -> Option<&mut Vec<Pair>>;

    /// Passes the list of the last detection to `take`. One function for each type instead of a
    /// generic one: it is compiled here and not in the crate of the callback.
    fn for_each(again: Again<'_>, take: &mut Take<'_, Self>);
}

/// A callback that receives pairs or contacts in blocks. After it breaks, it receives no more.
pub(super) type Take<'a, T> = dyn FnMut(&[T]) -> ControlFlow<()> + 'a;

impl Found for Pair {
    const CONTACTS: bool = false;

    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    ) {
        let Narrow { decided, rule, .. } = narrow;
        let all = candidates.len();
        let kept =
            if !NARROWPHASE || *decided { all } else { narrowphase.refine(rule, candidates) };
        take(&candidates[..kept]);
    }

    fn listed(list: &mut Vec<Self>) -> Option<&mut Vec<Pair>> {
        Some(list)
    }

    fn for_each(again: Again<'_>, take: &mut Take<'_, Self>) {
        again.for_each(take);
    }
}

impl Found for Contact {
    const CONTACTS: bool = true;

    // The constant is no guard here: with it, the compiler still makes the kernels of contacts.
    #[cfg(not(feature = "narrowphase"))]
    fn decide(_: &mut Candidates, _: &Narrow<'_>, _: &mut [Pair], _: &mut dyn FnMut(&[Self])) {}

    #[cfg(feature = "narrowphase")]
    fn decide(
        narrowphase: &mut Candidates,
        narrow: &Narrow<'_>,
        candidates: &mut [Pair],
        take: &mut dyn FnMut(&[Self]),
    ) {
        let Narrow { rule, wider, .. } = narrow;
        if !wider {
            return narrowphase.contacts(rule, candidates, take);
        }
        let far = |contact: &Contact| {
            let Pair { a, b } = contact.pair;
            !rule.boxes_near([a as usize, b as usize])
        };
        narrowphase.contacts(rule, candidates, &mut |found: &[Contact]| {
            for near in found.split(far) {
                take(near);
            }
        });
    }

    fn listed(_: &mut Vec<Self>) -> Option<&mut Vec<Pair>> {
        None
    }

    fn for_each(again: Again<'_>, take: &mut Take<'_, Self>) {
        if NARROWPHASE {
            again.for_each(take);
        }
    }
}

/// What a task of the narrowphase needs while it runs.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) candidates: Vec<Pair>,
    pub(super) narrowphase: Candidates,
}

/// Benches that are free: there are never more of them than threads, however many tasks there are.
#[derive(Debug, Default)]
pub(super) struct WorkspacePool {
    free: Mutex<Vec<Workspace>>,
}

impl WorkspacePool {
    /// Calls `work` with a bench.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Workspace) -> R) -> R {
        // Whatever a bench holds, the next task writes over; so it is of use after a panic, too.
        let mut workspace = self.free().pop().unwrap_or_default();
        let result = work(&mut workspace);
        self.free().push(workspace);
        result
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let candidates =
            |workspace: &Workspace| workspace.candidates.capacity() * size_of::<Pair>();
        let free = self.free();
        free.iter()
            .map(|workspace| candidates(workspace) + workspace.narrowphase.bytes())
            .sum::<usize>()
            + free.capacity() * size_of::<Workspace>()
    }

    fn free(&self) -> std::sync::MutexGuard<'_, Vec<Workspace>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
