//! The names of SIMD levels, and the level that the environment selects.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use widephase::{
    Columns, Detector, Error, Narrowphase, Options, Pair, Shapes, SimdLevel, Touching,
    narrowphase::touches,
    shape::{Circle, Obb, Posed, Rotation},
};

#[test]
fn names_of_levels() {
    for level in SimdLevel::ALL {
        assert_eq!(level.name().parse(), Ok(level));
        assert_eq!(level.name().to_uppercase().parse(), Ok(level));
    }
    assert_eq!("AVX-512".parse(), Ok(SimdLevel::Avx512));
    for name in ["", "sse9", "avx", "avx5120", "scalar portable"] {
        let unknown = Error::UnknownLevel { name: name.to_owned() };
        assert_eq!(name.parse::<SimdLevel>(), Err(unknown));
    }
}

const CHILD: &str = "WIDEPHASE_TEST_EXPECTS";

/// The other half of the test below: only does something in the process that it starts.
#[test]
fn the_level_of_the_environment_in_a_process_of_its_own() {
    let Ok(expected) = std::env::var(CHILD) else { return };
    let found = match SimdLevel::preferred() {
        Ok(level) => level.name().to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected);
    // All callers of the preferred level return the same result.
    let (x, y) = ([0.0; 2], [0.0; 2]);
    let columns = Columns::points(&x, &y).unwrap();
    let mut pairs = vec![Pair { a: 7, b: 8 }; 2];
    match SimdLevel::preferred() {
        Ok(level) => {
            assert!(level.is_available());
            let mut mask = Vec::new();
            Narrowphase::new().row_mask(columns, columns, 0..2, &mut mask).unwrap();
            assert_eq!(mask, [0b11]);
            Detector::new().pairs(columns, &mut pairs).unwrap();
            assert_eq!(pairs.len(), 1);
        }
        Err(error) => {
            let refused = Narrowphase::new().row_mask(columns, columns, 0..2, &mut vec![7]);
            assert_eq!(refused, Err(error.clone()));
            assert_eq!(Detector::new().pairs(columns, &mut pairs), Err(error.clone()));
            assert!(pairs.is_empty());
            assert_eq!(Detector::new().count(columns), Err(error));
        }
    }
    // Calls whose result does not depend on the level do not fail: checks, and tests of two shapes.
    assert_eq!(columns.check().unwrap().len(), 2);
    assert_eq!(Shapes::from_columns(columns).unwrap().len(), 2);
    let turned = Obb::new([0.0, 0.0], [2.0, 1.0], Rotation { cos: 0.6, sin: 0.8 });
    let [turned, ball] = [Posed::from(turned), Posed::from(Circle::new([1.2, 1.6], 0.5))];
    assert!(touches(turned, ball, Touching::Inclusive).unwrap());
    // An explicit choice does not look at the environment.
    let mut scalar = Detector::with_options(Options {
        simd_level: Some(SimdLevel::Scalar),
        touching: Touching::Exclusive,
        ..Options::default()
    })
    .unwrap();
    assert_eq!(scalar.count(columns), Ok(0));
}

/// `WIDEPHASE_LEVEL` is read once a process, so each value gets a process.
#[test]
fn the_environment_chooses_the_level() {
    let best = SimdLevel::best().name().to_owned();
    let unavailable = |level| Error::LevelUnavailable { level }.to_string();
    let unknown = |name: &str| Error::UnknownLevel { name: name.to_owned() }.to_string();
    let mut cases = vec![
        (None, best.clone()),
        (Some(""), best),
        (Some("sse9"), unknown("sse9")),
        (Some("PORTABLE"), "portable".to_owned()),
    ];
    for level in SimdLevel::ALL {
        let expected =
            if level.is_available() { level.name().to_owned() } else { unavailable(level) };
        cases.push((Some(level.name()), expected));
    }
    for (value, expected) in cases {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "the_level_of_the_environment_in_a_process_of_its_own"]);
        child.env(CHILD, &expected).env_remove(widephase::options::LEVEL_VARIABLE);
        if let Some(value) = value {
            child.env(widephase::options::LEVEL_VARIABLE, value);
        }
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{value:?}: {text}");
    }
}
