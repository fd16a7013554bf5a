//! Outlines as one area: contacts along the normals of the outline's own border, and verdicts of
//! the area, beside the rings themselves.

use common::crowd::PosedShape;
use std::collections::HashSet;

use widephase::{
    Body, Contact, Detector, Index, Narrowphase, Options, Pair, Queries, Shapes, Touching, World,
    glam::Vec2,
    narrowphase::{contact, contains, distance, touches},
    reference::whole::{self, Whole},
    shape::{
        Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, HalfPlane, Obb, OwnedShape, Part,
        Point, Pose, Rotation, RoundedBox, Segment,
    },
};

use crate::{contacts, posed, posed_at};
use common::{POLICIES, Rng, levels};

type Ring = Vec<[f32; 2]>;

/// An area: rings with the area on their left, in `f64`.
#[derive(Clone)]
struct Area {
    rings: Vec<Vec<[f64; 2]>>,
    compound: Compound,
}

fn twice_area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

impl Area {
    fn new(outline: &Ring, holes: &[Ring]) -> Self {
        let lent: Vec<&[[f32; 2]]> = holes.iter().map(Vec::as_slice).collect();
        let compound = Compound::from_outline(outline, &lent).unwrap();
        let rings = std::iter::once(outline).chain(holes).enumerate();
        let rings = rings.map(|(number, ring)| {
            let mut ring: Vec<[f64; 2]> = ring.iter().map(|at| at.map(f64::from)).collect();
            if (twice_area(&ring) > 0.0) != (number == 0) {
                ring.reverse();
            }
            ring
        });
        Self { rings: rings.collect(), compound }
    }

    /// The sides of the border, with the vertex before and after each.
    fn sides(&self) -> impl Iterator<Item = [[f64; 2]; 4]> + '_ {
        self.rings.iter().flat_map(|ring| {
            let len = ring.len();
            (0..len).map(move |k| [len + k - 1, k, k + 1, k + 2].map(|k| ring[k % len]))
        })
    }

    /// Whether a point is inside, without the border. None if it is within 1e-9 of the border.
    fn holds(&self, p: [f64; 2]) -> Option<bool> {
        let mut inside = false;
        for [_, a, b, _] in self.sides() {
            let (way, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
            let share = (way[0] * to[0] + way[1] * to[1]) / (way[0] * way[0] + way[1] * way[1]);
            let share = share.clamp(0.0, 1.0);
            let off = [to[0] - way[0] * share, to[1] - way[1] * share];
            if off[0].hypot(off[1]) < 1e-9 {
                return None;
            }
            if (a[1] > p[1]) != (b[1] > p[1]) {
                inside ^= a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > p[0];
            }
        }
        Some(inside)
    }

    /// Whether a segment has a point inside, without the border.
    fn meets(&self, [p, q]: [[f64; 2]; 2]) -> bool {
        let way = [q[0] - p[0], q[1] - p[1]];
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let length2 = way[0] * way[0] + way[1] * way[1];
        let mut shares = vec![0.0, 1.0];
        for [_, a, b, _] in self.sides() {
            let (side, to) = ([b[0] - a[0], b[1] - a[1]], [a[0] - p[0], a[1] - p[1]]);
            let turn = cross(way, side);
            if turn != 0.0 {
                shares.push(cross(to, side) / turn);
            } else if length2 > 0.0 {
                shares.push((to[0] * way[0] + to[1] * way[1]) / length2);
            }
        }
        shares.retain(|share| (0.0..=1.0).contains(share));
        shares.sort_by(f64::total_cmp);
        let at = |share: f64| [p[0] + way[0] * share, p[1] + way[1] * share];
        let middles = shares.windows(2).filter(|two| two[1] - two[0] > 1e-12);
        let middles = middles.map(|two| at((two[0] + two[1]) * 0.5));
        middles.chain([p, q]).any(|at| self.holds(at) == Some(true))
    }

    /// Whether the normal of a contact, from the outline to a shape of this size, is a normal of
    /// the border near the contact, and its depth is measured from there.
    fn owns(&self, contact: &Contact, pose: Pose, shape: &OwnedShape, size: f64) -> bool {
        let Rotation { cos, sin } = pose.rotation();
        let (cos, sin) = (f64::from(cos), f64::from(sin));
        let back = |[x, y]: [f64; 2]| [cos * x + sin * y, cos * y - sin * x];
        let normal = back(contact.normal().to_array().map(f64::from));
        let first = contact.points()[0];
        let at = [first.x - pose.x, first.y - pose.y].map(f64::from);
        let at = back(at);
        let depth = f64::from(first.depth);
        // On the surface of the outline.
        let at = [0, 1].map(|axis| at[axis] + normal[axis] * depth * 0.5);
        let reach = size + depth.abs() + 1e-3;
        let [x, y] = middle(shape, contact.part_b as usize);
        let deep = self.holds(back([f64::from(x - pose.x), f64::from(y - pose.y)])) == Some(true);
        self.sides().any(|[_, a, b, after]| {
            let unit = |a: [f64; 2], b: [f64; 2]| {
                let way = [b[0] - a[0], b[1] - a[1]];
                way.map(|part| part / way[0].hypot(way[1]))
            };
            let (along, next) = (unit(a, b), unit(b, after));
            let out = [along[1], -along[0]];
            let to = [at[0] - a[0], at[1] - a[1]];
            let height = out[0] * to[0] + out[1] * to[1];
            let place = along[0] * to[0] + along[1] * to[1];
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            let same = (normal[0] - out[0]).hypot(normal[1] - out[1]) < 1e-4;
            // At a reflex vertex, the way out of the area is longer than to the line of a side.
            let there = height > -1e-3 && (height < 1e-3 || deep && height < reach);
            if same && there && (-reach..=length + reach).contains(&place) {
                return true;
            }
            let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
            let last = [next[1], -next[0]];
            cross(along, next) > 0.0
                && cross(out, normal) > -1e-4
                && cross(normal, last) > -1e-4
                && out[0] * normal[0]
                    + out[1] * normal[1]
                    + last[0] * normal[0]
                    + last[1] * normal[1]
                    > 0.0
                && (at[0] - b[0]).hypot(at[1] - b[1]) < 1e-3
        })
    }
}

fn issue() -> Area {
    let ring = [[0, 0], [1, 0], [2, 1], [3, 0], [4, 0], [4, 2], [2, 2], [0, 2]];
    Area::new(&ring.map(|at| at.map(|value| value as f32)).to_vec(), &[])
}

fn corner() -> Area {
    let ring = [[0, 0], [4, 0], [4, 1], [1, 1], [1, 4], [0, 4]];
    Area::new(&ring.map(|at| at.map(|value| value as f32)).to_vec(), &[])
}

/// Outlines on whole numbers: flat, convex and concave, with holes, and with sides of parts that
/// are on the border only in places.
fn areas() -> Vec<Area> {
    let whole = |ring: &[[i32; 2]]| ring.iter().map(|at| at.map(|value| value as f32)).collect();
    let ring = |ring: &[[i32; 2]]| Area::new(&whole(ring), &[]);
    let square = |half: i32| whole(&[[-half, -half], [half, -half], [half, half], [-half, half]]);
    vec![
        issue(),
        corner(),
        // A cross, a comb, a hill, a valley, an arrow, a frame, and a box with two holes.
        ring(&[
            [1, 0],
            [2, 0],
            [2, 1],
            [3, 1],
            [3, 2],
            [2, 2],
            [2, 3],
            [1, 3],
            [1, 2],
            [0, 2],
            [0, 1],
            [1, 1],
        ]),
        ring(&[
            [0, -1],
            [9, -1],
            [9, 3],
            [8, 3],
            [8, 0],
            [7, 0],
            [7, 3],
            [6, 3],
            [6, 0],
            [3, 0],
            [3, 3],
            [2, 3],
            [2, 0],
            [0, 0],
        ]),
        ring(&[[0, 0], [2, 1], [4, 0], [8, 0], [8, 2], [6, 4], [4, 5], [2, 4], [0, 2]]),
        ring(&[[0, -2], [8, -2], [8, 4], [6, 1], [4, 0], [2, 1], [0, 4]]),
        ring(&[[0, 0], [6, 3], [0, 6], [2, 3]]),
        Area::new(&square(3), &[square(1)]),
        Area::new(
            &whole(&[[0, 0], [10, 0], [10, 6], [0, 6]]),
            &[whole(&[[1, 1], [4, 1], [4, 4], [1, 4]]), whole(&[[6, 2], [8, 1], [9, 5], [7, 4]])],
        ),
    ]
}

/// A ring around the origin whose radius changes at random.
fn star(rng: &mut Rng, count: usize) -> Area {
    let corner = |k: usize| {
        let angle = k as f32 * std::f32::consts::TAU / count as f32;
        (Vec2::from_angle(angle) * rng.range(1.0, 5.0)).to_array()
    };
    Area::new(&(0..count).map(corner).collect(), &[])
}

/// A shape of each kind around a place, and how far it reaches.
fn body(rng: &mut Rng, kind: u64, at: [f32; 2]) -> (OwnedShape, f32) {
    let mut size = || rng.range(0.05, 0.8);
    let (width, height, radius) = (size(), size(), size() * 0.4);
    let turned = Rotation::from_angle(rng.range(-3.0, 3.0));
    let aabb = Aabb::centered(at, [width, height]);
    let end = [at[0] + width, at[1] - height];
    let reach = 2.0 * (width + height + radius);
    let shape: OwnedShape = match kind {
        0 => Circle::new(at, radius).into(),
        1 => aabb.into(),
        2 => RoundedBox::new(aabb, radius).into(),
        3 => Obb::new(at, [width, height], turned).into(),
        4 => Capsule::new(at, end, radius).into(),
        5 => {
            let count = 3 + rng.below(6) as usize;
            let corner = |k: usize| {
                let angle = k as f32 * std::f32::consts::TAU / count as f32;
                Vec2::from(at) + Vec2::from_angle(angle) * width
            };
            let corners: Vec<Vec2> = (0..count).map(corner).collect();
            ConvexPolygon::new(&corners).unwrap().with_radius(radius * 0.1).unwrap().into()
        }
        6 => Point::new(at).into(),
        7 => Segment::new(at, end).into(),
        _ => {
            let parts = [[0.2, 0.0], [-0.2, 0.1]];
            let parts = parts.map(|by| Circle::new([at[0] + by[0], at[1] + by[1]], radius));
            Compound::new(parts).unwrap().into()
        }
    };
    (shape, reach)
}

const KINDS: u64 = 9;

/// The middle of a body, or of this part of it.
fn middle(shape: &OwnedShape, part: usize) -> [f32; 2] {
    let mut shapes = Shapes::new();
    match shape {
        OwnedShape::Compound(compound) => shapes.push(compound.parts()[part].clone()),
        shape => shapes.push(shape),
    }
    .unwrap();
    let bounds = shapes.bounds(0).unwrap();
    [(bounds.min_x + bounds.max_x) * 0.5, (bounds.min_y + bounds.max_y) * 0.5]
}

fn store(shapes: &[(OwnedShape, Pose)]) -> Shapes {
    let mut store = Shapes::new();
    for (shape, pose) in shapes {
        if *pose == Pose::default() {
            store.push(shape).unwrap();
        } else {
            store.push_at(shape, *pose).unwrap();
        }
    }
    store
}

fn both(outline: &Area, pose: Pose, other: &OwnedShape) -> Shapes {
    store(&[(outline.compound.clone().into(), pose), (other.clone(), Pose::default())])
}

fn all(shapes: &Shapes, margin: f32, touching: Touching) -> Vec<Contact> {
    let options = Options { touching, ..Options::default() };
    let mut found = Vec::new();
    Detector::with_options(options).unwrap().contacts(shapes, margin, &mut found).unwrap();
    found
}

#[test]
fn contacts_with_a_flat_side_have_its_normal() {
    let area = issue();
    let bodies: [OwnedShape; 6] = [
        Aabb::new([1.984375, 1.9375], [3.0, 3.0]).into(),
        Circle::new([2.25, 2.9375], 1.0).into(),
        Circle::new([1.75, 2.9375], 1.0).into(),
        Obb::new([2.5, 2.4375], [0.53125, 0.5], Rotation::IDENTITY).into(),
        Capsule::new([1.99, 2.25], [3.0, 2.25], 0.3).into(),
        Segment::new([2.01, 1.97], [3.0, 2.5]).into(),
    ];
    for shape in bodies {
        let found = contacts(&both(&area, Pose::default(), &shape), 0.0);
        assert!(!found.is_empty(), "{shape:?}");
        for contact in &found {
            assert_eq!(contact.normal().to_array(), [0.0, 1.0], "{shape:?}: {found:?}");
        }
        let deepest = contact(&posed(area.compound.clone()), &posed(shape.clone()), 0.0).unwrap();
        assert_eq!(deepest.unwrap().normal().to_array(), [0.0, 1.0], "{shape:?}");
    }
    let depth = |shape: OwnedShape| contacts(&both(&area, Pose::default(), &shape), 0.0)[0].depth;
    assert_eq!(depth(Aabb::new([1.984375, 1.9375], [3.0, 3.0]).into()), 0.0625);
    assert_eq!(depth(Circle::new([2.25, 2.9375], 1.0).into()), 0.0625);
}

/// Bodies of each kind over outlines of each kind: all normals are the outline's own, each contact
/// moves out of its part, and touching shapes have a contact.
#[test]
fn all_normals_are_those_of_the_outline() {
    let mut rng = Rng::new(47);
    let mut areas = areas();
    for count in [5, 8, 13, 21] {
        areas.push(star(&mut rng, count));
    }
    let (mut seen, mut corrected) = ([0; KINDS as usize], [0; KINDS as usize]);
    for number in 0..30_000_u64 {
        let area = &areas[rng.below(areas.len() as u64) as usize];
        let pose = match number % 3 {
            0 => Pose::new(
                [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)],
                Rotation::from_angle(rng.range(-3.0, 3.0)),
            ),
            _ => Pose::default(),
        };
        // Around a vertex or a place on a side.
        let sides: Vec<_> = area.sides().collect();
        let [_, a, b, _] = sides[rng.below(sides.len() as u64) as usize];
        let share = f64::from(rng.range(0.0, 1.0));
        let place = [0, 1].map(|axis| (a[axis] + (b[axis] - a[axis]) * share) as f32);
        let [x, y] = pose.rotation().apply(place);
        let at = [pose.x + x + rng.range(-0.9, 0.9), pose.y + y + rng.range(-0.9, 0.9)];
        let kind = rng.below(KINDS);
        let (shape, size) = body(&mut rng, kind, at);
        let margin = if number % 5 == 0 { 0.2 } else { 0.0 };
        let found = all(&both(area, pose, &shape), margin, Touching::Inclusive);
        let (outline, other) = (posed_at(area.compound.clone(), pose), posed(shape.clone()));
        let touching = touches(&outline, &other, Touching::Inclusive).unwrap();
        assert!(!touching || !found.is_empty(), "{number}: {shape:?} has no contact");
        let mut plain = Compound::new(area.compound.parts().to_vec()).unwrap();
        let plain_area = Area { rings: area.rings.clone(), compound: plain.clone() };
        let alone = all(&both(&plain_area, pose, &shape), margin, Touching::Inclusive);
        plain = plain_area.compound;
        assert_eq!(plain.parts(), area.compound.parts());
        let ids = found.iter().flat_map(|contact| {
            let points = contact.points().iter();
            points.map(|point| (contact.part_a, contact.part_b, point.id()))
        });
        let (all_ids, ids): (usize, HashSet<_>) = (ids.clone().count(), ids.collect());
        assert_eq!(ids.len(), all_ids, "{number}: {found:?}");
        for contact in &found {
            assert!(
                area.owns(contact, pose, &shape, f64::from(size)),
                "{number}: {shape:?} at {pose:?}: {contact:?}, alone {alone:?}"
            );
            let touches_now = contact.depth >= 0.0;
            let by = contact.normal() * (contact.depth + if touches_now { 2e-4 } else { 0.0 });
            let body = match &shape {
                OwnedShape::Compound(compound) => {
                    let part = compound.parts()[contact.part_b as usize].clone();
                    Compound::new([part]).unwrap().into()
                }
                shape => shape.clone(),
            };
            let moved = moved(&body, by);
            let part = area.compound.parts()[contact.part_a as usize].clone();
            let part = posed_at(Compound::new([part]).unwrap(), pose);
            if touches_now {
                assert!(
                    !touches(&part, &moved, Touching::Exclusive).unwrap(),
                    "{number}: {shape:?} at {pose:?} is not out by {contact:?}"
                );
            }
        }
        seen[kind as usize] += usize::from(!found.is_empty());
        corrected[kind as usize] += usize::from(found != alone);
        // The mirror image.
        let one = contact(&outline, &other, margin).unwrap();
        let two = contact(&other, &outline, margin).unwrap();
        let pair = Pair { a: 0, b: 0 };
        assert_eq!(
            one.map(|contact| contact.mirrored().with_pair(pair)),
            two.map(|contact| contact.with_pair(pair)),
            "{number}"
        );
    }
    println!("{seen:?} {corrected:?}");
    assert!(seen.iter().all(|seen| *seen > 1_000), "{seen:?}");
    assert!(corrected.iter().all(|corrected| *corrected > 100), "{corrected:?}");
}

fn moved(shape: &OwnedShape, by: Vec2) -> PosedShape {
    let mut moved = posed(shape.clone());
    let pose = moved.pose();
    moved.pose = Some(Pose::new(pose.position() + by, pose.rotation()));
    moved
}

/// A shape on an inner side lies inside, in all calls.
#[test]
fn a_body_on_an_inner_side_is_inside() {
    let area = corner();
    let inside: [OwnedShape; 5] = [
        Point::new([0.25, 0.25]).into(),
        Segment::new([0.1, 0.1], [0.9, 0.9]).into(),
        Segment::new([-1.0, -1.0], [0.5, 0.5]).into(),
        Capsule::new([0.5, 0.5], [0.5, 0.5], 0.0).into(),
        Compound::new([Part::from(Point::new([9.0, 9.0])), Point::new([0.5, 0.5]).into()])
            .unwrap()
            .into(),
    ];
    let outside: [OwnedShape; 4] = [
        Point::new([1.0, 1.0]).into(),
        Point::new([0.0, 0.0]).into(),
        Segment::new([1.0, 1.0], [2.0, 2.0]).into(),
        Segment::new([-1.0, -1.0], [0.0, 0.0]).into(),
    ];
    let expected = [inside.as_slice(), outside.as_slice()];
    for (shapes, hit) in expected.into_iter().zip([true, false]) {
        for shape in shapes {
            assert_eq!(verdict(&area, shape, Touching::Exclusive), hit, "{shape:?}");
            assert!(verdict(&area, shape, Touching::Inclusive), "{shape:?}");
        }
    }
    let body = posed(area.compound.clone());
    for touching in POLICIES {
        assert!(contains(&body, [0.25, 0.25], touching).unwrap());
        assert_eq!(contains(&body, [1.0, 1.0], touching).unwrap(), touching == Touching::Inclusive);
    }
    // Flat across the seam of the other outline.
    let area = issue();
    let flat: OwnedShape = Aabb::new([2.0, 1.5], [2.0, 1.75]).into();
    assert!(verdict(&area, &flat, Touching::Exclusive));
    let found = all(&both(&area, Pose::default(), &flat), 0.0, Touching::Exclusive);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].normal().to_array(), found[0].depth), ([0.0, 1.0], 0.5));
}

/// The verdict on an outline and another shape, equal in all calls.
fn verdict(area: &Area, shape: &OwnedShape, touching: Touching) -> bool {
    let (outline, other) = (posed(area.compound.clone()), posed(shape.clone()));
    let expected = touches(&outline, &other, touching).unwrap();
    assert_eq!(touches(&other, &outline, touching).unwrap(), expected, "{shape:?}");
    let shapes = both(area, Pose::default(), shape);
    for level in levels() {
        let options = Options { touching, simd_level: Some(*level), ..Options::default() };
        let mut detector = Detector::with_options(options).unwrap();
        let mut found = Vec::new();
        detector.pairs(&shapes, &mut found).unwrap();
        assert_eq!(!found.is_empty(), expected, "{level}: {shape:?}");
        let mut index = Index::with_options(options.into()).unwrap();
        index.rebuild(&shapes).unwrap();
        let mut against = Vec::new();
        detector.pairs((&shapes, &index), &mut against).unwrap();
        let crossed = against.iter().filter(|pair| pair.a != pair.b).count();
        assert_eq!(crossed, 2 * usize::from(expected), "{level}: {shape:?}");
        let mut rows = Vec::new();
        index.overlapping(shape, &mut rows).unwrap();
        assert_eq!(rows.contains(&0), expected, "{level}: {shape:?}");
        let mut narrowphase = Narrowphase::with_options(options.into()).unwrap();
        let mut kept = Vec::new();
        let pairs = [Pair { a: 0, b: 1 }, Pair { a: 1, b: 0 }, Pair { a: 1, b: 0 }];
        narrowphase.pairs(&shapes, &pairs, &mut kept).unwrap();
        assert_eq!(kept.len(), 3 * usize::from(expected), "{level}: {shape:?}");
        let mut contacts = Vec::new();
        narrowphase.contacts(&shapes, &pairs, 0.0, &mut contacts).unwrap();
        assert_eq!(contacts.is_empty(), !expected, "{level}: {shape:?} {contacts:?}");
    }
    expected
}

/// Points and segments on whole and half numbers, many of them on inner sides: the verdicts are the
/// verdicts of the rings.
#[test]
fn verdicts_of_the_area() {
    let mut rng = Rng::new(11);
    let areas = areas();
    let (mut inside, mut seams) = (0, 0);
    for number in 0..12_000 {
        let area = &areas[rng.below(areas.len() as u64) as usize];
        let mut at = || [0, 1].map(|_| rng.below(24) as f32 * 0.5 - 3.0);
        let ends = if number % 2 == 0 { [at(); 2] } else { [at(), at()] };
        let [a, b] = ends;
        let shape: OwnedShape =
            if a == b { Point::new(a).into() } else { Segment::new(a, b).into() };
        let expected = area.meets(ends.map(|end| end.map(f64::from)));
        let twins = [Whole::new(&area.compound, None), Whole::new(&shape, None)];
        assert_eq!(whole::touches(&twins[0], &twins[1], Touching::Exclusive), expected);
        let (outline, other) = (posed(area.compound.clone()), posed(shape.clone()));
        assert_eq!(touches(&outline, &other, Touching::Exclusive).unwrap(), expected, "{shape:?}");
        if number % 20 == 0 {
            assert_eq!(verdict(area, &shape, Touching::Exclusive), expected);
        }
        let plain = posed(Compound::new(area.compound.parts().to_vec()).unwrap());
        inside += usize::from(expected);
        seams += usize::from(expected && !touches(&plain, &other, Touching::Exclusive).unwrap());
    }
    println!("{inside} {seams}");
    assert!(inside > 3_000 && seams > 50, "{inside} {seams}");
}

/// Moves a body by its deepest contact with an outline until they only touch. Returns the number of
/// moves, at most 50.
fn moves_until_free(outline: &PosedShape, shape: &OwnedShape) -> usize {
    let mut body = posed(shape.clone());
    for moves in 0..50 {
        let found = contact(outline, &body, 0.0).unwrap();
        let Some(found) = found.filter(|_| touches(outline, &body, Touching::Exclusive).unwrap())
        else {
            return moves;
        };
        let at = body.pose();
        let by = found.normal() * (found.depth * 1.0001 + 1e-5);
        body.pose = Some(Pose::new(at.position() + by, at.rotation()));
    }
    50
}

/// Bodies anywhere, also deep inside: the deepest contacts move them out.
#[test]
fn the_deepest_contacts_move_bodies_out() {
    let mut rng = Rng::new(5);
    let mut areas = areas();
    for count in [5, 8, 13, 21] {
        areas.push(star(&mut rng, count));
    }
    let (mut inside, mut moves, mut stuck, mut plain_stuck) = (0, [0; 51], Vec::new(), 0);
    for number in 0..12_000 {
        let area = &areas[rng.below(areas.len() as u64) as usize];
        let pose = match number % 3 {
            0 => Pose::new([5.0, -3.0], Rotation::from_angle(rng.range(-3.0, 3.0))),
            _ => Pose::default(),
        };
        let corners = area.rings[0].iter().flatten();
        let most = corners.fold(0.0_f64, |most, value| most.max(value.abs())) as f32;
        let [x, y] = pose.rotation().apply([rng.range(-most, most), rng.range(-most, most)]);
        let kind = rng.below(KINDS);
        let (shape, _) = body(&mut rng, kind, [pose.x + x, pose.y + y]);
        let count = moves_until_free(&posed_at(area.compound.clone(), pose), &shape);
        let plain = Compound::new(area.compound.parts().to_vec()).unwrap();
        plain_stuck += usize::from(moves_until_free(&posed_at(plain, pose), &shape) == 50);
        inside += usize::from(count > 0);
        moves[count] += 1;
        if count == 50 {
            stuck.push((number, kind, format!("{shape:?}")));
        }
    }
    println!("plain {plain_stuck}");
    // Between walls that are closer than the body is wide, nothing moves it out.
    assert!(inside > 3_000, "{inside}");
    assert!(stuck.len() < 20 && stuck.len() < plain_stuck, "{} {plain_stuck}", stuck.len());
}

/// Two outlines, each at any place: the normals are normals of both outlines, or at least of one
/// where they overlap deeply.
#[test]
fn contacts_of_two_outlines_have_normals_of_the_outlines() {
    let mut rng = Rng::new(6);
    let areas = areas();
    let (mut seen, mut of_both) = (0, 0);
    for number in 0..6_000 {
        let mut one = || areas[rng.below(areas.len() as u64) as usize].clone();
        let (a, b) = (one(), one());
        let mut pose = || match number % 2 {
            0 => Pose::at([0, 1].map(|_| rng.below(20) as f32 * 0.5 - 5.0)),
            _ => Pose::new(
                [rng.range(-6.0, 6.0), rng.range(-6.0, 6.0)],
                Rotation::from_angle(rng.range(-3.0, 3.0)),
            ),
        };
        let poses = [pose(), pose()];
        let shapes =
            store(&[(a.compound.clone().into(), poses[0]), (b.compound.clone().into(), poses[1])]);
        let found = all(&shapes, 0.0, Touching::Inclusive);
        let [first, second] = [(&a, poses[0]), (&b, poses[1])]
            .map(|(area, pose)| posed_at(area.compound.clone(), pose));
        assert_eq!(!found.is_empty(), touches(&first, &second, Touching::Inclusive).unwrap());
        for contact in &found {
            let own = a.owns(contact, poses[0], &b.compound.clone().into(), 20.0);
            let other = b.owns(&contact.mirrored(), poses[1], &a.compound.clone().into(), 20.0);
            assert!(own || other, "{number}: {contact:?}");
            seen += 1;
            of_both += usize::from(own && other);
        }
        let one = contact(&first, &second, 0.0).unwrap();
        let two = contact(&second, &first, 0.0).unwrap();
        // Two equal shapes at one place have the same contact in either order.
        let same = a.compound == b.compound && poses[0] == poses[1];
        let mirrored = one.map(|contact| if same { contact } else { contact.mirrored() });
        // If parts have equally deep contacts at one point, either part may be named.
        let numbers = |contact: Contact| {
            let point = contact.points()[0];
            (contact.normal(), contact.depth, point.x, point.y)
        };
        assert_eq!(mirrored.map(numbers), two.map(numbers), "{number}: {one:?} {two:?}");
    }
    println!("{seen} {of_both}");
    assert!(seen > 4_000 && of_both * 10 > seen * 9, "{of_both} of {seen}");
}

/// Points of inner sides of posed outlines, rounded to `f32`: inside in all calls.
#[test]
fn inner_sides_at_a_pose() {
    let mut rng = Rng::new(8);
    let (area, ends) = (corner(), [[0.0, 0.0], [1.0, 1.0]]);
    for _ in 0..2_000 {
        let far = [1.0, 100.0, 10_000.0][rng.below(3) as usize];
        let at = [rng.range(-far, far), rng.range(-far, far)];
        let pose = Pose::new(at, Rotation::from_angle(rng.range(-3.0, 3.0)));
        let share = rng.range(0.1, 0.9);
        let [x, y] = pose.rotation().apply(ends[1].map(|end| end * share));
        let point = [pose.x + x, pose.y + y];
        let (outline, shape) =
            (posed_at(area.compound.clone(), pose), posed(OwnedShape::from(Point::new(point))));
        for touching in POLICIES {
            assert!(touches(&outline, &shape, touching).unwrap(), "{pose:?} {point:?}");
            assert!(contains(&outline, point, touching).unwrap(), "{pose:?} {point:?}");
        }
        assert_eq!(distance(&outline, &shape).unwrap(), 0.0, "{pose:?} {point:?}");
        let shapes = both(&area, pose, &Point::new(point).into());
        let index = Index::build(&shapes).unwrap();
        let mut near = Vec::new();
        index.k_nearest(Point::new(point), 2, 1.0, &mut near).unwrap();
        assert_eq!(near.iter().map(|near| near.distance).collect::<Vec<_>>(), [0.0; 2]);
    }
}

/// An outline stays an outline in copies, in other rows, and in a snapshot; its parts alone are a
/// plain compound.
#[test]
fn an_outline_stays_one_in_copies_rows_and_snapshots() {
    let (area, pose) = (issue(), Pose::at([3.0, 1.0]));
    let circle: OwnedShape = Circle::new([5.25, 3.9375], 1.0).into();
    let shapes = both(&area, pose, &circle);
    let up = |shapes: &Shapes, name: &str| {
        let found = all(shapes, 0.0, Touching::Inclusive);
        assert!(!found.is_empty(), "{name}");
        for contact in found {
            let normal = contact.normal().to_array();
            let towards = if contact.pair.a == 0 { 1.0 } else { -1.0 };
            assert_eq!(normal, [0.0, towards], "{name}: {contact:?}");
        }
    };
    up(&shapes, "given");
    up(&shapes.clone(), "clone");
    assert_eq!(shapes.get(0), Some(area.compound.clone().into()));
    let again = store(&[(shapes.get(0).unwrap(), pose), (shapes.get(1).unwrap(), Pose::default())]);
    up(&again, "from get");
    let mut other = shapes.clone();
    other.reorder(&[1, 0]).unwrap();
    let found = all(&other, 0.0, Touching::Inclusive);
    assert!(!found.is_empty() && found.iter().all(|contact| contact.normal().y == -1.0));
    other.reorder(&[1, 0]).unwrap();
    up(&other, "reordered");
    let mut copied = Shapes::new();
    copied.extend_from_rows(shapes.columns(), &[0, 1]).unwrap();
    up(&copied, "rows");
    // Rows that are replaced often are stored anew.
    for _ in 0..500 {
        copied.set(0, Circle::new([0.0, 0.0], 1.0)).unwrap();
        copied.set(0, &area.compound).unwrap();
    }
    copied.set_pose(0, pose).unwrap();
    up(&copied, "replaced");
    let plain = Compound::new(area.compound.parts().to_vec()).unwrap();
    assert_ne!(plain, area.compound);
    let plain = Area { rings: Vec::new(), compound: plain };
    let found = all(&both(&plain, pose, &circle), 0.0, Touching::Inclusive);
    assert!(found.iter().any(|contact| contact.normal().y != 1.0));

    let mut world = World::new();
    world.insert(area.compound.clone(), Body { pose: Some(pose), ..Body::default() }).unwrap();
    world.insert(circle, Body::default()).unwrap();
    let mut restored = World::restore(&world.snapshot()).unwrap();
    let found = world.step().unwrap().contacts().to_vec();
    assert!(!found.is_empty());
    assert!(found.iter().all(|contact| contact.normal().to_array() == [0.0, 1.0]), "{found:?}");
    assert_eq!(restored.step().unwrap().contacts(), found);
    assert_eq!(restored.snapshot(), world.snapshot());
}

/// The free end of a chain beside a seam of a flat side, and a half-plane below such a side.
#[test]
fn chains_and_half_planes() {
    let area = issue();
    let upside_down = Pose::new([4.0, 2.0], Rotation { cos: -1.0, sin: 0.0 });
    for (first, last) in [(1.98, 3.5), (0.5, 2.03), (1.97, 2.02), (-1.0, 5.0)] {
        let mut shapes = store(&[(area.compound.clone().into(), upside_down)]);
        shapes.push_chain(&Chain::open(&[[first, 0.0625], [last, 0.0625]]).unwrap()).unwrap();
        let found = contacts(&shapes, 0.0);
        assert!(!found.is_empty());
        for contact in &found {
            assert_eq!(contact.normal().to_array(), [0.0, -1.0], "{first} {last}: {found:?}");
            assert_eq!(contact.depth, 0.0625);
        }
    }
    let plane: OwnedShape = HalfPlane::new([0.0, 1.0], 0.0625).into();
    let found = contacts(&both(&area, upside_down, &plane), 0.0);
    assert_eq!(found.len(), 2);
    for contact in &found {
        assert_eq!((contact.normal().to_array(), contact.depth), ([0.0, -1.0], 0.0625));
    }
}
