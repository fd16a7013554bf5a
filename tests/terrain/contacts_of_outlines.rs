//! Contacts of outlines with bodies of each kind, and with each other, beside the rings: where the
//! points are, where the normals lead, which parts are named, and where bodies go that are moved by
//! their contacts.

use std::collections::BTreeMap;

use widephase::{
    Contact, Narrowphase, Pair, Shapes,
    glam::Vec2,
    narrowphase::contact,
    shape::{
        Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, OwnedShape, Point, Pose, Rotation,
        RoundedBox, Segment, Shape,
    },
};

use crate::{
    outline_truth::{Place, Region, length, minus, outline, parts, placed, plus, region},
    posed, posed_at,
    random_rings::{Cells, slant, split, straightened},
    touching_rings,
};
use common::{Rng, crowd::PosedShape, rng::cases};

type Ring = Vec<[f32; 2]>;

/// The share of the coordinates by which roundings may move the values of a contact.
const NEAR: f64 = 2e-5;

/// A random outline, outer ring first, and the size of its features.
fn random_outline(rng: &mut Rng) -> (Vec<Ring>, f32) {
    let scaled = |rings: Vec<Ring>, unit: f32| {
        let ring = |ring: &Ring| ring.iter().map(|at| at.map(|value| value * unit)).collect();
        (rings.iter().map(ring).collect(), unit)
    };
    match rng.below(8) {
        0 => {
            let count = 5 + rng.below(16) as usize;
            let corner = |k: usize| {
                let angle = k as f32 * std::f32::consts::TAU / count as f32;
                (Vec2::from_angle(angle) * rng.range(1.0, 5.0)).to_array()
            };
            (vec![(0..count).map(corner).collect()], 1.0)
        }
        1 => {
            let all = touching_rings::cases();
            let case = &all[rng.below(all.len() as u64) as usize];
            let rings = std::iter::once(&case.outline).chain(&case.holes).cloned();
            scaled(rings.collect(), 1.0)
        }
        _ => loop {
            let cells = Cells::random(rng, 6);
            let mut areas = cells.loops(rng.below(2) == 0);
            if areas.is_empty() {
                continue;
            }
            let mut rings = areas.swap_remove(rng.below(areas.len() as u64) as usize);
            if rng.below(2) == 0 {
                rings = rings.iter().map(|ring| straightened(ring)).collect();
            }
            let slanted = if rng.below(2) == 0 { slant(rng).0 } else { [1, 0, 0, 1] };
            let (outer, holes) = split(&rings, slanted);
            let unit = [1.0, 1.0, 0.5, 16.0][rng.below(4) as usize];
            let rings = std::iter::once(outer).chain(holes).collect();
            return scaled(rings, unit);
        },
    }
}

const KINDS: u64 = 9;

/// A shape of each kind around a place, of about a size.
fn random_body(rng: &mut Rng, kind: u64, at: [f32; 2], unit: f32) -> OwnedShape {
    let mut size = || rng.range(0.05, 0.8) * unit;
    let (width, height, radius) = (size(), size(), size() * 0.4);
    let turned = Rotation::from_angle(rng.range(-3.0, 3.0));
    let aabb = Aabb::centered(at, [width, height]);
    let end = [at[0] + width, at[1] - height];
    match kind {
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
            let radius = radius * [0.0, 0.1][rng.below(2) as usize];
            ConvexPolygon::new(&corners).unwrap().with_radius(radius).unwrap().into()
        }
        6 => Point::new(at).into(),
        7 => Segment::new(at, end).into(),
        _ => {
            let parts = [[0.2, 0.0], [-0.2, 0.1]].map(|by| by.map(|by| by * unit));
            let parts = parts.map(|by| Circle::new([at[0] + by[0], at[1] + by[1]], radius));
            Compound::new(parts).unwrap().into()
        }
    }
}

/// A place near the border of an outline, or anywhere.
fn random_place(rng: &mut Rng, area: &Region, unit: f32) -> [f32; 2] {
    let sides: Vec<[Place; 2]> = area.sides().collect();
    let [a, b] = sides[rng.below(sides.len() as u64) as usize];
    let share = f64::from([0.0, rng.range(0.0, 1.0)][rng.below(2) as usize]);
    let far = [0.3, 0.9, 3.0][rng.below(3) as usize] * unit;
    plus(a, minus(b, a), share).map(|value| value as f32 + rng.range(-far, far))
}

/// Two shapes, the first of which is an outline.
struct Two {
    shapes: [OwnedShape; 2],
    poses: [Pose; 2],
    /// The rings of an outline, and the parts of each shape.
    regions: [Vec<Region>; 2],
    parts: [Vec<Region>; 2],
    near: f64,
}

impl Two {
    fn new(
        rings: &[Ring],
        pose: Pose,
        other: Result<(&OwnedShape, Pose), (&[Ring], Pose)>,
    ) -> Self {
        let first: OwnedShape = outline(rings).into();
        let (second, other_pose, other_region) = match other {
            Ok((shape, pose)) => (shape.clone(), pose, None),
            Err((rings, pose)) => (outline(rings).into(), pose, Some(region(rings, pose))),
        };
        let parts = [parts(first.any(), pose), parts(second.any(), other_pose)];
        let other = other_region.map_or_else(|| parts[1].clone(), |region| vec![region]);
        let regions = [vec![region(rings, pose)], other];
        let corners = regions.iter().flatten().flat_map(|region| region.rings.iter().flatten());
        let most = corners.flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
        let (shapes, poses) = ([first, second], [pose, other_pose]);
        Self { shapes, poses, regions, parts, near: (1.0 + most) * NEAR }
    }

    fn store(&self) -> Shapes {
        let mut store = Shapes::new();
        for (shape, pose) in self.shapes.iter().zip(self.poses) {
            if pose == Pose::default() {
                store.push(shape).unwrap();
            } else {
                store.push_at(shape, pose).unwrap();
            }
        }
        store
    }

    /// The contacts, and whether the contacts in the other order are their mirror images.
    fn contacts(&self, margin: f32) -> (bool, Vec<Contact>) {
        let store = self.store();
        let [mut found, mut turned] = [Vec::new(), Vec::new()];
        let mut narrowphase = Narrowphase::new();
        let pair = |a, b| [Pair { a, b }];
        narrowphase.contacts(&store, &pair(0, 1), margin, &mut found).unwrap();
        narrowphase.contacts(&store, &pair(1, 0), margin, &mut turned).unwrap();
        let mut turned: Vec<Contact> = turned.iter().map(|contact| contact.mirrored()).collect();
        turned.sort_by_key(|contact| (contact.part_a, contact.part_b));
        // Equal parts at one place have the same contact in either order.
        let ring = |part: &Region| part.rings.clone();
        let same = self.parts[0]
            .iter()
            .any(|part| self.parts[1].iter().map(ring).any(|other| other == part.rings));
        (found == turned || same, found)
    }

    /// The distance of the shapes.
    fn distance(&self) -> f64 {
        let [first, second] = &self.regions;
        let distances = second.iter().map(|other| first[0].distance(other));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Passes the names of the rules that the contacts break to `broken`.
    fn check(&self, margin: f32, found: &[Contact], broken: &mut dyn FnMut(&'static str)) {
        let (near, wide_margin) = (self.near, f64::from(margin));
        let distance = self.distance();
        if found.is_empty() && distance < wide_margin - near {
            broken("5: no contact");
        }
        if !found.is_empty() && distance > wide_margin + near {
            broken("5: a contact of shapes that are apart");
        }
        let deepest = found.iter().map(|contact| contact.depth).fold(f32::NEG_INFINITY, f32::max);
        if !found.is_empty() && distance > near && (f64::from(deepest) + distance).abs() > near {
            broken("5: not the distance");
        }
        for contact in found {
            self.check_one(margin, contact, broken);
        }
    }

    fn check_one(&self, margin: f32, contact: &Contact, broken: &mut dyn FnMut(&'static str)) {
        let near = self.near;
        let [own_part, other_part] =
            [&self.parts[0][contact.part_a as usize], &self.parts[1][contact.part_b as usize]];
        let is_outline = self.regions[1].len() == 1 && self.parts[1].len() > 1;
        let other = if is_outline { &self.regions[1][0] } else { other_part };
        if own_part.distance(other_part) > f64::from(margin) + near {
            broken("4: the part is not touched");
        }
        let normal = contact.normal().to_array().map(f64::from);
        let (mut is_normal, mut is_other) = (false, false);
        for point in contact.points() {
            let (at, depth) = (point.position().to_array().map(f64::from), f64::from(point.depth));
            if self.regions[0][0].distance_of(at) > depth.abs() * 0.5 + near {
                broken("1: far from the outline");
            }
            if other.distance_of(at) > depth.abs() * 0.5 + near {
                broken("1: far from the body");
            }
            if depth < -f64::from(margin) - near || depth > f64::from(contact.depth) + near {
                broken("1: the depth of the point");
            }
            let surface = plus(at, normal, depth * 0.5);
            // The second point of shapes that are apart corner to corner is measured along another
            // normal.
            let slant = depth.min(0.0) / -16.0;
            let [leaves, own] =
                self.regions[0][0].leaves(surface, normal, own_part, 2.0 * near + slant);
            let mut leads_out = leaves;
            is_normal |= own;
            if is_outline {
                let (back, surface) = (normal.map(|part| -part), plus(at, normal, depth * -0.5));
                let [leaves, own] = other.leaves(surface, back, other_part, 2.0 * near + slant);
                leads_out |= leaves;
                is_other |= own;
            }
            if !leads_out {
                broken("2: the way does not lead out");
            }
        }
        if !is_normal && !is_other {
            broken("2: the normal is no normal of the border");
        }
    }
}

fn random_pose(rng: &mut Rng) -> Pose {
    match rng.below(3) {
        0 => {
            let at = [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0)];
            Pose::new(at, Rotation::from_angle(rng.range(-3.0, 3.0)))
        }
        1 => Pose::at([0, 1].map(|_| rng.int(-8, 8) as f32 * 0.5)),
        _ => Pose::default(),
    }
}

/// How often each rule is broken, with examples.
type Broken = BTreeMap<&'static str, (usize, String)>;

/// Contacts in a few words.
fn brief(contacts: &[Contact]) -> String {
    let one = |contact: &Contact| {
        let points = contact.points().iter().map(|point| (point.x, point.y, point.depth));
        let points: Vec<_> = points.collect();
        let (parts, normal) = ([contact.part_a, contact.part_b], contact.normal().to_array());
        format!("\n  {parts:?} {normal:?} {} {points:?}", contact.depth)
    };
    contacts.iter().map(one).collect()
}

fn assert_unbroken(broken: &Broken, seen: usize) {
    for (rule, (count, example)) in broken {
        println!("{rule}: {count} of {seen}, {example}");
    }
    assert!(broken.is_empty());
}

/// By hand: a box in the upright arm of an L, a circle behind a reflex corner, and a triangle below
/// a point where two holes touch, which no contact may cross.
#[test]
fn known_contacts_stay_at_the_body() {
    let ell = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5], [0.5, 1.0], [0.0, 1.0]];
    let square =
        |least: f32, most: f32| vec![[least, least], [most, least], [most, most], [least, most]];
    let touching = vec![square(0.0, 8.0), square(2.0, 4.0), square(4.0, 6.0)];
    let triangle = [[4.75, 3.5], [4.25, 4.0 - 0.0625], [4.25, 3.125]];
    let known: [(Vec<Ring>, OwnedShape, usize); 3] = [
        (vec![ell.clone()], Aabb::new([0.25, 0.25], [0.375, 0.875]).into(), 1),
        (vec![ell], Circle::new([0.375, 0.375], 0.0625).into(), 1),
        (touching, ConvexPolygon::new(&triangle).unwrap().into(), 1),
    ];
    for (rings, body, least) in known {
        let two = Two::new(&rings, Pose::default(), Ok((&body, Pose::default())));
        let found = two.contacts(0.0).1;
        assert!(found.len() >= least, "{body:?}");
        let mut panics = |rule| panic!("{rule}: {body:?}: {}", brief(&found));
        two.check(0.0, &found, &mut panics);
    }
}

/// A circle deep inside an outline of many parts is led out over the nearest side of all rings,
/// however far that is: the search for it leaves out no nearer side.
#[test]
fn deep_bodies_leave_over_the_nearest_side() {
    let (mut rng, mut seen) = (Rng::new(0xdee9), 0);
    for _ in 0..cases(40) {
        let square = vec![[-20.0, -20.0], [20.0, -20.0], [20.0, 20.0], [-20.0, 20.0]];
        let mut rings = vec![square];
        for cell in 0..25 {
            let middle = Vec2::new((cell % 5) as f32 - 2.0, (cell / 5) as f32 - 2.0) * 7.0;
            let size = rng.range(0.2, 2.5);
            let corner = |k: usize| {
                let angle = k as f32 * std::f32::consts::TAU / 3.0 + rng.range(0.0, 1.5);
                (middle + Vec2::from_angle(angle) * size).to_array()
            };
            rings.push((0..3).map(corner).collect());
        }
        let pose = random_pose(&mut rng);
        let area = region(&rings, pose);
        for _ in 0..40 {
            let wide = placed([0, 1].map(|_| f64::from(rng.range(-18.0, 18.0))), pose);
            let at = wide.map(|value| value as f32);
            let wide = at.map(f64::from);
            let (depth, radius) = (area.depth_of(wide), rng.range(0.02, 0.2));
            let reach = depth + f64::from(radius);
            let is_corner = |corner: &Place| length(minus(*corner, wide)) < reach;
            // Near a corner of a hole, the circle would come out across the other side.
            if area.distance_of(wide) > 0.0
                || depth < f64::from(radius) + 1e-3
                || area.rings.iter().flatten().any(is_corner)
            {
                continue;
            }
            let body = Circle::new(at, radius).into();
            let two = Two::new(&rings, pose, Ok((&body, Pose::default())));
            let found = two.contacts(0.0).1;
            let deepest = found.iter().map(|contact| f64::from(contact.depth)).fold(0.0, f64::max);
            let expected = depth + f64::from(radius);
            assert!((deepest - expected).abs() < two.near, "{deepest} {expected}{}", brief(&found));
            seen += 1;
        }
    }
    assert!(seen > cases(400), "{seen}");
}

#[test]
fn contacts_stay_at_the_body() {
    let mut rng = Rng::new(69);
    let (mut all, mut seen) = (Broken::new(), 0);
    for number in 0..cases(20_000) {
        let (rings, unit) = random_outline(&mut rng);
        let pose = random_pose(&mut rng);
        let place = random_place(&mut rng, &region(&rings, pose), unit);
        let kind = rng.below(KINDS);
        let body = random_body(&mut rng, kind, place, unit);
        let two = Two::new(&rings, pose, Ok((&body, Pose::default())));
        let margin = [0.0, 0.2 * unit][number % 2];
        let (mirrored, found) = two.contacts(margin);
        seen += found.len();
        let mut broken = |rule| {
            let entry = all.entry(rule).or_default();
            entry.0 += 1;
            if entry.0 < 4 {
                entry.1 += &format!(
                    "\n{number}: {rings:?} at {pose:?}, {body:?}, {margin}: {}",
                    brief(&found)
                );
            }
        };
        if !mirrored {
            broken("0: not mirrored");
        }
        two.check(margin, &found, &mut broken);
    }
    assert!(seen > 12_000, "{seen}");
    assert_unbroken(&all, seen);
}

#[test]
fn contacts_of_two_outlines_stay_at_both() {
    let mut rng = Rng::new(70);
    let (mut all, mut seen) = (Broken::new(), 0);
    for number in 0..cases(6_000) {
        let [(first, unit), (second, _)] = [(); 2].map(|()| random_outline(&mut rng));
        let poses = [(); 2].map(|()| random_pose(&mut rng));
        let two = Two::new(&first, poses[0], Err((&second, poses[1])));
        let margin = [0.0, 0.2 * unit][number % 2];
        let (mirrored, found) = two.contacts(margin);
        seen += found.len();
        let mut broken = |rule| {
            let entry = all.entry(rule).or_default();
            entry.0 += 1;
            if entry.0 < 4 {
                entry.1 += &format!(
                    "\n{number}: {first:?} and {second:?} at {poses:?}, {margin}: {}",
                    brief(&found)
                );
            }
        };
        if !mirrored {
            broken("0: not mirrored");
        }
        two.check(margin, &found, &mut broken);
    }
    assert!(seen > 3_000, "{seen}");
    assert_unbroken(&all, seen);
}

/// Moves a body by its deepest contact with an outline until they are apart. Returns the number of
/// moves, at most `most`.
fn moves_until_free(outline: &PosedShape, body: &OwnedShape, most: usize) -> usize {
    let mut body = posed(body.clone());
    for moves in 0..most {
        let found = contact(outline, &body, 0.0).unwrap();
        let Some(found) = found else { return moves };
        let at = body.pose();
        let by = found.normal() * (found.depth * 1.0001 + 1e-5);
        body.pose = Some(Pose::new(at.position() + by, at.rotation()));
    }
    most
}

/// Whether rings touch themselves or each other.
fn is_pinched(rings: &[Vec<[i64; 2]>]) -> bool {
    let mut corners = rings.concat();
    corners.sort_unstable();
    corners.windows(2).any(|pair| pair[0] == pair[1])
}

/// Convex bodies anywhere in maps of cells, also deep inside, that fit between the cells.
#[test]
fn bodies_that_fit_are_moved_out() {
    let mut rng = Rng::new(71);
    let (mut moves, mut pinched) = ([0; 31], [0; 31]);
    for number in 0..cases(8_000) {
        let cells = Cells::random(&mut rng, 6);
        let mut areas = cells.loops(rng.below(2) == 0);
        if areas.is_empty() {
            continue;
        }
        let rings = areas.swap_remove(rng.below(areas.len() as u64) as usize);
        let moves = if is_pinched(&rings) { &mut pinched } else { &mut moves };
        let (outer, holes) = split(&rings, [1, 0, 0, 1]);
        let rings: Vec<Ring> = std::iter::once(outer).chain(holes).collect();
        let pose = random_pose(&mut rng);
        let place = random_place(&mut rng, &region(&rings, pose), 1.0);
        let kind = rng.below(KINDS - 1);
        let body = random_body(&mut rng, kind, place, 0.35);
        let outline = posed_at(outline(&rings), pose);
        let count = moves_until_free(&outline, &body, 30);
        if count == 30 && moves[30] < 5 {
            println!("{number}: {rings:?} at {pose:?}, {body:?}");
        }
        moves[count] += 1;
    }
    println!("sim {moves:?}, {pinched:?}");
    assert!(moves[1..].iter().sum::<usize>() > 1_000, "{moves:?}");
    assert!(moves[30] == 0, "{moves:?}");
    // A shape across the place where an outline touches itself may be moved to and fro.
    assert!(pinched[30] * 100 <= pinched.iter().sum(), "{pinched:?}");
}

/// A box slides over floors of many parts and many vertices: each contact points up, and the points
/// reach over all of the box that is above the floor.
#[test]
fn nothing_catches_on_the_floor() {
    let mut rng = Rng::new(72);
    let floors: Vec<Vec<Ring>> = (0..20)
        .map(|_| {
            // A flat top from right to left, with any vertices, and any bottom.
            let mut ring = vec![];
            for x in (0..=20).rev() {
                if x % 20 == 0 || rng.below(2) == 0 {
                    ring.push([x as f32, 0.0]);
                }
            }
            ring.extend((0..=10).map(|x| [x as f32 * 2.0, -rng.range(0.5, 4.0)]));
            vec![ring]
        })
        .collect();
    for number in 0..cases(4_000) {
        let floor = &floors[rng.below(20) as usize];
        let pose = [Pose::default(), random_pose(&mut rng)][number % 2];
        let (half, sunk) = (rng.range(0.05, 1.5), rng.range(0.0, 0.1) * rng.range(0.0, 1.0));
        let middle = pose.rotation().apply([rng.range(2.0, 18.0), half - sunk]);
        let body =
            Obb::new([pose.x + middle[0], pose.y + middle[1]], [half, half], pose.rotation());
        let two = Two::new(floor, pose, Ok((&body.into(), Pose::default())));
        let found = two.contacts(0.0).1;
        let [x, y] = pose.rotation().apply([0.0, 1.0]);
        let up = Vec2::new(x, y);
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for contact in &found {
            assert!((contact.normal() - up).length() < 1e-5, "{number}: {}", brief(&found));
            assert!((contact.depth - sunk).abs() < 1e-4, "{number}: {}", brief(&found));
            for point in contact.points() {
                let along = up.perp_dot(point.position() - Vec2::new(body.x, body.y));
                (least, most) = (least.min(along), most.max(along));
            }
        }
        // A shape over a seam by less than it is sunk in may have no point.
        let reach = half - sunk - 1e-3;
        assert!(least <= -reach && most >= reach, "{number}: {floor:?} {body:?} {}", brief(&found));
    }
}
