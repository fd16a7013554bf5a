//! The random number generator, its seeding, and its conversion to `f32`: the only source of
//! randomness of a scene.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

use crate::SceneKind;

/// The random number generator of one scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Random(Pcg64Mcg);

impl Random {
    /// Makes the generator of a scene. Its state is two words of SplitMix64, which is seeded with
    /// the seed and the name of the scene.
    ///
    /// Seeds that differ in one bit then give states that differ in half the bits. The
    /// multiplicative generator needs this, because it forces the two lowest bits to 1 and never
    /// mixes high bits into low ones.
    pub(crate) fn new(kind: SceneKind, seed: u64) -> Self {
        Self::named(kind.short_name(), seed)
    }

    /// The generator for the name of a scene or a level.
    pub(crate) fn named(name: &str, seed: u64) -> Self {
        // The first eight letters are different for all names.
        let mut letters = [0; 8];
        for (to, from) in letters.iter_mut().zip(name.bytes()) {
            *to = from;
        }
        let mut mix = SplitMix64(mixed(u64::from_le_bytes(letters)) ^ seed);
        let (low, high) = (mix.next(), mix.next());
        Self(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// A uniform multiple of 2^-24, at least 0 and less than 1, from the highest 24 bits of one
    /// output word.
    fn unit(&mut self) -> f32 {
        const SCALE: f32 = 1.0 / (1 << 24) as f32;
        (self.0.next_u64() >> 40) as f32 * SCALE
    }

    /// A uniform number from `low` to `high`, by one product and one sum.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A nearly Gaussian number of mean 0 and variance 1, from -6 to 6: the sum of twelve uniform
    /// numbers (Irwin and Hall). Exact methods need a logarithm or a cosine, whose last bits differ
    /// from one platform to the next; this one needs only sums.
    pub(crate) fn bell(&mut self) -> f32 {
        (0..12).fold(-6.0, |sum, _| sum + self.unit())
    }

    /// A uniform random direction: points of a square are drawn until one falls into a ring, and
    /// that is scaled to length 1. An angle is not used, because its sine would differ from one
    /// platform to the next.
    pub(crate) fn rotation(&mut self) -> Rotation {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            if (0.01..=1.0).contains(&(x * x + y * y)) {
                return unit(x, y);
            }
        }
    }

    /// Shuffles `items`: all orders have the same probability (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // 32 random bits, spread over `0..=last`; scenes have fewer bodies than 2^32.
            let high = self.0.next_u64() >> 32;
            let place = (high * (last as u64 + 1)) >> 32;
            items.swap(last, place as usize);
        }
    }
}

/// A rotation by the angle of this cosine and sine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rotation {
    pub(crate) cos: f32,
    pub(crate) sin: f32,
}

impl Rotation {
    /// The rotated vector.
    pub(crate) fn apply(self, [x, y]: [f32; 2]) -> [f32; 2] {
        let Self { cos, sin } = self;
        [cos * x - sin * y, sin * x + cos * y]
    }
}

/// The rotation from the x axis to the direction (x, y), which must not be zero.
pub(crate) fn unit(x: f32, y: f32) -> Rotation {
    let [x, y] = [x, y].map(f64::from);
    let length = (x * x + y * y).sqrt();
    Rotation { cos: (x / length) as f32, sin: (y / length) as f32 }
}

/// The generator SplitMix64 (Steele, Lea and Flood 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }
}

fn mixed(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_is_the_published_one() {
        // The first outputs for the seed 1234567, as published with the Java and C versions.
        let mut mix = SplitMix64(1_234_567);
        assert_eq!(
            [mix.next(), mix.next(), mix.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn unit_fills_its_interval() {
        let mut random = Random::new(SceneKind::UniformCircles, 1);
        let values: Vec<f32> = (0..10_000).map(|_| random.unit()).collect();
        assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }

    #[test]
    fn bell_has_mean_0_and_variance_1() {
        let mut random = Random::new(SceneKind::GaussianClusters, 1);
        let values: Vec<f32> = (0..10_000).map(|_| random.bell()).collect();
        let moment = |power| values.iter().map(|value| value.powi(power)).sum::<f32>() / 1e4;
        assert!(moment(1).abs() < 0.03 && (moment(2) - 1.0).abs() < 0.05);
        // 68.3 % of Gaussian values are within one standard deviation.
        let near = values.iter().filter(|value| value.abs() < 1.0).count();
        assert!((6600..7000).contains(&near), "{near}");
    }

    #[test]
    fn rotations_go_everywhere() {
        let mut random = Random::new(SceneKind::MixedRotating, 1);
        let mut eighths = [0; 8];
        for _ in 0..8000 {
            let Rotation { cos, sin } = random.rotation();
            assert!((cos * cos + sin * sin - 1.0).abs() < 1e-6);
            let steep = usize::from(cos.abs() < sin.abs());
            eighths[usize::from(cos < 0.0) * 4 + usize::from(sin < 0.0) * 2 + steep] += 1;
        }
        assert!(eighths.iter().all(|count| (890..1110).contains(count)), "{eighths:?}");
    }

    #[test]
    fn shuffle_moves_everything_everywhere() {
        let mut random = Random::new(SceneKind::Shuffled, 1);
        let mut seen = [[0; 4]; 4];
        for _ in 0..4000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            for (place, item) in items.into_iter().enumerate() {
                seen[item][place] += 1;
            }
        }
        assert!(seen.iter().flatten().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}
