//! Binary frames, little-endian: u32 magic, frame, step, rows; then sections of a tag of four
//! letters, u32 bytes (a multiple of 4), and the content. A page skips tags that it does not know.
//!
//! - `PART` (a row has another body): for each part of a shape: u32 row, f32 x, y, cos, sin (in
//!   the body), half_x, half_y, radius: a rounded box
//! - `MESH` (as `PART`): triangles of polygons: for each corner u32 row, f32 x, y in the body
//! - `POSE` (always): f32 x of all rows, then y
//! - `TURN` (a body is rotated): i16 cos of all rows, then sin; 32767 is 1
//! - `FLAG` (always): u8 of all rows: 1 touches, 2 has begun to, 4 static, 8 sensor, 16 vacant, 32
//!   held; the two highest bits are the group: 0 none, or the number of a name in `groups`
//! - `CONT` (`contacts`): for each point f32 x, y, normal x, y, depth
//! - `GRID` (`cells`): for each level of the grid in the view, the finest first: u32 level, cells,
//!   1 if `CELL` has them, f32 width of a cell
//! - `CELL` (`cells`): for each cell of the grid f32 left, lower, right, upper, u32 level, bodies
//! - `BOND` (`bounds`): the box around each body: f32 left, lower, right, upper
//! - `RAYS` (`rays`): for each ray f32 x, y of its start and its end, u32 the row hit or 2^32 - 1
//!
//! A frame has 9 bytes a body, 13 if bodies are rotated. Overlays have at most 20,000 entries,
//! each in the view; `CELL` has all cells of a level or none, and leaves out the finest levels.

use std::collections::BTreeMap;

use widephase::{
    Contact, GridCell, Handle, Motion, Shapes, World,
    glam::Vec2,
    shape::{AnyShape, ConvexPolygon, Kind, Obb, Pose, Rotation, RoundedBox, Shape},
};

use crate::svg;

/// The first bytes of a frame: `WPF1`.
const MAGIC: u32 = 0x3146_5057;

/// The most entries of a section of overlays.
const MOST: usize = 20_000;

/// The bits of a flag.
const TOUCHES: u8 = 1;
const STARTED: u8 = 2;
const STATIC: u8 = 4;
const SENSOR: u8 = 8;
const VACANT: u8 = 16;
const HELD: u8 = 32;

/// The two highest bits of a flag are the group of the body.
const GROUP: u32 = 6;

/// The sides of a part of the plane: left, lower, right, upper.
pub(super) type Area = [f32; 4];

/// The bytes of a frame.
pub(super) struct Frame(Vec<u8>);

impl Frame {
    /// The header, with the number of the frame, the number of the step, and the rows of the world.
    pub(super) fn new(number: u32, step: u32, rows: usize) -> Self {
        let mut frame = Self(Vec::with_capacity(64 + 13 * rows));
        frame.words([MAGIC, number, step, rows as u32]);
        frame
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Writes a section: the tag, the number of bytes, and the bytes that `write` writes, padded.
    pub(super) fn section(&mut self, tag: &[u8; 4], write: impl FnOnce(&mut Self)) {
        self.0.extend_from_slice(tag);
        self.words([0]);
        let start = self.0.len();
        write(self);
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        let bytes = (self.0.len() - start) as u32;
        self.0[start - 4..start].copy_from_slice(&bytes.to_le_bytes());
    }

    fn words(&mut self, words: impl IntoIterator<Item = u32>) {
        for word in words {
            self.0.extend_from_slice(&word.to_le_bytes());
        }
    }

    fn numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.words(numbers.into_iter().map(f32::to_bits));
    }

    /// `PART` and `MESH`: the shapes of all bodies, in their own coordinates. A half-plane is a
    /// square as large as `extent`.
    pub(super) fn shapes(&mut self, world: &World, extent: f32) {
        let mut drawn = Drawn::default();
        for handle in world.handles() {
            if let (Ok(shape), Ok(pose)) = (world.shape(handle), world.pose(handle)) {
                drawn.add(handle.row(), shape.any(), pose, extent);
            }
        }
        let Drawn { parts, corners } = drawn;
        self.section(b"PART", |frame| {
            for Part { row, center, rotation: Rotation { cos, sin }, half, radius } in parts {
                frame.words([row]);
                frame.numbers([center.x, center.y, cos, sin, half.x, half.y, radius]);
            }
        });
        self.section(b"MESH", |frame| {
            for (row, corner) in corners {
                frame.words([row]);
                frame.numbers([corner.x, corner.y]);
            }
        });
    }

    /// `POSE`, and `TURN` if a body is rotated.
    pub(super) fn poses(&mut self, shapes: &Shapes) {
        let poses: Vec<Pose> =
            (0..shapes.rows() as u32).map(|row| shapes.pose(row).unwrap_or_default()).collect();
        self.section(b"POSE", |frame| {
            frame.numbers(poses.iter().map(|pose| pose.x));
            frame.numbers(poses.iter().map(|pose| pose.y));
        });
        if poses.iter().any(|pose| pose.rotation() != Rotation::IDENTITY) {
            self.section(b"TURN", |frame| {
                let mut column = |of: fn(&Pose) -> f32| {
                    for pose in &poses {
                        let short = (of(pose) * f32::from(i16::MAX)).round() as i16;
                        frame.0.extend_from_slice(&short.to_le_bytes());
                    }
                };
                column(|pose| pose.cos);
                column(|pose| pose.sin);
            });
        }
    }

    /// `FLAG`.
    pub(super) fn flags(&mut self, flags: &[u8]) {
        self.section(b"FLAG", |frame| frame.0.extend_from_slice(flags));
    }

    /// `CONT`: the points of contacts in an area.
    pub(super) fn contacts(&mut self, contacts: &[Contact], look: Area) {
        let points = contacts.iter().flat_map(|contact| {
            contact.points().iter().map(|point| (contact.normal(), point.position(), point.depth))
        });
        let seen = points.filter(|(_, at, _)| meets([at.x, at.y, at.x, at.y], look)).take(MOST);
        self.section(b"CONT", |frame| {
            for (normal, at, depth) in seen {
                frame.numbers([at.x, at.y, normal.x, normal.y, depth]);
            }
        });
    }

    /// `GRID` and `CELL`: the levels of the grid with cells in an area, and these cells. If there
    /// are too many, the cells of the finest levels are left out.
    pub(super) fn cells(&mut self, cells: &[GridCell], look: Area) {
        let seen = || cells.iter().filter(|cell| meets(sides(cell), look));
        let mut levels: BTreeMap<u32, Level> = BTreeMap::new();
        for cell in seen() {
            let width = cell.area.max_x - cell.area.min_x;
            let level = levels.entry(cell.level);
            level.or_insert(Level { width, cells: 0, is_drawn: false }).cells += 1;
        }
        let mut room = MOST;
        for level in levels.values_mut().rev() {
            level.is_drawn = level.cells <= room;
            room = if level.is_drawn { room - level.cells } else { 0 };
        }
        self.section(b"GRID", |frame| {
            for (number, Level { width, cells, is_drawn }) in &levels {
                frame.words([*number, *cells as u32, (*is_drawn).into(), width.to_bits()]);
            }
        });
        self.section(b"CELL", |frame| {
            for cell in seen().filter(|cell| levels[&cell.level].is_drawn) {
                frame.numbers(sides(cell));
                frame.words([cell.level, cell.shapes]);
            }
        });
    }

    /// `BOND`: the boxes around bodies in an area. A half-plane has no box.
    pub(super) fn bounds(&mut self, shapes: &Shapes, look: Area) {
        let rows = 0..shapes.rows() as u32;
        let rows = rows.filter(|&row| shapes.kind(row) != Some(Kind::HalfPlane));
        let sides = rows.filter_map(|row| shapes.bounds(row)).map(|bounds| {
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = bounds;
            [min_x - radius, min_y - radius, max_x + radius, max_y + radius]
        });
        let seen = sides.filter(|sides| meets(*sides, look)).take(MOST);
        self.section(b"BOND", |frame| {
            for sides in seen {
                frame.numbers(sides);
            }
        });
    }

    /// `RAYS`: where each ray starts and ends, and the row that it hits.
    pub(super) fn rays(&mut self, rays: &[(Vec2, Vec2, Option<u32>)]) {
        self.section(b"RAYS", |frame| {
            for (from, to, row) in rays {
                frame.numbers([from.x, from.y, to.x, to.y]);
                frame.words([row.unwrap_or(u32::MAX)]);
            }
        });
    }
}

/// A level of the grid in an area.
struct Level {
    /// The width of a cell.
    width: f32,
    /// The number of cells, and whether a frame has them.
    cells: usize,
    is_drawn: bool,
}

/// The sides of a cell.
fn sides(cell: &GridCell) -> Area {
    let area = cell.area;
    [area.min_x, area.min_y, area.max_x, area.max_y]
}

/// Whether two areas share a point.
fn meets(a: Area, b: Area) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The flags of all rows, and the bodies that they were made for.
#[derive(Default)]
pub(super) struct Flags {
    /// The body of each row.
    bodies: Vec<Option<Handle>>,
    /// The flags that do not change with a step.
    fixed: Vec<u8>,
    flags: Vec<u8>,
}

impl Flags {
    /// Forgets the bodies, because there is another world.
    pub(super) fn clear(&mut self) {
        self.bodies.clear();
    }

    /// Whether a row has another body than the last time. The first time, all rows have. `group` is
    /// the group of a body, at most 3.
    pub(super) fn update(&mut self, world: &World, group: impl Fn(Handle) -> u8) -> bool {
        let rows = 0..world.rows() as u32;
        let same = self.bodies.len() == world.rows()
            && rows.clone().zip(&self.bodies).all(|(row, body)| world.handle(row) == *body);
        if same && !self.bodies.is_empty() {
            return false;
        }
        self.bodies.clear();
        self.bodies.extend(rows.map(|row| world.handle(row)));
        self.fixed.clear();
        let flag = |handle: &Option<Handle>| {
            let Some((handle, body)) = handle.and_then(|body| Some((body, world.body(body).ok()?)))
            else {
                return VACANT;
            };
            let fixed = if body.motion == Motion::Static { STATIC } else { 0 };
            let sensor = if body.filter.sensor { SENSOR } else { 0 };
            group(handle) << GROUP | fixed | sensor
        };
        self.fixed.extend(self.bodies.iter().map(flag));
        true
    }

    /// The flags after a step, in which bodies may have come and gone since.
    pub(super) fn of_step(&mut self, world: &World, held: Option<Handle>) -> &[u8] {
        let Self { fixed, flags, .. } = self;
        flags.clone_from(fixed);
        let step = world.last_step();
        let mut mark = |row: u32, bit: u8| {
            if let Some(flag) = flags.get_mut(row as usize).filter(|flag| **flag & VACANT == 0) {
                *flag |= bit;
            }
        };
        for pair in step.pairs() {
            mark(pair.a, TOUCHES);
            mark(pair.b, TOUCHES);
        }
        for event in step.started() {
            mark(event.a.row(), STARTED);
            mark(event.b.row(), STARTED);
        }
        if let Some(held) = held {
            mark(held.row(), HELD);
        }
        flags
    }
}

/// A rounded box in the coordinates of its body.
struct Part {
    row: u32,
    center: Vec2,
    rotation: Rotation,
    half: Vec2,
    radius: f32,
}

/// The shapes of bodies as rounded boxes and triangles.
#[derive(Default)]
struct Drawn {
    parts: Vec<Part>,
    corners: Vec<(u32, Vec2)>,
}

impl Drawn {
    /// Adds a shape as a store returns it: polygons, compounds and half-planes in their own
    /// coordinates, other shapes where they are.
    fn add(&mut self, row: u32, shape: AnyShape<'_>, pose: Pose, extent: f32) {
        match shape {
            AnyShape::Polygon(polygon) => self.polygon(row, polygon),
            AnyShape::HalfPlane(half_plane) => {
                let normal = half_plane.normal();
                let rotation = Rotation { cos: normal.x, sin: normal.y };
                let center = normal * (half_plane.offset - extent);
                let half = Vec2::splat(extent);
                self.parts.push(Part { row, center, rotation, half, radius: 0.0 });
            }
            AnyShape::Compound(compound) => {
                for part in compound.parts() {
                    match part.any() {
                        AnyShape::Polygon(polygon) => self.polygon(row, polygon),
                        part => self.part(row, part, Pose::default()),
                    }
                }
            }
            shape => self.part(row, shape, pose),
        }
    }

    /// Adds a shape without a list, which is placed by the pose already.
    fn part(&mut self, row: u32, shape: AnyShape<'_>, pose: Pose) {
        if let AnyShape::Obb(obb) = shape {
            return self.placed(row, obb, 0.0, pose);
        }
        let (corners, radius) = svg::outline(shape);
        let level = |center: Vec2, half: Vec2| Obb::new(center, half, Rotation::IDENTITY);
        match *corners {
            [center] => self.placed(row, level(center.into(), Vec2::ZERO), radius, pose),
            [a, b] => self.line(row, [a.into(), b.into()], radius, pose),
            [min, _, max, _] => {
                let (min, max) = (Vec2::from(min), Vec2::from(max));
                let half = (max - min) / 2.0;
                self.placed(row, level(min + half, half), radius, pose);
            }
            _ => {}
        }
    }

    /// Adds everything within a radius of a segment.
    fn line(&mut self, row: u32, [a, b]: [Vec2; 2], radius: f32, pose: Pose) {
        let half = (b - a) / 2.0;
        let length = half.length();
        let way = if length > 0.0 { half / length } else { Vec2::X };
        let rotation = Rotation { cos: way.x, sin: way.y };
        self.placed(row, Obb::new(a + half, [length, 0.0], rotation), radius, pose);
    }

    /// Adds everything within a radius of a box, where it is in the body.
    fn placed(&mut self, row: u32, core: Obb, radius: f32, pose: Pose) {
        let back = Rotation { cos: pose.cos, sin: -pose.sin };
        let center = back.apply((core.center() - pose.position()).to_array()).into();
        let [cos, sin] = back.apply([core.cos, core.sin]);
        let (rotation, half) = (Rotation { cos, sin }, core.half_extents());
        self.parts.push(Part { row, center, rotation, half, radius });
    }

    /// Adds the triangles of a polygon, and its sides if it is rounded.
    fn polygon(&mut self, row: u32, polygon: &ConvexPolygon) {
        let corners = polygon.vertices();
        let Some((&first, rest)) = corners.split_first() else { return };
        for pair in rest.windows(2) {
            self.corners.extend([first, pair[0], pair[1]].map(|corner| (row, corner)));
        }
        let radius = polygon.radius();
        if radius > 0.0 {
            for (&a, &b) in corners.iter().zip(rest.iter().chain([&first])) {
                self.line(row, [a, b], radius, Pose::default());
            }
        }
    }
}
