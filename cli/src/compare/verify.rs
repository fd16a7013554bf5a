//! Checks that all executors agree with the scalar grid and with brute force.

use std::fmt;

use crate::scene::Scene;
use widephase::{Contact, Detector, Error, Options, Pair, SimdLevel, Threads};

use super::{executor::Executor, truth};
use crate::timing::{Configuration, Rotation};

/// The reference for a list of pairs, in addition to the scalar grid's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Against {
    /// Every shape tested against every other.
    BruteForce,
    /// No other test: there are too many shapes for brute force.
    ScalarGrid,
    /// All bodies of a world, without the data that it keeps from earlier steps.
    Detection,
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Against::BruteForce => "brute force",
            Against::ScalarGrid => "scalar grid",
            Against::Detection => "a detection of all bodies",
        })
    }
}

/// The result of one executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Whether it was correct on all scenes.
    pub(super) identical: bool,
    /// The number of pairs of the first scene.
    pub(super) pairs: usize,
    /// The hash of the first scene's list.
    pub(super) hash: u64,
    /// The contacts of the first scene, if they are requested.
    pub(super) contacts: Option<Contacts>,
}

/// The contacts of one executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contacts {
    /// The number of contacts.
    pub(super) len: usize,
    /// The hash of their bytes.
    pub(super) hash: u64,
}

/// The outcome for one kind and size of scene.
pub(super) struct Verified {
    pub(super) against: Against,
    /// A verdict for each executor.
    pub(super) verdicts: Vec<Verdict>,
    /// Descriptions of the differences, a description for each executor and scene that differs.
    pub(super) differences: Vec<String>,
}

/// Runs every executor on every scene. Each list must equal the list of the scalar grid on the
/// calling thread, pair by pair. With `brute`, the sorted list must also equal the list of brute
/// force. With `contacts`, contacts must have the same bytes as the scalar grid's.
pub(super) fn run(
    executors: &mut [Executor],
    rotation: &Rotation,
    brute: bool,
    contacts: bool,
) -> Result<Verified, Error> {
    let against = if brute { Against::BruteForce } else { Against::ScalarGrid };
    let mut verdicts =
        vec![Verdict { identical: true, pairs: 0, hash: 0, contacts: None }; executors.len()];
    let mut differences = Vec::new();
    let mut scalar = Detector::with_options(Options {
        simd_level: Some(SimdLevel::Scalar),
        threads: Threads::Calling,
        ..Options::default()
    })?;
    let (mut expected, mut expected_contacts) = (Vec::new(), Vec::new());
    for (number, scene) in rotation.scenes.iter().enumerate() {
        let truth = brute.then(|| truth::pairs(scene));
        scalar.pairs(scene.columns(), &mut expected)?;
        if contacts {
            scalar.contacts(scene.columns(), 0.0, &mut expected_contacts)?;
        }
        for (executor, verdict) in executors.iter_mut().zip(&mut verdicts) {
            let place = place(scene, number, executor);
            let pairs = executor.detect(scene)?;
            if number == 0 {
                (verdict.pairs, verdict.hash) = (pairs.len(), hash(pairs));
            }
            let mut found = Vec::from_iter(difference(pairs, &expected, truth.as_deref()));
            if contacts {
                let contacts = executor.contacts(scene)?;
                if number == 0 {
                    let hash = contact_hash(contacts);
                    verdict.contacts = Some(Contacts { len: contacts.len(), hash });
                }
                let difference = contact_difference(contacts, &expected_contacts);
                found.extend(difference.map(|what| format!("{what} by the scalar grid")));
            }
            verdict.identical &= found.is_empty();
            differences.extend(found.iter().map(|what| format!("DIFFERENT: {place}: {what}")));
        }
    }
    Ok(Verified { against, verdicts, differences })
}

/// The scene and executor of a difference, for messages.
fn place(scene: &Scene, number: usize, executor: &Executor) -> String {
    let Configuration { level, threads, .. } = &executor.configuration;
    format!(
        "{}, {} bodies, scene {number} of the rotation, {level}, {threads} threads",
        scene.kind(),
        scene.len(),
    )
}

/// Describes the first contact whose bytes differ from the expected bytes.
pub(super) fn contact_difference(contacts: &[Contact], expected: &[Contact]) -> Option<String> {
    if bytemuck::cast_slice::<_, u8>(contacts) == bytemuck::cast_slice::<_, u8>(expected) {
        return None;
    }
    let same = |(found, expected): &(&Contact, &Contact)| {
        bytemuck::bytes_of(*found) == bytemuck::bytes_of(*expected)
    };
    let at = contacts.iter().zip(expected).take_while(same).count();
    Some(format!(
        "contact {at} of {} is {:?}, but {:?} of {}",
        contacts.len(),
        contacts.get(at),
        expected.get(at),
        expected.len()
    ))
}

/// Describes how `pairs` differs from the `expected` list, or as a set from the sorted `truth`.
fn difference(pairs: &[Pair], expected: &[Pair], truth: Option<&[Pair]>) -> Option<String> {
    if let Some(truth) = truth {
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        if let Some(what) = first_difference(&sorted, truth) {
            return Some(format!("sorted, {what} by brute force"));
        }
    }
    first_difference(pairs, expected).map(|what| format!("{what} by the scalar grid"))
}

pub(super) fn first_difference(pairs: &[Pair], expected: &[Pair]) -> Option<String> {
    if pairs == expected {
        return None;
    }
    let show = |pair: Option<&Pair>| match pair {
        Some(Pair { a, b }) => format!("({a}, {b})"),
        None => "missing".to_owned(),
    };
    let at = pairs.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    Some(format!(
        "pair {at} of {} is {}, but {} of {}",
        pairs.len(),
        show(pairs.get(at)),
        show(expected.get(at)),
        expected.len()
    ))
}

/// The hash of the list's indices as little-endian bytes, which is equal on every machine.
pub(super) fn hash(pairs: &[Pair]) -> u64 {
    fnv_1a(pairs.iter().flat_map(|pair| [pair.a.to_le_bytes(), pair.b.to_le_bytes()]).flatten())
}

/// FNV-1a, 64 bits.
pub(super) fn fnv_1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// The hash of the bytes of contacts, which is equal on every little-endian machine.
pub(super) fn contact_hash(contacts: &[Contact]) -> u64 {
    fnv_1a(bytemuck::cast_slice::<_, u8>(contacts).iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: [Pair; 3] = [Pair { a: 4, b: 5 }, Pair { a: 0, b: 2 }, Pair { a: 0, b: 1 }];
    const SORTED: [Pair; 3] = [Pair { a: 0, b: 1 }, Pair { a: 0, b: 2 }, Pair { a: 4, b: 5 }];

    #[test]
    fn the_same_list_does_not_differ() {
        assert_eq!(difference(&LIST, &LIST, Some(&SORTED)), None);
        assert_eq!(difference(&LIST, &LIST, None), None);
        assert_eq!(difference(&[], &[], Some(&[])), None);
    }

    #[test]
    fn another_order_differs() {
        let told = difference(&SORTED, &LIST, Some(&SORTED)).unwrap();
        assert_eq!(told, "pair 0 of 3 is (0, 1), but (4, 5) of 3 by the scalar grid");
    }

    #[test]
    fn a_missing_pair_differs() {
        let told = difference(&LIST[..2], &LIST, None).unwrap();
        assert_eq!(told, "pair 2 of 2 is missing, but (0, 1) of 3 by the scalar grid");
    }

    #[test]
    fn all_may_agree_and_be_wrong() {
        let told = difference(&LIST[..2], &LIST[..2], Some(&SORTED)).unwrap();
        assert_eq!(told, "sorted, pair 0 of 2 is (0, 2), but (0, 1) of 3 by brute force");
    }

    #[test]
    fn contacts_differ_by_their_bytes() {
        let zero = Contact::default();
        let mut minus = zero;
        minus.depth = -0.0;
        assert_eq!(contact_difference(&[zero, minus], &[zero, minus]), None);
        let told = contact_difference(&[zero, minus], &[zero, zero]).unwrap();
        assert!(told.starts_with("contact 1 of 2 is Some(Contact {"), "{told}");
        let told = contact_difference(&[zero], &[zero, zero]).unwrap();
        assert!(told.starts_with("contact 1 of 1 is None, but Some(Contact {"), "{told}");
        assert_ne!(contact_hash(&[zero]), contact_hash(&[minus]));
    }

    #[test]
    fn hash_is_fnv_1a_and_sees_the_order() {
        // The published values for no bytes and for the text "foobar".
        assert_eq!(hash(&[]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(hash(&LIST), hash(&SORTED));
        let text =
            Pair { a: u32::from_le_bytes(*b"foob"), b: u32::from_le_bytes([b'a', b'r', 0, 0]) };
        // FNV-1a of "foobar" is 0x85944171f73967e8; a zero byte multiplies only.
        let prime = 0x0000_0100_0000_01b3_u64;
        let expected = 0x8594_4171_f739_67e8_u64.wrapping_mul(prime).wrapping_mul(prime);
        assert_eq!(hash(&[text]), expected);
    }
}
