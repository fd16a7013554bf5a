//! The shooter of `examples/shooter`.

use std::collections::HashMap;

use widephase::{Columns, Handle, Index, Options, Queries, Shapes, glam::Vec2};

use super::{everywhere, hash};
use game::{BULLET, Game, RADIUS, UNIT, WALL};

#[path = "../../examples/shooter/game/mod.rs"]
mod game;

/// Places on the way of a bullet in a step, which is 40 radii long.
const PLACES: u16 = 64;
/// The length that is left to roundings.
const SLACK: f32 = 1e-3;

#[test]
fn no_bullet_passes_a_wall() {
    let mut game = Game::new(Options::default()).unwrap();
    let mut shapes = Shapes::new();
    for wall in game.of_kind(WALL) {
        shapes.push_at(game.world.shape(wall).unwrap(), game.world.pose(wall).unwrap()).unwrap();
    }
    let walls = Index::build(&shapes).unwrap();
    let touched = |at: &[Vec2], radius: f32| {
        let (x, y): (Vec<f32>, Vec<f32>) = at.iter().map(|at| (at.x, at.y)).unzip();
        let radii = vec![radius; at.len()];
        let mut rows = vec![];
        walls.any_overlapping_batch(Columns::circles(&x, &y, &radii).unwrap(), &mut rows).unwrap();
        rows
    };
    let (mut stopped, mut most) = (0, 0);
    for step in 0..40 {
        let bullets = game.of_kind(BULLET);
        most = most.max(bullets.len());
        let flights: Vec<(Handle, Vec2, Vec2)> = bullets
            .iter()
            .map(|bullet| (*bullet, game.at(*bullet), game.by[bullet.row() as usize]))
            .collect();
        let walls_and_units = game.of_kind(WALL | UNIT);
        game.step().unwrap();
        // The fraction at which a bullet was stopped, and whether by a wall.
        let mut ends = HashMap::new();
        for hit in &game.hits {
            let [a, b] = [hit.pair.a, hit.pair.b];
            let (bullet, other) =
                if bullets.iter().any(|bullet| bullet.row() == a) { (a, b) } else { (b, a) };
            let other = walls_and_units.iter().find(|body| body.row() == other).unwrap();
            let wall = game.world.body(*other).is_ok_and(|body| body.user == WALL);
            assert!(ends.insert(bullet, (hit.fraction, wall)).is_none(), "stopped twice");
        }
        let (mut on_the_way, mut at_walls) = (vec![], vec![]);
        for (bullet, at, by) in flights {
            assert!((by.length() - 40.0 * RADIUS).abs() < SLACK);
            let end = ends.get(&bullet.row());
            match end {
                None => assert_eq!(game.at(bullet), at + by),
                Some((fraction, wall)) => {
                    assert!(!game.world.contains(bullet));
                    at_walls.extend(wall.then_some(at + *fraction * by));
                }
            }
            let last = end.map_or(1.0, |(fraction, _)| *fraction);
            let fractions = (0..=PLACES).map(|place| f32::from(place) / f32::from(PLACES));
            on_the_way
                .extend(fractions.take_while(|fraction| *fraction <= last).map(|f| at + f * by));
        }
        let passed = touched(&on_the_way, RADIUS - SLACK);
        assert!(passed.iter().all(Option::is_none), "step {step}: a bullet in a wall");
        let stops = touched(&at_walls, RADIUS + SLACK);
        assert!(stops.iter().all(Option::is_some), "step {step}: a bullet stopped by nothing");
        stopped += stops.len();
    }
    assert!(most == 2000 && stopped > 1000, "{most} bullets, {stopped} stopped by walls");
}

#[test]
fn the_same_on_all_levels_and_threads() {
    everywhere(|options| {
        let mut game = Game::new(options).unwrap();
        let mut words = vec![];
        for _ in 0..20 {
            game.step().unwrap();
            for hit in &game.hits {
                let place = [hit.fraction, hit.x, hit.y].map(|value| u64::from(value.to_bits()));
                words.extend([hit.pair.a, hit.pair.b].map(u64::from).into_iter().chain(place));
            }
        }
        for body in game.world.handles() {
            words.push(u64::from(body.generation()) << 32 | u64::from(body.row()));
            words.extend(game.at(body).to_array().map(|value| u64::from(value.to_bits())));
        }
        assert_eq!(hash(words), 14_398_882_530_357_120_386, "{options:?}");
    });
}
