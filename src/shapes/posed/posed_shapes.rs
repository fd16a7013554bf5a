//! The records of a store.

#[cfg(feature = "narrowphase")]
mod bytes;
mod poses;

#[cfg(feature = "narrowphase")]
pub(crate) use bytes::{StoredPart, read_polygon};
pub(crate) use poses::{MoveRows, Placement};

use std::ops::Range;

use super::{
    block,
    block::{OwnVertices, VertexBlock},
    frame::Frame,
    part_tree::{BEHIND, PartTree, first_node, put_nodes, put_part},
    placed::Placed,
    record::{Link, LocalShape, PolygonSize, ShapeClass, above, length},
};
use glam::Vec2;

use crate::{
    base::copied,
    error::{Error, Fault, Field},
    shape::{
        Aabb, AnyShape, AxisAligned, Capsule, ChainSegment, Circle, Compound, ConvexPolygon,
        HalfPlane, Kind, MAX_COORDINATE, Obb, OwnedShape, Part, Pose, Rotation, RoundedBox,
        Segment, Shape,
        check::coordinate_fault,
        compound::{RUN, RimCorner},
    },
    simd::{map_each, prefetch_at},
};

/// A record for each row of a store, and for each part of a compound.
///
/// Each record is kept twice: in its own frame, as given, and placed by its pose. A new pose is
/// always applied to the record in its own frame, so that roundings do not accumulate from step to
/// step.
#[derive(Debug, Default)]
pub(crate) struct PosedShapes {
    /// The placed shapes.
    placed: PlacedShapes,
    /// The rows in their own frames.
    rows: Vec<LocalShape>,
    /// The number of rows of each class.
    counts: [usize; ShapeClass::SLOTS],
    /// The links of all rows in their own frames. Empty if no row was ever a segment of a chain.
    links: Vec<Link>,
    /// An upper bound of the reach of all rows.
    reach: f32,
    /// The parts in the frames of their compounds, and the row of each one's compound.
    parts: Vec<LocalShape>,
    part_rows: Vec<u32>,
    /// The blocks of all polygons, rows and parts, in their own frames.
    blocks: Vec<VertexBlock>,
    /// The number of blocks, parts and corners of rims that no row uses any longer.
    unused: usize,
    poses: Vec<Pose>,
}

copied!(PosedShapes {
    placed,
    rows,
    counts,
    links,
    reach,
    parts,
    part_rows,
    blocks,
    unused,
    poses
});

/// Placed shapes by row: the data that kernels read.
#[derive(Debug, Default)]
pub(crate) struct PlacedShapes {
    pub(crate) rows: Vec<Placed>,
    /// The class of all rows in use, if they share one and it is known.
    pub(crate) only: Option<ShapeClass>,
    /// The links of all rows, placed. Empty if no row was ever a segment of a chain.
    pub(crate) links: Vec<Link>,
    /// The parts of all compounds.
    pub(crate) parts: Vec<Placed>,
    /// The bounding box of each part, and some behind them. In a compound with a tree, blocks in
    /// the order of the tree.
    part_bounds: Vec<RoundedBox>,
    /// The numbers of the parts of each compound with a tree in the order of the tree, in the
    /// places of the parts; and the nodes of the trees. Empty if no compound ever had one.
    part_order: Vec<u32>,
    part_nodes: Vec<RoundedBox>,
    /// The blocks of all polygons, rows and parts, rotated.
    pub(crate) blocks: Vec<VertexBlock>,
    /// The vertices of all polygons in their own frames, block by block, as given.
    pub(crate) own_vertices: Vec<OwnVertices>,
    /// The rims of all parts of outlines, in the frames of their compounds.
    pub(crate) rims: Vec<RimCorner>,
    /// The first corner of each part's rim, and the number of its corners: 0 unless it is a part of
    /// an outline. Empty if no part ever was.
    pub(crate) part_rims: Vec<[u32; 2]>,
}

copied!(PlacedShapes {
    rows,
    only,
    links,
    parts,
    part_bounds,
    part_order,
    part_nodes,
    blocks,
    own_vertices,
    rims,
    part_rims
});

impl PlacedShapes {
    /// Removes everything and keeps the memory.
    fn clear(&mut self) {
        self.clone_from(&Self::default());
    }

    /// The rim of a part: empty unless it is a part of an outline.
    pub(crate) fn rim(&self, part: usize) -> &[RimCorner] {
        match self.part_rims.get(part) {
            Some(&[first, count]) => &self.rims[first as usize..][..count as usize],
            None => &[],
        }
    }

    /// The bounding box of a part that is not axis-aligned, of a compound without a tree.
    #[inline(always)]
    pub(crate) fn part_bounds(&self, part: usize) -> RoundedBox {
        self.part_bounds[part]
    }

    /// The tree of a compound, unless its parts are few.
    #[inline(always)]
    pub(crate) fn tree(&self, compound: &Placed) -> Option<PartTree<'_>> {
        let (first, count) = compound.parts();
        (count > RUN).then(|| {
            let order = &self.part_order[first..first + count];
            PartTree::new(&self.part_bounds[first..], &self.part_nodes[first_node(first)..], order)
        })
    }
}

/// A shape in its own frame, and the frame, for exact arithmetic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnShape<'a> {
    pub(crate) record: &'a LocalShape,
    /// The vertices of a polygon, else empty.
    pub(crate) vertices: &'a [OwnVertices],
    pub(crate) frame: Frame,
}

/// A checked shape and its pose, ready to be stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckedShape<'a> {
    shape: AnyShape<'a>,
    class: ShapeClass,
    /// The record without blocks and parts.
    local: LocalShape,
    pose: Pose,
    /// The ends of a segment or capsule that was given without a pose.
    ends: Option<Segment>,
}

impl<'a> CheckedShape<'a> {
    /// The entry of a shape whose values have been checked.
    pub(crate) fn new(shape: AnyShape<'a>) -> Self {
        let mut ends = None;
        let (class, local, pose) = match shape {
            AnyShape::Point(point) => {
                (ShapeClass::Round, LocalShape::round(0.0), Pose::at([point.x, point.y]))
            }
            AnyShape::Circle(circle) => {
                (ShapeClass::Round, LocalShape::round(circle.radius), Pose::at(circle.center()))
            }
            AnyShape::Aabb(aabb) => Self::aligned(aabb.rounded_box()),
            AnyShape::RoundedBox(rounded) => Self::aligned(rounded),
            AnyShape::Obb(obb) => {
                let (local, pose) = LocalShape::of_obb(obb);
                (ShapeClass::Rotated, local, pose)
            }
            AnyShape::Segment(core) => {
                ends = Some(core);
                Self::around(core, 0.0)
            }
            AnyShape::Capsule(capsule) => {
                ends = Some(capsule.core());
                Self::around(capsule.core(), capsule.radius)
            }
            AnyShape::Polygon(polygon) => {
                let class = ShapeClass::of_polygon(polygon.vertices().len());
                (class, polygon_record(polygon), Pose::default())
            }
            AnyShape::ChainSegment(segment) => {
                ends = Some(segment.segment());
                let (local, pose) = LocalShape::of_capsule(segment.segment(), 0.0);
                (ShapeClass::ChainSegment, local, pose)
            }
            AnyShape::HalfPlane(half_plane) => {
                (ShapeClass::HalfPlane, LocalShape::of_half_plane(half_plane), Pose::default())
            }
            AnyShape::Compound(compound) => {
                let parts = compound.parts().iter().map(|part| Self::new(part.any()));
                (ShapeClass::Compound, compound_record(parts), Pose::default())
            }
        };
        Self { shape, class, local, pose, ends }
    }

    fn aligned(rounded: RoundedBox) -> (ShapeClass, LocalShape, Pose) {
        let (local, center) = LocalShape::of_rounded(rounded);
        // An axis-aligned box never rotates, so its reach is not the half diagonal.
        let reach = local.half_x.max(local.half_y);
        (ShapeClass::AlignedBox, LocalShape { reach, ..local }, Pose::at(center))
    }

    /// Everything within `radius` of a segment: a point or a circle if the segment has no length.
    fn around(core: Segment, radius: f32) -> (ShapeClass, LocalShape, Pose) {
        if core.a() == core.b() {
            return (ShapeClass::Round, LocalShape::round(radius), Pose::at(core.a()));
        }
        let (local, pose) = LocalShape::of_capsule(core, radius);
        (ShapeClass::Line, local, pose)
    }

    /// The same shape at `pose`.
    pub(crate) fn at(self, pose: Pose) -> Self {
        Self { pose, ends: None, ..self }
    }

    /// Checks that the shape stays within the range of coordinates at any rotation. `index` is for
    /// the error.
    #[inline]
    pub(crate) fn check(&self, index: usize) -> Result<(), Error> {
        check_rotation(index, self.pose, self.class)?;
        check_pose(index, self.pose, &self.local)
    }

    /// Checks that the shape has no rotation of its own, or the rotation of `pose`.
    pub(crate) fn check_own_rotation(&self, index: usize, pose: Pose) -> Result<(), Error> {
        check_own_rotation(index, self.pose, pose)
    }

    /// The placed shape and its bounding box. The shape must be neither a polygon nor a compound.
    #[inline]
    pub(crate) fn placed(&self) -> (Placed, RoundedBox) {
        let Self { class, ref local, pose, ends, .. } = *self;
        match ends {
            Some(core) if class.is_line() => {
                place_line(class, &local.with_ends(core, pose.rotation()))
            }
            _ => place_row(class, local, pose),
        }
    }
}

/// Places a row that is neither a polygon nor a compound. Returns it and its bounding box.
#[inline]
fn place_row(class: ShapeClass, local: &LocalShape, pose: Pose) -> (Placed, RoundedBox) {
    if class.is_line() {
        return place_line(class, &local.placed_line(pose));
    }
    if class == ShapeClass::HalfPlane {
        let placed = Placed::half_plane(local, pose);
        return (placed, placed.bounds(&[]));
    }
    place_round_or_box(class, &local.turned(pose))
}

/// Converts a placed point, circle or box. Returns it and its bounding box.
#[inline]
fn place_round_or_box(class: ShapeClass, placed: &LocalShape) -> (Placed, RoundedBox) {
    if class.is_axis_aligned() {
        let sides = axis_aligned_bounds(placed);
        return (Placed::aligned(class, sides), sides);
    }
    let placed = Placed::rotated(class, placed);
    (placed, placed.bounds(&[]))
}

/// Converts a placed segment or capsule. Returns it and its bounding box.
#[inline]
fn place_line(class: ShapeClass, placed: &LocalShape) -> (Placed, RoundedBox) {
    let line = Placed::line(class, placed);
    (line, line.bounds(&[]))
}

/// Whether a normalized pose has a rotation.
#[inline]
fn is_rotated(pose: Pose) -> bool {
    pose.sin != 0.0 || pose.cos < 0.0
}

/// The error about the rotation of a pose.
#[cold]
fn rotation_error(index: usize, Pose { cos, sin, .. }: Pose, fault: Fault) -> Error {
    let (field, value) = if sin != 0.0 { (Field::Sin, sin) } else { (Field::Cos, cos) };
    Error::InvalidShape { index, field, value, fault }
}

/// Checks that the pose `own` has no rotation, or the rotation of `pose`.
fn check_own_rotation(index: usize, own: Pose, pose: Pose) -> Result<(), Error> {
    let replaced = is_rotated(own) && [own.cos, own.sin] != [pose.cos, pose.sin];
    if replaced { Err(rotation_error(index, own, Fault::SecondRotation)) } else { Ok(()) }
}

/// Checks that an axis-aligned box gets no rotation.
#[inline]
fn check_rotation(index: usize, pose: Pose, class: ShapeClass) -> Result<(), Error> {
    if class == ShapeClass::AlignedBox && is_rotated(pose) {
        return Err(rotation_error(index, pose, Fault::CannotRotate));
    }
    Ok(())
}

/// Checks that a shape at `pose` stays within the range of coordinates at any rotation.
fn check_pose(index: usize, pose: Pose, local: &LocalShape) -> Result<(), Error> {
    for (field, value) in [(Field::X, pose.x), (Field::Y, pose.y)] {
        let reached = f64::from(value.abs()) + f64::from(local.reach.abs());
        let out = (reached > f64::from(MAX_COORDINATE)).then_some(Fault::OutOfReach);
        if let Some(fault) = coordinate_fault(value).or(out) {
            return Err(Error::InvalidShape { index, field, value, fault });
        }
    }
    Ok(())
}

/// The record of a polygon, without its blocks.
fn polygon_record(polygon: &ConvexPolygon) -> LocalShape {
    let [x, y] = block::center(polygon.vertices().iter().map(|vertex| vertex.to_array()));
    let furthest =
        polygon.vertices().iter().map(|vertex| length(map_each(vertex.to_array(), f64::from)));
    let reach = above(furthest.fold(0.0, f64::max));
    LocalShape { x, y, reach, ..LocalShape::round(polygon.radius()) }
}

/// The record of a compound of these parts, without them.
fn compound_record<'a>(parts: impl Iterator<Item = CheckedShape<'a>>) -> LocalShape {
    let reaches = parts.map(|CheckedShape { local, pose, .. }| {
        let origin = length([f64::from(pose.x), f64::from(pose.y)]);
        // An axis-aligned box does not rotate by itself, but it rotates with its compound.
        let corner = above(length([f64::from(local.half_x), f64::from(local.half_y)]));
        origin + f64::from(corner.max(local.reach)) + f64::from(local.radius)
    });
    LocalShape { reach: above(reaches.fold(0.0, f64::max)), ..LocalShape::round(0.0) }
}

impl PosedShapes {
    /// The placed shapes, which kernels read.
    #[inline]
    pub(crate) fn placed(&self) -> &PlacedShapes {
        &self.placed
    }

    /// Whether there are no records. A store of axis-aligned shapes without poses keeps no records.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Appends a vacant row.
    pub(crate) fn push_vacant(&mut self) {
        self.rows.push(LocalShape::round(0.0));
        self.placed.rows.push(Placed::NONE);
        self.counts[ShapeClass::Round as usize] += 1;
        if !self.links.is_empty() {
            self.links.push(Link::default());
            self.placed.links.push(Link::default());
        }
        self.poses.push(Pose::default());
        self.tell_class();
    }

    /// The class of a row.
    fn class(&self, row: usize) -> ShapeClass {
        self.placed.rows[row].class()
    }

    /// Replaces the record of a row. The caller must place the row next.
    fn replace(&mut self, row: usize, class: ShapeClass, local: LocalShape) {
        self.counts[self.class(row) as usize] -= 1;
        self.counts[class as usize] += 1;
        self.reach = self.reach.max(local.reach.abs());
        self.rows[row] = local;
    }

    /// Updates the class that all rows share, if they share a class.
    fn tell_class(&mut self) {
        let class = self.placed.rows.first().map(Placed::class);
        self.placed.only = class.filter(|class| self.counts[*class as usize] == self.rows.len());
    }

    /// Appends the record of a part of the compound in a row. The caller must place the part next.
    fn push_part(&mut self, row: usize, class: ShapeClass, local: LocalShape) {
        self.parts.push(local);
        self.part_rows.push(row as u32);
        self.placed.parts.push(Placed::aligned(class, RoundedBox::default()));
        let PlacedShapes { parts, part_bounds, part_order, part_rims, .. } = &mut self.placed;
        part_bounds.resize(parts.len() + BEHIND, RoundedBox::default());
        if !part_rims.is_empty() {
            part_rims.push([0; 2]);
        }
        if !part_order.is_empty() {
            part_order.push(0);
        }
    }

    /// The numbers of the parts of a compound, in the order of their tree: empty if they are few.
    fn order(&self, parts: Range<usize>) -> &[u32] {
        if parts.len() > RUN { &self.placed.part_order[parts] } else { &[] }
    }

    /// Sets the order of the last parts. The first one makes room for all parts.
    fn set_order(&mut self, order: &[u32]) {
        let PlacedShapes { parts, part_order, part_nodes, .. } = &mut self.placed;
        let count = parts.len();
        part_order.resize(count, 0);
        part_order[count - order.len()..].copy_from_slice(order);
        part_nodes.resize(first_node(count) + BEHIND, RoundedBox::default());
    }

    /// Sets the rims of the last parts. The first one makes room for the rims of all parts.
    fn set_rims<'a>(&mut self, rims: impl ExactSizeIterator<Item = &'a [RimCorner]>) {
        let PlacedShapes { parts, rims: corners, part_rims, .. } = &mut self.placed;
        part_rims.resize(parts.len(), [0; 2]);
        for (part, rim) in (parts.len() - rims.len()..).zip(rims) {
            part_rims[part] = [corners.len() as u32, rim.len() as u32];
            corners.extend_from_slice(rim);
        }
    }

    /// Makes a row vacant.
    pub(crate) fn vacate(&mut self, row: usize) {
        self.set(row, CheckedShape::new(AnyShape::Circle(Circle::default())));
    }

    /// Replaces the shape of a row, and returns its bounding box.
    pub(crate) fn set(&mut self, row: usize, entry: CheckedShape<'_>) -> RoundedBox {
        self.unused += self.held(row);
        let CheckedShape { shape, class, mut local, pose, .. } = entry;
        match shape {
            AnyShape::Polygon(polygon) => {
                self.append_blocks(polygon, &mut local);
            }
            AnyShape::Compound(compound) => {
                let first = self.parts.len();
                for part in compound.parts() {
                    self.append_part(row, CheckedShape::new(part.any()));
                }
                if !compound.rims().is_empty() {
                    self.set_rims(compound.rims().iter().map(Vec::as_slice));
                }
                if !compound.order().is_empty() {
                    self.set_order(compound.order());
                }
                local.set_range(first, compound.parts().len() as u32);
            }
            AnyShape::ChainSegment(segment) => self.set_link(row, Link::own(&segment)),
            _ => {}
        }
        self.replace(row, class, local);
        let mut bounds = self.place_as(class, row, pose);
        if class.is_line() {
            (self.placed.rows[row], bounds) = entry.placed();
            self.rows[row] = local.keeping_ends(entry.ends.is_some());
        }
        if let (AnyShape::ChainSegment(segment), Some(_)) = (shape, entry.ends) {
            self.placed.links[row] = Link::of(&segment);
        }
        self.tell_class();
        self.tidy();
        bounds
    }

    /// Sets the link of a row in its own frame. The first one makes the links of all rows.
    fn set_link(&mut self, row: usize, link: Link) {
        self.links.resize(self.rows.len(), Link::default());
        self.placed.links.resize(self.rows.len(), Link::default());
        self.links[row] = link;
    }

    fn append_blocks(&mut self, polygon: &ConvexPolygon, local: &mut LocalShape) {
        let (first, own) = (self.blocks.len(), &mut self.placed.own_vertices);
        let size = block::append(polygon, [local.x, local.y], &mut self.blocks, own);
        local.set_range(first, size.bits());
        self.placed.blocks.resize(self.blocks.len(), VertexBlock::default());
    }

    /// Appends a part of the compound in a row, in the frame of the compound. An axis-aligned box
    /// becomes a rotated box, because it rotates with the compound, and keeps its sides.
    fn append_part(&mut self, row: usize, part: CheckedShape<'_>) {
        let CheckedShape { shape, class, mut local, pose, ends } = part;
        match (shape, ends) {
            (AnyShape::Polygon(polygon), _) => self.append_blocks(polygon, &mut local),
            (_, Some(core)) if class.is_line() => {
                local = local.with_ends(core, pose.rotation());
            }
            (AnyShape::Aabb(aabb), _) => {
                local = LocalShape::of_sides(aabb.rounded_box(), local.reach);
            }
            (AnyShape::RoundedBox(rounded), _) => {
                local = LocalShape::of_sides(rounded, local.reach);
            }
            _ => local = local.placed(pose),
        }
        let class = if class == ShapeClass::AlignedBox { ShapeClass::Rotated } else { class };
        self.push_part(row, class, local);
    }

    /// A row, which is placed so, in its own frame. `None` if the placed shape has its exact
    /// numbers: for axis-aligned shapes, rotated boxes, and segments and capsules that keep the
    /// ends that were given. The row must not be a compound.
    #[inline]
    pub(crate) fn own_row(&self, placed: &Placed, row: usize) -> Option<OwnShape<'_>> {
        let class = placed.class();
        if class.is_axis_aligned() || class == ShapeClass::Rotated {
            return None;
        }
        let record = &self.rows[row];
        let exact = class.is_line() && record.keeps_ends();
        (!exact).then(|| self.own(placed, record, row))
    }

    /// Prefetches the memory that [`own_row`](Self::own_row) reads.
    #[inline(always)]
    pub(crate) fn prefetch_own(&self, row: usize) {
        prefetch_at(&self.rows, row);
        prefetch_at(&self.poses, row);
    }

    /// A part in the frame of its compound.
    #[inline]
    pub(crate) fn own_part(&self, part: usize) -> OwnShape<'_> {
        let row = self.part_rows[part] as usize;
        self.own(&self.placed.parts[part], &self.parts[part], row)
    }

    #[inline]
    fn own<'a>(&'a self, placed: &Placed, record: &'a LocalShape, row: usize) -> OwnShape<'a> {
        // The blocks of a placed polygon have the same numbers, and the placed shape has been read.
        let blocks = if placed.class().is_polygon() { placed.block_range() } else { 0..0 };
        let vertices = &self.placed.own_vertices[blocks];
        OwnShape { record, vertices, frame: Frame::of(self.poses[row]) }
    }

    /// The link of a segment of a chain in its own frame. `None` if it keeps the ends that were
    /// given, and its placed link the vertices.
    pub(crate) fn own_link(&self, row: usize) -> Option<&Link> {
        if self.rows[row].keeps_ends() { None } else { self.links.get(row) }
    }

    /// The shape of a row, of this kind, which is not axis-aligned: polygons and compounds in their
    /// own coordinates, other shapes where they are.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn shape(&self, row: usize, kind: Kind) -> OwnedShape {
        let (local, placed, pose) = (&self.rows[row], &self.placed.rows[row], self.poses[row]);
        let radius = local.radius;
        match kind {
            Kind::Compound => {
                let part =
                    |part: usize| self.part(self.placed.parts[part].class(), &self.parts[part]);
                let parts = local.parts().map(part);
                let order = self.order(local.parts()).to_vec();
                OwnedShape::Compound(Compound::in_order(parts.collect(), self.rims(row), order))
            }
            Kind::Obb => {
                Obb::new(pose.position(), [local.half_x, local.half_y], pose.rotation()).into()
            }
            Kind::Polygon => self.polygon(local).into(),
            Kind::HalfPlane => HalfPlane::new([local.cos, local.sin], local.half_x).into(),
            Kind::ChainSegment => {
                let ([a, b], link) = (placed.ends(), self.placed.links[row]);
                let [before, after] = map_each(link.vertices, |vertex| vertex.map(Vec2::from));
                ChainSegment { a: a.into(), b: b.into(), before, after, sides: link.sides }.into()
            }
            // A segment without a length is stored as a point.
            _ => {
                let [a, b] = match placed.class() {
                    ShapeClass::Line => placed.ends(),
                    _ => [pose.position().to_array(); 2],
                };
                match kind {
                    Kind::Segment => Segment::new(a, b).into(),
                    _ => Capsule::new(a, b, radius).into(),
                }
            }
        }
    }

    /// The rims of the parts of a compound: none unless it is an outline.
    #[cfg(feature = "narrowphase")]
    fn rims(&self, row: usize) -> Vec<Vec<RimCorner>> {
        let parts = self.rows[row].parts();
        if self.placed.rim(parts.start).is_empty() {
            return Vec::new();
        }
        parts.map(|part| self.placed.rim(part).to_vec()).collect()
    }

    /// A part in the frame of its compound.
    #[cfg(feature = "narrowphase")]
    fn part(&self, class: ShapeClass, local: &LocalShape) -> Part {
        let LocalShape { x, y, cos, sin, half_x, half_y, radius, .. } = *local;
        match (class, local.sides()) {
            (ShapeClass::Round, _) => Circle::new([x, y], radius).into(),
            (ShapeClass::Line, _) => Capsule::new([x, y], [half_x, half_y], radius).into(),
            (ShapeClass::Rotated, Some([min, max])) => {
                let aabb = Aabb::new(min, max);
                if radius > 0.0 { RoundedBox::new(aabb, radius).into() } else { aabb.into() }
            }
            (ShapeClass::Rotated, None) => {
                Obb::new([x, y], [half_x, half_y], Rotation { cos, sin }).into()
            }
            _ => self.polygon(local).into(),
        }
    }

    /// The polygon of a record.
    #[cfg(feature = "narrowphase")]
    fn polygon(&self, local: &LocalShape) -> ConvexPolygon {
        let count = PolygonSize::of_word(local.half_y).vertices();
        let vertices = self.placed.own_vertices[local.blocks()].as_flattened();
        ConvexPolygon::of_own(
            vertices[..count].iter().copied().map(Vec2::from).collect(),
            local.radius,
        )
    }

    /// The pose of a row.
    pub(crate) fn pose(&self, row: usize) -> Pose {
        self.poses[row]
    }

    /// The poses of some rows.
    pub(crate) fn poses(&self, rows: Range<usize>) -> &[Pose] {
        &self.poses[rows]
    }

    /// Checks that `row` may have `pose`, whose values have been checked.
    pub(crate) fn check(&self, row: usize, pose: Pose) -> Result<(), Error> {
        check_rotation(row, pose, self.class(row))?;
        if self.stays(row, pose) {
            return Ok(());
        }
        check_pose(row, pose, &self.rows[row])
    }

    /// Checks that a copy of `row`, which is of this kind and not axis-aligned, may have `pose`,
    /// and has no rotation that `pose` would replace by another.
    pub(crate) fn check_copy(&self, row: usize, kind: Kind, pose: Pose) -> Result<(), Error> {
        if kind.has_own_rotation() {
            check_own_rotation(row, self.poses[row], pose)?;
        }
        check_pose(row, pose, &self.rows[row])
    }

    /// Whether all rows may certainly have `poses`, without reading the rows. If not, each row must
    /// be checked by itself, because its reach may be smaller than the upper bound.
    pub(crate) fn surely_fit(&self, poses: impl Iterator<Item = Pose>) -> bool {
        /// The tolerance of the squared length of a rotation, computed in `f32`, without a further
        /// check. It is smaller than the tolerance of the exact check.
        const MAX_SURE_EXCESS: f32 = 5e-4;
        // Smaller by more than the roundings of the difference, of this product, and of the exact
        // check.
        let limit = (MAX_COORDINATE - self.reach) * (1.0 - 4.0 * f32::EPSILON);
        // A plain loop without branches, which becomes vector code.
        let boxes = self.counts[ShapeClass::AlignedBox as usize] > 0;
        let fits = |all, pose: Pose| {
            let upright = !boxes | ((pose.sin == 0.0) & (pose.cos > 0.0));
            let excess = (pose.cos * pose.cos + pose.sin * pose.sin - 1.0).abs();
            all & upright
                & (pose.x.abs() <= limit)
                & (pose.y.abs() <= limit)
                & (excess <= MAX_SURE_EXCESS)
        };
        poses.fold(true, fits)
    }

    /// Gives a row a pose that has been checked, and returns its bounding box.
    ///
    /// Axis-aligned shapes take the position only. If it is their position already, they keep their
    /// sides. Segments and capsules that have the pose already keep their ends. The sides and ends
    /// may be more exact, as given, than centre and size would make them.
    pub(crate) fn place(&mut self, row: usize, pose: Pose) -> RoundedBox {
        if self.stays(row, pose) {
            return self.placed.rows[row].bounds(&[]);
        }
        self.place_anew(row, pose)
    }

    /// Does the same, as if the row had another pose before: no sides and ends stay.
    pub(crate) fn place_anew(&mut self, row: usize, pose: Pose) -> RoundedBox {
        self.place_as(self.class(row), row, pose)
    }

    /// Whether `pose` leaves a row as it is. Only axis-aligned shapes, segments and capsules can
    /// stay.
    fn stays(&self, row: usize, pose: Pose) -> bool {
        let (class, own) = (self.class(row), self.poses[row]);
        let there = own.position() == pose.position();
        there && (class.is_axis_aligned() || class.is_line() && own == pose)
    }

    fn place_as(&mut self, class: ShapeClass, row: usize, pose: Pose) -> RoundedBox {
        let pose = if class.is_axis_aligned() { Pose::at(pose.position()) } else { pose };
        self.poses[row] = pose;
        let local = self.rows[row];
        if class != ShapeClass::Compound && !class.is_polygon() {
            let (placed, around) = place_row(class, &local, pose);
            self.placed.rows[row] = placed;
            if class.is_line() && local.keeps_ends() {
                self.rows[row] = local.keeping_ends(false);
            }
            if class == ShapeClass::ChainSegment {
                self.placed.links[row] = self.links[row].placed(pose);
            }
            return around;
        }
        let placed = Placed::rotated(class, &local.placed(pose));
        self.placed.rows[row] = placed;
        if class.is_polygon() {
            return self.turn_blocks(&placed, pose);
        }
        let (parts, mut around) = (local.parts(), None);
        let (first, has_tree) = (parts.start, parts.len() > RUN);
        for place in parts.clone() {
            let part =
                if has_tree { first + self.placed.part_order[place] as usize } else { place };
            let bounds = self.place_part(part, pose);
            let boxes = &mut self.placed.part_bounds;
            match has_tree {
                true => put_part(&mut boxes[first..], parts.len(), place - first, bounds),
                false => boxes[place] = bounds,
            }
            around = Some(match around {
                Some(around) => union(around, bounds),
                None => bounds,
            });
        }
        if has_tree {
            let PlacedShapes { part_bounds, part_nodes, .. } = &mut self.placed;
            let nodes = &mut part_nodes[first_node(first)..];
            put_nodes(&part_bounds[first..], nodes, parts.len());
        }
        around.map_or_else(RoundedBox::default, without_radius)
    }

    /// Sets the exact sides of an axis-aligned row, instead of the sides that its record yields.
    pub(crate) fn set_sides(&mut self, row: usize, sides: RoundedBox) {
        self.placed.rows[row] = Placed::aligned(self.class(row), sides);
    }

    fn place_part(&mut self, part: usize, pose: Pose) -> RoundedBox {
        let (class, local) = (self.placed.parts[part].class(), self.parts[part]);
        if class.is_polygon() {
            let placed = Placed::rotated(class, &local.placed(pose));
            self.placed.parts[part] = placed;
            return self.turn_blocks(&placed, pose);
        }
        let (placed, around) = if class.is_line() {
            place_line(class, &local.placed_part(pose))
        } else {
            place_round_or_box(class, &local.placed(pose))
        };
        self.placed.parts[part] = placed;
        around
    }

    /// Rotates the blocks of a polygon by `pose`, and returns its bounding box.
    fn turn_blocks(&mut self, placed: &Placed, pose: Pose) -> RoundedBox {
        let range = placed.block_range();
        let rotated = &mut self.placed.blocks[range.clone()];
        for (rotated, local) in rotated.iter_mut().zip(&self.blocks[range]) {
            *rotated = local.rotated(pose.rotation());
        }
        placed.bounds(rotated)
    }

    /// The number of blocks, parts and corners of rims that a row holds.
    fn held(&self, row: usize) -> usize {
        let blocks = |class: ShapeClass, record: &LocalShape| match class.is_polygon() {
            true => record.blocks().len(),
            false => 0,
        };
        let (class, record) = (self.class(row), &self.rows[row]);
        if class != ShapeClass::Compound {
            return blocks(class, record);
        }
        let parts = record.parts();
        let held = |part: usize| {
            let blocks = blocks(self.placed.parts[part].class(), &self.parts[part]);
            1 + blocks + self.placed.rim(part).len()
        };
        parts.map(held).sum()
    }

    /// Compacts the blocks, parts and rims once more than half of them, and [`MIN_UNUSED`], are
    /// unused.
    fn tidy(&mut self) {
        let all = self.blocks.len() + self.parts.len() + self.placed.rims.len();
        if self.unused > MIN_UNUSED + all / 2 {
            let all: Vec<u32> = (0..self.rows.len() as u32).collect();
            *self = self.reordered(&all);
        }
    }

    /// Returns the rows in a new order: row `i` holds what row `order[i]` holds in `self`.
    pub(crate) fn reordered(&self, order: &[u32]) -> Self {
        let mut new = Self::default();
        new.reserve(order.len());
        for (row, &from) in order.iter().enumerate() {
            new.push_vacant();
            new.set_copy(row, self, from as usize);
        }
        new
    }

    /// Replaces the shape of a row by a copy of row `from` of `other`, and returns its bounding
    /// box.
    pub(crate) fn set_copy(&mut self, row: usize, other: &Self, from: usize) -> RoundedBox {
        self.unused += self.held(row);
        let class = other.class(from);
        let mut local = other.rows[from];
        if class.is_polygon() {
            other.copy_blocks(&mut local, self);
        }
        if class == ShapeClass::Compound {
            let parts = local.parts();
            local.set_range(self.parts.len(), parts.len() as u32);
            for part in parts.clone() {
                let class = other.placed.parts[part].class();
                let mut local = other.parts[part];
                if class.is_polygon() {
                    other.copy_blocks(&mut local, self);
                }
                self.push_part(row, class, local);
            }
            if !other.placed.rim(parts.start).is_empty() {
                self.set_rims(parts.clone().map(|part| other.placed.rim(part)));
            }
            if parts.len() > RUN {
                self.set_order(other.order(parts));
            }
        }
        if class == ShapeClass::ChainSegment {
            self.set_link(row, other.links[from]);
        }
        self.replace(row, class, local);
        let bounds = if class.is_polygon() || class == ShapeClass::Compound {
            self.place_as(class, row, other.poses[from])
        } else {
            self.placed.rows[row] = other.placed.rows[from];
            self.poses[row] = other.poses[from];
            if class == ShapeClass::ChainSegment {
                self.placed.links[row] = other.placed.links[from];
            }
            self.placed.rows[row].bounds(&[])
        };
        self.tell_class();
        bounds
    }

    fn copy_blocks(&self, local: &mut LocalShape, new: &mut Self) {
        let range = local.blocks();
        local.set_range(new.blocks.len(), local.half_y.to_bits());
        new.placed.own_vertices.extend_from_slice(&self.placed.own_vertices[range.clone()]);
        new.blocks.extend_from_slice(&self.blocks[range]);
        new.placed.blocks.resize(new.blocks.len(), VertexBlock::default());
    }

    /// Reserves capacity for `additional` more rows.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.placed.rows.reserve(additional);
        self.rows.reserve(additional);
        self.poses.reserve(additional);
    }

    /// The number of rows that there is memory for.
    pub(crate) fn capacity(&self) -> usize {
        self.rows.capacity().min(self.poses.capacity())
    }

    /// Whether there is room for blocks of vertices of as many bytes, and for parts.
    pub(crate) fn has_room(&self, vertices: usize, parts: usize) -> bool {
        let own = &self.placed.own_vertices;
        let blocks = (self.blocks.capacity() - self.blocks.len()).min(own.capacity() - own.len());
        blocks * size_of::<VertexBlock>() >= vertices
            && self.parts.capacity() - self.parts.len() >= parts
    }

    /// The bytes of all blocks of vertices, and the number of parts.
    pub(crate) fn weight(&self) -> (usize, usize) {
        (self.blocks.len() * size_of::<VertexBlock>(), self.parts.len())
    }

    /// Removes all rows and keeps the memory.
    pub(crate) fn clear(&mut self) {
        let Self { placed, rows, counts, links, reach, parts, part_rows, blocks, unused, poses } =
            self;
        placed.clear();
        part_rows.clear();
        links.clear();
        rows.clear();
        parts.clear();
        blocks.clear();
        poses.clear();
        (*counts, *reach, *unused) = ([0; ShapeClass::SLOTS], 0.0, 0);
    }
}

/// The number of unused blocks, parts and corners of rims that are not worth compacting.
const MIN_UNUSED: usize = 1 << 10;

/// The bounding box of a placed point, circle or axis-aligned box.
fn axis_aligned_bounds(placed: &LocalShape) -> RoundedBox {
    let LocalShape { x, y, half_x, half_y, radius, .. } = *placed;
    RoundedBox {
        min_x: x - half_x,
        min_y: y - half_y,
        max_x: x + half_x,
        max_y: y + half_y,
        radius,
    }
}

/// The bounding box of both boxes, with radius 0.
fn union(a: RoundedBox, b: RoundedBox) -> RoundedBox {
    let (a, b) = (without_radius(a), without_radius(b));
    RoundedBox {
        min_x: a.min_x.min(b.min_x),
        min_y: a.min_y.min(b.min_y),
        max_x: a.max_x.max(b.max_x),
        max_y: a.max_y.max(b.max_y),
        radius: 0.0,
    }
}

/// The bounding box of a rounded box, with radius 0. It is rounded outwards, and clamped to the
/// range of coordinates, which a rotated point may exceed by a rounding.
fn without_radius(rounded: RoundedBox) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = rounded;
    let limit = MAX_COORDINATE;
    let within = |value: f32| value.clamp(-limit, limit);
    let (below, above) = if radius == 0.0 {
        ([min_x, min_y], [max_x, max_y])
    } else {
        let below = map_each([min_x - radius, min_y - radius], f32::next_down);
        (below, map_each([max_x + radius, max_y + radius], f32::next_up))
    };
    let ([min_x, min_y], [max_x, max_y]) = (map_each(below, within), map_each(above, within));
    RoundedBox { min_x, min_y, max_x, max_y, radius: 0.0 }
}
