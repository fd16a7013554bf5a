//! Combines rows into bodies: most bodies are one row, and a compound has one row for each part.

use std::{collections::HashMap, slice};

use anyhow::{Result, bail};
use widephase::{
    Error, Shapes,
    doubles::{DoubleBox, DoubleColumns, Origin},
    shape::{Compound, Kind},
};

use super::{given::Given, names::RowNames, range::ShapeRange, write::Cell};
use crate::figures::{Figures, Piece, center};

/// The shapes of a file, in its numbers, and the rows that they come from.
#[derive(Default)]
pub(crate) struct Bodies {
    /// Each shape, or the box around one of `others`.
    boxes: Vec<DoubleBox>,
    kinds: Vec<Kind>,
    /// Shapes that are no points, circles, boxes or rounded boxes, and their numbers, ascending.
    others: Vec<(u32, Other)>,
    /// The number of each shape's first row; empty if every shape is one row.
    first_rows: Vec<u64>,
    /// The names of the shapes, if there are any.
    names: RowNames,
}

/// A shape that is not its box.
enum Other {
    One(Given),
    Compound(Vec<Given>),
}

impl Bodies {
    /// The number of shapes.
    pub(crate) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// The number of a shape's first row, from 0. It increases from shape to shape, so a list
    /// sorted by shapes is also sorted by rows.
    pub(crate) fn first_row(&self, shape: u32) -> u64 {
        self.first_rows.get(shape as usize).copied().unwrap_or_else(|| shape.into())
    }

    /// The cell that identifies a shape: its name, or the number of its first row.
    pub(crate) fn cell(&self, shape: u32) -> Cell<'_> {
        match self.names.get(shape) {
            Some(name) => Cell::Text(name),
            None => Cell::Whole(self.first_row(shape)),
        }
    }

    /// The shapes in the numbers of the file. `None` if there are shapes other than points,
    /// circles, boxes and rounded boxes.
    pub(crate) fn exact(&self) -> Option<DoubleColumns<'_>> {
        if self.others.is_empty() { DoubleColumns::shapes(&self.boxes).ok() } else { None }
    }

    /// The shapes of [`exact`](Bodies::exact), one by one.
    pub(crate) fn boxes(&self) -> &[DoubleBox] {
        &self.boxes
    }

    /// The shapes in the numbers of the file.
    pub(crate) fn figures(&self) -> Figures {
        let (mut figures, mut others) = (Figures::default(), self.others.iter().peekable());
        for (number, sides) in self.boxes.iter().enumerate() {
            match others.next_if(|(other, _)| *other as usize == number) {
                None => figures.push_box(*sides),
                Some((_, Other::One(given))) => given_figure(slice::from_ref(given), &mut figures),
                Some((_, Other::Compound(parts))) => given_figure(parts, &mut figures),
            }
        }
        figures
    }

    /// Replaces each shape by the point in its middle.
    pub(crate) fn shrink_to_centers(&mut self) {
        for (shape, kind) in self.boxes.iter_mut().zip(&mut self.kinds) {
            (*shape, *kind) = (center(*shape), Kind::Point);
        }
        self.others.clear();
    }

    /// Where the shapes are, and how large.
    pub(crate) fn range(&self) -> ShapeRange {
        ShapeRange::of(self.boxes.len(), |row| self.boxes[row])
    }

    /// The shapes in `f32`, relative to an origin.
    pub(crate) fn shapes(&self, origin: Origin) -> Result<Shapes> {
        let (mut shapes, mut others) = (Shapes::new(), self.others.iter().peekable());
        for (number, (shape, kind)) in self.boxes.iter().zip(&self.kinds).enumerate() {
            let other = others.next_if(|(other, _)| *other as usize == number);
            let pushed = match other {
                None => Given::Box(*kind, *shape).push(&mut shapes, origin),
                Some((_, Other::One(given))) => given.push(&mut shapes, origin),
                Some((_, Other::Compound(parts))) => {
                    compound(parts, origin).and_then(|compound| shapes.push(&compound)).map(drop)
                }
            };
            if let Err(error) = pushed {
                let (row, [x, y]) = (self.first_row(number as u32), origin.position());
                bail!("row {row}, relative to ({x}, {y}): {error}");
            }
        }
        Ok(shapes)
    }

    fn add(&mut self, around: DoubleBox, kind: Kind, first_row: u64) -> Result<u32, Error> {
        let len = self.len();
        let number = u32::try_from(len).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or(Error::TooManyShapes { len: len + 1 })?;
        self.boxes.push(around);
        self.kinds.push(kind);
        self.note(number, first_row);
        Ok(number)
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

/// The compound of some parts, at their coordinates relative to an origin.
fn compound(given: &[Given], origin: Origin) -> Result<Compound, Error> {
    // At the origin and not rotated, each part has its own coordinates in the world, to the last
    // bit. (Only a box that is given by its sides is converted to a centre and half sizes in a
    // compound.)
    let outlines: Option<Vec<&[Vec<[f64; 2]>]>> = given.iter().map(Given::outline).collect();
    // Polygons that overlap are no area of theirs: their parts are loose.
    if let Some(Ok(area)) = outlines.map(|outlines| origin.outlines(&outlines)) {
        return Ok(area);
    }
    let mut parts = Vec::new();
    given.iter().try_for_each(|given| given.parts(origin, &mut parts))?;
    Compound::new(parts)
}

/// Appends one shape of some parts. The points, lines and polygons of a geometry are one shape; the
/// parts of a compound are parts.
pub(crate) fn given_figure(given: &[Given], figures: &mut Figures) {
    let radius = given[0].around().radius;
    let is_map = |part: &Given| matches!(part, Given::Outline(_) | Given::Line(_));
    let is_round = |part: &Given| match part {
        Given::Box(Kind::Point | Kind::Circle, sides) => sides.radius == radius,
        _ => false,
    };
    let as_one = given.iter().any(is_map) || given.iter().all(is_round);
    let pieces: Vec<Piece<'_>> = given.iter().map(Given::piece).collect();
    figures.push(&pieces, as_one);
}

/// A box around some shapes.
fn around(given: &[Given]) -> DoubleBox {
    let around = given.iter().map(Given::around).reduce(|a, b| DoubleBox {
        min: [0, 1].map(|axis| a.min[axis].min(b.min[axis])),
        max: [0, 1].map(|axis| a.max[axis].max(b.max[axis])),
        radius: a.radius.max(b.radius),
    });
    around.unwrap_or(DoubleBox { min: [0.0; 2], max: [0.0; 2], radius: 0.0 })
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
    /// A store to check one shape at a time.
    trial: Shapes,
}

/// A compound that may have more rows.
struct Open {
    name: Box<[u8]>,
    parts: Vec<Given>,
    first_row: u64,
    /// The name of its first row, if rows have names.
    id: Option<Box<[u8]>>,
    /// Whether one of its rows was left out, and with it the compound.
    broken: bool,
    /// The line on which its last row so far ends.
    line: u64,
}

impl Gathering {
    /// Appends a body of one row.
    pub(crate) fn push(&mut self, given: Given, id: Option<&[u8]>) -> Result<(), Error> {
        self.end()?;
        given.check(&mut self.trial)?;
        let (around, first_row) = (given.around(), self.rows);
        if let Given::Box(kind, _) = given {
            self.bodies.add(around, kind, first_row)?;
        } else {
            let number = self.bodies.add(around, Kind::Compound, first_row)?;
            self.bodies.others.push((number, Other::One(given)));
        }
        self.bodies.names.push(id);
        self.rows += 1;
        Ok(())
    }

    /// Appends a body of one row: a shape, or a compound of several shapes. A row without a shape
    /// is only counted. Returns the name of its kind.
    #[cfg(feature = "maps")]
    pub(crate) fn push_all(
        &mut self,
        mut given: Vec<Given>,
        id: Option<&[u8]>,
    ) -> Result<Option<&'static str>, Error> {
        if given.len() < 2 {
            let Some(one) = given.pop() else {
                self.rows += 1;
                return Ok(None);
            };
            let kind = one.kind();
            return self.push(one, id).map(|()| Some(kind));
        }
        given.iter().try_for_each(|part| part.check(&mut self.trial))?;
        // Checks the compound near its first part. Its rings have been checked.
        let at = given[0].around().min;
        self.trial.clear();
        match compound(&given, Origin::at(at)) {
            Err(Error::InvalidOutline { .. }) => {}
            compound => drop(self.trial.push(&compound?)?),
        }
        let number = self.bodies.add(around(&given), Kind::Compound, self.rows)?;
        self.bodies.others.push((number, Other::Compound(given)));
        self.bodies.names.push(id);
        self.rows += 1;
        Ok(Some(Kind::Compound.name()))
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

    /// Checks a part, and whether a compound of it alone stays within the range of coordinates. A
    /// compound of several parts does if each part does.
    pub(crate) fn fits(&mut self, part: &Given) -> Result<bool, Error> {
        part.check(&mut self.trial)?;
        if matches!(part, Given::Polygon(_)) {
            return Ok(true);
        }
        let alone = compound(slice::from_ref(part), Origin::default())?;
        self.trial.clear();
        Ok(self.trial.push(&alone).is_ok())
    }

    /// Appends a row, which ends on `line`, to the compound with this name. The compound is that of
    /// the previous row or begins here. The part has been checked.
    pub(crate) fn join(
        &mut self,
        name: &[u8],
        part: Given,
        line: u64,
        id: Option<&[u8]>,
    ) -> Result<(), Error> {
        if self.open.as_ref().is_none_or(|open| *open.name != *name) {
            self.end()?;
        }
        self.opened(name, line, id).parts.push(part);
        self.rows += 1;
        Ok(())
    }

    /// The compound that is open, which has one more row. It begins here if no compound is open.
    fn opened(&mut self, name: &[u8], line: u64, id: Option<&[u8]>) -> &mut Open {
        let first_row = self.rows;
        let open = self.open.get_or_insert_with(|| Open {
            name: name.into(),
            parts: Vec::new(),
            first_row,
            id: id.map(Into::into),
            broken: false,
            line,
        });
        open.line = line;
        open
    }

    /// Counts a row, and leaves it out; with it the whole compound with this name, if the row is a
    /// part of a compound. Returns whether that is one more shape that is left out.
    pub(crate) fn leave_out(&mut self, name: Option<&[u8]>, line: u64) -> Result<bool, Error> {
        let is_open = |name: &[u8]| self.open.as_ref().is_some_and(|open| *open.name == *name);
        if !name.is_some_and(is_open) {
            self.end()?;
        }
        let broken = name.map(|name| &mut self.opened(name, line, None).broken);
        let is_new = broken.is_none_or(|broken| !std::mem::replace(broken, true));
        self.rows += 1;
        Ok(is_new)
    }

    /// Ends the compound that is open, if a compound is open.
    fn end(&mut self) -> Result<(), Error> {
        if let Some(Open { name, parts, first_row, id, broken, line }) = self.open.take() {
            if !broken {
                let number = self.bodies.add(around(&parts), Kind::Compound, first_row)?;
                self.bodies.others.push((number, Other::Compound(parts)));
                self.bodies.names.push(id.as_deref());
            }
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
