//! Worlds in the form of the detector and of the reference.

use std::ops::Range;

use proptest::prelude::*;
use widephase::{
    Columns, Pair, Shapes, Touching,
    reference::brute_force,
    shape::{Circle, Point, RoundedBox},
};

use super::{
    sweep_and_prune,
    world::{self, Kind, Places, Sizes, World},
};

/// A world in the form of the detector and of the reference.
pub struct Bodies {
    pub columns: world::Columns,
    pub store: Shapes,
    /// The shapes, and the row of each shape.
    pub shapes: Vec<RoundedBox>,
    pub rows: Vec<u32>,
}

impl Bodies {
    pub fn new(world: &World) -> Self {
        let columns = world.bodies();
        let shape = |row: usize| RoundedBox {
            min_x: columns.min_x[row],
            min_y: columns.min_y[row],
            max_x: columns.max_x[row],
            max_y: columns.max_y[row],
            radius: columns.radius[row],
        };
        let rows: Vec<u32> =
            (0..columns.rows() as u32).filter(|&row| !columns.is_vacant(row as usize)).collect();
        let shapes = rows.iter().map(|&row| shape(row as usize)).collect();
        let mut store = Shapes::new();
        if columns.kind == Kind::Store {
            for row in 0..columns.rows() {
                push(&mut store, shape(row), columns.is_vacant(row));
            }
        }
        Self { columns, store, shapes, rows }
    }

    pub fn columns(&self) -> Columns<'_> {
        let world::Columns {
            kind,
            x,
            y,
            half_width,
            half_height,
            min_x,
            min_y,
            max_x,
            max_y,
            radius,
        } = &self.columns;
        match kind {
            Kind::Points => Columns::points(x, y).unwrap(),
            Kind::Circles => Columns::circles(x, y, radius).unwrap(),
            Kind::Boxes => Columns::aabbs(min_x, min_y, max_x, max_y).unwrap(),
            Kind::Centered => Columns::centered(x, y, half_width, half_height).unwrap(),
            Kind::Rounded => Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius).unwrap(),
            Kind::Store => (&self.store).into(),
        }
    }

    /// The pairs, by brute force or, for many shapes, by a sorted sweep.
    pub fn pairs(&self, touching: Touching) -> Vec<Pair> {
        let mut pairs = if self.shapes.len() <= 1000 {
            brute_force::pairs(&self.shapes, touching)
        } else {
            sweep_and_prune(&self.shapes, touching)
        };
        for pair in &mut pairs {
            (pair.a, pair.b) = (self.rows[pair.a as usize], self.rows[pair.b as usize]);
        }
        pairs
    }
}

/// Adds a shape as the simplest possible kind, or a vacant row.
fn push(store: &mut Shapes, shape: RoundedBox, vacant: bool) {
    let RoundedBox { min_x: x, min_y: y, max_x, max_y, radius } = shape;
    if vacant {
        let bad = Circle { x, y, radius: f32::NAN };
        assert_eq!(store.extend_from_slice_lenient(&[bad]).unwrap().len(), 1);
    } else if (x, y) != (max_x, max_y) {
        store.push(shape).unwrap();
    } else if radius > 0.0 {
        store.push(Circle { x, y, radius }).unwrap();
    } else {
        store.push(Point { x, y }).unwrap();
    }
}

/// Worlds with a number of rows in this range.
pub fn worlds(rows: Range<usize>) -> impl Strategy<Value = World> {
    let unit = prop_oneof![Just(0), -60..=40];
    let thin = prop_oneof![Just(0), -1..=16];
    let sizes = prop::sample::select(&Sizes::ALL[..]);
    let places = prop::sample::select(&Places::ALL[..]);
    let kind = prop::sample::select(&Kind::ALL[..]);
    (any::<u64>(), rows, kind, sizes, places, unit, thin).prop_map(
        |(seed, rows, kind, sizes, places, unit, thin)| World {
            seed,
            rows,
            kind,
            sizes,
            places,
            unit,
            thin,
        },
    )
}
