//! The queries about a scene: a point near each body, and rays from there.

use widephase::Ray;

/// The length of a ray, in units of length.
pub(crate) const RAY_LENGTH: f32 = 100.0;

/// Points and rays, the memory of which is reused.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// A point near each body: x, y.
    pub(crate) points: [Vec<f32>; 2],
    /// A ray from each point.
    pub(crate) rays: Vec<Ray>,
}

impl Asked {
    /// Puts a point within two units of each centre, along each axis.
    pub(crate) fn fill_points(&mut self, centers: [&[f32]; 2]) {
        for (axis, points) in self.points.iter_mut().enumerate() {
            let offset = |row: usize| (scrambled(row, axis as u32) % 256) as f32 / 64.0 - 2.0;
            points.clear();
            points.extend(centers[axis].iter().enumerate().map(|(row, at)| at + offset(row)));
        }
    }

    /// Casts a ray from each point towards any centre, or along x if it is there.
    pub(crate) fn fill_rays(&mut self, [x, y]: [&[f32]; 2]) {
        let Self { points: [from_x, from_y], rays } = self;
        rays.clear();
        rays.extend((0..x.len()).map(|row| {
            let to = scrambled(row, 2) as usize % x.len();
            let (dx, dy) = (x[to] - from_x[row], y[to] - from_y[row]);
            let scale = RAY_LENGTH / dx.hypot(dy);
            let far = [dx * scale, dy * scale];
            let is_direction = far.iter().all(|along| along.is_finite());
            let direction = if is_direction { far } else { [RAY_LENGTH, 0.0] };
            Ray::new([from_x[row], from_y[row]], direction).up_to(1.0)
        }));
    }
}

/// A number that looks random. Multiplications by odd numbers, as in a hash table.
fn scrambled(row: usize, salt: u32) -> u32 {
    let mixed = (row as u32 ^ salt.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
    (mixed ^ (mixed >> 15)).wrapping_mul(0xC2B2_AE35) >> 8
}
