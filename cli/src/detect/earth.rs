//! Points in degrees that are within a distance in metres on the globe.
//!
//! In plain words:
//!
//! ```text
//! x = longitude times the cosine of the highest latitude, the distance included; y = latitude
//! points near longitude 180 have a copy, 360 degrees further
//! each pair on the plane is decided on the globe
//! ```
//!
//! The shortest way between two points within the distance stays below that latitude. So each piece
//! of it is at most as long on the plane as on the globe, and the two points are no further apart.

use anyhow::{Result, ensure};
use widephase::{
    Options, Pair,
    doubles::{DoubleBox, DoubleColumns, DoubleDetector, DoubleIndex, DoubleScope},
};

/// The mean radius of the Earth in metres: (2 a + b) / 3 of WGS 84.
const RADIUS: f64 = 6_371_008.771_4;

/// Latitudes beyond this, with the distance, are refused: the plane ends at the poles.
const HIGHEST: f64 = 89.0;

/// What is added to the reach on the plane, as a share of it, and in degrees: more than roundings.
const SLACK: [f64; 2] = [1e-9, 1e-9];

/// Points in degrees.
pub(super) struct Globe {
    /// Longitude and latitude of each row.
    degrees: Vec<[f64; 2]>,
    /// The rows of `degrees` on the plane, then those of `copies`.
    plane: Vec<[f64; 2]>,
    /// The rows of the copies.
    copies: Vec<u32>,
}

/// The plane for some points.
#[derive(Clone, Copy)]
pub(super) struct PlaneOfDegrees {
    /// What longitudes are multiplied by.
    narrow: f64,
    /// The distance in degrees: how far points within it are from each other on the plane, at most.
    reach: f64,
    /// How many degrees of longitude points within the distance are apart, at most.
    across: f64,
}

impl PlaneOfDegrees {
    /// The plane for points of these sets within a distance in metres.
    pub(super) fn of(sets: &[&[DoubleBox]], distance: f64) -> Result<Self> {
        let mut highest = 0.0_f64;
        for (row, shape) in sets.iter().flat_map(|set| set.iter().enumerate()) {
            let [lon, lat] = shape.min;
            ensure!(
                shape.min == shape.max && shape.radius == 0.0,
                "--metres is for points, but row {row} has a size"
            );
            ensure!(
                lat.abs() <= 90.0 && lon.abs() <= 360.0,
                "row {row}: ({lon}, {lat}) is no longitude and latitude in degrees"
            );
            highest = highest.max(lat.abs());
        }
        let along = (distance / RADIUS).to_degrees();
        ensure!(
            highest + along <= HIGHEST,
            "--metres is for places and distances up to {HIGHEST} degrees of latitude, not \
             {:.1}",
            highest + along
        );
        let narrow = (highest + along).to_radians().cos();
        let across = 2.0 * ((along.to_radians() * 0.5).sin() / narrow).asin().to_degrees();
        ensure!(across < 90.0, "--metres is for distances up to a quarter of the globe");
        let reach = along * (1.0 + SLACK[0]) + SLACK[1];
        Ok(Self { narrow, reach, across: across + SLACK[1] })
    }
}

impl Globe {
    /// Points on a plane. `both`: with copies at both ends, for a set that others are paired with.
    pub(super) fn new(shapes: &[DoubleBox], plane: PlaneOfDegrees, both: bool) -> Self {
        let PlaneOfDegrees { narrow, across, .. } = plane;
        let wrapped = |lon: f64| lon - 360.0 * ((lon + 180.0) / 360.0).floor();
        let degrees: Vec<[f64; 2]> =
            shapes.iter().map(|shape| [wrapped(shape.min[0]), shape.min[1]]).collect();
        let mut on_plane: Vec<[f64; 2]> =
            degrees.iter().map(|[lon, lat]| [lon * narrow, *lat]).collect();
        let mut copies = Vec::new();
        for (row, [lon, lat]) in (0..).zip(&degrees) {
            let mut copy = |lon: f64| {
                copies.push(row);
                on_plane.push([lon * narrow, *lat]);
            };
            if *lon < -180.0 + across {
                copy(lon + 360.0);
            }
            if both && *lon > 180.0 - across {
                copy(lon - 360.0);
            }
        }
        Self { degrees, plane: on_plane, copies }
    }

    /// The row of a place on the plane, and whether it is a copy.
    fn row(&self, place: u32) -> (u32, bool) {
        match (place as usize).checked_sub(self.degrees.len()) {
            Some(copy) => (self.copies[copy], true),
            None => (place, false),
        }
    }

    /// Calls `each` with the pairs within a distance in metres: of these points with each other, or
    /// with others. Returns their number.
    pub(super) fn each(
        &self,
        others: Option<&Self>,
        plane: PlaneOfDegrees,
        distance: f64,
        options: Options,
        mut each: impl FnMut(Pair) -> Result<()>,
    ) -> Result<u64> {
        let mut detector = DoubleDetector::with_options(options)?;
        let mut index = DoubleIndex::with_options(options.into())?;
        let (own, scope) = match others {
            Some(others) => {
                index.rebuild(DoubleColumns::points_at(&others.plane)?)?;
                let own = DoubleColumns::points_at(&self.plane[..self.degrees.len()])?;
                (others, DoubleScope::from((own, &index)))
            }
            None => (self, DoubleColumns::points_at(&self.plane)?.into()),
        };
        let mut found = 0;
        detector.for_each_pair(scope.within(plane.reach), |Pair { a, b }| {
            let (a, a_is_copy) = if others.is_some() { (a, false) } else { self.row(a) };
            let (b, b_is_copy) = own.row(b);
            // Copies are paired as the points that they are copies of. No point meets its own copy:
            // the plane is 360 `narrow` wide, and points that meet are less than 91 `narrow` apart.
            if a_is_copy && b_is_copy {
                return Ok(());
            }
            let pair =
                if others.is_none() { Pair { a: a.min(b), b: a.max(b) } } else { Pair { a, b } };
            if self.distance(others, pair) > distance {
                return Ok(());
            }
            found += 1;
            each(pair)
        })??;
        Ok(found)
    }

    /// The distance of two points in metres, on a sphere: by the haversine formula (R. W. Sinnott,
    /// "Virtues of the Haversine", Sky and Telescope 68, 1984).
    pub(super) fn distance(&self, others: Option<&Self>, Pair { a, b }: Pair) -> f64 {
        let [from, to] = [(self, a), (others.unwrap_or(self), b)]
            .map(|(globe, row)| globe.degrees[row as usize].map(f64::to_radians));
        let half = |axis: usize| ((to[axis] - from[axis]) * 0.5).sin();
        let square = half(1) * half(1) + from[1].cos() * to[1].cos() * half(0) * half(0);
        2.0 * RADIUS * square.sqrt().min(1.0).asin()
    }
}
