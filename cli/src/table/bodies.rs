//! Combines rows into bodies: most bodies are one row, and a compound has one row for each part.

use std::collections::HashMap;

use widephase::{
    Error, Shapes,
    shape::{Compound, Part, Pose, Shape},
};

/// The shapes of a file, and the rows that they come from.
#[derive(Default)]
pub(crate) struct Bodies {
    pub(crate) shapes: Shapes,
    /// The number of each shape's first row; empty if every shape is one row.
    first_rows: Vec<u64>,
}

impl Bodies {
    /// The number of a shape's first row, from 0. It increases from shape to shape, so a list
    /// sorted by shapes is also sorted by rows.
    pub(crate) fn first_row(&self, shape: u32) -> u64 {
        self.first_rows.get(shape as usize).copied().unwrap_or_else(|| shape.into())
    }

    /// Records the first row of the shape that was appended last.
    fn note(&mut self, shape: u32, first_row: u64) {
        let shape = u64::from(shape);
        if self.first_rows.is_empty() {
            if first_row == shape {
                return;
            }
            self.first_rows.extend(0..shape);
        }
        self.first_rows.push(first_row);
    }
}

/// The bodies of the rows that have been read so far.
#[derive(Default)]
pub(crate) struct Gathering {
    bodies: Bodies,
    /// The number of rows that have been read.
    rows: u64,
    /// The compound whose rows are being read.
    open: Option<Open>,
    /// The line on which each previous compound ended, by its name.
    ended: HashMap<Box<[u8]>, u64>,
    /// A store to check one part at a time.
    trial: Shapes,
}

/// A compound that may have more rows.
struct Open {
    name: Box<[u8]>,
    parts: Vec<Part>,
    first_row: u64,
    /// The line on which its last row so far ends.
    line: u64,
}

impl Gathering {
    /// Appends a body of one row; at `pose`, if there is one.
    pub(crate) fn push(&mut self, shape: impl Shape, pose: Option<Pose>) -> Result<(), Error> {
        self.end()?;
        let shapes = &mut self.bodies.shapes;
        let index = match pose {
            Some(pose) => shapes.push_at(shape, pose),
            None => shapes.push(shape),
        }?;
        self.bodies.note(index, self.rows);
        self.rows += 1;
        Ok(())
    }

    /// The line on which a compound with this name has ended. More parts of it would not be
    /// adjacent.
    pub(crate) fn ended(&self, name: &[u8]) -> Option<u64> {
        match &self.open {
            // An open name is not among the names that have ended.
            Some(open) if *open.name == *name => None,
            _ => self.ended.get(name).copied(),
        }
    }

    /// Whether a compound of this part alone stays within the range of coordinates. A compound of
    /// several parts does if each of them does.
    pub(crate) fn fits(&mut self, alone: &Compound) -> bool {
        self.trial.clear();
        self.trial.push(alone).is_ok()
    }

    /// Appends a row, which ends on `line`, to the compound with this name. The compound is that of
    /// the previous row or begins here. The part has been checked.
    pub(crate) fn join(&mut self, name: &[u8], part: Part, line: u64) -> Result<(), Error> {
        if self.open.as_ref().is_none_or(|open| *open.name != *name) {
            self.end()?;
        }
        let first_row = self.rows;
        let new = || Open { name: name.into(), parts: Vec::new(), first_row, line };
        let open = self.open.get_or_insert_with(new);
        open.parts.push(part);
        open.line = line;
        self.rows += 1;
        Ok(())
    }

    /// Ends the compound that is open, if one is.
    fn end(&mut self) -> Result<(), Error> {
        if let Some(Open { name, parts, first_row, line }) = self.open.take() {
            // At the origin and not rotated, each part has its own coordinates in the world, to the
            // last bit. (Only a box that is given by its sides is converted to a centre and half
            // sizes in a compound.)
            let index = self.bodies.shapes.push(&Compound::new(parts)?)?;
            self.bodies.note(index, first_row);
            self.ended.insert(name, line);
        }
        Ok(())
    }

    /// Returns all bodies, after the last row.
    pub(crate) fn finish(mut self) -> Result<Bodies, Error> {
        self.end()?;
        Ok(self.bodies)
    }
}
