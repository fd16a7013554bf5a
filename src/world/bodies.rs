//! `Bodies`: the bodies of a world, one in each row of a store.

use super::{Body, Handle, Motion};
use crate::{
    Error, Shapes,
    shape::{Pose, Shape},
};

/// The bodies of a world. A body keeps its row; the rows of removed bodies are used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Bodies {
    pub(super) shapes: Shapes,
    /// The handle of the body of each row, as a number; of a vacant row, that of its last body.
    pub(super) ids: Vec<u64>,
    pub(super) users: Vec<u64>,
    motions: Vec<Motion>,
    /// The vacant rows that may be used again. The last one is used first.
    free: Vec<u32>,
    /// The rows of moving bodies, and of the others, ascending; not known after a change.
    rows: Option<[Vec<u32>; 2]>,
    spare: [Vec<u32>; 2],
    /// Whether a body that does not move was inserted, removed or changed since the last step.
    pub(super) still_changed: bool,
}

impl Bodies {
    pub(super) fn insert(&mut self, shape: impl Shape, body: Body) -> Result<Handle, Error> {
        let Body { pose, motion, filter, user } = body;
        let row = match self.free.last() {
            Some(&row) => {
                self.shapes.set(row, shape)?;
                if let Some(pose) = pose
                    && let Err(error) = self.shapes.set_pose(row, pose)
                {
                    self.shapes.remove(row)?;
                    return Err(error);
                }
                self.free.pop();
                row
            }
            None => {
                let row = match pose {
                    Some(pose) => self.shapes.push_at(shape, pose)?,
                    None => self.shapes.push(shape)?,
                };
                self.ids.push(u64::from(row));
                self.users.push(0);
                self.motions.push(motion);
                row
            }
        };
        let at = row as usize;
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

    pub(super) fn set_pose(&mut self, handle: Handle, pose: Pose) -> Result<(), Error> {
        let row = self.row(handle)?;
        self.shapes.set_pose(row, pose)?;
        self.changed(self.motion(row));
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
        let words = self.free.capacity() + rows.sum::<usize>();
        self.shapes.bytes()
            + (self.ids.capacity() + self.users.capacity()) * size_of::<u64>()
            + self.motions.capacity() * size_of::<Motion>()
            + words * size_of::<u32>()
    }
}
