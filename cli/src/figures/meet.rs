//! Whether two figures meet, and how far apart they are.

use widephase::{Touching, doubles::DoubleBox};

use super::{
    Form, Layer,
    edge::{At, Meeting, gap, within},
    place::Around,
    tree::Tree,
};

/// The factor of a squared reach where boxes are compared: more than roundings.
const SLACK: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;

/// Whether two layers are within a distance: of their surfaces, or of the areas around their edges.
pub(super) fn meet(a: &Layer<'_>, b: &Layer<'_>, margin: f64, touching: Touching) -> bool {
    let reach = a.radius + b.radius + margin;
    if reach > 0.0 {
        return near(a, b, reach, touching) || holds_part(a, b) || holds_part(b, a);
    }
    match touching {
        Touching::Inclusive => {
            let touch = |a: &Layer<'_>, b: &Layer<'_>| {
                a.tree.any_pair(&b.tree, 0.0, |a, b, _| a.meeting(b) != Meeting::Apart)
            };
            touch(a, b) || holds_part(a, b) || holds_part(b, a)
        }
        Touching::Exclusive => match (a.form, b.form) {
            (Form::Area, Form::Area) => areas_overlap(a, b),
            (Form::Area, Form::Lines) => enters(b, a),
            (Form::Lines, Form::Area) => enters(a, b),
            (Form::Area, Form::Points) => holds_point(a, b),
            (Form::Points, Form::Area) => holds_point(b, a),
            (Form::Lines, Form::Lines) => lines_meet(a, b),
            // A point has no inside, and is inside of areas only.
            _ => false,
        },
    }
}

/// The distance of the surfaces of two layers, 0 if they touch.
pub(super) fn distance(a: &Layer<'_>, b: &Layer<'_>) -> f64 {
    if holds_part(a, b) || holds_part(b, a) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    a.tree.any_pair(&b.tree, f64::INFINITY, |a, b, limit| {
        let square = if a.meeting(b) == Meeting::Apart { a.square(b).value() } else { 0.0 };
        if square < least {
            least = square;
            // Boxes are compared by other roundings.
            *limit = square * SLACK;
        }
        least == 0.0
    });
    (least.sqrt() - (a.radius + b.radius)).max(0.0)
}

/// Whether edges are within a reach above 0.
fn near(a: &Layer<'_>, b: &Layer<'_>, reach: f64, touching: Touching) -> bool {
    let limit = reach * reach;
    a.tree.any_pair(&b.tree, limit * SLACK, |a, b, _| {
        if a.meeting(b) != Meeting::Apart {
            return true;
        }
        let square = a.square(b);
        match touching {
            Touching::Inclusive => square.over <= limit * square.under,
            Touching::Exclusive => square.over < limit * square.under,
        }
    })
}

/// Calls `visit` with the first place of each ring, line or point that is in the box of an area.
fn any_part(layer: &Layer<'_>, area: &Tree<'_>, mut visit: impl FnMut(At) -> bool) -> bool {
    let around = area.around();
    layer.tree.any(
        |about| gap(about, &around) == [0.0; 2],
        |edge| edge.first && within(&around, edge.a) && visit(edge.a),
    )
}

/// Whether an area holds the beginning of a ring, line or point. If edges do not touch, the whole
/// ring or line is in the area, or no part of it.
fn holds_part(area: &Layer<'_>, other: &Layer<'_>) -> bool {
    area.form == Form::Area
        && any_part(other, &area.tree, |place| Around::new(&area.tree, place).holds())
}

/// [`holds_part`] for the inside of an area, without its sides.
fn holds_inside(area: &Layer<'_>, other: &Layer<'_>) -> bool {
    any_part(other, &area.tree, |place| Around::new(&area.tree, place).surrounds())
}

/// Whether any of some points is inside an area.
fn holds_point(area: &Layer<'_>, points: &Layer<'_>) -> bool {
    holds_inside(area, points)
}

/// Whether the insides of two areas have a point in common.
///
/// If they have, look at a connected piece of their intersection: its border consists of pieces of
/// the sides of both areas. Sides may cross. If no sides cross, sides of both areas meet in ends of
/// sides, and next to such a place both areas overlap. Or else the outer border is of one area
/// alone, inside the other area. That ring has no place in common with the sides of the other area,
/// or next to such a place both areas overlap.
fn areas_overlap(a: &Layer<'_>, b: &Layer<'_>) -> bool {
    let mut touches = Vec::new();
    let cross = a.tree.any_pair(&b.tree, 0.0, |a, b, _| match a.meeting(b) {
        Meeting::Apart => false,
        Meeting::Touch => {
            touches.extend(a.touches(b));
            false
        }
        Meeting::Cross => true,
    });
    let overlap = |place: &At| Around::new(&a.tree, *place).overlaps(Around::new(&b.tree, *place));
    touches.sort_unstable_by(order);
    touches.dedup();
    cross || touches.iter().any(overlap) || holds_inside(a, b) || holds_inside(b, a)
}

/// Whether a line has a point inside an area. Between places where it touches sides, it is inside
/// or outside.
fn enters(lines: &Layer<'_>, area: &Layer<'_>) -> bool {
    let on_sides = lines.tree.any_pair(&area.tree, 0.0, |line, edge, _| match line.meeting(edge) {
        Meeting::Apart => false,
        Meeting::Cross => true,
        Meeting::Touch => line.touches(edge).any(|place| {
            let ways: Vec<At> = line.ends().into_iter().filter(|end| *end != place).collect();
            Around::new(&area.tree, place).enters(&ways)
        }),
    });
    on_sides || holds_inside(area, lines)
}

/// Whether two lines have a point in common that is an end of neither.
fn lines_meet(a: &Layer<'_>, b: &Layer<'_>) -> bool {
    let is_end = |layer: &Layer<'_>, place: &At| {
        layer.ends.binary_search_by(|end| order(end, place)).is_ok()
    };
    a.tree.any_pair(&b.tree, 0.0, |one, other, _| match one.meeting(other) {
        Meeting::Apart => false,
        Meeting::Cross => true,
        Meeting::Touch => {
            let mut places: Vec<At> = one.touches(other).collect();
            places.sort_unstable_by(order);
            places.dedup();
            // Two common places have all places between them in common.
            places.len() > 1 || places.iter().any(|at| !is_end(a, at) && !is_end(b, at))
        }
    })
}

/// By x, then by y.
pub(super) fn order(a: &At, b: &At) -> std::cmp::Ordering {
    a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal)
}

/// Whether the boxes of two layers are within a distance, so that they need a look.
pub(super) fn is_near(a: &Layer<'_>, b: &Layer<'_>, margin: f64) -> bool {
    let around = |layer: &Layer<'_>| DoubleBox { radius: layer.radius, ..layer.tree.around() };
    let ([x, y], reach) = (gap(&around(a), &around(b)), a.radius + b.radius + margin);
    x * x + y * y <= reach * reach * SLACK
}
