//! Sides of convex cores: the reference side, the incident side, and the points where they touch.

use super::{
    Answer, Spot,
    vector::{directed_between_corners, dot, middle, minus, negative, plus, right, times},
};
use widephase::reference::placed_shape::PlaneVector;

/// A side of a core. The core lies to its left.
#[derive(Clone, Copy)]
pub(crate) struct Face {
    pub start: PlaneVector,
    pub end: PlaneVector,
    pub tangent: PlaneVector,
    pub length: f32,
    pub number: u16,
    pub start_vertex: u16,
    pub end_vertex: u16,
    pub radius: f32,
}

/// The shortest vector between two sides.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    pub way: PlaneVector,
    pub length2: f32,
    /// If the vector runs from vertex to vertex: where it begins.
    pub from: Option<PlaneVector>,
    pub vertices: [u16; 2],
}

impl Face {
    pub(crate) fn normal(&self) -> PlaneVector {
        right(self.tangent)
    }

    pub(crate) fn moved(self, by: PlaneVector) -> Self {
        Self { start: plus(self.start, by), end: plus(self.end, by), ..self }
    }

    /// Returns the vector to a point from the nearer end, whether that is the last end, and how far
    /// the point is beyond that end along the side.
    fn seen_from_end(&self, point: PlaneVector) -> (PlaneVector, bool, f32) {
        let (from_start, from_end) = (minus(point, self.start), minus(point, self.end));
        let before_start = -dot(from_start, self.tangent);
        let behind_end = dot(from_end, self.tangent);
        if before_start < behind_end {
            (from_end, true, behind_end)
        } else {
            (from_start, false, before_start)
        }
    }

    /// The shortest vector to a point: the vector, its squared length, and the end where it begins,
    /// if it begins at an end. Rounded relative to the distance of the point from the nearer end.
    pub(crate) fn way_to(
        &self,
        point: PlaneVector,
    ) -> (PlaneVector, f32, Option<(PlaneVector, u16)>) {
        let (from, at_end, beyond) = self.seen_from_end(point);
        let inside = beyond.min(0.0);
        let onto = if at_end { inside } else { -inside };
        let way = minus(from, times(self.tangent, onto));
        let end =
            if at_end { (self.end, self.end_vertex) } else { (self.start, self.start_vertex) };
        (way, dot(way, way), (beyond > 0.0).then_some(end))
    }

    /// The squared distance of a point from the side, and whether the point is on or above its
    /// line, or nearest to an end.
    pub(crate) fn distance_to(&self, point: PlaneVector) -> (f32, bool) {
        let (from, _, beyond) = self.seen_from_end(point);
        let (beside, height) = (beyond.max(0.0), dot(from, self.normal()));
        (height * height + beside * beside, height >= 0.0 || beyond > 0.0)
    }

    /// The shortest vector to a vertex of another side.
    pub(crate) fn gap_to(&self, point: PlaneVector, number: u16) -> Gap {
        let (way, length2, end) = self.way_to(point);
        let vertices = [end.map_or(self.end_vertex, |(_, vertex)| vertex), number];
        Gap { way, length2, from: end.map(|(at, _)| at), vertices }
    }

    /// The shortest vector to another side that this side does not cross. It begins or ends at one
    /// of the four vertices. Of several equal vectors, it is the first, with vertices of `incident`
    /// before own vertices.
    pub(crate) fn gap(&self, incident: &Face) -> Gap {
        let shorter = |a: Gap, b: Gap| if b.length2 < a.length2 { b } else { a };
        let there = shorter(
            self.gap_to(incident.start, incident.start_vertex),
            self.gap_to(incident.end, incident.end_vertex),
        );
        let back = shorter(
            incident.gap_to(self.start, self.start_vertex),
            incident.gap_to(self.end, self.end_vertex),
        );
        shorter(there, back.reversed())
    }
}

impl Gap {
    /// The same gap, seen from the other side.
    pub(crate) fn reversed(self) -> Self {
        let [own, other] = self.vertices;
        Self {
            way: negative(self.way),
            from: self.from.map(|from| plus(from, self.way)),
            vertices: [other, own],
            ..self
        }
    }
}

/// The side that separates two shapes most, and the side of the other shape that faces it.
pub(crate) struct Sides {
    pub reference: Face,
    pub incident: Face,
    /// The shortest vector between the cores, if they are apart and within reach.
    pub gap: Option<Gap>,
    /// The distance of the cores along the normal of the reference side.
    pub distance: f32,
    /// Whether the reference side belongs to the second shape.
    pub exchanged: bool,
    pub offset: PlaneVector,
    /// If the incident side is beside the reference side: whether its deeper vertex is the point,
    /// and not the end of the reference side.
    pub straight_on: bool,
}

/// The incident side relative to the reference side: the position and the height of its ends.
struct Stretch {
    /// The start. Sides run counter-clockwise, so the incident side runs against the reference
    /// side.
    far: [f32; 2],
    near: [f32; 2],
    /// The ends of the part above the reference side.
    last: f32,
    first: f32,
}

impl Sides {
    /// The height of the middle between the surfaces above the reference side.
    fn height(&self, distance: f32) -> f32 {
        middle(distance, self.reference.radius, self.incident.radius)
    }

    /// Computes the contact points from the sides.
    ///
    /// Cores that are apart from corner to corner touch along the line between the corners. All
    /// other cores touch along the reference side: the incident side is clipped at the ends of the
    /// reference side (Catto, "Contact Manifolds", GDC 2007). If the sides at such corners are
    /// nearly parallel, the other end is a second point.
    pub(crate) fn answer(&self, margin: f32) -> Answer {
        let Self { reference, incident, gap, distance, exchanged, offset, .. } = self;
        let radius = reference.radius + incident.radius;
        let corners = gap.and_then(|gap| {
            let (direction, length) = directed_between_corners(gap.way, gap.length2, *offset);
            let between = dot(gap.way, reference.tangent).abs();
            Some((gap.from?, gap.vertices[1], direction?, length, between))
        });
        let stretch = self.stretch();
        let two = (stretch.first < stretch.last).then(|| self.ends(&stretch));
        let (normal, depth, mut spots) = match corners {
            Some((from, vertex, direction, length, between)) => {
                let depth = radius - length;
                let at = plus(from, times(direction, self.height(length)));
                let mut spots = vec![Spot { at, depth, features: [reference.number, vertex] }];
                if let Some([first, last]) = two
                    && dot(direction, reference.normal()) > 0.998
                    && between * 1.5 < stretch.last - stretch.first
                {
                    let from_start = dot(minus(from, reference.start), reference.tangent);
                    let at_start = from_start < reference.length - from_start;
                    let away = if at_start { last } else { first };
                    let away = self.spot(away);
                    spots.push(Spot { depth: away.depth.min(depth), ..away });
                }
                (direction, depth, spots)
            }
            None => {
                let spots = match two {
                    Some([first, last]) => {
                        let [deeper, other] =
                            if first[1] < last[1] { [first, last] } else { [last, first] };
                        vec![self.spot(deeper), self.spot(other)]
                    }
                    None => vec![self.spot(self.single(&stretch))],
                };
                (reference.normal(), radius - distance, spots)
            }
        };
        if let [_, other] = spots[..]
            && other.depth < -margin
        {
            spots.pop();
        }
        let normal = if *exchanged { negative(normal) } else { normal };
        if *exchanged {
            for spot in &mut spots {
                spot.features.reverse();
            }
        }
        Answer { normal, depth, spots }
    }

    fn stretch(&self) -> Stretch {
        let Self { reference, incident, .. } = self;
        let (normal, tangent) = (reference.normal(), reference.tangent);
        let [far, near] = [incident.start, incident.end].map(|end| {
            let from_start = minus(end, reference.start);
            [dot(from_start, tangent), dot(from_start, normal)]
        });
        Stretch { far, near, last: far[0].min(reference.length), first: near[0].max(0.0) }
    }

    /// The ends of the incident side, clipped to the reference side: position along it, height, and
    /// incident vertex number.
    fn ends(&self, stretch: &Stretch) -> [[f32; 3]; 2] {
        let Self { reference: Face { length, .. }, incident, .. } = self;
        let Stretch { far: [far, far_height], near: [near, near_height], last, first } = *stretch;
        let span = (far - near).max(f32::MIN_POSITIVE);
        let cut =
            |along: f32| near_height + (far_height - near_height) * (along / span).clamp(0.0, 1.0);
        let first_height = if near < 0.0 { cut(-near) } else { near_height };
        let last_height = if *length < far { cut(length - near) } else { far_height };
        [
            [first, first_height, f32::from(incident.end_vertex)],
            [last, last_height, f32::from(incident.start_vertex)],
        ]
    }

    /// The point if the incident side is beside the reference side: its deeper vertex, or of two
    /// equally deep vertices the nearer.
    fn single(&self, stretch: &Stretch) -> [f32; 3] {
        let Self { reference: Face { length, .. }, incident, straight_on, .. } = self;
        let Stretch { far: [far, far_height], near: [near, near_height], .. } = *stretch;
        let level = near_height <= far_height && *length <= near;
        let (along, height, vertex) = if near_height < far_height || level {
            (near, near_height, incident.end_vertex)
        } else {
            (far, far_height, incident.start_vertex)
        };
        let end = along.max(0.0).min(*length);
        [if *straight_on { along } else { end }, height, f32::from(vertex)]
    }

    /// Two candidates for the point if the incident side is beside the reference side: below the
    /// deeper vertex, and above the end of the reference side.
    pub(crate) fn places_beside(&self) -> Option<[PlaneVector; 2]> {
        let Self { reference, .. } = self;
        let stretch = self.stretch();
        if stretch.first < stretch.last {
            return None;
        }
        let [end, height, _] = Self { straight_on: false, ..*self }.single(&stretch);
        let [along, ..] = Self { straight_on: true, ..*self }.single(&stretch);
        let below = plus(reference.start, times(reference.tangent, along));
        let above = plus(reference.start, times(reference.tangent, end));
        Some([below, plus(above, times(reference.normal(), height))])
    }

    fn spot(&self, [along, height, vertex]: [f32; 3]) -> Spot {
        let Self { reference, incident, .. } = self;
        let foot = plus(reference.start, times(reference.tangent, along));
        let at = plus(foot, times(reference.normal(), self.height(height)));
        let depth = (reference.radius + incident.radius) - height;
        Spot { at, depth, features: [reference.number, vertex as u16] }
    }
}
