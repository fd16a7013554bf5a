//! Pairs that stop each other during a step, by brute force: the time of impact of every two
//! shapes.

use widephase::{Hit, Impact, Pair, reference::whole::Whole};

use super::{each, queries};

/// `Detector::swept_pairs`: the impacts of all pairs, sorted by
/// `a`, then by `b`.
///
/// With `bullets`, two shapes that are no bullets are listed only if they stop each other at the
/// start. Shapes without a displacement do not move; shapes without a flag are no bullets. O(n²)
/// time.
pub fn pairs(
    shapes: &[Whole],
    displacements: &[[f32; 2]],
    bullets: Option<&[bool]>,
) -> Vec<Impact> {
    let impacts = each(shapes).filter_map(|(pair, a, b)| {
        let swept = is_bullet(bullets, pair.a) || is_bullet(bullets, pair.b);
        let by = [pair.a, pair.b].map(|row| displacement(displacements, row));
        let hit = queries::impact(a, by[0], b, by[1], 1.0)?;
        (swept || hit.fraction == 0.0).then(|| impact(pair, &hit))
    });
    impacts.collect()
}

/// `Detector::swept_pairs_against`: the impacts of all
/// shapes with `others`, which stand still; sorted by `a`, then by `b`.
///
/// With `bullets`, shapes that are no bullets have only the shapes that stop them at the start. O(n
/// m) time.
pub fn pairs_against(
    shapes: &[Whole],
    displacements: &[[f32; 2]],
    bullets: Option<&[bool]>,
    others: &[Whole],
) -> Vec<Impact> {
    let mut impacts = Vec::new();
    for (a, shape) in (0..u32::MAX).zip(shapes) {
        let by = displacement(displacements, a);
        for (b, other) in (0..u32::MAX).zip(others) {
            let hit = queries::impact(shape, by, other, [0.0; 2], 1.0)
                .filter(|hit| is_bullet(bullets, a) || hit.fraction == 0.0);
            impacts.extend(hit.map(|hit| impact(Pair { a, b }, &hit)));
        }
    }
    impacts
}

/// The impact of a pair whose first shape hits the second.
fn impact(pair: Pair, hit: &Hit) -> Impact {
    let Hit { fraction, x, y, normal_x, normal_y, .. } = *hit;
    Impact { pair, fraction, x, y, normal_x, normal_y }
}

fn is_bullet(bullets: Option<&[bool]>, row: u32) -> bool {
    bullets.is_none_or(|bullets| bullets.get(row as usize) == Some(&true))
}

fn displacement(displacements: &[[f32; 2]], row: u32) -> [f32; 2] {
    displacements.get(row as usize).copied().unwrap_or_default()
}
