//! Shapes of rows, in the numbers of the file.

use std::borrow::Cow;

use widephase::{
    Error, Shapes,
    doubles::{DoubleBox, DoubleColumns, Origin},
    error::{Field, OutlineFault},
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Kind, Obb, Part, Point, Pose, Rotation,
        RoundedBox, Segment,
    },
};

use crate::figures::{Piece, are_simple};

/// A shape of a row.
#[derive(Debug, Clone)]
pub(crate) enum Given {
    /// A point, a circle, a box or a rounded box.
    Box(Kind, DoubleBox),
    Obb {
        center: [f64; 2],
        half: [f64; 2],
        rotation: Rotation,
    },
    /// A segment, or a capsule if there is a radius.
    Ends {
        a: [f64; 2],
        b: [f64; 2],
        radius: Option<f64>,
    },
    Polygon(Box<GivenPolygon>),
    /// The area within a ring and outside of the other rings.
    Outline(Vec<Vec<[f64; 2]>>),
    /// A line through vertices: its segments. (The segments of a chain do not touch other lines.)
    #[cfg_attr(not(feature = "maps"), expect(dead_code, reason = "only maps have lines"))]
    Line(Vec<[f64; 2]>),
}

/// A polygon that is placed at a position and rotated about its own origin.
#[derive(Debug, Clone)]
pub(crate) struct GivenPolygon {
    pub(crate) vertices: Vec<[f64; 2]>,
    pub(crate) radius: f64,
    pub(crate) position: [f64; 2],
    pub(crate) rotation: Rotation,
}

/// Vertices that are further from the origin of their polygon than this many times its size are
/// made relative to its middle.
const FAR: f64 = 1024.0;

impl Given {
    /// The kinds that a row can have.
    pub(crate) const KINDS: [Kind; 8] = [
        Kind::Point,
        Kind::Circle,
        Kind::Aabb,
        Kind::RoundedBox,
        Kind::Obb,
        Kind::Capsule,
        Kind::Segment,
        Kind::Polygon,
    ];

    /// The shape of a kind from the numbers of its fields. `None` if a shape of the kind has more
    /// than numbers, or is not the shape of a row.
    pub(crate) fn of_numbers<E>(
        kind: Kind,
        number: impl Fn(Field) -> Result<f64, E>,
    ) -> Result<Option<Self>, E> {
        let core = |radius| {
            let min = [number(Field::MinX)?, number(Field::MinY)?];
            let max = [number(Field::MaxX)?, number(Field::MaxY)?];
            Ok(Self::Box(kind, DoubleBox { min, max, radius }))
        };
        let center = || Ok([number(Field::X)?, number(Field::Y)?]);
        let radius = || number(Field::Radius);
        let ends = |radius| {
            let a = [number(Field::Ax)?, number(Field::Ay)?];
            Ok(Self::Ends { a, b: [number(Field::Bx)?, number(Field::By)?], radius })
        };
        Ok(Some(match kind {
            Kind::Point => Self::round(center()?, None),
            Kind::Circle => Self::round(center()?, Some(radius()?)),
            Kind::Aabb => core(0.0)?,
            Kind::RoundedBox => core(radius()?)?,
            Kind::Capsule => ends(Some(radius()?))?,
            Kind::Segment => ends(None)?,
            _ => return Ok(None),
        }))
    }

    /// A point, or a circle if there is a radius.
    pub(crate) fn round(at: [f64; 2], radius: Option<f64>) -> Self {
        let kind = if radius.is_some() { Kind::Circle } else { Kind::Point };
        Self::Box(kind, DoubleBox { min: at, max: at, radius: radius.unwrap_or(0.0) })
    }

    /// The name of its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Box(kind, _) => kind.name(),
            Self::Obb { .. } => Kind::Obb.name(),
            Self::Ends { radius: None, .. } => Kind::Segment.name(),
            Self::Ends { .. } => Kind::Capsule.name(),
            Self::Polygon(_) => Kind::Polygon.name(),
            Self::Outline(_) => "outline",
            Self::Line(_) => "line",
        }
    }

    /// The rings, if it is an outline.
    pub(crate) fn outline(&self) -> Option<&[Vec<[f64; 2]>]> {
        if let Self::Outline(rings) = self { Some(rings) } else { None }
    }

    /// Checks the values, as the library does when it takes them. Rings that cross when they are
    /// rounded to `f32`, and not in the numbers of the file, are valid. `trial` is a store for
    /// that.
    pub(crate) fn check(&self, trial: &mut Shapes) -> Result<(), Error> {
        trial.clear();
        match self {
            Self::Box(Kind::Point | Kind::Circle, DoubleBox { min, radius, .. }) => {
                DoubleColumns::circles_at(&[*min], *radius)?.check()
            }
            Self::Box(_, shape) => DoubleColumns::shapes(std::slice::from_ref(shape))?.check(),
            Self::Outline(rings) => match self.push(trial, Origin::default()) {
                Err(Error::InvalidOutline { fault, .. }) if is_rounded(fault, rings) => Ok(()),
                result => result,
            },
            _ => self.push(trial, Origin::default()),
        }
    }

    /// A box around it, but for the rotation of a polygon.
    pub(crate) fn around(&self) -> DoubleBox {
        let of = |points: &[[f64; 2]], radius: f64, by: [f64; 2]| {
            let mut around = DoubleBox { min: [f64::MAX; 2], max: [f64::MIN; 2], radius };
            for point in points {
                for axis in [0, 1] {
                    let at = point[axis] + by[axis];
                    around.min[axis] = around.min[axis].min(at);
                    around.max[axis] = around.max[axis].max(at);
                }
            }
            around
        };
        match self {
            Self::Box(_, shape) => *shape,
            Self::Obb { center, half, .. } => of(&[*center], half[0] + half[1], [0.0; 2]),
            Self::Ends { a, b, radius } => of(&[*a, *b], radius.unwrap_or(0.0), [0.0; 2]),
            Self::Polygon(polygon) => of(&polygon.vertices, polygon.radius, polygon.position),
            Self::Outline(rings) => of(&rings[0], 0.0, [0.0; 2]),
            Self::Line(vertices) => of(vertices, 0.0, [0.0; 2]),
        }
    }

    /// The shape in `f64`. Rotated values are computed in `f64`.
    pub(crate) fn piece(&self) -> Piece<'_> {
        match self {
            Self::Box(_, sides) => Piece::Box(*sides),
            Self::Obb { center, half, rotation } => {
                let [w, h] = *half;
                let corner = |at: [f64; 2]| turned(at, *rotation, *center);
                if w == 0.0 || h == 0.0 {
                    return Piece::Line(vec![corner([-w, -h]), corner([w, h])].into(), 0.0);
                }
                let ring = [[-w, -h], [w, -h], [w, h], [-w, h]].map(corner).to_vec();
                Piece::Area(vec![ring].into(), 0.0)
            }
            Self::Ends { a, b, radius } => Piece::Line(vec![*a, *b].into(), radius.unwrap_or(0.0)),
            Self::Polygon(polygon) => {
                let GivenPolygon { vertices, radius, position, rotation } = &**polygon;
                let ring = vertices.iter().map(|at| turned(*at, *rotation, *position)).collect();
                Piece::Area(vec![ring].into(), *radius)
            }
            Self::Outline(rings) => Piece::Area(Cow::Borrowed(rings), 0.0),
            Self::Line(vertices) => Piece::Line(Cow::Borrowed(vertices), 0.0),
        }
    }

    /// Appends the shape, relative to an origin.
    pub(crate) fn push(&self, shapes: &mut Shapes, origin: Origin) -> Result<(), Error> {
        match self {
            Self::Polygon(polygon) => {
                let (shape, pose) = polygon.placed(origin)?;
                shapes.push_at(&shape, pose)
            }
            Self::Outline(rings) => shapes.push(&origin.outlines(&[rings])?),
            Self::Line(_) => {
                let mut parts = Vec::new();
                self.parts(origin, &mut parts)?;
                shapes.push(&Compound::new(parts)?)
            }
            _ => return self.part(origin)?.map_or(Ok(()), |part| shapes.push(&part).map(drop)),
        }
        .map(drop)
    }

    /// Appends the parts of a compound that it is, with coordinates relative to an origin.
    pub(crate) fn parts(&self, origin: Origin, parts: &mut Vec<Part>) -> Result<(), Error> {
        match self {
            Self::Outline(rings) => {
                parts.extend_from_slice(origin.outlines(&[rings])?.parts());
            }
            Self::Line(vertices) => {
                let vertices: Vec<[f32; 2]> =
                    vertices.iter().map(|at| origin.relative(*at)).collect();
                let last = vertices.len().saturating_sub(1);
                let ends = vertices.iter().zip(vertices.iter().skip(1.min(last)));
                parts.extend(ends.map(|(a, b)| Part::from(Segment::new(*a, *b))));
            }
            _ => parts.extend(self.part(origin)?),
        }
        Ok(())
    }

    /// A shape that is one part, with coordinates relative to an origin. `None`: several shapes.
    fn part(&self, origin: Origin) -> Result<Option<Part>, Error> {
        let at = |position| origin.relative(position);
        let part: Part = match self {
            Self::Box(kind, DoubleBox { min, max, radius }) => {
                let (sides, radius) = (Aabb::new(at(*min), at(*max)), *radius as f32);
                match kind {
                    Kind::Point => Point::new(at(*min)).into(),
                    Kind::Circle => Circle::new(at(*min), radius).into(),
                    Kind::Aabb => sides.into(),
                    _ => RoundedBox::new(sides, radius).into(),
                }
            }
            Self::Obb { center, half, rotation } => {
                Obb::new(at(*center), half.map(|half| half as f32), *rotation).into()
            }
            Self::Ends { a, b, radius: None } => Segment::new(at(*a), at(*b)).into(),
            Self::Ends { a, b, radius: Some(radius) } => {
                Capsule::new(at(*a), at(*b), *radius as f32).into()
            }
            Self::Polygon(polygon) => {
                let vertices: Vec<[f32; 2]> = polygon.vertices.iter().copied().map(at).collect();
                polygon.rounded(ConvexPolygon::new(&vertices)?)?.into()
            }
            Self::Outline(_) | Self::Line(_) => return Ok(None),
        };
        Ok(Some(part))
    }
}

/// Whether a fault of rings comes from their roundings.
fn is_rounded(fault: OutlineFault, rings: &[Vec<[f64; 2]>]) -> bool {
    !matches!(fault, OutlineFault::Vertex { .. }) && are_simple(rings)
}

/// A position that is rotated about 0, 0 and moved. (A rotation of `f32` has a length that is not
/// 1 to the last bit.)
fn turned([x, y]: [f64; 2], rotation: Rotation, by: [f64; 2]) -> [f64; 2] {
    let [cos, sin] = [rotation.cos, rotation.sin].map(f64::from);
    let length = cos.hypot(sin);
    let [cos, sin] = [cos / length, sin / length];
    [by[0] + (x * cos - y * sin), by[1] + (x * sin + y * cos)]
}

impl GivenPolygon {
    /// The polygon and its pose relative to an origin.
    fn placed(&self, origin: Origin) -> Result<(ConvexPolygon, Pose), Error> {
        let middle = self.far_middle().unwrap_or_default();
        let shape = self.rounded(Origin::at(middle).polygon(&self.vertices)?)?;
        let position = turned(middle, self.rotation, self.position);
        Ok((shape, Pose::new(origin.relative(position), self.rotation)))
    }

    /// The middle of the vertices, if they are far from the origin of the polygon, for its size.
    fn far_middle(&self) -> Option<[f64; 2]> {
        let along = |axis: usize| self.vertices.iter().map(move |vertex| vertex[axis]);
        let sides = [0, 1].map(|axis| {
            let low = along(axis).fold(f64::INFINITY, f64::min);
            [low, along(axis).fold(f64::NEG_INFINITY, f64::max)]
        });
        let size = sides.map(|[low, high]| high - low);
        let far = sides.as_flattened().iter().fold(0.0, |far: f64, at| far.max(at.abs()));
        let is_far = far.is_finite() && far > FAR * size[0].max(size[1]);
        is_far.then(|| sides.map(|[low, high]| (low + high) * 0.5))
    }

    fn rounded(&self, shape: ConvexPolygon) -> Result<ConvexPolygon, Error> {
        if self.radius == 0.0 { Ok(shape) } else { shape.with_radius(self.radius as f32) }
    }
}
