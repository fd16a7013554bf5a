//! Drops of rain that drift over a pane and merge: widephase in an ECS.
//!
//! A [`widephase::World`] is a resource. The value of a body is its entity, and the handle of an
//! entity is its component [`InSpace`]. Systems write positions in bulk and read events.

use bevy_ecs::prelude::*;
use widephase::{
    Body, Handle, Options,
    glam::Vec2,
    shape::{Circle, Pose},
    world::StopReason,
};

/// Half the side of the pane, and the number of drops on it.
const SIDE: f32 = 100.0;
const DROPS: usize = 2000;

/// Where a drop is.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct Position(pub Vec2);

/// How far it drifts in a step.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct Velocity(pub Vec2);

/// How large it is.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct Radius(pub f32);

/// The body of an entity. An observer removes the body when the component goes.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct InSpace(Handle);

/// All bodies.
#[derive(Resource)]
pub struct Space(widephase::World);

/// The events so far.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub struct Tally {
    /// Drops that have come down.
    pub rained: u32,
    /// Drops that have become part of a larger drop.
    pub merged: u32,
    /// Pairs that have stopped because a drop was gone.
    pub stopped: u32,
}

/// A pane without drops, and the schedule of a step.
///
/// # Errors
/// The errors of [`Options::check`].
pub fn pane(options: Options) -> Result<(World, Schedule), widephase::Error> {
    let mut world = World::new();
    world.insert_resource(Space(widephase::World::with_options(options)?));
    world.init_resource::<Tally>();
    world.add_observer(leave);
    let mut schedule = Schedule::default();
    schedule.add_systems((rain, enter, drift, place, detect, merge, grow, count).chain());
    Ok((world, schedule))
}

/// Spawns drops until there are enough.
fn rain(drops: Query<(), With<Radius>>, mut tally: ResMut<Tally>, mut commands: Commands) {
    for _ in drops.iter().len()..DROPS {
        tally.rained += 1;
        // They look random, and are equal on every machine.
        let bits = tally.rained.wrapping_mul(0x9E37_79B9);
        let [x, y, dx, dy] = bits.to_le_bytes().map(|byte| f32::from(byte) / 128.0 - 1.0);
        let radius = 0.25 + f32::from(bits as u8 % 16) / 32.0;
        commands.spawn((
            Position(Vec2::new(x, y) * (SIDE - 2.0)),
            Velocity(Vec2::new(dx, dy) * 0.25),
            Radius(radius),
        ));
    }
}

/// Inserts a body for each new drop. The value of the body is the entity.
fn enter(
    mut space: ResMut<Space>,
    drops: Query<(Entity, &Position, &Radius), Without<InSpace>>,
    mut commands: Commands,
) -> Result {
    for (entity, position, radius) in &drops {
        let body = Body { user: entity.to_bits(), ..Body::default() };
        let handle = space.0.insert(Circle::new(position.0, radius.0), body)?;
        commands.entity(entity).insert(InSpace(handle));
    }
    Ok(())
}

/// Removes the body of an entity that is despawned, or that loses the component.
fn leave(removed: On<Remove<InSpace>>, drops: Query<&InSpace>, mut space: ResMut<Space>) -> Result {
    space.0.remove(drops.get(removed.entity)?.0)?;
    Ok(())
}

/// Moves the drops. They turn back at the border.
fn drift(mut drops: Query<(&mut Position, &mut Velocity)>) {
    for (mut position, mut velocity) in &mut drops {
        position.0 += velocity.0;
        for axis in 0..2 {
            if position.0[axis] * velocity.0[axis].signum() > SIDE {
                velocity.0[axis] *= -1.0;
            }
        }
    }
}

/// Writes all positions to the bodies in one call.
fn place(
    mut space: ResMut<Space>,
    drops: Query<(&InSpace, &Position)>,
    mut lists: Local<(Vec<Handle>, Vec<Pose>)>,
) -> Result {
    let (handles, poses) = &mut *lists;
    handles.clear();
    poses.clear();
    for (body, position) in &drops {
        handles.push(body.0);
        poses.push(Pose::at(position.0));
    }
    space.0.set_poses(handles, poses)?;
    Ok(())
}

fn detect(mut space: ResMut<Space>) -> Result {
    space.0.step()?;
    Ok(())
}

/// Of two drops that begin to touch, the larger drop takes up the smaller drop.
fn merge(
    space: Res<Space>,
    mut drops: Query<(&mut Velocity, &mut Radius)>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for event in space.0.last_step().started() {
        let [a, b] = [event.user_a, event.user_b].map(Entity::from_bits);
        let Ok([first, second]) = drops.get_many_mut([a, b]) else { continue };
        let (mut large, mut small, gone) =
            if first.1.0 < second.1.0 { (second, first, a) } else { (first, second, b) };
        let masses = [&large, &small].map(|drop| drop.1.0 * drop.1.0);
        if masses[1] == 0.0 {
            continue; // another drop has taken it up
        }
        let mass = masses[0] + masses[1];
        large.0.0 = (masses[0] * large.0.0 + masses[1] * small.0.0) / mass;
        large.1.0 = mass.sqrt();
        small.1.0 = 0.0;
        commands.entity(gone).despawn();
        tally.merged += 1;
    }
}

/// Replaces the shapes of drops with another size. (New shapes count as changed, too.)
fn grow(
    mut space: ResMut<Space>,
    drops: Query<(&InSpace, &Position, &Radius), Changed<Radius>>,
) -> Result {
    for (body, position, radius) in &drops {
        space.0.set_shape(body.0, Circle::new(position.0, radius.0))?;
    }
    Ok(())
}

/// Events name entities that are gone: entities that were despawned since the last step.
fn count(space: Res<Space>, mut tally: ResMut<Tally>) {
    let stopped = space.0.last_step().stopped().iter();
    tally.stopped += stopped.filter(|event| event.reason == StopReason::Removed).count() as u32;
}
