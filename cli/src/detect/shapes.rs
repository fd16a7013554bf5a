//! The shapes of one or two inputs: in their own numbers, or in `f32`.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use widephase::{
    Columns, Options, Pair, Shapes, Touching,
    doubles::{DoubleBox, DoubleColumns, Origin},
};

use crate::{
    earth,
    figures::Figures,
    mapped::{Mapped, SingleColumns},
    table::{self, Bodies, Cell, Input, Reading, ShapeRange, quoted_path},
};

/// Where shapes come from, and their figures where figures are needed.
pub(super) enum Source {
    /// Rows of a CSV file.
    Rows(Box<Bodies>, Figures),
    /// Columns in files.
    Columns(Mapped, Figures),
}

/// The shapes of a source in `f32`.
pub(super) enum Single<'a> {
    Shapes(Box<Shapes>),
    Columns(SingleColumns<'a>),
}

/// The shapes of the inputs in their own numbers.
#[derive(Clone, Copy)]
pub(super) struct Exact<'a> {
    /// The shapes, or boxes around figures.
    pub(super) shapes: DoubleColumns<'a>,
    pub(super) against: Option<DoubleColumns<'a>>,
    /// The figures of both sides, unless all shapes are boxes.
    pub(super) figures: Option<[&'a Figures; 2]>,
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
            return Ok((Self::Columns(mapped, Figures::default()), how));
        }
        let input = Input::open(path)?;
        let name = input.name.clone();
        let (bodies, how) = table::bodies(input, reading)?;
        Ok((Self::Rows(bodies.into(), Figures::default()), format!("{name}: {how}")))
    }

    /// The number of shapes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Rows(bodies, _) => bodies.len(),
            Self::Columns(mapped, _) => mapped.len(),
        }
    }

    /// Whether its shapes are decided in `f64` without need. Columns of `f32`, and of other shapes
    /// than boxes, are not: they may be more than memory holds.
    pub(super) fn is_double(&self) -> bool {
        match self {
            Self::Rows(..) => true,
            Self::Columns(mapped, _) => mapped.is_double() && mapped.are_boxes(),
        }
    }

    /// Whether all shapes are points, circles, boxes and rounded boxes.
    pub(super) fn are_boxes(&self) -> bool {
        match self {
            Self::Rows(bodies, _) => bodies.exact().is_some(),
            Self::Columns(mapped, _) => mapped.are_boxes(),
        }
    }

    /// Prepares the shapes that [`exact`](Source::exact) gives. `figures`: whether there are
    /// figures on either side. `centers`: replaces each shape by the point in its middle.
    pub(super) fn need_exact(&mut self, figures: bool, centers: bool) -> Result<()> {
        match self {
            Self::Rows(bodies, own) => {
                if centers {
                    bodies.shrink_to_centers();
                } else if figures {
                    *own = bodies.figures();
                }
            }
            Self::Columns(mapped, own) => {
                if figures || centers || mapped.exact()?.is_none() {
                    *own = mapped.figures()?;
                }
                if centers {
                    own.shrink_to_centers();
                }
            }
        }
        Ok(())
    }

    /// The shapes one by one, or boxes around figures, after they were
    /// [needed](Source::need_exact).
    pub(super) fn boxes(&self) -> &[DoubleBox] {
        match self {
            Self::Rows(bodies, _) => bodies.boxes(),
            Self::Columns(_, figures) => figures.boxes(),
        }
    }

    /// The figures, if they were [needed](Source::need_exact).
    pub(super) fn figures(&self) -> Option<&Figures> {
        let (Self::Rows(_, figures) | Self::Columns(_, figures)) = self;
        (figures.len() > 0).then_some(figures)
    }

    /// The shapes in their own numbers, or boxes around figures. `None` if they are figures or
    /// numbers of `f32`, and were not [needed](Source::need_exact).
    pub(super) fn exact(&self) -> Result<Option<DoubleColumns<'_>>> {
        match (self.figures(), self) {
            (Some(figures), _) => Ok(Some(DoubleColumns::shapes(figures.boxes())?)),
            (None, Self::Rows(bodies, _)) => Ok(bodies.exact()),
            (None, Self::Columns(mapped, _)) => mapped.exact(),
        }
    }

    /// Where the shapes are, unless their numbers are `f32`.
    pub(super) fn range(&self) -> Option<ShapeRange> {
        match self {
            Self::Rows(bodies, _) => Some(bodies.range()),
            Self::Columns(mapped, _) => mapped.range(),
        }
    }

    /// The shapes in `f32`, relative to an origin.
    pub(super) fn single(&self, origin: Origin) -> Result<Single<'_>> {
        Ok(match self {
            Self::Rows(bodies, _) => Single::Shapes(bodies.shapes(origin)?.into()),
            Self::Columns(mapped, _) => Single::Columns(mapped.single(origin)?),
        })
    }

    /// The cell that identifies a shape: its name, or the number of its row.
    pub(super) fn cell(&self, shape: u32) -> Cell<'_> {
        match self {
            Self::Rows(bodies, _) => bodies.cell(shape),
            Self::Columns(..) => Cell::Whole(shape.into()),
        }
    }
}

/// Checks that columns have places on the globe.
fn places(mapped: &Mapped) -> Result<()> {
    ensure!(mapped.are_boxes(), earth::PLACES);
    for (row, shape) in mapped.figures()?.boxes().iter().enumerate() {
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
    /// The options to find pairs by: boxes around figures that touch are candidates.
    pub(super) fn options(&self, options: Options) -> Options {
        let touching = if self.figures.is_some() { Touching::Inclusive } else { options.touching };
        Options { touching, ..options }
    }

    /// The distance of two shapes.
    pub(super) fn distance(&self, Pair { a, b }: Pair) -> Option<f64> {
        if let Some([figures, others]) = self.figures {
            return Some(figures.get(a).distance(&others.get(b)));
        }
        let others = self.against.unwrap_or(self.shapes);
        Some(self.shapes.get(a as usize)?.distance(&others.get(b as usize)?))
    }
}
