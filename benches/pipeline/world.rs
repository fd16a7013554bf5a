//! Steps of a world.

use criterion::{BenchmarkId, Criterion, Throughput};
use widephase::{Body, Contact, Options, SimdLevel, Threads, World, shape::Circle};

use crate::{
    scene::SceneKind,
    scenes::Moving,
    turn::{Turn, bench},
};

/// 10,000 circles that move: the pairs and the contacts of a detector, and a step of a [`World`]
/// with both and with events, alone and together with the new positions of all bodies.
pub(crate) fn world(c: &mut Criterion) {
    let mut group = c.benchmark_group("world");
    group.throughput(Throughput::Elements(10_000));
    for (name, call) in [
        ("pairs", Call::Pairs),
        ("contacts", Call::Contacts),
        ("step", Call::Step),
        ("positions and step", Call::PositionsAndStep),
    ] {
        bench(&mut group, BenchmarkId::from_parameter(name), || Bodies::new(10_000, call));
    }
    group.finish();
}

/// The timed call of [`Bodies`].
#[derive(Clone, Copy, PartialEq)]
enum Call {
    Pairs,
    Contacts,
    Step,
    PositionsAndStep,
}

/// The bodies of a scene, in columns and in a [`World`].
struct Bodies {
    moving: Moving,
    world: World,
    /// The positions of the bodies.
    columns: [Vec<f32>; 2],
    contacts: Vec<Contact>,
    call: Call,
}

impl Bodies {
    fn new(len: u32, call: Call) -> Self {
        // One scene: the world keeps its bodies.
        let kind = SceneKind::UniformCircles;
        let mut moving = Moving::new(kind, len, SimdLevel::best(), Threads::Calling);
        moving.scenes.truncate(1);
        let options = Options { threads: Threads::Calling, ..Options::default() };
        let mut world = World::with_options(options).expect("the options are valid");
        let circles = moving.scenes[0].rounded_boxes();
        for body in circles {
            let circle = Circle::new([body.min_x, body.min_y], body.radius);
            world.insert(circle, Body::default()).expect("a scene is valid");
        }
        Self { moving, world, columns: Default::default(), contacts: Vec::new(), call }
    }

    fn position(&mut self) {
        let [x, y] = &self.columns;
        self.world.set_positions_of_all(x, y).expect("a scene is valid");
    }
}

impl Turn for Bodies {
    fn step(&mut self) {
        self.moving.step();
        let positions = self.moving.scenes[0].rounded_boxes();
        let [x, y] = &mut self.columns;
        x.clear();
        x.extend(positions.iter().map(|body| body.min_x));
        y.clear();
        y.extend(positions.iter().map(|body| body.min_y));
        if self.call == Call::Step {
            self.position();
        }
    }

    fn detect(&mut self) -> u64 {
        match self.call {
            Call::Pairs => self.moving.detect(),
            Call::Contacts => {
                let Moving { scenes, detector, .. } = &mut self.moving;
                let columns = scenes[0].columns();
                detector.contacts(columns, 0.0, &mut self.contacts).expect("a scene is valid");
                self.contacts.len() as u64
            }
            Call::Step | Call::PositionsAndStep => {
                if self.call == Call::PositionsAndStep {
                    self.position();
                }
                self.world.step().expect("a scene is valid").pairs().len() as u64
            }
        }
    }

    fn expected(&mut self) -> u64 {
        self.moving.expected()
    }
}
