//! Two teams of 250 that shoot at each other among walls. All bodies are in one `World`, and one
//! sweep of all bullets finds their hits, however fast they are.

mod arena;

use widephase::{
    Body, Bullets, Detector, Displacements, Error, Filter, Handle, Impact, Motion, Options,
    Queries, Ray, World,
    glam::Vec2,
    shape::{Circle, Point, Pose, Shape},
};

const BULLETS: usize = 2000;
pub(crate) const RADIUS: f32 = 0.1;

// The kinds of bodies: their categories and their values.
pub(crate) const TEAMS: [u64; 2] = [1, 2];
pub(crate) const UNIT: u64 = TEAMS[0] | TEAMS[1];
pub(crate) const WALL: u64 = 4;
pub(crate) const BULLET: u64 = 8;

pub(crate) struct Game {
    pub(crate) world: World,
    pub(crate) detector: Detector,
    /// The displacement of each row in a step.
    pub(crate) by: Vec<Vec2>,
    /// The hits of bullets in this step.
    pub(crate) hits: Vec<Impact>,
    /// The teams of the units that begin again, and the number of units that have begun again.
    fallen: Vec<u64>,
    pub(crate) begun: u32,
}

impl Game {
    pub(crate) fn new(options: Options) -> Result<Self, Error> {
        let detector = Detector::with_options(options)?;
        let (world, fallen) = (World::with_options(options)?, TEAMS.repeat(250));
        let mut game = Self { world, detector, by: vec![], hits: vec![], fallen, begun: 0 };
        for (shape, pose) in arena::walls()? {
            let wall = Body { pose, motion: Motion::Static, ..body(WALL, u64::MAX) };
            game.insert(shape, wall, Vec2::ZERO)?;
        }
        game.spawn()?;
        Ok(game)
    }

    pub(crate) fn step(&mut self) -> Result<(), Error> {
        self.fly()?;
        self.walk()?;
        self.spawn()?;
        self.fire()
    }

    /// Finds the hits of bullets on their ways, and removes bullets and units in the order of time.
    fn fly(&mut self) -> Result<(), Error> {
        let flies = |row| self.world.handle(row).is_some_and(|body| self.kind(body) == BULLET);
        let is_bullet: Vec<bool> = (0..self.world.rows() as u32).map(flies).collect();
        let (dx, dy): (Vec<f32>, Vec<f32>) = self.by.iter().map(|by| (by.x, by.y)).unzip();
        let mut hits = vec![];
        let moves = Displacements {
            x: &dx,
            y: &dy,
            bullets: Bullets::Rows(&is_bullet),
            ..Displacements::default()
        };
        self.detector.swept_pairs(self.world.shapes(), moves, &mut hits)?;
        hits.retain(|hit| is_bullet[hit.pair.a as usize] || is_bullet[hit.pair.b as usize]);
        hits.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
        self.hits.clear();
        for hit in hits {
            // The bullet or the unit may be gone by then.
            let [a, b] = [hit.pair.a, hit.pair.b].map(|row| self.world.handle(row));
            if let Some((a, b)) = a.zip(b) {
                self.remove(a)?;
                self.remove(b)?;
                self.hits.push(hit);
            }
        }
        Ok(())
    }

    /// Moves all bodies. Units turn back from bodies that they touch, and enemies that meet fall.
    fn walk(&mut self) -> Result<(), Error> {
        let movers = self.of_kind(UNIT | BULLET);
        let pose = |body: &Handle| Pose::at(self.at(*body) + self.by[body.row() as usize]);
        let poses: Vec<Pose> = movers.iter().map(pose).collect();
        self.world.set_poses(&movers, &poses)?;
        let step = self.world.step()?;
        for contact in step.contacts() {
            for (row, side) in [(contact.pair.a, -1.0), (contact.pair.b, 1.0)] {
                let (away, by) = (side * contact.normal(), &mut self.by[row as usize]);
                *by -= 2.0 * by.dot(away).min(0.0) * away;
            }
        }
        let met = step.started().iter().filter(|event| event.user_a ^ event.user_b == UNIT);
        let met: Vec<Handle> = met.flat_map(|event| [event.a, event.b]).collect();
        met.into_iter().try_for_each(|body| self.remove(body))
    }

    /// Units that have fallen begin again on their side.
    fn spawn(&mut self) -> Result<(), Error> {
        for team in std::mem::take(&mut self.fallen) {
            let (at, by) = arena::home(team == TEAMS[0], self.begun);
            self.insert(Circle::new(at, 0.5), body(team, u64::MAX), by)?;
            self.begun += 1;
        }
        Ok(())
    }

    /// Each unit fires at the nearest enemy if no wall hides it, else straight ahead.
    fn fire(&mut self) -> Result<(), Error> {
        let (mut shots, most) = (vec![], BULLETS - self.of_kind(BULLET).len());
        for unit in self.of_kind(UNIT).into_iter().take(most) {
            let (team, at, ahead) = (self.kind(unit), self.at(unit), self.by[unit.row() as usize]);
            let enemies = self.world.index()?.filtered(Filter::new(team, UNIT ^ team));
            let enemy = enemies.nearest(Point::new(at), arena::SIGHT)?;
            let enemy = enemy.and_then(|enemy| self.world.shapes().pose(enemy.row));
            let sight = enemy.map_or(Ray::new(at, ahead), |it| Ray::segment(at, it.position()));
            let walls = self.world.index()?.filtered(Filter::new(team, WALL));
            let way = if walls.hits_any(sight)? { ahead } else { Vec2::new(sight.dx, sight.dy) };
            let bullet = body(BULLET, WALL | UNIT ^ team);
            shots.push((Circle::new(at, RADIUS), bullet, way.normalize() * (40.0 * RADIUS)));
        }
        shots.into_iter().try_for_each(|(shape, body, by)| self.insert(shape, body, by))
    }

    fn insert(&mut self, shape: impl Shape, body: Body, by: Vec2) -> Result<(), Error> {
        let body = self.world.insert(shape, body)?;
        self.by.resize(self.world.rows(), Vec2::ZERO);
        self.by[body.row() as usize] = by;
        Ok(())
    }

    /// Removes a unit or a bullet. Walls stay.
    fn remove(&mut self, body: Handle) -> Result<(), Error> {
        let kind = self.kind(body);
        self.fallen.extend((kind & UNIT != 0).then_some(kind));
        if kind == WALL { Ok(()) } else { self.world.remove(body) }
    }

    pub(crate) fn of_kind(&self, kinds: u64) -> Vec<Handle> {
        self.world.handles().filter(|body| self.kind(*body) & kinds != 0).collect()
    }

    /// The kind of a body. Bodies that are gone stay, as walls do.
    fn kind(&self, body: Handle) -> u64 {
        self.world.body(body).map_or(WALL, |body| body.user)
    }

    pub(crate) fn at(&self, body: Handle) -> Vec2 {
        self.world.pose(body).unwrap_or_default().position()
    }
}

fn body(kind: u64, meets: u64) -> Body {
    Body { filter: Filter::new(kind, meets), user: kind, ..Body::default() }
}
