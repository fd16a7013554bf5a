//! `Held` and `held!`: the memory that values hold; `copied!`: copies that reuse memory.
//!
//! [`held!`] and [`copied!`] list all fields of a record, so no field is forgotten. The lookup of
//! the method [`bytes`](Held::bytes) of a [`FieldOf`] tries three traits, one `&` after the other:
//! a list of values that hold memory, a value that holds memory, and any other value, which must
//! not have memory to free.

use std::{
    collections::VecDeque,
    mem::needs_drop,
    sync::{Mutex, OnceLock, PoisonError},
};

/// A value that may hold memory outside of itself.
pub(crate) trait Held {
    /// The bytes of memory held.
    fn bytes(&self) -> usize;
}

/// Whether values of this type hold nothing, which lists of them and fields must not forget.
const fn holds_nothing<T>() {
    assert!(!needs_drop::<T>(), "a value that holds memory must say how much");
}

impl<T> Held for Vec<T> {
    fn bytes(&self) -> usize {
        const { holds_nothing::<T>() };
        self.capacity() * size_of::<T>()
    }
}

/// Its values wait only while a call runs.
impl<T> Held for VecDeque<T> {
    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl Held for f32 {
    fn bytes(&self) -> usize {
        0
    }
}

impl<T: Held, const N: usize> Held for [T; N] {
    fn bytes(&self) -> usize {
        self.iter().map(T::bytes).sum()
    }
}

impl<T: Held> Held for Option<T> {
    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, T::bytes)
    }
}

impl<T: Held> Held for Box<T> {
    fn bytes(&self) -> usize {
        size_of::<T>() + T::bytes(self)
    }
}

impl<T: Held> Held for OnceLock<T> {
    fn bytes(&self) -> usize {
        self.get().map_or(0, T::bytes)
    }
}

impl<T: Held> Held for Mutex<T> {
    fn bytes(&self) -> usize {
        self.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    }
}

/// The bytes of a list of values that hold memory.
pub(crate) fn each<T: Held>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>() + list.iter().map(T::bytes).sum::<usize>()
}

/// A field of a record.
pub(crate) struct FieldOf<'a, T>(pub(crate) &'a T);

/// Lists of values that hold memory.
pub(crate) trait ListField {
    fn bytes(&self) -> usize;
}

impl<T: Held> ListField for &&FieldOf<'_, Vec<T>> {
    fn bytes(&self) -> usize {
        each(self.0)
    }
}

/// Values that hold memory.
pub(crate) trait HeldField {
    fn bytes(&self) -> usize;
}

impl<T: Held> HeldField for &FieldOf<'_, T> {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Other values.
pub(crate) trait PlainField {
    fn bytes(&self) -> usize;
}

impl<T> PlainField for FieldOf<'_, T> {
    fn bytes(&self) -> usize {
        const { holds_nothing::<T>() };
        0
    }
}

/// Implements [`Held`] for a record, from the names of its fields. Generic parameters are in
/// brackets before the record.
macro_rules! held {
    ([$($generics:tt)*] $record:ty { $($(#[$cfg:meta])* $field:ident),* $(,)? }) => {
        impl<$($generics)*> $crate::base::held::Held for $record {
            fn bytes(&self) -> usize {
                #[allow(unused_imports)]
                use $crate::base::held::{FieldOf, HeldField, ListField, PlainField};
                let Self { $($(#[$cfg])* $field),* } = self;
                let mut bytes = 0;
                $($(#[$cfg])* { bytes += (&&&FieldOf($field)).bytes(); })*
                bytes
            }
        }
    };
    ($record:ty { $($fields:tt)* }) => {
        $crate::base::held::held!([] $record { $($fields)* });
    };
}

/// Implements [`Held`], and `Clone` for a record with a default: [`clone_from`](Clone::clone_from)
/// copies field by field, into the memory that each field has. A derived copy would allocate anew.
/// Fields behind `but` are workspace, which is not copied.
macro_rules! copied {
    ($record:ident { $($field:ident),+ $(,)? } $(but { $($workspace:ident),+ })?) => {
        $crate::base::held::held!($record { $($field,)+ $($($workspace),+)? });

        impl Clone for $record {
            fn clone(&self) -> Self {
                let mut copy = Self::default();
                copy.clone_from(self);
                copy
            }

            fn clone_from(&mut self, source: &Self) {
                // Each field once.
                let Self { $($field),+ $(, $($workspace: _),+)? } = source;
                $(self.$field.clone_from($field);)+
            }
        }
    };
}

pub(crate) use {copied, held};

#[cfg(test)]
mod tests {
    use super::Held;

    /// A list, a number, a box, and lists of lists.
    #[derive(Default)]
    struct Record {
        list: Vec<u32>,
        number: f64,
        boxed: Option<Box<Inner>>,
        lists: Vec<Inner>,
        pair: [Vec<u64>; 2],
    }

    #[derive(Default)]
    struct Inner {
        items: Vec<[f32; 2]>,
    }

    held!(Record { list, number, boxed, lists, pair });
    held!(Inner { items });

    #[test]
    fn a_record_holds_what_its_fields_hold() {
        assert_eq!(Record::default().bytes(), 0);
        let inner = |len| Inner { items: Vec::with_capacity(len) };
        let record = Record {
            list: Vec::with_capacity(10),
            number: 1.0,
            boxed: Some(Box::new(inner(3))),
            lists: vec![inner(1), inner(2)],
            pair: [Vec::with_capacity(1), Vec::with_capacity(2)],
        };
        let of_inner = size_of::<Inner>();
        let expected = 10 * 4 + (of_inner + 3 * 8) + (2 * of_inner + 3 * 8) + 3 * 8;
        assert_eq!(record.bytes(), expected);
    }
}
