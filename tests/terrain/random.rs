//! Random shapes on random chains and half-planes, beside the reference, on each SIMD level.

use widephase::{
    Contact, Pair, Shapes, Touching,
    reference::{
        half_plane,
        placed_shape::PlacedShape,
        whole::{Whole, touches},
    },
    shape::{Chain, HalfPlane, OwnedShape, Rotation, Sides},
};

use crate::{contacts, pairs};
use common::{
    Rng,
    crowd::{PosedShape, wholes},
    product,
    twins::{chain, contact},
};

/// Shapes of all kinds near the origin.
fn shapes(rng: &mut Rng) -> Vec<PosedShape> {
    use widephase::shape::{Aabb, Capsule, Circle, Compound, ConvexPolygon, Obb, Pose, RoundedBox};
    (0..60)
        .map(|number| {
            let at = [rng.range(-9.0, 9.0), rng.range(-3.0, 3.0)];
            let mut size = || rng.range(0.1, 1.0);
            let (width, height, radius) = (size(), size(), size() * 0.4);
            let turned = Rotation::from_angle(rng.range(-3.0, 3.0));
            let aabb = Aabb::centered(at, [width, height]);
            let end = [at[0] + width, at[1] - height];
            match number % 7 {
                0 => Circle::new(at, radius).into(),
                1 => aabb.into(),
                2 => RoundedBox::new(aabb, radius).into(),
                3 => Obb::new(at, [width, height], turned).into(),
                4 => Capsule::new(at, end, radius).into(),
                5 => {
                    let count = 3 + rng.below(9) as usize;
                    let corner = |k: usize| {
                        let angle = k as f32 * std::f32::consts::TAU / count as f32;
                        [width * angle.cos(), width * angle.sin()]
                    };
                    let corners: Vec<[f32; 2]> = (0..count).map(corner).collect();
                    PosedShape::at(ConvexPolygon::new(&corners).unwrap(), Pose::new(at, turned))
                }
                _ => {
                    let parts = [[0.5, 0.0], [-0.5, 0.25]].map(|at| Circle::new(at, radius));
                    PosedShape::at(Compound::new(parts).unwrap(), Pose::new(at, turned))
                }
            }
        })
        .collect()
}

fn store(shapes: &[PosedShape]) -> Shapes {
    let mut store = Shapes::new();
    for shape in shapes {
        shape.push(&mut store);
    }
    store
}

/// Whether two contacts agree: the same bits where the engine keeps the contact of the segment, and
/// the same normal and depth within roundings where it makes one.
fn agree(found: &Contact, expected: &Contact) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < 2e-5;
    let [own, other] = [found, expected].map(|contact| contact.points()[0]);
    let position = near(own.x, other.x) && near(own.y, other.y);
    near(found.normal().x, expected.normal().x)
        && near(found.normal().y, expected.normal().y)
        && near(found.depth, expected.depth)
        // Either of two equally deep points may be the first.
        && (position || found.points().len() == 2)
}

#[test]
fn contacts_with_random_chains_are_true() {
    let mut rng = Rng::new(7);
    let (mut seen, mut kept, mut snapped) = (0, 0, 0);
    for _ in 0..40 {
        let vertices: Vec<[f32; 2]> =
            (-10..=10).map(|x| [x as f32 + rng.range(-0.4, 0.4), rng.range(-2.0, 2.0)]).collect();
        let sides = [Sides::Both, Sides::Left, Sides::Right][rng.below(3) as usize];
        let chain =
            if rng.below(2) == 0 { Chain::open(&vertices) } else { Chain::closed(&vertices) };
        let chain = chain.unwrap().with_sides(sides);
        let mut all: Vec<PosedShape> =
            chain.segments().map(|segment| OwnedShape::from(segment).into()).collect();
        let ground = all.len();
        all.extend(shapes(&mut rng));
        let (shapes, wholes) = (store(&all), wholes(&all));
        let segments: Vec<_> = chain.segments().collect();
        let margin = [0.0, 0.2][rng.below(2) as usize];
        let found = contacts(&shapes, margin);
        let found = |a: usize, b: usize, part: usize| {
            let is_it = |contact: &&Contact| {
                let pair = Pair { a: a as u32, b: b as u32 };
                contact.pair == pair && contact.part_b as usize == part
            };
            found.iter().find(is_it)
        };
        let bodies = wholes.iter().enumerate().skip(ground);
        for ((row, segment), (other, whole)) in product((segments.iter().enumerate(), bodies)) {
            for (part, body) in whole.parts.iter().enumerate() {
                let expected = chain::contact(segment, body, margin, Touching::Inclusive);
                let found = found(row, other, part);
                let what = || format!("{segment:?}\n{body:?}\n{found:?}\n{expected:?}");
                match (found, &expected) {
                    (None, None) => {}
                    (Some(found), Some(expected)) => {
                        assert!(agree(found, expected), "{}", what());
                        seen += 1;
                        let alone = PlacedShape::new(segment, None).unwrap();
                        let alone = contact::contact(&alone, body, margin, Touching::Inclusive);
                        let same = alone.is_some_and(|alone| alone.depth == found.depth);
                        if same { kept += 1 } else { snapped += 1 }
                    }
                    // Within roundings of the margin.
                    (Some(one), None) | (None, Some(one)) => {
                        assert!((one.depth + margin).abs() < 1e-5, "{}", what());
                    }
                }
            }
        }
        // Pairs are the pairs of plain segments, except among the segments.
        let mut expected = Vec::new();
        for a in 0..all.len() {
            for b in (a + 1).max(ground)..all.len() {
                if touches(&wholes[a], &wholes[b], Touching::Inclusive) {
                    expected.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        assert_eq!(pairs(&shapes), expected);
    }
    assert!(seen > 1_000 && kept > 500 && snapped > 100, "{seen}, {kept}, {snapped}");
}

#[test]
fn contacts_with_random_half_planes_are_true() {
    let mut rng = Rng::new(8);
    for _ in 0..40 {
        let all = shapes(&mut rng);
        let mut store = store(&all);
        let Rotation { cos, sin } = Rotation::from_angle(rng.range(-3.0, 3.0));
        let axis = rng.below(3) == 0;
        let normal = if axis { [0.0, 1.0] } else { [cos, sin] };
        let half_plane = HalfPlane::new(normal, rng.range(-4.0, 4.0));
        let row = store.push(half_plane).unwrap();
        let margin = [0.0, 0.3][rng.below(2) as usize];
        let (mut expected, mut touching) = (Vec::new(), Vec::new());
        for (a, Whole { parts, .. }) in (0..).zip(wholes(&all)) {
            let pair = Pair { a, b: row };
            for (part, body) in (0..).zip(&parts) {
                let contact = half_plane::contact(&half_plane, body, margin, Touching::Inclusive);
                expected.extend(contact.map(|contact| {
                    let mut contact = contact.mirrored().with_pair(pair);
                    contact.part_a = part;
                    contact
                }));
                let touches = half_plane::touches(&half_plane, body, Touching::Inclusive);
                if touches && touching.last() != Some(&pair) {
                    touching.push(pair);
                }
            }
        }
        let mut found = contacts(&store, margin);
        found.retain(|contact| contact.pair.b == row);
        assert_eq!(found, expected);
        let mut found = pairs(&store);
        found.retain(|pair| pair.b == row);
        assert_eq!(found, touching);
    }
}
