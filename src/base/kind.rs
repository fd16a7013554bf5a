//! `Kind`: the kinds of shapes.

/// The kind of a shape, for display and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// A [`Point`](crate::shape::Point).
    Point,
    /// A [`Circle`](crate::shape::Circle).
    Circle,
    /// An [`Aabb`](crate::shape::Aabb).
    Aabb,
    /// A [`RoundedBox`](crate::shape::RoundedBox).
    RoundedBox,
    /// An [`Obb`](crate::shape::Obb).
    Obb,
    /// A [`Capsule`](crate::shape::Capsule).
    Capsule,
    /// A [`Segment`](crate::shape::Segment).
    Segment,
    /// A [`ConvexPolygon`](crate::shape::ConvexPolygon).
    Polygon,
    /// A [`ChainSegment`](crate::shape::ChainSegment).
    ChainSegment,
    /// A [`HalfPlane`](crate::shape::HalfPlane).
    HalfPlane,
    /// A [`Compound`](crate::shape::Compound).
    Compound,
}

impl Kind {
    /// Whether the kind is a rounded box or a special case of one: it cannot be rotated and has no
    /// parts. For two such shapes, the sweep and the [test of rows](crate::Narrowphase::row_mask)
    /// decide by their columns whether they touch.
    ///
    /// ```
    /// use widephase::shape::Kind;
    ///
    /// assert!(Kind::RoundedBox.is_axis_aligned() && !Kind::Segment.is_axis_aligned());
    /// ```
    pub const fn is_axis_aligned(self) -> bool {
        matches!(self, Kind::Point | Kind::Circle | Kind::Aabb | Kind::RoundedBox)
    }

    /// The name in lower case: `point`, `circle`, `aabb`, `rounded_box`, `obb`, `capsule`,
    /// `segment`, `polygon`, `chain_segment`, `half_plane`, `compound`.
    ///
    /// In a file for the command `widephase detect`, each row has one of these names except the
    /// last three. A compound is several rows there, and each row has the kind of one part.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Point => "point",
            Kind::Circle => "circle",
            Kind::Aabb => "aabb",
            Kind::RoundedBox => "rounded_box",
            Kind::Obb => "obb",
            Kind::Capsule => "capsule",
            Kind::Segment => "segment",
            Kind::Polygon => "polygon",
            Kind::ChainSegment => "chain_segment",
            Kind::HalfPlane => "half_plane",
            Kind::Compound => "compound",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
