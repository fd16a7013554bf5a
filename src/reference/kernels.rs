//! The tests of two single shapes, one function each: do they touch, in which direction, how deep and
//! where.
//!
//! Everything is `f32`, in written order, each operation rounded, no fused multiply-add; lengths are
//! square roots. The first shape is at the origin: the [`Answer`] is seen from its centre (of
//! axis-aligned shapes: from the lower left corner of its core), so that roundings go with the sizes
//! and the distance of the shapes and not with their coordinates.

use super::body::{Body, Class, Vector};

/// Added to the number of a side, to tell it from that of a vertex.
pub const SIDE: u16 = 1 << 15;

/// What a test finds, whether or not the shapes touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the shapes touch.
    pub touching: bool,
    /// From the first to the second, of length 1.
    pub normal: Vector,
    /// How deep they overlap along the normal; below 0, how far they are apart: the least number where
    /// that is more than the margin, and nothing else is known.
    pub depth: f32,
    /// One point or two, the deeper one first; none out of reach.
    pub spots: Vec<Spot>,
}

impl Answer {
    /// Of shapes that a side keeps further apart than the margin: how far, nobody has looked.
    const OUT_OF_REACH: Self =
        Self { touching: false, normal: [1.0, 0.0], depth: f32::MIN, spots: Vec::new() };
}

/// A point at which shapes touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Half way between the surfaces.
    pub at: Vector,
    /// How deep the shapes overlap there.
    pub depth: f32,
    /// What of the first and of the second touches: a vertex, or [`SIDE`] and the number of a side.
    pub features: [u16; 2],
}

// ---------------------------------------------------------------- vectors

fn plus(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

fn times(a: Vector, factor: f32) -> Vector {
    [a[0] * factor, a[1] * factor]
}

fn negative(a: Vector) -> Vector {
    [-a[0], -a[1]]
}

fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// A quarter turn counter-clockwise.
fn left(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// A quarter turn clockwise.
fn right(a: Vector) -> Vector {
    [a[1], -a[0]]
}

fn turned([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [cos * x - sin * y, sin * x + cos * y]
}

fn turned_back([x, y]: Vector, [cos, sin]: Vector) -> Vector {
    [cos * x + sin * y, cos * y - sin * x]
}

/// How far centres are apart, roughly: what small distances are compared with.
fn scale(offset: Vector) -> f32 {
    offset[0].abs() + offset[1].abs()
}

/// The direction and the length of a way whose length squared is `length2`; no direction below 2^-50,
/// where squares lose the bits that it is made of.
fn directed(way: Vector, length2: f32) -> (Option<Vector>, f32) {
    let length = length2.sqrt();
    let known = length2 >= 1.0 / (1_u128 << 100) as f32;
    (known.then(|| [way[0] / length, way[1] / length]), length)
}

/// The same between corners of shapes whose centres are `offset` apart: no direction where the way is
/// no longer than a 2^16th of that, and made of roundings.
fn directed_between_corners(way: Vector, length2: f32, offset: Vector) -> (Option<Vector>, f32) {
    let (direction, length) = directed(way, length2);
    let long = scale(offset) * (1.0 / (1 << 16) as f32) < length;
    (direction.filter(|_| long), length)
}

/// Where cores that no side separates may still be apart, because what separates them is lost in roundings: ahead
/// of a sharp tip, all sides are nearly along the way to it.
fn in_doubt(separation: f32, offset: Vector) -> bool {
    -(scale(offset) * (1.0 / (1 << 18) as f32)) < separation && separation <= 0.0
}

/// The separation of such cores: above 0 where they are apart, given how far vertices are from sides at least, squared.
/// Cores that overlap by a little have some that are as near. What a side separates is as far apart as it says.
fn told_apart(separation: f32, length2: f32, offset: Vector) -> f32 {
    let least = -separation * 4.0 + scale(offset) * (1.0 / (1 << 21) as f32);
    let apart = separation <= 0.0 && least * least < length2;
    if apart { f32::MIN_POSITIVE } else { separation }
}

/// How far above the first core the middle between the surfaces is, the second being `distance` above.
fn middle(distance: f32, own: f32, other: f32) -> f32 {
    0.5 * ((distance + own) - other)
}

/// Whether cores with this separation along one normal and this squared distance (0 where the
/// separation is not above 0) touch with the sum of radii `radius` around them.
fn within(separation: f32, length2: f32, radius: f32, inclusive: bool) -> bool {
    if inclusive {
        separation <= 0.0 || (separation <= radius && length2 <= radius * radius)
    } else {
        separation < 0.0 || (separation <= radius && length2 < radius * radius)
    }
}

// ---------------------------------------------------------------- circles

/// Two circles: the distance of the centres against the sum of the radii.
///
/// The normal is the way between the centres; (+1, 0) where there is none. The decision is that of
/// [`contract::overlap`](super::contract::overlap). The length is rounded four times.
pub fn circles(a: &Body, b: &Body, inclusive: bool) -> Answer {
    let offset = minus(b.center, a.center);
    let radius = a.radius + b.radius;
    let length2 = dot(offset, offset);
    let widest = offset[0].abs().max(offset[1].abs());
    let touching = if inclusive {
        length2 <= radius * radius && widest <= radius
    } else {
        length2 < radius * radius
    };
    let (direction, length) = directed(offset, length2);
    let normal = direction.unwrap_or([1.0, 0.0]);
    let depth = radius - length;
    let at = times(normal, middle(length, a.radius, b.radius));
    Answer { touching, normal, depth, spots: vec![Spot { at, depth, features: [0, 0] }] }
}

// ---------------------------------------------------------------- axis-aligned

/// How two intervals lie to each other.
struct Axis {
    /// How far apart; below 0, how far to move one to be beside the other.
    gap: f32,
    /// Whether the second is, or is to be moved, upwards.
    forward: bool,
    /// What both cover, seen from the lower end of the first.
    low: f32,
    high: f32,
    /// Whether the first ends there, and not the second.
    first_low: bool,
    first_high: bool,
    width: f32,
}

impl Axis {
    fn new([a_min, a_max]: [f32; 2], [b_min, b_max]: [f32; 2]) -> Self {
        let (after, before) = (b_min - a_max, a_min - b_max);
        let width = a_max - a_min;
        Self {
            gap: after.max(before),
            forward: before < after,
            low: (b_min - a_min).max(0.0),
            high: (b_max - a_min).min(width),
            first_low: b_min <= a_min,
            first_high: a_max <= b_max,
            width,
        }
    }

    fn sign(&self) -> f32 {
        if self.forward { 1.0 } else { -1.0 }
    }

    /// Where the first ends towards the second.
    fn side(&self) -> f32 {
        if self.forward { self.width } else { 0.0 }
    }
}

/// The vertex of a box on the right or left, upper or lower side.
fn vertex(right: bool, upper: bool) -> u16 {
    match (right, upper) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}

/// The side of a box that looks up, down, right or left.
fn side(upright: bool, right: bool, upper: bool) -> u16 {
    SIDE + match (upright, right, upper) {
        (true, _, false) => 0,
        (false, true, _) => 1,
        (true, _, true) => 2,
        (false, false, _) => 3,
    }
}

/// Two axis-aligned shapes, the first a box: the gap between the cores along x and along y.
///
/// Apart along both axes, they touch from corner to corner, along the line between the corners. All
/// others touch along the axis of which less is missing for them to be apart (of several: left, right,
/// below, above), at the two ends of what both cover of that side. The decision is that of
/// [`contract::overlap`](super::contract::overlap); depths along an axis are rounded twice.
pub fn axis_aligned(a: &Body, b: &Body, inclusive: bool) -> Answer {
    let (own, other) = (a.bounds, b.bounds);
    let x = Axis::new([own.min_x, own.max_x], [other.min_x, other.max_x]);
    let y = Axis::new([own.min_y, own.max_y], [other.min_y, other.max_y]);
    let radius = a.radius + b.radius;
    let beyond = [x.gap.max(0.0), y.gap.max(0.0)];
    let (length2, widest) = (dot(beyond, beyond), x.gap.max(y.gap));
    let touching = if inclusive {
        length2 <= radius * radius && widest <= radius
    } else {
        length2 < radius * radius || widest < 0.0
    };

    let both = x.gap > 0.0 && y.gap > 0.0;
    let (direction, length) = directed([x.gap * x.sign(), y.gap * y.sign()], length2);
    if let Some(normal) = direction.filter(|_| both) {
        let depth = radius - length;
        let up = times(normal, middle(length, a.radius, b.radius));
        let at = plus([x.side(), y.side()], up);
        let features = [vertex(x.forward, y.forward), vertex(!x.forward, !y.forward)];
        let spots = vec![Spot { at, depth, features }];
        return without_sides(Answer { touching, normal, depth, spots }, b);
    }

    let upright = x.gap < y.gap;
    let normal = if upright { [0.0, y.sign()] } else { [x.sign(), 0.0] };
    let depth = radius - widest;
    let up = times(normal, middle(widest, a.radius, b.radius));
    let spot = |at: f32, upper: bool, first: bool| {
        let foot = if upright { [at, y.side()] } else { [x.side(), at] };
        // Where a core ends, its vertex; the other's side.
        let corner = |towards: bool| {
            if upright { vertex(upper, towards) } else { vertex(towards, upper) }
        };
        let (own, other) = if upright { (y.forward, !y.forward) } else { (x.forward, !x.forward) };
        let sides = [side(upright, own, own), side(upright, other, other)];
        let features = if first { [corner(own), sides[1]] } else { [sides[0], corner(other)] };
        Spot { at: plus(foot, up), depth, features }
    };
    let along = if upright { &x } else { &y };
    let low = spot(along.low, false, along.first_low);
    let high = spot(along.high, true, along.first_high);
    let spots = if along.low < along.high { vec![low, high] } else { vec![low] };
    without_sides(Answer { touching, normal, depth, spots }, b)
}

/// A circle has no features but vertex 0.
fn without_sides(mut answer: Answer, b: &Body) -> Answer {
    if b.class == Class::Round {
        for spot in &mut answer.spots {
            spot.features[1] = 0;
        }
    }
    answer
}

// ---------------------------------------------------------------- box and circle

/// A turned box and a circle: the circle is turned back into the frame of the box.
///
/// The normal is that of the nearest side, or the way from the nearest corner. A centre within the box
/// leaves it through the nearest side; of several, left, right, lower, upper. Turning back rounds by a
/// few parts in 2^24 of the distance of the centres.
pub fn box_circle(a: &Body, b: &Body, inclusive: bool) -> Answer {
    let offset = minus(b.center, a.center);
    let radius = a.radius + b.radius;
    let center = turned_back(offset, a.axis);
    let gap = [center[0].abs() - a.half[0], center[1].abs() - a.half[1]];
    let beyond = [gap[0].max(0.0), gap[1].max(0.0)];
    let (length2, widest) = (dot(beyond, beyond), gap[0].max(gap[1]));
    let touching = if inclusive {
        length2 <= radius * radius && widest <= radius
    } else {
        length2 < radius * radius || widest < 0.0
    };

    let (is_right, is_above) = (center[0] > 0.0, center[1] > 0.0);
    let sign = |positive: bool| if positive { 1.0 } else { -1.0 };
    let both = gap[0] > 0.0 && gap[1] > 0.0;
    let way = [beyond[0] * sign(is_right), beyond[1] * sign(is_above)];
    let (direction, length) = directed(way, length2);
    let (normal, distance, feature) = match direction.filter(|_| both) {
        Some(direction) => (direction, length, vertex(is_right, is_above)),
        None => {
            let upright = gap[0] < gap[1];
            let normal = if upright { [0.0, sign(is_above)] } else { [sign(is_right), 0.0] };
            (normal, widest, side(upright, is_right, is_above))
        }
    };
    let normal = turned(normal, a.axis);
    let depth = radius - distance;
    let above = middle(distance, a.radius, b.radius) - distance;
    let at = plus(offset, times(normal, above));
    Answer { touching, normal, depth, spots: vec![Spot { at, depth, features: [feature, 0] }] }
}

// ---------------------------------------------------------------- sides of convex cores

/// A side of a core; the core lies to its left.
#[derive(Clone, Copy)]
struct Face {
    start: Vector,
    end: Vector,
    tangent: Vector,
    length: f32,
    number: u16,
    start_vertex: u16,
    end_vertex: u16,
    radius: f32,
}

/// The shortest way between two sides.
#[derive(Clone, Copy)]
struct Gap {
    way: Vector,
    length2: f32,
    /// If it is one from vertex to vertex: where it begins.
    from: Option<Vector>,
    vertices: [u16; 2],
}

impl Face {
    fn normal(&self) -> Vector {
        right(self.tangent)
    }

    fn moved(self, by: Vector) -> Self {
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
    fn way_to(&self, point: Vector) -> (Vector, f32, Option<(Vector, u16)>) {
        let (from, at_end, beyond) = self.seen_from_end(point);
        let inside = beyond.min(0.0);
        let onto = if at_end { inside } else { -inside };
        let way = minus(from, times(self.tangent, onto));
        let end =
            if at_end { (self.end, self.end_vertex) } else { (self.start, self.start_vertex) };
        (way, dot(way, way), (beyond > 0.0).then_some(end))
    }

    /// How far a point is from the side, squared, and whether it is above its line, or nearest to an end.
    fn distance_to(&self, point: Vector) -> (f32, bool) {
        let (from, _, beyond) = self.seen_from_end(point);
        let (beside, height) = (beyond.max(0.0), dot(from, self.normal()));
        (height * height + beside * beside, height >= 0.0 || beyond > 0.0)
    }

    /// The shortest way to a vertex of another side.
    fn gap_to(&self, point: Vector, number: u16) -> Gap {
        let (way, length2, end) = self.way_to(point);
        let vertices = [end.map_or(self.end_vertex, |(_, vertex)| vertex), number];
        Gap { way, length2, from: end.map(|(at, _)| at), vertices }
    }

    /// The shortest way to another side that this one does not cross: it begins or ends at one of the
    /// four vertices. Of several the first, incident ones before own ones.
    fn gap(&self, incident: &Face) -> Gap {
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
struct Sides {
    reference: Face,
    incident: Face,
    /// The shortest way between the cores, where they are apart and may reach each other.
    gap: Option<Gap>,
    /// The square of their distance there: the same, but for roundings. Elsewhere 0.
    length2: f32,
    /// How far the cores are apart along a side of either, at most.
    separation: f32,
    /// How far along the reference side.
    distance: f32,
    /// Whether the reference side is the second shape's.
    exchanged: bool,
    offset: Vector,
}

/// Whether the second shape's side is the reference side, given what the best sides of both are worth:
/// if that is more, and of shapes that overlap, by more than a 2^15th of the distance of the centres, so
/// that shapes at rest keep their features; of shapes that are apart, by more than roundings.
fn is_exchanged(merits: [f32; 2], separation: f32, offset: Vector) -> bool {
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
    fn answer(&self, margin: f32, inclusive: bool) -> Answer {
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

// ---------------------------------------------------------------- boxes

/// The side of a box, at `center`, that looks along its height (`upright`) or its width, or against it.
fn box_face(body: &Body, center: Vector, upright: bool, forward: bool) -> Face {
    let axis = if upright { left(body.axis) } else { body.axis };
    let normal = if forward { axis } else { negative(axis) };
    let tangent = left(normal);
    let [width, height] = body.half;
    let (out, reach) = if upright { (height, width) } else { (width, height) };
    let middle = plus(center, times(normal, out));
    let aside = times(tangent, reach);
    let start_vertex: u16 = match (upright, forward) {
        (true, false) => 0,
        (false, true) => 1,
        (true, true) => 2,
        (false, false) => 3,
    };
    Face {
        start: minus(middle, aside),
        end: plus(middle, aside),
        tangent,
        length: reach + reach,
        number: SIDE + start_vertex,
        start_vertex,
        end_vertex: (start_vertex + 1) % 4,
        radius: body.radius,
    }
}

/// Two boxes, the first turned: the separating axis test over the four directions of their sides.
///
/// Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996, in two dimensions. Along each direction of a
/// side: the distance of the centres, less the half extent, less the other's half extents projected.
/// Rounded by a few parts in 2^24 of the sizes and the distance.
pub fn boxes(a: &Body, b: &Body, margin: f32, inclusive: bool) -> Answer {
    let offset = minus(b.center, a.center);
    let [cos, sin] = turned_back(b.axis, a.axis).map(f32::abs);
    let along = |offset: Vector, own: Vector, other: Vector| {
        let width = cos * other[0] + sin * other[1];
        let height = sin * other[0] + cos * other[1];
        [(offset[0].abs() - own[0]) - width, (offset[1].abs() - own[1]) - height]
    };
    let seen = [turned_back(offset, a.axis), turned_back(offset, b.axis)];
    let separations = [along(seen[0], a.half, b.half), along(seen[1], b.half, a.half)];
    let largest = separations.map(|[x, y]| x.max(y));
    let separation = largest[0].max(largest[1]);
    // Sides without a length, such as the ends of a capsule, are worth a little less.
    let less = scale(offset) * (1.0 / (1 << 15) as f32);
    let worth = |[x, y]: Vector, half: Vector| {
        [if half[1] > 0.0 { x } else { x - less }, if half[0] > 0.0 { y } else { y - less }]
    };
    let worths = [worth(separations[0], a.half), worth(separations[1], b.half)];
    let exchanged = is_exchanged(worths.map(|[x, y]| x.max(y)), separation, offset);

    let [own, other] =
        if exchanged { [(b, offset), (a, [0.0; 2])] } else { [(a, [0.0; 2]), (b, offset)] };
    let (best, to_other) =
        if exchanged { (separations[1], negative(seen[1])) } else { (separations[0], seen[0]) };
    let worth = worths[usize::from(exchanged)];
    let upright = worth[0] < worth[1];
    let distance = best[usize::from(upright)];
    let ahead = to_other[usize::from(upright)] > 0.0;
    let reference = box_face(own.0, own.1, upright, ahead);
    // The side of the other that looks against it most.
    let [x, y] = turned_back(reference.normal(), other.0.axis);
    let upright = x.abs() < y.abs();
    let towards = if upright { y } else { x };
    let incident = box_face(other.0, other.1, upright, towards < 0.0);
    let gap = (separation > 0.0).then(|| reference.gap(&incident));
    let length2 = gap.map_or(0.0, |gap| gap.length2);
    Sides { reference, incident, gap, length2, separation, distance, exchanged, offset }
        .answer(margin, inclusive)
}

// ---------------------------------------------------------------- polygons

/// Vertices and normals of a polygon, or of a box as a polygon of four.
struct Corners {
    vertices: Vec<Vector>,
    normals: Vec<Vector>,
}

impl Corners {
    fn of(body: &Body) -> Self {
        let Body { vertices, normals, .. } = body;
        let (vertices, normals) = if vertices.is_empty() {
            body.box_corners()
        } else {
            (vertices.clone(), normals.clone())
        };
        Self { vertices, normals }
    }

    /// The side that the other polygon is furthest beyond, the first of several, and how far.
    fn separation(&self, other: &Corners, offset: Vector) -> (f32, usize) {
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

    /// The side that faces a side with this normal: of the two that meet in the vertex that is deepest
    /// below it (of several, the one with the side that looks against it most), the one that looks against it more.
    fn against(&self, normal: Vector) -> usize {
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

    /// The side of this polygon, whose centre is at `offset`, and the vertex of another, at
    /// `other_offset`, that are nearest to each other and where the vertex is not behind the side, the
    /// first of several: the square of their distance, the side, the vertex; and the least, behind or not.
    fn nearest(
        &self,
        offset: Vector,
        other: &Corners,
        other_offset: Vector,
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

    fn face(&self, side: usize, radius: f32) -> Face {
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
/// Gottschalk, "Separating axis theorem", 1996; Ericson, Real-Time Collision Detection, 5.2.1. Rounded by
/// a few parts in 2^24 of the sizes and the distance. O(n m) time.
pub fn polygons(a: &Body, b: &Body, margin: f32, inclusive: bool) -> Answer {
    let (own, other) = (Corners::of(a), Corners::of(b));
    let offset = minus(b.center, a.center);
    let (first, first_side) = own.separation(&other, offset);
    let (second, second_side) = other.separation(&own, negative(offset));
    let mut separation = first.max(second);
    let exchanged = is_exchanged([first, second], separation, offset);
    let mut reference = if exchanged {
        (other.face(second_side, b.radius).moved(offset), second)
    } else {
        (own.face(first_side, a.radius), first)
    };
    let (mut exchanged, mut gap, mut length2) = (exchanged, None, 0.0);
    if a.radius + b.radius + margin < separation {
        return Answer::OUT_OF_REACH;
    }
    if 0.0 < separation || in_doubt(separation, offset) {
        // Apart, but perhaps not out of reach: of all sides and vertices, those nearest to each other.
        let origin = [0.0; 2];
        let from_a = own.nearest(origin, &other, offset);
        let from_b = other.nearest(offset, &own, origin);
        let is_second = from_b.0 < from_a.0;
        let least2 = from_a.3.min(from_b.3);
        separation = told_apart(separation, least2, offset);
        let apart = separation > 0.0;
        if apart {
            length2 = least2;
        }
        let (face, point, vertex) = if is_second {
            let (_, side, vertex, _) = from_b;
            (other.face(side, b.radius).moved(offset), own.vertices[vertex], vertex)
        } else {
            let (_, side, vertex, _) = from_a;
            (own.face(side, a.radius), plus(other.vertices[vertex], offset), vertex)
        };
        let way = face.gap_to(point, vertex as u16);
        // A way that is made of roundings does not tell which of two sides it begins at.
        // Nor does a longer one, where roundings have put the vertex of the shortest below its side.
        let shortest = from_a.0.min(from_b.0) <= length2 * 1.0625;
        let long = directed_between_corners(way.way, way.length2, offset).0.is_some();
        if apart && long && shortest {
            gap = Some(way);
            exchanged = is_second;
            reference = (face, dot(way.way, face.normal()));
        }
    }
    let (reference, distance) = reference;
    let incident = if exchanged {
        own.face(own.against(reference.normal()), a.radius)
    } else {
        other.face(other.against(reference.normal()), b.radius).moved(offset)
    };
    Sides { reference, incident, gap, length2, separation, distance, exchanged, offset }
        .answer(margin, inclusive)
}

/// A polygon and a circle: the side that the centre is furthest beyond; outside, the nearest side, and
/// beyond its ends the vertex there.
///
/// Catto, Box2D, "b2CollidePolygonAndCircle"; outside, all sides are looked at, because roundings may take
/// one of two nearly straight sides for the other. Rounded as [`polygons`]. O(n) time.
pub fn polygon_circle(a: &Body, b: &Body, margin: f32, inclusive: bool) -> Answer {
    let corners = Corners::of(a);
    let radius = a.radius + b.radius;
    let point = minus(b.center, a.center);
    let mut best = (f32::MIN, 0);
    for (side, (&vertex, &normal)) in corners.vertices.iter().zip(&corners.normals).enumerate() {
        let beyond = dot(normal, point) - dot(normal, vertex);
        if best.0 < beyond {
            best = (beyond, side);
        }
    }
    let (mut separation, mut side) = best;
    let (mut shortest, mut known) = (0.0, false);
    if radius + margin < separation {
        return Answer::OUT_OF_REACH;
    }
    if 0.0 < separation || in_doubt(separation, point) {
        // The nearest of the sides that it is not behind; and how near any is.
        let mut nearest = (f32::MAX, 0);
        shortest = f32::MAX;
        for side in 0..corners.vertices.len() {
            let (length2, counts) = corners.face(side, a.radius).distance_to(point);
            if counts && length2 < nearest.0 {
                nearest = (length2, side);
            }
            shortest = shortest.min(length2);
        }
        separation = told_apart(separation, shortest, point);
        let apart = separation > 0.0;
        if !apart {
            shortest = 0.0;
        }
        // A way that is made of roundings does not tell which of two sides it begins at.
        // Nor does a longer one, where roundings have put the centre below the nearest side.
        let long = directed_between_corners(point, shortest, point).0.is_some();
        known = apart && long && nearest.0 <= shortest * 1.0625;
        if known {
            side = nearest.1;
        }
    }
    let face = corners.face(side, a.radius);
    let (way, way2, end) = face.way_to(point);
    let touching = within(separation, shortest, radius, inclusive);
    let (normal, distance, feature) = match (end, directed(way, way2)) {
        (Some((_, vertex)), (Some(direction), length)) if known => (direction, length, vertex),
        _ if known => (face.normal(), dot(way, face.normal()), face.number),
        _ => (face.normal(), separation, face.number),
    };
    let depth = radius - distance;
    let above = middle(distance, a.radius, b.radius) - distance;
    let at = plus(point, times(normal, above));
    Answer { touching, normal, depth, spots: vec![Spot { at, depth, features: [feature, 0] }] }
}
