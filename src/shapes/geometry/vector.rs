//! A vector in `f64`, and `Border`: the line of a half-plane.
//!
//! Own code, because no feature list gives the `f64` vectors of every version of glam in our range,
//! and because an application may turn on glam's `fast-math`, which changes bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A point or a vector in `f64`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Vector {
    pub(crate) const ZERO: Self = Self::new(0.0, 0.0);
    pub(crate) const X: Self = Self::new(1.0, 0.0);
    pub(crate) const Y: Self = Self::new(0.0, 1.0);

    #[inline(always)]
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// A point in `f64`.
    #[inline(always)]
    pub(crate) fn wide([x, y]: [f32; 2]) -> Self {
        Self::new(f64::from(x), f64::from(y))
    }

    /// The point in `f32`, with zeros that are not negative.
    #[inline(always)]
    pub(crate) fn narrow(self) -> [f32; 2] {
        [self.x as f32 + 0.0, self.y as f32 + 0.0]
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Above 0 if `other` points to the left of this vector.
    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// The vector turned left by a right angle.
    #[inline(always)]
    pub(crate) fn perp(self) -> Self {
        Self::new(-self.y, self.x)
    }

    #[inline(always)]
    pub(crate) fn length2(self) -> f64 {
        self.dot(self)
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f64 {
        self.length2().sqrt()
    }

    /// The vector at length 1, or `None` for a vector that has no direction.
    #[inline(always)]
    pub(crate) fn unit(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0).then(|| self / length)
    }
}

impl Add for Vector {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vector {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vector {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<f64> for Vector {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Div<f64> for Vector {
    type Output = Self;

    #[inline(always)]
    fn div(self, divisor: f64) -> Self {
        Self::new(self.x / divisor, self.y / divisor)
    }
}

/// A line with an outward normal: the border of the half-plane of the points `p` with
/// `normal · p <= offset`. That behind a segment has a normal of any length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Border {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
}

impl Border {
    /// The height of a point above the border.
    pub(crate) fn height(&self, point: Vector) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The lowest of some corners, and its height. Of equally low corners, the first.
    pub(crate) fn lowest(&self, corners: &[Vector]) -> (f64, Vector) {
        let mut lowest = (f64::INFINITY, Vector::ZERO);
        for corner in corners {
            let height = self.height(*corner);
            if height < lowest.0 {
                lowest = (height, *corner);
            }
        }
        lowest
    }
}
