//! `Bodies`: the bodies of a world, one in each row of a store.

use std::sync::atomic::{AtomicU32, Ordering};

use super::{Body, Motion, Velocity};
use crate::{
    Columns, Error, Handle, Shapes,
    base::{copied, handle::MAX_GENERATION},
    bytes::Reader,
    error::{Field, limit::ask},
    shape::{Pose, Shape},
};

/// The bodies of a world. A body keeps its row; the rows of removed bodies are used again.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub(super) shapes: Shapes,
    /// The handle of the body of each row, as a number without the tag; of a vacant row, the handle
    /// of its last body.
    pub(super) ids: Vec<u64>,
    pub(super) tag: WorldTag,
    pub(super) users: Vec<u64>,
    pub(super) motions: Vec<Motion>,
    /// Empty until one is set, and as long as there were rows then.
    pub(super) velocities: Vec<Velocity>,
    /// The space of each row. Empty if all bodies so far were in space 0.
    pub(super) spaces: Vec<u32>,
    /// The vacant rows that may be used again. The last one is used first.
    pub(super) free: Vec<u32>,
    /// The rows of moving bodies, and of the others, ascending; not known after a change.
    rows: Option<[Vec<u32>; 2]>,
    spare: [Vec<u32>; 2],
    /// Workspace of [`move_all`](Bodies::move_all).
    poses: Vec<Pose>,
    /// Whether a body that does not move was inserted, removed or changed since the last step.
    pub(super) still_changed: bool,
}

copied!(Bodies {
    shapes, ids, tag, users, motions, velocities, spaces, free, rows, spare, still_changed
} but { poses });

/// The tag of all handles of a world.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorldTag(pub(super) u8);

impl Default for WorldTag {
    /// The next tag of this process: 1 to 255 in turn.
    fn default() -> Self {
        static WORLDS: AtomicU32 = AtomicU32::new(0);
        Self((WORLDS.fetch_add(1, Ordering::Relaxed) % 255 + 1) as u8)
    }
}

impl Bodies {
    /// Asks for the memory of so many more bodies, beside their shapes.
    pub(super) fn ask(&self, additional: usize) -> Result<(), Error> {
        let rows = self.ids.len().saturating_add(additional);
        let room = self.ids.capacity().min(self.users.capacity()).min(self.motions.capacity());
        let spaced = self.spaces.is_empty() || self.spaces.capacity() >= rows;
        if rows <= room && spaced {
            return Ok(());
        }
        // Lists double.
        ask(rows, rows.saturating_mul(96).saturating_add(1 << 12))
    }

    pub(super) fn insert(&mut self, shape: impl Shape, body: Body) -> Result<Handle, Error> {
        self.ask(1)?;
        if let Some(pose) = body.pose {
            let row = self.free.last().map_or(self.shapes.rows(), |&row| row as usize);
            Shapes::check_rotations(row, shape.any(), pose)?;
        }
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
    pub(super) fn adopt(&mut self, row: u32, body: Body) -> Result<Handle, Error> {
        let (Body { motion, filter, space, user, .. }, at) = (body, row as usize);
        if self.free.pop().is_none() {
            self.ids.push(u64::from(row));
            self.users.push(user);
            self.motions.push(motion);
        }
        if filter != Default::default() {
            self.shapes.set_filter(row, filter)?;
        }
        if space != 0 || !self.spaces.is_empty() {
            self.spaces.resize(self.ids.len(), 0);
            self.spaces[at] = space;
        }
        // One generation more. The row was not free if it had no generation left.
        self.ids[at] += 1 << 32;
        (self.users[at], self.motions[at]) = (user, motion);
        if let Some(velocity) = self.velocities.get_mut(at) {
            *velocity = Velocity::default();
        }
        self.changed(motion);
        self.forget_rows();
        Ok(self.handle(row).unwrap_or_else(|| unreachable!("the row is taken")))
    }

    /// Removes a body, and returns the value of the caller.
    pub(super) fn remove(&mut self, handle: Handle) -> Result<u64, Error> {
        let row = self.row(handle)?;
        self.shapes.remove(row)?;
        if handle.generation() < MAX_GENERATION {
            self.free.push(row);
        }
        let motion = self.motions[row as usize];
        self.changed(motion);
        self.forget_rows();
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
        self.shapes.kind(row).map(|_| self.last_handle(row))
    }

    /// The handle of the body in a row, or of the last one that was there. The row has had one.
    #[inline]
    pub(super) fn last_handle(&self, row: u32) -> Handle {
        let handle = Handle::from_bits(self.ids[row as usize]);
        handle.unwrap_or_else(|| unreachable!("a generation is not 0")).with_tag(self.tag.0)
    }

    /// The shapes by row, with their spaces.
    pub(super) fn columns(&self) -> Result<Columns<'_>, Error> {
        let columns = self.shapes.columns();
        if self.spaces.is_empty() { Ok(columns) } else { columns.with_spaces(&self.spaces) }
    }

    pub(super) fn space(&self, row: u32) -> u32 {
        self.spaces.get(row as usize).copied().unwrap_or(0)
    }

    pub(super) fn motion(&self, row: u32) -> Motion {
        self.motions[row as usize]
    }

    pub(super) fn set_motion(&mut self, handle: Handle, motion: Motion) -> Result<(), Error> {
        let row = self.row(handle)? as usize;
        let before = std::mem::replace(&mut self.motions[row], motion);
        if before != motion {
            self.still_changed = true;
            self.forget_rows();
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

    /// Moves all bodies, or none, if these are their handles in the order of the rows, and no row
    /// is vacant. Else `None`.
    pub(super) fn place_all(
        &mut self,
        handles: &[Handle],
        poses: &[Pose],
    ) -> Option<Result<(), Error>> {
        let Self { shapes, ids, motions, tag, .. } = self;
        let own = |handle: Handle| handle.tag() == tag.0;
        let named =
            || handles.iter().zip(&*ids).all(|(handle, id)| own(*handle) && handle.id() == *id);
        if shapes.vacant() > 0 || handles.len() != ids.len() || !named() {
            return None;
        }
        let result = shapes.set_poses(poses);
        if result.is_ok() {
            self.still_changed |= motions.iter().any(|motion| *motion != Motion::Moving);
        }
        Some(result)
    }

    /// Moves all bodies, or none: a position for each body, in the order of their rows, and a
    /// rotation, as cos and sin, unless rotations stay.
    pub(super) fn move_all(
        &mut self,
        [x, y]: [&[f32]; 2],
        rotations: Option<[&[f32]; 2]>,
    ) -> Result<(), Error> {
        let expected = self.shapes.len();
        let [cos, sin] = rotations.unwrap_or([x, y]);
        for (field, column) in [(Field::X, x), (Field::Y, y), (Field::Cos, cos), (Field::Sin, sin)]
        {
            let len = column.len();
            if len != expected {
                return Err(Error::UnequalColumns { field, len, expected });
            }
        }
        self.rows();
        let mut poses = std::mem::take(&mut self.poses);
        poses.clear();
        let mut at = 0;
        for row in 0..self.ids.len() as u32 {
            poses.push(match (self.shapes.pose(row), rotations) {
                (None, _) => Pose::default(),
                (Some(own), None) => Pose { x: x[at], y: y[at], ..own },
                (Some(_), Some([cos, sin])) => {
                    Pose { x: x[at], y: y[at], cos: cos[at], sin: sin[at] }
                }
            });
            at += usize::from(self.shapes.kind(row).is_some());
        }
        let changed = self.known_rows()[1].iter().any(|&row| {
            let own = self.shapes.pose(row).unwrap_or_default();
            bytemuck::bytes_of(&own) != bytemuck::bytes_of(&poses[row as usize])
        });
        let result = match rotations {
            // Circles and points without records.
            None if self.shapes.vacant() == 0 && !self.shapes.has_records() => {
                self.shapes.set_positions(x, y)
            }
            _ => self.shapes.set_poses(&poses),
        };
        self.poses = poses;
        let shapes = &self.shapes;
        let place = |row| (0..row as u32).filter(|row| shapes.kind(*row).is_some()).count();
        result.map_err(|error| error.in_row(place))?;
        self.still_changed |= changed;
        Ok(())
    }

    /// Forgets which rows move, and keeps the memory.
    pub(super) fn forget_rows(&mut self) {
        if let Some(rows) = self.rows.take() {
            self.spare = rows;
        }
    }

    /// Notes that a body with this motion has changed.
    pub(super) fn changed(&mut self, motion: Motion) {
        self.still_changed |= motion != Motion::Moving;
    }

    /// The rows of the bodies that move, and of the bodies that do not, ascending.
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
        let words = self.spaces.capacity() + self.free.capacity() + rows.sum::<usize>();
        self.shapes.bytes()
            + (self.ids.capacity() + self.users.capacity()) * size_of::<u64>()
            + self.motions.capacity() * size_of::<Motion>()
            + self.velocities.capacity() * size_of::<Velocity>()
            + self.poses.capacity() * size_of::<Pose>()
            + words * size_of::<u32>()
    }
}
