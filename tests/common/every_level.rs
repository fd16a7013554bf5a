//! Tests that run once at each SIMD level. Plain Rust: unit tests of the
//! library include this file.

/// Makes a test of each named function at each SIMD level: `name::avx2` fails, and not `name`. The
/// function takes the level. Reports on stderr the levels that this CPU cannot run, so that no
/// level is skipped silently.
#[macro_export]
macro_rules! at_every_level {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            use ::widephase::SimdLevel;

            fn at(level: SimdLevel) {
                if level.is_available() {
                    super::$test(level);
                } else {
                    eprintln!("level {level}: not on this CPU, not tested");
                }
            }

            #[test]
            fn scalar() {
                at(SimdLevel::Scalar);
            }

            #[test]
            fn portable() {
                at(SimdLevel::Portable);
            }

            #[test]
            fn avx2() {
                at(SimdLevel::Avx2);
            }

            #[test]
            fn avx512() {
                at(SimdLevel::Avx512);
            }
        }
    )+};
}
