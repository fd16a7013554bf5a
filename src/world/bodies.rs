//! `Bodies`: the bodies of a world, a body in each row of a store.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering},
};

use super::{Body, Motion, Velocity};
use crate::{
    base::{Handle, copied, handle::MAX_GENERATION},
    bytes::Reader,
    error::{Error, Field, limit::ask},
    index::Index,
    shape::{Pose, Shape},
    store::{Columns, PoseColumns, Shapes},
};

/// The bodies of a world. A body keeps its row; the rows of removed bodies are used again.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// The shapes by row, with their spaces; the bodies that do not move are sorted.
    pub(super) index: Index,
    /// The handle of the body of each row, as a number without the tag; of a vacant row, the handle
    /// of its last body.
    pub(super) ids: Vec<u64>,
    pub(super) tag: WorldTag,
    pub(super) users: Vec<u64>,
    pub(super) motions: Vec<Motion>,
    /// Empty until a velocity is set, then as long as there were rows at that time.
    pub(super) velocities: Vec<Velocity>,
    /// The vacant rows that may be used again. The last row is used first.
    pub(super) free: Vec<u32>,
    /// The rows of moving bodies, ascending, but for rows that have begun or ended to move since.
    pub(super) moving: Vec<u32>,
    pub(super) unlisted: Vec<u32>,
    /// Workspace: the rows of moving bodies; poses of all bodies.
    listed: Vec<u32>,
    poses: Vec<Pose>,
    /// The rows of bodies that do not move and were inserted, removed or changed since the last
    /// step.
    pub(super) touched: Vec<u32>,
}

copied!(Bodies {
    index, ids, tag, users, motions, velocities, free, moving, unlisted, touched
} but { listed, poses });

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
    /// Asks for the memory of `additional` bodies, beside their shapes.
    pub(super) fn ask(&self, additional: usize) -> Result<(), Error> {
        let rows = self.ids.len().saturating_add(additional);
        let room = self.ids.capacity().min(self.users.capacity()).min(self.motions.capacity());
        let spaced = self.index.row_spaces.is_empty() || self.index.row_spaces.capacity() >= rows;
        if rows <= room && spaced {
            return Ok(());
        }
        // Lists double.
        ask(rows, rows.saturating_mul(96).saturating_add(1 << 12))
    }

    pub(super) fn insert(&mut self, shape: impl Shape, body: Body) -> Result<Handle, Error> {
        self.ask(1)?;
        let (row, shapes) = (self.next_row(), &mut self.index.shapes);
        if let Some(pose) = body.pose {
            Shapes::check_rotations(row as usize, shape.any(), pose)?;
        }
        match self.free.is_empty() {
            true => shapes.push_checked(shape.any(), body.pose).map(drop)?,
            false => shapes.set_checked(row, shape.any(), body.pose)?,
        }
        self.adopt(row, body)
    }

    /// The row of the next body: the last free row, or a new row.
    #[inline]
    pub(super) fn next_row(&self) -> u32 {
        self.free.last().map_or(self.ids.len() as u32, |row| *row)
    }

    /// Inserts a body whose shape is the next row of a snapshot or a recording.
    pub(super) fn read_body(
        &mut self,
        body: Body,
        reader: &mut Reader<'_>,
    ) -> Result<Handle, Error> {
        let row = match self.free.last() {
            Some(&row) => row as usize,
            None => self.index.shapes.push_vacant()?,
        };
        match self.index.shapes.read_row(row, reader)? {
            true => self.adopt(row as u32, body),
            false => Err(reader.wrong(0_u8)),
        }
    }

    /// Makes a body of the shape in the [next row](Self::next_row).
    pub(super) fn adopt(&mut self, row: u32, body: Body) -> Result<Handle, Error> {
        let (Body { motion, filter, space, user, .. }, at) = (body, row as usize);
        if self.free.pop().is_none() {
            self.ids.push(u64::from(row));
            self.users.push(user);
            self.motions.push(motion);
        }
        if filter != Default::default() {
            self.index.shapes.set_filter(row, filter)?;
        }
        if space != 0 || !self.index.row_spaces.is_empty() {
            self.index.row_spaces.resize(self.ids.len(), 0);
            self.index.row_spaces[at] = space;
        }
        // The next generation. The row was not free if it had no generation left.
        self.ids[at] += 1 << 32;
        (self.users[at], self.motions[at]) = (user, motion);
        if let Some(velocity) = self.velocities.get_mut(at) {
            *velocity = Velocity::default();
        }
        self.index.filter_changed(row);
        self.enter(row);
        Ok(self.handle(row).unwrap_or_else(|| unreachable!("the row is taken")))
    }

    /// Removes a body, and returns the value of the caller.
    pub(super) fn remove(&mut self, handle: Handle) -> Result<u64, Error> {
        let row = self.row(handle)?;
        self.leave(row);
        self.index.shapes.remove(row)?;
        if handle.generation() < MAX_GENERATION {
            self.free.push(row);
        }
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
        self.index.shapes.kind(row).map(|_| self.last_handle(row))
    }

    /// The handle of the body in a row, or of the last body that was there. The row must have had a
    /// body.
    #[inline]
    pub(super) fn last_handle(&self, row: u32) -> Handle {
        let handle = Handle::from_bits(self.ids[row as usize]);
        handle.unwrap_or_else(|| unreachable!("a generation is not 0")).with_tag(self.tag.0)
    }

    /// The shapes by row, with their spaces.
    pub(super) fn columns(&self) -> Result<Columns<'_>, Error> {
        let columns = self.index.shapes.columns();
        if self.index.row_spaces.is_empty() {
            Ok(columns)
        } else {
            columns.with_spaces(&self.index.row_spaces)
        }
    }

    pub(super) fn space(&self, row: u32) -> u32 {
        self.index.row_spaces.get(row as usize).copied().unwrap_or(0)
    }

    pub(super) fn motion(&self, row: u32) -> Motion {
        self.motions[row as usize]
    }

    pub(super) fn set_motion(&mut self, handle: Handle, motion: Motion) -> Result<(), Error> {
        let row = self.row(handle)?;
        if self.motion(row) != motion {
            self.leave(row);
            self.motions[row as usize] = motion;
            self.enter(row);
        }
        Ok(())
    }

    /// The pose, normalized, if the body may have it.
    pub(super) fn check_pose(&mut self, handle: Handle, pose: Pose) -> Result<Pose, Error> {
        let row = self.row(handle)?;
        self.index.shapes.check_pose(row, pose)
    }

    /// Moves a body to a pose that was checked.
    pub(super) fn place(&mut self, handle: Handle, pose: Pose) {
        let row = handle.row();
        if self.motion(row) == Motion::Moving {
            return self.index.shapes.place(row, pose);
        }
        let before = self.index.shapes.pose(row);
        self.index.shapes.place(row, pose);
        self.changed_from(row, before.unwrap_or_default());
    }

    /// Moves bodies, or no body, if their rows follow each other. Else `None`.
    pub(super) fn place_rows(
        &mut self,
        handles: &[Handle],
        poses: &[Pose],
    ) -> Option<Result<(), Error>> {
        let Self { index, ids, tag, .. } = self;
        let first = handles.first()?.row() as usize;
        let rows = first..first + handles.len();
        let own = |handle: &Handle, id: &u64| handle.tag() == tag.0 && handle.id() == *id;
        let named = handles.iter().zip(ids.get(rows.clone())?).all(|(handle, id)| own(handle, id));
        let taken = |row: usize| index.shapes.kind(row as u32).is_some();
        if !named || index.shapes.vacant() > 0 && !rows.clone().all(taken) {
            return None;
        }
        let before = self.resting_poses(rows);
        let result = self.index.shapes.place_rows(first, poses.iter().copied());
        for (row, pose) in before {
            self.changed_from(row, pose);
        }
        Some(result.map_err(|error| error.in_row(|row| row - first)))
    }

    /// Moves all bodies, or no body: a position for each body, in the order of their rows, and a
    /// rotation, as cos and sin, unless rotations stay.
    pub(super) fn move_all(
        &mut self,
        [x, y]: [&[f32]; 2],
        rotations: Option<[&[f32]; 2]>,
    ) -> Result<(), Error> {
        let expected = self.index.shapes.len();
        let [cos, sin] = rotations.unwrap_or([x, y]);
        for (field, column) in [(Field::X, x), (Field::Y, y), (Field::Cos, cos), (Field::Sin, sin)]
        {
            field.check_len(column.len(), expected)?;
        }
        let before = self.resting_poses(0..self.ids.len());
        self.move_rows([x, y], rotations)?;
        for (row, pose) in before {
            self.changed_from(row, pose);
        }
        Ok(())
    }

    /// Moves the rows of all bodies, or no row.
    fn move_rows(
        &mut self,
        [x, y]: [&[f32]; 2],
        rotations: Option<[&[f32]; 2]>,
    ) -> Result<(), Error> {
        let shapes = &mut self.index.shapes;
        if shapes.vacant() == 0 {
            return match rotations {
                Some([cos, sin]) => shapes.set_poses_from_columns(PoseColumns { x, y, cos, sin }),
                None => shapes.set_positions(x, y),
            };
        }
        let mut poses = std::mem::take(&mut self.poses);
        poses.clear();
        let mut at = 0;
        for row in 0..self.ids.len() as u32 {
            poses.push(match (self.index.shapes.pose(row), rotations) {
                (None, _) => Pose::default(),
                (Some(own), None) => Pose { x: x[at], y: y[at], ..own },
                (Some(_), Some([cos, sin])) => {
                    Pose { x: x[at], y: y[at], cos: cos[at], sin: sin[at] }
                }
            });
            at += usize::from(self.index.shapes.kind(row).is_some());
        }
        let result = self.index.shapes.set_poses(&poses);
        self.poses = poses;
        let shapes = &self.index.shapes;
        let place = |row| (0..row as u32).filter(|row| shapes.kind(*row).is_some()).count();
        result.map_err(|error| error.in_row(place))
    }

    /// The bodies in some rows that do not move, and their poses.
    fn resting_poses(&self, rows: Range<usize>) -> Vec<(u32, Pose)> {
        let Self { index, motions, .. } = self;
        let resting = |(row, motion): (usize, &Motion)| {
            let pose = (*motion != Motion::Moving).then(|| index.shapes.pose(row as u32));
            Some((row as u32, pose.flatten()?))
        };
        rows.clone().zip(&motions[rows]).filter_map(resting).collect()
    }

    /// Notes that a body that does not move had this pose, if it has another pose now.
    fn changed_from(&mut self, row: u32, before: Pose) {
        let own = self.index.shapes.pose(row).unwrap_or_default();
        if bytemuck::bytes_of(&own) != bytemuck::bytes_of(&before) {
            self.changed(row);
        }
    }

    /// Notes that the shape, the pose or the filter of a body has changed.
    pub(super) fn changed(&mut self, row: u32) {
        if self.motion(row) != Motion::Moving {
            self.index.take_out(row);
            self.index.put_beside(row);
            self.touch(row);
        }
    }

    /// Notes that a body is new, or moves from now on, or no longer does.
    fn enter(&mut self, row: u32) {
        if self.motion(row) != Motion::Moving {
            self.index.put_beside(row);
            self.touch(row);
        } else {
            self.unlist(row);
        }
    }

    /// Notes that a body is about to be removed, or to get another motion.
    fn leave(&mut self, row: u32) {
        if self.motion(row) != Motion::Moving {
            self.index.take_out(row);
            self.touch(row);
        } else {
            self.unlist(row);
        }
    }

    /// Notes that a row may have begun or ended to move.
    fn unlist(&mut self, row: u32) {
        note(&mut self.unlisted, row, self.ids.len());
    }

    /// Notes that a body that does not move is new, or gone, or has changed.
    fn touch(&mut self, row: u32) {
        note(&mut self.touched, row, self.ids.len());
    }

    /// Whether there is a body in a row, and it moves.
    fn moves(&self, row: u32) -> bool {
        self.index.shapes.kind(row).is_some() && self.motion(row) == Motion::Moving
    }

    /// The rows of the bodies that do not move, ascending.
    pub(super) fn resting_rows(&self) -> impl Iterator<Item = u32> {
        let Self { index, motions, .. } = self;
        let resting = (0..).zip(motions).filter(|(_, motion)| **motion != Motion::Moving);
        resting.map(|(row, _)| row).filter(|row| index.shapes.kind(*row).is_some())
    }

    /// Appends the rows of the bodies that move, ascending.
    pub(super) fn list_moving(&self, rows: &mut Vec<u32>) {
        let Self { moving, unlisted, .. } = self;
        if unlisted.len() > self.ids.len() / 16 {
            rows.extend((0..self.ids.len() as u32).filter(|row| self.moves(*row)));
            return;
        }
        let mut changed = unlisted.clone();
        changed.sort_unstable();
        changed.dedup();
        let mut changed = changed.into_iter().peekable();
        for &row in moving {
            while let Some(other) = changed.next_if(|other| *other < row) {
                rows.extend(Some(other).filter(|row| self.moves(*row)));
            }
            let changed = changed.next_if_eq(&row).is_some();
            rows.extend(Some(row).filter(|row| !changed || self.moves(*row)));
        }
        rows.extend(changed.filter(|row| self.moves(*row)));
    }

    /// The rows of the bodies that move, ascending.
    pub(super) fn moving_rows(&mut self) -> &[u32] {
        if !self.unlisted.is_empty() {
            let mut listed = std::mem::take(&mut self.listed);
            listed.clear();
            self.list_moving(&mut listed);
            self.listed = std::mem::replace(&mut self.moving, listed);
            self.unlisted.clear();
        }
        &self.moving
    }

    /// Forgets which rows move, because there are no bodies.
    pub(super) fn forget_moving(&mut self) {
        self.moving.clear();
        self.unlisted.clear();
        self.touched.clear();
    }
}

/// Adds a row to a list of some of `rows` rows. The list may have it already.
fn note(list: &mut Vec<u32>, row: u32, rows: usize) {
    list.push(row);
    if list.len() > 2 * rows + 64 {
        list.sort_unstable();
        list.dedup();
    }
}
