//! Chains: polylines whose segments know their neighbours.

use glam::Vec2;

use super::{Segment, check::coordinate_fault};
use crate::error::{Error, Fault, Field};

/// The sides of a chain that have contacts.
///
/// For motions, a chain with one side is a one-way platform: it stops only shapes that come from
/// the front, and no shape that is across it (see [what stops a
/// motion](crate::guide::queries#what-stops-a-motion)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sides {
    /// Both sides: a wall or a rope.
    #[default]
    Both,
    /// Only the left side of the way along the chain: the upper side of a floor that is drawn from
    /// left to right.
    Left,
    /// Only the right side: the outside of a counter-clockwise outline.
    Right,
}

/// A polyline, open or closed, over whose joints other shapes slide without catching.
///
/// A chain is the input for [`Shapes::push_chain`](crate::Shapes::push_chain), which appends a row
/// for each of its [segments](Chain::segments). So a terrain of any length costs only the segments
/// near a shape. Its vertices are in the order of the way along it. Boxes and tile maps become
/// chains by [`Outline`](crate::shape::Outline).
///
/// ```
/// use widephase::{Detector, Shapes, shape::{Aabb, Chain, Sides}};
///
/// let ground = Chain::open(&[[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]])?.with_sides(Sides::Left);
/// let mut shapes = Shapes::new();
/// assert_eq!(shapes.push_chain(&ground)?, 0..2);
/// // A box that has passed the joint by 0.01, and is sunk in by 0.25. Without neighbours, the end
/// // of the first segment would push it to the right.
/// shapes.push(Aabb::new([9.99, -0.25], [11.99, 1.75]))?;
/// let mut contacts = Vec::new();
/// Detector::new().contacts(&shapes, 0.0, &mut contacts)?;
/// assert_eq!(contacts.len(), 2);
/// assert!(contacts.iter().all(|contact| contact.normal().to_array() == [0.0, 1.0]));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    vertices: Vec<Vec2>,
    closed: bool,
    sides: Sides,
    /// The vertex before the first and the vertex after the last, for an open chain.
    ghosts: [Option<Vec2>; 2],
}

impl Chain {
    /// An open chain through at least two vertices: [`Vec2`]s, `[f32; 2]`s or tuples. O(n) time;
    /// allocates.
    ///
    /// # Errors
    /// [`Error::ShortChain`]; [`Error::InvalidChain`] for the first vertex that is not finite, is
    /// beyond 2^60, or repeats the vertex before it.
    pub fn open<V: Copy + Into<Vec2>>(vertices: &[V]) -> Result<Self, Error> {
        Self::new(vertices, false)
    }

    /// A closed chain: a further segment joins the last vertex to the first, which must not be
    /// repeated. At least three vertices. O(n) time; allocates.
    ///
    /// # Errors
    /// The errors of [`open`](Chain::open). A first vertex that repeats the last vertex is an error
    /// of vertex 0.
    pub fn closed<V: Copy + Into<Vec2>>(vertices: &[V]) -> Result<Self, Error> {
        Self::new(vertices, true)
    }

    fn new<V: Copy + Into<Vec2>>(vertices: &[V], closed: bool) -> Result<Self, Error> {
        let (len, least) = (vertices.len(), if closed { 3 } else { 2 });
        if len < least {
            return Err(Error::ShortChain { len, least });
        }
        let vertices: Vec<Vec2> = vertices.iter().map(|&vertex| vertex.into()).collect();
        let mut last = if closed { vertices.last().copied() } else { None };
        for (number, vertex) in vertices.iter().enumerate() {
            check_vertex(number, *vertex, last)?;
            last = Some(*vertex);
        }
        Ok(Self { vertices, closed, sides: Sides::Both, ghosts: [None; 2] })
    }

    /// The same chain with contacts on these sides. Both sides, unless this is called.
    #[must_use]
    pub fn with_sides(self, sides: Sides) -> Self {
        Self { sides, ..self }
    }

    /// This open chain as a piece of a longer chain: with the vertex before its first vertex and
    /// the vertex after its last vertex. The joints with the pieces beside it are then as smooth as
    /// all other joints. A closed chain keeps its own neighbours.
    ///
    /// # Errors
    /// [`Error::InvalidChain`] for a ghost vertex that is not finite, is beyond 2^60, or repeats
    /// the vertex beside it. Its number is the number of vertices for the first ghost, and one more
    /// for the second ghost.
    ///
    /// ```
    /// use widephase::shape::Chain;
    ///
    /// let piece = Chain::open(&[[0.0, 0.0], [1.0, 0.0]])?.with_ghosts(None, Some([2.0, 1.0].into()))?;
    /// assert_eq!(piece.segments().next().unwrap().after, Some([2.0, 1.0].into()));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn with_ghosts(self, before: Option<Vec2>, after: Option<Vec2>) -> Result<Self, Error> {
        let ends = [self.vertices.first(), self.vertices.last()];
        for (number, (ghost, end)) in [before, after].into_iter().zip(ends).enumerate() {
            if let Some(ghost) = ghost {
                check_vertex(self.vertices.len() + number, ghost, end.copied())?;
            }
        }
        Ok(Self { ghosts: [before, after], ..self })
    }

    /// The vertices, in the order of the way along the chain.
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// Whether the last vertex is joined to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The sides that have contacts.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// The segments with their neighbours, in the order of the way along the chain: a segment for
    /// each vertex of a closed chain, one segment fewer for an open chain.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = ChainSegment> {
        let Self { ref vertices, closed, sides, ghosts: [before, after] } = *self;
        let len = vertices.len();
        (0..if closed { len } else { len - 1 }).map(move |number| {
            let (end, last) = ((number + 1) % len, !closed && number + 2 == len);
            ChainSegment {
                a: vertices[number],
                b: vertices[end],
                before: match number {
                    0 if !closed => before,
                    _ => Some(vertices[(number + len - 1) % len]),
                },
                after: if last { after } else { Some(vertices[(end + 1) % len]) },
                sides,
            }
        })
    }
}

/// Checks a vertex of a chain and that it does not repeat `last`.
fn check_vertex(vertex: usize, at: Vec2, last: Option<Vec2>) -> Result<(), Error> {
    match vertex_fault(at, last) {
        Some((field, value, fault)) => Err(Error::InvalidChain { vertex, field, value, fault }),
        None => Ok(()),
    }
}

/// The fault of a vertex, whose neighbour is `beside`.
pub(super) fn vertex_fault(at: Vec2, beside: Option<Vec2>) -> Option<(Field, f32, Fault)> {
    let coordinates = [(Field::X, at.x), (Field::Y, at.y)];
    let fault = |(field, value)| coordinate_fault(value).map(|fault: Fault| (field, value, fault));
    let repeated = (beside == Some(at)).then_some((Field::X, at.x, Fault::Repeated));
    coordinates.into_iter().find_map(fault).or(repeated)
}

/// A segment of a [`Chain`], with the vertices before and after it.
///
/// It touches the shapes that the [`Segment`] from `a` to `b` touches. Its contacts differ from the
/// contacts of a segment at the joints with its neighbours, and on a side without contacts: see
/// [terrain](crate::guide::terrain). Two segments of chains never touch each other, whatever their
/// chains. It can have a pose and be replaced like a segment; its neighbours' vertices move with
/// it.
///
/// It does not look up other rows. A segment whose neighbour was removed still treats the joint as
/// a joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChainSegment {
    /// The first end; coordinates at most 2^60 in magnitude.
    pub a: Vec2,
    /// The second end, at another point than the first end.
    pub b: Vec2,
    /// The vertex of the chain before `a`, at another point. `None` at the beginning of a chain:
    /// shapes touch a free end as they touch the end of a segment.
    pub before: Option<Vec2>,
    /// The vertex of the chain after `b`, at another point. `None` at the end of a chain.
    pub after: Option<Vec2>,
    /// The sides that have contacts.
    pub sides: Sides,
}

impl ChainSegment {
    /// A segment without neighbours and with contacts on both sides: [`Vec2`]s, `[f32; 2]`s or
    /// tuples.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        Self { a: a.into(), b: b.into(), ..Self::default() }
    }

    /// The segment without its neighbours.
    pub fn segment(self) -> Segment {
        Segment::new(self.a, self.b)
    }

    /// Checks the values; `index` is for the error.
    pub(crate) fn checked(self, index: usize) -> Result<Self, Error> {
        let Self { a, b, before, after, .. } = self;
        let refuse = |fault: Option<(Field, f32, Fault)>| match fault {
            Some((field, value, fault)) => Err(Error::InvalidShape { index, field, value, fault }),
            None => Ok(()),
        };
        self.segment().checked(index)?;
        refuse((a == b).then_some((Field::Bx, b.x, Fault::Repeated)))?;
        for (ghost, end) in [(before, a), (after, b)] {
            refuse(ghost.and_then(|ghost| vertex_fault(ghost, Some(end))))?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_know_the_vertices_beside_them() {
        let corners: [Vec2; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Into::into);
        let [a, b, c, d] = corners;
        let open: Vec<_> = Chain::open(&corners).unwrap().segments().collect();
        let around = |segment: &ChainSegment| (segment.before, segment.a, segment.b, segment.after);
        let expected = [(None, a, b, Some(c)), (Some(a), b, c, Some(d)), (Some(b), c, d, None)];
        assert_eq!(open.iter().map(around).collect::<Vec<_>>(), expected);
        let closed = Chain::closed(&corners).unwrap().with_sides(Sides::Right);
        assert_eq!(closed.segments().len(), 4);
        let last = closed.segments().last().unwrap();
        assert_eq!(around(&last), (Some(c), d, a, Some(b)));
        assert_eq!((last.sides, closed.is_closed()), (Sides::Right, true));
        let piece = Chain::open(&corners[1..3]).unwrap().with_ghosts(Some(a), Some(d)).unwrap();
        assert_eq!(around(&piece.segments().next().unwrap()), expected[1]);
    }

    #[test]
    fn invalid_chains_are_refused() {
        assert_eq!(Chain::open(&[[0.0, 0.0]]), Err(Error::ShortChain { len: 1, least: 2 }));
        let two = [[0.0, 0.0], [1.0, 0.0]];
        assert_eq!(Chain::closed(&two), Err(Error::ShortChain { len: 2, least: 3 }));
        let error =
            |vertex, field, value, fault| Err(Error::InvalidChain { vertex, field, value, fault });
        let repeated = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]];
        assert_eq!(Chain::open(&repeated), error(2, Field::X, 1.0, Fault::Repeated));
        let round = [[3.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 0.0]];
        assert_eq!(Chain::closed(&round), error(0, Field::X, 3.0, Fault::Repeated));
        assert!(Chain::open(&round).is_ok());
        let endless = [[0.0, f32::INFINITY], [1.0, 0.0]];
        assert_eq!(Chain::open(&endless), error(0, Field::Y, f32::INFINITY, Fault::Infinite));
        let ghosts = |before, after| Chain::open(&two).unwrap().with_ghosts(before, after);
        let twice = ghosts(None, Some(Vec2::new(1.0, 0.0)));
        assert_eq!(twice, error(3, Field::X, 1.0, Fault::Repeated));
        assert!(ghosts(Some(Vec2::new(f32::NAN, 0.0)), None).is_err());
    }
}
