//! `Kind`: the kinds of shapes, and their table.

/// The table of kinds: hands the kinds of records to a macro. Each kind has its number in bytes,
/// its record, its name in texts, and a description. The first list has the parts of compounds.
///
/// Polygons and compounds, which own lists, are not in it. Code that is made of the table has an
/// arm for each kind.
macro_rules! kinds {
    ($with:ident) => {
        $with! {
            parts {
                1 Point "point" "A point.",
                2 Circle "circle" "A circle.",
                3 Aabb "aabb" "An axis-aligned rectangle.",
                4 RoundedBox "rounded_box" "A rounded box.",
                5 Obb "obb" "A rotated rectangle.",
                6 Capsule "capsule" "A capsule.",
                7 Segment "segment" "A segment.",
            }
            others {
                10 ChainSegment "chain_segment" "A segment of a chain.",
                11 HalfPlane "half_plane" "A half-plane.",
            }
        }
    };
}
pub(crate) use kinds;

macro_rules! kind {
    (
        parts { $($part_number:literal $part:ident $part_name:literal $part_text:literal,)* }
        others { $($number:literal $other:ident $name:literal $text:literal,)* }
    ) => {
        /// The kind of a shape, for display and files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Kind {
            $(
                #[doc = concat!($part_text, " See [`", stringify!($part), "`](crate::shape::",
                    stringify!($part), ").")]
                $part,
            )*
            /// A convex polygon. See [`ConvexPolygon`](crate::shape::ConvexPolygon).
            Polygon,
            $(
                #[doc = concat!($text, " See [`", stringify!($other), "`](crate::shape::",
                    stringify!($other), ").")]
                $other,
            )*
            /// Several shapes that form one body. See [`Compound`](crate::shape::Compound).
            Compound,
        }

        impl Kind {
            /// The name in lower case: `point`, `circle`, `aabb`, `rounded_box`, `obb`, `capsule`,
            /// `segment`, `polygon`, `chain_segment`, `half_plane`, `compound`.
            ///
            /// In a file for the command `widephase detect`, each row has one of these names except
            /// the last three. A compound is several rows there, and each row has the kind of one
            /// part.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Kind::$part => $part_name,)*
                    Kind::Polygon => "polygon",
                    $(Kind::$other => $name,)*
                    Kind::Compound => "compound",
                }
            }

            /// The number in bytes. No kind has the number 0.
            #[cfg(feature = "narrowphase")]
            pub(crate) const fn number(self) -> u8 {
                match self {
                    $(Kind::$part => $part_number,)*
                    Kind::Polygon => 8,
                    Kind::Compound => 9,
                    $(Kind::$other => $number,)*
                }
            }

            /// The kind with this number in bytes.
            #[cfg(feature = "narrowphase")]
            pub(crate) const fn of_number(number: u8) -> Option<Self> {
                Some(match number {
                    $($part_number => Kind::$part,)*
                    8 => Kind::Polygon,
                    9 => Kind::Compound,
                    $($number => Kind::$other,)*
                    _ => return None,
                })
            }
        }
    };
}
kinds!(kind);

impl Kind {
    /// Whether the kind is a rounded box or a special case of a rounded box: it cannot be rotated
    /// and has no parts. For two such shapes, the sweep and the [test of
    /// rows](crate::Narrowphase::row_mask) decide by their columns whether they touch.
    ///
    /// ```
    /// use widephase::shape::Kind;
    ///
    /// assert!(Kind::RoundedBox.is_axis_aligned() && !Kind::Segment.is_axis_aligned());
    /// ```
    pub const fn is_axis_aligned(self) -> bool {
        matches!(self, Kind::Point | Kind::Circle | Kind::Aabb | Kind::RoundedBox)
    }

    /// Whether a shape of this kind has a rotation itself, which a pose would replace.
    pub(crate) fn has_own_rotation(self) -> bool {
        matches!(self, Self::Obb | Self::Segment | Self::Capsule | Self::ChainSegment)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(all(test, feature = "narrowphase"))]
mod tests {
    use super::*;

    /// Numbers in files never change.
    #[test]
    fn each_number_has_one_kind() {
        let names: Vec<_> = (1..=11).filter_map(Kind::of_number).map(Kind::name).collect();
        assert_eq!(
            names,
            [
                "point",
                "circle",
                "aabb",
                "rounded_box",
                "obb",
                "capsule",
                "segment",
                "polygon",
                "compound",
                "chain_segment",
                "half_plane"
            ]
        );
        let of_number = |number: u8| Kind::of_number(number).map(Kind::number);
        assert!((1..=11).all(|number| of_number(number) == Some(number)));
        assert_eq!([of_number(0), of_number(12), of_number(255)], [None; 3]);
    }
}
