//! Box2D's world, stepped by no time: broadphase, contacts and events, no solver.

use std::ffi::{c_char, c_void};

use anyhow::{Result, ensure};
use boxdd_sys::ffi;
use widephase::{Pair, shape::RoundedBox};

use super::{
    contract::{Executor, pair},
    spatial,
};
use crate::bodies::{Body, Rows};

/// A world of dynamic bodies that is stepped by a time of 0: that finds new pairs, updates all
/// contacts, tells which pairs began and ceased to have contacts, and skips the solver.
///
/// Box2D also has contacts of bodies up to 2 cm apart. Its events report such contacts.
#[derive(Default)]
pub struct Box2dWorld {
    world: Option<World>,
}

/// Owns the native world.
pub(super) struct World {
    pub(super) id: ffi::b2WorldId,
    /// The body of each row, in the order in which they were created.
    bodies: Vec<(u32, ffi::b2BodyId)>,
    /// The pairs that have contacts by the events so far.
    touching: usize,
}

impl<R: Rows> Executor<R> for Box2dWorld {
    fn begin(&mut self, rows: &R) -> Result<()> {
        let world = self.world.insert(World::new(rows));
        world.step();
        Ok(())
    }

    fn detect(&mut self, rows: &R, _pairs: &mut Vec<Pair>) -> Result<()> {
        let world = self.world.get_or_insert_with(|| World::new(rows));
        world.set_transforms(rows);
        world.step();
        Ok(())
    }

    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        match &self.world {
            Some(world) => world.kept(pairs),
            None => Ok(()),
        }
    }
}

impl World {
    /// A world without bodies.
    pub(super) fn empty() -> Self {
        // SAFETY: the definitions are Box2D's defaults, with valid values.
        let id = unsafe {
            ffi::b2SetLogFcn(Some(ignore));
            let mut definition = ffi::b2DefaultWorldDef();
            definition.gravity = ffi::b2Vec2 { x: 0.0, y: 0.0 };
            definition.enableSleep = false;
            definition.enableContinuous = false;
            definition.workerCount = 1;
            let id = ffi::b2CreateWorld(&definition);
            // Otherwise it keeps the manifolds of bodies that have moved by up to 5 cm, with a
            // separation that is only an estimate.
            ffi::b2World_SetContactRecycleDistance(id, 0.0);
            id
        };
        Self { id, bodies: Vec::new(), touching: 0 }
    }

    fn new<R: Rows>(rows: &R) -> Self {
        let mut world = Self::empty();
        let create = |row: u32| (row, create(world.id, row, rows.body(row as usize)));
        world.bodies = spatial::order(rows).into_iter().map(create).collect();
        world
    }

    fn set_transforms<R: Rows>(&mut self, rows: &R) {
        for &(row, body) in &self.bodies {
            let [x, y] = rows.body(row as usize).center();
            let upright = ffi::b2Rot { c: 1.0, s: 0.0 };
            // SAFETY: the body belongs to the world, which is alive; the position is finite.
            unsafe { ffi::b2Body_SetTransform(body, ffi::b2Vec2 { x, y }, upright) };
        }
    }

    pub(super) fn step(&mut self) {
        // SAFETY: the world is alive. The lists of events live until its next step.
        let events = unsafe {
            ffi::b2World_Step(self.id, 0.0, 1);
            ffi::b2World_GetContactEvents(self.id)
        };
        self.touching += events.beginCount as usize;
        self.touching -= events.endCount as usize;
    }

    /// The contacts by the events so far.
    pub(super) fn touching(&self) -> usize {
        self.touching
    }

    /// Appends the pairs with a contact point that is not apart.
    fn kept(&self, pairs: &mut Vec<Pair>) -> Result<()> {
        let mut kept = 0;
        for &(row, body) in &self.bodies {
            for contact in &contacts(body) {
                let [a, b] = [contact.shapeIdA, contact.shapeIdB].map(|shape| {
                    // SAFETY: the shapes of a contact are alive; each has its row as user data.
                    unsafe { ffi::b2Shape_GetUserData(shape) as usize as u32 }
                });
                // Each contact is in the lists of both bodies.
                if a != row {
                    continue;
                }
                kept += 1;
                let points = &contact.manifold.points[..contact.manifold.pointCount as usize];
                if points.iter().any(|point| point.separation <= 0.0) {
                    pairs.push(pair(a, b));
                }
            }
        }
        ensure!(self.touching == kept, "{kept} contacts, {} by events", self.touching);
        Ok(())
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world is alive, and is not used after this.
        unsafe { ffi::b2DestroyWorld(self.id) };
    }
}

/// The contacts of a body that is alive.
pub(super) fn contacts(body: ffi::b2BodyId) -> Vec<ffi::b2ContactData> {
    let mut contacts = Vec::new();
    // SAFETY: the list has memory for as many contacts as it is told, and gets its length from the
    // number that was written.
    unsafe {
        let capacity = ffi::b2Body_GetContactCapacity(body);
        contacts.reserve(capacity as usize);
        let len = ffi::b2Body_GetContactData(body, contacts.as_mut_ptr(), capacity);
        contacts.set_len(len as usize);
    }
    contacts
}

/// Ignores the messages of Box2D: scenes put many bodies in one place on purpose.
extern "C" fn ignore(_message: *const c_char) {}

/// Creates the body of a row, with its shape.
fn create(world: ffi::b2WorldId, row: u32, body: impl Body) -> ffi::b2BodyId {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = body.rounded_box();
    let [x, y] = body.center();
    let [half_width, half_height] = [max_x - min_x, max_y - min_y].map(|side| side * 0.5);
    // SAFETY: the world is alive; the definitions are Box2D's defaults, with valid values, and are
    // copied.
    unsafe {
        let mut definition = ffi::b2DefaultBodyDef();
        definition.type_ = ffi::b2BodyType_b2_dynamicBody;
        definition.position = ffi::b2Vec2 { x, y };
        definition.enableSleep = false;
        let body = ffi::b2CreateBody(world, &definition);
        let mut definition = ffi::b2DefaultShapeDef();
        definition.userData = row as usize as *mut c_void;
        definition.enableContactEvents = true;
        if half_width == 0.0 && half_height == 0.0 {
            let circle = ffi::b2Circle { center: ffi::b2Vec2 { x: 0.0, y: 0.0 }, radius };
            ffi::b2CreateCircleShape(body, &definition, &circle);
        } else {
            let rounded = ffi::b2MakeRoundedBox(half_width, half_height, radius);
            ffi::b2CreatePolygonShape(body, &definition, &rounded);
        }
        body
    }
}
