//! `Bodies`: the rows of a rank.

use anyhow::{Result, ensure};
use widephase::{Shapes, shape::Pose};

use crate::{
    geometry::{self, CIRCLE},
    motion,
    record::{Parcel, Record},
};

/// What a row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A body of this rank that surely reaches into no other tile.
    Inner,
    /// A body of this rank that may reach into other tiles.
    Border,
    /// A body of another rank.
    Ghost,
    /// Nothing.
    Free,
}

impl Role {
    pub(crate) fn is_own(self) -> bool {
        matches!(self, Role::Inner | Role::Border)
    }
}

/// The bodies and ghosts of a rank, in rows that a body keeps from step to step.
///
/// Rows begin sorted by id. Arrivals and ghosts fill free rows, so some pairs come to be in another
/// order than their ids ([`Finder`](crate::finder::Finder) decides those twice). When many rows
/// have changed, all are sorted anew.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) records: Vec<Record>,
    pub(crate) roles: Vec<Role>,
    pub(crate) shapes: Shapes,
    /// The radius around the position of each body ([`geometry::radius_around`]).
    pub(crate) around: Vec<f32>,
    /// The floats of each row, `stride` apart.
    floats: Vec<f32>,
    stride: usize,
    free: Vec<u32>,
    /// Whether all rows have held circles only, which need no poses.
    circles: bool,
    /// How many own bodies were put into rows since the last sort.
    arrivals: usize,
    positions: [Vec<f32>; 2],
    poses: Vec<Pose>,
}

impl Bodies {
    /// No bodies. No shape will have more than `stride` floats.
    pub(crate) fn new(stride: usize) -> Self {
        Self { stride, circles: true, ..Self::default() }
    }

    /// The number of own bodies.
    pub(crate) fn len(&self) -> usize {
        self.roles.iter().filter(|role| role.is_own()).count()
    }

    /// The rows of own bodies.
    pub(crate) fn own(&self) -> impl Iterator<Item = u32> + '_ {
        let rows = self.roles.iter().enumerate();
        rows.filter(|(_, role)| role.is_own()).map(|(row, _)| row as u32)
    }

    /// A body, and the floats of its shape.
    pub(crate) fn get(&self, row: u32) -> (Record, &[f32]) {
        let record = self.records[row as usize];
        (record, &self.floats[row as usize * self.stride..][..record.floats.into()])
    }

    /// Puts all bodies of a parcel into free rows.
    pub(crate) fn put_all(&mut self, parcel: &Parcel, role: Role) -> Result<()> {
        parcel.iter().try_for_each(|(record, floats)| self.put(record, floats, role))
    }

    fn put(&mut self, record: &Record, floats: &[f32], role: Role) -> Result<()> {
        ensure!(
            floats.len() <= self.stride,
            "body {}: {} floats, where all have at most {}",
            record.id,
            floats.len(),
            self.stride
        );
        let row = self.free.pop().unwrap_or(self.records.len() as u32);
        geometry::put(&mut self.shapes, row, record, floats)?;
        let place = row as usize;
        if place == self.records.len() {
            self.records.push(*record);
            self.roles.push(role);
            self.around.push(0.0);
            self.floats.resize((place + 1) * self.stride, 0.0);
        } else {
            self.records[place] = *record;
            self.roles[place] = role;
        }
        self.floats[place * self.stride..][..floats.len()].copy_from_slice(floats);
        self.around[place] = geometry::radius_around(record.kind, floats);
        self.circles &= record.kind == CIRCLE;
        self.arrivals += usize::from(role.is_own());
        Ok(())
    }

    /// Makes a row free. Its shape stays until the row is filled or [vacated](Self::vacate).
    pub(crate) fn release(&mut self, row: u32) {
        self.roles[row as usize] = Role::Free;
        self.free.push(row);
    }

    /// Makes the rows of all ghosts free.
    pub(crate) fn release_ghosts(&mut self) {
        for row in 0..self.roles.len() as u32 {
            if self.roles[row as usize] == Role::Ghost {
                self.release(row);
            }
        }
    }

    /// Removes the shapes of the free rows, so that no contact has them.
    pub(crate) fn vacate(&mut self) -> Result<()> {
        for &row in &self.free {
            if self.shapes.kind(row).is_some() {
                self.shapes.remove(row)?;
            }
        }
        Ok(())
    }

    /// Moves the own bodies by one step.
    pub(crate) fn advance(&mut self, half_world: f32) -> Result<()> {
        for (record, role) in self.records.iter_mut().zip(&self.roles) {
            if role.is_own() {
                motion::advance(record, half_world);
            }
        }
        if self.circles {
            let [x, y] = &mut self.positions;
            x.clear();
            x.extend(self.records.iter().map(|record| record.x));
            y.clear();
            y.extend(self.records.iter().map(|record| record.y));
            self.shapes.set_positions(x, y)?;
        } else {
            self.poses.clear();
            self.poses.extend(self.records.iter().map(Record::pose));
            self.shapes.set_poses(&self.poses)?;
        }
        Ok(())
    }

    /// Whether more than an eighth of the rows are vacant, or hold arrivals.
    pub(crate) fn is_disordered(&self) -> bool {
        (self.arrivals + self.shapes.vacant()) * 8 > self.records.len()
    }

    /// Sorts the own bodies by id, and drops all else.
    pub(crate) fn sort(&mut self) -> Result<()> {
        let mut order: Vec<(u64, u32)> =
            self.own().map(|row| (self.records[row as usize].id, row)).collect();
        order.sort_unstable();
        let mut sorted = Self::new(self.stride);
        sorted.shapes.reserve(order.len());
        for (_, row) in order {
            let (record, floats) = self.get(row);
            sorted.put(&record, floats, self.roles[row as usize])?;
        }
        sorted.arrivals = 0;
        *self = sorted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn circles(ids: &[u64]) -> Parcel {
        let mut parcel = Parcel::default();
        for &id in ids {
            let record = Record { id, x: id as f32, cos: 1.0, floats: 1, ..Record::zeroed() };
            parcel.push(record, &[0.5 + id as f32]);
        }
        parcel
    }

    fn ids(bodies: &Bodies) -> Vec<u64> {
        bodies.own().map(|row| bodies.records[row as usize].id).collect()
    }

    #[test]
    fn free_rows_are_filled_and_the_rest_is_vacated() {
        let mut bodies = Bodies::new(1);
        bodies.put_all(&circles(&[1, 2, 3, 4]), Role::Inner).unwrap();
        bodies.put_all(&circles(&[8, 9]), Role::Ghost).unwrap();
        bodies.release(1);
        bodies.release_ghosts();
        bodies.put_all(&circles(&[5]), Role::Inner).unwrap();
        bodies.vacate().unwrap();
        assert_eq!((ids(&bodies), bodies.len()), (vec![1, 3, 4, 5], 4));
        assert_eq!((bodies.shapes.rows(), bodies.shapes.len()), (6, 4));
        bodies.advance(100.0).unwrap();
        let row = bodies.own().last().unwrap();
        let bounds = bodies.shapes.bounds(row).unwrap();
        assert_eq!((bounds.min_x, bounds.radius, bodies.get(row).1), (5.0, 5.5, &[5.5][..]));
    }

    #[test]
    fn sorted_by_id() {
        let mut bodies = Bodies::new(1);
        bodies.put_all(&circles(&[4, 1, 3]), Role::Inner).unwrap();
        bodies.put_all(&circles(&[2]), Role::Ghost).unwrap();
        assert!(bodies.is_disordered());
        bodies.sort().unwrap();
        assert_eq!((ids(&bodies), bodies.shapes.rows()), (vec![1, 3, 4], 3));
        assert_eq!(bodies.shapes.bounds(1).unwrap().radius, 3.5);
        assert!(!bodies.is_disordered());
    }

    #[test]
    fn bad_bodies_are_errors() {
        let mut bad = circles(&[7]);
        bad.records[0].kind = 99;
        let error = Bodies::new(1).put_all(&bad, Role::Inner).unwrap_err();
        assert_eq!(format!("{error:#}"), "body 7: no shape of kind 99 has 1 floats");
        let mut bad = circles(&[7]);
        bad.floats[0] = f32::NAN;
        assert!(Bodies::new(1).put_all(&bad, Role::Inner).is_err());
        assert!(Bodies::new(0).put_all(&circles(&[7]), Role::Inner).is_err());
    }
}
