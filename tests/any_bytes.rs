//! Bytes as numbers and shapes, for fuzz targets and for tests with random bytes.
#![allow(dead_code, reason = "each test file uses a part of it")]

use widephase::shape::{
    Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Pose, Rotation,
    RoundedBox, Segment,
};

/// Bytes that are read one after the other; zeros behind the last byte.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    pub(crate) fn bits(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.byte()))
    }

    /// Often a small multiple of a quarter, so that much touches or coincides, sometimes a number
    /// of any size, rarely any bits.
    pub(crate) fn number(&mut self) -> f32 {
        let small = |byte: u8| f32::from(byte as i8) * 0.25;
        match self.byte() {
            0..160 => small(self.byte()),
            160..216 => f32::from(self.bits() as i16) / 1024.0,
            216..248 => small(self.byte()) * f32::from(self.byte() as i8).exp2(),
            248..252 => f32::from_bits(self.bits()),
            252 => f32::from_bits(self.bits() & 0xFFFF),
            253 => 60.0_f32.exp2() * if self.byte() < 128 { 1.0 } else { -1.0 },
            254 => f32::MAX,
            _ => f32::NAN,
        }
    }

    /// A number that is valid as a coordinate.
    pub(crate) fn coordinate(&mut self) -> f32 {
        let number = self.number();
        if number.abs() <= 60.0_f32.exp2() { number } else { 1.0 }
    }

    pub(crate) fn size(&mut self) -> f32 {
        self.coordinate().abs()
    }

    pub(crate) fn point(&mut self) -> [f32; 2] {
        [self.coordinate(), self.coordinate()]
    }

    pub(crate) fn rotation(&mut self) -> Rotation {
        match self.byte() {
            0..64 => Rotation::IDENTITY,
            64..128 => Rotation { cos: 0.0, sin: 1.0 },
            128..192 => Rotation { cos: 0.6, sin: 0.8 },
            byte => Rotation::from_angle(f32::from(byte)),
        }
    }

    /// A box from its lower left to its upper right corner.
    pub(crate) fn sides(&mut self) -> Aabb {
        let ([ax, ay], [bx, by]) = (self.point(), self.point());
        Aabb::new([ax.min(bx), ay.min(by)], [ax.max(bx), ay.max(by)])
    }

    pub(crate) fn part(&mut self) -> Option<Part> {
        Some(match self.byte() % 9 {
            0 => Point::new(self.point()).into(),
            1 => Circle::new(self.point(), self.size()).into(),
            2 => self.sides().into(),
            3 => RoundedBox::new(self.sides(), self.size()).into(),
            4 => Obb::new(self.point(), [self.size(), self.size()], self.rotation()).into(),
            5 => Segment::new(self.point(), self.point()).into(),
            6 => Capsule::new(self.point(), self.point(), self.size()).into(),
            kind => {
                let points: Vec<[f32; 2]> =
                    (0..3 + self.byte() % 8).map(|_| self.point()).collect();
                let polygon = ConvexPolygon::hull(&points).ok()?;
                let radius = if kind == 7 { 0.0 } else { self.size() };
                polygon.with_radius(radius).ok()?.into()
            }
        })
    }

    pub(crate) fn shape(&mut self) -> Option<OwnedShape> {
        if self.byte() > 32 {
            return self.part().map(OwnedShape::from);
        }
        let parts: Vec<Part> = (0..1 + self.byte() % 3).filter_map(|_| self.part()).collect();
        Compound::new(parts).ok().map(OwnedShape::from)
    }

    pub(crate) fn pose(&mut self) -> Option<Pose> {
        (self.byte() < 96).then(|| Pose::new(self.point(), self.rotation()))
    }
}
