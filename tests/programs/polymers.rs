//! The melt of `examples/polymers`.

use super::{everywhere, hash};
use melt::{Melt, SIDE, are_of_two_chains};
use widephase::Options;

#[path = "../../examples/polymers/melt.rs"]
mod melt;

fn after(steps: usize, options: Options) -> Melt {
    let mut melt = Melt::new(options).unwrap();
    (0..steps).try_for_each(|_| melt.step()).unwrap();
    melt
}

/// The gap between two beads of diameter 1, of all their images the nearest.
fn gap(a: [f32; 2], b: [f32; 2]) -> f64 {
    let away = [0, 1].map(|axis| {
        let away = f64::from(a[axis]) - f64::from(b[axis]);
        away - f64::from(SIDE) * (away / f64::from(SIDE)).round()
    });
    (away[0].hypot(away[1]) - 1.0).max(0.0)
}

#[test]
fn the_nearest_of_other_chains_are_those_of_all_images() {
    let mut melt = after(200, Options::default());
    let places: Vec<[f32; 2]> = melt.x.iter().zip(&melt.y).map(|(x, y)| [*x, *y]).collect();
    let nearest = melt.nearest().unwrap();
    let mut across = 0;
    for (row, list) in nearest.iter().enumerate() {
        let [near] = list else { panic!("{row}: {list:?}") };
        let is_other =
            |other: &usize| are_of_two_chains(row.min(*other) as u32, row.max(*other) as u32);
        let others = (0..places.len()).filter(is_other);
        let expected = others.map(|other| gap(places[row], places[other])).fold(1e9, f64::min);
        assert!((f64::from(near.distance) - expected).abs() < 1e-5, "{row}: {near:?}, {expected}");
        across += usize::from(near.shift != [0, 0]);
    }
    assert!(across > 20, "{across}");
}

/// The chains began on each other.
#[test]
fn beads_part_and_chains_hold() {
    let overlap = |melt: &mut Melt| {
        let nearest = melt.nearest().unwrap();
        nearest.items().iter().filter(|near| near.distance == 0.0).count()
    };
    let (before, after) =
        (overlap(&mut after(0, Options::default())), overlap(&mut after(200, Options::default())));
    assert!(before > 0 && after < before, "{before}, {after}");
}

#[test]
fn every_level_and_number_of_threads_gives_the_same() {
    let first = std::sync::OnceLock::new();
    everywhere(|options| {
        let mut melt = after(50, options);
        let places: Vec<f32> = melt.x.iter().chain(&melt.y).copied().collect();
        let nearest = melt.nearest().unwrap();
        let rows = nearest.items().iter().map(|near| u64::from(near.row));
        let found = hash(places.iter().map(|place| u64::from(place.to_bits())).chain(rows));
        assert_eq!(*first.get_or_init(|| found), found, "{options:?}");
    });
}
