//! Names of rows, in one text.

/// The names of shapes; none if the file has no names.
#[derive(Default)]
pub(crate) struct RowNames {
    text: String,
    /// The end of each name in the text.
    ends: Vec<usize>,
}

impl RowNames {
    /// Appends the name of the next shape, if shapes have names.
    pub(super) fn push(&mut self, name: Option<&[u8]>) {
        if let Some(name) = name {
            self.text += &String::from_utf8_lossy(name);
            self.ends.push(self.text.len());
        }
    }

    /// The name of a shape.
    pub(super) fn get(&self, shape: u32) -> Option<&str> {
        let shape = shape as usize;
        let start = shape.checked_sub(1).map_or(Some(0), |last| self.ends.get(last).copied())?;
        self.text.get(start..*self.ends.get(shape)?)
    }
}
