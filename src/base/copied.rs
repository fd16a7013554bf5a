//! `copied!`: copies that reuse memory.

/// Implements `Clone` for a record with a default: [`clone_from`](Clone::clone_from) copies field
/// by field, into the memory that each has. A derived one would allocate all anew. Fields behind
/// `but` are workspace, which is not copied.
macro_rules! copied {
    ($record:ident { $($field:ident),+ } $(but { $($workspace:ident),+ })?) => {
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

pub(crate) use copied;
