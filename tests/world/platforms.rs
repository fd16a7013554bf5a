//! Characters on platforms with one side and at ledges: real loops of frames, beside a line and a
//! distance in `f64`.

use widephase::{
    Body, Handle, Motion, World,
    narrowphase::closest_points,
    shape::{
        Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, Obb, Outline, OwnedShape, Pose,
        Rotation, RoundedBox, Segment, Sides,
    },
    world::{SlideEnd, SlideHit, SlideOptions},
};

use common::{Rng, product};

const GAP: f64 = 0.01;

/// How far results may be from the numbers of `f64`.
const NEAR: f64 = 1e-4;

/// A character, with its pose at the origin: its shape, and discs whose hull, of a compound in
/// parts, is the shape.
struct Hero {
    name: &'static str,
    shape: OwnedShape,
    discs: Vec<([f32; 2], f32)>,
    turns: bool,
}

fn corners(x: f32, y: f32) -> [[f32; 2]; 4] {
    [[-x, -y], [x, -y], [x, y], [-x, y]]
}

fn heroes() -> Vec<Hero> {
    let hero = |name, shape, points: &[[f32; 2]], radius, turns| {
        let discs = points.iter().map(|point| (*point, radius)).collect();
        Hero { name, shape, discs, turns }
    };
    let lean = Rotation::from_angle(0.4);
    let leaning = corners(0.4, 0.8).map(|corner| lean.apply(corner));
    let hexagon = [[0.5, 0.0], [0.25, 0.9], [-0.25, 0.9], [-0.5, 0.0], [-0.25, -0.7], [0.3, -0.7]];
    let polygon = ConvexPolygon::new(&hexagon).unwrap();
    let legs = ConvexPolygon::new(&[[-0.2, -1.0], [0.2, -1.0], [0.2, 0.2], [-0.2, 0.2]]).unwrap();
    let head = ConvexPolygon::new(&[[-0.6, 0.2], [0.6, 0.2], [0.6, 0.7], [-0.6, 0.7]]).unwrap();
    let body: Vec<[f32; 2]> =
        [&legs, &head].iter().flat_map(|part| part.vertices()).map(|v| v.to_array()).collect();
    let capsule = Capsule::new([0.0, -0.5], [0.0, 0.5], 0.4);
    vec![
        hero("circle", Circle::new([0.0, 0.0], 0.5).into(), &[[0.0, 0.0]], 0.5, true),
        hero("box", Aabb::new([-0.5, -1.0], [0.5, 1.0]).into(), &corners(0.5, 1.0), 0.0, false),
        hero(
            "rounded box",
            RoundedBox::new(Aabb::new([-0.3, -0.8], [0.3, 0.8]), 0.2).into(),
            &corners(0.3, 0.8),
            0.2,
            false,
        ),
        hero("capsule", capsule.into(), &[[0.0, -0.5], [0.0, 0.5]], 0.4, true),
        hero("leaning box", Obb::new([0.0, 0.0], [0.4, 0.8], lean).into(), &leaning, 0.0, true),
        hero("polygon", polygon.into(), &hexagon, 0.0, true),
        hero("compound", Compound::new([legs, head]).unwrap().into(), &body, 0.0, true),
    ]
}

/// A direction that is up, and the ground in its frame.
#[derive(Debug, Clone, Copy)]
struct Frame {
    turn: Rotation,
    /// The height of a line by its width.
    slope: f32,
    /// Whether chains are drawn from right to left, with contacts on their right side.
    back: bool,
}

impl Frame {
    fn up(&self) -> [f32; 2] {
        self.turn.apply([0.0, 1.0])
    }

    /// The normal of lines.
    fn normal(&self) -> [f64; 2] {
        let slope = f64::from(self.slope);
        let length = slope.hypot(1.0);
        rotated(self.turn, [-slope / length, 1.0 / length])
    }

    /// The height above a line, along its normal, up to which a hero stands on it: along the
    /// direction that is up, half the gap more than the gap.
    fn standing(&self) -> f64 {
        GAP + 0.5 * GAP / f64::from(self.slope).hypot(1.0)
    }

    /// A chain with one side through points of the frame, in pieces.
    fn chain(&self, line: &[[f32; 2]]) -> Chain {
        let mut line: Vec<[f32; 2]> = line.iter().map(|at| self.turn.apply(*at)).collect();
        if self.back {
            line.reverse();
        }
        let sides = if self.back { Sides::Right } else { Sides::Left };
        Chain::open(&line).unwrap().with_sides(sides)
    }

    /// A line of `pieces` segments at this height, 40 long.
    fn line(&self, height: f32, pieces: usize) -> Chain {
        let at = |number: usize| {
            let x = 40.0 * number as f32 / pieces as f32 - 20.0;
            [x, height + x * self.slope]
        };
        self.chain(&(0..=pieces).map(at).collect::<Vec<_>>())
    }

    /// The height of a hero above a line, along the normal of the line.
    fn above(&self, hero: &Hero, pose: Pose, height: f32) -> f64 {
        let normal = self.normal();
        let dot = |at: [f64; 2]| at[0] * normal[0] + at[1] * normal[1];
        let low = hero.discs.iter().map(|(point, radius)| {
            let point = point.map(f64::from);
            let point = if hero.turns { rotated(self.turn, point) } else { point };
            dot(point) - f64::from(*radius)
        });
        let low = low.fold(f64::INFINITY, f64::min);
        let line = rotated(self.turn, [0.0, height.into()]);
        low + dot([pose.x.into(), pose.y.into()]) - dot(line)
    }
}

fn rotated(turn: Rotation, [x, y]: [f64; 2]) -> [f64; 2] {
    let (sin, cos) = (f64::from(turn.sin), f64::from(turn.cos));
    [x * cos - y * sin, x * sin + y * cos]
}

/// Frames that a hero can have: up in several directions, mirrored, and with lines that slope.
fn frames(hero: &Hero) -> Vec<Frame> {
    let half = std::f32::consts::PI;
    let turns: &[f32] = if hero.turns { &[0.0, half, 1.0, -2.2] } else { &[0.0, half] };
    let frame = |turn: f32, slope, back| Frame { turn: Rotation::from_angle(turn), slope, back };
    turns
        .iter()
        .flat_map(|turn| {
            [(0.0, false), (0.0, true), (0.4, false), (-0.7, true)]
                .map(|(slope, back)| frame(*turn, slope, back))
        })
        .collect()
}

fn fixed() -> Body {
    Body { motion: Motion::Static, ..Body::default() }
}

/// A world of chains and a hero.
struct Scene {
    world: World,
    hero: Handle,
    options: SlideOptions,
    hits: Vec<SlideHit>,
}

impl Scene {
    fn new(hero: &Hero, frame: &Frame, chains: &[Chain]) -> Self {
        let mut world = World::new();
        for segment in chains.iter().flat_map(Chain::segments) {
            world.insert(segment, fixed()).unwrap();
        }
        let own = world.insert(&hero.shape, Body::default()).unwrap();
        let pose = world.pose(own).unwrap();
        assert_eq!([pose.x, pose.y], [0.0, 0.0]);
        if hero.turns {
            let turn = Rotation::from_angle(pose.rotation().angle() + frame.turn.angle());
            world.set_pose(own, Pose { cos: turn.cos, sin: turn.sin, ..pose }).unwrap();
        }
        let options = SlideOptions { up: frame.up(), ..SlideOptions::default() };
        Self { world, hero: own, options, hits: Vec::new() }
    }

    fn pose(&self) -> Pose {
        self.world.pose(self.hero).unwrap()
    }

    /// Puts the hero to a place of a frame.
    fn put(&mut self, frame: &Frame, at: [f32; 2]) {
        let [x, y] = frame.turn.apply(at);
        self.world.set_pose(self.hero, Pose { x, y, ..self.pose() }).unwrap();
    }

    /// Moves the hero by a displacement of a frame.
    fn slide(&mut self, frame: &Frame, by: [f32; 2]) -> SlideEnd {
        let by = frame.turn.apply(by);
        let end = self.world.move_and_slide(self.hero, by, &self.options, &mut self.hits).unwrap();
        self.world.set_pose(self.hero, end.pose).unwrap();
        end
    }
}

/// The box of the issue.
#[test]
fn a_box_across_a_platform_stays() {
    let line = [[-5.0, 0.0], [5.0, 0.0]];
    let chain = Chain::open(&line).unwrap().with_sides(Sides::Left);
    let frame = Frame { turn: Rotation::IDENTITY, slope: 0.0, back: false };
    let mut scene = Scene::new(&heroes()[1], &frame, &[chain]);
    scene.put(&frame, [0.0, 0.1]);
    for by in [[0.0, 0.0], [0.0, -0.25], [1.0, 0.0], [-2.0, -0.125], [0.0, 0.25]] {
        let before = scene.pose();
        let end = scene.slide(&frame, by);
        assert_eq!([end.pose.x - before.x, end.pose.y - before.y], by);
        assert!(scene.hits.is_empty() && end.ground.is_none());
    }
}

/// The ledge of the issue.
#[test]
fn over_an_abyss_there_is_no_ground() {
    let mut world = World::new();
    let floor = world.insert(Aabb::new([-9.0, -1.0], [0.0, 0.0]), fixed()).unwrap();
    let body = world.insert(Aabb::new([-0.5, -1.0], [0.5, 1.0]), Body::default()).unwrap();
    let mut hits = Vec::new();
    for (x, by, stands) in [
        (-1.5, [3.0, -0.1], false),
        (-1.5, [1.0, -0.1], true),
        (-1.5, [0.0, 0.0], true),
        (-1.5, [1.9, 0.0], true),
        (-1.5, [2.1, 0.0], false),
        (-1.5, [0.0, 0.1], false),
        (-1.5, [30.0, -20.0], false),
    ] {
        world.set_pose(body, Pose::at([x, 1.01])).unwrap();
        let end = world.move_and_slide(body, by, &SlideOptions::default(), &mut hits).unwrap();
        let ground = end.ground.map(|ground| ground.body);
        assert_eq!(ground, stands.then_some(floor), "{by:?}: {end:?}");
        assert_eq!(hits.len(), usize::from(by[1] < 0.0), "{by:?}");
    }
}

/// From any depth, a hero that is across a platform is neither held nor thrown: it stays where it
/// is, and moves wherever it is moved.
#[test]
fn what_is_across_is_neither_held_nor_thrown() {
    for hero in heroes() {
        for (frame, pieces) in product((frames(&hero), [1, 7, 40])) {
            let mut scene = Scene::new(&hero, &frame, &[frame.line(0.0, pieces)]);
            let lowest = frame.above(&hero, Pose::default(), 0.0) as f32;
            let length = frame.slope.hypot(1.0);
            let depths = [5e-4, 0.004, 0.03, 0.3, 0.6, 0.9, -1.02 * lowest];
            let ways = [[0.0, 0.0], [0.0, -0.2], [0.3, -0.1], [-4.0, -0.3], [0.1, 0.31]];
            for (depth, x, by) in product((depths, [0.3, 0.0, -1.37], ways)) {
                let at = [x, x * frame.slope - (lowest + depth) * length];
                scene.put(&frame, at);
                let start = scene.pose();
                let what = || format!("{}, {pieces}, {depth} deep at {at:?} by {by:?}", hero.name);
                let deep = -frame.above(&hero, start, 0.0);
                assert!((deep - f64::from(depth)).abs() < 1e-5, "{}: {deep}", what());
                let end = scene.slide(&frame, by);
                let way = frame.turn.apply(by);
                let [x, y] = [end.pose.x - start.x - way[0], end.pose.y - start.y - way[1]];
                assert!(x.abs().max(y.abs()) < 2e-6, "{}: {:?}", what(), scene.hits);
                assert!(scene.hits.is_empty(), "{}: {:?}", what(), scene.hits);
                let above = frame.above(&hero, end.pose, 0.0);
                assert_eq!(
                    end.ground.is_some(),
                    above > 0.0 && above < frame.standing(),
                    "{}",
                    what()
                );
            }
        }
    }
}

/// Jumps of all heights through lines of all distances: in each frame, the hero ends at the gap
/// above the highest line that it comes down to from above, or where it is moved to.
#[test]
fn jumps_through_platforms_of_all_thicknesses() {
    let mut rng = Rng::new(11);
    let (mut landings, mut falls, mut rises) = (0, 0, 0);
    for (number, hero) in heroes().iter().enumerate() {
        for (round, frame) in frames(hero).iter().enumerate() {
            // Two lines close together, then several.
            let thickness = [0.004, 0.02, 0.1, 0.5, 1.0, 1.9][(number + round) % 6];
            let mut heights = vec![0.0, 1.5, 1.5 + thickness];
            heights.extend([3.7, 4.9, 5.0, 5.3]);
            let pieces = [1, 5, 33][round % 3];
            let lines: Vec<_> = heights.iter().map(|height| frame.line(*height, pieces)).collect();
            let mut scene = Scene::new(hero, frame, &lines);
            let lowest = frame.above(hero, Pose::default(), 0.0) as f32;
            let length = frame.slope.hypot(1.0);
            scene.put(frame, [0.0, (0.01 - lowest) * length]);
            let (mut velocity, mut stood) = ([0.0_f32; 2], 0);
            for step in 0..700 {
                let time = [1.0 / 60.0, 1.0 / 24.0][round % 2];
                velocity[1] -= 20.0 * time;
                let by = velocity.map(|speed| speed * time);
                let start = scene.pose();
                let above =
                    |pose| heights.iter().map(move |height| frame.above(hero, pose, *height));
                let what =
                    || format!("{}, frame {round}, step {step}, {start:?} by {by:?}", hero.name);
                let end = scene.slide(frame, by);

                let way = rotated(frame.turn, by.map(f64::from));
                let normal = frame.normal();
                let rise = way[0] * normal[0] + way[1] * normal[1];
                // A body in front of a line, and nearer than half the gap, is pushed up first.
                let doubt = |above: f64| above.abs() < 2e-5 || (above - 0.5 * GAP).abs() < 2e-5;
                let near = above(start).find(|above| (0.0..0.5 * GAP).contains(above));
                let push = near.map_or(0.0, |above| GAP - above);
                let stop = above(start).map(|above| above + push).filter(|above| *above > 0.0);
                let stop = stop
                    .filter(|above| rise < 0.0 && above + rise < GAP)
                    .fold(f64::INFINITY, f64::min);
                let moved = if stop.is_finite() { (GAP - stop).min(0.0) } else { rise };
                let found = frame.above(hero, end.pose, 0.0) - frame.above(hero, start, 0.0);
                if !above(start).any(doubt) {
                    let expected = push + moved;
                    assert!((found - expected).abs() < NEAR, "{}: {found}, {expected}", what());
                    assert_eq!(
                        stop.is_finite() && rise < 0.0,
                        !scene.hits.is_empty(),
                        "{}",
                        what()
                    );
                }
                let stands = above(end.pose).any(|above| above > 0.0 && above < frame.standing());
                if !above(end.pose)
                    .any(|above| above.abs() < 2e-5 || (above - frame.standing()).abs() < NEAR)
                {
                    assert_eq!(end.ground.is_some(), stands, "{}, to {:?}", what(), end.pose);
                }
                let is_across =
                    above(end.pose).any(|above| above < 0.0 && above > 2.0 * f64::from(lowest));
                falls += usize::from(is_across && velocity[1] < 0.0);
                rises += usize::from(is_across && velocity[1] > 0.0);
                if end.ground.is_some() && velocity[1] <= 0.0 {
                    landings += 1;
                    velocity = [0.0; 2];
                    stood += 1;
                    if stood == 3 {
                        velocity = [rng.range(-2.0, 2.0), rng.range(3.0, 14.0)];
                        if end.pose.x.abs().max(end.pose.y.abs()) > 12.0 {
                            scene.put(frame, [0.0, (0.01 - lowest) * length]);
                        }
                    }
                } else {
                    stood = 0;
                }
            }
        }
    }
    eprintln!("{landings} landings, {falls} falls, {rises} rises");
    assert!(landings > 5000 && falls > 2000 && rises > 5000, "{landings} {falls} {rises}");
}

/// A hero across a line that bends falls freely, and lands on the next line.
#[test]
fn what_is_across_a_bent_platform_falls() {
    let mut rng = Rng::new(5);
    for hero in heroes() {
        let flat = frames(&hero).into_iter().filter(|frame| frame.slope == 0.0);
        for (frame, round) in product((flat.collect::<Vec<_>>(), 0..12)) {
            let bend = rng.range(-0.35, 0.35);
            let at = |x: i32| [x as f32 * 1.5, x.abs() as f32 * bend];
            let bent: Vec<[f32; 2]> = (-3..=3).map(at).collect();
            let mut scene = Scene::new(&hero, &frame, &[frame.chain(&bent), frame.line(-6.0, 1)]);
            let lowest = frame.above(&hero, Pose::default(), 0.0) as f32;
            let deep = rng.range(0.02, 1.0);
            let x = rng.range(-0.4, 0.4);
            scene.put(&frame, [x, -lowest - deep]);
            let what = format!("{}, {round}: bend {bend}, {deep} deep at {x}", hero.name);
            // The line is a point or more within the hero, which is at least 0.4 wide.
            let over = f64::from(bend.abs() * 0.6 + 0.05);
            if f64::from(deep) < over {
                continue;
            }
            let mut fallen = 0.0;
            for step in 0..80 {
                let by = [0.0, -0.004 * step as f32];
                let before = frame.above(&hero, scene.pose(), -6.0);
                let end = scene.slide(&frame, by);
                let left = frame.above(&hero, end.pose, -6.0);
                let expected = (before + f64::from(by[1])).max(GAP);
                assert!(
                    (left - expected).abs() < NEAR,
                    "{what}: {left}, {expected} {:?}",
                    scene.hits
                );
                fallen = left;
            }
            assert!((fallen - GAP).abs() < NEAR, "{what}: {fallen}");
        }
    }
}

/// How far the hero is from the nearest floor at this pose, and how much that floor faces up.
fn nearest(scene: &Scene, floors: &[Handle], at: Pose, up: [f32; 2]) -> (f32, f32) {
    let shape = scene.world.shape(scene.hero).unwrap();
    let points = floors.iter().filter_map(|floor| {
        let (other, pose) = (scene.world.shape(*floor).unwrap(), scene.world.pose(*floor).unwrap());
        closest_points((&other, pose), (&shape, at)).unwrap()
    });
    let nearest = points.reduce(|a, b| if b.distance < a.distance { b } else { a });
    nearest.map_or((f32::INFINITY, 0.0), |points| (points.distance, points.normal.dot(up.into())))
}

/// Ledges of floors, and of platforms of several pieces, left at all speeds: the ground is the
/// ledge below the hero at the end.
#[test]
fn ledges_left_at_all_speeds() {
    let (mut stands, mut leaves) = (0, 0);
    for hero in heroes() {
        let speeds = [0.003, 0.02, 0.1, 0.37, 1.0, 3.0, 20.0].into_iter().enumerate();
        for (frame, (number, speed), snap) in product((frames(&hero), speeds, [0.0, 0.2])) {
            let foot = frame.slope * 9.0;
            let line = [[-9.0, -foot], [-0.5, -0.5 * frame.slope], [0.0, 0.0]];
            let mut scene = Scene::new(&hero, &frame, &[]);
            let mut floors = Vec::new();
            if number % 2 == 0 {
                for segment in frame.chain(&line).segments() {
                    floors.push(scene.world.insert(segment, fixed()).unwrap());
                }
            } else {
                let [a, b] = [line[0], line[2]].map(|at| frame.turn.apply(at));
                floors.push(scene.world.insert(Segment::new(a, b), fixed()).unwrap());
            }
            scene.options.snap = snap;
            let lowest = frame.above(&hero, Pose::default(), 0.0) as f32;
            let x = -1.5 - speed * 2.0_f32.min(4.0 / speed);
            let high = (0.01 - lowest) * frame.slope.hypot(1.0);
            scene.put(&frame, [x, x * frame.slope + high]);
            let mut fall = 0.0_f32;
            for step in 0..((3.0 / speed) as usize + 6).min(300) {
                fall = if step == 0 { 0.005 } else { fall + 0.005 };
                let end = scene.slide(&frame, [speed, -fall]);
                let what = format!("{}, {speed}, {snap}, step {step}, {:?}", hero.name, end.pose);
                let (near, up) = nearest(&scene, &floors, end.pose, frame.up());
                let gap = GAP as f32;
                let doubt = near > 1.2 * gap && near < 1.6 * gap || (up - 0.707).abs() < 0.02;
                let ground = near < 1.5 * gap && up > 0.707;
                if !doubt {
                    assert_eq!(end.ground.is_some(), ground, "{what}: {near} {up}");
                }
                if end.ground.is_some() {
                    stands += 1;
                    fall = 0.0;
                } else {
                    leaves += 1;
                }
            }
        }
    }
    eprintln!("{stands} stand, {leaves} in the air");
    assert!(stands > 2000 && leaves > 3000, "{stands} {leaves}");
}

/// A lift that comes down on a hero does not push it through a floor that is a chain.
#[test]
fn nobody_is_pushed_through_a_floor_with_one_side() {
    for hero in heroes() {
        let frame = Frame { turn: Rotation::IDENTITY, slope: 0.0, back: false };
        let solid = |column: usize, row: usize| row == 0 || column == 0 || column == 5;
        let outlines = Outline::trace_cells([-3.0, -1.0], [1.0, 1.0], [6, 6], solid).unwrap();
        let chains: Vec<Chain> =
            outlines.iter().flat_map(|outline| outline.chains().unwrap()).collect();
        for side in [false, true] {
            let mut scene = Scene::new(&hero, &frame, &chains);
            let lift = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
            let lift = scene.world.insert(lift, Body::default()).unwrap();
            let lowest = frame.above(&hero, Pose::default(), 0.0) as f32;
            scene.put(&frame, [-0.5, 0.01 - lowest]);
            for step in 0..120 {
                let way = 0.03 * step as f32;
                let at = if side { [2.5 - way, 1.2] } else { [0.0, 4.0 - way] };
                scene.world.set_pose(lift, Pose::at(at)).unwrap();
                let end = scene.slide(&frame, [0.0, -0.02]);
                let low = frame.above(&hero, end.pose, 0.0);
                assert!(low > 0.5 * GAP, "{}, {side}, step {step}: {end:?}", hero.name);
                assert!(end.pose.x > -2.0, "{}, {side}, step {step}: {end:?}", hero.name);
            }
        }
    }
}

/// A hero rides on a lift with one side, in any direction, if it is moved before the lift.
#[test]
fn lifts_with_one_side() {
    for hero in heroes() {
        for by in [[0.0, 0.09], [0.05, 0.05], [0.2, 0.0], [0.0, -0.09]] {
            let frame = Frame { turn: Rotation::IDENTITY, slope: 0.0, back: false };
            let mut scene = Scene::new(&hero, &frame, &[]);
            let lift = Chain::open(&[[-2.0, 0.0], [2.0, 0.0]]).unwrap().with_sides(Sides::Left);
            let lift =
                scene.world.insert(lift.segments().next().unwrap(), Body::default()).unwrap();
            let start = scene.world.pose(lift).unwrap();
            let lowest = frame.above(&hero, Pose::default(), 0.0) as f32;
            scene.put(&frame, [0.0, 0.01 - lowest]);
            scene.options.snap = 0.2;
            for step in 1..200 {
                scene.slide(&frame, by);
                let at = by.map(|way| way * step as f32);
                scene.world.set_pose(lift, Pose { x: at[0], y: at[1], ..start }).unwrap();
                let end = scene.slide(&frame, [0.0, -0.05]);
                let ground = end.ground.map(|ground| ground.body);
                assert_eq!(ground, Some(lift), "{}, {by:?}, step {step}", hero.name);
                assert!((end.pose.x - at[0]).abs() < 1e-3, "{}, {by:?}, step {step}", hero.name);
            }
        }
    }
}
