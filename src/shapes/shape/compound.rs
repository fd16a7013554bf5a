use super::{ConvexPolygon, part_order::part_order, rim::RimCorner};
use crate::{base::kinds, error::Error};

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
}
