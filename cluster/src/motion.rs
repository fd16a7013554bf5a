//! How a body moves: straight, with a velocity that depends on its id, and reflected at the border
//! of the world.

use crate::{digest::mix, geometry::rotates, record::Record};

/// The largest rotation in a step, as the tangent of the angle.
const MAX_SPIN: f32 = 0.05;

/// Gives a body its velocity, at most `speed` along each axis, and its spin.
pub(crate) fn start(record: &mut Record, seed: u64, speed: f32) {
    let mut state = mix(seed ^ 0xA076_1D64_78BD_642F) ^ record.id;
    let mut draw = || {
        state = mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        // 24 bits, which `f32` has exactly, as a number in [-1, 1).
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    record.velocity = [draw() * speed, draw() * speed];
    record.spin = if rotates(record.kind) { draw() * MAX_SPIN } else { 0.0 };
}

/// Moves a body by one step. Its position stays within `half_world` of the origin along each axis.
pub(crate) fn advance(record: &mut Record, half_world: f32) {
    let [dx, dy] = &mut record.velocity;
    for (at, velocity) in [(&mut record.x, dx), (&mut record.y, dy)] {
        *at += *velocity;
        if at.abs() > half_world {
            let mirrored = (2.0 * half_world).copysign(*at) - *at;
            *at = mirrored.clamp(-half_world, half_world);
            *velocity = -*velocity;
        }
    }
    if record.spin != 0.0 {
        let Record { cos, sin, spin, .. } = *record;
        let (turned_cos, turned_sin) = (cos - spin * sin, sin + spin * cos);
        let length = (turned_cos * turned_cos + turned_sin * turned_sin).sqrt();
        (record.cos, record.sin) = (turned_cos / length, turned_sin / length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn a_body_is_reflected() {
        let start = Record { x: 9.5, y: -9.0, velocity: [1.0, -0.5], ..Record::zeroed() };
        let mut record = start;
        advance(&mut record, 10.0);
        assert_eq!((record.x, record.y, record.velocity), (9.5, -9.5, [-1.0, -0.5]));
        // Faster than the world is wide: it stays within.
        let mut record = Record { velocity: [100.0, 0.0], ..start };
        advance(&mut record, 10.0);
        assert_eq!((record.x, record.velocity[0]), (-10.0, -100.0));
    }

    #[test]
    fn speeds_have_all_signs_and_are_bounded() {
        let mut signs = [0; 4];
        for id in 0..1000 {
            let mut record = Record { id, kind: 4, ..Record::zeroed() };
            start(&mut record, 7, 0.5);
            let [x, y] = record.velocity;
            assert!(x.abs() <= 0.5 && y.abs() <= 0.5 && record.spin.abs() <= MAX_SPIN);
            signs[usize::from(x < 0.0) * 2 + usize::from(y < 0.0)] += 1;
        }
        assert!(signs.iter().all(|count| (200..300).contains(count)), "{signs:?}");
    }
}
