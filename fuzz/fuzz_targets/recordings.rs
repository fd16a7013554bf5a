//! A recording of arbitrary calls, of which some bytes are replaced, inserted or left out, with a
//! hash that fits again: its replay may fail, but it neither panics nor takes much memory. A replay
//! that does not fail must give a world that can be saved.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "the target `world` uses the other items")]
#[path = "../../tests/world/any_calls.rs"]
mod any_calls;
#[path = "../../tests/world/damage.rs"]
mod damage;

fuzz_target!(|data: &[u8]| {
    let Some(&[first, second]) = data.first_chunk() else { return };
    // The first bytes are edits, four bytes for each edit. The other bytes are calls.
    let edits = usize::from(first % 8);
    let (edits, calls) = data[2..].split_at((4 * edits).min(data.len() - 2));
    let mut file = any_calls::record(calls);
    for [low, high, value, way] in edits.as_chunks::<4>().0 {
        // Behind the header, whose faults are known.
        let at = damage::HEADER + usize::from(u16::from_le_bytes([*low, *high]));
        if at >= file.len() {
            continue;
        }
        match way % 8 {
            0 => file.truncate(at),
            1 => drop(file.remove(at)),
            2 => file.insert(at, *value),
            3 => file[at] ^= 1 << (value % 8),
            _ => file[at] = *value,
        }
    }
    if second % 16 > 0 {
        damage::stamp(&mut file);
    }
    let world = damage::replay(&file);
    if let Ok(world) = world {
        damage::restore(&world.snapshot()).expect("the snapshot of a world");
    }
});
