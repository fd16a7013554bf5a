//! Two polygons, or a polygon and a box.

use super::{
    Answer, SIDE,
    faces::{Face, Sides},
    preference::{explains, is_exchanged, prefers_first_face, tolerance_apart, way_handicap},
    vector::{
        directed_between_corners, dot, in_doubt, left, minus, negative, plus, reach, told_apart,
    },
};
use widephase::reference::placed_shape::{PlacedShape, PlaneVector};

/// The corners of a box, rotated and relative to its centre, and the outward normals of the sides
/// that begin there. They are counter-clockwise from the lower left corner of the unrotated box.
fn box_corners(body: &PlacedShape) -> (Vec<PlaneVector>, Vec<PlaneVector>) {
    let ([cos, sin], [half_x, half_y]) = (body.axis, body.half);
    let width = [cos * half_x, sin * half_x];
    let height = [-sin * half_y, cos * half_y];
    let corner = |right: f32, up: f32| {
        [up * height[0] + right * width[0], up * height[1] + right * width[1]]
    };
    let vertices = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    (vertices, vec![[sin, -cos], [cos, sin], [-sin, cos], [-cos, -sin]])
}

/// Vertices and normals of a polygon, or of a box as a polygon of four vertices.
pub(crate) struct Corners {
    pub vertices: Vec<PlaneVector>,
    pub normals: Vec<PlaneVector>,
}

impl Corners {
    pub(crate) fn of(body: &PlacedShape) -> Self {
        let PlacedShape { vertices, normals, .. } = body;
        let (vertices, normals) = if vertices.is_empty() {
            box_corners(body)
        } else {
            (vertices.clone(), normals.clone())
        };
        Self { vertices, normals }
    }

    /// Returns how far `other` is beyond the side that separates it most, and that side, the first
    /// side if several are equal.
    fn separation(&self, other: &Corners, offset: PlaneVector) -> (f32, usize) {
        let mut best = (f32::MIN, 0);
        for (side, (&vertex, &normal)) in self.vertices.iter().zip(&self.normals).enumerate() {
            let reach = dot(normal, offset) - dot(normal, vertex);
            let products = other.vertices.iter().map(|&vertex| dot(normal, vertex));
            let beyond = products.fold(f32::INFINITY, f32::min) + reach;
            if best.0 < beyond {
                best = (beyond, side);
            }
        }
        best
    }

    /// The incident side for a reference side with this normal. It is one of the two sides at the
    /// vertex that is lowest along the normal: the side whose normal is more opposed. Of several
    /// lowest vertices, the vertex with the most opposed side counts.
    fn against(&self, normal: PlaneVector) -> usize {
        let product = |side: usize| dot(normal, self.normals[side]);
        let mut facing = (f32::MAX, f32::MAX, 0);
        for (behind, &vertex) in self.vertices.iter().enumerate() {
            let before = (behind + self.vertices.len() - 1) % self.vertices.len();
            let side = if product(before) < product(behind) { before } else { behind };
            let height = dot(normal, vertex);
            let (lowest, least, _) = facing;
            if height < lowest || height == lowest && product(side) < least {
                facing = (height, product(side), side);
            }
        }
        facing.2
    }

    /// The nearest side of this polygon, whose centre is at `offset`, and vertex of `other`, whose
    /// centre is at `other_offset`, the first pair if several are equal. Vertices behind a side do
    /// not count for that side. Returns the squared distance, the side and the vertex, and the
    /// least squared distance with vertices behind sides included.
    fn nearest(
        &self,
        offset: PlaneVector,
        other: &Corners,
        other_offset: PlaneVector,
    ) -> (f32, usize, usize, f32) {
        let mut nearest = (f32::MAX, 0, 0);
        let mut least = f32::MAX;
        for side in 0..self.vertices.len() {
            let face = self.face(side, 0.0).moved(offset);
            for (number, &vertex) in other.vertices.iter().enumerate() {
                let (length2, counts) = face.distance_to(plus(vertex, other_offset));
                if counts && length2 < nearest.0 {
                    nearest = (length2, side, number);
                }
                least = least.min(length2);
            }
        }
        let (counted2, side, vertex) = nearest;
        (counted2, side, vertex, least)
    }

    /// How far a point is beyond the side that it is furthest beyond.
    fn beyond(&self, point: PlaneVector) -> f32 {
        let sides = self.vertices.iter().zip(&self.normals);
        sides.map(|(&vertex, &normal)| dot(normal, minus(point, vertex))).fold(f32::MIN, f32::max)
    }

    pub(crate) fn face(&self, side: usize, radius: f32) -> Face {
        let next = (side + 1) % self.vertices.len();
        let (start, end) = (self.vertices[side], self.vertices[next]);
        let tangent = left(self.normals[side]);
        Face {
            start,
            end,
            tangent,
            length: dot(minus(end, start), tangent),
            number: SIDE + side as u16,
            start_vertex: side as u16,
            end_vertex: next as u16,
            radius,
        }
    }
}

/// Two polygons, or a polygon and a box: the separating axis test over the normals of all sides.
///
/// Gottschalk, "Separating axis theorem", 1996; Ericson, Real-Time Collision Detection, 5.2.1.
/// Rounded by a few parts in 2^24 of the sizes and the distance. O(n m) time.
pub(crate) fn polygons(a: &PlacedShape, b: &PlacedShape, margin: f32) -> Answer {
    let (own, other) = (Corners::of(a), Corners::of(b));
    let offset = minus(b.center, a.center);
    let (first, first_side) = own.separation(&other, offset);
    let (second, second_side) = other.separation(&own, negative(offset));
    let separation = first.max(second);
    let faces = [own.face(first_side, a.radius), other.face(second_side, b.radius).moved(offset)];
    let preferred = prefers_first_face(&faces[0], &faces[1]);
    let lengths = faces.map(|face| face.length);
    let tolerance = tolerance_apart(separation, a.radius + b.radius, lengths, offset);
    let exchanged = is_exchanged([first, second], preferred, separation, tolerance, offset);
    let mut reference = faces[usize::from(exchanged)];
    let (mut exchanged, mut gap) = (exchanged, None);
    let mut distance = if exchanged { second } else { first };
    let reached = separation <= reach([a.center, b.center], offset, a.radius + b.radius, margin);
    if reached && (0.0 < separation || in_doubt(separation, offset)) {
        // The polygons are apart, but perhaps within reach. Find the side and the vertex that are
        // nearest to each other.
        let origin = [0.0; 2];
        let from_a = own.nearest(origin, &other, offset);
        let from_b = other.nearest(offset, &own, origin);
        let is_second = from_b.0 < from_a.0 * way_handicap(preferred);
        let least2 = from_a.3.min(from_b.3);
        let apart = told_apart(separation, least2, offset) > 0.0;
        let (face, point, vertex) = if is_second {
            let (_, side, vertex, _) = from_b;
            (other.face(side, b.radius).moved(offset), own.vertices[vertex], vertex)
        } else {
            let (_, side, vertex, _) = from_a;
            (own.face(side, a.radius), plus(other.vertices[vertex], offset), vertex)
        };
        let way = face.gap_to(point, vertex as u16);
        // A vector that consists of rounding errors does not show which of two sides it begins at.
        // Neither does a longer vector, if roundings have put the vertex of the shortest vector
        // behind its side.
        let shortest = from_a.0.min(from_b.0) <= least2 * 1.0625;
        let long = directed_between_corners(way.way, way.length2, offset).0.is_some();
        if apart && long && shortest {
            if way.from.is_none() {
                gap = Some(way);
                if !explains(distance, least2, tolerance) {
                    exchanged = is_second;
                    reference = face;
                    distance = dot(way.way, face.normal());
                }
            } else {
                // From corner to corner, the reference side remains the side that separates the
                // polygons most.
                gap = Some(if is_second == exchanged { way } else { way.reversed() });
            }
        }
    }
    let incident = if exchanged {
        own.face(own.against(reference.normal()), a.radius)
    } else {
        other.face(other.against(reference.normal()), b.radius).moved(offset)
    };
    let straight_on = false;
    let mut sides = Sides { reference, incident, gap, distance, exchanged, offset, straight_on };
    if gap.is_none_or(|gap| gap.from.is_none())
        && let Some([below, above]) = sides.places_beside()
    {
        // The sides are beside each other: use the point that is less far outside.
        sides.straight_on = if exchanged {
            other.beyond(minus(below, offset)) < own.beyond(above)
        } else {
            own.beyond(below) < other.beyond(minus(above, offset))
        };
    }
    let answer = sides.answer(margin);
    Answer { depth: if reached { answer.depth } else { f32::MIN }, ..answer }
}
