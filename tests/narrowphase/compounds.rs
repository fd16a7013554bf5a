//! Compounds, two at a time and many: which of their parts touch, and which contact is the deepest,
//! by the reference, which tests all parts against all.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    POLICIES, assert_contacts,
    crowd::{Crowd, Make, Numbers, PosedShape, order_decides, wholes},
    levels,
    rng::Rng,
    twins::whole,
};
use widephase::{
    Contact, Detector, Options, Pair, Shapes, Touching, narrowphase,
    reference::whole::{Whole, touches},
    shape::{Circle, Compound, Obb, Part, Pose, Rotation, Segment},
};

/// A contact as it is found of two shapes at a time.
fn as_two(contact: Contact) -> Contact {
    contact.with_pair(Pair { a: 0, b: 0 })
}

/// Checks two shapes at a time: the contact is the deepest of `all` their contacts, and is mirrored
/// if the shapes are exchanged. Returns how many contacts are equally deep; or `None` if the order
/// may decide: parts differ only in their order, or several equally deep contacts begin at one
/// point.
fn assert_deepest(
    solids: [&PosedShape; 2],
    wholes: &[Whole; 2],
    margin: f32,
    what: &str,
) -> Option<usize> {
    let all = whole::between(&wholes[0], &wholes[1], margin, Touching::Inclusive);
    let depth = all.iter().map(|contact| contact.depth).fold(f32::MIN, f32::max);
    let begin = |contact: &Contact| [contact.points()[0].x, contact.points()[0].y];
    let mut deepest: Vec<_> = all.iter().filter(|contact| contact.depth == depth).collect();
    // Of several contacts that begin in one point, the sort keeps the first in front.
    deepest.sort_by(|one, other| begin(one).partial_cmp(&begin(other)).unwrap());
    let expected: Vec<Contact> =
        deepest.first().map(|&&contact| as_two(contact)).into_iter().collect();
    let found = narrowphase::contact(solids[0], solids[1], margin).unwrap();
    assert_contacts(found.as_slice(), &expected, what);
    let by_reference = whole::deepest(&wholes[0], &wholes[1], margin).map(as_two);
    assert_contacts(by_reference.as_slice(), &expected, what);

    let in_one_point = deepest.len() > 1 && begin(deepest[0]) == begin(deepest[1]);
    if in_one_point || all.iter().any(|contact| order_decides(wholes, contact)) {
        return None;
    }
    let image = narrowphase::contact(solids[1], solids[0], margin).unwrap();
    let image = image.map(Contact::mirrored);
    assert_contacts(image.as_slice(), expected.as_slice(), what);
    Some(deepest.len())
}

/// Compounds with more parts than a vector has lanes, or a block of pairs or a list of jobs has
/// entries.
#[test]
fn compounds_of_many_parts() {
    let compound = |parts: Vec<Part>| Compound::new(parts).unwrap();
    // All 70 circles overlap all 40; the centres of parts i and j are |i - j| / 1024 apart.
    let row = |count: u32| -> Vec<Part> {
        (0..count).map(|i| Circle::new([i as f32 / 1024.0, 0.0], 1.0).into()).collect()
    };
    // Parallel lines: their boxes overlap, they do not. And with a line across.
    let line = |at: f32| Part::from(Segment::new([at - 1.0, -1.0], [at + 1.0, 1.0]));
    let left: Vec<Part> = (0..70).map(|i| line(i as f32 / 128.0)).collect();
    let right: Vec<Part> = (0..40).map(|i| line(0.75 + i as f32 / 128.0)).collect();
    let mut across = right.clone();
    across[39] = Segment::new([-1.0, 1.0], [1.0, -1.0]).into();
    for &level in levels() {
        let (mut pairs, mut contacts) = (Vec::new(), Vec::new());
        let mut detector =
            Detector::with_options(Options { simd_level: Some(level), ..Options::default() })
                .unwrap();
        let mut meet = |first: &[Part], second: &[Part]| -> (usize, Vec<Contact>) {
            let mut shapes = Shapes::new();
            shapes.push(compound(first.to_vec())).unwrap();
            shapes.push(compound(second.to_vec())).unwrap();
            detector.pairs(&shapes, &mut pairs).unwrap();
            detector.contacts(&shapes, 0.0, &mut contacts).unwrap();
            (pairs.len(), contacts.clone())
        };
        let (touching, found) = meet(&row(70), &row(40));
        assert_eq!((touching, found.len()), (1, 70 * 40), "{level}");
        for (number, contact) in found.iter().enumerate() {
            let (i, j) = ((number / 40) as u32, (number % 40) as u32);
            assert_eq!((contact.part_a, contact.part_b), (i, j), "{level}");
            assert_eq!(contact.depth, 2.0 - i.abs_diff(j) as f32 / 1024.0, "{level}: {i}, {j}");
        }
        let (touching, found) = meet(&left, &right);
        assert_eq!((touching, found.len()), (0, 0), "{level}");
        let (touching, found) = meet(&left, &across);
        assert_eq!(touching, 1, "{level}");
        let parts: Vec<_> = found.iter().map(|contact| (contact.part_a, contact.part_b)).collect();
        assert_eq!(parts, (0..70).map(|i| (i, 39)).collect::<Vec<_>>(), "{level}");
    }
    let [a, b] = [70, 40].map(|count| PosedShape::from(compound(row(count))));
    // Circles i and i overlap by 2, and the first two are furthest left.
    let deepest = narrowphase::contact(&a, &b, 0.0).unwrap().unwrap();
    assert_eq!((deepest.part_a, deepest.part_b, deepest.depth), (0, 0, 2.0));
    let [left, right, across] =
        [left, right, across].map(|parts| PosedShape::from(compound(parts)));
    assert!(!narrowphase::touches(&left, &right, Touching::Inclusive).unwrap());
    // Among the last of all pairs.
    assert!(narrowphase::touches(&left, &across, Touching::Inclusive).unwrap());
}

/// Two compounds at a time, of parts whose kinds change from one to the next and of parts of one
/// kind: the deepest of all contacts, and of equally deep contacts the contact furthest left, or
/// lowest.
#[test]
fn two_compounds_at_a_time() {
    let mut rng = Rng::new(21);
    let (mut of_several, mut ties, mut by_order, mut none) = (0, 0, 0, 0);
    for round in 0..300 {
        let mut parts = |kinds: usize| -> Vec<Part> {
            let count = 1 + rng.below(40) as usize;
            let part = |number: usize| {
                let center = [0, 1].map(|_| rng.int(-6, 6) as f32);
                match (number + round) % kinds {
                    0 => Part::from(Circle::new(center, 1.0)),
                    1 => Obb::new(center, [2.0, 1.0], Rotation { cos: 0.6, sin: 0.8 }).into(),
                    _ => Segment::new(center, [center[0] + 3.0, center[1]]).into(),
                }
            };
            (0..count).map(part).collect()
        };
        let kinds = 1 + round % 3;
        let pair = [parts(kinds), parts(kinds)].map(|parts| Compound::new(parts).unwrap());
        // By halves: else centres coincide nearly always.
        let shift = Pose::at([rng.int(0, 16) as f32 + 0.5, 0.0]);
        let mut shapes = Shapes::new();
        shapes.push(&pair[0]).unwrap();
        shapes.push_at(&pair[1], shift).unwrap();
        let [one, other] =
            [(&pair[0], None), (&pair[1], Some(shift))].map(|(pair, pose)| Whole::new(pair, pose));
        let all = whole::between(&one, &other, 0.0, Touching::Inclusive);
        let mut found = Vec::new();
        Detector::new().contacts(&shapes, 0.0, &mut found).unwrap();
        assert_contacts(&found, &all, &format!("round {round}"));

        let first = PosedShape::from(pair[0].clone());
        let second = PosedShape::at(pair[1].clone(), shift);
        let touch = narrowphase::touches(&first, &second, Touching::Inclusive).unwrap();
        assert_eq!(touch, !all.is_empty(), "round {round}");
        let wholes = [one, other];
        let as_deep = assert_deepest([&first, &second], &wholes, 0.0, &format!("round {round}"));
        of_several += usize::from(all.len() > 32);
        ties += usize::from(as_deep.is_some_and(|count| count > 1));
        by_order += usize::from(as_deep.is_none());
        none += usize::from(all.is_empty());
    }
    let seen = [of_several, ties, by_order, none];
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// Of equally deep contacts, the contact furthest left or lowest is taken, whichever shape comes
/// first and however its parts are numbered.
#[test]
fn of_equally_deep_contacts_the_leftmost_or_lowest_is_taken() {
    let compound = |circles: [[f32; 2]; 2]| {
        let circles = circles.map(|center| Circle::new(center, 1.0));
        PosedShape::from(Compound::new(circles).unwrap())
    };
    let contact = |a, b| narrowphase::contact(a, b, 0.0).unwrap().unwrap();
    let parts = |contact: Contact| (contact.part_a, contact.part_b);
    // Two circles above two other circles, each by 1.5; the upper circles are numbered from the
    // right.
    let (below, above) = (compound([[0.0, 0.0], [4.0, 0.0]]), compound([[4.0, 1.5], [0.0, 1.5]]));
    let found = contact(&below, &above);
    assert_eq!((parts(found), found.depth, found.points()[0].x), ((0, 1), 0.5, 0.0));
    assert_eq!(contact(&above, &below), found.mirrored());
    assert_eq!(parts(contact(&above, &below)), (1, 0));
    // Two circles beside two other circles: the lower contact.
    let (left, right) = (compound([[0.0, 4.0], [0.0, 0.0]]), compound([[1.5, 0.0], [1.5, 4.0]]));
    let found = contact(&left, &right);
    assert_eq!((parts(found), found.depth, found.points()[0].y), ((1, 0), 0.5, 0.0));
    assert_eq!(contact(&right, &left), found.mirrored());
    // Two circles at one place: in one point, only the order of the parts decides.
    let (twice, once) = (compound([[0.0, 0.0]; 2]), compound([[1.5, 0.0], [9.0, 0.0]]));
    assert_eq!((parts(contact(&twice, &once)), parts(contact(&once, &twice))), ((0, 0), (0, 0)));
}

/// Two shapes at a time, of crowds in which many touch or coincide: whether they touch, and the
/// deepest contact, by the reference; and where they overlap, the deepest contact is one of two
/// parts that overlap.
#[test]
fn two_at_a_time_by_the_reference() {
    let (mut of_parts, mut compared, mut strict) = (0, 0, 0);
    for seed in 0..24 {
        let makes = if seed % 2 == 0 { Make::ALL.to_vec() } else { vec![Make::Compound] };
        let numbers = Numbers::ALL[seed as usize / 2 % Numbers::ALL.len()];
        let crowd = Crowd { seed, count: 24, makes, numbers, unit: 0, far: 0, flat: false };
        let solids = crowd.solids();
        let wholes = wholes(&solids);
        for (a, b) in (0..solids.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let what = format!("{crowd:?}: {a} and {b}");
            for touching in POLICIES {
                let touches = touches(&wholes[a], &wholes[b], touching);
                let found = narrowphase::touches(&solids[a], &solids[b], touching).unwrap();
                assert_eq!(found, touches, "{what}, {touching:?}");
                let found = narrowphase::touches(&solids[b], &solids[a], touching).unwrap();
                assert_eq!(found, touches, "{what}, {touching:?}, exchanged");
            }
            let two = [a, b].map(|index| wholes[index].clone());
            let margin = [0.0, 0.25][a % 2];
            let all = whole::between(&two[0], &two[1], margin, Touching::Inclusive);
            let as_deep = assert_deepest([&solids[a], &solids[b]], &two, margin, &what);
            of_parts += usize::from(all.len() > 1);
            compared += usize::from(as_deep.is_some_and(|count| count > 0));
            if margin == 0.0 && touches(&two[0], &two[1], Touching::Exclusive) {
                let found = narrowphase::contact(&solids[a], &solids[b], 0.0).unwrap().unwrap();
                let overlapping = whole::between(&two[0], &two[1], 0.0, Touching::Exclusive);
                assert!(overlapping.into_iter().map(as_two).any(|c| c == found), "{what}");
                strict += 1;
            }
        }
    }
    let seen = [of_parts, compared, strict];
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}
