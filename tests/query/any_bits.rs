//! Bytes become shapes of every kind and queries of any bits. Invalid values must give typed
//! errors, and no results. Valid queries must give the results of the reference, to the last bit:
//! on every SIMD level, one by one and in batches. No value of a result is NaN or infinite.
//!
//! The fuzz target `queries` calls [`check`], and so does a test, with random bytes.

#[path = "../any_bytes.rs"]
mod any_bytes;

use super::twins::queries;
use any_bytes::Bytes;
use widephase::{
    CastOptions, Columns, Error, Fan, Hit, Index, Lists, Neighbor, Options, Order, Queries, Ray,
    Shapes, SimdLevel, Touching,
    columns::ScanColumns,
    error::{Fault, Field},
    narrowphase::CastStart,
    reference::whole::Whole,
    shape::{Circle, Point, Pose, Rotation},
};

impl Bytes<'_> {
    /// A store of up to this many shapes, some of them removed again, and the shapes by row.
    fn store(&mut self, most: u8) -> (Shapes, Vec<Option<Whole>>) {
        let (mut store, mut wholes) = (Shapes::new(), Vec::new());
        for _ in 0..self.byte() % (most + 1) {
            let (shape, pose) = (self.shape(), self.pose());
            let Some(shape) = shape else { continue };
            let pushed = match pose {
                Some(pose) => store.push_at(&shape, pose),
                None => store.push(&shape),
            };
            if pushed.is_ok() {
                wholes.push(Some(Whole::new(&shape, pose)));
            }
        }
        for (row, whole) in (0..).zip(&mut wholes) {
            if self.byte() > 230 {
                store.remove(row).expect("a row that is there");
                *whole = None;
            }
        }
        (store, wholes)
    }

    /// A fan of any angles: of 16 rays or more, it is swept.
    fn fan(&mut self) -> Fan {
        let rays = u32::from(self.byte() % 40);
        let [first, step] = [(); 2].map(|()| self.number());
        let step = if self.byte() < 128 { step * 1e-3 } else { step };
        let range = if self.byte() < 128 { f32::INFINITY } else { self.number() };
        Fan::new(rays as usize, first, step, range)
    }

    /// The pose of a sensor, which is valid more often than a pose of any bits.
    fn sensor(&mut self) -> Pose {
        let [x, y, angle] = [(); 3].map(|()| self.number());
        let angle = if angle.is_finite() { angle } else { 0.0 };
        Pose { x, y, ..Pose::new([0.0, 0.0], Rotation::from_angle(angle)) }
    }

    fn ray(&mut self) -> Ray {
        let [x, y, dx, dy] = [(); 4].map(|()| self.number());
        let max_fraction = if self.byte() < 128 { 1.0 } else { self.number() };
        Ray { x, y, dx, dy, max_fraction, ..Ray::default() }
    }
}

/// The first value of a query that is outside the numeric contract.
type Refused = Option<(Field, f32, Fault)>;

fn refused(values: &[(Field, f32)]) -> Refused {
    values.iter().find_map(|&(field, value)| {
        let fault = match field {
            _ if value.is_nan() => Fault::NotANumber,
            Field::MaxFraction | Field::MaxDistance if value < 0.0 => Fault::Negative,
            Field::MaxFraction | Field::MaxDistance => return None,
            _ if value.is_infinite() => Fault::Infinite,
            Field::X | Field::Y | Field::Gap if value.abs() > 60.0_f32.exp2() => Fault::TooLarge,
            Field::Gap if value < 0.0 => Fault::Negative,
            _ => return None,
        };
        Some((field, value, fault))
    })
}

fn ray_refused(ray: &Ray) -> Refused {
    let Ray { x, y, dx, dy, max_fraction, .. } = *ray;
    refused(&[
        (Field::X, x),
        (Field::Y, y),
        (Field::Dx, dx),
        (Field::Dy, dy),
        (Field::MaxFraction, max_fraction),
    ])
}

/// Whether a result is an error, which must be the expected error.
fn fails(result: Result<(), Error>, index: usize, refused: Refused) -> bool {
    match (result, refused) {
        (Ok(()), None) => false,
        (
            Err(Error::InvalidQuery { index: found, field, value, fault }),
            Some((expected_field, expected, expected_fault)),
        ) => {
            assert_eq!((found, field, fault), (index, expected_field, expected_fault));
            assert_eq!(value.to_bits(), expected.to_bits());
            true
        }
        (result, refused) => panic!("{result:?} for {refused:?}"),
    }
}

/// The rows that hold a shape, and the shapes.
fn there(wholes: &[Option<Whole>]) -> (Vec<u32>, Vec<Whole>) {
    let rows = (0..).zip(wholes).filter_map(|(row, whole)| Some((row, whole.clone()?)));
    rows.unzip()
}

fn assert_hits(found: &[Hit], expected: &[Hit]) {
    let bytes = bytemuck::cast_slice::<Hit, u8>;
    assert_eq!(found, expected);
    assert_eq!(bytes(found), bytes(expected), "zeros");
    for hit in found {
        let sum = hit.fraction + hit.x * 0.25 + hit.y * 0.25;
        assert!(sum.is_finite() && hit.fraction >= 0.0, "{hit:?}");
        let length = hit.normal_x.hypot(hit.normal_y);
        assert!((length - 1.0).abs() < 1e-6, "{hit:?}");
    }
}

/// The queries, and the answers of the reference.
struct Case {
    shapes: Shapes,
    rays: Vec<Ray>,
    hits: Vec<Vec<Hit>>,
    queries: Shapes,
    query_shapes: Vec<Option<Whole>>,
    moves: Vec<[f32; 2]>,
    options: CastOptions,
    fan: Fan,
    poses: Vec<Pose>,
    k: usize,
    max_distance: f32,
    casts: Vec<Vec<Hit>>,
    touching: Vec<Vec<u32>>,
    nearest: Vec<Vec<Neighbor>>,
}

impl Case {
    fn new(bytes: &mut Bytes<'_>, policy: Touching) -> Self {
        let (shapes, wholes) = bytes.store(20);
        let (queries, query_shapes) = bytes.store(8);
        let rays: Vec<Ray> = (0..bytes.byte() % 12).map(|_| bytes.ray()).collect();
        let moves: Vec<[f32; 2]> =
            query_shapes.iter().map(|_| [bytes.number(), bytes.number()]).collect();
        let options = CastOptions {
            max_fraction: if bytes.byte() < 128 { 1.0 } else { bytes.number() },
            gap: if bytes.byte() < 200 { 0.0 } else { bytes.number() },
            start: [CastStart::Inward, CastStart::Any, CastStart::Ignored]
                [usize::from(bytes.byte() % 3)],
        };
        let fan = bytes.fan();
        let poses = (0..bytes.byte() % 3).map(|_| bytes.sensor()).collect();
        let k = usize::from(bytes.byte() % 5);
        let max_distance = if bytes.byte() < 128 { f32::INFINITY } else { bytes.number() };

        let (rows, wholes) = there(&wholes);
        let row_of = |number: u32| rows[number as usize];
        let named = |hit: Hit| Hit { row: row_of(hit.row), ..hit };
        let hits = rays.iter().map(|ray| match ray_refused(ray) {
            Some(_) => vec![],
            None => queries::all_hits(&wholes, *ray).into_iter().map(named).collect(),
        });
        let hits = hits.collect();
        let mut case = Self {
            shapes,
            rays,
            hits,
            queries,
            query_shapes,
            moves,
            options,
            fan,
            poses,
            k,
            max_distance,
            casts: vec![],
            touching: vec![],
            nearest: vec![],
        };
        for (own, by) in case.query_shapes.iter().zip(&case.moves) {
            let Some(own) = own else {
                case.casts.push(vec![]);
                case.touching.push(vec![]);
                case.nearest.push(vec![]);
                continue;
            };
            let casts = match case.cast_refused(*by) {
                Some(_) => vec![],
                None => queries::all_casts(&wholes, own, *by, options),
            };
            case.casts.push(casts.into_iter().map(named).collect());
            let touching = queries::touching(&wholes, own, policy);
            case.touching.push(touching.into_iter().map(row_of).collect());
            let near = queries::nearest(&wholes, own, k, max_distance).into_iter();
            let near = near.map(|near| Neighbor { row: row_of(near.row), ..near });
            case.nearest.push(near.collect());
        }
        case
    }

    fn cast_refused(&self, [dx, dy]: [f32; 2]) -> Refused {
        let CastOptions { max_fraction, gap, .. } = self.options;
        refused(&[
            (Field::Dx, dx),
            (Field::Dy, dy),
            (Field::MaxFraction, max_fraction),
            (Field::Gap, gap),
        ])
    }

    fn check_rays(&self, index: &Index) {
        let mut hits = vec![Hit::default()];
        for (ray, expected) in self.rays.iter().zip(&self.hits) {
            let result = index.cast_ray(*ray);
            if !fails(result.clone().map(drop), 0, ray_refused(ray)) {
                let first = result.expect("no error");
                assert_hits(first.as_slice(), expected.first().as_slice_copied());
            }
            let result = index.hits_any(*ray);
            if !fails(result.clone().map(drop), 0, ray_refused(ray)) {
                assert_eq!(result, Ok(!expected.is_empty()));
            }
            fails(index.cast_ray_all(*ray, &mut hits), 0, ray_refused(ray));
            assert_hits(&hits, expected);
        }

        // All at once: the first invalid ray is reported. Then the valid rays.
        let bad = self.rays.iter().position(|ray| ray_refused(ray).is_some());
        let fault = bad.and_then(|bad| ray_refused(&self.rays[bad]));
        let (mut firsts, mut any, mut lists) = (vec![None], vec![true], Lists::new());
        index.cast_ray_all_batch(&[Ray::default()], &mut lists).expect("a point");
        let failed = fails(index.cast_ray_batch(&self.rays, &mut firsts), bad.unwrap_or(0), fault);
        fails(index.hits_any_batch(&self.rays, &mut any), bad.unwrap_or(0), fault);
        fails(index.cast_ray_all_batch(&self.rays, &mut lists), bad.unwrap_or(0), fault);
        if failed {
            assert!(firsts.is_empty() && any.is_empty() && lists.is_empty());
        }
        let valid = |ray: &&Ray| ray_refused(ray).is_none();
        let rays: Vec<Ray> = self.rays.iter().filter(valid).copied().collect();
        index.cast_ray_batch(&rays, &mut firsts).expect("valid rays");
        index.hits_any_batch(&rays, &mut any).expect("valid rays");
        index.cast_ray_all_batch(&rays, &mut lists).expect("valid rays");
        let hits = self.rays.iter().zip(&self.hits).filter(|(ray, _)| ray_refused(ray).is_none());
        assert_eq!((firsts.len(), any.len(), lists.len()), (rays.len(), rays.len(), rays.len()));
        for (number, (_, expected)) in hits.enumerate() {
            assert_hits(firsts[number].as_slice(), expected.first().as_slice_copied());
            assert_eq!(any[number], !expected.is_empty());
            assert_hits(lists.get(number), expected);
        }
    }

    /// Ranges of a scan are the fractions of single rays, to the last bit.
    fn check_scan(&self, index: &Index) {
        let (fan, poses) = (&self.fan, &self.poses);
        let mut scan = ScanColumns { range: vec![7.0], row: vec![7] };
        if let Err(error) = index.scan(fan, poses, &mut scan) {
            assert!(matches!(error, Error::InvalidQuery { .. }), "{error}");
            assert!(scan.range.is_empty() && scan.row.is_empty());
            return;
        }
        assert_eq!(
            (scan.range.len(), scan.row.len()),
            (fan.rays() * poses.len(), scan.range.len())
        );
        for (number, (range, row)) in scan.range.iter().zip(&scan.row).enumerate() {
            let ray = fan.ray(poses[number / fan.rays()], number % fan.rays());
            let hit = index.cast_ray(ray).expect("a ray of a fan");
            let expected =
                hit.map_or((f32::INFINITY, ScanColumns::NO_ROW), |hit| (hit.fraction, hit.row));
            assert_eq!(
                (range.to_bits(), *row),
                (expected.0.to_bits(), expected.1),
                "{fan:?} {ray:?}"
            );
        }
    }

    fn check_shapes(&self, index: &Index) {
        let (mut casts, mut touching, mut counts) = (vec![None], Lists::new(), vec![9]);
        let (mut some, mut nearest) = (vec![None], Lists::new());
        index.overlapping_batch(&self.queries, &mut touching).expect("checked shapes");
        index.count_overlapping_batch(&self.queries, &mut counts).expect("checked shapes");
        index.any_overlapping_batch(&self.queries, &mut some).expect("checked shapes");
        for (query, expected) in self.touching.iter().enumerate() {
            assert_eq!(touching.get(query), expected);
            assert_eq!(counts[query], expected.len() as u64);
            assert_eq!(some[query].is_some(), !expected.is_empty());
            assert!(some[query].is_none_or(|row| expected.contains(&row)));
        }

        let too_far = refused(&[(Field::MaxDistance, self.max_distance)]);
        let (k, most) = (self.k, self.max_distance);
        if fails(index.k_nearest_batch(&self.queries, k, most, &mut nearest), 0, too_far) {
            assert!(nearest.is_empty());
            fails(index.k_nearest_of_rows(k, most, &mut nearest), 0, too_far);
            fails(index.nearest(Point::new([0.0; 2]), most).map(drop), 0, too_far);
        } else {
            for (query, expected) in self.nearest.iter().enumerate() {
                assert_eq!(nearest.get(query), expected);
                assert!(expected.iter().all(|near| near.distance.is_finite()));
            }
        }

        // The options come first, because they belong to all queries.
        let all = self.cast_refused([0.0; 2]);
        let bad = self.moves.iter().position(|by| self.cast_refused(*by).is_some());
        let bad = if all.is_some() { Some(0) } else { bad };
        let fault = all.or_else(|| self.cast_refused(self.moves[bad?]));
        let mut all_casts = Lists::new();
        let (moves, options) = (&self.moves, self.options);
        let result = index.cast_shape_batch(&self.queries, moves, options, &mut casts);
        let all = index.cast_shape_all_batch(&self.queries, moves, options, &mut all_casts);
        assert_eq!(result.is_err(), all.is_err());
        if fails(result, bad.unwrap_or(0), fault) {
            assert!(casts.is_empty() && all_casts.is_empty());
        } else {
            for (query, expected) in self.casts.iter().enumerate() {
                assert_hits(casts[query].as_slice(), expected.first().as_slice_copied());
                assert_hits(all_casts.get(query), expected);
            }
        }

        // One by one, shapes that have no pose or parts.
        let mut near = vec![Neighbor::default()];
        for (row, whole) in self.query_shapes.iter().enumerate() {
            let Some(shape) = self.queries.get(row as u32).filter(|_| whole.is_some()) else {
                continue;
            };
            let by = self.moves[row];
            if Whole::new(&shape, None) != *whole.as_ref().expect("a shape") {
                continue;
            }
            let result = index.cast_shape(&shape, by, self.options);
            if !fails(result.clone().map(drop), 0, self.cast_refused(by)) {
                let expected = self.casts[row].first();
                assert_hits(result.expect("no error").as_slice(), expected.as_slice_copied());
            }
            let mut rows = vec![7];
            index.overlapping(&shape, &mut rows).expect("a checked shape");
            assert_eq!(rows, self.touching[row]);
            if !fails(index.k_nearest(&shape, k, most, &mut near), 0, too_far) {
                assert_eq!(near, self.nearest[row]);
                let lazy = index.nearest_iter(&shape, most).expect("a checked shape");
                assert!(lazy.take(k).eq(near.iter().copied()));
            }
        }
    }
}

/// An optional reference as a slice of values.
trait AsSliceCopied {
    fn as_slice_copied(&self) -> &[Hit];
}

impl AsSliceCopied for Option<&Hit> {
    fn as_slice_copied(&self) -> &[Hit] {
        self.map_or(&[], std::slice::from_ref)
    }
}

/// Queries with shapes of any bits: a typed error with the position, and no results.
fn check_invalid_shapes(bytes: &mut Bytes<'_>, index: &Index) {
    let [x, y, radius] = [(); 3].map(|()| [(); 3].map(|()| bytes.number()));
    let circles = Columns::circles(&x, &y, &radius).expect("equal columns");
    let valid = |row: usize| {
        let most = 60.0_f32.exp2();
        x[row].abs() <= most && y[row].abs() <= most && (0.0..=most).contains(&radius[row])
    };
    let bad = (0..3).find(|&row| !valid(row));
    let position = |result: Result<(), Error>| match result {
        Ok(()) => None,
        Err(Error::InvalidShape { index, .. }) => Some(index),
        Err(error) => panic!("{error}"),
    };
    let (mut rows, mut hits, mut near) = (Lists::new(), vec![None], Lists::new());
    assert_eq!(position(index.overlapping_batch(circles, &mut rows)), bad);
    assert_eq!(position(index.cast_shape_batch(circles, &[[1.0; 2]; 3], 1.0, &mut hits)), bad);
    assert_eq!(position(index.k_nearest_batch(circles, 1, 1.0, &mut near)), bad);
    if bad.is_some() {
        assert!(rows.is_empty() && hits.is_empty() && near.is_empty());
    }
    let circle = Circle { x: x[0], y: y[0], radius: radius[0] };
    let bad = (!valid(0)).then_some(0);
    assert_eq!(position(index.cast_shape(circle, [1.0; 2], 1.0).map(drop)), bad);
    assert_eq!(position(index.nearest(circle, 1.0).map(drop)), bad);
    assert_eq!(position(index.any_overlapping(circle).map(drop)), bad);
}

/// Checks all queries of an index that these bytes describe.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let touching = if bytes.byte() % 2 == 0 { Touching::Inclusive } else { Touching::Exclusive };
    let case = Case::new(&mut bytes, touching);
    let rest = bytes.0;
    for &level in SimdLevel::available() {
        let options = Options {
            simd_level: Some(level),
            touching,
            order: Order::Sorted,
            ..Options::default()
        };
        let mut index = Index::with_options(options.into()).expect("an available level");
        index.rebuild(&case.shapes).expect("checked shapes");
        case.check_rays(&index);
        case.check_scan(&index);
        case.check_shapes(&index);
        check_invalid_shapes(&mut Bytes(rest), &index);
    }
}
