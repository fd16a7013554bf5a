//! Callbacks that have seen enough.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use common::{
    matrix::matrix_of,
    scene::{Scene, SceneKind},
};
use widephase::{
    Columns, Contact, Detector, Error, Options, Order, Pair, Shapes, Touching,
    shape::{Circle, Obb, Rotation},
};

/// As many of `all` as a callback gets that breaks at its `wanted`th call, and whether it breaks.
fn first<T>(all: &[T], wanted: usize) -> (&[T], bool) {
    (&all[..wanted.min(all.len())], wanted <= all.len())
}

/// The results that a callback gets that breaks at its `wanted`th call.
fn called<T>(
    wanted: usize,
    call: impl FnOnce(&mut dyn FnMut(T) -> ControlFlow<usize>) -> ControlFlow<usize, u64>,
) -> (Vec<T>, bool) {
    let mut got = Vec::new();
    let end = call(&mut |item| {
        got.push(item);
        if got.len() == wanted { ControlFlow::Break(wanted) } else { ControlFlow::Continue(()) }
    });
    match end {
        ControlFlow::Break(stop) => assert_eq!(stop, wanted),
        ControlFlow::Continue(calls) => assert_eq!(calls, got.len() as u64),
    }
    (got, end.is_break())
}

/// Wherever it stops, a callback has got the beginning of the list.
fn check(mut detector: Detector, columns: Columns<'_>, what: &str) -> (Vec<Pair>, Vec<Contact>) {
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    detector.pairs(columns, &mut pairs).unwrap();
    for wanted in [1, 2, 1000, pairs.len() / 2, pairs.len(), pairs.len() + 1] {
        let (got, broke) = called(wanted, |each| detector.for_each_pair(columns, each).unwrap());
        assert!((&got[..], broke) == first(&pairs, wanted), "{what}: {wanted} pairs");
    }
    for margin in [0.25, 0.0] {
        detector.contacts(columns, margin, &mut contacts).unwrap();
        for wanted in [1, 1000, contacts.len() / 2, contacts.len(), contacts.len() + 1] {
            let each = |each: &mut dyn FnMut(_) -> _| {
                detector.for_each_contact(columns, margin, each).unwrap()
            };
            let (got, broke) = called(wanted, each);
            let (expected, breaks) = first(&contacts, wanted);
            let same = bytemuck::cast_slice::<_, u8>(&got) == bytemuck::cast_slice(expected);
            assert!(same && broke == breaks, "{what}: {wanted} contacts, margin {margin}");
        }
    }
    (pairs, contacts)
}

#[test]
fn a_callback_that_stops_has_seen_the_beginning_of_the_list() {
    let kinds = ["s1", "s3", "s5", "s7", "s8", "giant"];
    for kind in kinds.map(|name| name.parse::<SceneKind>().unwrap()) {
        let scene = Scene::generate(kind, 3000, 3);
        let mut found = None;
        for run in matrix_of(Touching::Inclusive) {
            let what = format!("{kind}, {run}");
            let detector = Detector::with_options(run.options()).unwrap();
            let lists = run.within(|| check(detector, scene.columns(), &what));
            assert!(lists.0.len() > 1000, "{what}");
            assert!(lists == *found.get_or_insert_with(|| lists.clone()), "{what}");
        }
    }
}

/// The order of the grid, whatever the order of lists.
#[test]
fn callbacks_are_in_the_order_of_the_grid() {
    let scene = Scene::generate(SceneKind::UniformCircles, 2000, 1);
    let (mut grid, mut pairs) = (Vec::new(), Vec::new());
    Detector::new().pairs(scene.columns(), &mut grid).unwrap();
    let mut sorted =
        Detector::with_options(Options { order: Order::Sorted, ..Options::default() }).unwrap();
    sorted.for_each_pair(scene.columns(), |pair| pairs.push(pair)).unwrap();
    assert!(pairs == grid && !grid.is_sorted());
}

#[test]
fn errors_of_callbacks_end_the_call() {
    let circles = Columns::circles(&[0.0, 1.0, 2.0], &[0.0; 3], &[1.0; 3]).unwrap();
    let mut detector = Detector::new();
    let mut calls = 0;
    let mut fail_at = |wanted| {
        calls = 0;
        let end = detector.for_each_pair(circles, |_| {
            calls += 1;
            if calls == wanted { Err("full") } else { Ok(()) }
        });
        (end.unwrap(), calls)
    };
    assert_eq!(fail_at(2), (Err("full"), 2));
    assert_eq!(fail_at(4), (Ok(3), 3));
    let margin = detector.for_each_contact(circles, -1.0, |_| Err("called"));
    assert_eq!(margin, Err(Error::InvalidMargin { value: -1.0 }));
    let none = detector.for_each_pair(&Shapes::new(), |_| Err("called"));
    assert_eq!(none, Ok(Ok(0)));
}

/// Half a million shapes in one place: all pairs would take a minute, and all contacts an hour.
#[test]
fn the_first_of_very_many_is_found_soon() {
    let n = 500_000;
    let (x, y, radius) = (vec![1.0; n], vec![2.0; n], vec![0.5; n]);
    let circles = Columns::circles(&x, &y, &radius).unwrap();
    let mut boxes = Shapes::new();
    for _ in 0..n {
        boxes.push(Obb::new([1.0, 2.0], [1.0, 1.0], Rotation::from_angle(1.0))).unwrap();
    }
    boxes.push(Circle::new([1.0, 2.0], 0.5)).unwrap();
    let start = Instant::now();
    let mut detector = Detector::new();
    for columns in [circles, (&boxes).into()] {
        let pair = detector.for_each_pair(columns, ControlFlow::Break).unwrap();
        assert!(pair.is_break());
        let contact = detector.for_each_contact(columns, 0.0, ControlFlow::Break).unwrap();
        assert_eq!(contact.break_value().map(|contact| contact.pair), pair.break_value());
    }
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
