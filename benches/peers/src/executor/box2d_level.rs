//! Box2D's world in a level, stepped by no time, and its ray casts.

use std::ffi::c_void;

use anyhow::{Result, ensure};
use boxdd_sys::ffi;
use widephase::Pair;
use widephase_scenes::{Level, LevelBody, LevelChange, LevelKind, LevelShape};

use super::{box2d_world::World, contract::pair, level::LevelExecutor, spatial};

/// Movers are dynamic bodies, doors are kinematic, and all other bodies are static. A coin that is
/// picked up is destroyed, and another coin is created. An outline is a closed chain for each ring,
/// and a half-plane is a segment that is longer than the level.
pub struct Box2dLevel {
    level: Level,
    world: World,
    resting: Vec<ffi::b2BodyId>,
    movers: Vec<ffi::b2BodyId>,
    /// Half the length of the segment of a half-plane.
    reach: f32,
    hits: Vec<Option<f32>>,
}

impl Box2dLevel {
    pub fn new(kind: LevelKind, movers: u32, seed: u64) -> Self {
        let level = Level::generate(kind, movers, seed);
        let mut next = level.clone();
        next.step();
        let is_door = |number| next.changes().contains(&LevelChange::Moved(number));
        let centers = || level.resting().iter().chain(level.movers()).map(|body| body.center);
        let far = centers().flatten().fold(1.0_f32, |far, at| far.max(at.abs()));
        let world = World::empty();
        let reach = 4.0 * far;
        let (centers, len) = (centers().collect::<Vec<_>>(), level.resting().len());
        let order = spatial::along_curve(&centers).into_iter().map(|number| number as usize);
        let mut bodies: Vec<(usize, ffi::b2BodyId)> = Vec::with_capacity(centers.len());
        for number in order {
            let (body, type_) = match number.checked_sub(len) {
                Some(mover) => (&level.movers()[mover], ffi::b2BodyType_b2_dynamicBody),
                None if is_door(number) => {
                    (&level.resting()[number], ffi::b2BodyType_b2_kinematicBody)
                }
                None => (&level.resting()[number], ffi::b2BodyType_b2_staticBody),
            };
            bodies.push((number, create(world.id, number, body, type_, reach)));
        }
        // SAFETY: the world is alive.
        unsafe { ffi::b2World_RebuildStaticTree(world.id) };
        bodies.sort_unstable_by_key(|(number, _)| *number);
        let mut resting: Vec<_> = bodies.into_iter().map(|(_, body)| body).collect();
        let movers = resting.split_off(len);
        Self { level, world, resting, movers, reach, hits: Vec::new() }
    }

    /// Casts the rays of the level.
    fn cast(&mut self) {
        self.hits.clear();
        self.hits.extend(self.level.rays().iter().map(|[[x, y], to]| {
            let along = ffi::b2Vec2 { x: to[0] - x, y: to[1] - y };
            // SAFETY: the world is alive; the ray is finite.
            let hit = unsafe {
                let filter = ffi::b2DefaultQueryFilter();
                let from = ffi::b2Vec2 { x: *x, y: *y };
                ffi::b2World_CastRayClosest(self.world.id, from, along, filter)
            };
            hit.hit.then_some(hit.fraction)
        }));
    }
}

impl LevelExecutor for Box2dLevel {
    fn prepare(&mut self) {
        self.level.step();
    }

    fn step(&mut self) -> Result<()> {
        for change in self.level.changes() {
            match *change {
                LevelChange::Moved(body) => {
                    place(self.resting[body], self.level.resting()[body].center);
                }
                LevelChange::Replaced(number) => {
                    let body = &self.level.resting()[number];
                    // SAFETY: the body is alive, and its handle is replaced.
                    unsafe { ffi::b2DestroyBody(self.resting[number]) };
                    let type_ = ffi::b2BodyType_b2_staticBody;
                    self.resting[number] = create(self.world.id, number, body, type_, self.reach);
                }
            }
        }
        for (handle, body) in self.movers.iter().zip(self.level.movers()) {
            place(*handle, body.center);
        }
        self.world.step();
        self.cast();
        Ok(())
    }

    fn touching(&self) -> Result<Vec<Pair>> {
        let mut contacts: Vec<_> = self.movers.iter().flat_map(|body| contacts(*body)).collect();
        // A contact is in the lists of both bodies.
        contacts.sort_unstable_by_key(|(shapes, ..)| *shapes);
        contacts.dedup_by_key(|(shapes, ..)| *shapes);
        let (kept, told) = (contacts.len(), self.world.touching());
        ensure!(told == kept, "{kept} contacts, {told} by events");
        let near = contacts.into_iter().filter(|(_, _, touches)| *touches);
        let mut pairs: Vec<Pair> = near.map(|(_, pair, _)| pair).collect();
        // Each segment of a chain has a contact of its own.
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }

    fn hits(&self) -> Vec<Option<f32>> {
        self.hits.clone()
    }
}

fn place(body: ffi::b2BodyId, [x, y]: [f32; 2]) {
    let upright = ffi::b2Rot { c: 1.0, s: 0.0 };
    // SAFETY: the body is alive; the position is finite.
    unsafe { ffi::b2Body_SetTransform(body, ffi::b2Vec2 { x, y }, upright) };
}

/// The contacts of a body: the two shapes, the pair, and whether a point is not apart.
fn contacts(body: ffi::b2BodyId) -> Vec<([i32; 2], Pair, bool)> {
    let contact = |contact: ffi::b2ContactData| {
        let shapes = [contact.shapeIdA, contact.shapeIdB];
        // SAFETY: the shapes of a contact are alive; each has its number as user data.
        let [a, b] = shapes.map(|shape| unsafe { ffi::b2Shape_GetUserData(shape) as usize as u32 });
        let points = &contact.manifold.points[..contact.manifold.pointCount as usize];
        let touches = points.iter().any(|point| point.separation <= 0.0);
        (shapes.map(|shape| shape.index1), pair(a, b), touches)
    };
    super::box2d_world::contacts(body).into_iter().map(contact).collect()
}

/// Creates the body with this number, with its shape.
fn create(
    world: ffi::b2WorldId,
    number: usize,
    body: &LevelBody,
    type_: ffi::b2BodyType,
    reach: f32,
) -> ffi::b2BodyId {
    let origin = ffi::b2Vec2 { x: 0.0, y: 0.0 };
    // SAFETY: the world is alive; the definitions are Box2D's defaults, with valid values, and are
    // copied, the points of a chain included.
    unsafe {
        let mut definition = ffi::b2DefaultBodyDef();
        definition.type_ = type_;
        definition.position = ffi::b2Vec2 { x: body.center[0], y: body.center[1] };
        definition.enableSleep = false;
        let handle = ffi::b2CreateBody(world, &definition);
        let user_data = number as *mut c_void;
        let mut definition = ffi::b2DefaultShapeDef();
        definition.userData = user_data;
        definition.enableContactEvents = true;
        // A coin meets movers that are where it appears.
        definition.invokeContactCreation = true;
        match &body.shape {
            &LevelShape::Circle(radius) => {
                let circle = ffi::b2Circle { center: origin, radius };
                ffi::b2CreateCircleShape(handle, &definition, &circle);
            }
            &LevelShape::Box([half_width, half_height]) => {
                let polygon = ffi::b2MakeBox(half_width, half_height);
                ffi::b2CreatePolygonShape(handle, &definition, &polygon);
            }
            &LevelShape::HalfPlane([x, y]) => {
                let end = |by: f32| ffi::b2Vec2 { x: y * by, y: -x * by };
                let segment = ffi::b2Segment { point1: end(-reach), point2: end(reach) };
                ffi::b2CreateSegmentShape(handle, &definition, &segment);
            }
            LevelShape::Outline(rings) => {
                for ring in rings {
                    let points: Vec<ffi::b2Vec2> =
                        ring.iter().map(|&[x, y]| ffi::b2Vec2 { x, y }).collect();
                    let mut definition = ffi::b2DefaultChainDef();
                    definition.userData = user_data;
                    definition.points = points.as_ptr();
                    definition.count = points.len() as i32;
                    definition.isLoop = true;
                    ffi::b2CreateChain(handle, &definition);
                }
            }
        }
        handle
    }
}
