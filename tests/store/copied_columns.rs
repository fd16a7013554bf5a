//! Points and circles in other forms than columns: all calls give the results for columns, in the
//! same order, to the last bit, on every SIMD level.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{Rng, matrix::on_one_thread};
use widephase::{
    Adjacency, Columns, Detector, Displacements, Error, Index, Lists, Narrowphase, Periodic,
    Queries, Ray, Shapes, error::Field,
};

/// Circles in all forms.
struct Circles {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    positions: Vec<[f32; 2]>,
}

impl Circles {
    fn new(n: usize, seed: u64, mut radius: impl FnMut(&mut Rng) -> f32) -> Self {
        let mut rng = Rng::new(seed);
        let side = (n as f32).sqrt();
        let position = |_| [rng.range(0.0, side), rng.range(0.0, side)];
        let positions: Vec<[f32; 2]> = (0..n).map(position).collect();
        let column = |axis: usize| positions.iter().map(|at| at[axis]).collect();
        let (x, y) = (column(0), column(1));
        let radius = (0..n).map(|_| radius(&mut rng)).collect();
        Self { x, y, radius, positions }
    }

    fn columns(&self) -> Columns<'_> {
        Columns::circles(&self.x, &self.y, &self.radius).unwrap()
    }
}

/// The results of calls, as text that shows every bit.
fn answers(shapes: Columns<'_>, others: Columns<'_>, run: &common::matrix::Run) -> String {
    let mut detector = Detector::with_options(run.options()).unwrap();
    let (mut pairs, mut contacts, mut impacts) = (Vec::new(), Vec::new(), Vec::new());
    let mut lists = Lists::new();
    let mut told = String::new();
    let mut tell = |what: &dyn std::fmt::Debug| told += &format!("{what:?}\n");
    // The larger set last, so that the memory of the smaller set is used again.
    for columns in [others, shapes] {
        detector.pairs(columns, &mut pairs).unwrap();
        detector.contacts(columns, 0.125, &mut contacts).unwrap();
        tell(&(&pairs, &contacts));
        detector.neighbors(columns, 0.5, Adjacency::Full, &mut lists).unwrap();
        tell(&lists);
        let (x, y) = (&vec![0.75; columns.len()][..], &vec![-0.5; columns.len()][..]);
        let moves = Displacements { x, y, ..Displacements::default() };
        detector.swept_pairs(columns, moves, &mut impacts).unwrap();
        tell(&impacts);
    }
    let index = Index::build(shapes).unwrap();
    detector.pairs((others, &index), &mut pairs).unwrap();
    tell(&pairs);
    let mut nearest = Vec::new();
    index.nearest_batch(others, f32::INFINITY, &mut nearest).unwrap();
    tell(&(nearest, index.cast_ray(Ray::new([-1.0, -1.0], [50.0, 45.0])).unwrap()));
    let mut narrowphase = Narrowphase::new();
    narrowphase.contacts(shapes.check().unwrap(), &[], 0.0, &mut contacts).unwrap();
    tell(&contacts);
    told
}

#[test]
fn every_call_takes_them() {
    let few = Circles::new(37, 5, |_| 0.5);
    let same = Circles::new(900, 3, |_| 0.625);
    let each = Circles::new(900, 4, |rng| rng.range(0.0, 1.0));
    let dots = Circles::new(900, 4, |_| 0.0);
    for run in on_one_thread() {
        let others = Columns::circles_at(&few.positions, 0.5).unwrap();
        let expected = |circles: &Circles| answers(circles.columns(), few.columns(), &run);
        let forms = [
            (&same, Columns::circles(&same.x, &same.y, 0.625).unwrap()),
            (&same, Columns::circles_at(&same.positions, 0.625).unwrap()),
            (&same, Columns::circles_at(&same.positions, &same.radius).unwrap()),
            (&each, Columns::circles_at(&each.positions, &each.radius[..]).unwrap()),
        ];
        for (number, (circles, columns)) in forms.into_iter().enumerate() {
            assert!(answers(columns, others, &run) == expected(circles), "form {number}, {run}");
        }
        let points = Columns::points(&dots.x, &dots.y).unwrap();
        let copied = Columns::points_at(&dots.positions).unwrap();
        assert!(answers(copied, others, &run) == answers(points, few.columns(), &run), "{run}");
    }
}

#[test]
fn stores_and_rows_take_them() {
    let circles = Circles::new(50, 9, |_| 0.5);
    let copied = Columns::circles_at(&circles.positions, 0.5).unwrap();
    let mut stores = [Shapes::new(), Shapes::new()];
    stores[0].extend_from_columns(copied).unwrap();
    stores[1].extend_from_columns(circles.columns()).unwrap();
    for row in 0..50 {
        assert_eq!(stores[0].get(row), stores[1].get(row));
        assert_eq!(stores[0].kind(row), stores[1].kind(row));
    }
    let (mut pairs, mut rows, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    Detector::new().pairs(copied, &mut pairs).unwrap();
    assert!(pairs.len() > 20);
    let mut narrowphase = Narrowphase::new();
    narrowphase.contacts(copied, &pairs, 0.0, &mut rows).unwrap();
    narrowphase.contacts(circles.columns(), &pairs, 0.0, &mut expected).unwrap();
    assert_eq!(rows, expected);
    let periodic = Periodic::new([0.0, 0.0], [8.0, 8.0]);
    let (mut found, mut plain) = (Vec::new(), Vec::new());
    let mut detector = Detector::new();
    detector.pairs_periodic(copied, &periodic, &mut found).unwrap();
    detector.pairs_periodic(circles.columns(), &periodic, &mut plain).unwrap();
    assert!(!plain.is_empty() && found == plain);
}

#[test]
fn errors_name_the_row_and_the_field() {
    let good = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]];
    let mut bad = good;
    bad[1][1] = f32::NAN;
    let told = |columns: Columns<'_>| {
        let mut detector = Detector::new();
        let error = detector.pairs(columns, &mut Vec::new()).unwrap_err();
        let again = columns.check().unwrap_err();
        assert_eq!(format!("{error:?}"), format!("{again:?}"));
        let mut store = Shapes::new();
        let refused = store.extend_from_columns(columns).unwrap_err();
        assert_eq!((format!("{refused:?}"), store.rows()), (format!("{error:?}"), 0));
        (error.row(), error.field())
    };
    assert_eq!(told(Columns::points_at(&bad).unwrap()), (Some(1), Some(Field::Y)));
    assert_eq!(told(Columns::circles_at(&bad, 1.0).unwrap()), (Some(1), Some(Field::Y)));
    assert_eq!(told(Columns::circles_at(&good, -1.0).unwrap()), (Some(0), Some(Field::Radius)));
    let radii = [1.0, 2.0, f32::INFINITY];
    assert_eq!(told(Columns::circles_at(&good, &radii).unwrap()), (Some(2), Some(Field::Radius)));
    let unequal = |field, len| Error::UnequalColumns { field, len, expected: 3 };
    let refused = Columns::circles_at(&good, &radii[1..]).unwrap_err();
    assert_eq!(refused, unequal(Field::Radius, 2));
    let refused = Columns::circles(&[0.0; 3], &[0.0; 2], 1.0).unwrap_err();
    assert_eq!(refused, unequal(Field::Y, 2));
    // No row, no radius to refuse.
    assert_eq!(Detector::new().count(Columns::circles_at(&[], f32::NAN).unwrap()), Ok(0));
}
