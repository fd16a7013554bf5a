//! The verdict on whether two parts collide: the engine, or a classic test.

use widephase::{
    Touching::{self, Exclusive, Inclusive},
    reference::{
        center_distance, compound_circles, edge_normals, expanded_rect_strict, expanded_sides,
        integer_square::{self, BoundingSquare, IntRect},
        min_max, nine_zones, rotated_rect, separating_axes,
    },
    shape::{Aabb, Circle, Obb, Part, Rotation},
};

use super::{Area, TargetArea};

/// A verdict about pairs that the world has found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verdict {
    pub(crate) name: &'static str,
    /// The rule by which the world finds them.
    pub(crate) touching: Touching,
    /// Whether two parts collide; `None` if the test is not for these kinds.
    pub(crate) collide: fn(&Part, &Part) -> Option<bool>,
}

impl Verdict {
    /// Whether the test is for the areas of a round.
    pub(crate) fn is_for(&self, (area, target): (Area, TargetArea)) -> bool {
        let movers = [area.ship(), area.rocket()].concat();
        let targets = target.parts();
        movers.iter().all(|a| targets.iter().all(|b| (self.collide)(a, b).is_some()))
    }
}

const fn verdict(
    name: &'static str,
    touching: Touching,
    collide: fn(&Part, &Part) -> Option<bool>,
) -> Verdict {
    Verdict { name, touching, collide }
}

/// The engine by both of its rules, and the classic tests by theirs.
pub(crate) const VERDICTS: [Verdict; 12] = [
    verdict("engine (inclusive)", Inclusive, |_, _| Some(true)),
    verdict("engine (exclusive)", Exclusive, |_, _| Some(true)),
    verdict("center_distance", Inclusive, |a, b| circles(a, b, center_distance::circle_circle)),
    verdict("compound_circles", Inclusive, |a, b| {
        circles(a, b, |a, b| compound_circles::any_circle(&[a], &[b]))
    }),
    verdict("nine_zones", Inclusive, |a, b| circle_rect(a, b, nine_zones::circle_rect)),
    verdict("expanded_sides", Inclusive, |a, b| circle_rect(a, b, expanded_sides::circle_rect)),
    verdict("integer_square", Inclusive, |a, b| circle_rect(a, b, in_integers)),
    verdict("min_max", Inclusive, |a, b| rects(a, b, min_max::aabb_aabb)),
    verdict("expanded_rect_strict", Inclusive, |a, b| {
        circles(a, b, expanded_rect_strict::circle_circle)
            .or_else(|| circle_rect(a, b, expanded_rect_strict::circle_rect))
            .or_else(|| rects(a, b, expanded_rect_strict::rect_rect))
    }),
    verdict("rotated_rect", Inclusive, |a, b| match (circle(a), obb(b), obb(a), circle(b)) {
        (Some(circle), Some(obb), ..) | (.., Some(obb), Some(circle)) => {
            Some(rotated_rect::obb_circle(obb, circle))
        }
        _ => None,
    }),
    verdict("separating_axes", Inclusive, |a, b| Some(separating_axes::obb_obb(obb(a)?, obb(b)?))),
    verdict("edge_normals", Inclusive, |a, b| {
        let [a, b] = [obb(a)?, obb(b)?].map(|obb| separating_axes::corners(obb).map(Into::into));
        Some(edge_normals::polygon_polygon(&a, &b))
    }),
];

fn circle(part: &Part) -> Option<Circle> {
    if let Part::Circle(circle) = part { Some(*circle) } else { None }
}

fn rect(part: &Part) -> Option<Aabb> {
    if let Part::Aabb(rect) = part { Some(*rect) } else { None }
}

/// A rotated box, or another one as that.
fn obb(part: &Part) -> Option<Obb> {
    if let Part::Obb(obb) = part {
        return Some(*obb);
    }
    let Aabb { min_x, min_y, max_x, max_y } = rect(part)?;
    let center = [(min_x + max_x) / 2.0, (min_y + max_y) / 2.0];
    let half = [(max_x - min_x) / 2.0, (max_y - min_y) / 2.0];
    Some(Obb::new(center, half, Rotation::IDENTITY))
}

fn circles(a: &Part, b: &Part, test: fn(Circle, Circle) -> bool) -> Option<bool> {
    Some(test(circle(a)?, circle(b)?))
}

fn rects(a: &Part, b: &Part, test: fn(Aabb, Aabb) -> bool) -> Option<bool> {
    Some(test(rect(a)?, rect(b)?))
}

/// In either order.
fn circle_rect(a: &Part, b: &Part, test: fn(Circle, Aabb) -> bool) -> Option<bool> {
    let (circle, rect) = circle(a).zip(rect(b)).or_else(|| circle(b).zip(rect(a)))?;
    Some(test(circle, rect))
}

/// All positions and sizes of the game are whole numbers, except the numbers of a rotated box.
fn in_integers(circle: Circle, rect: Aabb) -> bool {
    let Circle { x, y, radius } = circle;
    let Aabb { min_x, min_y, max_x, max_y } = rect;
    let [x, y] = [x - radius, y - radius].map(|side| side as i32);
    let circle = BoundingSquare { x, y, side: (2.0 * radius) as u32 };
    let [width, height] = [max_x - min_x, max_y - min_y].map(|size| size as u32);
    let rect = IntRect { x: min_x as i32, y: min_y as i32, width, height };
    integer_square::circle_rect(circle, rect)
}
