//! Tests against schedules that were cut by hand, and on small grids.
#![allow(clippy::single_range_in_vec_init, reason = "these are lists of ranges")]

use super::*;
use crate::{
    Columns, SimdLevel,
    grid::{BuildInput, CellSize, GridLevels, Partition},
    index::Compact,
    scene::{Scene, SceneKind},
    simd::Isa,
    store::ColumnWorkspace,
};

/// A schedule of sweeps of the grid levels 0, 1, ...; for each, the number of items and their
/// weight.
fn schedule(items: &[(usize, usize)]) -> Schedule {
    let mut schedule = Schedule::default();
    let mut first = 0;
    for (level, &(items, weight)) in items.iter().enumerate() {
        schedule.push(PartnerSearch::Sweep(level), first..first + items, weight);
        first += items;
    }
    schedule.whole();
    schedule
}

/// For each task, the items of its items.
fn tasks(schedule: &Schedule) -> Vec<Vec<Range<usize>>> {
    let items = |task| schedule.task(task).iter().map(|item| item.items.clone()).collect();
    (0..schedule.tasks()).map(items).collect()
}

#[test]
fn whole_work_is_one_task() {
    assert_eq!(tasks(&schedule(&[(10_000, 1), (5, 7)])), [[0..10_000, 10_000..10_005]]);
    assert_eq!(tasks(&schedule(&[])), [[]; 1]);
    // Levels without items make no items.
    assert_eq!(tasks(&schedule(&[(0, 1), (5, 1), (0, 3)])), [[0..5]]);
}

#[test]
fn tasks_are_of_one_size() {
    let cut = |items: &[(usize, usize)]| {
        let mut schedule = schedule(items);
        schedule.cut(8);
        tasks(&schedule)
    };
    assert!(cut(&[]).is_empty());
    assert_eq!(cut(&[(8192, 1)]), [[0..8192]]);
    assert_eq!(cut(&[(20_000, 1)]), [[0..8192], [8192..16_384], [16_384..20_000]]);
    // A task that is not full continues with the next item.
    assert_eq!(cut(&[(3000, 1), (9000, 1)]), [&[0..3000, 3000..8192][..], &[8192..12_000]]);
    // If items cost more, a task has fewer items, but at least one.
    assert_eq!(cut(&[(100, 128)]), [[0..64], [64..100]]);
    assert_eq!(cut(&[(3, 10_000)]), [[0..1], [1..2], [2..3]]);
    assert_eq!(cut(&[(8000, 1), (2, 1000)]), [&[0..8000, 8000..8001][..], &[8001..8002]]);
    // A task has at least a 256th of all work.
    let large = cut(&[(1 << 22, 1)]);
    assert_eq!((large.len(), &large[255][..]), (256, &[(1 << 22) - (1 << 14)..1 << 22][..]));
    // Sums saturate, and the last task takes all items that are left.
    assert_eq!(cut(&[(2, usize::MAX), (3, usize::MAX)]).len(), 5);
    let most = cut(&[(1000, usize::MAX)]);
    assert_eq!((most.len(), &most[255][..]), (256, &[255..256, 256..1000][..]));
    // Two threads have 32 tasks each.
    let mut two = schedule(&[(1 << 22, 1)]);
    two.cut(2);
    assert_eq!(two.tasks(), 64);
}

/// The tasks have all items of all items, once, in order; there are not too many tasks.
#[test]
fn nothing_is_lost() {
    let mut number = 1_u64;
    let mut next = |end: u64| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((number >> 33) % end) as usize
    };
    for _ in 0..2000 {
        let largest = 1 << next(22);
        let items: Vec<(usize, usize)> =
            (0..next(40)).map(|_| (next(largest), 1 + next(1 << (largest % 13)))).collect();
        let mut schedule = schedule(&items);
        let all: Vec<WorkItem> = schedule.items.clone();
        let threads = 1 + next(20);
        schedule.cut(threads);
        let mut parts = (0..schedule.tasks()).flat_map(|task| schedule.task(task));
        for item in all {
            let mut at = item.items.start;
            while at < item.items.end {
                let part = parts.next().expect("the work goes on");
                assert_eq!((part.items.start, part.weight), (at, item.weight));
                assert!(
                    matches!((part.job, item.job), (PartnerSearch::Sweep(a), PartnerSearch::Sweep(b)) if a == b)
                );
                at = part.items.end;
            }
            assert_eq!(at, item.items.end);
        }
        assert!(parts.next().is_none());
        assert!((0..schedule.tasks()).all(|task| !schedule.task(task).is_empty()));
        let most = MAX_TASKS.min(MAX_TASKS_PER_THREAD * threads);
        assert!(schedule.tasks() <= most, "{} tasks for {threads} threads", schedule.tasks());
    }
}

/// A grid over these circles, sorted in two steps.
fn grid(x: &[f32], y: &[f32], radius: &[f32]) -> Grid {
    let isa = Isa::new(SimdLevel::Scalar).unwrap();
    let (mut compact, mut room) = (Compact::default(), ColumnWorkspace::default());
    let columns = Columns::circles(x, y, radius).unwrap();
    let (shapes, ids) =
        compact.close(columns.rows(isa, &mut room).unwrap(), None, isa, false).unwrap();
    let (mut grid, mut partition) = (Grid::default(), Partition::default());
    let input = BuildInput {
        isa,
        shapes,
        ids,
        ends: &[],
        cell_size: CellSize::Auto,
        levels: &GridLevels::Auto,
        searched: false,
        changes: false,
        candidate_lists: false,
        threads: true,
    };
    grid.build(&input, &mut partition);
    grid
}

/// 3000 of 23,000 circles are at one position and make 4.5 million pairs. Neither of two threads
/// should get all of that work.
#[test]
fn a_crowd_is_the_work_of_many() {
    const CROWD: usize = 3000;
    let mut x: Vec<f32> = (0..20_000).map(|i| (i % 160) as f32).collect();
    let mut y: Vec<f32> = (0..20_000).map(|i| (i / 160) as f32).collect();
    let radius = vec![0.25; x.len() + CROWD];
    let mut schedule = Schedule::default();
    schedule.within(&grid(&x, &y, &radius[..x.len()]));
    assert_eq!(schedule.items.len(), 1, "no part of an even scene costs more than another");

    x.extend([80.5; CROWD]);
    y.extend([60.5; CROWD]);
    let grid = grid(&x, &y, &radius);
    schedule.within(&grid);
    schedule.cut(2);
    let crowd: Vec<usize> =
        (0..x.len()).filter(|&place| grid.sorted.ids()[place] >= 20_000).collect();
    assert_eq!((crowd.len(), crowd[CROWD - 1] - crowd[0]), (CROWD, CROWD - 1), "side by side");
    let meetings = |items: &Range<usize>| -> usize {
        let after = |place: usize| crowd[0] + CROWD - 1 - place;
        items.clone().filter(|place| (crowd[0]..crowd[0] + CROWD).contains(place)).map(after).sum()
    };
    let tasks: Vec<usize> =
        tasks(&schedule).iter().map(|items| items.iter().map(meetings).sum()).collect();
    assert_eq!(tasks.iter().sum::<usize>(), CROWD * (CROWD - 1) / 2);
    let most = tasks.iter().max().unwrap();
    assert!(
        *most <= CROWD * CROWD / 2 / 12,
        "{most} of 4.5 million in one of {} tasks",
        tasks.len()
    );
}

/// The sizes follow a power law, and the sample has missed one of the four size classes: its
/// hundred items share a level with the seven largest items. If each of these hundred items were as
/// large as the seven, it would cover everything, and the finer items would search instead.
#[test]
fn rare_items_look_for_common_ones() {
    let scene = Scene::generate(SceneKind::PowerLawCircles, 10_000, 2);
    let items = scene.rounded_boxes();
    let [x, y, radius]: [Vec<f32>; 3] =
        [0, 1, 2].map(|field| items.iter().map(|b| [b.min_x, b.min_y, b.radius][field]).collect());
    let grid = grid(&x, &y, &radius);
    let counts: Vec<usize> =
        (0..grid.plan.levels().len()).map(|level| grid.sorted.items(level).len()).collect();
    assert_eq!(counts, [8274, 1618, 108]);
    let mut schedule = Schedule::default();
    schedule.within(&grid);
    let mut scans = Vec::new();
    for WorkItem { job, items, .. } in &schedule.items {
        if let PartnerSearch::Scan { level, .. } = *job {
            let from = (0..3).find(|&level| grid.sorted.items(level) == *items);
            scans.push((from.expect("all items of a level"), level));
        }
    }
    assert_eq!(scans, [(1, 0), (2, 1), (2, 0)]);
}

#[test]
fn steps_are_all_work_in_its_order() {
    let mut schedule = schedule(&[(600, 3), (256, 1), (1, 9)]);
    let whole: Vec<_> = schedule.steps().map(|step| step.items).collect();
    assert_eq!(whole, [0..256, 256..512, 512..600, 600..856, 856..857]);
    // The steps do not depend on where tasks end.
    schedule.cut(2);
    let places = schedule.steps().flat_map(|step| step.items);
    assert!(places.eq(0..857));
}
