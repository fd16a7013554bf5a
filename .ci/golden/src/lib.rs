//! A hash of pairs, contacts and a world that must be equal on every target and at every SIMD
//! level.

#[path = "../../../crates/scenes/adapter.rs"]
mod scene;
use scene::{Scene, SceneKind};
use widephase::{
    Contact, Detector, Error, Index, Narrowphase, Options, Order, Pair, SimdLevel, world::Replay,
};

const MARGIN: f32 = 0.125;

/// The number of SIMD levels of this machine, for [`golden`].
#[unsafe(no_mangle)]
pub extern "C" fn level_count() -> u32 {
    SimdLevel::available().len() as u32
}

/// The hash at the level of this number, from 0.
#[unsafe(no_mangle)]
pub extern "C" fn golden(level: u32) -> u64 {
    hash(SimdLevel::available()[level as usize]).expect("scenes are valid")
}

/// A recording of a world, with the hash of each of its states.
const RECORDING: &[u8] = include_bytes!("../../../cli/tests/data/heap.recording");

/// The hash of the results for all scenes, and of the last state of a recording.
///
/// # Errors
/// Those of a replay, if a state differs.
pub fn hash(level: SimdLevel) -> Result<u64, Error> {
    let mut hash = Fnv::new();
    let standard = SceneKind::STANDARD.map(|kind| (kind, 3_000));
    let adversaries = SceneKind::ADVERSARIES.map(|kind| (kind, 400));
    for (kind, len) in standard.into_iter().chain(adversaries) {
        let before = Scene::generate(kind, len, 7);
        let mut after = before.clone();
        for _ in 0..3 {
            after.step();
        }
        scene(level, &before, &after, &mut hash)?;
    }
    let options = Options { simd_level: Some(level), ..Options::default() };
    let mut replay = Replay::new(RECORDING, options)?;
    while replay.step()?.is_some() {}
    // Not of the snapshot: it has the limits of lists, which depend on the address space.
    hash.bytes(&replay.world().state_hash().to_le_bytes());
    Ok(hash.0)
}

/// Adds the results for a scene at two times: of one set, against an index, for the pairs of a
/// broadphase, and row by row.
fn scene(level: SimdLevel, before: &Scene, after: &Scene, hash: &mut Fnv) -> Result<(), Error> {
    let (mut pairs, mut contacts, mut touching) = (Vec::new(), Vec::new(), Vec::new());
    let grid = Options { simd_level: Some(level), ..Options::default() };
    let sorted = Options { order: Order::Sorted, ..grid };
    let index = Index::build(before.columns())?;
    for options in [grid, sorted] {
        let mut detector = Detector::with_options(options)?;
        detector.pairs((after.columns(), &index), &mut pairs)?;
        hash.pairs(&pairs);
        detector.contacts(after.columns(), MARGIN, &mut contacts)?;
        hash.contacts(&contacts);
        detector.pairs(after.columns(), &mut pairs)?;
        hash.pairs(&pairs);
    }
    // The pairs of the later time, tested at both times.
    let mut narrowphase = Narrowphase::with_options(grid.into())?;
    narrowphase.pairs(before.columns(), &pairs, &mut touching)?;
    hash.pairs(&touching);
    narrowphase.contacts_between(after.columns(), before.columns(), &pairs, 0.0, &mut contacts)?;
    hash.contacts(&contacts);
    // Not for shapes that rotate.
    if !after.kind().turns() {
        let (after, before, mut mask) = (after.columns(), before.columns(), Vec::new());
        narrowphase.row_mask(after, before, 0..after.len().min(before.len()), &mut mask)?;
        for word in &mask {
            hash.bytes(&word.to_le_bytes());
        }
    }
    Ok(())
}

/// FNV-1a. All numbers are added with the little end first.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u32) {
        self.bytes(&number.to_le_bytes());
    }

    fn pairs(&mut self, pairs: &[Pair]) {
        self.number(pairs.len() as u32);
        for pair in pairs {
            self.number(pair.a);
            self.number(pair.b);
        }
    }

    /// All bits of all fields.
    fn contacts(&mut self, contacts: &[Contact]) {
        self.number(contacts.len() as u32);
        for contact in contacts {
            let [x, y] = contact.normal().to_array();
            for number in [contact.pair.a, contact.pair.b, contact.part_a, contact.part_b] {
                self.number(number);
            }
            for value in [x, y, contact.depth] {
                self.number(value.to_bits());
            }
            self.number(contact.points().len() as u32);
            for point in contact.points() {
                for value in [point.x, point.y, point.depth] {
                    self.number(value.to_bits());
                }
                self.number(point.id().to_bits());
            }
        }
    }
}
