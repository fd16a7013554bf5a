//! Shared by several test files: numbers, scenes, and a broadphase to compare with. A package of its
//! own, because it is compiled once, and with the optimizations that the tests do without.
//!
//! Nothing is random between runs: a failure names its scene, which can be reproduced.
#![allow(missing_docs, reason = "of tests, names say what they are")]
#![allow(clippy::unwrap_used, reason = "a panic is a failed test")]

pub mod as_new;
pub mod bodies;
pub mod border_lattice;
pub mod cases;
pub mod convex;
pub mod crowd;
pub mod double_set;
pub mod every_level;
pub mod matrix;
pub mod nearest_images;
pub mod poses;
pub mod product;
pub mod rng;
pub mod rows;
#[path = "../../crates/scenes/adapter.rs"]
pub mod scene;
pub mod sides;
pub mod truth;
pub mod twins;
pub mod world;

use widephase::{
    Columns, Contact, Error, Pair, Shapes, SimdLevel, Touching,
    reference::contract::overlap,
    shape::{Aabb, AxisAligned, Circle, Obb, Point, Rotation, RoundedBox},
};

pub use self::{
    product::product,
    rng::{Rng, pow2},
};

pub const POLICIES: [Touching; 2] = [Touching::Inclusive, Touching::Exclusive];

pub fn point(x: f32, y: f32) -> RoundedBox {
    Point { x, y }.rounded_box()
}

pub fn circle(x: f32, y: f32, radius: f32) -> RoundedBox {
    Circle { x, y, radius }.rounded_box()
}

/// The box with this centre and these half sizes.
pub fn rect(x: f32, y: f32, half_width: f32, half_height: f32) -> RoundedBox {
    Aabb::centered([x, y], [half_width, half_height]).rounded_box()
}

pub fn rounded(x: f32, y: f32, half: [f32; 2], radius: f32) -> RoundedBox {
    RoundedBox { radius, ..rect(x, y, half[0], half[1]) }
}

/// This many rotated boxes and this many circles, all in one place.
pub fn boxes_and_circles(boxes: usize, circles: usize) -> [Shapes; 2] {
    let turned = Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(0.5));
    let mut stores = [Shapes::new(), Shapes::new()];
    stores[0].extend_from_slice(&vec![turned; boxes]).unwrap();
    stores[1].extend_from_slice(&vec![Circle::new([0.0, 0.0], 1.0); circles]).unwrap();
    stores
}

/// Shapes in five columns.
#[derive(Debug, Clone, Default)]
pub struct Soa {
    pub min_x: Vec<f32>,
    pub min_y: Vec<f32>,
    pub max_x: Vec<f32>,
    pub max_y: Vec<f32>,
    pub radius: Vec<f32>,
}

impl Soa {
    pub fn new(shapes: &[RoundedBox]) -> Self {
        let column = |value: fn(&RoundedBox) -> f32| shapes.iter().map(value).collect();
        Self {
            min_x: column(|s| s.min_x),
            min_y: column(|s| s.min_y),
            max_x: column(|s| s.max_x),
            max_y: column(|s| s.max_y),
            radius: column(|s| s.radius),
        }
    }

    pub fn rounded(&self) -> Result<Columns<'_>, Error> {
        let Self { min_x, min_y, max_x, max_y, radius } = self;
        Columns::rounded_boxes(min_x, min_y, max_x, max_y, radius)
    }

    pub fn aabbs(&self) -> Result<Columns<'_>, Error> {
        let Self { min_x, min_y, max_x, max_y, .. } = self;
        Columns::aabbs(min_x, min_y, max_x, max_y)
    }

    pub fn circles(&self) -> Result<Columns<'_>, Error> {
        Columns::circles(&self.min_x, &self.min_y, &self.radius)
    }

    pub fn points(&self) -> Result<Columns<'_>, Error> {
        Columns::points(&self.min_x, &self.min_y)
    }

    /// Every form of columns that can hold all of the shapes, by name.
    pub fn forms(&self) -> Vec<(&'static str, Columns<'_>)> {
        let mut forms = vec![("rounded_boxes", self.rounded().unwrap())];
        let flat = self.min_x == self.max_x && self.min_y == self.max_y;
        let sharp = self.radius.iter().all(|&radius| radius == 0.0);
        if flat {
            forms.push(("circles", self.circles().unwrap()));
        }
        if sharp {
            forms.push(("aabbs", self.aabbs().unwrap()));
        }
        if flat && sharp {
            forms.push(("points", self.points().unwrap()));
        }
        forms
    }
}

/// An independent broadphase, for scenes too large for all pairs. Sorts by the left end, and tests
/// the shapes that begin before the right end. Returns sorted pairs.
pub fn sweep_and_prune(shapes: &[RoundedBox], touching: Touching) -> Vec<Pair> {
    let left = |s: &RoundedBox| f64::from(s.min_x) - f64::from(s.radius);
    let right = |s: &RoundedBox| f64::from(s.max_x) + f64::from(s.radius);
    // The decision is rounded to `f32`: it may accept a gap that is a little more than the sum of
    // the radii.
    let largest = shapes.iter().map(|s| f64::from(s.radius)).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..shapes.len()).collect();
    order.sort_by(|&i, &j| left(&shapes[i]).total_cmp(&left(&shapes[j])));
    let mut pairs = Vec::new();
    for (at, &i) in order.iter().enumerate() {
        let end = right(&shapes[i]) + 1e-5 * (f64::from(shapes[i].radius) + largest);
        for &j in &order[at + 1..] {
            if left(&shapes[j]) > end {
                break;
            }
            if overlap(shapes[i], shapes[j], touching) {
                pairs.push(Pair { a: i.min(j) as u32, b: i.max(j) as u32 });
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Checks the conditions of every list of pairs: `a < b`, indices within the input, and no pair
/// twice. Returns it sorted.
pub fn well_formed(pairs: &[Pair], count: usize, what: &str) -> Vec<Pair> {
    for &Pair { a, b } in pairs {
        assert!(a < b && (b as usize) < count, "{what}: ({a}, {b}) of {count}");
    }
    let mut sorted = pairs.to_vec();
    sorted.sort_unstable();
    assert!(sorted.windows(2).all(|w| w[0] != w[1]), "{what}: a pair comes twice");
    sorted
}

/// Reports the differences of two sorted lists, instead of printing both.
pub fn assert_same(found: &[Pair], expected: &[Pair], what: &str) {
    if found != expected {
        let missing: Vec<_> = expected.iter().filter(|p| found.binary_search(p).is_err()).collect();
        let wrong: Vec<_> = found.iter().filter(|p| expected.binary_search(p).is_err()).collect();
        panic!(
            "{what}: {} pairs, {} expected; missing {:?}, wrong {:?}",
            found.len(),
            expected.len(),
            &missing[..missing.len().min(5)],
            &wrong[..wrong.len().min(5)]
        );
    }
}

/// Reports the first difference of two lists of contacts, compared to the last bit.
pub fn assert_contacts(found: &[Contact], expected: &[Contact], what: &str) {
    let part = found
        .iter()
        .zip(expected)
        .position(|(a, b)| bytemuck::bytes_of(a) != bytemuck::bytes_of(b));
    if let Some(at) = part {
        panic!("{what}: contact {at} is {:#?}, expected {:#?}", found[at], expected[at]);
    }
    assert_eq!(found.len(), expected.len(), "{what}: number of contacts");
}

/// Rayon pools of 1, 2, 3 and 8 threads.
#[cfg(feature = "parallel")]
pub fn pools() -> &'static [rayon::ThreadPool] {
    static POOLS: std::sync::OnceLock<Vec<rayon::ThreadPool>> = std::sync::OnceLock::new();
    POOLS.get_or_init(|| {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        [1, 2, 3, 8].map(pool).into()
    })
}

/// Every available SIMD level. Reports on stderr the levels that this CPU cannot run, so that no
/// level is skipped silently.
pub fn levels() -> &'static [SimdLevel] {
    static REPORT: std::sync::Once = std::sync::Once::new();
    REPORT.call_once(|| {
        for level in SimdLevel::ALL {
            if !level.is_available() {
                eprintln!("level {level}: not on this CPU, not tested");
            }
        }
    });
    SimdLevel::available()
}

/// A kind of scene: its name, and its shapes for a number and a seed.
pub type Scene = (&'static str, fn(usize, &mut Rng) -> Vec<RoundedBox>);

/// The side of a square in which `n` shapes of diameter 1 have about one pair per body.
pub fn side(n: usize) -> f32 {
    (n as f32 * 1.5).sqrt().max(1.0)
}

fn each(n: usize, mut shape: impl FnMut(usize) -> RoundedBox) -> Vec<RoundedBox> {
    (0..n).map(&mut shape).collect()
}

/// A shape of one of the four kinds, with about the given radius.
pub fn any_kind(rng: &mut Rng, x: f32, y: f32, size: f32) -> RoundedBox {
    let mut part = || size * rng.range(0.1, 1.0);
    let (a, b, c) = (part(), part(), part());
    match rng.below(4) {
        0 => point(x, y),
        1 => circle(x, y, a),
        2 => rect(x, y, a, b),
        _ => rounded(x, y, [a * 0.5, b * 0.5], c * 0.5),
    }
}

/// The distributions, easy and difficult.
pub const SCENES: &[Scene] = &[
    ("uniform circles", |n, rng| {
        let s = side(n);
        each(n, |_| circle(rng.range(-s, s) * 0.5, rng.range(-s, s) * 0.5, 0.5))
    }),
    ("uniform boxes", |n, rng| {
        let s = side(n);
        each(n, |_| {
            let (x, y) = (rng.range(0.0, s), rng.range(0.0, s));
            rect(x, y, rng.range(0.25, 0.75), rng.range(0.25, 0.75))
        })
    }),
    ("points on a lattice", |n, rng| {
        let s = (n as f32).sqrt() as i64 + 1;
        each(n, |_| point(rng.int(-s, s) as f32, rng.int(0, s / 2) as f32))
    }),
    ("mix", |n, rng| {
        let s = side(n);
        each(n, |_| {
            let (x, y) = (rng.range(-s, 0.0), rng.range(0.0, s));
            any_kind(rng, x, y, 0.9)
        })
    }),
    ("sizes 1:1000", |n, rng| {
        let s = 4.0 * side(n);
        each(n, |_| {
            let (x, y) = (rng.range(-s, s), rng.range(-s, s));
            let size = 0.01 * rng.range(0.0, 1.0).powi(6).mul_add(999.0, 1.0);
            any_kind(rng, x, y, size)
        })
    }),
    ("line across", |n, rng| {
        let s = n as f32;
        each(n, |_| circle(rng.range(0.0, s), 7.0, rng.range(0.1, 0.9)))
    }),
    ("line up", |n, rng| {
        let s = n as f32;
        each(n, |_| rect(-3.5, rng.range(0.0, s), 0.0, rng.range(0.1, 0.9)))
    }),
    ("diagonal", |n, rng| {
        let s = n as f32;
        each(n, |_| {
            let at = rng.range(-s, s) * 0.5;
            any_kind(rng, at, -at, 0.9)
        })
    }),
    ("cell borders", |n, rng| {
        // Diameters and positions are multiples of one length, which is the cell size or half of
        // it.
        let s = (n as f32).sqrt() as i64 + 1;
        each(n, |_| {
            let (x, y) = (rng.int(-s, s) as f32 * 0.5, rng.int(-s, s) as f32 * 0.5);
            if rng.below(2) == 0 { circle(x, y, 0.5) } else { rect(x, y, 0.5, 0.25) }
        })
    }),
    ("2^60 apart", |n, rng| {
        each(n, |_| {
            let far = pow2(60);
            let coordinate = |rng: &mut Rng| match rng.below(4) {
                0 => far,
                1 => -far,
                2 => rng.range(-far, far),
                _ => rng.range(-1.0, 1.0),
            };
            let (x, y) = (coordinate(rng), coordinate(rng));
            let radius = if rng.below(2) == 0 { 0.25 } else { far * rng.range(0.0, 0.01) };
            circle(x, y, radius)
        })
    }),
    ("offset 2^60", |n, rng| {
        // The spacing of `f32` is 2^36 here.
        let step = pow2(36);
        each(n, |_| {
            let at = |rng: &mut Rng| pow2(60) - step * rng.int(0, 300) as f32;
            circle(at(rng), -at(rng), step * rng.int(0, 9) as f32)
        })
    }),
    ("offset 1e6", |n, rng| far_away(n, rng, 1e6, 0.1)),
    ("offset 2^30", |n, rng| far_away(n, rng, pow2(30), 32.0)),
    ("offset 2^40", |n, rng| far_away(n, rng, pow2(40), pow2(16))),
    ("one giant", |n, rng| {
        let s = side(n);
        each(n, |i| {
            let (x, y) = (rng.range(-s, s) * 0.5, rng.range(-s, s) * 0.5);
            if i == n / 3 { circle(0.0, 0.0, s) } else { any_kind(rng, x, y, 0.5) }
        })
    }),
    ("one far body", |n, rng| {
        let s = side(n);
        each(n, |i| {
            let (x, y) = (rng.range(-s, s) * 0.5, rng.range(-s, s) * 0.5);
            if i == n / 2 { circle(-1e12, 1e15, 0.5) } else { circle(x, y, 0.5) }
        })
    }),
    ("zero sizes", |n, rng| {
        let s = (n as f32).sqrt() as i64 / 2 + 1;
        each(n, |_| {
            let (x, y) = (rng.int(-s, s) as f32, rng.int(-s, s) as f32);
            match rng.below(4) {
                0 => point(x, y),
                1 => circle(x, y, 0.0),
                2 => rect(x, y, 0.0, rng.int(0, 1) as f32),
                _ => rect(x, y, rng.int(0, 1) as f32, 0.0),
            }
        })
    }),
    ("dyadic touching", |n, rng| {
        let s = (n as f32).sqrt() as i64 * 2 + 1;
        each(n, |_| {
            let (x, y) = (rng.int(-s, s) as f32 * 0.25, rng.int(-s, s) as f32 * 0.25);
            let quarters = |rng: &mut Rng| rng.int(0, 2) as f32 * 0.25;
            let (a, b, c) = (quarters(rng), quarters(rng), quarters(rng));
            rounded(x, y, [a, b], c)
        })
    }),
    ("Pythagorean touching", |n, rng| {
        // Legs and hypotenuses: circles with these distances touch in exactly one point.
        let s = (n as f32).sqrt() as i64 + 1;
        each(n, |_| {
            let (x, y) = (rng.int(-s, s) * 3, rng.int(-s, s) * 4);
            circle(x as f32, y as f32, rng.int(1, 4) as f32 * 0.5 + 0.5)
        })
    }),
    ("subnormal", |n, rng| {
        each(n, |_| {
            let tiny = |rng: &mut Rng, most: i64| rng.int(0, most) as f32 * pow2(-149);
            let (x, y) = (tiny(rng, 60) - tiny(rng, 60), tiny(rng, 60));
            rounded(x, y, [tiny(rng, 2), tiny(rng, 2)], tiny(rng, 2))
        })
    }),
    ("around 2^-63 and 2^-75", |n, rng| {
        each(n, |_| {
            let unit = pow2([-60, -61, -63, -70, -75, -80][rng.below(6) as usize]);
            let (x, y) = (rng.int(-8, 8) as f32 * unit, rng.int(-8, 8) as f32 * unit);
            circle(x, y, rng.int(0, 3) as f32 * unit)
        })
    }),
    ("clusters 1e9 apart", |n, rng| {
        let s = side(n) * 0.7;
        each(n, |i| {
            let x = if i % 2 == 0 { rng.range(0.0, s) } else { 1e9 + 64.0 * rng.range(0.0, s) };
            circle(x, rng.range(0.0, s), if i % 2 == 0 { 0.5 } else { 10.0 })
        })
    }),
    ("coincident in groups", |n, rng| {
        let groups = (n / 20).max(1) as u64;
        each(n, |_| {
            let at = rng.below(groups) as f32;
            circle(at * 0.75, -at, 0.5)
        })
    }),
];

/// Small shapes around a distant point, where coordinates are coarse.
fn far_away(n: usize, rng: &mut Rng, offset: f32, size: f32) -> Vec<RoundedBox> {
    let s = side(n) * size * 2.0;
    each(n, |_| {
        let (x, y) = (offset + rng.range(0.0, s), -offset - rng.range(0.0, s));
        any_kind(rng, x, y, size)
    })
}

/// `n` times the same shape.
pub fn coincident(n: usize, shape: RoundedBox) -> Vec<RoundedBox> {
    vec![shape; n]
}

/// The shapes of a scene, from a seed derived from its name and size.
pub fn shapes_of(scene: &Scene, n: usize) -> Vec<RoundedBox> {
    let seed = scene.0.bytes().fold(n as u64, |seed, byte| seed.wrapping_mul(31) + u64::from(byte));
    scene.1(n, &mut Rng::new(seed))
}
