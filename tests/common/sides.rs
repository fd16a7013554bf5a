//! Two sets of shapes whose rows are tested against each other: stores and columns of every kind.

use widephase::{
    Columns, Shapes,
    shape::{Aabb, Circle, OwnedShape, Part, Point, Pose, Posed, Rotation, RoundedBox},
};

use super::crowd::{Make, Maker, Numbers, PosedShape};

/// The shapes of a side's rows, and the form in which they are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A store of shapes of all kinds, with vacant rows between them.
    Any,
    /// A store of all kinds except compounds, with vacant rows.
    Singles,
    /// A store of the axis-aligned kinds, with vacant rows, that never held a rotated shape.
    AlignedBox,
    /// Stores of one class each, without vacant rows: circles and boxes with poses, whose class
    /// stays axis-aligned; rotated boxes; polygons of few and of many vertices; compounds.
    Circles,
    Boxes,
    Obbs,
    Polygons,
    Many,
    Compounds,
    /// Borrowed columns.
    PointColumns,
    CircleColumns,
    BoxColumns,
    CenteredColumns,
    RoundedColumns,
}

impl Side {
    pub const ALL: [Side; 14] = [
        Side::Any,
        Side::Singles,
        Side::AlignedBox,
        Side::Circles,
        Side::Boxes,
        Side::Obbs,
        Side::Polygons,
        Side::Many,
        Side::Compounds,
        Side::PointColumns,
        Side::CircleColumns,
        Side::BoxColumns,
        Side::CenteredColumns,
        Side::RoundedColumns,
    ];

    /// A shape near the middle of the world; `None` for a vacant row.
    fn solid(self, maker: &mut Maker, row: usize) -> Option<PosedShape> {
        let place = [(); 2].map(|()| match maker.numbers {
            Numbers::Quarters => maker.rng.int(-4, 4) as f32 * 0.25,
            _ => maker.rng.range(-1.0, 1.0),
        });
        let pose = Pose::new(place, maker.turn());
        let of = |makes: &[Make]| makes[row % makes.len()];
        Some(match self {
            Side::Any | Side::Singles | Side::AlignedBox if row % 7 == 3 => return None,
            Side::Any => maker.solid(of(&Make::ALL), place),
            Side::Singles => maker.solid(of(Make::SINGLE), place),
            Side::AlignedBox => maker.part(of(Make::ALIGNED), place).into(),
            Side::Circles => PosedShape::at(maker.part(Make::Circle, [0.0, 0.0]), pose),
            Side::Boxes => {
                let unturned = Pose::new(place, Rotation::IDENTITY);
                PosedShape::at(maker.part(Make::Aabb, [0.0, 0.0]), unturned)
            }
            Side::Obbs => PosedShape::at(maker.part(Make::Obb, [0.0, 0.0]), pose),
            Side::Polygons => PosedShape::at(maker.polygon(3 + row % 6), pose),
            Side::Many => maker.solid(Make::Many, place),
            Side::Compounds => maker.solid(Make::Compound, place),
            Side::PointColumns => Point::new(place).into(),
            Side::CircleColumns => maker.part(Make::Circle, place).into(),
            Side::BoxColumns | Side::CenteredColumns => maker.part(Make::Aabb, place).into(),
            Side::RoundedColumns => maker.part(Make::RoundedBox, place).into(),
        })
    }
}

/// Rows of one side.
pub struct Rows {
    pub side: Side,
    pub solids: Vec<Option<PosedShape>>,
    pub store: Shapes,
    /// The sides and radii of the boxes around all rows, and their centres and half sizes.
    sides: [Vec<f32>; 5],
    centers: [Vec<f32>; 4],
}

impl Rows {
    pub fn new(side: Side, maker: &mut Maker, rows: usize) -> Self {
        let mut solids: Vec<_> = (0..rows).map(|row| side.solid(maker, row)).collect();
        let mut centers = [(); 4].map(|()| vec![0.0; rows]);
        if side == Side::CenteredColumns {
            // The box that columns compute from a centre and a size, with its roundings.
            for (row, solid) in solids.iter_mut().enumerate() {
                let Some(PosedShape { shape: OwnedShape::Single(Part::Aabb(aabb)), .. }) = solid
                else {
                    continue;
                };
                let center = [(aabb.min_x + aabb.max_x) * 0.5, (aabb.min_y + aabb.max_y) * 0.5];
                let half = [(aabb.max_x - aabb.min_x) * 0.5, (aabb.max_y - aabb.min_y) * 0.5];
                *aabb = Aabb::centered(center, half);
                for (column, value) in centers.iter_mut().zip(center.into_iter().chain(half)) {
                    column[row] = value;
                }
            }
        }
        let mut store = Shapes::new();
        for (row, solid) in solids.iter().enumerate() {
            match solid {
                Some(solid) => drop(solid.push(&mut store)),
                None => {
                    store.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
                    store.remove(row as u32).unwrap();
                }
            }
        }
        let column = |value: fn(RoundedBox) -> f32| -> Vec<f32> {
            (0..rows as u32).map(|row| store.bounds(row).map_or(0.0, value)).collect()
        };
        let sides = [
            column(|b| b.min_x),
            column(|b| b.min_y),
            column(|b| b.max_x),
            column(|b| b.max_y),
            column(|b| b.radius),
        ];
        Self { side, solids, store, sides, centers }
    }

    pub fn columns(&self) -> Columns<'_> {
        let [min_x, min_y, max_x, max_y, radius] = &self.sides;
        let [x, y, half_width, half_height] = &self.centers;
        match self.side {
            Side::PointColumns => Columns::points(min_x, min_y).unwrap(),
            Side::CircleColumns => Columns::circles(min_x, min_y, radius).unwrap(),
            Side::BoxColumns => Columns::aabbs(min_x, min_y, max_x, max_y).unwrap(),
            Side::CenteredColumns => Columns::centered(x, y, half_width, half_height).unwrap(),
            Side::RoundedColumns => {
                Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius).unwrap()
            }
            _ => (&self.store).into(),
        }
    }

    /// The shapes for the functions of two shapes; `None` for vacant rows.
    pub fn ready(&self) -> Vec<Option<Posed<'_>>> {
        self.solids.iter().map(|solid| solid.as_ref().map(Posed::from)).collect()
    }
}
