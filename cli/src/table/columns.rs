//! The columns of a file, by the names in its header.

use std::fmt;

use anyhow::{Result, bail};

use super::{
    quote::{listed, quoted},
    records::Record,
};

/// A column of the file.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) index: usize,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}", quoted(self.name.as_bytes()))
    }
}

/// The names in a header.
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn new(record: &Record) -> Self {
        let plain = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
        Self(record.iter().map(plain).collect())
    }

    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The column of this name, if there is one.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Column>> {
        let mut found = self.0.iter().enumerate().filter(|(_, other)| *other == name);
        let first = found.next();
        if found.next().is_some() {
            bail!("two columns are called {}", quoted(name.as_bytes()));
        }
        Ok(first.map(|(index, name)| Column { name: name.clone(), index }))
    }

    /// The column of this name. `hint` says what to do if there is none.
    pub(crate) fn required(&self, name: &str, hint: &str) -> Result<Column> {
        if let Some(column) = self.find(name)? {
            return Ok(column);
        }
        if let [only] = &self.0[..] {
            for (separator, what) in [('\t', "tabs"), (';', "semicolons"), ('|', "bars")] {
                if only.contains(separator) {
                    let only = quoted(only.as_bytes());
                    bail!("columns are separated by {what}, but commas are needed: {only}");
                }
            }
        }
        let (name, names) = (quoted(name.as_bytes()), listed(self.0.iter().map(|name| &**name)));
        bail!("no column {name} among: {names} ({hint})")
    }

    /// Lists the columns that are used, and those that are not.
    pub(crate) fn legend(&self, used: &[&Column]) -> String {
        let names = used.iter().map(|column| &*column.name);
        format!("columns used: {}{}", listed(names), self.legend_of_others(used))
    }

    /// Lists the columns that are not used, as the end of a sentence.
    pub(crate) fn legend_of_others(&self, used: &[&Column]) -> String {
        let is_used = |index: &usize| used.iter().any(|column| column.index == *index);
        let mut others = (0..self.0.len()).filter(|index| !is_used(index)).peekable();
        if others.peek().is_none() {
            return String::new();
        }
        format!("; columns not used: {}", listed(others.map(|index| &*self.0[index])))
    }
}
