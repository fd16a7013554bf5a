//! Sides of convex cores: the one that separates them most, and where they touch along it.

use super::{
    Answer, Spot,
    vector::{
        directed_between_corners, dot, middle, minus, negative, plus, right, scale, times, within,
    },
};
use crate::reference::body::Vector;

/// A side of a core; the core lies to its left.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub(super) start: Vector,
    pub(super) end: Vector,
    pub(super) tangent: Vector,
    pub(super) length: f32,
    pub(super) number: u16,
    pub(super) start_vertex: u16,
    pub(super) end_vertex: u16,
    pub(super) radius: f32,
}

/// The shortest way between two sides.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    pub(super) way: Vector,
    pub(super) length2: f32,
    /// If it is one from vertex to vertex: where it begins.
    pub(super) from: Option<Vector>,
    pub(super) vertices: [u16; 2],
}

impl Face {
    pub(super) fn normal(&self) -> Vector {
        right(self.tangent)
    }

    pub(super) fn moved(self, by: Vector) -> Self {
        Self { start: plus(self.start, by), end: plus(self.end, by), ..self }
    }

    /// The way to a point from the end that it is nearer to; whether that is the last one; and how far
    /// beyond it the point is, along the side.
    fn seen_from_end(&self, point: Vector) -> (Vector, bool, f32) {
        let (from_start, from_end) = (minus(point, self.start), minus(point, self.end));
        let before_start = -dot(from_start, self.tangent);
        let behind_end = dot(from_end, self.tangent);
        if before_start < behind_end {
            (from_end, true, behind_end)
        } else {
            (from_start, false, before_start)
        }
    }

    /// The way to a point: the way, its length squared, and the end it begins at, if it does at one. Rounded
    /// relative to how far the point is from the nearer end.
    pub(super) fn way_to(&self, point: Vector) -> (Vector, f32, Option<(Vector, u16)>) {
        let (from, at_end, beyond) = self.seen_from_end(point);
        let inside = beyond.min(0.0);
        let onto = if at_end { inside } else { -inside };
        let way = minus(from, times(self.tangent, onto));
        let end =
            if at_end { (self.end, self.end_vertex) } else { (self.start, self.start_vertex) };
        (way, dot(way, way), (beyond > 0.0).then_some(end))
    }

    /// How far a point is from the side, squared, and whether it is above its line, or nearest to an end.
    pub(super) fn distance_to(&self, point: Vector) -> (f32, bool) {
        let (from, _, beyond) = self.seen_from_end(point);
        let (beside, height) = (beyond.max(0.0), dot(from, self.normal()));
        (height * height + beside * beside, height >= 0.0 || beyond > 0.0)
    }

    /// The shortest way to a vertex of another side.
    pub(super) fn gap_to(&self, point: Vector, number: u16) -> Gap {
        let (way, length2, end) = self.way_to(point);
        let vertices = [end.map_or(self.end_vertex, |(_, vertex)| vertex), number];
        Gap { way, length2, from: end.map(|(at, _)| at), vertices }
    }

    /// The shortest way to another side that this one does not cross: it begins or ends at one of the
    /// four vertices. Of several the first, incident ones before own ones.
    pub(super) fn gap(&self, incident: &Face) -> Gap {
        let shorter = |a: Gap, b: Gap| if b.length2 < a.length2 { b } else { a };
        let there = shorter(
            self.gap_to(incident.start, incident.start_vertex),
            self.gap_to(incident.end, incident.end_vertex),
        );
        let back = shorter(
            incident.gap_to(self.start, self.start_vertex),
            incident.gap_to(self.end, self.end_vertex),
        );
        let [incident_vertex, own_vertex] = back.vertices;
        let back = Gap {
            way: negative(back.way),
            from: back.from.map(|from| plus(from, back.way)),
            vertices: [own_vertex, incident_vertex],
            ..back
        };
        shorter(there, back)
    }
}

/// Which side of the two shapes separates them most, and the side of the other that faces it.
pub(super) struct Sides {
    pub(super) reference: Face,
    pub(super) incident: Face,
    /// The shortest way between the cores, where they are apart and may reach each other.
    pub(super) gap: Option<Gap>,
    /// The square of their distance there: the same, but for roundings. Elsewhere 0.
    pub(super) length2: f32,
    /// How far the cores are apart along a side of either, at most.
    pub(super) separation: f32,
    /// How far along the reference side.
    pub(super) distance: f32,
    /// Whether the reference side is the second shape's.
    pub(super) exchanged: bool,
    pub(super) offset: Vector,
}

/// Whether the second shape's side is the reference side, given what the best sides of both are worth:
/// if that is more, and of shapes that overlap, by more than a 2^15th of the distance of the centres, so
/// that shapes at rest keep their features; of shapes that are apart, by more than roundings.
pub(super) fn is_exchanged(merits: [f32; 2], separation: f32, offset: Vector) -> bool {
    let share = if separation > 0.0 { 1.0 / (1 << 20) as f32 } else { 1.0 / (1 << 15) as f32 };
    merits[0] + scale(offset) * share < merits[1]
}

impl Sides {
    /// How far above the reference side the middle between the surfaces is.
    fn height(&self, distance: f32) -> f32 {
        middle(distance, self.reference.radius, self.incident.radius)
    }

    /// From the sides to the points.
    ///
    /// Cores apart from corner to corner touch along the line between the corners. All others touch along
    /// the reference side: the incident side is cut off where that begins and where it ends (Catto,
    /// "Contact Manifolds", GDC 2007).
    pub(super) fn answer(&self, margin: f32, inclusive: bool) -> Answer {
        let Self { reference, incident, gap, length2, separation, distance, exchanged, offset } =
            self;
        let radius = reference.radius + incident.radius;
        let touching = within(*separation, *length2, radius, inclusive);

        let corners = gap.and_then(|gap| {
            let (direction, length) = directed_between_corners(gap.way, gap.length2, *offset);
            Some((gap.from?, gap.vertices, direction?, length))
        });
        let (normal, depth, mut spots) = match corners {
            Some((from, features, direction, length)) => {
                let depth = radius - length;
                let at = plus(from, times(direction, self.height(length)));
                (direction, depth, vec![Spot { at, depth, features }])
            }
            None => (reference.normal(), radius - distance, self.clipped(margin)),
        };
        let normal = if *exchanged { negative(normal) } else { normal };
        if *exchanged {
            for spot in &mut spots {
                spot.features.reverse();
            }
        }
        Answer { touching, normal, depth, spots }
    }

    fn clipped(&self, margin: f32) -> Vec<Spot> {
        let Self { reference, incident, .. } = self;
        let radius = reference.radius + incident.radius;
        let (normal, tangent) = (reference.normal(), reference.tangent);
        // Sides run counter-clockwise, so the incident one runs against the reference one.
        let from = minus(incident.start, reference.start);
        let to = minus(incident.end, reference.start);
        let (far, near) = (dot(from, tangent), dot(to, tangent));
        let (far_height, near_height) = (dot(from, normal), dot(to, normal));
        let slope = (far_height - near_height) / (far - near).max(f32::MIN_POSITIVE);

        let spot = |along: f32, height: f32, features: [u16; 2]| {
            let foot = plus(reference.start, times(tangent, along));
            let at = plus(foot, times(normal, self.height(height)));
            Spot { at, depth: radius - height, features }
        };
        let (first, last) = (near.max(0.0), far.min(reference.length));
        if first < last {
            let (last_height, last_features) = if reference.length < far {
                let height = near_height + (reference.length - near) * slope;
                (height, [reference.end_vertex, incident.number])
            } else {
                (far_height, [reference.number, incident.start_vertex])
            };
            let (first_height, first_features) = if near < 0.0 {
                (near_height - near * slope, [reference.start_vertex, incident.number])
            } else {
                (near_height, [reference.number, incident.end_vertex])
            };
            let first = spot(first, first_height, first_features);
            let last = spot(last, last_height, last_features);
            let [deeper, other] =
                if first_height < last_height { [first, last] } else { [last, first] };
            return if -margin <= other.depth { vec![deeper, other] } else { vec![deeper] };
        }
        // The incident side is beside the reference side: its deeper vertex stands for it, or of two as
        // deep, the one that is nearer.
        let level = near_height <= far_height && reference.length <= near;
        let (along, height, vertex) = if near_height < far_height || level {
            (near, near_height, incident.end_vertex)
        } else {
            (far, far_height, incident.start_vertex)
        };
        let along = along.max(0.0).min(reference.length);
        vec![spot(along, height, [reference.number, vertex])]
    }
}
