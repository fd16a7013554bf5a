//! Boxes and cells merged to outlines: beside a tracer of cells and areas by counting, and shapes
//! on floors of tiles.

use common::crowd::PosedShape;
use std::collections::BTreeSet;

use widephase::{
    Detector, Error, Index, Shapes,
    error::{Fault, Field},
    glam::Vec2,
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, Obb, Outline, OwnedShape, Pose, Rotation, RoundedBox,
        Sides,
    },
};

use crate::{
    random_rings::{Cells, straightened},
    touching_rings::{Whole, check, cross},
};
use common::Rng;

fn whole(ring: &[Vec2]) -> Vec<Whole> {
    ring.iter().map(|at| [at.x as i64, at.y as i64]).collect()
}

/// Rings as a set: each from its least vertex on. If this vertex is visited twice, the lesser ring
/// of both.
fn canonical(rings: impl IntoIterator<Item = Vec<Whole>>) -> BTreeSet<Vec<Whole>> {
    let from_least = |ring: Vec<Whole>| {
        let turned = (0..ring.len()).map(|first| {
            let mut ring = ring.clone();
            ring.rotate_left(first);
            ring
        });
        turned.min().unwrap()
    };
    rings.into_iter().map(from_least).collect()
}

fn area_twice(ring: &[Whole]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

/// Conditions that hold for every list of outlines.
fn check_form(outlines: &[Outline]) {
    let first = |ring: &[Vec2]| (ring[0].x, ring[0].y);
    assert!(outlines.windows(2).all(|pair| first(&pair[0].outer) <= first(&pair[1].outer)));
    for outline in outlines {
        assert!(outline.holes.windows(2).all(|pair| first(&pair[0]) <= first(&pair[1])));
        for ring in outline.rings() {
            let least = ring.iter().map(|at| (at.x, at.y)).min_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(Some(first(ring)), least);
        }
        for chain in outline.chains().unwrap() {
            assert_eq!((chain.is_closed(), chain.sides()), (true, Sides::Right));
        }
    }
}

/// The outlines of a map as by the tracer of the tests: the rings of each.
fn traced(cells: &Cells) -> BTreeSet<BTreeSet<Vec<Whole>>> {
    let loops = cells.loops(true).into_iter();
    loops.map(|rings| canonical(rings.iter().map(|ring| straightened(ring)))).collect()
}

fn as_sets(outlines: &[Outline]) -> BTreeSet<BTreeSet<Vec<Whole>>> {
    outlines.iter().map(|outline| canonical(outline.rings().map(whole))).collect()
}

/// Whole numbers to increasing coordinates of any size.
fn stretch(rng: &mut Rng, len: usize) -> Vec<f32> {
    let mut lines: Vec<f32> = Vec::new();
    while lines.len() < len {
        lines.push(match rng.below(4) {
            0 => rng.range(-1.0, 1.0),
            1 => rng.range(-1e6, 1e6),
            2 => rng.range(-1e-30, 1e-30),
            _ => rng.int(-3, 3) as f32 * 0.1,
        });
        lines.sort_by(f32::total_cmp);
        lines.dedup();
    }
    lines
}

#[test]
fn cells_and_their_boxes_have_the_outlines_of_the_tracer() {
    let (mut holes, mut corners) = (0, 0);
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let cells = Cells::random(&mut rng, 9);
        let size = [cells.width as usize, cells.height as usize];
        let solid = |column: usize, row: usize| cells.is_solid([column as i64, row as i64]);
        let outlines = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], size, solid).unwrap();
        check_form(&outlines);
        assert_eq!(as_sets(&outlines), traced(&cells), "seed {seed}");
        holes += outlines.iter().map(|outline| outline.holes.len()).sum::<usize>();

        let mut boxes = Vec::new();
        for (column, row) in (0..size[0]).flat_map(|x| (0..size[1]).map(move |y| (x, y))) {
            if solid(column, row) {
                let [x, y] = [column as f32, row as f32];
                boxes.push(Aabb::new([x, y], [x + 1.0, y + 1.0]));
            }
        }
        rng.shuffle(&mut boxes);
        assert_eq!(Outline::merge_boxes(&boxes).unwrap(), outlines, "seed {seed}");
        // Larger boxes within the solid, boxes again, and boxes without area change nothing.
        for _ in 0..rng.below(10) {
            let [x, y] = [rng.int(0, cells.width), rng.int(0, cells.height)];
            let [w, h] = [rng.int(0, 4).min(cells.width - x), rng.int(0, 4).min(cells.height - y)];
            let mut within = (x..x + w).flat_map(|x| (y..y + h).map(move |y| [x, y]));
            if within.all(|cell| cells.is_solid(cell)) {
                let [min, max] = [[x, y], [x + w, y + h]].map(|at| at.map(|value| value as f32));
                boxes.push(Aabb::new(min, max));
            }
        }
        rng.shuffle(&mut boxes);
        assert_eq!(Outline::merge_boxes(&boxes).unwrap(), outlines, "seed {seed}");
        // The same with any coordinates.
        let (xs, ys) = (stretch(&mut rng, size[0] + 1), stretch(&mut rng, size[1] + 1));
        let stretched = |at: Vec2| Vec2::new(xs[at.x as usize], ys[at.y as usize]);
        for one in &mut boxes {
            let corners = [[one.min_x, one.min_y], [one.max_x, one.max_y]];
            let [min, max] = corners.map(|corner| stretched(corner.into()));
            *one = Aabb::new(min, max);
        }
        let expected: Vec<Outline> = outlines
            .iter()
            .map(|outline| {
                let ring = |ring: &Vec<Vec2>| ring.iter().map(|at| stretched(*at)).collect();
                Outline {
                    outer: ring(&outline.outer),
                    holes: outline.holes.iter().map(ring).collect(),
                }
            })
            .collect();
        let merged = Outline::merge_boxes(&boxes).unwrap();
        check_form(&merged);
        assert_eq!(merged, expected, "seed {seed}");
        // All outlines are areas of the right size.
        let mut sum = 0.0;
        for outline in &outlines {
            let ring = |ring: &Vec<Vec2>| ring.iter().map(|at| at.to_array()).collect::<Vec<_>>();
            let holes: Vec<_> = outline.holes.iter().map(ring).collect();
            sum += check(&ring(&outline.outer), &holes, &format!("seed {seed}")).0;
            let compound = outline.compound().unwrap();
            assert!(!compound.parts().is_empty());
            let mut points = outline.rings().flat_map(whole).collect::<Vec<_>>();
            let len = points.len();
            points.sort_unstable();
            points.dedup();
            corners += usize::from(points.len() < len);
        }
        let count = cells.solid.iter().filter(|solid| **solid).count();
        assert_eq!(sum, 2.0 * count as f64, "seed {seed}");
    }
    assert!(holes > 2000 && corners > 2000, "{holes} {corners}");
}

/// Boxes of any whole numbers: areas and turns by counting unit cells.
#[test]
fn boxes_that_overlap() {
    let mut vertices = 0;
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let size = rng.int(2, 24);
        let boxes: Vec<Aabb> = (0..rng.below(30))
            .map(|_| {
                let mut span = || {
                    let (a, b) = (rng.int(0, size), rng.int(0, size));
                    [a.min(b) as f32, a.max(b).min(a.min(b) + 6) as f32]
                };
                let ([left, right], [lower, upper]) = (span(), span());
                Aabb::new([left, lower], [right, upper])
            })
            .collect();
        let covers = |x: i64, y: i64| {
            let [x, y] = [x, y].map(|value| value as f32 + 0.5);
            boxes.iter().any(|one| one.min_x < x && x < one.max_x && one.min_y < y && y < one.max_y)
        };
        let all = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let cells =
            Cells { width: size, height: size, solid: all.map(|(x, y)| covers(x, y)).collect() };
        let outlines = Outline::merge_boxes(&boxes).unwrap();
        check_form(&outlines);
        assert_eq!(as_sets(&outlines), traced(&cells), "seed {seed}");
        vertices += outlines.iter().flat_map(Outline::rings).map(<[Vec2]>::len).sum::<usize>();
    }
    assert!(vertices > 50_000, "{vertices}");
}

#[test]
fn rings_turn_right_where_two_cells_touch_at_a_corner() {
    // A square of cells around a gap, without two opposite corners; and two cells.
    let boxes = |cells: &[[i16; 2]]| -> Vec<Aabb> {
        let corner = |cell: &[i16; 2]| cell.map(f32::from);
        cells
            .iter()
            .map(|cell| Aabb::new(corner(cell), corner(&[cell[0] + 1, cell[1] + 1])))
            .collect()
    };
    let rings = |cells: &[[i16; 2]]| {
        let outlines = Outline::merge_boxes(&boxes(cells)).unwrap();
        assert_eq!(outlines.len(), 1);
        outlines[0].rings().map(whole).collect::<Vec<_>>()
    };
    let rising = vec![[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [1, 2], [1, 1], [0, 1]];
    assert_eq!(rings(&[[0, 0], [1, 1]]), std::slice::from_ref(&rising));
    let falling = vec![[0, 1], [1, 1], [1, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    assert_eq!(rings(&[[0, 1], [1, 0]]), std::slice::from_ref(&falling));
    for ring in [rising, falling] {
        // The two visits of (1, 1) are right turns, all others are left turns.
        for k in 0..8 {
            let [a, b, c] = [k, k + 1, k + 2].map(|k| ring[k % 8]);
            assert_eq!(cross(a, b, c) < 0, b == [1, 1]);
        }
    }
    let diamond = rings(&[[1, 0], [0, 1], [2, 1], [1, 2]]);
    assert_eq!(diamond.len(), 2);
    assert_eq!(diamond[1], [[1, 1], [1, 2], [2, 2], [2, 1]]);
    assert_eq!((diamond[0].len(), area_twice(&diamond[0])), (12, 10));
    // A gap of two cells that touch at a corner is two gaps.
    let mut block: Vec<[i16; 2]> = (0..4).flat_map(|x| (0..4).map(move |y| [x, y])).collect();
    block.retain(|cell| ![[1, 1], [2, 2]].contains(cell));
    assert_eq!(rings(&block).len(), 3);
}

#[test]
fn grids_at_any_place() {
    let solid = |column: usize, row: usize| !(column + row).is_multiple_of(3);
    for (origin, cell) in
        [([0.0, 0.0], [16.0, 16.0]), ([-7.3, 1e3], [0.1, 0.7]), ([1e6, 3.0], [0.25, 1e-3])]
    {
        let outlines = Outline::trace_cells(origin, cell, [40, 30], solid).unwrap();
        check_form(&outlines);
        let line = |axis: usize, k: usize| {
            (f64::from(origin[axis]) + k as f64 * f64::from(cell[axis])) as f32
        };
        let unit = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [40, 30], solid).unwrap();
        let all = |outlines: &[Outline]| -> Vec<Vec2> {
            outlines
                .iter()
                .flat_map(|outline| outline.rings().flatten().copied().collect::<Vec<_>>())
                .collect()
        };
        let expected: Vec<Vec2> = all(&unit)
            .iter()
            .map(|at| Vec2::new(line(0, at.x as usize), line(1, at.y as usize)))
            .collect();
        assert_eq!(all(&outlines), expected);
    }
    // Lines that are rounded to one line: 16 cells of 1/4 between 2^24 and 2^24 + 4.
    let far = (1 << 24) as f32;
    let cells = Outline::trace_cells([far, 0.0], [0.25, 1.0], [16, 1], |_, _| true).unwrap();
    assert_eq!(cells.len(), 1);
    assert_eq!(
        cells[0].outer,
        [[far, 0.0], [far + 4.0, 0.0], [far + 4.0, 1.0], [far, 1.0]].map(Vec2::from)
    );
    // A run of cells that is lost is refused.
    for (columns, [width, height]) in [([3, 1], [0.25, 1.0]), ([1, 3], [1.0, 0.25])] {
        let origin = if width < 1.0 { [far, 0.0] } else { [0.0, far] };
        let lost = Outline::trace_cells(origin, [width, height], columns, |_, _| true);
        assert_eq!(lost, Err(Error::InvalidCellSize { value: 0.25 }));
    }
    let some = Outline::trace_cells([far, 0.0], [0.25, 1.0], [16, 1], |column, _| column == 9);
    assert_eq!(some, Err(Error::InvalidCellSize { value: 0.25 }));
    let none = Outline::trace_cells([far, 0.0], [0.25, 1.0], [16, 1], |_, _| false);
    assert_eq!(none, Ok(vec![]));
    let nothing = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [0, 5], |_, _| true);
    assert_eq!(nothing, Ok(vec![]));
    assert_eq!(Outline::merge_boxes(&[]), Ok(vec![]));
}

#[test]
fn bad_boxes_and_cells_are_refused() {
    let error = |index, field, value, fault| Error::InvalidShape { index, field, value, fault };
    let fine = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    let inverted = Aabb::new([1.0, 0.0], [0.0, 1.0]);
    let refused = Outline::merge_boxes(&[fine, inverted]);
    assert_eq!(refused, Err(error(1, Field::MinX, 1.0, Fault::Inverted { max: 0.0 })));
    let endless = Aabb::new([0.0, 0.0], [1.0, f32::INFINITY]);
    let refused = Outline::merge_boxes(&[endless]);
    assert_eq!(refused, Err(error(0, Field::MaxY, f32::INFINITY, Fault::Infinite)));
    for value in [0.0, -1.0, f32::INFINITY] {
        for cell in [[value, 1.0], [1.0, value]] {
            let refused = Outline::trace_cells([0.0, 0.0], cell, [1, 1], |_, _| true);
            assert_eq!(refused, Err(Error::InvalidCellSize { value }));
        }
    }
    let nan = Outline::trace_cells([0.0, 0.0], [f32::NAN, 1.0], [1, 1], |_, _| true);
    assert!(matches!(nan, Err(Error::InvalidCellSize { .. })));
    let large = Outline::trace_cells([0.0, 0.0], [1e18, 1.0], [2, 1], |_, _| true);
    assert_eq!(large, Err(error(0, Field::MaxX, 2e18, Fault::TooLarge)));
    let calls = Outline::trace_cells([f32::NAN, 0.0], [1.0, 1.0], [1, 1], |_, _| panic!());
    assert!(matches!(calls, Err(Error::InvalidShape { index: 0, field: Field::MinX, .. })));
}

/// Many boxes take memory in proportion to boxes and vertices, not to the square of their sides.
#[test]
fn many_merged_boxes_take_memory_in_proportion() {
    // 40,000 boxes with 160,000 different coordinates, in a staircase and nested.
    let stairs: Vec<Aabb> =
        (0..40_000).map(|k| Aabb::centered([k as f32, k as f32 * 2.0], [0.75, 1.5])).collect();
    let outlines = Outline::merge_boxes(&stairs).unwrap();
    assert_eq!((outlines.len(), outlines[0].holes.len()), (1, 0));
    assert_eq!(outlines[0].outer.len(), 4 * 40_000);
    let nested: Vec<Aabb> =
        (1..40_000).map(|k| Aabb::centered([0.0, 0.0], [k as f32, k as f32])).collect();
    let outlines = Outline::merge_boxes(&nested).unwrap();
    assert_eq!((outlines.len(), outlines[0].outer.len()), (1, 4));
    let wide = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [1000, 200], |_, row| row < 150);
    assert_eq!(wide.unwrap()[0].outer.len(), 4);
}

/// Shapes of each kind, each with its lowest point at the origin.
fn standing(rng: &mut Rng) -> OwnedShape {
    let tilt = Rotation::from_angle(rng.range(-3.0, 3.0));
    let raised = |points: &[[f32; 2]], radius: f32| {
        let lowest = points.iter().map(|[_, y]| *y - radius).fold(f32::INFINITY, f32::min);
        points.iter().map(|[x, y]| [*x, *y - lowest]).collect::<Vec<_>>()
    };
    let mut size = || rng.range(0.2, 2.0);
    let [w, h, r] = [size(), size(), size()];
    match rng.below(6) {
        0 => Circle::new([0.0, r], r).into(),
        1 => Aabb::new([-w, 0.0], [w, 2.0 * h]).into(),
        2 => RoundedBox::new(Aabb::new([-w, r], [w, r + h]), r).into(),
        3 => {
            let [x, y] = tilt.apply([w, 0.0]);
            let ends = raised(&[[-x, -y], [x, y]], r);
            Capsule::new(ends[0], ends[1], r).into()
        }
        4 => {
            let corners = [[-w, -h], [w, -h], [w, h], [-w, h]].map(|corner| tilt.apply(corner));
            let y = raised(&corners, 0.0)[0][1] - corners[0][1];
            Obb::new([0.0, y], [w, h], tilt).into()
        }
        _ => {
            let corner = |k: usize| Rotation::from_angle(k as f32).apply([w, h]);
            let corners: Vec<[f32; 2]> = (0..6).map(corner).collect();
            ConvexPolygon::new(&raised(&corners, 0.0)).unwrap().into()
        }
    }
}

/// A floor of tiles, as boxes and merged.
fn floor(columns: usize) -> (Shapes, Shapes) {
    let (mut tiles, mut merged) = (Shapes::new(), Shapes::new());
    let size = [0.5, 0.25];
    let line = |k: usize, axis: usize| k as f32 * size[axis] - 3.0;
    for (column, row) in (0..columns).flat_map(|column| (0..3).map(move |row| (column, row))) {
        let min = [line(column, 0), line(row, 1)];
        tiles.push(Aabb::new(min, [line(column + 1, 0), line(row + 1, 1)])).unwrap();
    }
    let outlines = Outline::trace_cells([-3.0, -3.0], size, [columns, 3], |_, _| true).unwrap();
    for chain in outlines.iter().flat_map(|outline| outline.chains().unwrap()) {
        merged.push_chain(&chain).unwrap();
    }
    (tiles, merged)
}

/// The contacts of bodies with a ground, as normals from the ground, by body.
fn normals(bodies: &Shapes, ground: &Shapes) -> Vec<(u32, Vec2, f32)> {
    let index = Index::build(ground).unwrap();
    let mut contacts = Vec::new();
    Detector::new().contacts((bodies, &index), 0.0, &mut contacts).unwrap();
    contacts.iter().map(|contact| (contact.pair.a, -contact.normal(), contact.depth)).collect()
}

#[test]
fn nothing_catches_on_a_floor_of_merged_tiles() {
    let (tiles, merged) = floor(100);
    assert_eq!((tiles.len(), merged.len()), (300, 4));
    let mut rng = Rng::new(7);
    let mut bodies = Shapes::new();
    const COUNT: u32 = 6000;
    for _ in 0..COUNT {
        // Sunk in by up to 0.19: the middle is above the floor. Also exactly at joints.
        let joint = rng.int(12, 80) as f32 * 0.5 - 3.0;
        let x =
            [joint, joint + rng.range(-0.01, 0.01), rng.range(3.0, 37.0)][rng.below(3) as usize];
        let shape = standing(&mut rng);
        let own = PosedShape::from(shape.clone()).pose();
        let y = -2.25 - rng.range(0.0, 0.19);
        let rotation = Rotation { cos: own.cos, sin: own.sin };
        bodies.push_at(&shape, Pose::new([own.x + x, own.y + y], rotation)).unwrap();
    }
    let found = normals(&bodies, &merged);
    let mut touched = vec![0; COUNT as usize];
    for (body, normal, depth) in found {
        assert_eq!(normal, Vec2::Y, "body {body}, depth {depth}");
        touched[body as usize] += 1;
    }
    assert!(touched.iter().all(|count| *count == 1));
    // The tiles themselves push aside.
    let aside = normals(&bodies, &tiles).iter().filter(|(_, normal, _)| normal.y < 0.9).count();
    assert!(aside > 1000, "{aside}");
}

/// Stairs, a pit and diagonal neighbours: contacts push along the sides of the map only.
#[test]
fn bodies_slide_over_a_merged_map() {
    let map = [
        "#          #",
        "#     #    #",
        "#    # #   #",
        "#        ###",
        "###   ######",
        "####  ######",
        "############",
    ];
    let solid = |column: usize, row: usize| map[6 - row].as_bytes()[column] == b'#';
    let outlines = Outline::trace_cells([0.0, 0.0], [2.0, 2.0], [12, 7], solid).unwrap();
    let mut ground = Shapes::new();
    for outline in &outlines {
        for chain in outline.chains().unwrap() {
            ground.push_chain(&chain).unwrap();
        }
    }
    let is_solid = |x: f32, y: f32| {
        let [column, row] = [x, y].map(|value| (value / 2.0).floor());
        (0.0..12.0).contains(&column)
            && (0.0..7.0).contains(&row)
            && solid(column as usize, row as usize)
    };
    // A box of 1 x 1 that slides along each flat stretch, sunk in by 0.01, in steps that put it
    // before, on and behind each line between cells.
    let mut rng = Rng::new(11);
    let (mut bodies, mut expected) = (Shapes::new(), Vec::new());
    for row in 0..7 {
        for step in 1..240 {
            let (x, y) = (step as f32 * 0.1, row as f32 * 2.0 + 2.0);
            // The floor goes on below the whole box, and nothing is beside or above it.
            let below = [-0.5, 0.0, 0.5].iter().all(|dx| is_solid(x + dx, y - 0.1));
            let free = [-0.51, 0.0, 0.51]
                .iter()
                .all(|dx| [0.1, 0.99].iter().all(|dy| !is_solid(x + dx, y + dy)));
            if below && free {
                let at = Vec2::new(x, y - 0.01);
                match rng.below(3) {
                    0 => {
                        bodies.push(Aabb::new(at + Vec2::new(-0.5, 0.0), at + Vec2::new(0.5, 1.0)))
                    }
                    1 => bodies.push(Circle::new(at + Vec2::new(0.0, 0.5), 0.5)),
                    _ => bodies.push(Capsule::new(
                        at + Vec2::new(-0.25, 0.25),
                        at + Vec2::new(0.25, 0.25),
                        0.25,
                    )),
                }
                .unwrap();
                expected.push(y);
            }
        }
    }
    assert!(expected.len() > 150, "{}", expected.len());
    let mut touched = vec![false; expected.len()];
    for (body, normal, depth) in normals(&bodies, &ground) {
        assert_eq!(normal, Vec2::Y, "body {body}");
        assert!((depth - 0.01).abs() < 1e-5, "body {body}: {depth}");
        touched[body as usize] = true;
    }
    assert!(touched.iter().all(|touched| *touched));
}

#[test]
fn chains_of_a_ring_with_gaps_face_the_gaps() {
    let frame = Outline::trace_cells([0.0, 0.0], [1.0, 1.0], [5, 5], |column, row| {
        !(1..4).contains(&column) || !(1..4).contains(&row)
    })
    .unwrap();
    let chains = frame[0].chains().unwrap();
    assert_eq!(chains.iter().map(|chain| chain.segments().len()).collect::<Vec<_>>(), [4, 4]);
    let mut ground = Shapes::new();
    for chain in &chains {
        ground.push_chain(chain).unwrap();
    }
    let mut bodies = Shapes::new();
    // In the corner of the gap, and on top of the frame.
    bodies.push(Circle::new([1.9, 1.9], 1.0)).unwrap();
    bodies.push(Circle::new([2.5, 5.9], 1.0)).unwrap();
    let mut found = normals(&bodies, &ground);
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.x.total_cmp(&b.1.x)));
    let found: Vec<_> = found.iter().map(|(body, normal, _)| (*body, *normal)).collect();
    assert_eq!(found, [(0, Vec2::Y), (0, Vec2::X), (1, Vec2::Y)]);
}
