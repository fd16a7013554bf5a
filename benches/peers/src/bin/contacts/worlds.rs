//! Seeded shapes for widephase and parry, and the pairs whose boxes touch.

use std::{f32::consts::TAU, ops::Range};

use anyhow::{Context, Result};
use parry2d::{
    math::{Pose, Rotation as ParryRotation, Vector},
    shape as parry,
};
use widephase::{
    Columns, Detector, Options, Pair, Shapes, Threads,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, Pose as Place, Rotation, RoundedBox,
        Segment,
    },
};

/// The kind of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Circle,
    Aabb,
    /// An axis-aligned box with a radius.
    RoundedBox,
    Obb,
    Segment,
    Capsule,
    /// A polygon with this many vertices.
    Polygon(u16),
    /// A polygon with this many vertices and a radius.
    RoundedPolygon(u16),
    /// Three circles.
    Compound,
}

impl Kind {
    fn turns(self) -> bool {
        !matches!(self, Kind::Circle | Kind::Aabb | Kind::RoundedBox)
    }

    /// Whether [`Rows`] support it: not compounds, and not polygons that need kilobytes per pair.
    fn lies_in_rows(self) -> bool {
        match self {
            Kind::Polygon(vertices) | Kind::RoundedPolygon(vertices) => vertices <= MOST,
            kind => kind != Kind::Compound,
        }
    }
}

/// A shape around the origin, with its position and rotation.
#[derive(Debug)]
pub struct Body {
    pub form: Form,
    position: [f32; 2],
    rotation: Rotation,
}

#[derive(Debug)]
pub enum Form {
    Circle(f32),
    /// Half extents.
    Rect([f32; 2]),
    /// Half extents of the core, and the radius.
    RoundedBox([f32; 2], f32),
    Obb([f32; 2]),
    /// Half of the length, along x.
    Segment(f32),
    /// Half of the length of the core, along x, and the radius.
    Capsule(f32, f32),
    /// A polygon with or without a radius.
    Polygon(ConvexPolygon),
    /// The circles of a compound.
    Circles([Circle; 3]),
}

/// A shape of parry, around the origin.
pub trait Peer: parry::Shape + Sized {
    /// Whether parry computes manifolds for it directly and not for its parts.
    const CONVEX: bool = true;

    /// Converts a shape; `None` if it is of another kind.
    fn new(form: &Form) -> Option<Self>;
}

impl Peer for parry::Ball {
    fn new(form: &Form) -> Option<Self> {
        let Form::Circle(radius) = *form else { return None };
        Some(Self::new(radius))
    }
}

impl Peer for parry::Cuboid {
    fn new(form: &Form) -> Option<Self> {
        let (Form::Rect(half) | Form::Obb(half)) = *form else { return None };
        Some(Self::new(Vector::from_array(half)))
    }
}

impl Peer for parry::RoundCuboid {
    fn new(form: &Form) -> Option<Self> {
        let Form::RoundedBox(half, border_radius) = *form else { return None };
        let inner_shape = parry::Cuboid::new(Vector::from_array(half));
        Some(Self { inner_shape, border_radius })
    }
}

impl Peer for parry::Segment {
    fn new(form: &Form) -> Option<Self> {
        let Form::Segment(half) = *form else { return None };
        Some(Self::new(Vector::new(-half, 0.0), Vector::new(half, 0.0)))
    }
}

impl Peer for parry::Capsule {
    fn new(form: &Form) -> Option<Self> {
        let Form::Capsule(half, radius) = *form else { return None };
        Some(Self::new_x(half, radius))
    }
}

impl Peer for parry::ConvexPolygon {
    fn new(form: &Form) -> Option<Self> {
        match form {
            Form::Polygon(polygon) if polygon.radius() == 0.0 => core(polygon),
            _ => None,
        }
    }
}

impl Peer for parry::RoundConvexPolygon {
    fn new(form: &Form) -> Option<Self> {
        let Form::Polygon(polygon) = form else { return None };
        Some(Self { inner_shape: core(polygon)?, border_radius: polygon.radius() })
    }
}

impl Peer for parry::Compound {
    const CONVEX: bool = false;

    fn new(form: &Form) -> Option<Self> {
        let Form::Circles(circles) = form else { return None };
        let part = |circle: &Circle| {
            let place = Pose::from_translation(Vector::new(circle.x, circle.y));
            (place, parry::SharedShape::ball(circle.radius))
        };
        Some(Self::new(circles.iter().map(part).collect()))
    }
}

/// A polygon without its radius.
fn core(polygon: &ConvexPolygon) -> Option<parry::ConvexPolygon> {
    let vertices = polygon.vertices().iter().map(|v| Vector::new(v.x, v.y)).collect();
    parry::ConvexPolygon::from_convex_polyline_unmodified(vertices)
}

/// The shapes of a world in parry's types, without an indirection from a pair to its two shapes.
pub trait Store: Sized + 'static {
    type A: Peer;
    type B: Peer;

    fn new(bodies: &[Body], n: usize) -> Option<Self>;

    fn get(&self, pair: Pair) -> (&Self::A, &Self::B);
}

/// A store of one kind.
pub struct One<A>(Vec<A>);

impl<A: Peer> Store for One<A> {
    type A = A;
    type B = A;

    fn new(bodies: &[Body], _: usize) -> Option<Self> {
        Some(Self(bodies.iter().map(|body| A::new(&body.form)).collect::<Option<_>>()?))
    }

    fn get(&self, pair: Pair) -> (&A, &A) {
        (&self.0[pair.a as usize], &self.0[pair.b as usize])
    }
}

/// A store of two kinds. The rows of the second kind follow the rows of the first.
pub struct Two<A, B>(Vec<A>, Vec<B>);

impl<A: Peer, B: Peer> Store for Two<A, B> {
    type A = A;
    type B = B;

    fn new(bodies: &[Body], n: usize) -> Option<Self> {
        let (first, second) = bodies.split_at(n);
        Some(Self(
            first.iter().map(|body| A::new(&body.form)).collect::<Option<_>>()?,
            second.iter().map(|body| B::new(&body.form)).collect::<Option<_>>()?,
        ))
    }

    fn get(&self, pair: Pair) -> (&A, &B) {
        (&self.0[pair.a as usize], &self.1[pair.b as usize - self.0.len()])
    }
}

/// Shapes, and the pairs to decide.
pub struct World<S: Store> {
    pub shapes: Shapes,
    pub poses: Vec<Pose>,
    pub parry: S,
    /// Pairs of a shape of the first kind and a shape of the second, in the order of the grid.
    pub pairs: Vec<Pair>,
    /// The shapes of all pairs, pair by pair, if both kinds [lie in rows](Kind::lies_in_rows).
    pub rows: Option<Rows<S>>,
}

/// The data of a caller with aligned pairs: pair `i` is in row `i` of both sides.
pub struct Rows<S: Store> {
    pub sides: [Side; 2],
    pub parry_a: Vec<(Pose, S::A)>,
    pub parry_b: Vec<(Pose, S::B)>,
}

/// One shape of each pair, as columns or, if the kind can be rotated, in a store.
pub enum Side {
    Circles([Vec<f32>; 3]),
    Boxes([Vec<f32>; 4]),
    RoundedBoxes([Vec<f32>; 5]),
    Turned(Box<Shapes>),
}

impl Side {
    fn new(kind: Kind, bodies: &[&Body]) -> Result<Self> {
        let shapes = store(bodies.iter().copied())?;
        if kind.turns() {
            return Ok(Self::Turned(Box::new(shapes)));
        }
        let rows: Option<Vec<_>> = (0..bodies.len() as u32).map(|row| shapes.bounds(row)).collect();
        let rows = rows.context("a row that is there")?;
        let column = |field: fn(&RoundedBox) -> f32| rows.iter().map(field).collect();
        let [min_x, min_y] = [column(|row| row.min_x), column(|row| row.min_y)];
        let [max_x, max_y] = [column(|row| row.max_x), column(|row| row.max_y)];
        let radius = column(|row| row.radius);
        Ok(match kind {
            Kind::Circle => Self::Circles([min_x, min_y, radius]),
            Kind::RoundedBox => Self::RoundedBoxes([min_x, min_y, max_x, max_y, radius]),
            _ => Self::Boxes([min_x, min_y, max_x, max_y]),
        })
    }

    /// Some rows of columns, or all rows of a store.
    pub fn columns(&self, rows: Range<usize>) -> Result<Columns<'_>> {
        Ok(match self {
            Self::Circles(columns) => {
                let [x, y, radius] = columns.each_ref().map(|column| &column[rows.clone()]);
                Columns::circles(x, y, radius)?
            }
            Self::Boxes(columns) => {
                let [min_x, min_y, max_x, max_y] =
                    columns.each_ref().map(|column| &column[rows.clone()]);
                Columns::aabbs(min_x, min_y, max_x, max_y)?
            }
            Self::RoundedBoxes(columns) => {
                let [min_x, min_y, max_x, max_y, radius] =
                    columns.each_ref().map(|column| &column[rows.clone()]);
                Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)?
            }
            Self::Turned(shapes) => shapes.as_ref().into(),
        })
    }
}

/// The largest number of vertices of polygons in rows.
const MOST: u16 = 8;

impl<S: Store> Rows<S> {
    fn new(kinds: [Kind; 2], bodies: &[Body], pairs: &[Pair]) -> Result<Option<Self>> {
        if !kinds.into_iter().all(Kind::lies_in_rows) {
            return Ok(None);
        }
        let [a, b] = [|pair: &Pair| pair.a, |pair: &Pair| pair.b]
            .map(|row| pairs.iter().map(|pair| &bodies[row(pair) as usize]).collect::<Vec<_>>());
        let parry_a: Option<_> = a.iter().map(|body| parry_shape(body)).collect();
        let parry_b: Option<_> = b.iter().map(|body| parry_shape(body)).collect();
        let sides = [Side::new(kinds[0], &a)?, Side::new(kinds[1], &b)?];
        let (parry_a, parry_b) = parry_a.zip(parry_b).context("a shape that parry has not")?;
        Ok(Some(Self { sides, parry_a, parry_b }))
    }
}

/// The largest half size of a shape.
const REACH: f32 = 0.7;

impl<S: Store> World<S> {
    /// Generates `n` shapes of each kind, with about one pair for each shape of the first kind.
    ///
    /// For the search of pairs, the boxes of shapes are enlarged by the factor `grow`, as in a
    /// broadphase with a margin. Rows are in random order or, with `in_order`, in the order of the
    /// grid.
    pub fn generate(
        kinds: [Kind; 2],
        n: usize,
        grow: f32,
        in_order: bool,
        seed: u64,
    ) -> Result<Self> {
        let mut random = Random(seed);
        let mut all = vec![kinds[0]; n];
        if kinds[0] != kinds[1] {
            all.extend(vec![kinds[1]; n]);
        }
        let half_world = REACH * (2.0 * all.len() as f32).sqrt();
        let mut bodies =
            all.iter().map(|&kind| random.body(kind, half_world)).collect::<Result<Vec<_>>>()?;
        let mut shapes = store(&bodies)?;
        let (mut pairs, order) = candidates(&shapes, grow)?;
        if in_order {
            let mut ranks = vec![0; bodies.len()];
            for (rank, row) in order.into_iter().enumerate() {
                ranks[row as usize] = rank;
            }
            let mut rows: Vec<usize> = (0..bodies.len()).collect();
            rows.sort_unstable_by_key(|&row| (row >= n, ranks[row]));
            let mut old: Vec<_> = bodies.into_iter().map(Some).collect();
            bodies = rows.iter().filter_map(|&row| old[row].take()).collect();
            shapes = store(&bodies)?;
            pairs = candidates(&shapes, grow)?.0;
        }
        if kinds[0] != kinds[1] {
            pairs.retain(|pair| (pair.a as usize) < n && pair.b as usize >= n);
        }
        let poses = bodies.iter().map(Body::pose).collect();
        let parry = S::new(&bodies, n).context("a shape that parry has not")?;
        let rows = Rows::new(kinds, &bodies, &pairs)?;
        Ok(Self { shapes, poses, parry, pairs, rows })
    }
}

fn parry_shape<P: Peer>(body: &Body) -> Option<(Pose, P)> {
    Some((body.pose(), P::new(&body.form)?))
}

fn store<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> Result<Shapes> {
    let mut shapes = Shapes::new();
    for body in bodies {
        body.push(&mut shapes)?;
    }
    Ok(shapes)
}

/// The pairs whose boxes touch, and the rows in the order of the grid.
fn candidates(shapes: &Shapes, grow: f32) -> Result<(Vec<Pair>, Vec<u32>)> {
    let mut boxes = Vec::new();
    for row in 0..shapes.len() as u32 {
        let row = shapes.bounds(row).context("a row that is there")?;
        let center = [(row.min_x + row.max_x) * 0.5, (row.min_y + row.max_y) * 0.5];
        let half = [row.max_x - row.min_x, row.max_y - row.min_y]
            .map(|size| (size * 0.5 + row.radius) * grow);
        boxes.push(Aabb::centered(center, half));
    }
    let mut pairs = Vec::new();
    let boxes = Shapes::from_slice(&boxes)?;
    let mut detector =
        Detector::with_options(Options { threads: Threads::Calling, ..Options::default() })
            .unwrap();
    detector.pairs(&boxes, &mut pairs)?;
    let mut order = Vec::new();
    detector.grid_order(&mut order);
    Ok((pairs, order))
}

impl Body {
    fn push(&self, shapes: &mut Shapes) -> Result<u32, widephase::Error> {
        let Self { position, rotation, .. } = *self;
        let place = Place::new(position, rotation);
        match &self.form {
            Form::Circle(radius) => shapes.push(Circle::new(position, *radius)),
            Form::Rect(half) => shapes.push(Aabb::centered(position, *half)),
            Form::RoundedBox(half, radius) => {
                shapes.push(RoundedBox::new(Aabb::centered(position, *half), *radius))
            }
            Form::Obb(half) => shapes.push(Obb::new(position, *half, rotation)),
            &Form::Segment(half) => shapes.push_at(Segment::new([-half, 0.0], [half, 0.0]), place),
            &Form::Capsule(half, radius) => {
                shapes.push_at(Capsule::new([-half, 0.0], [half, 0.0], radius), place)
            }
            Form::Polygon(polygon) => shapes.push_at(polygon, place),
            Form::Circles(circles) => shapes.push_at(&Compound::new(*circles)?, place),
        }
    }

    fn pose(&self) -> Pose {
        let Rotation { cos, sin } = self.rotation;
        let rotation = ParryRotation::from_cos_sin_unchecked(cos, sin);
        Pose::from_parts(Vector::from_array(self.position), rotation)
    }
}

/// `SplitMix64`: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
struct Random(u64);

impl Random {
    /// A random number from `from` up to `to`.
    fn within(&mut self, from: f32, to: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = (z >> 40) as f32 / (1 << 24) as f32;
        from + (to - from) * unit
    }

    fn body(&mut self, kind: Kind, half_world: f32) -> Result<Body> {
        let size = REACH * self.within(0.6, 1.0);
        let thin = size * self.within(0.2, 0.5);
        let form = match kind {
            Kind::Circle => Form::Circle(size),
            Kind::Aabb => Form::Rect([size, size * self.within(0.5, 1.0)]),
            Kind::RoundedBox => {
                let radius = thin * 0.5;
                Form::RoundedBox([size - radius, size * self.within(0.5, 1.0) - radius], radius)
            }
            Kind::Obb => Form::Obb([size, thin]),
            Kind::Segment => Form::Segment(size),
            Kind::Capsule => Form::Capsule(size - thin * 0.5, thin * 0.5),
            Kind::Polygon(vertices) => Form::Polygon(self.polygon(vertices, [size, 1.5 * thin])?),
            Kind::RoundedPolygon(vertices) => {
                let radius = thin * 0.5;
                let core = self.polygon(vertices, [size - radius, 1.5 * thin - radius])?;
                Form::Polygon(core.with_radius(radius)?)
            }
            // The circles overlap, and are all within a circle of this size.
            Kind::Compound => Form::Circles([0.0, 1.0, 2.0].map(|third| {
                let turn = TAU * (third + self.within(-0.3, 0.3)) / 3.0;
                let half = 0.5 * size;
                Circle::new([half * turn.cos(), half * turn.sin()], half)
            })),
        };
        let rotation = match kind.turns() {
            true => Rotation::from_angle(self.within(0.0, TAU)),
            false => Rotation::IDENTITY,
        };
        let [x, y] = [(); 2].map(|()| self.within(-half_world, half_world));
        Ok(Body { form, position: [x, y], rotation })
    }
    /// A polygon whose vertices are on an ellipse with these half axes, so that it is convex. The
    /// vertices are unevenly spaced and distinct.
    fn polygon(&mut self, vertices: u16, half: [f32; 2]) -> Result<ConvexPolygon> {
        let turns: Vec<f32> = (0..vertices)
            .map(|k| {
                let turn = f32::from(k) + self.within(-0.3, 0.3);
                TAU * turn / f32::from(vertices)
            })
            .collect();
        let corner = |turn: &f32| [half[0] * turn.cos(), half[1] * turn.sin()];
        let corners: Vec<[f32; 2]> = turns.iter().map(corner).collect();
        Ok(ConvexPolygon::new(&corners)?)
    }
}
