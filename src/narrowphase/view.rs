//! The shapes that pairs are made of.

use super::exact::Exact;
use crate::{
    kernel::columns::CircleColumns,
    posed::{Class, OwnVertices, Placed, PlacedShapes, VertexBlock},
    shape::{Kind, RoundedBox},
    store::{Checked, Layout, Rows},
};

/// Shapes by their rows: columns, and what a store knows beyond them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    layout: Layout<'a>,
    /// The kind of all rows, unless `kinds` knows that of each.
    kind: Kind,
    kinds: Option<&'a [Option<Kind>]>,
    shapes: Option<&'a PlacedShapes>,
    rotates: bool,
}

impl<'a> View<'a> {
    #[inline]
    pub(crate) fn of(rows: &Rows<'a>) -> Self {
        let contents = rows.contents;
        Self {
            layout: rows.layout,
            kind: rows.kind,
            kinds: contents.and_then(|contents| contents.kinds),
            shapes: contents.and_then(|contents| contents.placed),
            rotates: contents.is_some_and(|contents| contents.rotates),
        }
    }

    /// Shapes none of which turns.
    pub(super) fn of_checked(checked: &Checked<'a>) -> Self {
        let Checked { layout, kind, kinds, .. } = *checked;
        Self { layout, kind, kinds, shapes: None, rotates: false }
    }

    /// Whether any shape turns or has parts: else the sweep decides all pairs.
    pub(crate) fn rotates(&self) -> bool {
        self.rotates
    }

    /// The rows as they are placed, if they are.
    pub(crate) fn placed(&self) -> Option<&'a [Placed]> {
        self.shapes.map(|shapes| shapes.rows.as_slice())
    }

    /// The class of all rows, if it is one and known. Costs a look at each row of a store of axis-aligned
    /// shapes that are not all circles. Vacant rows have none, or count as points in a store that keeps
    /// more than boxes.
    #[inline]
    pub(crate) fn only_class(&self) -> Option<Class> {
        match (self.shapes, self.layout, self.kinds) {
            (Some(shapes), ..) => shapes.only,
            (None, Layout::Circles(_), _) => Some(Class::Round),
            (None, _, None) => Some(class_of(Some(self.kind))),
            (None, _, Some(kinds)) => {
                let mut classes = kinds.iter().flatten().map(|kind| class_of(Some(*kind)));
                let first = classes.next()?;
                classes.all(|class| class == first).then_some(first)
            }
        }
    }

    /// The class of an axis-aligned row.
    #[inline(always)]
    pub(super) fn class(&self, row: u32) -> Class {
        class_of(match self.kinds {
            Some(kinds) => kinds[row as usize],
            None => Some(self.kind),
        })
    }

    /// Writes the shapes in `rows` to `placed`.
    pub(crate) fn place(&self, rows: impl Iterator<Item = u32>, placed: &mut [Placed]) {
        let rows = rows.map(|row| row as usize);
        // What they are read from is asked once and not for each.
        match (self.placed(), self.layout) {
            (Some(records), _) => fill(rows, placed, |row| records[row]),
            (None, Layout::Circles(CircleColumns { x, y, radius })) => fill(rows, placed, |row| {
                let (min_x, min_y) = (x[row], y[row]);
                let (max_x, max_y, radius) = (min_x, min_y, radius[row]);
                let sides = RoundedBox { min_x, min_y, max_x, max_y, radius };
                Placed::upright(Class::Round, sides)
            }),
            (None, layout) => {
                fill(rows, placed, |row| {
                    Placed::upright(self.class(row as u32), layout.rounded_box(row))
                });
            }
        }
    }

    /// The box around a row; the row itself, if it is axis-aligned.
    #[inline(always)]
    pub(super) fn bounds(&self, row: usize) -> RoundedBox {
        self.layout.rounded_box(row)
    }

    /// The columns of the rows, or of the boxes around them.
    pub(crate) fn layout(&self) -> Layout<'a> {
        self.layout
    }

    /// All parts of compounds.
    fn parts(&self) -> &'a [Placed] {
        self.shapes.map_or(&[], |shapes| &shapes.parts)
    }

    /// The own vertices of all polygons.
    fn own_vertices(&self) -> &'a [OwnVertices] {
        self.shapes.map_or(&[], |shapes| &shapes.own_vertices)
    }

    /// All blocks of polygons.
    fn blocks(&self) -> &'a [VertexBlock] {
        self.shapes.map_or(&[], |shapes| &shapes.blocks)
    }
}

/// Writes what `read` makes of each row.
#[inline(always)]
fn fill(rows: impl Iterator<Item = usize>, placed: &mut [Placed], read: impl Fn(usize) -> Placed) {
    for (placed, row) in placed.iter_mut().zip(rows) {
        *placed = read(row);
    }
}

/// The class of what is axis-aligned.
#[inline(always)]
fn class_of(kind: Option<Kind>) -> Class {
    match kind {
        Some(Kind::Aabb | Kind::RoundedBox) => Class::Upright,
        _ => Class::Round,
    }
}

/// Shapes that pairs are found among: by their rows, as they are placed, or all axis-aligned and in columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Set<'a> {
    pub(crate) view: View<'a>,
    /// The shape in each row; may be empty where there are columns.
    pub(crate) placed: &'a [Placed],
    /// What contacts within this set are made from, if it is there.
    pub(crate) columns: Option<Layout<'a>>,
    /// Where the columns are not in the order of the rows: the row of each place in them. Pairs are then of
    /// places.
    pub(crate) ids: Option<&'a [u32]>,
    /// The class of all, if it is one and known.
    pub(crate) only: Option<Class>,
}

impl<'a> Set<'a> {
    /// Shapes by their rows, of which `only` is the class, if it is one and known.
    pub(crate) fn placed(view: View<'a>, placed: &'a [Placed], only: Option<Class>) -> Self {
        Self { view, placed, columns: None, ids: None, only }
    }

    /// The box around a row.
    #[inline(always)]
    fn bounds(&self, row: usize) -> RoundedBox {
        let placed = &self.placed[row];
        if placed.class().is_axis_aligned() { placed.sides() } else { self.view.bounds(row) }
    }

    /// The box around a part.
    #[inline(always)]
    fn part_bounds(&self, part: usize) -> RoundedBox {
        let Some(shapes) = self.view.shapes else {
            return RoundedBox::default();
        };
        let placed = &shapes.parts[part];
        if placed.class().is_axis_aligned() { placed.sides() } else { shapes.part_bounds[part] }
    }
}

/// A shape of a pair: a row of one of two sets, or a part of a compound there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Member {
    /// The row, or the number of the part among those of all compounds.
    pub(super) row: u32,
    /// Bit 0: whether it is in the second set; bit 1: whether it is a part.
    pub(super) source: u32,
}

/// In [`Member::source`].
const PART: u32 = 2;

impl Member {
    /// A row of the first set, or of the second.
    #[inline(always)]
    pub(super) fn new(row: u32, second_set: bool) -> Self {
        Self { row, source: u32::from(second_set) }
    }

    /// A part in the same set.
    #[inline(always)]
    pub(super) fn part(self, part: u32) -> Self {
        Self { row: part, source: self.source | PART }
    }

    /// The member `number` behind it.
    #[inline(always)]
    pub(super) fn plus(self, number: u32) -> Self {
        Self { row: self.row + number, ..self }
    }

    /// The box around it.
    #[inline(always)]
    pub(super) fn bounds(self, sets: &[Set<'_>; 2]) -> RoundedBox {
        let (set, row) = (&sets[self.source as usize % 2], self.row as usize);
        if self.source & PART == 0 { set.bounds(row) } else { set.part_bounds(row) }
    }
}

/// All that members refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    /// By [`Member::source`].
    placed: [&'a [Placed]; 4],
    /// Of each set.
    blocks: [&'a [VertexBlock]; 2],
    own_vertices: [&'a [OwnVertices]; 2],
    /// The shapes of both sets, if they are the same and none is a part: there is one source then.
    pub(super) only: Option<&'a [Placed]>,
}

impl<'a> Sources<'a> {
    pub(super) fn of([first, second]: &[Set<'a>; 2]) -> Self {
        let parts = [first.view.parts(), second.view.parts()];
        let alone = std::ptr::eq(first.placed, second.placed) && parts[0].is_empty();
        Self {
            only: alone.then_some(first.placed),
            placed: [first.placed, second.placed, parts[0], parts[1]],
            blocks: [first.view.blocks(), second.view.blocks()],
            own_vertices: [first.view.own_vertices(), second.view.own_vertices()],
        }
    }

    /// The shape that a member is.
    #[inline(always)]
    pub(super) fn placed(&self, member: Member) -> &'a Placed {
        &self.placed[member.source as usize % 4][member.row as usize]
    }

    /// The shape that a member is, for exact arithmetic.
    pub(super) fn exact(&self, member: Member) -> Exact<'a> {
        self.exact_of(member.source, self.placed(member))
    }

    /// The same of a shape of this source.
    pub(super) fn exact_of(&self, source: u32, placed: &Placed) -> Exact<'a> {
        if !placed.class().is_polygon() {
            return Exact::plain(*placed);
        }
        let blocks = self.blocks(source, placed);
        let own_vertices = placed.blocks(self.own_vertices[source as usize % 2]);
        Exact { placed: *placed, blocks, own_vertices }
    }

    /// The blocks of a polygon.
    #[inline(always)]
    pub(super) fn blocks(&self, source: u32, polygon: &Placed) -> &'a [VertexBlock] {
        polygon.blocks(self.blocks[source as usize % 2])
    }
}
