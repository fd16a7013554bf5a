//! The swarm of `examples/swarm`.

use widephase::{IndexOptions, Options};

use super::{everywhere, hash};
use environments::{AGENTS, NEAREST, RADIUS, RAYS, SIDE, Swarm};

#[path = "../../examples/swarm/by_hand.rs"]
mod by_hand;
#[path = "../../examples/swarm/environments.rs"]
mod environments;

fn options(options: &Options) -> IndexOptions {
    let Options { simd_level, threads, .. } = *options;
    IndexOptions { simd_level, threads, ..IndexOptions::default() }
}

#[test]
fn observations_equal_the_loops_and_all_agents_stay_inside() {
    let mut swarm = Swarm::new(50, IndexOptions::default()).unwrap();
    let agents = swarm.x.len();
    let mut near = vec![[(0, 0.0); NEAREST]; agents];
    let mut ranges = vec![0.0; agents * RAYS];
    let mut moved = 0;
    for step in 0..200 {
        let before = swarm.x.clone();
        swarm.step().unwrap();
        swarm.observe().unwrap();
        by_hand::nearest(&swarm.x, &swarm.y, &mut near);
        by_hand::ranges(&swarm.x, &swarm.y, swarm.directions(), &mut ranges);
        moved += before.iter().zip(&swarm.x).filter(|(before, now)| before != now).count();
        let off = |one: f32, other: f32| one != other && (one - other).abs() > 2e-3;
        for (agent, near) in near.iter().enumerate() {
            let listed = swarm.near.get(agent);
            assert_eq!(listed.len(), NEAREST);
            for (neighbor, (_, centers)) in listed.iter().zip(near) {
                let distance = (centers - 2.0 * RADIUS).max(0.0);
                assert!(!off(neighbor.distance, distance), "step {step}: agent {agent}");
                assert_eq!(neighbor.row as usize / AGENTS, agent / AGENTS, "step {step}");
            }
            let at = [swarm.x[agent], swarm.y[agent]];
            assert!(at.iter().all(|at| (0.2..SIDE - 0.2).contains(at)), "{at:?}");
        }
        // A ray that just touches a circle may miss it after a rounding, and of a ray that nearly
        // does, roundings are a root.
        let pairs = ranges.iter().zip(&swarm.scan.range);
        let differ = pairs.filter(|(range, other)| off(**range, **other)).count();
        assert!(differ <= 4, "step {step}: {differ} ranges");
    }
    assert!(moved > 100 * agents, "{moved}");
}

#[test]
fn the_same_on_all_levels_and_threads() {
    everywhere(|all| {
        let mut swarm = Swarm::new(100, options(&all)).unwrap();
        let mut words = vec![];
        for _ in 0..60 {
            swarm.step().unwrap();
            words.extend(swarm.x.iter().chain(&swarm.y).map(|at| u64::from(at.to_bits())));
            words.extend(swarm.near.items().iter().map(|near| u64::from(near.row)));
            words.extend(swarm.scan.range.iter().map(|range| u64::from(range.to_bits())));
        }
        assert_eq!(hash(words), 4_130_289_760_985_835_620, "{all:?}");
    });
}
