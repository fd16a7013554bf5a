//! Outlines: a polygon that need not be convex, with holes, as a compound of convex parts.
//!
//! In plain words:
//!
//! ```text
//! sides that cross or run along each other: an error                  (rings.rs)
//! each side is cut at the vertices that lie on it
//! what a ring runs along there and back borders nothing, and is left out
//! triangles = the constrained Delaunay triangulation of all vertices, sides included  (crate
//! spade) from the outside, across sides of the outline: inside; from there across holes: not for
//! each side between two triangles, the longest first:
//!     remove it if the part is then still convex at both of its ends          (Hertel and Mehlhorn)
//! ```
//!
//! All decisions are exact, by the crate `robust`. The detector only finds the sides whose boxes
//! touch.

use glam::Vec2;
use robust::{Coord, orient2d};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::{
    Error,
    error::{OutlineFault, Rejected},
    shape::{Compound, ConvexPolygon, Part, rim::RimCorner},
};
use rings::{OutlineRings, refuse};

mod rings;

impl Compound {
    /// The area inside an outline and outside of its holes, as convex polygons: a shape for terrain
    /// and for concave bodies.
    ///
    /// The outline and each hole is a ring of vertices, in either direction and starting with any
    /// of them: [`Vec2`]s, `[f32; 2]`s or tuples. A ring may bend in any way. Vertices that repeat
    /// the one before are left out, also if the last one repeats the first, and vertices on a
    /// straight side are fine.
    ///
    /// - Rings may touch themselves and each other in single points. So a ring may visit a point
    ///   more than once, holes may share corners with each other and with the outline, and a vertex
    ///   may lie on any side. It cuts that side in two.
    /// - Sides must not cross, and must not run along each other. One exception: a ring may run
    ///   along a side once in each direction, to another piece of the ring and back. Such a side
    ///   borders nothing and is left out. So a key hole, which is a hole that the outline itself
    ///   visits by a side there and back, is the hole.
    /// - A ring goes round each point once at most, and round all of them in one direction.
    /// - Holes lie within the outline and outside of each other.
    /// - A hole without area is dropped: it has fewer than three different vertices, all of them
    ///   are on one line, or it runs along all of its sides there and back.
    ///   [`from_outline_and_dropped`](Compound::from_outline_and_dropped) lists these holes.
    ///
    /// With `r` reflex corners, at which the area is wider than half a turn (the convex corners of
    /// a hole, unless another ring touches it there), and `p` pieces into which touching rings
    /// divide the area (1 if they do not), there are at most `2 r + p` parts, less one for each
    /// hole that touches no other ring: each of these corners keeps at most two of the sides
    /// between triangles (Hertel and Mehlhorn, 1983). Usually they are fewer than `r + 1`. No
    /// vertices are added. Neighbouring parts share a side, and each part is as exact as a
    /// [`ConvexPolygon`] (see its tolerance): vertices that hardly bend a part are merged.
    ///
    /// The compound is one area. What lies on a side that two parts share lies inside of it, and
    /// its contacts have the normals of the outline's own border, so that nothing catches on the
    /// seams ([terrain](crate::guide::terrain)). Its [`parts`](Compound::parts) alone would make a
    /// plain compound, which is not equal to it.
    ///
    /// O(n log n) time for n vertices, and O(1) for each pair of sides whose boxes touch; allocates
    /// O(n) memory. Never panics.
    ///
    /// # Errors
    /// [`Error::InvalidOutline`] for the first fault in this order: the values of each ring, and an
    /// outline without area; sides that cross or run along each other; rings that cross themselves
    /// at a vertex; holes that are not within the outline.
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
    /// [`OutlineFault::NoArea`]. The ring that an error names is the position and one more.
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
        let mut rings = OutlineRings::default();
        for (ring, vertices) in std::iter::once(&outline).chain(holes).enumerate() {
            rings.add(ring, vertices.iter().map(|&vertex| vertex.into()))?;
        }
        let (area, dropped) = rings.area()?;
        let (mut parts, mut rims) = (Vec::new(), area.convex_parts()?);
        for (index, rim) in rims.iter().enumerate() {
            let vertices: Vec<Vec2> = rim.iter().map(|corner| corner.at.into()).collect();
            let polygon = ConvexPolygon::new(&vertices).map_err(|error| error.of_polygon(index))?;
            parts.push(Part::Polygon(polygon));
        }
        if rims.len() == 1 {
            // All of its sides are on the border.
            rims.clear();
        }
        Ok((Self::of(parts, rims), dropped))
    }
}

/// An area, by all sides between what is inside and what is not.
struct Area {
    points: Vec<Vec2>,
    /// Sorted by the points at their ends. Sides touch only at their ends.
    sides: Vec<RingSide>,
    /// The names of two sides that a ring runs along in opposite directions, sorted.
    bridges: Vec<[(usize, usize); 2]>,
}

/// A side of a ring, or a piece of one.
#[derive(Clone, Copy)]
struct RingSide {
    from: usize,
    to: usize,
    /// The ring, and the number of the vertex at which the whole side begins.
    name: (usize, usize),
    /// Whether the ring also runs along it in the other direction.
    bridge: bool,
}

/// What is on one side of a side between two faces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SideOfRing {
    Outside,
    Inside,
    /// Within the hole of this ring.
    Hole(usize),
}

/// Coordinates are multiplied by 2^20 for the triangulation, which takes no numbers as small as
/// the smallest `f32`. In `f64`, this is exact.
const SCALE: f64 = (1 << 20) as f64;

/// A point in `f64`.
fn wide(at: Vec2) -> Coord<f64> {
    Coord { x: f64::from(at.x), y: f64::from(at.y) }
}

impl Area {
    /// The corners of each convex part, counter-clockwise.
    fn convex_parts(&self) -> Result<Vec<Vec<RimCorner>>, Error> {
        let points = self.points.iter().map(|&point| {
            let Coord { x, y } = wide(point);
            Point2::new(x * SCALE, y * SCALE)
        });
        let sides = self.sides.iter().map(|side| [side.from, side.to]);
        let mut conflicts = 0;
        let mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
            points.collect(),
            sides.collect(),
            |_| conflicts += 1,
        );
        // Neither happens with sides that have been checked.
        let unsolved = Error::InvalidOutline { ring: 0, vertex: 0, fault: OutlineFault::Unsolved };
        let mesh = match mesh {
            Ok(mesh) if conflicts == 0 && mesh.num_vertices() == self.points.len() => mesh,
            _ => return Err(unsolved),
        };
        let regions = self.regions(&mesh)?;
        let inside = |face: usize| regions[face] == Some(SideOfRing::Inside);
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
        let border = AreaSides {
            back: mesh.directed_edges().map(|edge| edge.rev().fix().index()).collect(),
            next: next.clone(),
            before: before.clone(),
            inside: left.clone(),
        };
        diagonals.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let at = |point: usize| wide(self.points[point]);
        let straight = |a: usize, b: usize, c: usize| orient2d(at(a), at(b), at(c)) >= 0.0;
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
        Ok(parts)
    }

    /// The region of each face.
    fn regions(
        &self,
        mesh: &ConstrainedDelaunayTriangulation<Point2<f64>>,
    ) -> Result<Vec<Option<SideOfRing>>, Error> {
        let mut beside = vec![Vec::new(); mesh.num_all_faces()];
        for edge in mesh.directed_edges() {
            let (from, to) = (edge.face().fix().index(), edge.rev().face().fix().index());
            let ends = [edge.from(), edge.to()].map(|vertex| vertex.fix().index());
            beside[from].push((to, self.ring_between(ends)));
        }
        let mut regions = vec![None; beside.len()];
        let outer = mesh.outer_face().fix().index();
        regions[outer] = Some(SideOfRing::Outside);
        let mut stack = vec![(outer, SideOfRing::Outside)];
        // Whether what is within each ring is to the left of its sides.
        let rings = self.sides.iter().map(|side| side.name.0 + 1).max().unwrap_or(0);
        let mut within_left = vec![None; rings];
        while let Some((face, region)) = stack.pop() {
            for &(other, side) in &beside[face] {
                let beyond = match side {
                    None => region,
                    Some((ring, leftwards)) => {
                        let (enters, beyond) = region.across(ring)?;
                        let left = enters == leftwards;
                        if *within_left[ring].get_or_insert(left) != left {
                            return Err(self.winds_twice(ring));
                        }
                        beyond
                    }
                };
                if regions[other].is_none() {
                    regions[other] = Some(beyond);
                    stack.push((other, beyond));
                }
            }
        }
        Ok(regions)
    }

    /// The ring of the side between two points, and whether the left of that side is beyond it for
    /// who stands to the left of the way between them.
    fn ring_between(&self, [from, to]: [usize; 2]) -> Option<(usize, bool)> {
        let find = |ends| self.sides.binary_search_by_key(&ends, |side| (side.from, side.to));
        let ring = |place: usize| self.sides[place].name.0;
        match (find((from, to)), find((to, from))) {
            (Ok(place), _) => Some((ring(place), false)),
            (_, Ok(place)) => Some((ring(place), true)),
            _ => None,
        }
    }

    /// The error of a ring that goes round some points twice, or round some to the left and some to
    /// the right. It does not cross itself, so it is in pieces that it joins by bridges.
    fn winds_twice(&self, ring: usize) -> Error {
        match self.bridges.iter().find(|bridge| bridge[0].0 == ring) {
            Some(&bridge) => refuse(bridge, true),
            None => Error::InvalidOutline { ring, vertex: 0, fault: OutlineFault::Unsolved },
        }
    }
}

impl SideOfRing {
    /// What is beyond a side of a ring, and whether it is within the ring.
    fn across(self, ring: usize) -> Result<(bool, Self), Error> {
        match (self, ring) {
            (SideOfRing::Outside, 0) => Ok((true, SideOfRing::Inside)),
            (SideOfRing::Inside, 0) => Ok((false, SideOfRing::Outside)),
            (SideOfRing::Inside, hole) => Ok((true, SideOfRing::Hole(hole))),
            (SideOfRing::Hole(hole), ring) if hole == ring => Ok((false, SideOfRing::Inside)),
            (SideOfRing::Hole(ring), 0) | (SideOfRing::Outside | SideOfRing::Hole(_), ring) => {
                Err(Error::InvalidOutline { ring, vertex: 0, fault: OutlineFault::NotWithin })
            }
        }
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
