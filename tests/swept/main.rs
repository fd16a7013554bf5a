//! Pairs that touch during a step: beside the time of impact of every two shapes, beside fine
//! sub-steps, and by hand; on every SIMD level and any number of threads.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

mod aligned;
mod known;
mod random;
mod substeps;

use common::crowd::PosedShape;
use common::{crowd, levels};
use widephase::{
    Bullets, CastOptions, Columns, Detector, Displacements, Impact, Index, Options, Order, Pair,
    Shapes, Threads, Touching,
    narrowphase::{CastStart, time_of_impact},
};

/// The displacements of all rows, as columns.
pub(crate) struct Moves {
    pub(crate) dx: Vec<f32>,
    pub(crate) dy: Vec<f32>,
    pub(crate) start: CastStart,
}

impl Moves {
    pub(crate) fn new(moves: &[[f32; 2]]) -> Self {
        let column = |axis: usize| moves.iter().map(|by| by[axis]).collect();
        Self { dx: column(0), dy: column(1), start: CastStart::Inward }
    }

    pub(crate) fn of(&self, row: u32) -> [f32; 2] {
        [self.dx[row as usize], self.dy[row as usize]]
    }

    pub(crate) fn with<'a>(&'a self, bullets: Option<&'a [bool]>) -> Displacements<'a> {
        let bullets = bullets.map_or(Bullets::All, Bullets::Rows);
        Displacements { x: &self.dx, y: &self.dy, bullets, start: self.start }
    }

    /// The impact of two shapes by `time_of_impact`.
    fn impact(
        &self,
        pair: Pair,
        [a, b]: [&PosedShape; 2],
        by: [[f32; 2]; 2],
        swept: bool,
    ) -> Option<Impact> {
        let options = CastOptions { start: self.start, ..CastOptions::default() };
        let hit = time_of_impact(a, by[0], b, by[1], options).unwrap()?;
        if !swept && hit.fraction > 0.0 {
            return None;
        }
        let (fraction, x, y) = (hit.fraction, hit.x, hit.y);
        Some(Impact { pair, fraction, x, y, normal_x: hit.normal_x, normal_y: hit.normal_y })
    }
}

/// A shape of a crowd, ready for tests.
pub(crate) fn posed(shape: &crowd::PosedShape) -> PosedShape {
    shape.clone()
}

/// All impacts among shapes, by `time_of_impact`.
pub(crate) fn all_impacts(
    shapes: &[PosedShape],
    moves: &Moves,
    bullets: Option<&[bool]>,
) -> Vec<Impact> {
    let is_bullet = |row: usize| bullets.is_none_or(|bullets| bullets[row]);
    let mut impacts = Vec::new();
    for (a, first) in shapes.iter().enumerate() {
        for (b, second) in shapes.iter().enumerate().skip(a + 1) {
            let pair = Pair { a: a as u32, b: b as u32 };
            let by = [moves.of(pair.a), moves.of(pair.b)];
            let swept = is_bullet(a) || is_bullet(b);
            impacts.extend(moves.impact(pair, [first, second], by, swept));
        }
    }
    impacts
}

/// All impacts of shapes with other shapes that stand still, by `time_of_impact`.
pub(crate) fn all_impacts_against(
    shapes: &[PosedShape],
    moves: &Moves,
    bullets: Option<&[bool]>,
    others: &[PosedShape],
) -> Vec<Impact> {
    let mut impacts = Vec::new();
    for (a, first) in (0..).zip(shapes) {
        let swept = bullets.is_none_or(|bullets| bullets[a as usize]);
        for (b, second) in (0..).zip(others) {
            let by = [moves.of(a), [0.0; 2]];
            impacts.extend(moves.impact(Pair { a, b }, [first, second], by, swept));
        }
    }
    impacts
}

/// Reports the first difference of two lists, to the last bit.
pub(crate) fn assert_impacts(found: &[Impact], expected: &[Impact], what: &str) {
    let bits = |impacts: &[Impact]| bytemuck::cast_slice::<_, u32>(impacts).to_vec();
    if bits(found) == bits(expected) {
        return;
    }
    let pairs = |impacts: &[Impact]| impacts.iter().map(|impact| impact.pair).collect::<Vec<_>>();
    common::assert_same(&pairs(found), &pairs(expected), what);
    assert_eq!(found, expected, "{what}");
}

/// Checks the impacts among `columns`, or with an index of `others`, on all levels, on one thread
/// and several threads.
pub(crate) fn check(
    columns: Columns<'_>,
    moves: &Moves,
    bullets: Option<&[bool]>,
    others: Option<Columns<'_>>,
    expected: &[Impact],
    what: &str,
) {
    for &level in levels() {
        let run = |threads, order, touching| {
            let simd_level = Some(level);
            let options = Options { simd_level, threads, order, touching, ..Options::default() };
            let mut detector = Detector::with_options(options).unwrap();
            let index = others.map(|others| {
                let mut index = Index::with_options(options.into()).unwrap();
                index.rebuild(others).unwrap();
                index
            });
            let mut found = vec![Impact::default()];
            // The second call uses the workspace of the first.
            for _ in 0..2 {
                let moves = moves.with(bullets);
                match &index {
                    None => detector.swept_pairs(columns, moves, &mut found),
                    Some(index) => detector.swept_pairs((columns, index), moves, &mut found),
                }
                .unwrap();
                assert_impacts(&found, expected, &format!("{what}, {level}, {threads:?}"));
            }
            assert_eq!(detector.options(), &options);
        };
        run(Threads::Calling, Order::Grid, Touching::Inclusive);
        #[cfg(feature = "parallel")]
        common::pools()[2].install(|| run(Threads::Pool, Order::Sorted, Touching::Exclusive));
    }
}

/// Checks the impacts of two indexes: of `columns`, which move, and of `others`.
pub(crate) fn check_of_indexes(
    [columns, others]: [Columns<'_>; 2],
    moves: &Moves,
    bullets: Option<&[bool]>,
    expected: &[Impact],
    what: &str,
) {
    let [index, other] = [columns, others].map(|columns| Index::build(columns).unwrap());
    let moves = moves.with(bullets);
    let mut found = Vec::new();
    Detector::new().swept_pairs((&index, &other), moves, &mut found).unwrap();
    assert_impacts(&found, expected, &format!("{what}, two indexes"));
}

/// A store of crowd shapes, and the shapes for `time_of_impact`.
pub(crate) fn both_forms(solids: &[crowd::PosedShape]) -> (Shapes, Vec<PosedShape>) {
    (crowd::store(solids), solids.iter().map(posed).collect())
}
