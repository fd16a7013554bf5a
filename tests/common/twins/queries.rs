//! The queries of an `Index`, by brute force over a list of shapes: rays, shape
//! casts, distances and overlaps.
//!
//! Every result of the engine equals a result of these functions bit for bit, because the functions
//! use the same `f64` operations in the same order, without a grid, filters or SIMD. The position
//! of a shape in the list is its row.
//!
//! A convex shape is a convex core and a radius around it. The core is given by its corners,
//! counter-clockwise: one for a circle, two for a capsule. All three questions have one answer for
//! all kinds:
//!
//! - A ray enters a core where it first crosses a side or a corner. It enters a shape with a radius
//!   where it first crosses a side that is moved outwards by the radius, or a circle around a
//!   corner.
//! - A moving shape touches another shape where its translation, as a ray from the origin, enters
//!   their Minkowski difference: all differences of a point of the other shape and a point of the
//!   moving one. docs/queries.md has the rule of what stops a motion.
//! - The shortest connection of two cores starts or ends at a corner.
//!
//! Values are not checked.

mod cast;
mod convex;
mod enter;
mod stop;

use convex::Convex;

use std::cmp::Ordering;

use widephase::{
    CastOptions, Contact, Hit, Neighbor, Ray, Touching,
    narrowphase::CastStart,
    reference::{
        placed_shape::PlacedShape,
        whole::{Whole, touches},
    },
    shape::MAX_COORDINATE,
};

use super::whole;

/// Where a ray first touches a shape: of a compound, the first part that it hits. The row is 0.
/// Shapes are closed, whatever the policy.
pub fn hit(shape: &Whole, ray: Ray) -> Option<Hit> {
    let path = enter::Path::of(ray);
    let mut best: Option<(f64, Hit)> = None;
    for (part, body) in (0..u32::MAX).zip(&shape.parts) {
        let Some(mut entry) = path.enter(&Convex::of(body)) else { continue };
        if entry.fraction <= 0.0 {
            // The ray starts in the shape or on its border.
            entry = path.at_start();
        }
        if best.is_none_or(|(fraction, _)| entry.fraction < fraction) {
            best = Some((entry.fraction, record(part, &entry, path.at(entry.fraction))));
        }
    }
    best.map(|(_, hit)| hit)
}

/// `Queries::cast_ray_all`: where a ray first touches each shape that
/// it hits, sorted by fraction, then by row.
pub fn all_hits(shapes: &[Whole], ray: Ray) -> Vec<Hit> {
    let mut hits: Vec<Hit> = (0..u32::MAX)
        .zip(shapes)
        .filter_map(|(row, shape)| Some(Hit { row, ..hit(shape, ray)? }))
        .collect();
    hits.sort_unstable_by(order);
    hits
}

/// `Queries::cast_ray`: the first of [`all_hits`].
pub fn first_hit(shapes: &[Whole], ray: Ray) -> Option<Hit> {
    all_hits(shapes, ray).into_iter().next()
}

/// Where a shape stops `moving` when that moves along `translation`. The row is 0.
///
/// If they touch at the start, the fraction is 0, and point and normal are as in the deepest
/// contact that stops it.
pub fn cast(
    shape: &Whole,
    moving: &Whole,
    translation: [f32; 2],
    options: impl Into<CastOptions>,
) -> Option<Hit> {
    impact(moving, translation, shape, [0.0; 2], options)
}

/// `time_of_impact`: when two shapes that both move stop each
/// other. The row is 0.
pub fn impact(
    a: &Whole,
    by_a: [f32; 2],
    b: &Whole,
    by_b: [f32; 2],
    options: impl Into<CastOptions>,
) -> Option<Hit> {
    let options = options.into();
    let (by_a, other) = (by_a.map(f64::from), by_b.map(f64::from));
    let limit = f64::from(options.max_fraction.min(f32::MAX));
    let direction = convex::minus(by_a, other);
    let motion = stop::Motion {
        path: enter::Path { origin: [0.0; 2], direction, limit, to: None },
        other,
        options,
    };
    let mut at_start: Vec<([u32; 2], stop::Stop)> = Vec::new();
    let mut best: Option<(f64, Hit)> = None;
    for (part_a, own) in (0..u32::MAX).zip(&a.parts) {
        for (part_b, other) in (0..u32::MAX).zip(&b.parts) {
            let Some(stop) = motion.stop(&Convex::of(own), &Convex::of(other)) else { continue };
            let fraction = stop.entry.fraction;
            if fraction == 0.0 {
                at_start.push(([part_a, part_b], stop));
            } else if best.is_none_or(|(least, _)| fraction < least) {
                best = Some((fraction, record(part_b, &stop.entry, stop.point)));
            }
        }
    }
    hit_at_start(a, b, &at_start, &options).or(best.map(|(_, hit)| hit))
}

/// The hit of two shapes of which some parts stop each other at the start: their deepest contact
/// against which the motion leads. If there is no contact, because of a rounding, the first of
/// them.
fn hit_at_start(
    a: &Whole,
    b: &Whole,
    stops: &[([u32; 2], stop::Stop)],
    options: &CastOptions,
) -> Option<Hit> {
    let margin = if options.gap > 0.0 {
        let most = stops.iter().map(|(_, stop)| stop.tolerance()).fold(0.0, f64::max);
        ((f64::from(options.gap) * (1.0 + stop::TOLERANCE) + most) as f32).next_up()
    } else {
        0.0
    };
    let contacts = whole::between(a, b, margin.min(MAX_COORDINATE), Touching::Inclusive);
    let parts = |contact: &Contact| [contact.part_a, contact.part_b];
    let leads = |contact: &Contact| {
        let stop = stops.iter().find(|(stopping, _)| *stopping == parts(contact));
        let normal = contact.normal().to_array().map(f64::from);
        stop.is_some_and(|(_, stop)| options.start == CastStart::Any || stop.leads_along(normal))
    };
    let leading = contacts.iter().copied().filter(leads).collect();
    if let Some(contact) = whole::deepest_of(leading) {
        // The contact's normal points from the moving shape to the other shape.
        return Some(Hit {
            row: 0,
            part: contact.part_b,
            fraction: 0.0,
            x: contact.points()[0].x,
            y: contact.points()[0].y,
            normal_x: 0.0 - contact.normal().x,
            normal_y: 0.0 - contact.normal().y,
        });
    }
    let without = |stopping: &[u32; 2]| contacts.iter().all(|contact| parts(contact) != *stopping);
    let (parts, stop) = stops.iter().find(|(stopping, _)| without(stopping))?;
    Some(record(parts[1], &stop.entry, stop.point))
}

/// `Queries::cast_shape_all`: each shape that stops `moving`, sorted
/// by fraction, then by row.
pub fn all_casts(
    shapes: &[Whole],
    moving: &Whole,
    translation: [f32; 2],
    options: impl Into<CastOptions>,
) -> Vec<Hit> {
    let options = options.into();
    let hit = |shape: &Whole| cast(shape, moving, translation, options);
    let mut hits: Vec<Hit> = (0..u32::MAX)
        .zip(shapes)
        .filter_map(|(row, shape)| Some(Hit { row, ..hit(shape)? }))
        .collect();
    hits.sort_unstable_by(order);
    hits
}

/// `Queries::cast_shape`: the first shape that stops `moving`. Of several shapes at the same
/// fraction, the shape of the smallest row.
pub fn first_cast(
    shapes: &[Whole],
    moving: &Whole,
    translation: [f32; 2],
    options: impl Into<CastOptions>,
) -> Option<Hit> {
    all_casts(shapes, moving, translation, options).into_iter().next()
}

/// The distance of the surfaces of two shapes, computed in `f64` and rounded; 0 if they touch. For
/// compounds, the distance of the nearest parts.
pub fn distance(a: &Whole, b: &Whole) -> f32 {
    let mut nearest = f64::INFINITY;
    for part in &a.parts {
        for other in &b.parts {
            nearest = nearest.min(Convex::of(part).distance(&Convex::of(other)));
        }
    }
    nearest as f32
}

/// `Queries::k_nearest`: the `k` shapes that are nearest to `shape`, at
/// most `max_distance` away: sorted by distance, then by row.
pub fn nearest(shapes: &[Whole], shape: &Whole, k: usize, max_distance: f32) -> Vec<Neighbor> {
    let mut near: Vec<Neighbor> = (0..u32::MAX)
        .zip(shapes)
        .map(|(row, other)| Neighbor { row, distance: distance(shape, other) })
        .filter(|near| near.distance <= max_distance)
        .collect();
    near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
    near.truncate(k);
    near
}

/// `Queries::overlapping`: the rows of the shapes that touch `shape`, in
/// ascending order.
pub fn touching(shapes: &[Whole], shape: &Whole, touching: Touching) -> Vec<u32> {
    (0..u32::MAX)
        .zip(shapes)
        .filter(|(_, other)| touches(shape, other, touching))
        .map(|(row, _)| row)
        .collect()
}

impl Convex {
    fn of(body: &PlacedShape) -> Self {
        let mut corners = body.corners.clone();
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        Self { corners, radius: f64::from(body.radius), sides: Convex::aligned_sides(body) }
    }
}

/// The order of hits: by fraction, then by row, then by part.
fn order(a: &Hit, b: &Hit) -> Ordering {
    let fractions = a.fraction.total_cmp(&b.fraction);
    fractions.then((a.row, a.part).cmp(&(b.row, b.part)))
}

/// The record of an entry into a part, in `f32`. Adding 0 replaces -0 by 0.
fn record(part: u32, entry: &enter::Entry, [x, y]: [f64; 2]) -> Hit {
    let [normal_x, normal_y] = entry.normal;
    Hit {
        row: 0,
        part,
        fraction: entry.fraction as f32 + 0.0,
        x: x as f32 + 0.0,
        y: y as f32 + 0.0,
        normal_x: normal_x as f32 + 0.0,
        normal_y: normal_y as f32 + 0.0,
    }
}
