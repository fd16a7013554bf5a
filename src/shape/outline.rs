//! Outlines: a polygon that need not be convex, with holes, as a compound of convex parts.
//!
//! In plain words:
//!
//! ```text
//! the sides of all rings touch only where they are neighbours: else an error
//! triangles = the constrained Delaunay triangulation of all vertices, sides included  (crate spade)
//! from the outside, across sides of the outline: inside; from there across holes: not
//! for each side between two triangles, the longest first:
//!     remove it if the part is then still convex at both of its ends          (Hertel and Mehlhorn)
//! ```
//!
//! All decisions are exact: those of the triangulation and of the turns by the crate `robust`, and
//! those about touching sides by the detector.

use glam::Vec2;
use robust::{Coord, orient2d};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use super::{Compound, ConvexPolygon, Part, check::coordinate_fault, rim::RimCorner};
use crate::{
    Columns, Detector, Error, Pair,
    error::{Field, OutlineFault},
};

impl Compound {
    /// The area inside an outline and outside of its holes, as convex polygons: a shape for terrain
    /// and for concave bodies.
    ///
    /// The outline and each hole is a ring of at least three distinct vertices, in either direction
    /// and starting with any of them: [`Vec2`]s, `[f32; 2]`s or tuples. A ring may bend in any way,
    /// but it must not touch itself or another ring, and holes lie within the outline and outside
    /// of each other. Vertices that repeat the one before are left out, and vertices on a straight
    /// side are fine.
    ///
    /// With `r` reflex vertices, at which the area bends inwards (the convex corners of a hole are
    /// reflex), there are at most `2 r + 1` parts, less one for each hole: each of these vertices
    /// keeps at most two of the sides between triangles (Hertel and Mehlhorn, 1983). Usually they
    /// are fewer than `r + 1`. No vertices are added. Neighbouring parts share a side, and each
    /// part is as exact as a [`ConvexPolygon`] (see its tolerance): vertices that hardly bend a
    /// part are merged.
    ///
    /// The compound is one area. What lies on a side that two parts share lies inside of it, and its
    /// contacts have the normals of the outline's own border, so that nothing catches on the seams
    /// (docs/terrain.md). Its [`parts`](Compound::parts) alone would make a plain compound, which is
    /// not equal to it.
    ///
    /// O(n log n) time for n vertices; allocates. Never panics.
    ///
    /// # Errors
    /// [`Error::InvalidOutline`] for the first fault in this order: values, rings of fewer than
    /// three distinct vertices, sides that cross or touch, holes that are not within the outline.
    /// [`Error::InvalidPolygon`] with the number of the part, if the outline is so large or thin
    /// that the tolerance of a part is larger than the part.
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
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn from_outline<V: Copy + Into<Vec2>>(
        outline: &[V],
        holes: &[&[V]],
    ) -> Result<Self, Error> {
        let mut rings = Rings::default();
        for (ring, vertices) in std::iter::once(&outline).chain(holes).enumerate() {
            rings.add(ring, vertices.iter().map(|&vertex| vertex.into()))?;
        }
        rings.check_sides()?;
        let (mut parts, mut rims) = (Vec::new(), rings.convex_parts()?);
        for (index, rim) in rims.iter().enumerate() {
            let vertices: Vec<Vec2> = rim.iter().map(|corner| corner.at.into()).collect();
            let polygon = ConvexPolygon::new(&vertices).map_err(|error| error.of_polygon(index))?;
            parts.push(Part::Polygon(polygon));
        }
        if rims.len() == 1 {
            // All of its sides are on the border.
            rims.clear();
        }
        Ok(Self::of(parts, rims))
    }
}

/// The vertices of all rings, one ring after the other.
#[derive(Default)]
struct Rings {
    vertices: Vec<Vec2>,
    /// The ring of each vertex, and its number in the list of the caller.
    names: Vec<(usize, usize)>,
    /// The vertex after each one in its ring.
    next: Vec<usize>,
}

/// What is on one side of a side between two faces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    Outside,
    Inside,
    /// Within the hole of this ring.
    Hole(usize),
}

/// Coordinates are multiplied by 2^20 for the triangulation, which takes no numbers as small as
/// the smallest `f32`. In `f64`, this is exact.
const SCALE: f64 = (1 << 20) as f64;

impl Rings {
    /// Adds a ring, without the vertices that repeat the one before.
    fn add(&mut self, ring: usize, vertices: impl Iterator<Item = Vec2>) -> Result<(), Error> {
        let first = self.vertices.len();
        for (vertex, at) in vertices.enumerate() {
            for (field, value) in [(Field::X, at.x), (Field::Y, at.y)] {
                if let Some(fault) = coordinate_fault(value) {
                    let fault = OutlineFault::Vertex { field, value, fault };
                    return Err(Error::InvalidOutline { ring, vertex, fault });
                }
            }
            if self.vertices.len() == first || self.vertices.last() != Some(&at) {
                self.vertices.push(at);
                self.names.push((ring, vertex));
            }
        }
        while self.vertices.len() > first + 1 && self.vertices.last() == Some(&self.vertices[first])
        {
            self.vertices.pop();
            self.names.pop();
        }
        let distinct = self.vertices.len() - first;
        if distinct < 3 {
            let fault = OutlineFault::TooFewVertices { distinct };
            return Err(Error::InvalidOutline { ring, vertex: 0, fault });
        }
        self.next.extend(first + 1..first + distinct);
        self.next.push(first);
        Ok(())
    }

    /// Checks that sides touch only at the vertices that they share.
    fn check_sides(&self) -> Result<(), Error> {
        let end = |side: usize| self.vertices[self.next[side]];
        let column = |of: &dyn Fn(usize) -> f32| (0..self.next.len()).map(of).collect::<Vec<f32>>();
        let ax = column(&|side| self.vertices[side].x);
        let ay = column(&|side| self.vertices[side].y);
        let (bx, by) = (column(&|side| end(side).x), column(&|side| end(side).y));
        let mut pairs = Vec::new();
        Detector::new().pairs(Columns::segments(&ax, &ay, &bx, &by)?, &mut pairs)?;
        pairs.sort_unstable();
        for Pair { a, b } in pairs {
            let [a, b] = [a as usize, b as usize];
            let joint = if self.next[a] == b { Some([a, b]) } else { None };
            let joint = if self.next[b] == a { Some([b, a]) } else { joint };
            let fine = joint.is_some_and(|[from, to]| !self.turns_back(from, to));
            if !fine {
                let ((ring, vertex), (other_ring, other_vertex)) = (self.names[a], self.names[b]);
                let fault = OutlineFault::Crosses { ring: other_ring, vertex: other_vertex };
                return Err(Error::InvalidOutline { ring, vertex, fault });
            }
        }
        Ok(())
    }

    /// Whether the side that begins at vertex `to` goes back along the side from `from` to it.
    fn turns_back(&self, from: usize, to: usize) -> bool {
        let [a, b, c] = [from, to, self.next[to]].map(|vertex| self.at(vertex));
        let ahead = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
        orient2d(a, b, c) == 0.0 && ahead < 0.0
    }

    fn at(&self, vertex: usize) -> Coord<f64> {
        let at = self.vertices[vertex];
        Coord { x: f64::from(at.x), y: f64::from(at.y) }
    }

    /// The corners of each convex part, counter-clockwise.
    fn convex_parts(&self) -> Result<Vec<Vec<RimCorner>>, Error> {
        let points = (0..self.vertices.len()).map(|vertex| {
            let Coord { x, y } = self.at(vertex);
            Point2::new(x * SCALE, y * SCALE)
        });
        let sides = self.next.iter().enumerate().map(|(vertex, next)| [vertex, *next]);
        let mut conflicts = 0;
        let mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
            points.collect(),
            sides.collect(),
            |_| conflicts += 1,
        );
        // Neither happens with sides that have been checked.
        let unsolved = Error::InvalidOutline { ring: 0, vertex: 0, fault: OutlineFault::Unsolved };
        let mesh = match mesh {
            Ok(mesh) if conflicts == 0 && mesh.num_vertices() == self.vertices.len() => mesh,
            _ => return Err(unsolved),
        };
        let regions = self.regions(&mesh)?;
        let inside = |face: usize| regions[face] == Some(Region::Inside);
        let edges = mesh.num_directed_edges();
        let (mut next, mut before) = (vec![0; edges], vec![0; edges]);
        let (mut from, mut left, mut diagonals) = (vec![0; edges], vec![false; edges], Vec::new());
        for edge in mesh.directed_edges() {
            let (number, back) = (edge.fix().index(), edge.rev());
            next[number] = edge.next().fix().index();
            before[number] = edge.prev().fix().index();
            from[number] = edge.from().fix().index();
            left[number] = inside(edge.face().fix().index());
            let between = left[number] && inside(back.face().fix().index());
            if between && !edge.is_constraint_edge() && number < back.fix().index() {
                diagonals.push((edge.length_2(), number, back.fix().index()));
            }
        }
        let border = Border {
            back: mesh.directed_edges().map(|edge| edge.rev().fix().index()).collect(),
            next: next.clone(),
            before: before.clone(),
            inside: left.clone(),
        };
        diagonals.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let straight =
            |a: usize, b: usize, c: usize| orient2d(self.at(a), self.at(b), self.at(c)) >= 0.0;
        for (_, edge, back) in diagonals {
            // The sides before and after each end, once the diagonal is gone.
            let ends = [[before[edge], next[back]], [before[back], next[edge]]];
            if ends.iter().all(|&[to, away]| straight(from[to], from[away], from[next[away]])) {
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
                let place = |vertex: usize| self.vertices[vertex].to_array();
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
        Ok(parts)
    }

    /// The region of each face.
    fn regions(
        &self,
        mesh: &ConstrainedDelaunayTriangulation<Point2<f64>>,
    ) -> Result<Vec<Option<Region>>, Error> {
        let mut beside = vec![Vec::new(); mesh.num_all_faces()];
        for edge in mesh.directed_edges() {
            let (from, to) = (edge.face().fix().index(), edge.rev().face().fix().index());
            let vertex = edge.from().fix().index();
            beside[from].push((to, edge.is_constraint_edge().then_some(vertex)));
        }
        let mut regions = vec![None; beside.len()];
        let outer = mesh.outer_face().fix().index();
        regions[outer] = Some(Region::Outside);
        let mut stack = vec![(outer, Region::Outside)];
        while let Some((face, region)) = stack.pop() {
            for &(other, side) in &beside[face] {
                let beyond = match side.map(|vertex| self.names[vertex].0) {
                    None => region,
                    Some(ring) => match (region, ring) {
                        (Region::Outside, 0) => Region::Inside,
                        (Region::Inside, 0) => Region::Outside,
                        (Region::Inside, ring) => Region::Hole(ring),
                        (Region::Hole(hole), ring) if hole == ring => Region::Inside,
                        (Region::Outside | Region::Hole(_), ring) => {
                            let fault = OutlineFault::NotWithin;
                            return Err(Error::InvalidOutline { ring, vertex: 0, fault });
                        }
                    },
                };
                if regions[other].is_none() {
                    regions[other] = Some(beyond);
                    stack.push((other, beyond));
                }
            }
        }
        Ok(regions)
    }
}

/// The border of the area in the triangulation: sides with the area on their left only.
struct Border {
    /// The same side in the other direction, and the sides after and before it around its triangle.
    back: Vec<usize>,
    next: Vec<usize>,
    before: Vec<usize>,
    /// Whether the area is on the left of a side.
    inside: Vec<bool>,
}

impl Border {
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
