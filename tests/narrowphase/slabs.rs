//! Slanted half-planes and long walls, and shapes beside them: the search that looks at stripes
//! loses no pair and no contact, however near a shape is to a border.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use std::f32::consts::TAU;

use common::{POLICIES, Rng, assert_contacts, levels, pow2, rng::cases};
use widephase::{
    Contact, Detector, Index, Narrowphase, NarrowphaseOptions, Options, Pair, Shapes,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, HalfPlane, Obb, Pose, Rotation, Segment},
};

fn unit(angle: f32) -> [f32; 2] {
    [angle.cos(), angle.sin()]
}

/// A large shape: its point on a border, the way out there, and the way along the border.
fn wall(rng: &mut Rng, shapes: &mut Shapes, size: f32, far: f32) -> [[f32; 2]; 3] {
    let at = [rng.range(-far, far), rng.range(-far, far)];
    let turn = rng.range(0.0, TAU);
    let (along, out) = (unit(turn), unit(turn + TAU / 4.0));
    let on = |x: f32, y: f32| [0, 1].map(|axis| at[axis] + x * along[axis] + y * out[axis]);
    let (length, thin) = (size * rng.range(20.0, 200.0), size * rng.range(0.0, 4.0));
    match rng.below(5) {
        0 | 1 => {
            shapes.push(HalfPlane::through(at, out)).unwrap();
        }
        2 => {
            let ends = [on(-length, -thin), on(length, -thin)];
            if rng.below(3) == 0 {
                shapes.push(Segment::new(on(-length, 0.0), on(length, 0.0))).unwrap();
            } else {
                shapes.push(Capsule::new(ends[0], ends[1], thin)).unwrap();
            }
        }
        3 => {
            let half = [length, 0.5 * thin];
            shapes.push(Obb::new(on(0.0, -0.5 * thin), half, Rotation::from_angle(turn))).unwrap();
        }
        _ => {
            let own = [[-length, 0.0], [length, 0.0], [0.0, -thin - size]];
            let polygon = ConvexPolygon::new(&own).unwrap();
            shapes.push_at(&polygon, Pose::new(at, Rotation::from_angle(turn))).unwrap();
        }
    }
    [at, out, along]
}

/// A small shape whose border is near the border of a wall, for both stores.
fn mover(rng: &mut Rng, stores: [&mut Shapes; 2], size: f32, [at, out, along]: [[f32; 2]; 3]) {
    let height = match rng.below(5) {
        0 => 0.0,
        1 => size * pow2(-(rng.below(26) as i32)),
        2 => -size * pow2(-(rng.below(26) as i32)),
        3 => size * (0.25 + rng.range(-1.0, 1.0) * pow2(-(rng.below(26) as i32))),
        _ => size * rng.range(-3.0, 3.0),
    };
    let aside = size * rng.range(-30.0, 30.0);
    let radius = size * rng.range(0.2, 1.0);
    let place =
        |height: f32| [0, 1].map(|axis| at[axis] + aside * along[axis] + height * out[axis]);
    let center = place(radius + height);
    let turn = Rotation::from_angle(rng.range(0.0, TAU));
    let half = [radius * 0.7, radius * 0.7];
    let kind = rng.below(5);
    for shapes in stores {
        match kind {
            0 | 1 => shapes.push(Circle::new(center, radius)),
            2 => shapes.push(Aabb::centered(center, half)),
            3 => shapes.push(Obb::new(center, half, turn)),
            _ => shapes.push(Capsule::new(center, place(radius + height + size), radius)),
        }
        .unwrap();
    }
}

/// The results of the narrowphase among all these pairs.
fn expected(
    sets: [&Shapes; 2],
    within: bool,
    options: &Options,
    margin: f32,
) -> (Vec<Pair>, Vec<Contact>) {
    let mut all = Vec::new();
    for a in 0..sets[0].len() as u32 {
        let from = if within { a + 1 } else { 0 };
        all.extend((from..sets[1].len() as u32).map(|b| Pair { a, b }));
    }
    let mut narrowphase = Narrowphase::with_options(NarrowphaseOptions {
        touching: options.touching,
        simd_level: options.simd_level,
        ..NarrowphaseOptions::default()
    })
    .unwrap();
    let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
    if within {
        narrowphase.pairs(sets[0], &all, &mut pairs).unwrap();
        narrowphase.contacts(sets[0], &all, margin, &mut contacts).unwrap();
    } else {
        let [a, b] = sets;
        narrowphase.pairs_between(a, b, &all, &mut pairs).unwrap();
        narrowphase.contacts_between(a, b, &all, margin, &mut contacts).unwrap();
    }
    (pairs, contacts)
}

fn sorted(mut pairs: Vec<Pair>, mut contacts: Vec<Contact>) -> (Vec<Pair>, Vec<Contact>) {
    pairs.sort();
    contacts.sort_by_key(|contact| contact.pair);
    (pairs, contacts)
}

#[test]
fn no_pair_beside_a_wall_is_lost() {
    let mut found_contacts = 0;
    for seed in 0..cases(300) as u64 {
        let mut rng = Rng::new(seed);
        let size = if rng.below(4) == 0 { pow2(rng.int(-40, 40) as i32) } else { 1.0 };
        let far = size * if rng.below(3) == 0 { pow2(rng.below(18) as i32) } else { 20.0 };
        let (mut walls, mut movers) = (Shapes::new(), Shapes::new());
        let borders: Vec<_> =
            (0..1 + rng.below(4)).map(|_| wall(&mut rng, &mut walls, size, far)).collect();
        // The same shapes in one store: the walls come first.
        let mut both = walls.clone();
        for _ in 0..120 {
            let border = borders[rng.below(borders.len() as u64) as usize];
            mover(&mut rng, [&mut movers, &mut both], size, border);
        }
        let index = Index::build(&walls).unwrap();
        let margin = [0.0, 0.25 * size][rng.below(2) as usize];
        for (touching, &level) in POLICIES
            .into_iter()
            .flat_map(|policy| levels().iter().map(move |level| (policy, level)))
        {
            let what = format!("seed {seed}, {touching:?}, margin {margin}, {level}");
            let options = Options { touching, simd_level: Some(level), ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
            detector.pairs(&both, &mut pairs).unwrap();
            detector.contacts(&both, margin, &mut contacts).unwrap();
            let (pairs, contacts) = sorted(pairs, contacts);
            let (true_pairs, true_contacts) = expected([&both, &both], true, &options, margin);
            assert!(pairs == true_pairs, "{what}");
            assert_contacts(&contacts, &true_contacts, &what);
            found_contacts += contacts.len();

            let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
            detector.pairs((&movers, &index), &mut pairs).unwrap();
            detector.contacts((&movers, &index), margin, &mut contacts).unwrap();
            let (pairs, contacts) = sorted(pairs, contacts);
            let (true_pairs, true_contacts) = expected([&movers, &walls], false, &options, margin);
            assert!(pairs == true_pairs, "{what}, against an index");
            assert_contacts(&contacts, &true_contacts, &format!("{what}, against an index"));
        }
    }
    assert!(found_contacts > 100 * cases(300), "{found_contacts}");
}
