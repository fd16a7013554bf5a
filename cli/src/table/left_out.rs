//! Shapes that are left out because they are refused.

use std::{
    fmt::Display,
    io::{self, Write},
};

use anyhow::Result;
use indicatif::ProgressBar;

use super::{input::Input, quote::quoted};

/// Names and counts the shapes of a file that are left out.
pub(super) struct LeftOut {
    /// The name of the file.
    file: String,
    bar: ProgressBar,
    shapes: u64,
}

impl LeftOut {
    pub(super) fn of(input: &Input) -> Self {
        Self { file: input.name.clone(), bar: input.bar.clone(), shapes: 0 }
    }

    /// Writes the fault of a refused shape, and its name, on standard error. `is_new`: it is one
    /// more shape.
    pub(super) fn tell(
        &mut self,
        name: Option<&[u8]>,
        what: impl Display,
        is_new: bool,
    ) -> Result<()> {
        self.shapes += u64::from(is_new);
        let name = name.map(|name| format!("{}: ", quoted(name))).unwrap_or_default();
        let Self { file, bar, .. } = self;
        bar.suspend(|| writeln!(io::stderr(), "left out: {name}{file}: {what}"))?;
        Ok(())
    }

    /// How many there are, as the end of a sentence.
    pub(super) fn counted(&self) -> String {
        if self.shapes == 0 { String::new() } else { format!(", {} left out", self.shapes) }
    }
}
