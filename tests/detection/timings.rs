//! `Options::timings`: the durations of phases, and that they change nothing else.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::time::{Duration, Instant};

use common::scene::{Scene, SceneKind};
use widephase::{
    Adjacency, Body, Columns, Detector, Displacements, Index, Lists, Motion, Options, Order,
    Periodic, Threads, Timings, World,
    shape::{Aabb, Circle, Pose},
};

/// A detector that measures, or not, and sorts its lists.
fn detector(timings: bool, threads: Threads) -> Detector {
    let order = Order::Sorted;
    Detector::with_options(Options { timings, threads, order, ..Options::default() }).unwrap()
}

/// Which phases took any time, by name.
fn measured(phases: &Timings) -> Vec<&'static str> {
    let named = Timings::NAMES.into_iter().zip(phases.to_array());
    named.filter(|(_, time)| *time > Duration::ZERO).map(|(name, _)| name).collect()
}

/// A call of a detector.
type Call<'a> = (&'static str, Box<dyn Fn(&mut Detector) -> u64 + 'a>);

/// The calls, each call with its result or the length of its list.
fn calls<'a>(shapes: Columns<'a>, index: &'a Index) -> Vec<Call<'a>> {
    let still = vec![0.0; shapes.len()];
    let periodic = Periodic::new([-1e6; 2], [1e6; 2]);
    vec![
        (
            "pairs",
            Box::new(move |detector| {
                let mut pairs = Vec::new();
                detector.pairs(shapes, &mut pairs).unwrap();
                pairs.len() as u64
            }),
        ),
        (
            "both",
            Box::new(move |detector| {
                let (mut pairs, mut hits) = (Vec::new(), Vec::new());
                detector.pairs_and_against(shapes, index, &mut pairs, &mut hits).unwrap();
                (pairs.len() + hits.len()) as u64
            }),
        ),
        (
            "contacts",
            Box::new(move |detector| {
                let mut contacts = Vec::new();
                detector.contacts(shapes, 0.5, &mut contacts).unwrap();
                contacts.len() as u64
            }),
        ),
        ("count", Box::new(move |detector| detector.count(shapes).unwrap())),
        ("between", Box::new(move |detector| detector.count((index, index)).unwrap())),
        (
            "callback",
            Box::new(move |detector| {
                let mut sum = 0;
                detector.for_each_pair(shapes, |pair| sum += u64::from(pair.b)).unwrap();
                sum
            }),
        ),
        (
            "worlds",
            Box::new(move |detector| {
                let worlds: Vec<u32> = (0..shapes.len() as u32).map(|row| row % 2).collect();
                detector.count(shapes.with_spaces(&worlds).unwrap()).unwrap()
            }),
        ),
        (
            "neighbors",
            Box::new(move |detector| {
                let mut lists = Lists::new();
                detector.neighbors(shapes, 1.0, Adjacency::Full, &mut lists).unwrap();
                lists.items().len() as u64
            }),
        ),
        (
            "periodic",
            Box::new(move |detector| {
                let mut pairs = Vec::new();
                detector.pairs_periodic(shapes, &periodic, &mut pairs).unwrap();
                pairs.len() as u64
            }),
        ),
        (
            "swept",
            Box::new(move |detector| {
                let mut impacts = Vec::new();
                detector
                    .swept_pairs(
                        shapes,
                        Displacements { x: &still, y: &still, ..Displacements::default() },
                        &mut impacts,
                    )
                    .unwrap();
                impacts.len() as u64
            }),
        ),
    ]
}

#[test]
fn phases_are_parts_of_the_call() {
    for kind in [SceneKind::UniformCircles, SceneKind::MixedRotating] {
        let scene = Scene::generate(kind, 2000, 3);
        let index = Index::build(scene.columns()).unwrap();
        for threads in [Threads::Calling, Threads::Pool] {
            let (mut on, mut off) = (detector(true, threads), detector(false, threads));
            for (name, call) in calls(scene.columns(), &index) {
                let begin = Instant::now();
                let found = call(&mut on);
                let whole = begin.elapsed();
                assert_eq!(found, call(&mut off), "{name} {kind}");
                assert_eq!(*off.timings(), Timings::default(), "{name}: no clock is read");

                let phases = *on.timings();
                assert!(phases.sum() <= whole, "{name} {kind}: {phases:?} of {whole:?}");
                let expected: &[_] = match name {
                    "count" | "callback" => &["check", "sort", "search"],
                    "between" => &["search"],
                    "worlds" => &["check", "search"],
                    _ => &["check", "sort", "search", "finish"],
                };
                assert_eq!(measured(&phases), expected, "{name} {kind}");
            }
        }
    }
}

/// A call that fails, or one without shapes, leaves no phases of the call before.
#[test]
fn each_call_begins_anew() {
    let scene = Scene::generate(SceneKind::UniformCircles, 2000, 3);
    let mut detector = detector(true, Threads::Calling);
    detector.count(scene.columns()).unwrap();
    assert!(detector.timings().sort > Duration::ZERO);
    detector.count(Columns::points(&[f32::NAN], &[0.0]).unwrap()).unwrap_err();
    assert_eq!(detector.timings().sort, Duration::ZERO);
    detector.count(scene.columns()).unwrap();
    detector.count(Columns::points(&[], &[]).unwrap()).unwrap();
    assert_eq!(detector.timings().sort, Duration::ZERO);
    detector.count(scene.columns()).unwrap();
    detector.set_options(Options::default()).unwrap();
    detector.count(scene.columns()).unwrap();
    assert_eq!(*detector.timings(), Timings::default());
}

/// The first step of a world sorts the bodies that do not move; the next step does not.
#[test]
fn phases_of_steps() {
    let mut worlds = [true, false]
        .map(|on| World::with_options(Options { timings: on, ..Options::default() }).unwrap());
    for world in &mut worlds {
        let floor = Body { motion: Motion::Static, ..Body::default() };
        world.insert(Aabb::new([0.0, -1.0], [500.0, 0.5]), floor).unwrap();
        for place in 0..500 {
            let pose = Some(Pose::at([place as f32 * 0.9, 0.5]));
            let body = Body { pose, ..Body::default() };
            world.insert(Circle::new([0.0; 2], 0.5), body).unwrap();
        }
    }
    for first in [true, false] {
        let [on, off] = &mut worlds;
        let begin = Instant::now();
        on.step().unwrap();
        let (whole, phases) = (begin.elapsed(), *on.timings());
        assert!(phases.sum() <= whole, "{phases:?} of {whole:?}");
        let expected = ["index", "check", "sort", "search", "finish", "contacts", "events"];
        assert_eq!(measured(&phases), expected[usize::from(!first)..]);
        off.step().unwrap();
        assert_eq!(*off.timings(), Timings::default());
        assert_eq!(on.state_hash(), off.state_hash());
    }
}
