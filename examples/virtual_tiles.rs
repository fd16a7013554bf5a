//! The bodies that each of 64 to 1,024 processes would own and send, and their pairs, counted in
//! one process.
//!
//! `cargo run --release --example virtual_tiles -- 1000000`
//!
//! Scenes of this many bodies are divided into tiles, and move for ten steps while the tiles stay.
//! Then the table has, for the last step:
//!
//! - `bodies`, `pairs`: the number of the fullest tile over the mean;
//! - `ghosts`: the ghosts of all tiles, in percent of all bodies; and of the tile with the most
//!   ghosts, in percent of the mean number of bodies;
//! - `law`: ghosts in percent, as [`ghosts_by_law`] expects them;
//! - `peers`: the tiles that a tile gets ghosts from, the mean and the most;
//! - `KB`: the ghosts that the tile with the most receives, as `cluster/` sends them;
//! - `moved`: bodies that changed their tile in the last step, in percent.
//!
//! docs/scale.md has the numbers of 16,000,000 bodies, and the estimate for 10^10.

#[path = "../crates/scenes/adapter.rs"]
mod scene;

use std::{collections::HashSet, error::Error};

use scene::{Scene, SceneKind};
use widephase::{
    Detector,
    tiles::{TileDetector, TileRows, Tiles},
};

const SCENES: [SceneKind; 3] =
    [SceneKind::UniformCircles, SceneKind::PowerLawCircles, SceneKind::GaussianClusters];
const TILES: [usize; 3] = [64, 256, 1024];
const STEPS: usize = 10;
/// A record of `cluster/` and the radius of a circle.
const BYTES: usize = 44;

fn main() -> Result<(), Box<dyn Error>> {
    let bodies = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    println!("scene tiles  bodies  pairs  ghosts    most     law  peers  most      KB   moved");
    for kind in SCENES {
        for tiles in TILES {
            let mut scene = Scene::generate(kind, bodies, 1);
            let tiles = Tiles::balanced(scene.columns(), tiles)?;
            for _ in 1..STEPS {
                scene.step();
            }
            let before = owners(&divide(&tiles, &scene)?, scene.len());
            scene.step();
            print(&scene, &divide(&tiles, &scene)?, &before)?;
        }
    }
    Ok(())
}

fn divide(tiles: &Tiles, scene: &Scene) -> Result<TileRows, widephase::Error> {
    let mut rows = TileRows::new();
    rows.divide(tiles, scene.columns(), 0.0)?;
    Ok(rows)
}

/// The tile that owns each row.
fn owners(rows: &TileRows, len: usize) -> Vec<usize> {
    let mut owners = vec![0; len];
    for tile in 0..rows.len() {
        for row in rows.owned(tile) {
            owners[*row as usize] = tile;
        }
    }
    owners
}

/// Prints a line of the table. `before` are the owners one step ago.
fn print(scene: &Scene, rows: &TileRows, before: &[usize]) -> Result<(), Box<dyn Error>> {
    let (len, tiles) = (scene.len(), rows.len());
    let owners = owners(rows, len);
    let moved = owners.iter().zip(before).filter(|(now, before)| now != before).count();
    let owned: Vec<usize> = (0..tiles).map(|tile| rows.owned(tile).len()).collect();
    let ghosts: Vec<usize> = (0..tiles).map(|tile| rows.ghosts(tile).len()).collect();
    let peers = |tile| rows.ghosts(tile).iter().map(|row| owners[*row as usize]);
    let peers = (0..tiles).map(|tile| peers(tile).collect::<HashSet<_>>().len());
    let peers: Vec<usize> = peers.collect();

    let (mut detector, mut found) = (TileDetector::new(), Vec::new());
    let mut pairs = Vec::with_capacity(tiles);
    for tile in 0..tiles {
        detector.pairs(rows, tile, scene.columns(), &mut found)?;
        pairs.push(found.len());
    }
    // Each pair is reported by one tile.
    let all = Detector::new().count(scene.columns())?;
    assert_eq!(pairs.iter().sum::<usize>() as u64, all);

    let sum = |counts: &[usize]| counts.iter().sum::<usize>() as f64;
    let most = |counts: &[usize]| counts.iter().max().copied().unwrap_or(0) as f64;
    let fullest = |counts: &[usize]| most(counts) * tiles as f64 / sum(counts).max(1.0);
    let percent = 100.0 / len as f64;
    println!(
        "{:5} {tiles:5} {:7.2} {:6.2} {:7.3} {:7.2} {:7.3} {:6.1} {:5} {:7.1} {:7.3}",
        scene.kind().short_name(),
        fullest(&owned),
        fullest(&pairs),
        sum(&ghosts) * percent,
        most(&ghosts) * percent * tiles as f64,
        ghosts_by_law(scene, rows) * percent,
        sum(&peers) / tiles as f64,
        most(&peers),
        most(&ghosts) * BYTES as f64 / 1e3,
        moved as f64 * percent,
    );
    Ok(())
}

/// The ghosts to expect of square tiles, each with as many bodies as any other, spread evenly:
/// bodies whose centre is within half their size of a side of the tile. Tiles at the rim have all
/// neighbours, too, as far as this law goes.
fn ghosts_by_law(scene: &Scene, rows: &TileRows) -> f64 {
    let (len, tiles) = (scene.len() as f64, rows.len() as f64);
    let area = (2.0 * f64::from(scene.half_world())).powi(2);
    let side = (area / tiles).sqrt();
    let sizes = scene.rounded_boxes().into_iter();
    let half = sizes.map(|shape| f64::from(shape.radius + 0.5 * (shape.max_x - shape.min_x)));
    let mean = half.sum::<f64>() / len.max(1.0);
    4.0 * side * mean * (len / area) * tiles
}
