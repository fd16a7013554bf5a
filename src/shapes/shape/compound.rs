//! Compounds, the order of their parts, and the border of an outline as each part sees it.

use super::ConvexPolygon;
use crate::{base::kinds, error::Error, simd::map_each};

/// The parts of a run: a compound of at most this many parts has no tree.
pub(crate) use crate::simd::MAX_LANES as RUN;

/// Several shapes that form one body: it touches every shape that one of its parts touches.
///
/// The parts are in the compound's own coordinates, so the body moves and rotates as one. They may
/// overlap, or be apart. A compound cannot be changed, so it remains valid. With the feature
/// `outlines`, `Compound::from_outline` makes a compound of a concave area without seams.
///
/// ```
/// use widephase::shape::{Circle, Compound, Obb, Part, Rotation};
///
/// let snowman = Compound::new([Circle::new([0.0, 0.0], 2.0), Circle::new([0.0, 2.5], 1.0)])?;
/// assert_eq!(snowman.parts().len(), 2);
///
/// let wing = Obb::new([-1.0, 0.0], [0.5, 3.0], Rotation::IDENTITY);
/// let plane = Compound::new([Part::from(Circle::new([0.0, 0.0], 1.0)), wing.into()])?;
/// assert_eq!(plane.parts()[1], Part::Obb(wing));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Compound {
    parts: Vec<Part>,
    /// The rim of each part, if they are the parts of an outline; else empty.
    rims: Vec<Vec<RimCorner>>,
    /// The numbers of the parts in the order of their tree; empty if the parts are few.
    order: Vec<u32>,
}

impl Compound {
    /// The body of the given parts: [`Part`]s, or shapes that convert to a part.
    ///
    /// Rotations are normalised to length 1. O(n log n) time, for the tree of the parts; allocates.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the position of the first bad part, or
    /// [`Error::EmptyCompound`].
    pub fn new<P: Into<Part>>(parts: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let checked = parts.into_iter().enumerate().map(|(index, part)| part.into().checked(index));
        let parts = checked.collect::<Result<Vec<Part>, Error>>()?;
        if parts.is_empty() {
            return Err(Error::EmptyCompound);
        }
        Ok(Self::of(parts, Vec::new()))
    }

    /// The compound of parts that have been checked. `rims` has the rim of each part, or is empty
    /// if they are not the parts of an outline.
    pub(crate) fn of(parts: Vec<Part>, rims: Vec<Vec<RimCorner>>) -> Self {
        let order = part_order(parts.iter().map(Part::span));
        Self { parts, rims, order }
    }

    /// As [`of`](Self::of), for parts whose order is known.
    #[cfg(feature = "narrowphase")]
    pub(crate) fn in_order(parts: Vec<Part>, rims: Vec<Vec<RimCorner>>, order: Vec<u32>) -> Self {
        Self { parts, rims, order }
    }

    /// The numbers of the parts in the order of their tree; empty if the parts are few.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The compound with these rims, a rim for each part. It is plain if any of them is empty.
    ///
    /// # Errors
    /// [`Error::InvalidShape`] with the number of the part if a place of its rim is no valid point.
    #[cfg(feature = "serde")]
    pub(crate) fn with_rims(self, rims: Vec<Vec<RimCorner>>) -> Result<Self, Error> {
        if rims.iter().any(Vec::is_empty) {
            return Ok(self);
        }
        for (index, rim) in rims.iter().enumerate() {
            for [x, y] in rim.iter().flat_map(|corner| [corner.at, corner.before, corner.after]) {
                super::Point::new([x, y]).checked(index)?;
            }
        }
        Ok(Self { rims, ..self })
    }

    /// The rim of each part of an outline; empty for any other compound.
    pub(crate) fn rims(&self) -> &[Vec<RimCorner>] {
        &self.rims
    }

    /// The parts, in the order in which they were given.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

macro_rules! part {
    (
        parts { $($number:literal $record:ident $name:literal $text:literal,)* }
        others { $($others:tt)* }
    ) => {
        /// A part of a [`Compound`]: any shape except another compound, a segment of a chain and a
        /// half-plane.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Part {
            $(#[doc = $text] $record(super::$record),)*
            /// A convex polygon.
            Polygon(ConvexPolygon),
        }

        impl Part {
            /// Checks the part and normalises its rotation to length 1; `index` is for the error.
            fn checked(self, index: usize) -> Result<Self, Error> {
                match self {
                    $(Part::$record(shape) => shape.checked(index).map(Part::$record),)*
                    // A polygon is checked when it is created.
                    Part::Polygon(_) => Ok(self),
                }
            }

            /// Two places, whose middle is about the centre.
            pub(crate) fn span(&self) -> [[f32; 2]; 2] {
                match self {
                    $(Part::$record(shape) => shape.span(),)*
                    Part::Polygon(polygon) => polygon.span(),
                }
            }
        }

        $(
            impl From<super::$record> for Part {
                fn from(shape: super::$record) -> Self {
                    Part::$record(shape)
                }
            }
        )*
    };
}
kinds!(part);

impl From<ConvexPolygon> for Part {
    fn from(shape: ConvexPolygon) -> Self {
        Part::Polygon(shape)
    }
}

/// The numbers of the parts in the order of their tree; empty for a compound of at most [`RUN`]
/// parts.
///
/// In plain words: the parts are cut in two by their centres, across the axis for which fewer
/// queries meet the boxes around the halves, and each half again, down to runs of sixteen. (Across
/// the longer axis, long parts of an outline side by side had boxes that overlap, and a query went
/// down three times as many nodes.) A cut is at a whole multiple of the size of a node, so that all
/// nodes but the last node of a layer are full. The numbers in a run grow. O(n log n) time. `spans`
/// has two places of each part, whose middle is its centre.
pub(crate) fn part_order(spans: impl ExactSizeIterator<Item = [[f32; 2]; 2]>) -> Vec<u32> {
    if spans.len() <= RUN {
        return Vec::new();
    }
    let mut parts: Vec<PartSpan> =
        spans.zip(0..).map(|(ends, number)| PartSpan { ends, number }).collect();
    split(&mut parts);
    parts.iter().map(|part| part.number).collect()
}

/// Two places of a part.
#[derive(Debug, Clone, Copy)]
struct PartSpan {
    ends: [[f32; 2]; 2],
    number: u32,
}

impl PartSpan {
    /// The centre, times two.
    fn center(&self, axis: usize) -> f32 {
        self.ends[0][axis] + self.ends[1][axis]
    }
}

fn split(mut parts: &mut [PartSpan]) {
    while parts.len() > RUN {
        let mut node = RUN;
        while node * RUN < parts.len() {
            node *= RUN;
        }
        let nodes = parts.len().div_ceil(node);
        let at = nodes / 2 * node;
        let [width, height] = extent(parts);
        // The sides of a query: twice the distance of neighbours, if parts are evenly spread.
        let side = 2.0 * (width * height / parts.len() as f64).sqrt();
        let met = map_each([0, 1], |axis: usize| {
            cut(parts, at, axis);
            let (first, rest) = parts.split_at(at);
            queries(first, side) + queries(rest, side)
        });
        if met[0] <= met[1] {
            cut(parts, at, 0);
        }
        let (first, rest) = parts.split_at_mut(at);
        split(first);
        parts = rest;
    }
    parts.sort_unstable_by_key(|part| part.number);
}

/// Puts the `at` parts with the lowest centres first.
fn cut(parts: &mut [PartSpan], at: usize, axis: usize) {
    parts.select_nth_unstable_by(at, |one, other| {
        one.center(axis).total_cmp(&other.center(axis)).then(one.number.cmp(&other.number))
    });
}

/// The share of squares with this side, anywhere, that meet the box around parts: the area in which
/// their centres are.
fn queries(parts: &[PartSpan], side: f64) -> f64 {
    let [width, height] = extent(parts);
    (width + side) * (height + side)
}

/// The width and the height of the box around parts.
fn extent(parts: &[PartSpan]) -> [f64; 2] {
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for at in parts.iter().flat_map(|part| part.ends) {
        least = map_each([0, 1], |axis: usize| least[axis].min(at[axis]));
        most = map_each([0, 1], |axis: usize| most[axis].max(at[axis]));
    }
    map_each([0, 1], |axis: usize| f64::from(most[axis]) - f64::from(least[axis]))
}

/// A vertex of a part of an outline.
///
/// The corners of a part go round it counter-clockwise. Unlike the vertices of its polygon, they
/// include the corners on a straight side: such a side may be on the border in one place, and
/// shared with another part in the next.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RimCorner {
    pub(crate) at: [f32; 2],
    /// The vertices of the border before and after this corner, the area on the left. Both vertices
    /// are the corner itself if it lies inside of the area.
    pub(crate) before: [f32; 2],
    pub(crate) after: [f32; 2],
    /// Whether the side to the next corner is on the border. If not, it is an inner side, which
    /// another part shares.
    pub(crate) outer: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::{Fault, Field},
        shape::{Aabb, Capsule, Circle, Obb, Point, Rotation, RoundedBox, Segment, Shape},
    };

    #[test]
    fn takes_every_kind() {
        let triangle = ConvexPolygon::new(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
        let parts: [Part; 8] = [
            Point::new([1.0, 2.0]).into(),
            Circle::new([1.0, 2.0], 3.0).into(),
            Aabb::new([0.0, 0.0], [1.0, 1.0]).into(),
            RoundedBox::new(Aabb::new([0.0, 0.0], [1.0, 1.0]), 0.5).into(),
            Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(1.0)).into(),
            Capsule::new([0.0, 0.0], [1.0, 1.0], 0.5).into(),
            Segment::new([0.0, 0.0], [1.0, 1.0]).into(),
            triangle.into(),
        ];
        let compound = Compound::new(parts.clone()).unwrap();
        assert_eq!(compound.parts(), parts);
        let names: Vec<_> = parts.iter().map(|part| part.any().kind().name()).collect();
        assert_eq!(
            names,
            ["point", "circle", "aabb", "rounded_box", "obb", "capsule", "segment", "polygon"]
        );
    }

    #[test]
    fn rotations_are_renormalised() {
        let obb = Obb { cos: 1.0004, ..Obb::default() };
        assert_eq!(Compound::new([obb]).unwrap().parts(), [Part::Obb(Obb::default())]);
    }

    #[test]
    fn invalid_parts_are_refused() {
        assert_eq!(Compound::new::<Part>([]), Err(Error::EmptyCompound));
        let refusal = |bad: Part, field, value, fault| {
            let parts = [Part::from(Point::default()), Circle::default().into(), bad];
            let error = Error::InvalidShape { index: 2, field, value, fault };
            assert_eq!(Compound::new(parts), Err(error));
        };
        let circle = Circle::new([0.0, 0.0], -1.0);
        refusal(circle.into(), Field::Radius, -1.0, Fault::Negative);
        let segment = Segment::new([0.0, 0.0], [0.0, f32::INFINITY]);
        refusal(segment.into(), Field::By, f32::INFINITY, Fault::Infinite);
        let aabb = Aabb::new([1.0, 0.0], [0.0, 1.0]);
        refusal(aabb.into(), Field::MinX, 1.0, Fault::Inverted { max: 0.0 });
        let obb = Obb { cos: 3.0, sin: 4.0, ..Obb::default() };
        refusal(obb.into(), Field::Cos, 3.0, Fault::NotUnit { length: 5.0 });
    }

    #[test]
    fn each_part_is_in_the_order_once() {
        for count in [1, 16, 17, 32, 33, 255, 256, 257, 4000, 4097] {
            let at = |part: usize| [(part * 37 % 101) as f32, (part * 61 % 89) as f32];
            let mut order = part_order((0..count).map(|part| [at(part); 2]));
            assert_eq!(order.is_empty(), count <= RUN);
            assert!(order.chunks(RUN).all(<[u32]>::is_sorted));
            order.sort_unstable();
            assert!(order.is_empty() || order.into_iter().eq(0..count as u32));
        }
    }

    #[test]
    fn runs_of_a_lattice_are_squares() {
        let at = |part: usize| [(part % 64) as f32, (part / 64) as f32];
        for run in part_order((0..4096).map(|part| [at(part); 2])).chunks(RUN) {
            for axis in 0..2 {
                let along = run.iter().map(|part| at(*part as usize)[axis] as i32);
                let (least, most) = (along.clone().min(), along.max());
                assert_eq!(most.unwrap() - least.unwrap(), 3, "{run:?}");
            }
        }
    }
}
