//! The measured calls, each call with the memory that it reuses.

use crate::scene::Scene;
use widephase::{
    Adjacency, Body, Columns, Contact, Detector, Error, Hit, Index, Lists, Neighbor, Options, Pair,
    Queries, Timings, World, shape::Pose,
};

use crate::{
    asked::Asked,
    bodies::{self, center},
    values::Call,
};

/// The distance within which bodies are neighbours, in units of length.
const NEIGHBOR_DISTANCE: f32 = 0.5;

/// A scene, and the columns that a call needs besides the columns of the scene.
pub(super) struct Input {
    scene: Scene,
    what: Call,
    poses: Vec<Pose>,
    /// The poses as columns: x, y, cos, sin.
    columns: [Vec<f32>; 4],
    asked: Asked,
}

impl Input {
    pub(super) fn new(scene: Scene, what: Call) -> Self {
        let (columns, asked) = Default::default();
        Self { scene, what, poses: Vec::new(), columns, asked }
    }

    fn fill_poses(&mut self) {
        let Self { scene, poses, columns: [x, y, cos, sin], .. } = self;
        poses.clear();
        match scene.shapes() {
            Some(shapes) => {
                poses.extend((0..shapes.rows() as u32).filter_map(|row| shapes.pose(row)))
            }
            None => {
                poses.extend(scene.rounded_boxes().into_iter().map(|body| Pose::at(center(body))))
            }
        }
        for (column, of) in [
            (x, (|pose| pose.x) as fn(&Pose) -> f32),
            (y, |pose| pose.y),
            (cos, |pose| pose.cos),
            (sin, |pose| pose.sin),
        ] {
            column.clear();
            column.extend(poses.iter().map(of));
        }
    }
}

impl Bodies for Input {
    fn len(&self) -> usize {
        self.scene.len()
    }

    /// Moves the bodies by one step, and fills the columns.
    fn step(&mut self) {
        self.scene.step();
        match self.what {
            Call::Pairs | Call::Contacts | Call::Neighbors => {}
            Call::Step => self.fill_poses(),
            Call::Rays | Call::Nearest => {
                self.fill_poses();
                let [x, y, ..] = &self.columns;
                self.asked.fill_points([x, y]);
                if self.what == Call::Rays {
                    self.asked.fill_rays([x, y]);
                }
            }
        }
    }
}

/// The input of measured calls.
pub(super) trait Bodies {
    /// The number of bodies; of a level, of movers.
    fn len(&self) -> usize;

    /// Moves the bodies by one step. Not timed.
    fn step(&mut self);
}

/// A measured call.
pub(super) trait Work<B>: Send {
    /// Gets ready for the next call. Not timed.
    fn prepare(&mut self, _input: &B) -> Result<(), Error> {
        Ok(())
    }

    /// The timed call.
    fn call(&mut self, input: &B) -> Result<(), Error>;

    /// How many pairs, contacts, hits or neighbours the last call found.
    fn found(&self) -> usize;

    /// The phases of the last call, if it has phases: zeros unless the options measure them.
    fn phases(&self) -> Option<&Timings> {
        None
    }
}

/// The work of `what`, for the bodies of `input`.
pub(super) fn work(
    what: Call,
    options: Options,
    input: &Input,
) -> Result<Box<dyn Work<Input>>, Error> {
    Ok(match what {
        Call::Pairs => {
            Box::new(Pairs { detector: Detector::with_options(options)?, pairs: Vec::new() })
        }
        Call::Contacts => {
            Box::new(Contacts { detector: Detector::with_options(options)?, contacts: Vec::new() })
        }
        Call::Step => {
            let mut world = World::with_options(options)?;
            for shape in bodies::shapes(&input.scene) {
                world.insert(shape, Body::default())?;
            }
            Box::new(Step { world })
        }
        Call::Rays => {
            Box::new(Rays { index: Index::with_options(options.into())?, hits: Vec::new() })
        }
        Call::Nearest => {
            Box::new(Nearest { index: Index::with_options(options.into())?, lists: Lists::new() })
        }
        Call::Neighbors => {
            Box::new(Neighbors { detector: Detector::with_options(options)?, lists: Lists::new() })
        }
    })
}

struct Pairs {
    detector: Detector,
    pairs: Vec<Pair>,
}

impl Work<Input> for Pairs {
    fn call(&mut self, input: &Input) -> Result<(), Error> {
        self.detector.pairs(input.scene.columns(), &mut self.pairs)
    }

    fn phases(&self) -> Option<&Timings> {
        Some(self.detector.timings())
    }

    fn found(&self) -> usize {
        self.pairs.len()
    }
}

struct Contacts {
    detector: Detector,
    contacts: Vec<Contact>,
}

impl Work<Input> for Contacts {
    fn call(&mut self, input: &Input) -> Result<(), Error> {
        self.detector.contacts(input.scene.columns(), 0.0, &mut self.contacts)
    }

    fn phases(&self) -> Option<&Timings> {
        Some(self.detector.timings())
    }

    fn found(&self) -> usize {
        self.contacts.len()
    }
}

struct Step {
    world: World,
}

impl Work<Input> for Step {
    fn call(&mut self, input: &Input) -> Result<(), Error> {
        let [x, y, cos, sin] = &input.columns;
        match input.scene.kind().turns() {
            true => self.world.set_poses_of_all(x, y, cos, sin)?,
            false => self.world.set_positions_of_all(x, y)?,
        }
        self.world.step()?;
        Ok(())
    }

    fn phases(&self) -> Option<&Timings> {
        Some(self.world.timings())
    }

    fn found(&self) -> usize {
        self.world.last_step().pairs().len()
    }
}

struct Rays {
    index: Index,
    hits: Vec<Option<Hit>>,
}

impl Work<Input> for Rays {
    fn prepare(&mut self, input: &Input) -> Result<(), Error> {
        self.index.rebuild(input.scene.columns())
    }

    fn call(&mut self, input: &Input) -> Result<(), Error> {
        self.index.cast_ray_batch(&input.asked.rays, &mut self.hits)
    }

    fn found(&self) -> usize {
        self.hits.iter().flatten().count()
    }
}

struct Nearest {
    index: Index,
    lists: Lists<Neighbor>,
}

impl Work<Input> for Nearest {
    fn prepare(&mut self, input: &Input) -> Result<(), Error> {
        self.index.rebuild(input.scene.columns())
    }

    fn call(&mut self, input: &Input) -> Result<(), Error> {
        let [x, y] = &input.asked.points;
        self.index.k_nearest_batch(Columns::points(x, y)?, 1, f32::INFINITY, &mut self.lists)
    }

    fn found(&self) -> usize {
        self.lists.items().len()
    }
}

struct Neighbors {
    detector: Detector,
    lists: Lists<u32>,
}

impl Work<Input> for Neighbors {
    fn call(&mut self, input: &Input) -> Result<(), Error> {
        let Self { detector, lists } = self;
        detector.neighbors(input.scene.columns(), NEIGHBOR_DISTANCE, Adjacency::Full, lists)
    }

    fn phases(&self) -> Option<&Timings> {
        Some(self.detector.timings())
    }

    fn found(&self) -> usize {
        self.lists.items().len()
    }
}

#[cfg(test)]
mod tests {
    use crate::{asked::RAY_LENGTH, scene::SceneKind};

    use super::*;

    /// A world that follows a scene has its pairs, but for boxes and rotated shapes that are within
    /// rounding of touching.
    #[test]
    fn a_world_has_the_bodies_of_the_scene() -> Result<(), Error> {
        for kind in SceneKind::STANDARD {
            let mut input = Input::new(Scene::generate(kind, 500, 7), Call::Step);
            let mut world = World::with_options(Options::default())?;
            for shape in bodies::shapes(&input.scene) {
                world.insert(shape, Body::default())?;
            }
            let mut step = Step { world };
            for _ in 0..3 {
                input.step();
                step.call(&input)?;
            }
            let found = step.world.last_step().pairs().len() as u64;
            let expected = Detector::new().count(input.scene.columns())?;
            assert!(found > 100 && found.abs_diff(expected) <= 2, "{kind}: {found}, {expected}");
        }
        Ok(())
    }

    /// Rays have their length, and some hit; points have a body near.
    #[test]
    fn queries_are_among_the_bodies() -> Result<(), Error> {
        for kind in SceneKind::ALL {
            let mut input = Input::new(Scene::generate(kind, 200, 7), Call::Rays);
            input.step();
            for ray in &input.asked.rays {
                assert!((ray.dx.hypot(ray.dy) - RAY_LENGTH).abs() < 0.01, "{kind}: {ray:?}");
            }
            let options = Options::default;
            let mut rays = Rays { index: Index::with_options(options().into())?, hits: Vec::new() };
            rays.prepare(&input)?;
            rays.call(&input)?;
            assert!(rays.hits.iter().flatten().count() > 0, "{kind}");
            let mut nearest =
                Nearest { index: Index::with_options(options().into())?, lists: Lists::new() };
            nearest.prepare(&input)?;
            nearest.call(&input)?;
            assert_eq!(nearest.lists.items().len(), 200, "{kind}");
        }
        Ok(())
    }
}
