//! Worlds: bodies of any size, position and kind, as plain numbers. The crate's own unit tests use
//! them, too.
#![allow(unreachable_pub, reason = "in the package of the tests, it is a part of the API")]
#![allow(dead_code, reason = "each test file uses a part of it")]

use super::rng::{Rng, pow2};

/// The largest coordinate, and the largest size.
const LIMIT: f32 = (1_u64 << 60) as f32;

/// The parameters of a world. Its bodies are a function of all fields, so that a failure can be
/// reproduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct World {
    pub seed: u64,
    pub rows: usize,
    pub kind: Kind,
    pub sizes: Sizes,
    pub places: Places,
    /// A body of medium size is about `2^unit` long.
    pub unit: i32,
    /// The area of the world is `4^thin` times the area of the bodies.
    pub thin: i32,
}

/// The form in which the bodies are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Points,
    Circles,
    Boxes,
    Centered,
    Rounded,
    /// A store of all kinds, with vacant rows.
    Store,
}

/// The sizes of the bodies, in units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    Zero,
    Equal,
    Similar,
    /// Width or height is 0.
    Flat,
    /// Powers of two, log-uniform over this many binary digits.
    Powers(i32),
    /// Log-uniform over this many binary digits.
    Wide(i32),
    /// From 2^-60 to 2^60, whatever the unit.
    All,
    /// One body is `2^k` times as large as the other bodies.
    Giant(i32),
    /// One body in fifty is `2^k` times as large as the other bodies.
    Giants(i32),
}

/// The positions of the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    Square,
    /// A square `2^k` units from the origin.
    Offset(i32),
    /// A square, and one body at 2^60.
    OneFar,
    /// Squares `2^k` units apart.
    Clusters(i32),
    Line,
    LineUp,
    Diagonal,
    /// Multiples of `2^k` units.
    Lattice(i32),
    /// Multiples of half a unit, so that bodies touch exactly.
    Borders,
    OnePlace,
    /// At ±2^60, a few of its roundings apart.
    Corners,
}

impl Kind {
    pub const ALL: [Kind; 6] =
        [Kind::Points, Kind::Circles, Kind::Boxes, Kind::Centered, Kind::Rounded, Kind::Store];
}

impl Sizes {
    pub const ALL: [Sizes; 14] = [
        Sizes::Zero,
        Sizes::Equal,
        Sizes::Similar,
        Sizes::Flat,
        Sizes::Powers(4),
        Sizes::Powers(24),
        Sizes::Wide(6),
        Sizes::Wide(12),
        Sizes::Wide(40),
        Sizes::All,
        Sizes::Giant(5),
        Sizes::Giant(12),
        Sizes::Giants(3),
        Sizes::Giants(8),
    ];
}

impl Places {
    pub const ALL: [Places; 17] = [
        Places::Square,
        Places::Offset(10),
        Places::Offset(22),
        Places::Offset(24),
        Places::OneFar,
        Places::Clusters(17),
        Places::Clusters(30),
        Places::Clusters(40),
        Places::Line,
        Places::LineUp,
        Places::Diagonal,
        Places::Lattice(0),
        Places::Lattice(5),
        Places::Lattice(20),
        Places::Borders,
        Places::OnePlace,
        Places::Corners,
    ];
}

impl World {
    /// A random world with `rows` rows.
    pub fn any(rng: &mut Rng, rows: usize) -> Self {
        Self {
            seed: rng.bits(),
            rows,
            kind: pick(rng, &Kind::ALL),
            sizes: pick(rng, &Sizes::ALL),
            places: pick(rng, &Places::ALL),
            unit: if rng.below(2) == 0 { 0 } else { rng.int(-60, 40) as i32 },
            thin: if rng.below(2) == 0 { 0 } else { rng.int(-1, 16) as i32 },
        }
    }

    /// The bodies.
    pub fn bodies(&self) -> Columns {
        let mut rng = Rng::new(self.seed);
        let mut columns = Columns { kind: self.kind, ..Columns::default() };
        let sizes: Vec<f32> = (0..self.rows).map(|row| self.size(row, &mut rng)).collect();
        let square = |size: &f32| f64::from(size.max(pow2(self.unit))).powi(2);
        let room = sizes.iter().map(square).sum::<f64>() * 4.0_f64.powi(self.thin);
        let side = room.sqrt().min(f64::from(LIMIT)) as f32;
        for (row, &size) in sizes.iter().enumerate() {
            let [x, y] = self.place(row, side, &mut rng);
            columns.push(self.shape(row, size, &mut rng), [x, y]);
        }
        columns
    }

    /// The size of a body: approximately its width.
    fn size(&self, row: usize, rng: &mut Rng) -> f32 {
        let unit = pow2(self.unit);
        let wide = |rng: &mut Rng, digits: i32| {
            let exponent = self.unit - digits / 2 + rng.int(0, i64::from(digits)) as i32;
            pow2(exponent.clamp(-100, 60))
        };
        let size = match self.sizes {
            Sizes::Zero => 0.0,
            Sizes::Equal | Sizes::Flat => unit,
            Sizes::Similar => unit * rng.range(0.5, 1.5),
            Sizes::Powers(digits) => wide(rng, digits),
            Sizes::Wide(digits) => wide(rng, digits) * rng.range(1.0, 2.0),
            Sizes::All => pow2(rng.int(-60, 59) as i32) * rng.range(1.0, 2.0),
            Sizes::Giant(k) if row == self.rows / 3 => unit * pow2(k),
            Sizes::Giants(k) if row % 50 == 20 => unit * pow2(k),
            Sizes::Giant(_) | Sizes::Giants(_) => unit * rng.range(0.5, 1.0),
        };
        size.min(LIMIT)
    }

    /// The centre of a body, for a world with this side.
    fn place(&self, row: usize, side: f32, rng: &mut Rng) -> [f32; 2] {
        let unit = pow2(self.unit);
        let mut inside = || (rng.range(-0.5, 0.5) * side, rng.range(-0.5, 0.5) * side);
        let (x, y) = inside();
        let snap = |value: f32, pitch: f32| (value / pitch).round() * pitch;
        let place = match self.places {
            Places::Square => [x, y],
            Places::Offset(k) => [x + unit * pow2(k), y - unit * pow2(k)],
            Places::OneFar if row == self.rows / 2 => [LIMIT, -LIMIT],
            Places::OneFar => [x, y],
            Places::Clusters(k) => {
                let apart = unit * pow2(k);
                let cluster = rng.below(5) as f32;
                [x * 0.5 + cluster * apart, y * 0.5 - (cluster % 2.0) * apart]
            }
            Places::Line => [x * (self.rows as f32).sqrt(), unit * 7.0],
            Places::LineUp => [-unit * 3.5, y * (self.rows as f32).sqrt()],
            Places::Diagonal => [x * 2.0, x * 2.0],
            Places::Lattice(k) => {
                let half = (self.rows as f32).sqrt() as i64 / 2;
                let pitch = unit * pow2(k);
                [rng.int(-half, half) as f32 * pitch, rng.int(0, 2 * half) as f32 * pitch]
            }
            Places::Borders => [snap(x, unit * 0.5), snap(y, unit * 0.5)],
            Places::OnePlace => [unit * 1.5, -unit * 2.25],
            Places::Corners => {
                let rounding = LIMIT / (1 << 24) as f32;
                let mut corner = || {
                    let at = LIMIT - rounding * rng.int(0, 9) as f32;
                    if rng.below(2) == 0 { at } else { -at }
                };
                [corner(), corner()]
            }
        };
        place.map(|at| at.clamp(-LIMIT, LIMIT))
    }

    /// Half the width and height of the core, and the radius.
    fn shape(&self, row: usize, size: f32, rng: &mut Rng) -> [f32; 3] {
        let exact = matches!(self.sizes, Sizes::Equal | Sizes::Powers(_));
        let mut part = || if exact { 0.5 * size } else { size * rng.range(0.2, 0.5) };
        let (width, height) = (part(), part());
        let (width, height) = match (self.sizes, row % 2) {
            (Sizes::Flat, 0) => (0.0, height),
            (Sizes::Flat, _) => (width, 0.0),
            _ => (width, height),
        };
        let kind = match (self.kind, row % 4) {
            (Kind::Store, 0) => Kind::Points,
            (Kind::Store, 1) => Kind::Circles,
            (Kind::Store, 2) => Kind::Boxes,
            (Kind::Store, _) => Kind::Rounded,
            (kind, _) => kind,
        };
        match kind {
            Kind::Points => [0.0; 3],
            Kind::Circles => [0.0, 0.0, width.max(height)],
            Kind::Boxes | Kind::Centered => [width, height, 0.0],
            Kind::Rounded | Kind::Store => [0.5 * width, 0.5 * height, 0.25 * size],
        }
    }
}

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u64) as usize]
}

/// Bodies in columns. Centres and half sizes are the values of centered columns. Sides and radii
/// describe the same bodies, for any kind.
#[derive(Debug, Clone)]
pub struct Columns {
    pub kind: Kind,
    pub x: Vec<f32>,
    pub y: Vec<f32>,
    pub half_width: Vec<f32>,
    pub half_height: Vec<f32>,
    pub min_x: Vec<f32>,
    pub min_y: Vec<f32>,
    pub max_x: Vec<f32>,
    pub max_y: Vec<f32>,
    pub radius: Vec<f32>,
}

impl Default for Columns {
    fn default() -> Self {
        let [x, y, half_width, half_height, min_x, min_y, max_x, max_y, radius] =
            [const { Vec::new() }; 9];
        let kind = Kind::Rounded;
        Self { kind, x, y, half_width, half_height, min_x, min_y, max_x, max_y, radius }
    }
}

impl Columns {
    pub fn rows(&self) -> usize {
        self.x.len()
    }

    /// Whether the row is vacant; only stores have such rows.
    pub fn is_vacant(&self, row: usize) -> bool {
        self.kind == Kind::Store && row % 7 == 3
    }

    fn push(&mut self, shape: [f32; 3], place: [f32; 2]) {
        let columns = [
            &mut self.x,
            &mut self.y,
            &mut self.half_width,
            &mut self.half_height,
            &mut self.radius,
        ];
        for column in columns {
            column.push(0.0);
        }
        for column in [&mut self.min_x, &mut self.min_y, &mut self.max_x, &mut self.max_y] {
            column.push(0.0);
        }
        self.set(self.rows() - 1, shape, place);
    }

    /// Sets the shape and the place of a row. A half size that would reach beyond the limit becomes
    /// 0.
    pub fn set(&mut self, row: usize, shape: [f32; 3], [x, y]: [f32; 2]) {
        let [width, height, radius] = shape;
        let half = |at: f32, half: f32| {
            let fits = (at - half).abs() <= LIMIT && (at + half).abs() <= LIMIT;
            if fits { half } else { 0.0 }
        };
        let (width, height) = (half(x, width), half(y, height));
        (self.x[row], self.y[row]) = (x, y);
        (self.half_width[row], self.half_height[row]) = (width, height);
        (self.min_x[row], self.max_x[row]) = (x - width, x + width);
        (self.min_y[row], self.max_y[row]) = (y - height, y + height);
        self.radius[row] = radius.min(LIMIT);
    }

    /// The shape of a row, as [`set`](Columns::set) takes it.
    pub fn shape(&self, row: usize) -> [f32; 3] {
        [self.half_width[row], self.half_height[row], self.radius[row]]
    }
}
