//! `Planes`: a convex shape around a sensor as half-planes, for lower bounds of its rays.

use super::packet::{PACKET_SLACK, Packet};
use crate::{
    geometry::{Solid, Vector},
    simd::{Simd, map_each},
};

/// Half-planes whose intersection holds a convex shape. The sensor is at the origin.
#[derive(Default)]
pub(super) struct Planes {
    /// The number of planes that do not hold the sensor. They come first.
    outer: usize,
    count: usize,
    /// The normals, of length 1 within roundings, and how far the planes are along them.
    normal: [[f32; MAX_PLANES]; 2],
    offset: [f32; MAX_PLANES],
}

/// A shape of more sides is seen as its box.
const MAX_PLANES: usize = 8;

impl Planes {
    /// The planes of a solid around a sensor at `origin`, each further out by `slack`; `None` if
    /// the solid has no corners, or too many corners.
    pub(super) fn of(solid: &Solid<'_>, origin: Vector, slack: f32) -> Option<Self> {
        let mut planes = Self::default();
        match solid.corners {
            [from, to] => {
                // A segment also has planes at its ends.
                let way = *to - *from;
                for normal in [way.perp(), -way.perp(), way, -way] {
                    planes.add(solid, origin, normal, slack);
                }
            }
            corners @ [_, _, _, ..] if corners.len() <= MAX_PLANES => {
                for (number, from) in corners.iter().enumerate() {
                    let to = corners[(number + 1) % corners.len()];
                    planes.add(solid, origin, -(to - *from).perp(), slack);
                }
            }
            _ => return None,
        }
        Some(planes)
    }

    /// Adds the plane that a solid touches from inside, with an outward normal of any length.
    fn add(&mut self, solid: &Solid<'_>, origin: Vector, normal: Vector, slack: f32) {
        let Some(normal) = normal.unit() else { return };
        // All corners are measured along the rounded normal, which leans a little.
        let [x, y] = normal.narrow();
        let normal = Vector::wide([x, y]);
        let along = solid.corners.iter().map(|corner| normal.dot(*corner - origin));
        let furthest = along.fold(f64::NEG_INFINITY, f64::max);
        let offset = (furthest + solid.radius) as f32 + slack;
        let at = if offset < 0.0 { self.outer } else { self.count };
        let [xs, ys] = &mut self.normal;
        (xs[self.count], ys[self.count], self.offset[self.count]) =
            (xs[at], ys[at], self.offset[at]);
        (xs[at], ys[at], self.offset[at]) = (x, y, offset);
        self.outer += usize::from(offset < 0.0);
        self.count += 1;
    }

    /// Less than the fractions at which rays enter the shape; infinity for rays that miss it.
    ///
    /// A ray enters where it has entered all planes that do not hold the sensor, if it has not left
    /// another plane by then. [`PACKET_SLACK`] is more than the error of the cosine between a ray
    /// and a normal, and is taken from the side that makes the bound lower.
    #[inline(always)]
    pub(super) fn bound<S: Simd>(&self, simd: S, packet: &Packet, at: usize) -> S::F32 {
        let [ux, uy] = map_each([0, 1], |axis: usize| simd.load(&packet.direction[axis], at));
        let (zero, slack) = (simd.splat(0.0), simd.splat(PACKET_SLACK));
        let (mut enter, mut leave) = (zero, simd.splat(f32::INFINITY));
        for plane in 0..self.count {
            let [x, y] = [simd.splat(self.normal[0][plane]), simd.splat(self.normal[1][plane])];
            let cosine = simd.add(simd.mul(ux, x), simd.mul(uy, y));
            let offset = simd.splat(self.offset[plane]);
            if plane < self.outer {
                // A ray that does not come nearer to the plane never enters it.
                let steep = simd.max(simd.sub(slack, cosine), zero);
                enter = simd.max(enter, simd.div(simd.neg(offset), steep));
            } else {
                let steep = simd.max(simd.sub(cosine, slack), simd.splat(f32::MIN_POSITIVE));
                leave = simd.min(leave, simd.div(offset, steep));
            }
        }
        let least = simd.mul(enter, simd.splat(1.0 - PACKET_SLACK));
        simd.select(simd.le(least, leave), least, simd.splat(f32::INFINITY))
    }
}
