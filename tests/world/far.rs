//! Bodies that are anywhere else in each step, beside plain code: most pairs start or stop.

use std::collections::BTreeSet;

use widephase::{
    Body, Handle, World,
    shape::{Circle, Pose},
};

use common::rng::Rng;

/// Rows of bodies that are gone are filled again at once, so that their pairs have the same rows.
#[test]
fn bodies_that_move_far_and_are_replaced() {
    let mut rng = Rng::new(5);
    let mut world = World::new();
    let mut bodies: Vec<(Handle, [f32; 2])> = Vec::new();
    let (mut last, mut both) = (BTreeSet::new(), 0);
    for step in 0..12 {
        let at = |rng: &mut Rng| [0; 2].map(|_| rng.below(1 << 12) as f32 / 128.0);
        // Few bodies are replaced, then many, then none.
        let replaced = [3, 300, 0][step % 3].min(bodies.len());
        for (handle, _) in bodies.drain(..replaced) {
            world.remove(handle).unwrap();
        }
        for (handle, position) in &mut bodies {
            if rng.below(3) > 0 {
                *position = at(&mut rng);
                world.set_pose(*handle, Pose::at(*position)).unwrap();
            }
        }
        while bodies.len() < 900 {
            let position = at(&mut rng);
            let handle = world.insert(Circle::new(position, 0.75), Body::default()).unwrap();
            bodies.push((handle, position));
        }
        let result = world.step().unwrap();
        let mut now = BTreeSet::new();
        for (number, (one, p)) in bodies.iter().enumerate() {
            for (other, q) in &bodies[number + 1..] {
                let [x, y] = [p[0] - q[0], p[1] - q[1]];
                if x * x + y * y <= 2.25 {
                    now.insert(match one.row() < other.row() {
                        true => (*one, *other),
                        false => (*other, *one),
                    });
                }
            }
        }
        let started: Vec<_> = result.started().iter().map(|event| (event.a, event.b)).collect();
        let stopped: Vec<_> = result.stopped().iter().map(|event| (event.a, event.b)).collect();
        assert_eq!(started.len() + stopped.len(), now.symmetric_difference(&last).count());
        assert!(started.iter().all(|pair| now.contains(pair) && !last.contains(pair)));
        assert!(stopped.iter().all(|pair| last.contains(pair) && !now.contains(pair)));
        assert_eq!(world.persisted().count(), now.intersection(&last).count());
        both += now.intersection(&last).count();
        last = now;
    }
    assert!(both > 1000, "{both} pairs persisted");
}
