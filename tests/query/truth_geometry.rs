//! Queries beside geometry in `f64` that shares no code with the library: hits lie on the surfaces,
//! nothing is hit before them, nothing is missed, and distances are true. Casts beside small steps
//! of the touching test.

use widephase::{
    CastOptions, Hit, Index, Lists, Neighbor, Options, Order, Queries, Touching,
    narrowphase::{CastStart, touches},
    shape::Pose,
};

use crate::made::ray;
use common::{
    POLICIES, Rng,
    convex::{Convex, PlaneVector, clearance, dot, length, plus, times},
    crowd::{Crowd, Make, Numbers, PosedShape, pose_for, store},
    truth::EPS,
};

fn wide(v: [f32; 2]) -> PlaneVector {
    v.map(f64::from)
}

fn index(solids: &[PosedShape], touching: Touching) -> Index {
    let options = Options { touching, order: Order::Sorted, ..Options::default() };
    let mut index = Index::with_options(options.into()).unwrap();
    index.rebuild(&store(solids)).unwrap();
    index
}

fn crowd(seed: u64) -> Crowd {
    let numbers = Numbers::ALL[seed as usize % 4];
    Crowd { seed, count: 20, makes: Make::ALL.to_vec(), numbers, unit: 0, far: 0, flat: false }
}

/// The largest coordinate of shapes and rays, which roundings are relative to.
fn place(parts: &[Convex]) -> f64 {
    parts.iter().map(|part| part.reach().0).fold(0.0, f64::max)
}

/// How far a point is from a shape; at most 0 inside.
fn outside(parts: &[Convex], at: PlaneVector) -> f64 {
    parts.iter().map(|part| part.distance_to(at) - part.radius).fold(f64::INFINITY, f64::min)
}

/// Checks that a point is on the surface of a part, and that the normal leads out of the part.
fn assert_on_surface(
    part: &Convex,
    at: PlaneVector,
    normal: PlaneVector,
    slack: f64,
    what: &dyn Fn() -> String,
) {
    assert!((length(normal) - 1.0).abs() < 4.0 * EPS, "{}", what());
    let off = part.distance_to(at) - part.radius;
    assert!(off <= slack, "{off} outside: {}", what());
    // A step along the normal leads away from the shape, by its whole length.
    let step = 0.125;
    let away = part.distance_to(plus(at, times(normal, step))) - part.radius;
    assert!((away - step).abs() <= 4.0 * slack, "{away} after {step}: {}", what());
}

#[test]
fn rays_end_on_surfaces_and_miss_nothing() {
    let (mut hits, mut starts, mut misses) = (0, 0, 0);
    for seed in 0..100 {
        let solids = crowd(seed).solids();
        let parts: Vec<Vec<Convex>> = solids.iter().map(Convex::parts).collect();
        let touching = POLICIES[seed as usize / 4 % 2];
        let index = index(&solids, touching);
        let (shapes, mut rng) = (store(&solids), Rng::new(seed));
        for _ in 0..40 {
            let ray = ray(&shapes, &mut rng);
            let (origin, way) = (wide([ray.x, ray.y]), wide([ray.dx, ray.dy]));
            let mut found: Vec<Option<Hit>> = vec![None; solids.len()];
            let mut all = Vec::new();
            index.cast_ray_all(ray, &mut all).unwrap();
            for hit in all {
                assert!(found[hit.row as usize].replace(hit).is_none());
            }
            for (row, (parts, found)) in parts.iter().zip(&found).enumerate() {
                let slack = 8.0 * EPS * (place(parts) + length(origin) + 1.0);
                let what = || format!("{seed} {ray:?} {found:?} {:?}", solids[row]);
                let at = |t: f64| plus(origin, times(way, t));
                let end = found.map_or(f64::from(ray.max_fraction), |hit| f64::from(hit.fraction));
                // No further than to a place that is beside all shapes.
                let end = end.min(1e3 / length(way).max(1e-30));
                let away = (0..16).map(|step| outside(parts, at(end * f64::from(step) / 16.0)));
                let away = away.fold(f64::INFINITY, f64::min);
                let starts_inside = found.is_some_and(|hit| hit.fraction == 0.0);
                assert!(starts_inside || away > -slack, "{away}: {}", what());
                let Some(hit) = found else {
                    misses += 1;
                    continue;
                };
                let (position, normal) = (wide([hit.x, hit.y]), wide([hit.normal_x, hit.normal_y]));
                let on_ray = length(plus(position, times(at(f64::from(hit.fraction)), -1.0)));
                assert!(
                    on_ray <= slack + length(way) * f64::from(hit.fraction) * EPS,
                    "{}",
                    what()
                );
                if hit.fraction == 0.0 {
                    let back =
                        if length(way) > 0.0 { times(way, -1.0 / length(way)) } else { [1.0, 0.0] };
                    assert!(length(plus(normal, times(back, -1.0))) < 4.0 * EPS, "{}", what());
                    assert!(outside(parts, origin) <= slack, "{}", what());
                    starts += 1;
                    continue;
                }
                hits += 1;
                assert!(dot(normal, way) <= EPS * length(way), "{}", what());
                assert_on_surface(&parts[hit.part as usize], position, normal, slack, &what);
            }
        }
    }
    eprintln!("{hits} hits, {starts} starts inside, {misses} misses");
    assert!(hits > 5_000 && starts > 2_000 && misses > 50_000);
}

/// The kinds of casts of a test.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    starts: usize,
    misses: usize,
    /// So nearly parallel to the surface that a step behind the hit need not touch.
    grazing: usize,
}

/// The shape moved by a share of a translation, and the moved shape in `f64`.
fn moved(solid: &PosedShape, by: [f32; 2], share: f32) -> (PosedShape, Vec<Convex>) {
    let pose = solid.pose.unwrap();
    let pose = Pose { x: pose.x + by[0] * share, y: pose.y + by[1] * share, ..pose };
    let here = PosedShape { pose: Some(pose_for(&solid.shape, pose)), ..solid.clone() };
    let parts = Convex::parts(&here);
    (here, parts)
}

/// The least distance of any two parts; below 0 they overlap.
fn apart(a: &[Convex], b: &[Convex]) -> f64 {
    let all = a.iter().flat_map(|part| b.iter().map(move |other| clearance(part, other)));
    all.fold(f64::INFINITY, f64::min)
}

#[test]
fn casts_beside_small_steps() {
    let mut tally = Tally::default();
    for seed in 0..120 {
        let solids = crowd(seed).solids();
        let parts: Vec<Vec<Convex>> = solids.iter().map(Convex::parts).collect();
        let touching = POLICIES[seed as usize / 4 % 2];
        let shapes = store(&solids);
        let mut rng = Rng::new(seed);
        let movers: Vec<PosedShape> = Crowd { seed: seed + 1000, ..crowd(seed) }.solids();
        for mover in movers.iter().filter(|mover| mover.pose.is_some()) {
            let ray = ray(&shapes, &mut rng);
            let by = [ray.dx, ray.dy];
            if by[0].hypot(by[1]) < 1e-3 {
                continue;
            }
            let own = store(std::slice::from_ref(mover));
            for (row, solid) in solids.iter().enumerate() {
                let one = index(std::slice::from_ref(solid), touching);
                let mut found = Vec::new();
                let options = CastOptions { start: CastStart::Any, ..CastOptions::default() };
                one.cast_shape_batch(&own, &[by], options, &mut found).unwrap();
                let cast = Cast { mover, by, solid, parts: &parts[row], touching };
                check_cast(&cast, found[0], &mut tally);
            }
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.hits > 1_000 && tally.starts > 300 && tally.misses > 5_000, "{tally:?}");
    assert!(tally.grazing * 20 < tally.hits, "{tally:?}");
}

/// A shape that moves towards another shape.
#[derive(Debug, Clone, Copy)]
struct Cast<'a> {
    mover: &'a PosedShape,
    by: [f32; 2],
    solid: &'a PosedShape,
    parts: &'a [Convex],
    touching: Touching,
}

fn check_cast(cast: &Cast<'_>, found: Option<Hit>, tally: &mut Tally) {
    let Cast { mover, by, solid, parts, touching } = *cast;
    let what = &|| format!("{found:?} {cast:?}");
    let touches_at = |share: f32| touches(&moved(mover, by, share).0, solid, touching).unwrap();
    let (_, start) = moved(mover, by, 0.0);
    let slack = 16.0 * EPS * (place(parts) + place(&start) + length(wide(by)));
    let Some(hit) = found else {
        for step in 0..=12 {
            let (_, here) = moved(mover, by, step as f32 / 12.0);
            assert!(apart(&here, parts) > -slack, "step {step}: {}", what());
        }
        tally.misses += 1;
        return;
    };
    let (at, normal) = (wide([hit.x, hit.y]), wide([hit.normal_x, hit.normal_y]));
    assert!((length(normal) - 1.0).abs() < 4e-7, "{}", what());
    if hit.fraction == 0.0 {
        assert!(apart(&start, parts) <= slack, "{}", what());
        tally.starts += 1;
        return;
    }
    tally.hits += 1;
    // The point is on both surfaces, and the normal leads out of the other shape and into the
    // moving shape.
    let (_, here) = moved(mover, by, hit.fraction);
    assert_on_surface(&parts[hit.part as usize], at, normal, slack, what);
    let own = here.iter().map(|part| (part.distance_to(at) - part.radius).abs());
    assert!(own.fold(f64::INFINITY, f64::min) <= slack, "{}", what());
    assert!(apart(&here, parts).abs() <= slack, "{}", what());
    let speed = -dot(normal, wide(by));
    assert!(speed >= -slack, "{}", what());
    if speed * 1e3 <= length(wide(by)) {
        tally.grazing += 1;
        return;
    }
    // Nothing touches before, and a little behind, they overlap.
    let around = 4.0 * slack / speed;
    let before = (f64::from(hit.fraction) - around) as f32;
    for step in 0..=8 {
        let share = before * step as f32 / 8.0;
        assert!(share < 0.0 || !touches_at(share), "at {share}: {}", what());
    }
    let behind = (f64::from(hit.fraction) + around) as f32;
    if apart(&moved(mover, by, behind).1, parts) < -slack {
        assert!(touches_at(behind), "at {behind}: {}", what());
    } else {
        tally.grazing += 1;
    }
}

/// The same part, moved without a turn.
fn shifted(part: &Convex, by: [f64; 2]) -> Convex {
    let mut here = part.clone();
    for corner in &mut here.corners {
        *corner = plus(*corner, by);
    }
    here
}

/// Shapes that overlap at the start stop a motion if, and only if, it leads deeper into a shape:
/// beside many small steps, by the depth in `f64`.
#[test]
fn casts_that_start_inside() {
    let (mut stopped, mut free) = (0, 0);
    for seed in 0..160 {
        let solids = crowd(seed).solids();
        let shapes = store(&solids);
        let mut rng = Rng::new(seed);
        let movers: Vec<PosedShape> = Crowd { seed: seed + 2000, ..crowd(seed) }.solids();
        for mover in movers.iter().filter(|mover| mover.pose.is_some()) {
            let (_, start) = moved(mover, [0.0; 2], 0.0);
            let own = store(std::slice::from_ref(mover));
            for solid in &solids {
                let parts = Convex::parts(solid);
                let [a, b] = [&start[..], &parts[..]].map(|parts| (parts.len() == 1, &parts[0]));
                let at_start = -clearance(a.1, b.1);
                if !(a.0 && b.0 && at_start > 1e-4) {
                    continue;
                }
                let ray = ray(&shapes, &mut rng);
                let by = [ray.dx, ray.dy];
                let one = index(std::slice::from_ref(solid), POLICIES[seed as usize % 2]);
                let mut found = Vec::new();
                one.cast_shape_batch(&own, &[by], 1.0, &mut found).unwrap();
                let slack = 32.0 * EPS * (place(&parts) + place(&start) + length(wide(by)));
                let steps = (0..=12)
                    .map(|step| 0.5_f64.powi(step))
                    .chain((1..32).map(|step| f64::from(step) / 32.0));
                let depths = steps.map(|share| {
                    let here = shifted(a.1, times(wide(by), share));
                    -clearance(&here, b.1)
                });
                let most = depths.fold(at_start, f64::max);
                let what = || format!("{at_start} {most} {found:?} {by:?} {mover:?} {solid:?}");
                match found[0] {
                    None => {
                        assert!(most <= at_start + slack, "it passes: {}", what());
                        free += 1;
                    }
                    Some(hit) => {
                        assert_eq!(hit.fraction, 0.0, "{}", what());
                        assert!(most > at_start, "it is stuck: {}", what());
                        stopped += 1;
                    }
                }
            }
        }
    }
    eprintln!("{stopped} stopped, {free} free");
    assert!(stopped > 500 && free > 500, "{stopped} {free}");
}

#[test]
fn distances_of_all_rows_are_those_of_geometry() {
    let (mut apart_count, mut touching_count) = (0, 0);
    for seed in 0..200 {
        let solids = crowd(seed).solids();
        let parts: Vec<Vec<Convex>> = solids.iter().map(Convex::parts).collect();
        let index = index(&solids, Touching::Inclusive);
        let mut near = Lists::new();
        index.k_nearest_of_rows(usize::MAX, f32::INFINITY, &mut near).unwrap();
        for (row, near) in near.iter().enumerate() {
            assert_eq!(near.len(), solids.len() - 1);
            assert!(near.is_sorted_by_key(|near| (near.distance.to_bits(), near.row)));
            for Neighbor { row: other, distance } in near {
                let [a, b] = [&parts[row], &parts[*other as usize]];
                let expected = apart(a, b).max(0.0);
                let slack = 4.0 * EPS * (place(a) + place(b) + expected);
                let what = || format!("{seed} {:?} {:?}", solids[row], solids[*other as usize]);
                let error = (f64::from(*distance) - expected).abs();
                assert!(error <= slack, "{distance} {expected}: {}", what());
                if *distance > 0.0 { apart_count += 1 } else { touching_count += 1 }
            }
        }
    }
    assert!(apart_count > 50_000 && touching_count > 3_000, "{apart_count} {touching_count}");
}
