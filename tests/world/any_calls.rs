//! Bytes become the calls of a world. After each step, the pairs must be the touching pairs among
//! all rows, events must be the difference of two steps, and every pair without a sensor must have
//! a contact. Calls that fail must change nothing. A snapshot must give the same world, and the
//! recording of all calls must be replayed with the same states.
//!
//! The fuzz targets `world` and `recordings` call [`check`] and [`record`], and so do tests, with
//! random bytes.

#[path = "../any_bytes.rs"]
mod any_bytes;

use std::collections::BTreeSet;

use any_bytes::Bytes;
use widephase::{
    Body, Error, Filter, Handle, Motion, Narrowphase, Options, Pair, SimdLevel, Threads, Touching,
    World,
    shape::{Pose, Rotation},
    world::{Replay, SlideOptions, Velocity},
};

/// The most bodies: all pairs of them are tested at each step.
const BODIES: usize = 24;

/// A world, and the handles that it gave out.
struct Calls {
    world: World,
    handles: Vec<Handle>,
    last: BTreeSet<(Handle, Handle)>,
    thorough: bool,
}

impl Bytes<'_> {
    fn touching(&mut self) -> Touching {
        [Touching::Inclusive, Touching::Exclusive][usize::from(self.byte() % 2)]
    }

    fn motion(&mut self) -> Motion {
        [Motion::Moving, Motion::Static, Motion::Asleep][usize::from(self.byte() % 3)]
    }

    fn filter(&mut self) -> Filter {
        let filter = Filter::new(u64::from(self.byte() % 4), u64::from(self.byte() % 4));
        match self.byte() % 8 {
            0 => filter,
            1 => Filter::ALL.sensing(),
            2 => Filter::ALL.in_group(i32::from(self.byte() % 5) - 2),
            3 => filter.owned_by(u32::from(self.byte() % 3)).sensing(),
            _ => Filter::ALL,
        }
    }

    /// A pose that may be refused.
    fn any_pose(&mut self) -> Pose {
        let rotation = match self.byte() {
            250.. => Rotation { cos: self.number(), sin: self.number() },
            _ => self.rotation(),
        };
        Pose::new([self.number(), self.number()], rotation)
    }
}

impl Calls {
    fn new(bytes: &mut Bytes<'_>, thorough: bool) -> Self {
        let options = Options { touching: bytes.touching(), ..Options::default() };
        let world = World::with_options(options).expect("valid options");
        Self { world, handles: Vec::new(), last: BTreeSet::new(), thorough }
    }

    /// A handle: mostly of a body that is there.
    fn handle(&self, bytes: &mut Bytes<'_>) -> Option<Handle> {
        let at = usize::from(bytes.byte());
        let live: Vec<Handle> = self.world.handles().collect();
        match bytes.byte() {
            250.. => Handle::from_bits(u64::from(bytes.bits()) << 16),
            230.. => self.handles.get(at % self.handles.len().max(1)).copied(),
            _ => live.get(at % live.len().max(1)).copied(),
        }
    }

    /// One call.
    fn call(&mut self, bytes: &mut Bytes<'_>) {
        let hash = self.thorough.then(|| self.world.state_hash());
        let result = self.change(bytes);
        if result.is_err() && self.thorough {
            assert_eq!(Some(self.world.state_hash()), hash, "a call that fails changes nothing");
        }
    }

    fn change(&mut self, bytes: &mut Bytes<'_>) -> Result<(), Error> {
        let kind = bytes.byte() % 20;
        if kind < 4 {
            let Some(shape) = bytes.shape() else { return Ok(()) };
            if self.world.len() == BODIES {
                return Ok(());
            }
            let pose = (bytes.byte() < 96).then(|| bytes.any_pose());
            let (motion, filter) = (bytes.motion(), bytes.filter());
            let (space, user) = (u32::from(bytes.byte() / 128), u64::from(bytes.bits()));
            let body = Body { pose, motion, filter, space, user };
            self.handles.push(self.world.insert(&shape, body)?);
            return Ok(());
        }
        let Some(handle) = self.handle(bytes) else { return Ok(()) };
        let stale = !self.world.contains(handle);
        let world = &mut self.world;
        let result = match kind {
            4 => world.remove(handle),
            5 => match bytes.shape() {
                Some(shape) => world.set_shape(handle, &shape),
                None => return Ok(()),
            },
            6 | 7 => world.set_pose(handle, bytes.any_pose()),
            8 => world.set_poses(&[handle, handle], &[(); 2].map(|()| bytes.any_pose())),
            9 => world.set_motion(handle, bytes.motion()),
            10 => world.set_filter(handle, bytes.filter()),
            11 => world.set_user(handle, u64::from(bytes.bits())),
            16 => {
                let velocity = || Velocity { x: 1.0, y: 0.0, spin: 0.5 };
                let mut velocities = [velocity(), velocity()];
                velocities[1].y = bytes.number();
                world.set_velocities(&[handle, handle], &velocities)
            }
            17 => {
                // Sweeps and slides change nothing.
                let by = [bytes.number(), bytes.number()];
                let (mut impacts, mut hits) = (Vec::new(), Vec::new());
                let options = SlideOptions { gap: bytes.number(), ..SlideOptions::default() };
                let swept = world.sweep(&[handle], &[by], &mut impacts);
                let slid = world.move_and_slide(handle, by, &options, &mut hits);
                if stale {
                    assert_eq!(swept, Err(Error::StaleHandle { handle }));
                    assert!(slid.is_err());
                }
                return Ok(());
            }
            18 => world.remove_all(&[handle, handle]).and(Ok(())).map_err(|error| {
                assert_eq!(error, Error::StaleHandle { handle }, "gone, or listed twice");
                error
            }),
            _ => return self.change_all(kind, bytes),
        };
        if stale {
            assert_eq!(result, Err(Error::StaleHandle { handle }));
        }
        result
    }

    fn change_all(&mut self, kind: u8, bytes: &mut Bytes<'_>) -> Result<(), Error> {
        let world = &mut self.world;
        // Mostly, all bodies stay but one.
        let mut poses: Vec<Pose> =
            world.handles().filter_map(|handle| world.pose(handle).ok()).collect();
        let at = usize::from(bytes.byte()) % poses.len().max(1);
        if let Some(pose) = poses.get_mut(at) {
            *pose = bytes.any_pose();
        }
        let column = |value: fn(&Pose) -> f32| poses.iter().map(value).collect::<Vec<f32>>();
        let (x, y) = (column(|pose| pose.x), column(|pose| pose.y));
        match kind {
            12 => world.set_positions_of_all(&x, &y),
            13 => {
                world.set_poses_of_all(&x, &y, &column(|pose| pose.cos), &column(|pose| pose.sin))
            }
            14 => {
                for value in world.contacts_mut().1.as_flattened_mut().as_flattened_mut() {
                    *value = bytes.number();
                }
                Ok(())
            }
            19 => world.set_margin(bytes.number()),
            _ => {
                let touching = bytes.touching();
                world.set_options(Options { touching, ..*world.options() })
            }
        }
    }

    fn step(&mut self) {
        self.world.step().expect("within the limits");
        if self.thorough {
            self.check_step();
        }
    }

    fn check_step(&mut self) {
        let world = &self.world;
        let step = world.last_step();
        let handle = |row: u32| world.handle(row).expect("a row of a pair");
        let named = |pair: &Pair| (handle(pair.a), handle(pair.b));
        let found: BTreeSet<_> = step.pairs().iter().map(named).collect();
        assert_eq!(found.len(), step.pairs().len(), "once each");

        let mut meeting = Vec::new();
        let bodies: Vec<(u32, Body)> =
            world.handles().filter_map(|body| Some((body.row(), world.body(body).ok()?))).collect();
        for (at, (a, own)) in bodies.iter().enumerate() {
            for (b, other) in &bodies[at + 1..] {
                let fixed = [own, other].iter().all(|body| body.motion == Motion::Static);
                if !fixed && own.space == other.space && own.filter.meets(&other.filter) {
                    meeting.push(Pair { a: *a, b: *b });
                }
            }
        }
        let mut narrowphase = Narrowphase::with_options(world.options().into()).expect("valid");
        let mut touching = Vec::new();
        narrowphase.pairs(world.shapes(), &meeting, &mut touching).expect("rows of bodies");
        assert_eq!(found, touching.iter().map(named).collect(), "pairs");

        let sensor = |body: Handle| world.body(body).is_ok_and(|body| body.filter.sensor);
        let solid: BTreeSet<_> =
            found.iter().copied().filter(|(a, b)| !sensor(*a) && !sensor(*b)).collect();
        let touched = step.contacts().iter().map(|contact| named(&contact.pair)).collect();
        match world.margin() > 0.0 {
            true => assert!(solid.is_subset(&touched), "contacts with a margin"),
            false => assert_eq!(solid, touched, "contacts"),
        }
        assert_eq!(world.contact_values().len(), step.contacts().len());

        let started = step.started().iter().map(|event| (event.a, event.b)).collect();
        assert_eq!(&found - &self.last, started, "started");
        let persisted = world.persisted().map(|event| (event.a, event.b)).collect();
        assert_eq!(&found & &self.last, persisted, "persisted");
        let stopped = step.stopped().iter().map(|event| (event.a, event.b)).collect();
        assert_eq!(&self.last - &found, stopped, "stopped");
        self.last = found;
    }

    fn restore(&mut self) {
        let saved = self.world.snapshot();
        let again = World::restore(&saved).expect("the snapshot of a world");
        assert!(again.snapshot() == saved, "a snapshot gives the same world");
        self.world = match self.handles.len() % 3 {
            0 => again,
            1 => self.world.clone(),
            _ => {
                let mut other = World::new();
                std::mem::swap(&mut other, &mut self.world);
                other.restore_into(&saved).expect("the snapshot of a world");
                other
            }
        };
        assert!(self.world.snapshot() == saved, "a copy is the same world");
    }
}

/// Checks the world of these bytes.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let mut calls = Calls::new(&mut bytes, true);
    let mut recordings = Vec::new();
    calls.world.start_recording();
    while !bytes.0.is_empty() {
        match bytes.byte() {
            0..60 => calls.step(),
            60..70 => {
                recordings.extend(calls.world.stop_recording());
                calls.restore();
                calls.world.start_recording();
            }
            _ => calls.call(&mut bytes),
        }
    }
    calls.step();
    recordings.extend(calls.world.stop_recording());
    for recording in &recordings {
        for level in [SimdLevel::Scalar, SimdLevel::best()] {
            let threads = Threads::Calling;
            let options = Options { simd_level: Some(level), threads, ..Options::default() };
            let mut replay = Replay::new(recording, options).expect("a recording");
            while replay.step().expect("the same states").is_some() {}
        }
    }
}

/// The recording of the world of these bytes.
pub(crate) fn record(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = Bytes(bytes);
    let mut calls = Calls::new(&mut bytes, false);
    calls.world.start_recording();
    while !bytes.0.is_empty() {
        match bytes.byte() {
            0..60 => calls.step(),
            60..70 => calls.world.start_recording(),
            _ => calls.call(&mut bytes),
        }
    }
    calls.step();
    calls.world.stop_recording().unwrap_or_default()
}
