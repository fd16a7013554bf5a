//! The nearest shape that a filter lets pass is far away: two armies and more, beside brute force
//! over whole numbers.

use widephase::{
    Columns, Filter, Index, IndexOptions, Lists, Neighbor, Queries, Threads, shape::Point,
};

use common::{Rng, levels};

/// How the units of an army know each other.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Army {
    /// By a category for each of two armies.
    Categories,
    /// By an owner: all units have one filter otherwise.
    Owners,
    /// By a negative group.
    Groups,
    /// Seventy kinds of units in two armies: more filters than a word has bits.
    Units,
    /// Owners, and trees without an owner among the units, which no unit looks for.
    Trees,
    /// More filters than a set tells apart, in two armies.
    Crowd,
    /// Each body has an owner of its own.
    Bodies,
}

const ARMIES: [Army; 7] = [
    Army::Categories,
    Army::Owners,
    Army::Groups,
    Army::Units,
    Army::Trees,
    Army::Crowd,
    Army::Bodies,
];

impl Army {
    fn filter(self, rng: &mut Rng, row: usize, army: u32) -> Filter {
        let (own, other) = (1 << army, 1 << (1 - army));
        match self {
            Self::Categories => Filter::new(own, other),
            Self::Owners => Filter::ALL.owned_by(army + 1),
            Self::Groups => Filter::ALL.in_group(-1 - army as i32),
            Self::Units => Filter::new(own | 4 << rng.below(35), other),
            Self::Trees if rng.below(3) == 0 => Filter::new(8, 0),
            Self::Trees => Filter::new(1, 1).owned_by(army + 1),
            Self::Crowd => Filter::new(own | rng.below(1 << 40) << 2, other),
            Self::Bodies => Filter::new(own, other).owned_by(row as u32 / 2 + 1),
        }
    }
}

struct Scene {
    x: Vec<f32>,
    y: Vec<f32>,
    filters: Vec<Filter>,
}

/// Two armies on whole numbers, `apart` from each other: in squares, on two lines, or in distant
/// clusters.
fn scene(army: Army, len: usize, apart: i64, seed: u64) -> Scene {
    let mut rng = Rng::new(seed);
    let mut scene = Scene { x: vec![], y: vec![], filters: vec![] };
    let side = (len as f64 * 2.0).sqrt() as i64 + 1;
    for row in 0..len {
        let own = rng.below(2) as u32;
        let cluster = if seed.is_multiple_of(3) { rng.int(0, 3) << 16 } else { 0 };
        let [x, y] = match seed % 3 {
            1 => [0, rng.int(0, 4 * side)],
            _ => [rng.int(0, side), rng.int(0, side)],
        };
        scene.x.push((x + cluster + i64::from(own) * apart) as f32);
        scene.y.push((y + cluster) as f32);
        scene.filters.push(army.filter(&mut rng, row, own));
    }
    scene
}

impl Scene {
    fn columns(&self) -> Columns<'_> {
        let columns = Columns::points(&self.x, &self.y).unwrap();
        columns.with_filters(&self.filters).unwrap()
    }

    /// The nearest rows of a place by a filter: squares of distances are whole numbers below 2^53.
    fn nearest(
        &self,
        [x, y]: [f32; 2],
        filter: &Filter,
        without: Option<u32>,
        k: usize,
    ) -> Vec<Neighbor> {
        let seen = (0..self.x.len() as u32)
            .filter(|&row| filter.meets(&self.filters[row as usize]) && without != Some(row));
        let mut near: Vec<Neighbor> = seen
            .map(|row| {
                let [x, y] = [self.x[row as usize] - x, self.y[row as usize] - y];
                let square = (x as i64).pow(2) + (y as i64).pow(2);
                Neighbor { row, distance: (square as f64).sqrt() as f32 }
            })
            .collect();
        near.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row)));
        near.truncate(k);
        near
    }
}

fn list(lists: &Lists<Neighbor>, row: usize) -> &[Neighbor] {
    lists.get(row)
}

#[test]
fn all_calls_find_the_nearest_unit_of_the_other_army() {
    for (army, seed) in ARMIES.into_iter().flat_map(|army| [(army, 3), (army, 4), (army, 5)]) {
        let scene = scene(army, 1500, 5000, seed);
        for &simd_level in levels() {
            let options = IndexOptions {
                simd_level: Some(simd_level),
                threads: Threads::Calling,
                ..IndexOptions::default()
            };
            let mut index = Index::with_options(options).unwrap();
            index.rebuild(scene.columns()).unwrap();
            check(&scene, &index, &format!("{army:?}, seed {seed}, {simd_level}"));
        }
    }
}

fn check(scene: &Scene, index: &Index, what: &str) {
    let (mut of_rows, mut batch) = (Lists::new(), Lists::new());
    let (mut nearest, mut found) = (Vec::new(), Vec::new());
    index.k_nearest_of_rows(3, f32::INFINITY, &mut of_rows).unwrap();
    index.k_nearest_batch(scene.columns(), 3, f32::INFINITY, &mut batch).unwrap();
    index.nearest_batch(scene.columns(), f32::INFINITY, &mut nearest).unwrap();
    for row in (0..scene.x.len()).step_by(37) {
        let (at, filter) = ([scene.x[row], scene.y[row]], scene.filters[row]);
        let what = format!("{what}, row {row}");
        let expected = scene.nearest(at, &filter, None, 3);
        assert_eq!(list(&batch, row), expected, "{what}");
        assert_eq!(nearest[row], expected.first().copied(), "{what}");
        let seen = index.filtered(filter);
        assert_eq!(seen.nearest(Point::new(at), f32::INFINITY).unwrap(), nearest[row], "{what}");
        seen.k_nearest(Point::new(at), 3, f32::INFINITY, &mut found).unwrap();
        assert_eq!(found, expected, "{what}");
        let iter = seen.nearest_iter(Point::new(at), f32::INFINITY).unwrap();
        assert_eq!(iter.take(3).collect::<Vec<_>>(), expected, "{what}");
        let others = scene.nearest(at, &filter, Some(row as u32), 3);
        assert_eq!(list(&of_rows, row), others, "{what}");
        let odd = |row: u32| row % 2 == 1;
        let some = scene.nearest(at, &filter, None, usize::MAX);
        let some = some.into_iter().find(|near| odd(near.row));
        let seen = seen.filtered_by(&odd);
        assert_eq!(seen.nearest(Point::new(at), f32::INFINITY).unwrap(), some, "{what}");
    }
}

#[test]
fn armies_of_two_spaces_are_apart() {
    let scene = scene(Army::Units, 900, 3000, 5);
    let spaces: Vec<u32> = (0..900).map(|row| row % 2 * 7).collect();
    let index = Index::build(scene.columns().with_spaces(&spaces).unwrap()).unwrap();
    for row in (0..900).step_by(13) {
        let (at, filter) = ([scene.x[row], scene.y[row]], scene.filters[row]);
        let seen = index.filtered(filter).in_space(spaces[row]);
        let all = scene.nearest(at, &filter, None, usize::MAX);
        let expected = all.into_iter().find(|near| spaces[near.row as usize] == spaces[row]);
        assert_eq!(seen.nearest(Point::new(at), f32::INFINITY).unwrap(), expected, "{row}");
    }
}

#[test]
fn a_filter_that_nothing_meets_finds_nothing() {
    let (x, y) = ([0.0, 1.0, 2.0], [0.0; 3]);
    let index = Index::build(Columns::points(&x, &y).unwrap()).unwrap();
    let seen = index.filtered(Filter::new(1, 2));
    assert_eq!(seen.nearest(Point::new([0.0, 0.0]), f32::INFINITY).unwrap(), None);
    assert_eq!(seen.nearest_iter(Point::new([0.0, 0.0]), f32::INFINITY).unwrap().count(), 0);
}
