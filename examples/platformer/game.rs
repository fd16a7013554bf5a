//! The game: a level from a table of tiles, lifts, coins, and a hero that slides along them.

use widephase::{
    Body, Error, Filter, Handle, Motion, Options, Queries, Ray, World,
    glam::Vec2,
    shape::{Aabb, Capsule, Chain, Circle, ConvexPolygon, Outline, Pose, Sides},
    world::{SlideEnd, SlideHit, SlideOptions},
};

/// The tiles, as an editor exports them: the first row is the upper row.
const LEVEL: &str = include_str!("level.csv");

// The numbers of the tiles.
const SOLID: u8 = 1;
const PLATFORM: u8 = 2;
const SLOPES: [u8; 2] = [3, 4];
const LIFTS: [u8; 2] = [5, 6];
const START: u8 = 7;
const COIN: u8 = 8;
const GOAL: u8 = 9;

// The categories: the ground and the hero are of the default category.
const WALL: u64 = 1;
const LIFT: u64 = 2;
const THING: u64 = 4;

/// The seconds of a step, and the motion of the hero, in tiles and seconds.
const STEP: f32 = 1.0 / 60.0;
const GRAVITY: f32 = 30.0;
const RUN: f32 = 6.0;
const JUMP: f32 = 14.0;

/// The keys that the player presses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keys {
    /// -1, 0 or 1.
    pub(crate) run: f32,
    pub(crate) jump: bool,
}

/// A platform that goes to and fro.
struct Lift {
    body: Handle,
    at: Vec2,
    /// The displacement of a step, and how many steps it goes one way.
    by: Vec2,
    steps: u32,
}

pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) hero: Handle,
    lifts: Vec<Lift>,
    start: Vec2,
    velocity: Vec2,
    /// Where the hero came to in the last step, and the surfaces that it met.
    pub(crate) end: Option<SlideEnd>,
    pub(crate) hits: Vec<SlideHit>,
    steps: u32,
    pub(crate) coins: u32,
    pub(crate) falls: u32,
    pub(crate) finished: bool,
}

impl Game {
    pub(crate) fn new(options: Options) -> Result<Self, Error> {
        let row = |line: &str| line.split(',').map(|tile| tile.parse().unwrap_or(0)).collect();
        let tiles: Vec<Vec<u8>> = LEVEL.lines().rev().map(row).collect();
        let tile = |column: usize, row: usize| tiles[row].get(column).copied().unwrap_or(0);
        let size = [tiles[0].len(), tiles.len()];
        let mut world = World::with_options(options)?;
        // All solid tiles as chains, so that there are no sides between them.
        let solid = |column: usize, row: usize| tile(column, row) == SOLID;
        for outline in Outline::trace_cells([0.0, 0.0], [1.0, 1.0], size, solid)? {
            for chain in outline.chains()? {
                insert_chain(&mut world, &chain)?;
            }
        }
        let (mut lifts, mut start) = (vec![], Vec2::ZERO);
        for (row, tiles) in tiles.iter().enumerate() {
            for (column, &tile) in tiles.iter().enumerate() {
                let [x, y] = [column as f32, row as f32];
                let middle = [x + 0.5, y + 0.5];
                match tile {
                    // Only its upper side is solid.
                    PLATFORM => {
                        let top = Chain::open(&[[x, y + 1.0], [x + 1.0, y + 1.0]])?;
                        insert_chain(&mut world, &top.with_sides(Sides::Left))?;
                    }
                    slope if SLOPES.contains(&slope) => {
                        let peak = if slope == SLOPES[0] { x + 1.0 } else { x };
                        let corners = [[x, y], [x + 1.0, y], [peak, y + 1.0]];
                        world.insert(ConvexPolygon::new(&corners)?, fixed())?;
                    }
                    lift if LIFTS.contains(&lift) => {
                        let at = Vec2::new(x + 1.0, y + 0.75);
                        let shape = Aabb::new([x, y + 0.5], [x + 2.0, y + 1.0]);
                        let filter = Filter::new(LIFT, u64::MAX);
                        let body = world.insert(shape, Body { filter, ..Body::default() })?;
                        let by = if lift == LIFTS[0] { [3.0, 0.0] } else { [0.0, 3.0] };
                        lifts.push(Lift { body, at, by: STEP * Vec2::from(by), steps: 160 });
                    }
                    // Not in the ground: chains with one side push nothing out.
                    START => start = Vec2::new(x + 0.5, y + 0.76),
                    COIN | GOAL => {
                        let filter = Filter::new(THING, u64::MAX).sensing();
                        let body = Body { filter, user: tile.into(), ..fixed() };
                        world.insert(Circle::new(middle, 0.4), body)?;
                    }
                    _ => {}
                }
            }
        }
        let hero = Capsule::new(start - Vec2::Y * 0.4, start + Vec2::Y * 0.4, 0.35);
        let hero = world.insert(hero, Body::default())?;
        let (velocity, hits) = (Vec2::ZERO, vec![]);
        let (steps, coins, falls) = (0, 0, 0);
        let end = None;
        let finished = false;
        Ok(Self { world, hero, lifts, start, velocity, end, hits, steps, coins, falls, finished })
    }

    /// A step: first the lifts, then the hero, then the bodies that it has touched.
    pub(crate) fn step(&mut self, keys: Keys) -> Result<(), Error> {
        let ride = self.lift()?;
        let grounded = self.ground().is_some();
        self.velocity.x = keys.run * RUN;
        self.velocity.y = if grounded { 0.0 } else { self.velocity.y } - GRAVITY * STEP;
        if grounded && keys.jump {
            self.velocity.y = JUMP;
        }
        // The ground is followed down, but not in a jump.
        let snap = if grounded && !keys.jump { 0.2 } else { 0.0 };
        let options = SlideOptions { snap, ..SlideOptions::default() };
        let by = self.velocity * STEP + ride;
        let end = self.world.move_and_slide(self.hero, by, &options, &mut self.hits)?;
        // Under a ceiling, a jump ends.
        if self.hits.iter().any(|met| met.hit.normal_y < -0.7) {
            self.velocity.y = self.velocity.y.min(0.0);
        }
        self.end = Some(end);
        self.world.set_pose(self.hero, end.pose)?;
        if end.pose.y < -3.0 {
            self.falls += 1;
            self.velocity = Vec2::ZERO;
            self.world
                .set_pose(self.hero, Pose { x: self.start.x, y: self.start.y, ..end.pose })?;
        }
        let step = self.world.step()?;
        for touched in step.started().iter().filter(|event| event.is_sensor()) {
            // Coins have a value, and the hero and the lifts have no value.
            let thing = if touched.user_a > 0 { touched.a } else { touched.b };
            if touched.a != self.hero && touched.b != self.hero {
                continue;
            }
            if touched.user_a.max(touched.user_b) == u64::from(GOAL) {
                self.finished = true;
            } else {
                self.coins += 1;
                self.world.remove(thing)?;
            }
        }
        self.steps += 1;
        Ok(())
    }

    /// Moves the lifts, and returns how far the lift moves on which the hero stands.
    fn lift(&mut self) -> Result<Vec2, Error> {
        let stands_on = self.ground();
        let mut ride = Vec2::ZERO;
        for lift in &mut self.lifts {
            let forth = (self.steps / lift.steps).is_multiple_of(2);
            let by = if forth { lift.by } else { -lift.by };
            lift.at += by;
            self.world.set_pose(lift.body, Pose::at(lift.at))?;
            if stands_on == Some(lift.body) {
                ride = by;
            }
        }
        Ok(ride)
    }

    /// The body that the hero stands on.
    pub(crate) fn ground(&self) -> Option<Handle> {
        self.end?.ground.map(|ground| ground.body)
    }

    pub(crate) fn at(&self) -> Vec2 {
        self.world.pose(self.hero).unwrap_or_default().position()
    }

    /// A player who runs to the right, jumps over steps and narrow gaps and for coins, and waits
    /// for lifts.
    pub(crate) fn player(&self) -> Result<Keys, Error> {
        let (at, index) = (self.at(), self.world.index()?);
        let below = |ahead: f32, kinds: u64| {
            let ground = index.filtered(Filter::new(WALL, kinds)).without(self.hero.row());
            ground.hits_any(Ray::segment(at + Vec2::X * ahead, at + Vec2::new(ahead, -2.0)))
        };
        let coins = index.filtered(Filter::new(WALL, THING));
        let above = Aabb::new([at.x - 0.2, at.y + 0.8], [at.x + 0.6, at.y + 3.0]);
        let blocked = self.hits.iter().any(|met| met.hit.normal_x < -0.9);
        let rides = self.ground().is_some_and(|body| self.lifts.iter().any(|it| it.body == body));
        Ok(match (below(0.6, WALL | LIFT)?, below(3.6, WALL)?) {
            (false, false) if self.ground().is_some() => Keys::default(),
            (false, true) => Keys { run: 1.0, jump: true },
            _ if rides => Keys { run: 1.0, jump: false },
            _ => {
                let coin = coins.any_overlapping(above)?.is_some();
                Keys { run: 1.0, jump: blocked || coin }
            }
        })
    }
}

fn fixed() -> Body {
    Body { motion: Motion::Static, ..Body::default() }
}

fn insert_chain(world: &mut World, chain: &Chain) -> Result<(), Error> {
    chain.segments().try_for_each(|segment| world.insert(segment, fixed()).map(drop))
}
