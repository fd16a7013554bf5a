//! `pod!`: records whose bytes may be read and written, and `no_padding!`: records whose bytes may
//! be read.
//!
//! A macro of ours and not the derive of `bytemuck`, because derives cost every user a tenth of the
//! time of a cold build: the crates that parse Rust are compiled for them.

/// Implements `Pod` of `bytemuck` for a record, whose fields are all listed.
///
/// Does not compile unless every field is `Pod` and the fields fill the record without a gap.
macro_rules! pod {
    ($record:ident $(<$n:literal>)? { $($field:tt),+ }) => {
        const _: () = {
            // Each field once.
            let _ = |$record { $($field: _),+ }: $record$(<$n>)?| {};
            const fn size<T: bytemuck::Pod>(_: fn(&$record$(<$n>)?) -> &T) -> usize {
                size_of::<T>()
            }
            let fields = 0 $(+ size(|record| &record.$field))+;
            assert!(fields == size_of::<$record$(<$n>)?>(), "there is a gap");
        };

        // SAFETY: zeros are a value of each field, because each field is `Pod`.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::Zeroable for $record$(<$n>)? {}

        // SAFETY: any bytes are a value of each field, because each field is `Pod`. There are no
        // other bytes, because the record is as large as its fields together.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::Pod for $record$(<$n>)? {}
    };
}

/// Implements `NoUninit` of `bytemuck` for a record whose fields are all listed, or for an enum
/// without fields that is represented by a number.
///
/// Does not compile unless every field is `NoUninit` and the fields fill the record without a gap.
#[cfg(feature = "narrowphase")]
macro_rules! no_padding {
    ($record:ident { $($field:tt),+ }) => {
        const _: () = {
            // Each field once.
            let _ = |$record { $($field: _),+ }: $record| {};
            const fn size<T: bytemuck::NoUninit>(_: fn(&$record) -> &T) -> usize {
                size_of::<T>()
            }
            let fields = 0 $(+ size(|record| &record.$field))+;
            assert!(fields == size_of::<$record>(), "there is a gap");
        };

        // SAFETY: all bytes are bytes of fields, because the record is as large as they are
        // together, and each field is `NoUninit`.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::NoUninit for $record {}
    };
    ($number:ident) => {
        const _: () = assert!(size_of::<$number>() == 8, "it is a number of eight bytes");

        // SAFETY: an enum without fields is a number, all of whose bytes are initialized.
        #[allow(unsafe_code)]
        unsafe impl bytemuck::NoUninit for $number {}
    };
}

#[cfg(feature = "narrowphase")]
pub(crate) use no_padding;
pub(crate) use pod;
