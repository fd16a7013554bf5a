//! `Bodies`: the bodies of a world, one in each row of a store.

use super::{Body, Handle, Motion};
use crate::{
    Error, Shapes,
    bytes::Reader,
    error::Field,
    shape::{Pose, Shape},
};

/// The bodies of a world. A body keeps its row; the rows of removed bodies are used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    pub(super) shapes: Shapes,
    /// The handle of the body of each row, as a number; of a vacant row, that of its last body.
    pub(super) ids: Vec<u64>,
    pub(super) users: Vec<u64>,
    pub(super) motions: Vec<Motion>,
    /// The vacant rows that may be used again. The last one is used first.
    pub(super) free: Vec<u32>,
    /// The rows of moving bodies, and of the others, ascending; not known after a change.
    rows: Option<[Vec<u32>; 2]>,
    spare: [Vec<u32>; 2],
    /// Workspace of [`move_all`](Bodies::move_all).
    spread: [Vec<f32>; 4],
    /// Whether a body that does not move was inserted, removed or changed since the last step.
    pub(super) still_changed: bool,
}

impl Bodies {
    pub(super) fn insert(&mut self, shape: impl Shape, body: Body) -> Result<Handle, Error> {
        let row = match (self.free.last(), body.pose) {
            (Some(&row), pose) => {
                self.shapes.set(row, shape)?;
                if let Some(pose) = pose
                    && let Err(error) = self.shapes.set_pose(row, pose)
                {
                    self.shapes.remove(row)?;
                    return Err(error);
                }
                row
            }
            (None, Some(pose)) => self.shapes.push_at(shape, pose)?,
            (None, None) => self.shapes.push(shape)?,
        };
        self.adopt(row, body)
    }

    /// Inserts a body whose shape is the next row of a snapshot or a recording.
    pub(super) fn read_body(
        &mut self,
        body: Body,
        reader: &mut Reader<'_>,
    ) -> Result<Handle, Error> {
        let row = match self.free.last() {
            Some(&row) => row as usize,
            None => self.shapes.push_vacant()?,
        };
        match self.shapes.read_row(row, reader)? {
            true => self.adopt(row as u32, body),
            false => Err(reader.wrong(0_u8)),
        }
    }

    /// Makes a body of the shape in a row: in the row of the last free one, or in a new row.
    fn adopt(&mut self, row: u32, body: Body) -> Result<Handle, Error> {
        let (Body { motion, filter, user, .. }, at) = (body, row as usize);
        if self.free.pop().is_none() {
            self.ids.push(u64::from(row));
            self.users.push(user);
            self.motions.push(motion);
        }
        if filter != Default::default() {
            self.shapes.set_filter(row, filter)?;
        }
        // One generation more. The row was not free if it had no generation left.
        self.ids[at] += 1 << 32;
        (self.users[at], self.motions[at]) = (user, motion);
        self.changed(motion);
        self.rows = None;
        Ok(self.handle(row).unwrap_or_else(|| unreachable!("the row is taken")))
    }

    /// Removes a body, and returns the value of the caller.
    pub(super) fn remove(&mut self, handle: Handle) -> Result<u64, Error> {
        let row = self.row(handle)?;
        self.shapes.remove(row)?;
        if handle.generation() < u32::MAX {
            self.free.push(row);
        }
        let motion = self.motions[row as usize];
        self.changed(motion);
        self.rows = None;
        Ok(self.users[row as usize])
    }

    /// The row of a body.
    pub(super) fn row(&self, handle: Handle) -> Result<u32, Error> {
        let row = handle.row();
        match self.contains(handle) {
            true => Ok(row),
            false => Err(Error::StaleHandle { handle }),
        }
    }

    pub(super) fn contains(&self, handle: Handle) -> bool {
        self.handle(handle.row()) == Some(handle)
    }

    /// The handle of the body in a row; `None` for a vacant row.
    pub(super) fn handle(&self, row: u32) -> Option<Handle> {
        self.shapes.kind(row)?;
        Handle::from_bits(self.ids[row as usize])
    }

    pub(super) fn motion(&self, row: u32) -> Motion {
        self.motions[row as usize]
    }

    pub(super) fn set_motion(&mut self, handle: Handle, motion: Motion) -> Result<(), Error> {
        let row = self.row(handle)? as usize;
        let before = std::mem::replace(&mut self.motions[row], motion);
        if before != motion {
            self.still_changed = true;
            self.rows = None;
        }
        Ok(())
    }

    /// The pose, normalized, if the body may have it.
    pub(super) fn check_pose(&mut self, handle: Handle, pose: Pose) -> Result<Pose, Error> {
        let row = self.row(handle)?;
        self.shapes.check_pose(row, pose)
    }

    /// Moves a body to a pose that was checked.
    pub(super) fn place(&mut self, handle: Handle, pose: Pose) {
        let row = handle.row();
        self.shapes.place(row, pose);
        self.changed(self.motion(row));
    }

    /// Moves all bodies, or none: columns of x, y, and of cos and sin unless rotations stay, with a
    /// value for each body, in the order of their rows.
    pub(super) fn move_all(&mut self, columns: &[&[f32]]) -> Result<(), Error> {
        let expected = self.shapes.len();
        let fields = [Field::X, Field::Y, Field::Cos, Field::Sin];
        for (field, column) in fields.into_iter().zip(columns) {
            let len = column.len();
            if len != expected {
                return Err(Error::UnequalColumns { field, len, expected });
            }
        }
        if self.shapes.vacant() == 0 {
            return self.move_rows(columns);
        }
        let mut spread = std::mem::take(&mut self.spread);
        for (spread, column) in spread.iter_mut().zip(columns) {
            let mut values = column.iter().copied();
            let mut value = |row| self.shapes.kind(row).and_then(|_| values.next());
            spread.clear();
            spread.extend((0..self.ids.len() as u32).map(|row| value(row).unwrap_or_default()));
        }
        let columns_of_rows = spread.each_ref().map(Vec::as_slice);
        let result = self.move_rows(&columns_of_rows[..columns.len()]);
        self.spread = spread;
        result
    }

    /// The same, with a value for each row.
    fn move_rows(&mut self, columns: &[&[f32]]) -> Result<(), Error> {
        self.rows();
        let [_, still] = self.known_rows();
        let changed = still.iter().any(|&row| {
            let Pose { x, y, cos, sin } = self.shapes.pose(row).unwrap_or_default();
            let mut values = [x, y, cos, sin].into_iter().zip(columns);
            values.any(|(own, column)| own.to_bits() != column[row as usize].to_bits())
        });
        match *columns {
            [x, y] => self.shapes.set_positions(x, y)?,
            [x, y, cos, sin] => self.shapes.set_poses_from_columns(x, y, cos, sin)?,
            _ => unreachable!("columns of positions or of poses"),
        }
        self.still_changed |= changed;
        Ok(())
    }

    /// Notes that a body with this motion has changed.
    pub(super) fn changed(&mut self, motion: Motion) {
        self.still_changed |= motion != Motion::Moving;
    }

    /// The rows of the bodies that move, and of those that do not, ascending.
    pub(super) fn rows(&mut self) -> &[Vec<u32>; 2] {
        let Self { shapes, motions, rows, spare, .. } = self;
        rows.get_or_insert_with(|| {
            let mut rows = std::mem::take(spare);
            let [moving, still] = &mut rows;
            moving.clear();
            still.clear();
            for row in 0..shapes.rows() as u32 {
                if shapes.kind(row).is_some() {
                    let moves = motions[row as usize] == Motion::Moving;
                    if moves { &mut *moving } else { &mut *still }.push(row);
                }
            }
            rows
        })
    }

    /// The same, once they are known.
    pub(super) fn known_rows(&self) -> [&[u32]; 2] {
        let [moving, still] = self.rows.as_ref().unwrap_or(&self.spare);
        [moving, still]
    }

    /// The bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        let rows = self.rows.iter().flatten().chain(&self.spare).map(Vec::capacity);
        let spread = self.spread.iter().map(Vec::capacity).sum::<usize>();
        let words = self.free.capacity() + rows.sum::<usize>() + spread;
        self.shapes.bytes()
            + (self.ids.capacity() + self.users.capacity()) * size_of::<u64>()
            + self.motions.capacity() * size_of::<Motion>()
            + words * size_of::<u32>()
    }
}
