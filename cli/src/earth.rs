//! Places on the globe, in degrees, and which of them are within a distance in metres.
//!
//! In plain words:
//!
//! ```text
//! a place is a direction: a vector of length 1 in three dimensions
//! the distance of two places is the angle between their directions, times the radius of the Earth
//! places within a distance of a place are in a cap, and a cap is in a box of degrees
//! boxes find candidates on the plane of longitude and latitude; distances decide
//! ```
//!
//! A cap has the latitudes from its middle up and down by its angle `d`. If it holds a pole, it has
//! all longitudes. Else a meridian that touches it makes a triangle with the pole and the middle,
//! which has a right angle where it touches: `sin(half width) = sin(d) / cos(latitude)`. The part
//! of a box beyond longitude 180 is a second box at the other end of the plane.

use std::collections::BinaryHeap;

use anyhow::Result;
use widephase::{
    IndexOptions, Lists, Options, Pair,
    doubles::{DoubleBox, DoubleColumns, DoubleDetector, DoubleIndex, DoubleNeighbor, DoubleScope},
    error::Field,
};

/// The mean radius of the Earth in metres: (2 a + b) / 3 of WGS 84.
const RADIUS: f64 = 6_371_008.771_4;

/// A slack of the angle of a cap and of the sine of its half width, as a share, and in radians:
/// more than the roundings of directions and distances, which are below 1e-14.
const SLACK: f64 = 1e-12;

/// A slack of the sides of a box in degrees: more than the roundings of an arc sine.
const MORE: f64 = 1e-9;

/// The error about distances in metres between other shapes.
pub(crate) const PLACES: &str = "--metres is for points";

/// Checks that a shape is a place: a longitude and a latitude in degrees, without a size. An error
/// has the field, if a field is wrong.
pub(crate) fn check(shape: &DoubleBox) -> Result<(), (Option<Field>, String)> {
    let [lon, lat] = shape.min;
    // NaN is neither.
    if !(-360.0..=360.0).contains(&lon) {
        return Err((Some(Field::X), format!("{lon} is no longitude from -360 to 360 degrees")));
    }
    if !(-90.0..=90.0).contains(&lat) {
        return Err((Some(Field::Y), format!("{lat} is no latitude from -90 to 90 degrees")));
    }
    if shape.min != shape.max || shape.radius != 0.0 {
        return Err((None, format!("{PLACES}, but this has a size")));
    }
    Ok(())
}

/// Places that were [checked](check).
#[derive(Default)]
pub(crate) struct Places {
    /// Longitude from -180 to 180 and latitude.
    degrees: Vec<[f64; 2]>,
    /// The direction from the middle of the Earth, of length 1.
    directions: Vec<[f64; 3]>,
}

/// Places that are sorted for searches.
pub(crate) struct Globe {
    places: Places,
    /// The points of their degrees.
    index: DoubleIndex,
}

/// Two places, by their rows, and their distance in metres.
pub(crate) struct Near {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) distance: f64,
}

impl Places {
    pub(crate) fn of(shapes: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let mut places = Self::default();
        for [lon, lat] in shapes {
            let lon = lon - 360.0 * ((lon + 180.0) / 360.0).floor();
            let ([cos_lon, sin_lon], [cos_lat, sin_lat]) = (cos_sin(lon), cos_sin(lat));
            places.degrees.push([lon, lat]);
            places.directions.push([cos_lat * cos_lon, cos_lat * sin_lon, sin_lat]);
        }
        places
    }

    pub(crate) fn len(&self) -> usize {
        self.degrees.len()
    }

    /// The distance of two places in metres. It is exact to some 1e-9 m and a share of 1e-15 of it,
    /// for near places and opposite places alike (W. Kahan, "Mindless Assessments of Roundoff in
    /// Floating-Point Computation", 2006, section 12).
    pub(crate) fn distance(&self, a: u32, others: &Self, b: u32) -> f64 {
        let (a, b) = (self.directions[a as usize], others.directions[b as usize]);
        let (mut chord, mut sum) = (0.0, 0.0);
        for axis in [0, 1, 2] {
            chord += (a[axis] - b[axis]) * (a[axis] - b[axis]);
            sum += (a[axis] + b[axis]) * (a[axis] + b[axis]);
        }
        2.0 * RADIUS * f64::atan2(f64::sqrt(chord), f64::sqrt(sum))
    }

    /// The boxes on the plane around the cap of a place: one or two.
    fn caps(&self, row: usize, metres: f64) -> impl Iterator<Item = DoubleBox> {
        let [lon, lat] = self.degrees[row];
        let angle = (metres / RADIUS) * (1.0 + SLACK) + SLACK;
        let (wide, high) = (half_width(lat, angle), angle.to_degrees() + MORE);
        let bands = match wide {
            None => [Some([-181.0, 181.0]), None],
            Some(wide) => {
                let [left, right] = [lon - wide, lon + wide];
                let other = match (left < -180.0, right > 180.0) {
                    (true, _) => Some([left + 360.0, 181.0]),
                    (false, true) => Some([-181.0, right - 360.0]),
                    (false, false) => None,
                };
                [Some([left.max(-181.0), right.min(181.0)]), other]
            }
        };
        bands.into_iter().flatten().map(move |[left, right]| DoubleBox {
            min: [left, (lat - high).max(-91.0)],
            max: [right, (lat + high).min(91.0)],
            radius: 0.0,
        })
    }
}

impl Globe {
    /// Sorts places.
    pub(crate) fn new(places: Places, options: IndexOptions) -> Result<Self> {
        let mut index = DoubleIndex::with_options(options)?;
        index.rebuild(DoubleColumns::points_at(&places.degrees)?)?;
        Ok(Self { places, index })
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// Calls `each` with each place of `from` and each of these places that is at most `metres` of
    /// its row away.
    pub(crate) fn each_within(
        &self,
        from: &Places,
        metres: impl Fn(usize) -> f64,
        options: Options,
        mut each: impl FnMut(Near) -> Result<()>,
    ) -> Result<()> {
        let (mut boxes, mut rows) = (Vec::new(), Vec::new());
        for row in 0..from.len() {
            for cap in from.caps(row, metres(row)) {
                boxes.push(cap);
                rows.push(row as u32);
            }
        }
        let mut detector = DoubleDetector::with_options(options)?;
        let scope = DoubleScope::from((DoubleColumns::shapes(&boxes)?, &self.index));
        // The boxes of a cap have no place in common, so no pair comes twice.
        detector
            .for_each_pair(scope, |Pair { a: cap, b }| {
                let a = rows[cap as usize];
                let distance = from.distance(a, &self.places, b);
                if distance <= metres(a as usize) { each(Near { a, b, distance }) } else { Ok(()) }
            })?
            .map(drop)
    }

    /// The `k` nearest places of each place of `from` that are at most `metres` away, by distance,
    /// then by row.
    pub(crate) fn nearest(
        &self,
        from: &Places,
        k: usize,
        metres: f64,
        options: Options,
    ) -> Result<Vec<Vec<DoubleNeighbor>>> {
        // Any k places are no nearer than the nearest k places: these k are nearest on the plane.
        let mut lists = Lists::new();
        let points = DoubleColumns::points_at(&from.degrees)?;
        self.index.k_nearest_batch(points, k, f64::INFINITY, &mut lists)?;
        let far = |(row, list): (usize, &[DoubleNeighbor])| {
            let distances =
                list.iter().map(|near| from.distance(row as u32, &self.places, near.row));
            let most = if list.len() < k { f64::MAX } else { distances.fold(0.0, f64::max) };
            most.min(metres)
        };
        let far: Vec<f64> = lists.iter().enumerate().map(far).collect();
        // Distances are not negative, so their bits are ordered as they are.
        let mut nearest = vec![BinaryHeap::new(); from.len()];
        self.each_within(
            from,
            |row| far[row],
            options,
            |Near { a, b, distance }| {
                let nearest = &mut nearest[a as usize];
                nearest.push((distance.to_bits(), b));
                if nearest.len() > k {
                    nearest.pop();
                }
                Ok(())
            },
        )?;
        let list = |heap: BinaryHeap<(u64, u32)>| {
            let list = heap.into_sorted_vec().into_iter();
            list.map(|(bits, row)| DoubleNeighbor { row, distance: f64::from_bits(bits) }).collect()
        };
        Ok(nearest.into_iter().map(list).collect())
    }
}

/// How many degrees of longitude a cap around a latitude reaches to either side, at least. `None`:
/// it holds a pole.
fn half_width(lat: f64, angle: f64) -> Option<f64> {
    let [cos, _] = cos_sin(lat);
    let sine = angle.sin() / cos.abs() * (1.0 + SLACK);
    let holds_pole = angle >= std::f64::consts::FRAC_PI_2 || sine >= 1.0;
    (!holds_pole).then(|| sine.asin().to_degrees() + MORE)
}

/// Cosine and sine of degrees. Multiples of 90 have exact values, so that a pole is one place.
fn cos_sin(degrees: f64) -> [f64; 2] {
    let quarters = (degrees / 90.0).round();
    let (sin, cos) = (degrees - quarters * 90.0).to_radians().sin_cos();
    match quarters.rem_euclid(4.0) as u8 {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_exact() {
        for (degrees, expected) in [
            (0.0, [1.0, 0.0]),
            (90.0, [0.0, 1.0]),
            (-90.0, [0.0, -1.0]),
            (180.0, [-1.0, 0.0]),
            (-180.0, [-1.0, 0.0]),
            (270.0, [0.0, -1.0]),
            (-270.0, [0.0, 1.0]),
        ] {
            assert_eq!(cos_sin(degrees), expected, "{degrees}");
        }
        for degrees in -720..720 {
            let degrees = f64::from(degrees) * 0.5;
            let [cos, sin] = cos_sin(degrees);
            let (expected_sin, expected_cos) = degrees.to_radians().sin_cos();
            assert!((cos - expected_cos).abs() < 1e-15 && (sin - expected_sin).abs() < 1e-15);
        }
    }

    /// Points on the border of a cap, by the direct problem of geodesy, are in its boxes.
    #[test]
    fn boxes_hold_their_caps() {
        let mut angles = vec![1e-12, 1e-9, 1e-6, 1e-3];
        angles.extend((1..63).map(|twentieth| f64::from(twentieth) * 0.05));
        for lat in (-90..=90).chain([-89, 89]).map(f64::from) {
            for lat in [lat, lat * (1.0 - 1e-9), lat * (1.0 - 1e-15)] {
                for angle in angles.iter().copied().chain([1.0, -1e-9, 1e-9].map(|more| {
                    // A cap that reaches the pole, or nearly.
                    (90.0 - lat.abs()).to_radians() * (1.0 + if more == 1.0 { 0.0 } else { more })
                })) {
                    assert_cap([-179.5, lat], angle.abs());
                    assert_cap([37.0, lat], angle.abs());
                }
            }
        }
    }

    fn assert_cap(at: [f64; 2], angle: f64) {
        let places = Places::of([at]);
        let caps: Vec<DoubleBox> = places.caps(0, angle * RADIUS).collect();
        let ([cos_lon, sin_lon], [cos, sin]) = (cos_sin(at[0]), cos_sin(at[1]));
        let middle = [cos * cos_lon, cos * sin_lon, sin];
        let (north, east) = ([-sin * cos_lon, -sin * sin_lon, cos], [-sin_lon, cos_lon, 0.0]);
        for bearing in 0..72 {
            let (to_east, to_north) = (f64::from(bearing) * 5.0).to_radians().sin_cos();
            // Within the border by more than the roundings of this function.
            let inner = (angle * (1.0 - 1e-9)).min(std::f64::consts::PI);
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let along = to_north * north[axis] + to_east * east[axis];
                inner.cos() * middle[axis] + inner.sin() * along
            });
            let lat = z.atan2(x.hypot(y)).to_degrees();
            // Close to a pole, this longitude is not exact.
            if lat.abs() > 90.0 - 1e-3 {
                continue;
            }
            let lon = y.atan2(x).to_degrees();
            let holding = caps.iter().filter(|cap| {
                (cap.min[0]..=cap.max[0]).contains(&lon) && (cap.min[1]..=cap.max[1]).contains(&lat)
            });
            assert_eq!(holding.count(), 1, "{at:?} {angle} {bearing}: ({lon}, {lat}) {caps:?}");
        }
    }
}
