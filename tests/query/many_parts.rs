//! Compounds of many parts, which have trees, beside pieces of them of at most sixteen parts, which
//! have no trees that are kept: every call answers the same. Compounds of few parts beside their
//! parts.

use widephase::{
    Contact, Index, Narrowphase, Pair, Queries, Ray, Shapes, Touching,
    narrowphase::{closest_points, contains, distance, overlap_area, time_of_impact, touches},
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Part, Point, Pose, Posed,
        Rotation, Segment,
    },
};

use common::rng::Rng;

/// The parts of a piece.
const PIECE: usize = 16;

/// Parts in a square from -100 to 100: of all kinds, or tiles of a lattice.
fn parts(rng: &mut Rng, count: usize, tiles: bool, scale: f32) -> Vec<Part> {
    let side = (count as f32).sqrt().ceil();
    let step = 200.0 / side;
    let part = |number: usize, rng: &mut Rng| -> Part {
        let at = |column: f32| (column * step - 100.0).round() * scale;
        if tiles {
            let (x, y) = (number % side as usize, number / side as usize);
            let [x, y] = [x as f32, y as f32];
            return Aabb::new([at(x), at(y)], [at(x + 1.0), at(y + 1.0)]).into();
        }
        let size = step * scale;
        let center = [0, 1].map(|_| rng.range(-100.0, 100.0) * scale);
        let near = |rng: &mut Rng| center.map(|at| at + rng.range(-size, size));
        match number % 7 {
            0 => Circle::new(center, rng.range(0.0, size)).into(),
            1 => Point::new(center).into(),
            2 => Segment::new(center, near(rng)).into(),
            3 => Capsule::new(center, near(rng), rng.range(0.0, size)).into(),
            4 => {
                let half = [rng.range(0.0, size), rng.range(0.0, size)];
                Obb::new(center, half, Rotation::from_angle(rng.range(0.0, 6.0))).into()
            }
            5 => {
                let [x, y] = center;
                Aabb::new([x - size * 0.5, y - size], [x + size, y + size * 0.2]).into()
            }
            _ => {
                let corners = [[1.0, 0.0], [0.3, 0.9], [-0.8, 0.5], [-0.8, -0.5], [0.3, -0.9]];
                let corners = corners.map(|[x, y]| [center[0] + x * size, center[1] + y * size]);
                ConvexPolygon::new(&corners).map_or(Circle::new(center, size).into(), Part::from)
            }
        }
    };
    let mut parts: Vec<Part> = (0..count).map(|number| part(number, rng)).collect();
    rng.shuffle(&mut parts);
    parts
}

/// A compound at a pose: whole, and in pieces.
struct Whole {
    whole: Compound,
    pieces: Vec<Compound>,
    pose: Option<Pose>,
    scale: f32,
}

impl Whole {
    fn new(rng: &mut Rng, count: usize, case: usize) -> Self {
        let scale = [1.0, 1.0, 2_f32.powi(-30), 2_f32.powi(40)][case % 4];
        let parts = parts(rng, count, case.is_multiple_of(2), scale);
        let far = [0.0, 50.0, 1.0e5][rng.below(3) as usize] * scale;
        let rotation = match rng.below(3) {
            0 => Rotation::quarter_turns(rng.below(4) as i32),
            _ => Rotation::from_angle(rng.range(0.0, 6.0)),
        };
        let pose = Pose::new([rng.range(-far, far), rng.range(-far, far)], rotation);
        let pieces = parts.chunks(PIECE).map(|parts| Compound::new(parts.to_vec()).unwrap());
        Self {
            pieces: pieces.collect(),
            whole: Compound::new(parts).unwrap(),
            pose: (!case.is_multiple_of(3)).then_some(pose),
            scale,
        }
    }

    fn posed<'a>(&self, compound: &'a Compound) -> Posed<'a> {
        Posed { pose: self.pose, ..compound.into() }
    }

    fn stores(&self) -> [Shapes; 2] {
        let (mut whole, mut pieces) = (Shapes::new(), Shapes::new());
        let push = |store: &mut Shapes, compound: &Compound| {
            match self.pose {
                None => store.push(compound),
                Some(pose) => store.push_at(compound, pose),
            }
            .unwrap();
        };
        push(&mut whole, &self.whole);
        for piece in &self.pieces {
            push(&mut pieces, piece);
        }
        [whole, pieces]
    }

    /// A place about the compound: where a corner of the lattice is, or anywhere.
    fn place(&self, rng: &mut Rng) -> [f32; 2] {
        let own = [0, 1].map(|_| match rng.below(2) {
            0 => rng.int(-20, 20) as f32 * 10.0 * self.scale,
            _ => rng.range(-130.0, 130.0) * self.scale,
        });
        let Pose { x, y, cos, sin } = self.pose.unwrap_or_default();
        [x + cos * own[0] - sin * own[1], y + sin * own[0] + cos * own[1]]
    }

    fn body(&self, rng: &mut Rng, number: usize) -> OwnedShape {
        let (at, scale) = (self.place(rng), self.scale);
        let mut size = || rng.range(0.0, 12.0) * scale;
        let [one, other] = [size(), size()];
        let to = [at[0] + one, at[1] - other];
        match number % 8 {
            0 => Circle::new(at, one).into(),
            1 => Point::new(at).into(),
            2 => Segment::new(at, to).into(),
            3 => Capsule::new(at, to, one).into(),
            4 => Aabb::new([at[0], to[1]], [to[0], at[1]]).into(),
            5 => Obb::new(at, [one, other], Rotation::from_angle(one)).into(),
            6 => {
                let parts = (0..5).map(|part| {
                    let along = part as f32 * 0.4 * one;
                    Circle::new([at[0] + along, at[1]], other * 0.3)
                });
                Compound::new(parts).unwrap().into()
            }
            _ => {
                let parts = (0..40).map(|part| {
                    let [x, y] = [(part % 7) as f32, (part / 7) as f32].map(|at| at * one * 0.2);
                    let half = [one * 0.08, other * 0.1];
                    Obb::new([at[0] + x, at[1] + y], half, Rotation::from_angle(part as f32))
                });
                Compound::new(parts).unwrap().into()
            }
        }
    }
}

fn built(shapes: &Shapes) -> Index {
    Index::build(shapes).unwrap()
}

/// The contacts of each body with one compound, or with its pieces: the part instead of the piece.
fn contacts(bodies: &Shapes, others: &Shapes, margin: f32) -> Vec<Contact> {
    let pairs: Vec<Pair> = (0..bodies.len() as u32)
        .flat_map(|a| (0..others.len() as u32).map(move |b| Pair { a, b }))
        .collect();
    let (mut narrowphase, mut contacts) = (Narrowphase::new(), Vec::new());
    narrowphase.contacts_between(bodies, others, &pairs, margin, &mut contacts).unwrap();
    for contact in &mut contacts {
        contact.part_b += contact.pair.b * PIECE as u32;
        contact.pair.b = 0;
    }
    contacts.sort_by_key(|contact| (contact.pair.a, contact.part_a, contact.part_b));
    contacts
}

fn check(rng: &mut Rng, count: usize, case: usize, bodies: usize) -> [usize; 3] {
    let made = Whole::new(rng, count, case);
    let [whole, pieces] = made.stores();
    let [index, in_pieces] = [built(&whole), built(&pieces)];
    let what = format!("{count} parts, case {case}");
    let mut found = [0; 3];

    let rays: Vec<Ray> = (0..60)
        .map(|number| {
            let (from, to) = (made.place(rng), made.place(rng));
            let way = match number % 4 {
                0 => [0.0, 300.0 * made.scale],
                1 => [-300.0 * made.scale, 0.0],
                _ => [to[0] - from[0], to[1] - from[1]],
            };
            Ray::new(from, way)
        })
        .collect();
    let (mut hits, mut others) = (Vec::new(), Vec::new());
    index.cast_ray_batch(&rays, &mut hits).unwrap();
    in_pieces.cast_ray_batch(&rays, &mut others).unwrap();
    for (ray, (hit, other)) in rays.iter().zip(hits.iter().zip(&others)) {
        let fraction = |hit: &Option<widephase::Hit>| hit.map(|hit| hit.fraction);
        assert_eq!(fraction(hit), fraction(other), "{what} {ray:?}");
        assert_eq!(index.hits_any(*ray).unwrap(), other.is_some(), "{what} {ray:?}");
        if let (Some(hit), Some(other)) = (hit, other)
            && hit.part == other.row * PIECE as u32 + other.part
        {
            assert_eq!([hit.x, hit.y], [other.x, other.y], "{what} {ray:?}");
            assert_eq!(hit.normal(), other.normal(), "{what} {ray:?}");
            found[0] += 1;
        }
    }

    let mut asked = Shapes::new();
    let own: Vec<OwnedShape> = (0..bodies).map(|number| made.body(rng, number)).collect();
    for body in &own {
        asked.push(body).unwrap();
    }
    for margin in [0.0, 3.0 * made.scale] {
        let own = contacts(&asked, &whole, margin);
        assert_eq!(own, contacts(&asked, &pieces, margin), "{what} margin {margin}");
        found[1] += own.len();
    }
    let (mut near, mut others) = (Vec::new(), Vec::new());
    index.nearest_batch(&asked, f32::INFINITY, &mut near).unwrap();
    in_pieces.nearest_batch(&asked, f32::INFINITY, &mut others).unwrap();
    let distances = |near: &[Option<widephase::Neighbor>]| -> Vec<f32> {
        near.iter().map(|near| near.unwrap().distance).collect()
    };
    assert_eq!(distances(&near), distances(&others), "{what}");
    found[2] += distances(&near).iter().filter(|distance| **distance > 0.0).count();
    for (number, body) in own.iter().enumerate() {
        check_two(rng, &made, body, [&index, &in_pieces], &format!("{what}, body {number}"));
    }
    found
}

/// Calls for two shapes, and casts.
fn check_two(rng: &mut Rng, made: &Whole, body: &OwnedShape, indexes: [&Index; 2], what: &str) {
    let whole = made.posed(&made.whole);
    let pieces = || made.pieces.iter().map(|piece| made.posed(piece));
    for touching in [Touching::Inclusive, Touching::Exclusive] {
        let any = pieces().any(|piece| touches(body, piece, touching).unwrap());
        assert_eq!(touches(body, whole, touching).unwrap(), any, "{what}");
        assert_eq!(touches(whole, body, touching).unwrap(), any, "{what}");
        let place = made.place(rng);
        let any = pieces().any(|piece| contains(piece, place, touching).unwrap());
        assert_eq!(contains(whole, place, touching).unwrap(), any, "{what}");
    }
    let least = pieces().map(|piece| distance(body, piece).unwrap()).fold(f32::MAX, f32::min);
    assert_eq!(distance(body, whole).unwrap(), least, "{what}");
    let closest = pieces().map(|piece| closest_points(piece, body).unwrap());
    let closest: Option<Vec<_>> = closest.collect();
    let least = closest.map(|all| {
        let nearer = |a: (u32, _), b: (u32, widephase::narrowphase::ClosestPoints)| {
            let (_, a_points): &(u32, widephase::narrowphase::ClosestPoints) = &a;
            if b.1.distance < a_points.distance { b } else { a }
        };
        (0..).zip(all).reduce(nearer).unwrap()
    });
    let found = closest_points(whole, body).unwrap();
    assert_eq!(found.map(|found| found.distance), least.map(|(_, least)| least.distance), "{what}");
    let areas = pieces().map(|piece| f64::from(overlap_area(body, piece).unwrap())).sum::<f64>();
    let area = f64::from(overlap_area(body, whole).unwrap());
    assert!((area - areas).abs() <= areas * 1e-5, "{what}: {area} {areas}");

    let way = [0, 1].map(|_| rng.range(-40.0, 40.0) * made.scale);
    let first = pieces().filter_map(|piece| {
        time_of_impact(body, way, piece, [0.0; 2], 1.0).unwrap().map(|hit| hit.fraction)
    });
    let first = first.reduce(f32::min);
    let hit = time_of_impact(body, way, whole, [0.0; 2], 1.0).unwrap();
    assert_eq!(hit.map(|hit| hit.fraction), first, "{what} {way:?}");
    for index in indexes {
        let hit = index.cast_shape(body, way, 1.0).unwrap();
        assert_eq!(hit.map(|hit| hit.fraction), first, "{what} {way:?}");
    }
}

#[test]
fn answers_are_those_of_the_pieces() {
    let (mut rng, mut found) = (Rng::new(70), [0; 3]);
    for case in 0..12 {
        for count in [1, 16, 17, 18, 33, 100, 256, 257, 300] {
            let more = check(&mut rng, count, case, 8);
            found = [0, 1, 2].map(|at| found[at] + more[at]);
        }
    }
    for (case, count) in [1000, 4097, 10_000].into_iter().enumerate() {
        check(&mut rng, count, case, 8);
    }
    assert!(found.into_iter().all(|found| found > 300), "{found:?}");
}

#[test]
fn trees_follow_poses_and_copies() {
    let mut rng = Rng::new(71);
    let made = Whole::new(&mut rng, 300, 1);
    let [mut whole, mut pieces] = made.stores();
    // Rows before it move its parts when the store is compacted, and a short one follows it.
    for round in 0..40 {
        let pose = Pose::new(
            [rng.range(-90.0, 90.0), rng.range(-90.0, 90.0)],
            Rotation::from_angle(rng.range(0.0, 6.0)),
        );
        whole.set_pose(0, pose).unwrap();
        for row in 0..pieces.len() as u32 {
            pieces.set_pose(row, pose).unwrap();
        }
        let moved = Whole { pose: Some(pose), pieces: Vec::new(), ..Whole::new(&mut rng, 1, 0) };
        let mut bodies = Shapes::new();
        for number in 0..8 {
            bodies.push(moved.body(&mut rng, number)).unwrap();
        }
        assert_eq!(contacts(&bodies, &whole, 1.0), contacts(&bodies, &pieces, 1.0), "{round}");
        if round % 4 == 3 {
            whole.set(0, &made.whole).unwrap();
        }
        let copy = whole.clone();
        if round % 8 == 7 {
            whole.clear();
            whole.push_at(copy.get(0).unwrap(), copy.pose(0).unwrap()).unwrap();
        }
    }
}

/// Compounds of two to sixteen parts beside compounds of one part. From five parts on, boxes choose
/// the parts that are compared.
#[test]
fn few_parts_are_as_each_part_alone() {
    let (mut rng, mut apart) = (Rng::new(16), 0);
    for case in 0..1_000 {
        let scale = [1.0, 2_f32.powi(-30), 2_f32.powi(40)][case % 3];
        let mut all = parts(&mut rng, 200, case.is_multiple_of(5), scale);
        let [own, others] = [(); 2].map(|()| all.split_off(all.len() - 2 - rng.below(15) as usize));
        let alone = |parts: &[Part]| -> Vec<Compound> {
            parts.iter().map(|part| Compound::new(vec![part.clone()]).unwrap()).collect()
        };
        let (singles, other_singles) = (alone(&own), alone(&others));
        let [a, b] = [own, others].map(|parts| Compound::new(parts).unwrap());
        let (mut nearest, mut area) = ((f32::INFINITY, None), 0.0);
        for (part_a, one) in (0..).zip(&singles) {
            for (part_b, other) in (0..).zip(&other_singles) {
                let away = distance(one, other).unwrap();
                if away < nearest.0 {
                    let closest = closest_points(one, other).unwrap();
                    nearest = (away, closest.map(|closest| (closest.point_a, part_a, part_b)));
                }
                area += f64::from(overlap_area(one, other).unwrap());
            }
        }
        assert_eq!(distance(&a, &b).unwrap(), nearest.0, "{case}");
        let closest = closest_points(&a, &b).unwrap();
        if nearest.0 > 0.0 {
            let closest = closest.map(|closest| (closest.point_a, closest.part_a, closest.part_b));
            assert_eq!(closest, nearest.1, "{case}");
            apart += 1;
        } else {
            assert_eq!(closest, None, "{case}");
        }
        let found = f64::from(overlap_area(&a, &b).unwrap());
        assert!((found - area).abs() <= area * 1e-5, "{case}: {found} {area}");
        let point = [0, 1].map(|_| rng.range(-100.0, 100.0) * scale);
        let holds = |shape: &Compound| contains(shape, point, Touching::Inclusive).unwrap();
        assert_eq!(holds(&a), singles.iter().any(holds), "{case}");
    }
    assert!(apart > 100, "{apart}");
}
