//! Scans: fans of rays, each from one origin, as of a lidar.

use super::{
    IndexView,
    first_hits::Decision,
    projection::Fan,
    rays::EnteredPart,
    record::{Ray, ScanColumns},
    rings::ScanRings,
    search::IndexSearch,
    solids::Solids,
};
use crate::{
    base::{
        buffer::overwrite,
        parallel::{self, Divide},
    },
    error::{Error, Field},
    geometry::Path,
    grid::RAYS,
    narrowphase::SolidWorkspace,
    shape::{Pose, Rotation, RoundedBox, check::coordinate_fault},
};

pub(super) fn scan(
    view: &IndexView<'_>,
    fan: &Fan,
    poses: &[Pose],
    scan: &mut ScanColumns,
) -> Result<(), Error> {
    let ScanColumns { range, row } = scan;
    if let Err(error) = check(fan, poses).and_then(|()| view.check(poses.len())) {
        range.clear();
        row.clear();
        return Err(error);
    }
    for layer in view.layers() {
        if layer.layer == 0 {
            scan_layer(&layer, fan, poses, range, row)?;
            continue;
        }
        let (mut more, mut rows) = (Vec::new(), Vec::new());
        if let Err(error) = scan_layer(&layer, fan, poses, &mut more, &mut rows) {
            range.clear();
            row.clear();
            return Err(error);
        }
        let other = more.iter().zip(&rows);
        for ((range, row), (more, other)) in range.iter_mut().zip(&mut *row).zip(other) {
            if more < range || more == range && other < row {
                (*range, *row) = (*more, *other);
            }
        }
    }
    Ok(())
}

/// Replaces the ranges and rows by the ranges and rows of the shapes of a layer.
fn scan_layer(
    view: &IndexView<'_>,
    fan: &Fan,
    poses: &[Pose],
    range: &mut Vec<f32>,
    row: &mut Vec<u32>,
) -> Result<(), Error> {
    let search = view.search();
    let rays = fan.rays();
    // All values are replaced.
    let len = poses.len().saturating_mul(rays);
    if !overwrite(range, len) || !overwrite(row, len) {
        range.clear();
        row.clear();
        return Err(Error::OutOfMemory { len });
    }
    let threads = search.on_pool(range.len() / 8);
    let sensors = Sensors { view, search, fan, first: 0, poses, range, row };
    parallel::enter(threads, || parallel::run(sensors, threads));
    Ok(())
}

fn check(fan: &Fan, poses: &[Pose]) -> Result<(), Error> {
    fan.check()?;
    for (index, pose) in poses.iter().enumerate() {
        for (field, value) in [(Field::X, pose.x), (Field::Y, pose.y)] {
            if let Some(fault) = coordinate_fault(value) {
                return Err(Error::InvalidQuery { index, field, value, fault });
            }
        }
        Rotation { cos: pose.cos, sin: pose.sin }.checked(index)?;
    }
    Ok(())
}

/// The scans of some sensors.
struct Sensors<'a, 'b> {
    view: &'a IndexView<'a>,
    /// The search of the first sensor of the call.
    search: IndexSearch<'a>,
    fan: &'a Fan,
    /// The number of the first of these sensors.
    first: usize,
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
        let one = Self { poses, range, row, ..self };
        let first = self.first + tasks;
        (one, Self { first, poses: other_poses, range: other_range, row: other_row, ..self })
    }

    fn work(self) {
        let Self { view, search, fan, first, poses, range, row } = self;
        let mut scanner = Scanner::of(search, fan);
        let rays = fan.rays().max(1);
        let outputs = range.chunks_exact_mut(rays).zip(row.chunks_exact_mut(rays));
        for ((number, pose), (range, row)) in (first..).zip(poses).zip(outputs) {
            let around = || reached(*pose, fan.max_range());
            if !view.covers(around) {
                range.fill(f32::INFINITY);
                row.fill(ScanColumns::NO_ROW);
                continue;
            }
            if view.differs() {
                scanner.see(view.of_query(number).search());
            }
            scanner.scan(*pose, range, row);
        }
    }
}

/// The most rays in turn that are decided together.
const RAYS_PER_RUN: usize = 32;

/// The box around the rays of a sensor.
fn reached(Pose { x, y, .. }: Pose, max_range: f32) -> RoundedBox {
    RoundedBox { min_x: x, min_y: y, max_x: x, max_y: y, radius: max_range }
}

/// Makes one scan after the other.
struct Scanner<'a> {
    search: IndexSearch<'a>,
    solids: Solids<'a>,
    fan: &'a Fan,
    workspace: SolidWorkspace,
    rings: ScanRings,
    /// The numbers of rays that are cast alone.
    open: Vec<u32>,
}

impl<'a> Scanner<'a> {
    fn of(search: IndexSearch<'a>, fan: &'a Fan) -> Self {
        let (workspace, rings) = (SolidWorkspace::default(), ScanRings::NONE);
        Self { search, solids: search.solids(), fan, workspace, rings, open: Vec::new() }
    }

    /// Scans other shapes from now on.
    fn see(&mut self, search: IndexSearch<'a>) {
        (self.search, self.solids) = (search, search.solids());
    }

    /// Writes the ranges and rows of the rays of a sensor.
    fn scan(&mut self, pose: Pose, range: &mut [f32], row: &mut [u32]) {
        self.open.clear();
        let Self { search, solids, fan, workspace, rings, .. } = self;
        if !rings.sweep(search, solids, fan, pose, &mut workspace.parts[0].corners) {
            self.open.extend(0..self.fan.rays() as u32);
            return self.cast(pose, range, row);
        }
        let circles = self.solids.circles().is_some();
        if let Some(shapes) = self.solids.boxes() {
            let (rings, open, max_range) = (&self.rings, &mut self.open, self.fan.max_range());
            let (ids, origin) = (self.search.ids(), [pose.x, pose.y]);
            self.search.dispatch(Decision {
                rings,
                shapes,
                circles,
                ids,
                origin,
                max_range,
                range,
                row,
                open,
            });
        } else {
            self.open.extend(0..self.fan.rays() as u32);
        }
        if !circles {
            self.decide(pose, range, row);
        }
        self.cast(pose, range, row);
    }

    /// Decides the open rays of a scan, except those that are cast alone. Rays in turn mostly see
    /// the same shape, which is put together once for them.
    fn decide(&mut self, pose: Pose, range: &mut [f32], row: &mut [u32]) {
        let Self { search, solids, fan, workspace, rings, open } = self;
        let (mut paths, mut entered) =
            ([Path::POINT; RAYS_PER_RUN], [EnteredPart::NONE; RAYS_PER_RUN]);
        let (mut at, mut left) = (0, 0);
        while at < open.len() {
            let place_of = |number: &u32| Some(rings.nearest(*number as usize)?.0);
            let Some(place) = place_of(&open[at]) else {
                let number = open[at] as usize;
                (range[number], row[number]) = (f32::INFINITY, ScanColumns::NO_ROW);
                at += 1;
                continue;
            };
            let most = if solids.has_tree(place) { 1 } else { RAYS_PER_RUN };
            let alike = open[at..].iter().take(most);
            let len = alike.take_while(|number| place_of(number) == Some(place)).count();
            for (path, number) in paths.iter_mut().zip(&open[at..at + len]) {
                let ray = Ray::new([pose.x, pose.y], rings.direction(*number as usize));
                *path = ray.up_to(fan.max_range()).unchecked_path();
            }
            entered[..len].fill(EnteredPart::NONE);
            search.enter_parts(&paths[..len], solids, place, workspace, &mut entered[..len]);
            for (number, found) in (at..at + len).zip(&entered) {
                let ray = open[number] as usize;
                let others = rings.nearest(ray).map_or(f32::INFINITY, |(_, others)| others);
                let fraction = found.fraction() as f32 + 0.0;
                let is_first = fraction < others;
                range[ray] = if is_first { fraction } else { f32::INFINITY };
                row[ray] = if is_first { solids.row(place) as u32 } else { ScanColumns::NO_ROW };
                let misses = fraction == f32::INFINITY && fan.max_range() < others;
                if !is_first && !misses {
                    open[left] = ray as u32;
                    left += 1;
                }
            }
            at += len;
        }
        open.truncate(left);
    }

    /// Casts the rays that are left open.
    fn cast(&mut self, pose: Pose, range: &mut [f32], row: &mut [u32]) {
        let Self { search, solids, fan, workspace, rings, open } = self;
        let mut rays = [Ray::default(); RAYS];
        for numbers in open.chunks(RAYS) {
            for (ray, number) in rays.iter_mut().zip(numbers) {
                *ray = fan.ray(pose, *number as usize);
            }
            let (rays, mut hits) = (&rays[..numbers.len()], [None; RAYS]);
            let hits = &mut hits[..numbers.len()];
            search.first_hits(rays, solids, workspace, &mut rings.few, hits);
            for (number, hit) in numbers.iter().zip(hits) {
                let number = *number as usize;
                range[number] = hit.map_or(f32::INFINITY, |hit| hit.fraction);
                row[number] = hit.map_or(ScanColumns::NO_ROW, |hit| hit.row);
            }
        }
    }
}
