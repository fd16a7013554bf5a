//! A world beside a naive one: a list of bodies, and all pairs of them by brute force. Snapshots
//! and recordings of worlds.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

#[path = "../counting.rs"]
mod counting;

mod any_calls;
mod bulk;
mod calls;
mod damage;
mod far;
mod model;
mod order;
mod platforms;
mod poses;
mod rest;
mod slide;
mod snapshot;
mod spaces;
mod sweep;

use widephase::{
    Body, Error, Handle, World,
    error::Fault,
    shape::{Kind, Pose, Shape},
};

/// Inserts a body, and moves it to its pose afterwards if its shape has another rotation. An
/// axis-aligned box gets no rotation.
fn insert_at(world: &mut World, shape: &impl Shape, body: Body) -> Handle {
    match world.insert(shape, body) {
        Err(Error::InvalidShape { fault: Fault::SecondRotation, .. }) => {
            let handle = world.insert(shape, Body { pose: None, ..body }).unwrap();
            world.set_pose(handle, body.pose.unwrap()).unwrap();
            handle
        }
        Err(Error::InvalidShape { fault: Fault::CannotRotate, .. }) => {
            let pose = body.pose.map(|pose| Pose::at(pose.position()));
            world.insert(shape, Body { pose, ..body }).unwrap()
        }
        result => result.unwrap(),
    }
}

/// The pose, without its rotation if the body is an axis-aligned box.
fn pose_for(world: &World, handle: Handle, pose: Pose) -> Pose {
    match world.shapes().kind(handle.row()) {
        Some(Kind::Aabb | Kind::RoundedBox) => Pose::at(pose.position()),
        _ => pose,
    }
}
