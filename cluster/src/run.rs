//! All steps.

use anyhow::{Context, Result, ensure};
use mpi::{collective::SystemOperation, topology::SimpleCommunicator, traits::*};
use widephase::tiles::Tile;

use crate::{
    args::{Args, Drill, How},
    balance::Watch,
    bodies::{Bodies, Role},
    checkpoint::{self, Manifest},
    clock,
    digest::Digest,
    faults::{self, Failure, agree},
    finder::Finder,
    rank::Rank,
    record::Parcel,
    report::{self, Stats},
    source::Source,
};

/// Runs all steps. All ranks return the same.
pub(crate) fn run(world: &SimpleCommunicator, args: &Args) -> Result<(), Failure> {
    let (here, ranks) = (world.rank(), world.size());
    let (read, mut manifest) = agree(world, read(args, here as u32, ranks as u32))?;
    faults::begin_step(manifest.step);
    let mut reference = None;
    if args.verify {
        let made = (here == 0).then(|| Reference::new(args)).transpose();
        reference = agree(world, made)?;
    }
    let Source { bodies: expected, margin, .. } = manifest.source;
    let most = read.records.iter().map(|record| record.floats as u64).max().unwrap_or(0);
    let stride = reduce(world, most, SystemOperation::max());
    let total = reduce(world, read.records.len() as u64, SystemOperation::sum());
    agree(world, check_total(total, expected.into()))?;
    let mut rank = Rank::new(world, &read, stride as usize, margin, manifest.half_world)?;
    drop(read);

    let mut watch = args.rebalance.map(|share| Watch::new(share.into(), ranks as usize));
    let mut costs = Costs::default();
    for step in manifest.step + 1..=args.steps {
        faults::begin_step(step);
        if let Some(drill) = args.drill.filter(|drill| drill.step == step) {
            agree(world, fail(drill, here))?;
        }
        let all = rank.step()?.gather(world);
        costs.add(&all);
        if here == 0 {
            println!("{}", report::line(step, &all));
        }
        if args.verify {
            let verified = match &mut reference {
                Some(reference) => reference.compare(report::total(&all)),
                None => Ok(()),
            };
            agree(world, verified)?;
        }
        if let Some(loads) = watch.as_mut().and_then(|watch| watch.add(&all)) {
            rank.rebalance(&loads)?;
        }
        manifest.step = step;
        if let Some(path) = &args.checkpoint
            && (step % args.checkpoint_every == 0 || step == args.steps)
        {
            manifest.parts = ranks as u32;
            checkpoint::save(world, path, &manifest, &rank.bodies)?;
            faults::set_checkpoint(format!("{} (step {step})", path.display()));
        }
    }
    if here == 0 {
        println!("{}", costs.line(reference.map(|reference| reference.spent)));
    }
    Ok(())
}

/// The share of a rank in the bodies of the scene or of the checkpoint, in any places.
fn read(args: &Args, rank: u32, ranks: u32) -> Result<(Parcel, Manifest)> {
    if let Some(path) = &args.resume {
        let manifest = checkpoint::load_manifest(path)?;
        let bodies = checkpoint::load(path, &manifest, rank, ranks)?;
        faults::set_checkpoint(format!("{} (step {})", path.display(), manifest.step));
        return Ok((bodies, manifest));
    }
    let scene = args.scene.context("no scene")?;
    let bodies = args.bodies.context("no number of bodies")?;
    let source = Source { scene, bodies, seed: args.seed, margin: args.margin, speed: args.speed };
    let begin = |rank: u32| (u64::from(bodies) * u64::from(rank) / u64::from(ranks)) as u32;
    let (parcel, half_world) = source.generate(begin(rank)..begin(rank + 1))?;
    Ok((parcel, Manifest { source, half_world, step: 0, parts: 0 }))
}

/// All bodies in one process.
struct Reference {
    bodies: Bodies,
    finder: Finder,
    half_world: f32,
    margin: f32,
    /// CPU time, in nanoseconds.
    spent: u64,
}

impl Reference {
    fn new(args: &Args) -> Result<Self> {
        let (all, manifest) = read(args, 0, 1)?;
        let stride = all.records.iter().map(|record| record.floats).max().unwrap_or(0);
        let mut bodies = Bodies::new(stride.into());
        bodies.put_all(&all, Role::Inner)?;
        bodies.sort()?;
        let Manifest { source: Source { margin, .. }, half_world, .. } = manifest;
        Ok(Self { bodies, finder: Finder::new()?, half_world, margin, spent: 0 })
    }

    /// Computes the next step, and compares its contacts with those of all ranks.
    fn compare(&mut self, ranks: Digest) -> Result<()> {
        let start = clock::now();
        self.bodies.advance(self.half_world)?;
        let one = self.finder.run(&self.bodies, Tile::PLANE, self.margin)?;
        self.spent += clock::now() - start;
        ensure!(
            one == ranks,
            "one process has {} pairs, hash {:016x}, and all ranks have {} pairs, hash {:016x}",
            one.contacts,
            one.hash(),
            ranks.contacts,
            ranks.hash()
        );
        Ok(())
    }
}

/// CPU times of all ranks and steps, in nanoseconds.
#[derive(Default)]
struct Costs {
    work: u64,
    mpi: u64,
}

impl Costs {
    fn add(&mut self, all: &[Stats]) {
        self.work += all.iter().map(Stats::work).sum::<u64>();
        self.mpi += all.iter().map(|stats| stats.spent[clock::Phase::Mpi as usize]).sum::<u64>();
    }

    /// The last line. `one` is the CPU time of one process.
    fn line(&self, one: Option<u64>) -> String {
        let seconds = |time: u64| time as f64 * 1e-9;
        let ranks = format!("CPU s: ranks {:.3}  mpi {:.3}", seconds(self.work), seconds(self.mpi));
        match one {
            None => ranks,
            Some(one) => {
                let ratio = self.work as f64 / one.max(1) as f64;
                format!("{ranks}  one process {:.3}  ratio {ratio:.3}  verified", seconds(one))
            }
        }
    }
}

fn reduce(world: &SimpleCommunicator, mine: u64, operation: SystemOperation) -> u64 {
    let mut all = mine;
    world.all_reduce_into(&mine, &mut all, operation);
    all
}

fn check_total(total: u64, expected: u64) -> Result<()> {
    ensure!(total == expected, "{total} bodies were read, and not {expected}");
    Ok(())
}

/// Fails if it is the turn of this rank.
fn fail(drill: Drill, rank: i32) -> Result<()> {
    if drill.rank == rank {
        match drill.how {
            How::Error => anyhow::bail!("drill"),
            How::Panic => panic!("drill"),
            How::Abort => std::process::abort(),
        }
    }
    Ok(())
}
