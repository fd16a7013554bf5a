//! The shapes of pairs, and the sets that they belong to.

use super::Contact;
#[cfg(feature = "queries")]
use super::part_bounds::NearBox;
#[cfg(feature = "queries")]
use crate::geometry::Solid;
use crate::{
    base::Pair,
    geometry::{Border, ExactShape, Vector},
    kernel::CircleColumns,
    posed::{Link, OwnShape, PartTree, Placed, PlacedShapes, PosedShapes, ShapeClass, VertexBlock},
    shape::{Kind, RoundedBox, Sides, compound::RimCorner},
    simd::map_each,
    store::{Layout, Rows},
};

/// Shapes by row: columns, and further data of a store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    layout: Layout<'a>,
    /// The kind of all rows, unless `kinds` has the kind of each row.
    kind: Kind,
    kinds: Option<&'a [Option<Kind>]>,
    shapes: Option<&'a PlacedShapes>,
    /// The shapes in their own frames. `None` for borrowed columns.
    own: Option<&'a PosedShapes>,
    rotates: bool,
    /// Whether only some rows are used, so that a pass over all would cost too much.
    some: bool,
}

impl<'a> View<'a> {
    /// A view of no rows.
    pub(super) const EMPTY: Self = Self {
        layout: Layout::Circles(CircleColumns { x: &[], y: &[], radius: &[] }),
        kind: Kind::Circle,
        kinds: None,
        shapes: None,
        own: None,
        rotates: false,
        some: false,
    };

    /// The same vertices and parts, with other columns.
    pub(super) fn with_layout<'b>(self, layout: Layout<'b>) -> View<'b>
    where
        'a: 'b,
    {
        View { layout, kinds: None, ..self }
    }

    #[inline]
    pub(crate) fn of(rows: &Rows<'a>) -> Self {
        let contents = rows.contents;
        Self {
            layout: rows.layout,
            kind: rows.kind,
            kinds: contents.and_then(|contents| contents.kinds),
            shapes: contents.and_then(|contents| contents.placed),
            own: contents.and_then(|contents| contents.posed_shapes),
            rotates: rows.rotates(),
            some: rows.selection.is_some(),
        }
    }

    /// Whether any shape can rotate or has parts. If not, the sweep decides all pairs.
    pub(crate) fn rotates(&self) -> bool {
        self.rotates
    }

    /// The placed shapes by row, if there are any.
    pub(crate) fn placed(&self) -> Option<&'a [Placed]> {
        self.shapes.map(|shapes| shapes.rows.as_slice())
    }

    /// The class of all rows, if they share one and it is known.
    ///
    /// Reads each row of a store of axis-aligned shapes that are not all circles. Vacant rows are
    /// ignored, or count as points in a store that keeps placed shapes.
    #[inline]
    pub(crate) fn only_class(&self) -> Option<ShapeClass> {
        match (self.shapes, self.layout, self.kinds) {
            (Some(shapes), ..) => shapes.only,
            (None, Layout::Circles(_), _) => Some(ShapeClass::Round),
            (None, _, None) => Some(class_of(Some(self.kind))),
            (None, _, Some(_)) if self.some => None,
            (None, _, Some(kinds)) => {
                let mut classes = kinds.iter().flatten().map(|kind| class_of(Some(*kind)));
                let first = classes.next()?;
                classes.all(|class| class == first).then_some(first)
            }
        }
    }

    /// Replaces the content of `classes` by the class of each row. If the rows are known to share
    /// one class, returns it instead, and `classes` is empty. All rows must be axis-aligned.
    pub(crate) fn classes(&self, classes: &mut Vec<ShapeClass>) -> Option<ShapeClass> {
        classes.clear();
        match (self.layout, self.kinds) {
            (Layout::Circles(_), _) => Some(ShapeClass::Round),
            (_, None) => Some(class_of(Some(self.kind))),
            (_, Some(kinds)) => {
                classes.extend(kinds.iter().map(|kind| class_of(*kind)));
                None
            }
        }
    }

    /// The class of an axis-aligned row.
    #[inline(always)]
    pub(crate) fn class(&self, row: u32) -> ShapeClass {
        class_of(match self.kinds {
            Some(kinds) => kinds[row as usize],
            None => Some(self.kind),
        })
    }

    /// The class of a row, if it is axis-aligned.
    #[cfg(all(feature = "narrowphase", feature = "queries"))]
    #[inline]
    pub(crate) fn aligned_class(&self, row: u32) -> Option<ShapeClass> {
        let class = match self.placed() {
            Some(records) => records[row as usize].class(),
            None => self.class(row),
        };
        class.is_axis_aligned().then_some(class)
    }

    /// Whether the shapes of a contact, or the parts that it names, are of one class and begin at
    /// one place. Only such shapes may have one contact in both orders, instead of two mirrored
    /// contacts.
    pub(crate) fn may_be_equal(&self, contact: &Contact) -> bool {
        let Contact { pair: Pair { a, b }, part_a, part_b, .. } = *contact;
        self.class_and_corner(a, part_a) == self.class_and_corner(b, part_b)
    }

    /// The class of a row, or of its part with this number if it is a compound, and the first
    /// corner or the centre.
    fn class_and_corner(&self, row: u32, part: u32) -> (ShapeClass, [f32; 2]) {
        let Some(shapes) = self.shapes else {
            let RoundedBox { min_x, min_y, .. } = self.bounds(row as usize);
            return (self.class(row), [min_x, min_y]);
        };
        let mut placed = &shapes.rows[row as usize];
        if placed.is(ShapeClass::Compound) {
            placed = &shapes.parts[placed.parts().0 + part as usize];
        }
        let [corner, ..] = placed.frame();
        (placed.class(), corner)
    }

    /// Writes the placed shapes of `rows` to `placed`.
    pub(crate) fn place(&self, rows: impl Iterator<Item = u32>, placed: &mut [Placed]) {
        let rows = rows.map(|row| row as usize);
        // The source is selected once, and not for each row.
        match (self.placed(), self.layout) {
            (Some(records), _) => fill(rows, placed, |row| records[row]),
            (None, Layout::Circles(CircleColumns { x, y, radius })) => fill(rows, placed, |row| {
                let (min_x, min_y) = (x[row], y[row]);
                let (max_x, max_y, radius) = (min_x, min_y, radius[row]);
                let sides = RoundedBox { min_x, min_y, max_x, max_y, radius };
                Placed::aligned(ShapeClass::Round, sides)
            }),
            (None, layout) => {
                fill(rows, placed, |row| {
                    Placed::aligned(self.class(row as u32), layout.rounded_box(row))
                });
            }
        }
    }

    /// The bounding box of a row, which is the row itself if it is axis-aligned.
    #[inline(always)]
    pub(crate) fn bounds(&self, row: usize) -> RoundedBox {
        self.layout.rounded_box(row)
    }

    /// The columns of the rows, or of their bounding boxes.
    pub(crate) fn layout(&self) -> Layout<'a> {
        self.layout
    }

    /// The links of all rows, or none if there is no segment of a chain.
    pub(super) fn links(&self) -> &'a [Link] {
        self.shapes.map_or(&[], |shapes| &shapes.links)
    }

    /// Whether there may be outlines.
    pub(super) fn has_rims(&self) -> bool {
        self.shapes.is_some_and(|shapes| !shapes.part_rims.is_empty())
    }

    /// The rim of a part, in the frame of its compound: empty unless it is a part of an outline.
    #[inline]
    pub(super) fn rim(&self, part: usize) -> &'a [RimCorner] {
        self.shapes.map_or(&[], |shapes| shapes.rim(part))
    }

    /// The tree of the parts of a compound, unless they are few.
    #[inline(always)]
    pub(crate) fn tree(&self, compound: &Placed) -> Option<PartTree<'a>> {
        if !compound.is(ShapeClass::Compound) {
            return None;
        }
        self.shapes.and_then(|shapes| shapes.tree(compound))
    }

    /// The bounding box of a part of a compound without a tree.
    #[inline(always)]
    pub(super) fn part_bounds(&self, part: usize) -> RoundedBox {
        let Some(shapes) = self.shapes else {
            return RoundedBox::default();
        };
        let placed = &shapes.parts[part];
        if placed.class().is_axis_aligned() { placed.sides() } else { shapes.part_bounds(part) }
    }

    /// The parts of all compounds.
    fn parts(&self) -> &'a [Placed] {
        self.shapes.map_or(&[], |shapes| &shapes.parts)
    }

    /// The blocks of all polygons.
    fn blocks(&self) -> &'a [VertexBlock] {
        self.shapes.map_or(&[], |shapes| &shapes.blocks)
    }
}

/// Writes the result of `read` for each row.
#[inline(always)]
fn fill(rows: impl Iterator<Item = usize>, placed: &mut [Placed], read: impl Fn(usize) -> Placed) {
    for (placed, row) in placed.iter_mut().zip(rows) {
        *placed = read(row);
    }
}

/// The class of an axis-aligned shape.
#[inline(always)]
fn class_of(kind: Option<Kind>) -> ShapeClass {
    match kind {
        Some(Kind::Aabb | Kind::RoundedBox) => ShapeClass::AlignedBox,
        _ => ShapeClass::Round,
    }
}

/// The shapes of one set of a query: placed shapes by row, or columns if all shapes are
/// axis-aligned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Set<'a> {
    pub(crate) view: View<'a>,
    /// The placed shape of each row. May be empty if there are columns, or if the search decides
    /// all pairs.
    pub(crate) placed: &'a [Placed],
    /// The link of each row. Empty if there is no segment of a chain.
    pub(crate) links: &'a [Link],
    /// The columns for contacts within this set, if there are any.
    pub(crate) columns: Option<Layout<'a>>,
    /// The row of each place in the columns, if they are not in the order of the rows. Pairs then
    /// hold places instead of rows.
    pub(crate) ids: Option<&'a [u32]>,
    /// The class of all shapes, if they share one and it is known.
    pub(crate) only: Option<ShapeClass>,
    /// The row of the view that is the first row here.
    pub(crate) first: usize,
}

/// A segment of a chain for exact arithmetic: its ends, and the vertices before and after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainPiece {
    pub(crate) ends: [Vector; 2],
    pub(crate) vertices: [Option<Vector>; 2],
    pub(crate) sides: Sides,
}

impl<'a> Set<'a> {
    /// A set of placed shapes by row. `only` is the class of all shapes, if it is known.
    pub(crate) fn placed(view: View<'a>, placed: &'a [Placed], only: Option<ShapeClass>) -> Self {
        Self { view, placed, links: view.links(), columns: None, ids: None, only, first: 0 }
    }

    /// A row in its own frame, unless its placed shape has its exact numbers.
    fn own(&self, row: usize) -> Option<OwnShape<'a>> {
        self.view.own?.own_row(&self.placed[row], self.first + row)
    }

    /// The ends of a row that is a segment or capsule.
    pub(crate) fn ends(&self, row: usize) -> [Vector; 2] {
        match self.own(row) {
            None => map_each(self.placed[row].ends(), Vector::wide),
            Some(OwnShape { record, frame, .. }) => map_each(record.ends(), |end| {
                let [x, y] = frame.place(map_each(end, f64::from));
                Vector::new(x, y)
            }),
        }
    }

    /// A row that is a segment of a chain.
    pub(crate) fn chain_piece(&self, row: usize) -> Option<ChainPiece> {
        let link = self.links.get(row)?;
        if !self.placed[row].is(ShapeClass::ChainSegment) {
            return None;
        }
        let own = self
            .view
            .own
            .and_then(|own| Some((own.own_link(self.first + row)?, self.own(row)?.frame)));
        let vertices = match own {
            None => map_each(link.vertices, |vertex| vertex.map(Vector::wide)),
            Some((own, frame)) => map_each(own.vertices, |vertex| {
                let [x, y] = frame.place(map_each(vertex?, f64::from));
                Some(Vector::new(x, y))
            }),
        };
        Some(ChainPiece { ends: self.ends(row), vertices, sides: link.sides })
    }

    /// The bounding box of a row.
    #[inline(always)]
    fn bounds(&self, row: usize) -> RoundedBox {
        let placed = &self.placed[row];
        if placed.class().is_axis_aligned() { placed.sides() } else { self.view.bounds(row) }
    }

    /// The half-plane behind a row that is a segment of a chain with one side.
    pub(crate) fn back(&self, row: usize) -> Option<Border> {
        let Link { sides, .. } = *self.links.get(row)?;
        if sides == Sides::Both || !self.placed[row].is(ShapeClass::ChainSegment) {
            return None;
        }
        let [start, end] = self.ends(row);
        let left = (end - start).perp();
        let normal = if sides == Sides::Left { left } else { -left };
        Some(Border { normal, offset: normal.dot(start) })
    }

    /// The box around a row, and around the segments beside a segment of a chain, from which parts
    /// of other shapes are measured.
    #[cfg(feature = "queries")]
    pub(crate) fn near_box(&self, row: usize) -> NearBox {
        /// How far what is across a segment with one side is from it, as a share of the
        /// coordinates, and more: the tolerance of motions.
        const CHAIN_SLACK: f64 = 1.0 / (1 << 17) as f64;
        let Some(ChainPiece { ends, vertices, .. }) = self.chain_piece(row) else {
            return NearBox::of_box(self.box_of(row));
        };
        let corners = ends.into_iter().chain(vertices.into_iter().flatten());
        NearBox::of_corners(corners, 0.0).with_slack(CHAIN_SLACK)
    }

    /// [`near_box`](Self::near_box) for a part of the first row, given as a solid.
    #[cfg(feature = "queries")]
    pub(crate) fn near_box_of(&self, solid: &Solid<'_>) -> NearBox {
        let is_chain = self.placed[0].is(ShapeClass::ChainSegment);
        if is_chain { self.near_box(0) } else { NearBox::of(solid) }
    }

    /// The bounding box of a row, whether the set has placed shapes or not. (An index of
    /// axis-aligned shapes has no view of its rows.)
    pub(crate) fn box_of(&self, row: usize) -> RoundedBox {
        if self.placed.is_empty() { self.view.bounds(row) } else { self.bounds(row) }
    }
}

/// A shape of a pair: a row of one of two sets, or a part of a compound in one of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Member {
    /// The row, or the number of the part among the parts of all compounds.
    pub(super) row: u32,
    /// The source. Bit 0: whether the shape is in the second set. Bit 1: whether it is a part.
    pub(super) source: u32,
}

/// The bit of parts in [`Member::source`].
const PART_BIT: u32 = 2;

impl Member {
    /// A row of the first set, or of the second set.
    #[inline(always)]
    pub(super) fn new(row: u32, second_set: bool) -> Self {
        Self { row, source: u32::from(second_set) }
    }

    /// The part with this number, in the same set.
    #[inline(always)]
    pub(super) fn part(self, part: u32) -> Self {
        Self { row: part, source: self.source | PART_BIT }
    }

    /// The member `number` places after this member.
    #[inline(always)]
    pub(super) fn plus(self, number: u32) -> Self {
        Self { row: self.row + number, ..self }
    }

    /// The bounding box of the shape, which is no part of a compound with a tree.
    #[inline(always)]
    pub(super) fn bounds(self, sets: &[Set<'_>; 2]) -> RoundedBox {
        let (set, row) = (&sets[self.source as usize % 2], self.row as usize);
        if self.source & PART_BIT == 0 { set.bounds(row) } else { set.view.part_bounds(row) }
    }
}

/// The data of all members.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'a> {
    /// The placed shapes by [`Member::source`].
    placed: [&'a [Placed]; 4],
    /// The blocks of the polygons of each set.
    blocks: [&'a [VertexBlock]; 2],
    /// The shapes of each set in their own frames, and the row there of its first row.
    own: [Option<&'a PosedShapes>; 2],
    first: [usize; 2],
    /// The shapes of both sets, if both are one set and there are no parts. There is only one
    /// source then.
    pub(super) only: Option<&'a [Placed]>,
}

impl<'a> Sources<'a> {
    #[inline]
    pub(crate) fn of([first, second]: &[Set<'a>; 2]) -> Self {
        let parts = [first.view.parts(), second.view.parts()];
        let alone = std::ptr::eq(first.placed, second.placed) && parts[0].is_empty();
        Self {
            only: alone.then_some(first.placed),
            placed: [first.placed, second.placed, parts[0], parts[1]],
            blocks: [first.view.blocks(), second.view.blocks()],
            own: [first.view.own, second.view.own],
            first: [first.first, second.first],
        }
    }

    /// The placed shape of a member.
    #[inline(always)]
    pub(super) fn placed(&self, member: Member) -> &'a Placed {
        &self.placed[member.source as usize % 4][member.row as usize]
    }

    /// A member, or its part with this number if it is a compound.
    pub(super) fn part(&self, member: Member, number: u32) -> Member {
        match self.placed(member) {
            placed if placed.is(ShapeClass::Compound) => {
                member.part(placed.parts().0 as u32 + number)
            }
            _ => member,
        }
    }

    /// The shape of a member for exact arithmetic.
    #[inline]
    pub(super) fn exact(&self, member: Member) -> ExactShape<'a> {
        let (side, row) = (member.source as usize % 2, member.row as usize);
        // The whole record is read at once, before the class of the shape is known.
        if let (Some(own), 0) = (self.own[side], member.source & PART_BIT) {
            own.prefetch_own(self.first[side] + row);
        }
        let placed = *self.placed(member);
        let own = self.own[side].and_then(|own| match member.source & PART_BIT {
            0 => own.own_row(&placed, self.first[side] + row),
            _ => Some(own.own_part(row)),
        });
        let blocks = match placed.class().is_polygon() {
            true => self.blocks(member.source, &placed),
            false => &[],
        };
        ExactShape { placed, blocks, own }
    }

    /// The blocks of a polygon of this source.
    #[inline(always)]
    pub(super) fn blocks(&self, source: u32, polygon: &Placed) -> &'a [VertexBlock] {
        polygon.blocks(self.blocks[source as usize % 2])
    }
}
