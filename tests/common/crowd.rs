//! Crowds: shapes of every kind that are rotated and touch, generated from a few parameters. A
//! failure names its crowd, which can be reproduced.

use std::ops::Range;

use proptest::prelude::*;
use widephase::{
    Contact, Shapes,
    reference::{
        placed_shape::{Class, PlacedShape},
        whole::Whole,
    },
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Pose, Posed,
        Rotation, RoundedBox, Segment,
    },
};

use super::{Rng, pow2};

/// A shape, and the pose at which it is pushed, if it has a pose.
#[derive(Debug, Clone, PartialEq)]
pub struct PosedShape {
    pub shape: OwnedShape,
    pub pose: Option<Pose>,
}

impl<T: Into<OwnedShape>> From<T> for PosedShape {
    fn from(shape: T) -> Self {
        Self { shape: shape.into(), pose: None }
    }
}

impl<'a> From<&'a PosedShape> for Posed<'a> {
    fn from(PosedShape { shape, pose }: &'a PosedShape) -> Self {
        Posed { pose: *pose, ..Posed::from(shape) }
    }
}

/// The shapes in the form of the reference.
pub fn wholes(solids: &[PosedShape]) -> Vec<Whole> {
    solids.iter().map(|solid| Whole::new(&solid.shape, solid.pose)).collect()
}

/// Whether only the order of its shapes distinguishes the two parts of a contact.
pub fn order_decides(wholes: &[Whole], contact: &Contact) -> bool {
    let part = |row: u32, part: u32| &wholes[row as usize].parts[part as usize];
    only_order_tells(part(contact.pair.a, contact.part_a), part(contact.pair.b, contact.part_b))
}

/// Whether only the order of two shapes distinguishes them: they are equal, or circles around one
/// point.
pub fn only_order_tells(a: &PlacedShape, b: &PlacedShape) -> bool {
    let circles = [a.class, b.class] == [Class::Round; 2];
    a == b || circles && a.center == b.center
}

impl PosedShape {
    /// At the pose, without its rotation if the shape is an axis-aligned box.
    pub fn at(shape: impl Into<OwnedShape>, pose: Pose) -> Self {
        let shape = shape.into();
        let pose = pose_for(&shape, pose);
        Self { shape, pose: Some(pose) }
    }

    /// Its own pose, if it has no other.
    pub fn pose(&self) -> Pose {
        let mut store = Shapes::new();
        let row = self.push(&mut store);
        store.pose(row).unwrap()
    }

    pub fn push(&self, store: &mut Shapes) -> u32 {
        match self.pose {
            Some(pose) => store.push_at(&self.shape, pose).unwrap(),
            None => store.push(&self.shape).unwrap(),
        }
    }

    pub fn is_compound(&self) -> bool {
        matches!(self.shape, OwnedShape::Compound(_))
    }
}

/// The pose, without its rotation if the shape is an axis-aligned box.
pub fn pose_for(shape: &OwnedShape, pose: Pose) -> Pose {
    match shape {
        OwnedShape::Single(Part::Aabb(_) | Part::RoundedBox(_)) => Pose::at(pose.position()),
        _ => pose,
    }
}

/// A store of these shapes.
pub fn store(solids: &[PosedShape]) -> Shapes {
    let mut store = Shapes::new();
    for solid in solids {
        solid.push(&mut store);
    }
    store
}

/// The kind of a shape in a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Make {
    Point,
    Circle,
    Aabb,
    RoundedBox,
    Obb,
    Capsule,
    Segment,
    /// 3 to 8 vertices.
    Polygon,
    /// 9 to 40 vertices.
    Many,
    RoundedPolygon,
    Compound,
}

impl Make {
    pub const ALL: [Make; 11] = [
        Make::Point,
        Make::Circle,
        Make::Aabb,
        Make::RoundedBox,
        Make::Obb,
        Make::Capsule,
        Make::Segment,
        Make::Polygon,
        Make::Many,
        Make::RoundedPolygon,
        Make::Compound,
    ];
    /// All kinds except compounds.
    pub const SINGLE: &'static [Make] = Self::ALL.split_at(10).0;
    /// The axis-aligned kinds.
    pub const ALIGNED: &'static [Make] = Self::ALL.split_at(4).0;
}

/// The values of the numbers in a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Arbitrary numbers, similar sizes.
    Smooth,
    /// Arbitrary numbers, with a ratio of sizes of up to 4096.
    Sizes,
    /// Multiples of a quarter, and rotations by an eighth of a turn or by the angle of the triangle
    /// of 3, 4 and 5. Many shapes touch exactly, have no size, or coincide.
    Quarters,
    /// Long and thin, down to 2^-12 of the length.
    Thin,
}

impl Numbers {
    pub const ALL: [Numbers; 4] =
        [Numbers::Smooth, Numbers::Sizes, Numbers::Quarters, Numbers::Thin];
}

/// The parameters of a crowd.
#[derive(Debug, Clone)]
pub struct Crowd {
    pub seed: u64,
    pub count: usize,
    pub makes: Vec<Make>,
    pub numbers: Numbers,
    /// All lengths are multiplied by 2 to this power.
    pub unit: i32,
    /// The distance from the origin, in units: 0, or 2 to this power.
    pub far: i32,
    /// Whether polygons may have nearly straight vertices.
    pub flat: bool,
}

impl Crowd {
    pub fn solids(&self) -> Vec<PosedShape> {
        let mut maker = Maker::new(self.seed, self.numbers, pow2(self.unit));
        maker.flat = self.flat;
        let offset = if self.far == 0 { 0.0 } else { pow2(self.far) };
        let side = (self.count as f32).sqrt() * 1.2;
        (0..self.count)
            .map(|_| {
                let make = self.makes[maker.rng.below(self.makes.len() as u64) as usize];
                let place = [(); 2].map(|()| maker.place(side) + offset);
                maker.solid(make, place.map(|value| value * maker.unit))
            })
            .collect()
    }
}

/// Crowds of these kinds, with a number of shapes in `count`.
pub fn crowds_of(makes: &'static [Make], count: Range<usize>) -> impl Strategy<Value = Crowd> {
    let some = prop_oneof![
        2 => Just(makes.to_vec()),
        1 => prop::sample::subsequence(makes.to_vec(), 1..=2.min(makes.len())),
    ];
    let numbers = prop::sample::select(&Numbers::ALL[..]);
    let unit = prop_oneof![3 => Just(0), 1 => -40..=40];
    let far = prop_oneof![3 => Just(0), 1 => 1..=16];
    (any::<u64>(), count, some, numbers, unit, far, any::<bool>()).prop_map(
        |(seed, count, makes, numbers, unit, far, flat)| Crowd {
            seed,
            count,
            makes,
            numbers,
            unit,
            far,
            flat,
        },
    )
}

/// Crowds of all kinds, and some of the axis-aligned kinds only, which take other code paths.
pub fn crowds() -> impl Strategy<Value = Crowd> {
    prop_oneof![3 => crowds_of(&Make::ALL, 2..60), 1 => crowds_of(Make::ALIGNED, 2..60)]
}

/// [`crowds`] without compounds.
pub fn single_crowds() -> impl Strategy<Value = Crowd> {
    prop_oneof![2 => crowds_of(Make::SINGLE, 2..40), 1 => crowds_of(Make::ALIGNED, 2..40)]
}

/// Crowds with compounds: of all kinds, and of compounds only.
pub fn crowds_of_parts() -> impl Strategy<Value = Crowd> {
    prop_oneof![crowds_of(&Make::ALL, 2..40), crowds_of(&[Make::Compound], 2..30)]
}

/// Generates shapes.
pub struct Maker {
    pub rng: Rng,
    pub numbers: Numbers,
    pub unit: f32,
    pub flat: bool,
}

/// The sine of the smallest bend at a vertex of a polygon, unless it may have nearly straight
/// vertices.
const BEND: f64 = 1.0 / 512.0;

impl Maker {
    pub fn new(seed: u64, numbers: Numbers, unit: f32) -> Self {
        Self { rng: Rng::new(seed), numbers, unit, flat: false }
    }

    /// The hull of some points, without nearly straight vertices.
    fn hull(&self, points: &[[f32; 2]]) -> Option<ConvexPolygon> {
        let polygon = ConvexPolygon::hull(points).ok()?;
        if self.flat {
            return Some(polygon);
        }
        let mut vertices: Vec<[f32; 2]> = polygon.vertices().iter().map(|v| v.to_array()).collect();
        loop {
            let n = vertices.len();
            let side = |i: usize| {
                let [a, b] = [vertices[i % n], vertices[(i + 1) % n]].map(|v| v.map(f64::from));
                let way = [b[0] - a[0], b[1] - a[1]];
                let length = way[0].hypot(way[1]);
                way.map(|value| value / length)
            };
            let bend = |i: usize| {
                let ([ux, uy], [vx, vy]) = (side(i), side(i + 1));
                ux * vy - uy * vx
            };
            let Some(at) = (0..n).find(|&i| bend(i).abs() < BEND) else { break };
            vertices.remove((at + 1) % n);
            if vertices.len() < 3 {
                return None;
            }
        }
        ConvexPolygon::new(&vertices).ok()
    }

    /// A coordinate, in units.
    fn place(&mut self, side: f32) -> f32 {
        match self.numbers {
            Numbers::Quarters => self.rng.int(0, (side * 4.0) as i64) as f32 * 0.25,
            _ => self.rng.range(0.0, side),
        }
    }

    /// A size in units, about 1.
    fn size(&mut self) -> f32 {
        match self.numbers {
            Numbers::Smooth => self.rng.range(0.1, 1.0),
            Numbers::Sizes => self.rng.range(0.5, 1.0) * pow2(-(self.rng.below(13) as i32)) * 2.0,
            Numbers::Quarters => self.rng.int(0, 4) as f32 * 0.25,
            Numbers::Thin if self.rng.below(2) == 0 => {
                self.rng.range(0.5, 1.0) * pow2(-(self.rng.below(13) as i32))
            }
            Numbers::Thin => self.rng.range(0.5, 2.0),
        }
    }

    pub fn turn(&mut self) -> Rotation {
        let half = 0.5_f32.sqrt();
        match self.numbers {
            Numbers::Quarters => {
                let (cos, sin) = [(1.0, 0.0), (0.0, 1.0), (half, half), (0.6, 0.8), (0.8, -0.6)]
                    [self.rng.below(5) as usize];
                Rotation { cos, sin }
            }
            _ => Rotation::from_angle(self.rng.range(-3.2, 3.2)),
        }
    }

    /// A polygon around the origin, of about this many vertices.
    pub fn polygon(&mut self, vertices: usize) -> ConvexPolygon {
        let unit = self.unit;
        loop {
            let (width, height) = (self.size().max(0.25), self.size().max(1.0 / 4096.0));
            let regular = self.rng.below(3) == 0;
            let points: Vec<[f32; 2]> = (0..vertices)
                .map(|vertex| {
                    if self.numbers == Numbers::Quarters && vertices <= 8 && !regular {
                        return [(); 2].map(|()| self.rng.int(-4, 4) as f32 * 0.25 * unit);
                    }
                    let turns = if regular {
                        vertex as f32 / vertices as f32
                    } else {
                        self.rng.range(0.0, 1.0)
                    };
                    let (sin, cos) = (f64::from(turns) * std::f64::consts::TAU).sin_cos();
                    [width * unit * cos as f32, height * unit * sin as f32]
                })
                .collect();
            if let Some(polygon) = self.hull(&points) {
                return polygon;
            }
        }
    }

    fn rounded(&mut self, polygon: ConvexPolygon) -> ConvexPolygon {
        let radius = self.size() * 0.3 * self.unit;
        polygon.with_radius(radius).unwrap()
    }

    /// A shape at `place` without a pose, other than a compound.
    pub fn part(&mut self, make: Make, place: [f32; 2]) -> Part {
        let unit = self.unit;
        let [a, b, c] = [(); 3].map(|()| self.size() * unit);
        let [x, y] = place;
        match make {
            Make::Point => Point::new(place).into(),
            Make::Circle => Circle::new(place, a).into(),
            Make::Aabb => Aabb::centered(place, [a, b]).into(),
            Make::RoundedBox => RoundedBox::new(Aabb::centered(place, [a, b]), c * 0.5).into(),
            Make::Obb => Obb::new(place, [a, b], self.turn()).into(),
            Make::Capsule | Make::Segment => {
                let [dx, dy] = self.turn().apply([a, 0.0]);
                let ends = ([x - dx, y - dy], [x + dx, y + dy]);
                if make == Make::Segment {
                    return Segment::new(ends.0, ends.1).into();
                }
                Capsule::new(ends.0, ends.1, b * 0.5).into()
            }
            Make::Polygon | Make::Many | Make::RoundedPolygon | Make::Compound => {
                let polygon = self.polygon_of(make);
                let vertices = polygon.vertices().iter().map(|v| [v.x + x, v.y + y]);
                let moved: Vec<_> = vertices.collect();
                // If coordinates are coarse, little of the polygon may remain.
                match self.hull(&moved) {
                    Some(moved) => moved.with_radius(polygon.radius()).unwrap().into(),
                    None => Circle::new(place, a).into(),
                }
            }
        }
    }

    fn polygon_of(&mut self, make: Make) -> ConvexPolygon {
        let few = 3 + self.rng.below(6) as usize;
        match make {
            Make::Many => {
                let many = 9 + self.rng.below(32) as usize;
                self.polygon(many)
            }
            Make::RoundedPolygon => {
                let any = 3 + self.rng.below(16) as usize;
                let polygon = self.polygon(any);
                self.rounded(polygon)
            }
            _ => self.polygon(few),
        }
    }

    /// A shape at `place`, by its own coordinates or by a pose.
    pub fn solid(&mut self, make: Make, place: [f32; 2]) -> PosedShape {
        let pose = Pose::new(place, self.turn());
        if make == Make::Compound {
            let count = 1 + self.rng.below(4);
            let parts: Vec<Part> = (0..count)
                .map(|_| {
                    let make = Make::SINGLE[self.rng.below(10) as usize];
                    let place = [(); 2].map(|()| (self.place(1.5) - 0.75) * self.unit);
                    self.part(make, place)
                })
                .collect();
            return PosedShape::at(Compound::new(parts).unwrap(), pose);
        }
        if self.rng.below(2) == 0 {
            return self.part(make, place).into();
        }
        let part = match make {
            Make::Polygon | Make::Many | Make::RoundedPolygon => self.polygon_of(make).into(),
            _ => self.part(make, [0.0, 0.0]),
        };
        PosedShape::at(part, pose)
    }
}
