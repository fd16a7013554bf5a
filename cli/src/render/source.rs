//! Where the shapes of a picture come from, and which of them touch.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use crate::scene::{Scene, SceneKind};
use anyhow::{Context, Result, bail, ensure};
use widephase::{
    Contact, Detector, Error, GridCell, Options, Pair, Shapes,
    doubles::Origin,
    shape::{Aabb, Circle, RoundedBox},
    world::Replay,
};

use crate::{
    args::RenderArgs,
    table::{self, Input, Reading, count},
};

/// The most shapes of a picture. With more shapes, a shape has no pixel of its own, and a viewer is
/// slow.
const MOST_SHAPES: usize = 100_000;

/// The most contacts of a picture.
const MOST_CONTACTS: usize = 100_000;

/// The shapes of a picture.
pub(super) struct Source {
    /// The title, for people.
    pub(super) title: String,
    pub(super) shapes: Shapes,
    /// The origin of their coordinates.
    pub(super) origin: Origin,
    /// Which rows are sensors.
    pub(super) sensors: Vec<bool>,
    /// The number by which lists name the shape in each row.
    pub(super) numbers: Vec<u64>,
    /// Whether the shape in each row touches another shape.
    pub(super) touching: Vec<bool>,
    /// The number of pairs.
    pub(super) pairs: u64,
    /// Empty unless requested.
    pub(super) contacts: Vec<Contact>,
    /// The cells of the grid that hold shapes; empty unless requested.
    pub(super) cells: Vec<GridCell>,
}

impl Source {
    pub(super) fn read(args: &RenderArgs) -> Result<Self> {
        match (&args.scene, &args.input, &args.recording) {
            (&Some(kind), ..) => Self::scene(kind, args),
            (_, Some(file), _) => Self::table(file, args),
            (.., Some(file)) => Self::recording(file, args),
            // The command line has one of these.
            _ => bail!("nothing to draw; write --scene, --input or --recording"),
        }
    }

    fn scene(kind: SceneKind, args: &RenderArgs) -> Result<Self> {
        let (n, seed) = (args.n.get(), args.seed);
        few(n as usize)?;
        let scene = Scene::generate(kind, n, seed);
        let shapes = match scene.shapes() {
            Some(shapes) => shapes.clone(),
            None => axis_aligned(&scene.rounded_boxes())?,
        };
        let title = format!("scene {kind} ({}), seed {seed}", kind.long_name());
        Self::detected(title, shapes, None, args)
    }

    fn table(file: &Path, args: &RenderArgs) -> Result<Self> {
        let input = Input::open(file)?;
        let title = input.name.clone();
        let reading = Reading { table: &args.table, id: None, metres: false, json: false };
        let (bodies, how) = table::bodies(input, &reading)?;
        if args.table.skip_invalid {
            writeln!(io::stderr(), "{title}: {how}")?;
        }
        few(bodies.len())?;
        let numbers = (0..bodies.len() as u32).map(|row| bodies.first_row(row)).collect();
        let origin = bodies.range().origin();
        let source = Self::detected(title, bodies.shapes(origin)?, Some(numbers), args)?;
        Ok(Self { origin, ..source })
    }

    /// The shapes, with the results of a detector.
    fn detected(
        title: String,
        shapes: Shapes,
        numbers: Option<Vec<u64>>,
        args: &RenderArgs,
    ) -> Result<Self> {
        let mut source = Self::new(title, shapes);
        if let Some(numbers) = numbers {
            source.numbers = numbers;
        }
        let Self { shapes, touching, contacts, cells, .. } = &mut source;
        let max_contacts = MOST_CONTACTS as u64;
        let mut detector = Detector::with_options(Options { max_contacts, ..Options::default() })?;
        let pairs = detector.for_each_pair(&*shapes, |pair| mark(touching, pair))?;
        if args.grid {
            detector.grid_cells(cells);
        }
        if args.contacts {
            detector.contacts(&*shapes, 0.0, contacts).map_err(|error| match error {
                Error::TooManyContacts { found, .. } => too_many_contacts(found),
                error => error.into(),
            })?;
        }
        source.pairs = pairs;
        Ok(source)
    }

    /// A step of a recording, with the results of its world. The grid is a grid of all shapes.
    fn recording(file: &Path, args: &RenderArgs) -> Result<Self> {
        let mut input = Input::open(file)?;
        let name = &input.name;
        let mut bytes = Vec::new();
        input.reader.read_to_end(&mut bytes).with_context(|| name.clone())?;
        input.bar.finish_and_clear();
        let last = match args.step {
            Some(step) => step,
            None => go(&bytes, None).with_context(|| name.clone())?.steps(),
        };
        let replay = go(&bytes, Some(last)).with_context(|| name.clone())?;
        let steps = replay.steps();
        ensure!(steps > 0, "{name}: the recording has no step to draw");
        let has = count(steps, "step");
        ensure!(steps == last, "{name}: it has {has}: write --step 1 to {steps}");
        let world = replay.world();
        few(world.len())?;

        let mut source = Self::new(format!("{name}, step {last}"), world.shapes().clone());
        let step = world.last_step();
        for &pair in step.pairs() {
            mark(&mut source.touching, pair);
        }
        source.pairs = step.pairs().len() as u64;
        if args.contacts {
            let contacts = step.contacts();
            if contacts.len() > MOST_CONTACTS {
                return Err(too_many_contacts(contacts.len() as u64));
            }
            source.contacts = contacts.to_vec();
        }
        if args.grid {
            let mut detector = Detector::new();
            detector.count(&source.shapes)?;
            detector.grid_cells(&mut source.cells);
        }
        Ok(source)
    }

    fn new(title: String, shapes: Shapes) -> Self {
        let rows = shapes.rows();
        let (numbers, touching) = ((0..rows as u64).collect(), vec![false; rows]);
        let (origin, contacts, cells) = (Origin::default(), Vec::new(), Vec::new());
        let sensor = |row| shapes.filter(row).is_some_and(|filter| filter.sensor);
        let sensors = (0..rows as u32).map(sensor).collect();
        Self { title, shapes, origin, sensors, numbers, touching, pairs: 0, contacts, cells }
    }
}

/// Replays a recording up to a step, or to its end.
fn go(bytes: &[u8], upto: Option<u64>) -> Result<Replay<'_>, Error> {
    let mut replay = Replay::new(bytes, Options::default())?;
    while upto.is_none_or(|step| replay.steps() < step) && replay.step()?.is_some() {}
    Ok(replay)
}

/// The bodies of a scene as shapes of the simplest kinds: the same pairs, contacts and bits.
fn axis_aligned(bodies: &[RoundedBox]) -> Result<Shapes> {
    let mut shapes = Shapes::with_capacity(bodies.len());
    for body in bodies {
        let RoundedBox { min_x, min_y, max_x, max_y, radius } = *body;
        if min_x == max_x && min_y == max_y {
            shapes.push(Circle::new([min_x, min_y], radius))?;
        } else if radius == 0.0 {
            shapes.push(Aabb::new([min_x, min_y], [max_x, max_y]))?;
        } else {
            shapes.push(*body)?;
        }
    }
    Ok(shapes)
}

fn mark(touching: &mut [bool], Pair { a, b }: Pair) {
    (touching[a as usize], touching[b as usize]) = (true, true);
}

fn few(shapes: usize) -> Result<()> {
    ensure!(shapes <= MOST_SHAPES, "{shapes} shapes; a picture has at most {MOST_SHAPES}");
    Ok(())
}

fn too_many_contacts(found: u64) -> anyhow::Error {
    anyhow::anyhow!("{found} contacts; a picture has at most {MOST_CONTACTS}: leave out --contacts")
}
