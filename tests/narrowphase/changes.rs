//! Stores whose shapes change, move and rest.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::f32::consts::PI;

use crate::crowds::{contacts_of, margins, pairs_of};
use common::{
    assert_contacts,
    crowd::{Crowd, Make, Maker, Numbers, PosedShape, crowds, pose_for, store},
    pow2,
};
use proptest::prelude::*;
use widephase::{
    Feature, Shapes, Touching,
    reference::placed_shape::{Class, PlacedShape},
    shape::{
        Capsule, Circle, Compound, ConvexPolygon, Kind, Obb, OwnedShape, Part, Pose, Rotation,
    },
};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// A store that has been changed in every way is as good as a new store.
    #[test]
    fn a_changed_store_is_as_good_as_a_new_one(
        crowd in crowds(), other in crowds(), margin in margins(), seed in any::<u64>()
    ) {
        let other = Crowd { unit: crowd.unit, far: crowd.far, numbers: crowd.numbers, ..other };
        let margin = margin * pow2(crowd.unit);
        let mut model: Vec<Option<PosedShape>> = crowd.solids().into_iter().map(Some).collect();
        let spare = other.solids();
        let mut edited = store(&crowd.solids());
        let mut rng = common::Rng::new(seed);
        for step in 0..12 {
            let row = rng.below(model.len().max(1) as u64) as usize;
            let some = &spare[rng.below(spare.len() as u64) as usize];
            let what = rng.below(10);
            match what {
                0 if row < model.len() => {
                    edited.set(row as u32, &some.shape).unwrap();
                    model[row] = Some(PosedShape { shape: some.shape.clone(), pose: None });
                }
                1 => {
                    let bad = Circle::new([0.0, 0.0], f32::NAN);
                    prop_assert_eq!(edited.extend_from_slice_lenient(&[bad]).unwrap().len(), 1);
                    model.push(None);
                }
                2 if row < model.len() && model[row].is_some() => {
                    let own = &model[row].as_ref().unwrap().shape;
                    let pose = pose_for(own, some.pose.unwrap_or_default());
                    let before = edited.pose(row as u32);
                    edited.set_pose(row as u32, pose).unwrap();
                    place(model[row].as_mut().unwrap(), before, pose);
                }
                3 => {
                    let poses: Vec<Pose> = (0..model.len() as u32)
                        .map(|row| edited.pose(row).unwrap_or_default())
                        .collect();
                    // All stay where they are, to the last bit of their boxes.
                    let before = edited.clone();
                    edited.set_poses(&poses).unwrap();
                    for row in 0..model.len() as u32 {
                        prop_assert_eq!(edited.bounds(row), before.bounds(row));
                    }
                }
                4 => {
                    let by: Vec<f32> = model
                        .iter()
                        .map(|_| rng.int(-4, 4) as f32 * 0.25 * pow2(crowd.unit))
                        .collect();
                    let before: Vec<_> =
                        (0..model.len() as u32).map(|row| edited.pose(row)).collect();
                    edited.translate(&by, &by).unwrap();
                    for (row, solid) in model.iter_mut().enumerate() {
                        let Some(solid) = solid else { continue };
                        *solid = translated(solid, &edited, row as u32, before[row], by[row]);
                    }
                }
                5 => {
                    let mut order: Vec<u32> =
                        (0..model.len() as u32).filter(|&r| model[r as usize].is_some()).collect();
                    rng.shuffle(&mut order);
                    edited.reorder(&order).unwrap();
                    model = order.iter().map(|&r| model[r as usize].clone()).collect();
                }
                6 => {
                    let more = store(&spare);
                    edited.extend_from_columns(more.columns()).unwrap();
                    model.extend(spare.iter().cloned().map(Some));
                }
                7 if row < model.len() => {
                    let there = model[row].take().is_some();
                    prop_assert_eq!(edited.remove(row as u32).is_ok(), there);
                }
                8 if step == 5 => {
                    edited.clear();
                    model.clear();
                }
                _ => {
                    some.push(&mut edited);
                    model.push(Some(some.clone()));
                }
            }
            let mut fresh = Shapes::new();
            for solid in &model {
                match solid {
                    Some(solid) => {
                        solid.push(&mut fresh);
                    }
                    None => {
                        let bad = Circle::new([0.0, 0.0], f32::NAN);
                        fresh.extend_from_slice_lenient(&[bad]).unwrap();
                    }
                }
            }
            let note = format!("{crowd:?}, then {other:?}, seed {seed}, step {step}: {what}");
            for row in 0..model.len() as u32 {
                prop_assert_eq!(edited.bounds(row), fresh.bounds(row), "{}, row {}", &note, row);
            }
            let touching = Touching::Inclusive;
            prop_assert!(pairs_of(&edited, touching) == pairs_of(&fresh, touching), "{}", note);
            let found = contacts_of(&edited, margin, touching);
            assert_contacts(&found, &contacts_of(&fresh, margin, touching), &note);
        }
    }
}

/// Gives a shape that was at `before` a new pose. An axis-aligned shape takes the position only,
/// and stays as it came if it is there already.
fn place(solid: &mut PosedShape, before: Option<Pose>, pose: Pose) {
    let stays = before.is_some_and(|before| before.position() == pose.position());
    let class = PlacedShape::new(&solid.shape, None).map(|body| body.class);
    let keeps = match class {
        Some(Class::Round | Class::AlignedBox) => stays,
        Some(Class::Line) => before == Some(pose),
        _ => false,
    };
    if !keeps {
        solid.pose = Some(pose);
    }
}

/// The shape after a store has moved it, beside the store's own answer.
fn translated(
    solid: &PosedShape,
    store: &Shapes,
    row: u32,
    before: Option<Pose>,
    by: f32,
) -> PosedShape {
    let kind = store.kind(row).unwrap();
    if matches!(kind, Kind::Point | Kind::Circle | Kind::Aabb | Kind::RoundedBox) {
        let moved = store.bounds(row).unwrap();
        let shape: OwnedShape = match kind {
            Kind::Point | Kind::Circle => {
                Circle { x: moved.min_x, y: moved.min_y, radius: moved.radius }.into()
            }
            _ => moved.into(),
        };
        return PosedShape { shape, pose: None };
    }
    let (before, after) = (before.unwrap(), store.pose(row).unwrap());
    assert_eq!([after.x, after.y], [before.x + by, before.y + by]);
    if after == before {
        return solid.clone();
    }
    PosedShape { pose: Some(pose_for(&solid.shape, after)), ..solid.clone() }
}

/// 10,000 poses later, a shape is as it was: every pose is applied to the shape in its own frame.
#[test]
fn sizes_never_drift() {
    let mut maker = Maker::new(5, Numbers::Smooth, 1.0);
    let solids: Vec<PosedShape> =
        Make::ALL.iter().map(|&make| maker.solid(make, [0.0, 0.0])).collect();
    let mut turned = store(&solids);
    for _ in 0..10_000 {
        let poses: Vec<Pose> = solids
            .iter()
            .map(|solid| {
                let place = [maker.rng.range(-1e6, 1e6), maker.rng.range(-9.0, 9.0)];
                pose_for(&solid.shape, Pose::new(place, maker.turn()))
            })
            .collect();
        turned.set_poses(&poses).unwrap();
    }
    let poses: Vec<Pose> = solids.iter().map(|solid| solid.pose.unwrap_or_default()).collect();
    turned.set_poses(&poses).unwrap();
    let solids: Vec<PosedShape> = solids
        .into_iter()
        .zip(poses)
        .map(|(solid, pose)| PosedShape::at(solid.shape, pose))
        .collect();
    let fresh = store(&solids);
    for row in 0..solids.len() as u32 {
        assert_eq!(turned.bounds(row), fresh.bounds(row));
    }
    let contacts = contacts_of(&fresh, 0.5, Touching::Inclusive);
    assert!(contacts.len() > 30);
    assert_contacts(&contacts_of(&turned, 0.5, Touching::Inclusive), &contacts, "turned");
}

/// Rows that change their polygons and compounds again and again do not grow the store.
#[test]
fn replaced_shapes_leave_no_memory_behind() {
    let mut maker = Maker::new(6, Numbers::Smooth, 1.0);
    let polygons: Vec<ConvexPolygon> = (0..50).map(|i| maker.polygon(3 + i)).collect();
    let compounds: Vec<Compound> = polygons
        .windows(3)
        .map(|three| Compound::new(three.iter().cloned().map(Part::from)).unwrap())
        .collect();
    let mut shapes = Shapes::new();
    for _ in 0..10 {
        shapes.push(&polygons[49]).unwrap();
        shapes.push(&compounds[40]).unwrap();
    }
    let mut most = 0;
    for step in 0..100_000_u32 {
        let row = step % 20;
        let any = step as usize * 7;
        match step % 3 {
            0 => shapes.set(row, &polygons[any % 50]).unwrap(),
            1 => shapes.set(row, &compounds[any % 48]).unwrap(),
            _ if step % 2 == 0 => shapes.set(row, Circle::new([0.0, 0.0], 1.0)).unwrap(),
            _ => {
                let there = shapes.kind(row).is_some();
                assert_eq!(shapes.remove(row).is_ok(), there);
            }
        }
        most = most.max(shapes.bytes());
    }
    // 20 rows hold at most 840 blocks and parts. There are as many unused blocks, and 2,048 more,
    // and each list may have twice the capacity that it needs. Without compaction, it would be 200
    // megabytes.
    assert!(most < 1 << 20, "{most} bytes");

    // Nor do removed shapes: the 13 blocks of each of them would be another 16 megabytes.
    let mut shapes = Shapes::new();
    for _ in 0..10_000 {
        let row = shapes.push(&polygons[49]).unwrap();
        shapes.remove(row).unwrap();
    }
    assert!(shapes.bytes() < 6 << 20, "{} bytes", shapes.bytes());
}

/// A shape that rests on a floor and trembles keeps its features, on a slope, too: the upper side
/// of the floor, and both ends of the side that it lies on.
#[test]
fn features_at_rest() {
    // The side that they lie on is the first, from vertex 0 to vertex 1; and how far below the
    // origin it is.
    let pentagon = [[-1.0, -0.5], [1.0, -0.5], [1.5, 0.25], [0.0, 1.0], [-1.5, 0.25]];
    let pentagon = ConvexPolygon::new(&pentagon).unwrap();
    let corner = |number: u8| Rotation::from_angle((f32::from(number) - 3.5) * PI / 6.0);
    let twelve: Vec<[f32; 2]> = (0..12).map(|n| [corner(n).cos, corner(n).sin]).collect();
    let bodies: [(Part, f32); 5] = [
        (Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::IDENTITY).into(), 1.0),
        (Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5).into(), 0.5),
        (pentagon.clone().into(), 0.5),
        (pentagon.with_radius(0.25).unwrap().into(), 0.75),
        (ConvexPolygon::new(&twelve).unwrap().into(), (PI / 12.0).cos()),
    ];
    let mut maker = Maker::new(7, Numbers::Smooth, 1.0);
    for (lean, (body, below)) in
        [0.0_f32, 0.3, 1.0, -0.7].into_iter().flat_map(|lean| bodies.iter().map(move |b| (lean, b)))
    {
        let turn = Rotation::from_angle(lean);
        let [nx, ny] = turn.apply([0.0, 1.0]);
        let floor = Obb::new([0.0, 0.0], [5.0, 1.0], turn);
        for step in 0..2000 {
            let mut tremble = |most: f32| maker.rng.range(-most, most);
            // The body penetrates by 0.01. It moves up, down and sideways by a little of that, and
            // rotates by less than the tolerance that prefers the first shape's side.
            let up = 0.99 + below + tremble(1e-3);
            let aside = 1.0 + tremble(1e-3);
            let by = tremble(1e-6);
            let at = [nx * up + ny * aside, ny * up - nx * aside];
            let pose = Pose::new(at, Rotation::from_angle(lean + by));
            let mut shapes = Shapes::new();
            let floor_first = step % 2 == 0;
            if floor_first {
                shapes.push(floor).unwrap();
            }
            shapes.push_at(body, pose).unwrap();
            if !floor_first {
                shapes.push(floor).unwrap();
            }
            let what = format!("{body:?}, {lean}, step {step}");
            let contacts = contacts_of(&shapes, 0.0, Touching::Inclusive);
            assert_eq!(contacts.len(), 1, "{what}");
            let contact = if floor_first { contacts[0] } else { contacts[0].mirrored() };
            let feature = |feature: Feature| (feature.is_side(), feature.index());
            let mut features: Vec<_> = contact
                .points()
                .iter()
                .map(|point| [point.feature_a, point.feature_b].map(feature))
                .collect();
            features.sort_unstable();
            let expected = [[(true, 2), (false, 0)], [(true, 2), (false, 1)]];
            assert_eq!(features, expected, "{what}");
        }
    }
}
