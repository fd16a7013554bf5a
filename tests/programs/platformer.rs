//! The platformer of `examples/platformer`.

use widephase::{Options, narrowphase::distance};

use super::{everywhere, hash};
use game::Game;

#[path = "../../examples/platformer/game.rs"]
mod game;

#[test]
fn the_hero_comes_to_the_goal_and_never_sinks_in() {
    let mut game = Game::new(Options::default()).unwrap();
    let (mut steps, mut rides, mut passed) = (0, 0, 0);
    while !game.finished {
        let keys = game.player().unwrap();
        let below = game.at().y;
        game.step(keys).unwrap();
        steps += 1;
        assert!(steps < 1500 && game.falls == 0, "step {steps}: at {}", game.at());
        // Platforms with one side lie at 5 and 8: the hero jumps through them from below.
        let feet = [below, game.at().y].map(|y| y - 0.75);
        let crosses = |height: f32| feet[0] < height && feet[1] >= height;
        let between = (11.0..16.0).contains(&game.at().x);
        passed += usize::from(between && (crosses(5.0) || crosses(8.0)));
        let ground = game.ground().map(|body| game.world.body(body).unwrap());
        rides += usize::from(ground.is_some_and(|body| body.filter.category == 2));
        if steps % 10 == 0 {
            let (hero, at) = (game.world.shape(game.hero).unwrap(), game.end.unwrap().pose);
            for other in game.world.handles() {
                let body = game.world.body(other).unwrap();
                if other == game.hero || body.filter.sensor {
                    continue;
                }
                let (shape, pose) = (game.world.shape(other).unwrap(), body.pose.unwrap());
                let near = distance((&hero, at), (&shape, pose)).unwrap();
                // While it passes a platform from below, it touches it.
                let one_way = between && at.y < 9.0;
                assert!(near > 0.0045 || one_way, "step {steps}: {near} from {shape:?}");
            }
        }
    }
    assert!(game.coins >= 5 && rides > 60 && passed > 0, "{} {rides} {passed}", game.coins);
}

#[test]
fn the_same_on_all_levels_and_threads() {
    everywhere(|options| {
        let mut game = Game::new(options).unwrap();
        let mut words = vec![];
        for _ in 0..900 {
            let keys = game.player().unwrap();
            game.step(keys).unwrap();
            let at = game.at();
            words.extend([at.x.to_bits(), at.y.to_bits(), game.coins].map(u64::from));
        }
        assert_eq!(hash(words), 14_232_784_900_663_306_643, "{options:?}");
    });
}
