//! `widephase compare --queries`: the queries of an index on every executor.

use std::{
    io::{self, Write},
    time::Instant,
};

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use serde::Serialize;
use widephase::{Error, Index, SimdLevel};
use widephase_scenes::Subject;

use super::{
    each_case,
    fastest::{LevelTime, fastest, mark, slower},
    question::{Answers, Question, Questions},
    report::{NOISE_LEGEND, hex},
    summary,
    verify::fnv_1a,
};
use crate::{
    args::CompareArgs,
    cpu,
    scene::{Scene, SceneKind},
    timing::{
        Configuration, Limits, Rotation, Spread, Stopwatch, bodies, levels, rounds, thousandths,
        title, turn,
    },
    values::{Format, unique},
};

/// The rounds of a measurement: at least so that each executor runs on two scenes.
const ROUNDS: [usize; 2] = [2, 2000];

/// An index that answers on a configuration.
struct Executor {
    configuration: Configuration,
    index: Index,
    answers: Answers,
}

/// The results of an executor for a query.
#[derive(Serialize)]
struct Row {
    scene: &'static str,
    motion: &'static str,
    n: u32,
    query: &'static str,
    queries: usize,
    level: &'static str,
    threads: usize,
    median_ns_per_query: f64,
    noisy: bool,
    hash: String,
    identical: bool,
}

impl Row {
    /// The time, to be compared with the times of other levels.
    fn time(&self, kind: SceneKind) -> LevelTime {
        LevelTime {
            subject: Subject::Scene(kind),
            n: self.n,
            what: self.query,
            threads: self.threads,
            level: self.level,
            nanoseconds: self.median_ns_per_query,
            noisy: self.noisy,
            identical: self.identical,
        }
    }
}

/// Compares all executors. Returns `false` if any answer differs.
pub(super) fn run(args: &CompareArgs) -> Result<bool> {
    let levels = levels(&args.cases.level)?;
    let threads = unique(args.cases.threads.iter().copied());
    let mut executors = Configuration::all(&levels, &threads)?
        .into_iter()
        .map(|configuration| {
            let index = Index::with_options(configuration.options().into())?;
            Ok(Executor { configuration, index, answers: Answers::default() })
        })
        .collect::<Result<Vec<_>>>()?;
    let (mut tables, mut times) = (Vec::new(), Vec::new());
    each_case(args, |bar, subject, n| {
        // The command line refuses levels.
        let Subject::Scene(kind) = subject else { return Ok(()) };
        let (rows, differences) = compare(&mut executors, kind, n, args)?;
        times.extend(rows.iter().map(|row| row.time(kind)));
        bar.suspend(|| {
            for difference in &differences {
                writeln!(io::stderr(), "{difference}")?;
            }
            match args.format {
                Format::Json => json(&rows),
                Format::Table => {
                    show(&mut tables, kind, &levels, &rows)?;
                    Ok(())
                }
            }
        })
    })?;
    if args.format == Format::Table {
        end(args, &tables, &times)?;
    }
    Ok(times.iter().all(|time| time.identical))
}

/// The rows of a scene, and descriptions of the differences.
fn compare(
    executors: &mut [Executor],
    kind: SceneKind,
    n: u32,
    args: &CompareArgs,
) -> Result<(Vec<Row>, Vec<String>)> {
    let mut rotation = Rotation::new(kind, n, args.cases.seed, args.cases.motion());
    let (mut rows, mut differences) = (Vec::new(), Vec::new());
    let mut spent = 0.0;
    for (number, question) in Question::ALL.into_iter().enumerate() {
        let verdicts = verify(executors, &rotation.scenes, question, &mut differences)?;
        // If a query takes longer than its share, the next queries have less time.
        let seconds = (args.time - spent).max(0.0) / (Question::ALL.len() - number) as f64;
        let begin = Instant::now();
        let times = measure(executors, &mut rotation, question, seconds)?;
        spent += begin.elapsed().as_secs_f64();
        let mut questions = Questions::default();
        questions.fill(&rotation.scenes[0]);
        for ((executor, (hash, identical)), time) in executors.iter().zip(verdicts).zip(times) {
            rows.push(Row {
                scene: kind.short_name(),
                motion: args.cases.motion().name(),
                n,
                query: question.name(),
                queries: questions.len(question),
                level: executor.configuration.level.name(),
                threads: executor.configuration.threads,
                median_ns_per_query: thousandths(time.median),
                noisy: time.is_noisy(),
                hash: hex(hash),
                identical,
            });
        }
    }
    Ok((rows, differences))
}

/// Asks every executor about every scene. Each answer must have the bytes that the first executor
/// gives, which is the scalar level on the calling thread. Returns the hash of the answers about
/// the first scene, and whether all agree.
fn verify(
    executors: &mut [Executor],
    scenes: &[Scene],
    question: Question,
    differences: &mut Vec<String>,
) -> Result<Vec<(u64, bool)>, Error> {
    let mut verdicts = vec![(0, true); executors.len()];
    let (mut questions, mut scalar) = (Questions::default(), Answers::default());
    let calling = widephase::IndexOptions {
        simd_level: Some(SimdLevel::Scalar),
        threads: widephase::Threads::Calling,
        ..Default::default()
    };
    let mut index = Index::with_options(calling)?;
    for (number, scene) in scenes.iter().enumerate() {
        questions.fill(scene);
        index.rebuild(scene.columns())?;
        scalar.ask(&index, question, &questions)?;
        let expected = scalar.bytes(question);
        for (executor, (hash, identical)) in executors.iter_mut().zip(&mut verdicts) {
            let Executor { configuration, index, answers } = executor;
            configuration.within(|| {
                index.rebuild(scene.columns())?;
                answers.ask(index, question, &questions)
            })?;
            let found = answers.bytes(question);
            if number == 0 {
                *hash = fnv_1a(found.iter().flatten().copied());
            }
            if let Some(what) = difference(&found, &expected) {
                *identical = false;
                differences.push(format!(
                    "DIFFERENT: {}, {} bodies, scene {number} of the rotation, {}, {} threads, {}: {what}",
                    scene.kind(),
                    scene.len(),
                    configuration.level,
                    configuration.threads,
                    question.name(),
                ));
            }
        }
    }
    Ok(verdicts)
}

/// Describes the first answer whose bytes differ from the expected bytes.
fn difference(found: &[Vec<u8>], expected: &[Vec<u8>]) -> Option<String> {
    if found == expected {
        return None;
    }
    let same = found.iter().zip(expected).take_while(|(found, expected)| found == expected);
    let (at, bytes) =
        (same.count(), |answers: &[Vec<u8>], at: usize| format!("{:02x?}", answers.get(at)));
    Some(format!(
        "answer {at} of {} is {}, but {} of {} at the scalar level",
        found.len(),
        bytes(found, at),
        bytes(expected, at),
        expected.len(),
    ))
}

/// The times of each executor, in nanoseconds a query. Moving the bodies, sorting the index
/// and making the queries is not timed.
fn measure(
    executors: &mut [Executor],
    rotation: &mut Rotation,
    question: Question,
    seconds: f64,
) -> Result<Vec<Spread>, Error> {
    let [least, most] = ROUNDS;
    let mut questions = Questions::default();
    let turns = rounds(executors, Limits { least, most, seconds }, |executor, first, time| {
        let Executor { configuration, index, answers } = executor;
        let (rotation, questions) = (&mut *rotation, &mut questions);
        configuration.within(|| {
            turn::<Error>(time, |number| {
                let scene = rotation.next(first + number);
                questions.fill(scene);
                index.rebuild(scene.columns())?;
                let watch = Stopwatch::start(configuration.threads);
                answers.ask(index, question, questions)?;
                Ok(watch.stop().by(questions.len(question)))
            })
        })
    })?;
    Ok(turns.iter().map(|turns| Spread::of_turns(turns)).collect())
}

/// Prints the rows of a scene as JSON.
fn json(rows: &[Row]) -> Result<()> {
    let mut out = io::stdout().lock();
    for row in rows {
        serde_json::to_writer(&mut out, row).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Writes the table of a scene.
fn show(out: &mut Vec<u8>, kind: SceneKind, levels: &[SimdLevel], rows: &[Row]) -> io::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(out, "\n{}, {} bodies: ns a query\n", title(Subject::Scene(kind)), bodies(first.n))?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let names = levels.iter().map(|level| level.name());
    table.set_header(["query", "threads"].into_iter().chain(names).chain(["identical"]));
    for column in table.column_iter_mut().skip(1).take(levels.len() + 1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for question in Question::ALL.map(Question::name) {
        let of_question = || rows.iter().filter(move |row| row.query == question);
        for threads in unique(of_question().map(|row| row.threads)) {
            let of: Vec<&Row> = of_question().filter(|row| row.threads == threads).collect();
            let time = |level: &SimdLevel| of.iter().find(|row| row.level == level.name());
            let times = levels.iter().map(|level| {
                time(level).map_or("-".to_owned(), |row| {
                    format!("{:.1}{}", row.median_ns_per_query, mark(row.noisy))
                })
            });
            let verdict = if of.iter().all(|row| row.identical) { "yes" } else { "NO" };
            let begin = [question.to_owned(), threads.to_string()];
            table.add_row(begin.into_iter().chain(times).chain([verdict.to_owned()]));
        }
    }
    writeln!(out, "{table}")
}

/// The legend of the tables.
const LEGEND: &str = "\
a query for each body: rays of 100 units; rays of scans with 90 rays and a range of 30; the nearest
  body of a point, and the 8 nearest; the bodies in a box of 2 by 2; the first body that a circle of
  radius 0.5 meets on its way of 10 units
times: medians of whole batches, in an index of moved bodies that is sorted already; on one thread,
  of its CPU time
identical: in several scenes, each answer has the bytes of the scalar level on one thread";

/// Prints the table of all cases, with `--verbose` the table of each scene, and the legend.
fn end(args: &CompareArgs, tables: &[u8], times: &[LevelTime]) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", summary::table(times))?;
    writeln!(out, "widephase {} on {}", env!("CARGO_PKG_VERSION"), cpu::name())?;
    writeln!(out, "motion: {}; seeds: {} and on", args.cases.motion(), args.cases.seed)?;
    if args.verbose {
        out.write_all(tables)?;
    }
    writeln!(out, "\n{}\n{NOISE_LEGEND}\n{LEGEND}", summary::legend("query"))?;
    if !args.verbose {
        writeln!(out, "{}", summary::MORE)?;
    }
    let answers = times.len();
    let different = times.iter().filter(|time| !time.identical).count();
    let verdict = match different {
        0 => format!("all {answers} lists of answers are identical"),
        _ => {
            format!(
                "{different} of {answers} lists of answers DIFFER, which is a fault of widephase"
            )
        }
    };
    writeln!(out, "\nOn this machine {}; {verdict}.", fastest(times))?;
    if let Some(slower) = slower(times) {
        writeln!(out, "{slower}.")?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_answer_that_differs_is_named() {
        let expected = [vec![1, 2], vec![], vec![3]];
        assert_eq!(difference(&expected, &expected), None);
        let told = difference(&[vec![1, 2], vec![255]], &expected).unwrap();
        let text = "answer 1 of 2 is Some([ff]), but Some([]) of 3 at the scalar level";
        assert_eq!(told, text);
    }
}
