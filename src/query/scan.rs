//! Scans: fans of rays from one origin each, as of a lidar.

use super::{Seen, record::Ray, rings::Rings, search::Search, solids::Solids};
use crate::{
    Error, Index,
    base::parallel::{self, Divide},
    error::{Fault, Field},
    narrowphase::{Room, check_most},
    shape::{Pose, Rotation, check::coordinate_fault},
    simd::map_each,
};

/// A fan of rays with equal angular steps, as a lidar casts them.
///
/// Ray `k` has the angle `first_angle + k * step` from the heading of the sensor, in radians,
/// counter-clockwise where y points up.
///
/// ```
/// use widephase::{Columns, Fan, Index, ScanColumns, shape::Pose};
///
/// let index = Index::build(Columns::circles(&[5.0, 0.0], &[0.0, -3.0], &[1.0, 1.0])?)?;
/// // Four rays, a right angle apart, up to 10 away.
/// let fan = Fan::around(4, 10.0);
/// let mut scan = ScanColumns::new();
/// index.scan(&fan, &[Pose::at([0.0, 0.0])], &mut scan)?;
/// assert_eq!(scan.range, [4.0, f32::INFINITY, f32::INFINITY, 2.0]);
/// assert_eq!((scan.row[0], scan.row[1], scan.row[3]), (0, ScanColumns::NO_ROW, 1));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fan {
    /// The directions of the rays of a sensor without rotation.
    directions: Vec<[f32; 2]>,
    pub(super) first_angle: f64,
    pub(super) step: f64,
    max_range: f32,
}

impl Fan {
    /// A fan of `rays` rays. `first_angle` is the angle of the first one, and `step` that from one
    /// to the next, in radians. `max_range` is the largest distance, at least 0; infinity for no
    /// limit. The values are checked by [`Index::scan`].
    ///
    /// Allocates 8 bytes a ray. Sine and cosine come from the platform, as in
    /// [`Rotation::from_angle`].
    pub fn new(rays: usize, first_angle: f32, step: f32, max_range: f32) -> Self {
        Self::of(rays, f64::from(first_angle), f64::from(step), max_range)
    }

    /// A fan of `rays` rays all around, the first one straight ahead.
    pub fn around(rays: usize, max_range: f32) -> Self {
        Self::of(rays, 0.0, std::f64::consts::TAU / rays.max(1) as f64, max_range)
    }

    fn of(rays: usize, first_angle: f64, step: f64, max_range: f32) -> Self {
        let directions = (0..rays).map(|ray| {
            let (sin, cos) = (first_angle + ray as f64 * step).sin_cos();
            // A quarter turn is exact.
            map_each([cos, sin], |part| if part.abs() < EXACT { 0.0 } else { part as f32 })
        });
        Self { directions: directions.collect(), first_angle, step, max_range }
    }

    /// The number of rays.
    pub fn rays(&self) -> usize {
        self.directions.len()
    }

    /// The largest distance.
    pub fn max_range(&self) -> f32 {
        self.max_range
    }

    /// A ray of the fan of a sensor at `pose`: its direction is [`Rotation::apply`] of that of the
    /// fan, of length 1 within roundings. (0, 0) for a number beyond the rays.
    pub fn ray(&self, pose: Pose, number: usize) -> Ray {
        let direction = self.direction(heading(pose), number);
        Ray::new([pose.x, pose.y], direction).up_to(self.max_range)
    }

    /// The direction of a ray of a sensor with this rotation.
    #[inline]
    pub(super) fn direction(&self, heading: Rotation, number: usize) -> [f32; 2] {
        heading.apply(self.directions.get(number).copied().unwrap_or_default())
    }

    fn check(&self) -> Result<(), Error> {
        for angle in [self.first_angle, self.step] {
            if !angle.is_finite() {
                let (field, value) = (Field::Angle, angle as f32);
                let fault = if angle.is_nan() { Fault::NotANumber } else { Fault::Infinite };
                return Err(Error::InvalidQuery { index: 0, field, value, fault });
            }
        }
        check_most(0, Field::MaxDistance, self.max_range)
    }
}

/// The rotation of a sensor, at length 1.
pub(super) fn heading(pose: Pose) -> Rotation {
    Rotation { cos: pose.cos, sin: pose.sin }.at_length_one()
}

/// Sines and cosines below this are zeros: a multiple of π/2 in `f64` is off by less.
const EXACT: f64 = 1e-15;

/// The ranges of scans as columns: `rays` values for each sensor, one sensor after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScanColumns {
    /// The distance along each ray to the first shape, or infinity if there is none in range.
    pub range: Vec<f32>,
    /// The row of that shape, or [`NO_ROW`](ScanColumns::NO_ROW).
    pub row: Vec<u32>,
}

impl ScanColumns {
    /// The row of a ray that hits nothing.
    pub const NO_ROW: u32 = u32::MAX;

    /// Empty columns.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Index {
    /// Replaces `scan` by the ranges of a fan of rays from each pose.
    ///
    /// Each range is the fraction of the hit of [`cast_ray`](Index::cast_ray) for
    /// [`Fan::ray`], with the same bits, and each row is its row: for every finite angle and step,
    /// and in scenes of any size. Of a first angle beyond 2^38 radians, rays are cast one by one.
    ///
    /// In plain words: the loop over rays is turned round. The shapes around a sensor are taken
    /// ring by ring. Each shape is projected onto the rays that it may cover, and each ray keeps
    /// the nearest shape. Only that one is then decided exactly. A shape that another one nearly
    /// ties with is decided by a single ray. (The loop over shapes instead of rays is that of GRCA,
    /// arXiv 2605.10457.)
    ///
    /// Costs about 0.1 µs a ray, a third of a single ray (AVX2; docs/queries.md). Many sensors are
    /// divided over [`Options::threads`](crate::Options::threads).
    ///
    /// # Errors
    /// [`Error::InvalidQuery`] for a fan or a position with an invalid value, and
    /// [`Error::InvalidShape`] for a rotation, with the number of the pose. `scan` is then empty.
    pub fn scan(&self, fan: &Fan, poses: &[Pose], scan: &mut ScanColumns) -> Result<(), Error> {
        self.all().scan(fan, poses, scan)
    }
}

impl Seen<'_> {
    /// [`Index::scan`] among these shapes.
    ///
    /// # Errors
    /// Those of [`Index::scan`].
    pub fn scan(&self, fan: &Fan, poses: &[Pose], scan: &mut ScanColumns) -> Result<(), Error> {
        let ScanColumns { range, row } = scan;
        range.clear();
        row.clear();
        fan.check()?;
        for (index, pose) in poses.iter().enumerate() {
            for (field, value) in [(Field::X, pose.x), (Field::Y, pose.y)] {
                if let Some(fault) = coordinate_fault(value) {
                    return Err(Error::InvalidQuery { index, field, value, fault });
                }
            }
            Rotation { cos: pose.cos, sin: pose.sin }.checked(index)?;
        }
        let search = self.search();
        let rays = fan.rays();
        range.resize(poses.len() * rays, f32::INFINITY);
        row.resize(poses.len() * rays, ScanColumns::NO_ROW);
        let threads = search.on_pool(range.len() / 8);
        let solids = search.solids();
        let sensors = Sensors { search: &search, solids: &solids, fan, poses, range, row };
        parallel::enter(threads, || parallel::run(sensors, threads));
        Ok(())
    }
}

/// The scans of some sensors.
struct Sensors<'a, 'b> {
    search: &'a Search<'a>,
    solids: &'a Solids<'a>,
    fan: &'a Fan,
    poses: &'a [Pose],
    range: &'b mut [f32],
    row: &'b mut [u32],
}

impl Divide for Sensors<'_, '_> {
    fn tasks(&self) -> usize {
        self.poses.len()
    }

    fn split(self, tasks: usize) -> (Self, Self) {
        let Self { fan, .. } = self;
        let (poses, other_poses) = self.poses.split_at(tasks);
        let (range, other_range) = self.range.split_at_mut(tasks * fan.rays());
        let (row, other_row) = self.row.split_at_mut(tasks * fan.rays());
        let first = Self { poses, range, row, ..self };
        (first, Self { poses: other_poses, range: other_range, row: other_row, ..self })
    }

    fn work(self) {
        let Self { search, solids, fan, poses, range, row } = self;
        let (mut room, mut rings) = (Room::default(), Rings::default());
        let rays = fan.rays().max(1);
        let outputs = range.chunks_exact_mut(rays).zip(row.chunks_exact_mut(rays));
        for (pose, (range, row)) in poses.iter().zip(outputs) {
            let swept = rings.sweep(search, fan, *pose);
            let (heading, origin) = (heading(*pose), [pose.x, pose.y]);
            for (number, (range, row)) in range.iter_mut().zip(row).enumerate() {
                let ray = Ray::new(origin, fan.direction(heading, number)).up_to(fan.max_range());
                let path = ray.unchecked_path();
                let hit = match swept.then(|| rings.nearest(number)) {
                    None => search.first_hit(&path, solids, &mut room),
                    Some(None) => None,
                    Some(Some(nearest)) => {
                        let hit = search.hit(&path, solids, nearest.place, &mut room);
                        match hit {
                            Some(hit) if hit.fraction < nearest.others => Some(hit),
                            None if fan.max_range() < nearest.others => None,
                            _ => search.first_hit(&path, solids, &mut room),
                        }
                    }
                };
                if let Some(hit) = hit {
                    (*range, *row) = (hit.fraction, hit.row);
                }
            }
        }
    }
}
