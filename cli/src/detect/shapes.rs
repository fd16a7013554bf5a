//! The shapes of one or two inputs: in their own numbers, or in `f32`.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use widephase::{
    Columns, Pair, Shapes,
    doubles::{DoubleBox, DoubleColumns, Origin},
};

use crate::{
    earth,
    mapped::{Mapped, SingleColumns},
    table::{self, Bodies, Cell, Input, Reading, ShapeRange, center, quoted_path},
};

/// Where shapes come from.
pub(super) enum Source {
    /// Rows of a CSV file.
    Rows(Box<Bodies>),
    /// Columns in files, and their shapes one by one where that is needed.
    Columns(Mapped, Vec<DoubleBox>),
}

/// The shapes of a source in `f32`.
pub(super) enum Single<'a> {
    Shapes(Box<Shapes>),
    Columns(SingleColumns<'a>),
}

/// The shapes of the inputs in their own numbers.
#[derive(Clone, Copy)]
pub(super) struct Exact<'a> {
    pub(super) shapes: DoubleColumns<'a>,
    pub(super) against: Option<DoubleColumns<'a>>,
}

impl Source {
    /// Reads an input. Also returns how it is read.
    pub(super) fn open(path: &Path, reading: &Reading<'_>) -> Result<(Self, String)> {
        if path.is_dir() {
            let name = quoted_path(path);
            let mapped = Mapped::open(path).context(name.clone())?;
            if reading.metres {
                places(&mapped).context(name.clone())?;
            }
            let how = format!("{name}: {}", mapped.legend());
            return Ok((Self::Columns(mapped, Vec::new()), how));
        }
        let input = Input::open(path)?;
        let name = input.name.clone();
        let (bodies, how) = table::bodies(input, reading)?;
        Ok((Self::Rows(bodies.into()), format!("{name}: {how}")))
    }

    /// The number of shapes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Rows(bodies) => bodies.len(),
            Self::Columns(mapped, _) => mapped.len(),
        }
    }

    /// Makes ready that shapes are given one by one; as the points in their middle, if `centers`.
    /// Fails if there are other shapes than points, circles, boxes and rounded boxes.
    pub(super) fn need_exact(&mut self, centers: bool, option: &str) -> Result<()> {
        let needs = || format!("{option} is for points, circles, boxes and rounded boxes");
        match self {
            Self::Rows(bodies) => {
                if centers {
                    bodies.shrink_to_centers();
                }
                let other = || {
                    format!(
                        "{}, but there is a row of kind {}",
                        needs(),
                        bodies.inexact_kind().unwrap_or_default()
                    )
                };
                bodies.exact().with_context(other)?;
            }
            Self::Columns(mapped, boxes) => {
                *boxes = mapped.boxes().with_context(needs)?;
                if centers {
                    for shape in boxes {
                        *shape = center(*shape);
                    }
                }
            }
        }
        Ok(())
    }

    /// The shapes one by one, after they were [needed](Source::need_exact).
    pub(super) fn boxes(&self) -> &[DoubleBox] {
        match self {
            Self::Rows(bodies) => bodies.boxes(),
            Self::Columns(_, boxes) => boxes,
        }
    }

    /// The shapes in their own numbers, if these are `f64` or were
    /// [needed](Source::need_exact), and the shapes are points, circles, boxes or rounded boxes.
    pub(super) fn exact(&self) -> Result<Option<DoubleColumns<'_>>> {
        match self {
            Self::Rows(bodies) => Ok(bodies.exact()),
            Self::Columns(_, boxes) if !boxes.is_empty() => Ok(Some(DoubleColumns::shapes(boxes)?)),
            Self::Columns(mapped, _) => mapped.exact(),
        }
    }

    /// Where the shapes are, unless their numbers are `f32`.
    pub(super) fn range(&self) -> Option<ShapeRange> {
        match self {
            Self::Rows(bodies) => Some(bodies.range()),
            Self::Columns(mapped, _) => mapped.range(),
        }
    }

    /// The shapes in `f32`, relative to an origin.
    pub(super) fn single(&self, origin: Origin) -> Result<Single<'_>> {
        Ok(match self {
            Self::Rows(bodies) => Single::Shapes(bodies.shapes(origin)?.into()),
            Self::Columns(mapped, _) => Single::Columns(mapped.single(origin)?),
        })
    }

    /// The cell that identifies a shape: its name, or the number of its row.
    pub(super) fn cell(&self, shape: u32) -> Cell<'_> {
        match self {
            Self::Rows(bodies) => bodies.cell(shape),
            Self::Columns(..) => Cell::Whole(shape.into()),
        }
    }
}

/// Checks that columns have places on the globe.
fn places(mapped: &Mapped) -> Result<()> {
    for (row, shape) in mapped.boxes().context(earth::PLACES)?.iter().enumerate() {
        earth::check(shape).map_err(|(field, what)| match field {
            Some(field) => anyhow!("{field}.npy, row {row}: {what}"),
            None => anyhow!("row {row}: {what}"),
        })?;
    }
    Ok(())
}

impl Single<'_> {
    pub(super) fn columns(&self) -> Result<Columns<'_>> {
        match self {
            Self::Shapes(shapes) => Ok(shapes.columns()),
            Self::Columns(columns) => columns.columns(),
        }
    }
}

impl Exact<'_> {
    /// The distance of two shapes.
    pub(super) fn distance(&self, Pair { a, b }: Pair) -> Option<f64> {
        let others = self.against.unwrap_or(self.shapes);
        Some(self.shapes.get(a as usize)?.distance(&others.get(b as usize)?))
    }
}
