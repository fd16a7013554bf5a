//! `Digest`: a hash of contacts that does not depend on their order.

use bytemuck::{Pod, Zeroable};
use widephase::Contact;

/// The number of contacts and two hashes of them. Those of parts of a set add up to those of the
/// set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Digest {
    pub(crate) contacts: u64,
    /// The number of pairs. Two compounds may have several contacts.
    pub(crate) pairs: u64,
    /// The sum of the hashes of all contacts, modulo 2^64.
    pub(crate) sum: u64,
    /// Their exclusive or.
    pub(crate) xor: u64,
}

impl Digest {
    /// Adds a contact of the bodies with these ids: its pair is replaced by the ids, and all other
    /// bits count. The caller counts the pairs.
    pub(crate) fn add(&mut self, ids: [u64; 2], contact: &Contact) {
        let words: [u64; 8] = bytemuck::cast(*contact);
        let all = ids.iter().chain(&words[1..]);
        let hash = mix(all.fold(0, |hash, word| {
            let product = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            product ^ product >> 32
        }));
        self.merge(Self { contacts: 1, pairs: 0, sum: hash, xor: hash });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.contacts += other.contacts;
        self.pairs += other.pairs;
        self.sum = self.sum.wrapping_add(other.sum);
        self.xor ^= other.xor;
    }

    /// Both hashes as one.
    pub(crate) fn hash(&self) -> u64 {
        mix(self.sum ^ self.xor.rotate_left(32))
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014): a bijection.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_matter_and_all_else_does() {
        let [one, other] = [1, 2].map(|part_a| {
            let mut contact = Contact::default();
            contact.part_a = part_a;
            contact
        });
        let digest = |contacts: &[([u64; 2], Contact)]| {
            let mut digest = Digest::default();
            for (ids, contact) in contacts {
                digest.add(*ids, contact);
            }
            digest
        };
        let both = digest(&[([1, 2], one), ([3, 4], other)]);
        assert_eq!(both, digest(&[([3, 4], other), ([1, 2], one)]));
        assert_ne!(both.hash(), digest(&[([1, 2], other), ([3, 4], one)]).hash());
        assert_ne!(both.hash(), digest(&[([2, 1], one), ([3, 4], other)]).hash());
        assert_ne!(both.hash(), digest(&[([1, 2], one); 2]).hash());
    }
}
