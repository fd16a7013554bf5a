//! Each thread copies its results to the right place, whichever thread is done first.

use super::*;

/// A buffer with the results `found`, followed by other values.
fn buffer(found: &[u32]) -> TaskBuffer<u32> {
    TaskBuffer { list: [found, &[u32::MAX; 3]].concat(), len: found.len() }
}

#[test]
fn places_are_known_once_all_tasks_before_are_done() {
    let mut list = [0; 10];
    let mut places = TaskPlaces::new(&mut list, [None; MAX_TASKS]);
    let known = |places: &TaskPlaces<'_, u32>| -> Vec<(usize, usize)> {
        let place =
            |(task, place): (usize, &Option<&mut [u32]>)| Some((task, place.as_ref()?.len()));
        places.places.iter().enumerate().filter_map(place).collect()
    };
    places.note(1, 3);
    assert_eq!(known(&places), []);
    places.note(0, 2);
    assert_eq!(known(&places), [(0, 2), (1, 3)]);
    // A task without results also has a place.
    places.note(2, 0);
    assert_eq!(known(&places), [(0, 2), (1, 3), (2, 0)]);
    // Five elements are left. If a task does not fit, later tasks have no place, either.
    places.note(3, 6);
    places.note(4, 1);
    assert_eq!(known(&places), [(0, 2), (1, 3), (2, 0)]);
}

#[test]
fn those_who_are_done_copy_what_has_a_place() {
    let mut list = [0; 6];
    let places = Mutex::new(TaskPlaces::new(&mut list, [None; MAX_TASKS]));
    let mut workers = [Worker::default(), Worker::default()];
    let mut hand_in = |worker: usize, task, found: &[u32]| {
        lock(&places).note(task, found.len());
        workers[worker].waiting.push_back((task, buffer(found)));
        workers[worker].deliver(&places);
        workers[worker].waiting.len()
    };
    // The second thread is ahead and waits for the first thread. It copies its first buffer when it
    // next delivers.
    assert_eq!(hand_in(1, 1, &[20, 21]), 1);
    assert_eq!(hand_in(0, 0, &[10]), 0);
    assert_eq!(hand_in(1, 2, &[30, 31, 32]), 0);
    assert_eq!(list, [10, 20, 21, 30, 31, 32]);
}

/// Lists of several threads are in the order of the tasks, whatever the capacity of the list was.
#[cfg(feature = "parallel")]
#[test]
fn lists_are_in_order() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut workers = Workers::default();
    let mut out = Vec::new();
    for (step, (tasks, share)) in [
        (40, TaskShare::Next),
        (40, TaskShare::Next),
        (7, TaskShare::Part),
        (7, TaskShare::Next),
        (0, TaskShare::Next),
        (90, TaskShare::Part),
        (90, TaskShare::Next),
        (250, TaskShare::Next),
        (MAX_TASKS, TaskShare::Part),
        (MAX_TASKS, TaskShare::Next),
        (0, TaskShare::Part),
        (1, TaskShare::Next),
        (1, TaskShare::Part),
    ]
    .into_iter()
    .enumerate()
    {
        // A few tasks take much longer than the other tasks, so later tasks have no place for a
        // while.
        let found = |task: usize| (task * 7 + step) % 5 * (task % 3);
        let fill = |buffer: &mut TaskBuffer<u32>, task: usize| {
            if task % 16 == 3 {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            *buffer = self::buffer(&vec![task as u32; found(task)]);
            Left::default()
        };
        let total = pool.install(|| workers.collect(&mut out, tasks, share, 1000, fill));
        let expected: Vec<u32> =
            (0..tasks).flat_map(|task| vec![task as u32; found(task)]).collect();
        assert_eq!((total.kept, &out), (expected.len(), &expected), "{tasks} tasks");
        assert!(total.left.is_nothing());
        // No buffer waits, and all buffers are there for the next step.
        assert!(workers.workers.iter().all(|worker| worker.waiting.is_empty()));
        if share == TaskShare::Part {
            assert!(workers.by_task.len() >= tasks);
            continue;
        }
        let used = &workers.workers[..tasks.min(3)];
        let most = (0..tasks).map(found).max().unwrap_or(0);
        let fit =
            |worker: &Worker<u32>| worker.free.iter().filter(|f| f.list.capacity() > most).count();
        assert!(used.iter().all(|worker| fit(worker) >= BUFFERS_PER_THREAD));
        // A list that was cleared, and one without memory.
        match step {
            1 => out.clear(),
            6 => out = Vec::new(),
            _ => {}
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn dropped_pairs_are_summed_over_tasks() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (mut workers, mut out) = (Workers::<u32>::default(), Vec::new());
    let left = |task: usize| Left { dropped: task as u64, starved: (task == 3).then_some(77) };
    let fill = |buffer: &mut TaskBuffer<u32>, task: usize| {
        *buffer = self::buffer(&[1, 2]);
        left(task)
    };
    let total = pool.install(|| workers.collect(&mut out, 5, TaskShare::Next, 1000, fill));
    assert_eq!((total.kept, total.left.dropped, total.left.starved), (10, 10, Some(77)));
    // A list beyond the limit is not allocated.
    let fill = |buffer: &mut TaskBuffer<u32>, _: usize| {
        *buffer = self::buffer(&[1; 100]);
        Left::default()
    };
    let mut out = Vec::new();
    let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Part, 4999, fill));
    assert_eq!((total.kept, total.left.is_nothing()), (5000, true));
    assert!(out.capacity() < 5000);
    assert!(workers.workers.iter().all(|worker| worker.waiting.is_empty()));
    // If the list has no capacity, all buffers wait, and only some of them are kept. If there are
    // too many results, no free buffer is kept.
    let free = |workers: &Workers<u32>| -> Vec<usize> {
        workers.workers.iter().map(|worker| worker.free.len()).collect()
    };
    let mut out = Vec::new();
    let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Next, 5000, fill));
    assert_eq!((total.kept, out.len(), free(&workers)), (5000, 5000, vec![BUFFERS_PER_THREAD; 2]));
    let total = pool.install(|| workers.collect(&mut out, 50, TaskShare::Next, 4999, fill));
    assert_eq!((total.kept, free(&workers)), (5000, vec![0; 2]));
    let workers =
        workers.each(4, TaskShare::Part, false, |worker, task| worker.left.dropped += task as u64);
    assert_eq!(workers.iter().map(|worker| worker.left.dropped).collect::<Vec<_>>(), [6]);
}

/// Each worker takes the tasks of its part first, then tasks that are left. Each task is taken
/// once.
#[test]
fn tasks_are_taken_once() {
    let taken = |queue: &Queue, index| std::iter::from_fn(|| queue.take(index)).collect::<Vec<_>>();
    let queue = Queue::new(7, 3);
    assert_eq!(
        [queue.take(1), queue.take(0), queue.take(1), queue.take(2)],
        [2, 0, 3, 4].map(Some)
    );
    // The tasks left in its own part, then the tasks left in the third and in the first part.
    assert_eq!(taken(&queue, 1), [5, 6, 1]);
    assert_eq!(queue.take(0), None);
    assert_eq!(taken(&Queue::new(5, 1), 9), [0, 1, 2, 3, 4]);
    assert_eq!(taken(&Queue::new(0, 1), 0), []);
    let most = taken(&Queue::new(MAX_TASKS, MAX_TASKS), 1);
    assert_eq!((most.len(), most[0], most[MAX_TASKS - 1]), (MAX_TASKS, 1, 0));
}
