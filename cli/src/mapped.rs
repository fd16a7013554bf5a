//! Columns in files of NumPy, mapped into memory: a folder with a file for each field.
//!
//! Files of any size can be mapped. The system loads the parts that are read, and forgets them when
//! memory is needed for something else.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::Read,
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use memmap2::Mmap;
use widephase::{
    Columns, Shapes,
    doubles::{DoubleBox, DoubleColumns, Origin},
    shape::Rotation,
};

use crate::{
    figures::Figures,
    table::{Given, ShapeRange, count, given_figure, quoted},
};

/// The kinds of shapes that columns can hold, each kind with the fields that it needs.
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

/// A column of numbers in a file.
struct MappedColumn {
    map: Mmap,
    /// The bytes of the header.
    start: usize,
    /// Whether the numbers are `f64`, else `f32`.
    is_double: bool,
}

/// The columns of one kind of shapes.
pub(crate) struct Mapped {
    kind: usize,
    columns: Vec<MappedColumn>,
}

/// The columns in `f32`: in the files, or converted.
pub(crate) struct SingleColumns<'a> {
    kind: usize,
    columns: Vec<Cow<'a, [f32]>>,
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
        let fields = KINDS[kind].1;
        let open = |field: &&str| {
            let name = format!("{field}.npy");
            MappedColumn::open(&folder.join(&name)).context(name)
        };
        let columns = fields.iter().map(open).collect::<Result<Vec<_>>>()?;
        for (column, field) in columns.iter().zip(fields) {
            let [first, own] = [&columns[0], column];
            ensure!(
                first.is_double == own.is_double,
                "{}.npy is {} and {field}.npy {}: they need one type",
                fields[0],
                first.name(),
                own.name()
            );
            ensure!(
                first.len() == own.len(),
                "{}.npy has {} and {field}.npy {}",
                fields[0],
                count(first.len() as u64, "number"),
                own.len()
            );
        }
        Ok(Self { kind, columns })
    }

    /// The kind of shapes that the columns hold, and the files.
    pub(crate) fn legend(&self) -> String {
        let (kind, fields) = KINDS[self.kind];
        let number = self.columns[0].name();
        format!("{} from {} ({number})", count(self.len() as u64, kind), fields.join(", "))
    }

    /// The number of shapes.
    pub(crate) fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// The shapes in their own numbers, if these are `f64` and the columns are of points, circles,
    /// or boxes by their sides.
    pub(crate) fn exact(&self) -> Result<Option<DoubleColumns<'_>>> {
        if !self.columns[0].is_double {
            return Ok(None);
        }
        let values = self.columns.iter().map(MappedColumn::doubles).collect::<Result<Vec<_>>>()?;
        Ok(match (KINDS[self.kind].1[0], &values[..]) {
            ("x", &[x, y]) => Some(DoubleColumns::points(x, y)?),
            ("x", &[x, y, radius]) => Some(DoubleColumns::circles(x, y, radius)?),
            ("min_x", &[a, b, c, d]) => Some(DoubleColumns::aabbs(a, b, c, d)?),
            _ => None,
        })
    }

    /// Whether the numbers are `f64`.
    pub(crate) fn is_double(&self) -> bool {
        self.columns[0].is_double
    }

    /// Whether the shapes are points, circles, boxes or rounded boxes.
    pub(crate) fn are_boxes(&self) -> bool {
        !matches!(KINDS[self.kind].0, "obb" | "segment" | "capsule")
    }

    /// The shapes one by one. Fails if a value is invalid, except for boxes, which are checked by
    /// the calls that take them.
    pub(crate) fn figures(&self) -> Result<Figures> {
        let (mut figures, mut trial) = (Figures::default(), Shapes::new());
        for row in 0..self.len() {
            let at = |column: usize| self.columns[column].get(row);
            let ends = |radius| Given::Ends { a: [at(0), at(1)], b: [at(2), at(3)], radius };
            let given = match KINDS[self.kind].0 {
                "obb" => Given::Obb {
                    center: [at(0), at(1)],
                    half: [at(2), at(3)],
                    rotation: Rotation { cos: at(4) as f32, sin: at(5) as f32 },
                },
                "segment" => ends(None),
                "capsule" => ends(Some(at(4))),
                _ => {
                    figures.push_box(self.around(row));
                    continue;
                }
            };
            trial.clear();
            given.push(&mut trial, Origin::default()).with_context(|| format!("row {row}"))?;
            given_figure(&[given], &mut figures);
        }
        Ok(figures)
    }

    /// Where the shapes are, if their numbers are `f64`.
    pub(crate) fn range(&self) -> Option<ShapeRange> {
        self.columns[0].is_double.then(|| ShapeRange::of(self.len(), |row| self.around(row)))
    }

    /// A box around a shape: the shape itself if it is a point, a circle, a box or a rounded box.
    fn around(&self, row: usize) -> DoubleBox {
        let at = |column: usize| self.columns[column].get(row);
        let sides = |half: [f64; 2], radius| DoubleBox {
            min: [at(0) - half[0], at(1) - half[1]],
            max: [at(0) + half[0], at(1) + half[1]],
            radius,
        };
        match (KINDS[self.kind].0, KINDS[self.kind].1.len()) {
            ("point", _) => sides([0.0; 2], 0.0),
            ("circle", _) => sides([0.0; 2], at(2)),
            ("obb", _) => sides([0.0; 2], at(2) + at(3)),
            ("aabb", _) if KINDS[self.kind].1[0] == "x" => sides([at(2), at(3)], 0.0),
            ("aabb" | "rounded_box", len) => DoubleBox {
                min: [at(0), at(1)],
                max: [at(2), at(3)],
                radius: if len > 4 { at(4) } else { 0.0 },
            },
            (_, len) => DoubleBox {
                min: [at(0).min(at(2)), at(1).min(at(3))],
                max: [at(0).max(at(2)), at(1).max(at(3))],
                radius: if len > 4 { at(4) } else { 0.0 },
            },
        }
    }

    /// The columns in `f32`: the columns of the files, or `f64` columns relative to an origin.
    pub(crate) fn single(&self, origin: Origin) -> Result<SingleColumns<'_>> {
        let [x, y] = origin.position();
        let narrow = |(column, field): (&MappedColumn, &&str)| {
            let from = match *field {
                "x" | "min_x" | "max_x" | "ax" | "bx" => x,
                "y" | "min_y" | "max_y" | "ay" | "by" => y,
                _ => 0.0,
            };
            let values = column.doubles()?.iter().map(|value| (value - from) as f32);
            Ok(Cow::Owned(values.collect::<Vec<f32>>()))
        };
        let fields = KINDS[self.kind].1;
        let columns: Result<_> = match self.columns[0].is_double {
            false => {
                self.columns.iter().map(|column| column.singles().map(Cow::Borrowed)).collect()
            }
            true => self.columns.iter().zip(fields).map(narrow).collect(),
        };
        Ok(SingleColumns { kind: self.kind, columns: columns? })
    }
}

impl SingleColumns<'_> {
    /// The shapes.
    pub(crate) fn columns(&self) -> Result<Columns<'_>> {
        let values: Vec<&[f32]> = self.columns.iter().map(AsRef::as_ref).collect();
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
        let (rows, start, is_double) = header(&mut file)?;
        #[expect(unsafe_code, reason = "a map is how more than memory holds is read in place")]
        // SAFETY: The bytes are only read as numbers, and every pattern of bits is a number.
        // Another program must not change the file meanwhile: `--help` says so. If one changes it,
        // numbers are wrong; if it shortens the file, the system ends the process.
        let map = unsafe { Mmap::map(&file) }.context("it cannot be mapped into memory")?;
        let width = if is_double { 8 } else { 4 };
        let bytes = rows.checked_mul(width).and_then(|bytes| bytes.checked_add(start as u64));
        ensure!(bytes == Some(map.len() as u64), "it is shorter or longer than its header says");
        let column = Self { map, start, is_double };
        // Checks where the numbers begin.
        if is_double { column.doubles().map(drop) } else { column.singles().map(drop) }?;
        Ok(column)
    }

    /// The numbers of a column of `f32`.
    fn singles(&self) -> Result<&[f32]> {
        match bytemuck::try_cast_slice(&self.map[self.start..]) {
            Ok(values) => Ok(values),
            Err(_) => bail!("the numbers of a .npy file begin at a multiple of their size"),
        }
    }

    /// The numbers of a column of `f64`.
    fn doubles(&self) -> Result<&[f64]> {
        match bytemuck::try_cast_slice(&self.map[self.start..]) {
            Ok(values) => Ok(values),
            Err(_) => bail!("the numbers of a .npy file begin at a multiple of their size"),
        }
    }

    /// The type of the numbers.
    fn name(&self) -> &'static str {
        if self.is_double { "float64" } else { "float32" }
    }

    /// The number of rows.
    fn len(&self) -> usize {
        (self.map.len() - self.start) / if self.is_double { 8 } else { 4 }
    }

    /// The number of a row; NaN without a number.
    fn get(&self, row: usize) -> f64 {
        let number = match self.is_double {
            true => self.doubles().ok().and_then(|values| values.get(row).copied()),
            false => self.singles().ok().and_then(|values| values.get(row)).copied().map(f64::from),
        };
        number.unwrap_or(f64::NAN)
    }
}

/// Reads the header of a file that NumPy has written: returns the number of rows, where they
/// begin, and whether they are `f64`.
///
/// The [format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) is a magic
/// text, a version of two bytes, the length of a description, and the description: a dictionary of
/// Python in the form in which NumPy writes it, which is the only form that is accepted here.
fn header(file: &mut File) -> Result<(u64, usize, bool)> {
    let mut first = [0; 10];
    file.read_exact(&mut first).context("not a .npy file")?;
    let &[ref magic @ .., major, _, low, high] = &first;
    ensure!(magic == b"\x93NUMPY" && major == 1, "not a .npy file of version 1");
    let len = u16::from_le_bytes([low, high]);
    let mut text = vec![0; len.into()];
    file.read_exact(&mut text).context("its header is cut off")?;
    let text = String::from_utf8_lossy(&text);
    let text = text.trim();
    let rows = |number: &str| {
        let start = format!("{{'descr': '<{number}', 'fortran_order': False, 'shape': (");
        text.strip_prefix(&start)?.strip_suffix(",), }")?.parse().ok()
    };
    let found = rows("f4").map(|rows| (rows, false)).or_else(|| Some((rows("f8")?, true)));
    let (rows, is_double) = found.with_context(|| {
        let text = quoted(text.as_bytes());
        format!("it is not a list of numpy.float32 or numpy.float64 in one axis, but {text}")
    })?;
    Ok((rows, first.len() + usize::from(len), is_double))
}
