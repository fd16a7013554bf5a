//! Where the walls are, and where the units begin.

use widephase::{
    Error,
    glam::Vec2,
    shape::{ConvexPolygon, Obb, OwnedShape, Pose, Rotation},
};

/// Half the side of the arena, the range of sight, and the way of a unit in a step.
const SIDE: f32 = 100.0;
pub(super) const SIGHT: f32 = 40.0;
const WALK: f32 = 0.1;

/// Bars around the arena, and bars and rocks in it.
pub(super) fn walls() -> Result<Vec<(OwnedShape, Option<Pose>)>, Error> {
    let bar = |half| Obb::new([0.0, 0.0], [half, 0.25], Rotation::IDENTITY);
    let rock = ConvexPolygon::new(&[[-3.0, -2.0], [3.0, -2.0], [2.0, 2.0], [-1.0, 3.0]])?;
    let turns = [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (-0.8, 0.6)];
    let turns = turns.map(|(cos, sin)| Rotation { cos, sin });
    let sides = [([0.0, SIDE], 0), ([0.0, -SIDE], 0), ([SIDE, 0.0], 1), ([-SIDE, 0.0], 1)];
    let sides = sides.map(|(at, turn)| (bar(SIDE).into(), Some(Pose::new(at, turns[turn]))));
    let inside = (0..64_u8).map(|i| {
        let at = [i % 8, i / 8].map(|v| 20.0 * f32::from(v) - 70.0);
        let shape = if i % 3 == 0 { rock.clone().into() } else { bar(6.0).into() };
        (shape, Some(Pose::new(at, turns[usize::from(i % 7 % 4)])))
    });
    Ok(sides.into_iter().chain(inside).collect())
}

/// A place on the left or right side, and a displacement towards the other side.
pub(super) fn home(left: bool, number: u32) -> (Vec2, Vec2) {
    let bits = number.wrapping_mul(0x9E37_79B9);
    let [x, y] = [bits >> 24, bits >> 16 & 255].map(|bits| bits as f32 / 256.0);
    let ahead = if left { 1.0 } else { -1.0 };
    let at = Vec2::new(-ahead * (84.0 + 14.0 * x), 196.0 * y - 98.0);
    (at, Vec2::new(ahead, x - y).normalize() * WALK)
}
