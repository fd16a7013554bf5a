//! Makes an adversary from a harmless scene: by the order of the bodies, one odd body, or a
//! constraint between bodies.

use crate::{
    MAX_COORDINATE, SceneKind,
    motion::{Body, Tie},
    placement::KEPT,
    random::Random,
    sizes::Size,
};

/// Changes the bodies of the [origin](SceneKind::origin) of `kind` to the bodies of `kind`.
pub(crate) fn arrange(kind: SceneKind, bodies: &mut [Body], half_spread: f32, random: &mut Random) {
    Tie::of(kind).bind(bodies);
    let middle = bodies.len() / 2;
    match kind {
        SceneKind::Giant => {
            if let Some(body) = bodies.get_mut(middle) {
                // Even at a corner of the square, it covers the opposite corner, 2 √2 half sides
                // away.
                body.size = Size::circle(4.0 * half_spread);
            }
        }
        SceneKind::FarBody => {
            if let Some(body) = bodies.get_mut(middle) {
                body.room.home = [MAX_COORDINATE; 2];
            }
        }
        SceneKind::Sorted | SceneKind::Reversed => {
            // The height of a row is about the height of the cells of a grid.
            const ROW: f32 = 2.0;
            let place = |body: &Body| [(body.offset[1] / ROW).floor(), body.offset[0]];
            bodies.sort_by(|a, b| {
                let ([row_a, x_a], [row_b, x_b]) = (place(a), place(b));
                row_a.total_cmp(&row_b).then(x_a.total_cmp(&x_b))
            });
            if kind == SceneKind::Reversed {
                bodies.reverse();
            }
            // Bodies stay near their initial positions, so their order also stays.
            for body in bodies {
                body.room.home = std::mem::take(&mut body.offset);
                body.room.reach = [KEPT; 2];
            }
        }
        SceneKind::Shuffled
        | SceneKind::PowerLawCircles
        | SceneKind::SixDecades
        | SceneKind::BorderLattice
        | SceneKind::PowerOfTwo => random.shuffle(bodies),
        _ => {}
    }
}
