//! Names of rows, in one text: its bytes as they are in the file, which may be no UTF-8.

/// The names of shapes; none if the file has no names.
#[derive(Default)]
pub(crate) struct RowNames {
    text: Vec<u8>,
    /// The end of each name in the text.
    ends: Vec<usize>,
}

impl RowNames {
    /// Appends the name of the next shape, if shapes have names.
    pub(crate) fn push(&mut self, name: Option<&[u8]>) {
        if let Some(name) = name {
            self.text.extend_from_slice(name);
            self.ends.push(self.text.len());
        }
    }

    /// The name of a shape.
    pub(crate) fn get(&self, shape: u32) -> Option<&[u8]> {
        let shape = shape as usize;
        let start = shape.checked_sub(1).map_or(Some(0), |last| self.ends.get(last).copied())?;
        self.text.get(start..*self.ends.get(shape)?)
    }
}
