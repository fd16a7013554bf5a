//! `Narrowphase::row_contacts` of checked columns: the results of a narrowphase of pairs for the
//! same two shapes, in their row, for every two forms of columns and on every level.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, Rng, at_every_level,
    crowd::PosedShape,
    levels,
    matrix::on_one_thread,
    product,
    rows::{assert_rows, row_by_row},
};
use widephase::{
    Columns, Contact, Error, Feature, Narrowphase, NarrowphaseOptions, Shapes, SimdLevel, Touching,
    columns::ContactColumns,
    shape::{Aabb, Circle, Part, Point, RoundedBox},
};

/// Not a multiple of any number of lanes.
const ROWS: usize = 165;

/// Columns of whole numbers, so that many shapes just touch, have no size, or lie in each other.
struct Numbers {
    x: Vec<f32>,
    y: Vec<f32>,
    width: Vec<f32>,
    height: Vec<f32>,
    right: Vec<f32>,
    top: Vec<f32>,
    radius: Vec<f32>,
    /// No shape stands there in stores.
    vacant: usize,
    /// Stores of all kinds alternating, of circles, of boxes, and of vacant rows.
    stores: [Shapes; 4],
}

/// The shape that columns have in a row, as a record.
type Shape = fn(&Numbers, usize) -> Option<Part>;

impl Numbers {
    fn new(rng: &mut Rng, vacant: usize) -> Self {
        let mut column =
            |low, high| -> Vec<f32> { (0..ROWS).map(|_| rng.int(low, high) as f32).collect() };
        let (x, y) = (column(-3, 3), column(-3, 3));
        let (width, height, radius) = (column(0, 2), column(0, 2), column(0, 2));
        Self::of([x, y, width, height, radius], vacant)
    }

    fn of([x, y, width, height, radius]: [Vec<f32>; 5], vacant: usize) -> Self {
        let sum =
            |a: &[f32], b: &[f32]| -> Vec<f32> { a.iter().zip(b).map(|(a, b)| a + b).collect() };
        let (right, top) = (sum(&x, &width), sum(&y, &height));
        let stores = [(); 4].map(|()| Shapes::new());
        let mut numbers = Self { x, y, width, height, right, top, radius, vacant, stores };
        for row in 0..numbers.x.len() {
            let parts = [numbers.any(row), numbers.circle(row), numbers.aabb(row).into()];
            for (place, store) in numbers.stores.iter_mut().enumerate() {
                store.push(parts[place % 3].clone()).unwrap();
                if row == vacant || place == 3 {
                    store.remove(row as u32).unwrap();
                }
            }
        }
        numbers
    }

    /// The first rows.
    fn first(&self, rows: usize) -> Self {
        let Self { x, y, width, height, radius, vacant, .. } = self;
        let columns = [x, y, width, height, radius].map(|column| column[..rows].to_vec());
        Self::of(columns, *vacant)
    }

    fn point(&self, row: usize) -> Part {
        Point::new([self.x[row], self.y[row]]).into()
    }

    fn circle(&self, row: usize) -> Part {
        Circle::new([self.x[row], self.y[row]], self.radius[row]).into()
    }

    fn aabb(&self, row: usize) -> Aabb {
        Aabb::new([self.x[row], self.y[row]], [self.right[row], self.top[row]])
    }

    fn centered(&self, row: usize) -> Part {
        let half = [self.width[row], self.height[row]];
        Aabb::centered([self.x[row], self.y[row]], half).into()
    }

    fn rounded(&self, row: usize) -> Part {
        RoundedBox::new(self.aabb(row), self.radius[row]).into()
    }

    fn any(&self, row: usize) -> Part {
        let kinds = [Self::point, Self::circle, |n: &Self, row| n.aabb(row).into(), Self::rounded];
        kinds[row % 4](self, row)
    }

    /// All forms, and the content of their rows.
    fn forms(&self) -> [(&'static str, Columns<'_>, Shape); 9] {
        let Self { x, y, width, height, right, top, radius, stores, .. } = self;
        let [mixed, circles, boxes, nothing] = stores.each_ref().map(Columns::from);
        [
            ("points", Columns::points(x, y).unwrap(), |n, row| Some(n.point(row))),
            ("circles", Columns::circles(x, y, radius).unwrap(), |n, row| Some(n.circle(row))),
            ("aabbs", Columns::aabbs(x, y, right, top).unwrap(), |n, row| Some(n.aabb(row).into())),
            ("centered", Columns::centered(x, y, width, height).unwrap(), |n, row| {
                Some(n.centered(row))
            }),
            ("rounded", Columns::rounded_boxes(x, y, right, top, radius).unwrap(), |n, row| {
                Some(n.rounded(row))
            }),
            ("all kinds", mixed, |n, row| (row != n.vacant).then(|| n.any(row))),
            ("a store of circles", circles, |n, row| (row != n.vacant).then(|| n.circle(row))),
            ("a store of boxes", boxes, |n, row| (row != n.vacant).then(|| n.aabb(row).into())),
            ("an empty store", nothing, |_, _| None),
        ]
    }
}

/// The shapes of the first rows.
fn solids(rows: usize, numbers: &Numbers, shape: Shape) -> Vec<Option<PosedShape>> {
    (0..rows).map(|row| Some(shape(numbers, row)?.into())).collect()
}

#[test]
fn rows_are_what_a_narrowphase_says_of_pairs() {
    let mut rng = Rng::new(21);
    let numbers = [Numbers::new(&mut rng, 70), Numbers::new(&mut rng, 131)];
    let mut found = ContactColumns::new();
    let (mut touching_rows, mut apart) = (0, 0);
    let cases = (numbers[0].forms(), numbers[1].forms(), [0.0, 0.75]);
    for ((left, a, shape_a), (right, b, shape_b), margin) in product(cases) {
        let (a, b) = (a.check().unwrap(), b.check().unwrap());
        let parts_a = solids(ROWS, &numbers[0], shape_a);
        let parts_b = solids(ROWS, &numbers[1], shape_b);
        let by_policy = POLICIES.map(|touching| row_by_row([&parts_a, &parts_b], touching, margin));
        for expected in &by_policy {
            let contacts = expected.iter().flatten().count();
            touching_rows += contacts;
            apart += ROWS - contacts;
        }
        for run in on_one_thread() {
            let mut narrowphase = Narrowphase::with_options(run.options().into()).unwrap();
            narrowphase.row_contacts(a, b, 0..a.len(), margin, &mut found).unwrap();
            let what = format!("{left} and {right}, margin {margin}, {run}");
            let expected = run.of(&by_policy);
            assert_rows(&found, 0, expected, &what);
        }
    }
    assert!(touching_rows > 5_000 && apart > 5_000, "{touching_rows} and {apart}");
}

/// Any number of rows, into columns that are empty, shorter or longer, and full of something else.
#[test]
fn any_number_of_rows() {
    let mut rng = Rng::new(22);
    let numbers = [Numbers::new(&mut rng, 12), Numbers::new(&mut rng, 40)];
    // Not a zero anywhere.
    let records = vec![bytemuck::cast::<[u32; 16], Contact>([0x3f00_0007; 16]); 2 * ROWS];
    let counts = [1, 7, 8, 15, 16, 17, 33, ROWS, 64, 0, 100];
    // Two circles, a box and a circle, two boxes, and shapes that are known by rows only.
    let kinds = [[1, 1], [2, 1], [1, 2], [2, 3], [5, 2]];
    for (rows, [left, right]) in product((counts, kinds)) {
        let numbers = numbers.each_ref().map(|numbers| numbers.first(rows));
        let (lefts, rights) = (numbers[0].forms(), numbers[1].forms());
        let ((left, a, shape_a), (right, b, shape_b)) = (&lefts[left], &rights[right]);
        let (a, b) = (a.check().unwrap(), b.check().unwrap());
        let parts_a = solids(rows, &numbers[0], *shape_a);
        let parts_b = solids(rows, &numbers[1], *shape_b);
        let expected = row_by_row([&parts_a, &parts_b], Touching::Inclusive, 0.5);
        for &level in levels() {
            let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
                simd_level: Some(level),
                ..NarrowphaseOptions::default()
            })
            .unwrap();
            for before in [0, rows / 2, 2 * ROWS] {
                let mut found = ContactColumns::new();
                found.fill(&records[..before]);
                narrowphase.row_contacts(a, b, 0..a.len(), 0.5, &mut found).unwrap();
                let what = format!("{rows} of {left} and {right} after {before}, {level}");
                assert_rows(&found, 0, &expected, &what);
            }
        }
    }
}

at_every_level!(contacts_by_hand);

/// By hand: a box and a circle, and the other way round; two boxes side by side, and a corner
/// within a box.
fn contacts_by_hand(level: SimdLevel) {
    let column = |value: f32| [value; 3];
    let (min_x, min_y, max_x, max_y) = (column(0.0), column(0.0), column(4.0), column(2.0));
    let boxes = Columns::aabbs(&min_x, &min_y, &max_x, &max_y).unwrap().check().unwrap();
    // Above the middle, a quarter deep; at the upper right corner, one deep along (3, 4) / 5; far
    // away.
    let (x, y, radius) = ([2.0, 4.0 + 0.6, 9.0], [2.75, 2.0 + 0.8, 9.0], [1.0, 2.0, 1.0]);
    let circles = Columns::circles(&x, &y, &radius).unwrap().check().unwrap();
    // Half a unit of the right side covered, one deep; the lower left corner in it, half as deep;
    // touching.
    let (left, bottom) = ([3.0, 3.5, 4.0], [0.5, 1.0, -1.0]);
    let (right, top) = ([6.0, 6.0, 5.0], [1.0, 5.0, 1.0]);
    let others = Columns::aabbs(&left, &bottom, &right, &top).unwrap().check().unwrap();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let (mut found, mut other) = (ContactColumns::new(), ContactColumns::new());
    narrowphase.row_contacts(boxes, circles, 0..boxes.len(), 0.0, &mut found).unwrap();
    assert_eq!(found.count, [1, 1, 0], "{level}");
    assert_eq!((found.normal_x[0], found.normal_y[0], found.depth[0]), (0.0, 1.0, 0.25));
    assert_eq!((found.points[0].x[0], found.points[0].y[0]), (2.0, 1.875));
    let near = |value: f32, exact: f32| (value - exact).abs() < 1e-6;
    assert!(near(found.normal_x[1], 0.6) && near(found.normal_y[1], 0.8), "{level}");
    assert!(near(found.depth[1], 1.0), "{level}");
    let mirrored = |row: usize| found.get(row).unwrap().mirrored();
    let expected: Vec<_> = (0..2).map(|row| Some(mirrored(row))).chain([None]).collect();
    narrowphase.row_contacts(circles, boxes, 0..circles.len(), 0.0, &mut other).unwrap();
    assert_rows(&other, 0, &expected, &format!("circles first, {level}"));

    narrowphase.row_contacts(boxes, others, 0..boxes.len(), 0.0, &mut found).unwrap();
    assert_eq!(found.count, [2; 3], "{level}");
    assert_eq!((&found.normal_x[..], &found.normal_y[..]), (&[1.0; 3][..], &[0.0; 3][..]));
    assert_eq!(found.depth, [1.0, 0.5, 0.0], "{level}");
    let points = [&found.points[0], &found.points[1]];
    assert_eq!(points.map(|point| point.x.clone()), [[3.5, 3.75, 4.0], [3.5, 3.75, 4.0]]);
    assert_eq!(points.map(|point| point.y.clone()), [[0.5, 1.0, 0.0], [1.0, 2.0, 1.0]]);
    // The right side of the first box. The left side of the second of the other shapes begins at
    // its lower vertex, and is cut off on the way to its upper vertex.
    let features = |feature: Feature| (feature.is_side(), feature.index());
    let sides = points.map(|point| features(point.feature_a[1]));
    assert_eq!(sides, [(true, 1); 2], "{level}");
    let vertices = points.map(|point| features(point.feature_b[1]));
    assert_eq!(vertices, [(false, 0), (false, 3)], "{level}");
}

at_every_level!(at_the_margin_itself);

/// Boxes have to be near each other, too, as for every narrowphase: here a sum of radii is rounded
/// down, so they are not; the depth alone would admit a contact.
fn at_the_margin_itself(level: SimdLevel) {
    let margin = 2.0_f32.powi(-23);
    let (zero, one, beside) = ([0.0; 20], [1.0; 20], [1.0 + margin; 20]);
    let balls = Columns::circles(&zero, &zero, &one).unwrap().check().unwrap();
    let dots = Columns::circles(&beside, &zero, &zero).unwrap().check().unwrap();
    let points = Columns::points(&beside, &zero).unwrap().check().unwrap();
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        simd_level: Some(level),
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let mut found = ContactColumns::new();
    for others in [dots, points] {
        for (margin, contacts) in [(0.0, 0), (margin, 0), (2.0 * margin, 1)] {
            narrowphase.row_contacts(balls, others, 0..balls.len(), margin, &mut found).unwrap();
            assert_eq!(found.count, [contacts; 20], "{level}, margin {margin}");
        }
        assert_eq!(found.depth, [-margin; 20], "{level}");
    }
}

#[test]
fn a_refused_call_changes_nothing() {
    let (x, two) = ([0.0], [0.0, 0.0]);
    let one = Columns::circles(&x, &x, &x).unwrap().check().unwrap();
    let more = Columns::circles(&two, &two, &two).unwrap().check().unwrap();
    let mut found = ContactColumns::new();
    let mut narrowphase = Narrowphase::new();
    narrowphase.row_contacts(one, one, 0..one.len(), 0.0, &mut found).unwrap();
    let before = found.clone();
    assert_eq!(before.count, [1]);
    let refused = narrowphase.row_contacts(one, more, 0..2, 0.0, &mut found);
    assert_eq!(refused, Err(Error::NoSuchShape { index: 1, len: 1 }));
    for margin in [-1.0, f32::NAN, f32::INFINITY, 2.0_f32.powi(61)] {
        let refused =
            narrowphase.row_contacts(one, one, 0..one.len(), margin, &mut found).unwrap_err();
        assert!(matches!(refused, Error::InvalidMargin { .. }), "{refused}");
    }
    assert_eq!(found, before);
}
