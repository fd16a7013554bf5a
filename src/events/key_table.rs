//! `KeyTable`: where each key of a list is.

use crate::simd::prefetch_at;

/// The places of keys by their hashes. Places with one hash are a chain.
#[derive(Debug, Default)]
pub(super) struct KeyTable {
    /// The first place of each hash, plus 1; 0 for none.
    heads: Vec<u32>,
    /// For each place, the next one with the same hash, plus 1.
    nexts: Vec<u32>,
}

/// Many keys have the hash of a key.
#[derive(Debug)]
pub(super) struct TooLong;

/// The longest chain. Ids of the caller can be chosen so that their hashes are the same.
const LONGEST: usize = 32;

impl KeyTable {
    /// Replaces the list, of which some places are left out.
    pub(super) fn fill(&mut self, list: &[u64], has: impl Fn(usize) -> bool) {
        let Self { heads, nexts } = self;
        heads.clear();
        heads.resize((2 * list.len()).next_power_of_two(), 0);
        nexts.resize(list.len(), 0);
        let len = heads.len();
        for (place, (key, next)) in list.iter().zip(nexts).enumerate() {
            if has(place) {
                let head = &mut heads[hash(*key, len)];
                (*next, *head) = (*head, place as u32 + 1);
            }
        }
    }

    /// The place of a key in the list. An error if it may be behind the longest chain.
    #[inline(always)]
    pub(super) fn find(&self, list: &[u64], key: u64) -> Result<Option<usize>, TooLong> {
        let mut number = self.heads[hash(key, self.heads.len())];
        for _ in 0..LONGEST {
            let Some(place) = (number as usize).checked_sub(1) else { return Ok(None) };
            if list[place] == key {
                return Ok(Some(place));
            }
            number = self.nexts[place];
        }
        Err(TooLong)
    }

    /// Prefetches where the chain of a key begins.
    #[inline(always)]
    pub(super) fn prefetch_head(&self, key: u64) {
        prefetch_at(&self.heads, hash(key, self.heads.len()));
    }

    /// Prefetches the first place of the chain of a key.
    #[inline(always)]
    pub(super) fn prefetch_first(&self, list: &[u64], key: u64) {
        let place = self.heads[hash(key, self.heads.len())].saturating_sub(1) as usize;
        prefetch_at(list, place);
        prefetch_at(&self.nexts, place);
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        (self.heads.capacity() + self.nexts.capacity()) * size_of::<u32>()
    }
}

/// The hash of a key, below a power of two: the first bits of its product with 2^64 divided by the
/// golden ratio.
#[inline(always)]
pub(super) fn hash(key: u64, len: usize) -> usize {
    let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product.rotate_left(len.trailing_zeros()) as usize & (len - 1)
}
