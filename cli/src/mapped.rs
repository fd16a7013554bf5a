//! Columns in files of NumPy, mapped into memory: a folder with a file for each field.
//!
//! Files of any size can be mapped. The system loads what is read, and forgets it when memory is
//! needed for something else.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use memmap2::Mmap;
use widephase::Columns;

use crate::table::{count, quoted};

/// The kinds of shapes that columns can hold, each with the fields that it needs.
const KINDS: [(&str, &[&str]); 8] = [
    ("point", &["x", "y"]),
    ("circle", &["x", "y", "radius"]),
    ("aabb", &["min_x", "min_y", "max_x", "max_y"]),
    ("rounded_box", &["min_x", "min_y", "max_x", "max_y", "radius"]),
    ("aabb", &["x", "y", "half_width", "half_height"]),
    ("obb", &["x", "y", "half_width", "half_height", "cos", "sin"]),
    ("segment", &["ax", "ay", "bx", "by"]),
    ("capsule", &["ax", "ay", "bx", "by", "radius"]),
];

/// A column of `f32` in a file.
struct MappedColumn {
    map: Mmap,
    /// The bytes of the header.
    start: usize,
}

/// The columns of one kind of shapes.
pub(crate) struct Mapped {
    kind: usize,
    columns: Vec<MappedColumn>,
}

impl Mapped {
    /// Opens the columns in a folder. Its files are named after the fields: `x.npy`, `radius.npy`.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let mut fields = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "npy")
                && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
            {
                fields.push(stem.to_owned());
            }
        }
        fields.sort_unstable();
        let is = |needed: &[&str]| {
            let mut needed = needed.to_vec();
            needed.sort_unstable();
            needed == fields
        };
        let Some(kind) = KINDS.iter().position(|(_, needed)| is(needed)) else {
            let found =
                if fields.is_empty() { "no .npy file".to_owned() } else { fields.join(", ") };
            let kinds = KINDS.map(|(kind, needed)| format!("{kind} ({})", needed.join(", ")));
            bail!("its columns are {found}; the kinds and their columns: {}", kinds.join("; "));
        };
        let open = |field: &&str| {
            let name = format!("{field}.npy");
            MappedColumn::open(&folder.join(&name)).context(name)
        };
        let columns = KINDS[kind].1.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { kind, columns })
    }

    /// What the columns hold.
    pub(crate) fn legend(&self) -> String {
        let (kind, fields) = KINDS[self.kind];
        let rows = self.columns[0].values().map_or(0, <[f32]>::len);
        format!("{} from {}", count(rows as u64, kind), fields.join(", "))
    }

    /// The shapes.
    pub(crate) fn columns(&self) -> Result<Columns<'_>> {
        let values = self.columns.iter().map(MappedColumn::values).collect::<Result<Vec<_>>>()?;
        let columns = match (KINDS[self.kind].0, &values[..]) {
            ("point", &[x, y]) => Columns::points(x, y),
            ("circle", &[x, y, radius]) => Columns::circles(x, y, radius),
            ("aabb", &[a, b, c, d]) if KINDS[self.kind].1[0] == "min_x" => {
                Columns::aabbs(a, b, c, d)
            }
            ("aabb", &[x, y, half_width, half_height]) => {
                Columns::centered(x, y, half_width, half_height)
            }
            ("rounded_box", &[a, b, c, d, radius]) => Columns::rounded_boxes(a, b, c, d, radius),
            ("obb", &[x, y, half_width, half_height, cos, sin]) => {
                Columns::obbs(x, y, half_width, half_height, cos, sin)
            }
            ("segment", &[ax, ay, bx, by]) => Columns::segments(ax, ay, bx, by),
            ("capsule", &[ax, ay, bx, by, radius]) => Columns::capsules(ax, ay, bx, by, radius),
            (kind, _) => bail!("{kind} has other columns"),
        };
        Ok(columns?)
    }
}

impl MappedColumn {
    fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path)?;
        let (rows, start) = header(&mut file)?;
        #[expect(unsafe_code, reason = "a map is how more than memory holds is read in place")]
        // SAFETY: The bytes are only read as numbers, and every pattern of bits is one. Another
        // program must not change the file meanwhile: `--help` says so. If one does all the same,
        // numbers are wrong; if it shortens the file, the system ends the process.
        let map = unsafe { Mmap::map(&file) }.context("it cannot be mapped into memory")?;
        let bytes = rows.checked_mul(4).and_then(|bytes| bytes.checked_add(start as u64));
        ensure!(bytes == Some(map.len() as u64), "it is shorter or longer than its header says");
        Ok(Self { map, start })
    }

    fn values(&self) -> Result<&[f32]> {
        match bytemuck::try_cast_slice(&self.map[self.start..]) {
            Ok(values) => Ok(values),
            Err(_) => bail!("the numbers of a .npy file begin at a multiple of four bytes"),
        }
    }
}

/// Reads the header of a file that NumPy has written: returns the number of rows, and where they
/// begin.
///
/// The [format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) is a magic
/// text, a version of two bytes, the length of a description, and that: a dictionary of Python in
/// the form in which NumPy writes it, which is the only one that is accepted here.
fn header(file: &mut File) -> Result<(u64, usize)> {
    let mut first = [0; 10];
    file.read_exact(&mut first).context("not a .npy file")?;
    let &[ref magic @ .., major, _, low, high] = &first;
    ensure!(magic == b"\x93NUMPY" && major == 1, "not a .npy file of version 1");
    let len = u16::from_le_bytes([low, high]);
    let mut text = vec![0; len.into()];
    file.read_exact(&mut text).context("its header is cut off")?;
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    let rows = text
        .strip_prefix("{'descr': '<f4', 'fortran_order': False, 'shape': (")
        .and_then(|rest| rest.strip_suffix(",), }")?.parse().ok());
    let rows = rows.with_context(|| {
        format!("it is not a list of numpy.float32 in one axis, but {}", quoted(text.as_bytes()))
    })?;
    Ok((rows, first.len() + usize::from(len)))
}
