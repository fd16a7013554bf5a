//! The columns of a file, by the names in its header.

use std::{cell::RefCell, fmt};

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
pub(crate) struct Names {
    names: Vec<String>,
    /// Which columns have been found.
    used: RefCell<Vec<bool>>,
}

impl Names {
    pub(crate) fn new(record: &Record) -> Self {
        let plain = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
        let names: Vec<String> = record.iter().map(plain).collect();
        let used = RefCell::new(vec![false; names.len()]);
        Self { names, used }
    }

    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Which columns have been found, so that the other columns need not be read.
    pub(crate) fn used(&self) -> Vec<bool> {
        self.used.borrow().clone()
    }

    /// Whether there is a column of this name, in any case.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other.eq_ignore_ascii_case(name))
    }

    /// The column of this name, if it exists: the name as it is written, or else in another case.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Column>> {
        let exact = self.only(name, |other| other == name)?;
        let found = match exact {
            Some(index) => Some(index),
            None => self.only(name, |other| other.eq_ignore_ascii_case(name))?,
        };
        Ok(found.map(|index| {
            self.used.borrow_mut()[index] = true;
            Column { name: self.names[index].clone(), index }
        }))
    }

    /// The number of the only column whose name `is` the name that is looked for.
    fn only(&self, name: &str, is: impl Fn(&str) -> bool) -> Result<Option<usize>> {
        let mut found = self.names.iter().enumerate().filter(|(_, other)| is(other));
        let first = found.next();
        if found.next().is_some() {
            bail!("two columns are called {}", quoted(name.as_bytes()));
        }
        Ok(first.map(|(index, _)| index))
    }

    /// The columns of these names, if all exist.
    pub(crate) fn together<const N: usize>(
        &self,
        names: &[[&str; N]],
    ) -> Result<Option<[Column; N]>> {
        let Some(names) = names.iter().find(|names| names.iter().all(|name| self.has(name))) else {
            return Ok(None);
        };
        let columns: Vec<Column> =
            names.iter().filter_map(|name| self.find(name).transpose()).collect::<Result<_>>()?;
        Ok(columns.try_into().ok())
    }

    /// The column of this name. `hint` says how to help if the column is missing.
    pub(crate) fn required(&self, name: &str, hint: &str) -> Result<Column> {
        if let Some(column) = self.find(name)? {
            return Ok(column);
        }
        if let [only] = &self.names[..] {
            let marks = [
                ('\t', "tabs", "tab"),
                (';', "semicolons", "';'"),
                ('|', "bars", "'|'"),
                (',', "commas", "','"),
            ];
            for (separator, what, option) in marks {
                if only.contains(separator) {
                    let only = quoted(only.as_bytes());
                    bail!("columns are separated by {what}: write --delimiter {option}: {only}");
                }
            }
        }
        let (name, names) =
            (quoted(name.as_bytes()), listed(self.names.iter().map(|name| &**name)));
        bail!("no column {name} among: {names} ({hint})")
    }

    /// Lists these columns, and the columns that have not been found.
    pub(crate) fn legend<'a>(&self, used: impl IntoIterator<Item = &'a Column>) -> String {
        let names = used.into_iter().map(|column| &*column.name);
        format!("columns used: {}{}", listed(names), self.legend_of_others())
    }

    /// Lists the columns that have not been found, as the end of a sentence.
    pub(crate) fn legend_of_others(&self) -> String {
        let used = self.used();
        let mut others = self.names.iter().zip(used).filter(|(_, used)| !used).peekable();
        if others.peek().is_none() {
            return String::new();
        }
        format!("; columns not used: {}", listed(others.map(|(name, _)| &**name)))
    }
}
