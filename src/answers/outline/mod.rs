//! Outlines: areas that need not be convex, with holes, as a compound of convex parts.
//!
//! In plain words:
//!
//! ```text
//! sides that cross, or run along each other within one outline: an error        (rings.rs)
//! each side is cut at the vertices that lie on it
//! what a ring runs along there and back borders nothing, and is left out
//! triangles = the constrained Delaunay triangulation of all vertices, sides included (crate spade)
//! from the outside, across sides of an outline: inside; from there across its holes: not  (faces.rs)
//!     into two outlines at once: an error
//! what two outlines share borders nothing: it is left out, and the rest triangulated again
//! for each side between two triangles, the longest first:
//!     remove it if the part is then still convex at both of its ends          (Hertel and Mehlhorn)
//! vertices on a straight side of a part: not corners of its polygon
//! ```
//!
//! All decisions are exact, by the crate `robust`. The detector only finds the sides whose boxes
//! touch. The parts have the vertices that were given, to the bit, so their union is the area.
//!
//! The crate earcut is fast, but its predicates round: thin outlines may give triangles that
//! overlap. The crate i_triangle rounds coordinates to integers, and adds vertices where sides then
//! cross.

use glam::Vec2;
use robust::{Coord, orient2d};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::{
    error::{Error, OutlineFault, Rejected},
    shape::{Compound, ConvexPolygon, MAX_VERTICES, Part, compound::RimCorner},
    simd::map_each,
};
use rings::OutlineRings;

mod faces;
mod rings;

impl Compound {
    /// The area inside an outline and outside of its holes, as convex polygons: a shape for terrain
    /// and for concave bodies.
    ///
    /// The outline and each hole is a ring of vertices, in either direction and starting with any
    /// of them: [`Vec2`]s, `[f32; 2]`s or tuples. A ring may bend in any way. Vertices that repeat
    /// the vertex before are left out, also if the last vertex repeats the first, and vertices on a
    /// straight side are fine.
    ///
    /// - Rings may touch themselves and each other in single points. So a ring may visit a point
    ///   more than once, holes may share corners with each other and with the outline, and a vertex
    ///   may lie on any side. It cuts that side in two.
    /// - Sides must not cross, and must not run along each other. One exception: a ring may run
    ///   along a side once in each direction, to another piece of the ring and back. Such a side
    ///   borders nothing and is left out. So a key hole, which is a hole that the outline itself
    ///   visits by a side there and back, is the hole.
    /// - A ring goes round each point once at most, and round all points in one direction.
    /// - Holes lie within the outline and outside of each other.
    /// - A hole without area is dropped: it has fewer than three different vertices, its vertices
    ///   are on one line, or it runs along all of its sides there and back.
    ///   [`from_outline_and_dropped`](Compound::from_outline_and_dropped) lists these holes.
    ///
    /// With `r` reflex corners, at which the area is wider than half a turn (the convex corners of
    /// a hole, unless another ring touches it there), and `p` pieces into which touching rings
    /// divide the area (1 if they do not), there are at most `2 r + p` parts, less one for each
    /// hole that touches no other ring: each of these corners keeps at most two of the sides
    /// between triangles (Hertel and Mehlhorn, 1983). Usually they are fewer than `r + 1`. A part
    /// has at most [`MAX_VERTICES`] vertices; a larger part is divided.
    ///
    /// The compound is the area of its rings, exactly: no vertex is added, moved or merged, however
    /// little it bends its ring. Only vertices that lie on a straight side of a part, exactly, are
    /// not corners of its polygon. So these polygons need not keep the
    /// [tolerance](ConvexPolygon#tolerance) of polygons that were made alone.
    ///
    /// The compound is one area. A shape on a side that two parts share lies inside of the outline,
    /// and its contacts have the normals of the outline's own border, so that nothing catches on
    /// the seams ([terrain](crate::guide::terrain)). Its [`parts`](Compound::parts) alone would
    /// make a plain compound, which is not equal to it.
    ///
    /// O(n log n) time for n vertices, and O(1) for each pair of sides whose boxes touch; allocates
    /// O(n) memory. Never panics.
    ///
    /// # Errors
    /// [`Error::InvalidOutline`] for the first fault in this order: the values of each ring, and an
    /// outline without area; sides that cross or run along each other; rings that cross themselves
    /// at a vertex; holes that are not within the outline.
    ///
    /// ```
    /// use widephase::shape::Compound;
    ///
    /// // An L of two boxes, and a square with a square hole.
    /// let corner = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    /// assert_eq!(Compound::from_outline(&corner, &[])?.parts().len(), 2);
    /// let square = |half: f32| [[-half, -half], [half, -half], [half, half], [-half, half]];
    /// let frame = Compound::from_outline(&square(2.0), &[&square(1.0)])?;
    /// assert_eq!(frame.parts().len(), 4);
    /// // Two squares that share a corner, as one ring that visits it twice.
    /// let pair = [[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [1, 2], [1, 1], [0, 1]];
    /// let pair = pair.map(|[x, y]: [u8; 2]| [f32::from(x), f32::from(y)]);
    /// assert_eq!(Compound::from_outline(&pair, &[])?.parts().len(), 2);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn from_outline<V: Copy + Into<Vec2>>(
        outline: &[V],
        holes: &[&[V]],
    ) -> Result<Self, Error> {
        Self::from_outline_and_dropped(outline, holes).map(|(compound, _)| compound)
    }

    /// [`from_outline`](Compound::from_outline), and the holes that it dropped because they have no
    /// area: their positions in `holes`, ascending, with [`OutlineFault::TooFewVertices`] or
    /// [`OutlineFault::NoArea`]. An error names the ring by the position plus one.
    ///
    /// # Errors
    /// The errors of [`from_outline`](Compound::from_outline).
    ///
    /// ```
    /// use widephase::{Error, error::OutlineFault, shape::Compound};
    ///
    /// let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    /// let hole = [[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
    /// let line = [[2.0, 2.0], [3.0, 3.0], [2.5, 2.5]];
    /// let (frame, dropped) = Compound::from_outline_and_dropped(&square, &[&hole, &line])?;
    /// assert_eq!(frame, Compound::from_outline(&square, &[&hole])?);
    /// let fault = OutlineFault::NoArea;
    /// assert_eq!((dropped.len(), dropped[0].index), (1, 1));
    /// assert_eq!(dropped[0].error, Error::InvalidOutline { ring: 2, vertex: 0, fault });
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn from_outline_and_dropped<V: Copy + Into<Vec2>>(
        outline: &[V],
        holes: &[&[V]],
    ) -> Result<(Self, Vec<Rejected>), Error> {
        let rings = std::iter::once(outline).chain(holes.iter().copied());
        Self::of_outlines(std::iter::once(rings))
    }

    /// The area within several outlines, each with its holes, as one shape: a multipolygon,
    /// islands, the outlines of a tile map.
    ///
    /// Each outline is a list of rings. The first ring is the outline, the other rings are its
    /// holes, as in GeoJSON. An outline without rings is left out.
    /// [`from_outline`](Compound::from_outline) has the rules of rings, and of holes without area.
    ///
    /// - Outlines may touch in points, and an outline may lie in a hole of another outline.
    /// - Outlines may share sides and pieces of sides, from either side of it. Such a side borders
    ///   nothing, and lies inside: the union is one area.
    /// - No two outlines have a common area.
    ///
    /// The parts and the cost are as for [`from_outline`](Compound::from_outline). Where sides are
    /// shared, the area is triangulated twice.
    ///
    /// # Errors
    /// [`Error::EmptyCompound`] if there is no outline. The errors of
    /// [`from_outline`](Compound::from_outline), and [`OutlineFault::InArea`] for a side of one
    /// outline in the area of another outline. All rings are numbered through: the rings of the
    /// first outline, then the rings of the next.
    ///
    /// ```
    /// use widephase::shape::{Compound, Outline};
    ///
    /// // Two squares that share a side, and one on its own.
    /// let square = |x: f32| vec![[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
    /// let islands = vec![vec![square(0.0)], vec![square(1.0)], vec![square(5.0)]];
    /// let islands = Compound::from_outlines(&islands)?;
    /// assert_eq!(islands.parts().len(), 2);
    ///
    /// // All that is solid of a tile map.
    /// let solid = |column: usize, row: usize| column != 1 || row == 2;
    /// let map = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [3, 4], solid)?;
    /// assert!(Compound::from_outlines(map.iter().map(Outline::rings))?.contains([1.5, 2.5]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn from_outlines<V: Copy + Into<Vec2>, R: AsRef<[V]>, P: IntoIterator<Item = R>>(
        outlines: impl IntoIterator<Item = P>,
    ) -> Result<Self, Error> {
        Self::of_outlines(outlines).map(|(compound, _)| compound)
    }

    fn of_outlines<V: Copy + Into<Vec2>, R: AsRef<[V]>, P: IntoIterator<Item = R>>(
        outlines: impl IntoIterator<Item = P>,
    ) -> Result<(Self, Vec<Rejected>), Error> {
        let mut rings = OutlineRings::default();
        for outline in outlines {
            for (number, ring) in outline.into_iter().enumerate() {
                rings.add(number > 0, ring.as_ref().iter().map(|&vertex| vertex.into()))?;
            }
        }
        let (area, dropped) = rings.area()?;
        let mut rims = area.convex_parts()?;
        let parts = rims.iter().map(|rim| Part::Polygon(polygon(rim))).collect();
        if rims.len() == 1 {
            // All of its sides are on the border.
            rims.clear();
        }
        Ok((Self::of(parts, rims), dropped))
    }
}

/// The polygon of a part: its corners without the corners on a straight side.
fn polygon(rim: &[RimCorner]) -> ConvexPolygon {
    let count = rim.len();
    let at = |number: usize| Vec2::from(rim[number % count].at);
    let bends = |number: &usize| {
        let [before, corner, after] =
            map_each([number + count - 1, *number, number + 1], |number| wide(at(number)));
        orient2d(before, corner, after) != 0.0
    };
    ConvexPolygon::of_own((0..count).filter(bends).map(at).collect(), 0.0)
}

/// An area, by all sides between its inside and its outside.
struct Area {
    points: Vec<Vec2>,
    /// Sorted by the points at their ends, in either order. Sides touch only at their ends. Sides
    /// of several outlines may have both ends in common.
    sides: Vec<RingSide>,
    /// For each ring, the first ring of its outline: itself if it is no hole.
    outlines: Vec<usize>,
    /// The names of two sides that a ring runs along in opposite directions, sorted.
    bridges: Vec<[(usize, usize); 2]>,
}

/// A side of a ring, or a piece of a side.
#[derive(Clone, Copy)]
struct RingSide {
    from: usize,
    to: usize,
    /// The ring, and the number of the vertex at which the whole side begins.
    name: (usize, usize),
    /// Whether the ring also runs along it in the other direction.
    bridge: bool,
}

impl RingSide {
    /// The points at both ends, the lower number first.
    fn ends(&self) -> [usize; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }
}

/// A triangulation of the points of an area, with all of its sides.
type Mesh = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// A point in `f64`.
fn wide(at: Vec2) -> Coord<f64> {
    Coord { x: f64::from(at.x), y: f64::from(at.y) }
}

impl Area {
    /// The area within these sides, whose ends are numbers of `points`. Keeps the points that they
    /// use, in their order.
    fn of(
        points: &[Vec2],
        mut sides: Vec<RingSide>,
        outlines: Vec<usize>,
        bridges: Vec<[(usize, usize); 2]>,
    ) -> Self {
        let mut numbers: Vec<usize> = sides.iter().flat_map(RingSide::ends).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let number = |point: usize| numbers.partition_point(|&other| other < point);
        for side in &mut sides {
            (side.from, side.to) = (number(side.from), number(side.to));
        }
        sides.sort_unstable_by_key(|side| (side.ends(), side.name));
        let points = numbers.iter().map(|&number| points[number]).collect();
        Self { points, sides, outlines, bridges }
    }

    /// The sides between two points: one side, or several sides of different outlines.
    fn sides_between(&self, [a, b]: [usize; 2]) -> &[RingSide] {
        let ends = [a.min(b), a.max(b)];
        let first = self.sides.partition_point(|side| side.ends() < ends);
        let count = self.sides[first..].iter().take_while(|side| side.ends() == ends).count();
        &self.sides[first..first + count]
    }

    fn triangulated(&self) -> Result<Mesh, Error> {
        /// Coordinates are multiplied by 2^20 for the triangulation, which takes no numbers as
        /// small as the smallest `f32`. In `f64`, this is exact.
        const TRIANGULATION_SCALE: f64 = (1 << 20) as f64;
        let points = self.points.iter().map(|&point| {
            let Coord { x, y } = wide(point);
            Point2::new(x * TRIANGULATION_SCALE, y * TRIANGULATION_SCALE)
        });
        let mut sides: Vec<[usize; 2]> = self.sides.iter().map(RingSide::ends).collect();
        sides.dedup();
        let mut conflicts = 0;
        let mesh = Mesh::try_bulk_load_cdt(points.collect(), sides, |_| conflicts += 1);
        // Neither happens with sides that have been checked.
        match mesh {
            Ok(mesh) if conflicts == 0 && mesh.num_vertices() == self.points.len() => Ok(mesh),
            _ => Err(unsolved(0)),
        }
    }

    /// The corners of each convex part, counter-clockwise.
    fn convex_parts(self) -> Result<Vec<Vec<RimCorner>>, Error> {
        let mesh = self.triangulated()?;
        self.check_faces(&mesh)?;
        let mut shared = vec![false; self.sides.len()];
        for (number, pair) in self.sides.windows(2).enumerate() {
            if pair[0].ends() == pair[1].ends() {
                (shared[number], shared[number + 1]) = (true, true);
            }
        }
        if !shared.contains(&true) {
            return Ok(self.parts(&mesh));
        }
        let Self { points, sides, outlines, bridges } = self;
        let own = sides.into_iter().zip(shared).filter(|(_, shared)| !shared);
        let union = Self::of(&points, own.map(|(side, _)| side).collect(), outlines, bridges);
        Ok(union.parts(&union.triangulated()?))
    }

    fn parts(&self, mesh: &Mesh) -> Vec<Vec<RimCorner>> {
        let inside = self.inside(mesh);
        let edges = mesh.num_directed_edges();
        let (mut next, mut before) = (vec![0; edges], vec![0; edges]);
        let (mut from, mut left, mut diagonals) = (vec![0; edges], vec![false; edges], Vec::new());
        for edge in mesh.directed_edges() {
            let (number, back) = (edge.fix().index(), edge.rev());
            next[number] = edge.next().fix().index();
            before[number] = edge.prev().fix().index();
            from[number] = edge.from().fix().index();
            left[number] = inside[edge.face().fix().index()];
            let between = left[number] && inside[back.face().fix().index()];
            if between && number < back.fix().index() {
                let faces = map_each([edge.face(), back.face()], |face| face.fix().index());
                diagonals.push((edge.length_2(), [number, back.fix().index()], faces));
            }
        }
        let border = AreaSides {
            back: mesh.directed_edges().map(|edge| edge.rev().fix().index()).collect(),
            next: next.clone(),
            before: before.clone(),
            inside: left.clone(),
        };
        diagonals.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let at = |point: usize| wide(self.points[point]);
        let straight = |a: usize, b: usize, c: usize| orient2d(at(a), at(b), at(c)) >= 0.0;
        let mut sizes = PartSizes::of_triangles(mesh.num_all_faces());
        for (_, [edge, back], faces) in diagonals {
            // The sides before and after each end, once the diagonal is gone.
            let ends = [[before[edge], next[back]], [before[back], next[edge]]];
            let convex =
                ends.iter().all(|&[to, away]| straight(from[to], from[away], from[next[away]]));
            if convex && sizes.join(faces) {
                for [to, away] in ends {
                    (next[to], before[away]) = (away, to);
                }
                (left[edge], left[back]) = (false, false);
            }
        }
        let mut parts = Vec::new();
        for first in 0..edges {
            let (mut part, mut edge) = (Vec::new(), first);
            while std::mem::replace(&mut left[edge], false) {
                let [leaving, arriving] = [border.after(edge), border.before(before[edge])];
                let place = |vertex: usize| self.points[vertex].to_array();
                part.push(RimCorner {
                    at: place(from[edge]),
                    before: place(arriving.map_or(from[edge], |side| from[side])),
                    after: place(leaving.map_or(from[edge], |side| from[border.back[side]])),
                    outer: border.has(edge),
                });
                edge = next[edge];
            }
            if !part.is_empty() {
                parts.push(part);
            }
        }
        parts
    }
}

/// The error of rings that cannot be triangulated, or for which nothing else explains the failure.
fn unsolved(ring: usize) -> Error {
    Error::InvalidOutline { ring, vertex: 0, fault: OutlineFault::Unsolved }
}

/// The number of vertices of each part, while parts are joined: a forest of faces.
struct PartSizes {
    /// A face of the same part that is nearer to the root, or the root itself.
    towards: Vec<usize>,
    /// The number of vertices of the part with this root.
    vertices: Vec<usize>,
}

impl PartSizes {
    fn of_triangles(faces: usize) -> Self {
        Self { towards: (0..faces).collect(), vertices: vec![3; faces] }
    }

    fn root(&mut self, mut face: usize) -> usize {
        while self.towards[face] != face {
            // Each second step halves the way of the next search.
            self.towards[face] = self.towards[self.towards[face]];
            face = self.towards[face];
        }
        face
    }

    /// Joins the parts of two faces that share a side, unless the part would have too many
    /// vertices.
    fn join(&mut self, faces: [usize; 2]) -> bool {
        let [one, other] = map_each(faces, |face| self.root(face));
        let vertices = self.vertices[one] + self.vertices[other] - 2;
        let fits = vertices <= MAX_VERTICES;
        if fits {
            let [few, many] =
                if self.vertices[one] < self.vertices[other] { [one, other] } else { [other, one] };
            (self.towards[few], self.vertices[many]) = (many, vertices);
        }
        fits
    }
}

/// The border of the area in the triangulation: sides with the area on their left only.
struct AreaSides {
    /// The same side in the other direction, and the sides after and before it around its triangle.
    back: Vec<usize>,
    next: Vec<usize>,
    before: Vec<usize>,
    /// Whether the area is on the left of a side.
    inside: Vec<bool>,
}

impl AreaSides {
    /// Whether a side with the area on its left is on the border.
    fn has(&self, side: usize) -> bool {
        !self.inside[self.back[side]]
    }

    /// The side of the border that leaves the vertex where `side` begins, clockwise from `side`.
    /// `None` if the area is all around the vertex.
    fn after(&self, side: usize) -> Option<usize> {
        self.turn(side, &self.next)
    }

    /// The side of the border that arrives at the vertex where `side` ends, counter-clockwise from
    /// `side`.
    fn before(&self, side: usize) -> Option<usize> {
        self.turn(side, &self.before)
    }

    fn turn(&self, first: usize, step: &[usize]) -> Option<usize> {
        let mut side = first;
        while !self.has(side) {
            side = step[self.back[side]];
            if side == first {
                return None;
            }
        }
        Some(side)
    }
}
