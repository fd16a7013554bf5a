//! The check that an executor found the right pairs.

use widephase::Pair;

use crate::{
    bodies::{Body, Rows},
    executor::Agreement,
};

/// The relative distance from touching at which a pair may be listed by only one of two executors:
/// a few roundings of `f32`, relative to the coordinates and sizes of the pair.
const ROUNDING: f64 = 8.0 * f32::EPSILON as f64;

/// One in this many pairs, and one more, may differ by any distance for [`Agreement::Mostly`].
const BORNE: usize = 10_000;

/// Describes how `found` differs from `expected`. Sorts both lists.
pub fn difference<R: Rows>(
    found: &mut [Pair],
    expected: &mut [Pair],
    agreement: Agreement,
    rows: &R,
) -> Option<String> {
    found.sort_unstable();
    expected.sort_unstable();
    if let Some(twice) = found.windows(2).find(|two| two[0] == two[1]) {
        return Some(format!("({}, {}) is listed twice", twice[0].a, twice[0].b));
    }
    let missing = without(expected, found).map(|pair| (pair, "is missing"));
    let spare = without(found, expected).map(|pair| (pair, "does not touch"));
    let wrong = |(pair, what): (Pair, &'static str)| {
        let [distance, rounding] = from_touching(pair, rows);
        let allowed = match agreement {
            Agreement::Exact => None,
            Agreement::UpToRounding => Some(rounding),
            Agreement::Mostly(slack) => Some(rounding + f64::from(slack)),
        };
        let close = allowed.is_some_and(|allowed| distance.abs() <= allowed);
        (!close).then(|| format!("({}, {}) {what}, at a distance of {distance:e}", pair.a, pair.b))
    };
    let borne = match agreement {
        Agreement::Mostly(_) => 1 + expected.len() / BORNE,
        _ => 0,
    };
    missing.chain(spare).filter_map(wrong).nth(borne)
}

/// The pairs in the sorted list `all` that are not in the sorted list `known`.
fn without(all: &[Pair], known: &[Pair]) -> impl Iterator<Item = Pair> {
    all.iter().copied().filter(|pair| known.binary_search(pair).is_err())
}

/// The distance of two bodies, below 0 if they overlap, and how much of it may be rounding.
fn from_touching<R: Rows>(pair: Pair, rows: &R) -> [f64; 2] {
    let [a, b] = [pair.a, pair.b].map(|row| rows.body(row as usize).rounded_box());
    let gap = |min_a: f32, max_a: f32, min_b: f32, max_b: f32| {
        (f64::from(min_b) - f64::from(max_a)).max(f64::from(min_a) - f64::from(max_b))
    };
    let gap_x = gap(a.min_x, a.max_x, b.min_x, b.max_x);
    let gap_y = gap(a.min_y, a.max_y, b.min_y, b.max_y);
    // Outside, the distance of the cores. Inside, how far one core extends into the other.
    let distance = match gap_x.max(gap_y) {
        inside if inside <= 0.0 => inside,
        _ => gap_x.max(0.0).hypot(gap_y.max(0.0)),
    };
    let reach = f64::from(a.radius) + f64::from(b.radius);
    let scale = [a.min_x, a.min_y, a.max_x, a.max_y, b.min_x, b.min_y, b.max_x, b.max_y]
        .into_iter()
        .fold(reach, |scale, side| scale.max(f64::from(side).abs()));
    [distance - reach, ROUNDING * scale]
}

#[cfg(test)]
mod tests {
    use crate::scene::{Scene, SceneKind};

    use super::*;
    use crate::bodies::Circles;

    #[test]
    fn tells_what_differs() {
        let scene = Scene::generate(SceneKind::UniformCircles, 500, 1);
        let mut rows = Circles::default();
        rows.copy(&scene);
        let truth = widephase::reference::brute_force::pairs(
            &scene.rounded_boxes(),
            widephase::Touching::Inclusive,
        );
        let told = |found: &[Pair]| {
            let agreements = [Agreement::Exact, Agreement::UpToRounding, Agreement::Mostly(1e-3)];
            agreements.map(|agreement| {
                difference(&mut found.to_vec(), &mut truth.clone(), agreement, &rows).is_some()
            })
        };
        assert_eq!(told(&truth), [false; 3]);
        assert_eq!(told(&truth[1..]), [true, true, false]);
        assert_eq!(told(&truth[2..]), [true; 3]);
        assert_eq!(told(&[&truth[..], &truth[..1]].concat()), [true; 3]);
        let apart = Pair { a: truth[0].a, b: truth[0].a + 1 };
        assert!(!truth.contains(&apart));
        assert_eq!(told(&[&truth[..], &[apart]].concat()), [true, true, false]);
        assert_eq!(told(&[&truth[1..], &[apart]].concat()), [true; 3]);
    }
}
