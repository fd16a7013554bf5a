//! Chains by hand: which segment has a contact at a joint, on which side, and what stays a chain.

use widephase::{
    Adjacency, Body as WorldBody, Columns, Contact, ContactId, Detector, Displacements, Feature,
    Filter, Index, Motion, Narrowphase, Pair, Queries, Ray, Shapes, World,
    narrowphase::time_of_impact,
    shape::{
        Aabb, Capsule, Chain, ChainSegment, Circle, Kind, Obb, OwnedShape, Pose, Rotation, Sides,
    },
};

use crate::{contact_of, contacts, pairs, posed, posed_at};

/// A ridge with its top at (0, 0), drawn from left to right: up by 3 in 4, and down by 3 in 4.
fn ridge(sides: Sides) -> Chain {
    Chain::open(&[[-8.0, -6.0], [0.0, 0.0], [8.0, -6.0]]).unwrap().with_sides(sides)
}

/// A valley with its bottom at (0, 0), drawn from left to right.
fn valley(sides: Sides) -> Chain {
    Chain::open(&[[-8.0, 6.0], [0.0, 0.0], [8.0, 6.0]]).unwrap().with_sides(sides)
}

/// The segments of a chain that have a contact with a shape, with the normal and the depth.
fn seen(chain: &Chain, shape: impl Into<OwnedShape>) -> Vec<(u32, [f32; 2], f32)> {
    let mut shapes = Shapes::new();
    let rows = shapes.push_chain(chain).unwrap();
    shapes.push(shape.into()).unwrap();
    let found = contacts(&shapes, 0.0);
    let row = |contact: &Contact| {
        assert_eq!(contact.pair.b, rows.end);
        (contact.pair.a, contact.normal().to_array(), contact.depth)
    };
    found.iter().map(row).collect()
}

#[test]
fn a_ball_on_a_ridge_belongs_to_one_segment() {
    // Straight above the top, and in the directions of the normals (-0.6, 0.8) and (0.6, 0.8).
    assert_eq!(seen(&ridge(Sides::Left), Circle::new([0.0, 0.75], 1.0)), [(0, [0.0, 1.0], 0.25)]);
    let [first, second] = [[-4.6, -2.2], [4.6, -2.2]].map(|at| Circle::new(at, 1.25));
    let close = |found: Vec<(u32, [f32; 2], f32)>, row: u32, normal: [f32; 2]| {
        let [(seen, [x, y], depth)] = found[..] else { panic!("{found:?}") };
        assert_eq!(seen, row);
        assert!((x - normal[0]).abs() + (y - normal[1]).abs() + (depth - 0.25).abs() < 1e-5);
    };
    close(seen(&ridge(Sides::Left), first), 0, [-0.6, 0.8]);
    close(seen(&ridge(Sides::Both), second), 1, [0.6, 0.8]);
    // From below, the ridge is concave: both segments have their own contact, and the top has no
    // contact.
    let below = Circle::new([0.0, -1.5], 1.25);
    assert_eq!(seen(&ridge(Sides::Left), below), []);
    let from_below = seen(&ridge(Sides::Both), below);
    assert_eq!(from_below.iter().map(|(row, ..)| *row).collect::<Vec<_>>(), [0, 1]);
    assert!(from_below.iter().all(|(_, [_, y], _)| (y + 0.8).abs() < 1e-6));
    assert_eq!(seen(&ridge(Sides::Right), below), from_below);
    // A ball inside the angle above a valley touches the corner only from further than its sides.
    let corner = seen(&valley(Sides::Left), Circle::new([0.0, 1.0], 1.25));
    assert_eq!(corner.len(), 2);
    assert_eq!(seen(&valley(Sides::Left), Circle::new([0.0, -1.0], 1.25)), []);
    assert_eq!(seen(&valley(Sides::Right), Circle::new([0.0, -1.0], 1.25)).len(), 1);
}

#[test]
fn a_thin_spike_has_its_tip() {
    // The tip turns by more than a right angle: seen from its own side, each flank has the ball
    // behind it, and the tip is still one contact.
    let spike = Chain::open(&[[-1.0, -8.0], [0.0, 0.0], [1.0, -8.0]]).unwrap();
    for sides in [Sides::Left, Sides::Both] {
        for [x, y] in [[0.0, 0.75], [0.6, 0.45], [-0.6, 0.45]] {
            let found = seen(&spike.clone().with_sides(sides), Circle::new([x, y], 1.0));
            let [(0, [normal_x, normal_y], _)] = found[..] else { panic!("{sides:?}: {found:?}") };
            let length = (x * x + y * y).sqrt();
            assert!((normal_x - x / length).abs() < 1e-6 && (normal_y - y / length).abs() < 1e-6);
        }
        let crate_on_top =
            seen(&spike.clone().with_sides(sides), Aabb::new([-2.0, -0.25], [2.0, 2.0]));
        assert_eq!(crate_on_top, [(0, [0.0, 1.0], 0.25), (1, [0.0, 1.0], 0.25)]);
    }
}

#[test]
fn a_box_beyond_a_joint_is_held_up_and_not_back() {
    let flat = Chain::open(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]).unwrap();
    // It ends at 4.125: the segment from 4 to 8 sees a sliver 0.125 wide and 0.25 deep.
    let sliding = Aabb::new([2.0, -0.25], [4.125, 1.0]);
    let up = [0.0, 1.0];
    assert_eq!(seen(&flat, sliding), [(0, up, 0.25), (1, up, 0.25)]);
    // As a segment without neighbours, it would be pushed back.
    let alone = Chain::open(&[[4.0, 0.0], [8.0, 0.0]]).unwrap();
    assert_eq!(seen(&alone, sliding), [(0, [-1.0, 0.0], 0.125)]);
    // The ids name the side of the segment and the vertices of the box.
    let segment = flat.segments().nth(1).unwrap();
    let found = contact_of(&posed(segment), &posed(sliding)).unwrap();
    let id = |vertex| ContactId::new(Feature::side(2), Feature::vertex(vertex));
    assert_eq!(found.points().len(), 2);
    assert!(found.points().iter().all(|point| point.id() == id(0) || point.id() == id(1)));
    assert_eq!(contact_of(&posed(sliding), &posed(segment)), Some(found.mirrored()));
    let [first, second] = [found.points()[0], found.points()[1]];
    let mut along = [first.x, second.x];
    along.sort_by(f32::total_cmp);
    assert_eq!((along, first.y, first.depth, second.depth), ([4.0, 4.125], -0.125, 0.25, 0.25));
    // Borrowed columns and an index.
    let index = {
        let mut ground = Shapes::new();
        ground.push_chain(&flat).unwrap();
        Index::build(&ground).unwrap()
    };
    let boxes = Columns::aabbs(&[2.0], &[-0.25], &[4.125], &[1.0]).unwrap();
    let mut hits = Vec::new();
    Detector::new().contacts((boxes, &index), 0.0, &mut hits).unwrap();
    assert!(hits.len() == 2 && hits.iter().all(|hit| hit.normal().to_array() == [0.0, -1.0]));
    // Beside the joint and not above it: within the margin, but no contact.
    let beside = Aabb::new([4.25, -0.25], [5.0, 1.0]);
    let mut shapes = Shapes::new();
    shapes.push(flat.segments().next().unwrap()).unwrap();
    shapes.push(beside).unwrap();
    assert_eq!(contacts(&shapes, 0.5), []);
}

#[test]
fn a_chain_of_one_side_meets_bodies_on_that_side_only() {
    let flat = |sides| Chain::open(&[[0.0, 0.0], [8.0, 0.0]]).unwrap().with_sides(sides);
    let above = Aabb::new([2.0, -0.25], [3.0, 1.0]);
    let below = Obb::new([2.5, -0.375], [0.5, 0.625], Rotation::IDENTITY);
    let (up, down) = (vec![(0, [0.0, 1.0], 0.25)], vec![(0, [0.0, -1.0], 0.25)]);
    assert_eq!(seen(&flat(Sides::Both), above), up);
    assert_eq!(seen(&flat(Sides::Left), above), up);
    assert_eq!(seen(&flat(Sides::Right), above), []);
    assert_eq!(seen(&flat(Sides::Both), below), down);
    assert_eq!(seen(&flat(Sides::Right), below), down);
    assert_eq!(seen(&flat(Sides::Left), below), []);
    // They touch nevertheless, as pairs.
    let mut shapes = Shapes::new();
    shapes.push_chain(&flat(Sides::Left)).unwrap();
    shapes.push(below).unwrap();
    assert_eq!(pairs(&shapes), [Pair { a: 0, b: 1 }]);
    // The free end of a segment with one side does not reach behind it.
    let around_the_end = Circle::new([8.5, 0.0], 1.0);
    assert_eq!(seen(&flat(Sides::Left), around_the_end), [(0, [1.0, 0.0], 0.5)]);
    assert_eq!(seen(&flat(Sides::Left), Circle::new([8.5, -0.25], 1.0)), []);
    assert_eq!(seen(&flat(Sides::Both), Circle::new([8.375, -0.5], 1.0)).len(), 1);
    // A ball whose centre is on the line is in front.
    assert_eq!(seen(&flat(Sides::Left), Circle::new([4.0, 0.0], 1.0)), [(0, [0.0, 1.0], 1.0)]);
    assert_eq!(seen(&flat(Sides::Right), Circle::new([4.0, 0.0], 1.0)), [(0, [0.0, -1.0], 1.0)]);
}

#[test]
fn chains_never_touch_chains() {
    let mut shapes = Shapes::new();
    shapes.push_chain(&Chain::closed(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]).unwrap()).unwrap();
    shapes.push_chain(&Chain::open(&[[1.0, -1.0], [1.0, 1.0]]).unwrap()).unwrap();
    assert_eq!(pairs(&shapes), []);
    assert_eq!(contacts(&shapes, 1.0), []);
    let [a, b] = [[[0.0, 0.0], [4.0, 0.0]], [[1.0, 3.0], [1.0, 5.0]]]
        .map(|[a, b]| posed(ChainSegment::new(a, b)));
    assert_eq!(time_of_impact(&b, [0.0, -9.0], &a, [0.0, 0.0], 1.0), Ok(None));
    // A capsule touches both segments, and so does a plain segment.
    shapes.push(Capsule::new([1.0, 0.0], [1.0, 0.5], 0.25)).unwrap();
    assert_eq!(pairs(&shapes), [[0, 4], [3, 4]].map(|[a, b]| Pair { a, b }));
}

#[test]
fn rows_stay_segments_of_chains() {
    let chain = ridge(Sides::Left);
    let segments: Vec<ChainSegment> = chain.segments().collect();
    let mut shapes = Shapes::new();
    shapes.push(Circle::new([0.0, 9.0], 1.0)).unwrap();
    assert_eq!(shapes.push_chain(&chain), Ok(1..3));
    assert_eq!(shapes.kind(2), Some(Kind::ChainSegment));
    assert_eq!(shapes.get(2), Some(segments[1].into()));
    let copies = [
        Shapes::from_columns(shapes.columns()).unwrap(),
        {
            let mut some = Shapes::new();
            some.extend_from_rows(shapes.columns(), &[0, 1, 2]).unwrap();
            some
        },
        {
            let mut turned = shapes.clone();
            turned.reorder(&[2, 1, 0]).unwrap();
            turned.reorder(&[2, 1, 0]).unwrap();
            turned
        },
    ];
    for copy in copies {
        assert_eq!([copy.get(1), copy.get(2)], [segments[0], segments[1]].map(|s| Some(s.into())));
    }
    // The top of the ridge comes to (0, 0) again, upside down: the former left side faces down.
    let half = Rotation { cos: -1.0, sin: 0.0 };
    for row in [1, 2] {
        let Pose { x, y, cos, sin } = shapes.pose(row).unwrap();
        shapes.set_pose(row, Pose::new([-x, -y], Rotation { cos: -cos, sin: -sin })).unwrap();
    }
    let Some(OwnedShape::ChainSegment(moved)) = shapes.get(2) else { panic!() };
    assert!(moved.b.distance([-8.0, 6.0].into()) < 1e-5, "{moved:?}");
    assert!(moved.before.unwrap().distance([8.0, 6.0].into()) < 1e-5, "{moved:?}");
    shapes.set(0, Circle::new([0.0, -0.75], 1.0)).unwrap();
    let found = contacts(&shapes, 0.0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].normal().y - 1.0).abs() < 1e-6 && found[0].pair == Pair { a: 0, b: 1 });
    let turned = posed_at(segments[0], Pose::new([4.0, 3.0], half));
    assert!(contact_of(&turned, &posed(Circle::new([4.0, 3.0], 0.5))).is_some());
    // Replaced, removed, filled again, cleared.
    shapes.set(1, Circle::new([50.0, 0.0], 1.0)).unwrap();
    assert_eq!(shapes.kind(1), Some(Kind::Circle));
    shapes.remove(2).unwrap();
    assert_eq!(contacts(&shapes, 0.0), []);
    shapes.set(2, segments[1]).unwrap();
    assert_eq!(shapes.get(2), Some(segments[1].into()));
    shapes.clear();
    assert_eq!(shapes.push_chain(&chain), Ok(0..2));
    // Only circles are left, in a store that has had segments of chains.
    for row in [0, 1] {
        shapes.set(row, Circle::new([row as f32, 0.0], 1.0)).unwrap();
    }
    assert_eq!(contacts(&shapes, 0.0).len(), 1);
    // A chain that does not fit is not appended.
    let far = Chain::open(&[[0.0, 0.0], [1.0, 0.0], [1.1e18, 1.1e18]]).unwrap();
    assert!(shapes.push_chain(&far).is_err());
    assert_eq!(shapes.rows(), 2);
}

#[test]
fn segments_that_repeat_a_vertex_are_refused() {
    let refused = |segment: ChainSegment| Shapes::new().push(segment).unwrap_err().to_string();
    let segment = ChainSegment::new([0.0, 0.0], [1.0, 0.0]);
    assert!(Shapes::new().push(segment).is_ok());
    let point = ChainSegment { b: segment.a, ..segment };
    assert_eq!(refused(point), "shape 0: bx is 0: the vertex repeats the vertex beside it");
    let twice = ChainSegment { before: Some(segment.a), ..segment };
    assert_eq!(refused(twice), "shape 0: x is 0: the vertex repeats the vertex beside it");
    let lost = ChainSegment { after: Some([2.0, f32::NAN].into()), ..segment };
    assert_eq!(refused(lost), "shape 0: y is NaN: not a number");
}

#[test]
fn queries_of_a_chain_have_the_values_by_hand() {
    let mut shapes = Shapes::new();
    shapes.push_chain(&ridge(Sides::Left)).unwrap();
    let index = Index::build(&shapes).unwrap();
    let down = index.cast_ray(Ray::new([4.0, 5.0], [0.0, -1.0])).unwrap().unwrap();
    assert_eq!((down.row, down.fraction, [down.normal_x, down.normal_y]), (1, 8.0, [0.6, 0.8]));
    // From below, a ray and a shape pass; a shape that starts below, too.
    assert_eq!(index.cast_ray(Ray::new([4.0, -9.0], [0.0, 1.0])).unwrap(), None);
    let ball = Circle::new([4.0, -9.0], 0.5);
    assert_eq!(index.cast_shape(ball, [0.0, 99.0], 1.0).unwrap(), None);
    let back = index.cast_shape(Circle::new([0.0, 9.0], 0.5), [0.0, -17.0], 1.0).unwrap().unwrap();
    assert_eq!((back.row, back.fraction, back.normal_y), (0, 0.5, 1.0));
    let inside = Circle::new([4.0, -3.25], 0.5);
    assert_eq!(index.cast_shape(inside, [0.0, 9.0], 1.0).unwrap(), None);
    // Overlap and distance see both sides.
    let mut rows = Vec::new();
    index.overlapping(inside, &mut rows).unwrap();
    assert_eq!(rows, [1]);
    let near = index.nearest(Circle::new([0.0, -5.0], 1.0), 99.0).unwrap().unwrap();
    assert_eq!((near.row, near.distance), (0, 3.0));
    // So do two shapes alone, and swept pairs.
    let [flat, ball] = [
        posed(ChainSegment { sides: Sides::Left, ..ChainSegment::new([0.0, 0.0], [8.0, 0.0]) }),
        posed(Circle::new([4.0, 5.0], 1.0)),
    ];
    let falls = time_of_impact(&ball, [0.0, -8.0], &flat, [0.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((falls.fraction, falls.normal_y), (0.5, 1.0));
    let rises = time_of_impact(&flat, [0.0, 8.0], &ball, [0.0, 0.0], 1.0).unwrap().unwrap();
    assert_eq!((rises.fraction, rises.normal_y), (0.5, -1.0));
    let below = posed(Circle::new([4.0, -5.0], 1.0));
    assert_eq!(time_of_impact(&below, [0.0, 90.0], &flat, [0.0, 0.0], 1.0), Ok(None));
    assert_eq!(time_of_impact(&flat, [0.0, -90.0], &below, [0.0, 0.0], 1.0), Ok(None));
    shapes.push(Circle::new([4.0, -9.0], 0.5)).unwrap();
    let (dx, mut impacts) = ([0.0; 3], Vec::new());
    Detector::new()
        .swept_pairs(
            &shapes,
            Displacements { x: &dx, y: &[0.0, 0.0, 99.0], ..Displacements::default() },
            &mut impacts,
        )
        .unwrap();
    assert_eq!(impacts, []);
    // With both sides, a ray from below stops.
    let mut both = Shapes::new();
    both.push_chain(&ridge(Sides::Both)).unwrap();
    let index = Index::build(&both).unwrap();
    let up = index.cast_ray(Ray::new([4.0, -9.0], [0.0, 1.0])).unwrap().unwrap();
    assert_eq!((up.row, up.fraction), (1, 6.0));
}

#[test]
fn row_by_row_and_by_pairs() {
    let flat = Chain::open(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]).unwrap();
    let mut ground = Shapes::new();
    ground.push_chain(&flat).unwrap();
    ground.push(flat.segments().next().unwrap()).unwrap();
    let boxes = [[3.0, 4.125], [2.0, 4.125], [4.5, 5.0]].map(|[left, right]| {
        Obb::new([(left + right) / 2.0, 0.25], [(right - left) / 2.0, 0.5], Rotation::IDENTITY)
    });
    let boxes = Shapes::from_slice(&boxes).unwrap();
    let mut narrowphase = Narrowphase::new();
    let mut columns = Default::default();
    narrowphase.row_contacts(&ground, &boxes, 0..3, 0.0, &mut columns).unwrap();
    let all: Vec<Contact> = (0..3).map(|row| columns.get(row).unwrap()).collect();
    let counts: Vec<usize> = all.iter().map(|contact| contact.points().len()).collect();
    assert_eq!(counts, [2, 2, 0]);
    assert!(all[..2].iter().all(|contact| contact.normal().to_array() == [0.0, 1.0]));
    let list: Vec<Pair> = (0..3).map(|row| Pair { a: row, b: row }).collect();
    let mut found = Vec::new();
    narrowphase.contacts_between(&ground, &boxes, &list, 0.0, &mut found).unwrap();
    assert_eq!(found, all[..2]);
    narrowphase.row_contacts(&ground, &boxes, 1..2, 0.0, &mut columns).unwrap();
    assert_eq!(columns.get(0), Some(all[1]));
}

#[test]
fn in_a_world() {
    let mut world = World::new();
    let fixed = WorldBody { motion: Motion::Static, ..WorldBody::default() };
    let flat = Chain::open(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]).unwrap();
    let ground: Vec<_> =
        flat.segments().map(|segment| world.insert(segment, fixed).unwrap()).collect();
    let floor = widephase::shape::HalfPlane::new([0.0, 1.0], -4.0);
    world.insert(floor, fixed).unwrap();
    let sliding = Aabb::new([2.0, -0.25], [4.125, 1.0]);
    let body = world.insert(sliding, WorldBody::default()).unwrap();
    world.insert(Circle::new([90.0, -3.5], 1.0), WorldBody::default()).unwrap();
    let step = world.step().unwrap();
    assert_eq!(step.pairs().len(), 3);
    let normals: Vec<_> = step.contacts().iter().map(|c| c.normal().to_array()).collect();
    // From the row of the ground to the row of the body, both for the chain and the floor.
    assert_eq!(normals, [[0.0, 1.0]; 3]);
    assert_eq!(world.shape(ground[0]), Ok(flat.segments().next().unwrap().into()));
    world.set_pose(body, Pose::at([3.0, 9.0])).unwrap();
    assert_eq!(world.step().unwrap().contacts().len(), 1);
    world.set_filter(body, Filter::ALL).unwrap();
    assert_eq!(
        world
            .index()
            .unwrap()
            .cast_ray(Ray::new([1.0, 5.0], [0.0, -1.0]))
            .unwrap()
            .unwrap()
            .fraction,
        5.0
    );
}

/// Neighbour lists are about distances, which joints do not change.
#[test]
fn neighbour_lists_are_geometric() {
    let flat = Chain::open(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]).unwrap().with_sides(Sides::Left);
    let mut shapes = Shapes::new();
    shapes.push_chain(&flat).unwrap();
    shapes.push(Circle::new([5.5, -1.0], 0.5)).unwrap();
    let mut lists = Default::default();
    Detector::new().neighbors(&shapes, 2.0, Adjacency::Full, &mut lists).unwrap();
    assert_eq!(lists.get(2), [0, 1]);
}
