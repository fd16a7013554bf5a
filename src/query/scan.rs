//! Scans: fans of rays from one origin each, as of a lidar.

use super::{
    Seen,
    fan::{Fan, heading},
    record::Ray,
    rings::Rings,
    search::Search,
    solids::Solids,
};
use crate::{
    Error, Index,
    base::parallel::{self, Divide},
    error::Field,
    narrowphase::Room,
    shape::{Pose, Rotation, check::coordinate_fault},
};

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
    /// ties with is decided by a single ray. (The loop over shapes instead of rays is from GRCA,
    /// arXiv 2605.10457.)
    ///
    /// Costs about 0.1 µs a ray, a third of a single ray (AVX2; docs/performance.md). Many sensors
    /// are divided over [`Options::threads`](crate::Options::threads).
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
    /// The errors of [`Index::scan`].
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
