//! Levels: their resting bodies, their movers, and the changes at each step.

use crate::{
    MAX_SPEED,
    random::{Random, Rotation},
};

/// A kind of [`Level`]: the surroundings of moving bodies in a game, or in a robot's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LevelKind {
    /// `cave`: a tunnel through rock, as one outline of three vertices a mover.
    Cave,
    /// `tiles`: platforms of ten square tiles a mover, with doors that go up and down, and coins:
    /// at each step one is picked up and another appears. The movers walk on the platforms.
    Tiles,
    /// `pit`: a level floor and two slanted walls, as half-planes.
    Pit,
    /// `map`: 600 resting circles and boxes a mover. At each step, rays start beside a fifth of the
    /// movers.
    Map,
}

impl LevelKind {
    /// All kinds.
    pub const ALL: [LevelKind; 4] =
        [LevelKind::Cave, LevelKind::Tiles, LevelKind::Pit, LevelKind::Map];

    /// The name: `cave`, `tiles`, `pit`, `map`.
    pub const fn name(self) -> &'static str {
        match self {
            LevelKind::Cave => "cave",
            LevelKind::Tiles => "tiles",
            LevelKind::Pit => "pit",
            LevelKind::Map => "map",
        }
    }

    /// The number of movers by default: 1,000, and 500 in a map.
    pub const fn movers(self) -> u32 {
        match self {
            LevelKind::Map => 500,
            _ => 1000,
        }
    }
}

/// The shape of a body of a level, around its centre.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelShape {
    /// A circle of this radius.
    Circle(f32),
    /// A box with these half sides.
    Box([f32; 2]),
    /// An area: the outer ring, then the holes.
    Outline(Vec<Vec<[f32; 2]>>),
    /// Everything below a line through the centre, with this normal.
    HalfPlane([f32; 2]),
}

/// A body of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelBody {
    /// The shape.
    pub shape: LevelShape,
    /// The centre.
    pub center: [f32; 2],
}

/// A change of a resting body in a step. Its centre is the new centre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelChange {
    /// The body with this number has moved.
    Moved(usize),
    /// The body with this number was removed, and an equal one was inserted.
    Replaced(usize),
}

/// Resting bodies, moving bodies, and the changes of a step.
///
/// A level is a function of kind, number of movers and seed, as a [`Scene`](crate::Scene) is.
///
/// ```
/// use widephase_scenes::{Level, LevelChange, LevelKind};
///
/// let mut level = Level::generate(LevelKind::Tiles, 100, 7);
/// assert_eq!(level.movers().len(), 100);
/// level.step();
/// let coins = level.changes().iter().filter(|change| matches!(change, LevelChange::Replaced(_)));
/// assert_eq!(coins.count(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    random: Random,
    resting: Vec<LevelBody>,
    movers: Vec<LevelBody>,
    /// The speed of each mover.
    speeds: Vec<[f32; 2]>,
    /// The lower left and the upper right corner of the region of the centres of movers.
    region: [[f32; 2]; 2],
    doors: Vec<Door>,
    /// The numbers of the coins are from here on.
    first_coin: usize,
    changes: Vec<LevelChange>,
    /// Where the rays of a step start and end.
    rays: Vec<[[f32; 2]; 2]>,
    rays_a_step: usize,
    steps: usize,
}

/// A resting body that goes up and down.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Door {
    body: usize,
    /// Its height when it is closed.
    closed: f32,
    /// The step of the way up or down at the start.
    phase: usize,
}

/// The steps of a door from closed to open.
const OPENS_IN: usize = 100;

/// The height between two platforms.
const STOREY: f32 = 8.0;

/// The distance of the end of a ray from the centre of its mover.
const RAY: f32 = 50.0;

impl Level {
    /// Generates the level of a kind for a number of movers and a seed.
    pub fn generate(kind: LevelKind, movers: u32, seed: u64) -> Self {
        let mut level = Self {
            random: Random::named(kind.name(), seed),
            resting: Vec::new(),
            movers: Vec::new(),
            speeds: Vec::new(),
            region: [[0.0; 2]; 2],
            doors: Vec::new(),
            first_coin: 0,
            changes: Vec::new(),
            rays: Vec::new(),
            rays_a_step: 0,
            steps: 0,
        };
        match kind {
            LevelKind::Cave => level.make_cave(movers),
            LevelKind::Tiles => level.make_tiles(movers),
            LevelKind::Pit => level.make_pit(movers),
            LevelKind::Map => level.make_map(movers),
        }
        level
    }

    /// The bodies that rest. Their number stays.
    pub fn resting(&self) -> &[LevelBody] {
        &self.resting
    }

    /// The bodies that move at each step.
    pub fn movers(&self) -> &[LevelBody] {
        &self.movers
    }

    /// The changes of resting bodies in the last step.
    pub fn changes(&self) -> &[LevelChange] {
        &self.changes
    }

    /// The rays of the last step: where each starts and ends.
    pub fn rays(&self) -> &[[[f32; 2]; 2]] {
        &self.rays
    }

    /// Moves the movers, up to [`MAX_SPEED`] along each axis, and changes the resting bodies.
    pub fn step(&mut self) {
        let Self { random, resting, movers, speeds, region: [min, max], changes, .. } = self;
        for (body, speed) in movers.iter_mut().zip(speeds) {
            for axis in [0, 1] {
                let (at, speed) = (&mut body.center[axis], &mut speed[axis]);
                if (*at + *speed < min[axis]) | (*at + *speed > max[axis]) {
                    *speed = -*speed;
                }
                *at += *speed;
            }
        }
        changes.clear();
        self.steps += 1;
        for &Door { body, closed, phase } in &self.doors {
            let at = (self.steps + phase) % (2 * OPENS_IN);
            let up = at.min(2 * OPENS_IN - at) as f32;
            resting[body].center[1] = closed + up * (4.0 / OPENS_IN as f32);
            changes.push(LevelChange::Moved(body));
        }
        let coins = resting.len() - self.first_coin;
        if coins > 0 {
            let coin = self.first_coin + self.steps % coins;
            resting[coin].center[0] = random.between(min[0], max[0]);
            changes.push(LevelChange::Replaced(coin));
        }
        self.rays.clear();
        for number in 0..self.rays_a_step {
            let [x, y] = movers[number * movers.len() / self.rays_a_step].center;
            let Rotation { cos, sin } = random.rotation();
            // From outside the mover: no mover is this large.
            self.rays.push([[x + cos, y + sin], [x + RAY * cos, y + RAY * sin]]);
        }
    }

    /// A tunnel six high. Its walls are jagged, with a vertex each half unit.
    fn make_cave(&mut self, movers: u32) {
        const HEIGHT: f32 = 6.0;
        const PITCH: f32 = 0.5;
        let count = (3 * movers / 2).max(8);
        let width = count as f32 * PITCH;
        let mut hole = Vec::with_capacity(2 * count as usize);
        let mut wall = |random: &mut Random, y: f32, at: &dyn Fn(u32) -> u32| {
            for number in 0..count {
                let x = at(number) as f32 * PITCH;
                hole.push([x, y + random.between(-0.15, 0.15)]);
            }
        };
        // Clockwise, as holes are.
        wall(&mut self.random, HEIGHT, &|number| number);
        wall(&mut self.random, 0.0, &|number| count - 1 - number);
        let [left, right] = [-20.0, width + 20.0];
        let outer = vec![[left, -20.0], [right, -20.0], [right, 26.0], [left, 26.0]];
        let shape = LevelShape::Outline(vec![outer, hole]);
        self.first_coin = 1;
        self.resting.push(LevelBody { shape, center: [0.0; 2] });
        self.region = [[0.5, 0.4], [width - 1.0, HEIGHT - 0.4]];
        self.add_movers(movers, |_| None);
    }

    /// Storeys of platforms, ten times as many tiles long as there are storeys, with gaps.
    fn make_tiles(&mut self, movers: u32) {
        let storeys = ((movers as f32 * (10.0 / 7.5)).sqrt().ceil() as u32).max(2);
        let columns = 10 * storeys;
        let is_tile = |column: u32| column / 12 % 4 != 3;
        for storey in 0..storeys {
            for column in (0..columns).filter(|column| is_tile(*column)) {
                let center = [column as f32 + 0.5, storey as f32 * STOREY - 0.5];
                self.resting.push(LevelBody { shape: LevelShape::Box([0.5; 2]), center });
            }
        }
        let place = |random: &mut Random, up: f32| {
            let storey = random.between(0.0, storeys as f32).floor().min(storeys as f32 - 1.0);
            [random.between(1.0, columns as f32 - 1.0), storey * STOREY + up]
        };
        for number in 0..movers.div_ceil(50) {
            let center = place(&mut self.random, 2.0);
            let phase = number as usize * 37 % (2 * OPENS_IN);
            self.doors.push(Door { body: self.resting.len(), closed: center[1], phase });
            self.resting.push(LevelBody { shape: LevelShape::Box([0.25, 2.0]), center });
        }
        self.first_coin = self.resting.len();
        for _ in 0..movers.div_ceil(20) {
            let center = place(&mut self.random, 1.0);
            self.resting.push(LevelBody { shape: LevelShape::Circle(0.3), center });
        }
        self.region = [[1.0, 0.0], [columns as f32 - 1.0, storeys as f32 * STOREY]];
        // Each mover stands on a storey, a hundredth deep.
        self.add_movers(movers, |random| Some(place(random, 0.49)));
    }

    fn make_pit(&mut self, movers: u32) {
        let half = (movers as f32).sqrt().max(4.0);
        for (normal, center) in
            [([0.0, 1.0], [0.0, 0.0]), ([0.8, 0.6], [-half, 0.0]), ([-0.8, 0.6], [half, 0.0])]
        {
            self.resting.push(LevelBody { shape: LevelShape::HalfPlane(normal), center });
        }
        self.first_coin = 3;
        self.region = [[-half, 0.4], [half, half]];
        self.add_movers(movers, |_| None);
    }

    fn make_map(&mut self, movers: u32) {
        let count = 600 * movers;
        // An area of four units for each body that rests.
        let half = (count as f32).sqrt();
        for number in 0..count {
            let center = [(); 2].map(|()| self.random.between(-half, half));
            let shape = match number % 2 {
                0 => LevelShape::Circle(self.random.between(0.25, 0.75)),
                _ => LevelShape::Box([(); 2].map(|()| self.random.between(0.25, 0.75))),
            };
            self.resting.push(LevelBody { shape, center });
        }
        self.first_coin = self.resting.len();
        self.rays_a_step = movers.div_ceil(5) as usize;
        self.region = [[-half; 2], [half; 2]];
        self.add_movers(movers, |_| None);
    }

    /// Adds circles and boxes by turns, anywhere in the region, or at a place where each moves
    /// along the x axis.
    fn add_movers(&mut self, count: u32, place: impl Fn(&mut Random) -> Option<[f32; 2]>) {
        let Self { random, region: [min, max], movers, speeds, .. } = self;
        for number in 0..count {
            let fixed = place(random);
            let center = fixed.unwrap_or_else(|| {
                [random.between(min[0], max[0]), random.between(min[1], max[1])]
            });
            let mut speed = [(); 2].map(|()| random.between(-MAX_SPEED, MAX_SPEED));
            if fixed.is_some() {
                speed[1] = 0.0;
            }
            let shape = match number % 2 {
                0 => LevelShape::Circle(0.5),
                _ => LevelShape::Box([0.4, 0.5]),
            };
            movers.push(LevelBody { shape, center });
            speeds.push(speed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_the_bodies_that_they_say() {
        for (kind, resting) in [
            (LevelKind::Cave, 1..2),
            (LevelKind::Tiles, 10_000..11_000),
            (LevelKind::Pit, 3..4),
            (LevelKind::Map, 600_000..600_001),
        ] {
            let level = Level::generate(kind, 1000, 1);
            assert!(
                resting.contains(&level.resting().len()),
                "{kind:?}: {}",
                level.resting().len()
            );
            assert_eq!(level.movers().len(), 1000);
            if let LevelShape::Outline(rings) = &level.resting()[0].shape {
                assert_eq!(rings.iter().map(Vec::len).sum::<usize>(), 3004);
            }
        }
    }

    #[test]
    fn bodies_that_rest_change_only_if_it_is_said() {
        for kind in LevelKind::ALL {
            let mut level = Level::generate(kind, 60, 2);
            let (mut doors, mut coins) = (0, 0);
            for _ in 0..300 {
                let before = level.clone();
                level.step();
                for (number, (old, new)) in before.resting().iter().zip(level.resting()).enumerate()
                {
                    let said = level.changes().iter().find(|change| match change {
                        LevelChange::Moved(body) | LevelChange::Replaced(body) => *body == number,
                    });
                    assert!(old == new || said.is_some(), "{kind:?}: {number}");
                    doors += usize::from(matches!(said, Some(LevelChange::Moved(_))));
                    coins += usize::from(matches!(said, Some(LevelChange::Replaced(_))));
                }
                let [min, max] = level.region;
                for (old, new) in before.movers().iter().zip(level.movers()) {
                    let moved = [0, 1].map(|axis| (new.center[axis] - old.center[axis]).abs());
                    assert!(
                        moved.iter().all(|moved| *moved <= 1.01 * MAX_SPEED),
                        "{kind:?}: {moved:?}"
                    );
                    let inside = |axis: usize| (min[axis]..=max[axis]).contains(&new.center[axis]);
                    assert!(inside(0) && inside(1), "{kind:?}: {new:?}");
                }
                assert_eq!(level.rays().len(), if kind == LevelKind::Map { 12 } else { 0 });
                for ([from, _], mover) in level.rays().iter().zip(level.movers().iter().step_by(5))
                {
                    let [dx, dy] = [0, 1].map(|axis| (from[axis] - mover.center[axis]).abs());
                    assert!(dx > 0.5 || dy > 0.5, "{from:?} is in {mover:?}");
                }
            }
            let expected = if kind == LevelKind::Tiles { (600, 300) } else { (0, 0) };
            assert_eq!((doors, coins), expected, "{kind:?}");
        }
    }
}
