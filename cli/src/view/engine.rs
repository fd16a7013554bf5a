//! The engine of a client: it reads messages, steps the scene, and sends answers and frames. It
//! runs on a thread of its own, and ends when the client is gone.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use axum::extract::ws;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::mpsc::error::TryRecvError;
use widephase::{
    Detector, GridCell, Handle, Motion, Options, Queries, Ray, SimdLevel, Threads, Timings,
    Touching, World,
    glam::Vec2,
    shape::{MAX_COORDINATE, Point},
};

use super::{
    answer::{self, Answer, Stats},
    argon,
    clock::{Clock, PERIOD},
    exhibit,
    frame::{Area, Flags, Frame},
    line::{Inbound, Line},
    protocol::{self, Kind, Message, Rule, Show},
    scenes::{Input, Stage},
    turns::{Side, Turn, Turns},
};
use crate::{
    cpu,
    values::{MOST_BODIES, SceneId, all_threads},
};

/// The frames that a client may have without drawing them.
const AHEAD: u32 = 2;

/// The world pauses after no client has drawn a frame for this time.
const AWAY: Duration = Duration::from_secs(5);

/// The time between two `stats`.
const STATS: Duration = Duration::from_millis(100);

/// The time between two states while playing: the state of many bodies takes as long as a step.
const STATES: Duration = Duration::from_secs(1);

/// The most errors in a second.
const ERRORS: u32 = 10;

/// The messages that are read before a step.
const BATCH: usize = 64;

/// The rays of a fan, and the least length of a ray.
const RAYS: u16 = 64;
const SHORTEST: f32 = 1e-3;

/// The most pairs and the most contacts of a step: 16 and 128 MiB.
const MOST_PAIRS: u64 = 1 << 21;

/// The bodies that a person may add to the most of a scene.
const MORE_BODIES: usize = 10_000;

/// The size of a body that is inserted: half its width.
const SPAWNED: f32 = 0.5;

/// The settings that a client starts with.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) scene: SceneId,
    pub(super) n: u32,
    pub(super) level: SimdLevel,
    pub(super) threads: usize,
}

/// The settings.
#[derive(Clone)]
struct Setup {
    scene: SceneId,
    /// The requested number of bodies. A scene may have fewer.
    n: u32,
    level: SimdLevel,
    threads: usize,
    /// The threads, if there are several.
    pool: Option<Arc<ThreadPool>>,
    touching: Touching,
    seed: u64,
}

/// Why a message is not done.
enum Fault {
    /// The client is gone.
    Gone,
    /// A text for the page.
    Text(String),
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<widephase::Error> for Fault {
    fn from(error: widephase::Error) -> Self {
        Self::Text(error.to_string())
    }
}

/// A body that is held.
struct Grip {
    body: Handle,
    /// From the point where it was taken to its position.
    arm: Vec2,
}

/// How long steps take.
struct Timing {
    /// The phases of the last step at the chosen level.
    phases: Timings,
    turns: Turns,
    /// With which options the world is.
    side: Side,
}

/// A client.
pub(super) struct Engine {
    line: Line,
    setup: Setup,
    stage: Stage,
    step: u32,
    playing: bool,
    /// While the world moves.
    clock: Option<Clock>,
    show: Show,
    look: Area,
    rays: Option<Vec2>,
    input: Input,
    grip: Option<Grip>,
    timing: Timing,
    /// The frames that were sent, and the frames that were drawn.
    sent: u32,
    drawn: u32,
    /// When the client last said that it has drawn a frame.
    heard: Instant,
    /// Whether there is something to see that is in no frame yet, or in no `stats`.
    unseen: bool,
    untold: bool,
    stats: Instant,
    stated: Instant,
    /// The start of a second, and the errors in it.
    errors: (Instant, u32),
    flags: Flags,
    /// The detector of the overlays.
    detector: Detector,
    cells: Vec<GridCell>,
    found: Vec<u32>,
}

impl Setup {
    fn options(&self) -> Options {
        self.options_of(Side::Chosen)
    }

    fn options_of(&self, side: Side) -> Options {
        let (level, threads) = match side {
            Side::Chosen if self.pool.is_some() => (self.level, Threads::Pool),
            Side::Chosen => (self.level, Threads::Calling),
            Side::Scalar => (SimdLevel::Scalar, Threads::Calling),
        };
        Options {
            simd_level: Some(level),
            threads,
            touching: self.touching,
            max_pairs: MOST_PAIRS,
            max_contacts: MOST_PAIRS,
            timings: true,
            ..Options::default()
        }
    }

    /// Sets the number of threads, and starts threads if they are several.
    fn set_threads(&mut self, threads: usize) -> Result<(), String> {
        let cores = all_threads();
        if !(1..=cores).contains(&threads) {
            return Err(format!("threads: this machine has 1 to {cores}"));
        }
        self.pool = None;
        if threads > 1 {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            self.pool = Some(Arc::new(pool.map_err(|error| format!("threads: {error}"))?));
        }
        self.threads = threads;
        Ok(())
    }

    /// Runs work on the threads.
    fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl Engine {
    /// Serves a client until it is gone.
    pub(super) fn run(line: Line, start: Start) {
        let Start { scene, n, level, threads } = start;
        let touching = Touching::default();
        let mut setup = Setup { scene, n, level, threads: 1, pool: None, touching, seed: 1 };
        let stage = setup
            .set_threads(threads)
            .and_then(|()| scene.build(n, 1, setup.options()).map_err(|error| error.to_string()));
        let now = Instant::now();
        let stage = match stage {
            Ok(stage) => stage,
            Err(message) => {
                let text = serde_json::to_string(&Answer::Error { message }).unwrap_or_default();
                // The client may be gone already.
                let _ = line.outbox.blocking_send(ws::Message::text(text));
                return;
            }
        };
        let mut engine = Self {
            line,
            look: stage.bounds(),
            stage,
            setup,
            step: 0,
            playing: true,
            clock: None,
            show: Show::default(),
            rays: None,
            input: Input::default(),
            grip: None,
            timing: Timing::new(now),
            sent: 0,
            drawn: 0,
            heard: now,
            unseen: true,
            untold: true,
            stats: now,
            stated: now,
            errors: (now, 0),
            flags: Flags::default(),
            detector: Detector::new(),
            cells: Vec::new(),
            found: Vec::new(),
        };
        // It ends when the client is gone, which is no fault.
        let _ = engine.serve();
    }

    fn serve(&mut self) -> Result<(), Fault> {
        self.send(&self.hello())?;
        self.send_settings()?;
        loop {
            let mut read = 0;
            while read < BATCH {
                match self.line.inbox.try_recv() {
                    Ok(message) => self.answer(message)?,
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
                read += 1;
            }
            let free = self.sent - self.drawn < AHEAD;
            let seen = free || self.heard.elapsed() < AWAY;
            if !(seen && self.playing && matches!(self.stage, Stage::Bodies(_))) {
                self.clock = None;
            } else if let Err(fault) = self.catch_up() {
                self.playing = false;
                self.fault(fault)?;
                self.send_settings()?;
            }
            if free
                && self.unseen
                && let Err(fault) = self.send_frame()
            {
                // An overlay that is not possible: a frame without it follows.
                (self.show, self.rays) = (Show::default(), None);
                self.fault(fault)?;
            }
            if self.untold && self.stats.elapsed() >= STATS {
                self.send_stats()?;
            }
            if read < BATCH {
                let mut wait = if self.untold { STATS } else { STATES };
                if let Some(clock) = &self.clock {
                    wait = wait.min(clock.wait(Instant::now()));
                }
                // A message wakes it.
                thread::park_timeout(wait);
            }
        }
    }

    /// Answers a message. Only a client that is gone is a fault.
    fn answer(&mut self, message: Inbound) -> Result<(), Fault> {
        let done = match message {
            Inbound::Text(text) => {
                Message::read(&text).map_err(Fault::Text).and_then(|message| self.take(message))
            }
            Inbound::Binary => Err("a message is a text".into()),
        };
        done.or_else(|fault| self.fault(fault))
    }

    /// Tells the page about a fault, unless it was told about many.
    fn fault(&mut self, fault: Fault) -> Result<(), Fault> {
        let Fault::Text(message) = fault else { return Err(fault) };
        let (since, count) = &mut self.errors;
        if since.elapsed() >= Duration::from_secs(1) {
            (*since, *count) = (Instant::now(), 0);
        }
        *count += 1;
        if *count > ERRORS {
            return Ok(());
        }
        self.send(&Answer::Error { message })
    }

    fn take(&mut self, message: Message) -> Result<(), Fault> {
        match message {
            Message::Settings(settings) => self.change(settings),
            Message::Run { playing } => {
                (self.playing, self.untold) = (playing, true);
                self.send_settings()
            }
            Message::Step {} if self.playing => Err("step: pause first".into()),
            Message::Step {} => self.advance(),
            Message::Show(show) => {
                (self.show, self.unseen) = (show, true);
                if !show.scalar {
                    self.timing.turns = Turns::new(Instant::now());
                }
                Ok(())
            }
            Message::Look { min, max } => {
                self.look = [min[0], min[1], max[0], max[1]];
                self.unseen |= self.show.contacts
                    || self.show.cells
                    || self.show.bounds
                    || self.rays.is_some();
                Ok(())
            }
            Message::Rays { at } => {
                self.rays = at.map(|at| self.inside(at)).transpose()?;
                self.unseen = true;
                Ok(())
            }
            Message::Grab { at } => self.grab(at.into()),
            Message::Drag { at } => self.drag(at.into()),
            Message::Drop {} => {
                self.release();
                Ok(())
            }
            Message::Spawn { at, kind } => self.spawn(at, kind),
            Message::Remove { at } => self.remove(at.into()),
            Message::Keys(keys) => {
                self.input.keys = keys;
                Ok(())
            }
            Message::Argon { area, target, verdict } => {
                let options = self.setup.options();
                let round = argon::Round::new(area, target, &verdict, options)?;
                let answer = round.answer();
                self.setup.scene = SceneId::Argon;
                self.enter(Stage::Argon(Box::new(round)));
                self.send_settings()?;
                self.send(&Answer::Argon(answer))
            }
            Message::ArgonStep { by, heading, fire } => {
                let Self { stage: Stage::Argon(round), setup, .. } = self else {
                    return Err("argon-step: this scene is not argon".into());
                };
                setup.within(|| round.step(by, heading, fire))?;
                let (answer, phases) = (round.answer(), *round.world().timings());
                self.timing.phases = phases;
                self.stepped();
                self.send(&Answer::Argon(answer))
            }
            Message::Exhibit { circle, r#box } => {
                let exhibit = exhibit::judge(circle, r#box)?;
                self.send(&Answer::Exhibit(exhibit))
            }
            Message::Ack { frame } if (self.drawn..=self.sent).contains(&frame) => {
                (self.drawn, self.heard) = (frame, Instant::now());
                Ok(())
            }
            Message::Ack { .. } => Err("ack: not a frame that was sent".into()),
        }
    }

    /// Changes all given settings, or none on an error.
    fn change(&mut self, change: protocol::Settings) -> Result<(), Fault> {
        let protocol::Settings { scene, n, level, threads, touching, seed } = change;
        let mut setup = self.setup.clone();
        let anew = scene.is_some() || n.is_some() || seed.is_some();
        if let Some(name) = scene {
            setup.scene = SceneId::named(&name)?;
        }
        setup.n = n.unwrap_or(setup.n);
        setup.seed = seed.unwrap_or(setup.seed);
        if let Some(name) = level {
            let level = name.parse::<SimdLevel>().and_then(SimdLevel::required);
            setup.level = level.map_err(|_| "level: not a level of `hello`")?;
        }
        if let Some(threads) = threads.filter(|threads| *threads != setup.threads) {
            setup.set_threads(threads)?;
        }
        if let Some(rule) = touching {
            setup.touching = match rule {
                Rule::Inclusive => Touching::Inclusive,
                Rule::Exclusive => Touching::Exclusive,
            };
        }
        let options = setup.options();
        if anew {
            let stage = setup.within(|| setup.scene.build(setup.n, setup.seed, options))?;
            self.setup = setup;
            self.enter(stage);
        } else {
            match &mut self.stage {
                Stage::Bodies(scene) => scene.set_options(options)?,
                Stage::Argon(round) => round.set_options(options)?,
            }
            self.setup = setup;
            (self.unseen, self.untold) = (true, true);
        }
        (self.timing.turns, self.timing.side) = (Turns::new(Instant::now()), Side::Chosen);
        self.send_settings()
    }

    /// Begins with other bodies.
    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        (self.step, self.grip, self.input) = (0, None, Input::default());
        self.look = self.stage.bounds();
        self.rays = None;
        self.timing = Timing::new(Instant::now());
        self.flags.clear();
        (self.unseen, self.untold) = (true, true);
    }

    /// Makes the steps that are due, for as long as a step may take: a world that is slower than
    /// its clock is still drawn after each step.
    fn catch_up(&mut self) -> Result<(), Fault> {
        let start = Instant::now();
        while start.elapsed() < PERIOD {
            let now = Instant::now();
            if !self.clock.get_or_insert_with(|| Clock::new(now)).take(now) {
                break;
            }
            self.advance()?;
        }
        Ok(())
    }

    /// Moves the bodies by one step.
    fn advance(&mut self) -> Result<(), Fault> {
        let Self { stage: Stage::Bodies(scene), timing, setup, .. } = self else {
            return Err("step: argon is moved by argon-step".into());
        };
        // The body may be gone: hit by a bullet.
        if self.grip.as_ref().is_some_and(|grip| !scene.world().contains(grip.body)) {
            (self.grip, self.input.held) = (None, None);
        }
        let turn = match self.show.scalar && self.playing {
            true => timing.turns.begin(Instant::now()),
            false => {
                timing.turns.stop();
                Turn::REST
            }
        };
        let is_other = turn.side != timing.side;
        if is_other {
            scene.world_mut().set_options(setup.options_of(turn.side))?;
            timing.side = turn.side;
        }
        let input = self.input;
        setup.within(|| scene.step(&input))?;
        let phases = *scene.world().timings();
        timing.turns.note(turn, phases.sum(), Instant::now());
        if turn.side == Side::Chosen && !is_other {
            timing.phases = phases;
        }
        self.stepped();
        Ok(())
    }

    /// Notes a step.
    fn stepped(&mut self) {
        self.step += 1;
        (self.unseen, self.untold) = (true, true);
    }

    /// A point, if it is in the world or at most the size of the world beside it.
    fn inside(&self, at: [f32; 2]) -> Result<Vec2, Fault> {
        let [left, lower, right, upper] = self.stage.bounds();
        let within =
            |at: f32, min: f32, max: f32| (min - (max - min)..=max + (max - min)).contains(&at);
        match within(at[0], left, right) && within(at[1], lower, upper) {
            true => Ok(at.into()),
            false => Err("at: outside the world".into()),
        }
    }

    /// The body at a point that may be moved: the body in the last row, which is drawn on top.
    fn body_at(&mut self, at: Vec2) -> Result<Option<Handle>, Fault> {
        let Self { stage, setup, found, .. } = self;
        if matches!(stage, Stage::Argon(_)) {
            return Err("argon: its bodies move by its rules".into());
        }
        let world = stage.world_mut();
        setup.within(|| world.index()?.overlapping(Point::new(at), found))?;
        let bodies = found
            .iter()
            .filter_map(|row| world.handle(*row))
            .filter(|body| world.body(*body).is_ok_and(|body| body.motion != Motion::Static));
        Ok(bodies.max_by_key(|body| body.row()))
    }

    fn grab(&mut self, at: Vec2) -> Result<(), Fault> {
        self.release();
        if let (Some(body), Stage::Bodies(scene)) = (self.body_at(at)?, &mut self.stage) {
            let position = scene.world().pose(body).unwrap_or_default().position();
            scene.hold(body);
            self.grip = Some(Grip { body, arm: position - at });
            self.input.held = Some((body, position));
            self.unseen = true;
        }
        Ok(())
    }

    fn drag(&mut self, at: Vec2) -> Result<(), Fault> {
        let Some(Grip { body, arm }) = self.grip else { return Ok(()) };
        let at = self.inside(at.into())? + arm;
        self.input.held = Some((body, at));
        if let Stage::Bodies(scene) = &mut self.stage
            && !self.playing
            && scene.world().contains(body)
        {
            scene.put(body, at)?;
            (self.unseen, self.untold) = (true, true);
        }
        Ok(())
    }

    fn release(&mut self) {
        if let (Some(grip), Stage::Bodies(scene)) = (self.grip.take(), &mut self.stage) {
            if scene.world().contains(grip.body) {
                scene.release(grip.body);
            }
            self.unseen = true;
        }
        self.input.held = None;
    }

    fn spawn(&mut self, at: [f32; 2], kind: Kind) -> Result<(), Fault> {
        let at = self.inside(at)?;
        let Stage::Bodies(scene) = &mut self.stage else {
            return Err("argon: its bodies move by its rules".into());
        };
        if scene.world().len() >= MOST_BODIES as usize + MORE_BODIES {
            return Err("spawn: there are too many bodies".into());
        }
        scene.insert(kind.shape(SPAWNED)?, at)?;
        (self.unseen, self.untold) = (true, true);
        Ok(())
    }

    fn remove(&mut self, at: Vec2) -> Result<(), Fault> {
        let Some(body) = self.body_at(at)? else { return Ok(()) };
        if self.grip.as_ref().is_some_and(|grip| grip.body == body) {
            self.release();
        }
        if let Stage::Bodies(scene) = &mut self.stage {
            scene.remove(body)?;
            (self.unseen, self.untold) = (true, true);
        }
        Ok(())
    }

    /// Sends a text.
    fn send(&self, answer: &Answer) -> Result<(), Fault> {
        let text = serde_json::to_string(answer).map_err(|error| error.to_string())?;
        self.line.outbox.blocking_send(ws::Message::text(text)).map_err(|_| Fault::Gone)
    }

    fn hello(&self) -> Answer {
        let levels = SimdLevel::available().iter().map(|level| level.name()).collect();
        Answer::Hello(Box::new(answer::Hello {
            version: env!("CARGO_PKG_VERSION"),
            cpu: cpu::name(),
            levels,
            level: self.setup.level.name(),
            cores: all_threads(),
            scenes: SceneId::all().into_iter().map(SceneId::info).collect(),
            argon: argon::info(),
        }))
    }

    fn send_settings(&self) -> Result<(), Fault> {
        let Setup { scene, n, level, threads, touching, seed, .. } = &self.setup;
        self.send(&Answer::Settings(answer::Settings {
            scene: scene.name().to_owned(),
            n: (*n).min(scene.most()),
            level: level.name(),
            threads: *threads,
            touching: match touching {
                Touching::Inclusive => "inclusive",
                Touching::Exclusive => "exclusive",
            },
            seed: *seed,
            playing: self.playing,
            bounds: self.stage.bounds(),
        }))
    }

    fn send_stats(&mut self) -> Result<(), Fault> {
        let now = Instant::now();
        let world = self.stage.world();
        let due = !self.playing || now - self.stated >= STATES;
        let state = due.then(|| format!("{:016x}", world.state_hash()));
        if due {
            self.stated = now;
        }
        let (step, nanos) = (world.last_step(), |time: Duration| time.as_nanos() as u64);
        let phases = Timings::NAMES.into_iter().zip(self.timing.phases.to_array().map(nanos));
        let medians = self.timing.turns.medians().map(|medians| medians.map(nanos));
        let stats = Answer::Stats(Stats {
            step: self.step,
            bodies: world.len(),
            pairs: step.pairs().len(),
            contacts: step.contacts().len(),
            started: step.started().len(),
            stopped: step.stopped().len(),
            touching: touching(world),
            state,
            phases: phases.collect(),
            step_ns: nanos(self.timing.phases.sum()),
            level_ns: medians.map(|[level, _]| level),
            scalar_ns: medians.map(|[_, scalar]| scalar),
            frames: self.sent,
            level: self.setup.level.name(),
            threads: self.setup.threads,
        });
        (self.stats, self.untold) = (now, false);
        self.send(&stats)
    }

    fn send_frame(&mut self) -> Result<(), Fault> {
        let number = self.sent.wrapping_add(1);
        let mut frame = Frame::new(number, self.step, self.stage.world().rows());
        let [left, lower, right, upper] = self.stage.bounds();
        let Self { flags, stage, .. } = self;
        if flags.update(stage.world(), |body| stage.group(body)) {
            let extent = (right - left).max(upper - lower);
            frame.shapes(stage.world(), 2.0 * extent);
        }
        let world = self.stage.world();
        frame.poses(world.shapes());
        let held = self.grip.as_ref().map(|grip| grip.body);
        frame.flags(self.flags.of_step(world, held));
        if self.show.contacts {
            frame.contacts(world.last_step().contacts(), self.look);
        }
        if self.show.cells {
            let Self { detector, cells, setup, .. } = self;
            detector.set_options(setup.options())?;
            setup.within(|| detector.count(world.shapes()))?;
            detector.grid_cells(cells);
            frame.cells(cells, self.look);
        }
        if self.show.bounds {
            frame.bounds(world.shapes(), self.look);
        }
        if let Some(at) = self.rays {
            frame.rays(&self.cast(at)?);
        }
        (self.sent, self.unseen) = (number, false);
        let message = ws::Message::binary(frame.into_bytes());
        self.line.outbox.blocking_send(message).map_err(|_| Fault::Gone)
    }

    /// Casts a fan of rays, each as long as the diagonal of the view. Returns starts, ends and
    /// hits.
    fn cast(&mut self, at: Vec2) -> Result<Vec<(Vec2, Vec2, Option<u32>)>, Fault> {
        let [left, lower, right, upper] = self.look;
        let length = Vec2::new(right - left, upper - lower).length();
        let length = length.clamp(SHORTEST, MAX_COORDINATE);
        let angle = |ray| std::f32::consts::TAU * f32::from(ray) / f32::from(RAYS);
        let rays: Vec<Ray> = (0..RAYS)
            .map(|ray| Ray::new(at, length * Vec2::from_angle(angle(ray))).up_to(1.0))
            .collect();
        let (mut hits, world) = (Vec::new(), self.stage.world_mut());
        self.setup.within(|| world.index()?.cast_ray_batch(&rays, &mut hits))?;
        let beam = |(ray, hit): (&Ray, &Option<widephase::Hit>)| match hit {
            Some(hit) => (at, hit.position(), Some(hit.row)),
            None => (at, ray.at(1.0), None),
        };
        Ok(rays.iter().zip(&hits).map(beam).collect())
    }
}

/// The number of bodies that touched another body in the last step.
fn touching(world: &World) -> usize {
    let mut touching = vec![false; world.rows()];
    for pair in world.last_step().pairs() {
        for row in [pair.a, pair.b] {
            touching[row as usize] = true;
        }
    }
    touching.into_iter().filter(|touches| *touches).count()
}

impl Timing {
    fn new(now: Instant) -> Self {
        Self { phases: Timings::default(), turns: Turns::new(now), side: Side::Chosen }
    }
}
