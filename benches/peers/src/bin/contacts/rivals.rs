//! The ways to decide pairs.

use anyhow::Result;
use parry2d::{
    math::{Pose, Vector},
    query::{self, ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher},
};
use widephase::{
    Contact, Narrowphase, NarrowphaseOptions, Pair, SimdLevel, columns::ContactColumns,
};

use crate::worlds::{Store, World};

/// The requested result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// The pairs that touch.
    Test,
    /// The contacts of the pairs that touch.
    Contacts,
    /// The contacts of pairs in aligned rows, one block at a time.
    Rows,
}

/// Pairs in a block of rows.
const BLOCK: usize = 4096;

/// A way to decide the pairs of a world.
pub trait Rival<S: Store> {
    fn task(&self) -> Task;

    fn name(&self) -> String;

    /// Computes the list of touching pairs, or of contacts, from the pairs. Memory is reused.
    fn run(&mut self, world: &World<S>) -> Result<()>;

    /// The pairs that touch, in the order of the world's pairs.
    fn touching(&self, world: &World<S>) -> Vec<Pair>;
}

/// widephase's test.
pub struct WideTest {
    level: SimdLevel,
    narrowphase: Narrowphase,
    touching: Vec<Pair>,
}

/// widephase's contacts.
pub struct WideContacts {
    level: SimdLevel,
    narrowphase: Narrowphase,
    contacts: Vec<Contact>,
}

fn narrowphase(level: SimdLevel) -> Result<Narrowphase> {
    let simd_level = Some(level);
    let options = NarrowphaseOptions { simd_level, ..NarrowphaseOptions::default() };
    Ok(Narrowphase::with_options(options)?)
}

impl WideTest {
    pub fn new(level: SimdLevel) -> Result<Self> {
        let narrowphase = narrowphase(level)?;
        Ok(Self { level, narrowphase, touching: Vec::new() })
    }
}

impl WideContacts {
    pub fn new(level: SimdLevel) -> Result<Self> {
        let narrowphase = narrowphase(level)?;
        Ok(Self { level, narrowphase, contacts: Vec::new() })
    }
}

impl<S: Store> Rival<S> for WideTest {
    fn task(&self) -> Task {
        Task::Test
    }

    fn name(&self) -> String {
        format!("widephase-test-{}", self.level)
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        Ok(self.narrowphase.pairs(&world.shapes, &world.pairs, &mut self.touching)?)
    }

    fn touching(&self, _: &World<S>) -> Vec<Pair> {
        self.touching.clone()
    }
}

impl<S: Store> Rival<S> for WideContacts {
    fn task(&self) -> Task {
        Task::Contacts
    }

    fn name(&self) -> String {
        format!("widephase-contacts-{}", self.level)
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        Ok(self.narrowphase.contacts(&world.shapes, &world.pairs, 0.0, &mut self.contacts)?)
    }

    fn touching(&self, _: &World<S>) -> Vec<Pair> {
        self.contacts.iter().map(|contact| contact.pair).collect()
    }
}

/// widephase's contacts of rows, as columns.
pub struct WideRows {
    level: SimdLevel,
    narrowphase: Narrowphase,
    contacts: ContactColumns,
    /// The number of points of each row, which is read before the next block.
    counts: Vec<u32>,
}

impl WideRows {
    pub fn new(level: SimdLevel) -> Result<Self> {
        Ok(Self {
            level,
            narrowphase: narrowphase(level)?,
            contacts: ContactColumns::new(),
            counts: Vec::new(),
        })
    }
}

impl<S: Store> Rival<S> for WideRows {
    fn task(&self) -> Task {
        Task::Rows
    }

    fn name(&self) -> String {
        format!("widephase-rows-{}", self.level)
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        self.counts.clear();
        let Some(rows) = &world.rows else { return Ok(()) };
        for first in (0..world.pairs.len()).step_by(BLOCK) {
            let block = first..world.pairs.len().min(first + BLOCK);
            let [a, b] = rows.sides.each_ref().map(|side| side.columns(0..world.pairs.len()));
            self.narrowphase.row_contacts(a?, b?, block, 0.0, &mut self.contacts)?;
            self.counts.extend_from_slice(&self.contacts.count);
        }
        Ok(())
    }

    fn touching(&self, world: &World<S>) -> Vec<Pair> {
        let touching = world.pairs.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        touching.map(|(&pair, _)| pair).collect()
    }
}

/// Contacts of rows of parry's shapes, by a function for their kinds.
pub struct ParryRows<F> {
    name: &'static str,
    contact: F,
    contacts: Vec<query::Contact>,
    touching: Vec<u32>,
}

impl<F> ParryRows<F> {
    pub fn new(name: &'static str, contact: F) -> Self {
        Self { name, contact, contacts: Vec::new(), touching: Vec::new() }
    }
}

impl<S: Store, F> Rival<S> for ParryRows<F>
where
    F: Fn(&Pose, &S::A, &Pose, &S::B) -> Option<query::Contact>,
{
    fn task(&self) -> Task {
        Task::Rows
    }

    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        self.touching.clear();
        let Some(rows) = &world.rows else { return Ok(()) };
        for (row, ((a, shape_a), (b, shape_b))) in
            rows.parry_a.iter().zip(&rows.parry_b).enumerate()
        {
            if row % BLOCK == 0 {
                self.contacts.clear();
            }
            if let Some(contact) = (self.contact)(a, shape_a, b, shape_b) {
                self.contacts.push(contact);
                self.touching.push(row as u32);
            }
        }
        Ok(())
    }

    fn touching(&self, world: &World<S>) -> Vec<Pair> {
        self.touching.iter().map(|&row| world.pairs[row as usize]).collect()
    }
}

/// Whether two shapes of parry touch, by a function for their kinds.
pub struct ParryTest<F> {
    name: &'static str,
    test: F,
    touching: Vec<Pair>,
}

/// Contacts of two shapes of parry, by a function for their kinds.
pub struct ParryContacts<F> {
    name: &'static str,
    contact: F,
    contacts: Vec<(Pair, query::Contact)>,
}

impl<F> ParryTest<F> {
    pub fn new(name: &'static str, test: F) -> Self {
        Self { name, test, touching: Vec::new() }
    }
}

impl<F> ParryContacts<F> {
    pub fn new(name: &'static str, contact: F) -> Self {
        Self { name, contact, contacts: Vec::new() }
    }
}

impl<S: Store, F: Fn(&Pose, &S::A, &Pose, &S::B) -> bool> Rival<S> for ParryTest<F> {
    fn task(&self) -> Task {
        Task::Test
    }

    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        self.touching.clear();
        for &pair in &world.pairs {
            let (a, b) = world.parry.get(pair);
            let [pose_a, pose_b] = [pair.a, pair.b].map(|row| &world.poses[row as usize]);
            if (self.test)(pose_a, a, pose_b, b) {
                self.touching.push(pair);
            }
        }
        Ok(())
    }

    fn touching(&self, _: &World<S>) -> Vec<Pair> {
        self.touching.clone()
    }
}

impl<S: Store, F> Rival<S> for ParryContacts<F>
where
    F: Fn(&Pose, &S::A, &Pose, &S::B) -> Option<query::Contact>,
{
    fn task(&self) -> Task {
        Task::Contacts
    }

    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        self.contacts.clear();
        for &pair in &world.pairs {
            let (a, b) = world.parry.get(pair);
            let [pose_a, pose_b] = [pair.a, pair.b].map(|row| &world.poses[row as usize]);
            if let Some(contact) = (self.contact)(pose_a, a, pose_b, b) {
                self.contacts.push((pair, contact));
            }
        }
        Ok(())
    }

    fn touching(&self, _: &World<S>) -> Vec<Pair> {
        self.contacts.iter().map(|&(pair, _)| pair).collect()
    }
}

/// parry's manifolds, of up to two points, each computed without data from the previous step.
#[derive(Default)]
pub struct ParryManifolds {
    contacts: Vec<(Pair, Vector, [[f32; 3]; 2])>,
}

impl<S: Store> Rival<S> for ParryManifolds {
    fn task(&self) -> Task {
        Task::Contacts
    }

    fn name(&self) -> String {
        "parry-manifold".to_owned()
    }

    fn run(&mut self, world: &World<S>) -> Result<()> {
        self.contacts.clear();
        for &pair in &world.pairs {
            let (a, b) = world.parry.get(pair);
            let [pose_a, pose_b] = [pair.a, pair.b].map(|row| &world.poses[row as usize]);
            let mut manifold = ContactManifold::<(), ()>::new();
            let to_b = pose_a.inv_mul(pose_b);
            DefaultQueryDispatcher.contact_manifold_convex_convex(
                &to_b,
                a,
                b,
                None,
                None,
                0.0,
                &mut manifold,
            )?;
            let mut points = [[f32::MAX; 3]; 2];
            for (point, found) in points.iter_mut().zip(&manifold.points) {
                *point = [found.local_p1.x, found.local_p1.y, found.dist];
            }
            if points.iter().any(|&[.., distance]| distance <= 0.0) {
                self.contacts.push((pair, manifold.local_n1, points));
            }
        }
        Ok(())
    }

    fn touching(&self, _: &World<S>) -> Vec<Pair> {
        self.contacts.iter().map(|&(pair, ..)| pair).collect()
    }
}
