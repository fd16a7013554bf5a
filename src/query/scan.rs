//! Scans: fans of rays from one origin each, as of a lidar.

use super::{
    IndexView,
    fan::{Fan, heading},
    record::Ray,
    rings::ScanRings,
    search::IndexSearch,
    solids::Solids,
};
use crate::{
    Error,
    base::parallel::{self, Divide},
    error::Field,
    narrowphase::SolidWorkspace,
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

pub(super) fn scan(
    view: &IndexView<'_>,
    fan: &Fan,
    poses: &[Pose],
    scan: &mut ScanColumns,
) -> Result<(), Error> {
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
    let search = view.search();
    let rays = fan.rays();
    range.resize(poses.len() * rays, f32::INFINITY);
    row.resize(poses.len() * rays, ScanColumns::NO_ROW);
    let threads = search.on_pool(range.len() / 8);
    let solids = search.solids();
    let sensors = Sensors { search: &search, solids: &solids, fan, poses, range, row };
    parallel::enter(threads, || parallel::run(sensors, threads));
    Ok(())
}

/// The scans of some sensors.
struct Sensors<'a, 'b> {
    search: &'a IndexSearch<'a>,
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
        let (mut room, mut rings) = (SolidWorkspace::default(), ScanRings::default());
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
